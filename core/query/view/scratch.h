// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// scratch.h: the memory of queries, with a part for each engine. Private to core/.

#pragma once

#include "core/base/blocks.h"
#include "core/base/open_list.h"
#include "core/query/view/view.h"

// A portal as the search sees it: the best way to it so far. 32 bytes, two to a cache line. The
// root is the last bend of that way, or stands on the portal itself.
typedef struct nav_search_node {
    float x, z; // the root
    float g;    // cost from the start to the root
    float f;    // what a path to the goal over here costs, as far as is known: the key
    union {
        struct {
            float left, right; // how much of the portal is seen: 0 is its left end, 1 its right
        };
        struct {
            float before_x, before_z; // of a root that stands on the portal, because the ground
        };                            // behind costs something else: the root before it
    };
    uint32_t parent; // the portal before, or NAV_SEARCH_START; may have NAV_SEARCH_STANDS
    uint32_t stamp;  // of the search that wrote this node, or one more where it has been expanded;
                     // any other is as good as empty
} nav_search_node;

_Static_assert(sizeof(nav_search_node) == 32, "two nodes a cache line");

#define NAV_SEARCH_START NAV_PORTALS_MAX // no portal's number
#define NAV_SEARCH_STANDS 0x40000000u
_Static_assert((NAV_SEARCH_STANDS & NAV_PORTALS_MAX) == 0, "the flag stands beside the number");

static inline uint32_t nav_search_parent(const nav_search_node *node)
{
    return node->parent & NAV_PORTALS_MAX;
}

// The portal by which a polygon was first expanded.
typedef struct nav_search_polygon {
    uint32_t stamp; // of the search
    uint32_t entry; // or NAV_SEARCH_START
} nav_search_polygon;

// A position where the ground's cost changes, or where a link begins (search/string.c).
typedef struct nav_string_stop {
    uint32_t at;                    // in the corridor
    float cost_before, cost_behind; // of a step
} nav_string_stop;

// A stretch of a path along an edge, with cheaper ground behind the edge.
typedef struct nav_side {
    uint32_t at;         // in the corridor: before this portal
    uint32_t over, back; // the edge, from the dear side and from the cheap one
    float from[2], to[2];
} nav_side;

typedef struct nav_polyanya_node nav_polyanya_node;
typedef struct nav_turning_mark nav_turning_mark;
typedef struct nav_polyanya_pass nav_polyanya_pass;

// The memory of searches by Polyanya, one after the other (search/polyanya/polyanya.h); it grows
// with the question, not with the mesh. Zeroed but for the allocator: holds nothing yet.
typedef struct nav_polyanya_scratch {
    nav_allocator allocator;
    nav_block node_block, mark_block, pass_block;
    nav_polyanya_node *nodes;
    nav_open_entry *open; // as many as nodes
    uint32_t capacity;
    nav_turning_mark *marks;
    nav_polyanya_pass *passes; // of shapes' portals
    uint32_t mark_capacity, pass_capacity;
    uint32_t stamp;
} nav_polyanya_scratch;

// The memory of one-to-all searches by labels (search/one_to_all.h). Zeroed: holds nothing yet.
typedef struct nav_all_labels_node nav_all_labels_node;
typedef struct nav_all_labels_scratch {
    nav_block block;
    uint32_t portals, polygons; // for so many there is room
    uint32_t stamp;             // of the last search
    nav_all_labels_node *nodes; // by portal
    uint32_t (*firsts)[2];      // by polygon: the stamp, and its first entrance
    struct nav_heap_item *heap; // 2 * portals
} nav_all_labels_scratch;

// The memory of searches over Steiner points (search/steiner/steiner.h). Zeroed: holds nothing yet.
typedef struct nav_steiner_scratch {
    nav_block block;
    uint32_t portals;                 // for so many there is room
    uint32_t stamp;                   // of the last search
    struct nav_steiner_range *ranges; // by portal
    struct nav_walk_point *walk;      // portals
    struct nav_walk_choice *choices;  // the same
    uint32_t *kept;                   // the same: a corridor that another is tried instead of
    float (*kept_crossings)[2];
    // These grow with the question, in a block of their own.
    nav_block node_block;
    struct nav_steiner_node *nodes;
    nav_open_entry *open;
    uint32_t node_count, node_capacity;
} nav_steiner_scratch;

// The memory of a search by labels to one goal (search/labels/labels.h). Nodes are indexed by
// portal. They are not cleared between searches: each takes the next even stamp of the scratch.
typedef struct nav_labels_scratch {
    nav_search_node *nodes;       // portal_capacity
    nav_search_polygon *polygons; // polygon_capacity
    nav_open_entry *open;         // NAV_LABELS_OPEN_MAX(portal_capacity)
    uint32_t *trail;              // portal_capacity: portals in the order of their expansion
} nav_labels_scratch;

// One entry a node and the goal, and as many that have been replaced.
#define NAV_LABELS_OPEN_MAX(portals) (2 * (size_t)(portals) + 16)

// The memory of pulling a string (search/string.c).
typedef struct nav_string_scratch {
    nav_string_stop *stops; // portal_capacity
    nav_side *sides;        // portal_capacity / 2
} nav_string_scratch;

// The portals that a path leads through, and its points. A path's details are read from it
// (steps.c). It lives until the next query of its scratch.
typedef struct nav_corridor {
    nav_view view;         // the mesh as the path's question saw it
    uint32_t *portals;     // capacity: from start to goal
    float (*crossings)[2]; // the same: where each is crossed, if the way stops there
    float (*points)[3];    // 2 * capacity + NAV_FUNNEL_POINTS_EXTRA: an off-mesh arc has two ends
    uint32_t capacity;
    uint32_t first_polygon; // of the view: the path begins there; its position may not say, for it
                            // may lie beside it as far as rounding goes
    nav_block block;        // holds the arrays
} nav_corridor;

// A point of a path that is led away from walls.
typedef struct nav_clear_node {
    float guide[3], at[3]; // on the path as it was found; where it is led to
    uint32_t guide_polygon, polygon;
    uint32_t next;       // or NAV_NONE
    uint32_t entered_by; // the off-mesh arc that leads here, or NAV_NONE
    bool settled;        // the leg behind it stays
    double kept;         // how far that is from walls
} nav_clear_node;

// The memory of leading a path away from walls (clearance/clearance.h); it grows with the path.
typedef struct nav_clearance_scratch {
    nav_block block;
    nav_clear_node *nodes;
    uint32_t capacity;
    nav_corridor spare; // the path's new one, which then changes places with the other
} nav_clearance_scratch;

// The memory of floods over polygons, in one block, by polygon.
typedef struct nav_flood_scratch {
    nav_block block;
    uint32_t capacity;
    uint32_t *marks;   // the stamp where a polygon can be reached
    uint32_t *queue;   // polygons in the order of a flood
    uint32_t *parents; // the index in the queue behind which each was found
    uint32_t *list;    // some polygons
    double *sums;      // a number for each of the list
} nav_flood_scratch;

// The memory of queries, one after the other: a part for each engine, and what a question is asked
// with. One thread at a time.
struct nav_scratch {
    nav_allocator allocator;
    uint32_t stamp; // of the question
    // Sized by the largest mesh so far, in one block.
    nav_block block;
    uint32_t polygon_capacity, portal_capacity, component_capacity;
    nav_labels_scratch labels;
    nav_string_scratch string;
    uint32_t *reached; // component_capacity: by label - 1, the stamp where it can be reached
    uint32_t *component_queue; // component_capacity
    // Each with memory of its own.
    nav_all_labels_scratch all_labels;
    nav_polyanya_scratch polyanya;
    nav_steiner_scratch steiner;
    nav_corridor corridor;
    nav_clearance_scratch clearance;
    nav_flood_scratch flood;
    nav_block list; // nav_scratch_list
    // The question.
    nav_costs costs; // of its filter and its switches
    nav_block class_block;
    float *class_costs; // of costs, where a mesh has switches
    uint32_t class_capacity;
    nav_cancel cancel;  // by its options' hook
    bool avoid_refused; // its shapes went beyond the limits
    // Its shapes, as far as they have been cut. A caller may say that the next question has the
    // same ones (nav_options.avoid_repeated).
    nav_arena overlay_memory; // of the overlay
    nav_arena overlay_work;   // of making it
    nav_overlay overlay;
    bool overlay_ready; // it has the shapes, and may be used again
};

// A string has at most this many points more than it leads through portals.
#define NAV_FUNNEL_POINTS_EXTRA 3

// Makes room for what is seen of the mesh and takes a new stamp. False when there is no memory.
bool nav_scratch_begin(nav_scratch *scratch, const nav_view *view);
// Room for a path over so many portals, some of which may be the same ones: in the corridor, which
// holds nothing afterwards. False when there is no memory: it is as it was.
bool nav_scratch_grow_path(nav_scratch *scratch, uint32_t portals);
// Room in nav_scratch.clearance for so many nodes; in its spare corridor for a path over them, as
// long as any other path may be. False when there is no memory.
bool nav_scratch_grow_nodes(nav_scratch *scratch, uint32_t nodes);
bool nav_scratch_grow_spare(nav_scratch *scratch, uint32_t nodes);
// Why something has returned false: NAV_CANCELLED where the question is cancelled, else
// NAV_NO_MEMORY.
nav_status nav_scratch_failure(const nav_scratch *scratch);
// Gives back the memory of the scratch's overlay, which is gone then.
void nav_scratch_drop_overlay(nav_scratch *scratch);
// Makes room for the costs of so many classes. False when there is no memory.
bool nav_scratch_grow_classes(nav_scratch *scratch, uint32_t count);
// Room for a mark a polygon, after nav_scratch_begin; none is marked yet. False when there is no
// memory.
bool nav_scratch_begin_polygons(nav_scratch *scratch, uint32_t polygon_count);
// Room for the lists of one question, aligned for anything, with what was there before in it. NULL
// when there is no memory.
void *nav_scratch_list(nav_scratch *scratch, size_t size_bytes);
