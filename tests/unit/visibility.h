// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// visibility.h: the shortest path by brute force, to hold the library's against: every end of every
// portal sees every other, or not; Dijkstra over all that see each other. Nothing is left out for
// speed, and nothing is shared with the search but the mesh's arrays.
//
// Sight goes over portals, polygon by polygon, never through plan view alone: a floor does not see
// the one above it. A line that touches a corner goes on. Tolerances are those of lengths: TOUCH.

#pragma once

#include "core/query/question/question.h"
#include "core/query/search/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SIGHT_TOUCH 2e-5 // world units; places are floats, of up to 100 units

typedef struct sight_node {
    double at[2];
    uint32_t polygon; // one that it is in or on
} sight_node;

// A way over a link, from node to node.
typedef struct sight_jump {
    uint32_t from, to;
    double cost;
} sight_jump;

typedef struct sights {
    const nav_mesh *mesh;
    const nav_costs *costs;
    sight_node *nodes;
    uint32_t count;
    double *lengths; // count * count; infinite: not seen
    sight_jump *jumps;
    uint32_t jump_count;
    double *earliest; // of a line of sight: by polygon, where it came in, 0 to 1
    uint32_t *stack;
    bool *stacked;
} sights;

static inline bool sight_is_open(const sights *s, uint32_t polygon)
{
    return nav_costs_table(s->costs)[s->mesh->classes[polygon]] < INFINITY;
}

// ---- lines of sight ----

// Which part of a line, from 0 to 1, comes within TOUCH of a portal. False: none.
static inline bool sight_touches(const double a[2], const double b[2], const nav_portal *portal,
                                 double *from, double *to)
{
    const double l[2] = {(double)portal->left[0], (double)portal->left[1]};
    const double r[2] = {(double)portal->right[0], (double)portal->right[1]};
    const double dx = b[0] - a[0], dz = b[1] - a[1];
    const double length = hypot(dx, dz);
    *from = 0;
    *to = 1;
    if (length == 0) {
        const double ex = r[0] - l[0], ez = r[1] - l[1], e2 = ex * ex + ez * ez;
        double t = e2 > 0 ? ((a[0] - l[0]) * ex + (a[1] - l[1]) * ez) / e2 : 0;
        t = fmin(1, fmax(0, t));
        return hypot(a[0] - l[0] - ex * t, a[1] - l[1] - ez * t) <= SIGHT_TOUCH;
    }
    const double ux = dx / length, uz = dz / length;
    // The ends: along the line and beside it.
    const double along_l = (l[0] - a[0]) * ux + (l[1] - a[1]) * uz;
    const double along_r = (r[0] - a[0]) * ux + (r[1] - a[1]) * uz;
    const double off_l = (l[1] - a[1]) * ux - (l[0] - a[0]) * uz;
    const double off_r = (r[1] - a[1]) * ux - (r[0] - a[0]) * uz;
    // The part of the portal that is within TOUCH of the line.
    double t0 = 0, t1 = 1;
    const double rise = off_r - off_l;
    if (rise == 0) {
        if (fabs(off_l) > SIGHT_TOUCH) {
            return false;
        }
    } else {
        const double x = (-SIGHT_TOUCH - off_l) / rise, y = (SIGHT_TOUCH - off_l) / rise;
        t0 = fmax(t0, fmin(x, y));
        t1 = fmin(t1, fmax(x, y));
        if (t0 > t1) {
            return false;
        }
    }
    const double p = along_l + (along_r - along_l) * t0, q = along_l + (along_r - along_l) * t1;
    const double low = fmin(p, q) - SIGHT_TOUCH, high = fmax(p, q) + SIGHT_TOUCH;
    *from = fmax(0, low / length);
    *to = fmin(1, high / length);
    return *from <= *to;
}

// Whether the straight line from a place leads to another one over polygons and portals, always
// forwards.
static inline bool sight_is_free(sights *s, const sight_node *a, const sight_node *b)
{
    const nav_mesh *mesh = s->mesh;
    const double slack =
        SIGHT_TOUCH / (SIGHT_TOUCH + hypot(b->at[0] - a->at[0], b->at[1] - a->at[1]));
    for (uint32_t p = 0; p < mesh->stats.polygons; ++p) {
        s->earliest[p] = HUGE_VAL;
        s->stacked[p] = false;
    }
    if (!sight_is_open(s, a->polygon) || !sight_is_open(s, b->polygon)) {
        return false;
    }
    uint32_t depth = 0;
    s->stack[depth++] = a->polygon;
    s->earliest[a->polygon] = 0;
    while (depth > 0) {
        const uint32_t polygon = s->stack[--depth];
        s->stacked[polygon] = false;
        if (polygon == b->polygon) {
            return true;
        }
        for (uint32_t i = mesh->portal_first[polygon]; i < mesh->portal_first[polygon + 1]; ++i) {
            const nav_portal *portal = &mesh->portals[i];
            double from, to;
            if (!sight_is_open(s, portal->to) || !sight_touches(a->at, b->at, portal, &from, &to) ||
                to < s->earliest[polygon] - slack) {
                continue;
            }
            const double at = fmax(s->earliest[polygon], from);
            if (at < s->earliest[portal->to]) {
                s->earliest[portal->to] = at;
                if (!s->stacked[portal->to]) {
                    s->stacked[portal->to] = true;
                    s->stack[depth++] = portal->to;
                }
            }
        }
    }
    return false;
}

static inline double sight_length(sights *s, const sight_node *a, const sight_node *b)
{
    return sight_is_free(s, a, b) ? hypot(a->at[0] - b->at[0], a->at[1] - b->at[1]) : HUGE_VAL;
}

// ---- nodes ----

static inline sight_node sight_node_at(const float position[3], uint32_t polygon)
{
    return (sight_node){{(double)position[0], (double)position[2]}, polygon};
}

// Whether the ground around a place hangs together from polygon to polygon: over portals that end
// there.
static inline bool sight_same_ground(sights *s, const float place[2], uint32_t a, uint32_t b)
{
    memset(s->stacked, 0, s->mesh->stats.polygons * sizeof *s->stacked);
    uint32_t depth = 0;
    s->stack[depth++] = a;
    s->stacked[a] = true;
    while (depth > 0) {
        const uint32_t polygon = s->stack[--depth];
        for (uint32_t i = s->mesh->portal_first[polygon]; i < s->mesh->portal_first[polygon + 1];
             ++i) {
            const nav_portal *p = &s->mesh->portals[i];
            const bool ends = memcmp(p->left, place, sizeof p->left) == 0 ||
                              memcmp(p->right, place, sizeof p->right) == 0;
            if (ends && sight_is_open(s, p->to) && !s->stacked[p->to]) {
                s->stacked[p->to] = true;
                s->stack[depth++] = p->to;
            }
        }
    }
    return s->stacked[b];
}

static inline void sight_add_end(sights *s, const float place[2], uint32_t polygon)
{
    const sight_node node = {{(double)place[0], (double)place[1]}, polygon};
    for (uint32_t i = 0; i < s->count; ++i) {
        if (s->nodes[i].at[0] == node.at[0] && s->nodes[i].at[1] == node.at[1] &&
            sight_same_ground(s, place, s->nodes[i].polygon, polygon)) {
            return;
        }
    }
    s->nodes[s->count++] = node;
}

// Links in the directions that they lead, or both ways for a bound on all directions.
static inline void sight_add_links(sights *s, bool both_ways)
{
    for (uint32_t i = 0; i < s->mesh->stats.links; ++i) {
        const nav_placed_link *link = &s->mesh->links[i];
        const double length = hypot((double)link->start[0] - (double)link->end[0],
                                    (double)link->start[2] - (double)link->end[2]);
        double cost =
            (double)nav_link_cost(s->costs, link, (float)length) / (double)s->costs->least;
        cost = both_ways ? fmin(cost, length) : cost;
        const uint32_t start = s->count++, end = s->count++;
        s->nodes[start] = sight_node_at(link->start, link->start_polygon);
        s->nodes[end] = sight_node_at(link->end, link->end_polygon);
        s->jumps[s->jump_count++] = (sight_jump){start, end, cost};
        if (link->bidirectional || both_ways) {
            s->jumps[s->jump_count++] = (sight_jump){end, start, cost};
        }
    }
}

// Room for the costs of a mesh's classes; NULL where they are those of its areas. The caller frees
// it.
static inline float *sight_class_room(const nav_mesh *mesh)
{
    return mesh->ground_class_count > 0 ? calloc(nav_mesh_class_count(mesh), sizeof(float)) : NULL;
}

// costs and mesh are borrowed. Ends of closed polygons' portals are no nodes.
static inline void sights_init(sights *s, const nav_mesh *mesh, const nav_costs *costs,
                               bool both_ways)
{
    const uint32_t nodes_max = 2 * mesh->edge_portal_count + 2 * mesh->stats.links + 1;
    *s = (sights){.mesh = mesh, .costs = costs};
    s->nodes = calloc(nodes_max, sizeof *s->nodes);
    s->jumps = calloc(2 * mesh->stats.links + 1, sizeof *s->jumps);
    s->earliest = calloc(mesh->stats.polygons + 1, sizeof *s->earliest);
    s->stack = calloc(mesh->stats.polygons + 1, sizeof *s->stack);
    s->stacked = calloc(mesh->stats.polygons + 1, sizeof *s->stacked);
    for (uint32_t i = 0; i < mesh->edge_portal_count; ++i) {
        const nav_portal *portal = &mesh->portals[i];
        if (sight_is_open(s, portal->from) && sight_is_open(s, portal->to)) {
            sight_add_end(s, portal->left, portal->from);
            sight_add_end(s, portal->right, portal->from);
        }
    }
    sight_add_links(s, both_ways);
    s->lengths = calloc((size_t)s->count * s->count + 1, sizeof *s->lengths);
    for (uint32_t i = 0; i < s->count; ++i) {
        for (uint32_t k = 0; k < i; ++k) {
            double length = sight_length(s, &s->nodes[i], &s->nodes[k]);
            s->lengths[(size_t)i * s->count + k] = length;
            s->lengths[(size_t)k * s->count + i] = length;
        }
    }
}

static inline void sights_free(sights *s)
{
    free(s->nodes);
    free(s->jumps);
    free(s->earliest);
    free(s->stack);
    free(s->stacked);
    free(s->lengths);
}

// ---- shortest ways ----

// From a place to every node, into out (count values).
static inline void sights_from(sights *s, const sight_node *start, double *out)
{
    bool *done = calloc(s->count + 1, sizeof *done);
    for (uint32_t i = 0; i < s->count; ++i) {
        out[i] = sight_length(s, start, &s->nodes[i]);
    }
    for (;;) {
        uint32_t near = NAV_NONE;
        for (uint32_t i = 0; i < s->count; ++i) {
            if (!done[i] && out[i] < HUGE_VAL && (near == NAV_NONE || out[i] < out[near])) {
                near = i;
            }
        }
        if (near == NAV_NONE) {
            break;
        }
        done[near] = true;
        for (uint32_t i = 0; i < s->count; ++i) {
            out[i] = fmin(out[i], out[near] + s->lengths[(size_t)near * s->count + i]);
        }
        for (uint32_t i = 0; i < s->jump_count; ++i) {
            if (s->jumps[i].from == near) {
                out[s->jumps[i].to] = fmin(out[s->jumps[i].to], out[near] + s->jumps[i].cost);
            }
        }
    }
    free(done);
}

// To a place, where `from` holds the ways to all nodes. Infinite: there is none.
static inline double sights_to(sights *s, const sight_node *start, const double *from,
                               const sight_node *goal)
{
    double best = sight_length(s, start, goal);
    for (uint32_t i = 0; i < s->count; ++i) {
        const double beeline =
            hypot(s->nodes[i].at[0] - goal->at[0], s->nodes[i].at[1] - goal->at[1]);
        if (from[i] + beeline < best) {
            best = fmin(best, from[i] + sight_length(s, &s->nodes[i], goal));
        }
    }
    return best;
}
