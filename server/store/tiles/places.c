// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// places.c: the index and the database:
//
//   first question --> every directory is read once --> index
//   transaction --> changes --(committed)--> index
//
// The reader's lock guards the index. A transaction asks before it begins and tells after it has
// ended, so that nobody ever holds two locks; what changed in between it finds out at the place.

#include "server/store/db.h"

#include "server/base/lock.h"

#include <stdlib.h>

static void add_directory(store_index *index, uint64_t pack, const store_directory *directory)
{
    for (uint32_t i = 0; i < directory->count; i++) {
        store_slot slot;
        if (!store_directory_slot(directory, i, &slot)) {
            continue;
        }
        if ((slot.flags & STORE_SLOT_KEY) != 0) {
            store_index_add(index, store_index_key_name(slot.key), STORE_PLACE(pack, i));
        }
        if (slot.bytes > 0) {
            store_index_add(index, store_index_hash_name(slot.hash), STORE_PLACE(pack, i));
        }
    }
}

nav_status store_places_load_locked(store *disk, nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->reader.lock));
    if (disk->index.loaded) {
        return NAV_OK;
    }
    store_statement s =
        store_prepare_locked(&disk->reader, "SELECT pack, directory FROM pack_tiles ORDER BY pack");
    while (store_step(&s)) {
        store_directory directory;
        if (store_directory_open(sqlite3_column_blob(s.sql, 1),
                                 (size_t)sqlite3_column_bytes(s.sql, 1), &directory)) {
            add_directory(&disk->index, (uint64_t)sqlite3_column_int64(s.sql, 0), &directory);
        }
    }
    nav_status status = store_finish(&s, "reading what tiles there are", err);
    disk->index.loaded = status == NAV_OK;
    return status;
}

uint64_t *store_places_look(store *disk, const store_tile *tiles, size_t count)
{
    nav_error ignored; // what is not known is stored once more
    uint64_t *places = calloc(count + 1, sizeof *places);
    if (places == NULL || count == 0) {
        return places;
    }
    (void)pthread_mutex_lock(&disk->reader.lock);
    (void)store_places_load_locked(disk, &ignored);
    for (size_t i = 0; i < count; i++) {
        if (tiles[i].has_key) {
            places[i] = store_index_get(&disk->index, store_index_key_name(tiles[i].key));
        }
        if (places[i] == 0 && tiles[i].bytes > 0) {
            places[i] = store_index_get(&disk->index, store_index_hash_name(tiles[i].hash));
        }
    }
    (void)pthread_mutex_unlock(&disk->reader.lock);
    return places;
}

void store_places_apply(store *disk, const store_index_changes *changes)
{
    if (changes->count > 0) {
        (void)pthread_mutex_lock(&disk->reader.lock);
        if (disk->index.loaded) {
            store_index_apply(&disk->index, changes);
        }
        (void)pthread_mutex_unlock(&disk->reader.lock);
    }
}
