// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// values.c: one value: how an item is checked against its field and stored. Below fields.c, which
// knows objects and arguments.

#include "proto/base/coordinates.h"
#include "proto/json/fields.h"

#include "proto/base/suggest.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- errors ----

nav_error_place proto_value_place(const proto_value *v)
{
    const char *name = v->field->name;
    return v->element > 0 ? nav_at("%s%s[%u]", v->prefix, name, v->element - 1)
           : v->member != NULL
               ? nav_at("%s%s.%.*s", v->prefix, name,
                        (int)(v->member->name_bytes < 64 ? v->member->name_bytes : 64),
                        v->member->name)
               : nav_at("%s%s", v->prefix, name);
}

nav_error_place proto_value_prefix(const proto_value *v)
{
    nav_error_place place = proto_value_place(v);
    strncat(place.text, ".", sizeof place.text - strlen(place.text) - 1);
    return place;
}

nav_status proto_value_invalid(const proto_value *v, const char *expected)
{
    char whole[256];
    const char *note = v->field->note;
    (void)snprintf(whole, sizeof whole, "%.180s%s%s", expected, note != NULL ? "; " : "",
                   note != NULL ? note : "");
    return proto_item_invalid(v->item, proto_value_place(v).text, whole, v->err);
}

nav_status proto_value_not_within(const proto_value *v, double least, double most, const char *more)
{
    return proto_item_not_within(v->item, proto_value_place(v).text, least, most, more, v->err);
}

nav_status proto_value_keep(const proto_value *v, size_t least, size_t most, const char *expected,
                            const char **out)
{
    const proto_item *item = v->item;
    if (item->kind != PROTO_TOKEN_STRING || item->text_bytes < least || item->text_bytes > most) {
        return proto_value_invalid(v, expected);
    }
    *out = proto_item_keep_text(item, v->memory);
    return *out != NULL ? NAV_OK : proto_fields_no_memory(v->err);
}

// ---- values ----

static void store(const proto_value *v, const void *bytes, size_t size_bytes)
{
    if (v->field->offset != PROTO_FIELD_NOWHERE) {
        memcpy(proto_value_at(v), bytes, size_bytes);
    }
}

// The bounds of a value as it is sent.
typedef struct value_bounds {
    double min, max;
} value_bounds;

static value_bounds bounds_of(const proto_value *v)
{
    value_bounds b = {v->field->min, v->field->max};
    if (v->field->unit == PROTO_UNIT_NONE) {
        return b;
    }
    const bool is_known = v->scale > 0.0;
    b.max = is_known ? b.max / v->scale : DBL_MAX;
    b.min = b.min >= 0.0 ? b.min : is_known ? b.min / v->scale : -DBL_MAX;
    return b;
}

// The number that is kept.
static double kept_of(const proto_value *v, double number)
{
    return v->field->unit == PROTO_UNIT_NONE || v->scale == 0.0 ? number : number * v->scale;
}

// The place of an error: number i of what is read.
static void at_number(const proto_value *v, uint32_t i)
{
    nav_error_at(v->err, "%s[%u]", proto_value_place(v).text, i);
}

static nav_status coordinate_out_of_range(const proto_value *v, uint32_t i, double number)
{
    char expected[64];
    const value_bounds b = bounds_of(v);
    snprintf(expected, sizeof expected, "within %.10g and %.10g", b.min, b.max);
    nav_status status = proto_value_invalid(v, expected);
    at_number(v, i);
    nav_error_limit(v->err, "%.10g", number < b.min ? b.min : b.max);
    return status;
}

static nav_status out_of_range(const proto_value *v, const char *kind, double number)
{
    const value_bounds b = bounds_of(v);
    char expected[96];
    const int length = snprintf(expected, sizeof expected, "%s from %.9g", kind, b.min);
    if (b.max < (double)FLT_MAX) { // else there is no bound
        snprintf(expected + length, sizeof expected - (size_t)length, " to %.10g", b.max);
    }
    nav_status status = proto_value_invalid(v, expected);
    nav_error_limit(v->err, "%.10g", number < b.min ? b.min : b.max);
    return status;
}

static bool is_finite(const proto_item *item)
{
    return item->kind == PROTO_TOKEN_NUMBER && isfinite((float)item->number);
}

// A number within the field's bounds.
static nav_status read_number(const proto_value *v)
{
    NAV_DCHECK(v->field->min <= v->field->max);
    if (!is_finite(v->item)) {
        return proto_value_invalid(v, "a finite number");
    }
    const value_bounds b = bounds_of(v);
    if (v->item->number < b.min || v->item->number > b.max) {
        return out_of_range(v, "a number", v->item->number);
    }
    const double number = kept_of(v, v->item->number);
    const float narrow = (float)number + 0.0f; // -0 becomes 0
    const bool is_float = v->field->type == PROTO_FIELD_FLOAT;
    store(v, is_float ? (const void *)&narrow : &number, is_float ? sizeof narrow : sizeof number);
    return NAV_OK;
}

static nav_status read_uint(const proto_value *v)
{
    NAV_DCHECK(v->field->min >= 0 && v->field->max <= UINT32_MAX);
    const double number = v->item->number;
    if (v->item->kind != PROTO_TOKEN_NUMBER || !isfinite(number) || floor(number) != number) {
        return proto_value_invalid(v, v->field->type == PROTO_FIELD_TILE_CELLS
                                          ? "\"auto\" or a whole number"
                                          : "a whole number");
    }
    if (number < v->field->min || number > v->field->max) {
        return out_of_range(v, "a whole number", number);
    }
    uint32_t whole = (uint32_t)number;
    store(v, &whole, sizeof whole);
    return NAV_OK;
}

static nav_status read_bool(const proto_value *v)
{
    const bool yes = v->item->kind == PROTO_TOKEN_TRUE;
    if (!yes && v->item->kind != PROTO_TOKEN_FALSE) {
        return proto_value_invalid(v, "true or false");
    }
    store(v, &yes, sizeof yes);
    return NAV_OK;
}

static nav_status read_choice(const proto_value *v)
{
    NAV_DCHECK(v->field->words != NULL);
    for (unsigned i = 0; v->field->words[i] != NULL; i++) {
        if (proto_item_is_word(v->item, v->field->words[i])) {
            store(v, &i, sizeof i);
            return NAV_OK;
        }
    }
    char expected[160] = "one of";
    for (unsigned i = 0; v->field->words[i] != NULL; i++) {
        size_t length = strlen(expected);
        snprintf(expected + length, sizeof expected - length, "%s \"%s\"", i > 0 ? "," : "",
                 v->field->words[i]);
    }
    const nav_status status = proto_value_invalid(v, expected);
    if (v->item->kind == PROTO_TOKEN_STRING) {
        proto_suggestion meant = proto_suggest(v->item->text, v->item->text_bytes);
        for (unsigned i = 0; v->field->words[i] != NULL; i++) {
            proto_suggest_offer(&meant, v->field->words[i], strlen(v->field->words[i]));
        }
        proto_suggest_say(&meant, v->err);
    }
    return status;
}

// The outcome for numbers that were wanted.
typedef enum numbers {
    NUMBERS_FINE,
    NUMBERS_TOO_FEW, // or too many, or no list
    NUMBERS_NOT_FINITE,
    NUMBERS_OUT_OF_RANGE,
} numbers;

// `count` of them times scale, each within bounds. *element, number *index, is the one that is
// wrong.
static numbers take_numbers(const proto_item *list, uint32_t count, value_bounds b, double scale,
                            float *out, proto_item *element, uint32_t *index)
{
    bool more = list->kind == PROTO_TOKEN_LIST && proto_item_first(list, element);
    for (uint32_t i = 0; i < count; i++) {
        *index = i;
        if (!more) {
            return NUMBERS_TOO_FEW;
        }
        if (!is_finite(element)) {
            return NUMBERS_NOT_FINITE;
        }
        if (element->number < b.min || element->number > b.max) {
            return NUMBERS_OUT_OF_RANGE;
        }
        out[i] = (float)(element->number * scale) + 0.0f; // -0 becomes 0
        more = proto_item_next(element);
    }
    return more ? NUMBERS_TOO_FEW : NUMBERS_FINE;
}

static const value_bounds ANY_NUMBER = {-DBL_MAX, DBL_MAX};

static nav_status read_coordinates(const proto_value *v, uint32_t count, const char *expected)
{
    float coordinates[6];
    uint32_t index;
    proto_item element;
    proto_value one = *v;
    nav_status status;
    const value_bounds b = v->field->max > v->field->min ? bounds_of(v) : ANY_NUMBER;
    NAV_ASSERT(count <= sizeof coordinates / sizeof coordinates[0]);
    one.item = &element;
    switch (take_numbers(v->item, count, b, kept_of(v, 1.0), coordinates, &element, &index)) {
    case NUMBERS_TOO_FEW:
        return proto_value_invalid(v, expected);
    case NUMBERS_NOT_FINITE:
        status = proto_value_invalid(&one, expected);
        at_number(v, index);
        return status;
    case NUMBERS_OUT_OF_RANGE:
        return coordinate_out_of_range(&one, index, element.number);
    case NUMBERS_FINE:
        break;
    }
    store(v, coordinates, count * sizeof coordinates[0]);
    return NAV_OK;
}

nav_status proto_value_numbers(const proto_value *v, uint32_t count, double scale, double limit,
                               float *out)
{
    char expected[64];
    uint32_t index;
    proto_item element;
    nav_status status;
    switch (
        take_numbers(v->item, count, (value_bounds){-limit, limit}, scale, out, &element, &index)) {
    case NUMBERS_FINE:
        return NAV_OK;
    case NUMBERS_TOO_FEW:
        snprintf(expected, sizeof expected, "%u finite numbers", count);
        return proto_value_invalid(v, expected);
    case NUMBERS_NOT_FINITE:
        return proto_item_invalid(&element, nav_at("%s[%u]", proto_value_place(v).text, index).text,
                                  "a finite number", v->err);
    default:
        snprintf(expected, sizeof expected, "within -%.10g and %.10g", limit, limit);
        status = proto_item_invalid(
            &element, nav_at("%s[%u]", proto_value_place(v).text, index).text, expected, v->err);
        nav_error_limit(v->err, "%.10g", element.number < 0 ? -limit : limit);
        return status;
    }
}

static nav_status read_string(const proto_value *v)
{
    const char *text = v->item->text;
    if (v->memory == NULL && v->item->kind == PROTO_TOKEN_STRING) {
        NAV_ASSERT(v->item->node != NULL); // else it would not outlive the next item
    } else {
        const nav_status status = proto_value_keep(v, 0, SIZE_MAX, "a string", &text);
        if (status != NAV_OK) {
            return status;
        }
    }
    store(v, &text, sizeof text);
    return NAV_OK;
}

static nav_status read_switch(const proto_value *v)
{
    const bool object = v->item->kind == PROTO_TOKEN_OBJECT;
    const proto_item none = {0};
    NAV_ASSERT(!object || v->item->node != NULL);
    memcpy((char *)v->target + v->field->item_offset, object ? v->item : &none, sizeof none);
    if (!object) {
        return read_bool(v);
    }
    store(v, &object, sizeof object);
    return NAV_OK;
}

// The words that were given, each once or several times.
static nav_status read_words(const proto_value *v)
{
    uint32_t bits = 0;
    proto_item element;
    if (v->item->kind != PROTO_TOKEN_LIST) {
        return proto_value_invalid(v, "a list of words");
    }
    for (bool more = proto_item_first(v->item, &element); more; more = proto_item_next(&element)) {
        unsigned index = 0;
        proto_field choice = *v->field;
        choice.offset = 0;
        proto_value one = *v;
        one.field = &choice;
        one.item = &element;
        one.target = &index;
        nav_status status = read_choice(&one);
        if (status != NAV_OK) {
            return status;
        }
        NAV_ASSERT(index < 32);
        bits |= UINT32_C(1) << index;
    }
    store(v, &bits, sizeof bits);
    return NAV_OK;
}

nav_status proto_value_read(const proto_value *v)
{
    switch (v->field->type) {
    case PROTO_FIELD_FLOAT:
    case PROTO_FIELD_DOUBLE:
        return read_number(v);
    case PROTO_FIELD_UINT:
        return read_uint(v);
    case PROTO_FIELD_BOOL:
        return read_bool(v);
    case PROTO_FIELD_CHOICE:
        return read_choice(v);
    case PROTO_FIELD_TILE_CELLS:
        if (!proto_item_is_word(v->item, "auto")) {
            return read_uint(v);
        }
        store(v, &(uint32_t){NAV_TILE_CELLS_AUTO}, sizeof(uint32_t));
        return NAV_OK;
    case PROTO_FIELD_POINT:
        return read_coordinates(v, 3, "three finite numbers x, y, z");
    case PROTO_FIELD_SEGMENT:
        return read_coordinates(v, 6, "six finite numbers: x,y,z of the start, x,y,z of the end");
    case PROTO_FIELD_STRING:
        return read_string(v);
    case PROTO_FIELD_ITEM:
        if (v->item->node == NULL) {
            return proto_value_invalid(v, "given in config, not as an argument");
        }
        store(v, v->item, sizeof *v->item);
        return NAV_OK;
    case PROTO_FIELD_SWITCH:
        return read_switch(v);
    case PROTO_FIELD_WORDS:
        return read_words(v);
    case PROTO_FIELD_READ:
        return v->field->read(v);
    }
    return nav_fail(v->err, PROTO_INTERNAL, "unknown type of a field");
}

// ---- elements ----

static nav_status not_each(const proto_value *v, const proto_each *each, const char *expected,
                           uint32_t count)
{
    const bool is_list = each->kind == PROTO_TOKEN_LIST;
    if (expected == NULL && v->item->kind == each->kind) {
        return proto_fields_too_many(proto_value_place(v).text, count, each->limit, v->err);
    }
    const char *kind = is_list ? "a list" : "an object";
    const nav_status status = proto_value_invalid(v, expected != NULL ? expected : kind);
    if (expected != NULL) {
        nav_error_limit(v->err, "%u", each->limit);
    }
    return status;
}

nav_status proto_value_each(const proto_value *v, const proto_each *each, const char *expected,
                            void *array, uint32_t *count)
{
    const bool is_list = each->kind == PROTO_TOKEN_LIST;
    const bool is_within = v->element > 0 || v->member != NULL;
    nav_error_place place;
    const proto_field nameless = {.name = is_within ? "" : v->field->name};
    proto_member member;
    proto_value one = *v;
    one.field = &nameless;
    one.item = &member.value;
    one.member = is_list ? NULL : &member;
    if (is_within) {
        place = proto_value_place(v);
        one.prefix = place.text;
    }
    *count = 0;
    if (v->item->kind != each->kind) {
        return not_each(v, each, expected, 0);
    }
    // A document knows how many there are.
    uint32_t capacity = v->item->node != NULL ? proto_item_count(v->item) : 0;
    if (capacity > each->limit) {
        *count = capacity;
        return not_each(v, each, expected, *count);
    }
    nav_status status = NAV_OK;
    char *space = nav_arena_alloc(v->memory, capacity, each->size_bytes);
    bool more =
        is_list ? proto_item_first(v->item, &member.value) : proto_member_first(v->item, &member);
    while (more && status == NAV_OK) {
        if (*count == each->limit) {
            *count += proto_member_rest(&member, each->kind);
            return not_each(v, each, expected, *count);
        }
        if (*count == capacity) {
            capacity = capacity == 0 ? 16 : 2 * capacity;
            space = nav_arena_grow(v->memory, *count > 0 ? space : NULL, *count, capacity,
                                   each->size_bytes);
        }
        if (space == NULL) {
            break;
        }
        one.element = is_list ? *count + 1 : 0;
        one.target = memset(space + *count * each->size_bytes, 0, each->size_bytes);
        status = each->read(&one);
        ++*count;
        more = status == NAV_OK &&
               (is_list ? proto_item_next(&member.value) : proto_member_next(&member));
    }
    memcpy(array, &space, sizeof space);
    return space != NULL ? status : proto_fields_no_memory(v->err);
}

// ---- arguments ----

static bool has_commas(const char *text, uint32_t count)
{
    for (; *text != '\0'; text++) {
        count -= *text == ',';
    }
    return count == 0;
}

proto_item proto_value_of_text(const proto_field *field, const char *text, proto_source *source)
{
    proto_item item = proto_item_of_text(text, strlen(text));
    switch (field->type) {
    case PROTO_FIELD_FLOAT:
    case PROTO_FIELD_DOUBLE:
    case PROTO_FIELD_UINT:
    case PROTO_FIELD_TILE_CELLS:
        proto_item_to_number(&item);
        break;
    case PROTO_FIELD_BOOL:
    case PROTO_FIELD_SWITCH:
        if (strcmp(text, "1") == 0 || strcmp(text, "true") == 0) {
            item.kind = PROTO_TOKEN_TRUE;
        } else if (strcmp(text, "0") == 0 || strcmp(text, "false") == 0) {
            item.kind = PROTO_TOKEN_FALSE;
        }
        break;
    case PROTO_FIELD_POINT:
    case PROTO_FIELD_SEGMENT:
        if (has_commas(text, field->type == PROTO_FIELD_POINT ? 2 : 5)) {
            item.kind = PROTO_TOKEN_LIST;
        }
        break;
    case PROTO_FIELD_WORDS:
        item.kind = PROTO_TOKEN_LIST;
        break;
    case PROTO_FIELD_READ:
        if (text[0] == '{' || text[0] == '[') {
            item = proto_item_begin(source, text, item.text_bytes, PROTO_JSON_VALUES_MAX);
        }
        break;
    case PROTO_FIELD_CHOICE:
    case PROTO_FIELD_STRING:
    case PROTO_FIELD_ITEM:
        break;
    }
    return item;
}

// ---- lengths, once the level's unit is known ----

// The number-th float of a field, or its double.
static double length_at(const proto_field *field, const void *target, uint32_t number)
{
    const char *at = (const char *)target + field->offset;
    float narrow;
    double length;
    if (field->type == PROTO_FIELD_DOUBLE) {
        memcpy(&length, at, sizeof length);
        return length;
    }
    memcpy(&narrow, at + number * sizeof narrow, sizeof narrow);
    return (double)narrow;
}

static nav_status check_length(const proto_value *v, uint32_t number)
{
    const double length = v->item->number;
    const value_bounds b = bounds_of(v);
    if (isinf(length) || (length >= b.min && length <= b.max)) {
        return NAV_OK;
    }
    const nav_status status = v->field->type == PROTO_FIELD_POINT
                                  ? coordinate_out_of_range(v, number, length)
                                  : out_of_range(v, "a number", length);
    nav_error_got(v->err, "%.7g", length);
    return status;
}

// Takes the lowest row out of those that were seen and are rows. False: there is none.
static bool next_row(proto_fields fields, uint64_t *seen, uint32_t *row)
{
    *row = *seen != 0 ? (uint32_t)__builtin_ctzll(*seen) : fields.count;
    *seen &= *seen - 1;
    return *row < fields.count;
}

nav_status proto_lengths_check(proto_fields fields, const char *prefix, uint64_t seen,
                               const void *target, nav_coordinates coordinates, nav_error *err)
{
    nav_status status = NAV_OK;
    uint32_t row;
    while (status == NAV_OK && next_row(fields, &seen, &row)) {
        const proto_field *field = &fields.rows[row];
        if (field->unit == PROTO_UNIT_NONE || field->min >= field->max) {
            continue;
        }
        proto_item length = {.kind = PROTO_TOKEN_NUMBER};
        const proto_value v = {.field = field,
                               .item = &length,
                               .err = err,
                               .prefix = prefix,
                               .scale = coordinates.scale};
        const uint32_t count = field->type == PROTO_FIELD_POINT ? 3 : 1;
        for (uint32_t k = 0; status == NAV_OK && k < count; k++) {
            length.number = length_at(field, target, k);
            status = check_length(&v, k);
        }
    }
    return status;
}

void proto_lengths_to_mesh(proto_fields fields, uint64_t seen, void *target,
                           nav_coordinates coordinates)
{
    uint32_t row;
    while (next_row(fields, &seen, &row)) {
        // Rows of other types may have no member.
        const proto_field *field = &fields.rows[row];
        if (field->type == PROTO_FIELD_POINT) {
            proto_to_mesh(coordinates, (float *)(void *)((char *)target + field->offset));
        } else if (field->unit == PROTO_UNIT_LENGTH && field->type == PROTO_FIELD_FLOAT) {
            const double length = length_at(field, target, 0);
            const float metres = (float)proto_length_to_mesh(coordinates, length);
            memcpy((char *)target + field->offset, &metres, sizeof metres);
        }
    }
}
