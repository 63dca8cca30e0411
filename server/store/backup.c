// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// backup.c: a database copied while a daemon may be using it: what `navmeshd backup` does.

#include "server/store/db.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define PATH_BYTES_MAX 4096

nav_status store_copy_pages(store *disk, sqlite3 *to, nav_error *err)
{
    sqlite3_backup *backup = sqlite3_backup_init(to, "main", disk->reader.db, "main");
    int code = SQLITE_ERROR;
    if (backup != NULL) {
        (void)sqlite3_backup_step(backup, -1);
        code = sqlite3_backup_finish(backup);
    }
    return code == SQLITE_OK ? NAV_OK : store_fail(to, code, "copying", err);
}

static nav_status copy_to_file(store *disk, const char *fresh, nav_error *err)
{
    sqlite3 *to = NULL;
    int code = sqlite3_open_v2(fresh, &to, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
    if (code == SQLITE_OK) {
        // Half a copy is not gone back to, and its journal would be left where it is killed.
        code = sqlite3_exec(to, "PRAGMA journal_mode = OFF", NULL, NULL, NULL);
    }
    nav_status status =
        code == SQLITE_OK ? store_copy_pages(disk, to, err) : store_fail(to, code, "copying", err);
    (void)sqlite3_close(to);
    return status;
}

// ---- the file that becomes the copy ----

// Locked while it is being written, so that what a killed backup has left is known by its lock.
#define FRESH_NAME ".navmeshd-backup-"

// The length of a path's folder, slash included; 0 without one.
static int folder_bytes(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? (int)(slash + 1 - path) : 0;
}

static void remove_leftovers(const char *path)
{
    char name[PATH_BYTES_MAX + 256];
    (void)snprintf(name, sizeof name, "%.*s.", folder_bytes(path), path);
    DIR *folder = opendir(name);
    const struct dirent *entry;
    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        if (strncmp(entry->d_name, FRESH_NAME, sizeof FRESH_NAME - 1) != 0) {
            continue;
        }
        (void)snprintf(name, sizeof name, "%.*s%s", folder_bytes(path), path, entry->d_name);
        int fd = open(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0) {
            (void)unlink(name);
        }
        if (fd >= 0) {
            (void)close(fd);
        }
    }
    if (folder != NULL) {
        (void)closedir(folder);
    }
}

// Beside the copy, with a name that nobody has; -1: it cannot be made.
static int open_fresh(const char *path, char name[PATH_BYTES_MAX + 32])
{
    for (;;) {
        (void)snprintf(name, PATH_BYTES_MAX + 32, "%.*s%sXXXXXX", folder_bytes(path), path,
                       FRESH_NAME);
        int fd = mkostemp(name, O_CLOEXEC);
        if (fd < 0) {
            return -1;
        }
        struct stat info = {0};
        const bool locked = flock(fd, LOCK_EX) == 0 && fstat(fd, &info) == 0;
        if (locked && info.st_nlink > 0) {
            return fd;
        }
        const int code = errno;
        if (!locked) {
            (void)unlink(name);
        }
        (void)close(fd);
        if (!locked) { // as on a file system without locks
            errno = code;
            return -1;
        }
        // Before it was locked another backup took it for a leftover: again.
    }
}

nav_status store_backup(store *disk, const char *path, nav_error *err)
{
    char fresh[PATH_BYTES_MAX + 32];
    if (strlen(path) >= PATH_BYTES_MAX) {
        return nav_fail(err, NAV_INVALID_FIELD, "the name of the copy is too long");
    }
    struct stat there;
    if (lstat(path, &there) == 0) { // a link that leads nowhere takes the name, too
        return nav_fail(err, NAV_INVALID_FIELD, "%.150s is there already; choose another name",
                        path);
    }
    remove_leftovers(path);
    int fd = open_fresh(path, fresh);
    if (fd < 0) {
        return nav_fail(err, PROTO_STORE_UNAVAILABLE, "%.150s cannot be made: %s", path,
                        strerror(errno));
    }
    (void)pthread_mutex_lock(&disk->reader.lock);
    nav_status status = copy_to_file(disk, fresh, err);
    (void)pthread_mutex_unlock(&disk->reader.lock);
    if (status != NAV_OK) {
        const nav_error why = err != NULL ? *err : (nav_error){0};
        status = nav_fail(err, status, "%.80s cannot be made: %.150s", path, why.detail);
    }
    if (status == NAV_OK && fsync(fd) != 0) {
        status = nav_fail(err, PROTO_STORE_UNAVAILABLE, "%.100s: %s", path, strerror(errno));
    }
    // link, unlike rename, fails where somebody else has made the file meanwhile.
    if (status == NAV_OK && link(fresh, path) != 0) {
        status = nav_fail(err, PROTO_STORE_UNAVAILABLE, "%.150s cannot be made: %s", path,
                          strerror(errno));
    }
    (void)unlink(fresh);
    (void)close(fd);
    return status == NAV_OK ? store_sync_directory_of(path, err) : status;
}

// ---- before a migration ----

#define COPIES_MAX 9 // of files that were brought back

#define HEADER_BYTES 100u

// SQLite's header says besides who wrote the file last, how, and how many times.
static void hide_writer(uint8_t header[HEADER_BYTES])
{
    memset(header + 18, 0, 2); // log or journal
    memset(header + 24, 0, 4); // changes
    memset(header + 40, 0, 4); // changes of the schema
    memset(header + 92, 0, 8); // changes once more, and SQLite's version
}

static bool have_same_bytes(int a, int b, off_t size_bytes)
{
    static const size_t part_bytes = (size_t)1 << 20;
    uint8_t *parts = malloc(2 * part_bytes);
    bool same = parts != NULL && size_bytes >= (off_t)HEADER_BYTES;
    for (off_t at = 0; same && at < size_bytes; at += (off_t)part_bytes) {
        const ssize_t got = pread(a, parts, part_bytes, at);
        same = got > 0 && pread(b, parts + part_bytes, part_bytes, at) == got &&
               (got == (ssize_t)part_bytes || at + got == size_bytes);
        if (same && at == 0) {
            hide_writer(parts);
            hide_writer(parts + part_bytes);
        }
        same = same && memcmp(parts, parts + part_bytes, (size_t)got) == 0;
    }
    free(parts);
    return same;
}

// Whether a file is a copy of the database, whose log is empty. The database is read by the lock's
// descriptor: closing another one would drop SQLite's locks.
static bool is_copy(const store *disk, const char *path)
{
    struct stat own = {0}, there = {0};
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) {
        return false;
    }
    const bool same = fstat(disk->lock_fd, &own) == 0 && fstat(fd, &there) == 0 &&
                      S_ISREG(there.st_mode) && own.st_size == there.st_size &&
                      have_same_bytes(disk->lock_fd, fd, own.st_size);
    (void)close(fd);
    return same;
}

// Numbers begin at 1. NULL without memory.
static char *name_copy(const store *disk, int number)
{
    char *name = NULL;
    const int length =
        number == 1 ? asprintf(&name, "%s-before-%lld", disk->path, (long long)STORE_SCHEMA_VERSION)
                    : asprintf(&name, "%s-before-%lld-%d", disk->path,
                               (long long)STORE_SCHEMA_VERSION, number);
    return length < 0 ? NULL : name;
}

// *copy: the name of one that a start has left which was killed in its migration; NULL: none.
static nav_status find_copy(store *disk, char **copy, nav_error *err)
{
    *copy = NULL;
    // The log may have more than the file, or what the killed migration had got to.
    if (sqlite3_wal_checkpoint_v2(disk->writer.db, "main", SQLITE_CHECKPOINT_TRUNCATE, NULL,
                                  NULL) != SQLITE_OK) {
        return NAV_OK;
    }
    for (int number = 1; number <= COPIES_MAX; number++) {
        char *name = name_copy(disk, number);
        if (name == NULL) {
            return nav_fail(err, NAV_NO_MEMORY, "no memory to copy the database");
        }
        if (is_copy(disk, name)) {
            *copy = name;
            return NAV_OK;
        }
        free(name);
    }
    return NAV_OK;
}

static nav_status check_room(const store *disk, bool copied, nav_error *err)
{
    struct statvfs room;
    store_usage usage = {0};
    store_usage_files(disk->path, &usage);
    // The log of the migration, what it adds to the file, a copy, and indices: 3.5 times was seen.
    const uint64_t wanted_bytes = (copied ? 3 : 4) * (usage.file_bytes + usage.wal_bytes);
    if (statvfs(disk->path, &room) != 0 ||
        (uint64_t)room.f_bavail * room.f_frsize >= wanted_bytes) {
        return NAV_OK;
    }
    return nav_fail(err, PROTO_STORAGE_FULL,
                    "bringing %.100s to schema %lld takes %llu MiB beside it for a copy and the "
                    "work, and there are %llu: make room",
                    disk->path, (long long)STORE_SCHEMA_VERSION,
                    (unsigned long long)(wanted_bytes >> 20) + 1,
                    (unsigned long long)(((uint64_t)room.f_bavail * room.f_frsize) >> 20));
}

nav_status store_copy_before(store *disk, char **copy, nav_error *err)
{
    remove_leftovers(disk->path);
    nav_status status = find_copy(disk, copy, err);
    NAV_IF_OK(status, check_room(disk, *copy != NULL, err));
    if (status == NAV_OK && *copy != NULL) {
        status = store_sync_directory_of(*copy, err);
    }
    if (*copy != NULL) {
        return status;
    }
    for (int number = 1; status == NAV_OK && number <= COPIES_MAX; number++) {
        *copy = name_copy(disk, number);
        if (*copy == NULL) {
            return nav_fail(err, NAV_NO_MEMORY, "no memory to copy the database");
        }
        status = store_backup(disk, *copy, err);
        if (status == NAV_OK) {
            return NAV_OK;
        }
        free(*copy);
        *copy = NULL;
        status = status == NAV_INVALID_FIELD ? NAV_OK : status; // somebody else's name
    }
    return status != NAV_OK
               ? status
               : nav_fail(err, PROTO_STORE_UNAVAILABLE,
                          "%.100s-before-%lld and %d more copies are there: remove those that are "
                          "not wanted",
                          disk->path, (long long)STORE_SCHEMA_VERSION, COPIES_MAX - 1);
}
