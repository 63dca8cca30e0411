// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// query_view.c: how every question begins: what its filter makes of the mesh, what its shapes to
// avoid leave of it, and where its points lie.

#include "query.h"

#include <math.h>
#include <string.h>

// ---- polygons ----

static const nav_piece *cut_piece(const nav_view *view, uint32_t polygon)
{
    const nav_overlay *overlay = view->overlay;
    return &overlay->pieces[overlay->cut_pieces[polygon - view->mesh->stats.polygons]];
}

nav_face nav_overlay_face(const nav_view *view, uint32_t polygon)
{
    const nav_overlay *overlay = view->overlay;
    const bool is_piece = polygon >= view->mesh->stats.polygons;
    const nav_piece *piece =
        is_piece ? cut_piece(view, polygon) : nav_overlay_find(overlay, polygon);
    const nav_view plain = {.mesh = view->mesh, .costs = view->costs};
    nav_face face = nav_view_face(&plain, is_piece ? piece->base : polygon);
    if (piece != NULL) {
        face.portals = overlay->portals + piece->portal_first;
        face.portal_first = view->mesh->portal_count + piece->portal_first;
        face.portal_count = piece->portal_count;
    }
    if (piece != NULL && piece->cut) {
        face.corners = overlay->corners + piece->corner_first;
        face.corner_count = piece->corner_count;
    }
    return face;
}

float nav_overlay_cost(const nav_view *view, uint32_t polygon)
{
    if (polygon >= view->mesh->stats.polygons) {
        const nav_piece *piece = cut_piece(view, polygon);
        return view->costs->area[view->mesh->areas[piece->base]] * piece->cost;
    }
    return nav_overlay_is_cut(view->overlay, polygon)
               ? INFINITY
               : view->costs->area[view->mesh->areas[polygon]];
}

// Where a place on a polygon of the mesh is now; NAV_NONE where it is cut out.
static uint32_t polygon_at(const nav_view *view, uint32_t polygon, const float place[3])
{
    if (view->overlay == NULL || !nav_overlay_is_cut(view->overlay, polygon)) {
        return polygon;
    }
    const nav_piece *piece = nav_overlay_piece_at(view->overlay, polygon, place[0], place[2]);
    return piece != NULL ? piece->number : NAV_NONE;
}

uint32_t nav_overlay_way_from(const nav_view *view, uint32_t portal)
{
    return polygon_at(view, view->mesh->portals[portal].from,
                      nav_portal_way(view->mesh, portal)->start);
}

uint32_t nav_overlay_way_to(const nav_view *view, uint32_t portal)
{
    return polygon_at(view, view->mesh->portals[portal].to,
                      nav_portal_way(view->mesh, portal)->end);
}

uint32_t nav_view_way_target(const nav_view *view, uint32_t polygon, uint32_t index)
{
    const nav_mesh *mesh = view->mesh;
    const uint32_t portal = mesh->edge_portal_count + index;
    if (nav_way_cost(view, &mesh->ways[index]) == INFINITY ||
        nav_view_from(view, portal) != polygon) {
        return NAV_NONE;
    }
    const uint32_t to = nav_view_to(view, portal);
    return to != NAV_NONE && nav_polygon_cost(view, to) < INFINITY ? to : NAV_NONE;
}

// ---- places ----

// Where from 0 to 1 on the segment a -> b the closest point to (x, z) lies.
static float closest_on_segment(const float *a, const float *b, float x, float z)
{
    const float dx = b[0] - a[0], dz = b[2] - a[2];
    const float length2 = dx * dx + dz * dz;
    const float t = length2 > 0.0f ? ((x - a[0]) * dx + (z - a[2]) * dz) / length2 : 0.0f;
    return t < 0.0f ? 0.0f : t > 1.0f ? 1.0f : t;
}

float nav_view_clamp(const nav_view *view, uint32_t polygon, float *x, float *z)
{
    const nav_face face = nav_view_face(view, polygon);
    const float from_x = *x, from_z = *z;
    bool inside = face.corner_count > 0;
    float best2 = INFINITY;
    for (uint32_t i = 0; i < face.corner_count; ++i) {
        const float *a = nav_view_vertex(view, face.corners[i]);
        const float *b = nav_view_vertex(view, face.corners[(i + 1) % face.corner_count]);
        const float t = closest_on_segment(a, b, from_x, from_z);
        const float at_x = a[0] + (b[0] - a[0]) * t, at_z = a[2] + (b[2] - a[2]) * t;
        const float dx = at_x - from_x, dz = at_z - from_z;
        inside = inside && (b[0] - a[0]) * (from_z - a[2]) <= (b[2] - a[2]) * (from_x - a[0]);
        if (dx * dx + dz * dz < best2) {
            best2 = dx * dx + dz * dz;
            *x = at_x;
            *z = at_z;
        }
    }
    if (inside) {
        *x = from_x;
        *z = from_z;
        return 0.0f;
    }
    return best2;
}

static bool is_within(const nav_snap *snap, const float point[3], const float place[3])
{
    return fabsf(place[0] - point[0]) <= snap->horizontal &&
           fabsf(place[2] - point[2]) <= snap->horizontal && place[1] - point[1] <= snap->up &&
           point[1] - place[1] <= snap->down;
}

// Keeps places sorted by distance, then by polygon.
static void insert(nav_location *out, uint32_t *count, uint32_t capacity, const nav_location *place)
{
    uint32_t at = *count;
    while (at > 0 &&
           (place->distance < out[at - 1].distance ||
            (place->distance == out[at - 1].distance && place->polygon < out[at - 1].polygon))) {
        --at;
    }
    if (at == capacity) {
        return;
    }
    *count += *count < capacity;
    memmove(out + at + 1, out + at, (*count - 1 - at) * sizeof *out);
    out[at] = *place;
}

nav_reach nav_view_reach(const nav_view *view)
{
    return (nav_reach){.component = NAV_NONE, .costs = view->costs, .overlay = view->overlay};
}

uint32_t nav_view_nearest(const nav_view *view, const nav_options *options, const float point[3],
                          nav_reach reach, nav_location *out, uint32_t capacity)
{
    uint32_t count = nav_query_snap(view->mesh, point, options->snap, reach, out, capacity);
    const uint32_t first = view->mesh->stats.polygons;
    for (uint32_t polygon = first; polygon < nav_view_polygons(view); ++polygon) {
        if (nav_polygon_cost(view, polygon) == INFINITY ||
            !nav_is_polygon_within_reach(&reach, view, polygon)) {
            continue;
        }
        nav_location place = {.polygon = polygon, .position = {point[0], 0.0f, point[2]}};
        const float plan2 = nav_view_clamp(view, polygon, &place.position[0], &place.position[2]);
        place.position[1] = nav_view_height(view, polygon, place.position[0], place.position[2]);
        const float rise = place.position[1] - point[1];
        place.distance = sqrtf(plan2 + rise * rise);
        if (is_within(&options->snap, point, place.position)) {
            insert(out, &count, capacity, &place);
        }
    }
    return count;
}

void nav_view_name(const nav_view *view, nav_location *places, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) {
        places[i].polygon = nav_view_base(view, places[i].polygon);
    }
}

bool nav_view_snap(const nav_view *view, const nav_options *options, const float point[3],
                   nav_location *out)
{
    return nav_view_nearest(view, options, point, nav_view_reach(view), out, 1) > 0;
}

// ---- beginning ----

// Empties an arena. What it held in several blocks becomes one, which is kept: the next question of
// this size asks for no memory.
static void make_whole(nav_arena *memory)
{
    const size_t held_bytes = memory->held_bytes;
    nav_arena_restore(memory, (nav_arena_mark){0});
    if (memory->held_bytes < held_bytes) {
        nav_arena_free(memory);
        (void)nav_arena_alloc(memory, 1, held_bytes);
        nav_arena_restore(memory, (nav_arena_mark){0});
    }
}

static bool begin_overlay(const nav_options *options, nav_scratch *scratch, nav_view *view)
{
    nav_arena *memory = &scratch->overlay_memory;
    make_whole(memory);
    nav_outline *outlines = NAV_NEW(memory, nav_outline, options->avoid_count);
    if (outlines == NULL ||
        !nav_outlines_create(options->avoid, options->avoid_count, (double)view->mesh->agent_radius,
                             memory, outlines) ||
        !nav_overlay_create(view->mesh, outlines, options->avoid_count, memory,
                            &scratch->overlay)) {
        return false;
    }
    nav_costs *costs = &scratch->costs;
    view->overlay = &scratch->overlay;
    costs->open = false;
    costs->uniform = costs->uniform && !scratch->overlay.has_prices;
    costs->least *= scratch->overlay.cost_least;
    costs->bound *= scratch->overlay.cost_least;
    return true;
}

bool nav_view_begin(const nav_mesh *mesh, nav_scratch *scratch, const nav_options *options,
                    nav_view *view)
{
    nav_costs_resolve(mesh, options->filter, &scratch->costs);
    *view = (nav_view){.mesh = mesh, .costs = &scratch->costs};
    if (options->avoid_count > 0 && !begin_overlay(options, scratch, view)) {
        return false;
    }
    scratch->view = *view;
    return nav_scratch_begin(scratch, view);
}
