// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// query_cones.c: expands a cone over the polygon behind its portal. Cui, Harabor, Grastien,
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

#include "query_cones_mark.h"

// By how much of its coordinates a place may lie off the polygon that it is on.
#define ROUNDING 4e-7

// Of a search for a goal: how many ends of portals are seen from its start past a corner that hides
// them by a grain. Where polygons lie all over each other there would be no end.
#define GRAIN_ENDS_MAX 16u

// From so many grains on a place has a direction.
#define DIRECTION_GRAINS 64.0

// Of a search, for each place that everything is seen from: how often a cone leads over a portal on
// which its root stands but for a grain. Where polygons are as small as grains there would be no
// end.
#define STEPS_THROUGH_MAX 256u

// ---- expansion ----

// A root with its way so far.
typedef struct source {
    float root[2];
    uint32_t pivot;
    double g;
} source;

// What an expansion of one cone has at hand.
typedef struct expansion {
    nav_cones *c;
    const nav_mesh *mesh;
    source seen_from; // the cone's own root
    source turn_left; // around the portal's left end; pivot NAV_NONE: no turn there
    source turn_right;
    double left[2], right[2];               // the cone's rays
    double behind_left[2], behind_right[2]; // places on the same rays, behind the portal's ends
    // The squares of what `side` is, at most, of a place that lies beside the ray by a grain.
    double left_grain2, right_grain2;
    bool left_open, right_open;
    uint32_t parent;
} expansion;

// A portal's part that a root sees.
typedef struct part {
    double a[2], b[2];                  // its left and right ends
    double to_a, to_b;                  // from the root to them
    double width;                       // of the portal
    double along_a, along_b;            // from the portal's left end to them
    const nav_pivot_mark *left, *right; // of the portal's ends
} part;

// Whether the portal's ends are known to be so near that no place of the part is reached sooner
// from the root: by way of an end, all places up to the far end of the part are reached as soon as
// that end is.
static inline bool is_beaten(const part *p, double g)
{
    const double g_a = g + p->to_a, g_b = g + p->to_b;
    return (p->left->g < g_b && p->left->g + p->along_b < g_b * (1.0 - SAME_PART)) ||
           (p->right->g < g_a && p->right->g + (p->width - p->along_a) < g_a * (1.0 - SAME_PART));
}

// How far the part's nearest place is from the root: the foot of the root, or an end.
static inline double nearest_of(const part *p, const nav_portal *portal, const float root[2])
{
    const double ex = (double)portal->right[0] - (double)portal->left[0];
    const double ez = (double)portal->right[1] - (double)portal->left[1];
    const double rx = (double)root[0], rz = (double)root[1];
    if ((rx - p->a[0]) * ex + (rz - p->a[1]) * ez <= 0.0) {
        return p->to_a;
    }
    if ((rx - p->b[0]) * ex + (rz - p->b[1]) * ez >= 0.0) {
        return p->to_b;
    }
    return fabs(side_of(portal->left, portal->right, root)) / p->width;
}

// The straight way from the root through the part to the goal; it may bend at an end of the part.
static inline double straight_of(const nav_cones *c, const part *p, const nav_portal *portal,
                                 const source *from, const double left[2], const double right[2])
{
    double at[2];
    find_image(portal, c->aim, at);
    if (between(from->root, left, at) < 0.0) {
        return p->to_a +
               sqrt((at[0] - p->a[0]) * (at[0] - p->a[0]) + (at[1] - p->a[1]) * (at[1] - p->a[1]));
    }
    if (between(from->root, right, at) > 0.0) {
        return p->to_b +
               sqrt((at[0] - p->b[0]) * (at[0] - p->b[0]) + (at[1] - p->b[1]) * (at[1] - p->b[1]));
    }
    return distance_to(from->root, at);
}

// The least way from the root to a place of the part, and from there to the goal as far as
// landmarks know: less, by the place's distance, than from an end of the portal. The greater of
// both ends' is least where they are equal, and falls and rises as fast as one walks along the
// portal: no way to another place of the part makes up for that.
static inline double landmarks_of(const part *p, const nav_portal *portal, const float root[2])
{
    const double left = (double)p->left->left, right = (double)p->right->left;
    double along = (left - right + p->width) * 0.5;
    along = along > p->along_a ? along < p->along_b ? along : p->along_b : p->along_a;
    const double t = p->width > 0.0 ? along / p->width : 0.0;
    const double at[2] = {
        (double)portal->left[0] + ((double)portal->right[0] - (double)portal->left[0]) * t,
        (double)portal->left[1] + ((double)portal->right[1] - (double)portal->left[1]) * t};
    const double by_left = left - along, by_right = right - (p->width - along);
    return distance_to(root, at) + (by_left > by_right ? by_left : by_right);
}

// Adds a cone through a portal that faces the root. Notes how far the portal's ends are, where they
// are seen.
static inline void add_cone(const expansion *e, const source *from, uint32_t index,
                            const double left[2], const double right[2])
{
    nav_cones *c = e->c;
    const nav_portal *portal = &e->mesh->portals[index];
    nav_pivot_mark *left_mark = mark_of(c, index, 0, pivot_of(c, index, 0) & NAV_PIVOT_NUMBER);
    nav_pivot_mark *right_mark = mark_of(c, index, 1, pivot_of(c, index, 1) & NAV_PIVOT_NUMBER);
    part p = {
        .width = distance(portal->left, portal->right), .left = left_mark, .right = right_mark};
    if (is_at(left, portal->left)) {
        set_place(p.a, portal->left);
        p.to_a = distance(from->root, portal->left);
        note_way(left_mark, from->g + p.to_a, from->root);
    } else {
        p.along_a = cross_portal(from->root, left, portal, p.a) * p.width;
        p.to_a = distance_to(from->root, p.a);
    }
    if (is_at(right, portal->right)) {
        set_place(p.b, portal->right);
        p.along_b = p.width;
        p.to_b = distance(from->root, portal->right);
        note_way(right_mark, from->g + p.to_b, from->root);
    } else {
        p.along_b = cross_portal(from->root, right, portal, p.b) * p.width;
        p.to_b = distance_to(from->root, p.b);
    }
    if (is_beaten(&p, from->g)) {
        return;
    }
    double key;
    if (c->aim == NULL) {
        key = from->g + nearest_of(&p, portal, from->root);
    } else {
        key = from->g + straight_of(c, &p, portal, from, left, right) * c->ratio;
        if (c->bound != NULL && key < c->limit) {
            key = fmax(key, from->g + landmarks_of(&p, portal, from->root) * c->ratio);
        }
        key = key > c->least ? key : c->least;
        if (key >= c->limit) {
            return;
        }
    }
    c->pool->cones[c->count++] = (nav_cone){.root = {from->root[0], from->root[1]},
                                            .left = {left[0], left[1]},
                                            .right = {right[0], right[1]},
                                            .g = from->g,
                                            .portal = index,
                                            .parent = e->parent,
                                            .pivot = from->pivot,
                                            .key = (float)key};
}

// What a way from the root to the goal is at least, whatever is between; without a goal, to the
// root.
static double key_of_root(const nav_cones *c, const float root[2], double g)
{
    const double key = c->aim != NULL ? g + distance(root, c->aim) * c->ratio : g;
    return key > c->least ? key : c->least;
}

// The same for a root that stands on the portal, between its ends: all that is behind is seen.
static void add_open_cone(const expansion *e, const source *from, uint32_t index)
{
    nav_cones *c = e->c;
    const double key = key_of_root(c, from->root, from->g);
    if (key >= c->limit) {
        return;
    }
    nav_cone *cone = &c->pool->cones[c->count++];
    *cone = (nav_cone){.root = {from->root[0], from->root[1]},
                       .g = from->g,
                       .portal = index,
                       .parent = e->parent,
                       .pivot = from->pivot,
                       .key = (float)key};
    set_place(cone->left, from->root);
    set_place(cone->right, from->root);
}

// Notes both ends of a portal that are in sight, though no cone may lead through: it is seen edge
// on, or not followed.
static void mark_ends(const expansion *e, const source *from, uint32_t index)
{
    const nav_portal *portal = &e->mesh->portals[index];
    note_way(mark_of(e->c, index, 0, pivot_of(e->c, index, 0) & NAV_PIVOT_NUMBER),
             from->g + distance(from->root, portal->left), from->root);
    note_way(mark_of(e->c, index, 1, pivot_of(e->c, index, 1) & NAV_PIVOT_NUMBER),
             from->g + distance(from->root, portal->right), from->root);
}

static inline bool is_fold(const nav_mesh *mesh, uint32_t index)
{
    return (mesh->portal_pivots[index][0] & NAV_PIVOT_FOLDS) != 0;
}

// A portal whose line leads through the root. Where that is not on the portal, one gets through
// only by a turn around the nearer end.
static void add_in_line(const expansion *e, const source *from, uint32_t index)
{
    nav_cones *c = e->c;
    const nav_portal *portal = &e->mesh->portals[index];
    const double to_left = distance(from->root, portal->left);
    const double to_right = distance(from->root, portal->right);
    mark_ends(e, from, index);
    if (is_fold(e->mesh, index)) {
        c->refused = true;
        return;
    }
    const double lx = (double)portal->left[0] - (double)from->root[0];
    const double lz = (double)portal->left[1] - (double)from->root[1];
    const double rx = (double)portal->right[0] - (double)from->root[0];
    const double rz = (double)portal->right[1] - (double)from->root[1];
    if (lx * rx + lz * rz < 0.0) {
        add_open_cone(e, from, index);
        return;
    }
    const int right = to_right < to_left;
    const float *end = right ? portal->right : portal->left;
    const uint32_t pivot = pivot_of(c, index, right), number = pivot & NAV_PIVOT_NUMBER;
    const source near = {{end[0], end[1]}, number, from->g + (right ? to_right : to_left)};
    if ((pivot & NAV_PIVOT_TURNS) != 0 &&
        is_followed(&c->pool->marks[number], near.g, from->root, end)) {
        add_open_cone(e, &near, index);
    }
}

// Whether a portal that ends where the root stands leads on around it. From the search's start or
// the end of a way, which may stand within open ground, no further than once around; elsewhere
// there is a wall to stop at, on spiral stairs after many turns. Over a fold ground may lead round
// and round, so it is not followed.
static inline bool leads_on(nav_cones *c, const source *from, uint32_t index)
{
    const nav_mesh *mesh = c->view->mesh;
    const uint32_t to = mesh->portals[index].to;
    if (is_fold(mesh, index)) {
        c->refused = true;
        return false;
    }
    if (from->pivot == NAV_NONE) {
        return to != c->home;
    }
    return from->pivot < c->way_base ||
           to != c->way_homes[(from->pivot - c->way_base) * c->way_stride];
}

// Adds a cone from a root that stands in the polygon and sees the portal between two rays.
static inline void add_seen(const expansion *e, const source *from, uint32_t index,
                            const double left[2], const double right[2])
{
    const nav_portal *portal = &e->mesh->portals[index];
    if (same_place(from->root, portal->left) || same_place(from->root, portal->right)) {
        if (leads_on(e->c, from, index)) {
            add_cone(e, from, index, left, right);
        } else {
            mark_ends(e, from, index);
        }
        return;
    }
    if (side_of(from->root, portal->left, portal->right) > 0.0) {
        add_cone(e, from, index, left, right);
        return;
    }
    add_in_line(e, from, index);
}

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

// A portal whose ends are one place in plan view: what is behind is seen from there.
static void add_through_point(const expansion *e, const source *from, uint32_t index)
{
    nav_cones *c = e->c;
    const float *place = e->mesh->portals[index].left;
    if (same_place(from->root, place)) {
        if (leads_on(c, from, index)) {
            add_open_cone(e, from, index);
        }
        return;
    }
    if (is_fold(e->mesh, index)) {
        c->refused = true;
        return;
    }
    const uint32_t number = pivot_of(c, index, 0) & NAV_PIVOT_NUMBER;
    const source there = {{place[0], place[1]}, number, from->g + distance(from->root, place)};
    nav_pivot_mark *mark = mark_of(c, index, 0, number);
    note_way(mark, there.g, from->root);
    if (is_followed(mark, there.g, from->root, place)) {
        add_open_cone(e, &there, index);
    }
}

static void expand_point(const expansion *e, uint32_t index)
{
    const float *root = e->seen_from.root, *place = e->mesh->portals[index].left;
    const double left = e->left_open ? 1.0 : side(root, e->left, place);
    const double right = e->right_open ? -1.0 : side(root, e->right, place);
    if (left >= 0.0 && right <= 0.0) {
        add_through_point(e, &e->seen_from, index);
    }
    if (left <= 0.0 && e->turn_left.pivot != NAV_NONE) {
        add_through_point(e, &e->turn_left, index);
    }
    if (right >= 0.0 && e->turn_right.pivot != NAV_NONE) {
        add_through_point(e, &e->turn_right, index);
    }
}

// A portal that lies on a ray of the cone. It may be that one gets through by a turn around its
// nearer end; where the ray touches the portal before that is found there.
static void expand_edge_on(const expansion *e, uint32_t index, bool on_left)
{
    const nav_portal *portal = &e->mesh->portals[index];
    const float *root = e->seen_from.root;
    const uint32_t turn = on_left ? e->turn_left.pivot : e->turn_right.pivot;
    if (turn == NAV_NONE && !same_place(root, portal->left) && !same_place(root, portal->right)) {
        add_in_line(e, &e->seen_from, index);
    } else {
        mark_ends(e, &e->seen_from, index);
    }
}

// The root is an end of the portal over which the polygon was entered, and the polygon is so thin
// that it has another portal on that one.
static void expand_thin(const expansion *e, uint32_t index)
{
    const nav_portal *portal = &e->mesh->portals[index];
    const float *root = e->seen_from.root;
    if (same_place(root, portal->left) || same_place(root, portal->right)) {
        double left[2], right[2];
        set_place(left, portal->left);
        set_place(right, portal->right);
        add_seen(e, &e->seen_from, index, left, right);
    } else {
        add_in_line(e, &e->seen_from, index);
    }
}

// Whether a place ahead, which lies so far beside a ray, is beside it by a grain only. Of places
// that are next to the root no direction is known.
static inline bool is_grain_beside(const expansion *e, const double ray[2], double grain2,
                                   double off, const float at[2])
{
    if (off * off > grain2 || e->c->aim == NULL || e->seen_from.pivot != NAV_NONE) {
        return false;
    }
    const float *root = e->seen_from.root;
    const double rx = ray[0] - (double)root[0], rz = ray[1] - (double)root[1];
    const double dx = (double)at[0] - (double)root[0], dz = (double)at[1] - (double)root[1];
    if (!(dx * rx + dz * rz > 0.0) ||
        (dx * dx + dz * dz) * (rx * rx + rz * rz) <= DIRECTION_GRAINS * DIRECTION_GRAINS * grain2) {
        return false;
    }
    return e->c->grain_ends++ < GRAIN_ENDS_MAX;
}

// One portal out of the polygon: its part between the rays, and what is left and right of them.
static inline void expand_portal(const expansion *e, uint32_t index)
{
    const nav_portal *portal = &e->mesh->portals[index];
    const float *root = e->seen_from.root;
    if (same_place(portal->left, portal->right)) {
        expand_point(e, index);
        return;
    }
    double left_end[2], right_end[2];
    set_place(left_end, portal->left);
    set_place(right_end, portal->right);
    // Of both ends: right of the left ray, right of the right ray. An end where the root itself
    // stands is on no side: it goes with the other end.
    const float *l = same_place(root, portal->left) ? portal->right : portal->left;
    const float *r = same_place(root, portal->right) ? portal->left : portal->right;
    const double left_l = e->left_open ? 1.0 : side_or(root, e->left, l, e->right_open, 1.0);
    const double left_r = e->left_open ? 1.0 : side_or(root, e->left, r, e->right_open, 1.0);
    const double right_l = e->right_open ? -1.0 : side_or(root, e->right, l, e->left_open, -1.0);
    const double right_r = e->right_open ? -1.0 : side_or(root, e->right, r, e->left_open, -1.0);
    const bool on_left = left_l == 0.0 && left_r == 0.0;
    const bool on_right = right_l == 0.0 && right_r == 0.0;
    if (on_left || on_right) {
        expand_edge_on(e, index, on_left);
    }
    if (e->turn_left.pivot != NAV_NONE &&
        (left_l < 0.0 || left_r < 0.0 || (left_l == 0.0 && left_r == 0.0))) {
        add_seen(e, &e->turn_left, index, left_end, left_r <= 0.0 ? right_end : e->behind_left);
    }
    const uint32_t before = e->c->count;
    if (left_r > 0.0 && right_l < 0.0) {
        // An end that is hidden from the start by a grain only is seen: a place on a straight wall
        // and the wall's corners do not lie on one line to the last bit.
        const double *left =
            left_l >= 0.0 || is_grain_beside(e, e->left, e->left_grain2, left_l, portal->left)
                ? left_end
                : e->left;
        const double *right =
            right_r <= 0.0 || is_grain_beside(e, e->right, e->right_grain2, right_r, portal->right)
                ? right_end
                : e->right;
        if (e->left_open || e->right_open) {
            add_seen(e, &e->seen_from, index, left, right);
        } else if (between(root, left, right) > 0.0) {
            add_cone(e, &e->seen_from, index, left, right);
        }
    }
    if (e->turn_right.pivot != NAV_NONE &&
        (right_r > 0.0 || right_l > 0.0 || (right_l == 0.0 && right_r == 0.0))) {
        add_seen(e, &e->turn_right, index, right_l >= 0.0 ? left_end : e->behind_right, right_end);
    }
    if (e->c->count == before && e->left_open != e->right_open &&
        (e->left_open ? right_l * right_l <= e->right_grain2 && right_r * right_r <= e->right_grain2
                      : left_l * left_l <= e->left_grain2 && left_r * left_r <= e->left_grain2)) {
        expand_thin(e, index);
    }
}

// A turn around an end of the portal, where the ray touches it and no shorter way there is known.
static void find_turn(const nav_cones *c, const nav_cone *cone, const double ray[2], int right,
                      source *out, double behind[2])
{
    const nav_portal *portal = &c->view->mesh->portals[cone->portal];
    const float *end = right ? portal->right : portal->left;
    out->pivot = NAV_NONE;
    if (!is_at(ray, end) || is_at(ray, cone->root)) {
        return;
    }
    const uint32_t pivot = pivot_of(c, cone->portal, right);
    const uint32_t number = pivot & NAV_PIVOT_NUMBER;
    if ((pivot & NAV_PIVOT_TURNS) == 0) {
        return;
    }
    const double g = cone->g + distance(cone->root, end);
    const nav_pivot_mark *mark = &c->pool->marks[number];
    if (!is_followed(mark, g, cone->root, end)) {
        return;
    }
    if (c->aim != NULL &&
        g + fmax((double)mark->left, distance(end, c->aim)) * c->ratio >= c->limit) {
        return;
    }
    *out = (source){{end[0], end[1]}, number, g};
    behind[0] = 2.0 * (double)end[0] - (double)cone->root[0];
    behind[1] = 2.0 * (double)end[1] - (double)cone->root[1];
}

// Whether a portal is a bridge away from the goal.
static inline bool leads_astray(const nav_cones *c, uint32_t index)
{
    const nav_mesh *mesh = c->view->mesh;
    if ((mesh->portal_pivots[index][1] & NAV_PIVOT_BRIDGE) == 0 || c->goal == NAV_NONE) {
        return false;
    }
    const nav_portal *portal = &mesh->portals[index];
    const uint32_t *from = mesh->visits[portal->from], *to = mesh->visits[portal->to];
    const uint32_t goal = mesh->visits[c->goal][0];
    return to[0] > from[0] ? goal < to[0] || goal >= to[1] : goal >= from[0] && goal < from[1];
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

// The search's start, or where a way ends, is a place of its polygon as far as rounding goes: it
// may lie a grain beyond a portal, or beside its end. All that is behind such a portal is seen. The
// same then holds in the polygon behind, where the place lies in its corner.
static void step_through(const expansion *e, uint32_t index)
{
    nav_cones *c = e->c;
    mark_ends(e, &e->seen_from, index);
    if (c->steps_through / STEPS_THROUGH_MAX >= c->places) {
        c->refused = true;
    } else if (leads_on(c, &e->seen_from, index)) {
        ++c->steps_through;
        add_open_cone(e, &e->seen_from, index);
    }
}

// See left_grain2.
static inline double grain2_of(const float root[2], const double ray[2])
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
    const nav_cone self = *cone; // the pool may move
    expansion e = {.c = c,
                   .mesh = mesh,
                   .seen_from = {{self.root[0], self.root[1]}, self.pivot, self.g},
                   .turn_left.pivot = NAV_NONE,
                   .turn_right.pivot = NAV_NONE,
                   .left = {self.left[0], self.left[1]},
                   .right = {self.right[0], self.right[1]},
                   .left_grain2 = grain2_of(self.root, self.left),
                   .right_grain2 = grain2_of(self.root, self.right),
                   .left_open = is_at(self.left, self.root),
                   .right_open = is_at(self.right, self.root),
                   .parent = parent};
    if (!nav_cones_make_room(c, 3 * (end - first))) {
        return false;
    }
    if (over_edge) {
        find_turn(c, &self, self.left, 0, &e.turn_left, e.behind_left);
        find_turn(c, &self, self.right, 1, &e.turn_right, e.behind_right);
    }
    const uint32_t came_from = over_edge ? mesh->portals[self.portal].from : NAV_NONE;
    const bool open = c->view->costs->open;
    const bool is_place =
        e.left_open && e.right_open && (self.pivot == NAV_NONE || self.pivot >= c->way_base);
    for (uint32_t i = first; i < end; ++i) {
        const uint32_t to = mesh->portals[i].to;
        if (to != came_from && !leads_astray(c, i) &&
            (open || nav_polygon_cost(c->view, to) < INFINITY)) {
            if (is_place && stands_on(self.root, &mesh->portals[i])) {
                step_through(&e, i);
            } else {
                expand_portal(&e, i);
            }
        }
    }
    return true;
}

bool nav_cones_add_root(nav_cones *c, const nav_cone *root)
{
    if (!nav_cones_make_room(c, 1)) {
        return false;
    }
    nav_cone *cone = &c->pool->cones[c->count++];
    *cone = *root;
    set_place(cone->left, cone->root);
    set_place(cone->right, cone->root);
    cone->key = (float)key_of_root(c, cone->root, cone->g);
    return true;
}

bool nav_cones_take_ways(nav_cones *c, const nav_cone *cone, uint32_t polygon, uint32_t parent)
{
    const nav_mesh *mesh = c->view->mesh;
    if (mesh->way_count == 0) {
        return true;
    }
    for (uint32_t i = mesh->way_first[polygon]; i < mesh->way_first[polygon + 1]; ++i) {
        if (nav_view_way_target(c->view, polygon, i) == NAV_NONE) {
            continue;
        }
        const nav_way *way = &mesh->ways[i];
        const float start[2] = {way->start[0], way->start[2]};
        const double cost = (double)nav_way_cost(c->view, way) / (double)c->view->costs->least;
        const nav_cone landed = {.root = {way->end[0], way->end[2]},
                                 .g = cone->g + nav_cone_distance(c, cone, start) + cost,
                                 .portal = mesh->edge_portal_count + i,
                                 .parent = parent,
                                 .pivot = c->way_base + i};
        if (nav_cones_land(c, landed.pivot, landed.g) && !nav_cones_add_root(c, &landed)) {
            return false;
        }
    }
    return true;
}
