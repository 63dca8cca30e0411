// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// string.c: from a corridor of portals to the points of a path, its length and its cost.
//
//   start . . . .|. . . . . x - - - - - x . . . .|. . . . end
//      ground    | water    ladder               |
//             crossing     start      end     crossing
//
// A string is pulled from stop to stop. Stops are the two ends of a link and the crossings of edges
// between polygons of different cost, so that all of a piece costs the same and the sum over the
// points is the path's true cost. The best crossing of an edge is not known at first: each
// crossing is moved in turn from where the search has guessed it to the best point between the
// turns before and behind it, as the search has them (refract.h); then the string is pulled.

#include "core/base/plane.h"
#include "core/query/search/refract.h"
#include "core/query/search/search.h"
#include "core/query/search/sides.h"

#include <math.h>
#include <string.h>

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

static bool is_arc(const string *s, const nav_string_stop *stop)
{
    return nav_portal_is_arc(s->view, s->scratch->corridor.portals[stop->at]);
}

static void list_stops(string *s)
{
    const uint32_t *corridor = s->scratch->corridor.portals;
    if (s->view->costs->uniform && nav_view_arcs(s->view) == 0) {
        return;
    }
    // The polygon behind one portal is the one before the next.
    float behind =
        s->count > 0 ? nav_polygon_cost(s->view, nav_view_from(s->view, corridor[0])) : 0.0f;
    for (uint32_t at = 0; at < s->count; ++at) {
        NAV_DCHECK(at == 0 ||
                   nav_view_from(s->view, corridor[at]) == nav_view_to(s->view, corridor[at - 1]));
        const float before = behind;
        behind = nav_polygon_cost(s->view, nav_view_to(s->view, corridor[at]));
        if (before != behind || nav_portal_is_arc(s->view, corridor[at])) {
            s->stops[s->stop_count++] =
                (nav_string_stop){.at = at, .cost_before = before, .cost_behind = behind};
        }
    }
}

void nav_corridor_stand(const nav_view *view, const nav_scratch *scratch, uint32_t index,
                        float out[3])
{
    const uint32_t portal = scratch->corridor.portals[index];
    if (nav_portal_is_arc(view, portal)) {
        memcpy(out, nav_portal_arc(view, portal)->end, 3 * sizeof *out);
        return;
    }
    out[0] = scratch->corridor.crossings[index][0];
    out[2] = scratch->corridor.crossings[index][1];
    out[1] = nav_view_height(view, nav_view_from(view, portal), out[0], out[2]);
}

// ---- crossings ----

float nav_crossing_refracted(const nav_portal *portal, const float a[2], float cost_a,
                             const float b[2], float cost_b)
{
    const nav_refraction r = nav_refraction_of(portal, a, cost_a, b, cost_b);
    const float t = r.flat ? 0.0f : nav_refraction_turn(&r, nav_refraction_straight(&r));
    return r.flat ? 0.0f : nav_refraction_turn(&r, t);
}

// The end of the portals behind a stop that are seen from there.
static uint32_t seen_end(const string *s, uint32_t k)
{
    const nav_scratch *scratch = s->scratch;
    const uint32_t next = k + 1 < s->stop_count ? s->stops[k + 1].at : s->count;
    uint32_t at = s->stops[k].at + 1;
    while (at < next && nav_plane_same(scratch->corridor.crossings[at],
                                       scratch->corridor.crossings[s->stops[k].at])) {
        ++at;
    }
    return at;
}

// The point where the way turns, stops or ends behind a stop, whose portals are seen up to `at`.
static const float *turn_behind(const string *s, uint32_t at, float place[2])
{
    const nav_scratch *scratch = s->scratch;
    const bool arc = at < s->count && nav_portal_is_arc(s->view, scratch->corridor.portals[at]);
    if (at < s->count && !arc) {
        return scratch->corridor.crossings[at];
    }
    const float *to = arc ? nav_portal_arc(s->view, scratch->corridor.portals[at])->start : s->end;
    place[0] = to[0];
    place[1] = to[2];
    return place;
}

// Moves the crossing at a stop to the best point between what is before and behind it.
static void refine_crossing(const string *s, const nav_string_stop *stop, const float before[2],
                            const float behind[2])
{
    nav_scratch *scratch = s->scratch;
    const nav_portal *portal = nav_view_portal(s->view, scratch->corridor.portals[stop->at]);
    NAV_DCHECK(stop->at < s->count);
    const nav_refraction r =
        nav_refraction_of(portal, before, stop->cost_before, behind, stop->cost_behind);
    if (r.flat) {
        return;
    }
    float *crossed = scratch->corridor.crossings[stop->at];
    const float width =
        fabsf(portal->right[0] - portal->left[0]) + fabsf(portal->right[1] - portal->left[1]);
    const float away = fabsf(crossed[0] - portal->left[0]) + fabsf(crossed[1] - portal->left[1]);
    const float t = nav_refraction_turn(&r, away / width);
    nav_portal_point(portal, t, crossed);
}

// Each crossing in turn, between the points where the way turns before and behind it, as the search
// has found them.
static void refine_crossings(const string *s)
{
    float(*crossings)[2] = s->scratch->corridor.crossings;
    const float start[2] = {s->start[0], s->start[2]};
    for (uint32_t k = 0; k < s->stop_count; ++k) {
        const uint32_t at = s->stops[k].at;
        if (!is_arc(s, &s->stops[k])) {
            const uint32_t end = seen_end(s, k);
            float place[2];
            refine_crossing(s, &s->stops[k], at > 0 ? crossings[at - 1] : start,
                            turn_behind(s, end, place));
            for (uint32_t i = at + 1; i < end; ++i) {
                memcpy(crossings[i], crossings[at], sizeof *crossings);
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
        path->cost += nav_plane_distance_xz(a, b) * step_cost;
        path->length += nav_space_distance(a, b);
    }
}

// The beginning of a piece: at a position, with the last point there is, or with a new one.
typedef struct beginning {
    float position[3];
    uint32_t first; // portal behind it
    bool joined;
} beginning;

// The polygon in which a piece begins that has portal number `first` behind it.
static uint32_t polygon_at(const string *s, uint32_t first)
{
    const uint32_t *corridor = s->scratch->corridor.portals;
    return first > 0      ? nav_view_to(s->view, corridor[first - 1])
           : s->count > 0 ? nav_view_from(s->view, corridor[0])
                          : s->end_polygon;
}

// Pulls the piece from its beginning through the portals up to `at`. Lists the cheaper sides that
// it runs along, where it is asked to.
static void pull_stretch(const string *s, const beginning *from, const float to[3], uint32_t at,
                         float step_cost, nav_side_list *sides, nav_path *path)
{
    NAV_ASSERT(from->first <= at);
    NAV_ASSERT(at <= s->count);
    path->point_count -= from->joined;
    float(*points)[3] = s->scratch->corridor.points + path->point_count;
    uint32_t count =
        nav_funnel_pull(s->view, from->position, to, s->scratch->corridor.portals + from->first,
                        at - from->first, points);
    measure(path, (const float(*)[3])points, count, (double)step_cost);
    path->point_count += count;
    if (sides != NULL && count > 1 && step_cost > s->view->costs->least) {
        const nav_side_stretch stretch = {.points = (const float(*)[3])points,
                                          .point_count = count,
                                          .first = from->first,
                                          .end = at,
                                          .polygon = polygon_at(s, from->first),
                                          .cost = step_cost};
        nav_sides_list(sides, &stretch);
    }
}

// A link, from the last point on.
static void add_arc(const string *s, const nav_arc *arc, nav_path *path)
{
    const float ends[2][3] = {{arc->start[0], arc->start[1], arc->start[2]},
                              {arc->end[0], arc->end[1], arc->end[2]}};
    measure(path, ends, 2, 0.0);
    path->cost += (double)nav_arc_cost(s->view, arc);
}

// The first of the last stops that all lie where the path ends, in plan view. The polygons before
// have another height than the end where costs meet there.
static uint32_t find_stops_at_end(const string *s)
{
    uint32_t first = s->stop_count;
    bool is_at_end = true;
    while (first > 0 && is_at_end) {
        float at[3];
        nav_corridor_stand(s->view, s->scratch, s->stops[first - 1].at, at);
        is_at_end = !is_arc(s, &s->stops[first - 1]) && at[0] == s->end[0] && at[2] == s->end[2];
        first -= is_at_end;
    }
    return first;
}

// Pulls all pieces.
static void pull(const string *s, nav_side_list *sides, nav_path *path)
{
    path->points = s->scratch->corridor.points[0];
    path->corridor = &s->scratch->corridor;
    path->point_count = 0;
    path->length = path->cost = 0.0; // of a string that was pulled before
    beginning from = {.position = {s->start[0], s->start[1], s->start[2]}};
    const uint32_t at_end = find_stops_at_end(s);
    for (uint32_t k = 0; k < s->stop_count; ++k) {
        const nav_string_stop *stop = &s->stops[k];
        float to[3];
        nav_corridor_stand(s->view, s->scratch, stop->at, to);
        to[1] = k < at_end ? to[1] : s->end[1];
        const nav_arc *arc = is_arc(s, stop)
                                 ? nav_portal_arc(s->view, s->scratch->corridor.portals[stop->at])
                                 : NULL;
        pull_stretch(s, &from, arc != NULL ? arc->start : to, stop->at, stop->cost_before, sides,
                     path);
        if (arc != NULL) {
            add_arc(s, arc, path);
        }
        memcpy(from.position, to, sizeof from.position);
        from.first = stop->at + 1;
        // A link that leads nowhere else has one point.
        from.joined = arc == NULL || memcmp(s->scratch->corridor.points[path->point_count - 1], to,
                                            sizeof from.position) == 0;
    }
    pull_stretch(s, &from, s->end, s->count, nav_polygon_cost(s->view, s->end_polygon), sides,
                 path);
    path->corridor_count = s->count;
    NAV_ASSERT(path->point_count > 0);
    NAV_ASSERT(path->cost >= 0.0);
}

// An empty list of as many sides as may make the corridor longer, by two portals each: up to as
// many portals as there are.
static nav_side_list begin_sides(const string *s)
{
    const uint32_t portals = nav_view_portals(s->view);
    NAV_ASSERT(s->count <= portals);
    NAV_ASSERT(portals <= s->scratch->portal_capacity);
    return (nav_side_list){.view = s->view,
                           .scratch = s->scratch,
                           .sides = s->scratch->string.sides,
                           .capacity = (portals - s->count) / 2};
}

void nav_string_pull(const nav_view *view, nav_scratch *scratch, const float start[3],
                     const float end[3], uint32_t count, uint32_t end_polygon, bool settled,
                     nav_path *path)
{
    string s = {.view = view,
                .mesh = view->mesh,
                .scratch = scratch,
                .start = start,
                .end = end,
                .count = count,
                .end_polygon = end_polygon,
                .stops = scratch->string.stops};
    NAV_ASSERT(count <= scratch->corridor.capacity);
    list_stops(&s);
    NAV_ASSERT(s.stop_count <= scratch->portal_capacity);
    if (view->costs->uniform) {
        pull(&s, NULL, path);
        return;
    }
    if (s.stop_count > 0 && !settled) {
        refine_crossings(&s);
    }
    nav_side_list sides = begin_sides(&s);
    pull(&s, &sides, path);
    if (sides.count > 0) {
        s.count = nav_sides_take(&sides, count);
        NAV_ASSERT(s.count <= scratch->corridor.capacity);
        s.stop_count = 0;
        list_stops(&s);
        pull(&s, NULL, path);
    }
}
