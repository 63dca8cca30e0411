// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// ground_classes.c: classes of ground are added while switches are marked, and become the tile's
// sets of switches when it is written: a set once, whatever areas it lies over, in the order of the
// first polygon of each. Numbers of classes leave no trace in the tile.

#include "core/bake/ground_classes.h"

#include "core/bake/polygons/polygons.h"

nav_status nav_ground_classes_add(const nav_bake_job *job, nav_arena *result,
                                  nav_ground_classes *classes, uint16_t parent,
                                  uint32_t switch_number, uint16_t *out)
{
    if (classes->count == UINT16_MAX - NAV_TILE_AREAS) {
        return nav_fail(job->err, NAV_TILE_TOO_COMPLEX,
                        "switches overlap in more than %u ways in one tile", classes->count);
    }
    if (classes->count == classes->capacity) {
        const uint32_t capacity = classes->capacity * 2 + 64;
        nav_ground_class *items = nav_arena_grow(result, classes->items, classes->count, capacity,
                                                 sizeof *classes->items);
        if (items == NULL) {
            return NAV_NO_MEMORY;
        }
        classes->items = items;
        classes->capacity = capacity;
    }
    NAV_ASSERT(parent < NAV_TILE_AREAS ||
               classes->items[parent - NAV_TILE_AREAS].switch_number < switch_number);
    *out = (uint16_t)(NAV_TILE_AREAS + classes->count);
    classes->items[classes->count++] =
        (nav_ground_class){.parent = parent, .switch_number = (uint16_t)switch_number};
    return NAV_OK;
}

// ---- sets ----

// A set is one more switch in another set; set 0 is empty. Here sets have a number for each, used
// or not.
typedef struct set_node {
    uint32_t parent, first_child, next; // next: child of the same parent
    uint32_t number;                    // in the tile, from 1 on; 0: no polygon is of it
    uint16_t switch_number;
} set_node;

static uint32_t child_set(set_node *nodes, uint32_t *count, uint32_t parent, uint16_t number)
{
    uint32_t child = nodes[parent].first_child;
    while (child != 0 && nodes[child].switch_number != number) {
        child = nodes[child].next;
    }
    if (child == 0) {
        child = (*count)++;
        nodes[child] = (set_node){
            .parent = parent, .next = nodes[parent].first_child, .switch_number = number};
        nodes[parent].first_child = child;
    }
    return child;
}

// The set of each class; a class's parent has been added before it.
static bool find_sets(nav_arena *scratch, const nav_ground_classes *classes, set_node **nodes,
                      uint32_t **set_of)
{
    uint32_t count = 1;
    *nodes = NAV_NEW_ZERO(scratch, set_node, (size_t)classes->count + 1);
    *set_of = NAV_NEW(scratch, uint32_t, classes->count);
    for (uint32_t i = 0; *nodes != NULL && *set_of != NULL && i < classes->count; ++i) {
        const nav_ground_class *c = &classes->items[i];
        const bool is_area = c->parent < NAV_TILE_AREAS;
        const uint32_t parent = is_area ? 0 : (*set_of)[c->parent - NAV_TILE_AREAS];
        (*set_of)[i] = child_set(*nodes, &count, parent, c->switch_number);
    }
    return *nodes != NULL && *set_of != NULL;
}

// Numbers the sets by their first polygons. used has a flag by switch.
static void number_sets(const nav_polygons *polygons, set_node *nodes, const uint32_t *set_of,
                        nav_ground_sets *out, bool *used)
{
    for (uint32_t i = 0; i < polygons->count; ++i) {
        const uint16_t ground = polygons->areas[i];
        uint32_t set = ground < NAV_TILE_AREAS ? 0 : set_of[ground - NAV_TILE_AREAS];
        if (set != 0 && nodes[set].number == 0) {
            nodes[set].number = ++out->set_count;
            for (uint32_t at = set; at != 0; at = nodes[at].parent) {
                used[nodes[at].switch_number] = true;
                out->entry_count++;
            }
        }
        out->polygon_sets[i] = (uint16_t)nodes[set].number;
    }
}

// Writes each numbered set's switches, by their numbers in the tile, in rising order.
static void list_entries(const set_node *nodes, uint32_t node_count, const uint16_t *in_tile,
                         nav_ground_sets *out)
{
    for (uint32_t i = 1; i < node_count; ++i) {
        for (uint32_t at = i; nodes[i].number != 0 && at != 0; at = nodes[at].parent) {
            out->first[nodes[i].number]++;
        }
    }
    for (uint32_t i = 0; i < out->set_count; ++i) {
        out->first[i + 1] += out->first[i];
    }
    for (uint32_t i = 1; i < node_count; ++i) {
        uint32_t to = nodes[i].number != 0 ? out->first[nodes[i].number] : 0;
        for (uint32_t at = i; nodes[i].number != 0 && at != 0; at = nodes[at].parent) {
            out->entries[--to] = in_tile[nodes[at].switch_number];
        }
    }
}

nav_status nav_ground_sets_make(const nav_bake_job *job, const nav_polygons *polygons,
                                nav_ground_sets *out)
{
    const nav_ground_classes *classes = polygons->classes;
    nav_arena *scratch = job->scratch;
    const uint32_t switch_count = job->config->switch_count;
    set_node *nodes;
    uint32_t *set_of;
    *out = (nav_ground_sets){0};
    if (classes == NULL || classes->count == 0) {
        return NAV_OK;
    }
    bool *used = NAV_NEW_ZERO(scratch, bool, switch_count);
    uint16_t *in_tile = NAV_NEW(scratch, uint16_t, switch_count);
    out->polygon_sets = NAV_NEW(scratch, uint16_t, polygons->count);
    if (!find_sets(scratch, classes, &nodes, &set_of) || used == NULL || in_tile == NULL ||
        out->polygon_sets == NULL) {
        return NAV_NO_MEMORY;
    }
    number_sets(polygons, nodes, set_of, out, used);
    out->first = NAV_NEW_ZERO(scratch, uint32_t, (size_t)out->set_count + 1);
    out->entries = NAV_NEW(scratch, uint16_t, out->entry_count);
    out->switches = NAV_NEW(scratch, uint16_t, switch_count);
    if (out->first == NULL || out->entries == NULL || out->switches == NULL) {
        return NAV_NO_MEMORY;
    }
    for (uint32_t i = 0; i < switch_count; ++i) {
        in_tile[i] = (uint16_t)out->switch_count;
        if (used[i]) {
            out->switches[out->switch_count++] = (uint16_t)i;
        }
    }
    list_entries(nodes, classes->count + 1, in_tile, out);
    NAV_ASSERT(out->first[out->set_count] == out->entry_count);
    return NAV_OK;
}
