// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// fields_values.c: one value, from JSON or an argument, checked against its field and stored. Below
// fields.c, which knows objects and arguments.

#include "proto/json/fields_values.h"
#include "proto/base/text.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void proto_value_number(double number, char out[PROTO_NUMBER_TEXT_BYTES])
{
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(out, PROTO_NUMBER_TEXT_BYTES, "%.*g", digits, number);
        double back;
        if (proto_text_decimal(out, strlen(out), &back) && back == number) {
            break;
        }
    }
}

static void got_number(nav_error *err, double number)
{
    char text[PROTO_NUMBER_TEXT_BYTES];
    proto_value_number(number, text);
    nav_error_got(err, "%s", text);
}

void proto_value_got(nav_error *err, const cJSON *item)
{
    if (cJSON_IsNumber(item)) {
        got_number(err, item->valuedouble);
    } else if (cJSON_IsString(item)) {
        nav_error_got(err, "%.63s", item->valuestring);
        if (err != NULL) {
            err->got_is_text = true;
        }
    } else {
        nav_error_got(err, "%s",
                      cJSON_IsTrue(item)     ? "true"
                      : cJSON_IsFalse(item)  ? "false"
                      : cJSON_IsArray(item)  ? "an array"
                      : cJSON_IsObject(item) ? "an object"
                                             : "null");
    }
}

static nav_status invalid(const proto_value *v, const char *expected)
{
    const char *note = v->field->note;
    const char *prefix = v->prefix != NULL ? v->prefix : "";
    nav_fail(v->err, NAV_INVALID_FIELD, "%s%s must be %s%s%s", prefix, v->field->name, expected,
             note != NULL ? "; " : "", note != NULL ? note : "");
    nav_error_at(v->err, "%s%s", prefix, v->field->name);
    if (v->item != NULL) {
        proto_value_got(v->err, v->item);
    } else {
        nav_error_got(v->err, "%.*s", (int)(v->text_bytes < 63 ? v->text_bytes : 63), v->text);
    }
    return NAV_INVALID_FIELD;
}

// ---- values ----

static void store(const proto_value *v, const void *bytes, size_t size_bytes)
{
    if (v->field->offset != PROTO_FIELD_NOWHERE) {
        memcpy((char *)v->target + v->field->offset, bytes, size_bytes);
    }
}

// A finite number from either source; false if there is none.
static bool number_of(const proto_value *v, double *out)
{
    if (v->item != NULL) {
        *out = v->item->valuedouble;
        return cJSON_IsNumber(v->item) && isfinite(*out);
    }
    return v->text_bytes <= PROTO_NUMBER_BYTES_MAX &&
           proto_text_decimal(v->text, v->text_bytes, out) && isfinite(*out);
}

static nav_status coordinate_out_of_range(const proto_value *v, uint32_t i, double number)
{
    char expected[64];
    snprintf(expected, sizeof expected, "within %.10g and %.10g", v->field->min, v->field->max);
    nav_status status = invalid(v, expected);
    nav_error_at(v->err, "%s%s[%u]", v->prefix != NULL ? v->prefix : "", v->field->name, i);
    nav_error_limit(v->err, "%.10g", number < v->field->min ? v->field->min : v->field->max);
    return status;
}

// The text of an argument or of a JSON string, else NULL.
static const char *word_of(const proto_value *v)
{
    return v->item == NULL ? v->text : cJSON_GetStringValue(v->item);
}

static nav_status out_of_range(const proto_value *v, const char *kind, double number)
{
    const proto_field *field = v->field;
    char expected[96];
    snprintf(expected, sizeof expected, "%s from %.9g to %.10g", kind, field->min, field->max);
    nav_status status = invalid(v, expected);
    nav_error_limit(v->err, "%.10g", number < field->min ? field->min : field->max);
    return status;
}

static nav_status read_float(const proto_value *v)
{
    double number;
    if (!number_of(v, &number) || !isfinite((float)number)) {
        return invalid(v, "a finite number");
    }
    if (number < v->field->min || number > v->field->max) {
        return out_of_range(v, "a number", number);
    }
    float narrow = (float)number + 0.0f; // -0 becomes 0
    store(v, &narrow, sizeof narrow);
    return NAV_OK;
}

static nav_status read_uint(const proto_value *v)
{
    double number;
    if (!number_of(v, &number) || floor(number) != number) {
        return invalid(v, v->field->type == PROTO_FIELD_TILE_CELLS ? "\"auto\" or a whole number"
                                                                   : "a whole number");
    }
    if (number < v->field->min || number > v->field->max) {
        return out_of_range(v, "a whole number", number);
    }
    uint32_t whole = (uint32_t)number;
    store(v, &whole, sizeof whole);
    return NAV_OK;
}

static nav_status read_tile_cells(const proto_value *v)
{
    const char *word = word_of(v);
    if (word == NULL || strcmp(word, "auto") != 0) {
        return read_uint(v);
    }
    store(v, &(uint32_t){NAV_TILE_CELLS_AUTO}, sizeof(uint32_t));
    return NAV_OK;
}

static nav_status read_bool(const proto_value *v)
{
    bool yes, no;
    if (v->item != NULL) {
        yes = cJSON_IsTrue(v->item);
        no = cJSON_IsFalse(v->item);
    } else {
        yes = strcmp(v->text, "1") == 0 || strcmp(v->text, "true") == 0;
        no = strcmp(v->text, "0") == 0 || strcmp(v->text, "false") == 0;
    }
    if (!yes && !no) {
        return invalid(v, "true or false");
    }
    store(v, &yes, sizeof yes);
    return NAV_OK;
}

static nav_status not_a_choice(const proto_value *v)
{
    char expected[96] = "one of";
    for (unsigned i = 0; v->field->words[i] != NULL; i++) {
        size_t length = strlen(expected);
        snprintf(expected + length, sizeof expected - length, "%s \"%s\"", i > 0 ? "," : "",
                 v->field->words[i]);
    }
    return invalid(v, expected);
}

static nav_status read_choice(const proto_value *v)
{
    const char *word = word_of(v);
    for (unsigned i = 0; word != NULL && v->field->words[i] != NULL; i++) {
        if (strcmp(word, v->field->words[i]) == 0) {
            store(v, &i, sizeof i);
            return NAV_OK;
        }
    }
    return not_a_choice(v);
}

static bool is_within(const proto_field *field, double number)
{
    return field->max <= field->min || (number >= field->min && number <= field->max);
}

// Coordinates as nearly all are: as many as are wanted, of few digits where they are text, within
// bounds. False: they are to be looked at one by one.
static bool read_usual_coordinates(const proto_value *v, uint32_t count, float out[6])
{
    const cJSON *element = v->item != NULL && cJSON_IsArray(v->item) ? v->item->child : NULL;
    const char *text = v->text;
    for (uint32_t i = 0; i < count; i++) {
        double number;
        if (v->item != NULL) {
            if (element == NULL || !cJSON_IsNumber(element)) {
                return false;
            }
            number = element->valuedouble;
            element = element->next;
        } else {
            const size_t size_bytes = proto_text_short_decimal(text, &number);
            text += size_bytes;
            if (size_bytes == 0 || *text != (i + 1 < count ? ',' : '\0')) {
                return false;
            }
            text++;
        }
        if (!isfinite((float)number) || !is_within(v->field, number)) {
            return false;
        }
        out[i] = (float)number + 0.0f; // -0 becomes 0
    }
    return element == NULL;
}

// `count` coordinates: a JSON array, or numbers between commas.
static nav_status read_coordinates(const proto_value *v, uint32_t count, const char *expected)
{
    float coordinates[6];
    if (read_usual_coordinates(v, count, coordinates)) {
        store(v, coordinates, count * sizeof coordinates[0]);
        return NAV_OK;
    }
    const cJSON *element = v->item != NULL && cJSON_IsArray(v->item) ? v->item->child : NULL;
    const char *text = v->text;
    for (uint32_t i = 0; i < count; i++) {
        proto_value part = *v;
        double number;
        if (v->item != NULL) {
            part.item = element;
            if (element == NULL) {
                return invalid(v, expected);
            }
            element = element->next;
        } else {
            part.text = text;
            while (*text != '\0' && *text != ',') {
                text++;
            }
            part.text_bytes = (size_t)(text - part.text);
            if ((*text == ',') != (i + 1 < count)) {
                return invalid(v, expected);
            }
            text += *text == ',' ? 1 : 0;
        }
        if (!number_of(&part, &number) || !isfinite((float)number)) {
            nav_status status = invalid(&part, expected);
            nav_error_at(v->err, "%s%s[%u]", v->prefix != NULL ? v->prefix : "", v->field->name, i);
            return status;
        }
        if (!is_within(v->field, number)) {
            return coordinate_out_of_range(&part, i, number);
        }
        coordinates[i] = (float)number + 0.0f; // -0 becomes 0
    }
    if (element != NULL) {
        return invalid(v, expected);
    }
    store(v, coordinates, count * sizeof coordinates[0]);
    return NAV_OK;
}

static nav_status read_string(const proto_value *v)
{
    const char *text = cJSON_GetStringValue(v->item);
    if (text == NULL) {
        return invalid(v, v->item != NULL ? "a string" : "given in config, not as an argument");
    }
    store(v, &text, sizeof text);
    return NAV_OK;
}

static nav_status read_tree(const proto_value *v)
{
    if (v->item == NULL) {
        return invalid(v, "given in config, not as an argument");
    }
    store(v, &v->item, sizeof v->item);
    return NAV_OK;
}

static nav_status read_switch(const proto_value *v)
{
    bool object = cJSON_IsObject(v->item);
    const cJSON *tree = object ? v->item : NULL;
    memcpy((char *)v->target + v->field->tree_offset, &tree, sizeof tree);
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
    const cJSON *element = v->item != NULL ? v->item->child : NULL;
    const char *text = v->text;
    if (v->item != NULL && !cJSON_IsArray(v->item)) {
        return invalid(v, "a list of words");
    }
    while (v->item != NULL ? element != NULL : *text != '\0') {
        char word[32] = "";
        proto_value part = *v;
        part.item = element;
        part.text = word;
        if (v->item == NULL) {
            part.text_bytes = strcspn(text, ",");
            snprintf(word, sizeof word, "%.*s", (int)part.text_bytes, text);
            text += part.text_bytes;
            text += *text == ',' ? 1 : 0;
        } else {
            element = element->next;
        }
        unsigned index = 0;
        proto_field choice = *v->field;
        choice.offset = 0;
        part.field = &choice;
        part.target = &index;
        nav_status status = read_choice(&part);
        if (status != NAV_OK) {
            return status;
        }
        bits |= UINT32_C(1) << index;
    }
    store(v, &bits, sizeof bits);
    return NAV_OK;
}

// What a function of the field's own reads. An argument that begins like JSON is read as such, any
// other as a word.
static nav_status read_own(const proto_value *v)
{
    char at[96];
    snprintf(at, sizeof at, "%s%s", v->prefix != NULL ? v->prefix : "", v->field->name);
    if (v->item != NULL) {
        return v->field->read(v->item, at, v->field, v->target, v->err);
    }
    if (v->text[0] != '{' && v->text[0] != '[') {
        const cJSON word = {.type = cJSON_String, .valuestring = (char *)(uintptr_t)v->text};
        return v->field->read(&word, at, v->field, v->target, v->err);
    }
    cJSON *item = NULL;
    nav_status status =
        proto_fields_parse(v->text, v->text_bytes, PROTO_JSON_VALUES_MAX, &item, v->err);
    if (status == NAV_OK) {
        status = v->field->read(item, at, v->field, v->target, v->err);
    }
    proto_fields_delete(item);
    return status;
}

nav_status proto_value_read(const proto_value *v)
{
    switch (v->field->type) {
    case PROTO_FIELD_FLOAT:
        return read_float(v);
    case PROTO_FIELD_UINT:
        return read_uint(v);
    case PROTO_FIELD_BOOL:
        return read_bool(v);
    case PROTO_FIELD_CHOICE:
        return read_choice(v);
    case PROTO_FIELD_TILE_CELLS:
        return read_tile_cells(v);
    case PROTO_FIELD_POINT:
        return read_coordinates(v, 3, "three finite numbers x, y, z");
    case PROTO_FIELD_SEGMENT:
        return read_coordinates(v, 6, "six finite numbers: x,y,z of the start, x,y,z of the end");
    case PROTO_FIELD_STRING:
        return read_string(v);
    case PROTO_FIELD_TREE:
        return read_tree(v);
    case PROTO_FIELD_SWITCH:
        return read_switch(v);
    case PROTO_FIELD_WORDS:
        return read_words(v);
    case PROTO_FIELD_READ:
        return read_own(v);
    }
    return nav_fail(v->err, PROTO_INTERNAL, "unknown type of a field");
}
