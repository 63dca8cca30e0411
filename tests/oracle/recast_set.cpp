// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// recast_set.cpp: see recast_set.h.

#include "recast_set.h"

#include "recast_steps.hpp"

// As _Noreturn in recast_set.h: C17's word for it.
#define _Static_assert static_assert

extern "C" {
#include "proto/detour/layout.h"
}

#include <DetourNavMesh.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace
{

// The bytes of a Detour tile; nullptr where nobody can stand in it.
unsigned char *bake_tile(const nav_geometry &geometry, const nav_config &config,
                         const nav_grid &grid, const std::vector<int> &triangles, uint32_t x,
                         uint32_t z, int *size)
{
    rcContext context(false);
    const rcConfig c = recast_config_of_tile(config, grid, x, z);
    owned<rcCompactHeightfield, rcFreeCompactHeightfield> open(rcAllocCompactHeightfield());
    owned<rcContourSet, rcFreeContourSet> contours(rcAllocContourSet());
    owned<rcPolyMesh, rcFreePolyMesh> polygons(rcAllocPolyMesh());
    owned<rcPolyMeshDetail, rcFreePolyMeshDetail> detail(rcAllocPolyMeshDetail());
    recast_open_ground(context, geometry, c, triangles, *open);
    if (!recast_partition(context, *open, c, config.partition) ||
        !rcBuildContours(&context, *open, c.maxSimplificationError, c.maxEdgeLen, *contours) ||
        contours->nconts == 0 ||
        !rcBuildPolyMesh(&context, *contours, c.maxVertsPerPoly, *polygons) ||
        !rcBuildPolyMeshDetail(&context, *polygons, *open, c.detailSampleDist,
                               c.detailSampleMaxError, *detail)) {
        return nullptr;
    }
    dtNavMeshCreateParams params = recast_tile(config, *polygons, detail.get());
    params.tileX = (int)x;
    params.tileY = (int)z;
    unsigned char *data = nullptr;
    return dtCreateNavMeshData(&params, &data, size) ? data : nullptr;
}

void add(std::vector<uint8_t> &out, const void *bytes, size_t size)
{
    const uint8_t *begin = static_cast<const uint8_t *>(bytes);
    out.insert(out.end(), begin, begin + size);
}

std::vector<uint8_t> save(const dtNavMesh &mesh)
{
    std::vector<uint8_t> out;
    proto_mset_header header = {};
    header.magic = PROTO_MSET_MAGIC;
    header.version = PROTO_MSET_VERSION;
    std::memcpy(&header.params, mesh.getParams(), sizeof header.params);
    add(out, &header, sizeof header);
    for (int i = 0; i < mesh.getMaxTiles(); ++i) {
        const dtMeshTile *tile = mesh.getTile(i);
        if (tile->header != nullptr && tile->dataSize > 0) {
            const proto_mset_tile frame = {mesh.getTileRef(tile), (uint32_t)tile->dataSize};
            add(out, &frame, sizeof frame);
            add(out, tile->data, (size_t)tile->dataSize);
            header.tile_count++;
        }
    }
    std::memcpy(out.data(), &header, sizeof header);
    return out;
}

const char *fill(dtNavMesh &mesh, const nav_geometry &geometry, const nav_config &config,
                 const nav_grid &grid, const nav_tile_index &index)
{
    dtNavMeshParams params = {};
    std::memcpy(params.orig, grid.min, sizeof params.orig);
    const bool tiled = grid.tile_cells > 0;
    params.tileWidth = tiled ? (float)grid.tile_cells * grid.cell_size : grid.max[0] - grid.min[0];
    params.tileHeight = tiled ? params.tileWidth : grid.max[2] - grid.min[2];
    params.maxTiles = (int)(grid.tiles_x * grid.tiles_z);
    params.maxPolys = 1 << std::min(16, 22 - (int)std::ceil(std::log2((double)params.maxTiles)));
    if (dtStatusFailed(mesh.init(&params))) {
        return "navigation mesh";
    }
    for (uint32_t tile = 0; tile < grid.tiles_x * grid.tiles_z; ++tile) {
        const uint32_t first = index.first[tile];
        const std::vector<int> triangles =
            recast_triangles(geometry, index.triangles + first, index.first[tile + 1] - first);
        int size = 0;
        unsigned char *data = bake_tile(geometry, config, grid, triangles, tile % grid.tiles_x,
                                        tile / grid.tiles_x, &size);
        if (data != nullptr &&
            dtStatusFailed(mesh.addTile(data, size, DT_TILE_FREE_DATA, 0, nullptr))) {
            dtFree(data);
            return "adding a tile";
        }
    }
    return nullptr;
}

} // namespace

void *recast_set_make(const nav_geometry *geometry, const nav_config *config, const nav_grid *grid,
                      size_t *size_bytes, const char **why)
{
    nav_arena arena;
    nav_tile_index index;
    nav_arena_init(&arena, nullptr, 0);
    owned<dtNavMesh, dtFreeNavMesh> mesh(dtAllocNavMesh());
    *why = nav_bake_index(geometry, grid, nullptr, &arena, &index, nullptr) == NAV_OK
               ? fill(*mesh, *geometry, *config, *grid, index)
               : "index";
    nav_arena_free(&arena);
    if (*why != nullptr) {
        return nullptr;
    }
    const std::vector<uint8_t> bytes = save(*mesh);
    void *out = std::malloc(bytes.size());
    if (out != nullptr) {
        std::memcpy(out, bytes.data(), bytes.size());
        *size_bytes = bytes.size();
    }
    return out;
}
