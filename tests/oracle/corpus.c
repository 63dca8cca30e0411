// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// corpus.c: the levels of the oracle programs, generated or read from files, and their bake.

#include "corpus.h"

#include "proto/geometry/upload.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARENA_LIMIT_BYTES ((size_t)2 << 30)

int corpus_failures;

uint64_t corpus_random(uint64_t *state)
{
    // Marsaglia 2003, xorshift64*.
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * UINT64_C(0x2545f4914f6cdd1d);
}

float corpus_random_fraction(uint64_t *state)
{
    return (float)(corpus_random(state) >> 40) / 16777216.0f;
}

void corpus_random_in_triangle(const float a[3], const float b[3], const float c[3],
                               uint64_t *state, float out[3])
{
    float u = corpus_random_fraction(state), v = corpus_random_fraction(state);
    if (u + v > 1) {
        u = 1 - u;
        v = 1 - v;
    }
    for (int axis = 0; axis < 3; ++axis) {
        out[axis] = a[axis] + u * (b[axis] - a[axis]) + v * (c[axis] - a[axis]);
    }
}

nav_polygon corpus_random_point(const nav_mesh *mesh, uint32_t polygons, uint64_t *state,
                                float out[3])
{
    const nav_polygon p = nav_mesh_polygon(mesh, (uint32_t)(corpus_random(state) >> 32) % polygons);
    const uint32_t i = 1 + (uint32_t)(corpus_random(state) >> 32) % (p.vertex_count - 2);
    const float *a = nav_mesh_vertex(mesh, p.vertices[0]);
    const float *b = nav_mesh_vertex(mesh, p.vertices[i]);
    const float *c = nav_mesh_vertex(mesh, p.vertices[i + 1]);
    corpus_random_in_triangle(a, b, c, state, out);
    return p;
}

void corpus_put_on_ground(const nav_mesh *mesh, uint32_t component, float point[3])
{
    nav_location ground;
    if (nav_query_nearest(mesh, point, (nav_snap){1, 50, 50}, component, &ground, 1) > 0) {
        memcpy(point, ground.position, sizeof ground.position);
    }
}

void corpus_generated(level_kind kind, uint32_t size, uint64_t seed, corpus_visit visit)
{
    char name[64];
    level_mesh level;
    snprintf(name, sizeof name, "%s-%u-%u", levels_kind_word(kind), size, (unsigned)seed);
    if (!levels_generate(kind, size, seed, &level)) {
        printf("not ok %s: cannot be generated\n", name);
        ++corpus_failures;
        return;
    }
    nav_geometry geometry = levels_geometry(&level);
    visit(name, &geometry);
    levels_free(&level);
}

// Feeds a whole file to the reader; false when it cannot be read.
static bool feed_file(const char *path, proto_geometry_reader *reader, nav_error *err)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        nav_fail(err, PROTO_INTERNAL, "%s cannot be opened", path);
        return false;
    }
    char buffer[65536];
    size_t size;
    nav_status status = NAV_OK;
    while (status == NAV_OK && (size = fread(buffer, 1, sizeof buffer, file)) > 0) {
        status = proto_geometry_feed(reader, buffer, size, err);
    }
    fclose(file);
    return status == NAV_OK;
}

static void visit_file(const char *folder, const char *name, corpus_visit visit)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    proto_geometry_limits limits = proto_geometry_limits_default();
    proto_geometry_reader *reader = NULL;
    nav_geometry geometry;
    nav_error err = {0};
    if (proto_geometry_begin(PROTO_FORMAT_OBJ, &limits, &reader, &err) == NAV_OK &&
        feed_file(path, reader, &err) && proto_geometry_end(reader, &geometry, &err) == NAV_OK) {
        visit(name, &geometry);
    } else {
        printf("not ok %s: %s\n", name, err.detail);
        ++corpus_failures;
    }
    proto_geometry_destroy(reader);
}

static int is_obj(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return length > 4 && strcmp(entry->d_name + length - 4, ".obj") == 0;
}

void corpus_files(corpus_visit visit)
{
    const char *named = getenv("NAVMESHD_LEVELS");
    const char *folder = named != NULL ? named : "../shared/levels";
    struct dirent **entries;
    int count = scandir(folder, &entries, is_obj, alphasort);
    if (count < 0) {
        printf("# no further levels in %s\n", folder);
        return;
    }
    for (int i = 0; i < count; ++i) {
        visit_file(folder, entries[i]->d_name, visit);
        free(entries[i]);
    }
    free(entries);
}

void corpus_each(corpus_visit visit)
{
    for (level_kind kind = 0; kind < LEVEL_KIND_COUNT; ++kind) {
        corpus_generated(kind, levels_size_default(kind), 1, visit);
        corpus_generated(kind, levels_size_default(kind), 2, visit);
    }
    corpus_files(visit);
}

// ---- baking ----

static nav_status bake_tiles(const nav_geometry *geometry, const nav_config *config,
                             const nav_grid *grid, const nav_tile_index *index, nav_arena *result,
                             nav_blob *blobs, nav_error *err)
{
    nav_arena scratch;
    nav_arena_init(&scratch, NULL, ARENA_LIMIT_BYTES);
    nav_status status = NAV_OK;
    for (uint32_t t = 0; status == NAV_OK && t < grid->tiles_x * grid->tiles_z; ++t) {
        status = nav_bake_tile(geometry, config, grid, index, t % grid->tiles_x, t / grid->tiles_x,
                               NULL, &scratch, result, &blobs[t], NULL, err);
    }
    nav_arena_free(&scratch);
    return status;
}

nav_mesh *corpus_bake(const nav_geometry *geometry, const nav_config *config, nav_error *err)
{
    nav_arena result;
    nav_arena_init(&result, NULL, ARENA_LIMIT_BYTES);
    nav_grid grid;
    nav_tile_index index;
    nav_mesh *mesh = NULL;
    if (nav_bake_plan(geometry, config, 0, &grid, err) == NAV_OK &&
        nav_bake_index(geometry, &grid, NULL, &result, &index, err) == NAV_OK) {
        uint32_t count = grid.tiles_x * grid.tiles_z;
        nav_blob *blobs = NAV_NEW_ZERO(&result, nav_blob, count);
        if (blobs != NULL &&
            bake_tiles(geometry, config, &grid, &index, &result, blobs, err) == NAV_OK) {
            nav_mesh_create(blobs, count, config, NULL, &mesh, NULL, err);
        }
    }
    nav_arena_free(&result);
    return mesh;
}

bool corpus_add_landmarks(nav_mesh *mesh, nav_error *err)
{
    nav_arena scratch, result;
    nav_blob blob;
    nav_arena_init(&scratch, NULL, ARENA_LIMIT_BYTES);
    nav_arena_init(&result, NULL, ARENA_LIMIT_BYTES);
    const bool added = nav_landmarks_make(mesh, NULL, &scratch, &result, &blob) == NAV_OK &&
                       nav_mesh_add_landmarks(mesh, blob, err) == NAV_OK;
    nav_arena_free(&result);
    nav_arena_free(&scratch);
    return added;
}
