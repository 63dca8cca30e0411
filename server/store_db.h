// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// store_db.h: what the store's files share. Private to store*.c, the only ones to know sqlite3.

#pragma once

#include "server/store.h"

#include <pthread.h>
#include <sqlite3.h>

// A connection and who may use it: one thread at a time, for a statement or a transaction. Unlike
// the daemon's other locks these are held across disk; nothing on the path of a query to a live
// mesh takes them.
typedef struct store_connection {
    pthread_mutex_t lock;
    sqlite3 *db; // guarded by lock
} store_connection;

struct store {
    store_connection writer, reader; // WAL: a reader never waits for the writer
    int lock_fd;                     // flock on the file, for the daemon's life
};

// Turns what SQLite says into a status, with its message.
nav_status store_fail(sqlite3 *db, int code, const char *doing, nav_error *err);

// A statement and the first error that it met; later calls on it are then no-ops. Begin with
// store_prepare_locked, which asserts that the connection is the caller's; end with store_finish.
typedef struct store_statement {
    sqlite3 *db;
    sqlite3_stmt *sql;
    int code;
} store_statement;

store_statement store_prepare(sqlite3 *db, const char *sql); // before there are threads
store_statement store_prepare_locked(store_connection *connection, const char *sql);
void store_bind_int(store_statement *s, int at, int64_t value);
void store_bind_text(store_statement *s, int at, const char *text); // NULL binds null
void store_bind_blob(store_statement *s, int at, const void *bytes, uint64_t size_bytes);
bool store_step(store_statement *s);   // true: there is a row
void store_rewind(store_statement *s); // to be run once more
// Ends the statement. NAV_OK, or what went wrong.
nav_status store_finish(store_statement *s, const char *doing, nav_error *err);

// What columns hold, copied. A malloc'ed block, also for none; without memory NULL and the
// statement's error.
void *store_column_blob(store_statement *s, int column, size_t *size_bytes);
void store_column_hash(store_statement *s, int column, uint8_t out[32]); // zeros unless 32 bytes
// One more element of a malloc'ed array, cleared; NULL and the statement's error without memory.
void *store_append(store_statement *s, void **array, size_t *count, size_t size_bytes);
// Runs a statement of the writer whose parameters are integers.
nav_status store_change_locked(store *disk, const char *sql, const int64_t *values, int count,
                               nav_error *err);

// A mesh's row, with what the transactions decide on.
typedef struct store_mesh_row {
    int64_t id; // 0: there is no row
    uint32_t active, newest_activated;
    uint64_t activation;
} store_mesh_row;

nav_status store_mesh_row_locked(store *disk, const char *name, store_mesh_row *out,
                                 nav_error *err);
// Reads whether the version still waits for its bake's end, and whether it is to be made live then.
nav_status store_is_queued_locked(store *disk, int64_t mesh, uint32_t version, bool *queued,
                                  bool *activate, nav_error *err);

// store_tiles.c: an upload's geometry goes in once, whoever has it in common; one that was damaged
// is replaced.
nav_status store_geometry_put_locked(store *disk, const store_upload *upload, nav_error *err);
// store_tiles.c: a version's tiles with their blobs, within a transaction of the writer.
nav_status store_tiles_put_locked(store *disk, int64_t mesh, uint32_t version,
                                  const store_tile *tiles, size_t count, nav_error *err);
// store_remove.c: takes a version's tiles away, version 0: all of the mesh, and the blobs that no
// other version has.
nav_status store_tiles_drop_locked(store *disk, int64_t mesh, uint32_t version, nav_error *err);
// store_remove.c: of the mesh's ready versions the newest `keep` stay, the live one and `baked`
// besides. *count: how many went.
nav_status store_retain_locked(store *disk, const store_mesh_row *mesh, uint32_t baked,
                               uint32_t keep, uint32_t *count, nav_error *err);

// Writes happen between these two, with writer.lock held. end commits where status is NAV_OK, else
// rolls back, and returns what counts.
nav_status store_begin_locked(store *disk, nav_error *err);
nav_status store_end_locked(store *disk, nav_status status, nav_error *err);

// store_landmarks.c: within the transaction that makes a version ready.
nav_status store_landmarks_put_locked(store *disk, int64_t mesh, uint32_t version,
                                      const store_landmarks *landmarks, nav_error *err);

// store_open.c: puts the entry of a file that was just made on disk, so that it is found again.
void store_sync_directory_of(const char *path);
