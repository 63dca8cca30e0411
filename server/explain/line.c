// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// line.c: the columns on the line of the narrowest place between two islands: which floor of each
// is on the path, which of them, or which step between two, shows best what is amiss, and what all
// of them ask of the settings.
//
//   island A ____                      ____ island B: the step that is too high leads from the last
//                \_ eroded _ | step __/               floor on the one height to the first on the
//                            |_____|                  other; the side of a wall may lie between

#include "server/explain/path.h"

#include <float.h>
#include <math.h>

#define GROUND_REACH 0.1f // a path lies on the mesh, but for rounding
#define TILES_MAX 9u      // that the line may lie in
// A triangle as steep as this is the side of something, and no ground that any agent walks on.
#define SIDE_SLOPE 89.5f
// The filter for ledges compares a cell with those beside it: their middles are as far apart.
#define STEP_REACH_CELLS 2.01f

// How much a place shows of what is amiss. Erosion and outlines follow from what else is there, and
// a rim from what is not, so that they come last.
enum {
    SAYS_NOTHING,
    SAYS_OUTLINE,
    SAYS_EROSION,
    SAYS_SIDE,
    SAYS_STEP,
    SAYS_LEDGE,
    SAYS_ALL,
    SAYS_WHAT_IT_IS_ABOUT
};

// ---- inspected ----

static float leg_length(const float *a, const float *b)
{
    return hypotf(b[0] - a[0], b[2] - a[2]);
}

// The height of the ground that is nearest to a height there, or that height.
static float ground_at(const nav_mesh *mesh, nav_plan_place place, float height)
{
    const nav_snap snap = {.horizontal = GROUND_REACH, .up = FLT_MAX, .down = FLT_MAX};
    const float point[3] = {place.x, height, place.z};
    nav_location ground;
    return nav_query_nearest(mesh, point, snap, NAV_NONE, &ground, 1) > 0 ? ground.position[1]
                                                                          : height;
}

void path_line_place(const nav_grid *g, const float *points, uint32_t count, const nav_mesh *mesh,
                     path_line *line)
{
    const float *a = points, *last = points + 3 * (count - 1);
    float length = 0, before = 0, height = points[1];
    for (uint32_t i = 0; i + 1 < count; i++) {
        length += leg_length(points + 3 * i, points + 3 * (i + 1));
    }
    const float cells = length / g->cell_size;
    line->count =
        2 * cells + 2 < (float)PATH_SAMPLES_MAX ? 2 * (uint32_t)cells + 2 : PATH_SAMPLES_MAX;
    for (uint32_t i = 0; i < line->count; i++) {
        const float part = ((float)i + 0.5f) / (float)line->count;
        for (; a + 3 < last && part * length > before + leg_length(a, a + 3); a += 3) {
            before += leg_length(a, a + 3);
        }
        const float *b = a < last ? a + 3 : a;
        const float leg = leg_length(a, b), t = leg > 0 ? (part * length - before) / leg : part;
        path_sample *s = &line->samples[i];
        *s = (path_sample){.place = {a[0] + t * (b[0] - a[0]), a[2] + t * (b[2] - a[2])}};
        height = mesh != NULL ? ground_at(mesh, s->place, height) : a[1] + t * (b[1] - a[1]);
        s->height = height;
        // Beside the grid there is no tile, and nothing to inspect.
        s->is_known = !nav_grid_find_tile(g, s->place, &s->tile_x, &s->tile_z);
        s->floor = NAV_NONE;
    }
}

// Whether somebody who comes there has to step on that floor.
static bool is_stepped_to(const nav_floor_facts *f)
{
    return f != NULL && f->verdict != NAV_VERDICT_FACES_DOWN;
}

// The floor above another that is the higher island's, or NAV_NONE.
static uint32_t floor_overhead(const nav_column_facts *column, uint32_t under, float height,
                               float climb)
{
    uint32_t best = NAV_NONE;
    float least = fabsf(column->floors[under].top - height);
    for (uint32_t i = under + 1; i < column->floor_count; i++) {
        const float off = fabsf(column->floors[i].top - height);
        if (is_stepped_to(&column->floors[i]) && off <= climb && off < least) {
            best = i;
            least = off;
        }
    }
    return best;
}

uint32_t path_floor_between(const nav_column_facts *column, float height, const nav_gap *gap,
                            const nav_config *config)
{
    const float top = fmaxf(gap->points[0][1], gap->points[1][1]);
    // The line lies in the air or in the ground where that rises: an agent steps on what faces up,
    // and not on the underside of it that is nearer there.
    const uint32_t meant =
        explain_floor_meant(column, height, config->cell_height, config->agent_height);
    if (meant == NAV_NONE || column->floors[meant].verdict != NAV_VERDICT_LOW_HEADROOM) {
        return meant;
    }
    const uint32_t overhead = floor_overhead(column, meant, top, config->agent_max_climb);
    return overhead != NAV_NONE ? overhead : meant;
}

// Inspects all samples of one tile, of which the first is given.
static nav_status inspect_tile(explaining *e, const nav_gap *gap, uint32_t first, path_line *line)
{
    const explain_level *l = &e->level;
    const uint32_t tile_x = line->samples[first].tile_x, tile_z = line->samples[first].tile_z;
    nav_plan_place places[PATH_SAMPLES_MAX] = {{0, 0}};
    nav_column_facts columns[PATH_SAMPLES_MAX];
    uint32_t numbers[PATH_SAMPLES_MAX], count = 0;
    nav_tile_facts tile;
    for (uint32_t i = first; i < line->count; i++) {
        const path_sample *s = &line->samples[i];
        if (!s->is_known && s->tile_x == tile_x && s->tile_z == tile_z) {
            places[count] = s->place;
            numbers[count++] = i;
        }
    }
    nav_status status =
        nav_tile_explain(&l->geometry, &l->config, &l->grid, l->index, tile_x, tile_z, places,
                         count, &e->hooks, &e->scratch, &e->result, columns, &tile, NULL, &e->err);
    for (uint32_t k = 0; status == NAV_OK && k < count; k++) {
        path_sample *s = &line->samples[numbers[k]];
        s->is_known = true;
        s->column = columns[k];
        s->floor = path_floor_between(&s->column, s->height, gap, &l->config);
    }
    return status;
}

nav_status path_line_inspect(explaining *e, const nav_gap *gap, path_line *line)
{
    nav_status status = NAV_OK;
    uint32_t tiles = 0;
    for (uint32_t i = 0; status == NAV_OK && i < line->count && tiles < TILES_MAX; i++) {
        if (!line->samples[i].is_known) {
            tiles++;
            status = inspect_tile(e, gap, i, line);
        }
    }
    return status;
}

static const nav_floor_facts *floor_of(const path_sample *s)
{
    return s->floor != NAV_NONE ? &s->column.floors[s->floor] : NULL;
}

// ---- steps ----

static bool is_beside(const path_sample *a, const path_sample *b, float cell_size)
{
    const float x = b->column.cell[0] - a->column.cell[0];
    const float z = b->column.cell[1] - a->column.cell[1];
    return sqrtf(x * x + z * z) <= STEP_REACH_CELLS * cell_size;
}

path_step path_line_step(const path_line *line, float cell_size)
{
    path_step best = {.at = NAV_NONE};
    for (uint32_t i = 0; i < line->count; i++) {
        const nav_floor_facts *from = floor_of(&line->samples[i]);
        for (uint32_t k = i + 1; is_stepped_to(from) && k < line->count; k++) {
            const nav_floor_facts *to = floor_of(&line->samples[k]);
            if (!is_stepped_to(to)) {
                continue;
            }
            if (!is_beside(&line->samples[i], &line->samples[k], cell_size)) {
                break;
            }
            if (fabsf(to->top - from->top) > fabsf(best.rise)) {
                best = (path_step){.rise = to->top - from->top, .at = to->top > from->top ? k : i};
            }
        }
    }
    return best;
}

// ---- what is amiss ----

static int says(const path_sample *s, nav_verdict about)
{
    const nav_floor_facts *f = floor_of(s);
    if (f == NULL) {
        return s->is_known && s->column.floors != NULL ? SAYS_ALL : SAYS_NOTHING;
    }
    if (f->polygon != NAV_NONE) {
        return SAYS_NOTHING;
    }
    if (f->verdict == about) {
        return SAYS_WHAT_IT_IS_ABOUT;
    }
    switch (f->verdict) {
    case NAV_VERDICT_SIMPLIFIED:
        return SAYS_OUTLINE;
    case NAV_VERDICT_ERODED:
        return SAYS_EROSION;
    case NAV_VERDICT_LEDGE:
        return SAYS_LEDGE;
    case NAV_VERDICT_TOO_STEEP:
        return f->slope < SIDE_SLOPE ? SAYS_ALL : SAYS_SIDE;
    default:
        return SAYS_ALL;
    }
}

// Whether a place shows more of what is amiss than another; of eroded ones the narrowest.
static bool says_more(const path_sample *a, const path_sample *b, nav_verdict about)
{
    const int weight = says(a, about), other = b != NULL ? says(b, about) : SAYS_NOTHING;
    const nav_floor_facts *f = floor_of(a);
    return weight > other ||
           (weight == other && b != NULL && f != NULL && f->verdict == NAV_VERDICT_ERODED &&
            f->edge_distance < floor_of(b)->edge_distance);
}

// In whole cells, as the bake counts both.
bool path_is_too_high(float rise, const nav_config *config)
{
    return roundf(fabsf(rise) / config->cell_height) >
           floorf(config->agent_max_climb / config->cell_height);
}

bool path_line_reason(const path_line *line, const nav_config *config, proto_place_facts *place,
                      float *rise)
{
    const path_sample *worst = NULL;
    const path_step step = path_line_step(line, config->cell_size);
    const bool is_high = path_is_too_high(step.rise, config);
    *rise = 0;
    for (uint32_t i = 0; i < line->count; i++) {
        const path_sample *s = &line->samples[i];
        if (says_more(s, worst, line->about)) {
            worst = s;
        }
    }
    const int less = line->about == NAV_VERDICT_LEDGE ? SAYS_WHAT_IT_IS_ABOUT : SAYS_STEP;
    if (is_high && (worst == NULL || says(worst, line->about) < less)) {
        worst = &line->samples[step.at];
        *rise = step.rise;
    }
    if (worst == NULL) {
        return false;
    }
    const nav_floor_facts *f = floor_of(worst);
    place->column = &worst->column;
    place->floor = worst->floor;
    place->tile_x = worst->tile_x;
    place->tile_z = worst->tile_z;
    place->point[0] = worst->place.x;
    place->point[1] = f != NULL ? f->top : worst->height;
    place->point[2] = worst->place.z;
    return true;
}

// ---- what the settings would have to be ----

static void need_floor(const nav_floor_facts *f, path_needs *n)
{
    const float drop = isfinite(f->ledge_drop) ? fmaxf(f->ledge_drop, f->ledge_spread) : 0;
    switch (f->verdict) {
    case NAV_VERDICT_TOO_STEEP:
        n->slope = f->slope < SIDE_SLOPE ? fmaxf(n->slope, f->slope) : n->slope;
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

path_needs path_line_needs(const path_line *line, float cell_size)
{
    path_needs n = {.headroom = (float)INFINITY,
                    .edge = (float)INFINITY,
                    .step = fabsf(path_line_step(line, cell_size).rise)};
    for (uint32_t i = 0; i < line->count; i++) {
        const nav_floor_facts *f = floor_of(&line->samples[i]);
        if (f != NULL) {
            need_floor(f, &n);
            n.is_coarse = n.is_coarse || f->verdict != NAV_VERDICT_KEPT;
        }
    }
    return n;
}
