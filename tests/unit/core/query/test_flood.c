// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_flood.c: in random worlds, the polygons that a flood comes to are those that brute
// force (visibility.h) finds near enough, each entered at the nearest place and at its cost; and a
// flood with less room gives the first of them. Around shapes: obstacles/test_all_goals.c.
// Lists of any size: test_flood_cases.c.

#include "tests/unit/visibility_world.h"

#define SAMPLES 12

static struct {
    uint32_t entered, left_out, truncated;
} tally;

typedef struct question {
    const nav_mesh *mesh;
    nav_scratch *scratch;
    nav_options options;
    float start[3];
    double max_cost;
    nav_flood_polygon *polygons; // of the whole answer
    nav_flood flood;
} question;

static void ask(question *q)
{
    assert_int_equal(nav_query_flood(q->mesh, q->scratch, q->start, q->max_cost, &q->options,
                                     q->polygons, q->mesh->stats.polygons, &q->flood),
                     NAV_OK);
}

static void expect_order(const question *q)
{
    assert_false(q->flood.truncated);
    for (uint32_t i = 0; i < q->flood.count; ++i) {
        const nav_flood_polygon *p = &q->polygons[i];
        assert_true(p->polygon < q->mesh->stats.polygons);
        assert_true(p->cost >= 0 && p->cost <= q->max_cost);
        assert_true(i == 0 || p[-1].cost < p->cost ||
                    (p[-1].cost == p->cost && p[-1].polygon < p->polygon));
    }
}

// With room for fewer the answer is the same, cut off; but for the order of equal costs.
static void expect_prefix(question *q, world *w)
{
    if (q->flood.count == 0) {
        return;
    }
    const uint32_t room = random_below(&w->seed, q->flood.count + 1);
    nav_flood_polygon *few = calloc(room + 1, sizeof *few);
    nav_flood flood;
    assert_int_equal(
        nav_query_flood(q->mesh, q->scratch, q->start, q->max_cost, &q->options, few, room, &flood),
        NAV_OK);
    assert_int_equal(flood.count, room);
    assert_int_equal(flood.truncated, room < q->flood.count);
    for (uint32_t i = 0; i < room; ++i) {
        assert_true(fabs(few[i].cost - q->polygons[i].cost) <= 1e-5 * few[i].cost);
    }
    tally.truncated += flood.truncated;
    free(few);
}

static const nav_flood_polygon *find(const question *q, uint32_t polygon)
{
    for (uint32_t i = 0; i < q->flood.count; ++i) {
        if (q->polygons[i].polygon == polygon) {
            return &q->polygons[i];
        }
    }
    return NULL;
}

// One polygon against brute force, which knows the ways to its corners and to where it is entered.
static void compare_polygon(const question *q, sights *truth, const sight_node *start,
                            const double *from, uint32_t polygon, double slack)
{
    const nav_mesh *mesh = q->mesh;
    const nav_flood_polygon *entered = find(q, polygon);
    const double limit = entered != NULL ? entered->cost : q->max_cost;
    for (uint32_t k = mesh->records[polygon].corner_first;
         k < mesh->records[polygon + 1].corner_first; ++k) {
        const sight_node corner = sight_node_at(mesh->vertices[mesh->corners[k]], polygon);
        const double best = sights_to(truth, start, from, &corner) * (double)truth->costs->least;
        assert_true(best >= limit - slack - 1e-5 * limit);
    }
    if (entered != NULL) {
        const sight_node place = sight_node_at(entered->position, polygon);
        const double best = sights_to(truth, start, from, &place) * (double)truth->costs->least;
        assert_true(fabs(best - entered->cost) <= slack + 1e-5 * best);
    }
    ++*(entered != NULL ? &tally.entered : &tally.left_out);
}

static void floods_are_exact(world *w)
{
    nav_mesh *mesh = world_mesh(w);
    if (mesh == NULL) {
        return;
    }
    question q = {.mesh = mesh, .options = nav_options_default()};
    sights truth;
    nav_location source;
    q.polygons = calloc(mesh->stats.polygons, sizeof *q.polygons);
    q.max_cost = (double)world_chance(w, 0, 40);
    assert_int_equal(nav_scratch_create(NULL, &q.scratch), NAV_OK);
    sights_init(&truth, mesh, &mesh->costs, false);
    world_random_place(w, mesh, q.start);
    ask(&q);
    assert_true(q.flood.optimal || mesh->has_non_manifold_edges || !q.flood.found);
    expect_order(&q);
    expect_prefix(&q, w);
    if (q.flood.optimal) {
        assert_int_equal(nav_query_nearest(mesh, q.start, nav_snap_default(), NAV_NONE, &source, 1),
                         1);
        assert_true(q.flood.count > 0 && q.polygons[0].cost == 0);
        assert_non_null(find(&q, source.polygon));
        const sight_node start = sight_node_at(source.position, source.polygon);
        double *from = calloc(truth.count + 1, sizeof *from);
        sights_from(&truth, &start, from);
        const double slack = 4e-4 * (double)(w->config.cell_size * mesh->costs.least);
        for (int i = 0; i < SAMPLES; ++i) {
            compare_polygon(&q, &truth, &start, from, random_below(&w->seed, mesh->stats.polygons),
                            slack);
        }
        free(from);
    }
    free(q.polygons);
    nav_scratch_destroy(q.scratch);
    sights_free(&truth);
    nav_mesh_release(mesh);
}

static void floods_in_all_worlds(void **state)
{
    (void)state;
    for_all_worlds(400, floods_are_exact);
    printf("%u polygons entered, %u left out, %u floods cut off\n", tally.entered, tally.left_out,
           tally.truncated);
    if (getenv("NAV_PROPERTY_WORLDS") == NULL) {
        assert_true(tally.entered > 500);
        assert_true(tally.left_out > 500);
        assert_true(tally.truncated > 50);
    }
}

static void off_the_mesh_nothing_is_reached(void **state)
{
    (void)state;
    world *w = calloc(1, sizeof *w);
    nav_mesh *mesh = NULL;
    for (uint64_t number = 1; mesh == NULL; ++number) {
        world_build(w, number);
        mesh = w->geometry.triangle_count > 0 ? world_mesh(w) : NULL;
    }
    question q = {.mesh = mesh, .options = nav_options_default(), .max_cost = 10};
    q.start[1] = 5000;
    assert_int_equal(nav_scratch_create(NULL, &q.scratch), NAV_OK);
    ask(&q);
    assert_false(q.flood.found);
    assert_int_equal(q.flood.count, 0);
    assert_true(q.flood.start[1] == 5000);
    nav_scratch_destroy(q.scratch);
    nav_mesh_release(mesh);
    free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(floods_in_all_worlds, name_world),
        cmocka_unit_test(off_the_mesh_nothing_is_reached),
    };
    return cmocka_run_group_tests_name("query_flood", tests, NULL, NULL);
}
