// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// query_world.c: see query_world.h.

#include "query_world.h"

#include "core/tile/tile.h"
#include "tests/oracle/corpus.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARENA_LIMIT_BYTES ((size_t)2 << 30)
// Side in cells of the patches that are painted with one area.
#define PATCH_CELLS 48
#define AREA_COUNT 6

enum {
    FLAG_WALK = 1,
    FLAG_DOOR = 2
};

const float QUERY_COSTS[NAV_AREAS_MAX] = {1.0f, 1.0f, 1.5f, 2.0f, 4.0f, 1.0f};
static const uint16_t AREA_FLAGS[NAV_AREAS_MAX] = {0,         FLAG_WALK, FLAG_WALK,
                                                   FLAG_WALK, FLAG_WALK, FLAG_WALK | FLAG_DOOR};

nav_filter query_filter(void)
{
    nav_filter filter = {.include = FLAG_WALK, .exclude = FLAG_DOOR};
    memcpy(filter.area_costs + 1, QUERY_COSTS + 1, (AREA_COUNT - 1) * sizeof *QUERY_COSTS);
    return filter;
}

void query_filter_detour(detour_mesh *mesh, bool weighted)
{
    float ones[NAV_AREAS_MAX];
    for (int i = 0; i < NAV_AREAS_MAX; ++i) {
        ones[i] = 1.0f;
    }
    if (weighted) {
        memcpy(ones, QUERY_COSTS, AREA_COUNT * sizeof *ones);
    }
    detour_filter(mesh, ones, weighted ? FLAG_WALK : 0xffff, weighted ? FLAG_DOOR : 0);
}

static void fail(const char *level, const char *why)
{
    fprintf(stderr, "%s: %s\n", level, why);
    exit(1);
}

// ---- baking and painting ----

// One patch in twenty is closed to the filter, and eight cost more.
static uint8_t area_at(const int32_t cells[3])
{
    uint64_t state = 1 + (uint64_t)(uint32_t)(cells[0] / PATCH_CELLS) * 2654435761u +
                     (uint64_t)(uint32_t)(cells[2] / PATCH_CELLS) * 40503u;
    corpus_random(&state);
    const uint32_t die = (uint32_t)(corpus_random(&state) >> 32) % 20;
    return (uint8_t)(die < 11 ? 1 : die < 14 ? 2 : die < 17 ? 3 : die < 19 ? 4 : 5);
}

static nav_blob painted(nav_arena *arena, nav_blob blob)
{
    uint8_t *bytes = nav_arena_alloc(arena, 1, blob.size_bytes);
    NAV_ASSERT(bytes != NULL);
    memcpy(bytes, blob.bytes, blob.size_bytes);
    const nav_tile tile = nav_tile_view(bytes);
    nav_tile_polygon *polygons =
        (nav_tile_polygon *)(void *)(bytes + tile.header->offsets[NAV_TILE_POLYGONS]);
    for (uint32_t i = 0; i < tile.header->polygon_count; ++i) {
        polygons[i].area = area_at(tile.vertices[tile.corners[polygons[i].corner_first]]);
    }
    nav_tile_header *header = (nav_tile_header *)(void *)bytes;
    header->checksum = nav_tile_checksum(bytes + 24, blob.size_bytes - 24);
    return (nav_blob){.bytes = bytes, .size_bytes = blob.size_bytes};
}

static nav_blob *bake(query_world *w, const nav_geometry *geometry, uint32_t tile_cells,
                      uint32_t *count, nav_error *err)
{
    nav_config config = nav_config_default();
    config.tile_cells = tile_cells;
    nav_grid grid;
    nav_tile_index index;
    nav_arena scratch;
    nav_arena_init(&scratch, NULL, ARENA_LIMIT_BYTES);
    nav_arena_init(&w->arena, NULL, ARENA_LIMIT_BYTES);
    nav_status status = nav_bake_plan(geometry, &config, 0, &grid, err);
    status =
        status == NAV_OK ? nav_bake_index(geometry, &grid, NULL, &w->arena, &index, err) : status;
    *count = status == NAV_OK ? grid.tiles_x * grid.tiles_z : 0;
    nav_blob *blobs = NAV_NEW_ZERO(&w->arena, nav_blob, *count);
    for (uint32_t t = 0; t < *count && status == NAV_OK; ++t) {
        nav_arena result;
        nav_blob blob;
        nav_arena_init(&result, NULL, 0);
        status = nav_bake_tile(geometry, &config, &grid, &index, t % grid.tiles_x, t / grid.tiles_x,
                               NULL, &scratch, &result, &blob, NULL, err);
        if (status == NAV_OK && blob.size_bytes > 0) {
            blobs[t] = painted(&w->arena, blob);
        }
        nav_arena_free(&result);
    }
    nav_arena_free(&scratch);
    return status == NAV_OK ? blobs : NULL;
}

static nav_mesh *make_mesh(const nav_blob *blobs, uint32_t count, nav_error *err)
{
    static const nav_name flags[] = {"walk", "door"};
    nav_area areas[AREA_COUNT] = {{.name = "none", .cost = 1.0f}};
    for (uint32_t i = 1; i < AREA_COUNT; ++i) {
        snprintf(areas[i].name, sizeof areas[i].name, "area-%u", i);
        areas[i].cost = 1.0f;
        areas[i].flags = AREA_FLAGS[i];
    }
    nav_config config = nav_config_default();
    // Small islands stay: Detour has them, and numbers its polygons as they are in the tiles.
    config.region_min_size = 0;
    config.areas = areas;
    config.area_count = AREA_COUNT;
    config.flag_names = flags;
    config.flag_count = 2;
    nav_mesh *mesh = NULL;
    nav_mesh_create(blobs, count, &config, NULL, &mesh, NULL, err);
    return mesh;
}

// ---- pairs ----

// A point on the ground of a random polygon, and its component.
static uint32_t random_point(const nav_mesh *mesh, uint32_t polygons, uint64_t *state, float out[3])
{
    const nav_polygon p = corpus_random_point(mesh, polygons, state, out);
    corpus_put_on_ground(mesh, p.component, out);
    return p.component;
}

static void make_pairs(query_world *w, uint32_t count)
{
    nav_mesh_stats stats;
    nav_mesh_stats_get(w->ours, &stats);
    w->polygons = stats.polygons;
    w->pairs = NAV_NEW(&w->arena, query_pair, count);
    w->parted = NAV_NEW(&w->arena, query_pair, count);
    uint64_t state = 42;
    for (uint32_t tries = 0; tries < 100 * count && w->pair_count < count; ++tries) {
        query_pair pair;
        const uint32_t from = random_point(w->ours, stats.polygons, &state, pair.start);
        const uint32_t to = random_point(w->ours, stats.polygons, &state, pair.end);
        if (from == to) {
            w->pairs[w->pair_count++] = pair;
        } else if (w->parted_count < count) {
            w->parted[w->parted_count++] = pair;
        }
    }
}

// ---- exported ----

void query_world_make_tiled(query_world *w, const char *name, const nav_geometry *geometry,
                            uint32_t tile_cells, uint32_t pair_count)
{
    *w = (query_world){0};
    snprintf(w->name, sizeof w->name, "%s", name);
    nav_error err = {0};
    uint32_t count = 0;
    const nav_blob *blobs = bake(w, geometry, tile_cells, &count, &err);
    w->ours = blobs != NULL ? make_mesh(blobs, count, &err) : NULL;
    if (w->ours == NULL) {
        fail(name, err.detail);
    }
    if (!corpus_add_landmarks(w->ours, &err)) {
        fail(name, "landmarks");
    }
    const char *why = NULL;
    w->theirs = detour_create(blobs, count, AREA_FLAGS, &why);
    if (w->theirs == NULL) {
        fail(name, why);
    }
    make_pairs(w, pair_count);
}

void query_world_make(query_world *w, const char *name, const nav_geometry *geometry,
                      uint32_t pair_count)
{
    query_world_make_tiled(w, name, geometry, NAV_TILE_CELLS_AUTO, pair_count);
}

void query_world_free(query_world *w)
{
    nav_mesh_release(w->ours);
    detour_free(w->theirs);
    nav_arena_free(&w->arena);
}
