// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_answers.c: in random worlds of several costs, with links, closed areas and shapes to
// avoid, in tiles or not: a path's cost is that of its points, walked once more at the cheaper side
// of each edge (path_truth.h); its details begin where they say, and cost as much in sum; its bound
// is no greater, and it is the best where both are the same.

#include "tests/unit/avoid_world.h"
#include "tests/unit/path_truth.h"

#define PAIRS_A_WORLD 16
#define STEPS_MAX 8192u

static nav_scratch *scratch;
static nav_path_step steps[STEPS_MAX];
static bool is_link[2 * STEPS_MAX]; // by point: a link leads from there to the next

static struct {
    uint32_t paths, off, thin, links, shapes, borders, bends, optimal, shortened;
} tally;

// Costs by chance, in one world of three a road that is cheaper than all else.
static void price_world(world *w)
{
    static const float prices[] = {1.0f, 1.5f, 2.0f, 4.0f, 9.0f};
    world_simplify(w);
    world_random_areas(w);
    for (int i = 1; i < 4; ++i) {
        w->areas[i].cost = prices[random_below(&w->seed, 5)];
    }
    if (world_one_in(w, 3)) {
        w->areas[3].cost = 0.4f;
    }
}

// ---- the cost of the points ----

static double coordinates_of(const nav_path *path)
{
    double most = 0.0;
    for (uint32_t i = 0; i < path->point_count; ++i) {
        const float *p = path->points + 3 * (size_t)i;
        most = fmax(most, fabs((double)p[0]) + fabs((double)p[2]));
    }
    return most;
}

static double cost_of_points(const nav_path *path, const nav_view *view, uint32_t end_polygon,
                             double tolerance, bool *thin)
{
    path_truth truth;
    truth_init(&truth, view, tolerance);
    const double cost = truth_cost(&truth, path, end_polygon, is_link);
    *thin = truth.thin;
    truth_free(&truth);
    return cost;
}

// Over what is as narrow as it can be so that the points are on it, or a good deal wider: a line
// may leave an edge so slowly that only the tolerance says whether it is along it. Where there are
// polygons without area, or where the tolerance decides, the two may not agree: that is rare.
static void compare_cost_of_points(const nav_path *path, const nav_view *view, uint32_t end_polygon)
{
    const double coordinates = 0.1 + coordinates_of(path);
    double most = HUGE_VAL;
    bool thin = false;
    for (double tolerance = 1e-8; tolerance < 1e-5 && most == HUGE_VAL; tolerance *= 3.0) {
        most = cost_of_points(path, view, end_polygon, tolerance * coordinates, &thin);
    }
    const double least = cost_of_points(path, view, end_polygon, 5e-6 * coordinates, &thin);
    const double slack = 3e-4 + 3e-5 * path->cost + 5e-5 * path->point_count;
    tally.thin += thin;
    if (!thin && !(path->cost <= most + slack && path->cost >= least - slack)) {
        printf("world %llu: costs %.9g, its points %.9g to %.9g\n",
               (unsigned long long)world_number, path->cost, least, most);
        ++tally.off;
    }
}

// ---- details ----

static spot spot_at(const nav_path *path, uint32_t i)
{
    const float *p = path->points + 3 * (size_t)i;
    return (spot){(double)p[0], (double)p[2]};
}

// How far a portal lies from the line from point i on, but for so much of its end.
static double portal_to_line(const nav_path *path, uint32_t i, const nav_portal *portal,
                             double very_end)
{
    const spot a = spot_at(path, i);
    const spot q = spot_at(path, i + 1 < path->point_count ? i + 1 : i);
    const double length = hypot(q.x - a.x, q.z - a.z);
    const double part = length > very_end ? 1.0 - very_end / length : 0.0;
    const spot b = {a.x + part * (q.x - a.x), a.z + part * (q.z - a.z)};
    const spot l = {(double)portal->left[0], (double)portal->left[1]};
    const spot r = {(double)portal->right[0], (double)portal->right[1]};
    return line_to_line(a, b, l, r);
}

static double portal_to_point(const nav_path *path, uint32_t i, const nav_portal *portal)
{
    const spot l = {(double)portal->left[0], (double)portal->left[1]};
    const spot r = {(double)portal->right[0], (double)portal->right[1]};
    return spot_to_line(spot_at(path, i), l, r);
}

// Whether a step over this portal may begin where it says: on its point, or on the line behind it;
// not where only the end of that line comes to the portal, for there the next point begins.
static bool may_begin(const nav_path *path, const nav_path_step *step, const nav_portal *portal)
{
    const double tolerance =
        4e-6 * (1.0 + fabs((double)portal->left[0]) + fabs((double)portal->left[1]));
    if (step->on_point) {
        return portal_to_point(path, step->point, portal) <= 2 * tolerance;
    }
    const bool last = step->point + 1 == path->point_count;
    const bool at_end = !last && portal_to_point(path, step->point + 1, portal) <= tolerance / 2 &&
                        portal_to_line(path, step->point, portal, 20 * tolerance) > 2 * tolerance;
    return portal_to_line(path, step->point, portal, 0.0) <= 20 * tolerance && !at_end;
}

// Each polygon is entered over a portal that the path meets behind its point, and before the next.
static void expect_begins(const nav_path *path, const nav_view *view, uint32_t count)
{
    assert_true(steps[0].point == 0 && steps[0].polygon == path->start_polygon);
    for (uint32_t i = 1; i < count; ++i) {
        assert_true(steps[i].point >= steps[i - 1].point && steps[i].point < path->point_count);
        bool begins = steps[i].link != NAV_NONE;
        for (uint32_t k = 0; k < path->corridor_count && !begins; ++k) {
            const uint32_t portal = scratch->corridor.portals[k];
            begins = !nav_portal_is_arc(view, portal) &&
                     nav_view_base(view, nav_view_from(view, portal)) == steps[i - 1].polygon &&
                     nav_view_base(view, nav_view_to(view, portal)) == steps[i].polygon &&
                     may_begin(path, &steps[i], nav_view_portal(view, portal));
        }
        if (!begins) {
            fail_msg("step %u does not begin behind point %u", i, steps[i].point);
        }
        tally.borders += steps[i].on_point;
    }
}

// Links, as the details tell them. False: one of them leads nowhere else.
static bool find_links(const nav_path *path, const nav_mesh *mesh, uint32_t count)
{
    bool found = true;
    assert_true(path->point_count <= sizeof is_link / sizeof is_link[0]);
    memset(is_link, 0, path->point_count * sizeof *is_link);
    for (uint32_t i = 1; i < count; ++i) {
        if (steps[i].link != NAV_NONE) {
            const nav_placed_link *link = nav_mesh_link(mesh, steps[i].link);
            const bool leads = memcmp(link->start, link->end, sizeof link->start) != 0;
            assert_true(!leads || steps[i].point > 0);
            is_link[leads ? steps[i].point - 1 : 0] = leads;
            found = found && leads;
        }
    }
    return found;
}

// Each line at the cost of the last step that begins at its first point or before: costs change in
// points only.
static void expect_cost_of_steps(const nav_path *path, const nav_view *view, uint32_t count)
{
    double sum = 0.0;
    uint32_t at = 0;
    for (uint32_t k = 0; k + 1 < path->point_count; ++k) {
        const float *p = path->points + 3 * (size_t)k;
        while (at + 1 < count && steps[at + 1].point <= k) {
            ++at;
        }
        const double length = hypot((double)p[3] - (double)p[0], (double)p[5] - (double)p[2]);
        sum += is_link[k] ? (double)nav_link_cost(view->costs,
                                                  nav_mesh_link(view->mesh, steps[at + 1].link),
                                                  (float)length)
                          : length * (double)view->ground[view->mesh->classes[steps[at].polygon]];
    }
    if (fabs(sum - path->cost) > 1e-5 + 1e-6 * sum) {
        fail_msg("costs %.9g, its steps %.9g", path->cost, sum);
    }
}

// ---- all of an answer ----

static void expect_points_apart(const nav_path *path)
{
    for (uint32_t i = 1; i < path->point_count; ++i) {
        const float *p = path->points + 3 * (size_t)i;
        assert_true(memcmp(p - 3, p, 3 * sizeof *p) != 0);
    }
}

static nav_path expect_true(const nav_mesh *mesh, const nav_path_request *request)
{
    nav_path path;
    assert_int_equal(nav_query_path(mesh, scratch, request, &path), NAV_OK);
    assert_false(path.optimal && path.status != NAV_PATH_COMPLETE);
    if (path.point_count == 0) {
        return path;
    }
    const nav_view view = path.corridor->view;
    const uint32_t count = nav_query_path_steps(&path, steps, STEPS_MAX);
    assert_true(count > 0 && count < STEPS_MAX);
    if (path.status == NAV_PATH_COMPLETE) {
        assert_true(path.lower_bound <= path.cost);
        assert_true(path.optimal == (path.cost <= path.lower_bound * (1 + 1e-6)));
    }
    expect_points_apart(&path);
    expect_begins(&path, &view, count);
    if (find_links(&path, mesh, count)) {
        compare_cost_of_points(&path, &view, steps[count - 1].polygon);
        if (view.overlay == NULL) {
            expect_cost_of_steps(&path, &view, count);
        }
    }
    ++tally.paths;
    tally.links += mesh->arc_count > 0;
    tally.shapes += view.overlay != NULL;
    tally.bends += path.point_count > 2;
    tally.optimal += path.optimal;
    return path;
}

// The same question for a path that may end early: what is left of it is as true.
static void expect_true_if_shortened(uint64_t chance, const nav_mesh *mesh,
                                     const nav_path_request *request)
{
    nav_path_request shortened = *request;
    const bool by_cost = random_below(&chance, 2) == 0;
    const bool by_length = !by_cost || random_below(&chance, 2) == 0;
    shortened.max_cost = by_cost ? (double)random_between(&chance, 0.1f, 60.0f) : 0.0;
    shortened.max_length = by_length ? (double)random_between(&chance, 0.1f, 30.0f) : 0.0;
    shortened.goal_radius =
        random_below(&chance, 2) == 0 ? random_between(&chance, 0.0f, 6.0f) : 0.0f;
    shortened.no_partial = random_below(&chance, 3) == 0;
    const nav_path path = expect_true(mesh, &shortened);
    assert_true(!by_cost || path.cost <= shortened.max_cost * (1 + 1e-9));
    assert_true(!by_length || path.length <= shortened.max_length * (1 + 1e-9));
    tally.shortened += path.reason >= NAV_REASON_MAX_COST;
}

static void ask_world(world *w, const nav_mesh *mesh, const nav_filter *filter,
                      const world_shapes *shapes)
{
    nav_path_request request = {.options = nav_options_default()};
    request.options.filter = filter;
    if (shapes != NULL) {
        request.options.avoid = shapes->list;
        request.options.avoid_count = shapes->count;
    }
    for (int i = 0; i < PAIRS_A_WORLD; ++i) {
        world_random_place(w, mesh, request.start);
        world_random_place(w, mesh, request.end);
        request.search = world_one_in(w, 2) ? NAV_SEARCH_FAST : NAV_SEARCH_AUTO;
        request.max_nodes = world_one_in(w, 6) ? 1 + random_below(&w->seed, 40) : 0;
        expect_true(mesh, &request);
        expect_true_if_shortened(w->seed, mesh, &request);
    }
}

static void answers_of_a_world(world *w)
{
    price_world(w);
    nav_mesh *mesh = world_mesh_priced(w);
    if (mesh == NULL) {
        return;
    }
    nav_filter filter = {0};
    if (world_one_in(w, 4)) {
        filter.exclude = 1u << (1 + random_below(&w->seed, 3));
    }
    ask_world(w, mesh, &filter, NULL);
    nav_mesh_release(mesh);
}

static void print_tally(void)
{
    printf("%u paths, %u at another cost, %u along polygons without area, %u that bend, %u in "
           "worlds with links, %u over what shapes leave, %u proven, %u up to a limit; "
           "%u polygons begin on a point\n",
           tally.paths, tally.off, tally.thin, tally.bends, tally.links, tally.shapes,
           tally.optimal, tally.shortened, tally.borders);
}

// At most one path in 2,000 is not what it says, or one of fewer, and few cannot be told.
static void expect_few(void)
{
    print_tally();
    assert_true(2000 * tally.off <= tally.paths + 2000);
    assert_true(10 * tally.thin <= tally.paths);
}

static void answers_are_true_over_several_costs(void **state)
{
    (void)state;
    memset(&tally, 0, sizeof tally);
    for_all_worlds(1500, answers_of_a_world);
    expect_few();
    if (getenv("NAV_PROPERTY_WORLDS") == NULL) {
        assert_true(tally.paths > 5000 && tally.links > 1000 && tally.borders > 5000);
    }
}

static void answers_around_shapes(world *w)
{
    price_world(w);
    nav_mesh *mesh = world_mesh_priced(w);
    if (mesh == NULL) {
        return;
    }
    const nav_filter filter = {0};
    world_shapes shapes;
    world_add_shapes(w, mesh, &shapes);
    for (uint32_t i = 0; i < shapes.count; ++i) {
        shapes.list[i].blocked = world_one_in(w, 3);
        shapes.list[i].cost = world_one_in(w, 4) ? 0.5f : world_chance(w, 1, 6);
    }
    ask_world(w, mesh, &filter, &shapes);
    nav_mesh_release(mesh);
}

static void answers_are_true_around_shapes(void **state)
{
    (void)state;
    memset(&tally, 0, sizeof tally);
    for_all_worlds(1000, answers_around_shapes);
    expect_few();
    if (getenv("NAV_PROPERTY_WORLDS") == NULL) {
        assert_true(tally.paths > 3000 && tally.shapes > 2000);
    }
}

// Pieces of a path that bend more than once, beside cheaper ground, each bend at a portal of its
// own.
static void bends_beside_cheaper_ground(void **state)
{
    (void)state;
    static const uint64_t open[] = {812, 3157, 3284}, around_shapes[] = {336, 2279, 3157, 3284};
    memset(&tally, 0, sizeof tally);
    for_worlds(open, sizeof open / sizeof open[0], answers_of_a_world);
    for_worlds(around_shapes, sizeof around_shapes / sizeof around_shapes[0],
               answers_around_shapes);
    print_tally();
    assert_true(tally.bends > 0);
    assert_int_equal(tally.off, 0);
}

static void answers_at_one_cost(world *w)
{
    nav_mesh *mesh = world_mesh(w);
    if (mesh != NULL) {
        const nav_filter filter = {0};
        ask_world(w, mesh, &filter, NULL);
        nav_mesh_release(mesh);
    }
}

static void answers_are_true_at_one_cost(void **state)
{
    (void)state;
    memset(&tally, 0, sizeof tally);
    for_all_worlds(1000, answers_at_one_cost);
    expect_few();
    if (getenv("NAV_PROPERTY_WORLDS") == NULL) {
        assert_true(tally.paths > 5000 && tally.optimal > 4000);
    }
}

static int begin(void **state)
{
    (void)state;
    return nav_scratch_create(NULL, &scratch) == NAV_OK ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    nav_scratch_destroy(scratch);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(answers_are_true_over_several_costs, name_world),
        cmocka_unit_test_teardown(answers_are_true_around_shapes, name_world),
        cmocka_unit_test_teardown(bends_beside_cheaper_ground, name_world),
        cmocka_unit_test_teardown(answers_are_true_at_one_cost, name_world),
    };
    return cmocka_run_group_tests_name("query_answers", tests, begin, end);
}
