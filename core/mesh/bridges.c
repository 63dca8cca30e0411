// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// bridges.c: portals that are the only way between two parts of the ground: bridges. Tarjan, "A
// note on finding the bridges of a graph", 1974.
//
//      ground --- bridge --- room --- bridge --- chamber
//
// A shortest path goes through a bridge at most once, and only if its goal is behind it. Polygons
// are numbered in order of a depth-first search, so that all that is behind a bridge is a run of
// numbers. A link may lead anywhere from its ends: their polygons count as joined to the position
// where the search began.

#include "core/mesh/steps.h"

#include <string.h>

typedef struct search {
    nav_mesh *mesh;
    uint32_t *low;     // by polygon: the first number that is reached from what comes after it
    uint32_t *next;    // by polygon: the portal to look at next
    uint32_t *trail;   // a stack of polygons
    uint32_t *entries; // by polygon: the portal over which the search came, or NAV_NONE
    bool *linked;      // by polygon: a link ends there
    uint32_t count;    // of polygons visited
} search;

static void enter(search *s, uint32_t polygon, uint32_t entry, uint32_t root_number)
{
    NAV_DCHECK(s->count < s->mesh->stats.polygons);
    NAV_DCHECK(root_number <= s->count);
    s->mesh->preorder[polygon][0] = s->count;
    s->low[polygon] = s->linked[polygon] ? root_number : s->count;
    s->next[polygon] = s->mesh->portal_first[polygon];
    s->entries[polygon] = entry;
    ++s->count;
}

// Marks the portal over which a polygon was entered, and the way back.
static void mark_bridge(const search *s, uint32_t polygon)
{
    nav_mesh *mesh = s->mesh;
    const uint32_t entry = s->entries[polygon], from = mesh->portals[entry].from;
    NAV_DCHECK(entry < mesh->edge_portal_count);
    NAV_DCHECK(mesh->portals[entry].to == polygon);
    mesh->portal_turning_vertices[entry][1] |= NAV_TURNING_BRIDGE;
    for (uint32_t i = mesh->portal_first[polygon]; i < mesh->portal_first[polygon + 1]; ++i) {
        if (mesh->portals[i].to == from) {
            mesh->portal_turning_vertices[i][1] |= NAV_TURNING_BRIDGE;
        }
    }
}

// Everything behind the polygon has been visited.
static void leave(search *s, uint32_t polygon)
{
    nav_mesh *mesh = s->mesh;
    mesh->preorder[polygon][1] = s->count;
    NAV_DCHECK(mesh->preorder[polygon][0] < s->count);
    if (s->entries[polygon] == NAV_NONE) {
        return;
    }
    const uint32_t from = mesh->portals[s->entries[polygon]].from;
    s->low[from] = s->low[polygon] < s->low[from] ? s->low[polygon] : s->low[from];
    if (s->low[polygon] == mesh->preorder[polygon][0]) {
        mark_bridge(s, polygon);
    }
}

static void search_from(search *s, uint32_t root)
{
    nav_mesh *mesh = s->mesh;
    const uint32_t root_number = s->count;
    uint32_t depth = 0;
    enter(s, root, NAV_NONE, root_number);
    s->trail[depth++] = root;
    while (depth > 0 && !nav_cancel_poll(mesh->cancel, 1)) {
        const uint32_t polygon = s->trail[depth - 1];
        if (s->next[polygon] == mesh->portal_first[polygon + 1]) {
            leave(s, polygon);
            --depth;
            continue;
        }
        const uint32_t portal = s->next[polygon]++;
        const uint32_t to = mesh->portals[portal].to;
        const uint32_t entry = s->entries[polygon];
        if (mesh->preorder[to][0] == NAV_NONE) {
            enter(s, to, portal, root_number);
            NAV_DCHECK(depth < mesh->stats.polygons);
            s->trail[depth++] = to;
        } else if (entry == NAV_NONE || to != mesh->portals[entry].from) {
            const uint32_t number = mesh->preorder[to][0];
            s->low[polygon] = number < s->low[polygon] ? number : s->low[polygon];
        }
    }
}

static bool is_bridge(const nav_mesh *mesh, uint32_t portal)
{
    return (mesh->portal_turning_vertices[portal][1] & NAV_TURNING_BRIDGE) != 0;
}

// Two polygons may meet in several portals. They then are a bridge together, not each. last: room
// for a number a polygon, of the last portal that leads to it.
static void count_bridges(nav_mesh *mesh, uint32_t *last)
{
    uint32_t count = 0;
    bool twins = false;
    memset(last, 0xff, mesh->stats.polygons * sizeof *last);
    for (uint32_t i = 0; i < mesh->edge_portal_count && !nav_cancel_poll(mesh->cancel, 1); ++i) {
        const nav_portal *portal = &mesh->portals[i];
        const uint32_t before = last[portal->to];
        // Portals out of one polygon follow each other.
        const bool again = before != NAV_NONE && mesh->portals[before].from == portal->from;
        twins = twins || (again && (is_bridge(mesh, i) || is_bridge(mesh, before)));
        count += is_bridge(mesh, i);
        last[portal->to] = i;
    }
    mesh->is_mostly_bridges = count > mesh->edge_portal_count / 4 * 3 && !twins;
}

nav_status nav_mesh_find_bridges(nav_mesh *mesh, nav_arena *temporary)
{
    const uint32_t polygons = mesh->stats.polygons;
    search s = {.mesh = mesh,
                .low = NAV_NEW(temporary, uint32_t, polygons),
                .next = NAV_NEW(temporary, uint32_t, polygons),
                .trail = NAV_NEW(temporary, uint32_t, polygons),
                .entries = NAV_NEW(temporary, uint32_t, polygons),
                .linked = NAV_NEW_ZERO(temporary, bool, polygons)};
    if (s.low == NULL || s.next == NULL || s.trail == NULL || s.entries == NULL ||
        s.linked == NULL) {
        return NAV_NO_MEMORY;
    }
    for (uint32_t i = 0; i < s.mesh->stats.links && !nav_cancel_poll(s.mesh->cancel, 1); ++i) {
        s.linked[s.mesh->links[i].start_polygon] = true;
        s.linked[s.mesh->links[i].end_polygon] = true;
    }
    for (uint32_t p = 0; p < polygons; ++p) {
        mesh->preorder[p][0] = NAV_NONE;
    }
    for (uint32_t p = 0; p < polygons && !nav_cancel_poll(mesh->cancel, 1); ++p) {
        if (mesh->preorder[p][0] == NAV_NONE) {
            search_from(&s, p);
        }
    }
    NAV_ASSERT(s.count == polygons || nav_cancel_is_set(mesh->cancel));
    count_bridges(mesh, s.next);
    return nav_cancel_status(mesh->cancel);
}
