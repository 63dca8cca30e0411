// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// improve.c: makes a path by labels over ground of several costs cheaper, and its string taut. See
// steiner.h.
//
// Labels know one way to each portal, and guess where borders of cost are crossed.

#include "core/query/search/steiner/steiner.h"

#include "core/base/plane.h"
#include "core/query/search/search.h"
#include "core/query/view/overlay.h"

#include <math.h>
#include <string.h>

// Steiner points lie so far apart, as a part of the path's length.
#define SPACING_RATIO 0.03f
// A link begins and ends beside the places where a walk to it would bend.
#define SPACING_RATIO_LINKS 0.015f
// Few ways cost as little as is guessed. Around a shape the ways on both sides often nearly do, and
// a link costs what it may.
#define WEIGHT 1.1f
#define WEIGHT_SHAPES 1.03f
#define WEIGHT_LINKS 1.0f
// A walk over Steiner points is dearer than when it has settled: so much counts as no dearer.
#define LIMIT_TIMES 1.3
// Arcs that a search looks at: thousands out of one polygon are for labels alone.
#define ARCS_MAX (UINT32_C(1) << 16)
// Points of a string lie in the right place but for borders of cost.
#define PATH_REACH 0.05f
// Steps of points end at this part of the first.
#define SCALE_LAST 0.1f
#define PASSES_MAX 4
#define GAIN_MIN 1e-5

// ---- memory ----

// Room for what is seen of the mesh, and a new stamp. False when there is no memory.
static bool begin_work(nav_steiner *s)
{
    nav_steiner_scratch *work = s->work;
    const uint32_t seen = nav_view_portals(s->view);
    const uint32_t portals = seen > work->portals ? seen : work->portals;
    const nav_block_array arrays[] = {
        NAV_BLOCK_ARRAY(work->ranges, portals, 0), NAV_BLOCK_ARRAY(work->walk, portals, 0),
        NAV_BLOCK_ARRAY(work->kept_crossings, portals, 0), NAV_BLOCK_ARRAY(work->kept, portals, 0),
        NAV_BLOCK_ARRAY(work->choices, portals, 0)};
    const bool grows = work->block.bytes == NULL || portals > work->portals;
    if (grows && !nav_block_make(&work->block, &s->scratch->allocator, arrays, 5)) {
        return false;
    }
    work->portals = portals;
    if (grows || ++work->stamp == 0) {
        memset(work->ranges, 0, portals * sizeof *work->ranges);
        work->stamp = 1;
    }
    return true;
}

// ---- from a path to a walk ----

// The part of a portal at which a string crosses it, from segment *segment on.
static float crossing_of(const nav_portal *portal, const float (*points)[3], uint32_t count,
                         uint32_t *segment)
{
    const float dx = portal->right[0] - portal->left[0], dz = portal->right[1] - portal->left[1];
    const float width2 = dx * dx + dz * dz;
    for (uint32_t i = *segment; i + 1 < count; ++i) {
        const float ax = points[i][0] - portal->left[0], az = points[i][2] - portal->left[1];
        const float bx = points[i + 1][0] - portal->left[0];
        const float bz = points[i + 1][2] - portal->left[1];
        const float off_a = nav_plane_cross_f(ax, az, dx, dz);
        const float off_b = nav_plane_cross_f(bx, bz, dx, dz);
        if (off_a * off_b > 0.0f) {
            continue; // both on one side
        }
        const float ratio = off_a != off_b ? off_a / (off_a - off_b) : 1.0f;
        const float t = ((ax + (bx - ax) * ratio) * dx + (az + (bz - az) * ratio) * dz) / width2;
        if (t > -PATH_REACH && t < 1.0f + PATH_REACH) {
            *segment = i;
            return nav_plane_clamp_f(t, 0.0f, 1.0f);
        }
    }
    return 0.5f;
}

// The walk that a path is. It need not be exact, since it is settled.
static void list_path(const nav_steiner *s, const nav_path *path, nav_walk *out)
{
    const float(*points)[3] = (const float(*)[3])path->points;
    uint32_t segment = 0;
    out->count = path->corridor_count;
    for (uint32_t i = 0; i < out->count; ++i) {
        const uint32_t portal = s->scratch->corridor.portals[i];
        const float t = nav_portal_is_arc(s->view, portal)
                            ? 0.0f
                            : crossing_of(nav_view_portal(s->view, portal), points,
                                          path->point_count, &segment);
        out->points[i] = nav_walk_point_at(s->view, portal, t, PATH_REACH);
    }
}

// ---- from a walk to a path ----

// The corridor of a path that another one is tried instead of.
typedef struct kept_path {
    uint32_t count;
    double cost;
} kept_path;

static void keep(const nav_steiner *s, const kept_path *kept)
{
    const nav_corridor *corridor = &s->scratch->corridor;
    memcpy(s->work->kept, corridor->portals, kept->count * sizeof *corridor->portals);
    memcpy(s->work->kept_crossings, corridor->crossings, kept->count * sizeof *corridor->crossings);
}

static void restore(const nav_steiner *s, const kept_path *kept, nav_path *path)
{
    nav_corridor *corridor = &s->scratch->corridor;
    memcpy(corridor->portals, s->work->kept, kept->count * sizeof *corridor->portals);
    memcpy(corridor->crossings, s->work->kept_crossings, kept->count * sizeof *corridor->crossings);
    nav_string_pull(s->view, s->scratch, s->start->position, s->target->position, kept->count,
                    s->target->polygon, true, path);
}

// Pulls the string through another corridor; the path stays where that is cheaper.
static void try_corridor(const nav_steiner *s, uint32_t count, kept_path *kept, nav_path *path)
{
    nav_string_pull(s->view, s->scratch, s->start->position, s->target->position, count,
                    s->target->polygon, true, path);
    if (path->cost < kept->cost) {
        *kept = (kept_path){path->corridor_count, path->cost};
    } else {
        restore(s, kept, path);
    }
}

// ---- steps ----

// Whether a walk leads through the corridor's portals, where it could but settle once more.
static bool is_corridor(const nav_steiner *s, const nav_walk *walk, const nav_path *path)
{
    bool same = walk->count == path->corridor_count;
    for (uint32_t i = 0; i < walk->count && same; ++i) {
        same = walk->points[i].portal == s->scratch->corridor.portals[i];
    }
    return same;
}

// Settles a walk and pulls its string.
static void take(const nav_steiner *s, nav_walk *walk, kept_path *kept, nav_path *path)
{
    nav_corridor *corridor = &s->scratch->corridor;
    nav_walk_settle(walk, SCALE_LAST);
    nav_walk_flip(walk);
    NAV_ASSERT(walk->count <= walk->capacity);
    keep(s, kept);
    for (uint32_t i = 0; i < walk->count; ++i) {
        corridor->portals[i] = walk->points[i].portal;
        memcpy(corridor->crossings[i], walk->points[i].out, sizeof *corridor->crossings);
    }
    try_corridor(s, walk->count, kept, path);
}

static void settle(const nav_steiner *s, nav_walk *walk, kept_path *kept, nav_path *path)
{
    if (path->corridor_count > 0) {
        list_path(s, path, walk);
        take(s, walk, kept, path);
    }
}

// Leads the path straight past its bends where that is cheaper, and settles it once more: its
// string may have come to cheaper sides of borders.
static void shorten(nav_steiner *s, nav_walk *walk, kept_path *kept, nav_path *path)
{
    double before = (double)INFINITY;
    for (int pass = 0; pass < PASSES_MAX && kept->cost < before * (1.0 - GAIN_MIN); ++pass) {
        before = kept->cost;
        list_path(s, path, walk);
        nav_walk_settle(walk, SCALE_LAST);
        if (!nav_walk_shorten(s, walk)) {
            return;
        }
        take(s, walk, kept, path);
    }
}

// How long a path is, links left out.
static float walked(const nav_steiner *s, const nav_path *path)
{
    double length = path->length;
    for (uint32_t i = 0; s->has_links && i < path->corridor_count; ++i) {
        const uint32_t portal = s->scratch->corridor.portals[i];
        if (nav_portal_is_arc(s->view, portal)) {
            const nav_arc *arc = nav_portal_arc(s->view, portal);
            length -= nav_space_distance(arc->start, arc->end);
        }
    }
    return (float)fmax(length, 0.0);
}

// A path that is to be made cheaper, and the walk that it is. False: it is the cheapest already, or
// there is no memory.
static bool begin(nav_steiner *s, const nav_path *path, nav_walk *walk)
{
    const uint32_t portals = nav_view_portals(s->view);
    if (path->cost <= path->lower_bound * (1.0 + NAV_PROOF_RATIO) ||
        path->corridor_count > portals || !begin_work(s)) {
        return false;
    }
    *walk = (nav_walk){.view = s->view,
                       .points = s->work->walk,
                       .capacity = portals,
                       .start = {s->start->position[0], s->start->position[2]},
                       .end = {s->goal[0], s->goal[1]},
                       .cost_at_end = nav_polygon_cost(s->view, s->target->polygon),
                       .choices = s->work->choices};
    return true;
}

static float weight_of(const nav_view *view)
{
    const bool has_prices = view->overlay != NULL && view->overlay->costs.has_prices;
    return nav_view_arcs(view) > 0 ? WEIGHT_LINKS : has_prices ? WEIGHT_SHAPES : WEIGHT;
}

static nav_steiner between(const nav_view *view, nav_scratch *scratch, const nav_location *start,
                           const nav_location *target)
{
    return (nav_steiner){.view = view,
                         .scratch = scratch,
                         .work = &scratch->steiner,
                         .start = start,
                         .target = target,
                         .goal = {target->position[0], target->position[2]},
                         .has_links = nav_view_arcs(view) > 0,
                         .weight = weight_of(view),
                         .arcs_left = ARCS_MAX};
}

void nav_steiner_improve(const nav_view *view, nav_scratch *scratch,
                         const nav_path_request *request, const nav_location *start,
                         const nav_location *target, nav_path *path)
{
    nav_steiner s = between(view, scratch, start, target);
    s.expanded = path->nodes_expanded;
    s.expanded_max = request->max_nodes > 0 ? request->max_nodes : NAV_NONE;
    s.expansions = request->expansions;
    nav_walk walk;
    kept_path kept = {path->corridor_count, path->cost};
    if (!begin(&s, path, &walk)) {
        return;
    }
    settle(&s, &walk, &kept, path);
    s.spacing = walked(&s, path) * (s.has_links ? SPACING_RATIO_LINKS : SPACING_RATIO);
    s.limit = (float)(path->cost * LIMIT_TIMES);
    if (nav_steiner_search(&s, &walk) && !is_corridor(&s, &walk, path)) {
        take(&s, &walk, &kept, path);
    }
    if (path->corridor_count > 0) {
        shorten(&s, &walk, &kept, path);
    }
    path->nodes_expanded = s.expanded;
}

void nav_steiner_settle(const nav_view *view, nav_scratch *scratch, const nav_location *start,
                        const nav_location *target, nav_path *path)
{
    nav_steiner s = between(view, scratch, start, target);
    nav_walk walk;
    kept_path kept = {path->corridor_count, path->cost};
    if (begin(&s, path, &walk)) {
        settle(&s, &walk, &kept, path);
    }
}
