// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_switches_volumes.c: held against bakes in which the closed switches' shapes are cut out as
// volumes: nearly all pairs that both have are joined or not alike, by paths of nearly the same
// length. They differ as far as edges stray.

#include "tests/unit/visibility_world.h"

static struct {
    uint32_t pairs, joined, parted, differ, longer, closed;
} tally;

// A volume cuts the cells whose middles it holds, a switch holds those that its shapes touch.
static void touch_cells(const world *w, nav_volume *v)
{
    const float half = 0.49f * w->config.cell_size;
    const bool is_box = v->shape == NAV_VOLUME_BOX;
    for (int axis = 0; axis < 3 && is_box; axis += 2) {
        v->min[axis] -= half;
        v->max[axis] += half;
    }
    v->radius += half;
}

// The same world with the closed switches' shapes cut out.
static nav_mesh *bake_cut(const world *w, const nav_mesh *mesh, const uint8_t *switches)
{
    nav_volume volumes[4 + 2 * WORLD_SWITCHES_MAX];
    nav_config config = w->config;
    uint32_t count = config.volume_count;
    memcpy(volumes, config.volumes, count * sizeof *volumes);
    for (uint32_t i = 0; i < config.switch_count; ++i) {
        const nav_switch *s = &config.switches[i];
        for (uint32_t k = 0; k < s->shape_count && nav_switch_is_closed(mesh, switches, i); ++k) {
            volumes[count] = s->shapes[k];
            touch_cells(w, &volumes[count]);
            volumes[count++].area = NAV_AREA_NONE;
        }
    }
    config.volumes = volumes;
    config.volume_count = count;
    config.switch_count = 0;
    return world_bake(w, &config);
}

static nav_path ask(const nav_mesh *mesh, nav_scratch *scratch, const float start[3],
                    const float end[3], const uint8_t *switches)
{
    nav_path_request request = {.options = nav_options_default(), .no_partial = true};
    nav_path path;
    memcpy(request.start, start, sizeof request.start);
    memcpy(request.end, end, sizeof request.end);
    request.options.switches = switches;
    request.options.snap = (nav_snap){0.01f, 0.5f, 0.5f};
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
    return path;
}

static bool is_on_ground(const nav_path *path)
{
    return path->status == NAV_PATH_COMPLETE || path->reason == NAV_REASON_UNREACHABLE;
}

static void compare(world *w, const nav_mesh *mesh, const nav_mesh *cut, const uint8_t *switches,
                    nav_scratch *scratch)
{
    // Both ends stray, and the edges that the path turns around.
    const double slack = 2 * (double)(w->config.edge_max_error * w->config.cell_size) + 1e-3;
    for (int i = 0; i < 40; ++i) {
        float start[3], end[3];
        world_random_place(w, mesh, start);
        world_random_place(w, mesh, end);
        const nav_path theirs = ask(cut, scratch, start, end, NULL);
        const bool on_cut = is_on_ground(&theirs), joined = theirs.status == NAV_PATH_COMPLETE;
        const double length = theirs.length;
        const nav_path ours = ask(mesh, scratch, start, end, switches);
        const bool ours_joined = ours.status == NAV_PATH_COMPLETE;
        if (!on_cut || (!ours_joined && ours.reason != NAV_REASON_BLOCKED &&
                        ours.reason != NAV_REASON_UNREACHABLE)) {
            continue;
        }
        tally.pairs++;
        tally.joined += joined;
        tally.parted += !joined;
        tally.differ += joined != ours_joined;
        tally.longer += joined && ours_joined && fabs(ours.length - length) > 0.02 * length + slack;
    }
}

static void holds(world *w)
{
    world_simplify(w);
    choose_switches(w);
    nav_mesh *mesh = world_bake(w, &w->config);
    if (mesh == NULL || mesh->ground_class_count == 0) {
        nav_mesh_release(mesh);
        return;
    }
    nav_scratch *scratch;
    assert_int_equal(nav_scratch_create(NULL, &scratch), NAV_OK);
    for (int i = 0; i < 2; ++i) {
        const uint8_t *switches = world_random_state(w, mesh);
        nav_mesh *cut = bake_cut(w, mesh, switches);
        if (cut != NULL && cut->stats.polygons > 0) {
            compare(w, mesh, cut, switches, scratch);
        }
        nav_mesh_release(cut);
    }
    nav_scratch_destroy(scratch);
    nav_mesh_release(mesh);
}

static void closed_is_as_if_cut_out(void **state)
{
    (void)state;
    for_all_worlds(1500, holds);
    printf("%u pairs, %u joined, %u parted; %u not alike, %u not as long\n", tally.pairs,
           tally.joined, tally.parted, tally.differ, tally.longer);
    assert_true(100 * tally.differ <= 2 * tally.pairs + 100);
    assert_true(100 * tally.longer <= 4 * tally.joined + 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(closed_is_as_if_cut_out, name_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
