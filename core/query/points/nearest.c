// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// nearest.c: the positions on the mesh nearest to a point. All that lies over and under the point
// is listed by its cell of the grid (mesh/locate.c), and says how near anything else has to be:
// mostly only polygons of that cell are. Else the cells around it are inspected; if these are many,
// a descent of the tree, nearer child first, leaves out every box farther away than the worst
// position kept.
//
// A polygon's position for a point is, in plan view, the point itself where it lies over the
// polygon, else the closest point of the polygon's border; its height comes from height.c.

#include "core/base/plane.h"
#include "core/base/tolerances.h"
#include "core/query/points/points.h"

#include <float.h>
#include <math.h>

// Cells beyond one that are looked at along either axis before the tree is asked.
#define CELLS_AROUND_MAX 4u
// A mesh of so many polygons does not stay in a core's own cache.
#define FETCHED_MIN 1024u

typedef struct search {
    const nav_mesh *mesh;
    const float *point;
    float min[3], max[3]; // positions must lie in here
    // How far rounding can put a position outside of its polygon's bounds. Boxes are taken to be so
    // much larger, so that of equal positions all are looked at, in whatever order that is.
    float tolerance;
    nav_reach reach;
    float off_border; // farther from an edge's line it is not on the border
    // Positions above `high` come after all others where there is a floor: a position that is not,
    // right under or at the point. INFINITY: they do not.
    float high;
    nav_location *out; // sorted; `distance` holds the square until the search ends
    uint32_t count, capacity;
} search;

// ---- one polygon ----

static inline bool is_closed(const search *s, const nav_polygon_record *record, uint32_t polygon)
{
    const nav_reach *reach = &s->reach;
    return (reach->ground != NULL && reach->ground[record->ground] == INFINITY) ||
           (reach->overlay != NULL && nav_overlay_is_cut(reach->overlay, polygon)) ||
           !nav_is_marked_within_reach(reach, polygon) ||
           !nav_is_within_reach(reach, record->component);
}

// Whether a polygon lies over or under the point: a ray from there towards +x then crosses its
// border an odd number of times. *near: an edge's line passes so near that, however coordinates are
// rounded, the point could be on the border. Without branches, which nothing could foretell.
static bool is_under(const search *s, const nav_polygon_record *record, bool *near)
{
    const float(*vertices)[3] = (const float(*)[3])s->mesh->vertices;
    const uint32_t *corner = s->mesh->corners + record->corner_first;
    const uint32_t *end = corner + record->corner_count;
    const float x = s->point[0], z = s->point[2];
    const float *a = vertices[end[-1]];
    uint32_t a_beyond = a[2] > z, inside = 0, touches = 0;
    for (; corner != end; ++corner) {
        const float *b = vertices[*corner];
        const float ex = b[0] - a[0], ez = b[2] - a[2];
        const float side = ex * (z - a[2]) - (x - a[0]) * ez;
        const uint32_t b_beyond = b[2] > z;
        const uint32_t right = side > 0.0f, left = side < 0.0f;
        inside ^= (a_beyond ^ b_beyond) & ((b_beyond & right) | (a_beyond & left));
        touches |= fabsf(side) <= s->off_border * (fabsf(ex) + fabsf(ez));
        a_beyond = b_beyond;
        a = b;
    }
    *near = touches != 0;
    return inside != 0;
}

// Moves (x, z) onto the polygon's border; returns the square of how far.
static float clamp_to_border(const nav_mesh *mesh, const nav_polygon_record *record, float *x,
                             float *z)
{
    const uint32_t *corners = mesh->corners + record->corner_first;
    const float *a = mesh->vertices[corners[record->corner_count - 1]];
    const float from_x = *x;
    const float from_z = *z;
    float best2 = INFINITY;
    for (uint32_t k = 0; k < record->corner_count; ++k) {
        const float *b = mesh->vertices[corners[k]];
        float t = nav_plane_closest_f(a, b, from_x, from_z);
        float dx = a[0] + (b[0] - a[0]) * t - from_x;
        float dz = a[2] + (b[2] - a[2]) * t - from_z;
        float distance2 = dx * dx + dz * dz;
        if (distance2 < best2) {
            best2 = distance2;
            *x = a[0] + (b[0] - a[0]) * t;
            *z = a[2] + (b[2] - a[2]) * t;
        }
        a = b;
    }
    return best2;
}

// ---- the answers ----

// Whether no position this far away, squared, can be among the answers. Equal distances can.
static bool is_too_far(const search *s, float distance2, bool high)
{
    if (s->count < s->capacity) {
        return false;
    }
    const nav_location *worst = &s->out[s->count - 1];
    const bool worst_high = worst->position[1] > s->high;
    return high != worst_high ? high : distance2 > worst->distance;
}

static bool is_kept(const search *s, uint32_t polygon)
{
    uint32_t i = 0;
    while (i < s->count && s->out[i].polygon != polygon) {
        ++i;
    }
    return i < s->count;
}

// The square of the distance from the point to a box; infinite where the box lies outside the
// search's.
static float box_distance2(const search *s, const float min[3], const float max[3])
{
    float sum = 0.0f;
    for (int axis = 0; axis < 3; ++axis) {
        if (max[axis] < s->min[axis] || min[axis] > s->max[axis]) {
            return INFINITY;
        }
        float at = s->point[axis];
        float d = at < min[axis] ? min[axis] - at : at > max[axis] ? at - max[axis] : 0.0f;
        d = d > s->tolerance ? d - s->tolerance : 0.0f;
        sum += d * d;
    }
    return sum;
}

// Whether a position of the polygon can be among the answers, as far as its bounds say.
static bool is_wanted(const search *s, const nav_polygon_record *record, uint32_t polygon)
{
    const float distance2 = box_distance2(s, record->min, record->max);
    if (distance2 == INFINITY || is_too_far(s, distance2, record->min[1] > s->high) ||
        is_closed(s, record, polygon)) {
        return false;
    }
    if (s->count < s->capacity) {
        return true;
    }
    // It is as far as the last position that is kept: only a lower number would replace it.
    const nav_location *worst = &s->out[s->count - 1];
    return worst->position[1] > s->high || distance2 < worst->distance || polygon < worst->polygon;
}

// Keeps the position of a polygon, wherever that lies, if it is within limits and among the
// answers.
static void visit(search *s, uint32_t polygon)
{
    NAV_DCHECK(polygon < s->mesh->stats.polygons);
    const nav_polygon_record *record = &s->mesh->records[polygon];
    // A polygon that is kept has been seen before, in the column or over another cell.
    if (is_kept(s, polygon) || !is_wanted(s, record, polygon)) {
        return;
    }
    nav_location location = {.polygon = polygon, .position = {s->point[0], 0.0f, s->point[2]}};
    float *at = location.position;
    bool near;
    const float plan2 =
        is_under(s, record, &near) ? 0.0f : clamp_to_border(s->mesh, record, &at[0], &at[2]);
    if (is_too_far(s, plan2, false)) {
        return;
    }
    at[1] = nav_mesh_height(s->mesh, polygon, at[0], at[2]);
    for (int axis = 0; axis < 3; ++axis) {
        if (at[axis] < s->min[axis] || at[axis] > s->max[axis]) {
            return;
        }
    }
    const float rise = at[1] - s->point[1];
    location.distance = plan2 + rise * rise;
    nav_location_keep(&location, s->high, s->out, &s->count, s->capacity);
}

// ---- the column ----

// The polygons of a line whose boxes meet a probe; without a branch, which nothing could foretell.
static inline uint32_t find_met(const nav_locate_line *line, uint32_t probe,
                                uint32_t out[NAV_LINE_SLOTS])
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < NAV_LINE_SLOTS; ++i) {
        out[count] = line->polygons[i];
        count += nav_box_meets(line->boxes[i], probe);
    }
    return count;
}

// Keeps the polygon's position if it lies over or under the point, be it by its border, and learns
// whether it is a floor. False where the border passes too near to be sure.
static bool visit_over(search *s, uint32_t polygon, float floor_max)
{
    NAV_DCHECK(polygon < s->mesh->stats.polygons);
    const nav_polygon_record *record = &s->mesh->records[polygon];
    if (record->max[1] < s->min[1] || record->min[1] > s->max[1] || is_closed(s, record, polygon)) {
        return true;
    }
    bool near;
    if (!is_under(s, record, &near)) {
        float at[2] = {s->point[0], s->point[2]};
        if (!near || clamp_to_border(s->mesh, record, &at[0], &at[1]) > 0.0f) {
            return !near;
        }
    }
    const float y = nav_mesh_height(s->mesh, polygon, s->point[0], s->point[2]);
    if (y >= s->min[1] && y <= s->max[1]) {
        // Before the first floor all that is kept lies higher: its order stays.
        s->high = y <= floor_max ? floor_max : s->high;
        const nav_location location = {.polygon = polygon,
                                       .position = {s->point[0], y, s->point[2]},
                                       .distance = (y - s->point[1]) * (y - s->point[1])};
        nav_location_keep(&location, s->high, s->out, &s->count, s->capacity);
    }
    return true;
}

// Whether the last position that is wanted is the point itself. A polygon that could replace it
// then has the point in its box.
static bool is_at_point(const search *s)
{
    return s->count == s->capacity && s->out[s->count - 1].distance == 0.0f &&
           s->out[s->count - 1].position[1] <= s->high;
}

// Visits the polygons over and under the point. They are listed by number: once the position is the
// point itself, none that follows can be the answer, as equal positions go to the lower one. True
// where it is found; one that came before may have to do with it by its border.
static bool visit_column(search *s)
{
    uint32_t probe;
    const nav_locate *l = &s->mesh->locate;
    const float floor_max = s->point[1] + s->mesh->agent_max_climb;
    const nav_locate_line *line = nav_locate_find(l, s->point, &probe);
    bool sure = true;
    for (; line != NULL; line = nav_locate_next(l, line)) {
        uint32_t over[NAV_LINE_SLOTS];
        const uint32_t count = find_met(line, probe, over);
        for (uint32_t i = 0; i < count; ++i) {
            sure = visit_over(s, over[i], floor_max) && sure;
            if (is_at_point(s)) {
                return sure;
            }
        }
    }
    return false;
}

// ---- around the point ----

// All that is as near as the last position that is kept, or may be: along x, then z.
typedef struct surroundings {
    float least[2], most[2]; // in cells
    nav_cell_range cells;
} surroundings;

static surroundings surroundings_of(const search *s)
{
    const nav_locate *l = &s->mesh->locate;
    float radius = s->max[0] - s->point[0];
    bool near = false;
    if (s->count == s->capacity && s->out[s->count - 1].position[1] <= s->high) {
        const float distance =
            sqrtf(s->out[s->count - 1].distance) * NAV_CIRCLE_GROWTH + s->tolerance;
        near = distance < radius;
        radius = near ? distance : radius;
    }
    surroundings out;
    for (int k = 0; k < 2; ++k) {
        const float at = s->point[2 * k];
        const float least = near ? at - radius : s->min[2 * k];
        const float most = near ? at + radius : s->max[2 * k];
        out.least[k] = (least - l->min[k]) * l->per_cell;
        out.most[k] = (most - l->min[k]) * l->per_cell;
    }
    out.cells = nav_cell_range_of(l, out.least, out.most);
    return out;
}

// Visits what a cell lists within the surroundings; but not what lies over the point's own cell, if
// that has been visited, nor what lies over another cell before this one.
static void visit_cell(search *s, const surroundings *around, const nav_cell_range *own, uint32_t x,
                       uint32_t z)
{
    const nav_locate *l = &s->mesh->locate;
    const nav_locate_line *line = &l->lines[(size_t)z * l->width + x];
    const uint32_t probe =
        nav_box_probe(nav_locate_unit(around->least[0], x), nav_locate_unit(around->least[1], z),
                      nav_locate_unit(around->most[0], x), nav_locate_unit(around->most[1], z));
    for (; line != NULL; line = nav_locate_next(l, line)) {
        uint32_t met[NAV_LINE_SLOTS];
        const uint32_t count = find_met(line, probe, met);
        for (uint32_t i = 0; i < count; ++i) {
            if (own != NULL) {
                const nav_cell_range r = nav_polygon_cells(l, &s->mesh->records[met[i]]);
                if ((r.x0 <= own->x0 && r.x1 >= own->x0 && r.z0 <= own->z0 && r.z1 >= own->z0) ||
                    (x > around->cells.x0 && x > r.x0) || (z > around->cells.z0 && z > r.z0)) {
                    continue;
                }
            }
            visit(s, met[i]);
        }
    }
}

// The point's own cell first: mostly what is nearest is in there. False where there are too many
// others.
static bool visit_cells(search *s)
{
    const nav_locate *l = &s->mesh->locate;
    const float at[2] = {(s->point[0] - l->min[0]) * l->per_cell,
                         (s->point[2] - l->min[1]) * l->per_cell};
    const nav_cell_range own = nav_cell_range_of(l, at, at);
    surroundings around = surroundings_of(s);
    visit_cell(s, &around, NULL, own.x0, own.z0);
    if (around.cells.x0 == around.cells.x1 && around.cells.z0 == around.cells.z1) {
        return true;
    }
    around = surroundings_of(s);
    if (around.cells.x1 - around.cells.x0 > CELLS_AROUND_MAX ||
        around.cells.z1 - around.cells.z0 > CELLS_AROUND_MAX) {
        return false;
    }
    for (uint32_t z = around.cells.z0; z <= around.cells.z1; ++z) {
        for (uint32_t x = around.cells.x0; x <= around.cells.x1; ++x) {
            if (x != own.x0 || z != own.z0) {
                visit_cell(s, &around, &own, x, z);
            }
        }
    }
    return true;
}

// ---- the tree ----

// True where nothing below an inner node belongs to a component that is asked for.
static bool is_out_of_reach(const search *s, const nav_tile_node *node)
{
    if (s->reach.reached == NULL && s->reach.component == NAV_NONE) {
        return false; // while a mesh is made, its labels are not known yet
    }
    const uint32_t sole = node->polygon & ~NAV_NODE_INNER;
    return sole != NAV_MESH_MIXED && !nav_is_within_reach(&s->reach, sole);
}

// Nearer child first.
static void descend(search *s)
{
    const nav_tile_node *nodes = s->mesh->locate.nodes;
    // The far children on the way down: one a level at most.
    struct {
        uint32_t node;
        float distance2;
    } stack[NAV_TILE_DEPTH_MAX + 1];
    int depth = 0;
    stack[depth].node = 0;
    stack[depth++].distance2 = box_distance2(s, nodes[0].min, nodes[0].max);
    while (depth > 0) {
        --depth;
        const uint32_t index = stack[depth].node;
        const nav_tile_node *node = &nodes[index];
        // Equal distances are looked at: a smaller polygon index may win. Infinity is outside.
        if (stack[depth].distance2 == INFINITY ||
            is_too_far(s, stack[depth].distance2, node->min[1] > s->high)) {
            continue;
        }
        if (nav_node_is_leaf(node)) {
            visit(s, node->polygon);
            continue;
        }
        if (is_out_of_reach(s, node)) {
            continue;
        }
        const uint32_t near = index + 1;
        NAV_DCHECK(depth + 2 <= NAV_TILE_DEPTH_MAX + 1);
        const uint32_t far = nodes[near].end;
        NAV_DCHECK(far > near);
        const float near2 = box_distance2(s, nodes[near].min, nodes[near].max);
        const float far2 = box_distance2(s, nodes[far].min, nodes[far].max);
        const bool swapped = far2 < near2;
        stack[depth].node = swapped ? near : far;
        stack[depth++].distance2 = swapped ? near2 : far2;
        stack[depth].node = swapped ? far : near;
        stack[depth++].distance2 = swapped ? far2 : near2;
    }
}

static search begin(const nav_mesh *mesh, const float point[3], nav_reach reach, nav_location *out,
                    uint32_t capacity)
{
    const float far = fabsf(point[0]) + fabsf(point[2]);
    return (search){
        .mesh = mesh,
        .point = point,
        .min = {-INFINITY, -INFINITY, -INFINITY},
        .max = {INFINITY, INFINITY, INFINITY},
        .tolerance = NAV_SNAP_TOLERANCE + NAV_SNAP_TOLERANCE_RATIO * (far + fabsf(point[1])),
        .reach = reach,
        .off_border = NAV_OFF_BORDER + NAV_OFF_BORDER_RATIO * far,
        .high = INFINITY,
        .out = out,
        .capacity = capacity,
    };
}

static uint32_t take_roots(search *s)
{
    for (uint32_t i = 0; i < s->count; ++i) {
        NAV_DCHECK(s->out[i].distance >= 0.0f);
        s->out[i].distance = sqrtf(s->out[i].distance);
    }
    return s->count;
}

// ---- exported ----

void nav_query_fetch(const nav_mesh *mesh, const float a[3], const float b[3])
{
    const float *points[2] = {a, b};
    const nav_locate_line *lines[2];
    uint32_t probes[2], met[2 * NAV_LINE_SLOTS], count = 0;
    if (mesh->stats.polygons < FETCHED_MIN) {
        return;
    }
    for (int i = 0; i < 2; ++i) {
        lines[i] = nav_locate_find(&mesh->locate, points[i], &probes[i]);
        __builtin_prefetch(lines[i]);
    }
    for (int i = 0; i < 2; ++i) {
        count += find_met(lines[i], probes[i], met + count);
    }
    for (uint32_t i = 0; i < count; ++i) {
        __builtin_prefetch(&mesh->records[met[i]]);
        __builtin_prefetch(&mesh->records[met[i]].corner_count);
    }
    for (uint32_t i = 0; i < count; ++i) {
        __builtin_prefetch(mesh->corners + mesh->records[met[i]].corner_first);
    }
    for (uint32_t i = 0; i < count; ++i) {
        const nav_polygon_record *record = &mesh->records[met[i]];
        for (uint32_t k = 0; k < record->corner_count; ++k) {
            __builtin_prefetch(mesh->vertices[mesh->corners[record->corner_first + k]]);
        }
    }
}

nav_snap nav_snap_default(void)
{
    return (nav_snap){.horizontal = 2.0f, .up = 4.0f, .down = 4.0f};
}

float nav_mesh_same_floor_max(const nav_mesh *mesh)
{
    const float step = fminf(mesh->agent_max_climb, mesh->agent_height / 2.0f);
    return fmaxf(step, NAV_SAME_FLOOR);
}

uint32_t nav_query_snap(const nav_mesh *mesh, const float point[3], nav_snap snap, nav_reach reach,
                        nav_location *out, uint32_t capacity)
{
    // Written so that NaN fails. A point farther out than any mesh is on none.
    bool sane = snap.horizontal >= 0.0f && snap.horizontal <= FLT_MAX && snap.up >= 0.0f &&
                snap.up <= FLT_MAX && snap.down >= 0.0f && snap.down <= FLT_MAX;
    for (int axis = 0; axis < 3; ++axis) {
        sane = sane && fabsf(point[axis]) <= 1e9f;
    }
    if (!sane || capacity == 0 || mesh->stats.polygons == 0) {
        return 0;
    }
    search s = begin(mesh, point, reach, out, capacity);
    const float beside[3] = {snap.horizontal, snap.down, snap.horizontal};
    const float above[3] = {snap.horizontal, snap.up, snap.horizontal};
    for (int axis = 0; axis < 3; ++axis) {
        s.min[axis] = point[axis] - beside[axis];
        s.max[axis] = point[axis] + above[axis];
    }
    if (!visit_column(&s) && !visit_cells(&s)) {
        descend(&s);
    }
    return take_roots(&s);
}

uint32_t nav_query_nearest(const nav_mesh *mesh, const float point[3], nav_snap snap,
                           uint32_t component, nav_location *out, uint32_t capacity)
{
    return nav_query_snap(mesh, point, snap, (nav_reach){.component = component}, out, capacity);
}

bool nav_query_closest(const nav_mesh *mesh, const float point[3], nav_reach reach,
                       nav_location *out)
{
    search s = begin(mesh, point, reach, out, 1);
    if (mesh->stats.polygons > 0) {
        descend(&s);
    }
    return take_roots(&s) > 0;
}
