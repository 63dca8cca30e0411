// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// glb.c: a binary glTF as it arrives. The JSON and the bytes of the buffer are kept until its end,
// in blocks that grow with what has come and never past what their chunk promises; all chunks but
// these two are passed over. A glTF as text is JSON alone.
//
//   offset  size  what (all little-endian)
//        0     4  "glTF"
//        4     4  version, 2
//        8     4  size of the file
//       12     .  chunks: size (4), type (4), bytes; the first is JSON, the second may be BIN

#include "proto/base/bytes.h"
#include "proto/geometry/gltf/gltf.h"

#include <stdlib.h>
#include <string.h>

#define MAGIC 0x46546c67u // "glTF"
#define CHUNK_JSON 0x4e4f534au
#define CHUNK_BIN 0x004e4942u
#define BYTE_ORDER_MARK "\xef\xbb\xbf"
#define FILE_HEAD_BYTES 12u
#define CHUNK_HEAD_BYTES 8u
// A block that grows out of the allocator's heap leaves its last place there, used by nobody. Its
// steps are wide until it is so large that it has pages of its own: so that place is small.
#define CAPACITY_MIN ((size_t)32 << 10)
#define CAPACITY_OWN_PAGES ((size_t)32 << 20)

void proto_gltf_free(proto_geometry_reader *reader)
{
    proto_gltf *g = reader->state.gltf;
    if (g != NULL) {
        free(g->json);
        free(g->bin);
        for (uint32_t i = 0; i < PROTO_GLTF_LIST_COUNT; i++) {
            free(g->begins[i]);
        }
        free(g->parents);
        free(g->first_children);
        free(g->next_siblings);
        free(g->checked);
        free(g->meshes);
        free(g->primitives);
        free(g->morphs);
        free(g);
        reader->state.gltf = NULL;
    }
}

// ---- heads ----

static nav_status bad_file(nav_error *err, const char *at, uint64_t got, const char *what)
{
    nav_fail_at(err, PROTO_BAD_GEOMETRY, at, "binary glTF: %s", what);
    nav_error_got(err, "%llu", (unsigned long long)got);
    return PROTO_BAD_GEOMETRY;
}

static nav_status take_file_head(proto_gltf *g, nav_error *err)
{
    const uint32_t magic = proto_get_u32(g->head), version = proto_get_u32(g->head + 4);
    if (magic != MAGIC) {
        return bad_file(err, "magic", magic, "it does not begin with glTF");
    }
    if (version != 2) {
        return bad_file(err, "version", version, "export as glTF 2.0, the version that is read");
    }
    g->promised_bytes = proto_get_u32(g->head + 8);
    if (g->promised_bytes < FILE_HEAD_BYTES + CHUNK_HEAD_BYTES) {
        return bad_file(err, "length", g->promised_bytes, "its length has no room for a chunk");
    }
    g->has_header = true;
    return NAV_OK;
}

static nav_status json_too_large(const char *at, uint64_t size_bytes, nav_error *err)
{
    return nav_fail_bound(err, NAV_GEOMETRY_TOO_LARGE, at, size_bytes, PROTO_GLTF_JSON_BYTES_MAX,
                          "glTF: its JSON has more than %u bytes", PROTO_GLTF_JSON_BYTES_MAX);
}

// A text is one chunk of JSON, of which no length is promised. Result: bytes of a mark before it.
static size_t begin_text(proto_gltf *g, const uint8_t *bytes, size_t size_bytes)
{
    g->is_text = g->has_header = g->in_chunk = true;
    g->chunk_type = CHUNK_JSON;
    g->chunk_left = PROTO_GLTF_JSON_BYTES_MAX + 1;
    g->promised_bytes = g->chunk_left;
    return size_bytes >= 3 && memcmp(bytes, BYTE_ORDER_MARK, 3) == 0 ? 3 : 0;
}

static nav_status take_chunk_head(proto_gltf *g, nav_error *err)
{
    const nav_error_place at = nav_at("chunks[%u]", g->chunk_number);
    g->chunk_left = proto_get_u32(g->head);
    g->chunk_type = proto_get_u32(g->head + 4);
    if (g->chunk_left > g->promised_bytes - g->taken_bytes) {
        return bad_file(err, at.text, g->chunk_left, "a chunk is longer than what is left of it");
    }
    if ((g->chunk_type == CHUNK_JSON) != (g->chunk_number == 0)) {
        return bad_file(err, at.text, g->chunk_type, "its first chunk is JSON, and no other");
    }
    if (g->chunk_type == CHUNK_BIN && g->chunk_number != 1) {
        return bad_file(err, at.text, g->chunk_number, "only its second chunk may be BIN");
    }
    if (g->chunk_type == CHUNK_JSON && g->chunk_left > PROTO_GLTF_JSON_BYTES_MAX) {
        return json_too_large(at.text, g->chunk_left, err);
    }
    g->has_bin = g->has_bin || g->chunk_type == CHUNK_BIN;
    g->chunk_number++;
    g->in_chunk = true;
    return NAV_OK;
}

// ---- bytes ----

// Appends to a block that is no longer than promised_bytes in the end.
static nav_status append(void **block, size_t *capacity, size_t *count, size_t promised_bytes,
                         const uint8_t *bytes, size_t size_bytes, nav_error *err)
{
    if (*capacity - *count < size_bytes) {
        size_t wanted = *capacity < CAPACITY_OWN_PAGES ? 4 * *capacity : 2 * *capacity;
        wanted = wanted < CAPACITY_MIN ? CAPACITY_MIN : wanted;
        wanted = wanted < *count + size_bytes ? *count + size_bytes : wanted;
        wanted = wanted < promised_bytes ? wanted : promised_bytes;
        void *grown = realloc(*block, wanted);
        if (grown == NULL) {
            return nav_fail(err, NAV_NO_MEMORY, "no memory for %zu bytes of a glTF", wanted);
        }
        *block = grown;
        *capacity = wanted;
    }
    memcpy((uint8_t *)*block + *count, bytes, size_bytes);
    *count += size_bytes;
    return NAV_OK;
}

static nav_status take_bytes(proto_gltf *g, const uint8_t *bytes, size_t size_bytes, nav_error *err)
{
    void *block;
    nav_status status = NAV_OK;
    if (g->chunk_type == CHUNK_JSON) {
        block = g->json;
        status = append(&block, &g->json_capacity, &g->json_bytes, g->json_bytes + g->chunk_left,
                        bytes, size_bytes, err);
        g->json = block;
    } else if (g->chunk_type == CHUNK_BIN) {
        block = g->bin;
        status = append(&block, &g->bin_capacity, &g->bin_bytes, g->bin_bytes + g->chunk_left,
                        bytes, size_bytes, err);
        g->bin = block;
    }
    return status;
}

static nav_status end_chunk(proto_gltf *g, nav_error *err)
{
    const uint64_t left = g->promised_bytes - g->taken_bytes;
    if (g->is_text) {
        return json_too_large("byte 0", g->taken_bytes, err);
    }
    g->in_chunk = false;
    if (left > 0 && left < CHUNK_HEAD_BYTES) {
        return bad_file(err, "length", g->promised_bytes, "behind its last chunk there is a rest");
    }
    return g->chunk_type == CHUNK_JSON ? proto_gltf_index(g, err) : NAV_OK;
}

// The next bytes, of a head or of a chunk. *used: how many.
static nav_status take(proto_gltf *g, const uint8_t *bytes, size_t size_bytes, size_t *used,
                       nav_error *err)
{
    const bool begins = !g->has_header && g->head_bytes == 0;
    if (begins && (*bytes == '{' || *bytes <= ' ' || *bytes == (uint8_t)BYTE_ORDER_MARK[0])) {
        *used = begin_text(g, bytes, size_bytes);
        return NAV_OK;
    }
    if (g->in_chunk) {
        *used = size_bytes < g->chunk_left ? size_bytes : g->chunk_left;
        nav_status status = take_bytes(g, bytes, *used, err);
        g->taken_bytes += *used;
        g->chunk_left -= (uint32_t)*used;
        return status;
    }
    const uint32_t need = g->has_header ? CHUNK_HEAD_BYTES : FILE_HEAD_BYTES;
    const size_t missing = need - g->head_bytes;
    *used = size_bytes < missing ? size_bytes : missing;
    memcpy(g->head + g->head_bytes, bytes, *used);
    g->head_bytes += (uint32_t)*used;
    g->taken_bytes += *used;
    if (g->head_bytes < need) {
        return NAV_OK;
    }
    g->head_bytes = 0;
    return g->has_header ? take_chunk_head(g, err) : take_file_head(g, err);
}

nav_status proto_gltf_feed(proto_geometry_reader *reader, const uint8_t *bytes, size_t size_bytes,
                           nav_error *err)
{
    proto_gltf *g = reader->state.gltf;
    if (g == NULL) {
        g = reader->state.gltf = calloc(1, sizeof *g);
        if (g == NULL) {
            return nav_fail(err, NAV_NO_MEMORY, "no memory for a glTF reader");
        }
        g->limits = &reader->limits;
    }
    for (size_t used; size_bytes > 0; bytes += used, size_bytes -= used) {
        if (g->has_header && g->taken_bytes == g->promised_bytes) {
            return bad_file(err, "end", g->promised_bytes, "more bytes than its length");
        }
        nav_status status = take(g, bytes, size_bytes, &used, err);
        if (status == NAV_OK && g->in_chunk && g->chunk_left == 0) {
            status = end_chunk(g, err);
        }
        if (status != NAV_OK) {
            return status;
        }
    }
    return NAV_OK;
}

// ---- the end ----

static nav_status read_scene(proto_geometry_reader *reader, nav_error *err)
{
    proto_gltf *g = reader->state.gltf;
    nav_status status = NAV_OK;
    if (g->is_text) {
        g->promised_bytes = g->taken_bytes;
        status = proto_gltf_index(g, err);
    }
    NAV_IF_OK(status, proto_gltf_take_data(g, err));
    if (status != NAV_OK) {
        return status;
    }
    g->checked = calloc((size_t)g->counts[PROTO_GLTF_ACCESSORS] / 8 + 1, 1);
    g->meshes = calloc((size_t)g->counts[PROTO_GLTF_MESHES] + 1, sizeof *g->meshes);
    if (g->checked == NULL || g->meshes == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory for the meshes of a glTF");
    }
    status = proto_gltf_link_nodes(g, err);
    NAV_IF_OK(status, proto_gltf_walk(reader, proto_gltf_count, err));
    NAV_IF_OK(status, proto_gltf_reserve(reader, err));
    g->shape_count = 0; // counted anew
    NAV_IF_OK(status, proto_gltf_walk(reader, proto_gltf_add, err));
    return status;
}

nav_status proto_gltf_end(proto_geometry_reader *reader, nav_error *err)
{
    const proto_gltf *g = reader->state.gltf;
    if (g == NULL || !g->has_header || (!g->is_text && g->taken_bytes < g->promised_bytes)) {
        return bad_file(err, "end", g != NULL ? g->taken_bytes : 0,
                        "it ends before its length is reached");
    }
    nav_status status = read_scene(reader, err);
    proto_gltf_free(reader);
    const float *points = reader->shape_points;
    for (uint32_t i = 0; status == NAV_OK && i < reader->shape_count; i++) {
        reader->shapes[i].points = points;
        points += (size_t)3 * reader->shapes[i].point_count;
    }
    return status;
}
