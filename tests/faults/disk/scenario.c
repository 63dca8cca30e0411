// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// scenario.c: see scenario.h.

#include "tests/faults/disk/scenario.h"

#include "core/nav.h"
#include "server/store/recordings.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOWN "town"
#define YARD "yard"
#define TILES 6u

// ---- bytes that follow from a number ----

static void fill(uint8_t *out, size_t size_bytes, uint32_t number)
{
    uint32_t x = number * 2654435761u + 1;
    for (size_t i = 0; i < size_bytes; i++) {
        x = x * 1664525u + 1013904223u;
        out[i] = (uint8_t)(x >> 24);
    }
}

static void hash_of(const void *bytes, size_t size_bytes, uint8_t out[32])
{
    nav_sha256 hash;
    nav_sha256_init(&hash);
    nav_sha256_add(&hash, bytes, size_bytes);
    nav_sha256_end(&hash, out);
}

static size_t tile_bytes(uint32_t number)
{
    return 3000 + number % 7 * 5000;
}

// Its blocks are to be freed.
static store_tile make_tile(uint32_t x, uint32_t number)
{
    store_tile tile = {.x = x, .has_key = true, .bytes = 10 * tile_bytes(number)};
    tile.packed_bytes = tile_bytes(number);
    tile.packed = malloc(tile.packed_bytes);
    tile.report = malloc(40);
    tile.report_bytes = 40;
    if (tile.packed == NULL || tile.report == NULL) {
        abort();
    }
    fill(tile.key, sizeof tile.key, number);
    fill(tile.packed, tile.packed_bytes, number + 1000);
    fill(tile.report, tile.report_bytes, number + 2000);
    hash_of(tile.packed, tile.packed_bytes, tile.hash);
    store_tile_hash_packed(&tile);
    return tile;
}

static store_tile *make_tiles(uint32_t first, uint32_t count)
{
    store_tile *tiles = calloc(count, sizeof *tiles);
    for (uint32_t i = 0; tiles != NULL && i < count; i++) {
        tiles[i] = make_tile(i, first + i);
    }
    return tiles;
}

// ---- the steps ----

static nav_status upload(store *disk, const char *mesh, uint32_t geometry, uint32_t settings,
                         size_t size_bytes, nav_error *err)
{
    uint8_t key[32], hash[32];
    uint8_t *bytes = malloc(size_bytes);
    uint32_t version;
    bool existing;
    if (bytes == NULL) {
        return NAV_NO_MEMORY;
    }
    fill(bytes, size_bytes, geometry);
    fill(hash, sizeof hash, geometry + 7);
    fill(key, sizeof key, settings + 9);
    char config[64];
    (void)snprintf(config, sizeof config, "{\"settings\":%u}", settings);
    const store_upload sent = {.mesh = mesh,
                               .content_key = key,
                               .geometry_hash = hash,
                               .geometry = bytes,
                               .geometry_bytes = size_bytes,
                               .geometry_unpacked_bytes = size_bytes * 3,
                               .geometry_json = "{\"format\":\"obj\"}",
                               .config_json = config,
                               .tiles_total = TILES,
                               .activate = true};
    nav_status status = store_version_insert(disk, &sent, &version, &existing, err);
    free(bytes);
    return status;
}

// The result of a bake.
typedef struct bake {
    store_tile *tiles; // of TILES
    uint8_t packed[900];
    store_landmarks landmarks;
    char texts[3][64], blob[128];
    store_result result;
} bake;

// Its tiles are to be freed.
static void make_bake(bake *b, uint32_t version, uint32_t first)
{
    uint8_t name[32];
    char hex[65];
    b->tiles = make_tiles(first, TILES);
    fill(b->packed, sizeof b->packed, version + 77);
    store_tiles_name(b->tiles, TILES, name);
    nav_sha256_hex(name, hex);
    (void)snprintf(b->blob, sizeof b->blob, "{\"sha256\":\"%s\"}", hex);
    for (int i = 0; i < 3; i++) {
        (void)snprintf(b->texts[i], sizeof b->texts[i], "{\"version\":%u,\"text\":%d}", version, i);
    }
    b->landmarks = (store_landmarks){.fingerprint = version,
                                     .packed = b->packed,
                                     .packed_bytes = sizeof b->packed,
                                     .bytes = 4000};
    b->result = (store_result){.tiles = b->tiles,
                               .tile_count = TILES,
                               .tiles_reused = 1,
                               .landmarks = &b->landmarks,
                               .landmark_count = 1,
                               .blob_json = b->blob,
                               .stats_json = b->texts[0],
                               .timings_json = b->texts[1],
                               .warnings_json = "[]",
                               .checks_json = "[]"};
}

static nav_status ready(store *disk, const char *mesh, uint32_t version, uint32_t first,
                        uint32_t keep, nav_error *err)
{
    bake b;
    uint64_t activation;
    uint32_t removed;
    make_bake(&b, version, first);
    b.result.keep_versions = keep;
    b.result.removed = &removed;
    nav_status status = store_version_ready(disk, mesh, version, &b.result, &activation, err);
    store_tiles_free(b.tiles, TILES);
    return status;
}

static nav_status upload_first(store *disk, nav_error *err)
{
    return upload(disk, TOWN, 1, 1, 50000, err);
}

static nav_status put_tiles(store *disk, nav_error *err)
{
    store_tile *tiles = make_tiles(100, 2);
    nav_status status = store_tiles_put(disk, TOWN, 1, tiles, 2, err);
    store_tiles_free(tiles, 2);
    return status;
}

static nav_status ready_first(store *disk, nav_error *err)
{
    return ready(disk, TOWN, 1, 100, 0, err);
}

static nav_status set_checks(store *disk, nav_error *err)
{
    return store_checks_set(disk, TOWN, "{\"checks\":[{\"name\":\"gate\"}]}", err);
}

static nav_status upload_second(store *disk, nav_error *err)
{
    return upload(disk, TOWN, 1, 2, 50000, err); // of the same geometry
}

static nav_status ready_second(store *disk, nav_error *err)
{
    return ready(disk, TOWN, 2, 103, 0, err); // half of its tiles are those of the first
}

static nav_status switch_back(store *disk, nav_error *err)
{
    store_mesh before;
    uint64_t activation;
    return store_activate(disk, TOWN, 1, STORE_ANY_ACTIVATION, &before, &activation, err);
}

static nav_status note_checks(store *disk, nav_error *err)
{
    return store_version_checks_set(disk, TOWN, 2, "[{\"name\":\"gate\",\"passed\":true}]", err);
}

static nav_status upload_third(store *disk, nav_error *err)
{
    return upload(disk, TOWN, 3, 3, 200000, err);
}

static nav_status fail_third(store *disk, nav_error *err)
{
    nav_error why = {0};
    (void)nav_fail(&why, NAV_MESH_EMPTY, "no place to stand");
    return store_version_failed(disk, TOWN, 3, &why, err);
}

static nav_status upload_fourth(store *disk, nav_error *err)
{
    return upload(disk, TOWN, 4, 4, 20000, err);
}

static nav_status cancel_fourth(store *disk, nav_error *err)
{
    bool cancelled;
    return store_version_cancel(disk, TOWN, 4, &cancelled, err);
}

static nav_status upload_yard(store *disk, nav_error *err)
{
    return upload(disk, YARD, 5, 5, 5000, err);
}

static nav_status ready_yard(store *disk, nav_error *err)
{
    return ready(disk, YARD, 1, 107, 0, err); // two of its tiles are those of the town's second
}

static nav_status record(store *disk, const char *id, uint32_t version, store_cause cause,
                         nav_error *err)
{
    static char bundle[20000];
    store_recording row = {.version = version,
                           .cause = cause,
                           .created_at = "2026-11-26T10:00:00.000Z",
                           .kind = "path",
                           .status = 200,
                           .bundle = bundle,
                           .bundle_bytes = sizeof bundle};
    (void)snprintf(row.id, sizeof row.id, "%s", id);
    (void)snprintf(row.mesh, sizeof row.mesh, "%s", TOWN);
    return store_recording_insert(disk, &row, err);
}

static nav_status record_first(store *disk, nav_error *err)
{
    return record(disk, "B", 1, STORE_CAUSE_SLOW, err);
}

static nav_status record_second(store *disk, nav_error *err)
{
    return record(disk, "A", 2, STORE_CAUSE_ASKED, err);
}

// Its recording goes with it, and tile 106, since no other version has it; three are the first's,
// too, and two the yard's.
static nav_status delete_second(store *disk, nav_error *err)
{
    return store_version_delete(disk, TOWN, 2, true, err);
}

static nav_status delete_third(store *disk, nav_error *err)
{
    return store_version_delete(disk, TOWN, 3, false, err);
}

static nav_status upload_fifth(store *disk, nav_error *err)
{
    return upload(disk, TOWN, 6, 6, 30000, err);
}

// The first goes, as it is neither live any more nor among the newest, and its recording with it.
static nav_status ready_fifth(store *disk, nav_error *err)
{
    return ready(disk, TOWN, 5, 110, 1, err);
}

static nav_status upload_sixth(store *disk, nav_error *err)
{
    return upload(disk, TOWN, 6, 6, 30000, err); // with the content of the fifth
}

static nav_status ready_sixth(store *disk, nav_error *err)
{
    return ready(disk, TOWN, 6, 113, 0, err);
}

// As if it were damaged: others in the place of its tiles and texts.
static nav_status repair_sixth(store *disk, nav_error *err)
{
    bake b;
    uint64_t activation;
    make_bake(&b, 6, 120);
    b.result.repairs = true;
    b.result.geometry_json = "{\"format\":\"json\"}";
    nav_status status = store_version_ready(disk, TOWN, 6, &b.result, &activation, err);
    store_tiles_free(b.tiles, TILES);
    return status;
}

static nav_status delete_yard(store *disk, nav_error *err)
{
    uint64_t activation;
    return store_mesh_delete(disk, YARD, false, &activation, err);
}

const scenario_step SCENARIO[] = {
    {"upload", upload_first},
    {"finished tiles", put_tiles},
    {"a bake's end", ready_first},
    {"checks", set_checks},
    {"upload of the same geometry", upload_second},
    {"end of a bake with tiles in common", ready_second},
    {"a recording that was asked for", record_second},
    {"a recording that made itself", record_first},
    {"switch", switch_back},
    {"how checks went", note_checks},
    {"larger upload", upload_third},
    {"a bake that failed", fail_third},
    {"upload to be cancelled", upload_fourth},
    {"cancel", cancel_fourth},
    {"upload of another mesh", upload_yard},
    {"its bake's end", ready_yard},
    {"delete of a recorded one", delete_second},
    {"delete of a failed one", delete_third},
    {"upload again", upload_fifth},
    {"end of a bake that removes", ready_fifth},
    {"upload of an equal one", upload_sixth},
    {"end of the equal one's bake", ready_sixth},
    {"repair", repair_sixth},
    {"delete of a mesh", delete_yard},
};
const size_t SCENARIO_STEPS = sizeof SCENARIO / sizeof SCENARIO[0];

// ---- all of it as a text ----

typedef struct text {
    char *bytes;
    size_t used, capacity;
} text;

static void say(text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(text *t, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    const int wanted = vsnprintf(NULL, 0, format, values);
    va_end(values);
    if (t->used + (size_t)wanted + 1 > t->capacity) {
        t->capacity = (t->used + (size_t)wanted + 1) * 2;
        t->bytes = realloc(t->bytes, t->capacity);
        if (t->bytes == NULL) {
            abort();
        }
    }
    va_start(values, format);
    (void)vsnprintf(t->bytes + t->used, t->capacity - t->used, format, values);
    va_end(values);
    t->used += (size_t)wanted;
}

static void say_hash(text *t, const char *what, const void *bytes, size_t size_bytes)
{
    uint8_t hash[32];
    char hex[65];
    hash_of(bytes, size_bytes, hash);
    nav_sha256_hex(hash, hex);
    say(t, " %s=%zu:%.16s", what, size_bytes, hex);
}

static const char *or_none(const char *words)
{
    return words != NULL ? words : "-";
}

static nav_status dump_tiles(store *disk, const store_version *row, text *t, nav_error *err)
{
    store_tile *tiles = NULL;
    size_t count = 0;
    nav_status status = store_tiles_load(disk, row->mesh, row->version, &tiles, &count, err);
    for (size_t i = 0; status == NAV_OK && i < count; i++) {
        say(t, "  tile %u,%u", tiles[i].x, tiles[i].z);
        say_hash(t, "key", tiles[i].key, sizeof tiles[i].key);
        say_hash(t, "hash", tiles[i].hash, sizeof tiles[i].hash);
        if (tiles[i].packed == NULL) {
            status = nav_fail(err, PROTO_INTERNAL, "version %u of %s: tile %u is lost",
                              row->version, row->mesh, tiles[i].x);
        } else {
            say_hash(t, "packed", tiles[i].packed, tiles[i].packed_bytes);
        }
        say(t, "\n");
    }
    if (status == NAV_OK) {
        store_tiles_free(tiles, count);
    }
    return status;
}

static nav_status dump_blocks(store *disk, const store_version *row, text *t, nav_error *err)
{
    store_geometry geometry = {0};
    store_landmarks landmarks = {0};
    nav_status status = store_geometry_load(disk, row->mesh, row->version, &geometry, err);
    if (status == NAV_OK) {
        say_hash(t, " geometry", geometry.packed, geometry.packed_bytes);
        say_hash(t, "named", geometry.hash, sizeof geometry.hash);
        say(t, " unpacked=%" PRIu64, geometry.bytes);
        status = store_landmarks_load(disk, row->mesh, row->version, &landmarks, err);
    }
    if (status == NAV_OK && landmarks.packed != NULL) {
        say_hash(t, "landmarks", landmarks.packed, landmarks.packed_bytes);
        say(t, " of=%" PRIu64 " unpacked=%" PRIu64, landmarks.fingerprint, landmarks.bytes);
    }
    say(t, "\n");
    free(landmarks.packed);
    free(geometry.packed);
    return status == NAV_OK && row->state == STORE_READY ? dump_tiles(disk, row, t, err) : status;
}

static nav_status dump_version(store *disk, const store_version *row, text *t, nav_error *err)
{
    if (row->damaged || strlen(row->created_at) != CLOCK_TEXT_BYTES - 1) {
        return nav_fail(err, PROTO_INTERNAL, "version %u of %s: %s", row->version, row->mesh,
                        row->damaged ? "its row" : row->created_at);
    }
    say(t, " version %u %s active=%d activate=%d gate=%d reuse=%d tiles=%u reused=%u", row->version,
        store_state_word(row->state), row->active, row->activate, (int)row->gate, row->reuse,
        row->tiles_total, row->tiles_reused);
    say_hash(t, "key", row->content_key, sizeof row->content_key);
    say(t, " %s %s %s %s %s %s %s", or_none(row->geometry_json), or_none(row->config_json),
        or_none(row->blob_json), or_none(row->stats_json), or_none(row->timings_json),
        or_none(row->warnings_json), or_none(row->checks_json));
    say(t, " error=%s:%s", proto_status_word(row->error.status), row->error.detail);
    return dump_blocks(disk, row, t, err);
}

static nav_status dump_mesh(store *disk, const store_mesh *mesh, text *t, nav_error *err)
{
    store_version *rows = NULL;
    size_t count = 0;
    say(t, "mesh %s active=%u versions=%u activation=%" PRIu64 "\n", mesh->name, mesh->active,
        mesh->versions, mesh->activation);
    nav_status status = store_version_list(disk, mesh->name, &rows, &count, err);
    for (size_t i = 0; status == NAV_OK && i < count; i++) {
        status = dump_version(disk, &rows[i], t, err);
    }
    if (rows != NULL) {
        store_versions_free(rows, count);
    }
    return status;
}

static nav_status dump_checks(store *disk, const char *mesh, text *t, nav_error *err)
{
    char *checks = NULL;
    nav_status status = store_checks_get(disk, mesh, &checks, err);
    say(t, "checks %s %s\n", mesh, or_none(checks));
    free(checks);
    return status;
}

static nav_status dump_recordings(store *disk, text *t, nav_error *err)
{
    store_recordings list = {0};
    nav_status status = store_recordings_list(disk, NULL, 100, &list, err);
    for (size_t i = 0; status == NAV_OK && i < list.count; i++) {
        const store_recording *row = &list.items[i];
        say(t, "recording %s of %s %u, %" PRIu64 " bytes\n", row->id, row->mesh, row->version,
            row->bytes);
    }
    free(list.items);
    return status;
}

static void take_fault(void *user, const char *fault)
{
    nav_error *first = user;
    if (first->status == NAV_OK) {
        (void)nav_fail(first, PROTO_INTERNAL, "verify: %.200s", fault);
    }
}

char *scenario_dump(store *disk, nav_error *err)
{
    text t = {0};
    store_mesh *meshes = NULL;
    size_t count = 0;
    nav_error fault = {0};
    nav_status status = store_mesh_list(disk, &meshes, &count, err);
    for (size_t i = 0; status == NAV_OK && i < count; i++) {
        status = dump_mesh(disk, &meshes[i], &t, err);
    }
    free(meshes);
    if (status == NAV_OK) {
        status = dump_checks(disk, TOWN, &t, err);
    }
    if (status == NAV_OK) {
        status = dump_checks(disk, YARD, &t, err);
    }
    NAV_IF_OK(status, dump_recordings(disk, &t, err));
    NAV_IF_OK(status, store_faults_each(disk, take_fault, &fault, err));
    if (status == NAV_OK && fault.status != NAV_OK) {
        status = nav_fail(err, fault.status, "%s", fault.detail);
    }
    if (status != NAV_OK) {
        free(t.bytes);
        return NULL;
    }
    return t.bytes;
}

// ---- verify ----

nav_status scenario_verify(store *disk, nav_error *err)
{
    nav_error fault = {0};
    nav_status status = store_faults_each(disk, take_fault, &fault, err);
    return status == NAV_OK && fault.status != NAV_OK
               ? nav_fail(err, fault.status, "%s", fault.detail)
               : status;
}

// ---- afterwards ----

#define PROBED "probe"

bool scenario_writes(store *disk, uint32_t number, nav_error *err)
{
    char sent[64];
    char *got = NULL;
    (void)snprintf(sent, sizeof sent, "{\"checks\":[%u]}", number);
    nav_status status = store_checks_set(disk, PROBED, sent, err);
    if (status == NAV_OK) {
        status = store_checks_get(disk, PROBED, &got, err);
    }
    const bool same = status == NAV_OK && got != NULL && strcmp(got, sent) == 0;
    free(got);
    return same;
}
