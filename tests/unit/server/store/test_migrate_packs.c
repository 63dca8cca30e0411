// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_migrate_packs.c: packs and lists of schema 5 whose checksums fit and whose numbers are
// wrong, through whole migrations: the file opens with the newest schema, each tile that a version
// has is the one that its list names or is told of as lost, and all of it can be deleted again.

#include "server/store/old_packs.h"

#include "core/tile/tile.h"
#include "server/base/log.h"

#include <string.h>

#include "tests/unit/store_fixture.h"
#include "tests/unit/store_schemas.h"

#define SLOTS 3u
#define MANY 4097u // slots, one more than a pack may have

// ---- blocks ----

typedef struct slot {
    uint8_t key[32], hash[32], packed_hash[32];
    uint64_t at_bytes, bytes;
    uint32_t packed_bytes, report_at_bytes, report_bytes, flags;
} slot;

typedef struct directory {
    uint64_t checksum;
    uint32_t slot_count, zero;
    slot slots[MANY]; // then reports
} directory;

typedef struct list {
    uint64_t checksum;
    old_pack_entry entries[2 * MANY];
} list;

_Static_assert(sizeof(slot) == 128 && sizeof(old_pack_entry) == 44, "as they are stored");

// Slot i has "tile" and its number, and its hash begins with 0xb0 + i. In slot 1 nobody can stand.
#define PACKED_BYTES 8u
#define REPORT "report"

// A pack with its lists: versions 1 and 2 have the same but where a case says otherwise.
typedef struct world {
    directory d;
    uint8_t reports[sizeof REPORT];
    char bytes[MANY * PACKED_BYTES];
    list lists[2];
    uint32_t slot_count, entry_count;
} world;

static world old;

static void fill(uint32_t slots, uint32_t entries)
{
    memset(&old, 0, sizeof old);
    old.slot_count = slots;
    old.entry_count = entries;
    old.d.slot_count = slots;
    for (uint32_t i = 0; i < slots; i++) {
        slot *s = &old.d.slots[i];
        s->key[0] = (uint8_t)(0xe0 + i);
        memcpy(s->key + 1, &i, sizeof i);
        s->flags = 2;
        s->report_at_bytes = 16 + slots * 128;
        s->report_bytes = sizeof REPORT - 1;
        if (i != 1) {
            s->hash[0] = (uint8_t)(0xb0 + i);
            memcpy(s->hash + 1, &i, sizeof i);
            s->at_bytes = i * PACKED_BYTES;
            s->packed_bytes = PACKED_BYTES;
            s->bytes = 500 + i;
        }
        memcpy(old.bytes + i * PACKED_BYTES, "tile", 4);
        memcpy(old.bytes + i * PACKED_BYTES + 4, &i, sizeof i);
    }
    memcpy(old.reports, REPORT, sizeof REPORT);
    for (uint32_t i = 0; i < entries; i++) {
        old_pack_entry *e = &old.lists[0].entries[i];
        *e = (old_pack_entry){.z = i / 64, .x = i % 64, .slot = i % slots};
        memcpy(e->hash, old.d.slots[e->slot].hash, sizeof e->hash);
    }
    old.lists[1] = old.lists[0];
}

static void insert(sqlite3 *db, const char *sql, const void *block, size_t size_bytes)
{
    sqlite3_stmt *s = NULL;
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &s, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_bind_blob64(s, 1, block, size_bytes, SQLITE_STATIC), SQLITE_OK);
    assert_int_equal(sqlite3_step(s), SQLITE_DONE);
    assert_int_equal(sqlite3_finalize(s), SQLITE_OK);
}

static void seal(void *block, size_t size_bytes)
{
    const uint64_t checksum = nav_tile_checksum((uint8_t *)block + 8, size_bytes - 8);
    memcpy(block, &checksum, sizeof checksum);
}

// The database of mesh yard with the blocks, sealed.
static void write_world(store_fixture *f)
{
    static uint8_t block[sizeof(directory) + sizeof REPORT];
    sqlite3 *db = NULL;
    store_fixture_remove_files(f);
    store_fixture_execute(f, "PRAGMA page_size=16384; PRAGMA journal_mode=WAL");
    store_fixture_execute(f, SCHEMA_5_TABLES);
    store_fixture_execute(f, SCHEMA_5_KEYED_ROWS);
    store_fixture_execute(f, "DELETE FROM version_tiles; DELETE FROM pack_tiles; DELETE FROM packs;"
                             "PRAGMA application_id=1851881069; PRAGMA user_version=5");
    const size_t slots_bytes = 16 + old.slot_count * sizeof(slot);
    memcpy(block, &old.d, slots_bytes);
    memcpy(block + slots_bytes, old.reports, sizeof REPORT - 1);
    seal(block, slots_bytes + sizeof REPORT - 1);
    assert_int_equal(sqlite3_open(f->path, &db), SQLITE_OK);
    insert(db, "INSERT INTO packs VALUES (1, ?)", old.bytes, old.slot_count * PACKED_BYTES);
    insert(db, "INSERT INTO pack_tiles VALUES (1, ?)", block, slots_bytes + sizeof REPORT - 1);
    for (int i = 0; i < 2; i++) {
        const size_t list_bytes = 8 + old.entry_count * sizeof(old_pack_entry);
        seal(&old.lists[i], list_bytes);
        insert(db,
               i == 0 ? "INSERT INTO version_tiles VALUES (3, 1, 1, 9, ?)"
                      : "INSERT INTO version_tiles VALUES (3, 2, 1, 9, ?)",
               &old.lists[i], list_bytes);
    }
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    // Named, so that a place that is missing is found.
    char sql[96];
    (void)snprintf(sql, sizeof sql,
                   "UPDATE versions SET tiles_total = %u, blob_json = '{\"sha256\":\"\"}'",
                   old.entry_count);
    store_fixture_execute(f, sql);
}

// ---- what comes of it ----

// Some entry of the version's list names this tile for this place.
static bool is_named(const list *of, const store_tile *tile)
{
    for (uint32_t i = 0; i < old.entry_count; i++) {
        const old_pack_entry *e = &of->entries[i];
        // A row of tiles that cannot be is that of another agent now.
        if (e->x == tile->x && e->z == (tile->agent << 24) + tile->z &&
            memcmp(e->hash, tile->hash, 32) == 0) {
            return true;
        }
    }
    return false;
}

// Some slot says that this is what a tile of this hash has.
static bool is_held(const store_tile *tile)
{
    for (uint32_t i = 0; i < old.slot_count; i++) {
        const slot *s = &old.d.slots[i];
        if (memcmp(s->hash, tile->hash, 32) == 0 && s->packed_bytes == tile->packed_bytes &&
            s->bytes == tile->bytes && s->at_bytes < sizeof old.bytes &&
            memcmp(old.bytes + s->at_bytes, tile->packed, 1) == 0) {
            return true;
        }
    }
    return false;
}

// *lost: of the version's tiles those without bytes, or all. Returns how many have bytes; none of a
// version that lacks a place, which a start tells of.
static size_t judge_version(store_fixture *f, uint32_t version, size_t *lost, bool *lacks)
{
    store_tile *tiles = NULL;
    size_t count = 0, whole = 0;
    nav_error err = {0};
    const nav_status status = store_tiles_load(f->disk, "yard", version, &tiles, &count, &err);
    if (status == PROTO_INTERNAL &&
        strstr(err.detail, "damaged in the database: the lists") != NULL) {
        *lacks = true;
        return 0;
    }
    if (status != NAV_OK) {
        fail_msg("version %u: %s: %s", version, proto_status_word(status), err.detail);
    }
    for (size_t i = 0; i < count; i++) {
        assert_true(is_named(&old.lists[version - 1], &tiles[i]));
        assert_true(tiles[i].packed == NULL || is_held(&tiles[i]));
        whole += tiles[i].packed != NULL;
        *lost += tiles[i].packed == NULL;
    }
    *lost += count == 0;
    store_tiles_free(tiles, count);
    return whole;
}

static void show_fault(void *user, const char *text)
{
    (void)user;
    (void)printf("%s\n", text);
}

// Returns how many tiles of both versions have bytes. Where no place is missing faults are told of
// if tiles are lost, and only then.
static size_t migrate(store_fixture *f, const char *what)
{
    size_t whole = 0, lost = 0;
    bool lacks = false;
    nav_error err = {0};
    write_world(f);
    if (store_open(f->path, &f->disk, &err) != NAV_OK) {
        fail_msg("%s: %s", what, err.detail);
    }
    for (uint32_t version = 1; version <= 2; version++) {
        whole += judge_version(f, version, &lost, &lacks);
    }
    const int faults = store_fixture_faults(f->disk);
    if (!lacks && (faults > 0) != (lost > 0)) {
        (void)store_faults_each(f->disk, show_fault, NULL, NULL);
        fail_msg("%s: %zu tiles are lost and %d faults told of", what, lost, faults);
    }
    store_fixture_open(f);
    assert_int_equal(store_fixture_ask(f, "PRAGMA user_version"), 8);
    assert_int_equal(store_fixture_ask(f, "SELECT count(*) FROM sqlite_schema WHERE name IN"
                                          " ('packs', 'pack_tiles', 'pack_lists')"),
                     0);
    uint64_t activation;
    assert_int_equal(store_mesh_delete(f->disk, "yard", &activation, NULL), NAV_OK);
    assert_int_equal(store_fixture_ask(f, "SELECT (SELECT count(*) FROM version_tiles) +"
                                          " (SELECT count(*) FROM tiles) +"
                                          " (SELECT count(*) FROM blobs)"),
                     0);
    return whole;
}

// ---- cases ----

// A number within the blocks of three slots and as many entries.
#define SLOT(i, field) offsetof(world, d.slots[i].field), sizeof old.d.slots[i].field
#define ENTRY(i, field)                                                                            \
    offsetof(world, lists[0].entries[i].field), sizeof old.lists[0].entries[i].field
#define OTHER(i, field)                                                                            \
    offsetof(world, lists[1].entries[i].field), sizeof old.lists[1].entries[i].field
#define COUNT offsetof(world, d.slot_count), sizeof old.d.slot_count

typedef struct poke {
    size_t at, width;
    uint64_t value;
} poke;

static const struct {
    const char *what;
    poke pokes[3];
    size_t whole; // tiles with bytes; nothing being wrong, four
} CASES[] = {
    {"nothing is wrong", {{0}}, 4},
    // The slot of a tile.
    {"slot 0", {{ENTRY(2, slot), 0}}, 3},
    {"slot 1", {{ENTRY(2, slot), 1}}, 3},
    {"slot 3", {{ENTRY(2, slot), 3}}, 3},
    {"slot 4095", {{ENTRY(2, slot), 4095}}, 3},
    {"slot 4096", {{ENTRY(2, slot), 4096}}, 2},
    {"slot UINT32_MAX", {{ENTRY(2, slot), UINT32_MAX}}, 2},
    {"a slot twice", {{ENTRY(1, slot), 0}, {ENTRY(1, hash), 0xb0}}, 5},
    {"a slot twice, the wrong tile first", {{ENTRY(0, slot), 2}}, 3},
    {"slots exchanged", {{ENTRY(0, slot), 2}, {ENTRY(2, slot), 0}}, 2},
    {"slots of one version each wrong", {{ENTRY(0, slot), 2}, {OTHER(2, slot), 0}}, 2},
    // Its position. If a later tile takes it, a place is missing.
    {"a position twice", {{ENTRY(2, x), 0}}, 2},
    {"a position twice in both versions", {{ENTRY(2, x), 0}, {OTHER(2, x), 0}}, 0},
    {"a tile twice in one position",
     {{ENTRY(2, x), 0}, {ENTRY(2, slot), 0}, {ENTRY(2, hash), 0xb0}},
     2},
    {"a position twice, without ground later", {{ENTRY(1, x), 0}}, 2},
    {"a position twice, without ground first", {{ENTRY(2, x), 1}}, 2},
    {"all in one position", {{ENTRY(1, x), 0}, {ENTRY(2, x), 0}}, 2},
    {"a column far away", {{ENTRY(2, x), UINT32_MAX}}, 4},
    {"a row far away", {{ENTRY(2, z), UINT32_MAX}}, 4},
    {"both far away", {{ENTRY(2, x), UINT32_MAX}, {ENTRY(2, z), UINT32_MAX}}, 4},
    // Its hash.
    {"nobody's hash", {{ENTRY(0, hash), 0x77}}, 3},
    {"nobody's hash in the later version", {{OTHER(0, hash), 0x77}}, 3},
    {"another's hash", {{ENTRY(0, hash), 0x2b2}}, 3},
    {"a hash where there is no ground", {{ENTRY(1, hash), 0x77}}, 4},
    {"no hash where there is ground", {{ENTRY(2, hash), 0}}, 3},
    // The place of its bytes, and their number.
    {"bytes begin at 1", {{SLOT(2, at_bytes), 1}}, 4},
    {"bytes begin at 16", {{SLOT(2, at_bytes), 16}}, 4},
    {"bytes begin at 17", {{SLOT(2, at_bytes), 17}}, 2},
    {"bytes begin at 24", {{SLOT(2, at_bytes), 24}}, 2},
    {"bytes begin at UINT64_MAX", {{SLOT(2, at_bytes), UINT64_MAX}}, 2},
    {"0 bytes unpacked", {{SLOT(2, bytes), 0}}, 2},
    {"1 bytes unpacked", {{SLOT(2, bytes), 1}}, 4},
    {"INT64_MAX bytes unpacked", {{SLOT(2, bytes), INT64_MAX}}, 4},
    {"INT64_MAX + 1 bytes unpacked", {{SLOT(2, bytes), (uint64_t)INT64_MAX + 1}}, 2},
    {"UINT64_MAX bytes unpacked", {{SLOT(2, bytes), UINT64_MAX}}, 2},
    {"bytes where there is no ground", {{SLOT(1, bytes), 5}}, 4},
    {"0 bytes packed", {{SLOT(2, packed_bytes), 0}}, 2},
    {"1 bytes packed", {{SLOT(2, packed_bytes), 1}}, 4},
    {"9 bytes packed", {{SLOT(2, packed_bytes), 9}}, 2},
    {"UINT32_MAX bytes packed", {{SLOT(2, packed_bytes), UINT32_MAX}}, 2},
    {"bytes whose end wraps around",
     {{SLOT(2, at_bytes), UINT64_MAX - 7}, {SLOT(2, packed_bytes), 16}},
     2},
    {"bytes of another", {{SLOT(2, at_bytes), 0}}, 4},
    // The place of its report, in a directory of 406 bytes.
    {"a report at 0", {{SLOT(0, report_at_bytes), 0}}, 4},
    {"a report at 400", {{SLOT(0, report_at_bytes), 400}}, 4},
    {"a report at 401", {{SLOT(0, report_at_bytes), 401}}, 2},
    {"a report at 406", {{SLOT(0, report_at_bytes), 406}}, 2},
    {"a report at UINT32_MAX", {{SLOT(0, report_at_bytes), UINT32_MAX}}, 2},
    {"a report of 0", {{SLOT(0, report_bytes), 0}}, 4},
    {"a report of 6", {{SLOT(0, report_bytes), 6}}, 4},
    {"a report of 7", {{SLOT(0, report_bytes), 7}}, 2},
    {"a report of UINT32_MAX", {{SLOT(0, report_bytes), UINT32_MAX}}, 2},
    {"all of the directory for a report",
     {{SLOT(0, report_at_bytes), 0}, {SLOT(0, report_bytes), 406}},
     4},
    // Flags: 1 dropped, 2 key, 4 hash of the packed bytes.
    {"flags 0", {{SLOT(0, flags), 0}}, 4},
    {"flags 1", {{SLOT(0, flags), 1}}, 2},
    {"flags 3", {{SLOT(0, flags), 3}}, 2},
    {"flags 4", {{SLOT(0, flags), 4}}, 4},
    {"flags 6", {{SLOT(0, flags), 6}}, 4},
    {"flags 7", {{SLOT(0, flags), 7}}, 2},
    {"flags 8", {{SLOT(0, flags), 8}}, 4},
    {"flags UINT32_MAX", {{SLOT(0, flags), UINT32_MAX}}, 2},
    // Two of a kind.
    {"a key twice", {{SLOT(2, key), 0xe0}}, 4},
    {"a key with and without ground", {{SLOT(1, key), 0xe0}}, 4},
    {"a hash twice in the directory", {{SLOT(2, hash), 0xb0}}, 2},
    {"a hash twice in all",
     {{SLOT(2, hash), 0xb0}, {ENTRY(2, hash), 0xb0}, {OTHER(2, hash), 0xb0}},
     4},
    // How many slots there are.
    {"0 slots", {{COUNT, 0}}, 0},
    {"1 slots", {{COUNT, 1}}, 2},
    {"2 slots", {{COUNT, 2}}, 2},
    {"4 slots", {{COUNT, 4}}, 0},
    {"4096 slots", {{COUNT, 4096}}, 0},
    {"4097 slots", {{COUNT, 4097}}, 0},
    {"UINT32_MAX slots", {{COUNT, UINT32_MAX}}, 0},
};

static void numbers_that_are_wrong(void **state)
{
    store_fixture *f = *state;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        fill(SLOTS, SLOTS);
        for (size_t k = 0; k < 3; k++) {
            const poke *p = &CASES[i].pokes[k];
            memcpy((uint8_t *)&old + p->at, &p->value, p->width < 8 ? p->width : 8);
        }
        const size_t whole = migrate(f, CASES[i].what);
        if (whole != CASES[i].whole) {
            fail_msg("%s: %zu tiles have bytes", CASES[i].what, whole);
        }
    }
}

static void more_of_them_than_there_may_be(void **state)
{
    static const struct {
        uint32_t slots, entries;
        size_t whole;
    } cases[] = {{3, 0, 0},
                 {4096, 4096, 2 * 4095},
                 {4097, 4097, 0},
                 {4096, 2 * 4096, 2 * 2 * 4095},
                 {3, 8193, 4 * 2731}};
    store_fixture *f = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char what[64];
        (void)snprintf(what, sizeof what, "%u slots, %u entries", cases[i].slots, cases[i].entries);
        fill(cases[i].slots, cases[i].entries);
        assert_int_equal(migrate(f, what), cases[i].whole);
    }
}

static int set_up(void **state)
{
    store_fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    // In memory, where there is such a folder: each migration waits for the disk else.
    store_fixture_init_in(f, access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    *state = f;
    return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, store_fixture_tear_down)

int main(void)
{
    log_configure((log_level)(LOG_LEVEL_ERROR + 1), LOG_FORMAT_TEXT);
    const struct CMUnitTest tests[] = {
        TEST(numbers_that_are_wrong),
        TEST(more_of_them_than_there_may_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
