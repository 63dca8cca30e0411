// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_path.c: a path as it is sent: no two points in a row are the same, details count the
// points that are there, an area begins where its ground does, and the bound is one as it stands,
// in JSON and packed.

#include "tests/unit/mesh_builder.h"
#include "tests/unit/scratch_fixture.h"

#include "proto/base/bytes.h"
#include "proto/replies/replies.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#define ALL_DETAILS (PROTO_DETAIL_POLYGONS | PROTO_DETAIL_AREAS | PROTO_DETAIL_LINKS)
#define STEPS_MAX 1024u

// ---- an answer ----

static nav_path ask(const nav_mesh *mesh, const float ends[4], nav_search search)
{
    const nav_path_request request = {.start = {ends[0], 0.0f, ends[1]},
                                      .end = {ends[2], 0.0f, ends[3]},
                                      .options = nav_options_default(),
                                      .search = search};
    nav_path path;
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
    return path;
}

static cJSON *printed(const nav_mesh *mesh, const nav_path *path, const nav_path_step *steps,
                      uint32_t step_count)
{
    proto_writer w;
    size_t size_bytes;
    proto_writer_init(&w);
    const proto_path_reply reply = {.path = path,
                                    .details = mesh != NULL ? ALL_DETAILS : 0,
                                    .mesh = mesh,
                                    .steps = steps,
                                    .step_count = step_count};
    proto_write_path(&w, &(proto_answer_head){.mesh = "m", .version = 1}, &reply);
    char *text = proto_writer_take(&w, &size_bytes);
    cJSON *json = cJSON_Parse(text);
    assert_non_null(json);
    free(text);
    return json;
}

static cJSON *answer(const nav_mesh *mesh, const nav_path *path)
{
    static nav_path_step steps[STEPS_MAX];
    const uint32_t count = nav_query_path_steps(path, steps, STEPS_MAX);
    assert_true(count < STEPS_MAX);
    return printed(mesh, path, steps, count);
}

static double number(const cJSON *json, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(json, name);
    assert_true(cJSON_IsNumber(item));
    return item->valuedouble;
}

static const cJSON *details(const cJSON *json, const char *kind)
{
    const cJSON *all = cJSON_GetObjectItemCaseSensitive(json, "details");
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(all, kind);
    assert_true(cJSON_IsArray(list));
    return list;
}

static void assert_points(const cJSON *list, const char *name, const char *wanted)
{
    char got[256] = "";
    const cJSON *item;
    cJSON_ArrayForEach(item, list)
    {
        const cJSON *word = cJSON_GetObjectItemCaseSensitive(item, name);
        char one[64];
        (void)snprintf(one, sizeof one, "%s%s %d", got[0] != '\0' ? ", " : "",
                       cJSON_IsString(word) ? word->valuestring : "", (int)number(item, "point"));
        strcat(got, one);
    }
    assert_string_equal(got, wanted);
}

// ---- areas ----

static const nav_config *mud_costs(float cost)
{
    static nav_area areas[3];
    static nav_config config;
    config = nav_config_default();
    areas[0] = (nav_area){.name = "none", .cost = 1.0f};
    areas[1] = (nav_area){.name = "ground", .cost = 1.0f};
    areas[2] = (nav_area){.name = "mud", .cost = cost};
    config.areas = areas;
    config.area_count = 3;
    return &config;
}

static void an_area_begins_on_its_border(void **state)
{
    (void)state;
    nav_mesh *mesh = map_mesh_with("..22..", mud_costs(3.0f), NULL);
    nav_path path = ask(mesh, (const float[4]){0.5f, 0.5f, 5.5f, 0.5f}, NAV_SEARCH_AUTO);
    assert_int_equal(path.point_count, 4);
    cJSON *json = answer(mesh, &path);
    assert_points(details(json, "areas"), "area", "ground 0, mud 1, ground 2");
    assert_points(details(json, "polygons"), "polygon", "0 0, 1 0, 2 1, 3 1, 4 2, 5 2");
    cJSON_Delete(json);
    nav_mesh_release(mesh);
}

// At one cost there is no point on the border: the area begins behind point 0.
static void an_area_begins_between_points(void **state)
{
    (void)state;
    nav_mesh *mesh = map_mesh_with("..22..", mud_costs(1.0f), NULL);
    nav_path path = ask(mesh, (const float[4]){0.5f, 0.5f, 5.5f, 0.5f}, NAV_SEARCH_AUTO);
    assert_int_equal(path.point_count, 2);
    cJSON *json = answer(mesh, &path);
    assert_points(details(json, "areas"), "area", "ground 0, mud 0, ground 0");
    cJSON_Delete(json);
    nav_mesh_release(mesh);
}

// A line along the edge of mud is on the ground beside it.
static void the_edge_of_mud_is_ground(void **state)
{
    (void)state;
    builder b;
    builder_init(&b);
    const uint32_t mud = builder_rectangle(&b, 0, 0, 8, 2, 0);
    b.polygons.areas[mud] = 2;
    builder_rectangle(&b, 0, 2, 8, 4, 0);
    nav_mesh *mesh = builder_mesh_with(&b, mud_costs(3.0f), NULL);
    builder_free(&b);
    nav_path path = ask(mesh, (const float[4]){1.0f, 2.0f, 7.0f, 2.0f}, NAV_SEARCH_AUTO);
    assert_int_equal(path.start_polygon, mud);
    assert_int_equal(path.point_count, 2);
    assert_near(path.cost, 6.0, 1e-9);
    assert_true(path.optimal);
    cJSON *json = answer(mesh, &path);
    assert_points(details(json, "areas"), "area", "ground 0");
    cJSON_Delete(json);
    // Only as far as the edge goes.
    path = ask(mesh, (const float[4]){1.0f, 2.0f, 7.0f, 1.5f}, NAV_SEARCH_AUTO);
    assert_true(path.cost > 6.0 && path.cost < 7.5);
    json = answer(mesh, &path);
    assert_points(details(json, "areas"), "area", "ground 0, mud 1");
    cJSON_Delete(json);
    nav_mesh_release(mesh);
}

// ---- points that are printed as one ----

static void details_count_printed_points(void **state)
{
    (void)state;
    nav_mesh *mesh = map_mesh_with("..22..", mud_costs(3.0f), NULL);
    const float points[] = {0.5f,     0,    0.5f,    2,       0,       0.5f, 2.0003f, 0,
                            0.5f,     3,    0,       0.5f,    4,       0,    0.5f,    4.0002f,
                            -0.0002f, 0.5f, 4.0004f, 0.0003f, 0.4998f, 5.5f, 0,       0.5f};
    const nav_path path = {.status = NAV_PATH_COMPLETE, .points = points, .point_count = 8};
    const nav_path_step steps[] = {
        {.polygon = 0, .link = NAV_NONE, .point = 0, .on_point = true},
        {.polygon = 1, .link = NAV_NONE, .point = 0},
        {.polygon = 2, .link = NAV_NONE, .point = 2, .on_point = true},
        {.polygon = 3, .link = NAV_NONE, .point = 3, .on_point = true},
        {.polygon = 4, .link = NAV_NONE, .point = 5, .on_point = true},
        {.polygon = 5, .link = NAV_NONE, .point = 6},
    };
    cJSON *json = printed(mesh, &path, steps, 6);
    char *text = cJSON_PrintUnformatted(cJSON_GetObjectItemCaseSensitive(json, "points"));
    assert_string_equal(text, "[[0.5,0,0.5],[2,0,0.5],[3,0,0.5],[4,0,0.5],[5.5,0,0.5]]");
    free(text);
    assert_points(details(json, "polygons"), "polygon", "0 0, 1 0, 2 1, 3 2, 4 3, 5 3");
    assert_points(details(json, "areas"), "area", "ground 0, mud 1, ground 3");
    cJSON_Delete(json);
    nav_mesh_release(mesh);
}

// A path of costs over squares: its crossings may lie as near to each other as rounding lets them.
static void no_point_is_printed_twice(void **state)
{
    (void)state;
    uint64_t random = 5;
    uint32_t repeated = 0;
    for (int round = 0; round < 60; ++round) {
        char map[13 * 12];
        builder_random_map(&random, 12, 2, map);
        for (char *c = map; *c != '\0'; ++c) {
            *c = *c == '.' && next_random(&random) % 2 == 0 ? '2' : *c;
        }
        nav_mesh *mesh = map_mesh_with(map, mud_costs(1.5f + (float)(round % 3)), NULL);
        for (int i = 0; i < 60; ++i) {
            float ends[4];
            for (int k = 0; k < 4; ++k) {
                ends[k] = (float)(next_random(&random) % 120001) / 10000.0f;
            }
            const nav_path path = ask(mesh, ends, NAV_SEARCH_AUTO);
            if (path.point_count == 0) {
                continue;
            }
            cJSON *json = answer(mesh, &path);
            const cJSON *list = cJSON_GetObjectItemCaseSensitive(json, "points");
            const int count = cJSON_GetArraySize(list);
            for (int k = 1; k < count; ++k) {
                assert_false(
                    cJSON_Compare(cJSON_GetArrayItem(list, k - 1), cJSON_GetArrayItem(list, k), 1));
            }
            const cJSON *step;
            cJSON_ArrayForEach(step, details(json, "polygons"))
            {
                assert_true(number(step, "point") < count);
            }
            repeated += (uint32_t)count < path.point_count;
            cJSON_Delete(json);
        }
        nav_mesh_release(mesh);
    }
    assert_true(repeated > 0);
}

// ---- bounds ----

// How an answer's numbers stand in a packed one.
typedef struct packed {
    float cost, lower_bound;
    uint32_t point_count;
} packed;

static packed pack(const nav_path *path)
{
    const proto_answer_head head = {.packed = PROTO_PACKED_PATHS};
    const proto_path_reply reply = {.path = path};
    proto_writer w, result;
    size_t size_bytes;
    proto_writer_init(&w);
    proto_writer_init(&result);
    proto_write_path(&result, &head, &reply);
    proto_packed_begin(&w, head.packed, 1, 0, 1);
    proto_packed_join(&w, head.packed, 0, result.bytes, result.size_bytes);
    proto_writer_free(&result);
    uint8_t *bytes = (uint8_t *)proto_writer_take(&w, &size_bytes);
    const packed out = {.cost = proto_get_float(bytes + 24 + 16),
                        .lower_bound = proto_get_float(bytes + 24 + 20),
                        .point_count = proto_get_u32(bytes + 24 + 8)};
    free(bytes);
    return out;
}

static void a_bound_is_one_as_it_is_sent(void **state)
{
    (void)state;
    uint64_t random = 9;
    for (int i = 0; i < 20000; ++i) {
        const double optimum = (double)next_random(&random) / (i % 2 == 0 ? 3e4 : 7e6);
        const bool optimal = i % 3 != 0;
        const double cost = optimal ? optimum * (1.0 + 1e-6 * (i % 5) / 5.0) : optimum * 1.25;
        const nav_path path = {
            .status = NAV_PATH_COMPLETE, .cost = cost, .lower_bound = optimum, .optimal = optimal};
        cJSON *json = printed(NULL, &path, NULL, 0);
        const double sent_cost = number(json, "cost"), sent_bound = number(json, "lower_bound");
        cJSON_Delete(json);
        assert_true(sent_bound <= optimum * (1.0 + 1e-12));
        assert_true(optimum - sent_bound < 0.001001 && cost - sent_cost < 0.001001 + 1e-6 * cost);
        assert_true(optimal ? sent_bound == sent_cost : sent_bound <= sent_cost);
        const packed p = pack(&path);
        assert_true((double)p.lower_bound <= optimum * (1.0 + 1e-12));
        assert_true(optimal ? p.lower_bound == p.cost : p.lower_bound <= p.cost);
        assert_true(optimum - (double)p.lower_bound <= 1.3e-7 * optimum);
    }
}

// Sums of doubles are off by their noise: they are not told as a thousandth less.
static void noise_is_no_thousandth(void **state)
{
    (void)state;
    const nav_path path = {.status = NAV_PATH_COMPLETE,
                           .cost = 30.0 - 4e-15,
                           .lower_bound = 30.0 - 8e-15,
                           .optimal = true};
    cJSON *json = printed(NULL, &path, NULL, 0);
    assert_true(number(json, "cost") == 30.0 && number(json, "lower_bound") == 30.0);
    cJSON_Delete(json);
    assert_true(pack(&path).cost == 30.0f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_area_begins_on_its_border),
        cmocka_unit_test(an_area_begins_between_points),
        cmocka_unit_test(the_edge_of_mud_is_ground),
        cmocka_unit_test(details_count_printed_points),
        cmocka_unit_test(no_point_is_printed_twice),
        cmocka_unit_test(a_bound_is_one_as_it_is_sent),
        cmocka_unit_test(noise_is_no_thousandth),
    };
    return cmocka_run_group_tests_name("reply_path", tests, scratch_begin, scratch_end);
}
