// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// main.c: oracle_exports: our meshes, exported as MSET, loaded and searched by Detour itself,
// beside our own paths over them and beside Detour's over tiles that its own builder made of the
// same polygons. Prints what became of the paths and lines "ok" / "not ok"; the exit code is 1
// where one does not hold.

#include "proto/exports/exports.h"
#include "tests/bench/query_world.h"
#include "tests/oracle/corpus.h"
#include "tests/oracle/detour_queries.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATHS 2000u
#define LINKS 40u

// Detour's paths over the export are so much longer at most, in sum, than over tiles that its
// builder made of the same polygons. Vertices of these lie a step of a float beside ours, which far
// from the origin turns its search now and then.
#define BUILT_RATIO_MAX 1.01

// Two costs of one way that differ by no more are the same: sums of floats over hundreds of metres.
static double tolerance(double cost)
{
    return 1e-3 + 1e-5 * cost;
}

static void expect(bool holds, const char *level, const char *what, double value)
{
    printf("%s %s: %s %.6g\n", holds ? "ok" : "not ok", level, what, value);
    corpus_failures += !holds;
}

// The bytes of a whole mesh as MSET, to be freed, or NULL and why.
static char *export_mesh(const nav_mesh *mesh, size_t *size_bytes, nav_error *err)
{
    const proto_export what = {.mesh = "level", .version = 1, .nav = mesh};
    proto_writer w;
    nav_arena scratch;
    nav_arena_init(&scratch, NULL, 0);
    proto_writer_init(&w);
    const nav_status status = proto_export_write(&w, &what, PROTO_EXPORT_MSET, &scratch, err);
    char *bytes = status == NAV_OK ? proto_writer_take(&w, size_bytes) : NULL;
    proto_writer_free(&w);
    nav_arena_free(&scratch);
    return bytes;
}

// The mesh as Detour loads it, or NULL after a line "not ok".
static detour_mesh *load(const char *level, const nav_mesh *mesh)
{
    nav_error err = {0};
    size_t size_bytes = 0;
    const char *why = "";
    char *bytes = export_mesh(mesh, &size_bytes, &err);
    detour_mesh *out = bytes != NULL ? detour_load(bytes, size_bytes, &why) : NULL;
    if (out == NULL) {
        printf("not ok %s: %s%s\n", level, err.detail, why);
        corpus_failures++;
    }
    free(bytes);
    return out;
}

// ---- the same ground ----

typedef struct tally {
    uint32_t asked;
    uint32_t other_reach;   // than ours
    uint32_t shorter;       // than ours, although ours is proven shortest
    double ours, theirs;    // costs of what both complete
    double exported, built; // theirs, of the export and of tiles that Detour's builder made
} tally;

// Whether an end lies on ground that is open: off it either side takes some other place nearby.
static bool is_open(const query_world *world, const float point[3])
{
    nav_location place;
    const nav_snap snap = {0.01f, 0.5f, 0.5f};
    return nav_query_nearest(world->ours, point, snap, NAV_NONE, &place, 1) == 1 &&
           detour_is_open(world->theirs, place.polygon);
}

static nav_path ask_ours(const query_world *world, nav_scratch *scratch, const query_pair *pair,
                         const nav_filter *filter)
{
    nav_path path;
    nav_path_request request = {
        .options = nav_options_default(), .no_partial = true, .search = NAV_SEARCH_EXACT};
    request.options.filter = filter;
    memcpy(request.start, pair->start, sizeof request.start);
    memcpy(request.end, pair->end, sizeof request.end);
    const nav_status status = nav_query_path(world->ours, scratch, &request, &path);
    NAV_ASSERT(status == NAV_OK);
    return path;
}

static void compare_pair(const query_world *world, detour_mesh *loaded, nav_scratch *scratch,
                         const query_pair *pair, bool weighted, tally *t)
{
    if (!is_open(world, pair->start) || !is_open(world, pair->end)) {
        return;
    }
    const nav_filter filter = query_filter();
    const nav_path ours = ask_ours(world, scratch, pair, weighted ? &filter : NULL);
    const bool reached = ours.status == NAV_PATH_COMPLETE;
    const detour_path exported = detour_find_path(loaded, pair->start, pair->end, weighted);
    const double cost = exported.complete ? detour_path_cost(loaded) : 0.0;
    const detour_path built = detour_find_path(world->theirs, pair->start, pair->end, weighted);
    const double built_cost = built.complete ? detour_path_cost(world->theirs) : 0.0;
    t->asked++;
    t->other_reach += reached != exported.complete;
    if (exported.complete && built.complete) {
        t->exported += cost;
        t->built += built_cost;
    }
    if (reached && exported.complete) {
        t->ours += ours.cost;
        t->theirs += cost;
        t->shorter += cost + tolerance(cost) < ours.lower_bound;
    }
}

static void compare_paths(const query_world *world, detour_mesh *loaded, bool weighted)
{
    tally t = {0};
    nav_scratch *scratch;
    char level[96];
    NAV_ASSERT(nav_scratch_create(NULL, &scratch) == NAV_OK);
    query_filter_detour(loaded, weighted);
    query_filter_detour(world->theirs, weighted);
    for (uint32_t i = 0; i < world->pair_count; i++) {
        compare_pair(world, loaded, scratch, &world->pairs[i], weighted, &t);
    }
    for (uint32_t i = 0; i < world->parted_count; i++) {
        compare_pair(world, loaded, scratch, &world->parted[i], weighted, &t);
    }
    snprintf(level, sizeof level, "%s%s", world->name, weighted ? ", filter" : "");
    expect(t.asked >= (weighted ? PATHS * 3 / 4 : PATHS), level, "paths", t.asked);
    expect(t.other_reach == 0, level, "another verdict on reachability than ours", t.other_reach);
    expect(t.shorter == 0, level, "shorter than what is proven shortest", t.shorter);
    expect(t.ours <= t.theirs, level, "cost in sum, ours of theirs", t.ours / t.theirs);
    expect(t.exported <= BUILT_RATIO_MAX * t.built, level,
           "cost in sum, of that over tiles of Detour's builder", t.exported / t.built);
    nav_scratch_destroy(scratch);
}

static int compare_numbers(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

#define NEIGHBOURS_MAX 64u

// Detour has linked each polygon to the very ones that ours leads to, over tiles' borders as well.
static void compare_neighbours(const query_world *world, const detour_mesh *loaded)
{
    uint32_t other = 0;
    for (uint32_t i = 0; i < world->polygons; i++) {
        nav_edge_portal portals[NEIGHBOURS_MAX];
        uint32_t ours[NEIGHBOURS_MAX] = {0}, theirs[NEIGHBOURS_MAX] = {0};
        const uint32_t count = nav_mesh_edge_portals(world->ours, i, portals, NEIGHBOURS_MAX);
        const uint32_t links = detour_links(loaded, i, theirs, NEIGHBOURS_MAX);
        for (uint32_t k = 0; k < count && k < NEIGHBOURS_MAX; k++) {
            ours[k] = portals[k].to;
        }
        qsort(ours, count, sizeof *ours, compare_numbers);
        qsort(theirs, links, sizeof *theirs, compare_numbers);
        other += count != links || memcmp(ours, theirs, sizeof ours) != 0;
    }
    expect(other == 0, world->name, "polygons that Detour links to others than ours", other);
}

// Detail that Detour's bytes do not hold is refused by the setting, and nothing else is.
static bool is_refused(const query_world *world)
{
    nav_error err = {0};
    size_t size_bytes;
    uint32_t flat = 0;
    char *bytes = export_mesh(world->ours, &size_bytes, &err);
    for (uint32_t i = 0; i < world->polygons; i++) {
        flat += detour_is_flat(world->theirs, i);
    }
    free(bytes);
    if (bytes == NULL && err.status == PROTO_NOT_EXPORTABLE) {
        expect(flat > 0 && strcmp(err.at, "detail_sample_distance") == 0, world->name,
               "refused, polygons with too much detail", flat);
        return true;
    }
    expect(flat == 0, world->name, "polygons with too much detail", flat);
    return false;
}

static void compare_world(const char *level, const nav_geometry *geometry, uint32_t tile_cells)
{
    query_world world;
    char name[64];
    snprintf(name, sizeof name, "%s/%u", level, tile_cells);
    query_world_make_tiled(&world, name, geometry, tile_cells, PATHS);
    detour_mesh *loaded = is_refused(&world) ? NULL : load(name, world.ours);
    if (loaded != NULL) {
        compare_neighbours(&world, loaded);
        compare_paths(&world, loaded, false);
        compare_paths(&world, loaded, true);
    }
    detour_free(loaded);
    query_world_free(&world);
}

static void compare_level(const char *level, const nav_geometry *geometry)
{
    compare_world(level, geometry, 0);
    compare_world(level, geometry, 64);
}

// ---- links ----

// Random links between places of a level, to and fro or one way, that end in the same tile as they
// begin or in one beside it.
static uint32_t make_links(const nav_mesh *mesh, uint32_t polygons, float tile_side,
                           const float origin[3], nav_link *out)
{
    uint64_t state = 7;
    uint32_t count = 0;
    while (count < LINKS) {
        nav_link link = {.radius = 0.5f, .area = NAV_AREA_GROUND, .bidirectional = count % 3 != 0};
        corpus_random_point(mesh, polygons, &state, link.start);
        corpus_random_point(mesh, polygons, &state, link.end);
        corpus_put_on_ground(mesh, NAV_NONE, link.start);
        corpus_put_on_ground(mesh, NAV_NONE, link.end);
        bool near = true;
        for (int axis = 0; axis < 3; axis += 2) {
            const float from = floorf((link.start[axis] - origin[axis]) / tile_side);
            const float to = floorf((link.end[axis] - origin[axis]) / tile_side);
            near = near && fabsf(from - to) <= 1.0f;
        }
        if (near) {
            out[count++] = link;
        }
    }
    return count;
}

static void compare_linked(const char *name, const nav_mesh *ours, detour_mesh *loaded)
{
    nav_mesh_stats stats;
    nav_scratch *scratch;
    uint64_t state = 42;
    uint32_t other = 0, shorter = 0, over_links = 0;
    double our_cost = 0.0, their_cost = 0.0;
    nav_mesh_stats_get(ours, &stats);
    NAV_ASSERT(nav_scratch_create(NULL, &scratch) == NAV_OK);
    expect(stats.links == LINKS, name, "links", stats.links);
    for (uint32_t i = 0; i < PATHS; i++) {
        const query_world world = {.ours = (nav_mesh *)ours};
        query_pair pair;
        corpus_random_point(ours, stats.polygons, &state, pair.start);
        corpus_random_point(ours, stats.polygons, &state, pair.end);
        corpus_put_on_ground(ours, NAV_NONE, pair.start);
        corpus_put_on_ground(ours, NAV_NONE, pair.end);
        const nav_path path = ask_ours(&world, scratch, &pair, NULL);
        const bool reached = path.status == NAV_PATH_COMPLETE;
        const detour_path theirs = detour_find_path(loaded, pair.start, pair.end, false);
        other += reached != theirs.complete;
        over_links += theirs.connections > 0;
        if (reached && theirs.complete) {
            const double cost = detour_path_cost(loaded);
            our_cost += path.cost;
            their_cost += cost;
            shorter += cost + tolerance(cost) < path.lower_bound;
        }
    }
    nav_scratch_destroy(scratch);
    expect(other == 0, name, "another verdict on reachability than ours", other);
    expect(over_links >= PATHS / 20, name, "paths of theirs over links", over_links);
    expect(shorter == 0, name, "shorter than what is proven shortest", shorter);
    expect(our_cost <= their_cost, name, "cost in sum, ours of theirs", our_cost / their_cost);
}

// A level with links of the settings, as one tile or several.
static void compare_links(const char *level, const nav_geometry *geometry)
{
    static const uint32_t SIDES[] = {0, 128};
    for (size_t i = 0; i < sizeof SIDES / sizeof *SIDES; i++) {
        nav_error err = {0};
        nav_config config = nav_config_default();
        nav_link links[LINKS];
        nav_mesh_stats stats;
        nav_mesh_grid grid;
        char name[64];
        snprintf(name, sizeof name, "%s/%u, links", level, SIDES[i]);
        config.tile_cells = SIDES[i];
        nav_mesh *bare = corpus_bake(geometry, &config, &err);
        NAV_ASSERT(bare != NULL);
        nav_mesh_stats_get(bare, &stats);
        nav_mesh_grid_get(bare, &grid);
        const float side = SIDES[i] > 0 ? (float)SIDES[i] * grid.cell_size : 1e6f;
        config.link_count = make_links(bare, stats.polygons, side, grid.min, links);
        config.links = links;
        nav_mesh *mesh = corpus_bake(geometry, &config, &err);
        NAV_ASSERT(mesh != NULL);
        detour_mesh *loaded = load(name, mesh);
        if (loaded != NULL) {
            compare_linked(name, mesh, loaded);
        }
        detour_free(loaded);
        nav_mesh_release(mesh);
        nav_mesh_release(bare);
    }
}

int main(void)
{
    corpus_generated(LEVEL_TOWN, 3, 1, compare_links);
    corpus_generated(LEVEL_DUNGEON, 3, 1, compare_links);
    corpus_files(compare_level);
    corpus_generated(LEVEL_TOWN, 3, 1, compare_level);
    corpus_generated(LEVEL_DUNGEON, 3, 1, compare_level);
    corpus_generated(LEVEL_TERRAIN, 64, 1, compare_level);
    corpus_generated(LEVEL_CITY, 3, 1, compare_level);
    return corpus_failures == 0 ? 0 : 1;
}
