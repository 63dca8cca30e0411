// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// places.c: the places that oracle_queries asks about.

#include "queries.h"

#include "tests/oracle/corpus.h"

#include <string.h>

// Of 20 places, so many on an edge and so many on a corner; the others lie within a polygon.
#define ON_EDGE 3u
#define ON_CORNER 1u
#define TRIES 50

static uint32_t die(query_run *run, uint32_t sides)
{
    return (uint32_t)(corpus_random(&run->random) >> 32) % sides;
}

float query_random_offset(query_run *run, float size)
{
    return (2.0f * corpus_random_fraction(&run->random) - 1.0f) * size;
}

void query_random_place(query_run *run, float out[3])
{
    const nav_mesh *mesh = run->world.ours;
    const nav_polygon p = nav_mesh_polygon(mesh, die(run, run->world.polygons));
    const uint32_t i = 1 + die(run, p.vertex_count - 2);
    const float *corners[3] = {nav_mesh_vertex(mesh, p.vertices[0]),
                               nav_mesh_vertex(mesh, p.vertices[i]),
                               nav_mesh_vertex(mesh, p.vertices[i + 1])};
    const uint32_t mode = die(run, 20);
    float u = corpus_random_fraction(&run->random), v = corpus_random_fraction(&run->random);
    if (u + v > 1) {
        u = 1 - u;
        v = 1 - v;
    }
    if (mode < ON_CORNER + ON_EDGE) {
        // Corners 1 and 2 of the triangle are next to each other around the polygon.
        v = mode < ON_CORNER ? 0.0f : v;
        u = 1 - v;
    }
    for (int axis = 0; axis < 3; ++axis) {
        out[axis] = corners[0][axis] + u * (corners[1][axis] - corners[0][axis]) +
                    v * (corners[2][axis] - corners[0][axis]);
    }
}

detour_place query_snap(query_run *run, const float point[3], nav_snap snap)
{
    nav_location place;
    nav_options options = run->options;
    uint32_t count = 0;
    options.snap = snap;
    const nav_status status = nav_query_nearest_reachable(run->world.ours, run->scratch, point,
                                                          NULL, &options, &place, 1, &count);
    NAV_ASSERT(status == NAV_OK);
    detour_place out = {.polygon = NAV_NONE};
    if (count > 0) {
        out.polygon = place.polygon;
        memcpy(out.position, place.position, sizeof out.position);
    }
    return out;
}

bool query_random_start(query_run *run, detour_place *out)
{
    for (int i = 0; i < TRIES; ++i) {
        float point[3];
        query_random_place(run, point);
        *out = query_snap(run, point, run->options.snap);
        if (out->polygon != NAV_NONE) {
            // The point itself is asked, and has to snap to itself.
            const detour_place again = query_snap(run, out->position, run->options.snap);
            if (again.polygon == out->polygon &&
                memcmp(again.position, out->position, sizeof again.position) == 0) {
                return true;
            }
        }
    }
    return false;
}
