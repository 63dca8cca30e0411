// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// query_raycast.c: a straight walk over the mesh, polygon by polygon.
//
//        +-------+--------+        The line leaves a convex polygon over the edge whose outer side
//        it |  s----|---->---|--- e   comes to first. If a portal to open ground lies where it
//        does, the
//        +-------+--------+        walk goes on behind it, else that is the hit.
//
// All in plan view and in double precision. A line through a corner leaves over several edges at
// once: any polygon around that corner may be the one that it goes on in, so those that it does not
// get on in are passed through, each once. One that begins on a corner may have to be followed
// around it over portals that it does not cross: at the corner of a wall, by three quarters of a
// turn and more.

#include "plane.h"
#include "query.h"

#include <math.h>
#include <string.h>

// Two places along the line closer together than this part of it are one: a corner.
#define SAME_PLACE 1e-9
// How far beside an edge a line may begin and run. Less than a grain, so that portals are found
// from there.
#define SLIDE_GRAINS 0.5
// How near an edge lies on which a line begins.
#define BEGIN_GRAINS 2.0
// How far beside its place the end of an edge may be rounded. A line that crosses the edge at a
// flat angle does so farther along it, by so many grains at most.
#define END_GRAINS 0.125
#define FLAT_GRAINS 3.0
// Polygons that meet in one corner.
#define CORNER_POLYGONS_MAX 64

typedef struct line {
    double x, z, dx, dz;
    double length;
} line;

// Two floats that mean one place lie no farther apart than this.
static double grain_at(double x, double z)
{
    return 2e-6 + 2e-7 * (fabs(x) + fabs(z));
}

// Where the line crosses the line through a and b, going out to the right of a -> b; HUGE_VAL where
// it does not go out. A place snapped to an edge may lie a float's step beside it, and so may where
// one goes to: who begins on an edge and walks along it slides, as far as that allows.
static double crossing(const line *l, const float a[2], const float b[2])
{
    const double ex = (double)b[0] - (double)a[0], ez = (double)b[1] - (double)a[1];
    const double outward = ex * l->dz - ez * l->dx;
    if (!(outward > 0.0)) {
        return HUGE_VAL;
    }
    // How far inside the line begins, times the edge's length.
    const double inside = ez * (l->x - (double)a[0]) - ex * (l->z - (double)a[1]);
    const double slack = SLIDE_GRAINS * grain_at(l->x, l->z) * sqrt(ex * ex + ez * ez);
    return (fabs(inside) < slack ? inside + slack : inside) / outward;
}

// Whether the line runs along the edge through a and b: neither end is farther beside it than
// rounding may put it. Where it comes from may be far away, and the edge short: then what is
// rounded at its ends says nothing of which side the line comes from.
static bool runs_along(const line *l, const float a[2], const float b[2])
{
    const double off_a = ((double)a[0] - l->x) * l->dz - ((double)a[1] - l->z) * l->dx;
    const double off_b = ((double)b[0] - l->x) * l->dz - ((double)b[1] - l->z) * l->dx;
    const double near = END_GRAINS * grain_at((double)a[0], (double)a[1]) * l->length;
    return fabs(off_a) <= near && fabs(off_b) <= near;
}

// How many grains along an edge a line crosses it somewhere, by the cross product of the two: half
// a grain beside it, and the farther along the flatter it crosses.
static double flatness(const line *l, double length, double outward)
{
    const double grains = END_GRAINS * length * l->length;
    return grains < outward ? 1.0
           : outward > 0.0  ? fmin(grains / outward, FLAT_GRAINS)
                            : FLAT_GRAINS;
}

typedef struct exit_edge {
    double t;
    uint32_t corner;
    double grains; // within which of it the place lies
} exit_edge;

static void plan_of(const nav_view *view, uint32_t vertex, float out[2])
{
    const float *at = nav_view_vertex(view, vertex);
    out[0] = at[0];
    out[1] = at[2];
}

// Edges that the line runs along are left out, unless it leaves over no other: a needle.
static exit_edge find_exit_among(const nav_view *view, const nav_face *face, const line *l,
                                 bool needle)
{
    exit_edge best = {.t = HUGE_VAL};
    for (uint32_t i = 0; i < face->corner_count; ++i) {
        float a[2];
        float b[2];
        plan_of(view, face->corners[i], a);
        plan_of(view, face->corners[(i + 1) % face->corner_count], b);
        const double t = crossing(l, a, b);
        if (t < best.t && (needle || !runs_along(l, a, b))) {
            best = (exit_edge){.t = t, .corner = i};
        }
    }
    return best;
}

static exit_edge find_exit(const nav_view *view, const nav_face *face, const line *l)
{
    exit_edge best = find_exit_among(view, face, l, false);
    if (best.t == HUGE_VAL) {
        best = find_exit_among(view, face, l, true);
    }
    if (best.t < HUGE_VAL) {
        float a[2];
        float b[2];
        plan_of(view, face->corners[best.corner], a);
        plan_of(view, face->corners[(best.corner + 1) % face->corner_count], b);
        const double ex = (double)b[0] - (double)a[0], ez = (double)b[1] - (double)a[1];
        best.grains = flatness(l, sqrt(ex * ex + ez * ez), ex * l->dz - ez * l->dx);
    }
    return best;
}

// Whether a place of the line, at t, lies on a portal, to within some grains.
static bool lies_on(const nav_portal *portal, const line *l, double t, double grains)
{
    const double ex = (double)portal->left[0] - (double)portal->right[0];
    const double ez = (double)portal->left[1] - (double)portal->right[1];
    const double x = l->x + l->dx * t, z = l->z + l->dz * t;
    const double px = x - (double)portal->right[0], pz = z - (double)portal->right[1];
    const double along = nav_plane_closest(ex, ez, px, pz);
    const double off_x = px - ex * along, off_z = pz - ez * along;
    const double near = grain_at(x, z) * grains;
    return (ex != 0.0 || ez != 0.0) && off_x * off_x + off_z * off_z <= near * near;
}

// Whether the line, which leaves at t to within some grains, does so over a portal: outwards, and
// where the portal is.
static bool leaves_over(const nav_portal *portal, const line *l, double t, double grains)
{
    const double ex = (double)portal->left[0] - (double)portal->right[0];
    const double ez = (double)portal->left[1] - (double)portal->right[1];
    const double outward = ex * l->dz - ez * l->dx;
    return outward > 0.0 &&
           lies_on(portal, l, t, fmax(grains, flatness(l, sqrt(ex * ex + ez * ez), outward)));
}

typedef struct walk {
    const nav_view *view;
    line l;
    double t; // so far
    double cost;
    uint32_t polygon;
    uint32_t reached; // the polygon that brought it so far
    bool begins;      // it has left no polygon yet but over edges that it began on
    // Polygons that have been entered where the line is now.
    uint32_t entered[CORNER_POLYGONS_MAX];
    uint32_t entered_count;
} walk;

static bool was_entered(const walk *w, uint32_t polygon)
{
    for (uint32_t i = 0; i < w->entered_count; ++i) {
        if (w->entered[i] == polygon) {
            return true;
        }
    }
    return w->entered_count == CORNER_POLYGONS_MAX;
}

// An open polygon behind the place where the line is now, next to one of those that have been
// entered there, or NAV_NONE.
static uint32_t find_next(const walk *w, const exit_edge *leaving)
{
    for (uint32_t k = w->entered_count; k-- > 0;) {
        const nav_face face = nav_view_face(w->view, w->entered[k]);
        for (uint32_t i = 0; i < face.portal_count; ++i) {
            const nav_portal *portal = &face.portals[i];
            if ((leaves_over(portal, &w->l, leaving->t, leaving->grains) ||
                 (w->begins && lies_on(portal, &w->l, 0.0, BEGIN_GRAINS))) &&
                nav_polygon_cost(w->view, portal->to) < INFINITY && !was_entered(w, portal->to)) {
                return portal->to;
            }
        }
    }
    return NAV_NONE;
}

static void go_to(walk *w, double t)
{
    if (t > w->t) {
        w->reached = w->polygon;
        w->cost += (t - w->t) * w->l.length * (double)nav_polygon_cost(w->view, w->polygon);
        if (t - w->t > SAME_PLACE * (1.0 + t)) {
            w->entered_count = 0;
            w->entered[w->entered_count++] = w->polygon;
        }
        w->t = t;
    }
}

static bool begins_on(const walk *w, const nav_face *face, uint32_t corner)
{
    float a[2];
    float b[2];
    plan_of(w->view, face->corners[corner], a);
    plan_of(w->view, face->corners[(corner + 1) % face->corner_count], b);
    const double ex = (double)b[0] - (double)a[0], ez = (double)b[1] - (double)a[1];
    const double px = w->l.x - (double)a[0], pz = w->l.z - (double)a[1];
    const double along = nav_plane_closest(ex, ez, px, pz);
    const double off_x = px - ex * along, off_z = pz - ez * along;
    const double near = BEGIN_GRAINS * grain_at(w->l.x, w->l.z);
    return off_x * off_x + off_z * off_z <= near * near;
}

static void set_normal(const walk *w, const nav_face *face, uint32_t corner, float out[3])
{
    float a[2];
    float b[2];
    plan_of(w->view, face->corners[corner], a);
    plan_of(w->view, face->corners[(corner + 1) % face->corner_count], b);
    const double ex = (double)b[0] - (double)a[0], ez = (double)b[1] - (double)a[1];
    const double length = sqrt(ex * ex + ez * ez);
    out[0] = (float)(ez / length);
    out[1] = 0.0f;
    out[2] = (float)(-ex / length);
}

void nav_view_raycast(const nav_view *view, const nav_location *start, const float end[3],
                      nav_ray *out)
{
    walk w = {.view = view,
              .l = {.x = (double)start->position[0],
                    .z = (double)start->position[2],
                    .dx = (double)end[0] - (double)start->position[0],
                    .dz = (double)end[2] - (double)start->position[2]},
              .polygon = start->polygon,
              .reached = start->polygon,
              .begins = true,
              .entered = {start->polygon},
              .entered_count = 1};
    w.l.length = sqrt(w.l.dx * w.l.dx + w.l.dz * w.l.dz);
    *out = (nav_ray){.found = true};
    memcpy(out->start, start->position, sizeof out->start);
    for (;;) {
        const nav_face face = nav_view_face(view, w.polygon);
        const exit_edge leaving = find_exit(view, &face, &w.l);
        if (leaving.t >= 1.0) {
            go_to(&w, 1.0);
            break;
        }
        go_to(&w, leaving.t);
        w.begins = w.begins && begins_on(&w, &face, leaving.corner);
        const uint32_t next = find_next(&w, &leaving);
        if (next == NAV_NONE) {
            out->hit = true;
            set_normal(&w, &face, leaving.corner, out->normal);
            // Of the polygons around its beginning it may have slid along the edge of another.
            w.polygon = w.begins ? w.reached : w.polygon;
            break;
        }
        w.polygon = next;
        w.entered[w.entered_count++] = next;
    }
    if (out->hit && w.t * w.l.length <= grain_at(w.l.x, w.l.z)) {
        // Off an edge that it stood on.
        w.t = 0.0;
        w.cost = 0.0;
    }
    out->t = (float)w.t;
    out->cost = w.cost;
    out->polygon = w.polygon;
    out->position[0] = (float)(w.l.x + w.l.dx * w.t);
    out->position[2] = (float)(w.l.z + w.l.dz * w.t);
    out->position[1] = nav_view_height(view, w.polygon, out->position[0], out->position[2]);
}

nav_status nav_query_raycast(const nav_mesh *mesh, nav_scratch *scratch, const float start[3],
                             const float end[3], const nav_options *options, nav_ray *out)
{
    nav_view view;
    nav_location place;
    if (!nav_view_begin(mesh, scratch, options, &view)) {
        return nav_scratch_failure(scratch);
    }
    if (isfinite(end[0]) && isfinite(end[2]) && nav_view_snap(&view, options, start, &place)) {
        nav_view_raycast(&view, &place, end, out);
        out->polygon = nav_view_base(&view, out->polygon);
    } else {
        *out = (nav_ray){.found = false};
    }
    return NAV_OK;
}
