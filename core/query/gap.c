// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// gap.c: what lies between a question and the ground: the ground nearest to a point that is off the
// mesh, however far, and the narrowest place between two islands. For negative answers only, so
// that others pay nothing; each takes a bounded number of searches for a nearest position.
//
// Between two islands the search goes to and fro, from a place on the one to the nearest on the
// other and back, until it comes no nearer. From one beginning that ends in a narrow place, from
// several nearly always in the narrowest: the ends of the question, and polygons spread over both
// islands.

#include "core/query/view/scratch.h"

#include <float.h>
#include <math.h>
#include <string.h>

// ---- ground far from a point ----

// Boxes grow by this from search to search.
#define REACH_FIRST 8.0f
#define REACH_GROWTH 4.0f

static nav_status search_around(const nav_mesh *mesh, nav_scratch *scratch, const float point[3],
                                const nav_options *options, float reach, nav_location *out,
                                uint32_t *count)
{
    nav_options wide = *options;
    wide.snap = (nav_snap){.horizontal = reach, .up = reach, .down = reach};
    return nav_query_nearest_reachable(mesh, scratch, point, NULL, &wide, out, 1, count);
}

nav_status nav_query_nearby(const nav_mesh *mesh, nav_scratch *scratch, const float point[3],
                            const nav_options *options, nav_location *out, bool *found)
{
    nav_location place;
    nav_status status = NAV_OK;
    uint32_t count = 0;
    float reach = REACH_FIRST;
    for (; status == NAV_OK && count == 0 && reach <= NAV_NEARBY_MAX; reach *= REACH_GROWTH) {
        status = search_around(mesh, scratch, point, options, reach, &place, &count);
    }
    // Ground in a corner of the box may be farther off than ground just outside of a side.
    if (status == NAV_OK && count > 0 && place.distance > reach / REACH_GROWTH) {
        status = search_around(mesh, scratch, point, options, place.distance, &place, &count);
    }
    *found = status == NAV_OK && count > 0;
    if (*found) {
        *out = place;
    }
    return status;
}

// ---- two islands ----

#define SEEDS_MAX 4u      // of each island, besides the ends of the question
#define SEEDS_REACH 64.0f // islands farther apart have no seeds but the ends of the question
#define REACH_RATIO 2.0f  // a path to a narrower place may begin so many times as wide
#define PROBES_MAX 2048u  // polygons that are looked at for them
#define TURNS_MAX 8u      // from one beginning
#define AT_END 0.1f       // an end lies on the mesh, but for rounding

typedef struct between {
    const nav_mesh *mesh;
    nav_gap *best;
} between;

static bool component_at(const nav_mesh *mesh, const float point[3], uint32_t *component)
{
    const nav_snap at = {.horizontal = AT_END, .up = AT_END, .down = AT_END};
    nav_location place;
    const bool found = nav_query_nearest(mesh, point, at, NAV_NONE, &place, 1) > 0;
    *component = found ? mesh->records[place.polygon].component : 0;
    return found;
}

// The place on an island that is nearest to a point, within reach along each axis. A floor under
// the point goes before what is nearer beside or above it, so that is looked for once more.
static bool project(const nav_mesh *mesh, const float point[3], uint32_t component, float reach,
                    float out[3])
{
    const nav_snap around = {.horizontal = reach, .up = reach, .down = reach};
    const nav_snap not_under = {.horizontal = reach, .up = reach, .down = 0.0f};
    nav_location place, other;
    if (nav_query_nearest(mesh, point, around, component, &place, 1) == 0) {
        return false;
    }
    if (place.position[1] < point[1] &&
        nav_query_nearest(mesh, point, not_under, component, &other, 1) > 0 &&
        other.distance < place.distance) {
        place = other;
    }
    memcpy(out, place.position, sizeof place.position);
    return true;
}

static float distance_of(const float a[3], const float b[3])
{
    const float x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return sqrtf(x * x + y * y + z * z);
}

// The search goes to and fro from a place on the island `side`, until that comes no nearer. It
// leaves out places farther off than REACH_RATIO times the best so far.
static void close_in(const between *s, const float from[3], int side)
{
    float points[2][3];
    float least =
        s->best->distance < FLT_MAX / REACH_RATIO ? REACH_RATIO * s->best->distance : FLT_MAX;
    memcpy(points[side], from, sizeof points[side]);
    for (uint32_t turn = 0; turn < TURNS_MAX; ++turn) {
        const int to = 1 - side;
        if (!project(s->mesh, points[side], s->best->components[to], least, points[to])) {
            return;
        }
        const float distance = distance_of(points[0], points[1]);
        if (!(distance < least)) {
            return;
        }
        least = distance;
        if (distance < s->best->distance) {
            s->best->distance = distance;
            memcpy(s->best->points, points, sizeof points);
        }
        side = to;
    }
}

// Begins from up to SEEDS_MAX polygons of either island, found among PROBES_MAX of the mesh.
static void close_in_from_polygons(const between *s)
{
    const uint32_t polygons = s->mesh->stats.polygons;
    const uint32_t step = polygons / PROBES_MAX + 1;
    uint32_t members[2] = {0, 0};
    for (int pass = 0; pass < 2; ++pass) {
        uint32_t seen[2] = {0, 0};
        for (uint32_t i = 0; i < polygons; i += step) {
            const uint32_t component = s->mesh->records[i].component;
            const int side = component == s->best->components[0]   ? 0
                             : component == s->best->components[1] ? 1
                                                                   : -1;
            if (side < 0) {
                continue;
            }
            // The first pass counts them, the second takes so many, evenly.
            members[side] += pass == 0;
            const uint32_t every = members[side] / SEEDS_MAX + 1;
            if (pass == 1 && seen[side]++ % every == 0) {
                const nav_polygon polygon = nav_mesh_polygon(s->mesh, i);
                close_in(s, nav_mesh_vertex(s->mesh, polygon.vertices[0]), side);
            }
        }
    }
}

bool nav_query_gap(const nav_mesh *mesh, const float start[3], const float end[3], nav_gap *out)
{
    nav_gap gap = {.distance = INFINITY};
    if (!component_at(mesh, start, &gap.components[0]) ||
        !component_at(mesh, end, &gap.components[1]) || gap.components[0] == gap.components[1]) {
        return false;
    }
    const between s = {.mesh = mesh, .best = &gap};
    close_in(&s, start, 0);
    close_in(&s, end, 1);
    if (gap.distance <= SEEDS_REACH) {
        close_in_from_polygons(&s);
    }
    *out = gap;
    return gap.distance < INFINITY;
}

void nav_mesh_island(const nav_mesh *mesh, uint32_t component, uint32_t *polygons, double *area)
{
    *polygons = 0;
    *area = 0.0;
    for (uint32_t i = 0; i < mesh->stats.polygons; ++i) {
        if (mesh->records[i].component == component) {
            ++*polygons;
            *area += nav_mesh_polygon_area(mesh, i);
        }
    }
}
