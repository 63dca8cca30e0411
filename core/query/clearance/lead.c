// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// lead.c: a path that has been found, led away from corners and walls. It stays in the row of
// grounds that it leads through, between the same ends and links.
//
//        wall|  guide              1. The points of the path are its guide. One that is nearer to a
//   . . . . .+. . . . .               wall than the clearance moves to the center of the largest
//            .                        circle that fits there (walls.c), with no more than the
//      - - - - -o                     clearance as radius: the middle of what is narrower.
//                \                 2. A leg between two of them that still comes too near to a wall
//       led away  o                   gets one more point beside it; and one that crosses a wall
//                  \                  does over its part of the guide. So it goes on while there is
//                                     room for points (points.c); other legs stay as they are.
//                                  3. Points that nothing is gained by go again.
//                                  4. The new path is walked, portal by portal. Where that fails
//                                     the path stays as it was.
//
// An end may stand near a wall: a straight step leads away from it first.

#include "core/query/clearance/clearance.h"

#include "core/base/plane.h"
#include "core/query/surface/surface.h"

#include <math.h>
#include <string.h>

// The radius of circles by the distance to be kept: a turn is a part of an octagon around its
// corner, whose sides then keep that distance.
#define CIRCLE_RATIO 1.0824
// A point is added where it has so much more room than the leg, as part.
#define GAIN_RATIO 0.02
// Points of a path that are nearer to each other, by the distance to be kept, are too many.
#define SPACING_MIN 0.05
// The sum of two walls' normals that is shorter gives no direction between them.
#define NORMAL_MIN 0.1
// Steps away from the walls around an end.
#define RETREATS_MAX 6

// ---- positions away from walls ----

// The direction away from the nearest wall; on a wall, that of its normal, or between those of two
// that meet there. Around the end of a thin wall these are opposite: then that of `corner`, which
// may be NULL. False where there is none.
static bool away_from_wall(const nav_clearing *c, const nav_leg_walls *walls, const double *corner,
                           double out[2])
{
    const bool touches = walls->distance2 <= c->tolerance * c->tolerance;
    const double *normal =
        corner != NULL && nav_plane_length(walls->normal[0], walls->normal[1]) < NORMAL_MIN
            ? corner
            : walls->normal;
    for (int axis = 0; axis < 2; ++axis) {
        out[axis] = touches ? normal[axis] : walls->at[axis] - walls->wall[axis];
    }
    const double length = nav_plane_length(out[0], out[1]);
    out[0] /= length;
    out[1] /= length;
    return length > 0.0;
}

static bool fit_circle(const nav_clearing *c, const nav_leg_walls *walls, const double *corner,
                       nav_circle *out)
{
    // The circle stays at the wall, without a radius, where there is no direction away from it.
    *out = (nav_circle){.wall = {walls->wall[0], walls->wall[1]},
                        .center = {walls->wall[0], walls->wall[1]}};
    if (!away_from_wall(c, walls, corner, out->normal)) {
        return true;
    }
    out->radius = CIRCLE_RATIO * c->keep;
    return nav_circle_fit(c->view, c->scratch, walls->polygon, out);
}

// Whether a circle has notably more room than what keeps this distance.
static bool gains(const nav_clearing *c, const nav_circle *circle, double distance2)
{
    return circle->radius > (1.0 + GAIN_RATIO) * sqrt(distance2) + c->tolerance;
}

// Walks straight to a place in plan view. *walked: nothing is in the way. False as
// nav_view_raycast.
static bool walk_to(const nav_clearing *c, nav_location *from, const double to[2], bool *walked)
{
    const float at[3] = {(float)to[0], from->position[1], (float)to[1]};
    nav_ray ray;
    if (!nav_view_raycast(c->view, c->scratch, from, at, NULL, &ray)) {
        return false;
    }
    *walked = !ray.hit;
    from->polygon = ray.polygon;
    memcpy(from->position, ray.position, sizeof from->position);
    return true;
}

static nav_location place_of(const float at[3], uint32_t polygon)
{
    return (nav_location){.polygon = polygon, .position = {at[0], at[1], at[2]}};
}

static void put_node(nav_clear_node *node, const nav_location *at)
{
    memcpy(node->at, at->position, sizeof node->at);
    node->polygon = at->polygon;
}

static void guide_node(nav_clear_node *node, const nav_location *at)
{
    memcpy(node->guide, at->position, sizeof node->guide);
    node->guide_polygon = at->polygon;
}

// Moves a node that is too near to a wall, where there is more room.
static bool move_node(nav_clearing *c, nav_clear_node *node, const double *corner)
{
    nav_location to = place_of(node->guide, node->guide_polygon);
    nav_leg_walls walls;
    nav_circle circle;
    bool walked;
    if (!nav_clearing_measure_at(c, node->guide, node->guide_polygon, c->keep, &walls)) {
        return false;
    }
    if (!walls.hit) {
        return true;
    }
    if (!fit_circle(c, &walls, corner, &circle)) {
        return false;
    }
    if (gains(c, &circle, walls.distance2)) {
        if (!walk_to(c, &to, circle.center, &walked)) {
            return false;
        }
        if (walked) {
            put_node(node, &to);
        }
    }
    return true;
}

// The direction in which a corner of the path points: away from the inner side of its turn.
static void corner_direction(const float a[3], const float b[3], const float d[3], double out[2])
{
    const double before[2] = {(double)b[0] - (double)a[0], (double)b[2] - (double)a[2]};
    const double behind[2] = {(double)d[0] - (double)b[0], (double)d[2] - (double)b[2]};
    const double length = nav_plane_length(before[0], before[1]);
    const double length_behind = nav_plane_length(behind[0], behind[1]);
    for (int axis = 0; axis < 2; ++axis) {
        out[axis] = length > 0.0 && length_behind > 0.0
                        ? before[axis] / length - behind[axis] / length_behind
                        : 0.0;
    }
}

// Moves all points of the stretch between its ends.
static bool move_points(nav_clearing *c)
{
    bool done = true;
    for (uint32_t before = c->first; before != c->last && done;) {
        const uint32_t i = c->nodes[before].next;
        if (i != c->last) {
            const nav_clear_node *behind = &c->nodes[c->nodes[i].next];
            double direction[2];
            corner_direction(c->nodes[before].guide, c->nodes[i].guide, behind->guide, direction);
            done = move_node(c, &c->nodes[i], direction);
        }
        before = i;
    }
    return done;
}

// A position from which a straight line leads to an end, and which is far enough from walls: away
// from the nearest wall again and again; else as far as between two walls. *found: there is one.
static bool retreat(const nav_clearing *c, const nav_clear_node *end, nav_location *out,
                    bool *found)
{
    const double target = c->keep + c->tolerance;
    nav_leg_walls walls;
    nav_circle circle;
    bool walked = true;
    *out = place_of(end->at, end->polygon);
    for (int i = 0; i < RETREATS_MAX && walked; ++i) {
        double away[2];
        if (!nav_clearing_measure_at(c, out->position, out->polygon, c->keep, &walls)) {
            return false;
        }
        if (!walls.hit) {
            *found = i > 0;
            return true;
        }
        if (!away_from_wall(c, &walls, NULL, away)) {
            break;
        }
        const double step = target - sqrt(walls.distance2);
        const double to[2] = {(double)out->position[0] + away[0] * step,
                              (double)out->position[2] + away[1] * step};
        if (!walk_to(c, out, to, &walked)) {
            return false;
        }
    }
    *out = place_of(end->at, end->polygon);
    if (!nav_clearing_measure_at(c, end->at, end->polygon, c->keep, &walls) ||
        !fit_circle(c, &walls, NULL, &circle) || !walk_to(c, out, circle.center, &walked)) {
        return false;
    }
    *found = walked && gains(c, &circle, walls.distance2);
    return true;
}

// ---- legs ----

typedef enum outcome {
    LEG_ON,     // the leg stays
    LEG_AGAIN,  // it has another end now
    LEG_FAILED, // no memory, or the question is cancelled
} outcome;

// A node behind another one, which leads where that does.
static nav_clear_node *insert_behind(nav_clearing *c, uint32_t i)
{
    NAV_ASSERT(c->count < c->capacity);
    nav_clear_node *added = &c->nodes[c->count];
    *added = (nav_clear_node){.next = c->nodes[i].next, .entered_by = NAV_NONE};
    c->nodes[i].next = c->count++;
    return added;
}

// Leads straight away from the end of the stretch that the leg behind node i begins or ends in,
// where it comes near to a wall on its first steps.
static outcome free_end(nav_clearing *c, uint32_t i, int k, const nav_leg_walls *walls)
{
    const uint32_t end = k == 0 ? c->first : c->last;
    const uint32_t of_leg = k == 0 ? i : c->nodes[i].next;
    const nav_clear_node *node = &c->nodes[end];
    const double at[2] = {(double)node->at[0], (double)node->at[2]};
    nav_location away;
    bool found;
    if (c->freed[k] || of_leg != end || !(c->left_out[k] > 0.0) || walls->crosses ||
        nav_plane_distance(walls->at, at) > 2.0 * c->left_out[k]) {
        return LEG_ON;
    }
    c->freed[k] = true;
    if (!retreat(c, node, &away, &found)) {
        return LEG_FAILED;
    }
    if (!found) {
        return LEG_ON;
    }
    nav_clear_node *added = insert_behind(c, i);
    const nav_location guide = place_of(node->guide, node->guide_polygon);
    guide_node(added, &guide);
    put_node(added, &away);
    nav_clear_node *settled = k == 0 ? &c->nodes[i] : added;
    settled->settled = true;
    settled->kept = c->keep;
    return LEG_AGAIN;
}

// The position on the guide of the leg behind node i that is closest to a point; the margin, as
// part of the guide's length, keeps it from both ends.
static bool find_on_guide(const nav_clearing *c, uint32_t i, const double at[2], double margin,
                          nav_location *out)
{
    const nav_clear_node *from = &c->nodes[i], *to = &c->nodes[from->next];
    const nav_leg guide = nav_leg_at(from->guide, to->guide, from->guide_polygon);
    const double t = nav_plane_closest_at(guide.a, guide.b, at);
    double on[2];
    bool walked;
    nav_plane_point_at(guide.a, guide.b, fmin(fmax(t, margin), 1.0 - margin), on);
    *out = place_of(from->guide, from->guide_polygon);
    return walk_to(c, out, on, &walked);
}

// Back to the guide, along it, and back again: that is always a way.
static outcome follow_guide(nav_clearing *c, uint32_t i)
{
    const uint32_t ends[2] = {i, c->nodes[i].next};
    uint32_t behind = i;
    c->nodes[i].settled = true;
    c->nodes[i].kept = 0.0;
    for (int k = 0; k < 2; ++k) {
        const nav_clear_node end = c->nodes[ends[k]];
        if (memcmp(end.guide, end.at, sizeof end.at) == 0) {
            continue;
        }
        nav_clear_node *added = insert_behind(c, behind);
        const nav_location guide = place_of(end.guide, end.guide_polygon);
        guide_node(added, &guide);
        put_node(added, &guide);
        added->settled = true;
        behind = c->nodes[behind].next;
    }
    return LEG_ON;
}

// Adds a point between the ends of a leg that crosses a wall, beside its guide.
static outcome divide(nav_clearing *c, uint32_t i, const nav_leg_walls *walls)
{
    const nav_clear_node *from = &c->nodes[i], *to = &c->nodes[from->next];
    const double length = nav_plane_distance_xz(from->guide, to->guide);
    nav_location on;
    if (length < 2.0 * SPACING_MIN * c->keep) {
        return follow_guide(c, i);
    }
    const double crossed[2] = {
        nav_plane_mix((double)from->at[0], (double)to->at[0], walls->crossed),
        nav_plane_mix((double)from->at[2], (double)to->at[2], walls->crossed)};
    if (!find_on_guide(c, i, crossed, 0.1, &on)) {
        return LEG_FAILED;
    }
    nav_clear_node *added = insert_behind(c, i);
    guide_node(added, &on);
    put_node(added, &on);
    return move_node(c, added, NULL) ? LEG_AGAIN : LEG_FAILED;
}

// Whether a place between the ends of a leg is far enough from both.
static bool is_between(const nav_clearing *c, const nav_leg *leg, const double at[2])
{
    const double spacing = SPACING_MIN * c->keep;
    return nav_plane_distance(leg->a, at) >= spacing && nav_plane_distance(leg->b, at) >= spacing;
}

// Adds a point beside the wall that a leg comes too near to between its ends, where there is more
// room than the leg has.
static outcome pass_wall(nav_clearing *c, uint32_t i, const nav_leg *leg, nav_leg_walls *walls)
{
    nav_location to = place_of(c->nodes[i].at, leg->polygon), on;
    const double at[2] = {walls->at[0], walls->at[1]};
    nav_circle circle;
    bool walked;
    if (!is_between(c, leg, at)) {
        return LEG_ON;
    }
    if (walls->distance2 <= c->tolerance * c->tolerance) {
        // Which walls touch here, and here alone.
        const float here[3] = {(float)at[0], 0.0f, (float)at[1]};
        if (!nav_clearing_measure_at(c, here, walls->polygon, c->keep, walls)) {
            return LEG_FAILED;
        }
    }
    if (!fit_circle(c, walls, NULL, &circle)) {
        return LEG_FAILED;
    }
    if (!gains(c, &circle, walls->distance2) || !is_between(c, leg, circle.center)) {
        return LEG_ON;
    }
    if (!walk_to(c, &to, at, &walked) || (walked && !walk_to(c, &to, circle.center, &walked)) ||
        !find_on_guide(c, i, circle.center, 0.0, &on)) {
        return LEG_FAILED;
    }
    if (!walked) {
        return LEG_ON;
    }
    nav_clear_node *added = insert_behind(c, i);
    guide_node(added, &on);
    put_node(added, &to);
    return LEG_AGAIN;
}

static outcome inspect_leg(nav_clearing *c, uint32_t i)
{
    if (c->nodes[i].settled) {
        return LEG_ON;
    }
    const nav_leg leg = nav_clearing_leg(c, i, c->nodes[i].next);
    nav_leg_walls walls;
    if (!nav_leg_measure(c->view, c->scratch, &leg, c->keep, &walls)) {
        return LEG_FAILED;
    }
    c->nodes[i].kept = sqrt(walls.distance2);
    outcome result = LEG_ON;
    if ((!walls.hit && !walls.crosses) || c->count + 2 > c->capacity) {
        return result;
    }
    for (int k = 0; k < 2 && result == LEG_ON; ++k) {
        result = free_end(c, i, k, &walls);
    }
    if (result == LEG_ON) {
        result = walls.crosses ? divide(c, i, &walls) : pass_wall(c, i, &leg, &walls);
    }
    return result;
}

// Takes out nodes without which the path keeps as much.
static bool simplify(nav_clearing *c)
{
    for (uint32_t i = c->first; i != c->last && c->nodes[i].next != c->last;) {
        nav_clear_node *before = &c->nodes[i], *node = &c->nodes[before->next];
        const nav_leg leg = nav_clearing_leg(c, i, node->next);
        const double kept = fmin(before->kept, node->kept);
        nav_leg_walls walls;
        if (!nav_leg_measure(c->view, c->scratch, &leg, kept, &walls)) {
            return false;
        }
        if (walls.hit || walls.crosses) {
            i = before->next;
        } else {
            before->next = node->next;
            before->kept = kept;
            before->settled = before->settled && node->settled;
        }
    }
    return true;
}

// False as nav_leg_measure.
static bool clear_stretch(nav_clearing *c)
{
    if (!move_points(c)) {
        return false;
    }
    for (uint32_t i = c->first; i != c->last;) {
        const outcome result = inspect_leg(c, i);
        if (result == LEG_FAILED) {
            return false;
        }
        i = result == LEG_AGAIN ? i : c->nodes[i].next;
    }
    // A point may be there for the cost where costs differ.
    return !c->view->costs->uniform || simplify(c);
}

// ---- exported ----

nav_status nav_path_clear(nav_scratch *scratch, double clearance, nav_path *path, bool *moved)
{
    nav_clearing c;
    *moved = false;
    const nav_status status = nav_path_measure(scratch, clearance, path);
    if (status != NAV_OK || path->clearance_min >= clearance || scratch->cancel.cancelled ||
        path->point_count < 2) {
        return status;
    }
    if (!nav_clearing_begin(&c, scratch, clearance, path) ||
        !nav_scratch_grow_spare(scratch, c.capacity)) {
        return NAV_NO_MEMORY;
    }
    bool cleared = true;
    for (uint32_t first = 0; first != NAV_NONE && cleared; first = c.nodes[c.last].next) {
        cleared = nav_clearing_begin_stretch(&c, first) && clear_stretch(&c);
    }
    nav_path led = *path;
    bool taken = false;
    nav_status result = NAV_OK;
    cleared = cleared && nav_clearing_take_nodes(&c, &led, &taken);
    if (cleared && taken) {
        result = nav_path_measure(scratch, clearance, &led);
        *moved = result == NAV_OK && !scratch->cancel.cancelled &&
                 led.clearance_min >= path->clearance_min;
        if (*moved) {
            // Along the shortest path the sum of more legs may be less by its rounding.
            led.lower_bound = fmin(led.lower_bound, led.cost);
            *path = led;
        } else {
            nav_clearing_swap_corridors(scratch);
        }
    }
    // A deadline leaves the path as it was.
    return !cleared && !scratch->cancel.cancelled ? NAV_NO_MEMORY : result;
}
