// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// peer_bake.cpp: see peer_bake.h. The steps are those of recastnavigation's demo.

#include "peer_bake.h"

#include "tests/oracle/recast_steps.hpp"

#include <DetourAlloc.h>
#include <DetourNavMeshBuilder.h>
#include <Recast.h>
#include <RecastAlloc.h>

#include <malloc.h>

#include <atomic>
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
    rcConfig c = recast_config(config);
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

size_t build_tile(const nav_config &config, rcPolyMesh &polygons, const rcPolyMeshDetail *detail)
{
    dtNavMeshCreateParams params = recast_tile(config, polygons, detail);
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
    if (!recast_partition(context, *open, c, config.partition) ||
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
