// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_jobs.c: an upload ends live, a failed bake says why, a queue has an end, and a client that
// waits is called exactly once.

#include "server/jobs/jobs.h"
#include "server/base/pack.h"
#include "server/base/service.h"
#include "server/app/startup.h"
#include "server/api/upload.h"
#include "server/base/events.h"
#include "server/meshes/cache.h"
#include "server/meshes/load_queue.h"
#include "server/meshes/registry.h"

#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define FLOOR "v 0 0 0\nv 20 0 0\nv 20 0 20\nv 0 0 20\nf 1 4 3 2\n"
#define WALL "v 0 0 0\nv 0 10 0\nv 0 0 10\nf 1 2 3\n"

typedef struct fixture {
    char directory[64], path[96];
    service service;
    sem_t done;
} fixture;

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    (void)snprintf(f->directory, sizeof f->directory, "/tmp/test_jobs_XXXXXX");
    assert_non_null(mkdtemp(f->directory));
    (void)snprintf(f->path, sizeof f->path, "%s/t.db", f->directory);
    assert_int_equal(store_open(f->path, &f->service.store, NULL), NAV_OK);
    f->service.limits = limits_default();
    f->service.registry = registry_create();
    f->service.jobs = jobs_create(1);
    f->service.cache = mesh_cache_create(4, 1u << 20);
    f->service.events = events_create(128);
    assert_non_null(f->service.cache);
    assert_non_null(f->service.events);
    assert_non_null(f->service.registry);
    assert_non_null(f->service.jobs);
    assert_int_equal(sem_init(&f->done, 0, 0), 0);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    static const char *const suffixes[] = {"", "-wal", "-shm"};
    jobs_destroy(f->service.jobs);
    events_destroy(f->service.events);
    mesh_cache_destroy(f->service.cache);
    registry_destroy(f->service.registry);
    store_close(f->service.store);
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        char name[128];
        (void)snprintf(name, sizeof name, "%s%s", f->path, suffixes[i]);
        (void)unlink(name);
    }
    (void)rmdir(f->directory);
    (void)sem_destroy(&f->done);
    free(f);
    return 0;
}

static nav_status send_to(fixture *f, const char *mesh, const char *obj, bool restart,
                          upload_outcome *out, nav_error *err)
{
    upload *u;
    assert_int_equal(upload_open(&f->service, mesh, PROTO_FORMAT_OBJ, false, &u, NULL), NAV_OK);
    assert_int_equal(upload_feed(u, obj, strlen(obj), NULL), NAV_OK);
    nav_status status = upload_finish(u, NULL, 0, restart, out, err);
    upload_close(u);
    return status;
}

static nav_status send(fixture *f, const char *mesh, const char *obj, bool restart,
                       upload_outcome *out)
{
    return send_to(f, mesh, obj, restart, out, NULL);
}

static uint32_t send_well(fixture *f, const char *mesh, const char *obj)
{
    upload_outcome outcome;
    assert_int_equal(send(f, mesh, obj, false, &outcome), NAV_OK);
    assert_false(outcome.existing);
    return outcome.version;
}

static void count_done(void *user)
{
    (void)sem_post(&((fixture *)user)->done);
}

static int times_done(fixture *f)
{
    int value;
    assert_int_equal(sem_getvalue(&f->done, &value), 0);
    return value;
}

static store_version get(fixture *f, const char *mesh, uint32_t version)
{
    store_version row = {0};
    assert_int_equal(store_version_get(f->service.store, mesh, version, &row, NULL), NAV_OK);
    return row;
}

static uint32_t live(fixture *f, const char *mesh, uint32_t *polygons)
{
    uint32_t version = 0;
    nav_mesh *found = registry_acquire(f->service.registry, mesh, &version);
    if (found == NULL) {
        return 0;
    }
    nav_mesh_stats stats;
    nav_mesh_stats_get(found, &stats);
    *polygons = stats.polygons;
    nav_mesh_release(found);
    return version;
}

static void an_upload_ends_live(void **state)
{
    fixture *f = *state;
    uint32_t polygons = 0;
    f->service.budget.bake_ns = UINT64_C(3600000000000);
    uint32_t version = send_well(f, "floor", FLOOR);
    assert_int_equal(version, 1);
    assert_true(jobs_watch(f->service.jobs, "floor", 1, count_done, f));
    assert_int_equal(jobs_start(f->service.jobs, job_bake, &f->service), NAV_OK);
    assert_int_equal(sem_wait(&f->done), 0);
    assert_int_equal(live(f, "floor", &polygons), 1);
    assert_true(polygons > 0);
    store_version row = get(f, "floor", 1);
    assert_int_equal(row.state, STORE_READY);
    assert_true(row.active);
    assert_non_null(row.timings_json);
    store_version_free(&row);
    // Ended jobs are not known any more.
    assert_false(jobs_watch(f->service.jobs, "floor", 1, count_done, f));
    upload_outcome again;
    assert_int_equal(send(f, "floor", FLOOR, false, &again), NAV_OK);
    assert_true(again.existing);
    assert_int_equal(again.version, 1);
    jobs_stop(f->service.jobs);
    assert_int_equal(times_done(f), 0);
    // A start finds the same mesh in the store.
    registry_destroy(f->service.registry);
    f->service.limits = limits_default();
    f->service.registry = registry_create();
    loaders *l;
    uint32_t pending;
    f->service.load_queue = load_queue_create(2);
    assert_int_equal(startup_load_list(&f->service, NULL), NAV_OK);
    assert_int_equal(startup_load_begin(&f->service, count_done, f, &l, &pending, NULL), NAV_OK);
    startup_load_end(l);
    load_queue_destroy(f->service.load_queue);
    f->service.load_queue = NULL;
    assert_int_equal(pending, 1);
    uint32_t loaded = 0;
    assert_int_equal(live(f, "floor", &loaded), 1);
    assert_int_equal(loaded, polygons);
}

static void a_failed_bake_says_why(void **state)
{
    fixture *f = *state;
    uint32_t polygons;
    send_well(f, "wall", WALL);
    assert_true(jobs_watch(f->service.jobs, "wall", 1, count_done, f));
    assert_int_equal(jobs_start(f->service.jobs, job_bake, &f->service), NAV_OK);
    assert_int_equal(sem_wait(&f->done), 0);
    jobs_stop(f->service.jobs);
    store_version row = get(f, "wall", 1);
    assert_int_equal(row.state, STORE_FAILED);
    assert_int_equal(row.error.status, NAV_MESH_EMPTY);
    assert_non_null(strstr(row.error.detail, "1 of 1 triangles"));
    store_version_free(&row);
    assert_int_equal(live(f, "wall", &polygons), 0);
}

// The database holds a geometry that unpacks and yet is none.
static void a_damaged_geometry_fails_the_bake(void **state)
{
    fixture *f = *state;
    static const char damaged[] = "this is no geometry, however well it was packed";
    const uint8_t key[32] = {1};
    void *packed = NULL;
    size_t packed_bytes = 0;
    assert_int_equal(pack_compress(damaged, sizeof damaged, &packed, &packed_bytes, NULL), NAV_OK);
    const store_upload sent = {.mesh = "m",
                               .content_key = key,
                               .geometry_hash = key,
                               .geometry = packed,
                               .geometry_bytes = packed_bytes,
                               .geometry_unpacked_bytes = sizeof damaged,
                               .geometry_json = "{}",
                               .config_json = "{}",
                               .tiles_total = 1};
    uint32_t version = 0;
    bool existing = true;
    assert_int_equal(store_version_insert(f->service.store, &sent, &version, &existing, NULL),
                     NAV_OK);
    free(packed);
    assert_int_equal(jobs_submit(f->service.jobs, "m", version, false), NAV_OK);
    assert_true(jobs_watch(f->service.jobs, "m", version, count_done, f));
    assert_int_equal(jobs_start(f->service.jobs, job_bake, &f->service), NAV_OK);
    assert_int_equal(sem_wait(&f->done), 0);
    jobs_stop(f->service.jobs);
    store_version row = get(f, "m", version);
    assert_int_equal(row.state, STORE_FAILED);
    assert_int_equal(row.error.status, PROTO_INTERNAL);
    assert_non_null(
        strstr(row.error.detail, "version 1 of mesh 'm' is damaged in the database: its geometry"));
    store_version_free(&row);
}

// A repair of a version that is no longer there, or not ready, does nothing.
static void a_repair_is_queued_once_and_never_fails_a_version(void **state)
{
    fixture *f = *state;
    send_well(f, "m", FLOOR);
    // Its own bake is about to come.
    assert_int_equal(jobs_submit(f->service.jobs, "m", 1, true), NAV_OK);
    assert_int_equal(jobs_count(f->service.jobs).queued, 1);
    assert_int_equal(jobs_submit(f->service.jobs, "gone", 7, true), NAV_OK);
    assert_int_equal(jobs_submit(f->service.jobs, "gone", 7, true), NAV_OK);
    assert_int_equal(jobs_count(f->service.jobs).queued, 1);
    assert_int_equal(jobs_count(f->service.jobs).repairs, 1);
    assert_true(jobs_watch(f->service.jobs, "gone", 7, count_done, f));
    assert_int_equal(jobs_start(f->service.jobs, job_bake, &f->service), NAV_OK);
    assert_int_equal(sem_wait(&f->done), 0);
    // One that is ready and whole stays what it is, but for the times of its bake.
    store_version before = {0}, after = {0};
    while (jobs_count(f->service.jobs).baking > 0) {
        (void)sched_yield();
    }
    before = get(f, "m", 1);
    assert_int_equal(before.state, STORE_READY);
    assert_int_equal(jobs_submit(f->service.jobs, "m", 1, true), NAV_OK);
    if (jobs_watch(f->service.jobs, "m", 1, count_done, f)) {
        assert_int_equal(sem_wait(&f->done), 0);
    }
    jobs_stop(f->service.jobs);
    after = get(f, "m", 1);
    assert_int_equal(after.state, STORE_READY);
    assert_string_equal(after.blob_json, before.blob_json);
    assert_string_equal(after.stats_json, before.stats_json);
    assert_int_equal(after.tiles_reused, 1);
    assert_string_equal(after.created_at, before.created_at);
    store_version_free(&before);
    store_version_free(&after);
}

static void the_queue_has_an_end(void **state)
{
    fixture *f = *state;
    upload_outcome outcome;
    for (uint32_t i = 0; i < LIMIT_BAKE_QUEUE; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "m%u", i);
        send_well(f, name, FLOOR);
    }
    assert_int_equal(send(f, "more", FLOOR, false, &outcome), PROTO_BAKE_QUEUE_FULL);
    store_mesh mesh;
    assert_int_equal(store_mesh_get(f->service.store, "more", &mesh, NULL), PROTO_MESH_NOT_FOUND);
    job_counts counts = jobs_count(f->service.jobs);
    assert_int_equal(counts.queued, LIMIT_BAKE_QUEUE);
    // A file of the command line does not need a place.
    assert_int_equal(send(f, "file", FLOOR, true, &outcome), NAV_OK);
    jobs_cancel(f->service.jobs, "file", 0);
    // A cancelled one makes room at once.
    jobs_cancel(f->service.jobs, "m7", 0);
    assert_int_equal(send(f, "more", FLOOR, false, &outcome), NAV_OK);
}

// Repairs may be many, and are nobody's uploads.
static void repairs_take_no_place(void **state)
{
    fixture *f = *state;
    upload_outcome outcome;
    nav_error err;
    jobs_set_limit(f->service.jobs, 2);
    for (uint32_t version = 1; version <= 5; version++) {
        assert_int_equal(jobs_submit(f->service.jobs, "old", version, true), NAV_OK);
    }
    send_well(f, "a", FLOOR);
    send_well(f, "b", FLOOR);
    assert_int_equal(send_to(f, "c", FLOOR, false, &outcome, &err), PROTO_BAKE_QUEUE_FULL);
    assert_string_equal(err.limit, "2");
    assert_non_null(strstr(err.detail, "2 versions"));
    job_counts counts = jobs_count(f->service.jobs);
    assert_int_equal(counts.queued, 2);
    assert_int_equal(counts.limit, 2);
    assert_int_equal(counts.repairs, 5);
    jobs_cancel(f->service.jobs, "old", 3);
    assert_int_equal(jobs_count(f->service.jobs).repairs, 4);
    assert_int_equal(jobs_count(f->service.jobs).queued, 2);
}

// The order in which one worker takes jobs, which it only notes.
static char taken_order[8];

static void note_taken(service *s, job *taken)
{
    (void)s;
    const size_t length = strlen(taken_order);
    assert_true(length + 1 < sizeof taken_order);
    taken_order[length] = taken->mesh[0];
    taken_order[length + 1] = '\0';
}

static void uploads_go_before_repairs_that_nobody_waits_for(void **state)
{
    fixture *f = *state;
    taken_order[0] = '\0';
    assert_int_equal(jobs_submit(f->service.jobs, "x", 1, true), NAV_OK);
    assert_int_equal(jobs_submit(f->service.jobs, "live", 1, true), NAV_OK);
    assert_int_equal(jobs_submit(f->service.jobs, "y", 1, true), NAV_OK);
    assert_int_equal(jobs_submit(f->service.jobs, "a", 1, false), NAV_OK);
    assert_int_equal(jobs_submit(f->service.jobs, "b", 1, false), NAV_OK);
    assert_true(jobs_watch(f->service.jobs, "live", 1, count_done, f));
    assert_int_equal(jobs_start(f->service.jobs, note_taken, &f->service), NAV_OK);
    for (job_counts left = jobs_count(f->service.jobs);
         left.queued + left.repairs + left.baking > 0; left = jobs_count(f->service.jobs)) {
        (void)sched_yield();
    }
    jobs_stop(f->service.jobs);
    assert_string_equal(taken_order, "labxy");
    assert_int_equal(times_done(f), 1);
}

static void waiting_ends_with_cancel_and_with_stop(void **state)
{
    fixture *f = *state;
    send_well(f, "a", FLOOR);
    send_well(f, "b", FLOOR);
    assert_true(jobs_watch(f->service.jobs, "a", 1, count_done, f));
    assert_true(jobs_watch(f->service.jobs, "a", 1, count_done, f));
    assert_true(jobs_watch(f->service.jobs, "b", 1, count_done, f));
    assert_false(jobs_watch(f->service.jobs, "b", 2, count_done, f));
    jobs_cancel(f->service.jobs, "a", 1);
    assert_int_equal(times_done(f), 2);
    jobs_stop(f->service.jobs);
    assert_int_equal(times_done(f), 3);
    assert_false(jobs_watch(f->service.jobs, "b", 1, count_done, f));
    // Versions that were not baked wait in the store for the next start.
    jobs_destroy(f->service.jobs);
    f->service.jobs = jobs_create(2);
    assert_int_equal(startup_requeue(&f->service, NULL), NAV_OK);
    assert_int_equal(jobs_count(f->service.jobs).queued, 2);
    job_progress progress = {.running = true};
    assert_true(jobs_progress(f->service.jobs, "b", 1, &progress));
    assert_false(progress.running);
}

static void a_restart_leaves_a_roll_back_alone(void **state)
{
    fixture *f = *state;
    uint32_t polygons;
    upload_outcome outcome;
    store_mesh before;
    uint64_t activation;
    send_well(f, "m", FLOOR);
    send_well(f, "m", FLOOR "v 30 0 0\nf 2 3 5\n");
    assert_true(jobs_watch(f->service.jobs, "m", 2, count_done, f));
    assert_int_equal(jobs_start(f->service.jobs, job_bake, &f->service), NAV_OK);
    assert_int_equal(sem_wait(&f->done), 0);
    jobs_stop(f->service.jobs);
    assert_int_equal(live(f, "m", &polygons), 2);
    const activate_request back = {.mesh = "m", .version = 1, .expected = STORE_ANY_ACTIVATION};
    assert_int_equal(activate_version(&f->service, &back, &before, &activation, NULL), NAV_OK);
    assert_int_equal(live(f, "m", &polygons), 1);
    assert_int_equal(send(f, "m", FLOOR "v 30 0 0\nf 2 3 5\n", true, &outcome), NAV_OK);
    assert_int_equal(outcome.version, 2);
    assert_int_equal(live(f, "m", &polygons), 1);
    // A client that sends it again wants it live.
    assert_int_equal(send(f, "m", FLOOR "v 30 0 0\nf 2 3 5\n", false, &outcome), NAV_OK);
    assert_int_equal(live(f, "m", &polygons), 2);
}

static void what_no_worker_knows_is_queued_when_it_is_sent_again(void **state)
{
    fixture *f = *state;
    upload_outcome again;
    send_well(f, "m", FLOOR);
    // The same while its job waits: still one job.
    assert_int_equal(send(f, "m", FLOOR, false, &again), NAV_OK);
    assert_true(again.existing);
    assert_int_equal(jobs_count(f->service.jobs).queued, 1);
    // As after a bake that could not be recorded: queued in the store, without a job.
    jobs_cancel(f->service.jobs, "m", 1);
    assert_int_equal(jobs_count(f->service.jobs).queued, 0);
    assert_int_equal(send(f, "m", FLOOR, false, &again), NAV_OK);
    assert_true(again.existing);
    assert_int_equal(again.version, 1);
    assert_int_equal(jobs_count(f->service.jobs).queued, 1);
}

// ---- a store that takes no writes when the bake has ended ----

static void move(const fixture *f, bool away)
{
    char aside[160];
    (void)snprintf(aside, sizeof aside, "%s-aside", f->path);
    assert_int_equal(away ? rename(f->path, aside) : rename(aside, f->path), 0);
}

// Its bake comes to its end and cannot be stored.
static void bake_with_store_away(fixture *f, uint64_t retry_ms)
{
    f->service.limits.store_retry_ms = retry_ms;
    assert_int_equal(send_well(f, "yard", FLOOR), 1);
    assert_true(jobs_watch(f->service.jobs, "yard", 1, count_done, f));
    move(f, true);
    assert_int_equal(jobs_start(f->service.jobs, job_bake, &f->service), NAV_OK);
}

static void wait_until_degraded(fixture *f)
{
    const struct timespec moment = {.tv_nsec = 5000000};
    nav_error why;
    while (!store_is_degraded(f->service.store, &why)) {
        (void)nanosleep(&moment, NULL);
    }
}

static void expect_state(fixture *f, store_state state)
{
    store_version row = get(f, "yard", 1);
    assert_int_equal(row.state, state);
    store_version_free(&row);
}

static void a_bake_that_cannot_be_stored_tries_again(void **state)
{
    fixture *f = *state;
    uint32_t polygons;
    bake_with_store_away(f, 32000);
    wait_until_degraded(f);
    move(f, false);
    assert_int_equal(sem_wait(&f->done), 0);
    expect_state(f, STORE_READY);
    assert_int_equal(live(f, "yard", &polygons), 1);
    jobs_stop(f->service.jobs);
}

// The failure itself cannot be stored either: it is when writes work again.
static void a_bake_that_cannot_be_stored_is_failed_with_the_reason(void **state)
{
    fixture *f = *state;
    bake_with_store_away(f, 0);
    assert_int_equal(sem_wait(&f->done), 0);
    expect_state(f, STORE_QUEUED);
    store_probe(f->service.store); // too early
    move(f, false);
    store_probe(f->service.store);
    store_version row = get(f, "yard", 1);
    assert_int_equal(row.state, STORE_FAILED);
    assert_int_equal(row.error.status, PROTO_STORE_UNAVAILABLE);
    assert_non_null(strstr(row.error.detail, "no longer there"));
    store_version_free(&row);
    jobs_stop(f->service.jobs);
}

static void a_bake_that_is_owed_a_failure_can_be_cancelled(void **state)
{
    fixture *f = *state;
    bool cancelled;
    bake_with_store_away(f, 0);
    assert_int_equal(sem_wait(&f->done), 0);
    move(f, false);
    assert_int_equal(store_version_cancel(f->service.store, "yard", 1, &cancelled, NULL), NAV_OK);
    assert_true(cancelled);
    store_probe(f->service.store);
    expect_state(f, STORE_CANCELLED);
    jobs_stop(f->service.jobs);
}

// As by a stop, which leaves it to the next start.
static void a_bake_that_waits_for_the_store_can_be_given_up(void **state)
{
    fixture *f = *state;
    bake_with_store_away(f, 3600000);
    wait_until_degraded(f);
    jobs_cancel(f->service.jobs, "yard", 1);
    assert_int_equal(sem_wait(&f->done), 0);
    move(f, false);
    store_probe(f->service.store);
    expect_state(f, STORE_QUEUED);
    jobs_stop(f->service.jobs);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(an_upload_ends_live),
        TEST(a_bake_that_cannot_be_stored_tries_again),
        TEST(a_bake_that_cannot_be_stored_is_failed_with_the_reason),
        TEST(a_bake_that_is_owed_a_failure_can_be_cancelled),
        TEST(a_bake_that_waits_for_the_store_can_be_given_up),
        TEST(a_failed_bake_says_why),
        TEST(a_damaged_geometry_fails_the_bake),
        TEST(a_repair_is_queued_once_and_never_fails_a_version),
        TEST(the_queue_has_an_end),
        TEST(repairs_take_no_place),
        TEST(uploads_go_before_repairs_that_nobody_waits_for),
        TEST(waiting_ends_with_cancel_and_with_stop),
        TEST(a_restart_leaves_a_roll_back_alone),
        TEST(what_no_worker_knows_is_queued_when_it_is_sent_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
