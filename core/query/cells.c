// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// cells.c: the positions nearest to a point as far as the grid (mesh/locate.c) tells. All ground
// over and under the point is in the list of its cell, and tells how near anything else has to be:
// mostly nothing is. See nearest.h.

#include "core/base/tolerances.h"
#include "core/query/nearest.h"

#include <math.h>

// Cells beyond one that are looked at along either axis before the trees are asked.
#define CELLS_AROUND_MAX 4u
// Polygons whose boxes hold the point, but not they, that are remembered.
#define MISSED_MAX 8u

// How far a coordinate lies outside of an interval.
static inline float beside(float at, float min, float max)
{
    const float below = min - at, above = at - max;
    const float most = below > above ? below : above;
    return (most + fabsf(most)) * 0.5f; // without a branch, which nothing could foretell
}

static inline bool is_over_bounds(const float point[3], const float min[3], const float max[3])
{
    const float dx = beside(point[0], min[0], max[0]);
    const float dz = beside(point[2], min[2], max[2]);
    return !(dx * dx + dz * dz > 0.0f);
}

// Keeps the polygon's position if it lies over or under the point. False where it does not.
static bool visit_over(nav_nearest *s, uint32_t polygon, float floor_max)
{
    NAV_DCHECK(polygon < s->mesh->stats.polygons);
    const nav_polygon_record *record = &s->mesh->records[polygon];
    const float x = s->point[0], z = s->point[2];
    if (record->max[1] < s->min[1] || record->min[1] > s->max[1] ||
        !is_over_bounds(s->point, record->min, record->max) ||
        nav_nearest_is_closed(s, record, polygon) ||
        !nav_is_within_reach(&s->reach, record->component) ||
        !nav_is_under(s->mesh, polygon, x, z)) {
        return false;
    }
    const float y = nav_mesh_height(s->mesh, polygon, x, z);
    if (y >= s->min[1] && y <= s->max[1]) {
        // Before the first floor all that is kept lies higher: its order stays.
        s->high = y <= floor_max ? floor_max : s->high;
        const nav_location location = {.polygon = polygon,
                                       .position = {x, y, z},
                                       .distance = (y - s->point[1]) * (y - s->point[1])};
        nav_nearest_keep(s, &location);
    }
    return true;
}

// While there is no grid yet.
static void visit_over_in_trees(nav_nearest *s, float floor_max)
{
    const nav_mesh *mesh = s->mesh;
    for (uint32_t i = 0; i < mesh->node_count;) {
        const nav_tile_node *node = &mesh->nodes[i];
        const bool over = is_over_bounds(s->point, node->min, node->max);
        if (over && nav_node_is_leaf(node)) {
            visit_over(s, node->polygon, floor_max);
        }
        i = over ? i + 1 : node->end;
    }
}

// Polygons of the point's cell whose boxes hold the point, but which do not lie over or under it,
// or are out of limits.
typedef struct beside_list {
    uint32_t polygons[MISSED_MAX];
    uint32_t count; // more than fit: not all are remembered
} beside_list;

static void visit_box(nav_nearest *s, uint32_t polygon, float floor_max, beside_list *missed)
{
    if (!visit_over(s, polygon, floor_max)) {
        missed->polygons[missed->count % MISSED_MAX] = polygon;
        ++missed->count;
    }
}

// Whether the last position that is wanted is the point itself. A polygon that could replace it
// then has the point in its box.
static bool is_at_point(const nav_nearest *s)
{
    return s->count == s->capacity && s->out[s->count - 1].distance == 0.0f &&
           s->out[s->count - 1].position[1] <= s->high;
}

// Visits the polygons over and under the point. First all boxes, without a branch in between, then
// what they hold. Polygons are listed by number: once the position is the point itself, none that
// follows can be the answer, as equal positions go to the lower one.
static void visit_column(nav_nearest *s, float floor_max, beside_list *missed)
{
    uint32_t probe;
    const nav_locate *l = &s->mesh->locate;
    const nav_locate_cell *cell = nav_locate_find(l, s->point, &probe);
    uint32_t over[NAV_CELL_SLOTS];
    uint32_t count = 0;
    for (uint32_t i = 0; i < NAV_CELL_SLOTS; ++i) {
        over[count] = cell->polygons[i];
        count += nav_box_meets(cell->boxes[i], probe);
    }
    for (uint32_t i = 0; i < count; ++i) {
        NAV_DCHECK(over[i] < s->mesh->stats.polygons);
        visit_box(s, over[i], floor_max, missed);
        if (is_at_point(s)) {
            return;
        }
    }
    if (cell->boxes[NAV_CELL_SLOTS - 1] == NAV_BOX_MORE) {
        const nav_locate_entry *rest = &l->more[cell->polygons[NAV_CELL_SLOTS - 1]];
        for (uint32_t i = 1; i <= rest[0].polygon && !is_at_point(s); ++i) {
            if (nav_box_meets(rest[i].box, probe)) {
                visit_box(s, rest[i].polygon, floor_max, missed);
            }
        }
    }
}

// ---- around the point ----

// The cells to look at around a point: along x, then z.
typedef struct surroundings {
    float least[2], most[2];    // in cells
    uint32_t first[2], last[2]; // cells
} surroundings;

static surroundings surroundings_of(const nav_nearest *s)
{
    const nav_locate *l = &s->mesh->locate;
    const uint32_t sizes[2] = {l->width, l->depth};
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
        out.first[k] = nav_locate_along(out.least[k], sizes[k]);
        out.last[k] = nav_locate_along(out.most[k], sizes[k]);
        NAV_DCHECK(out.first[k] <= out.last[k]);
        NAV_DCHECK(out.last[k] < sizes[k]);
    }
    return out;
}

static void visit_once(nav_nearest *s, uint32_t polygon, const beside_list *seen)
{
    for (uint32_t i = 0; i < seen->count && i < MISSED_MAX; ++i) {
        if (seen->polygons[i] == polygon) {
            return;
        }
    }
    nav_nearest_visit(s, polygon);
}

static void visit_cell(nav_nearest *s, const surroundings *around, const beside_list *seen,
                       uint32_t x, uint32_t z)
{
    const nav_locate *l = &s->mesh->locate;
    const nav_locate_cell *cell = &l->cells[(size_t)z * l->width + x];
    NAV_DCHECK(x < l->width);
    NAV_DCHECK(z < l->depth);
    const uint32_t probe =
        nav_box_probe(nav_locate_part(around->least[0], x), nav_locate_part(around->least[1], z),
                      nav_locate_part(around->most[0], x), nav_locate_part(around->most[1], z));
    for (uint32_t i = 0; i < NAV_CELL_SLOTS; ++i) {
        if (nav_box_meets(cell->boxes[i], probe) && cell->polygons[i] != NAV_NONE) {
            visit_once(s, cell->polygons[i], seen);
        }
    }
    if (cell->boxes[NAV_CELL_SLOTS - 1] == NAV_BOX_MORE) {
        const nav_locate_entry *rest = &l->more[cell->polygons[NAV_CELL_SLOTS - 1]];
        for (uint32_t i = 1; i <= rest[0].polygon; ++i) {
            if (nav_box_meets(rest[i].box, probe)) {
                visit_once(s, rest[i].polygon, seen);
            }
        }
    }
}

// All polygons as near as the last position that is kept, but those that have been seen.
static bool visit_around(nav_nearest *s, const beside_list *seen)
{
    const surroundings around = surroundings_of(s);
    if (around.last[0] - around.first[0] > CELLS_AROUND_MAX ||
        around.last[1] - around.first[1] > CELLS_AROUND_MAX) {
        return false;
    }
    for (uint32_t z = around.first[1]; z <= around.last[1]; ++z) {
        for (uint32_t x = around.first[0]; x <= around.last[0]; ++x) {
            visit_cell(s, &around, seen, x, z);
        }
    }
    return true;
}

// The last position that is wanted is the point itself: of what was missed only a polygon with a
// lower number can replace it, with its border.
static void visit_borders(nav_nearest *s, const beside_list *missed)
{
    NAV_ASSERT(s->count == s->capacity);
    NAV_ASSERT(missed->count <= MISSED_MAX);
    for (uint32_t i = 0; i < missed->count; ++i) {
        const uint32_t polygon = missed->polygons[i];
        const nav_polygon_record *record = &s->mesh->records[polygon];
        if (polygon < s->out[s->count - 1].polygon &&
            is_over_bounds(s->point, record->min, record->max)) {
            nav_nearest_visit_border(s, polygon);
        }
    }
}

// ---- exported ----

bool nav_nearest_in_cells(nav_nearest *s)
{
    const float floor_max = s->point[1] + s->mesh->agent_max_climb;
    beside_list missed;
    missed.count = 0;
    if (s->mesh->locate.block == NULL) {
        visit_over_in_trees(s, floor_max);
        return false;
    }
    visit_column(s, floor_max, &missed);
    if (is_at_point(s) && missed.count <= MISSED_MAX) {
        visit_borders(s, &missed);
        return true;
    }
    for (uint32_t i = 0; i < missed.count && i < MISSED_MAX; ++i) {
        // Mostly so near that nothing beyond the cell can be nearer.
        nav_nearest_visit(s, missed.polygons[i]);
    }
    return visit_around(s, &missed);
}

// ---- asking memory for two points at once ----

// Only a mesh that is large enough to have compact records is prefetched: a smaller one stays in a
// core's own cache, and prefetching would cost more than it saves.

// Polygons over or under a point that are asked for.
#define LOOKED_AT_MAX 12u
#define POINTS 2

typedef struct column {
    const nav_locate_cell *cell;
    uint32_t probe;
    uint32_t count;
} column;

static inline void ask_for(const void *at)
{
    __builtin_prefetch(at, 0, 3);
}

static void ask_for_cell(const nav_locate *l, const float point[3], column *c)
{
    c->cell = nav_locate_find(l, point, &c->probe);
    c->count = 0;
    ask_for(c->cell);
}

static inline bool has_more(const column *c)
{
    return c->cell->boxes[NAV_CELL_SLOTS - 1] == NAV_BOX_MORE;
}

static inline const nav_locate_entry *rest_of(const nav_locate *l, const column *c)
{
    return &l->more[c->cell->polygons[NAV_CELL_SLOTS - 1]];
}

static void ask_for_rest(const nav_locate *l, const column *c)
{
    if (has_more(c)) {
        ask_for(rest_of(l, c));
        ask_for(rest_of(l, c) + NAV_CELL_SLOTS);
    }
}

static void ask_for_record(const nav_mesh *mesh, column *c, uint32_t box, uint32_t polygon)
{
    if (nav_box_meets(box, c->probe) && c->count < LOOKED_AT_MAX) {
        NAV_DCHECK(polygon < mesh->stats.polygons);
        const nav_polygon_record *record = &mesh->records[polygon];
        const nav_compact_record *compact = &mesh->locate.compact_records[polygon];
        ++c->count;
        ask_for(record);
        ask_for(&record->corner_count);
        ask_for(compact);
    }
}

static void ask_for_records(const nav_mesh *mesh, column *c)
{
    for (uint32_t i = 0; i < NAV_CELL_SLOTS; ++i) {
        ask_for_record(mesh, c, c->cell->boxes[i], c->cell->polygons[i]);
    }
    const nav_locate_entry *rest = has_more(c) ? rest_of(&mesh->locate, c) : NULL;
    for (uint32_t i = 1; rest != NULL && i <= rest[0].polygon; ++i) {
        ask_for_record(mesh, c, rest[i].box, rest[i].polygon);
    }
}

void nav_query_fetch(const nav_mesh *mesh, const float a[3], const float b[3])
{
    if (mesh->locate.compact_records == NULL) {
        return;
    }
    const float *points[POINTS] = {a, b};
    column columns[POINTS];
    for (int i = 0; i < POINTS; ++i) {
        ask_for_cell(&mesh->locate, points[i], &columns[i]);
    }
    for (int i = 0; i < POINTS; ++i) {
        ask_for_rest(&mesh->locate, &columns[i]);
    }
    for (int i = 0; i < POINTS; ++i) {
        ask_for_records(mesh, &columns[i]);
    }
}
