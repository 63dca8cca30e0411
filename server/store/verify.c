// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// verify.c: a database as it is, looked at while a daemon may be using it: what `navmeshd
// verify` does. Under WAL a reader sees one moment and holds up nobody.

#include "server/store/db.h"

#include "server/base/lock.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- who is meant ----

static void write_label(const char *name, int64_t id, char out[LIMIT_MESH_NAME + 1])
{
    if (name[0] != '\0') {
        (void)snprintf(out, LIMIT_MESH_NAME + 1, "%s", name);
    } else {
        (void)snprintf(out, LIMIT_MESH_NAME + 1, "number %lld", (long long)id);
    }
}

// A mesh in words, from the columns of its name and its id: its name, or "number 7" where that is
// damaged.
static void label_at(store_statement *s, int name_column, int id_column,
                     char out[LIMIT_MESH_NAME + 1])
{
    char name[LIMIT_MESH_NAME + 1];
    (void)store_name_at(s, name_column, name);
    write_label(name, sqlite3_column_int64(s->sql, id_column), out);
}

// mesh_label(name, id), the same within a statement.
static void mesh_label(sqlite3_context *context, int count, sqlite3_value **values)
{
    char text[LIMIT_MESH_NAME + 1];
    (void)count;
    const char *name = sqlite3_value_type(values[0]) == SQLITE_TEXT
                           ? (const char *)sqlite3_value_text(values[0])
                           : NULL;
    const bool whole =
        name != NULL && limits_is_mesh_name(name, (size_t)sqlite3_value_bytes(values[0]));
    write_label(whole ? name : "", sqlite3_value_int64(values[1]), text);
    sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
}

// Makes mesh_label known to the statements of a connection.
static nav_status register_label(sqlite3 *db, nav_error *err)
{
    const int code = sqlite3_create_function_v2(
        db, "mesh_label", 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, NULL,
        mesh_label, NULL, NULL, NULL);
    return code == SQLITE_OK ? NAV_OK : store_fail(db, code, "verifying the database", err);
}

// The first owner in words, how many there are besides.
typedef struct owners {
    char first[LIMIT_MESH_NAME + STORE_TILE_WORDS_BYTES + 32];
    uint32_t more;
} owners;

static void add_owner(owners *all, store_statement *s, bool is_tile)
{
    char name[LIMIT_MESH_NAME + 1], words[STORE_TILE_WORDS_BYTES];
    const unsigned version = (unsigned)sqlite3_column_int64(s->sql, 2);
    label_at(s, 0, 1, name);
    if (all->first[0] != '\0') {
        all->more++;
    } else if (is_tile) {
        const uint32_t agent_z = (uint32_t)sqlite3_column_int64(s->sql, 4);
        const store_tile tile = {.agent = agent_z / STORE_AGENT_ROWS,
                                 .x = (uint32_t)sqlite3_column_int64(s->sql, 3),
                                 .z = agent_z % STORE_AGENT_ROWS};
        (void)snprintf(all->first, sizeof all->first, "mesh %s version %u %s", name, version,
                       store_tile_words(&tile, words));
    } else {
        (void)snprintf(all->first, sizeof all->first, "mesh %s version %u", name, version);
    }
}

nav_status store_block_owners(store *disk, const store_tile *block, char *out, size_t out_bytes,
                              nav_error *err)
{
    owners all = {0};
    const bool is_tile = block->id != 0;
    (void)pthread_mutex_lock(&disk->reader.lock);
    store_statement s = store_prepare_locked(
        &disk->reader,
        is_tile ? "SELECT m.name, m.id, t.version, t.tile_x, t.tile_z FROM version_tiles t"
                  " JOIN meshes m ON m.id = t.mesh WHERE t.tile = ?"
                  " ORDER BY m.name, t.version, t.tile_z, t.tile_x"
                : "SELECT m.name, m.id, v.version FROM versions v JOIN meshes m ON m.id = v.mesh"
                  " WHERE v.geometry_hash = ? ORDER BY m.name, v.version");
    if (is_tile) {
        store_bind_int(&s, 1, block->id);
    } else {
        store_bind_blob(&s, 1, block->hash, sizeof block->hash);
    }
    while (store_step(&s)) {
        add_owner(&all, &s, is_tile);
    }
    nav_status status = store_finish(&s, "looking for whose a block is", err);
    (void)pthread_mutex_unlock(&disk->reader.lock);
    (void)snprintf(out, out_bytes, all.more > 0 ? "%s and %u more" : "%s",
                   all.first[0] != '\0' ? all.first : "no version", all.more);
    return status;
}

// ---- rows ----

int store_check_code(const char *line)
{
    // The check goes on where the disk gives an error, and calls that a fault of the page; where
    // the page belongs to a long row it leaves out which error. One of a number that cannot be is
    // told in other words.
    static const char unread[] = "unable to get the page. error code=";
    const char *found = strstr(line, unread);
    const int code = found != NULL ? atoi(found + sizeof unread - 1) : SQLITE_CORRUPT;
    if ((code & 0xff) != SQLITE_CORRUPT) {
        return code;
    }
    return strstr(line, "failed to get page ") != NULL ? SQLITE_IOERR_READ : SQLITE_OK;
}

// Each row of a statement is one fault, in words.
static nav_status tell_rows(store *disk, const char *sql, store_fault *tell, void *user,
                            nav_error *err)
{
    int unread = SQLITE_OK;
    store_statement s = store_prepare_locked(&disk->reader, sql);
    while (unread == SQLITE_OK && store_step(&s)) {
        const bool is_text = sqlite3_column_type(s.sql, 0) == SQLITE_TEXT;
        const char *said = (const char *)sqlite3_column_text(s.sql, 0);
        char *text = said != NULL ? strdup(said) : NULL;
        unread = said != NULL ? store_check_code(said) : SQLITE_OK;
        if (is_text && text == NULL) {
            s.code = SQLITE_NOMEM;
        } else if (text != NULL && is_text && unread == SQLITE_OK && strcmp(text, "ok") != 0) {
            // SQLite's texts may contain damaged names of its own tables.
            store_text_show(text);
            tell(user, text);
        }
        free(text);
    }
    nav_status status = store_finish(&s, "verifying the database", err);
    return status == NAV_OK && unread != SQLITE_OK
               ? store_fail(NULL, unread, "verifying the database", err)
               : status;
}

#define RECORDED_ROW_BYTES "4096" // that a row may count for, at most, beside what is in it

static const char *const RULES[] = {
    "PRAGMA integrity_check",
    "SELECT 'the name of mesh ' || mesh_label(name, id) || ' is damaged' FROM meshes"
    " WHERE mesh_label(name, id) <> name OR typeof(name) <> 'text'",
    "SELECT 'a row of ' || \"table\" || ' refers to ' || parent || ' that is not there'"
    " FROM pragma_foreign_key_check",
    "SELECT 'a row of version_tiles refers to versions that is not there'"
    " FROM (SELECT DISTINCT mesh, version FROM version_tiles) t"
    " WHERE NOT EXISTS (SELECT 1 FROM versions v WHERE v.mesh = t.mesh AND v.version = t.version)",
    "SELECT 'mesh ' || mesh_label(name, id) || ': its live version ' || active || ' is not ready "
    "or not there'"
    " FROM meshes m WHERE active > 0 AND NOT EXISTS (SELECT 1 FROM versions v"
    " WHERE v.mesh = m.id AND v.version = m.active AND v.state = 'ready')",
    "SELECT 'mesh ' || mesh_label(name, id) || ': which version is live, or how often that was "
    "changed, is damaged'"
    " FROM meshes WHERE typeof(active) <> 'integer' OR active NOT BETWEEN 0 AND 4294967295"
    " OR typeof(activation) <> 'integer' OR activation NOT BETWEEN active > 0 AND 1 << 53",
    "SELECT 'mesh ' || mesh_label(m.name, m.id) || ': the number of version ' || v.version || ' "
    "may come again'"
    " FROM versions v JOIN meshes m ON m.id = v.mesh WHERE v.version >= m.next_version",
    "SELECT 'mesh ' || mesh_label(m.name, m.id) || ' version ' || v.version || ' is ready and has "
    "no tile'"
    " FROM versions v JOIN meshes m ON m.id = v.mesh WHERE v.state = 'ready' AND NOT EXISTS"
    " (SELECT 1 FROM version_tiles t WHERE t.mesh = v.mesh AND t.version = v.version)",
    "SELECT 'mesh ' || mesh_label(m.name, m.id) || ' version ' || v.version || ' is ' || v.state "
    "|| ' and has tiles'"
    " FROM versions v JOIN meshes m ON m.id = v.mesh WHERE v.state IN ('failed','cancelled')"
    " AND EXISTS (SELECT 1 FROM version_tiles t WHERE t.mesh = v.mesh AND t.version = v.version)",
    "SELECT 'tile row ' || id || ' belongs to no version' FROM tiles c WHERE NOT EXISTS"
    " (SELECT 1 FROM version_tiles t WHERE t.tile = c.id)",
    "SELECT 'tile row ' || c.id || ' has lost its bytes' FROM tiles c JOIN blobs b ON b.id = c.blob"
    " WHERE length(b.zstd) = 0",
    "SELECT 'blob row ' || id || ' belongs to no tile' FROM blobs b WHERE NOT EXISTS"
    " (SELECT 1 FROM tiles c WHERE c.blob = b.id)",
    "SELECT 'geometry ' || lower(hex(hash)) || ' belongs to no version' FROM geometries g"
    " WHERE NOT EXISTS (SELECT 1 FROM versions v WHERE v.geometry_hash = g.hash)",
    "SELECT 'recording ' || id || ' tells of ' || bytes || ' bytes and has ' || length(bundle)"
    " FROM recordings WHERE typeof(bytes) <> 'integer'"
    " OR bytes NOT BETWEEN length(bundle) AND length(bundle) + " RECORDED_ROW_BYTES,
};

// ---- tiles ----

typedef struct teller {
    store_fault *tell;
    void *user;
} teller;

__attribute__((format(printf, 2, 3))) static void tell_fault(const teller *t, const char *format,
                                                             ...)
{
    char text[256];
    va_list values;
    va_start(values, format);
    (void)vsnprintf(text, sizeof text, format, values);
    va_end(values);
    t->tell(t->user, text);
}

static nav_status check_tiles_locked(store *disk, const teller *t, nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->reader.lock));
    store_statement s = store_prepare_locked(&disk->reader, "SELECT " STORE_TILE_COLUMNS
                                                            " FROM tiles c ORDER BY c.id");
    while (store_step(&s)) {
        store_tile_row row;
        if (!store_tile_row_at(&s, 0, &row)) {
            tell_fault(t, "tile row %lld is damaged", (long long)row.tile.id);
        }
    }
    return store_finish(&s, "verifying the tiles", err);
}

// Each row of a version's tiles names the row of a tile with its hash.
static nav_status check_places_locked(store *disk, const teller *t, nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->reader.lock));
    store_statement s = store_prepare_locked(
        &disk->reader, "SELECT " STORE_PLACE_COLUMNS ", m.name, m.id, t.version,"
                       " t.hash IS c.hash AND c.id IS NOT NULL FROM version_tiles t"
                       " JOIN meshes m ON m.id = t.mesh LEFT JOIN tiles c ON c.id = t.tile"
                       " ORDER BY t.mesh, t.version, t.tile_z, t.tile_x");
    while (store_step(&s)) {
        char name[LIMIT_MESH_NAME + 1], words[STORE_TILE_WORDS_BYTES];
        store_tile place;
        bool has_ground;
        const uint32_t version =
            (uint32_t)sqlite3_column_int64(s.sql, STORE_PLACE_COLUMN_COUNT + 2);
        const bool whole = store_place_at(&s, 0, &place, &has_ground);
        label_at(&s, STORE_PLACE_COLUMN_COUNT, STORE_PLACE_COLUMN_COUNT + 1, name);
        if (!whole) {
            tell_fault(t, "mesh %s version %u: the row of its %s is damaged", name, version,
                       store_tile_words(&place, words));
        } else if (sqlite3_column_int64(s.sql, STORE_PLACE_COLUMN_COUNT + 3) == 0) {
            tell_fault(t, "mesh %s version %u: %s is not in its place", name, version,
                       store_tile_words(&place, words));
        }
    }
    return store_finish(&s, "verifying the versions", err);
}

nav_status store_faults_each(store *disk, store_fault *tell, void *user, nav_error *err)
{
    const teller t = {.tell = tell, .user = user};
    (void)pthread_mutex_lock(&disk->reader.lock);
    nav_status status = register_label(disk->reader.db, err);
    for (size_t i = 0; status == NAV_OK && i < sizeof RULES / sizeof *RULES; i++) {
        status = tell_rows(disk, RULES[i], tell, user, err);
    }
    NAV_IF_OK(status, store_texts_check_locked(disk, tell, user, err));
    NAV_IF_OK(status, check_tiles_locked(disk, &t, err));
    NAV_IF_OK(status, check_places_locked(disk, &t, err));
    (void)pthread_mutex_unlock(&disk->reader.lock);
    return status;
}

// ---- blocks ----

static nav_status look_at_geometries_locked(store *disk, store_look *look, void *user,
                                            nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->reader.lock));
    nav_status status = NAV_OK;
    store_blobs blobs = store_blobs_begin_locked(&disk->reader, "geometries");
    store_statement s = store_prepare_locked(
        &disk->reader, "SELECT rowid, hash, bytes FROM geometries ORDER BY rowid");
    while (status == NAV_OK && store_step(&s)) {
        store_tile block = {.bytes = (uint64_t)sqlite3_column_int64(s.sql, 2)};
        store_column_hash(&s, 1, block.hash);
        status = store_blobs_read(&blobs, sqlite3_column_int64(s.sql, 0), &block.packed,
                                  &block.packed_bytes, err);
        if (status == NAV_OK) {
            look(user, &block);
        }
        free(block.packed);
    }
    store_blobs_end(&blobs);
    nav_status finished =
        store_finish(&s, "verifying the geometries", status == NAV_OK ? err : NULL);
    return status != NAV_OK ? status : finished;
}

static nav_status look_at_tiles_locked(store *disk, store_look *look, void *user, nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->reader.lock));
    nav_status status = NAV_OK;
    store_blobs blobs = store_blobs_begin_locked(&disk->reader, "blobs");
    store_statement s = store_prepare_locked(&disk->reader, "SELECT " STORE_TILE_COLUMNS
                                                            " FROM tiles c WHERE c.hash IS NOT NULL"
                                                            " ORDER BY c.id");
    while (status == NAV_OK && store_step(&s)) {
        store_tile_row row;
        if (!store_tile_row_at(&s, 0, &row)) {
            continue; // it has been told of
        }
        row.tile.report = NULL;
        status = store_blobs_read(&blobs, row.blob, &row.tile.packed, &row.tile.packed_bytes, err);
        if (status == NAV_OK) {
            look(user, &row.tile);
        }
        free(row.tile.packed);
    }
    store_blobs_end(&blobs);
    nav_status finished = store_finish(&s, "verifying the tiles", status == NAV_OK ? err : NULL);
    return status != NAV_OK ? status : finished;
}

nav_status store_blocks_each(store *disk, bool geometries, store_look *look, void *user,
                             nav_error *err)
{
    (void)pthread_mutex_lock(&disk->reader.lock);
    const nav_status status = geometries ? look_at_geometries_locked(disk, look, user, err)
                                         : look_at_tiles_locked(disk, look, user, err);
    (void)pthread_mutex_unlock(&disk->reader.lock);
    return status;
}

nav_status store_landmarks_each(store *disk, store_look_landmarks *look, void *user, nav_error *err)
{
    (void)pthread_mutex_lock(&disk->reader.lock);
    store_statement s = store_prepare_locked(
        &disk->reader, "SELECT m.name, l.version, l.fingerprint, l.bytes, l.zstd, m.id"
                       " FROM (SELECT mesh, version, 0 AS agent, fingerprint, bytes, zstd"
                       " FROM version_landmarks UNION ALL SELECT mesh, version, agent,"
                       " fingerprint, bytes, zstd FROM agent_landmarks) l"
                       " JOIN meshes m ON m.id = l.mesh ORDER BY m.name, l.version, l.agent");
    while (store_step(&s)) {
        store_landmarks found = {.fingerprint = (uint64_t)sqlite3_column_int64(s.sql, 2),
                                 .bytes = (uint64_t)sqlite3_column_int64(s.sql, 3)};
        char name[LIMIT_MESH_NAME + 1];
        label_at(&s, 0, 5, name);
        found.packed = store_column_blob(&s, 4, &found.packed_bytes);
        if (found.packed != NULL) {
            look(user, name, (uint32_t)sqlite3_column_int64(s.sql, 1), &found);
        }
        free(found.packed);
    }
    const nav_status status = store_finish(&s, "verifying the landmarks", err);
    (void)pthread_mutex_unlock(&disk->reader.lock);
    return status;
}

// ---- recordings ----

nav_status store_recordings_each(store *disk, store_look_recording *look, void *user,
                                 nav_error *err)
{
    (void)pthread_mutex_lock(&disk->reader.lock);
    store_statement s =
        store_prepare_locked(&disk->reader, "SELECT id, bundle FROM recordings ORDER BY id");
    while (store_step(&s)) {
        const char *id = "";
        size_t size_bytes;
        (void)store_text_at(&s, 0, STORE_TEXT_WORDS, &id);
        void *bundle = store_column_blob(&s, 1, &size_bytes);
        if (bundle != NULL) {
            look(user, id, bundle, size_bytes);
        }
        free(bundle);
    }
    const nav_status status = store_finish(&s, "verifying the recordings", err);
    (void)pthread_mutex_unlock(&disk->reader.lock);
    return status;
}

// ---- versions ----

// A version's tiles with ground in order of agent, z, x: their hashes only. A row that is damaged
// has been told of.
static nav_status read_names(store *disk, int64_t mesh, uint32_t version, store_tile **out,
                             size_t *count, nav_error *err)
{
    void *tiles = NULL;
    size_t used = 0;
    store_statement s = store_prepare_locked(
        &disk->reader, "SELECT " STORE_PLACE_COLUMNS " FROM version_tiles t WHERE t.mesh = ?"
                       " AND t.version = ? ORDER BY t.tile_z, t.tile_x");
    store_bind_int(&s, 1, mesh);
    store_bind_int(&s, 2, version);
    while (store_step(&s)) {
        store_tile place;
        bool has_ground = false;
        if (!store_place_at(&s, 0, &place, &has_ground) || !has_ground) {
            continue;
        }
        store_tile *tile = store_append(&s, &tiles, &used, sizeof(store_tile));
        if (tile != NULL) {
            *tile = place;
        }
    }
    *out = tiles;
    *count = used;
    return store_finish(&s, "reading tiles", err);
}

// Each agent by itself.
static void look_at_agents(const char *mesh, uint32_t version, const char *const json[2],
                           const store_tile *tiles, size_t count, store_look_version *look,
                           void *user)
{
    size_t own;
    const store_tile *run = store_tiles_of_agent(tiles, count, 0, &own);
    look(user, mesh, version, json[0], run, own);
    for (size_t seen = own; seen < count; seen += own) {
        run = store_tiles_of_agent(tiles, count, tiles[seen].agent, &own);
        look(user, mesh, version, json[1], run, own);
    }
}

nav_status store_ready_each(store *disk, store_look_version *look, void *user, nav_error *err)
{
    nav_status status = NAV_OK;
    (void)pthread_mutex_lock(&disk->reader.lock);
    store_statement s = store_prepare_locked(
        &disk->reader, "SELECT m.name, v.version, v.blob_json, m.id, v.agents_json FROM versions v"
                       " JOIN meshes m ON m.id = v.mesh WHERE v.state = 'ready'"
                       " ORDER BY m.name, v.version");
    while (status == NAV_OK && store_step(&s)) {
        store_tile *tiles = NULL;
        size_t count = 0;
        uint32_t version = (uint32_t)sqlite3_column_int64(s.sql, 1);
        status = read_names(disk, sqlite3_column_int64(s.sql, 3), version, &tiles, &count, err);
        char name[LIMIT_MESH_NAME + 1];
        const char *json[2];
        label_at(&s, 0, 3, name);
        (void)store_text_at(&s, 2, STORE_TEXT_OBJECT, &json[0]);
        (void)store_text_at(&s, 4, STORE_TEXT_OBJECT, &json[1]);
        if (status == NAV_OK) {
            look_at_agents(name, version, json, tiles, count, look, user);
        }
        free(tiles);
    }
    nav_status finished = store_finish(&s, "verifying the versions", err);
    (void)pthread_mutex_unlock(&disk->reader.lock);
    return status != NAV_OK ? status : finished;
}
