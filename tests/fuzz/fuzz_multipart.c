// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// fuzz_multipart.c: a form of any bytes, with the boundary b. Its parts, or what is wrong with it,
// must not depend on how it is cut; nor must what an upload makes of it. The bytes are also a
// Content-Type.

#include "proto/http/multipart.h"
#include "tests/fuzz/fuzz_geometry.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes);

// FNV-1a of all that the sink was given, in order.
static void add(uint64_t *hash, const void *bytes, size_t size_bytes)
{
    for (size_t i = 0; i < size_bytes; i++) {
        *hash = (*hash ^ ((const uint8_t *)bytes)[i]) * 0x100000001b3u;
    }
}

static void add_span(uint64_t *hash, proto_span span)
{
    add(hash, span.at != NULL ? "+" : "-", 1);
    add(hash, span.at, span.size_bytes);
}

static nav_status on_begin(void *user, const proto_part *part, nav_error *err)
{
    (void)err;
    add(user, "<", 1);
    add_span(user, part->name);
    add_span(user, part->file_name);
    add_span(user, part->type);
    return NAV_OK;
}

static nav_status on_take(void *user, const void *bytes, size_t size_bytes, nav_error *err)
{
    (void)err;
    NAV_ASSERT(size_bytes > 0);
    add(user, bytes, size_bytes);
    return NAV_OK;
}

static nav_status on_end(void *user, nav_error *err)
{
    (void)err;
    add(user, ">", 1);
    return NAV_OK;
}

static nav_status read_form(const uint8_t *bytes, size_t size_bytes, size_t piece_max,
                            uint64_t *hash, nav_error *err)
{
    static proto_multipart m;
    const proto_multipart_sink sink = {hash, on_begin, on_take, on_end};
    nav_status status = NAV_OK;
    proto_multipart_init(&m, "b");
    for (size_t i = 0; i < size_bytes && status == NAV_OK; i += piece_max) {
        const size_t piece = piece_max < size_bytes - i ? piece_max : size_bytes - i;
        status = proto_multipart_feed(&m, bytes + i, piece, &sink, err);
    }
    return status == NAV_OK ? proto_multipart_end(&m, err) : status;
}

static nav_status read_body(const uint8_t *bytes, size_t size_bytes, size_t piece_max,
                            nav_error *err)
{
    const proto_body_type type = {.is_form = true, .boundary = "b"};
    proto_body *body;
    nav_geometry geometry;
    if (proto_body_begin(&type, &FUZZ_LIMITS, &body, err) != NAV_OK) {
        abort();
    }
    nav_status status = NAV_OK;
    for (size_t i = 0; i < size_bytes && status == NAV_OK; i += piece_max) {
        const size_t piece = piece_max < size_bytes - i ? piece_max : size_bytes - i;
        status = proto_body_feed(body, bytes + i, piece, err);
    }
    status = status == NAV_OK ? proto_body_end(body, &geometry, err) : status;
    if (status == NAV_OK) {
        status = proto_body_place(body, nav_config_default().coordinates, &geometry, err);
    }
    proto_body_destroy(body);
    return status;
}

static void read_type(const uint8_t *bytes, size_t size_bytes)
{
    proto_body_type type;
    nav_error err;
    char *text = malloc(size_bytes + 1);
    if (text == NULL) {
        return;
    }
    memcpy(text, bytes, size_bytes);
    text[size_bytes] = '\0';
    if (proto_body_type_read(text, &type, &err) == NAV_OK && type.is_form) {
        NAV_ASSERT(strlen(type.boundary) > 0);
    }
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes)
{
    const size_t whole = size_bytes > 0 ? size_bytes : 1;
    nav_error one = {0}, other = {0};
    uint64_t one_hash = 0, other_hash = 0;
    nav_status status = read_form(bytes, size_bytes, whole, &one_hash, &one);
    for (size_t piece = 1; piece < 8; piece += 3) {
        NAV_ASSERT(read_form(bytes, size_bytes, piece, &other_hash, &other) == status);
        NAV_ASSERT(one_hash == other_hash && strcmp(one.at, other.at) == 0);
        other_hash = 0;
    }
    status = read_body(bytes, size_bytes, whole, &one);
    NAV_ASSERT(read_body(bytes, size_bytes, 1, &other) == status);
    NAV_ASSERT(status == NAV_OK || strcmp(one.detail, other.detail) == 0);
    read_type(bytes, size_bytes);
    return 0;
}
