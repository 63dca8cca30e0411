// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// turning_vertices.c: the positions around which a shortest path may turn.
//
//     \  wall  /            A turning vertex is an end of portals. Ends are one turning vertex
//     where the ground hangs
//      \      /             together around it: two rooms that only touch in a corner have two. A
//       .----x - - portal   path may turn where the ground around the turning vertex ends at walls
//       and takes |    |              up more than half a turn; everywhere else a straight line is
//       shorter. |  portal
//
// If two storeys end on one edge of a third polygon, ground branches like a folded sheet: a way
// from one storey to the other may touch the edge anywhere and go back. Portals over such an edge
// are marked as non-manifold edges; a search that keeps to straight lines cannot speak for what is
// behind them. So are portals around a position where ground comes round after more than one turn,
// or, beside a wall, at all.
//
// "More than half a turn" is found by multiplying the corners' angles as complex numbers, so that
// no library's arc tangent decides. Half a turn itself counts as more: that costs a little time
// where a wall is straight, and a path nowhere.

#include "core/base/tolerances.h"
#include "core/base/plane.h"
#include "core/mesh/steps.h"

#include <math.h>
#include <string.h>

// Angles are directions of lengths up to the square of the longest edge; twice as many digits are
// left to multiply them.
#define LONG_DIRECTION 1e100

// Ends of portals: 2 * portal is the left one, 2 * portal + 1 the right one.
typedef struct fans {
    nav_mesh *mesh;
    uint32_t *back; // by portal: the same portal from the other side, or NAV_NONE
    bool *overlaid; // by portal: another one out of its polygon lies over it, or ground comes round
                    // one of its ends as it should not
    bool *plain;    // by polygon: see is_plain
    uint32_t *ends; // of the turning vertex that is being gathered, with ALONE or not
    uint32_t count;
} fans;

// Two turns take four polygons or more, each with two ends.
#define MANIFOLD_ENDS_MIN 8u

// An end that meets no other one in its polygon, so that there is a wall.
#define ALONE 0x80000000u
_Static_assert(2 * (uint64_t)NAV_PORTALS_MAX < ALONE, "an end's number leaves the bit free");

uint32_t nav_portal_find_back(const nav_mesh *mesh, const nav_portal *portal)
{
    const uint32_t end = mesh->portal_first[portal->to + 1];
    for (uint32_t i = mesh->portal_first[portal->to]; i < end; ++i) {
        if (nav_portal_is_back(&mesh->portals[i], portal)) {
            return i;
        }
    }
    return NAV_NONE;
}

// Whether one of two portals out of a polygon lies over the other: they begin in one position, or
// one begins within the other. Only on a tile's border do two storeys end on one edge.
static bool overlap(const nav_portal *a, const nav_portal *b)
{
    for (int axis = 0; axis < 2; ++axis) {
        if (a->left[axis] != a->right[axis] || b->right[axis] != a->right[axis] ||
            b->left[axis] != a->right[axis]) {
            continue; // not on one line of tiles, as nearly all
        }
        const float low = fminf(a->left[1 - axis], a->right[1 - axis]);
        const float high = fmaxf(a->left[1 - axis], a->right[1 - axis]);
        if (fmaxf(b->left[1 - axis], b->right[1 - axis]) > low &&
            fminf(b->left[1 - axis], b->right[1 - axis]) < high) {
            return true;
        }
    }
    return false;
}

static void find_reverses(fans *f)
{
    const nav_mesh *mesh = f->mesh;
    for (uint32_t i = 0; i < mesh->edge_portal_count; ++i) {
        f->back[i] = NAV_NONE;
    }
    for (uint32_t i = 0; i < mesh->edge_portal_count; ++i) {
        const uint32_t to = mesh->portals[i].to;
        if (nav_cancel_poll(mesh->cancel, mesh->portal_first[to + 1] - mesh->portal_first[to])) {
            return;
        }
        if (f->back[i] == NAV_NONE) {
            const uint32_t back = nav_portal_find_back(mesh, &mesh->portals[i]);
            f->back[i] = back;
            if (back != NAV_NONE && f->back[back] == NAV_NONE) {
                f->back[back] = i;
            }
        }
    }
}

// Whether a polygon is as nearly all are: its corners lie in different directions from the first,
// so in different positions, and each edge has one portal at most. Then only portals that follow
// each other around it meet, and none lies over another.
static bool is_plain(const nav_mesh *mesh, uint32_t polygon)
{
    const uint32_t first = mesh->records[polygon].corner_first,
                   end = mesh->records[polygon + 1].corner_first;
    const float *origin = mesh->vertices[mesh->corners[first]];
    const double x = (double)origin[0], z = (double)origin[2];
    uint32_t bridges = 0;
    bool turning = true;
    for (uint32_t k = first; k < end; ++k) {
        bridges += mesh->neighbours[k] != NAV_NONE;
        if (k > first && k + 1 < end) {
            const float *a = mesh->vertices[mesh->corners[k]];
            const float *b = mesh->vertices[mesh->corners[k + 1]];
            const double left = ((double)a[2] - z) * ((double)b[0] - x);
            const double right = ((double)a[0] - x) * ((double)b[2] - z);
            turning = turning & (left > right);
        }
    }
    return turning && bridges == mesh->portal_first[polygon + 1] - mesh->portal_first[polygon];
}

static void find_non_manifold_edges(const fans *f, uint32_t polygon)
{
    const nav_mesh *mesh = f->mesh;
    const uint32_t first = mesh->portal_first[polygon], end = mesh->portal_first[polygon + 1];
    for (uint32_t i = first; i < end && !nav_cancel_poll(mesh->cancel, end - first); ++i) {
        for (uint32_t k = first; k < end; ++k) {
            f->overlaid[i] =
                f->overlaid[i] || (k != i && overlap(&mesh->portals[i], &mesh->portals[k]));
        }
    }
}

static uint32_t *turning_vertex_of(const fans *f, uint32_t end)
{
    return &f->mesh->portal_turning_vertices[end / 2][end % 2];
}

// ---- gathering: from an end to all that the ground joins to it ----

static void add_end(fans *f, uint32_t end, uint32_t number)
{
    if (*turning_vertex_of(f, end) == NAV_NONE) {
        NAV_DCHECK(f->count < 2 * f->mesh->edge_portal_count);
        *turning_vertex_of(f, end) = number;
        f->ends[f->count++] = end;
    }
}

// Adds the other side's end at this position, where there is one.
static bool add_mate(fans *f, uint32_t end, uint32_t mate, uint32_t number)
{
    const nav_portal *portal = &f->mesh->portals[end / 2], *other = &f->mesh->portals[mate];
    const bool meets = end % 2 == 0 ? nav_plane_same(portal->left, other->right)
                                    : nav_plane_same(portal->right, other->left);
    if (meets && mate != end / 2) {
        add_end(f, 2 * mate + 1 - end % 2, number);
    }
    return meets && mate != end / 2;
}

// Adds the ends that a portal's end meets in its polygon. False: there is none.
static bool add_in_polygon(fans *f, uint32_t end, uint32_t number)
{
    const nav_mesh *mesh = f->mesh;
    const uint32_t portal = end / 2, polygon = mesh->portals[portal].from;
    const uint32_t first = mesh->portal_first[polygon], last = mesh->portal_first[polygon + 1] - 1;
    if (f->plain[polygon]) {
        const uint32_t next = portal < last ? portal + 1 : first;
        const uint32_t before = portal > first ? portal - 1 : last;
        return add_mate(f, end, end % 2 == 0 ? next : before, number);
    }
    bool found = false;
    (void)nav_cancel_poll(mesh->cancel, last - first);
    for (uint32_t i = first; i <= last; ++i) {
        found = add_mate(f, end, i, number) || found;
    }
    return found;
}

// All ends of one turning vertex. Returns whether it is at a wall.
static bool gather(fans *f, uint32_t end, uint32_t number)
{
    bool walled = false;
    f->count = 0;
    add_end(f, end, number);
    for (uint32_t i = 0; i < f->count && !nav_cancel_poll(f->mesh->cancel, 1); ++i) {
        const uint32_t from = f->ends[i], back = f->back[from / 2];
        if (!add_in_polygon(f, from, number)) {
            f->ends[i] |= ALONE;
            walled = true;
        }
        if (back != NAV_NONE) {
            add_end(f, 2 * back + 1 - from % 2, number);
        }
    }
    return walled;
}

// The polygon's angle at an end of one of its portals, as a direction: (-1, 0), half a turn, where
// the end is another tile's vertex, which lies within an edge; and by how much it may be off.
static void corner_angle(const nav_mesh *mesh, uint32_t polygon, uint32_t vertex, double out[3])
{
    const uint32_t *corners = mesh->corners + mesh->records[polygon].corner_first;
    const uint32_t count =
        mesh->records[polygon + 1].corner_first - mesh->records[polygon].corner_first;
    uint32_t k = count;
    NAV_DCHECK(count >= 3);
    for (uint32_t i = 0; i < count; ++i) {
        k = corners[i] == vertex ? i : k; // no way out of the loop that could be guessed wrongly
    }
    out[0] = -1.0;
    out[1] = out[2] = 0.0;
    if (k < count) {
        const float *at = mesh->vertices[vertex];
        const float *before = mesh->vertices[corners[k > 0 ? k - 1 : count - 1]];
        const float *after = mesh->vertices[corners[k + 1 < count ? k + 1 : 0]];
        double bx = (double)before[0] - (double)at[0], bz = (double)before[2] - (double)at[2];
        double ax = (double)after[0] - (double)at[0], az = (double)after[2] - (double)at[2];
        out[0] = nav_plane_dot(ax, az, bx, bz);
        out[1] = fabs(nav_plane_cross(ax, az, bx, bz));
        const double shorter = fmin(fabs(ax) + fabs(az), fabs(bx) + fabs(bz));
        const double tolerance =
            NAV_LINE_TOLERANCE_RATIO * fmax(fabs((double)at[0]), fabs((double)at[2]));
        out[2] = tolerance < NAV_TURN_TOLERANCE_MAX * shorter ? tolerance / shorter
                                                              : NAV_TURN_TOLERANCE_MAX;
    }
}

// Adds an angle to a sum of angles, which is kept as a direction of any length that a double can
// hold. Returns whether the sum comes to half a turn by that, or as near as the tolerance.
static bool add_angle(double sum[2], const double angle[2], double tolerance)
{
    const double x = sum[0] * angle[0] - sum[1] * angle[1];
    const double y = sum[0] * angle[1] + sum[1] * angle[0];
    const double size = fabs(x) + fabs(y);
    if (size > 0.0) {
        const double scale =
            size > LONG_DIRECTION || size < 1.0 / LONG_DIRECTION ? 1.0 / size : 1.0;
        sum[0] = x * scale;
        sum[1] = y * scale;
    }
    const double length = fabs(sum[0]) + fabs(sum[1]);
    return sum[1] < 0.0 || (sum[0] < 0.0 && sum[1] <= tolerance * length);
}

// A polygon's angle at the gathered turning vertex, at one of its ends there. False where another
// end is to report it: each polygon's counts once, at a left end, or at a right end that meets no
// left one.
static bool angle_at(const fans *f, uint32_t i, double angle[3])
{
    const uint32_t end = f->ends[i] & ~ALONE;
    const nav_portal *portal = &f->mesh->portals[end / 2];
    if (end % 2 != 0 && f->ends[i] == end) {
        return false;
    }
    corner_angle(f->mesh, portal->from, end % 2 == 0 ? portal->left_vertex : portal->right_vertex,
                 angle);
    return true;
}

static bool is_wide(const fans *f)
{
    double sum[2] = {1.0, 0.0}, angle[3], tolerance = NAV_HALF_TURN_TOLERANCE;
    bool wide = false;
    for (uint32_t i = 0; i < f->count && !wide && !nav_cancel_poll(f->mesh->cancel, 1); ++i) {
        if (angle_at(f, i, angle)) {
            tolerance += angle[2];
            wide = add_angle(sum, angle, tolerance);
        }
    }
    return wide;
}

// Whether the ground around the gathered turning vertex, which is at no wall, comes round after
// more than one turn: over ramps that cross in plan view. Then a shortest path may turn there as at
// a wall.
static bool is_manifold(const fans *f)
{
    double sum[2] = {1.0, 0.0}, angle[3];
    uint32_t half_turns = 0;
    for (uint32_t i = 0; i < f->count && f->count >= MANIFOLD_ENDS_MIN; ++i) {
        if (angle_at(f, i, angle)) {
            const bool before = sum[1] < 0.0;
            add_angle(sum, angle, 0.0);
            half_turns += before != (sum[1] < 0.0);
        }
    }
    return half_turns > 2;
}

static bool is_new(const fans *f, uint32_t i, bool of_polygon)
{
    const nav_portal *portals = f->mesh->portals;
    const uint32_t portal = (f->ends[i] & ~ALONE) / 2;
    bool found = false;
    for (uint32_t k = 0; k < i && !found; ++k) {
        const uint32_t other = (f->ends[k] & ~ALONE) / 2;
        found = of_polygon ? portals[other].from == portals[portal].from : other == portal;
    }
    return !found;
}

// Whether one comes round the gathered turning vertex though it is at a wall: polygons without area
// have more than two portals in one position. Then there are as many edges as polygons, or more.
// A path that turned there would never come to the wall.
static bool comes_round(const fans *f)
{
    uint32_t polygons = 0, edges = 0;
    bool plain = true;
    for (uint32_t i = 0; i < f->count; ++i) {
        plain = plain && f->plain[f->mesh->portals[(f->ends[i] & ~ALONE) / 2].from];
    }
    // Each end is held against all before it.
    for (uint32_t i = 0; i < f->count && !plain && !nav_cancel_poll(f->mesh->cancel, i); ++i) {
        const uint32_t portal = (f->ends[i] & ~ALONE) / 2, back = f->back[portal];
        polygons += is_new(f, i, true);
        edges += (back == NAV_NONE || portal < back) && is_new(f, i, false);
    }
    return !plain && edges >= polygons;
}

// In order of each turning vertex's first end, which stored landmarks rely on.
static void number_turning_vertices(fans *f)
{
    nav_mesh *mesh = f->mesh;
    mesh->turning_vertex_count = 0;
    memset(mesh->portal_turning_vertices, 0xff,
           mesh->edge_portal_count * sizeof *mesh->portal_turning_vertices);
    for (uint32_t end = 0; end < 2 * mesh->edge_portal_count && !nav_cancel_poll(mesh->cancel, 1);
         ++end) {
        if (*turning_vertex_of(f, end) != NAV_NONE) {
            continue;
        }
        const bool walled = gather(f, end, mesh->turning_vertex_count++);
        const bool turns = walled && is_wide(f);
        const bool non_manifold = walled ? turns && comes_round(f) : is_manifold(f);
        for (uint32_t i = 0; i < f->count && (turns || non_manifold); ++i) {
            const uint32_t gathered = f->ends[i] & ~ALONE;
            *turning_vertex_of(f, gathered) |= turns ? NAV_TURNING_POSSIBLE : 0;
            f->overlaid[gathered / 2] = f->overlaid[gathered / 2] || non_manifold;
        }
    }
}

static void mark_non_manifold_edges(const fans *f)
{
    nav_mesh *mesh = f->mesh;
    mesh->has_non_manifold_edges = false;
    for (uint32_t i = 0; i < mesh->edge_portal_count && !nav_cancel_poll(mesh->cancel, 1); ++i) {
        if (f->overlaid[i] || (f->back[i] != NAV_NONE && f->overlaid[f->back[i]])) {
            mesh->portal_turning_vertices[i][0] |= NAV_TURNING_NON_MANIFOLD;
            mesh->has_non_manifold_edges = true;
        }
    }
}

nav_status nav_mesh_find_turning_vertices(nav_mesh *mesh, nav_arena *temporary)
{
    const nav_arena_mark mark = nav_arena_save(temporary);
    const size_t portals = mesh->edge_portal_count;
    NAV_ASSERT(portals == mesh->portal_first[mesh->stats.polygons]);
    fans f = {.mesh = mesh,
              .back = NAV_NEW(temporary, uint32_t, portals),
              .overlaid = NAV_NEW_ZERO(temporary, bool, portals),
              .plain = NAV_NEW(temporary, bool, mesh->stats.polygons),
              .ends = NAV_NEW(temporary, uint32_t, 2 * portals)};
    if (f.back == NULL || f.overlaid == NULL || f.plain == NULL || f.ends == NULL) {
        return NAV_NO_MEMORY;
    }
    // Once it is cancelled no step does more than poll, so none sees what another left.
    for (uint32_t i = 0; i < f.mesh->stats.polygons && !nav_cancel_poll(f.mesh->cancel, 1); ++i) {
        f.plain[i] = is_plain(f.mesh, i);
        if (!f.plain[i]) {
            find_non_manifold_edges(&f, i);
        }
    }
    find_reverses(&f);
    number_turning_vertices(&f);
    mark_non_manifold_edges(&f);
    NAV_ASSERT(mesh->turning_vertex_count <= NAV_TURNING_NUMBER);
    nav_arena_restore(temporary, mark);
    return nav_cancel_status(mesh->cancel);
}

// ---- the ground around them ----

static bool has_several_classes(const nav_mesh *mesh)
{
    uint32_t same = 1;
    while (same < mesh->stats.polygons && mesh->classes[same] == mesh->classes[0]) {
        ++same;
    }
    return same < mesh->stats.polygons;
}

// Adds a class of ground beside a turning vertex to what is known of it.
static uint16_t join_grounds(uint16_t known, uint16_t ground)
{
    return known == ground                                     ? known
           : known < NAV_MESH_AREAS && ground < NAV_MESH_AREAS ? NAV_TURNING_PLAIN
                                                               : NAV_TURNING_MIXED;
}

nav_status nav_mesh_find_turning_grounds(nav_mesh *mesh)
{
    const size_t bytes = mesh->turning_vertex_count * sizeof *mesh->turning_grounds;
    if (bytes == 0 || !has_several_classes(mesh)) {
        return NAV_OK;
    }
    mesh->turning_grounds = mesh->allocator.alloc(mesh->allocator.user, bytes);
    if (mesh->turning_grounds == NULL) {
        return NAV_NO_MEMORY;
    }
    mesh->stats.memory_bytes += bytes;
    const uint32_t ends = 2 * mesh->edge_portal_count;
    // Any ground beside each is where its own begins.
    for (uint32_t end = 0; end < ends && !nav_cancel_poll(mesh->cancel, 1); ++end) {
        const uint32_t number = mesh->portal_turning_vertices[end / 2][end % 2];
        mesh->turning_grounds[number & NAV_TURNING_NUMBER] =
            mesh->classes[mesh->portals[end / 2].from];
    }
    for (uint32_t end = 0; end < ends && !nav_cancel_poll(mesh->cancel, 1); ++end) {
        const nav_portal *portal = &mesh->portals[end / 2];
        const uint32_t number = mesh->portal_turning_vertices[end / 2][end % 2];
        uint16_t *around = &mesh->turning_grounds[number & NAV_TURNING_NUMBER];
        *around = join_grounds(*around, mesh->classes[portal->from]);
        *around = join_grounds(*around, mesh->classes[portal->to]);
    }
    return nav_cancel_status(mesh->cancel);
}
