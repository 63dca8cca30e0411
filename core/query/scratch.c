// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// scratch.c: the memory of queries. Its blocks grow to the largest mesh that they have met; after
// that no query allocates, and none clears anything but once in 2^31 searches.

#include "core/base/poison.h"
#include "core/query/clearance/clearance.h"
#include "core/query/query.h"
#include "core/query/sides.h"

#include <string.h>

static void give_back(const nav_scratch *scratch, void *block, size_t size_bytes)
{
    if (block != NULL) {
        nav_unpoison(block, size_bytes);
        scratch->allocator.free(scratch->allocator.user, block, size_bytes);
    }
}

// Another block in the place of one, whose content is of no use to the next query, so that it is
// not copied. If it cannot be had, NULL, and the old one is kept.
static void *replace(const nav_scratch *scratch, void *old, size_t old_bytes, size_t size_bytes)
{
    void *block = scratch->allocator.alloc(scratch->allocator.user, size_bytes);
    if (block != NULL) {
        give_back(scratch, old, old_bytes);
    }
    return block;
}

// ---- the parts ----

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static bool grow_corridor(const nav_scratch *scratch, nav_corridor *corridor, uint32_t portals)
{
    const size_t portal_bytes = (size_t)portals * sizeof *corridor->portals;
    const size_t crossing_bytes = (size_t)portals * sizeof *corridor->crossings;
    const size_t point_bytes =
        (2 * (size_t)portals + NAV_FUNNEL_POINTS_EXTRA) * sizeof *corridor->points;
    const size_t block_bytes = nav_with_red_zone(portal_bytes) + nav_with_red_zone(crossing_bytes) +
                               nav_with_red_zone(point_bytes);
    uint8_t *block = replace(scratch, corridor->block, corridor->block_bytes, block_bytes);
    if (block == NULL) {
        return false;
    }
    NAV_ASSERT(portals >= corridor->capacity);
    corridor->block = block;
    corridor->block_bytes = block_bytes;
    corridor->capacity = portals;
    corridor->portals = nav_carve(&block, portal_bytes);
    corridor->crossings = nav_carve(&block, crossing_bytes);
    corridor->points = nav_carve(&block, point_bytes);
    return true;
}

static bool has_room(const nav_corridor *corridor, uint32_t portals)
{
    return corridor->block != NULL && portals <= corridor->capacity;
}

bool nav_scratch_make_path_room(nav_scratch *scratch, uint32_t portals)
{
    nav_corridor *corridor = &scratch->corridor;
    return has_room(corridor, portals) || grow_corridor(scratch, corridor, portals);
}

bool nav_scratch_make_node_room(nav_scratch *scratch, uint32_t nodes)
{
    nav_clearance_scratch *clearance = &scratch->clearance;
    if (clearance->capacity < nodes) {
        nav_clear_node *block = replace(scratch, clearance->nodes,
                                        clearance->capacity * sizeof *block, nodes * sizeof *block);
        if (block == NULL) {
            return false;
        }
        clearance->nodes = block;
        clearance->capacity = nodes;
    }
    return true;
}

bool nav_scratch_make_spare_room(nav_scratch *scratch, uint32_t nodes)
{
    nav_corridor *spare = &scratch->clearance.spare;
    const uint32_t portals = larger(nodes, scratch->corridor.capacity);
    return has_room(spare, portals) || grow_corridor(scratch, spare, portals);
}

// The size of a flood's arrays for so many polygons: marks, queue, parents and list, and the sums.
static size_t flood_bytes(uint32_t polygons)
{
    return nav_with_red_zone(polygons * sizeof(double)) +
           4 * nav_with_red_zone(polygons * sizeof(uint32_t));
}

bool nav_scratch_begin_polygons(nav_scratch *scratch, uint32_t polygon_count)
{
    nav_flood_scratch *flood = &scratch->flood;
    const uint32_t count = polygon_count;
    NAV_ASSERT(scratch->stamp > 0); // nav_scratch_begin has run
    if (flood->capacity >= count) {
        return true;
    }
    uint8_t *block =
        replace(scratch, flood->sums, flood_bytes(flood->capacity), flood_bytes(count));
    if (block == NULL) {
        return false;
    }
    const size_t mark_bytes = count * sizeof *flood->marks;
    flood->sums = nav_carve(&block, count * sizeof *flood->sums);
    flood->marks = nav_carve(&block, mark_bytes);
    flood->queue = nav_carve(&block, mark_bytes);
    flood->parents = nav_carve(&block, mark_bytes);
    flood->list = nav_carve(&block, mark_bytes);
    memset(flood->marks, 0, mark_bytes);
    flood->capacity = count;
    return true;
}

bool nav_scratch_grow_classes(nav_scratch *scratch, uint32_t count)
{
    if (scratch->class_capacity >= count) {
        return true;
    }
    float *costs = replace(scratch, scratch->class_costs, scratch->class_capacity * sizeof *costs,
                           count * sizeof *costs);
    if (costs == NULL) {
        return false;
    }
    // Areas that nothing is made of have no costs.
    memset(costs, 0, count * sizeof *costs);
    scratch->class_costs = costs;
    scratch->class_capacity = count;
    return true;
}

static bool grow(nav_scratch *scratch, uint32_t polygons, uint32_t portals, uint32_t components)
{
    const size_t node_bytes = (size_t)portals * sizeof(nav_search_node);
    const size_t polygon_bytes = (size_t)polygons * sizeof(nav_search_polygon);
    const size_t open_bytes = NAV_LABELS_OPEN_ROOM(portals) * sizeof(nav_open_entry);
    const size_t trail_bytes = (size_t)portals * sizeof(uint32_t);
    const size_t stop_bytes = (size_t)portals * sizeof(nav_string_stop);
    const size_t side_bytes = (size_t)(portals / 2) * sizeof(nav_side);
    const size_t reached_bytes = (size_t)components * sizeof(uint32_t);
    const size_t block_bytes = nav_with_red_zone(node_bytes) + nav_with_red_zone(polygon_bytes) +
                               nav_with_red_zone(open_bytes) + nav_with_red_zone(trail_bytes) +
                               nav_with_red_zone(stop_bytes) + nav_with_red_zone(side_bytes) +
                               2 * nav_with_red_zone(reached_bytes);
    uint8_t *block = replace(scratch, scratch->block, scratch->block_bytes, block_bytes);
    if (block == NULL) {
        return false;
    }
    NAV_ASSERT(polygons >= scratch->polygon_capacity);
    NAV_ASSERT(portals >= scratch->portal_capacity);
    scratch->block = block;
    scratch->block_bytes = block_bytes;
    scratch->polygon_capacity = polygons;
    scratch->portal_capacity = portals;
    scratch->component_capacity = components;
    scratch->labels.nodes = nav_carve(&block, node_bytes);
    scratch->labels.polygons = nav_carve(&block, polygon_bytes);
    scratch->labels.open = nav_carve(&block, open_bytes);
    scratch->labels.trail = nav_carve(&block, trail_bytes);
    scratch->string.stops = nav_carve(&block, stop_bytes);
    scratch->string.sides = nav_carve(&block, side_bytes);
    scratch->reached = nav_carve(&block, reached_bytes);
    scratch->component_queue = nav_carve(&block, reached_bytes);
    memset(scratch->labels.nodes, 0, node_bytes);
    memset(scratch->labels.polygons, 0, polygon_bytes);
    memset(scratch->reached, 0, reached_bytes);
    return true;
}

// ---- a question ----

bool nav_scratch_begin(nav_scratch *scratch, const nav_view *view)
{
    const nav_mesh *mesh = view->mesh;
    const uint32_t polygons = nav_view_polygons(view), portals = nav_view_portals(view);
    // Only where links lead one way, or a state adds some, does a query mark components.
    const bool marks = mesh->condensation_edge_count > 0 || nav_view_adds_ways(view);
    const uint32_t components = marks ? mesh->stats.components : 0;
    if ((scratch->block == NULL || scratch->polygon_capacity < polygons ||
         scratch->portal_capacity < portals || scratch->component_capacity < components) &&
        !grow(scratch, larger(polygons, scratch->polygon_capacity),
              larger(portals, scratch->portal_capacity),
              larger(components, scratch->component_capacity))) {
        return false;
    }
    if (!nav_scratch_make_path_room(scratch, portals)) {
        return false;
    }
    NAV_ASSERT(scratch->portal_capacity >= portals);
    NAV_ASSERT(scratch->polygon_capacity >= polygons);
    NAV_ASSERT(scratch->corridor.capacity >= portals);
    NAV_ASSERT(scratch->component_capacity >= components);
    NAV_ASSERT(scratch->stamp % 2 == 0); // odd ones are for nodes that have been expanded
    scratch->stamp += 2;
    if (scratch->stamp == 0) {
        // The stamps have come round: old nodes must not pass for new ones. 0 stays "empty".
        memset(scratch->labels.nodes, 0, scratch->portal_capacity * sizeof *scratch->labels.nodes);
        memset(scratch->labels.polygons, 0,
               scratch->polygon_capacity * sizeof *scratch->labels.polygons);
        memset(scratch->reached, 0, scratch->component_capacity * sizeof *scratch->reached);
        if (scratch->flood.marks != NULL) {
            memset(scratch->flood.marks, 0, scratch->flood.capacity * sizeof(uint32_t));
        }
        scratch->stamp = 2;
    }
    return true;
}

nav_status nav_scratch_failure(const nav_scratch *scratch)
{
    return scratch->cancel.cancelled ? NAV_CANCELLED : NAV_NO_MEMORY;
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

static void begin_overlay_memory(nav_scratch *scratch)
{
    nav_arena_init(&scratch->overlay_memory, &scratch->allocator, NAV_OVERLAY_BYTES_MAX);
    nav_arena_init(&scratch->overlay_work, &scratch->allocator, NAV_OVERLAY_BYTES_MAX);
}

void nav_scratch_drop_overlay(nav_scratch *scratch)
{
    scratch->overlay_ready = false;
    nav_arena_free(&scratch->overlay_memory);
    nav_arena_free(&scratch->overlay_work);
    begin_overlay_memory(scratch);
}

// ---- its life ----

nav_status nav_scratch_create(const nav_allocator *allocator, nav_scratch **out)
{
    nav_allocator source = allocator != NULL ? *allocator : nav_allocator_default();
    nav_scratch *scratch = source.alloc(source.user, sizeof *scratch);
    if (scratch == NULL) {
        return NAV_NO_MEMORY;
    }
    *scratch = (nav_scratch){.allocator = source, .polyanya.allocator = source};
    begin_overlay_memory(scratch);
    *out = scratch;
    return NAV_OK;
}

void nav_scratch_destroy(nav_scratch *scratch)
{
    if (scratch == NULL) {
        return;
    }
    nav_allocator allocator = scratch->allocator;
    give_back(scratch, scratch->block, scratch->block_bytes);
    give_back(scratch, scratch->corridor.block, scratch->corridor.block_bytes);
    give_back(scratch, scratch->clearance.nodes,
              scratch->clearance.capacity * sizeof *scratch->clearance.nodes);
    give_back(scratch, scratch->clearance.spare.block, scratch->clearance.spare.block_bytes);
    give_back(scratch, scratch->flood.sums, flood_bytes(scratch->flood.capacity));
    nav_arena_free(&scratch->overlay_memory);
    nav_arena_free(&scratch->overlay_work);
    nav_polyanya_scratch_free(&scratch->polyanya);
    nav_all_labels_scratch_free(&scratch->all_labels, &allocator);
    nav_steiner_scratch_free(&scratch->steiner, &allocator);
    give_back(scratch, scratch->list, scratch->list_bytes);
    give_back(scratch, scratch->class_costs, scratch->class_capacity * sizeof(float));
    allocator.free(allocator.user, scratch, sizeof *scratch);
}
