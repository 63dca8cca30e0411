// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// options.c: what all queries take, checked once before they run.

#include "core/nav.h"

#include <float.h>
#include <math.h>

static nav_status bad(nav_error *err, uint32_t shape, const char *member, const char *expected)
{
    return nav_fail_at(err, NAV_INVALID_FIELD, nav_at("avoid[%u].%s", shape, member).text,
                       "avoid[%u].%s must be %s", shape, member, expected);
}

// Comparisons are written so that NaN fails.
static bool is_within_world(const float *values, uint32_t count)
{
    bool within = true;
    for (uint32_t i = 0; i < count; ++i) {
        within = within && fabsf(values[i]) <= NAV_COORDINATE_MAX;
    }
    return within;
}

static bool comes_before(const float a[2], const float b[2])
{
    return a[0] != b[0] ? a[0] < b[0] : a[1] < b[1];
}

// Whether an outline goes once around, in either winding, and is no line: clipping by its edges
// relies on that. A star turns one way at every corner, too, but comes down and goes up again more
// than once.
static bool is_convex(const float (*points)[2], uint32_t count)
{
    bool left = false;
    bool right = false;
    uint32_t lowest = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const float *a = points[i];
        const float *b = points[(i + 1) % count];
        const float *c = points[(i + 2) % count];
        double turn = ((double)b[0] - (double)a[0]) * ((double)c[1] - (double)b[1]) -
                      ((double)b[1] - (double)a[1]) * ((double)c[0] - (double)b[0]);
        left = left || turn > 0.0;
        right = right || turn < 0.0;
        // In the order of x, then z, so that only equal positions are level.
        lowest += comes_before(b, a) && !comes_before(c, b);
    }
    return left != right && lowest == 1;
}

#define WITHIN_WORLD "finite and at most 1,000,000 from 0"

// A circle, or a capsule, which has another end.
static nav_status check_round(const nav_avoid *shape, uint32_t i, nav_error *err)
{
    if (!is_within_world(shape->center, 2)) {
        return bad(err, i, "center", WITHIN_WORLD);
    }
    if (shape->shape == NAV_AVOID_CAPSULE && !is_within_world(shape->end, 2)) {
        return bad(err, i, "end", WITHIN_WORLD);
    }
    return shape->radius >= 0.0f && is_within_world(&shape->radius, 1)
               ? NAV_OK
               : bad(err, i, "radius", "a finite number from 0 to 1,000,000");
}

static nav_status check_shape(const nav_avoid *shape, uint32_t i, nav_error *err)
{
    if (!shape->blocked && !(shape->cost > 0.0f && shape->cost <= FLT_MAX)) {
        return bad(err, i, "cost", "a finite number above 0");
    }
    if (!(shape->bottom <= shape->top)) {
        return bad(err, i, "bottom", "at most the top");
    }
    switch (shape->shape) {
    case NAV_AVOID_CIRCLE:
    case NAV_AVOID_CAPSULE:
        return check_round(shape, i, err);
    case NAV_AVOID_BOX:
        if (!is_within_world(shape->min, 2) || !is_within_world(shape->max, 2)) {
            return bad(err, i, "min", WITHIN_WORLD);
        }
        return shape->min[0] <= shape->max[0] && shape->min[1] <= shape->max[1]
                   ? NAV_OK
                   : bad(err, i, "min", "at most max");
    case NAV_AVOID_CONVEX:
        if (shape->point_count < 3 || shape->point_count > NAV_VOLUME_POINTS_MAX) {
            return bad(err, i, "points", "3 to 256 points");
        }
        if (!is_within_world(shape->points[0], 2 * shape->point_count)) {
            return bad(err, i, "points", WITHIN_WORLD);
        }
        return is_convex(shape->points, shape->point_count)
                   ? NAV_OK
                   : bad(err, i, "points", "the corners of a convex shape, in order");
    }
    return bad(err, i, "shape", "circle, box, convex or capsule");
}

static nav_status check_filter(const nav_filter *filter, nav_error *err)
{
    for (uint32_t i = 0; i < NAV_AREAS_MAX; ++i) {
        if (!(filter->area_costs[i] >= 0.0f)) {
            nav_fail_at(err, NAV_INVALID_FIELD, "filter.costs",
                        "the cost of area %u must be above 0", i);
            nav_error_got(err, "%g", (double)filter->area_costs[i]);
            return NAV_INVALID_FIELD;
        }
    }
    return NAV_OK;
}

nav_options nav_options_default(void)
{
    return (nav_options){.snap = nav_snap_default()};
}

nav_status nav_options_check(const nav_options *options, nav_error *err)
{
    if (options->avoid_count > NAV_AVOID_MAX) {
        nav_fail_at(err, NAV_INVALID_FIELD, "avoid", "more than %u shapes to avoid", NAV_AVOID_MAX);
        nav_error_limit(err, "%u", NAV_AVOID_MAX);
        return NAV_INVALID_FIELD;
    }
    nav_status status = options->filter != NULL ? check_filter(options->filter, err) : NAV_OK;
    for (uint32_t i = 0; i < options->avoid_count && status == NAV_OK; ++i) {
        status = check_shape(&options->avoid[i], i, err);
    }
    return status;
}
