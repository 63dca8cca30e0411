// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// Landmarks bound what a way costs from below, under any filter; they change no verdict and hardly
// a path, and no bytes but their own are taken for them.

#include "tests/unit/counting_allocator.h"
#include "tests/unit/mesh_builder.h"
#include "core/mesh/steps.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

#define SIDE 24
#define AREAS 6

static void make_text(char text[SIDE * (SIDE + 1)], uint64_t *seed, uint32_t walls_percent)
{
    for (int i = 0; i < SIDE * (SIDE + 1); ++i) {
        const bool wall = next_random(seed) % 100 < walls_percent;
        text[i] = i % (SIDE + 1) == SIDE ? '/' : wall ? '#' : "...2345"[next_random(seed) % 7];
    }
    text[SIDE * (SIDE + 1) - 1] = '\0';
}

typedef struct world {
    nav_area areas[AREAS];
    nav_link links[2];
    nav_config config;
    nav_mesh *mesh;
} world;

static void add_landmarks(nav_mesh *mesh)
{
    nav_arena scratch, result;
    nav_arena_init(&scratch, NULL, 0);
    nav_arena_init(&result, NULL, 0);
    nav_blob blob;
    assert_int_equal(nav_landmarks_make(mesh, NULL, &scratch, &result, &blob), NAV_OK);
    assert_int_equal(nav_mesh_add_landmarks(mesh, blob, NULL), NAV_OK);
    nav_arena_free(&scratch);
    nav_arena_free(&result);
}

// A random map; where `linked`, with a link there and back and one that leads one way, cheaper than
// the ground.
static void make_world(world *w, uint64_t *seed, bool linked)
{
    char text[SIDE * (SIDE + 1)];
    make_text(text, seed, 20 + next_random(seed) % 15);
    memset(w, 0, sizeof *w);
    w->config = nav_config_default();
    for (uint32_t i = 0; i < AREAS; ++i) {
        w->areas[i].cost = 1.0f;
        w->areas[i].flags = 1u << i;
    }
    for (uint32_t i = 0; i < 2; ++i) {
        nav_link *link = &w->links[i];
        *link = (nav_link){.radius = 2.0f, .area = NAV_AREA_GROUND, .bidirectional = i == 0};
        for (int axis = 0; axis < 3; axis += 2) {
            link->start[axis] = (float)(next_random(seed) % (10 * SIDE)) / 10.0f;
            link->end[axis] = (float)(next_random(seed) % (10 * SIDE)) / 10.0f;
        }
        link->has_cost = i == 1;
        link->cost = 0.5f;
    }
    w->config.areas = w->areas;
    w->config.area_count = AREAS;
    w->config.links = w->links;
    w->config.link_count = linked ? 2 : 0;
    w->mesh = map_mesh_with(text, &w->config, NULL);
    add_landmarks(w->mesh);
}

static nav_filter random_filter(uint64_t *seed)
{
    nav_filter filter = {0};
    for (uint32_t i = 1; i < AREAS; ++i) {
        filter.area_costs[i] = 0.25f * (float)(1 + next_random(seed) % 16);
    }
    filter.exclude = 1u << next_random(seed) % 12 & ~3u;
    return filter;
}

static nav_path_request random_request(uint64_t *seed)
{
    nav_path_request request = {.options = nav_options_default(), .search = NAV_SEARCH_FAST};
    for (int axis = 0; axis < 3; axis += 2) {
        request.start[axis] = (float)(next_random(seed) % (100 * SIDE)) / 100.0f;
        request.end[axis] = (float)(next_random(seed) % (100 * SIDE)) / 100.0f;
    }
    return request;
}

// The bound of a fast path is that of straight lines and landmarks alone. Without costs the exact
// path is the cheapest there is.
static void bounds_hold_where_all_costs_the_same(void **state)
{
    (void)state;
    uint64_t seed = 5;
    nav_scratch *scratch = NULL;
    assert_int_equal(nav_scratch_create(NULL, &scratch), NAV_OK);
    uint32_t complete = 0;
    uint32_t better = 0;
    double fast_sum = 0.0;
    double exact_sum = 0.0;
    for (int round = 0; round < 30; ++round) {
        world w;
        make_world(&w, &seed, false);
        for (int pair = 0; pair < 100; ++pair) {
            nav_path_request request = random_request(&seed);
            nav_path fast, exact;
            assert_int_equal(nav_query_path(w.mesh, scratch, &request, &fast), NAV_OK);
            request.search = NAV_SEARCH_EXACT;
            assert_int_equal(nav_query_path(w.mesh, scratch, &request, &exact), NAV_OK);
            assert_int_equal(fast.status, exact.status);
            if (exact.status != NAV_PATH_COMPLETE) {
                continue;
            }
            const double dx = (double)fast.end[0] - (double)fast.start[0];
            const double dz = (double)fast.end[2] - (double)fast.start[2];
            assert_true(exact.optimal);
            assert_true(fast.lower_bound <= exact.cost * (1.0 + 1e-6));
            assert_true(fast.lower_bound >= sqrt(dx * dx + dz * dz) * (1.0 - 1e-6));
            better += fast.lower_bound > sqrt(dx * dx + dz * dz) * 1.01;
            fast_sum += fast.cost;
            exact_sum += exact.cost;
            ++complete;
        }
        nav_mesh_release(w.mesh);
    }
    print_message("# %u paths, %u bounds above the straight line; length %.4f of the shortest\n",
                  complete, better, fast_sum / exact_sum);
    assert_true(complete > 1000);
    assert_true(better > complete / 4);
    assert_true(fast_sum < exact_sum * 1.02);
    nav_scratch_destroy(scratch);
}

// Under random costs, closed areas and links: no walk that is known is cheaper than the bound. A
// mesh without landmarks finds other walks.
static void bounds_hold_under_any_filter(void **state)
{
    (void)state;
    uint64_t seed = 77;
    nav_scratch *scratch = NULL;
    assert_int_equal(nav_scratch_create(NULL, &scratch), NAV_OK);
    uint32_t complete = 0;
    uint32_t better = 0;
    for (int round = 0; round < 60; ++round) {
        world w;
        make_world(&w, &seed, round % 2 == 1);
        for (int pair = 0; pair < 60; ++pair) {
            const nav_filter filter = random_filter(&seed);
            nav_path_request request = random_request(&seed);
            request.options.filter = &filter;
            nav_path path, other;
            assert_int_equal(nav_query_path(w.mesh, scratch, &request, &path), NAV_OK);
            uint16_t *rows = w.mesh->landmarks;
            w.mesh->landmarks = NULL;
            assert_int_equal(nav_query_path(w.mesh, scratch, &request, &other), NAV_OK);
            w.mesh->landmarks = rows;
            assert_int_equal(path.status, other.status);
            assert_int_equal(path.reason, other.reason);
            if (path.status == NAV_PATH_COMPLETE) {
                assert_true(path.lower_bound <= other.cost * (1.0 + 1e-6));
                assert_true(path.lower_bound <= path.cost * (1.0 + 1e-6));
                assert_true(path.lower_bound >= other.lower_bound * (1.0 - 1e-6));
                better += path.lower_bound > other.lower_bound * 1.01;
                ++complete;
            }
        }
        nav_mesh_release(w.mesh);
    }
    print_message("# %u paths, %u bounds above the straight line\n", complete, better);
    assert_true(complete > 1000);
    assert_true(better > 200);
    nav_scratch_destroy(scratch);
}

// How far apart the rows of two ends of portals may be: as far as it is from one to the other.
static void expect_rows(const nav_mesh *mesh, const nav_portal *a, int a_side, const nav_portal *b,
                        int b_side)
{
    const float *from = a_side == 0 ? a->left : a->right, *to = b_side == 0 ? b->left : b->right;
    const float apart = hypotf(from[0] - to[0], from[1] - to[1]) / mesh->landmark_unit;
    const uint16_t *x =
        nav_landmarks_of(mesh, mesh->portal_turning_vertices[a - mesh->portals][a_side]);
    const uint16_t *y =
        nav_landmarks_of(mesh, mesh->portal_turning_vertices[b - mesh->portals][b_side]);
    for (uint32_t k = 0; k < mesh->landmark_count; ++k) {
        assert_true(fabsf((float)x[k] - (float)y[k]) <= apart + 1.25f);
    }
}

// Links that are as dear as their length end on the edge of each cell, more than a search steps
// through on all sides of at once, and last one in the middle of a dead end. Nothing behind any of
// them is passed by: distances rise no faster than one walks.
static void many_links_end_on_edges(void **state)
{
    (void)state;
    enum {
        WIDE = 24,
        DEEP = 14,
        LINKS = WIDE * DEEP
    };
    static nav_link links[LINKS];
    uint32_t count = 0;
    for (int z = 0; z < DEEP; ++z) {
        for (int x = 0; x + 1 < WIDE; ++x) {
            links[count++] = (nav_link){.start = {(float)x + 0.5f, 0, (float)z + 0.5f},
                                        .end = {(float)(x + 1), 0, (float)z + 0.5f},
                                        .radius = 0.125f,
                                        .area = NAV_AREA_GROUND};
        }
    }
    links[count++] = (nav_link){.start = {5, 0, (float)DEEP - 0.5f},
                                .end = {5, 0, (float)DEEP + 1.5f},
                                .radius = 0.125f,
                                .area = NAV_AREA_GROUND};
    char text[(DEEP + 2) * (WIDE + 1)];
    for (int i = 0; i < (DEEP + 2) * (WIDE + 1); ++i) {
        const int z = i / (WIDE + 1), x = i % (WIDE + 1);
        text[i] = x == WIDE ? '/' : z == DEEP || (z > DEEP && x >= 12) ? '#' : '.';
    }
    text[sizeof text - 1] = '\0';
    nav_config config = nav_config_default();
    config.links = links;
    config.link_count = count;
    nav_mesh *mesh = map_mesh_with(text, &config, NULL);
    assert_int_equal(mesh->stats.links, count);
    add_landmarks(mesh);
    assert_true(mesh->landmark_unit > 0);
    for (uint32_t p = 0; p < mesh->stats.polygons; ++p) {
        for (uint32_t i = mesh->portal_first[p]; i < mesh->portal_first[p + 1]; ++i) {
            for (uint32_t k = mesh->portal_first[p]; k < mesh->portal_first[p + 1]; ++k) {
                for (int sides = 0; sides < 4; ++sides) {
                    expect_rows(mesh, &mesh->portals[i], sides / 2, &mesh->portals[k], sides % 2);
                }
            }
        }
    }
    nav_mesh_release(mesh);
}

// Two polygons that meet in one upright edge only, which is a place in plan view, and `behind` or
// not one more behind them.
static nav_mesh *upright_mesh(bool behind)
{
    const int32_t before[4][3] = {{0, 0, 0}, {0, 0, 8}, {4, 0, 4}, {4, 1, 4}};
    const int32_t after[4][3] = {{4, 1, 4}, {4, 0, 4}, {8, 0, 8}, {8, 0, 0}};
    builder b;
    builder_init(&b);
    builder_polygon(&b, 4, before);
    builder_polygon(&b, 4, after);
    if (behind) {
        builder_rectangle(&b, 8, 0, 12, 8, 0);
    }
    nav_mesh *mesh = builder_mesh(&b);
    builder_free(&b);
    return mesh;
}

// Both of its ends have distances, from either side, though they are different turning vertices.
static void a_portal_of_no_width_has_distances(void **state)
{
    (void)state;
    nav_mesh *small = upright_mesh(false);
    assert_int_equal(small->edge_portal_count, 2);
    add_landmarks(small);
    nav_mesh_release(small);
    nav_mesh *mesh = upright_mesh(true);
    add_landmarks(mesh);
    assert_true(mesh->landmark_unit > 0);
    for (uint32_t i = 0; i < mesh->edge_portal_count; ++i) {
        for (uint32_t k = 0; k < mesh->edge_portal_count; ++k) {
            for (int sides = 0; sides < 4; ++sides) {
                expect_rows(mesh, &mesh->portals[i], sides / 2, &mesh->portals[k], sides % 2);
            }
        }
    }
    nav_scratch *scratch = NULL;
    assert_int_equal(nav_scratch_create(NULL, &scratch), NAV_OK);
    for (int search = 0; search < 2; ++search) {
        const nav_path_request request = {.start = {1, 0, 4},
                                          .end = {11, 0, 4},
                                          .options = nav_options_default(),
                                          .search = search ? NAV_SEARCH_EXACT : NAV_SEARCH_FAST};
        nav_path path;
        assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
        assert_int_equal(path.status, NAV_PATH_COMPLETE);
        assert_near(path.cost, 10, 1e-5);
        assert_true(path.lower_bound <= 10 + 1e-5);
    }
    nav_scratch_destroy(scratch);
    nav_mesh_release(mesh);
}

static bool too_often(void *user)
{
    return ++*(uint32_t *)user > 100000;
}

// Polygons without area, such as no bake makes, around which a node is led without an end: the
// making of landmarks ends by itself.
static void ground_that_leads_in_circles_has_a_budget(void **state)
{
    (void)state;
    static const int32_t polygons[4][3][3] = {{{2, 1, 0}, {0, 0, 1}, {2, 0, 1}},
                                              {{2, 1, 0}, {2, 1, 0}, {0, 0, 1}},
                                              {{2, 0, 1}, {2, 1, 0}, {2, 1, 0}},
                                              {{2, 1, 1}, {0, 0, 1}, {1, 1, 2}}};
    builder b;
    builder_init(&b);
    for (int i = 0; i < 4; ++i) {
        builder_polygon(&b, 3, polygons[i]);
    }
    nav_mesh *mesh = builder_mesh(&b);
    uint32_t asked = 0;
    const nav_bake_hooks hooks = {.user = &asked, .cancelled = too_often};
    nav_arena scratch, result;
    nav_arena_init(&scratch, NULL, 0);
    nav_arena_init(&result, NULL, 0);
    nav_blob blob;
    assert_int_equal(nav_landmarks_make(mesh, &hooks, &scratch, &result, &blob),
                     NAV_TILE_TOO_COMPLEX);
    nav_arena_free(&scratch);
    nav_arena_free(&result);
    nav_mesh_release(mesh);
    builder_free(&b);
}

// ---- bytes and memory ----

typedef struct made {
    nav_arena scratch, result;
    nav_blob blob;
} made;

static void make(made *m, const nav_mesh *mesh)
{
    nav_arena_init(&m->scratch, NULL, 0);
    nav_arena_init(&m->result, NULL, 0);
    assert_int_equal(nav_landmarks_make(mesh, NULL, &m->scratch, &m->result, &m->blob), NAV_OK);
}

static void made_free(made *m)
{
    nav_arena_free(&m->scratch);
    nav_arena_free(&m->result);
}

static void same_mesh_same_bytes(void **state)
{
    (void)state;
    uint64_t seed = 3;
    char text[SIDE * (SIDE + 1)];
    make_text(text, &seed, 25);
    nav_mesh *one = map_mesh(text);
    nav_mesh *two = map_mesh(text);
    made a, b;
    make(&a, one);
    make(&b, two);
    assert_int_equal(a.blob.size_bytes, 32 + 2 * 8 * (size_t)one->turning_vertex_count);
    assert_int_equal(a.blob.size_bytes, b.blob.size_bytes);
    assert_memory_equal(a.blob.bytes, b.blob.bytes, a.blob.size_bytes);
    assert_int_equal(nav_mesh_add_landmarks(two, a.blob, NULL), NAV_OK);
    made_free(&a);
    made_free(&b);
    nav_mesh_release(one);
    nav_mesh_release(two);
}

// A map of so many polygons, with pillars among them.
static nav_mesh *mesh_of(uint32_t polygons)
{
    enum {
        WIDE = 40,
        DEEP = 24
    };
    char text[DEEP * (WIDE + 1)];
    uint32_t count = 0;
    for (int i = 0; i < DEEP * (WIDE + 1); ++i) {
        const int z = i / (WIDE + 1), x = i % (WIDE + 1);
        const bool open = count < polygons && (x % 3 != 1 || z % 3 != 1);
        text[i] = x == WIDE ? '/' : open ? '.' : '#';
        count += text[i] == '.';
    }
    text[sizeof text - 1] = '\0';
    assert_int_equal(count, polygons);
    nav_mesh *mesh = map_mesh(text);
    assert_int_equal(mesh->stats.polygons, polygons);
    return mesh;
}

// From 512 polygons on there are twice as many. Those of one size are none of another.
static void larger_meshes_with_room_have_more(void **state)
{
    (void)state;
    static const struct {
        uint32_t polygons, tile_bytes, landmarks;
    } sizes[] = {{100, 1u << 20, 8},
                 {511, 1u << 20, 8},
                 {512, 1u << 20, 16},
                 {512, 1, 8},
                 {800, 1u << 20, 16}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        nav_mesh *mesh = mesh_of(sizes[i].polygons);
        mesh->tile_bytes = sizes[i].tile_bytes;
        made m;
        make(&m, mesh);
        assert_int_equal(m.blob.size_bytes,
                         32 + 2 * sizes[i].landmarks * (size_t)mesh->turning_vertex_count);
        assert_int_equal(nav_mesh_add_landmarks(mesh, m.blob, NULL), NAV_OK);
        assert_int_equal(mesh->landmark_count, sizes[i].landmarks);
        for (uint32_t k = 0; k < mesh->landmark_count; ++k) {
            uint32_t most = 0;
            for (uint32_t turning_vertex = 0; turning_vertex < mesh->turning_vertex_count;
                 ++turning_vertex) {
                const uint32_t away = nav_landmarks_of(mesh, turning_vertex)[k];
                most = away > most ? away : most;
            }
            assert_true(most > UINT16_MAX / 2); // each lies at an end of the map
        }
        made_free(&m);
        nav_mesh_release(mesh);
    }
}

static void other_bytes_are_refused(void **state)
{
    (void)state;
    nav_mesh *mesh = map_mesh("...../.#.#./.....");
    nav_mesh *other = map_mesh("...../.#.../.....");
    made m;
    make(&m, mesh);
    nav_error err;
    assert_int_equal(nav_mesh_add_landmarks(other, m.blob, &err), NAV_BAD_BLOB);
    _Alignas(8) static uint8_t bytes[4096];
    assert_true(m.blob.size_bytes < sizeof bytes - 1);
    for (size_t i = 0; i < m.blob.size_bytes; ++i) {
        memcpy(bytes, m.blob.bytes, m.blob.size_bytes);
        bytes[i] ^= 0x10;
        const nav_blob damaged = {.bytes = bytes, .size_bytes = m.blob.size_bytes};
        assert_int_equal(nav_mesh_add_landmarks(mesh, damaged, &err), NAV_BAD_BLOB);
        const nav_blob cut = {.bytes = m.blob.bytes, .size_bytes = i};
        assert_int_equal(nav_mesh_add_landmarks(mesh, cut, &err), NAV_BAD_BLOB);
    }
    memcpy(bytes + 1, m.blob.bytes, m.blob.size_bytes);
    const nav_blob askew = {.bytes = bytes + 1, .size_bytes = m.blob.size_bytes};
    assert_int_equal(nav_mesh_add_landmarks(mesh, askew, &err), NAV_BAD_BLOB);
    assert_null(mesh->landmarks);
    assert_int_equal(nav_mesh_add_landmarks(mesh, m.blob, &err), NAV_OK);
    made_free(&m);
    nav_mesh_release(mesh);
    nav_mesh_release(other);
}

static void memory_is_counted_and_given_back(void **state)
{
    (void)state;
    builder b;
    builder_init(&b);
    builder_map(&b, "...../.#.#./.....");
    const nav_blob tile = builder_blob(&b);
    counting counted = {.calls_max = 100};
    const nav_allocator allocator = counting_allocator(&counted);
    nav_mesh *mesh = NULL;
    assert_int_equal(nav_mesh_create(&tile, 1, NULL, &allocator, &mesh, NULL, NULL), NAV_OK);
    made m;
    make(&m, mesh);
    counted.calls_max = counted.calls;
    assert_int_equal(nav_mesh_add_landmarks(mesh, m.blob, NULL), NAV_NO_MEMORY);
    counted.calls_max = 1000;
    assert_int_equal(nav_mesh_add_landmarks(mesh, m.blob, NULL), NAV_OK);
    nav_mesh_stats stats;
    nav_mesh_stats_get(mesh, &stats);
    assert_int_equal(stats.memory_bytes, counted.held_bytes);
    // Each block of the scratch is refused in turn.
    for (size_t limit = 0; limit < m.scratch.peak_bytes; limit += 256) {
        nav_arena scratch;
        nav_arena_init(&scratch, NULL, limit + 1);
        nav_blob blob;
        nav_status status = nav_landmarks_make(mesh, NULL, &scratch, &m.result, &blob);
        assert_true(status == NAV_OK || status == NAV_NO_MEMORY);
        assert_true(limit > 0 || status == NAV_NO_MEMORY);
        nav_arena_free(&scratch);
    }
    nav_mesh_release(mesh);
    assert_int_equal(counted.held_bytes, 0);
    made_free(&m);
    builder_free(&b);
}

static bool at_once(void *user)
{
    (void)user;
    return true;
}

static void making_can_be_cancelled(void **state)
{
    (void)state;
    nav_mesh *mesh = map_mesh("...../.#.#./.....");
    const nav_bake_hooks hooks = {.cancelled = at_once};
    nav_arena scratch, result;
    nav_arena_init(&scratch, NULL, 0);
    nav_arena_init(&result, NULL, 0);
    nav_blob blob;
    assert_int_equal(nav_landmarks_make(mesh, &hooks, &scratch, &result, &blob), NAV_CANCELLED);
    nav_arena_free(&scratch);
    nav_arena_free(&result);
    nav_mesh_release(mesh);
}

// One polygon, no polygon: nothing to measure, and nothing breaks.
static void small_meshes_have_few(void **state)
{
    (void)state;
    static const char *const maps[] = {".", "#", ".#."};
    for (size_t i = 0; i < sizeof maps / sizeof maps[0]; ++i) {
        nav_mesh *mesh = map_mesh(maps[i]);
        add_landmarks(mesh);
        nav_scratch *scratch = NULL;
        assert_int_equal(nav_scratch_create(NULL, &scratch), NAV_OK);
        const nav_path_request request = {
            .start = {0.25f, 0, 0.5f}, .end = {0.75f, 0, 0.5f}, .options = nav_options_default()};
        nav_path path;
        assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
        assert_int_equal(path.status, maps[i][0] == '.' ? NAV_PATH_COMPLETE : NAV_PATH_NONE);
        nav_scratch_destroy(scratch);
        nav_mesh_release(mesh);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_hold_where_all_costs_the_same),
        cmocka_unit_test(bounds_hold_under_any_filter),
        cmocka_unit_test(many_links_end_on_edges),
        cmocka_unit_test(a_portal_of_no_width_has_distances),
        cmocka_unit_test(ground_that_leads_in_circles_has_a_budget),
        cmocka_unit_test(same_mesh_same_bytes),
        cmocka_unit_test(larger_meshes_with_room_have_more),
        cmocka_unit_test(other_bytes_are_refused),
        cmocka_unit_test(memory_is_counted_and_given_back),
        cmocka_unit_test(making_can_be_cancelled),
        cmocka_unit_test(small_meshes_have_few),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
