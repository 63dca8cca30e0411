// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// mesh.c: the references to a mesh, and the numbers that it gives out. build/create.c makes one.

#include "core/mesh/steps.h"

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
        if (mesh->landmarks != NULL) {
            allocator.free(allocator.user, mesh->landmarks,
                           (size_t)mesh->turning_vertex_count * mesh->landmark_count *
                               sizeof *mesh->landmarks);
        }
        allocator.free(allocator.user, mesh, mesh->size_bytes);
    }
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
        .area = mesh->areas[polygon],
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
