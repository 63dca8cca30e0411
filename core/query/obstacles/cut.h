// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// cut.h: how outlines of shapes are cut out of the polygons that they touch, and the fragments that
// are left become an overlay (view/overlay.h). Private to core/.

#pragma once

#include "core/base/cancel.h"
#include "core/base/plane.h"
#include "core/base/sets.h"
#include "core/query/view/view.h"

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

// The cost of ground under shapes. Shapes that the path begins in count once.
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
static inline void nav_convex_measure(nav_convex *convex)
{
    nav_plane_bounds((const double(*)[2])convex->corners, convex->count, convex->min, convex->max);
}

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

// budget.c: appends a polygon; the list stays as it is where the budget has failed. Begin with a
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

// The numbers behind those that `to` ends with, once what is between two extents is placed there.
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

// places.c: begins with the vertices of polygons that are cut: corners of fragments move to them.
// The vertex is the mesh's where a fragment has a corner of its polygon. False where the budget has
// failed.
bool nav_places_fill(nav_places *places, const nav_mesh *mesh, const nav_cut_ground *ground);
// The place of a vertex of the mesh, which is no other vertex's. 0 where the budget has failed.
uint32_t nav_place_of_vertex(nav_places *places, const float at[2]);
// The place of any other position. 0 where the budget has failed.
uint32_t nav_place_at(nav_places *places, double x, double z);

// Fragments as they are placed, for join.c.
typedef struct nav_placed_ground {
    nav_cut_ground *cut;
    nav_places *places;
    nav_convex *convexes;    // by fragment; those that are not cut have none
    uint32_t *corner_places; // by corner of the overlay
    uint32_t *borders;       // by fragment: of the first one of what is cut, that of nav_cut_ground
} nav_placed_ground;

// places.c: a new vertex in a place, on a polygon of the mesh. 0 where the budget has failed.
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
bool nav_fragments_join(nav_overlay *overlay, const nav_placed_ground *placed);

// overlay.c: the fragments of one group, by themselves: an overlay without shapes, in memory that
// does not last. Ground is the group's, rising. False where the budget has failed.
bool nav_overlay_cut(const nav_mesh *mesh, const nav_outline *outlines, uint32_t count,
                     const uint32_t *ground, uint32_t ground_count, nav_overlay_budget *budget,
                     nav_overlay *out);

// overlay.c: puts the fragments from `first` on into the table, which is the arena's. False where
// the budget has failed.
bool nav_overlay_list_fragments(nav_overlay *overlay, uint32_t first, nav_arena *arena,
                                nav_overlay_budget *budget);

// turning_vertices.c: the number of the ground around an end of a portal that hangs
// together, if some ground is closed.
uint32_t nav_turning_on_foot(const nav_view *view, uint32_t portal, int right);

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

// shapes.c: whether a shape, whose outline is known, blocks the ground of a position on a polygon
// of the mesh; and whether any of an overlay does.
bool nav_obstacle_blocks(const nav_mesh *mesh, const nav_obstacle *obstacle,
                         const nav_location *at);
bool nav_overlay_blocks(const nav_overlay *overlay, const nav_location *at);
// shapes.c: whether the same obstacles block the ground of two positions.
bool nav_overlay_blocks_alike(const nav_overlay *overlay, const nav_location *a,
                              const nav_location *b);
// shapes.c: shapes that do so become dear instead, before their groups are found. False where the
// budget has failed.
bool nav_overlay_open_around(nav_overlay *overlay, const nav_location *at,
                             nav_overlay_budget *budget);

// groups.c: finds the groups of an overlay's shapes. Groups that `last` (NULL: nothing) has, and
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
