// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_geodesic_links.c: floods over hundreds of links in one polygon find what brute force finds;
// thousands have landmarks, and those that would take too long have none.

#include "core/query/search/search.h"
#include "tests/unit/mesh_builder.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#define SIDE 64
#define LINKS 400u
#define THOUSANDS 2000u

static uint64_t seed = 1;

static uint32_t below(uint32_t count)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(seed >> 33) % count;
}

// A place of one of the rooms; some places come again and again, some lie on edges.
static void random_place(float out[3])
{
    const uint32_t room = below(3), tolerance = below(2) == 0 ? 4 : 1000;
    out[0] = (float)(room == 2 ? 3 * SIDE : (int)room * SIDE) +
             (float)below(SIDE * tolerance + 1) / (float)tolerance;
    out[1] = 0;
    out[2] = (float)below(SIDE * tolerance + 1) / (float)tolerance;
}

// Two rooms that are one convex ground, and one that only links lead to.
static nav_mesh *rooms(nav_link *links, uint32_t count)
{
    builder b;
    builder_init(&b);
    builder_rectangle(&b, 0, 0, SIDE, SIDE, 0);
    builder_rectangle(&b, SIDE, 0, 2 * SIDE, SIDE, 0);
    builder_rectangle(&b, 3 * SIDE, 0, 4 * SIDE, SIDE, 0);
    nav_config config = nav_config_default();
    config.links = links;
    config.link_count = count;
    nav_mesh *mesh = builder_mesh_with(&b, &config, NULL);
    assert_int_equal(mesh->stats.links, count);
    builder_free(&b);
    return mesh;
}

static void random_links(nav_link *links, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) {
        links[i] = (nav_link){.radius = 0.5f, .area = NAV_AREA_GROUND, .has_cost = below(2) == 0};
        random_place(links[i].start);
        random_place(links[i].end);
        links[i].cost = below(4) == 0 ? 0.0f : (float)below(200) / 2.0f;
    }
}

// ---- brute force: each end from each ----

typedef struct node {
    const float *at;
    bool is_far; // in the third room
    bool done;
    double g;
} node;

static double apart(const node *a, const node *b)
{
    return a->is_far == b->is_far
               ? hypot((double)a->at[0] - (double)b->at[0], (double)a->at[2] - (double)b->at[2])
               : HUGE_VAL;
}

// Nodes: the source, then both ends of each link, then all vertices.
static void shortest_ways(const nav_mesh *mesh, node *nodes, uint32_t count)
{
    for (uint32_t round = 0; round < count; ++round) {
        uint32_t next = NAV_NONE;
        for (uint32_t i = 0; i < count; ++i) {
            next = !nodes[i].done && (next == NAV_NONE || nodes[i].g < nodes[next].g) ? i : next;
        }
        node *from = &nodes[next];
        from->done = true;
        for (uint32_t i = 0; i < count; ++i) {
            nodes[i].g = fmin(nodes[i].g, from->g + apart(from, &nodes[i]));
        }
        if (next > 0 && next <= 2 * mesh->stats.links) {
            const nav_placed_link *link = &mesh->links[(next - 1) / 2];
            node *other = &nodes[1 + ((next - 1) ^ 1)];
            const double length = hypot((double)link->end[0] - (double)link->start[0],
                                        (double)link->end[2] - (double)link->start[2]);
            const double cost = link->has_cost ? (double)link->cost : length;
            other->g = fmin(other->g, from->g + fmin(cost, length));
        }
    }
}

static void compare(const nav_mesh *mesh, nav_geodesic *g)
{
    const uint32_t links = mesh->stats.links, count = 1 + 2 * links + mesh->stats.vertices;
    nav_location source;
    float place[3];
    random_place(place);
    assert_int_equal(nav_query_nearest(mesh, place, nav_snap_default(), NAV_NONE, &source, 1), 1);
    node *nodes = calloc(count, sizeof *nodes);
    nodes[0] = (node){.at = source.position};
    for (uint32_t i = 0; i < links; ++i) {
        nodes[1 + 2 * i] = (node){.at = mesh->links[i].start, .g = HUGE_VAL};
        nodes[2 + 2 * i] = (node){.at = mesh->links[i].end, .g = HUGE_VAL};
    }
    for (uint32_t i = 0; i < mesh->stats.vertices; ++i) {
        nodes[1 + 2 * links + i] = (node){.at = mesh->vertices[i], .g = HUGE_VAL};
    }
    for (uint32_t i = 0; i < count; ++i) {
        nodes[i].is_far = nodes[i].at[0] > 2.5f * SIDE;
    }
    shortest_ways(mesh, nodes, count);
    nav_arena temporary;
    nav_arena_init(&temporary, NULL, 0);
    float *vertices = calloc(mesh->stats.vertices, sizeof *vertices);
    float(*ends)[2] = calloc(mesh->edge_portal_count, sizeof *ends);
    bool has_gaps = true;
    assert_int_equal(nav_geodesic_flood(g, &temporary, &source, vertices, ends, &has_gaps), NAV_OK);
    assert_false(has_gaps);
    for (uint32_t i = 0; i < mesh->stats.vertices; ++i) {
        assert_true(fabs((double)vertices[i] - nodes[1 + 2 * links + i].g) <= 1e-4);
    }
    for (uint32_t i = 0; i < mesh->edge_portal_count; ++i) {
        const nav_portal *portal = &mesh->portals[i];
        assert_true(fabsf(ends[i][0] - vertices[portal->left_vertex]) <= 1e-4f);
        assert_true(fabsf(ends[i][1] - vertices[portal->right_vertex]) <= 1e-4f);
    }
    free(nodes);
    free(vertices);
    free(ends);
    nav_arena_free(&temporary);
}

static void floods_find_what_brute_force_finds(void **state)
{
    (void)state;
    static nav_link links[LINKS];
    for (uint32_t count = 1; count <= LINKS; count = count * 3 / 2 + 1) {
        random_links(links, count);
        links[0].end[0] = 3.5f * SIDE; // so that all rooms are reached
        links[0].start[0] = 1.0f;
        links[0].start[2] = links[0].end[2] = 5.0f;
        nav_mesh *mesh = rooms(links, count);
        nav_arena arena;
        nav_arena_init(&arena, NULL, 0);
        nav_geodesic *g;
        assert_int_equal(nav_geodesic_begin(mesh, NULL, &arena, &g), NAV_OK);
        for (int i = 0; i < 6; ++i) {
            compare(mesh, g); // and nothing of one flood is left for the next
        }
        nav_arena_free(&arena);
        nav_mesh_release(mesh);
    }
}

// ---- many ----

// A thread's CPU time at most; more would be the square of the number of links.
#define CPU_SECONDS_MAX 60

static bool too_late(void *user)
{
    ++*(uint32_t *)user;
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec > CPU_SECONDS_MAX;
}

static nav_status make(const nav_mesh *mesh, const nav_bake_hooks *hooks)
{
    nav_arena scratch, result;
    nav_arena_init(&scratch, NULL, 0);
    nav_arena_init(&result, NULL, 0);
    nav_blob blob;
    const nav_status status = nav_landmarks_make(mesh, hooks, &scratch, &result, &blob);
    nav_arena_free(&scratch);
    nav_arena_free(&result);
    return status;
}

static void thousands_of_links_have_landmarks(void **state)
{
    (void)state;
    nav_link *links = calloc(THOUSANDS, sizeof *links);
    random_links(links, THOUSANDS);
    for (uint32_t i = 0; i < THOUSANDS; ++i) {
        links[i].has_cost = false;
    }
    nav_mesh *mesh = rooms(links, THOUSANDS);
    uint32_t asked = 0;
    const nav_bake_hooks hooks = {.user = &asked, .cancelled = too_late};
    assert_int_equal(make(mesh, &hooks), NAV_OK);
    nav_mesh_release(mesh);
    free(links);
}

static bool asked_enough(void *user)
{
    return --*(uint32_t *)user == 0;
}

// Each end is as good as next to each: a flood has a budget, whatever the time.
static void links_that_cost_nothing_have_a_budget(void **state)
{
    (void)state;
    nav_link *links = calloc(NAV_LINKS_MAX, sizeof *links);
    random_links(links, NAV_LINKS_MAX);
    for (uint32_t i = 0; i < NAV_LINKS_MAX; ++i) {
        links[i].has_cost = true;
        links[i].cost = 0;
    }
    nav_mesh *mesh = rooms(links, NAV_LINKS_MAX);
    uint32_t asked = 0;
    const nav_bake_hooks hooks = {.user = &asked, .cancelled = too_late};
    assert_int_equal(make(mesh, &hooks), NAV_TILE_TOO_COMPLEX);
    assert_true(asked > 50); // now and then all along
    for (uint32_t question = 1; question < asked; question += asked / 5) {
        uint32_t left = question;
        const nav_bake_hooks impatient = {.user = &left, .cancelled = asked_enough};
        assert_int_equal(make(mesh, &impatient), NAV_CANCELLED);
        assert_int_equal(left, 0); // it has not been asked again
    }
    nav_mesh_release(mesh);
    free(links);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(floods_find_what_brute_force_finds),
        cmocka_unit_test(thousands_of_links_have_landmarks),
        cmocka_unit_test(links_that_cost_nothing_have_a_budget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
