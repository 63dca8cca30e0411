// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_format.c: directories and lists read back as they were written; of those that were cut
// or changed by a bit nothing is believed, and an offset that leads outside is not followed.

#include "server/store/tiles/format.h"

#include "core/tile/tile.h"
#include "server/store/tiles/index.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void write_directory(void **out, size_t *out_bytes)
{
    static char packed[] = "packed", report[] = "report";
    store_tile slots[4] = {{.key = {1}, .has_key = true, .report = report, .report_bytes = 6},
                           {0},
                           {.hash = {2},
                            .bytes = 60,
                            .packed = packed,
                            .packed_bytes = 6,
                            .packed_hash = {3},
                            .has_packed_hash = true},
                           {.key = {4},
                            .has_key = true,
                            .hash = {5},
                            .bytes = 50,
                            .packed = packed,
                            .packed_bytes = 5,
                            .report = report,
                            .report_bytes = 3}};
    const store_pack pack = {.number = 1, .slots = slots, .count = 4};
    assert_true(store_pack_is_dropped(&slots[1]) && !store_pack_is_dropped(&slots[0]));
    assert_true(store_directory_write(&pack, out, out_bytes));
}

static void directories_read_back(void **state)
{
    (void)state;
    void *bytes;
    size_t size_bytes;
    store_directory directory;
    store_slot slot;
    store_tile tile = {0};
    write_directory(&bytes, &size_bytes);
    assert_true(store_directory_open(bytes, size_bytes, &directory));
    assert_int_equal(directory.count, 4);
    assert_true(store_directory_slot(&directory, 0, &slot));
    assert_memory_equal(directory.bytes + slot.report_at_bytes, "report", slot.report_bytes);
    assert_int_equal(slot.bytes, 0);
    assert_false(store_directory_slot(&directory, 1, &slot)); // dropped
    assert_true(store_directory_slot(&directory, 2, &slot));
    store_slot_read(&slot, &tile);
    assert_true(!tile.has_key && tile.has_packed_hash && tile.packed_hash[0] == 3);
    assert_int_equal(slot.at_bytes, 0);
    assert_true(store_directory_slot(&directory, 3, &slot));
    store_slot_read(&slot, &tile);
    assert_true(tile.has_key && tile.key[0] == 4 && !tile.has_packed_hash && tile.hash[0] == 5);
    assert_int_equal(slot.at_bytes, 6);
    assert_int_equal(slot.packed_bytes, 5);
    assert_int_equal(slot.report_bytes, 3);
    assert_false(store_directory_slot(&directory, 4, &slot));
    free(bytes);
}

static void a_directory_that_was_cut_or_changed_is_not_believed(void **state)
{
    (void)state;
    void *written;
    size_t size_bytes;
    store_directory directory;
    write_directory(&written, &size_bytes);
    uint8_t *bytes = written;
    assert_false(store_directory_open(NULL, 0, &directory));
    for (size_t cut = 0; cut < size_bytes; cut++) {
        uint8_t *part = malloc(cut + 1); // of its own, so that a sanitizer sees a step outside
        assert_non_null(part);
        memcpy(part, bytes, cut);
        assert_false(store_directory_open(part, cut, &directory));
        free(part);
    }
    for (size_t bit = 0; bit < size_bytes * 8; bit++) {
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        assert_false(store_directory_open(bytes, size_bytes, &directory));
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    assert_true(store_directory_open(bytes, size_bytes, &directory));
    free(written);
}

// A checksum that fits does not make what it covers true.
static void offsets_that_lead_outside_are_not_followed(void **state)
{
    (void)state;
    void *written;
    size_t size_bytes;
    store_directory directory;
    store_slot slot;
    write_directory(&written, &size_bytes);
    uint8_t *bytes = written;
    const uint32_t far = UINT32_MAX;
    uint8_t *report_bytes = bytes + 16 + offsetof(store_slot, report_bytes);
    memcpy(report_bytes, &far, sizeof far);
    uint64_t checksum = nav_tile_checksum(bytes + 8, size_bytes - 8);
    memcpy(bytes, &checksum, sizeof checksum);
    assert_true(store_directory_open(bytes, size_bytes, &directory));
    assert_false(store_directory_slot(&directory, 0, &slot));
    memcpy(bytes + 8, &far, sizeof far); // slots
    checksum = nav_tile_checksum(bytes + 8, size_bytes - 8);
    memcpy(bytes, &checksum, sizeof checksum);
    assert_false(store_directory_open(bytes, size_bytes, &directory));
    free(written);
}

// A place has room for so many slots, and so have the tables of those who read.
static void slots_that_have_no_place_are_not_believed(void **state)
{
    (void)state;
    store_tile *slots = calloc(STORE_SLOTS_MAX + 1, sizeof *slots);
    store_pack pack = {.number = 1, .slots = slots, .count = STORE_SLOTS_MAX};
    store_list_entry entry = {.slot = STORE_SLOTS_MAX - 1};
    store_directory directory;
    store_list list;
    assert_non_null(slots);
    for (unsigned more = 0; more <= 1; more++, pack.count++, entry.slot++) {
        void *bytes;
        size_t size_bytes;
        assert_true(store_directory_write(&pack, &bytes, &size_bytes));
        assert_int_equal(store_directory_open(bytes, size_bytes, &directory), more == 0);
        free(bytes);
        assert_true(store_list_write(&entry, 1, &bytes, &size_bytes));
        assert_int_equal(store_list_open(bytes, size_bytes, &list), more == 0);
        free(bytes);
    }
    free(slots);
}

static void lists_read_back_and_damaged_ones_do_not(void **state)
{
    (void)state;
    const store_list_entry entries[2] = {{.z = 1, .x = 2, .slot = 3, .hash = {4}},
                                         {.z = 5, .x = 6, .slot = 7}};
    void *written;
    size_t size_bytes;
    store_list list;
    assert_true(store_list_write(entries, 2, &written, &size_bytes));
    uint8_t *bytes = written;
    assert_true(store_list_open(bytes, size_bytes, &list));
    assert_int_equal(list.count, 2);
    const store_list_entry first = store_list_at(&list, 0), second = store_list_at(&list, 1);
    assert_memory_equal(&first, &entries[0], sizeof first);
    assert_memory_equal(&second, &entries[1], sizeof second);
    assert_true(store_list_has_ground(&first) && !store_list_has_ground(&second));
    for (size_t bit = 0; bit < size_bytes * 8; bit++) {
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        assert_false(store_list_open(bytes, size_bytes, &list));
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    for (size_t cut = 0; cut < size_bytes; cut++) {
        assert_false(store_list_open(bytes, cut, &list));
    }
    assert_false(store_list_open(NULL, 0, &list));
    free(written);
    assert_true(store_list_write(NULL, 0, &written, &size_bytes));
    assert_true(store_list_open(written, size_bytes, &list));
    assert_int_equal(list.count, 0);
    free(written);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(directories_read_back),
        cmocka_unit_test(a_directory_that_was_cut_or_changed_is_not_believed),
        cmocka_unit_test(offsets_that_lead_outside_are_not_followed),
        cmocka_unit_test(slots_that_have_no_place_are_not_believed),
        cmocka_unit_test(lists_read_back_and_damaged_ones_do_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
