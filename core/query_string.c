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
// points is the path's true cost. Where an edge is crossed best is not known at first: the string
// is pulled through the places that the search has guessed, then each crossing moved in turn to the
// best place between the corners before and after it (query_refract.h), then the string pulled
// anew.

#include "query_refract.h"
#include "query.h"

#include <math.h>
#include <string.h>

#define REFINE_SWEEPS 2
// A sweep that moves no crossing by more than this part of its edge is the last.
#define REFINE_MOVE_MIN 0.2f

typedef struct string {
    const nav_view *view;
    const nav_mesh *mesh; // the view's
    nav_scratch *scratch;
    const float *start, *end;
    uint32_t count; // of portals in the corridor
    uint32_t end_polygon;
    nav_string_stop *stops;
    uint32_t stop_count;
} string;

// ---- stops ----

static bool is_way(const string *s, const nav_string_stop *stop)
{
    return nav_portal_is_way(s->mesh, s->scratch->corridor[stop->at]);
}

static void list_stops(string *s)
{
    const uint32_t *corridor = s->scratch->corridor;
    if (s->view->costs->uniform && s->mesh->way_count == 0) {
        return;
    }
    for (uint32_t at = 0; at < s->count; ++at) {
        const float before = nav_polygon_cost(s->view, nav_view_from(s->view, corridor[at]));
        const float behind = nav_polygon_cost(s->view, nav_view_to(s->view, corridor[at]));
        if (before != behind || nav_portal_is_way(s->mesh, corridor[at])) {
            s->stops[s->stop_count++] =
                (nav_string_stop){.at = at, .cost_before = before, .cost_behind = behind};
        }
    }
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

// ---- crossings ----

float nav_place_refracted(const nav_portal *portal, const float a[2], float cost_a,
                          const float b[2], float cost_b)
{
    const nav_refraction r = nav_refraction_of(portal, a, cost_a, b, cost_b);
    const float t = r.flat ? 0.0f : nav_refraction_turn(&r, nav_refraction_straight(&r));
    return r.flat ? 0.0f : nav_refraction_turn(&r, t);
}

// Pulls the string in plan view, with the crossings where they are, and notes which of its points
// the stops are.
static void find_corners(const string *s)
{
    nav_scratch *scratch = s->scratch;
    float from[3] = {s->start[0], 0.0f, s->start[2]};
    uint32_t first = 0, count = 0;
    for (uint32_t k = 0; k <= s->stop_count; ++k) {
        nav_string_stop *stop = &s->stops[k];
        const uint32_t at = k < s->stop_count ? stop->at : s->count;
        const bool way = k < s->stop_count && is_way(s, stop);
        const float *place = scratch->places[at];
        const nav_way *over = way ? nav_portal_way(s->mesh, scratch->corridor[at]) : NULL;
        float to[3] = {s->end[0], 0.0f, s->end[2]};
        if (k < s->stop_count) {
            to[0] = way ? over->start[0] : place[0];
            to[2] = way ? over->start[2] : place[1];
        }
        count += nav_funnel_pull(s->view, from, to, scratch->corridor + first, at - first,
                                 scratch->points + count);
        if (k < s->stop_count) {
            stop->point = count - 1;
            memcpy(from, way ? over->end : to, sizeof from);
            count -= !way; // the next piece begins in the same point
            first = at + 1;
        }
    }
    s->stops[s->stop_count].point = count - 1; // the end
}

// Where the string stands before a stop's point (step -1) or behind it (step 1): a corner, or the
// stop next to it. The point of a link is where it begins; the next point is where it ends.
static const float *beside(const string *s, uint32_t k, int step, float room[2])
{
    const nav_string_stop *stop = &s->stops[k];
    const bool first = step < 0 && k == 0, last = step > 0 && k + 1 == s->stop_count;
    const nav_string_stop *next = first ? NULL : stop + step;
    const uint32_t limit = first ? 0 : next->point + (step < 0 && is_way(s, next));
    const uint32_t point = stop->point == limit ? limit : stop->point + (uint32_t)step;
    if (!first && !last && point == limit && !is_way(s, next)) {
        return s->scratch->places[next->at]; // which may have been moved since
    }
    room[0] = s->scratch->points[point][0];
    room[1] = s->scratch->points[point][2];
    return room;
}

// Moves the crossing at a stop to the best place between what is before and behind it. Returns by
// which part of the edge.
static float refine_crossing(const string *s, uint32_t k)
{
    nav_scratch *scratch = s->scratch;
    const nav_string_stop *stop = &s->stops[k];
    const nav_portal *portal = nav_view_portal(s->view, scratch->corridor[stop->at]);
    float room[2][2];
    const float *before = beside(s, k, -1, room[0]), *after = beside(s, k, 1, room[1]);
    const nav_refraction r =
        nav_refraction_of(portal, before, stop->cost_before, after, stop->cost_behind);
    if (r.flat) {
        return 0.0f;
    }
    float *crossed = scratch->places[stop->at];
    const float dx = portal->right[0] - portal->left[0], dz = portal->right[1] - portal->left[1];
    const float width = fabsf(dx) + fabsf(dz);
    const float away = fabsf(crossed[0] - portal->left[0]) + fabsf(crossed[1] - portal->left[1]);
    const float t = nav_refraction_turn(&r, away / width);
    const float place[2] = {t < 1.0f ? portal->left[0] + dx * t : portal->right[0],
                            t < 1.0f ? portal->left[1] + dz * t : portal->right[1]};
    const float moved = fabsf(crossed[0] - place[0]) + fabsf(crossed[1] - place[1]);
    crossed[0] = place[0];
    crossed[1] = place[1];
    return moved / width;
}

static void refine_crossings(const string *s)
{
    float moved = 1.0f;
    find_corners(s);
    for (int sweep = 0; sweep < REFINE_SWEEPS && moved > REFINE_MOVE_MIN; ++sweep) {
        moved = 0.0f;
        for (uint32_t k = 0; k < s->stop_count; ++k) {
            if (!is_way(s, &s->stops[k])) {
                const float part = refine_crossing(s, k);
                moved = part > moved ? part : moved;
            }
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

// Pulls the piece through the portals from `first` up to `at`. It begins in the last point there
// is, or in a new one.
static void pull_piece(const string *s, const float from[3], const float to[3], uint32_t first,
                       uint32_t at, float step_cost, bool joined, nav_path *path)
{
    path->point_count -= joined;
    float(*points)[3] = s->scratch->points + path->point_count;
    uint32_t count =
        nav_funnel_pull(s->view, from, to, s->scratch->corridor + first, at - first, points);
    measure(path, (const float(*)[3])points, count, (double)step_cost);
    path->point_count += count;
}

void nav_string_pull(const nav_view *view, nav_scratch *scratch, const float start[3],
                     const float end[3], uint32_t count, uint32_t end_polygon, nav_path *path)
{
    string s = {.view = view,
                .mesh = view->mesh,
                .scratch = scratch,
                .start = start,
                .end = end,
                .count = count,
                .end_polygon = end_polygon,
                .stops = (nav_string_stop *)(void *)scratch->heap};
    list_stops(&s);
    if (!view->costs->uniform && s.stop_count > 0) {
        refine_crossings(&s);
    }
    path->points = scratch->points[0];
    path->point_count = 0;
    path->length = path->cost = 0.0; // of a string that was pulled before
    float from[3];
    memcpy(from, start, sizeof from);
    uint32_t first = 0;
    bool joined = false;
    for (uint32_t k = 0; k < s.stop_count; ++k) {
        const nav_string_stop *stop = &s.stops[k];
        float to[3];
        nav_corridor_stand(view, scratch, stop->at, to);
        const nav_way *way =
            is_way(&s, stop) ? nav_portal_way(s.mesh, scratch->corridor[stop->at]) : NULL;
        pull_piece(&s, from, way != NULL ? way->start : to, first, stop->at, stop->cost_before,
                   joined, path);
        if (way != NULL) {
            const float ends[2][3] = {{way->start[0], way->start[1], way->start[2]},
                                      {way->end[0], way->end[1], way->end[2]}};
            measure(path, ends, 2, 0.0);
            path->cost += (double)nav_way_cost(view, way);
        }
        memcpy(from, to, sizeof from);
        first = stop->at + 1;
        joined = way == NULL;
    }
    pull_piece(&s, from, end, first, count, nav_polygon_cost(view, end_polygon), joined, path);
}
