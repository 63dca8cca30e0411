// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// detour.cpp: see detour.h. A tile blob is taken apart into the arrays that dtCreateNavMeshData
// asks for.

#include "detour_mesh.hpp"

// As _Noreturn in detour.h: C17's word for it.
#define _Static_assert static_assert

extern "C" {
#include "core/bake/stages.h"
#include "core/tile/tile.h"
}

#include <DetourCommon.h>
#include <DetourNavMeshBuilder.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>

namespace
{

const int NODES_MAX = 65535;
const int CORRIDOR_MAX = DETOUR_CORRIDOR_MAX;
const int CORNERS_MAX = DT_VERTS_PER_POLYGON;
const uint16_t NONE = 0xffff;
const uint16_t PORTAL = 0x8000;

// The arrays of one tile, as dtNavMeshCreateParams borrows them.
struct arrays {
    std::vector<uint16_t> vertices, polygons, flags;
    std::vector<bool> flat;
    std::vector<uint8_t> areas, detail_triangles;
    std::vector<unsigned int> detail_meshes;
    std::vector<float> detail_vertices;
};

// The cell in which a tile's 16-bit coordinates begin.
void origin_of(const nav_tile &tile, int32_t out[3])
{
    const nav_tile_header &h = *tile.header;
    std::memcpy(out, tile.vertices[0], 3 * sizeof *out);
    for (uint32_t i = 1; i < h.vertex_count; ++i) {
        for (int axis = 0; axis < 3; ++axis) {
            out[axis] = std::min(out[axis], tile.vertices[i][axis]);
        }
    }
    if (h.tile_cells > 0) {
        out[0] = (int32_t)(h.tile_x * h.tile_cells);
        out[2] = (int32_t)(h.tile_z * h.tile_cells);
    }
}

bool fill_polygons(const nav_tile &tile, const int32_t origin[3], const uint16_t *area_flags,
                   arrays &a)
{
    const nav_tile_header &h = *tile.header;
    for (uint32_t i = 0; i < h.vertex_count; ++i) {
        for (int axis = 0; axis < 3; ++axis) {
            const int32_t at = tile.vertices[i][axis] - origin[axis];
            if (at < 0 || at >= NONE) {
                return false;
            }
            a.vertices.push_back((uint16_t)at);
        }
    }
    for (uint32_t i = 0; i < h.polygon_count; ++i) {
        const nav_tile_polygon &p = tile.polygons[i];
        uint16_t row[2 * CORNERS_MAX];
        std::fill(row, row + 2 * CORNERS_MAX, NONE);
        if (p.corner_count > CORNERS_MAX || p.area >= NAV_AREAS_MAX) {
            return false;
        }
        for (uint32_t k = 0; k < p.corner_count; ++k) {
            const uint32_t neighbour = tile.neighbours[p.corner_first + k];
            row[k] = (uint16_t)tile.corners[p.corner_first + k];
            if ((neighbour & ~3u) == NAV_EDGE_PORTAL) {
                row[CORNERS_MAX + k] = (uint16_t)(PORTAL | (neighbour & 3u));
            } else if (neighbour != NAV_NONE) {
                row[CORNERS_MAX + k] = (uint16_t)neighbour;
            }
        }
        a.polygons.insert(a.polygons.end(), row, row + 2 * CORNERS_MAX);
        a.areas.push_back(p.area);
        a.flags.push_back(area_flags[p.area]);
    }
    return h.vertex_count < NONE && h.polygon_count < PORTAL;
}

// Whether the edge a -> b of a detail triangle lies on the polygon's border.
bool is_on_border(const float *a, const float *b, const std::vector<float> &corners)
{
    const size_t count = corners.size() / 3;
    for (size_t k = 0; k < count; ++k) {
        const float *p = &corners[3 * k];
        const float *q = &corners[3 * ((k + 1) % count)];
        float t;
        if (dtDistancePtSegSqr2D(a, p, q, t) < 1e-6f && dtDistancePtSegSqr2D(b, p, q, t) < 1e-6f) {
            return true;
        }
    }
    return false;
}

// The detail of one polygon, or a fan over its corners where it has none, or too much for a byte.
void fill_detail(const nav_tile &tile, const nav_tile_polygon &p, arrays &a)
{
    std::vector<float> corners, all;
    for (uint32_t k = 0; k < p.corner_count; ++k) {
        float at[3];
        nav_tile_vertex(tile.header, tile.vertices[tile.corners[p.corner_first + k]], at);
        corners.insert(corners.end(), at, at + 3);
    }
    all = corners;
    const bool fan = p.detail_triangle_count == 0 || p.detail_vertex_count + p.corner_count > 255 ||
                     p.detail_triangle_count > 255;
    a.flat.push_back(fan && p.detail_triangle_count > 0);
    for (uint32_t i = 0; !fan && i < p.detail_vertex_count; ++i) {
        const float *at = tile.detail_vertices[p.detail_vertex_first + i];
        all.insert(all.end(), at, at + 3);
    }
    const uint32_t count = fan ? p.corner_count - 2u : p.detail_triangle_count;
    const unsigned int entry[4] = {(unsigned)(a.detail_vertices.size() / 3),
                                   (unsigned)(all.size() / 3),
                                   (unsigned)(a.detail_triangles.size() / 4), count};
    a.detail_meshes.insert(a.detail_meshes.end(), entry, entry + 4);
    a.detail_vertices.insert(a.detail_vertices.end(), all.begin(), all.end());
    for (uint32_t i = 0; i < count; ++i) {
        const uint16_t own[3] = {0, (uint16_t)(i + 1), (uint16_t)(i + 2)};
        const uint16_t *t = fan ? own : tile.detail_triangles[p.detail_triangle_first + i];
        uint8_t flags = 0;
        for (int k = 0; k < 3; ++k) {
            a.detail_triangles.push_back((uint8_t)t[k]);
            flags |= (uint8_t)(is_on_border(&all[3 * t[k]], &all[3 * t[(k + 1) % 3]], corners)
                               << (2 * k));
        }
        a.detail_triangles.push_back(flags);
    }
}

// The bytes of a Detour tile, or nullptr.
unsigned char *convert(const nav_tile &tile, const uint16_t *area_flags, int *size,
                       std::vector<bool> &flat)
{
    const nav_tile_header &h = *tile.header;
    arrays a;
    int32_t origin[3];
    origin_of(tile, origin);
    if (!fill_polygons(tile, origin, area_flags, a)) {
        return nullptr;
    }
    int32_t high[3] = {0, 0, 0};
    for (size_t i = 0; i < a.vertices.size(); ++i) {
        high[i % 3] = std::max(high[i % 3], (int32_t)a.vertices[i]);
    }
    for (uint32_t i = 0; i < h.polygon_count; ++i) {
        fill_detail(tile, tile.polygons[i], a);
    }
    flat.insert(flat.end(), a.flat.begin(), a.flat.end());
    dtNavMeshCreateParams params;
    std::memset(&params, 0, sizeof params);
    params.verts = a.vertices.data();
    params.vertCount = (int)h.vertex_count;
    params.polys = a.polygons.data();
    params.polyAreas = a.areas.data();
    params.polyFlags = a.flags.data();
    params.polyCount = (int)h.polygon_count;
    params.nvp = CORNERS_MAX;
    params.detailMeshes = a.detail_meshes.data();
    params.detailVerts = a.detail_vertices.data();
    params.detailVertsCount = (int)(a.detail_vertices.size() / 3);
    params.detailTris = a.detail_triangles.data();
    params.detailTriCount = (int)(a.detail_triangles.size() / 4);
    params.walkableHeight = h.agent_height;
    params.walkableRadius = h.agent_radius;
    params.walkableClimb = h.agent_max_climb;
    params.cs = h.cell_size;
    params.ch = h.cell_height;
    params.tileX = (int)h.tile_x;
    params.tileY = (int)h.tile_z;
    params.buildBvTree = true;
    const int32_t side = (int32_t)h.tile_cells;
    const int32_t end[3] = {origin[0] + (side > 0 ? side : high[0]), origin[1] + high[1],
                            origin[2] + (side > 0 ? side : high[2])};
    nav_tile_vertex(&h, origin, params.bmin);
    nav_tile_vertex(&h, end, params.bmax);
    unsigned char *data = nullptr;
    return dtCreateNavMeshData(&params, &data, size) ? data : nullptr;
}

bool init_mesh(dtNavMesh &mesh, const nav_tile_header &h)
{
    dtNavMeshParams params;
    std::memset(&params, 0, sizeof params);
    const int32_t zero[3] = {0, 0, 0};
    nav_tile_vertex(&h, zero, params.orig);
    const float side = (float)h.tile_cells * h.cell_size;
    params.tileWidth = h.tile_cells > 0 ? side : 1e6f;
    params.tileHeight = params.tileWidth;
    params.maxTiles = (int)(h.tiles_x * h.tiles_z);
    // Its 32-bit references leave these bits for polygons, next to tiles and a salt of 10 bits.
    params.maxPolys = 1 << std::min(16, 22 - (int)std::ceil(std::log2((double)params.maxTiles)));
    return dtStatusSucceed(mesh.init(&params));
}

const char *add_tiles(detour_mesh &out, const nav_blob *tiles, uint32_t count,
                      const uint16_t *area_flags)
{
    bool first = true;
    for (uint32_t i = 0; i < count; ++i) {
        nav_tile tile;
        nav_error err;
        if (tiles[i].size_bytes == 0) {
            continue;
        }
        if (nav_tile_open(tiles[i], &tile, &err) != NAV_OK) {
            return "opening a tile";
        }
        if (first && !init_mesh(*out.mesh, *tile.header)) {
            return "navigation mesh";
        }
        first = false;
        int size = 0;
        unsigned char *data = convert(tile, area_flags, &size, out.flat);
        if (data == nullptr) {
            return "tile data";
        }
        dtTileRef ref = 0;
        if (dtStatusFailed(out.mesh->addTile(data, size, DT_TILE_FREE_DATA, 0, &ref))) {
            dtFree(data);
            return "adding a tile";
        }
        out.tiles.push_back({out.polygon_count, tile.header->polygon_count, ref});
        out.polygon_count += tile.header->polygon_count;
    }
    return first ? "there are no tiles" : nullptr;
}

// A file of RecastDemo's (Sample::loadAll), with its own words for the numbers.
struct set_header {
    int magic, version, tile_count;
    dtNavMeshParams params;
};

struct set_tile {
    dtTileRef ref;
    int size;
};

// Reads an element and moves on; false where the bytes end before.
template <typename T> bool take(const uint8_t *&at, const uint8_t *end, T &out)
{
    if ((size_t)(end - at) < sizeof out) {
        return false;
    }
    std::memcpy(&out, at, sizeof out);
    at += sizeof out;
    return true;
}

const char *load_tiles(detour_mesh &out, const uint8_t *at, const uint8_t *end)
{
    set_header header;
    if (!take(at, end, header) || header.magic != ('M' << 24 | 'S' << 16 | 'E' << 8 | 'T') ||
        header.version != 1) {
        return "header";
    }
    if (dtStatusFailed(out.mesh->init(&header.params))) {
        return "navigation mesh";
    }
    for (int i = 0; i < header.tile_count; ++i) {
        set_tile tile;
        if (!take(at, end, tile) || tile.ref == 0 || tile.size <= 0 || end - at < tile.size) {
            return "a tile's header";
        }
        unsigned char *data = (unsigned char *)dtAlloc(tile.size, DT_ALLOC_PERM);
        std::memcpy(data, at, (size_t)tile.size);
        at += tile.size;
        dtTileRef ref = 0;
        if (dtStatusFailed(out.mesh->addTile(data, tile.size, DT_TILE_FREE_DATA, tile.ref, &ref)) ||
            ref != tile.ref) {
            return "adding a tile";
        }
        const dtMeshHeader *h = out.mesh->getTileByRef(ref)->header;
        const uint32_t ground = (uint32_t)h->offMeshBase;
        out.tiles.push_back({out.polygon_count, ground, ref});
        out.polygon_count += ground;
    }
    out.flat.assign(out.polygon_count, false);
    return at == end ? nullptr : "bytes behind the last tile";
}

} // namespace

detour_mesh *detour_load(const void *bytes, size_t size_bytes, const char **why)
{
    auto out = std::make_unique<detour_mesh>();
    const uint8_t *begin = static_cast<const uint8_t *>(bytes);
    out->mesh = dtAllocNavMesh();
    out->query = dtAllocNavMeshQuery();
    *why = load_tiles(*out, begin, begin + size_bytes);
    if (*why == nullptr && dtStatusFailed(out->query->init(out->mesh, NODES_MAX))) {
        *why = "query";
    }
    return *why == nullptr ? out.release() : nullptr;
}

detour_mesh *detour_create(const nav_blob *tiles, uint32_t tile_count,
                           const uint16_t area_flags[NAV_AREAS_MAX], const char **why)
{
    auto out = std::make_unique<detour_mesh>();
    out->mesh = dtAllocNavMesh();
    out->query = dtAllocNavMeshQuery();
    *why = add_tiles(*out, tiles, tile_count, area_flags);
    if (*why == nullptr && dtStatusFailed(out->query->init(out->mesh, NODES_MAX))) {
        *why = "query";
    }
    return *why == nullptr ? out.release() : nullptr;
}

void detour_free(detour_mesh *mesh)
{
    delete mesh;
}

void detour_filter(detour_mesh *mesh, const float area_costs[NAV_AREAS_MAX], uint16_t include,
                   uint16_t exclude)
{
    for (int i = 0; i < NAV_AREAS_MAX; ++i) {
        mesh->filter.setAreaCost(i, area_costs[i]);
    }
    mesh->filter.setIncludeFlags(include);
    mesh->filter.setExcludeFlags(exclude);
}

detour_path detour_find_path(detour_mesh *mesh, const float start[3], const float end[3],
                             bool crossings)
{
    static const float HALF_EXTENTS[3] = {2, 4, 2};
    detour_path path = {false, false, 0, nullptr, 0};
    dtPolyRef start_ref = 0, end_ref = 0;
    float from[3], to[3];
    mesh->point_count = 0;
    mesh->query->findNearestPoly(start, HALF_EXTENTS, &mesh->filter, &start_ref, from);
    mesh->query->findNearestPoly(end, HALF_EXTENTS, &mesh->filter, &end_ref, to);
    if (start_ref == 0 || end_ref == 0) {
        return path;
    }
    int count = 0;
    mesh->query->findPath(start_ref, end_ref, from, to, &mesh->filter, mesh->corridor.data(),
                          &count, CORRIDOR_MAX);
    path.found = true;
    path.complete = count > 0 && mesh->corridor[(size_t)count - 1] == end_ref;
    if (!path.complete && count > 0) {
        mesh->query->closestPointOnPoly(mesh->corridor[(size_t)count - 1], to, to, nullptr);
    }
    mesh->query->findStraightPath(from, to, mesh->corridor.data(), count, mesh->points.data(),
                                  nullptr, mesh->polygons.data(), &mesh->point_count, CORRIDOR_MAX,
                                  crossings ? DT_STRAIGHTPATH_AREA_CROSSINGS : 0);
    for (int i = 0; i < count; ++i) {
        const dtMeshTile *tile = nullptr;
        const dtPoly *poly = nullptr;
        mesh->mesh->getTileAndPolyByRefUnsafe(mesh->corridor[(size_t)i], &tile, &poly);
        path.connections += poly->getType() == DT_POLYTYPE_OFFMESH_CONNECTION;
    }
    path.points = reinterpret_cast<const float(*)[3]>(mesh->points.data());
    path.point_count = (uint32_t)mesh->point_count;
    return path;
}

double detour_path_cost(const detour_mesh *mesh)
{
    double cost = 0;
    for (int i = 1; i < mesh->point_count; ++i) {
        const float *a = &mesh->points[3 * (size_t)(i - 1)];
        unsigned char area = 0;
        mesh->mesh->getPolyArea(mesh->polygons[(size_t)(i - 1)], &area);
        cost += (double)dtVdist2D(a, a + 3) * (double)mesh->filter.getAreaCost(area);
    }
    return cost;
}
