// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_components.c: a state knows which of its ground cannot hang together. In random worlds, with
// switches and links in some of them, whatever it parts no flood over polygons joins, and what
// floods part it parts.

#include "tests/unit/avoid_world.h"
#include "tests/unit/links_world.h"

#define PAIRS_A_WORLD 16
#define LINKS_MAX 4

static nav_scratch *scratch;

static struct {
    uint32_t pairs, parted, missed, states, switched, linked;
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

// Whether a position leads to another: a flood from polygon to polygon, whatever the state knows.
// *in_shape: an end lies in a shape that blocks.
static bool is_joined(const nav_mesh *mesh, const nav_options *options, const float from[3],
                      const float to[3], bool *in_shape)
{
    bool end_in_shape = false;
    nav_view view;
    nav_location ends[2];
    assert_true(nav_view_begin(mesh, scratch, options, &view));
    const bool found = nav_view_snap_end(&view, options, from, &ends[0], in_shape) &&
                       nav_view_snap_end(&view, options, to, &ends[1], &end_in_shape);
    *in_shape = *in_shape || end_in_shape;
    if (!found || *in_shape) {
        return false;
    }
    bool *seen = calloc(nav_view_polygons(&view), sizeof *seen);
    uint32_t *queue = calloc(nav_view_polygons(&view), sizeof *queue);
    uint32_t count = 1;
    queue[0] = ends[0].polygon;
    seen[queue[0]] = true;
    for (uint32_t i = 0; i < count; ++i) {
        const nav_face face = nav_view_face(&view, queue[i]);
        for (uint32_t k = 0; k < face.portal_count + nav_arc_runs_count(&face.arcs); ++k) {
            const uint32_t next =
                k < face.portal_count
                    ? face.portals[k].to
                    : nav_view_arc_target(&view, queue[i],
                                          nav_arc_runs_at(&face.arcs, k - face.portal_count));
            if (next != NAV_NONE && !seen[next] && nav_polygon_cost(&view, next) < INFINITY) {
                seen[next] = true;
                queue[count++] = next;
            }
        }
    }
    const bool joined = seen[ends[1].polygon];
    free(seen);
    free(queue);
    return joined;
}

// Whether the state says so once its components are known.
static bool is_parted(nav_overlay *state, const nav_path_request *request)
{
    nav_path_request asked = *request;
    nav_path path;
    asked.options.overlay = state;
    asked.no_partial = true;
    assert_int_equal(nav_query_path(state->mesh, scratch, &asked, &path), NAV_OK);
    return path.status == NAV_PATH_NONE &&
           (path.reason == NAV_REASON_BLOCKED || path.reason == NAV_REASON_UNREACHABLE);
}

static void pairs_of_a_state(world *w, nav_mesh *mesh, nav_overlay *state)
{
    nav_path_request request = {.options = nav_options_default()};
    for (int i = 0; i < PAIRS_A_WORLD; ++i) {
        world_random_place(w, mesh, request.start);
        world_random_place(w, mesh, request.end);
        nav_options options = request.options;
        options.overlay = state;
        bool asked, without, in_shape = false;
        assert_int_equal(nav_query_reachable(mesh, scratch, request.start, &options,
                                             (const float(*)[3])request.end, 1, &asked),
                         NAV_OK);
        const bool reachable = is_joined(mesh, &options, request.start, request.end, &in_shape);
        assert_true(in_shape || reachable == asked);
        assert_int_equal(nav_query_reachable(mesh, scratch, request.start, &request.options,
                                             (const float(*)[3])request.end, 1, &without),
                         NAV_OK);
        const bool parted = is_parted(state, &request);
        assert_false(parted && asked);
        tally.pairs += without;
        tally.parted += without && parted;
        tally.missed += without && !asked && !parted;
    }
    tally.states += state->components != NULL && state->components->has_components;
}

static void parts_of_a_world(world *w)
{
    const bool switched = world_one_in(w, 2);
    nav_mesh *mesh = switched ? world_mesh_switched(w) : world_mesh(w);
    if (mesh == NULL) {
        return;
    }
    nav_link links[LINKS_MAX] = {0};
    const uint32_t link_count = world_one_in(w, 2) ? 0 : random_below(&w->seed, LINKS_MAX + 1);
    choose_worst_links(w, mesh, links, (int)link_count);
    for (uint32_t i = 0; i < link_count; ++i) {
        links[i].bidirectional = links[i].bidirectional || !world_one_in(w, 8);
    }
    tally.switched += switched && mesh->ground_class_count > 0;
    tally.linked += link_count > 0;
    world_shapes shapes;
    world_add_mixed_shapes(w, mesh, 3, &shapes);
    nav_avoid list[sizeof shapes.list / sizeof *shapes.list + 2];
    memcpy(list, shapes.list, sizeof shapes.list);
    const uint32_t count = shapes.count + add_walls(mesh, list + shapes.count);
    nav_overlay *state = NULL;
    const nav_overlay_items items = {.shapes = list,
                                     .shape_count = world_one_in(w, 6) ? 0 : count,
                                     .links = links,
                                     .link_count = link_count,
                                     .switches = switched ? world_random_state(w, mesh) : NULL};
    assert_int_equal(nav_overlay_create(mesh, scratch, NULL, &items, &state, NULL), NAV_OK);
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
    printf("%u pairs, %u parted, %u that only a search finds out; parts of %u states, %u of %u "
           "switched, %u linked\n",
           tally.pairs, tally.parted, tally.missed, tally.states, tally.switched, 1000u,
           tally.linked);
    if (getenv("NAV_PROPERTY_WORLDS") == NULL) {
        assert_true(tally.parted > 1000 && tally.states > 100);
        assert_true(tally.switched > 100 && tally.linked > 100);
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
