// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// A tile reads back as it was written, the same tile gives the same bytes, and whatever else the
// bytes say is refused or harmless.

#include "tests/unit/mesh_builder.h"
#include "core/tile/tile.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

// Two triangles and a square, with one raised detail vertex in the square.
static void build_sample(builder *b)
{
    static float vertices[1][3] = {{1.5f, 2.0f, 0.5f}};
    static uint16_t triangles[6][3] = {{0, 1, 2}, {0, 1, 2}, {4, 0, 1},
                                       {4, 1, 2}, {4, 2, 3}, {4, 3, 0}};
    static uint32_t vertex_first[4] = {0, 0, 0, 1};
    static uint32_t triangle_first[4] = {0, 1, 2, 6};
    builder_init(b);
    builder_polygon(b, 3, (const int32_t[][3]){{0, 0, 0}, {0, 0, 1}, {1, 0, 1}});
    builder_polygon(b, 3, (const int32_t[][3]){{0, 0, 0}, {1, 0, 1}, {1, 0, 0}});
    builder_rectangle(b, 1, 0, 2, 1, 0);
    b->polygons.areas[1] = 7;
    b->polygons.polygon_neighbours[2 * BUILDER_ROW + 2] = NAV_EDGE_PORTAL | 2u;
    b->detail = (nav_detail){.vertices = vertices,
                             .triangles = triangles,
                             .vertex_first = vertex_first,
                             .triangle_first = triangle_first,
                             .vertex_count = 1,
                             .triangle_count = 6};
}

// The same with the square under the switches b, c and e, the second triangle under c.
static void build_switched(builder *b)
{
    build_sample(b);
    builder_switch(b, 2, 1 << 1 | 1 << 2 | 1 << 4);
    builder_switch(b, 1, 1 << 2);
}

static void seal(void *bytes, size_t size_bytes)
{
    const size_t covered = offsetof(nav_tile_header, tile_x);
    ((nav_tile_header *)bytes)->checksum =
        nav_tile_checksum((char *)bytes + covered, size_bytes - covered);
}

static void checksum_is_xxh64(void **state)
{
    (void)state;
    // Known answers of the reference implementation, seed 0.
    assert_true(nav_tile_checksum("", 0) == 0xEF46DB3751D8E999u);
    assert_true(nav_tile_checksum("abc", 3) == 0x44BC2CF5AD770999u);
    assert_true(nav_tile_checksum("Nobody inspects the spammish repetition", 39) ==
                0xFBCEA83C8A378BF1u);
}

static void reads_back_as_written(void **state)
{
    (void)state;
    builder b;
    build_sample(&b);
    nav_blob blob = builder_blob(&b);
    nav_tile tile;
    nav_error err;
    assert_int_equal(nav_tile_open(blob, &tile, &err), NAV_OK);
    assert_int_equal(tile.header->polygon_count, 3);
    assert_int_equal(tile.header->vertex_count, 6);
    assert_int_equal(tile.header->corner_count, 10);
    assert_int_equal(tile.header->node_count, 5);
    assert_int_equal(tile.polygons[1].area, 7);
    assert_int_equal(tile.polygons[2].corner_count, 4);
    assert_int_equal(tile.neighbours[2], 1); // the diagonal of the first square
    assert_int_equal(tile.neighbours[tile.polygons[2].corner_first], 1);
    assert_int_equal(tile.neighbours[tile.polygons[2].corner_first + 2], NAV_EDGE_PORTAL | 2u);
    assert_near(tile.detail_vertices[0][1], 2.0, 0.0);
    assert_int_equal(tile.detail_triangles[2][0], 4);
    assert_near(tile.nodes[0].max[1], 2.0, 0.0); // detail belongs to the bounds
    assert_near(tile.nodes[0].max[0], 2.0, 0.0);
    builder_free(&b);
}

static void same_tile_gives_same_bytes(void **state)
{
    (void)state;
    builder a, b;
    build_sample(&a);
    build_sample(&b);
    nav_blob first = builder_blob(&a);
    nav_blob second = builder_blob(&b);
    assert_int_equal(first.size_bytes, second.size_bytes);
    assert_memory_equal(first.bytes, second.bytes, first.size_bytes);
    assert_int_equal(first.size_bytes % 16, 0);
    builder_free(&a);
    builder_free(&b);
}

static void switches_read_back_by_their_ids(void **state)
{
    (void)state;
    builder plain, b;
    build_sample(&plain);
    build_switched(&b);
    nav_blob without = builder_blob(&plain), blob = builder_blob(&b);
    nav_tile tile;
    assert_int_equal(nav_tile_open(without, &tile, NULL), NAV_OK);
    assert_null(tile.switches);
    assert_int_equal(nav_tile_open(blob, &tile, NULL), NAV_OK);
    assert_int_equal(blob.size_bytes, without.size_bytes + 16 + 3 * 48 + 16 + 8 + 8);
    assert_int_equal(tile.switches->id_count, 3);
    assert_string_equal(tile.switch_ids[0], "b");
    assert_string_equal(tile.switch_ids[1], "c");
    assert_string_equal(tile.switch_ids[2], "e");
    const uint16_t sets[] = {0, 1, 2}, entries[] = {1, 0, 1, 2};
    assert_memory_equal(tile.polygon_sets, sets, sizeof sets);
    assert_int_equal(tile.switches->set_count, 2);
    assert_int_equal(tile.set_first[1], 1);
    assert_int_equal(tile.set_first[2], 4);
    assert_memory_equal(tile.set_entries, entries, sizeof entries);
    assert_int_equal(tile.polygons[1].area, 7); // they keep their areas
    assert_int_equal(tile.polygons[2].area, NAV_AREA_GROUND);
    builder_free(&plain);
    builder_free(&b);
}

// Field cells become grid cells, and grid cells the world.
static void positions_are_of_the_grid(void **state)
{
    (void)state;
    builder b;
    build_sample(&b);
    const nav_config config = {0};
    const nav_grid grid = {.min = {10.0f, 20.0f, 30.0f},
                           .cell_size = 0.5f,
                           .cell_height = 0.25f,
                           .tiles_x = 3,
                           .tiles_z = 3};
    nav_bake_report report = {0};
    const nav_bake_job job = {.config = &config,
                              .grid = &grid,
                              .scratch = &b.arena,
                              .report = &report,
                              .tile_x = 1,
                              .tile_z = 2,
                              .first_x_cells = 100,
                              .first_z_cells = -8};
    nav_blob blob;
    nav_arena result;
    nav_arena_init(&result, NULL, 0);
    assert_int_equal(nav_bake_tile_write(&job, &b.polygons, &b.detail, &result, &blob), NAV_OK);
    nav_tile tile;
    assert_int_equal(nav_tile_open(blob, &tile, NULL), NAV_OK);
    assert_int_equal(tile.header->tile_x, 1);
    assert_int_equal(tile.header->tile_z, 2);
    assert_int_equal(tile.vertices[2][0], 101);
    assert_int_equal(tile.vertices[2][2], -7);
    float world[3];
    nav_tile_vertex(tile.header, tile.vertices[2], world);
    assert_near(world[0], 60.5, 0.0);
    assert_near(world[1], 20.0, 0.0);
    assert_near(world[2], 26.5, 0.0);
    assert_near(tile.detail_vertices[0][0], 60.75, 0.0);
    assert_near(tile.detail_vertices[0][1], 20.5, 0.0);
    assert_near(tile.detail_vertices[0][2], 26.25, 0.0);
    nav_arena_free(&result);
    builder_free(&b);
}

static void no_polygons_give_no_blob(void **state)
{
    (void)state;
    builder b;
    builder_init(&b);
    nav_blob blob = builder_blob(&b);
    assert_int_equal(blob.size_bytes, 0);
    builder_free(&b);
}

static void no_memory_is_reported(void **state)
{
    (void)state;
    builder b;
    build_sample(&b);
    const nav_config config = {0};
    const nav_grid grid = {.cell_size = 1.0f, .cell_height = 1.0f, .tiles_x = 1, .tiles_z = 1};
    nav_bake_report report = {0};
    nav_error err = {0};
    nav_arena small;
    nav_arena_init(&small, NULL, 64);
    const nav_bake_job job = {
        .config = &config, .grid = &grid, .scratch = &b.arena, .report = &report, .err = &err};
    nav_blob blob = {0};
    assert_int_equal(nav_bake_tile_write(&job, &b.polygons, NULL, &small, &blob), NAV_NO_MEMORY);
    assert_int_equal(err.status, NAV_NO_MEMORY);
    assert_null(blob.bytes);
    nav_arena_free(&small);
    builder_free(&b);
}

// The tree reaches each polygon once, in boxes that hold each other.
static void tree_holds_every_polygon(void **state)
{
    (void)state;
    builder b;
    builder_init(&b);
    builder_map(&b,
                "..........#......../.#......##......../....#......#......./...................");
    nav_blob blob = builder_blob(&b);
    nav_tile tile;
    assert_int_equal(nav_tile_open(blob, &tile, NULL), NAV_OK);
    static uint8_t seen[256];
    memset(seen, 0, sizeof seen);
    for (uint32_t i = 0; i < tile.header->node_count; ++i) {
        const nav_tile_node *node = &tile.nodes[i];
        if (node->polygon != NAV_NONE) {
            ++seen[node->polygon];
        }
        for (uint32_t k = i + 1; k < node->end; ++k) {
            for (int axis = 0; axis < 3; ++axis) {
                assert_true(tile.nodes[k].min[axis] >= node->min[axis]);
                assert_true(tile.nodes[k].max[axis] <= node->max[axis]);
            }
        }
    }
    for (uint32_t i = 0; i < tile.header->polygon_count; ++i) {
        assert_int_equal(seen[i], 1);
    }
    builder_free(&b);
}

// ---- bad bytes ----

// A change to one 32-bit word of the sample, by offset in the blob.
typedef struct change {
    size_t offset;
    uint32_t value;
} change;

static uint32_t float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void expect_refused(const void *bytes, size_t size_bytes)
{
    nav_tile tile;
    nav_error err = {0};
    nav_blob blob = {.bytes = bytes, .size_bytes = size_bytes};
    assert_int_equal(nav_tile_open(blob, &tile, &err), NAV_BAD_BLOB);
    assert_true(strlen(err.detail) > 10);
}

static void each_wrong_value_is_refused(void **state)
{
    (void)state;
    builder b;
    build_sample(&b);
    nav_blob blob = builder_blob(&b);
    const nav_tile_header *h = blob.bytes;
    const size_t polygons = h->offsets[NAV_TILE_POLYGONS];
    const size_t nodes = h->offsets[NAV_TILE_NODES];
    const change changes[] = {
        {0, 0x54564150},            // magic
        {4, 2},                     // version
        {8, 16},                    // size
        {24, 1},                    // tile_x
        {28, 1},                    // tile_z
        {32, 0},                    // tiles_x
        {36, 0xffffffff},           // tiles_z
        {40, 0xffffffff},           // tile_cells
        {44, 0},                    // cell_size
        {44, float_bits(NAN)},      //
        {48, float_bits(-1.0f)},    // cell_height
        {52, float_bits(INFINITY)}, // grid_min
        {60, float_bits(1e30f)},    //
        {64, float_bits(-1.0f)},    // agent
        {72, float_bits(NAN)},      //
        {76, 0},                    // counts
        {76, 0xffffffff},           //
        {80, 0},                    //
        {80, 0xffffffff},           //
        {84, 9},                    //
        {88, 0x10000000},           //
        {92, 5},                    //
        {96, 4},                    //
        {96, 0xffffffff},           //
        {100, 16},                  // size of switches
        {104, 176},                 // offsets
        {h->offsets[NAV_TILE_VERTICES], 0x7fffffff},
        {polygons, 1},               // corner_first
        {polygons + 4, 1},           // detail_vertex_first
        {polygons + 8, 0xffffffff},  // detail_vertex_count
        {polygons + 12, 1},          // detail_triangle_first
        {polygons + 16, 0xffffffff}, // detail_triangle_count
        {polygons + 20, 0x00010002}, // two corners
        {polygons + 20, 0x00000003}, // area none
        {polygons + 20, 0x01010003}, // zero
        {polygons + 20, 0x0001000d}, // thirteen corners
        {h->offsets[NAV_TILE_CORNERS], 6},
        {h->offsets[NAV_TILE_NEIGHBOURS], 3},
        {h->offsets[NAV_TILE_NEIGHBOURS], NAV_EDGE_PORTAL | 4u},
        {h->offsets[NAV_TILE_NEIGHBOURS] + 40, 1}, // the gap after ten of them
        {h->offsets[NAV_TILE_DETAIL_VERTICES], float_bits(NAN)},
        {h->offsets[NAV_TILE_DETAIL_TRIANGLES], 0x00030000},
        {nodes, float_bits(NAN)},
        {nodes + 16, float_bits(-9.0f)}, // max below min
        {nodes + 12, 4},                 // the root ends early
        {nodes + 28, 0},                 // the root is a leaf
        {nodes + 32 + 12, 1},            // does not go forward
        {nodes + 32 + 28, 3},            // a polygon that is not there
    };
    uint8_t *copy = malloc(blob.size_bytes);
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; ++i) {
        memcpy(copy, blob.bytes, blob.size_bytes);
        memcpy(copy + changes[i].offset, &changes[i].value, 4);
        assert_memory_not_equal(copy, blob.bytes, blob.size_bytes);
        expect_refused(copy, blob.size_bytes);
        seal(copy, blob.size_bytes);
        expect_refused(copy, blob.size_bytes);
    }
    free(copy);
    builder_free(&b);
}

static void wrong_switches_are_refused(void **state)
{
    (void)state;
    builder b;
    build_switched(&b);
    nav_blob blob = builder_blob(&b);
    const nav_tile_header *h = blob.bytes;
    const size_t at = h->size_bytes - h->switch_bytes, ids = at + 16, first = ids + 3 * 48;
    const change changes[] = {
        {100, 0},                   // size of the section
        {100, h->switch_bytes + 1}, //
        {100, 0xfffffff0},          //
        {at, 0},                    // counts
        {at, 0xffffffff},           //
        {at, 2},                    //
        {at + 4, 0},                //
        {at + 4, 0xfffffffe},       //
        {at + 8, 3},                //
        {at + 8, 0xffffffff},       //
        {at + 12, 1},               // zero
        {ids, 0},                   // an id without a letter
        {ids, 'c'},                 // that of its neighbour
        {ids + 44, 'x'},            // a letter behind its end
        {ids + 44, 0x78000000},     // no end
        {first, 1},                 // sets
        {first + 4, 0},             // an empty one
        {first + 4, 5},             //
        {first + 8, 3},             //
        {first + 12, 1 | 3 << 16},  // a switch that is not there
        {first + 12, 1 | 1 << 16},  // out of order
        {first + 16, 1 | 1 << 16},  // twice
        {first + 20, 3},            // a set that is not there
        {first + 24, 2 | 1 << 16},  // a byte behind the end
    };
    uint8_t *copy = malloc(blob.size_bytes);
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; ++i) {
        memcpy(copy, blob.bytes, blob.size_bytes);
        memcpy(copy + changes[i].offset, &changes[i].value, 4);
        assert_memory_not_equal(copy, blob.bytes, blob.size_bytes);
        seal(copy, blob.size_bytes);
        expect_refused(copy, blob.size_bytes);
    }
    free(copy);
    builder_free(&b);
}

static void wrong_sizes_and_places_are_refused(void **state)
{
    (void)state;
    builder b;
    build_switched(&b);
    nav_blob blob = builder_blob(&b);
    // In a block of exactly its size, so that a sanitizer sees a read past the end.
    for (size_t size_bytes = 0; size_bytes < blob.size_bytes; ++size_bytes) {
        uint8_t *copy = malloc(size_bytes + 1);
        memcpy(copy, blob.bytes, size_bytes);
        expect_refused(copy, size_bytes);
        free(copy);
    }
    uint8_t *copy = malloc(blob.size_bytes + 16);
    memcpy(copy + 1, blob.bytes, blob.size_bytes);
    expect_refused(copy + 1, blob.size_bytes);
    memcpy(copy, blob.bytes, blob.size_bytes);
    memset(copy + blob.size_bytes, 0, 16);
    expect_refused(copy, blob.size_bytes + 16);
    expect_refused(NULL, 0);
    free(copy);
    builder_free(&b);
}

// A query on a mesh of bad bytes may do anything but crash, hang or leave its bounds.
static void use_mesh(const nav_blob *blob, nav_scratch *scratch)
{
    nav_mesh *mesh;
    if (nav_mesh_create(blob, 1, NULL, NULL, &mesh, NULL, NULL) != NAV_OK) {
        return;
    }
    nav_path_request request = {
        .start = {0.25f, 0, 0.75f}, .end = {1.75f, 0, 0.25f}, .options.snap = {2, 4, 4}};
    nav_path path;
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
    if (path.status != NAV_PATH_NONE) {
        assert_true(path.point_count >= 1);
    }
    nav_location near[4];
    const nav_snap wide = {1e9f, 1e9f, 1e9f};
    uint32_t count = nav_query_nearest(mesh, request.start, wide, NAV_NONE, near, 4);
    for (uint32_t i = 1; i < count; ++i) {
        assert_true(near[i - 1].distance <= near[i].distance);
    }
    nav_mesh_release(mesh);
}

static void mutations_never_crash(void **state)
{
    (void)state;
    builder b;
    build_switched(&b);
    nav_blob blob = builder_blob(&b);
    nav_scratch *scratch = NULL;
    assert_int_equal(nav_scratch_create(NULL, &scratch), NAV_OK);
    uint64_t seed = 20261120;
    uint32_t opened = 0;
    for (uint32_t round = 0; round < 20000; ++round) {
        uint8_t *copy = malloc(blob.size_bytes);
        memcpy(copy, blob.bytes, blob.size_bytes);
        uint32_t changes = 1 + next_random(&seed) % 3;
        for (uint32_t i = 0; i < changes; ++i) {
            size_t at = next_random(&seed) % blob.size_bytes;
            if (next_random(&seed) % 2 == 0) {
                copy[at] ^= (uint8_t)(1u << next_random(&seed) % 8);
            } else {
                static const uint8_t values[] = {0x00, 0xff, 0x7f, 0x80, 0x01, 0x02};
                copy[at] = values[next_random(&seed) % sizeof values];
            }
        }
        const nav_blob mutated = {.bytes = copy, .size_bytes = blob.size_bytes};
        nav_tile tile;
        if (memcmp(copy, blob.bytes, blob.size_bytes) != 0) {
            assert_int_equal(nav_tile_open(mutated, &tile, NULL), NAV_BAD_BLOB);
        }
        seal(copy, blob.size_bytes);
        opened += nav_tile_open(mutated, &tile, NULL) == NAV_OK;
        use_mesh(&mutated, scratch);
        free(copy);
    }
    // The test is about both kinds: those that are refused and those that are used.
    assert_in_range(opened, 1000, 19000);
    nav_scratch_destroy(scratch);
    builder_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(checksum_is_xxh64),
        cmocka_unit_test(reads_back_as_written),
        cmocka_unit_test(same_tile_gives_same_bytes),
        cmocka_unit_test(switches_read_back_by_their_ids),
        cmocka_unit_test(positions_are_of_the_grid),
        cmocka_unit_test(no_polygons_give_no_blob),
        cmocka_unit_test(no_memory_is_reported),
        cmocka_unit_test(tree_holds_every_polygon),
        cmocka_unit_test(each_wrong_value_is_refused),
        cmocka_unit_test(wrong_switches_are_refused),
        cmocka_unit_test(wrong_sizes_and_places_are_refused),
        cmocka_unit_test(mutations_never_crash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
