// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// triangle_soup.h: triangles for tests of the voxelizer, set by hand or by chance, and the call
// that voxelizes them.

#pragma once

#include "bake_builder.h"

#include <math.h>

#define TRIANGLES_MAX 4096

typedef struct soup {
    float vertices[9 * TRIANGLES_MAX];
    uint32_t indices[3 * TRIANGLES_MAX];
    uint8_t areas[TRIANGLES_MAX];
    nav_geometry geometry;
} soup;

static inline soup *soup_create(void)
{
    soup *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->geometry = (nav_geometry){
        .vertices = s->vertices, .triangles = s->indices, .triangle_areas = s->areas};
    return s;
}

static inline void soup_add(soup *s, const float corners[9], uint8_t area)
{
    uint32_t i = s->geometry.triangle_count++;
    assert_true(i < TRIANGLES_MAX);
    memcpy(s->vertices + 9 * (size_t)i, corners, 9 * sizeof(float));
    for (uint32_t corner = 0; corner < 3; ++corner) {
        s->indices[3 * i + corner] = 3 * i + corner;
    }
    s->areas[i] = area;
    s->geometry.vertex_count += 3;
}

// A level square over [x0, x1] x [z0, z1] at height y, facing up.
static inline void soup_add_floor(soup *s, float x0, float x1, float z0, float z1, float y,
                                  uint8_t area)
{
    soup_add(s, (const float[9]){x0, y, z0, x0, y, z1, x1, y, z0}, area);
    soup_add(s, (const float[9]){x1, y, z0, x0, y, z1, x1, y, z1}, area);
}

static inline nav_status voxelize(bake_builder *b, void *data)
{
    return nav_bake_voxelize(&b->job, &b->result, data);
}

static inline nav_heightfield voxelized(bake_builder *b, const soup *s)
{
    builder_empty(b);
    b->report = (nav_bake_report){0};
    b->job.geometry = &s->geometry;
    nav_heightfield solid = {0};
    assert_int_equal(voxelize(b, &solid), NAV_OK);
    assert_int_equal(solid.width, b->job.width_cells);
    assert_int_equal(solid.depth, b->job.depth_cells);
    assert_int_equal(solid.first[(size_t)solid.width * solid.depth], solid.span_count);
    assert_int_equal(b->report.spans, solid.span_count);
    return solid;
}

// ---- by chance ----

typedef void (*shape)(uint64_t *seed, float corners[9]);

static inline void any_corner(uint64_t *seed, float *corner, float min, float max)
{
    corner[0] = random_between(seed, min, max);
    corner[1] = random_between(seed, 0, 100);
    corner[2] = random_between(seed, min, max);
}

static inline void big_triangle(uint64_t *seed, float c[9])
{
    for (int i = 0; i < 9; i += 3) {
        any_corner(seed, c + i, -40, 60);
    }
}

static inline void small_triangle(uint64_t *seed, float c[9])
{
    any_corner(seed, c, -2, 22);
    for (int i = 3; i < 9; ++i) {
        c[i] = fmaxf(c[i % 3] + random_between(seed, -0.7f, 0.7f), i % 3 == 1 ? 0.0f : -100.0f);
    }
}

static inline void sliver(uint64_t *seed, float c[9])
{
    any_corner(seed, c, -5, 25);
    any_corner(seed, c + 3, -5, 25);
    float t = random_between(seed, 0, 1);
    for (int i = 0; i < 3; ++i) {
        c[6 + i] = c[i] + t * (c[3 + i] - c[i]) + random_between(seed, 0, 0.01f);
    }
}

static inline void upright_triangle(uint64_t *seed, float c[9])
{
    sliver(seed, c);
    c[7] = random_between(seed, 0, 100);
    uint32_t kind = random_below(seed, 3);
    if (kind < 2) { // in a plane of constant x or z
        c[3 + 2 * kind] = c[6 + 2 * kind] = c[2 * kind];
    }
}

// Corners on whole cells; often level, or upright in the border between two cells.
static inline void grid_triangle(uint64_t *seed, float c[9])
{
    for (int i = 0; i < 9; ++i) {
        int value = (int)random_below(seed, i % 3 == 1 ? 40 : 28) - (i % 3 == 1 ? 0 : 4);
        c[i] = (float)value;
    }
    int axis = (int)random_below(seed, 4);
    if (axis < 3) {
        c[3 + axis] = c[6 + axis] = c[axis];
    }
}

static inline void half_grid_triangle(uint64_t *seed, float c[9])
{
    grid_triangle(seed, c);
    for (int i = 0; i < 9; ++i) {
        c[i] += 0.5f * (float)random_below(seed, 2);
    }
}

static inline soup *random_soup(uint64_t seed, uint32_t count)
{
    static const shape shapes[] = {big_triangle,     small_triangle, sliver,
                                   upright_triangle, grid_triangle,  half_grid_triangle};
    soup *s = soup_create();
    for (uint32_t i = 0; i < count; ++i) {
        float c[9];
        shapes[i % 6](&seed, c);
        soup_add(s, c, (uint8_t)random_below(&seed, 4));
    }
    return s;
}
