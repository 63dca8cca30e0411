// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// transaction.c: every write of the store is a transaction of its own, from store_write_begin
// to store_write_end. Nothing is committed in any other way: a hook of SQLite's refuses it.
//
//   begin --> in its place? --> writer open? --> BEGIN IMMEDIATE
//   end   --> in its place? --> COMMIT --(failed)--> ROLLBACK --(failed)--> close, open again
//
// Whether the last write failed is kept for /readyz and /v1/status; probe.c tries again while
// nobody else does.

#include "server/store/db.h"

#include "server/base/lock.h"
#include "server/base/log.h"

#include <sys/stat.h>
#include <sys/statvfs.h>

// Below this a disk that was full still is.
#define SPACE_BYTES (256u << 10)

// ---- whether writes work ----

void store_note_failure(store *disk, const nav_error *why)
{
    (void)pthread_mutex_lock(&disk->trouble_lock);
    const bool news = disk->trouble.status != why->status;
    disk->trouble = *why;
    (void)pthread_mutex_unlock(&disk->trouble_lock);
    if (news) {
        log_error("store_degraded", "code=%s detail=\"%s\"", proto_status_word(why->status),
                  why->detail);
    }
}

// A small write may find room in the log of a disk that has none.
static bool has_space(const store *disk)
{
    struct statvfs space;
    return statvfs(disk->path, &space) != 0 ||
           (uint64_t)space.f_bavail * space.f_frsize >= SPACE_BYTES;
}

static void note_success(store *disk)
{
    nav_error trouble;
    if (!store_is_degraded(disk, &trouble) ||
        (trouble.status == PROTO_STORAGE_FULL && !has_space(disk))) {
        return;
    }
    (void)pthread_mutex_lock(&disk->trouble_lock);
    const bool news = disk->trouble.status == trouble.status; // and no other since
    disk->trouble = news ? (nav_error){0} : disk->trouble;
    (void)pthread_mutex_unlock(&disk->trouble_lock);
    if (news) {
        log_info("store_recovered", "detail=\"%s\"", "writes work again");
    }
}

bool store_is_degraded(store *disk, nav_error *why)
{
    (void)pthread_mutex_lock(&disk->trouble_lock);
    *why = disk->trouble;
    (void)pthread_mutex_unlock(&disk->trouble_lock);
    return why->status != NAV_OK;
}

// Other failures are answers: there is no such version, the bake was cancelled. The lock is free by
// now.
static nav_status note(store *disk, nav_status status, bool wrote, const nav_error *err)
{
    if (retry_may_help(status)) {
        nav_error why = *err;
        why.status = status;
        store_note_failure(disk, &why);
    } else if (status == NAV_OK && wrote) {
        note_success(disk);
    }
    return status;
}

// ---- the file and its connection ----

// A log that lost its name takes all that was not moved into the file with it.
static nav_status check_log(const store *disk, nav_error *err)
{
    struct stat named;
    if (disk->log_inode == 0 ||
        (stat(disk->log_path, &named) == 0 && named.st_dev == disk->log_device &&
         named.st_ino == disk->log_inode)) {
        return NAV_OK;
    }
    return nav_fail(err, PROTO_STORE_UNAVAILABLE,
                    "the database's write-ahead log %.100s was taken away: put it back; without it "
                    "the last changes are lost at the next start",
                    disk->log_path);
}

// SQLite would go on writing into a file that nobody finds any more. lock_fd is on the file that
// was opened, so its number is not given to another.
nav_status store_place_check(const store *disk, nav_error *err)
{
    struct stat opened, named;
    NAV_ASSERT(disk->path != NULL);
    NAV_ASSERT(disk->lock_fd >= 0); // it was opened to be written
    if (fstat(disk->lock_fd, &opened) != 0) {
        return NAV_OK;
    }
    if (stat(disk->path, &named) != 0) {
        return nav_fail(err, PROTO_STORE_UNAVAILABLE,
                        "the database %.100s is no longer there: put it back, or start again",
                        disk->path);
    }
    if (named.st_dev != opened.st_dev || named.st_ino != opened.st_ino) {
        return nav_fail(err, PROTO_STORE_UNAVAILABLE,
                        "another file is in the place of the database %.100s: put the former one "
                        "back, or start again with the new one",
                        disk->path);
    }
    return check_log(disk, err);
}

static int step_locked(store *disk, const char *sql)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    store_statement s = store_prepare_locked(&disk->writer, sql);
    (void)store_step(&s);
    const int code = s.code; // not that of its end: a COMMIT that was done is done
    (void)store_finish(&s, "", NULL);
    return code;
}

static int refuse_commit(void *user)
{
    store *disk = user;
    disk->wrote = disk->committing; // it is not asked where nothing was written
    return !disk->committing;
}

void store_writer_guard(store *disk)
{
    (void)sqlite3_commit_hook(disk->writer.db, refuse_commit, disk);
}

static nav_status open_again_locked(store *disk, nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    nav_status status = store_writer_open(disk, err);
    if (status == NAV_OK) {
        store_writer_guard(disk);
    }
    return status;
}

// After it the connection is in no transaction. Where it cannot be had again the next begin tries.
static void leave_locked(store *disk)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    // Some errors have rolled back by themselves.
    if (sqlite3_get_autocommit(disk->writer.db) != 0) {
        return;
    }
    (void)step_locked(disk, "ROLLBACK");
    if (sqlite3_get_autocommit(disk->writer.db) == 0) {
        nav_error ignored;
        store_connection_close(&disk->writer); // which rolls back, and needs no memory for it
        (void)open_again_locked(disk, &ignored);
    }
}

// ---- transactions ----

static nav_status begin_locked(store *disk, nav_error *err)
{
    nav_status status = store_place_check(disk, err);
    NAV_IF_OK(status, disk->writer.db == NULL ? open_again_locked(disk, err) : NAV_OK);
    if (status != NAV_OK) {
        return status;
    }
    // Within another one a COMMIT would be of that, and a ROLLBACK take it along.
    NAV_ASSERT(sqlite3_get_autocommit(disk->writer.db) != 0);
    const int code = step_locked(disk, "BEGIN IMMEDIATE");
    if (code == SQLITE_OK) {
        NAV_ASSERT(sqlite3_get_autocommit(disk->writer.db) == 0);
        return NAV_OK;
    }
    status = store_fail(disk->writer.db, code, "writing", err);
    leave_locked(disk);
    return status;
}

nav_status store_write_begin(store *disk, nav_error *err)
{
    nav_error own = {0};
    err = err != NULL ? err : &own;
    (void)pthread_mutex_lock(&disk->writer.lock);
    nav_status status = begin_locked(disk, err);
    if (status == NAV_OK) {
        disk->wrote = false;
        return NAV_OK;
    }
    (void)pthread_mutex_unlock(&disk->writer.lock);
    return note(disk, status, false, err);
}

static nav_status commit_locked(store *disk, nav_error *err)
{
    nav_status status = store_place_check(disk, err);
    if (status != NAV_OK) {
        return status;
    }
    // An error that was passed over has ended the transaction, and taken what it had written.
    if (sqlite3_get_autocommit(disk->writer.db) != 0) {
        return nav_fail(err, PROTO_STORE_UNAVAILABLE, "committing: the transaction was given up");
    }
    NAV_ASSERT(!disk->committing);
    disk->committing = true;
    const int code = step_locked(disk, "COMMIT");
    disk->committing = false;
    return code == SQLITE_OK ? NAV_OK : store_fail(disk->writer.db, code, "committing", err);
}

nav_status store_write_end(store *disk, nav_status status, nav_error *err)
{
    nav_error own = {0};
    err = err != NULL ? err : &own;
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    status = status == NAV_OK ? commit_locked(disk, err) : status;
    leave_locked(disk);
    NAV_ASSERT(disk->writer.db == NULL || sqlite3_get_autocommit(disk->writer.db) != 0);
    const bool wrote = disk->wrote;
    (void)pthread_mutex_unlock(&disk->writer.lock);
    return note(disk, status, wrote, err);
}

// Whether the version still waits for its bake's end, and whether it is to be made live then.
static nav_status read_waiting_locked(store *disk, uint32_t version, bool repairs, store_bake *bake,
                                      bool *waits, nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    store_statement s =
        store_prepare_locked(&disk->writer, "SELECT activate FROM versions"
                                            " WHERE mesh = ? AND version = ? AND state ="
                                            " iif(?, 'ready', 'queued')");
    store_bind(&s, STORE_VALUES(STORE_INT(bake->mesh.id), STORE_INT(version), STORE_INT(repairs)));
    *waits = store_step(&s);
    bake->activate = *waits && !repairs && sqlite3_column_int(s.sql, 0) != 0;
    return store_finish(&s, "reading a version", err);
}

nav_status store_bake_begin(store *disk, const char *name, uint32_t version, bool repairs,
                            store_bake *out, nav_error *err)
{
    bool waits = false;
    nav_status status = store_write_begin(disk, err);
    if (status != NAV_OK) {
        return status;
    }
    status = store_mesh_row_locked(disk, name, &out->mesh, err);
    NAV_IF_OK(status, read_waiting_locked(disk, version, repairs, out, &waits, err));
    if (status == NAV_OK && !waits) {
        status = nav_fail(err, NAV_CANCELLED, "the version was cancelled or removed");
    }
    return status == NAV_OK ? NAV_OK : store_write_end(disk, status, err);
}
