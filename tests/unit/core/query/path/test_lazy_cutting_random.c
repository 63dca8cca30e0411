// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_lazy_cutting_random.c: in random worlds, a path around shapes of which only some were cut
// is as if all of them had been: its status, its reason, its ends; its bound holds, and it is no
// longer in the mean. It crosses no shape that blocks, grown by the agent's radius, and its
// corridor leads along it.

#include "tests/unit/avoid_world.h"

#define PAIRS_A_WORLD 16

static nav_scratch *scratch;

static struct {
    uint32_t pairs, moved, complete, closed, proven, proven_cut;
    double cost, cut_cost, worst;
} tally;

static bool is_same_place(const float a[3], const float b[3])
{
    return fabsf(a[0] - b[0]) <= 1e-4f && fabsf(a[1] - b[1]) <= 1e-4f &&
           fabsf(a[2] - b[2]) <= 1e-4f;
}

#define STEPS_MAX 512

// From a shape that the path begins in, or in its outline, which is up to 2 % larger, it leads out;
// a link may lead over one.
static void keeps_off_shapes(const nav_mesh *mesh, const nav_path *path, const world_shapes *shapes)
{
    const double radius = (double)mesh->agent_radius;
    nav_path_step steps[STEPS_MAX];
    const uint32_t count = nav_query_path_steps(path, steps, STEPS_MAX);
    assert_in_range(count, 1, STEPS_MAX - 1);
    for (uint32_t k = 0; k < shapes->count; ++k) {
        const nav_avoid *shape = &shapes->list[k];
        const double grown = radius + 0.02 * (radius + (double)shape->radius) + 1e-3;
        const bool leaves = leg_to_shape(path->points, path->points, shape) < grown;
        for (uint32_t i = 1; i < path->point_count && shape->blocked && !leaves; ++i) {
            const float *to = path->points + 3 * (size_t)i;
            bool is_link = false;
            for (uint32_t step = 0; step < count; ++step) {
                is_link = is_link || (steps[step].link != NAV_NONE && steps[step].point == i);
            }
            assert_true(is_link || leg_to_shape(to - 3, to, shape) >= radius - 1e-4);
        }
    }
    for (uint32_t step = 1; step < count; ++step) {
        assert_in_range(steps[step].point, steps[step - 1].point, path->point_count - 1);
    }
}

static void compare(const nav_mesh *mesh, nav_path_request *request, const world_shapes *shapes,
                    double slack)
{
    nav_path path, cut;
    request->max_nodes = 0;
    assert_int_equal(nav_query_path(mesh, scratch, request, &path), NAV_OK);
    if (path.status == NAV_PATH_COMPLETE) {
        keeps_off_shapes(mesh, &path, shapes);
    }
    // A budget, however large, makes it cut all shapes before it looks for a path.
    request->max_nodes = UINT32_MAX;
    assert_int_equal(nav_query_path(mesh, scratch, request, &cut), NAV_OK);
    ++tally.pairs;
    if (!is_same_place(path.start, cut.start) || !is_same_place(path.end, cut.end)) {
        // It lies on ground so narrow that nothing is left of it once it is cut.
        ++tally.moved;
        return;
    }
    assert_int_equal(path.status, cut.status);
    assert_int_equal(path.reason, cut.reason);
    assert_true(path.optimal ==
                (path.status == NAV_PATH_COMPLETE && path.cost <= path.lower_bound * (1 + 1e-6)));
    if (path.status != NAV_PATH_COMPLETE) {
        ++tally.closed;
        return;
    }
    assert_true(path.cost >= cut.lower_bound - slack && cut.cost >= path.lower_bound - slack);
    assert_true(!path.optimal || path.cost <= cut.cost + slack);
    ++tally.complete;
    tally.proven += path.optimal;
    tally.proven_cut += cut.optimal;
    tally.cost += path.cost;
    tally.cut_cost += cut.cost;
    tally.worst = fmax(tally.worst, cut.cost > slack ? path.cost / cut.cost : 1.0);
}

static void paths_of_a_world(world *w)
{
    nav_mesh *mesh = world_mesh(w);
    if (mesh == NULL) {
        return;
    }
    world_shapes shapes;
    world_add_mixed_shapes(w, mesh, 4, &shapes);
    nav_path_request request = {.options = nav_options_default()};
    request.options.avoid = shapes.list;
    request.options.avoid_count = shapes.count;
    const double slack = 5e-4 * (double)w->config.cell_size;
    for (int i = 0; i < PAIRS_A_WORLD; ++i) {
        world_random_place(w, mesh, request.start);
        world_random_place(w, mesh, request.end);
        request.no_partial = world_one_in(w, 2);
        request.search = world_one_in(w, 2) ? NAV_SEARCH_FAST : NAV_SEARCH_AUTO;
        compare(mesh, &request, &shapes, slack);
    }
    nav_mesh_release(mesh);
}

static void answers_are_as_if_all_were_cut(void **state)
{
    (void)state;
    memset(&tally, 0, sizeof tally);
    assert_int_equal(nav_scratch_create(NULL, &scratch), NAV_OK);
    for_all_worlds(1600, paths_of_a_world);
    nav_scratch_destroy(scratch);
    printf("%u pairs, %u moved, %u paths, %u without a way, %u proven, %u where all is cut; cost "
           "%.5f of "
           "those, %.3f at worst\n",
           tally.pairs, tally.moved, tally.complete, tally.closed, tally.proven, tally.proven_cut,
           tally.cost / tally.cut_cost, tally.worst);
    if (getenv("NAV_PROPERTY_WORLDS") == NULL) {
        assert_true(tally.pairs > 10000 && tally.complete > 5000 && tally.closed > 2000);
        assert_true(tally.proven > tally.proven_cut);
    }
    assert_true(tally.moved <= 1 + tally.pairs / 200);
    assert_true(tally.cost <= tally.cut_cost * 1.001);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(answers_are_as_if_all_were_cut, name_world),
    };
    return cmocka_run_group_tests_name("query_lazy_cutting_random", tests, NULL, NULL);
}
