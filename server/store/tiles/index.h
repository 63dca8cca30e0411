// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// index.h: where in the store a tile is, by the key of what it was baked from or by the hash
// of its bytes: a table in memory (after J. Sheehy, D. Smith, "Bitcask: a log-structured hash table
// for fast key/value data", 2010). On disk such a table costs every commit as many pages as it has
// tiles, since hashes come in no order.
//
// It is a hint, never the truth: whoever is sent to a place looks there for the whole key or hash.
// What it does not know is baked once more or stored once more, no worse. It costs 21 to 43 bytes
// for each name, two names a tile.
//
// Thread: one at a time.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A pack's number and a slot in it; 0: nowhere.
#define STORE_SLOTS_MAX 4096u
#define STORE_PLACE(pack, slot) ((uint64_t)(pack)*STORE_SLOTS_MAX + (slot))
#define STORE_PLACE_PACK(place) ((place) / STORE_SLOTS_MAX)
#define STORE_PLACE_SLOT(place) ((uint32_t)((place) % STORE_SLOTS_MAX))

typedef struct store_index_entry {
    uint64_t name;  // of a key or a hash
    uint64_t place; // 0: free
} store_index_entry;

typedef struct store_index {
    store_index_entry *entries; // capacity, a power of two
    size_t capacity, count;
    bool loaded; // what is stored is in it
} store_index;

uint64_t store_index_key_name(const uint8_t key[32]);
uint64_t store_index_hash_name(const uint8_t hash[32]);
uint64_t store_index_get(const store_index *index, uint64_t name); // 0: not known
// Puts a name in the place of any earlier one of the same. Without memory it is left out.
void store_index_add(store_index *index, uint64_t name, uint64_t place);
// Takes the name away where it still means this place.
void store_index_remove(store_index *index, uint64_t name, uint64_t place);
void store_index_free(store_index *index);

// What a transaction changes, kept until it has been committed.
typedef struct store_index_change {
    uint64_t name, place;
    bool remove;
} store_index_change;

typedef struct store_index_changes {
    store_index_change *items;
    size_t count, capacity;
} store_index_changes;

// Without memory the change is left out.
void store_index_note(store_index_changes *changes, uint64_t name, uint64_t place, bool remove);
void store_index_apply(store_index *index, const store_index_changes *changes);
void store_index_changes_free(store_index_changes *changes);
