// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_tiles.c: the tiles of a bake come out alike on one worker and on many, also where memory
// suffices for one tile at a time only; a budget that is passed names the first tile.

#include "server/jobs/bake/tiles.h"
#include "server/base/service.h"
#include "tests/levels/levels.h"

#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define TILES_X 3u
#define TILES_Z 2u
#define TILES (TILES_X * TILES_Z)

// The results of a run, without its arenas.
typedef struct outcome {
    nav_status status;
    nav_error err;
    uint32_t count;
    uint8_t hashes[TILES][32];
    uint32_t x[TILES], z[TILES];
    uint8_t names[NAV_ALL_AGENTS][32]; // of all agents' tiles together
    uint64_t polygons[NAV_ALL_AGENTS];
    nav_bake_report report;
    uint32_t tiles_done, tiles_total;
    uint64_t steps;
    uint32_t tiles_reused;
} outcome;

typedef struct fixture {
    service service; // first: what the workers are given is the whole
    level_mesh level;
    nav_geometry geometry;
    nav_config config;
    nav_grid grid;
    nav_arena arena;
    nav_tile_index index;
    job_tiles_input input;
    bool cancelled;
    outcome got;
    sem_t ended;
} fixture;

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    assert_true(levels_generate(LEVEL_TOWN, 1, 1, &f->level));
    f->geometry = levels_geometry(&f->level);
    f->config = nav_config_default();
    f->config.tile_cells = 64;
    assert_int_equal(nav_bake_plan(&f->geometry, &f->config, 0, &f->grid, NULL), NAV_OK);
    assert_int_equal(f->grid.tiles_x, TILES_X);
    assert_int_equal(f->grid.tiles_z, TILES_Z);
    nav_arena_init(&f->arena, NULL, 0);
    assert_int_equal(nav_bake_index(&f->geometry, &f->grid, NULL, &f->arena, &f->index, NULL),
                     NAV_OK);
    f->input = (job_tiles_input){
        .geometry = &f->geometry, .config = &f->config, .grid = &f->grid, .index = &f->index};
    assert_int_equal(sem_init(&f->ended, 0, 0), 0);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    nav_arena_free(&f->arena);
    levels_free(&f->level);
    (void)sem_destroy(&f->ended);
    free(f);
    return 0;
}

static void copy_result(const fixture *f, const job_tiles *t, outcome *out)
{
    const job_agent_tiles *baked = &job_tiles_result(t)->agents[0];
    assert_true(baked->count <= TILES);
    out->count = baked->count;
    out->report = baked->report;
    for (uint32_t i = 0; i < job_tiles_result(t)->agent_count; i++) {
        store_tiles_name(baked[i].tiles, baked[i].count, out->names[i]);
        out->polygons[i] = baked[i].report.polygons;
    }
    for (uint32_t i = 0; i < baked->count; i++) {
        memcpy(out->hashes[i], baked->tiles[i].hash, 32);
        out->x[i] = baked->tiles[i].x;
        out->z[i] = baked->tiles[i].z;
        assert_int_equal(baked->tiles[i].bytes, baked->blobs[i].size_bytes);
        // A batch that was due while the others were baked is in the store already.
        assert_true(baked->tiles[i].packed != NULL || f->input.store != NULL);
    }
}

// Commits what a bake leaves to its end, as version 1 of mesh m.
static void commit_rest(fixture *f, const job_tiles *t)
{
    const job_tiles_output *baked = job_tiles_result(t);
    nav_error err;
    assert_int_equal(store_tiles_put(f->input.store, "m", 1, baked->rest, baked->rest_count, &err),
                     NAV_OK);
}

static void bake_all(service *s, job *taken)
{
    fixture *f = (fixture *)s;
    job_tiles *t = NULL;
    f->got = (outcome){0};
    atomic_store(&taken->cancelled, f->cancelled);
    f->got.status = job_tiles_create(&f->input, taken, &t, &f->got.err);
    if (f->got.status == NAV_OK) {
        f->got.status = job_tiles_run(t, s->jobs, &f->got.err);
    }
    if (f->got.status == NAV_OK) {
        copy_result(f, t, &f->got);
        if (f->input.store != NULL) {
            commit_rest(f, t);
        }
    }
    f->got.tiles_reused = atomic_load(&taken->tiles_reused);
    f->got.tiles_done = atomic_load(&taken->tiles_done);
    f->got.tiles_total = atomic_load(&taken->tiles_total);
    f->got.steps = atomic_load(&taken->steps);
    job_tiles_destroy(t);
}

static void count_ended(void *user)
{
    (void)sem_post(&((fixture *)user)->ended);
}

static const outcome *bake(fixture *f, uint32_t workers)
{
    f->input.workers = workers;
    f->service.jobs = jobs_create(workers);
    assert_non_null(f->service.jobs);
    assert_int_equal(jobs_submit(f->service.jobs, "m", 1, false), NAV_OK);
    assert_true(jobs_watch(f->service.jobs, "m", 1, count_ended, f));
    assert_int_equal(jobs_start(f->service.jobs, bake_all, &f->service), NAV_OK);
    assert_int_equal(sem_wait(&f->ended), 0);
    jobs_stop(f->service.jobs);
    jobs_destroy(f->service.jobs);
    // Times differ from run to run; nothing else does.
    memset(f->got.report.stage_ns, 0, sizeof f->got.report.stage_ns);
    return &f->got;
}

static void assert_same(const outcome *got, const outcome *wanted)
{
    assert_int_equal(got->status, NAV_OK);
    assert_int_equal(got->count, wanted->count);
    assert_memory_equal(got->hashes, wanted->hashes, sizeof wanted->hashes);
    assert_memory_equal(got->x, wanted->x, sizeof wanted->x);
    assert_memory_equal(got->z, wanted->z, sizeof wanted->z);
    assert_memory_equal(&got->report, &wanted->report, sizeof wanted->report);
    assert_int_equal(got->tiles_done, TILES);
    assert_int_equal(got->steps, TILES * NAV_STAGE_COUNT);
}

static void any_number_of_workers_gives_the_same(void **state)
{
    fixture *f = *state;
    outcome one = *bake(f, 1);
    assert_int_equal(one.status, NAV_OK);
    assert_int_equal(one.count, TILES);
    assert_int_equal(one.tiles_total, TILES);
    assert_true(one.report.polygons > 0);
    for (uint32_t i = 0; i < TILES; i++) {
        assert_int_equal(one.x[i], i % TILES_X);
        assert_int_equal(one.z[i], i / TILES_X);
    }
    assert_same(&one, &one);
    assert_same(bake(f, 2), &one);
    assert_same(bake(f, 4), &one);
    assert_same(bake(f, 16), &one); // more workers than tiles
}

static void agents_are_baked_together_on_any_number_of_workers(void **state)
{
    static const nav_agent agents[] = {
        {.name = "giant", .radius = 1.5f, .height = 4, .max_climb = 1, .max_slope = 45},
        {.name = "rat", .radius = 0.2f, .height = 0.5f, .max_climb = 0.2f, .max_slope = 30}};
    fixture *f = *state;
    const outcome alone = *bake(f, 1);
    f->config.agents = agents;
    f->config.agent_count = 2;
    const nav_grid widest = nav_grid_widest(&f->grid, &f->config);
    assert_int_equal(nav_bake_index(&f->geometry, &widest, NULL, &f->arena, &f->index, NULL),
                     NAV_OK);
    const outcome one = *bake(f, 1);
    assert_memory_equal(one.hashes, alone.hashes, sizeof one.hashes);
    assert_memory_equal(one.names[0], alone.names[0], 32);
    assert_memory_not_equal(one.names[1], one.names[2], 32);
    assert_true(one.polygons[1] > 0 && one.polygons[2] > 0);
    // Less memory than all workers would take at once.
    f->input.memory_bytes = 3 * alone.report.peak_bytes;
    for (uint32_t workers = 1; workers <= 4; workers++) {
        const outcome *got = bake(f, workers);
        assert_int_equal(got->status, NAV_OK);
        assert_memory_equal(got->names, one.names, sizeof one.names);
        assert_memory_equal(got->polygons, one.polygons, sizeof one.polygons);
        assert_int_equal(got->tiles_total, 3 * TILES);
        assert_int_equal(got->tiles_done, 3 * TILES);
        assert_int_equal(got->steps, 3 * TILES * NAV_STAGE_COUNT);
    }
}

// Other tiles may have the memory for a while, which must not show in what comes out.
static void memory_for_one_tile_at_a_time_suffices(void **state)
{
    fixture *f = *state;
    outcome wanted = *bake(f, 1);
    f->input.memory_bytes = wanted.report.peak_bytes;
    for (uint32_t workers = 1; workers <= 4; workers++) {
        assert_same(bake(f, workers), &wanted);
    }
}

static void too_little_memory_names_the_first_tile(void **state)
{
    fixture *f = *state;
    f->input.memory_bytes = 20000;
    for (uint32_t workers = 1; workers <= 4; workers++) {
        const outcome *got = bake(f, workers);
        assert_int_equal(got->status, NAV_TILE_TOO_COMPLEX);
        assert_int_equal(got->err.status, NAV_TILE_TOO_COMPLEX);
        assert_string_equal(got->err.at, "tile 0,0");
        assert_string_equal(got->err.limit, "20000 bytes");
        assert_int_equal(got->tiles_done, 0);
    }
}

static void time_that_is_over_names_a_tile(void **state)
{
    fixture *f = *state;
    f->input.deadline_ns = 1; // long ago
    for (uint32_t workers = 1; workers <= 4; workers += 3) {
        const outcome *got = bake(f, workers);
        assert_int_equal(got->status, NAV_TILE_TOO_COMPLEX);
        assert_string_equal(got->err.at, "tile 0,0");
        assert_non_null(strstr(got->err.detail, "time"));
    }
    f->input.deadline_ns = UINT64_MAX;
    assert_int_equal(bake(f, 2)->status, NAV_OK);
}

static void cancelled_before_the_first_tile(void **state)
{
    fixture *f = *state;
    f->cancelled = true;
    const outcome *got = bake(f, 2);
    assert_int_equal(got->status, NAV_CANCELLED);
    assert_int_equal(got->tiles_done, 0);
    assert_int_equal(got->steps, 0);
}

static void insert_version(store *disk)
{
    const uint8_t hash[32] = {1};
    uint32_t version = 0;
    bool existing;
    const store_upload row = {.mesh = "m",
                              .content_key = hash,
                              .geometry_hash = hash,
                              .geometry = "g",
                              .geometry_bytes = 1,
                              .geometry_unpacked_bytes = 1,
                              .geometry_json = "{}",
                              .config_json = "{}",
                              .tiles_total = TILES};
    assert_int_equal(store_version_insert(disk, &row, &version, &existing, NULL), NAV_OK);
}

static void remove_store(const char *path)
{
    static const char *const suffixes[] = {"", "-wal", "-shm"};
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        char name[128];
        (void)snprintf(name, sizeof name, "%s%s", path, suffixes[i]);
        (void)unlink(name);
    }
}

// Taken tiles are as baked ones: blobs, places, reports, on any number of workers.
static void the_store_gives_what_was_baked(void **state)
{
    fixture *f = *state;
    outcome baked = *bake(f, 1);
    char directory[] = "/tmp/test_tiles_XXXXXX", path[64];
    assert_non_null(mkdtemp(directory));
    (void)snprintf(path, sizeof path, "%s/t.db", directory);
    assert_int_equal(store_open(path, &f->input.store, NULL), NAV_OK);
    insert_version(f->input.store);
    f->input.reuse = true;
    assert_same(bake(f, 2), &baked);
    assert_int_equal(f->got.tiles_reused, 0);
    for (uint32_t workers = 1; workers <= 4; workers++) {
        assert_same(bake(f, workers), &baked);
        assert_int_equal(f->got.tiles_reused, TILES);
    }
    // Some of the tiles change: the others are taken.
    f->level.vertices[1] += 0.5f;
    (void)bake(f, 4);
    assert_in_range(f->got.tiles_reused, 1, TILES - 1);
    store_close(f->input.store);
    remove_store(path);
    (void)rmdir(directory);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(any_number_of_workers_gives_the_same),
        TEST(agents_are_baked_together_on_any_number_of_workers),
        TEST(memory_for_one_tile_at_a_time_suffices),
        TEST(too_little_memory_names_the_first_tile),
        TEST(time_that_is_over_names_a_tile),
        TEST(cancelled_before_the_first_tile),
        TEST(the_store_gives_what_was_baked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
