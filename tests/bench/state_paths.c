// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// state_paths.c: questions in a state of a world. A path in a state with obstacles and switches is
// asked beside the same path on a mesh that is baked with the same holes: each circle is a cylinder
// of area "none" there, each closed switch its box, without the agent's radius, which a bake keeps
// from what it cuts. Holes of the bake are made of cells, so that both differ by up to a cell or
// two along their rims.

#include "tests/bench/state_bench.h"

#include <math.h>
#include <string.h>

#define PATH_SETS 5 // of shapes, each with a bake of its own
#define SWITCHES 20 // half of them closed
#define MEMORY_SETS 50
#define FENCE_SIDES 8
#define FENCE_RADIUS 2.0f
#define FENCE_AWAY 6.0f // a start is farther than this from the goal

// ---- paths beside a bake ----

typedef struct path_ask {
    float start[3], end[3];
    nav_path ours, theirs; // without their points
    double ours_ns, theirs_ns;
} path_ask;

// One set of obstacles: a state, and a mesh that has its holes.
typedef struct holed {
    const state_switched *switched;
    nav_overlay *state;
    nav_mesh *mesh;
    path_ask *asks; // bench.pairs
} holed;

// Paths begin and end on ground of the holed mesh, in places that the level connects.
static void make_asks(uint64_t *state, holed *h)
{
    const nav_mesh *mesh = h->switched->mesh;
    h->asks = malloc(bench.pairs * sizeof *h->asks);
    NAV_ASSERT(h->asks != NULL);
    for (uint32_t i = 0; i < bench.pairs;) {
        path_ask ask = {.ours_ns = HUGE_VAL, .theirs_ns = HUGE_VAL};
        nav_location ends[2];
        state_place(h->mesh, state, ask.start);
        state_place(h->mesh, state, ask.end);
        const nav_snap snap = nav_snap_default();
        if (nav_query_nearest(mesh, ask.start, snap, NAV_NONE, &ends[0], 1) > 0 &&
            nav_query_nearest(mesh, ask.end, snap, NAV_NONE, &ends[1], 1) > 0 &&
            nav_mesh_polygon(mesh, ends[0].polygon).component ==
                nav_mesh_polygon(mesh, ends[1].polygon).component) {
            h->asks[i++] = ask;
        }
    }
}

// The volumes of closed switches. Returns how many there are.
static uint32_t close_switches(const state_switched *s, nav_volume *out)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->count; ++i) {
        if (s->half[i] == NAV_SWITCH_CLOSED) {
            out[count] = s->boxes[i];
            out[count++].area = NAV_AREA_NONE;
        }
    }
    return count;
}

static void make_holed(const state_world *w, const state_switched *switched, uint64_t *state,
                       holed *h)
{
    nav_avoid shapes[STATE_SHAPES];
    nav_volume volumes[STATE_SHAPES + SWITCHES];
    nav_config config = w->config;
    nav_error err = {0};
    state_circles(w->mesh, false, state, shapes);
    for (uint32_t i = 0; i < STATE_SHAPES; ++i) {
        volumes[i] = (nav_volume){
            .shape = NAV_VOLUME_CYLINDER,
            .area = NAV_AREA_NONE,
            .min = {shapes[i].center[0], shapes[i].bottom, shapes[i].center[1]},
            .max = {shapes[i].center[0], shapes[i].top, shapes[i].center[1]},
            .radius = shapes[i].radius,
        };
    }
    config.volumes = volumes;
    config.volume_count = STATE_SHAPES + close_switches(switched, volumes + STATE_SHAPES);
    h->switched = switched;
    h->state = state_create(switched->mesh, w->scratch, NULL, shapes, STATE_SHAPES, switched->half);
    h->mesh = corpus_bake(w->geometry, &config, &err);
    NAV_ASSERT(h->mesh != NULL && corpus_add_landmarks(h->mesh, &err));
    make_asks(state, h);
}

static void free_holed(holed *h)
{
    nav_overlay_release(h->state);
    nav_mesh_release(h->mesh);
    free(h->asks);
}

static nav_path ask_path(const nav_mesh *mesh, nav_scratch *scratch, const path_ask *ask,
                         const nav_options *options, nav_search search, double *ns)
{
    nav_path_request request = {.options = *options, .search = search};
    nav_path path;
    memcpy(request.start, ask->start, sizeof request.start);
    memcpy(request.end, ask->end, sizeof request.end);
    const double begin = figures_now_ns();
    NAV_ASSERT(nav_query_path(mesh, scratch, &request, &path) == NAV_OK);
    *ns = fmin(*ns, figures_now_ns() - begin);
    return path;
}

static void ask_rounds(const state_world *w, nav_scratch *other, holed *h, nav_search search)
{
    const nav_options plain = nav_options_default();
    nav_options in_state = plain;
    in_state.overlay = h->state;
    for (uint32_t i = 0; i < bench.pairs; ++i) {
        h->asks[i].ours_ns = h->asks[i].theirs_ns = HUGE_VAL;
    }
    for (int round = 0; round < bench.rounds; ++round) {
        for (uint32_t i = 0; i < bench.pairs; ++i) {
            path_ask *a = &h->asks[i];
            a->ours = ask_path(h->switched->mesh, w->scratch, a, &in_state, search, &a->ours_ns);
            a->theirs = ask_path(h->mesh, other, a, &plain, search, &a->theirs_ns);
        }
    }
}

typedef struct path_tally {
    double *ours_ns, *theirs_ns; // of paths that both have
    uint32_t count, asked;
    uint32_t same_status, same_length, ours_optimal;
    double worst; // the largest difference of lengths, as a part
} path_tally;

static void tally_asks(const state_world *w, const holed *h, path_tally *t)
{
    for (uint32_t i = 0; i < bench.pairs; ++i) {
        const path_ask *a = &h->asks[i];
        ++t->asked;
        t->same_status += a->ours.status == a->theirs.status;
        if (a->ours.status == NAV_PATH_COMPLETE && a->theirs.status == NAV_PATH_COMPLETE) {
            const double apart = fabs(a->ours.length - a->theirs.length);
            const double allowed = fmax(0.02 * a->theirs.length, 2.0 * w->edge_error);
            t->same_length += apart <= allowed;
            t->worst = apart <= allowed ? t->worst : fmax(t->worst, apart / a->theirs.length);
            t->ours_optimal += a->ours.optimal;
            t->ours_ns[t->count] = a->ours_ns;
            t->theirs_ns[t->count++] = a->theirs_ns;
        }
    }
}

typedef struct path_case {
    const char *word;
    nav_search search;
} path_case;

static const path_case PATHS[] = {
    {"path, fast", NAV_SEARCH_FAST},
    {"path, exact", NAV_SEARCH_EXACT},
    {"path, auto", NAV_SEARCH_AUTO},
};

static void bench_path_case(const state_world *w, nav_scratch *other, holed sets[PATH_SETS],
                            const path_case *c)
{
    double *values = malloc(2 * (size_t)PATH_SETS * bench.pairs * sizeof *values);
    NAV_ASSERT(values != NULL);
    path_tally t = {.ours_ns = values, .theirs_ns = values + (size_t)PATH_SETS * bench.pairs};
    for (uint32_t i = 0; i < PATH_SETS; ++i) {
        ask_rounds(w, other, &sets[i], c->search);
        tally_asks(w, &sets[i], &t);
    }
    const figures ours = figures_of(t.ours_ns, t.count), theirs = figures_of(t.theirs_ns, t.count);
    state_row(w, c->word, t.count, ours, theirs);
    printf("# %s: %u of %u have the same status; of %u complete ones %u have the same length "
           "(the others differ by up to %.1f %%), %u are proven\n",
           w->name, t.same_status, t.asked, t.count, t.same_length, 100.0 * t.worst,
           t.ours_optimal);
    state_expect(ours.p50 <= 1.3 * theirs.p50, w, "median, times a baked mesh",
                 ours.p50 / theirs.p50, 1.3);
    state_expect(ours.p99 <= 3.0 * theirs.p99, w, "99th percentile, times a baked mesh",
                 ours.p99 / theirs.p99, 3.0);
    free(values);
}

void state_bench_paths(const state_world *w)
{
    holed sets[PATH_SETS];
    nav_scratch *other = NULL;
    uint64_t state = 42;
    NAV_ASSERT(nav_scratch_create(NULL, &other) == NAV_OK);
    state_switched *switched = state_switched_make(w, SWITCHES, &state);
    for (uint32_t i = 0; i < PATH_SETS; ++i) {
        make_holed(w, switched, &state, &sets[i]);
    }
    for (uint32_t i = 0; i < sizeof PATHS / sizeof *PATHS; ++i) {
        bench_path_case(w, other, sets, &PATHS[i]);
    }
    for (uint32_t i = 0; i < PATH_SETS; ++i) {
        free_holed(&sets[i]);
    }
    state_switched_free(switched);
    nav_scratch_destroy(other);
}

// ---- unreachable goals ----

// A fence of capsules around a place.
static nav_overlay *fence(const state_world *w, const float place[3])
{
    static const float AROUND[FENCE_SIDES][2] = {
        {1, 0},  {0.7071f, 0.7071f},   {0, 1},  {-0.7071f, 0.7071f},
        {-1, 0}, {-0.7071f, -0.7071f}, {0, -1}, {0.7071f, -0.7071f}};
    nav_avoid shapes[FENCE_SIDES];
    for (uint32_t i = 0; i < FENCE_SIDES; ++i) {
        const float *next = AROUND[(i + 1) % FENCE_SIDES];
        shapes[i] = state_circle(w->mesh, place, 0.3f);
        shapes[i].shape = NAV_AVOID_CAPSULE;
        for (int axis = 0; axis < 2; ++axis) {
            shapes[i].center[axis] = place[2 * axis] + FENCE_RADIUS * AROUND[i][axis];
            shapes[i].end[axis] = place[2 * axis] + FENCE_RADIUS * next[axis];
        }
    }
    return state_create(w->mesh, w->scratch, NULL, shapes, FENCE_SIDES, NULL);
}

void state_bench_fenced(const state_world *w)
{
    double *values = malloc(bench.pairs * sizeof *values);
    uint64_t state = 43;
    uint32_t count = 0;
    NAV_ASSERT(values != NULL);
    for (uint32_t tries = 0; tries < 20 * bench.pairs && count < bench.pairs; ++tries) {
        nav_path_request request = {.options = nav_options_default(), .no_partial = true};
        nav_path path;
        double ns = HUGE_VAL;
        state_place(w->mesh, &state, request.start);
        state_place(w->mesh, &state, request.end);
        NAV_ASSERT(nav_query_path(w->mesh, w->scratch, &request, &path) == NAV_OK);
        if (path.status != NAV_PATH_COMPLETE || path.length < (double)FENCE_AWAY) {
            continue;
        }
        nav_overlay *around = fence(w, request.end);
        request.options.overlay = around;
        for (int round = 0; round < bench.rounds; ++round) {
            const double begin = figures_now_ns();
            NAV_ASSERT(nav_query_path(w->mesh, w->scratch, &request, &path) == NAV_OK);
            ns = fmin(ns, figures_now_ns() - begin);
        }
        // Where ground is steep or the place has a floor above it, the fence may have a gap.
        if (path.status == NAV_PATH_NONE) {
            values[count++] = ns;
        }
        nav_overlay_release(around);
    }
    const figures ours = figures_of(values, count);
    state_row(w, "goal fenced in", count, ours, (figures){0});
    state_expect(ours.p99 <= 2.0, w, "goal fenced in, 99th percentile, us", ours.p99, 2.0);
    free(values);
}

// ---- memory ----

void state_bench_memory(const state_world *w)
{
    nav_avoid shapes[STATE_SHAPES];
    uint64_t state = 44, dice = 45;
    state_switched *switched = state_switched_make(w, SWITCHES, &dice);
    double most = 0.0, sum = 0.0;
    nav_overlay *empty = state_create(w->mesh, w->scratch, NULL, NULL, 0, NULL);
    const double bytes = (double)nav_overlay_bytes(empty);
    nav_overlay_release(empty);
    for (uint32_t i = 0; i < MEMORY_SETS; ++i) {
        state_circles(w->mesh, i % 2 == 0, &state, shapes);
        nav_overlay *made =
            state_create(switched->mesh, w->scratch, NULL, shapes, STATE_SHAPES, switched->half);
        const double size = (double)nav_overlay_bytes(made);
        most = fmax(most, size);
        sum += size;
        nav_overlay_release(made);
    }
    state_switched_free(switched);
    printf("# %s: a state with 20 switches and 8 obstacles has %.0f bytes on average\n", w->name,
           sum / MEMORY_SETS);
    fprintf(bench.csv, "%s,%u,bytes,%u,%.0f,%.0f,%.0f,\n", w->name, w->polygons, MEMORY_SETS, bytes,
            sum / MEMORY_SETS, most);
    state_expect(bytes <= 1024.0, w, "bytes of an empty state", bytes, 1024.0);
    state_expect(most <= 65536.0, w, "bytes with 20 switches and 8 obstacles, the most", most,
                 65536.0);
}
