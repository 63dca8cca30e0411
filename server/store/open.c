// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// open.c: opening the database: first lock, then check, then write.
//
//   missing --> made whole beside its place, then renamed into it
//   present --> lock --> read-only check: ours? newer? damaged? --> open, WAL, migrations
//
// Nothing is written to a file that the check has refused. The lock comes first since the check
// makes files of the log, beside the name that the file is called by here; a file may have two.

#include "server/store/db.h"

#include "server/base/lock.h"
#include "server/base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define LOCK_TRIES 20 // 50 ms apart

// ---- the check ----

static nav_status check_table(sqlite3 *db, const char *pragma, nav_error *err)
{
    store_statement s = store_prepare(db, pragma);
    char found[160] = "";
    if (store_step(&s)) {
        const char *said = (const char *)sqlite3_column_text(s.sql, 0);
        s.code = said != NULL ? s.code : SQLITE_NOMEM;
        (void)snprintf(found, sizeof found, "%s", said != NULL ? said : "");
        store_text_show(found);
    }
    nav_status status = store_finish(&s, "checking the database", err);
    const int read_code = store_check_code(found);
    if (status == NAV_OK && read_code != SQLITE_OK) {
        return store_fail(NULL, read_code, "checking the database", err);
    }
    if (status == NAV_OK && strcmp(found, "ok") != 0) {
        return nav_fail(err, PROTO_STORE_UNAVAILABLE,
                        "it is damaged, put a backup in its place: %s", found);
    }
    return status;
}

// The tables that say what there is. Bytes of tiles are not read through, which would read all of
// the file: each is checked against its hash when it is read, and one that is damaged costs no
// other.
static nav_status check_damage(sqlite3 *db, nav_error *err)
{
    static const char *const tables[] = {
        "PRAGMA quick_check('meshes')", "PRAGMA quick_check('versions')",
        "PRAGMA quick_check('version_tiles')", "PRAGMA quick_check('tiles')"};
    nav_status status = NAV_OK;
    for (size_t i = 0; status == NAV_OK && i < sizeof tables / sizeof *tables; i++) {
        status = check_table(db, tables[i], err);
    }
    return status;
}

// Puts the file's name before the reason.
static nav_status name_file(const char *path, nav_status status, nav_error *err)
{
    const nav_error why = err != NULL ? *err : (nav_error){0};
    return nav_fail(err, status, "%.70s: %.140s. Another file is named with --db", path,
                    why.detail);
}

static nav_status check_directory(const char *path, nav_error *err)
{
    char directory[PATH_MAX];
    struct stat info;
    (void)snprintf(directory, sizeof directory, "%.*s.", process_folder_bytes(path), path);
    if (stat(directory, &info) != 0) {
        return nav_fail(err, PROTO_STORE_UNAVAILABLE,
                        "the folder of %.110s cannot be used: %s. Make it, or choose another file "
                        "with --db",
                        path, strerror(errno));
    }
    return NAV_OK;
}

// Checks a file without opening it. *absent: there is none, or an empty one.
static nav_status check_file(const char *path, bool *absent, nav_error *err)
{
    struct stat info;
    *absent = false;
    if (strlen(path) >= PATH_MAX) {
        return nav_fail(err, PROTO_STORE_UNAVAILABLE,
                        "the name of the database, %.80s..., is too long", path);
    }
    if (stat(path, &info) != 0) {
        *absent = errno == ENOENT;
        return *absent ? check_directory(path, err)
                       : nav_fail(err, PROTO_STORE_UNAVAILABLE,
                                  "the database %.120s cannot be read: %s. Choose another file "
                                  "with --db",
                                  path, strerror(errno));
    }
    if (S_ISDIR(info.st_mode)) {
        return nav_fail(
            err, PROTO_STORE_UNAVAILABLE,
            "the database %.80s is a folder: --db wants a file, such as %.80s/navmeshd.db", path,
            path);
    }
    if (!S_ISREG(info.st_mode)) {
        return nav_fail(err, PROTO_STORE_UNAVAILABLE,
                        "the database %.120s is not a regular file: choose another one with --db",
                        path);
    }
    // SQLite's log lies beside the name that is used: under another one its writes are not seen,
    // and the log undoes later ones.
    if (info.st_nlink > 1) {
        return nav_fail(err, PROTO_STORE_UNAVAILABLE,
                        "the database %.90s has another name, a hard link: keep the name beside "
                        "which its -wal lies, and remove the other",
                        path);
    }
    if (access(path, R_OK) != 0) {
        return nav_fail(err, PROTO_STORE_UNAVAILABLE,
                        "the database %.120s cannot be read: %s. Give this user the right to", path,
                        strerror(errno));
    }
    *absent = info.st_size == 0;
    return NAV_OK;
}

// A file without any write permission is meant to stay as it is, even where root could write.
static nav_status check_writable(const char *path, nav_error *err)
{
    struct stat info = {0};
    const bool readable_only = stat(path, &info) == 0 && (info.st_mode & 0222) == 0;
    return readable_only || (access(path, W_OK) != 0 && errno != ENOENT)
               ? nav_fail(err, PROTO_STORE_UNAVAILABLE,
                          "the database %.120s is read-only: give this user the right to write, or "
                          "choose another file with --db",
                          path)
               : NAV_OK;
}

// From outside. *absent: it will be made.
static nav_status inspect_file(const char *path, bool *absent, nav_error *err)
{
    nav_status status = check_file(path, absent, err);
    return status == NAV_OK ? check_writable(path, err) : status;
}

static nav_status inspect_rows(const char *path, const store_schema *schema, nav_error *err)
{
    sqlite3 *db;
    bool newest = false;
    nav_status status = store_connection_open(path, SQLITE_OPEN_READONLY, &db, err);
    NAV_IF_OK(status, store_identity_check(db, schema, &newest, err));
    NAV_IF_OK(status, newest ? store_schema_check(db, schema, err) : NAV_OK);
    NAV_IF_OK(status, check_damage(db, err));
    (void)sqlite3_close(db);
    return status == NAV_OK ? NAV_OK : name_file(path, status, err);
}

// ---- the lock ----

// Whether the file is still the one of this name: another may have taken its place before the lock.
static bool is_named(int fd, const char *path)
{
    struct stat own, named;
    return fstat(fd, &own) == 0 && stat(path, &named) == 0 && own.st_dev == named.st_dev &&
           own.st_ino == named.st_ino;
}

// flock does not meddle with SQLite's own locks, which are of the other kind. The descriptor must
// stay open as long as SQLite has the file: closing any one would drop SQLite's locks. *out: -1 if
// somebody else holds the lock.
static nav_status try_lock(const char *path, int flags, int *out, nav_error *err)
{
    *out = open(path, O_RDWR | O_CLOEXEC | flags, 0644);
    if (*out < 0) {
        return nav_fail(
            err, PROTO_STORE_UNAVAILABLE,
            "the database %.120s cannot be opened for writing: %s. Choose another file with "
            "--db",
            path, strerror(errno));
    }
    if (flock(*out, LOCK_EX | LOCK_NB) != 0 || !is_named(*out, path)) {
        (void)close(*out);
        *out = -1;
    }
    return NAV_OK;
}

static nav_status lock_file(const char *path, int flags, int *out, nav_error *err)
{
    // A daemon that was killed a moment ago may still be on its way out.
    const struct timespec pause = {.tv_nsec = 50000000};
    nav_status status = try_lock(path, flags, out, err);
    for (int tries = 1; status == NAV_OK && *out < 0 && tries < LOCK_TRIES; tries++) {
        (void)nanosleep(&pause, NULL);
        status = try_lock(path, flags, out, err);
    }
    return status != NAV_OK || *out >= 0
               ? status
               : nav_fail(err, PROTO_STORE_UNAVAILABLE,
                          "the database %.120s is locked: another navmeshd is using it. Stop that "
                          "one, or choose another file with --db",
                          path);
}

// One that is locked is as good as the daemon that uses it says, and may be reloaded with what is
// checked here: nothing reads inside.
nav_status store_check(const char *path, nav_error *err)
{
    bool absent;
    int lock_fd = -1;
    char followed[PATH_MAX];
    path = process_follow_links(path, followed);
    nav_status status = inspect_file(path, &absent, err);
    NAV_IF_OK(status, !absent ? try_lock(path, 0, &lock_fd, err) : NAV_OK);
    if (lock_fd >= 0) {
        status = inspect_rows(path, &STORE_SCHEMA, err);
        (void)close(lock_fd);
    }
    return status;
}

// ---- making and opening ----

// Under its own name the file appears only when it is whole, so that a crash in here leaves nothing
// that the next start would have to understand. *absent: false if another start made it meanwhile.
static nav_status make(store *s, const char *path, bool *absent, nav_error *err)
{
    char fresh[PATH_MAX + 16];
    (void)snprintf(fresh, sizeof fresh, "%s-new", path);
    nav_status status = lock_file(fresh, O_CREAT, &s->lock_fd, err);
    if (status != NAV_OK) {
        return status;
    }
    // A start that makes a database holds this lock until its file has the name: no other does now.
    status = check_file(path, absent, err);
    if (status != NAV_OK || !*absent) {
        (void)unlink(fresh);
        (void)close(s->lock_fd);
        s->lock_fd = -1;
        return status;
    }
    if (ftruncate(s->lock_fd, 0) != 0) {
        status = nav_fail(err, PROTO_STORE_UNAVAILABLE, "%s: %s", fresh, strerror(errno));
    }
    NAV_IF_OK(status, store_connection_open(fresh, SQLITE_OPEN_READWRITE, &s->writer.db, err));
    if (status == NAV_OK) {
        status = store_execute(s->writer.db, "PRAGMA page_size=16384; PRAGMA synchronous=FULL",
                               "making the database", err);
    }
    NAV_IF_OK(status, store_migrate(s->writer.db, s->schema, err));
    store_connection_close(&s->writer);
    if (status == NAV_OK && rename(fresh, path) != 0) {
        status =
            nav_fail(err, PROTO_STORE_UNAVAILABLE, "%s cannot be made: %s", path, strerror(errno));
    }
    if (status != NAV_OK) {
        (void)unlink(fresh);
        return status;
    }
    // Closing SQLite's descriptor has left flock alone; the lock now is on the file at path.
    return store_sync_directory_of(path, err);
}

static nav_status note_log(store *s, nav_error *err)
{
    struct stat log;
    if (asprintf(&s->log_path, "%s-wal", s->path) < 0) {
        s->log_path = NULL;
        return nav_fail(err, NAV_NO_MEMORY, "no memory to open the database");
    }
    if (stat(s->log_path, &log) == 0) {
        s->log_device = log.st_dev;
        s->log_inode = log.st_ino;
    }
    return NAV_OK;
}

static nav_status open_reader(store *s, nav_error *err)
{
    nav_status status = store_connection_open(s->path, SQLITE_OPEN_READWRITE, &s->reader.db, err);
    // The question opens the log by its name: later that may be another file's, or nobody's.
    return status == NAV_OK
               ? store_execute(s->reader.db, "PRAGMA query_only=ON; PRAGMA schema_version",
                               "setting up the database", err)
               : status;
}

static nav_status open_pair(store *s, nav_error *err)
{
    bool newest = false;
    nav_status status = store_writer_open(s, err);
    NAV_IF_OK(status, open_reader(s, err));
    NAV_IF_OK(status, store_identity_check(s->writer.db, s->schema, &newest, err));
    if (status != NAV_OK) {
        return name_file(s->path, status, err);
    }
    status = newest ? NAV_OK : store_migrate_old(s, err);
    if (status == NAV_OK) {
        store_writer_guard(s);
        status = note_log(s, err);
    }
    return status;
}

static store *make_store(const store_schema *schema)
{
    store *s = calloc(1, sizeof *s);
    if (s != NULL) {
        s->lock_fd = -1;
        s->schema = schema;
        atomic_init(&s->recordings_bytes_max, UINT64_MAX);
        (void)pthread_mutex_init(&s->writer.lock, NULL);
        (void)pthread_mutex_init(&s->reader.lock, NULL);
        (void)pthread_mutex_init(&s->trouble_lock, NULL);
        (void)pthread_mutex_init(&s->watch.lock, NULL);
        lock_init_monotonic(&s->watch.changed);
    }
    return s;
}

nav_status store_open_to_read(const char *path, store **out, nav_error *err)
{
    bool absent, newest = true;
    nav_status status = check_file(path, &absent, err);
    if (status == NAV_OK && absent) {
        return nav_fail(err, PROTO_STORE_UNAVAILABLE,
                        "there is no database %.120s: name the one that is meant with --db", path);
    }
    store *s = status == NAV_OK ? make_store(&STORE_SCHEMA) : NULL;
    if (s == NULL) {
        return status != NAV_OK ? status
                                : nav_fail(err, NAV_NO_MEMORY, "no memory to open the database");
    }
    status = store_connection_open(path, SQLITE_OPEN_READONLY, &s->reader.db, err);
    NAV_IF_OK(status, store_execute(s->reader.db, "BEGIN", "opening the database", err));
    NAV_IF_OK(status, store_identity_check(s->reader.db, s->schema, &newest, err));
    if (status == NAV_OK && !newest) {
        status = nav_fail(err, PROTO_STORE_UNAVAILABLE,
                          "an older navmeshd wrote it: start the daemon with it once");
    }
    NAV_IF_OK(status, store_schema_check(s->reader.db, s->schema, err));
    if (status != NAV_OK) {
        store_close(s);
        return name_file(path, status, err);
    }
    *out = s;
    return NAV_OK;
}

nav_status store_open_as(const char *path, const store_schema *schema, store **out, nav_error *err)
{
    char followed[PATH_MAX];
    path = process_follow_links(path, followed);
    // SQLite's temporary files lie beside the database: the sandbox lets nothing else be written,
    // and there is room where the database has room.
    static char directory[PATH_MAX];
    (void)snprintf(directory, sizeof directory, "%.*s.", process_folder_bytes(path), path);
    sqlite3_temp_directory = directory;
    store *s = make_store(schema);
    if (s == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory to open the database");
    }
    bool absent = false;
    nav_status status = inspect_file(path, &absent, err);
    NAV_IF_OK(status, absent ? make(s, path, &absent, err) : NAV_OK);
    if (status == NAV_OK && !absent) {
        status = lock_file(path, 0, &s->lock_fd, err);
        NAV_IF_OK(status, inspect_rows(path, schema, err));
    }
    if (status == NAV_OK && (s->path = realpath(path, NULL)) == NULL) {
        status = nav_fail(err, PROTO_STORE_UNAVAILABLE, "%.150s: %s", path, strerror(errno));
    }
    NAV_IF_OK(status, open_pair(s, err));
    if (status != NAV_OK) {
        store_close(s);
        return status;
    }
    NAV_ASSERT(s->lock_fd >= 0 && s->writer.db != NULL && s->reader.db != NULL);
    *out = s;
    return NAV_OK;
}

nav_status store_open(const char *path, store **out, nav_error *err)
{
    return store_open_as(path, &STORE_SCHEMA, out, err);
}

void store_close(store *s)
{
    if (s == NULL) {
        return;
    }
    store_watch_end(s);
    // The last connection to close moves the WAL into the file.
    store_connection_close(&s->reader);
    store_connection_close(&s->writer);
    if (s->lock_fd >= 0) {
        (void)close(s->lock_fd);
    }
    (void)pthread_mutex_destroy(&s->writer.lock);
    (void)pthread_mutex_destroy(&s->reader.lock);
    (void)pthread_mutex_destroy(&s->trouble_lock);
    (void)pthread_mutex_destroy(&s->watch.lock);
    (void)pthread_cond_destroy(&s->watch.changed);
    while (s->owed != NULL) {
        store_owed *next = s->owed->next;
        free(s->owed);
        s->owed = next;
    }
    free(s->path);
    free(s->log_path);
    free(s);
}
