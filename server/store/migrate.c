// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// migrate.c: an old database becomes one of the newest schema (schema.c), in one transaction: a
// migration that is broken off leaves the file as it was. While it lasts it takes as much room
// again as the tiles have.
//
//   1 --> 2 --> 3 --> 4 --a row per tile of a version--.
//                     5 --packs (migrate_packs.c)------+--> 6 --agents--> 7
//                                                            --recordings--> 8
//
// The last two steps only add a column and tables, so that what was stored before stays as it is.
//
// open.c keeps a copy of the file before.

#include "server/store/db.h"

#include "server/base/lock.h"
#include "server/base/log.h"

#include <stdio.h>
#include <stdlib.h>

#define APPLICATION_ID 0x6e61766d // "navm"
#define SET_APPLICATION_ID "PRAGMA application_id=0x6e61766d"

static nav_status execute(sqlite3 *db, const char *sql, nav_error *err)
{
    int code = sqlite3_exec(db, sql, NULL, NULL, NULL);
    return code == SQLITE_OK ? NAV_OK : store_fail(db, code, "migrating the database", err);
}

// ---- 4 -> 6: tiles that had a row for each version ----

// Bytes that are moved at a time.
#define PART_BYTES ((size_t)8 << 20)

typedef struct part {
    int64_t mesh;
    uint32_t version;
    void *tiles;
    size_t count, bytes;
} part;

static nav_status move_part(store *disk, part *p, nav_error *err)
{
    nav_status status = store_tiles_put_locked(disk, p->mesh, p->version, p->tiles, p->count, err);
    store_tiles_free(p->tiles, p->count);
    *p = (part){.mesh = p->mesh, .version = p->version};
    return status;
}

static void read_single(store_statement *s, store_tile *tile)
{
    tile->z = (uint32_t)sqlite3_column_int64(s->sql, 2);
    tile->x = (uint32_t)sqlite3_column_int64(s->sql, 3);
    tile->has_key = sqlite3_column_bytes(s->sql, 4) == 32;
    store_column_hash(s, 4, tile->key);
    store_column_hash(s, 5, tile->hash);
    const int64_t bytes =
        sqlite3_column_type(s->sql, 7) == SQLITE_INTEGER ? sqlite3_column_int64(s->sql, 7) : 0;
    if (sqlite3_column_type(s->sql, 8) != SQLITE_NULL && bytes > 0) {
        tile->bytes = (uint64_t)bytes;
        tile->packed = store_column_blob(s, 8, &tile->packed_bytes);
        tile->has_packed_hash = sqlite3_column_bytes(s->sql, 9) == 32;
        store_column_hash(s, 9, tile->packed_hash);
    } else if (sqlite3_column_type(s->sql, 5) != SQLITE_NULL) {
        // Its bytes are lost, or how many they are: not a tile without ground, by no key either.
        tile->bytes = STORE_LOST_BYTES;
        tile->has_key = false;
    }
    if (sqlite3_column_type(s->sql, 6) != SQLITE_NULL) {
        tile->report = store_column_blob(s, 6, &tile->report_bytes);
    }
}

// Damaged bytes are moved as they are, so that they are named later on.
static nav_status move_single_tiles(store *disk, nav_error *err)
{
    part p = {0};
    nav_status status = NAV_OK;
    store_statement s = store_prepare_locked(
        &disk->writer, "SELECT t.mesh, t.version, t.tile_z, t.tile_x, t.key, t.blob_hash, t.report,"
                       " b.bytes, b.zstd, b.packed_hash FROM single_tiles t"
                       " LEFT JOIN single_blobs b ON b.hash = t.blob_hash"
                       " ORDER BY t.mesh, t.version, t.tile_z, t.tile_x");
    while (status == NAV_OK && store_step(&s)) {
        const int64_t mesh = sqlite3_column_int64(s.sql, 0);
        const uint32_t version = (uint32_t)sqlite3_column_int64(s.sql, 1);
        if (p.count > 0 && (p.mesh != mesh || p.version != version || p.bytes >= PART_BYTES)) {
            status = move_part(disk, &p, err);
        }
        store_tile *tile =
            status == NAV_OK ? store_append(&s, &p.tiles, &p.count, sizeof *tile) : NULL;
        if (tile != NULL) {
            read_single(&s, tile);
            p.mesh = mesh;
            p.version = version;
            p.bytes += tile->packed_bytes;
        }
    }
    nav_status finished = store_finish(&s, "moving tiles", status == NAV_OK ? err : NULL);
    status = status != NAV_OK ? status : finished;
    status = status == NAV_OK ? move_part(disk, &p, err) : status;
    store_tiles_free(p.tiles, p.count);
    return status == NAV_OK
               ? execute(disk->writer.db, "DROP TABLE single_tiles; DROP TABLE single_blobs", err)
               : status;
}

// ---- the steps ----

// Step i takes the schema from user_version i to i + 1. Rows here are never edited once
// released. Schema 1 had tables meshes, geometries, blobs (hash, bytes, zstd), versions and
// version_tiles (mesh, version, tile_x, tile_z, blob_hash).
static const char *const STEPS[] = {
    NULL, // there is no schema 0
    // 1 -> 2. Tiles have the key of what they were baked from, by which later bakes find them, and
    // the report of their bake; a tile without ground has both and no blob. Tiles of older versions
    // have neither. Blobs have the SHA-256 of their packed bytes. A blob may go before the rows
    // that name it, within one transaction.
    "CREATE TABLE keyed_tiles("
    " mesh INTEGER NOT NULL, version INTEGER NOT NULL,"
    " tile_z INTEGER NOT NULL, tile_x INTEGER NOT NULL,"
    " key BLOB, blob_hash BLOB REFERENCES blobs(hash) DEFERRABLE INITIALLY DEFERRED,"
    " report BLOB,"
    " PRIMARY KEY (mesh, version, tile_z, tile_x),"
    " FOREIGN KEY (mesh, version) REFERENCES versions(mesh, version) ON DELETE CASCADE"
    ") WITHOUT ROWID;"
    "INSERT INTO keyed_tiles(mesh, version, tile_z, tile_x, blob_hash)"
    " SELECT mesh, version, tile_z, tile_x, blob_hash FROM version_tiles;"
    "DROP TABLE version_tiles;"
    "ALTER TABLE keyed_tiles RENAME TO version_tiles;"
    "CREATE INDEX version_tiles_by_blob ON version_tiles(blob_hash);"
    "CREATE INDEX version_tiles_by_key ON version_tiles(key) WHERE key IS NOT NULL;"
    "ALTER TABLE blobs ADD COLUMN packed_hash BLOB;"
    "ALTER TABLE versions ADD COLUMN tiles_reused INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE versions ADD COLUMN reuse INTEGER NOT NULL DEFAULT 1;",
    // 2 -> 3. Versions from before have no landmarks, and stay without.
    "CREATE TABLE version_landmarks("
    " mesh INTEGER NOT NULL, version INTEGER NOT NULL,"
    " fingerprint INTEGER NOT NULL,"
    " bytes INTEGER NOT NULL, zstd BLOB NOT NULL,"
    " PRIMARY KEY (mesh, version),"
    " FOREIGN KEY (mesh, version) REFERENCES versions(mesh, version) ON DELETE CASCADE"
    ");"
    "CREATE INDEX version_landmarks_by_fingerprint ON version_landmarks(fingerprint);",
    // 3 -> 4. Checks. They are of a name, since they may be set before the mesh has a version.
    "CREATE TABLE mesh_checks("
    " mesh TEXT NOT NULL PRIMARY KEY, checks_json TEXT NOT NULL) WITHOUT ROWID;"
    "ALTER TABLE versions ADD COLUMN force INTEGER NOT NULL DEFAULT 0;" // live despite its checks
    "ALTER TABLE versions ADD COLUMN checks_json TEXT;",                // as they last went
};

// Schema 4 is where the steps end; 5 was another way to keep tiles than 4 and than 6.
#define STEPS_END ((int64_t)(sizeof STEPS / sizeof *STEPS))
_Static_assert(sizeof STEPS / sizeof *STEPS == 4, "from 1, 2 and 3");

static nav_status take_steps_locked(store *disk, int64_t version, nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    NAV_ASSERT(version > 0);
    nav_status status = NAV_OK;
    for (int64_t i = version; status == NAV_OK && i < STEPS_END; i++) {
        status = execute(disk->writer.db, STEPS[i], err);
    }
    return status;
}

#define IS_FROM(least, column)                                                                     \
    "(typeof(" column ") = 'integer' AND " column " BETWEEN " least " AND 4294967295)"
#define HAS_VERSION                                                                                \
    IS_FROM("1", "version")                                                                        \
    " AND EXISTS (SELECT 1 FROM versions v WHERE"                                                  \
    " v.mesh = version_tiles.mesh AND v.version = version_tiles.version)"

// Rows of tiles whose version is gone or has a number that cannot be, and of places that cannot be:
// cut to 32 bits such a number would be that of another version or place, whose tile it would
// replace. The look at the file has checked this table, so that no page is freed that is in use
// elsewhere.
static nav_status drop_strays_locked(store *disk, bool packed, nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    nav_status status =
        execute(disk->writer.db,
                packed ? "DELETE FROM version_tiles WHERE NOT (" HAS_VERSION ")"
                       : "DELETE FROM version_tiles WHERE NOT (" HAS_VERSION
                         " AND " IS_FROM("0", "tile_z") " AND " IS_FROM("0", "tile_x") ")",
                err);
    const int count = status == NAV_OK ? sqlite3_changes(disk->writer.db) : 0;
    if (count > 0) {
        log_warn("rows_left", "rows=%d detail=\"tiles of versions or places that are not there\"",
                 count);
    }
    return status;
}

// Tiles of schemas 1 to 5 into the tables of schema 6.
static nav_status bring_tiles_up_locked(store *disk, int64_t version, nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    sqlite3 *db = disk->writer.db;
    const bool packed = version > STEPS_END;
    nav_status status = drop_strays_locked(disk, packed, err);
    NAV_IF_OK(status, take_steps_locked(disk, version, err));
    if (status == NAV_OK) {
        status = execute(db,
                         packed ? "ALTER TABLE version_tiles RENAME TO pack_lists"
                                : "ALTER TABLE version_tiles RENAME TO single_tiles;"
                                  "ALTER TABLE blobs RENAME TO single_blobs",
                         err);
    }
    NAV_IF_OK(status, execute(db, STORE_SCHEMA_TILES, err));
    NAV_IF_OK(status, packed ? store_packs_move_locked(disk, err) : move_single_tiles(disk, err));
    return status;
}

static nav_status bring_up_locked(store *disk, int64_t version, nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    sqlite3 *db = disk->writer.db;
    NAV_ASSERT(version >= 0 && version < STORE_SCHEMA_VERSION);
    nav_status status = NAV_OK;
    if (version == 0) {
        status = execute(db, STORE_SCHEMA, err);
    } else if (version < 6) {
        status = bring_tiles_up_locked(disk, version, err);
    }
    if (status == NAV_OK && version < 7) {
        status = execute(db, STORE_SCHEMA_AGENTS, err);
    }
    return status == NAV_OK ? execute(db, STORE_SCHEMA_RECORDINGS, err) : status;
}

static nav_status read_int(sqlite3 *db, const char *sql, int64_t *out, nav_error *err)
{
    store_statement s = store_prepare(db, sql);
    if (store_step(&s)) {
        *out = sqlite3_column_int64(s.sql, 0);
    }
    return store_finish(&s, "reading the database's header", err);
}

// ---- the look at a file ----

// A table with its columns and what they refer to, or an index with its columns, as one text.
#define SHAPES                                                                                     \
    "SELECT m.type || ' ' || m.name || coalesce((SELECT group_concat(c.name || c.type || c.pk)"    \
    " FROM pragma_table_xinfo(m.name) c), '') || coalesce((SELECT group_concat(i.name)"            \
    " FROM pragma_index_info(m.name) i), '') || coalesce((SELECT group_concat(f.\"table\" ||"      \
    " f.\"from\" || coalesce(f.\"to\", '')) FROM pragma_foreign_key_list(m.name) f), '') AS "      \
    "shape,"                                                                                       \
    " m.type || ' ' || m.name AS what"                                                             \
    " FROM sqlite_schema m"                                                                        \
    " WHERE m.type IN ('table', 'index')"

static nav_status has_shape(sqlite3 *db, const char *shape, const char *name, nav_error *err)
{
    // By name first: otherwise SQLite works out the shapes of all for each.
    store_statement s =
        store_prepare(db, "SELECT 1 FROM (" SHAPES ") WHERE what = ? AND shape = ?");
    store_bind_text(&s, 1, name);
    store_bind_text(&s, 2, shape);
    const bool found = store_step(&s);
    nav_status status = store_finish(&s, "reading the database's tables", err);
    return status != NAV_OK || found
               ? status
               : nav_fail(err, PROTO_STORE_UNAVAILABLE,
                          "it is damaged, put a backup in its place: no %s as it should be", name);
}

nav_status store_identity_check(sqlite3 *db, bool *newest, nav_error *err)
{
    int64_t application = 0, version = 0;
    nav_status status = read_int(db, "PRAGMA application_id", &application, err);
    NAV_IF_OK(status, read_int(db, "PRAGMA user_version", &version, err));
    if (status == NAV_OK && application != APPLICATION_ID) {
        return nav_fail(err, PROTO_STORE_UNAVAILABLE,
                        "it is a database of another program (application_id %lld)",
                        (long long)application);
    }
    if (status == NAV_OK && version > STORE_SCHEMA_VERSION) {
        return nav_fail(err, PROTO_STORE_UNAVAILABLE,
                        "it has schema %lld, this navmeshd knows up to %lld: use a newer one",
                        (long long)version, (long long)STORE_SCHEMA_VERSION);
    }
    if (status == NAV_OK && version < 0) {
        return nav_fail(err, PROTO_STORE_UNAVAILABLE,
                        "it is damaged, put a backup in its place: it says that it has schema %lld",
                        (long long)version);
    }
    *newest = version == STORE_SCHEMA_VERSION;
    return status;
}

nav_status store_identity_write_locked(store *disk, nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    return store_change_locked(disk, SET_APPLICATION_ID, NULL, 0, err);
}

static nav_status migrate_locked(store *disk, int64_t version, nav_error *err)
{
    char mark[128];
    nav_status status = execute(disk->writer.db, "BEGIN IMMEDIATE", err);
    NAV_IF_OK(status, bring_up_locked(disk, version, err));
    // A former schema is known by its number alone: tables whose texts are damaged come to light
    // here, before anything is kept.
    if (status == NAV_OK && version > 0) {
        status = store_schema_check(disk->writer.db, err);
    }
    (void)snprintf(mark, sizeof mark, SET_APPLICATION_ID "; PRAGMA user_version=%lld; COMMIT",
                   (long long)STORE_SCHEMA_VERSION);
    return status == NAV_OK ? execute(disk->writer.db, mark, err) : status;
}

nav_status store_schema_version(sqlite3 *db, int64_t *version, nav_error *err)
{
    return read_int(db, "PRAGMA user_version", version, err);
}

nav_status store_migrate(store *disk, nav_error *err)
{
    int64_t version = 0;
    nav_status status = read_int(disk->writer.db, "PRAGMA user_version", &version, err);
    if (status == NAV_OK && version < STORE_SCHEMA_VERSION) {
        (void)pthread_mutex_lock(&disk->writer.lock);
        status = migrate_locked(disk, version, err);
        (void)pthread_mutex_unlock(&disk->writer.lock);
    }
    return status;
}

// Compares the file's tables with those that the steps make. A table whose text is damaged may
// still be one to SQLite, but with other columns, and would be found out in the middle of an
// upload.
nav_status store_schema_check(sqlite3 *db, nav_error *err)
{
    store fresh = {0};
    (void)pthread_mutex_init(&fresh.writer.lock, NULL);
    int code = sqlite3_open_v2(":memory:", &fresh.writer.db,
                               SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
    nav_status status = code == SQLITE_OK
                            ? store_migrate(&fresh, err)
                            : store_fail(fresh.writer.db, code, "checking the database", err);
    if (status == NAV_OK) {
        store_statement s = store_prepare(fresh.writer.db, SHAPES);
        while (status == NAV_OK && store_step(&s)) {
            const char *shape = (const char *)sqlite3_column_text(s.sql, 0);
            const char *name = (const char *)sqlite3_column_text(s.sql, 1);
            if (shape == NULL || name == NULL) {
                s.code = SQLITE_NOMEM;
            } else {
                status = has_shape(db, shape, name, err);
            }
        }
        nav_status finished =
            store_finish(&s, "checking the database", status == NAV_OK ? err : NULL);
        status = status != NAV_OK ? status : finished;
    }
    store_connection_close(&fresh.writer);
    (void)pthread_mutex_destroy(&fresh.writer.lock);
    return status;
}
