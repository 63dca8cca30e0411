// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// recast.cpp: the oracle's other side. It calls librecast in the order of the steps that its demo
// documents for a single mesh, so that both bakes see the same triangles and the same settings.

#include "recast.h"

#include "recast_steps.hpp"

#include <DetourCommon.h>
#include <DetourNavMesh.h>
#include <DetourNavMeshBuilder.h>
#include <DetourNavMeshQuery.h>
#include <Recast.h>

#include <cmath>
#include <cstring>
#include <memory>
#include <vector>

namespace
{

// Spans of the solid or the open field, copied column by column.
struct columns {
    uint32_t width = 0, depth = 0;
    std::vector<uint32_t> first;
    std::vector<uint16_t> bottom, top;
    std::vector<uint8_t> walkable;
};

struct triangle {
    float corners[3][3];
};

} // namespace

struct recast_mesh {
    columns solid, open;
    uint32_t regions = 0;
    std::vector<triangle> details;
    rcPolyMesh *polygons = nullptr;
    rcPolyMeshDetail *detail = nullptr;
    dtNavMesh *mesh = nullptr;
    dtNavMeshQuery *query = nullptr;
    ~recast_mesh()
    {
        rcFreePolyMesh(polygons);
        rcFreePolyMeshDetail(detail);
        dtFreeNavMeshQuery(query);
        dtFreeNavMesh(mesh);
    }
};

namespace
{

const int NODES_MAX = 65535;
const int PATH_MAX_POLYGONS = 8192;

// Data that exist only while baking.
struct stages {
    rcContext context{false};
    rcHeightfield *solid = rcAllocHeightfield();
    rcCompactHeightfield *open = rcAllocCompactHeightfield();
    rcContourSet *contours = rcAllocContourSet();
    ~stages()
    {
        rcFreeHeightField(solid);
        rcFreeCompactHeightfield(open);
        rcFreeContourSet(contours);
    }
};

rcConfig convert(const nav_geometry &geometry, const nav_config &config)
{
    rcConfig c = recast_config(config);
    rcCalcBounds(geometry.vertices, (int)geometry.vertex_count, c.bmin, c.bmax);
    rcCalcGridSize(c.bmin, c.bmax, c.cs, &c.width, &c.height);
    return c;
}

void keep_solid(const rcHeightfield &solid, columns &out)
{
    out.width = (uint32_t)solid.width;
    out.depth = (uint32_t)solid.height;
    for (int column = 0; column < solid.width * solid.height; ++column) {
        out.first.push_back((uint32_t)out.top.size());
        for (const rcSpan *span = solid.spans[column]; span != nullptr; span = span->next) {
            out.bottom.push_back((uint16_t)span->smin);
            out.top.push_back((uint16_t)span->smax);
            out.walkable.push_back(span->area != RC_NULL_AREA);
        }
    }
    out.first.push_back((uint32_t)out.top.size());
}

void keep_open(const rcCompactHeightfield &open, columns &out)
{
    out.width = (uint32_t)open.width;
    out.depth = (uint32_t)open.height;
    for (int column = 0; column < open.width * open.height; ++column) {
        const rcCompactCell &cell = open.cells[column];
        out.first.push_back((uint32_t)out.top.size());
        for (int i = (int)cell.index; i < (int)(cell.index + cell.count); ++i) {
            out.top.push_back(open.spans[i].y);
            out.walkable.push_back(open.areas[i] != RC_NULL_AREA);
        }
    }
    out.first.push_back((uint32_t)out.top.size());
}

// Regions are numbered without gaps where some have been dropped or merged, hence by presence.
uint32_t count_regions(const rcCompactHeightfield &open)
{
    std::vector<bool> seen(65536);
    uint32_t count = 0;
    for (int i = 0; i < open.spanCount; ++i) {
        const unsigned short region = open.spans[i].reg;
        if (region != 0 && (region & RC_BORDER_REG) == 0 && !seen[region]) {
            seen[region] = true;
            ++count;
        }
    }
    return count;
}

void keep_details(const rcPolyMesh &p, const rcPolyMeshDetail &detail, std::vector<triangle> &out)
{
    for (int mesh = 0; mesh < detail.nmeshes; ++mesh) {
        const unsigned int *m = &detail.meshes[4 * mesh];
        for (unsigned int i = m[2]; i < m[2] + m[3]; ++i) {
            triangle t;
            for (int k = 0; k < 3; ++k) {
                const float *v = &detail.verts[3 * (m[0] + detail.tris[4 * i + k])];
                t.corners[k][0] = (v[0] - p.bmin[0]) / p.cs;
                t.corners[k][1] = (v[1] - p.bmin[1]) / p.ch - 1;
                t.corners[k][2] = (v[2] - p.bmin[2]) / p.cs;
            }
            out.push_back(t);
        }
    }
}

// Triangles to the open field. nullptr on success, else the step that failed.
const char *voxelize(stages &s, const nav_geometry &geometry, const rcConfig &c, recast_mesh &out)
{
    const int vertex_count = (int)geometry.vertex_count;
    const int triangle_count = (int)geometry.triangle_count;
    const int *triangles = reinterpret_cast<const int *>(geometry.triangles);
    std::vector<unsigned char> areas(geometry.triangle_count, 0);
    if (!rcCreateHeightfield(&s.context, *s.solid, c.width, c.height, c.bmin, c.bmax, c.cs, c.ch)) {
        return "heightfield";
    }
    rcMarkWalkableTriangles(&s.context, c.walkableSlopeAngle, geometry.vertices, vertex_count,
                            triangles, triangle_count, areas.data());
    if (!rcRasterizeTriangles(&s.context, geometry.vertices, vertex_count, triangles, areas.data(),
                              triangle_count, *s.solid, c.walkableClimb)) {
        return "rasterize";
    }
    rcFilterLowHangingWalkableObstacles(&s.context, c.walkableClimb, *s.solid);
    rcFilterLedgeSpans(&s.context, c.walkableHeight, c.walkableClimb, *s.solid);
    rcFilterWalkableLowHeightSpans(&s.context, c.walkableHeight, *s.solid);
    keep_solid(*s.solid, out.solid);
    if (!rcBuildCompactHeightfield(&s.context, c.walkableHeight, c.walkableClimb, *s.solid,
                                   *s.open)) {
        return "compact heightfield";
    }
    if (!rcErodeWalkableArea(&s.context, c.walkableRadius, *s.open)) {
        return "erode";
    }
    keep_open(*s.open, out.open);
    return nullptr;
}

// The open field to polygons with height detail.
const char *polygonize(stages &s, const rcConfig &c, nav_partition how, recast_mesh &out)
{
    out.polygons = rcAllocPolyMesh();
    out.detail = rcAllocPolyMeshDetail();
    if (!recast_partition(s.context, *s.open, c, how)) {
        return "regions";
    }
    out.regions = count_regions(*s.open);
    if (!rcBuildContours(&s.context, *s.open, c.maxSimplificationError, c.maxEdgeLen,
                         *s.contours)) {
        return "contours";
    }
    if (!rcBuildPolyMesh(&s.context, *s.contours, c.maxVertsPerPoly, *out.polygons)) {
        return "polygon mesh";
    }
    if (!rcBuildPolyMeshDetail(&s.context, *out.polygons, *s.open, c.detailSampleDist,
                               c.detailSampleMaxError, *out.detail)) {
        return "detail mesh";
    }
    keep_details(*out.polygons, *out.detail, out.details);
    return out.polygons->npolys > 0 ? nullptr : "polygon mesh is empty";
}

const char *build_detour(const nav_config &config, recast_mesh &out)
{
    dtNavMeshCreateParams params = recast_tile(config, *out.polygons, out.detail);
    unsigned char *data = nullptr;
    int size = 0;
    if (!dtCreateNavMeshData(&params, &data, &size)) {
        return "tile data";
    }
    out.mesh = dtAllocNavMesh();
    out.query = dtAllocNavMeshQuery();
    if (dtStatusFailed(out.mesh->init(data, size, DT_TILE_FREE_DATA))) {
        dtFree(data);
        return "navigation mesh";
    }
    return dtStatusFailed(out.query->init(out.mesh, NODES_MAX)) ? "query" : nullptr;
}

uint32_t corner_count(const rcPolyMesh &p, uint32_t polygon)
{
    uint32_t count = 0;
    while (count < (uint32_t)p.nvp && p.polys[polygon * 2 * p.nvp + count] != RC_MESH_NULL_IDX) {
        ++count;
    }
    return count;
}

// Length of the pulled path over a corridor of polygons.
double straight_length(const dtNavMeshQuery &query, const dtPolyRef *corridor, int count,
                       const float *start, const float *end)
{
    std::vector<float> points(3 * (size_t)PATH_MAX_POLYGONS);
    int point_count = 0;
    query.findStraightPath(start, end, corridor, count, points.data(), nullptr, nullptr,
                           &point_count, PATH_MAX_POLYGONS);
    double length = 0;
    for (int i = 1; i < point_count; ++i) {
        length += (double)dtVdist(&points[3 * (i - 1)], &points[3 * i]);
    }
    return length;
}

} // namespace

recast_mesh *recast_bake(const nav_geometry *geometry, const nav_config *config, const char **why)
{
    const rcConfig c = convert(*geometry, *config);
    auto mesh = std::make_unique<recast_mesh>();
    stages s;
    *why = voxelize(s, *geometry, c, *mesh);
    if (*why == nullptr) {
        *why = polygonize(s, c, config->partition, *mesh);
    }
    if (*why == nullptr) {
        *why = build_detour(*config, *mesh);
    }
    return *why == nullptr ? mesh.release() : nullptr;
}

void recast_free(recast_mesh *mesh)
{
    delete mesh;
}

uint32_t recast_polygon_count(const recast_mesh *mesh)
{
    return (uint32_t)mesh->polygons->npolys;
}

bool recast_polygon_corner(const recast_mesh *mesh, uint32_t polygon, uint32_t i, float out[3])
{
    const rcPolyMesh &p = *mesh->polygons;
    if (i >= corner_count(p, polygon)) {
        return false;
    }
    const unsigned short *v = &p.verts[3 * p.polys[polygon * 2 * p.nvp + i]];
    out[0] = p.bmin[0] + v[0] * p.cs;
    out[1] = p.bmin[1] + (v[1] + 1) * p.ch;
    out[2] = p.bmin[2] + v[2] * p.cs;
    return true;
}

double recast_walkable_area(const recast_mesh *mesh)
{
    double sum = 0;
    for (uint32_t polygon = 0; polygon < recast_polygon_count(mesh); ++polygon) {
        float a[3], b[3], c[3];
        recast_polygon_corner(mesh, polygon, 0, a);
        recast_polygon_corner(mesh, polygon, 1, b);
        for (uint32_t i = 2; recast_polygon_corner(mesh, polygon, i, c); ++i) {
            sum += std::fabs((double)(b[0] - a[0]) * (c[2] - a[2]) -
                             (double)(c[0] - a[0]) * (b[2] - a[2])) /
                   2;
            std::memcpy(b, c, sizeof b);
        }
    }
    return sum;
}

recast_columns recast_solid(const recast_mesh *mesh)
{
    const columns &c = mesh->solid;
    return {c.width, c.depth, c.first.data(), c.bottom.data(), c.top.data(), c.walkable.data()};
}

recast_columns recast_open(const recast_mesh *mesh)
{
    const columns &c = mesh->open;
    return {c.width, c.depth, c.first.data(), nullptr, c.top.data(), c.walkable.data()};
}

uint32_t recast_region_count(const recast_mesh *mesh)
{
    return mesh->regions;
}

uint32_t recast_detail_count(const recast_mesh *mesh)
{
    return (uint32_t)mesh->details.size();
}

void recast_detail_triangle(const recast_mesh *mesh, uint32_t triangle, float out[3][3])
{
    std::memcpy(out, mesh->details[triangle].corners, sizeof mesh->details[triangle].corners);
}

void recast_drop_on(const recast_mesh *mesh, uint32_t polygon, float point[3])
{
    const dtNavMesh *nav = mesh->query->getAttachedNavMesh();
    float height;
    dtPolyRef ref = nav->getPolyRefBase(nav->getTile(0)) | polygon;
    if (dtStatusSucceed(mesh->query->getPolyHeight(ref, point, &height))) {
        point[1] = height;
    }
}

recast_path recast_find_path(const recast_mesh *mesh, const float start[3], const float end[3])
{
    static const float HALF_EXTENTS[3] = {2, 4, 2};
    recast_path path = {false, false, 0};
    dtQueryFilter filter;
    dtPolyRef start_ref = 0, end_ref = 0;
    float from[3], to[3];
    mesh->query->findNearestPoly(start, HALF_EXTENTS, &filter, &start_ref, from);
    mesh->query->findNearestPoly(end, HALF_EXTENTS, &filter, &end_ref, to);
    if (start_ref == 0 || end_ref == 0) {
        return path;
    }
    std::vector<dtPolyRef> corridor(PATH_MAX_POLYGONS);
    int count = 0;
    mesh->query->findPath(start_ref, end_ref, from, to, &filter, corridor.data(), &count,
                          PATH_MAX_POLYGONS);
    path.found = true;
    path.complete = count > 0 && corridor[count - 1] == end_ref;
    if (path.complete) {
        path.length = straight_length(*mesh->query, corridor.data(), count, from, to);
    }
    return path;
}
