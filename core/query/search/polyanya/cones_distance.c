// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// cones_distance.c: how far it is through a cone to a place.

#include "core/query/search/polyanya/cones_place.h"

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
        (void)cross_portal(cone->root, cone->left, portal, bend);
        return true;
    }
    if (between(cone->root, cone->right, at) > 0.0) {
        (void)cross_portal(cone->root, cone->right, portal, bend);
        return true;
    }
    return false;
}

bool nav_cone_bend(const nav_cones *c, const nav_cone *cone, const float place[2], double bend[2])
{
    if (is_open(c, cone)) {
        return false;
    }
    const nav_portal *portal = &c->view->mesh->portals[cone->portal];
    double at[2];
    find_image(portal, place, at);
    return find_bend(cone, portal, at, bend);
}

double nav_cone_distance(const nav_cones *c, const nav_cone *cone, const float place[2])
{
    if (is_open(c, cone)) {
        return distance(cone->root, place);
    }
    const nav_portal *portal = &c->view->mesh->portals[cone->portal];
    double at[2], bend[2];
    find_image(portal, place, at);
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
    (void)cross_portal(cone->root, cone->left, portal, a);
    (void)cross_portal(cone->root, cone->right, portal, b);
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
