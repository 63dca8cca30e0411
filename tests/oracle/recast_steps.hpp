// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// recast_steps.hpp: what recast.cpp and the peers in tests/bench share: our settings as Recast's, a
// tile's grid, the steps up to open ground, the partition, and polygons as Detour takes them.

#pragma once

#include "tests/oracle/recast.h"

#include <DetourNavMeshBuilder.h>
#include <Recast.h>

#include <cmath>
#include <memory>
#include <vector>

template <typename T, void (*F)(T *)> struct freed_by {
    void operator()(T *object) const
    {
        F(object);
    }
};

template <typename T, void (*F)(T *)> using owned = std::unique_ptr<T, freed_by<T, F>>;

// All but the grid.
inline rcConfig recast_config(const nav_config &config)
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
    c.detailSampleDist =
        config.detail_sample_distance < 0.9f ? 0 : c.cs * config.detail_sample_distance;
    c.detailSampleMaxError = c.ch * config.detail_max_error;
    return c;
}

// Of a tile of a grid, with its border.
inline rcConfig recast_config_of_tile(const nav_config &config, const nav_grid &grid,
                                      uint32_t tile_x, uint32_t tile_z)
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

// The corners of so many of a level's triangles.
inline std::vector<int> recast_triangles(const nav_geometry &geometry, const uint32_t *triangles,
                                         uint32_t count)
{
    std::vector<int> corners;
    corners.reserve(3 * (size_t)count);
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t *own = geometry.triangles + 3 * (size_t)triangles[i];
        corners.insert(corners.end(), own, own + 3);
    }
    return corners;
}

// Ground that the agent can stand on, eroded by its radius.
inline void recast_open_ground(rcContext &context, const nav_geometry &geometry, const rcConfig &c,
                               const std::vector<int> &triangles, rcCompactHeightfield &open)
{
    const int count = (int)(triangles.size() / 3);
    std::vector<unsigned char> areas(triangles.size() / 3, 0);
    owned<rcHeightfield, rcFreeHeightField> solid(rcAllocHeightfield());
    rcCreateHeightfield(&context, *solid, c.width, c.height, c.bmin, c.bmax, c.cs, c.ch);
    rcMarkWalkableTriangles(&context, c.walkableSlopeAngle, geometry.vertices,
                            (int)geometry.vertex_count, triangles.data(), count, areas.data());
    rcRasterizeTriangles(&context, geometry.vertices, (int)geometry.vertex_count, triangles.data(),
                         areas.data(), count, *solid, c.walkableClimb);
    rcFilterLowHangingWalkableObstacles(&context, c.walkableClimb, *solid);
    rcFilterLedgeSpans(&context, c.walkableHeight, c.walkableClimb, *solid);
    rcFilterWalkableLowHeightSpans(&context, c.walkableHeight, *solid);
    rcBuildCompactHeightfield(&context, c.walkableHeight, c.walkableClimb, *solid, open);
    solid.reset();
    rcErodeWalkableArea(&context, c.walkableRadius, open);
}

inline bool recast_partition(rcContext &context, rcCompactHeightfield &open, const rcConfig &c,
                             nav_partition partition)
{
    switch (partition) {
    case NAV_PARTITION_MONOTONE:
        return rcBuildRegionsMonotone(&context, open, c.borderSize, c.minRegionArea,
                                      c.mergeRegionArea);
    case NAV_PARTITION_LAYERS:
        return rcBuildLayerRegions(&context, open, c.borderSize, c.minRegionArea);
    case NAV_PARTITION_WATERSHED:
        break;
    }
    return rcBuildDistanceField(&context, open) &&
           rcBuildRegions(&context, open, c.borderSize, c.minRegionArea, c.mergeRegionArea);
}

// All polygons may be walked on. detail may be nullptr.
inline dtNavMeshCreateParams recast_tile(const nav_config &config, rcPolyMesh &polygons,
                                         const rcPolyMeshDetail *detail)
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
    return params;
}
