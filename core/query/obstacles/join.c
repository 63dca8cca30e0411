// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// join.c: fragments are joined by portals where their edges lie along each other, within their
// polygon and over its borders.
//
//      from   |          Each cut is computed once, for both sides: of two edges that lie along
//        .----x b        each other the portal takes the ends that are nearer to its middle, so
//        |    |          that it ends in places where a corner is. Both its portals have the same
//      a x----'          floats and vertices, the other way round.
//        | to

#include "core/base/plane.h"
#include "core/query/obstacles/cut.h"

#include <math.h>
#include <string.h>

// A line's part, from right to left as seen on a walk out over it, with what every test of it
// reads.
typedef struct edge {
    double a[2], b[2];
    uint32_t places[2]; // of a and b
    double along[2];    // a unit
    double length, tolerance;
    uint32_t fragment;
} edge;

// One portal, as found.
typedef struct join {
    uint32_t from, to;    // fragments; NAV_NONE: `polygon`, which has none
    uint32_t polygon;     // that is entered
    uint32_t right, left; // places; NAV_NONE: it is the mesh's, as it was
    uint32_t over;        // the portal of the mesh that it is a part of; NAV_NONE: it is new
} join;

typedef struct assembly {
    nav_overlay_budget *budget;
    nav_overlay *o;
    const nav_placed_ground *placed;
    edge *edges;          // by line, then by fragment
    uint32_t *line_first; // by line, and of the end: the first of its edges
    bool *non_manifold;   // by fragment: whether its polygon has such an edge
    join *joins;
    uint32_t join_count, join_capacity;
} assembly;

// ---- edges ----

static double tolerance_at(const double at[2])
{
    return nav_overlay_tolerance(at[0], at[1]);
}

static inline void set_edge(edge *e, const double a[2], uint32_t place_a, const double b[2],
                            uint32_t place_b)
{
    const double ex = b[0] - a[0], ez = b[1] - a[1], length = nav_plane_length(ex, ez);
    const double inverse = length > 0.0 ? 1.0 / length : 0.0;
    const double far[2] = {fabs(a[0]) > fabs(b[0]) ? a[0] : b[0],
                           fabs(a[1]) > fabs(b[1]) ? a[1] : b[1]};
    *e = (edge){.a = {a[0], a[1]},
                .b = {b[0], b[1]},
                .places = {place_a, place_b},
                .along = {ex * inverse, ez * inverse},
                .length = length,
                .tolerance = NAV_ONE_LINE_TOLERANCES * tolerance_at(far)};
}

// How many edges of a convex part others can lie along.
static uint32_t edge_count(const nav_convex *fragment)
{
    return fragment->thin ? 1 : fragment->count;
}

static uint32_t line_of(const assembly *a, uint32_t line)
{
    return nav_set_of(a->placed->cut->lines.leaders, line);
}

// The edges of all convex parts, each from corner to corner, line by line.
static bool list_edges(assembly *a)
{
    const nav_overlay *o = a->o;
    const uint32_t line_count = a->placed->cut->lines.count;
    a->edges = nav_overlay_alloc(a->budget, o->count.corners, sizeof *a->edges);
    a->line_first = nav_overlay_alloc(a->budget, line_count + 2, sizeof *a->line_first);
    if (a->budget->failed) {
        return false;
    }
    // Counts the edges of each line; line_first of its follower has the number then.
    const nav_convex *convexes = a->placed->convexes;
    memset(a->line_first, 0, (a->placed->cut->lines.count + 2) * sizeof *a->line_first);
    for (uint32_t i = 0; i < a->o->count.fragments; ++i) {
        for (uint32_t k = 0; k < edge_count(&convexes[i]); ++k) {
            ++a->line_first[line_of(a, convexes[i].lines[k]) + 2];
        }
    }
    for (uint32_t i = 2; i < line_count + 2; ++i) {
        a->line_first[i] += a->line_first[i - 1];
    }
    for (uint32_t i = 0; i < o->count.fragments; ++i) {
        const nav_convex *convex = &a->placed->convexes[i];
        const uint32_t *places = a->placed->corner_places + o->fragments[i].corner_first;
        for (uint32_t k = 0; k < edge_count(convex); ++k) {
            const uint32_t next = k + 1 < convex->count ? k + 1 : 0;
            edge *e = &a->edges[a->line_first[line_of(a, convex->lines[k]) + 1]++];
            set_edge(e, convex->corners[k], places[k], convex->corners[next], places[next]);
            e->fragment = i;
        }
    }
    return true;
}

static edge edge_of_portal(const assembly *a, const nav_portal *portal)
{
    const double right[2] = {(double)portal->right[0], (double)portal->right[1]};
    const double left[2] = {(double)portal->left[0], (double)portal->left[1]};
    const uint32_t place = nav_place_of_vertex(a->placed->places, portal->right);
    edge out;
    set_edge(&out, right, place, left, nav_place_of_vertex(a->placed->places, portal->left));
    return out;
}

static inline bool is_on_line(const edge *e, const double at[2])
{
    return !(fabs(nav_plane_cross(at[0] - e->a[0], at[1] - e->a[1], e->along[0], e->along[1])) >
             e->tolerance);
}

// The part that two edges share: a stretch of the longer one, its ends in the order in which the
// first of the two runs.
typedef struct stretch {
    const edge *line; // the longer one
    double first, last;
    bool turned; // the first of the two runs against it
    uint32_t places[2];
} stretch;

// The part of `e` that lies along another edge, whose `a` is on its line, whichever way that runs.
// False where there is none.
static bool stretch_along(const edge *e, const edge *other, stretch *out)
{
    NAV_DCHECK(is_on_line(e, other->a));
    if (!is_on_line(e, other->b)) {
        return false;
    }
    const double ax = other->a[0] - e->a[0], az = other->a[1] - e->a[1];
    const double bx = other->b[0] - e->a[0], bz = other->b[1] - e->a[1];
    const double to_a = nav_plane_dot(ax, az, e->along[0], e->along[1]);
    const double to_b = nav_plane_dot(bx, bz, e->along[0], e->along[1]);
    const int low = to_b < to_a;
    const double from = low ? to_b : to_a, to = low ? to_a : to_b;
    out->line = e;
    out->first = from > 0.0 ? from : 0.0;
    out->last = to < e->length ? to : e->length;
    out->turned = false;
    out->places[0] = from > 0.0 ? other->places[low] : e->places[0];
    out->places[1] = to < e->length ? other->places[1 - low] : e->places[1];
    return !(out->last - out->first < NAV_FRAGMENT_PORTAL_MIN) && out->places[0] != out->places[1];
}

// The same whichever edge is asked first. Most pairs of edges lie on different lines, which is
// checked first.
static bool find_overlap(const edge *e, const edge *other, stretch *out)
{
    if (e->length >= other->length) {
        return stretch_along(e, other, out);
    }
    if (!stretch_along(other, e, out)) {
        return false;
    }
    if (nav_plane_dot(e->along[0], e->along[1], other->along[0], other->along[1]) < 0.0) {
        const uint32_t first = out->places[0];
        out->turned = true;
        out->places[0] = out->places[1];
        out->places[1] = first;
    }
    return true;
}

static inline bool overlap(const edge *e, const edge *other, stretch *out)
{
    const bool longer = e->length >= other->length;
    const edge *line = longer ? e : other, *piece = longer ? other : e;
    return is_on_line(line, piece->a) && find_overlap(e, other, out);
}

// A stretch as an edge of its own.
static edge edge_of(const stretch *piece)
{
    const edge *e = piece->line;
    const int a = piece->turned, b = 1 - a;
    double ends[2][2];
    edge out = *e;
    for (int axis = 0; axis < 2; ++axis) {
        ends[0][axis] = e->a[axis] + e->along[axis] * piece->first;
        ends[1][axis] =
            piece->last == e->length ? e->b[axis] : e->a[axis] + e->along[axis] * piece->last;
        out.a[axis] = ends[a][axis];
        out.b[axis] = ends[b][axis];
        out.along[axis] = piece->turned ? -e->along[axis] : e->along[axis];
        out.places[axis] = piece->places[axis];
    }
    out.length = piece->last - piece->first;
    return out;
}

// ---- joins ----

static inline void add_join(assembly *a, const join *j)
{
    a->joins =
        nav_overlay_grow(a->budget, a->joins, a->join_count, &a->join_capacity, sizeof *a->joins);
    if (!a->budget->failed) {
        a->joins[a->join_count++] = *j;
    }
}

// Joins two fragments in both directions; `one_way`: the mesh has no portal back either.
static void add_joins(assembly *a, uint32_t from, uint32_t to, const uint32_t places[2],
                      uint32_t over, bool one_way)
{
    const nav_fragment *fragments = a->o->fragments;
    nav_overlay_spend(a->budget, one_way ? 8 : 16);
    add_join(a, &(join){.from = from,
                        .to = to,
                        .polygon = fragments[to].number,
                        .right = places[0],
                        .left = places[1],
                        .over = over});
    if (!one_way) {
        add_join(a, &(join){.from = to,
                            .to = from,
                            .polygon = fragments[from].number,
                            .right = places[1],
                            .left = places[0],
                            .over = over});
    }
}

static uint32_t index_of(const assembly *a, const nav_fragment *fragment)
{
    return (uint32_t)(fragment - a->o->fragments);
}

// Joins the fragments of one polygon that have edges on both sides of a line. Between two stretches
// of a polygon without area that is a portal along them, which has no true sides but leads both
// ways over the same two ends. Edges are in the order in which their fragments begin along x.
static void join_line(assembly *a, uint32_t line)
{
    const edge *end = a->edges + a->line_first[line + 1];
    for (const edge *e = a->edges + a->line_first[line]; e < end && !a->budget->failed; ++e) {
        const nav_convex *convex = &a->placed->convexes[e->fragment];
        const double last = (e->a[0] > e->b[0] ? e->a[0] : e->b[0]) + 2.0 * e->tolerance;
        const edge *other = e + 1;
        for (; other < end && a->placed->convexes[other->fragment].min[0] <= last; ++other) {
            stretch shared;
            if (other->fragment != e->fragment &&
                (convex->thin ||
                 nav_plane_dot(e->along[0], e->along[1], other->along[0], other->along[1]) < 0.0) &&
                overlap(e, other, &shared)) {
                add_joins(a, e->fragment, other->fragment, shared.places, NAV_NONE, false);
            }
        }
        nav_overlay_spend(a->budget, (uint64_t)(other - e));
    }
}

// The lines of a polygon's edges that a portal lies along, each once.
typedef struct line_list {
    uint32_t lines[NAV_POLYGON_VERTICES_MAX];
    uint32_t count;
} line_list;

static void add_line(line_list *list, uint32_t line)
{
    bool known = false;
    for (uint32_t i = 0; i < list->count; ++i) {
        known = known || list->lines[i] == line;
    }
    if (!known) {
        list->lines[list->count++] = line;
    }
}

// The lines of a polygon that is cut, by its first fragment. One that is listed in vain costs
// little, and one that is left out, a path: tolerances of all ends are added.
static line_list lines_along(const assembly *a, uint32_t first, const edge *portal)
{
    const nav_mesh *mesh = a->o->mesh;
    const uint32_t base = a->o->fragments[first].base, corner = mesh->records[base].corner_first;
    const uint32_t count = mesh->records[base + 1].corner_first - corner;
    const double near = 2.0 * (portal->tolerance + tolerance_at(portal->b));
    line_list out = {.count = 0};
    for (uint32_t i = 0; i < count; ++i) {
        const float *p = mesh->vertices[mesh->corners[corner + i]];
        const float *q = mesh->vertices[mesh->corners[corner + (i + 1 < count ? i + 1 : 0)]];
        const double from[2] = {(double)p[0], (double)p[2]}, to[2] = {(double)q[0], (double)q[2]};
        const double reach = near * nav_plane_distance(from, to);
        if (fabs(nav_plane_side(from, to, portal->a)) <= reach &&
            fabs(nav_plane_side(from, to, portal->b)) <= reach) {
            add_line(&out, line_of(a, a->placed->borders[first] + i));
        }
    }
    return out;
}

// The ground behind a portal of the mesh.
typedef struct ground_behind {
    uint32_t portal;
    bool one_way; // the mesh has no portal back either
    const nav_fragment *fragment;
    line_list lines; // where it is cut
} ground_behind;

// Joins a fragment over a stretch of its polygon's border to another polygon's.
static void join_over(assembly *a, uint32_t from, const ground_behind *behind, const edge *border)
{
    if (!behind->fragment->cut) {
        add_joins(a, from, index_of(a, behind->fragment), border->places, behind->portal,
                  behind->one_way);
        return;
    }
    for (uint32_t i = 0; i < behind->lines.count && !a->budget->failed; ++i) {
        const uint32_t line = behind->lines.lines[i];
        const edge *end = a->edges + a->line_first[line + 1];
        nav_overlay_spend(a->budget, a->line_first[line + 1] - a->line_first[line]);
        for (const edge *e = a->edges + a->line_first[line]; e < end; ++e) {
            stretch shared;
            if (overlap(border, e, &shared)) {
                add_joins(a, from, e->fragment, shared.places, behind->portal, behind->one_way);
            }
        }
    }
}

// Over the border of a polygon that is cut. Borders on both sides of a stretch without area lie
// along its one edge, each in its direction.
static void join_border(assembly *a, uint32_t first, const ground_behind *behind,
                        const edge *border)
{
    const line_list lines = lines_along(a, first, border);
    for (uint32_t i = 0; i < lines.count; ++i) {
        const uint32_t line = lines.lines[i];
        const edge *end = a->edges + a->line_first[line + 1];
        nav_overlay_spend(a->budget, a->line_first[line + 1] - a->line_first[line]);
        for (const edge *e = a->edges + a->line_first[line]; e < end && !a->budget->failed; ++e) {
            stretch shared;
            if (overlap(border, e, &shared)) {
                const edge piece = edge_of(&shared);
                join_over(a, e->fragment, behind, &piece);
            }
        }
    }
}

// Over one portal of the mesh, from the fragments of a polygon, which begin with `first`. The lower
// of the two portals stands for both where one side is cut.
static void join_portal(assembly *a, uint32_t first, uint32_t over)
{
    const nav_fragment *fragment = &a->o->fragments[first];
    const nav_portal *portal = &a->o->mesh->portals[over];
    const nav_fragment *behind = nav_overlay_find(a->o, portal->to);
    if (!fragment->cut && (behind == NULL || !behind->cut)) {
        const join same = {.from = first,
                           .to = NAV_NONE,
                           .polygon = portal->to,
                           .right = NAV_NONE,
                           .left = NAV_NONE,
                           .over = over};
        nav_overlay_spend(a->budget, 8);
        add_join(a, &same);
        return;
    }
    const nav_mesh *mesh = a->o->mesh;
    nav_overlay_spend(a->budget,
                      mesh->portal_first[portal->to + 1] - mesh->portal_first[portal->to]);
    const uint32_t back = nav_portal_find_back(mesh, portal);
    if (back != NAV_NONE && back < over) {
        return;
    }
    const edge border = edge_of_portal(a, portal);
    ground_behind ground = {.portal = over, .one_way = back == NAV_NONE, .fragment = behind};
    if (behind->cut) {
        ground.lines = lines_along(a, index_of(a, behind), &border);
    }
    if (fragment->cut) {
        join_border(a, first, &ground, &border);
    } else {
        join_over(a, first, &ground, &border);
    }
}

// ---- portals ----

static nav_portal portal_of(assembly *a, const join *j)
{
    nav_overlay *o = a->o;
    if (j->right == NAV_NONE) {
        return o->mesh->portals[j->over];
    }
    const nav_place *right = &a->placed->places->list[j->right];
    const nav_place *left = &a->placed->places->list[j->left];
    nav_portal out = {.left = {left->at[0], left->at[1]},
                      .right = {right->at[0], right->at[1]},
                      .from = o->fragments[j->from].number,
                      .to = j->polygon};
    const uint32_t base = o->fragments[j->from].base, other = o->fragments[j->to].base;
    out.left_vertex = nav_overlay_vertex_of(o, a->placed->places, j->left, base, other);
    out.right_vertex = nav_overlay_vertex_of(o, a->placed->places, j->right, base, other);
    return out;
}

// Whether a portal of the mesh is still there from end to end.
static bool is_whole(const nav_mesh *mesh, const join *j, const nav_portal *portal)
{
    const nav_portal *over = &mesh->portals[j->over];
    return (nav_plane_same(over->left, portal->left) &&
            nav_plane_same(over->right, portal->right)) ||
           (nav_plane_same(over->left, portal->right) && nav_plane_same(over->right, portal->left));
}

// Whether an edge of a polygon of the mesh is non-manifold.
static bool has_non_manifold_edge(const assembly *a, uint32_t polygon)
{
    const nav_mesh *mesh = a->o->mesh;
    const uint32_t first = mesh->portal_first[polygon], end = mesh->portal_first[polygon + 1];
    bool found = false;
    if (mesh->has_non_manifold_edges) {
        nav_overlay_spend(a->budget, end - first);
        for (uint32_t i = first; i < end && !found; ++i) {
            found = nav_turning_is_non_manifold(mesh->portal_turning_vertices[i]);
        }
    }
    return found;
}

// Ground within a polygon is like the polygon's: where another one lies over its border, or it has
// no area, paths that turn do not show all.
static bool is_non_manifold(const assembly *a, const join *j)
{
    const nav_convex *from = &a->placed->convexes[j->from], *to = &a->placed->convexes[j->to];
    if (j->over == NAV_NONE) {
        return from->thin || a->non_manifold[j->from];
    }
    return from->thin || to->thin ||
           nav_turning_is_non_manifold(a->o->mesh->portal_turning_vertices[j->over]);
}

// The turning vertices at a portal's ends. A way over a bridge that shapes have cut may have to
// come back over another part of it.
static void set_turning_vertices(const assembly *a, const join *j, const nav_portal *portal,
                                 uint32_t out[2])
{
    const nav_mesh *mesh = a->o->mesh;
    if (j->right != NAV_NONE) {
        const bool bridge = j->over != NAV_NONE &&
                            (mesh->portal_turning_vertices[j->over][1] & NAV_TURNING_BRIDGE) != 0 &&
                            is_whole(mesh, j, portal);
        const bool non_manifold = is_non_manifold(a, j);
        out[0] = NAV_TURNING_NUMBER | (non_manifold ? NAV_TURNING_NON_MANIFOLD : 0);
        out[1] = NAV_TURNING_NUMBER | (bridge ? NAV_TURNING_BRIDGE : 0);
        a->o->costs.has_non_manifold_edges = a->o->costs.has_non_manifold_edges || non_manifold;
        return;
    }
    for (int right = 0; right < 2; ++right) {
        const uint32_t known = mesh->portal_turning_vertices[j->over][right];
        const bool is_near =
            nav_polygon_list_has(&a->placed->cut->turning_vertices, known & NAV_TURNING_NUMBER);
        out[right] = is_near ? (known | NAV_TURNING_NUMBER) & ~NAV_TURNING_POSSIBLE : known;
    }
}

// By fragment, so that each one's portals stand in a row, in the order in which they were found.
static bool make_portals(assembly *a)
{
    nav_overlay *o = a->o;
    o->portals = nav_overlay_alloc(a->budget, a->join_count, sizeof *o->portals);
    o->turning_vertices = nav_overlay_alloc(a->budget, a->join_count, sizeof *o->turning_vertices);
    if (a->budget->failed) {
        return false;
    }
    for (uint32_t i = 0; i < a->join_count; ++i) {
        ++o->fragments[a->joins[i].from].portal_count;
    }
    for (uint32_t i = 0; i < o->count.fragments; ++i) {
        o->fragments[i].portal_first = o->count.portals;
        o->count.portals += o->fragments[i].portal_count;
        o->fragments[i].portal_count = 0;
    }
    NAV_ASSERT(o->count.portals == a->join_count);
    for (uint32_t i = 0; i < a->join_count && !a->budget->failed; ++i) {
        const join *j = &a->joins[i];
        nav_fragment *from = &o->fragments[j->from];
        const uint32_t at = from->portal_first + from->portal_count++;
        o->portals[at] = portal_of(a, j);
        set_turning_vertices(a, j, &o->portals[at], o->turning_vertices[at]);
    }
    return !a->budget->failed;
}

// ---- exported ----

bool nav_fragments_join(nav_overlay *overlay, const nav_placed_ground *placed)
{
    const nav_mesh *mesh = overlay->mesh;
    assembly a = {.budget = placed->places->budget, .o = overlay, .placed = placed};
    a.non_manifold = nav_overlay_alloc(a.budget, overlay->count.fragments, sizeof *a.non_manifold);
    if (!list_edges(&a)) {
        return false;
    }
    for (uint32_t i = 0; i < overlay->count.fragments && !a.budget->failed;
         i += overlay->fragments[i].sibling_count) {
        const uint32_t base = overlay->fragments[i].base;
        const bool non_manifold = has_non_manifold_edge(&a, base);
        for (uint32_t k = 0; k < overlay->fragments[i].sibling_count; ++k) {
            a.non_manifold[i + k] = non_manifold;
        }
        for (uint32_t k = mesh->portal_first[base];
             k < mesh->portal_first[base + 1] && !a.budget->failed; ++k) {
            join_portal(&a, i, k);
        }
    }
    for (uint32_t i = 0; i < placed->cut->lines.count && !a.budget->failed; ++i) {
        join_line(&a, i);
    }
    return !a.budget->failed && make_portals(&a);
}
