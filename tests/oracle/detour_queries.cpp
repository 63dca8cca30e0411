// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// detour_queries.cpp: see detour_queries.h.

#include "detour_queries.h"

#include "detour_mesh.hpp"

#include <algorithm>
#include <cstring>

namespace
{

uint32_t number_of(const detour_mesh &m, dtPolyRef ref)
{
    if (ref == 0) {
        return NAV_NONE;
    }
    const unsigned int index = m.mesh->decodePolyIdTile(ref);
    for (const detour_tile &tile : m.tiles) {
        if (m.mesh->decodePolyIdTile((dtPolyRef)tile.ref) == index) {
            return tile.first + m.mesh->decodePolyIdPoly(ref);
        }
    }
    return NAV_NONE;
}

dtPolyRef ref_of(const detour_mesh &m, uint32_t polygon)
{
    const auto after =
        std::upper_bound(m.tiles.begin(), m.tiles.end(), polygon,
                         [](uint32_t number, const detour_tile &t) { return number < t.first; });
    const detour_tile &tile = *(after - 1);
    const dtMeshTile *data = m.mesh->getTileByRef(tile.ref);
    return m.mesh->getPolyRefBase(data) | (dtPolyRef)(polygon - tile.first);
}

} // namespace

detour_place detour_nearest(const detour_mesh *mesh, const float point[3], const float half[3])
{
    detour_place place = {NAV_NONE, {0, 0, 0}};
    dtPolyRef ref = 0;
    mesh->query->findNearestPoly(point, half, &mesh->filter, &ref, place.position);
    place.polygon = number_of(*mesh, ref);
    return place;
}

detour_place detour_closest_on(const detour_mesh *mesh, uint32_t polygon, const float point[3])
{
    detour_place place = {polygon, {0, 0, 0}};
    mesh->query->closestPointOnPoly(ref_of(*mesh, polygon), point, place.position, nullptr);
    return place;
}

detour_ray detour_raycast(const detour_mesh *mesh, const detour_place *start, const float end[3])
{
    std::vector<dtPolyRef> path(DETOUR_CORRIDOR_MAX);
    dtRaycastHit hit;
    std::memset(&hit, 0, sizeof hit);
    hit.path = path.data();
    hit.maxPath = DETOUR_CORRIDOR_MAX;
    mesh->query->raycast(ref_of(*mesh, start->polygon), start->position, end, &mesh->filter, 0,
                         &hit);
    const bool is_hit = hit.t <= 1.0f;
    return {is_hit, is_hit ? hit.t : 1.0f,
            hit.pathCount > 0 ? number_of(*mesh, path[(size_t)hit.pathCount - 1]) : NAV_NONE};
}

detour_wall detour_find_wall(const detour_mesh *mesh, const detour_place *start, float radius)
{
    detour_wall wall = {false, radius, {0, 0, 0}};
    float normal[3];
    mesh->query->findDistanceToWall(ref_of(*mesh, start->polygon), start->position, radius,
                                    &mesh->filter, &wall.distance, wall.position, normal);
    wall.hit = wall.distance < radius;
    return wall;
}

detour_move detour_move_along(const detour_mesh *mesh, const detour_place *start,
                              const float end[3])
{
    detour_move move;
    dtPolyRef visited[DETOUR_VISITED_MAX];
    int count = 0;
    mesh->query->moveAlongSurface(ref_of(*mesh, start->polygon), start->position, end,
                                  &mesh->filter, move.position, visited, &count,
                                  DETOUR_VISITED_MAX);
    move.visited_count = (uint32_t)count;
    for (int i = 0; i < count; ++i) {
        move.visited[i] = number_of(*mesh, visited[i]);
    }
    return move;
}

bool detour_is_reachable(detour_mesh *mesh, const detour_place *start, const detour_place *end)
{
    int count = 0;
    const dtPolyRef goal = ref_of(*mesh, end->polygon);
    mesh->query->findPath(ref_of(*mesh, start->polygon), goal, start->position, end->position,
                          &mesh->filter, mesh->corridor.data(), &count, DETOUR_CORRIDOR_MAX);
    return count > 0 && mesh->corridor[(size_t)count - 1] == goal;
}

uint32_t detour_links(const detour_mesh *mesh, uint32_t polygon, uint32_t *out, uint32_t capacity)
{
    const dtMeshTile *tile = nullptr;
    const dtPoly *poly = nullptr;
    uint32_t count = 0;
    mesh->mesh->getTileAndPolyByRefUnsafe(ref_of(*mesh, polygon), &tile, &poly);
    for (unsigned int i = poly->firstLink; i != DT_NULL_LINK && count < capacity;
         i = tile->links[i].next) {
        out[count++] = number_of(*mesh, tile->links[i].ref);
    }
    return count;
}

bool detour_is_open(const detour_mesh *mesh, uint32_t polygon)
{
    const dtMeshTile *tile = nullptr;
    const dtPoly *poly = nullptr;
    mesh->mesh->getTileAndPolyByRefUnsafe(ref_of(*mesh, polygon), &tile, &poly);
    return (poly->flags & mesh->filter.getIncludeFlags()) != 0 &&
           (poly->flags & mesh->filter.getExcludeFlags()) == 0;
}

bool detour_is_flat(const detour_mesh *mesh, uint32_t polygon)
{
    return mesh->flat[polygon];
}
