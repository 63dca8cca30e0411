// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_state_links.c: links of a state are as good as the mesh's own. In random worlds questions
// are asked of a mesh whose settings have links, and in a state with the same links over a mesh
// that has none of them, or some: whatever is proven costs the same, and the same can be reached.

#include "tests/unit/avoid_world.h"
#include "tests/unit/links_world.h"

#define LINKS_MAX 24
#define PAIRS_A_WORLD 10
#define FLOOD_MAX 4096

static nav_scratch *scratch;
static nav_scratch *other; // for the second answer: paths live in their scratch

static struct {
    uint32_t complete, none, proven, taken, closed, lost;
} tally;

// The same world twice.
typedef struct pair {
    const nav_mesh *linked, *plain;
    const nav_overlay *state; // of plain
    uint32_t own;             // links of plain's settings: the first ones
    nav_options a, b;         // of linked, of plain
    double slack;             // of a cost
} pair;

// ---- the same links ----

// A link of the linked mesh, by its number in the other.
static const nav_placed_link *named(const pair *p, uint32_t link)
{
    const nav_placed_link *placed = nav_overlay_link(p->plain, p->state, link);
    const uint32_t index = placed->config_index + (link < p->plain->stats.links ? 0 : p->own);
    for (uint32_t i = 0; i < p->linked->stats.links; ++i) {
        const nav_placed_link *same = nav_mesh_link(p->linked, i);
        if (same->config_index == index) {
            assert_memory_equal(same->start, placed->start, sizeof same->start);
            assert_memory_equal(same->end, placed->end, sizeof same->end);
            assert_int_equal(same->start_polygon, placed->start_polygon);
            assert_int_equal(same->end_polygon, placed->end_polygon);
            assert_int_equal(same->flags, placed->flags);
            assert_string_equal(same->id, placed->id);
            return same;
        }
    }
    fail_msg("link %u is not laid in the other mesh", index);
    return NULL;
}

// Each is laid in both or in neither.
static void expect_same_links(const pair *p, uint32_t count)
{
    uint32_t lost = 0;
    const uint32_t *off_mesh = nav_overlay_links_off_mesh(p->state, &lost);
    assert_int_equal(p->linked->stats.links + lost + (p->own - p->plain->stats.links), count);
    for (uint32_t i = 0; i < p->linked->stats.links; ++i) {
        (void)named(p, i);
    }
    for (uint32_t i = 0; i < lost; ++i) {
        assert_true(i == 0 || off_mesh[i - 1] < off_mesh[i]);
        for (uint32_t k = 0; k < p->linked->stats.links; ++k) {
            assert_int_not_equal(nav_mesh_link(p->linked, k)->config_index, off_mesh[i] + p->own);
        }
    }
    tally.lost += lost;
}

// ---- the same answers ----

static void expect_near(const pair *p, double a, double b)
{
    if (fabs(a - b) > p->slack + 1e-5 * fabs(a)) {
        fail_msg("%.9g and %.9g", a, b);
    }
}

static void count_links(const pair *p, const nav_path *path)
{
    nav_path_step *steps = calloc(path->corridor_count + 1u, sizeof *steps);
    const uint32_t count = nav_query_path_steps(path, steps, path->corridor_count + 1u);
    for (uint32_t i = 0; i < count; ++i) {
        if (steps[i].link != NAV_NONE) {
            assert_non_null(named(p, steps[i].link));
            tally.taken += steps[i].link >= p->plain->stats.links;
        }
    }
    free(steps);
}

static void compare_paths(const pair *p, nav_path_request *one)
{
    nav_path_request two = *one;
    nav_path a, b;
    one->options = p->a;
    two.options = p->b;
    assert_int_equal(nav_query_path(p->linked, scratch, one, &a), NAV_OK);
    assert_int_equal(nav_query_path(p->plain, other, &two, &b), NAV_OK);
    assert_int_equal(a.status, b.status);
    assert_int_equal(a.reason, b.reason);
    if (a.status == NAV_PATH_COMPLETE) {
        // No bound is above a path that there is.
        assert_true(a.lower_bound <= b.cost + p->slack + 1e-5 * b.cost);
        assert_true(b.lower_bound <= a.cost + p->slack + 1e-5 * a.cost);
        if (one->search == NAV_SEARCH_EXACT && a.optimal) {
            assert_true(b.optimal || b.folded);
        }
        if (a.optimal && b.optimal) {
            expect_near(p, a.cost, b.cost);
        }
        tally.proven += a.optimal && b.optimal;
        count_links(p, &b);
    }
    tally.complete += a.status == NAV_PATH_COMPLETE;
    tally.none += a.status != NAV_PATH_COMPLETE;
}

static void compare_matrices(const pair *p, const float (*points)[3], uint32_t count)
{
    double costs[2][16];
    nav_matrix out[2] = {{.costs = costs[0]}, {.costs = costs[1]}};
    assert_true(count * count <= 16);
    for (int side = 0; side < 2; ++side) {
        const nav_matrix_request request = {.sources = points,
                                            .targets = points,
                                            .source_count = count,
                                            .target_count = count,
                                            .options = side ? p->b : p->a};
        assert_int_equal(nav_query_matrix(side ? p->plain : p->linked, side ? other : scratch,
                                          &request, &out[side]),
                         NAV_OK);
    }
    for (uint32_t i = 0; i < count * count; ++i) {
        assert_int_equal(costs[0][i] < HUGE_VAL, costs[1][i] < HUGE_VAL);
        if (costs[0][i] < HUGE_VAL && out[0].optimal && out[1].optimal) {
            expect_near(p, costs[0][i], costs[1][i]);
        }
    }
}

static int compare_numbers(const void *left, const void *right)
{
    const nav_flood_polygon *a = left, *b = right;
    return (a->polygon > b->polygon) - (a->polygon < b->polygon);
}

static void compare_floods(const pair *p, const float start[3])
{
    static nav_flood_polygon lists[2][FLOOD_MAX];
    nav_flood out[2];
    for (int side = 0; side < 2; ++side) {
        assert_int_equal(nav_query_flood(side ? p->plain : p->linked, side ? other : scratch, start,
                                         (double)INFINITY, side ? &p->b : &p->a, lists[side],
                                         FLOOD_MAX, &out[side]),
                         NAV_OK);
        qsort(lists[side], out[side].count, sizeof *lists[side], compare_numbers);
    }
    assert_int_equal(out[0].count, out[1].count);
    for (uint32_t i = 0; i < out[0].count; ++i) {
        assert_int_equal(lists[0][i].polygon, lists[1][i].polygon);
        if (out[0].optimal && out[1].optimal) {
            expect_near(p, lists[0][i].cost, lists[1][i].cost);
        }
    }
}

static void compare_reach(const pair *p, const float start[3], const float (*points)[3],
                          uint32_t count)
{
    bool reached[2][16];
    nav_location places[2][8];
    uint32_t found[2];
    assert_true(count <= 16);
    memset(places, 0, sizeof places);
    for (int side = 0; side < 2; ++side) {
        const nav_mesh *mesh = side ? p->plain : p->linked;
        const nav_options *options = side ? &p->b : &p->a;
        nav_scratch *with = side ? other : scratch;
        assert_int_equal(
            nav_query_reachable(mesh, with, start, options, points, count, reached[side]), NAV_OK);
        assert_int_equal(nav_query_nearest_reachable(mesh, with, points[0], start, options,
                                                     places[side], 8, &found[side]),
                         NAV_OK);
    }
    assert_memory_equal(reached[0], reached[1], count * sizeof reached[0][0]);
    assert_int_equal(found[0], found[1]);
    for (uint32_t i = 0; i < found[0]; ++i) {
        assert_memory_equal(places[0][i].position, places[1][i].position,
                            sizeof places[0][i].position);
    }
}

static void compare_answers(world *w, const pair *p)
{
    float points[4][3];
    for (int i = 0; i < 4; ++i) {
        world_random_place(w, p->plain, points[i]);
    }
    for (int i = 0; i < PAIRS_A_WORLD; ++i) {
        nav_path_request request = {.no_partial = world_one_in(w, 2)};
        world_random_place(w, p->plain, request.start);
        world_random_place(w, p->plain, request.end);
        const uint32_t search = random_below(&w->seed, 4);
        request.search = search == 0   ? NAV_SEARCH_FAST
                         : search == 1 ? NAV_SEARCH_AUTO
                                       : NAV_SEARCH_EXACT;
        compare_paths(p, &request);
    }
    compare_matrices(p, (const float(*)[3])points, 4);
    compare_floods(p, points[0]);
    compare_reach(p, points[0], (const float(*)[3])points, 4);
}

// ---- worlds ----

static nav_mesh *bake_with(world *w, const nav_link *links, uint32_t count, bool landmarks)
{
    nav_config config = w->config;
    config.links = links;
    config.link_count = count;
    nav_mesh *mesh = world_bake(w, &config);
    if (mesh != NULL && landmarks) {
        world_add_landmarks(mesh);
    }
    return mesh;
}

static void name_links(world *w, nav_link *links, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) {
        snprintf(links[i].id, sizeof links[i].id, "link-%u", i);
        links[i].area = world_one_in(w, 4) && w->config.area_count > 2 ? 2 : NAV_AREA_GROUND;
        if (world_one_in(w, 16)) {
            links[i].end[1] += 100; // nothing is there
        }
    }
}

static void ask_in_both(world *w, pair *p, const nav_link *links, uint32_t count, bool closes)
{
    world_shapes shapes = {.count = 0};
    const nav_filter filter = {.exclude = closes ? 1u << (2 + random_below(&w->seed, 2)) : 0};
    nav_mesh *mesh = nav_mesh_acquire((nav_mesh *)(uintptr_t)p->plain);
    if (world_one_in(w, 2)) {
        world_add_shapes(w, p->plain, &shapes);
    }
    const nav_overlay_items parts = {.shapes = shapes.list,
                                     .shape_count = shapes.count,
                                     .links = links + p->own,
                                     .link_count = count - p->own};
    nav_overlay *empty = NULL, *state = NULL;
    const nav_overlay_items none = {.links = links, .link_count = count / 2};
    assert_int_equal(nav_links_check(mesh, parts.links, parts.link_count, NULL), NAV_OK);
    assert_int_equal(nav_overlay_create(mesh, scratch, NULL, &none, &empty, NULL), NAV_OK);
    assert_int_equal(nav_overlay_create(mesh, scratch, empty, &parts, &state, NULL), NAV_OK);
    nav_overlay_release(empty);
    p->state = state;
    p->a = p->b = nav_options_default();
    p->a.filter = p->b.filter = closes ? &filter : NULL;
    p->a.avoid = shapes.list;
    p->a.avoid_count = shapes.count;
    p->b.overlay = state;
    if (shapes.count == 0) {
        expect_same_links(p, count);
    } else if (world_one_in(w, 3)) {
        // Some of the shapes are the question's own.
        const nav_overlay_items half = {.shapes = shapes.list,
                                        .shape_count = shapes.count / 2,
                                        .links = parts.links,
                                        .link_count = parts.link_count};
        nav_overlay *part = NULL;
        assert_int_equal(nav_overlay_create(mesh, scratch, state, &half, &part, NULL), NAV_OK);
        nav_overlay_release(state);
        p->state = p->b.overlay = state = part;
        p->b.avoid = shapes.list + half.shape_count;
        p->b.avoid_count = shapes.count - half.shape_count;
    }
    tally.closed += closes;
    compare_answers(w, p);
    nav_overlay_release(state);
    nav_mesh_release(mesh);
}

static void links_of_a_world(world *w)
{
    nav_link links[LINKS_MAX] = {0};
    const bool closes = world_one_in(w, 4);
    if (closes) {
        world_random_areas(w);
    }
    world_simplify(w);
    const bool landmarks = world_one_in(w, 2);
    nav_mesh *mesh = bake_with(w, NULL, 0, false);
    if (mesh == NULL || mesh->stats.polygons == 0 || mesh->stats.polygons > FLOOD_MAX) {
        nav_mesh_release(mesh);
        return;
    }
    const uint32_t count = 1 + random_below(&w->seed, world_one_in(w, 2) ? 3 : LINKS_MAX);
    choose_worst_links(w, mesh, links, (int)count);
    name_links(w, links, count);
    nav_mesh_release(mesh);
    pair p = {.own = world_one_in(w, 2) ? 0 : random_below(&w->seed, count)};
    nav_mesh *linked = bake_with(w, links, count, landmarks);
    nav_mesh *plain = bake_with(w, links, p.own, landmarks);
    p.linked = linked;
    p.plain = plain;
    p.slack = 4e-4 * (double)w->config.cell_size * (double)linked->costs.least;
    ask_in_both(w, &p, links, count, closes);
    nav_mesh_release(linked);
    nav_mesh_release(plain);
}

static void answers_are_those_of_the_mesh(void **state)
{
    (void)state;
    memset(&tally, 0, sizeof tally);
    assert_int_equal(nav_scratch_create(NULL, &scratch), NAV_OK);
    assert_int_equal(nav_scratch_create(NULL, &other), NAV_OK);
    for_all_worlds(600, links_of_a_world);
    nav_scratch_destroy(scratch);
    nav_scratch_destroy(other);
    printf("%u paths, %u proven, %u times none; %u links of a state taken, %u not laid, %u worlds "
           "closed\n",
           tally.complete, tally.proven, tally.none, tally.taken, tally.lost, tally.closed);
    if (getenv("NAV_PROPERTY_WORLDS") == NULL) {
        assert_true(tally.complete > 2000);
        assert_true(tally.proven > 1000);
        assert_true(tally.taken > 500);
        assert_true(tally.lost > 50);
        assert_true(tally.closed > 50);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(answers_are_those_of_the_mesh, name_world),
    };
    return cmocka_run_group_tests_name("query_state_links", tests, NULL, NULL);
}
