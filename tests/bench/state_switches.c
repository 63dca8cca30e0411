// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// state_switches.c: the level with switches, each a small box somewhere on its ground. Whether one
// place leads to another while half of them are closed, and while all are open, beside the level
// without switches.

#include "tests/bench/state_bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

state_switched *state_switched_make(const state_world *w, uint32_t count, uint64_t *state)
{
    state_switched *s = malloc(sizeof *s);
    NAV_ASSERT(s != NULL && count <= STATE_SWITCHES_MAX);
    s->count = count;
    nav_config config = w->config;
    nav_error err = {0};
    for (uint32_t i = 0; i < count; ++i) {
        float at[3];
        state_place(w->mesh, state, at);
        s->boxes[i] = (nav_volume){.shape = NAV_VOLUME_BOX};
        for (int axis = 0; axis < 3; ++axis) {
            s->boxes[i].min[axis] = at[axis] - 0.5f;
            s->boxes[i].max[axis] = at[axis] + 0.5f;
        }
        s->list[i] = (nav_switch){.shapes = &s->boxes[i], .shape_count = 1};
        snprintf(s->list[i].id, sizeof s->list[i].id, "switch-%04u", i);
        s->half[i] = i % 2 == 0 ? NAV_SWITCH_CLOSED : NAV_SWITCH_OPEN;
        s->open[i] = NAV_SWITCH_OPEN;
    }
    config.switches = s->list;
    config.switch_count = count;
    s->mesh = corpus_bake(w->geometry, &config, &err);
    NAV_ASSERT(s->mesh != NULL && corpus_add_landmarks(s->mesh, &err));
    return s;
}

void state_switched_free(state_switched *s)
{
    nav_mesh_release(s->mesh);
    free(s);
}

// The time of whether each of some pairs of places is connected; with the state of the switches,
// or NULL. *connected: how many are.
static figures ask_reachable(const state_world *w, nav_mesh *mesh, const uint8_t *switches,
                             uint32_t *connected)
{
    nav_overlay *in = state_create(mesh, w->scratch, NULL, NULL, 0, switches);
    double *values = malloc(bench.pairs * sizeof *values);
    uint64_t state = 45;
    NAV_ASSERT(values != NULL);
    *connected = 0;
    for (uint32_t i = 0; i < bench.pairs; ++i) {
        nav_options options = nav_options_default();
        float start[3], end[1][3];
        bool leads = false;
        options.overlay = in;
        state_place(w->mesh, &state, start);
        state_place(w->mesh, &state, end[0]);
        values[i] = HUGE_VAL;
        for (int round = 0; round < bench.rounds; ++round) {
            const double begin = figures_now_ns();
            NAV_ASSERT(nav_query_reachable(mesh, w->scratch, start, &options,
                                           (const float(*)[3])end, 1, &leads) == NAV_OK);
            values[i] = fmin(values[i], figures_now_ns() - begin);
        }
        *connected += leads;
    }
    nav_overlay_release(in);
    const figures out = figures_of(values, bench.pairs);
    free(values);
    return out;
}

// Result: the 99th percentile with half of them closed, in us.
static double bench_count(const state_world *w, uint32_t count)
{
    uint64_t state = 46;
    uint32_t plain, open, half;
    char row[64];
    state_switched *s = state_switched_make(w, count, &state);
    const figures without = ask_reachable(w, w->mesh, NULL, &plain);
    const figures all_open = ask_reachable(w, s->mesh, s->open, &open);
    const figures half_open = ask_reachable(w, s->mesh, s->half, &half);
    snprintf(row, sizeof row, "%u switches, open", count);
    state_row(w, row, bench.pairs, all_open, without);
    snprintf(row, sizeof row, "%u switches, half", count);
    state_row(w, row, bench.pairs, half_open, without);
    printf("# %s: of %u pairs %u are connected without switches, %u with all open, %u with half "
           "closed\n",
           w->name, bench.pairs, plain, open, half);
    state_switched_free(s);
    return half_open.p99;
}

void state_bench_switches(const state_world *w)
{
    const double p99 = bench_count(w, 20);
    state_expect(p99 <= 2.0, w, "20 switches, 99th percentile, us", p99, 2.0);
    const double many = bench_count(w, STATE_SWITCHES_MAX);
    state_expect(many <= 2.0, w, "1,000 switches, 99th percentile, us", many, 2.0);
}
