// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// peer_obstacles.cpp: see peer_obstacles.h. The steps are those of recastnavigation's demo
// (Sample_TempObstacles).

#include "peer_obstacles.h"

#include "tests/oracle/recast_steps.hpp"

#include <DetourCommon.h>
#include <DetourNavMesh.h>
#include <DetourNavMeshQuery.h>
#include <DetourTileCache.h>
#include <DetourTileCacheBuilder.h>

#include <algorithm>
#include <cstring>

namespace
{

const int LAYERS_PER_TILE = 4; // expected, as in the demo
const int OBSTACLES_MAX = 128;
const size_t WORK_BYTES = (size_t)4 << 20;

// Memory of one rebuild, taken from one block from front to back.
struct linear_memory : dtTileCacheAlloc {
    std::vector<unsigned char> block = std::vector<unsigned char>(WORK_BYTES);
    size_t used = 0;
    void reset() override
    {
        used = 0;
    }
    void *alloc(const size_t size) override
    {
        const size_t rounded = (size + 15) & ~(size_t)15;
        if (rounded > block.size() - used) {
            return nullptr;
        }
        used += rounded;
        return block.data() + used - rounded;
    }
    void free(void *) override
    {
    }
};

struct no_compressor : dtTileCacheCompressor {
    int maxCompressedSize(const int size) override
    {
        return size;
    }
    dtStatus compress(const unsigned char *from, const int size, unsigned char *to, const int,
                      int *to_size) override
    {
        std::memcpy(to, from, (size_t)size);
        *to_size = size;
        return DT_SUCCESS;
    }
    dtStatus decompress(const unsigned char *from, const int size, unsigned char *to, const int max,
                        int *to_size) override
    {
        *to_size = size;
        if (size > max) {
            return DT_FAILURE | DT_BUFFER_TOO_SMALL;
        }
        std::memcpy(to, from, (size_t)size);
        return DT_SUCCESS;
    }
};

struct open_ground : dtTileCacheMeshProcess {
    void process(dtNavMeshCreateParams *params, unsigned char *areas,
                 unsigned short *flags) override
    {
        for (int i = 0; i < params->polyCount; ++i) {
            areas[i] = 0;
            flags[i] = 1;
        }
    }
};

} // namespace

struct peer_obstacles {
    linear_memory memory;
    no_compressor compressor;
    open_ground process;
    dtTileCache *cache = nullptr;
    dtNavMesh *mesh = nullptr;
    dtNavMeshQuery *query = nullptr;
    std::vector<dtObstacleRef> added;
    ~peer_obstacles()
    {
        dtFreeNavMeshQuery(query);
        dtFreeTileCache(cache);
        dtFreeNavMesh(mesh);
    }
};

namespace
{

// ---- layers ----

bool add_layer(peer_obstacles &p, const rcHeightfieldLayer &layer, int tile_x, int tile_z,
               int index)
{
    dtTileCacheLayerHeader header = {};
    header.magic = DT_TILECACHE_MAGIC;
    header.version = DT_TILECACHE_VERSION;
    header.tx = tile_x;
    header.ty = tile_z;
    header.tlayer = index;
    dtVcopy(header.bmin, layer.bmin);
    dtVcopy(header.bmax, layer.bmax);
    header.width = (unsigned char)layer.width;
    header.height = (unsigned char)layer.height;
    header.minx = (unsigned char)layer.minx;
    header.maxx = (unsigned char)layer.maxx;
    header.miny = (unsigned char)layer.miny;
    header.maxy = (unsigned char)layer.maxy;
    header.hmin = (unsigned short)layer.hmin;
    header.hmax = (unsigned short)layer.hmax;
    unsigned char *data = nullptr;
    int size = 0;
    if (dtStatusFailed(dtBuildTileCacheLayer(&p.compressor, &header, layer.heights, layer.areas,
                                             layer.cons, &data, &size))) {
        return false;
    }
    if (dtStatusFailed(p.cache->addTile(data, size, DT_COMPRESSEDTILE_FREE_DATA, nullptr))) {
        dtFree(data);
        return false;
    }
    return true;
}

bool add_tile(peer_obstacles &p, const nav_geometry &geometry, const rcConfig &c,
              const std::vector<int> &triangles, int tile_x, int tile_z)
{
    rcContext context(false);
    owned<rcCompactHeightfield, rcFreeCompactHeightfield> open(rcAllocCompactHeightfield());
    owned<rcHeightfieldLayerSet, rcFreeHeightfieldLayerSet> layers(rcAllocHeightfieldLayerSet());
    recast_open_ground(context, geometry, c, triangles, *open);
    if (!rcBuildHeightfieldLayers(&context, *open, c.borderSize, c.walkableHeight, *layers)) {
        return false;
    }
    bool added = true;
    for (int i = 0; i < layers->nlayers && added; ++i) {
        added = add_layer(p, layers->layers[i], tile_x, tile_z, i);
    }
    return added;
}

// ---- the level ----

bool begin(peer_obstacles &p, const nav_config &config, const nav_grid &grid)
{
    dtTileCacheParams cache = {};
    rcVcopy(cache.orig, grid.min);
    cache.cs = config.cell_size;
    cache.ch = config.cell_height;
    cache.width = cache.height = (int)grid.tile_cells;
    cache.walkableHeight = config.agent_height;
    cache.walkableRadius = config.agent_radius;
    cache.walkableClimb = config.agent_max_climb;
    cache.maxSimplificationError = config.edge_max_error;
    cache.maxTiles = (int)(grid.tiles_x * grid.tiles_z) * LAYERS_PER_TILE;
    cache.maxObstacles = OBSTACLES_MAX;
    // A reference has 22 bits for tile and polygon.
    const int tile_bits = std::min((int)dtIlog2(dtNextPow2((unsigned)cache.maxTiles)), 14);
    dtNavMeshParams mesh = {};
    rcVcopy(mesh.orig, grid.min);
    mesh.tileWidth = mesh.tileHeight = (float)grid.tile_cells * config.cell_size;
    mesh.maxTiles = 1 << tile_bits;
    mesh.maxPolys = 1 << (22 - tile_bits);
    p.cache = dtAllocTileCache();
    p.mesh = dtAllocNavMesh();
    p.query = dtAllocNavMeshQuery();
    return dtStatusSucceed(p.cache->init(&cache, &p.memory, &p.compressor, &p.process)) &&
           dtStatusSucceed(p.mesh->init(&mesh)) && dtStatusSucceed(p.query->init(p.mesh, 256));
}

bool fill(peer_obstacles &p, const nav_geometry &geometry, const nav_config &config,
          const nav_grid &grid, const nav_tile_index &index, const char **why)
{
    for (uint32_t tile = 0; tile < grid.tiles_x * grid.tiles_z; ++tile) {
        const uint32_t x = tile % grid.tiles_x, z = tile / grid.tiles_x;
        const uint32_t first = index.first[tile], end = index.first[tile + 1];
        *why = "layers";
        if (first < end &&
            !add_tile(p, geometry, recast_config_of_tile(config, grid, x, z),
                      recast_triangles(geometry, index.triangles + first, end - first), (int)x,
                      (int)z)) {
            return false;
        }
        *why = "tiles of the mesh";
        if (dtStatusFailed(p.cache->buildNavMeshTilesAt((int)x, (int)z, p.mesh))) {
            return false;
        }
    }
    return true;
}

uint32_t update(peer_obstacles &p)
{
    uint32_t updates = 0;
    for (bool is_done = false; !is_done; ++updates) {
        if (dtStatusFailed(p.cache->update(0.0f, p.mesh, &is_done))) {
            return 0;
        }
    }
    return updates;
}

} // namespace

peer_obstacles *peer_obstacles_create(const nav_geometry *geometry, const nav_config *config,
                                      uint32_t tile_cells, const char **why)
{
    nav_config tiled = *config;
    nav_grid grid;
    nav_tile_index index;
    nav_arena arena;
    nav_error err = {};
    tiled.tile_cells = tile_cells;
    nav_arena_init(&arena, nullptr, 0);
    *why = "the grid";
    peer_obstacles *p = new peer_obstacles;
    if (nav_bake_plan(geometry, &tiled, 0, &grid, &err) != NAV_OK ||
        nav_bake_index(geometry, &grid, nullptr, &arena, &index, &err) != NAV_OK ||
        !begin(*p, tiled, grid) || !fill(*p, *geometry, tiled, grid, index, why)) {
        delete p;
        p = nullptr;
    }
    nav_arena_free(&arena);
    return p;
}

void peer_obstacles_free(peer_obstacles *peer)
{
    delete peer;
}

uint32_t peer_obstacles_add(peer_obstacles *peer, const nav_avoid *circles, uint32_t count)
{
    peer->added.clear();
    for (uint32_t i = 0; i < count; ++i) {
        const float at[3] = {circles[i].center[0], circles[i].bottom, circles[i].center[1]};
        dtObstacleRef ref = 0;
        if (dtStatusFailed(peer->cache->addObstacle(at, circles[i].radius,
                                                    circles[i].top - circles[i].bottom, &ref))) {
            return 0;
        }
        peer->added.push_back(ref);
    }
    return update(*peer);
}

uint32_t peer_obstacles_remove(peer_obstacles *peer)
{
    for (const dtObstacleRef ref : peer->added) {
        if (dtStatusFailed(peer->cache->removeObstacle(ref))) {
            return 0;
        }
    }
    peer->added.clear();
    return update(*peer);
}

bool peer_obstacles_is_ground(peer_obstacles *peer, const float point[3], float reach)
{
    const float extents[3] = {reach, 1.0f, reach};
    dtQueryFilter filter;
    dtPolyRef found = 0;
    float nearest[3] = {0.0f, 0.0f, 0.0f};
    peer->query->findNearestPoly(point, extents, &filter, &found, nearest);
    const float dx = nearest[0] - point[0], dz = nearest[2] - point[2];
    return found != 0 && dx * dx + dz * dz <= reach * reach;
}
