// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// With seeds a mesh holds just what can be reached from one, and is otherwise the mesh that a bake
// without the rest would have given; without seeds, islands are named.

#include "core/mesh/steps.h"
#include "core/query/points/points.h"
#include "core/query/view/scratch.h"
#include "tests/unit/mesh_builder.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

static nav_bake_report report;

static nav_config seeded(const float (*seeds)[3], uint32_t count)
{
    nav_config config = nav_config_default();
    config.seeds = seeds;
    config.seed_count = count;
    report = (nav_bake_report){0};
    return config;
}

static nav_mesh_stats stats_of(const nav_mesh *mesh)
{
    nav_mesh_stats stats;
    nav_mesh_stats_get(mesh, &stats);
    return stats;
}

static void islands_are_named_without_seeds(void **state)
{
    (void)state;
    report = (nav_bake_report){0};
    nav_mesh *mesh = map_mesh_with("..#...#./..#...#.", NULL, &report);
    const nav_warning *warning = &report.warnings[NAV_WARN_ISLAND];
    assert_int_equal(stats_of(mesh).components, 3);
    assert_int_equal(warning->count, 2);
    assert_near(warning->items[0].position[0], 0.5f, 1e-6);
    assert_near(warning->items[0].position[2], 0.5f, 1e-6);
    assert_near(warning->items[0].value, 4.0f, 1e-6);
    assert_near(warning->items[1].position[0], 7.5f, 1e-6);
    assert_near(warning->items[1].value, 2.0f, 1e-6);
    nav_mesh_release(mesh);
    report = (nav_bake_report){0};
    nav_mesh_release(map_mesh_with("..../....", NULL, &report));
    assert_int_equal(report.warnings[NAV_WARN_ISLAND].count, 0);
}

static void what_no_seed_reaches_goes(void **state)
{
    (void)state;
    static const float seeds[][3] = {{4.5f, 0.5f, 0.5f}};
    const nav_config config = seeded(seeds, 1);
    nav_mesh *mesh = map_mesh_with("..#...#./..#...#.", &config, &report);
    nav_mesh_stats stats = stats_of(mesh);
    assert_int_equal(stats.polygons, 6);
    assert_int_equal(stats.vertices, 12);
    assert_int_equal(stats.components, 1);
    assert_near(stats.walkable_area, 6.0, 1e-9);
    assert_near(stats.min[0], 3.0f, 0.0);
    assert_near(stats.max[0], 6.0f, 0.0);
    const nav_warning *warning = &report.warnings[NAV_WARN_ISLAND_REMOVED];
    assert_int_equal(warning->count, 2);
    assert_near(warning->items[0].position[0], 0.5f, 1e-6);
    assert_near(warning->items[0].value, 4.0f, 1e-6);
    assert_near(warning->items[1].value, 2.0f, 1e-6);
    assert_int_equal(report.warnings[NAV_WARN_ISLAND].count, 0);
    nav_location place;
    const float gone[3] = {0.5f, 0, 0.5f};
    assert_int_equal(nav_query_nearest(mesh, gone, (nav_snap){2, 1, 1}, NAV_NONE, &place, 1), 0);
    nav_mesh_release(mesh);
}

static void seeds_reach_over_links_in_their_direction(void **state)
{
    (void)state;
    static const float seeds[][3] = {{2.5f, 0, 0.5f}};
    const nav_link links[] = {
        {.start = {2.5f, 0, 0.5f}, .end = {4.5f, 0, 0.5f}, .radius = 0.2f, .area = 1},
        {.start = {0.5f, 0, 0.5f}, .end = {2.5f, 0, 0.5f}, .radius = 0.2f, .area = 1},
        {.start = {4.5f, 0, 0.5f},
         .end = {6.5f, 0, 0.5f},
         .radius = 0.2f,
         .area = 1,
         .bidirectional = true},
    };
    nav_config config = seeded(seeds, 1);
    config.links = links;
    config.link_count = 3;
    nav_mesh *mesh = map_mesh_with(".#.#.#.#.", &config, &report);
    nav_mesh_stats stats = stats_of(mesh);
    assert_int_equal(stats.polygons, 3);
    assert_int_equal(stats.links, 2); // the one that came from a removed island went with it
    assert_int_equal(stats.components, 2);
    assert_int_equal(report.warnings[NAV_WARN_ISLAND_REMOVED].count, 2);
    assert_int_equal(nav_mesh_link(mesh, 0)->start_polygon, 0);
    assert_int_equal(nav_mesh_link(mesh, 0)->end_polygon, 1);
    assert_int_equal(nav_mesh_link(mesh, 1)->config_index, 2);
    nav_scratch *scratch = NULL;
    assert_int_equal(nav_scratch_create(NULL, &scratch), NAV_OK);
    const nav_path_request request = {
        .start = {2.5f, 0, 0.5f}, .end = {6.5f, 0, 0.5f}, .options.snap = {0.5f, 1, 1}};
    nav_path path;
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
    assert_int_equal(path.status, NAV_PATH_COMPLETE);
    assert_near(path.cost, 4.0, 1e-6);
    nav_scratch_destroy(scratch);
    nav_mesh_release(mesh);
}

// Three tiles, of which the middle one goes whole; a link joins the others.
static void whole_tiles_may_go(void **state)
{
    (void)state;
    static const float seeds[][3] = {{20.5f, 0, 0.5f}};
    const nav_link link = {
        .start = {20.5f, 0, 0.5f}, .end = {0.5f, 0, 0.5f}, .radius = 0.2f, .area = 1};
    nav_config config = seeded(seeds, 1);
    config.links = &link;
    config.link_count = 1;
    builder b[3];
    nav_blob tiles[3];
    for (int i = 0; i < 3; ++i) {
        builder_init(&b[i]);
        builder_rectangle(&b[i], 10 * i, 0, 10 * i + 1, 1, 0);
        builder_rectangle(&b[i], 10 * i + 1, 0, 10 * i + 2, 1, 0);
        builder_rectangle(&b[i], 10 * i + 5, 0, 10 * i + 6, 1, 0); // an island in each
        tiles[i] = builder_blob(&b[i]);
    }
    nav_mesh *mesh = NULL;
    assert_int_equal(nav_mesh_create(tiles, 3, &config, NULL, &mesh, &report, NULL), NAV_OK);
    assert_int_equal(stats_of(mesh).polygons, 4);
    assert_int_equal(mesh->run_count, 2);
    assert_int_equal(mesh->runs[1].polygon_first, 2);
    assert_int_equal(mesh->runs[2].polygon_first, 4);
    assert_int_equal(report.warnings[NAV_WARN_ISLAND_REMOVED].count, 4);
    for (uint32_t i = 0; i < 4; ++i) {
        static const float centres[4][3] = {
            {0.5f, 0, 0.5f}, {1.5f, 0, 0.5f}, {20.5f, 0, 0.5f}, {21.5f, 0, 0.5f}};
        nav_location place;
        assert_int_equal(
            nav_query_nearest(mesh, centres[i], (nav_snap){0, 0, 0}, NAV_NONE, &place, 1), 1);
        assert_int_equal(place.polygon, i);
        assert_int_equal(mesh->records[i].component, i < 2 ? 1 : 2);
    }
    for (uint32_t i = 0; i < 2; ++i) {
        const nav_mesh_tile tile = nav_mesh_tile_get(mesh, i);
        assert_int_equal(tile.polygon_first, 2 * i);
        assert_int_equal(tile.polygon_count, 2);
    }
    assert_int_equal(nav_mesh_tile_count(mesh), 2);
    assert_int_equal(mesh->condensation_edge_count, 1);
    assert_int_equal(mesh->condensation_edges[0].from, 2);
    nav_mesh_release(mesh);
    for (int i = 0; i < 3; ++i) {
        builder_free(&b[i]);
    }
}

static void seeds_off_the_mesh_are_named(void **state)
{
    (void)state;
    static const float seeds[][3] = {{0.5f, 0, 0.5f}, {-5.0f, 0, 0.5f}, {0.5f, 9.0f, 0.5f}};
    const nav_config config = seeded(seeds, 3);
    nav_mesh *mesh = map_mesh_with("..", &config, &report);
    const nav_warning *warning = &report.warnings[NAV_WARN_SEED_OFF_MESH];
    assert_int_equal(warning->count, 2);
    assert_string_equal(warning->items[0].name, "seeds[1]");
    assert_near(warning->items[0].value, 5.0f, 1e-5);
    assert_near(warning->items[1].value, 9.0f, 1e-5);
    assert_int_equal(stats_of(mesh).polygons, 2);
    nav_mesh_release(mesh);
}

static void no_seed_on_the_mesh_is_an_error(void **state)
{
    (void)state;
    static const float seeds[][3] = {{-5.0f, 0, 0.5f}};
    const nav_config config = seeded(seeds, 1);
    builder b;
    builder_init(&b);
    builder_map(&b, "..");
    nav_blob blob = builder_blob(&b);
    nav_mesh *mesh = NULL;
    nav_error err;
    assert_int_equal(nav_mesh_create(&blob, 1, &config, NULL, &mesh, &report, &err),
                     NAV_MESH_EMPTY);
    assert_string_equal(err.at, "seeds");
    assert_string_equal(err.got, "-5, 0, 0.5");
    assert_non_null(strstr(err.detail, "5.000 away"));
    assert_null(mesh);
    assert_int_equal(report.warnings[NAV_WARN_SEED_OFF_MESH].count, 0); // untouched
    assert_int_equal(nav_mesh_create(NULL, 0, &config, NULL, &mesh, NULL, &err), NAV_MESH_EMPTY);
    builder_free(&b);
}

// ---- properties: a pruned mesh is the mesh of the pruned map ----

#define SIDE 24

static void check_tree(const nav_mesh *mesh)
{
    // Every polygon is found where it is, which takes a whole tree with true boxes.
    for (uint32_t i = 0; i < mesh->stats.polygons; ++i) {
        const float *corner = mesh->vertices[mesh->corners[mesh->records[i].corner_first]];
        const float centre[3] = {corner[0] + 0.5f, 0.0f, corner[2] + 0.5f};
        nav_location place;
        assert_int_equal(nav_query_nearest(mesh, centre, (nav_snap){0, 0, 0}, NAV_NONE, &place, 1),
                         1);
        assert_int_equal(place.polygon, i);
        assert_true(nav_query_closest(
            mesh, centre, (nav_reach){.component = mesh->records[i].component}, &place));
        assert_int_equal(place.polygon, i);
        assert_int_equal(mesh->records[i].ground, mesh->classes[i]);
    }
    uint32_t leaves = 0;
    const nav_tile_node *nodes = mesh->locate.nodes;
    const uint32_t node_count = nav_mesh_node_count(mesh);
    for (uint32_t i = 0; i < node_count; ++i) {
        const nav_tile_node *node = &nodes[i];
        leaves += nav_node_is_leaf(node);
        bool mixed = false;
        for (uint32_t k = i, first = 0; k < node->end; ++k) {
            if (nav_node_is_leaf(&nodes[k])) {
                const uint32_t label = mesh->records[nodes[k].polygon].component;
                mixed = mixed || (first != 0 && label != first);
                first = label;
            }
        }
        const uint32_t label = node->polygon & ~NAV_NODE_INNER;
        assert_true(nav_node_is_leaf(node) || (label == NAV_MESH_MIXED) == mixed);
        assert_true(node->end > i && node->end <= node_count);
        for (uint32_t k = i + 1; k < node->end; ++k) {
            for (int axis = 0; axis < 3; ++axis) {
                assert_true(nodes[k].min[axis] >= node->min[axis]);
                assert_true(nodes[k].max[axis] <= node->max[axis]);
            }
        }
    }
    assert_int_equal(leaves, mesh->stats.polygons);
    assert_int_equal(node_count, 2 * mesh->stats.polygons - 1);
}

static void expect_same_place(const nav_mesh *a, uint32_t vertex_a, const nav_mesh *b,
                              uint32_t vertex_b)
{
    assert_memory_equal(a->vertices[vertex_a], b->vertices[vertex_b], sizeof *a->vertices);
}

// All but the numbers of vertices: one that a kept polygon shares with a removed one comes earlier.
static void expect_same(const nav_mesh *a, const nav_mesh *b)
{
    assert_int_equal(a->stats.polygons, b->stats.polygons);
    assert_int_equal(a->stats.vertices, b->stats.vertices);
    assert_int_equal(a->stats.components, b->stats.components);
    assert_int_equal(a->portal_count, b->portal_count);
    assert_near(a->stats.walkable_area, b->stats.walkable_area, 1e-6);
    size_t runs = ((size_t)a->stats.polygons + 1) * sizeof(uint32_t);
    assert_memory_equal(a->portal_first, b->portal_first, runs);
    for (uint32_t i = 0; i <= a->stats.polygons; ++i) {
        assert_int_equal(a->records[i].corner_first, b->records[i].corner_first);
        assert_int_equal(a->records[i].component, b->records[i].component);
    }
    uint32_t corner_count = a->records[a->stats.polygons].corner_first;
    assert_memory_equal(a->neighbours, b->neighbours, corner_count * sizeof(uint32_t));
    for (uint32_t i = 0; i < corner_count; ++i) {
        expect_same_place(a, a->corners[i], b, b->corners[i]);
    }
    for (uint32_t i = 0; i < a->portal_count; ++i) {
        assert_memory_equal(&a->portals[i], &b->portals[i], offsetof(nav_portal, left_vertex));
        expect_same_place(a, a->portals[i].left_vertex, b, b->portals[i].left_vertex);
        expect_same_place(a, a->portals[i].right_vertex, b, b->portals[i].right_vertex);
    }
}

static void flood_map(const char *text, char *kept, int at)
{
    int stride = SIDE + 1;
    if (at < 0 || at >= SIDE * stride - 1 || text[at] != '.' || kept[at] == '.') {
        return;
    }
    kept[at] = '.';
    flood_map(text, kept, at - 1);
    flood_map(text, kept, at + 1);
    flood_map(text, kept, at - stride);
    flood_map(text, kept, at + stride);
}

static void pruned_mesh_is_the_mesh_of_the_pruned_map(void **state)
{
    (void)state;
    uint64_t seed = 3;
    uint32_t pruned = 0;
    for (uint32_t round = 0; round < 60; ++round) {
        char text[SIDE * (SIDE + 1)];
        char kept[SIDE * (SIDE + 1)];
        for (int i = 0; i < SIDE * (SIDE + 1); ++i) {
            bool wall = next_random(&seed) % 100 < 35 + round % 3 * 5;
            text[i] = i % (SIDE + 1) == SIDE ? '/' : wall ? '#' : '.';
            kept[i] = text[i] == '/' ? '/' : '#';
        }
        text[sizeof text - 1] = kept[sizeof kept - 1] = '\0';
        float seeds[2][3];
        for (int i = 0; i < 2; ++i) {
            int x, z;
            do {
                x = (int)(next_random(&seed) % SIDE);
                z = (int)(next_random(&seed) % SIDE);
            } while (text[z * (SIDE + 1) + x] != '.');
            seeds[i][0] = (float)x + 0.5f;
            seeds[i][1] = 0.0f;
            seeds[i][2] = (float)z + 0.5f;
            flood_map(text, kept, z * (SIDE + 1) + x);
        }
        const nav_config config = seeded((const float(*)[3])seeds, 2);
        nav_mesh *whole = map_mesh(text);
        nav_mesh *mesh = map_mesh_with(text, &config, &report);
        nav_mesh *expected = map_mesh(kept);
        expect_same(mesh, expected);
        check_tree(mesh);
        assert_int_equal(report.warnings[NAV_WARN_ISLAND_REMOVED].count,
                         stats_of(whole).components - stats_of(mesh).components);
        pruned += stats_of(whole).polygons > stats_of(mesh).polygons;
        nav_mesh_release(whole);
        nav_mesh_release(mesh);
        nav_mesh_release(expected);
    }
    assert_true(pruned > 50);
}

// ---- memory ----

typedef struct counting {
    uint32_t calls, calls_max;
    size_t held_bytes;
} counting;

static void *counting_alloc(void *user, size_t size_bytes)
{
    counting *c = user;
    if (c->calls == c->calls_max) {
        return NULL;
    }
    ++c->calls;
    c->held_bytes += size_bytes;
    return malloc(size_bytes);
}

static void counting_free(void *user, void *block, size_t size_bytes)
{
    ((counting *)user)->held_bytes -= size_bytes;
    free(block);
}

static void every_failed_allocation_is_an_answer(void **state)
{
    (void)state;
    static const float seeds[][3] = {{0.5f, 0, 0.5f}};
    const nav_link link = {
        .start = {0.5f, 0, 0.5f}, .end = {2.5f, 0, 0.5f}, .radius = 0.2f, .area = 1};
    nav_config config = seeded(seeds, 1);
    config.links = &link;
    config.link_count = 1;
    builder b;
    builder_init(&b);
    builder_map(&b, ".#.#.");
    nav_blob blob = builder_blob(&b);
    nav_status status = NAV_NO_MEMORY;
    uint32_t failed = 0;
    for (uint32_t calls = 0; status != NAV_OK; ++calls) {
        counting counted = {.calls_max = calls};
        const nav_allocator allocator = {counting_alloc, counting_free, &counted};
        nav_mesh *mesh = NULL;
        status = nav_mesh_create(&blob, 1, &config, &allocator, &mesh, &report, NULL);
        assert_true(status == NAV_OK || status == NAV_NO_MEMORY);
        failed += status != NAV_OK;
        nav_mesh_release(mesh);
        assert_int_equal(counted.held_bytes, 0);
    }
    assert_true(failed >= 2);
    builder_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(islands_are_named_without_seeds),
        cmocka_unit_test(what_no_seed_reaches_goes),
        cmocka_unit_test(seeds_reach_over_links_in_their_direction),
        cmocka_unit_test(whole_tiles_may_go),
        cmocka_unit_test(seeds_off_the_mesh_are_named),
        cmocka_unit_test(no_seed_on_the_mesh_is_an_error),
        cmocka_unit_test(pruned_mesh_is_the_mesh_of_the_pruned_map),
        cmocka_unit_test(every_failed_allocation_is_an_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
