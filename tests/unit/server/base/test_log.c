// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_log.c: whatever values hold, a line is one line, its fields are those of the format, and a
// level that is not wanted writes nothing.

#include "proto/json/json.h"
#include "server/base/log.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static FILE *file;
static int kept;

// From here on stderr goes to a file, until end_capture.
static void begin_capture(void)
{
    file = tmpfile();
    assert_non_null(file);
    kept = dup(STDERR_FILENO);
    (void)dup2(fileno(file), STDERR_FILENO);
}

static void end_capture(char *out, size_t out_bytes)
{
    (void)dup2(kept, STDERR_FILENO);
    (void)close(kept);
    rewind(file);
    size_t got = fread(out, 1, out_bytes - 1, file);
    out[got] = '\0';
    (void)fclose(file);
}

// The rest of the only line, behind its time and level.
static const char *after(const char *text, const char *mark)
{
    const char *at = strstr(text, mark);
    assert_non_null(at);
    const char *end = strchr(text, '\n');
    assert_non_null(end);
    assert_int_equal(end[1], '\0');
    return at + strlen(mark);
}

static void text_lines(void **state)
{
    (void)state;
    char text[4096];
    log_configure(LOG_LEVEL_INFO, LOG_FORMAT_TEXT);
    begin_capture();
    log_info("baked", "mesh=%s version=%u ms=%.1f bytes=%llu size=%zu left=%d", "town", 3u, 1.25,
             12345678901ull, (size_t)7, -2);
    end_capture(text, sizeof text);
    assert_int_equal(strncmp(text, "time=20", 7), 0);
    assert_string_equal(
        after(text, " level=info "),
        "event=baked mesh=town version=3 ms=1.2 bytes=12345678901 size=7 left=-2\n");
}

static void json_lines(void **state)
{
    (void)state;
    char text[4096];
    log_configure(LOG_LEVEL_INFO, LOG_FORMAT_JSON);
    begin_capture();
    log_error("bake_failed", "mesh=%s version=%u ms=%.1f detail=\"%s\" ratio=%g state=ready", "1",
              3u, 0.5, "it is \"bad\"", (double)NAN);
    end_capture(text, sizeof text);
    assert_int_equal(proto_json_scan(text, strlen(text), 4, 100, NULL), NAV_OK);
    assert_string_equal(
        after(text, "\"level\":\"error\","),
        "\"event\":\"bake_failed\",\"mesh\":\"1\",\"version\":3,\"ms\":0.5,"
        "\"detail\":\"it is \\\"bad\\\"\",\"ratio\":\"nan\",\"state\":\"ready\"}\n");
}

static void values_of_clients(void **state)
{
    (void)state;
    static const char *const hostile[] = {"\n", "a\nlevel=error", "\x1b[31m", "\"",    "x y", "a=b",
                                          "",   "\xff\xfe",       "\\",       "\r\n\t"};
    for (int format = LOG_FORMAT_TEXT; format <= LOG_FORMAT_JSON; format++) {
        log_configure(LOG_LEVEL_INFO, (log_format)format);
        for (size_t i = 0; i < sizeof hostile / sizeof hostile[0]; i++) {
            char text[4096];
            begin_capture();
            log_info("asked", "target=%s end=1", hostile[i]);
            end_capture(text, sizeof text);
            const char *rest = after(text, format == LOG_FORMAT_TEXT ? " target=" : "\"target\":");
            assert_int_equal(rest[0], '"');
            for (const char *c = text; c[1] != '\0'; c++) {
                assert_true((unsigned char)*c >= ' ' && *c != 0x7f);
            }
            if (format == LOG_FORMAT_JSON) {
                assert_int_equal(proto_json_scan(text, strlen(text), 4, 100, NULL), NAV_OK);
            } else {
                // The quoted value is whole, so that the next field is where it should be.
                assert_string_equal(rest + strlen(rest) - 8, "\" end=1\n");
            }
        }
    }
}

static void long_values_are_cut(void **state)
{
    (void)state;
    char text[8192], value[4000];
    memset(value, 'a', sizeof value - 1);
    value[sizeof value - 1] = '\0';
    log_configure(LOG_LEVEL_INFO, LOG_FORMAT_TEXT);
    begin_capture();
    log_info("asked", "target=%s cut=%.*s end=%%", value, 3, "abcdef");
    end_capture(text, sizeof text);
    assert_true(strlen(text) < 1000);
    assert_non_null(strstr(text, "aaa cut=abc end=%\n"));
}

static void levels(void **state)
{
    (void)state;
    char text[4096];
    log_configure(LOG_LEVEL_WARN, LOG_FORMAT_TEXT);
    begin_capture();
    log_debug("one", "a=%d", 1);
    log_info("two", "a=%d", 2);
    log_warn("three", "a=%d", 3);
    log_error("four", "a=%d", 4);
    end_capture(text, sizeof text);
    assert_null(strstr(text, "one"));
    assert_null(strstr(text, "two"));
    assert_non_null(strstr(text, "level=warn event=three a=3\n"));
    assert_non_null(strstr(text, "level=error event=four a=4\n"));
    log_configure(LOG_LEVEL_DEBUG, LOG_FORMAT_TEXT);
    begin_capture();
    log_debug("one", "a=%d", 1);
    end_capture(text, sizeof text);
    assert_non_null(strstr(text, "level=debug event=one a=1\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_lines),
        cmocka_unit_test(json_lines),
        cmocka_unit_test(values_of_clients),
        cmocka_unit_test(long_values_are_cut),
        cmocka_unit_test(levels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
