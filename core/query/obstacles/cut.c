// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// cut.c: cuts the polygons that outlines touch into convex parts. A polygon is clipped by the sides
// of an outline (Sutherland, Hodgman 1974): the ground beyond a side is a convex part, the rest
// goes on to the next side, and the ground that remains in the end lies inside.
//
// Only the sides that bound what the outline has of the polygon cut it: the lines of the others
// would part ground that no shape is next to. Each corner of the outline within the polygon needs a
// line that ends there, so that there can be no fewer parts.

#include "core/query/obstacles/cut.h"

#include "core/base/tolerances.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A convex part of a polygon, and the outlines that touch it.
typedef struct patch {
    uint32_t base;
    const double (*corners)[2];
    const uint32_t *lines; // of its edges
    uint32_t corner_count;
    const nav_touch *touches;
    uint32_t touch_count;
} patch;

// Parts with more outlines than this are parted again, so many times at most.
#define PATCH_TOUCHES_MAX 6
#define PATCH_DEPTH_MAX 20

// The most corners that a convex part has once an outline has cut it.
#define CLIP_CORNERS_MAX (NAV_POLYGON_VERTICES_MAX + NAV_VOLUME_POINTS_MAX + 32)

// A convex polygon that is being cut, and the line of each edge, which goes from its corner to the
// next.
typedef struct ring {
    double corners[CLIP_CORNERS_MAX][2];
    uint32_t lines[CLIP_CORNERS_MAX];
    uint32_t count;
} ring;

// The rings that are cut, by turns, and the one that a line has cut off.
typedef struct cut_scratch {
    ring rings[2], beyond;
} cut_scratch;

typedef struct cutter {
    const nav_mesh *mesh;
    const nav_outline *outlines;
    nav_overlay_budget *budget;
    bool has_cut; // the polygon that is looked at
    nav_convex_list made;
    uint32_t next_number;
    nav_line_list lines;
    cut_scratch *scratch;
} cutter;

// ---- lines ----

// A new line. 0 where the budget has failed.
static uint32_t add_line(cutter *c)
{
    nav_line_list *lines = &c->lines;
    lines->leaders = nav_overlay_grow(c->budget, lines->leaders, lines->count, &lines->capacity,
                                      sizeof *lines->leaders);
    if (c->budget->failed) {
        return 0;
    }
    lines->leaders[lines->count] = lines->count;
    return lines->count++;
}

// ---- cutting ----

static void ring_begin(ring *r, const double (*corners)[2], const uint32_t *lines, uint32_t count)
{
    NAV_ASSERT(count <= CLIP_CORNERS_MAX);
    r->count = count;
    memcpy(r->corners, corners, count * sizeof *corners);
    memcpy(r->lines, lines, count * sizeof *lines);
}

static inline void ring_add(ring *r, const double at[2], uint32_t line)
{
    NAV_ASSERT(r->count < CLIP_CORNERS_MAX);
    memcpy(r->corners[r->count], at, sizeof *r->corners);
    r->lines[r->count++] = line;
}

// Parts a polygon by a line a -> b: what lies on its inner side, and beyond (NULL: not asked for).
// False where nothing is beyond, and then nothing is written.
static bool split(const ring *from, const double a[2], const double b[2], uint32_t line, ring *in,
                  ring *out)
{
    double away[CLIP_CORNERS_MAX];
    double least = 0.0;
    for (uint32_t i = 0; i < from->count; ++i) {
        away[i] = nav_plane_side(a, b, from->corners[i]);
        least = away[i] < least ? away[i] : least;
    }
    if (least == 0.0) {
        return false;
    }
    in->count = 0;
    if (out != NULL) {
        out->count = 0;
    }
    for (uint32_t i = 0; i < from->count; ++i) {
        const uint32_t next = i + 1 < from->count ? i + 1 : 0;
        const double *p = from->corners[i], *q = from->corners[next];
        const bool leaves = away[i] >= 0.0 && away[next] < 0.0;
        if (away[i] >= 0.0) {
            ring_add(in, p, leaves && away[i] == 0.0 ? line : from->lines[i]);
        }
        if (away[i] <= 0.0 && out != NULL) {
            ring_add(out, p, away[i] == 0.0 && away[next] > 0.0 ? line : from->lines[i]);
        }
        if ((away[i] > 0.0 && away[next] < 0.0) || (away[i] < 0.0 && away[next] > 0.0)) {
            const double t = away[i] / (away[i] - away[next]);
            double crossing[2];
            nav_plane_point_at(p, q, t, crossing);
            ring_add(in, crossing, leaves ? line : from->lines[i]);
            if (out != NULL) {
                ring_add(out, crossing, leaves ? from->lines[i] : line);
            }
        }
    }
    return true;
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
    return area < NAV_FRAGMENT_AREA_MIN || area < extent * far * NAV_FRAGMENT_WIDTH_RATIO;
}

static void add_convex(cutter *c, uint32_t base, nav_ground_cost cost, const ring *r);

// A part with more corners than a face can have is parted by a diagonal.
static void add_in_pieces(cutter *c, uint32_t base, nav_ground_cost cost, const ring *r)
{
    const uint32_t first = NAV_POLYGON_VERTICES_MAX, diagonal = add_line(c);
    ring piece;
    ring_begin(&piece, (const double(*)[2])r->corners, r->lines, first);
    piece.lines[first - 1] = diagonal;
    add_convex(c, base, cost, &piece);
    piece.count = 0;
    ring_add(&piece, r->corners[0], diagonal);
    for (uint32_t i = first - 1; i < r->count; ++i) {
        ring_add(&piece, r->corners[i], r->lines[i]);
    }
    add_convex(c, base, cost, &piece);
}

// Adds a convex part, unless it has no room. Then what lies on both sides of it touches.
static void add_convex(cutter *c, uint32_t base, nav_ground_cost cost, const ring *r)
{
    const double(*corners)[2] = (const double(*)[2])r->corners;
    const double area = r->count < 3 ? 0.0 : nav_plane_area(corners, r->count);
    nav_convex convex = {.count = r->count, .base = base, .cost = cost};
    if (c->budget->failed) {
        return;
    }
    if (r->count > NAV_POLYGON_VERTICES_MAX && area >= NAV_FRAGMENT_AREA_MIN) {
        add_in_pieces(c, base, cost, r);
        return;
    }
    nav_plane_bounds(corners, r->count, convex.min, convex.max);
    if (is_too_thin(&convex, area)) {
        nav_lines_unite(&c->lines, r->lines, r->count);
        return;
    }
    convex.corners = nav_overlay_alloc(c->budget, r->count, sizeof *convex.corners);
    convex.lines = nav_overlay_alloc(c->budget, r->count, sizeof *convex.lines);
    nav_convex *added = next_convex(c);
    if (!c->budget->failed) {
        convex.number = c->next_number++;
        memcpy(convex.corners, corners, r->count * sizeof *corners);
        memcpy(convex.lines, r->lines, r->count * sizeof *convex.lines);
        *added = convex;
    }
}

static const double *side_end(const nav_outline *outline, uint32_t side)
{
    return outline->points[side + 1 < outline->count ? side + 1 : 0];
}

// The sides of an outline that bound what it has of a convex part, in their order. Result: how
// many; *found: whether it has anything.
static uint32_t find_sides(const cutter *c, const nav_convex *whole, const nav_outline *outline,
                           uint32_t sides[CLIP_CORNERS_MAX], bool *found)
{
    uint32_t none[NAV_POLYGON_VERTICES_MAX], at = 0, count = 0;
    bool bounds[CLIP_CORNERS_MAX];
    ring *rings = c->scratch->rings;
    NAV_ASSERT(outline->count <= CLIP_CORNERS_MAX);
    memset(none, 0xff, sizeof none);
    memset(bounds, 0, outline->count);
    ring_begin(&rings[at], (const double(*)[2])whole->corners, none, whole->count);
    for (uint32_t i = 0; i < outline->count && rings[at].count >= 3; ++i) {
        const double *a = outline->points[i], *b = side_end(outline, i);
        at = split(&rings[at], a, b, i, &rings[1 - at], NULL) ? 1 - at : at;
    }
    const ring *inside = &rings[at];
    *found = inside->count >= 3 && nav_plane_area((const double(*)[2])inside->corners,
                                                  inside->count) >= NAV_FRAGMENT_AREA_MIN;
    for (uint32_t i = 0; i < inside->count && *found; ++i) {
        if (inside->lines[i] != NAV_NONE) {
            bounds[inside->lines[i]] = true;
        }
    }
    for (uint32_t i = 0; i < outline->count; ++i) {
        if (bounds[i]) {
            sides[count++] = i;
        }
    }
    return count;
}

// Parts a convex part: what lies beyond each side of the outline in turn, and what is left inside.
static void cut_convex(cutter *c, const nav_convex *whole, const nav_outline *outline)
{
    uint32_t sides[CLIP_CORNERS_MAX], at = 0;
    bool found;
    NAV_ASSERT(whole->count >= 3);
    NAV_ASSERT(whole->count <= NAV_POLYGON_VERTICES_MAX);
    nav_overlay_spend(c->budget, 2 * (uint64_t)outline->count * whole->count);
    const uint32_t side_count = find_sides(c, whole, outline, sides, &found);
    if (!found) {
        nav_convex *kept = next_convex(c);
        if (kept != NULL) {
            *kept = *whole;
        }
        return;
    }
    ring *rings = c->scratch->rings;
    ring_begin(&rings[at], (const double(*)[2])whole->corners, whole->lines, whole->count);
    for (uint32_t i = 0; i < side_count && rings[at].count >= 3; ++i) {
        const double *a = outline->points[sides[i]], *b = side_end(outline, sides[i]);
        if (split(&rings[at], a, b, add_line(c), &rings[1 - at], &c->scratch->beyond)) {
            add_convex(c, whole->base, whole->cost, &c->scratch->beyond);
            at = 1 - at;
        }
    }
    c->has_cut = true;
    if (outline->cost < INFINITY) {
        add_convex(c, whole->base, nav_overlay_multiply(whole->cost, outline), &rings[at]);
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
static void cut_patch(cutter *c, const patch *whole)
{
    const uint32_t first = c->made.count;
    ring_begin(&c->scratch->beyond, whole->corners, whole->lines, whole->corner_count);
    add_convex(c, whole->base, (nav_ground_cost){.factor = 1.0f}, &c->scratch->beyond);
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

// One side of a line along an axis, with the outlines that touch it, in the budget's memory.
static patch half_of(cutter *c, const patch *whole, const ring *side)
{
    patch half = {.base = whole->base, .corner_count = side->count};
    double(*corners)[2] = nav_overlay_alloc(c->budget, side->count, sizeof *corners);
    uint32_t *lines = nav_overlay_alloc(c->budget, side->count, sizeof *lines);
    nav_touch *touches = nav_overlay_alloc(c->budget, whole->touch_count, sizeof *touches);
    nav_overlay_spend(c->budget, whole->touch_count);
    if (c->budget->failed) {
        return half;
    }
    memcpy(corners, side->corners, side->count * sizeof *corners);
    memcpy(lines, side->lines, side->count * sizeof *lines);
    nav_convex box = {.corners = corners, .count = side->count};
    nav_convex_measure(&box);
    for (uint32_t i = 0; i < whole->touch_count; ++i) {
        if (boxes_meet(&box, &c->outlines[whole->touches[i].outline])) {
            touches[half.touch_count++] = whole->touches[i];
        }
    }
    half.corners = (const double(*)[2])corners;
    half.lines = lines;
    half.touches = touches;
    return half;
}

// Parts a polygon in the middle of its longer extent. False where the budget has failed, where it
// is so small that nothing lies beyond the middle, or where outlines lie all over each other, so
// that both halves have most of them.
static bool halve(cutter *c, const patch *whole, patch halves[2])
{
    ring *inner = &c->scratch->rings[1], *beyond = &c->scratch->beyond;
    double min[2], max[2];
    ring_begin(&c->scratch->rings[0], whole->corners, whole->lines, whole->corner_count);
    nav_plane_bounds(whole->corners, whole->corner_count, min, max);
    const int axis = max[1] - min[1] > max[0] - min[0];
    const double middle = min[axis] + (max[axis] - min[axis]) / 2.0;
    const double a[2] = {axis == 0 ? middle : 0.0, axis == 0 ? 0.0 : middle};
    const double b[2] = {axis == 0 ? middle : 1.0, axis == 0 ? 1.0 : middle};
    if (!split(&c->scratch->rings[0], a, b, add_line(c), inner, beyond)) {
        return false;
    }
    halves[0] = half_of(c, whole, inner);
    halves[1] = half_of(c, whole, beyond);
    return !c->budget->failed &&
           halves[0].touch_count + halves[1].touch_count <= whole->touch_count * 3 / 2;
}

// A polygon that many outlines touch is parted along the axes first, so that each has few
// and small convex parts to cut.
static void halve_and_cut(cutter *c, const patch *whole, uint32_t depth)
{
    patch halves[2];
    if (whole->touch_count <= PATCH_TOUCHES_MAX || depth == 0 ||
        whole->corner_count > NAV_POLYGON_VERTICES_MAX || c->budget->failed ||
        !halve(c, whole, halves)) {
        cut_patch(c, whole);
        return;
    }
    halve_and_cut(c, &halves[0], depth - 1);
    halve_and_cut(c, &halves[1], depth - 1);
}

// Cuts one polygon by the outlines that touch it. Its convex parts are the last ones.
static void cut_polygon(cutter *c, uint32_t polygon, const nav_touch *touches, uint32_t touch_count)
{
    NAV_ASSERT(c->mesh->records[polygon].corner_count <= NAV_POLYGON_VERTICES_MAX);
    double corners[NAV_POLYGON_VERTICES_MAX][2];
    uint32_t lines[NAV_POLYGON_VERTICES_MAX];
    patch whole = {.base = polygon,
                   .corners = (const double(*)[2])corners,
                   .lines = lines,
                   .touches = touches,
                   .touch_count = touch_count};
    for (uint32_t i = c->mesh->records[polygon].corner_first;
         i < c->mesh->records[polygon + 1].corner_first; ++i) {
        const float *at = c->mesh->vertices[c->mesh->corners[i]];
        corners[whole.corner_count][0] = (double)at[0];
        corners[whole.corner_count][1] = (double)at[2];
        lines[whole.corner_count++] = add_line(c);
    }
    nav_convex convex = {
        .corners = corners, .lines = lines, .count = whole.corner_count, .base = polygon};
    const uint32_t first = c->made.count;
    nav_convex_measure(&convex);
    if (is_too_thin(&convex, nav_plane_area((const double(*)[2])corners, convex.count))) {
        nav_lines_unite(&c->lines, lines, c->budget->failed ? 0 : whole.corner_count);
        c->has_cut =
            nav_ground_cut_thin(c->outlines, touches, touch_count, &convex, c->budget, &c->made);
        for (uint32_t i = first; i < c->made.count; ++i) {
            c->made.convexes[i].number = c->next_number++;
        }
    } else {
        c->has_cut = false;
        halve_and_cut(c, &whole, PATCH_DEPTH_MAX);
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
    cut_scratch scratch; // not cleared
    cutter c = {.mesh = mesh, .outlines = outlines, .budget = budget, .scratch = &scratch};
    nav_polygon_list cut = {0}, borders = {0};
    const nav_touch_list touched = nav_touches_list(mesh, outlines, count, budget);
    for (uint32_t i = 0, end = 0; i < touched.count && !budget->failed; i = end) {
        const uint32_t polygon = touched.touches[i].polygon;
        const uint32_t first = c.made.count, border = c.lines.count;
        while (end < touched.count && touched.touches[end].polygon == polygon) {
            ++end;
        }
        cut_polygon(&c, polygon, touched.touches + i, end - i);
        if (!c.has_cut) {
            c.made.count = first; // nothing that is thick enough
            c.lines.count = border;
            continue;
        }
        nav_polygon_list_add(&cut, polygon, budget);
        nav_polygon_list_add(&borders, border, budget);
    }
    *out = (nav_cut_ground){.convexes = c.made.convexes,
                            .count = c.made.count,
                            .cut = cut,
                            .borders = borders.polygons,
                            .lines = c.lines};
    list_turning_vertices(&c, out);
    return !budget->failed;
}
