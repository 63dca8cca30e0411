// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// meshes.c: which meshes there are, which of their versions are live, and which wait for a
// bake. Each function holds the reader's lock for one statement.

#include "server/store/db.h"

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
    store_statement s = store_read(disk, sql, STORE_NO_VALUES);
    while (store_step(&s)) {
        store_name *name = store_append(&s, &names, &used, sizeof(store_name));
        if (name != NULL) {
            (void)store_name_at(&s, 0, name->mesh);
            store_active_at(&s, 1, &name->version, &name->activation);
        }
    }
    nav_status status = store_finish(&s, "listing versions", err);
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
    store_statement s = store_read(disk, MESH_SELECT "WHERE m.name = ? GROUP BY m.id",
                                   STORE_VALUES(STORE_TEXT(name)));
    bool found = store_step(&s);
    if (found) {
        (void)read_mesh(&s, &row); // the name is the one that was asked for
    }
    nav_status status = store_finish(&s, "reading a mesh", err);
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
    store_statement s =
        store_read(disk, MESH_SELECT "GROUP BY m.id ORDER BY m.name", STORE_NO_VALUES);
    while (store_step(&s)) {
        store_mesh *mesh = store_append(&s, &meshes, &used, sizeof(store_mesh));
        // One whose name is damaged can be asked for nothing; `verify` and the start report it.
        if (mesh != NULL && !read_mesh(&s, mesh)) {
            used--;
        }
    }
    nav_status status = store_finish(&s, "listing meshes", err);
    if (status != NAV_OK) {
        free(meshes);
        return status;
    }
    *out = meshes;
    *count = used;
    return NAV_OK;
}

// ---- how much there is ----

static uint64_t file_bytes(const char *path)
{
    struct stat info;
    return path != NULL && stat(path, &info) == 0 ? (uint64_t)info.st_size : 0;
}

nav_status store_usage_get(store *disk, store_usage *out, nav_error *err)
{
    store_usage usage = {.file_bytes = file_bytes(disk->path),
                         .wal_bytes = file_bytes(disk->log_path)};
    store_statement s =
        store_read(disk, "SELECT state, count(*) FROM versions GROUP BY state", STORE_NO_VALUES);
    while (store_step(&s)) {
        const store_state state = store_state_at(&s, 0);
        if (state < STORE_STATE_COUNT) {
            usage.versions[state] = (uint64_t)sqlite3_column_int64(s.sql, 1);
        }
    }
    nav_status status = store_finish(&s, "counting versions", err);
    if (status != NAV_OK) {
        return status;
    }
    s = store_read(disk,
                   "SELECT count(*) FROM meshes WHERE EXISTS"
                   " (SELECT 1 FROM versions WHERE mesh = meshes.id)",
                   STORE_NO_VALUES);
    if (store_step(&s)) {
        usage.meshes = (uint64_t)sqlite3_column_int64(s.sql, 0);
    }
    status = store_finish(&s, "counting meshes", err);
    if (status == NAV_OK) {
        *out = usage;
    }
    return status;
}

const char *store_library_version(void)
{
    return sqlite3_libversion();
}
