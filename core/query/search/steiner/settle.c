// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// settle.c: the cheapest walk through a row of portals over ground of several costs. See steiner.h.
//
//       |    o    |         Each point may stay, or move to either side by the same part of its
//       |   /o\   |         portal. Which of the three is best for all of them together is found by
//     o-|--' o `--|-o       going once along the walk (dynamic programming), so that points in one
//       |    |    |         place leave it together, which one by one they would not. If all stay,
//                           the part is halved.

#include "core/query/search/steiner/steiner.h"

#include "core/base/plane.h"
#include "core/query/search/refract.h"

#include <math.h>
#include <string.h>

#define ROUNDS_MAX 40
// A round that gains less is followed by a smaller step.
#define GAIN_PART (1.0f - 1e-5f)

// The three places of a point, and what it costs to get there.
typedef struct places {
    float in[3][2], out[3][2], t[3], cost[3];
} places;

static void place(const nav_view *view, const nav_walk_point *point, float part, places *out)
{
    if (nav_portal_is_arc(view, point->portal)) {
        for (int k = 0; k < 3; ++k) {
            memcpy(out->in[k], point->in, sizeof out->in[k]);
            memcpy(out->out[k], point->out, sizeof out->out[k]);
            out->t[k] = point->t;
        }
        return;
    }
    const nav_portal *portal = nav_view_portal(view, point->portal);
    for (int k = 0; k < 3; ++k) {
        out->t[k] = nav_plane_clamp_f(point->t + (float)(k - 1) * part * point->reach, 0.0f, 1.0f);
        nav_portal_point(portal, out->t[k], out->in[k]);
        memcpy(out->out[k], out->in[k], sizeof out->out[k]);
    }
}

// The best of three places before each of three places. Of equal ones that in the middle.
static inline void join(const places *before, float step, places *at, uint8_t choice[3])
{
    for (int k = 0; k < 3; ++k) {
        const float x = at->in[k][0], z = at->in[k][1];
        float least = before->cost[1] +
                      nav_plane_distance_f(before->out[1][0], before->out[1][1], x, z) * step;
        choice[k] = 1;
        for (int i = 0; i < 3; i += 2) {
            const float cost =
                before->cost[i] +
                nav_plane_distance_f(before->out[i][0], before->out[i][1], x, z) * step;
            choice[k] = cost < least ? (uint8_t)i : choice[k];
            least = cost < least ? cost : least;
        }
        at->cost[k] = least;
    }
}

static places fixed(const float at[2])
{
    places out = {.cost = {0}};
    for (int k = 0; k < 3; ++k) {
        memcpy(out.in[k], at, sizeof out.in[k]);
        memcpy(out.out[k], at, sizeof out.out[k]);
        out.cost[k] = 0.0f;
        out.t[k] = 0.0f;
    }
    return out;
}

nav_walk_point nav_walk_point_at(const nav_view *view, uint32_t portal, float t, float reach)
{
    nav_walk_point out = {.portal = portal,
                          .t = t,
                          .reach = reach,
                          .cost_before = nav_polygon_cost(view, nav_view_from(view, portal))};
    if (nav_portal_is_arc(view, portal)) {
        const nav_arc *arc = nav_portal_arc(view, portal);
        for (int axis = 0; axis < 2; ++axis) {
            out.in[axis] = arc->start[2 * axis];
            out.out[axis] = arc->end[2 * axis];
        }
    } else {
        nav_portal_point(nav_view_portal(view, portal), t, out.in);
        memcpy(out.out, out.in, sizeof out.out);
    }
    return out;
}

// Takes the best choices, from the end on. Returns whether a point has moved.
static bool take_choices(nav_walk *walk, float part, uint8_t chosen)
{
    bool moved = false;
    for (uint32_t i = walk->count; i-- > 0;) {
        nav_walk_point *point = &walk->points[i];
        if (chosen != 1) {
            places at;
            place(walk->view, point, part, &at);
            moved = moved || at.t[chosen] != point->t;
            point->t = at.t[chosen];
            memcpy(point->in, at.in[chosen], sizeof point->in);
            memcpy(point->out, at.out[chosen], sizeof point->out);
        }
        chosen = walk->choices[i][chosen];
    }
    return moved;
}

void nav_walk_settle(nav_walk *walk, float part_last)
{
    float part = 1.0f, last = INFINITY;
    for (int round = 0; round < ROUNDS_MAX && part > part_last; ++round) {
        places before = fixed(walk->start);
        for (uint32_t i = 0; i < walk->count; ++i) {
            places at;
            place(walk->view, &walk->points[i], part, &at);
            join(&before, walk->points[i].cost_before, &at, walk->choices[i]);
            before = at;
        }
        places goal = fixed(walk->end);
        uint8_t choice[3];
        join(&before, walk->cost_at_end, &goal, choice);
        const bool moved = take_choices(walk, part, choice[1]);
        const bool gained = goal.cost[1] < last * GAIN_PART;
        last = goal.cost[1];
        part *= moved && gained ? 1.0f : 0.5f;
    }
}

double nav_walk_cost(const nav_walk *walk)
{
    double sum = 0.0;
    const float *from = walk->start;
    for (uint32_t i = 0; i < walk->count; ++i) {
        const nav_walk_point *point = &walk->points[i];
        sum += (double)(nav_plane_distance_f(from[0], from[1], point->in[0], point->in[1]) *
                        point->cost_before);
        from = point->out;
    }
    return sum + (double)(nav_plane_distance_f(from[0], from[1], walk->end[0], walk->end[1]) *
                          walk->cost_at_end);
}
