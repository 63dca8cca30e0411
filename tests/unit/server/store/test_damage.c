// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_damage.c: databases that were damaged by chance, in their rows and in their bytes: a
// start refuses them, or every question, upload, check and removal has its answer, which is JSON.
// Where only rows were damaged, an upload that was taken can be served.
//
// A case follows from its number. `make damage` runs many of them under sanitizers;
//
//   NAV_DAMAGE_SEED=<number> NAV_DAMAGE_CASES=1 build/sanitize/tests/unit/server/store/test_damage
//
// runs one again, and NAV_DAMAGE_LOG=1 shows what was done and what the daemon says.

#include "server/meshes/load.h"
#include "server/base/log.h"
#include "server/jobs/jobs.h"
#include "server/jobs/repair.h"
#include "server/api/routes.h"
#include "server/http/http.h"
#include "server/api/upload.h"
#include "server/app/startup.h"
#include "server/jobs/version_mesh.h"

#include "core/tile/tile.h"
#include "proto/base/text.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "tests/unit/service_fixture.h"

#define CASES 100u
#define SIDE 13 // corners of the ground, two units apart

static char folder[64], whole_path[96], loose_path[96], path[96];
static char ground[SIDE * SIDE * 64];
static uint64_t chance, case_number;
static bool loud;

// splitmix64 of Vigna 2015.
static uint64_t next_chance(void)
{
    uint64_t value = chance += UINT64_C(0x9e3779b97f4a7c15);
    value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
    return value ^ (value >> 31);
}

static uint32_t below(uint32_t limit)
{
    return (uint32_t)(next_chance() % limit);
}

// ---- a daemon without listeners ----

static void nothing(void *user)
{
    (void)user;
}

static nav_status open_service(service *s)
{
    nav_error err = {0};
    nav_status status = service_fixture_open(s, path, &err);
    s->routes = routes_all();
    if (status != NAV_OK && loud) {
        fprintf(stderr, "refused: %s\n", err.detail);
    }
    return status;
}

static void start(service *s)
{
    loaders *l = NULL;
    uint32_t pending;
    nav_error err = {0};
    if (startup_load_list(s, &err) == NAV_OK) {
        (void)startup_load_begin(s, nothing, NULL, &l, &pending, &err);
        startup_load_end(l);
    }
    repair_begin(s, nothing, NULL, &pending);
    (void)startup_requeue(s, &err);
    assert_int_equal(jobs_start(s->jobs, job_bake, s), NAV_OK);
    atomic_store(&s->state, SERVICE_READY);
    service_fixture_wait_for_jobs(s);
}

// ---- what clients do ----

static void assert_text(const char *text)
{
    const size_t size_bytes = strlen(text);
    for (size_t i = 0, length; i < size_bytes; i += length) {
        length = proto_text_utf8_length(text + i, size_bytes - i);
        assert_true(length > 0);
    }
}

// One request through its handler; the answer has a status, and is JSON where it says so.
static int request_of(service *s, const char *method, const char *address, const char *arguments,
                      const char *body)
{
    char allow[40], words[256];
    request r = {.service = s, .body = body, .body_bytes = strlen(body), .id = "name"};
    r.content_type = "application/json";
    reply out;
    nav_error err = {0};
    assert_int_equal(routing_find(routes_all(), &r, method, address, allow, sizeof allow, &err),
                     NAV_OK);
    (void)snprintf(words, sizeof words, "%s", arguments);
    char *rest = NULL;
    for (char *word = strtok_r(words, "&", &rest); word != NULL;
         word = strtok_r(NULL, "&", &rest)) {
        char *equals = strchr(word, '=');
        *equals = '\0';
        r.args[r.arg_count++] = (proto_arg){word, equals + 1};
    }
    request_handle(&r, &out);
    assert_in_range(out.status, 200, 599);
    if (out.content_type != NULL && strstr(out.content_type, "json") != NULL) {
        assert_int_equal(proto_json_scan(out.body, out.body_bytes, 64, UINT32_MAX, &err), NAV_OK);
        assert_null(memchr(out.body, '\n', out.body_bytes));
    }
    if (loud && out.status >= 500) {
        fprintf(stderr, "%s %s: %d %.300s\n", method, address, out.status, out.body);
    }
    free(out.body);
    return out.status;
}

static int get(service *s, const char *address, const char *arguments)
{
    return request_of(s, "GET", address, arguments, "");
}

static nav_status send_level(service *s, const char *mesh, const char *obj, const char *radius,
                             bool reuse, upload_outcome *out)
{
    upload *u;
    nav_error err = {0};
    const proto_arg args[] = {{"cell_size", "0.5"},
                              {"tile_cells", "16"},
                              {"agent.radius", radius},
                              {"reuse", reuse ? "1" : "0"}};
    assert_int_equal(upload_open(s, mesh, PROTO_FORMAT_OBJ, false, &u, NULL), NAV_OK);
    assert_int_equal(upload_feed(u, obj, strlen(obj), NULL), NAV_OK);
    nav_status status = upload_finish(u, args, 4, false, out, &err);
    upload_close(u);
    assert_text(err.detail);
    assert_int_not_equal(status, PROTO_VERSION_NOT_FOUND); // it would make a new one
    if (loud) {
        fprintf(stderr, "upload to %s: %s version %u%s %s\n", mesh, proto_status_word(status),
                out->version, out->existing ? ", known" : "", err.detail);
    }
    service_fixture_wait_for_jobs(s);
    return status;
}

static void ask_all(service *s)
{
    static const char *const addresses[] = {"/v1/meshes",
                                            "/v1/status",
                                            "/metrics",
                                            "/v1/meshes/town",
                                            "/v1/meshes/town/checks",
                                            "/v1/meshes/town/versions",
                                            "/v1/meshes/town/versions/1",
                                            "/v1/meshes/town/versions/2",
                                            "/v1/meshes/town/versions/3",
                                            "/v1/meshes/town/versions/1/geometry",
                                            "/v1/meshes/town/versions/2/render.svg",
                                            "/v1/meshes/yard",
                                            "/v1/meshes/yard/versions/1"};
    for (size_t i = 0; i < sizeof addresses / sizeof *addresses; i++) {
        (void)get(s, addresses[i], "");
    }
    (void)get(s, "/v1/meshes/town/versions/diff", "from=1&to=2");
    (void)get(s, "/v1/meshes/town/path", "start=2,0,2&end=20,0,20");
    (void)get(s, "/v1/meshes/town/path", "start=2,0,2&end=20,0,20&version=1");
    (void)get(s, "/v1/meshes/yard/path", "start=2,0,2&end=20,0,20");
    (void)get(s, "/v1/meshes/town/flood", "start=2,0,2&max_cost=1000");
    (void)request_of(s, "PUT", "/v1/meshes/town/active", "", "{\"version\":1}");
}

// ---- verify ----

static void see_fault(void *user, const char *text)
{
    assert_text(text);
    assert_null(strchr(text, '\n'));
    ++*(uint32_t *)user;
    if (loud) {
        fprintf(stderr, "verify: %s\n", text);
    }
}

static uint32_t verify_mesh(store *disk, const char *mesh)
{
    store_version *rows = NULL;
    size_t count = 0;
    nav_error err = {0};
    uint32_t faults = store_version_list(disk, mesh, &rows, &count, &err) != NAV_OK;
    for (size_t i = 0; i < count; i++) {
        faults += repair_check(disk, &rows[i], true, &err) != NAV_OK;
        assert_text(err.detail);
    }
    store_versions_free(rows, count);
    return faults;
}

static uint32_t verify(void)
{
    store *disk = NULL;
    nav_error err = {0};
    uint32_t faults = 0;
    if (store_open_to_read(path, &disk, &err) != NAV_OK) {
        assert_text(err.detail);
        return 1;
    }
    faults += store_faults_each(disk, see_fault, &faults, &err) != NAV_OK;
    store_mesh *meshes = NULL;
    size_t mesh_count = 0;
    faults += store_mesh_list(disk, &meshes, &mesh_count, &err) != NAV_OK;
    for (size_t i = 0; i < mesh_count; i++) {
        faults += verify_mesh(disk, meshes[i].name);
    }
    free(meshes);
    assert_text(err.detail);
    store_close(disk);
    return faults;
}

// ---- files ----

static void remove_log(const char *of)
{
    static const char *const suffixes[] = {"-wal", "-shm", "-journal"};
    for (size_t i = 0; i < 3; i++) {
        char name[128];
        (void)snprintf(name, sizeof name, "%s%s", of, suffixes[i]);
        (void)unlink(name);
    }
}

static void copy_file(const char *from, const char *to)
{
    static char bytes[1 << 16];
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    assert_non_null(in);
    assert_non_null(out);
    for (size_t got; (got = fread(bytes, 1, sizeof bytes, in)) > 0;) {
        assert_int_equal(fwrite(bytes, 1, got, out), got);
    }
    (void)fclose(in);
    (void)fclose(out);
    remove_log(to);
}

static void execute(const char *file, const char *sql)
{
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(file, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

// ---- damage in the bytes of the file ----

static void damage_bytes(void)
{
    int fd = open(path, O_RDWR | O_CLOEXEC);
    assert_true(fd >= 0);
    const uint32_t size_bytes = (uint32_t)lseek(fd, 0, SEEK_END);
    static uint8_t page[16384];
    const uint32_t kind = below(8), pages = size_bytes / 16384;
    if (kind == 0) {
        assert_int_equal(ftruncate(fd, below(size_bytes)), 0);
    } else if (kind <= 2) { // a page of noise, of zeros, or of another
        const off_t at = (off_t)(1 + below(pages - 1)) * 16384;
        assert_int_equal(pread(fd, page, sizeof page, (off_t)below(pages) * 16384), sizeof page);
        for (uint32_t i = 0, fill = below(3); fill < 2 && i < sizeof page; i++) {
            page[i] = fill == 0 ? 0 : (uint8_t)next_chance();
        }
        assert_int_equal(pwrite(fd, page, sizeof page, at), sizeof page);
    } else {
        // Heads of pages and cells are hit more often than their share.
        for (uint32_t i = below(kind == 3 ? 200 : 8) + 1; i > 0; i--) {
            const uint8_t byte = (uint8_t)next_chance();
            const uint32_t at =
                kind < 6 ? below(size_bytes) : below(pages) * 16384 + below(kind == 6 ? 64 : 4);
            assert_int_equal(pwrite(fd, &byte, 1, at), 1);
        }
    }
    (void)close(fd);
}

// ---- damage in rows ----

static void pick(sqlite3_context *context, int count, sqlite3_value **values)
{
    (void)count;
    sqlite3_result_int(context, below((uint32_t)sqlite3_value_int(values[0])) == 0);
}

// Bytes of a value with a part changed, cut or repeated; those that begin with a checksum get one
// that fits, every other time.
static void damage_bytes_of(sqlite3_context *context, sqlite3_value *value)
{
    const bool text = sqlite3_value_type(value) == SQLITE_TEXT;
    const uint8_t *given = sqlite3_value_blob(value);
    size_t size_bytes = (size_t)sqlite3_value_bytes(value);
    uint8_t *bytes = malloc(2 * size_bytes + 64);
    assert_non_null(bytes);
    memset(bytes, 0, 2 * size_bytes + 64);
    if (size_bytes > 0) {
        memcpy(bytes, given, size_bytes);
    }
    switch (below(5)) {
    case 0:
        size_bytes = below((uint32_t)size_bytes + 1);
        break;
    case 1:
        memcpy(bytes + size_bytes, bytes, size_bytes);
        size_bytes += below((uint32_t)size_bytes + 1);
        break;
    default:
        for (uint32_t i = below(6) + 1; i > 0 && size_bytes > 0; i--) {
            const uint32_t at = below((uint32_t)size_bytes);
            const uint32_t wide = below(2) == 0 ? (uint32_t)next_chance() : below(300);
            const size_t room = size_bytes - at;
            memcpy(bytes + at, &wide, room < 4 || below(2) == 0 ? 1 : 4);
        }
    }
    if (!text && size_bytes >= 8 && below(2) == 0) {
        const uint64_t checksum = nav_tile_checksum(bytes + 8, size_bytes - 8);
        memcpy(bytes, &checksum, sizeof checksum);
    }
    if (text) {
        sqlite3_result_text(context, (const char *)bytes, (int)size_bytes, free);
    } else {
        sqlite3_result_blob(context, bytes, (int)size_bytes, free);
    }
}

static void damaged(sqlite3_context *context, int count, sqlite3_value **values)
{
    static const int64_t numbers[] = {
        0,         1,        2, 3, -1, 256, 4096, INT32_MAX, UINT32_MAX, (int64_t)UINT32_MAX + 1,
        INT64_MAX, INT64_MIN};
    const int type = sqlite3_value_type(values[0]);
    (void)count;
    switch (below(9)) {
    case 0:
        sqlite3_result_null(context);
        break;
    case 1:
        sqlite3_result_int64(context, numbers[below(sizeof numbers / sizeof *numbers)]);
        break;
    case 2:
        sqlite3_result_double(context, -1e300);
        break;
    case 3:
        sqlite3_result_text(context, below(2) == 0 ? "\xff\xc0{\"a\":" : "", -1, SQLITE_STATIC);
        break;
    case 4:
        sqlite3_result_text(context, "{\"checks\":[\0]}", 14, SQLITE_STATIC);
        break;
    case 5:
        sqlite3_result_zeroblob(context, (int)below(100));
        break;
    default:
        if (type == SQLITE_TEXT || type == SQLITE_BLOB) {
            damage_bytes_of(context, values[0]);
        } else {
            sqlite3_result_int64(context, sqlite3_value_int64(values[0]) + (int64_t)below(9) - 4);
        }
    }
}

static const struct {
    const char *table, *columns; // parted by spaces
} TABLES[] = {
    {"meshes", "id name next_version active newest_activated activation"},
    {"geometries", "hash bytes zstd"},
    {"versions", "mesh version state activate created_at content_key geometry_hash tiles_total "
                 "geometry_json config_json blob_json stats_json timings_json warnings_json "
                 "error_code error_detail error_at error_got error_limit tiles_reused reuse force "
                 "checks_json agents_json"},
    {"version_landmarks", "mesh version agent fingerprint bytes zstd"},
    {"mesh_checks", "mesh checks_json"},
    {"blobs", "id zstd"},
    {"tiles", "id hash blob bytes key packed_hash report checksum"},
    {"version_tiles", "mesh version tile_z tile_x tile checksum"},
    {"recordings", "id mesh version cause bytes name created_at kind status ms bundle"},
};

static void column_by_chance(size_t table, char out[32])
{
    char words[256];
    size_t count = 0;
    char *rest = NULL, *list[32];
    (void)snprintf(words, sizeof words, "%s", TABLES[table].columns);
    for (char *word = strtok_r(words, " ", &rest); word != NULL;
         word = strtok_r(NULL, " ", &rest)) {
        list[count++] = word;
    }
    (void)snprintf(out, 32, "%s", list[below((uint32_t)count)]);
}

// A change that a key or a constraint forbids does not happen.
static void damage_row(sqlite3 *db)
{
    char column[32], sql[256];
    const size_t table = below(sizeof TABLES / sizeof *TABLES);
    const char *name = TABLES[table].table;
    const uint32_t one_in = below(3) + 1;
    column_by_chance(table, column);
    switch (below(6)) {
    case 0:
        (void)snprintf(sql, sizeof sql, "DELETE FROM %s WHERE pick(%u)", name, one_in);
        break;
    case 1: // another row's
        (void)snprintf(sql, sizeof sql,
                       "UPDATE OR IGNORE %s SET %s = (SELECT %s FROM %s WHERE pick(3) LIMIT 1)"
                       " WHERE pick(%u)",
                       name, column, column, name, one_in);
        break;
    default:
        (void)snprintf(sql, sizeof sql, "UPDATE OR IGNORE %s SET %s = damaged(%s) WHERE pick(%u)",
                       name, column, column, one_in);
    }
    if (loud) {
        fprintf(stderr, "%s\n", sql);
    }
    (void)sqlite3_exec(db, sql, NULL, NULL, NULL);
}

static void damage_rows(void)
{
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    (void)sqlite3_create_function(db, "pick", 1, SQLITE_UTF8, NULL, pick, NULL, NULL);
    (void)sqlite3_create_function(db, "damaged", 1, SQLITE_UTF8, NULL, damaged, NULL, NULL);
    assert_int_equal(sqlite3_exec(db,
                                  "PRAGMA synchronous=OFF; PRAGMA foreign_keys=OFF;"
                                  "PRAGMA ignore_check_constraints=ON",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    for (uint32_t i = below(3) + 1; i > 0; i--) {
        damage_row(db);
    }
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

// ---- a case ----

// A level that was taken and is ready is there for questions.
static void assert_served(service *s, const char *mesh, const upload_outcome *outcome)
{
    store_version row;
    nav_error err = {0};
    if (store_version_get(s->store, mesh, outcome->version, &row, &err) != NAV_OK) {
        return;
    }
    const bool ready = row.state == STORE_READY;
    store_version_free(&row);
    nav_mesh *found = NULL;
    if (ready && load_mesh(s->store, mesh, outcome->version, NULL, NULL, &found, &err) != NAV_OK) {
        fail_msg("NAV_DAMAGE_SEED=%llu: mesh %s version %u: %s", (unsigned long long)case_number,
                 mesh, outcome->version, err.detail);
    }
    nav_mesh_release(found);
}

static void use(service *s, bool rows_only)
{
    upload_outcome town, yard;
    start(s);
    ask_all(s);
    const nav_status first = send_level(s, "town", ground, "0.6", true, &town);
    const nav_status second = send_level(s, "yard", ground, "0.6", below(2) == 0, &yard);
    if (rows_only && first == NAV_OK) {
        assert_served(s, "town", &town);
    }
    if (rows_only && second == NAV_OK) {
        assert_served(s, "yard", &yard);
    }
    ask_all(s);
    (void)request_of(s, "PUT", "/v1/meshes/town/checks", "",
                     "{\"checks\":[{\"name\":\"size\",\"min_walkable_area\":1}]}");
    (void)verify();
    (void)request_of(s, "DELETE", "/v1/meshes/town/versions/2", "", "");
    (void)request_of(s, "DELETE", "/v1/meshes/yard", "", "");
    ask_all(s);
    jobs_stop(s->jobs);
}

static void run_case(uint64_t number)
{
    service s;
    chance = case_number = number;
    chance = next_chance(); // else a case would be the one before it, one step later
    const bool bytes = below(3) == 0;
    copy_file(bytes || below(2) == 0 ? whole_path : loose_path, path);
    if (bytes) {
        damage_bytes();
    } else {
        damage_rows();
    }
    (void)verify();
    if (open_service(&s) == NAV_OK) {
        use(&s, !bytes);
    }
    service_fixture_close(&s);
    remove_log(path);
}

// ---- the database that is damaged ----

static void write_ground(void)
{
    size_t used = 0;
    uint64_t seed = 7;
    for (int z = 0; z < SIDE; z++) {
        for (int x = 0; x < SIDE; x++) {
            seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
            used += (size_t)snprintf(ground + used, sizeof ground - used, "v %d %.2f %d\n", 2 * x,
                                     (double)(seed >> 60) * 0.05, 2 * z);
        }
    }
    for (int z = 1; z < SIDE; z++) {
        for (int x = 1; x < SIDE; x++) {
            const int a = (z - 1) * SIDE + x;
            used += (size_t)snprintf(ground + used, sizeof ground - used, "f %d %d %d %d\n", a,
                                     a + SIDE, a + SIDE + 1, a + 1);
        }
    }
}

static void fill(void)
{
    service s;
    upload_outcome outcome;
    assert_int_equal(open_service(&s), NAV_OK);
    start(&s);
    (void)request_of(&s, "PUT", "/v1/meshes/town/checks", "",
                     "{\"checks\":[{\"name\":\"size\",\"min_walkable_area\":1}]}");
    assert_int_equal(send_level(&s, "town", ground, "0.6", true, &outcome), NAV_OK);
    assert_int_equal(send_level(&s, "town", ground, "0.9", true, &outcome), NAV_OK);
    assert_int_equal(send_level(&s, "yard", ground, "0.6", false, &outcome), NAV_OK);
    assert_served(&s, "town", &outcome);
    // One that failed, and one that a start finds in the queue.
    assert_int_equal(
        send_level(&s, "town", "v 0 0 0\nv 0 9 0\nv 0 0 9\nf 1 2 3\n", "0.6", true, &outcome),
        NAV_OK);
    jobs_stop(s.jobs);
    jobs_destroy(s.jobs);
    s.jobs = jobs_create(2);
    upload *u;
    assert_int_equal(upload_open(&s, "town", PROTO_FORMAT_OBJ, false, &u, NULL), NAV_OK);
    assert_int_equal(upload_feed(u, ground, strlen(ground), NULL), NAV_OK);
    assert_int_equal(upload_finish(u, NULL, 0, false, &outcome, NULL), NAV_OK);
    upload_close(u);
    service_fixture_close(&s);
}

static int set_up(void **state)
{
    (void)state;
    loud = getenv("NAV_DAMAGE_LOG") != NULL;
    log_configure(loud ? LOG_LEVEL_INFO : (log_level)(LOG_LEVEL_ERROR + 1), LOG_FORMAT_TEXT);
    // In memory, where there is such a folder: a commit waits for the disk else.
    (void)snprintf(folder, sizeof folder, "%s/test_damage_XXXXXX",
                   access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    assert_non_null(mkdtemp(folder));
    (void)snprintf(whole_path, sizeof whole_path, "%s/whole.db", folder);
    (void)snprintf(loose_path, sizeof loose_path, "%s/loose.db", folder);
    (void)snprintf(path, sizeof path, "%s/t.db", folder);
    write_ground();
    fill();
    copy_file(path, whole_path);
    copy_file(path, loose_path);
    // One whose rows may hold anything.
    execute(loose_path, "PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql ="
                        " replace(sql, ' NOT NULL', '') WHERE type = 'table'");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    remove_log(path);
    (void)unlink(path);
    (void)unlink(whole_path);
    (void)unlink(loose_path);
    (void)rmdir(folder);
    return 0;
}

static uint64_t setting(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text != NULL ? strtoull(text, NULL, 10) : otherwise;
}

static void what_is_whole_has_no_fault_and_all_answers(void **state)
{
    (void)state;
    service s;
    copy_file(whole_path, path);
    assert_int_equal(verify(), 0);
    assert_int_equal(open_service(&s), NAV_OK);
    start(&s);
    assert_int_equal(get(&s, "/v1/meshes/town/versions/2", ""), 200);
    assert_int_equal(get(&s, "/v1/meshes/town/path", "start=2,0,2&end=20,0,20"), 200);
    assert_int_equal(get(&s, "/v1/meshes/town/versions/diff", "from=1&to=2"), 200);
    assert_int_equal(request_of(&s, "PUT", "/v1/meshes/town/active", "", "{\"version\":1}"), 200);
    assert_int_equal(request_of(&s, "DELETE", "/v1/meshes/yard", "", ""), 204);
    jobs_stop(s.jobs);
    service_fixture_close(&s);
    assert_int_equal(verify(), 0);
}

static void whatever_is_damaged_has_an_answer(void **state)
{
    (void)state;
    const uint64_t first = setting("NAV_DAMAGE_SEED", 1);
    const uint64_t count = setting("NAV_DAMAGE_CASES", CASES);
    for (uint64_t number = first; number < first + count; number++) {
        // Told before, since a case that breaks the program tells nothing.
        if (loud || (count > CASES && number % 100 == 0)) {
            fprintf(stderr, "case NAV_DAMAGE_SEED=%llu\n", (unsigned long long)number);
        }
        run_case(number);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_whole_has_no_fault_and_all_answers),
        cmocka_unit_test(whatever_is_damaged_has_an_answer),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
