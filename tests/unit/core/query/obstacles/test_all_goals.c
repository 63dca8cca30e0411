// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_all_goals.c: in random worlds with shapes that block, areas that a filter closes, and states
// with shapes, switches and links at once: every
// cost of a matrix is that of the exact path, and what brute force finds over what the shapes leave
// (visibility_overlay.h); a flood enters each polygon where and when it is first reached.

#include "tests/unit/avoid_world.h"
#include "tests/unit/links_world.h"
#include "tests/unit/visibility_overlay.h"

#define SOURCES 3
#define TARGETS 10
#define LINKS_MAX 4u
// Brute force grows with the square of this.
#define LEFT_PORTALS_MAX 400u

static struct {
    uint32_t cells, none, gaps, paths, dearer, worlds, optimal;
    uint32_t floods, optimal_floods, entered, left_out, entrances;
    uint32_t links, switched; // of states; worlds
} tally;

typedef struct question {
    world *w;
    const nav_mesh *mesh;
    nav_scratch *scratch;
    nav_options options;
    left_ground ground;
    sights truth; // over the ground that is left
    double *from; // of the truth, from the source at hand
} question;

static double slack_of(const question *q, double best)
{
    return 2.5 * 2e-4 * (double)q->w->config.cell_size + 1e-5 * best;
}

static bool begin(question *q, world *w, const nav_mesh *mesh, const nav_options *options)
{
    *q = (question){.w = w, .mesh = mesh, .options = *options};
    left_begin(&q->ground, mesh, &q->options);
    if (q->ground.mesh.edge_portal_count > LEFT_PORTALS_MAX) {
        left_end(&q->ground);
        return false;
    }
    sights_init(&q->truth, &q->ground.mesh, &q->ground.costs, false);
    q->from = calloc(q->truth.count + 1u, sizeof *q->from);
    assert_int_equal(nav_scratch_create(NULL, &q->scratch), NAV_OK);
    return true;
}

static void end(question *q)
{
    nav_scratch_destroy(q->scratch);
    free(q->from);
    sights_free(&q->truth);
    left_end(&q->ground);
}

// False where no way leads to the point: it is off the mesh, or in a shape.
static bool snap(const question *q, const float point[3], sight_node *out, nav_location *at)
{
    bool in_shape;
    const bool found =
        nav_view_snap_end(&q->ground.view, &q->options, point, at, &in_shape) && !in_shape;
    if (found) {
        *out = sight_node_at(at->position, at->polygon);
    }
    return found;
}

// A place to begin at. Who begins in a shape leaves it, which brute force does not know
// (test_ends_random.c).
static void random_start(const question *q, float out[3])
{
    bool in_shape = true;
    nav_location at;
    for (int i = 0; i < 32 && in_shape; ++i) {
        world_random_place(q->w, q->mesh, out);
        nav_view_snap_end(&q->ground.view, &q->options, out, &at, &in_shape);
    }
    for (int axis = 0; axis < 3 && in_shape; ++axis) {
        out[axis] = 1e6f; // there is hardly anything but shapes
    }
}

// ---- matrix ----

// The exact path's cost; INFINITY where there is none, NAN where it is not proven, or leads between
// other places: where polygons meet the same point may be another one's.
static double path_cost(const question *q, const float start[3], const float target[3],
                        const nav_location *a, const nav_location *b)
{
    nav_path_request request = {
        .options = q->options, .no_partial = true, .search = NAV_SEARCH_EXACT};
    nav_path path;
    memcpy(request.start, start, sizeof request.start);
    memcpy(request.end, target, sizeof request.end);
    assert_int_equal(nav_query_path(q->mesh, q->scratch, &request, &path), NAV_OK);
    if (path.status != NAV_PATH_COMPLETE) {
        return HUGE_VAL;
    }
    nav_path_step *steps = calloc(path.corridor_count + 1u, sizeof *steps);
    const uint32_t count = nav_query_path_steps(&path, steps, path.corridor_count + 1u);
    const uint32_t last = count > 0 ? steps[count - 1].polygon : NAV_NONE;
    free(steps);
    const bool same = memcmp(path.start, a->position, sizeof a->position) == 0 &&
                      memcmp(path.end, b->position, sizeof b->position) == 0 &&
                      path.start_polygon == a->polygon && last == b->polygon;
    return same && path.optimal ? path.cost : (double)NAN;
}

static void compare_cell(question *q, const float start[3], const float target[3],
                         const sight_node *from, const nav_location *a, double cost, bool optimal)
{
    nav_location b;
    sight_node goal;
    if (!snap(q, target, &goal, &b)) {
        assert_true(cost == HUGE_VAL);
        return;
    }
    const double best = sights_to(&q->truth, from, q->from, &goal) * (double)q->truth.costs->least;
    assert_int_equal(isfinite(cost), best < HUGE_VAL);
    nav_location named[2] = {*a, b};
    nav_view_name(&q->ground.view, named, 2);
    const double path = path_cost(q, start, target, &named[0], &named[1]);
    if (!isfinite(cost)) {
        // Where a path keeps clear of a shape by a hair, the shape is not cut, and leaves more.
        tally.gaps += isfinite(path);
        ++tally.none;
        return;
    }
    const double slack = slack_of(q, best);
    assert_true(cost >= best - slack);
    assert_true(!optimal || cost <= best + slack);
    ++tally.cells;
    if (isfinite(path)) {
        assert_true(!optimal || fabs(cost - path) <= slack);
        tally.dearer += cost > path + slack;
        ++tally.paths;
    }
}

static void compare_matrix(question *q)
{
    float sources[SOURCES][3], targets[TARGETS][3];
    double costs[SOURCES * TARGETS];
    nav_matrix matrix = {.costs = costs};
    for (int i = 0; i < SOURCES; ++i) {
        random_start(q, sources[i]);
    }
    for (int i = 0; i < TARGETS; ++i) {
        world_random_place(q->w, q->mesh, targets[i]);
    }
    const nav_matrix_request request = {.sources = (const float(*)[3])sources,
                                        .targets = (const float(*)[3])targets,
                                        .source_count = SOURCES,
                                        .target_count = TARGETS,
                                        .options = q->options};
    assert_int_equal(nav_query_matrix(q->mesh, q->scratch, &request, &matrix), NAV_OK);
    assert_int_equal(matrix.reason, NAV_REASON_NULL);
    ++tally.worlds;
    tally.optimal += matrix.optimal;
    for (uint32_t s = 0; s < SOURCES; ++s) {
        nav_location a;
        sight_node from;
        const bool found = snap(q, sources[s], &from, &a);
        if (found) {
            sights_from(&q->truth, &from, q->from);
        }
        for (uint32_t t = 0; t < TARGETS; ++t) {
            const double cost = costs[s * TARGETS + t];
            if (found) {
                compare_cell(q, sources[s], targets[t], &from, &a, cost, matrix.optimal);
            } else {
                assert_true(cost == HUGE_VAL);
            }
        }
    }
}

// ---- flood ----

// No corner of what is left of a polygon is reached at less than `limit`; the entrance, where it
// has one, at its cost.
static void compare_polygon(question *q, const sight_node *start, uint32_t base,
                            const nav_flood_polygon *entered, double limit)
{
    const nav_view *view = &q->ground.view;
    const double step = (double)q->truth.costs->least, slack = slack_of(q, limit);
    double best = HUGE_VAL;
    for (uint32_t p = 0; p < nav_view_polygons(view); ++p) {
        if (nav_view_base(view, p) != base || nav_polygon_cost(view, p) == INFINITY) {
            continue;
        }
        const nav_face face = nav_view_face(view, p);
        for (uint32_t k = 0; k < face.corner_count; ++k) {
            const sight_node corner = sight_node_at(nav_view_vertex_xz(view, face.corners[k]), p);
            assert_true(sights_to(&q->truth, start, q->from, &corner) * step >= limit - slack);
        }
        if (entered != NULL) {
            float x = entered->position[0], z = entered->position[2];
            const sight_node place = sight_node_at(entered->position, p);
            if (nav_view_clamp(view, p, &x, &z) < 1e-6f) {
                best = fmin(best, sights_to(&q->truth, start, q->from, &place) * step);
            }
        }
    }
    if (entered != NULL) {
        assert_true(fabs(best - entered->cost) <= slack);
    }
}

// The exact path to where a polygon is entered costs what the flood says.
static void expect_path_to(const question *q, const float start[3], const nav_location *from,
                           const nav_flood_polygon *entered)
{
    nav_location named = *from, at = {.polygon = entered->polygon};
    memcpy(at.position, entered->position, sizeof at.position);
    nav_view_name(&q->ground.view, &named, 1);
    const double cost = path_cost(q, start, entered->position, &named, &at);
    if (isfinite(cost)) {
        assert_true(fabs(cost - entered->cost) <= slack_of(q, cost));
        ++tally.entrances;
    }
}

static void compare_flood(question *q)
{
    const uint32_t polygon_count = q->mesh->stats.polygons;
    const double max_cost = (double)world_chance(q->w, 0, 40);
    float start[3];
    nav_location a;
    sight_node from;
    nav_flood flood;
    nav_flood_polygon *polygons = calloc(polygon_count, sizeof *polygons);
    const nav_flood_polygon **by_polygon = calloc(polygon_count, sizeof(void *));
    random_start(q, start);
    assert_int_equal(nav_query_flood(q->mesh, q->scratch, start, max_cost, &q->options, polygons,
                                     polygon_count, &flood),
                     NAV_OK);
    const bool found = snap(q, start, &from, &a);
    assert_int_equal(found, flood.found);
    for (uint32_t i = 0; i < flood.count; ++i) {
        assert_null(by_polygon[polygons[i].polygon]); // each is named once
        assert_true(polygons[i].cost <= max_cost);
        by_polygon[polygons[i].polygon] = &polygons[i];
    }
    if (found) {
        sights_from(&q->truth, &from, q->from);
        ++tally.floods;
        tally.optimal_floods += flood.optimal;
        tally.entered += flood.count;
        tally.left_out += polygon_count - flood.count;
    }
    for (uint32_t i = 0; found && flood.optimal && i < polygon_count; ++i) {
        const nav_flood_polygon *entered = by_polygon[i];
        compare_polygon(q, &from, i, entered, entered != NULL ? entered->cost : max_cost);
    }
    for (uint32_t i = 0; flood.optimal && i < flood.count; ++i) {
        expect_path_to(q, start, &a, &polygons[i]);
    }
    free(by_polygon);
    free(polygons);
}

// ---- worlds ----

static void compare_all(world *w, const nav_mesh *mesh, const nav_options *options)
{
    question q;
    if (begin(&q, w, mesh, options)) {
        compare_matrix(&q);
        compare_flood(&q);
        end(&q);
    }
}

static void compare_world(world *w, const nav_filter *filter)
{
    nav_mesh *mesh = world_mesh(w);
    if (mesh != NULL) {
        world_shapes shapes;
        nav_options options = nav_options_default();
        world_add_shapes(w, mesh, &shapes);
        options.filter = filter;
        options.avoid = shapes.list;
        options.avoid_count = shapes.count;
        compare_all(w, mesh, &options);
    }
    nav_mesh_release(mesh);
}

// Switches, links, and some of the shapes are a state's; the other shapes are the question's own,
// and so are the switches in some worlds.
static void in_a_state(world *w)
{
    nav_mesh *mesh = world_mesh_switched(w);
    if (mesh == NULL) {
        return;
    }
    world_shapes shapes;
    nav_link links[LINKS_MAX] = {0};
    nav_overlay *state = NULL;
    nav_scratch *scratch;
    nav_options options = nav_options_default();
    world_add_shapes(w, mesh, &shapes);
    const uint8_t *switches = world_random_state(w, mesh);
    const bool asked = world_one_in(w, 3);
    const nav_overlay_items parts = {.shapes = shapes.list,
                                     .shape_count = random_below(&w->seed, shapes.count + 1),
                                     .links = links,
                                     .link_count = random_below(&w->seed, LINKS_MAX + 1),
                                     .switches = asked ? NULL : switches};
    choose_worst_links(w, mesh, links, (int)parts.link_count);
    assert_int_equal(nav_scratch_create(NULL, &scratch), NAV_OK);
    assert_int_equal(nav_overlay_create(mesh, scratch, NULL, &parts, &state, NULL), NAV_OK);
    options.overlay = state;
    options.switches = asked ? switches : NULL;
    options.avoid = shapes.list + parts.shape_count;
    options.avoid_count = shapes.count - parts.shape_count;
    tally.links += state->links.count;
    tally.switched += mesh->ground_class_count > 0;
    compare_all(w, mesh, &options);
    nav_overlay_release(state);
    nav_scratch_destroy(scratch);
    nav_mesh_release(mesh);
}

static void around_shapes(world *w)
{
    compare_world(w, NULL);
}

static void around_shapes_and_areas(world *w)
{
    world_random_areas(w);
    const nav_filter filter = {.exclude = 1u << (1 + random_below(&w->seed, 3))};
    compare_world(w, &filter);
}

static void print_tally(void)
{
    printf("%u worlds, %u proven; %u costs, %u times none, %u beside paths, %u of them dearer; %u "
           "floods, %u proven, %u polygons entered, %u left out, %u entrances\n",
           tally.worlds, tally.optimal, tally.cells, tally.none, tally.paths, tally.dearer,
           tally.floods, tally.optimal_floods, tally.entered, tally.left_out, tally.entrances);
}

static void costs_around_shapes_are_exact(void **state)
{
    (void)state;
    memset(&tally, 0, sizeof tally);
    for_all_worlds(700, around_shapes);
    print_tally();
    if (getenv("NAV_PROPERTY_WORLDS") == NULL) {
        assert_true(tally.cells > 5000 && tally.none > 2000 && tally.paths > 3000);
        assert_true(tally.entered > 2000 && tally.left_out > 2000 && tally.entrances > 1000);
        assert_true(tally.gaps <= tally.none / 1000);
        // But for ground that folds.
        assert_true(tally.optimal > tally.worlds / 100 * 97);
        assert_true(tally.optimal_floods > tally.floods / 100 * 97);
    }
}

// A node enters a polygon without area along it: a turn around the far end hid that the root, which
// stands at the near end, sees what is behind.
static void a_polygon_without_area_hides_nothing(void **state)
{
    (void)state;
    static const uint64_t worlds[] = {217354};
    for_worlds(worlds, 1, around_shapes);
}

// A start lies beside the end of a portal by the rounding of the portal's other end, which is much
// farther from the origin than the start is.
static void a_start_stands_on_a_portal_by_the_rounding_of_its_ends(void **state)
{
    (void)state;
    static const uint64_t worlds[] = {7002571};
    for_worlds(worlds, 1, around_shapes);
}

static void costs_around_shapes_and_closed_areas_are_exact(void **state)
{
    (void)state;
    memset(&tally, 0, sizeof tally);
    for_all_worlds(300, around_shapes_and_areas);
    print_tally();
    assert_true((tally.cells > 500 && tally.optimal > tally.worlds / 100 * 95) ||
                getenv("NAV_PROPERTY_WORLDS") != NULL);
}

static void costs_in_states_are_exact(void **state)
{
    (void)state;
    memset(&tally, 0, sizeof tally);
    for_all_worlds(300, in_a_state);
    print_tally();
    printf("%u links of states, %u worlds with switches\n", tally.links, tally.switched);
    if (getenv("NAV_PROPERTY_WORLDS") == NULL) {
        assert_true(tally.cells > 500 && tally.none > 500 && tally.paths > 300);
        assert_true(tally.links > 100 && tally.switched > 50);
        assert_true(tally.optimal > tally.worlds / 100 * 90);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(costs_around_shapes_are_exact, name_world),
        cmocka_unit_test_teardown(costs_around_shapes_and_closed_areas_are_exact, name_world),
        cmocka_unit_test_teardown(costs_in_states_are_exact, name_world),
        cmocka_unit_test_teardown(a_polygon_without_area_hides_nothing, name_world),
        cmocka_unit_test_teardown(a_start_stands_on_a_portal_by_the_rounding_of_its_ends,
                                  name_world),
    };
    return cmocka_run_group_tests_name("query_all_goals", tests, NULL, NULL);
}
