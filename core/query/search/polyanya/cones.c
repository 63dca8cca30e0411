// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// cones.c: expands a cone over the polygon behind its portal. Cui, Harabor, Grastien,
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

#include "core/query/search/polyanya/cones_expansion.h"

// By how much of its coordinates a place may lie off the polygon that it is on.
#define ROUNDING 4e-7

// Of a search for a goal: how many ends of portals are seen from its start past a corner that hides
// them by a grain. Where polygons lie all over each other there would be no end.
#define TOLERANCE_ENDS_MAX 16u

// From so many grains on a place has a direction.
#define DIRECTION_GRAINS 64.0

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

// Whether a place ahead, which lies so far beside a ray, is beside it by a grain only. Of places
// that are next to the root no direction is known.
static inline bool is_barely_beside(const expansion *e, const double ray[2], double tolerance2,
                                    double off, const float at[2])
{
    if (off * off > tolerance2 || e->c->aim == NULL || e->seen_from.turning_vertex != NAV_NONE) {
        return false;
    }
    const float *root = e->seen_from.root;
    const double rx = ray[0] - (double)root[0], rz = ray[1] - (double)root[1];
    const double dx = (double)at[0] - (double)root[0], dz = (double)at[1] - (double)root[1];
    if (!(dx * rx + dz * rz > 0.0) || (dx * dx + dz * dz) * (rx * rx + rz * rz) <=
                                          DIRECTION_GRAINS * DIRECTION_GRAINS * tolerance2) {
        return false;
    }
    return e->c->tolerance_ends++ < TOLERANCE_ENDS_MAX;
}

// One portal out of the polygon: its part between the rays, and what is left and right of them.
static inline void expand_portal(const expansion *e, uint32_t index)
{
    const nav_portal *portal = &e->mesh->portals[index];
    const float *root = e->seen_from.root;
    if (same_place(portal->left, portal->right)) {
        nav_expansion_point(e, index);
        return;
    }
    // Of both ends: right of the left ray, right of the right ray. An end where the root itself
    // stands is on no side: it goes with the other end.
    const float *l = same_place(root, portal->left) ? portal->right : portal->left;
    const float *r = same_place(root, portal->right) ? portal->left : portal->right;
    double left_l, left_r, right_l, right_r;
    if (!e->left_open && !e->right_open) {
        double to_l[2], to_r[2];
        look_at(root, l, to_l);
        look_at(root, r, to_r);
        left_r = cross(e->left_ray, to_r);
        right_l = cross(e->right_ray, to_l);
        const bool turns = (e->turn_left.turning_vertex & e->turn_right.turning_vertex) != NAV_NONE;
        const bool is_beside = (left_r < 0.0) | (right_l > 0.0);
        const bool touches = (left_r == 0.0) | (right_l == 0.0);
        if (is_beside & !touches & !turns) {
            return;
        }
        left_l = cross(e->left_ray, to_l);
        right_r = cross(e->right_ray, to_r);
    } else {
        left_l = e->left_open ? 1.0 : side_or(root, e->left, l, e->right_open, 1.0);
        left_r = e->left_open ? 1.0 : side_or(root, e->left, r, e->right_open, 1.0);
        right_l = e->right_open ? -1.0 : side_or(root, e->right, l, e->left_open, -1.0);
        right_r = e->right_open ? -1.0 : side_or(root, e->right, r, e->left_open, -1.0);
    }
    const bool on_left = (left_l == 0.0) & (left_r == 0.0);
    const bool on_right = (right_l == 0.0) & (right_r == 0.0);
    if (on_left | on_right) {
        nav_expansion_edge_on(e, index, on_left);
    }
    if (e->turn_left.turning_vertex != NAV_NONE && ((left_l < 0.0) | (left_r < 0.0) | on_left)) {
        add_seen(e, &e->turn_left, index, NULL, left_r <= 0.0 ? NULL : e->behind_left);
    }
    const uint32_t before = e->c->count;
    if ((left_r > 0.0) & (right_l < 0.0)) {
        // An end that is hidden from the start by a grain only is seen: a place on a straight wall
        // and the wall's corners do not lie on one line to the last bit.
        const double *left =
            left_l >= 0.0 || is_barely_beside(e, e->left, e->left_tolerance2, left_l, portal->left)
                ? NULL
                : e->left;
        const double *right = right_r <= 0.0 || is_barely_beside(e, e->right, e->right_tolerance2,
                                                                 right_r, portal->right)
                                  ? NULL
                                  : e->right;
        if (e->left_open || e->right_open) {
            add_seen(e, &e->seen_from, index, left, right);
        } else if (left != NULL || right != NULL ||
                   side_of(root, portal->left, portal->right) > 0.0) {
            add_cone(e, &e->seen_from, index, left, right);
        }
    }
    if (e->turn_right.turning_vertex != NAV_NONE &&
        ((right_r > 0.0) | (right_l > 0.0) | on_right)) {
        add_seen(e, &e->turn_right, index, right_l >= 0.0 ? NULL : e->behind_right, NULL);
    }
    if (e->c->count == before && e->left_open != e->right_open &&
        (e->left_open
             ? right_l * right_l <= e->right_tolerance2 && right_r * right_r <= e->right_tolerance2
             : left_l * left_l <= e->left_tolerance2 && left_r * left_r <= e->left_tolerance2)) {
        nav_expansion_thin(e, index);
    }
}

// Whether a ray of a cone touches the portal's end, and that is a pivot to turn at.
static inline bool may_turn(const nav_cones *c, const nav_cone *cone, const double ray[2],
                            const float end[2], int right)
{
    return is_at(ray, end) &&
           (turning_vertex_of(c, cone->portal, right) & NAV_TURNING_POSSIBLE) != 0 &&
           !same_place(end, cone->root);
}

// A turn around such an end, where no shorter way there is known.
static void find_turn(const nav_cones *c, const nav_cone *cone, const float end[2], int right,
                      source *out, double behind[2])
{
    const uint32_t number = turning_vertex_of(c, cone->portal, right) & NAV_TURNING_NUMBER;
    const double g = cone->g + distance(cone->root, end);
    const nav_turning_mark *mark = &c->pool->marks[number];
    if (!is_followed(mark, g, cone->root, end)) {
        return;
    }
    if (c->limit < (double)INFINITY && c->aim != NULL) {
        const double straight = distance(end, c->aim), left = (double)mark->left;
        if (g + (left > straight ? left : straight) * c->ratio >= c->limit) {
            return;
        }
    }
    *out = (source){{end[0], end[1]}, number, g < mark->g ? g : mark->g};
    behind[0] = 2.0 * (double)end[0] - (double)cone->root[0];
    behind[1] = 2.0 * (double)end[1] - (double)cone->root[1];
}

// Whether a portal out of a polygon with these visits, below which the goal is or is not, is a
// bridge away from the goal.
static inline bool leads_astray(const nav_cones *c, const uint32_t from[2], bool goal_below,
                                uint32_t index)
{
    const nav_mesh *mesh = c->view->mesh;
    if ((mesh->portal_turning_vertices[index][1] & NAV_TURNING_BRIDGE) == 0 ||
        c->goal == NAV_NONE) {
        return false;
    }
    // What is behind it is a run of visits, or, on the way back, all but one.
    const uint32_t *to = mesh->preorder[mesh->portals[index].to];
    return to[0] > from[0] ? c->goal_preorder - to[0] >= to[1] - to[0] : goal_below;
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

// See left_grain2.
static inline double tolerance2_of(const float root[2], const double ray[2])
{
    const double dx = ray[0] - (double)root[0], dz = ray[1] - (double)root[1];
    const double near = ROUNDING * fmax(fabs((double)root[0]), fabs((double)root[1]));
    return near * near * (dx * dx + dz * dz);
}

bool nav_cones_expand(nav_cones *c, const nav_cone *cone, uint32_t polygon, uint32_t parent)
{
    const nav_mesh *mesh = c->view->mesh;
    const uint32_t first = mesh->portal_first[polygon];
    const uint32_t end = mesh->portal_first[polygon + 1];
    const bool over_edge = cone->portal < mesh->edge_portal_count;
    const bool left_open = is_at(cone->left, cone->root);
    const bool right_open = is_at(cone->right, cone->root);
    const uint32_t most = NAV_CONES_A_PORTAL * (end - first);
    if (most > c->pool->capacity - c->count && !nav_cones_make_room(c, most)) {
        return false;
    }
    expansion e; // all but what lies behind the portal's ends is set
    e.c = c;
    e.mesh = mesh;
    e.seen_from = (source){{cone->root[0], cone->root[1]}, cone->turning_vertex, cone->g};
    e.turn_left.turning_vertex = e.turn_right.turning_vertex = NAV_NONE;
    e.left_open = left_open;
    e.right_open = right_open;
    e.left_tolerance2 = e.right_tolerance2 = 0.0;
    e.is_all_open = c->open;
    e.parent = parent;
    for (int axis = 0; axis < 2; ++axis) {
        e.left[axis] = cone->left[axis];
        e.right[axis] = cone->right[axis];
        e.left_ray[axis] = cone->left[axis] - (double)cone->root[axis];
        e.right_ray[axis] = cone->right[axis] - (double)cone->root[axis];
    }
    if (cone->turning_vertex == NAV_NONE || left_open != right_open) {
        e.left_tolerance2 = tolerance2_of(cone->root, cone->left);
        e.right_tolerance2 = tolerance2_of(cone->root, cone->right);
    }
    uint32_t came_from = NAV_NONE;
    if (over_edge) {
        const nav_portal *entry = &mesh->portals[cone->portal];
        came_from = entry->from;
        if (may_turn(c, cone, cone->left, entry->left, 0)) {
            find_turn(c, cone, entry->left, 0, &e.turn_left, e.behind_left);
        }
        if (may_turn(c, cone, cone->right, entry->right, 1)) {
            find_turn(c, cone, entry->right, 1, &e.turn_right, e.behind_right);
        }
    }
    const uint32_t *preorder = mesh->preorder[polygon];
    const bool goal_below = c->goal_preorder - preorder[0] < preorder[1] - preorder[0];
    const bool is_place = left_open && right_open &&
                          (cone->turning_vertex == NAV_NONE || cone->turning_vertex >= c->arc_base);
    for (uint32_t i = first; i < end; ++i) {
        const uint32_t to = mesh->portals[i].to;
        if (to != came_from && !leads_astray(c, preorder, goal_below, i) &&
            (c->open || nav_polygon_cost(c->view, to) < INFINITY)) {
            if (is_place && stands_on(cone->root, &mesh->portals[i])) {
                nav_expansion_step_through(&e, i);
            } else {
                expand_portal(&e, i);
            }
        }
    }
    return true;
}
