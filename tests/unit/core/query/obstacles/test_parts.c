// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_parts.c: a state knows which of its ground cannot hang together. In random worlds whatever
// it parts no flood joins, and what floods part it parts.

#include "tests/unit/avoid_world.h"

#define PAIRS_A_WORLD 16

static nav_scratch *scratch;

static struct {
    uint32_t pairs, parted, missed, states;
} tally;

// A wall or two besides what chance has put there, so that ground is parted.
static uint32_t add_walls(const nav_mesh *mesh, nav_avoid *out)
{
    float min[3] = {HUGE_VALF, HUGE_VALF, HUGE_VALF}, max[3] = {-HUGE_VALF, -HUGE_VALF, -HUGE_VALF};
    for (uint32_t i = 0; i < mesh->stats.vertices; ++i) {
        for (int axis = 0; axis < 3; ++axis) {
            min[axis] = fminf(min[axis], mesh->vertices[i][axis]);
            max[axis] = fmaxf(max[axis], mesh->vertices[i][axis]);
        }
    }
    for (int wall = 0; wall < 2; ++wall) {
        const int axis = wall == 0 ? 0 : 1;
        const float middle = (min[2 * axis] + max[2 * axis]) / 2.0f;
        nav_avoid *shape = &out[wall];
        *shape = (nav_avoid){.shape = NAV_AVOID_BOX, .blocked = true, .bottom = -1e4f, .top = 1e4f};
        shape->min[axis] = middle - 0.1f;
        shape->max[axis] = middle + 0.1f;
        shape->min[1 - axis] = min[2 * (1 - axis)] - 1.0f;
        shape->max[1 - axis] = max[2 * (1 - axis)] + 1.0f;
    }
    return 2;
}

// Whether the state says so once its parts are known.
static bool is_parted(nav_overlay *state, const nav_path_request *request)
{
    nav_path_request asked = *request;
    nav_path path;
    asked.options.overlay = state;
    asked.no_partial = true;
    assert_int_equal(nav_query_path(state->mesh, scratch, &asked, &path), NAV_OK);
    return path.status == NAV_PATH_NONE && path.reason == NAV_REASON_BLOCKED;
}

static void pairs_of_a_state(world *w, nav_mesh *mesh, nav_overlay *state)
{
    nav_path_request request = {.options = nav_options_default()};
    for (int i = 0; i < PAIRS_A_WORLD; ++i) {
        world_random_place(w, mesh, request.start);
        world_random_place(w, mesh, request.end);
        nav_options options = request.options;
        options.overlay = state;
        bool reachable, without;
        assert_int_equal(nav_query_reachable(mesh, scratch, request.start, &options,
                                             (const float(*)[3])request.end, 1, &reachable),
                         NAV_OK);
        assert_int_equal(nav_query_reachable(mesh, scratch, request.start, &request.options,
                                             (const float(*)[3])request.end, 1, &without),
                         NAV_OK);
        const bool parted = is_parted(state, &request);
        assert_false(parted && reachable);
        tally.pairs += without;
        tally.parted += without && parted;
        tally.missed += without && !reachable && !parted;
    }
    tally.states += nav_view_known_parts(state) != NULL;
}

static void parts_of_a_world(world *w)
{
    nav_mesh *mesh = world_mesh(w);
    if (mesh == NULL) {
        return;
    }
    world_shapes shapes;
    world_add_mixed_shapes(w, mesh, 3, &shapes);
    nav_avoid list[sizeof shapes.list / sizeof *shapes.list + 2];
    memcpy(list, shapes.list, sizeof shapes.list);
    const uint32_t count = shapes.count + add_walls(mesh, list + shapes.count);
    nav_overlay *state = NULL;
    const nav_overlay_parts parts = {.shapes = list, .shape_count = count};
    assert_int_equal(nav_overlay_create(mesh, scratch, NULL, &parts, &state, NULL), NAV_OK);
    pairs_of_a_state(w, mesh, state);
    nav_overlay_release(state);
    nav_mesh_release(mesh);
}

static void parts_are_what_floods_part(void **state)
{
    (void)state;
    memset(&tally, 0, sizeof tally);
    assert_int_equal(nav_scratch_create(NULL, &scratch), NAV_OK);
    for_all_worlds(1000, parts_of_a_world);
    nav_scratch_destroy(scratch);
    printf("%u pairs, %u parted, %u that only a search finds out; parts of %u states\n",
           tally.pairs, tally.parted, tally.missed, tally.states);
    if (getenv("NAV_PROPERTY_WORLDS") == NULL) {
        assert_true(tally.parted > 1000 && tally.states > 100);
    }
    assert_int_equal(tally.missed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(parts_are_what_floods_part, name_world),
    };
    return cmocka_run_group_tests_name("query_parts", tests, NULL, NULL);
}
