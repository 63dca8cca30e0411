// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// cones_open.c: cones that are open, as their root stands on the portal or in the polygon:
// there all that is behind is seen. And the portals that hardly any polygon has: in line with the
// root, along a ray, without width, or so near the start that rounding decides.

#include "core/query/search/polyanya/cones_expansion.h"

// Of a search, for each place that everything is seen from: how often a cone leads over a portal on
// which its root stands but for a grain. Where polygons are as small as grains there would be no
// end.
#define STEPS_THROUGH_MAX 256u

// What a way from the root to the goal is at least, whatever is between; without a goal, to the
// root.
static double key_of_root(const nav_cones *c, const float root[2], double g)
{
    const double key = c->aim != NULL ? g + distance(root, c->aim) * c->ratio : g;
    return key > c->least ? key : c->least;
}

void nav_expansion_add_open(const expansion *e, const source *from, uint32_t index)
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
                       .turning_vertex = from->turning_vertex,
                       .key = (float)key};
    set_place(cone->left, from->root);
    set_place(cone->right, from->root);
}

void nav_expansion_mark_ends(const expansion *e, const source *from, uint32_t index)
{
    const nav_portal *portal = &e->mesh->portals[index];
    note_way(mark_of(e->c, index, 0, turning_vertex_of(e->c, index, 0) & NAV_TURNING_NUMBER),
             from->g + distance(from->root, portal->left), from->root);
    note_way(mark_of(e->c, index, 1, turning_vertex_of(e->c, index, 1) & NAV_TURNING_NUMBER),
             from->g + distance(from->root, portal->right), from->root);
}

// Where the root is not on the portal, one gets through only by a turn around the nearer end.
void nav_expansion_add_in_line(const expansion *e, const source *from, uint32_t index)
{
    nav_cones *c = e->c;
    const nav_portal *portal = &e->mesh->portals[index];
    const double to_left = distance(from->root, portal->left);
    const double to_right = distance(from->root, portal->right);
    nav_expansion_mark_ends(e, from, index);
    if (is_non_manifold(e->mesh, index)) {
        c->refused = true;
        return;
    }
    const double lx = (double)portal->left[0] - (double)from->root[0];
    const double lz = (double)portal->left[1] - (double)from->root[1];
    const double rx = (double)portal->right[0] - (double)from->root[0];
    const double rz = (double)portal->right[1] - (double)from->root[1];
    if (lx * rx + lz * rz < 0.0) {
        nav_expansion_add_open(e, from, index);
        return;
    }
    const int right = to_right < to_left;
    const float *end = right ? portal->right : portal->left;
    const uint32_t turning_vertex = turning_vertex_of(c, index, right),
                   number = turning_vertex & NAV_TURNING_NUMBER;
    const nav_turning_mark *mark = &c->pool->marks[number];
    source near = {{end[0], end[1]}, number, from->g + (right ? to_right : to_left)};
    if ((turning_vertex & NAV_TURNING_POSSIBLE) != 0 &&
        is_followed(mark, near.g, from->root, end)) {
        near.g = near.g < mark->g ? near.g : mark->g;
        nav_expansion_add_open(e, &near, index);
    }
}

// A portal whose ends are one place in plan view: what is behind is seen from there.
static void add_through_point(const expansion *e, const source *from, uint32_t index)
{
    nav_cones *c = e->c;
    const float *place = e->mesh->portals[index].left;
    // Both: where walls part them its ends are two pivots.
    nav_expansion_mark_ends(e, from, index);
    if (same_place(from->root, place)) {
        if (leads_on(c, from, index)) {
            nav_expansion_add_open(e, from, index);
        }
        return;
    }
    if (is_non_manifold(e->mesh, index)) {
        c->refused = true;
        return;
    }
    const uint32_t number = turning_vertex_of(c, index, 0) & NAV_TURNING_NUMBER;
    const nav_turning_mark *mark = &c->pool->marks[number];
    source there = {{place[0], place[1]}, number, from->g + distance(from->root, place)};
    if (is_followed(mark, there.g, from->root, place)) {
        there.g = there.g < mark->g ? there.g : mark->g;
        nav_expansion_add_open(e, &there, index);
    }
}

void nav_expansion_point(const expansion *e, uint32_t index)
{
    const float *root = e->seen_from.root, *place = e->mesh->portals[index].left;
    const double left = e->left_open ? 1.0 : side(root, e->left, place);
    const double right = e->right_open ? -1.0 : side(root, e->right, place);
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
    if (turn == NAV_NONE && !same_place(root, portal->left) && !same_place(root, portal->right)) {
        nav_expansion_add_in_line(e, &e->seen_from, index);
    } else {
        nav_expansion_mark_ends(e, &e->seen_from, index);
    }
}

void nav_expansion_thin(const expansion *e, uint32_t index)
{
    const nav_portal *portal = &e->mesh->portals[index];
    const float *root = e->seen_from.root;
    if (same_place(root, portal->left) || same_place(root, portal->right)) {
        add_seen(e, &e->seen_from, index, NULL, NULL);
    } else {
        nav_expansion_add_in_line(e, &e->seen_from, index);
    }
}

// The search's start, or where a way ends, is a place of its polygon as far as rounding goes: it
// may lie a grain beyond a portal, or beside its end. All that is behind such a portal is seen. The
// same then holds in the polygon behind, where the place lies in its corner.
void nav_expansion_step_through(const expansion *e, uint32_t index)
{
    nav_cones *c = e->c;
    nav_expansion_mark_ends(e, &e->seen_from, index);
    if (c->steps_through / STEPS_THROUGH_MAX >= c->places) {
        c->refused = true;
    } else if (leads_on(c, &e->seen_from, index)) {
        ++c->steps_through;
        nav_expansion_add_open(e, &e->seen_from, index);
    }
}

// ---- roots ----

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

bool nav_cones_take_arcs(nav_cones *c, const nav_cone *cone, uint32_t polygon, uint32_t parent)
{
    const nav_mesh *mesh = c->view->mesh;
    if (mesh->arc_count == 0) {
        return true;
    }
    for (uint32_t i = mesh->arc_first[polygon]; i < mesh->arc_first[polygon + 1]; ++i) {
        // The way is no shorter than that to the root, or to its own start: where there are many
        // ways nearly all end here.
        const nav_arc *arc = &mesh->arcs[i];
        const uint32_t turning_vertex = c->arc_base + i;
        if (nav_cones_has_landed(c, turning_vertex, cone->g)) {
            continue;
        }
        const float start[2] = {arc->start[0], arc->start[2]};
        const double to_start = cone->g + nav_cone_distance(c, cone, start);
        if (nav_cones_has_landed(c, turning_vertex, to_start) ||
            nav_view_arc_target(c->view, polygon, i) == NAV_NONE) {
            continue;
        }
        const double cost = (double)nav_arc_cost(c->view, arc) / (double)c->view->costs->least;
        const nav_cone landed = {.root = {arc->end[0], arc->end[2]},
                                 .g = to_start + cost,
                                 .portal = mesh->edge_portal_count + i,
                                 .parent = parent,
                                 .turning_vertex = turning_vertex};
        if (nav_cones_land(c, landed.turning_vertex, landed.g) && !nav_cones_add_root(c, &landed)) {
            return false;
        }
    }
    return true;
}
