// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// cones.h: what can be seen from a place, polygon by polygon: the common ground of the exact
// path (exact.c) and of distances over the whole mesh (geodesic.c). Private to core/.
//
//          left ray      A cone is all straight lines from its root through one portal, between two
//         /              rays. The root is the last place where the path has turned; g is the way
//   root <  ===> portal  there. Cones widen only at pivots (mesh/turning_vertices.c), around which
//   a path may
//         \              turn: a new root.
//          right ray
//
// Rays are given by places, as a rule vertices, that they pass through, never by where they cross
// an edge: every test of sides is one of given coordinates, and no error adds up along a path.

#pragma once

#include "core/query/search/bound.h"

struct nav_cone {
    float root[2];
    double left[2], right[2]; // places on the rays; the root itself: the cone is open on that side,
                              // for the root stands on the portal
    double g;                 // from the search's start to the root
    uint32_t portal; // over which the cone passes; the polygon behind it is still to be seen
    uint32_t parent; // the cone before, or NAV_NONE
    uint32_t turning_vertex; // the root's number, or NAV_NONE: the search's start
    float key; // in the open list: no way through the cone to the goal is shorter; without
               // a goal: none to where it passes its portal
};

_Static_assert(sizeof(nav_cone) == 64, "a cone is a cache line");

// The shortest way to a pivot that is known so far.
struct nav_turning_mark {
    double g;       // INFINITY: none
    float from[2];  // where its last leg begins
    uint32_t stamp; // of the search that wrote it
    float left;     // no way from here to the search's goal is shorter
};

// One search.
typedef struct nav_cones {
    const nav_view *view;
    nav_cone_pool *pool;
    uint32_t count;      // of cones in the pool
    uint32_t heap_count; // of those, open
    uint32_t goal;       // no cones where the way to this polygon does not lead; NAV_NONE: anywhere
    uint32_t goal_preorder;    // its number in nav_mesh.visits
    uint32_t home;             // the polygon that the search starts in
    uint32_t arc_base;         // pivots: way i's end is number arc_base + i,
    const uint32_t *arc_homes; // in polygon arc_homes[i * arc_stride]; the caller's
    uint32_t arc_stride;
    uint32_t steps_through, tolerance_ends; // cones.c
    uint32_t places;        // that everything is seen from: the start, and where ways have landed
    const float *aim;       // the goal's place; NULL: there is none, the nearest cone is first
    const nav_bound *bound; // of ways to it; NULL: nothing is known
    double ratio;           // no way to it costs less than this times its length
    double limit;           // cones whose key is not below it are left out; INFINITY: none is
    double least;           // no cone out of the one at hand has a lower key
    bool open;              // nothing is closed
    bool refused;           // a fold was met that is not followed; the caller clears it
} nav_cones;

// Takes a new stamp and makes room for `extra` numbers beyond those of pivots. False: no memory.
bool nav_cones_begin(nav_cones *c, const nav_view *view, nav_cone_pool *pool, uint32_t extra);

#define NAV_CONES_A_PORTAL 3u // at most: what is seen, and turns on both sides

// Appends all cones out of `polygon`, which has been entered over `cone`, to the pool: those that
// can still be part of a shortest path. The pool may move where it has no room for
// NAV_CONES_A_PORTAL cones a portal of the polygon: the cone then is not to be in it. Where
// everything is seen from the root, as from the start or the end of a way, cone->left and
// cone->right are the root and cone->portal is no edge's. Their parent is `parent`. False: no
// memory; the pool is as before.
bool nav_cones_expand(nav_cones *c, const nav_cone *cone, uint32_t polygon, uint32_t parent);

// Room for `more` cones behind the search's. False: no memory.
bool nav_cones_make_room(nav_cones *c, uint32_t more);

// Appends a cone that sees all of the polygon it is in: root, g, portal (no edge's), parent and
// pivot are the caller's. False: no memory.
bool nav_cones_add_root(nav_cones *c, const nav_cone *root);

// How many ways begin in a polygon.
static inline uint32_t nav_cones_count_arcs(const nav_mesh *mesh, uint32_t polygon)
{
    return mesh->arc_count > 0 ? mesh->arc_first[polygon + 1] - mesh->arc_first[polygon] : 0;
}

// Appends a cone for each way that begins in the polygon, entered over `cone`, and lands sooner
// than any before. False: no memory.
bool nav_cones_take_arcs(nav_cones *c, const nav_cone *cone, uint32_t polygon, uint32_t parent);

// Ways whose lengths differ by less than this part are equally long: they differ by rounding only.
#define NAV_SAME_PART 1e-11

// Whether a shorter way to the cone's root has been found meanwhile.
static inline bool nav_cone_is_stale(const nav_cones *c, const nav_cone *cone)
{
    return cone->turning_vertex != NAV_NONE &&
           c->pool->marks[cone->turning_vertex].g < cone->g * (1.0 - NAV_SAME_PART);
}

// Notes a way to pivot `number`, which is no end of a portal. False where one as short is known.
bool nav_cones_note(nav_cones *c, uint32_t number, double g);
// The same where it lands there by another way than straight over ground: a place that everything
// is seen from.
bool nav_cones_land(nav_cones *c, uint32_t number, double g);

// How far it is from the root, through the cone's portal, to a place. Exact for a place in the
// polygon behind the portal, else a lower bound.
double nav_cone_distance(const nav_cones *c, const nav_cone *cone, const float place[2]);

// Where on the portal the way to a place in the polygon behind it bends, in x and z. False:
// nowhere.
bool nav_cone_bend(const nav_cones *c, const nav_cone *cone, const float place[2], double bend[2]);

// How far it is from the root to the nearest place where the cone passes its portal.
double nav_cone_nearest(const nav_cones *c, const nav_cone *cone);

// The open list, by nav_cone.key.
void nav_cones_push(nav_cones *c, uint32_t cone);
uint32_t nav_cones_pop(nav_cones *c);
