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

#include "our_bake.h"
#include "recast.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SAME_COLUMNS_MIN 0.995
#define COLUMN_OFF_MAX_CELLS 1
// A steep face that runs through the very corner where four cells meet is in one of the cells for
// one side and in the one across for the other. Of a level's columns this share may be such.
#define FAR_COLUMNS_MAX 1e-4
#define SAME_CELLS_MIN 0.995
#define REGION_DIFFERENCE_MAX 0.05
#define REGION_SLACK 2
#define POLYGON_RATIO_MAX 1.05
#define AREA_LOSS_MAX 0.003
// Heights: off by more than this is no height at all.
#define HEIGHT_OFF_MAX_CELLS 2
#define HEIGHT_MISSING_SLACK 0.002
#define HEIGHT_SLACK_CELLS 0.02

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

static void compare_solid(judge *j, const nav_heightfield *ours, recast_columns theirs)
{
    size_t columns = (size_t)ours->width * ours->depth;
    bool same_size = ours->width == theirs.width && ours->depth == theirs.depth;
    expect(j, same_size, "the grid has the same size", ours->width, theirs.width);
    size_t same = 0, far = 0;
    for (size_t i = 0; i < columns && same_size; ++i) {
        uint32_t a = ours->first[i], b = theirs.first[i];
        uint32_t off = column_off(
            (changes){&ours->span_min[a], &ours->span_max[a], 2 * (ours->first[i + 1] - a)},
            (changes){&theirs.bottom[b], &theirs.top[b], 2 * (theirs.first[i + 1] - b)});
        far += off > COLUMN_OFF_MAX_CELLS;
        same += off == 0;
    }
    double share = (double)same / (double)columns;
    expect(j, share >= SAME_COLUMNS_MIN, "share of solid columns that are equal", share,
           SAME_COLUMNS_MIN);
    double far_share = (double)far / (double)columns;
    expect(j, far_share <= FAR_COLUMNS_MAX, "share of columns off by more than a cell", far_share,
           FAR_COLUMNS_MAX);
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

// Where the floor of a cell is not level, the two meshes mean different heights: ours meets the
// highest of the floors at a cell's corner, theirs the floor of one cell. Hence a height counts as
// right anywhere between the lowest and the highest of the floors in and around the cell; the error
// is how far it is beyond.
typedef struct height_errors {
    double sum;   // of those that are near
    size_t count; // of those that are near
} height_errors;

typedef struct floor_range {
    uint16_t low, high;
} floor_range;

static void take_in(const nav_field *f, uint32_t span, floor_range *range)
{
    if (span != NAV_NONE) {
        range->low = f->floor[span] < range->low ? f->floor[span] : range->low;
        range->high = f->floor[span] > range->high ? f->floor[span] : range->high;
    }
}

// The floors of a span, of those beside it, and of those across its corners.
static floor_range range_around(const nav_field *f, uint32_t span)
{
    floor_range range = {f->floor[span], f->floor[span]};
    for (int d = 0; d < 4; ++d) {
        uint32_t beside = nav_field_neighbour(f, span, d);
        if (beside != NAV_NONE) {
            take_in(f, beside, &range);
            take_in(f, nav_field_neighbour(f, beside, (d + 1) & 3), &range);
            take_in(f, nav_field_neighbour(f, beside, (d + 3) & 3), &range);
        }
    }
    return range;
}

// Height of the triangle above (x, z), or false where it is not above it.
static bool height_over(const float t[3][3], float x, float z, float *height)
{
    float abx = t[1][0] - t[0][0], abz = t[1][2] - t[0][2];
    float acx = t[2][0] - t[0][0], acz = t[2][2] - t[0][2];
    float apx = x - t[0][0], apz = z - t[0][2];
    float area = abx * acz - abz * acx;
    if (fabsf(area) < 1e-6f) {
        return false;
    }
    float v = (apx * acz - apz * acx) / area;
    float w = (abx * apz - abz * apx) / area;
    if (v < 0 || w < 0 || v + w > 1) {
        return false;
    }
    *height = t[0][1] + v * (t[1][1] - t[0][1]) + w * (t[2][1] - t[0][1]);
    return true;
}

// How far the height is from the walkable floors of a column.
static double floor_error(const nav_field *f, size_t column, float height)
{
    double least = HUGE_VAL;
    for (uint32_t i = f->first[column]; i < f->first[column + 1]; ++i) {
        if (f->area[i] != NAV_AREA_NONE) {
            floor_range range = range_around(f, i);
            double below = range.low - (double)height, above = (double)height - range.high;
            double error = fmax(0, fmax(below, above));
            least = error < least ? error : least;
        }
    }
    return least;
}

// Adds the errors in all cells under a triangle of height detail, each near its middle: no edge
// runs through that very place, so that each cell counts once.
static void add_triangle(const nav_field *f, const float t[3][3], height_errors *sum)
{
    float low_x = fminf(t[0][0], fminf(t[1][0], t[2][0]));
    float high_x = fmaxf(t[0][0], fmaxf(t[1][0], t[2][0]));
    float low_z = fminf(t[0][2], fminf(t[1][2], t[2][2]));
    float high_z = fmaxf(t[0][2], fmaxf(t[1][2], t[2][2]));
    for (uint32_t z = (uint32_t)fmaxf(low_z, 0); z < f->depth && (float)z <= high_z; ++z) {
        for (uint32_t x = (uint32_t)fmaxf(low_x, 0); x < f->width && (float)x <= high_x; ++x) {
            float height;
            if (!height_over(t, (float)x + 0.51f, (float)z + 0.47f, &height)) {
                continue;
            }
            double error = floor_error(f, (size_t)z * f->width + x, height);
            if (error < HEIGHT_OFF_MAX_CELLS) {
                sum->sum += error;
                sum->count++;
            }
        }
    }
}

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

static void our_height_errors(const our_bake *b, height_errors *sum)
{
    for (uint32_t polygon = 0; polygon < b->polygons.count; ++polygon) {
        for (uint32_t i = b->detail.triangle_first[polygon];
             i < b->detail.triangle_first[polygon + 1]; ++i) {
            float t[3][3];
            for (int k = 0; k < 3; ++k) {
                detail_corner(b, polygon, b->detail.triangles[i][k], t[k]);
            }
            add_triangle(&b->field, (const float(*)[3])t, sum);
        }
    }
}

static void their_height_errors(const our_bake *b, const recast_mesh *theirs, height_errors *sum)
{
    for (uint32_t i = 0; i < recast_detail_count(theirs); ++i) {
        float t[3][3];
        recast_detail_triangle(theirs, i, t);
        add_triangle(&b->field, (const float(*)[3])t, sum);
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

static void compare_heights(judge *j, const our_bake *b, const recast_mesh *theirs, double area)
{
    height_errors ours = {0}, other = {0};
    our_height_errors(b, &ours);
    their_height_errors(b, theirs, &other);
    double cells = area / ((double)b->grid.cell_size * (double)b->grid.cell_size);
    double missing = 1 - (double)ours.count / cells,
           their_missing = 1 - (double)other.count / cells;
    expect(j, missing <= their_missing + HEIGHT_MISSING_SLACK,
           "share of cells without a height that is near", missing,
           their_missing + HEIGHT_MISSING_SLACK);
    double error = ours.sum / (double)ours.count, their_error = other.sum / (double)other.count;
    expect(j, error <= their_error + HEIGHT_SLACK_CELLS, "height error of the detail, cells", error,
           their_error + HEIGHT_SLACK_CELLS);
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
            compare_solid(j, &b.solid, recast_solid(theirs));
            compare_walkable(j, "share of cells walkable after the filters in both", columns,
                             (tops){b.solid.first, b.solid.span_max, b.solid.span_area},
                             recast_solid(theirs));
            compare_walkable(j, "share of cells walkable after erosion in both", columns,
                             (tops){b.field.first, b.field.floor, b.field.area},
                             recast_open(theirs));
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
