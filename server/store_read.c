// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// store_read.c: what the store can be asked. Each function holds the reader's lock for one or two
// statements.

#include "server/store_db.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const STATE_WORDS[] = {
    [STORE_QUEUED] = "queued",
    [STORE_READY] = "ready",
    [STORE_FAILED] = "failed",
    [STORE_CANCELLED] = "cancelled",
};

const char *store_state_word(store_state state)
{
    return STATE_WORDS[state];
}

static store_state state_of(const char *word)
{
    for (store_state state = STORE_QUEUED; state < STORE_CANCELLED; state++) {
        if (strcmp(word, STATE_WORDS[state]) == 0) {
            return state;
        }
    }
    return STORE_CANCELLED;
}

static nav_status status_of_word(const char *word)
{
    for (int status = NAV_OK; status < NAV_STATUS_COUNT; status++) {
        if (strcmp(word, nav_status_word((nav_status)status)) == 0) {
            return (nav_status)status;
        }
    }
    return NAV_INTERNAL;
}

// A column's text, "" for null.
static const char *text_at(store_statement *s, int column)
{
    const char *text = (const char *)sqlite3_column_text(s->sql, column);
    return text != NULL ? text : "";
}

static void copy_text_at(store_statement *s, int column, char *out, size_t out_bytes)
{
    (void)snprintf(out, out_bytes, "%s", text_at(s, column));
}

// A malloc'ed copy of a column's text, NULL for null.
static char *duplicate_at(store_statement *s, int column)
{
    if (sqlite3_column_type(s->sql, column) == SQLITE_NULL) {
        return NULL;
    }
    char *copy = strdup(text_at(s, column));
    if (copy == NULL) {
        s->code = SQLITE_NOMEM;
    }
    return copy;
}

// ---- versions ----

#define VERSION_COLUMNS                                                                            \
    "m.name, v.version, v.state, m.active = v.version, v.activate, v.created_at, v.tiles_total,"   \
    " v.geometry_hash, v.geometry_json, v.config_json, v.blob_json, v.stats_json,"                 \
    " v.timings_json, v.warnings_json, v.error_code, v.error_detail, v.error_at, v.error_got,"     \
    " v.error_limit, v.tiles_reused, v.reuse FROM versions v JOIN meshes m ON m.id = v.mesh "

static void read_version(store_statement *s, store_version *out)
{
    copy_text_at(s, 0, out->mesh, sizeof out->mesh);
    out->version = (uint32_t)sqlite3_column_int64(s->sql, 1);
    out->state = state_of(text_at(s, 2));
    out->active = sqlite3_column_int(s->sql, 3) != 0;
    out->activate = sqlite3_column_int(s->sql, 4) != 0;
    copy_text_at(s, 5, out->created_at, sizeof out->created_at);
    out->tiles_total = (uint32_t)sqlite3_column_int64(s->sql, 6);
    store_column_hash(s, 7, out->geometry_hash);
    out->geometry_json = duplicate_at(s, 8);
    out->config_json = duplicate_at(s, 9);
    out->blob_json = duplicate_at(s, 10);
    out->stats_json = duplicate_at(s, 11);
    out->timings_json = duplicate_at(s, 12);
    out->warnings_json = duplicate_at(s, 13);
    out->tiles_reused = (uint32_t)sqlite3_column_int64(s->sql, 19);
    out->reuse = sqlite3_column_int(s->sql, 20) != 0;
    if (sqlite3_column_type(s->sql, 14) != SQLITE_NULL) {
        out->error.status = status_of_word(text_at(s, 14));
        copy_text_at(s, 15, out->error.detail, sizeof out->error.detail);
        copy_text_at(s, 16, out->error.at, sizeof out->error.at);
        copy_text_at(s, 17, out->error.got, sizeof out->error.got);
        copy_text_at(s, 18, out->error.limit, sizeof out->error.limit);
    }
}

void store_version_free(store_version *v)
{
    free(v->geometry_json);
    free(v->config_json);
    free(v->blob_json);
    free(v->stats_json);
    free(v->timings_json);
    free(v->warnings_json);
    memset(v, 0, sizeof *v);
}

void store_versions_free(store_version *versions, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        store_version_free(&versions[i]);
    }
    free(versions);
}

nav_status store_version_list(store *disk, const char *mesh, store_version **out, size_t *count,
                              nav_error *err)
{
    void *versions = NULL;
    size_t used = 0;
    (void)pthread_mutex_lock(&disk->reader.lock);
    store_statement s = store_prepare_locked(&disk->reader, "SELECT " VERSION_COLUMNS
                                                            "WHERE m.name = ? ORDER BY v.version");
    store_bind_text(&s, 1, mesh);
    while (store_step(&s)) {
        store_version *row = store_append(&s, &versions, &used, sizeof(store_version));
        if (row != NULL) {
            read_version(&s, row);
        }
    }
    nav_status status = store_finish(&s, "listing versions", err);
    (void)pthread_mutex_unlock(&disk->reader.lock);
    if (status == NAV_OK && used == 0) {
        status = nav_fail(err, NAV_MESH_NOT_FOUND, "there is no mesh '%s'", mesh);
    }
    if (status != NAV_OK) {
        store_versions_free(versions, used);
        return status;
    }
    *out = versions;
    *count = used;
    return NAV_OK;
}

nav_status store_version_get(store *disk, const char *mesh, uint32_t version, store_version *out,
                             nav_error *err)
{
    store_version row = {0};
    (void)pthread_mutex_lock(&disk->reader.lock);
    store_statement s = store_prepare_locked(&disk->reader, "SELECT " VERSION_COLUMNS
                                                            "WHERE m.name = ? AND v.version = ?");
    store_bind_text(&s, 1, mesh);
    store_bind_int(&s, 2, version);
    bool found = store_step(&s);
    if (found) {
        read_version(&s, &row);
    }
    nav_status status = store_finish(&s, "reading a version", err);
    (void)pthread_mutex_unlock(&disk->reader.lock);
    if (status == NAV_OK && !found) {
        store_mesh ignored;
        status = store_mesh_get(disk, mesh, &ignored, err);
        if (status == NAV_OK) {
            status =
                nav_fail(err, NAV_VERSION_NOT_FOUND, "mesh '%s' has no version %u", mesh, version);
        }
    }
    if (status != NAV_OK) {
        store_version_free(&row);
        return status;
    }
    *out = row;
    return NAV_OK;
}

nav_status store_version_find(store *disk, const char *mesh, const uint8_t content_key[32],
                              uint32_t *version, nav_error *err)
{
    uint32_t found = 0;
    (void)pthread_mutex_lock(&disk->reader.lock);
    store_statement s = store_prepare_locked(
        &disk->reader, "SELECT v.version FROM versions v JOIN meshes m ON m.id = v.mesh"
                       " WHERE m.name = ? AND v.content_key = ? AND v.state IN ('queued','ready')"
                       " ORDER BY v.version DESC LIMIT 1");
    store_bind_text(&s, 1, mesh);
    store_bind_blob(&s, 2, content_key, 32);
    if (store_step(&s)) {
        found = (uint32_t)sqlite3_column_int64(s.sql, 0);
    }
    nav_status status = store_finish(&s, "looking for an equal version", err);
    (void)pthread_mutex_unlock(&disk->reader.lock);
    if (status == NAV_OK) {
        *version = found;
    }
    return status;
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
            copy_text_at(&s, 0, name->mesh, sizeof name->mesh);
            name->version = (uint32_t)sqlite3_column_int64(s.sql, 1);
            name->activation = (uint64_t)sqlite3_column_int64(s.sql, 2);
        }
    }
    nav_status status = store_finish(&s, "listing versions", err);
    (void)pthread_mutex_unlock(&disk->reader.lock);
    if (status != NAV_OK) {
        free(names);
        return status;
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
                      "SELECT name, active, activation FROM meshes WHERE active > 0 ORDER BY name",
                      out, count, err);
}

// ---- meshes ----

#define MESH_SELECT                                                                                \
    "SELECT m.name, m.active, count(*), m.activation FROM meshes m JOIN versions v"                \
    " ON v.mesh = m.id "

static void read_mesh(store_statement *s, store_mesh *out)
{
    copy_text_at(s, 0, out->name, sizeof out->name);
    out->active = (uint32_t)sqlite3_column_int64(s->sql, 1);
    out->versions = (uint32_t)sqlite3_column_int64(s->sql, 2);
    out->activation = (uint64_t)sqlite3_column_int64(s->sql, 3);
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
        read_mesh(&s, &row);
    }
    nav_status status = store_finish(&s, "reading a mesh", err);
    (void)pthread_mutex_unlock(&disk->reader.lock);
    if (status == NAV_OK && !found) {
        return nav_fail(err, NAV_MESH_NOT_FOUND, "there is no mesh '%s'", name);
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
        if (mesh != NULL) {
            read_mesh(&s, mesh);
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

// ---- blocks ----

nav_status store_geometry_load(store *disk, const char *mesh, uint32_t version, void **out,
                               size_t *packed_bytes, uint64_t *unpacked_bytes, uint8_t hash[32],
                               nav_error *err)
{
    void *packed = NULL;
    size_t size_bytes = 0;
    uint64_t full_bytes = 0;
    (void)pthread_mutex_lock(&disk->reader.lock);
    store_statement s =
        store_prepare_locked(&disk->reader, "SELECT g.bytes, g.zstd, g.hash FROM versions v"
                                            " JOIN meshes m ON m.id = v.mesh"
                                            " JOIN geometries g ON g.hash = v.geometry_hash"
                                            " WHERE m.name = ? AND v.version = ?");
    store_bind_text(&s, 1, mesh);
    store_bind_int(&s, 2, version);
    bool found = store_step(&s);
    if (found) {
        full_bytes = (uint64_t)sqlite3_column_int64(s.sql, 0);
        packed = store_column_blob(&s, 1, &size_bytes);
        store_column_hash(&s, 2, hash);
    }
    nav_status status = store_finish(&s, "reading a geometry", err);
    (void)pthread_mutex_unlock(&disk->reader.lock);
    if (status != NAV_OK) {
        free(packed);
        return status;
    }
    if (!found) {
        store_version row;
        status = store_version_get(disk, mesh, version, &row, err);
        if (status == NAV_OK) {
            store_version_free(&row);
            status = nav_fail(err, NAV_VERSION_NOT_FOUND, "the version is just being removed");
        }
        return status;
    }
    *out = packed;
    *packed_bytes = size_bytes;
    *unpacked_bytes = full_bytes;
    return NAV_OK;
}
