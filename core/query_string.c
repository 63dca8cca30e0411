// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// query_string.c: from a corridor of portals to the points of a path, its length and its cost.
//
//   start . . . .|. . . . . x - - - - - x . . . .|. . . . end
//      ground    | water    ladder               |
//             crossing     start      end     crossing
//
// A string is pulled from stop to stop. Stops are the two ends of a link and the crossings of edges
// between polygons of different cost, so that all of a piece costs the same and the sum over the
// points is the path's true cost. Where an edge is crossed best is not known at first: like a ray
// of light, the line is refracted there. Each crossing is moved in turn to the best place between
// the corners before and after it, some times over.

#include "query.h"

#include <math.h>
#include <string.h>

#define REFINE_SWEEPS 4
// A sweep that moves no crossing by more than this part of its edge is the last.
#define REFINE_MOVE_MIN 4e-3f

typedef struct string {
    const nav_view *view;
    const nav_mesh *mesh; // the view's
    nav_scratch *scratch;
    const float *start, *end;
    uint32_t count; // of portals in the corridor
    uint32_t end_polygon;
} string;

// ---- stops ----

static bool is_crossing(const nav_view *view, uint32_t portal)
{
    return nav_polygon_cost(view, nav_view_from(view, portal)) !=
           nav_polygon_cost(view, nav_view_to(view, portal));
}

// The first stop of the corridor from this place on, or its end.
static uint32_t find_stop(const string *s, uint32_t at)
{
    const uint32_t *corridor = s->scratch->corridor;
    if (s->view->costs->uniform && s->mesh->way_count == 0) {
        return s->count;
    }
    while (at < s->count && !nav_portal_is_way(s->mesh, corridor[at]) &&
           !is_crossing(s->view, corridor[at])) {
        ++at;
    }
    return at;
}

void nav_corridor_place(const nav_view *view, const nav_scratch *scratch, uint32_t index,
                        float out[3])
{
    const uint32_t portal = scratch->corridor[index];
    if (nav_portal_is_way(view->mesh, portal)) {
        memcpy(out, nav_portal_way(view->mesh, portal)->end, 3 * sizeof *out);
        return;
    }
    const float *place = scratch->places[index];
    const float *left = nav_view_vertex(view, nav_view_portal(view, portal)->left_vertex);
    const float *right = nav_view_vertex(view, nav_view_portal(view, portal)->right_vertex);
    float width = sqrtf((left[0] - right[0]) * (left[0] - right[0]) +
                        (left[2] - right[2]) * (left[2] - right[2]));
    float along = sqrtf((left[0] - place[0]) * (left[0] - place[0]) +
                        (left[2] - place[1]) * (left[2] - place[1]));
    float t = width > 0.0f ? along / width : 0.0f;
    out[0] = place[0];
    out[1] = left[1] + (right[1] - left[1]) * t;
    out[2] = place[1];
}

void nav_corridor_stand(const nav_view *view, const nav_scratch *scratch, uint32_t index,
                        float out[3])
{
    const uint32_t portal = scratch->corridor[index];
    nav_corridor_place(view, scratch, index, out);
    if (!nav_portal_is_way(view->mesh, portal)) {
        out[1] = nav_view_height(view, nav_view_from(view, portal), out[0], out[2]);
    }
}

// Where the piece before a stop ends.
static void stop_position(const string *s, uint32_t stop, float out[3])
{
    if (stop == s->count) {
        memcpy(out, s->end, 3 * sizeof *out);
    } else if (nav_portal_is_way(s->mesh, s->scratch->corridor[stop])) {
        memcpy(out, nav_portal_way(s->mesh, s->scratch->corridor[stop])->start, 3 * sizeof *out);
    } else {
        nav_corridor_place(s->view, s->scratch, stop, out);
    }
}

// What a step costs in the piece before a stop.
static float piece_cost(const string *s, uint32_t stop)
{
    uint32_t polygon =
        stop < s->count ? nav_view_from(s->view, s->scratch->corridor[stop]) : s->end_polygon;
    return nav_polygon_cost(s->view, polygon);
}

// ---- crossings ----

static inline float clamp_to_edge(float t)
{
    return t > 0.0f ? t < 1.0f ? t : 1.0f : 0.0f;
}

// From where the way is straight, the angle on the dear side is set right for that on the other
// (Snell's law), twice: what is left of the error is small next to that of the search, and gone
// after some sweeps. In units of the edge's width, along it and off it.
float nav_place_refracted(const nav_portal *portal, const float a[2], float cost_a,
                          const float b[2], float cost_b)
{
    const float dx = portal->right[0] - portal->left[0], dz = portal->right[1] - portal->left[1];
    const float width2 = dx * dx + dz * dz;
    if (!(width2 > 0.0f)) {
        return 0.0f;
    }
    const bool swapped = cost_a < cost_b;
    const float *dear = swapped ? b : a, *cheap = swapped ? a : b;
    const float ratio = swapped ? cost_a / cost_b : cost_b / cost_a;
    const float unit = 1.0f / width2;
    const float dear_x = dear[0] - portal->left[0], dear_z = dear[1] - portal->left[1];
    const float cheap_x = cheap[0] - portal->left[0], cheap_z = cheap[1] - portal->left[1];
    const float dear_t = (dear_x * dx + dear_z * dz) * unit;
    const float dear_off = fabsf(dear_x * dz - dear_z * dx) * unit;
    const float cheap_t = (cheap_x * dx + cheap_z * dz) * unit;
    const float cheap_off = fabsf(cheap_x * dz - cheap_z * dx) * unit;
    const float off = dear_off + cheap_off;
    float t = off > 0.0f ? (dear_t * cheap_off + cheap_t * dear_off) / off : dear_t;
    for (int i = 0; i < 2; ++i) {
        const float along = cheap_t - clamp_to_edge(t);
        const float distance2 = along * along + cheap_off * cheap_off;
        const float sine = distance2 > 0.0f ? along / sqrtf(distance2) * ratio : 0.0f;
        t = dear_t + dear_off * sine / sqrtf(1.0f - sine * sine + 1e-12f);
    }
    return clamp_to_edge(t);
}

// Moves the crossing at `stop`, between a piece from `from` through the portals from `first` on and
// the piece behind it. Returns by which part of the edge.
static float refine_crossing(const string *s, const float from[3], uint32_t first, uint32_t stop)
{
    nav_scratch *scratch = s->scratch;
    const nav_portal *portal = nav_view_portal(s->view, scratch->corridor[stop]);
    const uint32_t next = find_stop(s, stop + 1);
    float here[3];
    float to[3];
    stop_position(s, stop, here);
    stop_position(s, next, to);
    // The corners next to the crossing; points serves as room for the pieces.
    uint32_t count = nav_funnel_pull(s->view, from, here, scratch->corridor + first, stop - first,
                                     scratch->points);
    const float *corner = count > 1 ? scratch->points[count - 2] : from;
    const float before[2] = {corner[0], corner[2]};
    count = nav_funnel_pull(s->view, here, to, scratch->corridor + stop + 1, next - stop - 1,
                            scratch->points);
    corner = count > 1 ? scratch->points[1] : to;
    const float after[2] = {corner[0], corner[2]};
    const float t =
        nav_place_refracted(portal, before, piece_cost(s, stop), after, piece_cost(s, next));
    const float dx = portal->right[0] - portal->left[0], dz = portal->right[1] - portal->left[1];
    const float place[2] = {t < 1.0f ? portal->left[0] + dx * t : portal->right[0],
                            t < 1.0f ? portal->left[1] + dz * t : portal->right[1]};
    float *crossed = scratch->places[stop];
    const float width = fabsf(dx) + fabsf(dz);
    const float moved = fabsf(crossed[0] - place[0]) + fabsf(crossed[1] - place[1]);
    crossed[0] = place[0];
    crossed[1] = place[1];
    return width > 0.0f ? moved / width : 0.0f;
}

static void refine_crossings(const string *s)
{
    float moved = s->view->costs->uniform ? 0.0f : 1.0f;
    for (int sweep = 0; sweep < REFINE_SWEEPS && moved > REFINE_MOVE_MIN; ++sweep) {
        float from[3];
        memcpy(from, s->start, sizeof from);
        moved = 0.0f;
        uint32_t first = 0;
        for (uint32_t stop = find_stop(s, 0); stop < s->count; stop = find_stop(s, stop + 1)) {
            if (!nav_portal_is_way(s->mesh, s->scratch->corridor[stop])) {
                float part = refine_crossing(s, from, first, stop);
                moved = part > moved ? part : moved;
            }
            nav_corridor_place(s->view, s->scratch, stop, from);
            first = stop + 1;
        }
    }
}

// ---- the string ----

// Adds the last `count` points of the path to its length, and at what a step costs to its cost.
static void measure(nav_path *path, const float (*points)[3], uint32_t count, double step_cost)
{
    for (uint32_t i = 1; i < count; ++i) {
        const float *a = points[i - 1];
        const float *b = points[i];
        double dx = (double)b[0] - (double)a[0];
        double dy = (double)b[1] - (double)a[1];
        double dz = (double)b[2] - (double)a[2];
        path->cost += sqrt(dx * dx + dz * dz) * step_cost;
        path->length += sqrt(dx * dx + dy * dy + dz * dz);
    }
}

// Pulls the piece that begins at `at` and ends at a stop, which then is `at`. It begins in the last
// point there is, or in a new one.
static void pull_piece(const string *s, float at[3], uint32_t first, uint32_t stop, bool joined,
                       nav_path *path)
{
    const float from[3] = {at[0], at[1], at[2]};
    float to[3];
    stop_position(s, stop, to);
    if (stop < s->count && !nav_portal_is_way(s->mesh, s->scratch->corridor[stop])) {
        nav_corridor_stand(s->view, s->scratch, stop, to);
    }
    path->point_count -= joined;
    float(*points)[3] = s->scratch->points + path->point_count;
    uint32_t count =
        nav_funnel_pull(s->view, from, to, s->scratch->corridor + first, stop - first, points);
    measure(path, (const float(*)[3])points, count, (double)piece_cost(s, stop));
    path->point_count += count;
    memcpy(at, to, sizeof to);
}

void nav_string_pull(const nav_view *view, nav_scratch *scratch, const float start[3],
                     const float end[3], uint32_t count, uint32_t end_polygon, nav_path *path)
{
    const nav_mesh *mesh = view->mesh;
    const string s = {.view = view,
                      .mesh = mesh,
                      .scratch = scratch,
                      .start = start,
                      .end = end,
                      .count = count,
                      .end_polygon = end_polygon};
    refine_crossings(&s);
    path->points = scratch->points[0];
    path->point_count = 0;
    uint32_t stop = find_stop(&s, 0);
    float at[3] = {start[0], start[1], start[2]};
    pull_piece(&s, at, 0, stop, false, path);
    while (stop < count) {
        const uint32_t portal = scratch->corridor[stop];
        const bool way = nav_portal_is_way(mesh, portal);
        if (way) {
            const nav_way *w = nav_portal_way(mesh, portal);
            const float ends[2][3] = {{w->start[0], w->start[1], w->start[2]},
                                      {w->end[0], w->end[1], w->end[2]}};
            measure(path, ends, 2, 0.0);
            path->cost += (double)nav_way_cost(view, w);
            memcpy(at, w->end, sizeof at);
        }
        uint32_t first = stop + 1;
        stop = find_stop(&s, first);
        pull_piece(&s, at, first, stop, !way, path);
    }
}
