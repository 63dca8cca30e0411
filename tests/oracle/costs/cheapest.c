// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// cheapest.c: the cheapest walk over ground of several costs, but for the spacing of its points:
// Dijkstra over Steiner points, and the walk that it finds tightened. See costs.h.
//
//     +----o----o----+      Points o on the edges that lead on, both ends among them, and on the
//     o    .--o--.   o      outline of each shape. All points of a polygon see each other, since
//     o    o dear o  o      it is convex. A line is charged for what it crosses, piece by piece.
//     +----'--o--'-o-+
//
// Nothing of the engines that this is held against is used: only the mesh's polygons and portals.

#include "costs.h"

#include <stdlib.h>
#include <string.h>

#define BREAKS_MAX (2 * COSTS_SHAPES_MAX + 2)
#define SWEEPS 60
#define TRIES 40 // of golden sections
#define SWEEP_GAIN 1e-7
#define POINTS_MAX 20000
#define ON_EDGE 1e-6
#define ON_EDGE_PART 2e-7 // of |x| + |z|
#define POINTS_AN_EDGE 400
#define OVER_LINK (NAV_NONE - 1) // in place of the polygon between two points

// A point of the graph, and the straight edge that it may be moved along. A link begins at one, and
// ends at the next.
typedef struct spot {
    double at[2];
    double edge[2][2];
    double link_cost; // INFINITY: none begins here
} spot;

typedef struct entry {
    double key;
    uint32_t spot;
} entry;

struct cheapest {
    const priced_ground *ground;
    spot *spots;
    uint32_t spot_count, spot_capacity;
    uint32_t (*members)[2]; // polygon, spot; sorted
    uint32_t member_count, member_capacity;
    uint32_t *first;      // by polygon, in members
    uint32_t (*homes)[2]; // by spot: the polygons it is in; NAV_NONE
    // Of one start.
    nav_location start;
    double *costs;
    uint32_t (*parents)[2]; // the spot before, and the polygon between
    entry *heap;
    uint32_t heap_count, heap_capacity;
    // Of one walk.
    double (*points)[2];
    double (*edges)[2][2];
    uint32_t *polygons; // behind each point; OVER_LINK
    double *link_costs; // behind each point
    uint32_t count;
};

static void *enlarge(void *array, uint32_t count, uint32_t *capacity, size_t size_bytes)
{
    if (count < *capacity) {
        return array;
    }
    *capacity = 2 * *capacity + 64;
    array = realloc(array, *capacity * size_bytes);
    NAV_ASSERT(array != NULL);
    return array;
}

static void *room(size_t count, size_t size_bytes)
{
    void *out = calloc(count + 1, size_bytes);
    NAV_ASSERT(out != NULL);
    return out;
}

// ---- costs of lines ----

static double side_of(const double a[2], const double b[2], const double p[2])
{
    return ((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])) /
           (hypot(b[0] - a[0], b[1] - a[1]) + 1e-300);
}

// How far a place lies inside of a shape; below 0 outside of it.
static double depth_in(const nav_outline *shape, const double p[2])
{
    double depth = HUGE_VAL;
    for (uint32_t i = 0; i < shape->count; ++i) {
        const double *a = shape->points[i], *b = shape->points[(i + 1) % shape->count];
        depth = fmin(depth, side_of(a, b, p));
    }
    return depth;
}

// On its border a place counts as in or out, as is cheaper; how near to it floats come depends on
// where that is.
static double factor_at(const priced_ground *g, const double p[2])
{
    double factor = 1.0;
    for (uint32_t i = 0; i < g->shape_count; ++i) {
        const nav_outline *shape = &g->shapes[i];
        const double near = ON_EDGE + ON_EDGE_PART * (fabs(p[0]) + fabs(p[1]));
        const double border = shape->cost > 1.0f ? near : -near;
        factor *= depth_in(shape, p) > border ? (double)shape->cost : 1.0;
    }
    return factor;
}

// Where a line crosses the outlines of shapes: parts of it, rising, 0 and 1 among them.
static uint32_t list_breaks(const priced_ground *g, const double a[2], const double b[2],
                            double out[BREAKS_MAX])
{
    uint32_t count = 0;
    out[count++] = 0.0;
    for (uint32_t i = 0; i < g->shape_count; ++i) {
        const nav_outline *shape = &g->shapes[i];
        double enter = 0.0, leave = 1.0;
        for (uint32_t k = 0; k < shape->count; ++k) {
            const double *c = shape->points[k], *d = shape->points[(k + 1) % shape->count];
            const double from = side_of(c, d, a), to = side_of(c, d, b);
            enter = from < 0.0 && to > from ? fmax(enter, from / (from - to)) : enter;
            leave = to < 0.0 && from > to ? fmin(leave, from / (from - to)) : leave;
            leave = from < 0.0 && to < 0.0 ? -1.0 : leave;
        }
        for (int end = 0; end < 2 && enter < leave; ++end) {
            double at = end == 0 ? enter : leave;
            uint32_t k = count++;
            for (; k > 0 && out[k - 1] > at; --k) {
                out[k] = out[k - 1];
            }
            out[k] = at;
        }
    }
    out[count++] = 1.0;
    return count;
}

double ground_line_cost(const priced_ground *g, uint32_t polygon, const double a[2],
                        const double b[2])
{
    const double length = hypot(b[0] - a[0], b[1] - a[1]);
    const double cost = ground_cost(g, polygon);
    if (g->shape_count == 0 || length == 0.0) {
        return length * cost;
    }
    double breaks[BREAKS_MAX], sum = 0.0;
    const uint32_t count = list_breaks(g, a, b, breaks);
    for (uint32_t i = 1; i < count; ++i) {
        const double t = 0.5 * (breaks[i - 1] + breaks[i]);
        const double middle[2] = {a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t};
        sum += breaks[i] > breaks[i - 1] ? (breaks[i] - breaks[i - 1]) * factor_at(g, middle) : 0.0;
    }
    return length * cost * sum;
}

// ---- the graph ----

static void add_member(cheapest *c, uint32_t polygon, uint32_t at)
{
    c->members = enlarge(c->members, c->member_count, &c->member_capacity, sizeof *c->members);
    c->members[c->member_count][0] = polygon;
    c->members[c->member_count++][1] = at;
}

static uint32_t add_spot(cheapest *c, const double a[2], const double b[2], double t)
{
    c->spots = enlarge(c->spots, c->spot_count, &c->spot_capacity, sizeof *c->spots);
    spot *s = &c->spots[c->spot_count];
    s->link_cost = (double)INFINITY;
    for (int axis = 0; axis < 2; ++axis) {
        s->edge[0][axis] = a[axis];
        s->edge[1][axis] = b[axis];
        s->at[axis] = t < 1.0 ? a[axis] + (b[axis] - a[axis]) * t : b[axis];
    }
    return c->spot_count++;
}

static uint32_t points_on(const double a[2], const double b[2], double spacing)
{
    const double count = ceil(hypot(b[0] - a[0], b[1] - a[1]) / spacing);
    return count < 2.0 ? 2 : count > POINTS_AN_EDGE ? POINTS_AN_EDGE : (uint32_t)count;
}

// Both ends, and points between; of shapes, where their outlines cross the edge.
static void add_portal(cheapest *c, const nav_portal *portal, double spacing)
{
    const double a[2] = {(double)portal->left[0], (double)portal->left[1]};
    const double b[2] = {(double)portal->right[0], (double)portal->right[1]};
    const uint32_t count = points_on(a, b, spacing);
    double breaks[BREAKS_MAX];
    const uint32_t break_count = list_breaks(c->ground, a, b, breaks);
    for (uint32_t i = 0; i <= count + break_count; ++i) {
        const bool even = i <= count;
        const double t = even ? (double)i / count : breaks[i - count - 1];
        if (even || (t > 0.0 && t < 1.0)) {
            const uint32_t at = add_spot(c, a, b, t);
            add_member(c, portal->from, at);
            add_member(c, portal->to, at);
        }
    }
}

// Both ends of a link, in one of its directions.
static void add_arc(cheapest *c, uint32_t number)
{
    const nav_mesh *mesh = c->ground->mesh;
    const nav_arc *arc = &mesh->arcs[number];
    const nav_portal *portal = &mesh->portals[mesh->edge_portal_count + number];
    const double a[2] = {(double)arc->start[0], (double)arc->start[2]};
    const double b[2] = {(double)arc->end[0], (double)arc->end[2]};
    const uint32_t from = add_spot(c, a, a, 0.0), to = add_spot(c, b, b, 0.0);
    c->spots[from].link_cost =
        (double)nav_link_cost(&c->ground->costs, &mesh->links[arc->link], arc->length);
    add_member(c, portal->from, from);
    add_member(c, portal->to, to);
}

static bool is_over(const nav_mesh *mesh, uint32_t polygon, const double p[2])
{
    const nav_polygon_record *record = &mesh->records[polygon];
    for (uint32_t k = 0; k < record->corner_count; ++k) {
        const uint32_t *corners = mesh->corners + record->corner_first;
        const float *a = mesh->vertices[corners[k]];
        const float *b = mesh->vertices[corners[(k + 1) % record->corner_count]];
        const double from[2] = {(double)a[0], (double)a[2]}, to[2] = {(double)b[0], (double)b[2]};
        if (side_of(from, to, p) > ON_EDGE) { // corners run against the order x -> z
            return false;
        }
    }
    return true;
}

static void add_outline(cheapest *c, const nav_outline *shape, double spacing)
{
    const nav_mesh *mesh = c->ground->mesh;
    for (uint32_t k = 0; k < shape->count; ++k) {
        const double *a = shape->points[k], *b = shape->points[(k + 1) % shape->count];
        const uint32_t count = points_on(a, b, spacing);
        for (uint32_t i = 0; i < count; ++i) {
            uint32_t at = NAV_NONE;
            for (uint32_t p = 0; p < mesh->stats.polygons; ++p) {
                const double t = (double)i / count;
                const double point[2] = {a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t};
                if (is_over(mesh, p, point)) {
                    at = add_spot(c, a, b, t); // one for each floor
                    add_member(c, p, at);
                }
            }
        }
    }
}

static int by_polygon(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return x[0] != y[0] ? (x[0] < y[0] ? -1 : 1) : x[1] < y[1] ? -1 : x[1] > y[1];
}

static void index_members(cheapest *c)
{
    const uint32_t polygons = c->ground->mesh->stats.polygons;
    qsort(c->members, c->member_count, sizeof *c->members, by_polygon);
    c->first = room(polygons + 1, sizeof *c->first);
    c->homes = room(c->spot_count, sizeof *c->homes);
    memset(c->homes, 0xff, c->spot_count * sizeof *c->homes);
    for (uint32_t p = 0, i = 0; p <= polygons; ++p) {
        c->first[p] = i;
        for (; i < c->member_count && c->members[i][0] == p; ++i) {
            uint32_t *home = c->homes[c->members[i][1]];
            home[home[0] != NAV_NONE] = p;
        }
    }
}

cheapest *cheapest_create(const priced_ground *ground, double spacing)
{
    const nav_mesh *mesh = ground->mesh;
    cheapest *c = room(1, sizeof *c);
    c->ground = ground;
    for (uint32_t i = 0; i < mesh->edge_portal_count; ++i) {
        const nav_portal *portal = &mesh->portals[i];
        if (portal->from < portal->to && ground_cost(ground, portal->from) < (double)INFINITY &&
            ground_cost(ground, portal->to) < (double)INFINITY) {
            add_portal(c, portal, spacing);
        }
    }
    for (uint32_t i = 0; i < ground->shape_count; ++i) {
        add_outline(c, &ground->shapes[i], spacing);
    }
    for (uint32_t i = 0; i < mesh->arc_count; ++i) {
        add_arc(c, i);
    }
    index_members(c);
    c->costs = room(c->spot_count, sizeof *c->costs);
    c->parents = room(c->spot_count, sizeof *c->parents);
    c->points = room(POINTS_MAX, sizeof *c->points);
    c->edges = room(POINTS_MAX, sizeof *c->edges);
    c->polygons = room(POINTS_MAX, sizeof *c->polygons);
    c->link_costs = room(POINTS_MAX, sizeof *c->link_costs);
    return c;
}

void cheapest_destroy(cheapest *c)
{
    void *parts[] = {c->spots, c->members, c->first, c->homes,    c->costs,      c->parents,
                     c->heap,  c->points,  c->edges, c->polygons, c->link_costs, c};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; ++i) {
        free(parts[i]);
    }
}

// ---- Dijkstra ----

static void push(cheapest *c, double key, uint32_t at)
{
    c->heap = enlarge(c->heap, c->heap_count, &c->heap_capacity, sizeof *c->heap);
    uint32_t i = c->heap_count++;
    for (; i > 0 && c->heap[(i - 1) / 2].key > key; i = (i - 1) / 2) {
        c->heap[i] = c->heap[(i - 1) / 2];
    }
    c->heap[i] = (entry){key, at};
}

static entry pop(cheapest *c)
{
    const entry top = c->heap[0], last = c->heap[--c->heap_count];
    uint32_t i = 0;
    for (;;) {
        uint32_t child = 2 * i + 1;
        child += child + 1 < c->heap_count && c->heap[child + 1].key < c->heap[child].key;
        if (child >= c->heap_count || c->heap[child].key >= last.key) {
            break;
        }
        c->heap[i] = c->heap[child];
        i = child;
    }
    c->heap[i] = last;
    return top;
}

static void come_to(cheapest *c, uint32_t at, double cost, uint32_t parent, uint32_t polygon)
{
    if (cost < c->costs[at]) {
        c->costs[at] = cost;
        c->parents[at][0] = parent;
        c->parents[at][1] = polygon;
        push(c, cost, at);
    }
}

static void spread(cheapest *c, uint32_t polygon, const double from[2], double cost,
                   uint32_t parent)
{
    if (polygon == NAV_NONE) {
        return;
    }
    const double least = ground_cost(c->ground, polygon);
    for (uint32_t i = c->first[polygon]; i < c->first[polygon + 1]; ++i) {
        const uint32_t at = c->members[i][1];
        if (c->ground->shape_count == 0 &&
            cost + least * hypot(c->spots[at].at[0] - from[0], c->spots[at].at[1] - from[1]) >=
                c->costs[at]) {
            continue;
        }
        come_to(c, at, cost + ground_line_cost(c->ground, polygon, from, c->spots[at].at), parent,
                polygon);
    }
}

static void plan_of(const nav_location *location, double out[2])
{
    out[0] = (double)location->position[0];
    out[1] = (double)location->position[2];
}

void cheapest_from(cheapest *c, const nav_location *start)
{
    c->start = *start;
    c->heap_count = 0;
    for (uint32_t i = 0; i < c->spot_count; ++i) {
        c->costs[i] = (double)INFINITY;
    }
    double from[2];
    plan_of(start, from);
    spread(c, start->polygon, from, 0.0, NAV_NONE);
    while (c->heap_count > 0) {
        const entry top = pop(c);
        if (top.key == c->costs[top.spot]) {
            const double link_cost = c->spots[top.spot].link_cost;
            if (link_cost < (double)INFINITY) {
                come_to(c, top.spot + 1, top.key + link_cost, top.spot, OVER_LINK);
            }
            for (int k = 0; k < 2; ++k) {
                spread(c, c->homes[top.spot][k], c->spots[top.spot].at, top.key, top.spot);
            }
        }
    }
}

// ---- the walk, tightened ----

static void list_walk(cheapest *c, const nav_location *end, uint32_t last)
{
    uint32_t count = 2;
    for (uint32_t at = last; at != NAV_NONE; at = c->parents[at][0]) {
        ++count;
    }
    NAV_ASSERT(count <= POINTS_MAX);
    c->count = count;
    plan_of(&c->start, c->points[0]);
    plan_of(end, c->points[count - 1]);
    c->polygons[count - 2] = end->polygon;
    for (uint32_t at = last, i = count - 2; at != NAV_NONE; at = c->parents[at][0], --i) {
        memcpy(c->points[i], c->spots[at].at, sizeof *c->points);
        memcpy(c->edges[i], c->spots[at].edge, sizeof *c->edges);
        c->polygons[i - 1] = c->parents[at][1];
        c->link_costs[i] = c->spots[at].link_cost;
    }
}

// From point i of the walk to the next, where one of them is at `from` or `to`.
static double leg_cost(const cheapest *c, uint32_t i, const double from[2], const double to[2])
{
    return c->polygons[i] == OVER_LINK ? c->link_costs[i]
                                       : ground_line_cost(c->ground, c->polygons[i], from, to);
}

static double cost_over(const cheapest *c, uint32_t i, const double point[2])
{
    return leg_cost(c, i - 1, c->points[i - 1], point) + leg_cost(c, i, point, c->points[i + 1]);
}

// Moves a point along its edge to where it costs least. Returns what that saves.
static double tighten(cheapest *c, uint32_t i)
{
    const double *a = c->edges[i][0], *b = c->edges[i][1];
    const double before = cost_over(c, i, c->points[i]);
    double low = 0.0, high = 1.0;
    double best[2] = {c->points[i][0], c->points[i][1]}, least = before;
    for (int k = 0; k < TRIES; ++k) {
        double costs[2];
        for (int side = 0; side < 2; ++side) {
            const double t = low + (high - low) * (side == 0 ? 0.382 : 0.618);
            const double p[2] = {a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t};
            costs[side] = cost_over(c, i, p);
            if (costs[side] < least) {
                least = costs[side];
                memcpy(best, p, sizeof best);
            }
        }
        low = costs[0] > costs[1] ? low + (high - low) * 0.382 : low;
        high = costs[0] > costs[1] ? high : low + (high - low) * 0.618;
    }
    memcpy(c->points[i], best, sizeof best);
    return before - least;
}

double cheapest_to(cheapest *c, const nav_location *end)
{
    double to[2], least = (double)INFINITY;
    uint32_t last = NAV_NONE;
    plan_of(end, to);
    if (end->polygon == c->start.polygon) {
        double from[2];
        plan_of(&c->start, from);
        least = ground_line_cost(c->ground, end->polygon, from, to);
    }
    for (uint32_t i = c->first[end->polygon]; i < c->first[end->polygon + 1]; ++i) {
        const uint32_t at = c->members[i][1];
        const double cost =
            c->costs[at] + ground_line_cost(c->ground, end->polygon, c->spots[at].at, to);
        last = cost < least ? at : last;
        least = fmin(cost, least);
    }
    if (!(least < (double)INFINITY)) {
        return least;
    }
    list_walk(c, end, last);
    double gain = 1.0;
    for (int sweep = 0; sweep < SWEEPS && gain > SWEEP_GAIN * least; ++sweep) {
        gain = 0.0;
        for (uint32_t i = 1; i + 1 < c->count; ++i) {
            gain += tighten(c, i);
        }
    }
    double sum = 0.0;
    for (uint32_t i = 0; i + 1 < c->count; ++i) {
        sum += leg_cost(c, i, c->points[i], c->points[i + 1]);
    }
    return sum;
}

uint32_t cheapest_points(const cheapest *c, const double (**out)[2])
{
    *out = (const double(*)[2])c->points;
    return c->count;
}
