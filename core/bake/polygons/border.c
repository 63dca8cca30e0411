// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// border.c: takes out vertices that are there only because the padding's regions met the tile
// there. The tile beside it has no such vertex, so its edges would not line up.
//
//      |  \ | /  |            |         |      The polygons around the vertex are removed; the
//      |___\|/___|     ->     |_________|      outline that they leave is closed by a straight
//          v  tile border                      edge, triangulated and merged anew.
//
// A tile has few such vertices, so each simply looks through all polygons.

#include "core/bake/polygons/polygons.h"

#include <string.h>

// The star of a vertex: the edges of its polygons that do not end in it, as from -> to.
typedef struct star {
    uint32_t (*edges)[2];
    uint32_t edge_count;
    uint32_t polygon_count;
    uint32_t region; // of all its polygons, or 0 where they differ
    uint16_t area;
} star;

static uint32_t find_vertex(const nav_polygons *mesh, uint32_t polygon, uint32_t vertex)
{
    const uint32_t *row = mesh->polygon_vertices + (size_t)polygon * mesh->max_vertices;
    for (uint32_t i = 0; i < mesh->max_vertices && row[i] != NAV_NONE; i++) {
        if (row[i] == vertex) {
            return i;
        }
    }
    return NAV_NONE;
}

static void collect_star(const nav_polygons *mesh, uint32_t vertex, star *s)
{
    s->edge_count = 0;
    s->polygon_count = 0;
    for (uint32_t polygon = 0; polygon < mesh->count; polygon++) {
        uint32_t at = find_vertex(mesh, polygon, vertex);
        if (at == NAV_NONE) {
            continue;
        }
        const uint32_t *row = mesh->polygon_vertices + (size_t)polygon * mesh->max_vertices;
        uint32_t size = nav_polygon_size(mesh, polygon);
        for (uint32_t i = 1; i + 1 < size; i++) {
            s->edges[s->edge_count][0] = row[(at + i) % size];
            s->edges[s->edge_count++][1] = row[(at + i + 1) % size];
        }
        bool differs = s->polygon_count > 0 && s->region != mesh->regions[polygon];
        s->region = differs ? 0 : mesh->regions[polygon];
        s->area = s->polygon_count == 0 ? mesh->areas[polygon] : s->area;
        s->polygon_count++;
    }
}

// Strings the edges together to one walk, whose first vertex follows its last. False where they do
// not form one chain.
static bool chain_edges(const star *s, uint32_t *walk, uint32_t *walk_count)
{
    uint32_t start = 0;
    for (uint32_t i = 0; i < s->edge_count; i++) {
        bool has_before = false;
        for (uint32_t j = 0; j < s->edge_count; j++) {
            has_before = has_before || s->edges[j][1] == s->edges[i][0];
        }
        start = has_before ? start : i;
    }
    uint32_t at = s->edges[start][0];
    uint32_t count = 0;
    for (uint32_t used = 0; used < s->edge_count; used++) {
        uint32_t edge = 0;
        while (edge < s->edge_count && s->edges[edge][0] != at) {
            edge++;
        }
        if (edge == s->edge_count) {
            return false;
        }
        walk[count++] = at;
        at = s->edges[edge][1];
    }
    if (at != walk[0]) {
        walk[count++] = at;
    }
    *walk_count = count;
    return count >= 3;
}

static void drop_polygons_with(nav_polygons *mesh, uint32_t vertex)
{
    size_t stride = mesh->max_vertices;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < mesh->count; i++) {
        if (find_vertex(mesh, i, vertex) != NAV_NONE) {
            continue;
        }
        memmove(mesh->polygon_vertices + kept * stride, mesh->polygon_vertices + i * stride,
                stride * sizeof *mesh->polygon_vertices);
        mesh->areas[kept] = mesh->areas[i];
        mesh->regions[kept] = mesh->regions[i];
        kept++;
    }
    mesh->count = kept;
}

static void add_triangle(nav_polygons *mesh, const uint32_t *walk, const uint32_t triangle[3],
                         const star *s)
{
    NAV_ASSERT(mesh->max_vertices >= 3);
    uint32_t *row = mesh->polygon_vertices + (size_t)mesh->count * mesh->max_vertices;
    for (uint32_t i = 0; i < mesh->max_vertices; i++) {
        row[i] = i < 3 ? walk[triangle[i]] : NAV_NONE;
    }
    mesh->areas[mesh->count] = s->area;
    mesh->regions[mesh->count] = s->region;
    mesh->count++;
}

// Buffers for one removal.
typedef struct remover {
    star star;
    uint32_t *walk;
    nav_plan *points;
    uint32_t (*triangles)[3];
} remover;

// Triangulates what would be left without the vertex; false if it must stay: the tip of a lone
// triangle, the meeting point of separate polygons, or a walk that cannot be triangulated.
static nav_status plan_removal(const nav_bake_job *job, const nav_polygons *mesh, uint32_t vertex,
                               remover *r, uint32_t *triangle_count, bool *possible)
{
    uint32_t walk_count = 0;
    *possible = false;
    collect_star(mesh, vertex, &r->star);
    if (r->star.edge_count <= 2 || !chain_edges(&r->star, r->walk, &walk_count)) {
        return NAV_OK;
    }
    NAV_ASSERT(walk_count <= r->star.edge_count + 1);
    for (uint32_t i = 0; i < walk_count; i++) {
        r->points[i] = nav_polygons_plan(mesh, r->walk[i]);
    }
    const nav_status status = nav_triangulate(job->scratch, job->cancel, r->points, walk_count,
                                              r->triangles, triangle_count, possible);
    return status == NAV_CANCELLED ? nav_bake_end(job) : status;
}

static nav_status remove_vertex(const nav_bake_job *job, nav_polygons *mesh, uint32_t vertex,
                                uint32_t capacity, remover *r)
{
    uint32_t triangle_count = 0;
    bool possible;
    nav_status status = plan_removal(job, mesh, vertex, r, &triangle_count, &possible);
    if (status != NAV_OK || !possible ||
        triangle_count > capacity - (mesh->count - r->star.polygon_count)) {
        return status;
    }
    NAV_ASSERT(r->star.polygon_count <= mesh->count);
    uint32_t before = mesh->count;
    drop_polygons_with(mesh, vertex);
    uint32_t first = mesh->count;
    NAV_ASSERT(first + r->star.polygon_count == before);
    for (uint32_t i = 0; i < triangle_count; i++) {
        add_triangle(mesh, r->walk, r->triangles[i], &r->star);
    }
    return nav_polygons_merge(job, mesh, first, NULL);
}

// The number of edges that the polygons around the vertex have in all.
static size_t count_edges(const nav_polygons *mesh, uint32_t vertex)
{
    size_t edges = 0;
    for (uint32_t i = 0; i < mesh->count; i++) {
        edges += find_vertex(mesh, i, vertex) != NAV_NONE ? nav_polygon_size(mesh, i) : 0;
    }
    return edges;
}

nav_status nav_polygons_remove_marked(const nav_bake_job *job, nav_polygons *mesh,
                                      const bool *marked, uint32_t capacity)
{
    for (uint32_t vertex = 0; vertex < mesh->vertex_count; vertex++) {
        if (!marked[vertex]) {
            continue;
        }
        if (nav_cancel_poll(job->cancel, NAV_STEP_ROW)) {
            return nav_bake_end(job);
        }
        nav_arena_mark mark = nav_arena_save(job->scratch);
        size_t edges = count_edges(mesh, vertex);
        remover r = {.star.edges = nav_arena_alloc(job->scratch, edges, sizeof *r.star.edges),
                     .walk = NAV_NEW(job->scratch, uint32_t, edges + 1),
                     .points = NAV_NEW(job->scratch, nav_plan, edges + 1),
                     .triangles = nav_arena_alloc(job->scratch, edges + 1, sizeof *r.triangles)};
        if (r.star.edges == NULL || r.walk == NULL || r.points == NULL || r.triangles == NULL) {
            return NAV_NO_MEMORY;
        }
        nav_status status = remove_vertex(job, mesh, vertex, capacity, &r);
        if (status != NAV_OK) {
            return status;
        }
        nav_arena_restore(job->scratch, mark);
    }
    return NAV_OK;
}
