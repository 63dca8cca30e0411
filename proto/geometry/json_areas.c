// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// json_areas.c: the member "areas" of JSON geometry: one name a triangle, "" for none. It
// is the triangle's material, which may be the very name of an area.

#include "proto/geometry/json.h"

#include <string.h>

// Appends a character as UTF-8.
static size_t put_utf8(char *out, uint32_t character)
{
    if (character < 0x80) {
        out[0] = (char)character;
        return 1;
    }
    size_t length = character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
    static const uint8_t lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = length; i-- > 1; character >>= 6) {
        out[i] = (char)(0x80 | (character & 0x3f));
    }
    out[0] = (char)(lead[length] | character);
    return length;
}

static uint32_t hex4(const char *digits)
{
    uint32_t value = 0;
    for (int i = 0; i < 4; i++) {
        uint32_t c = (uint8_t)digits[i] | 0x20u;
        value = value * 16 + (c >= 'a' ? c - 'a' + 10 : c & 15);
    }
    return value;
}

// Resolves the escapes of a string that the scan has passed, in place: it only gets shorter.
static size_t unescape(char *text, size_t size_bytes)
{
    static const char letters[] = "bfnrt", meanings[] = "\b\f\n\r\t";
    size_t to = 0;
    for (size_t i = 0; i < size_bytes; i++) {
        if (text[i] != '\\') {
            text[to++] = text[i];
            continue;
        }
        char c = text[++i];
        const char *letter = strchr(letters, c);
        if (c != 'u') {
            text[to++] = letter != NULL ? meanings[letter - letters] : c;
            continue;
        }
        uint32_t character = hex4(text + i + 1);
        i += 4;
        if (character >= 0xd800 && character < 0xdc00) {
            character = 0x10000 + ((character - 0xd800) << 10) + (hex4(text + i + 3) - 0xdc00);
            i += 6;
        }
        to += put_utf8(text + to, character);
    }
    return to;
}

// The token is the string with its quotes.
static nav_status end_area(proto_geometry_reader *reader, nav_error *err)
{
    proto_geojson_state *json = &reader->state.json;
    proto_token *token = &json->token;
    json->in_area = false;
    nav_status status = proto_json_scan_part(token->text, token->size_bytes,
                                             json->byte + 1 - token->size_bytes, 1, 1, err);
    if (status != NAV_OK) {
        return status;
    }
    size_t length = unescape(token->text + 1, token->size_bytes - 2);
    token->text[1 + length] = '\0';
    if (length > NAV_NAME_MAX) {
        status = proto_geojson_bad_element(reader, err, NAV_INVALID_FIELD, "a name is too long");
        nav_error_limit(err, "%d", NAV_NAME_MAX);
        return status;
    }
    status = proto_materials_add(&reader->materials, token->text + 1, err);
    token->size_bytes = 0;
    json->place = PROTO_GEOJSON_AFTER_AREA;
    return status;
}

nav_status proto_geojson_take_area_byte(proto_geometry_reader *reader, char c, nav_error *err)
{
    proto_geojson_state *json = &reader->state.json;
    nav_status status = proto_geojson_add_to_token(json, c, err);
    bool end = c == '"' && !json->in_escape;
    json->in_escape = c == '\\' && !json->in_escape;
    return status == NAV_OK && end ? end_area(reader, err) : status;
}

nav_status proto_geojson_take_areas(proto_geometry_reader *reader, char c, nav_error *err)
{
    proto_geojson_state *json = &reader->state.json;
    if (c == ']' && json->place != PROTO_GEOJSON_AREA) {
        json->place = PROTO_GEOJSON_AFTER_VALUE;
        return NAV_OK;
    }
    if (json->place == PROTO_GEOJSON_AFTER_AREA) {
        if (c != ',') {
            return proto_geojson_unexpected(reader, c, ", or ]", err);
        }
        json->place = PROTO_GEOJSON_AREA;
        return NAV_OK;
    }
    if (c != '"') {
        return proto_geojson_unexpected(reader, c, "a name", err);
    }
    if (reader->materials.count >= reader->limits.triangles_max) {
        return proto_geojson_bad_element(reader, err, NAV_GEOMETRY_TOO_LARGE,
                                         "more than any mesh may have");
    }
    json->in_area = true;
    json->in_escape = false;
    return proto_geojson_add_to_token(json, c, err);
}
