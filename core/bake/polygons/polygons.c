// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// polygons.c: step 8, contours -> convex polygons with adjacency.
//
// The stage after the contours and before the height detail:
//   1. weld: corners of contours that lie on each other become one vertex;
//   2. cut each contour into triangles (triangulate.c);
//   3. merge the triangles of a contour into convex polygons (merge.c);
//   4. take out vertices that only the tile's border made (border.c);
//   5. find neighbours and edges on the tile's border, number the vertices that are left.

#include "core/bake/polygons/polygons.h"
#include "core/bake/contours/contours.h"

#include <string.h>

// Corners whose heights differ by at most this much are one vertex.
#define WELD_HEIGHT_CELLS 2

// Vertices by their position in plan view: open addressing, so that those of one position are met
// in order of their index, whatever the hash.
typedef struct weld_table {
    uint32_t *slots; // vertex or NAV_NONE
    size_t mask;
} weld_table;

typedef struct builder {
    const nav_bake_job *job;
    nav_polygons mesh;
    uint32_t capacity; // polygons for which the mesh has room
    weld_table table;
    bool *marked; // per vertex: to be taken out
    bool any_marked;
    uint32_t *groups;  // per triangle: its contour
    uint32_t *corners; // per corner of the contour in work: its vertex
    nav_plan *points;  // ... and its position
    uint32_t (*triangles)[3];
} builder;

static uint32_t weld(builder *b, const nav_contour_point *point)
{
    uint64_t key = (uint64_t)(uint32_t)point->x << 32 | (uint32_t)point->z;
    size_t slot = (size_t)((key * 0x9e3779b97f4a7c15u) >> 24) & b->table.mask;
    for (; b->table.slots[slot] != NAV_NONE; slot = (slot + 1) & b->table.mask) {
        const int32_t *vertex = b->mesh.vertices[b->table.slots[slot]];
        int32_t rise = vertex[1] - point->y;
        if (vertex[0] == point->x && vertex[2] == point->z && rise >= -WELD_HEIGHT_CELLS &&
            rise <= WELD_HEIGHT_CELLS) {
            return b->table.slots[slot];
        }
    }
    uint32_t index = b->mesh.vertex_count++;
    b->table.slots[slot] = index;
    b->mesh.vertices[index][0] = point->x;
    b->mesh.vertices[index][1] = point->y;
    b->mesh.vertices[index][2] = point->z;
    b->mesh.wall_first[index] = NAV_NONE;
    b->marked[index] = false;
    return index;
}

// Rooms for the whole stage: corners are at most as many as the contours' points, triangles two a
// contour fewer.
static bool builder_init(builder *b, const nav_contour_set *contours)
{
    size_t corners = 0, largest = 0;
    for (uint32_t i = 0; i < contours->count; i++) {
        size_t count = contours->contours[i].point_count;
        NAV_ASSERT(count >= 3);
        corners += count;
        largest = count > largest ? count : largest;
    }
    size_t triangles = corners - 2 * (size_t)contours->count;
    size_t slots = 16;
    while (slots < corners * 2) {
        slots *= 2;
    }
    nav_arena *scratch = b->job->scratch;
    uint32_t stride = b->job->config->polygon_max_vertices;
    NAV_ASSERT(stride >= 3);
    NAV_ASSERT(stride <= NAV_POLYGON_VERTICES_MAX);
    b->mesh.max_vertices = stride;
    b->mesh.vertices = nav_arena_alloc(scratch, corners, sizeof *b->mesh.vertices);
    b->mesh.polygon_vertices = nav_arena_alloc(scratch, triangles, stride * sizeof(uint32_t));
    b->mesh.areas = NAV_NEW(scratch, uint16_t, triangles);
    b->mesh.regions = NAV_NEW(scratch, uint32_t, triangles);
    b->mesh.wall_first = NAV_NEW(scratch, uint32_t, corners);
    b->mesh.walls = NAV_NEW(scratch, nav_polygon_wall, corners);
    b->marked = NAV_NEW(scratch, bool, corners);
    b->groups = NAV_NEW(scratch, uint32_t, triangles);
    b->corners = NAV_NEW(scratch, uint32_t, largest);
    b->points = NAV_NEW(scratch, nav_plan, largest);
    b->triangles = nav_arena_alloc(scratch, largest, sizeof *b->triangles);
    b->table = (weld_table){.slots = NAV_NEW(scratch, uint32_t, slots), .mask = slots - 1};
    b->capacity = (uint32_t)triangles;
    if (corners >= NAV_NONE || b->mesh.vertices == NULL || b->mesh.polygon_vertices == NULL ||
        b->mesh.areas == NULL || b->mesh.regions == NULL || b->mesh.wall_first == NULL ||
        b->mesh.walls == NULL || b->marked == NULL || b->groups == NULL || b->corners == NULL ||
        b->points == NULL || b->triangles == NULL || b->table.slots == NULL) {
        return false;
    }
    for (size_t i = 0; i < slots; i++) {
        b->table.slots[i] = NAV_NONE;
    }
    return true;
}

static void add_triangle(builder *b, const nav_contour *contour, uint32_t group,
                         const uint32_t triangle[3])
{
    uint32_t v[3];
    for (int i = 0; i < 3; i++) {
        v[i] = b->corners[triangle[i]];
    }
    if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0]) {
        return; // welding has closed it
    }
    nav_polygons *mesh = &b->mesh;
    NAV_ASSERT(mesh->count < b->capacity);
    uint32_t *row = mesh->polygon_vertices + (size_t)mesh->count * mesh->max_vertices;
    for (uint32_t i = 0; i < mesh->max_vertices; i++) {
        row[i] = i < 3 ? v[i] : NAV_NONE;
    }
    mesh->areas[mesh->count] = contour->area;
    mesh->regions[mesh->count] = contour->region;
    b->groups[mesh->count++] = group;
}

// Notes the contour's edges behind which there are no cells of another region.
static void add_walls(builder *b, const nav_contour *contour)
{
    nav_polygons *mesh = &b->mesh;
    for (uint32_t i = 0; i < contour->point_count; i++) {
        if ((contour->points[i].neighbour & NAV_CONTOUR_REGION_MASK) == 0) {
            const uint32_t to = b->corners[i + 1 < contour->point_count ? i + 1 : 0];
            mesh->walls[mesh->wall_count] =
                (nav_polygon_wall){.to = to, .next = mesh->wall_first[b->corners[i]]};
            mesh->wall_first[b->corners[i]] = mesh->wall_count++;
        }
    }
}

static nav_status add_contour(builder *b, const nav_contour *contour, uint32_t group)
{
    for (uint32_t i = 0; i < contour->point_count; i++) {
        const nav_contour_point *point = &contour->points[i];
        b->corners[i] = weld(b, point);
        b->points[i] = (nav_plan){point->x, point->z};
        if ((point->neighbour & NAV_CONTOUR_BORDER_VERTEX) != 0) {
            b->marked[b->corners[i]] = true;
            b->any_marked = true;
        }
    }
    add_walls(b, contour);
    uint32_t count;
    bool complete;
    nav_status status = nav_triangulate(b->job->scratch, b->job->cancel, b->points,
                                        contour->point_count, b->triangles, &count, &complete);
    if (status != NAV_OK) {
        return status == NAV_CANCELLED ? nav_bake_end(b->job) : status;
    }
    if (!complete) {
        const nav_contour_point *at = &contour->points[0];
        nav_bake_warn_value(b->job, NAV_WARN_TRIANGULATION_FAILED, (float)at->x, (float)at->y,
                            (float)at->z, (float)(contour->point_count - 2 - count));
    }
    for (uint32_t i = 0; i < count; i++) {
        add_triangle(b, contour, group, b->triangles[i]);
    }
    return NAV_OK;
}

// Leaves out vertices that no polygon uses; the others keep their order.
static nav_status renumber(builder *b)
{
    nav_polygons *mesh = &b->mesh;
    uint32_t *number = NAV_NEW(b->job->scratch, uint32_t, mesh->vertex_count);
    if (number == NULL) {
        return NAV_NO_MEMORY;
    }
    memset(number, 0xff, mesh->vertex_count * sizeof *number);
    size_t slots = (size_t)mesh->count * mesh->max_vertices;
    for (size_t i = 0; i < slots; i++) {
        if (mesh->polygon_vertices[i] != NAV_NONE) {
            number[mesh->polygon_vertices[i]] = 0;
        }
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        if (number[i] != NAV_NONE) {
            memmove(mesh->vertices[kept], mesh->vertices[i], sizeof mesh->vertices[i]);
            number[i] = kept++;
        }
    }
    mesh->vertex_count = kept;
    for (size_t i = 0; i < slots; i++) {
        if (mesh->polygon_vertices[i] != NAV_NONE) {
            mesh->polygon_vertices[i] = number[mesh->polygon_vertices[i]];
        }
    }
    return NAV_OK;
}

// The side of the tile on which both ends lie, as a portal, or NAV_NONE. The edge must run so that
// the tile is on its inner side: a polygon without an area can lie on the border with all its
// edges, of which only those that face outwards lead out.
static uint32_t portal_of_edge(const nav_bake_job *job, const int32_t a[3], const int32_t b[3])
{
    int32_t low = (int32_t)job->border_cells;
    int32_t high_x = (int32_t)(job->width_cells - job->border_cells);
    int32_t high_z = (int32_t)(job->depth_cells - job->border_cells);
    if (a[0] == low && b[0] == low && a[2] < b[2]) {
        return NAV_EDGE_PORTAL | 0;
    }
    if (a[2] == high_z && b[2] == high_z && a[0] < b[0]) {
        return NAV_EDGE_PORTAL | 1;
    }
    if (a[0] == high_x && b[0] == high_x && a[2] > b[2]) {
        return NAV_EDGE_PORTAL | 2;
    }
    if (a[2] == low && b[2] == low && a[0] > b[0]) {
        return NAV_EDGE_PORTAL | 3;
    }
    return NAV_NONE;
}

static void mark_portals(const nav_bake_job *job, nav_polygons *mesh)
{
    for (uint32_t i = 0; i < mesh->count; i++) {
        size_t row = (size_t)i * mesh->max_vertices;
        uint32_t size = nav_polygon_size(mesh, i);
        for (uint32_t edge = 0; edge < size; edge++) {
            uint32_t from = mesh->polygon_vertices[row + edge];
            uint32_t to = mesh->polygon_vertices[row + (edge + 1 == size ? 0 : edge + 1)];
            if (mesh->polygon_neighbours[row + edge] == NAV_NONE &&
                !nav_polygons_is_wall(mesh, from, to)) {
                mesh->polygon_neighbours[row + edge] =
                    portal_of_edge(job, mesh->vertices[from], mesh->vertices[to]);
            }
        }
    }
}

static nav_status find_neighbours(builder *b)
{
    nav_arena *scratch = b->job->scratch;
    nav_polygons *mesh = &b->mesh;
    size_t stride = mesh->max_vertices;
    mesh->polygon_neighbours = nav_arena_alloc(scratch, mesh->count, stride * sizeof(uint32_t));
    if (mesh->polygon_neighbours == NULL) {
        return NAV_NO_MEMORY;
    }
    memset(mesh->polygon_neighbours, 0xff, mesh->count * stride * sizeof(uint32_t));
    nav_arena_mark mark = nav_arena_save(scratch);
    nav_edge_pair *pairs;
    uint32_t count;
    if (nav_polygons_pair_edges(scratch, mesh, 0, NULL, &pairs, &count) != NAV_OK) {
        return NAV_NO_MEMORY;
    }
    for (uint32_t i = 0; i < count; i++) {
        const nav_edge_pair *pair = &pairs[i];
        NAV_ASSERT(pair->polygon_a < mesh->count);
        NAV_ASSERT(pair->polygon_b < mesh->count);
        NAV_ASSERT(pair->polygon_a != pair->polygon_b);
        NAV_ASSERT(pair->edge_a < stride);
        NAV_ASSERT(pair->edge_b < stride);
        mesh->polygon_neighbours[pair->polygon_a * stride + pair->edge_a] = pair->polygon_b;
        mesh->polygon_neighbours[pair->polygon_b * stride + pair->edge_b] = pair->polygon_a;
    }
    nav_arena_restore(scratch, mark);
    if (b->job->border_cells > 0) {
        mark_portals(b->job, mesh);
    }
    return NAV_OK;
}

static nav_status finish(builder *b)
{
    nav_status status = nav_polygons_merge(b->job, &b->mesh, 0, b->groups);
    if (status == NAV_OK && b->any_marked) {
        status = nav_polygons_remove_marked(b->job, &b->mesh, b->marked, b->capacity);
    }
    NAV_IF_OK(status, find_neighbours(b));
    return status == NAV_OK ? renumber(b) : status;
}

nav_status nav_bake_polygons(const nav_bake_job *job, const nav_contour_set *contours,
                             nav_polygons *out)
{
    NAV_ASSERT(job->config->polygon_max_vertices >= 3);
    NAV_ASSERT(job->config->polygon_max_vertices <= NAV_POLYGON_VERTICES_MAX);
    builder b = {.job = job};
    if (!builder_init(&b, contours)) {
        return NAV_NO_MEMORY;
    }
    nav_status status = NAV_OK;
    for (uint32_t i = 0; i < contours->count && status == NAV_OK; i++) {
        status = nav_cancel_poll(job->cancel, NAV_STEP_ROW)
                     ? nav_bake_end(job)
                     : add_contour(&b, &contours->contours[i], i);
    }
    NAV_IF_OK(status, finish(&b));
    if (status != NAV_OK) {
        return status;
    }
    job->report->polygons += b.mesh.count;
    job->report->vertices += b.mesh.vertex_count;
    *out = b.mesh;
    return NAV_OK;
}
