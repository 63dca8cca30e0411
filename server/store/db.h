// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// db.h: what the store's files share. Private to store*.c, the only ones to know sqlite3.

#pragma once

#include "server/store/store.h"

#include "server/store/tiles/format.h"
#include "server/store/tiles/index.h"

#include <pthread.h>
#include <sqlite3.h>

// A statement that is used again (statements.c).
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

// watch.c: a thread that looks after the file while nobody writes.
typedef struct store_watch {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool running; // owner thread only
    bool ended;   // guarded by lock
    pthread_t thread;
} store_watch;

// transaction.c: that a bake has failed, to be written when writes work again.
struct store_owed {
    char mesh[LIMIT_MESH_NAME + 1];
    uint32_t version;
    nav_error why;
    store_owed *next;
};

struct store {
    store_connection writer, reader; // WAL: a reader never waits for the writer
    int lock_fd;                     // flock on the file, for the daemon's life
    store_index index;               // guarded by reader.lock
    store_index_changes changes;     // guarded by writer.lock: of the transaction that is open
    bool newest;                     // nothing is left to migrate
    char *path;                      // immutable: of the file, absolute
    char *log_path;                  // immutable: of its write-ahead log
    uint64_t log_number;             // immutable: inode of the log as it was opened; 0: not known
    bool committing;                 // guarded by writer.lock: store_write_end is at its COMMIT
    bool wrote; // guarded by writer.lock: the transaction has changed something
    pthread_mutex_t trouble_lock;
    nav_error trouble; // guarded by trouble_lock: why the last write failed; NAV_OK: none has
    store_owed *owed;  // guarded by trouble_lock
    store_watch watch;
};

// Turns what SQLite says into a status, with its message.
nav_status store_fail(sqlite3 *db, int code, const char *doing, nav_error *err);

// A statement and the first error that it met; later calls on it are then no-ops. Begin with
// store_prepare_locked, which asserts that the connection is the caller's; end with store_finish.
typedef struct store_statement {
    sqlite3 *db;
    sqlite3_stmt *sql;
    int code;
    store_kept *kept; // the connection's; NULL: it ends with its use
} store_statement;

store_statement store_prepare(sqlite3 *db, const char *sql); // before there are threads
store_statement store_prepare_locked(store_connection *connection, const char *sql);
// statements.c: ends what the connection keeps, before its db is exchanged; and it itself.
// Nobody has a statement any more.
void store_statements_drop(store_connection *connection);
void store_connection_close(store_connection *connection); // without db harmless
void store_bind_int(store_statement *s, int at, int64_t value);
void store_bind_text(store_statement *s, int at, const char *text); // NULL binds null
void store_bind_blob(store_statement *s, int at, const void *bytes, uint64_t size_bytes);
bool store_step(store_statement *s);   // true: there is a row
void store_rewind(store_statement *s); // to be run once more
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
// text.c: puts a question mark in the place of each byte that cannot be shown.
void store_text_show(char *text);

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
// store/tiles/tiles.c: in order of z, x.
void store_tiles_sort(store_tile *tiles, size_t count);
// store/tiles/tiles.c: an upload's geometry goes in once, whoever has it in common; one that was
// damaged is replaced.
nav_status store_geometry_put_locked(store *disk, const store_upload *upload, nav_error *err);

// store/tiles/places.c: where the index thinks that tiles are kept, one place each, 0: nowhere,
// malloc'ed; to be asked before the transaction that puts them. NULL without memory.
uint64_t *store_places_look(store *disk, const store_tile *tiles, size_t count);
// store/tiles/places.c: brings the index up to what is stored, once. Errors of the read.
nav_status store_places_load_locked(store *disk, nav_error *err);
// store/tiles/places.c: tells the index what a transaction has changed. The caller has no lock.
void store_places_apply(store *disk, const store_index_changes *changes);

// store/tiles/packs.c: a pack of either connection, its blocks and reports copied. What is damaged
// or was dropped has no block; without a directory that is whole there are no slots at all.
nav_status store_pack_load_locked(store_connection *from, uint64_t pack, store_pack *out,
                                  nav_error *err);
// store/tiles/packs.c: writes a pack anew, pack->number 0: as a new one, whose number it then has.
// The blocks are borrowed. The index is told when the transaction has ended.
nav_status store_pack_write_locked(store *disk, store_pack *pack, nav_error *err);
// store/tiles/packs.c: writes a stored pack anew. Where its row can no longer be read to the end,
// which SQLite would not change either, as another one, whose number pack then has: all lists
// follow.
nav_status store_pack_rewrite_locked(store *disk, store_pack *pack, nav_error *err);
// store/tiles/packs.c: looks into the directories of packs, whose last one it keeps. Begin, get,
// end.
typedef struct store_slots {
    store_connection *from;
    store_statement rows;
    uint64_t pack;  // whose directory it is
    uint8_t *bytes; // of that, malloc'ed
    store_directory directory;
} store_slots;

store_slots store_slots_begin_locked(store_connection *from);
// False: there is nothing, or the directory is damaged. *report (may be NULL) is borrowed until the
// next call.
bool store_slots_get(store_slots *slots, uint64_t place, store_slot *out, const void **report);
nav_status store_slots_end(store_slots *slots, nav_error *err);
// store/tiles/packs.c: the bytes of a pack, to be read slot by slot and closed; NULL where there
// are none.
nav_status store_blocks_open_locked(store_connection *from, uint64_t pack, sqlite3_blob **out,
                                    nav_error *err);
// store/tiles/packs.c: the packed bytes of a slot, malloc'ed; NULL where they are not there.
nav_status store_block_read(sqlite3_blob *blocks, const store_slot *slot, void **out,
                            nav_error *err);
nav_status store_block_load_locked(store_connection *from, uint64_t pack, const store_slot *slot,
                                   void **out, nav_error *err);
// store/tiles/packs.c: keeps the directory of a pack, empty where it is damaged.
void store_slots_open(store_slots *slots, uint64_t pack);
// sweep.c: whether the block `zstd` of a row can be read to its end, as that of a row that is
// not there can.
nav_status store_row_check_locked(store *disk, const char *table, int64_t row, bool *readable,
                                  nav_error *err);
// sweep.c: geometries that no version has any more go.
nav_status store_geometries_sweep_locked(store *disk, nav_error *err);
// sweep.c: after a version has let go of a pack: it goes where nobody has it any more, and
// where half of it is nobody's that half goes.
nav_status store_pack_sweep_locked(store *disk, uint64_t pack, nav_error *err);

// store/tiles/lists.c: notes which tiles of a version are where.
nav_status store_lists_put_locked(store *disk, int64_t mesh, uint32_t version,
                                  const store_tile *tiles, const uint64_t *places, size_t count,
                                  nav_error *err);
// store/tiles/put.c: writes slots of one pack anew, whatever is there. *pack: its number from then
// on (store_pack_rewrite_locked).
nav_status store_slots_set_locked(store *disk, const store_tile *const *tiles,
                                  const uint64_t *places, size_t count, uint64_t *pack,
                                  nav_error *err);
// store/tiles/put.c: a version's tiles, within a transaction of the writer. places: as the index
// gave them.
nav_status store_tiles_put_locked(store *disk, int64_t mesh, uint32_t version,
                                  const store_tile *tiles, const uint64_t *places, size_t count,
                                  nav_error *err);
// remove.c: takes a version's tiles away, version 0: all of the mesh, and the packs that no
// other version has.
nav_status store_tiles_drop_locked(store *disk, int64_t mesh, uint32_t version, nav_error *err);
// remove.c: of the mesh's ready versions the newest `keep` stay, the live one and `baked`
// besides. *count: how many went.
nav_status store_retain_locked(store *disk, const store_mesh_row *mesh, uint32_t baked,
                               uint32_t keep, uint32_t *count, nav_error *err);

// checks.c: whether a version is to go live though it fails checks.
nav_status store_is_forced_locked(store *disk, int64_t mesh, uint32_t version, bool *forced,
                                  nav_error *err);
// checks.c: a mesh takes its checks with it. *removed: there were some, though perhaps no
// version.
nav_status store_checks_drop_locked(store *disk, const char *name, bool *removed, nav_error *err);

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

// store_write_begin, and the version's rows. NAV_CANCELLED where it no longer waits; after any
// failure there is no transaction.
nav_status store_bake_begin(store *disk, const char *name, uint32_t version, store_bake *out,
                            nav_error *err);

// landmarks.c: within the transaction that makes a version ready.
nav_status store_landmarks_put_locked(store *disk, int64_t mesh, uint32_t version,
                                      const store_landmarks *landmarks, nav_error *err);

// migrate.c: brings the schema of the writer's connection up to date, in one transaction. The
// store is nobody else's yet.
nav_status store_migrate(store *disk, nav_error *err);
// migrate.c: writes the mark of our files once more, which changes nothing.
nav_status store_identity_write_locked(store *disk, nav_error *err);
// migrate.c: PROTO_STORE_UNAVAILABLE where the file is not ours or its schema is of a newer
// program. *newest: it is the one that this program writes.
nav_status store_identity_check(sqlite3 *db, bool *newest, nav_error *err);
// migrate.c: PROTO_STORE_UNAVAILABLE where a table or an index of the newest schema is missing,
// or has other columns.
nav_status store_schema_check(sqlite3 *db, nav_error *err);

// labels.c: a mesh in words, from the columns of its name and its id: its name, or "number 7"
// where that is damaged.
void store_label_at(store_statement *s, int name_column, int id_column,
                    char out[LIMIT_MESH_NAME + 1]);
// labels.c: makes mesh_label(name, id) known to the statements of a connection.
void store_labels_register(sqlite3 *db);
// read.c: tells of each version, and of each mesh's checks, whose texts are damaged.
nav_status store_texts_check_locked(store *disk, store_fault *tell, void *user, nav_error *err);

// backup.c: what the reader's connection has into an empty database, in one step, hence of
// one moment.
nav_status store_copy_pages(store *disk, sqlite3 *to, nav_error *err);

// watch.c: harmless where there is no such thread.
void store_watch_end(store *disk);
// open.c: opens the writer's connection, of a file that is up to date.
nav_status store_writer_open_locked(store *disk, nav_error *err);
// transaction.c: from here on nothing is committed but by store_write_end.
void store_writer_guard_locked(store *disk);
// open.c: puts the entry of a file that was just made on disk, so that it is found again.
void store_sync_directory_of(const char *path);

// log_file.c: makes the file system of this name known to SQLite, once: its own, but for
// another way of writing the write-ahead log. For connections that commit with synchronous=FULL.
#define STORE_LOG_FILE "navmeshd"
void store_log_file_register(void);
