// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// Landmarks are stored with their version, found again by it and by their mesh's fingerprint, and
// go with it.

#include "server/store/store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/store_fixture.h"

static void finish(store *disk, uint32_t version, char *landmarks, uint64_t fingerprint)
{
    static char packed[] = "t";
    const store_tile tile = {.hash = {1}, .packed = packed, .packed_bytes = 1, .bytes = 1};
    store_result result = store_fixture_result(&tile, 1);
    const store_landmarks own = {.fingerprint = fingerprint,
                                 .packed = landmarks,
                                 .packed_bytes = landmarks != NULL ? strlen(landmarks) : 0,
                                 .bytes = landmarks != NULL ? 1000 : 0};
    result.landmarks = &own;
    result.landmark_count = 1;
    uint64_t activation;
    nav_error err = {0};
    if (store_version_ready(disk, "town", version, &result, &activation, &err) != NAV_OK) {
        fail_msg("%s", err.detail);
    }
}

static void expect(store *disk, const char *mesh, uint32_t version, uint64_t fingerprint,
                   const char *text)
{
    store_landmarks found = {.fingerprint = fingerprint};
    nav_error err = {0};
    assert_int_equal(store_landmarks_load(disk, mesh, version, &found, &err), NAV_OK);
    if (text == NULL) {
        assert_null(found.packed);
    } else if (text[0] == '\0') { // none could be made
        assert_non_null(found.packed);
        assert_true(found.packed_bytes == 0 && found.bytes == 0);
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
    store_fixture *f = *state;
    const uint64_t high = UINT64_C(0xfedcba9876543210);
    static char first[] = "first";
    nav_error err = {0};
    store *disk = f->disk;
    const uint32_t one = store_fixture_add(disk, "town", 1, false);
    const uint32_t two = store_fixture_add(disk, "town", 2, false);
    const uint32_t three = store_fixture_add(disk, "town", 3, false);
    expect(disk, "town", one, 0, NULL);
    finish(disk, one, first, high);
    finish(disk, two, NULL, 5);
    finish(disk, three, first, high);
    expect(disk, "town", one, high, "first");
    expect(disk, "town", two, 5, "");
    expect(disk, "city", one, 0, NULL);
    expect(disk, NULL, 0, high, "first");
    expect(disk, NULL, 0, 5, NULL);
    store_fixture_open(f);
    disk = f->disk;
    expect(disk, "town", one, high, "first");
    assert_int_equal(store_version_delete(disk, "town", one, false, &err), NAV_OK);
    expect(disk, "town", one, high, NULL);
    expect(disk, NULL, 0, high, "first"); // the third version's
    assert_int_equal(store_version_delete(disk, "town", three, false, &err), NAV_OK);
    expect(disk, NULL, 0, high, NULL);
}

static void expect_of(store *disk, uint32_t version, uint32_t agent, const char *text)
{
    store_landmarks found = {.agent = agent};
    assert_int_equal(store_landmarks_load(disk, "town", version, &found, NULL), NAV_OK);
    assert_int_equal(found.agent, agent);
    assert_int_equal(found.packed_bytes, strlen(text));
    assert_memory_equal(found.packed, text, found.packed_bytes);
    free(found.packed);
}

static void each_agent_has_its_own(void **state)
{
    store_fixture *f = *state;
    static char own[] = "own", rat[] = "the rat's", troll[] = "the troll's", packed[] = "t";
    const store_tile tile = {.hash = {1}, .packed = packed, .packed_bytes = 1, .bytes = 1};
    const store_landmarks all[] = {
        {.fingerprint = 10, .packed = own, .packed_bytes = 3, .bytes = 1000},
        {.agent = 1, .fingerprint = 11, .packed = rat, .packed_bytes = 9, .bytes = 1000},
        {.agent = 2, .fingerprint = 12, .packed = troll, .packed_bytes = 11, .bytes = 1000}};
    store_result result = store_fixture_result(&tile, 1);
    uint64_t activation;
    result.landmarks = all;
    result.landmark_count = 3;
    const uint32_t one = store_fixture_add(f->disk, "town", 1, false);
    assert_int_equal(store_version_ready(f->disk, "town", one, &result, &activation, NULL), NAV_OK);
    store_fixture_open(f);
    expect_of(f->disk, one, 0, own);
    expect_of(f->disk, one, 1, rat);
    expect_of(f->disk, one, 2, troll);
    expect(f->disk, NULL, 0, 12, troll); // for the mesh of any version that has this fingerprint
    assert_int_equal(store_version_delete(f->disk, "town", one, false, NULL), NAV_OK);
    expect(f->disk, NULL, 0, 12, NULL);
    assert_int_equal(store_fixture_ask(f, "SELECT count(*) FROM version_landmarks"), 0);
}

static void overwrite_page_of(store_fixture *f, const char *table)
{
    char ask[96];
    (void)snprintf(ask, sizeof ask, "SELECT rootpage FROM sqlite_master WHERE name = '%s'", table);
    store_fixture_close(f);
    const long page = (long)store_fixture_ask(f, ask);
    FILE *file = fopen(f->path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, (page - 1) * 16384, SEEK_SET), 0);
    for (int i = 0; i < 16384; i++) {
        (void)fputc(0xa5, file);
    }
    assert_int_equal(fclose(file), 0);
    store_fixture_open(f);
}

// A mesh does without landmarks, so that a version is found though their pages are lost.
static void damaged_pages_are_as_if_there_were_no_landmarks(void **state)
{
    static const char *const pages[] = {"version_landmarks", "version_landmarks_by_fingerprint"};
    store_fixture *f = *state;
    static char first[] = "first";
    for (size_t i = 0; i < sizeof pages / sizeof pages[0]; i++) {
        store_fixture_remove_files(f);
        store_fixture_open(f);
        const uint32_t one = store_fixture_add(f->disk, "town", 1, false);
        finish(f->disk, one, first, 7);
        overwrite_page_of(f, pages[i]);
        expect(f->disk, NULL, 0, 7, NULL);
    }
}

#define TEST(name)                                                                                 \
    cmocka_unit_test_setup_teardown(name, store_fixture_set_up, store_fixture_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(landmarks_go_with_their_version),
                                       TEST(each_agent_has_its_own),
                                       TEST(damaged_pages_are_as_if_there_were_no_landmarks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
