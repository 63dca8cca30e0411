// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// shapes.c: the shapes of an overlay, in an order that depends on nothing but themselves: the same
// shapes leave the same ground, whoever names them, and in whatever order. And which of them block
// a position.

#include "core/query/obstacles/cut.h"

#include "core/base/plane.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- the order ----

static int compare_floats(const float *a, const float *b, uint32_t count)
{
    int order = 0;
    for (uint32_t i = 0; i < count && order == 0; ++i) {
        order = (a[i] > b[i]) - (a[i] < b[i]);
    }
    return order;
}

static int compare_places(const nav_avoid *a, const nav_avoid *b)
{
    int order = 0;
    switch (a->shape) {
    case NAV_AVOID_CIRCLE:
        order = compare_floats(a->center, b->center, 2);
        return order != 0 ? order : compare_floats(&a->radius, &b->radius, 1);
    case NAV_AVOID_CAPSULE:
        order = compare_floats(a->center, b->center, 2);
        order = order != 0 ? order : compare_floats(a->end, b->end, 2);
        return order != 0 ? order : compare_floats(&a->radius, &b->radius, 1);
    case NAV_AVOID_BOX:
        order = compare_floats(a->min, b->min, 2);
        return order != 0 ? order : compare_floats(a->max, b->max, 2);
    case NAV_AVOID_CONVEX:
        break;
    }
    order = (a->point_count > b->point_count) - (a->point_count < b->point_count);
    for (uint32_t i = 0; i < a->point_count && order == 0; ++i) {
        order = compare_floats(a->points[i], b->points[i], 2);
    }
    return order;
}

static int compare_shapes(const nav_avoid *a, const nav_avoid *b)
{
    const float cost_a = a->blocked ? INFINITY : a->cost, cost_b = b->blocked ? INFINITY : b->cost;
    int order = (a->shape > b->shape) - (a->shape < b->shape);
    order = order != 0 ? order : compare_places(a, b);
    order = order != 0 ? order : compare_floats(&a->bottom, &b->bottom, 1);
    order = order != 0 ? order : compare_floats(&a->top, &b->top, 1);
    return order != 0 ? order : compare_floats(&cost_a, &cost_b, 1);
}

static int compare_obstacles(const void *a, const void *b)
{
    return compare_shapes(&((const nav_obstacle *)a)->shape, &((const nav_obstacle *)b)->shape);
}

// ---- shapes that are there already ----

// A shape of `last` with its outline. Its points are the overlay's own: `last` may go first.
static bool take_old(nav_overlay *o, const nav_overlay *last, uint32_t before, nav_obstacle *out,
                     nav_overlay_budget *budget)
{
    const nav_obstacle *old = &last->obstacles[before];
    nav_overlay_spend(budget, old->outline.count);
    out->before = before;
    out->outline = old->outline;
    out->outline.points = nav_overlay_keep(budget, old->outline.count, sizeof *out->outline.points);
    if (out->outline.points != NULL) {
        memcpy(out->outline.points, old->outline.points,
               old->outline.count * sizeof *out->outline.points);
    }
    NAV_ASSERT(o != last);
    return !budget->failed;
}

// Both lists are in order: each shape of `last` is found once.
static bool match(nav_overlay *o, const nav_overlay *last, nav_overlay_budget *budget)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < o->obstacle_count && !budget->failed; ++i) {
        nav_obstacle *obstacle = &o->obstacles[i];
        while (at < last->obstacle_count && compare_obstacles(&last->obstacles[at], obstacle) < 0) {
            ++at;
        }
        if (at < last->obstacle_count && compare_obstacles(&last->obstacles[at], obstacle) == 0) {
            take_old(o, last, at++, obstacle, budget);
        }
    }
    return !budget->failed;
}

static bool copy_points(nav_avoid *shape, nav_overlay_budget *budget)
{
    if (shape->shape != NAV_AVOID_CONVEX) {
        return true;
    }
    float(*points)[2] = nav_overlay_keep(budget, shape->point_count, sizeof *points);
    if (points != NULL) {
        memcpy(points, shape->points, shape->point_count * sizeof *points);
        shape->points = (const float(*)[2])points;
    }
    return points != NULL;
}

// ---- exported ----

bool nav_overlay_take_shapes(nav_overlay *overlay, const nav_mesh *mesh, const nav_overlay *last,
                             bool follow, const nav_avoid *shapes, uint32_t count,
                             nav_overlay_budget *budget)
{
    const uint32_t old_count = last != NULL && !follow ? last->obstacle_count : 0;
    *overlay = (nav_overlay){.mesh = mesh, .costs = NAV_OVERLAY_COSTS_NONE};
    overlay->obstacles =
        nav_overlay_keep(budget, (size_t)old_count + count, sizeof *overlay->obstacles);
    for (uint32_t i = 0; i < old_count + count && !budget->failed; ++i) {
        nav_obstacle *obstacle = &overlay->obstacles[overlay->obstacle_count++];
        *obstacle = (nav_obstacle){.number = i, .before = NAV_NONE, .group = NAV_NONE};
        if (i < old_count) {
            obstacle->shape = last->obstacles[i].shape;
            obstacle->number = last->obstacles[i].number;
        } else {
            obstacle->shape = shapes[i - old_count];
        }
        copy_points(&obstacle->shape, budget);
    }
    if (budget->failed) {
        return false;
    }
    if (overlay->obstacle_count > 1) {
        nav_overlay_spend(budget, overlay->obstacle_count);
        qsort(overlay->obstacles, overlay->obstacle_count, sizeof *overlay->obstacles,
              compare_obstacles);
    }
    if (last != NULL && !match(overlay, last, budget)) {
        return false;
    }
    for (uint32_t i = 0; i < overlay->obstacle_count; ++i) {
        nav_obstacle *obstacle = &overlay->obstacles[i];
        if (obstacle->outline.points == NULL) {
            nav_outline_bounds(&obstacle->shape, (double)mesh->agent_radius, obstacle->outline.min,
                               obstacle->outline.max);
        }
    }
    return true;
}

const nav_outline *nav_overlay_outline(nav_overlay *overlay, uint32_t obstacle,
                                       nav_overlay_budget *budget)
{
    NAV_DCHECK(obstacle < overlay->obstacle_count);
    nav_obstacle *of = &overlay->obstacles[obstacle];
    if (of->outline.points == NULL &&
        !nav_outline_create(&of->shape, (double)overlay->mesh->agent_radius, budget,
                            &of->outline)) {
        return NULL;
    }
    return &of->outline;
}

// ---- positions in shapes ----

static bool is_inside(const nav_outline *outline, const double at[2])
{
    bool inside = outline->count >= 3;
    for (uint32_t i = 0; i < outline->count && inside; ++i) {
        const double *a = outline->points[i],
                     *b = outline->points[i + 1 < outline->count ? i + 1 : 0];
        const double near = NAV_OBSTACLE_NEAR * (fabs(b[0] - a[0]) + fabs(b[1] - a[1]));
        inside = nav_plane_side(a, b, at) >= -near;
    }
    return inside;
}

bool nav_obstacle_blocks(const nav_mesh *mesh, const nav_obstacle *obstacle, const nav_location *at)
{
    const nav_polygon_record *record = &mesh->records[at->polygon];
    const double place[2] = {(double)at->position[0], (double)at->position[2]};
    return obstacle->outline.cost == INFINITY && record->min[1] <= obstacle->outline.top &&
           record->max[1] >= obstacle->outline.bottom && is_inside(&obstacle->outline, place);
}

bool nav_overlay_blocks(const nav_overlay *overlay, const nav_location *at)
{
    bool found = false;
    for (uint32_t i = 0; i < overlay->obstacle_count && !found; ++i) {
        found = nav_obstacle_blocks(overlay->mesh, &overlay->obstacles[i], at);
    }
    return found;
}

bool nav_overlay_blocks_alike(const nav_overlay *overlay, const nav_location *a,
                              const nav_location *b)
{
    bool alike = true;
    for (uint32_t i = 0; i < overlay->obstacle_count && alike; ++i) {
        const nav_obstacle *obstacle = &overlay->obstacles[i];
        alike = nav_obstacle_blocks(overlay->mesh, obstacle, a) ==
                nav_obstacle_blocks(overlay->mesh, obstacle, b);
    }
    return alike;
}

bool nav_overlay_open_around(nav_overlay *overlay, const nav_location *at,
                             nav_overlay_budget *budget)
{
    for (uint32_t i = 0; i < overlay->obstacle_count && !budget->failed; ++i) {
        nav_obstacle *obstacle = &overlay->obstacles[i];
        if (nav_overlay_outline(overlay, i, budget) != NULL &&
            nav_obstacle_blocks(overlay->mesh, obstacle, at)) {
            obstacle->outline.cost = NAV_AVOID_LEAVE_COST;
            obstacle->outline.leaves = true;
            obstacle->before = NAV_NONE; // nobody has cut it like this
        }
    }
    return !budget->failed;
}
