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
//
// A link that a state adds leads out of the ground behind a bridge, which the mesh does not know:
// the polygons in which such links begin count as goals.

#pragma once

#include "core/base/sets.h"
#include "core/query/view/overlay.h"

typedef struct nav_goals {
    const uint32_t *preorder; // nav_mesh.preorder[polygon][0] of each, rising; borrowed
    uint32_t count;           // 0: the search may go anywhere
    const uint32_t *starts;   // the same of polygons in which added links begin
    uint32_t start_count;
} nav_goals;

// links: NULL, or those of the view.
static inline nav_goals nav_goals_of(const uint32_t *preorder, uint32_t count,
                                     const nav_added_links *links)
{
    return (nav_goals){.preorder = preorder,
                       .count = count,
                       .starts = links != NULL ? links->starts : NULL,
                       .start_count = links != NULL ? links->arc_count : 0};
}

static inline nav_goals nav_goals_one(const nav_mesh *mesh, uint32_t polygon,
                                      const nav_added_links *links)
{
    NAV_ASSERT(polygon < mesh->stats.polygons);
    return nav_goals_of(mesh->preorder[polygon], 1, links);
}

static inline uint32_t nav_goals_within_list(const uint32_t *list, uint32_t count,
                                             const uint32_t interval[2])
{
    return count == 1 ? list[0] - interval[0] < interval[1] - interval[0]
                      : nav_numbers_below(list, sizeof *list, count, interval[1]) -
                            nav_numbers_below(list, sizeof *list, count, interval[0]);
}

static inline uint32_t nav_goals_within(const nav_goals *goals, const uint32_t interval[2])
{
    const uint32_t within = nav_goals_within_list(goals->preorder, goals->count, interval);
    return goals->start_count == 0
               ? within
               : within + nav_goals_within_list(goals->starts, goals->start_count, interval);
}

// Whether a bridge between two polygons of the mesh has no goal behind it.
static inline bool nav_goals_are_before(const nav_mesh *mesh, const nav_goals *goals, uint32_t from,
                                        uint32_t to)
{
    // The side that was visited later is an interval; the other side is all that is left of it.
    const uint32_t *before = mesh->preorder[from], *behind = mesh->preorder[to];
    return behind[0] > before[0]
               ? nav_goals_within(goals, behind) == 0
               : nav_goals_within(goals, before) == goals->count + goals->start_count;
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
