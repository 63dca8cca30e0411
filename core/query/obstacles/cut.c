// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// cut.c: cuts the polygons that outlines touch into convex parts. A polygon is clipped once for
// each side of an outline (Sutherland, Hodgman 1974): the ground beyond the side is a convex part,
// the rest goes on to the next side, and the ground that remains in the end lies inside.

#include "core/base/tolerances.h"
#include "core/base/plane.h"
#include "core/query/obstacles/overlay.h"
#include "core/query/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A convex part of a polygon, and the outlines that touch it.
typedef struct part {
    uint32_t base;
    const double (*corners)[2];
    uint32_t corner_count;
    const nav_touch *touches;
    uint32_t touch_count;
} part;

// Parts with more outlines than this are parted again, so many times at most.
#define PART_TOUCHES_MAX 6
#define PART_DEPTH_MAX 20

typedef struct cutter {
    const nav_mesh *mesh;
    const nav_outline *outlines;
    nav_overlay_budget *budget;
    bool has_cut; // the polygon that is looked at
    nav_convex_list made;
    uint32_t next_number;
} cutter;

// ---- cutting ----

// The part of a polygon on the side of a -> b where its outline lies (sign 1) or beyond (sign -1).
static uint32_t clip(const double (*from)[2], uint32_t count, const double a[2], const double b[2],
                     double sign, double (*to)[2])
{
    NAV_DCHECK(sign == 1.0 || sign == -1.0);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const double *p = from[i], *q = from[i + 1 < count ? i + 1 : 0];
        const double side_p = sign * nav_plane_side(a, b, p);
        const double side_q = sign * nav_plane_side(a, b, q);
        if (side_p >= 0.0) {
            memcpy(to[kept++], p, sizeof *to);
        }
        if ((side_p > 0.0 && side_q < 0.0) || (side_p < 0.0 && side_q > 0.0)) {
            const double t = side_p / (side_p - side_q);
            to[kept][0] = nav_plane_mix(p[0], q[0], t);
            to[kept++][1] = nav_plane_mix(p[1], q[1], t);
        }
    }
    return kept;
}

void nav_convex_measure(nav_convex *out)
{
    nav_plane_bounds((const double(*)[2])out->corners, out->count, out->min, out->max);
}

// Room for one convex part more, or NULL.
static nav_convex *next_convex(cutter *c)
{
    nav_convex_list *made = &c->made;
    made->convexes = nav_overlay_grow(c->budget, made->convexes, made->count, &made->capacity,
                                      sizeof *made->convexes);
    return c->budget->failed ? NULL : &made->convexes[made->count++];
}

static inline bool is_too_thin(const nav_convex *convex, double area)
{
    const double extent = convex->max[0] - convex->min[0] + convex->max[1] - convex->min[1];
    const double far = fabs(convex->max[0]) + fabs(convex->max[1]);
    return area < NAV_FRAGMENT_AREA_MIN || area < extent * far * NAV_FRAGMENT_WIDTH_PART;
}

static void add_convex(cutter *c, uint32_t base, float cost, const double (*corners)[2],
                       uint32_t count)
{
    const double area = count < 3 ? 0.0 : nav_plane_area(corners, count);
    if (area < NAV_FRAGMENT_AREA_MIN) {
        return;
    }
    // Faces have a bounded number of corners: what has more is parted by a diagonal.
    if (count > NAV_POLYGON_VERTICES_MAX) {
        double rest[2 * NAV_VOLUME_POINTS_MAX][2];
        const uint32_t first = NAV_POLYGON_VERTICES_MAX;
        NAV_ASSERT(count - first + 2 <= 2 * NAV_VOLUME_POINTS_MAX);
        add_convex(c, base, cost, corners, first);
        memcpy(rest[0], corners[0], sizeof rest[0]);
        memcpy(rest[1], corners + first - 1, (count - first + 1) * sizeof rest[0]);
        add_convex(c, base, cost, (const double(*)[2])rest, count - first + 2);
        return;
    }
    nav_convex convex = {.count = count, .base = base, .cost = cost};
    nav_plane_bounds(corners, count, convex.min, convex.max);
    if (is_too_thin(&convex, area)) {
        return;
    }
    convex.corners = nav_overlay_alloc(c->budget, count, sizeof *convex.corners);
    nav_convex *added = next_convex(c);
    if (added != NULL && convex.corners != NULL) {
        convex.number = c->next_number++;
        memcpy(convex.corners, corners, count * sizeof *convex.corners);
        *added = convex;
    }
}

// The most corners that a convex part has once an outline has cut it.
#define CLIP_CORNERS_MAX (NAV_POLYGON_VERTICES_MAX + NAV_VOLUME_POINTS_MAX + 32)

// Whether one side of an outline has all of a convex part beyond it.
static bool is_apart(const nav_convex *convex, const nav_outline *outline)
{
    bool apart = false;
    for (uint32_t i = 0; i < outline->count && !apart; ++i) {
        const double *a = outline->points[i],
                     *b = outline->points[i + 1 < outline->count ? i + 1 : 0];
        apart = true;
        for (uint32_t k = 0; k < convex->count && apart; ++k) {
            apart = nav_plane_side(a, b, convex->corners[k]) <= 0.0;
        }
    }
    return apart;
}

// Room is CLIP_CORNERS_MAX.
static void add_corner(double (*corners)[2], uint32_t *count, const double at[2])
{
    NAV_ASSERT(*count < CLIP_CORNERS_MAX);
    memcpy(corners[(*count)++], at, sizeof *corners);
}

// Parts a polygon by the line a -> b: what lies on its inner side, and beyond; both are clip's.
// False where nothing is beyond, and then nothing is written.
static bool split(const double (*from)[2], uint32_t count, const double a[2], const double b[2],
                  double (*in)[2], uint32_t *in_count, double (*out)[2], uint32_t *out_count)
{
    double sides[CLIP_CORNERS_MAX];
    NAV_ASSERT(count <= CLIP_CORNERS_MAX);
    double least = 0.0;
    for (uint32_t i = 0; i < count; ++i) {
        sides[i] = nav_plane_side(a, b, from[i]);
        least = sides[i] < least ? sides[i] : least;
    }
    if (least == 0.0) {
        return false;
    }
    uint32_t inner = 0, outer = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t next = i + 1 < count ? i + 1 : 0;
        if (sides[i] >= 0.0) {
            add_corner(in, &inner, from[i]);
        }
        if (sides[i] <= 0.0) {
            add_corner(out, &outer, from[i]);
        }
        if ((sides[i] > 0.0 && sides[next] < 0.0) || (sides[i] < 0.0 && sides[next] > 0.0)) {
            const double t = sides[i] / (sides[i] - sides[next]);
            const double crossing[2] = {nav_plane_mix(from[i][0], from[next][0], t),
                                        nav_plane_mix(from[i][1], from[next][1], t)};
            add_corner(in, &inner, crossing);
            add_corner(out, &outer, crossing);
        }
    }
    *in_count = inner;
    *out_count = outer;
    return true;
}

// Whether what lies inside of an outline is ground, and at its height.
static bool is_inside(const cutter *c, uint32_t base, const nav_outline *outline,
                      const double (*inside)[2], uint32_t count)
{
    if (count < 3 || nav_plane_area(inside, count) < NAV_FRAGMENT_AREA_MIN) {
        return false;
    }
    const nav_polygon_record *record = &c->mesh->records[base];
    if (record->min[1] >= outline->bottom && record->max[1] <= outline->top) {
        return true;
    }
    double middle[2] = {0.0, 0.0};
    for (uint32_t i = 0; i < count; ++i) {
        middle[0] += inside[i][0] / count;
        middle[1] += inside[i][1] / count;
    }
    const nav_view view = {.mesh = c->mesh};
    const float height = nav_view_height(&view, base, (float)middle[0], (float)middle[1]);
    return height >= outline->bottom && height <= outline->top;
}

static void keep_whole(cutter *c, const nav_convex *whole)
{
    nav_convex *kept = next_convex(c);
    if (kept != NULL) {
        *kept = *whole;
    }
}

// Parts a convex part: what lies beyond each side of the outline in turn, and what is left inside.
static void cut_convex(cutter *c, const nav_convex *whole, const nav_outline *outline)
{
    double room[2][CLIP_CORNERS_MAX][2], beyond[CLIP_CORNERS_MAX][2];
    const uint32_t first = c->made.count, number = c->next_number;
    uint32_t count = whole->count, at = 0;
    NAV_ASSERT(count >= 3);
    NAV_ASSERT(count <= NAV_POLYGON_VERTICES_MAX);
    nav_overlay_spend(c->budget, 2 * (uint64_t)outline->count * whole->count);
    if (is_apart(whole, outline)) {
        keep_whole(c, whole);
        return;
    }
    memcpy(room[at], whole->corners, count * sizeof *room[at]);
    for (uint32_t i = 0; i < outline->count && count >= 3; ++i) {
        const double *a = outline->points[i];
        const double *b = outline->points[i + 1 < outline->count ? i + 1 : 0];
        uint32_t beyond_count;
        if (split((const double(*)[2])room[at], count, a, b, room[1 - at], &count, beyond,
                  &beyond_count)) {
            add_convex(c, whole->base, whole->cost, (const double(*)[2])beyond, beyond_count);
            at = 1 - at;
        }
    }
    if (!is_inside(c, whole->base, outline, (const double(*)[2])room[at], count)) {
        c->made.count = first;
        c->next_number = number;
        keep_whole(c, whole);
        return;
    }
    c->has_cut = true;
    if (outline->cost < INFINITY) {
        add_convex(c, whole->base, nav_overlay_multiply(whole->cost, outline->cost),
                   (const double(*)[2])room[at], count);
    }
}

static bool boxes_meet(const nav_convex *fragment, const nav_outline *outline)
{
    return fragment->min[0] <= outline->max[0] && fragment->max[0] >= outline->min[0] &&
           fragment->min[1] <= outline->max[1] && fragment->max[1] >= outline->min[1];
}

// Sorted by where they begin along x; of equal ones, by their numbers.
static int compare_convexes(const void *a, const void *b)
{
    const nav_convex *left = a, *right = b;
    if (left->min[0] != right->min[0]) {
        return left->min[0] < right->min[0] ? -1 : 1;
    }
    return left->number < right->number ? -1 : left->number > right->number;
}

// Cuts a convex part of a polygon by outlines, one after the other. Its convex parts are the last
// ones.
static void cut_part(cutter *c, const part *whole)
{
    const uint32_t first = c->made.count;
    add_convex(c, whole->base, 1.0f, whole->corners, whole->corner_count);
    for (uint32_t i = 0; i < whole->touch_count && !c->budget->failed; ++i) {
        const nav_outline *outline = &c->outlines[whole->touches[i].outline];
        const uint32_t end = c->made.count;
        uint32_t kept = first;
        nav_overlay_spend(c->budget, end - first);
        // New convex parts are put behind the old ones, which they then take the place of.
        for (uint32_t k = first; k < end && !c->budget->failed; ++k) {
            if (boxes_meet(&c->made.convexes[k], outline)) {
                const nav_convex convex = c->made.convexes[k];
                cut_convex(c, &convex, outline);
            } else if (kept++ != k) {
                c->made.convexes[kept - 1] = c->made.convexes[k];
            }
        }
        if (!c->budget->failed && kept < end) {
            memmove(c->made.convexes + kept, c->made.convexes + end,
                    (c->made.count - end) * sizeof *c->made.convexes);
            c->made.count = kept + (c->made.count - end);
        }
    }
}

// One side of a line along an axis, with the outlines that touch it.
static part half_of(cutter *c, const part *whole, int axis, double middle, double sign,
                    double (*corners)[2])
{
    const double a[2] = {axis == 0 ? middle : 0.0, axis == 0 ? 0.0 : middle};
    const double b[2] = {axis == 0 ? middle : 1.0, axis == 0 ? 1.0 : middle};
    part half = {.base = whole->base, .corners = (const double(*)[2])corners};
    half.corner_count = clip(whole->corners, whole->corner_count, a, b, sign, corners);
    nav_convex box = {.corners = corners, .count = half.corner_count};
    NAV_ASSERT(half.corner_count <= 2 * NAV_POLYGON_VERTICES_MAX);
    nav_convex_measure(&box);
    nav_overlay_spend(c->budget, whole->touch_count);
    nav_touch *touches = nav_overlay_alloc(c->budget, whole->touch_count, sizeof *touches);
    for (uint32_t i = 0; touches != NULL && i < whole->touch_count; ++i) {
        if (boxes_meet(&box, &c->outlines[whole->touches[i].outline])) {
            touches[half.touch_count++] = whole->touches[i];
        }
    }
    half.touches = touches;
    return half;
}

// A polygon that many outlines touch is parted along the axes first, so that each has few
// and small convex parts to cut, unless they lie all over each other.
static void part_and_cut(cutter *c, const part *whole, uint32_t depth)
{
    if (whole->touch_count <= PART_TOUCHES_MAX || depth == 0 ||
        whole->corner_count > NAV_POLYGON_VERTICES_MAX || c->budget->failed) {
        cut_part(c, whole);
        return;
    }
    double corners[2][2 * NAV_POLYGON_VERTICES_MAX][2];
    double around[NAV_POLYGON_VERTICES_MAX][2];
    nav_convex box = {.corners = around, .count = whole->corner_count};
    memcpy(around, whole->corners, whole->corner_count * sizeof *around);
    nav_convex_measure(&box);
    const int axis = box.max[1] - box.min[1] > box.max[0] - box.min[0];
    const double middle = box.min[axis] + (box.max[axis] - box.min[axis]) / 2.0;
    const part low = half_of(c, whole, axis, middle, 1.0, corners[0]);
    const part high = half_of(c, whole, axis, middle, -1.0, corners[1]);
    if (c->budget->failed || low.touch_count + high.touch_count > whole->touch_count * 3 / 2) {
        cut_part(c, whole);
        return;
    }
    part_and_cut(c, &low, depth - 1);
    part_and_cut(c, &high, depth - 1);
}

// Cuts one polygon by the outlines that touch it. Its convex parts are the last ones.
static void cut_polygon(cutter *c, uint32_t polygon, const nav_touch *touches, uint32_t touch_count)
{
    NAV_ASSERT(c->mesh->records[polygon].corner_count <= NAV_POLYGON_VERTICES_MAX);
    double corners[NAV_POLYGON_VERTICES_MAX][2];
    part whole = {.base = polygon,
                  .corners = (const double(*)[2])corners,
                  .touches = touches,
                  .touch_count = touch_count};
    for (uint32_t i = c->mesh->records[polygon].corner_first;
         i < c->mesh->records[polygon + 1].corner_first; ++i) {
        const float *at = c->mesh->vertices[c->mesh->corners[i]];
        corners[whole.corner_count][0] = (double)at[0];
        corners[whole.corner_count++][1] = (double)at[2];
    }
    nav_convex convex = {.corners = corners, .count = whole.corner_count, .base = polygon};
    const uint32_t first = c->made.count;
    nav_convex_measure(&convex);
    if (is_too_thin(&convex, nav_plane_area((const double(*)[2])corners, convex.count))) {
        c->has_cut = nav_ground_cut_thin(c->mesh, c->outlines, touches, touch_count, &convex,
                                         c->budget, &c->made);
        for (uint32_t i = first; i < c->made.count; ++i) {
            c->made.convexes[i].number = c->next_number++;
        }
    } else {
        c->has_cut = false;
        part_and_cut(c, &whole, PART_DEPTH_MAX);
    }
    if (c->has_cut && !c->budget->failed && c->made.count > first) {
        qsort(c->made.convexes + first, c->made.count - first, sizeof *c->made.convexes,
              compare_convexes);
    }
}

// The turning vertices at the ends of all portals of what is cut.
static void list_turning_vertices(cutter *c, nav_cut_ground *out)
{
    const nav_mesh *mesh = c->mesh;
    for (uint32_t i = 0; i < out->cut.count; ++i) {
        const uint32_t polygon = out->cut.polygons[i];
        for (uint32_t k = mesh->portal_first[polygon]; k < mesh->portal_first[polygon + 1]; ++k) {
            for (int right = 0; right < 2; ++right) {
                nav_polygon_list_add(&out->turning_vertices,
                                     mesh->portal_turning_vertices[k][right] & NAV_TURNING_NUMBER,
                                     c->budget);
            }
        }
    }
    nav_polygon_list_sort(&out->turning_vertices);
}

// ---- exported ----

bool nav_ground_cut(const nav_mesh *mesh, const nav_outline *outlines, uint32_t count,
                    nav_overlay_budget *budget, nav_cut_ground *out)
{
    cutter c = {.mesh = mesh, .outlines = outlines, .budget = budget};
    nav_polygon_list cut = {0};
    const nav_touch_list touched = nav_touches_list(mesh, outlines, count, budget);
    for (uint32_t i = 0, end = 0; i < touched.count && !budget->failed; i = end) {
        const uint32_t polygon = touched.touches[i].polygon;
        const uint32_t first = c.made.count;
        while (end < touched.count && touched.touches[end].polygon == polygon) {
            ++end;
        }
        cut_polygon(&c, polygon, touched.touches + i, end - i);
        if (!c.has_cut) {
            c.made.count = first; // boxes met, but nothing else
            continue;
        }
        nav_polygon_list_add(&cut, polygon, budget);
    }
    *out = (nav_cut_ground){.convexes = c.made.convexes, .count = c.made.count, .cut = cut};
    list_turning_vertices(&c, out);
    return !budget->failed;
}
