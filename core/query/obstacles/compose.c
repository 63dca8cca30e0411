// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// compose.c: an overlay is made of groups, each cut by itself. A group's fragments are placed
// behind those that are there, with numbers moved on; so they are, too, when an overlay is made
// from the one before it and only a few shapes have changed.

#include "core/query/obstacles/cut.h"

#include <string.h>

// ---- memory ----

// An array with room for `more` elements behind `count`, also for none; as it was where the budget
// has failed.
static void *grow(nav_overlay_budget *budget, void *array, uint32_t count, uint32_t more,
                  uint32_t *capacity, size_t size_bytes)
{
    if ((array != NULL && more <= *capacity - count) || budget->failed) {
        return array;
    }
    const uint32_t needed = count + more, doubled = count <= UINT32_MAX / 2 ? 2 * count : needed;
    const uint32_t size = doubled > needed ? doubled : needed;
    void *larger = nav_overlay_keep(budget, size, size_bytes);
    if (larger == NULL) {
        return array;
    }
    if (count > 0) {
        memcpy(larger, array, count * size_bytes);
    }
    *capacity = size;
    return larger;
}

static bool grow_all(nav_overlay *o, const nav_overlay_extent *more, nav_overlay_budget *budget)
{
    uint32_t turn_capacity = o->capacity.portals;
    o->fragments = grow(budget, o->fragments, o->count.fragments, more->fragments,
                        &o->capacity.fragments, sizeof *o->fragments);
    o->cut_fragments = grow(budget, o->cut_fragments, o->count.polygons, more->polygons,
                            &o->capacity.polygons, sizeof *o->cut_fragments);
    o->corners = grow(budget, o->corners, o->count.corners, more->corners, &o->capacity.corners,
                      sizeof *o->corners);
    o->vertices = grow(budget, o->vertices, o->count.vertices, more->vertices,
                       &o->capacity.vertices, sizeof *o->vertices);
    o->turning_vertices = grow(budget, o->turning_vertices, o->count.portals, more->portals,
                               &turn_capacity, sizeof *o->turning_vertices);
    o->portals = grow(budget, o->portals, o->count.portals, more->portals, &o->capacity.portals,
                      sizeof *o->portals);
    return !budget->failed;
}

// ---- numbers ----

// How far numbers move from one overlay to another. They turn over, so that what comes before can
// also move back.
typedef struct shift {
    uint32_t polygons, vertices, turns; // of the mesh: numbers below stay
    nav_overlay_extent by;
} shift;

static uint32_t move_polygon(const shift *s, uint32_t polygon)
{
    return polygon >= s->polygons && polygon != NAV_NONE ? polygon + s->by.polygons : polygon;
}

static uint32_t move_vertex(const shift *s, uint32_t vertex)
{
    return vertex >= s->vertices ? vertex + s->by.vertices : vertex;
}

// Each portal has two numbers for the turns at its ends.
static uint32_t move_turn(const shift *s, uint32_t end)
{
    const uint32_t number = end & NAV_TURNING_NUMBER;
    return number >= s->turns ? (end & ~NAV_TURNING_NUMBER) | (number + 2 * s->by.portals) : end;
}

static void append_fragments(nav_overlay *o, const nav_overlay *from,
                             const nav_overlay_extent *first, const nav_overlay_extent *end,
                             const shift *s, uint32_t group)
{
    nav_fragment *fragment = o->fragments + o->count.fragments;
    for (uint32_t i = first->fragments; i < end->fragments; ++i, ++fragment) {
        *fragment = from->fragments[i];
        fragment->number = move_polygon(s, fragment->number);
        fragment->group = group;
        fragment->corner_first += s->by.corners;
        fragment->portal_first += s->by.portals;
    }
    uint32_t *cut = o->cut_fragments + o->count.polygons;
    for (uint32_t i = first->polygons; i < end->polygons; ++i) {
        *cut++ = from->cut_fragments[i] + s->by.fragments;
    }
    uint32_t *corner = o->corners + o->count.corners;
    for (uint32_t i = first->corners; i < end->corners; ++i) {
        *corner++ = move_vertex(s, from->corners[i]);
    }
}

static void append_portals(nav_overlay *o, const nav_overlay *from, const nav_overlay_extent *first,
                           const nav_overlay_extent *end, const shift *s)
{
    nav_portal *portal = o->portals + o->count.portals;
    uint32_t(*turns)[2] = o->turning_vertices + o->count.portals;
    for (uint32_t i = first->portals; i < end->portals; ++i, ++portal, ++turns) {
        *portal = from->portals[i];
        portal->from = move_polygon(s, portal->from);
        portal->to = move_polygon(s, portal->to);
        portal->left_vertex = move_vertex(s, portal->left_vertex);
        portal->right_vertex = move_vertex(s, portal->right_vertex);
        (*turns)[0] = move_turn(s, from->turning_vertices[i][0]);
        (*turns)[1] = move_turn(s, from->turning_vertices[i][1]);
    }
}

// ---- exported ----

bool nav_overlay_append(nav_overlay *overlay, const nav_overlay *from,
                        const nav_overlay_extent *first, const nav_overlay_extent *end,
                        uint32_t group, nav_overlay_budget *budget)
{
    const nav_overlay_extent at = overlay->count;
    const nav_overlay_extent more = nav_overlay_extent_behind(&(nav_overlay_extent){0}, first, end);
    const shift s = {.polygons = overlay->mesh->stats.polygons,
                     .vertices = overlay->mesh->stats.vertices,
                     .turns = overlay->mesh->turning_vertex_count,
                     .by = {.fragments = at.fragments - first->fragments,
                            .polygons = at.polygons - first->polygons,
                            .corners = at.corners - first->corners,
                            .vertices = at.vertices - first->vertices,
                            .portals = at.portals - first->portals}};
    NAV_ASSERT(overlay->mesh == from->mesh);
    if (!grow_all(overlay, &more, budget)) {
        return false;
    }
    append_fragments(overlay, from, first, end, &s, group);
    append_portals(overlay, from, first, end, &s);
    nav_overlay_vertex *vertex = overlay->vertices + overlay->count.vertices;
    for (uint32_t i = first->vertices; i < end->vertices; ++i) {
        // Its height may be found just now: it is looked up again.
        const float *place = from->vertices[i].at;
        *vertex++ = (nav_overlay_vertex){.at = {place[0], NAV_HEIGHT_UNKNOWN, place[2]},
                                         .base = from->vertices[i].base};
    }
    overlay->count = nav_overlay_extent_behind(&at, first, end);
    overlay->groups[group].first = at;
    overlay->groups[group].end = overlay->count;
    overlay->groups[group].is_cut = true;
    return nav_overlay_list_fragments(overlay, at.fragments, budget->kept, budget);
}

bool nav_overlay_take_groups(nav_overlay *overlay, const nav_overlay *last,
                             nav_overlay_budget *budget)
{
    bool done = true;
    for (uint32_t i = 0; i < overlay->group_count && done; ++i) {
        const uint32_t before = overlay->groups[i].before;
        const nav_overlay_group *old = before != NAV_NONE ? &last->groups[before] : NULL;
        if (old != NULL && old->is_cut) {
            done = nav_overlay_append(overlay, last, &old->first, &old->end, i, budget);
        }
    }
    return done;
}

bool nav_overlay_cut_group(nav_overlay *overlay, uint32_t group, nav_overlay_budget *budget)
{
    nav_overlay_group *g = &overlay->groups[group];
    NAV_DCHECK(group < overlay->group_count);
    if (g->is_cut) {
        return true;
    }
    nav_arena_reset(budget->arena);
    nav_outline *outlines = nav_overlay_alloc(budget, g->member_count, sizeof *outlines);
    for (uint32_t i = 0; i < g->member_count && !budget->failed; ++i) {
        outlines[i] = overlay->obstacles[overlay->members[g->member_first + i]].outline;
        NAV_ASSERT(outlines[i].points != NULL);
    }
    nav_overlay alone;
    const bool done =
        !budget->failed &&
        nav_overlay_cut(overlay->mesh, outlines, g->member_count, overlay->ground + g->ground_first,
                        g->ground_count, budget, &alone) &&
        nav_overlay_append(overlay, &alone, &(nav_overlay_extent){0}, &alone.count, group, budget);
    for (uint32_t i = 0; done && i < alone.count.fragments && !g->changes; ++i) {
        g->changes = alone.fragments[i].cut;
    }
    g->costs = done ? alone.costs : g->costs;
    for (uint32_t i = 0; i < g->ground_count && overlay->mesh->rooms.count > 0; ++i) {
        const uint32_t polygon = overlay->ground[g->ground_first + i];
        g->costs.has_switches =
            g->costs.has_switches || overlay->mesh->classes[polygon] >= NAV_MESH_AREAS;
    }
    return done;
}
