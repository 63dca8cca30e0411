// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// explain.c: what nav_tile_explain tells of random columns, beside what Recast's stages and our own
// leave of them: who took each floor, and by which numbers.
//
//   level -> columns by chance -> explain ---> each floor's verdict, headroom, drop
//         -> Recast, stage by stage ---------> the floor after the filters, after erosion
//         -> our stages, one by one ---------> likewise, and its region

#include "corpus.h"
#include "our_bake.h"
#include "recast.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEVELS 6
#define COLUMNS_ALL 10000
#define COLUMNS ((COLUMNS_ALL + LEVELS - 1) / LEVELS) // of each level
#define SAME_MIN 0.995

typedef struct counts {
    uint32_t floors, matched;            // of columns that both have alike
    uint32_t filtered_same, eroded_same; // as Recast has them
    uint32_t numbers, numbers_same;      // headrooms and drops, beside Recast's columns
    uint32_t own, own_wrong;             // beside our own stages
    uint32_t verdicts[NAV_VERDICT_COUNT];
} counts;

static uint32_t levels_seen;

static void expect(const char *level, bool holds, const char *what, double value, double limit)
{
    printf("%s %s: %s (%.4f, limit %.4f)\n", holds ? "ok" : "not ok", level, what, value, limit);
    corpus_failures += !holds;
}

// ---- Recast's columns ----

static bool is_filtered(nav_verdict verdict)
{
    return verdict == NAV_VERDICT_AREA_NONE || verdict == NAV_VERDICT_FACES_DOWN ||
           verdict == NAV_VERDICT_TOO_STEEP || verdict == NAV_VERDICT_LOW_HEADROOM ||
           verdict == NAV_VERDICT_LEDGE;
}

// The entry of a column with this top, or NAV_NONE.
static uint32_t entry_of(recast_columns c, uint32_t column, uint32_t top)
{
    for (uint32_t i = c.first[column]; i < c.first[column + 1]; ++i) {
        if (c.top[i] == top) {
            return i;
        }
    }
    return NAV_NONE;
}

static bool is_walkable(recast_columns c, uint32_t column, uint32_t top)
{
    const uint32_t i = entry_of(c, column, top);
    return i != NAV_NONE && c.walkable[i] != 0;
}

// Whether a floor lies so many cells lower in one of the four columns beside; or in one of them
// nothing lies below.
static bool falls_by(recast_columns c, uint32_t column, uint32_t top, float drop_cells)
{
    const uint32_t x = column % c.width, z = column / c.width;
    for (int direction = 0; direction < 4; ++direction) {
        const uint32_t at_x = x + (uint32_t)NAV_DIRECTION_X[direction];
        const uint32_t at_z = z + (uint32_t)NAV_DIRECTION_Z[direction];
        if (at_x >= c.width || at_z >= c.depth) {
            return isinf(drop_cells);
        }
        const uint32_t beside = at_z * c.width + at_x;
        const bool empty = c.first[beside] == c.first[beside + 1];
        if (isinf(drop_cells)
                ? empty || c.bottom[c.first[beside]] > top
                : entry_of(c, beside, top - (uint32_t)lroundf(drop_cells)) != NAV_NONE) {
            return true;
        }
    }
    return false;
}

static void compare_numbers(recast_columns c, uint32_t column, uint32_t top, float cell_height,
                            const nav_floor_facts *f, counts *sum)
{
    const uint32_t i = entry_of(c, column, top);
    const bool open = i + 1 == c.first[column + 1];
    const float headroom =
        open ? (float)INFINITY : (float)(c.bottom[i + 1] - c.top[i]) * cell_height;
    sum->numbers++;
    sum->numbers_same +=
        open ? isinf(f->headroom) : fabsf(headroom - f->headroom) < 0.01f * cell_height;
    if (f->verdict == NAV_VERDICT_LEDGE && f->ledge_drop > 0) {
        sum->numbers++;
        sum->numbers_same += falls_by(c, column, top, f->ledge_drop / cell_height);
    }
}

// Floors are compared where both have voxelized one with the same top.
static void compare_recast(const recast_mesh *theirs, uint32_t column, uint32_t top,
                           float cell_height, const nav_floor_facts *f, counts *sum)
{
    const recast_columns solid = recast_solid(theirs), open = recast_open(theirs);
    sum->floors++;
    if (entry_of(solid, column, top) == NAV_NONE) {
        return;
    }
    sum->matched++;
    sum->filtered_same += is_walkable(solid, column, top) == !is_filtered(f->verdict);
    sum->eroded_same += is_walkable(open, column, top) ==
                        (!is_filtered(f->verdict) && f->verdict != NAV_VERDICT_ERODED);
    compare_numbers(solid, column, top, cell_height, f, sum);
}

// ---- our own stages ----

static void compare_own(const our_bake *b, uint32_t column, uint32_t top, const nav_floor_facts *f,
                        counts *sum)
{
    const nav_heightfield *solid = &b->solid;
    const nav_field *field = &b->field;
    bool is_ground = false, is_open = false, in_region = false;
    for (uint32_t i = solid->first[column]; i < solid->first[column + 1]; ++i) {
        is_ground |= solid->span_max[i] == top && solid->span_area[i] != NAV_AREA_NONE;
    }
    for (uint32_t i = field->first[column]; i < field->first[column + 1]; ++i) {
        const bool same = field->floor[i] == top;
        is_open |= same && field->area[i] != NAV_AREA_NONE;
        in_region |= same && field->region[i] != 0;
    }
    const bool kept = f->verdict == NAV_VERDICT_KEPT || f->verdict == NAV_VERDICT_SIMPLIFIED;
    sum->own++;
    sum->own_wrong += is_ground == is_filtered(f->verdict) || in_region != kept ||
                      is_open != (kept || f->verdict == NAV_VERDICT_REGION_REMOVED);
}

// ---- one level ----

static void compare_columns(const our_bake *b, const recast_mesh *theirs,
                            const nav_column_facts *columns, counts *sum)
{
    const nav_grid *g = &b->grid;
    for (uint32_t i = 0; i < COLUMNS; ++i) {
        const nav_column_facts *c = &columns[i];
        const uint32_t x = (uint32_t)((c->cell[0] - g->min[0]) / g->cell_size);
        const uint32_t z = (uint32_t)((c->cell[1] - g->min[2]) / g->cell_size);
        const uint32_t column = z * g->width_cells + x;
        for (uint32_t k = 0; k < c->floor_count; ++k) {
            const nav_floor_facts *f = &c->floors[k];
            const uint32_t top = (uint32_t)lroundf((f->top - g->min[1]) / g->cell_height);
            compare_recast(theirs, column, top, g->cell_height, f, sum);
            compare_own(b, column, top, f, sum);
            sum->verdicts[f->verdict]++;
        }
    }
}

static void tell(const char *level, const counts *c)
{
    const double matched = c->matched;
    printf("# %s: %u floors in %d columns:", level, c->floors, COLUMNS);
    for (int v = 0; v < NAV_VERDICT_COUNT; ++v) {
        if (c->verdicts[v] > 0) {
            printf(" %s %u", nav_verdict_word((nav_verdict)v), c->verdicts[v]);
        }
    }
    printf("\n");
    expect(level, c->floors > 0 && matched / c->floors >= SAME_MIN,
           "share of floors that Recast has as well", matched / c->floors, SAME_MIN);
    expect(level, c->filtered_same / matched >= SAME_MIN,
           "share that the filters keep or take in both", c->filtered_same / matched, SAME_MIN);
    expect(level, c->eroded_same / matched >= SAME_MIN, "share that erosion leaves in both",
           c->eroded_same / matched, SAME_MIN);
    expect(level, c->numbers_same >= SAME_MIN * c->numbers,
           "share of headrooms and drops that Recast's columns have",
           c->numbers_same / (double)c->numbers, SAME_MIN);
    expect(level, c->own > 0 && c->own_wrong == 0, "floors that our own stages have otherwise",
           c->own_wrong, 0);
}

static nav_status explain(const our_bake *b, const nav_geometry *geometry, const nav_config *config,
                          nav_arena *result, nav_column_facts *columns, nav_error *err)
{
    nav_plan_place places[COLUMNS];
    nav_arena scratch;
    nav_tile_facts tile;
    uint64_t seed = 77 + levels_seen;
    for (uint32_t i = 0; i < COLUMNS; ++i) {
        places[i].x = b->grid.min[0] + corpus_random_fraction(&seed) *
                                           (float)(b->grid.width_cells) * b->grid.cell_size *
                                           0.9999f;
        places[i].z = b->grid.min[2] + corpus_random_fraction(&seed) *
                                           (float)(b->grid.depth_cells) * b->grid.cell_size *
                                           0.9999f;
    }
    nav_arena_init(&scratch, NULL, 0);
    const nav_status status =
        nav_tile_explain(geometry, config, &b->grid, NULL, 0, 0, places, COLUMNS, NULL, &scratch,
                         result, columns, &tile, NULL, err);
    nav_arena_free(&scratch);
    return status;
}

static void visit(const char *level, const nav_geometry *geometry)
{
    nav_config config = nav_config_default();
    our_bake b;
    counts sum = {0};
    const char *why = NULL;
    nav_error err = {0};
    nav_arena result;
    if (levels_seen == LEVELS) {
        return;
    }
    config.tile_cells = 0;
    nav_column_facts *columns = calloc(COLUMNS, sizeof *columns);
    nav_arena_init(&result, NULL, 0);
    nav_status status = our_bake_run(&b, geometry, &config);
    recast_mesh *theirs = recast_bake(geometry, &config, &why);
    if (status == NAV_OK && columns != NULL) {
        status = explain(&b, geometry, &config, &result, columns, &err);
    }
    if (status != NAV_OK || theirs == NULL || columns == NULL) {
        printf("not ok %s: no mesh (ours: %s, theirs: %s)\n", level,
               status != NAV_OK ? "none" : "fine", theirs == NULL ? why : "fine");
        corpus_failures++;
    } else {
        compare_columns(&b, theirs, columns, &sum);
        tell(level, &sum);
    }
    levels_seen++;
    recast_free(theirs);
    our_bake_free(&b);
    nav_arena_free(&result);
    free(columns);
}

// The three known levels first, where they are there; then generated ones.
int main(void)
{
    corpus_files(visit);
    corpus_each(visit);
    expect("all", levels_seen == LEVELS, "levels that were compared", levels_seen, LEVELS);
    return corpus_failures > 0;
}
