// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// bake_erode.c: step 4, shrinks the walkable area by the agent's radius, so that from here on the
// agent is a point.

#include "bake.h"

// A span is on the rim if it lacks a walkable neighbour on some side.
static bool on_rim(const nav_field *f, uint32_t i)
{
    for (int direction = 0; direction < 4; ++direction) {
        uint32_t n = f->neighbours[i][direction];
        if (n == NAV_NONE || f->area[n] == NAV_AREA_NONE) {
            return true;
        }
    }
    return false;
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
    if (nav_bake_cancelled(job)) {
        return nav_fail(job->err, NAV_CANCELLED, "cancelled");
    }
    uint16_t *distance = NAV_NEW(job->scratch, uint16_t, field->span_count);
    if (distance == NULL) {
        return NAV_NO_MEMORY;
    }
    for (uint32_t i = 0; i < field->span_count; ++i) {
        bool rim = field->area[i] == NAV_AREA_NONE || on_rim(field, i);
        distance[i] = rim ? 0 : UINT16_MAX;
    }
    nav_field_chamfer(field, distance);
    uint32_t least = job->radius_cells * 2;
    for (uint32_t i = 0; i < field->span_count; ++i) {
        if (distance[i] < least) {
            field->area[i] = NAV_AREA_NONE;
        }
    }
    job->report->walkable_spans += count_walkable(job, field);
    return NAV_OK;
}
