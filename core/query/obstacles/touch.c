// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// touch.c: which polygons do outlines touch? The trees of the tiles are asked for
// what their boxes meet; cut.c then finds what of that is true.

#include "core/query/obstacles/overlay.h"

#include <stdlib.h>

// ---- lists of polygons ----

void nav_polygon_list_add(nav_polygon_list *list, uint32_t polygon, nav_overlay_budget *budget)
{
    list->polygons = nav_overlay_grow(budget, list->polygons, list->count, &list->capacity,
                                      sizeof *list->polygons);
    if (!budget->failed) {
        list->polygons[list->count++] = polygon;
    }
}

static int compare_numbers(const void *a, const void *b)
{
    const uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return left < right ? -1 : left > right;
}

void nav_polygon_list_sort(nav_polygon_list *list)
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

// ---- what meets a box ----

static bool node_meets(const nav_tile_node *node, const nav_box_walk *walk)
{
    bool meets = true;
    for (int axis = 0; axis < 3; ++axis) {
        meets = meets && (double)node->min[axis] <= walk->max[axis] &&
                (double)node->max[axis] >= walk->min[axis];
    }
    return meets;
}

uint32_t nav_box_walk_next(nav_box_walk *walk)
{
    const nav_mesh *mesh = walk->mesh;
    for (;;) {
        if (walk->node == walk->end) {
            if (walk->root == mesh->root_count) {
                return NAV_NONE;
            }
            walk->node = mesh->roots[walk->root++];
            walk->end = mesh->nodes[walk->node].end;
        }
        const nav_tile_node *node = &mesh->nodes[walk->node];
        const bool meets = node_meets(node, walk);
        walk->node = meets ? walk->node + 1 : node->end;
        if (meets && nav_node_is_leaf(node)) {
            return node->polygon;
        }
    }
}

// ---- what outlines touch ----

static int compare_touches(const void *a, const void *b)
{
    const nav_touch *left = a, *right = b;
    if (left->polygon != right->polygon) {
        return left->polygon < right->polygon ? -1 : 1;
    }
    return left->outline < right->outline ? -1 : left->outline > right->outline;
}

static void list_touched(const nav_mesh *mesh, const nav_outline *outline, uint32_t index,
                         nav_overlay_budget *budget, nav_touch_list *list)
{
    nav_box_walk walk = {.mesh = mesh,
                         .min = {outline->min[0], (double)outline->bottom, outline->min[1]},
                         .max = {outline->max[0], (double)outline->top, outline->max[1]}};
    nav_overlay_spend(budget, mesh->root_count);
    for (uint32_t polygon = nav_box_walk_next(&walk); polygon != NAV_NONE && !budget->failed;
         polygon = nav_box_walk_next(&walk)) {
        nav_overlay_spend(budget, 1);
        list->touches = nav_overlay_grow(budget, list->touches, list->count, &list->capacity,
                                         sizeof *list->touches);
        if (!budget->failed) {
            list->touches[list->count++] = (nav_touch){.polygon = polygon, .outline = index};
        }
    }
}

nav_touch_list nav_touches_list(const nav_mesh *mesh, const nav_outline *outlines, uint32_t count,
                                nav_overlay_budget *budget)
{
    nav_touch_list list = {0};
    for (uint32_t i = 0; i < count && !budget->failed; ++i) {
        list_touched(mesh, &outlines[i], i, budget, &list);
    }
    if (list.count > 0) {
        qsort(list.touches, list.count, sizeof *list.touches, compare_touches);
    }
    return list;
}
