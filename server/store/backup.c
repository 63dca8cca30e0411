// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// backup.c: a database copied while a daemon may be using it: what `navmeshd backup` does, and a
// start before it migrates.

#include "server/store/db.h"

#include "server/base/process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

// Copies what the reader's connection has into an empty database, in one step, hence of one moment.
static nav_status copy_pages(store *disk, sqlite3 *to, nav_error *err)
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
        code == SQLITE_OK ? copy_pages(disk, to, err) : store_fail(to, code, "copying", err);
    (void)sqlite3_close(to);
    return status;
}

// ---- the file that becomes the copy ----

// Locked while it is being written, so that what a killed backup has left is known by its lock.
#define FRESH_NAME ".navmeshd-backup-"

static void remove_leftovers(const char *path)
{
    char name[PATH_MAX + 256];
    (void)snprintf(name, sizeof name, "%.*s.", process_folder_bytes(path), path);
    DIR *folder = opendir(name);
    const struct dirent *entry;
    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        if (strncmp(entry->d_name, FRESH_NAME, sizeof FRESH_NAME - 1) != 0) {
            continue;
        }
        (void)snprintf(name, sizeof name, "%.*s%s", process_folder_bytes(path), path,
                       entry->d_name);
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
static int open_fresh(const char *path, char name[PATH_MAX + 32])
{
    for (;;) {
        (void)snprintf(name, PATH_MAX + 32, "%.*s%sXXXXXX", process_folder_bytes(path), path,
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

nav_status store_sync_directory_of(const char *path, nav_error *err)
{
    char directory[PATH_MAX + 2];
    (void)snprintf(directory, sizeof directory, "%.*s.", process_folder_bytes(path), path);
    int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int code = fd >= 0 && fsync(fd) == 0 ? 0 : errno;
    if (fd >= 0) {
        (void)close(fd);
    }
    // A folder without the right to read it, or a file system that does not sync folders.
    const bool cannot = (fd < 0 && code == EACCES) || code == EINVAL;
    return code == 0 || cannot
               ? NAV_OK
               : nav_fail(err, PROTO_STORE_UNAVAILABLE, "the folder of %.120s cannot be synced: %s",
                          path, strerror(code));
}

// link, unlike rename, fails where somebody else has made the file meanwhile.
static nav_status copy_to(store *disk, const char *path, bool replaces, nav_error *err)
{
    char fresh[PATH_MAX + 32];
    if (strlen(path) >= PATH_MAX) {
        return nav_fail(err, NAV_INVALID_FIELD, "the name of the copy is too long");
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
    if (status == NAV_OK && (replaces ? rename(fresh, path) : link(fresh, path)) != 0) {
        status = nav_fail(err, PROTO_STORE_UNAVAILABLE, "%.150s cannot be made: %s", path,
                          strerror(errno));
    }
    (void)unlink(fresh);
    (void)close(fd);
    return status == NAV_OK ? store_sync_directory_of(path, err) : status;
}

nav_status store_backup(store *disk, const char *path, nav_error *err)
{
    struct stat there;
    if (lstat(path, &there) == 0) { // a link that leads nowhere takes the name, too
        return nav_fail(err, NAV_INVALID_FIELD, "%.150s is there already; choose another name",
                        path);
    }
    return copy_to(disk, path, false, err);
}

nav_status store_copy_aside(store *disk, const char *path, nav_error *err)
{
    return copy_to(disk, path, true, err);
}
