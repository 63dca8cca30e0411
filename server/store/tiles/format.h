// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// format.h: the two blocks that the store has made up itself. Both are little-endian and
// begin with the XXH64 (seed 0) of everything behind it.
//
// The directory of a pack says what is in its slots. The packed tiles themselves are one behind the
// other in another table.
//
//   offset      size  what
//        0         8  checksum
//        8         4  slots
//       12         4  0
//       16  128 each  slots (store_slot)
//      ...            reports
//
// The list of a version says which of its tiles are in one pack.
//
//        0         8  checksum
//        8   44 each  tiles (store_list_entry), in order of z, x
//
// Thread: any.

#pragma once

#include "server/store/store.h"

#define STORE_SLOT_DROPPED 1u // nothing is left of it
#define STORE_SLOT_KEY 2u
#define STORE_SLOT_PACKED_HASH 4u

typedef struct store_slot {
    uint8_t key[32], hash[32], packed_hash[32];
    uint64_t at_bytes; // where its packed bytes begin, among those of the pack
    uint64_t bytes;    // unpacked; 0: nobody can stand in the tile
    uint32_t packed_bytes;
    uint32_t report_at_bytes, report_bytes; // in the directory
    uint32_t flags;
} store_slot;

_Static_assert(sizeof(store_slot) == 128, "part of the format");

// Borrows the bytes.
typedef struct store_directory {
    const uint8_t *bytes;
    size_t size_bytes;
    uint32_t count;
} store_directory;

// False: damaged. One that is not has at most STORE_SLOTS_MAX slots.
bool store_directory_open(const void *bytes, size_t size_bytes, store_directory *out);
// False: there is no such slot, or it was dropped.
bool store_directory_slot(const store_directory *directory, uint32_t slot, store_slot *out);
// What a slot says, but for its blocks.
void store_slot_read(const store_slot *slot, store_tile *out);

// A pack as it is worked on.
typedef struct store_pack {
    uint64_t number;   // 0: not stored yet
    store_tile *slots; // one without key and block was dropped
    uint32_t count;
} store_pack;

bool store_pack_is_dropped(const store_tile *slot);
// *out is malloc'ed; false without memory.
bool store_directory_write(const store_pack *pack, void **out, size_t *out_bytes);

typedef struct store_list_entry {
    uint32_t z, x, slot;
    uint8_t hash[32]; // of the tile's bytes; zeros: nobody can stand in it
} store_list_entry;

_Static_assert(sizeof(store_list_entry) == 44, "part of the format");

typedef struct store_list {
    const uint8_t *bytes;
    size_t count;
} store_list;

// False: damaged. In one that is not every slot is below STORE_SLOTS_MAX.
bool store_list_open(const void *bytes, size_t size_bytes, store_list *out);
store_list_entry store_list_at(const store_list *list, size_t index);
bool store_list_has_ground(const store_list_entry *entry);
// *out is malloc'ed; false without memory.
bool store_list_write(const store_list_entry *entries, size_t count, void **out, size_t *out_bytes);
