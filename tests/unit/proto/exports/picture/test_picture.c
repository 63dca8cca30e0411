// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_picture.c: pictures are whole: the page and its scale, each layer where it is asked for and
// only there, a legend that names what is drawn, names that stay text, an end at the deadline.

#include "proto/exports/exports.h"
#include "proto/exports/picture/picture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/mesh_builder.h"

#define HOSTILE "<img onerror=a>]]>&'\"\n\x7f"

// A floor of 10 m by 20 m, baked as any upload would be.
static const float FLOOR_VERTICES[12] = {0, 0, 0, 0, 0, 20, 10, 1, 20, 10, 1, 0};
static const uint32_t FLOOR_TRIANGLES[6] = {0, 1, 2, 0, 2, 3};
static const nav_geometry FLOOR = {.vertices = FLOOR_VERTICES,
                                   .triangles = FLOOR_TRIANGLES,
                                   .vertex_count = 4,
                                   .triangle_count = 2};

static nav_mesh *floor_mesh(const nav_link *links, uint32_t link_count)
{
    nav_config config = nav_config_default();
    config.links = links;
    config.link_count = link_count;
    nav_grid grid;
    nav_blob blob;
    nav_mesh *mesh = NULL;
    nav_arena scratch, result;
    nav_arena_init(&scratch, NULL, 0);
    nav_arena_init(&result, NULL, 0);
    assert_int_equal(nav_bake_plan(&FLOOR, &config, 0, &grid, NULL), NAV_OK);
    assert_int_equal(nav_bake_tile(&FLOOR, &config, &grid, NULL, 0, 0, NULL, &scratch, &result,
                                   &blob, NULL, NULL),
                     NAV_OK);
    assert_int_equal(nav_mesh_create(&blob, 1, &config, NULL, &mesh, NULL, NULL), NAV_OK);
    nav_arena_free(&scratch);
    nav_arena_free(&result);
    return mesh;
}

// Two squares of water and ground, the latter under switch b, which is shut, and a third apart.
static nav_mesh *small_world(const char *area)
{
    nav_area areas[3] = {{.name = "none", .cost = 1}, {.name = "ground", .cost = 1}, {.cost = 2}};
    (void)snprintf(areas[2].name, sizeof areas[2].name, "%s", area);
    nav_config config = nav_config_default();
    config.areas = areas;
    config.area_count = 3;
    config.switches = BUILDER_SWITCH_LIST;
    config.switch_count = 2;
    builder b;
    builder_init(&b);
    builder_map(&b, "2.#.");
    builder_switch(&b, 1, 1 << 1);
    nav_mesh *mesh = builder_mesh_with(&b, &config, NULL);
    builder_free(&b);
    return mesh;
}

static proto_export whole(const nav_mesh *mesh)
{
    return (proto_export){.mesh = "town", .version = 3, .agent = HOSTILE, .nav = mesh};
}

static char *draw(const proto_export *what, const proto_picture *look)
{
    proto_writer w;
    nav_arena scratch;
    nav_error err = {0};
    nav_arena_init(&scratch, NULL, 0);
    proto_writer_init(&w);
    assert_int_equal(proto_picture_write(&w, what, look, &scratch, &err), NAV_OK);
    nav_arena_free(&scratch);
    size_t size_bytes;
    char *text = proto_writer_take(&w, &size_bytes);
    assert_non_null(text);
    assert_int_equal(strlen(text), size_bytes);
    assert_string_equal(text + size_bytes - 7, "</svg>\n");
    return text;
}

static uint32_t count_of(const char *text, const char *word)
{
    uint32_t count = 0;
    for (text = strstr(text, word); text != NULL; text = strstr(text + 1, word)) {
        count++;
    }
    return count;
}

// ---- the page ----

static void a_picture_has_the_mesh_the_path_and_a_scale(void **state)
{
    (void)state;
    nav_mesh *mesh = floor_mesh(NULL, 0);
    nav_mesh_stats stats;
    nav_mesh_stats_get(mesh, &stats);
    assert_true(stats.polygons > 0);
    static const float points[6] = {2, 0.2f, 2, 8, 0.8f, 18};
    const nav_path path = {.status = NAV_PATH_COMPLETE,
                           .start = {2, 0.2f, 2},
                           .end = {8, 0.8f, 18},
                           .points = points,
                           .point_count = 2};
    const proto_export what = whole(mesh);
    proto_picture look = proto_picture_default();
    look.width_px = 400;
    look.path = &path;
    char *text = draw(&what, &look);
    assert_ptr_equal(
        strstr(text, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"400\" height=\""), text);
    assert_int_equal(count_of(text, "<path fill=\"#"), stats.polygons);
    assert_int_equal(count_of(text, "<circle "), 2);
    assert_int_equal(count_of(text, "<title>"), 3);
    assert_int_equal(count_of(text, "<g "), count_of(text, "</g>"));
    assert_int_equal(count_of(text, "nan") + count_of(text, "inf") + count_of(text, "script"), 0);
    // The start lies to the left of and above the end: x goes right, z goes down.
    const char *first = strstr(text, "cx=\""), *second = strstr(first + 1, "cx=\"");
    assert_true(strtod(first + 4, NULL) < strtod(second + 4, NULL));
    assert_true(strtod(strstr(first, "cy=\"") + 4, NULL) <
                strtod(strstr(second, "cy=\"") + 4, NULL));
    // Twice as deep as wide, and the scale is the same in both directions.
    double height = strtod(strstr(text, "height=\"") + 8, NULL);
    assert_true(height > 650.0 && height < 900.0);
    assert_non_null(strstr(text, ">2 m</text>"));
    free(text);
    look.path = NULL;
    text = draw(&what, &look);
    assert_int_equal(count_of(text, "<circle ") + count_of(text, "id=\"legend\""), 0);
    free(text);
    nav_mesh_release(mesh);
}

// An arc a link; a dot at each end, or a ring where a link is only left.
static void links_are_arcs_with_their_names(void **state)
{
    (void)state;
    const nav_link links[2] = {{.start = {2, 0, 2},
                                .end = {8, 1, 18},
                                .radius = 0.5f,
                                .area = NAV_AREA_GROUND,
                                .id = "<script>"},
                               {.start = {8, 1, 2},
                                .end = {2, 0, 18},
                                .radius = 0.5f,
                                .area = NAV_AREA_GROUND,
                                .bidirectional = true}};
    nav_mesh *mesh = floor_mesh(links, 2);
    const proto_export what = whole(mesh);
    const proto_picture look = proto_picture_default();
    char *text = draw(&what, &look);
    assert_int_equal(count_of(text, "<g id=\"links\""), 1);
    assert_int_equal(count_of(text, "<path fill=\"none\" d=\"M"), 2);
    assert_int_equal(count_of(text, "r=\"3\" fill=\"#4a148c\""), 3);
    assert_int_equal(count_of(text, "r=\"3\" fill=\"#ffffff\""), 1);
    assert_int_equal(count_of(text, "<title>&lt;script&gt;</title></path>"), 1);
    assert_int_equal(count_of(text, "<script") + count_of(text, "nan"), 0);
    free(text);
    nav_mesh_release(mesh);
}

static void an_empty_mesh_is_a_sentence(void **state)
{
    (void)state;
    nav_mesh *mesh = NULL;
    assert_int_equal(nav_mesh_create(NULL, 0, NULL, NULL, &mesh, NULL, NULL), NAV_OK);
    const proto_export what = whole(mesh);
    proto_picture look = proto_picture_default();
    look.width_px = 300;
    look.legend = true;
    char *text = draw(&what, &look);
    assert_non_null(strstr(text, "viewBox=\"0 0 300 128\""));
    assert_non_null(strstr(text, "This mesh has no polygons."));
    free(text);
    nav_mesh_release(mesh);
}

// ---- bounds ----

// The page is the bounds, at whatever scale they have; polygons that they meet are cut.
static void bounds_are_the_page(void **state)
{
    (void)state;
    nav_mesh *mesh = small_world("water");
    proto_export what = whole(mesh);
    what.has_bounds = true;
    memcpy(what.min, (const float[3]){0.5f, -1, 0}, sizeof what.min);
    memcpy(what.max, (const float[3]){1.5f, 1, 2}, sizeof what.max);
    proto_picture look = proto_picture_default();
    look.width_px = 148;
    look.is_cut = true;
    char *text = draw(&what, &look);
    // 100 px a metre, behind a margin of 24.
    assert_non_null(strstr(text, "width=\"148\" height=\"280\""));
    assert_non_null(strstr(text, "<rect x=\"24.00\" y=\"24.00\" width=\"100.00\" "
                                 "height=\"200.00\"/></clipPath>"));
    assert_non_null(strstr(text, "clip-path=\"url(#frame)\""));
    assert_int_equal(count_of(text, "<path fill=\"#"), 2);
    assert_non_null(strstr(text, "d=\"M-26 24L-26 124L74 124L74 24Z\""));
    free(text);
    // No thickness, and no ground but the level's.
    memcpy(what.max, what.min, sizeof what.max);
    text = draw(&what, &look);
    free(text);
    memcpy(what.min, (const float[3]){50, -1, 50}, sizeof what.min);
    memcpy(what.max, (const float[3]){60, 1, 60}, sizeof what.max);
    text = draw(&what, &look);
    assert_non_null(strstr(text, "This mesh has no polygons."));
    free(text);
    const nav_geometry none = {0};
    look.level = &none;
    look.layers = PROTO_LAYER_LEVEL;
    text = draw(&what, &look);
    assert_non_null(strstr(text, "<g id=\"level\""));
    free(text);
    nav_mesh_release(mesh);
}

// ---- layers ----

static void layers_are_there_if_they_are_asked_for(void **state)
{
    (void)state;
    static const struct {
        uint32_t layer;
        const char *element;
    } elements[] = {{PROTO_LAYER_LEVEL, "<g id=\"level\""},
                    {PROTO_LAYER_AREAS, "<g id=\"polygons\""},
                    {PROTO_LAYER_ISLANDS, "<g id=\"polygons\""},
                    {PROTO_LAYER_TILES, "<g id=\"tiles\""},
                    {PROTO_LAYER_PATH, "<g id=\"path\""},
                    {PROTO_LAYER_OBSTACLES, "<g id=\"obstacles\""}};
    nav_mesh *mesh = floor_mesh(NULL, 0);
    const nav_path path = {.status = NAV_PATH_NONE};
    const proto_export what = whole(mesh);
    for (uint32_t layers = 0; layers < 64; layers++) {
        const proto_picture look = {
            .width_px = 200, .layers = layers, .path = &path, .level = &FLOOR};
        char *text = draw(&what, &look);
        for (int i = 0; i < 6; i++) {
            const bool ground = i == 1 || i == 2;
            const uint32_t of =
                ground ? PROTO_LAYER_AREAS | PROTO_LAYER_ISLANDS : elements[i].layer;
            assert_int_equal(count_of(text, elements[i].element), (layers & of) != 0);
        }
        assert_int_equal(count_of(text, "stroke=\"#263238\" stroke-width=\"1.5\"") > 0,
                         (layers & 6) != 0);
        free(text);
    }
    nav_mesh_release(mesh);
}

// Of three squares two have one area, and two are one island. Colours go by the sum of both
// numbers, so that the other area is number 3: there are sums of 4, 2 and 3.
static void colours_tell_areas_islands_or_both(void **state)
{
    (void)state;
    static const uint32_t layers[3] = {PROTO_LAYER_AREAS, PROTO_LAYER_ISLANDS,
                                       PROTO_LAYER_AREAS | PROTO_LAYER_ISLANDS};
    static const int equal[3][2] = {{1, 2}, {0, 1}, {-1, -1}};
    static const nav_area areas[4] = {{.name = "none", .cost = 1},
                                      {.name = "ground", .cost = 1},
                                      {.name = "water", .cost = 2},
                                      {.name = "ice", .cost = 2}};
    nav_config config = nav_config_default();
    config.areas = areas;
    config.area_count = 4;
    nav_mesh *mesh = map_mesh_with("3.#.", &config, NULL);
    const proto_export what = whole(mesh);
    for (int i = 0; i < 3; i++) {
        const proto_picture look = {.width_px = 200, .layers = layers[i]};
        char *text = draw(&what, &look);
        char fill[3][8];
        const char *at = text;
        for (int k = 0; k < 3; k++) {
            at = strstr(at, "<path fill=\"#");
            memcpy(fill[k], at + 12, 7);
            fill[k][7] = '\0';
            at++;
        }
        for (int k = 0; k < 3; k++) {
            const int next = (k + 1) % 3, low = k < next ? k : next, high = k + next - low;
            const bool same = strcmp(fill[k], fill[next]) == 0;
            assert_int_equal(same, equal[i][0] == low && equal[i][1] == high);
        }
        free(text);
    }
    nav_mesh_release(mesh);
}

// Higher triangles come later, and cover; walls are darker than floors.
static void the_level_is_drawn_from_below(void **state)
{
    (void)state;
    static const float vertices[] = {0, 5, 0, 0, 5, 9, 9, 5, 9, 0, 1, 0, 0, 1,
                                     9, 9, 1, 9, 0, 3, 0, 0, 3, 9, 0, 0, 9};
    static const uint32_t triangles[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    const nav_geometry level = {
        .vertices = vertices, .triangles = triangles, .vertex_count = 9, .triangle_count = 3};
    nav_mesh *mesh = floor_mesh(NULL, 0);
    proto_export what = whole(mesh);
    const proto_picture look = {.width_px = 200, .layers = PROTO_LAYER_LEVEL, .level = &level};
    char *text = draw(&what, &look);
    const char *low = strstr(text, "<path fill=\"#e1e1e1\"");
    const char *wall = strstr(text, "<path fill=\"#6e6e6e\"");
    assert_non_null(low);
    assert_non_null(wall);
    const char *high = strstr(low + 1, "<path fill=\"#e1e1e1\"");
    assert_non_null(high);
    assert_true(low < wall && wall < high);
    free(text);
    // Without the roof.
    what.has_bounds = true;
    memcpy(what.min, (const float[3]){-1, -1, -1}, sizeof what.min);
    memcpy(what.max, (const float[3]){20, 4, 30}, sizeof what.max);
    text = draw(&what, &look);
    assert_int_equal(count_of(text, "<path fill=\"#e1e1e1\""), 1);
    free(text);
    nav_mesh_release(mesh);
}

// ---- the world: shapes by ids, switches ----

static void obstacles_have_their_shapes_and_ids(void **state)
{
    (void)state;
    static const float corners[3][2] = {{0, 0}, {1, 0}, {0, 1}};
    const nav_avoid shapes[] = {
        {.shape = NAV_AVOID_CIRCLE, .blocked = true, .center = {1, 0.5f}, .radius = 0.25f},
        {.shape = NAV_AVOID_BOX, .blocked = true, .min = {0, 0}, .max = {1, 1}},
        {.shape = NAV_AVOID_CAPSULE, .cost = 3, .center = {0, 0}, .end = {3, 0}, .radius = 0.5f},
        {.shape = NAV_AVOID_CAPSULE, .cost = 3, .center = {1, 0}, .end = {1, 0}, .radius = 0.5f},
        {.shape = NAV_AVOID_CONVEX, .blocked = true, .points = corners, .point_count = 3}};
    static const char *const ids[] = {"bot-17", HOSTILE, "fire", "spot", "wedge"};
    const uint8_t open[2] = {NAV_SWITCH_DEFAULT, NAV_SWITCH_OPEN};
    const uint8_t shut[2] = {NAV_SWITCH_CLOSED, NAV_SWITCH_DEFAULT};
    proto_world world = {.shapes = shapes, .shape_ids = ids, .shape_count = 5, .switches = open};
    nav_mesh *mesh = small_world("water");
    const proto_export what = whole(mesh);
    const proto_picture look = {
        .width_px = 448, .layers = PROTO_LAYER_OBSTACLES, .legend = true, .world = &world};
    char *text = draw(&what, &look);
    // 4 m in 400 px.
    assert_non_null(strstr(
        text, "<circle cx=\"124.00\" cy=\"74.00\" r=\"25.00\"><title>bot-17</title></circle>"));
    assert_non_null(strstr(text, "<title>&lt;img onerror=a&gt;]]&gt;&amp;&#39;&quot;"
                                 "\xef\xbf\xbd\xef\xbf\xbd</title></rect>"));
    assert_non_null(strstr(text, "d=\"M24.00 74.00A50.00 50.00 0 0 1 24.00 -26.00L324.00 -26.00"
                                 "A50.00 50.00 0 0 1 324.00 74.00Z\" fill=\"#ef6c00\""));
    assert_int_equal(count_of(text, "nan"), 0);
    assert_int_equal(count_of(text, "obstacles that block"), 1);
    assert_int_equal(count_of(text, "obstacles with a cost"), 1);
    // Its default is to be shut.
    assert_int_equal(count_of(text, "switches that are closed"), 0);
    free(text);
    world = (proto_world){.switches = shut};
    text = draw(&what, &look);
    assert_int_equal(count_of(text, "switches that are closed"), 1);
    assert_int_equal(count_of(text, "obstacles that"), 0);
    const char *group = strstr(text, "<g id=\"switches\"");
    assert_non_null(strstr(group, "<path d=\"M124 24L124 124L224 124L224 24Z\"><title>b</title>"));
    free(text);
    nav_mesh_release(mesh);
}

// ---- the legend ----

static void the_legend_names_what_is_drawn(void **state)
{
    (void)state;
    nav_mesh *mesh = small_world("water");
    const proto_export what = whole(mesh);
    proto_picture look = proto_picture_default();
    look.legend = true;
    char *text = draw(&what, &look);
    const char *legend = strstr(text, "<g id=\"legend\"");
    assert_non_null(legend);
    assert_non_null(strstr(legend, ">town, version 3, &lt;img onerror=a&gt;]]&gt;&amp;"));
    assert_non_null(strstr(legend, ">ground</title>ground, island 1<") != NULL
                        ? strstr(legend, ">ground</title>ground, island 2<")
                        : NULL);
    assert_non_null(strstr(legend, "<title>water</title>water, island 1<"));
    // The colour of a row is that of its ground, at its middle height.
    assert_int_equal(count_of(legend, "<rect "), 3);
    free(text);
    look.layers = PROTO_LAYER_AREAS | PROTO_LAYER_TILES;
    text = draw(&what, &look);
    legend = strstr(text, "<g id=\"legend\"");
    assert_int_equal(count_of(legend, "island"), 0);
    assert_int_equal(count_of(legend, "tiles: x,z"), 1);
    // Two polygons come before one.
    assert_true(strstr(legend, "ground") < strstr(legend, "water"));
    free(text);
    nav_mesh_release(mesh);
}

static void long_and_hostile_names_stay_text(void **state)
{
    (void)state;
    static const char *const names[] = {
        "<img onerror=alert(1) src=x>", "]]><script>x</script>", "a\"b'c&d\x01\x1b\xff",
        "\xc3\xa4\xc3\xb6\xc3\xbczzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz"};
    static const char *const texts[] = {
        "<title>&lt;img onerror=alert(1) src=x&gt;</title>&lt;img onerror=alert(1) src=x&gt;<",
        "<title>]]&gt;&lt;script&gt;x&lt;/script&gt;</title>",
        "<title>a&quot;b&#39;c&amp;d\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd</title>",
        "</title>\xc3\xa4\xc3\xb6\xc3\xbczzzzzzzzzzzzzzzzzzzzzzzzzzz\xe2\x80\xa6<"};
    for (int i = 0; i < 4; i++) {
        nav_mesh *mesh = small_world(names[i]);
        const proto_export what = whole(mesh);
        const proto_picture look = {.width_px = 600, .layers = PROTO_LAYER_AREAS, .legend = true};
        char *text = draw(&what, &look);
        assert_non_null(strstr(text, texts[i]));
        assert_int_equal(count_of(text, "<img") + count_of(text, "<script") + count_of(text, "]]>"),
                         0);
        free(text);
        nav_mesh_release(mesh);
    }
}

// A hundred islands: the largest are named, the others counted.
static void a_long_legend_is_cut(void **state)
{
    (void)state;
    char map[201] = "";
    for (int i = 0; i < 100; i++) {
        strcat(map, ".#");
    }
    nav_mesh *mesh = map_mesh(map);
    const proto_export what = whole(mesh);
    const proto_picture look = {.width_px = 600, .layers = PROTO_LAYER_ISLANDS, .legend = true};
    char *text = draw(&what, &look);
    assert_int_equal(count_of(text, ">island "), PICTURE_GROUND_ROWS_MAX);
    assert_int_equal(count_of(text, ">and 76 more kinds of ground<"), 1);
    free(text);
    nav_mesh_release(mesh);
}

// ---- ends ----

static bool at_once(void *polls)
{
    ++*(int *)polls;
    return true;
}

static void a_deadline_ends_a_picture(void **state)
{
    (void)state;
    nav_mesh *mesh = map_mesh(
        "................................................................................/"
        "................................................................................/"
        "................................................................................/"
        "................................................................................/"
        "................................................................................/"
        "................................................................................/"
        "................................................................................/"
        "................................................................................");
    const proto_export what = whole(mesh);
    int polls = 0;
    proto_picture look = proto_picture_default();
    look.cancelled = at_once;
    look.user = &polls;
    proto_writer w;
    nav_arena scratch;
    nav_error err = {0};
    nav_arena_init(&scratch, NULL, 0);
    proto_writer_init(&w);
    assert_int_equal(proto_picture_write(&w, &what, &look, &scratch, &err), NAV_CANCELLED);
    assert_int_equal(polls, 1);
    proto_writer_free(&w);
    proto_writer_init(&w);
    look.cancelled = NULL;
    w.limit_bytes = 5000;
    assert_int_equal(proto_picture_write(&w, &what, &look, &scratch, &err), PROTO_NOT_EXPORTABLE);
    assert_string_equal(err.at, "bounds");
    proto_writer_free(&w);
    nav_arena_free(&scratch);
    nav_mesh_release(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_picture_has_the_mesh_the_path_and_a_scale),
        cmocka_unit_test(links_are_arcs_with_their_names),
        cmocka_unit_test(an_empty_mesh_is_a_sentence),
        cmocka_unit_test(bounds_are_the_page),
        cmocka_unit_test(layers_are_there_if_they_are_asked_for),
        cmocka_unit_test(colours_tell_areas_islands_or_both),
        cmocka_unit_test(the_level_is_drawn_from_below),
        cmocka_unit_test(obstacles_have_their_shapes_and_ids),
        cmocka_unit_test(the_legend_names_what_is_drawn),
        cmocka_unit_test(long_and_hostile_names_stay_text),
        cmocka_unit_test(a_long_legend_is_cut),
        cmocka_unit_test(a_deadline_ends_a_picture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
