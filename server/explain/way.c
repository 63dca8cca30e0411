// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// way.c: why there is no way between two places. A path is searched as a question does; if its ends
// are on two islands, the columns on the line of the narrowest place between them are looked at,
// and trials.c looks for a setting that joins them.

#include "server/explain/way.h"

#include "server/meshes/scratch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLES_MAX 64u
#define TILES_MAX 9u // that the line may lie in
#define ERODED_WEIGHT 2

// One place on the line from island to island.
typedef struct sample {
    nav_plan_place place;
    float height; // of the line there
    uint32_t tile_x, tile_z;
    bool is_known; // its column is
    nav_column_facts column;
    uint32_t floor; // NAV_NONE: it has none
} sample;

typedef struct way {
    explaining *e;
    way_memory memory;
    nav_scratch *scratch;
    proto_way_facts facts;
    proto_place_facts place;
    proto_islands islands;
    way_trials trials;
    sample samples[SAMPLES_MAX];
    uint32_t sample_count;
} way;

static nav_status no_memory(way *w)
{
    return nav_fail(&w->e->err, NAV_NO_MEMORY, "no memory to explain a way");
}

// ---- the search ----

static nav_status find_path(way *w)
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

// ---- the line between two islands ----

static void lay_line(way *w)
{
    const nav_gap *gap = &w->islands.gap;
    const nav_grid *g = &w->e->level.grid;
    const float *a = gap->points[0], *b = gap->points[1];
    const float dx = b[0] - a[0], dz = b[2] - a[2];
    const float cells = sqrtf(dx * dx + dz * dz) / g->cell_size;
    w->sample_count = 2 * cells + 2 < (float)SAMPLES_MAX ? 2 * (uint32_t)cells + 2 : SAMPLES_MAX;
    for (uint32_t i = 0; i < w->sample_count; i++) {
        const float t = ((float)i + 0.5f) / (float)w->sample_count;
        sample *s = &w->samples[i];
        *s = (sample){.place = {a[0] + t * dx, a[2] + t * dz}, .height = a[1] + t * (b[1] - a[1])};
        // Beside the grid there is no tile, and nothing to look at.
        s->is_known = !nav_grid_find_tile(g, s->place, &s->tile_x, &s->tile_z);
        s->floor = NAV_NONE;
    }
}

// Looks at all samples of one tile, of which the first is given.
static nav_status look_at_tile(way *w, uint32_t first)
{
    const explain_level *l = &w->e->level;
    const uint32_t tile_x = w->samples[first].tile_x, tile_z = w->samples[first].tile_z;
    nav_plan_place places[SAMPLES_MAX] = {{0, 0}};
    nav_column_facts columns[SAMPLES_MAX];
    uint32_t numbers[SAMPLES_MAX], count = 0;
    nav_tile_facts tile;
    for (uint32_t i = first; i < w->sample_count; i++) {
        const sample *s = &w->samples[i];
        if (!s->is_known && s->tile_x == tile_x && s->tile_z == tile_z) {
            places[count] = s->place;
            numbers[count++] = i;
        }
    }
    nav_status status = nav_tile_explain(&l->geometry, &l->config, &l->grid, l->index, tile_x,
                                         tile_z, places, count, &w->e->hooks, &w->memory.scratch,
                                         &w->memory.result, columns, &tile, NULL, &w->e->err);
    for (uint32_t k = 0; status == NAV_OK && k < count; k++) {
        sample *s = &w->samples[numbers[k]];
        s->is_known = true;
        s->column = columns[k];
        // The line lies in the air or in the ground where that rises: an agent steps on what faces
        // up, and not on the underside of it that is nearer there.
        s->floor =
            explain_floor_meant(&s->column, s->height, l->grid.cell_height, l->config.agent_height);
    }
    return status;
}

static nav_status look_along(way *w)
{
    nav_status status = NAV_OK;
    uint32_t tiles = 0;
    lay_line(w);
    for (uint32_t i = 0; status == NAV_OK && i < w->sample_count && tiles < TILES_MAX; i++) {
        if (!w->samples[i].is_known) {
            tiles++;
            status = look_at_tile(w, i);
        }
    }
    return status;
}

// ---- what it finds ----

static const nav_floor_facts *floor_of(const sample *s)
{
    return s->floor != NAV_NONE ? &s->column.floors[s->floor] : NULL;
}

// Erosion and outlines follow from what else is there, and a rim from what is not, so that they are
// told last.
static int weight_of(const sample *s)
{
    const nav_floor_facts *f = floor_of(s);
    if (f == NULL) {
        return s->is_known && s->column.floors != NULL ? 4 : 0;
    }
    if (f->polygon != NAV_NONE) {
        return 0;
    }
    return f->verdict == NAV_VERDICT_SIMPLIFIED ? 1
           : f->verdict == NAV_VERDICT_ERODED   ? ERODED_WEIGHT
           : f->verdict == NAV_VERDICT_LEDGE    ? 3
                                                : 4;
}

// Whether a place tells more of what is amiss than another; of eroded ones the narrowest.
static bool tells_more(const sample *a, const sample *b)
{
    const int weight = weight_of(a), other = b != NULL ? weight_of(b) : 0;
    return weight > other || (weight == other && weight == ERODED_WEIGHT &&
                              floor_of(a)->edge_distance < floor_of(b)->edge_distance);
}

static void find_reason(way *w)
{
    const sample *worst = NULL;
    for (uint32_t i = 0; i < w->sample_count; i++) {
        const sample *s = &w->samples[i];
        if (tells_more(s, worst)) {
            worst = s;
        }
    }
    if (worst == NULL) {
        return;
    }
    const nav_floor_facts *f = floor_of(worst);
    w->place.column = &worst->column;
    w->place.floor = worst->floor;
    w->place.tile_x = worst->tile_x;
    w->place.tile_z = worst->tile_z;
    w->place.point[0] = worst->place.x;
    w->place.point[1] = f != NULL ? f->top : worst->height;
    w->place.point[2] = worst->place.z;
    w->facts.place = &w->place;
}

static void need_floor(const nav_floor_facts *f, way_needs *n)
{
    const float drop = isfinite(f->ledge_drop) ? fmaxf(f->ledge_drop, f->ledge_spread) : 0;
    switch (f->verdict) {
    case NAV_VERDICT_TOO_STEEP:
        n->slope = fmaxf(n->slope, f->slope);
        break;
    case NAV_VERDICT_LOW_HEADROOM:
        n->headroom = fminf(n->headroom, f->headroom);
        break;
    case NAV_VERDICT_LEDGE:
        n->step = fmaxf(n->step, drop);
        break;
    case NAV_VERDICT_ERODED:
        n->edge = fminf(n->edge, f->edge_distance);
        break;
    case NAV_VERDICT_REGION_REMOVED:
        n->island_cells = n->island_cells == 0 || f->region_cells < n->island_cells
                              ? f->region_cells
                              : n->island_cells;
        break;
    default:
        break;
    }
}

// Also the steps from column to column, and from the line's ends.
static way_needs find_needs(const way *w)
{
    way_needs n = {.headroom = (float)INFINITY, .edge = (float)INFINITY};
    float last = w->islands.gap.points[0][1];
    for (uint32_t i = 0; i < w->sample_count; i++) {
        const nav_floor_facts *f = floor_of(&w->samples[i]);
        if (f == NULL) {
            continue;
        }
        need_floor(f, &n);
        n.step = fmaxf(n.step, fabsf(f->top - last));
        n.is_coarse = n.is_coarse || f->verdict != NAV_VERDICT_KEPT;
        last = f->top;
    }
    n.step = fmaxf(n.step, fabsf(w->islands.gap.points[1][1] - last));
    return n;
}

static nav_status explain_islands(way *w)
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
    nav_status status = look_along(w);
    if (status != NAV_OK) {
        return status;
    }
    find_reason(w);
    const way_needs needs = find_needs(w);
    status = way_try(w->e, &needs, &w->islands.gap, &w->memory, &w->trials);
    w->facts.trials = w->trials.list;
    w->facts.trial_count = w->trials.count;
    return status;
}

// ---- the answer ----

static nav_status run(way *w)
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
    if (status != NAV_OK) {
        return status;
    }
    const bool start = w->facts.reason == NAV_REASON_START_OFF_MESH;
    if (start || w->facts.reason == NAV_REASON_END_OFF_MESH) {
        w->facts.place = &w->place;
        status =
            explain_place(e, start ? "start" : "end", start ? e->question.start : e->question.end,
                          &w->memory.scratch, &w->memory.result, &w->place);
    } else if (w->facts.reason == NAV_REASON_UNREACHABLE) {
        status = explain_islands(w);
    }
    if (status == NAV_OK) {
        proto_write_way(&e->w, &e->head, &w->facts);
    }
    return status;
}

nav_status explain_way(explaining *e)
{
    const size_t limit_bytes = (size_t)e->service->budget.bake_bytes;
    way *w = calloc(1, sizeof *w);
    if (w == NULL) {
        return nav_fail(&e->err, NAV_NO_MEMORY, "no memory to explain a way");
    }
    w->e = e;
    w->scratch = scratch_of_thread();
    nav_arena_init(&w->memory.scratch, NULL, limit_bytes);
    nav_arena_init(&w->memory.result, NULL, limit_bytes);
    const nav_status status = w->scratch != NULL ? run(w) : no_memory(w);
    nav_arena_free(&w->memory.result);
    nav_arena_free(&w->memory.scratch);
    free(w);
    return status;
}
