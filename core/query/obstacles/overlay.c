// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// overlay.c: the convex parts that outlines leave of polygons become polygons of one question:
// convex parts are laid out as fragments, with the polygons next to them, and joined by portals
// where their edges lie along each other. Portals over the borders of polygons lead to whatever
// fragment is behind.

#include "core/base/plane.h"
#include "core/query/obstacles/overlay.h"

#include "core/query/view.h"

#include <math.h>
#include <string.h>

// ---- the budget ----

void nav_overlay_spend(nav_overlay_budget *budget, uint64_t work)
{
    const bool enough = work <= budget->work;
    budget->work = enough ? budget->work - work : 0;
    budget->refused = budget->refused || !enough;
    const bool cancelled = nav_cancel_poll(budget->cancel, work * NAV_STEP_FAR);
    budget->failed = budget->failed || !enough || cancelled;
}

// Notes whether the arena had the memory, and whether its limit was met.
static void *take(nav_overlay_budget *budget, void *memory)
{
    budget->failed = memory == NULL;
    budget->refused = memory == NULL && budget->arena->at_limit;
    return memory;
}

void *nav_overlay_alloc(nav_overlay_budget *budget, size_t count, size_t size_bytes)
{
    return budget->failed ? NULL : take(budget, nav_arena_alloc(budget->arena, count, size_bytes));
}

void *nav_overlay_enlarge(nav_overlay_budget *budget, void *array, uint32_t count,
                          uint32_t *capacity, size_t size_bytes)
{
    const uint32_t more = *capacity > 0 ? *capacity * 2 : 64;
    NAV_ASSERT(count == *capacity);
    void *grown = take(budget, nav_arena_grow(budget->arena, array, count, more, size_bytes));
    *capacity = grown != NULL ? more : *capacity;
    return grown != NULL ? grown : array;
}

// ---- fragments ----

// A line's part, from right to left as seen by who walks out over it, with what every test of it
// reads.
typedef struct edge {
    double a[2], b[2];
    double along[2]; // a unit
    double length, tolerance;
    double min[2], max[2];
} edge;

typedef struct assembly {
    nav_overlay_budget *budget;
    nav_overlay *o;
    const nav_convex *convexes; // by fragment; those that are not cut have none
    edge **edges;               // the same: of a convex part's corners
    edge *borders;              // of the polygon that fragments are joined of, by portal
    uint32_t border_count, border_capacity;
    uint32_t portal_capacity, vertex_capacity;
} assembly;

static double tolerance_at(const double at[2])
{
    return nav_overlay_tolerance(at[0], at[1]);
}

static void set_bounds(edge *e)
{
    for (int axis = 0; axis < 2; ++axis) {
        e->min[axis] = e->a[axis] < e->b[axis] ? e->a[axis] : e->b[axis];
        e->max[axis] = e->a[axis] < e->b[axis] ? e->b[axis] : e->a[axis];
    }
}

static edge edge_between(const double a[2], const double b[2])
{
    const double ex = b[0] - a[0], ez = b[1] - a[1], length = nav_plane_length(ex, ez);
    const double inverse = length > 0.0 ? 1.0 / length : 0.0;
    edge out = {.a = {a[0], a[1]},
                .b = {b[0], b[1]},
                .along = {ex * inverse, ez * inverse},
                .length = length,
                .tolerance = tolerance_at(a)};
    set_bounds(&out);
    return out;
}

static uint32_t add_vertex(assembly *a, uint32_t base, double x, double z)
{
    nav_overlay *o = a->o;
    o->vertices = nav_overlay_grow(a->budget, o->vertices, o->vertex_count, &a->vertex_capacity,
                                   sizeof *o->vertices);
    if (a->budget->failed) {
        return 0;
    }
    o->vertices[o->vertex_count] =
        (nav_overlay_vertex){.at = {(float)x, NAN, (float)z}, .base = base};
    return o->mesh->stats.vertices + o->vertex_count++;
}

// A convex part as the next fragment; `first` is the first of the same polygon.
static void lay_fragment(assembly *a, const nav_convex *convex, uint32_t first)
{
    nav_overlay *o = a->o;
    nav_fragment *fragment = &o->fragments[o->fragment_count];
    NAV_DCHECK(convex->count >= 3);
    NAV_DCHECK(convex->count <= NAV_POLYGON_VERTICES_MAX);
    *fragment = (nav_fragment){.base = convex->base,
                               .number = o->mesh->stats.polygons + o->polygon_count,
                               .corner_first = o->corner_count,
                               .corner_count = convex->count,
                               .cost = convex->cost,
                               .cut = true,
                               .far = convex->max[0]};
    memcpy(fragment->min, convex->min, sizeof fragment->min);
    memcpy(fragment->max, convex->max, sizeof fragment->max);
    if (o->fragment_count > first && fragment[-1].far > fragment->far) {
        fragment->far = fragment[-1].far;
    }
    for (uint32_t k = 0; k < convex->count; ++k) {
        o->corners[o->corner_count++] =
            add_vertex(a, convex->base, convex->corners[k][0], convex->corners[k][1]);
    }
    o->cost_least = convex->cost < o->cost_least ? convex->cost : o->cost_least;
    o->has_prices = o->has_prices || convex->cost != 1.0f;
    o->cut_fragments[o->polygon_count++] = o->fragment_count++;
}

// The edges of a convex part, from corner to corner.
static edge *lay_edges(assembly *a, const nav_convex *convex)
{
    edge *edges = nav_overlay_alloc(a->budget, convex->count, sizeof *edges);
    for (uint32_t k = 0; k < convex->count && edges != NULL; ++k) {
        edges[k] =
            edge_between(convex->corners[k], convex->corners[k + 1 < convex->count ? k + 1 : 0]);
    }
    return edges;
}

// Cut polygons with their convex parts, whole ones next to them without, in order of base.
static bool lay_fragments(assembly *a, const nav_cut_ground *c)
{
    nav_overlay *o = a->o;
    const uint32_t most = c->count + c->all.count;
    size_t corner_count = 0;
    for (uint32_t i = 0; i < c->count; ++i) {
        corner_count += c->convexes[i].count;
    }
    o->fragments = nav_overlay_alloc(a->budget, most, sizeof *o->fragments);
    o->cut_fragments = nav_overlay_alloc(a->budget, c->count, sizeof *o->cut_fragments);
    o->corners = nav_overlay_alloc(a->budget, corner_count, sizeof *o->corners);
    nav_convex *convexes = nav_overlay_alloc(a->budget, most, sizeof *convexes);
    a->edges = nav_overlay_alloc(a->budget, most, sizeof *a->edges);
    if (convexes == NULL || a->budget->failed) {
        return false;
    }
    memset(convexes, 0, most * sizeof *convexes);
    uint32_t at = 0;
    for (uint32_t i = 0; i < c->all.count && !a->budget->failed; ++i) {
        const uint32_t base = c->all.polygons[i];
        if (!nav_polygon_list_has(&c->cut, base)) {
            o->fragments[o->fragment_count++] =
                (nav_fragment){.base = base, .sibling_count = 1, .number = base, .cost = 1.0f};
            continue;
        }
        // A polygon that is cut away whole leaves one fragment that nothing leads to.
        const uint32_t first = o->fragment_count;
        for (; at < c->count && c->convexes[at].base == base; ++at) {
            convexes[o->fragment_count] = c->convexes[at];
            a->edges[o->fragment_count] = lay_edges(a, &c->convexes[at]);
            lay_fragment(a, &c->convexes[at], first);
        }
        if (o->fragment_count == first) {
            o->fragments[o->fragment_count++] =
                (nav_fragment){.base = base, .number = NAV_NONE, .cost = INFINITY, .cut = true};
        }
        o->fragments[first].sibling_count = o->fragment_count - first;
    }
    NAV_ASSERT(at == c->count || a->budget->failed); // each is of a polygon in `all`
    a->convexes = convexes;
    return !a->budget->failed;
}

static bool build_table(nav_overlay *o, nav_overlay_budget *budget)
{
    uint32_t size = 16;
    while (size < 2 * o->fragment_count) {
        size *= 2;
    }
    o->table = nav_overlay_alloc(budget, size, sizeof *o->table);
    o->table_mask = size - 1;
    if (o->table == NULL) {
        return false;
    }
    memset(o->table, 0xff, size * sizeof *o->table);
    for (uint32_t i = 0; i < o->fragment_count; ++i) {
        if (i > 0 && o->fragments[i - 1].base == o->fragments[i].base) {
            continue;
        }
        uint32_t slot = (o->fragments[i].base * 2654435761u) & o->table_mask;
        while (o->table[slot] != NAV_NONE) {
            slot = (slot + 1) & o->table_mask;
        }
        o->table[slot] = i;
    }
    return true;
}

// ---- portals ----

static double clamped(double along, double length)
{
    return along > 0.0 ? along < length ? along : length : 0.0;
}

// The part of e that lies along the line from -> to, whichever way that runs: how far from its
// beginning it reaches. False where there is none.
static inline bool overlap(const edge *e, const double from[2], const double to[2], double part[2])
{
    const double fx = from[0] - e->a[0], fz = from[1] - e->a[1];
    if (fabs(nav_plane_cross(fx, fz, e->along[0], e->along[1])) > e->tolerance) {
        return false;
    }
    const double tx = to[0] - e->a[0], tz = to[1] - e->a[1];
    if (fabs(nav_plane_cross(tx, tz, e->along[0], e->along[1])) > e->tolerance) {
        return false;
    }
    const double one = nav_plane_dot(fx, fz, e->along[0], e->along[1]);
    const double other = nav_plane_dot(tx, tz, e->along[0], e->along[1]);
    part[0] = clamped(one < other ? one : other, e->length);
    part[1] = clamped(one < other ? other : one, e->length);
    return part[1] - part[0] >= NAV_FRAGMENT_PORTAL_MIN;
}

static edge part_of(const edge *e, const double part[2])
{
    NAV_DCHECK(part[0] <= part[1]);
    NAV_DCHECK(part[1] <= e->length);
    edge out = *e;
    for (int axis = 0; axis < 2; ++axis) {
        out.a[axis] = e->a[axis] + e->along[axis] * part[0];
        out.b[axis] = part[1] == e->length ? e->b[axis] : e->a[axis] + e->along[axis] * part[1];
    }
    out.length = part[1] - part[0];
    set_bounds(&out);
    return out;
}

// How many edges of a convex part others can lie along.
static uint32_t edge_count(const nav_convex *fragment)
{
    return fragment->thin ? 1 : fragment->count;
}

static edge edge_of_portal(const nav_portal *portal)
{
    return edge_between((double[2]){(double)portal->right[0], (double)portal->right[1]},
                        (double[2]){(double)portal->left[0], (double)portal->left[1]});
}

static void add_portal(assembly *a, uint32_t from, uint32_t to, const double right_end[2],
                       const double left_end[2])
{
    nav_overlay *o = a->o;
    const uint32_t base = o->fragments[from].base;
    nav_overlay_spend(a->budget, 16);
    const uint32_t right = add_vertex(a, base, right_end[0], right_end[1]);
    const uint32_t left = add_vertex(a, base, left_end[0], left_end[1]);
    o->portals = nav_overlay_grow(a->budget, o->portals, o->portal_count, &a->portal_capacity,
                                  sizeof *o->portals);
    if (a->budget->failed) {
        return;
    }
    o->portals[o->portal_count++] =
        (nav_portal){.left = {(float)left_end[0], (float)left_end[1]},
                     .right = {(float)right_end[0], (float)right_end[1]},
                     .from = o->fragments[from].number,
                     .to = to,
                     .left_vertex = left,
                     .right_vertex = right};
}

static uint32_t place_of(const assembly *a, const nav_fragment *fragment)
{
    return (uint32_t)(fragment - a->o->fragments);
}

// Between two stretches of a polygon without area, where they overlap: a portal along them, which
// has no true sides but leads both ways over the same two ends.
static void join_stretches(assembly *a, uint32_t from, uint32_t to)
{
    const edge *mine = a->edges[from], *theirs = a->edges[to];
    double part[2];
    if (overlap(mine, theirs->a, theirs->b, part)) {
        const edge shared = part_of(mine, part);
        add_portal(a, from, a->o->fragments[to].number, from < to ? shared.a : shared.b,
                   from < to ? shared.b : shared.a);
    }
}

// Whether an edge comes as near as that to a convex part's bounds.
static inline bool is_near_convex(const edge *e, const nav_convex *convex, double near)
{
    return e->min[0] <= convex->max[0] + near && e->max[0] >= convex->min[0] - near &&
           e->min[1] <= convex->max[1] + near && e->max[1] >= convex->min[1] - near;
}

// Between two fragments of one polygon: where an edge of one lies along an edge of the other.
static void join_pair(assembly *a, uint32_t from, uint32_t to, double near)
{
    NAV_DCHECK(from != to);
    NAV_DCHECK(a->o->fragments[from].base == a->o->fragments[to].base);
    const nav_convex *p = &a->convexes[from], *q = &a->convexes[to];
    if (p->min[1] > q->max[1] + near || q->min[1] > p->max[1] + near ||
        p->min[0] > q->max[0] + near || q->min[0] > p->max[0] + near) {
        return;
    }
    nav_overlay_spend(a->budget, p->count * q->count);
    if (p->thin) {
        join_stretches(a, from, to);
        return;
    }
    for (uint32_t i = 0; i < p->count; ++i) {
        const edge *mine = &a->edges[from][i];
        if (!is_near_convex(mine, q, near)) {
            continue;
        }
        for (uint32_t k = 0; k < q->count; ++k) {
            const edge *theirs = &a->edges[to][k];
            double part[2];
            if (overlap(mine, theirs->a, theirs->b, part) &&
                mine->along[0] * theirs->along[0] + mine->along[1] * theirs->along[1] < 0.0) {
                const edge shared = part_of(mine, part);
                add_portal(a, from, a->o->fragments[to].number, shared.a, shared.b);
            }
        }
    }
}

static void join_siblings(assembly *a, uint32_t from)
{
    const nav_convex *p = &a->convexes[from];
    const double near = tolerance_at(p->max) + tolerance_at(p->min);
    const uint32_t first = place_of(a, nav_overlay_find(a->o, p->base));
    const nav_fragment_range range =
        nav_overlay_range(a->o, first, p->min[0] - near, p->max[0] + near);
    nav_overlay_spend(a->budget, range.end - range.first);
    for (uint32_t to = range.first; to < range.end && !a->budget->failed; ++to) {
        if (to != from) {
            join_pair(a, from, to, near);
        }
    }
}

// Joins a fragment over a stretch of its polygon's border to another polygon.
static void join_over(assembly *a, uint32_t from, uint32_t polygon, const edge *stretch)
{
    const nav_fragment *found = nav_overlay_find(a->o, polygon);
    if (found == NULL || !found->cut) {
        add_portal(a, from, polygon, stretch->a, stretch->b);
        return;
    }
    const double near = tolerance_at(stretch->a) + tolerance_at(stretch->b);
    const double *ends[2] = {stretch->a, stretch->b};
    const int low = stretch->b[0] < stretch->a[0];
    const nav_fragment_range range =
        nav_overlay_range(a->o, place_of(a, found), ends[low][0] - near, ends[1 - low][0] + near);
    nav_overlay_spend(a->budget, range.end - range.first);
    for (uint32_t i = range.first; i < range.end && !a->budget->failed; ++i) {
        if (!is_near_convex(stretch, &a->convexes[i], near)) {
            continue;
        }
        nav_overlay_spend(a->budget, a->convexes[i].count);
        for (uint32_t k = 0; k < edge_count(&a->convexes[i]); ++k) {
            const edge *theirs = &a->edges[i][k];
            double part[2];
            if (overlap(stretch, theirs->a, theirs->b, part)) {
                const edge shared = part_of(stretch, part);
                add_portal(a, from, a->o->fragments[i].number, shared.a, shared.b);
            }
        }
    }
}

// Over a border of the polygon that a cut fragment is a part of.
static void join_border(assembly *a, uint32_t from, uint32_t to, const edge *border)
{
    const nav_convex *convex = &a->convexes[from];
    const double near = tolerance_at(border->a) + tolerance_at(border->b);
    if (!is_near_convex(border, convex, near)) {
        return;
    }
    nav_overlay_spend(a->budget, convex->count);
    for (uint32_t k = 0; k < edge_count(convex); ++k) {
        const edge *mine = &a->edges[from][k];
        // Borders on both sides of a stretch lie along its one edge, each in its direction.
        const edge *whole = convex->thin ? border : mine, *other = convex->thin ? mine : border;
        double part[2];
        if (overlap(whole, other->a, other->b, part)) {
            const edge shared = part_of(whole, part);
            join_over(a, from, to, &shared);
        }
    }
}

// The borders of the polygon that the next fragments are parts of.
static void lay_borders(assembly *a, uint32_t base)
{
    const nav_mesh *mesh = a->o->mesh;
    a->border_count = 0;
    for (uint32_t i = mesh->portal_first[base]; i < mesh->portal_first[base + 1]; ++i) {
        a->borders = nav_overlay_grow(a->budget, a->borders, a->border_count, &a->border_capacity,
                                      sizeof *a->borders);
        if (a->budget->failed) {
            return;
        }
        a->borders[a->border_count++] = edge_of_portal(&mesh->portals[i]);
    }
}

// Over the borders of the polygon that a fragment is a part of.
static void join_neighbours(assembly *a, uint32_t from)
{
    const nav_fragment *fragment = &a->o->fragments[from];
    const nav_portal *portals = a->o->mesh->portals + a->o->mesh->portal_first[fragment->base];
    nav_overlay_spend(a->budget, a->border_count);
    for (uint32_t i = 0; i < a->border_count && !a->budget->failed; ++i) {
        if (fragment->cut) {
            join_border(a, from, portals[i].to, &a->borders[i]);
        } else {
            join_over(a, from, portals[i].to, &a->borders[i]);
        }
    }
}

// ---- exported ----

bool nav_overlay_create(const nav_mesh *mesh, const nav_outline *outlines, uint32_t count,
                        nav_overlay_budget *budget, nav_overlay *out)
{
    nav_cut_ground convexes;
    *out = (nav_overlay){.mesh = mesh, .cost_least = 1.0f};
    assembly a = {.budget = budget, .o = out};
    if (!nav_ground_cut(mesh, outlines, count, budget, &convexes) ||
        !lay_fragments(&a, &convexes) || !build_table(out, budget)) {
        return false;
    }
    NAV_ASSERT(out->polygon_count <= out->fragment_count);
    // Fragment after fragment, so that each one's portals stand in a row.
    for (uint32_t i = 0; i < out->fragment_count && !budget->failed; ++i) {
        out->fragments[i].portal_first = out->portal_count;
        if (i == 0 || out->fragments[i].base != out->fragments[i - 1].base) {
            lay_borders(&a, out->fragments[i].base);
        }
        join_neighbours(&a, i);
        if (out->fragments[i].cut && out->fragments[i].corner_count > 0) {
            join_siblings(&a, i);
        }
        out->fragments[i].portal_count = out->portal_count - out->fragments[i].portal_first;
    }
    return !budget->failed;
}

// ---- finding ----

const nav_fragment *nav_overlay_find(const nav_overlay *overlay, uint32_t polygon)
{
    NAV_DCHECK(polygon < overlay->mesh->stats.polygons);
    uint32_t slot = (polygon * 2654435761u) & overlay->table_mask;
    while (overlay->table[slot] != NAV_NONE) {
        const nav_fragment *fragment = &overlay->fragments[overlay->table[slot]];
        if (fragment->base == polygon) {
            return fragment;
        }
        slot = (slot + 1) & overlay->table_mask;
    }
    return NULL;
}

// Fragments stand in order of min[0], and `far` never falls, so that both ends of the range can be
// found by halving.
nav_fragment_range nav_overlay_range(const nav_overlay *overlay, uint32_t first, double min_x,
                                     double max_x)
{
    const nav_fragment *fragments = overlay->fragments;
    NAV_DCHECK(first < overlay->fragment_count);
    nav_fragment_range range = {.first = first, .end = first + fragments[first].sibling_count};
    for (uint32_t end = range.end; range.first < end;) {
        const uint32_t middle = range.first + (end - range.first) / 2;
        if (fragments[middle].far < min_x) {
            range.first = middle + 1;
        } else {
            end = middle;
        }
    }
    for (uint32_t from = range.first; from < range.end;) {
        const uint32_t middle = from + (range.end - from) / 2;
        if (fragments[middle].min[0] > max_x) {
            range.end = middle;
        } else {
            from = middle + 1;
        }
    }
    NAV_DCHECK(range.first <= range.end);
    NAV_DCHECK(range.end <= overlay->fragment_count);
    return range;
}

static bool is_in_fragment(const nav_overlay *overlay, const nav_fragment *fragment,
                           const double at[2])
{
    const uint32_t *corners = overlay->corners + fragment->corner_first;
    const uint32_t before = overlay->mesh->stats.vertices;
    const double near = nav_overlay_tolerance(at[0], at[1]);
    bool inside = fragment->corner_count > 0;
    // A fragment without area has no sides: its ends are those of its bounds.
    for (int axis = 0; axis < 2; ++axis) {
        inside = inside && at[axis] >= fragment->min[axis] - near &&
                 at[axis] <= fragment->max[axis] + near;
    }
    for (uint32_t i = 0; i < fragment->corner_count && inside; ++i) {
        const float *a = overlay->vertices[corners[i] - before].at;
        const float *b = overlay->vertices[corners[(i + 1) % fragment->corner_count] - before].at;
        const double ex = (double)b[0] - (double)a[0], ez = (double)b[2] - (double)a[2];
        inside = nav_plane_cross(ex, ez, at[0] - (double)a[0], at[1] - (double)a[2]) <=
                 nav_plane_length(ex, ez) * near;
    }
    return inside;
}

const nav_fragment *nav_overlay_fragment_at(const nav_overlay *overlay, uint32_t polygon, float x,
                                            float z)
{
    const nav_fragment *fragment = nav_overlay_find(overlay, polygon);
    if (fragment == NULL || !fragment->cut) {
        return fragment;
    }
    const double at[2] = {(double)x, (double)z};
    const double near = 2.0 * nav_overlay_tolerance(at[0], at[1]);
    const nav_fragment_range range = nav_overlay_range(
        overlay, (uint32_t)(fragment - overlay->fragments), at[0] - near, at[0] + near);
    for (uint32_t i = range.first; i < range.end; ++i) {
        if (is_in_fragment(overlay, &overlay->fragments[i], at)) {
            return &overlay->fragments[i];
        }
    }
    return NULL;
}
