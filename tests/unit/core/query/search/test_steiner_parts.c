// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// Over ground of several costs a path is never dearer than the one that there is where its dear
// shapes block, nor than its own parts before and behind a link, asked one by one. On a floor that
// is one polygon, and in a generated dungeon and town.

#include "tests/levels/levels.h"
#include "tests/unit/floors.h"
#include "tests/unit/visibility_world.h"

#define LINKS 2
#define DEAR_SHAPES_MAX 3
#define QUESTIONS 20
#define TOLERANCE_RATIO 1e-5
#define TOLERANCE 1e-4
// Labels and points on portals miss some cheaper paths: at most this share.
#define DEARER_SHARE_MAX 0.004

typedef struct question {
    const nav_mesh *mesh;
    nav_scratch *scratch;
    nav_options options;
    float start[3], end[3];
    uint64_t world;
} question;

static struct {
    uint32_t asked, dearer;
} tally;

// Result: the cost of a path between places that stay as they are; INFINITY: there is none.
static double cost_between(const question *q, const float from[3], const float to[3])
{
    nav_path_request request = {.options = q->options, .no_partial = true};
    nav_path path;
    memcpy(request.start, from, sizeof request.start);
    memcpy(request.end, to, sizeof request.end);
    assert_int_equal(nav_query_path(q->mesh, q->scratch, &request, &path), NAV_OK);
    const bool stays = path.status == NAV_PATH_COMPLETE &&
                       hypotf(path.start[0] - from[0], path.start[2] - from[2]) < 1e-5f &&
                       hypotf(path.end[0] - to[0], path.end[2] - to[2]) < 1e-5f;
    return stays ? path.cost : (double)INFINITY;
}

static void expect_no_dearer(const question *q, double cost, double other, const char *what)
{
    tally.asked += other < (double)INFINITY;
    if (cost > other * (1.0 + TOLERANCE_RATIO) + TOLERANCE) {
        ++tally.dearer;
        print_message(
            "# world %llu, %s: (%.9g %.9g %.9g) to (%.9g %.9g %.9g) costs %.6f, not %.6f\n",
            (unsigned long long)q->world, what, (double)q->start[0], (double)q->start[1],
            (double)q->start[2], (double)q->end[0], (double)q->end[1], (double)q->end[2], cost,
            other);
    }
}

// ---- worlds ----

static nav_avoid random_shape(world *w, const nav_mesh *mesh)
{
    static const nav_avoid_shape kinds[] = {NAV_AVOID_CIRCLE, NAV_AVOID_BOX, NAV_AVOID_CAPSULE};
    float at[3];
    world_random_place(w, mesh, at);
    const float width = world_chance(w, 1, 8), depth = world_chance(w, 1, 8);
    return (nav_avoid){.shape = kinds[random_below(&w->seed, 3)],
                       .center = {at[0], at[2]},
                       .radius = world_chance(w, 0.3f, 4),
                       .end = {at[0] + world_chance(w, -8, 8), at[2] + world_chance(w, -8, 8)},
                       .min = {at[0] - width, at[2] - depth},
                       .max = {at[0] + width, at[2] + depth},
                       .bottom = -100,
                       .top = 100,
                       .cost = world_chance(w, 1.2f, 6)};
}

static void ask_around(question *q, const nav_avoid *shapes, uint32_t count)
{
    nav_avoid closed[DEAR_SHAPES_MAX];
    q->options.avoid = shapes;
    q->options.avoid_count = count;
    const double cost = cost_between(q, q->start, q->end);
    for (uint32_t i = 0; i < count; ++i) {
        closed[i] = shapes[i];
        closed[i].blocked = true;
    }
    q->options.avoid = closed;
    expect_no_dearer(q, cost, cost_between(q, q->start, q->end), "shapes block");
    q->options.avoid = shapes;
}

static void ask_in_parts(const question *q)
{
    const double cost = cost_between(q, q->start, q->end);
    for (uint32_t i = 0; i < q->mesh->arc_count; ++i) {
        const nav_arc *arc = &q->mesh->arcs[i];
        const double over =
            (double)nav_link_cost(&q->mesh->costs, &q->mesh->links[arc->link], arc->length);
        const double parts =
            cost_between(q, q->start, arc->start) + over + cost_between(q, arc->end, q->end);
        expect_no_dearer(q, cost, parts, "over a link");
    }
}

static void ask_all(world *w, const nav_mesh *mesh, uint64_t number)
{
    question q = {.mesh = mesh, .options = nav_options_default(), .world = number};
    assert_int_equal(nav_scratch_create(NULL, &q.scratch), NAV_OK);
    for (int i = 0; i < QUESTIONS; ++i) {
        nav_avoid shapes[DEAR_SHAPES_MAX];
        const uint32_t count = 1 + random_below(&w->seed, DEAR_SHAPES_MAX);
        for (uint32_t k = 0; k < count; ++k) {
            shapes[k] = random_shape(w, mesh);
        }
        world_random_place(w, mesh, q.start);
        world_random_place(w, mesh, q.end);
        ask_around(&q, shapes, count);
        q.options.avoid_count = i % 2 == 0 ? 0 : count;
        ask_in_parts(&q);
    }
    nav_scratch_destroy(q.scratch);
}

// Bakes a level with areas in boxes, then once more with links between places of it.
static void ask_in_level(world *w, uint64_t number, bool priced)
{
    nav_link links[LINKS] = {0};
    float min[2], max[2];
    w->seed = 1 + 977 * number;
    w->config = nav_config_default();
    w->config.tile_cells = 0;
    w->config.agent_radius = 0.3f;
    for (int i = 0; i < 4; ++i) {
        w->areas[i] = (nav_area){.cost = i < 2 ? 1.0f : world_chance(w, 0.6f, 4)};
        snprintf(w->areas[i].name, sizeof w->areas[i].name, "area-%d", i);
        const float size = world_chance(w, 3, 12);
        min[0] = world_chance(w, 0, 40);
        min[1] = world_chance(w, 0, 40);
        max[0] = min[0] + size;
        max[1] = min[1] + world_chance(w, 3, 12);
        w->volumes[i] = (nav_volume){.shape = NAV_VOLUME_BOX,
                                     .area = (uint8_t)(2 + i % 2),
                                     .min = {min[0], -100, min[1]},
                                     .max = {max[0], 100, max[1]}};
    }
    w->config.areas = w->areas;
    w->config.area_count = 4;
    w->config.volumes = w->volumes;
    w->config.volume_count = priced ? 4 : 0;
    nav_mesh *mesh = world_bake(w, &w->config);
    for (int i = 0; i < LINKS; ++i) {
        world_random_place(w, mesh, links[i].start);
        world_random_place(w, mesh, links[i].end);
        links[i].radius = 1;
        links[i].area = NAV_AREA_GROUND;
        links[i].has_cost = true;
        links[i].cost = world_chance(w, 0, 10);
        links[i].bidirectional = world_one_in(w, 2);
    }
    w->config.links = links;
    w->config.link_count = LINKS;
    nav_mesh_release(mesh);
    mesh = world_bake(w, &w->config);
    world_add_landmarks(mesh);
    ask_all(w, mesh, number);
    nav_mesh_release(mesh);
}

// ---- tests ----

static world the_world;

static void expect_few(void)
{
    print_message("# %u of %u are dearer\n", tally.dearer, tally.asked);
    assert_true(tally.dearer <= tally.asked * DEARER_SHARE_MAX);
    assert_true(tally.asked > 500);
    memset(&tally, 0, sizeof tally);
}

static void none_is_dearer_than_around_or_in_parts(void **state)
{
    (void)state;
    soup s;
    soup_init(&s, 1);
    soup_floor(&s, 0, 0, 40, 40, 0);
    the_world.geometry = s.geometry;
    for (uint64_t number = 0; number < world_setting("NAV_PROPERTY_WORLDS", 40); ++number) {
        ask_in_level(&the_world, number, number % 2 == 1);
    }
    soup_free(&s);
    expect_few();
}

static void nor_in_levels(void **state)
{
    (void)state;
    for (uint64_t number = 0; number < world_setting("NAV_PROPERTY_WORLDS", 10); ++number) {
        level_mesh level;
        assert_true(
            levels_generate(number % 2 == 0 ? LEVEL_DUNGEON : LEVEL_TOWN, 2, 1 + number, &level));
        the_world.geometry = levels_geometry(&level);
        ask_in_level(&the_world, number, number % 3 > 0);
        levels_free(&level);
    }
    expect_few();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(none_is_dearer_than_around_or_in_parts),
        cmocka_unit_test(nor_in_levels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
