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

#define REFRACTION_STEPS 24
#define REFINE_SWEEPS 8
// A sweep that moves no crossing by more than this part of its edge is the last.
#define REFINE_MOVE_MIN 1e-3f

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
    const nav_portal *crossed = &view->mesh->portals[portal];
    return nav_polygon_cost(view, crossed->from) != nav_polygon_cost(view, crossed->to);
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

void nav_node_position(const nav_mesh *mesh, const nav_scratch *scratch, uint32_t portal,
                       float out[3])
{
    if (nav_portal_is_way(mesh, portal)) {
        memcpy(out, nav_portal_way(mesh, portal)->end, 3 * sizeof *out);
        return;
    }
    const nav_search_node *node = &scratch->nodes[portal];
    const float *left = mesh->vertices[mesh->portals[portal].left_vertex];
    const float *right = mesh->vertices[mesh->portals[portal].right_vertex];
    float width = sqrtf((left[0] - right[0]) * (left[0] - right[0]) +
                        (left[2] - right[2]) * (left[2] - right[2]));
    float along = sqrtf((left[0] - node->x) * (left[0] - node->x) +
                        (left[2] - node->z) * (left[2] - node->z));
    float t = width > 0.0f ? along / width : 0.0f;
    out[0] = node->x;
    out[1] = left[1] + (right[1] - left[1]) * t;
    out[2] = node->z;
}

// Where the piece before a stop ends.
static void stop_position(const string *s, uint32_t stop, float out[3])
{
    if (stop == s->count) {
        memcpy(out, s->end, 3 * sizeof *out);
    } else if (nav_portal_is_way(s->mesh, s->scratch->corridor[stop])) {
        memcpy(out, nav_portal_way(s->mesh, s->scratch->corridor[stop])->start, 3 * sizeof *out);
    } else {
        nav_node_position(s->mesh, s->scratch, s->scratch->corridor[stop], out);
    }
}

// What a step costs in the piece before a stop.
static float piece_cost(const string *s, uint32_t stop)
{
    uint32_t polygon =
        stop < s->count ? s->mesh->portals[s->scratch->corridor[stop]].from : s->end_polygon;
    return nav_polygon_cost(s->view, polygon);
}

// ---- crossings ----

// How the cost changes where the place is moved by `along`, seen from a place at `off` the line.
static float slope(float along, float off2)
{
    float distance = sqrtf(along * along + off2);
    return distance > 0.0f ? along / distance : 0.0f;
}

// The cost is convex in the place, so its slope has one zero (Snell's law), which is bisected.
void nav_place_refracted(const nav_portal *portal, const float a[2], float cost_a, const float b[2],
                         float cost_b, float out[2])
{
    float dx = portal->right[0] - portal->left[0], dz = portal->right[1] - portal->left[1];
    float width = sqrtf(dx * dx + dz * dz);
    float low = 0.0f;
    float high = width;
    if (width > 0.0f) {
        dx /= width;
        dz /= width;
        float a_x = a[0] - portal->left[0], a_z = a[1] - portal->left[1];
        float b_x = b[0] - portal->left[0], b_z = b[1] - portal->left[1];
        float along_a = a_x * dx + a_z * dz, off_a = a_x * dz - a_z * dx;
        float along_b = b_x * dx + b_z * dz, off_b = b_x * dz - b_z * dx;
        for (int i = 0; i < REFRACTION_STEPS; ++i) {
            float middle = (low + high) * 0.5f;
            float rise = cost_a * slope(middle - along_a, off_a * off_a) +
                         cost_b * slope(middle - along_b, off_b * off_b);
            low = rise < 0.0f ? middle : low;
            high = rise < 0.0f ? high : middle;
        }
    }
    // Bisection only comes near an end of the edge; corners are to be met exactly.
    float tolerance = width * 1e-6f;
    if (low <= tolerance) {
        memcpy(out, portal->left, sizeof portal->left);
    } else if (high >= width - tolerance) {
        memcpy(out, portal->right, sizeof portal->right);
    } else {
        out[0] = portal->left[0] + dx * high;
        out[1] = portal->left[1] + dz * high;
    }
}

// Moves the crossing at `stop`, between a piece from `from` through the portals from `first` on and
// the piece behind it. Returns by which part of the edge.
static float refine_crossing(const string *s, const float from[3], uint32_t first, uint32_t stop)
{
    nav_scratch *scratch = s->scratch;
    const nav_portal *portal = &s->mesh->portals[scratch->corridor[stop]];
    const uint32_t next = find_stop(s, stop + 1);
    float here[3];
    float to[3];
    stop_position(s, stop, here);
    stop_position(s, next, to);
    // The corners next to the crossing; points serves as room for the pieces.
    uint32_t count = nav_funnel_pull(s->mesh, from, here, scratch->corridor + first, stop - first,
                                     scratch->points);
    const float *corner = count > 1 ? scratch->points[count - 2] : from;
    const float before[2] = {corner[0], corner[2]};
    count = nav_funnel_pull(s->mesh, here, to, scratch->corridor + stop + 1, next - stop - 1,
                            scratch->points);
    corner = count > 1 ? scratch->points[1] : to;
    const float after[2] = {corner[0], corner[2]};
    float place[2];
    nav_place_refracted(portal, before, piece_cost(s, stop), after, piece_cost(s, next), place);
    nav_search_node *node = &scratch->nodes[scratch->corridor[stop]];
    float width =
        fabsf(portal->left[0] - portal->right[0]) + fabsf(portal->left[1] - portal->right[1]);
    float moved = fabsf(node->x - place[0]) + fabsf(node->z - place[1]);
    node->x = place[0];
    node->z = place[1];
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
            nav_node_position(s->mesh, s->scratch, s->scratch->corridor[stop], from);
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

// Pulls the piece that ends at a stop. It begins in the last point there is, or in a new one.
static void pull_piece(const string *s, const float from[3], uint32_t first, uint32_t stop,
                       bool joined, nav_path *path)
{
    float to[3];
    stop_position(s, stop, to);
    path->point_count -= joined;
    float(*points)[3] = s->scratch->points + path->point_count;
    uint32_t count =
        nav_funnel_pull(s->mesh, from, to, s->scratch->corridor + first, stop - first, points);
    measure(path, (const float(*)[3])points, count, (double)piece_cost(s, stop));
    path->point_count += count;
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
    pull_piece(&s, start, 0, stop, false, path);
    while (stop < count) {
        const uint32_t portal = scratch->corridor[stop];
        const bool way = nav_portal_is_way(mesh, portal);
        float from[3];
        nav_node_position(mesh, scratch, portal, from);
        if (way) {
            const nav_way *w = nav_portal_way(mesh, portal);
            const float ends[2][3] = {{w->start[0], w->start[1], w->start[2]},
                                      {w->end[0], w->end[1], w->end[2]}};
            measure(path, ends, 2, 0.0);
            path->cost += (double)nav_way_cost(view, w);
        }
        uint32_t first = stop + 1;
        stop = find_stop(&s, first);
        pull_piece(&s, from, first, stop, !way, path);
    }
}
