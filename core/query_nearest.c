// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// query_nearest.c: the places on the mesh nearest to a point. What lies over and under the point is
// in one cell of a grid (mesh_locate.c), and mostly no other place can be nearer. Else a descent of
// the bounding-volume trees, nearer child first, leaves out every box farther away than the worst
// place kept.
//
// A polygon's place for a point is, in plan view, the point itself where it lies over the polygon,
// else the closest point of the polygon's border; its height comes from the detail triangles.

#include "query.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Cells beyond one that are looked at along either axis before the trees are asked.
#define CELLS_AROUND_MAX 4u
// Polygons whose bounds hold the point, but not they, that are remembered.
#define MISSED_MAX 6u

typedef struct search {
    const nav_mesh *mesh;
    const float *point;
    float min[3], max[3]; // places must lie in here
    nav_reach reach;
    // Places above `high` come after all others where there is a floor: a place that is not, right
    // under or at the point. INFINITY: they do not.
    float high;
    // Of the polygons in the point's cell: how near the bounds are, in plan view and squared, of
    // those that do not hold the point; and the nodes of those whose bounds do, but not they.
    float beside2;
    uint32_t missed[MISSED_MAX];
    uint32_t missed_count;
    nav_location *out; // sorted; `distance` holds the square until the search ends
    uint32_t count, capacity;
} search;

// ---- geometry in plan view ----

// Where from 0 to 1 on the segment a -> b the closest point to (x, z) lies.
static float closest_on_segment(const float *a, const float *b, float x, float z)
{
    float dx = b[0] - a[0];
    float dz = b[2] - a[2];
    float length2 = dx * dx + dz * dz;
    float t = length2 > 0.0f ? ((x - a[0]) * dx + (z - a[2]) * dz) / length2 : 0.0f;
    return t < 0.0f ? 0.0f : t > 1.0f ? 1.0f : t;
}

// A ray from the place towards +x crosses the border of what it lies in an odd number of times.
static bool is_over_polygon(const nav_mesh *mesh, uint32_t polygon, float x, float z)
{
    uint32_t end = mesh->corner_first[polygon + 1];
    const float *a = mesh->vertices[mesh->corners[end - 1]];
    bool inside = false;
    for (uint32_t k = mesh->corner_first[polygon]; k < end; ++k) {
        const float *b = mesh->vertices[mesh->corners[k]];
        if ((a[2] > z) != (b[2] > z) && x < (b[0] - a[0]) * (z - a[2]) / (b[2] - a[2]) + a[0]) {
            inside = !inside;
        }
        a = b;
    }
    return inside;
}

// Moves (x, z) onto the polygon; returns the square of how far.
static float clamp_to_polygon(const nav_mesh *mesh, uint32_t polygon, float *x, float *z)
{
    if (is_over_polygon(mesh, polygon, *x, *z)) {
        return 0.0f;
    }
    uint32_t end = mesh->corner_first[polygon + 1];
    const float *a = mesh->vertices[mesh->corners[end - 1]];
    const float from_x = *x;
    const float from_z = *z;
    float best2 = INFINITY;
    for (uint32_t k = mesh->corner_first[polygon]; k < end; ++k) {
        const float *b = mesh->vertices[mesh->corners[k]];
        float t = closest_on_segment(a, b, from_x, from_z);
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

// ---- height ----

// Whether a triangle lies over or under (x, z), and its height there.
static bool triangle_height(const float *const corners[3], float x, float z, float *height)
{
    const float *a = corners[0];
    float bx = corners[1][0] - a[0], bz = corners[1][2] - a[2];
    float cx = corners[2][0] - a[0], cz = corners[2][2] - a[2];
    float px = x - a[0], pz = z - a[2];
    float area = bx * cz - bz * cx;
    float v = px * cz - pz * cx; // weight of corner 1, times area
    float w = bx * pz - bz * px; // weight of corner 2, times area
    if (area < 0.0f) {
        area = -area;
        v = -v;
        w = -w;
    }
    if (area == 0.0f || v < 0.0f || w < 0.0f || v + w > area) {
        return false;
    }
    *height = a[1] + ((corners[1][1] - a[1]) * v + (corners[2][1] - a[1]) * w) / area;
    return true;
}

// The height of a triangle's border where it is closest to (x, z), and how far, squared, that is.
static float border_height(const float *const corners[3], float x, float z, float *distance2)
{
    float height = corners[0][1];
    *distance2 = INFINITY;
    for (int k = 0; k < 3; ++k) {
        const float *from = corners[k];
        const float *to = corners[(k + 1) % 3];
        float t = closest_on_segment(from, to, x, z);
        float dx = from[0] + (to[0] - from[0]) * t - x;
        float dz = from[2] + (to[2] - from[2]) * t - z;
        if (dx * dx + dz * dz < *distance2) {
            *distance2 = dx * dx + dz * dz;
            height = from[1] + (to[1] - from[1]) * t;
        }
    }
    return height;
}

// What a polygon's height is made of: its own corners, its extra vertices, and triangles over both;
// without detail triangles it is a fan.
typedef struct surface {
    const float (*mesh_vertices)[3];
    const uint32_t *corners;
    const float (*extra_vertices)[3];
    const uint16_t (*triangles)[3]; // NULL: a fan
    uint32_t corner_count, triangle_count;
} surface;

static surface surface_of(const nav_mesh *mesh, uint32_t polygon)
{
    uint32_t first = mesh->detail_triangle_first[polygon];
    surface s = {
        .mesh_vertices = (const float(*)[3])mesh->vertices,
        .corners = mesh->corners + mesh->corner_first[polygon],
        .extra_vertices =
            (const float(*)[3])mesh->detail_vertices + mesh->detail_vertex_first[polygon],
        .triangles = (const uint16_t(*)[3])mesh->detail_triangles + first,
        .corner_count = mesh->corner_first[polygon + 1] - mesh->corner_first[polygon],
        .triangle_count = mesh->detail_triangle_first[polygon + 1] - first,
    };
    if (s.triangle_count == 0) {
        s.triangles = NULL;
        s.triangle_count = s.corner_count - 2;
    }
    return s;
}

// Indices count the polygon's own corners first, then the extra vertices.
static inline const float *surface_vertex(const surface *s, uint32_t index)
{
    return index < s->corner_count ? s->mesh_vertices[s->corners[index]]
                                   : s->extra_vertices[index - s->corner_count];
}

static inline void surface_triangle(const surface *s, uint32_t index, const float *corners[3])
{
    const uint16_t fan[3] = {0, (uint16_t)(index + 1), (uint16_t)(index + 2)};
    const uint16_t *triangle = s->triangles != NULL ? s->triangles[index] : fan;
    corners[0] = surface_vertex(s, triangle[0]);
    corners[1] = surface_vertex(s, triangle[1]);
    corners[2] = surface_vertex(s, triangle[2]);
}

// A coordinate in 255ths of a polygon's bounds, between the two whole ones next to it.
typedef struct grain {
    int32_t low, high;
} grain;

static grain grain_of(float at, float min, float max)
{
    const float size = max - min;
    const float part = size > 0.0f ? (at - min) / size * 255.0f : 0.0f;
    const float inside = part > 0.0f ? part < 255.0f ? part : 255.0f : 0.0f;
    const int32_t low = (int32_t)inside;
    return (grain){.low = low, .high = low + ((float)low < inside)};
}

// Whether a place may lie over a triangle with these bounds. All are compared: branches cost more.
static inline bool may_hold(const uint8_t bounds[4], grain x, grain z)
{
    return (bounds[0] <= x.low) & (bounds[1] <= z.low) & (bounds[2] >= x.high) &
           (bounds[3] >= z.high);
}

// The height of the triangle over (x, z). Detail need not cover the polygon to the last bit: false
// where there is none.
static bool height_inside(const nav_mesh *mesh, const surface *s, uint32_t polygon, float x,
                          float z, float *height)
{
    const float *corners[3];
    if (mesh->locate.block == NULL || s->triangles == NULL) {
        for (uint32_t i = 0; i < s->triangle_count; ++i) {
            surface_triangle(s, i, corners);
            if (triangle_height(corners, x, z, height)) {
                return true;
            }
        }
        return false;
    }
    const nav_tile_node *leaf = &mesh->nodes[mesh->locate.leaves[polygon]];
    const grain at_x = grain_of(x, leaf->min[0], leaf->max[0]);
    const grain at_z = grain_of(z, leaf->min[2], leaf->max[2]);
    const uint8_t(*bounds)[4] =
        (const uint8_t(*)[4])mesh->locate.detail_bounds + mesh->detail_triangle_first[polygon];
    for (uint32_t i = 0; i < s->triangle_count; ++i) {
        if (may_hold(bounds[i], at_x, at_z)) {
            surface_triangle(s, i, corners);
            if (triangle_height(corners, x, z, height)) {
                return true;
            }
        }
    }
    return false;
}

// The height of a polygon at (x, z): that of the triangle there, or of the closest one.
static float height_at(const nav_mesh *mesh, uint32_t polygon, float x, float z)
{
    const surface s = surface_of(mesh, polygon);
    float height = 0.0f;
    if (height_inside(mesh, &s, polygon, x, z, &height)) {
        return height;
    }
    float best2 = INFINITY;
    for (uint32_t i = 0; i < s.triangle_count; ++i) {
        const float *corners[3];
        float distance2;
        surface_triangle(&s, i, corners);
        float at = border_height(corners, x, z, &distance2);
        if (distance2 < best2) {
            best2 = distance2;
            height = at;
        }
    }
    return height;
}

// ---- search ----

// In the order of the answer. Equal distances go to the lower polygon.
static bool comes_before(const search *s, const nav_location *a, const nav_location *b)
{
    const bool a_high = a->position[1] > s->high, b_high = b->position[1] > s->high;
    return a_high != b_high             ? b_high
           : a->distance != b->distance ? a->distance < b->distance
                                        : a->polygon < b->polygon;
}

// Whether no place this far away, squared, can be among the answers. Equal distances can.
static bool is_too_far(const search *s, float distance2, bool high)
{
    if (s->count < s->capacity) {
        return false;
    }
    const nav_location *worst = &s->out[s->count - 1];
    const bool worst_high = worst->position[1] > s->high;
    return high != worst_high ? high : distance2 > worst->distance;
}

static void keep(search *s, const nav_location *place)
{
    for (uint32_t i = 0; i < s->count; ++i) {
        if (s->out[i].polygon == place->polygon) {
            return; // seen in the grid already
        }
    }
    if (s->count == s->capacity && !comes_before(s, place, &s->out[s->count - 1])) {
        return;
    }
    uint32_t at = s->count < s->capacity ? s->count++ : s->count - 1;
    for (; at > 0 && comes_before(s, place, &s->out[at - 1]); --at) {
        s->out[at] = s->out[at - 1];
    }
    s->out[at] = *place;
}

static bool is_closed(const search *s, uint32_t polygon)
{
    const nav_reach *reach = &s->reach;
    return (reach->costs != NULL && reach->costs->area[s->mesh->areas[polygon]] == INFINITY) ||
           (reach->overlay != NULL && nav_overlay_is_cut(reach->overlay, polygon)) ||
           (reach->polygons != NULL && reach->polygons[polygon] != reach->stamp);
}

// Keeps the polygon's place (whose x and z are filled in) if it is within limits.
static void keep_place(search *s, nav_location *place, float plan2)
{
    if (is_too_far(s, plan2, false)) {
        return;
    }
    place->position[1] = height_at(s->mesh, place->polygon, place->position[0], place->position[2]);
    for (int axis = 0; axis < 3; ++axis) {
        if (place->position[axis] < s->min[axis] || place->position[axis] > s->max[axis]) {
            return;
        }
    }
    const float rise = place->position[1] - s->point[1];
    place->distance = plan2 + rise * rise;
    keep(s, place);
}

static void visit_polygon(search *s, uint32_t polygon)
{
    if (!is_closed(s, polygon)) {
        nav_location place = {.polygon = polygon, .position = {s->point[0], 0.0f, s->point[2]}};
        const float plan2 =
            clamp_to_polygon(s->mesh, polygon, &place.position[0], &place.position[2]);
        keep_place(s, &place, plan2);
    }
}

// The square of the distance from the point to a box; infinite where the box lies outside the
// search's.
static float box_distance2(const search *s, const nav_tile_node *node)
{
    float sum = 0.0f;
    for (int axis = 0; axis < 3; ++axis) {
        if (node->max[axis] < s->min[axis] || node->min[axis] > s->max[axis]) {
            return INFINITY;
        }
        float at = s->point[axis];
        float d = at < node->min[axis]   ? node->min[axis] - at
                  : at > node->max[axis] ? at - node->max[axis]
                                         : 0.0f;
        sum += d * d;
    }
    return sum;
}

// True where nothing below a node belongs to a component that is asked for.
static bool is_out_of_reach(const search *s, uint32_t node)
{
    if (s->reach.reached == NULL && s->reach.component == NAV_NONE) {
        return false; // while a mesh is made, its labels are not known yet
    }
    uint32_t sole = s->mesh->node_components[node];
    return sole != NAV_MESH_MIXED && !nav_is_within_reach(&s->reach, sole);
}

static void visit_leaf(search *s, uint32_t index)
{
    const nav_tile_node *leaf = &s->mesh->nodes[index];
    const float distance2 = box_distance2(s, leaf);
    if (distance2 == INFINITY || is_too_far(s, distance2, leaf->min[1] > s->high) ||
        is_out_of_reach(s, index)) {
        return;
    }
    // As far as the last place that is kept: only a lower number would replace it.
    if (s->count == s->capacity && distance2 == s->out[s->count - 1].distance &&
        leaf->polygon >= s->out[s->count - 1].polygon) {
        return;
    }
    visit_polygon(s, leaf->polygon);
}

// ---- over and under the point ----

// How far a coordinate lies outside of an interval.
static inline float beside(float at, float min, float max)
{
    const float below = min - at, above = at - max;
    const float most = below > above ? below : above;
    return most > 0.0f ? most : 0.0f;
}

// Keeps the polygon's place if it lies over or under the point; notes what lies near it.
static void visit_column_leaf(search *s, uint32_t index, float floor_max)
{
    const nav_tile_node *leaf = &s->mesh->nodes[index];
    const float x = s->point[0], z = s->point[2];
    const float dx = beside(x, leaf->min[0], leaf->max[0]);
    const float dz = beside(z, leaf->min[2], leaf->max[2]);
    const float plan2 = dx * dx + dz * dz;
    if (plan2 > 0.0f) {
        s->beside2 = plan2 < s->beside2 ? plan2 : s->beside2;
        return;
    }
    if (leaf->max[1] < s->min[1] || leaf->min[1] > s->max[1] || is_closed(s, leaf->polygon) ||
        is_out_of_reach(s, index)) {
        return;
    }
    if (!is_over_polygon(s->mesh, leaf->polygon, x, z)) {
        if (s->missed_count < MISSED_MAX) {
            s->missed[s->missed_count] = index;
        }
        ++s->missed_count;
        return;
    }
    const float y = height_at(s->mesh, leaf->polygon, x, z);
    if (y >= s->min[1] && y <= s->max[1]) {
        // Before the first floor all that is kept lies higher: its order stays.
        s->high = y <= floor_max ? floor_max : s->high;
        const nav_location place = {.polygon = leaf->polygon,
                                    .position = {x, y, z},
                                    .distance = (y - s->point[1]) * (y - s->point[1])};
        keep(s, &place);
    }
}

static void visit_column(search *s)
{
    const nav_mesh *mesh = s->mesh;
    const nav_locate *l = &mesh->locate;
    const float floor_max = s->point[1] + mesh->agent_max_climb;
    if (l->block != NULL) {
        const uint32_t x = nav_locate_cell(s->point[0], l->min[0], l->per_cell, l->width);
        const uint32_t z = nav_locate_cell(s->point[2], l->min[1], l->per_cell, l->depth);
        const uint32_t *first = &l->cell_first[(size_t)z * l->width + x];
        for (uint32_t i = first[0]; i < first[1]; ++i) {
            visit_column_leaf(s, l->leaves[l->cell_polygons[i]], floor_max);
        }
        return;
    }
    for (uint32_t i = 0; i < mesh->node_count;) {
        const nav_tile_node *node = &mesh->nodes[i];
        const bool off = s->point[0] < node->min[0] || s->point[0] > node->max[0] ||
                         s->point[2] < node->min[2] || s->point[2] > node->max[2];
        if (!off && node->polygon != NAV_NONE) {
            visit_column_leaf(s, i, floor_max);
        }
        i = off ? node->end : i + 1;
    }
}

// ---- around the point ----

// Looks at all polygons as near as the last place kept, if the cells that hold them are few. False
// where they are not.
static bool visit_cells(search *s)
{
    const nav_locate *l = &s->mesh->locate;
    if (l->block == NULL) {
        return false;
    }
    float radius = s->max[0] - s->point[0];
    if (s->count == s->capacity && s->out[s->count - 1].position[1] <= s->high) {
        const float distance = sqrtf(s->out[s->count - 1].distance) * 1.00001f;
        radius = distance < radius ? distance : radius;
    }
    const float x = s->point[0], z = s->point[2];
    const uint32_t x0 = nav_locate_cell(x - radius, l->min[0], l->per_cell, l->width);
    const uint32_t x1 = nav_locate_cell(x + radius, l->min[0], l->per_cell, l->width);
    const uint32_t z0 = nav_locate_cell(z - radius, l->min[1], l->per_cell, l->depth);
    const uint32_t z1 = nav_locate_cell(z + radius, l->min[1], l->per_cell, l->depth);
    if (x1 - x0 > CELLS_AROUND_MAX || z1 - z0 > CELLS_AROUND_MAX) {
        return false;
    }
    // The column's own cell: it has told what else could be as near, or in a corner of the box.
    if (x0 == x1 && z0 == z1 && s->beside2 > 2.0f * radius * radius &&
        s->missed_count <= MISSED_MAX) {
        for (uint32_t i = 0; i < s->missed_count; ++i) {
            visit_leaf(s, s->missed[i]);
        }
        return true;
    }
    for (uint32_t row = z0; row <= z1; ++row) {
        for (uint32_t column = x0; column <= x1; ++column) {
            const uint32_t *first = &l->cell_first[(size_t)row * l->width + column];
            for (uint32_t i = first[0]; i < first[1]; ++i) {
                visit_leaf(s, l->leaves[l->cell_polygons[i]]);
            }
        }
    }
    return true;
}

// A descent of a tree from `root` on, nearer child first; leaves are told to `visit`.
static void descend(search *s, const nav_tile_node *nodes, uint32_t root, bool components,
                    void (*visit)(search *, uint32_t))
{
    // The far children on the way down: one a level at most.
    struct {
        uint32_t node;
        float distance2;
    } stack[NAV_TILE_DEPTH_MAX + 1];
    int depth = 0;
    stack[depth].node = root;
    stack[depth++].distance2 = box_distance2(s, &nodes[root]);
    while (depth > 0) {
        --depth;
        const uint32_t index = stack[depth].node;
        const nav_tile_node *node = &nodes[index];
        // Equal distances are looked at: a smaller polygon index may win. Infinity is outside.
        if (stack[depth].distance2 == INFINITY ||
            is_too_far(s, stack[depth].distance2, node->min[1] > s->high) ||
            (components && is_out_of_reach(s, index))) {
            continue;
        }
        if (node->polygon != NAV_NONE) {
            visit(s, components ? index : node->polygon);
            continue;
        }
        const uint32_t near = index + 1;
        const uint32_t far = nodes[near].end;
        const float near2 = box_distance2(s, &nodes[near]);
        const float far2 = box_distance2(s, &nodes[far]);
        const bool swapped = far2 < near2;
        stack[depth].node = swapped ? near : far;
        stack[depth++].distance2 = swapped ? near2 : far2;
        stack[depth].node = swapped ? far : near;
        stack[depth++].distance2 = swapped ? far2 : near2;
    }
}

static void visit_tree(search *s, uint32_t root)
{
    descend(s, s->mesh->nodes, root, true, visit_leaf);
}

static void visit_trees(search *s)
{
    if (s->mesh->locate.block != NULL) {
        descend(s, s->mesh->locate.top, 0, false, visit_tree);
        return;
    }
    for (uint32_t i = 0; i < s->mesh->root_count; ++i) {
        visit_tree(s, s->mesh->roots[i]);
    }
}

static uint32_t take_roots(search *s)
{
    for (uint32_t i = 0; i < s->count; ++i) {
        s->out[i].distance = sqrtf(s->out[i].distance);
    }
    return s->count;
}

// ---- exported ----

float nav_view_height(const nav_view *view, uint32_t polygon, float x, float z)
{
    return height_at(view->mesh, nav_view_base(view, polygon), x, z);
}

nav_snap nav_snap_default(void)
{
    return (nav_snap){.horizontal = 2.0f, .up = 4.0f, .down = 4.0f};
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
    search s = {
        .mesh = mesh,
        .point = point,
        .min = {point[0] - snap.horizontal, point[1] - snap.down, point[2] - snap.horizontal},
        .max = {point[0] + snap.horizontal, point[1] + snap.up, point[2] + snap.horizontal},
        .reach = reach,
        .high = INFINITY,
        .beside2 = INFINITY,
        .out = out,
        .capacity = capacity,
    };
    visit_column(&s);
    if (!visit_cells(&s)) {
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
    search s = {
        .mesh = mesh,
        .point = point,
        .min = {-INFINITY, -INFINITY, -INFINITY},
        .max = {INFINITY, INFINITY, INFINITY},
        .reach = reach,
        .high = INFINITY,
        .beside2 = INFINITY,
        .out = out,
        .capacity = 1,
    };
    visit_trees(&s);
    return take_roots(&s) > 0;
}
