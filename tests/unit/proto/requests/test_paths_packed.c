// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// The packed form of a batch: every number of its header is checked, and what is wrong is named.

#include "proto/base/bytes.h"
#include "proto/requests/requests.h"
#include "tests/unit/memory_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define HEADER 96
#define COUNT 2
#define SIZE (HEADER + COUNT * 24)

static void right_bytes(uint8_t bytes[SIZE])
{
    memset(bytes, 0, SIZE);
    memcpy(bytes, "NAVQ", 4);
    proto_put_u32(bytes + 4, 1);
    proto_put_u32(bytes + 8, COUNT);
    proto_put_u32(bytes + 12, 7);
    proto_put_u32(bytes + 16, NAV_SEARCH_FAST);
    proto_put_u32(bytes + 20, 500);
    proto_put_u32(bytes + 24, 30000);
    proto_put_u32(bytes + 28, 1);
    for (int i = 0; i < 3; i++) {
        proto_put_float(bytes + 32 + 4 * i, (float)(i + 1));
    }
    memcpy(bytes + 44, "boat", 4);
    for (int i = 0; i < 6 * COUNT; i++) {
        proto_put_float(bytes + HEADER + 4 * i, (float)i);
    }
}

// From a block of just this size, so that a read beyond it is seen.
static nav_status read_bytes(const uint8_t *bytes, size_t size_bytes, proto_batch_request *out,
                             nav_error *err)
{
    uint8_t *exact = malloc(size_bytes > 0 ? size_bytes : 1);
    assert_non_null(exact);
    if (size_bytes > 0) {
        memcpy(exact, bytes, size_bytes);
    }
    nav_status status = proto_batch_read_packed(&PROTO_PATHS, exact, size_bytes, &memory, out, err);
    free(exact);
    return status;
}

static void all_of_the_header_is_read(void **state)
{
    (void)state;
    uint8_t bytes[SIZE];
    proto_batch_request request;
    nav_error err = {0};
    right_bytes(bytes);
    assert_int_equal(read_bytes(bytes, SIZE, &request, &err), NAV_OK);
    assert_int_equal(request.count, COUNT);
    assert_int_equal(request.common.version, 7);
    const proto_path_request *last = (const void *)request.queries[COUNT - 1].question;
    assert_int_equal(last->search, NAV_SEARCH_FAST);
    assert_int_equal(last->max_nodes, 500);
    assert_int_equal(last->common.deadline_ms, 30000);
    assert_false(last->partial);
    assert_true(last->common.snap.horizontal == 1.0f && last->common.snap.up == 2.0f &&
                last->common.snap.down == 3.0f);
    assert_string_equal(last->common.filter.name, "boat");
    assert_true(last->start[0] == 6.0f && last->end[2] == 11.0f);
}

static void wrong_numbers_are_named(void **state)
{
    (void)state;
    const float nan = NAN, too_far = INFINITY, negative = -1.0f, infinite = -INFINITY;
    const struct {
        uint32_t offset, value;
        const float *number; // instead of value
        const char *at;
    } rows[] = {
        {0, 0x4e415651, NULL, "magic"},
        {4, 2, NULL, "format_version"},
        {8, 0, NULL, "count"},
        {8, COUNT + 1, NULL, "count"},
        {16, 3, NULL, "search"},
        {24, 30001, NULL, "deadline_ms"},
        {28, 2, NULL, "flags"},
        {32, 0, &infinite, "snap"},
        {36, 0, &negative, "snap"},
        {40, 0, &too_far, "snap"},
        {52, 0x41, NULL, "filter"},       // behind the name's zeros
        {88, 0x41000000, NULL, "filter"}, // its last byte
        {92, 1, NULL, "count"},           // the size of defaults that are not there
        {HEADER + 4, 0, &nan, "queries[0].start[1]"},
        {HEADER + 44, 0, &infinite, "queries[1].end[2]"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint8_t bytes[SIZE];
        nav_error err = {0};
        proto_batch_request request = {.count = 99};
        right_bytes(bytes);
        if (rows[i].number != NULL) {
            proto_put_float(bytes + rows[i].offset, *rows[i].number);
        } else {
            proto_put_u32(bytes + rows[i].offset, rows[i].value);
        }
        assert_int_equal(read_bytes(bytes, SIZE, &request, &err), NAV_INVALID_FIELD);
        assert_string_equal(err.at, rows[i].at);
        assert_int_equal(request.count, 99);
    }
}

// A distance that is not given has its default, and does not count as given in the level's unit.
static void snap_that_is_no_number_is_the_default(void **state)
{
    (void)state;
    uint8_t bytes[SIZE];
    proto_batch_request all, two;
    nav_error err = {0};
    right_bytes(bytes);
    assert_int_equal(read_bytes(bytes, SIZE, &all, &err), NAV_OK);
    proto_put_float(bytes + 36, NAN);
    assert_int_equal(read_bytes(bytes, SIZE, &two, &err), NAV_OK);
    const proto_common *given = all.queries[0].question, *left = two.queries[0].question;
    assert_true(left->snap.up == nav_snap_default().up);
    assert_true(left->snap.horizontal == 1.0f && left->snap.down == 3.0f);
    assert_int_equal(__builtin_popcountll(given->seen ^ left->seen), 1);
}

// Defaults as JSON go before the header; a query begins as they say, but for its ends.
static void defaults_go_before_the_header(void **state)
{
    (void)state;
    static const char defaults[] =
        "{\"agent\":\"rat\",\"instance\":\"run-17\",\"max_nodes\":9,\"filter\":{\"include\":["
        "\"walk\"]},"
        "\"goal_radius\":2,\"start\":[7,7,7],"
        "\"avoid\":[{\"shape\":\"circle\",\"center\":[1,0,1],\"radius\":1}]}";
    uint8_t bytes[SIZE + sizeof defaults - 1];
    proto_batch_request request;
    nav_error err = {0};
    right_bytes(bytes);
    proto_put_u32(bytes + 92, sizeof defaults - 1);
    memcpy(bytes + SIZE, defaults, sizeof defaults - 1);
    assert_int_equal(read_bytes(bytes, sizeof bytes, &request, &err), NAV_OK);
    assert_null(request.common.agent);
    assert_null(request.common.instance);
    for (uint32_t i = 0; i < COUNT; i++) {
        const proto_path_request *path = (const void *)request.queries[i].question;
        assert_string_equal(path->common.agent, "rat");
        assert_string_equal(path->common.instance, "run-17");
        assert_null(path->common.filter.name);
        assert_int_equal(path->common.filter.include_count, 1);
        assert_int_equal(path->common.avoid_count, 1);
        assert_int_equal(path->common.avoid_list, 1); // the same for all
        assert_int_equal(path->max_nodes, 9);
        assert_int_equal(path->common.deadline_ms, 30000); // the header's
        assert_true(path->goal_radius == 2.0f && path->start[0] == 6.0f * (float)i);
    }
    assert_int_equal(read_bytes(bytes, sizeof bytes - 1, &request, &err), NAV_INVALID_FIELD);
    assert_string_equal(err.at, "count");
    bytes[SIZE] = '[';
    assert_int_not_equal(read_bytes(bytes, sizeof bytes, &request, &err), NAV_OK);
}

static void every_other_size_is_refused(void **state)
{
    (void)state;
    uint8_t bytes[SIZE + 1];
    right_bytes(bytes);
    bytes[SIZE] = 0;
    for (size_t size_bytes = 0; size_bytes <= SIZE + 1; size_bytes++) {
        nav_error err = {0};
        proto_batch_request request;
        assert_int_equal(read_bytes(bytes, size_bytes, &request, &err),
                         size_bytes == SIZE ? NAV_OK : NAV_INVALID_FIELD);
    }
    nav_error err = {0};
    proto_batch_request request;
    proto_put_u32(bytes + 8, PROTO_BATCH_MAX + 1);
    assert_int_equal(read_bytes(bytes, SIZE, &request, &err), PROTO_BATCH_TOO_LARGE);
    assert_string_equal(err.limit, "10000");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_of_the_header_is_read),
        cmocka_unit_test(wrong_numbers_are_named),
        cmocka_unit_test(snap_that_is_no_number_is_the_default),
        cmocka_unit_test(defaults_go_before_the_header),
        cmocka_unit_test(every_other_size_is_refused),
    };
    return cmocka_run_group_tests(tests, memory_begin, memory_end);
}
