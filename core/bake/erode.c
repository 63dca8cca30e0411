// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// erode.c: step 4, shrinks the walkable area by the agent's radius, so that from here on the
// agent is a point.
//
// A front starts at the rim of the walkable area and runs inwards by the radius, 2 for a cell and 3
// for a diagonal one (the chamfer distance of Borgefors 1986). Only what goes is visited, in the
// order of its distance (Dial 1969).

#include "core/bake/stages.h"

#include <string.h>

// The spans that the front reaches at one distance.
typedef struct front {
    nav_arena arena;
    uint32_t *spans;
    uint32_t count, capacity;
} front;

// A step leads to at most 3 more.
#define FRONTS 4

// States of a span. The front comes by rising distance: a span that waits for a straight step
// is not reached any sooner, and one that waits for a diagonal one by a straight one at most.
enum {
    UNSEEN,
    WAITS_DIAGONAL,
    WAITS_STRAIGHT,
    PASSED
};

typedef struct erosion {
    const nav_bake_job *job;
    nav_field *field;
    uint8_t *state; // by span
    front fronts[FRONTS];
} erosion;

// Lets a span wait in a front, unless it waits for no later one already.
static inline bool push(erosion *e, front *f, uint32_t span, uint8_t state)
{
    if (e->state[span] >= state) {
        return true;
    }
    if (f->count == f->capacity) {
        uint32_t capacity = f->capacity + f->capacity / 2 + 256;
        uint32_t *spans = nav_arena_regrow(&f->arena, f->spans, f->count, capacity, sizeof *spans);
        if (spans == NULL) {
            return false;
        }
        f->spans = spans;
        f->capacity = capacity;
    }
    e->state[span] = state;
    f->spans[f->count++] = span;
    return true;
}

// Whether a span that has all its neighbours lacks a walkable one.
static bool beside_cut(const nav_field *f, uint32_t i)
{
    for (int direction = 0; direction < 4; ++direction) {
        if (f->area[nav_field_neighbour(f, i, direction)] == NAV_AREA_NONE) {
            return true;
        }
    }
    return false;
}

// A span is on the rim if it lacks a walkable neighbour on some side. If nothing has been cut,
// all there are can be walked.
static nav_status start_at_rim(erosion *e)
{
    const nav_field *f = e->field;
    bool any_cut = f->span_count > 0 && memchr(f->area, NAV_AREA_NONE, f->span_count) != NULL;
    for (uint32_t i = 0; i < f->span_count; ++i) {
        if (nav_cancel_poll(e->job->cancel, 1)) {
            return nav_bake_end(e->job);
        }
        bool rim = nav_field_lacks_neighbour(f, i) ||
                   (any_cut && (f->area[i] == NAV_AREA_NONE || beside_cut(f, i)));
        if (rim && !push(e, &e->fronts[0], i, WAITS_STRAIGHT)) {
            return NAV_NO_MEMORY;
        }
    }
    return NAV_OK;
}

// Lets the front run from the spans at `distance` to their neighbours, straight and around the
// corner, as far as `end`.
static nav_status advance(erosion *e, uint32_t distance, uint32_t end)
{
    const nav_field *f = e->field;
    front *here = &e->fronts[distance % FRONTS];
    front *straight = &e->fronts[(distance + 2) % FRONTS];
    front *diagonal = &e->fronts[(distance + 3) % FRONTS];
    for (uint32_t i = 0; i < here->count; ++i) {
        if (nav_cancel_poll(e->job->cancel, 1)) {
            return nav_bake_end(e->job);
        }
        uint32_t span = here->spans[i];
        if (e->state[span] == PASSED) {
            continue;
        }
        e->state[span] = PASSED;
        for (int direction = 0; direction < 4 && distance + 2 < end; ++direction) {
            uint32_t n = nav_field_neighbour(f, span, direction);
            if (n == NAV_NONE) {
                continue;
            }
            uint32_t corner =
                distance + 3 < end ? nav_field_neighbour(f, n, (direction + 1) & 3) : NAV_NONE;
            if (!push(e, straight, n, WAITS_STRAIGHT) ||
                (corner != NAV_NONE && !push(e, diagonal, corner, WAITS_DIAGONAL))) {
                return NAV_NO_MEMORY;
            }
        }
    }
    here->count = 0;
    return NAV_OK;
}

static nav_status run_erosion(erosion *e)
{
    uint32_t end = 2 * e->job->radius_cells;
    nav_status status = start_at_rim(e);
    for (uint32_t distance = 0; status == NAV_OK && distance < end; ++distance) {
        status = advance(e, distance, end);
    }
    return status;
}

// In the tile, without its padding.
static uint64_t count_walkable(const nav_bake_job *job, const nav_field *field)
{
    uint64_t walkable = 0;
    uint32_t border = job->border_cells;
    for (uint32_t z = border; z < field->depth - border; ++z) {
        const uint32_t *row = field->first + (size_t)z * field->width;
        for (uint32_t i = row[border]; i < row[field->width - border]; ++i) {
            walkable += field->area[i] != NAV_AREA_NONE;
        }
    }
    return walkable;
}

static nav_status take_passed(const erosion *e)
{
    nav_field *f = e->field;
    for (uint32_t i = 0; i < f->span_count; ++i) {
        if (nav_cancel_poll(e->job->cancel, 1)) {
            return nav_bake_end(e->job);
        }
        f->area[i] = e->state[i] == PASSED ? NAV_AREA_NONE : f->area[i];
    }
    return NAV_OK;
}

nav_status nav_bake_erode(const nav_bake_job *job, nav_field *field)
{
    NAV_ASSERT(field->span_count == field->first[(size_t)field->width * field->depth]);
    erosion e = {
        .job = job, .field = field, .state = NAV_NEW(job->scratch, uint8_t, field->span_count)};
    if (e.state == NULL) {
        return NAV_NO_MEMORY;
    }
    if (!nav_bake_clear(job, e.state, field->span_count)) {
        return nav_bake_end(job);
    }
    for (int i = 0; i < FRONTS; ++i) {
        nav_arena_init_child(&e.fronts[i].arena, job->scratch);
    }
    nav_status status = run_erosion(&e);
    for (int i = 0; i < FRONTS; ++i) {
        nav_arena_free(&e.fronts[i].arena);
    }
    if (status == NAV_OK) {
        status = take_passed(&e);
        job->report->walkable_spans += count_walkable(job, field);
    }
    return status;
}
