// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// main.c: oracle_imports: levels baked by Recast, saved as MSET, imported (proto/detour), and asked
// for paths beside Detour over the same file.
//
//   level --recast_set.cpp--> MSET --proto_detour_tile--> our mesh --exact, fast--> costs --+
//                              '-------detour_load------> theirs ---detour_find_path-> costs+-->
//                              figures

#include "core/nav.h"
#include "proto/detour/detour.h"
#include "tests/oracle/corpus.h"
#include "tests/oracle/detour.h"
#include "tests/oracle/recast_set.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATHS 2000u

typedef struct figures {
    uint32_t asked, complete, other_reach, longer;
    double ours, theirs; // costs of what both complete
} figures;

static void expect(bool holds, const char *level, const char *what, double value)
{
    printf("%s %s: %s %.6g\n", holds ? "ok" : "not ok", level, what, value);
    corpus_failures += !holds;
}

// Two lengths of one way that differ by no more are the same: sums of floats over hundreds of
// metres. Between tiles Detour keeps the ends of a portal as 255ths of its edge, rounded down: it
// may pass a corner there on the wrong side by so much of a tile's side.
static double tolerance(double cost, double side)
{
    return 1e-3 + 1e-5 * cost + side / 255;
}

static nav_mesh *import(const void *bytes, size_t size_bytes, nav_error *err)
{
    nav_arena memory, scratch, result;
    proto_detour *d = NULL;
    nav_mesh *mesh = NULL;
    nav_config config = nav_config_default();
    nav_arena_init(&memory, NULL, 0);
    nav_arena_init(&scratch, NULL, 0);
    nav_arena_init(&result, NULL, 0);
    nav_status status = proto_detour_open(bytes, size_bytes, NULL, &d, err);
    if (status == NAV_OK) {
        status = proto_detour_settings(d, &memory, &config, err);
    }
    const uint32_t count = status == NAV_OK ? proto_detour_count(d).tiles : 0;
    nav_blob *blobs = calloc((size_t)count + 1, sizeof *blobs);
    NAV_ASSERT(blobs != NULL);
    for (uint32_t i = 0; status == NAV_OK && i < count; i++) {
        status = proto_detour_tile(d, i, &config, NULL, &scratch, &result, &blobs[i], NULL, err);
    }
    if (status == NAV_OK) {
        status = nav_mesh_create(blobs, count, &config, NULL, &mesh, NULL, err);
    }
    free(blobs);
    proto_detour_close(d);
    nav_arena_free(&memory);
    nav_arena_free(&scratch);
    nav_arena_free(&result);
    return mesh;
}

static nav_path ask(const nav_mesh *mesh, nav_scratch *scratch, const float start[3],
                    const float end[3])
{
    nav_path path;
    nav_path_request request = {
        .options = nav_options_default(), .no_partial = true, .search = NAV_SEARCH_EXACT};
    memcpy(request.start, start, sizeof request.start);
    memcpy(request.end, end, sizeof request.end);
    NAV_ASSERT(nav_query_path(mesh, scratch, &request, &path) == NAV_OK);
    return path;
}

static void compare(const nav_mesh *ours, detour_mesh *theirs, double side, figures *f)
{
    uint64_t state = 42;
    nav_mesh_stats stats;
    nav_scratch *scratch = NULL;
    nav_mesh_stats_get(ours, &stats);
    NAV_ASSERT(nav_scratch_create(NULL, &scratch) == NAV_OK);
    for (f->asked = 0; f->asked < PATHS; f->asked++) {
        float start[3], end[3];
        corpus_random_point(ours, stats.polygons, &state, start);
        corpus_random_point(ours, stats.polygons, &state, end);
        corpus_put_on_ground(ours, NAV_NONE, start);
        corpus_put_on_ground(ours, NAV_NONE, end);
        const nav_path path = ask(ours, scratch, start, end);
        const bool reached = path.status == NAV_PATH_COMPLETE;
        const double cost = path.cost;
        const detour_path other = detour_find_path(theirs, start, end, true);
        f->other_reach += reached != other.complete;
        if (reached && other.complete) {
            const double their_cost = detour_path_cost(theirs);
            f->complete++;
            f->ours += cost;
            f->theirs += their_cost;
            f->longer += cost > their_cost + tolerance(their_cost, side);
        }
    }
    nav_scratch_destroy(scratch);
}

static void compare_level(const char *level, const nav_geometry *geometry)
{
    static const uint32_t sides[] = {0, 32, 64};
    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++) {
        nav_config config = nav_config_default();
        nav_grid grid;
        nav_error err = {0};
        const char *why = "";
        char name[96];
        size_t size_bytes = 0;
        config.tile_cells = sides[i];
        snprintf(name, sizeof name, "%s, tiles of %u", level, sides[i]);
        void *bytes = nav_bake_plan(geometry, &config, 0, &grid, &err) == NAV_OK
                          ? recast_set_make(geometry, &config, &grid, &size_bytes, &why)
                          : NULL;
        nav_mesh *ours = bytes != NULL ? import(bytes, size_bytes, &err) : NULL;
        detour_mesh *theirs = bytes != NULL ? detour_load(bytes, size_bytes, &why) : NULL;
        if (ours == NULL || theirs == NULL) {
            printf("not ok %s: %s %s\n", name, err.detail, why != NULL ? why : "");
            corpus_failures++;
        } else {
            figures f = {0};
            compare(ours, theirs, sides[i] * (double)config.cell_size, &f);
            expect(f.complete > PATHS / 20, name, "paths that both complete", f.complete);
            expect(f.other_reach == 0, name, "another verdict on reachability", f.other_reach);
            expect(f.longer == 0, name, "ours longer", f.longer);
            expect(f.ours <= f.theirs, name, "length in sum, ours of theirs", f.ours / f.theirs);
        }
        nav_mesh_release(ours);
        detour_free(theirs);
        free(bytes);
    }
}

int main(void)
{
    corpus_each(compare_level);
    return corpus_failures == 0 ? 0 : 1;
}
