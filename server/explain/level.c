// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// level.c: the level of a version as its bake had it: geometry and settings from the store, on the
// grid of the mesh, whatever this daemon's memory would choose today.

#include "server/explain/explain.h"

#include "proto/detour/detour.h"
#include "server/meshes/load.h"

static nav_status refuse_tiles(const explaining *e, nav_error *err)
{
    return nav_fail(err, PROTO_NO_GEOMETRY,
                    "version %u was made of another program's tiles: there are no triangles to "
                    "bake again; upload the level itself",
                    e->head.version);
}

static nav_status read_level(explaining *e, nav_error *err)
{
    explain_level *l = &e->level;
    store *disk = e->service->store;
    size_t source_bytes;
    nav_status status =
        load_config(disk, e->name, e->head.version, &l->settings, &l->config, NULL, err);
    if (status == NAV_OK) {
        status =
            load_geometry(disk, e->name, e->head.version, &e->hooks, &l->reader, &l->geometry, err);
    }
    if (status == NAV_OK && proto_geometry_source(l->reader, &source_bytes) != NULL) {
        status = refuse_tiles(e, err);
    }
    return status == NAV_OK ? proto_geometry_to_mesh(l->reader, l->config.coordinates, err)
                            : status;
}

// The choice of tiles depends on the memory that a bake may take: that was made then.
static nav_status plan(explaining *e, nav_error *err)
{
    explain_level *l = &e->level;
    nav_mesh_grid baked;
    nav_grid grid;
    nav_mesh_grid_get(e->root, &baked);
    l->config.tile_cells = baked.tile_cells;
    nav_status status = nav_bake_plan_until(&l->geometry, &l->config, 0, &e->hooks, &grid, err);
    if (status == NAV_OK) {
        l->grid = nav_grid_of_body(&grid, &l->config, e->body);
        l->config = nav_config_of_body(&l->config, e->body);
    }
    return status;
}

nav_status explain_load(explaining *e)
{
    nav_arena_init(&e->level.settings, NULL, LIMIT_CONFIG_MEMORY_BYTES);
    nav_status status = read_level(e, &e->err);
    return status == NAV_OK ? plan(e, &e->err) : status;
}

void explain_level_free(explain_level *level)
{
    nav_arena_free(&level->settings);
    proto_geometry_destroy(level->reader);
    *level = (explain_level){0};
}
