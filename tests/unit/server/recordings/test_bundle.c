// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// A bundle reads as what was written; one that is cut, changed or made up is refused with the
// reason, before anything of the size that it claims is allocated.

#include "server/recordings/bundle.h"

#include "proto/base/bytes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const proto_arg ARGS[] = {{"start", "1,2,3"}, {"filter", "{\"name\":\"\xc3\xa4\"}"}};
static const bundle_instance INSTANCES[] = {{"run-1", "{\"obstacles\":{}}", 7}, {"run-2", "{}", 1}};
static const load_tile TILES[] = {
    {0, 1, 0, {"one", 3}}, {0, 0, 2, {"and two", 7}}, {1, 0, 0, {NULL, 0}}};
static const load_landmark LANDMARKS[] = {{1, UINT64_C(0xfedcba9876543210), {"marks", 5}}};

static bundle sample(void)
{
    return (bundle){.build = "navmeshd 9",
                    .id = "01M8BNW2TJB3SYHERYT1HWZBNE",
                    .name = "st\xc3\xbc"
                            "ck",
                    .cause = "asked",
                    .created_at = "2026-11-26T10:00:00.000Z",
                    .mesh = "town",
                    .kind = "path",
                    .method = "POST",
                    .path = "/v1/meshes/town/path",
                    .content_type = "application/json",
                    .request_id = "abc",
                    .limits = "query_ms=5",
                    .args = ARGS,
                    .arg_count = 2,
                    .body = "{\"start\":[1,2,3]}",
                    .body_bytes = 17,
                    .draw = UINT64_C(0x123456789abcdef0),
                    .timed = true,
                    .instances = INSTANCES,
                    .instance_count = 2,
                    .status = 200,
                    .answer_type = "application/json",
                    .answer = "{\"a\":\0}", // bytes, not a text
                    .answer_bytes = 7,
                    .ms = 1.25,
                    .version = 3,
                    .config = "{\"cell_size\":0.3}",
                    .tiles = TILES,
                    .tile_count = 3,
                    .landmarks = LANDMARKS,
                    .landmark_count = 1};
}

static proto_writer contents_of(const bundle *b)
{
    proto_writer w;
    proto_writer_init(&w);
    bundle_write_contents(b, &w);
    assert_false(w.failed);
    return w;
}

static void *pack(const void *contents, size_t size_bytes, size_t *file_bytes)
{
    void *file = NULL;
    nav_error err = {0};
    assert_int_equal(bundle_pack(contents, size_bytes, &file, file_bytes, &err), NAV_OK);
    return file;
}

static void *write_file(const bundle *b, size_t *file_bytes)
{
    proto_writer w = contents_of(b);
    void *file = pack(w.bytes, w.size_bytes, file_bytes);
    proto_writer_free(&w);
    return file;
}

static void refused(const void *file, size_t file_bytes, const char *why)
{
    bundle_file got;
    nav_error err = {0};
    assert_int_equal(bundle_read(file, file_bytes, &got, &err), PROTO_BAD_BUNDLE);
    if (strstr(err.detail, why) == NULL) {
        fail_msg("%s, not %s", err.detail, why);
    }
}

// The contents are read from a block of exactly their size.
static void contents_refused(const proto_writer *w, const char *why)
{
    size_t file_bytes;
    void *file = pack(w->bytes, w->size_bytes, &file_bytes);
    refused(file, file_bytes, why);
    free(file);
}

static void what_is_written_is_read(void **state)
{
    (void)state;
    const bundle b = sample();
    size_t file_bytes;
    bundle_file got;
    nav_error err = {0};
    void *file = write_file(&b, &file_bytes);
    assert_int_equal(bundle_read(file, file_bytes, &got, &err), NAV_OK);
    free(file);
    const bundle *r = &got.bundle;
    assert_string_equal(r->name, b.name);
    assert_string_equal(r->limits, b.limits);
    assert_string_equal(r->config, b.config);
    assert_string_equal(r->args[1].value, ARGS[1].value);
    assert_int_equal(r->arg_count, 2);
    assert_memory_equal(r->body, b.body, r->body_bytes);
    assert_int_equal(r->body_bytes, 17);
    assert_memory_equal(r->answer, b.answer, 7);
    assert_true(r->draw == b.draw && r->timed && r->ms == 1.25);
    assert_int_equal(r->instances[0].revision, 7);
    assert_string_equal(r->instances[1].state, "{}");
    assert_int_equal(r->tiles[1].z, 2);
    assert_memory_equal(r->tiles[1].blob.bytes, "and two", 7);
    assert_int_equal((uintptr_t)r->tiles[1].blob.bytes % 16, 0); // usable in place
    assert_int_equal(r->tiles[2].blob.size_bytes, 0);
    assert_true(r->landmarks[0].fingerprint == LANDMARKS[0].fingerprint);
    // Written again it is the same.
    proto_writer first = contents_of(&b), again = contents_of(r);
    assert_int_equal(first.size_bytes, again.size_bytes);
    assert_memory_equal(first.bytes, again.bytes, first.size_bytes);
    proto_writer_free(&first);
    proto_writer_free(&again);
    bundle_free(&got);
}

static void a_file_that_was_cut_or_changed_is_refused(void **state)
{
    (void)state;
    const bundle b = sample();
    size_t file_bytes;
    uint8_t *file = write_file(&b, &file_bytes);
    size_t accepted = 0;
    for (size_t i = 0; i < file_bytes; i++) {
        void *cut = malloc(i + 1);
        assert_non_null(cut);
        memcpy(cut, file, i);
        refused(cut, i, "this is no whole recording: ");
        free(cut);
        file[i] ^= 1;
        bundle_file got;
        nav_error err = {0};
        const nav_status status = bundle_read(file, file_bytes, &got, &err);
        if (status == NAV_OK) { // zstd has bits that say nothing of the contents
            assert_true(i >= BUNDLE_HEADER_BYTES);
            assert_string_equal(got.bundle.config, b.config);
            bundle_free(&got);
        } else {
            assert_int_equal(status, PROTO_BAD_BUNDLE);
        }
        accepted += status == NAV_OK;
        file[i] ^= 1;
    }
    assert_true(accepted < 8);
    refused("", 0, "it does not begin as one");
    file[4] = 2;
    refused(file, file_bytes, "this recording has format 2, this navmeshd knows 1");
    free(file);
}

static void a_size_that_cannot_be_is_refused_before_it_is_allocated(void **state)
{
    (void)state;
    const bundle b = sample();
    size_t file_bytes;
    uint8_t *file = write_file(&b, &file_bytes);
    proto_put_u64(file + 8, UINT64_MAX);
    refused(file, file_bytes, "it cannot be as large as it says");
    free(file);
    // Far less than zstd could unpack so many bytes to, and far more than any recording has.
    uint8_t noise[8000];
    uint32_t seed = 1;
    for (size_t i = 0; i < sizeof noise; i++) {
        seed = seed * 1664525u + 1013904223u;
        noise[i] = (uint8_t)(seed >> 24);
    }
    file = pack(noise, sizeof noise, &file_bytes);
    proto_put_u64(file + 8, BUNDLE_FREE_BYTES + BUNDLE_RATIO_MAX * (uint64_t)file_bytes);
    refused(file, file_bytes, "it cannot be as large as it says");
    free(file);
}

// What would not be read is not written.
static void contents_that_are_all_the_same_are_not_packed(void **state)
{
    (void)state;
    const size_t size_bytes = (size_t)BUNDLE_FREE_BYTES + (16 << 20);
    char *zeros = calloc(size_bytes, 1);
    void *file = NULL;
    size_t file_bytes = 0;
    nav_error err = {0};
    assert_non_null(zeros);
    assert_int_equal(bundle_pack(zeros, size_bytes, &file, &file_bytes, &err),
                     PROTO_NOT_EXPORTABLE);
    assert_null(file);
    free(zeros);
}

// Contents that are cut or changed under a checksum that fits: read, or refused, and never beyond
// their end.
static void contents_that_were_made_up_are_read_or_refused(void **state)
{
    (void)state;
    const bundle b = sample();
    proto_writer w = contents_of(&b);
    const size_t whole = w.size_bytes;
    for (size_t i = 0; i < whole; i++) {
        w.size_bytes = i;
        contents_refused(&w, i > 300 ? "it" : "");
        w.size_bytes = whole;
        for (int bit = 0; bit < 8; bit += 7) {
            size_t file_bytes;
            bundle_file got;
            w.bytes[i] = (char)(w.bytes[i] ^ (1 << bit));
            void *file = pack(w.bytes, whole, &file_bytes);
            if (bundle_read(file, file_bytes, &got, NULL) == NAV_OK) {
                bundle_free(&got);
            }
            free(file);
            w.bytes[i] = (char)(w.bytes[i] ^ (1 << bit));
        }
    }
    proto_writer_put(&w, "x", 1);
    contents_refused(&w, "there is something behind its end");
    proto_writer_free(&w);
}

static void each_rule_has_its_words(void **state)
{
    (void)state;
    static const bundle_instance twice[] = {{"b", "{}", 1}, {"a", "{}", 1}};
    static const bundle_instance nameless[] = {{"../b", "{}", 1}};
    static const load_tile same[] = {{0, 1, 0, {"one", 3}}, {0, 1, 0, {"one", 3}}};
    static const load_tile strange[] = {{NAV_ALL_AGENTS, 1, 0, {"one", 3}}};
    static const load_landmark marks[] = {{1, 1, {"a", 1}}, {1, 1, {"a", 1}}};
    proto_arg many[LIMIT_ARGS + 1];
    for (size_t i = 0; i <= LIMIT_ARGS; i++) {
        many[i] = (proto_arg){"a", "b"};
    }
    bundle b[12];
    for (size_t i = 0; i < sizeof b / sizeof *b; i++) {
        b[i] = sample();
    }
    b[0].version = 0;
    b[1].mesh = "../etc";
    b[2].method = "DELETE";
    b[3].name = "a\033[2J";
    b[4].build = "\xff";
    b[5].instances = twice;
    b[6].instances = nameless;
    b[6].instance_count = 1;
    b[7].tiles = same;
    b[7].tile_count = 2;
    b[8].tiles = strange;
    b[8].tile_count = 1;
    b[9].landmarks = marks;
    b[9].landmark_count = 2;
    b[10].args = many;
    b[10].arg_count = LIMIT_ARGS + 1;
    b[11].kind = "\xe2\x80\xaehtap"; // from right to left
    static const char *const words[] = {"a number of it cannot be",
                                        "its mesh has no name",
                                        "its method is neither GET nor POST",
                                        "a text of it cannot be shown",
                                        "a text of it cannot be shown",
                                        "its instances are not in order",
                                        "an instance has no name",
                                        "its tiles are not in order",
                                        "its tiles are not in order",
                                        "its landmarks are not in order",
                                        "it has too many arguments",
                                        "a text of it cannot be shown"};
    for (size_t i = 0; i < sizeof b / sizeof *b; i++) {
        proto_writer w = contents_of(&b[i]);
        contents_refused(&w, words[i]);
        proto_writer_free(&w);
    }
}

// A count that claims more than there are bytes allocates nothing.
static void a_count_that_cannot_be_is_refused(void **state)
{
    (void)state;
    bundle b = sample();
    b.landmark_count = b.tile_count = b.instance_count = b.arg_count = 0;
    b.body_bytes = b.answer_bytes = 0;
    b.answer = b.body = NULL;
    proto_writer w = contents_of(&b);
    // Four counts stand before two empty blocks and what aligns them.
    size_t at = w.size_bytes;
    const char *const words[] = {"too many arguments", "more instances than a question names",
                                 "fewer bytes than its lists need",
                                 "fewer bytes than its lists need"};
    while (memcmp(w.bytes + at - 20, "\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 20) != 0) {
        at--;
    }
    for (size_t i = 0; i < 4; i++) {
        uint8_t *count = (uint8_t *)w.bytes + at - 16 + 4 * i;
        proto_put_u32(count, UINT32_MAX);
        contents_refused(&w, words[i]);
        proto_put_u32(count, 0);
    }
    proto_writer_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(a_file_that_was_cut_or_changed_is_refused),
        cmocka_unit_test(a_size_that_cannot_be_is_refused_before_it_is_allocated),
        cmocka_unit_test(contents_that_are_all_the_same_are_not_packed),
        cmocka_unit_test(contents_that_were_made_up_are_read_or_refused),
        cmocka_unit_test(each_rule_has_its_words),
        cmocka_unit_test(a_count_that_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
