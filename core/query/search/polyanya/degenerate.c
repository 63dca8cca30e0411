// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// degenerate.c: nodes that are open, as their root stands on the portal or in the polygon:
// there all that is behind is seen. And the portals that hardly any polygon has: in line with the
// root, along a ray, without width, or so near the start that rounding decides.

#include "core/query/search/polyanya/expansion.h"

// Of a search, for each place that everything is seen from: how often a node leads over a portal on
// which its root stands but for the tolerance. If polygons are as small as tolerances there
// would be no end.
#define STEPS_THROUGH_MAX 256u

void nav_expansion_add_open_node(const expansion *e, const viewpoint *from, uint32_t index)
{
    nav_polyanya *s = e->s;
    const double key = key_of_root(s, from->root, from->g);
    if (key >= s->limit) {
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
    set_place(node->left, from->root);
    set_place(node->right, from->root);
}

void nav_expansion_mark_ends(const expansion *e, const viewpoint *from, uint32_t index)
{
    const nav_portal *portal = &e->mesh->portals[index];
    note_length(mark_of(e->s, index, 0), from->g + nav_plane_distance_of(from->root, portal->left),
                from->root);
    note_length(mark_of(e->s, index, 1), from->g + nav_plane_distance_of(from->root, portal->right),
                from->root);
}

// If the root is not on the portal, one gets through only by a turn around the nearer end.
void nav_expansion_add_in_line(const expansion *e, const viewpoint *from, uint32_t index)
{
    nav_polyanya *s = e->s;
    const nav_portal *portal = &e->mesh->portals[index];
    const double to_left = nav_plane_distance_of(from->root, portal->left);
    const double to_right = nav_plane_distance_of(from->root, portal->right);
    nav_expansion_mark_ends(e, from, index);
    if (is_non_manifold(e->mesh, index)) {
        s->has_gaps = true;
        return;
    }
    double to_left_end[2], to_right_end[2];
    nav_plane_offset(from->root, portal->left, to_left_end);
    nav_plane_offset(from->root, portal->right, to_right_end);
    if (nav_plane_dot(to_left_end[0], to_left_end[1], to_right_end[0], to_right_end[1]) < 0.0) {
        nav_expansion_add_open_node(e, from, index);
        return;
    }
    const int right = to_right < to_left;
    const float *end = right ? portal->right : portal->left;
    const uint32_t turning_vertex = turning_vertex_of(s, index, right),
                   number = turning_vertex & NAV_TURNING_NUMBER;
    const nav_turning_mark *mark = &s->scratch->marks[number];
    viewpoint near = {{end[0], end[1]}, number, from->g + (right ? to_right : to_left)};
    if ((turning_vertex & NAV_TURNING_POSSIBLE) != 0 &&
        is_followed(mark, near.g, from->root, end)) {
        near.g = near.g < mark->g ? near.g : mark->g;
        nav_expansion_add_open_node(e, &near, index);
    }
}

// A portal whose ends are one place in plan view: what is behind is seen from there.
static void add_through_point(const expansion *e, const viewpoint *from, uint32_t index)
{
    nav_polyanya *s = e->s;
    const float *place = e->mesh->portals[index].left;
    // Both: where walls part them its ends are two turning vertices.
    nav_expansion_mark_ends(e, from, index);
    if (nav_plane_same(from->root, place)) {
        if (leads_on(s, from, index)) {
            nav_expansion_add_open_node(e, from, index);
        }
        return;
    }
    if (is_non_manifold(e->mesh, index)) {
        s->has_gaps = true;
        return;
    }
    const uint32_t number = turning_vertex_of(s, index, 0) & NAV_TURNING_NUMBER;
    const nav_turning_mark *mark = &s->scratch->marks[number];
    viewpoint there = {
        {place[0], place[1]}, number, from->g + nav_plane_distance_of(from->root, place)};
    if (is_followed(mark, there.g, from->root, place)) {
        there.g = there.g < mark->g ? there.g : mark->g;
        nav_expansion_add_open_node(e, &there, index);
    }
}

void nav_expansion_point(const expansion *e, uint32_t index)
{
    const float *root = e->seen_from.root, *place = e->mesh->portals[index].left;
    double to[2];
    nav_plane_offset(root, place, to);
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
    const nav_portal *portal = &e->mesh->portals[index];
    const float *root = e->seen_from.root;
    const uint32_t turn = on_left ? e->turn_left.turning_vertex : e->turn_right.turning_vertex;
    if (turn == NAV_NONE && !nav_plane_same(root, portal->left) &&
        !nav_plane_same(root, portal->right)) {
        nav_expansion_add_in_line(e, &e->seen_from, index);
    } else {
        nav_expansion_mark_ends(e, &e->seen_from, index);
    }
}

void nav_expansion_thin(const expansion *e, uint32_t index)
{
    const nav_portal *portal = &e->mesh->portals[index];
    const float *root = e->seen_from.root;
    if (nav_plane_same(root, portal->left) || nav_plane_same(root, portal->right)) {
        add_seen(e, &e->seen_from, index, NULL, NULL);
    } else {
        nav_expansion_add_in_line(e, &e->seen_from, index);
    }
}

// The search's start, or the end of an arc, is a place of its polygon as far as rounding goes: it
// may lie by the tolerance beyond a portal, or beside its end. All that is behind such a portal is
// seen. The same then holds in the polygon behind, where the place lies in its corner.
void nav_expansion_step_through(const expansion *e, uint32_t index)
{
    nav_polyanya *s = e->s;
    nav_expansion_mark_ends(e, &e->seen_from, index);
    if (s->steps_through / STEPS_THROUGH_MAX >= s->places) {
        s->has_gaps = true;
    } else if (leads_on(s, &e->seen_from, index)) {
        ++s->steps_through;
        nav_expansion_add_open_node(e, &e->seen_from, index);
    }
}
