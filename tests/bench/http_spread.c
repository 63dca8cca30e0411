// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// http_spread.c: batches of 10,000 paths, asked turn by turn of a daemon that may spread them and
// of one that may not. Times are by the clock, from the first byte sent to the last received: the
// least of some rounds.

#include "tests/bench/http_spread.h"

#include "core/nav.h"
#include "tests/bench/http_client.h"
#include "tests/bench/http_loads.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define QUERIES 10000u
#define ROUNDS 15u
#define JSON_BYTES (96u * QUERIES)
#define PACKED_BYTES (96u + 24u * QUERIES)
#define SINGLES 2000u
#define SINGLES_US 1e6 // a connection that shares the batch's thread asks less in that time
#define SINGLES_REACH_M 15.0f
#define SIDE_M 200.0f
#define GOAL 1.8

// A whole request.
typedef struct message {
    char *bytes;
    size_t size_bytes;
} message;

static message make_json(const pair *pairs)
{
    char *body = malloc(JSON_BYTES);
    size_t used = (size_t)sprintf(body, "{\"queries\":[");
    for (uint32_t i = 0; i < QUERIES; i++) {
        const float *p = pairs[i].ends;
        used += (size_t)snprintf(
            body + used, JSON_BYTES - used, "%s{\"start\":[%.2f,0,%.2f],\"end\":[%.2f,0,%.2f]}",
            i > 0 ? "," : "", (double)p[0], (double)p[2], (double)p[3], (double)p[5]);
    }
    used += (size_t)snprintf(body + used, JSON_BYTES - used, "]}");
    message m;
    m.bytes =
        http_client_request("POST", MESH "/paths", "application/json", body, used, &m.size_bytes);
    free(body);
    return m;
}

static message make_packed(const pair *pairs)
{
    // Numbers are this machine's, little-endian (proto/requests/README.md).
    const uint32_t words[4] = {0x5156414e, 1, QUERIES, 0};
    const nav_snap snap = nav_snap_default();
    char *body = calloc(1, PACKED_BYTES);
    memcpy(body, words, sizeof words);
    memcpy(body + 32, &snap, sizeof snap);
    memcpy(body + 96, pairs, sizeof(pair) * QUERIES);
    message m;
    m.bytes = http_client_request("POST", MESH "/paths", "application/vnd.navmeshd.paths", body,
                                  PACKED_BYTES, &m.size_bytes);
    free(body);
    return m;
}

static double ask_ms(client *c, const message *m)
{
    const double begin_us = program_now_us(CLOCK_MONOTONIC);
    http_client_send(c, m->bytes, m->size_bytes);
    http_client_receive(c);
    if (c->status != 200) {
        (void)fprintf(stderr, "a batch: %d %.200s\n", c->status, http_client_body(c));
        exit(1);
    }
    return (program_now_us(CLOCK_MONOTONIC) - begin_us) / 1000;
}

static program start(const char *navmeshd, const char *db, const char *copy, const char *limit)
{
    char path[300], command[700];
    (void)snprintf(path, sizeof path, "%s.%s", db, copy);
    (void)snprintf(command, sizeof command, "cp '%s' '%s'", db, path);
    if (system(command) != 0) {
        exit(1);
    }
    const char *const argv[] = {navmeshd, "--listen", "127.0.0.1:0", "--db",
                                path,     "--limit",  limit,         NULL};
    program p = program_start(argv, "address=127.0.0.1:");
    client c = http_client_open(p.port);
    do {
        http_client_ask(&c, "GET", "/readyz", NULL, NULL, 0);
    } while (c.status != 200);
    http_client_close(&c);
    return p;
}

static void measure_row(const program daemons[2], const char *name, const message *m, FILE *csv)
{
    double least_ms[2] = {HUGE_VAL, HUGE_VAL};
    client clients[2] = {http_client_open(daemons[0].port), http_client_open(daemons[1].port)};
    for (uint32_t round = 0; round < ROUNDS; round++) {
        for (uint32_t i = 0; i < 2; i++) {
            least_ms[i] = fmin(least_ms[i], ask_ms(&clients[i], m));
        }
    }
    http_client_close(&clients[0]);
    http_client_close(&clients[1]);
    printf("%-38s one core %7.2f ms, idle cores %7.2f ms: %.2f times as fast (goal: %.1f)\n", name,
           least_ms[0], least_ms[1], least_ms[0] / least_ms[1], GOAL);
    fprintf(csv, "%s,%.3f,%.3f,,%.3f,\n", name, least_ms[1] * 1000, least_ms[0] * 1000,
            least_ms[0] / least_ms[1]);
}

// ---- a single question beside batches ----

typedef struct sender {
    uint16_t port;
    const message *batch;
    atomic_bool over;
} sender;

static void *send_batches(void *argument)
{
    sender *s = argument;
    client c = http_client_open(s->port);
    while (!atomic_load(&s->over)) {
        (void)ask_ms(&c, s->batch);
    }
    http_client_close(&c);
    return NULL;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The 99th percentile of single questions while another client sends one batch after the other. A
// connection has a thread of the daemon; those that share the batch's do not count.
static double single_p99_us(const program *daemon, const message *batch, const load *singles)
{
    static double times_us[SINGLES];
    double least_us = HUGE_VAL;
    sender s = {.port = daemon->port, .batch = batch};
    pthread_t thread;
    if (pthread_create(&thread, NULL, send_batches, &s) != 0) {
        exit(1);
    }
    for (uint32_t connection = 0; connection < 4; connection++) {
        client c = http_client_open(daemon->port);
        const double end_us = program_now_us(CLOCK_MONOTONIC) + SINGLES_US;
        uint32_t asked = 0;
        while (asked < SINGLES && program_now_us(CLOCK_MONOTONIC) < end_us) {
            const double begin_us = program_now_us(CLOCK_MONOTONIC);
            http_client_send(&c, singles->texts[asked % PAIRS], singles->size_bytes[asked % PAIRS]);
            http_client_receive(&c);
            times_us[asked++] = program_now_us(CLOCK_MONOTONIC) - begin_us;
        }
        http_client_close(&c);
        if (asked < SINGLES) {
            continue;
        }
        qsort(times_us, SINGLES, sizeof times_us[0], compare);
        least_us = fmin(least_us, times_us[SINGLES * 99 / 100]);
    }
    atomic_store(&s.over, true);
    (void)pthread_join(thread, NULL);
    return least_us;
}

static void measure_singles(const program daemons[2], const message *batch, FILE *csv)
{
    static pair pairs[PAIRS];
    loads_choose_pairs(daemons[0].port, SIDE_M, SINGLES_REACH_M, pairs);
    const load singles = loads_make(daemons[0].port, "GET", MESH "/path?%s", NO_BODY, pairs);
    double least_us[2] = {HUGE_VAL, HUGE_VAL};
    for (uint32_t round = 0; round < 3; round++) {
        for (uint32_t i = 0; i < 2; i++) {
            least_us[i] = fmin(least_us[i], single_p99_us(&daemons[i], batch, &singles));
        }
    }
    printf("path p99 beside batches: on one core %.0f us, spread %.0f us: %.2f times\n",
           least_us[0], least_us[1], least_us[1] / least_us[0]);
    fprintf(csv, "p99 beside batches,%.2f,%.2f,,%.3f,\n", least_us[1], least_us[0],
            least_us[1] / least_us[0]);
}

// ---- the run ----

void spread_measure(const char *navmeshd, const char *db, FILE *csv)
{
    static const float reaches_m[] = {SINGLES_REACH_M, 0};
    static pair pairs[QUERIES];
    const program daemons[2] = {start(navmeshd, db, "one", "batch_threads=1"),
                                start(navmeshd, db, "spread", "batch_threads=64")};
    for (size_t i = 0; i < sizeof reaches_m / sizeof reaches_m[0]; i++) {
        const char *reach = reaches_m[i] > 0 ? "within 15 m" : "across 200 m";
        char name[64];
        uint32_t seed = 7;
        for (uint32_t k = 0; k < QUERIES; k++) {
            loads_choose_pair(&seed, SIDE_M, reaches_m[i], &pairs[k]);
        }
        message json = make_json(pairs), packed = make_packed(pairs);
        (void)snprintf(name, sizeof name, "10000 paths %s", reach);
        measure_row(daemons, name, &json, csv);
        (void)snprintf(name, sizeof name, "10000 paths %s packed", reach);
        measure_row(daemons, name, &packed, csv);
        if (reaches_m[i] <= 0) {
            measure_singles(daemons, &packed, csv);
        }
        free(json.bytes);
        free(packed.bytes);
    }
    for (uint32_t i = 0; i < 2; i++) {
        program ended = daemons[i];
        program_stop(&ended);
    }
}
