// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// peer_bake.cpp: see peer_bake.h. The steps are those of recastnavigation's demo.

#include "peer_bake.h"

#include <DetourAlloc.h>
#include <DetourNavMeshBuilder.h>
#include <Recast.h>
#include <RecastAlloc.h>

#include <malloc.h>

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <vector>

namespace
{

// ---- memory ----

std::atomic<size_t> held_bytes, peak_bytes;

void *counting_alloc(size_t size)
{
    void *block = std::malloc(size);
    size_t held = held_bytes += malloc_usable_size(block);
    size_t peak = peak_bytes;
    while (held > peak && !peak_bytes.compare_exchange_weak(peak, held)) {
    }
    return block;
}

void *recast_alloc(size_t size, rcAllocHint)
{
    return counting_alloc(size);
}

void *detour_alloc(size_t size, dtAllocHint)
{
    return counting_alloc(size);
}

void counting_free(void *block)
{
    held_bytes -= malloc_usable_size(block);
    std::free(block);
}

// ---- the steps ----

template <typename T, void (*F)(T *)> struct freed_by {
    void operator()(T *object) const
    {
        F(object);
    }
};

template <typename T, void (*F)(T *)> using owned = std::unique_ptr<T, freed_by<T, F>>;

rcConfig config_of(const nav_config &config, const nav_grid &grid, uint32_t tile_x, uint32_t tile_z)
{
    rcConfig c = {};
    c.cs = config.cell_size;
    c.ch = config.cell_height;
    c.walkableSlopeAngle = config.agent_max_slope;
    c.walkableHeight = (int)std::ceil(config.agent_height / c.ch);
    c.walkableClimb = (int)std::floor(config.agent_max_climb / c.ch);
    c.walkableRadius = (int)std::ceil(config.agent_radius / c.cs);
    c.maxEdgeLen = (int)(config.edge_max_length / c.cs);
    c.maxSimplificationError = config.edge_max_error;
    c.minRegionArea = (int)(config.region_min_size * config.region_min_size);
    c.mergeRegionArea = (int)(config.region_merge_size * config.region_merge_size);
    c.maxVertsPerPoly = (int)config.polygon_max_vertices;
    c.detailSampleDist = c.cs * config.detail_sample_distance;
    c.detailSampleMaxError = c.ch * config.detail_max_error;
    c.borderSize = (int)grid.border_cells;
    rcVcopy(c.bmin, grid.min);
    rcVcopy(c.bmax, grid.max);
    c.width = (int)grid.width_cells;
    c.height = (int)grid.depth_cells;
    if (grid.tile_cells > 0) {
        float border = (float)grid.border_cells * c.cs;
        float side = (float)grid.tile_cells * c.cs;
        c.bmin[0] += (float)tile_x * side - border;
        c.bmin[2] += (float)tile_z * side - border;
        c.bmax[0] = c.bmin[0] + side + 2 * border;
        c.bmax[2] = c.bmin[2] + side + 2 * border;
        c.width = c.height = (int)(grid.tile_cells + 2 * grid.border_cells);
    }
    return c;
}

bool build_regions(rcContext &context, rcCompactHeightfield &open, const rcConfig &c,
                   nav_partition partition)
{
    switch (partition) {
    case NAV_PARTITION_MONOTONE:
        return rcBuildRegionsMonotone(&context, open, c.borderSize, c.minRegionArea,
                                      c.mergeRegionArea);
    case NAV_PARTITION_LAYERS:
        return rcBuildLayerRegions(&context, open, c.borderSize, c.minRegionArea);
    default:
        return rcBuildDistanceField(&context, open) &&
               rcBuildRegions(&context, open, c.borderSize, c.minRegionArea, c.mergeRegionArea);
    }
}

size_t build_tile(const nav_config &config, rcPolyMesh &polygons, const rcPolyMeshDetail *detail)
{
    for (int i = 0; i < polygons.npolys; ++i) {
        polygons.flags[i] = 1;
    }
    dtNavMeshCreateParams params = {};
    params.verts = polygons.verts;
    params.vertCount = polygons.nverts;
    params.polys = polygons.polys;
    params.polyAreas = polygons.areas;
    params.polyFlags = polygons.flags;
    params.polyCount = polygons.npolys;
    params.nvp = polygons.nvp;
    if (detail != nullptr) {
        params.detailMeshes = detail->meshes;
        params.detailVerts = detail->verts;
        params.detailVertsCount = detail->nverts;
        params.detailTris = detail->tris;
        params.detailTriCount = detail->ntris;
    }
    params.walkableHeight = config.agent_height;
    params.walkableRadius = config.agent_radius;
    params.walkableClimb = config.agent_max_climb;
    rcVcopy(params.bmin, polygons.bmin);
    rcVcopy(params.bmax, polygons.bmax);
    params.cs = polygons.cs;
    params.ch = polygons.ch;
    params.buildBvTree = true;
    unsigned char *data = nullptr;
    int size = 0;
    bool built = dtCreateNavMeshData(&params, &data, &size);
    dtFree(data);
    return built ? (size_t)size : 0;
}

size_t bake(const nav_geometry &geometry, const nav_config &config, const rcConfig &c,
            const std::vector<int> &triangles, uint32_t *polygon_count)
{
    rcContext context(false);
    const int count = (int)(triangles.size() / 3);
    std::vector<unsigned char> areas(triangles.size() / 3, 0);
    owned<rcHeightfield, rcFreeHeightField> solid(rcAllocHeightfield());
    owned<rcCompactHeightfield, rcFreeCompactHeightfield> open(rcAllocCompactHeightfield());
    owned<rcContourSet, rcFreeContourSet> contours(rcAllocContourSet());
    owned<rcPolyMesh, rcFreePolyMesh> polygons(rcAllocPolyMesh());
    owned<rcPolyMeshDetail, rcFreePolyMeshDetail> detail(rcAllocPolyMeshDetail());
    rcCreateHeightfield(&context, *solid, c.width, c.height, c.bmin, c.bmax, c.cs, c.ch);
    rcMarkWalkableTriangles(&context, c.walkableSlopeAngle, geometry.vertices,
                            (int)geometry.vertex_count, triangles.data(), count, areas.data());
    rcRasterizeTriangles(&context, geometry.vertices, (int)geometry.vertex_count, triangles.data(),
                         areas.data(), count, *solid, c.walkableClimb);
    rcFilterLowHangingWalkableObstacles(&context, c.walkableClimb, *solid);
    rcFilterLedgeSpans(&context, c.walkableHeight, c.walkableClimb, *solid);
    rcFilterWalkableLowHeightSpans(&context, c.walkableHeight, *solid);
    rcBuildCompactHeightfield(&context, c.walkableHeight, c.walkableClimb, *solid, *open);
    solid.reset();
    rcErodeWalkableArea(&context, c.walkableRadius, *open);
    if (!build_regions(context, *open, c, config.partition) ||
        !rcBuildContours(&context, *open, c.maxSimplificationError, c.maxEdgeLen, *contours) ||
        contours->nconts == 0 ||
        !rcBuildPolyMesh(&context, *contours, c.maxVertsPerPoly, *polygons)) {
        return 0;
    }
    if (config.detail && !rcBuildPolyMeshDetail(&context, *polygons, *open, c.detailSampleDist,
                                                c.detailSampleMaxError, *detail)) {
        return 0;
    }
    if (polygon_count != nullptr) {
        *polygon_count += (uint32_t)polygons->npolys;
    }
    return build_tile(config, *polygons, config.detail ? detail.get() : nullptr);
}

} // namespace

size_t peer_bake_tile(const nav_geometry *geometry, const nav_config *config, const nav_grid *grid,
                      uint32_t tile_x, uint32_t tile_z, const uint32_t *triangles,
                      uint32_t triangle_count, uint32_t *polygons)
{
    std::vector<int> own;
    own.reserve(3 * (size_t)triangle_count);
    for (uint32_t i = 0; i < triangle_count; ++i) {
        const uint32_t *corners = geometry->triangles + 3 * (size_t)triangles[i];
        own.insert(own.end(), corners, corners + 3);
    }
    return bake(*geometry, *config, config_of(*config, *grid, tile_x, tile_z), own, polygons);
}

void peer_memory_reset(void)
{
    rcAllocSetCustom(recast_alloc, counting_free);
    dtAllocSetCustom(detour_alloc, counting_free);
    held_bytes = 0;
    peak_bytes = 0;
}

size_t peer_memory_peak(void)
{
    return peak_bytes;
}
