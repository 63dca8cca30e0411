// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// recast_steps.hpp: what recast.cpp and tests/bench/peer_bake.cpp share: our settings as Recast's,
// the partition, and polygons as Detour takes them.

#pragma once

#include "tests/oracle/recast.h"

#include <DetourNavMeshBuilder.h>
#include <Recast.h>

#include <cmath>

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
