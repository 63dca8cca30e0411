// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// db.h: what the store's files share. Private to server/store/, which alone knows sqlite3.

#pragma once

#include "server/store/store.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdatomic.h>

// A statement that is used again.
typedef struct store_kept {
    const char *sql; // its text, where it was made; NULL: there is none
    sqlite3_stmt *statement;
    bool taken;
} store_kept;

#define STORE_KEPT_MAX 32u // more than a commit has

// A connection and who may use it: one thread at a time, for a statement or a transaction. Unlike
// the daemon's other locks these are held across disk; nothing on the path of a query to a live
// mesh takes them.
typedef struct store_connection {
    pthread_mutex_t lock;
    sqlite3 *db;                     // guarded by lock
    store_kept kept[STORE_KEPT_MAX]; // guarded by lock
    size_t kept_next;                // guarded by lock: which one goes where there is no room
} store_connection;

// schema.c: the tables of a new database, and the path to them from an older one.
#define STORE_SCHEMA_FIRST ((int64_t)9) // files of lower numbers are refused

typedef struct store_schema {
    const char *const *tables; // of number STORE_SCHEMA_FIRST; NULL ends them
    const char *const *steps;  // step i: from number STORE_SCHEMA_FIRST + i to the next one
    int64_t step_count;
} store_schema;

extern const store_schema STORE_SCHEMA;

// A thread that looks after the file while nobody writes.
typedef struct store_watch {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool running; // owner thread only
    bool ended;   // guarded by lock
    pthread_t thread;
} store_watch;

// probe.c: a failed bake that is written down when writes work again.
struct store_owed {
    char mesh[LIMIT_MESH_NAME + 1];
    uint32_t version;
    nav_error why;
    store_owed *next;
};

struct store {
    store_connection writer, reader; // WAL: a reader never waits for the writer
    int lock_fd;                     // flock on the file, for the daemon's life
    const store_schema *schema;      // immutable
    char *path;                      // immutable: of the file, absolute
    char *log_path;                  // immutable: of its write-ahead log
    uint64_t log_device, log_inode;  // immutable: of the log as it was opened; inode 0: not known
    bool committing;                 // guarded by writer.lock: store_write_end is at its COMMIT
    bool wrote; // guarded by writer.lock: the transaction has changed something
    pthread_mutex_t trouble_lock;
    nav_error trouble; // guarded by trouble_lock: why the last write failed; NAV_OK: none has
    store_owed *owed;  // guarded by trouble_lock
    _Atomic uint64_t recordings_bytes_max; // store_recordings_limit
    store_watch watch;
};

// Turns what SQLite says into a status, with its message.
nav_status store_fail(sqlite3 *db, int code, const char *doing, nav_error *err);

// Runs SQL that gives no rows.
nav_status store_execute(sqlite3 *db, const char *sql, const char *doing, nav_error *err);
nav_status store_connection_open(const char *path, int flags, sqlite3 **out, nav_error *err);
// Opens the writer's connection, of a file that is there. Its lock is the caller's, or nobody else
// has the store yet.
nav_status store_writer_open(store *s, nav_error *err);

// A statement and the first error that it met; later calls on it are then no-ops. Begin with
// store_prepare_locked, which asserts that the connection is the caller's, or with store_read; end
// with store_finish.
typedef struct store_statement {
    sqlite3 *db;
    sqlite3_stmt *sql;
    int code;
    store_kept *kept;          // the connection's; NULL: it ends with its use
    pthread_mutex_t *own_lock; // of store_read; NULL: the caller has it
} store_statement;

// A parameter's value; texts and blocks are borrowed until the statement's end, NULL binds null.
typedef struct store_value {
    enum {
        STORE_VALUE_INT,
        STORE_VALUE_REAL,
        STORE_VALUE_TEXT,
        STORE_VALUE_BLOB
    } kind;
    int64_t integer; // of a block its bytes
    double real;
    const void *at;
} store_value;

#define STORE_INT(number) ((store_value){.kind = STORE_VALUE_INT, .integer = (int64_t)(number)})
#define STORE_REAL(number) ((store_value){.kind = STORE_VALUE_REAL, .real = (number)})
#define STORE_TEXT(text) ((store_value){.kind = STORE_VALUE_TEXT, .at = (text)})
#define STORE_BLOB(bytes, size_bytes)                                                              \
    ((store_value){.kind = STORE_VALUE_BLOB, .at = (bytes), .integer = (int64_t)(size_bytes)})
// The values of all parameters in their order.
typedef struct store_values {
    const store_value *at;
    size_t count;
} store_values;

#define STORE_VALUES(...)                                                                          \
    ((store_values){(const store_value[]){__VA_ARGS__},                                            \
                    sizeof((store_value[]){__VA_ARGS__}) / sizeof(store_value)})
#define STORE_NO_VALUES ((store_values){NULL, 0})

store_statement store_prepare(sqlite3 *db, const char *sql); // before there are threads
store_statement store_prepare_locked(store_connection *connection, const char *sql);
// Ends what the connection keeps, before its db is exchanged; and it itself.
// Nobody has a statement any more.
void store_statements_drop(store_connection *connection);
void store_connection_close(store_connection *connection); // without db harmless
void store_bind(store_statement *s, store_values values);
// A statement of the reader, whose lock it takes; store_finish gives it back.
store_statement store_read(store *disk, const char *sql, store_values values);
bool store_step(store_statement *s); // true: there is a row
// Ends the statement. NAV_OK, or what went wrong.
nav_status store_finish(store_statement *s, const char *doing, nav_error *err);

// text.c: what a text is to be. All are UTF-8, and have no characters that do not show.
typedef enum store_text {
    STORE_TEXT_WORDS,
    STORE_TEXT_NAME,   // of a mesh
    STORE_TEXT_OBJECT, // JSON
    STORE_TEXT_LIST,   // JSON
} store_text;

// text.c: the only way to a column's text. False: it is damaged. *out is borrowed until the
// next step; "" for null and for what is damaged.
bool store_text_at(store_statement *s, int column, store_text kind, const char **out);
// text.c: a mesh's name, copied; "" and false where it is damaged.
bool store_name_at(store_statement *s, int column, char out[LIMIT_MESH_NAME + 1]);
// text.c: the text malloc'ed; NULL for null, for what is damaged, and without memory, which
// becomes the statement's error.
char *store_column_text(store_statement *s, int column, store_text kind, bool *whole);
// text.c: the state that a column's word names; STORE_STATE_COUNT: it is damaged.
store_state store_state_at(store_statement *s, int column);
// text.c: puts a question mark in the place of each byte that cannot be shown.
void store_text_show(char *text);

// Copies of columns. The block is malloc'ed, also for none; without memory NULL and the statement's
// error.
void *store_column_blob(store_statement *s, int column, size_t *size_bytes);
void store_column_hash(store_statement *s, int column, uint8_t out[32]); // zeros unless 32 bytes
// A version's number; 0 where it is damaged, or null.
uint32_t store_version_at(store_statement *s, int column);
// The version that a mesh has live, 0: none, and how often that was changed. A count that cannot be
// is read as STORE_LOST_ACTIVATION, so that it goes on and does not come back.
void store_active_at(store_statement *s, int column, uint32_t *active, uint64_t *activation);
#define STORE_LOST_ACTIVATION (UINT64_C(1) << 32)
// One more element of a malloc'ed array, cleared; NULL and the statement's error without memory.
void *store_append(store_statement *s, void **array, size_t *count, size_t size_bytes);
// Runs a statement of the writer that gives no rows.
nav_status store_change_locked(store *disk, const char *doing, const char *sql, store_values values,
                               nav_error *err);

// The integers that a statement of the writer gives; *out is the caller's to free, also on failure.
nav_status store_list_locked(store *disk, const char *sql, store_values values, int64_t **out,
                             size_t *listed, nav_error *err);

// A mesh's row, with what the transactions decide on.
typedef struct store_mesh_row {
    int64_t id;                        // 0: there is no row
    uint32_t active, newest_activated; // 0: none
    uint64_t activation;               // not 0 where a version is live
} store_mesh_row;

// db.c: the row of the mesh of this name, by the writer's connection; all 0 where there is none, or
// it cannot be read. Errors: those of SQLite.
nav_status store_mesh_row_locked(store *disk, const char *name, store_mesh_row *out,
                                 nav_error *err);

// ---- tile_rows.c: rows of tiles, one at a time ----

// A row of `tiles`, as STORE_TILE_COLUMNS of `tiles c` give it. Key, report: borrowed until the
// statement's next step; packed is NULL.
typedef struct store_tile_row {
    store_tile tile;
    int64_t blob; // row of `blobs`; 0: none
} store_tile_row;

#define STORE_TILE_COLUMNS                                                                         \
    "c.id, c.hash, c.blob, c.bytes, c.key, c.packed_hash, c.report, c.checksum"

// False: there is none, or it is damaged; its id and what else can be read are there.
bool store_tile_row_at(store_statement *s, int first, store_tile_row *out);

// Rows of tiles that an agent has room for in version_tiles.tile_z: those of one agent follow those
// of the one before, and the default one's are what they were before there were others.
#define STORE_AGENT_ROWS (UINT32_C(1) << 24)
_Static_assert(NAV_GRID_TILES_MAX <= STORE_AGENT_ROWS, "a row of tiles has its number");
_Static_assert(NAV_ALL_AGENTS < UINT32_MAX / STORE_AGENT_ROWS, "and the agent has its own");

static inline uint32_t store_agent_z(const store_tile *tile)
{
    // A damaged row's may be more than NAV_ALL_AGENTS.
    NAV_ASSERT(tile->agent <= UINT32_MAX / STORE_AGENT_ROWS);
    return tile->agent * STORE_AGENT_ROWS + tile->z;
}

// A row of `version_tiles`, as STORE_PLACE_COLUMNS of `version_tiles t` give it, of a tile whose
// row is whole: *out is the tile in its place. False: it is damaged, or leads to another tile.
#define STORE_PLACE_COLUMNS "t.tile_z, t.tile_x, t.checksum"
#define STORE_PLACE_COLUMN_COUNT 3
bool store_place_at(store_statement *s, int first, const store_tile *tile, store_tile *out);

// Reads bytes of `blobs`, apart from the statement that says which: those that lead nowhere hide no
// others. Read, then end.
typedef struct store_blobs {
    store_connection *from;
    sqlite3_blob *handle;
} store_blobs;

// *out is malloc'ed; NULL where the bytes cannot be read, or are none.
nav_status store_blobs_read(store_blobs *blobs, int64_t blob, void **out, size_t *size_bytes,
                            nav_error *err);
void store_blobs_end(store_blobs *blobs);

// The tile's packed bytes as a new row.
nav_status store_blob_insert_locked(store *disk, const store_tile *tile, int64_t *blob,
                                    nav_error *err);
// The row tile->id anew, or with id 0 a new one, whose id the tile then has.
nav_status store_tile_write_locked(store *disk, store_tile *tile, int64_t blob, nav_error *err);
// Writes which row is the version's tile at x, z.
nav_status store_place_write_locked(store *disk, int64_t mesh, uint32_t version,
                                    const store_tile *tile, nav_error *err);

// ---- tiles.c, tiles_put.c ----

// A version's tiles, within a transaction of the writer: each is stored once, whoever has it.
nav_status store_tiles_put_locked(store *disk, int64_t mesh, uint32_t version,
                                  const store_tile *tiles, size_t count, nav_error *err);
// An upload's geometry is stored once, whoever has it; one that was damaged is replaced.
nav_status store_geometry_put_locked(store *disk, const store_upload *upload, nav_error *err);

// ---- sweep.c: unreferenced data is deleted ----

nav_status store_geometries_sweep_locked(store *disk, nav_error *err);
// All tiles and bytes that nothing refers to, which only damage leaves: reads a part of all there
// is.
nav_status store_orphans_sweep_locked(store *disk, nav_error *err);
// Deletes those of these tiles that no version has, with their bytes.
nav_status store_tiles_sweep_locked(store *disk, const int64_t *tiles, size_t count,
                                    nav_error *err);

// remove.c: takes a version's tiles away, version 0: all of the mesh, and deletes those that no
// other version has.
nav_status store_tiles_drop_locked(store *disk, int64_t mesh, uint32_t version, nav_error *err);
// remove.c: of the mesh's ready versions those stay that the result keeps, the live one and `baked`
// besides. *count: how many went.
nav_status store_retain_locked(store *disk, const store_mesh_row *mesh, uint32_t baked,
                               const store_result *result, uint32_t *count, nav_error *err);

// checks.c: a number that is none of them is the nearest.
store_gate store_gate_at(store_statement *s, int column);
// checks.c: whether a version's gate lets it go live with this result.
nav_status store_gate_pass_locked(store *disk, int64_t mesh, uint32_t version,
                                  const store_result *result, bool *passes, nav_error *err);
// checks.c: a mesh takes its checks with it. *removed: there were some, though perhaps no
// version.
nav_status store_checks_drop_locked(store *disk, const char *name, bool *removed, nav_error *err);

// recordings.c: PROTO_VERSION_RECORDED where somebody asked for a recording of the version, 0: of
// any of the mesh. `name` is the mesh's.
nav_status store_recordings_check_locked(store *disk, const store_mesh_row *mesh, const char *name,
                                         uint32_t version, nav_error *err);
// recordings.c: deletes all recordings of the version, 0: of the mesh.
nav_status store_recordings_drop_locked(store *disk, const store_mesh_row *mesh, uint32_t version,
                                        nav_error *err);

// A transaction of the writer, and its lock: begin takes both, or neither and says why. end commits
// where status is NAV_OK, else rolls back, gives the lock back and returns what counts. After it
// the connection is in no transaction, or is closed until the next begin.
nav_status store_write_begin(store *disk, nav_error *err);
nav_status store_write_end(store *disk, nav_status status, nav_error *err);

// A transaction on a version that waits for its bake's end.
typedef struct store_bake {
    store_mesh_row mesh;
    bool activate; // to be made live when it is ready
} store_bake;

// store_write_begin, and the version's rows. NAV_CANCELLED where it is no longer queued, or, if it
// is repaired, no longer ready; after any failure there is no transaction.
nav_status store_bake_begin(store *disk, const char *name, uint32_t version, bool repairs,
                            store_bake *out, nav_error *err);

// landmarks.c: those of all agents, within the transaction that makes a version ready.
nav_status store_landmarks_put_locked(store *disk, int64_t mesh, uint32_t version,
                                      const store_result *result, nav_error *err);

// The mark of our files: "navm".
#define STORE_APPLICATION_ID 0x6e61766d
#define STORE_SET_APPLICATION_ID "PRAGMA application_id=0x6e61766d"
// migrate.c: the newest tables in an empty database, or in an older one, in one transaction.
nav_status store_migrate(sqlite3 *db, const store_schema *schema, nav_error *err);
// migrate.c: the same of a store that nobody else has yet; the file as it was is put aside as
// <path>-before-<number>, in the place of one that is there.
nav_status store_migrate_old(store *disk, nav_error *err);
// migrate.c: PROTO_STORE_UNAVAILABLE where the file is not ours or its schema is of a newer
// program, or from before STORE_SCHEMA_FIRST. *newest: it is the one that this program writes.
nav_status store_identity_check(sqlite3 *db, const store_schema *schema, bool *newest,
                                nav_error *err);
// migrate.c: PROTO_STORE_UNAVAILABLE where a table or an index of the newest schema is missing,
// or has other columns.
nav_status store_schema_check(sqlite3 *db, const store_schema *schema, nav_error *err);
// open.c: store_open with another schema, as tests have it.
nav_status store_open_as(const char *path, const store_schema *schema, store **out, nav_error *err);

// verify.c: the error of the disk that a line of SQLite's own check reports; SQLITE_OK: it reports
// a fault of the file, or none.
int store_check_code(const char *line);

// backup.c: store_backup, in the place of a file that is there.
nav_status store_copy_aside(store *disk, const char *path, nav_error *err);
// backup.c: puts the entry of a file that was just made on disk, so that it is found again.
nav_status store_sync_directory_of(const char *path, nav_error *err);

// Harmless where there is no such thread.
void store_watch_end(store *disk);
// transaction.c: from here on nothing is committed but by store_write_end.
void store_writer_guard(store *disk);
// transaction.c: a write would fail, for this reason.
void store_note_failure(store *disk, const nav_error *why);
