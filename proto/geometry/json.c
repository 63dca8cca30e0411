// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// json.c: JSON geometry to triangles, in pieces of any size, without a tree.
//
//   {"vertices":[[x,y,z],...], "triangles":[[a,b,c],...], "areas":["water",...], "config":{...}}
//
// Tokens are pulled from the pieces as they come; the token that a piece ends in is kept in `tail`
// until the next piece has its rest. The grammar is shallow, so the place in it is one enum; lists
// may be flat. The text of config is kept as it is, and its tokens are pulled from there.

#include "proto/geometry/geometry.h"

#include "proto/base/suggest.h"

#include <math.h>
#include <string.h>

_Static_assert(PROTO_GEOJSON_TAIL_BYTES > PROTO_GEOJSON_TOKEN_BYTES_MAX + 12,
               "a token and an escape that is cut");
_Static_assert(PROTO_NUMBER_BYTES_MAX < PROTO_GEOJSON_TAIL_BYTES, "a number that is cut");

static const char *const NAMES[PROTO_GEOJSON_MEMBER_COUNT] = {"vertices", "triangles", "areas",
                                                              "config"};

// ---- what is refused ----

static nav_status bad_json(const proto_geojson_state *json, nav_error *err, const char *reason)
{
    return proto_tokens_bad_json(proto_tokens_byte(&json->tokens), reason, err);
}

// Refuses the list element that is being read, which a client would name "vertices[4]". shown: of
// what kind the newest token is, where `got` is to show it; else PROTO_TOKEN_END.
static nav_status bad_element(const proto_geometry_reader *reader, nav_error *err,
                              nav_status status, const char *reason, proto_token shown)
{
    const proto_geojson_state *json = &reader->state.json;
    const uint32_t number = json->member == PROTO_GEOJSON_VERTICES       ? reader->vertex_count
                            : json->member == PROTO_GEOJSON_AREAS_MEMBER ? reader->materials.count
                                                                         : reader->triangle_count;
    nav_fail_at(err, status, nav_at("%s[%u]", NAMES[json->member], number).text,
                "%s: %s at byte %llu", NAMES[json->member], reason,
                (unsigned long long)proto_tokens_byte(&json->tokens));
    if (shown != PROTO_TOKEN_END) {
        nav_error_got(err, "%.*s",
                      (int)(json->tokens.text_bytes < 63 ? json->tokens.text_bytes : 63),
                      json->tokens.text);
        if (err != NULL) {
            err->got_is_text = shown == PROTO_TOKEN_STRING;
        }
    }
    return status;
}

// A bracket where none may stand is not reported at once: its inside is followed first, so that a
// text nested too deeply is called just that.
static nav_status refuse(proto_geojson_state *json, proto_token token, const nav_error *made,
                         nav_error *err)
{
    if (token == PROTO_TOKEN_LIST || token == PROTO_TOKEN_OBJECT) {
        json->refused = *made;
        json->place = PROTO_GEOJSON_REFUSED;
        return NAV_OK;
    }
    if (err != NULL) {
        *err = *made;
    }
    return made->status;
}

static nav_status report_refused(const proto_geojson_state *json, nav_error *err)
{
    if (err != NULL) {
        *err = json->refused;
    }
    return json->refused.status;
}

// The text is wrong already: anything but one more bracket shows that it will not get much deeper.
static nav_status take_refused(const proto_geojson_state *json, proto_token token, nav_error *err)
{
    if (token == PROTO_TOKEN_LIST || token == PROTO_TOKEN_OBJECT || token == PROTO_TOKEN_NAME) {
        return NAV_OK;
    }
    return token == PROTO_TOKEN_WRONG && json->tokens.status == PROTO_JSON_TOO_DEEP
               ? proto_tokens_fail(&json->tokens, err)
               : report_refused(json, err);
}

// ---- numbers ----

static nav_status end_row(proto_geometry_reader *reader, nav_error *err)
{
    proto_geojson_state *json = &reader->state.json;
    NAV_DCHECK(json->number_count == 3);
    json->number_count = 0;
    return json->member == PROTO_GEOJSON_VERTICES
               ? proto_geometry_add_vertex(reader, json->position, err)
               : proto_geometry_add_triangle(reader, json->corners, err);
}

// got is its text for an error.
static nav_status take_coordinate(proto_geometry_reader *reader, double value, nav_error *err)
{
    proto_geojson_state *json = &reader->state.json;
    char text[64];
    json->position[json->number_count] = (float)value;
    if (fabs(value) <= reader->limits.coordinate_max) {
        return NAV_OK;
    }
    const size_t size_bytes = json->tokens.text_bytes < 63 ? json->tokens.text_bytes : 63;
    memcpy(text, json->tokens.text, size_bytes);
    text[size_bytes] = '\0';
    return proto_geometry_check_coordinate(reader, json->number_count, value, text, err);
}

static nav_status take_index(proto_geometry_reader *reader, double value, nav_error *err)
{
    proto_geojson_state *json = &reader->state.json;
    if (isfinite(value) && floor(value) != value) {
        return bad_element(reader, err, NAV_INVALID_FIELD, "an index is not a whole number",
                           PROTO_TOKEN_NUMBER);
    }
    if (value < 0.0 || value >= (double)reader->limits.vertices_max) {
        nav_status status = bad_element(reader, err, NAV_INDEX_OUT_OF_RANGE,
                                        value < 0.0 ? "an index is negative"
                                                    : "an index is larger than any mesh allows",
                                        PROTO_TOKEN_NUMBER);
        nav_error_limit(err, "%u", reader->limits.vertices_max);
        return status;
    }
    json->corners[json->number_count] = (uint32_t)value;
    return NAV_OK;
}

static nav_status take_number(proto_geometry_reader *reader, nav_error *err)
{
    proto_geojson_state *json = &reader->state.json;
    NAV_ASSERT(json->number_count < 3);
    const double value = proto_tokens_number(&json->tokens);
    nav_status status = json->member == PROTO_GEOJSON_VERTICES ? take_coordinate(reader, value, err)
                                                               : take_index(reader, value, err);
    json->number_count += status == NAV_OK;
    return status;
}

// A token that is no JSON may be a coordinate that is not finite, in one of the usual spellings.
static nav_status take_wrong(proto_geometry_reader *reader, nav_error *err)
{
    const proto_geojson_state *json = &reader->state.json;
    const bool in_list = json->place == PROTO_GEOJSON_LIST || json->place == PROTO_GEOJSON_ROW;
    char word[PROTO_NUMBER_BYTES_MAX + 1];
    if (in_list && json->member == PROTO_GEOJSON_VERTICES && json->number_count < 3 &&
        json->tokens.status == PROTO_BAD_JSON && json->tokens.text_bytes < sizeof word) {
        memcpy(word, json->tokens.text, json->tokens.text_bytes);
        word[json->tokens.text_bytes] = '\0';
        const char *got = proto_text_not_finite(word);
        if (got != NULL) {
            return proto_geometry_check_coordinate(reader, json->number_count, (double)NAN, got,
                                                   err);
        }
    }
    return proto_tokens_fail(&json->tokens, err);
}

// ---- lists ----

// Neither a number nor a row.
static nav_status not_a_number(proto_geometry_reader *reader, proto_token token, nav_error *err)
{
    nav_error made = {0};
    bad_element(reader, &made, NAV_INVALID_FIELD, "expected a number",
                token >= PROTO_TOKEN_STRING ? token : PROTO_TOKEN_END);
    return refuse(&reader->state.json, token, &made, err);
}

static nav_status take_list(proto_geometry_reader *reader, proto_token token, nav_error *err)
{
    proto_geojson_state *json = &reader->state.json;
    if (token == PROTO_TOKEN_CLOSE) {
        if (json->number_count != 0) {
            return bad_element(reader, err, PROTO_BAD_GEOMETRY,
                               "the count of numbers is not a multiple of three", PROTO_TOKEN_END);
        }
        json->place = PROTO_GEOJSON_MEMBER;
        return NAV_OK;
    }
    if (token != PROTO_TOKEN_NUMBER && token != PROTO_TOKEN_LIST) {
        return not_a_number(reader, token, err);
    }
    if (token == PROTO_TOKEN_LIST ? json->flat : json->nested) {
        return bad_element(reader, err, PROTO_BAD_GEOMETRY, "rows and plain numbers are mixed",
                           PROTO_TOKEN_END);
    }
    if (token == PROTO_TOKEN_LIST) {
        json->nested = true;
        json->place = PROTO_GEOJSON_ROW;
        return NAV_OK;
    }
    json->flat = true;
    nav_status status = take_number(reader, err);
    return status == NAV_OK && json->number_count == 3 ? end_row(reader, err) : status;
}

static nav_status take_row(proto_geometry_reader *reader, proto_token token, nav_error *err)
{
    proto_geojson_state *json = &reader->state.json;
    if (token == PROTO_TOKEN_CLOSE) {
        if (json->number_count != 3) {
            return bad_element(reader, err, PROTO_BAD_GEOMETRY,
                               "a row has fewer than three numbers", PROTO_TOKEN_END);
        }
        json->place = PROTO_GEOJSON_LIST;
        return end_row(reader, err);
    }
    if (json->number_count == 3) {
        return bad_element(reader, err, PROTO_BAD_GEOMETRY, "a row has more than three numbers",
                           PROTO_TOKEN_END);
    }
    return token == PROTO_TOKEN_NUMBER ? take_number(reader, err)
                                       : not_a_number(reader, token, err);
}

// One name a triangle, "" for none. It is the triangle's material, which may be the very name of an
// area.
static nav_status take_area(proto_geometry_reader *reader, proto_token token, nav_error *err)
{
    proto_geojson_state *json = &reader->state.json;
    if (token == PROTO_TOKEN_CLOSE) {
        json->place = PROTO_GEOJSON_MEMBER;
        return NAV_OK;
    }
    if (token != PROTO_TOKEN_STRING) {
        nav_error made = {0};
        bad_element(reader, &made, NAV_INVALID_FIELD, "expected a name", PROTO_TOKEN_END);
        return refuse(json, token, &made, err);
    }
    if (reader->materials.count >= reader->limits.triangles_max) {
        return bad_element(reader, err, NAV_GEOMETRY_TOO_LARGE, "more than any mesh may have",
                           PROTO_TOKEN_END);
    }
    char text[PROTO_GEOJSON_TOKEN_BYTES_MAX];
    nav_name name;
    const size_t size_bytes = proto_tokens_decode(&json->tokens, text, sizeof text);
    proto_geometry_keep_name(&reader->limits, text, size_bytes, name);
    return proto_materials_add(&reader->materials, name, err);
}

// ---- the outer object ----

static nav_status take_name(proto_geojson_state *json, nav_error *err)
{
    char name[PROTO_GEOJSON_TOKEN_BYTES_MAX];
    proto_tokens_decode(&json->tokens, name, sizeof name);
    NAV_DCHECK(json->place == PROTO_GEOJSON_MEMBER && json->tail_bytes <= sizeof json->tail);
    for (uint32_t i = 0; i < PROTO_GEOJSON_MEMBER_COUNT; i++) {
        if (strcmp(name, NAMES[i]) != 0) {
            continue;
        }
        if (json->seen[i]) {
            return nav_fail_at(err, PROTO_BAD_JSON, name, "the name \"%s\" appears twice", name);
        }
        json->seen[i] = true;
        json->member = (proto_geojson_member)i;
        json->place = PROTO_GEOJSON_VALUE;
        return NAV_OK;
    }
    nav_fail_at(err, PROTO_UNKNOWN_FIELD, name, "JSON geometry has no member \"%.80s\"", name);
    proto_suggestion meant = proto_suggest(name, strlen(name));
    for (uint32_t i = 0; i < PROTO_GEOJSON_MEMBER_COUNT; i++) {
        proto_suggest_offer(&meant, NAMES[i], strlen(NAMES[i]));
    }
    proto_suggest_say(&meant, err);
    return PROTO_UNKNOWN_FIELD;
}

static nav_status add_to_config(proto_geometry_reader *reader, const char *bytes, size_t size_bytes,
                                nav_error *err)
{
    nav_status status = proto_geometry_append(&reader->config, &reader->config_capacity,
                                              reader->config_bytes, bytes, size_bytes, 1, err);
    reader->config_bytes += status == NAV_OK ? (uint32_t)size_bytes : 0;
    NAV_IF_OK(status, proto_geometry_append(&reader->config, &reader->config_capacity,
                                            reader->config_bytes, "", 1, 1, err));
    return status;
}

// The limits of what stands outside of config, where coordinates are counted elsewhere.
static void set_outer_limits(proto_tokens *t)
{
    t->depth_max = PROTO_JSON_DEPTH_MAX;
    t->values = 0;
    t->values_max = UINT32_MAX;
    t->string_bytes_max = PROTO_GEOJSON_TOKEN_BYTES_MAX;
}

static nav_status begin_config(proto_geometry_reader *reader, nav_error *err)
{
    proto_geojson_state *json = &reader->state.json;
    json->place = PROTO_GEOJSON_CONFIG;
    json->tokens.depth_max = reader->limits.config_depth_max;
    json->tokens.values = 1; // config itself
    json->tokens.values_max = reader->limits.config_values_max;
    json->tokens.string_bytes_max = UINT32_MAX;
    json->config_read = 1;
    return add_to_config(reader, "{", 1, err);
}

static nav_status begin_value(proto_geometry_reader *reader, proto_token token, nav_error *err)
{
    proto_geojson_state *json = &reader->state.json;
    const bool config = json->member == PROTO_GEOJSON_CONFIG_MEMBER;
    if (token != (config ? PROTO_TOKEN_OBJECT : PROTO_TOKEN_LIST)) {
        nav_error made = {0};
        nav_fail_at(&made, NAV_INVALID_FIELD, NAMES[json->member], "%s must be %s",
                    NAMES[json->member], config ? "an object" : "a list");
        return refuse(json, token, &made, err);
    }
    if (config) {
        return begin_config(reader, err);
    }
    json->place =
        json->member == PROTO_GEOJSON_AREAS_MEMBER ? PROTO_GEOJSON_AREAS : PROTO_GEOJSON_LIST;
    json->flat = json->nested = false;
    NAV_ASSERT(json->number_count == 0);
    return NAV_OK;
}

static nav_status take_token(proto_geometry_reader *reader, proto_token token, nav_error *err)
{
    proto_geojson_state *json = &reader->state.json;
    switch (json->place) {
    case PROTO_GEOJSON_START:
        if (token != PROTO_TOKEN_OBJECT) {
            nav_error made = {0};
            bad_json(json, &made, "expected {");
            return refuse(json, token, &made, err);
        }
        json->place = PROTO_GEOJSON_MEMBER;
        return NAV_OK;
    case PROTO_GEOJSON_MEMBER:
        if (token == PROTO_TOKEN_CLOSE) {
            json->place = PROTO_GEOJSON_DONE;
            return NAV_OK;
        }
        return take_name(json, err);
    case PROTO_GEOJSON_VALUE:
        return begin_value(reader, token, err);
    case PROTO_GEOJSON_LIST:
        return take_list(reader, token, err);
    case PROTO_GEOJSON_ROW:
        return take_row(reader, token, err);
    case PROTO_GEOJSON_AREAS:
        return take_area(reader, token, err);
    default:
        return nav_fail(err, PROTO_INTERNAL, "a token behind the end of the geometry");
    }
}

// ---- pieces ----

// Takes the tokens of the window, up to its end, to the beginning of config or to an error.
static nav_status pull(proto_geometry_reader *reader, nav_error *err)
{
    proto_geojson_state *json = &reader->state.json;
    nav_status status = NAV_OK;
    json->tokens.values = 0;
    while (status == NAV_OK && json->place != PROTO_GEOJSON_CONFIG) {
        const proto_token token = proto_tokens_next(&json->tokens);
        if (token == PROTO_TOKEN_MORE || token == PROTO_TOKEN_END) {
            break;
        }
        status = json->place == PROTO_GEOJSON_REFUSED ? take_refused(json, token, err)
                 : token == PROTO_TOKEN_WRONG         ? take_wrong(reader, err)
                                                      : take_token(reader, token, err);
    }
    return status;
}

// The token that the last piece has ended in, with the beginning of this one. *used: of this one.
static nav_status feed_tail(proto_geometry_reader *reader, const char *bytes, size_t size_bytes,
                            size_t *used, nav_error *err)
{
    proto_geojson_state *json = &reader->state.json;
    const size_t before = json->tail_bytes, space = sizeof json->tail - before;
    const size_t more = size_bytes < space ? size_bytes : space;
    NAV_ASSERT(before > 0 && more > 0);
    memcpy(json->tail + before, bytes, more);
    proto_tokens_window(&json->tokens, json->tail, before + more, false);
    nav_status status = pull(reader, err);
    if (json->tokens.at >= before) {
        *used = json->tokens.at - before;
        json->tail_bytes = 0;
    } else {
        *used = more;
        json->tail_bytes += (uint32_t)more;
    }
    return status;
}

static nav_status feed_piece(proto_geometry_reader *reader, const char *bytes, size_t size_bytes,
                             size_t *used, nav_error *err)
{
    proto_geojson_state *json = &reader->state.json;
    proto_tokens_window(&json->tokens, bytes, size_bytes, false);
    nav_status status = pull(reader, err);
    *used = json->tokens.at;
    if (status == NAV_OK && json->place != PROTO_GEOJSON_CONFIG) {
        const size_t rest = size_bytes - *used;
        NAV_ASSERT(rest < sizeof json->tail);
        memcpy(json->tail, bytes + *used, rest);
        json->tail_bytes = (uint32_t)rest;
        *used = size_bytes;
    }
    return status;
}

#define CONFIG_STEP_BYTES 65536u // copied at once, where config may end sooner

// Keeps a part of config and takes its tokens from there. *used: how many bytes were config's.
static nav_status feed_config(proto_geometry_reader *reader, const char *bytes, size_t size_bytes,
                              size_t *used, nav_error *err)
{
    proto_geojson_state *json = &reader->state.json;
    const size_t space = reader->limits.config_bytes_max - reader->config_bytes;
    size_t more = size_bytes < CONFIG_STEP_BYTES ? size_bytes : CONFIG_STEP_BYTES;
    more = more < space ? more : space;
    if (more == 0) {
        return proto_geometry_config_too_large(&reader->limits, err);
    }
    nav_status status = add_to_config(reader, bytes, more, err);
    if (status != NAV_OK) {
        return status;
    }
    proto_tokens_window(&json->tokens, reader->config + json->config_read,
                        reader->config_bytes - json->config_read, false);
    proto_token token;
    do {
        token = proto_tokens_next(&json->tokens);
    } while (token > PROTO_TOKEN_END && json->tokens.depth > 1);
    if (token == PROTO_TOKEN_WRONG) {
        return proto_tokens_fail(&json->tokens, err);
    }
    json->config_read += (uint32_t)json->tokens.at;
    NAV_ASSERT(json->config_read <= reader->config_bytes);
    *used = more;
    if (token != PROTO_TOKEN_MORE) {
        NAV_ASSERT(token == PROTO_TOKEN_CLOSE && reader->config_bytes - json->config_read < more);
        *used -= reader->config_bytes - json->config_read;
        reader->config_bytes = json->config_read;
        reader->config[reader->config_bytes] = '\0';
        json->place = PROTO_GEOJSON_MEMBER;
        set_outer_limits(&json->tokens);
    }
    return NAV_OK;
}

void proto_geojson_begin(proto_geometry_reader *reader)
{
    proto_tokens_init(&reader->state.json.tokens, NULL, 0, 0, 0);
    set_outer_limits(&reader->state.json.tokens);
}

nav_status proto_geojson_feed(proto_geometry_reader *reader, const uint8_t *bytes,
                              size_t size_bytes, nav_error *err)
{
    const proto_geojson_state *json = &reader->state.json;
    const char *text = (const char *)bytes;
    nav_status status = NAV_OK;
    for (size_t i = 0, used = 0; i < size_bytes && status == NAV_OK; i += used) {
        status = json->place == PROTO_GEOJSON_CONFIG
                     ? feed_config(reader, text + i, size_bytes - i, &used, err)
                 : json->tail_bytes > 0 ? feed_tail(reader, text + i, size_bytes - i, &used, err)
                                        : feed_piece(reader, text + i, size_bytes - i, &used, err);
    }
    return status;
}

// Once the last window is set: the text must end where it does.
static nav_status end_text(proto_geometry_reader *reader, nav_error *err)
{
    proto_geojson_state *json = &reader->state.json;
    if (json->place == PROTO_GEOJSON_CONFIG) {
        proto_tokens_window(&json->tokens, reader->config + json->config_read,
                            reader->config_bytes - json->config_read, true);
        return proto_tokens_scan(&json->tokens, err);
    }
    proto_tokens_window(&json->tokens, json->tail, json->tail_bytes, true);
    return pull(reader, err);
}

nav_status proto_geojson_end(proto_geometry_reader *reader, nav_error *err)
{
    const proto_geojson_state *json = &reader->state.json;
    nav_status status = end_text(reader, err);
    if (status != NAV_OK) {
        return status;
    }
    NAV_ASSERT(json->place == PROTO_GEOJSON_DONE);
    if (json->seen[PROTO_GEOJSON_AREAS_MEMBER] &&
        reader->materials.count != reader->triangle_count) {
        return nav_fail_bound(err, PROTO_BAD_GEOMETRY, "areas", reader->materials.count,
                              reader->triangle_count, "areas has %u names for %u triangles",
                              reader->materials.count, reader->triangle_count);
    }
    return NAV_OK;
}
