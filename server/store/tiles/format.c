// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// format.c: directories of packs and lists of versions, to bytes and back. Nothing that is
// read is trusted: a checksum that fits is followed by a look at every offset.

#include "server/store/tiles/format.h"

#include "core/tile/tile.h"
#include "server/store/tiles/index.h"

#include <stdlib.h>
#include <string.h>

#define CHECKSUM_BYTES 8u
#define HEAD_BYTES 16u

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "blocks are copied as they are");

static bool checksum_fits(const uint8_t *bytes, size_t size_bytes)
{
    uint64_t checksum;
    memcpy(&checksum, bytes, sizeof checksum);
    return checksum == nav_tile_checksum(bytes + CHECKSUM_BYTES, size_bytes - CHECKSUM_BYTES);
}

static void seal(uint8_t *bytes, size_t size_bytes)
{
    const uint64_t checksum =
        nav_tile_checksum(bytes + CHECKSUM_BYTES, size_bytes - CHECKSUM_BYTES);
    memcpy(bytes, &checksum, sizeof checksum);
}

// ---- directories ----

bool store_directory_open(const void *bytes, size_t size_bytes, store_directory *out)
{
    if (bytes == NULL || size_bytes < HEAD_BYTES || !checksum_fits(bytes, size_bytes)) {
        return false;
    }
    *out = (store_directory){.bytes = bytes, .size_bytes = size_bytes};
    memcpy(&out->count, out->bytes + CHECKSUM_BYTES, sizeof out->count);
    return out->count <= STORE_SLOTS_MAX &&
           out->count <= (size_bytes - HEAD_BYTES) / sizeof(store_slot);
}

bool store_directory_slot(const store_directory *directory, uint32_t slot, store_slot *out)
{
    if (slot >= directory->count) {
        return false;
    }
    memcpy(out, directory->bytes + HEAD_BYTES + (size_t)slot * sizeof *out, sizeof *out);
    return (out->flags & STORE_SLOT_DROPPED) == 0 &&
           (uint64_t)out->report_at_bytes + out->report_bytes <= directory->size_bytes;
}

void store_slot_read(const store_slot *slot, store_tile *out)
{
    memcpy(out->key, slot->key, sizeof out->key);
    memcpy(out->hash, slot->hash, sizeof out->hash);
    memcpy(out->packed_hash, slot->packed_hash, sizeof out->packed_hash);
    out->has_key = (slot->flags & STORE_SLOT_KEY) != 0;
    out->has_packed_hash = (slot->flags & STORE_SLOT_PACKED_HASH) != 0;
    out->bytes = slot->bytes;
}

bool store_pack_is_dropped(const store_tile *slot)
{
    return !slot->has_key && slot->packed == NULL;
}

static store_slot make_slot(const store_tile *tile)
{
    store_slot slot = {.bytes = tile->bytes,
                       .packed_bytes = tile->packed != NULL ? (uint32_t)tile->packed_bytes : 0,
                       .report_bytes = tile->report != NULL ? (uint32_t)tile->report_bytes : 0};
    if (tile->has_key) {
        memcpy(slot.key, tile->key, sizeof slot.key);
        slot.flags |= STORE_SLOT_KEY;
    }
    if (tile->bytes > 0) {
        memcpy(slot.hash, tile->hash, sizeof slot.hash);
    }
    if (tile->bytes > 0 && tile->has_packed_hash) {
        memcpy(slot.packed_hash, tile->packed_hash, sizeof slot.packed_hash);
        slot.flags |= STORE_SLOT_PACKED_HASH;
    }
    return slot;
}

bool store_directory_write(const store_pack *pack, void **out, size_t *out_bytes)
{
    size_t size_bytes = HEAD_BYTES + (size_t)pack->count * sizeof(store_slot);
    for (uint32_t i = 0; i < pack->count; i++) {
        size_bytes += pack->slots[i].report != NULL ? pack->slots[i].report_bytes : 0;
    }
    uint8_t *bytes = size_bytes <= UINT32_MAX ? calloc(1, size_bytes) : NULL;
    if (bytes == NULL) {
        return false;
    }
    uint64_t at_bytes = 0;
    uint32_t report_at_bytes = HEAD_BYTES + pack->count * (uint32_t)sizeof(store_slot);
    memcpy(bytes + CHECKSUM_BYTES, &pack->count, sizeof pack->count);
    for (uint32_t i = 0; i < pack->count; i++) {
        const store_tile *tile = &pack->slots[i];
        store_slot slot = {.flags = STORE_SLOT_DROPPED};
        if (!store_pack_is_dropped(tile)) {
            slot = make_slot(tile);
            slot.at_bytes = at_bytes;
            slot.report_at_bytes = report_at_bytes;
            at_bytes += slot.packed_bytes;
            report_at_bytes += slot.report_bytes;
        }
        memcpy(bytes + HEAD_BYTES + (size_t)i * sizeof slot, &slot, sizeof slot);
        if (slot.report_bytes > 0) {
            memcpy(bytes + slot.report_at_bytes, tile->report, slot.report_bytes);
        }
    }
    seal(bytes, size_bytes);
    *out = bytes;
    *out_bytes = size_bytes;
    return true;
}

// ---- lists ----

bool store_list_open(const void *bytes, size_t size_bytes, store_list *out)
{
    if (bytes == NULL || size_bytes < CHECKSUM_BYTES || !checksum_fits(bytes, size_bytes)) {
        return false;
    }
    *out = (store_list){.bytes = (const uint8_t *)bytes + CHECKSUM_BYTES,
                        .count = (size_bytes - CHECKSUM_BYTES) / sizeof(store_list_entry)};
    bool good = (size_bytes - CHECKSUM_BYTES) % sizeof(store_list_entry) == 0;
    for (size_t i = 0; good && i < out->count; i++) {
        good = store_list_at(out, i).slot < STORE_SLOTS_MAX;
    }
    return good;
}

store_list_entry store_list_at(const store_list *list, size_t index)
{
    store_list_entry entry;
    memcpy(&entry, list->bytes + index * sizeof entry, sizeof entry);
    return entry;
}

bool store_list_has_ground(const store_list_entry *entry)
{
    static const uint8_t none[sizeof entry->hash];
    return memcmp(entry->hash, none, sizeof none) != 0;
}

bool store_list_write(const store_list_entry *entries, size_t count, void **out, size_t *out_bytes)
{
    const size_t size_bytes = CHECKSUM_BYTES + count * sizeof *entries;
    uint8_t *bytes = malloc(size_bytes);
    if (bytes == NULL) {
        return false;
    }
    if (count > 0) {
        memcpy(bytes + CHECKSUM_BYTES, entries, count * sizeof *entries);
    }
    seal(bytes, size_bytes);
    *out = bytes;
    *out_bytes = size_bytes;
    return true;
}
