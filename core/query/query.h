// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// query.h: what the queries share: the scratch, the corridor, and the entries of the engines. See
// README.md for the files in reading order. Private to core/.

#pragma once

#include "core/query/search/open_list.h"
#include "core/query/view.h"

#include <math.h>

// A portal as the search sees it: the best way to it so far. 32 bytes, two to a cache line. The
// root is the last bend of that way, or stands on the portal itself.
typedef struct nav_search_node {
    float x, z; // the root
    float g;    // cost from the start to the root
    float f;    // what a way to the goal over here costs, as far as can be told: the key
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

// A position where the ground's cost changes, or where a link begins (query/search/string.c).
typedef struct nav_string_stop {
    uint32_t at;                    // in the corridor
    float cost_before, cost_behind; // of a step
} nav_string_stop;

typedef struct nav_polyanya_node nav_polyanya_node;
typedef struct nav_turning_mark nav_turning_mark;
typedef struct nav_polyanya_pass nav_polyanya_pass;

// The memory of searches by Polyanya, one after the other (search/polyanya/polyanya.h); it grows
// with the question, not with the mesh. Zeroed but for the allocator: holds nothing yet.
typedef struct nav_polyanya_scratch {
    nav_allocator allocator;
    nav_polyanya_node *nodes;
    nav_open_entry *open; // as many as nodes
    uint32_t capacity;
    nav_turning_mark *marks;
    nav_polyanya_pass *passes; // of shapes' portals
    uint32_t mark_capacity, pass_capacity;
    uint32_t stamp;
} nav_polyanya_scratch;

void nav_polyanya_scratch_free(nav_polyanya_scratch *scratch);

// The memory of one-to-all searches by labels (search/one_to_all.h). Zeroed: holds nothing yet.
typedef struct nav_all_labels_node nav_all_labels_node;
typedef struct nav_all_labels_scratch {
    void *block;
    size_t block_bytes;
    uint32_t portals, polygons; // for so many there is room
    uint32_t stamp;             // of the last search
    nav_all_labels_node *nodes; // by portal
    uint32_t (*firsts)[2];      // by polygon: the stamp, and its first entrance
    struct nav_heap_item *heap; // 2 * portals
} nav_all_labels_scratch;

void nav_all_labels_scratch_free(nav_all_labels_scratch *scratch, const nav_allocator *allocator);

// The memory of searches over Steiner points (search/steiner/steiner.h). Zeroed: holds nothing yet.
typedef struct nav_steiner_scratch {
    void *block;
    size_t block_bytes;
    uint32_t portals;                 // for so many there is room
    uint32_t stamp;                   // of the last search
    struct nav_steiner_range *ranges; // by portal
    struct nav_walk_point *walk;      // portals
    struct nav_walk_choice *choices;  // the same
    uint32_t *kept;                   // the same: a corridor that another is tried instead of
    float (*kept_crossings)[2];
    // These grow with the question, in a block of their own.
    void *node_block;
    size_t node_block_bytes;
    struct nav_steiner_node *nodes;
    nav_open_entry *open;
    uint32_t node_count, node_capacity;
} nav_steiner_scratch;

void nav_steiner_scratch_free(nav_steiner_scratch *scratch, const nav_allocator *allocator);

// The memory of a search by labels to one goal (search/labels/labels.h). Nodes are indexed by
// portal. They are not cleared between searches: each takes the next even stamp of the scratch.
typedef struct nav_labels_scratch {
    nav_search_node *nodes;       // portal_capacity
    nav_search_polygon *polygons; // polygon_capacity
    nav_open_entry *open;         // NAV_LABELS_OPEN_ROOM(portal_capacity)
    uint32_t *trail;              // portal_capacity: portals in the order of their expansion
} nav_labels_scratch;

// One entry a node and the goal, and as many that have been replaced.
#define NAV_LABELS_OPEN_ROOM(portals) (2 * (size_t)(portals) + 16)

// The memory of pulling a string (search/string.c).
typedef struct nav_string_scratch {
    nav_string_stop *stops; // portal_capacity
    struct nav_side *sides; // portal_capacity / 2
} nav_string_scratch;

// The portals that a path leads through, and its points. A path's details are read from it
// (steps.c). It lives until the next query of its scratch.
typedef struct nav_corridor {
    nav_view view;         // the mesh as the path's question saw it
    uint32_t *portals;     // capacity: from start to goal
    float (*crossings)[2]; // the same: where each is crossed, if the way stops there
    float (*points)[3];    // 2 * capacity + NAV_FUNNEL_POINTS_EXTRA: an off-mesh arc has two ends
    uint32_t capacity;
    uint32_t first_polygon; // of the view: the path begins there; its position may not tell, for it
                            // may lie beside it as far as rounding goes
    void *block;            // holds the arrays
    size_t block_bytes;
} nav_corridor;

// The memory of leading a path away from walls (clearance/clearance.h); it grows with the path.
typedef struct nav_clear_node nav_clear_node;
typedef struct nav_clearance_scratch {
    nav_clear_node *nodes;
    uint32_t capacity;
    nav_corridor spare; // the path's new one, which then changes places with the other
} nav_clearance_scratch;

// The memory of floods over polygons, in one block, by polygon.
typedef struct nav_flood_scratch {
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
    void *block;
    size_t block_bytes;
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
    void *list; // nav_scratch_list
    size_t list_bytes;
    // The question.
    nav_costs costs;    // of its filter and its switches
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
bool nav_scratch_make_path_room(nav_scratch *scratch, uint32_t portals);
// Room in nav_scratch.clearance for so many nodes; in its spare corridor for a path over them, as
// long as any other path may be. False when there is no memory.
bool nav_scratch_make_node_room(nav_scratch *scratch, uint32_t nodes);
bool nav_scratch_make_spare_room(nav_scratch *scratch, uint32_t nodes);
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

// Pulls a string from start to end through the portals of a corridor. points has room for count +
// NAV_FUNNEL_POINTS_EXTRA; returns how many were written, at least 1.
uint32_t nav_funnel_pull(const nav_view *view, const float start[3], const float end[3],
                         const uint32_t *corridor, uint32_t count, float (*points)[3]);

// The end of a search by labels. The corridor is in the scratch.
typedef struct nav_search_result {
    bool reached; // the target; else the corridor leads to the spot closest to it that was seen
    bool out_of_budget, cancelled;
    bool pruned;    // by the request's limits
    uint32_t count; // of portals in the corridor
    uint32_t end_polygon;
    uint32_t expanded;
    double bound; // no way to the target costs less, as far as landmarks and the limits know
} nav_search_result;

// search/labels/one_goal.c: from start to target, which must not be closed. Takes limits from the
// request.
nav_search_result nav_search_run(const nav_view *view, nav_scratch *scratch,
                                 const nav_path_request *request, const nav_location *start,
                                 const nav_location *target);

// search/string.c: the position on an edge, from 0 at its left end to 1 at its right, over which a
// way a -> edge -> b is cheapest, if a step costs cost_a before the edge and cost_b behind it.
float nav_crossing_refracted(const nav_portal *portal, const float a[2], float cost_a,
                             const float b[2], float cost_b);

// search/string.c: from the first `count` portals of the scratch's corridor, whose crossings the
// search has guessed, to path->points, length and cost. Moves the crossings, unless they are
// settled: the best ones already.
void nav_string_pull(const nav_view *view, nav_scratch *scratch, const float start[3],
                     const float end[3], uint32_t count, uint32_t end_polygon, bool settled,
                     nav_path *path);

// Both ends of a path's question on the mesh.
typedef struct nav_path_ends {
    nav_location start, end;
    // A shape has cut an end out. It lies on a polygon of the mesh then.
    bool start_in_shape, end_in_shape;
} nav_path_ends;

// Whether a path's question has a deadline that it is to be answered by.
static inline bool nav_path_is_hurried(const nav_path_request *request)
{
    return request->options.cancelled != NULL && !request->options.unhurried;
}

// path.c: snaps both ends. False, with path->reason, where one has no position. *path has no points
// yet, and the ends of the request.
bool nav_path_snap(const nav_view *view, const nav_path_request *request, nav_path_ends *ends,
                   nav_path *path);
// path.c: steps 4 to 9, between positions on the mesh. path->lower_bound is what is known already
// of ways between them; 0: nothing. Errors: NAV_NO_MEMORY.
nav_status nav_path_find(const nav_view *view, nav_scratch *scratch,
                         const nav_path_request *request, const nav_path_ends *ends,
                         nav_path *path);
// path.c: whether a path is proven shortest, by its cost and lower_bound, which then is no more
// than the cost.
void nav_path_judge(nav_path *path);
// Makes it an answer without a path, for this reason.
void nav_path_leave_empty(nav_path *path, nav_path_reason reason);
// The same where shapes or a filter part its ends.
void nav_path_leave_blocked(const nav_view *view, nav_path *path);

// A position on a path: on the point, or between it and the next.
typedef struct nav_path_spot {
    uint32_t point;
    bool on_point;
} nav_path_spot;

// steps.c: the portals that a path crosses, one after the other. Zeroed but for the path: at its
// start.
typedef struct nav_path_walk {
    const nav_path *path;
    uint32_t crossed;   // portals so far
    uint32_t portal;    // the last of them, which is crossed at the spot,
    const nav_arc *arc; // or ends there; NULL: an edge
    nav_path_spot spot;
} nav_path_walk;

// False: there is none behind it.
bool nav_path_walk_next(nav_path_walk *walk);

// limits.c: no path that its question wants costs more than this, to the goal itself; INFINITY:
// nothing is known. Of a request whose limits are for the search to keep.
double nav_path_cost_limit(const nav_view *view, const nav_path_request *request);
// limits.c: whether a path to the goal, ended where its question lets it end, is within the limits.
bool nav_path_keeps_limits(const nav_path_request *request, const nav_path *path);
// limits.c: ends a path of the scratch where its question lets it end, or not go on.
void nav_path_shorten(nav_scratch *scratch, const nav_path_request *request, nav_path *path);

// Whether a path may cost, or be long, only so much.
static inline bool nav_path_is_limited(const nav_path_request *request)
{
    return request->max_cost > 0.0 || request->max_length > 0.0;
}

// Whether nothing ends a path's search before its time.
static inline bool nav_path_is_free(const nav_path_request *request)
{
    return request->max_nodes == 0 && !nav_path_is_hurried(request) &&
           !nav_path_is_limited(request);
}

// The cost from which on a search need not look any further; INFINITY for nearly all questions.
static inline double nav_path_search_limit(const nav_view *view, const nav_path_request *request)
{
    return nav_path_is_limited(request)
               ? nav_path_cost_limit(view, request) * (1.0 + NAV_PROOF_PART)
               : (double)INFINITY;
}

// ---- clearance ----

// clearance/lead.c: leads a path of the scratch away from walls, as far as it can, and fills in
// clearance_min. *moved: it is another path now. A deadline leaves it as it was. Errors:
// NAV_NO_MEMORY.
nav_status nav_path_clear(nav_scratch *scratch, double clearance, nav_path *path, bool *moved);
// clearance/points.c: fills in clearance_min of a path of the scratch; 0 where it has no points, or
// the question is cancelled before it is known. Errors: NAV_NO_MEMORY.
nav_status nav_path_measure(nav_scratch *scratch, double clearance, nav_path *path);

// The answer of the mesh without shapes, as far as it helps a question with shapes.
typedef struct nav_unobstructed {
    nav_path_ends ends;
    double bound;    // of ways between them; 0: nothing is known
    bool has_shapes; // the scratch's overlay has them, as for a question that repeats them
} nav_unobstructed;

// obstacles/lazy_cutting.c: the answer to a question with shapes to avoid, where that can be had
// without all of them being cut. False: it cannot, and *out is as it was; *unobstructed then says
// what has been found.
bool nav_lazy_cutting_find(const nav_mesh *mesh, nav_scratch *scratch,
                           const nav_path_request *request, nav_unobstructed *unobstructed,
                           nav_path *out);
// obstacles/lazy_cutting.c: the path over the mesh without shapes, and those of them that it meets,
// for nav_query_blockers. Errors: NAV_NO_MEMORY.
nav_status nav_path_find_without_shapes(const nav_mesh *mesh, nav_scratch *scratch,
                                        const nav_path_request *request, nav_path *out,
                                        nav_path_blockers *met);
// The bound where both ends are the same positions.
double nav_unobstructed_bound(const nav_unobstructed *unobstructed, const nav_path_ends *ends);

// search/polyanya/one_goal.c: makes a path that leads from start to target the shortest one,
// where all ground that is open costs the same. path holds any such path with its cost, and keeps
// it where none is shorter or the budget (what is left of request->max_nodes, its deadline,
// memory) ends first; none beyond the request's limits is looked for. Returns a lower bound on the
// cost of all paths from start to target: within one part in a million of path->cost where that is
// proven to be the least.
double nav_polyanya_improve(const nav_view *view, nav_scratch *scratch,
                            const nav_path_request *request, const nav_location *start,
                            const nav_location *target, nav_path *path);

// The same without a path to begin with, where nothing is closed but by shapes, and no budget is
// given. False: none has been found, and *path is undefined; *bound is INFINITY where nothing has
// been left out for the request's limits.
bool nav_polyanya_find(const nav_view *view, nav_scratch *scratch, const nav_path_request *request,
                       const nav_location *start, const nav_location *target, nav_path *path,
                       double *bound);

// search/steiner/improve.c: makes a path by labels from start to target cheaper, where ground has
// several costs, and its string taut. The path stays as it is where the budget (what is left of
// request->max_nodes, its deadline, memory) ends first, or where it is proven.
void nav_steiner_improve(const nav_view *view, nav_scratch *scratch,
                         const nav_path_request *request, const nav_location *start,
                         const nav_location *target, nav_path *path);

// search/polyanya/geodesic.c: floods of one mesh. begin takes its memory from the arena;
// cancel may be NULL. Errors: NAV_NO_MEMORY, NAV_CANCELLED.
typedef struct nav_geodesic nav_geodesic;
nav_status nav_geodesic_begin(const nav_mesh *mesh, nav_cancel *cancel, nav_arena *arena,
                              nav_geodesic **out);
// How far it is in plan view from one position to every vertex (of stats.vertices), and to both
// ends of every portal over an edge (left, right): exact over all ground at cost 1, links both ways
// at their plan length, or their own cost where that is less. INFINITY where no way leads. A vertex
// where grounds meet that do not hang together there has the least of their distances; its ends of
// portals have their own, so bounds for searches are to be made from those. Each output may be
// NULL. source is a position of the mesh. *has_gaps: edges are non-manifold, or too many polygons
// meet in a point; distances may then be too large, or INFINITY where a way leads. Errors:
// NAV_NO_MEMORY, NAV_CANCELLED, NAV_TILE_TOO_COMPLEX (more work than a mesh of this size is worth);
// the outputs are then worth nothing.
nav_status nav_geodesic_flood(nav_geodesic *g, nav_arena *temporary, const nav_location *source,
                              float *vertices, float (*ends)[2], bool *has_gaps);

// search/string.c: the point in which the corridor's portal number `index` is crossed, at the
// height of the ground, as the points of a path are.
void nav_corridor_stand(const nav_view *view, const nav_scratch *scratch, uint32_t index,
                        float out[3]);
