// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// stages.c: an oracle for each stage of the bake. Both sides bake a level with the same settings;
// what each stage leaves is compared: solid columns, walkable cells, regions, polygons, heights.
//
//   triangles -> columns -> filtered -> eroded -> regions -> polygons -> detail
//                    |          |          |         |           |          |
//                 compared once a level           compared for each partition

#include "stages.h"

#include "exact.h"
#include "ground.h"
#include "our_bake.h"
#include "recast.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAME_COLUMNS_MIN 0.995
#define COLUMN_OFF_MAX_CELLS 1
#define SAME_CELLS_MIN 0.995
#define REGION_DIFFERENCE_MAX 0.05
#define REGION_SLACK 2
#define POLYGON_RATIO_MAX 1.05
#define AREA_LOSS_MAX 0.003
// Of the cells under polygons; the rest are those whose middle an edge leaves out.
#define COVERED_MIN 0.995

typedef struct judge {
    const char *level, *partition;
    int failures;
} judge;

static void expect(judge *j, bool holds, const char *what, double value, double limit)
{
    printf("%s %s, %s: %s (%.4f, limit %.4f)\n", holds ? "ok" : "not ok", j->level, j->partition,
           what, value, limit);
    j->failures += !holds;
}

// ---- columns ----

// The solid spans of a column as places where solid and open change: bottom, top, bottom, top..
typedef struct changes {
    const uint16_t *bottom, *top;
    uint32_t count; // of changes
} changes;

static uint32_t change_at(const changes *c, uint32_t i)
{
    return i >= c->count ? UINT32_MAX : i % 2 == 0 ? c->bottom[i / 2] : c->top[i / 2];
}

// The longest stretch of cells that is solid on one side only; 0: the columns are the same.
static uint32_t column_off(changes a, changes b)
{
    uint32_t i = 0, k = 0, since = 0, longest = 0;
    bool differ = false;
    while (i < a.count || k < b.count) {
        uint32_t at_a = change_at(&a, i), at_b = change_at(&b, k);
        uint32_t at = at_a < at_b ? at_a : at_b;
        longest = differ && at - since > longest ? at - since : longest;
        i += at_a == at;
        k += at_b == at;
        bool now = i % 2 != k % 2;
        since = now && !differ ? at : since;
        differ = now;
    }
    return longest;
}

// Where a column is off by more than a cell, a steep face passes through the corner of four cells
// by less than a hundredth of a cell: six columns of `undulating`, whose coordinates of 5,000 are
// whole multiples of 0.0016 cells in Recast's floats. The level itself says who is right.
static void compare_solid(judge *j, const our_bake *bake, recast_columns theirs)
{
    const nav_heightfield *ours = &bake->solid;
    size_t columns = (size_t)ours->width * ours->depth;
    bool same_size = ours->width == theirs.width && ours->depth == theirs.depth;
    expect(j, same_size, "the grid has the same size", ours->width, theirs.width);
    size_t same = 0, wrong = 0;
    for (size_t i = 0; i < columns && same_size; ++i) {
        uint32_t a = ours->first[i], b = theirs.first[i];
        uint32_t off = column_off(
            (changes){&ours->span_min[a], &ours->span_max[a], 2 * (ours->first[i + 1] - a)},
            (changes){&theirs.bottom[b], &theirs.top[b], 2 * (theirs.first[i + 1] - b)});
        wrong +=
            off > COLUMN_OFF_MAX_CELLS &&
            !exact_column_agrees(bake->job.geometry, &bake->grid, (uint32_t)(i % ours->width),
                                 (uint32_t)(i / ours->width), &ours->span_min[a],
                                 &ours->span_max[a], ours->first[i + 1] - a, COLUMN_OFF_MAX_CELLS);
        same += off == 0;
    }
    double share = (double)same / (double)columns;
    expect(j, share >= SAME_COLUMNS_MIN, "share of solid columns that are equal", share,
           SAME_COLUMNS_MIN);
    expect(j, wrong == 0, "columns off by more than a cell, and from the level itself as well",
           (double)wrong, 0);
}

// ---- walkable cells ----

// Tops of spans with the mark "walkable", column by column.
typedef struct tops {
    const uint32_t *first;
    const uint16_t *top;
    const uint8_t *walkable;
} tops;

// Cells of `a` that `b` has as well, up to one cell of height; *total: of all walkable ones of `a`.
static size_t count_shared(size_t columns, tops a, tops b, size_t *total)
{
    size_t shared = 0;
    *total = 0;
    for (size_t column = 0; column < columns; ++column) {
        for (uint32_t i = a.first[column]; i < a.first[column + 1]; ++i) {
            bool found = false;
            for (uint32_t k = b.first[column]; k < b.first[column + 1]; ++k) {
                found |= b.walkable[k] != 0 && a.top[i] <= b.top[k] + 1 && b.top[k] <= a.top[i] + 1;
            }
            *total += a.walkable[i] != 0;
            shared += a.walkable[i] != 0 && found;
        }
    }
    return shared;
}

static void compare_walkable(judge *j, const char *what, size_t columns, tops ours,
                             recast_columns c)
{
    tops theirs = {c.first, c.top, c.walkable};
    size_t our_total, their_total;
    size_t our_shared = count_shared(columns, ours, theirs, &our_total);
    size_t their_shared = count_shared(columns, theirs, ours, &their_total);
    double share = (double)(our_shared + their_shared) / (double)(our_total + their_total);
    expect(j, share >= SAME_CELLS_MIN, what, share, SAME_CELLS_MIN);
}

// ---- heights ----

static void detail_corner(const our_bake *b, uint32_t polygon, uint32_t index, float out[3])
{
    const nav_polygons *p = &b->polygons;
    const uint32_t *row = &p->polygon_vertices[(size_t)polygon * p->max_vertices];
    uint32_t corners = 0;
    while (corners < p->max_vertices && row[corners] != NAV_NONE) {
        corners++;
    }
    if (index >= corners) {
        memcpy(out, b->detail.vertices[b->detail.vertex_first[polygon] + index - corners],
               3 * sizeof *out);
        return;
    }
    for (int axis = 0; axis < 3; ++axis) {
        out[axis] = (float)p->vertices[row[index]][axis];
    }
}

static void our_height_errors(const our_bake *b, const ground *g, ground_errors *sum)
{
    for (uint32_t polygon = 0; polygon < b->polygons.count; ++polygon) {
        for (uint32_t i = b->detail.triangle_first[polygon];
             i < b->detail.triangle_first[polygon + 1]; ++i) {
            float t[3][3];
            for (int k = 0; k < 3; ++k) {
                detail_corner(b, polygon, b->detail.triangles[i][k], t[k]);
            }
            ground_compare(g, (const float(*)[3])t, sum);
        }
    }
}

static void their_height_errors(const recast_mesh *theirs, const ground *g, ground_errors *sum)
{
    for (uint32_t i = 0; i < recast_detail_count(theirs); ++i) {
        float t[3][3];
        recast_detail_triangle(theirs, i, t);
        ground_compare(g, (const float(*)[3])t, sum);
    }
}

// ---- the stages of one partition ----

static double polygon_area(const nav_polygons *p, float cell_size)
{
    int64_t doubled = 0;
    for (uint32_t i = 0; i < p->count; ++i) {
        const uint32_t *row = &p->polygon_vertices[(size_t)i * p->max_vertices];
        const int32_t *a = p->vertices[row[0]];
        for (uint32_t k = 2; k < p->max_vertices && row[k] != NAV_NONE; ++k) {
            const int32_t *b = p->vertices[row[k - 1]], *c = p->vertices[row[k]];
            int64_t cross =
                (int64_t)(b[0] - a[0]) * (c[2] - a[2]) - (int64_t)(c[0] - a[0]) * (b[2] - a[2]);
            doubled += cross < 0 ? -cross : cross;
        }
    }
    return (double)doubled / 2 * (double)cell_size * (double)cell_size;
}

// Recast's heights without the cell by which it lifts them, which makes them better by a cell.
static void compare_heights(judge *j, const our_bake *b, const recast_mesh *theirs, double area)
{
    ground g;
    if (!ground_init(&g, b->job.geometry, &b->grid)) {
        expect(j, false, "memory for the ground", 0, 0);
        ground_free(&g);
        return;
    }
    ground_errors ours = {0}, other = {0};
    our_height_errors(b, &g, &ours);
    their_height_errors(theirs, &g, &other);
    ground_free(&g);
    double cells = area / ((double)b->grid.cell_size * (double)b->grid.cell_size);
    double covered = (double)ours.count / cells;
    expect(j, covered >= COVERED_MIN, "share of cells with detail over ground", covered,
           COVERED_MIN);
    double mean = ours.sum / (double)ours.count, their_mean = other.sum / (double)other.count;
    expect(j, mean <= their_mean, "mean height error of the detail, cells", mean, their_mean);
    expect(j, ours.worst <= other.worst, "worst height error of the detail, cells", ours.worst,
           other.worst);
}

static void compare_mesh(judge *j, const our_bake *b, const recast_mesh *theirs)
{
    double regions = b->field.region_count, their_regions = recast_region_count(theirs);
    double slack = fmax(REGION_SLACK, REGION_DIFFERENCE_MAX * their_regions);
    expect(j, fabs(regions - their_regions) <= slack, "regions, ours - theirs",
           regions - their_regions, slack);
    double polygons = (double)b->polygons.count / recast_polygon_count(theirs);
    expect(j, polygons <= POLYGON_RATIO_MAX, "polygons, ours / theirs", polygons,
           POLYGON_RATIO_MAX);
    double area = polygon_area(&b->polygons, b->grid.cell_size);
    double their_area = recast_walkable_area(theirs);
    expect(j, fabs(area - their_area) <= AREA_LOSS_MAX * their_area,
           "walkable area differs by this share", area / their_area - 1, AREA_LOSS_MAX);
    compare_heights(j, b, theirs, area);
}

// After erosion the area of a floor has 16 bits.
static void compare_open(judge *j, const our_bake *b, const recast_mesh *theirs)
{
    const size_t columns = (size_t)b->field.width * b->field.depth;
    const size_t floors = b->field.first[columns];
    uint8_t *walkable = malloc(floors + 1);
    NAV_ASSERT(walkable != NULL);
    for (size_t i = 0; i < floors; i++) {
        walkable[i] = b->field.area[i] != NAV_AREA_NONE;
    }
    compare_walkable(j, "share of cells walkable after erosion in both", columns,
                     (tops){b->field.first, b->field.floor, walkable}, recast_open(theirs));
    free(walkable);
}

static void compare_partition(judge *j, const nav_geometry *geometry, const nav_config *config)
{
    our_bake b;
    const char *why = NULL;
    nav_status status = our_bake_run(&b, geometry, config);
    recast_mesh *theirs = recast_bake(geometry, config, &why);
    if (status != NAV_OK || theirs == NULL) {
        printf("not ok %s, %s: no mesh (ours: %s, theirs: %s)\n", j->level, j->partition,
               status != NAV_OK ? b.err.detail : "fine", theirs == NULL ? why : "fine");
        j->failures++;
    } else {
        size_t columns = (size_t)b.field.width * b.field.depth;
        if (config->partition == NAV_PARTITION_WATERSHED) {
            compare_solid(j, &b, recast_solid(theirs));
            compare_walkable(j, "share of cells walkable after the filters in both", columns,
                             (tops){b.solid.first, b.solid.span_max, b.solid.span_area},
                             recast_solid(theirs));
            compare_open(j, &b, theirs);
        }
        compare_mesh(j, &b, theirs);
    }
    recast_free(theirs);
    our_bake_free(&b);
}

int stages_compare(const char *level, const nav_geometry *geometry)
{
    static const char *const words[] = {"watershed", "monotone", "layers"};
    judge j = {.level = level};
    for (nav_partition p = NAV_PARTITION_WATERSHED; p <= NAV_PARTITION_LAYERS; ++p) {
        nav_config config = nav_config_default();
        config.partition = p;
        j.partition = words[p];
        compare_partition(&j, geometry, &config);
    }
    return j.failures;
}
