// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// json_write.c: JSON written straight into a growing buffer, no tree in between. The last step of
// every answer. Numbers are printed in fixed point by hand: a path reply is mostly coordinates.

#include "proto/json_write.h"
#include "proto/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CAPACITY_BYTES_MIN 512u
// Sign, 16 digits, point, or what %.17g makes of any double.
#define NUMBER_BYTES_MAX 32u
// Above this a double's grain is coarser than the decimals asked for.
#define FIXED_SCALED_MAX 9e15

void proto_writer_init(proto_writer *w)
{
    *w = (proto_writer){0};
}

void proto_writer_free(proto_writer *w)
{
    free(w->bytes);
    *w = (proto_writer){0};
}

static void fail(proto_writer *w)
{
    free(w->bytes);
    *w = (proto_writer){.failed = true};
}

// A larger buffer, with room for more_bytes and a terminating zero; NULL once the writer has
// failed.
static char *grow(proto_writer *w, size_t more_bytes)
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
    size_t capacity_bytes = twice_bytes > need_bytes ? twice_bytes : need_bytes;
    capacity_bytes = capacity_bytes > CAPACITY_BYTES_MIN ? capacity_bytes : CAPACITY_BYTES_MIN;
    char *bytes = realloc(w->bytes, capacity_bytes);
    if (bytes == NULL) {
        fail(w);
        return NULL;
    }
    w->bytes = bytes;
    w->capacity_bytes = capacity_bytes;
    return bytes + w->size_bytes;
}

// Room for more_bytes and a terminating zero behind what is there; NULL once the writer has failed
// (its capacity is 0 then).
static inline char *reserve(proto_writer *w, size_t more_bytes)
{
    return w->capacity_bytes - w->size_bytes > more_bytes ? w->bytes + w->size_bytes
                                                          : grow(w, more_bytes);
}

char *proto_writer_take(proto_writer *w, size_t *size_bytes)
{
    char *end = reserve(w, 0);
    if (end == NULL) {
        *size_bytes = 0;
        return NULL;
    }
    *end = '\0';
    char *bytes = w->bytes;
    *size_bytes = w->size_bytes;
    proto_writer_init(w);
    return bytes;
}

void proto_writer_put(proto_writer *w, const void *bytes, size_t size_bytes)
{
    char *end = reserve(w, size_bytes);
    if (end != NULL && size_bytes > 0) {
        memcpy(end, bytes, size_bytes);
        w->size_bytes += size_bytes;
    }
}

// Room for a value of at most value_bytes; the comma before it is there then. NULL: there is none.
static inline char *begin_value(proto_writer *w, size_t value_bytes)
{
    char *end = reserve(w, value_bytes + 1);
    if (end != NULL && w->need_comma) {
        *end++ = ',';
    }
    w->need_comma = true;
    return end;
}

// The value that begin_value has made room for ends here.
static inline void end_value(proto_writer *w, const char *end)
{
    w->size_bytes = (size_t)(end - w->bytes);
}

static inline void put_value(proto_writer *w, const char *bytes, size_t size_bytes)
{
    char *end = begin_value(w, size_bytes);
    if (end != NULL) {
        memcpy(end, bytes, size_bytes);
        end_value(w, end + size_bytes);
    }
}

static void open_bracket(proto_writer *w, char bracket)
{
    char *end = begin_value(w, 1);
    if (end != NULL) {
        *end++ = bracket;
        end_value(w, end);
    }
    w->need_comma = false;
}

static void close_bracket(proto_writer *w, char bracket)
{
    char *end = reserve(w, 1);
    if (end != NULL) {
        *end++ = bracket;
        end_value(w, end);
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

void proto_writer_put_key(proto_writer *w, const char *quoted, size_t size_bytes)
{
    put_value(w, quoted, size_bytes);
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
    char *end = begin_value(w, size_bytes + 2);
    if (end == NULL) {
        return;
    }
    *end++ = '"';
    size_t plain = 0;
    while (is_plain((uint8_t)text[plain])) { // a zero is not
        end[plain] = text[plain];
        plain++;
    }
    end_value(w, end + plain);
    if (plain < size_bytes) {
        put_escaped(w, text + plain, size_bytes - plain);
    }
    proto_writer_put(w, "\"", 1);
}

void proto_write_bool(proto_writer *w, bool value)
{
    put_value(w, value ? "true" : "false", value ? 4 : 5);
}

void proto_write_null(proto_writer *w)
{
    put_value(w, "null", 4);
}

// Digits of value, most significant first, right-aligned before end; returns where they begin.
static char *digits_before(char *end, uint64_t value)
{
    do {
        *--end = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0);
    return end;
}

void proto_write_int(proto_writer *w, int64_t value)
{
    char text[NUMBER_BYTES_MAX];
    char *end = text + sizeof text;
    char *first = digits_before(end, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
    if (value < 0) {
        *--first = '-';
    }
    put_value(w, first, (size_t)(end - first));
}

// value as a fixed-point number, rounded to nearest, without trailing zeros and without "-0".
// text has NUMBER_BYTES_MAX bytes. Returns the length.
static size_t format_fixed(char *text, double value, int decimals)
{
    static const uint32_t powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000};
    NAV_DCHECK(decimals >= 0 && decimals <= 6);
    double magnitude = fabs(value) * powers[decimals];
    if (!(magnitude < FIXED_SCALED_MAX)) {
        return (size_t)snprintf(text, NUMBER_BYTES_MAX, "%.17g", value);
    }
    uint64_t scaled = (uint64_t)(magnitude + 0.5);
    while (decimals > 0 && scaled % 10 == 0) {
        scaled /= 10;
        decimals--;
    }
    size_t length = 0;
    if (value < 0.0 && scaled != 0) {
        text[length++] = '-';
    }
    char reversed[NUMBER_BYTES_MAX];
    char *end = reversed + sizeof reversed;
    char *first = digits_before(end, scaled / powers[decimals]);
    memcpy(text + length, first, (size_t)(end - first));
    length += (size_t)(end - first);
    if (decimals > 0) {
        text[length++] = '.';
        uint32_t fraction = (uint32_t)(scaled % powers[decimals]);
        for (int i = decimals; i-- > 0; fraction /= 10) {
            text[length + (size_t)i] = (char)('0' + fraction % 10);
        }
        length += (size_t)decimals;
    }
    return length;
}

// Two digits of a number below 100.
static inline char *put_pair(char *out, uint32_t number)
{
    static const char pairs[] = "00010203040506070809101112131415161718192021222324"
                                "25262728293031323334353637383940414243444546474849"
                                "50515253545556575859606162636465666768697071727374"
                                "75767778798081828384858687888990919293949596979899";
    memcpy(out, pairs + 2 * (size_t)number, 2);
    return out + 2;
}

// The same with 3 decimals, which answers are made of; numbers below ten thousand, as
// coordinates are, in 32 bits and without loops. Returns where it ends.
static inline char *put_thousandths(char *out, double value)
{
    const double magnitude = fabs(value) * 1000.0;
    if (!(magnitude < 9999999.0)) {
        return out + format_fixed(out, value, 3);
    }
    const uint32_t scaled = (uint32_t)(magnitude + 0.5), fraction = scaled % 1000;
    const uint32_t whole = scaled / 1000;
    if (value < 0.0 && scaled != 0) {
        *out++ = '-';
    }
    if (whole >= 100) {
        if (whole >= 1000) {
            out = put_pair(out, whole / 100);
        } else {
            *out++ = (char)('0' + whole / 100);
        }
        out = put_pair(out, whole % 100);
    } else if (whole >= 10) {
        out = put_pair(out, whole);
    } else {
        *out++ = (char)('0' + whole);
    }
    if (fraction == 0) {
        return out;
    }
    out[0] = '.';
    out[1] = (char)('0' + fraction / 100);
    (void)put_pair(out + 2, fraction % 100);
    return out + (out[3] != '0' ? 4 : out[2] != '0' ? 3 : 2);
}

void proto_writer_put_fixed(proto_writer *w, double value, int decimals)
{
    char *end = reserve(w, NUMBER_BYTES_MAX);
    if (end != NULL) {
        w->size_bytes += format_fixed(end, isfinite(value) ? value : 0.0, decimals);
    }
}

void proto_write_fixed(proto_writer *w, double value, int decimals)
{
    if (!isfinite(value)) {
        proto_write_null(w);
        return;
    }
    char *end = begin_value(w, NUMBER_BYTES_MAX);
    if (end != NULL) {
        end_value(w, decimals == 3 ? put_thousandths(end, value)
                                   : end + format_fixed(end, value, decimals));
    }
}

void proto_write_float(proto_writer *w, float value)
{
    if (!isfinite(value)) {
        proto_write_null(w);
        return;
    }
    // Nine significant digits always suffice for a float; most settings need one or two. Whole
    // numbers would get an exponent that nobody writes.
    char text[NUMBER_BYTES_MAX];
    int length = 0;
    if (fabsf(value) < 1e7f && floorf(value) == value) {
        proto_write_int(w, (int64_t)value);
        return;
    }
    for (int digits = 1; digits <= 9; digits++) {
        length = snprintf(text, sizeof text, "%.*g", digits, (double)value);
        if (strtof(text, NULL) == value) {
            break;
        }
    }
    put_value(w, text, (size_t)length);
}

// One coordinate and what stands behind it.
static inline char *put_coordinate(char *end, float value, char behind)
{
    if (isfinite(value)) {
        end = put_thousandths(end, (double)value);
    } else {
        memcpy(end, "null", 4);
        end += 4;
    }
    *end++ = behind;
    return end;
}

void proto_write_point(proto_writer *w, const float point[3])
{
    float turned[3] = {point[0], point[1], point[2]};
    proto_to_level(w->coordinates, turned);
    char *end = begin_value(w, 1 + 3 * (NUMBER_BYTES_MAX + 1));
    if (end != NULL) {
        *end++ = '[';
        end = put_coordinate(end, turned[0], ',');
        end = put_coordinate(end, turned[1], ',');
        end = put_coordinate(end, turned[2], ']');
        end_value(w, end);
    }
}

void proto_write_bounds(proto_writer *w, const float min[3], const float max[3])
{
    // proto_write_point turns each corner; the lower one of the level has the mesh's upper z.
    bool z_up = w->coordinates == NAV_COORDINATES_Z_UP;
    const float low[3] = {min[0], min[1], z_up ? max[2] : min[2]};
    const float high[3] = {max[0], max[1], z_up ? min[2] : max[2]};
    proto_write_object_begin(w);
    proto_write_key(w, "min");
    proto_write_point(w, low);
    proto_write_key(w, "max");
    proto_write_point(w, high);
    proto_write_object_end(w);
}

void proto_write_direction(proto_writer *w, const float direction[3])
{
    float turned[3] = {direction[0], direction[1], direction[2]};
    proto_to_level(w->coordinates, turned);
    proto_write_array_begin(w);
    for (int i = 0; i < 3; i++) {
        proto_write_fixed(w, (double)turned[i], 6);
    }
    proto_write_array_end(w);
}

void proto_write_raw(proto_writer *w, const char *json)
{
    if (json == NULL || json[0] == '\0') {
        proto_write_null(w);
        return;
    }
    put_value(w, json, strlen(json));
}

void proto_write_text(proto_writer *w, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    char *end = length < 0 ? NULL : reserve(w, (size_t)length);
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
