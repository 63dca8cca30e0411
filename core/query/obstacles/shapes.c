// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// shapes.c: the shapes of an overlay, in an order that depends on nothing but themselves: the same
// shapes leave the same ground, whoever names them, and in whatever order.

#include "core/query/obstacles/overlay.h"

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
