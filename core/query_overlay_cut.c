// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// query_overlay_cut.c: which polygons do outlines touch, and what is left of each? A polygon is
// clipped once for each side of an outline (Sutherland, Hodgman 1974): what lies beyond the side is
// a cell, the rest goes on to the next side, and what remains in the end lies inside.

#include "query_overlay.h"

#include "query.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A cell smaller than this is dropped. World units, squared.
#define CELL_AREA_MIN 1e-9

typedef struct cutter {
    const nav_mesh *mesh;
    const nav_outline *outlines;
    uint32_t outline_count;
    nav_arena *arena;
    bool failed;  // no memory
    bool has_cut; // the polygon that is looked at
    nav_cell *cells;
    uint32_t cell_count, cell_capacity;
} cutter;

// ---- growing arrays ----

void *nav_overlay_grow(nav_arena *arena, bool *failed, void *array, uint32_t count,
                       uint32_t *capacity, size_t size_bytes)
{
    if (count < *capacity || *failed) {
        return array;
    }
    const uint32_t more = *capacity > 0 ? *capacity * 2 : 64;
    void *grown = nav_arena_grow(arena, array, count, more, size_bytes);
    *failed = grown == NULL;
    *capacity = *failed ? *capacity : more;
    return *failed ? array : grown;
}

static void *grow(cutter *c, void *array, uint32_t count, uint32_t *capacity, size_t size_bytes)
{
    return nav_overlay_grow(c->arena, &c->failed, array, count, capacity, size_bytes);
}

// ---- cutting ----

static double area_of(const double (*corners)[2], uint32_t count)
{
    double doubled = 0.0;
    for (uint32_t i = 1; i + 1 < count; ++i) {
        doubled += (corners[i][1] - corners[0][1]) * (corners[i + 1][0] - corners[0][0]) -
                   (corners[i][0] - corners[0][0]) * (corners[i + 1][1] - corners[0][1]);
    }
    return doubled / 2.0;
}

// The part of a polygon on the side of a -> b where its outline lies (sign 1) or beyond (sign -1).
static uint32_t clip(const double (*from)[2], uint32_t count, const double a[2], const double b[2],
                     double sign, double (*to)[2])
{
    const double ex = b[0] - a[0], ez = b[1] - a[1];
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const double *p = from[i], *q = from[(i + 1) % count];
        const double side_p = sign * (ex * (p[1] - a[1]) - ez * (p[0] - a[0]));
        const double side_q = sign * (ex * (q[1] - a[1]) - ez * (q[0] - a[0]));
        if (side_p >= 0.0) {
            memcpy(to[kept++], p, sizeof *to);
        }
        if ((side_p > 0.0 && side_q < 0.0) || (side_p < 0.0 && side_q > 0.0)) {
            const double t = side_p / (side_p - side_q);
            to[kept][0] = p[0] + (q[0] - p[0]) * t;
            to[kept++][1] = p[1] + (q[1] - p[1]) * t;
        }
    }
    return kept;
}

static void measure(nav_cell *out)
{
    for (int axis = 0; axis < 2; ++axis) {
        out->min[axis] = HUGE_VAL;
        out->max[axis] = -HUGE_VAL;
        for (uint32_t i = 0; i < out->count; ++i) {
            const double at = out->corners[i][axis];
            out->min[axis] = at < out->min[axis] ? at : out->min[axis];
            out->max[axis] = at > out->max[axis] ? at : out->max[axis];
        }
    }
}

static void add_cell(cutter *c, uint32_t base, float cost, const double (*corners)[2],
                     uint32_t count)
{
    if (count < 3 || area_of(corners, count) < CELL_AREA_MIN) {
        return;
    }
    // Faces have a bounded number of corners: what has more is parted by a diagonal.
    if (count > NAV_POLYGON_VERTICES_MAX) {
        double rest[2 * NAV_VOLUME_POINTS_MAX][2];
        const uint32_t first = NAV_POLYGON_VERTICES_MAX;
        add_cell(c, base, cost, corners, first);
        memcpy(rest[0], corners[0], sizeof rest[0]);
        memcpy(rest[1], corners + first - 1, (count - first + 1) * sizeof rest[0]);
        add_cell(c, base, cost, (const double(*)[2])rest, count - first + 2);
        return;
    }
    c->cells = grow(c, c->cells, c->cell_count, &c->cell_capacity, sizeof *c->cells);
    double(*kept)[2] = c->failed ? NULL : nav_arena_alloc(c->arena, count, sizeof *kept);
    c->failed = c->failed || kept == NULL;
    if (!c->failed) {
        memcpy(kept, corners, count * sizeof *kept);
        nav_cell *added = &c->cells[c->cell_count++];
        *added = (nav_cell){.corners = kept, .count = count, .base = base, .cost = cost};
        measure(added);
    }
}

// The most corners that a cell has once an outline has cut it.
#define CLIP_CORNERS_MAX (NAV_POLYGON_VERTICES_MAX + NAV_VOLUME_POINTS_MAX + 32)

// What of a cell lies inside of an outline; 0 where that is nothing, or on another floor.
static uint32_t find_inside(const cutter *c, const nav_cell *whole, const nav_outline *outline,
                            double (*out)[2])
{
    double other[CLIP_CORNERS_MAX][2];
    uint32_t count = whole->count;
    memcpy(out, whole->corners, count * sizeof *out);
    for (uint32_t i = 0; i < outline->count && count >= 3; ++i) {
        const double *a = outline->points[i], *b = outline->points[(i + 1) % outline->count];
        memcpy(other, out, count * sizeof *out);
        count = clip((const double(*)[2])other, count, a, b, 1.0, out);
    }
    if (count < 3 || area_of((const double(*)[2])out, count) < CELL_AREA_MIN) {
        return 0;
    }
    double middle[2] = {0.0, 0.0};
    for (uint32_t i = 0; i < count; ++i) {
        middle[0] += out[i][0] / count;
        middle[1] += out[i][1] / count;
    }
    const nav_view view = {.mesh = c->mesh};
    const float height = nav_view_height(&view, whole->base, (float)middle[0], (float)middle[1]);
    return height >= outline->bottom && height <= outline->top ? count : 0;
}

// Parts a cell: what lies beyond each side of the outline in turn, and what is left inside.
static void cut_cell(cutter *c, const nav_cell *whole, const nav_outline *outline)
{
    double inside[CLIP_CORNERS_MAX][2], left[CLIP_CORNERS_MAX][2], beyond[CLIP_CORNERS_MAX][2];
    const uint32_t inside_count = find_inside(c, whole, outline, inside);
    if (inside_count == 0) {
        c->cells = grow(c, c->cells, c->cell_count, &c->cell_capacity, sizeof *c->cells);
        if (!c->failed) {
            c->cells[c->cell_count++] = *whole;
        }
        return;
    }
    c->has_cut = true;
    uint32_t count = whole->count;
    memcpy(left, whole->corners, count * sizeof *left);
    for (uint32_t i = 0; i < outline->count && count >= 3; ++i) {
        const double *a = outline->points[i], *b = outline->points[(i + 1) % outline->count];
        uint32_t out_count = clip((const double(*)[2])left, count, a, b, -1.0, beyond);
        add_cell(c, whole->base, whole->cost, (const double(*)[2])beyond, out_count);
        memcpy(beyond, left, count * sizeof *left);
        count = clip((const double(*)[2])beyond, count, a, b, 1.0, left);
    }
    if (outline->cost < INFINITY) {
        add_cell(c, whole->base, whole->cost * outline->cost, (const double(*)[2])inside,
                 inside_count);
    }
}

static bool boxes_meet(const nav_cell *piece, const nav_outline *outline)
{
    return piece->min[0] <= outline->max[0] && piece->max[0] >= outline->min[0] &&
           piece->min[1] <= outline->max[1] && piece->max[1] >= outline->min[1];
}

// Cuts one polygon by every outline. Its cells are the last ones.
static void cut_polygon(cutter *c, uint32_t polygon)
{
    c->has_cut = false;
    const uint32_t first = c->cell_count;
    double corners[NAV_POLYGON_VERTICES_MAX][2];
    uint32_t count = 0;
    for (uint32_t i = c->mesh->corner_first[polygon]; i < c->mesh->corner_first[polygon + 1]; ++i) {
        const float *at = c->mesh->vertices[c->mesh->corners[i]];
        corners[count][0] = (double)at[0];
        corners[count++][1] = (double)at[2];
    }
    add_cell(c, polygon, 1.0f, (const double(*)[2])corners, count);
    for (uint32_t i = 0; i < c->outline_count && !c->failed; ++i) {
        const uint32_t end = c->cell_count;
        uint32_t kept = first;
        // New cells are put behind the old ones, which they then take the place of.
        for (uint32_t k = first; k < end && !c->failed; ++k) {
            const nav_cell whole = c->cells[k];
            if (boxes_meet(&whole, &c->outlines[i])) {
                cut_cell(c, &whole, &c->outlines[i]);
            } else {
                c->cells[kept++] = whole;
            }
        }
        if (c->cell_count > end) {
            memmove(c->cells + kept, c->cells + end, (c->cell_count - end) * sizeof *c->cells);
        }
        c->cell_count = kept + (c->cell_count - end);
    }
}

// ---- which polygons ----

static void list_add(cutter *c, nav_polygon_list *list, uint32_t polygon)
{
    list->polygons = grow(c, list->polygons, list->count, &list->capacity, sizeof(uint32_t));
    if (!c->failed) {
        list->polygons[list->count++] = polygon;
    }
}

static int compare_numbers(const void *a, const void *b)
{
    const uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return left < right ? -1 : left > right;
}

static void list_sort(nav_polygon_list *list)
{
    uint32_t kept = 0;
    if (list->count > 0) {
        qsort(list->polygons, list->count, sizeof(uint32_t), compare_numbers);
    }
    for (uint32_t i = 0; i < list->count; ++i) {
        if (kept == 0 || list->polygons[kept - 1] != list->polygons[i]) {
            list->polygons[kept++] = list->polygons[i];
        }
    }
    list->count = kept;
}

bool nav_polygon_list_has(const nav_polygon_list *list, uint32_t polygon)
{
    return list->count > 0 && bsearch(&polygon, list->polygons, list->count, sizeof(uint32_t),
                                      compare_numbers) != NULL;
}

static bool node_meets(const nav_tile_node *node, const nav_outline *outline)
{
    return (double)node->min[0] <= outline->max[0] && (double)node->max[0] >= outline->min[0] &&
           (double)node->min[2] <= outline->max[1] && (double)node->max[2] >= outline->min[1] &&
           node->min[1] <= outline->top && node->max[1] >= outline->bottom;
}

static void list_touched(cutter *c, const nav_outline *outline, nav_polygon_list *list)
{
    for (uint32_t root = 0; root < c->mesh->root_count; ++root) {
        const uint32_t first = c->mesh->roots[root];
        const uint32_t end = c->mesh->nodes[first].end;
        for (uint32_t i = first; i < end;) {
            const nav_tile_node *node = &c->mesh->nodes[i];
            const bool meets = node_meets(node, outline);
            if (meets && node->polygon != NAV_NONE) {
                list_add(c, list, node->polygon);
            }
            i = meets ? i + 1 : node->end;
        }
    }
}

// ---- exported ----

bool nav_cells_cut(const nav_mesh *mesh, const nav_outline *outlines, uint32_t count,
                   nav_arena *arena, nav_cells *out)
{
    cutter c = {.mesh = mesh, .outlines = outlines, .outline_count = count, .arena = arena};
    nav_polygon_list touched = {0}, cut = {0}, all = {0};
    for (uint32_t i = 0; i < count; ++i) {
        list_touched(&c, &outlines[i], &touched);
    }
    list_sort(&touched);
    for (uint32_t i = 0; i < touched.count && !c.failed; ++i) {
        const uint32_t polygon = touched.polygons[i];
        const uint32_t first = c.cell_count;
        cut_polygon(&c, polygon);
        if (!c.has_cut) {
            c.cell_count = first; // boxes met, but nothing else
            continue;
        }
        list_add(&c, &cut, polygon);
        list_add(&c, &all, polygon);
        for (uint32_t k = mesh->portal_first[polygon]; k < mesh->portal_first[polygon + 1]; ++k) {
            list_add(&c, &all, mesh->portals[k].to);
        }
    }
    list_sort(&all);
    *out = (nav_cells){.cells = c.cells, .count = c.cell_count, .cut = cut, .all = all};
    return !c.failed;
}
