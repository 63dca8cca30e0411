// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// wave.h: one search from a place over all ground that can be reached from it, the nearest
// entrance into a polygon first: what matrix and flood are made of. Private to core/.
//
//          .-----------.-------.      The wave comes into a polygon over one of its portals, with
//          |     ..    |       |      what is seen from the last turn: an entrance. Whatever lies
//   source x  . '  '.  |entrance      within the polygon is then reached at a known cost, if not
//          |  '      ' |->     |      more cheaply by a later entrance.
//          '-----------'-------'
//
// Where all open ground costs the same and nothing is cut out of it, entrances are cones
// (query/search/polyanya/wave.c) and costs exact. Else they are labels of portals
// (query/search/labels/wave.c): a cost is then that of a walk, which need not be the cheapest.

#pragma once

#include "core/base/heap.h"
#include "core/query/search/polyanya/cones.h"

// The best way to a portal that is known so far, of a wave by labels.
struct nav_wave_node {
    float root[2];          // the last turn, or the place on the portal, or a way's end
    float before[2];        // of a root on a border between costs: the root before it
    double g;               // cost from the source to the root
    double key;             // and from there to the nearest place of the portal that is seen
    float left, right;      // how much of the portal is seen: 0 is its left end, 1 its right
    uint32_t parent;        // the portal before, or NAV_NONE: the source
    uint32_t stamp;         // of the wave
    bool stands, is_border; // all of the polygon behind is seen; the root has one before it
    bool done;
};

typedef struct nav_wave {
    const nav_view *view;
    nav_location source;
    bool by_cones;
    bool begun, no_memory;
    nav_cancel *cancel; // the scratch's: links are counted here, it is polled by the caller
    // Where the wave is to come to: nav_mesh.visits of polygons, rising; by cones, doors that lead
    // to none of them are passed by. NULL: it goes everywhere.
    const uint32_t *wanted;
    uint32_t wanted_count;
    // The entrance at hand.
    uint32_t polygon;
    uint32_t portal; // NAV_NONE: the source itself
    double cost;     // to its nearest place
    // By cones.
    nav_cones cones;
    nav_cone cone;
    uint32_t free;               // the first cone that is not in use, linked by `parent`
    uint64_t opened, opened_max; // cones so far, and where it is given up
    // By labels.
    nav_wave_room *room;
    nav_heap heap;
} nav_wave;

// Whether waves under this view may go by cones.
static inline bool nav_wave_is_exact(const nav_view *view)
{
    return view->costs->uniform && view->overlay == NULL;
}

// Begins a wave from a place on open ground that goes everywhere. False: no memory.
bool nav_wave_begin(nav_wave *wave, const nav_view *view, nav_scratch *scratch,
                    const nav_location *source, bool by_cones);
// Goes on to the next entrance: that of the source first, then in order of cost. False: there is
// none, or no memory (no_memory), which is also said of more cones than sound ground can have.
bool nav_wave_next(nav_wave *wave);
// Whether a wave by cones has met portals that it does not follow, other than over folds: it may
// have passed ground by, and its costs need not be the least.
static inline bool nav_wave_has_gaps(const nav_wave *wave)
{
    return wave->by_cones && wave->cones.refused && !wave->view->mesh->has_non_manifold_edges;
}
// What it costs to reach a place in the polygon by the entrance at hand.
double nav_wave_cost_to(const nav_wave *wave, const float place[2]);
// The nearest place of the entrance at hand, in x and z.
void nav_wave_place(const nav_wave *wave, float out[2]);
// By labels: pulls the string to a place that has been reached over a portal (NAV_NONE: from the
// source's own polygon); returns what that costs. Uses the scratch's corridor and points.
double nav_wave_pull(const nav_wave *wave, nav_scratch *scratch, uint32_t portal,
                     const nav_location *place);

// query/search/polyanya/wave.c and query/search/labels/wave.c: the two kinds of the above.
bool nav_wave_cones_begin(nav_wave *wave, nav_scratch *scratch);
bool nav_wave_cones_next(nav_wave *wave);
void nav_wave_cones_place(const nav_wave *wave, float out[2]);
bool nav_wave_labels_begin(nav_wave *wave, nav_scratch *scratch);
bool nav_wave_labels_next(nav_wave *wave);
double nav_wave_labels_cost_to(const nav_wave *wave, const float place[2]);
void nav_wave_labels_place(const nav_wave *wave, float out[2]);
