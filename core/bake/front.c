// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// front.c: a front runs by 2 for a cell and 3 for a diagonal one (the chamfer distance of
// Borgefors 1986). Only what it passes is visited, in the order of its distance (Dial 1969).

#include "core/bake/front.h"

// States of a span. The front comes by rising distance: a span that waits for a straight step
// is not reached any sooner, and one that waits for a diagonal one by a straight one at most.
enum {
    UNSEEN,
    WAITS_DIAGONAL,
    WAITS_STRAIGHT,
    PASSED = NAV_FRONT_PASSED
};

static inline bool list_push(nav_front_list *l, uint32_t span)
{
    if (l->count == l->capacity) {
        uint32_t capacity = l->capacity + l->capacity / 2 + 256;
        uint32_t *spans = nav_arena_regrow(&l->arena, l->spans, l->count, capacity, sizeof *spans);
        if (spans == NULL) {
            return false;
        }
        l->spans = spans;
        l->capacity = capacity;
    }
    l->spans[l->count++] = span;
    return true;
}

// Lets a span wait in a list, unless it waits for no later one already.
static inline bool push(nav_front *f, nav_front_list *l, uint32_t span, uint8_t state)
{
    if (f->state[span] >= state) {
        return true;
    }
    f->state[span] = state;
    return list_push(l, span);
}

// Lets the front run from the spans at `distance` to their neighbours, straight and around the
// corner, as far as `end`.
static nav_status advance(nav_front *front, uint32_t distance, uint32_t end)
{
    const nav_field *f = front->field;
    nav_front_list *here = &front->lists[distance % NAV_FRONT_LISTS];
    nav_front_list *straight = &front->lists[(distance + 2) % NAV_FRONT_LISTS];
    nav_front_list *diagonal = &front->lists[(distance + 3) % NAV_FRONT_LISTS];
    for (uint32_t i = 0; i < here->count; ++i) {
        if (nav_cancel_poll(front->job->cancel, 1)) {
            return nav_bake_end(front->job);
        }
        uint32_t span = here->spans[i];
        if (front->state[span] == PASSED) {
            continue;
        }
        front->state[span] = PASSED;
        if (front->lists_passed && !list_push(&front->passed, span)) {
            return NAV_NO_MEMORY;
        }
        for (int direction = 0; direction < 4 && distance + 2 < end; ++direction) {
            uint32_t n = nav_field_neighbour(f, span, direction);
            if (n == NAV_NONE) {
                continue;
            }
            uint32_t corner =
                distance + 3 < end ? nav_field_neighbour(f, n, (direction + 1) & 3) : NAV_NONE;
            if (!push(front, straight, n, WAITS_STRAIGHT) ||
                (corner != NAV_NONE && !push(front, diagonal, corner, WAITS_DIAGONAL))) {
                return NAV_NO_MEMORY;
            }
        }
    }
    here->count = 0;
    return NAV_OK;
}

bool nav_front_list_add(nav_front_list *list, uint32_t span)
{
    return list_push(list, span);
}

nav_status nav_front_begin(nav_front *front, const nav_bake_job *job, const nav_field *field,
                           bool lists_passed)
{
    *front = (nav_front){.job = job,
                         .field = field,
                         .state = NAV_NEW(job->scratch, uint8_t, field->span_count),
                         .lists_passed = lists_passed};
    for (int i = 0; i < NAV_FRONT_LISTS; ++i) {
        nav_arena_init_child(&front->lists[i].arena, job->scratch);
    }
    nav_arena_init_child(&front->passed.arena, job->scratch);
    if (front->state == NULL) {
        return NAV_NO_MEMORY;
    }
    return nav_bake_clear(job, front->state, field->span_count) ? NAV_OK : nav_bake_end(job);
}

void nav_front_end(nav_front *front)
{
    for (int i = 0; i < NAV_FRONT_LISTS; ++i) {
        nav_arena_free(&front->lists[i].arena);
    }
    nav_arena_free(&front->passed.arena);
}

bool nav_front_start(nav_front *front, uint32_t span)
{
    NAV_DCHECK(span < front->field->span_count);
    return push(front, &front->lists[0], span, WAITS_STRAIGHT);
}

nav_status nav_front_run(nav_front *front, uint32_t end)
{
    nav_status status = NAV_OK;
    for (uint32_t distance = 0; status == NAV_OK && distance < end; ++distance) {
        status = advance(front, distance, end);
    }
    return status;
}

void nav_front_restart(nav_front *front)
{
    NAV_ASSERT(front->lists_passed);
    for (uint32_t i = 0; i < front->passed.count; ++i) {
        front->state[front->passed.spans[i]] = UNSEEN;
    }
    front->passed.count = 0;
}
