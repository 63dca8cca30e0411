// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// mesh.c: the references to a mesh, and the numbers that it gives out. derive/create.c makes one.

#include "core/mesh/steps.h"

#include <string.h>

double nav_mesh_polygon_area(const nav_mesh *mesh, uint32_t polygon)
{
    NAV_DCHECK(polygon < mesh->stats.polygons);
    const uint32_t *corners = mesh->corners + mesh->records[polygon].corner_first;
    uint32_t count = mesh->records[polygon + 1].corner_first - mesh->records[polygon].corner_first;
    const float *origin = mesh->vertices[corners[0]];
    double doubled = 0.0;
    for (uint32_t k = 1; k + 1 < count; ++k) {
        const float *a = mesh->vertices[corners[k]];
        const float *b = mesh->vertices[corners[k + 1]];
        doubled += ((double)a[2] - (double)origin[2]) * ((double)b[0] - (double)origin[0]) -
                   ((double)a[0] - (double)origin[0]) * ((double)b[2] - (double)origin[2]);
    }
    return doubled / 2.0;
}

nav_mesh *nav_mesh_acquire(nav_mesh *mesh)
{
    uint32_t before = atomic_fetch_add_explicit(&mesh->references, 1, memory_order_relaxed);
    NAV_ASSERT(before > 0);
    return mesh;
}

void nav_mesh_release(nav_mesh *mesh)
{
    if (mesh == NULL) {
        return;
    }
    // Release: what this thread read is done. Acquire: the last one sees that of all others.
    uint32_t before = atomic_fetch_sub_explicit(&mesh->references, 1, memory_order_acq_rel);
    NAV_ASSERT(before > 0);
    if (before == 1) {
        nav_allocator allocator = mesh->allocator;
        nav_mesh_forget_locate(mesh);
        // Agents nest one level deep: the meshes of further agents have none.
        if (mesh->agents != NULL) {
            for (uint32_t i = 0; i < mesh->agents->count; ++i) {
                nav_mesh_release(mesh->agents->meshes[i]);
            }
            mesh->allocator.free(mesh->allocator.user, mesh->agents, sizeof *mesh->agents);
        }
        nav_mesh_forget_rooms(mesh);
        if (mesh->turning_grounds != NULL) {
            allocator.free(allocator.user, mesh->turning_grounds,
                           mesh->turning_vertex_count * sizeof *mesh->turning_grounds);
        }
        if (mesh->landmarks != NULL) {
            allocator.free(allocator.user, mesh->landmarks,
                           (size_t)mesh->turning_vertex_count * mesh->landmark_count *
                               sizeof *mesh->landmarks);
        }
        allocator.free(allocator.user, mesh, mesh->size_bytes);
    }
}

nav_status nav_mesh_add_agents(nav_mesh *mesh, const nav_agent *agents, nav_mesh *const *meshes,
                               uint32_t count)
{
    NAV_ASSERT(mesh->agents == NULL);
    NAV_ASSERT(count <= NAV_AGENTS_MAX);
    nav_mesh_agents *all = mesh->allocator.alloc(mesh->allocator.user, sizeof *all);
    if (all == NULL) {
        return NAV_NO_MEMORY;
    }
    *all = (nav_mesh_agents){.count = count};
    for (uint32_t i = 0; i < count; ++i) {
        NAV_ASSERT(meshes[i] != mesh && meshes[i]->agents == NULL);
        memcpy(all->names[i], agents[i].name, sizeof all->names[i]);
        all->meshes[i] = nav_mesh_acquire(meshes[i]);
    }
    mesh->agents = all;
    return NAV_OK;
}

uint32_t nav_mesh_agent_count(const nav_mesh *mesh)
{
    return mesh->agents != NULL ? mesh->agents->count : 0;
}

const char *nav_mesh_agent_name(const nav_mesh *mesh, uint32_t agent)
{
    NAV_ASSERT(agent < nav_mesh_agent_count(mesh));
    return mesh->agents->names[agent];
}

nav_mesh *nav_mesh_agent(const nav_mesh *mesh, uint32_t agent)
{
    NAV_ASSERT(agent < nav_mesh_agent_count(mesh));
    return mesh->agents->meshes[agent];
}

bool nav_mesh_find_agent(const nav_mesh *mesh, const char *name, uint32_t *number)
{
    uint32_t agent = 0;
    if (name == NULL || strcmp(name, "default") == 0) {
        *number = 0;
        return true;
    }
    while (agent < nav_mesh_agent_count(mesh) && strcmp(mesh->agents->names[agent], name) != 0) {
        ++agent;
    }
    *number = agent + 1;
    return agent < nav_mesh_agent_count(mesh);
}

size_t nav_mesh_memory_bytes(const nav_mesh *mesh)
{
    size_t bytes = mesh->stats.memory_bytes;
    for (uint32_t i = 0; i < nav_mesh_agent_count(mesh); ++i) {
        bytes += mesh->agents->meshes[i]->stats.memory_bytes;
    }
    return bytes;
}

void nav_mesh_stats_get(const nav_mesh *mesh, nav_mesh_stats *out)
{
    *out = mesh->stats;
}

nav_coordinates nav_mesh_coordinates(const nav_mesh *mesh)
{
    return mesh->stats.coordinates;
}

nav_polygon nav_mesh_polygon(const nav_mesh *mesh, uint32_t polygon)
{
    NAV_ASSERT(polygon < mesh->stats.polygons);
    uint32_t first = mesh->records[polygon].corner_first;
    return (nav_polygon){
        .vertex_count = mesh->records[polygon + 1].corner_first - first,
        .vertices = mesh->corners + first,
        .neighbours = mesh->neighbours + first,
        .component = mesh->records[polygon].component,
        .area = nav_mesh_class_area(mesh, mesh->classes[polygon]),
    };
}

const float *nav_mesh_vertex(const nav_mesh *mesh, uint32_t vertex)
{
    NAV_ASSERT(vertex < mesh->stats.vertices);
    return mesh->vertices[vertex];
}

const nav_placed_link *nav_mesh_link(const nav_mesh *mesh, uint32_t link)
{
    NAV_ASSERT(link < mesh->stats.links);
    return &mesh->links[link];
}

nav_polygon_detail nav_mesh_polygon_detail(const nav_mesh *mesh, uint32_t polygon)
{
    NAV_ASSERT(polygon < mesh->stats.polygons);
    const nav_polygon_record *record = &mesh->records[polygon];
    return (nav_polygon_detail){
        .vertices = (const float(*)[3])mesh->detail_vertices + record->detail_vertex_first,
        .triangles = (const uint16_t(*)[3])mesh->detail_triangles + record->detail_triangle_first,
        .vertex_count = record[1].detail_vertex_first - record->detail_vertex_first,
        .triangle_count = record[1].detail_triangle_first - record->detail_triangle_first,
    };
}

static bool lies_between(float at, float a, float b)
{
    return a < b ? at >= a && at <= b : at >= b && at <= a;
}

// Whether a portal is the edge a -> b, or lies on it, on a tile's border, which runs along an axis.
// Vertices of one grid are the same to the last bit.
static bool lies_on_edge(const nav_portal *portal, const float a[3], const float b[3])
{
    const float begin[2] = {a[0], a[2]}, end[2] = {b[0], b[2]};
    const int along = begin[0] == end[0] ? 1 : 0, across = 1 - along;
    return (nav_plane_same(portal->right, begin) && nav_plane_same(portal->left, end)) ||
           (begin[across] == end[across] && portal->right[across] == begin[across] &&
            portal->left[across] == begin[across] &&
            lies_between(portal->right[along], begin[along], end[along]) &&
            lies_between(portal->left[along], begin[along], end[along]));
}

uint32_t nav_mesh_edge_portals(const nav_mesh *mesh, uint32_t polygon, nav_edge_portal *out,
                               uint32_t capacity)
{
    const nav_polygon whole = nav_mesh_polygon(mesh, polygon);
    const uint32_t first = mesh->portal_first[polygon];
    const uint32_t count = mesh->portal_first[polygon + 1] - first;
    uint32_t edge = 0;
    for (uint32_t i = 0; i < count && i < capacity; ++i) {
        const nav_portal *portal = &mesh->portals[first + i];
        // They are in order of edge.
        while (whole.neighbours[edge] == NAV_NONE ||
               !lies_on_edge(portal, mesh->vertices[whole.vertices[edge]],
                             mesh->vertices[whole.vertices[(edge + 1) % whole.vertex_count]])) {
            ++edge;
            NAV_ASSERT(edge < whole.vertex_count);
        }
        out[i] = (nav_edge_portal){.edge = edge,
                                   .to = portal->to,
                                   .right = portal->right_vertex,
                                   .left = portal->left_vertex};
    }
    return count;
}

uint32_t nav_mesh_polygon_switches(const nav_mesh *mesh, uint32_t polygon,
                                   const uint16_t **switches)
{
    NAV_ASSERT(polygon < mesh->stats.polygons);
    const uint16_t ground = mesh->classes[polygon];
    if (ground < NAV_MESH_AREAS) {
        *switches = NULL;
        return 0;
    }
    const nav_mesh_class *c = &mesh->ground_classes[ground - NAV_MESH_AREAS];
    *switches = mesh->class_switches + c->first;
    return c[1].first - c->first;
}

void nav_mesh_grid_get(const nav_mesh *mesh, nav_mesh_grid *out)
{
    *out = (nav_mesh_grid){.cell_size = mesh->cell_size,
                           .cell_height = mesh->cell_height,
                           .tile_cells = mesh->tile_cells,
                           .tiles_x = mesh->tiles_x,
                           .tiles_z = mesh->tiles_z,
                           .agent_radius = mesh->agent_radius,
                           .agent_height = mesh->agent_height,
                           .agent_max_climb = mesh->agent_max_climb};
    memcpy(out->min, mesh->grid_min, sizeof out->min);
}

uint32_t nav_mesh_tile_count(const nav_mesh *mesh)
{
    return mesh->run_count;
}

nav_mesh_tile nav_mesh_tile_get(const nav_mesh *mesh, uint32_t tile)
{
    NAV_ASSERT(tile < mesh->run_count);
    const nav_mesh_run *run = &mesh->runs[tile];
    return (nav_mesh_tile){.x = run->tile_x,
                           .z = run->tile_z,
                           .polygon_first = run->polygon_first,
                           .polygon_count = run[1].polygon_first - run->polygon_first};
}
