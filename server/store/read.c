// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// read.c: what the store can be asked of versions. Each function holds the reader's lock for
// one or two statements.

#include "server/store/db.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- versions ----

#define VERSION_COLUMNS                                                                            \
    "m.name, v.version, v.state, m.active = v.version, v.activate, v.created_at, v.tiles_total,"   \
    " v.geometry_hash, v.geometry_json, v.config_json, v.blob_json, v.stats_json,"                 \
    " v.timings_json, v.warnings_json, v.error_code, v.error_detail, v.error_at, v.error_got,"     \
    " v.error_limit, v.tiles_reused, v.reuse, v.force, v.checks_json, v.content_key,"              \
    " v.agents_json"                                                                               \
    " FROM versions v JOIN meshes m ON m.id = v.mesh "

static char *take_json(store_statement *s, int column, store_text kind, store_version *out)
{
    bool whole;
    char *text = store_column_text(s, column, kind, &whole);
    out->damaged |= !whole;
    return text;
}

static void take_words(store_statement *s, int column, store_version *out, char *words,
                       size_t words_bytes)
{
    const char *text;
    out->damaged |= !store_text_at(s, column, STORE_TEXT_WORDS, &text);
    (void)snprintf(words, words_bytes, "%s", text);
}

static void read_error(store_statement *s, store_version *out)
{
    const char *word;
    out->damaged |= !store_text_at(s, 14, STORE_TEXT_WORDS, &word);
    out->error.status = proto_status_of_word(word);
    take_words(s, 15, out, out->error.detail, sizeof out->error.detail);
    take_words(s, 16, out, out->error.at, sizeof out->error.at);
    take_words(s, 17, out, out->error.got, sizeof out->error.got);
    take_words(s, 18, out, out->error.limit, sizeof out->error.limit);
}

static void read_version(store_statement *s, store_version *out)
{
    out->damaged = !store_name_at(s, 0, out->mesh);
    out->version = store_version_at(s, 1);
    out->state = store_state_at(s, 2);
    out->damaged |= out->version == 0 || out->state == STORE_STATE_COUNT;
    // One without a state is of no use to anybody.
    out->state = out->state == STORE_STATE_COUNT ? STORE_FAILED : out->state;
    out->active = sqlite3_column_int(s->sql, 3) != 0;
    out->activate = sqlite3_column_int(s->sql, 4) != 0;
    take_words(s, 5, out, out->created_at, sizeof out->created_at);
    out->tiles_total = (uint32_t)sqlite3_column_int64(s->sql, 6);
    store_column_hash(s, 7, out->geometry_hash);
    out->geometry_json = take_json(s, 8, STORE_TEXT_OBJECT, out);
    out->config_json = take_json(s, 9, STORE_TEXT_OBJECT, out);
    out->blob_json = take_json(s, 10, STORE_TEXT_OBJECT, out);
    out->stats_json = take_json(s, 11, STORE_TEXT_OBJECT, out);
    out->timings_json = take_json(s, 12, STORE_TEXT_OBJECT, out);
    out->warnings_json = take_json(s, 13, STORE_TEXT_LIST, out);
    out->tiles_reused = (uint32_t)sqlite3_column_int64(s->sql, 19);
    out->reuse = sqlite3_column_int(s->sql, 20) != 0;
    if (out->state == STORE_FAILED || sqlite3_column_type(s->sql, 14) != SQLITE_NULL) {
        read_error(s, out); // one that has failed has one, if it were of the damage alone
    }
    out->gate = store_gate_at(s, 21);
    out->checks_json = take_json(s, 22, STORE_TEXT_LIST, out);
    store_column_hash(s, 23, out->content_key);
    out->agents_json = take_json(s, 24, STORE_TEXT_OBJECT, out);
}

void store_version_free(store_version *v)
{
    free(v->geometry_json);
    free(v->config_json);
    free(v->blob_json);
    free(v->stats_json);
    free(v->timings_json);
    free(v->warnings_json);
    free(v->checks_json);
    free(v->agents_json);
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
    store_statement s =
        store_read(disk, "SELECT " VERSION_COLUMNS "WHERE m.name = ? ORDER BY v.version",
                   STORE_VALUES(STORE_TEXT(mesh)));
    while (store_step(&s)) {
        store_version *row = store_append(&s, &versions, &used, sizeof(store_version));
        if (row != NULL) {
            read_version(&s, row);
        }
    }
    nav_status status = store_finish(&s, "listing versions", err);
    if (status == NAV_OK && used == 0) {
        status = nav_fail(err, PROTO_MESH_NOT_FOUND, "there is no mesh '%s'", mesh);
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
    store_statement s =
        store_read(disk, "SELECT " VERSION_COLUMNS "WHERE m.name = ? AND v.version = ?",
                   STORE_VALUES(STORE_TEXT(mesh), STORE_INT(version)));
    bool found = store_step(&s);
    if (found) {
        read_version(&s, &row);
        row.damaged |= row.version != version; // to which an index has led
        row.version = version;
    }
    nav_status status = store_finish(&s, "reading a version", err);
    if (status == NAV_OK && !found) {
        store_mesh ignored;
        status = store_mesh_get(disk, mesh, &ignored, err);
        NAV_IF_OK(status, nav_fail(err, PROTO_VERSION_NOT_FOUND, "mesh '%s' has no version %u",
                                   mesh, version));
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
    store_statement s =
        store_read(disk,
                   "SELECT v.version FROM versions v JOIN meshes m ON m.id = v.mesh"
                   " WHERE m.name = ? AND v.content_key = ? AND v.state IN ('queued','ready')"
                   " ORDER BY v.version DESC LIMIT 1",
                   STORE_VALUES(STORE_TEXT(mesh), STORE_BLOB(content_key, 32)));
    if (store_step(&s)) {
        found = store_version_at(&s, 0);
    }
    nav_status status = store_finish(&s, "looking for an equal version", err);
    if (status == NAV_OK) {
        *version = found;
    }
    return status;
}

// ---- blocks ----

nav_status store_geometry_load(store *disk, const char *mesh, uint32_t version, store_geometry *out,
                               nav_error *err)
{
    store_geometry found = {0};
    store_statement s = store_read(disk,
                                   "SELECT g.bytes, g.zstd, g.hash FROM versions v"
                                   " JOIN meshes m ON m.id = v.mesh"
                                   " LEFT JOIN geometries g ON g.hash = v.geometry_hash"
                                   " WHERE m.name = ? AND v.version = ?",
                                   STORE_VALUES(STORE_TEXT(mesh), STORE_INT(version)));
    const bool known = store_step(&s);
    if (known && sqlite3_column_type(s.sql, 2) != SQLITE_NULL) {
        found.bytes = (uint64_t)sqlite3_column_int64(s.sql, 0);
        found.packed = store_column_blob(&s, 1, &found.packed_bytes);
        store_column_hash(&s, 2, found.hash);
    }
    nav_status status = store_finish(&s, "reading a geometry", err);
    if (status == NAV_OK && !known) {
        store_version row;
        status = store_version_get(disk, mesh, version, &row, err);
        if (status == NAV_OK) { // it has only just come
            store_version_free(&row);
            status = nav_fail(err, PROTO_VERSION_NOT_FOUND, "mesh '%s' has no version %u", mesh,
                              version);
        }
    } else if (status == NAV_OK && found.packed == NULL) {
        status = damage_fail(err, mesh, version, "its geometry");
    }
    if (status != NAV_OK) {
        free(found.packed);
        return status;
    }
    *out = found;
    return NAV_OK;
}
