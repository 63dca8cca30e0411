// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// store_verify.c: a database as it is, looked at and copied while a daemon may be using it: what
// `navmeshd verify` and `navmeshd backup` do. Under WAL a reader sees one moment and holds up
// nobody.

#include "server/store_db.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PATH_BYTES_MAX 4096

// ---- faults ----

// Each row of a statement is one fault, in words.
static nav_status tell_rows(store *disk, const char *sql, store_fault *tell, void *user,
                            nav_error *err)
{
    store_statement s = store_prepare_locked(&disk->reader, sql);
    while (store_step(&s)) {
        const char *text = (const char *)sqlite3_column_text(s.sql, 0);
        if (text != NULL && strcmp(text, "ok") != 0) {
            tell(user, text);
        }
    }
    return store_finish(&s, "verifying the database", err);
}

static const char *const RULES[] = {
    "PRAGMA integrity_check",
    "SELECT 'a row of ' || \"table\" || ' refers to ' || parent || ' that is not there'"
    " FROM pragma_foreign_key_check",
    "SELECT 'mesh ' || name || ': its live version ' || active || ' is not ready or not there'"
    " FROM meshes m WHERE active > 0 AND NOT EXISTS (SELECT 1 FROM versions v"
    " WHERE v.mesh = m.id AND v.version = m.active AND v.state = 'ready')",
    "SELECT 'mesh ' || m.name || ': the number of version ' || v.version || ' may come again'"
    " FROM versions v JOIN meshes m ON m.id = v.mesh WHERE v.version >= m.next_version",
    "SELECT 'mesh ' || m.name || ' version ' || v.version || ' is ready and has no tile'"
    " FROM versions v JOIN meshes m ON m.id = v.mesh WHERE v.state = 'ready' AND NOT EXISTS"
    " (SELECT 1 FROM version_tiles t WHERE t.mesh = v.mesh AND t.version = v.version"
    " AND t.blob_hash IS NOT NULL)",
    "SELECT 'mesh ' || m.name || ' version ' || v.version || ' is ' || v.state || ' and has tiles'"
    " FROM versions v JOIN meshes m ON m.id = v.mesh WHERE v.state IN ('failed','cancelled')"
    " AND EXISTS (SELECT 1 FROM version_tiles t WHERE t.mesh = v.mesh AND t.version = v.version)",
    "SELECT 'blob ' || lower(hex(hash)) || ' belongs to no version' FROM blobs b WHERE NOT EXISTS"
    " (SELECT 1 FROM version_tiles t WHERE t.blob_hash = b.hash)",
    "SELECT 'geometry ' || lower(hex(hash)) || ' belongs to no version' FROM geometries g"
    " WHERE NOT EXISTS (SELECT 1 FROM versions v WHERE v.geometry_hash = g.hash)",
};

nav_status store_faults_each(store *disk, store_fault *tell, void *user, nav_error *err)
{
    nav_status status = NAV_OK;
    (void)pthread_mutex_lock(&disk->reader.lock);
    for (size_t i = 0; status == NAV_OK && i < sizeof RULES / sizeof *RULES; i++) {
        status = tell_rows(disk, RULES[i], tell, user, err);
    }
    (void)pthread_mutex_unlock(&disk->reader.lock);
    return status;
}

// ---- blocks and versions ----

nav_status store_blocks_each(store *disk, bool geometries, store_look *look, void *user,
                             nav_error *err)
{
    (void)pthread_mutex_lock(&disk->reader.lock);
    store_statement s = store_prepare_locked(
        &disk->reader, geometries ? "SELECT hash, bytes, zstd FROM geometries ORDER BY rowid"
                                  : "SELECT hash, bytes, zstd FROM blobs ORDER BY rowid");
    while (store_step(&s)) {
        store_tile block = {.bytes = (uint64_t)sqlite3_column_int64(s.sql, 1)};
        store_column_hash(&s, 0, block.hash);
        block.packed = store_column_blob(&s, 2, &block.packed_bytes);
        if (block.packed != NULL) {
            look(user, &block);
        }
        free(block.packed);
    }
    nav_status status = store_finish(&s, "verifying the blocks", err);
    (void)pthread_mutex_unlock(&disk->reader.lock);
    return status;
}

// A version's blobs in order of z, x: their hashes only.
static nav_status read_names(store *disk, int64_t mesh, uint32_t version, store_tile **out,
                             size_t *count, nav_error *err)
{
    void *tiles = NULL;
    size_t used = 0;
    store_statement s = store_prepare_locked(
        &disk->reader, "SELECT blob_hash FROM version_tiles WHERE mesh = ? AND version = ?"
                       " AND blob_hash IS NOT NULL ORDER BY tile_z, tile_x");
    store_bind_int(&s, 1, mesh);
    store_bind_int(&s, 2, version);
    while (store_step(&s)) {
        store_tile *tile = store_append(&s, &tiles, &used, sizeof(store_tile));
        if (tile != NULL) {
            store_column_hash(&s, 0, tile->hash);
        }
    }
    *out = tiles;
    *count = used;
    return store_finish(&s, "reading tiles", err);
}

nav_status store_ready_each(store *disk, store_look_version *look, void *user, nav_error *err)
{
    nav_status status = NAV_OK;
    (void)pthread_mutex_lock(&disk->reader.lock);
    store_statement s = store_prepare_locked(
        &disk->reader, "SELECT m.name, v.version, v.blob_json, m.id FROM versions v"
                       " JOIN meshes m ON m.id = v.mesh WHERE v.state = 'ready'"
                       " ORDER BY m.name, v.version");
    while (status == NAV_OK && store_step(&s)) {
        store_tile *tiles = NULL;
        size_t count = 0;
        uint32_t version = (uint32_t)sqlite3_column_int64(s.sql, 1);
        status = read_names(disk, sqlite3_column_int64(s.sql, 3), version, &tiles, &count, err);
        const char *blob_json = (const char *)sqlite3_column_text(s.sql, 2);
        if (status == NAV_OK) {
            look(user, (const char *)sqlite3_column_text(s.sql, 0), version,
                 blob_json != NULL ? blob_json : "", tiles, count);
        }
        free(tiles);
    }
    nav_status finished = store_finish(&s, "verifying the versions", err);
    (void)pthread_mutex_unlock(&disk->reader.lock);
    return status != NAV_OK ? status : finished;
}

// ---- backup ----

// All of it in one step, hence of one moment.
static nav_status copy_pages(store *disk, const char *fresh, nav_error *err)
{
    sqlite3 *to = NULL;
    int code = sqlite3_open_v2(
        fresh, &to, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL);
    if (code == SQLITE_OK) {
        sqlite3_backup *backup = sqlite3_backup_init(to, "main", disk->reader.db, "main");
        if (backup != NULL) {
            (void)sqlite3_backup_step(backup, -1);
            code = sqlite3_backup_finish(backup);
        } else {
            code = sqlite3_errcode(to);
        }
    }
    nav_status status = code == SQLITE_OK ? NAV_OK : store_fail(to, code, "copying", err);
    (void)sqlite3_close(to);
    return status;
}

static nav_status sync_file(const char *path, nav_error *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool synced = fd >= 0 && fsync(fd) == 0;
    nav_status status =
        synced ? NAV_OK : nav_fail(err, NAV_STORE_UNAVAILABLE, "%.100s: %s", path, strerror(errno));
    if (fd >= 0) {
        (void)close(fd);
    }
    return status;
}

nav_status store_backup(store *disk, const char *path, nav_error *err)
{
    char fresh[PATH_BYTES_MAX + 16];
    if (strlen(path) >= PATH_BYTES_MAX) {
        return nav_fail(err, NAV_INVALID_FIELD, "the name of the copy is too long");
    }
    if (access(path, F_OK) == 0) {
        return nav_fail(err, NAV_INVALID_FIELD, "%.150s is there already; choose another name",
                        path);
    }
    (void)snprintf(fresh, sizeof fresh, "%s-new", path);
    (void)unlink(fresh);
    (void)pthread_mutex_lock(&disk->reader.lock);
    nav_status status = copy_pages(disk, fresh, err);
    (void)pthread_mutex_unlock(&disk->reader.lock);
    if (status == NAV_OK) {
        status = sync_file(fresh, err);
    }
    // link, unlike rename, fails where somebody else has made the file meanwhile.
    if (status == NAV_OK && link(fresh, path) != 0) {
        status = nav_fail(err, NAV_STORE_UNAVAILABLE, "%.150s cannot be made: %s", path,
                          strerror(errno));
    }
    (void)unlink(fresh);
    if (status == NAV_OK) {
        store_sync_directory_of(path);
    }
    return status;
}
