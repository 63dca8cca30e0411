// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_text.c: a text that is none comes out of no column, and the version or mesh that it is
// of is known to be damaged.

#include "server/store/store.h"

#include <string.h>

#include "tests/unit/store_fixture.h"

static uint32_t add_ready(store *disk, const char *mesh)
{
    uint64_t activation;
    const store_tile tile = store_fixture_tile(1, 1);
    const store_result result = store_fixture_result(&tile, 1);
    const uint32_t version = store_fixture_add(disk, mesh, 'a', true);
    assert_int_equal(store_version_ready(disk, mesh, version, &result, &activation, NULL), NAV_OK);
    return version;
}

// Values of a column, and whether each passes as JSON.
static const struct {
    const char *value;
    bool whole;
} JSON[] = {
    {"'{\"a\":[1,\"\xc3\xa4\"]}'", true},
    {"'{\"a\":1'", false},
    {"'[1]'", false},
    {"''", false},
    {"NULL", true},
    {"7", false},
    {"x'7b7d'", false}, // the bytes of {}, but no text
    {"CAST(x'7b227aff223a317d' AS TEXT)", false},
    {"CAST(x'7b7d00' AS TEXT)", false},
    {"'{\"a\":' || char(10) || '1}'", false},
};

static void json_is_whole_or_not_there(void **state)
{
    store_fixture *f = *state;
    add_ready(f->disk, "town");
    for (size_t i = 0; i < sizeof JSON / sizeof *JSON; i++) {
        char sql[160];
        store_version row;
        (void)snprintf(sql, sizeof sql, "UPDATE versions SET stats_json = %s", JSON[i].value);
        store_fixture_execute(f, sql);
        assert_int_equal(store_version_get(f->disk, "town", 1, &row, NULL), NAV_OK);
        assert_int_equal(row.damaged, !JSON[i].whole);
        assert_int_equal(row.stats_json != NULL, JSON[i].whole && i == 0);
        assert_string_equal(row.timings_json, "{\"t\":1}");
        store_version_free(&row);
    }
}

static void words_have_no_characters_that_do_not_show(void **state)
{
    static const char *const values[] = {"x'32'", "CAST(x'32ff' AS TEXT)",
                                         "'2' || char(27) || '[2J'", "CAST(x'320033' AS TEXT)"};
    store_fixture *f = *state;
    add_ready(f->disk, "town");
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        char sql[160];
        store_version row;
        (void)snprintf(sql, sizeof sql, "UPDATE versions SET created_at = %s", values[i]);
        store_fixture_execute(f, sql);
        assert_int_equal(store_version_get(f->disk, "town", 1, &row, NULL), NAV_OK);
        assert_string_equal(row.created_at, "");
        assert_true(row.damaged);
        store_version_free(&row);
    }
}

// A failed version always has an error, if it were of the damage alone.
static void states_and_errors(void **state)
{
    store_fixture *f = *state;
    store_version row;
    store_fixture_add(f->disk, "town", 'a', true);
    store_fixture_execute(f, "UPDATE versions SET state = 'failed', error_code = 'ok'");
    assert_int_equal(store_version_get(f->disk, "town", 1, &row, NULL), NAV_OK);
    assert_int_equal(row.state, STORE_FAILED);
    assert_int_equal(row.error.status, PROTO_INTERNAL);
    store_version_free(&row);
    store_fixture_execute(f, "PRAGMA ignore_check_constraints=ON;"
                             "UPDATE versions SET state = 'reedy', error_code = NULL");
    assert_int_equal(store_version_get(f->disk, "town", 1, &row, NULL), NAV_OK);
    assert_int_equal(row.error.status, PROTO_INTERNAL);
    assert_true(row.damaged);
    store_version_free(&row);
}

static void a_name_that_is_none_is_left_out(void **state)
{
    store_fixture *f = *state;
    add_ready(f->disk, "town");
    add_ready(f->disk, "yard");
    store_fixture_execute(f,
                          "UPDATE meshes SET name = 'to' || char(10) || 'wn' WHERE name = 'town'");
    store_mesh *meshes;
    store_name *names;
    size_t count;
    assert_int_equal(store_mesh_list(f->disk, &meshes, &count, NULL), NAV_OK);
    assert_int_equal(count, 1);
    assert_string_equal(meshes[0].name, "yard");
    free(meshes);
    // The start is told that there is one, since it cannot load it.
    assert_int_equal(store_active_list(f->disk, &names, &count, NULL), NAV_OK);
    assert_int_equal(count, 2);
    assert_string_equal(names[0].mesh, "");
    assert_string_equal(names[1].mesh, "yard");
    free(names);
    assert_int_equal(store_fixture_faults(f->disk), 1);
}

static void checks_of_a_mesh(void **state)
{
    static const char *const values[] = {"''", "'{}'", "'{\"checks\":1}'", "x'00'"};
    store_fixture *f = *state;
    char *text;
    nav_error err = {0};
    assert_int_equal(store_checks_set(f->disk, "town", "{\"checks\":[]}", NULL), NAV_OK);
    assert_int_equal(store_checks_get(f->disk, "town", &text, NULL), NAV_OK);
    assert_string_equal(text, "{\"checks\":[]}");
    free(text);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        char sql[160];
        (void)snprintf(sql, sizeof sql, "UPDATE mesh_checks SET checks_json = %s", values[i]);
        store_fixture_execute(f, sql);
        assert_int_equal(store_checks_get(f->disk, "town", &text, &err), PROTO_INTERNAL);
        assert_null(text);
        assert_non_null(strstr(err.detail, "the checks of mesh 'town' are damaged"));
    }
}

#define TEST(name)                                                                                 \
    cmocka_unit_test_setup_teardown(name, store_fixture_set_up, store_fixture_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(json_is_whole_or_not_there), TEST(words_have_no_characters_that_do_not_show),
        TEST(states_and_errors),          TEST(a_name_that_is_none_is_left_out),
        TEST(checks_of_a_mesh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
