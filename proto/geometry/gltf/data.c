// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// data.c: the buffer of a glTF that stands in its JSON, as a data: URI (RFC 2397) of base64 (RFC
// 4648): it becomes what the BIN chunk of a binary one is.

#include "proto/geometry/gltf/gltf.h"

#include <stdlib.h>
#include <string.h>

// 64: it is none.
static uint32_t digit_of(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c != '\0' ? strchr(digits, c) : NULL;
    return at != NULL ? (uint32_t)(at - digits) : 64;
}

// The next character of text as it stands in JSON, where some are escaped: \/ and \u002B.
static char next_char(const char **at, const char *end)
{
    const char *text = *at;
    if (*text != '\\') {
        (*at)++;
        return *text;
    }
    if (end - text >= 6 && memcmp(text, "\\u00", 4) == 0) {
        const char hex[3] = {text[4], text[5], '\0'};
        *at += 6;
        return (char)strtoul(hex, NULL, 16);
    }
    *at += 2; // the scan has seen that there is one behind it
    return text[1] == '/' ? '/' : '\0';
}

// False: it is no base64.
static bool decode(const char *text, size_t size_bytes, uint8_t *out, size_t *count)
{
    uint32_t bits = 0, bit_count = 0;
    size_t digits = 0, padding = 0;
    const char *end = text + size_bytes;
    *count = 0;
    while (text < end) {
        const char c = next_char(&text, end);
        const uint32_t digit = digit_of(c);
        if (c == '=') {
            padding++;
        } else if (digit == 64 || padding > 0) {
            return false;
        } else {
            bits = bits << 6 | digit;
            bit_count += 6;
            digits++;
        }
        if (bit_count >= 8) {
            bit_count -= 8;
            out[(*count)++] = (uint8_t)(bits >> bit_count);
        }
    }
    return digits % 4 != 1 && padding <= 2 && (padding == 0 || (digits + padding) % 4 == 0);
}

nav_status proto_gltf_take_data(proto_gltf *g, nav_error *err)
{
    static const proto_gltf_row row = {.name = "uri", .kind = PROTO_GLTF_TEXT};
    static const char prefix[] = "data:", base64[] = ";base64,";
    proto_gltf_value uri = {0};
    nav_error_place at;
    if (g->counts[PROTO_GLTF_BUFFERS] == 0) {
        return NAV_OK;
    }
    nav_status status = proto_gltf_read_element(g, PROTO_GLTF_BUFFERS, 0,
                                                (proto_gltf_rows){&row, 1}, &at, &uri, err);
    if (status != NAV_OK || uri.size_bytes < sizeof prefix ||
        memcmp(uri.at, prefix, sizeof prefix - 1) != 0) {
        return status;
    }
    const char *data =
        memmem(uri.at, uri.size_bytes < 128 ? uri.size_bytes : 128, base64, sizeof base64 - 1);
    const nav_error_place place = nav_at("%.60s.uri", at.text);
    if (data == NULL) {
        return proto_gltf_fail(err, &place, "a data: URI must be base64");
    }
    data += sizeof base64 - 1;
    const size_t text_bytes = uri.size_bytes - (size_t)(data - uri.at);
    const size_t space_bytes = text_bytes / 4 * 3 + 3;
    const proto_geometry_limits *l = g->limits;
    status = l->hold != NULL ? l->hold(l->hooks->user, space_bytes, err) : NAV_OK;
    if (status != NAV_OK) {
        return status;
    }
    free(g->bin); // a chunk that no buffer names
    g->bin = malloc(space_bytes);
    if (g->bin == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory for the buffer of a glTF");
    }
    if (!decode(data, text_bytes, g->bin, &g->bin_bytes)) {
        return proto_gltf_fail(err, &place, "a data: URI must be base64");
    }
    g->has_bin = true;
    return NAV_OK;
}
