// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// bundle.c: recordings to bytes and back. What write asserts, read checks.

#include "server/recordings/bundle.h"

#include "proto/base/bytes.h"
#include "proto/base/text.h"
#include "proto/requests/requests.h"
#include "server/base/pack.h"

#include <stdlib.h>
#include <string.h>

#define MAGIC 0x4356414eu // "NAVC"
#define FORMAT_VERSION 1u
#define BLOCK_ALIGNMENT 16u
#define TEXT_BYTES_MIN 5u // its size, and the zero

_Static_assert(sizeof(double) == sizeof(uint64_t), "milliseconds are written by their bits");

const char *bundle_build(void)
{
#ifdef NAV_DEBUG
    return "navmeshd " NAVMESHD_VERSION ", debug, compiler " __VERSION__;
#else
    return "navmeshd " NAVMESHD_VERSION ", release, compiler " __VERSION__;
#endif
}

void bundle_write_member(proto_writer *w, const char *key, const char *text)
{
    proto_member_string(w, key, text[0] != '\0' ? text : NULL);
}

// ---- out ----

static void put_u32(proto_writer *w, uint32_t value)
{
    uint8_t bytes[4];
    proto_put_u32(bytes, value);
    proto_writer_put(w, bytes, sizeof bytes);
}

static void put_u64(proto_writer *w, uint64_t value)
{
    uint8_t bytes[8];
    proto_put_u64(bytes, value);
    proto_writer_put(w, bytes, sizeof bytes);
}

static void put_text(proto_writer *w, const char *text)
{
    const size_t length = text != NULL ? strlen(text) : 0;
    NAV_ASSERT(length < UINT32_MAX);
    put_u32(w, (uint32_t)length);
    proto_writer_put(w, text != NULL ? text : "", length + 1);
}

static void put_block(proto_writer *w, const void *bytes, size_t size_bytes)
{
    static const uint8_t zeros[BLOCK_ALIGNMENT];
    if (size_bytes > UINT32_MAX) {
        w->failed = true;
        return;
    }
    put_u32(w, (uint32_t)size_bytes);
    const size_t over = w->size_bytes % BLOCK_ALIGNMENT;
    if (over > 0) {
        proto_writer_put(w, zeros, BLOCK_ALIGNMENT - over);
    }
    if (size_bytes > 0) {
        proto_writer_put(w, bytes, size_bytes);
    }
}

// The texts, in their order; *b is what is written, or filled in while it is read.
#define TEXT_COUNT 14
static void list_texts(bundle *b, const char **out[TEXT_COUNT])
{
    const char **const texts[TEXT_COUNT] = {
        &b->build,      &b->id,     &b->name,        &b->cause, &b->created_at,
        &b->mesh,       &b->kind,   &b->method,      &b->path,  &b->content_type,
        &b->request_id, &b->limits, &b->answer_type, &b->config};
    memcpy(out, texts, sizeof texts);
}

static void put_head(const bundle *b, proto_writer *w)
{
    bundle copy = *b;
    const char **texts[TEXT_COUNT];
    uint64_t ms_bits;
    NAV_ASSERT(w->size_bytes == 0); // blocks are aligned from there
    list_texts(&copy, texts);
    for (size_t i = 0; i < TEXT_COUNT; i++) {
        put_text(w, *texts[i]);
    }
    put_u32(w, b->version);
    put_u32(w, b->status);
    put_u64(w, b->draw);
    memcpy(&ms_bits, &b->ms, sizeof ms_bits);
    put_u64(w, ms_bits);
    put_u32(w, b->timed ? 1 : 0);
    put_u32(w, b->arg_count);
    put_u32(w, b->instance_count);
    put_u32(w, b->tile_count);
    put_u32(w, b->landmark_count);
    put_block(w, b->body, b->body_bytes);
    put_block(w, b->answer, b->answer_bytes);
    for (uint32_t i = 0; i < b->arg_count; i++) {
        put_text(w, b->args[i].key);
        put_text(w, b->args[i].value);
    }
    for (uint32_t i = 0; i < b->instance_count; i++) {
        put_text(w, b->instances[i].name);
        put_text(w, b->instances[i].state);
        put_u32(w, b->instances[i].revision);
    }
}

void bundle_write_contents(const bundle *b, proto_writer *w)
{
    put_head(b, w);
    for (uint32_t i = 0; i < b->tile_count; i++) {
        const load_tile *tile = &b->tiles[i];
        put_u32(w, tile->agent);
        put_u32(w, tile->x);
        put_u32(w, tile->z);
        put_block(w, tile->blob.bytes, tile->blob.size_bytes);
    }
    for (uint32_t i = 0; i < b->landmark_count; i++) {
        const load_landmark *marks = &b->landmarks[i];
        put_u32(w, marks->agent);
        put_u64(w, marks->fingerprint);
        put_block(w, marks->blob.bytes, marks->blob.size_bytes);
    }
}

static bool is_size(uint64_t contents_bytes, uint64_t packed_bytes)
{
    return contents_bytes <= BUNDLE_BYTES_MAX &&
           (contents_bytes <= BUNDLE_FREE_BYTES ||
            (contents_bytes - BUNDLE_FREE_BYTES) / BUNDLE_RATIO_MAX < packed_bytes);
}

nav_status bundle_pack(const void *contents, size_t size_bytes, void **out, size_t *out_bytes,
                       nav_error *err)
{
    void *packed = NULL;
    size_t packed_bytes = 0;
    nav_status status = size_bytes <= BUNDLE_BYTES_MAX
                            ? pack_compress(contents, size_bytes, &packed, &packed_bytes, err)
                            : NAV_OK;
    if (status == NAV_OK && !is_size(size_bytes, packed_bytes)) {
        status = nav_fail(err, PROTO_NOT_EXPORTABLE, "a recording of %zu bytes is too large",
                          size_bytes);
    }
    uint8_t *file = status == NAV_OK ? malloc(BUNDLE_HEADER_BYTES + packed_bytes) : NULL;
    if (status == NAV_OK && file == NULL) {
        status = nav_fail(err, NAV_NO_MEMORY, "no memory to pack a recording");
    }
    if (status == NAV_OK) {
        uint8_t *at = proto_put_u32(file, MAGIC);
        at = proto_put_u32(at, FORMAT_VERSION);
        at = proto_put_u64(at, size_bytes);
        at = proto_put_u64(at, packed_bytes);
        at = proto_put_u64(at, 0);
        nav_sha256_of(contents, size_bytes, at);
        memcpy(file + BUNDLE_HEADER_BYTES, packed, packed_bytes);
        *out = file;
        *out_bytes = BUNDLE_HEADER_BYTES + packed_bytes;
    }
    free(packed);
    return status;
}

// ---- in ----

// Reads to the end of the contents; the first thing that is wrong ends it, and reads give nothing
// after that.
typedef struct cursor {
    const uint8_t *begin;
    size_t at, size_bytes;
    const char *wrong; // NULL: nothing so far
} cursor;

static void fail_at(cursor *c, const char *why)
{
    c->wrong = c->wrong != NULL ? c->wrong : why;
}

// The next bytes; NULL where there are not so many.
static const uint8_t *take(cursor *c, size_t size_bytes)
{
    if (c->wrong == NULL && size_bytes > c->size_bytes - c->at) {
        fail_at(c, "it ends too early");
    }
    if (c->wrong != NULL) {
        return NULL;
    }
    const uint8_t *bytes = c->begin + c->at;
    c->at += size_bytes;
    return bytes;
}

static uint32_t take_u32(cursor *c)
{
    const uint8_t *bytes = take(c, 4);
    return bytes != NULL ? proto_get_u32(bytes) : 0;
}

static uint64_t take_u64(cursor *c)
{
    const uint8_t *bytes = take(c, 8);
    return bytes != NULL ? proto_get_u64(bytes) : 0;
}

static const char *take_text(cursor *c)
{
    const uint32_t length = take_u32(c);
    const char *text = (const char *)take(c, (size_t)length + 1);
    if (text != NULL && (text[length] != '\0' || memchr(text, '\0', length) != NULL)) {
        fail_at(c, "a text does not end where it should");
    }
    return c->wrong == NULL ? text : "";
}

static const void *take_block(cursor *c, size_t *size_bytes)
{
    const uint32_t length = take_u32(c);
    const size_t over = c->at % BLOCK_ALIGNMENT;
    const size_t gap = over > 0 ? BLOCK_ALIGNMENT - over : 0;
    const uint8_t *zeros = take(c, gap);
    for (size_t i = 0; zeros != NULL && i < gap; i++) {
        if (zeros[i] != 0) {
            fail_at(c, "there is something in front of a block");
        }
    }
    const uint8_t *bytes = take(c, length);
    *size_bytes = bytes != NULL ? length : 0;
    return bytes;
}

// Room for a list, if what is left has room for so many elements of at least so many bytes.
static void *make_list(cursor *c, nav_arena *memory, uint32_t count, size_t bytes_min,
                       size_t element_bytes)
{
    if (c->wrong == NULL && count > (c->size_bytes - c->at) / bytes_min) {
        fail_at(c, "it has fewer bytes than its lists need");
    }
    void *list = c->wrong == NULL ? nav_arena_alloc_zero(memory, count + 1u, element_bytes) : NULL;
    if (c->wrong == NULL && list == NULL) {
        fail_at(c, "there is no memory for its lists");
    }
    return list;
}

static void read_args(cursor *c, nav_arena *memory, bundle *out)
{
    if (out->arg_count > LIMIT_ARGS) {
        fail_at(c, "it has too many arguments");
    }
    proto_arg *args =
        make_list(c, memory, out->arg_count, 2 * (size_t)TEXT_BYTES_MIN, sizeof *args);
    for (uint32_t i = 0; c->wrong == NULL && i < out->arg_count; i++) {
        args[i].key = take_text(c);
        args[i].value = take_text(c);
    }
    out->args = args;
}

static void read_instances(cursor *c, nav_arena *memory, bundle *out)
{
    if (out->instance_count > PROTO_BATCH_MAX) {
        fail_at(c, "it has more instances than a question names");
    }
    bundle_instance *list =
        make_list(c, memory, out->instance_count, 2 * (size_t)TEXT_BYTES_MIN + 4, sizeof *list);
    for (uint32_t i = 0; c->wrong == NULL && i < out->instance_count; i++) {
        list[i].name = take_text(c);
        list[i].state = take_text(c);
        list[i].revision = take_u32(c);
        if (!limits_is_mesh_name(list[i].name, strlen(list[i].name)) || list[i].revision == 0) {
            fail_at(c, "an instance has no name, or no revision");
        }
        if (i > 0 && strcmp(list[i - 1].name, list[i].name) >= 0) {
            fail_at(c, "its instances are not in order");
        }
    }
    out->instances = list;
}

static bool is_behind(const load_tile *a, const load_tile *b)
{
    return a->agent != b->agent ? b->agent > a->agent : a->z != b->z ? b->z > a->z : b->x > a->x;
}

static void read_tiles(cursor *c, nav_arena *memory, bundle *out)
{
    load_tile *list = make_list(c, memory, out->tile_count, 16, sizeof *list);
    for (uint32_t i = 0; c->wrong == NULL && i < out->tile_count; i++) {
        list[i].agent = take_u32(c);
        list[i].x = take_u32(c);
        list[i].z = take_u32(c);
        list[i].blob.bytes = take_block(c, &list[i].blob.size_bytes);
        if (list[i].agent >= NAV_ALL_AGENTS || (i > 0 && !is_behind(&list[i - 1], &list[i]))) {
            fail_at(c, "its tiles are not in order");
        }
    }
    out->tiles = list;
}

static void read_landmarks(cursor *c, nav_arena *memory, bundle *out)
{
    load_landmark *list = make_list(c, memory, out->landmark_count, 16, sizeof *list);
    for (uint32_t i = 0; c->wrong == NULL && i < out->landmark_count; i++) {
        list[i].agent = take_u32(c);
        list[i].fingerprint = take_u64(c);
        list[i].blob.bytes = take_block(c, &list[i].blob.size_bytes);
        if (list[i].agent >= NAV_ALL_AGENTS || (i > 0 && list[i - 1].agent >= list[i].agent)) {
            fail_at(c, "its landmarks are not in order");
        }
    }
    out->landmarks = list;
}

// Characters that are what they look like, in a terminal as well.
static bool is_plain(const char *text)
{
    while (*text >= ' ' && *text <= '~') {
        text++;
    }
    return *text == '\0';
}

// Texts that are shown, and those that decide where the question goes. Only the name is a person's.
static void check_texts(cursor *c, const bundle *b)
{
    const char *const shown[] = {b->build,      b->id,         b->cause,  b->created_at,
                                 b->kind,       b->path,       b->limits, b->content_type,
                                 b->request_id, b->answer_type};
    bool fits = proto_text_is_line(b->name, strlen(b->name));
    for (size_t i = 0; fits && i < sizeof shown / sizeof *shown; i++) {
        fits = is_plain(shown[i]);
    }
    if (!fits) {
        fail_at(c, "a text of it cannot be shown");
    }
    if (!limits_is_mesh_name(b->mesh, strlen(b->mesh))) {
        fail_at(c, "its mesh has no name");
    }
    if (strcmp(b->method, "GET") != 0 && strcmp(b->method, "POST") != 0) {
        fail_at(c, "its method is neither GET nor POST");
    }
    if (strlen(b->request_id) > 64) {
        fail_at(c, "the id of its request is too long");
    }
}

static void read_contents(cursor *c, nav_arena *memory, bundle *out)
{
    const char **texts[TEXT_COUNT];
    list_texts(out, texts);
    for (size_t i = 0; i < TEXT_COUNT; i++) {
        *texts[i] = take_text(c);
    }
    check_texts(c, out);
    out->version = take_u32(c);
    out->status = take_u32(c);
    out->draw = take_u64(c);
    const uint64_t ms_bits = take_u64(c);
    memcpy(&out->ms, &ms_bits, sizeof out->ms);
    const uint32_t timed = take_u32(c);
    out->timed = timed == 1;
    out->arg_count = take_u32(c);
    out->instance_count = take_u32(c);
    out->tile_count = take_u32(c);
    out->landmark_count = take_u32(c);
    if (out->version == 0 || timed > 1) {
        fail_at(c, "a number of it cannot be");
    }
    out->body = take_block(c, &out->body_bytes);
    out->answer = take_block(c, &out->answer_bytes);
    read_args(c, memory, out);
    read_instances(c, memory, out);
    read_tiles(c, memory, out);
    read_landmarks(c, memory, out);
    if (c->wrong == NULL && c->at != c->size_bytes) {
        fail_at(c, "there is something behind its end");
    }
}

static nav_status refuse(nav_error *err, const char *why)
{
    return nav_fail(err, PROTO_BAD_BUNDLE, "this is no whole recording: %s", why);
}

static nav_status check_header(const uint8_t *bytes, size_t size_bytes, nav_error *err)
{
    if (size_bytes < BUNDLE_HEADER_BYTES || proto_get_u32(bytes) != MAGIC) {
        return refuse(err, "it does not begin as one");
    }
    if (proto_get_u32(bytes + 4) != FORMAT_VERSION) {
        (void)nav_fail(err, PROTO_BAD_BUNDLE,
                       "this recording has format %u, this navmeshd knows 1: use a newer one",
                       proto_get_u32(bytes + 4));
        return PROTO_BAD_BUNDLE;
    }
    const uint64_t contents_bytes = proto_get_u64(bytes + 8);
    if (proto_get_u64(bytes + 16) != size_bytes - BUNDLE_HEADER_BYTES) {
        return refuse(err, "it has not as many bytes as it says");
    }
    if (!is_size(contents_bytes, size_bytes - BUNDLE_HEADER_BYTES) ||
        !pack_can_hold(size_bytes - BUNDLE_HEADER_BYTES, contents_bytes)) {
        return refuse(err, "it cannot be as large as it says");
    }
    return proto_get_u64(bytes + 24) == 0 ? NAV_OK : refuse(err, "its header has unknown parts");
}

nav_status bundle_read(const void *data, size_t size_bytes, bundle_file *out, nav_error *err)
{
    const uint8_t *bytes = data;
    void *contents = NULL;
    nav_status status = check_header(bytes, size_bytes, err);
    if (status != NAV_OK) {
        return status;
    }
    const size_t contents_bytes = (size_t)proto_get_u64(bytes + 8);
    status = pack_decompress(bytes + BUNDLE_HEADER_BYTES, size_bytes - BUNDLE_HEADER_BYTES,
                             contents_bytes, &contents, err);
    if (status != NAV_OK) {
        return status == NAV_NO_MEMORY ? status : refuse(err, "its zstd frame is damaged");
    }
    if (!pack_has_hash(contents, contents_bytes, bytes + 32)) {
        free(contents);
        return refuse(err, "its bytes do not have the SHA-256 that they should");
    }
    cursor c = {.begin = contents, .size_bytes = contents_bytes};
    bundle_file file = {.contents = contents};
    nav_arena_init(&file.memory, NULL, 0);
    read_contents(&c, &file.memory, &file.bundle);
    if (c.wrong != NULL) {
        bundle_free(&file);
        return refuse(err, c.wrong);
    }
    *out = file;
    return NAV_OK;
}

void bundle_free(bundle_file *file)
{
    nav_arena_free(&file->memory);
    free(file->contents);
    file->contents = NULL;
}
