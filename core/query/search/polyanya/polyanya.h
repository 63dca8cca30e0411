// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// polyanya.h: the engine for ground of one cost. Cui, Harabor, Grastien, "Compromise-free
// pathfinding on a navigation mesh", IJCAI 2017 (Polyanya); without a goal: Mitchell, Mount,
// Papadimitriou, "The discrete geodesic problem", 1987. Private to core/query/search.
//
//          left ray      A node is all straight lines from its root through one portal, between two
//         /              rays: the part of the portal between them is the node's interval. The root
//   root <  ===> portal  is the last point where the path has turned; g is the length of the way
//         \              there. Nodes get new roots only at turning vertices (see
//          right ray    mesh/turning_vertices.c).
//
// Rays are given by points, as a rule vertices, that they pass through, never by where they cross
// an edge: every test of sides is one of given coordinates, and no error adds up along a path.
//
// Lengths only: the callers multiply by what a step costs. One search serves one thread.

#pragma once

#include "core/base/tolerances.h"
#include "core/query/search/alt.h"
#include "core/query/search/goals.h"
#include "core/query/view/scratch.h"

struct nav_polyanya_node {
    float root[2];
    double left[2], right[2]; // points on the rays; the root itself: the node is open on that side,
                              // for the root stands on the portal
    double g;                 // from the search's start to the root
    uint32_t portal; // over which the node passes; the polygon behind it is still to be expanded
    uint32_t parent; // the node before, or NAV_NONE; of a slot that is free: the next free one
    uint32_t turning_vertex; // the root's number, or NAV_NONE: the search's start
    float key; // in the open list: no way through the node to the goal is shorter; without a goal:
               // no way to where it passes its portal
};

_Static_assert(sizeof(nav_polyanya_node) == 64, "a node is a cache line");

// The shortest way to a turning vertex that is known so far.
struct nav_turning_mark {
    double g;       // INFINITY: none
    float from[2];  // where its last leg begins
    uint32_t stamp; // of the search that wrote it
    float left;     // no way from here to the search's goal is shorter
};

// The last node that has passed a portal of the overlay in one of the ways by which nodes could be
// led round and round (degenerate.c).
struct nav_polyanya_pass {
    double g;
    float root[2], rays[2][2]; // zeros: the whole portal is seen
    uint32_t stamp;            // of the search that wrote it
};

#define NAV_POLYANYA_PASSES 4u // ways, a portal

// How a search opens and takes nodes.
typedef enum nav_polyanya_policy {
    NAV_POLYANYA_ONE_GOAL,  // nodes stay, for the path is read from them; ends when the goal is
                            // proven
    NAV_POLYANYA_ALL_GOALS, // the nearest node is first, and leaves its slot to another: memory
                            // grows with the front of the search, not with what lies behind it
} nav_polyanya_policy;

// The goal of a search with one: no key is below what a way to it takes at least.
typedef struct nav_polyanya_goal {
    float point[2];
    uint32_t polygon;
    const nav_alt_bound *bound; // of ways to it; NULL: nothing is known
    double ratio;               // no way to it costs less than this times the straight line
    double landmark_ratio;      // nor less than this times what `bound` says
    double best;                // the length of the best path known
    uint32_t best_node;         // with which it enters the polygon; NAV_NONE: the caller's path
} nav_polyanya_goal;

// One search.
typedef struct nav_polyanya {
    const nav_view *view;
    nav_polyanya_scratch *scratch;
    nav_polyanya_policy policy;
    bool has_goal;
    nav_polyanya_goal goal;
    nav_goals goals; // bridges that lead to none of them are not crossed
    // The node at hand, which is to be expanded next.
    uint32_t polygon;       // that it comes into
    uint32_t at;            // its number, or NAV_NONE: it is `hand`
    nav_polyanya_node hand; // the start, or a node that has left its slot
    // Nodes, in the scratch.
    uint32_t count;
    uint32_t free; // the first slot that is free, linked by `parent`
    nav_open_list open;
    uint64_t taken; // from the open list
    // Bounds by which nodes are judged.
    double limit;     // nodes whose key is not below it are left out; INFINITY: none is
    double least;     // no node out of the one at hand has a lower key
    bool is_all_open; // but for shapes
    // Set where some ground is closed: turning vertices with open ground all around keep their
    // numbers, which are below `on_foot`; all other ends are numbered on foot, from there on.
    bool keeps_numbers;
    uint32_t on_foot;
    uint32_t overlay_first; // the number of the overlay's first portal; NAV_NONE: there is none
    // Points that everything is seen from: the start, and where off-mesh arcs have landed.
    uint32_t home;             // the start's polygon
    uint32_t arc_base;         // arc i's end has the turning vertex number arc_base + i,
    bool has_arcs;             // the view has some
    const uint32_t *arc_homes; // in polygon arc_homes[i * arc_stride]; NULL: as the view says
    uint32_t arc_stride;
    uint32_t open_points;
    uint32_t steps_through, tolerance_ends; // expansion.c, degenerate.c: what rounding may add
    nav_cancel *cancel;                     // arcs are counted here, the caller polls it
    bool pruned;                            // a node was left out for the limit
    bool has_gaps;  // a non-manifold edge was met that is not followed, or not seen all behind; the
                    // caller clears it
    bool no_memory; // nothing that follows is of use
} nav_polyanya;

// ---- engine.c: the loop ----

// Takes a new stamp and makes room for `extra` numbers beyond those of turning vertices, which
// off-mesh arcs take. False: no memory.
bool nav_polyanya_begin(nav_polyanya *s, const nav_view *view, nav_polyanya_scratch *scratch,
                        nav_polyanya_policy policy, const nav_location *start, uint32_t extra,
                        nav_cancel *cancel);
// One round: expands the node at hand, opens what came out of it, and takes the open node with the
// least key, which is then at hand. False: none is open, or no_memory.
bool nav_polyanya_next(nav_polyanya *s);

static inline const nav_polyanya_node *nav_polyanya_at_hand(const nav_polyanya *s)
{
    NAV_DCHECK(s->at == NAV_NONE || s->at < s->count);
    return s->at != NAV_NONE ? &s->scratch->nodes[s->at] : &s->hand;
}

// Whether a node has come over an edge, of the mesh or of the overlay; else it is a start.
static inline bool nav_polyanya_is_over_edge(const nav_polyanya *s, uint32_t portal)
{
    return portal < s->view->mesh->edge_portal_count ||
           (portal >= s->overlay_first && portal != NAV_NONE);
}

// The pieces of a round, for geodesic.c, which has arcs of its own. open: the nodes from `first`
// on, which an expansion has appended. take: false where none is open.
void nav_polyanya_open(nav_polyanya *s, uint32_t first);
bool nav_polyanya_take(nav_polyanya *s);

// node.c: room for `more` nodes behind the search's. False: no memory.
bool nav_polyanya_grow(nav_polyanya *s, uint32_t more); // where there is none yet
static inline bool nav_polyanya_reserve(nav_polyanya *s, uint32_t more)
{
    return more <= s->scratch->capacity - s->count || nav_polyanya_grow(s, more);
}

// Appends a node that sees all of the polygon it is in: root, g, portal (no edge's), parent and
// turning vertex are the caller's. False: no memory.
bool nav_polyanya_add_root(nav_polyanya *s, const nav_polyanya_node *root);

// ---- expansion.c ----

#define NAV_POLYANYA_NODES_A_PORTAL 3u // at most: the part that is seen, and turns on both sides

// Appends all nodes out of `polygon`, which has been entered over `node`: those that can still be
// part of a shortest path. The pool may move where it has no room for NAV_POLYANYA_NODES_A_PORTAL
// nodes a portal of the polygon: the node then must not be in it. If everything is seen from the
// root, as from the start or the end of an arc, node->left and node->right are the root and
// node->portal is no edge's. Their parent is `parent`. False: no memory; the pool is as before.
bool nav_polyanya_expand(nav_polyanya *s, const nav_polyanya_node *node, uint32_t polygon,
                         uint32_t parent);

// ---- marks ----

// Whether a shorter way to the node's root has been found meanwhile.
static inline bool nav_polyanya_is_stale(const nav_polyanya *s, const nav_polyanya_node *node)
{
    NAV_DCHECK(node->turning_vertex == NAV_NONE ||
               node->turning_vertex < s->scratch->mark_capacity);
    return node->turning_vertex != NAV_NONE &&
           s->scratch->marks[node->turning_vertex].g < node->g * (1.0 - NAV_SAME_LENGTH_RATIO);
}

// Notes a way to turning vertex `number`, which is no end of a portal. False where one as short is
// known.
bool nav_polyanya_note(nav_polyanya *s, uint32_t number, double g);

// ---- node.c ----

// How far it is from the root, through the node's portal, to a point. Exact for a point in the
// polygon behind the portal, else a lower bound.
double nav_polyanya_distance(const nav_polyanya *s, const nav_polyanya_node *node,
                             const float point[2]);

// The point on the portal where the way to a point in the polygon behind it bends, in x and z.
// False: nowhere.
bool nav_polyanya_bend(const nav_polyanya *s, const nav_polyanya_node *node, const float point[2],
                       double bend[2]);

// The ends of the part of its portal that the node is seen through, in x and z; the root where it
// has come over no edge.
void nav_polyanya_interval(const nav_polyanya *s, const nav_polyanya_node *node, float left[2],
                           float right[2]);

// The nearest point to the root where the node passes its portal, in x and z.
void nav_polyanya_point(const nav_polyanya *s, const nav_polyanya_node *node, float out[2]);
