// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// Landmarks are stored with their version, found again by it and by their mesh's fingerprint, and
// go with it.

#include "server/store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

static char folder[] = "/tmp/navmeshd_landmarks_XXXXXX";
static char path[64];

static uint32_t insert(store *disk, uint8_t key)
{
    uint8_t content_key[32] = {key};
    static const uint8_t geometry_hash[32] = {7};
    const store_upload upload = {.mesh = "town",
                                 .content_key = content_key,
                                 .geometry_hash = geometry_hash,
                                 .geometry = "g",
                                 .geometry_bytes = 1,
                                 .geometry_unpacked_bytes = 1,
                                 .geometry_json = "{}",
                                 .config_json = "{}",
                                 .tiles_total = 1};
    uint32_t version = 0;
    bool existing = true;
    nav_error err = {0};
    assert_int_equal(store_version_insert(disk, &upload, &version, &existing, &err), NAV_OK);
    return version;
}

static void finish(store *disk, uint32_t version, char *landmarks, uint64_t fingerprint)
{
    static char packed[] = "t";
    const store_tile tile = {.hash = {1}, .packed = packed, .packed_bytes = 1, .bytes = 1};
    const store_result result = {
        .tiles = &tile,
        .tile_count = 1,
        .landmarks = {.fingerprint = fingerprint,
                      .packed = landmarks,
                      .packed_bytes = landmarks != NULL ? strlen(landmarks) : 0,
                      .bytes = 1000},
        .blob_json = "{}",
        .stats_json = "{}",
        .timings_json = "{}",
        .warnings_json = "[]"};
    uint64_t activation;
    nav_error err = {0};
    assert_int_equal(store_version_ready(disk, "town", version, &result, &activation, &err),
                     NAV_OK);
}

static void expect(store *disk, const char *mesh, uint32_t version, uint64_t fingerprint,
                   const char *text)
{
    store_landmarks found = {.fingerprint = fingerprint};
    nav_error err = {0};
    assert_int_equal(store_landmarks_load(disk, mesh, version, &found, &err), NAV_OK);
    if (text == NULL) {
        assert_null(found.packed);
    } else {
        assert_int_equal(found.packed_bytes, strlen(text));
        assert_memory_equal(found.packed, text, found.packed_bytes);
        assert_int_equal(found.bytes, 1000);
        assert_true(found.fingerprint == fingerprint);
    }
    free(found.packed);
}

static void landmarks_go_with_their_version(void **state)
{
    (void)state;
    const uint64_t high = UINT64_C(0xfedcba9876543210);
    static char first[] = "first";
    store *disk = NULL;
    nav_error err = {0};
    assert_int_equal(store_open(path, &disk, &err), NAV_OK);
    const uint32_t one = insert(disk, 1), two = insert(disk, 2), three = insert(disk, 3);
    expect(disk, "town", one, 0, NULL);
    finish(disk, one, first, high);
    finish(disk, two, NULL, 5);
    finish(disk, three, first, high);
    expect(disk, "town", one, high, "first");
    expect(disk, "town", two, 5, NULL);
    expect(disk, "city", one, 0, NULL);
    expect(disk, NULL, 0, high, "first");
    expect(disk, NULL, 0, 5, NULL);
    store_close(disk);
    assert_int_equal(store_open(path, &disk, &err), NAV_OK);
    expect(disk, "town", one, high, "first");
    assert_int_equal(store_version_delete(disk, "town", one, &err), NAV_OK);
    expect(disk, "town", one, high, NULL);
    expect(disk, NULL, 0, high, "first"); // the third version's
    assert_int_equal(store_version_delete(disk, "town", three, &err), NAV_OK);
    expect(disk, NULL, 0, high, NULL);
    store_close(disk);
}

static int make_folder(void **state)
{
    (void)state;
    if (mkdtemp(folder) == NULL) {
        return -1;
    }
    snprintf(path, sizeof path, "%s/navmeshd.db", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    char name[80];
    static const char *const ends[] = {"", "-wal", "-shm"};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; ++i) {
        snprintf(name, sizeof name, "%s%s", path, ends[i]);
        unlink(name);
    }
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(landmarks_go_with_their_version)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
