// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// A filter gives a mesh the same costs whether links are looked at one by one or by classes. There
// are no more classes than kinds of links.

#include "tests/unit/mesh_builder.h"

#include "core/mesh/steps.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

#define LINKS 400
#define AREAS 5
#define FILTERS 3000

static uint32_t roll(uint64_t *state, uint32_t sides)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33) % sides;
}

typedef struct world {
    nav_area areas[AREAS];
    nav_link links[LINKS];
    nav_config config;
} world;

// A field of ground, water and mud; area 4 is one of links only.
static const char MAP[] = "............/....2222..../....2222..../..3.......3./............";

static nav_mesh *make(world *w, uint64_t *dice)
{
    memset(w, 0, sizeof *w);
    w->config = nav_config_default();
    for (int i = 1; i < AREAS; ++i) {
        w->areas[i].cost = 1.0f + 0.5f * (float)i;
        w->areas[i].flags = 1u << i;
    }
    for (int i = 0; i < LINKS; ++i) {
        nav_link *link = &w->links[i];
        *link = (nav_link){.radius = 0.5f,
                           .area = (uint8_t)(1 + roll(dice, AREAS - 1)),
                           .flags = roll(dice, 8),
                           .bidirectional = roll(dice, 2) == 0,
                           .has_cost = roll(dice, 3) == 0,
                           .cost = 0.1f * (float)roll(dice, 100)};
        link->start[0] = (float)roll(dice, 48) / 4.0f;
        link->start[2] = (float)roll(dice, 20) / 4.0f;
        const bool stays = roll(dice, 20) == 0;
        link->end[0] = stays ? link->start[0] : (float)roll(dice, 48) / 4.0f;
        link->end[2] = stays ? link->start[2] : (float)roll(dice, 20) / 4.0f;
    }
    w->config.areas = w->areas;
    w->config.area_count = AREAS;
    w->config.links = w->links;
    w->config.link_count = LINKS;
    return map_mesh_with(MAP, &w->config, NULL);
}

// Way by way: the least cost by length, and whether all is open.
static void look_at_all(const nav_mesh *mesh, const nav_costs *costs, float *bound, bool *open)
{
    *bound = costs->least;
    *open = true;
    for (uint32_t i = 0; i < mesh->stats.polygons; ++i) {
        *open = *open && costs->area[mesh->classes[i]] < INFINITY;
    }
    for (uint32_t i = 0; i < mesh->arc_count; ++i) {
        const nav_arc *arc = &mesh->arcs[i];
        const float cost = nav_link_cost(costs, &mesh->links[arc->link], arc->length);
        *open = *open && cost < INFINITY;
        if (cost < *bound * arc->length) {
            *bound = cost / arc->length;
        }
    }
}

static nav_filter random_filter(uint64_t *dice)
{
    nav_filter filter = {.include = roll(dice, 3) > 0 ? 0 : roll(dice, 32),
                         .exclude = roll(dice, 3) > 0 ? 0 : 1u << roll(dice, 6)};
    for (int i = 1; i < AREAS; ++i) {
        filter.area_costs[i] = roll(dice, 2) == 0 ? 0.0f : 0.05f * (float)(1 + roll(dice, 60));
    }
    return filter;
}

static void classes_say_what_links_do(void **state)
{
    (void)state;
    uint64_t dice = 7;
    world w;
    nav_mesh *mesh = make(&w, &dice);
    assert_int_equal(mesh->stats.links, LINKS);
    int closed = 0, lowered = 0;
    // One struct for all, as in a scratch: what one filter leaves must not show in the next.
    nav_costs costs = {0};
    for (int i = 0; i < FILTERS; ++i) {
        const nav_filter filter = random_filter(&dice);
        float bound;
        bool open;
        nav_costs_resolve(mesh, &filter, NULL, &costs);
        look_at_all(mesh, &costs, &bound, &open);
        assert_int_equal(costs.open, open);
        assert_true(fabsf(costs.bound - bound) <= 1e-6f * bound);
        assert_true(costs.bound <= costs.least);
        closed += !open;
        lowered += costs.bound < costs.least;
    }
    assert_in_range(closed, FILTERS / 10, FILTERS - 100);
    assert_in_range(lowered, FILTERS / 10, FILTERS - 10);
    nav_mesh_release(mesh);
}

static void there_are_no_more_classes_than_kinds(void **state)
{
    (void)state;
    uint64_t dice = 11;
    world w;
    nav_mesh *mesh = make(&w, &dice);
    // Flags 0 are those of the area: 4 areas times 8 sets of flags at most.
    assert_in_range(mesh->link_class_count, 20, 32);
    for (uint32_t i = 1; i < mesh->link_class_count; ++i) {
        const nav_link_class *a = &mesh->link_classes[i - 1], *b = &mesh->link_classes[i];
        assert_true(a->ground < b->ground || (a->ground == b->ground && a->flags < b->flags));
    }
    const uint8_t areas[] = {1, 2, 3, 4};
    assert_int_equal(mesh->area_list_count, sizeof areas);
    assert_memory_equal(mesh->area_list, areas, sizeof areas);
    nav_mesh_release(mesh);
}

static void without_links_there_are_none(void **state)
{
    (void)state;
    nav_mesh *mesh = map_mesh_with(MAP, NULL, NULL);
    const nav_filter filter = {.area_costs = {[2] = 3.0f}};
    nav_costs costs = {0};
    nav_costs_resolve(mesh, &filter, NULL, &costs);
    assert_int_equal(mesh->link_class_count, 0);
    assert_true(costs.open && !costs.uniform);
    assert_true(costs.bound == 1.0f && costs.area[2] == 3.0f);
    nav_mesh_release(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_say_what_links_do),
        cmocka_unit_test(there_are_no_more_classes_than_kinds),
        cmocka_unit_test(without_links_there_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
