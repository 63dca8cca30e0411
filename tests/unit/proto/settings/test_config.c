// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_config.c: settings read from JSON and arguments, and written in one form.

#include "tests/unit/config_text.h"

#define NO_LISTS                                                                                   \
    ",\"area_median\":false,\"volumes_reach_up\":false,\"bounds\":null,\"coordinates\":\"y_up\","  \
    "\"areas\":{\"ground\":{\"cost\":1,\"flags\":[],\"liquid\":false}},\"materials\":{},"          \
    "\"volumes\":[],\"links\":[],\"seeds\":[],\"query_filters\":{}}"

#define DEFAULTS                                                                                   \
    "{\"cell_size\":0.3,\"cell_height\":0.2,\"agent\":{\"radius\":0.6,\"height\":2,"               \
    "\"max_climb\":0.9,\"max_slope\":45},\"partition\":\"watershed\",\"tile_cells\":\"auto\","     \
    "\"region_min_size\":8,\"region_merge_size\":20,\"edge_max_length\":12,"                       \
    "\"edge_max_error\":1.3,\"polygon_max_vertices\":6,\"detail\":true,"                           \
    "\"detail_sample_distance\":6,\"detail_max_error\":1,\"filters\":{\"low_hanging\":true,"       \
    "\"ledges\":true,\"low_height\":true}" NO_LISTS

// Memory for the lists of all settings that are read here; the last test frees it.
static nav_arena memory;

static void test_defaults_are_those_of_the_api(void **state)
{
    (void)state;
    nav_config config = nav_config_default();
    assert_config(&config, DEFAULTS);
    assert_int_equal(proto_config_read("{}", 2, &memory, &config, NULL), NAV_OK);
    assert_config(&config, DEFAULTS);
}

#define OTHER                                                                                      \
    "{\"cell_size\":0.15,\"cell_height\":0.1,\"agent\":{\"radius\":0.4,\"height\":1.8,"            \
    "\"max_climb\":0.5,\"max_slope\":50.5},\"partition\":\"layers\",\"tile_cells\":64,"            \
    "\"region_min_size\":4,\"region_merge_size\":10,\"edge_max_length\":0,\"edge_split\":"         \
    "\"areas\","                                                                                   \
    "\"edge_max_error\":1.1,\"polygon_max_vertices\":12,\"detail\":false,"                         \
    "\"detail_sample_distance\":0,\"detail_max_error\":0.5,\"filters\":{\"low_hanging\":false,"    \
    "\"ledges\":false,\"low_height\":false}" NO_LISTS

static void test_written_settings_read_back(void **state)
{
    (void)state;
    nav_config config = nav_config_default();
    assert_int_equal(proto_config_read(OTHER, sizeof OTHER - 1, &memory, &config, NULL), NAV_OK);
    assert_config(&config, OTHER);
    assert_true(config.agent_radius == 0.4f);
    assert_true(config.agent_max_slope == 50.5f);
    assert_int_equal(config.tile_cells, 64);
    assert_false(config.filter_ledges);
    config.edge_split = NAV_EDGE_SPLIT_WALLS; // left out there
    assert_int_equal(proto_config_read(DEFAULTS, sizeof DEFAULTS - 1, &memory, &config, NULL),
                     NAV_OK);
    assert_config(&config, DEFAULTS);
    assert_int_equal(proto_config_read("{\"tile_cells\":0}", 16, &memory, &config, NULL), NAV_OK);
    assert_int_equal(config.tile_cells, 0);
    assert_int_equal(proto_config_read("{\"tile_cells\":\"auto\"}", 21, &memory, &config, NULL),
                     NAV_OK);
    assert_int_equal(config.tile_cells, NAV_TILE_CELLS_AUTO);
}

static void test_arguments(void **state)
{
    (void)state;
    static const proto_arg args[] = {
        {"cell_size", "0.15"},
        {"cell_height", "1e-1"},
        {"agent.radius", "0.4"},
        {"agent.height", "1.80"},
        {"agent.max_climb", ".5"},
        {"agent.max_slope", "50.5"},
        {"partition", "layers"},
        {"tile_cells", "64"},
        {"region_min_size", "4"},
        {"region_merge_size", "10"},
        {"edge_max_length", "0"},
        {"edge_split", "areas"},
        {"edge_max_error", "1.1"},
        {"polygon_max_vertices", "12"},
        {"detail", "0"},
        {"detail_sample_distance", "0"},
        {"detail_max_error", "0.5"},
        {"filters.low_hanging", "false"},
        {"filters.ledges", "0"},
        {"filters.low_height", "false"},
    };
    nav_config config = nav_config_default();
    bool known;
    for (size_t i = 0; i < sizeof args / sizeof args[0]; i++) {
        assert_int_equal(config_argument(&args[i], &config, &known, NULL), NAV_OK);
        assert_true(known);
    }
    assert_config(&config, OTHER);
    assert_int_equal(config_argument(&(proto_arg){"detail", "true"}, &config, &known, NULL),
                     NAV_OK);
    assert_true(config.detail);
    assert_int_equal(config.partition, NAV_PARTITION_LAYERS);
    assert_int_equal(config_argument(&(proto_arg){"partition", "monotone"}, &config, &known, NULL),
                     NAV_OK);
    assert_int_equal(config.partition, NAV_PARTITION_MONOTONE);
    for (const char *const *key = (const char *const[]){"agent", "Cell_size", "wait", "", NULL};
         *key != NULL; key++) {
        assert_int_equal(config_argument(&(proto_arg){*key, "1"}, &config, &known, NULL), NAV_OK);
        assert_false(known);
    }
}

static void test_wrong_arguments(void **state)
{
    (void)state;
    static const proto_arg args[] = {
        {"cell_size", "NaN"},
        {"cell_size", "inf"},
        {"cell_size", "abc"},
        {"cell_size", ""},
        {"cell_size", "1e39"},
        {"cell_size", "0.3 "},
        {"cell_size", "0,3"},
        {"detail", "yes"},
        {"detail", ""},
        {"tile_cells", "big"},
        {"tile_cells", "-1"},
        {"tile_cells", "1.5"},
        {"region_min_size", "-1"},
        {"region_min_size", "4294967296"},
        {"partition", "Monotone"},
        {"edge_split", "all"},
        {"polygon_max_vertices", "6.5"},
        {"agent.radius", "0x1"},
    };
    for (size_t i = 0; i < sizeof args / sizeof args[0]; i++) {
        nav_config config = nav_config_default();
        nav_error err = {0};
        bool known;
        assert_int_equal(config_argument(&args[i], &config, &known, &err), NAV_INVALID_FIELD);
        assert_true(known);
        assert_string_equal(err.at, args[i].key);
        assert_string_equal(err.got, args[i].value);
        assert_config(&config, DEFAULTS);
    }
}

static void test_wrong_json(void **state)
{
    (void)state;
    static const refused_config cases[] = {
        {"", PROTO_BAD_JSON, "byte 0"},
        {"[]", NAV_INVALID_FIELD, ""},
        {"null", NAV_INVALID_FIELD, ""},
        {"{\"cell_size\":\"0.3\"}", NAV_INVALID_FIELD, "cell_size"},
        {"{\"cell_size\":null}", NAV_INVALID_FIELD, "cell_size"},
        {"{\"cell_size\":1e999}", NAV_INVALID_FIELD, "cell_size"},
        {"{\"detail\":1}", NAV_INVALID_FIELD, "detail"},
        {"{\"agent\":3}", NAV_INVALID_FIELD, "agent"},
        {"{\"agent\":{\"radius\":[]}}", NAV_INVALID_FIELD, "agent.radius"},
        {"{\"agent\":{\"Radius\":1}}", PROTO_UNKNOWN_FIELD, "agent.Radius"},
        {"{\"agent.radius\":1}", PROTO_UNKNOWN_FIELD, "agent.radius"},
        {"{\"agent\":{\"radius\":1,\"radius\":2}}", PROTO_BAD_JSON, "agent.radius"},
        {"{\"agent\":{},\"agent\":{}}", PROTO_BAD_JSON, "agent"},
        {"{\"cell_size\":1,\"cell_size\":1}", PROTO_BAD_JSON, "cell_size"},
        {"{\"Cell_size\":1}", PROTO_UNKNOWN_FIELD, "Cell_size"},
        {"{\"seed\":[]}", PROTO_UNKNOWN_FIELD, "seed"},
        {"{\"\":1}", PROTO_UNKNOWN_FIELD, ""},
        {"{\"partition\":\"layer\"}", NAV_INVALID_FIELD, "partition"},
        {"{\"tile_cells\":\"Auto\"}", NAV_INVALID_FIELD, "tile_cells"},
        {"{\"region_min_size\":8.5}", NAV_INVALID_FIELD, "region_min_size"},
        {"{\"cell_size\":1,\"detail\":2}", NAV_INVALID_FIELD, "detail"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_config_refused(&cases[i], &memory);
    }
}

// Damaged settings are read or refused, never more.
static void test_damage(void **state)
{
    (void)state;
    uint32_t seed = 88172645u;
    for (int round = 0; round < 10000; round++) {
        char text[sizeof OTHER];
        memcpy(text, OTHER, sizeof text);
        size_t size = sizeof OTHER - 1;
        for (int hits = 0; hits < 3; hits++) {
            seed = seed * 1664525u + 1013904223u;
            text[(seed >> 8) % size] =
                (seed & 1) != 0 ? (char)(seed >> 24) : "{}[],:\"0.-et\\"[(seed >> 24) % 13];
        }
        size = (seed & 0x70) == 0 ? (seed >> 8) % size : size;
        char *copy = malloc(size + 1);
        assert_non_null(copy);
        memcpy(copy, text, size);
        nav_config config = nav_config_default();
        nav_error err = {0};
        nav_status status = proto_config_read(copy, size, &memory, &config, &err);
        assert_int_equal(status, err.status);
        assert_int_equal(config.cookie, nav_config_default().cookie);
        free(copy);
    }
}

static void assert_difference(const nav_config *a, const nav_config *b, const char *wanted)
{
    proto_writer names;
    size_t size_bytes;
    proto_writer_init(&names);
    assert_int_equal(proto_config_compare(a, b, &names, NULL), NAV_OK);
    char *text = proto_writer_take(&names, &size_bytes);
    assert_string_equal(text, wanted);
    free(text);
}

// Settings differ where they would be written differently: also one of a nested object, and one
// that is a list; not where one text leaves out what another spells out.
static void test_settings_that_differ_are_named(void **state)
{
    (void)state;
    static const char lists[] =
        "{\"cell_size\":0.3,\"agent\":{\"radius\":0.4},\"coordinates\":\"z_up\","
        "\"links\":[{\"start\":[0,0,0],\"end\":[9,0,0]}]}";
    const nav_config plain = nav_config_default();
    nav_config config = nav_config_default(), other = nav_config_default();
    assert_difference(&plain, &config, "");
    assert_int_equal(proto_config_read(DEFAULTS, sizeof DEFAULTS - 1, &memory, &config, NULL),
                     NAV_OK);
    assert_difference(&plain, &config, "");
    assert_int_equal(proto_config_read(lists, sizeof lists - 1, &memory, &other, NULL), NAV_OK);
    assert_difference(&config, &other, "agent.radius, coordinates, links");
    assert_difference(&other, &other, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults_are_those_of_the_api),
        cmocka_unit_test(test_written_settings_read_back),
        cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_wrong_arguments),
        cmocka_unit_test(test_wrong_json),
        cmocka_unit_test(test_damage),
        cmocka_unit_test(test_settings_that_differ_are_named),
    };
    nav_arena_init(&memory, NULL, 0);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    nav_arena_free(&memory);
    return failed;
}
