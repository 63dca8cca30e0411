// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_coordinates.c: settings in any coordinates are the same in the mesh, and their text, read
// and written again, is the same to the last digit, whatever the unit.

#include "proto/base/coordinates.h"
#include "proto/requests/requests.h"
#include "tests/unit/config_text.h"

#include <stdio.h>

static nav_arena memory;

static nav_status read_text(const char *json, nav_config *config, nav_error *err)
{
    *config = nav_config_default();
    nav_status status = proto_config_read(json, strlen(json), &memory, config, err);
    return status == NAV_OK ? nav_config_check(config, err) : status;
}

static nav_config read_good(const char *json)
{
    nav_config config;
    nav_error err = {0};
    if (read_text(json, &config, &err) != NAV_OK) {
        fail_msg("%s: %s", json, err.detail);
    }
    return config;
}

static void assert_member(const char *json, const char *written)
{
    const nav_config config = read_good(json);
    char *text = config_text(&config);
    if (strstr(text, written) == NULL) {
        fail_msg("%s is written as %s", json, text);
    }
    free(text);
}

static void what_goes_without_saying_is_left_out(void **state)
{
    (void)state;
    assert_member("{}", "\"bounds\":null,\"coordinates\":\"y_up\",\"areas\"");
    assert_member("{\"coordinates\":\"godot\"}", "\"coordinates\":\"y_up\",\"areas\"");
    assert_member("{\"scale\":1,\"winding\":\"as_given\"}", "\"coordinates\":\"y_up\",\"areas\"");
    assert_member("{\"coordinates\":\"unreal\"}", "\"coordinates\":\"unreal\",\"areas\"");
    assert_member("{\"coordinates\":\"unreal\",\"scale\":1}",
                  "\"coordinates\":\"unreal\",\"scale\":1,\"areas\"");
    assert_member("{\"scale\":0.01,\"winding\":\"reverse\"}",
                  "\"coordinates\":\"y_up\",\"scale\":0.01,\"winding\":\"reverse\",\"areas\"");
    assert_member("{\"coordinates\":{\"axes\":[\"x\",\"-z\",\"y\"]}}",
                  "\"coordinates\":\"z_up\",\"areas\"");
    assert_member("{\"coordinates\":{\"axes\":[\"x\",\"-z\",\"y\"],\"scale\":0.01}}",
                  "\"coordinates\":\"z_up\",\"scale\":0.01,\"areas\"");
    assert_member("{\"coordinates\":{\"axes\":[\"-y\",\"-z\",\"x\"],\"scale\":0.9144}}",
                  "\"coordinates\":{\"axes\":[\"-y\",\"-z\",\"x\"],\"scale\":0.9144},\"areas\"");
}

static uint64_t chance = 5;

static uint32_t below(uint32_t limit)
{
    uint64_t value = chance += UINT64_C(0x9e3779b97f4a7c15);
    value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)((value ^ (value >> 31)) >> 32) % limit;
}

static float any_coordinate(void)
{
    return (float)((double)(int32_t)below(2000000) / 1000.0 - 1000.0) / 3.0f;
}

// Text of settings, and room for it.
typedef struct settings_text {
    char bytes[4000];
    size_t used;
    nav_coordinates c;
} settings_text;

static void put(settings_text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(settings_text *t, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    t->used += (size_t)vsnprintf(t->bytes + t->used, sizeof t->bytes - t->used, format, list);
    va_end(list);
    assert_true(t->used < sizeof t->bytes);
}

static int along(nav_coordinates c, int axis)
{
    return (c.axes[axis] < 0 ? -c.axes[axis] : c.axes[axis]) - 1;
}

static double on_axis(nav_coordinates c, int axis, float metres)
{
    return (c.axes[axis] < 0 ? -1.0 : 1.0) * (double)metres / c.scale;
}

static void put_place(settings_text *t, const char *name, const float p[3])
{
    put(t, "\"%s\":[", name);
    for (int axis = 0; axis < 3; axis++) {
        put(t, "%s%.17g", axis > 0 ? "," : "", on_axis(t->c, axis, p[along(t->c, axis)]));
    }
    put(t, "]");
}

// A box of the mesh, whose corners change places where an axis turns round.
static void put_box(settings_text *t, const float min[3], const float max[3])
{
    float low[3], high[3];
    for (int axis = 0; axis < 3; axis++) {
        const int to = along(t->c, axis);
        low[to] = t->c.axes[axis] < 0 ? max[to] : min[to];
        high[to] = t->c.axes[axis] < 0 ? min[to] : max[to];
    }
    put_place(t, "min", low);
    put(t, ",");
    put_place(t, "max", high);
}

static void put_outline(settings_text *t, const float (*points)[2], const float min[3],
                        const float max[3])
{
    const char *between = "";
    double heights[2] = {0, 0};
    put(t, "\"points\":[");
    for (int i = 0; i < 3; i++) {
        put(t, "%s[", between);
        between = "";
        for (int axis = 0; axis < 3; axis++) {
            const int to = along(t->c, axis);
            if (to == 1) {
                heights[0] = on_axis(t->c, axis, t->c.axes[axis] < 0 ? max[1] : min[1]);
                heights[1] = on_axis(t->c, axis, t->c.axes[axis] < 0 ? min[1] : max[1]);
                continue;
            }
            put(t, "%s%.17g", between, on_axis(t->c, axis, points[i][to / 2]));
            between = ",";
        }
        put(t, "]");
    }
    put(t, "],\"min_y\":%.17g,\"max_y\":%.17g", heights[0], heights[1]);
}

// The same places of the mesh in the coordinates of t.
static void put_settings(settings_text *t, const float places[8][3])
{
    const float(*outline)[2] = (const float[3][2]){{1, 2}, {5.5f, 2.25f}, {3, 9}};
    float top[3], corner[3];
    for (int i = 0; i < 3; i++) {
        top[i] = places[0][i] + 3.0f;
        corner[i] = places[1][i] + 40.0f;
    }
    t->used = 0;
    put(t, "{\"coordinates\":{\"axes\":[\"%s\",\"%s\",\"%s\"],\"scale\":%.17g},\"bounds\":{",
        proto_axis_word(t->c.axes[0]), proto_axis_word(t->c.axes[1]), proto_axis_word(t->c.axes[2]),
        t->c.scale);
    put_box(t, places[1], corner);
    put(t, "},\"volumes\":[{\"shape\":\"box\",\"area\":\"none\",");
    put_box(t, places[0], top);
    put(t, "},{\"shape\":\"cylinder\",\"area\":\"none\",\"radius\":%.17g,\"height\":%.17g,",
        2.5 / t->c.scale, 3.0 / t->c.scale);
    put_place(t, "center", places[2]);
    put(t, "},{\"shape\":\"convex\",\"area\":\"none\",");
    put_outline(t, outline, places[0], top);
    put(t, "}],\"links\":[{\"radius\":%.17g,\"cost\":%.17g,", 0.75 / t->c.scale, 2.5 / t->c.scale);
    put_place(t, "start", places[3]);
    put(t, ",");
    put_place(t, "end", places[4]);
    put(t, "},{");
    put_place(t, "start", places[5]);
    put(t, ",");
    put_place(t, "end", places[6]);
    put(t, "}],\"seeds\":[[");
    for (int axis = 0; axis < 3; axis++) {
        put(t, "%s%.17g", axis > 0 ? "," : "", on_axis(t->c, axis, places[7][along(t->c, axis)]));
    }
    put(t, "]]}");
}

static void assert_same_mesh(const nav_config *a, const nav_config *b)
{
    assert_memory_equal(a->bounds_min, b->bounds_min, sizeof a->bounds_min);
    assert_memory_equal(a->bounds_max, b->bounds_max, sizeof a->bounds_max);
    assert_memory_equal(a->seeds, b->seeds, sizeof(float[3]));
    for (uint32_t i = 0; i < 3; i++) {
        const nav_volume *v = &a->volumes[i], *w = &b->volumes[i];
        assert_true(v->radius == w->radius && v->min[1] == w->min[1] && v->max[1] == w->max[1]);
        assert_memory_equal(v->min, w->min, sizeof v->min);
        assert_memory_equal(v->max, w->max, sizeof v->max);
        for (uint32_t k = 0; k < v->point_count; k++) {
            assert_memory_equal(v->points[k], w->points[k], sizeof(float[2]));
        }
    }
    for (uint32_t i = 0; i < 2; i++) {
        const nav_link *l = &a->links[i], *m = &b->links[i];
        assert_memory_equal(l->start, m->start, sizeof l->start);
        assert_memory_equal(l->end, m->end, sizeof l->end);
        assert_true(l->radius == m->radius && l->cost == m->cost);
    }
}

static void places_are_the_same_in_any_coordinates(void **state)
{
    (void)state;
    static const double scales[] = {1, 0.01, 0.001, 0.9144, 0.0254, 0.25, 7.3, 1000};
    for (int round = 0; round < 400; round++) {
        float places[8][3];
        for (int i = 0; i < 24; i++) {
            places[i / 3][i % 3] = any_coordinate();
        }
        settings_text plain = {.c = nav_coordinates_default()}, turned = {0};
        put_settings(&plain, (const float(*)[3])places);
        turned.c.scale = scales[below(8)];
        const uint32_t order = below(6), signs = below(8);
        for (uint32_t i = 0; i < 3; i++) {
            const uint32_t axis = order < 3 ? (order + i) % 3 : (order + 3 - i) % 3;
            turned.c.axes[i] = (int8_t)((signs >> i & 1) != 0 ? -1 - (int)axis : 1 + (int)axis);
        }
        put_settings(&turned, (const float(*)[3])places);
        const nav_config a = read_good(plain.bytes), b = read_good(turned.bytes);
        assert_same_mesh(&a, &b);
        // Written in the level's unit, with few digits, and read again.
        char *text = config_text(&b);
        const nav_config c = read_good(text);
        assert_same_mesh(&a, &c);
        char *again = config_text(&c);
        assert_string_equal(text, again);
        free(text);
        free(again);
        nav_arena_reset(&memory);
    }
}

static void arguments_go_before_the_text(void **state)
{
    (void)state;
    static const char text[] =
        "{\"coordinates\":\"unreal\",\"winding\":\"reverse\",\"seeds\":[[100,200,300]]}";
    const proto_arg args[] = {{"scale", "0.1"}, {"coordinates", "z_up"}, {"winding", "as_given"}};
    proto_upload_request request;
    assert_int_equal(proto_upload_request_read(args, 3, text, &memory, &request, NULL), NAV_OK);
    assert_true(request.config.coordinates.scale == 0.1 && !request.config.coordinates.reversed);
    assert_string_equal(proto_preset_of(request.config.coordinates)->word, "z_up");
    assert_true(request.config.seeds[0][0] == 10.0f && request.config.seeds[0][1] == 30.0f &&
                request.config.seeds[0][2] == -20.0f);
    assert_int_equal(proto_upload_request_read(args, 1, text, &memory, &request, NULL), NAV_OK);
    assert_true(request.config.coordinates.scale == 0.1 && request.config.coordinates.reversed);
    assert_string_equal(proto_preset_of(request.config.coordinates)->word, "unreal");
    const proto_arg map[] = {{"coordinates", "{\"axes\":[\"x\",\"-z\",\"y\"],\"scale\":0.5}"}};
    assert_int_equal(proto_upload_request_read(map, 1, NULL, &memory, &request, NULL), NAV_OK);
    assert_true(request.config.coordinates.scale == 0.5);
    // The unit of an argument's axes goes before the text's scale; axes without one leave it.
    static const char scaled[] = "{\"scale\":0.25}";
    assert_int_equal(proto_upload_request_read(map, 1, scaled, &memory, &request, NULL), NAV_OK);
    assert_true(request.config.coordinates.scale == 0.5);
    assert_int_equal(proto_upload_request_read(args + 1, 1, scaled, &memory, &request, NULL),
                     NAV_OK);
    assert_true(request.config.coordinates.scale == 0.25);
}

// A length beyond the mesh's bounds is refused in the level's unit.
static void bounds_are_those_of_the_unit(void **state)
{
    (void)state;
    static const struct {
        const char *json, *at, *limit;
    } rows[] = {
        {"{\"scale\":0.01,\"seeds\":[[0,0,100000001]]}", "seeds[0][2]", "100000000"},
        {"{\"scale\":0.01,\"bounds\":{\"min\":[0,-100000001,0],\"max\":[1,1,1]}}", "bounds.min[1]",
         "-100000000"},
        {"{\"scale\":0.01,\"links\":[{\"start\":[0,0,0],\"end\":[0,0,1],\"radius\":1000001}]}",
         "links[0].radius", "1000000"},
        {"{\"scale\":0.01,\"links\":[{\"start\":[0,0,0],\"end\":[0,0,1],\"cost\":100000001}]}",
         "links[0].cost", "100000000"},
        {"{\"scale\":1000,\"seeds\":[[0,0,1001]]}", "seeds[0][2]", "1000"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        nav_config config;
        nav_error err = {0};
        assert_int_equal(read_text(rows[i].json, &config, &err), NAV_INVALID_FIELD);
        assert_string_equal(err.at, rows[i].at);
        assert_string_equal(err.limit, rows[i].limit);
    }
}

static int set_up(void **state)
{
    (void)state;
    nav_arena_init(&memory, NULL, 0);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    nav_arena_free(&memory);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_goes_without_saying_is_left_out),
        cmocka_unit_test(places_are_the_same_in_any_coordinates),
        cmocka_unit_test(arguments_go_before_the_text),
        cmocka_unit_test(bounds_are_those_of_the_unit),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
