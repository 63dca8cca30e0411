// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_cut_volumes.c: closed switches, and shapes of a question, held against bakes in which the
// same shapes are cut out as volumes: nearly all pairs that both have are joined or not alike, by
// paths of nearly the same length. They differ as far as edges stray.

#include "tests/unit/avoid_world.h"

typedef struct tally {
    uint32_t pairs, joined, parted, differ, longer;
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

// The volumes of the world, and room for more. Returns how many there are.
static uint32_t begin_volumes(const world *w, nav_volume *volumes)
{
    memcpy(volumes, w->config.volumes, w->config.volume_count * sizeof *volumes);
    return w->config.volume_count;
}

static nav_mesh *bake_with(const world *w, const nav_volume *volumes, uint32_t count)
{
    nav_config config = w->config;
    config.volumes = volumes;
    config.volume_count = count;
    config.switch_count = 0;
    return world_bake(w, &config);
}

// The same world with the closed switches' shapes cut out.
static nav_mesh *bake_without_closed(const world *w, const nav_mesh *mesh, const uint8_t *switches)
{
    nav_volume volumes[4 + 2 * WORLD_SWITCHES_MAX];
    const nav_config config = w->config;
    uint32_t count = begin_volumes(w, volumes);
    for (uint32_t i = 0; i < config.switch_count; ++i) {
        const nav_switch *s = &config.switches[i];
        for (uint32_t k = 0; k < s->shape_count && nav_mesh_switch_is_closed(mesh, switches, i);
             ++k) {
            volumes[count] = s->shapes[k];
            touch_cells(w, &volumes[count]);
            volumes[count++].area = NAV_AREA_NONE;
        }
    }
    return bake_with(w, volumes, count);
}

// A shape as a volume. Capsules have none, and are circles around their first ends here.
static nav_volume volume_of(nav_avoid *shape)
{
    nav_volume v = {.area = NAV_AREA_NONE};
    v.min[1] = shape->bottom;
    v.max[1] = shape->top;
    shape->shape = shape->shape == NAV_AVOID_CAPSULE ? NAV_AVOID_CIRCLE : shape->shape;
    if (shape->shape == NAV_AVOID_CIRCLE) {
        v.shape = NAV_VOLUME_CYLINDER;
        v.min[0] = shape->center[0];
        v.min[2] = shape->center[1];
        v.radius = shape->radius;
    } else if (shape->shape == NAV_AVOID_BOX) {
        v.shape = NAV_VOLUME_BOX;
        for (int axis = 0; axis < 2; ++axis) {
            v.min[2 * axis] = shape->min[axis];
            v.max[2 * axis] = shape->max[axis];
        }
    } else {
        v.shape = NAV_VOLUME_CONVEX;
        v.points = shape->points;
        v.point_count = shape->point_count;
    }
    return v;
}

static nav_path ask(const nav_mesh *mesh, nav_scratch *scratch, const float start[3],
                    const float end[3], const nav_options *options)
{
    nav_path_request request = {.options = *options, .no_partial = true};
    nav_path path;
    memcpy(request.start, start, sizeof request.start);
    memcpy(request.end, end, sizeof request.end);
    request.options.snap = (nav_snap){0.01f, 0.5f, 0.5f};
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
    return path;
}

static bool is_on_ground(const nav_path *path)
{
    return path->status == NAV_PATH_COMPLETE || path->reason == NAV_REASON_UNREACHABLE;
}

static void compare(world *w, const nav_mesh *mesh, const nav_mesh *cut, const nav_options *options,
                    nav_scratch *scratch, tally *t)
{
    // Both ends stray, and the edges that the path turns around.
    const double slack = 2 * (double)(w->config.edge_max_error * w->config.cell_size) + 1e-3;
    const nav_options plain = nav_options_default();
    for (int i = 0; i < 40; ++i) {
        float start[3], end[3];
        world_random_place(w, mesh, start);
        world_random_place(w, mesh, end);
        const nav_path theirs = ask(cut, scratch, start, end, &plain);
        const bool on_cut = is_on_ground(&theirs), joined = theirs.status == NAV_PATH_COMPLETE;
        const double length = theirs.length;
        const nav_path ours = ask(mesh, scratch, start, end, options);
        const bool ours_joined = ours.status == NAV_PATH_COMPLETE;
        if (!on_cut || (!ours_joined && ours.reason != NAV_REASON_BLOCKED &&
                        ours.reason != NAV_REASON_UNREACHABLE)) {
            continue;
        }
        t->pairs++;
        t->joined += joined;
        t->parted += !joined;
        t->differ += joined != ours_joined;
        t->longer += joined && ours_joined && fabs(ours.length - length) > 0.02 * length + slack;
    }
}

static tally of_switches, of_shapes;

static void compare_switches(world *w)
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
        nav_mesh *cut = bake_without_closed(w, mesh, switches);
        if (cut != NULL && cut->stats.polygons > 0) {
            nav_options options = nav_options_default();
            options.switches = switches;
            compare(w, mesh, cut, &options, scratch, &of_switches);
        }
        nav_mesh_release(cut);
    }
    nav_scratch_destroy(scratch);
    nav_mesh_release(mesh);
}

static void compare_shapes(world *w)
{
    world_simplify(w);
    w->config.switch_count = 0;
    nav_mesh *mesh = world_bake(w, &w->config);
    if (mesh == NULL || mesh->stats.polygons == 0) {
        nav_mesh_release(mesh);
        return;
    }
    nav_scratch *scratch;
    world_shapes shapes;
    nav_volume volumes[4 + SHAPES_MAX];
    uint32_t count = begin_volumes(w, volumes);
    world_add_shapes(w, mesh, &shapes);
    for (uint32_t i = 0; i < shapes.count; ++i) {
        volumes[count++] = volume_of(&shapes.list[i]);
    }
    nav_mesh *cut = bake_with(w, volumes, count);
    assert_int_equal(nav_scratch_create(NULL, &scratch), NAV_OK);
    if (cut != NULL && cut->stats.polygons > 0) {
        nav_options options = nav_options_default();
        options.avoid = shapes.list;
        options.avoid_count = shapes.count;
        compare(w, mesh, cut, &options, scratch, &of_shapes);
    }
    nav_scratch_destroy(scratch);
    nav_mesh_release(cut);
    nav_mesh_release(mesh);
}

static void print(const tally *t)
{
    printf("%u pairs, %u joined, %u parted; %u not alike, %u not as long\n", t->pairs, t->joined,
           t->parted, t->differ, t->longer);
}

static void closed_is_as_if_cut_out(void **state)
{
    (void)state;
    for_all_worlds(1500, compare_switches);
    print(&of_switches);
    assert_true(100 * of_switches.differ <= 2 * of_switches.pairs + 100);
    assert_true(100 * of_switches.longer <= 4 * of_switches.joined + 100);
}

// A bake rounds a shape to cells, and the radius, too: gaps of a cell or two open and close.
static void a_shape_is_as_if_cut_out(void **state)
{
    (void)state;
    for_all_worlds(1500, compare_shapes);
    print(&of_shapes);
    if (getenv("NAV_PROPERTY_WORLDS") == NULL) {
        assert_true(100 * of_shapes.differ <= 5 * of_shapes.pairs);
        assert_true(100 * of_shapes.longer <= 4 * of_shapes.joined);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(closed_is_as_if_cut_out, name_world),
        cmocka_unit_test_teardown(a_shape_is_as_if_cut_out, name_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
