// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// proofs.c: what oracle_queries proves a difference with: the polygons as half planes, in double
// precision, and the links that Detour made between them. Nothing of our queries is used but the
// look-up of polygons near a place.

#include "queries.h"

#include <math.h>
#include <string.h>

#define LINKS_MAX 256u
#define WALK_MAX 4096u
#define NEAR_MAX 32u
// How far behind a wall is looked for ground.
#define BEHIND_WALL 2e-3

// The inner side of edge i of a polygon: x * nx + z * nz >= d.
typedef struct half_plane {
    double nx, nz, d;
} half_plane;

static half_plane edge_of(const nav_mesh *mesh, const nav_polygon *p, uint32_t i)
{
    const float *a = nav_mesh_vertex(mesh, p->vertices[i]);
    const float *b = nav_mesh_vertex(mesh, p->vertices[(i + 1) % p->vertex_count]);
    const double ex = (double)b[0] - (double)a[0], ez = (double)b[2] - (double)a[2];
    const double length = sqrt(ex * ex + ez * ez);
    const half_plane h = {length > 0.0 ? ez / length : 0.0, length > 0.0 ? -ex / length : 0.0, 0.0};
    return (half_plane){h.nx, h.nz, h.nx * (double)a[0] + h.nz * (double)a[2]};
}

static double inside_by(const query_asker *a, uint32_t polygon, double x, double z)
{
    const nav_polygon p = nav_mesh_polygon(a->world.ours, polygon);
    double least = HUGE_VAL;
    for (uint32_t i = 0; i < p.vertex_count; ++i) {
        const half_plane h = edge_of(a->world.ours, &p, i);
        least = fmin(least, h.nx * x + h.nz * z - h.d);
    }
    return least;
}

bool query_is_over(const query_asker *a, uint32_t polygon, const float place[3], double slack)
{
    return inside_by(a, polygon, (double)place[0], (double)place[2]) >= -slack;
}

// ---- walks ----

typedef struct part {
    double from, to; // of the way; empty where from > to
} part;

static part part_over(const query_asker *a, uint32_t polygon, const float from[3],
                      const float to[3], double slack)
{
    const nav_polygon p = nav_mesh_polygon(a->world.ours, polygon);
    const double x = (double)from[0], z = (double)from[2];
    const double dx = (double)to[0] - x, dz = (double)to[2] - z;
    part out = {0.0, 1.0};
    for (uint32_t i = 0; i < p.vertex_count; ++i) {
        const half_plane h = edge_of(a->world.ours, &p, i);
        const double at = h.nx * x + h.nz * z - h.d + slack, step = h.nx * dx + h.nz * dz;
        if (step > 0.0) {
            out.from = fmax(out.from, -at / step);
        } else if (step < 0.0) {
            out.to = fmin(out.to, -at / step);
        } else if (at < 0.0) {
            return (part){1.0, 0.0};
        }
    }
    return out;
}

static bool is_listed(const uint32_t *list, uint32_t count, uint32_t polygon)
{
    for (uint32_t i = count; i-- > 0;) {
        if (list[i] == polygon) {
            return true;
        }
    }
    return false;
}

double query_walk(const query_asker *a, const detour_place *start, const float end[3], double slack)
{
    static uint32_t queue[WALK_MAX];
    static part parts[WALK_MAX];
    uint32_t count = 0;
    double farthest = 0.0;
    queue[count] = start->polygon;
    parts[count++] = part_over(a, start->polygon, start->position, end, slack);
    for (uint32_t at = 0; at < count; ++at) {
        uint32_t links[LINKS_MAX];
        const uint32_t link_count = detour_links(a->world.theirs, queue[at], links, LINKS_MAX);
        farthest = fmax(farthest, parts[at].to);
        for (uint32_t i = 0; i < link_count && count < WALK_MAX; ++i) {
            if (is_listed(queue, count, links[i]) || !detour_is_open(a->world.theirs, links[i])) {
                continue;
            }
            const part next = part_over(a, links[i], start->position, end, slack);
            if (next.from <= next.to && next.from <= parts[at].to && next.to >= parts[at].from) {
                queue[count] = links[i];
                parts[count++] = next;
            }
        }
    }
    return farthest;
}

// ---- chains and walls ----

bool query_is_chain(const query_asker *a, const uint32_t *polygons, uint32_t count, uint32_t from)
{
    bool holds = count > 0 && polygons[0] == from;
    for (uint32_t i = 1; i < count && holds; ++i) {
        uint32_t links[LINKS_MAX];
        const uint32_t link_count =
            detour_links(a->world.theirs, polygons[i - 1], links, LINKS_MAX);
        holds = is_listed(links, link_count, polygons[i]) &&
                detour_is_open(a->world.theirs, polygons[i]);
    }
    return holds;
}

// Whether, just behind the place, which lies on edge i of p, there is ground that p leads to.
static bool is_ground_behind(const query_asker *a, uint32_t polygon, const half_plane *edge,
                             const float place[3])
{
    uint32_t links[LINKS_MAX];
    const uint32_t count = detour_links(a->world.theirs, polygon, links, LINKS_MAX);
    const double x = (double)place[0] - BEHIND_WALL * edge->nx;
    const double z = (double)place[2] - BEHIND_WALL * edge->nz;
    for (uint32_t i = 0; i < count; ++i) {
        if (detour_is_open(a->world.theirs, links[i]) && inside_by(a, links[i], x, z) >= 0.0) {
            return true;
        }
    }
    return false;
}

bool query_is_wall(query_asker *a, const float place[3])
{
    nav_location near[NEAR_MAX];
    const nav_snap snap = {0.01f, 0.5f, 0.5f};
    const uint32_t count = nav_query_nearest(a->world.ours, place, snap, NAV_NONE, near, NEAR_MAX);
    for (uint32_t i = 0; i < count; ++i) {
        const nav_polygon p = nav_mesh_polygon(a->world.ours, near[i].polygon);
        if (!detour_is_open(a->world.theirs, near[i].polygon) ||
            !query_is_over(a, near[i].polygon, place, QUERY_SAME)) {
            continue;
        }
        for (uint32_t k = 0; k < p.vertex_count; ++k) {
            const half_plane h = edge_of(a->world.ours, &p, k);
            const double off = h.nx * (double)place[0] + h.nz * (double)place[2] - h.d;
            if (fabs(off) <= QUERY_SAME && !is_ground_behind(a, near[i].polygon, &h, place)) {
                return true;
            }
        }
    }
    return false;
}
