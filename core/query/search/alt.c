// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// alt.c: see alt.h.
//
// A point within a polygon or on a portal is not in the tables. Its distance from a landmark lies
// between those of the turning vertices around it, more or less the straight way to them.

#include "core/query/search/alt.h"

#include "core/base/plane.h"
#include "core/base/tolerances.h"
#include "core/query/view/view.h"

#include <string.h>

// A bound counts in steps of two units of the tables.
#define STEP_UNITS 2.0f
#define STEPS_MAX 32767.0f
// Sums of floats are rounded.
#define REST_ROUNDING_RATIO 1e-5f

typedef struct interval {
    float low[NAV_LANDMARKS_MAX], high[NAV_LANDMARKS_MAX]; // in units of the tables
} interval;

// One portal of the goal's polygon as the goal sees it, in units of the tables.
typedef struct sight {
    float x, z;           // from the goal to the portal's left end
    float ex, ez;         // from there to its right end
    float width, inverse; // of the portal; 0 and 0 where it has none
} sight;

static sight sight_of(const nav_portal *portal, const nav_location *location, float unit)
{
    const float scale = 1.0f / unit;
    sight s = {.x = (portal->left[0] - location->position[0]) * scale,
               .z = (portal->left[1] - location->position[2]) * scale,
               .ex = (portal->right[0] - portal->left[0]) * scale,
               .ez = (portal->right[1] - portal->left[1]) * scale};
    s.width = nav_plane_length_f(s.ex, s.ez);
    s.inverse = s.width > 0.0f ? 1.0f / s.width : 0.0f;
    return s;
}

// No distance is more than an end's, plus the straight way from there.
static void narrow_high(const sight *s, const uint16_t *left, const uint16_t *right, float *high)
{
    const float away_left = nav_plane_length_f(s->x, s->z);
    const float x = s->x + s->ex, z = s->z + s->ez, away_right = nav_plane_length_f(x, z);
    for (uint32_t k = 0; k < NAV_LANDMARK_LANES; ++k) {
        const float most =
            nav_plane_lesser_f((float)left[k] + away_left, (float)right[k] + away_right);
        high[k] = nav_plane_lesser_f(most, high[k]);
    }
}

// No distance is less than an end's, minus the straight way to it.
static void narrow_low(const sight *s, const uint16_t *left, const uint16_t *right, float *low)
{
    const float away_left = nav_plane_length_f(s->x, s->z);
    const float x = s->x + s->ex, z = s->z + s->ez, away_right = nav_plane_length_f(x, z);
    for (uint32_t k = 0; k < NAV_LANDMARK_LANES; ++k) {
        const float least =
            nav_plane_greater_f((float)left[k] - away_left, (float)right[k] - away_right);
        low[k] = nav_plane_greater_f(least, low[k]);
    }
}

// A way from a landmark to a point comes into the point's polygon over one of its portals. There it
// is at least as long as each end's distance less the way along the portal to that end; this bound
// is least where both are equal, as in polyanya/expansion.h.
static void widen_low(const sight *s, const uint16_t *left, const uint16_t *right, float *low)
{
    for (uint32_t k = 0; k < NAV_LANDMARK_LANES; ++k) {
        const float at_left = (float)left[k], at_right = (float)right[k];
        const float middle = (at_left - at_right + s->width) * 0.5f;
        const float along = nav_plane_lesser_f(nav_plane_greater_f(middle, 0.0f), s->width);
        const float t = along * s->inverse;
        const float x = s->x + s->ex * t, z = s->z + s->ez * t;
        const float most = nav_plane_greater_f(at_left - along, at_right - (s->width - along));
        low[k] = nav_plane_lesser_f(most + nav_plane_length_f(x, z), low[k]);
    }
}

// The bounds between which a point's distances from all landmarks lie.
static interval enclose(const nav_mesh *mesh, const nav_location *location)
{
    const uint32_t end = mesh->portal_first[location->polygon + 1];
    const bool has_arcs = mesh->arc_count > 0; // over which one comes in as well
    interval out;
    for (uint32_t k = 0; k < mesh->landmark_count; ++k) {
        out.low[k] = has_arcs ? -INFINITY : INFINITY;
        out.high[k] = INFINITY;
    }
    for (uint32_t i = mesh->portal_first[location->polygon]; i < end; ++i) {
        const uint16_t *left = nav_landmarks_of(mesh, mesh->portal_turning_vertices[i][0]);
        const uint16_t *right = nav_landmarks_of(mesh, mesh->portal_turning_vertices[i][1]);
        const sight s = sight_of(&mesh->portals[i], location, mesh->landmark_unit);
        for (uint32_t k = 0; k < mesh->landmark_count; k += NAV_LANDMARK_LANES) {
            narrow_high(&s, left + k, right + k, out.high + k);
            if (has_arcs) {
                narrow_low(&s, left + k, right + k, out.low + k);
            } else {
                widen_low(&s, left + k, right + k, out.low + k);
            }
        }
    }
    return out;
}

// A number of units as steps, rounded down.
static int16_t steps_below(float units)
{
    const float steps = floorf(units / STEP_UNITS);
    return (int16_t)nav_plane_lesser_f(nav_plane_greater_f(steps, 0.0f), STEPS_MAX);
}

// The same, rounded up.
static int16_t steps_above(float units)
{
    const float steps = ceilf(units / STEP_UNITS);
    return (int16_t)nav_plane_lesser_f(nav_plane_greater_f(steps, 0.0f), STEPS_MAX);
}

static nav_alt_interval interval_of(const nav_mesh *mesh, const nav_location *location)
{
    const interval units = enclose(mesh, location);
    nav_alt_interval out;
    for (uint32_t k = 0; k < mesh->landmark_count; ++k) {
        // A turning vertex's distance in steps is rounded down by up to a unit.
        out.low[k] = steps_below(units.low[k] - NAV_LANDMARK_ROUNDING_UNITS - 1.0f);
        out.high[k] = steps_above(units.high[k] + NAV_LANDMARK_ROUNDING_UNITS);
    }
    return out;
}

// ---- over links that a state adds ----

static nav_location end_of_arc(const nav_view *view, uint32_t arc, bool start)
{
    const nav_arc *of = &view->links->arcs[arc];
    const nav_portal *portal = &view->links->portals[arc];
    nav_location out = {.polygon = start ? portal->from : portal->to};
    memcpy(out.position, start ? of->start : of->end, sizeof out.position);
    return out;
}

static bool has_portals(const nav_mesh *mesh, uint32_t polygon)
{
    return mesh->portal_first[polygon] < mesh->portal_first[polygon + 1];
}

// No way between two places without added links is shorter.
static float apart(const nav_alt_bound *bound, const nav_alt_interval *a, const nav_alt_interval *b)
{
    int32_t most = 0;
    for (uint32_t k = 0; k < bound->mesh->landmark_count; ++k) {
        const int32_t above = a->low[k] - b->high[k], below = b->low[k] - a->high[k];
        most = above > most ? above : most;
        most = below > most ? below : most;
    }
    return (float)most * bound->step;
}

// Links in their costs by length, as the landmarks count ground.
static bool add_vias(nav_alt_bound *bound, const nav_view *view)
{
    const nav_mesh *mesh = view->mesh;
    nav_alt_interval ends[NAV_ALT_VIAS_MAX];
    float costs[NAV_ALT_VIAS_MAX];
    bound->via_count = 0;
    for (uint32_t i = 0; i < view->links->arc_count; ++i) {
        const float cost = nav_arc_cost(view, &view->links->arcs[i]);
        const nav_location start = end_of_arc(view, i, true), end = end_of_arc(view, i, false);
        if (cost == INFINITY) {
            continue;
        }
        if (bound->via_count == NAV_ALT_VIAS_MAX || !has_portals(mesh, start.polygon) ||
            !has_portals(mesh, end.polygon)) {
            return false;
        }
        nav_alt_via *via = &bound->vias[bound->via_count];
        via->start = interval_of(mesh, &start);
        ends[bound->via_count] = interval_of(mesh, &end);
        costs[bound->via_count] = cost / view->costs->landmark_bound * (1.0f - REST_ROUNDING_RATIO);
        via->rest = costs[bound->via_count] + apart(bound, &ends[bound->via_count], &bound->goal);
        ++bound->via_count;
    }
    // From link to link: as often as there are links.
    bool changed = true;
    while (changed) {
        changed = false;
        for (uint32_t i = 0; i < bound->via_count; ++i) {
            for (uint32_t k = 0; k < bound->via_count; ++k) {
                const nav_alt_via *next = &bound->vias[k];
                const float on = costs[i] + apart(bound, &ends[i], &next->start) + next->rest;
                changed = changed || on < bound->vias[i].rest;
                bound->vias[i].rest = on < bound->vias[i].rest ? on : bound->vias[i].rest;
            }
        }
    }
    return true;
}

nav_alt_bound nav_alt_bound_make(const nav_view *view, const nav_location *goal)
{
    const nav_mesh *mesh = view->mesh;
    nav_alt_bound out;
    NAV_ASSERT(goal->polygon < mesh->stats.polygons);
    NAV_ASSERT(mesh->landmark_count <= NAV_LANDMARKS_MAX);
    out.mesh = NULL;
    // Over non-manifold edges distances hold for straight ways only.
    if (mesh->landmarks == NULL || !(mesh->landmark_unit > NAV_LANDMARK_UNIT_MIN) ||
        mesh->has_non_manifold_edges ||
        mesh->portal_first[goal->polygon] == mesh->portal_first[goal->polygon + 1]) {
        return out;
    }
    out.goal = interval_of(mesh, goal);
    out.mesh = mesh;
    out.step = mesh->landmark_unit * STEP_UNITS;
    out.via_count = 0;
    if (view->links != NULL && !add_vias(&out, view)) {
        out.mesh = NULL;
    }
    return out;
}

// ---- a guess ----

_Static_assert(NAV_ALT_GUESS_LANDMARKS == 2, "the best and the second are chosen");

typedef struct guess_interval {
    float low[NAV_ALT_GUESS_LANDMARKS], high[NAV_ALT_GUESS_LANDMARKS];
} guess_interval;

// The landmarks' row of a polygon's first portal; NULL where it has none.
static const uint16_t *row_of(const nav_mesh *mesh, uint32_t polygon)
{
    const uint32_t portal = mesh->portal_first[polygon];
    return portal < mesh->portal_first[polygon + 1]
               ? nav_landmarks_of(mesh, mesh->portal_turning_vertices[portal][0])
               : NULL;
}

// The two landmarks from which the ends differ most; among equals the first. There are no branches,
// since nothing could foretell them.
static void choose_landmarks(nav_alt_guess *g, uint32_t count, const uint16_t *from,
                             const uint16_t *to)
{
    uint32_t most = 0, second = 0;
    for (uint32_t k = 0; k < count; ++k) {
        const int32_t apart = (int32_t)from[k] - (int32_t)to[k];
        const uint32_t key = (uint32_t)(apart < 0 ? -apart : apart) * NAV_LANDMARKS_MAX +
                             (NAV_LANDMARKS_MAX - 1 - k);
        const uint32_t less = key < most ? key : most;
        most = key > most ? key : most;
        second = less > second ? less : second;
    }
    g->landmarks[0] = NAV_LANDMARKS_MAX - 1 - most % NAV_LANDMARKS_MAX;
    g->landmarks[1] = NAV_LANDMARKS_MAX - 1 - second % NAV_LANDMARKS_MAX;
}

// Narrows an interval by what is known of a turning vertex `away` units from the point.
static inline void narrow(guess_interval *at, const nav_alt_guess *g, const uint16_t *row,
                          float away)
{
    for (uint32_t i = 0; i < NAV_ALT_GUESS_LANDMARKS; ++i) {
        const float from = (float)row[g->landmarks[i]];
        at->low[i] = from - away > at->low[i] ? from - away : at->low[i];
        at->high[i] = from + away < at->high[i] ? from + away : at->high[i];
    }
}

static guess_interval guess_enclose(const nav_alt_guess *g, const nav_mesh *mesh, uint32_t polygon,
                                    const float position[3])
{
    guess_interval out = {{-INFINITY, -INFINITY}, {INFINITY, INFINITY}};
    const float units = 1.0f / g->unit, x = position[0], z = position[2];
    const uint32_t end = mesh->portal_first[polygon + 1];
    for (uint32_t p = mesh->portal_first[polygon]; p < end; ++p) {
        const nav_portal *portal = &mesh->portals[p];
        const float left_x = portal->left[0] - x, left_z = portal->left[1] - z;
        const float right_x = portal->right[0] - x, right_z = portal->right[1] - z;
        narrow(&out, g, nav_landmarks_of(mesh, mesh->portal_turning_vertices[p][0]),
               nav_plane_length_f(left_x, left_z) * units);
        narrow(&out, g, nav_landmarks_of(mesh, mesh->portal_turning_vertices[p][1]),
               nav_plane_length_f(right_x, right_z) * units);
    }
    return out;
}

nav_alt_guess nav_alt_guess_make(const nav_view *view, const nav_location *start,
                                 const nav_location *target)
{
    const nav_mesh *mesh = view->mesh;
    nav_alt_guess g = {0};
    NAV_ASSERT(start->polygon < nav_view_polygons(view));
    NAV_ASSERT(target->polygon < nav_view_polygons(view));
    NAV_ASSERT(mesh->landmarks == NULL || mesh->landmark_count % NAV_LANDMARK_LANES == 0);
    if (mesh->landmarks == NULL || view->links != NULL || !(mesh->landmark_unit > 0.0f) ||
        mesh->has_non_manifold_edges) {
        return g;
    }
    const uint32_t from_polygon = nav_view_base(view, start->polygon);
    const uint32_t to_polygon = nav_view_base(view, target->polygon);
    const uint16_t *from = row_of(mesh, from_polygon), *to = row_of(mesh, to_polygon);
    if (from == NULL || to == NULL) {
        return g;
    }
    g.has_landmarks = true;
    g.unit = mesh->landmark_unit;
    choose_landmarks(&g, mesh->landmark_count, from, to);
    const guess_interval a = guess_enclose(&g, mesh, from_polygon, start->position);
    const guess_interval b = guess_enclose(&g, mesh, to_polygon, target->position);
    float apart = 0.0f;
    for (uint32_t i = 0; i < NAV_ALT_GUESS_LANDMARKS; ++i) {
        g.goal[i] = (b.low[i] + b.high[i]) * 0.5f;
        apart = a.low[i] - b.high[i] > apart ? a.low[i] - b.high[i] : apart;
        apart = b.low[i] - a.high[i] > apart ? b.low[i] - a.high[i] : apart;
    }
    g.bound = apart > NAV_LANDMARK_ROUNDING_UNITS
                  ? (double)(apart - NAV_LANDMARK_ROUNDING_UNITS) * (double)g.unit
                  : 0.0;
    return g;
}
