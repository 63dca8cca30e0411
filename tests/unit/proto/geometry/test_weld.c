// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_weld.c: each position is one vertex, numbered by first use, however many there are; -0 is 0;
// positions that were chosen to fall on one place end soon.

#include "proto/geometry/geometry.h"
#include "tests/unit/failing_malloc.h"
#include "tests/unit/geometry_text.h"

#include <math.h>

typedef struct fixture {
    proto_geometry_reader *reader;
    proto_weld weld;
} fixture;

static void fixture_init(fixture *f)
{
    *f = (fixture){0};
    assert_int_equal(proto_geometry_begin(PROTO_FORMAT_STL, NULL, &f->reader, NULL), NAV_OK);
}

static void fixture_free(fixture *f)
{
    proto_weld_free(&f->weld);
    proto_geometry_destroy(f->reader);
}

static uint32_t weld(fixture *f, float x, float y, float z)
{
    float position[3] = {x, y, z};
    uint32_t vertex = NAV_NONE;
    assert_int_equal(proto_weld_vertex(f->reader, &f->weld, position, &vertex, NULL), NAV_OK);
    return vertex;
}

static void equal_bits_are_one_vertex(void **state)
{
    (void)state;
    fixture f;
    fixture_init(&f);
    assert_int_equal(weld(&f, 1, 2, 3), 0);
    assert_int_equal(weld(&f, 3, 2, 1), 1);
    assert_int_equal(weld(&f, nextafterf(1, 2), 2, 3), 2);
    assert_int_equal(weld(&f, 0, 0, 0), 3);
    assert_int_equal(weld(&f, 1, 2, 3), 0);
    assert_int_equal(weld(&f, -0.0f, 0, -0.0f), 3);
    assert_int_equal(weld(&f, 5, -0.0f, 1), 4);
    assert_int_equal(weld(&f, 5, 0, 1), 4);
    assert_false(signbit(f.reader->vertices[3 * 4 + 1]));
    fixture_free(&f);
}

// A grid of 200,000 positions, three times over, while the table grows.
static void many(void **state)
{
    (void)state;
    fixture f;
    fixture_init(&f);
    for (int round = 0; round < 3; round++) {
        for (uint32_t i = 0; i < 200000; i++) {
            const uint32_t k = round == 1 ? 199999 - i : i;
            assert_int_equal(weld(&f, (float)(k % 500) * 0.3f - 70, 1.5f, (float)(k / 500) * 0.3f),
                             k);
        }
    }
    assert_int_equal(f.reader->vertex_count, 200000);
    assert_true(f.weld.used == 200000 && f.weld.table_size == 524288);
    fixture_free(&f);
}

// The places of these are the same, whatever the size of the table: at most 64 of them are found
// again, the others are vertices of their own, and each costs no more than the last.
static void positions_on_one_place(void **state)
{
    (void)state;
    fixture f;
    fixture_init(&f);
    f.weld.table_size = 1u << 20;
    f.weld.table = malloc((size_t)f.weld.table_size * sizeof *f.weld.table);
    assert_non_null(f.weld.table);
    memset(f.weld.table, 0,
           (size_t)f.weld.table_size * sizeof *f.weld.table); // all taken by vertex 0
    const float first[3] = {9, 9, 9};
    assert_int_equal(proto_geometry_add_vertex(f.reader, first, NULL), NAV_OK);
    for (uint32_t i = 1; i < 100000; i++) {
        assert_int_equal(weld(&f, 1, 2, 3), i);
    }
    assert_int_equal(f.weld.used, 0);
    assert_int_equal(weld(&f, 9, 9, 9), 0);
    fixture_free(&f);
}

// Each allocation fails in turn: the refusal is a plain one, and what is there can be freed.
static void memory_that_fails(void **state)
{
    (void)state;
    uint32_t failures = 0;
    for (bool came = FAILING_MALLOC; came;) {
        fixture f;
        fixture_init(&f);
        nav_status status = NAV_OK;
        failing_malloc_begin(failures, true);
        for (uint32_t i = 0; i < 3000 && status == NAV_OK; i++) {
            float position[3] = {(float)i, 0, 0};
            uint32_t vertex = NAV_NONE;
            status = proto_weld_vertex(f.reader, &f.weld, position, &vertex, NULL);
            assert_true(status != NAV_OK || vertex == i);
        }
        came = failing_malloc_end();
        assert_int_equal(status, came ? NAV_NO_MEMORY : NAV_OK);
        fixture_free(&f);
        failures += came ? 1 : 0;
    }
    assert_true(failures > 4 || !FAILING_MALLOC);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_bits_are_one_vertex),
        cmocka_unit_test(many),
        cmocka_unit_test(positions_on_one_place),
        cmocka_unit_test(memory_that_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
