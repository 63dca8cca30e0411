// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// usage.c: how much is stored, for the metrics and the status.

#include "server/store/db.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static uint64_t file_bytes(const char *path, const char *suffix)
{
    char name[4096 + 8];
    struct stat info;
    (void)snprintf(name, sizeof name, "%s%s", path, suffix);
    return stat(name, &info) == 0 ? (uint64_t)info.st_size : 0;
}

void store_usage_files(const char *path, store_usage *out)
{
    out->file_bytes = file_bytes(path, "");
    out->wal_bytes = file_bytes(path, "-wal");
}

static nav_status count_versions_locked(store *disk, store_usage *out, nav_error *err)
{
    store_statement s =
        store_prepare_locked(&disk->reader, "SELECT state, count(*) FROM versions GROUP BY state");
    while (store_step(&s)) {
        const char *word;
        (void)store_text_at(&s, 0, STORE_TEXT_WORDS, &word);
        for (int state = 0; state < STORE_STATE_COUNT; state++) {
            if (strcmp(word, store_state_word((store_state)state)) == 0) {
                out->versions[state] = (uint64_t)sqlite3_column_int64(s.sql, 1);
            }
        }
    }
    return store_finish(&s, "counting versions", err);
}

static nav_status count_meshes_locked(store *disk, store_usage *out, nav_error *err)
{
    store_statement s =
        store_prepare_locked(&disk->reader, "SELECT count(*) FROM meshes WHERE EXISTS "
                                            "(SELECT 1 FROM versions WHERE mesh = meshes.id)");
    if (store_step(&s)) {
        out->meshes = (uint64_t)sqlite3_column_int64(s.sql, 0);
    }
    return store_finish(&s, "counting meshes", err);
}

nav_status store_usage_get(store *disk, store_usage *out, nav_error *err)
{
    store_usage usage = {0};
    (void)pthread_mutex_lock(&disk->reader.lock);
    nav_status status = count_versions_locked(disk, &usage, err);
    if (status == NAV_OK) {
        status = count_meshes_locked(disk, &usage, err);
    }
    const char *path = sqlite3_db_filename(disk->reader.db, "main");
    if (status == NAV_OK && path != NULL) {
        store_usage_files(path, &usage);
    }
    (void)pthread_mutex_unlock(&disk->reader.lock);
    if (status == NAV_OK) {
        *out = usage;
    }
    return status;
}

const char *store_library_version(void)
{
    return sqlite3_libversion();
}
