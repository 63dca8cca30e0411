// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// node.c: the memory of nodes, how far it is through one to a point, and where the way bends.

#include "core/query/search/polyanya/expansion.h"

#include "core/query/view/scratch.h"

#include <string.h>

// The point where the ray from the root through a point crosses the portal. Unlike cross_interval
// it computes with the mesh's coordinates, as the rest of this file, and so rounds in another way.
static void cross_portal(const double root[2], const double through[2], const nav_portal *portal,
                         double out[2])
{
    const double dx = through[0] - root[0], dz = through[1] - root[1];
    const double lx = (double)portal->left[0] - root[0], lz = (double)portal->left[1] - root[1];
    double edge[2];
    nav_plane_offset(portal->left, portal->right, edge);
    const double slant = nav_plane_cross(dx, dz, edge[0], edge[1]);
    double t = slant != 0.0 ? nav_plane_cross(lx, lz, dx, dz) / slant : 0.0;
    t = t > 0.0 ? t < 1.0 ? t : 1.0 : 0.0;
    out[0] = (double)portal->left[0] + edge[0] * t;
    out[1] = (double)portal->left[1] + edge[1] * t;
}

// A point, or, if it lies before the portal, its mirror image behind it, which is as far.
static void find_image(const nav_portal *portal, const float point[2], double out[2])
{
    const double off = nav_plane_side_of(portal->left, portal->right, point);
    set_point(out, point);
    if (off > 0.0) {
        double edge[2];
        nav_plane_offset(portal->left, portal->right, edge);
        const double shift = 2.0 * off / nav_plane_length2(edge[0], edge[1]);
        out[0] += edge[1] * shift;
        out[1] -= edge[0] * shift;
    }
}

static inline bool is_open(const nav_polyanya *s, const nav_polyanya_node *node)
{
    return !nav_polyanya_is_over_edge(s, node->portal) || is_at(node->left, node->root) ||
           is_at(node->right, node->root);
}

// The point where the way from the root to a point behind the portal must bend, because the
// straight line misses the node. False: nowhere.
static bool find_bend(const nav_polyanya_node *node, const nav_portal *portal, const double at[2],
                      double bend[2])
{
    const double root[2] = {(double)node->root[0], (double)node->root[1]};
    if (nav_plane_side(root, node->left, at) < 0.0) {
        cross_portal(root, node->left, portal, bend);
        return true;
    }
    if (nav_plane_side(root, node->right, at) > 0.0) {
        cross_portal(root, node->right, portal, bend);
        return true;
    }
    return false;
}

bool nav_polyanya_bend(const nav_polyanya *s, const nav_polyanya_node *node, const float point[2],
                       double bend[2])
{
    if (is_open(s, node)) {
        return false;
    }
    const nav_portal *portal = nav_view_portal(s->view, node->portal);
    double at[2];
    find_image(portal, point, at);
    return find_bend(node, portal, at, bend);
}

double nav_polyanya_distance(const nav_polyanya *s, const nav_polyanya_node *node,
                             const float point[2])
{
    if (is_open(s, node)) {
        return nav_plane_distance_of(node->root, point);
    }
    const nav_portal *portal = nav_view_portal(s->view, node->portal);
    const double root[2] = {(double)node->root[0], (double)node->root[1]};
    double at[2], bend[2];
    find_image(portal, point, at);
    return find_bend(node, portal, at, bend)
               ? nav_plane_distance(root, bend) + nav_plane_distance(bend, at)
               : nav_plane_distance(root, at);
}

// How far it is from the root to the nearest point where the node passes its portal.
static double distance_to_interval(const nav_polyanya *s, const nav_polyanya_node *node)
{
    if (is_open(s, node)) {
        return 0.0;
    }
    const nav_portal *portal = nav_view_portal(s->view, node->portal);
    const double root[2] = {(double)node->root[0], (double)node->root[1]};
    double a[2], b[2], edge[2];
    cross_portal(root, node->left, portal, a);
    cross_portal(root, node->right, portal, b);
    nav_plane_offset(portal->left, portal->right, edge);
    // Along the portal, from either end of the interval that is seen: the foot lies within, or not.
    if (nav_plane_dot(root[0] - a[0], root[1] - a[1], edge[0], edge[1]) <= 0.0) {
        return nav_plane_distance(root, a);
    }
    if (nav_plane_dot(root[0] - b[0], root[1] - b[1], edge[0], edge[1]) >= 0.0) {
        return nav_plane_distance(root, b);
    }
    return fabs(nav_plane_side_of(portal->left, portal->right, node->root)) /
           nav_plane_length(edge[0], edge[1]);
}

void nav_polyanya_point(const nav_polyanya *s, const nav_polyanya_node *node, float out[2])
{
    out[0] = node->root[0];
    out[1] = node->root[1];
    if (distance_to_interval(s, node) == 0.0) {
        return;
    }
    // The foot of the root on the portal's line, or where the nearer ray crosses it.
    const nav_portal *portal = nav_view_portal(s->view, node->portal);
    double edge[2], away[2];
    nav_plane_offset(portal->left, portal->right, edge);
    nav_plane_offset(portal->left, node->root, away);
    const double along =
        nav_plane_dot(away[0], away[1], edge[0], edge[1]) / nav_plane_length2(edge[0], edge[1]);
    out[0] = (float)((double)portal->left[0] + edge[0] * along);
    out[1] = (float)((double)portal->left[1] + edge[1] * along);
    double bend[2];
    if (nav_polyanya_bend(s, node, out, bend)) {
        out[0] = (float)bend[0];
        out[1] = (float)bend[1];
    }
}

void nav_polyanya_interval(const nav_polyanya *s, const nav_polyanya_node *node, float left[2],
                           float right[2])
{
    if (!nav_polyanya_is_over_edge(s, node->portal)) {
        memcpy(left, node->root, sizeof node->root);
        memcpy(right, node->root, sizeof node->root);
        return;
    }
    const nav_portal *portal = nav_view_portal(s->view, node->portal);
    const double root[2] = {(double)node->root[0], (double)node->root[1]};
    const double *rays[2] = {node->left, node->right};
    const float *ends[2] = {portal->left, portal->right};
    float *out[2] = {left, right};
    for (int side = 0; side < 2; ++side) {
        double at[2] = {(double)ends[side][0], (double)ends[side][1]};
        if (!is_at(rays[side], node->root)) {
            cross_portal(root, rays[side], portal, at);
        }
        out[side][0] = (float)at[0];
        out[side][1] = (float)at[1];
    }
}

// ---- memory ----

// A search holds at most this many nodes, whatever room others before it have made.
#define NODES_MAX (1u << 21)

bool nav_polyanya_grow(nav_polyanya *s, uint32_t more)
{
    nav_polyanya_scratch *scratch = s->scratch;
    NAV_ASSERT(s->count <= scratch->capacity || scratch->nodes == NULL);
    NAV_ASSERT(s->open.count <= s->count);
    if ((size_t)s->count + more > NODES_MAX) {
        return false;
    }
    size_t capacity = 1024 + 2 * ((size_t)s->count + more);
    capacity = capacity < NODES_MAX ? capacity : NODES_MAX;
    const nav_block_array arrays[] = {NAV_BLOCK_ARRAY(scratch->nodes, capacity, s->count),
                                      NAV_BLOCK_ARRAY(scratch->open, capacity, s->open.count)};
    if (!nav_block_make(&scratch->node_block, &scratch->allocator, arrays, 2)) {
        return false;
    }
    s->open.entries = scratch->open;
    NAV_ASSERT(capacity - s->count >= more);
    scratch->capacity = (uint32_t)capacity;
    return true;
}
