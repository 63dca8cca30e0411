// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// detour_mesh.hpp: what detour.cpp and detour_queries.cpp share: a Detour mesh of our polygons with
// its query object. C++.

#pragma once

#include "detour.h"

#include <DetourNavMesh.h>
#include <DetourNavMeshQuery.h>

#include <vector>

const int DETOUR_CORRIDOR_MAX = 16384;

// Our polygons of one tile begin at `first`; Detour numbers them by tile.
struct detour_tile {
    uint32_t first, count;
    dtTileRef ref;
};

struct detour_mesh {
    dtNavMesh *mesh = nullptr;
    dtNavMeshQuery *query = nullptr;
    dtQueryFilter filter;
    std::vector<detour_tile> tiles; // by first
    uint32_t polygon_count = 0;
    std::vector<bool> flat; // by polygon: without its height detail, which was too much
    std::vector<dtPolyRef> corridor = std::vector<dtPolyRef>(DETOUR_CORRIDOR_MAX);
    std::vector<dtPolyRef> polygons = std::vector<dtPolyRef>(DETOUR_CORRIDOR_MAX);
    std::vector<float> points = std::vector<float>(3 * (size_t)DETOUR_CORRIDOR_MAX);
    int point_count = 0;
    ~detour_mesh()
    {
        dtFreeNavMeshQuery(query);
        dtFreeNavMesh(mesh);
    }
};
