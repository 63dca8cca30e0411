// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// made.c: levels whose walls stand at all angles, unlike those of tests/levels: shops with narrow
// aisles and shelves askew, arenas with round walls and pillars, rubble.

#include "corpus.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SOUP_VERTICES_MAX 8192
#define WALL_HEIGHT 3.0f
#define TURN 6.283185307

typedef struct soup {
    float vertices[3 * SOUP_VERTICES_MAX];
    uint32_t triangles[9 * SOUP_VERTICES_MAX];
    uint32_t vertex_count, triangle_count;
} soup;

static void add_triangle(soup *s, uint32_t a, uint32_t b, uint32_t c)
{
    const uint32_t corners[3] = {a, b, c};
    memcpy(s->triangles + 3 * (size_t)s->triangle_count++, corners, sizeof corners);
}

// A solid over an outline of n corners (x, z), counter-clockwise from above.
static void add_prism(soup *s, uint32_t n, const float (*outline)[2], float low, float high)
{
    const uint32_t first = s->vertex_count;
    for (uint32_t i = 0; i < n; ++i) {
        for (int top = 0; top < 2; ++top) {
            const float at[3] = {outline[i][0], top != 0 ? high : low, outline[i][1]};
            memcpy(s->vertices + 3 * (size_t)s->vertex_count++, at, sizeof at);
        }
    }
    for (uint32_t i = 0; i < n; ++i) {
        const uint32_t a = first + 2 * i, b = first + 2 * ((i + 1) % n);
        add_triangle(s, a, b, b + 1);
        add_triangle(s, a, b + 1, a + 1);
        if (i > 0 && i + 1 < n) {
            add_triangle(s, first + 1, a + 1, b + 1);
        }
    }
}

static void add_block(soup *s, float x, float z, float width, float depth, double angle, float low,
                      float high)
{
    const float c = (float)cos(angle), k = (float)sin(angle);
    const float sides[4][2] = {{-1, -1}, {-1, 1}, {1, 1}, {1, -1}};
    float outline[4][2];
    for (int i = 0; i < 4; ++i) {
        const float u = sides[i][0] * width / 2, v = sides[i][1] * depth / 2;
        outline[i][0] = x + u * c - v * k;
        outline[i][1] = z + u * k + v * c;
    }
    add_prism(s, 4, (const float(*)[2])outline, low, high);
}

// Rows of shelves with narrow aisles, a few of which stand askew.
static void make_shop(soup *s, uint64_t *random)
{
    add_block(s, 0, 0, 40, 30, 0.0, -1, 0);
    for (int row = 0; row < 9; ++row) {
        for (int i = 0; i < 5; ++i) {
            const double askew = (double)corpus_random_fraction(random) - 0.5;
            const float length = 3.0f + 4.0f * corpus_random_fraction(random);
            add_block(s, (float)i * 7.5f - 15.0f, (float)row * 3.1f - 12.5f, length, 0.9f,
                      row % 3 == 0 ? 0.2 * askew : 0.0, -0.5f, 1.8f);
        }
    }
}

// Round walls with gates, and pillars of five to nine sides in between.
static void make_arena(soup *s, uint64_t *random)
{
    add_block(s, 0, 0, 60, 60, 0.1, -1, 0);
    for (int ring = 0; ring < 3; ++ring) {
        const int parts = 24 + 12 * ring;
        const double radius = 8.0 + 7.5 * ring;
        for (int i = 0; i < parts; ++i) {
            const double angle = TURN * (i + 0.3 * ring) / parts;
            if (i % 9 < 7) {
                add_block(s, (float)(radius * cos(angle)), (float)(radius * sin(angle)), 0.5f,
                          (float)(radius * TURN / parts) + 0.1f, angle, -0.5f, WALL_HEIGHT);
            }
        }
    }
    for (int i = 0; i < 60; ++i) {
        float outline[9][2];
        const uint32_t n = 5 + (uint32_t)(corpus_random(random) >> 32) % 5;
        const float x = 50.0f * (corpus_random_fraction(random) - 0.5f);
        const float z = 50.0f * (corpus_random_fraction(random) - 0.5f);
        for (uint32_t k = 0; k < n; ++k) {
            const double angle = -TURN * k / n;
            outline[k][0] = x + 0.7f * (float)cos(angle);
            outline[k][1] = z + 0.7f * (float)sin(angle);
        }
        add_prism(s, n, (const float(*)[2])outline, -0.5f, WALL_HEIGHT);
    }
}

// Blocks of all heights at all angles, one over the other: borders of floors are cliffs, slits and
// slivers.
static void make_rubble(soup *s, uint64_t *random)
{
    add_block(s, 0, 0, 50, 50, 0.05, -1, 0);
    for (int i = 0; i < 300; ++i) {
        const float x = 48.0f * (corpus_random_fraction(random) - 0.5f);
        const float z = 48.0f * (corpus_random_fraction(random) - 0.5f);
        const float length = 1.0f + 5.0f * corpus_random_fraction(random);
        const float width = 0.5f + 3.0f * corpus_random_fraction(random);
        const double angle = TURN * (double)corpus_random_fraction(random);
        const float high = 3.0f * corpus_random_fraction(random);
        add_block(s, x, z, length, width, angle, high - 0.3f, high);
    }
}

static void visit_made(const char *kind, void (*make)(soup *, uint64_t *), uint64_t seed,
                       corpus_visit visit)
{
    static soup s;
    char name[64];
    uint64_t random = seed;
    s.vertex_count = s.triangle_count = 0;
    make(&s, &random);
    const nav_geometry geometry = {.vertices = s.vertices,
                                   .triangles = s.triangles,
                                   .vertex_count = s.vertex_count,
                                   .triangle_count = s.triangle_count};
    snprintf(name, sizeof name, "%s-%u", kind, (unsigned)seed);
    visit(name, &geometry);
}

void corpus_made(corpus_visit visit)
{
    for (uint64_t seed = 1; seed <= 2; ++seed) {
        visit_made("shop", make_shop, seed, visit);
        visit_made("arena", make_arena, seed, visit);
        visit_made("rubble", make_rubble, seed, visit);
    }
}
