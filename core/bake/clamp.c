// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// clamp.c: settings in world units become whole cells. Where that makes something else of one,
// the bake says so: an author who asks for steps of 0.3 on cells of 0.2 gets steps of 0.2.

#include "core/bake/bake.h"

#include <math.h>

// A setting that becomes larger or smaller by more than this part of it is told of. The defaults
// stay below.
#define CLAMP_PART_MAX 0.2f

static void check(const nav_bake_job *job, const char *name, float asked, uint32_t cells,
                  float cell)
{
    const float became = (float)cells * cell;
    if (fabsf(became - asked) > CLAMP_PART_MAX * asked) {
        const float nowhere[3] = {0, 0, 0};
        nav_warning_add(&job->report->warnings[NAV_WARN_VALUE_CLAMPED], nowhere, became, name);
    }
}

void nav_bake_warn_clamped(const nav_bake_job *job)
{
    const nav_config *c = job->config;
    check(job, "agent.radius", c->agent_radius, job->radius_cells, c->cell_size);
    check(job, "agent.height", c->agent_height, job->height_min_cells, c->cell_height);
    check(job, "agent.max_climb", c->agent_max_climb, job->climb_cells, c->cell_height);
    check(job, "edge_max_length", c->edge_max_length, job->edge_max_length_cells, c->cell_size);
}
