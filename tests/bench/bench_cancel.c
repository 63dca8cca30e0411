// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// bench_cancel.c: how long a bake goes on between two questions whether it is to end: a city as one
// tile, in each partition, step by step, from the level to the mesh's landmarks. A cancel waits for
// the longest of these gaps, and is to be obeyed within 100 ms.
//
//   bench_cancel [BLOCKS]      a side; 22, which is 500,000 triangles
//
// Times are CPU times of this one thread, so that other work on the machine counts as little as can
// be.

#include "proto/base/status.h"
#include "server/base/pack.h"
#include "tests/levels/levels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// The goal for each gap.
#define GAP_MS_MAX 100.0

// A step, and what was noted while it ran.
typedef struct step {
    const char *name;
    uint64_t ns, longest_ns;
    uint32_t questions;
} step;

#define STEPS_MAX 32

typedef struct watch {
    step steps[STEPS_MAX];
    uint32_t count; // the last one runs
    uint64_t begun_ns, asked_ns;
} watch;

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void note(watch *w)
{
    const uint64_t now = now_ns();
    step *s = &w->steps[w->count - 1];
    const uint64_t gap_ns = now - w->asked_ns;
    s->longest_ns = gap_ns > s->longest_ns ? gap_ns : s->longest_ns;
    s->ns += gap_ns;
    w->asked_ns = now;
}

static bool asked(void *user)
{
    watch *w = user;
    note(w);
    ++w->steps[w->count - 1].questions;
    return false;
}

// The step before ends here, as if it had been asked.
static void begin(watch *w, const char *name)
{
    if (w->count > 0) {
        note(w);
    }
    w->asked_ns = now_ns();
    for (uint32_t i = 0; i < w->count; ++i) {
        if (strcmp(w->steps[i].name, name) == 0) {
            const step again = w->steps[i];
            memmove(&w->steps[i], &w->steps[i + 1], (w->count - i - 1) * sizeof again);
            w->steps[w->count - 1] = again;
            return;
        }
    }
    if (w->count == STEPS_MAX) {
        fputs("more steps than there is room for\n", stderr);
        exit(1);
    }
    w->steps[w->count++] = (step){.name = name};
}

static void begin_stage(void *user, nav_stage stage)
{
    begin(user, nav_stage_word(stage));
}

static void must(nav_status status, const nav_error *err)
{
    if (status != NAV_OK) {
        fprintf(stderr, "%s: %s\n", proto_status_word(status), err->detail);
        exit(1);
    }
}

static void print(const watch *w)
{
    for (uint32_t i = 0; i < w->count; ++i) {
        const step *s = &w->steps[i];
        const double longest_ms = (double)s->longest_ns / 1e6;
        printf("  %-12s %9.1f %10u %9.1f%s\n", s->name, (double)s->ns / 1e6, s->questions,
               longest_ms, longest_ms > GAP_MS_MAX ? "  too long" : "");
    }
}

static void run(const nav_geometry *geometry, nav_partition partition, const char *name)
{
    nav_config config = nav_config_default();
    config.partition = partition;
    config.tile_cells = 0;
    watch w = {0};
    const nav_bake_hooks hooks = {.user = &w, .cancelled = asked, .stage = begin_stage};
    nav_arena scratch, result;
    nav_arena_init(&scratch, NULL, 0);
    nav_arena_init(&result, NULL, 0);
    nav_grid grid;
    nav_blob blob, landmarks;
    nav_bake_report report = {0};
    nav_error err;
    uint8_t key[32];
    begin(&w, "plan");
    must(nav_bake_plan_until(geometry, &config, 0, &hooks, &grid, &err), &err);
    begin(&w, "key");
    must(nav_tile_key(geometry, &config, &grid, NULL, 0, 0, &hooks, &scratch, key), &err);
    must(nav_bake_tile(geometry, &config, &grid, NULL, 0, 0, &hooks, &scratch, &result, &blob,
                       &report, &err),
         &err);
    begin(&w, "name");
    nav_sha256 hash;
    nav_sha256_init(&hash);
    nav_sha256_add(&hash, blob.bytes, blob.size_bytes);
    nav_sha256_end(&hash, key);
    begin(&w, "pack");
    void *packed, *unpacked;
    size_t packed_bytes;
    must(pack_compress_until(blob.bytes, blob.size_bytes, &hooks, &packed, &packed_bytes, &err),
         &err);
    begin(&w, "unpack");
    must(pack_decompress(packed, packed_bytes, blob.size_bytes, &unpacked, &err), &err);
    begin(&w, "mesh");
    nav_mesh *mesh;
    must(nav_mesh_create_until(&blob, 1, &config, 0, &hooks, NULL, &mesh, &report, &err), &err);
    begin(&w, "landmarks");
    nav_landmarks_make(mesh, &hooks, &scratch, &result, &landmarks);
    begin(&w, "end");
    printf("%s: %u x %u cells, %llu polygons, %.1f MB, packed %.1f MB\n", name, grid.width_cells,
           grid.depth_cells, (unsigned long long)report.polygons, (double)blob.size_bytes / 1e6,
           (double)packed_bytes / 1e6);
    --w.count;
    print(&w);
    nav_mesh_release(mesh);
    free(packed);
    free(unpacked);
    nav_arena_free(&result);
    nav_arena_free(&scratch);
}

int main(int argc, char **argv)
{
    const uint32_t blocks = argc > 1 ? (uint32_t)atoi(argv[1]) : 22;
    level_mesh level;
    if (!levels_generate(LEVEL_CITY, blocks, 1, &level)) {
        fputs("there is no city of this size\n", stderr);
        return 1;
    }
    const nav_geometry geometry = levels_geometry(&level);
    printf("%u triangles; step, ms, questions, longest gap in ms\n", geometry.triangle_count);
    run(&geometry, NAV_PARTITION_WATERSHED, "watershed");
    run(&geometry, NAV_PARTITION_MONOTONE, "monotone");
    run(&geometry, NAV_PARTITION_LAYERS, "layers");
    levels_free(&level);
    return 0;
}
