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

#include "tests/unit/store_fixture.h"

static void finish(store *disk, uint32_t version, char *landmarks, uint64_t fingerprint)
{
    static char packed[] = "t";
    const store_tile tile = {.hash = {1}, .packed = packed, .packed_bytes = 1, .bytes = 1};
    store_result result = store_fixture_result(&tile, 1);
    result.landmarks = (store_landmarks){.fingerprint = fingerprint,
                                         .packed = landmarks,
                                         .packed_bytes = landmarks != NULL ? strlen(landmarks) : 0,
                                         .bytes = 1000};
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
    expect(disk, "town", two, 5, NULL);
    expect(disk, "city", one, 0, NULL);
    expect(disk, NULL, 0, high, "first");
    expect(disk, NULL, 0, 5, NULL);
    store_fixture_open(f);
    disk = f->disk;
    expect(disk, "town", one, high, "first");
    assert_int_equal(store_version_delete(disk, "town", one, &err), NAV_OK);
    expect(disk, "town", one, high, NULL);
    expect(disk, NULL, 0, high, "first"); // the third version's
    assert_int_equal(store_version_delete(disk, "town", three, &err), NAV_OK);
    expect(disk, NULL, 0, high, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(
        landmarks_go_with_their_version, store_fixture_set_up, store_fixture_tear_down)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
