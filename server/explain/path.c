// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// path.c: why there is no path between two places. A path is searched as a question does; if its
// ends are on two islands, line.c inspects what lies on the line of the narrowest place between
// them, and trials.c searches for a setting that joins them. An end that was put on a floor far
// above or below its place is reported, with what there is at that place.

#include "server/explain/path.h"

#include "server/meshes/scratch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct path_answer {
    explaining *e;
    nav_scratch *scratch;
    proto_no_path facts;
    proto_place_facts place;
    proto_place_facts asked[2]; // at the start and at the end that were asked
    proto_islands islands;
    path_trials trials;
    path_line line;
} path_answer;

static nav_status no_memory(path_answer *w)
{
    return nav_fail(&w->e->err, NAV_NO_MEMORY, "no memory to explain a way");
}

// ---- the search ----

static nav_status find_path(path_answer *w)
{
    const proto_explain_request *q = &w->e->question;
    nav_path_request search = {.options = w->e->options};
    nav_path path;
    memcpy(search.start, q->start, sizeof search.start);
    memcpy(search.end, q->end, sizeof search.end);
    nav_status status = nav_query_path(w->e->mesh, w->scratch, &search, &path);
    if (status != NAV_OK) {
        return status == NAV_CANCELLED ? status : no_memory(w);
    }
    w->facts.status = path.status;
    w->facts.reason = path.reason;
    memcpy(w->facts.start, path.start, sizeof path.start);
    memcpy(w->facts.end, path.end, sizeof path.end);
    if (path.reason == NAV_REASON_BLOCKED) {
        status = nav_query_blockers(w->e->mesh, w->scratch, &search, &w->facts.blockers);
    }
    return status == NAV_OK || status == NAV_CANCELLED ? status : no_memory(w);
}

// ---- two islands ----

static nav_status explain_islands(path_answer *w)
{
    const explaining *e = w->e;
    if (!nav_query_gap(e->mesh, w->facts.start, w->facts.end, &w->islands.gap)) {
        return NAV_OK; // of one island
    }
    w->islands.has_sizes = true;
    for (int side = 0; side < 2; side++) {
        nav_mesh_island(e->mesh, w->islands.gap.components[side], &w->islands.polygons[side],
                        &w->islands.areas[side]);
    }
    w->facts.islands = &w->islands;
    const nav_gap *gap = &w->islands.gap;
    path_line_place(&e->level.grid, gap->points[0], 2, NULL, &w->line);
    nav_status status = path_line_inspect(w->e, gap, &w->line);
    if (status != NAV_OK) {
        return status;
    }
    const path_needs needs = path_line_needs(&w->line, e->level.config.cell_size);
    status = path_try(w->e, &w->facts, &needs, &w->line, &w->trials);
    if (path_line_reason(&w->line, &e->level.config, &w->place, &w->facts.step)) {
        w->facts.place = &w->place;
    }
    w->facts.trials = w->trials.list;
    w->facts.trial_count = w->trials.count;
    return status;
}

// ---- ends that are put elsewhere ----

// Off by no more than a climb an end is where it was asked for. Only the distance is reported of a
// place beside the level, or in the air.
static nav_status inspect_asked(path_answer *w, int side)
{
    explaining *e = w->e;
    const float *asked = side == 0 ? e->question.start : e->question.end;
    const float climb = e->level.config.agent_max_climb;
    const float off = (side == 0 ? w->facts.start : w->facts.end)[1] - asked[1];
    proto_place_facts *place = &w->asked[side];
    uint32_t x, z;
    if (fabsf(off) <= climb) {
        return NAV_OK;
    }
    w->facts.put[side].off = off;
    if (!nav_grid_find_tile(&e->level.grid, explain_place_on_grid(&e->level.grid, asked), &x, &z)) {
        return NAV_OK;
    }
    *place = explain_place_begin(e);
    nav_status status = explain_place(e, side == 0 ? "start" : "end", asked, place);
    const bool is_near = status == NAV_OK && place->floor != NAV_NONE &&
                         fabsf(place->column->floors[place->floor].top - asked[1]) <= climb;
    if (is_near && proto_place_reason(place) != NULL) {
        w->facts.put[side].asked = place;
    }
    if (status == NAV_NO_MEMORY) { // the answer is there without it
        e->err = (nav_error){0};
        status = NAV_OK;
    }
    return status;
}

// ---- the answer ----

static nav_status run(path_answer *w)
{
    explaining *e = w->e;
    const proto_world *world = e->question.common.world;
    w->facts.mesh = e->mesh;
    w->place = explain_place_begin(e);
    if (world != NULL) {
        w->facts.shape_ids = world->shape_ids;
        w->facts.shape_count = world->shape_count;
    }
    nav_status status = find_path(w);
    for (int side = 0; status == NAV_OK && side < 2; side++) {
        status = inspect_asked(w, side);
    }
    if (status != NAV_OK) {
        return status;
    }
    const bool start = w->facts.reason == NAV_REASON_START_OFF_MESH;
    if (start || w->facts.reason == NAV_REASON_END_OFF_MESH) {
        w->facts.place = &w->place;
        status = explain_place(e, start ? "start" : "end",
                               start ? e->question.start : e->question.end, &w->place);
    } else if (w->facts.reason == NAV_REASON_UNREACHABLE) {
        status = explain_islands(w);
    }
    if (status == NAV_OK) {
        proto_write_why(&e->w, &e->head, &w->facts);
    }
    return status;
}

nav_status explain_path(explaining *e)
{
    path_answer *w = calloc(1, sizeof *w);
    if (w == NULL) {
        return nav_fail(&e->err, NAV_NO_MEMORY, "no memory to explain a way");
    }
    w->e = e;
    w->scratch = scratch_of_thread();
    const nav_status status = w->scratch != NULL ? run(w) : no_memory(w);
    free(w);
    return status;
}
