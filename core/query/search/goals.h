// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// goals.h: the polygons that a search is to come to, and the bridges that lead to none of them.
// Both engines ask here. Private to core/.
//
//       .--------.       A bridge (mesh/bridges.c) is the only way between two parts of the
//       |  from  |       ground. A depth-first walk numbers all polygons of one part in a
//       '---||---'       row: those of a preorder interval. A bridge leads away if no goal has
//     .-----||------.    a number of the part behind it.
//     | 4 | to 5..8 |
//     '-------------'

#pragma once

#include "core/mesh/types.h"

typedef struct nav_goals {
    const uint32_t *preorder; // nav_mesh.preorder[polygon][0] of each, rising; borrowed
    uint32_t count;           // 0: the search may go anywhere
} nav_goals;

static inline nav_goals nav_goals_one(const nav_mesh *mesh, uint32_t polygon)
{
    NAV_ASSERT(polygon < mesh->stats.polygons);
    return (nav_goals){.preorder = mesh->preorder[polygon], .count = 1};
}

// How many goals have a number below `end`.
static inline uint32_t nav_goals_below(const nav_goals *goals, uint32_t end)
{
    uint32_t low = 0, high = goals->count;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (goals->preorder[middle] < end) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    NAV_DCHECK(low == goals->count || goals->preorder[low] >= end);
    return low;
}

static inline uint32_t nav_goals_within(const nav_goals *goals, const uint32_t interval[2])
{
    return goals->count == 1
               ? goals->preorder[0] - interval[0] < interval[1] - interval[0]
               : nav_goals_below(goals, interval[1]) - nav_goals_below(goals, interval[0]);
}

// Whether a bridge between two polygons of the mesh has no goal behind it.
static inline bool nav_goals_are_before(const nav_mesh *mesh, const nav_goals *goals, uint32_t from,
                                        uint32_t to)
{
    // The side that was visited later is an interval; the other side is all that is left of it.
    const uint32_t *before = mesh->preorder[from], *behind = mesh->preorder[to];
    return behind[0] > before[0] ? nav_goals_within(goals, behind) == 0
                                 : nav_goals_within(goals, before) == goals->count;
}

// Whether a portal over an edge of the mesh is a bridge with no goal behind it.
static inline bool nav_bridge_leads_away(const nav_mesh *mesh, const nav_goals *goals,
                                         uint32_t portal)
{
    if (goals->count == 0 || (mesh->portal_turning_vertices[portal][1] & NAV_TURNING_BRIDGE) == 0) {
        return false;
    }
    NAV_DCHECK(portal < mesh->edge_portal_count);
    return nav_goals_are_before(mesh, goals, mesh->portals[portal].from, mesh->portals[portal].to);
}
