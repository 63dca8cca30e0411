// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// snap.c: finds where a question's points lie on its view of the mesh: the mesh's own
// positions (nearest.c), without the polygons that shapes have cut, and those of their fragments.

#include "core/base/plane.h"
#include "core/query/points/points.h"

#include <math.h>

// Whether a position lies within the bounds of a face: on the line of one without area, any
// position is on the inner side of all its edges.
static bool is_in_bounds(const nav_view *view, const nav_face *face, float x, float z)
{
    bool low_x = false, high_x = false, low_z = false, high_z = false;
    for (uint32_t i = 0; i < face->corner_count; ++i) {
        const float *at = nav_view_vertex_xz(view, face->corners[i]);
        low_x = low_x || at[0] <= x;
        high_x = high_x || at[0] >= x;
        low_z = low_z || at[2] <= z;
        high_z = high_z || at[2] >= z;
    }
    return low_x && high_x && low_z && high_z;
}

float nav_view_clamp(const nav_view *view, uint32_t polygon, float *x, float *z)
{
    const nav_face face = nav_view_face(view, polygon);
    const float from_x = *x, from_z = *z;
    bool inside = face.corner_count > 0;
    float best2 = INFINITY;
    for (uint32_t i = 0; i < face.corner_count; ++i) {
        const float *a = nav_view_vertex_xz(view, face.corners[i]);
        const float *b = nav_view_vertex_xz(view, face.corners[(i + 1) % face.corner_count]);
        const float t = nav_plane_closest_f(a, b, from_x, from_z);
        const float at_x = a[0] + (b[0] - a[0]) * t, at_z = a[2] + (b[2] - a[2]) * t;
        const float dx = at_x - from_x, dz = at_z - from_z;
        inside = inside && (b[0] - a[0]) * (from_z - a[2]) <= (b[2] - a[2]) * (from_x - a[0]);
        if (dx * dx + dz * dz < best2) {
            best2 = dx * dx + dz * dz;
            *x = at_x;
            *z = at_z;
        }
    }
    if (inside && is_in_bounds(view, &face, from_x, from_z)) {
        *x = from_x;
        *z = from_z;
        return 0.0f;
    }
    return best2;
}

// ---- fragments ----

// A search among fragments. One position a polygon of the mesh is kept, as everywhere.
typedef struct search {
    const nav_view *view;
    const nav_reach *reach;
    const float *point;
    float min[3], max[3]; // positions must lie in here
    // Positions above it come after all others; INFINITY where there is no floor right under the
    // point or at it (nav_query_nearest).
    float high;
} search;

// The position of a fragment; false where it is closed, out of reach or out of bounds.
static bool position_on(const search *s, const nav_fragment *fragment, nav_location *out)
{
    if (nav_polygon_cost(s->view, fragment->number) == INFINITY ||
        !nav_is_polygon_within_reach(s->reach, s->view, fragment->number)) {
        return false;
    }
    *out =
        (nav_location){.polygon = fragment->number, .position = {s->point[0], 0.0f, s->point[2]}};
    float *at = out->position;
    const float plan2 = nav_view_clamp(s->view, fragment->number, &at[0], &at[2]);
    at[1] = nav_view_height(s->view, fragment->number, at[0], at[2]);
    const float rise = at[1] - s->point[1];
    out->distance = sqrtf(plan2 + rise * rise);
    // Written so that NaN fails.
    bool within = true;
    for (int axis = 0; axis < 3; ++axis) {
        within = within && at[axis] >= s->min[axis] && at[axis] <= s->max[axis];
    }
    return within;
}

// The nearest position on the fragments of one polygon.
static bool position_on_fragments(const search *s, uint32_t first, nav_location *out)
{
    const nav_overlay *overlay = s->view->overlay;
    const double tolerance = nav_overlay_tolerance((double)s->point[0], (double)s->point[2]);
    const nav_fragment_range range = nav_overlay_range(
        overlay, first, (double)s->min[0] - tolerance, (double)s->max[0] + tolerance);
    NAV_DCHECK(range.first <= range.end);
    NAV_DCHECK(range.end <= overlay->count.fragments);
    bool found = false;
    for (uint32_t i = range.first; i < range.end; ++i) {
        const nav_fragment *fragment = &overlay->fragments[i];
        nav_location location;
        if (fragment->number == NAV_NONE ||
            (double)fragment->max[1] < (double)s->min[2] - tolerance ||
            (double)fragment->min[1] > (double)s->max[2] + tolerance ||
            !position_on(s, fragment, &location)) {
            continue;
        }
        if (!found || location.distance < out->distance) {
            *out = location;
            found = true;
        }
    }
    return found;
}

// Calls on_position with the position of every polygon that has fragments within the bounds.
static void visit_positions(search *s,
                            void (*on_position)(search *s, const nav_location *, void *user),
                            void *user)
{
    const nav_overlay *overlay = s->view->overlay;
    nav_box_walk walk = {.mesh = s->view->mesh};
    for (int axis = 0; axis < 3; ++axis) {
        walk.min[axis] = (double)s->min[axis];
        walk.max[axis] = (double)s->max[axis];
    }
    for (uint32_t polygon = nav_box_walk_next(&walk); polygon != NAV_NONE;
         polygon = nav_box_walk_next(&walk)) {
        const nav_fragment *fragment = nav_overlay_find(overlay, polygon);
        nav_location location;
        if (fragment != NULL && fragment->cut &&
            position_on_fragments(s, (uint32_t)(fragment - overlay->fragments), &location)) {
            on_position(s, &location, user);
        }
    }
}

static void find_floor(search *s, const nav_location *location, void *user)
{
    const float floor_max = *(const float *)user;
    if (location->position[0] == s->point[0] && location->position[2] == s->point[2] &&
        location->position[1] <= floor_max) {
        s->high = floor_max;
    }
}

typedef struct kept {
    nav_location *out;
    uint32_t count, capacity;
} kept;

static void keep(search *s, const nav_location *location, void *user)
{
    kept *k = user;
    nav_location_keep(location, s->high, k->out, &k->count, k->capacity);
}

// ---- exported ----

nav_reach nav_view_reach(const nav_view *view)
{
    return (nav_reach){.component = NAV_NONE, .ground = view->ground, .overlay = view->overlay};
}

uint32_t nav_view_nearest(const nav_view *view, const nav_options *options, const float point[3],
                          nav_reach reach, nav_location *out, uint32_t capacity)
{
    const nav_snap *snap = &options->snap;
    kept k = {.out = out,
              .count = nav_query_snap(view->mesh, point, *snap, reach, out, capacity),
              .capacity = capacity};
    if (view->overlay == NULL) {
        return k.count;
    }
    search s = {
        .view = view,
        .reach = &reach,
        .point = point,
        .min = {point[0] - snap->horizontal, point[1] - snap->down, point[2] - snap->horizontal},
        .max = {point[0] + snap->horizontal, point[1] + snap->up, point[2] + snap->horizontal},
        .high = INFINITY};
    float floor_max = point[1] + view->mesh->agent_max_climb;
    for (uint32_t i = 0; i < k.count; ++i) {
        find_floor(&s, &out[i], &floor_max);
    }
    visit_positions(&s, find_floor, &floor_max);
    NAV_ASSERT(k.count <= capacity);
    visit_positions(&s, keep, &k);
    return k.count;
}

bool nav_view_closest(const nav_view *view, const float point[3], nav_reach reach,
                      nav_location *out)
{
    kept k = {.out = out, .capacity = 1};
    k.count = nav_query_closest(view->mesh, point, reach, out);
    if (view->overlay != NULL) {
        search s = {.view = view,
                    .reach = &reach,
                    .point = point,
                    .min = {-INFINITY, -INFINITY, -INFINITY},
                    .max = {INFINITY, INFINITY, INFINITY},
                    .high = INFINITY};
        visit_positions(&s, keep, &k);
    }
    return k.count > 0;
}

void nav_view_name(const nav_view *view, nav_location *locations, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) {
        locations[i].polygon = nav_view_base(view, locations[i].polygon);
    }
}

bool nav_view_snap(const nav_view *view, const nav_options *options, const float point[3],
                   nav_location *out)
{
    const nav_reach reach = nav_view_reach(view);
    return view->overlay == NULL
               ? nav_query_snap(view->mesh, point, options->snap, reach, out, 1) > 0
               : nav_view_nearest(view, options, point, reach, out, 1) > 0;
}
