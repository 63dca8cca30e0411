// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// mesh.c: the references to a mesh, and the numbers that it gives out. build/create.c makes one.

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

// Of one level: the meshes of further bodies have none.
static void forget_agents(nav_mesh *mesh)
{
    if (mesh->agents != NULL) {
        for (uint32_t i = 0; i < mesh->agents->count; ++i) {
            nav_mesh_release(mesh->agents->meshes[i]);
        }
        mesh->allocator.free(mesh->allocator.user, mesh->agents, sizeof *mesh->agents);
    }
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
        forget_agents(mesh);
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

bool nav_mesh_find_body(const nav_mesh *mesh, const char *name, uint32_t *body)
{
    uint32_t agent = 0;
    if (name == NULL || strcmp(name, "default") == 0) {
        *body = 0;
        return true;
    }
    while (agent < nav_mesh_agent_count(mesh) && strcmp(mesh->agents->names[agent], name) != 0) {
        ++agent;
    }
    *body = agent + 1;
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

const nav_laid_link *nav_mesh_link(const nav_mesh *mesh, uint32_t link)
{
    NAV_ASSERT(link < mesh->stats.links);
    return &mesh->links[link];
}
