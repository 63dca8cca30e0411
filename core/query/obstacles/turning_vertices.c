// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// turning_vertices.c: the numbers of turning vertices where ground is closed or cut out. The ground
// that hangs together around a point is found on foot, portal by portal.

#include "core/query/obstacles/cut.h"

// The most polygons of a walk around a point. Over non-manifold edges it might never come back.
#define FAN_MAX 256

// Ground to walk over.
typedef struct ground {
    const nav_view *view;
    // The fragment behind each portal of an overlay that numbers its turns. NAV_NONE: a polygon of
    // the mesh without fragments. NULL: the view is asked.
    const uint32_t *behind;
} ground;

// Portals out of one polygon, and the number of the first.
typedef struct portal_range {
    const nav_portal *portals;
    uint32_t first, count;
} portal_range;

static inline portal_range portals_behind(const ground *g, uint32_t portal)
{
    const nav_overlay *o = g->view->overlay;
    if (g->behind == NULL) {
        const nav_face face = nav_view_face(g->view, nav_view_portal(g->view, portal)->to);
        return (portal_range){face.portals, face.portal_first, face.portal_count};
    }
    const uint32_t before = g->view->mesh->portal_count;
    const uint32_t fragment = g->behind[portal - before];
    if (fragment == NAV_NONE) {
        return (portal_range){0};
    }
    const nav_fragment *f = &o->fragments[fragment];
    return (portal_range){o->portals + f->portal_first, before + f->portal_first, f->portal_count};
}

// The portal with this point on its left out of the polygon that is entered over another one.
static uint32_t find_next(const ground *g, uint32_t over, const float point[2], bool may_return)
{
    const portal_range range = portals_behind(g, over);
    for (uint32_t i = 0; i < range.count; ++i) {
        const nav_portal *portal = &range.portals[i];
        if (nav_plane_same(portal->left, point) &&
            (may_return || !nav_portal_is_back(portal, nav_view_portal(g->view, over)))) {
            return range.first + i;
        }
    }
    return NAV_NONE;
}

// The end of a walk around a point.
typedef enum fan_end {
    FAN_WALL,  // no ground comes next, or it is closed
    FAN_ROUND, // the first portal comes next
    FAN_KNOWN, // a portal comes next whose end has a number
    FAN_LOST,  // none within FAN_MAX portals
} fan_end;

// The ground that hangs together around a point, as a walk to the left meets it.
typedef struct fan {
    uint32_t passed[FAN_MAX], count; // portals with the point on their left
    fan_end end;
    uint32_t portal; // that numbers the ground: the last one, the least of those that come round,
                     // or the one that has a number
} fan;

static bool is_numbered(uint32_t end)
{
    return (end & NAV_TURNING_NUMBER) != NAV_TURNING_NUMBER;
}

// Whether ground behind a portal is closed; an overlay that has just been cut has no costs yet.
static bool is_closed(const nav_view *view, uint32_t portal)
{
    return view->costs != NULL &&
           nav_polygon_cost(view, nav_view_portal(view, portal)->to) == INFINITY;
}

// Walks from a portal with the point on its left. With the `numbers` of an overlay's portals the
// walk goes no farther than to where another one has been; all ground around the point is the
// overlay's then, and a portal of the mesh is another ground's.
static void walk_around(const ground *g, uint32_t first, const float point[2],
                        const uint32_t (*numbers)[2], fan *f)
{
    const nav_view *view = g->view;
    const uint32_t before = numbers != NULL ? view->mesh->portal_count : 0;
    uint32_t at = first, least = first;
    for (f->count = 0; f->count < FAN_MAX;) {
        f->passed[f->count++] = at;
        least = at < least ? at : least;
        const uint32_t next = find_next(g, at, point, false);
        if (next == NAV_NONE || next < before || is_closed(view, next)) {
            f->end = FAN_WALL;
            f->portal = at;
            return;
        }
        if (next == first) {
            f->end = FAN_ROUND;
            f->portal = least;
            return;
        }
        if (numbers != NULL && is_numbered(numbers[next - before][0])) {
            f->end = FAN_KNOWN;
            f->portal = next;
            return;
        }
        at = next;
    }
    f->end = FAN_LOST;
    f->portal = first;
}

// If ground is closed, or cut out, the number of the ground that hangs together around an end of a
// portal is that of the last portal on a walk around it to the left, or of the least where the walk
// comes round; then no path turns there.
uint32_t nav_turning_on_foot(const nav_view *view, uint32_t portal, int right)
{
    const ground g = {.view = view};
    const nav_portal *of = nav_view_portal(view, portal);
    const float point[2] = {right ? of->right[0] : of->left[0], right ? of->right[1] : of->left[1]};
    // The walk begins with a portal that has the point on its left.
    const uint32_t first = right ? find_next(&g, portal, point, true) : portal;
    fan f; // its list is not cleared: closed ground asks here for every end
    f.end = FAN_LOST;
    if (first != NAV_NONE) {
        walk_around(&g, first, point, NULL, &f);
    }
    return f.end == FAN_ROUND  ? 2 * f.portal
           : f.end == FAN_WALL ? (2 * f.portal) | NAV_TURNING_POSSIBLE
                               : (2 * portal + 1) | NAV_TURNING_POSSIBLE;
}

// ---- turning vertices of an overlay ----

static void set_number(uint32_t *end, uint32_t number)
{
    *end = (*end & ~NAV_TURNING_NUMBER) | number;
}

// The number of an end that no walk leads away from.
static uint32_t number_alone(const nav_mesh *mesh, uint32_t portal)
{
    return (2 * (portal - mesh->portal_count) + 1 + mesh->turning_vertex_count) |
           NAV_TURNING_POSSIBLE;
}

// The same number as nav_turning_on_foot's, behind those of the mesh, of the left end of a portal
// of the overlay. All ends on the way get it.
static void number_left(const ground *g, uint32_t portal)
{
    const nav_view *view = g->view;
    const uint32_t before = view->mesh->portal_count;
    uint32_t(*ends)[2] = view->overlay->turning_vertices;
    fan f;
    walk_around(g, portal, nav_view_portal(view, portal)->left, (const uint32_t(*)[2])ends, &f);
    uint32_t number = 2 * (f.portal - before) + view->mesh->turning_vertex_count;
    if (f.end == FAN_WALL) {
        number |= NAV_TURNING_POSSIBLE;
    } else if (f.end == FAN_KNOWN) {
        number = ends[f.portal - before][0] & (NAV_TURNING_NUMBER | NAV_TURNING_POSSIBLE);
    } else if (f.end == FAN_LOST) {
        number = number_alone(view->mesh, portal);
    }
    for (uint32_t i = 0; i < f.count; ++i) {
        set_number(&ends[f.passed[i] - before][0], number);
    }
}

// A portal's right end is the left one of the same portal from its other side.
static void number_right(const ground *g, uint32_t portal)
{
    const nav_view *view = g->view;
    const uint32_t before = view->mesh->portal_count;
    uint32_t(*ends)[2] = view->overlay->turning_vertices;
    const uint32_t back = find_next(g, portal, nav_view_portal(view, portal)->right, true);
    uint32_t number = number_alone(view->mesh, portal);
    if (back != NAV_NONE && back >= before) {
        number = ends[back - before][0] & (NAV_TURNING_NUMBER | NAV_TURNING_POSSIBLE);
    }
    set_number(&ends[portal - before][1], number);
}

// By portal of an overlay: the fragment behind it.
static uint32_t *list_behind(const nav_overlay *o, nav_overlay_budget *budget)
{
    uint32_t *behind = nav_overlay_alloc(budget, o->count.portals, sizeof *behind);
    for (uint32_t i = 0; i < o->count.portals && behind != NULL; ++i) {
        const uint32_t to = o->portals[i].to, polygons = o->mesh->stats.polygons;
        const nav_fragment *whole = to < polygons ? nav_overlay_find(o, to) : NULL;
        behind[i] = to >= polygons  ? o->cut_fragments[to - polygons]
                    : whole != NULL ? (uint32_t)(whole - o->fragments)
                                    : NAV_NONE;
    }
    return behind;
}

// ---- exported ----

bool nav_overlay_number_turns(nav_overlay *overlay, nav_overlay_budget *budget)
{
    const nav_view view = {.mesh = overlay->mesh, .overlay = overlay};
    const ground g = {.view = &view, .behind = list_behind(overlay, budget)};
    const uint32_t before = view.mesh->portal_count;
    for (int right = 0; right < 2 && g.behind != NULL; ++right) {
        for (uint32_t i = 0; i < overlay->count.portals; ++i) {
            if (!is_numbered(overlay->turning_vertices[i][right])) {
                (right ? number_right : number_left)(&g, before + i);
            }
        }
    }
    return g.behind != NULL;
}
