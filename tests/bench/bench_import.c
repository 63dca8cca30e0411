// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// bench_import.c: what a file of Detour's tiles costs beside tiles of our own: terrain baked in
// more than 10,000 tiles by Recast, saved as MSET, and by us. Opening is everything from bytes in
// memory to a mesh that answers: here the import as well, which a daemon does once for each file.
//
//   bench_import [SQUARES]        of 2 m, a side; 512, which is 11,449 tiles
//
// Goals: an MSET opens within 3 times our own tiles; its import, one tile after the other, takes no
// more memory than the file once more.

#include "core/nav.h"
#include "proto/detour/detour.h"
#include "tests/levels/levels.h"
#include "tests/oracle/recast_set.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define TILE_CELLS 32u
#define ROUNDS 5
#define OPEN_RATIO_MAX 3.0

static double now_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

typedef struct tiles {
    nav_arena result;
    nav_blob *blobs;
    uint32_t count;
    size_t bytes;
} tiles;

static void add(tiles *t, nav_blob blob)
{
    t->blobs[t->count++] = blob;
    t->bytes += blob.size_bytes;
}

static nav_status bake_ours(const nav_geometry *geometry, const nav_config *config,
                            const nav_grid *grid, tiles *out, nav_error *err)
{
    nav_arena scratch, memory;
    nav_tile_index index;
    nav_arena_init(&scratch, NULL, 0);
    nav_arena_init(&memory, NULL, 0);
    nav_status status = nav_bake_index(geometry, grid, NULL, &memory, &index, err);
    for (uint32_t i = 0; status == NAV_OK && i < grid->tiles_x * grid->tiles_z; i++) {
        nav_blob blob = {0};
        status = nav_bake_tile(geometry, config, grid, &index, i % grid->tiles_x, i / grid->tiles_x,
                               NULL, &scratch, &out->result, &blob, NULL, err);
        add(out, blob);
    }
    nav_arena_free(&scratch);
    nav_arena_free(&memory);
    return status;
}

// The import, and the most memory that it held beside the tiles that it left.
static nav_status import(const void *bytes, size_t size_bytes, nav_config *config, tiles *out,
                         size_t *scratch_bytes, nav_arena *memory, nav_error *err)
{
    nav_arena scratch;
    proto_detour *d = NULL;
    nav_arena_init(&scratch, NULL, 0);
    nav_status status = proto_detour_open(bytes, size_bytes, NULL, &d, err);
    if (status == NAV_OK) {
        status = proto_detour_settings(d, memory, config, err);
    }
    const uint32_t count = status == NAV_OK ? proto_detour_count(d).tiles : 0;
    for (uint32_t i = 0; status == NAV_OK && i < count; i++) {
        nav_blob blob = {0};
        status = proto_detour_tile(d, i, config, NULL, &scratch, &out->result, &blob, NULL, err);
        add(out, blob);
    }
    *scratch_bytes = scratch.peak_bytes + memory->peak_bytes;
    nav_arena_free(&scratch);
    proto_detour_close(d);
    return status;
}

static double open_tiles(const tiles *t, const nav_config *config, nav_error *err)
{
    nav_mesh *mesh = NULL;
    const double began = now_ms();
    NAV_ASSERT(nav_mesh_create(t->blobs, t->count, config, NULL, &mesh, NULL, err) == NAV_OK);
    const double took = now_ms() - began;
    nav_mesh_release(mesh);
    return took;
}

static bool tiles_init(tiles *t, uint32_t room)
{
    *t = (tiles){.blobs = calloc(room, sizeof *t->blobs)};
    nav_arena_init(&t->result, NULL, 0);
    return t->blobs != NULL;
}

static void tiles_free(tiles *t)
{
    nav_arena_free(&t->result);
    free(t->blobs);
}

static bool measure(const nav_geometry *geometry, const nav_config *config, const nav_grid *grid)
{
    const uint32_t room = grid->tiles_x * grid->tiles_z;
    const char *why = "";
    nav_error err = {0};
    size_t set_bytes = 0, scratch_bytes = 0;
    double ours_ms = 1e300, theirs_ms = 1e300, import_ms = 1e300;
    tiles own;
    void *set = recast_set_make(geometry, config, grid, &set_bytes, &why);
    if (set == NULL || !tiles_init(&own, room) ||
        bake_ours(geometry, config, grid, &own, &err) != NAV_OK) {
        fprintf(stderr, "%s %s\n", why != NULL ? why : "", err.detail);
        return false;
    }
    for (int i = 0; i < ROUNDS; i++) {
        tiles theirs;
        nav_config made = nav_config_default();
        nav_arena memory;
        nav_arena_init(&memory, NULL, 0);
        NAV_ASSERT(tiles_init(&theirs, room));
        const double ours = open_tiles(&own, config, &err);
        const double began = now_ms();
        NAV_ASSERT(import(set, set_bytes, &made, &theirs, &scratch_bytes, &memory, &err) == NAV_OK);
        const double imported = now_ms() - began;
        const double all = imported + open_tiles(&theirs, &made, &err);
        ours_ms = ours < ours_ms ? ours : ours_ms;
        theirs_ms = all < theirs_ms ? all : theirs_ms;
        import_ms = imported < import_ms ? imported : import_ms;
        if (i + 1 == ROUNDS) {
            printf("tiles,ours MB,MSET MB,imported MB,ours ms,MSET ms,of that import ms,ratio,"
                   "scratch MB\n%u,%.1f,%.1f,%.1f,%.1f,%.1f,%.1f,%.2f,%.2f\n",
                   theirs.count, (double)own.bytes / 1e6, (double)set_bytes / 1e6,
                   (double)theirs.bytes / 1e6, ours_ms, theirs_ms, import_ms, theirs_ms / ours_ms,
                   (double)scratch_bytes / 1e6);
        }
        tiles_free(&theirs);
        nav_arena_free(&memory);
    }
    tiles_free(&own);
    free(set);
    return theirs_ms <= OPEN_RATIO_MAX * ours_ms && scratch_bytes <= set_bytes;
}

int main(int argc, char **argv)
{
    level_mesh level = {0};
    nav_grid grid;
    nav_error err = {0};
    nav_config config = nav_config_default();
    const uint32_t squares = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 512;
    config.tile_cells = TILE_CELLS;
    if (!levels_generate(LEVEL_TERRAIN, squares, 1, &level)) {
        fprintf(stderr, "no terrain of %u squares\n", squares);
        return 2;
    }
    const nav_geometry geometry = levels_geometry(&level);
    const bool met = nav_bake_plan(&geometry, &config, 0, &grid, &err) == NAV_OK &&
                     measure(&geometry, &config, &grid);
    levels_free(&level);
    printf("%s\n", met ? "goals met" : "a goal is missed");
    return met ? 0 : 1;
}
