// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// floors.h: levels of level rectangles, as many as a test wants. Include after cmocka.h.

#pragma once

#include "core/nav.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct soup {
    float *vertices;
    uint32_t *triangles;
    nav_geometry geometry;
} soup;

static inline void soup_init(soup *s, uint32_t rectangles)
{
    s->vertices = calloc(rectangles, 12 * sizeof(float));
    s->triangles = calloc(rectangles, 6 * sizeof(uint32_t));
    assert_true(s->vertices != NULL && s->triangles != NULL);
    s->geometry = (nav_geometry){.vertices = s->vertices, .triangles = s->triangles};
}

static inline void soup_free(soup *s)
{
    free(s->vertices);
    free(s->triangles);
}

// A level rectangle that faces up.
static inline void soup_floor(soup *s, float x0, float z0, float x1, float z1, float y)
{
    const float corners[12] = {x0, y, z0, x0, y, z1, x1, y, z0, x1, y, z1};
    const uint32_t indices[6] = {0, 1, 2, 2, 1, 3};
    memcpy(s->vertices + 3 * s->geometry.vertex_count, corners, sizeof corners);
    for (int i = 0; i < 6; ++i) {
        s->triangles[3 * s->geometry.triangle_count + (uint32_t)i] =
            s->geometry.vertex_count + indices[i];
    }
    s->geometry.vertex_count += 4;
    s->geometry.triangle_count += 2;
}
