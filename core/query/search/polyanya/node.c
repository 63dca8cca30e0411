// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// node.c: how far it is through a node to a place, and where the way bends.

#include "core/query/search/polyanya/expansion.h"

static inline bool is_open(const nav_polyanya *s, const nav_polyanya_node *node)
{
    return node->portal >= s->view->mesh->edge_portal_count || is_at(node->left, node->root) ||
           is_at(node->right, node->root);
}

// The place where the way from the root to a place behind the portal must bend, because the
// straight line misses the node. False: nowhere.
static bool find_bend(const nav_polyanya_node *node, const nav_portal *portal, const double at[2],
                      double bend[2])
{
    if (between(node->root, node->left, at) < 0.0) {
        (void)cross_portal(node->root, node->left, portal, bend);
        return true;
    }
    if (between(node->root, node->right, at) > 0.0) {
        (void)cross_portal(node->root, node->right, portal, bend);
        return true;
    }
    return false;
}

bool nav_polyanya_bend(const nav_polyanya *s, const nav_polyanya_node *node, const float place[2],
                       double bend[2])
{
    if (is_open(s, node)) {
        return false;
    }
    const nav_portal *portal = &s->view->mesh->portals[node->portal];
    double at[2];
    find_image(portal, place, at);
    return find_bend(node, portal, at, bend);
}

double nav_polyanya_distance(const nav_polyanya *s, const nav_polyanya_node *node,
                             const float place[2])
{
    if (is_open(s, node)) {
        return nav_plane_distance(node->root, place);
    }
    const nav_portal *portal = &s->view->mesh->portals[node->portal];
    double at[2], bend[2];
    find_image(portal, place, at);
    if (!find_bend(node, portal, at, bend)) {
        return distance_to(node->root, at);
    }
    const double dx = at[0] - bend[0], dz = at[1] - bend[1];
    return distance_to(node->root, bend) + sqrt(dx * dx + dz * dz);
}

// How far it is from the root to the nearest place where the node passes its portal.
static double distance_to_interval(const nav_polyanya *s, const nav_polyanya_node *node)
{
    if (is_open(s, node)) {
        return 0.0;
    }
    const nav_portal *portal = &s->view->mesh->portals[node->portal];
    const double ex = (double)portal->right[0] - (double)portal->left[0];
    const double ez = (double)portal->right[1] - (double)portal->left[1];
    double a[2], b[2];
    (void)cross_portal(node->root, node->left, portal, a);
    (void)cross_portal(node->root, node->right, portal, b);
    // Along the portal, from either end of the interval that is seen: the foot lies within, or not.
    const double rx = (double)node->root[0], rz = (double)node->root[1];
    if ((rx - a[0]) * ex + (rz - a[1]) * ez <= 0.0) {
        return distance_to(node->root, a);
    }
    if ((rx - b[0]) * ex + (rz - b[1]) * ez >= 0.0) {
        return distance_to(node->root, b);
    }
    return fabs(nav_plane_side_of(portal->left, portal->right, node->root)) /
           sqrt(ex * ex + ez * ez);
}

void nav_polyanya_place(const nav_polyanya *s, const nav_polyanya_node *node, float out[2])
{
    out[0] = node->root[0];
    out[1] = node->root[1];
    if (distance_to_interval(s, node) == 0.0) {
        return;
    }
    // The foot of the root on the portal's line, or where the nearer ray crosses it.
    const nav_portal *portal = &s->view->mesh->portals[node->portal];
    const double ex = (double)portal->right[0] - (double)portal->left[0];
    const double ez = (double)portal->right[1] - (double)portal->left[1];
    const double along = (((double)out[0] - (double)portal->left[0]) * ex +
                          ((double)out[1] - (double)portal->left[1]) * ez) /
                         (ex * ex + ez * ez);
    out[0] = (float)((double)portal->left[0] + ex * along);
    out[1] = (float)((double)portal->left[1] + ez * along);
    double bend[2];
    if (nav_polyanya_bend(s, node, out, bend)) {
        out[0] = (float)bend[0];
        out[1] = (float)bend[1];
    }
}
