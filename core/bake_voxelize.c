// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// bake_voxelize.c: step 1, triangles -> solid spans.
//
// Conservative: a voxel is solid if a triangle touches it. A triangle is cut into rows of cells;
// over one row it is a convex polygon, and the heights it reaches in a column of that row are the
// heights that the polygon's outline reaches there. So each row is voxelized by walking a few line
// segments:
//
//        z+1 ----*-----------*----   cut      the outline: the two cuts where rows meet,
//               /             \               the long side, and the one or two short sides
//              /               *              whatever part of them lies in this row
//        z ---*---------------/---   cut
//           | x | x | x | x | x |             each segment widens [low, high] of its columns
//
// The touches of all triangles are then sorted by column (a counting sort) and merged within each.
// The result depends on the set of triangles alone, not on their order.

#include "bake.h"

#include <math.h>
#include <string.h>

// A triangle's corner in cells of the grid, so that a triangle is cut the same way in each of the
// tiles that it lies in; y in height cells.
typedef struct corner {
    double x, z;
    float y;
} corner;

// One triangle's touch of one column: cells [low, high). Its area is kept in an array beside.
typedef struct touch {
    uint32_t column;
    uint16_t low, high;
} touch;

typedef struct voxelizer {
    const nav_bake_job *job;
    int32_t x_begin, x_end, z_begin, z_end; // of the grid, what is voxelized: nothing beside it
    float *row_low, *row_high; // heights reached in the current row, by column from x_begin on
    touch *touches;
    uint8_t *areas; // by touch
    size_t touch_count, touch_capacity;
    size_t visited; // touches since it was last asked whether the bake is cancelled
    nav_arena touch_arena, area_arena;
    uint32_t *newest; // by column: index of its newest touch + 1, or 0
} voxelizer;

// Counts touches and asks now and then: a single triangle may cover the whole tile.
static inline bool cancelled_after(voxelizer *v, size_t touches)
{
    v->visited += touches;
    if (v->visited < 65536) {
        return false;
    }
    v->visited = 0;
    return nav_bake_cancelled(v->job);
}

// ---- walking a segment ----

static inline void widen(voxelizer *v, int32_t column, float y0, float y1)
{
    column -= v->x_begin;
    float low = y0 < y1 ? y0 : y1;
    float high = y0 < y1 ? y1 : y0;
    v->row_low[column] = low < v->row_low[column] ? low : v->row_low[column];
    v->row_high[column] = high > v->row_high[column] ? high : v->row_high[column];
}

// Widens the columns between the two points of a segment, limited to [first, last]. slope is the
// segment's rise over x.
static inline void walk_segment(voxelizer *v, corner a, corner b, double slope, int32_t first,
                                int32_t last)
{
    if (a.x > b.x) {
        corner swap = a;
        a = b;
        b = swap;
    }
    int32_t from = a.x < first ? first : (int32_t)a.x;
    if (b.x < first || from > last) {
        return;
    }
    int32_t to = b.x >= last ? last : (int32_t)b.x;
    float y = a.x < from ? (float)((double)a.y + slope * (from - a.x)) : a.y;
    for (int32_t column = from; column < to; ++column) {
        float next = (float)((double)a.y + slope * (column + 1 - a.x));
        widen(v, column, y, next);
        y = next;
    }
    float end = b.x > to + 1 ? (float)((double)a.y + slope * (to + 1 - a.x)) : b.y;
    widen(v, to, y, end);
}

// ---- one row ----

// The solid cells between two heights. Heights are not negative up to rounding, so that cutting off
// the fraction is the floor.
static inline touch touch_between(uint32_t column, float low, float high)
{
    const float top = NAV_HEIGHT_CELLS_MAX;
    low = low > 0 ? low : 0;
    low = low < top ? low : top;
    high = high < top ? high : top;
    int32_t low_cells = (int32_t)low;
    int32_t high_cells = (int32_t)high;
    high_cells += (float)high_cells < high;
    high_cells = high_cells > low_cells ? high_cells : low_cells + 1;
    return (touch){column, (uint16_t)low_cells, (uint16_t)high_cells};
}

// Makes room for `count` more touches.
static nav_status reserve(voxelizer *v, uint32_t count)
{
    if (v->touch_capacity - v->touch_count >= count) {
        return NAV_OK;
    }
    size_t capacity = v->touch_capacity + v->touch_capacity / 2 + count + 4096;
    if (capacity >= UINT32_MAX) {
        return nav_fail(v->job->err, NAV_TILE_TOO_COMPLEX,
                        "the triangles touch more cells than one tile can hold; use a larger "
                        "cell_size or smaller tiles");
    }
    touch *touches =
        nav_arena_grow(&v->touch_arena, v->touches, v->touch_count, capacity, sizeof(touch));
    uint8_t *areas = nav_arena_grow(&v->area_arena, v->areas, v->touch_count, capacity, 1);
    if (touches == NULL || areas == NULL) {
        return NAV_NO_MEMORY;
    }
    v->touches = touches;
    v->areas = areas;
    v->touch_capacity = capacity;
    return NAV_OK;
}

// Adds a touch, or widens the column's newest one where both are of one area and meet: a wall of
// many triangles touches a column many times. What touches of one area are together does not depend
// on which of them are put together here.
static inline void add_touch(voxelizer *v, uint32_t column, float low, float high, uint8_t area)
{
    touch t = touch_between(column, low, high);
    uint32_t newest = v->newest[column];
    if (newest > 0 && v->areas[newest - 1] == area) {
        touch *other = &v->touches[newest - 1];
        if (t.low <= other->high && other->low <= t.high) {
            other->low = t.low < other->low ? t.low : other->low;
            other->high = t.high > other->high ? t.high : other->high;
            return;
        }
    }
    v->touches[v->touch_count] = t;
    v->areas[v->touch_count] = area;
    v->newest[column] = (uint32_t)++v->touch_count;
}

// The field's column of a cell of the grid.
static inline uint32_t column_of(const voxelizer *v, int32_t x, int32_t z)
{
    return (uint32_t)(z - v->job->first_z_cells) * v->job->width_cells +
           (uint32_t)(x - v->job->first_x_cells);
}

// Emits what the row's segments have reached and resets it for the next row.
static nav_status emit_row(voxelizer *v, int32_t row, int32_t first, int32_t last, uint8_t area)
{
    nav_status status = reserve(v, (uint32_t)(last - first + 1));
    if (status != NAV_OK) {
        return status;
    }
    uint32_t column = column_of(v, first, row);
    float *low = v->row_low + (first - v->x_begin), *high = v->row_high + (first - v->x_begin);
    for (int32_t i = 0; i <= last - first; ++i) {
        add_touch(v, column + (uint32_t)i, low[i], high[i], area);
        low[i] = INFINITY;
        high[i] = -INFINITY;
    }
    return NAV_OK;
}

// A side of a triangle, from its end with the lower z.
typedef struct side {
    corner a;
    double dx, dy, dz;
    double y_by_x;
} side;

static double slope_between(corner a, corner b)
{
    return a.x != b.x ? (double)(b.y - a.y) / (b.x - a.x) : 0;
}

static side side_between(corner a, corner b)
{
    return (side){.a = a,
                  .dx = b.x - a.x,
                  .dy = (double)(b.y - a.y),
                  .dz = b.z - a.z,
                  .y_by_x = slope_between(a, b)};
}

// Multiplied before divided, so that a side through a corner of the grid is cut in that corner
// exactly.
static inline corner cut(const side *s, double z)
{
    double along = z - s->a.z;
    return (corner){.x = s->a.x + along * s->dx / s->dz,
                    .z = z,
                    .y = (float)((double)s->a.y + along * s->dy / s->dz)};
}

// The last cell that an extent up to `end` >= 0 reaches: a cell that is touched in its lower border
// only does not count, unless the extent is a mere line.
static inline int32_t last_cell(double begin, double end)
{
    int32_t cell = (int32_t)end;
    return (double)cell == end && end > begin ? cell - 1 : cell;
}

static double min3(double a, double b, double c)
{
    double least = a < b ? a : b;
    return least < c ? least : c;
}

static double max3(double a, double b, double c)
{
    double most = a > b ? a : b;
    return most > c ? most : c;
}

static void sort_by_z(corner c[3])
{
    for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 2 - i; ++j) {
            bool later = c[j].z > c[j + 1].z;
            if (later) {
                corner swap = c[j];
                c[j] = c[j + 1];
                c[j + 1] = swap;
            }
        }
    }
}

// Where the triangle is cut between two rows: [0] on its long side, [1] on its short ones.
typedef struct row_cut {
    corner at[2];
    double slope;
} row_cut;

static row_cut cut_between(corner long_side, corner short_side)
{
    return (row_cut){.at = {long_side, short_side}, .slope = slope_between(long_side, short_side)};
}

// A triangle by rising z: the long side goes from c[0] to c[2], the short ones meet in c[1].
typedef struct triangle {
    corner c[3];
    side sides[3]; // long, lower short, upper short
    uint8_t area;
} triangle;

// The part of a triangle between two cuts that lies within one column, as most of a wall does,
// reaches the heights that its corners reach.
static nav_status emit_cell(voxelizer *v, int32_t row, int32_t column, const triangle *t,
                            const row_cut *near, const row_cut *far, bool middle_inside)
{
    float y[5] = {near->at[0].y, near->at[1].y, far->at[0].y, far->at[1].y,
                  middle_inside ? t->c[1].y : far->at[1].y};
    float low = y[0], high = y[0];
    for (int i = 1; i < 5; ++i) {
        low = y[i] < low ? y[i] : low;
        high = y[i] > high ? y[i] : high;
    }
    nav_status status = reserve(v, 1);
    if (status != NAV_OK) {
        return status;
    }
    add_touch(v, column_of(v, column, row), low, high, t->area);
    return NAV_OK;
}

// Walks the outline of the triangle's part between two cuts.
static nav_status voxelize_row(voxelizer *v, int32_t row, const triangle *t, const row_cut *near,
                               const row_cut *far)
{
    const corner *middle = &t->c[1];
    bool middle_inside = middle->z > near->at[1].z && middle->z < far->at[1].z;
    double min = min3(near->at[0].x, near->at[1].x, far->at[0].x);
    double max = max3(near->at[0].x, near->at[1].x, far->at[0].x);
    double corner_x = middle_inside ? middle->x : far->at[1].x;
    min = min3(min, far->at[1].x, corner_x);
    max = max3(max, far->at[1].x, corner_x);
    if (max < v->x_begin || min >= v->x_end) {
        return NAV_OK;
    }
    int32_t first = min < v->x_begin ? v->x_begin : (int32_t)min;
    int32_t last = max >= v->x_end ? v->x_end - 1 : last_cell(min, max);
    if (last < first) {
        return NAV_OK;
    }
    if (first == last && min >= first && max <= first + 1) {
        return emit_cell(v, row, first, t, near, far, middle_inside);
    }
    walk_segment(v, near->at[0], near->at[1], near->slope, first, last);
    walk_segment(v, far->at[0], far->at[1], far->slope, first, last);
    walk_segment(v, near->at[0], far->at[0], t->sides[0].y_by_x, first, last);
    if (middle_inside) {
        walk_segment(v, near->at[1], *middle, t->sides[1].y_by_x, first, last);
        walk_segment(v, *middle, far->at[1], t->sides[2].y_by_x, first, last);
    } else {
        bool lower = far->at[1].z <= middle->z;
        walk_segment(v, near->at[1], far->at[1], t->sides[lower ? 1 : 2].y_by_x, first, last);
    }
    return emit_row(v, row, first, last, t->area);
}

// ---- one triangle ----

// The cut at the upper side of a row.
static row_cut upper_cut(const triangle *t, double z)
{
    const corner *c = t->c;
    if (c[2].z <= z) {
        return cut_between(c[2], c[1].z == c[2].z ? c[1] : c[2]);
    }
    corner short_side = c[1].z == z ? c[1] : cut(&t->sides[c[1].z > z ? 1 : 2], z);
    return cut_between(cut(&t->sides[0], z), short_side);
}

// The cut at the lower side of the triangle's first row within the grid.
static row_cut first_cut(const triangle *t, double z)
{
    const corner *c = t->c;
    if (c[0].z >= z) {
        return cut_between(c[0], c[1].z == c[0].z ? c[1] : c[0]);
    }
    return upper_cut(t, z);
}

// `owned`: the triangle counts in this tile's report.
static nav_status voxelize_triangle(voxelizer *v, const corner corners[3], uint8_t area, bool owned)
{
    triangle t = {.c = {corners[0], corners[1], corners[2]}, .area = area};
    const corner *c = t.c;
    sort_by_z(t.c);
    if (c[2].z < v->z_begin || c[0].z >= v->z_end || max3(c[0].x, c[1].x, c[2].x) < v->x_begin ||
        min3(c[0].x, c[1].x, c[2].x) >= v->x_end) {
        return NAV_OK;
    }
    v->job->report->triangles += owned;
    t.sides[0] = side_between(c[0], c[2]);
    t.sides[1] = side_between(c[0], c[1]);
    t.sides[2] = side_between(c[1], c[2]);
    int32_t first = c[0].z < v->z_begin ? v->z_begin : (int32_t)c[0].z;
    int32_t last = c[2].z >= v->z_end ? v->z_end - 1 : last_cell(c[0].z, c[2].z);
    row_cut near = first_cut(&t, first);
    for (int32_t row = first; row <= last; ++row) {
        row_cut far = upper_cut(&t, row + 1);
        size_t before = v->touch_count;
        nav_status status = voxelize_row(v, row, &t, &near, &far);
        if (status != NAV_OK) {
            return status;
        }
        near = far;
        if (cancelled_after(v, v->touch_count - before)) {
            return nav_fail(v->job->err, NAV_CANCELLED, "the bake was cancelled");
        }
    }
    return NAV_OK;
}

// The cosine of an angle in degrees, 0 to 90, by its Taylor series: libm's differ between systems.
static double cosine(double degrees)
{
    double x = degrees * (3.14159265358979323846 / 180.0);
    double term = 1, sum = 1;
    for (int n = 1; n <= 12; ++n) {
        term *= -x * x / (double)((2 * n - 1) * (2 * n));
        sum += term;
    }
    return sum;
}

// Height over longest edge under which a triangle is a sliver: its normal, and so whether it can be
// walked on, hangs on the last digits of its corners.
#define SLIVER_HEIGHT 1e-3

static double squared(const double v[3])
{
    return v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
}

// The length of the longest edge of a triangle of this doubled surface if it is a sliver, else 0.
static float sliver_length(double doubled_area, const double u[3], const double v[3])
{
    const double w[3] = {v[0] - u[0], v[1] - u[1], v[2] - u[2]};
    double longest2 = fmax(squared(u), fmax(squared(v), squared(w)));
    return doubled_area < SLIVER_HEIGHT * longest2 ? (float)sqrt(longest2) : 0.0f;
}

// How a triangle faces: its area if it can be walked on, NAV_AREA_NONE if it is too steep or faces
// down. Returns false for a triangle without surface. sliver: its longest edge if it is one.
static bool mark_slope(const nav_bake_job *job, uint32_t number, float cosine_min, bool owned,
                       uint8_t *area, float *sliver)
{
    const nav_geometry *g = job->geometry;
    const uint32_t *index = g->triangles + 3 * (size_t)number;
    const float *a = g->vertices + 3 * (size_t)index[0];
    const float *b = g->vertices + 3 * (size_t)index[1];
    const float *c = g->vertices + 3 * (size_t)index[2];
    double ux = (double)b[0] - (double)a[0], uy = (double)b[1] - (double)a[1],
           uz = (double)b[2] - (double)a[2];
    double vx = (double)c[0] - (double)a[0], vy = (double)c[1] - (double)a[1],
           vz = (double)c[2] - (double)a[2];
    double nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
    double length = sqrt(nx * nx + ny * ny + nz * nz);
    if (length == 0) {
        return false;
    }
    *sliver = sliver_length(length, (const double[3]){ux, uy, uz}, (const double[3]){vx, vy, vz});
    uint8_t given = nav_bake_triangle_area(job, number);
    bool flat_enough = ny / length >= (double)cosine_min;
    *area = flat_enough ? given : NAV_AREA_NONE;
    job->report->triangles_steep += owned && !flat_enough && given != NAV_AREA_NONE;
    return true;
}

static corner corner_of(const nav_bake_job *job, uint32_t vertex)
{
    float cells[3];
    nav_bake_cells(job->grid, job->geometry->vertices + 3 * (size_t)vertex, cells);
    return (corner){.x = (double)cells[0], .z = (double)cells[2], .y = cells[1]};
}

static void warn_degenerate(const nav_bake_job *job, const corner *at, bool owned)
{
    if (owned) {
        nav_bake_warn(job, NAV_WARN_DEGENERATE_TRIANGLES, (float)(at->x - job->first_x_cells),
                      at->y, (float)(at->z - job->first_z_cells));
    }
}

static nav_status voxelize_triangles(voxelizer *v)
{
    const nav_bake_job *job = v->job;
    float cosine_min = (float)cosine((double)job->config->agent_max_slope);
    uint32_t tile = job->tile_z * job->grid->tiles_x + job->tile_x;
    const nav_tile_index *list = job->index;
    uint32_t begin = list != NULL ? list->first[tile] : 0;
    uint32_t end = list != NULL ? list->first[tile + 1] : job->geometry->triangle_count;
    for (uint32_t k = begin; k < end; ++k) {
        if ((k - begin) % 256 == 0 && nav_bake_cancelled(job)) {
            return nav_fail(job->err, NAV_CANCELLED, "the bake was cancelled");
        }
        uint32_t i = list != NULL ? list->triangles[k] : k;
        if (nav_bake_other_pass(job, i)) {
            continue;
        }
        const uint32_t *index = job->geometry->triangles + 3 * (size_t)i;
        corner c[3] = {corner_of(job, index[0]), corner_of(job, index[1]),
                       corner_of(job, index[2])};
        bool owned = nav_bake_owner(job->grid, (float)c[0].x, (float)c[0].z) == tile;
        uint8_t area;
        float sliver;
        if (!mark_slope(job, i, cosine_min, owned, &area, &sliver)) {
            warn_degenerate(job, &c[0], owned);
            continue;
        }
        if (sliver > 0 && owned) {
            nav_bake_warn_value(job, NAV_WARN_SLIVER_TRIANGLES,
                                (float)c[0].x - (float)job->first_x_cells, c[0].y,
                                (float)c[0].z - (float)job->first_z_cells, sliver);
        }
        nav_status status = voxelize_triangle(v, c, area, owned);
        if (status != NAV_OK) {
            return status;
        }
    }
    return NAV_OK;
}

// ---- sorting by column, merging within each ----

// A touch as a key: sorted, touches of one column rise by low, then high, then area.
static uint64_t key_of(touch t, uint32_t area)
{
    return (uint64_t)t.low << 32 | (uint64_t)t.high << 16 | area;
}

static void sort_keys(uint64_t *keys, size_t count)
{
    for (size_t i = 1; i < count; ++i) {
        uint64_t key = keys[i];
        size_t j = i;
        for (; j > 0 && keys[j - 1] > key; --j) {
            keys[j] = keys[j - 1];
        }
        keys[j] = key;
    }
}

// Restores the heap order of keys below `root`.
static void sift_down(uint64_t *keys, size_t root, size_t count)
{
    for (size_t child; (child = 2 * root + 1) < count; root = child) {
        child += child + 1 < count && keys[child + 1] > keys[child];
        if (keys[root] >= keys[child]) {
            return;
        }
        uint64_t swap = keys[root];
        keys[root] = keys[child];
        keys[child] = swap;
    }
}

// Columns with very many touches, which only strange levels have, get a heap sort.
static void heap_sort_keys(uint64_t *keys, size_t count)
{
    for (size_t i = count / 2; i-- > 0;) {
        sift_down(keys, i, count);
    }
    for (size_t end = count; end-- > 1;) {
        uint64_t swap = keys[0];
        keys[0] = keys[end];
        keys[end] = swap;
        sift_down(keys, 0, end);
    }
}

// Merges sorted touches that meet or overlap into spans, in place; returns how many are left. The
// area of a span is the highest number among the surfaces that end within `climb` cells of its top.
static uint32_t merge_keys(uint64_t *keys, uint32_t count, uint32_t climb)
{
    uint32_t merged = 0;
    for (uint32_t i = 0; i < count;) {
        uint32_t low = (uint32_t)(keys[i] >> 32);
        uint32_t high = (uint32_t)(keys[i] >> 16 & 0xffff);
        uint32_t end = i + 1;
        for (; end < count && (uint32_t)(keys[end] >> 32) <= high; ++end) {
            uint32_t other = (uint32_t)(keys[end] >> 16 & 0xffff);
            high = other > high ? other : high;
        }
        uint32_t area = 0;
        for (; i < end; ++i) {
            uint32_t other_high = (uint32_t)(keys[i] >> 16 & 0xffff);
            uint32_t other_area = (uint32_t)(keys[i] & 0xff);
            if (high - other_high <= climb && other_area > area) {
                area = other_area;
            }
        }
        keys[merged++] = (uint64_t)low << 32 | (uint64_t)high << 16 | area;
    }
    return merged;
}

// Counting sort: first[c] .. first[c + 1] become the keys of column c. False: the bake is
// cancelled.
static bool sort_into_columns(voxelizer *v, uint32_t *first, size_t columns, uint64_t *keys)
{
    memset(first, 0, (columns + 1) * sizeof *first);
    for (size_t i = 0; i < v->touch_count; ++i) {
        first[v->touches[i].column]++;
        if (i % 65536 == 65535 && nav_bake_cancelled(v->job)) {
            return false;
        }
    }
    uint32_t sum = 0;
    for (size_t c = 0; c <= columns; ++c) {
        sum += first[c];
        first[c] = sum;
    }
    // Filling from the back leaves each entry at the beginning of its column.
    for (size_t i = v->touch_count; i-- > 0;) {
        keys[--first[v->touches[i].column]] = key_of(v->touches[i], v->areas[i]);
        if (i % 65536 == 65535 && nav_bake_cancelled(v->job)) {
            return false;
        }
    }
    return true;
}

// Sorts and merges the keys of each column and closes the gaps. Returns how many are left.
static uint32_t merge_columns(uint32_t *first, size_t columns, uint64_t *keys, uint32_t climb)
{
    uint32_t begin = 0, total = 0;
    for (size_t c = 0; c < columns; ++c) {
        uint32_t end = first[c + 1];
        uint32_t count = end - begin;
        if (count > 1) {
            if (count <= 64) {
                sort_keys(keys + begin, count);
            } else {
                heap_sort_keys(keys + begin, count);
            }
            count = merge_keys(keys + begin, count, climb);
        }
        first[c] = total;
        for (uint32_t i = 0; i < count; ++i) {
            keys[total + i] = keys[begin + i];
        }
        total += count;
        begin = end;
    }
    first[columns] = total;
    return total;
}

static nav_status build_spans(voxelizer *v, nav_arena *result, nav_heightfield *out)
{
    const nav_bake_job *job = v->job;
    size_t columns = (size_t)job->width_cells * job->depth_cells;
    uint32_t *first = NAV_NEW(result, uint32_t, columns + 1);
    uint64_t *keys = NAV_NEW(job->scratch, uint64_t, v->touch_count);
    if (first == NULL || keys == NULL) {
        return NAV_NO_MEMORY;
    }
    if (!sort_into_columns(v, first, columns, keys)) {
        return nav_fail(job->err, NAV_CANCELLED, "the bake was cancelled");
    }
    nav_arena_free(&v->touch_arena);
    nav_arena_free(&v->area_arena);
    uint32_t total = merge_columns(first, columns, keys, job->climb_cells);

    uint16_t *span_min = NAV_NEW(result, uint16_t, total);
    uint16_t *span_max = NAV_NEW(result, uint16_t, total);
    uint8_t *span_area = NAV_NEW(result, uint8_t, total);
    if (span_min == NULL || span_max == NULL || span_area == NULL) {
        return NAV_NO_MEMORY;
    }
    for (uint32_t i = 0; i < total; ++i) {
        span_min[i] = (uint16_t)(keys[i] >> 32);
        span_max[i] = (uint16_t)(keys[i] >> 16);
        span_area[i] = (uint8_t)keys[i];
    }
    job->report->spans += nav_bake_inner_spans(job, first);
    *out = (nav_heightfield){.width = job->width_cells,
                             .depth = job->depth_cells,
                             .span_count = total,
                             .first = first,
                             .span_min = span_min,
                             .span_max = span_max,
                             .span_area = span_area};
    return NAV_OK;
}

nav_status nav_bake_voxelize(const nav_bake_job *job, nav_arena *result, nav_heightfield *out)
{
    NAV_ASSERT(job->width_cells > 0 && job->depth_cells > 0);
    // The padding of the outermost tiles lies beside the grid and stays empty, as there is nothing
    // beside a world of one tile.
    int32_t x_end = job->first_x_cells + (int32_t)job->width_cells;
    int32_t z_end = job->first_z_cells + (int32_t)job->depth_cells;
    int32_t grid_width = (int32_t)job->grid->width_cells,
            grid_depth = (int32_t)job->grid->depth_cells;
    size_t columns = (size_t)job->width_cells * job->depth_cells;
    voxelizer v = {.job = job,
                   .newest = NAV_NEW_ZERO(job->scratch, uint32_t, columns),
                   .x_begin = job->first_x_cells > 0 ? job->first_x_cells : 0,
                   .x_end = x_end < grid_width ? x_end : grid_width,
                   .z_begin = job->first_z_cells > 0 ? job->first_z_cells : 0,
                   .z_end = z_end < grid_depth ? z_end : grid_depth,
                   .row_low = NAV_NEW(job->scratch, float, job->width_cells),
                   .row_high = NAV_NEW(job->scratch, float, job->width_cells)};
    if (v.newest == NULL || v.row_low == NULL || v.row_high == NULL) {
        return NAV_NO_MEMORY;
    }
    for (uint32_t i = 0; i < job->width_cells; ++i) {
        v.row_low[i] = INFINITY;
        v.row_high[i] = -INFINITY;
    }
    nav_arena_init_child(&v.area_arena, job->scratch);
    nav_arena_init_child(&v.touch_arena, job->scratch);
    nav_status status = voxelize_triangles(&v);
    if (status == NAV_OK) {
        status = build_spans(&v, result, out);
    }
    nav_arena_free(&v.area_arena);
    nav_arena_free(&v.touch_arena);
    return status;
}
