// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// tree.c: the bounding-volume tree of a tile, for seal.c. Boxes are split at the median
// of their centres along the axis on which the centres spread most.
//
// The halves are sets, divided by a total order of (centre, polygon): the tree does not depend on
// the order in which the boxes come or on how the median is found.

#include "core/tile/tile.h"

// Twice the centre: the order is the same.
static float centre(const nav_tile_node *box, int axis)
{
    return box->min[axis] + box->max[axis];
}

static bool comes_before(const nav_tile_node *a, const nav_tile_node *b, int axis)
{
    float centre_a = centre(a, axis);
    float centre_b = centre(b, axis);
    return centre_a < centre_b || (centre_a == centre_b && a->polygon < b->polygon);
}

// Hoare's selection: afterwards the `half` first boxes come before all others.
static void split(nav_tile_node *boxes, uint32_t count, uint32_t half, int axis)
{
    NAV_ASSERT(half < count);
    int64_t low = 0;
    int64_t high = (int64_t)count - 1;
    while (low < high) {
        nav_tile_node pivot = boxes[low + (high - low) / 2];
        int64_t i = low;
        int64_t j = high;
        while (i <= j) {
            while (comes_before(&boxes[i], &pivot, axis)) {
                ++i;
            }
            while (comes_before(&pivot, &boxes[j], axis)) {
                --j;
            }
            if (i <= j) {
                const nav_tile_node kept = boxes[i];
                boxes[i++] = boxes[j];
                boxes[j--] = kept;
            }
        }
        if (half <= j) {
            high = j;
        } else if (half >= i) {
            low = i;
        } else {
            return;
        }
    }
}

static int widest_axis(const nav_tile_node *boxes, uint32_t count)
{
    int widest = 0;
    float widest_spread = -1.0f;
    for (int axis = 0; axis < 3; ++axis) {
        float low = centre(&boxes[0], axis);
        float high = low;
        for (uint32_t i = 1; i < count; ++i) {
            float at = centre(&boxes[i], axis);
            low = at < low ? at : low;
            high = at > high ? at : high;
        }
        if (high - low > widest_spread) {
            widest_spread = high - low;
            widest = axis;
        }
    }
    return widest;
}

// The cost of splitting off a box, in items of work.
#define SPLIT_WORK 4u

// Writes the subtree of some boxes from index `at` on and returns where it ends. Recursion halves
// the boxes each time: it is at most 32 deep. A box that is not wanted any more is not written.
static uint32_t build(nav_tile_node *boxes, uint32_t count, nav_tile_node *nodes, uint32_t at,
                      nav_cancel *cancel)
{
    nav_tile_node *node = &nodes[at];
    if (count == 1) {
        *node = boxes[0];
        node->end = at + 1;
        return node->end;
    }
    uint32_t half = count / 2;
    if (nav_cancel_poll(cancel, (uint64_t)count * SPLIT_WORK)) {
        return at;
    }
    split(boxes, count, half, widest_axis(boxes, count));
    uint32_t right = build(boxes, half, nodes, at + 1, cancel);
    NAV_ASSERT(nav_cancel_is_set(cancel) || right == at + 2 * half);
    node->end = build(boxes + half, count - half, nodes, right, cancel);
    if (nav_cancel_is_set(cancel)) {
        return at;
    }
    node->polygon = NAV_NONE;
    for (int axis = 0; axis < 3; ++axis) {
        const nav_tile_node *a = &nodes[at + 1];
        const nav_tile_node *b = &nodes[right];
        node->min[axis] = a->min[axis] < b->min[axis] ? a->min[axis] : b->min[axis];
        node->max[axis] = a->max[axis] > b->max[axis] ? a->max[axis] : b->max[axis];
    }
    return node->end;
}

bool nav_tile_tree_build(nav_tile_node *leaves, uint32_t count, nav_tile_node *nodes,
                         nav_cancel *cancel)
{
    NAV_ASSERT(count > 0);
    NAV_ASSERT(count <= UINT32_MAX / 2);
    NAV_ASSERT(leaves + count <= nodes || nodes + 2 * (size_t)count - 1 <= leaves);
    uint32_t end = build(leaves, count, nodes, 0, cancel);
    NAV_ASSERT(nav_cancel_is_set(cancel) || end == 2 * count - 1);
    return !nav_cancel_is_set(cancel);
}
