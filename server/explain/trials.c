// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// trials.c: which single setting would join two islands. The stages' findings between them say by
// which value each setting just misses; with that value the tiles there are baked, and the two
// sides of the gap are searched for in them.

#include "server/explain/path.h"

#include <math.h>
#include <string.h>

// Tiles of one trial; a gap that lies in more of them is too wide for any setting.
#define TILES_MAX 16u
// A level of one tile is cut into these, so that a trial bakes a part of it.
#define TRIAL_TILE_CELLS 64u
// Ground around the gap that a trial bakes, beside four times the radius.
#define MARGIN_CELLS 16.0f

// ---- values that just fit ----

// The settings have four decimals in answers, and have to count as so many cells then.
static double decimals(double value)
{
    return round(value * 1e4) / 1e4;
}

// A hundredth of a cell, or else the least that four decimals show.
static double step_of(float cell)
{
    return fmax(0.01 * (double)cell, 1e-4);
}

double path_length_at_most(uint32_t cells, float cell)
{
    double value = decimals((double)cells * (double)cell);
    while (value > 0 && ceilf((float)value / cell) > (float)cells) {
        value = decimals(value - step_of(cell));
    }
    return value;
}

double path_length_at_least(uint32_t cells, float cell)
{
    double value = decimals((double)cells * (double)cell);
    while (floorf((float)value / cell) < (float)cells) {
        value = decimals(value + step_of(cell));
    }
    return value;
}

static uint32_t cells_of(float length, float cell)
{
    return (uint32_t)lroundf(length / cell);
}

// ---- settings ----

typedef enum tried {
    TRIED_SLOPE,
    TRIED_HEIGHT,
    TRIED_CLIMB,
    TRIED_REGION,
    TRIED_RADIUS,
    TRIED_CELL_SIZE
} tried;

#define AT(member) offsetof(nav_config, member)
static const struct {
    const char *word;
    bool of_agent, is_length;
    size_t offset; // of a float, but for the region's
} SETTINGS[] = {
    [TRIED_SLOPE] = {"max_slope", true, false, AT(agent_max_slope)},
    [TRIED_HEIGHT] = {"height", true, true, AT(agent_height)},
    [TRIED_CLIMB] = {"max_climb", true, true, AT(agent_max_climb)},
    [TRIED_REGION] = {"region_min_size", false, false, AT(region_min_size)},
    [TRIED_RADIUS] = {"radius", true, true, AT(agent_radius)},
    [TRIED_CELL_SIZE] = {"cell_size", false, true, AT(cell_size)},
};

static nav_error_place name_of(const explaining *e, tried what)
{
    return SETTINGS[what].of_agent ? proto_agent_setting(e->agent, SETTINGS[what].word)
                                   : nav_at("%s", SETTINGS[what].word);
}

static double value_of(const nav_config *c, tried what)
{
    float value;
    memcpy(&value, (const char *)c + SETTINGS[what].offset, sizeof value);
    return what == TRIED_REGION ? c->region_min_size : (double)value;
}

static void set(nav_config *c, tried what, double value)
{
    if (what == TRIED_REGION) {
        c->region_min_size = (uint32_t)value;
    } else {
        memcpy((char *)c + SETTINGS[what].offset, &(float){(float)value}, sizeof(float));
    }
}

// ---- one trial ----

typedef struct box {
    uint32_t x, z, x_end, z_end; // tiles
} box;

// The tiles around the gap.
static box tiles_around(const nav_grid *g, const nav_gap *gap, float margin)
{
    nav_plan_place corners[2];
    uint32_t x[2], z[2];
    for (int side = 0; side < 2; side++) {
        const float sign = side == 0 ? -1.0f : 1.0f;
        const float *a = gap->points[0], *b = gap->points[1];
        const float at_x = (side == 0 ? fminf(a[0], b[0]) : fmaxf(a[0], b[0])) + sign * margin;
        const float at_z = (side == 0 ? fminf(a[2], b[2]) : fmaxf(a[2], b[2])) + sign * margin;
        corners[side] = explain_within_cells(
            g, (nav_plan_place){fmaxf(at_x, g->min[0]), fmaxf(at_z, g->min[2])});
        if (!nav_grid_find_tile(g, corners[side], &x[side], &z[side])) {
            return (box){0};
        }
    }
    return (box){x[0], z[0], x[1] + 1, z[1] + 1};
}

// Whether both sides of the gap are on one component. The mesh that joins them lies as far off
// their heights as the trial's agent climbs.
static bool is_joined(const nav_mesh *mesh, const nav_config *was, const nav_config *now,
                      const nav_gap *gap)
{
    const float up = fmaxf(was->agent_max_climb, now->agent_max_climb) + 2 * was->cell_height;
    const nav_snap snap = {
        .horizontal = was->agent_radius + 2 * was->cell_size, .up = up, .down = up};
    uint32_t components[2];
    for (int side = 0; side < 2; side++) {
        nav_location place;
        if (nav_query_nearest(mesh, gap->points[side], snap, NAV_NONE, &place, 1) == 0) {
            return false;
        }
        components[side] = nav_mesh_polygon(mesh, place.polygon).component;
    }
    return components[0] == components[1];
}

// Islands are cut by the rim of the trial, so that none is too small for it.
static nav_status join_tiles(explaining *e, const nav_config *config, const nav_blob *blobs,
                             uint32_t count, const nav_gap *gap, bool *joined)
{
    nav_config loose = *config;
    nav_mesh *mesh;
    nav_error why = {0};
    loose.region_min_size = 0;
    loose.seed_count = loose.link_count = 0;
    nav_status status = nav_mesh_create_until(blobs, count, &loose, e->service->budget.bake_bytes,
                                              &e->hooks, NULL, &mesh, NULL, &why);
    if (status == NAV_OK) {
        *joined = is_joined(mesh, &e->level.config, config, gap);
        nav_mesh_release(mesh);
    }
    return status;
}

static nav_status bake_trial(explaining *e, const nav_config *config, const nav_gap *gap,
                             proto_trial *trial)
{
    const nav_geometry *geometry = &e->level.geometry;
    nav_blob blobs[TILES_MAX];
    nav_grid grid;
    nav_error why = {0};
    uint32_t count = 0;
    nav_status status = nav_bake_plan_until(geometry, config, 0, &e->hooks, &grid, &why);
    if (status != NAV_OK) {
        return status;
    }
    const float margin = MARGIN_CELLS * config->cell_size + 4 * e->level.config.agent_radius;
    const box b = tiles_around(&grid, gap, margin);
    if ((uint64_t)(b.x_end - b.x) * (b.z_end - b.z) > TILES_MAX) {
        trial->untried = PROTO_UNTRIED_TOO_WIDE;
        return NAV_OK;
    }
    for (uint32_t z = b.z; z < b.z_end; z++) {
        for (uint32_t x = b.x; status == NAV_OK && x < b.x_end; x++) {
            status = nav_bake_tile(geometry, config, &grid, NULL, x, z, &e->hooks, &e->scratch,
                                   &e->result, &blobs[count++], NULL, &why);
        }
    }
    return status == NAV_OK ? join_tiles(e, config, blobs, count, gap, &trial->joined) : status;
}

// The next of the candidates, unless one before it has joined them.
static proto_trial *add_trial(const explaining *e, tried what, double value, path_trials *trials)
{
    if (trials->joined) {
        return NULL;
    }
    NAV_ASSERT(trials->count < PROTO_CANDIDATES_MAX);
    proto_trial *trial = &trials->list[trials->count++];
    *trial = (proto_trial){.setting = name_of(e, what),
                           .is_length = SETTINGS[what].is_length,
                           .from = decimals(value_of(&e->level.config, what)),
                           .value = value};
    return trial;
}

// A trial whose settings are refused, or that is too much for a bake, has joined nothing.
static nav_status try_value(explaining *e, tried what, double value, const nav_gap *gap,
                            path_trials *trials)
{
    nav_config config = e->level.config;
    proto_trial *trial = add_trial(e, what, value, trials);
    if (trial == NULL) {
        return NAV_OK;
    }
    config.agent_count = 0;
    config.tile_cells = config.tile_cells == 0 ? TRIAL_TILE_CELLS : config.tile_cells;
    set(&config, what, value);
    if (trials->baked == PROTO_TRIALS_MAX) {
        trial->untried = PROTO_UNTRIED_BOUND;
        return NAV_OK;
    }
    if (nav_config_check(&config, NULL) != NAV_OK) {
        trial->untried = PROTO_UNTRIED_REFUSED;
        return NAV_OK;
    }
    const nav_arena_mark mark = nav_arena_save(&e->result);
    const nav_status status = bake_trial(e, &config, gap, trial);
    nav_arena_restore(&e->result, mark);
    trials->baked += trial->untried != PROTO_UNTRIED_TOO_WIDE; // one that fails was begun as well
    if (status != NAV_OK) {
        trial->untried = PROTO_UNTRIED_REFUSED;
    }
    trials->joined = trial->joined;
    return status == NAV_CANCELLED ? status : NAV_OK;
}

// ---- which ----

static nav_status try_step(explaining *e, uint32_t cells, const nav_gap *gap, path_trials *trials)
{
    const nav_config *c = &e->level.config;
    const double value = path_length_at_least(cells, c->cell_height);
    if ((float)cells * c->cell_height < c->agent_height) {
        return try_value(e, TRIED_CLIMB, value, gap, trials);
    }
    proto_trial *trial = add_trial(e, TRIED_CLIMB, value, trials);
    if (trial != NULL) {
        trial->untried = PROTO_UNTRIED_OWN_HEIGHT;
    }
    return NAV_OK;
}

// The highest step on the line. Steps one behind the other may count as one where the ground falls
// to both sides of a cell, so that then comes all that the one island lies above the other; or a
// cell more, where what is beside the line is a little higher.
static nav_status try_climb(explaining *e, const path_needs *needs, const nav_gap *gap,
                            path_trials *trials)
{
    const nav_config *c = &e->level.config;
    const uint32_t step = cells_of(needs->step, c->cell_height);
    const uint32_t rise = cells_of(needs->rise, c->cell_height);
    const uint32_t next = rise > step ? rise : step + 1;
    nav_status status = try_step(e, step, gap, trials);
    if (status == NAV_OK && (float)next * c->cell_height < c->agent_height) {
        status = try_step(e, next, gap, trials);
    }
    return status;
}

static nav_status try_ground(explaining *e, const path_needs *needs, const nav_gap *gap,
                             path_trials *trials)
{
    const nav_config *c = &e->level.config;
    const uint32_t headroom =
        isfinite(needs->headroom) ? cells_of(needs->headroom, c->cell_height) : 0;
    nav_status status = NAV_OK;
    if (needs->slope > c->agent_max_slope) {
        const double slope = ceil((double)needs->slope * 10 + 0.01) / 10;
        status = try_value(e, TRIED_SLOPE, slope, gap, trials);
    }
    if (status == NAV_OK && headroom > 1) {
        status = try_value(e, TRIED_HEIGHT, path_length_at_most(headroom - 1, c->cell_height), gap,
                           trials);
    }
    if (status == NAV_OK && path_is_too_high(needs->step, c)) {
        status = try_climb(e, needs, gap, trials);
    }
    if (status == NAV_OK && needs->island_cells > 0) {
        const double side = floor(sqrt((double)needs->island_cells));
        status = try_value(e, TRIED_REGION, side, gap, trials);
    }
    return status;
}

// From one cell less to what surely fits beside the nearest edge, and the middle of both: a line
// from island to island may lead along one side of a corridor.
static nav_status try_radius(explaining *e, const path_needs *needs, const nav_gap *gap,
                             path_trials *trials)
{
    const nav_config *c = &e->level.config;
    const uint32_t radius = (uint32_t)ceilf(c->agent_radius / c->cell_size);
    if (!isfinite(needs->edge) || radius == 0) {
        return NAV_OK;
    }
    const float off = needs->edge / c->cell_size - 0.49f;
    const uint32_t fits = off > 0 ? (uint32_t)off : 0, most = radius - 1;
    const uint32_t least = fits < most ? fits : most;
    const uint32_t cells[3] = {most, (most + least) / 2, least};
    nav_status status = NAV_OK;
    for (int i = 0; i < 3 && status == NAV_OK; i++) {
        if (i == 0 || cells[i] != cells[i - 1]) {
            status = try_value(e, TRIED_RADIUS, path_length_at_most(cells[i], c->cell_size), gap,
                               trials);
        }
    }
    return status;
}

nav_status path_try(explaining *e, const path_needs *needs, const nav_gap *gap, path_trials *trials)
{
    nav_status status = try_ground(e, needs, gap, trials);
    NAV_IF_OK(status, try_radius(e, needs, gap, trials));
    if (status == NAV_OK && needs->is_coarse) {
        const double half = decimals((double)e->level.config.cell_size / 2);
        status = try_value(e, TRIED_CELL_SIZE, half, gap, trials);
    }
    return status;
}
