// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// main.c: bakes each level twice, here and with recastnavigation, and compares.
//
//   level --nav_bake_tile--> our mesh --nav_query_path--> lengths --+
//         --recast_bake----> theirs   --recast_find_path-> lengths --+--> figures -> ok / not ok
//
// The levels are those of corpus.h. Results are lines "ok" and "not ok" and a sentence.

#include "core/nav.h"
#include "corpus.h"
#include "recast.h"
#include "stages.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PAIRS 2000
#define ARENA_LIMIT_BYTES ((size_t)2 << 30)

// Bounds that hold on every level.
#define AREA_DIFFERENCE_MAX 0.005
#define POLYGON_RATIO_MAX 1.05
#define SAME_VERDICT_MIN 0.995
#define LENGTH_RATIO_MAX 1.01

typedef struct figures {
    uint32_t polygons, their_polygons;
    double area, their_area;
    uint32_t same_verdict, complete_in_both;
    double length, their_length; // sums over the pairs complete in both
} figures;

static void expect(bool holds, const char *level, const char *what, double value, double limit)
{
    printf("%s %s: %s (%.4f, limit %.4f)\n", holds ? "ok" : "not ok", level, what, value, limit);
    corpus_failures += !holds;
}

// ---- our side ----

static nav_mesh *bake_ours(const nav_geometry *geometry, const nav_config *config, nav_error *err)
{
    nav_allocator allocator = nav_allocator_default();
    nav_arena scratch, result;
    nav_arena_init(&scratch, &allocator, ARENA_LIMIT_BYTES);
    nav_arena_init(&result, &allocator, ARENA_LIMIT_BYTES);
    nav_grid grid;
    nav_blob blob;
    nav_mesh *mesh = NULL;
    if (nav_bake_plan(geometry, config, 0, &grid, err) == NAV_OK &&
        nav_bake_tile(geometry, config, &grid, NULL, 0, 0, NULL, &scratch, &result, &blob, NULL,
                      err) == NAV_OK) {
        nav_mesh_create(&blob, blob.size_bytes > 0, config, &allocator, &mesh, NULL, err);
    }
    nav_arena_free(&scratch);
    nav_arena_free(&result);
    return mesh;
}

// ---- random points ----

// A point on a polygon of theirs: a random mix of its first, some and the next corner.
static void random_point(const recast_mesh *theirs, uint64_t *state, float out[3])
{
    uint32_t polygon = (uint32_t)(corpus_random(state) >> 32) % recast_polygon_count(theirs);
    float a[3], b[3], c[3];
    uint32_t corners = 0;
    while (recast_polygon_corner(theirs, polygon, corners, a)) {
        ++corners;
    }
    uint32_t i = 1 + (uint32_t)(corpus_random(state) >> 32) % (corners - 2);
    recast_polygon_corner(theirs, polygon, 0, a);
    recast_polygon_corner(theirs, polygon, i, b);
    recast_polygon_corner(theirs, polygon, i + 1, c);
    corpus_random_in_triangle(a, b, c, state, out);
    recast_drop_on(theirs, polygon, out);
}

static void compare_paths(const nav_mesh *ours, const recast_mesh *theirs, nav_scratch *scratch,
                          figures *f)
{
    uint64_t state = 42;
    for (int pair = 0; pair < PAIRS; ++pair) {
        nav_path_request request = {.options.snap = nav_snap_default()};
        nav_path path;
        random_point(theirs, &state, request.start);
        random_point(theirs, &state, request.end);
        bool answered = nav_query_path(ours, scratch, &request, &path) == NAV_OK;
        recast_path other = recast_find_path(theirs, request.start, request.end);
        bool complete = answered && path.status == NAV_PATH_COMPLETE;
        f->same_verdict += complete == other.complete;
        if (complete && other.complete) {
            ++f->complete_in_both;
            f->length += path.length;
            f->their_length += other.length;
        }
    }
}

// ---- one level ----

static void judge(const char *level, const figures *f)
{
    double difference = fabs(f->area - f->their_area) / f->their_area;
    double polygons = (double)f->polygons / f->their_polygons;
    double same = (double)f->same_verdict / PAIRS;
    double length = f->their_length > 0 ? f->length / f->their_length : 1;
    printf("%-20s %8u %8u %11.1f %11.1f %8.4f %9.4f %7u\n", level, f->polygons, f->their_polygons,
           f->area, f->their_area, same, length, f->complete_in_both);
    expect(difference <= AREA_DIFFERENCE_MAX, level, "walkable area differs by this share",
           difference, AREA_DIFFERENCE_MAX);
    expect(polygons <= POLYGON_RATIO_MAX, level, "polygons, ours / theirs", polygons,
           POLYGON_RATIO_MAX);
    expect(same >= SAME_VERDICT_MIN, level, "share of pairs with the same verdict", same,
           SAME_VERDICT_MIN);
    expect(length <= LENGTH_RATIO_MAX && f->complete_in_both > PAIRS / 100, level,
           "mean path length, ours / theirs", length, LENGTH_RATIO_MAX);
}

// Without a radius walls are as ragged as the geometry, and outlines cross where they are
// simplified.
static void compare_without_radius(const char *level, const nav_geometry *geometry)
{
    for (nav_partition p = NAV_PARTITION_WATERSHED; p <= NAV_PARTITION_LAYERS; ++p) {
        static const char *const words[] = {"watershed", "monotone", "layers"};
        nav_config config = nav_config_default();
        config.tile_cells = 0;
        config.agent_radius = 0.0f;
        config.partition = p;
        nav_error err = {0};
        const char *why = NULL;
        nav_mesh *ours = bake_ours(geometry, &config, &err);
        recast_mesh *theirs = recast_bake(geometry, &config, &why);
        char name[64], sentence[96];
        snprintf(name, sizeof name, "%s, radius 0, %s", level, words[p]);
        if (ours == NULL || theirs == NULL) {
            printf("not ok %s: no mesh (ours: %s, theirs: %s)\n", name, err.detail,
                   theirs == NULL ? why : "fine");
            ++corpus_failures;
        } else {
            nav_mesh_stats stats;
            nav_mesh_stats_get(ours, &stats);
            const uint32_t others = recast_polygon_count(theirs);
            snprintf(sentence, sizeof sentence, "%u polygons / theirs, %u", stats.polygons, others);
            expect((double)stats.polygons <= POLYGON_RATIO_MAX * others, name, sentence,
                   (double)stats.polygons / others, POLYGON_RATIO_MAX);
        }
        nav_mesh_release(ours);
        recast_free(theirs);
    }
}

static void compare_level(const char *level, const nav_geometry *geometry)
{
    nav_config config = nav_config_default();
    config.tile_cells = 0; // as Recast's side is baked
    nav_error err = {0};
    const char *why = NULL;
    nav_scratch *scratch = NULL;
    nav_allocator allocator = nav_allocator_default();
    nav_mesh *ours = bake_ours(geometry, &config, &err);
    recast_mesh *theirs = recast_bake(geometry, &config, &why);
    nav_status status = nav_scratch_create(&allocator, &scratch);
    if (ours == NULL || theirs == NULL || status != NAV_OK) {
        printf("not ok %s: no mesh (ours: %s, theirs: %s)\n", level,
               ours == NULL ? err.detail : "fine", theirs == NULL ? why : "fine");
        ++corpus_failures;
    } else {
        nav_mesh_stats stats;
        nav_mesh_stats_get(ours, &stats);
        figures f = {.polygons = stats.polygons,
                     .area = stats.walkable_area,
                     .their_polygons = recast_polygon_count(theirs),
                     .their_area = recast_walkable_area(theirs)};
        compare_paths(ours, theirs, scratch, &f);
        judge(level, &f);
    }
    nav_scratch_destroy(scratch);
    nav_mesh_release(ours);
    recast_free(theirs);
    compare_without_radius(level, geometry);
    corpus_failures += stages_compare(level, geometry);
}

// --short: of all levels the town, for a run that somebody waits for.
int main(int argc, char **argv)
{
    const bool is_short = argc == 2 && strcmp(argv[1], "--short") == 0;
    if (argc > 1 && !is_short) {
        fprintf(stderr, "usage: oracle [--short]\n");
        return 2;
    }
    printf("%-20s %8s %8s %11s %11s %8s %9s %7s\n", "level", "polygons", "theirs", "area", "theirs",
           "verdict", "length", "pairs");
    if (is_short) {
        corpus_generated(LEVEL_TOWN, 3, 1, compare_level);
    } else {
        corpus_made(compare_without_radius);
        corpus_each(compare_level);
    }
    return corpus_failures == 0 ? 0 : 1;
}
