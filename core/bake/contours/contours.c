// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// contours.c: step 7, region borders -> simplified closed contours.
//
// The stage after the partition and before the polygons:
//   1. mark for each span the sides on which another region begins;
//   2. walk along the marked sides, taking each off as it is passed, until the walk closes: one
//      point per cell edge, at the cell's corner, as high as the lowest floor that meets there;
//   3. simplify the walk (simplify.c);
//   4. where contours of a region cross, simplify again and split the edges that do (cross.c);
//   5. where a region has holes, merge their contours into its outline (holes.c).
//
//     +-<--<--<-+     Seen from above (x right, z down). A walk keeps the region to its left. At a
//     v         ^     marked side it turns to the next side of the same cell; at an unmarked one it
//     |  +->-+  |     steps into the neighbour and turns back. Outlines come out wound
//     v  ^   v  ^     counter-clockwise, borders of holes clockwise.
//     |  +-<-+  |
//     +->-->-->-+
//
// Each side is passed once: the stage is linear in the spans. Crossings are rare.

#include "core/bake/contours/contours.h"

#include <string.h>

// So many times edges that cross are split, before all contours follow the cells.
#define SPLIT_ROUNDS_MAX 32

// Counts that the stage keeps while it grows its outputs.
typedef struct tracer {
    const nav_bake_job *job;
    const nav_field *field;
    uint8_t *sides; // per span: bit d is set while the border on side d is still to be walked
    nav_contour_splits splits;
    nav_raw_contour raw;
    nav_contour *contours; // outlines and holes in order of their first span
    bool *is_hole;
    uint32_t count, capacity;
} tracer;

static uint32_t region_across(const nav_field *field, uint32_t span, int direction)
{
    uint32_t neighbour = nav_field_neighbour(field, span, direction);
    return neighbour == NAV_NONE ? 0 : field->region[neighbour];
}

static nav_status mark_sides(tracer *t)
{
    const nav_field *field = t->field;
    for (uint32_t span = 0; span < field->span_count; span++) {
        if (nav_cancel_poll(t->job->cancel, 1)) {
            return nav_bake_end(t->job);
        }
        uint32_t region = field->region[span];
        t->sides[span] = 0;
        if (region == 0 || (region & NAV_REGION_BORDER) != 0) {
            continue;
        }
        NAV_ASSERT(region <= field->region_count);
        for (int direction = 0; direction < 4; direction++) {
            if (region_across(field, span, direction) != region) {
                t->sides[span] |= (uint8_t)(1u << direction);
            }
        }
    }
    return NAV_OK;
}

// The spans that meet at a corner, in a ring around it: the span itself, the one across the side,
// the diagonal one and the one across the next side. The diagonal one is reached either way.
static void corner_ring(const nav_field *field, uint32_t span, int direction, uint32_t ring[4])
{
    int next = (direction + 1) & 3;
    ring[0] = span;
    ring[1] = nav_field_neighbour(field, span, direction);
    ring[2] = NAV_NONE;
    ring[3] = nav_field_neighbour(field, span, next);
    if (ring[1] != NAV_NONE) {
        ring[2] = nav_field_neighbour(field, ring[1], next);
    }
    if (ring[3] != NAV_NONE && nav_field_neighbour(field, ring[3], direction) != NAV_NONE) {
        ring[2] = nav_field_neighbour(field, ring[3], direction);
    }
}

// The corner is there only because the tile ends: two cells of one region of the padding are
// followed by two cells of the same area inside the tile, and nothing is missing around it: where
// one of them has lost its region, the contour turns there and needs the corner.
static bool is_border_vertex(const nav_field *field, const uint32_t ring[4])
{
    for (int i = 0; i < 4; i++) {
        if (ring[i] == NAV_NONE) {
            return false;
        }
    }
    for (int i = 0; i < 4; i++) {
        uint32_t a = ring[i], b = ring[(i + 1) & 3], c = ring[(i + 2) & 3], d = ring[(i + 3) & 3];
        bool same_outside = (field->region[a] & NAV_REGION_BORDER) != 0 &&
                            field->region[a] == field->region[b] &&
                            field->area[a] == field->area[b];
        bool both_inside = ((field->region[c] | field->region[d]) & NAV_REGION_BORDER) == 0 &&
                           field->region[c] != 0 && field->region[d] != 0;
        if (same_outside && both_inside && field->area[c] == field->area[d]) {
            return true;
        }
    }
    return false;
}

// The region across is the same on both sides of the corner, but its two cells there are not
// linked: a wall of that region, of no width, ends at this corner, and it has a point of its own
// there.
static bool meets_slit(const nav_field *field, const uint32_t ring[4], int direction)
{
    if (ring[1] == NAV_NONE || ring[3] == NAV_NONE ||
        field->region[ring[3]] != field->region[ring[0]]) {
        return false;
    }
    uint32_t beyond = nav_field_neighbour(field, ring[3], direction);
    return beyond != NAV_NONE && field->region[beyond] == field->region[ring[1]] &&
           nav_field_neighbour(field, ring[1], (direction + 1) & 3) != beyond;
}

// Both sides of the cell that meet at the corner are borders to the same region, which turns around
// the corner there, unless its cells are not linked with each other all the way: then it only
// touches itself, or a slit of it ends, at this corner, and it has a point of its own there.
static bool turns_around(const nav_field *field, const uint32_t ring[4], int direction)
{
    uint32_t diagonal = nav_field_neighbour(field, ring[1], (direction + 1) & 3);
    return diagonal != NAV_NONE && diagonal == nav_field_neighbour(field, ring[3], direction) &&
           field->region[diagonal] == field->region[ring[1]];
}

// The point in which the given side of the cell ends, with what lies across that side.
static nav_contour_point side_end(const nav_field *field, uint32_t span, int direction, int32_t x,
                                  int32_t z)
{
    uint32_t ring[4];
    corner_ring(field, span, direction, ring);
    nav_contour_point point = {
        .x = x + (direction == 1 || direction == 2),
        .y = nav_field_corner_floor(field, span, direction, (direction + 1) & 3),
        .z = z + (direction == 0 || direction == 1)};
    uint32_t across = region_across(field, span, direction);
    point.neighbour = across & ~NAV_REGION_BORDER;
    if ((across & NAV_REGION_BORDER) != 0) {
        point.neighbour |= NAV_CONTOUR_PADDING;
    }
    if (ring[1] != NAV_NONE && field->area[ring[1]] != field->area[span]) {
        point.neighbour |= NAV_CONTOUR_AREA_BORDER;
    }
    if (across != 0 && across == region_across(field, span, (direction + 1) & 3) &&
        !turns_around(field, ring, direction)) {
        point.neighbour |= NAV_CONTOUR_FIXED;
    }
    if (meets_slit(field, ring, direction)) {
        point.neighbour |= NAV_CONTOUR_FIXED;
    }
    if (is_border_vertex(field, ring)) {
        point.neighbour |= NAV_CONTOUR_BORDER_VERTEX;
    }
    return point;
}

static bool raw_add(nav_arena *scratch, nav_raw_contour *raw, nav_contour_point point)
{
    if (raw->count == raw->capacity) {
        if (raw->capacity > UINT32_MAX / 2) {
            return false;
        }
        uint32_t capacity = raw->capacity == 0 ? 256 : raw->capacity * 2;
        nav_contour_point *points =
            nav_arena_grow(scratch, raw->points, raw->count, capacity, sizeof *points);
        uint8_t *keep = NAV_NEW(scratch, uint8_t, capacity);
        if (points == NULL || keep == NULL) {
            return false;
        }
        raw->points = points;
        raw->keep = keep;
        raw->capacity = capacity;
    }
    raw->points[raw->count++] = point;
    return true;
}

// Walks the whole border on which the first marked side of the span at (x, z) lies. Links between
// spans are mutual, so each side has one successor and one predecessor: the walk closes.
static bool trace(tracer *t, uint32_t start, int32_t x, int32_t z)
{
    const int32_t start_x = x, start_z = z;
    int start_direction = 0;
    NAV_ASSERT(t->sides[start] != 0);
    while ((t->sides[start] & (1u << start_direction)) == 0) {
        start_direction++;
    }
    t->raw.count = 0;
    uint32_t span = start;
    int direction = start_direction;
    do {
        if ((t->sides[span] & (1u << direction)) != 0) {
            nav_contour_point point = side_end(t->field, span, direction, x, z);
            if (!raw_add(t->job->scratch, &t->raw, point)) {
                return false;
            }
            NAV_DCHECK(t->field->region[span] == t->field->region[start]);
            t->sides[span] &= (uint8_t) ~(1u << direction);
            direction = (direction + 1) & 3;
        } else {
            span = nav_field_neighbour(t->field, span, direction);
            NAV_ASSERT(span != NAV_NONE);
            x += NAV_DIRECTION_X[direction];
            z += NAV_DIRECTION_Z[direction];
            direction = (direction + 3) & 3;
        }
    } while (span != start || direction != start_direction);
    NAV_ASSERT(x == start_x);
    NAV_ASSERT(z == start_z);
    NAV_ASSERT(t->raw.count % 2 == 0); // each cell edge has one back
    return true;
}

static bool borders_regions(const nav_raw_contour *raw)
{
    for (uint32_t i = 0; i < raw->count; i++) {
        if ((raw->points[i].neighbour & NAV_CONTOUR_REGION_MASK) != 0) {
            return true;
        }
    }
    return false;
}

// Whether there are regions all around, and not all of the same area.
static bool lies_between_areas(const nav_raw_contour *raw)
{
    uint32_t seen = 0;
    for (uint32_t i = 0; i < raw->count; i++) {
        if ((raw->points[i].neighbour & NAV_CONTOUR_REGION_MASK) == 0) {
            return false;
        }
        seen |= raw->points[i].neighbour;
    }
    return (seen & NAV_CONTOUR_AREA_BORDER) != 0;
}

static bool keep_contour(tracer *t, uint32_t span, bool is_hole, nav_contour_point *points,
                         uint32_t count)
{
    if (t->count == t->capacity) {
        if (t->capacity > UINT32_MAX / 2) {
            return false;
        }
        uint32_t capacity = t->capacity == 0 ? 64 : t->capacity * 2;
        nav_contour *contours =
            nav_arena_grow(t->job->scratch, t->contours, t->count, capacity, sizeof *contours);
        bool *holes =
            nav_arena_grow(t->job->scratch, t->is_hole, t->count, capacity, sizeof *holes);
        if (contours == NULL || holes == NULL) {
            return false;
        }
        t->contours = contours;
        t->is_hole = holes;
        t->capacity = capacity;
    }
    NAV_ASSERT(t->field->area[span] != NAV_AREA_NONE);
    t->is_hole[t->count] = is_hole;
    t->contours[t->count++] = (nav_contour){.points = points,
                                            .point_count = count,
                                            .region = t->field->region[span],
                                            .area = t->field->area[span]};
    return true;
}

static bool split_contour(tracer *t, uint32_t region, const nav_contour_point *points,
                          uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!nav_contour_split(&t->splits, region, nav_contour_plan(&points[i]),
                               nav_contour_plan(&points[(i + 1) % count]))) {
            return false;
        }
    }
    return true;
}

// Simplifies the traced border and keeps it, unless nothing is left of it. A region that winds up
// over itself can have a hole that folds up, though links lead across it into another region: they
// would end there. It is split as well, and so is a region between others of another area, or what
// is on both sides would meet over a closed door. A whole region of one area with its neighbours
// may be too thin for the error.
static bool add_contour(tracer *t, uint32_t span)
{
    nav_arena *scratch = t->job->scratch;
    // Whether it is a hole is asked of the trace, which is exact; simplification may turn a sliver
    // inside out.
    int64_t area_doubled = nav_contour_area_doubled(t->raw.points, t->raw.count);
    bool is_hole = area_doubled < 0;
    if (area_doubled == 0) {
        // A slit: cells of the region that are beside each other and not linked. It encloses
        // nothing, and there is no polygon mesh with an edge walked there and back.
        return true;
    }
    memset(t->raw.keep, 0, t->raw.count);
    uint32_t kept = nav_contour_simplify(t->job, &t->raw);
    const uint32_t region = t->field->region[span];
    // The border is that of two regions: both have an edge that was split.
    t->splits.crossed[region] = t->splits.crossed[region] || t->raw.has_split;
    nav_arena_mark mark = nav_arena_save(scratch);
    nav_contour_point *points = NAV_NEW(scratch, nav_contour_point, kept);
    if (points == NULL) {
        return false;
    }
    uint32_t count = nav_contour_collect(&t->raw, points);
    NAV_ASSERT(count <= kept);
    NAV_ASSERT(region <= t->field->region_count);
    if (count < 3 || (is_hole && nav_contour_area_doubled(points, count) >= 0)) {
        if (is_hole ? borders_regions(&t->raw) : lies_between_areas(&t->raw)) {
            return split_contour(t, region, points, count);
        }
        nav_arena_restore(scratch, mark);
        return true;
    }
    return keep_contour(t, span, is_hole, points, count);
}

static nav_status trace_all(tracer *t)
{
    const nav_field *field = t->field;
    for (uint32_t z = 0; z < field->depth; z++) {
        if (nav_cancel_poll(t->job->cancel, NAV_STEP_ROW)) {
            return nav_bake_end(t->job);
        }
        const uint32_t *first = field->first + (size_t)z * field->width;
        uint32_t x = 0;
        for (uint32_t span = first[0]; span < first[field->width]; span++) {
            // A span can lie on two borders, e.g. in a ring one cell wide.
            while (t->sides[span] != 0) {
                for (; first[x + 1] <= span; x++) {
                }
                if (!trace(t, span, (int32_t)x, (int32_t)z) || !add_contour(t, span)) {
                    return NAV_NO_MEMORY;
                }
            }
        }
    }
    return NAV_OK;
}

// Whether a level line from a point to its right crosses a contour an odd number of times.
static bool is_within(const nav_contour *c, nav_plan at)
{
    bool within = false;
    for (uint32_t i = 0, j = c->point_count - 1; i < c->point_count; j = i++) {
        const nav_plan a = nav_contour_plan(&c->points[j]), b = nav_contour_plan(&c->points[i]);
        const int64_t turn = nav_plan_turn(a, b, at);
        within ^= (a.z > at.z) != (b.z > at.z) && (a.z > b.z ? turn < 0 : turn > 0);
    }
    return within;
}

// An outline that cuts off a corner may leave a hole outside. Its edges are split then.
static nav_status split_outlines(tracer *t, const nav_contour *hole, bool *is_split)
{
    if (nav_cancel_poll(t->job->cancel, NAV_STEP_ROW)) {
        return nav_bake_end(t->job);
    }
    bool within = false;
    for (uint32_t i = 0; i < t->count && !within; i++) {
        const nav_contour *c = &t->contours[i];
        within = !t->is_hole[i] && c->region == hole->region &&
                 is_within(c, nav_contour_plan(&hole->points[0]));
    }
    *is_split = !within;
    for (uint32_t i = 0; i < t->count && !within; i++) {
        const nav_contour *c = &t->contours[i];
        if (!t->is_hole[i] && c->region == hole->region &&
            !split_contour(t, c->region, c->points, c->point_count)) {
            return NAV_NO_MEMORY;
        }
    }
    return NAV_OK;
}

// Only in regions where anything has crossed: there are many holes in others. One hole outside is
// enough to split all outlines of its region.
static nav_status check_holes(tracer *t)
{
    if (t->splits.count == 0) {
        return NAV_OK;
    }
    bool *is_split = NAV_NEW_ZERO(t->job->scratch, bool, (size_t)t->field->region_count + 1);
    nav_status status = is_split == NULL ? NAV_NO_MEMORY : NAV_OK;
    for (uint32_t i = 0; i < t->count && status == NAV_OK; i++) {
        const nav_contour *c = &t->contours[i];
        if (t->is_hole[i] && t->splits.crossed[c->region] && !is_split[c->region]) {
            status = split_outlines(t, c, &is_split[c->region]);
        }
    }
    return status;
}

// Traces, simplifies and looks for edges that have to be split.
static nav_status trace_round(tracer *t)
{
    t->raw = (nav_raw_contour){.splits = &t->splits};
    t->contours = NULL;
    t->is_hole = NULL;
    t->count = t->capacity = 0;
    NAV_ASSERT(t->splits.count == t->splits.known); // sorted, and none of this round
    nav_status status = mark_sides(t);
    NAV_IF_OK(status, trace_all(t));
    NAV_IF_OK(status,
              nav_contour_find_crossings(t->job, t->field, t->contours, t->count, &t->splits));
    return status == NAV_OK ? check_holes(t) : status;
}

// Traces and simplifies until no contour crosses another of its region. Only the splits outlive a
// round.
static nav_status trace_simple(tracer *t)
{
    const nav_arena_mark mark = nav_arena_save(t->job->scratch);
    for (uint32_t round = 0;; round++) {
        const uint32_t known = t->splits.known;
        t->splits.all = round >= SPLIT_ROUNDS_MAX;
        const nav_status status = trace_round(t);
        if (status != NAV_OK) {
            return status;
        }
        nav_contour_sort_splits(&t->splits);
        NAV_ASSERT(t->splits.known >= known);
        if (t->splits.known == known || round > SPLIT_ROUNDS_MAX) {
            return NAV_OK;
        }
        nav_arena_restore(t->job->scratch, mark);
    }
}

nav_status nav_bake_contours(const nav_bake_job *job, const nav_field *field, nav_contour_set *out)
{
    NAV_ASSERT(field->width == job->width_cells);
    NAV_ASSERT(field->depth == job->depth_cells);
    NAV_ASSERT(field->span_count == field->first[(size_t)field->width * field->depth]);
    if (field->region_count >= NAV_CONTOUR_PADDING) {
        return nav_fail(job->err, NAV_TILE_TOO_COMPLEX,
                        "the tile has %u regions, more than one tile can hold; use a larger "
                        "region_merge_size",
                        field->region_count);
    }
    tracer t = {.job = job, .field = field};
    t.sides = NAV_NEW(job->scratch, uint8_t, field->span_count);
    t.splits.crossed = NAV_NEW_ZERO(job->scratch, bool, (size_t)field->region_count + 1);
    if (t.sides == NULL || t.splits.crossed == NULL) {
        return NAV_NO_MEMORY;
    }
    nav_arena_init_child(&t.splits.memory, job->scratch);
    nav_status status = trace_simple(&t);
    nav_arena_free(&t.splits.memory);
    nav_contour_set contours = {0};
    if (status == NAV_OK) {
        contours = (nav_contour_set){.contours = t.contours, .count = t.count};
        status = nav_contours_merge_holes(job, field->region_count, t.is_hole, &contours);
    }
    if (status == NAV_OK) {
        job->report->contours += contours.count;
        *out = contours;
    }
    return status;
}
