// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// erode.c: step 4, shrinks the walkable area by the agent's radius, so that from here on the
// agent is a point. A front starts at the rim of the walkable area and runs inwards by the radius;
// only what goes is visited.

#include "core/bake/front.h"

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

static bool has_cut(const nav_field *f)
{
    uint32_t uncut = 0;
    while (uncut < f->span_count && f->area[uncut] != NAV_AREA_NONE) {
        ++uncut;
    }
    return uncut < f->span_count;
}

// A span is on the rim if it lacks a walkable neighbour on some side. If nothing has been cut,
// all there are can be walked.
static nav_status start_at_rim(nav_front *front)
{
    const nav_field *f = front->field;
    const bool any_cut = has_cut(f);
    for (uint32_t i = 0; i < f->span_count; ++i) {
        if (nav_cancel_poll(front->job->cancel, 1)) {
            return nav_bake_end(front->job);
        }
        bool rim = nav_field_lacks_neighbour(f, i) ||
                   (any_cut && (f->area[i] == NAV_AREA_NONE || beside_cut(f, i)));
        if (rim && !nav_front_start(front, i)) {
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

static nav_status take_passed(const nav_front *front, nav_field *f)
{
    for (uint32_t i = 0; i < f->span_count; ++i) {
        if (nav_cancel_poll(front->job->cancel, 1)) {
            return nav_bake_end(front->job);
        }
        f->area[i] = nav_front_has_passed(front, i) ? NAV_AREA_NONE : f->area[i];
    }
    return NAV_OK;
}

nav_status nav_bake_erode(const nav_bake_job *job, nav_field *field)
{
    NAV_ASSERT(field->span_count == field->first[(size_t)field->width * field->depth]);
    nav_front front;
    nav_status status = nav_front_begin(&front, job, field, false);
    NAV_IF_OK(status, start_at_rim(&front));
    NAV_IF_OK(status, nav_front_run(&front, 2 * job->radius_cells));
    nav_front_end(&front);
    if (status == NAV_OK) {
        status = take_passed(&front, field);
        job->report->walkable_spans += count_walkable(job, field);
    }
    return status;
}
