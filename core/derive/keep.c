// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// keep.c: takes polygons out of a mesh, with all that belongs to them.
//
//   kept polygons --> new numbers --> runs, vertices, polygons, links close up, in place
//
// Every new index is at most the old one, so arrays move in place, front to back.

#include "core/mesh/steps.h"

#include <string.h>

// New numbers of polygons and vertices; NAV_NONE for those that go.
typedef struct numbering {
    uint32_t *polygons, *vertices;
    uint32_t polygon_count, vertex_count;
} numbering;

static bool number_anew(const nav_mesh *mesh, const uint8_t *keep, numbering *out,
                        nav_arena *temporary)
{
    *out = (numbering){.polygons = NAV_NEW(temporary, uint32_t, mesh->stats.polygons),
                       .vertices = NAV_NEW_ZERO(temporary, uint32_t, mesh->stats.vertices)};
    if (out->polygons == NULL || out->vertices == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < mesh->stats.polygons && !nav_cancel_poll(mesh->cancel, 1); ++i) {
        out->polygons[i] = keep[i] ? out->polygon_count++ : NAV_NONE;
        for (uint32_t k = mesh->records[i].corner_first;
             keep[i] && k < mesh->records[i + 1].corner_first; ++k) {
            out->vertices[mesh->corners[k]] = 1;
        }
    }
    for (uint32_t i = 0; i < mesh->stats.vertices && !nav_cancel_poll(mesh->cancel, 1); ++i) {
        out->vertices[i] = out->vertices[i] != 0 ? out->vertex_count++ : NAV_NONE;
    }
    return true;
}

static void move_vertices(nav_mesh *mesh, const numbering *to)
{
    for (uint32_t i = 0; i < mesh->stats.vertices && !nav_cancel_poll(mesh->cancel, 1); ++i) {
        if (to->vertices[i] != NAV_NONE) {
            NAV_DCHECK(to->vertices[i] <= i);
            memmove(mesh->vertices[to->vertices[i]], mesh->vertices[i], sizeof *mesh->vertices);
        }
    }
    mesh->stats.vertices = to->vertex_count;
}

// Portals of a polygon that is kept lead to kept ones: that is what reaching means.
static uint32_t move_portals(nav_mesh *mesh, const numbering *to, uint32_t first, uint32_t end,
                             uint32_t at)
{
    for (uint32_t i = first; i < end; ++i) {
        nav_portal portal = mesh->portals[i];
        portal.from = to->polygons[portal.from];
        portal.to = to->polygons[portal.to];
        portal.left_vertex = to->vertices[portal.left_vertex];
        portal.right_vertex = to->vertices[portal.right_vertex];
        NAV_DCHECK(portal.to != NAV_NONE);
        NAV_DCHECK(at <= i);
        mesh->portals[at++] = portal;
    }
    return at;
}

// The offsets to which the next polygon's runs are copied.
typedef struct fronts {
    uint32_t corner, portal, detail_vertex, detail_triangle;
} fronts;

static void move_polygon(nav_mesh *mesh, const numbering *to, uint32_t polygon, fronts *at)
{
    const uint32_t target = to->polygons[polygon];
    NAV_DCHECK(target <= polygon);
    const nav_polygon_record record = mesh->records[polygon], next = mesh->records[polygon + 1];
    const uint32_t corner = record.corner_first;
    const uint32_t corner_count = next.corner_first - corner;
    NAV_DCHECK(at->corner <= corner);
    NAV_DCHECK(corner_count <= NAV_POLYGON_VERTICES_MAX);
    const uint32_t vertex_count = next.detail_vertex_first - record.detail_vertex_first;
    const uint32_t triangle_count = next.detail_triangle_first - record.detail_triangle_first;
    const uint32_t portal = mesh->portal_first[polygon];
    const uint32_t portal_end = mesh->portal_first[polygon + 1];
    mesh->classes[target] = mesh->classes[polygon];
    mesh->records[target] = record;
    mesh->records[target].corner_first = at->corner;
    mesh->records[target].detail_vertex_first = at->detail_vertex;
    mesh->records[target].detail_triangle_first = at->detail_triangle;
    mesh->portal_first[target] = at->portal;
    for (uint32_t k = 0; k < corner_count; ++k) {
        uint32_t neighbour = mesh->neighbours[corner + k];
        mesh->corners[at->corner] = to->vertices[mesh->corners[corner + k]];
        mesh->neighbours[at->corner++] = neighbour != NAV_NONE ? to->polygons[neighbour] : NAV_NONE;
    }
    memmove(mesh->detail_vertices + at->detail_vertex,
            mesh->detail_vertices + record.detail_vertex_first,
            vertex_count * sizeof *mesh->detail_vertices);
    memmove(mesh->detail_triangles + at->detail_triangle,
            mesh->detail_triangles + record.detail_triangle_first,
            triangle_count * sizeof *mesh->detail_triangles);
    at->detail_vertex += vertex_count;
    at->detail_triangle += triangle_count;
    at->portal = move_portals(mesh, to, portal, portal_end, at->portal);
}

static void move_polygons(nav_mesh *mesh, const numbering *to)
{
    fronts at = {0};
    for (uint32_t i = 0; i < mesh->stats.polygons && !nav_cancel_poll(mesh->cancel, 1); ++i) {
        if (to->polygons[i] != NAV_NONE) {
            move_polygon(mesh, to, i, &at);
        }
    }
    mesh->records[to->polygon_count] =
        (nav_polygon_record){.corner_first = at.corner,
                             .detail_vertex_first = at.detail_vertex,
                             .detail_triangle_first = at.detail_triangle};
    NAV_ASSERT(at.portal <= mesh->edge_portal_count);
    mesh->portal_first[to->polygon_count] = at.portal;
    mesh->edge_portal_count = at.portal;
    mesh->stats.polygons = to->polygon_count;
}

// A link that begins on a kept polygon ends on one. Ways follow from the links.
static void move_links(nav_mesh *mesh, const numbering *to)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < mesh->stats.links && !nav_cancel_poll(mesh->cancel, 1); ++i) {
        nav_placed_link link = mesh->links[i];
        link.start_polygon = to->polygons[link.start_polygon];
        link.end_polygon = to->polygons[link.end_polygon];
        if (link.start_polygon != NAV_NONE) {
            NAV_ASSERT(link.end_polygon != NAV_NONE); // it can be reached over the link
            mesh->links[count++] = link;
        }
    }
    mesh->stats.links = count;
    nav_mesh_derive_arcs(mesh);
}

// Tiles that keep a polygon. Kept polygons are numbered in order, so that a tile's first one is the
// next.
static void move_runs(nav_mesh *mesh, const numbering *to)
{
    uint32_t count = 0;
    uint32_t next = 0;
    for (uint32_t i = 0; i < mesh->run_count && !nav_cancel_poll(mesh->cancel, 1); ++i) {
        nav_mesh_run run = mesh->runs[i];
        const uint32_t first = next;
        for (uint32_t k = run.polygon_first; k < mesh->runs[i + 1].polygon_first; ++k) {
            next += to->polygons[k] != NAV_NONE;
        }
        if (next > first) {
            run.polygon_first = first;
            mesh->runs[count++] = run;
        }
    }
    mesh->runs[count] = (nav_mesh_run){.polygon_first = next};
    mesh->run_count = count;
}

nav_status nav_mesh_keep_only(nav_mesh *mesh, const uint8_t *keep, nav_arena *temporary)
{
    NAV_ASSERT(mesh->landmarks == NULL); // they would be of the numbers before
    numbering to;
    if (!number_anew(mesh, keep, &to, temporary)) {
        return NAV_NO_MEMORY;
    }
    if (nav_cancel_status(mesh->cancel) != NAV_OK) {
        return NAV_CANCELLED; // nothing has moved
    }
    if (to.polygon_count < mesh->stats.polygons) {
        nav_mesh_forget_locate(mesh);
        // Once it is cancelled no step begins, as each asks first: none sees what another left.
        move_runs(mesh, &to);
        move_vertices(mesh, &to);
        move_polygons(mesh, &to);
        move_links(mesh, &to);
    }
    return nav_cancel_status(mesh->cancel);
}
