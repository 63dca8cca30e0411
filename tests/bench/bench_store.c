// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// bench_store.c: what the store costs beside doing without one: commits beside raw writes, a start
// beside reading and unpacking the bytes, uploads that change little beside full bakes.
//
//   bench_store [--rounds N] [--only commit|start|upload] [--daemon FILE] FOLDER
//
// FOLDER is where databases and files are made, and removed again; the daemon is navmeshd beside
// this program. Each ratio is between two times
// of the wall clock that were taken turn by turn in one run; of N rounds (9) the least of either
// side counts.

#include "core/tile.h"
#include "server/events.h"
#include "server/load.h"
#include "server/pack.h"
#include "server/startup.h"
#include "tests/bench/http_client.h"
#include "tests/levels/levels.h"

#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MIB ((size_t)1 << 20)
#define MAPS 100
#define SEEDS 10 // levels that are really baked; maps of one seed differ in their agent
#define ROUNDS_MAX 100

static char folder[2048];
static char daemon_path[2048];
static uint32_t rounds = 9;

_Noreturn static void give_up(const char *what, const char *why)
{
    (void)fprintf(stderr, "bench_store: %s: %s\n", what, why);
    exit(1);
}

static void must(nav_status status, const char *what, const nav_error *err)
{
    if (status != NAV_OK) {
        give_up(what, err->detail);
    }
}

static const char *path_of(const char *name)
{
    static char path[4096];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void remove_store(const char *name)
{
    static const char *const suffixes[] = {"", "-wal", "-shm", "-new", "-journal"};
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        char file[128];
        (void)snprintf(file, sizeof file, "%s%s", name, suffixes[i]);
        (void)unlink(path_of(file));
    }
}

// What the process has computed so far: unlike the wall clock it is not lengthened by others.
static uint64_t cpu_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

// The least time of each side.
typedef struct duel {
    double ours_ms, theirs_ms;
} duel;

static void keep_least(double *least, uint64_t began_ns, uint64_t now_ns)
{
    double ms = (double)(now_ns - began_ns) / 1e6;
    *least = *least == 0 || ms < *least ? ms : *least;
}

static void print_duel(const char *what, const char *beside, duel d, double target)
{
    (void)printf("%-44s %9.3f ms   %-30s %9.3f ms   ratio %6.3f   (at most %.2f)\n", what,
                 d.ours_ms, beside, d.theirs_ms, d.ours_ms / d.theirs_ms, target);
    (void)fflush(stdout);
}

// Bytes that no packer makes smaller.
static void fill_random(uint8_t *bytes, size_t size_bytes, uint64_t seed)
{
    for (size_t i = 0; i < size_bytes; i++) {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        bytes[i] = (uint8_t)seed;
    }
}

// ---- commits ----

// A version that waits for its bake's end.
static uint32_t insert(store *disk, const char *mesh, const void *geometry, size_t geometry_bytes,
                       uint64_t seed)
{
    uint8_t hash[32] = {0};
    nav_error err = {0};
    uint32_t version = 0;
    bool existing;
    memcpy(hash, &seed, sizeof seed);
    const store_upload row = {.mesh = mesh,
                              .content_key = hash,
                              .geometry_hash = hash,
                              .geometry = geometry,
                              .geometry_bytes = geometry_bytes,
                              .geometry_unpacked_bytes = geometry_bytes,
                              .geometry_json = "{}",
                              .config_json = "{}",
                              .tiles_total = 1,
                              .activate = true};
    must(store_version_insert(disk, &row, &version, &existing, &err), "insert", &err);
    return version;
}

static void make_tiles(store_tile *tiles, size_t count, uint8_t *bytes, uint64_t seed)
{
    const size_t each = MIB / count;
    fill_random(bytes, MIB, seed * 2654435761u + 1);
    for (size_t i = 0; i < count; i++) {
        tiles[i] = (store_tile){.x = (uint32_t)i,
                                .has_key = true,
                                .packed = bytes + i * each,
                                .packed_bytes = each,
                                .bytes = each};
        memcpy(tiles[i].hash, bytes + i * each, 32);
        memcpy(tiles[i].key, bytes + i * each + 64, 32);
        memcpy(tiles[i].packed_hash, bytes + i * each + 96, 32);
        tiles[i].has_packed_hash = true;
        tiles[i].report = bytes;
        tiles[i].report_bytes = 90;
    }
}

// What it costs to have the same bytes on disk without a store.
static void write_raw(const uint8_t *bytes, int fd)
{
    if (write(fd, bytes, MIB) != (ssize_t)MIB || fdatasync(fd) != 0) {
        give_up("writing", folder);
    }
}

static void bench_commit(size_t tile_count)
{
    static store_tile tiles[1024];
    uint8_t *bytes = malloc(MIB);
    store *disk = NULL;
    nav_error err = {0};
    duel d = {0}, cpu = {0};
    must(store_open(path_of("commit.db"), &disk, &err), "opening", &err);
    int fd = open(path_of("raw"), O_CREAT | O_TRUNC | O_WRONLY, 0644);
    for (uint32_t round = 0; round < rounds * 4; round++) {
        make_tiles(tiles, tile_count, bytes, round + 1);
        uint32_t version = insert(disk, "m", "g", 1, round);
        const store_result result = {.tiles = tiles,
                                     .tile_count = tile_count,
                                     .blob_json = "{}",
                                     .stats_json = "{}",
                                     .timings_json = "{}",
                                     .warnings_json = "[]"};
        uint64_t activation, began_ns = clock_now_ns(), cpu_began_ns = cpu_ns();
        must(store_version_ready(disk, "m", version, &result, &activation, &err), "commit", &err);
        keep_least(&d.ours_ms, began_ns, clock_now_ns());
        keep_least(&cpu.ours_ms, cpu_began_ns, cpu_ns());
        began_ns = clock_now_ns();
        cpu_began_ns = cpu_ns();
        write_raw(bytes, fd);
        keep_least(&d.theirs_ms, began_ns, clock_now_ns());
        keep_least(&cpu.theirs_ms, cpu_began_ns, cpu_ns());
    }
    char what[64];
    (void)snprintf(what, sizeof what, "commit of a version of 1 MiB, %zu tiles", tile_count);
    print_duel(what, "write + fdatasync", d, 2);
    print_duel("    CPU time", "CPU time", cpu, 2);
    (void)close(fd);
    store_close(disk);
    remove_store("commit.db");
    (void)unlink(path_of("raw"));
    free(bytes);
}

// ---- a start ----

typedef struct maps {
    uint8_t *packed[MAPS];
    size_t packed_bytes[MAPS], bytes[MAPS];
} maps;

// A level of about 1 MiB as one tile.
static void bake_level(uint64_t seed, nav_arena *result, nav_blob *out)
{
    level_mesh level;
    if (!levels_generate(LEVEL_TERRAIN, 190, seed, &level)) {
        give_up("terrain", "cannot be generated");
    }
    const nav_geometry geometry = {.vertices = level.vertices,
                                   .triangles = level.triangles,
                                   .vertex_count = level.vertex_count,
                                   .triangle_count = level.triangle_count};
    nav_config config = nav_config_default();
    nav_grid grid;
    nav_arena scratch;
    nav_error err = {0};
    nav_arena_init(&scratch, NULL, 0);
    config.tile_cells = 0;
    config.edge_max_error = 0.5f;
    config.detail_sample_distance = 3;
    must(nav_bake_plan(&geometry, &config, 0, &grid, &err), "plan", &err);
    must(nav_bake_tile(&geometry, &config, &grid, NULL, 0, 0, NULL, &scratch, result, out, NULL,
                       &err),
         "bake", &err);
    nav_arena_free(&scratch);
    levels_free(&level);
}

// The same tile for a slightly other agent, so that no two maps share a blob.
static void vary(uint8_t *bytes, uint32_t number)
{
    nav_tile_header *header = (nav_tile_header *)(void *)bytes;
    const size_t covered = offsetof(nav_tile_header, tile_x);
    header->agent_radius += (float)number * 1e-4f;
    header->checksum = nav_tile_checksum(bytes + covered, header->size_bytes - covered);
}

static void store_map(store *disk, uint32_t number, const nav_blob *blob, maps *m)
{
    char mesh[16], config_json[] = "{}";
    nav_error err = {0};
    uint64_t activation;
    uint8_t *bytes = malloc(blob->size_bytes);
    memcpy(bytes, blob->bytes, blob->size_bytes);
    vary(bytes, number);
    store_tile tile = {.bytes = blob->size_bytes};
    nav_sha256 hash;
    nav_sha256_init(&hash);
    nav_sha256_add(&hash, bytes, blob->size_bytes);
    nav_sha256_end(&hash, tile.hash);
    must(pack_compress(bytes, blob->size_bytes, &tile.packed, &tile.packed_bytes, &err), "packing",
         &err);
    store_tile_hash_packed(&tile);
    (void)snprintf(mesh, sizeof mesh, "map%u", number);
    uint32_t version = insert(disk, mesh, "g", 1, number);
    const store_result result = {.tiles = &tile,
                                 .tile_count = 1,
                                 .blob_json = config_json,
                                 .stats_json = "{}",
                                 .timings_json = "{}",
                                 .warnings_json = "[]"};
    must(store_version_ready(disk, mesh, version, &result, &activation, &err), "commit", &err);
    m->packed[number] = tile.packed;
    m->packed_bytes[number] = tile.packed_bytes;
    m->bytes[number] = blob->size_bytes;
    free(bytes);
}

// Maps in a database, and the same packed bytes in one file.
static size_t make_maps(maps *m)
{
    store *disk = NULL;
    nav_error err = {0};
    size_t all_bytes = 0;
    nav_arena result;
    nav_blob blobs[SEEDS];
    nav_arena_init(&result, NULL, 0);
    must(store_open(path_of("maps.db"), &disk, &err), "opening", &err);
    FILE *file = fopen(path_of("maps.raw"), "wb");
    for (uint32_t i = 0; i < SEEDS; i++) {
        bake_level(i + 1, &result, &blobs[i]);
    }
    for (uint32_t i = 0; i < MAPS; i++) {
        store_map(disk, i, &blobs[i % SEEDS], m);
        all_bytes += m->bytes[i];
        if (fwrite(m->packed[i], 1, m->packed_bytes[i], file) != m->packed_bytes[i]) {
            give_up("writing", folder);
        }
        free(m->packed[i]);
    }
    (void)fclose(file);
    store_close(disk);
    nav_arena_free(&result);
    return all_bytes;
}

// One thread's part: every step-th map.
typedef struct raw_part {
    const maps *maps;
    int fd;
    uint32_t first, step;
} raw_part;

static void *read_part(void *argument)
{
    const raw_part *part = argument;
    const maps *m = part->maps;
    nav_error err = {0};
    off_t at = 0;
    for (uint32_t i = 0; i < MAPS; at += (off_t)m->packed_bytes[i++]) {
        if (i % part->step != part->first) {
            continue;
        }
        uint8_t *packed = malloc(m->packed_bytes[i]);
        void *bytes = NULL;
        if (pread(part->fd, packed, m->packed_bytes[i], at) != (ssize_t)m->packed_bytes[i]) {
            give_up("reading", folder);
        }
        must(pack_decompress(packed, m->packed_bytes[i], m->bytes[i], &bytes, &err), "unpacking",
             &err);
        free(bytes);
        free(packed);
    }
    return NULL;
}

// Without a store, on one thread or two.
static void read_raw(const maps *m, uint32_t threads)
{
    const int fd = open(path_of("maps.raw"), O_RDONLY);
    raw_part parts[2] = {{m, fd, 0, threads}, {m, fd, 1, threads}};
    pthread_t other;
    const bool two = threads == 2;
    if (two && pthread_create(&other, NULL, read_part, &parts[1]) != 0) {
        give_up("a thread", "cannot be had");
    }
    (void)read_part(&parts[0]);
    if (two) {
        (void)pthread_join(other, NULL);
    }
    (void)close(fd);
}

// When the daemon answered first, and when it was ready; of its CPU time, too.
typedef struct start_times {
    uint64_t answer_ns, ready_ns;
    uint64_t answer_cpu_ns, ready_cpu_ns;
    uint64_t resident_bytes; // of all of the process, when it was ready
} start_times;

static uint64_t resident_bytes(pid_t pid)
{
    char path[64];
    unsigned long long pages = 0;
    (void)snprintf(path, sizeof path, "/proc/%d/statm", (int)pid);
    FILE *file = fopen(path, "r");
    if (file == NULL || fscanf(file, "%*u %llu", &pages) != 1) {
        give_up("reading", path);
    }
    (void)fclose(file);
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

// Starts the daemon on a port of its own choice, which it writes to stderr.
static pid_t spawn(uint32_t workers, uint16_t *port)
{
    static const char mark[] = "listening address=127.0.0.1:";
    char count[16], line[256];
    (void)snprintf(count, sizeof count, "%u", workers);
    char database[4096];
    (void)snprintf(database, sizeof database, "%s", path_of("maps.db"));
    const char *const arguments[] = {daemon_path, "--listen", "127.0.0.1:0", "--workers",
                                     count,       "--db",     database,      NULL};
    int lines[2];
    posix_spawn_file_actions_t actions;
    pid_t pid;
    if (pipe2(lines, O_CLOEXEC) != 0 || posix_spawn_file_actions_init(&actions) != 0 ||
        posix_spawn_file_actions_adddup2(&actions, lines[1], 2) != 0 ||
        posix_spawn(&pid, daemon_path, &actions, NULL, (char *const *)(uintptr_t)arguments,
                    environ) != 0) {
        give_up("starting", daemon_path);
    }
    (void)posix_spawn_file_actions_destroy(&actions);
    (void)close(lines[1]);
    FILE *text = fdopen(lines[0], "r");
    *port = 0;
    while (*port == 0 && text != NULL && fgets(line, sizeof line, text) != NULL) {
        const char *found = strstr(line, mark);
        *port = found != NULL ? (uint16_t)strtoul(found + strlen(mark), NULL, 10) : 0;
    }
    if (*port == 0) {
        give_up("listening", "the daemon says no port");
    }
    (void)fclose(text); // no more lines come than fit into the pipe, and they may be lost
    return pid;
}

// From the start of the process to the first answer about a mesh, which is the last one that is
// loaded if nobody asks; then to /readyz.
static start_times start(uint32_t workers)
{
    static const char question[] = "/v1/meshes/map99/path?start=60,0,60&end=120,0,120"
                                   "&snap.horizontal=20&snap.up=1000&snap.down=1000";
    const struct timespec pause = {.tv_nsec = 3000000}; // asking costs the daemon time, too
    start_times t;
    uint16_t port;
    clockid_t cpu_clock;
    struct timespec cpu;
    const uint64_t began_ns = clock_now_ns();
    const pid_t pid = spawn(workers, &port);
    client c = client_open(port);
    client_ask(&c, "GET", question, NULL, NULL, 0);
    t.answer_ns = clock_now_ns() - began_ns;
    (void)clock_getcpuclockid(pid, &cpu_clock);
    (void)clock_gettime(cpu_clock, &cpu);
    t.answer_cpu_ns = (uint64_t)cpu.tv_sec * 1000000000u + (uint64_t)cpu.tv_nsec;
    if (c.status != 200 || strstr(client_body(&c), "\"status\":\"complete\"") == NULL) {
        give_up("the first answer", client_body(&c));
    }
    for (c.status = 0; c.status != 200;) {
        client_ask(&c, "GET", "/readyz", NULL, NULL, 0);
        (void)nanosleep(&pause, NULL);
    }
    t.ready_ns = clock_now_ns() - began_ns;
    (void)clock_gettime(cpu_clock, &cpu);
    t.ready_cpu_ns = (uint64_t)cpu.tv_sec * 1000000000u + (uint64_t)cpu.tv_nsec;
    t.resident_bytes = resident_bytes(pid);
    client_close(&c);
    (void)kill(pid, SIGTERM);
    (void)waitpid(pid, NULL, 0);
    return t;
}

static void bench_start(void)
{
    static maps m;
    size_t all_bytes = make_maps(&m);
    duel answer = {0}, answer_cpu = {0}, ready = {0}, ready_cpu = {0}, ready_two = {0};
    uint64_t resident = 0;
    for (uint32_t round = 0; round < rounds; round++) {
        const start_times one = start(1), two = start(2);
        keep_least(&answer.ours_ms, 0, one.answer_ns);
        keep_least(&answer_cpu.ours_ms, 0, one.answer_cpu_ns);
        keep_least(&ready.ours_ms, 0, one.ready_ns);
        keep_least(&ready_cpu.ours_ms, 0, one.ready_cpu_ns);
        keep_least(&ready_two.ours_ms, 0, two.ready_ns);
        resident = one.resident_bytes > resident ? one.resident_bytes : resident;
        uint64_t began_ns = clock_now_ns(), cpu_began_ns = cpu_ns();
        read_raw(&m, 1);
        keep_least(&ready.theirs_ms, began_ns, clock_now_ns());
        keep_least(&ready_cpu.theirs_ms, cpu_began_ns, cpu_ns());
        began_ns = clock_now_ns();
        read_raw(&m, 2);
        keep_least(&ready_two.theirs_ms, began_ns, clock_now_ns());
    }
    answer.theirs_ms = ready.theirs_ms;
    answer_cpu.theirs_ms = ready_cpu.theirs_ms;
    (void)printf("%d maps of %.2f MiB, from the start of the process:\n", MAPS,
                 (double)all_bytes / MAPS / (double)MIB);
    print_duel("to the first answer, 1 worker", "read + unpack, one thread", answer, 1.5);
    print_duel("    CPU time", "CPU time", answer_cpu, 1.5);
    print_duel("to /readyz (all loaded), 1 worker", "read + unpack, one thread", ready, 1.5);
    print_duel("    CPU time", "CPU time", ready_cpu, 1.5);
    print_duel("to /readyz, 2 workers", "read + unpack, two threads", ready_two, 1.5);
    (void)printf("%-44s %9.3f MiB  %-30s %9.3f MiB  ratio %6.3f   (at most 2.50)\n",
                 "resident at /readyz, all of the process", (double)resident / (double)MIB,
                 "unpacked tiles", (double)all_bytes / (double)MIB,
                 (double)resident / (double)all_bytes);
    remove_store("maps.db");
    (void)unlink(path_of("maps.raw"));
}

// ---- uploads ----

typedef struct text {
    char *bytes;
    size_t size_bytes;
} text;

static text city_of(uint32_t size, float shift)
{
    level_mesh level;
    text out;
    if (!levels_generate(LEVEL_CITY, size, 1, &level)) {
        give_up("city", "cannot be generated");
    }
    // The corners of one box, which come last but for a house's.
    for (uint32_t i = 0; i < 8; i++) {
        level.vertices[3 * (level.vertex_count - 1 - i)] += shift;
    }
    FILE *file = open_memstream(&out.bytes, &out.size_bytes);
    if (file == NULL || !levels_write_obj(&level, file) || fclose(file) != 0) {
        give_up("city", "no memory");
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
    must(upload_open(s, "city", PROTO_FORMAT_OBJ, false, &u, &err), "upload", &err);
    must(upload_feed(u, obj->bytes, obj->size_bytes, &err), "upload", &err);
    must(upload_finish(u, args, arg_count, false, &outcome, &err), "upload", &err);
    upload_close(u);
    if (jobs_watch(s->jobs, "city", outcome.version, post, ended)) {
        (void)sem_wait(ended);
    }
}

static void bench_uploads(void)
{
    const text city = city_of(10, 0);
    const proto_arg anew[] = {{.key = "reuse", .value = "0"}};
    nav_error err = {0};
    sem_t ended;
    service s = {.registry = registry_create(),
                 .jobs = jobs_create(2),
                 .events = events_create(), // to which nobody listens
                 .limits = limits_default()};
    duel same = {0}, moved = {0};
    (void)sem_init(&ended, 0, 0);
    if (freopen("/dev/null", "w", stderr) == NULL) { // a line a bake
        give_up("stderr", "cannot be turned off");
    }
    must(store_open(path_of("uploads.db"), &s.store, &err), "opening", &err);
    must(jobs_start(s.jobs, job_bake, &s), "workers", &err);
    for (uint32_t round = 0; round < rounds; round++) {
        const text other = city_of(10, 0.01f * (float)(round + 1));
        uint64_t began_ns = clock_now_ns();
        send(&s, &city, anew, 1, &ended);
        keep_least(&same.theirs_ms, began_ns, clock_now_ns());
        began_ns = clock_now_ns();
        send(&s, &city, NULL, 0, &ended);
        keep_least(&same.ours_ms, began_ns, clock_now_ns());
        began_ns = clock_now_ns();
        send(&s, &other, NULL, 0, &ended);
        keep_least(&moved.ours_ms, began_ns, clock_now_ns());
        free(other.bytes);
    }
    moved.theirs_ms = same.theirs_ms;
    print_duel("unchanged upload of a city, 2 workers", "full bake", same, 0.05);
    print_duel("a city with one house moved, 2 workers", "full bake", moved, 1);
    jobs_stop(s.jobs);
    jobs_destroy(s.jobs);
    events_destroy(s.events);
    registry_destroy(s.registry);
    store_close(s.store);
    remove_store("uploads.db");
    free(city.bytes);
}

static bool wanted(const char *only, const char *part)
{
    return only == NULL || strcmp(only, part) == 0;
}

int main(int argc, char **argv)
{
    const char *only = NULL;
    const char *slash = strrchr(argv[0], '/');
    (void)snprintf(daemon_path, sizeof daemon_path, "%.*snavmeshd",
                   slash != NULL ? (int)(slash + 1 - argv[0]) : 0, argv[0]);
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--rounds") == 0 && i + 1 < argc) {
            rounds = (uint32_t)strtoul(argv[++i], NULL, 10);
        } else if (strcmp(argv[i], "--only") == 0 && i + 1 < argc) {
            only = argv[++i];
        } else if (strcmp(argv[i], "--daemon") == 0 && i + 1 < argc) {
            (void)snprintf(daemon_path, sizeof daemon_path, "%s", argv[++i]);
        } else {
            (void)snprintf(folder, sizeof folder, "%s", argv[i]);
        }
    }
    if (folder[0] == '\0' || rounds == 0 || rounds > ROUNDS_MAX) {
        give_up("usage",
                "bench_store [--rounds N] [--only commit|start|upload] [--daemon FILE] FOLDER");
    }
    static const size_t tile_counts[] = {1, 16, 128};
    for (size_t i = 0; wanted(only, "commit") && i < sizeof tile_counts / sizeof *tile_counts;
         i++) {
        bench_commit(tile_counts[i]);
    }
    if (wanted(only, "start")) {
        bench_start();
    }
    if (wanted(only, "upload")) {
        bench_uploads();
    }
    return 0;
}
