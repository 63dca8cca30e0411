// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// sanity.c: levels as they are, in other units, with another axis up, and turned inside out: the
// judgement of each. A level that is right is never suspected; how many of the wrong ones are told
// is a table, with the names of those that are not.

#include "core/nav.h"
#include "tests/oracle/corpus.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum wrong {
    RIGHT,
    CENTIMETRES,
    MILLIMETRES,
    Z_UP,
    REVERSED,
    Z_UP_CENTIMETRES,
    WRONG_COUNT
} wrong;

static const char *const WORDS[WRONG_COUNT] = {"as they are", "centimetres", "millimetres",
                                               "z up",        "reversed",    "z up, centimetres"};

// At least so many of 100 levels must be told. A closed cave turned inside out is a block of rock.
static const double LEAST[WRONG_COUNT] = {1, 1, 1, 0.95, 0.9, 0.95};

static uint32_t told[WRONG_COUNT], levels;

static bool is_right(const nav_sanity *s, wrong how)
{
    switch (how) {
    case RIGHT:
        return s->scale == 1 && s->up == 2 && !s->is_reversed;
    case CENTIMETRES:
        return s->scale == 0.01 && s->up == 2 && !s->is_reversed;
    case MILLIMETRES:
        return s->scale == 0.001 && s->up == 2 && !s->is_reversed;
    case Z_UP:
        return s->scale == 1 && (s->up_is_sided ? s->up : abs(s->up)) == 3 && !s->is_reversed;
    case REVERSED:
        return s->scale == 1 && s->up == 2 && s->is_reversed;
    default:
        return s->scale == 0.01 && (s->up_is_sided ? s->up : abs(s->up)) == 3 && !s->is_reversed;
    }
}

static void spoil(const nav_geometry *g, wrong how, float *vertices, uint32_t *triangles)
{
    const float scale = how == CENTIMETRES || how == Z_UP_CENTIMETRES ? 100.0f
                        : how == MILLIMETRES                          ? 1000.0f
                                                                      : 1.0f;
    for (size_t i = 0; i < 3 * (size_t)g->vertex_count; i += 3) {
        const float *at = g->vertices + i;
        const bool z_up = how == Z_UP || how == Z_UP_CENTIMETRES;
        const float turned[3] = {at[0], z_up ? -at[2] : at[1], z_up ? at[1] : at[2]};
        for (int axis = 0; axis < 3; ++axis) {
            vertices[i + (size_t)axis] = turned[axis] * scale;
        }
    }
    for (size_t i = 0; i < 3 * (size_t)g->triangle_count; i += 3) {
        memcpy(triangles + i, g->triangles + i, 3 * sizeof *triangles);
        if (how == REVERSED) {
            triangles[i] = g->triangles[i + 1];
            triangles[i + 1] = g->triangles[i];
        }
    }
}

static void visit(const char *level, const nav_geometry *geometry)
{
    const nav_config config = nav_config_default();
    float *vertices = malloc(3 * sizeof *vertices * geometry->vertex_count);
    uint32_t *triangles = malloc(3 * sizeof *triangles * geometry->triangle_count);
    if (vertices == NULL || triangles == NULL) {
        printf("not ok %s: no memory\n", level);
        corpus_failures++;
        free(vertices);
        free(triangles);
        return;
    }
    levels++;
    for (wrong how = RIGHT; how < WRONG_COUNT; ++how) {
        nav_geometry spoiled = *geometry;
        nav_sanity s;
        spoil(geometry, how, vertices, triangles);
        spoiled.vertices = vertices;
        spoiled.triangles = triangles;
        nav_geometry_judge(&spoiled, &config, &s);
        told[how] += is_right(&s, how);
        if (!is_right(&s, how)) {
            printf("# %s %s: scale %g, up %d, %s; edges %.4g, steps %.4g, room %.4g, width %.4g; "
                   "%.0f %% of the ground faces up\n",
                   level, WORDS[how], s.scale, s.up, s.is_reversed ? "reversed" : "not reversed",
                   (double)s.edge, (double)s.step, (double)s.gap, (double)s.width,
                   (double)s.ground_up * 100);
        }
    }
    free(vertices);
    free(triangles);
}

int main(void)
{
    static const struct {
        level_kind kind;
        uint32_t sizes[4];
    } more[] = {{LEVEL_TOWN, {1, 2, 5, 12}},
                {LEVEL_DUNGEON, {1, 2, 5, 10}},
                {LEVEL_TERRAIN, {8, 16, 128, 300}},
                {LEVEL_CITY, {1, 3, 5, 10}}};
    corpus_each(visit);
    corpus_made(visit);
    for (size_t i = 0; i < sizeof more / sizeof more[0]; ++i) {
        for (uint32_t k = 0; k < 4; ++k) {
            corpus_generated(more[i].kind, more[i].sizes[k], 3, visit);
        }
    }
    for (wrong how = RIGHT; how < WRONG_COUNT; ++how) {
        const bool enough = told[how] >= LEAST[how] * levels;
        printf("%s %s: %u of %u levels\n", enough ? "ok" : "not ok", WORDS[how], told[how], levels);
        corpus_failures += !enough;
    }
    return corpus_failures > 0;
}
