// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_old_packs.c: packs of schema 5 out of bytes: whole ones, ones that are cut at each byte and
// flipped at each bit, and ones whose checksum was made to fit. Blocks are as long as they say, so
// that the address sanitizer sees each byte that is read too far.

#include "server/store/old_packs.h"

#include "core/tile/tile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SLOTS 3u
#define DIRECTORY_BYTES (16 + SLOTS * 128 + 15)
#define LIST_BYTES (8 + SLOTS * 44)

// Slot 0: "five", 1: nobody can stand in it, 2: "seven!" without key and hash.
static const char PACK[] = "fiveseven!";
#define PACK_BYTES (sizeof PACK - 1)

static void put32(uint8_t *at, uint32_t value)
{
    memcpy(at, &value, sizeof value);
}

static void put64(uint8_t *at, uint64_t value)
{
    memcpy(at, &value, sizeof value);
}

static void seal(uint8_t *block, size_t size_bytes)
{
    put64(block, nav_tile_checksum(block + 8, size_bytes - 8));
}

// As migrate_packs.c has them from a database.
typedef struct blocks {
    uint8_t directory[DIRECTORY_BYTES], list[LIST_BYTES];
} blocks;

static uint8_t *slot_of(blocks *b, uint32_t i)
{
    return b->directory + 16 + i * 128;
}

static blocks make_blocks(void)
{
    blocks b = {0};
    static const uint32_t at[] = {0, 4, 4}, packed[] = {4, 0, 6}, flags[] = {6, 2, 0};
    put32(b.directory + 8, SLOTS);
    for (uint32_t i = 0; i < SLOTS; i++) {
        uint8_t *slot = slot_of(&b, i), *entry = b.list + 8 + (size_t)i * 44;
        slot[0] = (uint8_t)(0xe0 + i);
        slot[32] = i == 1 ? 0 : (uint8_t)(0xb0 + i);
        slot[64] = (uint8_t)(0xd0 + i);
        put64(slot + 96, at[i]);
        put64(slot + 104, i == 1 ? 0 : 500 + i);
        put32(slot + 112, packed[i]);
        put32(slot + 116, 16 + SLOTS * 128 + i * 5);
        put32(slot + 120, 5);
        put32(slot + 124, flags[i]);
        put32(entry, i);
        put32(entry + 4, 7 + i);
        put32(entry + 8, i);
        entry[12] = slot[32];
    }
    memcpy(b.directory + 16 + SLOTS * 128, "rep 0rep 1rep 2", 15);
    seal(b.directory, sizeof b.directory);
    seal(b.list, sizeof b.list);
    return b;
}

static uint8_t *copy_of(const void *bytes, size_t size_bytes)
{
    uint8_t *copy = malloc(size_bytes > 0 ? size_bytes : 1);
    assert_non_null(copy);
    memcpy(copy, bytes, size_bytes);
    return copy;
}

// ---- what is read ----

static bool is_lost(const store_tile *tile, bool has_ground)
{
    return tile->packed == NULL && tile->report == NULL && !tile->has_key &&
           tile->bytes == (has_ground ? STORE_LOST_BYTES : 0);
}

// Every byte that a tile points at is within its block.
static void touch(const store_tile *tile)
{
    uint8_t *packed = copy_of(tile->packed != NULL ? tile->packed : "", tile->packed_bytes);
    uint8_t *report = copy_of(tile->report != NULL ? tile->report : "", tile->report_bytes);
    free(packed);
    free(report);
}

// How many of the tiles are there, of a list that is whole.
static uint32_t count_whole(const uint8_t *directory, size_t directory_bytes, const uint8_t *bytes,
                            size_t size_bytes)
{
    const blocks b = make_blocks();
    const old_pack pack = old_pack_open(directory, directory_bytes, bytes, size_bytes);
    uint32_t whole = 0;
    for (size_t i = 0; i < SLOTS; i++) {
        old_pack_entry entry;
        assert_true(old_pack_list_at(b.list, i, &entry));
        const store_tile tile = old_pack_tile(&pack, &entry);
        assert_true(tile.x == 7 + i && tile.z == i);
        assert_int_equal(tile.hash[0], i == 1 ? 0 : 0xb0 + i);
        touch(&tile);
        whole += !is_lost(&tile, i != 1);
    }
    return whole;
}

static void whole_blocks_give_each_tile(void **state)
{
    static const char *const packed[] = {"five", "", "seven!"};
    (void)state;
    const blocks b = make_blocks();
    const old_pack pack =
        old_pack_open(b.directory, sizeof b.directory, (const uint8_t *)PACK, PACK_BYTES);
    assert_int_equal(pack.slot_count, SLOTS);
    assert_int_equal(old_pack_list_count(b.list, sizeof b.list), SLOTS);
    for (size_t i = 0; i < SLOTS; i++) {
        old_pack_entry entry;
        char report[] = "rep 0";
        report[4] = (char)('0' + i);
        assert_true(old_pack_list_at(b.list, i, &entry));
        const store_tile tile = old_pack_tile(&pack, &entry);
        assert_true(tile.x == 7 + i && tile.z == i);
        assert_int_equal(tile.bytes, i == 1 ? 0 : 500 + i);
        assert_int_equal(tile.packed_bytes, strlen(packed[i]));
        assert_int_equal(tile.packed != NULL, i != 1);
        assert_memory_equal(tile.packed != NULL ? tile.packed : "", packed[i], strlen(packed[i]));
        assert_int_equal(tile.report_bytes, 5);
        assert_memory_equal(tile.report, report, 5);
        assert_true(tile.has_key == (i != 2) && tile.has_packed_hash == (i == 0));
        assert_true(tile.key[0] == 0xe0 + i && tile.packed_hash[0] == 0xd0 + i);
        assert_int_equal(tile.hash[0], i == 1 ? 0 : 0xb0 + i);
    }
}

// ---- cut and flipped ----

static void a_block_that_is_cut_gives_nothing_behind_the_cut(void **state)
{
    (void)state;
    const blocks b = make_blocks();
    for (size_t size = 0; size < sizeof b.directory; size++) {
        uint8_t *cut = copy_of(b.directory, size);
        assert_int_equal(count_whole(cut, size, (const uint8_t *)PACK, PACK_BYTES), 0);
        free(cut);
    }
    for (size_t size = 0; size < sizeof b.list; size++) {
        uint8_t *cut = copy_of(b.list, size);
        assert_int_equal(old_pack_list_count(cut, size), 0);
        free(cut);
    }
    for (size_t size = 0; size <= PACK_BYTES; size++) {
        uint8_t *cut = copy_of(PACK, size);
        assert_int_equal(count_whole(b.directory, sizeof b.directory, cut, size), size == PACK_BYTES
                                                                                      ? 3
                                                                                  : size >= 4 ? 2
                                                                                              : 0);
        free(cut);
    }
    assert_int_equal(count_whole(NULL, 0, NULL, 0), 0);
    assert_int_equal(old_pack_list_count(NULL, 0), 0);
    assert_int_equal(old_pack_list_count(NULL, LIST_BYTES), 0);
}

static void a_bit_that_is_flipped_is_noticed(void **state)
{
    (void)state;
    blocks b = make_blocks();
    for (size_t bit = 0; bit < sizeof b.directory * 8; bit++) {
        b.directory[bit / 8] ^= (uint8_t)(1u << bit % 8);
        assert_int_equal(
            count_whole(b.directory, sizeof b.directory, (const uint8_t *)PACK, PACK_BYTES), 0);
        b.directory[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    for (size_t bit = 0; bit < sizeof b.list * 8; bit++) {
        b.list[bit / 8] ^= (uint8_t)(1u << bit % 8);
        assert_int_equal(old_pack_list_count(b.list, sizeof b.list), 0);
        b.list[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
}

// The checksum was made of what is wrong already: then each number is judged by itself.
static void a_bit_that_is_flipped_under_its_checksum_stays_within_the_blocks(void **state)
{
    (void)state;
    blocks b = make_blocks();
    uint8_t *bytes = copy_of(PACK, PACK_BYTES);
    for (size_t bit = 64; bit < sizeof b.directory * 8; bit++) {
        blocks flipped = b;
        flipped.directory[bit / 8] ^= (uint8_t)(1u << bit % 8);
        seal(flipped.directory, sizeof flipped.directory);
        uint8_t *directory = copy_of(flipped.directory, sizeof flipped.directory);
        const uint32_t whole = count_whole(directory, sizeof flipped.directory, bytes, PACK_BYTES);
        // One slot holds it, unless it is the count of slots.
        assert_true(whole >= 2 || (bit < 128 && whole <= SLOTS));
        free(directory);
    }
    const old_pack pack = old_pack_open(b.directory, sizeof b.directory, bytes, PACK_BYTES);
    for (size_t bit = 64; bit < sizeof b.list * 8; bit++) {
        blocks flipped = b;
        flipped.list[bit / 8] ^= (uint8_t)(1u << bit % 8);
        seal(flipped.list, sizeof flipped.list);
        assert_int_equal(old_pack_list_count(flipped.list, sizeof flipped.list), SLOTS);
        for (size_t i = 0; i < SLOTS; i++) {
            old_pack_entry entry;
            if (old_pack_list_at(flipped.list, i, &entry)) {
                const store_tile tile = old_pack_tile(&pack, &entry);
                touch(&tile);
            } else {
                assert_true(entry.slot >= OLD_PACK_SLOTS_MAX);
            }
        }
    }
    free(bytes);
}

// ---- each number that cannot be ----

static void a_slot_that_cannot_be_has_lost_its_tile(void **state)
{
    static const struct {
        size_t at, bytes;
        uint64_t value;
    } wrong[] = {
        {32, 1, 0xcc},               // another hash
        {96, 8, 11},                 // begins behind the pack
        {96, 8, UINT64_MAX},         //
        {96, 8, 7},                  // ends behind it
        {104, 8, 0},                 // has ground, and no bytes
        {104, 8, (uint64_t)1 << 63}, // more than there can be
        {112, 4, 11},                // longer than the pack
        {112, 4, UINT32_MAX},        //
        {116, 4, UINT32_MAX},        // its report lies outside
        {120, 4, UINT32_MAX},        //
        {120, 4, DIRECTORY_BYTES},   //
        {124, 4, 1},                 // was dropped
    };
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        blocks b = make_blocks();
        memcpy(slot_of(&b, 0) + wrong[i].at, &wrong[i].value, wrong[i].bytes);
        seal(b.directory, sizeof b.directory);
        assert_int_equal(
            count_whole(b.directory, sizeof b.directory, (const uint8_t *)PACK, PACK_BYTES), 2);
    }
    // A tile that nobody can stand in has no bytes.
    blocks b = make_blocks();
    put64(slot_of(&b, 1) + 104, 1);
    seal(b.directory, sizeof b.directory);
    assert_int_equal(
        count_whole(b.directory, sizeof b.directory, (const uint8_t *)PACK, PACK_BYTES), 2);
}

static void counts_that_cannot_be_are_none(void **state)
{
    static const uint32_t counts[] = {0, SLOTS + 1, OLD_PACK_SLOTS_MAX + 1, UINT32_MAX};
    (void)state;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        blocks b = make_blocks();
        put32(b.directory + 8, counts[i]);
        seal(b.directory, sizeof b.directory);
        assert_int_equal(
            count_whole(b.directory, sizeof b.directory, (const uint8_t *)PACK, PACK_BYTES), 0);
    }
    // More slots than there may be, all of them there.
    const size_t size_bytes = 16 + (OLD_PACK_SLOTS_MAX + 1) * (size_t)128;
    uint8_t *many = calloc(1, size_bytes);
    assert_non_null(many);
    for (uint32_t count = OLD_PACK_SLOTS_MAX; count <= OLD_PACK_SLOTS_MAX + 1; count++) {
        put32(many + 8, count);
        seal(many, size_bytes);
        assert_int_equal(old_pack_open(many, size_bytes, NULL, 0).slot_count,
                         count > OLD_PACK_SLOTS_MAX ? 0 : count);
    }
    free(many);
    // Whole entries, the checksum alone, and half an entry.
    blocks b = make_blocks();
    for (size_t size = 8; size <= sizeof b.list; size++) {
        seal(b.list, size);
        assert_int_equal(old_pack_list_count(b.list, size),
                         (size - 8) % 44 == 0 ? (size - 8) / 44 : 0);
    }
    // Slots that no pack has, and that this one has not.
    const uint32_t slots[] = {SLOTS, OLD_PACK_SLOTS_MAX - 1, OLD_PACK_SLOTS_MAX, UINT32_MAX};
    const old_pack pack =
        old_pack_open(b.directory, sizeof b.directory, (const uint8_t *)PACK, PACK_BYTES);
    for (size_t i = 0; i < sizeof slots / sizeof *slots; i++) {
        old_pack_entry entry;
        put32(b.list + 16, slots[i]);
        assert_int_equal(old_pack_list_at(b.list, 0, &entry), slots[i] < OLD_PACK_SLOTS_MAX);
        const store_tile tile = old_pack_tile(&pack, &entry);
        assert_true(is_lost(&tile, true));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_blocks_give_each_tile),
        cmocka_unit_test(a_block_that_is_cut_gives_nothing_behind_the_cut),
        cmocka_unit_test(a_bit_that_is_flipped_is_noticed),
        cmocka_unit_test(a_bit_that_is_flipped_under_its_checksum_stays_within_the_blocks),
        cmocka_unit_test(a_slot_that_cannot_be_has_lost_its_tile),
        cmocka_unit_test(counts_that_cannot_be_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
