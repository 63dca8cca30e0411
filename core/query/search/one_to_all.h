// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// one_to_all.h: one search from a point over all ground that can be reached from it, the nearest
// entrance into a polygon first. Matrix and flood are made of it. Private to core/.
//
//          .-----------.-------.      The search comes into a polygon over one of its portals,
//          |     ..    |       |      with what is seen from the last turn: an entrance. Any
//   source x  . '  '.  |entrance      point within the polygon is then reached at a known cost,
//          |  '      ' |->     |      if not more cheaply by a later entrance.
//          '-----------'-------'
//
// If all open ground costs the same, entrances are Polyanya nodes and costs exact, around shapes,
// too. Else they are labels of portals (labels/one_to_all.c): a cost is then that of a walk, which
// need not be the cheapest.

#pragma once

#include "core/base/heap.h"
#include "core/query/search/polyanya/polyanya.h"

// The best way to a portal that is known so far, of a search by labels.
struct nav_all_labels_node {
    float root[2];          // the last turn, or the point on the portal, or an arc's end
    float before[2];        // of a root on a border between costs: the root before it
    double g;               // cost from the source to the root
    double key;             // and from there to the nearest point of the portal that is seen
    float left, right;      // how much of the portal is seen: 0 is its left end, 1 its right
    uint32_t parent;        // the portal before, or NAV_NONE: the source
    uint32_t stamp;         // of the search
    bool stands, is_border; // all of the polygon behind is seen; the root has one before it
    bool done;
};

typedef enum nav_one_to_all_engine {
    NAV_BY_POLYANYA,
    NAV_BY_LABELS,
} nav_one_to_all_engine;

typedef struct nav_one_to_all {
    const nav_view *view;
    nav_location source;
    nav_one_to_all_engine engine;
    bool begun, no_memory;
    nav_cancel *cancel; // the scratch's: arcs are counted here, the caller polls it
    nav_goals goals;    // by Polyanya, bridges that lead to none of them are not crossed
    // The entrance at hand.
    uint32_t polygon;
    uint32_t portal; // NAV_NONE: the source itself
    double cost;     // to its nearest point
    // By Polyanya.
    nav_polyanya nodes;
    uint64_t opened, opened_max; // rounds so far, and where the search is given up
    // By labels.
    nav_all_labels_scratch *labels;
    nav_heap heap;
} nav_one_to_all;

// Whether searches under this view may go by Polyanya nodes.
static inline bool nav_one_to_all_is_exact(const nav_view *view)
{
    return view->costs->uniform;
}

// Begins a search from a point on open ground that goes everywhere. False: no memory.
bool nav_one_to_all_begin(nav_one_to_all *search, const nav_view *view, nav_scratch *scratch,
                          const nav_location *source, nav_one_to_all_engine engine);
// Goes on to the next entrance: that of the source first, then in order of cost. False: there is
// none, or no memory (no_memory), which also stands for more nodes than sound ground can have.
bool nav_one_to_all_next(nav_one_to_all *search);
// Whether a search by Polyanya has met portals that it does not follow: it may have passed ground
// by, and its costs need not be the least.
static inline bool nav_one_to_all_passes_by(const nav_one_to_all *search)
{
    return search->engine == NAV_BY_POLYANYA && search->nodes.has_gaps;
}
// The same, where these are others than non-manifold edges.
static inline bool nav_one_to_all_has_gaps(const nav_one_to_all *search)
{
    return nav_one_to_all_passes_by(search) && !search->view->mesh->has_non_manifold_edges;
}
// The cost of a point in the polygon by the entrance at hand.
double nav_one_to_all_cost_to(const nav_one_to_all *search, const float point[2]);
// The nearest point of the entrance at hand, in x and z.
void nav_one_to_all_point(const nav_one_to_all *search, float out[2]);
// By labels: pulls the string to a point that has been reached over a portal (NAV_NONE: from the
// source's own polygon), settled over several costs; returns its cost. Uses the scratch's corridor
// and points.
double nav_one_to_all_pull(const nav_one_to_all *search, nav_scratch *scratch, uint32_t portal,
                           const nav_location *location);

// labels/one_to_all.c: the same by labels. Borrows the scratch's labels, which the next search by
// labels takes. False: no memory.
bool nav_all_labels_begin(nav_one_to_all *search, nav_scratch *scratch);
// Opens the polygon of the entrance at hand, which at first is the source's, and goes on to the
// next one. False: there is none.
bool nav_all_labels_next(nav_one_to_all *search);
// By the entrance at hand; only for the cost that may be the source itself.
double nav_all_labels_cost_to(const nav_one_to_all *search, const float point[2]);
void nav_all_labels_point(const nav_one_to_all *search, float out[2]);
// The string to a point, as it is.
void nav_all_labels_pull(const nav_one_to_all *search, nav_scratch *scratch, uint32_t portal,
                         const nav_location *location, nav_path *path);
