// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// old_packs.c: packs of schema 5, their directories and lists, out of bytes that may be damaged.

#include "server/store/old_packs.h"

#include "core/tile/tile.h"

#include <string.h>

#define CHECKSUM_BYTES 8u
#define HEAD_BYTES 16u
#define SLOT_DROPPED 1u
#define SLOT_KEY 2u
#define SLOT_PACKED_HASH 4u

typedef struct slot {
    uint8_t key[32], hash[32], packed_hash[32];
    uint64_t at_bytes; // where its packed bytes begin, among those of the pack
    uint64_t bytes;    // unpacked; 0: nobody can stand in the tile
    uint32_t packed_bytes;
    uint32_t report_at_bytes, report_bytes; // in the directory
    uint32_t flags;
} slot;

_Static_assert(sizeof(slot) == 128 && sizeof(old_pack_entry) == 44, "as they are stored");
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "they are copied as they are");

static bool checksum_fits(const uint8_t *bytes, size_t size_bytes)
{
    uint64_t checksum;
    if (bytes == NULL || size_bytes < CHECKSUM_BYTES) {
        return false;
    }
    memcpy(&checksum, bytes, sizeof checksum);
    return checksum == nav_tile_checksum(bytes + CHECKSUM_BYTES, size_bytes - CHECKSUM_BYTES);
}

old_pack old_pack_open(const uint8_t *directory, size_t directory_bytes, const uint8_t *bytes,
                       size_t size_bytes)
{
    old_pack pack = {.directory = directory,
                     .bytes = bytes,
                     .directory_bytes = directory_bytes,
                     .size_bytes = size_bytes};
    if (directory_bytes >= HEAD_BYTES && checksum_fits(directory, directory_bytes)) {
        uint32_t count;
        memcpy(&count, directory + CHECKSUM_BYTES, sizeof count);
        const bool fits =
            count <= OLD_PACK_SLOTS_MAX && count <= (directory_bytes - HEAD_BYTES) / sizeof(slot);
        pack.slot_count = fits ? count : 0;
    }
    return pack;
}

size_t old_pack_list_count(const uint8_t *list, size_t size_bytes)
{
    const bool whole = checksum_fits(list, size_bytes) &&
                       (size_bytes - CHECKSUM_BYTES) % sizeof(old_pack_entry) == 0;
    return whole ? (size_bytes - CHECKSUM_BYTES) / sizeof(old_pack_entry) : 0;
}

bool old_pack_list_at(const uint8_t *list, size_t i, old_pack_entry *out)
{
    memcpy(out, list + CHECKSUM_BYTES + i * sizeof *out, sizeof *out);
    return out->slot < OLD_PACK_SLOTS_MAX;
}

static bool has_ground(const old_pack_entry *entry)
{
    static const uint8_t none[sizeof entry->hash];
    return memcmp(entry->hash, none, sizeof none) != 0;
}

// False: it is damaged, or not the entry's.
static bool is_slot_of(const old_pack *pack, const slot *s, const old_pack_entry *entry)
{
    return (s->flags & SLOT_DROPPED) == 0 &&
           memcmp(s->hash, entry->hash, sizeof entry->hash) == 0 &&
           (uint64_t)s->report_at_bytes + s->report_bytes <= pack->directory_bytes &&
           s->at_bytes <= pack->size_bytes && s->packed_bytes <= pack->size_bytes - s->at_bytes &&
           s->bytes <= INT64_MAX && (s->bytes > 0) == has_ground(entry);
}

store_tile old_pack_tile(const old_pack *pack, const old_pack_entry *entry)
{
    slot s;
    store_tile tile = {
        .x = entry->x, .z = entry->z, .bytes = has_ground(entry) ? STORE_LOST_BYTES : 0};
    memcpy(tile.hash, entry->hash, sizeof tile.hash);
    if (entry->slot >= pack->slot_count) {
        return tile;
    }
    memcpy(&s, pack->directory + HEAD_BYTES + entry->slot * sizeof s, sizeof s);
    if (!is_slot_of(pack, &s, entry)) {
        return tile;
    }
    tile.bytes = s.bytes;
    tile.has_key = (s.flags & SLOT_KEY) != 0;
    tile.has_packed_hash = (s.flags & SLOT_PACKED_HASH) != 0;
    tile.report_bytes = s.report_bytes;
    tile.report = (void *)(uintptr_t)(pack->directory + s.report_at_bytes);
    if (s.bytes > 0 && pack->bytes != NULL) {
        tile.packed_bytes = s.packed_bytes;
        tile.packed = (void *)(uintptr_t)(pack->bytes + s.at_bytes);
    }
    memcpy(tile.key, s.key, sizeof tile.key);
    memcpy(tile.packed_hash, s.packed_hash, sizeof tile.packed_hash);
    return tile;
}
