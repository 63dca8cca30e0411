// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// trials.c: which setting, or which two, would join two islands. The tiles around the gap are baked
// with the most that each setting can give, those first that the line misses. Where that joins both
// sides of the gap, the path in that mesh says by which value each just misses, and what is left of
// the trials is for the least change that joins them.

#include "server/explain/path.h"

#include "server/meshes/scratch.h"

#include <math.h>
#include <string.h>

// Tiles of one trial; a gap that lies in more of them is too wide for any setting.
#define TILES_MAX 16u
// A level of one tile is cut into these, so that a trial bakes a part of it.
#define TRIAL_TILE_CELLS 64u
// Ground around the gap that a trial bakes, beside four times the radius: or more, as a path may
// lead around, as far as that lies in no more cells than so many of these tiles have.
#define MARGIN_CELLS 16.0f
#define MARGIN_MAX 1e6f
// No agent walks on ground as steep as the side of something: tenths of a degree.
#define SLOPE_MAX 894

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
    nav_verdict verdict; // that it decides
    size_t offset;       // of a float, but for the region's
} SETTINGS[] = {
    [TRIED_SLOPE] = {"max_slope", true, false, NAV_VERDICT_TOO_STEEP, AT(agent_max_slope)},
    [TRIED_HEIGHT] = {"height", true, true, NAV_VERDICT_LOW_HEADROOM, AT(agent_height)},
    [TRIED_CLIMB] = {"max_climb", true, true, NAV_VERDICT_LEDGE, AT(agent_max_climb)},
    [TRIED_REGION] = {"region_min_size", false, false, NAV_VERDICT_REGION_REMOVED,
                      AT(region_min_size)},
    [TRIED_RADIUS] = {"radius", true, true, NAV_VERDICT_ERODED, AT(agent_radius)},
    [TRIED_CELL_SIZE] = {"cell_size", false, true, NAV_VERDICT_KEPT, AT(cell_size)},
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

// ---- from the present value to the most that a setting can give ----

static float unit_of(const nav_config *c, tried what)
{
    return what == TRIED_SLOPE       ? 0.1f
           : what == TRIED_REGION    ? 1
           : what == TRIED_RADIUS    ? c->cell_size
           : what == TRIED_CELL_SIZE ? c->cell_size / 2
                                     : c->cell_height;
}

// A setting in whole units, as a count that rises with what it lets through.
static int count_of(const nav_config *c, tried what)
{
    const float units = (float)value_of(c, what) / unit_of(c, what);
    return (int)floorf(what == TRIED_SLOPE || what == TRIED_CLIMB ? units : -units);
}

static double value_for(const nav_config *c, tried what, int count)
{
    const float unit = unit_of(c, what);
    return what == TRIED_SLOPE   ? count / 10.0
           : what == TRIED_CLIMB ? path_length_at_least((uint32_t)count, unit)
                                 : path_length_at_most((uint32_t)-count, unit);
}

// The count that the needs ask for, or the present one. A line along one side of a corridor is
// nearer to an edge than an agent in its middle.
static int needed_of(const nav_config *c, tried what, const path_needs *n)
{
    const int now = count_of(c, what);
    switch (what) {
    case TRIED_SLOPE:
        return n->slope > c->agent_max_slope ? (int)ceil((double)n->slope * 10 + 0.01) : now;
    case TRIED_CLIMB:
        return path_is_too_high(n->step, c) ? (int)cells_of(n->step, c->cell_height) : now;
    case TRIED_HEIGHT:
        return isfinite(n->headroom) ? 1 - (int)cells_of(n->headroom, c->cell_height) : now;
    case TRIED_RADIUS:
        return isfinite(n->edge)
                   ? -(int)fmaxf(fminf((float)(-now - 1), n->edge / c->cell_size - 0.49f), 0)
                   : now;
    case TRIED_REGION:
        return n->island_cells > 0 ? -(int)sqrt((double)n->island_cells) : now;
    default:
        return now + n->is_coarse;
    }
}

// The most that there is. Nobody climbs a step of his own height.
static int most_of(const nav_config *c, tried what, const path_needs *n)
{
    return what == TRIED_SLOPE                   ? SLOPE_MAX
           : what == TRIED_CLIMB                 ? -count_of(c, TRIED_HEIGHT) - 1
           : what == TRIED_RADIUS                ? 0
           : what != TRIED_HEIGHT                ? needed_of(c, what, n)
           : c->low_height_area == NAV_AREA_NONE ? -1
                                                 : -1 - (int)(c->low_height_min / c->cell_height);
}

// ---- one trial ----

typedef struct box {
    uint32_t x, z, x_end, z_end, tiles;
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
    const uint32_t tiles = (x[1] + 1 - x[0]) * (z[1] + 1 - z[0]);
    return (box){x[0], z[0], x[1] + 1, z[1] + 1, tiles};
}

// A search for a setting between two islands.
typedef struct search {
    explaining *e;
    const proto_no_path *facts;
    const nav_gap *gap; // between the islands
    path_needs needs;
    path_line *line;
    bool is_followed; // by the line: the path that a trial finds
    path_trials *trials;
} search;

// Whether a path leads from the one side of the gap to the other, or from end to end: a part of an
// island may be cut off by what is changed. The mesh lies as far off the heights of these as the
// trial's agent climbs.
static nav_status find_path(search *s, const nav_mesh *mesh, const nav_config *now, bool *joined)
{
    const nav_config *was = &s->e->level.config;
    const float up = fmaxf(was->agent_max_climb, now->agent_max_climb) + 2 * was->cell_height;
    const float *ends[][2] = {{s->gap->points[0], s->gap->points[1]},
                              {s->facts->start, s->facts->end}};
    nav_path_request ask = {.options = nav_options_default(), .no_partial = true};
    nav_scratch *scratch = scratch_of_thread();
    nav_status status = scratch == NULL ? NAV_NO_MEMORY : NAV_OK;
    nav_path path;
    ask.options.snap =
        (nav_snap){.horizontal = was->agent_radius + 2 * was->cell_size, .up = up, .down = up};
    for (int i = 0; i < 2 && status == NAV_OK && !*joined; i++) {
        memcpy(ask.start, ends[i][0], sizeof ask.start);
        memcpy(ask.end, ends[i][1], sizeof ask.end);
        status = nav_query_path(mesh, scratch, &ask, &path);
        *joined = status == NAV_OK && path.status == NAV_PATH_COMPLETE;
    }
    if (*joined && s->is_followed) {
        path_line_place(&s->e->level.grid, path.points, path.point_count, mesh, s->line);
    }
    return status;
}

// Islands are cut by the rim of the trial, so that none is too small for it.
static nav_status join_tiles(search *s, const nav_config *config, const nav_blob *blobs,
                             uint32_t count, bool *joined)
{
    nav_config loose = *config;
    nav_mesh *mesh;
    nav_error why = {0};
    loose.region_min_size = 0;
    loose.seed_count = loose.link_count = 0;
    nav_status status =
        nav_mesh_create_until(blobs, count, &loose, s->e->service->budget.bake_bytes, &s->e->hooks,
                              NULL, &mesh, NULL, &why);
    if (status == NAV_OK) {
        status = find_path(s, mesh, config, joined);
        nav_mesh_release(mesh);
    }
    return status;
}

static nav_status bake_trial(search *s, const nav_config *config, proto_trial *trial)
{
    explaining *e = s->e;
    const nav_geometry *geometry = &e->level.geometry;
    nav_blob blobs[TILES_MAX];
    nav_grid grid;
    nav_error why = {0};
    uint32_t count = 0;
    nav_status status = nav_bake_plan_until(geometry, config, 0, &e->hooks, &grid, &why);
    if (status != NAV_OK) {
        return status;
    }
    const float per_tile = (float)config->tile_cells / (float)TRIAL_TILE_CELLS;
    const float most = fminf((float)TILES_MAX, (float)TILES_MAX / (per_tile * per_tile));
    float margin = MARGIN_CELLS * config->cell_size + 4 * e->level.config.agent_radius;
    box b = tiles_around(&grid, s->gap, margin), wider = b;
    if (b.tiles > TILES_MAX) {
        trial->untried = PROTO_UNTRIED_TOO_WIDE;
        return NAV_OK;
    }
    for (; (float)wider.tiles <= most && margin < MARGIN_MAX; margin *= 2) {
        b = wider;
        wider = tiles_around(&grid, s->gap, margin);
    }
    for (uint32_t z = b.z; z < b.z_end; z++) {
        for (uint32_t x = b.x; status == NAV_OK && x < b.x_end; x++) {
            status = nav_bake_tile(geometry, config, &grid, NULL, x, z, &e->hooks, &e->scratch,
                                   &e->result, &blobs[count++], NULL, &why);
        }
    }
    return status == NAV_OK ? join_tiles(s, config, blobs, count, &trial->joined) : status;
}

typedef struct change {
    tried what;
    int count;
    bool on_line; // which shows what it is about
} change;

// A trial with one setting changed, or two. If its settings are refused, or it is too much for a
// bake, it has joined nothing.
static nav_status try_changes(search *s, const change *changes, int count)
{
    explaining *e = s->e;
    const nav_config *was = &e->level.config;
    path_trials *trials = s->trials;
    nav_config config = *was;
    NAV_ASSERT(trials->count < PROTO_CANDIDATES_MAX);
    proto_trial *trial = &trials->list[trials->count++];
    *trial = (proto_trial){0};
    config.agent_count = 0;
    config.tile_cells = config.tile_cells == 0 ? TRIAL_TILE_CELLS : config.tile_cells;
    for (int i = 0; i < count; i++) {
        const tried what = changes[i].what;
        trial->changes[i] = (proto_change){.setting = name_of(e, what),
                                           .is_length = SETTINGS[what].is_length,
                                           .from = decimals(value_of(was, what)),
                                           .value = value_for(was, what, changes[i].count)};
        set(&config, what, trial->changes[i].value);
    }
    if (changes->count > most_of(was, changes->what, &s->needs)) {
        trial->untried = PROTO_UNTRIED_OWN_HEIGHT;
        return NAV_OK;
    }
    const nav_arena_mark mark = nav_arena_save(&e->result);
    nav_status status = nav_config_check(&config, NULL);
    NAV_IF_OK(status, bake_trial(s, &config, trial));
    nav_arena_restore(&e->result, mark);
    trials->baked += trial->untried != PROTO_UNTRIED_TOO_WIDE; // one that fails was begun as well
    if (status != NAV_OK) {
        trial->untried = PROTO_UNTRIED_REFUSED;
    }
    trials->joined = trials->joined || trial->joined;
    return status == NAV_CANCELLED ? status : NAV_OK;
}

// ---- which ----

// A count between one that joins nothing and one that does: what the path needs if that is in the
// lower half, or a step beside it.
static int next_count(int few, int enough, int needed)
{
    const int middle = few + (enough - few) / 2;
    return needed == enough                  ? enough - 1
           : needed == few                   ? few + 1
           : few < needed && needed < middle ? needed
                                             : middle;
}

// Inspects the line, which may have been put along another path, as far as that can be done.
static void inspect_again(search *s)
{
    (void)path_line_inspect(s->e, s->gap, s->line);
    s->needs = path_line_needs(s->line, s->e->level.config.cell_size);
}

// Searches for less that joins the islands as well, until a deadline that then leaves what has been
// found; where less than the line needs does, along the path that there is then. Of two settings
// what the path needs is all that is tried.
static void try_less(search *s, change *c, int count)
{
    const nav_config *config = &s->e->level.config;
    path_trials *trials = s->trials;
    int few = 0, enough = 0, needed = 0;
    proto_trial *best = &trials->list[trials->count - 1];
    for (int i = count - 1; i >= 0; i--) {
        few = count_of(config, c[i].what);
        enough = c[i].count;
        needed = needed_of(config, c[i].what, &s->needs);
        c[i].count = few < needed && needed < enough ? needed : enough;
    }
    while (enough - few > 1 && trials->baked < PROTO_TRIALS_MAX) {
        c->count = count > 1 ? c->count : next_count(few, enough, needed);
        s->is_followed = s->is_followed || c->count < needed;
        if (try_changes(s, c, count) != NAV_OK || count > 1) {
            break;
        }
        proto_trial *last = &trials->list[trials->count - 1];
        *(last->joined ? &enough : &few) = c->count;
        if (last->joined) {
            best = last;
            inspect_again(s);
            needed = needed_of(config, c->what, &s->needs);
        }
    }
    best->just_fits = count == 1 && enough - few == 1 && c->what != TRIED_CELL_SIZE;
}

// Unless those before have joined the islands.
static nav_status attempt(search *s, change *changes, int count)
{
    if (s->trials->joined) {
        return NAV_OK;
    }
    s->is_followed = count > 1 || !changes->on_line;
    const nav_status status = try_changes(s, changes, count);
    if (s->trials->joined) {
        s->line->about = SETTINGS[changes->what].verdict;
        inspect_again(s);
        try_less(s, changes, count);
        inspect_again(s);
    }
    return status;
}

// First what the line misses, then all else that may be more than it is. Nobody goes straight up:
// between places one above the other the line shows little.
static uint32_t list_changes(const search *s, change *list)
{
    const nav_config *c = &s->e->level.config;
    const float *a = s->gap->points[0], *b = s->gap->points[1];
    const bool upright = fabsf(b[1] - a[1]) > hypotf(b[0] - a[0], b[2] - a[2]);
    uint32_t count = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (tried what = TRIED_SLOPE; what < TRIED_CELL_SIZE; what++) {
            const int now = count_of(c, what), most = most_of(c, what, &s->needs);
            const int needed = needed_of(c, what, &s->needs);
            const bool missed =
                now < needed && needed <= most && !(upright && what == TRIED_RADIUS);
            if (now < most && missed == (pass == 0)) {
                list[count++] = (change){what, most, missed && !upright};
            }
        }
    }
    return count;
}

nav_status path_try(explaining *e, const proto_no_path *facts, const path_needs *needs,
                    path_line *line, path_trials *trials)
{
    const nav_config *c = &e->level.config;
    search s = {e, facts, &facts->islands->gap, *needs, line, false, trials};
    change list[TRIED_CELL_SIZE], climb = {TRIED_CLIMB, needed_of(c, TRIED_CLIMB, needs), true};
    change finer = {TRIED_CELL_SIZE, needed_of(c, TRIED_CELL_SIZE, needs), true};
    const uint32_t count = list_changes(&s, list);
    nav_status status = NAV_OK;
    if (climb.count > most_of(c, TRIED_CLIMB, needs)) {
        status = try_changes(&s, &climb, 1); // only to say why not
    }
    for (uint32_t i = 0; status == NAV_OK && i < count; i++) {
        status = attempt(&s, &list[i], 1);
    }
    // One is left for smaller cells.
    const uint32_t most = PROTO_TRIALS_MAX - needs->is_coarse;
    for (uint32_t i = 1; trials->baked > 0 && i < count; i++) {
        for (uint32_t k = 0; status == NAV_OK && k < i && trials->baked < most; k++) {
            status = attempt(&s, (change[2]){list[k], list[i]}, 2);
        }
    }
    return status == NAV_OK && needs->is_coarse ? attempt(&s, &finer, 1) : status;
}
