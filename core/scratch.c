// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// scratch.c: search memory. One block that grows to the largest mesh it has met; after that no
// query allocates, and none clears anything but once in 2^32 searches.

#include "query.h"

#include <string.h>

// Sums, of twice the size, marks, queue, parents and list.
#define POLYGON_ARRAYS 6

nav_status nav_scratch_create(const nav_allocator *allocator, nav_scratch **out)
{
    nav_allocator source = allocator != NULL ? *allocator : nav_allocator_default();
    nav_scratch *scratch = source.alloc(source.user, sizeof *scratch);
    if (scratch == NULL) {
        return NAV_NO_MEMORY;
    }
    *scratch = (nav_scratch){.allocator = source};
    *out = scratch;
    return NAV_OK;
}

static void free_block(nav_scratch *scratch)
{
    if (scratch->block != NULL) {
        scratch->allocator.free(scratch->allocator.user, scratch->block, scratch->block_bytes);
    }
}

static void free_marks(nav_scratch *scratch)
{
    if (scratch->polygon_marks != NULL) {
        scratch->allocator.free(scratch->allocator.user, scratch->polygon_sums,
                                POLYGON_ARRAYS * (size_t)scratch->polygon_capacity *
                                    sizeof(uint32_t));
    }
}

void nav_scratch_destroy(nav_scratch *scratch)
{
    if (scratch == NULL) {
        return;
    }
    nav_allocator allocator = scratch->allocator;
    free_block(scratch);
    free_marks(scratch);
    allocator.free(allocator.user, scratch, sizeof *scratch);
}

// Nothing in the old block is of use to the next query, so it is not copied. It is kept where the
// new one cannot be had.
static bool grow(nav_scratch *scratch, uint32_t portal_count, uint32_t component_count)
{
    size_t node_bytes = (size_t)portal_count * sizeof(nav_search_node);
    size_t heap_bytes = (size_t)portal_count * sizeof(nav_heap_entry);
    size_t corridor_bytes = (size_t)portal_count * sizeof(uint32_t);
    size_t point_bytes = (2 * (size_t)portal_count + NAV_FUNNEL_POINTS_EXTRA) * sizeof(float[3]);
    size_t reached_bytes = (size_t)component_count * sizeof(uint32_t);
    size_t block_bytes = node_bytes + heap_bytes + corridor_bytes + point_bytes + reached_bytes;
    uint8_t *block = scratch->allocator.alloc(scratch->allocator.user, block_bytes);
    if (block == NULL) {
        return false;
    }
    free_block(scratch);
    scratch->block = block;
    scratch->block_bytes = block_bytes;
    scratch->portal_capacity = portal_count;
    scratch->component_capacity = component_count;
    scratch->nodes = (void *)block;
    scratch->heap = (void *)(block + node_bytes);
    scratch->corridor = (void *)(block + node_bytes + heap_bytes);
    scratch->points = (void *)(block + node_bytes + heap_bytes + corridor_bytes);
    scratch->reached = (void *)(block + block_bytes - reached_bytes);
    memset(scratch->nodes, 0, node_bytes);
    memset(scratch->reached, 0, reached_bytes);
    return true;
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

bool nav_scratch_begin(nav_scratch *scratch, const nav_mesh *mesh)
{
    // Only where links lead one way does a query mark components.
    uint32_t components = mesh->descent_count > 0 ? mesh->stats.components : 0;
    if ((scratch->block == NULL || scratch->portal_capacity < mesh->portal_count ||
         scratch->component_capacity < components) &&
        !grow(scratch, larger(mesh->portal_count, scratch->portal_capacity),
              larger(components, scratch->component_capacity))) {
        return false;
    }
    if (++scratch->stamp == 0) {
        // The stamps have come round: old nodes must not pass for new ones. 0 stays "empty".
        memset(scratch->nodes, 0, scratch->portal_capacity * sizeof *scratch->nodes);
        memset(scratch->reached, 0, scratch->component_capacity * sizeof *scratch->reached);
        if (scratch->polygon_marks != NULL) {
            memset(scratch->polygon_marks, 0, scratch->polygon_capacity * sizeof(uint32_t));
        }
        scratch->stamp = 1;
    }
    return true;
}

bool nav_scratch_begin_polygons(nav_scratch *scratch, const nav_mesh *mesh)
{
    const uint32_t count = mesh->stats.polygons;
    if (scratch->polygon_capacity >= count) {
        return true;
    }
    const size_t bytes = (size_t)count * sizeof(uint32_t);
    double *sums = scratch->allocator.alloc(scratch->allocator.user, POLYGON_ARRAYS * bytes);
    if (sums == NULL) {
        return false;
    }
    free_marks(scratch);
    uint32_t *marks = (uint32_t *)(sums + count);
    memset(marks, 0, bytes);
    scratch->polygon_sums = sums;
    scratch->polygon_marks = marks;
    scratch->polygon_queue = marks + count;
    scratch->polygon_parents = marks + 2 * (size_t)count;
    scratch->polygon_list = marks + 3 * (size_t)count;
    scratch->polygon_capacity = count;
    return true;
}
