// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// shortcut.c: a walk led straight past a bend where that is cheaper. See steiner.h.
//
//      a ____________ c       A walk that is settled bends at corners and at borders of cost. The
//       `-._      _.-'        straight line from the bend before to the one behind may lead over
//     dear  `-.b-'            dearer ground, and portals that the walk does not know. Where the
//                             line costs less it takes the walk's place.

#include "core/query/search/steiner/steiner.h"

#include "core/base/plane.h"
#include "core/query/surface/surface.h"

#include <string.h>

// A way that saves less of the walk's cost is not looked for.
#define GAIN_MIN 5e-4
// Bends that are looked at.
#define ROUNDS_MAX 256u
// How far from a bend towards the straight line a way past it is led; 1: all of it is straight.
#define RATIO_COUNT 3
static const double RATIOS[RATIO_COUNT] = {1.0, 0.3, 0.05};

// A bend: points first to before end of the walk lie in one place. The walk's own ends are bends
// without points.
typedef struct bend {
    uint32_t first, end;
    const float *in, *out;
} bend;

static float cost_behind(const nav_walk *w, uint32_t i)
{
    return i + 1 == w->count ? w->cost_at_end : w->points[i + 1].cost_before;
}

static bool bends(const nav_walk *w, uint32_t i)
{
    const nav_walk_point *p = &w->points[i];
    return p->is_arc || nav_walk_point_end(p) != 0 || p->cost_before != cost_behind(w, i);
}

// The first bend behind point i - 1.
static bend bend_from(const nav_walk *w, uint32_t i)
{
    while (i < w->count && !bends(w, i)) {
        ++i;
    }
    if (i == w->count) {
        return (bend){.first = i, .end = i, .in = w->end, .out = w->end};
    }
    bend out = {.first = i, .end = i + 1, .in = w->points[i].in, .out = w->points[i].out};
    while (out.end < w->count && nav_plane_same(w->points[out.end].in, out.out)) {
        out.out = w->points[out.end++].out;
    }
    return out;
}

static bool has_arc(const nav_walk *w, const bend *b)
{
    for (uint32_t i = b->first; i < b->end; ++i) {
        if (w->points[i].is_arc) {
            return true;
        }
    }
    return false;
}

// Whether there is ground around the corner on the other side of a bend: it is not at a wall.
static bool is_open(const nav_walk *w, const bend *b)
{
    uint32_t fan[NAV_WALK_FAN_MAX];
    return nav_walk_fan(w, nav_view_from(w->view, w->points[b->first].portal),
                        nav_view_to(w->view, w->points[b->end - 1].portal), b->in,
                        -nav_walk_point_end(&w->points[b->first]), fan) > 0;
}

// The walk's cost from bend a to bend c.
static double cost_between(const nav_walk *w, const bend *a, const bend *c)
{
    nav_walk piece = *w;
    piece.points = w->points + a->end;
    piece.count = c->first - a->end;
    memcpy(piece.start, a->out, sizeof piece.start);
    memcpy(piece.end, c->in, sizeof piece.end);
    piece.cost_at_end = c->first < w->count ? w->points[c->first].cost_before : w->cost_at_end;
    return nav_walk_cost(&piece);
}

// ---- other ways past a bend ----

// The polygon in which the walk comes to point i, or to its end.
static uint32_t polygon_at(const nav_steiner *s, const nav_walk *w, uint32_t i)
{
    return i < w->count ? nav_view_from(w->view, w->points[i].portal) : s->target->polygon;
}

// A way from bend a to bend c that is tried: over a place, portal by portal.
typedef struct trial {
    nav_trail trail;
    nav_location at; // so far
    double cost;
    bool walked; // nothing was in the way
} trial;

static trial begin_trial(const nav_steiner *s, const nav_walk *w, const bend *a)
{
    const uint32_t polygon =
        a->end > 0 ? nav_view_to(w->view, w->points[a->end - 1].portal) : s->start->polygon;
    const float y = nav_view_height(w->view, polygon, a->out[0], a->out[1]);
    return (trial){.trail = {.portals = s->work->kept,
                             .crossings = s->work->kept_crossings,
                             .capacity = s->work->portals},
                   .at = {.position = {a->out[0], y, a->out[1]}, .polygon = polygon},
                   .walked = true};
}

// Goes straight on. False when there is no memory, or the question is cancelled.
static bool go_straight(const nav_steiner *s, const float to[2], trial *out)
{
    const float end[3] = {to[0], 0.0f, to[1]};
    nav_ray ray;
    if (!nav_view_raycast(s->view, s->scratch, &out->at, end, &out->trail, &ray)) {
        return false;
    }
    out->walked = out->walked && !ray.hit && !out->trail.broken;
    out->cost += ray.cost;
    out->at.polygon = ray.polygon;
    memcpy(out->at.position, ray.position, sizeof ray.position);
    return true;
}

// The point of bend c at which the walk goes on behind a way, which is led around the bend to the
// polygon there. False as nav_walk_shorten.
static bool find_joint(const nav_steiner *s, const nav_walk *w, const bend *c, trial *from,
                       uint32_t *joint)
{
    *joint = c->first;
    for (uint32_t i = c->first; i <= c->end && i <= w->count; ++i) {
        if (polygon_at(s, w, i) == from->at.polygon) {
            *joint = i;
        }
    }
    return nav_spread_turn(s->view, s->scratch, from->at.polygon, polygon_at(s, w, *joint), c->in,
                           nav_plan_tolerance((double)c->in[0], (double)c->in[1]), &from->trail);
}

static nav_walk_point point_on(const nav_view *view, uint32_t portal, const float at[2])
{
    const nav_portal *over = nav_view_portal(view, portal);
    const double left[2] = {(double)over->left[0], (double)over->left[1]};
    const double right[2] = {(double)over->right[0], (double)over->right[1]};
    const double p[2] = {(double)at[0], (double)at[1]};
    return nav_walk_point_at(view, portal, (float)nav_plane_closest_at(left, right, p),
                             NAV_WALK_REACH);
}

// Puts a way in the place of the points from `first` to before `end`. False: there is no room.
static bool replace(nav_walk *w, uint32_t first, uint32_t end, const nav_trail *trail)
{
    const uint32_t count = w->count - (end - first) + trail->count;
    if (count > w->capacity) {
        return false;
    }
    memmove(w->points + first + trail->count, w->points + end,
            (w->count - end) * sizeof *w->points);
    for (uint32_t i = 0; i < trail->count; ++i) {
        w->points[first + i] = point_on(w->view, trail->portals[i], trail->crossings[i]);
    }
    w->count = count;
    return true;
}

// Leads the walk from bend a to bend c past bend b. *taken: it does now. False as
// nav_walk_shorten.
static bool pass(nav_steiner *s, nav_walk *w, double walk_cost, const bend *a, const bend *b,
                 const bend *c, bool *taken)
{
    const double cost = cost_between(w, a, c) - GAIN_MIN * walk_cost;
    const double from[2] = {(double)a->out[0], (double)a->out[1]};
    const double to[2] = {(double)c->in[0], (double)c->in[1]};
    const double old[2] = {(double)b->in[0], (double)b->in[1]};
    if (!(nav_plane_length(to[0] - from[0], to[1] - from[1]) * (double)w->view->costs->least <
          cost)) {
        return true;
    }
    double straight[2];
    nav_plane_closest_point(from, to, old, straight);
    const int count =
        is_open(w, b) ? RATIO_COUNT : 1; // at a wall a way leads past all of it, or none
    for (int k = 0; k < count && !*taken; ++k) {
        const float over[2] = {(float)nav_plane_mix(old[0], straight[0], RATIOS[k]),
                               (float)nav_plane_mix(old[1], straight[1], RATIOS[k])};
        trial tried = begin_trial(s, w, a);
        uint32_t joint;
        if (!go_straight(s, over, &tried) || (tried.walked && !go_straight(s, c->in, &tried))) {
            return false;
        }
        if (!tried.walked || !(tried.cost < cost)) {
            continue;
        }
        if (!find_joint(s, w, c, &tried, &joint)) {
            return false;
        }
        *taken = !tried.trail.broken && replace(w, a->end, joint, &tried.trail);
    }
    return true;
}

bool nav_walk_shorten(nav_steiner *s, nav_walk *walk)
{
    const double cost = nav_walk_cost(walk);
    bend a = {.in = walk->start, .out = walk->start};
    for (uint32_t rounds = 0; rounds < ROUNDS_MAX && a.end < walk->count; ++rounds) {
        const bend b = bend_from(walk, a.end);
        if (b.first == walk->count) {
            break;
        }
        const bend c = bend_from(walk, b.end);
        bool taken = false;
        if (!has_arc(walk, &b) && nav_walk_point_end(&walk->points[b.first]) != 0 &&
            !pass(s, walk, cost, &a, &b, &c, &taken)) {
            return false;
        }
        if (!taken) {
            a = b;
        }
    }
    return true;
}
