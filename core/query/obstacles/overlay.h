// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// overlay.h: ground with shapes to avoid cut out of it or dearer, as one question sees it, or all
// questions to one state of a world. Private to core/.
//
//        +-----------+            +--+----+---+
//        |    ___    |            |  |____|   |   The polygons that a shape touches are cut into
//        |   |   |   |    -->     |  |    |   |   fragments: polygons of their own, with numbers
//        |   |___|   |            |  |____|   |   behind those of the mesh. Polygons next to them
//        |           |            |  |    |   |   keep their numbers and get other portals.
//        +-----------+            +--+----+---+
//
// Nothing of the mesh is touched: fragments, portals and vertices stand in arrays of the overlay,
// numbered behind those of the mesh. Shapes that share ground are a group. Each group is cut by
// itself, once, and a question says which groups it sees.

#pragma once

#include "core/base/sets.h"
#include "core/base/tolerances.h"
#include "core/mesh/types.h"
#include "core/query/added_links.h"

#include <math.h>
#include <stdatomic.h>

// The most memory that the fragments of one question may take.
#define NAV_OVERLAY_BYTES_MAX ((size_t)64 << 20)

// The source of memory, and the work that is left (NAV_AVOID_WORK_MAX). Once it has failed, nothing
// more is taken from it.
typedef struct nav_overlay_budget {
    nav_arena *kept;  // of overlays
    nav_arena *arena; // of what is needed while a group is cut, or groups are found
    uint64_t work;
    bool failed;        // no memory, or no work left
    bool refused;       // a limit was met: there is too much to cut
    nav_cancel *cancel; // the question's; NULL: nothing ends it
} nav_overlay_budget;

// Takes an amount of work.
static inline void nav_overlay_spend(nav_overlay_budget *budget, uint64_t work)
{
    if (work > budget->work) {
        budget->work = 0;
        budget->refused = budget->failed = true;
    } else {
        budget->work -= work;
    }
    if (budget->cancel != NULL && nav_cancel_poll(budget->cancel, work * NAV_STEP_FAR)) {
        budget->failed = true;
    }
}
// Room for so many elements in an arena; NULL and failed where there is none.
void *nav_overlay_alloc_from(nav_overlay_budget *budget, nav_arena *arena, size_t count,
                             size_t size_bytes);

static inline void *nav_overlay_alloc(nav_overlay_budget *budget, size_t count, size_t size_bytes)
{
    return nav_overlay_alloc_from(budget, budget->arena, count, size_bytes);
}

static inline void *nav_overlay_keep(nav_overlay_budget *budget, size_t count, size_t size_bytes)
{
    return nav_overlay_alloc_from(budget, budget->kept, count, size_bytes);
}

// Gives an array that is full (count is *capacity) more room. Returns the old array, and *capacity
// stays, where there is none.
void *nav_overlay_enlarge(nav_overlay_budget *budget, void *array, uint32_t count,
                          uint32_t *capacity, size_t size_bytes);

// Makes room for one element more; the array as it was where there is none.
static inline void *nav_overlay_grow(nav_overlay_budget *budget, void *array, uint32_t count,
                                     uint32_t *capacity, size_t size_bytes)
{
    return count < *capacity || budget->failed
               ? array
               : nav_overlay_enlarge(budget, array, count, capacity, size_bytes);
}

// A convex outline in plan view, its corners in the order x -> z, and what it does to the ground.
typedef struct nav_outline {
    double (*points)[2];
    uint32_t count;
    double min[2], max[2];
    float bottom, top;
    float cost;  // factor; INFINITY: blocked
    bool leaves; // it blocks, but the way begins in it
} nav_outline;

// outlines.c: a shape as an outline; one that blocks grows by radius, corners rounded so that no
// position outside is nearer than that. False where the budget has failed.
bool nav_outline_create(const nav_avoid *shape, double radius, nav_overlay_budget *budget,
                        nav_outline *out);

// How far an outline reaches in plan view.
void nav_outline_bounds(const nav_avoid *shape, double radius, double min[2], double max[2]);

// The lines that polygons are bounded and cut by, numbered as they come: edges of two convex parts
// lie along each other only where both lie along one line. Lines that nothing lies between but
// ground too thin to be any are one (core/base/sets.h).
typedef struct nav_line_list {
    uint32_t *leaders;
    uint32_t count, capacity;
} nav_line_list;

static inline void nav_lines_unite(nav_line_list *list, const uint32_t *lines, uint32_t count)
{
    for (uint32_t i = 1; i < count; ++i) {
        nav_sets_unite(list->leaders, lines[0], lines[i]);
    }
}

// What shapes make of the cost of ground. Those that the way begins in count once.
typedef struct nav_ground_cost {
    float factor; // from NAV_AVOID_COST_MIN to NAV_AVOID_COST_MAX
    bool leaves;  // it is in one of those
} nav_ground_cost;

// Ground that outlines have left: a convex polygon in plan view, counter-clockwise from above.
typedef struct nav_convex {
    double (*corners)[2];
    uint32_t *lines; // of its edges, each from a corner to the next
    uint32_t count;  // 3 to NAV_POLYGON_VERTICES_MAX
    uint32_t base;   // the polygon of the mesh that it is a part of
    uint32_t number; // in the order in which convex parts are made
    nav_ground_cost cost;
    bool thin; // a stretch of a polygon without area, all of it along its first edge
    double min[2], max[2];
} nav_convex;

// Bounds in plan view.
void nav_convex_measure(nav_convex *convex);

typedef struct nav_polygon_list {
    uint32_t *polygons; // rising
    uint32_t count, capacity;
} nav_polygon_list;

// The cost of ground that lies in one more outline: open ground stays open, however dear.
static inline nav_ground_cost nav_overlay_multiply(nav_ground_cost cost, const nav_outline *outline)
{
    if (cost.leaves && outline->leaves) {
        return cost;
    }
    const double product = (double)cost.factor * (double)outline->cost;
    return (nav_ground_cost){.factor = product < NAV_AVOID_COST_MIN   ? (float)NAV_AVOID_COST_MIN
                                       : product > NAV_AVOID_COST_MAX ? (float)NAV_AVOID_COST_MAX
                                                                      : (float)product,
                             .leaves = cost.leaves || outline->leaves};
}

// outlines.c: appends a polygon; the list stays as it is where the budget has failed. Begin with a
// list of zeros.
void nav_polygon_list_add(nav_polygon_list *list, uint32_t polygon, nav_overlay_budget *budget);
// Brings a list in order, each polygon once.
void nav_polygon_list_sort(nav_polygon_list *list);
// Whether a polygon is in a list that is in order.
bool nav_polygon_list_has(const nav_polygon_list *list, uint32_t polygon);

// An outline that touches a polygon.
typedef struct nav_touch {
    uint32_t polygon, outline;
} nav_touch;

typedef struct nav_touch_list {
    nav_touch *touches;
    uint32_t count, capacity;
} nav_touch_list;

// outlines.c: all of them, by polygon, then by outline. Short where the budget has failed.
nav_touch_list nav_touches_list(const nav_mesh *mesh, const nav_outline *outlines, uint32_t count,
                                nav_overlay_budget *budget);

typedef struct nav_convex_list {
    nav_convex *convexes;
    uint32_t count, capacity;
} nav_convex_list;

// thin.c: what outlines leave of a polygon without area: appends its stretches to `out`, not
// numbered. False where none of them meets it: then nothing has been appended.
bool nav_ground_cut_thin(const nav_outline *outlines, const nav_touch *touches,
                         uint32_t touch_count, const nav_convex *whole, nav_overlay_budget *budget,
                         nav_convex_list *out);

typedef struct nav_cut_ground {
    nav_convex *convexes; // in order of base, and of min[0]
    uint32_t count;
    nav_polygon_list cut; // polygons that convex parts are parts of, or of which nothing is left
    uint32_t *borders;    // by polygon in `cut`: the line of its first edge; the others follow
    nav_line_list lines;
    nav_polygon_list turning_vertices; // of the mesh: at the ends of portals of what is cut; rising
} nav_cut_ground;

// cut.c: cuts what outlines touch. False where the budget has failed.
bool nav_ground_cut(const nav_mesh *mesh, const nav_outline *outlines, uint32_t count,
                    nav_overlay_budget *budget, nav_cut_ground *out);

// A polygon of the overlay: a fragment of one of the mesh, or, with other portals, all of it.
typedef struct nav_fragment {
    uint32_t base;          // polygon of the mesh
    uint32_t number;        // its own
    uint32_t group;         // that has cut it
    uint32_t sibling_count; // of a base's first fragment: how many it has
    uint32_t corner_first, portal_first;
    uint32_t portal_count;
    uint8_t corner_count;
    bool cut;             // a fragment, not all of it
    float cost;           // factor
    float min[2], max[2]; // bounds in plan view, of what is cut, rounded outwards
    float far;            // the largest max[0] up to here of the same base
} nav_fragment;

_Static_assert(sizeof(nav_fragment) == 56, "a state has some 20 of them for each shape");

// A corner of a fragment, or an end of a portal.
typedef struct nav_overlay_vertex {
    float at[3];   // its height is NAV_HEIGHT_UNKNOWN as long as nobody has asked for it
    uint32_t base; // the polygon of the mesh that it is on
} nav_overlay_vertex;

#define NAV_HEIGHT_UNKNOWN NAN
#define NAV_ARC_END_UNKNOWN (NAV_NONE - 1)

// A shape, and the outline that it cuts by.
typedef struct nav_obstacle {
    nav_avoid shape;
    nav_outline outline; // without points until somebody asks for it
    uint32_t number;     // in the caller's list; behind those of a state for a question's own
    uint32_t before;     // its place in the overlay that this one follows; NAV_NONE: it is new
    uint32_t group;
} nav_obstacle;

// Numbers of things of an overlay.
typedef struct nav_overlay_extent {
    uint32_t fragments, polygons, corners, vertices, portals;
} nav_overlay_extent;

// The numbers behind those that `to` ends with, once what is between two extents is laid there.
static inline nav_overlay_extent nav_overlay_extent_behind(const nav_overlay_extent *to,
                                                           const nav_overlay_extent *first,
                                                           const nav_overlay_extent *end)
{
    return (nav_overlay_extent){.fragments = to->fragments + end->fragments - first->fragments,
                                .polygons = to->polygons + end->polygons - first->polygons,
                                .corners = to->corners + end->corners - first->corners,
                                .vertices = to->vertices + end->vertices - first->vertices,
                                .portals = to->portals + end->portals - first->portals};
}

// The changes that shapes make to what a step costs.
typedef struct nav_overlay_costs {
    float least;                 // of the factors, at most 1
    float most;                  // the same, at least 1
    bool has_prices;             // some factor is not 1
    bool has_non_manifold_edges; // a new portal has NAV_TURNING_NON_MANIFOLD
    bool has_switches;           // some of the ground lies under switches
} nav_overlay_costs;

#define NAV_OVERLAY_COSTS_NONE ((nav_overlay_costs){.least = 1.0f, .most = 1.0f})

// Shapes that share ground: those of two groups touch no polygon that has a corner in common. Thus
// each group's fragments are what they would be without the other.
typedef struct nav_overlay_group {
    uint32_t member_first, member_count; // in members
    uint32_t ground_first, ground_count; // in ground
    uint32_t before;               // the group of another overlay that it is; NAV_NONE: a new one
    bool is_cut;                   // its fragments are in the overlay
    bool changes;                  // some polygon is cut
    nav_overlay_extent first, end; // of what is its own, where it is cut
    nav_overlay_costs costs;
} nav_overlay_group;

// What the first question that needs it finds out about a state, in a block that begins like this.
// It is kept for all others, and never changes.
typedef struct nav_kept {
    size_t size_bytes;
} nav_kept;

// ../view.c: what ground and links of a state cost under one filter.
typedef struct nav_kept_costs nav_kept_costs;
// parts.c: which ground of a state hangs together without its shapes, and with them.
typedef struct nav_state_labels nav_state_labels;
typedef struct nav_state_parts nav_state_parts;

// Costs are kept for so many filters. Questions under others make them anew.
#define NAV_KEPT_COSTS_MAX 4

// All that is kept; NULL: nobody has needed it yet.
typedef struct nav_overlay_cell {
    nav_allocator allocator;
    _Atomic(nav_kept *) labels;
    _Atomic(nav_kept *) parts;
    _Atomic(nav_kept *) costs[NAV_KEPT_COSTS_MAX]; // by filter; the free ones are the last
} nav_overlay_cell;

static inline nav_kept *nav_kept_at(const _Atomic(nav_kept *) *place)
{
    return atomic_load_explicit(place, memory_order_acquire);
}

// Keeps what has been made in a place that was free. The result is what is kept there: `made`, or
// what another thread has put there before; `made` is then the caller's as before.
static inline nav_kept *nav_kept_put(_Atomic(nav_kept *) *place, nav_kept *made)
{
    nav_kept *before = NULL;
    return atomic_compare_exchange_strong_explicit(place, &before, made, memory_order_acq_rel,
                                                   memory_order_acquire)
               ? made
               : before;
}

static inline void nav_kept_free(const nav_overlay_cell *cell, nav_kept *kept)
{
    if (kept != NULL) {
        cell->allocator.free(cell->allocator.user, kept, kept->size_bytes);
    }
}

// The slot of a hash table of 2^n slots, which mask covers, from which on a number is looked for.
static inline uint32_t nav_overlay_slot(uint32_t number, uint32_t mask)
{
    return (number * 2654435761u) & mask;
}

// The part of a polygon or a fragment: those of one part hang together. 0: it is closed.
uint32_t nav_state_part_at(const nav_state_parts *parts, uint32_t polygon);

// Numbers behind those of the mesh are given as they are found in it: polygons behind
// stats.polygons, portals behind portal_count, vertices behind stats.vertices.
struct nav_overlay {
    const nav_mesh *mesh;
    // The shapes, in an order that depends on nothing but themselves, and their groups.
    nav_obstacle *obstacles;
    uint32_t obstacle_count;
    nav_overlay_group *groups; // NULL: not known yet
    uint32_t group_count;
    uint32_t *members; // obstacles by group, rising
    uint32_t *ground;  // polygons of the mesh by group, rising: what its shapes touch, and what is
                       // around the corners of that
    // Fragments and what they consist of, one group behind the other.
    nav_overlay_extent count, room;
    nav_fragment *fragments;      // of a group: by base, then by min[0]
    uint32_t *cut_fragments;      // by number - polygons of the mesh: position in fragments
    uint32_t *corners;            // vertices
    nav_overlay_vertex *vertices; // numbered behind the mesh's
    nav_portal *portals;          // numbered behind the mesh's
    // By portal, as of the mesh's (portal_turning_vertices). Around what is cut they have numbers
    // behind the mesh's, which hold where nothing but shapes closes ground.
    uint32_t (*turning_vertices)[2];
    // Polygons of the mesh with fragments: a hash table of their first fragments.
    uint32_t *table;
    uint32_t table_mask, table_count;
    // Of an overlay of many questions.
    nav_added_links links;
    const uint8_t *switches; // nav_overlay_parts.switches
    // As the question sees it; an overlay of many questions has none of these.
    bool *is_seen;       // by group; NULL: all
    bool sees_any;       // a group that changes anything
    uint32_t seen_count; // groups
    nav_overlay_costs costs;
    // By off-mesh arc: the polygons in which it begins and ends; NAV_NONE where that is cut out,
    // NAV_ARC_END_UNKNOWN until it is looked up.
    uint32_t (*arc_ends)[2];
    // Of an overlay of many questions, and of one question's look at it.
    nav_overlay_cell *cell;
    // Of an overlay of many questions, which is one block with all its arrays.
    nav_overlay_cell own_cell;
    nav_mesh *held; // acquired
    nav_allocator allocator;
    size_t size_bytes;
    atomic_uint references;
};

// A position in plan view where corners of fragments and ends of portals meet: all of them have its
// floats.
typedef struct nav_place {
    float at[2];
    uint32_t next;         // place in the same slot
    uint32_t vertex, base; // the last one here, and a polygon of the mesh that it is on; NAV_NONE
} nav_place;

// All places, in a hash table over a grid.
typedef struct nav_places {
    nav_overlay_budget *budget;
    nav_place *list;
    uint32_t count, capacity;
    uint32_t *heads; // by slot: the first place
    uint32_t mask;
    double per_cell;          // cells a world unit
    uint32_t vertex_capacity; // of the overlay
} nav_places;

// overlay.c: the place of a vertex of the mesh, which is no other vertex's. 0 where the budget has
// failed.
uint32_t nav_place_of_vertex(nav_places *places, const float at[2]);

// Fragments as they are laid, for join.c.
typedef struct nav_laid_ground {
    nav_cut_ground *cut;
    nav_places *places;
    nav_convex *convexes;    // by fragment; those that are not cut have none
    uint32_t *corner_places; // by corner of the overlay
    uint32_t *borders;       // by fragment: of the first one of what is cut, that of nav_cut_ground
} nav_laid_ground;

// overlay.c: a new vertex in a place, on a polygon of the mesh. 0 where the budget has failed.
uint32_t nav_overlay_add_vertex(nav_overlay *overlay, nav_places *places, uint32_t place,
                                uint32_t base);

// A vertex in a place, on one of two polygons of the mesh. 0 where the budget has failed.
static inline uint32_t nav_overlay_vertex_of(nav_overlay *overlay, nav_places *places,
                                             uint32_t place, uint32_t base, uint32_t other)
{
    const nav_place *at = &places->list[place];
    return at->vertex != NAV_NONE && (at->base == base || at->base == other)
               ? at->vertex
               : nav_overlay_add_vertex(overlay, places, place, base);
}

// join.c: lays the portals between fragments. False where the budget has failed.
bool nav_fragments_join(nav_overlay *overlay, const nav_laid_ground *laid);

// overlay.c: the fragments of one group, by themselves: an overlay without shapes, in memory that
// does not last. Ground is the group's, rising. False where the budget has failed.
bool nav_overlay_cut(const nav_mesh *mesh, const nav_outline *outlines, uint32_t count,
                     const uint32_t *ground, uint32_t ground_count, nav_overlay_budget *budget,
                     nav_overlay *out);

// turning_vertices.c: numbers the turning vertices of what overlay.c has cut. False where the
// budget has failed.
bool nav_overlay_number_turns(nav_overlay *overlay, nav_overlay_budget *budget);

// shapes.c: begins an overlay with shapes: those of `last` (NULL: none), unless it is only to be
// followed, and so many others. Outlines that `last` knows are taken from there. False where the
// budget has failed.
bool nav_overlay_take_shapes(nav_overlay *overlay, const nav_mesh *mesh, const nav_overlay *last,
                             bool follow, const nav_avoid *shapes, uint32_t count,
                             nav_overlay_budget *budget);
// shapes.c: the outline of an obstacle, which is made where nobody has asked for it yet. NULL: the
// budget has failed.
const nav_outline *nav_overlay_outline(nav_overlay *overlay, uint32_t obstacle,
                                       nav_overlay_budget *budget);

// ends.c: whether a shape, whose outline is known, blocks the ground of a position on a polygon of
// the mesh; and whether any of an overlay does.
bool nav_obstacle_blocks(const nav_mesh *mesh, const nav_obstacle *obstacle,
                         const nav_location *at);
bool nav_overlay_blocks(const nav_overlay *overlay, const nav_location *at);
// ends.c: a hash of the obstacles that do so: where they are the same, so is the hash.
uint64_t nav_overlay_blockers_hash(const nav_overlay *overlay, const nav_location *at);
// ends.c: whether the same obstacles block the ground of two positions.
bool nav_overlay_blocks_alike(const nav_overlay *overlay, const nav_location *a,
                              const nav_location *b);
// ends.c: shapes that do so become dear instead, before their groups are found. False where the
// budget has failed.
bool nav_overlay_open_around(nav_overlay *overlay, const nav_location *at,
                             nav_overlay_budget *budget);

// groups.c: finds the groups of an overlay's shapes. Those that `last` (NULL: nothing) has, and
// nothing new has come near to, stay, and come first. False where the budget has failed.
bool nav_overlay_find_groups(nav_overlay *overlay, const nav_overlay *last,
                             nav_overlay_budget *budget);

// compose.c: lays the fragments of `from` between two extents, a group of it or all, behind those
// of an overlay, as a group's. False where the budget has failed.
bool nav_overlay_append(nav_overlay *overlay, const nav_overlay *from,
                        const nav_overlay_extent *first, const nav_overlay_extent *end,
                        uint32_t group, nav_overlay_budget *budget);
// compose.c: lays what `last` has cut of the groups that stay. False where the budget has failed.
bool nav_overlay_take_groups(nav_overlay *overlay, const nav_overlay *last,
                             nav_overlay_budget *budget);
// compose.c: cuts a group, where that has not been done. False where the budget has failed.
bool nav_overlay_cut_group(nav_overlay *overlay, uint32_t group, nav_overlay_budget *budget);

// find.c: the first fragment of a polygon of the mesh, or NULL where it is as it was, as far as the
// question sees. The others follow it.
const nav_fragment *nav_overlay_find(const nav_overlay *overlay, uint32_t polygon);
// find.c: puts the fragments from `first` on into the table, which is the arena's. False where the
// budget has failed.
bool nav_overlay_list_fragments(nav_overlay *overlay, uint32_t first, nav_arena *arena,
                                nav_overlay_budget *budget);

static inline bool nav_overlay_is_cut(const nav_overlay *overlay, uint32_t polygon)
{
    const nav_fragment *fragment = nav_overlay_find(overlay, polygon);
    return fragment != NULL && fragment->cut;
}

// Fragments of one polygon of the mesh that may have to do with a stretch of x: from `first` to
// before `end` in fragments.
typedef struct nav_fragment_range {
    uint32_t first, end;
} nav_fragment_range;

// find.c: `first` is the polygon's first fragment.
nav_fragment_range nav_overlay_range(const nav_overlay *overlay, uint32_t first, double min_x,
                                     double max_x);

// Rounding to floats moves a corner by no more than this.
static inline double nav_overlay_tolerance(double x, double z)
{
    return NAV_FRAGMENT_TOLERANCE + NAV_FRAGMENT_TOLERANCE_PART * (fabs(x) + fabs(z));
}

// outlines.c: a walk over the polygons of a mesh that an outline touches: those that it meets in
// plan view, and that have ground inside of it at a height where its shape stands. All that such a
// polygon has inside is taken then, so that a larger shape takes no less.
typedef struct nav_touch_walk {
    nav_box_walk boxes;
    const nav_outline *outline;
    nav_overlay_budget *budget;
} nav_touch_walk;

nav_touch_walk nav_touch_walk_begin(const nav_mesh *mesh, const nav_outline *outline,
                                    nav_overlay_budget *budget);
// The next polygon; NAV_NONE, also where the budget has failed.
uint32_t nav_touch_walk_next(nav_touch_walk *walk);

// find.c: the fragment of a polygon of the mesh that a position lies in, or NULL where it is cut
// out.
const nav_fragment *nav_overlay_fragment_at(const nav_overlay *overlay, uint32_t polygon, float x,
                                            float z);
