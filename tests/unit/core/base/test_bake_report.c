// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_bake_report.c: a report comes back from its bytes as it was, without its times; any other
// bytes are refused.

// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "core/nav.h"

#include <stdlib.h>
#include <string.h>

// Every number, every warning, every item, names as long as they may be.
static nav_bake_report full_report(void)
{
    nav_bake_report r = {.triangles = 1,
                         .triangles_steep = 2,
                         .spans = UINT64_MAX,
                         .walkable_spans = 4,
                         .regions = 5,
                         .contours = 6,
                         .polygons = 7,
                         .vertices = 8,
                         .detail_triangles = 9,
                         .walkable_area = 1234.5678,
                         .peak_bytes = 10};
    char name[NAV_NAME_MAX + 1];
    memset(name, 'n', NAV_NAME_MAX);
    name[NAV_NAME_MAX] = 0;
    for (uint32_t code = 0; code < NAV_WARNING_COUNT; ++code) {
        for (uint32_t i = 0; i < NAV_WARNING_ITEMS_MAX + code; ++i) {
            const float position[3] = {(float)i, -1.5f, 1e6f};
            nav_warning_add(&r.warnings[code], position, (float)code, name);
        }
    }
    return r;
}

static void assert_round_trip(const nav_bake_report *r)
{
    uint8_t bytes[NAV_BAKE_REPORT_BYTES_MAX];
    size_t size_bytes = nav_bake_report_pack(r, bytes);
    assert_true(size_bytes <= sizeof bytes);
    nav_bake_report back;
    memset(&back, 0xaa, sizeof back);
    assert_true(nav_bake_report_unpack(bytes, size_bytes, &back));
    assert_memory_equal(&back, r, sizeof back);
}

static void reports_come_back(void **state)
{
    (void)state;
    nav_bake_report empty = {0}, one = {.polygons = 3, .walkable_area = 0.25};
    nav_bake_report full = full_report();
    const float position[3] = {1, 2, 3};
    nav_warning_add(&one.warnings[NAV_WARN_ISLAND], position, 4, NULL);
    assert_round_trip(&empty);
    assert_round_trip(&one);
    assert_round_trip(&full);
    uint8_t bytes[NAV_BAKE_REPORT_BYTES_MAX];
    assert_int_equal(nav_bake_report_pack(&full, bytes), NAV_BAKE_REPORT_BYTES_MAX);
    assert_int_equal(nav_bake_report_pack(&empty, bytes), 90);
}

static void reports_are_added_up(void **state)
{
    (void)state;
    const nav_bake_report part = full_report();
    nav_bake_report sum = full_report();
    sum.spans = 0;
    sum.peak_bytes = 3;
    sum.stage_ns[0] = 1;
    nav_bake_report_add(&sum, &part);
    assert_int_equal(sum.stage_ns[0], 1);
    assert_int_equal(sum.triangles, 2);
    assert_int_equal(sum.triangles_steep, 4);
    assert_int_equal(sum.spans, UINT64_MAX);
    assert_int_equal(sum.walkable_spans, 8);
    assert_int_equal(sum.regions, 10);
    assert_int_equal(sum.contours, 12);
    assert_int_equal(sum.polygons, 14);
    assert_int_equal(sum.vertices, 16);
    assert_int_equal(sum.detail_triangles, 18);
    assert_true(sum.walkable_area == 2 * 1234.5678);
    assert_int_equal(sum.peak_bytes, 10); // of the greedier one
    for (uint32_t code = 0; code < NAV_WARNING_COUNT; ++code) {
        assert_int_equal(sum.warnings[code].count, 2 * (NAV_WARNING_ITEMS_MAX + code));
        assert_int_equal(sum.warnings[code].item_count, NAV_WARNING_ITEMS_MAX);
    }
}

static void times_are_not_kept(void **state)
{
    (void)state;
    nav_bake_report r = {.stage_ns = {5, 6}}, back;
    uint8_t bytes[NAV_BAKE_REPORT_BYTES_MAX];
    assert_true(nav_bake_report_unpack(bytes, nav_bake_report_pack(&r, bytes), &back));
    assert_int_equal(back.stage_ns[0], 0);
}

// Each shorter piece is refused, or is a report with fewer warnings; never a crash. Blocks of the
// exact size let the sanitizer see a read beyond.
static void pieces_are_safe(void **state)
{
    (void)state;
    nav_bake_report full = full_report(), back = {.polygons = 77};
    uint8_t bytes[NAV_BAKE_REPORT_BYTES_MAX];
    size_t size_bytes = nav_bake_report_pack(&full, bytes), taken = 0;
    for (size_t i = 0; i < size_bytes; ++i) {
        uint8_t *piece = malloc(i + 1);
        assert_non_null(piece);
        memcpy(piece, bytes, i);
        piece = realloc(piece, i > 0 ? i : 1);
        taken += nav_bake_report_unpack(piece, i, &back);
        free(piece);
    }
    assert_int_equal(taken, NAV_WARNING_COUNT); // the cuts between two warnings
}

static void wrong_bytes_are_refused(void **state)
{
    (void)state;
    nav_bake_report full = full_report(), back = {.polygons = 77};
    uint8_t bytes[NAV_BAKE_REPORT_BYTES_MAX];
    size_t size_bytes = nav_bake_report_pack(&full, bytes);
    // The format, the kinds of warnings, the sign of the area, a warning's code, items and count,
    // an item's name: its length, a zero within; a code that comes twice.
    const struct {
        size_t at;
        uint8_t value;
    } faults[] = {{0, 2},
                  {1, NAV_WARNING_COUNT + 1},
                  {2 + 9 * 8 + 7, 0xff},
                  {90, NAV_WARNING_COUNT},
                  {91, NAV_WARNING_ITEMS_MAX + 1},
                  {92, NAV_WARNING_ITEMS_MAX - 1},
                  {90 + 6 + 16, 48},
                  {90 + 6 + 17, 0},
                  {90 + 6 + NAV_WARNING_ITEMS_MAX * (17 + NAV_NAME_MAX), 0}};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; ++i) {
        const uint8_t was = bytes[faults[i].at];
        bytes[faults[i].at] = faults[i].value;
        assert_false(nav_bake_report_unpack(bytes, size_bytes, &back));
        assert_int_equal(back.polygons, 77);
        bytes[faults[i].at] = was;
    }
    assert_true(nav_bake_report_unpack(bytes, size_bytes, &back));
    assert_false(nav_bake_report_unpack(NULL, 0, &back));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reports_come_back),       cmocka_unit_test(reports_are_added_up),
        cmocka_unit_test(times_are_not_kept),      cmocka_unit_test(pieces_are_safe),
        cmocka_unit_test(wrong_bytes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
