// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// Every kind of question that can take long looks at its deadline, whenever that comes it ends, and
// the next question of the same scratch is answered as if nothing had been.

#include "tests/unit/mesh_builder.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#define SIDE 60
#define POINTS 1000
#define SHAPES 16

typedef struct world {
    nav_mesh *mesh;
    nav_scratch *scratch;
    nav_options options;
    nav_filter filter;
    nav_avoid shapes[SHAPES];
    float points[POINTS][3];
    double times_ms[POINTS];
    uint32_t calls_left;
} world;

static world w;

// A field of 60 x 60 with a pillar here and there; area 2 is closed by the filter, so that what can
// be reached is flooded. The shapes overlap and so are much to cut.
static int begin(void **state)
{
    (void)state;
    char map[SIDE * (SIDE + 1) + 1] = "";
    for (int z = 0, at = 0; z < SIDE; ++z) {
        for (int x = 0; x < SIDE; ++x) {
            map[at++] = z % 7 == 3 && x % 7 == 3 ? '#' : z == SIDE - 1 ? '2' : '.';
        }
        map[at++] = z + 1 < SIDE ? '/' : '\0';
    }
    w.mesh = map_mesh(map);
    w.filter.area_costs[2] = INFINITY;
    for (int i = 0; i < POINTS; ++i) {
        const int turn = i % 50 < 25 ? i % 50 : 50 - i % 50;
        w.points[i][0] = 0.5f + (float)turn;
        w.points[i][2] = 0.5f;
        w.times_ms[i] = 1000.0 * (i + 1);
    }
    for (int i = 0; i < SHAPES; ++i) {
        w.shapes[i] = (nav_avoid){.shape = NAV_AVOID_CIRCLE,
                                  .cost = 2.0f,
                                  .center = {20.0f + 0.7f * (float)i, 30.0f},
                                  .radius = 9.0f,
                                  .bottom = -1.0f,
                                  .top = 1.0f};
    }
    return nav_scratch_create(NULL, &w.scratch) == NAV_OK ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    nav_mesh_release(w.mesh);
    nav_scratch_destroy(w.scratch);
    return 0;
}

static bool deadline_exceeded(void *calls_left)
{
    uint32_t *left = calls_left;
    return (*left)-- == 0;
}

// Asks one question; a number that tells its answers apart goes to *answer.
typedef nav_status (*ask)(double *answer);

static const float HERE[3] = {0.5f, 0.0f, 0.5f};
static const float THERE[3] = {58.5f, 0.0f, 57.5f};

static nav_status ask_reachable(double *answer)
{
    static bool out[POINTS];
    const nav_status status = nav_query_reachable(w.mesh, w.scratch, HERE, &w.options,
                                                  (const float(*)[3])w.points, POINTS, out);
    *answer = 0.0;
    for (int i = 0; i < POINTS; ++i) {
        *answer += out[i];
    }
    return status;
}

static nav_status ask_nearest(double *answer)
{
    nav_location place = {0};
    uint32_t count = 0;
    const nav_status status =
        nav_query_nearest_reachable(w.mesh, w.scratch, THERE, HERE, &w.options, &place, 1, &count);
    *answer = (double)(place.position[0] + place.position[2]);
    return status;
}

static nav_status ask_random(double *answer)
{
    static nav_location out[200];
    uint32_t count = 0;
    const nav_status status =
        nav_query_random(w.mesh, w.scratch, 7, HERE, 70.0f, &w.options, out, 200, &count);
    *answer = 0.0;
    for (uint32_t i = 0; i < count; ++i) {
        *answer += (double)out[i].position[0];
    }
    return status;
}

static nav_status ask_trace(double *answer)
{
    nav_trace trace = {0};
    const nav_trace_request request = {.positions = (const float(*)[3])w.points,
                                       .times_ms = w.times_ms,
                                       .count = POINTS,
                                       .max_speed = 5.0f,
                                       .options = w.options};
    const nav_status status = nav_query_trace(w.mesh, w.scratch, &request, &trace);
    *answer = trace.step;
    return status;
}

static nav_status ask_flood(double *answer)
{
    static nav_flood_polygon out[2 * SIDE * SIDE];
    nav_flood flood = {0};
    const nav_status status = nav_query_flood(w.mesh, w.scratch, HERE, 50.0, &w.options, out,
                                              sizeof out / sizeof out[0], &flood);
    *answer = flood.count;
    return status;
}

static nav_status ask_wall(double *answer)
{
    nav_wall wall = {0};
    const float middle[3] = {30.5f, 0.0f, 28.5f};
    const nav_status status = nav_query_wall(w.mesh, w.scratch, middle, 100.0f, &w.options, &wall);
    *answer = (double)wall.distance;
    return status;
}

static nav_status ask_move(double *answer)
{
    nav_move move = {0};
    const nav_status status = nav_query_move(w.mesh, w.scratch, HERE, THERE, &w.options, &move);
    *answer = (double)move.position[0];
    return status;
}

static nav_status ask_raycast(double *answer)
{
    nav_ray ray = {0};
    const nav_status status = nav_query_raycast(w.mesh, w.scratch, HERE, THERE, &w.options, &ray);
    *answer = (double)ray.t;
    return status;
}

static nav_status ask_floors(double *answer)
{
    nav_location place = {0};
    uint32_t count = 0;
    const nav_status status =
        nav_query_floors(w.mesh, w.scratch, 0.5f, 0.5f, &w.options, &place, 1, &count);
    *answer = count;
    return status;
}

// Paths and matrices end with a reason instead.
static nav_status ask_path(double *answer)
{
    nav_path path;
    nav_path_request request = {.options = w.options};
    memcpy(request.start, HERE, sizeof HERE);
    memcpy(request.end, THERE, sizeof THERE);
    const nav_status status = nav_query_path(w.mesh, w.scratch, &request, &path);
    *answer = path.cost;
    assert_true(path.lower_bound >= 0.0);
    // A whole path may have been found before either limit.
    const bool whole = path.status == NAV_PATH_COMPLETE;
    assert_true(whole || path.reason == NAV_REASON_DEADLINE);
    return status == NAV_OK && !whole ? NAV_CANCELLED : status;
}

static nav_status ask_matrix(double *answer)
{
    double costs[2];
    bool found[2];
    nav_matrix matrix = {.costs = costs, .sources_found = found, .targets_found = found + 1};
    const nav_matrix_request request = {.sources = &HERE,
                                        .targets = &THERE,
                                        .source_count = 1,
                                        .target_count = 1,
                                        .options = w.options};
    const nav_status status = nav_query_matrix(w.mesh, w.scratch, &request, &matrix);
    *answer = costs[0];
    assert_true(found[0] && found[1]);
    if (status == NAV_OK && matrix.reason == NAV_REASON_DEADLINE) {
        assert_true(isnan(costs[0]));
        return NAV_CANCELLED;
    }
    return status;
}

// The deadline comes at the first look, and at later and later ones until it comes too late; after
// each, the question is answered as ever. Returns about how often it was looked at.
static uint32_t come_at_every_look(ask question)
{
    double expected, answer;
    w.options.cancelled = NULL;
    assert_int_equal(question(&expected), NAV_OK);
    for (uint32_t looks = 0;; looks += 1 + looks / 2) {
        assert_true(looks < 10000);
        w.calls_left = looks;
        w.options.cancelled = deadline_exceeded;
        w.options.user = &w.calls_left;
        const nav_status status = question(&answer);
        const bool in_time = w.calls_left <= looks;
        w.options.cancelled = NULL;
        if (in_time) {
            assert_int_equal(status, NAV_OK);
            assert_true(answer == expected);
            return looks;
        }
        assert_true(status == NAV_CANCELLED || status == NAV_OK);
        // A path that is whole may be there before it is proven; all others are given up.
        assert_true(status == NAV_CANCELLED || question == ask_path);
        assert_int_equal(question(&answer), NAV_OK);
        assert_true(answer == expected);
    }
}

typedef struct kind {
    const char *word;
    ask question;
    uint32_t looks; // at least, without shapes
} kind;

static const kind KINDS[] = {
    {"reachable", ask_reachable, 15},
    {"nearest", ask_nearest, 4},
    {"random", ask_random, 10},
    {"trace", ask_trace, 60},
    {"flood", ask_flood, 10},
    {"wall", ask_wall, 0},
    {"move", ask_move, 5},
    {"raycast", ask_raycast, 0},
    {"floors", ask_floors, 0},
    {"path", ask_path, 1},
    {"matrix", ask_matrix, 3},
};

static void what_takes_long_is_cut_short(void **state)
{
    (void)state;
    w.options = (nav_options){.snap = nav_snap_default(), .filter = &w.filter};
    for (size_t i = 0; i < sizeof KINDS / sizeof KINDS[0]; ++i) {
        const uint32_t looks = come_at_every_look(KINDS[i].question);
        if (looks < KINDS[i].looks) {
            fail_msg("%s looked %u times", KINDS[i].word, looks);
        }
    }
}

static void so_is_the_cutting_of_shapes(void **state)
{
    (void)state;
    w.options = (nav_options){.snap = nav_snap_default(), .avoid = w.shapes, .avoid_count = SHAPES};
    for (size_t i = 0; i < sizeof KINDS / sizeof KINDS[0]; ++i) {
        if (KINDS[i].question == ask_trace || KINDS[i].question == ask_reachable) {
            continue; // as above, only longer
        }
        const uint32_t looks = come_at_every_look(KINDS[i].question);
        if (looks < 5) {
            fail_msg("%s looked %u times", KINDS[i].word, looks);
        }
    }
}

// ---- many links in one polygon ----

#define LINKS 600

static bool count_look(void *looks)
{
    ++*(uint32_t *)looks;
    return false;
}

// A square, and a field apart from it: links that cost nothing lead from one's first part to the
// other's and back, so that every search goes over all of them.
static nav_mesh *linked_mesh(void)
{
    static nav_link links[LINKS];
    uint64_t random = 7;
    for (int i = 0; i < LINKS; ++i) {
        links[i] = (nav_link){
            .radius = 1.0f, .bidirectional = true, .area = NAV_AREA_GROUND, .has_cost = true};
        for (int axis = 0; axis < 3; axis += 2) {
            links[i].start[axis] = 0.5f + 0.01f * (float)(next_random(&random) % 900);
            links[i].end[axis] = 20.5f + 0.01f * (float)(next_random(&random) % 900);
        }
    }
    const nav_config config = {.links = links, .link_count = LINKS};
    builder b;
    builder_init(&b);
    builder_rectangle(&b, 0, 0, 10, 10, 0);
    builder_rectangle(&b, 20, 20, 30, 30, 0);
    builder_rectangle(&b, 30, 20, 60, 30, 0);
    builder_rectangle(&b, 30, 30, 60, 60, 0);
    nav_mesh *mesh = builder_mesh_with(&b, &config, NULL);
    builder_free(&b);
    return mesh;
}

// A search that leaves a link looks at all the others: routes are many, entrances few.
static void ways_are_counted(ask question, uint32_t at_least)
{
    double answer;
    uint32_t looks = 0;
    w.options.cancelled = count_look;
    w.options.user = &looks;
    assert_int_equal(question(&answer), NAV_OK);
    if (looks < at_least) {
        fail_msg("looked %u times instead of %u", looks, at_least);
    }
}

static void so_are_ways_out_of_a_polygon(void **state)
{
    (void)state;
    nav_avoid dear = {.shape = NAV_AVOID_CIRCLE,
                      .cost = 2.0f,
                      .center = {5.0f, 5.0f},
                      .radius = 1.0f,
                      .bottom = -1.0f,
                      .top = 1.0f};
    nav_mesh *field = w.mesh;
    w.mesh = linked_mesh();
    w.options = (nav_options){.snap = nav_snap_default(), .avoid = &dear};
    for (uint32_t shapes = 0; shapes < 2; ++shapes) {
        w.options.avoid_count = shapes;
        ways_are_counted(ask_path, 50);
        ways_are_counted(ask_matrix, 50);
        ways_are_counted(ask_flood, 50);
    }
    nav_mesh_release(w.mesh);
    w.mesh = field;
}

static bool is_never_exceeded(void *user)
{
    (void)user;
    return false;
}

static bool is_always_exceeded(void *user)
{
    (void)user;
    return true;
}

static nav_path ask_around(const nav_avoid *shape, bool (*hook)(void *user), bool unhurried)
{
    nav_path path;
    nav_path_request request = {.options = {.snap = nav_snap_default(),
                                            .avoid = shape,
                                            .avoid_count = shape != NULL,
                                            .cancelled = hook,
                                            .unhurried = unhurried}};
    memcpy(request.start, HERE, sizeof HERE);
    memcpy(request.end, THERE, sizeof THERE);
    assert_int_equal(nav_query_path(w.mesh, w.scratch, &request, &path), NAV_OK);
    return path;
}

static void a_guard_changes_no_answer(void **state)
{
    (void)state;
    const nav_avoid aside = {.shape = NAV_AVOID_CIRCLE,
                             .blocked = true,
                             .center = {50.0f, 10.0f},
                             .radius = 3.0f,
                             .bottom = -1.0f,
                             .top = 1.0f};
    for (int shapes = 0; shapes < 2; ++shapes) {
        const nav_avoid *shape = shapes > 0 ? &aside : NULL;
        const nav_path unobstructed = ask_around(shape, NULL, false);
        const nav_path guarded = ask_around(shape, is_never_exceeded, true);
        const nav_path hurried = ask_around(shape, is_never_exceeded, false);
        assert_true(unobstructed.optimal);
        assert_true(guarded.cost == unobstructed.cost &&
                    guarded.lower_bound == unobstructed.lower_bound);
        assert_int_equal(guarded.nodes_expanded, unobstructed.nodes_expanded);
        assert_int_not_equal(hurried.nodes_expanded, unobstructed.nodes_expanded);
    }
}

static void a_guard_ends_what_takes_too_long(void **state)
{
    (void)state;
    nav_mesh *field = w.mesh;
    w.mesh = linked_mesh();
    const nav_path unobstructed = ask_around(NULL, NULL, false);
    const nav_path late = ask_around(NULL, is_always_exceeded, true);
    assert_true(unobstructed.optimal);
    assert_true(4 * late.nodes_expanded < unobstructed.nodes_expanded);
    assert_true(late.lower_bound <= unobstructed.cost);
    nav_mesh_release(w.mesh);
    w.mesh = field;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_takes_long_is_cut_short),
        cmocka_unit_test(so_is_the_cutting_of_shapes),
        cmocka_unit_test(so_are_ways_out_of_a_polygon),
        cmocka_unit_test(a_guard_changes_no_answer),
        cmocka_unit_test(a_guard_ends_what_takes_too_long),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
