// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// index.c: the table of places: open addressing with linear probing; a removal moves those
// behind it up, so that there are no tombstones (D. Knuth, The Art of Computer Programming, volume
// 3, 6.4, algorithm R).

#include "server/store/tiles/index.h"

#include <stdlib.h>
#include <string.h>

#define CAPACITY_MIN 1024u
#define GOLDEN UINT64_C(0x9e3779b97f4a7c15)

// The first bytes of a hash are as good as any. Keys and hashes share the table: the same first
// bytes must not mean the same.
static uint64_t first_bytes(const uint8_t hash[32])
{
    uint64_t name;
    memcpy(&name, hash, sizeof name);
    return name;
}

uint64_t store_index_key_name(const uint8_t key[32])
{
    return first_bytes(key);
}

uint64_t store_index_hash_name(const uint8_t hash[32])
{
    return first_bytes(hash) ^ GOLDEN;
}

static size_t home_of(const store_index *index, uint64_t name)
{
    return (size_t)((name * GOLDEN) >> 32) & (index->capacity - 1);
}

// Where the name is, or the free entry where it would be.
static size_t find(const store_index *index, uint64_t name)
{
    size_t at = home_of(index, name);
    while (index->entries[at].place != 0 && index->entries[at].name != name) {
        at = (at + 1) & (index->capacity - 1);
    }
    return at;
}

uint64_t store_index_get(const store_index *index, uint64_t name)
{
    return index->count > 0 ? index->entries[find(index, name)].place : 0;
}

static bool grow(store_index *index)
{
    store_index larger = {.capacity = index->capacity > 0 ? index->capacity * 2 : CAPACITY_MIN};
    larger.entries = calloc(larger.capacity, sizeof *larger.entries);
    if (larger.entries == NULL) {
        return false;
    }
    for (size_t i = 0; i < index->capacity; i++) {
        if (index->entries[i].place != 0) {
            larger.entries[find(&larger, index->entries[i].name)] = index->entries[i];
        }
    }
    free(index->entries);
    index->entries = larger.entries;
    index->capacity = larger.capacity;
    return true;
}

void store_index_add(store_index *index, uint64_t name, uint64_t place)
{
    // At most three quarters full.
    if ((index->count + 1) * 4 > index->capacity * 3 && !grow(index)) {
        return;
    }
    store_index_entry *entry = &index->entries[find(index, name)];
    index->count += entry->place == 0;
    *entry = (store_index_entry){.name = name, .place = place};
}

void store_index_remove(store_index *index, uint64_t name, uint64_t place)
{
    if (place == 0 || store_index_get(index, name) != place) {
        return;
    }
    const size_t mask = index->capacity - 1;
    size_t gap = find(index, name), next = gap;
    index->count--;
    while (index->entries[next = (next + 1) & mask].place != 0) {
        // One that lies between its home and here without the gap stays.
        const size_t home = home_of(index, index->entries[next].name);
        if (((next - home) & mask) >= ((next - gap) & mask)) {
            index->entries[gap] = index->entries[next];
            gap = next;
        }
    }
    index->entries[gap] = (store_index_entry){0};
}

void store_index_free(store_index *index)
{
    free(index->entries);
    *index = (store_index){0};
}

// ---- what a transaction changes ----

void store_index_note(store_index_changes *changes, uint64_t name, uint64_t place, bool remove)
{
    if (changes->count == changes->capacity) {
        const size_t capacity = changes->capacity > 0 ? changes->capacity * 2 : 64;
        store_index_change *items = realloc(changes->items, capacity * sizeof *items);
        if (items == NULL) {
            return;
        }
        changes->items = items;
        changes->capacity = capacity;
    }
    changes->items[changes->count++] =
        (store_index_change){.name = name, .place = place, .remove = remove};
}

void store_index_apply(store_index *index, const store_index_changes *changes)
{
    for (size_t i = 0; i < changes->count; i++) {
        const store_index_change *c = &changes->items[i];
        if (c->remove) {
            store_index_remove(index, c->name, c->place);
        } else {
            store_index_add(index, c->name, c->place);
        }
    }
}

void store_index_changes_free(store_index_changes *changes)
{
    free(changes->items);
    *changes = (store_index_changes){0};
}
