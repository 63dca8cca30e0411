// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// values.c: one value, from a question, a document or an argument: the item that it is, and how it
// is checked against its field and stored. Below fields.c, which knows objects and arguments.

#include "proto/base/coordinates.h"
#include "proto/json/fields.h"

#include <cjson/cJSON.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- items ----

_Static_assert(PROTO_TOKEN_OBJECT > PROTO_TOKEN_CLOSE && PROTO_TOKEN_NULL > PROTO_TOKEN_OBJECT,
               "values are the last of the tokens");

// The newest string or name, decoded into room where it has escapes.
static const char *text_of_token(const proto_tokens *t, char room[PROTO_NUMBER_BYTES_MAX + 1],
                                 size_t *text_bytes)
{
    if (!t->has_escapes) {
        *text_bytes = t->text_bytes;
        return t->text;
    }
    *text_bytes = proto_tokens_decode(t, room, PROTO_NUMBER_BYTES_MAX + 1);
    return room;
}

// The next token as an item; one that is no value is none.
static bool next_item(proto_source *source, proto_item *out)
{
    const proto_token token = proto_tokens_next(&source->tokens);
    out->kind = token;
    out->node = NULL;
    out->source = source;
    if (token == PROTO_TOKEN_NUMBER) {
        out->number = proto_tokens_number(&source->tokens);
    } else if (token == PROTO_TOKEN_STRING) {
        out->text = text_of_token(&source->tokens, source->text, &out->text_bytes);
    }
    return token >= PROTO_TOKEN_OBJECT;
}

proto_item proto_item_begin(proto_source *source, const char *json, size_t size_bytes,
                            uint32_t values_max)
{
    proto_item item = {0};
    proto_tokens_init(&source->tokens, json, size_bytes, PROTO_JSON_DEPTH_MAX, values_max);
    next_item(source, &item);
    return item;
}

bool proto_source_is_over(proto_source *source)
{
    return proto_tokens_next(&source->tokens) == PROTO_TOKEN_END;
}

proto_item proto_item_of_node(const cJSON *node)
{
    proto_item item = {.kind = PROTO_TOKEN_NULL, .node = node};
    if (cJSON_IsNumber(node)) {
        item.kind = PROTO_TOKEN_NUMBER;
        item.number = node->valuedouble;
    } else if (cJSON_IsString(node)) {
        item.kind = PROTO_TOKEN_STRING;
        item.text = node->valuestring;
        item.text_bytes = strlen(node->valuestring);
    } else if (cJSON_IsArray(node)) {
        item.kind = PROTO_TOKEN_LIST;
    } else if (cJSON_IsObject(node)) {
        item.kind = PROTO_TOKEN_OBJECT;
    } else if (cJSON_IsBool(node)) {
        item.kind = cJSON_IsTrue(node) ? PROTO_TOKEN_TRUE : PROTO_TOKEN_FALSE;
    }
    return item;
}

static bool take_node(const cJSON *node, proto_item *out)
{
    if (node != NULL) {
        *out = proto_item_of_node(node);
    }
    return node != NULL;
}

bool proto_item_first(const proto_item *list, proto_item *element)
{
    NAV_ASSERT(list->kind == PROTO_TOKEN_LIST);
    return list->source != NULL ? next_item(list->source, element)
                                : take_node(list->node->child, element);
}

bool proto_item_next(proto_item *element)
{
    return element->source != NULL ? next_item(element->source, element)
                                   : take_node(element->node->next, element);
}

static bool next_member(proto_source *source, proto_member *out)
{
    const proto_token token = proto_tokens_next(&source->tokens);
    if (token != PROTO_TOKEN_NAME) {
        return false;
    }
    out->name = text_of_token(&source->tokens, source->name, &out->name_bytes);
    return next_item(source, &out->value);
}

static bool take_member(const cJSON *node, proto_member *out)
{
    if (node != NULL) {
        out->name = node->string;
        out->name_bytes = strlen(node->string);
    }
    return take_node(node, &out->value);
}

bool proto_member_first(const proto_item *object, proto_member *member)
{
    NAV_ASSERT(object->kind == PROTO_TOKEN_OBJECT);
    return object->source != NULL ? next_member(object->source, member)
                                  : take_member(object->node->child, member);
}

bool proto_member_next(proto_member *member)
{
    const proto_item *value = &member->value;
    return value->source != NULL ? next_member(value->source, member)
                                 : take_member(value->node->next, member);
}

bool proto_member_find(const proto_item *object, const char *name, proto_source *ahead,
                       proto_item *value)
{
    NAV_ASSERT(object->kind == PROTO_TOKEN_OBJECT && object->source != NULL);
    proto_tokens *t = &ahead->tokens;
    *t = object->source->tokens;
    const uint32_t depth = t->depth;
    proto_token token;
    while ((token = proto_tokens_next(t)) > PROTO_TOKEN_END && t->depth >= depth) {
        size_t name_bytes;
        if (token != PROTO_TOKEN_NAME || t->depth != depth) {
            continue;
        }
        const char *found = text_of_token(t, ahead->name, &name_bytes);
        if (strncmp(found, name, name_bytes) == 0 && name[name_bytes] == '\0') {
            return next_item(ahead, value);
        }
    }
    return false;
}

uint32_t proto_item_count(const proto_item *item)
{
    NAV_ASSERT(item->kind == PROTO_TOKEN_LIST || item->kind == PROTO_TOKEN_OBJECT);
    return item->source != NULL ? proto_tokens_count(&item->source->tokens)
                                : (uint32_t)cJSON_GetArraySize(item->node);
}

const char *proto_item_text(const proto_item *item, size_t *size_bytes)
{
    NAV_ASSERT(item->source != NULL);
    const proto_tokens *t = &item->source->tokens;
    *size_bytes = t->window_bytes - t->begin;
    return t->window + t->begin;
}

const char *proto_item_keep_text(const proto_item *item, nav_arena *memory)
{
    NAV_ASSERT(item->kind == PROTO_TOKEN_STRING);
    const proto_tokens *const t = item->source != NULL ? &item->source->tokens : NULL;
    const size_t size_bytes = t != NULL ? t->text_bytes : item->text_bytes;
    char *kept = nav_arena_alloc(memory, size_bytes + 1, 1);
    if (kept != NULL && t != NULL) {
        proto_tokens_decode(t, kept, size_bytes + 1);
    } else if (kept != NULL) {
        memcpy(kept, item->text, size_bytes);
        kept[size_bytes] = '\0';
    }
    return kept;
}

// ---- numbers as text, errors ----

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

void proto_value_got(nav_error *err, const proto_item *item)
{
    if (item->kind == PROTO_TOKEN_NUMBER) {
        got_number(err, item->number);
    } else if (item->kind == PROTO_TOKEN_STRING) {
        nav_error_got(err, "%.*s", (int)(item->text_bytes < 63 ? item->text_bytes : 63),
                      item->text);
        if (err != NULL) {
            err->got_is_text = true;
        }
    } else {
        nav_error_got(err, "%s",
                      item->kind == PROTO_TOKEN_TRUE     ? "true"
                      : item->kind == PROTO_TOKEN_FALSE  ? "false"
                      : item->kind == PROTO_TOKEN_LIST   ? "an array"
                      : item->kind == PROTO_TOKEN_OBJECT ? "an object"
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
    NAV_DCHECK(size_bytes > 0 && size_bytes <= 6 * sizeof(float));
    if (v->field->offset != PROTO_FIELD_NOWHERE) {
        memcpy((char *)v->target + v->field->offset, bytes, size_bytes);
    }
}

// A finite number from either source; false if there is none.
static bool number_of(const proto_value *v, double *out)
{
    if (v->item != NULL) {
        *out = v->item->number;
        return v->item->kind == PROTO_TOKEN_NUMBER && isfinite(*out);
    }
    return v->text_bytes <= PROTO_NUMBER_BYTES_MAX &&
           proto_text_decimal(v->text, v->text_bytes, out) && isfinite(*out);
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

// What it is kept as.
static double kept_of(const proto_value *v, double number)
{
    return v->field->unit == PROTO_UNIT_NONE || v->scale == 0.0 ? number : number * v->scale;
}

static nav_status coordinate_out_of_range(const proto_value *v, uint32_t i, double number)
{
    char expected[64];
    const value_bounds b = bounds_of(v);
    snprintf(expected, sizeof expected, "within %.10g and %.10g", b.min, b.max);
    nav_status status = invalid(v, expected);
    nav_error_at(v->err, "%s%s[%u]", v->prefix != NULL ? v->prefix : "", v->field->name, i);
    nav_error_limit(v->err, "%.10g", number < b.min ? b.min : b.max);
    return status;
}

// Whether a text is this word; as an item it is one only where it is a string.
static bool is_word(const proto_value *v, const char *word)
{
    const char *text = v->item != NULL ? v->item->text : v->text;
    const size_t text_bytes = v->item != NULL ? v->item->text_bytes : v->text_bytes;
    return (v->item == NULL || v->item->kind == PROTO_TOKEN_STRING) &&
           strncmp(text, word, text_bytes) == 0 && word[text_bytes] == '\0';
}

static nav_status out_of_range(const proto_value *v, const char *kind, double number)
{
    const value_bounds b = bounds_of(v);
    char expected[96];
    snprintf(expected, sizeof expected, "%s from %.9g to %.10g", kind, b.min, b.max);
    nav_status status = invalid(v, expected);
    nav_error_limit(v->err, "%.10g", number < b.min ? b.min : b.max);
    return status;
}

// A number within the field's bounds.
static nav_status read_number(const proto_value *v, double *out)
{
    NAV_DCHECK(v->field->min <= v->field->max);
    if (!number_of(v, out) || !isfinite((float)*out)) {
        return invalid(v, "a finite number");
    }
    const value_bounds b = bounds_of(v);
    if (*out < b.min || *out > b.max) {
        return out_of_range(v, "a number", *out);
    }
    *out = kept_of(v, *out);
    return NAV_OK;
}

static nav_status read_float(const proto_value *v)
{
    double number;
    const nav_status status = read_number(v, &number);
    if (status == NAV_OK) {
        const float narrow = (float)number + 0.0f; // -0 becomes 0
        store(v, &narrow, sizeof narrow);
    }
    return status;
}

static nav_status read_double(const proto_value *v)
{
    double number;
    const nav_status status = read_number(v, &number);
    if (status == NAV_OK) {
        store(v, &number, sizeof number);
    }
    return status;
}

static nav_status read_uint(const proto_value *v)
{
    NAV_DCHECK(v->field->min >= 0 && v->field->max <= UINT32_MAX);
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
    if (!is_word(v, "auto")) {
        return read_uint(v);
    }
    store(v, &(uint32_t){NAV_TILE_CELLS_AUTO}, sizeof(uint32_t));
    return NAV_OK;
}

static nav_status read_bool(const proto_value *v)
{
    bool yes, no;
    if (v->item != NULL) {
        yes = v->item->kind == PROTO_TOKEN_TRUE;
        no = v->item->kind == PROTO_TOKEN_FALSE;
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
    char expected[160] = "one of";
    for (unsigned i = 0; v->field->words[i] != NULL; i++) {
        size_t length = strlen(expected);
        snprintf(expected + length, sizeof expected - length, "%s \"%s\"", i > 0 ? "," : "",
                 v->field->words[i]);
    }
    const nav_status status = invalid(v, expected);
    if (v->item == NULL || v->item->kind == PROTO_TOKEN_STRING) {
        proto_suggestion meant = v->item != NULL ? proto_suggest(v->item->text, v->item->text_bytes)
                                                 : proto_suggest(v->text, v->text_bytes);
        for (unsigned i = 0; v->field->words[i] != NULL; i++) {
            proto_suggest_offer(&meant, v->field->words[i], strlen(v->field->words[i]));
        }
        proto_suggest_tell(&meant, v->err);
    }
    return status;
}

static nav_status read_choice(const proto_value *v)
{
    NAV_DCHECK(v->field->words != NULL);
    for (unsigned i = 0; v->field->words[i] != NULL; i++) {
        if (is_word(v, v->field->words[i])) {
            store(v, &i, sizeof i);
            return NAV_OK;
        }
    }
    return not_a_choice(v);
}

// One element of a list, from either source: the next item, or the text up to the next comma.
typedef struct part {
    proto_value value;
    proto_item item;
    bool more; // value is one
} part;

static void next_argument(part *p, const char *text)
{
    p->value.text = text;
    p->value.text_bytes = strcspn(text, ",");
    p->more = true;
}

// The first element; none of an item that is no list.
static void first_part(part *p, const proto_value *v)
{
    p->value = *v;
    if (v->item == NULL) {
        next_argument(p, v->text);
    } else {
        p->value.item = &p->item;
        p->more = v->item->kind == PROTO_TOKEN_LIST && proto_item_first(v->item, &p->item);
    }
}

static void next_part(part *p)
{
    if (p->value.item == NULL) {
        const char *end = p->value.text + p->value.text_bytes;
        p->more = *end == ',';
        if (p->more) {
            next_argument(p, end + 1);
        }
    } else {
        p->more = proto_item_next(&p->item);
    }
}

// `count` coordinates: a JSON list, or numbers between commas.
static nav_status read_coordinates(const proto_value *v, uint32_t count, const char *expected)
{
    float coordinates[6];
    NAV_ASSERT(count <= sizeof coordinates / sizeof coordinates[0]);
    part p;
    first_part(&p, v);
    for (uint32_t i = 0; i < count; i++) {
        double number;
        const bool last = v->item == NULL && p.value.text[p.value.text_bytes] != ',';
        if (!p.more || (v->item == NULL && last != (i + 1 == count))) {
            return invalid(v, expected);
        }
        if (!number_of(&p.value, &number) || !isfinite((float)number)) {
            nav_status status = invalid(&p.value, expected);
            nav_error_at(v->err, "%s%s[%u]", v->prefix != NULL ? v->prefix : "", v->field->name, i);
            return status;
        }
        const value_bounds b = bounds_of(v);
        if (v->field->max > v->field->min && (number < b.min || number > b.max)) {
            return coordinate_out_of_range(&p.value, i, number);
        }
        coordinates[i] = (float)kept_of(v, number) + 0.0f; // -0 becomes 0
        next_part(&p);
    }
    if (p.more) {
        return invalid(v, expected);
    }
    store(v, coordinates, count * sizeof coordinates[0]);
    return NAV_OK;
}

static nav_status read_string(const proto_value *v)
{
    if (v->item == NULL || v->item->kind != PROTO_TOKEN_STRING) {
        return invalid(v, v->item != NULL ? "a string" : "given in config, not as an argument");
    }
    NAV_ASSERT(v->item->node != NULL); // else it would not outlive the next item
    store(v, &v->item->text, sizeof v->item->text);
    return NAV_OK;
}

static nav_status read_tree(const proto_value *v)
{
    if (v->item == NULL) {
        return invalid(v, "given in config, not as an argument");
    }
    NAV_ASSERT(v->item->node != NULL);
    store(v, &v->item->node, sizeof v->item->node);
    return NAV_OK;
}

static nav_status read_switch(const proto_value *v)
{
    const bool object = v->item != NULL && v->item->kind == PROTO_TOKEN_OBJECT;
    const cJSON *tree = object ? v->item->node : NULL;
    NAV_ASSERT(!object || tree != NULL);
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
    if (v->item != NULL && v->item->kind != PROTO_TOKEN_LIST) {
        return invalid(v, "a list of words");
    }
    part p;
    first_part(&p, v);
    for (; p.more && (v->item != NULL || p.value.text[0] != '\0'); next_part(&p)) {
        unsigned index = 0;
        proto_field choice = *v->field;
        choice.offset = 0;
        proto_value one = p.value;
        one.field = &choice;
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

// An argument that is JSON: what is none is told before what is wrong with the field.
static nav_status read_own_json(const proto_value *v, const char *at)
{
    proto_source source;
    const proto_item item =
        proto_item_begin(&source, v->text, v->text_bytes, PROTO_JSON_VALUES_MAX);
    nav_status status = item.kind >= PROTO_TOKEN_OBJECT
                            ? v->field->read(&item, at, v->field, v->target, v->err)
                            : NAV_OK;
    if (status == NAV_OK && proto_source_is_over(&source)) {
        return NAV_OK;
    }
    nav_status scanned = proto_json_scan(v->text, v->text_bytes, PROTO_JSON_DEPTH_MAX,
                                         PROTO_JSON_VALUES_MAX, v->err);
    NAV_ASSERT(scanned != NAV_OK || status != NAV_OK);
    return scanned != NAV_OK ? scanned : status;
}

// A value that a function of the field's own reads. An argument that begins like JSON is read as
// such, any other as a word.
static nav_status read_own(const proto_value *v)
{
    char at[96];
    snprintf(at, sizeof at, "%s%s", v->prefix != NULL ? v->prefix : "", v->field->name);
    NAV_DCHECK(v->field->read != NULL);
    if (v->item != NULL) {
        return v->field->read(v->item, at, v->field, v->target, v->err);
    }
    if (v->text[0] == '{' || v->text[0] == '[') {
        return read_own_json(v, at);
    }
    const proto_item word = {
        .kind = PROTO_TOKEN_STRING, .text = v->text, .text_bytes = v->text_bytes};
    return v->field->read(&word, at, v->field, v->target, v->err);
}

// ---- lengths, once the level's unit is known ----

// The number-th float of a field.
static float float_at(const proto_field *field, const void *target, uint32_t number)
{
    float value;
    memcpy(&value, (const char *)target + field->offset + number * sizeof value, sizeof value);
    return value;
}

static nav_status check_length(const proto_value *v, uint32_t number)
{
    double length;
    if (v->field->type == PROTO_FIELD_DOUBLE) {
        memcpy(&length, (const char *)v->target + v->field->offset, sizeof length);
    } else {
        length = (double)float_at(v->field, v->target, number);
    }
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
        // It is only read.
        const proto_value v = {.field = field,
                               .text = "",
                               .target = (void *)(uintptr_t)target,
                               .err = err,
                               .prefix = prefix,
                               .scale = coordinates.scale};
        const uint32_t count = field->type == PROTO_FIELD_POINT ? 3 : 1;
        for (uint32_t k = 0; status == NAV_OK && k < count; k++) {
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
        const proto_field *field = &fields.rows[row];
        if (field->unit == PROTO_UNIT_LENGTH && field->type == PROTO_FIELD_FLOAT) {
            const double length = (double)float_at(field, target, 0);
            const float metres = (float)proto_length_to_mesh(coordinates, length);
            memcpy((char *)target + field->offset, &metres, sizeof metres);
        }
    }
}

nav_status proto_value_read(const proto_value *v)
{
    switch (v->field->type) {
    case PROTO_FIELD_FLOAT:
        return read_float(v);
    case PROTO_FIELD_DOUBLE:
        return read_double(v);
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
