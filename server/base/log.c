// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// log.c: lines for the person or program that watches stderr.
//
// The format string is walked field by field and each value is printed on its own, so that the end
// of a value is known whatever it holds.

#include "server/base/log.h"

#include "proto/json/json.h"
#include "server/base/clock.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define VALUE_BYTES_MAX 512
#define KEY_BYTES_MAX 32

static _Atomic log_level least_level = LOG_LEVEL_INFO;
static _Atomic log_format line_format = LOG_FORMAT_TEXT;

// The arguments, in a struct so that functions can pass on how far they have come.
typedef struct arguments {
    va_list list;
} arguments;

typedef struct value {
    char text[VALUE_BYTES_MAX];
    size_t length;
    bool number; // one conversion of a number and nothing else
} value;

typedef struct line {
    proto_writer writer;
    bool json;
} line;

void log_configure(log_level least, log_format format)
{
    atomic_store(&least_level, least);
    atomic_store(&line_format, format);
}

// ---- values ----

static void added(value *v, int length)
{
    NAV_ASSERT(v->length < sizeof v->text);
    size_t space = sizeof v->text - 1 - v->length;
    v->length += length < 0 ? 0 : ((size_t)length < space ? (size_t)length : space);
}

static long long next_signed(arguments *from, int longs)
{
    return longs == 0 ? va_arg(from->list, int)
                      : (longs == 1 ? va_arg(from->list, long) : va_arg(from->list, long long));
}

static unsigned long long next_unsigned(arguments *from, int longs)
{
    return longs == 0   ? va_arg(from->list, unsigned)
           : longs == 1 ? va_arg(from->list, unsigned long)
                        : va_arg(from->list, unsigned long long);
}

// Takes the modifiers between the percent sign and the letter; returns the place of the letter.
// precision -1: none.
static const char *take_modifiers(const char *at, arguments *from, int *precision, int *longs)
{
    *precision = -1;
    *longs = 0;
    at += strspn(at, "-+ #0123456789");
    if (*at == '.') {
        at++;
        *precision = *at == '*' ? va_arg(from->list, int) : 0;
        for (; *at == '*' || isdigit((unsigned char)*at); at++) {
            *precision = *at == '*' ? *precision : *precision * 10 + (*at - '0');
        }
    }
    _Static_assert(sizeof(size_t) == sizeof(long), "z reads a long");
    for (; *at == 'l' || *at == 'z'; at++) {
        ++*longs;
    }
    return at;
}

// A conversion from behind its percent sign; returns what follows it.
static const char *take_conversion(const char *at, arguments *from, value *v)
{
    int precision, longs;
    at = take_modifiers(at, from, &precision, &longs);
    char *end = v->text + v->length;
    size_t space = sizeof v->text - v->length;
    v->number = *at != 's' && *at != '%' && v->length == 0;
    switch (*at) {
    case 's': {
        const char *text = va_arg(from->list, const char *);
        text = text != NULL ? text : "";
        added(v, precision >= 0 ? snprintf(end, space, "%.*s", precision, text)
                                : snprintf(end, space, "%s", text));
        break;
    }
    case 'd':
    case 'i':
        added(v, snprintf(end, space, "%lld", next_signed(from, longs)));
        break;
    case 'u':
        added(v, snprintf(end, space, "%llu", next_unsigned(from, longs)));
        break;
    case 'x':
        v->number = false;
        added(v, snprintf(end, space, "%llx", next_unsigned(from, longs)));
        break;
    case 'f':
    case 'g': {
        double number = va_arg(from->list, double);
        v->number = v->number && isfinite(number);
        precision = precision >= 0 ? precision : 6;
        added(v, *at == 'f' ? snprintf(end, space, "%.*f", precision, number)
                            : snprintf(end, space, "%.*g", precision, number));
        break;
    }
    default:
        NAV_ASSERT(*at == '%');
        added(v, snprintf(end, space, "%%"));
    }
    return at + 1;
}

// A value's format up to its end; returns what follows it.
static const char *take_value(const char *at, arguments *from, value *v)
{
    bool quoted = *at == '"';
    at += quoted ? 1 : 0;
    *v = (value){0};
    while (*at != '\0' && *at != (quoted ? '"' : ' ')) {
        if (*at == '%') {
            at = take_conversion(at + 1, from, v);
            continue;
        }
        v->number = false;
        if (v->length + 1 < sizeof v->text) {
            v->text[v->length++] = *at;
            v->text[v->length] = '\0';
        }
        at++;
    }
    return quoted && *at == '"' ? at + 1 : at;
}

// ---- lines ----

static bool needs_quotes(const char *text)
{
    bool plain = text[0] != '\0';
    for (const char *c = text; plain && *c != '\0'; c++) {
        plain = *c > ' ' && *c < 0x7f && *c != '"' && *c != '=' && *c != '\\';
    }
    return !plain;
}

static void put_field(line *l, const char *key, const char *text, bool number)
{
    proto_writer *w = &l->writer;
    if (l->json) {
        proto_write_key(w, key);
        if (number) {
            proto_write_raw(w, text);
        } else {
            proto_write_string(w, text);
        }
        return;
    }
    proto_write_text(w, "%s%s=", w->size_bytes > 0 ? " " : "", key);
    if (needs_quotes(text)) {
        w->need_comma = false; // a string of its own, not the next of a list
        proto_write_string(w, text);
    } else {
        proto_write_text(w, "%s", text);
    }
}

static void put_fields(line *l, const char *format, arguments *from)
{
    for (const char *at = format; *at != '\0';) {
        if (*at == ' ') {
            at++;
            continue;
        }
        size_t length = strcspn(at, "= ");
        NAV_ASSERT(at[length] == '=' && length > 0 && length < KEY_BYTES_MAX);
        char key[KEY_BYTES_MAX];
        memcpy(key, at, length);
        key[length] = '\0';
        value v;
        at = take_value(at + length + 1, from, &v);
        put_field(l, key, v.text, v.number);
    }
}

static void log_line(log_level level, const char *event, const char *format, arguments *from)
{
    static const char *const words[] = {[LOG_LEVEL_DEBUG] = "debug",
                                        [LOG_LEVEL_INFO] = "info",
                                        [LOG_LEVEL_WARN] = "warn",
                                        [LOG_LEVEL_ERROR] = "error"};
    char time_text[CLOCK_TEXT_BYTES];
    NAV_ASSERT((size_t)level < sizeof words / sizeof words[0]);
    clock_text(time_text);
    line l = {.json = atomic_load(&line_format) == LOG_FORMAT_JSON};
    proto_writer_init(&l.writer);
    if (l.json) {
        proto_write_object_begin(&l.writer);
    }
    put_field(&l, "time", time_text, false);
    put_field(&l, "level", words[level], false);
    put_field(&l, "event", event, false);
    put_fields(&l, format, from);
    if (l.json) {
        proto_write_object_end(&l.writer);
    }
    proto_write_text(&l.writer, "\n");
    // Without memory, or with a stderr that cannot be written, the line is lost.
    if (!l.writer.failed) {
        ssize_t written = write(STDERR_FILENO, l.writer.bytes, l.writer.size_bytes);
        (void)written;
    }
    proto_writer_free(&l.writer);
}

#define LOG_FUNCTION(name, level)                                                                  \
    void name(const char *event, const char *format, ...)                                          \
    {                                                                                              \
        if ((level) < atomic_load_explicit(&least_level, memory_order_relaxed)) {                  \
            return;                                                                                \
        }                                                                                          \
        arguments from;                                                                            \
        va_start(from.list, format);                                                               \
        log_line((level), event, format, &from);                                                   \
        va_end(from.list);                                                                         \
    }

LOG_FUNCTION(log_debug, LOG_LEVEL_DEBUG)
LOG_FUNCTION(log_info, LOG_LEVEL_INFO)
LOG_FUNCTION(log_warn, LOG_LEVEL_WARN)
LOG_FUNCTION(log_error, LOG_LEVEL_ERROR)
