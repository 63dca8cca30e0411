// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// straight.c: a straight walk over the mesh, polygon by polygon.
//
//        +-------+--------+        The line leaves a convex polygon over the edge that it
//        |  s----|---->---|--- e   crosses outwards. A portal whose ends lie on both sides of
//        +-------+--------+        the line leads on. If there is none, the line meets a
//                                  wall or grazes one.
//
// All in plan view and in double precision. On which side of the line a position lies is a function
// of the position alone, so that polygons agree on it. No step but the one at a wall is tolerant:
//
//      s--.__  |wall|              Both ends of a line are rounded, so that a line from corner to
//            `-+----+--.__ e       corner may cut one by a little. The walk goes on wherever ground
//                                  that hangs together leads on within NAV_PLAN_TOLERANCE beside
//                                  the line. That is a flood over the portals that are so near to
//                                  it.
//
//    +---+-------a----+            So near to it there may be two grounds with a slit between them
//    | s-|------------+----- e     that hang together behind the walk only. It went over a, but b
//    +---+-------b---------+       leads on: the flood goes back along the line, too.

#include "core/base/plane.h"
#include "core/query/points/points.h"
#include "core/query/surface/surface.h"
#include "core/query/view/scratch.h"

#include <math.h>
#include <string.h>

// Polygons around its beginning that a line may begin in.
#define BEGINNINGS_MAX 16u
// How many portals in a row the walk may cross without getting on: those around one corner. Two
// rounded fragments could send it to and fro.
#define STANDSTILL_MAX 64u

typedef struct line {
    double x, z, dx, dz;
    double length;
    double near; // how far beside it ground counts
} line;

typedef struct walk {
    const nav_view *view;
    nav_scratch *scratch;
    const nav_location *start;
    const float *end;
    line l;
    double t; // so far
    double cost;
    uint32_t polygon;
    uint32_t standstill; // portals since the walk got on
    nav_trail *trail;    // or NULL
} walk;

// Positive to the left of the line, times its length; left ends of portals that it crosses outwards
// have more of it than right ones.
static double left_of(const line *l, double x, double z)
{
    return nav_plane_cross(x - l->x, z - l->z, l->dx, l->dz);
}

// How far along the line a position lies, 0 at its start and 1 at its end.
static double along(const line *l, double x, double z)
{
    return nav_plane_dot(x - l->x, z - l->z, l->dx, l->dz) / (l->length * l->length);
}

// ---- from polygon to polygon ----

// The portal over which the line leaves into an open polygon, and at which t; NAV_NONE: over none.
static uint32_t find_next(const walk *w, const nav_face *face, double *t)
{
    const line *l = &w->l;
    for (uint32_t i = 0; i < face->portal_count; ++i) {
        const nav_portal *portal = &face->portals[i];
        const double rx = (double)portal->right[0], rz = (double)portal->right[1];
        const double lx = (double)portal->left[0], lz = (double)portal->left[1];
        const double right = left_of(l, rx, rz), left = left_of(l, lx, lz);
        if (right > 0.0 || left < 0.0 || right == left) {
            continue;
        }
        const double ratio = right / (right - left);
        NAV_DCHECK(ratio >= 0.0);
        NAV_DCHECK(ratio <= 1.0);
        const double at = along(l, nav_plane_mix(rx, lx, ratio), nav_plane_mix(rz, lz, ratio));
        // A line that begins beside its polygon may have crossed it before it began.
        if ((at - w->t) * l->length >= -l->near &&
            nav_polygon_cost(w->view, portal->to) < INFINITY) {
            *t = at;
            return i;
        }
    }
    return NAV_NONE;
}

static void go_to(walk *w, double t)
{
    NAV_DCHECK(nav_polygon_cost(w->view, w->polygon) < INFINITY);
    ++w->standstill;
    if (t > w->t) {
        w->cost += (t - w->t) * w->l.length * (double)nav_polygon_cost(w->view, w->polygon);
        w->t = t;
        w->standstill = 0;
    }
}

static float x_at(const walk *w)
{
    return (float)(w->l.x + w->l.dx * w->t);
}

static float z_at(const walk *w)
{
    return (float)(w->l.z + w->l.dz * w->t);
}

static void note_portal(const walk *w, uint32_t portal)
{
    nav_trail *trail = w->trail;
    if (trail == NULL) {
        return;
    }
    if (trail->count == trail->capacity) {
        trail->broken = true;
        return;
    }
    trail->portals[trail->count] = portal;
    trail->crossings[trail->count][0] = x_at(w);
    trail->crossings[trail->count][1] = z_at(w);
    ++trail->count;
}

// The part of the line that lies over a polygon: none where from > to.
typedef struct stretch {
    double from, to;
    uint32_t corner; // behind which the edge begins over which it leaves
} stretch;

static void plan_edge(const nav_view *view, const nav_face *face, uint32_t corner, double a[2],
                      double e[2])
{
    NAV_DCHECK(corner < face->corner_count);
    const float *from = nav_view_vertex_xz(view, face->corners[corner]);
    const float *to = nav_view_vertex_xz(view, face->corners[(corner + 1) % face->corner_count]);
    a[0] = (double)from[0];
    a[1] = (double)from[2];
    e[0] = (double)to[0] - a[0];
    e[1] = (double)to[2] - a[1];
}

static stretch stretch_over(const nav_view *view, const nav_face *face, const line *l)
{
    stretch over = {.from = -HUGE_VAL, .to = HUGE_VAL};
    for (uint32_t i = 0; i < face->corner_count; ++i) {
        double a[2], e[2];
        plan_edge(view, face, i, a, e);
        const double outward = nav_plane_cross(e[0], e[1], l->dx, l->dz);
        // How far inside the line begins, times the edge's length.
        const double inside = nav_plane_cross(l->x - a[0], l->z - a[1], e[0], e[1]);
        if (outward > 0.0 && inside / outward < over.to) {
            over.to = inside / outward;
            over.corner = i;
        } else if (outward < 0.0) {
            over.from = fmax(over.from, inside / outward);
        } else if (outward == 0.0 && inside < 0.0) {
            over.from = HUGE_VAL;
        }
    }
    return over;
}

// ---- along what the line grazes ----

// Whether a portal comes near the line.
static bool is_beside(const line *l, const nav_portal *portal)
{
    const double rx = (double)portal->right[0], rz = (double)portal->right[1];
    const double lx = (double)portal->left[0], lz = (double)portal->left[1];
    const double right = left_of(l, rx, rz), left = left_of(l, lx, lz);
    const double strip = l->near * l->length;
    if ((right > strip && left > strip) || (right < -strip && left < -strip)) {
        return false;
    }
    // The part of the portal that lies in the strip beside the line.
    double from = 0.0, to = 1.0;
    if (right != left) {
        const double one = (-strip - right) / (left - right);
        const double other = (strip - right) / (left - right);
        from = fmax(from, fmin(one, other));
        to = fmin(to, fmax(one, other));
    }
    const double first = along(l, nav_plane_mix(rx, lx, from), nav_plane_mix(rz, lz, from));
    const double last = along(l, nav_plane_mix(rx, lx, to), nav_plane_mix(rz, lz, to));
    const double slack = l->near / l->length;
    return fmax(first, last) >= -slack && fmin(first, last) <= 1.0 + slack;
}

// Whether a portal over which the line might leave the polygon comes near it.
static bool is_beside_any(const line *l, const nav_face *face)
{
    for (uint32_t i = 0; i < face->portal_count; ++i) {
        const nav_portal *portal = &face->portals[i];
        const double right = left_of(l, (double)portal->right[0], (double)portal->right[1]);
        const double left = left_of(l, (double)portal->left[0], (double)portal->left[1]);
        if (left >= right && is_beside(l, portal)) {
            return true;
        }
    }
    return false;
}

// Whether the end lies so near to a polygon.
static bool is_end_beside(const walk *w, uint32_t polygon)
{
    float x = w->end[0], z = w->end[2];
    return sqrt((double)nav_view_clamp(w->view, polygon, &x, &z)) <= w->l.near;
}

static void spread_beside(const walk *w, nav_spread *spread, uint32_t polygon)
{
    const nav_face face = nav_view_face(w->view, polygon);
    for (uint32_t i = 0; i < face.portal_count; ++i) {
        if (is_beside(&w->l, &face.portals[i])) {
            nav_spread_enter(spread, face.portals[i].to);
        }
    }
}

// Polygons may only touch each other where the line begins: it may begin in any of them.
static void spread_around_start(const walk *w, nav_spread *spread)
{
    const float climb = w->view->mesh->agent_max_climb;
    const nav_options options = {.snap = {(float)w->l.near, climb, climb}};
    nav_location locations[BEGINNINGS_MAX];
    const uint32_t count = nav_view_nearest(w->view, &options, w->start->position,
                                            nav_view_reach(w->view), locations, BEGINNINGS_MAX);
    NAV_ASSERT(count <= BEGINNINGS_MAX);
    for (uint32_t i = 0; i < count; ++i) {
        nav_spread_enter(spread, locations[i].polygon);
    }
}

typedef enum graze {
    GRAZE_ON,      // the line leads on over w->polygon
    GRAZE_ARRIVED, // w->polygon is where it ends
    GRAZE_STOPPED,
    GRAZE_FAILED // no memory, or the question is cancelled
} graze;

// Goes on beside the line from where it leaves w->polygon at w->t. The flood holds all that was
// looked at.
static graze graze_on(walk *w, nav_spread *spread)
{
    const float center[2] = {0.0f, 0.0f};
    bool start_is_done = false;
    uint32_t arrived = NAV_NONE;
    if (!nav_scratch_begin(w->scratch, w->view) ||
        !nav_spread_begin(spread, w->view, w->scratch, w->polygon, center)) {
        return GRAZE_FAILED;
    }
    for (;;) {
        const uint32_t polygon = nav_spread_next(spread);
        if (polygon == NAV_NONE && !start_is_done && arrived == NAV_NONE) {
            start_is_done = true;
            spread_around_start(w, spread);
            continue;
        }
        if (polygon == NAV_NONE) {
            break;
        }
        const nav_face face = nav_view_face(w->view, polygon);
        const stretch over = stretch_over(w->view, &face, &w->l);
        if (over.from <= over.to && over.to > w->t && over.from <= 1.0) {
            w->polygon = polygon;
            return GRAZE_ON;
        }
        arrived = arrived == NAV_NONE && is_end_beside(w, polygon) ? polygon : arrived;
        spread_beside(w, spread, polygon);
    }
    w->polygon = arrived != NAV_NONE ? arrived : w->polygon;
    return w->scratch->cancel.cancelled ? GRAZE_FAILED
           : arrived != NAV_NONE        ? GRAZE_ARRIVED
                                        : GRAZE_STOPPED;
}

// ---- what stops it ----

static void set_normal(double ex, double ez, float out[3])
{
    const double length = nav_plane_length(ex, ez);
    out[0] = (float)(ez / length);
    out[1] = 0.0f;
    out[2] = (float)(-ex / length);
}

// The wall near the position where the line ends that it meets most squarely.
typedef struct obstacle {
    const line *l;
    double x, z;
    double squarely; // the sine of the angle; 0: none yet
    double ex, ez;
} obstacle;

static void meet_wall(void *user, const float a[3], const float b[3])
{
    obstacle *o = user;
    const double ex = (double)b[0] - (double)a[0], ez = (double)b[2] - (double)a[2];
    const double px = o->x - (double)a[0], pz = o->z - (double)a[2];
    const double ratio = nav_plane_closest(ex, ez, px, pz);
    const double off_x = px - ex * ratio, off_z = pz - ez * ratio;
    const double squarely = nav_plane_cross(ex, ez, o->l->dx, o->l->dz) / nav_plane_length(ex, ez);
    if (squarely > o->squarely && off_x * off_x + off_z * off_z <= o->l->near * o->l->near) {
        o->squarely = squarely;
        o->ex = ex;
        o->ez = ez;
    }
}

// The line ends in the first of these polygons that has the wall.
static void stop_at_wall(walk *w, const nav_spread *spread, const stretch *over, nav_ray *out)
{
    obstacle o = {.l = &w->l,
                  .x = nav_plane_mix(0.0, w->l.dx, w->t) + w->l.x,
                  .z = nav_plane_mix(0.0, w->l.dz, w->t) + w->l.z};
    const uint32_t left = w->polygon;
    NAV_ASSERT(spread->count > 0);
    NAV_ASSERT(spread->count <= w->scratch->flood.capacity);
    for (uint32_t i = 0; i < spread->count; ++i) {
        const double before = o.squarely;
        nav_view_walls(w->view, w->scratch->flood.queue[i], meet_wall, &o);
        w->polygon = o.squarely > before ? w->scratch->flood.queue[i] : w->polygon;
    }
    if (o.squarely == 0.0) {
        const nav_face face = nav_view_face(w->view, left);
        double a[2], e[2];
        plan_edge(w->view, &face, over->corner, a, e);
        o.ex = e[0];
        o.ez = e[1];
    }
    set_normal(o.ex, o.ez, out->normal);
}

// ---- the walk ----

static void take_tolerance(line *l, double t)
{
    l->near = nav_plan_tolerance(l->x + l->dx * t, l->z + l->dz * t);
}

// Whether the edge over which the line leaves reaches over all that counts as beside the line.
static bool is_across(const walk *w, const nav_face *face, const stretch *over)
{
    const double strip = w->l.near * w->l.length;
    double a[2], e[2];
    plan_edge(w->view, face, over->corner, a, e);
    return left_of(&w->l, a[0], a[1]) < -strip && left_of(&w->l, a[0] + e[0], a[1] + e[1]) > strip;
}

// Whether the line meets a wall all across, far from its own ends and from any portal that leads
// on: then no ground beside the line leads around the wall.
static bool stops_plainly(const walk *w, const nav_face *face, const stretch *over)
{
    const double begun = (w->t - fmax(over->from, 0.0)) * w->l.length;
    return over->from <= over->to && begun > w->l.near && is_across(w, face, over) &&
           !is_beside_any(&w->l, face) && !is_end_beside(w, w->polygon);
}

// Goes on where the line leaves w->polygon over no portal.
static graze leave(walk *w, const nav_face *face, const stretch *over, nav_ray *out)
{
    nav_spread spread = {.count = 0};
    if (over->from <= over->to) {
        go_to(w, over->to);
    }
    take_tolerance(&w->l, w->t);
    if (stops_plainly(w, face, over)) {
        double a[2], e[2];
        plan_edge(w->view, face, over->corner, a, e);
        set_normal(e[0], e[1], out->normal);
        return GRAZE_STOPPED;
    }
    const graze result = graze_on(w, &spread);
    if (result == GRAZE_STOPPED) {
        stop_at_wall(w, &spread, over, out);
    } else if (result != GRAZE_FAILED && w->trail != NULL) {
        nav_spread_trail(&spread, w->polygon, x_at(w), z_at(w), w->trail);
    }
    return result;
}

// Whether the walk ends on w->polygon, at the line's end, or else why it ends.
static graze walk_on(walk *w, nav_ray *out)
{
    for (;;) {
        const nav_face face = nav_view_face(w->view, w->polygon);
        double t = 0.0;
        const uint32_t next = w->standstill < STANDSTILL_MAX ? find_next(w, &face, &t) : NAV_NONE;
        if (next != NAV_NONE && t < 1.0) {
            go_to(w, t);
            note_portal(w, face.portal_first + next);
            w->polygon = face.portals[next].to;
            continue;
        }
        const stretch over =
            next == NAV_NONE ? stretch_over(w->view, &face, &w->l) : (stretch){.to = t};
        if (over.from <= over.to && over.to >= 1.0) {
            return GRAZE_ON;
        }
        const graze result = leave(w, &face, &over, out);
        if (result != GRAZE_ON) {
            return result;
        }
    }
}

bool nav_view_raycast(const nav_view *view, nav_scratch *scratch, const nav_location *start,
                      const float end[3], nav_trail *trail, nav_ray *out)
{
    walk w = {.view = view,
              .scratch = scratch,
              .trail = trail,
              .start = start,
              .end = end,
              .l = {.x = (double)start->position[0],
                    .z = (double)start->position[2],
                    .dx = (double)end[0] - (double)start->position[0],
                    .dz = (double)end[2] - (double)start->position[2]},
              .polygon = start->polygon};
    w.l.length = nav_plane_length(w.l.dx, w.l.dz);
    take_tolerance(&w.l, 0.0);
    *out = (nav_ray){.found = true};
    memcpy(out->start, start->position, sizeof out->start);
    const graze result = w.l.length > 0.0 ? walk_on(&w, out) : GRAZE_ON;
    if (result == GRAZE_FAILED) {
        return false;
    }
    out->hit = result == GRAZE_STOPPED;
    if (!out->hit) {
        go_to(&w, 1.0);
    }
    NAV_ASSERT(w.t >= 0.0);
    NAV_ASSERT(w.t <= 1.0);
    NAV_ASSERT(w.cost >= 0.0);
    out->t = (float)w.t;
    out->cost = w.cost;
    out->polygon = w.polygon;
    out->position[0] = out->hit ? x_at(&w) : end[0];
    out->position[2] = out->hit ? z_at(&w) : end[2];
    if (result == GRAZE_ARRIVED) {
        (void)nav_view_clamp(view, w.polygon, &out->position[0], &out->position[2]);
    }
    out->position[1] = nav_view_height(view, w.polygon, out->position[0], out->position[2]);
    return true;
}
