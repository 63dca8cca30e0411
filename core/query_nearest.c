// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// query_nearest.c: the places on the mesh nearest to a point. What lies over and under the point is
// in one cell of a grid (mesh_locate.c), and mostly no other place can be nearer. Else a descent of
// the bounding-volume trees, nearer child first, leaves out every box farther away than the worst
// place kept.
//
// A polygon's place for a point is, in plan view, the point itself where it lies over the polygon,
// else the closest point of the polygon's border; its height comes from query_height.c.

#include "plane.h"
#include "query.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Cells beyond one that are looked at along either axis before the trees are asked.
#define CELLS_AROUND_MAX 4u
// Polygons whose bounds hold the point, but not they, that are remembered.
#define MISSED_MAX 6u
// Polygons of a cell that are looked at together.
#define CELL_PART 16u

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

// A ray from the place towards +x crosses the border of what it lies in an odd number of times.
static bool is_over_polygon(const nav_mesh *mesh, uint32_t polygon, float x, float z)
{
    uint32_t end = mesh->corner_first[polygon + 1];
    const float *a = mesh->vertices[mesh->corners[end - 1]];
    bool inside = false;
    for (uint32_t k = mesh->corner_first[polygon]; k < end; ++k) {
        const float *b = mesh->vertices[mesh->corners[k]];
        // Without branches, which nothing could foretell.
        const float side = (b[0] - a[0]) * (z - a[2]) - (x - a[0]) * (b[2] - a[2]);
        const bool rises = b[2] > a[2];
        const bool crossed = ((a[2] > z) != (b[2] > z)) & ((rises ? side : -side) > 0.0f);
        inside ^= crossed;
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
        float t = nav_plane_closest_place(a, b, from_x, from_z);
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

// How far a coordinate lies outside of an interval.
static inline float beside(float at, float min, float max)
{
    const float below = min - at, above = at - max;
    const float most = below > above ? below : above;
    return (most + fabsf(most)) * 0.5f; // without a branch, which nothing could foretell
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

// Whether it was seen in the grid already.
static inline bool is_kept(const search *s, uint32_t polygon)
{
    for (uint32_t i = 0; i < s->count; ++i) {
        if (s->out[i].polygon == polygon) {
            return true;
        }
    }
    return false;
}

static void keep(search *s, const nav_location *place)
{
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
    place->position[1] =
        nav_mesh_height(s->mesh, place->polygon, place->position[0], place->position[2]);
    for (int axis = 0; axis < 3; ++axis) {
        if (place->position[axis] < s->min[axis] || place->position[axis] > s->max[axis]) {
            return;
        }
    }
    const float rise = place->position[1] - s->point[1];
    place->distance = plan2 + rise * rise;
    keep(s, place);
}

static void visit_polygon(search *s, const nav_tile_node *leaf)
{
    const uint32_t polygon = leaf->polygon;
    if (is_kept(s, polygon) || is_closed(s, polygon)) {
        return;
    }
    nav_location place = {.polygon = polygon, .position = {s->point[0], 0.0f, s->point[2]}};
    const float plan2 = clamp_to_polygon(s->mesh, polygon, &place.position[0], &place.position[2]);
    const float rise = beside(s->point[1], leaf->min[1], leaf->max[1]);
    if (!is_too_far(s, plan2 + rise * rise, leaf->min[1] > s->high)) {
        keep_place(s, &place, plan2);
    }
}

// Whether a box does not meet the search's.
static inline bool is_outside(const search *s, const nav_tile_node *node)
{
    bool outside = false;
    for (int axis = 0; axis < 3; ++axis) {
        outside |= (node->max[axis] < s->min[axis]) | (node->min[axis] > s->max[axis]);
    }
    return outside;
}

// The square of the distance from the point to a box.
static inline float near_distance2(const search *s, const nav_tile_node *node)
{
    const float dx = beside(s->point[0], node->min[0], node->max[0]);
    const float dy = beside(s->point[1], node->min[1], node->max[1]);
    const float dz = beside(s->point[2], node->min[2], node->max[2]);
    return dx * dx + dy * dy + dz * dz;
}

// The same, infinite where the box lies outside the search's.
static float box_distance2(const search *s, const nav_tile_node *node)
{
    return is_outside(s, node) ? INFINITY : near_distance2(s, node);
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

static void look_at_leaf(search *s, uint32_t index, float distance2)
{
    const nav_tile_node *leaf = &s->mesh->nodes[index];
    if (is_outside(s, leaf) || is_out_of_reach(s, index)) {
        return;
    }
    // As far as the last place that is kept: only a lower number would replace it.
    if (s->count == s->capacity && distance2 == s->out[s->count - 1].distance &&
        leaf->polygon >= s->out[s->count - 1].polygon) {
        return;
    }
    visit_polygon(s, leaf);
}

// Most leaves are too far away, which is found out without a branch.
static inline void visit_leaf(search *s, uint32_t index)
{
    const nav_tile_node *leaf = &s->mesh->nodes[index];
    const float distance2 = near_distance2(s, leaf);
    if (!is_too_far(s, distance2, leaf->min[1] > s->high)) {
        look_at_leaf(s, index, distance2);
    }
}

// ---- over and under the point ----

// Notes how near the bounds of what does not hold the point are. Returns whether a leaf's do.
static inline bool is_over_bounds(search *s, const nav_tile_node *leaf)
{
    const float dx = beside(s->point[0], leaf->min[0], leaf->max[0]);
    const float dz = beside(s->point[2], leaf->min[2], leaf->max[2]);
    const float plan2 = dx * dx + dz * dz;
    const float away2 = plan2 > 0.0f ? plan2 : INFINITY;
    s->beside2 = away2 < s->beside2 ? away2 : s->beside2;
    return !(plan2 > 0.0f);
}

// Keeps the polygon's place if it lies over or under the point, as its bounds do.
static void visit_column_leaf(search *s, uint32_t index, float floor_max)
{
    const nav_tile_node *leaf = &s->mesh->nodes[index];
    const float x = s->point[0], z = s->point[2];
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
    const float y = nav_mesh_height(s->mesh, leaf->polygon, x, z);
    if (y >= s->min[1] && y <= s->max[1]) {
        // Before the first floor all that is kept lies higher: its order stays.
        s->high = y <= floor_max ? floor_max : s->high;
        const nav_location place = {.polygon = leaf->polygon,
                                    .position = {x, y, z},
                                    .distance = (y - s->point[1]) * (y - s->point[1])};
        keep(s, &place);
    }
}

// The leaves of the point's cell: first all bounds, without a branch in between, then what they
// hold.
static void visit_own_cell(search *s, const uint32_t first[2], float floor_max)
{
    const nav_locate *l = &s->mesh->locate;
    uint32_t over[CELL_PART];
    for (uint32_t begin = first[0]; begin < first[1]; begin += CELL_PART) {
        const uint32_t end = first[1] - begin < CELL_PART ? first[1] : begin + CELL_PART;
        uint32_t count = 0;
        for (uint32_t i = begin; i < end; ++i) {
            const uint32_t index = l->leaves[l->cell_polygons[i]];
            over[count] = index;
            count += is_over_bounds(s, &s->mesh->nodes[index]);
        }
        for (uint32_t i = 0; i < count; ++i) {
            visit_column_leaf(s, over[i], floor_max);
        }
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
        visit_own_cell(s, &l->cell_first[(size_t)z * l->width + x], floor_max);
        return;
    }
    for (uint32_t i = 0; i < mesh->node_count;) {
        const nav_tile_node *node = &mesh->nodes[i];
        const bool off = s->point[0] < node->min[0] || s->point[0] > node->max[0] ||
                         s->point[2] < node->min[2] || s->point[2] > node->max[2];
        if (!off && node->polygon != NAV_NONE && is_over_bounds(s, node)) {
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
