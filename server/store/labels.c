// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// labels.c: who is meant, in the words of `navmeshd verify`: meshes whose names may be
// damaged themselves, and the versions that a damaged block belongs to.

#include "server/store/db.h"

#include "server/base/limits.h"

#include <stdio.h>
#include <string.h>

// ---- meshes ----

static void write_label(const char *name, int64_t id, char out[LIMIT_MESH_NAME + 1])
{
    if (name[0] != '\0') {
        (void)snprintf(out, LIMIT_MESH_NAME + 1, "%s", name);
    } else {
        (void)snprintf(out, LIMIT_MESH_NAME + 1, "number %lld", (long long)id);
    }
}

void store_label_at(store_statement *s, int name_column, int id_column,
                    char out[LIMIT_MESH_NAME + 1])
{
    char name[LIMIT_MESH_NAME + 1];
    (void)store_name_at(s, name_column, name);
    write_label(name, sqlite3_column_int64(s->sql, id_column), out);
}

// mesh_label(name, id), the same within a statement.
static void mesh_label(sqlite3_context *context, int count, sqlite3_value **values)
{
    char text[LIMIT_MESH_NAME + 1];
    (void)count;
    const char *name = sqlite3_value_type(values[0]) == SQLITE_TEXT
                           ? (const char *)sqlite3_value_text(values[0])
                           : NULL;
    const bool whole =
        name != NULL && limits_is_mesh_name(name, (size_t)sqlite3_value_bytes(values[0]));
    write_label(whole ? name : "", sqlite3_value_int64(values[1]), text);
    sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
}

void store_labels_register(sqlite3 *db)
{
    // Without memory for it the statements that use it say so.
    (void)sqlite3_create_function_v2(db, "mesh_label", 2,
                                     SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, NULL,
                                     mesh_label, NULL, NULL, NULL);
}

// ---- blocks ----

// The first owner in words, how many there are besides.
typedef struct owners {
    char first[LIMIT_MESH_NAME + 64];
    uint32_t more;
} owners;

static void add_owner(owners *all, store_statement *s, bool is_tile)
{
    char name[LIMIT_MESH_NAME + 1];
    const unsigned version = (unsigned)sqlite3_column_int64(s->sql, 2);
    store_label_at(s, 0, 1, name);
    if (all->first[0] != '\0') {
        all->more++;
    } else if (is_tile) {
        (void)snprintf(all->first, sizeof all->first, "mesh %s version %u tile %u,%u", name,
                       version, (unsigned)sqlite3_column_int64(s->sql, 3),
                       (unsigned)sqlite3_column_int64(s->sql, 4));
    } else {
        (void)snprintf(all->first, sizeof all->first, "mesh %s version %u", name, version);
    }
}

nav_status store_block_owners(store *disk, const store_tile *block, char *out, size_t out_bytes,
                              nav_error *err)
{
    owners all = {0};
    const bool is_tile = block->id != 0;
    (void)pthread_mutex_lock(&disk->reader.lock);
    store_statement s = store_prepare_locked(
        &disk->reader,
        is_tile ? "SELECT m.name, m.id, t.version, t.tile_x, t.tile_z FROM version_tiles t"
                  " JOIN meshes m ON m.id = t.mesh WHERE t.tile = ?"
                  " ORDER BY m.name, t.version, t.tile_z, t.tile_x"
                : "SELECT m.name, m.id, v.version FROM versions v JOIN meshes m ON m.id = v.mesh"
                  " WHERE v.geometry_hash = ? ORDER BY m.name, v.version");
    if (is_tile) {
        store_bind_int(&s, 1, block->id);
    } else {
        store_bind_blob(&s, 1, block->hash, sizeof block->hash);
    }
    while (store_step(&s)) {
        add_owner(&all, &s, is_tile);
    }
    nav_status status = store_finish(&s, "looking for whose a block is", err);
    (void)pthread_mutex_unlock(&disk->reader.lock);
    (void)snprintf(out, out_bytes, all.more > 0 ? "%s and %u more" : "%s",
                   all.first[0] != '\0' ? all.first : "no version", all.more);
    return status;
}
