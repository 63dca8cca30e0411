// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// mesh_pivots.c: the places around which a shortest path may turn.
//
//     \  wall  /            A pivot is an end of portals. Ends are one pivot where the ground hangs
//      \      /             together around it: two rooms that only touch in a corner have two. A
//       .----x - - portal   path may turn where the ground around the pivot ends at walls and takes
//       |    |              up more than half a turn; everywhere else a straight line is shorter.
//       |  portal
//
// Where two storeys end on one edge of a third polygon, ground branches like a folded sheet: a way
// from one storey to the other may touch the edge anywhere and go back. Portals over such an edge
// are marked as folds; a search that keeps to straight lines cannot speak for what is behind them.
//
// "More than half a turn" is found by multiplying the corners' angles as complex numbers, so that
// no library's arc tangent decides. Half a turn itself counts as more: that costs a little time
// where a wall is straight, and a path nowhere.

#include "mesh.h"

#include <math.h>

// Of an angle of half a turn: what counts as more.
#define HALF_TURN_TOLERANCE 1e-6

// Ends of portals: 2 * portal is the left one, 2 * portal + 1 the right one.
typedef struct fans {
    nav_mesh *mesh;
    uint32_t *parents;   // union-find over ends
    uint32_t *back;      // by portal: the same portal from the other side, or NAV_NONE
    bool *alone;         // by end: it meets no other end in its polygon, so there is a wall
    bool *folded;        // by portal: another one out of its polygon lies over it
    bool *walled;        // by root: one of its ends is alone
    double (*turned)[2]; // by root: the sum of angles so far, as a direction
    bool *wide;          // by root: the sum has come to half a turn
} fans;

static uint32_t find_root(uint32_t *parents, uint32_t end)
{
    while (parents[end] != end) {
        parents[end] = parents[parents[end]];
        end = parents[end];
    }
    return end;
}

static void join(uint32_t *parents, uint32_t a, uint32_t b)
{
    a = find_root(parents, a);
    b = find_root(parents, b);
    parents[a > b ? a : b] = a < b ? a : b;
}

static bool same_place(const float a[2], const float b[2])
{
    return a[0] == b[0] && a[1] == b[1];
}

static uint32_t find_reverse(const nav_mesh *mesh, const nav_portal *portal)
{
    const uint32_t end = mesh->portal_first[portal->to + 1];
    for (uint32_t i = mesh->portal_first[portal->to]; i < end; ++i) {
        const nav_portal *back = &mesh->portals[i];
        if (back->to == portal->from && same_place(back->left, portal->right) &&
            same_place(back->right, portal->left)) {
            return i;
        }
    }
    return NAV_NONE;
}

// Whether one of two portals out of a polygon lies over the other: they begin in one place, or one
// begins within the other. Only on a tile's border do two storeys end on one edge.
static bool overlap(const nav_portal *a, const nav_portal *b)
{
    for (int axis = 0; axis < 2; ++axis) {
        const float low = fminf(a->left[1 - axis], a->right[1 - axis]);
        const float high = fmaxf(a->left[1 - axis], a->right[1 - axis]);
        if (a->left[axis] == a->right[axis] && b->right[axis] == a->right[axis] &&
            b->left[axis] == a->right[axis] && fmaxf(b->left[1 - axis], b->right[1 - axis]) > low &&
            fminf(b->left[1 - axis], b->right[1 - axis]) < high) {
            return true;
        }
    }
    return false;
}

// Joins a portal's left end with the right end that it meets in its polygon. What meets no other
// end is beside a wall.
static void join_in_polygon(fans *f, uint32_t index)
{
    const nav_mesh *mesh = f->mesh;
    const nav_portal *portal = &mesh->portals[index];
    const uint32_t end = mesh->portal_first[portal->from + 1];
    for (uint32_t i = mesh->portal_first[portal->from]; i < end; ++i) {
        if (i == index) {
            continue;
        }
        const nav_portal *other = &mesh->portals[i];
        if (same_place(portal->left, other->right)) {
            join(f->parents, 2 * index, 2 * i + 1);
            f->alone[2 * index] = false;
            f->alone[2 * i + 1] = false;
        }
        f->folded[index] = f->folded[index] || overlap(portal, other);
    }
}

static void join_ends(fans *f)
{
    const nav_mesh *mesh = f->mesh;
    for (uint32_t i = 0; i < mesh->edge_portal_count; ++i) {
        join_in_polygon(f, i);
        f->back[i] = find_reverse(mesh, &mesh->portals[i]);
        if (f->back[i] != NAV_NONE) {
            join(f->parents, 2 * i, 2 * f->back[i] + 1);
            join(f->parents, 2 * i + 1, 2 * f->back[i]);
        }
    }
}

// The polygon's angle at a place on its border, as a direction: (-1, 0), half a turn, within an
// edge.
static void corner_angle(const nav_mesh *mesh, uint32_t polygon, const float place[2],
                         double out[2])
{
    const uint32_t *corners = mesh->corners + mesh->corner_first[polygon];
    const uint32_t count = mesh->corner_first[polygon + 1] - mesh->corner_first[polygon];
    out[0] = -1.0;
    out[1] = 0.0;
    for (uint32_t k = 0; k < count; ++k) {
        const float *at = mesh->vertices[corners[k]];
        if (at[0] == place[0] && at[2] == place[1]) {
            const float *before = mesh->vertices[corners[k > 0 ? k - 1 : count - 1]];
            const float *after = mesh->vertices[corners[k + 1 < count ? k + 1 : 0]];
            double bx = (double)before[0] - (double)at[0], bz = (double)before[2] - (double)at[2];
            double ax = (double)after[0] - (double)at[0], az = (double)after[2] - (double)at[2];
            out[0] = ax * bx + az * bz;
            out[1] = fabs(ax * bz - az * bx);
            return;
        }
    }
}

static void add_angle(fans *f, uint32_t root, const double angle[2])
{
    double *sum = f->turned[root];
    double x = sum[0] * angle[0] - sum[1] * angle[1];
    double y = sum[0] * angle[1] + sum[1] * angle[0];
    double size = fabs(x) + fabs(y);
    if (size > 0.0) {
        sum[0] = x / size;
        sum[1] = y / size;
    }
    f->wide[root] =
        f->wide[root] || sum[1] < 0.0 || (sum[0] < 0.0 && sum[1] <= HALF_TURN_TOLERANCE);
}

// Every polygon's angle at every walled pivot, once: at a left end, or at a right end that meets no
// left one.
static void sum_angles(fans *f)
{
    const nav_mesh *mesh = f->mesh;
    for (uint32_t end = 0; end < 2 * mesh->edge_portal_count; ++end) {
        const uint32_t root = find_root(f->parents, end);
        const bool is_right = end % 2 == 1;
        if (f->walled[root] && (!is_right || f->alone[end])) {
            const nav_portal *portal = &mesh->portals[end / 2];
            double angle[2];
            corner_angle(mesh, portal->from, is_right ? portal->right : portal->left, angle);
            add_angle(f, root, angle);
        }
    }
}

static void number_pivots(fans *f, uint32_t *numbers)
{
    nav_mesh *mesh = f->mesh;
    mesh->pivot_count = 0;
    mesh->has_folds = false;
    for (uint32_t end = 0; end < 2 * mesh->edge_portal_count; ++end) {
        uint32_t root = find_root(f->parents, end);
        if (root == end) {
            numbers[root] = mesh->pivot_count++;
        }
        mesh->portal_pivots[end / 2][end % 2] =
            numbers[root] | (f->walled[root] && f->wide[root] ? NAV_PIVOT_TURNS : 0);
    }
    for (uint32_t i = 0; i < mesh->edge_portal_count; ++i) {
        if (f->folded[i] || (f->back[i] != NAV_NONE && f->folded[f->back[i]])) {
            mesh->portal_pivots[i][0] |= NAV_PIVOT_FOLDS;
            mesh->has_folds = true;
        }
    }
}

nav_status nav_mesh_find_pivots(nav_mesh *mesh, nav_arena *temporary)
{
    const size_t ends = 2 * (size_t)mesh->edge_portal_count;
    fans f = {.mesh = mesh,
              .parents = NAV_NEW(temporary, uint32_t, ends),
              .alone = NAV_NEW(temporary, bool, ends),
              .folded = NAV_NEW_ZERO(temporary, bool, mesh->edge_portal_count),
              .back = NAV_NEW(temporary, uint32_t, mesh->edge_portal_count),
              .walled = NAV_NEW_ZERO(temporary, bool, ends),
              .turned = nav_arena_alloc(temporary, ends, sizeof(double[2])),
              .wide = NAV_NEW_ZERO(temporary, bool, ends)};
    uint32_t *numbers = NAV_NEW(temporary, uint32_t, ends);
    if (f.parents == NULL || f.alone == NULL || f.folded == NULL || f.back == NULL ||
        f.walled == NULL || f.turned == NULL || f.wide == NULL || numbers == NULL) {
        return NAV_NO_MEMORY;
    }
    for (uint32_t end = 0; end < ends; ++end) {
        f.parents[end] = end;
        f.alone[end] = true;
        f.turned[end][0] = 1.0;
        f.turned[end][1] = 0.0;
    }
    join_ends(&f);
    for (uint32_t end = 0; end < ends; ++end) {
        uint32_t root = find_root(f.parents, end);
        f.walled[root] = f.walled[root] || f.alone[end];
    }
    sum_angles(&f);
    number_pivots(&f, numbers);
    return NAV_OK;
}
