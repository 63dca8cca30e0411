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
// Of doubles, in clipping.
#define ROUNDING 1e-9

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

static double inside_by(const query_run *run, uint32_t polygon, double x, double z)
{
    const nav_polygon p = nav_mesh_polygon(run->world.ours, polygon);
    double least = HUGE_VAL;
    for (uint32_t i = 0; i < p.vertex_count; ++i) {
        const half_plane h = edge_of(run->world.ours, &p, i);
        least = fmin(least, h.nx * x + h.nz * z - h.d);
    }
    return least;
}

bool query_is_over(const query_run *run, uint32_t polygon, const float place[3], double slack)
{
    return inside_by(run, polygon, (double)place[0], (double)place[2]) >= -slack;
}

// ---- walks ----

typedef struct part {
    double from, to; // of the way; empty where from > to
} part;

static part part_over(const query_run *run, uint32_t polygon, const float from[3],
                      const float to[3], double slack)
{
    const nav_polygon p = nav_mesh_polygon(run->world.ours, polygon);
    const double x = (double)from[0], z = (double)from[2];
    const double dx = (double)to[0] - x, dz = (double)to[2] - z;
    part out = {0.0, 1.0};
    for (uint32_t i = 0; i < p.vertex_count; ++i) {
        const half_plane h = edge_of(run->world.ours, &p, i);
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

// The polygons of a walk, each with the part of the walk that lies over it.
typedef struct walk {
    uint32_t polygons[WALK_MAX];
    part parts[WALK_MAX];
    uint32_t count;
} walk;

static void go(const query_run *run, const detour_place *start, const float end[3], double slack,
               walk *w)
{
    w->count = 0;
    w->polygons[w->count] = start->polygon;
    w->parts[w->count++] = part_over(run, start->polygon, start->position, end, slack);
    for (uint32_t at = 0; at < w->count; ++at) {
        uint32_t links[LINKS_MAX];
        const uint32_t links_count =
            detour_links(run->world.theirs, w->polygons[at], links, LINKS_MAX);
        const part here = w->parts[at];
        for (uint32_t i = 0; i < links_count && w->count < WALK_MAX; ++i) {
            if (is_listed(w->polygons, w->count, links[i]) ||
                !detour_is_open(run->world.theirs, links[i])) {
                continue;
            }
            const part next = part_over(run, links[i], start->position, end, slack);
            if (next.from <= next.to && next.from <= here.to && next.to >= here.from) {
                w->polygons[w->count] = links[i];
                w->parts[w->count++] = next;
            }
        }
    }
}

static double farthest(const walk *w)
{
    double t = 0.0;
    for (uint32_t i = 0; i < w->count; ++i) {
        t = fmax(t, w->parts[i].to);
    }
    return t;
}

double query_walk(const query_run *run, const detour_place *start, const float end[3], double slack)
{
    static walk w;
    go(run, start, end, slack, &w);
    return farthest(&w);
}

double query_slack(const query_run *run, const detour_place *start, double steps)
{
    const double inside =
        inside_by(run, start->polygon, (double)start->position[0], (double)start->position[2]);
    return fmax(-inside, 0.0) + ROUNDING + steps * run->step;
}

void query_walk_cost(const query_run *run, const detour_place *start, const float end[3],
                     double slack, double *least, double *most)
{
    static walk w;
    const double length = query_distance_plan(start->position, end);
    go(run, start, end, slack, &w);
    *least = HUGE_VAL;
    *most = 0.0;
    for (uint32_t i = 0; i < w.count; ++i) {
        if (w.parts[i].from <= 0.5 && w.parts[i].to >= 0.5) {
            const uint8_t area = nav_mesh_polygon(run->world.ours, w.polygons[i]).area;
            const double cost = run->weighted ? (double)QUERY_COSTS[area] : 1.0;
            *least = fmin(*least, cost * length);
            *most = fmax(*most, cost * length);
        }
    }
}

// ---- chains and walls ----

bool query_is_chain(const query_run *run, const uint32_t *polygons, uint32_t count, uint32_t from)
{
    bool holds = count > 0 && polygons[0] == from;
    for (uint32_t i = 1; i < count && holds; ++i) {
        uint32_t links[LINKS_MAX];
        const uint32_t link_count =
            detour_links(run->world.theirs, polygons[i - 1], links, LINKS_MAX);
        holds = is_listed(links, link_count, polygons[i]) &&
                detour_is_open(run->world.theirs, polygons[i]);
    }
    return holds;
}

double query_border_distance(const query_run *run, uint32_t from, uint32_t to, const float place[3])
{
    const nav_polygon p = nav_mesh_polygon(run->world.ours, from);
    double least = HUGE_VAL;
    for (uint32_t i = 0; i < p.vertex_count; ++i) {
        const float *begin = nav_mesh_vertex(run->world.ours, p.vertices[i]);
        const float *end = nav_mesh_vertex(run->world.ours, p.vertices[(i + 1) % p.vertex_count]);
        const part shared = part_over(run, to, begin, end, run->same);
        const double x = (double)end[0] - (double)begin[0], z = (double)end[2] - (double)begin[2];
        if (shared.from > shared.to || x * x + z * z == 0.0) {
            continue;
        }
        const double px = (double)place[0] - (double)begin[0];
        const double pz = (double)place[2] - (double)begin[2];
        const double t = fmin(fmax((px * x + pz * z) / (x * x + z * z), shared.from), shared.to);
        least = fmin(least, hypot(px - t * x, pz - t * z));
    }
    return least;
}

// Whether, just behind the place, which lies on edge i of p, there is ground that p leads to.
static bool is_ground_behind(const query_run *run, uint32_t polygon, const half_plane *edge,
                             const float place[3])
{
    uint32_t links[LINKS_MAX];
    const uint32_t count = detour_links(run->world.theirs, polygon, links, LINKS_MAX);
    const double x = (double)place[0] - 2.0 * run->same * edge->nx;
    const double z = (double)place[2] - 2.0 * run->same * edge->nz;
    for (uint32_t i = 0; i < count; ++i) {
        if (detour_is_open(run->world.theirs, links[i]) && inside_by(run, links[i], x, z) >= 0.0) {
            return true;
        }
    }
    return false;
}

bool query_is_wall(query_run *run, const float place[3])
{
    nav_location near[NEAR_MAX];
    const nav_snap snap = {0.01f, 0.5f, 0.5f};
    const uint32_t count =
        nav_query_nearest(run->world.ours, place, snap, NAV_NONE, near, NEAR_MAX);
    for (uint32_t i = 0; i < count; ++i) {
        const nav_polygon p = nav_mesh_polygon(run->world.ours, near[i].polygon);
        if (!detour_is_open(run->world.theirs, near[i].polygon) ||
            !query_is_over(run, near[i].polygon, place, run->same)) {
            continue;
        }
        for (uint32_t k = 0; k < p.vertex_count; ++k) {
            const half_plane h = edge_of(run->world.ours, &p, k);
            const double off = h.nx * (double)place[0] + h.nz * (double)place[2] - h.d;
            if (fabs(off) <= run->same && !is_ground_behind(run, near[i].polygon, &h, place)) {
                return true;
            }
        }
    }
    return false;
}
