// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// bench_http.c: what a request costs the daemon, beside a bare libmicrohttpd program that sends as
// many bytes, turn by turn in one run. Costs are CPU times of the whole process, told by the
// kernel, the least of some rounds.
//
//   bench_http NAVMESHD BENCH_BARE [--rounds N] [--requests N] [--csv FILE] [--soak]
//              [--no-latency] [--only-spread]
//
// Rows of ROWS are requests; a batch row says how many paths one of its requests asks for. Paths
// are asked in three sets: steps, where the protocol is most of the cost; short ones, by which the
// goals of requests are judged; and such across the level, most of whose cost is the search.

#include "server/meshes/load.h"
#include "server/store/store.h"
#include "tests/bench/http_client.h"
#include "tests/bench/http_loads.h"
#include "tests/bench/http_spread.h"
#include "tests/levels/levels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define LATENCIES 4000
#define SOAK_QUERIES 200000
#define SOAK_BAKES 200

typedef enum pair_kind {
    STEP,  // where a crowd goes next
    SHORT, // what is asked a thousand times a tick
    LONG,  // across the level
    PAIR_KINDS,
} pair_kind;

// Pairs of places, and what a search between them costs in this process.
typedef struct pair_set {
    const char *name;
    float reach_m;
    pair pairs[PAIRS];
    double search_us; // CPU time, one after the other: what they read is still at hand
    double together_us[PAIRS], apart_us[PAIRS]; // of each, by the clock; see measure_each
} pair_set;

static pair_set sets[PAIR_KINDS] = {
    [STEP] = {.name = "within 3 m", .reach_m = 3.0f},
    [SHORT] = {.name = "within 15 m", .reach_m = 15.0f},
    [LONG] = {.name = "across 200 m"},
};

typedef struct row {
    const char *name, *method, *path; // path: %s is the query string of a pair
    body_form form;
    pair_kind kind;
    uint32_t paths;                 // of one request, each of which costs a search
    double ratio_max, extra_us_max; // goals: times the bare cost; beyond bare and searches
} row;

#define PATH_ROWS(kind, extra_us)                                                                  \
    {"GET path", "GET", MESH "/path?%s", NO_BODY, kind, 1, 0, extra_us},                           \
        {"POST path", "POST", MESH "/path", ONE_QUERY, kind, 1, 0, extra_us},                      \
        {"64 paths", "POST", MESH "/paths", BATCH, kind, PAIRS, 0, 0},                             \
    {                                                                                              \
        "64 paths, packed", "POST", MESH "/paths", PACKED, kind, PAIRS, 0, 0                       \
    }

static const row ROWS[] = {
    {"GET /healthz", "GET", "/healthz", NO_BODY, SHORT, 0, 1.25, 0},
    PATH_ROWS(STEP, 1.5),
    PATH_ROWS(SHORT, 1.5),
    PATH_ROWS(LONG, 1.5),
};
enum {
    GET_PATH = 1, // places in ROWS
    POST_PATH,
    JSON_BATCH,
    PACKED_BATCH,
    KIND_ROWS = PACKED_BATCH, // from a row to the same of the next kind
};
#define ROW_COUNT (sizeof ROWS / sizeof ROWS[0])

static uint32_t rounds = 7, requests = 20000;
static bool latency = true, only_spread;

// ---- the level ----

static char *level_obj(level_kind kind, uint32_t size, uint64_t seed, size_t *size_bytes)
{
    level_mesh level;
    char *text = NULL;
    FILE *file = open_memstream(&text, size_bytes);
    if (file == NULL || !levels_generate(kind, size, seed, &level) ||
        !levels_write_obj(&level, file)) {
        (void)fprintf(stderr, "no level\n");
        exit(1);
    }
    levels_free(&level);
    (void)fclose(file);
    return text;
}

static void upload(uint16_t port, const char *path, level_kind kind, uint32_t size, uint64_t seed)
{
    size_t size_bytes;
    char *obj = level_obj(kind, size, seed, &size_bytes);
    client c = http_client_open(port);
    http_client_ask(&c, "POST", path, "model/obj", obj, size_bytes);
    if (c.status / 100 != 2) {
        (void)fprintf(stderr, "%s: %s\n", path, http_client_body(&c));
        exit(1);
    }
    http_client_close(&c);
    free(obj);
}

// ---- searches in this process ----

typedef struct searcher {
    nav_mesh *mesh;
    nav_scratch *scratch;
    int sockets[2];
} searcher;

static searcher open_searcher(const char *db)
{
    store *s = NULL;
    searcher own = {0};
    nav_error err = {0};
    if (store_open(db, &s, &err) != NAV_OK ||
        load_mesh(s, "city", 1, NULL, NULL, &own.mesh, &err) != NAV_OK ||
        nav_scratch_create(NULL, &own.scratch) != NAV_OK ||
        socketpair(AF_UNIX, SOCK_STREAM, 0, own.sockets) != 0) {
        (void)fprintf(stderr, "%s: %s\n", db, err.detail);
        exit(1);
    }
    store_close(s);
    return own;
}

static void close_searcher(searcher *own)
{
    nav_scratch_destroy(own->scratch);
    nav_mesh_release(own->mesh);
    (void)close(own->sockets[0]);
    (void)close(own->sockets[1]);
}

static void search(const searcher *own, const float *ends)
{
    nav_path_request question = {.options = nav_options_default()};
    nav_path path;
    memcpy(question.start, ends, sizeof question.start);
    memcpy(question.end, ends + 3, sizeof question.end);
    (void)nav_query_path(own->mesh, own->scratch, &question, &path);
}

// One search after the other.
static double measure_searches(const searcher *own, const pair *pairs)
{
    double begin_us = program_now_us(CLOCK_PROCESS_CPUTIME_ID);
    for (uint32_t i = 0; i < 20 * PAIRS; i++) {
        search(own, pairs[i % PAIRS].ends);
    }
    return (program_now_us(CLOCK_PROCESS_CPUTIME_ID) - begin_us) / (20 * PAIRS);
}

// Two messages, such as a question and its answer: the kernel puts things of its own into the
// caches.
static void send_and_receive(const searcher *own)
{
    static char message[512];
    for (uint32_t way = 0; way < 2; way++) {
        if (send(own->sockets[way], message, sizeof message, 0) <= 0 ||
            recv(own->sockets[1 - way], message, sizeof message, 0) <= 0) {
            perror("socketpair");
            exit(1);
        }
    }
}

// Each pair's least time of a search, with messages between the searches or without.
static void measure_each(const searcher *own, const pair_set *set, bool apart, double us[PAIRS])
{
    for (uint32_t i = 0; i < 20 * PAIRS; i++) {
        double *least_us = &us[i % PAIRS];
        if (apart) {
            send_and_receive(own);
        }
        double before_us = program_now_us(CLOCK_MONOTONIC);
        double begin_us = program_now_us(CLOCK_MONOTONIC);
        search(own, set->pairs[i % PAIRS].ends);
        double cost_us = program_now_us(CLOCK_MONOTONIC) - begin_us - (begin_us - before_us);
        *least_us = *least_us > 0 ? fmin(*least_us, cost_us) : cost_us;
    }
}

static double mean(const double values[PAIRS])
{
    double sum = 0;
    for (uint32_t i = 0; i < PAIRS; i++) {
        sum += values[i] / PAIRS;
    }
    return sum;
}

// ---- latency during a bake ----

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// 99th percentile of single queries, one after the other.
static double measure_p99(const program *p, const load *l)
{
    static double times_us[LATENCIES];
    client c = http_client_open(p->port);
    for (uint32_t i = 0; i < LATENCIES; i++) {
        double begin_us = program_now_us(CLOCK_MONOTONIC);
        http_client_send(&c, l->texts[i % PAIRS], l->size_bytes[i % PAIRS]);
        http_client_receive(&c);
        times_us[i] = program_now_us(CLOCK_MONOTONIC) - begin_us;
    }
    http_client_close(&c);
    qsort(times_us, LATENCIES, sizeof times_us[0], compare);
    return times_us[LATENCIES * 99 / 100];
}

static bool is_baking(const program *p)
{
    client c = http_client_open(p->port);
    http_client_ask(&c, "GET", "/v1/status", NULL, NULL, 0);
    bool baking = strstr(http_client_body(&c), "\"baking\":1") != NULL;
    http_client_close(&c);
    return baking;
}

static void print_latency(const program *p, const load *l, FILE *csv)
{
    double idle_us = HUGE_VAL, busy_us = HUGE_VAL;
    uint32_t during = 0;
    for (uint32_t round = 0; round < 5; round++) {
        idle_us = fmin(idle_us, measure_p99(p, l));
        upload(p->port, "/v1/meshes/other/versions?reuse=0", LEVEL_CITY, 24, 100 + round);
        struct timespec pause = {.tv_nsec = 100000000};
        (void)nanosleep(&pause, NULL);
        double busy = measure_p99(p, l);
        if (is_baking(p)) {
            busy_us = fmin(busy_us, busy);
            during++;
        }
        while (is_baking(p)) {
            (void)nanosleep(&pause, NULL);
        }
    }
    if (during == 0) {
        printf("path p99 during a bake: the bakes ended too soon to tell\n");
        return;
    }
    printf("path p99: idle %.0f us, during a bake %.0f us: %.2f times (goal: 3)\n", idle_us,
           busy_us, busy_us / idle_us);
    fprintf(csv, "p99 during a bake,%.2f,%.2f,,%.3f,\n", busy_us, idle_us, busy_us / idle_us);
}

// ---- memory ----

static void print_soak(const program *p, const load *l, FILE *csv)
{
    (void)loads_measure(p, l, SOAK_QUERIES / 10);
    for (uint32_t i = 0; i < SOAK_BAKES / 10; i++) {
        upload(p->port, "/v1/meshes/soak/versions?wait=1&reuse=0", LEVEL_TOWN, 2, i);
    }
    double before = program_resident_kib(p);
    for (uint32_t i = 0; i < SOAK_BAKES; i++) {
        upload(p->port, "/v1/meshes/soak/versions?wait=1&reuse=0", LEVEL_TOWN, 2, i);
    }
    (void)loads_measure(p, l, SOAK_QUERIES);
    double after = program_resident_kib(p);
    printf("memory: %.0f KiB, after %d more queries and %d more bakes %.0f KiB: %.2f times\n",
           before, SOAK_QUERIES, SOAK_BAKES, after, after / before);
    fprintf(csv, "memory growth,%.0f,%.0f,,%.3f,\n", after, before, after / before);
}

// ---- the table ----

typedef struct result {
    load load;
    program bare;
    double daemon_us, bare_us;
} result;

static void print_row(const row *r, const result *got, FILE *csv)
{
    double search_us = r->paths * sets[r->kind].search_us;
    double extra_us = got->daemon_us - got->bare_us - search_us;
    char goal[48] = "";
    if (r->ratio_max > 0) {
        (void)snprintf(goal, sizeof goal, "%.2f times", r->ratio_max);
    } else if (r->extra_us_max > 0) {
        (void)snprintf(goal, sizeof goal, "+ %.1f us", r->extra_us_max);
    }
    const char *set = r->paths > 0 ? sets[r->kind].name : "";
    printf("%-17s %-13s %8.2f %8.2f %8.2f %8.2f %+8.2f   %s\n", r->name, set, got->daemon_us,
           got->bare_us, search_us, got->daemon_us / got->bare_us, extra_us, goal);
    fprintf(csv, "%s %s,%.3f,%.3f,%.3f,%.3f,%.3f\n", r->name, set, got->daemon_us, got->bare_us,
            search_us, got->daemon_us / got->bare_us, extra_us);
}

// A batch beside single requests, and the packed form beside JSON.
static void print_batches(const result *results, pair_kind kind, FILE *csv)
{
    const pair_set *set = &sets[kind];
    const result *rows = results + kind * KIND_ROWS;
    double one_us = rows[POST_PATH].daemon_us, json_us = rows[JSON_BATCH].daemon_us,
           packed_us = rows[PACKED_BATCH].daemon_us, all_us = PAIRS * set->search_us;
    printf("%s: a batch of %d is %.2f times as fast as single requests%s, packed %.2f times; "
           "packed %.2f times JSON%s; the search is %.0f %% of JSON, %.0f %% of packed\n",
           set->name, PAIRS, one_us * PAIRS / json_us, kind != LONG ? " (goal: 5)" : "",
           one_us * PAIRS / packed_us, json_us / packed_us, kind != LONG ? " (goal: 2)" : "",
           100 * all_us / json_us, 100 * all_us / packed_us);
    double together_us = mean(set->together_us), apart_us = mean(set->apart_us);
    printf("%s: a search behind other searches %.2f us, behind messages %.2f us\n", set->name,
           together_us, apart_us);
    fprintf(csv, "search behind messages %s,%.3f,%.3f,,,\n", set->name, apart_us, together_us);
}

// ---- the run ----

// The level is baked and stored; then the searches of this process use its mesh as the daemon does.
static program start_daemon(const char *navmeshd, const char *db, searcher *own)
{
    const char *const argv[] = {navmeshd, "--listen", "127.0.0.1:0", "--db", db, NULL};
    program daemon = program_start(argv, "address=127.0.0.1:");
    upload(daemon.port, MESH "/versions?wait=1", LEVEL_CITY, 8, 1);
    for (uint32_t i = 0; i < PAIR_KINDS; i++) {
        loads_choose_pairs(daemon.port, 200.0f, sets[i].reach_m, sets[i].pairs);
        sets[i].search_us = HUGE_VAL;
    }
    program_stop(&daemon);
    *own = open_searcher(db);
    daemon = program_start(argv, "address=127.0.0.1:");
    client c = http_client_open(daemon.port);
    do {
        http_client_ask(&c, "GET", "/readyz", NULL, NULL, 0);
    } while (c.status != 200);
    http_client_close(&c);
    return daemon;
}

static void measure_round(const program *daemon, const searcher *own, result results[ROW_COUNT])
{
    for (size_t i = 0; i < ROW_COUNT; i++) {
        result *got = &results[i];
        // A batch is as much work as many requests.
        uint32_t count = ROWS[i].paths > 1 ? requests / 16 : requests;
        got->bare_us = fmin(got->bare_us, loads_measure(&got->bare, &got->load, count));
        got->daemon_us = fmin(got->daemon_us, loads_measure(daemon, &got->load, count));
    }
    for (uint32_t i = 0; i < PAIR_KINDS; i++) {
        pair_set *set = &sets[i];
        set->search_us = fmin(set->search_us, measure_searches(own, set->pairs));
        measure_each(own, set, false, set->together_us);
        measure_each(own, set, true, set->apart_us);
    }
}

static void bench(const char *navmeshd, const char *bare, const char *folder, FILE *csv, bool soak)
{
    char db[256];
    searcher own;
    (void)snprintf(db, sizeof db, "%s/bench.db", folder);
    program daemon = start_daemon(navmeshd, db, &own);
    if (only_spread) {
        program_stop(&daemon);
        spread_measure(navmeshd, db, csv);
        close_searcher(&own);
        return;
    }
    static result results[ROW_COUNT];
    for (size_t i = 0; i < ROW_COUNT; i++) {
        char size[24];
        const row *r = &ROWS[i];
        results[i] = (result){
            .load = loads_make(daemon.port, r->method, r->path, r->form, sets[r->kind].pairs),
            .daemon_us = HUGE_VAL,
            .bare_us = HUGE_VAL};
        (void)snprintf(size, sizeof size, "%zu", results[i].load.reply_bytes);
        const char *const bare_argv[] = {bare, size, NULL};
        results[i].bare = program_start(bare_argv, "");
    }
    for (uint32_t round = 0; round < rounds; round++) {
        measure_round(&daemon, &own, results);
    }
    printf("%-31s %8s %8s %8s %8s %8s   %s\n", "CPU us", "daemon", "bare", "search", "ratio",
           "extra", "goal");
    for (size_t i = 0; i < ROW_COUNT; i++) {
        print_row(&ROWS[i], &results[i], csv);
        program_stop(&results[i].bare);
    }
    for (uint32_t i = 0; i < PAIR_KINDS; i++) {
        print_batches(results, (pair_kind)i, csv);
    }
    const load *across = &results[GET_PATH + KIND_ROWS * LONG].load;
    if (latency) {
        print_latency(&daemon, across, csv);
    }
    if (soak) {
        print_soak(&daemon, across, csv);
    }
    program_stop(&daemon);
    spread_measure(navmeshd, db, csv);
    close_searcher(&own);
}

int main(int argc, char **argv)
{
    const char *csv_name = "/dev/null";
    bool soak = false;
    for (int i = 3; i < argc; i++) {
        if (strcmp(argv[i], "--soak") == 0) {
            soak = true;
        } else if (strcmp(argv[i], "--no-latency") == 0) {
            latency = false;
        } else if (strcmp(argv[i], "--only-spread") == 0) {
            only_spread = true;
        } else if (strcmp(argv[i], "--rounds") == 0 && i + 1 < argc) {
            rounds = (uint32_t)strtoul(argv[++i], NULL, 10);
        } else if (strcmp(argv[i], "--requests") == 0 && i + 1 < argc) {
            requests = (uint32_t)strtoul(argv[++i], NULL, 10);
        } else if (strcmp(argv[i], "--csv") == 0 && i + 1 < argc) {
            csv_name = argv[++i];
        }
    }
    char folder[] = "/tmp/bench_http.XXXXXX", command[64];
    FILE *csv = fopen(csv_name, "w");
    if (argc < 3 || csv == NULL || rounds == 0 || requests == 0 || mkdtemp(folder) == NULL) {
        (void)fprintf(stderr, "usage: bench_http NAVMESHD BENCH_BARE [--rounds N] [--requests N] "
                              "[--csv FILE] [--soak] [--no-latency] [--only-spread]\n");
        return 2;
    }
    (void)setvbuf(stdout, NULL, _IOLBF, 0); // a long run shows what it has
    fprintf(csv, "row,daemon_us,bare_us,search_us,ratio,extra_us\n");
    bench(argv[1], argv[2], folder, csv, soak);
    (void)fclose(csv);
    (void)snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command) == 0 ? 0 : 1;
}
