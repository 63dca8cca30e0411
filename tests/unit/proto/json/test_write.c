// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_write.c: what is written is the JSON that was meant, whatever text and numbers go in.

#include "proto/json/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void assert_written(proto_writer *w, const char *wanted)
{
    size_t size_bytes;
    char *text = proto_writer_take(w, &size_bytes);
    assert_non_null(text);
    assert_string_equal(text, wanted);
    assert_int_equal(size_bytes, strlen(wanted));
    free(text);
}

static void test_commas(void **state)
{
    (void)state;
    proto_writer w;
    proto_writer_init(&w);
    proto_write_object_begin(&w);
    proto_write_key(&w, "a");
    proto_write_array_begin(&w);
    proto_write_array_begin(&w);
    proto_write_array_end(&w);
    proto_write_int(&w, 1);
    proto_write_bool(&w, false);
    proto_write_object_begin(&w);
    proto_write_object_end(&w);
    proto_write_null(&w);
    proto_write_array_end(&w);
    proto_write_key(&w, "b");
    proto_write_bool(&w, true);
    proto_write_key(&w, "c");
    proto_write_raw(&w, "{\"d\":1}");
    proto_write_key(&w, "e");
    proto_write_raw(&w, NULL);
    proto_write_key(&w, "f");
    proto_write_raw(&w, "");
    proto_write_object_end(&w);
    assert_written(&w, "{\"a\":[[],1,false,{},null],\"b\":true,\"c\":{\"d\":1},\"e\":null,"
                       "\"f\":null}");
    assert_written(&w, ""); // a taken writer is a new one
}

static void test_strings(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"", "\"\""},
        {"plain", "\"plain\""},
        {"\"\\\b\f\n\r\t/", "\"\\\"\\\\\\b\\f\\n\\r\\t/\""},
        {"\x01\x1f\x7f", "\"\\u0001\\u001f\\u007f\""},
        {"gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80",
         "\"gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80\""},
        {"a\xff"
         "b",
         "\"a\xef\xbf\xbd"
         "b\""},
        {"cut \xe2\x82", "\"cut \xef\xbf\xbd\xef\xbf\xbd\""},
        {"\xc0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\""},                 // overlong
        {"\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""}, // surrogate
        {NULL, "null"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        proto_writer w;
        proto_writer_init(&w);
        proto_write_string(&w, cases[i][0]);
        assert_written(&w, cases[i][1]);
    }
}

static void test_fixed(void **state)
{
    (void)state;
    static const struct {
        double value;
        int decimals;
        const char *text;
    } cases[] = {
        {0.0, 3, "0"},
        {-0.0, 3, "0"},
        {1.0, 3, "1"},
        {12.3, 3, "12.3"},
        {12.3456, 3, "12.346"},
        {-12.3454, 3, "-12.345"},
        {-0.0004, 3, "0"},
        {0.05, 3, "0.05"},
        {0.9996, 3, "1"},
        {100.0, 0, "100"},
        {99.5, 0, "100"},
        {-1234567.891, 3, "-1234567.891"},
        {0.000001, 6, "0.000001"},
        {(double)NAN, 3, "null"},
        {(double)INFINITY, 3, "null"},
        {1e300, 3, "1.0000000000000001e+300"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        proto_writer w;
        proto_writer_init(&w);
        proto_write_fixed(&w, cases[i].value, cases[i].decimals);
        assert_written(&w, cases[i].text);
    }
}

static void test_integers_and_points(void **state)
{
    (void)state;
    proto_writer w;
    proto_writer_init(&w);
    proto_write_array_begin(&w);
    proto_write_int(&w, 0);
    proto_write_int(&w, INT64_MAX);
    proto_write_int(&w, INT64_MIN);
    proto_write_point(&w, (const float[3]){1.0f, -2.5f, 0.0625f});
    proto_write_array_end(&w);
    assert_written(&w, "[0,9223372036854775807,-9223372036854775808,[1,-2.5,0.063]]");
}

static void test_floats_read_back(void **state)
{
    (void)state;
    static const struct {
        float value;
        const char *text;
    } cases[] = {{0.3f, "0.3"},
                 {0.2f, "0.2"},
                 {45.0f, "45"},
                 {1.3f, "1.3"},
                 {0.0f, "0"},
                 {-0.1f, "-0.1"},
                 {16777216.0f, "16777216"},
                 {1.0f / 3.0f, "0.33333334"}};
    proto_writer w;
    proto_writer_init(&w);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        proto_write_float(&w, cases[i].value);
        assert_written(&w, cases[i].text);
    }
    uint32_t bits = 12345;
    for (int i = 0; i < 20000; i++) {
        bits = bits * 1664525u + 1013904223u;
        float value;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value)) {
            continue;
        }
        proto_write_float(&w, value);
        size_t size_bytes;
        char *text = proto_writer_take(&w, &size_bytes);
        assert_true(strtof(text, NULL) == value);
        assert_int_equal(proto_json_scan(text, size_bytes, 1, 1, NULL), NAV_OK);
        free(text);
    }
}

// Every number of thousandths is printed as printf prints it.
static void assert_as_printf(int thousandths)
{
    char wanted[32];
    snprintf(wanted, sizeof wanted, "%.3f", thousandths / 1000.0);
    size_t length = strlen(wanted);
    while (wanted[length - 1] == '0') {
        wanted[--length] = '\0';
    }
    if (wanted[length - 1] == '.') {
        wanted[length - 1] = '\0';
    }
    proto_writer w;
    proto_writer_init(&w);
    proto_write_fixed(&w, thousandths / 1000.0, 3);
    assert_written(&w, wanted);
}

static void test_fixed_agrees_with_printf(void **state)
{
    (void)state;
    for (int i = -250000; i < 250000; i += 7) {
        assert_as_printf(i);
    }
    // Numbers of one to seven digits, and where the short way of printing ends.
    for (int power = 10; power <= 100000000; power *= 10) {
        for (int i = -1100; i < 1100; i += 3) {
            assert_as_printf(power + i);
            assert_as_printf(-power - i);
        }
    }
}

static void test_thousandths_are_rounded(void **state)
{
    (void)state;
    const struct {
        double value;
        const char *text;
    } rows[] = {{0.0005, "0.001"},
                {0.00049, "0"},
                {-0.0004, "0"},
                {-0.0006, "-0.001"},
                {9.9996, "10"},
                {99.9999, "100"},
                {9999.9994, "9999.999"},
                {9999.9996, "10000"},
                {-9999.9996, "-10000"},
                {9999.9989, "9999.999"},
                {10000.0004, "10000"},
                {123456.7896, "123456.79"},
                {4294967.2965, "4294967.297"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        proto_writer w;
        proto_writer_init(&w);
        proto_write_fixed(&w, rows[i].value, 3);
        assert_written(&w, rows[i].text);
    }
}

// Growth keeps what was there; a failed writer stays failed and gives nothing.
static void test_growth_and_failure(void **state)
{
    (void)state;
    proto_writer w;
    proto_writer_init(&w);
    for (int i = 0; i < 5000; i++) {
        proto_write_text(&w, "%04d", i);
    }
    size_t size_bytes;
    char *text = proto_writer_take(&w, &size_bytes);
    assert_int_equal(size_bytes, 20000);
    assert_memory_equal(text + 4 * 4321, "4321", 4);
    free(text);
    proto_writer_init(&w);
    proto_write_int(&w, 1);
    w.size_bytes = SIZE_MAX - 4; // as if the memory were full
    w.capacity_bytes = SIZE_MAX - 4;
    proto_write_string(&w, "one more");
    assert_true(w.failed);
    proto_write_int(&w, 2);
    assert_null(proto_writer_take(&w, &size_bytes));
    assert_int_equal(size_bytes, 0);
    proto_writer_free(&w);
    assert_false(w.failed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_commas),
        cmocka_unit_test(test_strings),
        cmocka_unit_test(test_fixed),
        cmocka_unit_test(test_integers_and_points),
        cmocka_unit_test(test_floats_read_back),
        cmocka_unit_test(test_fixed_agrees_with_printf),
        cmocka_unit_test(test_thousandths_are_rounded),
        cmocka_unit_test(test_growth_and_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
