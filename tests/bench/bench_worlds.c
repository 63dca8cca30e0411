// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// bench_worlds.c: instances of a daemon. What one takes, whether ten thousand that come and go
// leave anything, and how many switches turn a second while batches of paths are asked. Ends with 1
// where a goal is missed.
//
//   bench_worlds NAVMESHD [--only-rate] [--seconds S]
//
// What a change and a path cost is the daemon's CPU time, so that neither the generator nor other
// work counts: the rate on two cores is what these costs leave room for. Beside it stands the rate
// that was seen, with whatever else the machine did.

#include "tests/bench/http_client.h"
#include "tests/bench/http_programs.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MANY 10000u
#define FULL 200u // instances with switches and obstacles
#define ROUNDS 5u
#define SWITCHES 20u
#define OBSTACLES 8u
#define MESH "/v1/meshes/hall"
#define JSON "application/json"
#define BATCH_PATHS 200u   // paced
#define LARGE_PATHS 10000u // one behind the other: spread over idle cores
#define BATCHES_PER_S 100u
#define CONNECTIONS 2u
#define TEXT_BYTES 16384u

static double seconds = 3;
static bool missed;

static void expect(bool holds, const char *what, double value, double goal)
{
    printf("%s %s: %.1f (goal %.0f)\n", holds ? "ok    " : "not ok", what, value, goal);
    missed |= !holds;
}

static void require(const client *c, int status)
{
    if (c->status != status) {
        fprintf(stderr, "%d: %.300s\n", c->status, http_client_body(c));
        exit(1);
    }
}

static void ask(client *c, const char *method, const char *path, const char *body, int status)
{
    http_client_ask(c, method, path, body != NULL ? JSON : NULL, body,
                    body != NULL ? strlen(body) : 0);
    require(c, status);
}

// A number of /v1/status.
static double status_number(client *c, const char *object, const char *name)
{
    ask(c, "GET", "/v1/status", NULL, 200);
    const char *at = strstr(http_client_body(c), object);
    at = at != NULL ? strstr(at, name) : NULL;
    return at != NULL ? strtod(at + strlen(name), NULL) : -1;
}

// ---- the level: a floor of 100 by 100 m with 20 gates in two rows ----

static void upload(client *c)
{
    char body[TEXT_BYTES];
    size_t used = (size_t)snprintf(body, sizeof body,
                                   "{\"vertices\":[[0,0,0],[0,0,100],[100,0,100],[100,0,0]],"
                                   "\"triangles\":[[0,1,2],[0,2,3]],\"config\":{\"switches\":{");
    for (uint32_t i = 0; i < SWITCHES; i++) {
        const uint32_t x = 5 + 9 * (i % 10), z = i < 10 ? 30 : 60;
        used += (size_t)snprintf(body + used, sizeof body - used,
                                 "%s\"gate-%u\":{\"shapes\":[{\"shape\":\"box\",\"min\":[%u,-1,%u],"
                                 "\"max\":[%u,2,%u]}]}",
                                 i > 0 ? "," : "", i, x, z, x + 6, z + 2);
    }
    (void)snprintf(body + used, sizeof body - used, "}}}");
    ask(c, "POST", MESH "/versions?wait=1", body, 201);
}

// ---- memory ----

static void fill_full(char out[TEXT_BYTES])
{
    size_t used = (size_t)snprintf(out, TEXT_BYTES, "{\"switches\":{");
    for (uint32_t i = 0; i < SWITCHES; i++) {
        used += (size_t)snprintf(out + used, TEXT_BYTES - used, "%s\"gate-%u\":\"closed\"",
                                 i > 0 ? "," : "", i);
    }
    used += (size_t)snprintf(out + used, TEXT_BYTES - used, "},\"obstacles\":{");
    for (uint32_t i = 0; i < OBSTACLES; i++) {
        used += (size_t)snprintf(
            out + used, TEXT_BYTES - used,
            "%s\"cart-%u\":{\"shape\":\"circle\",\"center\":[%u,0,%u],\"radius\":1.5}",
            i > 0 ? "," : "", i, 10 + 10 * i, 40 + 5 * (i % 3));
    }
    (void)snprintf(out + used, TEXT_BYTES - used, "}}");
}

// One request for each of so many instances, whose numbers end the path.
static void for_many(client *c, uint32_t count, const char *method, const char *begin,
                     const char *body, int status)
{
    for (uint32_t i = 0; i < count; i++) {
        char path[160];
        (void)snprintf(path, sizeof path, "%s%u", begin, i);
        ask(c, method, path, body, status);
    }
}

#define ONE MESH "/instances/run-"

static void measure_memory(const program *p, client *c)
{
    char full[TEXT_BYTES];
    double settled_kib = 0;
    fill_full(full);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        const double before_kib = program_resident_kib(p);
        for_many(c, MANY, "PUT", ONE, "{}", 201);
        if (round == 0) {
            expect(program_resident_kib(p) - before_kib <= MANY,
                   "KB resident for 10,000 empty ones", program_resident_kib(p) - before_kib, MANY);
            const double bytes = status_number(c, "\"instances\":", "\"memory_bytes\":") / MANY;
            expect(bytes <= 1024, "bytes of an empty instance, as the daemon counts", bytes, 1024);
        }
        for_many(c, MANY, "GET", MESH "/path?start=5,0,5&end=90,0,90&instance=run-", NULL, 200);
        for_many(c, MANY, "DELETE", ONE, NULL, 204);
        // The first two rounds fill what the allocator keeps at hand.
        settled_kib = round == 1 ? program_resident_kib(p) : settled_kib;
    }
    const double growth_kib = program_resident_kib(p) - settled_kib;
    expect(growth_kib <= 512, "KB more after 30,000 more were created, asked and deleted",
           growth_kib, 512);
    expect(status_number(c, "\"instances\":", "\"memory_bytes\":") <= 0, "bytes left of them",
           status_number(c, "\"instances\":", "\"memory_bytes\":"), 0);
    for_many(c, FULL, "PUT", ONE, full, 201);
    const double bytes = status_number(c, "\"instances\":", "\"memory_bytes\":") / FULL;
    expect(bytes <= 65536, "bytes of one with 20 switches and 8 obstacles", bytes, 65536);
    for_many(c, FULL, "DELETE", ONE, NULL, 204);
}

// ---- switches beside batches ----

typedef enum pace {
    NONE,
    PACED,   // as many batches a second as the goal has
    UNPACED, // one behind the other
} pace;

// What the threads of one run do, and have done.
typedef struct mixture {
    uint16_t port;
    pace batches;
    bool changes;
    atomic_bool over;
    _Atomic uint64_t paths, changed, failed;
} mixture;

static void *send_batches(void *user)
{
    mixture *m = user;
    const uint32_t paths = m->batches == PACED ? BATCH_PATHS : LARGE_PATHS;
    const size_t room = paths * 80 + 64;
    char *body = malloc(room);
    uint32_t seed = 5;
    size_t used = (size_t)snprintf(body, room, "{\"queries\":[");
    for (uint32_t i = 0; i < paths; i++) {
        seed = seed * 1664525u + 1013904223u;
        const uint32_t x = 5 + (seed >> 8) % 80, z = 5 + (seed >> 20) % 80;
        used += (size_t)snprintf(body + used, room - used,
                                 "%s{\"start\":[%u,0,%u],\"end\":[%u,0,%u],\"instance\":\"run-0\"}",
                                 i > 0 ? "," : "", x, z, x + 9, z + 10);
    }
    used += (size_t)snprintf(body + used, room - used, "]}");
    client c = http_client_open(m->port);
    double due_us = program_now_us(CLOCK_MONOTONIC);
    while (!atomic_load(&m->over)) {
        http_client_ask(&c, "POST", MESH "/paths", JSON, body, used);
        atomic_fetch_add(c.status == 200 ? &m->paths : &m->failed, c.status == 200 ? paths : 1);
        due_us += 1e6 / BATCHES_PER_S;
        const double left_us = due_us - program_now_us(CLOCK_MONOTONIC);
        if (m->batches == PACED && left_us > 0) {
            (void)usleep((useconds_t)left_us);
        }
    }
    http_client_close(&c);
    free(body);
    return NULL;
}

static void *turn_switches(void *user)
{
    mixture *m = user;
    client c = http_client_open(m->port);
    for (uint32_t i = 0; !atomic_load(&m->over); i++) {
        char body[64];
        const int size = snprintf(body, sizeof body, "{\"switches\":{\"gate-%u\":\"%s\"}}",
                                  i % SWITCHES, i / SWITCHES % 2 == 0 ? "closed" : "open");
        http_client_ask(&c, "PATCH", MESH "/instances/run-0", JSON, body, (size_t)size);
        atomic_fetch_add(c.status == 200 ? &m->changed : &m->failed, 1);
    }
    http_client_close(&c);
    return NULL;
}

// Returns the daemon's CPU time in microseconds; *elapsed_us by the clock.
static double run(const program *p, mixture *m, double *elapsed_us)
{
    pthread_t threads[CONNECTIONS + 1];
    uint32_t count = 0;
    const double cpu_us = program_cpu_us(p), begin_us = program_now_us(CLOCK_MONOTONIC);
    m->port = p->port;
    for (uint32_t i = 0; m->changes && i < CONNECTIONS; i++) {
        (void)pthread_create(&threads[count++], NULL, turn_switches, m);
    }
    if (m->batches != NONE) {
        (void)pthread_create(&threads[count++], NULL, send_batches, m);
    }
    (void)usleep((useconds_t)(seconds * 1e6));
    atomic_store(&m->over, true);
    for (uint32_t i = 0; i < count; i++) {
        (void)pthread_join(threads[i], NULL);
    }
    *elapsed_us = program_now_us(CLOCK_MONOTONIC) - begin_us;
    return program_cpu_us(p) - cpu_us;
}

static void measure_rate(const program *p, client *c)
{
    char full[TEXT_BYTES];
    double elapsed_us;
    fill_full(full);
    ask(c, "PUT", MESH "/instances/run-0", full, 201);
    mixture changes = {.changes = true}, batches = {.batches = UNPACED};
    mixture both = {.changes = true, .batches = PACED},
            hard = {.changes = true, .batches = UNPACED};
    const double change_us = run(p, &changes, &elapsed_us) / (double)changes.changed;
    const double path_us = run(p, &batches, &elapsed_us) / (double)batches.paths;
    printf("CPU of the daemon: a change %.1f us, a path of a batch %.2f us\n", change_us, path_us);
    const double cpu_us = run(p, &both, &elapsed_us);
    const double paced_per_s = (double)both.changed / elapsed_us * 1e6;
    printf("together: %.0f changes and %.0f paths a second, with %.2f of two cores\n", paced_per_s,
           (double)both.paths / elapsed_us * 1e6, cpu_us / elapsed_us);
    // What is left of two cores beside the paths, at what a change costs beside them.
    const double beside_us = (cpu_us - path_us * (double)both.paths) / (double)both.changed;
    const double room = (2e6 - path_us * BATCH_PATHS * BATCHES_PER_S) / beside_us;
    expect(room >= 5000, "changes a second on two cores beside 20,000 paths", room, 5000);
    run(p, &hard, &elapsed_us);
    printf("beside batches of 10,000 one behind the other: %.0f changes and %.0f paths a second\n",
           (double)hard.changed / elapsed_us * 1e6, (double)hard.paths / elapsed_us * 1e6);
    const double failed = (double)(changes.failed + batches.failed + both.failed + hard.failed);
    expect(failed <= 0, "requests that failed", failed, 0);
}

// ---- the run ----

int main(int argc, char **argv)
{
    char folder[] = "/tmp/bench_worlds.XXXXXX", db[64], command[64];
    bool only_rate = false;
    for (int i = 2; i < argc; i++) {
        only_rate = only_rate || strcmp(argv[i], "--only-rate") == 0;
        if (strcmp(argv[i], "--seconds") == 0 && i + 1 < argc) {
            seconds = strtod(argv[++i], NULL);
        }
    }
    if (argc < 2 || mkdtemp(folder) == NULL) {
        (void)fprintf(stderr, "usage: bench_worlds NAVMESHD [--only-rate] [--seconds S]\n");
        return 2;
    }
    (void)setvbuf(stdout, NULL, _IOLBF, 0);
    (void)snprintf(db, sizeof db, "%s/db", folder);
    const char *const daemon[] = {argv[1], "--listen", "127.0.0.1:0", "--db", db, NULL};
    program p = program_start(daemon, "address=127.0.0.1:");
    client c = http_client_open(p.port);
    do {
        http_client_ask(&c, "GET", "/readyz", NULL, NULL, 0);
    } while (c.status != 200);
    upload(&c);
    if (!only_rate) {
        measure_memory(&p, &c);
    }
    measure_rate(&p, &c);
    http_client_close(&c);
    program_stop(&p);
    (void)snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command) == 0 && !missed ? 0 : 1;
}
