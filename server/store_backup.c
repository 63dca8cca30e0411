// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// store_backup.c: a database copied while a daemon may be using it: what `navmeshd backup` does.

#include "server/store_db.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
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
    int code = sqlite3_open_v2(
        fresh, &to, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL);
    nav_status status =
        code == SQLITE_OK ? store_copy_pages(disk, to, err) : store_fail(to, code, "copying", err);
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
    nav_status status = copy_to_file(disk, fresh, err);
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
