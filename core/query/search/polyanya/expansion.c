// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// expansion.c: expands a node over the polygon behind its portal. Cui, Harabor, Grastien,
// "Compromise-free pathfinding on a navigation mesh", IJCAI 2017 (Polyanya).
//
//             .------a------.       Ground between the rays is seen from the root: nodes of the
//     left   /       |       \      same root through the polygon's other portals. Ground left
//     ray ..X        |        \     of the left ray can be reached by a turn around X only, where
//        ../|     seen from    |    the ray touches the portal's end and that is a turning vertex:
//        nodes
//  root  `  | portal  root     |    with X as root. The same on the right.
//         `.|                 .'
//            `-.____________.'
//
// A node is dropped where its points are all reached as well by another way: an end of the portal
// is known to be so near that walking along the portal from there beats the node (Xin, Wang,
// "Improving Chen and Han's algorithm on the discrete geodesic problem", 2009).

#include "core/query/search/polyanya/expansion.h"

#include "core/query/view/scratch.h"

// How many ends of portals a search for a goal sees from its start though a corner hides them, by
// no more than the tolerance. Polygons that lie all over each other would have no end of them.
#define TOLERANCE_ENDS_MAX 16u

// The side of a ray on which a point lies, both as seen from the root. A root that stands on its
// portal sees half a turn: a point on the ray's line, but behind the root, then gives `opposite`;
// where shapes have cut lines by chance, so does one from which the line to the ray's point passes
// the root but for rounding.
static inline double side_or(const double ray[2], double tolerance2, const double at[2],
                             bool half_turn, double opposite)
{
    const double off = nav_plane_cross_rays(ray, at);
    if (!half_turn || !(nav_plane_dot(ray[0], ray[1], at[0], at[1]) < 0.0)) {
        return off;
    }
    const double across2 = nav_plane_length2(at[0] - ray[0], at[1] - ray[1]);
    return off * off * nav_plane_length2(ray[0], ray[1]) <= tolerance2 * across2 ? opposite : off;
}

// Whether a point ahead, which lies so far beside a ray, is beside it by the tolerance only. Points
// that are next to the root have no known direction. Asked of the start of a search for a goal, and
// where shapes have been cut out of the ground of every root: outlines may lie on one line, whose
// points are rounded to both sides of it, so that a corner within a polygon hides another one.
static inline bool is_barely_beside(const expansion *e, const double ray[2], double tolerance2,
                                    double off, const float at[2], bool cut)
{
    if (off * off > tolerance2 ||
        (!cut && (!e->s->has_goal || e->seen_from.turning_vertex != NAV_NONE))) {
        return false;
    }
    double to[2];
    nav_plane_offset(e->seen_from.root, at, to);
    if (!(nav_plane_dot(to[0], to[1], ray[0], ray[1]) > 0.0) ||
        nav_plane_length2(to[0], to[1]) * nav_plane_length2(ray[0], ray[1]) <=
            NAV_DIRECTION_TOLERANCES * NAV_DIRECTION_TOLERANCES * tolerance2) {
        return false;
    }
    return cut || e->s->tolerance_ends++ < TOLERANCE_ENDS_MAX;
}

// Whether an end of a portal, which lies so far beside both rays, is between them but for rounding.
static inline bool is_within(const expansion *e, double off_left, double off_right)
{
    return (off_left > 0.0 || off_left * off_left <= e->left_tolerance2) &&
           (off_right < 0.0 || off_right * off_right <= e->right_tolerance2);
}

// A portal that has no part between the rays; the distances of its ends from each ray. `cut`:
// shapes have been cut out of the ground.
__attribute__((always_inline)) static inline void expand_unseen(const expansion *e, uint32_t index,
                                                                const double off_left[2],
                                                                const double off_right[2],
                                                                const bool cut)
{
    if (e->left_open != e->right_open) {
        const double *off = e->left_open ? off_right : off_left;
        const double tolerance2 = e->left_open ? e->right_tolerance2 : e->left_tolerance2;
        if (off[0] * off[0] <= tolerance2 && off[1] * off[1] <= tolerance2) {
            nav_expansion_thin(e, index);
        }
    } else if (cut && !e->left_open &&
               (is_within(e, off_left[0], off_right[0]) ||
                is_within(e, off_left[1], off_right[1]))) {
        nav_expansion_add_hidden(e, index);
    }
}

// One portal out of the polygon: its part between the rays, and what is left and right of them.
// `cut`: shapes have been cut out of the ground.
__attribute__((always_inline)) static inline void expand_portal(const expansion *e, uint32_t index,
                                                                const nav_portal *portal,
                                                                const uint32_t ends[2],
                                                                const bool cut)
{
    const float *root = e->seen_from.root;
    if (nav_plane_same(portal->left, portal->right)) {
        nav_expansion_point(e, index);
        return;
    }
    // How far each end is to the right of each ray: left_r is the right end's, of the left ray. An
    // end where the root itself stands is on no side: the other end stands for it.
    const float *l = nav_plane_same(root, portal->left) ? portal->right : portal->left;
    const float *r = nav_plane_same(root, portal->right) ? portal->left : portal->right;
    double to_l[2], to_r[2];
    nav_plane_offset(root, l, to_l);
    nav_plane_offset(root, r, to_r);
    const double near_left = cut ? e->left_tolerance2 : 0.0;
    const double near_right = cut ? e->right_tolerance2 : 0.0;
    const double left_l =
        e->left_open ? 1.0 : side_or(e->left_ray, near_left, to_l, e->right_open, 1.0);
    const double left_r =
        e->left_open ? 1.0 : side_or(e->left_ray, near_left, to_r, e->right_open, 1.0);
    const double right_l =
        e->right_open ? -1.0 : side_or(e->right_ray, near_right, to_l, e->left_open, -1.0);
    const double right_r =
        e->right_open ? -1.0 : side_or(e->right_ray, near_right, to_r, e->left_open, -1.0);
    const bool on_left = (left_l == 0.0) & (left_r == 0.0);
    const bool on_right = (right_l == 0.0) & (right_r == 0.0);
    if (on_left | on_right) {
        nav_expansion_edge_on(e, index, on_left);
    }
    if (e->turn_left.turning_vertex != NAV_NONE && ((left_l < 0.0) | (left_r < 0.0) | on_left)) {
        nav_expansion_add_seen(e, &e->turn_left, index, NULL,
                               left_r <= 0.0 ? NULL : e->behind_left);
    }
    const uint32_t before = e->s->count;
    if ((left_r > 0.0) & (right_l < 0.0)) {
        // An end that is hidden by the tolerance only is seen: a point on a straight wall and the
        // wall's corners do not lie on one line to the last bit.
        const double *left = left_l >= 0.0 || is_barely_beside(e, e->left_ray, e->left_tolerance2,
                                                               left_l, portal->left, cut)
                                 ? NULL
                                 : e->left;
        const double *right =
            right_r <= 0.0 || is_barely_beside(e, e->right_ray, e->right_tolerance2, right_r,
                                               portal->right, cut)
                ? NULL
                : e->right;
        if (e->left_open || e->right_open) {
            nav_expansion_add_seen(e, &e->seen_from, index, left, right);
        } else if (cut) {
            nav_expansion_add_cut(e, index, left, right);
        } else if (left != NULL || right != NULL ||
                   nav_plane_side_of(root, portal->left, portal->right) > 0.0) {
            add_node(e, &e->seen_from, index, portal, ends, left, right);
        }
    }
    const bool is_unseen = e->s->count == before;
    if (e->turn_right.turning_vertex != NAV_NONE &&
        ((right_r > 0.0) | (right_l > 0.0) | on_right)) {
        nav_expansion_add_seen(e, &e->turn_right, index, right_l >= 0.0 ? NULL : e->behind_right,
                               NULL);
    }
    const double off_left[2] = {left_l, left_r}, off_right[2] = {right_l, right_r};
    if (is_unseen) {
        expand_unseen(e, index, off_left, off_right, cut);
    }
}

// Whether a ray of a node touches the portal's end, and that is a turning vertex to turn at.
__attribute__((always_inline)) static inline bool may_turn(const nav_polyanya *s,
                                                           const nav_polyanya_node *node,
                                                           const double ray[2], const float end[2],
                                                           const uint32_t ends[2], int right)
{
    return is_at(ray, end) &&
           (turning_vertex_of(s, node->portal, ends, right) & NAV_TURNING_POSSIBLE) != 0 &&
           !nav_plane_same(end, node->root);
}

// A turn around such an end, where no shorter way there is known.
static void find_turn(nav_polyanya *s, const nav_polyanya_node *node, const float end[2],
                      const uint32_t ends[2], int right, viewpoint *out, double behind[2])
{
    const uint32_t number = turning_vertex_of(s, node->portal, ends, right) & NAV_TURNING_NUMBER;
    const double g = node->g + nav_plane_distance_of(node->root, end);
    const nav_turning_mark *mark = &s->scratch->marks[number];
    if (!is_followed(mark, g, node->root, end)) {
        return;
    }
    if (s->limit < (double)INFINITY && s->has_goal) {
        const double straight = nav_plane_distance_of(end, s->goal.point) * s->goal.ratio,
                     left = (double)mark->left * s->goal.landmark_ratio;
        if (g + (left > straight ? left : straight) >= s->limit) {
            s->pruned = true;
            return;
        }
    }
    *out = (viewpoint){{end[0], end[1]}, number, g < mark->g ? g : mark->g};
    behind[0] = 2.0 * (double)end[0] - (double)node->root[0];
    behind[1] = 2.0 * (double)end[1] - (double)node->root[1];
}

// How far beside a line through this point rounding may put another point of it.
static inline double tolerance_at(const float point[2])
{
    return NAV_LINE_TOLERANCE_RATIO * fmax(fabs((double)point[0]), fabs((double)point[1]));
}

// Whether a root lies on a portal, or off it by no more than the rounding of both does; but not
// where it is one of its ends.
static bool stands_on(const float root[2], const nav_portal *portal)
{
    const double near =
        fmax(tolerance_at(root), fmax(tolerance_at(portal->left), tolerance_at(portal->right)));
    return nav_plane_segment_distance2_of(portal->left, portal->right, root) <= near * near &&
           !nav_plane_same(root, portal->left) && !nav_plane_same(root, portal->right);
}

// See left_tolerance2; the ray as seen from the root.
static inline double tolerance2_of(const float root[2], const double ray[2])
{
    const double near = tolerance_at(root);
    return near * near * nav_plane_length2(ray[0], ray[1]);
}

// Fills in what the node says. The polygon's portals and entered_at are the caller's to fill in;
// behind_left and behind_right belong to the turns (find_turns).
__attribute__((always_inline)) static inline void
begin_expansion(expansion *e, nav_polyanya *s, const nav_polyanya_node *node, uint32_t parent)
{
    e->s = s;
    e->seen_from = (viewpoint){{node->root[0], node->root[1]}, node->turning_vertex, node->g};
    e->turn_left.turning_vertex = e->turn_right.turning_vertex = NAV_NONE;
    e->left_open = is_at(node->left, node->root);
    e->right_open = is_at(node->right, node->root);
    e->parent = parent;
    for (int axis = 0; axis < 2; ++axis) {
        e->left[axis] = node->left[axis];
        e->right[axis] = node->right[axis];
        e->left_ray[axis] = node->left[axis] - (double)node->root[axis];
        e->right_ray[axis] = node->right[axis] - (double)node->root[axis];
    }
    e->left_tolerance2 = tolerance2_of(node->root, e->left_ray);
    e->right_tolerance2 = tolerance2_of(node->root, e->right_ray);
}

// The turns around the ends of the portal over which the polygon is entered.
__attribute__((always_inline)) static inline void find_turns(expansion *e,
                                                             const nav_polyanya_node *node,
                                                             const nav_portal *entry,
                                                             const uint32_t ends[2])
{
    if (may_turn(e->s, node, node->left, entry->left, ends, 0)) {
        find_turn(e->s, node, entry->left, ends, 0, &e->turn_left, e->behind_left);
    }
    if (may_turn(e->s, node, node->right, entry->right, ends, 1)) {
        find_turn(e->s, node, entry->right, ends, 1, &e->turn_right, e->behind_right);
    }
}

// The same of the mesh as it is, or with shapes cut out of it.
__attribute__((always_inline)) static inline bool
expand(nav_polyanya *s, const nav_polyanya_node *node, uint32_t first, uint32_t count,
       const nav_portal *portals, uint32_t parent, const bool cut)
{
    const nav_view *view = s->view;
    const nav_mesh *mesh = view->mesh;
    if (!nav_polyanya_reserve(s, NAV_POLYANYA_NODES_A_PORTAL * count)) {
        return false;
    }
    NAV_DCHECK(node->g >= 0.0);
    expansion e;
    e.portals = portals;
    e.turning_vertices = cut ? nav_view_turning_vertices_from(view, first)
                             : (const uint32_t(*)[2])mesh->portal_turning_vertices + first;
    e.first = first;
    begin_expansion(&e, s, node, parent);
    uint32_t came_from = NAV_NONE;
    e.entered_at = 0.0;
    if (cut ? nav_polyanya_is_over_edge(s, node->portal) : node->portal < mesh->edge_portal_count) {
        const nav_portal *entry =
            cut ? nav_view_portal(view, node->portal) : &mesh->portals[node->portal];
        came_from = entry->from;
        if (cut) {
            e.entered_at =
                sqrt(nav_plane_segment_distance2_of(entry->left, entry->right, node->root));
        }
        find_turns(&e, node, entry,
                   cut ? nav_view_turning_vertices(view, node->portal)
                       : mesh->portal_turning_vertices[node->portal]);
    }
    const bool is_open_point =
        e.left_open && e.right_open &&
        (node->turning_vertex == NAV_NONE || node->turning_vertex >= s->arc_base);
    for (uint32_t i = 0; i < count; ++i) {
        const nav_portal *portal = &portals[i];
        const uint32_t *ends = e.turning_vertices[i];
        const bool leads_away =
            s->goals.count > 0 && (ends[1] & NAV_TURNING_BRIDGE) != 0 &&
            nav_goals_are_before(mesh, &s->goals,
                                 cut ? nav_view_base(view, portal->from) : portal->from,
                                 cut ? nav_view_base(view, portal->to) : portal->to);
        if (portal->to != came_from && !leads_away &&
            (s->is_all_open || (cut ? nav_view_is_open_behind(view, portal)
                                    : view->ground[mesh->classes[portal->to]] < INFINITY))) {
            if (is_open_point && stands_on(node->root, portal)) {
                nav_expansion_step_through(&e, first + i);
            } else {
                expand_portal(&e, first + i, portal, ends, cut);
            }
        }
    }
    NAV_DCHECK(s->count <= s->scratch->capacity);
    return true;
}

bool nav_polyanya_expand(nav_polyanya *s, const nav_polyanya_node *node, uint32_t polygon,
                         uint32_t parent)
{
    const nav_mesh *mesh = s->view->mesh;
    if (s->view->overlay == NULL) {
        const uint32_t first = mesh->portal_first[polygon];
        return expand(s, node, first, mesh->portal_first[polygon + 1] - first,
                      mesh->portals + first, parent, false);
    }
    const nav_face face = nav_overlay_face(s->view, polygon);
    return expand(s, node, face.portal_first, face.portal_count, face.portals, parent, true);
}
