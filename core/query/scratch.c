// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// scratch.c: search memory. One block that grows to the largest mesh it has met; after that no
// query allocates, and none clears anything but once in 2^31 searches.

#include "core/base/poison.h"
#include "core/query/query.h"

#include <string.h>

// Marks, queue, parents and list; beside them are the sums.
#define MARK_ARRAYS 4

nav_status nav_scratch_create(const nav_allocator *allocator, nav_scratch **out)
{
    nav_allocator source = allocator != NULL ? *allocator : nav_allocator_default();
    nav_scratch *scratch = source.alloc(source.user, sizeof *scratch);
    if (scratch == NULL) {
        return NAV_NO_MEMORY;
    }
    *scratch = (nav_scratch){.allocator = source, .polyanya.allocator = source};
    nav_arena_init(&scratch->overlay_memory, &source, NAV_OVERLAY_BYTES_MAX);
    *out = scratch;
    return NAV_OK;
}

static void give_back(const nav_scratch *scratch, void *block, size_t size_bytes)
{
    if (block != NULL) {
        nav_unpoison(block, size_bytes);
        scratch->allocator.free(scratch->allocator.user, block, size_bytes);
    }
}

// Another block in the place of one, whose content is of no use to the next query, so that it is
// not copied. Where it cannot be had, NULL, and the old one is kept.
static void *replace(const nav_scratch *scratch, void *old, size_t old_bytes, size_t size_bytes)
{
    void *block = scratch->allocator.alloc(scratch->allocator.user, size_bytes);
    if (block != NULL) {
        give_back(scratch, old, old_bytes);
    }
    return block;
}

// Of so many polygons.
static size_t marks_bytes(uint32_t polygons)
{
    return nav_with_red_zone(polygons * sizeof(double)) +
           MARK_ARRAYS * nav_with_red_zone(polygons * sizeof(uint32_t));
}

void nav_scratch_destroy(nav_scratch *scratch)
{
    if (scratch == NULL) {
        return;
    }
    nav_allocator allocator = scratch->allocator;
    give_back(scratch, scratch->block, scratch->block_bytes);
    give_back(scratch, scratch->path_block, scratch->path_block_bytes);
    give_back(scratch, scratch->polygon_sums, marks_bytes(scratch->mark_capacity));
    nav_arena_free(&scratch->overlay_memory);
    nav_polyanya_scratch_free(&scratch->polyanya);
    nav_all_labels_scratch_free(&scratch->all_labels, &allocator);
    give_back(scratch, scratch->list, scratch->list_bytes);
    allocator.free(allocator.user, scratch, sizeof *scratch);
}

static size_t point_bytes_of(uint32_t portals)
{
    return (2 * (size_t)portals + NAV_FUNNEL_POINTS_EXTRA) * sizeof(float[3]);
}

static bool grow(nav_scratch *scratch, uint32_t polygons, uint32_t portals, uint32_t components)
{
    const size_t node_bytes = (size_t)portals * sizeof(nav_search_node);
    const size_t polygon_bytes = (size_t)polygons * sizeof(nav_search_polygon);
    const size_t heap_bytes = NAV_HEAP_ROOM(portals) * sizeof(nav_open_entry);
    const size_t place_bytes = (size_t)portals * sizeof(float[2]);
    const size_t corridor_bytes = (size_t)portals * sizeof(uint32_t);
    const size_t point_bytes = point_bytes_of(portals);
    const size_t reached_bytes = (size_t)components * sizeof(uint32_t);
    const size_t block_bytes = nav_with_red_zone(node_bytes) + nav_with_red_zone(polygon_bytes) +
                               nav_with_red_zone(heap_bytes) + nav_with_red_zone(place_bytes) +
                               nav_with_red_zone(corridor_bytes) + nav_with_red_zone(point_bytes) +
                               nav_with_red_zone(reached_bytes);
    uint8_t *block = replace(scratch, scratch->block, scratch->block_bytes, block_bytes);
    if (block == NULL) {
        return false;
    }
    give_back(scratch, scratch->path_block, scratch->path_block_bytes);
    scratch->path_block = NULL;
    scratch->block = block;
    scratch->block_bytes = block_bytes;
    scratch->polygon_capacity = polygons;
    scratch->portal_capacity = portals;
    scratch->component_capacity = components;
    scratch->path_capacity = portals;
    scratch->nodes = nav_carve(&block, node_bytes);
    scratch->polygons = nav_carve(&block, polygon_bytes);
    scratch->heap = nav_carve(&block, heap_bytes);
    scratch->places = nav_carve(&block, place_bytes);
    scratch->corridor = nav_carve(&block, corridor_bytes);
    scratch->points = nav_carve(&block, point_bytes);
    scratch->reached = nav_carve(&block, reached_bytes);
    memset(scratch->nodes, 0, node_bytes);
    memset(scratch->polygons, 0, polygon_bytes);
    memset(scratch->reached, 0, reached_bytes);
    return true;
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

bool nav_scratch_begin(nav_scratch *scratch, const nav_view *view)
{
    const nav_mesh *mesh = view->mesh;
    const uint32_t polygons = nav_view_polygons(view), portals = nav_view_portals(view);
    // Only where links lead one way does a query mark components.
    uint32_t components = mesh->condensation_edge_count > 0 ? mesh->stats.components : 0;
    if ((scratch->block == NULL || scratch->polygon_capacity < polygons ||
         scratch->portal_capacity < portals || scratch->component_capacity < components) &&
        !grow(scratch, larger(polygons, scratch->polygon_capacity),
              larger(portals, scratch->portal_capacity),
              larger(components, scratch->component_capacity))) {
        return false;
    }
    scratch->stamp += 2;
    if (scratch->stamp == 0) {
        // The stamps have come round: old nodes must not pass for new ones. 0 stays "empty".
        memset(scratch->nodes, 0, scratch->portal_capacity * sizeof *scratch->nodes);
        memset(scratch->polygons, 0, scratch->polygon_capacity * sizeof *scratch->polygons);
        memset(scratch->reached, 0, scratch->component_capacity * sizeof *scratch->reached);
        if (scratch->marks != NULL) {
            memset(scratch->marks, 0, scratch->mark_capacity * sizeof(uint32_t));
        }
        scratch->stamp = 2;
    }
    return true;
}

bool nav_scratch_make_path_room(nav_scratch *scratch, uint32_t portals)
{
    if (portals <= scratch->path_capacity) {
        return true;
    }
    const size_t corridor_bytes = (size_t)portals * sizeof(uint32_t);
    const size_t point_bytes = point_bytes_of(portals);
    const size_t block_bytes = nav_with_red_zone(corridor_bytes) + nav_with_red_zone(point_bytes);
    uint8_t *block = replace(scratch, scratch->path_block, scratch->path_block_bytes, block_bytes);
    if (block == NULL) {
        return false;
    }
    scratch->path_block = block;
    scratch->path_block_bytes = block_bytes;
    scratch->path_capacity = portals;
    scratch->corridor = nav_carve(&block, corridor_bytes);
    scratch->points = nav_carve(&block, point_bytes);
    return true;
}

nav_status nav_scratch_failure(const nav_scratch *scratch)
{
    return scratch->cancel.cancelled ? NAV_CANCELLED : NAV_NO_MEMORY;
}

bool nav_scratch_begin_polygons(nav_scratch *scratch, uint32_t polygon_count)
{
    const uint32_t count = polygon_count;
    if (scratch->mark_capacity >= count) {
        return true;
    }
    uint8_t *block = replace(scratch, scratch->polygon_sums, marks_bytes(scratch->mark_capacity),
                             marks_bytes(count));
    if (block == NULL) {
        return false;
    }
    const size_t mark_bytes = count * sizeof *scratch->marks;
    scratch->polygon_sums = nav_carve(&block, count * sizeof *scratch->polygon_sums);
    scratch->marks = nav_carve(&block, mark_bytes);
    scratch->flood_queue = nav_carve(&block, mark_bytes);
    scratch->flood_parents = nav_carve(&block, mark_bytes);
    scratch->polygon_list = nav_carve(&block, mark_bytes);
    memset(scratch->marks, 0, mark_bytes);
    scratch->mark_capacity = count;
    return true;
}

void *nav_scratch_list(nav_scratch *scratch, size_t size_bytes)
{
    if (scratch->list != NULL && scratch->list_bytes >= size_bytes) {
        nav_poison(scratch->list, scratch->list_bytes);
        nav_unpoison(scratch->list, size_bytes);
        return scratch->list;
    }
    void *list = replace(scratch, scratch->list, scratch->list_bytes, size_bytes);
    if (list != NULL) {
        scratch->list = list;
        scratch->list_bytes = size_bytes;
    }
    return list;
}
