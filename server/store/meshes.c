// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// meshes.c: which meshes there are, which of their versions are live, and which wait for a
// bake. Each function holds the reader's lock for one statement.

#include "server/store/db.h"

#include "server/base/lock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// ---- names, for the start ----

static int compare_names(const void *left, const void *right)
{
    const store_name *a = left, *b = right;
    const int order = strcmp(a->mesh, b->mesh);
    return order != 0 ? order : (a->version > b->version) - (a->version < b->version);
}

static nav_status list_names(store *disk, const char *sql, store_name **out, size_t *count,
                             nav_error *err)
{
    void *names = NULL;
    size_t used = 0;
    (void)pthread_mutex_lock(&disk->reader.lock);
    store_statement s = store_prepare_locked(&disk->reader, sql);
    while (store_step(&s)) {
        store_name *name = store_append(&s, &names, &used, sizeof(store_name));
        if (name != NULL) {
            (void)store_name_at(&s, 0, name->mesh);
            store_active_at(&s, 1, &name->version, &name->activation);
        }
    }
    nav_status status = store_finish(&s, "listing versions", err);
    (void)pthread_mutex_unlock(&disk->reader.lock);
    if (status != NAV_OK) {
        free(names);
        return status;
    }
    // Damaged names have another order in the database.
    if (used > 0) {
        qsort(names, used, sizeof(store_name), compare_names);
    }
    *out = names;
    *count = used;
    return NAV_OK;
}

nav_status store_queued_list(store *disk, store_name **out, size_t *count, nav_error *err)
{
    return list_names(disk,
                      "SELECT m.name, v.version, m.activation FROM versions v JOIN meshes m"
                      " ON m.id = v.mesh WHERE v.state = 'queued' ORDER BY m.name, v.version",
                      out, count, err);
}

nav_status store_active_list(store *disk, store_name **out, size_t *count, nav_error *err)
{
    return list_names(disk,
                      "SELECT name, active, activation FROM meshes WHERE active <> 0 ORDER BY name",
                      out, count, err);
}

nav_status store_first_names(store *disk, store_name **out, size_t *count, nav_error *err)
{
    return list_names(disk,
                      "SELECT name, active, activation FROM"
                      " (SELECT id, name, active, activation FROM meshes ORDER BY name LIMIT 10000)"
                      " m WHERE EXISTS (SELECT 1 FROM versions v WHERE v.mesh = m.id)"
                      " ORDER BY name LIMIT 1000",
                      out, count, err);
}

// ---- meshes ----

#define MESH_SELECT                                                                                \
    "SELECT m.name, m.active, m.activation, count(*) FROM meshes m JOIN versions v"                \
    " ON v.mesh = m.id "

static bool read_mesh(store_statement *s, store_mesh *out)
{
    store_active_at(s, 1, &out->active, &out->activation);
    out->versions = (uint32_t)sqlite3_column_int64(s->sql, 3);
    return store_name_at(s, 0, out->name);
}

nav_status store_mesh_get(store *disk, const char *name, store_mesh *out, nav_error *err)
{
    store_mesh row = {0};
    (void)pthread_mutex_lock(&disk->reader.lock);
    store_statement s =
        store_prepare_locked(&disk->reader, MESH_SELECT "WHERE m.name = ? GROUP BY m.id");
    store_bind_text(&s, 1, name);
    bool found = store_step(&s);
    if (found) {
        (void)read_mesh(&s, &row); // the name is the one that was asked for
    }
    nav_status status = store_finish(&s, "reading a mesh", err);
    (void)pthread_mutex_unlock(&disk->reader.lock);
    if (status == NAV_OK && !found) {
        return nav_fail(err, PROTO_MESH_NOT_FOUND, "there is no mesh '%s'", name);
    }
    if (status == NAV_OK) {
        *out = row;
    }
    return status;
}

nav_status store_mesh_list(store *disk, store_mesh **out, size_t *count, nav_error *err)
{
    void *meshes = NULL;
    size_t used = 0;
    (void)pthread_mutex_lock(&disk->reader.lock);
    store_statement s =
        store_prepare_locked(&disk->reader, MESH_SELECT "GROUP BY m.id ORDER BY m.name");
    while (store_step(&s)) {
        store_mesh *mesh = store_append(&s, &meshes, &used, sizeof(store_mesh));
        // One whose name is damaged can be asked for nothing; `verify` and the start report it.
        if (mesh != NULL && !read_mesh(&s, mesh)) {
            used--;
        }
    }
    nav_status status = store_finish(&s, "listing meshes", err);
    (void)pthread_mutex_unlock(&disk->reader.lock);
    if (status != NAV_OK) {
        free(meshes);
        return status;
    }
    *out = meshes;
    *count = used;
    return NAV_OK;
}

// ---- how much there is ----

static uint64_t file_bytes(const char *path, const char *suffix)
{
    char name[4096 + 8];
    struct stat info;
    (void)snprintf(name, sizeof name, "%s%s", path, suffix);
    return stat(name, &info) == 0 ? (uint64_t)info.st_size : 0;
}

static void usage_files(const char *path, store_usage *out)
{
    out->file_bytes = file_bytes(path, "");
    out->wal_bytes = file_bytes(path, "-wal");
}

static nav_status count_versions_locked(store *disk, store_usage *out, nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->reader.lock));
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
    NAV_ASSERT(lock_is_held(&disk->reader.lock));
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
    NAV_IF_OK(status, count_meshes_locked(disk, &usage, err));
    const char *path = sqlite3_db_filename(disk->reader.db, "main");
    if (status == NAV_OK && path != NULL) {
        usage_files(path, &usage);
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
