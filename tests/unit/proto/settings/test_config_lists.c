// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_config_lists.c: the settings that are lists: areas, materials, volumes, links, seeds,
// bounds, low passages, and the coordinates in which they are given.

#include "proto/base/coordinates.h"
#include "proto/requests/requests.h"
#include "tests/unit/config_text.h"
#include "tests/unit/preset.h"

#include <stdio.h>

static nav_arena memory;

static nav_config read_good(const char *json)
{
    nav_config config = nav_config_default();
    nav_error err = {0};
    if (proto_config_read(json, strlen(json), &memory, &config, &err) != NAV_OK ||
        nav_config_check(&config, &err) != NAV_OK) {
        fail_msg("%s: %s", json, err.detail);
    }
    return config;
}

// Both texts are written as one.
static void assert_same_text(const char *json, const char *other)
{
    nav_config a = read_good(json), b = read_good(other);
    char *text = config_text(&a), *again = config_text(&b);
    assert_string_equal(text, again);
    free(text);
    free(again);
}

#define HEAD                                                                                       \
    "{\"cell_size\":0.3,\"cell_height\":0.2,\"agent\":{\"radius\":0.6,\"height\":2,"               \
    "\"max_climb\":0.9,\"max_slope\":45},\"partition\":\"layers\",\"tile_cells\":\"auto\","        \
    "\"region_min_size\":8,\"region_merge_size\":20,\"edge_max_length\":12,"                       \
    "\"edge_max_error\":1.3,\"polygon_max_vertices\":6,\"detail\":true,"                           \
    "\"detail_sample_distance\":6,\"detail_max_error\":1,\"filters\":{\"low_hanging\":true,"       \
    "\"ledges\":true,\"low_height\":{\"area\":\"crouch\",\"min_height\":1.2,\"single\":true}},"    \
    "\"area_median\":true,\"volumes_reach_up\":true,"

#define LISTS                                                                                      \
    "\"areas\":{\"ground\":{\"cost\":1.5,\"flags\":[\"walk\"],\"liquid\":false},"                  \
    "\"crouch\":{\"cost\":2,\"flags\":[],\"liquid\":false},"                                       \
    "\"water\":{\"cost\":3,\"flags\":[\"swim\",\"walk\"],\"liquid\":true}},"                       \
    "\"materials\":{\"Lava\":\"none\",\"Water A\":\"water\"},"                                     \
    "\"volumes\":[{\"shape\":\"convex\",\"points\":[[0,0],[1.5,0],[0,-2.25]],\"min_y\":-1,"        \
    "\"max_y\":5,\"area\":\"water\"},{\"shape\":\"box\",\"min\":[1,2,3],\"max\":[4,5,6],"          \
    "\"area\":\"none\"},{\"shape\":\"cylinder\",\"center\":[0.1,0.1,0.3],\"radius\":2,"            \
    "\"height\":3,\"area\":\"crouch\"}],"                                                          \
    "\"switches\":{\"a lift\":{\"shapes\":[],\"default\":\"open\"},"                               \
    "\"gate\":{\"shapes\":[{\"shape\":\"box\",\"min\":[1,2,3],\"max\":[4,5,6]},"                   \
    "{\"shape\":\"cylinder\",\"center\":[0,1,2],\"radius\":2,\"height\":3}],"                      \
    "\"default\":\"closed\"}},"                                                                    \
    "\"links\":[{\"start\":[1,2,3],\"end\":[4,5,6.5],"                                             \
    "\"radius\":0.7,\"bidirectional\":false,\"area\":\"water\",\"flags\":[\"jump\"],"              \
    "\"id\":\"ladder-1\",\"cost\":2.5,\"switch\":\"gate\"}],\"seeds\":[[1,2,3],[-4,0,0.125]],"     \
    "\"query_filters\":{\"boat\":{\"costs\":{\"ground\":9,\"water\":0.5},\"include\":[\"swim\"],"  \
    "\"exclude\":[]},"                                                                             \
    "\"foot\":{\"costs\":{},\"include\":[],\"exclude\":[\"jump\",\"swim\"]}}}"

#define FULL HEAD "\"bounds\":{\"min\":[-1,-2,-3],\"max\":[1,2,30]},\"coordinates\":\"y_up\"," LISTS
#define FULL_Z                                                                                     \
    HEAD "\"bounds\":{\"min\":[-1,-2,-3],\"max\":[1,2,30]},\"coordinates\":\"z_up\"," LISTS

static void test_all_settings_are_written_as_read(void **state)
{
    (void)state;
    static const char *const texts[] = {FULL, FULL_Z};
    for (int i = 0; i < 2; i++) {
        nav_config config = read_good(texts[i]);
        assert_config(&config, texts[i]);
    }
}

static void test_areas_and_flags_are_numbered_by_name(void **state)
{
    (void)state;
    nav_config c = read_good(FULL);
    assert_int_equal(c.area_count, 4);
    assert_string_equal(c.areas[0].name, "none");
    assert_string_equal(c.areas[1].name, "ground");
    assert_string_equal(c.areas[2].name, "crouch");
    assert_string_equal(c.areas[3].name, "water");
    assert_true(c.areas[1].cost == 1.5f && c.areas[3].cost == 3);
    assert_true(c.areas[3].liquid && !c.areas[2].liquid);
    assert_int_equal(c.flag_count, 3);
    assert_string_equal(c.flag_names[0], "jump");
    assert_string_equal(c.flag_names[1], "swim");
    assert_string_equal(c.flag_names[2], "walk");
    assert_int_equal(c.areas[1].flags, 4);
    assert_int_equal(c.areas[3].flags, 6);
    assert_int_equal(c.links[0].flags, 1);
    assert_int_equal(c.materials[0].area, NAV_AREA_NONE);
    assert_int_equal(c.materials[1].area, 3);
    assert_int_equal(c.volumes[0].area, 3);
    assert_int_equal(c.volumes[1].area, NAV_AREA_NONE);
    assert_int_equal(c.low_height_area, 2);
    assert_true(c.low_height_min == 1.2f && c.low_height_single && c.filter_low_height);
    assert_true(c.volumes[2].min[1] == 0.1f && c.volumes[2].max[1] == 0.1f + 3.0f);
    assert_int_equal(c.switch_count, 2);
    assert_string_equal(c.switches[0].id, "a lift");
    assert_string_equal(c.switches[1].id, "gate");
    assert_true(c.switches[1].closed && !c.switches[0].closed);
    assert_int_equal(c.switches[1].shape_count, 2);
    assert_true(c.switches[1].shapes[1].radius == 2 && c.switches[1].shapes[0].max[2] == 6);
    assert_int_equal(c.links[0].switch_number, 2);
}

static void test_the_order_of_the_json_does_not_matter(void **state)
{
    (void)state;
    assert_same_text("{\"areas\":{\"b\":{\"flags\":[\"y\",\"x\",\"y\"]},\"a\":{\"cost\":2.0}},"
                     "\"materials\":{\"M\":\"b\",\"L\":\"a\"},\"detail\":true}",
                     "{\"materials\":{\"L\":\"a\",\"M\":\"b\"},\"areas\":{\"a\":{\"cost\":2,"
                     "\"liquid\":false},\"ground\":{},\"b\":{\"flags\":[\"x\",\"y\"]}}}");
    assert_same_text("{\"seeds\":[[-0,0,-0.0]]}", "{\"seeds\":[[0,0,0]],\"links\":[]}");
    assert_same_text("{\"bounds\":null}", "{}");
    assert_same_text("{\"switches\":{}}", "{}");
    assert_same_text(
        "{\"switches\":{\"b\":{},\"a\":{\"default\":\"open\"}}}",
        "{\"switches\":{\"a\":{\"shapes\":[]},\"b\":{\"shapes\":[],\"default\":\"open\"}}}");
    assert_same_text("{\"links\":[{\"end\":[1,2,3],\"start\":[0,0,0]}]}",
                     "{\"links\":[{\"start\":[0,0,0],\"end\":[1,2,3],\"radius\":0.6,\"id\":\"\","
                     "\"bidirectional\":true,\"area\":\"ground\",\"flags\":[]}]}");
}

static void test_nothing_given_is_nothing(void **state)
{
    (void)state;
    nav_config c = read_good(FULL);
    assert_int_equal(proto_config_read("{}", 2, &memory, &c, NULL), NAV_OK);
    assert_null(c.areas);
    assert_int_equal(c.area_count + c.flag_count + c.material_count, 0);
    assert_int_equal(c.volume_count + c.switch_count + c.link_count + c.seed_count, 0);
    assert_int_equal(c.low_height_area, NAV_AREA_NONE);
    assert_true(c.has_bounds && c.area_median); // what is no list stays
    assert_int_equal(proto_config_read("{\"bounds\":null}", 15, &memory, &c, NULL), NAV_OK);
    assert_false(c.has_bounds);
}

static void assert_point(const float *point, float x, float y, float z)
{
    assert_true(point[0] == x && point[1] == y && point[2] == z);
}

static void test_z_up_is_turned(void **state)
{
    (void)state;
    nav_config c = read_good(FULL_Z);
    assert_string_equal(proto_preset_of(c.coordinates)->word, "z_up");
    assert_point(c.bounds_min, -1, -3, -2);
    assert_point(c.bounds_max, 1, 30, 2);
    assert_point(c.volumes[1].min, 1, 3, -5);
    assert_point(c.volumes[1].max, 4, 6, -2);
    assert_point(c.volumes[2].min, 0.1f, 0.3f, -0.1f);
    assert_true(c.volumes[2].max[1] == 0.3f + 3.0f);
    assert_true(c.volumes[0].points[2][1] == 2.25f && c.volumes[0].min[1] == -1);
    assert_point(c.links[0].start, 1, 3, -2);
    assert_point(c.seeds[1], -4, 0.125f, 0);
}

// The argument wins over the member, and the lists are read with what has won.
static void test_coordinates_as_an_argument(void **state)
{
    (void)state;
    const proto_arg args[] = {{"coordinates", "z_up"}, {"filters.low_height", "1"}};
    proto_upload_request request;
    assert_int_equal(proto_upload_request_read(args, 2, FULL, &memory, &request, NULL), NAV_OK);
    assert_string_equal(proto_preset_of(request.config.coordinates)->word, "z_up");
    assert_point(request.config.links[0].start, 1, 3, -2);
    assert_int_equal(request.config.low_height_area, NAV_AREA_NONE);
    assert_true(request.config.filter_low_height);
}

static void test_points_turn_there_and_back(void **state)
{
    (void)state;
    float point[] = {1, 2, 3};
    proto_to_mesh(coordinates_of("y_up"), point);
    assert_point(point, 1, 2, 3);
    proto_to_mesh(coordinates_of("z_up"), point);
    assert_point(point, 1, 3, -2);
    proto_to_level(coordinates_of("z_up"), point);
    assert_point(point, 1, 2, 3);
}

#define BOX "{\"shape\":\"box\",\"area\":\"none\",\"min\":[0,0,0],\"max\":[1,1,1]}"

static void test_wrong_lists(void **state)
{
    (void)state;
    static const refused_config cases[] = {
        {"{\"areas\":[]}", NAV_INVALID_FIELD, "areas"},
        {"{\"areas\":{\"a\":1}}", NAV_INVALID_FIELD, "areas.a"},
        {"{\"areas\":{\"none\":{}}}", NAV_INVALID_FIELD, "areas.none"},
        {"{\"areas\":{\"\":{}}}", NAV_INVALID_FIELD, "areas"},
        {"{\"areas\":{\"a\\n\":{}}}", NAV_INVALID_FIELD, "areas"},
        {"{\"areas\":{\"a\":{\"cost\":0}}}", NAV_INVALID_FIELD, "areas.a.cost"},
        {"{\"areas\":{\"a\":{\"cost\":-1}}}", NAV_INVALID_FIELD, "areas.a.cost"},
        {"{\"areas\":{\"a\":{\"cost\":1e400}}}", NAV_INVALID_FIELD, "areas.a.cost"},
        {"{\"areas\":{\"a\":{\"colour\":1}}}", PROTO_UNKNOWN_FIELD, "areas.a.colour"},
        {"{\"areas\":{\"a\":{\"flags\":\"x\"}}}", NAV_INVALID_FIELD, "areas.a.flags"},
        {"{\"areas\":{\"a\":{\"flags\":[1]}}}", NAV_INVALID_FIELD, "areas.a.flags"},
        {"{\"areas\":{\"a\":{},\"a\":{}}}", PROTO_BAD_JSON, "areas.a"},
        {"{\"areas\":{\"0123456789012345678901234567890123456789012345678\":{}}}",
         NAV_INVALID_FIELD, "areas"},
        {"{\"materials\":{\"M\":\"mud\"}}", NAV_INVALID_FIELD, "materials.M"},
        {"{\"materials\":{\"M\":1}}", NAV_INVALID_FIELD, "materials.M"},
        {"{\"materials\":[]}", NAV_INVALID_FIELD, "materials"},
        {"{\"volumes\":{}}", NAV_INVALID_FIELD, "volumes"},
        {"{\"volumes\":[1]}", NAV_INVALID_FIELD, "volumes[0]"},
        {"{\"volumes\":[" BOX ",{\"shape\":\"ball\"}]}", NAV_INVALID_FIELD, "volumes[1].shape"},
        {"{\"volumes\":[{\"shape\":\"box\",\"min\":[0,0,0],\"max\":[1,1,1]}]}", NAV_INVALID_FIELD,
         "volumes[0].area"},
        {"{\"volumes\":[{\"shape\":\"box\",\"area\":\"none\",\"min\":[0,0,0]}]}", NAV_INVALID_FIELD,
         "volumes[0].max"},
        {"{\"volumes\":[{\"shape\":\"box\",\"area\":\"mud\",\"min\":[0,0,0],\"max\":[1,1,1]}]}",
         NAV_INVALID_FIELD, "volumes[0].area"},
        {"{\"volumes\":[{\"shape\":\"box\",\"area\":\"none\",\"min\":[0,0,0],\"max\":[1,1,1],"
         "\"radius\":1}]}",
         PROTO_UNKNOWN_FIELD, "volumes[0].radius"},
        {"{\"volumes\":[{\"shape\":\"box\",\"area\":\"none\",\"min\":[0,0,0],\"max\":[1,1,1e7]}]}",
         NAV_INVALID_FIELD, "volumes[0].max[2]"},
        {"{\"volumes\":[{\"shape\":\"convex\",\"area\":\"none\",\"min_y\":0,\"max_y\":1,"
         "\"points\":[[0,0],[1],[2,2]]}]}",
         NAV_INVALID_FIELD, "volumes[0].points[1]"},
        {"{\"volumes\":[{\"shape\":\"convex\",\"area\":\"none\",\"min_y\":0,\"max_y\":1,"
         "\"points\":[[0,0],[1,\"x\"],[2,2]]}]}",
         NAV_INVALID_FIELD, "volumes[0].points[1][1]"},
        {"{\"volumes\":[{\"shape\":\"convex\",\"area\":\"none\",\"min_y\":0,\"max_y\":1,"
         "\"points\":[[0,0],[1,1]]}]}",
         NAV_INVALID_FIELD, "volumes[0].points"},
        {"{\"volumes\":[{\"shape\":\"cylinder\",\"area\":\"none\",\"center\":[0,0,0],"
         "\"radius\":-1,\"height\":1}]}",
         NAV_INVALID_FIELD, "volumes[0].radius"},
        {"{\"switches\":[]}", NAV_INVALID_FIELD, "switches"},
        {"{\"switches\":{\"\":{}}}", NAV_INVALID_FIELD, "switches"},
        {"{\"switches\":{\"a\":1}}", NAV_INVALID_FIELD, "switches.a"},
        {"{\"switches\":{\"a\":{},\"a\":{}}}", PROTO_BAD_JSON, "switches.a"},
        {"{\"switches\":{\"a\":{\"default\":\"ajar\"}}}", NAV_INVALID_FIELD, "switches.a.default"},
        {"{\"switches\":{\"a\":{\"state\":\"open\"}}}", PROTO_UNKNOWN_FIELD, "switches.a.state"},
        {"{\"switches\":{\"a\":{\"shapes\":{}}}}", NAV_INVALID_FIELD, "switches.a.shapes"},
        {"{\"switches\":{\"a\":{\"shapes\":[" BOX "]}}}", PROTO_UNKNOWN_FIELD,
         "switches.a.shapes[0].area"},
        {"{\"switches\":{\"a\":{\"shapes\":[{\"shape\":\"box\",\"min\":[0,0,0]}]}}}",
         NAV_INVALID_FIELD, "switches.a.shapes[0].max"},
        {"{\"switches\":{\"a\":{}},\"links\":[{\"start\":[0,0,0],\"end\":[0,0,1],"
         "\"switch\":\"b\"}]}",
         NAV_INVALID_FIELD, "links[0].switch"},
        {"{\"links\":[{\"start\":[0,0,0]}]}", NAV_INVALID_FIELD, "links[0].end"},
        {"{\"links\":[{\"start\":[0,0,0],\"end\":[0,0]}]}", NAV_INVALID_FIELD, "links[0].end"},
        {"{\"links\":[{\"start\":[0,0,0],\"end\":[0,0,1],\"area\":\"none\"}]}", NAV_INVALID_FIELD,
         "links[0].area"},
        {"{\"links\":[{\"start\":[0,0,0],\"end\":[0,0,1],\"flags\":[null]}]}", NAV_INVALID_FIELD,
         "links[0].flags"},
        {"{\"links\":[{\"start\":[0,0,0],\"end\":[0,0,1],\"to\":1}]}", PROTO_UNKNOWN_FIELD,
         "links[0].to"},
        {"{\"links\":[{\"start\":[0,0,0],\"end\":[0,0,1],\"cost\":-1}]}", NAV_INVALID_FIELD,
         "links[0].cost"},
        {"{\"query_filters\":{\"f\":{\"costs\":{\"mud\":1}}}}", NAV_INVALID_FIELD,
         "query_filters.f.costs.mud"},
        {"{\"query_filters\":{\"f\":{\"costs\":{\"ground\":0}}}}", NAV_INVALID_FIELD,
         "query_filters.f.costs.ground"},
        {"{\"query_filters\":{\"f\":{\"include\":[\"fly\"]}}}", NAV_INVALID_FIELD,
         "query_filters.f.include"},
        {"{\"query_filters\":{\"f\":{\"flags\":[]}}}", PROTO_UNKNOWN_FIELD,
         "query_filters.f.flags"},
        {"{\"query_filters\":[]}", NAV_INVALID_FIELD, "query_filters"},
        {"{\"seeds\":[[0,0,0],[1,2]]}", NAV_INVALID_FIELD, "seeds[1]"},
        {"{\"seeds\":[[0,0,-2e6]]}", NAV_INVALID_FIELD, "seeds[0][2]"},
        {"{\"bounds\":{\"min\":[0,0,0]}}", NAV_INVALID_FIELD, "bounds.max"},
        {"{\"bounds\":[]}", NAV_INVALID_FIELD, "bounds"},
        {"{\"coordinates\":\"x_up\"}", NAV_INVALID_FIELD, "coordinates"},
        {"{\"filters\":{\"low_height\":1}}", NAV_INVALID_FIELD, "filters.low_height"},
        {"{\"filters\":{\"low_height\":{\"area\":\"ground\"}}}", NAV_INVALID_FIELD,
         "filters.low_height.min_height"},
        {"{\"filters\":{\"low_height\":{\"area\":\"none\",\"min_height\":1}}}", NAV_INVALID_FIELD,
         "filters.low_height.area"},
        {"{\"filters\":{\"low_height\":{\"area\":\"crouch\",\"min_height\":1}}}", NAV_INVALID_FIELD,
         "filters.low_height.area"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_config_refused(&cases[i], &memory);
    }
}

static void test_lists_are_no_arguments(void **state)
{
    (void)state;
    static const char *const names[] = {"areas", "materials", "volumes",
                                        "links", "seeds",     "bounds"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        nav_config config = nav_config_default();
        nav_error err = {0};
        bool known;
        assert_int_equal(config_argument(&(proto_arg){names[i], "[]"}, &config, &known, &err),
                         NAV_INVALID_FIELD);
        assert_string_equal(err.at, names[i]);
    }
}

// `count` copies of an element, which may hold one %u, between two texts.
static nav_status read_many(const char *before, const char *element, uint32_t count,
                            const char *after, nav_error *err)
{
    size_t capacity = strlen(before) + strlen(after) + (size_t)count * (strlen(element) + 12) + 1;
    char *text = malloc(capacity);
    assert_non_null(text);
    size_t size = (size_t)snprintf(text, capacity, "%s", before);
    for (uint32_t i = 0; i < count; i++) {
        const char *number = strstr(element, "%u");
        size += (size_t)snprintf(text + size, capacity - size, "%s%.*s", i > 0 ? "," : "",
                                 number != NULL ? (int)(number - element) : (int)strlen(element),
                                 element);
        if (number != NULL) {
            size += (size_t)snprintf(text + size, capacity - size, "%u%s", i, number + 2);
        }
    }
    size += (size_t)snprintf(text + size, capacity - size, "%s", after);
    nav_config config = nav_config_default();
    *err = (nav_error){0};
    nav_status status = proto_config_read(text, size, &memory, &config, err);
    free(text);
    return status == NAV_OK ? nav_config_check(&config, err) : status;
}

static void test_counts_up_to_their_bounds(void **state)
{
    (void)state;
    static const struct {
        const char *before, *element, *after;
        uint32_t max;
        const char *at;
    } lists[] = {
        {"{\"areas\":{", "\"a%u\":{}", "}}", NAV_AREAS_MAX - 2, "areas"},
        {"{\"areas\":{\"a\":{\"flags\":[", "\"f%u\"", "]}}}", NAV_FLAGS_MAX, "areas"},
        {"{\"materials\":{", "\"m%u\":\"none\"", "}}", NAV_MATERIALS_MAX, "materials"},
        {"{\"volumes\":[", BOX, "]}", NAV_VOLUMES_MAX, "volumes"},
        {"{\"switches\":{", "\"s%u\":{}", "}}", NAV_SWITCHES_MAX, "switches"},
        {"{\"switches\":{\"a\":{\"shapes\":[",
         "{\"shape\":\"box\",\"min\":[0,0,0],\"max\":[1,1,1]}", "]}}}", NAV_VOLUMES_MAX,
         "switches.a.shapes"},
        {"{\"seeds\":[", "[1,2,3]", "]}", NAV_SEEDS_MAX, "seeds"},
        {"{\"query_filters\":{", "\"f%u\":{}", "}}", NAV_FILTERS_MAX, "query_filters"},
        {"{\"links\":[", "{\"start\":[0,0,0],\"end\":[1,0,0]}", "]}", NAV_LINKS_MAX, "links"},
        {"{\"volumes\":[{\"shape\":\"convex\",\"area\":\"none\",\"min_y\":0,\"max_y\":1,"
         "\"points\":[",
         "[0,%u]", "]}]}", NAV_VOLUME_POINTS_MAX, "volumes[0].points"},
    };
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        nav_error err;
        assert_int_equal(
            read_many(lists[i].before, lists[i].element, lists[i].max, lists[i].after, &err),
            NAV_OK);
        assert_int_equal(
            read_many(lists[i].before, lists[i].element, lists[i].max + 1, lists[i].after, &err),
            NAV_INVALID_FIELD);
        assert_string_equal(err.at, lists[i].at);
        assert_true(err.limit[0] != '\0');
    }
}

static void test_no_memory(void **state)
{
    (void)state;
    nav_arena small;
    nav_arena_init(&small, NULL, 16);
    nav_config config = nav_config_default();
    nav_error err = {0};
    assert_int_equal(proto_config_read(FULL, sizeof FULL - 1, &small, &config, &err),
                     NAV_NO_MEMORY);
    assert_null(config.areas);
    nav_arena_free(&small);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_settings_are_written_as_read),
        cmocka_unit_test(test_areas_and_flags_are_numbered_by_name),
        cmocka_unit_test(test_the_order_of_the_json_does_not_matter),
        cmocka_unit_test(test_nothing_given_is_nothing),
        cmocka_unit_test(test_z_up_is_turned),
        cmocka_unit_test(test_coordinates_as_an_argument),
        cmocka_unit_test(test_points_turn_there_and_back),
        cmocka_unit_test(test_wrong_lists),
        cmocka_unit_test(test_lists_are_no_arguments),
        cmocka_unit_test(test_counts_up_to_their_bounds),
        cmocka_unit_test(test_no_memory),
    };
    nav_arena_init(&memory, NULL, 0);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    nav_arena_free(&memory);
    return failed;
}
