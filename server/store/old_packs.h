// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// old_packs.h: reads the blocks in which schema 5 kept tiles, several of a commit in one: bytes
// alone, without SQLite. Any bytes are safe. migrate_packs.c has them from the database.
//
//   pack        packed bytes of its tiles, one behind the other
//   directory   what is in the pack's slots: 8 checksum, 4 slots, 4 zero, 128 each slot, reports
//   list        which of a version's tiles are in which slots: 8 checksum, 44 each entry
//
// A directory and a list are little-endian and begin with the XXH64 of what is behind it.

#pragma once

#include "server/store/store.h"

#define OLD_PACK_SLOTS_MAX 4096u

// Both blocks are borrowed. Either may be NULL with 0 bytes.
typedef struct old_pack {
    const uint8_t *directory, *bytes;
    size_t directory_bytes, size_bytes;
    uint32_t slot_count; // 0: the directory is damaged
} old_pack;

old_pack old_pack_open(const uint8_t *directory, size_t directory_bytes, const uint8_t *bytes,
                       size_t size_bytes);

// The x, z at which a version has the tile of a slot.
typedef struct old_pack_entry {
    uint32_t z, x, slot;
    uint8_t hash[32]; // zeros: nobody can stand in it
} old_pack_entry;

// How many entries a list has; 0: none, or it is damaged.
size_t old_pack_list_count(const uint8_t *list, size_t size_bytes);
// Entry i, below the count. False: its slot is one that no pack has.
bool old_pack_list_at(const uint8_t *list, size_t i, old_pack_entry *out);

// The tile of an entry, its blocks borrowed. One whose slot or bytes are damaged, or another's, has
// lost its bytes: packed is NULL and there is no key.
store_tile old_pack_tile(const old_pack *pack, const old_pack_entry *entry);
