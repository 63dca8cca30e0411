// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// contour_points.h: the points and edges of contours, held against literal ones. Include after
// cmocka.h.

#pragma once

#include "tests/unit/field_builder.h"

// The contour's points as x, z pairs, compared with a literal list, from any starting point.
static inline void assert_points(const nav_contour *contour, const int32_t (*expected)[2],
                                 uint32_t count)
{
    assert_int_equal(contour->point_count, count);
    for (uint32_t start = 0; start < count; start++) {
        uint32_t same = 0;
        while (same < count && contour->points[(start + same) % count].x == expected[same][0] &&
               contour->points[(start + same) % count].z == expected[same][1]) {
            same++;
        }
        if (same == count) {
            return;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        print_error("(%d %d) ", contour->points[i].x, contour->points[i].z);
    }
    fail_msg("the contour has other points");
}

#define ASSERT_POINTS(contour, ...)                                                                \
    assert_points((contour), (const int32_t[][2]){__VA_ARGS__},                                    \
                  sizeof((const int32_t[][2]){__VA_ARGS__}) / sizeof(int32_t[2]))

static inline bool has_edge(const nav_contour *contour, nav_contour_point from,
                            nav_contour_point to)
{
    for (uint32_t i = 0; i < contour->point_count; i++) {
        nav_contour_point p = contour->points[i];
        nav_contour_point q = contour->points[(i + 1) % contour->point_count];
        if (p.x == from.x && p.z == from.z && q.x == to.x && q.z == to.z) {
            return true;
        }
    }
    return false;
}
