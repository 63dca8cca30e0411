// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// level.c: the level of a version as its bake had it: geometry and settings from the store, on the
// grid of the mesh, whatever this daemon's memory would choose today. The last one is kept for the
// next question, as people ask about one place after the other.

#include "server/explain/explain.h"

#include "proto/detour/detour.h"
#include "server/jobs/repair.h"
#include "server/meshes/load.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// Only the thread for tasks uses it.
typedef struct kept_level {
    char name[LIMIT_MESH_NAME + 1];
    uint32_t version;        // 0: none is kept
    uint8_t content_key[32]; // of its settings and geometry: a number may come again
    proto_geometry_reader *reader;
    nav_geometry geometry;       // borrowed from reader
    nav_arena settings;          // the config's lists
    nav_config config;           // of all agents
    nav_grid grid;               // of agent 0
    nav_arena index_arena;       // the index
    nav_tile_index index;        // of the widest grid
    const nav_tile_index *lists; // the index; NULL: there is only one tile, or no memory for it
} kept_level;

static pthread_key_t kept_key;
static pthread_once_t kept_once = PTHREAD_ONCE_INIT;

static void drop(kept_level *k)
{
    nav_arena_free(&k->settings);
    nav_arena_free(&k->index_arena);
    proto_geometry_destroy(k->reader);
    *k = (kept_level){0};
}

static void end_thread(void *kept)
{
    drop(kept);
    free(kept);
}

static void make_key(void)
{
    NAV_ASSERT(pthread_key_create(&kept_key, end_thread) == 0);
}

static kept_level *kept_of_thread(void)
{
    NAV_ASSERT(pthread_once(&kept_once, make_key) == 0);
    kept_level *k = pthread_getspecific(kept_key);
    if (k == NULL) {
        k = calloc(1, sizeof *k);
        if (k != NULL && pthread_setspecific(kept_key, k) != 0) {
            free(k);
            k = NULL;
        }
    }
    return k;
}

// ---- from the store ----

static nav_status refuse_tiles(const explaining *e, nav_error *err)
{
    return nav_fail(err, PROTO_NO_GEOMETRY,
                    "version %u was made of another program's tiles: there are no triangles to "
                    "bake again; upload the level itself",
                    e->head.version);
}

static nav_status read_level(explaining *e, kept_level *k, nav_error *err)
{
    store *disk = e->service->store;
    size_t source_bytes;
    nav_arena_init(&k->settings, NULL, LIMIT_CONFIG_MEMORY_BYTES);
    nav_status status = load_config(disk, e->name, e->head.version, &k->settings, &k->config, err);
    NAV_IF_OK(status, load_geometry(disk, e->name, e->head.version, &e->hooks, &k->reader,
                                    &k->geometry, err));
    status = repair_after(e->service, e->name, e->head.version, status, err);
    if (status == NAV_OK && proto_geometry_source(k->reader, &source_bytes) != NULL) {
        status = refuse_tiles(e, err);
    }
    return status == NAV_OK ? proto_geometry_to_mesh(k->reader, k->config.coordinates, err)
                            : status;
}

// The choice of tiles depends on the memory that a bake may take: that was made then. Without the
// lists, all triangles are searched for a tile's.
static nav_status plan(explaining *e, kept_level *k, nav_error *err)
{
    nav_mesh_grid baked;
    nav_mesh_grid_get(e->root, &baked);
    k->config.tile_cells = baked.tile_cells;
    nav_status status = nav_bake_plan_until(&k->geometry, &k->config, 0, &e->hooks, &k->grid, err);
    if (status != NAV_OK || (k->grid.tiles_x == 1 && k->grid.tiles_z == 1)) {
        return status;
    }
    const nav_grid widest = nav_grid_widest(&k->grid, &k->config);
    nav_error ignored = {0};
    nav_arena_init(&k->index_arena, NULL, (size_t)e->service->budget.bake_bytes);
    status = nav_bake_index(&k->geometry, &widest, &e->hooks, &k->index_arena, &k->index, &ignored);
    k->lists = status == NAV_OK ? &k->index : NULL;
    return status == NAV_CANCELLED ? status : NAV_OK;
}

static nav_status load(explaining *e, kept_level *k, const store_version *row)
{
    drop(k);
    nav_status status = read_level(e, k, &e->err);
    NAV_IF_OK(status, plan(e, k, &e->err));
    if (status != NAV_OK) {
        drop(k);
        return status;
    }
    memcpy(k->name, e->name, sizeof k->name);
    memcpy(k->content_key, row->content_key, sizeof k->content_key);
    k->version = e->head.version;
    return NAV_OK;
}

nav_status explain_load(explaining *e)
{
    store_version row;
    kept_level *k = e->kept = kept_of_thread();
    if (k == NULL) {
        return nav_fail(&e->err, NAV_NO_MEMORY, "no memory for the level");
    }
    nav_status status =
        store_version_get(e->service->store, e->name, e->head.version, &row, &e->err);
    if (status != NAV_OK) {
        return status;
    }
    if (k->version != e->head.version || strcmp(k->name, e->name) != 0 ||
        memcmp(k->content_key, row.content_key, sizeof k->content_key) != 0) {
        status = load(e, k, &row);
    }
    store_version_free(&row);
    if (status == NAV_OK) {
        e->level = (explain_level){.geometry = k->geometry,
                                   .config = nav_config_of_agent(&k->config, e->agent_number),
                                   .grid = nav_grid_of_agent(&k->grid, &k->config, e->agent_number),
                                   .index = k->lists};
    }
    return status;
}

// Kept up to kept_bytes, like meshes of versions that are not live.
void explain_unload(explaining *e)
{
    kept_level *k = e->kept;
    if (k != NULL && k->version != 0) {
        const uint64_t elements = (uint64_t)k->geometry.vertex_count + k->geometry.triangle_count;
        const uint64_t lists = k->index_arena.held_bytes + k->settings.held_bytes;
        if (elements * 12 + lists > e->service->limits.kept_bytes) {
            drop(k);
        }
    }
}
