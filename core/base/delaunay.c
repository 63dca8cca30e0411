// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// delaunay.c: Delaunay triangulation of a convex polygon and of points added in it.
//
// The polygon itself is triangulated by the rising bubble: of all circles through the ends of an
// edge, the one that meets the first corner is empty. A further point removes the triangles whose
// circle contains it and fills the hole with a star:
//
//      o-----o           o-----o         The hole is always seen whole from the point, because
//     / \   / \         / \   / \        the triangulation is Delaunay, the predicates are exact
//    /   \ /   \       /   \ /   \       and the polygon is convex. A star has two triangles
//   o-----o-----o  ->  o----x-----o      more than the hole had; one more, when the point lies
//    \   / \ x /       \   /|\   /       on the border, since that edge spans no triangle.
//     \ /   \ /         \ / | \ /
//      o-----o           o--+--o
//
// Sources: L. Guibas, J. Stolfi, "Primitives for the Manipulation of General Subdivisions and the
// Computation of Voronoi Diagrams", ACM Transactions on Graphics 4 (1985): rising bubble, walk.
// C. L. Lawson, "Software for C1 Surface Interpolation", Mathematical Software III (1977): local
// optimality implies Delaunay. A. Bowyer and D. F. Watson, The Computer Journal 24 (1981):
// insertion.

#include "core/base/delaunay.h"
#include "core/base/plane.h"

#include <string.h>

#define POINT_CAPACITY_MIN 64u

__extension__ typedef __int128 int128;

int64_t nav_delaunay_orient(nav_delaunay_point a, nav_delaunay_point b, nav_delaunay_point c)
{
    return nav_plane_cross_i((int64_t)b.u - a.u, (int64_t)b.v - a.v, (int64_t)c.u - a.u,
                             (int64_t)c.v - a.v);
}

int nav_delaunay_in_circle(nav_delaunay_point a, nav_delaunay_point b, nav_delaunay_point c,
                           nav_delaunay_point d)
{
    int64_t au = (int64_t)a.u - d.u, av = (int64_t)a.v - d.v;
    int64_t bu = (int64_t)b.u - d.u, bv = (int64_t)b.v - d.v;
    int64_t cu = (int64_t)c.u - d.u, cv = (int64_t)c.v - d.v;
    int128 sum = (int128)(au * au + av * av) * nav_plane_cross_i(bu, bv, cu, cv);
    sum += (int128)(bu * bu + bv * bv) * nav_plane_cross_i(cu, cv, au, av);
    sum += (int128)(cu * cu + cv * cv) * nav_plane_cross_i(au, av, bu, bv);
    return (sum > 0) - (sum < 0);
}

// Directions with an angle in [0, 180) degrees are "up"; one turn around a polygon enters that half
// exactly once.
static bool points_up(nav_delaunay_point from, nav_delaunay_point to)
{
    return to.v > from.v || (to.v == from.v && to.u > from.u);
}

bool nav_delaunay_convex(const nav_delaunay_point *corners, uint32_t count)
{
    uint32_t turns = 0;
    bool has_area = false;
    for (uint32_t i = 0; i < count; i++) {
        nav_delaunay_point a = corners[i];
        nav_delaunay_point b = corners[(i + 1) % count];
        nav_delaunay_point c = corners[(i + 2) % count];
        int64_t turn = nav_delaunay_orient(a, b, c);
        bool repeated = b.u == a.u && b.v == a.v;
        bool enters_up = !points_up(a, b) && points_up(b, c);
        bool leaves_up = points_up(a, b) && !points_up(b, c);
        if (repeated || turn < 0 || (turn == 0 && (enters_up || leaves_up))) {
            return false;
        }
        has_area = has_area || turn > 0;
        turns += enters_up;
    }
    return has_area && turns == 1;
}

// A triangulation of n points has fewer than 2n triangles, and a hole fewer than 2n edges.
bool nav_delaunay_reserve(nav_delaunay *mesh, nav_arena *arena, uint32_t point_count)
{
    if (point_count <= mesh->point_capacity) {
        return true;
    }
    size_t capacity = (size_t)mesh->point_capacity * 2;
    capacity = capacity < POINT_CAPACITY_MIN ? POINT_CAPACITY_MIN : capacity;
    capacity = capacity < point_count ? point_count : capacity;
    capacity = capacity > UINT32_MAX / 2 ? UINT32_MAX / 2 : capacity;
    if (point_count > capacity) {
        return false;
    }
    size_t points = mesh->point_count;
    size_t triangles = mesh->triangle_count;
    nav_delaunay grown = *mesh;
    grown.points = nav_arena_grow(arena, mesh->points, points, capacity, sizeof *grown.points);
    grown.border = nav_arena_grow(arena, mesh->border, points, capacity, sizeof *grown.border);
    grown.triangles =
        nav_arena_grow(arena, mesh->triangles, triangles, capacity * 2, sizeof *grown.triangles);
    grown.spokes = NAV_NEW(arena, uint32_t, capacity);
    grown.changed = NAV_NEW(arena, uint32_t, capacity * 2);
    grown.edges = NAV_NEW(arena, nav_delaunay_edge, capacity * 2);
    grown.marks = NAV_NEW_ZERO(arena, uint32_t, capacity * 2);
    grown.mark = 0;
    grown.changed_count = 0;
    grown.point_capacity = (uint32_t)capacity;
    if (grown.points == NULL || grown.border == NULL || grown.triangles == NULL ||
        grown.spokes == NULL || grown.changed == NULL || grown.edges == NULL ||
        grown.marks == NULL) {
        return false;
    }
    *mesh = grown;
    return true;
}

// Triangulates the corners first .. last, whose closing edge last -> first belongs to outer (or to
// the border). A corner on that closing edge would lie inside every circle through its ends, so
// that the edge would not have been chosen: there always is a corner on the inner side.
static uint32_t triangulate_corners(nav_delaunay *mesh, uint32_t first, uint32_t last,
                                    uint32_t outer)
{
    const nav_delaunay_point *points = mesh->points;
    uint32_t apex = NAV_NONE;
    for (uint32_t i = first + 1; i < last; i++) {
        if (nav_delaunay_orient(points[first], points[i], points[last]) <= 0) {
            continue;
        }
        if (apex == NAV_NONE ||
            nav_delaunay_in_circle(points[first], points[apex], points[last], points[i]) > 0) {
            apex = i;
        }
    }
    NAV_ASSERT(apex != NAV_NONE);
    uint32_t triangle = mesh->triangle_count++;
    nav_delaunay_triangle *made = &mesh->triangles[triangle];
    *made = (nav_delaunay_triangle){{first, apex, last}, {NAV_NONE, NAV_NONE, outer}};
    if (outer == NAV_NONE) {
        mesh->border[last] = triangle;
    }
    if (apex == first + 1) {
        mesh->border[first] = triangle;
    } else {
        made->neighbours[0] = triangulate_corners(mesh, first, apex, triangle);
    }
    if (apex + 1 == last) {
        mesh->border[apex] = triangle;
    } else {
        made->neighbours[1] = triangulate_corners(mesh, apex, last, triangle);
    }
    return triangle;
}

void nav_delaunay_begin(nav_delaunay *mesh, const nav_delaunay_point *corners, uint32_t count)
{
    NAV_ASSERT(count <= mesh->point_capacity);
    NAV_DCHECK(nav_delaunay_convex(corners, count));
    memcpy(mesh->points, corners, count * sizeof *corners);
    mesh->point_count = count;
    mesh->triangle_count = 0;
    mesh->changed_count = 0;
    triangulate_corners(mesh, 0, count - 1, NAV_NONE);
    NAV_ASSERT(mesh->triangle_count == count - 2);
}

// Steps over any edge that has the point on its far side. In a Delaunay triangulation such a walk
// never goes round in circles.
uint32_t nav_delaunay_find(const nav_delaunay *mesh, uint32_t hint, nav_delaunay_point point)
{
    uint32_t triangle = hint;
    uint32_t edge = 0;
    while (edge < 3) {
        const nav_delaunay_triangle *at = &mesh->triangles[triangle];
        for (edge = 0; edge < 3; edge++) {
            nav_delaunay_point from = mesh->points[at->corners[edge]];
            nav_delaunay_point to = mesh->points[at->corners[(edge + 1) % 3]];
            if (nav_delaunay_orient(from, to, point) < 0) {
                break;
            }
        }
        triangle = edge < 3 ? at->neighbours[edge] : triangle;
        NAV_ASSERT(triangle != NAV_NONE);
    }
    return triangle;
}

// Lists in changed the triangles whose circle contains the point, and in edges the border of the
// hole they leave. Returns the number of edges.
static uint32_t open_hole(nav_delaunay *mesh, uint32_t triangle, nav_delaunay_point point)
{
    uint32_t edge_count = 0;
    // A mark for the next insertion that no triangle bears.
    if (mesh->mark == UINT32_MAX) {
        memset(mesh->marks, 0, (size_t)mesh->point_capacity * 2 * sizeof *mesh->marks);
        mesh->mark = 0;
    }
    mesh->mark++;
    mesh->marks[triangle] = mesh->mark;
    mesh->changed[0] = triangle;
    mesh->changed_count = 1;
    for (uint32_t i = 0; i < mesh->changed_count; i++) {
        const nav_delaunay_triangle *gone = &mesh->triangles[mesh->changed[i]];
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t outer = gone->neighbours[k];
            if (outer != NAV_NONE && mesh->marks[outer] == mesh->mark) {
                continue;
            }
            if (outer != NAV_NONE) {
                const uint32_t *corners = mesh->triangles[outer].corners;
                if (nav_delaunay_in_circle(mesh->points[corners[0]], mesh->points[corners[1]],
                                           mesh->points[corners[2]], point) > 0) {
                    mesh->marks[outer] = mesh->mark;
                    mesh->changed[mesh->changed_count++] = outer;
                    continue;
                }
            }
            mesh->edges[edge_count++] =
                (nav_delaunay_edge){gone->corners[k], gone->corners[(k + 1) % 3], outer};
        }
    }
    return edge_count;
}

// Links the triangle beyond an edge of the hole to the neighbour that it has now.
static void link_outer(nav_delaunay *mesh, const nav_delaunay_edge *edge, uint32_t triangle)
{
    if (edge->outer != NAV_NONE) {
        nav_delaunay_triangle *outer = &mesh->triangles[edge->outer];
        uint32_t k = 0;
        while (outer->corners[k] != edge->to) {
            k++;
        }
        outer->neighbours[k] = triangle;
    }
}

// Links the star's triangles (corner 0 is the new point) to each other along the spokes, and notes
// the edges on the polygon's border.
static void link_star(nav_delaunay *mesh)
{
    for (uint32_t i = 0; i < mesh->changed_count; i++) {
        uint32_t triangle = mesh->changed[i];
        uint32_t next = mesh->spokes[mesh->triangles[triangle].corners[2]];
        mesh->triangles[triangle].neighbours[2] = next;
        if (next != NAV_NONE) {
            mesh->triangles[next].neighbours[0] = triangle;
        }
    }
    for (uint32_t i = 0; i < mesh->changed_count; i++) {
        const nav_delaunay_triangle *made = &mesh->triangles[mesh->changed[i]];
        for (uint32_t k = 0; k < 3; k++) {
            if (made->neighbours[k] == NAV_NONE) {
                mesh->border[made->corners[k]] = mesh->changed[i];
            }
        }
    }
}

uint32_t nav_delaunay_insert(nav_delaunay *mesh, uint32_t triangle, nav_delaunay_point point)
{
    NAV_ASSERT(mesh->point_count < mesh->point_capacity);
    uint32_t edge_count = open_hole(mesh, triangle, point);
    uint32_t index = mesh->point_count++;
    uint32_t hole_count = mesh->changed_count;
    mesh->points[index] = point;
    mesh->changed_count = 0;
    for (uint32_t i = 0; i < edge_count; i++) {
        const nav_delaunay_edge *edge = &mesh->edges[i];
        int64_t area = nav_delaunay_orient(mesh->points[edge->from], mesh->points[edge->to], point);
        NAV_DCHECK(area > 0 || (area == 0 && edge->outer == NAV_NONE));
        if (area == 0) {
            mesh->spokes[edge->from] = NAV_NONE;
            continue;
        }
        // The first slots are those of the hole, which changed still lists.
        uint32_t slot = mesh->changed_count++;
        uint32_t made = slot < hole_count ? mesh->changed[slot] : mesh->triangle_count++;
        mesh->changed[slot] = made;
        mesh->spokes[edge->from] = made;
        mesh->triangles[made] = (nav_delaunay_triangle){{index, edge->from, edge->to},
                                                        {NAV_NONE, edge->outer, NAV_NONE}};
        link_outer(mesh, edge, made);
    }
    NAV_DCHECK(mesh->changed_count > hole_count);
    link_star(mesh);
    return index;
}
