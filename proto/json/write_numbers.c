// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// write_numbers.c: numbers and places as JSON. Printed in fixed point by hand: a path reply is
// mostly coordinates.

#include "proto/base/coordinates.h"
#include "proto/json/write.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Sign, 16 digits, point, or what %.17g makes of any double.
#define NUMBER_BYTES_MAX 32u
// Above this doubles are farther apart than the decimals asked for.
#define FIXED_SCALED_MAX 9e15

#define DECIMALS_MAX 6
static const uint32_t POWERS_OF_TEN[DECIMALS_MAX + 1] = {1, 10, 100, 1000, 10000, 100000, 1000000};

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
    proto_writer_put_value(w, first, (size_t)(end - first));
}

// value as a fixed-point number, rounded to nearest, without trailing zeros and without "-0".
// text has NUMBER_BYTES_MAX bytes. Returns the length.
static size_t format_fixed(char *text, double value, int decimals)
{
    NAV_DCHECK(decimals >= 0 && decimals <= DECIMALS_MAX);
    double magnitude = fabs(value) * POWERS_OF_TEN[decimals];
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
    char *first = digits_before(end, scaled / POWERS_OF_TEN[decimals]);
    memcpy(text + length, first, (size_t)(end - first));
    length += (size_t)(end - first);
    if (decimals > 0) {
        text[length++] = '.';
        uint32_t fraction = (uint32_t)(scaled % POWERS_OF_TEN[decimals]);
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
    char *end = proto_writer_reserve(w, NUMBER_BYTES_MAX);
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
    char *end = proto_writer_begin_value(w, NUMBER_BYTES_MAX);
    if (end != NULL) {
        proto_writer_end_value(w, decimals == 3 ? put_thousandths(end, value)
                                                : end + format_fixed(end, value, decimals));
    }
}

void proto_write_length(proto_writer *w, double metres)
{
    proto_write_fixed(w, proto_length_to_level(w->coordinates, metres),
                      proto_length_decimals(w->coordinates));
}

void proto_write_cost(proto_writer *w, double metres)
{
    const double cost = proto_length_to_level(w->coordinates, metres);
    const int decimals = proto_length_decimals(w->coordinates);
    const double units = POWERS_OF_TEN[decimals];
    proto_write_fixed(w, floor(cost * units * (1.0 + PROTO_COST_NOISE)) / units, decimals);
}

void proto_write_square(proto_writer *w, double square_metres)
{
    const int decimals = 2 * proto_length_decimals(w->coordinates) - 3;
    proto_write_fixed(w, proto_area_to_level(w->coordinates, square_metres),
                      decimals < DECIMALS_MAX ? decimals : DECIMALS_MAX);
}

void proto_write_height(proto_writer *w, float metres)
{
    const float point[3] = {0.0f, metres, 0.0f};
    double level[3];
    proto_point_to_level(w->coordinates, point, level);
    proto_write_fixed(w, level[proto_upward_axis(w->coordinates)],
                      proto_length_decimals(w->coordinates));
}

void proto_write_float(proto_writer *w, float value)
{
    proto_write_float_scaled(w, value, 1.0);
}

// Nine significant digits always suffice for a float, and one or two more for one that was scaled;
// most settings need one or two. Whole numbers would get an exponent that nobody writes.
void proto_write_float_scaled(proto_writer *w, float value, double scale)
{
    if (!isfinite(value)) {
        proto_write_null(w);
        return;
    }
    const double unscaled = (double)value / scale;
    char text[NUMBER_BYTES_MAX];
    int length = 0;
    const double whole = floor(unscaled + 0.5);
    if (fabs(whole) < 1e7 && (float)(whole * scale) == value) {
        proto_write_int(w, (int64_t)whole);
        return;
    }
    for (int digits = 1; digits <= 17; digits++) {
        length = snprintf(text, sizeof text, "%.*g", digits, unscaled);
        if ((float)(strtod(text, NULL) * scale) == value) {
            break;
        }
    }
    proto_writer_put_value(w, text, (size_t)length);
}

// One coordinate and what stands behind it.
static inline char *put_coordinate(char *end, double value, int decimals, char behind)
{
    if (isfinite(value)) {
        end =
            decimals == 3 ? put_thousandths(end, value) : end + format_fixed(end, value, decimals);
    } else {
        memcpy(end, "null", 4);
        end += 4;
    }
    *end++ = behind;
    return end;
}

// A coordinate in whole parts of its last decimal, rounded as it is printed.
static double printed_units(const proto_writer *w, float value)
{
    const double length = proto_length_to_level(w->coordinates, (double)value);
    const double units = POWERS_OF_TEN[proto_length_decimals(w->coordinates)];
    const double magnitude = floor(fabs(length) * units + 0.5);
    return value < 0.0f ? -magnitude : magnitude;
}

bool proto_is_printed_as(const proto_writer *w, const float a[3], const float b[3])
{
    // Twice a part: nearly all points are farther apart than any rounding.
    const float near = 0.002f * (float)w->coordinates.scale;
    bool same = true;
    for (int i = 0; i < 3 && same; i++) {
        same = a[i] == b[i] ||
               (fabsf(a[i] - b[i]) < near && printed_units(w, a[i]) == printed_units(w, b[i]));
    }
    return same;
}

void proto_write_point(proto_writer *w, const float point[3])
{
    double turned[3];
    proto_point_to_level(w->coordinates, point, turned);
    const int decimals = proto_length_decimals(w->coordinates);
    char *end = proto_writer_begin_value(w, 1 + 3 * (NUMBER_BYTES_MAX + 1));
    if (end != NULL) {
        *end++ = '[';
        end = put_coordinate(end, turned[0], decimals, ',');
        end = put_coordinate(end, turned[1], decimals, ',');
        end = put_coordinate(end, turned[2], decimals, ']');
        proto_writer_end_value(w, end);
    }
}

void proto_write_bounds(proto_writer *w, const float min[3], const float max[3])
{
    // proto_write_point turns each corner; where an axis turns round, they have changed places.
    float low[3], high[3];
    for (int axis = 0; axis < 3; axis++) {
        const int along = abs(w->coordinates.axes[axis]) - 1;
        const bool turned = w->coordinates.axes[axis] < 0;
        low[along] = turned ? max[along] : min[along];
        high[along] = turned ? min[along] : max[along];
    }
    proto_write_object_begin(w);
    proto_member_point(w, "min", low);
    proto_member_point(w, "max", high);
    proto_write_object_end(w);
}

void proto_write_direction(proto_writer *w, const float direction[3])
{
    float turned[3] = {direction[0], direction[1], direction[2]};
    proto_direction_to_level(w->coordinates, turned);
    proto_write_array_begin(w);
    for (int i = 0; i < 3; i++) {
        proto_write_fixed(w, (double)turned[i], 6);
    }
    proto_write_array_end(w);
}

void proto_writer_put_point(proto_writer *w, const float point[3])
{
    float level[3] = {point[0], point[1], point[2]};
    proto_to_level(w->coordinates, level);
    for (int i = 0; i < 3; i++) {
        proto_writer_put_float(w, level[i]);
    }
}

void proto_member_int(proto_writer *w, const char *key, int64_t value)
{
    proto_write_key(w, key);
    proto_write_int(w, value);
}

void proto_member_index(proto_writer *w, const char *key, uint32_t index)
{
    proto_write_key(w, key);
    if (index != NAV_NONE) {
        proto_write_int(w, index);
    } else {
        proto_write_null(w);
    }
}

void proto_member_length(proto_writer *w, const char *key, double metres)
{
    proto_write_key(w, key);
    proto_write_length(w, metres);
}

void proto_member_fixed(proto_writer *w, const char *key, double value, int decimals)
{
    proto_write_key(w, key);
    proto_write_fixed(w, value, decimals);
}

void proto_member_point(proto_writer *w, const char *key, const float point[3])
{
    proto_write_key(w, key);
    proto_write_point(w, point);
}
