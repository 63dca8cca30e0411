// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// thin.c: what outlines leave of a polygon without area. A bake makes such polygons
// where corners of an outline lie on one line; ways lead through them and along them.
//
//          .---.
//     a---/-----\-------b        An outline takes a stretch of it. If that is dear and not
//     [...|     |.......]        closed, it is a stretch of its own, over whose ends the others
//          '---'                 reach by as much as a portal needs.

#include "core/base/plane.h"
#include "core/query/obstacles/cut.h"

#include <math.h>
#include <string.h>

// The longest edge, which all of the polygon lies along.
typedef struct line {
    double from[2], along[2]; // a unit
    double length;
} line;

typedef struct stretch {
    double from, to; // along the line
    nav_ground_cost cost;
} stretch;

typedef struct stretches {
    stretch *list;
    uint32_t count, capacity;
} stretches;

static line longest_edge(const nav_convex *convex)
{
    line best = {.length = 0.0};
    NAV_DCHECK(convex->count >= 3);
    for (uint32_t i = 0; i < convex->count; ++i) {
        const double *a = convex->corners[i], *b = convex->corners[(i + 1) % convex->count];
        const double ex = b[0] - a[0], ez = b[1] - a[1];
        const double length = nav_plane_length(ex, ez);
        if (length > best.length) {
            best = (line){{a[0], a[1]}, {ex / length, ez / length}, length};
        }
    }
    return best;
}

static void point_on(const line *l, double along, double out[2])
{
    out[0] = l->from[0] + l->along[0] * along;
    out[1] = l->from[1] + l->along[1] * along;
}

// The part of a stretch inside of an outline; false where none is longer than nothing.
static bool find_inside(const line *l, const stretch *whole, const nav_outline *outline,
                        stretch *out)
{
    double ends[2] = {whole->from, whole->to};
    if (!nav_plane_clip((const double(*)[2])outline->points, outline->count, l->from, l->along,
                        ends)) {
        return false;
    }
    *out = (stretch){ends[0], ends[1], whole->cost};
    return true;
}

static void add(stretches *s, double from, double to, nav_ground_cost cost,
                nav_overlay_budget *budget)
{
    if (to - from < NAV_FRAGMENT_PORTAL_MIN) {
        return;
    }
    s->list = nav_overlay_grow(budget, s->list, s->count, &s->capacity, sizeof *s->list);
    if (!budget->failed) {
        s->list[s->count++] = (stretch){from, to, cost};
    }
}

// Takes what is inside out of a stretch. How far the rest reaches into what stays open: a portal's
// length, and what rounding to floats takes of it.
static void split_stretch(stretches *s, const line *l, stretch whole, stretch inside,
                          const nav_outline *outline, nav_overlay_budget *budget)
{
    const bool open = outline->cost < INFINITY;
    NAV_DCHECK(whole.from <= inside.from);
    NAV_DCHECK(inside.from < inside.to);
    NAV_DCHECK(inside.to <= whole.to);
    const double tolerance =
        nav_overlay_tolerance(l->from[0], l->from[1]) + NAV_FRAGMENT_TOLERANCE_RATIO * l->length;
    const double reach =
        open ? fmin(NAV_FRAGMENT_PORTAL_MIN + 2.0 * tolerance, inside.to - inside.from) : 0.0;
    if (inside.from > whole.from) {
        add(s, whole.from, inside.from + reach, whole.cost, budget);
    }
    if (open) {
        add(s, inside.from, inside.to, nav_overlay_multiply(whole.cost, outline), budget);
    }
    if (inside.to < whole.to) {
        add(s, inside.to - reach, whole.to, whole.cost, budget);
    }
}

// Cuts all stretches by one outline: new ones are put behind the old ones, which they then take the
// place of. False where it meets none.
static bool cut_stretches(const line *l, const nav_outline *outline, nav_overlay_budget *budget,
                          stretches *s)
{
    const uint32_t end = s->count;
    uint32_t kept = 0;
    nav_overlay_spend(budget, (uint64_t)end * outline->count);
    for (uint32_t i = 0; i < end && !budget->failed; ++i) {
        const stretch whole = s->list[i];
        stretch inside;
        if (!find_inside(l, &whole, outline, &inside) ||
            (outline->cost < INFINITY && inside.to - inside.from < NAV_FRAGMENT_PORTAL_MIN)) {
            s->list[kept++] = whole;
        } else {
            split_stretch(s, l, whole, inside, outline, budget);
        }
    }
    if (budget->failed || kept == end) {
        return false;
    }
    memmove(s->list + kept, s->list + end, (s->count - end) * sizeof *s->list);
    s->count = kept + (s->count - end);
    return true;
}

static void add_convex(const line *l, const nav_convex *whole, const stretch *s,
                       nav_overlay_budget *budget, nav_convex_list *out)
{
    nav_convex convex = {.count = 3, .base = whole->base, .cost = s->cost, .thin = true};
    convex.corners = nav_overlay_alloc(budget, convex.count, sizeof *convex.corners);
    convex.lines = nav_overlay_alloc(budget, convex.count, sizeof *convex.lines);
    out->convexes =
        nav_overlay_grow(budget, out->convexes, out->count, &out->capacity, sizeof *out->convexes);
    if (budget->failed) {
        return;
    }
    for (uint32_t i = 0; i < convex.count; ++i) {
        convex.lines[i] = whole->lines[0];
    }
    point_on(l, s->from, convex.corners[0]);
    point_on(l, s->to, convex.corners[1]);
    point_on(l, (s->from + s->to) / 2.0, convex.corners[2]);
    nav_convex_measure(&convex);
    out->convexes[out->count++] = convex;
}

bool nav_ground_cut_thin(const nav_outline *outlines, const nav_touch *touches,
                         uint32_t touch_count, const nav_convex *whole, nav_overlay_budget *budget,
                         nav_convex_list *out)
{
    const line l = longest_edge(whole);
    stretches s = {0};
    bool has_cut = false;
    add(&s, 0.0, l.length, (nav_ground_cost){.factor = 1.0f}, budget);
    for (uint32_t i = 0; i < touch_count && !budget->failed; ++i) {
        const nav_outline *outline = &outlines[touches[i].outline];
        has_cut = cut_stretches(&l, outline, budget, &s) || has_cut;
    }
    for (uint32_t i = 0; has_cut && i < s.count && !budget->failed; ++i) {
        add_convex(&l, whole, &s.list[i], budget, out);
    }
    return has_cut;
}
