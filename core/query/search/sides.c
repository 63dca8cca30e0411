// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// sides.c: finds where a path runs along the edge of cheaper ground, and leads its corridor
// over that ground. See sides.h.

#include "core/query/search/sides.h"

#include "core/base/plane.h"
#include "core/base/tolerances.h"
#include "core/query/view/scratch.h"

#include <math.h>
#include <string.h>

// A segment of the stretch.
typedef struct line {
    const float *from, *to; // points
    double x, z;            // its direction, of length 1
    double length, tolerance;
} line;

// A crossing of a stretch and a portal: on a segment; at its beginning, where the stretch bends in
// an end of the portal.
typedef struct mark {
    const nav_portal *portal; // NULL: an end of the stretch
    uint32_t segment;
    bool bends;
} mark;

static double tolerance_at(const float point[3])
{
    return NAV_ALONG_TOLERANCE +
           NAV_ALONG_TOLERANCE_RATIO * (fabs((double)point[0]) + fabs((double)point[2]));
}

static line line_of(const nav_side_stretch *stretch, uint32_t segment)
{
    line l = {.from = stretch->points[segment], .to = stretch->points[segment + 1]};
    const double dx = (double)l.to[0] - (double)l.from[0];
    const double dz = (double)l.to[2] - (double)l.from[2];
    l.length = nav_plane_length(dx, dz);
    l.x = l.length > 0.0 ? dx / l.length : 0.0;
    l.z = l.length > 0.0 ? dz / l.length : 0.0;
    l.tolerance = tolerance_at(l.to);
    return l;
}

// An end of a portal as it is seen along a line: how far along it, and how far beside.
static void measure_along(const line *l, const float point[2], double *along, double *off)
{
    const double dx = (double)point[0] - (double)l->from[0];
    const double dz = (double)point[1] - (double)l->from[2];
    *along = nav_plane_dot(dx, dz, l->x, l->z);
    *off = nav_plane_cross(dx, dz, l->x, l->z);
}

// How far along a line a portal is crossed: at once by one along it.
static double crossing(const line *l, const nav_portal *portal)
{
    double left, left_off, right, right_off;
    measure_along(l, portal->left, &left, &left_off);
    measure_along(l, portal->right, &right, &right_off);
    const double across = right_off - left_off;
    const double along =
        fabs(across) > l->tolerance ? left - left_off * (right - left) / across : fmin(left, right);
    return fmin(fmax(along, 0.0), l->length);
}

// ---- finding ----

static bool ends_in(const nav_portal *portal, const float point[3])
{
    return (portal->left[0] == point[0] && portal->left[1] == point[2]) ||
           (portal->right[0] == point[0] && portal->right[1] == point[2]);
}

// The part of a line from `begin` to `end` that lies on a portal. False where it is as good as
// none.
static bool is_along(const line *l, const nav_portal *portal, double *begin, double *end)
{
    double left, left_off, right, right_off;
    measure_along(l, portal->left, &left, &left_off);
    measure_along(l, portal->right, &right, &right_off);
    *begin = fmax(*begin, fmin(left, right));
    *end = fmin(*end, fmax(left, right));
    if (!(*end - *begin > l->tolerance)) {
        return false;
    }
    const double slope = (right_off - left_off) / (right - left);
    return fabs(left_off + slope * (*begin - left)) <= l->tolerance &&
           fabs(left_off + slope * (*end - left)) <= l->tolerance;
}

// The position so far along a line: an end of the line or of the portal itself where it is one.
static void point_along(const line *l, const nav_portal *portal, double along, float out[2])
{
    double left, right, off;
    measure_along(l, portal->left, &left, &off);
    measure_along(l, portal->right, &right, &off);
    if (along <= 0.0 || along >= l->length) {
        const float *point = along <= 0.0 ? l->from : l->to;
        out[0] = point[0];
        out[1] = point[2];
    } else if (along == left || along == right) {
        memcpy(out, along == left ? portal->left : portal->right, 2 * sizeof *out);
    } else {
        out[0] = (float)((double)l->from[0] + l->x * along);
        out[1] = (float)((double)l->from[2] + l->z * along);
    }
}

// Finds, among the portals to cheaper ground along a line from `*begin` to `end`, the one that it
// comes to first, and of several the cheapest. Adds it to the list; *begin is then where it leaves
// it. False: there is none.
static bool add_next(nav_side_list *list, const nav_face *face, const nav_side_stretch *stretch,
                     const line *l, uint32_t at, double *begin, double end)
{
    uint32_t best = NAV_NONE;
    double best_begin = end, best_end = end;
    float best_cost = stretch->cost;
    for (uint32_t i = 0; i < face->portal_count; ++i) {
        const float cost = nav_polygon_cost(list->view, face->portals[i].to);
        double first = *begin, last = end;
        if (cost < stretch->cost && is_along(l, &face->portals[i], &first, &last) &&
            (first < best_begin || (first == best_begin && cost < best_cost))) {
            best = i;
            best_begin = first;
            best_end = last;
            best_cost = cost;
        }
    }
    if (best == NAV_NONE || list->count == list->capacity) {
        return false;
    }
    NAV_DCHECK(best_begin <= best_end);
    NAV_DCHECK(face->portals[best].from == face->portals[0].from);
    const nav_portal *portal = &face->portals[best];
    nav_side side = {
        .at = at, .over = face->portal_first + best, .back = nav_view_back(list->view, portal)};
    point_along(l, portal, best_begin, side.from);
    point_along(l, portal, best_end, side.to);
    if (side.back != NAV_NONE) {
        list->sides[list->count++] = side;
    }
    *begin = best_end;
    return true;
}

static double mark_along(const mark *at, const line *l)
{
    return at->portal == NULL || at->bends ? 0.0 : crossing(l, at->portal);
}

// The cheaper sides of a polygon that the stretch is in from one mark to another.
static void list_sides_of(nav_side_list *list, const nav_face *face,
                          const nav_side_stretch *stretch, uint32_t at, const mark *from,
                          const mark *to)
{
    const uint32_t last = to->portal == NULL || to->bends ? to->segment : to->segment + 1;
    for (uint32_t i = from->segment; i < last; ++i) {
        const line l = line_of(stretch, i);
        double begin = i == from->segment ? mark_along(from, &l) : 0.0;
        const double end = i == to->segment ? mark_along(to, &l) : l.length;
        while (add_next(list, face, stretch, &l, at, &begin, end)) {
        }
    }
}

// Finds where the stretch crosses the next portal. A string bends in ends of portals.
static inline mark next_mark(const nav_side_stretch *stretch, const mark *from,
                             const nav_portal *portal)
{
    mark to = {.portal = portal, .segment = from->segment};
    while (to.segment + 2 < stretch->point_count &&
           ends_in(portal, stretch->points[to.segment + 1])) {
        ++to.segment;
        to.bends = true;
    }
    return to;
}

void nav_sides_list(nav_side_list *list, const nav_side_stretch *stretch)
{
    const uint32_t *corridor = list->scratch->corridor.portals;
    NAV_ASSERT(stretch->first <= stretch->end);
    NAV_ASSERT(stretch->point_count >= 2);
    uint32_t polygon = stretch->polygon;
    mark from = {.bends = true};
    for (uint32_t at = stretch->first; at <= stretch->end; ++at) {
        const mark to = at < stretch->end
                            ? next_mark(stretch, &from, nav_view_portal(list->view, corridor[at]))
                            : (mark){.segment = stretch->point_count - 1};
        const nav_face face = nav_view_face(list->view, polygon);
        list_sides_of(list, &face, stretch, at, &from, &to);
        polygon = to.portal != NULL ? to.portal->to : polygon;
        from = to;
    }
}

// ---- taking ----

static bool is_back_at_once(const nav_side_list *list, uint32_t before, uint32_t at)
{
    const nav_scratch *scratch = list->scratch;
    if (nav_portal_is_arc(list->view, scratch->corridor.portals[before]) ||
        nav_portal_is_arc(list->view, scratch->corridor.portals[at])) {
        return false;
    }
    const nav_portal *a = nav_view_portal(list->view, scratch->corridor.portals[before]);
    const nav_portal *b = nav_view_portal(list->view, scratch->corridor.portals[at]);
    return nav_portal_is_back(a, b) &&
           memcmp(scratch->corridor.crossings[before], scratch->corridor.crossings[at],
                  sizeof *scratch->corridor.crossings) == 0;
}

static void put(nav_scratch *scratch, uint32_t at, uint32_t portal, const float point[2])
{
    scratch->corridor.portals[at] = portal;
    memcpy(scratch->corridor.crossings[at], point, sizeof *scratch->corridor.crossings);
}

uint32_t nav_sides_take(const nav_side_list *list, uint32_t count)
{
    nav_scratch *scratch = list->scratch;
    NAV_ASSERT(count + 2 * list->count <= scratch->corridor.capacity);
    uint32_t end = count + 2 * list->count, from = count;
    for (uint32_t i = list->count; i-- > 0;) {
        const nav_side *side = &list->sides[i];
        NAV_ASSERT(side->at <= from); // sides are listed from the start on
        while (from > side->at) {
            --from;
            --end;
            put(scratch, end, scratch->corridor.portals[from], scratch->corridor.crossings[from]);
        }
        put(scratch, --end, side->back, side->to);
        put(scratch, --end, side->over, side->from);
    }
    NAV_ASSERT(end == from);
    // Over an edge and back in one position is nowhere.
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count + 2 * list->count; ++i) {
        put(scratch, kept, scratch->corridor.portals[i], scratch->corridor.crossings[i]);
        kept = kept > 0 && is_back_at_once(list, kept - 1, kept) ? kept - 1 : kept + 1;
    }
    return kept;
}
