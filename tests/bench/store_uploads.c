// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// store_uploads.c: uploads of what is there, and of a level in which one house has moved, beside
// full bakes.

#include "server/jobs/events.h"
#include "server/app/mesh_file.h"
#include "server/jobs/jobs.h"
#include "server/meshes/registry.h"
#include "tests/bench/store_bench.h"
#include "tests/levels/levels.h"

#include <semaphore.h>
#include <stdlib.h>

typedef struct text {
    char *bytes;
    size_t size_bytes;
} text;

static text city_of(uint32_t size, float shift)
{
    level_mesh level;
    text out;
    if (!levels_generate(LEVEL_CITY, size, 1, &level)) {
        bench_give_up("city", "cannot be generated");
    }
    // The corners of one box, which come last but for a house's.
    for (uint32_t i = 0; i < 8; i++) {
        level.vertices[3 * (level.vertex_count - 1 - i)] += shift;
    }
    FILE *file = open_memstream(&out.bytes, &out.size_bytes);
    if (file == NULL || !levels_write_obj(&level, file) || fclose(file) != 0) {
        bench_give_up("city", "no memory");
    }
    levels_free(&level);
    return out;
}

static void post(void *user)
{
    (void)sem_post(user);
}

// An upload from its first byte to the end of its bake.
static void send(service *s, const text *obj, const proto_arg *args, size_t arg_count, sem_t *ended)
{
    upload *u = NULL;
    upload_outcome outcome;
    nav_error err = {0};
    bench_must(upload_open(s, "city", PROTO_FORMAT_OBJ, false, &u, &err), "upload", &err);
    bench_must(upload_feed(u, obj->bytes, obj->size_bytes, &err), "upload", &err);
    bench_must(upload_finish(u, args, arg_count, false, &outcome, &err), "upload", &err);
    upload_close(u);
    if (jobs_watch(s->jobs, "city", outcome.version, post, ended)) {
        (void)sem_wait(ended);
    }
}

void bench_uploads(void)
{
    const text city = city_of(10, 0);
    const proto_arg anew[] = {{.key = "reuse", .value = "0"}};
    nav_error err = {0};
    sem_t ended;
    service s = {.registry = registry_create(),
                 .jobs = jobs_create(2),
                 .events = events_create(0), // to which nobody listens
                 .limits = limits_default()};
    bench_duel same = {0}, moved = {0};
    (void)sem_init(&ended, 0, 0);
    if (freopen("/dev/null", "w", stderr) == NULL) { // a line a bake
        bench_give_up("stderr", "cannot be turned off");
    }
    bench_must(store_open(bench_path("uploads.db"), &s.store, &err), "opening", &err);
    bench_must(jobs_start(s.jobs, job_bake, &s), "workers", &err);
    for (uint32_t round = 0; round < bench_rounds; round++) {
        const text other = city_of(10, 0.01f * (float)(round + 1));
        uint64_t began_ns = clock_now_ns();
        send(&s, &city, anew, 1, &ended);
        bench_keep_least(&same.theirs_ms, began_ns, clock_now_ns());
        began_ns = clock_now_ns();
        send(&s, &city, NULL, 0, &ended);
        bench_keep_least(&same.ours_ms, began_ns, clock_now_ns());
        began_ns = clock_now_ns();
        send(&s, &other, NULL, 0, &ended);
        bench_keep_least(&moved.ours_ms, began_ns, clock_now_ns());
        free(other.bytes);
    }
    moved.theirs_ms = same.theirs_ms;
    bench_print("unchanged upload of a city, 2 workers", "full bake", same, 0.05);
    bench_print("a city with one house moved, 2 workers", "full bake", moved, 1);
    jobs_stop(s.jobs);
    jobs_destroy(s.jobs);
    events_destroy(s.events);
    registry_destroy(s.registry);
    store_close(s.store);
    bench_remove_store("uploads.db");
    free(city.bytes);
}
