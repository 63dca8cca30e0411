// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// bake_erode.c: step 4, shrinks the walkable area by the agent's radius, so that from here on the
// agent is a point.
//
// A wave starts at the rim of the walkable area and runs inwards by the radius, 2 for a cell and 3
// for a diagonal one (the chamfer distance of Borgefors 1986). Only what goes is visited, in the
// order of its distance (Dial 1969).

#include "bake.h"

#include <string.h>

// The spans that the wave reaches at one distance.
typedef struct front {
    nav_arena arena;
    uint32_t *spans;
    uint32_t count, capacity;
} front;

// A step leads to at most 3 more.
#define FRONTS 4

typedef struct erosion {
    nav_field *field;
    uint8_t *reached; // by span: whether the wave has passed it
    front fronts[FRONTS];
} erosion;

static bool push(front *f, uint32_t span)
{
    if (f->count == f->capacity) {
        uint32_t capacity = f->capacity * 2 + 1024;
        uint32_t *spans = nav_arena_grow(&f->arena, f->spans, f->count, capacity, sizeof *spans);
        if (spans == NULL) {
            return false;
        }
        f->spans = spans;
        f->capacity = capacity;
    }
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

// A span is on the rim if it lacks a walkable neighbour on some side. Where nothing has been cut,
// all there are can be walked.
static bool start_at_rim(erosion *e)
{
    const nav_field *f = e->field;
    bool any_cut = memchr(f->area, NAV_AREA_NONE, f->span_count) != NULL;
    for (uint32_t i = 0; i < f->span_count; ++i) {
        bool rim = nav_field_lacks_neighbour(f, i) ||
                   (any_cut && (f->area[i] == NAV_AREA_NONE || beside_cut(f, i)));
        if (rim && !push(&e->fronts[0], i)) {
            return false;
        }
    }
    return true;
}

// Lets the wave run from the spans at `distance` to their neighbours, straight and around the
// corner.
static bool advance(erosion *e, uint32_t distance)
{
    const nav_field *f = e->field;
    front *here = &e->fronts[distance % FRONTS];
    front *straight = &e->fronts[(distance + 2) % FRONTS];
    front *diagonal = &e->fronts[(distance + 3) % FRONTS];
    for (uint32_t i = 0; i < here->count; ++i) {
        uint32_t span = here->spans[i];
        if (e->reached[span]) {
            continue;
        }
        e->reached[span] = true;
        for (int direction = 0; direction < 4; ++direction) {
            uint32_t n = nav_field_neighbour(f, span, direction);
            if (n == NAV_NONE) {
                continue;
            }
            uint32_t corner = nav_field_neighbour(f, n, (direction + 1) & 3);
            if ((!e->reached[n] && !push(straight, n)) ||
                (corner != NAV_NONE && !e->reached[corner] && !push(diagonal, corner))) {
                return false;
            }
        }
    }
    here->count = 0;
    return true;
}

static nav_status run_wave(const nav_bake_job *job, erosion *e)
{
    if (!start_at_rim(e)) {
        return NAV_NO_MEMORY;
    }
    for (uint32_t distance = 0; distance < 2 * job->radius_cells; ++distance) {
        if (nav_bake_cancelled(job)) {
            return nav_bake_end(job);
        }
        if (!advance(e, distance)) {
            return NAV_NO_MEMORY;
        }
    }
    return NAV_OK;
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

nav_status nav_bake_erode(const nav_bake_job *job, nav_field *field)
{
    NAV_ASSERT(field->span_count == field->first[(size_t)field->width * field->depth]);
    if (nav_bake_cancelled(job)) {
        return nav_bake_end(job);
    }
    erosion e = {.field = field, .reached = NAV_NEW_ZERO(job->scratch, uint8_t, field->span_count)};
    if (e.reached == NULL) {
        return NAV_NO_MEMORY;
    }
    for (int i = 0; i < FRONTS; ++i) {
        nav_arena_init_child(&e.fronts[i].arena, job->scratch);
    }
    nav_status status = run_wave(job, &e);
    for (int i = 0; i < FRONTS; ++i) {
        nav_arena_free(&e.fronts[i].arena);
    }
    for (uint32_t i = 0; status == NAV_OK && i < field->span_count; ++i) {
        field->area[i] = e.reached[i] ? NAV_AREA_NONE : field->area[i];
    }
    job->report->walkable_spans += count_walkable(job, field);
    return status;
}
