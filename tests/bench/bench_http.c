// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// bench_http.c: what a request costs the daemon, beside a bare libmicrohttpd program that sends as
// many bytes, turn by turn in one run. Costs are CPU times of the whole process, told by the
// kernel, the least of some rounds.
//
//   bench_http NAVMESHD BENCH_BARE [--rounds N] [--requests N] [--csv FILE] [--soak]
//
// Rows of ROWS are requests; a batch row says how many paths one of its requests asks for.

#include "server/load.h"
#include "server/store.h"
#include "tests/bench/http_client.h"
#include "tests/levels/levels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CONNECTIONS 16
#define PAIRS 64
#define BODY_BYTES 16384
#define ROUNDS_MAX 64
#define LATENCIES 4000
#define MESH "/v1/meshes/city"
#define SOAK_QUERIES 200000
#define SOAK_BAKES 200

typedef struct program {
    pid_t pid;
    int input; // its end is the program's
    uint16_t port;
} program;

// Requests of one kind: one text for each of the pairs, used in turn.
typedef struct load {
    char *texts[PAIRS];
    size_t size_bytes[PAIRS];
    size_t reply_bytes; // of a body, on average
    uint32_t paths;     // as in the row
} load;

typedef enum body_form {
    NO_BODY,
    ONE_QUERY, // JSON
    BATCH,     // JSON, of all pairs
    PACKED,    // the same as application/vnd.navmeshd.paths
} body_form;

typedef struct row {
    const char *name, *method, *path; // path: %s is the query string of a pair
    body_form form;
    uint32_t paths;                 // of one request, each of which costs a search
    double ratio_max, extra_us_max; // goals: times the bare cost; beyond bare and searches
} row;

static const row ROWS[] = {
    {"GET /healthz", "GET", "/healthz", NO_BODY, 0, 1.25, 0},
    {"GET path", "GET", MESH "/path?%s", NO_BODY, 1, 0, 1.5},
    {"POST path", "POST", MESH "/path", ONE_QUERY, 1, 0, 1.5},
    {"64 paths", "POST", MESH "/paths", BATCH, PAIRS, 0, 0},
    {"64 paths, packed", "POST", MESH "/paths", PACKED, PAIRS, 0, 0},
};
enum {
    GET_PATH = 1, // places in ROWS
    POST_PATH,
    JSON_BATCH,
    PACKED_BATCH,
};
#define ROW_COUNT (sizeof ROWS / sizeof ROWS[0])

static float pairs[PAIRS][6];
static uint32_t rounds = 7, requests = 20000;

static double now_us(clockid_t clock)
{
    struct timespec now;
    if (clock_gettime(clock, &now) != 0) {
        perror("clock_gettime");
        exit(1);
    }
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

// ---- programs ----

// Starts a program; the last line that begins with mark, up to a number behind it, is its port.
static program start(const char *const *argv, const char *mark)
{
    int in[2], out[2];
    if (pipe(in) != 0 || pipe(out) != 0) {
        perror("pipe");
        exit(1);
    }
    pid_t pid = fork();
    if (pid == 0) {
        (void)dup2(in[0], 0);
        (void)dup2(out[1], 1);
        (void)dup2(out[1], 2);
        (void)close(in[1]);
        (void)close(out[0]);
        (void)execv(argv[0], (char *const *)(uintptr_t)argv);
        _exit(127);
    }
    (void)close(in[0]);
    (void)close(out[1]);
    program p = {.pid = pid, .input = in[1]};
    char line[256];
    FILE *text = fdopen(out[0], "r");
    while (p.port == 0 && text != NULL && fgets(line, sizeof line, text) != NULL) {
        const char *found = strstr(line, mark);
        p.port = found != NULL ? (uint16_t)strtoul(found + strlen(mark), NULL, 10) : 0;
    }
    if (p.port == 0) {
        (void)fprintf(stderr, "%s does not start\n", argv[0]);
        exit(1);
    }
    return p; // its output stays open, unread: it says little
}

static void stop(program *p)
{
    (void)close(p->input);
    (void)kill(p->pid, SIGTERM);
    (void)waitpid(p->pid, NULL, 0);
}

static double cpu_us(const program *p)
{
    clockid_t clock;
    if (clock_getcpuclockid(p->pid, &clock) != 0) {
        perror("clock_getcpuclockid");
        exit(1);
    }
    return now_us(clock);
}

static double resident_kib(const program *p)
{
    char name[64];
    unsigned long total = 0, resident = 0;
    (void)snprintf(name, sizeof name, "/proc/%d/statm", (int)p->pid);
    FILE *file = fopen(name, "r");
    if (file == NULL || fscanf(file, "%lu %lu", &total, &resident) != 2) {
        perror(name);
        exit(1);
    }
    (void)fclose(file);
    return (double)resident * (double)sysconf(_SC_PAGESIZE) / 1024.0;
}

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
    client c = client_open(port);
    client_ask(&c, "POST", path, "model/obj", obj, size_bytes);
    if (c.status / 100 != 2) {
        (void)fprintf(stderr, "%s: %s\n", path, client_body(&c));
        exit(1);
    }
    client_close(&c);
    free(obj);
}

static const char *query_string(uint32_t pair)
{
    static char text[160];
    const float *p = pairs[pair];
    (void)snprintf(text, sizeof text, "start=%.2f,%.2f,%.2f&end=%.2f,%.2f,%.2f", (double)p[0],
                   (double)p[1], (double)p[2], (double)p[3], (double)p[4], (double)p[5]);
    return text;
}

// Pairs of places between which there is a way, the same in every run.
static void choose_pairs(uint16_t port, float side)
{
    client c = client_open(port);
    uint32_t seed = 1;
    for (uint32_t found = 0; found < PAIRS;) {
        for (uint32_t i = 0; i < 6; i++) {
            seed = seed * 1664525u + 1013904223u;
            pairs[found][i] = i % 3 == 1 ? 0.0f : (float)(seed >> 8) / 16777216.0f * side;
        }
        char path[256];
        (void)snprintf(path, sizeof path, MESH "/path?%s", query_string(found));
        client_ask(&c, "GET", path, NULL, NULL, 0);
        found += strstr(client_body(&c), "\"complete\"") != NULL;
    }
    client_close(&c);
}

// ---- load ----

static int put_points(char *out, size_t room, const float *p)
{
    return snprintf(out, room, "{\"start\":[%.2f,%.2f,%.2f],\"end\":[%.2f,%.2f,%.2f]}",
                    (double)p[0], (double)p[1], (double)p[2], (double)p[3], (double)p[4],
                    (double)p[5]);
}

// The body of a row's request that begins with one of the pairs; returns its length.
static size_t put_body(body_form form, uint32_t first, char body[BODY_BYTES])
{
    size_t used = 0;
    switch (form) {
    case NO_BODY:
        return 0;
    case ONE_QUERY:
        return (size_t)put_points(body, BODY_BYTES, pairs[first]);
    case BATCH:
        used = (size_t)snprintf(body, BODY_BYTES, "{\"queries\":[");
        for (uint32_t i = 0; i < PAIRS; i++) {
            used += (size_t)put_points(body + used, BODY_BYTES - used, pairs[(first + i) % PAIRS]);
            body[used++] = i + 1 < PAIRS ? ',' : ']';
        }
        body[used++] = '}';
        return used;
    case PACKED: {
        // The layout is told in proto/paths_packed.c; numbers are this machine's, little-endian.
        const uint32_t words[4] = {0x5156414e, 1, PAIRS, 0};
        const nav_snap snap = nav_snap_default();
        const float reach[3] = {snap.horizontal, snap.up, snap.down};
        memset(body, 0, 96);
        memcpy(body, words, sizeof words);
        memcpy(body + 32, reach, sizeof reach);
        for (uint32_t i = 0; i < PAIRS; i++) {
            memcpy(body + 96 + 24 * i, pairs[(first + i) % PAIRS], 24);
        }
        return 96 + 24 * PAIRS;
    }
    }
    return 0;
}

static load make_load(const row *r, uint16_t port)
{
    static char body[BODY_BYTES];
    const char *type = r->form == PACKED ? "application/vnd.navmeshd.paths" : "application/json";
    load l = {0};
    client c = client_open(port);
    for (uint32_t i = 0; i < PAIRS; i++) {
        char path[256];
        (void)snprintf(path, sizeof path, "%s", r->path);
        char *query = strstr(path, "%s");
        if (query != NULL) {
            (void)snprintf(query, sizeof path - (size_t)(query - path), "%s", query_string(i));
        }
        size_t body_bytes = put_body(r->form, i, body);
        l.texts[i] = client_request(r->method, path, type, r->form != NO_BODY ? body : NULL,
                                    body_bytes, &l.size_bytes[i]);
        client_send(&c, l.texts[i], l.size_bytes[i]);
        client_receive(&c);
        if (c.status != 200) {
            (void)fprintf(stderr, "%s: %s\n", path, client_body(&c));
            exit(1);
        }
        l.reply_bytes += c.body_bytes;
    }
    l.reply_bytes /= PAIRS;
    l.paths = r->paths;
    client_close(&c);
    return l;
}

// CPU time of the program for one request, in microseconds.
static double measure(const program *p, const load *l)
{
    client clients[CONNECTIONS];
    for (uint32_t i = 0; i < CONNECTIONS; i++) {
        clients[i] = client_open(p->port);
    }
    double begin_us = 0;
    // A batch is as much work as many requests.
    uint32_t wanted = l->paths > 1 ? requests / 16 : requests;
    uint32_t warm = wanted / 10, asked = 0;
    while (asked < wanted + warm) {
        if (begin_us == 0 && asked >= warm) {
            begin_us = cpu_us(p);
            warm = asked;
        }
        for (uint32_t i = 0; i < CONNECTIONS; i++) {
            uint32_t which = (asked + i) % PAIRS;
            client_send(&clients[i], l->texts[which], l->size_bytes[which]);
        }
        for (uint32_t i = 0; i < CONNECTIONS; i++) {
            client_receive(&clients[i]);
        }
        asked += CONNECTIONS;
    }
    double cost_us = (cpu_us(p) - begin_us) / (asked - warm);
    for (uint32_t i = 0; i < CONNECTIONS; i++) {
        client_close(&clients[i]);
    }
    return cost_us;
}

// The same searches here, without a daemon: microseconds of one.
static double measure_search(const char *db)
{
    store *s = NULL;
    nav_mesh *mesh = NULL;
    nav_scratch *scratch = NULL;
    nav_error err = {0};
    if (store_open(db, &s, &err) != NAV_OK || load_mesh(s, "city", 1, &mesh, &err) != NAV_OK ||
        nav_scratch_create(NULL, &scratch) != NAV_OK) {
        (void)fprintf(stderr, "%s: %s\n", db, err.detail);
        exit(1);
    }
    double least_us = HUGE_VAL;
    for (uint32_t round = 0; round < 2 * rounds; round++) {
        double begin_us = now_us(CLOCK_PROCESS_CPUTIME_ID);
        for (uint32_t i = 0; i < 20 * PAIRS; i++) {
            nav_path_request question = {.options = nav_options_default()};
            nav_path path;
            memcpy(question.start, pairs[i % PAIRS], sizeof question.start);
            memcpy(question.end, pairs[i % PAIRS] + 3, sizeof question.end);
            (void)nav_query_path(mesh, scratch, &question, &path);
        }
        double cost_us = (now_us(CLOCK_PROCESS_CPUTIME_ID) - begin_us) / (20 * PAIRS);
        least_us = fmin(least_us, cost_us);
    }
    nav_scratch_destroy(scratch);
    nav_mesh_release(mesh);
    store_close(s);
    return least_us;
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
    client c = client_open(p->port);
    for (uint32_t i = 0; i < LATENCIES; i++) {
        double begin_us = now_us(CLOCK_MONOTONIC);
        client_send(&c, l->texts[i % PAIRS], l->size_bytes[i % PAIRS]);
        client_receive(&c);
        times_us[i] = now_us(CLOCK_MONOTONIC) - begin_us;
    }
    client_close(&c);
    qsort(times_us, LATENCIES, sizeof times_us[0], compare);
    return times_us[LATENCIES * 99 / 100];
}

static bool is_baking(const program *p)
{
    client c = client_open(p->port);
    client_ask(&c, "GET", "/v1/status", NULL, NULL, 0);
    bool baking = strstr(client_body(&c), "\"baking\":1") != NULL;
    client_close(&c);
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
    requests = SOAK_QUERIES / 10;
    (void)measure(p, l);
    for (uint32_t i = 0; i < SOAK_BAKES / 10; i++) {
        upload(p->port, "/v1/meshes/soak/versions?wait=1&reuse=0", LEVEL_TOWN, 2, i);
    }
    double before = resident_kib(p);
    for (uint32_t i = 0; i < SOAK_BAKES; i++) {
        upload(p->port, "/v1/meshes/soak/versions?wait=1&reuse=0", LEVEL_TOWN, 2, i);
    }
    requests = SOAK_QUERIES;
    (void)measure(p, l);
    double after = resident_kib(p);
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

static void print_row(const row *r, const result *got, double search_us, FILE *csv)
{
    double search = r->paths * search_us;
    double extra = got->daemon_us - got->bare_us - search;
    char goal[48];
    if (r->ratio_max > 0) {
        (void)snprintf(goal, sizeof goal, "%.2f times", r->ratio_max);
    } else if (r->extra_us_max > 0) {
        (void)snprintf(goal, sizeof goal, "+ %.1f us", r->extra_us_max);
    } else {
        goal[0] = '\0';
    }
    printf("%-18s %8.2f %8.2f %8.2f %8.2f %+8.2f   %s\n", r->name, got->daemon_us, got->bare_us,
           search, got->daemon_us / got->bare_us, extra, goal);
    fprintf(csv, "%s,%.3f,%.3f,%.3f,%.3f,%.3f\n", r->name, got->daemon_us, got->bare_us, search,
            got->daemon_us / got->bare_us, extra);
}

static void bench(const char *navmeshd, const char *bare, const char *folder, FILE *csv, bool soak)
{
    char db[256];
    (void)snprintf(db, sizeof db, "%s/bench.db", folder);
    const char *const daemon_argv[] = {navmeshd, "--listen", "127.0.0.1:0", "--db", db, NULL};
    program daemon = start(daemon_argv, "address=127.0.0.1:");
    upload(daemon.port, MESH "/versions?wait=1", LEVEL_CITY, 8, 1);
    choose_pairs(daemon.port, 200.0f);

    static result results[ROW_COUNT];
    for (size_t i = 0; i < ROW_COUNT; i++) {
        char size[24];
        results[i] = (result){
            .load = make_load(&ROWS[i], daemon.port), .daemon_us = HUGE_VAL, .bare_us = HUGE_VAL};
        (void)snprintf(size, sizeof size, "%zu", results[i].load.reply_bytes);
        const char *const bare_argv[] = {bare, size, NULL};
        results[i].bare = start(bare_argv, "");
    }
    for (uint32_t round = 0; round < rounds; round++) {
        for (size_t i = 0; i < ROW_COUNT; i++) {
            result *got = &results[i];
            got->bare_us = fmin(got->bare_us, measure(&got->bare, &got->load));
            got->daemon_us = fmin(got->daemon_us, measure(&daemon, &got->load));
        }
    }
    print_latency(&daemon, &results[GET_PATH].load, csv);
    if (soak) {
        print_soak(&daemon, &results[GET_PATH].load, csv);
    }
    stop(&daemon);
    double search_us = measure_search(db);
    printf("\n%-18s %8s %8s %8s %8s %8s   %s\n", "CPU us", "daemon", "bare", "search", "ratio",
           "extra", "goal");
    for (size_t i = 0; i < ROW_COUNT; i++) {
        print_row(&ROWS[i], &results[i], search_us, csv);
        stop(&results[i].bare);
    }
    double one_us = results[POST_PATH].daemon_us;
    printf(
        "\npaths a second in a batch of %d, beside single requests: %.2f times (goal: 5); packed "
        "beside JSON: %.2f times (goal: 2)\n",
        PAIRS, one_us * PAIRS / results[JSON_BATCH].daemon_us,
        results[JSON_BATCH].daemon_us / results[PACKED_BATCH].daemon_us);
}

int main(int argc, char **argv)
{
    const char *csv_name = "/dev/null";
    bool soak = false;
    for (int i = 3; i < argc; i++) {
        if (strcmp(argv[i], "--soak") == 0) {
            soak = true;
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
                              "[--csv FILE] [--soak]\n");
        return 2;
    }
    (void)setvbuf(stdout, NULL, _IOLBF, 0); // a long run shows what it has
    fprintf(csv, "row,daemon_us,bare_us,search_us,ratio,extra_us\n");
    bench(argv[1], argv[2], folder, csv, soak);
    (void)fclose(csv);
    (void)snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command) == 0 ? 0 : 1;
}
