// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// rows.c: first half of step 1, one triangle -> touches of columns.
//
// A triangle is cut into rows of cells; over one row it is a convex polygon, and the heights it
// reaches in a column of that row are the heights that the polygon's outline reaches there. So each
// row is voxelized by walking a few line segments:
//
//        z+1 ----*-----------*----   cut      the outline: the two cuts where rows meet,
//               /             \               the long side, and the one or two short sides
//              /               *              whatever part of them lies in this row
//        z ---*---------------/---   cut
//           | x | x | x | x | x |             each segment widens [low, high] of its columns

#include "core/bake/voxelize/voxelize.h"

#include <math.h>

// ---- touches ----

// The solid cells between two heights. Heights are not negative up to rounding, so that cutting off
// the fraction is the floor.
static inline nav_touch touch_between(float low, float high)
{
    const float top = NAV_HEIGHT_CELLS_MAX;
    low = low > 0 ? low : 0;
    low = low < top ? low : top;
    high = high < top ? high : top;
    int32_t low_cells = (int32_t)low;
    int32_t high_cells = (int32_t)high;
    high_cells += (float)high_cells < high;
    high_cells = high_cells > low_cells ? high_cells : low_cells + 1;
    return (nav_touch){0, (uint16_t)low_cells, (uint16_t)high_cells};
}

// Makes room where chunks are full.
static nav_status add_chunks(nav_voxelizer *v, uint32_t count)
{
    nav_touches *t = &v->touches;
    if ((uint64_t)t->count + count >= UINT32_MAX - NAV_TOUCH_CHUNK) {
        return nav_fail(v->job->err, NAV_TILE_TOO_COMPLEX,
                        "the triangles touch more cells than one tile can hold; use a larger "
                        "cell_size or smaller tiles");
    }
    while (t->capacity - t->count < count) {
        if (t->chunk_count == t->chunk_capacity) {
            uint32_t capacity = t->chunk_capacity * 2 + 16;
            nav_touch_chunk **chunks = nav_arena_grow(&t->list_arena, t->chunks, t->chunk_count,
                                                      capacity, sizeof(nav_touch_chunk *));
            if (chunks == NULL) {
                return NAV_NO_MEMORY;
            }
            t->chunks = chunks;
            t->chunk_capacity = capacity;
        }
        nav_touch_chunk *chunk = NAV_NEW(&t->chunk_arena, nav_touch_chunk, 1);
        if (chunk == NULL) {
            return NAV_NO_MEMORY;
        }
        t->chunks[t->chunk_count++] = chunk;
        t->capacity += NAV_TOUCH_CHUNK;
    }
    return NAV_OK;
}

// Makes room for `count` more touches.
static inline nav_status reserve_touches(nav_voxelizer *v, uint32_t count)
{
    return v->touches.capacity - v->touches.count >= count ? NAV_OK : add_chunks(v, count);
}

// Adds a touch, or widens the column's newest one where both face alike and meet: a wall of
// many triangles touches a column many times. The union of touches of one face does not depend
// on which of them are put together here.
static inline void add_touch(nav_voxelizer *v, uint32_t column, float low, float high, uint8_t face)
{
    nav_touches *list = &v->touches;
    nav_touch t = touch_between(low, high);
    t.older = list->columns[column];
    if (t.older > 0 && *nav_touch_face(list, t.older - 1) == face) {
        nav_touch *other = nav_touch_at(list, t.older - 1);
        if (t.low <= other->high && other->low <= t.high) {
            other->low = t.low < other->low ? t.low : other->low;
            other->high = t.high > other->high ? t.high : other->high;
            return;
        }
    }
    NAV_DCHECK(list->count < list->capacity);
    NAV_DCHECK(t.low < t.high);
    *nav_touch_at(list, list->count) = t;
    *nav_touch_face(list, list->count) = face;
    list->columns[column] = ++list->count;
}

// ---- walking a segment ----

static inline void widen(nav_voxelizer *v, int32_t column, float y0, float y1)
{
    NAV_DCHECK(column >= v->range.x_begin);
    NAV_DCHECK(column < v->range.x_end);
    column -= v->range.x_begin;
    float low = y0 < y1 ? y0 : y1;
    float high = y0 < y1 ? y1 : y0;
    v->row_low[column] = low < v->row_low[column] ? low : v->row_low[column];
    v->row_high[column] = high > v->row_high[column] ? high : v->row_high[column];
}

// Widens the columns between the two points of a segment, limited to [first, last]. slope is the
// segment's rise over x.
static inline void walk_segment(nav_voxelizer *v, nav_corner a, nav_corner b, double slope,
                                int32_t first, int32_t last)
{
    if (a.x > b.x) {
        nav_corner swap = a;
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

// The field's column of a cell of the grid.
static inline uint32_t column_of(const nav_voxelizer *v, int32_t x, int32_t z)
{
    return (uint32_t)(z - v->job->first_z_cells) * v->job->width_cells +
           (uint32_t)(x - v->job->first_x_cells);
}

// Emits what the row's segments have reached and resets it for the next row.
static nav_status emit_row(nav_voxelizer *v, int32_t row, int32_t first, int32_t last, uint8_t face)
{
    nav_status status = reserve_touches(v, (uint32_t)(last - first + 1));
    if (status != NAV_OK) {
        return status;
    }
    uint32_t column = column_of(v, first, row);
    float *low = v->row_low + (first - v->range.x_begin),
          *high = v->row_high + (first - v->range.x_begin);
    for (int32_t i = 0; i <= last - first; ++i) {
        add_touch(v, column + (uint32_t)i, low[i], high[i], face);
        low[i] = INFINITY;
        high[i] = -INFINITY;
    }
    return NAV_OK;
}

// A side of a triangle, from its end with the lower z.
typedef struct side {
    nav_corner a;
    double dx, dy, dz;
    double y_by_x;
} side;

static double slope_between(nav_corner a, nav_corner b)
{
    return a.x != b.x ? (double)(b.y - a.y) / (b.x - a.x) : 0;
}

static side side_between(nav_corner a, nav_corner b)
{
    return (side){.a = a,
                  .dx = b.x - a.x,
                  .dy = (double)(b.y - a.y),
                  .dz = b.z - a.z,
                  .y_by_x = slope_between(a, b)};
}

// Multiplied before divided, so that a side through a corner of the grid is cut in that corner
// exactly.
static inline nav_corner cut(const side *s, double z)
{
    double along = z - s->a.z;
    return (nav_corner){.x = s->a.x + along * s->dx / s->dz,
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

static inline void swap_by_z(const nav_corner **a, const nav_corner **b)
{
    const nav_corner *first = *a, *second = *b;
    bool later = first->z > second->z;
    *a = later ? second : first;
    *b = later ? first : second;
}

// The cut of the triangle between two rows: [0] on its long side, [1] on its short ones.
typedef struct row_cut {
    nav_corner at[2];
} row_cut;

static row_cut cut_between(nav_corner long_side, nav_corner short_side)
{
    return (row_cut){.at = {long_side, short_side}};
}

// A triangle by rising z: the long side goes from c[0] to c[2], the short ones meet in c[1].
typedef struct triangle {
    nav_corner c[3];
    side sides[3]; // long, lower short, upper short
    uint8_t face;
} triangle;

typedef struct range {
    float low, high;
} range;

static inline void include(range *r, float y)
{
    r->low = y < r->low ? y : r->low;
    r->high = y > r->high ? y : r->high;
}

// The part of a triangle between two cuts that lies within one column, as most of a wall does,
// reaches the heights that its corners reach.
static nav_status emit_cell(nav_voxelizer *v, int32_t row, int32_t column, const triangle *t,
                            const row_cut *near, const row_cut *far, bool middle_inside)
{
    float middle = middle_inside ? t->c[1].y : far->at[1].y;
    range reached = {near->at[0].y, near->at[0].y};
    include(&reached, near->at[1].y);
    include(&reached, far->at[0].y);
    include(&reached, far->at[1].y);
    include(&reached, middle);
    nav_status status = reserve_touches(v, 1);
    if (status == NAV_OK) {
        add_touch(v, column_of(v, column, row), reached.low, reached.high, t->face);
    }
    return status;
}

// The height at which a segment passes from one column to the next, at x.
static inline float height_at(nav_corner a, nav_corner b, double slope, int32_t x)
{
    nav_corner left = a.x > b.x ? b : a;
    return (float)((double)left.y + slope * (x - left.x));
}

// The heights that two columns reach, the second from x on.
typedef struct pair {
    int32_t x;
    float low[2], high[2];
} pair;

static inline void widen_pair(pair *p, int column, float y)
{
    p->low[column] = y < p->low[column] ? y : p->low[column];
    p->high[column] = y > p->high[column] ? y : p->high[column];
}

// Widens them by the corner a, and by where the outline goes over from one to the other before b.
static inline void follow_pair(pair *p, const nav_corner *a, const nav_corner *b,
                               const double *slope)
{
    int column = a->x >= p->x;
    widen_pair(p, column, a->y);
    if (column != (b->x >= p->x)) {
        float y = height_at(*a, *b, slope != NULL ? *slope : slope_between(*a, *b), p->x);
        widen_pair(p, 0, y);
        widen_pair(p, 1, y);
    }
}

// The part of a triangle between two cuts that lies within two columns, the second from x on:
// either one reaches the heights of the corners in it, and those where the outline passes from one
// to the other. The same as walking the outline, for narrow triangles in less time.
static nav_status emit_pair(nav_voxelizer *v, int32_t row, int32_t x, const triangle *t,
                            const row_cut *near, const row_cut *far, bool middle_inside)
{
    pair p = {x, {INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
    follow_pair(&p, &near->at[0], &near->at[1], NULL);
    if (middle_inside) {
        follow_pair(&p, &near->at[1], &t->c[1], &t->sides[1].y_by_x);
        follow_pair(&p, &t->c[1], &far->at[1], &t->sides[2].y_by_x);
    } else {
        bool lower = far->at[1].z <= t->c[1].z;
        follow_pair(&p, &near->at[1], &far->at[1], &t->sides[lower ? 1 : 2].y_by_x);
    }
    follow_pair(&p, &far->at[1], &far->at[0], NULL);
    follow_pair(&p, &far->at[0], &near->at[0], &t->sides[0].y_by_x);
    nav_status status = reserve_touches(v, 2);
    if (status != NAV_OK) {
        return status;
    }
    uint32_t column = column_of(v, x - 1, row);
    add_touch(v, column, p.low[0], p.high[0], t->face);
    add_touch(v, column + 1, p.low[1], p.high[1], t->face);
    return NAV_OK;
}

// A cut in a corner of the triangle is a point, which the sides that meet there reach as well.
static inline void walk_cut(nav_voxelizer *v, const row_cut *cut, int32_t first, int32_t last)
{
    if (cut->at[0].x != cut->at[1].x || cut->at[0].y != cut->at[1].y) {
        walk_segment(v, cut->at[0], cut->at[1], slope_between(cut->at[0], cut->at[1]), first, last);
    }
}

// Walks the outline of the triangle's part between two cuts.
static nav_status voxelize_row(nav_voxelizer *v, int32_t row, const triangle *t,
                               const row_cut *near, const row_cut *far)
{
    const nav_corner *middle = &t->c[1];
    bool middle_inside = middle->z > near->at[1].z && middle->z < far->at[1].z;
    double min = min3(near->at[0].x, near->at[1].x, far->at[0].x);
    double max = max3(near->at[0].x, near->at[1].x, far->at[0].x);
    double corner_x = middle_inside ? middle->x : far->at[1].x;
    min = min3(min, far->at[1].x, corner_x);
    max = max3(max, far->at[1].x, corner_x);
    if (max < v->range.x_begin || min >= v->range.x_end) {
        return NAV_OK;
    }
    int32_t first = min < v->range.x_begin ? v->range.x_begin : (int32_t)min;
    int32_t last = max >= v->range.x_end ? v->range.x_end - 1 : last_cell(min, max);
    if (last < first) {
        return NAV_OK;
    }
    if (first == last && min >= first && max <= first + 1) {
        return emit_cell(v, row, first, t, near, far, middle_inside);
    }
    if (first + 1 == last && min >= first && max <= last + 1) {
        return emit_pair(v, row, last, t, near, far, middle_inside);
    }
    walk_cut(v, near, first, last);
    walk_cut(v, far, first, last);
    walk_segment(v, near->at[0], far->at[0], t->sides[0].y_by_x, first, last);
    if (middle_inside) {
        walk_segment(v, near->at[1], *middle, t->sides[1].y_by_x, first, last);
        walk_segment(v, *middle, far->at[1], t->sides[2].y_by_x, first, last);
    } else {
        bool lower = far->at[1].z <= middle->z;
        walk_segment(v, near->at[1], far->at[1], t->sides[lower ? 1 : 2].y_by_x, first, last);
    }
    return emit_row(v, row, first, last, t->face);
}

// ---- one triangle ----

// The cut at the upper side of a row.
static row_cut upper_cut(const triangle *t, double z)
{
    const nav_corner *c = t->c;
    if (c[2].z <= z) {
        return cut_between(c[2], c[1].z == c[2].z ? c[1] : c[2]);
    }
    nav_corner short_side = c[1].z == z ? c[1] : cut(&t->sides[c[1].z > z ? 1 : 2], z);
    return cut_between(cut(&t->sides[0], z), short_side);
}

// The cut at the lower side of the triangle's first row within the grid.
static row_cut first_cut(const triangle *t, double z)
{
    const nav_corner *c = t->c;
    if (c[0].z >= z) {
        return cut_between(c[0], c[1].z == c[0].z ? c[1] : c[0]);
    }
    return upper_cut(t, z);
}

// So many rows are cut before they are voxelized: the divisions overlap, and what is decided by
// them need not wait.
#define ROWS_AT_ONCE 16

nav_status nav_voxelize_triangle(nav_voxelizer *v, const nav_corner corners[3], uint8_t face)
{
    triangle t;
    const nav_corner *c = t.c, *low = &corners[0], *middle = &corners[1], *high = &corners[2];
    swap_by_z(&low, &middle);
    swap_by_z(&middle, &high);
    swap_by_z(&low, &middle);
    t.face = face;
    NAV_DCHECK(low->z <= middle->z);
    NAV_DCHECK(middle->z <= high->z);
    t.c[0] = *low;
    t.c[1] = *middle;
    t.c[2] = *high;
    t.sides[0] = side_between(c[0], c[2]);
    t.sides[1] = side_between(c[0], c[1]);
    t.sides[2] = side_between(c[1], c[2]);
    int32_t first = c[0].z < v->band_begin ? v->band_begin : (int32_t)c[0].z;
    int32_t last = c[2].z >= v->band_end ? v->band_end - 1 : last_cell(c[0].z, c[2].z);
    row_cut cuts[ROWS_AT_ONCE + 1];
    cuts[0] = first_cut(&t, first);
    for (int32_t row = first; row <= last; row += ROWS_AT_ONCE) {
        int32_t count = last - row < ROWS_AT_ONCE ? last - row + 1 : ROWS_AT_ONCE;
        for (int32_t i = 0; i < count; ++i) {
            cuts[i + 1] = upper_cut(&t, row + i + 1);
        }
        for (int32_t i = 0; i < count; ++i) {
            uint32_t before = v->touches.count;
            nav_status status = voxelize_row(v, row + i, &t, &cuts[i], &cuts[i + 1]);
            if (status != NAV_OK) {
                return status;
            }
            // A single triangle may cover the whole tile.
            if (nav_cancel_poll(v->job->cancel, v->touches.count - before)) {
                return nav_bake_end(v->job);
            }
        }
        cuts[0] = cuts[count];
    }
    return NAV_OK;
}
