// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// scratch.c: the memory of queries. Its blocks grow to the largest mesh that they have met; after
// that no query allocates, and none clears anything but once in 2^31 searches.

#include "core/query/view/scratch.h"

#include "core/base/poison.h"

#include <string.h>

// The contents of a block are of no use to the next query, so that none are kept when it grows. If
// it cannot, the old one stays.
#define MAKE(scratch, block, arrays)                                                               \
    nav_block_make(block, &(scratch)->allocator, arrays, sizeof(arrays) / sizeof *(arrays))

// ---- the parts ----

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static bool grow_path(const nav_scratch *scratch, nav_corridor *corridor, uint32_t portals)
{
    const nav_block_array arrays[] = {
        NAV_BLOCK_ARRAY(corridor->portals, portals, 0),
        NAV_BLOCK_ARRAY(corridor->crossings, portals, 0),
        NAV_BLOCK_ARRAY(corridor->points, 2 * (size_t)portals + NAV_FUNNEL_POINTS_EXTRA, 0)};
    if (corridor->block.bytes == NULL || portals > corridor->capacity) {
        if (!MAKE(scratch, &corridor->block, arrays)) {
            return false;
        }
        corridor->capacity = portals;
    }
    return true;
}

bool nav_scratch_grow_path(nav_scratch *scratch, uint32_t portals)
{
    return grow_path(scratch, &scratch->corridor, portals);
}

bool nav_scratch_grow_spare(nav_scratch *scratch, uint32_t nodes)
{
    return grow_path(scratch, &scratch->clearance.spare, larger(nodes, scratch->corridor.capacity));
}

bool nav_scratch_grow_nodes(nav_scratch *scratch, uint32_t nodes)
{
    nav_clearance_scratch *clearance = &scratch->clearance;
    const nav_block_array arrays[] = {NAV_BLOCK_ARRAY(clearance->nodes, nodes, 0)};
    if (clearance->capacity < nodes) {
        if (!MAKE(scratch, &clearance->block, arrays)) {
            return false;
        }
        clearance->capacity = nodes;
    }
    return true;
}

bool nav_scratch_begin_polygons(nav_scratch *scratch, uint32_t polygon_count)
{
    nav_flood_scratch *flood = &scratch->flood;
    const uint32_t count = polygon_count;
    const nav_block_array arrays[] = {
        NAV_BLOCK_ARRAY(flood->sums, count, 0), NAV_BLOCK_ARRAY(flood->marks, count, 0),
        NAV_BLOCK_ARRAY(flood->queue, count, 0), NAV_BLOCK_ARRAY(flood->parents, count, 0),
        NAV_BLOCK_ARRAY(flood->list, count, 0)};
    NAV_ASSERT(scratch->stamp > 0); // nav_scratch_begin has run
    if (flood->capacity < count) {
        if (!MAKE(scratch, &flood->block, arrays)) {
            return false;
        }
        memset(flood->marks, 0, count * sizeof *flood->marks);
        flood->capacity = count;
    }
    return true;
}

bool nav_scratch_grow_classes(nav_scratch *scratch, uint32_t count)
{
    const nav_block_array arrays[] = {NAV_BLOCK_ARRAY(scratch->class_costs, count, 0)};
    if (scratch->class_capacity < count) {
        if (!MAKE(scratch, &scratch->class_block, arrays)) {
            return false;
        }
        // Areas that nothing is made of have no costs.
        memset(scratch->class_costs, 0, count * sizeof *scratch->class_costs);
        scratch->class_capacity = count;
    }
    return true;
}

static void clear_stamps(nav_scratch *scratch)
{
    memset(scratch->labels.nodes, 0, scratch->portal_capacity * sizeof *scratch->labels.nodes);
    memset(scratch->labels.polygons, 0,
           scratch->polygon_capacity * sizeof *scratch->labels.polygons);
    memset(scratch->reached, 0, scratch->component_capacity * sizeof *scratch->reached);
}

static bool grow(nav_scratch *scratch, uint32_t polygons, uint32_t portals, uint32_t components)
{
    const nav_block_array arrays[] = {
        NAV_BLOCK_ARRAY(scratch->labels.nodes, portals, 0),
        NAV_BLOCK_ARRAY(scratch->labels.polygons, polygons, 0),
        NAV_BLOCK_ARRAY(scratch->labels.open, NAV_LABELS_OPEN_MAX(portals), 0),
        NAV_BLOCK_ARRAY(scratch->labels.trail, portals, 0),
        NAV_BLOCK_ARRAY(scratch->string.stops, portals, 0),
        NAV_BLOCK_ARRAY(scratch->string.sides, portals / 2, 0),
        NAV_BLOCK_ARRAY(scratch->reached, components, 0),
        NAV_BLOCK_ARRAY(scratch->component_queue, components, 0)};
    NAV_ASSERT(polygons >= scratch->polygon_capacity);
    NAV_ASSERT(portals >= scratch->portal_capacity);
    if (!MAKE(scratch, &scratch->block, arrays)) {
        return false;
    }
    scratch->polygon_capacity = polygons;
    scratch->portal_capacity = portals;
    scratch->component_capacity = components;
    clear_stamps(scratch);
    return true;
}

// ---- a question ----

bool nav_scratch_begin(nav_scratch *scratch, const nav_view *view)
{
    const nav_mesh *mesh = view->mesh;
    const uint32_t polygons = nav_view_polygons(view), portals = nav_view_portals(view);
    // Only where links lead one way, or a state adds some, does a query mark components.
    const bool marks = mesh->condensation_edge_count > 0 || nav_view_adds_links(view);
    const uint32_t components = marks ? mesh->stats.components : 0;
    if ((scratch->block.bytes == NULL || scratch->polygon_capacity < polygons ||
         scratch->portal_capacity < portals || scratch->component_capacity < components) &&
        !grow(scratch, larger(polygons, scratch->polygon_capacity),
              larger(portals, scratch->portal_capacity),
              larger(components, scratch->component_capacity))) {
        return false;
    }
    if (!nav_scratch_grow_path(scratch, portals)) {
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
        clear_stamps(scratch);
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
    uint8_t *list = scratch->list.bytes;
    const nav_block_array arrays[] = {NAV_BLOCK_ARRAY(list, size_bytes, 0)};
    if (list == NULL || scratch->list.size_bytes < size_bytes) {
        return MAKE(scratch, &scratch->list, arrays) ? list : NULL;
    }
    nav_poison(list, scratch->list.size_bytes);
    nav_unpoison(list, size_bytes);
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
    nav_block *const blocks[] = {&scratch->block,
                                 &scratch->corridor.block,
                                 &scratch->clearance.block,
                                 &scratch->clearance.spare.block,
                                 &scratch->flood.block,
                                 &scratch->polyanya.node_block,
                                 &scratch->polyanya.mark_block,
                                 &scratch->polyanya.pass_block,
                                 &scratch->all_labels.block,
                                 &scratch->steiner.block,
                                 &scratch->steiner.node_block,
                                 &scratch->list,
                                 &scratch->class_block};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; ++i) {
        nav_block_free(blocks[i], &allocator);
    }
    nav_arena_free(&scratch->overlay_memory);
    nav_arena_free(&scratch->overlay_work);
    allocator.free(allocator.user, scratch, sizeof *scratch);
}
