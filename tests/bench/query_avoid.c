// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// query_avoid.c: see query_avoid.h. Detour has nothing like it: its tile cache has obstacles, but
// they are of the world, not of a question, and rebuild tiles.

#include "query_avoid.h"

#include "tests/bench/figures.h"
#include "tests/oracle/corpus.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SHAPES_MAX 64
// How far from the line or the way a circle's center may lie, along x and z. World units.
#define BESIDE 3.0f
#define TARGETS 32 // of a matrix, ends of the pairs that follow

typedef struct shape_case {
    const char *word;
    uint32_t count;
    bool on_way;   // centers on the way without shapes; else near the straight line
    bool anywhere; // or on any ground
    float cost;    // 0: circles that block; else one box that makes ground so much dearer
} shape_case;

static const shape_case CASES[] = {
    {.word = "1 near", .count = 1},
    {.word = "8 near", .count = 8},
    {.word = "64 near", .count = 64},
    {.word = "8 on the way", .count = 8, .on_way = true},
    {.word = "8 anywhere", .count = 8, .anywhere = true},
    {.word = "dear box", .count = 1, .cost = 4.0f},
};

// The questions of one pair.
typedef struct shaped {
    nav_avoid shapes[SHAPES_MAX];
    uint32_t count;
    nav_overlay *state; // that has the shapes; NULL: they are the question's own
} shaped;

// Of one kind of search over all pairs.
typedef struct tally {
    double *plain_ns, *shaped_ns; // least, by pair
    uint32_t complete, optimal;   // with shapes
} tally;

static float fraction(uint64_t *state, float low, float high)
{
    return low + (high - low) * corpus_random_fraction(state);
}

// The place at a part of a path's length in plan view.
static void place_along(const float *points, uint32_t count, float part, float out[3])
{
    float left = 0.0f;
    for (int pass = 0; pass < 2; ++pass) {
        for (uint32_t i = 1; i < count; ++i) {
            const float *a = points + 3 * (i - 1), *b = points + 3 * i;
            const float length = hypotf(b[0] - a[0], b[2] - a[2]);
            if (pass == 1 && (left <= length || i + 1 == count)) {
                const float t = length > 0.0f ? fminf(left / length, 1.0f) : 0.0f;
                for (int axis = 0; axis < 3; ++axis) {
                    out[axis] = a[axis] + (b[axis] - a[axis]) * t;
                }
                return;
            }
            left += pass == 0 ? length : -length;
        }
        left *= part;
    }
}

// A circle or a box on the ground next to a place, as high as an agent.
static nav_avoid shape_at(const nav_mesh *mesh, const shape_case *c, const float place[3],
                          uint64_t *state)
{
    float at[3] = {place[0], place[1], place[2]};
    nav_location ground;
    if (nav_query_nearest(mesh, at, (nav_snap){1, 50, 50}, NAV_NONE, &ground, 1) > 0) {
        at[1] = ground.position[1];
    }
    at[0] += fraction(state, -BESIDE, BESIDE);
    at[2] += fraction(state, -BESIDE, BESIDE);
    const float radius = fraction(state, 1.0f, 3.0f), high = nav_mesh_agent_height(mesh);
    nav_avoid shape = {.shape = c->cost > 0.0f ? NAV_AVOID_BOX : NAV_AVOID_CIRCLE,
                       .center = {at[0], at[2]},
                       .radius = radius,
                       .min = {at[0] - 3 * radius, at[2] - 3 * radius},
                       .max = {at[0] + 3 * radius, at[2] + 3 * radius},
                       .bottom = at[1] - high,
                       .top = at[1] + high,
                       .blocked = c->cost == 0.0f,
                       .cost = c->cost};
    return shape;
}

static nav_path ask(const query_world *w, nav_scratch *scratch, const query_pair *pair,
                    const shaped *with, nav_search search, double *ns)
{
    nav_path_request request = {.options = nav_options_default(), .search = search};
    if (with != NULL && with->state != NULL) {
        request.options.overlay = with->state;
    } else if (with != NULL) {
        request.options.avoid = with->shapes;
        request.options.avoid_count = with->count;
    }
    memcpy(request.start, pair->start, sizeof request.start);
    memcpy(request.end, pair->end, sizeof request.end);
    nav_path path;
    const double begin = figures_now_ns();
    NAV_ASSERT(nav_query_path(w->ours, scratch, &request, &path) == NAV_OK);
    *ns = fmin(*ns, figures_now_ns() - begin);
    return path;
}

static void make_shapes(const query_world *w, nav_scratch *scratch, const shape_case *c,
                        const query_pair *pair, uint64_t *state, shaped *out)
{
    float ends[2][3];
    double ns = HUGE_VAL;
    memcpy(ends[0], pair->start, sizeof ends[0]);
    memcpy(ends[1], pair->end, sizeof ends[1]);
    const nav_path way = ask(w, scratch, pair, NULL, NAV_SEARCH_AUTO, &ns);
    out->count = c->count;
    out->state = NULL;
    for (uint32_t i = 0; i < c->count; ++i) {
        float at[3];
        const float part = fraction(state, 0.15f, 0.85f);
        if (c->anywhere) {
            corpus_random_point(w->ours, w->polygons, state, at);
        } else {
            place_along(c->on_way ? way.points : ends[0], c->on_way ? way.point_count : 2, part,
                        at);
        }
        out->shapes[i] = shape_at(w->ours, c, at, state);
    }
}

static void ask_rounds(const query_world *w, nav_scratch *scratch, uint32_t count, int rounds,
                       const shaped *with, nav_search search, tally *t)
{
    for (uint32_t i = 0; i < count; ++i) {
        t->plain_ns[i] = t->shaped_ns[i] = HUGE_VAL;
    }
    for (int round = 0; round < rounds; ++round) {
        t->complete = t->optimal = 0;
        for (uint32_t i = 0; i < count; ++i) {
            // The first one reads the mesh from memory, whichever it is, and is not counted.
            double first_ns = HUGE_VAL;
            ask(w, scratch, &w->pairs[i], NULL, search, &first_ns);
            ask(w, scratch, &w->pairs[i], NULL, search, &t->plain_ns[i]);
            const nav_path path = ask(w, scratch, &w->pairs[i], &with[i], search, &t->shaped_ns[i]);
            t->complete += path.status == NAV_PATH_COMPLETE;
            t->optimal += path.optimal;
        }
    }
}

// The same shapes in a state of the world for each pair.
static void state_rounds(const query_world *w, nav_scratch *scratch, uint32_t count, int rounds,
                         shaped *with, tally *t)
{
    for (uint32_t i = 0; i < count; ++i) {
        const nav_overlay_items items = {.shapes = with[i].shapes, .shape_count = with[i].count};
        NAV_ASSERT(nav_overlay_create(w->ours, scratch, NULL, &items, &with[i].state, NULL) ==
                   NAV_OK);
    }
    ask_rounds(w, scratch, count, rounds, with, NAV_SEARCH_FAST, t);
    for (uint32_t i = 0; i < count; ++i) {
        nav_overlay_release(with[i].state);
        with[i].state = NULL;
    }
}

// The costs from a pair's start to the ends of TARGETS pairs.
static nav_matrix ask_matrix(const query_world *w, nav_scratch *scratch, uint32_t index,
                             const shaped *with, double costs[TARGETS], double *ns)
{
    nav_matrix_request request = {.options = nav_options_default(),
                                  .sources = (const float(*)[3])w->pairs[index].start,
                                  .source_count = 1,
                                  .target_count = TARGETS};
    float targets[TARGETS][3];
    for (uint32_t i = 0; i < TARGETS; ++i) {
        memcpy(targets[i], w->pairs[(index + i) % w->pair_count].end, sizeof targets[i]);
    }
    request.targets = (const float(*)[3])targets;
    request.options.avoid = with != NULL ? with->shapes : NULL;
    request.options.avoid_count = with != NULL ? with->count : 0;
    nav_matrix matrix = {.costs = costs};
    const double begin = figures_now_ns();
    NAV_ASSERT(nav_query_matrix(w->ours, scratch, &request, &matrix) == NAV_OK);
    *ns = fmin(*ns, figures_now_ns() - begin);
    return matrix;
}

static void matrix_rounds(const query_world *w, nav_scratch *scratch, uint32_t count, int rounds,
                          const shaped *with, tally *t)
{
    double costs[TARGETS];
    for (uint32_t i = 0; i < count; ++i) {
        t->plain_ns[i] = t->shaped_ns[i] = HUGE_VAL;
    }
    for (int round = 0; round < rounds; ++round) {
        t->complete = t->optimal = 0;
        for (uint32_t i = 0; i < count; ++i) {
            ask_matrix(w, scratch, i, NULL, costs, &t->plain_ns[i]);
            const nav_matrix matrix = ask_matrix(w, scratch, i, &with[i], costs, &t->shaped_ns[i]);
            t->complete += costs[0] < HUGE_VAL;
            t->optimal += matrix.optimal;
        }
    }
}

static void print_case(const query_world *w, const char *word, const char *search, uint32_t count,
                       const tally *t, FILE *csv)
{
    const figures plain = figures_of(t->plain_ns, count), with = figures_of(t->shaped_ns, count);
    printf("%-14s %7u avoid %-12s %-6s p50 %8.2f us, %5.1f times without; p99 %8.2f, %5.1f; "
           "%3.0f %% complete, %3.0f %% proven\n",
           w->name, w->polygons, word, search, with.p50, with.p50 / plain.p50, with.p99,
           with.p99 / plain.p99, 100.0 * t->complete / count, 100.0 * t->optimal / count);
    fprintf(csv, "%s,%u,avoid %s %s,%u,%.3f,%.3f,%.3f,%.3f,\n", w->name, w->polygons, word, search,
            count, with.p50, plain.p50, with.p99, plain.p99);
    fflush(stdout);
}

void query_avoid_bench(const query_world *w, uint32_t pair_count, int rounds, FILE *csv)
{
    const uint32_t count = pair_count < w->pair_count ? pair_count : w->pair_count;
    shaped *with = malloc(((size_t)count + 1) * sizeof *with);
    double *ns = malloc(2 * ((size_t)count + 1) * sizeof *ns);
    nav_scratch *scratch = NULL;
    NAV_ASSERT(with != NULL && ns != NULL && nav_scratch_create(NULL, &scratch) == NAV_OK);
    uint64_t state = 77;
    for (uint32_t k = 0; k < sizeof CASES / sizeof CASES[0] && count > 0; ++k) {
        tally t = {.plain_ns = ns, .shaped_ns = ns + count};
        for (uint32_t i = 0; i < count; ++i) {
            make_shapes(w, scratch, &CASES[k], &w->pairs[i], &state, &with[i]);
        }
        ask_rounds(w, scratch, count, rounds, with, NAV_SEARCH_FAST, &t);
        print_case(w, CASES[k].word, "fast", count, &t, csv);
        state_rounds(w, scratch, count, rounds, with, &t);
        print_case(w, CASES[k].word, "state", count, &t, csv);
        ask_rounds(w, scratch, count, rounds, with, NAV_SEARCH_AUTO, &t);
        print_case(w, CASES[k].word, "auto", count, &t, csv);
        matrix_rounds(w, scratch, count, rounds, with, &t);
        print_case(w, CASES[k].word, "matrix", count, &t, csv);
    }
    nav_scratch_destroy(scratch);
    free(ns);
    free(with);
}
