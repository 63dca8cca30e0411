// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_geodesic.c: distances from one place to all vertices are those that brute force finds
// (visibility.h), in random worlds of storeys, tiles and links; and no path of any question is
// shorter.

#include "core/query/search/alt.h"
#include "core/query/search/search.h"
#include "tests/unit/visibility_world.h"

static struct {
    uint32_t reached, unreached, links, non_manifold, without;
} tally;

static const nav_costs *plain_costs(void)
{
    static nav_costs costs = {.least = 1, .bound = 1, .uniform = true, .open = true};
    for (int i = 0; i < NAV_MESH_AREAS; ++i) {
        costs.area[i] = 1;
    }
    return &costs;
}

static nav_status flood(const nav_mesh *mesh, nav_arena *temporary, const nav_location *source,
                        float *vertices, float (*ends)[2], bool *has_gaps)
{
    nav_geodesic *g;
    nav_status status = nav_geodesic_begin(mesh, NULL, temporary, &g);
    return status == NAV_OK ? nav_geodesic_flood(g, temporary, source, vertices, ends, has_gaps)
                            : status;
}

static void expect_distance(float found, double best, double slack)
{
    if (best < HUGE_VAL) {
        assert_true(fabs((double)found - best) <= slack + 1e-5 * best);
        ++tally.reached;
    } else {
        assert_true(isinf(found));
        ++tally.unreached;
    }
}

// A vertex's distance is the least of its polygons', for it may be the corner of grounds that do
// not hang together.
static void compare_vertices(sights *truth, const nav_mesh *mesh, const sight_node *start,
                             const double *from, const float *vertices, double slack)
{
    double *best = calloc(mesh->stats.vertices + 1, sizeof *best);
    for (uint32_t i = 0; i < mesh->stats.vertices; ++i) {
        best[i] = HUGE_VAL;
    }
    for (uint32_t p = 0; p < mesh->stats.polygons; ++p) {
        for (uint32_t k = mesh->records[p].corner_first; k < mesh->records[p + 1].corner_first;
             ++k) {
            const uint32_t vertex = mesh->corners[k];
            const sight_node place = sight_node_at(mesh->vertices[vertex], p);
            best[vertex] = fmin(best[vertex], sights_to(truth, start, from, &place));
        }
    }
    for (uint32_t i = 0; i < mesh->stats.vertices; ++i) {
        expect_distance(vertices[i], best[i], slack);
    }
    free(best);
}

static void compare_ends(sights *truth, const nav_mesh *mesh, const sight_node *start,
                         const double *from, const float (*ends)[2], double slack)
{
    for (uint32_t i = 0; i < mesh->edge_portal_count; ++i) {
        const nav_portal *p = &mesh->portals[i];
        const sight_node left = {{(double)p->left[0], (double)p->left[1]}, p->from};
        const sight_node right = {{(double)p->right[0], (double)p->right[1]}, p->from};
        expect_distance(ends[i][0], sights_to(truth, start, from, &left), slack);
        expect_distance(ends[i][1], sights_to(truth, start, from, &right), slack);
    }
}

static void compare_source(sights *truth, const nav_mesh *mesh, world *w)
{
    nav_location source;
    float place[3];
    world_random_place(w, mesh, place);
    if (nav_query_nearest(mesh, place, nav_snap_default(), NAV_NONE, &source, 1) == 0) {
        return;
    }
    nav_arena temporary;
    nav_arena_init(&temporary, NULL, 0);
    float *vertices = calloc(mesh->stats.vertices + 1, sizeof *vertices);
    float(*ends)[2] = calloc(mesh->edge_portal_count + 1, sizeof *ends);
    assert_int_equal(flood(mesh, &temporary, &source, vertices, ends, NULL), NAV_OK);
    const sight_node start = sight_node_at(source.position, source.polygon);
    double *from = calloc(truth->count + 1, sizeof *from);
    sights_from(truth, &start, from);
    const double slack = 4e-4 * (double)w->config.cell_size;
    compare_vertices(truth, mesh, &start, from, vertices, slack);
    compare_ends(truth, mesh, &start, from, (const float(*)[2])ends, slack);
    float *again = calloc(mesh->stats.vertices + 1, sizeof *again);
    assert_int_equal(flood(mesh, &temporary, &source, again, NULL, NULL), NAV_OK);
    assert_memory_equal(again, vertices, mesh->stats.vertices * sizeof *again);
    free(again);
    free(from);
    free(vertices);
    free(ends);
    nav_arena_free(&temporary);
}

static void distances_are_exact(world *w)
{
    nav_mesh *mesh = world_mesh(w);
    if (mesh == NULL) {
        return;
    }
    // Over non-manifold edges only straight ways count, and brute force knows no others.
    sights truth;
    sights_init(&truth, mesh, plain_costs(), true);
    for (int i = 0; i < 2 && !mesh->has_non_manifold_edges; ++i) {
        compare_source(&truth, mesh, w);
    }
    tally.links += mesh->arc_count > 0;
    sights_free(&truth);
    nav_mesh_release(mesh);
}

static void distances_are_those_of_brute_force(void **state)
{
    (void)state;
    for_all_worlds(500, distances_are_exact);
    printf("%u distances, %u without a way, %u worlds with links\n", tally.reached, tally.unreached,
           tally.links);
    if (getenv("NAV_PROPERTY_WORLDS") == NULL) {
        assert_true(tally.reached > 50000);
        assert_true(tally.unreached > 10000);
        assert_true(tally.links > 50);
    }
}

// Whether two portals out of a polygon lie over one another for a stretch, whatever their line.
static bool lie_over(const nav_portal *a, const nav_portal *b)
{
    const double ex = (double)a->left[0] - (double)a->right[0];
    const double ez = (double)a->left[1] - (double)a->right[1];
    double along[2];
    for (int side = 0; side < 2; ++side) {
        const float *end = side == 0 ? b->right : b->left;
        const double px = (double)end[0] - (double)a->right[0];
        const double pz = (double)end[1] - (double)a->right[1];
        if (ex * pz - ez * px != 0) {
            return false;
        }
        along[side] = px * ex + pz * ez;
    }
    return along[0] < along[1] && along[0] < ex * ex + ez * ez && along[1] > 0;
}

// Two storeys that end on one edge of a third polygon are always seen to fold, and then landmarks
// are asked nothing, though there may be some.
static void non_manifold_edges_use_no_landmarks(world *w)
{
    nav_mesh *mesh = world_mesh(w);
    if (mesh == NULL) {
        return;
    }
    bool non_manifold = false;
    for (uint32_t i = 0; i < mesh->edge_portal_count; ++i) {
        const nav_portal *portal = &mesh->portals[i];
        for (uint32_t k = mesh->portal_first[portal->from]; k < i; ++k) {
            non_manifold = non_manifold || lie_over(portal, &mesh->portals[k]);
        }
    }
    assert_true(mesh->has_non_manifold_edges || !non_manifold);
    const nav_view view = nav_view_of(mesh, plain_costs());
    for (uint32_t p = 0; p < mesh->stats.polygons && mesh->has_non_manifold_edges; ++p) {
        nav_location here = {.polygon = p};
        memcpy(here.position, mesh->vertices[mesh->corners[mesh->records[p].corner_first]],
               sizeof here.position);
        assert_null(nav_alt_bound_make(&view, &here).mesh);
        assert_false(nav_alt_guess_make(&view, &here, &here).has_landmarks);
    }
    tally.non_manifold += non_manifold;
    tally.without += mesh->has_non_manifold_edges && mesh->landmarks != NULL;
    nav_mesh_release(mesh);
}

static void no_landmarks_where_ground_folds(void **state)
{
    (void)state;
    memset(&tally, 0, sizeof tally);
    static const uint64_t numbers[] = {658, 1240, 1243, 1476, 1667, 2042};
    for_worlds(numbers, sizeof numbers / sizeof numbers[0], non_manifold_edges_use_no_landmarks);
    assert_true(tally.non_manifold >= 6);
    assert_true(tally.without >= 6);
    for_all_worlds(300, non_manifold_edges_use_no_landmarks);
}

// The flood from where the landmarks of this ground begin passes nothing by, one from a landmark
// does: all of them are given up.
static void gaps_of_one_landmark_count(world *w)
{
    world_simplify(w);
    nav_mesh *mesh = world_bake(w, &w->config);
    assert_non_null(mesh);
    const nav_portal *portal = &mesh->portals[0];
    nav_location source = {.polygon = portal->from};
    memcpy(source.position, mesh->vertices[portal->left_vertex], sizeof source.position);
    nav_arena temporary;
    nav_arena_init(&temporary, NULL, 0);
    bool has_gaps = true;
    assert_int_equal(flood(mesh, &temporary, &source, NULL, NULL, &has_gaps), NAV_OK);
    assert_false(has_gaps);
    nav_arena_free(&temporary);
    world_add_landmarks(mesh);
    const uint16_t *row =
        nav_landmarks_of(mesh, mesh->portal_turning_vertices[0][0] & NAV_TURNING_NUMBER);
    for (uint32_t k = 0; k < mesh->landmark_count; ++k) {
        assert_int_equal(row[k], 0);
    }
    nav_mesh_release(mesh);
}

static void no_landmarks_where_one_has_gaps(void **state)
{
    (void)state;
    static const uint64_t numbers[] = {1119, 1667, 2794, 3054};
    for_worlds(numbers, sizeof numbers / sizeof numbers[0], gaps_of_one_landmark_count);
}

// A corner of a wall around which one comes round, over a portal without width: the search turned
// there without end. Such ground folds, and landmarks, which world_mesh may make, say nothing of
// it.
static void ends_in(world *w)
{
    nav_mesh *mesh = world_mesh(w);
    assert_non_null(mesh);
    assert_true(mesh->has_non_manifold_edges);
    nav_arena temporary;
    nav_arena_init(&temporary, NULL, 0);
    float *vertices = calloc(mesh->stats.vertices, sizeof *vertices);
    bool has_gaps = false, any_gaps = false;
    for (uint32_t p = 0; p < mesh->stats.polygons; ++p) {
        nav_location source = {.polygon = p};
        const uint32_t corner = mesh->corners[mesh->records[p].corner_first];
        memcpy(source.position, mesh->vertices[corner], sizeof source.position);
        assert_int_equal(flood(mesh, &temporary, &source, vertices, NULL, &has_gaps), NAV_OK);
        any_gaps = any_gaps || has_gaps;
        nav_arena_reset(&temporary);
    }
    assert_true(any_gaps);
    free(vertices);
    nav_arena_free(&temporary);
    nav_mesh_release(mesh);
}

static void ends_where_ground_comes_round(void **state)
{
    (void)state;
    static const uint64_t numbers[] = {803, 902, 1077, 1377};
    for_worlds(numbers, sizeof numbers / sizeof numbers[0], ends_in);
}

static void no_memory_is_told(void **state)
{
    (void)state;
    world *w = calloc(1, sizeof *w);
    nav_mesh *mesh = NULL;
    for (uint64_t number = 1; mesh == NULL || mesh->edge_portal_count < 50; ++number) {
        nav_mesh_release(mesh);
        world_build(w, number);
        mesh = w->geometry.triangle_count > 0 ? world_mesh(w) : NULL;
    }
    nav_location source = {.polygon = 0};
    memcpy(source.position, mesh->vertices[mesh->corners[0]], sizeof source.position);
    float *vertices = calloc(mesh->stats.vertices + 1, sizeof *vertices);
    nav_status status = NAV_NO_MEMORY;
    for (size_t limit = 4096; status == NAV_NO_MEMORY; limit += 4096) {
        nav_arena temporary;
        nav_arena_init(&temporary, NULL, limit);
        status = flood(mesh, &temporary, &source, vertices, NULL, NULL);
        nav_arena_free(&temporary);
        assert_true(limit < ((size_t)16 << 20));
    }
    assert_int_equal(status, NAV_OK);
    assert_true(vertices[mesh->corners[0]] == 0);
    free(vertices);
    nav_mesh_release(mesh);
    free(w);
}

// A place on a polygon may lie off it by the tolerance: what is found from there is what is found
// from the corner beside it.
static void compare_beside(const nav_mesh *mesh, const nav_location *corner, const float *exact,
                           float *vertices)
{
    for (int direction = 0; direction < 9; ++direction) {
        nav_location source = *corner;
        const float x[3] = {-HUGE_VALF, source.position[0], HUGE_VALF};
        const float z[3] = {-HUGE_VALF, source.position[2], HUGE_VALF};
        source.position[0] = nextafterf(source.position[0], x[direction % 3]);
        source.position[2] = nextafterf(source.position[2], z[direction / 3]);
        nav_arena temporary;
        nav_arena_init(&temporary, NULL, 0);
        assert_int_equal(flood(mesh, &temporary, &source, vertices, NULL, NULL), NAV_OK);
        for (uint32_t i = 0; i < mesh->stats.vertices; ++i) {
            assert_true(vertices[i] == exact[i] || fabsf(vertices[i] - exact[i]) <= 1e-4f);
        }
        nav_arena_free(&temporary);
    }
}

static void distances_from_beside_corners(world *w)
{
    nav_mesh *mesh = world_mesh(w);
    if (mesh == NULL) {
        return;
    }
    float *exact = calloc(mesh->stats.vertices, sizeof *exact);
    float *vertices = calloc(mesh->stats.vertices, sizeof *vertices);
    for (int i = 0; i < 4 && !mesh->has_non_manifold_edges; ++i) {
        const uint32_t p = random_below(&w->seed, mesh->stats.polygons);
        const uint32_t count = mesh->records[p + 1].corner_first - mesh->records[p].corner_first;
        const uint32_t at =
            mesh->corners[mesh->records[p].corner_first + random_below(&w->seed, count)];
        nav_location corner = {.polygon = p};
        memcpy(corner.position, mesh->vertices[at], sizeof corner.position);
        nav_arena temporary;
        nav_arena_init(&temporary, NULL, 0);
        assert_int_equal(flood(mesh, &temporary, &corner, exact, NULL, NULL), NAV_OK);
        nav_arena_free(&temporary);
        compare_beside(mesh, &corner, exact, vertices);
    }
    free(vertices);
    free(exact);
    nav_mesh_release(mesh);
}

static void a_tolerance_off_the_polygon(void **state)
{
    (void)state;
    static const uint64_t numbers[] = {
        3390,  // past a wall that is straight but for the tolerance
        11993, // around a corner behind a wall's end that lies off the line by the tolerance
    };
    for_worlds(numbers, sizeof numbers / sizeof numbers[0], distances_from_beside_corners);
    for_all_worlds(150, distances_from_beside_corners);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(distances_are_those_of_brute_force, name_world),
        cmocka_unit_test_teardown(a_tolerance_off_the_polygon, name_world),
        cmocka_unit_test_teardown(no_landmarks_where_ground_folds, name_world),
        cmocka_unit_test_teardown(no_landmarks_where_one_has_gaps, name_world),
        cmocka_unit_test_teardown(ends_where_ground_comes_round, name_world),
        cmocka_unit_test(no_memory_is_told),
    };
    return cmocka_run_group_tests_name("query_geodesic", tests, NULL, NULL);
}
