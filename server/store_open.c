// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// store_open.c: opening the database: first look, then lock, then write.
//
//   missing --> made whole beside its place, then renamed into it
//   present --> read-only look: ours? newer? damaged? --> lock --> open, WAL, migrations
//
// Nothing is written to a file that the look has refused.

#include "server/store_db.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define APPLICATION_ID 0x6e61766d // "navm"
#define PATH_BYTES_MAX 4096
#define LOCK_TRIES 20 // 50 ms apart

// Migration i takes the schema from user_version i to i + 1. Rows here are never edited once
// released; a change is a new row.
static const char *const MIGRATIONS[] = {
    // 0 -> 1. A mesh's row stays when its versions are gone: it remembers the numbers used.
    "CREATE TABLE meshes("
    " id INTEGER PRIMARY KEY,"
    " name TEXT NOT NULL UNIQUE,"
    " next_version INTEGER NOT NULL DEFAULT 1,"
    " active INTEGER NOT NULL DEFAULT 0,"           // the live version; 0: none
    " newest_activated INTEGER NOT NULL DEFAULT 0," // the highest version that ever was live
    " activation INTEGER NOT NULL DEFAULT 0);"      // changes of active so far
    "CREATE TABLE geometries("
    " hash BLOB NOT NULL UNIQUE, bytes INTEGER NOT NULL, zstd BLOB NOT NULL);"
    "CREATE TABLE blobs("
    " hash BLOB NOT NULL UNIQUE, bytes INTEGER NOT NULL, zstd BLOB NOT NULL);"
    "CREATE TABLE versions("
    " mesh INTEGER NOT NULL REFERENCES meshes(id),"
    " version INTEGER NOT NULL,"
    " state TEXT NOT NULL CHECK (state IN ('queued','ready','failed','cancelled')),"
    " activate INTEGER NOT NULL,"
    " created_at TEXT NOT NULL,"
    " content_key BLOB NOT NULL,"
    " geometry_hash BLOB NOT NULL REFERENCES geometries(hash),"
    " tiles_total INTEGER NOT NULL,"
    " geometry_json TEXT NOT NULL, config_json TEXT NOT NULL,"
    " blob_json TEXT, stats_json TEXT, timings_json TEXT, warnings_json TEXT,"
    " error_code TEXT, error_detail TEXT, error_at TEXT, error_got TEXT, error_limit TEXT,"
    " PRIMARY KEY (mesh, version)) WITHOUT ROWID;"
    "CREATE INDEX versions_by_geometry ON versions(geometry_hash);"
    "CREATE TABLE version_tiles("
    " mesh INTEGER NOT NULL, version INTEGER NOT NULL,"
    " tile_x INTEGER NOT NULL, tile_z INTEGER NOT NULL,"
    " blob_hash BLOB NOT NULL REFERENCES blobs(hash),"
    " PRIMARY KEY (mesh, version, tile_z, tile_x),"
    " FOREIGN KEY (mesh, version) REFERENCES versions(mesh, version) ON DELETE CASCADE"
    ") WITHOUT ROWID;"
    "CREATE INDEX version_tiles_by_blob ON version_tiles(blob_hash);",
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
};
#define SCHEMA_VERSION ((int64_t)(sizeof MIGRATIONS / sizeof MIGRATIONS[0]))

static nav_status execute(sqlite3 *db, const char *sql, const char *doing, nav_error *err)
{
    int code = sqlite3_exec(db, sql, NULL, NULL, NULL);
    return code == SQLITE_OK ? NAV_OK : store_fail(db, code, doing, err);
}

static nav_status read_int(sqlite3 *db, const char *sql, int64_t *out, nav_error *err)
{
    store_statement s = store_prepare(db, sql);
    if (store_step(&s)) {
        *out = sqlite3_column_int64(s.sql, 0);
    }
    return store_finish(&s, "reading the database's header", err);
}

static nav_status open_connection(const char *path, int flags, sqlite3 **out, nav_error *err)
{
    *out = NULL;
    int code = sqlite3_open_v2(path, out, flags | SQLITE_OPEN_NOMUTEX, NULL);
    if (code != SQLITE_OK) {
        nav_status status = store_fail(*out, code, "opening the database", err);
        (void)sqlite3_close(*out);
        *out = NULL;
        return status;
    }
    (void)sqlite3_busy_timeout(*out, LIMIT_STORE_BUSY_MS);
    (void)sqlite3_db_config(*out, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    (void)sqlite3_db_config(*out, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    return NAV_OK;
}

// ---- the look ----

static nav_status check_table(sqlite3 *db, const char *pragma, nav_error *err)
{
    store_statement s = store_prepare(db, pragma);
    char found[160] = "";
    if (store_step(&s)) {
        (void)snprintf(found, sizeof found, "%s", (const char *)sqlite3_column_text(s.sql, 0));
    }
    nav_status status = store_finish(&s, "checking the database", err);
    if (status == NAV_OK && strcmp(found, "ok") != 0) {
        return nav_fail(err, NAV_STORE_UNAVAILABLE, "the database is damaged: %s", found);
    }
    return status;
}

// The tables that say what there is. Blocks are not looked through, which would read all of the
// file: each is checked against its hash when it is read, and one that is damaged costs no other.
static nav_status check_damage(sqlite3 *db, nav_error *err)
{
    static const char *const tables[] = {"PRAGMA quick_check('meshes')",
                                         "PRAGMA quick_check('versions')",
                                         "PRAGMA quick_check('version_tiles')"};
    nav_status status = NAV_OK;
    for (size_t i = 0; status == NAV_OK && i < sizeof tables / sizeof *tables; i++) {
        status = check_table(db, tables[i], err);
    }
    return status;
}

static nav_status check_identity(sqlite3 *db, nav_error *err)
{
    int64_t application = 0, version = 0;
    nav_status status = read_int(db, "PRAGMA application_id", &application, err);
    if (status == NAV_OK) {
        status = read_int(db, "PRAGMA user_version", &version, err);
    }
    if (status == NAV_OK && application != APPLICATION_ID) {
        return nav_fail(err, NAV_STORE_UNAVAILABLE,
                        "the file is a database of another program (application_id %lld)",
                        (long long)application);
    }
    if (status == NAV_OK && version > SCHEMA_VERSION) {
        return nav_fail(err, NAV_STORE_UNAVAILABLE,
                        "the database has schema %lld, this daemon knows up to %lld: use a newer "
                        "navmeshd",
                        (long long)version, (long long)SCHEMA_VERSION);
    }
    return status;
}

// *absent: there is no file, or an empty one, which will be made.
static nav_status look(const char *path, bool *absent, nav_error *err)
{
    struct stat info;
    if (stat(path, &info) != 0) {
        *absent = errno == ENOENT;
        return *absent ? NAV_OK
                       : nav_fail(err, NAV_STORE_UNAVAILABLE, "the database cannot be read: %s",
                                  strerror(errno));
    }
    *absent = S_ISREG(info.st_mode) && info.st_size == 0;
    if (!S_ISREG(info.st_mode)) {
        return nav_fail(err, NAV_STORE_UNAVAILABLE, "the database is not a regular file");
    }
    // A file without any write permission is meant to stay as it is, even where root could write.
    if ((info.st_mode & 0222) == 0 || access(path, W_OK) != 0) {
        return nav_fail(err, NAV_STORE_UNAVAILABLE, "the database is read-only");
    }
    if (*absent) {
        return NAV_OK;
    }
    sqlite3 *db;
    nav_status status = open_connection(path, SQLITE_OPEN_READONLY, &db, err);
    if (status == NAV_OK) {
        status = check_identity(db, err);
        if (status == NAV_OK) {
            status = check_damage(db, err);
        }
        (void)sqlite3_close(db);
    }
    return status;
}

nav_status store_check(const char *path, nav_error *err)
{
    bool absent;
    return look(path, &absent, err);
}

// ---- the lock ----

// flock does not meddle with SQLite's own locks, which are of the other kind. The descriptor must
// stay open as long as SQLite has the file: closing any one would drop SQLite's locks.
static nav_status lock_file(const char *path, int flags, int *out, nav_error *err)
{
    int fd = open(path, O_RDWR | O_CLOEXEC | flags, 0644);
    if (fd < 0) {
        return nav_fail(err, NAV_STORE_UNAVAILABLE, "%s cannot be opened for writing: %s", path,
                        strerror(errno));
    }
    // A daemon that was killed a moment ago may still be on its way out.
    const struct timespec pause = {.tv_nsec = 50000000};
    int tries = LOCK_TRIES;
    while (flock(fd, LOCK_EX | LOCK_NB) != 0 && --tries > 0) {
        (void)nanosleep(&pause, NULL);
    }
    if (tries == 0) {
        (void)close(fd);
        return nav_fail(err, NAV_STORE_UNAVAILABLE,
                        "the database is locked: another navmeshd is using it");
    }
    *out = fd;
    return NAV_OK;
}

// ---- making and opening ----

static nav_status migrate(sqlite3 *db, nav_error *err)
{
    int64_t version = 0;
    nav_status status = read_int(db, "PRAGMA user_version", &version, err);
    if (status != NAV_OK || version == SCHEMA_VERSION) {
        return status;
    }
    status = execute(db, "BEGIN IMMEDIATE", "starting a migration", err);
    for (int64_t i = version; status == NAV_OK && i < SCHEMA_VERSION; i++) {
        status = execute(db, MIGRATIONS[i], "migrating the database", err);
    }
    char mark[128];
    (void)snprintf(mark, sizeof mark, "PRAGMA application_id=%d; PRAGMA user_version=%lld; COMMIT",
                   APPLICATION_ID, (long long)SCHEMA_VERSION);
    return status == NAV_OK ? execute(db, mark, "migrating the database", err) : status;
}

void store_sync_directory_of(const char *path)
{
    char directory[PATH_BYTES_MAX];
    (void)snprintf(directory, sizeof directory, "%s", path);
    char *slash = strrchr(directory, '/');
    if (slash == NULL) {
        (void)snprintf(directory, sizeof directory, ".");
    } else {
        slash[slash == directory ? 1 : 0] = '\0';
    }
    int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        (void)fsync(fd);
        (void)close(fd);
    }
}

// Under its own name the file appears only when it is whole, so that a crash in here leaves nothing
// that the next start would have to understand.
static nav_status make(const char *path, int *lock_fd, nav_error *err)
{
    char fresh[PATH_BYTES_MAX + 16];
    (void)snprintf(fresh, sizeof fresh, "%s-new", path);
    nav_status status = lock_file(fresh, O_CREAT, lock_fd, err);
    if (status != NAV_OK) {
        return status;
    }
    sqlite3 *db = NULL;
    if (ftruncate(*lock_fd, 0) != 0) {
        status = nav_fail(err, NAV_STORE_UNAVAILABLE, "%s: %s", fresh, strerror(errno));
    }
    if (status == NAV_OK) {
        status = open_connection(fresh, SQLITE_OPEN_READWRITE, &db, err);
    }
    if (status == NAV_OK) {
        status = execute(db, "PRAGMA page_size=16384; PRAGMA synchronous=FULL",
                         "making the database", err);
    }
    if (status == NAV_OK) {
        status = migrate(db, err);
    }
    (void)sqlite3_close(db);
    if (status == NAV_OK && rename(fresh, path) != 0) {
        status =
            nav_fail(err, NAV_STORE_UNAVAILABLE, "%s cannot be made: %s", path, strerror(errno));
    }
    if (status != NAV_OK) {
        (void)unlink(fresh);
        (void)close(*lock_fd);
        return status;
    }
    store_sync_directory_of(path);
    // Closing SQLite's descriptor has left flock alone; the lock now is on the file at path.
    return NAV_OK;
}

static nav_status open_pair(store *s, const char *path, nav_error *err)
{
    // Room for what a transaction changes: pages that do not fit are written more than once.
    static const char *const settings = "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
                                        "PRAGMA foreign_keys=ON; PRAGMA cell_size_check=ON;"
                                        "PRAGMA cache_size=-32768";
    nav_status status = open_connection(path, SQLITE_OPEN_READWRITE, &s->writer.db, err);
    if (status == NAV_OK) {
        status = execute(s->writer.db, settings, "setting up the database", err);
    }
    if (status == NAV_OK) {
        status = migrate(s->writer.db, err);
    }
    if (status == NAV_OK) {
        status = open_connection(path, SQLITE_OPEN_READWRITE, &s->reader.db, err);
    }
    if (status == NAV_OK) {
        status = execute(s->reader.db, "PRAGMA query_only=ON", "setting up the database", err);
    }
    return status;
}

static store *make_store(void)
{
    store *s = calloc(1, sizeof *s);
    if (s != NULL) {
        s->lock_fd = -1;
        (void)pthread_mutex_init(&s->writer.lock, NULL);
        (void)pthread_mutex_init(&s->reader.lock, NULL);
    }
    return s;
}

nav_status store_open_to_look(const char *path, store **out, nav_error *err)
{
    store *s = make_store();
    if (s == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory to open the database");
    }
    nav_status status = open_connection(path, SQLITE_OPEN_READONLY, &s->reader.db, err);
    if (status == NAV_OK) {
        status = execute(s->reader.db, "BEGIN", "opening the database", err);
    }
    if (status == NAV_OK) {
        status = check_identity(s->reader.db, err);
    }
    if (status != NAV_OK) {
        store_close(s);
        return status;
    }
    *out = s;
    return NAV_OK;
}

nav_status store_open(const char *path, store **out, nav_error *err)
{
    if (strlen(path) >= PATH_BYTES_MAX) {
        return nav_fail(err, NAV_STORE_UNAVAILABLE, "the database's path is too long");
    }
    store *s = make_store();
    if (s == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory to open the database");
    }
    bool absent = false;
    nav_status status = look(path, &absent, err);
    if (status == NAV_OK) {
        status = absent ? make(path, &s->lock_fd, err) : lock_file(path, 0, &s->lock_fd, err);
        if (status != NAV_OK) {
            s->lock_fd = -1;
        }
    }
    if (status == NAV_OK) {
        status = open_pair(s, path, err);
    }
    if (status != NAV_OK) {
        store_close(s);
        return status;
    }
    *out = s;
    return NAV_OK;
}

void store_close(store *s)
{
    if (s == NULL) {
        return;
    }
    // The last connection to close moves the WAL into the file.
    (void)sqlite3_close(s->reader.db);
    (void)sqlite3_close(s->writer.db);
    if (s->lock_fd >= 0) {
        (void)close(s->lock_fd);
    }
    (void)pthread_mutex_destroy(&s->writer.lock);
    (void)pthread_mutex_destroy(&s->reader.lock);
    free(s);
}
