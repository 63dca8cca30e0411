// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// contour_rules.h: what must hold for the contours of every field. Include after bake_builder.h.

#pragma once

#include "bake_builder.h"
#include "core/base/plan_view.h"

static inline nav_plan contour_plan(const nav_contour *contour, uint32_t point)
{
    const nav_contour_point *p = &contour->points[point % contour->point_count];
    return (nav_plan){p->x, p->z};
}

// No edge of a contour crosses another. Bridges to holes are walked twice, so edges may touch.
static inline void expect_simple(const nav_contour_set *set)
{
    for (uint32_t n = 0; n < set->count; ++n) {
        const nav_contour *c = &set->contours[n];
        for (uint32_t i = 0; i < c->point_count; ++i) {
            nav_plan from = contour_plan(c, i), to = contour_plan(c, i + 1);
            for (uint32_t k = i + 1; k < c->point_count; ++k) {
                if (nav_plan_segments_cross(from, to, contour_plan(c, k), contour_plan(c, k + 1))) {
                    fail_msg("region %u crosses itself near %d, %d", c->region, from.x, from.z);
                }
            }
        }
    }
}

static inline bool has_edge(const nav_contour *c, nav_plan from, nav_plan to)
{
    for (uint32_t i = 0; i < c->point_count; ++i) {
        if (nav_plan_equal(contour_plan(c, i), from) &&
            nav_plan_equal(contour_plan(c, i + 1), to)) {
            return true;
        }
    }
    return false;
}

// Each edge between two regions is in the contours of both, in opposite directions, unless the
// other region's contour was simplified away.
static inline void expect_twins(const nav_contour_set *set)
{
    for (uint32_t n = 0; n < set->count; ++n) {
        const nav_contour *c = &set->contours[n];
        for (uint32_t i = 0; i < c->point_count; ++i) {
            uint32_t across = c->points[i].neighbour & NAV_CONTOUR_REGION_MASK;
            bool known = false, found = false;
            for (uint32_t k = 0; k < set->count; ++k) {
                const nav_contour *o = &set->contours[k];
                if (o->region == across && across != c->region) {
                    known = true;
                    found |= has_edge(o, contour_plan(c, i + 1), contour_plan(c, i));
                }
            }
            if (known && !found) {
                fail_msg("regions %u and %u differ at %d, %d", c->region, across, c->points[i].x,
                         c->points[i].z);
            }
        }
    }
}
