// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// fuzz_store_format.c: directories of packs and lists of versions as a database has them. The first
// byte says what the others are; the checksum is made to fit, else nothing would get past it. What
// is opened is read to its end within its bytes, and survives being written and read again.

#include "core/tile/tile.h"
#include "server/store/tiles/format.h"
#include "server/store/tiles/index.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes);

#define CHECKSUM_BYTES 8u

// Every byte that a slot names is the directory's.
static void read_report(const store_directory *directory, const store_slot *slot, store_tile *tile)
{
    tile->report = malloc((size_t)slot->report_bytes + 1);
    tile->report_bytes = slot->report_bytes;
    if (tile->report == NULL) {
        abort();
    }
    memcpy(tile->report, directory->bytes + slot->report_at_bytes, slot->report_bytes);
}

static void note(store_index *index, const store_slot *slot, uint64_t place)
{
    store_index_add(index, store_index_key_name(slot->key), place);
    NAV_ASSERT(store_index_get(index, store_index_key_name(slot->key)) == place);
    store_index_add(index, store_index_hash_name(slot->hash), place);
    if (slot->report_bytes % 2 == 0) {
        store_index_remove(index, store_index_hash_name(slot->hash), place);
        NAV_ASSERT(store_index_get(index, store_index_hash_name(slot->hash)) == 0);
    }
}

// What was read, written again: the same slots, as far as they have anything.
static void write_again(const store_pack *pack)
{
    void *bytes;
    size_t size_bytes;
    store_directory again;
    if (!store_directory_write(pack, &bytes, &size_bytes)) {
        return; // reports of more than 4 GiB: many slots may name the same bytes
    }
    NAV_ASSERT(store_directory_open(bytes, size_bytes, &again) && again.count == pack->count);
    for (uint32_t i = 0; i < pack->count; i++) {
        store_slot slot;
        NAV_ASSERT(store_directory_slot(&again, i, &slot) ==
                   !store_pack_is_dropped(&pack->slots[i]));
    }
    free(bytes);
}

static void fuzz_directory(const uint8_t *bytes, size_t size_bytes)
{
    store_directory directory;
    if (!store_directory_open(bytes, size_bytes, &directory)) {
        return;
    }
    NAV_ASSERT(directory.count <= STORE_SLOTS_MAX);
    store_index index = {0};
    store_pack pack = {.number = 1, .count = directory.count};
    pack.slots = calloc((size_t)pack.count + 1, sizeof *pack.slots);
    if (pack.slots == NULL) {
        abort();
    }
    size_t reports_bytes = 0;
    for (uint32_t i = 0; i < directory.count; i++) {
        store_slot slot;
        if (!store_directory_slot(&directory, i, &slot) || reports_bytes > (1u << 24)) {
            continue;
        }
        reports_bytes += slot.report_bytes;
        store_slot_read(&slot, &pack.slots[i]);
        read_report(&directory, &slot, &pack.slots[i]);
        note(&index, &slot, STORE_PLACE(1, i));
    }
    write_again(&pack);
    for (uint32_t i = 0; i < pack.count; i++) {
        free(pack.slots[i].report);
    }
    free(pack.slots);
    store_index_free(&index);
}

static void fuzz_list(const uint8_t *bytes, size_t size_bytes)
{
    store_list list, again;
    if (!store_list_open(bytes, size_bytes, &list)) {
        return;
    }
    store_list_entry *entries = calloc(list.count + 1, sizeof *entries);
    void *written;
    size_t written_bytes, ground = 0;
    if (entries == NULL) {
        abort();
    }
    for (size_t i = 0; i < list.count; i++) {
        entries[i] = store_list_at(&list, i);
        NAV_ASSERT(entries[i].slot < STORE_SLOTS_MAX);
        ground += store_list_has_ground(&entries[i]);
    }
    NAV_ASSERT(ground <= list.count);
    if (store_list_write(entries, list.count, &written, &written_bytes)) {
        NAV_ASSERT(written_bytes == size_bytes && memcmp(written, bytes, size_bytes) == 0);
        NAV_ASSERT(store_list_open(written, written_bytes, &again) && again.count == list.count);
        free(written);
    }
    free(entries);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes)
{
    if (size_bytes == 0) {
        return 0;
    }
    // Of its own, so that a sanitizer sees a step outside.
    const size_t block_bytes = size_bytes - 1;
    uint8_t *block = malloc(block_bytes > 0 ? block_bytes : 1);
    if (block == NULL) {
        return 0;
    }
    memcpy(block, bytes + 1, block_bytes);
    if (block_bytes >= CHECKSUM_BYTES && (bytes[0] & 2) == 0) {
        const uint64_t checksum =
            nav_tile_checksum(block + CHECKSUM_BYTES, block_bytes - CHECKSUM_BYTES);
        memcpy(block, &checksum, sizeof checksum);
    }
    if ((bytes[0] & 1) == 0) {
        fuzz_directory(block, block_bytes);
    } else {
        fuzz_list(block, block_bytes);
    }
    free(block);
    return 0;
}
