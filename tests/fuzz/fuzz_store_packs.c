// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// fuzz_store_packs.c: a pack of schema 5, its directory and a list, as a migration finds them. An
// input is a byte that says which checksums stay as they are (1: the directory's, 2: the list's;
// the others are made to fit, else nothing would get past them), the sizes of directory and list in
// two bytes each, and the three blocks one behind the other.

#include "core/tile/tile.h"
#include "server/store/old_packs.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes);

#define HEAD_BYTES 5u

typedef struct block {
    uint8_t *bytes; // malloc'ed as long as it is, so that each byte read too far is seen
    size_t size_bytes;
} block;

// The next `wanted` bytes, or as many as there are.
static block take(const uint8_t **at, size_t *left, size_t wanted, bool seals)
{
    block b = {.size_bytes = wanted < *left ? wanted : *left};
    b.bytes = malloc(b.size_bytes + (b.size_bytes == 0));
    NAV_ASSERT(b.bytes != NULL);
    memcpy(b.bytes, *at, b.size_bytes);
    if (seals && b.size_bytes >= 8) {
        const uint64_t checksum = nav_tile_checksum(b.bytes + 8, b.size_bytes - 8);
        memcpy(b.bytes, &checksum, sizeof checksum);
    }
    *at += b.size_bytes;
    *left -= b.size_bytes;
    return b;
}

static void check_within(const void *part, size_t part_bytes, const block *whole)
{
    if (part != NULL) {
        const uint8_t *begin = part;
        NAV_ASSERT(begin >= whole->bytes && begin <= whole->bytes + whole->size_bytes);
        NAV_ASSERT(part_bytes <= (size_t)(whole->bytes + whole->size_bytes - begin));
    }
}

static void check_tile(const old_pack *pack, const old_pack_entry *entry, const block *directory,
                       const block *packed)
{
    static const uint8_t none[32];
    const store_tile tile = old_pack_tile(pack, entry);
    NAV_ASSERT(tile.x == entry->x && tile.z == entry->z);
    NAV_ASSERT(memcmp(tile.hash, entry->hash, sizeof tile.hash) == 0);
    NAV_ASSERT((tile.bytes > 0) == (memcmp(entry->hash, none, sizeof none) != 0));
    NAV_ASSERT(tile.bytes <= INT64_MAX);
    NAV_ASSERT(tile.bytes > 0 || tile.packed == NULL);
    check_within(tile.packed, tile.packed_bytes, packed);
    check_within(tile.report, tile.report_bytes, directory);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes)
{
    if (size_bytes < HEAD_BYTES) {
        return 0;
    }
    size_t left = size_bytes - HEAD_BYTES;
    const uint8_t *at = bytes + HEAD_BYTES;
    const size_t directory_bytes = bytes[1] | (size_t)bytes[2] << 8;
    const size_t list_bytes = bytes[3] | (size_t)bytes[4] << 8;
    block directory = take(&at, &left, directory_bytes, (bytes[0] & 1) == 0);
    block list = take(&at, &left, list_bytes, (bytes[0] & 2) == 0);
    block packed = take(&at, &left, left, false);
    const old_pack pack =
        old_pack_open(directory.bytes, directory.size_bytes, packed.bytes, packed.size_bytes);
    NAV_ASSERT(pack.slot_count <= OLD_PACK_SLOTS_MAX);
    const size_t count = old_pack_list_count(list.bytes, list.size_bytes);
    for (size_t i = 0; i < count; i++) {
        old_pack_entry entry;
        if (old_pack_list_at(list.bytes, i, &entry)) {
            NAV_ASSERT(entry.slot < OLD_PACK_SLOTS_MAX);
            check_tile(&pack, &entry, &directory, &packed);
        }
    }
    // Each slot by its own hash, which an entry would seldom have by chance.
    for (uint32_t i = 0; i < pack.slot_count; i++) {
        old_pack_entry own = {.slot = i};
        memcpy(own.hash, directory.bytes + 16 + (size_t)i * 128 + 32, sizeof own.hash);
        check_tile(&pack, &own, &directory, &packed);
    }
    free(directory.bytes);
    free(list.bytes);
    free(packed.bytes);
    return 0;
}
