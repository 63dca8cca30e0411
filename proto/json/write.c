// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// write.c: JSON written straight into a growing buffer, no tree in between. The last step of
// every answer. write_numbers.c has the numbers.

#include "proto/json/write.h"
#include "proto/base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CAPACITY_BYTES_MIN 512u

void proto_writer_init(proto_writer *w)
{
    *w = (proto_writer){.coordinates = nav_coordinates_default()};
}

void proto_writer_free(proto_writer *w)
{
    free(w->bytes);
    proto_writer_init(w);
}

static void fail(proto_writer *w)
{
    free(w->bytes);
    // Brackets are still closed.
    *w = (proto_writer){
        .failed = true, .at_limit = w->at_limit, .depth = w->depth, .coordinates = w->coordinates};
}

char *proto_writer_grow(proto_writer *w, size_t more_bytes)
{
    if (w->failed) {
        return NULL;
    }
    size_t need_bytes, twice_bytes;
    if (__builtin_add_overflow(w->size_bytes + 1, more_bytes, &need_bytes) ||
        __builtin_mul_overflow(w->capacity_bytes, 2, &twice_bytes)) {
        fail(w);
        return NULL;
    }
    if (w->limit_bytes > 0 && need_bytes - 1 > w->limit_bytes) {
        w->at_limit = true;
        fail(w);
        return NULL;
    }
    size_t capacity_bytes = twice_bytes > need_bytes ? twice_bytes : need_bytes;
    capacity_bytes = capacity_bytes > CAPACITY_BYTES_MIN ? capacity_bytes : CAPACITY_BYTES_MIN;
    if (w->limit_bytes > 0 && capacity_bytes > w->limit_bytes) {
        capacity_bytes = w->limit_bytes + 1;
    }
    char *bytes = realloc(w->bytes, capacity_bytes);
    if (bytes == NULL) {
        fail(w);
        return NULL;
    }
    w->bytes = bytes;
    w->capacity_bytes = capacity_bytes;
    return bytes + w->size_bytes;
}

char *proto_writer_take(proto_writer *w, size_t *size_bytes)
{
    char *end = proto_writer_reserve(w, 0);
    if (end != NULL) {
        *end = '\0';
    }
    char *bytes = w->bytes; // NULL: it has failed
    if (size_bytes != NULL) {
        *size_bytes = w->size_bytes;
    }
    proto_writer_init(w);
    return bytes;
}

void proto_writer_put(proto_writer *w, const void *bytes, size_t size_bytes)
{
    char *end = proto_writer_reserve(w, size_bytes);
    if (end != NULL && size_bytes > 0) {
        memcpy(end, bytes, size_bytes);
        w->size_bytes += size_bytes;
    }
}

static void open_bracket(proto_writer *w, char bracket)
{
    w->depth++;
    char *end = proto_writer_begin_value(w, 1);
    if (end != NULL) {
        *end++ = bracket;
        proto_writer_end_value(w, end);
    }
    w->need_comma = false;
}

static void close_bracket(proto_writer *w, char bracket)
{
    NAV_ASSERT(w->depth > 0);
    w->depth--;
    char *end = proto_writer_reserve(w, 1);
    if (end != NULL) {
        *end++ = bracket;
        proto_writer_end_value(w, end);
    }
    w->need_comma = true;
}

void proto_write_object_begin(proto_writer *w)
{
    open_bracket(w, '{');
}

void proto_write_object_end(proto_writer *w)
{
    close_bracket(w, '}');
}

void proto_write_array_begin(proto_writer *w)
{
    open_bracket(w, '[');
}

void proto_write_array_end(proto_writer *w)
{
    close_bracket(w, ']');
}

void proto_write_key(proto_writer *w, const char *key)
{
    proto_write_string(w, key);
    proto_writer_put(w, ":", 1);
    w->need_comma = false;
}

// The escape of one character that cannot stand in a string as it is.
static void put_escape(proto_writer *w, uint8_t byte)
{
    static const char letters[] = "\"\"\\\\\bb\ff\nn\rr\tt";
    for (size_t i = 0; i + 1 < sizeof letters; i += 2) {
        if ((uint8_t)letters[i] == byte) {
            proto_writer_put(w, (const char[2]){'\\', letters[i + 1]}, 2);
            return;
        }
    }
    static const char digits[] = "0123456789abcdef";
    const char escape[6] = {'\\', 'u', '0', '0', digits[byte >> 4], digits[byte & 15]};
    proto_writer_put(w, escape, sizeof escape);
}

// Whether a byte stands in a string as it is, whatever is beside it.
static bool is_plain(uint8_t byte)
{
    return byte >= 0x20 && byte < 0x7f && byte != '"' && byte != '\\';
}

// The text from its first byte that is not plain on. Bytes that are not UTF-8 (a message that
// quotes a client, cut in the middle of a character) are shown as U+FFFD, so that the answer is
// valid JSON whatever it quotes.
static void put_escaped(proto_writer *w, const char *text, size_t size_bytes)
{
    size_t plain = 0, i = 0;
    while (i < size_bytes) {
        uint8_t byte = (uint8_t)text[i];
        size_t length = byte < 0x80 ? 1 : proto_text_utf8_length(text + i, size_bytes - i);
        if (is_plain(byte) || (byte >= 0x80 && length > 0)) {
            i += length;
            continue;
        }
        proto_writer_put(w, text + plain, i - plain);
        if (length > 0) {
            put_escape(w, byte);
        } else {
            proto_writer_put(w, "\xef\xbf\xbd", 3);
        }
        plain = ++i;
    }
    proto_writer_put(w, text + plain, size_bytes - plain);
}

void proto_write_string(proto_writer *w, const char *text)
{
    if (text == NULL) {
        proto_write_null(w);
        return;
    }
    const size_t size_bytes = strlen(text);
    char *end = proto_writer_begin_value(w, size_bytes + 2);
    if (end == NULL) {
        return;
    }
    *end++ = '"';
    size_t plain = 0;
    while (is_plain((uint8_t)text[plain])) { // a zero is not
        end[plain] = text[plain];
        plain++;
    }
    proto_writer_end_value(w, end + plain);
    if (plain < size_bytes) {
        put_escaped(w, text + plain, size_bytes - plain);
    }
    proto_writer_put(w, "\"", 1);
}

void proto_write_bool(proto_writer *w, bool value)
{
    proto_writer_put_value(w, value ? "true" : "false", value ? 4 : 5);
}

void proto_write_null(proto_writer *w)
{
    proto_writer_put_value(w, "null", 4);
}

void proto_write_raw(proto_writer *w, const char *json)
{
    if (json == NULL || json[0] == '\0') {
        proto_write_null(w);
        return;
    }
    proto_writer_put_value(w, json, strlen(json));
}

void proto_write_text(proto_writer *w, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    char *end = length < 0 ? NULL : proto_writer_reserve(w, (size_t)length);
    if (end != NULL) {
        // reserve keeps one byte behind for the terminating zero that vsnprintf writes.
        vsnprintf(end, (size_t)length + 1, format, again);
        w->size_bytes += (size_t)length;
    } else {
        fail(w);
    }
    va_end(again);
    va_end(args);
}

// ---- members ----

void proto_member_string(proto_writer *w, const char *key, const char *text)
{
    proto_write_key(w, key);
    proto_write_string(w, text);
}

void proto_member_bool(proto_writer *w, const char *key, bool value)
{
    proto_write_key(w, key);
    proto_write_bool(w, value);
}

void proto_member_object(proto_writer *w, const char *key)
{
    proto_write_key(w, key);
    proto_write_object_begin(w);
}

void proto_member_array(proto_writer *w, const char *key)
{
    proto_write_key(w, key);
    proto_write_array_begin(w);
}
