// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// fields.c: values of JSON objects and query arguments, checked against a table and stored into a
// struct. Below settings.c and request_*.c; the only file that knows cJSON.
//
// cJSON is given nothing that json_scan has not passed, so depth and number of values are bounded.
// Names are compared with their case, and no function with a process-wide state is used.

#include "proto/fields.h"
#include "proto/text.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// A value from either source: item is NULL for an argument.
typedef struct value {
    const proto_field *field;
    const cJSON *item;
    const char *text;
    size_t text_bytes;
    void *target;
    nav_error *err;
} value;

// ---- errors ----

nav_status proto_fields_unknown(const char *name, nav_error *err)
{
    nav_fail(err, NAV_UNKNOWN_FIELD, "there is no field \"%.80s\" here", name);
    nav_error_at(err, "%.95s", name);
    return NAV_UNKNOWN_FIELD;
}

nav_status proto_fields_twice(const char *name, nav_status status, nav_error *err)
{
    nav_fail(err, status, "\"%.80s\" is given twice", name);
    nav_error_at(err, "%.95s", name);
    return status;
}

// The shortest text of a number that reads back as the same.
static void got_number(nav_error *err, double number)
{
    char text[40];
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, number);
        double back;
        if (proto_text_decimal(text, strlen(text), &back) && back == number) {
            break;
        }
    }
    nav_error_got(err, "%s", text);
}

static void got_item(nav_error *err, const cJSON *item)
{
    if (cJSON_IsNumber(item)) {
        got_number(err, item->valuedouble);
    } else if (cJSON_IsString(item)) {
        nav_error_got(err, "%.63s", item->valuestring);
    } else {
        nav_error_got(err, "%s",
                      cJSON_IsTrue(item)     ? "true"
                      : cJSON_IsFalse(item)  ? "false"
                      : cJSON_IsArray(item)  ? "an array"
                      : cJSON_IsObject(item) ? "an object"
                                             : "null");
    }
}

static nav_status invalid(const value *v, const char *expected)
{
    const char *note = v->field->note;
    nav_fail(v->err, NAV_INVALID_FIELD, "%s must be %s%s%s", v->field->name, expected,
             note != NULL ? "; " : "", note != NULL ? note : "");
    nav_error_at(v->err, "%s", v->field->name);
    if (v->item != NULL) {
        got_item(v->err, v->item);
    } else {
        nav_error_got(v->err, "%.*s", (int)(v->text_bytes < 63 ? v->text_bytes : 63), v->text);
    }
    return NAV_INVALID_FIELD;
}

// ---- values ----

static void store(const value *v, const void *bytes, size_t size_bytes)
{
    if (v->field->offset != PROTO_FIELD_NOWHERE) {
        memcpy((char *)v->target + v->field->offset, bytes, size_bytes);
    }
}

// A finite number from either source; false if there is none.
static bool number_of(const value *v, double *out)
{
    if (v->item != NULL) {
        *out = v->item->valuedouble;
        return cJSON_IsNumber(v->item) && isfinite(*out);
    }
    return v->text_bytes <= PROTO_NUMBER_BYTES_MAX &&
           proto_text_decimal(v->text, v->text_bytes, out) && isfinite(*out);
}

// The text of an argument or of a JSON string, else NULL.
static const char *word_of(const value *v)
{
    return v->item == NULL ? v->text : cJSON_GetStringValue(v->item);
}

static nav_status out_of_range(const value *v, const char *kind, double number)
{
    const proto_field *field = v->field;
    char expected[96];
    snprintf(expected, sizeof expected, "%s from %.9g to %.10g", kind, field->min, field->max);
    nav_status status = invalid(v, expected);
    nav_error_limit(v->err, "%.10g", number < field->min ? field->min : field->max);
    return status;
}

static nav_status read_float(const value *v)
{
    double number;
    if (!number_of(v, &number) || !isfinite((float)number)) {
        return invalid(v, "a finite number");
    }
    if (number < v->field->min || number > v->field->max) {
        return out_of_range(v, "a number", number);
    }
    float narrow = (float)number;
    store(v, &narrow, sizeof narrow);
    return NAV_OK;
}

static nav_status read_uint(const value *v)
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

static nav_status read_tile_cells(const value *v)
{
    const char *word = word_of(v);
    if (word == NULL || strcmp(word, "auto") != 0) {
        return read_uint(v);
    }
    store(v, &(uint32_t){NAV_TILE_CELLS_AUTO}, sizeof(uint32_t));
    return NAV_OK;
}

static nav_status read_bool(const value *v)
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

static nav_status read_choice(const value *v)
{
    const char *word = word_of(v);
    char expected[96] = "one of";
    for (unsigned i = 0; v->field->words[i] != NULL; i++) {
        if (word != NULL && strcmp(word, v->field->words[i]) == 0) {
            store(v, &i, sizeof i);
            return NAV_OK;
        }
        size_t length = strlen(expected);
        snprintf(expected + length, sizeof expected - length, "%s \"%s\"", i > 0 ? "," : "",
                 v->field->words[i]);
    }
    return invalid(v, expected);
}

// `count` coordinates: a JSON array, or numbers between commas.
static nav_status read_coordinates(const value *v, uint32_t count, const char *expected)
{
    float coordinates[6];
    const cJSON *element = v->item != NULL && cJSON_IsArray(v->item) ? v->item->child : NULL;
    const char *text = v->text;
    for (uint32_t i = 0; i < count; i++) {
        value part = *v;
        double number;
        if (v->item != NULL) {
            part.item = element;
            if (element == NULL) {
                return invalid(v, expected);
            }
            element = element->next;
        } else {
            part.text = text;
            part.text_bytes = strcspn(text, ",");
            text += part.text_bytes;
            if ((*text == ',') != (i + 1 < count)) {
                return invalid(v, expected);
            }
            text += *text == ',' ? 1 : 0;
        }
        if (!number_of(&part, &number) || !isfinite((float)number)) {
            nav_status status = invalid(&part, expected);
            nav_error_at(v->err, "%s[%u]", v->field->name, i);
            return status;
        }
        coordinates[i] = (float)number;
    }
    if (element != NULL) {
        return invalid(v, expected);
    }
    store(v, coordinates, count * sizeof coordinates[0]);
    return NAV_OK;
}

static nav_status read_value(const value *v)
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
    }
    return nav_fail(v->err, NAV_INTERNAL, "unknown type of a field");
}

// ---- JSON objects ----

static uint32_t find_row(proto_fields fields, const char *name)
{
    for (uint32_t i = 0; i < fields.count; i++) {
        if (strcmp(fields.rows[i].name, name) == 0) {
            return i;
        }
    }
    return NAV_NONE;
}

// Is name the part before the dot of a field, that is, the name of a nested object?
static bool is_group(proto_fields fields, const char *name)
{
    size_t length = strlen(name);
    for (uint32_t i = 0; i < fields.count; i++) {
        const char *row = fields.rows[i].name;
        if (strncmp(row, name, length) == 0 && row[length] == '.' && length > 0) {
            return true;
        }
    }
    return false;
}

// Did an earlier sibling have the same name? Every earlier one was a known field and given once, so
// that this looks at no more siblings than the table has rows.
static bool appeared(const cJSON *object, const cJSON *member)
{
    for (const cJSON *earlier = object->child; earlier != member; earlier = earlier->next) {
        if (strcmp(earlier->string, member->string) == 0) {
            return true;
        }
    }
    return false;
}

typedef struct object_reader {
    proto_fields fields;
    void *target;
    uint64_t *seen;
    nav_error *err;
} object_reader;

// One member of the outer object (group NULL) or of a nested one.
static nav_status read_member(const object_reader *r, const char *group, const cJSON *member)
{
    char name[96];
    int length = snprintf(name, sizeof name, "%s%s%s", group != NULL ? group : "",
                          group != NULL ? "." : "", member->string);
    // A name with a dot is not the nested member that it looks like.
    bool plain = strchr(member->string, '.') == NULL && length < (int)sizeof name;
    uint32_t row = plain ? find_row(r->fields, name) : NAV_NONE;
    if (row == NAV_NONE) {
        return proto_fields_unknown(name, r->err);
    }
    *r->seen |= UINT64_C(1) << row;
    const value v = {
        .field = &r->fields.rows[row], .item = member, .target = r->target, .err = r->err};
    return read_value(&v);
}

static nav_status read_group(const object_reader *r, const cJSON *object)
{
    if (!cJSON_IsObject(object)) {
        nav_fail(r->err, NAV_INVALID_FIELD, "%s must be an object", object->string);
        nav_error_at(r->err, "%s", object->string);
        got_item(r->err, object);
        return NAV_INVALID_FIELD;
    }
    nav_status status = NAV_OK;
    const cJSON *member;
    cJSON_ArrayForEach(member, object)
    {
        status = appeared(object, member) ? proto_fields_twice(member->string, NAV_BAD_JSON, r->err)
                                          : read_member(r, object->string, member);
        if (status != NAV_OK) {
            break;
        }
    }
    return status;
}

static nav_status read_object(const object_reader *r, const cJSON *object)
{
    if (!cJSON_IsObject(object)) {
        nav_fail(r->err, NAV_INVALID_FIELD, "the JSON must be an object");
        got_item(r->err, object);
        return NAV_INVALID_FIELD;
    }
    nav_status status = NAV_OK;
    const cJSON *member;
    cJSON_ArrayForEach(member, object)
    {
        if (appeared(object, member)) {
            status = proto_fields_twice(member->string, NAV_BAD_JSON, r->err);
        } else if (is_group(r->fields, member->string)) {
            status = read_group(r, member);
        } else {
            status = read_member(r, NULL, member);
        }
        if (status != NAV_OK) {
            break;
        }
    }
    return status;
}

nav_status proto_fields_read_json(proto_fields fields, const char *json, size_t size_bytes,
                                  void *target, uint64_t *seen, nav_error *err)
{
    NAV_ASSERT(fields.count <= 64);
    *seen = 0;
    nav_status status =
        proto_json_scan(json, size_bytes, PROTO_JSON_DEPTH_MAX, PROTO_JSON_VALUES_MAX, err);
    if (status != NAV_OK) {
        return status;
    }
    const char *end = NULL;
    cJSON *root = cJSON_ParseWithLengthOpts(json, size_bytes, &end, false);
    if (root == NULL) {
        // The scan has passed it, so only memory can be missing.
        return nav_fail(err, NAV_NO_MEMORY, "no memory to read the JSON");
    }
    const object_reader r = {.fields = fields, .target = target, .seen = seen, .err = err};
    status = read_object(&r, root);
    cJSON_Delete(root);
    return status;
}

// ---- query arguments ----

nav_status proto_fields_read_arg(proto_fields fields, const proto_arg *arg, void *target,
                                 uint32_t *row, nav_error *err)
{
    *row = find_row(fields, arg->key);
    if (*row == NAV_NONE) {
        return NAV_OK;
    }
    const value v = {.field = &fields.rows[*row],
                     .text = arg->value,
                     .text_bytes = strlen(arg->value),
                     .target = target,
                     .err = err};
    return read_value(&v);
}

nav_status proto_fields_read_args(proto_fields fields, const proto_arg *args, size_t arg_count,
                                  void *target, uint64_t *seen, nav_error *err)
{
    NAV_ASSERT(fields.count <= 64);
    *seen = 0;
    for (size_t i = 0; i < arg_count; i++) {
        uint32_t row;
        nav_status status = proto_fields_read_arg(fields, &args[i], target, &row, err);
        if (status != NAV_OK) {
            return status;
        }
        if (row == NAV_NONE) {
            return proto_fields_unknown(args[i].key, err);
        }
        if ((*seen >> row & 1) != 0) {
            return proto_fields_twice(args[i].key, NAV_INVALID_FIELD, err);
        }
        *seen |= UINT64_C(1) << row;
    }
    return NAV_OK;
}

nav_status proto_fields_check_required(proto_fields fields, uint64_t seen, nav_error *err)
{
    for (uint32_t i = 0; i < fields.count; i++) {
        if (fields.rows[i].required && (seen >> i & 1) == 0) {
            nav_fail(err, NAV_INVALID_FIELD, "%s is missing", fields.rows[i].name);
            nav_error_at(err, "%s", fields.rows[i].name);
            return NAV_INVALID_FIELD;
        }
    }
    return NAV_OK;
}
