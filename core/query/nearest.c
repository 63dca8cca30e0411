// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// nearest.c: the positions on the mesh nearest to a point. All that lies over and under the point
// is in one cell of a grid (mesh/locate.c), and mostly no other position can be nearer. Else a
// descent of the bounding-volume trees, nearer child first, leaves out every box farther away than
// the worst position kept.
//
// A polygon's position for a point is, in plan view, the point itself where it lies over the
// polygon, else the closest point of the polygon's border; its height comes from height.c.

#include "core/query/nearest.h"

#include "core/base/plane.h"
#include "core/base/tolerances.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Moves (x, z) onto the polygon's border; returns the square of how far.
static float clamp_to_border(const nav_mesh *mesh, uint32_t polygon, float *x, float *z)
{
    nav_corner_room room;
    const nav_corners corners = nav_polygon_corners(mesh, polygon, room);
    const float *a = corners.vertices[corners.indices[corners.count - 1]];
    const float from_x = *x;
    const float from_z = *z;
    float best2 = INFINITY;
    for (uint32_t k = 0; k < corners.count; ++k) {
        const float *b = corners.vertices[corners.indices[k]];
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

// Whether no edge's line passes so near that, however coordinates are rounded, the position could
// be on it.
static bool is_off_border(const nav_mesh *mesh, uint32_t polygon, float x, float z)
{
    const float least = NAV_OFF_BORDER + NAV_OFF_BORDER_PART * (fabsf(x) + fabsf(z));
    nav_corner_room room;
    const nav_corners corners = nav_polygon_corners(mesh, polygon, room);
    const float *a = corners.vertices[corners.indices[corners.count - 1]];
    for (uint32_t k = 0; k < corners.count; ++k) {
        const float *b = corners.vertices[corners.indices[k]];
        const float ex = b[0] - a[0], ez = b[2] - a[2];
        if (!(fabsf(nav_plane_cross_f(ex, ez, x - a[0], z - a[2])) >
              least * (fabsf(ex) + fabsf(ez)))) {
            return false;
        }
        a = b;
    }
    return true;
}

// ---- search ----

// In the order of the answer. Equal distances go to the lower polygon.
static bool comes_before(const nav_nearest *s, const nav_location *a, const nav_location *b)
{
    const bool a_high = a->position[1] > s->high, b_high = b->position[1] > s->high;
    return a_high != b_high             ? b_high
           : a->distance != b->distance ? a->distance < b->distance
                                        : a->polygon < b->polygon;
}

// Whether no position this far away, squared, can be among the answers. Equal distances can.
static bool is_too_far(const nav_nearest *s, float distance2, bool high)
{
    if (s->count < s->capacity) {
        return false;
    }
    const nav_location *worst = &s->out[s->count - 1];
    const bool worst_high = worst->position[1] > s->high;
    return high != worst_high ? high : distance2 > worst->distance;
}

void nav_nearest_keep(nav_nearest *s, const nav_location *location)
{
    NAV_DCHECK(s->capacity > 0);
    NAV_DCHECK(s->count <= s->capacity);
    if (s->count == s->capacity && !comes_before(s, location, &s->out[s->count - 1])) {
        return;
    }
    uint32_t at = s->count < s->capacity ? s->count++ : s->count - 1;
    for (; at > 0 && comes_before(s, location, &s->out[at - 1]); --at) {
        s->out[at] = s->out[at - 1];
    }
    s->out[at] = *location;
    NAV_DCHECK(at + 1 >= s->count || !comes_before(s, &s->out[at + 1], location));
}

// Keeps the polygon's position (whose x and z are filled in) if it is within limits.
static void keep_position(nav_nearest *s, nav_location *location, float plan2)
{
    if (is_too_far(s, plan2, false)) {
        return;
    }
    location->position[1] =
        nav_mesh_height(s->mesh, location->polygon, location->position[0], location->position[2]);
    for (int axis = 0; axis < 3; ++axis) {
        if (location->position[axis] < s->min[axis] || location->position[axis] > s->max[axis]) {
            return;
        }
    }
    const float rise = location->position[1] - s->point[1];
    location->distance = plan2 + rise * rise;
    nav_nearest_keep(s, location);
}

// The square of the distance from the point to a box; infinite where the box lies outside the
// search's.
static float box_distance2(const nav_nearest *s, const float min[3], const float max[3])
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

// True where nothing below an inner node belongs to a component that is asked for.
static bool is_out_of_reach(const nav_nearest *s, const nav_tile_node *node)
{
    if (s->reach.reached == NULL && s->reach.component == NAV_NONE) {
        return false; // while a mesh is made, its labels are not known yet
    }
    const uint32_t sole = node->polygon & ~NAV_NODE_INNER;
    return sole != NAV_MESH_MIXED && !nav_is_within_reach(&s->reach, sole);
}

static bool is_kept(const nav_nearest *s, uint32_t polygon)
{
    uint32_t i = 0;
    while (i < s->count && s->out[i].polygon != polygon) {
        ++i;
    }
    return i < s->count;
}

// Whether a position of the polygon can be among the answers, as far as its bounds tell.
static bool is_wanted(const nav_nearest *s, const nav_polygon_record *record, uint32_t polygon)
{
    const float distance2 = box_distance2(s, record->min, record->max);
    if (distance2 == INFINITY || is_too_far(s, distance2, record->min[1] > s->high) ||
        nav_nearest_is_closed(s, record, polygon) ||
        !nav_is_within_reach(&s->reach, record->component)) {
        return false;
    }
    if (s->count < s->capacity) {
        return true;
    }
    // It is as far as the last position that is kept: only a lower number would replace it.
    const nav_location *worst = &s->out[s->count - 1];
    return worst->position[1] > s->high || distance2 < worst->distance || polygon < worst->polygon;
}

void nav_nearest_visit(nav_nearest *s, uint32_t polygon)
{
    NAV_DCHECK(polygon < s->mesh->stats.polygons);
    const nav_polygon_record *record = &s->mesh->records[polygon];
    // A polygon that is kept has been seen before, in the grid or over another cell.
    if (!is_kept(s, polygon) && is_wanted(s, record, polygon)) {
        nav_location location = {.polygon = polygon, .position = {s->point[0], 0.0f, s->point[2]}};
        float *at = location.position;
        const bool under = nav_is_under(s->mesh, polygon, at[0], at[2]);
        keep_position(s, &location,
                      under ? 0.0f : clamp_to_border(s->mesh, polygon, &at[0], &at[2]));
    }
}

void nav_nearest_visit_border(nav_nearest *s, uint32_t polygon)
{
    NAV_DCHECK(polygon < s->mesh->stats.polygons);
    const nav_polygon_record *record = &s->mesh->records[polygon];
    if (is_wanted(s, record, polygon) &&
        !is_off_border(s->mesh, polygon, s->point[0], s->point[2])) {
        nav_location location = {.polygon = polygon, .position = {s->point[0], 0.0f, s->point[2]}};
        float *at = location.position;
        keep_position(s, &location, clamp_to_border(s->mesh, polygon, &at[0], &at[2]));
    }
}

// A descent of a tree from `root` on, nearer child first; leaves are told to `visit`.
static void descend(nav_nearest *s, const nav_tile_node *nodes, uint32_t root, bool components,
                    void (*visit)(nav_nearest *, uint32_t))
{
    // The far children on the way down: one a level at most.
    struct {
        uint32_t node;
        float distance2;
    } stack[NAV_TILE_DEPTH_MAX + 1];
    int depth = 0;
    stack[depth].node = root;
    stack[depth++].distance2 = box_distance2(s, nodes[root].min, nodes[root].max);
    while (depth > 0) {
        --depth;
        const uint32_t index = stack[depth].node;
        const nav_tile_node *node = &nodes[index];
        // Equal distances are looked at: a smaller polygon index may win. Infinity is outside.
        if (stack[depth].distance2 == INFINITY ||
            is_too_far(s, stack[depth].distance2, node->min[1] > s->high) ||
            (components && !nav_node_is_leaf(node) && is_out_of_reach(s, node))) {
            continue;
        }
        if (nav_node_is_leaf(node)) {
            visit(s, node->polygon);
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

static void visit_tree(nav_nearest *s, uint32_t tile)
{
    NAV_DCHECK(tile < s->mesh->root_count);
    descend(s, s->mesh->nodes, s->mesh->roots[tile], true, nav_nearest_visit);
}

static void visit_trees(nav_nearest *s)
{
    if (s->mesh->locate.block != NULL) {
        descend(s, s->mesh->locate.top, 0, false, visit_tree);
        return;
    }
    for (uint32_t i = 0; i < s->mesh->root_count; ++i) {
        visit_tree(s, i);
    }
}

static uint32_t take_roots(nav_nearest *s)
{
    for (uint32_t i = 0; i < s->count; ++i) {
        NAV_DCHECK(s->out[i].distance >= 0.0f);
        s->out[i].distance = sqrtf(s->out[i].distance);
    }
    return s->count;
}

static float tolerance_at(const float point[3])
{
    return NAV_SNAP_TOLERANCE +
           NAV_SNAP_TOLERANCE_PART * (fabsf(point[0]) + fabsf(point[1]) + fabsf(point[2]));
}

// ---- exported ----

nav_snap nav_snap_default(void)
{
    return (nav_snap){.horizontal = 2.0f, .up = 4.0f, .down = 4.0f};
}

float nav_mesh_same_floor_max(const nav_mesh *mesh)
{
    const float room = fminf(mesh->agent_max_climb, mesh->agent_height / 2.0f);
    return fmaxf(room, NAV_SAME_FLOOR);
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
    if (!sane || capacity == 0) {
        return 0;
    }
    nav_nearest s = {
        .mesh = mesh,
        .point = point,
        .min = {point[0] - snap.horizontal, point[1] - snap.down, point[2] - snap.horizontal},
        .max = {point[0] + snap.horizontal, point[1] + snap.up, point[2] + snap.horizontal},
        .tolerance = tolerance_at(point),
        .reach = reach,
        .high = INFINITY,
        .out = out,
        .capacity = capacity,
    };
    if (!nav_nearest_in_cells(&s)) {
        s.tolerance = 0.0f; // a tree has an order of its own
        visit_trees(&s);
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
    nav_nearest s = {
        .mesh = mesh,
        .point = point,
        .min = {-INFINITY, -INFINITY, -INFINITY},
        .max = {INFINITY, INFINITY, INFINITY},
        .reach = reach,
        .high = INFINITY,
        .out = out,
        .capacity = 1,
    };
    visit_trees(&s);
    return take_roots(&s) > 0;
}

// ---- floors ----

#define PLACES_FIRST 64u // room for them at first; nearly all columns have fewer

static void sort_from_the_top(nav_location *locations, uint32_t count)
{
    for (uint32_t i = 1; i < count; ++i) {
        const nav_location location = locations[i];
        uint32_t at = i;
        for (; at > 0 && locations[at - 1].position[1] < location.position[1]; --at) {
            locations[at] = locations[at - 1];
        }
        locations[at] = location;
    }
}

// Keeps one position a floor, at most capacity, of positions sorted from the top. Returns how many.
static uint32_t keep_floors(const nav_mesh *mesh, const nav_location *locations,
                            uint32_t location_count, nav_location *out, uint32_t capacity)
{
    const float near = nav_mesh_same_floor_max(mesh);
    uint32_t count = 0;
    for (uint32_t i = 0; i < location_count && count < capacity; ++i) {
        NAV_DCHECK(i == 0 || locations[i - 1].position[1] >= locations[i].position[1]);
        if (count == 0 || out[count - 1].position[1] - locations[i].position[1] > near) {
            out[count++] = locations[i];
        }
    }
    return count;
}

nav_status nav_query_floors(const nav_mesh *mesh, nav_scratch *scratch, float x, float z,
                            const nav_options *options, nav_location *out, uint32_t capacity,
                            uint32_t *count)
{
    nav_view view;
    if (!nav_view_begin(mesh, scratch, options, &view)) {
        return nav_scratch_failure(scratch);
    }
    // The point lies above everything, so that distances are counted from the top.
    const float point[3] = {x, mesh->stats.max[1] + 1.0f, z};
    const nav_snap column = {.horizontal = 0.0f, .up = FLT_MAX, .down = FLT_MAX};
    const nav_options whole_column = {.snap = column};
    for (uint32_t room = PLACES_FIRST;; room *= 8) {
        nav_location *locations = nav_scratch_list(scratch, room * sizeof *locations);
        if (locations == NULL) {
            return NAV_NO_MEMORY;
        }
        const uint32_t found =
            nav_view_nearest(&view, &whole_column, point, nav_view_reach(&view), locations, room);
        NAV_ASSERT(found <= room);
        if (found < room) {
            nav_view_name(&view, locations, found);
            sort_from_the_top(locations, found);
            *count = keep_floors(mesh, locations, found, out, capacity);
            return NAV_OK;
        }
    }
}
