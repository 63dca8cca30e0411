// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_text.c: a decimal number is the double that is nearest to it, whichever way it is read:
// short ones by hand, all others by the C library, which is asked here for each. Characters
// that would turn a line around are known.

#include "proto/base/text.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "proto/requests/requests.h"
#include "tests/unit/memory_fixture.h"

#define NUMBERS 200000
#define QUESTIONS 20000

static uint64_t chance = 11;

// splitmix64 of Vigna 2015.
static uint32_t below(uint32_t limit)
{
    uint64_t value = chance += UINT64_C(0x9e3779b97f4a7c15);
    value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)((value ^ (value >> 31)) >> 32) % limit;
}

static char *put_digits(char *out, uint32_t count)
{
    for (; count > 0; count--) {
        *out++ = (char)('0' + (below(4) == 0 ? 0 : below(10)));
    }
    return out;
}

// A number as JSON has it, or, where not strict, as an argument may have it: with a plus, zeros in
// front, nothing before the point or behind it.
static void make_number(char *out, bool strict, int exponent_max)
{
    if (below(3) == 0) {
        *out++ = strict || below(2) == 0 ? '-' : '+';
    }
    char *const whole = out;
    out = put_digits(out, below(8) == 0 ? below(25) : below(8));
    if (out == whole || (strict && *whole == '0')) {
        out = whole;
        *out++ = '0';
    }
    if (below(4) != 0) {
        *out++ = '.';
        out = put_digits(out, (strict ? 1 : 0) + (below(8) == 0 ? below(25) : below(8)));
    }
    if (!strict && below(8) == 0 && whole[0] == '0' && whole[1] == '.' && out - whole > 2) {
        memmove(whole, whole + 1, (size_t)(out - whole));
        out--;
    }
    *out = '\0';
    if (below(4) == 0) {
        const int exponent = (int)below(2 * (uint32_t)exponent_max + 1) - exponent_max;
        (void)sprintf(out, "%c%s%d", below(2) == 0 ? 'e' : 'E',
                      exponent >= 0 && below(2) == 0 ? "+" : "", exponent);
    }
}

static void assert_same(double got, double wanted, const char *text)
{
    if (memcmp(&got, &wanted, sizeof got) != 0) {
        fail_msg("%s is %.17g, not %.17g", text, wanted, got);
    }
}

static void assert_number(const char *text)
{
    const double wanted = strtod(text, NULL);
    const size_t length = strlen(text);
    double got = -7;
    assert_true(proto_text_decimal(text, length, &got));
    assert_same(got, wanted, text);
}

static void a_number_is_the_nearest_double(void **state)
{
    static const char *const numbers[] = {
        "0",
        "-0",
        "-0.0",
        "+0",
        "00",
        "-000.000",
        "5.",
        ".5",
        "-.5",
        "007.250",
        "999999999999999",
        "-99999999999999.9",
        ".999999999999999",
        "0.99999999999999",
        "1000000000000000",
        "9007199254740993",
        "9007199254740992.5",
        "179769313486231570000",
        "1e22",
        "1e23",
        "-1e-22",
        "1e-23",
        "4.9e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "1.7976931348623158e308",
        "1e309",
        "-1e400",
        "1e-400",
        "0e999999999",
        "1e-999999999",
        "0.1e1",
        "123456789012345e-15",
        "8.5e+00",
        "0.000000000000000000000000000001",
        "2.2250738585072011e-308",
        "0.500000000000000166533453693773481063544750213623046875"};
    char text[96];
    (void)state;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        assert_number(numbers[i]);
    }
    for (int i = 0; i < NUMBERS; i++) {
        make_number(text, below(2) == 0, below(4) == 0 ? 340 : 25);
        assert_number(text);
    }
}

static void what_is_no_number_is_refused(void **state)
{
    static const char *const texts[] = {"",    "-",   "+",   ".",     "-.",   "1.2.3", "1e",
                                        "1e+", "--1", "+-1", "1 ",    " 1",   "nan",   "inf",
                                        "0x1", "1,5", "e5",  "1e5.5", "1e+-5"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        double got;
        assert_false(proto_text_decimal(texts[i], strlen(texts[i]), &got));
    }
}

// The same places from arguments and from JSON, and the library's.
static void places_of_questions_are_the_nearest_floats(void **state)
{
    (void)state;
    for (int i = 0; i < QUESTIONS; i++) {
        char numbers[6][96], from[320], to[320], json[720];
        nav_error err = {0};
        proto_path_request sent = {0}, posted = {0};
        for (int k = 0; k < 6; k++) {
            do {
                make_number(numbers[k], true, 12);
            } while (fabs(strtod(numbers[k], NULL)) > 1e6);
        }
        (void)snprintf(from, sizeof from, "%s,%s,%s", numbers[0], numbers[1], numbers[2]);
        (void)snprintf(to, sizeof to, "%s,%s,%s", numbers[3], numbers[4], numbers[5]);
        (void)snprintf(json, sizeof json, "{\"start\":[%s],\"end\":[%s]}", from, to);
        const proto_arg args[] = {{"start", from}, {"end", to}};
        if (proto_request_args(&PROTO_PATH, args, 2, &memory, &sent, &err) != NAV_OK ||
            proto_request_json(&PROTO_PATH, json, strlen(json), &memory, &posted, &err) != NAV_OK) {
            fail_msg("%s %s: %s", from, to, err.detail);
        }
        for (int k = 0; k < 6; k++) {
            const float wanted = (float)strtod(numbers[k], NULL) + 0.0f; // -0 is 0
            assert_memory_equal(k < 3 ? &sent.start[k] : &sent.end[k - 3], &wanted, sizeof wanted);
            assert_memory_equal(k < 3 ? &posted.start[k] : &posted.end[k - 3], &wanted,
                                sizeof wanted);
        }
    }
}

static uint32_t hidden(uint32_t code)
{
    char bytes[8];
    char *end = bytes;
    assert_true(proto_text_put_utf8(code, &end, bytes + sizeof bytes));
    return proto_text_hidden(bytes, (size_t)(end - bytes));
}

static void what_turns_a_line_around_is_hidden(void **state)
{
    (void)state;
    static const uint32_t found[] = {0x7f,   0x80,   0x9f,   0x61c,  0x200b, 0x200f,
                                     0x2028, 0x202e, 0x2060, 0x206f, 0xfeff};
    static const uint32_t shown[] = {0x1f,   0x20,   0x7e,   0xa0,    0x61b,  0x61d,
                                     0x200a, 0x2010, 0x2027, 0x202f,  0x205f, 0x2070,
                                     0xfefe, 0xff00, 0xffff, 0x10000, 0x1f600};
    for (size_t i = 0; i < sizeof found / sizeof *found; i++) {
        assert_int_equal(hidden(found[i]), found[i]);
    }
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        assert_int_equal(hidden(shown[i]), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_number_is_the_nearest_double),
        cmocka_unit_test(what_is_no_number_is_refused),
        cmocka_unit_test(what_turns_a_line_around_is_hidden),
        cmocka_unit_test_setup_teardown(places_of_questions_are_the_nearest_floats, memory_begin,
                                        memory_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
