// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// budget.c: what cutting lives on: memory and work, and lists of polygons.

#include "core/query/obstacles/cut.h"

#include <stdlib.h>

// ---- the budget ----

// Notes whether an arena had the memory, and whether its limit was met.
static void *take(nav_overlay_budget *budget, const nav_arena *arena, void *memory)
{
    budget->failed = memory == NULL;
    budget->refused = memory == NULL && arena->at_limit;
    return memory;
}

void *nav_overlay_alloc_from(nav_overlay_budget *budget, nav_arena *arena, size_t count,
                             size_t size_bytes)
{
    return budget->failed ? NULL : take(budget, arena, nav_arena_alloc(arena, count, size_bytes));
}

void *nav_overlay_enlarge(nav_overlay_budget *budget, void *array, uint32_t count,
                          uint32_t *capacity, size_t size_bytes)
{
    const uint32_t more = *capacity > 0 ? *capacity * 2 : 64;
    NAV_ASSERT(count == *capacity);
    void *grown =
        take(budget, budget->arena, nav_arena_grow(budget->arena, array, count, more, size_bytes));
    *capacity = grown != NULL ? more : *capacity;
    return grown != NULL ? grown : array;
}

// ---- lists of polygons ----

void nav_polygon_list_add(nav_polygon_list *list, uint32_t polygon, nav_overlay_budget *budget)
{
    list->polygons = nav_overlay_grow(budget, list->polygons, list->count, &list->capacity,
                                      sizeof *list->polygons);
    if (!budget->failed) {
        list->polygons[list->count++] = polygon;
    }
}

void nav_polygon_list_sort(nav_polygon_list *list)
{
    uint32_t kept = 0;
    if (list->count > 0) {
        qsort(list->polygons, list->count, sizeof(uint32_t), nav_numbers_compare);
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
    NAV_DCHECK(list->count == 0 || list->polygons[0] <= list->polygons[list->count - 1]);
    return list->count > 0 && bsearch(&polygon, list->polygons, list->count, sizeof(uint32_t),
                                      nav_numbers_compare) != NULL;
}
