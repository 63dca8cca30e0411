// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// random.c: points spread evenly over the ground, in plan view.
//
//   seed -> number -> polygon, by area -> triangle of its fan, by area -> position in it
//
// Within a circle the polygons are first cut to the square around it, so that a throw misses the
// circle one time in five at most for a square that is all ground; what misses is thrown again.

#include "core/base/plane.h"
#include "core/query/question/question.h"
#include "core/query/view/scratch.h"

#include <math.h>
#include <string.h>

// A polygon cut by the four sides of a square has at most four corners more.
#define CUT_CORNERS_MAX (NAV_POLYGON_VERTICES_MAX + 4)
#define THROWS_MAX 1000

// ---- numbers: splitmix64 of Vigna 2015, the same on every machine ----

static uint64_t next_number(uint64_t *state)
{
    uint64_t value = *state += 0x9e3779b97f4a7c15u;
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
    return value ^ (value >> 31);
}

// A number from 0 to below 1.
static double next_random(uint64_t *state)
{
    return (double)(next_number(state) >> 11) * 0x1p-53;
}

// ---- shapes ----

typedef struct shape {
    double corners[CUT_CORNERS_MAX][2];
    uint32_t count;
} shape;

typedef struct point_sampler {
    const nav_view *view;
    const float *center; // NULL: everywhere
    double radius;
    uint32_t count; // of polygons in scratch->flood.list, areas summed up in scratch->sums
    const uint32_t *polygons;
    const double *sums;
} point_sampler;

static shape shape_of(const nav_view *view, uint32_t polygon)
{
    const nav_face face = nav_view_face(view, polygon);
    shape s = {.count = face.corner_count};
    NAV_ASSERT(face.corner_count <= NAV_POLYGON_VERTICES_MAX);
    for (uint32_t i = 0; i < s.count; ++i) {
        const float *at = nav_view_vertex_xz(view, face.corners[i]);
        s.corners[i][0] = (double)at[0];
        s.corners[i][1] = (double)at[2];
    }
    return s;
}

// Keeps the part that lies on the side of `limit` that `sign` says along an axis (Sutherland,
// Hodgman 1974).
static void cut(shape *s, int axis, double sign, double limit)
{
    shape kept = {.count = 0};
    for (uint32_t i = 0; i < s->count; ++i) {
        const double *a = s->corners[i], *b = s->corners[(i + 1) % s->count];
        const double in_a = sign * (limit - a[axis]), in_b = sign * (limit - b[axis]);
        if (in_a >= 0.0 && kept.count < CUT_CORNERS_MAX) {
            memcpy(kept.corners[kept.count++], a, sizeof kept.corners[0]);
        }
        if ((in_a < 0.0) != (in_b < 0.0) && kept.count < CUT_CORNERS_MAX) {
            const double t = in_a / (in_a - in_b);
            double *at = kept.corners[kept.count++];
            at[0] = a[0] + (b[0] - a[0]) * t;
            at[1] = a[1] + (b[1] - a[1]) * t;
        }
    }
    *s = kept;
}

static shape shape_within(const point_sampler *p, uint32_t polygon)
{
    shape s = shape_of(p->view, polygon);
    if (p->center != NULL) {
        for (int axis = 0; axis < 2; ++axis) {
            const double middle = (double)p->center[2 * axis];
            cut(&s, axis, 1.0, middle + p->radius);
            cut(&s, axis, -1.0, middle - p->radius);
        }
    }
    return s;
}

static double triangle_area(const shape *s, uint32_t i)
{
    const double *a = s->corners[0], *b = s->corners[i], *c = s->corners[i + 1];
    return fabs(nav_plane_side(a, b, c)) / 2.0;
}

static double shape_area(const shape *s)
{
    double area = 0.0;
    for (uint32_t i = 1; i + 1 < s->count; ++i) {
        area += triangle_area(s, i);
    }
    return area;
}

// A position in a shape, evenly over it.
static void throw_into(const shape *s, uint64_t *state, double out[2])
{
    NAV_ASSERT(s->count >= 3);
    double left = next_random(state) * shape_area(s);
    uint32_t i = 1;
    while (i + 2 < s->count && left >= triangle_area(s, i)) {
        left -= triangle_area(s, i);
        ++i;
    }
    const double root = sqrt(next_random(state)), v = next_random(state);
    for (int axis = 0; axis < 2; ++axis) {
        const double a = s->corners[0][axis], b = s->corners[i][axis], c = s->corners[i + 1][axis];
        out[axis] = a * (1.0 - root) + b * root * (1.0 - v) + c * root * v;
    }
}

// ---- sampling ----

// The first polygon whose sum lies above a number.
static uint32_t find_polygon(const point_sampler *p, double number)
{
    NAV_ASSERT(p->count > 0);
    uint32_t low = 0;
    uint32_t high = p->count - 1;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (p->sums[middle] > number) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    NAV_DCHECK(p->sums[low] > number || low == p->count - 1);
    return low;
}

// Lists a polygon, if it counts, and adds its area to the sum.
static void list_polygon(point_sampler *p, nav_scratch *scratch, const nav_reach *reach,
                         uint32_t polygon)
{
    if (nav_polygon_cost(p->view, polygon) == INFINITY ||
        !nav_is_polygon_within_reach(reach, p->view, polygon)) {
        return;
    }
    const shape s = shape_within(p, polygon);
    const double area = shape_area(&s);
    if (area > 0.0) {
        const double before = p->count > 0 ? scratch->flood.sums[p->count - 1] : 0.0;
        NAV_DCHECK(p->count < scratch->flood.capacity);
        scratch->flood.list[p->count] = polygon;
        scratch->flood.sums[p->count++] = before + area;
    }
}

// Lists the polygons that count and sums up their areas; fragments in place of what they are of, so
// that the order does not depend on what was cut first. False where the question is cancelled.
static bool list_polygons(point_sampler *p, nav_scratch *scratch, const nav_reach *reach)
{
    const nav_overlay *overlay = p->view->overlay;
    for (uint32_t i = 0; i < p->view->mesh->stats.polygons; ++i) {
        const nav_fragment *fragment = overlay != NULL ? nav_overlay_find(overlay, i) : NULL;
        const bool is_cut = fragment != NULL && fragment->cut;
        if (nav_cancel_poll(&scratch->cancel, NAV_STEP_NODE)) {
            return false;
        }
        if (!is_cut) {
            list_polygon(p, scratch, reach, i);
        }
        for (uint32_t k = 0; is_cut && k < fragment->sibling_count; ++k) {
            if (fragment[k].number != NAV_NONE) {
                list_polygon(p, scratch, reach, fragment[k].number);
            }
        }
    }
    p->polygons = scratch->flood.list;
    p->sums = scratch->flood.sums;
    return true;
}

static bool sample(const point_sampler *p, uint64_t *state, nav_location *out)
{
    for (int i = 0; i < THROWS_MAX; ++i) {
        const uint32_t index = find_polygon(p, next_random(state) * p->sums[p->count - 1]);
        const shape s = shape_within(p, p->polygons[index]);
        double at[2];
        NAV_DCHECK(nav_polygon_cost(p->view, p->polygons[index]) < INFINITY);
        throw_into(&s, state, at);
        const double dx = p->center != NULL ? at[0] - (double)p->center[0] : 0.0;
        const double dz = p->center != NULL ? at[1] - (double)p->center[2] : 0.0;
        if (dx * dx + dz * dz <= p->radius * p->radius) {
            const float x = (float)at[0], z = (float)at[1];
            *out = (nav_location){
                .polygon = p->polygons[index],
                .position = {x, nav_view_height(p->view, p->polygons[index], x, z), z}};
            return true;
        }
    }
    return false;
}

nav_status nav_query_random(const nav_mesh *mesh, nav_scratch *scratch, uint64_t seed,
                            const float *center, float radius, const nav_options *options,
                            nav_location *out, uint32_t capacity, uint32_t *count)
{
    nav_view view;
    nav_location location;
    if (!nav_view_begin(mesh, scratch, options, &view) ||
        !nav_scratch_begin_polygons(scratch, nav_view_polygons(&view))) {
        return nav_scratch_failure(scratch);
    }
    nav_reach reach = nav_view_reach(&view);
    point_sampler sampler = {.view = &view, .center = center, .radius = (double)radius};
    if (center != NULL) {
        if (!nav_view_snap(&view, options, center, &location)) {
            *count = 0;
            return NAV_OK;
        }
        if (!nav_reach_flood(&view, scratch, location.polygon, &reach)) {
            return nav_scratch_failure(scratch);
        }
        sampler.center = location.position;
    }
    if (!list_polygons(&sampler, scratch, &reach)) {
        return NAV_CANCELLED;
    }
    *count = 0;
    if (center != NULL && sampler.count == 0) {
        // A circle without any area, such as one of radius 0, holds its center only.
        location.polygon = nav_view_base(&view, location.polygon);
        location.distance = 0.0f;
        while (*count < capacity) {
            out[(*count)++] = location;
        }
    }
    while (sampler.count > 0 && *count < capacity && sample(&sampler, &seed, &out[*count])) {
        out[*count].polygon = nav_view_base(&view, out[*count].polygon);
        ++*count;
        if (nav_cancel_poll(&scratch->cancel, NAV_STEP_POSITION)) {
            return NAV_CANCELLED;
        }
    }
    return NAV_OK;
}
