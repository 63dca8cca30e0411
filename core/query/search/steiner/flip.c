// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// flip.c: a walk that meets a corner led around it on the other side. See steiner.h.
//
//       \   |   /          A walk that is settled meets the corner v where it would leave its
//     A  \  |  /  B        portals there. Led through the portals on the other side of v instead it
//    -----\ | /-----       costs the same at first; if it settles at less, it stays there. Around a
//    walk --(v)-- walk     corner of a wall nothing leads.
//    -----/ | \-----
//        other side

#include "core/query/search/steiner/steiner.h"

#include "core/base/plane.h"
#include "core/query/view/view.h"

#include <string.h>

// Points before and behind a corner that settle anew with it.
#define WINDOW 3u
#define GAIN_MIN 1e-5
#define PASSES_MAX 4
#define NEAR_RATIO 0.5f
#define SCALE_LAST 0.004f

static const float *end_of(const nav_portal *portal, int side)
{
    return side < 0 ? portal->left : portal->right;
}

uint32_t nav_walk_fan(const nav_walk *f, uint32_t from, uint32_t to, const float corner[2],
                      int side, uint32_t out[NAV_WALK_FAN_MAX])
{
    uint32_t count = 0;
    for (uint32_t polygon = from; polygon != to;) {
        const nav_face face = nav_view_face(f->view, polygon);
        uint32_t k = 0;
        while (k < face.portal_count &&
               !(nav_plane_same(end_of(&face.portals[k], side), corner) &&
                 nav_polygon_cost(f->view, face.portals[k].to) < INFINITY)) {
            ++k;
        }
        if (k == face.portal_count || count == NAV_WALK_FAN_MAX) {
            return 0;
        }
        out[count++] = face.portal_first + k;
        polygon = face.portals[k].to;
        if (polygon == from) {
            return 0;
        }
    }
    return count;
}

// Leads the walk around the other side of the corner at points i to before j. False: there is no
// way, or it is no cheaper.
static bool flip(nav_walk *f, uint32_t i, uint32_t j, int side)
{
    const nav_portal *first = nav_view_portal(f->view, f->points[i].portal);
    const float corner[2] = {end_of(first, side)[0], end_of(first, side)[1]};
    const uint32_t to = nav_view_portal(f->view, f->points[j - 1].portal)->to;
    uint32_t fan[NAV_WALK_FAN_MAX];
    const uint32_t fan_count = nav_walk_fan(f, first->from, to, corner, -side, fan);
    if (fan_count == 0 || f->count - (j - i) + fan_count > f->capacity) {
        return false;
    }
    const uint32_t low = i > WINDOW ? i - WINDOW : 0;
    const uint32_t high = j + WINDOW < f->count ? j + WINDOW : f->count;
    const uint32_t length = high - low - (j - i) + fan_count;
    nav_walk_point window[2 * WINDOW + NAV_WALK_FAN_MAX];
    uint32_t n = 0;
    for (uint32_t k = low; k < i; ++k) {
        window[n++] = f->points[k];
    }
    for (uint32_t k = 0; k < fan_count; ++k) {
        window[n++] = nav_walk_point_at(f->view, fan[k], side < 0 ? 1.0f : 0.0f, NAV_WALK_REACH);
    }
    for (uint32_t k = j; k < high; ++k) {
        window[n++] = f->points[k];
    }
    NAV_ASSERT(n == length);
    const float *from = low > 0 ? f->points[low - 1].out : f->start;
    const bool is_last = high == f->count;
    const float *at = is_last ? f->end : f->points[high].in;
    nav_walk piece = *f;
    piece.points = f->points + low;
    piece.count = high - low;
    memcpy(piece.start, from, sizeof piece.start);
    memcpy(piece.end, at, sizeof piece.end);
    piece.cost_at_end = is_last ? f->cost_at_end : f->points[high].cost_before;
    const double before = nav_walk_cost(&piece);
    piece.points = window;
    piece.count = length;
    nav_walk_settle(&piece, SCALE_LAST);
    if (!(nav_walk_cost(&piece) < before * (1.0 - GAIN_MIN))) {
        return false;
    }
    memmove(f->points + low + length, f->points + high, (f->count - high) * sizeof *f->points);
    memcpy(f->points + low, window, length * sizeof *f->points);
    f->count = f->count - (high - low) + length;
    return true;
}

// The end of its portal next to which the walk may pass on the other side: -1 left, 1 right, 0:
// neither. A point at an end is held there; one on a border of cost may have its like beyond it.
static int side_of(const nav_walk *f, uint32_t i)
{
    const nav_walk_point *p = &f->points[i];
    const int end_side = nav_walk_point_end(p);
    if (p->is_arc || end_side != 0) {
        return end_side;
    }
    const bool last = i + 1 == f->count;
    if (p->cost_before == (last ? f->cost_at_end : f->points[i + 1].cost_before)) {
        return 0;
    }
    const float *before = i > 0 ? f->points[i - 1].out : f->start;
    const float *behind = last ? f->end : f->points[i + 1].in;
    const int side = p->t < 0.5f ? -1 : 1;
    const float *end = end_of(nav_view_portal(f->view, p->portal), side);
    const float around = nav_plane_distance_f(before[0], before[1], p->in[0], p->in[1]) +
                         nav_plane_distance_f(behind[0], behind[1], p->in[0], p->in[1]);
    return nav_plane_distance_f(end[0], end[1], p->in[0], p->in[1]) < NEAR_RATIO * around ? side
                                                                                          : 0;
}

// Whether a portal of the walk ends in a corner on this side.
static bool ends_in(const nav_walk *f, uint32_t i, const float corner[2], int side)
{
    const uint32_t portal = f->points[i].portal;
    return !nav_portal_is_arc(f->view, portal) &&
           nav_plane_same(corner, end_of(nav_view_portal(f->view, portal), side));
}

void nav_walk_flip(nav_walk *walk)
{
    bool flipped = true;
    for (int pass = 0; pass < PASSES_MAX && flipped; ++pass) {
        flipped = false;
        for (uint32_t i = 0; i < walk->count;) {
            const int side = side_of(walk, i);
            uint32_t first = i, end = i + 1;
            if (side != 0) {
                const float *corner =
                    end_of(nav_view_portal(walk->view, walk->points[i].portal), side);
                while (end < walk->count && ends_in(walk, end, corner, side)) {
                    ++end;
                }
                while (first > 0 && ends_in(walk, first - 1, corner, side)) {
                    --first;
                }
                flipped = flip(walk, first, end, side) || flipped;
            }
            i = end;
        }
    }
}
