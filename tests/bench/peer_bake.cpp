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
    owned<rcCompactHeightfield, rcFreeCompactHeightfield> open(rcAllocCompactHeightfield());
    owned<rcContourSet, rcFreeContourSet> contours(rcAllocContourSet());
    owned<rcPolyMesh, rcFreePolyMesh> polygons(rcAllocPolyMesh());
    owned<rcPolyMeshDetail, rcFreePolyMeshDetail> detail(rcAllocPolyMeshDetail());
    recast_open_ground(context, geometry, c, triangles, *open);
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
    return bake(*geometry, *config, recast_config_of_tile(*config, *grid, tile_x, tile_z),
                recast_triangles(*geometry, triangles, triangle_count), polygons);
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
