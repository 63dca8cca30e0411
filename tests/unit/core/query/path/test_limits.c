// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_limits.c: paths that may cost or be long only so much, or end near the goal. In random
// worlds, against brute force (visibility.h): a path within the limits is found where there is one,
// else it is proven that there is none; what is answered then is the beginning of the path to the
// goal.

#include "tests/unit/avoid_world.h"

#define PAIRS_A_WORLD 12

static struct {
    uint32_t complete, partial, none, proven, radius, radius_optimal, elsewhere, lost, expanded,
        expanded_limited;
} tally;

typedef struct question {
    const nav_mesh *mesh;
    nav_scratch *scratch;
    sights *truth;
    nav_path_request request;
    nav_location start, end;
    double step, slack;
    double best;         // by brute force
    double cost, length; // of the path without limits
    float (*points)[3];  // the same
    uint32_t point_count;
    bool is_optimal;
    uint32_t expanded;
} question;

static nav_path ask(const question *q, const nav_path_request *request)
{
    nav_path path;
    assert_int_equal(nav_query_path(q->mesh, q->scratch, request, &path), NAV_OK);
    assert_true(path.lower_bound <= q->best * (1 + 1e-6) + q->slack);
    return path;
}

static double distance(const float *a, const float *b)
{
    return hypot((double)a[0] - (double)b[0], (double)a[2] - (double)b[2]);
}

// All points but the last are those of the whole path, and the last lies between two of them.
static void expect_beginning(const question *q, const nav_path *path)
{
    const uint32_t last = path->point_count - 1;
    assert_true(path->point_count > 0 && path->point_count <= q->point_count);
    for (uint32_t i = 0; i < last; ++i) {
        assert_memory_equal(path->points + 3 * (size_t)i, q->points[i], sizeof q->points[i]);
    }
    const float *at = path->points + 3 * (size_t)last;
    const float *a = q->points[last > 0 ? last - 1 : 0], *b = q->points[last];
    assert_true(distance(a, at) + distance(at, b) <= distance(a, b) + 1e-4);
}

static void expect_beyond(const question *q, const nav_path *path, nav_path_reason reason)
{
    assert_int_equal(path->status, NAV_PATH_PARTIAL);
    assert_int_equal(path->reason, reason);
    assert_false(path->optimal);
    expect_beginning(q, path);
    // Something is left off.
    const size_t last = path->point_count - 1;
    assert_false(path->point_count == q->point_count &&
                 memcmp(path->points + 3 * last, q->points[last], sizeof q->points[last]) == 0);
    ++tally.partial;
}

static void try_max_cost(question *q, double max_cost)
{
    nav_path_request request = q->request;
    request.max_cost = max_cost;
    nav_path path = ask(q, &request);
    const bool within = path.status == NAV_PATH_COMPLETE;
    if (within) {
        assert_true(fmin(path.cost, path.lower_bound) <= max_cost);
        assert_true(fabs(path.cost - q->cost) <= 1e-6 * q->cost);
        ++tally.complete;
    } else {
        assert_true(q->cost > max_cost * (1 - 2e-6));
        assert_true(path.cost <= max_cost * (1 + 1e-9));
        assert_true(q->mesh->arc_count > 0 || path.cost >= max_cost * (1 - 1e-4) - 1e-4);
        expect_beyond(q, &path, NAV_REASON_MAX_COST);
    }
    request.no_partial = true;
    path = ask(q, &request);
    const bool is_same = (path.status == NAV_PATH_COMPLETE) == within;
    // A search that leaves out what is too far away may find what the fast one misses else.
    assert_true(is_same || (!within && q->request.search == NAV_SEARCH_FAST));
    if (path.status == NAV_PATH_NONE) {
        assert_int_equal(path.reason, NAV_REASON_MAX_COST);
        assert_true(path.points == NULL && path.point_count + path.corridor_count == 0);
        assert_false(q->is_optimal && path.lower_bound <= max_cost);
        tally.proven += path.lower_bound > max_cost;
        ++tally.none;
        tally.expanded += q->expanded;
        tally.expanded_limited += path.nodes_expanded;
    }
}

static void try_max_length(question *q, double max_length)
{
    nav_path_request request = q->request;
    request.max_length = max_length;
    nav_path path = ask(q, &request);
    const bool within = path.status == NAV_PATH_COMPLETE;
    assert_int_equal(within, q->length <= max_length);
    if (!within) {
        assert_true(path.length <= max_length);
        expect_beyond(q, &path, NAV_REASON_MAX_LENGTH);
    }
    request.no_partial = true;
    path = ask(q, &request);
    const bool found = path.status == NAV_PATH_COMPLETE;
    // Likewise; and of two paths that cost the same each search may find the other, up hill and
    // down dale.
    const bool is_close = fabs(max_length - q->length) < 1e-3 * q->length;
    assert_true(found == within || (found && (is_close || q->request.search == NAV_SEARCH_FAST)));
    assert_int_equal(path.reason, found ? NAV_REASON_NULL : NAV_REASON_MAX_LENGTH);
    assert_true(path.length <= max_length);
}

// A search may have added up more than its path costs: the path is beyond a limit only where
// something has to be left off.
static void try_last_bits(question *q)
{
    nav_path_request request = q->request;
    request.max_cost = nextafter(q->cost, 0.0);
    nav_path path = ask(q, &request);
    if (path.status != NAV_PATH_COMPLETE) {
        expect_beyond(q, &path, NAV_REASON_MAX_COST);
    }
    request.max_cost = 0.0;
    request.max_length = nextafter(q->length, 0.0);
    path = ask(q, &request);
    if (path.status != NAV_PATH_COMPLETE) {
        expect_beyond(q, &path, NAV_REASON_MAX_LENGTH);
    }
}

// The path ends where the goal is no farther than the radius, and no path that does costs less.
static void try_radius(question *q, float radius)
{
    nav_path_request request = q->request;
    request.goal_radius = radius;
    const nav_path path = ask(q, &request);
    const double left_off = (double)radius * q->step;
    assert_int_equal(path.status, NAV_PATH_COMPLETE);
    assert_int_equal(path.reason, NAV_REASON_NULL);
    expect_beginning(q, &path);
    assert_true(path.cost >= fmax(0.0, q->cost - left_off) - q->slack);
    assert_true(path.lower_bound <= fmax(0.0, q->best - left_off) * (1 + 1e-6) + q->slack);
    assert_true(!path.optimal || path.cost <= fmax(0.0, q->best - left_off) + q->slack);
    assert_false(path.optimal && path.folded);
    // Without a link on its last steps no more is left to walk, and the proof stays.
    if (q->mesh->arc_count == 0) {
        assert_true(path.cost <= fmax(0.0, q->cost - left_off) + q->slack);
    }
    ++tally.radius;
    tally.radius_optimal += path.optimal;
    // The rest is a walk of that length at most.
    nav_path_request rest = {.options = q->request.options, .goal_radius = 0.0f};
    rest.options.snap = (nav_snap){1e-3f, 0.2f, 0.2f};
    memcpy(rest.start, path.points + 3 * (size_t)(path.point_count - 1), sizeof rest.start);
    memcpy(rest.end, q->end.position, sizeof rest.end);
    const double cost = path.cost;
    nav_path walk;
    assert_int_equal(nav_query_path(q->mesh, q->scratch, &rest, &walk), NAV_OK);
    // The question begins in one of the polygons that meet in the stop, which may not hang
    // together.
    tally.elsewhere +=
        walk.status != NAV_PATH_COMPLETE || walk.cost > left_off + q->slack + 4e-3 * q->step;
    // Limits are held against what is left of it.
    request.max_cost = cost * (1 + 2e-6) + 1e-9;
    request.no_partial = true;
    assert_int_equal(ask(q, &request).status, NAV_PATH_COMPLETE);
    if (cost > 0.01 && q->request.search != NAV_SEARCH_FAST) {
        request.max_cost = cost * 0.99;
        assert_int_equal(ask(q, &request).status, NAV_PATH_NONE);
    }
}

static void try_pair(question *q, world *w)
{
    const nav_reach open = {.component = NAV_NONE, .ground = nav_costs_table(q->truth->costs)};
    if (nav_query_snap(q->mesh, q->request.start, nav_snap_default(), open, &q->start, 1) == 0 ||
        nav_query_snap(q->mesh, q->request.end, nav_snap_default(), open, &q->end, 1) == 0) {
        return;
    }
    double *from = calloc(q->truth->count + 1u, sizeof *from);
    const sight_node start = sight_node_at(q->start.position, q->start.polygon);
    const sight_node end = sight_node_at(q->end.position, q->end.polygon);
    sights_from(q->truth, &start, from);
    q->best = sights_to(q->truth, &start, from, &end) * q->step;
    free(from);
    q->slack =
        q->step * 2e-4 * (double)w->config.cell_size + 1e-5 * (q->best < HUGE_VAL ? q->best : 0.0);
    const nav_path whole = ask(q, &q->request);
    if (whole.status != NAV_PATH_COMPLETE || whole.cost == 0.0) {
        return;
    }
    q->cost = whole.cost;
    q->length = whole.length;
    q->is_optimal = whole.optimal;
    q->expanded = whole.nodes_expanded;
    q->point_count = whole.point_count;
    q->points = calloc(whole.point_count, sizeof *q->points);
    memcpy(q->points, whole.points, whole.point_count * sizeof *q->points);
    static const double parts[] = {0.2, 0.7, 0.999, 1.0, 1.001, 2.0};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; ++i) {
        try_max_cost(q, parts[i] * whole.cost);
        try_max_length(q, parts[i] * whole.length);
    }
    try_last_bits(q);
    if (whole.folded) {
        try_radius(q, (float)whole.cost + 1.0f);
    }
    try_radius(q, world_chance(w, 0.01f, 3.0f));
    try_radius(q, world_chance(w, 0.01f, 40.0f));
    free(q->points);
}

static void limits_hold(world *w)
{
    nav_mesh *mesh = world_mesh(w);
    if (mesh == NULL) {
        return;
    }
    const nav_filter everything = {0};
    nav_costs costs = {0};
    nav_costs_resolve(mesh, &everything, NULL, &costs);
    sights truth;
    sights_init(&truth, mesh, &costs, false);
    question q = {.mesh = mesh, .truth = &truth, .step = (double)costs.least};
    assert_int_equal(nav_scratch_create(NULL, &q.scratch), NAV_OK);
    for (int i = 0; i < PAIRS_A_WORLD; ++i) {
        q.request = (nav_path_request){.options = nav_options_default()};
        q.request.search = i % 3 == 0 ? NAV_SEARCH_FAST : NAV_SEARCH_AUTO;
        world_random_place(w, mesh, q.request.start);
        world_random_place(w, mesh, q.request.end);
        try_pair(&q, w);
    }
    nav_scratch_destroy(q.scratch);
    sights_free(&truth);
    nav_mesh_release(mesh);
}

static void limits_hold_in_all_worlds(void **state)
{
    (void)state;
    memset(&tally, 0, sizeof tally);
    for_all_worlds(600, limits_hold);
    printf("%u within max_cost, %u up to a limit; %u none, %u of them proven, %u nodes where %u "
           "lead to the goal; %u ended near the goal, %u of them proven, %u elsewhere\n",
           tally.complete, tally.partial, tally.none, tally.proven, tally.expanded_limited,
           tally.expanded, tally.radius, tally.radius_optimal, tally.elsewhere);
    assert_true(1000 * tally.elsewhere <= tally.radius);
    if (getenv("NAV_PROPERTY_WORLDS") == NULL) {
        assert_true(tally.complete > 5000 && tally.none > 5000 && tally.proven > 3000);
        assert_true(tally.radius_optimal > 1000);
        assert_true(tally.expanded_limited < tally.expanded);
    }
}

// The search's own lengths are rounded: a path that costs just as much as it may was left out.
static void limits_let_through_what_is_as_dear(void **state)
{
    (void)state;
    static const uint64_t numbers[] = {7017, 11099};
    memset(&tally, 0, sizeof tally);
    for_worlds(numbers, sizeof numbers / sizeof numbers[0], limits_hold);
    assert_true(tally.complete > 0);
}

// ---- several costs, and shapes ----

// Without brute force: no bound is above the cost of a path that is known, and no path within a
// limit is lost.
static void try_known(const nav_mesh *mesh, nav_scratch *scratch, nav_path_request request,
                      double part)
{
    nav_path path;
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
    // The point in which it stops within the radius is rounded.
    const double cost = path.cost, length = path.length, rounded = cost * (1 + 1e-6) + 2e-5;
    if (path.status != NAV_PATH_COMPLETE || cost == 0.0) {
        return;
    }
    request.no_partial = true;
    request.max_cost = part * cost;
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
    assert_true(path.lower_bound <= rounded);
    assert_true(path.cost <= request.max_cost * (1 + 1e-6));
    tally.complete += path.status == NAV_PATH_COMPLETE;
    tally.none += path.status == NAV_PATH_NONE;
    tally.proven += path.status == NAV_PATH_NONE && path.lower_bound > request.max_cost;
    tally.lost += path.status == NAV_PATH_NONE && part > 1.0;
    request.max_cost = 0.0;
    request.max_length = part * length;
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
    assert_true(path.lower_bound <= rounded);
    assert_true(path.length <= request.max_length);
    tally.lost += path.status == NAV_PATH_NONE && part > 1.0;
}

static void limits_hold_where_costs_differ(world *w)
{
    static const double parts[] = {0.3, 0.9, 1.001, 1.5};
    world_simplify(w);
    world_random_areas(w);
    for (int i = 1; i < 4; ++i) {
        w->areas[i].cost = world_chance(w, 0.5f, 5.0f);
    }
    nav_mesh *mesh = world_mesh_priced(w);
    if (mesh == NULL) {
        return;
    }
    world_shapes shapes;
    world_add_shapes(w, mesh, &shapes);
    for (uint32_t i = 0; i < shapes.count; ++i) {
        shapes.list[i].blocked = world_one_in(w, 2);
        shapes.list[i].cost = world_one_in(w, 4) ? 0.5f : world_chance(w, 1, 6);
    }
    nav_scratch *scratch;
    assert_int_equal(nav_scratch_create(NULL, &scratch), NAV_OK);
    for (int i = 0; i < PAIRS_A_WORLD; ++i) {
        nav_path_request request = {.options = nav_options_default()};
        request.options.avoid = shapes.list;
        request.options.avoid_count = i % 2 == 0 ? shapes.count : 0;
        request.search = i % 3 == 0 ? NAV_SEARCH_FAST : NAV_SEARCH_AUTO;
        request.goal_radius = i % 4 == 0 ? world_chance(w, 0, 4) : 0.0f;
        world_random_place(w, mesh, request.start);
        world_random_place(w, mesh, request.end);
        for (size_t k = 0; k < sizeof parts / sizeof parts[0]; ++k) {
            try_known(mesh, scratch, request, parts[k]);
        }
    }
    nav_scratch_destroy(scratch);
    nav_mesh_release(mesh);
}

static void limits_hold_over_several_costs(void **state)
{
    (void)state;
    memset(&tally, 0, sizeof tally);
    for_all_worlds(600, limits_hold_where_costs_differ);
    printf("%u within max_cost, %u lost; %u none, %u of them proven\n", tally.complete, tally.lost,
           tally.none, tally.proven);
    assert_true(1000 * tally.lost <= tally.complete);
    if (getenv("NAV_PROPERTY_WORLDS") == NULL) {
        assert_true(tally.complete > 3000 && tally.none > 3000 && tally.proven > 1000);
    }
}

// ---- by hand ----

static nav_path ask_row(const nav_mesh *mesh, nav_scratch *scratch, nav_path_request request)
{
    request.options = nav_options_default();
    nav_path path;
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
    return path;
}

static nav_mesh *row_with_link(float cost)
{
    nav_link link = {.start = {9, 0, 5},
                     .end = {21, 0, 5},
                     .radius = 1,
                     .area = NAV_AREA_GROUND,
                     .has_cost = true,
                     .cost = cost};
    world *w = calloc(1, sizeof *w);
    w->config = nav_config_default();
    w->config.links = &link;
    w->config.link_count = 1;
    w->config.region_min_size = 0;
    w->geometry = (nav_geometry){
        .vertices = w->vertices, .triangles = w->indices, .triangle_areas = w->triangle_areas};
    w->side_cells = 100;
    const float scale = w->config.cell_size;
    world_ramp(w, 0, 0, 10 / scale, 10 / scale, 0, 0);
    world_ramp(w, 20 / scale, 0, 30 / scale, 10 / scale, 0, 0);
    memset(w->triangle_areas, NAV_AREA_GROUND, w->geometry.triangle_count);
    nav_mesh *mesh = world_bake(w, &w->config);
    free(w);
    return mesh;
}

// A link is taken whole, or not at all; and it is no step that a radius leaves off.
static void links_are_not_divided(void **state)
{
    (void)state;
    nav_mesh *mesh = row_with_link(7);
    nav_scratch *scratch;
    assert_int_equal(nav_scratch_create(NULL, &scratch), NAV_OK);
    const nav_path_request across = {.start = {5, 0, 5}, .end = {25, 0, 5}};
    nav_path path = ask_row(mesh, scratch, across);
    assert_int_equal(path.status, NAV_PATH_COMPLETE);
    assert_int_equal(path.point_count, 4);
    assert_true(fabs(path.cost - (4 + 7 + 4)) < 1e-3 && fabs(path.length - 20) < 1e-3);
    nav_path_request request = across;
    request.max_cost = 10;
    path = ask_row(mesh, scratch, request);
    assert_int_equal(path.reason, NAV_REASON_MAX_COST);
    assert_int_equal(path.point_count, 2);
    assert_true(path.points[3] == 9.0f && fabs(path.cost - 4) < 1e-3);
    request.max_cost = 12;
    path = ask_row(mesh, scratch, request);
    assert_int_equal(path.point_count, 4);
    assert_true(fabs((double)path.points[9] - 22) < 1e-3 && fabs(path.length - 17) < 1e-3);
    request = across;
    request.max_length = 15; // the link's own is 12
    path = ask_row(mesh, scratch, request);
    assert_int_equal(path.reason, NAV_REASON_MAX_LENGTH);
    assert_int_equal(path.point_count, 2);
    request = across;
    request.goal_radius = 3;
    path = ask_row(mesh, scratch, request);
    assert_true(path.status == NAV_PATH_COMPLETE && path.optimal);
    assert_true(fabs(path.cost - 12) < 1e-3 && fabs((double)path.points[9] - 22) < 1e-3);
    request.goal_radius = 9;
    path = ask_row(mesh, scratch, request);
    assert_int_equal(path.status, NAV_PATH_COMPLETE);
    assert_int_equal(path.point_count, 3);
    assert_true(path.points[6] == 21.0f && fabs(path.cost - 11) < 1e-3 && !path.optimal);
    nav_scratch_destroy(scratch);
    nav_mesh_release(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(limits_hold_in_all_worlds, name_world),
        cmocka_unit_test_teardown(limits_let_through_what_is_as_dear, name_world),
        cmocka_unit_test_teardown(limits_hold_over_several_costs, name_world),
        cmocka_unit_test(links_are_not_divided),
    };
    return cmocka_run_group_tests_name("query_limits", tests, NULL, NULL);
}
