// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// degenerate.c: nodes whose root stands in the polygon, as after a turn; open nodes, whose root
// stands on the portal, so that all that is behind is seen; and the portals that hardly any polygon
// has: in line with the root, along a ray, without width, or so near the start that rounding
// decides.

#include "core/query/search/polyanya/expansion.h"

#include "core/query/view/scratch.h"

#include <string.h>

// How often in a search, for each point from which everything is seen, a node leads over a portal
// from which its root is no farther than the tolerance. Among polygons as small as tolerances there
// would be no end.
#define STEPS_THROUGH_MAX 256u

static bool is_non_manifold(const expansion *e, uint32_t index)
{
    return nav_turning_is_non_manifold(ends_at(e, index));
}

// The polygon in which an arc ends, by the number of its turning vertex.
static uint32_t home_of_arc(const nav_polyanya *s, uint32_t number)
{
    const uint32_t arc = number - s->arc_base;
    return s->arc_homes != NULL ? s->arc_homes[arc * s->arc_stride]
                                : nav_view_to(s->view, s->view->mesh->edge_portal_count + arc);
}

// Whether a portal that ends where the root stands leads on around it. From the search's start or
// the end of an arc, which may stand within open ground, no further than once around; elsewhere
// there is a wall to stop at, on spiral stairs after many turns. Over a non-manifold edge ground
// may lead round and round, so it is not followed.
static bool leads_on(const expansion *e, const viewpoint *from, uint32_t index)
{
    nav_polyanya *s = e->s;
    const uint32_t to = portal_at(e, index)->to;
    if (is_non_manifold(e, index)) {
        s->has_gaps = true;
        return false;
    }
    if (from->turning_vertex == NAV_NONE) {
        return to != s->home;
    }
    return from->turning_vertex < s->arc_base || to != home_of_arc(s, from->turning_vertex);
}

// The ways by which nodes may be led round and round among fragments that are as thin as a rounding
// and lie along each other, or meet in a point: over portals that begin or end in the root; over
// portals on which it stands; between rays with no room between them but for rounding.
typedef enum pass_kind {
    PASS_LEFT_END,
    PASS_RIGHT_END,
    PASS_OPEN,
    PASS_HAIR,
} pass_kind;

_Static_assert(PASS_HAIR + 1 == NAV_POLYANYA_PASSES, "a portal has a pass for each way");

// Whether a node like this has passed the portal of the overlay before, and was no farther. If not
// it has now.
static bool has_passed(const expansion *e, const viewpoint *from, uint32_t index, pass_kind kind,
                       const float rays[2][2])
{
    const nav_polyanya *s = e->s;
    if (index < s->overlay_first) {
        return false;
    }
    const uint32_t number = NAV_POLYANYA_PASSES * (index - s->overlay_first) + (uint32_t)kind;
    NAV_DCHECK(number < s->scratch->pass_capacity);
    nav_polyanya_pass *last = &s->scratch->passes[number];
    if (last->stamp == s->scratch->stamp && nav_plane_same(last->root, from->root) &&
        memcmp(last->rays, rays, sizeof last->rays) == 0 && from->g >= last->g) {
        return true;
    }
    *last = (nav_polyanya_pass){
        .g = from->g, .root = {from->root[0], from->root[1]}, .stamp = s->scratch->stamp};
    memcpy(last->rays, rays, sizeof last->rays);
    return false;
}

static const float WHOLE[2][2] = {{0}};

// Adds a node from a root that stands on the portal, between its ends: all that is behind is seen.
static void add_open_node(const expansion *e, const viewpoint *from, uint32_t index)
{
    nav_polyanya *s = e->s;
    if (has_passed(e, from, index, PASS_OPEN, WHOLE)) {
        return;
    }
    const double key = key_of_root(s, from->root, from->g);
    if (key >= s->limit) {
        s->pruned = true;
        return;
    }
    NAV_DCHECK(s->count < s->scratch->capacity);
    nav_polyanya_node *node = &s->scratch->nodes[s->count++];
    *node = (nav_polyanya_node){.root = {from->root[0], from->root[1]},
                                .g = from->g,
                                .portal = index,
                                .parent = e->parent,
                                .turning_vertex = from->turning_vertex,
                                .key = (float)key};
    set_point(node->left, from->root);
    set_point(node->right, from->root);
}

// Notes both ends of a portal that are in sight, though no node may lead through: it is seen edge
// on, or not followed.
static void mark_ends(const expansion *e, const viewpoint *from, uint32_t index)
{
    const nav_portal *portal = portal_at(e, index);
    note_length(mark_of(e->s, index, ends_at(e, index), 0),
                from->g + nav_plane_distance_of(from->root, portal->left), from->root);
    note_length(mark_of(e->s, index, ends_at(e, index), 1),
                from->g + nav_plane_distance_of(from->root, portal->right), from->root);
}

// A portal whose line leads through the root. If the root is not on the portal, one gets through
// only by a turn around the nearer end.
static void add_in_line(const expansion *e, const viewpoint *from, uint32_t index)
{
    nav_polyanya *s = e->s;
    const nav_portal *portal = portal_at(e, index);
    const double to_left = nav_plane_distance_of(from->root, portal->left);
    const double to_right = nav_plane_distance_of(from->root, portal->right);
    mark_ends(e, from, index);
    if (is_non_manifold(e, index)) {
        s->has_gaps = true;
        return;
    }
    double to_left_end[2], to_right_end[2];
    nav_plane_offset(from->root, portal->left, to_left_end);
    nav_plane_offset(from->root, portal->right, to_right_end);
    if (nav_plane_dot(to_left_end[0], to_left_end[1], to_right_end[0], to_right_end[1]) < 0.0) {
        add_open_node(e, from, index);
        return;
    }
    const int right = to_right < to_left;
    const float *end = right ? portal->right : portal->left;
    const uint32_t turning_vertex = turning_vertex_of(s, index, ends_at(e, index), right),
                   number = turning_vertex & NAV_TURNING_NUMBER;
    const nav_turning_mark *mark = &s->scratch->marks[number];
    viewpoint near = {{end[0], end[1]}, number, from->g + (right ? to_right : to_left)};
    if ((turning_vertex & NAV_TURNING_POSSIBLE) != 0 &&
        is_followed(mark, near.g, from->root, end)) {
        near.g = near.g < mark->g ? near.g : mark->g;
        add_open_node(e, &near, index);
    }
}

void nav_expansion_add_seen(const expansion *e, const viewpoint *from, uint32_t index,
                            const double *left, const double *right)
{
    const nav_portal *portal = portal_at(e, index);
    const bool is_left = nav_plane_same(from->root, portal->left);
    const bool is_end = is_left || nav_plane_same(from->root, portal->right);
    if (is_end ? leads_on(e, from, index)
               : nav_plane_side_of(from->root, portal->left, portal->right) > 0.0) {
        const bool is_whole = is_end && left == NULL && right == NULL;
        if (!is_whole ||
            !has_passed(e, from, index, is_left ? PASS_LEFT_END : PASS_RIGHT_END, WHOLE)) {
            add_node(e, from, index, portal, ends_at(e, index), left, right);
        }
    } else if (is_end) {
        mark_ends(e, from, index);
    } else {
        add_in_line(e, from, index);
    }
}

// A portal whose ends are one point in plan view: what is behind is seen from there.
static void add_through_point(const expansion *e, const viewpoint *from, uint32_t index)
{
    nav_polyanya *s = e->s;
    const float *point = portal_at(e, index)->left;
    // Both: where walls part them its ends are two turning vertices.
    mark_ends(e, from, index);
    if (nav_plane_same(from->root, point)) {
        if (leads_on(e, from, index)) {
            add_open_node(e, from, index);
        }
        return;
    }
    if (is_non_manifold(e, index)) {
        s->has_gaps = true;
        return;
    }
    const uint32_t number = turning_vertex_of(s, index, ends_at(e, index), 0) & NAV_TURNING_NUMBER;
    const nav_turning_mark *mark = &s->scratch->marks[number];
    viewpoint there = {
        {point[0], point[1]}, number, from->g + nav_plane_distance_of(from->root, point)};
    if (is_followed(mark, there.g, from->root, point)) {
        there.g = there.g < mark->g ? there.g : mark->g;
        add_open_node(e, &there, index);
    }
}

void nav_expansion_point(const expansion *e, uint32_t index)
{
    const float *root = e->seen_from.root, *point = portal_at(e, index)->left;
    double to[2];
    nav_plane_offset(root, point, to);
    const double left = e->left_open ? 1.0 : nav_plane_cross_rays(e->left_ray, to);
    const double right = e->right_open ? -1.0 : nav_plane_cross_rays(e->right_ray, to);
    if (left >= 0.0 && right <= 0.0) {
        add_through_point(e, &e->seen_from, index);
    }
    if (left <= 0.0 && e->turn_left.turning_vertex != NAV_NONE) {
        add_through_point(e, &e->turn_left, index);
    }
    if (right >= 0.0 && e->turn_right.turning_vertex != NAV_NONE) {
        add_through_point(e, &e->turn_right, index);
    }
}

// It may be that one gets through by a turn around the portal's nearer end; where the ray touches
// the portal before, that is found there.
void nav_expansion_edge_on(const expansion *e, uint32_t index, bool on_left)
{
    const nav_portal *portal = portal_at(e, index);
    const float *root = e->seen_from.root;
    const uint32_t turn = on_left ? e->turn_left.turning_vertex : e->turn_right.turning_vertex;
    if (turn == NAV_NONE && !nav_plane_same(root, portal->left) &&
        !nav_plane_same(root, portal->right)) {
        add_in_line(e, &e->seen_from, index);
    } else {
        mark_ends(e, &e->seen_from, index);
    }
}

void nav_expansion_thin(const expansion *e, uint32_t index)
{
    const nav_portal *portal = portal_at(e, index);
    const float *root = e->seen_from.root;
    if (nav_plane_same(root, portal->left) || nav_plane_same(root, portal->right)) {
        nav_expansion_add_seen(e, &e->seen_from, index, NULL, NULL);
    } else {
        add_in_line(e, &e->seen_from, index);
    }
}

// Cuts run on along the lines of outlines, in whose corners roots stand, and rounding bends such a
// line where it is cut again: portals on it may face the root or not, and hide each other's ends.
typedef struct line_of_sight {
    double facing; // of the portal, as nav_plane_side
    bool in_line;  // the portal lies along it
    bool back;     // to the root, or to what is no farther than where the polygon was entered
    bool on;       // the root stands on it, and on the portal of entry: the polygon is a sliver
} line_of_sight;

static line_of_sight sight_along(const expansion *e, uint32_t index)
{
    const nav_portal *portal = portal_at(e, index);
    const float *root = e->seen_from.root;
    double l[2], r[2];
    nav_plane_offset(root, portal->left, l);
    nav_plane_offset(root, portal->right, r);
    const double farther = fmax(nav_plane_length(l[0], l[1]), nav_plane_length(r[0], r[1]));
    const double near = nav_overlay_tolerance((double)root[0], (double)root[1]);
    const double facing = nav_plane_cross_rays(l, r);
    const double ahead = nav_plane_dot(l[0], l[1], r[0], r[1]);
    const bool in_line = fabs(facing) <= near * farther;
    return (line_of_sight){.facing = facing,
                           .in_line = in_line,
                           .back = farther <= e->entered_at || ahead <= 0.0,
                           .on = in_line && ahead < 0.0 && e->entered_at <= near};
}

// Whether the node's rays leave no room between them where the polygon was entered, and the portal
// has been passed between them before.
static bool has_passed_as_hair(const expansion *e, uint32_t index)
{
    const float *root = e->seen_from.root;
    const double between = nav_plane_cross_rays(e->left_ray, e->right_ray);
    const double near = nav_overlay_tolerance((double)root[0], (double)root[1]);
    const double l2 = nav_plane_length2(e->left_ray[0], e->left_ray[1]);
    const double r2 = nav_plane_length2(e->right_ray[0], e->right_ray[1]);
    const double width = between * e->entered_at;
    if (width > 0.0 && width * width > near * near * l2 * r2) {
        return false;
    }
    const float rays[2][2] = {{(float)e->left[0], (float)e->left[1]},
                              {(float)e->right[0], (float)e->right[1]}};
    return has_passed(e, &e->seen_from, index, PASS_HAIR, rays);
}

void nav_expansion_add_cut(const expansion *e, uint32_t index, const double *left,
                           const double *right)
{
    const line_of_sight line = sight_along(e, index);
    if (line.on) {
        nav_expansion_add_hidden(e, index);
    } else if (line.facing > 0.0 && !(line.in_line && line.back) && !has_passed_as_hair(e, index)) {
        nav_expansion_add_seen(e, &e->seen_from, index, left, right);
    }
}

void nav_expansion_add_hidden(const expansion *e, uint32_t index)
{
    const line_of_sight line = sight_along(e, index);
    if (line.on || (line.in_line && !line.back)) {
        add_in_line(e, &e->seen_from, index);
    }
}

// The search's start, or the end of an arc, is a point of its polygon as far as rounding goes: it
// may lie by the tolerance beyond a portal, or beside its end. All that is behind such a portal is
// seen. The same then holds in the polygon behind, where the point lies in its corner.
void nav_expansion_step_through(const expansion *e, uint32_t index)
{
    nav_polyanya *s = e->s;
    mark_ends(e, &e->seen_from, index);
    if (s->steps_through / STEPS_THROUGH_MAX >= s->open_points) {
        s->has_gaps = true;
    } else if (leads_on(e, &e->seen_from, index)) {
        ++s->steps_through;
        add_open_node(e, &e->seen_from, index);
    }
}
