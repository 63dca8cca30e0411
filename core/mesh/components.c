// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// components.c: numbers that answer "can one get there?" before any search.
//
//      nodes: ground joined by edges and two-way links          (union-find)
//        |  one-way links lead from node to node
//      components: nodes from each of which one can get to all others and back
//        |         (strongly connected components; Tarjan 1972)
//      condensation edges: the one-way links between components, from which nothing leads back
//
// Within one component every position can be reached. From one component into another, exactly what
// the condensation edges lead to: they are kept in topological order, so that one pass over them
// finds all that can be reached.

#include "core/base/sets.h"
#include "core/mesh/steps.h"

#include <string.h>

// Union-find. parents: space for a number a polygon. Returns the number of nodes.
static uint32_t label_nodes(nav_mesh *mesh, uint32_t *parents)
{
    for (uint32_t i = 0; i < mesh->stats.polygons && !nav_cancel_poll(mesh->cancel, 1); ++i) {
        parents[i] = i;
    }
    for (uint32_t i = 0; i < mesh->edge_portal_count && !nav_cancel_poll(mesh->cancel, 1); ++i) {
        nav_sets_unite(parents, mesh->portals[i].from, mesh->portals[i].to);
    }
    for (uint32_t i = 0; i < mesh->stats.links && !nav_cancel_poll(mesh->cancel, 1); ++i) {
        if (mesh->links[i].bidirectional) {
            nav_sets_unite(parents, mesh->links[i].start_polygon, mesh->links[i].end_polygon);
        }
    }
    for (uint32_t i = 0; i < mesh->stats.polygons && !nav_cancel_poll(mesh->cancel, 1); ++i) {
        parents[i] = nav_set_of(parents, i);
    }
    // A root comes before the others of its node, so its entry is a label by then.
    uint32_t count = 0;
    for (uint32_t i = 0; i < mesh->stats.polygons && !nav_cancel_poll(mesh->cancel, 1); ++i) {
        parents[i] = parents[i] == i ? ++count : parents[parents[i]];
        mesh->records[i].component = parents[i];
    }
    return count;
}

// The one-way links as a graph of nodes: those out of node r are targets[first[r]..first[r + 1]].
// Nodes count from 0 here, labels from 1.
typedef struct graph {
    uint32_t node_count;
    uint32_t *first, *targets;
    // The state of Tarjan's search, all by room.
    uint32_t *order; // when it was entered, from 1 on; 0: not yet
    uint32_t *low;   // the earliest entered room that is known to be reached from it
    uint32_t *next;  // the edge to look at next
    uint32_t *group; // its component, numbered as they are finished, or NAV_NONE
    uint32_t *open;  // a stack: nodes that are not in a component yet
    uint32_t *trail; // a stack: nodes that the search is in
} graph;

static bool leads_out(const nav_mesh *mesh, const nav_placed_link *link)
{
    return !link->bidirectional && mesh->records[link->start_polygon].component !=
                                       mesh->records[link->end_polygon].component;
}

// A counting sort of the links by the room they begin in.
static bool make_graph(graph *g, const nav_mesh *mesh, uint32_t node_count, nav_arena *temporary)
{
    uint32_t *arrays = NAV_NEW_ZERO(temporary, uint32_t, 7 * ((size_t)node_count + 1));
    uint32_t *targets = NAV_NEW(temporary, uint32_t, mesh->stats.links);
    if (arrays == NULL || targets == NULL) {
        return false;
    }
    size_t stride = (size_t)node_count + 1;
    *g = (graph){.node_count = node_count,
                 .first = arrays,
                 .targets = targets,
                 .order = arrays + stride,
                 .low = arrays + 2 * stride,
                 .next = arrays + 3 * stride,
                 .group = arrays + 4 * stride,
                 .open = arrays + 5 * stride,
                 .trail = arrays + 6 * stride};
    for (uint32_t i = 0; i < mesh->stats.links && !nav_cancel_poll(mesh->cancel, 1); ++i) {
        const nav_placed_link *link = &mesh->links[i];
        g->first[mesh->records[link->start_polygon].component] += leads_out(mesh, link);
    }
    for (uint32_t node = 0; node < node_count && !nav_cancel_poll(mesh->cancel, 1); ++node) {
        g->first[node + 1] += g->first[node];
        g->next[node] = g->first[node];
        g->group[node] = NAV_NONE;
    }
    for (uint32_t i = 0; i < mesh->stats.links && !nav_cancel_poll(mesh->cancel, 1); ++i) {
        const nav_placed_link *link = &mesh->links[i];
        if (leads_out(mesh, link)) {
            uint32_t from = mesh->records[link->start_polygon].component - 1;
            g->targets[g->next[from]++] = mesh->records[link->end_polygon].component - 1;
        }
    }
    memcpy(g->next, g->first, node_count * sizeof *g->next);
    return true;
}

// Tarjan's search from one room, with a stack of its own instead of recursion. Components are
// finished in such an order that none leads into a later one. Returns how many there are by then.
static uint32_t search_from(graph *g, const nav_mesh *mesh, uint32_t root, uint32_t *entered,
                            uint32_t group_count)
{
    uint32_t trail_count = 0;
    uint32_t open_count = 0;
    g->trail[trail_count++] = root;
    while (trail_count > 0 && !nav_cancel_poll(mesh->cancel, 1)) {
        uint32_t node = g->trail[trail_count - 1];
        if (g->order[node] == 0) {
            g->order[node] = g->low[node] = ++*entered;
            g->open[open_count++] = node;
        }
        if (g->next[node] < g->first[node + 1]) {
            uint32_t target = g->targets[g->next[node]++];
            if (g->order[target] == 0) {
                g->trail[trail_count++] = target;
            } else if (g->group[target] == NAV_NONE && g->order[target] < g->low[node]) {
                g->low[node] = g->order[target];
            }
            continue;
        }
        if (g->low[node] == g->order[node]) {
            uint32_t member;
            do {
                member = g->open[--open_count];
                g->group[member] = group_count;
            } while (member != node);
            ++group_count;
        }
        --trail_count;
        if (trail_count > 0) {
            uint32_t before = g->trail[trail_count - 1];
            g->low[before] = g->low[node] < g->low[before] ? g->low[node] : g->low[before];
        }
    }
    return group_count;
}

// Lists the condensation edges: those out of the component that was finished last come first.
static bool list_condensation_edges(nav_mesh *mesh, const graph *g, uint32_t group_count,
                                    const uint32_t *labels, nav_arena *temporary)
{
    uint32_t *next = NAV_NEW_ZERO(temporary, uint32_t, (size_t)group_count + 1);
    if (next == NULL) {
        return false;
    }
    for (uint32_t node = 0; node < g->node_count && !nav_cancel_poll(mesh->cancel, 1); ++node) {
        for (uint32_t k = g->first[node]; k < g->first[node + 1]; ++k) {
            next[group_count - g->group[node]] += g->group[node] != g->group[g->targets[k]];
        }
    }
    for (uint32_t i = 0; i < group_count; ++i) {
        next[i + 1] += next[i];
    }
    mesh->condensation_edge_count = next[group_count];
    NAV_ASSERT(mesh->condensation_edge_count <= mesh->stats.links);
    for (uint32_t node = 0; node < g->node_count && !nav_cancel_poll(mesh->cancel, 1); ++node) {
        for (uint32_t k = g->first[node]; k < g->first[node + 1]; ++k) {
            uint32_t from = g->group[node];
            uint32_t to = g->group[g->targets[k]];
            if (from != to) {
                mesh->condensation_edges[next[group_count - 1 - from]++] =
                    (nav_condensation_edge){.from = labels[from], .to = labels[to]};
            }
        }
    }
    return true;
}

// Joins nodes to components, whose numbers again follow their first polygons.
static bool join_nodes(nav_mesh *mesh, graph *g, nav_arena *temporary)
{
    uint32_t entered = 0;
    uint32_t group_count = 0;
    for (uint32_t node = 0; node < g->node_count && !nav_cancel_poll(mesh->cancel, 1); ++node) {
        if (g->order[node] == 0) {
            group_count = search_from(g, mesh, node, &entered, group_count);
        }
    }
    uint32_t *labels = NAV_NEW_ZERO(temporary, uint32_t, group_count);
    if (labels == NULL) {
        return false;
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < mesh->stats.polygons && !nav_cancel_poll(mesh->cancel, 1); ++i) {
        uint32_t group = g->group[mesh->records[i].component - 1];
        labels[group] = labels[group] != 0 ? labels[group] : ++count;
        mesh->records[i].component = labels[group];
    }
    NAV_ASSERT(count <= group_count);
    mesh->stats.components = count;
    return list_condensation_edges(mesh, g, group_count, labels, temporary);
}

nav_status nav_mesh_find_components(nav_mesh *mesh, nav_arena *temporary)
{
    nav_arena_mark mark = nav_arena_save(temporary);
    uint32_t *parents = NAV_NEW(temporary, uint32_t, mesh->stats.polygons);
    if (parents == NULL) {
        return NAV_NO_MEMORY;
    }
    mesh->stats.components = label_nodes(mesh, parents);
    NAV_ASSERT(mesh->stats.components <= mesh->stats.polygons);
    nav_arena_restore(temporary, mark);
    mesh->condensation_edge_count = 0;
    bool one_way = false;
    for (uint32_t i = 0; i < mesh->stats.links && !one_way && !nav_cancel_poll(mesh->cancel, 1);
         ++i) {
        one_way = leads_out(mesh, &mesh->links[i]);
    }
    if (!one_way || nav_cancel_status(mesh->cancel) != NAV_OK) {
        return nav_cancel_status(mesh->cancel);
    }
    graph g;
    bool done =
        make_graph(&g, mesh, mesh->stats.components, temporary) && join_nodes(mesh, &g, temporary);
    nav_arena_restore(temporary, mark);
    return done ? nav_cancel_status(mesh->cancel) : NAV_NO_MEMORY;
}
