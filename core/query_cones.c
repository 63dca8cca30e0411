// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// query_cones.c: expands a cone over the polygon behind its portal. Cui, Harabor, Grastien,
// "Compromise-free pathfinding on a navigation mesh", IJCAI 2017 (Polyanya).
//
//             .------a------.       What lies between the rays is seen from the root: cones of the
//     left   /       |       \      same root through the polygon's other portals. What lies left
//     ray ..X        |        \     of the left ray can be reached by a turn around X only, where
//        ../|     seen from    |    the ray touches the portal's end and that is a pivot: cones
//  root  `  | portal  root     |    with X as root. The same on the right.
//         `.|                 .'
//            `-.____________.'
//
// A cone is dropped where its places are all reached as well by another way: an end of the portal
// is known to be so near that walking along the portal from there beats the cone (Xin, Wang,
// "Improving Chen and Han's algorithm on the discrete geodesic problem", 2009).

#include "query_cones.h"

#include <math.h>
#include <string.h>

#define HEAP_ARITY 4u

// Ways whose lengths differ by less than this part are equally long: they differ by rounding only.
#define SAME_PART 1e-11

// How far headings of one line may differ, of 4.
#define SAME_HEADING 1e-5f

// By how much of its coordinates a place may lie off the polygon that it is on.
#define ROUNDING 4e-7

// Of a search: how often a cone leads over a portal on which its root stands but for a grain. Where
// polygons are as small as grains there would be no end.
#define STEPS_THROUGH_MAX 256u

// Of polygons around a place. Where ground branches, a walk could go round and never come back.
#define FAN_MAX 256

// A search holds at most this many cones.
#define CONES_MAX (1u << 20)

// Positive where `at` lies to the right of the line from -> through, seen from above.
static inline double side(const float from[2], const double through[2], const float at[2])
{
    return (through[0] - (double)from[0]) * ((double)at[1] - (double)from[1]) -
           (through[1] - (double)from[1]) * ((double)at[0] - (double)from[0]);
}

// The same for two rays: positive where the second is the one on the right.
static inline double between(const float root[2], const double left[2], const double right[2])
{
    return (left[0] - (double)root[0]) * (right[1] - (double)root[1]) -
           (left[1] - (double)root[1]) * (right[0] - (double)root[0]);
}

static inline double side_of(const float a[2], const float b[2], const float at[2])
{
    const double through[2] = {(double)b[0], (double)b[1]};
    return side(a, through, at);
}

static inline double distance(const float a[2], const float b[2])
{
    double dx = (double)b[0] - (double)a[0], dz = (double)b[1] - (double)a[1];
    return sqrt(dx * dx + dz * dz);
}

static inline double distance_to(const float a[2], const double b[2])
{
    double dx = b[0] - (double)a[0], dz = b[1] - (double)a[1];
    return sqrt(dx * dx + dz * dz);
}

static inline bool same_place(const float a[2], const float b[2])
{
    return a[0] == b[0] && a[1] == b[1];
}

static inline bool is_at(const double a[2], const float b[2])
{
    return a[0] == (double)b[0] && a[1] == (double)b[1];
}

static inline void set_place(double out[2], const float place[2])
{
    out[0] = (double)place[0];
    out[1] = (double)place[1];
}

// ---- memory ----

void nav_cone_pool_free(nav_cone_pool *pool)
{
    if (pool->cones != NULL) {
        pool->allocator.free(pool->allocator.user, pool->cones,
                             pool->capacity * (sizeof *pool->cones + sizeof *pool->heap));
    }
    if (pool->marks != NULL) {
        pool->allocator.free(pool->allocator.user, pool->marks,
                             pool->mark_capacity * sizeof *pool->marks);
    }
    *pool = (nav_cone_pool){.allocator = pool->allocator};
}

// Room for `more` cones behind the search's.
static bool make_room(nav_cones *c, uint32_t more)
{
    nav_cone_pool *pool = c->pool;
    if (more <= pool->capacity - c->count) {
        return true;
    }
    if ((size_t)c->count + more > CONES_MAX) {
        return false;
    }
    size_t capacity = 1024 + 2 * ((size_t)c->count + more);
    const size_t cone_bytes = capacity * sizeof *pool->cones;
    uint8_t *block =
        pool->allocator.alloc(pool->allocator.user, cone_bytes + capacity * sizeof *pool->heap);
    if (block == NULL) {
        return false;
    }
    nav_cone *cones = (void *)block;
    nav_heap_entry *heap = (void *)(block + cone_bytes);
    if (pool->cones != NULL) {
        memcpy(cones, pool->cones, c->count * sizeof *cones);
        memcpy(heap, pool->heap, c->heap_count * sizeof *heap);
        pool->allocator.free(pool->allocator.user, pool->cones,
                             pool->capacity * (sizeof *pool->cones + sizeof *pool->heap));
    }
    pool->cones = cones;
    pool->heap = heap;
    pool->capacity = (uint32_t)capacity;
    return true;
}

static bool make_marks(nav_cone_pool *pool, uint32_t count)
{
    if (count <= pool->mark_capacity) {
        return true;
    }
    nav_pivot_mark *marks =
        pool->allocator.alloc(pool->allocator.user, count * sizeof *pool->marks);
    if (marks == NULL) {
        return false;
    }
    if (pool->marks != NULL) {
        pool->allocator.free(pool->allocator.user, pool->marks,
                             pool->mark_capacity * sizeof *pool->marks);
    }
    memset(marks, 0, count * sizeof *marks);
    pool->marks = marks;
    pool->mark_capacity = count;
    pool->stamp = 0;
    return true;
}

bool nav_cones_begin(nav_cones *c, const nav_view *view, nav_cone_pool *pool, uint32_t extra)
{
    const nav_mesh *mesh = view->mesh;
    // Where ground is closed, pivots fall apart, and ends of portals are numbered instead.
    const uint32_t numbers = view->costs->open ? mesh->pivot_count : 2 * mesh->edge_portal_count;
    if (!make_marks(pool, numbers + extra)) {
        return false;
    }
    if (++pool->stamp == 0) {
        memset(pool->marks, 0, pool->mark_capacity * sizeof *pool->marks);
        pool->stamp = 1;
    }
    *c = (nav_cones){.view = view, .pool = pool, .goal = NAV_NONE, .way_base = numbers};
    return true;
}

// ---- the open list: a heap of four children a node ----

void nav_cones_push(nav_cones *c, uint32_t cone)
{
    nav_heap_entry *heap = c->pool->heap;
    const nav_heap_entry entry = {.f = c->pool->cones[cone].key, .index = cone};
    uint32_t position = c->heap_count++;
    while (position > 0 && heap[(position - 1) / HEAP_ARITY].f > entry.f) {
        heap[position] = heap[(position - 1) / HEAP_ARITY];
        position = (position - 1) / HEAP_ARITY;
    }
    heap[position] = entry;
}

uint32_t nav_cones_pop(nav_cones *c)
{
    nav_heap_entry *heap = c->pool->heap;
    const uint32_t popped = heap[0].index;
    const nav_heap_entry last = heap[--c->heap_count];
    uint32_t position = 0;
    for (;;) {
        uint32_t first = position * HEAP_ARITY + 1;
        uint32_t end = first + HEAP_ARITY < c->heap_count ? first + HEAP_ARITY : c->heap_count;
        uint32_t least = first;
        for (uint32_t child = first + 1; child < end; ++child) {
            least = heap[child].f < heap[least].f ? child : least;
        }
        if (first >= c->heap_count || heap[least].f >= last.f) {
            break;
        }
        heap[position] = heap[least];
        position = least;
    }
    heap[position] = last;
    return popped;
}

// ---- pivots ----

// A direction as a number from 0 to 4 that rises with the angle.
static inline float heading_of(const float from[2], const float to[2])
{
    const float dx = to[0] - from[0], dz = to[1] - from[1];
    const float size = fabsf(dx) + fabsf(dz);
    const float part = size > 0.0f ? dx / size : 1.0f;
    return dz >= 0.0f ? 1.0f - part : 3.0f + part;
}

// Of several ways of one length to a pivot the first one is followed, or searches would multiply
// in worlds full of symmetry. Ways whose last legs lie on one line are one way: which of the pivots
// on that line is the root of a cone depends on what it is seen through.
static inline bool is_same_heading(float a, float b)
{
    const float difference = fabsf(a - b);
    return difference < SAME_HEADING || difference > 4.0f - SAME_HEADING;
}

// Notes a straight way over ground to a pivot.
static inline void mark_pivot(nav_cones *c, uint32_t number, double g, const float root[2],
                              const float place[2])
{
    nav_pivot_mark *mark = &c->pool->marks[number];
    if (mark->stamp != c->pool->stamp || g < mark->g * (1.0 - SAME_PART)) {
        *mark =
            (nav_pivot_mark){.g = g, .stamp = c->pool->stamp, .heading = heading_of(root, place)};
    }
}

// Whether the straight way to a pivot, which has been noted, is the one to follow.
static inline bool is_followed(const nav_cones *c, uint32_t number, double g, const float root[2],
                               const float place[2])
{
    const nav_pivot_mark *mark = &c->pool->marks[number];
    return g <= mark->g * (1.0 + SAME_PART) &&
           is_same_heading(mark->heading, heading_of(root, place));
}

bool nav_cones_land(nav_cones *c, uint32_t number, double g)
{
    nav_pivot_mark *mark = &c->pool->marks[number];
    if (mark->stamp == c->pool->stamp && g >= mark->g * (1.0 - SAME_PART)) {
        return false;
    }
    *mark = (nav_pivot_mark){.g = g, .stamp = c->pool->stamp};
    return true;
}

bool nav_cone_is_stale(const nav_cones *c, const nav_cone *cone)
{
    return cone->pivot != NAV_NONE && c->pool->marks[cone->pivot].g < cone->g * (1.0 - SAME_PART);
}

// The first portal out of `polygon` that ends in this place on the left, or on the right.
static uint32_t find_end(const nav_mesh *mesh, uint32_t polygon, uint32_t without,
                         const float place[2], bool left)
{
    const uint32_t end = mesh->portal_first[polygon + 1];
    for (uint32_t i = mesh->portal_first[polygon]; i < end; ++i) {
        const nav_portal *portal = &mesh->portals[i];
        if (portal->to != without && same_place(left ? portal->left : portal->right, place)) {
            return i;
        }
    }
    return NAV_NONE;
}

// Where ground is closed: the number of what hangs together around an end of a portal is that of
// the last portal on a walk around it to the left, or of the least where the walk comes round; then
// no path turns there.
static uint32_t find_pivot_on_foot(const nav_view *view, uint32_t portal, int right)
{
    const nav_mesh *mesh = view->mesh;
    const nav_portal *first = &mesh->portals[portal];
    const float place[2] = {right ? first->right[0] : first->left[0],
                            right ? first->right[1] : first->left[1]};
    // The walk begins with a portal that has the place on its left.
    uint32_t at = right ? find_end(mesh, first->to, NAV_NONE, place, true) : portal;
    uint32_t begin = at, least = at;
    for (int steps = 0; at != NAV_NONE && steps < FAN_MAX; ++steps) {
        const nav_portal *over = &mesh->portals[at];
        uint32_t next = find_end(mesh, over->to, over->from, place, true);
        if (next == NAV_NONE || nav_polygon_cost(view, mesh->portals[next].to) == INFINITY) {
            return (2 * at) | NAV_PIVOT_TURNS;
        }
        at = next;
        least = at < least ? at : least;
        if (at == begin) {
            return 2 * least;
        }
    }
    return (2 * portal + 1) | NAV_PIVOT_TURNS;
}

// The number of the place where a portal ends: on its left (0) or its right (1).
static inline uint32_t pivot_of(const nav_cones *c, uint32_t portal, int right)
{
    return c->view->costs->open ? c->view->mesh->portal_pivots[portal][right]
                                : find_pivot_on_foot(c->view, portal, right);
}

// ---- expansion ----

// A root with its way so far.
typedef struct source {
    float root[2];
    uint32_t pivot;
    double g;
} source;

// What an expansion of one cone has at hand.
typedef struct expansion {
    nav_cones *c;
    const nav_mesh *mesh;
    source seen_from; // the cone's own root
    source turn_left; // around the portal's left end; pivot NAV_NONE: no turn there
    source turn_right;
    double left[2], right[2];               // the cone's rays
    double behind_left[2], behind_right[2]; // places on the same rays, behind the portal's ends
    bool left_open, right_open;
    uint32_t parent;
} expansion;

// Where the ray from the root through a place crosses the portal.
static void cross_portal(const float root[2], const double through[2], const nav_portal *portal,
                         double out[2])
{
    double dx = through[0] - (double)root[0], dz = through[1] - (double)root[1];
    double ex = (double)portal->right[0] - (double)portal->left[0];
    double ez = (double)portal->right[1] - (double)portal->left[1];
    double lx = (double)portal->left[0] - (double)root[0];
    double lz = (double)portal->left[1] - (double)root[1];
    double slant = dx * ez - dz * ex;
    double t = slant != 0.0 ? (lx * dz - lz * dx) / slant : 0.0;
    t = t > 0.0 ? t < 1.0 ? t : 1.0 : 0.0;
    out[0] = (double)portal->left[0] + ex * t;
    out[1] = (double)portal->left[1] + ez * t;
}

// Whether the portal's ends are known to be so near that no place of the cone's part of it, from
// `a` on the left to `b` on the right, is reached sooner through the cone: by way of an end, all
// places up to the far end of the part are reached as soon as that end is.
static inline bool is_beaten(const nav_cones *c, const nav_portal *portal, const uint32_t pivots[2],
                             const double a[2], const double b[2], double g_a, double g_b)
{
    const nav_pivot_mark *marks = c->pool->marks;
    const nav_pivot_mark *left = &marks[pivots[0] & NAV_PIVOT_NUMBER];
    const nav_pivot_mark *right = &marks[pivots[1] & NAV_PIVOT_NUMBER];
    const uint32_t stamp = c->pool->stamp;
    return (left->stamp == stamp && left->g < g_b &&
            left->g + distance_to(portal->left, b) < g_b * (1.0 - SAME_PART)) ||
           (right->stamp == stamp && right->g < g_a &&
            right->g + distance_to(portal->right, a) < g_a * (1.0 - SAME_PART));
}

// Adds a cone through a portal that faces the root. Notes how far the portal's ends are, where they
// are seen.
static inline void add_cone(const expansion *e, const source *from, uint32_t index,
                            const double left[2], const double right[2])
{
    nav_cones *c = e->c;
    const nav_portal *portal = &e->mesh->portals[index];
    const uint32_t pivots[2] = {pivot_of(c, index, 0), pivot_of(c, index, 1)};
    double a[2], b[2];
    double g_a, g_b;
    if (is_at(left, portal->left)) {
        set_place(a, portal->left);
        g_a = from->g + distance(from->root, portal->left);
        mark_pivot(c, pivots[0] & NAV_PIVOT_NUMBER, g_a, from->root, portal->left);
    } else {
        cross_portal(from->root, left, portal, a);
        g_a = from->g + distance_to(from->root, a);
    }
    if (is_at(right, portal->right)) {
        set_place(b, portal->right);
        g_b = from->g + distance(from->root, portal->right);
        mark_pivot(c, pivots[1] & NAV_PIVOT_NUMBER, g_b, from->root, portal->right);
    } else {
        cross_portal(from->root, right, portal, b);
        g_b = from->g + distance_to(from->root, b);
    }
    if (is_beaten(c, portal, pivots, a, b, g_a, g_b)) {
        return;
    }
    c->pool->cones[c->count++] = (nav_cone){.root = {from->root[0], from->root[1]},
                                            .left = {left[0], left[1]},
                                            .right = {right[0], right[1]},
                                            .g = from->g,
                                            .portal = index,
                                            .parent = e->parent,
                                            .pivot = from->pivot};
}

// The same for a root that stands on the portal, between its ends: all that is behind is seen.
static void add_open_cone(const expansion *e, const source *from, uint32_t index)
{
    nav_cones *c = e->c;
    nav_cone *cone = &c->pool->cones[c->count++];
    *cone = (nav_cone){.root = {from->root[0], from->root[1]},
                       .g = from->g,
                       .portal = index,
                       .parent = e->parent,
                       .pivot = from->pivot};
    set_place(cone->left, from->root);
    set_place(cone->right, from->root);
}

// Notes both ends of a portal that are in sight, though no cone may lead through: it is seen edge
// on, or not followed.
static void mark_ends(const expansion *e, const source *from, uint32_t index)
{
    const nav_portal *portal = &e->mesh->portals[index];
    mark_pivot(e->c, pivot_of(e->c, index, 0) & NAV_PIVOT_NUMBER,
               from->g + distance(from->root, portal->left), from->root, portal->left);
    mark_pivot(e->c, pivot_of(e->c, index, 1) & NAV_PIVOT_NUMBER,
               from->g + distance(from->root, portal->right), from->root, portal->right);
}

static inline bool is_fold(const nav_mesh *mesh, uint32_t index)
{
    return (mesh->portal_pivots[index][0] & NAV_PIVOT_FOLDS) != 0;
}

// A portal whose line leads through the root. Where that is not on the portal, one gets through
// only by a turn around the nearer end.
static void add_in_line(const expansion *e, const source *from, uint32_t index)
{
    nav_cones *c = e->c;
    const nav_portal *portal = &e->mesh->portals[index];
    const double to_left = distance(from->root, portal->left);
    const double to_right = distance(from->root, portal->right);
    mark_ends(e, from, index);
    if (is_fold(e->mesh, index)) {
        c->refused = true;
        return;
    }
    const double lx = (double)portal->left[0] - (double)from->root[0];
    const double lz = (double)portal->left[1] - (double)from->root[1];
    const double rx = (double)portal->right[0] - (double)from->root[0];
    const double rz = (double)portal->right[1] - (double)from->root[1];
    if (lx * rx + lz * rz < 0.0) {
        add_open_cone(e, from, index);
        return;
    }
    const int right = to_right < to_left;
    const float *end = right ? portal->right : portal->left;
    const uint32_t pivot = pivot_of(c, index, right), number = pivot & NAV_PIVOT_NUMBER;
    const source near = {{end[0], end[1]}, number, from->g + (right ? to_right : to_left)};
    if ((pivot & NAV_PIVOT_TURNS) != 0 && is_followed(c, number, near.g, from->root, end)) {
        add_open_cone(e, &near, index);
    }
}

// Whether a portal that ends where the root stands leads on around it. From the search's start or
// the end of a way, which may stand within open ground, no further than once around; elsewhere
// there is a wall to stop at, on spiral stairs after many turns. Over a fold ground may lead round
// and round, so it is not followed.
static inline bool leads_on(nav_cones *c, const source *from, uint32_t index)
{
    const nav_mesh *mesh = c->view->mesh;
    const uint32_t to = mesh->portals[index].to;
    if (is_fold(mesh, index)) {
        c->refused = true;
        return false;
    }
    if (from->pivot == NAV_NONE) {
        return to != c->home;
    }
    return from->pivot < c->way_base ||
           to != c->way_homes[(from->pivot - c->way_base) * c->way_stride];
}

// Adds a cone from a root that stands in the polygon and sees the portal between two rays.
static inline void add_seen(const expansion *e, const source *from, uint32_t index,
                            const double left[2], const double right[2])
{
    const nav_portal *portal = &e->mesh->portals[index];
    if (same_place(from->root, portal->left) || same_place(from->root, portal->right)) {
        if (leads_on(e->c, from, index)) {
            add_cone(e, from, index, left, right);
        } else {
            mark_ends(e, from, index);
        }
        return;
    }
    if (side_of(from->root, portal->left, portal->right) > 0.0) {
        add_cone(e, from, index, left, right);
        return;
    }
    add_in_line(e, from, index);
}

// The side of a ray on which a place lies. A root that stands on its portal sees half a turn: what
// then lies on the ray's line, but behind the root, is `opposite`.
static inline double side_or(const float root[2], const double ray[2], const float at[2],
                             bool half_turn, double opposite)
{
    const double off = side(root, ray, at);
    if (off != 0.0 || !half_turn) {
        return off;
    }
    const double along = (ray[0] - (double)root[0]) * ((double)at[0] - (double)root[0]) +
                         (ray[1] - (double)root[1]) * ((double)at[1] - (double)root[1]);
    return along < 0.0 ? opposite : 0.0;
}

// A portal whose ends are one place in plan view: what is behind is seen from there.
static void add_through_point(const expansion *e, const source *from, uint32_t index)
{
    nav_cones *c = e->c;
    const float *place = e->mesh->portals[index].left;
    if (same_place(from->root, place)) {
        if (leads_on(c, from, index)) {
            add_open_cone(e, from, index);
        }
        return;
    }
    if (is_fold(e->mesh, index)) {
        c->refused = true;
        return;
    }
    const uint32_t number = pivot_of(c, index, 0) & NAV_PIVOT_NUMBER;
    const source there = {
        {place[0], place[1]}, number, from->g + distance(from->root, place)};
    mark_pivot(c, number, there.g, from->root, place);
    if (is_followed(c, number, there.g, from->root, place)) {
        add_open_cone(e, &there, index);
    }
}

static void expand_point(const expansion *e, uint32_t index)
{
    const float *root = e->seen_from.root, *place = e->mesh->portals[index].left;
    const double left = e->left_open ? 1.0 : side(root, e->left, place);
    const double right = e->right_open ? -1.0 : side(root, e->right, place);
    if (left >= 0.0 && right <= 0.0) {
        add_through_point(e, &e->seen_from, index);
    }
    if (left <= 0.0 && e->turn_left.pivot != NAV_NONE) {
        add_through_point(e, &e->turn_left, index);
    }
    if (right >= 0.0 && e->turn_right.pivot != NAV_NONE) {
        add_through_point(e, &e->turn_right, index);
    }
}

// A portal that lies on a ray of the cone. It may be that one gets through by a turn around its
// nearer end; where the ray touches the portal before that is found there.
static void expand_edge_on(const expansion *e, uint32_t index, bool on_left)
{
    const nav_portal *portal = &e->mesh->portals[index];
    const float *root = e->seen_from.root;
    const uint32_t turn = on_left ? e->turn_left.pivot : e->turn_right.pivot;
    if (turn == NAV_NONE && !same_place(root, portal->left) && !same_place(root, portal->right)) {
        add_in_line(e, &e->seen_from, index);
    } else {
        mark_ends(e, &e->seen_from, index);
    }
}

// Whether both ends of a portal, which lie so far beside a ray, lie on it but for a grain.
static inline bool is_on_ray(const float root[2], const double ray[2], double a, double b)
{
    const double dx = ray[0] - (double)root[0], dz = ray[1] - (double)root[1];
    const double near = ROUNDING * fmax(fabs((double)root[0]), fabs((double)root[1]));
    const double most = near * near * (dx * dx + dz * dz);
    return a * a <= most && b * b <= most;
}

// The root is an end of the portal over which the polygon was entered, and the polygon is so thin
// that it has another portal on that one.
static void expand_thin(const expansion *e, uint32_t index)
{
    const nav_portal *portal = &e->mesh->portals[index];
    const float *root = e->seen_from.root;
    if (same_place(root, portal->left) || same_place(root, portal->right)) {
        double left[2], right[2];
        set_place(left, portal->left);
        set_place(right, portal->right);
        add_seen(e, &e->seen_from, index, left, right);
    } else {
        add_in_line(e, &e->seen_from, index);
    }
}

// One portal out of the polygon: its part between the rays, and what is left and right of them.
static inline void expand_portal(const expansion *e, uint32_t index)
{
    const nav_portal *portal = &e->mesh->portals[index];
    const float *root = e->seen_from.root;
    if (same_place(portal->left, portal->right)) {
        expand_point(e, index);
        return;
    }
    double left_end[2], right_end[2];
    set_place(left_end, portal->left);
    set_place(right_end, portal->right);
    // Of both ends: right of the left ray, right of the right ray. An end where the root itself
    // stands is on no side: it goes with the other end.
    const float *l = same_place(root, portal->left) ? portal->right : portal->left;
    const float *r = same_place(root, portal->right) ? portal->left : portal->right;
    const double left_l = e->left_open ? 1.0 : side_or(root, e->left, l, e->right_open, 1.0);
    const double left_r = e->left_open ? 1.0 : side_or(root, e->left, r, e->right_open, 1.0);
    const double right_l = e->right_open ? -1.0 : side_or(root, e->right, l, e->left_open, -1.0);
    const double right_r = e->right_open ? -1.0 : side_or(root, e->right, r, e->left_open, -1.0);
    const bool on_left = left_l == 0.0 && left_r == 0.0;
    const bool on_right = right_l == 0.0 && right_r == 0.0;
    if (on_left || on_right) {
        expand_edge_on(e, index, on_left);
    }
    if (e->turn_left.pivot != NAV_NONE &&
        (left_l < 0.0 || left_r < 0.0 || (left_l == 0.0 && left_r == 0.0))) {
        add_seen(e, &e->turn_left, index, left_end, left_r <= 0.0 ? right_end : e->behind_left);
    }
    const uint32_t before = e->c->count;
    if (left_r > 0.0 && right_l < 0.0) {
        const double *left = left_l >= 0.0 ? left_end : e->left;
        const double *right = right_r <= 0.0 ? right_end : e->right;
        if (e->left_open || e->right_open) {
            add_seen(e, &e->seen_from, index, left, right);
        } else if (between(root, left, right) > 0.0) {
            add_cone(e, &e->seen_from, index, left, right);
        }
    }
    if (e->turn_right.pivot != NAV_NONE &&
        (right_r > 0.0 || right_l > 0.0 || (right_l == 0.0 && right_r == 0.0))) {
        add_seen(e, &e->turn_right, index, right_l >= 0.0 ? left_end : e->behind_right, right_end);
    }
    if (e->c->count == before && e->left_open != e->right_open &&
        (e->left_open ? is_on_ray(root, e->right, right_l, right_r)
                      : is_on_ray(root, e->left, left_l, left_r))) {
        expand_thin(e, index);
    }
}

// A turn around an end of the portal, where the ray touches it and no shorter way there is known.
static void find_turn(const nav_cones *c, const nav_cone *cone, const double ray[2], int right,
                      source *out, double behind[2])
{
    const nav_portal *portal = &c->view->mesh->portals[cone->portal];
    const float *end = right ? portal->right : portal->left;
    out->pivot = NAV_NONE;
    if (!is_at(ray, end) || is_at(ray, cone->root)) {
        return;
    }
    const uint32_t pivot = pivot_of(c, cone->portal, right);
    const uint32_t number = pivot & NAV_PIVOT_NUMBER;
    if ((pivot & NAV_PIVOT_TURNS) == 0) {
        return;
    }
    const double g = cone->g + distance(cone->root, end);
    if (!is_followed(c, number, g, cone->root, end)) {
        return;
    }
    *out = (source){{end[0], end[1]}, number, g};
    behind[0] = 2.0 * (double)end[0] - (double)cone->root[0];
    behind[1] = 2.0 * (double)end[1] - (double)cone->root[1];
}

bool nav_cones_add_root(nav_cones *c, const nav_cone *root)
{
    if (!make_room(c, 1)) {
        return false;
    }
    nav_cone *cone = &c->pool->cones[c->count++];
    *cone = *root;
    set_place(cone->left, cone->root);
    set_place(cone->right, cone->root);
    return true;
}

// Whether a portal is a bridge away from the goal.
static inline bool leads_astray(const nav_cones *c, uint32_t index)
{
    const nav_mesh *mesh = c->view->mesh;
    if ((mesh->portal_pivots[index][1] & NAV_PIVOT_BRIDGE) == 0 || c->goal == NAV_NONE) {
        return false;
    }
    const nav_portal *portal = &mesh->portals[index];
    const uint32_t *from = mesh->visits[portal->from], *to = mesh->visits[portal->to];
    const uint32_t goal = mesh->visits[c->goal][0];
    return to[0] > from[0] ? goal < to[0] || goal >= to[1] : goal >= from[0] && goal < from[1];
}

// Whether a root lies on a portal, or off it by no more than rounding does; but not where it is one
// of its ends.
static bool stands_on(const float root[2], const nav_portal *portal)
{
    const double ex = (double)portal->right[0] - (double)portal->left[0];
    const double ez = (double)portal->right[1] - (double)portal->left[1];
    const double px = (double)root[0] - (double)portal->left[0];
    const double pz = (double)root[1] - (double)portal->left[1];
    const double length2 = ex * ex + ez * ez;
    double t = length2 > 0.0 ? (px * ex + pz * ez) / length2 : 0.0;
    t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
    const double near = ROUNDING * fmax(fabs((double)root[0]), fabs((double)root[1]));
    const double dx = px - ex * t, dz = pz - ez * t;
    return dx * dx + dz * dz <= near * near && !same_place(root, portal->left) &&
           !same_place(root, portal->right);
}

// The search's start, or where a way ends, is a place of its polygon as far as rounding goes: it
// may lie a grain beyond a portal, or beside its end. All that is behind such a portal is seen. The
// same then holds in the polygon behind, where the place lies in its corner.
static void step_through(const expansion *e, uint32_t index)
{
    nav_cones *c = e->c;
    mark_ends(e, &e->seen_from, index);
    if (c->steps_through == STEPS_THROUGH_MAX) {
        c->refused = true;
    } else if (leads_on(c, &e->seen_from, index)) {
        ++c->steps_through;
        add_open_cone(e, &e->seen_from, index);
    }
}

bool nav_cones_expand(nav_cones *c, const nav_cone *cone, uint32_t polygon, uint32_t parent)
{
    const nav_mesh *mesh = c->view->mesh;
    const uint32_t first = mesh->portal_first[polygon];
    const uint32_t end = mesh->portal_first[polygon + 1];
    const bool over_edge = cone->portal < mesh->edge_portal_count;
    const nav_cone self = *cone; // the pool may move
    expansion e = {.c = c,
                   .mesh = mesh,
                   .seen_from = {{self.root[0], self.root[1]}, self.pivot, self.g},
                   .turn_left.pivot = NAV_NONE,
                   .turn_right.pivot = NAV_NONE,
                   .left = {self.left[0], self.left[1]},
                   .right = {self.right[0], self.right[1]},
                   .left_open = is_at(self.left, self.root),
                   .right_open = is_at(self.right, self.root),
                   .parent = parent};
    if (!make_room(c, 3 * (end - first))) {
        return false;
    }
    if (over_edge) {
        find_turn(c, &self, self.left, 0, &e.turn_left, e.behind_left);
        find_turn(c, &self, self.right, 1, &e.turn_right, e.behind_right);
    }
    const uint32_t came_from = over_edge ? mesh->portals[self.portal].from : NAV_NONE;
    const bool open = c->view->costs->open;
    const bool is_place = e.left_open && e.right_open &&
                          (self.pivot == NAV_NONE || self.pivot >= c->way_base);
    for (uint32_t i = first; i < end; ++i) {
        const uint32_t to = mesh->portals[i].to;
        if (to != came_from && !leads_astray(c, i) &&
            (open || nav_polygon_cost(c->view, to) < INFINITY)) {
            if (is_place && stands_on(self.root, &mesh->portals[i])) {
                step_through(&e, i);
            } else {
                expand_portal(&e, i);
            }
        }
    }
    return true;
}

// ---- distances ----

static inline bool is_open(const nav_cones *c, const nav_cone *cone)
{
    return cone->portal >= c->view->mesh->edge_portal_count || is_at(cone->left, cone->root) ||
           is_at(cone->right, cone->root);
}

// Where the way from the root to a place behind the portal must bend, because the straight line
// misses the cone. False: nowhere.
static bool find_bend(const nav_cone *cone, const nav_portal *portal, const double at[2],
                      double bend[2])
{
    if (between(cone->root, cone->left, at) < 0.0) {
        cross_portal(cone->root, cone->left, portal, bend);
        return true;
    }
    if (between(cone->root, cone->right, at) > 0.0) {
        cross_portal(cone->root, cone->right, portal, bend);
        return true;
    }
    return false;
}

// A place, or where it lies before the portal its mirror image behind it, which is as far.
static void find_image(const nav_cone *cone, const nav_portal *portal, const float place[2],
                       double out[2])
{
    const double off_root = side_of(portal->left, portal->right, cone->root);
    const double off_place = side_of(portal->left, portal->right, place);
    set_place(out, place);
    if (off_root * off_place > 0.0) {
        double dx = (double)portal->right[0] - (double)portal->left[0];
        double dz = (double)portal->right[1] - (double)portal->left[1];
        double shift = 2.0 * off_place / (dx * dx + dz * dz);
        out[0] += dz * shift;
        out[1] -= dx * shift;
    }
}

bool nav_cone_bend(const nav_cones *c, const nav_cone *cone, const float place[2], double bend[2])
{
    if (is_open(c, cone)) {
        return false;
    }
    const nav_portal *portal = &c->view->mesh->portals[cone->portal];
    double at[2];
    find_image(cone, portal, place, at);
    return find_bend(cone, portal, at, bend);
}

double nav_cone_distance(const nav_cones *c, const nav_cone *cone, const float place[2])
{
    if (is_open(c, cone)) {
        return distance(cone->root, place);
    }
    const nav_portal *portal = &c->view->mesh->portals[cone->portal];
    double at[2], bend[2];
    find_image(cone, portal, place, at);
    if (!find_bend(cone, portal, at, bend)) {
        return distance_to(cone->root, at);
    }
    const double dx = at[0] - bend[0], dz = at[1] - bend[1];
    return distance_to(cone->root, bend) + sqrt(dx * dx + dz * dz);
}

double nav_cone_nearest(const nav_cones *c, const nav_cone *cone)
{
    if (is_open(c, cone)) {
        return 0.0;
    }
    const nav_portal *portal = &c->view->mesh->portals[cone->portal];
    const double ex = (double)portal->right[0] - (double)portal->left[0];
    const double ez = (double)portal->right[1] - (double)portal->left[1];
    double a[2], b[2];
    cross_portal(cone->root, cone->left, portal, a);
    cross_portal(cone->root, cone->right, portal, b);
    // Along the portal, from either end of the part that is seen: the foot lies within, or not.
    const double rx = (double)cone->root[0], rz = (double)cone->root[1];
    if ((rx - a[0]) * ex + (rz - a[1]) * ez <= 0.0) {
        return distance_to(cone->root, a);
    }
    if ((rx - b[0]) * ex + (rz - b[1]) * ez >= 0.0) {
        return distance_to(cone->root, b);
    }
    return fabs(side_of(portal->left, portal->right, cone->root)) / sqrt(ex * ex + ez * ez);
}
