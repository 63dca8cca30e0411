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
#include "core/query/view/view.h"

#include <math.h>
#include <string.h>

#define ROUNDS_MAX 40
// A round that gains less is followed by a smaller step.
#define GAIN_RATIO (1.0f - 1e-5f)
// A point's places are worked out side by side. The last one is the middle once more.
#define LANES 4
#define MIDDLE 1
static const float OFF[LANES] = {-1.0f, 0.0f, 1.0f, 0.0f};

// The places of a point, and what it costs to get there.
typedef struct places {
    float x[LANES], z[LANES], cost[LANES];
} places;

// The places on the portal, as parts of it.
static inline void spread(const nav_walk_point *point, float scale, float t[LANES])
{
    const float step = point->reach * scale;
    for (int k = 0; k < LANES; ++k) {
        t[k] = nav_plane_greater_f(point->t + OFF[k] * step, 0.0f);
    }
    for (int k = 0; k < LANES; ++k) {
        t[k] = nav_plane_lesser_f(t[k], 1.0f);
    }
}

static inline void place(const nav_walk_point *point, float scale, places *out)
{
    float t[LANES];
    spread(point, scale, t);
    for (int k = 0; k < LANES; ++k) {
        out->x[k] = point->left[0] + point->along[0] * t[k];
        out->z[k] = point->left[1] + point->along[1] * t[k];
    }
}

// Holds place i of the point before against the best one before each place.
static inline void join_from(const places *before, int32_t i, float step, places *at,
                             nav_walk_choice *chosen)
{
    for (int k = 0; k < LANES; ++k) {
        const float dx = at->x[k] - before->x[i], dz = at->z[k] - before->z[i];
        const float cost = before->cost[i] + sqrtf(dx * dx + dz * dz) * step;
        const int32_t better = -(int32_t)(cost < at->cost[k]);
        chosen->before[k] = (i & better) | (chosen->before[k] & ~better);
        at->cost[k] = nav_plane_lesser_f(cost, at->cost[k]);
    }
}

// The best place before each place; of equally cheap ones the middle.
static inline void join(const places *before, float step, places *at, nav_walk_choice *out)
{
    places to = *at;
    nav_walk_choice chosen;
    for (int k = 0; k < LANES; ++k) {
        to.cost[k] = INFINITY;
        chosen.before[k] = MIDDLE;
    }
    join_from(before, MIDDLE, step, &to, &chosen);
    join_from(before, 0, step, &to, &chosen);
    join_from(before, 2, step, &to, &chosen);
    *at = to;
    *out = chosen;
}

static inline void stand(const float at[2], places *out)
{
    for (int k = 0; k < LANES; ++k) {
        out->x[k] = at[0];
        out->z[k] = at[1];
    }
}

nav_walk_point nav_walk_point_at(const nav_view *view, uint32_t portal, float t, float reach)
{
    nav_walk_point out = {.portal = portal,
                          .t = t,
                          .reach = reach,
                          .cost_before = nav_polygon_cost(view, nav_view_from(view, portal))};
    if (nav_portal_is_arc(view, portal)) {
        const nav_arc *arc = nav_portal_arc(view, portal);
        out.is_arc = true;
        for (int axis = 0; axis < 2; ++axis) {
            out.left[axis] = out.in[axis] = arc->start[2 * axis];
            out.out[axis] = arc->end[2 * axis];
        }
        return out;
    }
    const nav_portal *over = nav_view_portal(view, portal);
    for (int axis = 0; axis < 2; ++axis) {
        out.left[axis] = over->left[axis];
        out.along[axis] = over->right[axis] - over->left[axis];
    }
    nav_portal_point(over, t, out.in);
    memcpy(out.out, out.in, sizeof out.out);
    return out;
}

// Takes the best choices, from the end on. Returns whether a point has moved.
static bool take_choices(nav_walk *walk, float scale, int32_t chosen)
{
    bool changed = false;
    for (uint32_t i = walk->count; i-- > 0;) {
        nav_walk_point *point = &walk->points[i];
        if (chosen != MIDDLE) {
            float t[LANES];
            spread(point, scale, t);
            changed = changed || t[chosen] != point->t;
            point->t = t[chosen];
        }
        chosen = walk->choices[i].before[chosen];
    }
    return changed;
}

// One round. Returns what the walk then costs, links left out.
static float move_once(nav_walk *walk, float scale, bool *changed)
{
    places before = {.cost = {0}}, at;
    nav_walk_choice last;
    stand(walk->start, &before);
    for (uint32_t i = 0; i < walk->count; ++i) {
        const nav_walk_point *point = &walk->points[i];
        place(point, scale, &at);
        join(&before, point->cost_before, &at, &walk->choices[i]);
        if (point->is_arc) {
            stand(point->out, &at);
        }
        before = at;
    }
    stand(walk->end, &at);
    join(&before, walk->cost_at_end, &at, &last);
    *changed = take_choices(walk, scale, last.before[MIDDLE]);
    return at.cost[MIDDLE];
}

void nav_walk_settle(nav_walk *walk, float scale_last)
{
    float scale = 1.0f, last = INFINITY;
    for (int round = 0; round < ROUNDS_MAX && scale > scale_last; ++round) {
        bool changed;
        const float cost = move_once(walk, scale, &changed);
        scale *= changed && cost < last * GAIN_RATIO ? 1.0f : 0.5f;
        last = cost;
    }
    for (uint32_t i = 0; i < walk->count; ++i) {
        nav_walk_point *point = &walk->points[i];
        if (!point->is_arc) {
            nav_portal_point(nav_view_portal(walk->view, point->portal), point->t, point->in);
            memcpy(point->out, point->in, sizeof point->out);
        }
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
