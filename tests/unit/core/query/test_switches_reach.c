// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_switches_reach.c: in thousands of random worlds with switches over each other, on borders of
// tiles, on slopes and over links: what can be reached in any state of them is what a flood over
// polygons finds.

#include "tests/unit/visibility_world.h"

static bool is_open(const nav_mesh *mesh, uint16_t ground, const uint8_t *switches)
{
    for (uint32_t k = ground < NAV_MESH_AREAS ? 0
                                              : mesh->ground_classes[ground - NAV_MESH_AREAS].first;
         ground >= NAV_MESH_AREAS && k < mesh->ground_classes[ground - NAV_MESH_AREAS + 1].first;
         ++k) {
        const uint32_t number = mesh->class_switches[k];
        if (switches[number] == NAV_SWITCH_CLOSED ||
            (switches[number] == NAV_SWITCH_DEFAULT && mesh->switches[number].closed)) {
            return false;
        }
    }
    return true;
}

// Marks what a polygon leads to, polygon by polygon, until nothing changes.
static void flood(const nav_mesh *mesh, const uint8_t *switches, uint32_t from, bool *reached)
{
    bool changed = true;
    memset(reached, 0, mesh->stats.polygons);
    reached[from] = true;
    while (changed) {
        changed = false;
        for (uint32_t i = 0; i < mesh->portal_count; ++i) {
            const nav_portal *portal = &mesh->portals[i];
            const bool closed =
                i >= mesh->edge_portal_count &&
                !is_open(mesh, mesh->links[mesh->arcs[i - mesh->edge_portal_count].link].ground,
                         switches);
            if (reached[portal->from] && !reached[portal->to] && !closed &&
                is_open(mesh, mesh->classes[portal->to], switches)) {
                reached[portal->to] = changed = true;
            }
        }
    }
}

static struct {
    uint32_t reached, blocked, switched;
} tally;

// The switches are a question's own, or a state's.
static void expect_reach(const nav_mesh *mesh, nav_scratch *scratch, world *w,
                         const uint8_t *switches, const nav_overlay *state)
{
    float points[16][3];
    nav_location at[16];
    bool found[16], out[16];
    bool *reached = calloc(mesh->stats.polygons, sizeof *reached);
    nav_options options = nav_options_default();
    nav_view view;
    options.switches = state == NULL ? switches : NULL;
    options.overlay = state;
    assert_true(nav_view_begin(mesh, scratch, &options, &view));
    for (int i = 0; i < 16; ++i) {
        world_random_place(w, mesh, points[i]);
        found[i] = nav_view_snap(&view, &options, points[i], &at[i]);
    }
    for (int from = 0; from < 4; ++from) {
        if (!found[from]) {
            continue;
        }
        flood(mesh, switches, at[from].polygon, reached);
        assert_int_equal(nav_query_reachable(mesh, scratch, points[from], &options,
                                             (const float(*)[3])points, 16, out),
                         NAV_OK);
        for (int i = 0; i < 16; ++i) {
            assert_int_equal(out[i], found[i] && reached[at[i].polygon]);
            tally.reached += out[i];
            tally.blocked += found[i] && !out[i];
            nav_path_request request = {.options = options, .no_partial = true};
            nav_path path;
            memcpy(request.start, points[from], sizeof request.start);
            memcpy(request.end, points[i], sizeof request.end);
            assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
            assert_int_equal(path.status, out[i] ? NAV_PATH_COMPLETE : NAV_PATH_NONE);
        }
    }
    free(reached);
}

static void reach_is_that_of_a_flood(world *w)
{
    nav_mesh *mesh = world_mesh_switched(w);
    if (mesh == NULL) {
        return;
    }
    nav_scratch *scratch;
    assert_int_equal(nav_scratch_create(NULL, &scratch), NAV_OK);
    tally.switched += mesh->ground_class_count > 0;
    for (int i = 0; i < 4; ++i) {
        const uint8_t *switches = world_random_state(w, mesh);
        const nav_overlay_items parts = {.switches = switches};
        nav_overlay *state = NULL;
        assert_int_equal(nav_overlay_create(mesh, scratch, NULL, &parts, &state, NULL), NAV_OK);
        expect_reach(mesh, scratch, w, switches, i % 2 == 0 ? NULL : state);
        nav_overlay_release(state);
    }
    nav_scratch_destroy(scratch);
    nav_mesh_release(mesh);
}

static void reach_in_all_worlds(void **state)
{
    (void)state;
    for_all_worlds(2500, reach_is_that_of_a_flood);
    printf("%u reached, %u not, %u worlds with switches\n", tally.reached, tally.blocked,
           tally.switched);
    if (getenv("NAV_PROPERTY_WORLDS") == NULL) {
        assert_true(tally.switched > 500 && tally.reached > 10000 && tally.blocked > 3000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(reach_in_all_worlds, name_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
