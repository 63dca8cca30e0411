// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_properties.c: what every stage of a bake must keep to, in thousands of random worlds
// (world_random.h).

#include "tests/unit/world_detail.h"

#include "tests/unit/contour_rules.h"

// ---- spans: none is lost but by a stage that says so ----

static void expect_solid(const world_stages *s)
{
    const nav_config *c = s->b.job.config;
    for (uint32_t i = 0; i < s->voxelized_count; ++i) {
        bool before = s->voxelized[i] != NAV_AREA_NONE, after = s->filtered[i] != NAV_AREA_NONE;
        assert_true(c->filter_low_hanging || before || !after);
        assert_true(c->filter_ledges || c->filter_low_height || !before || after);
        assert_true(s->voxelized_min[i] < s->voxelized_max[i]);
    }
    const nav_heightfield *solid = &s->solid;
    for (size_t column = 0; column < (size_t)solid->width * solid->depth; ++column) {
        for (uint32_t i = solid->first[column] + 1; i < solid->first[column + 1]; ++i) {
            assert_true(solid->span_max[i - 1] <= solid->span_min[i]);
        }
    }
}

static uint32_t count_walkable(const uint16_t *areas, uint32_t count)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < count; ++i) {
        sum += areas[i] != NAV_AREA_NONE;
    }
    return sum;
}

static void expect_spans(const world_stages *s)
{
    const nav_bake_job *job = &s->b.job;
    const nav_field *f = &s->field;
    uint32_t walkable = 0;
    for (uint32_t i = 0; i < s->solid.span_count; ++i) {
        walkable += s->solid.span_area[i] != NAV_AREA_NONE;
    }
    assert_int_equal(f->span_count, walkable);
    assert_int_equal(f->span_count, count_walkable(s->compacted, f->span_count));
    bool cuts = job->config->has_bounds;
    for (uint32_t i = 0; i < job->config->volume_count; ++i) {
        cuts |= job->config->volumes[i].area == NAV_AREA_NONE;
    }
    for (uint32_t i = 0; i < f->span_count; ++i) {
        assert_int_equal(s->cut[i], cuts && s->cut[i] == NAV_AREA_NONE ? 0 : s->compacted[i]);
        bool kept = s->eroded[i] != NAV_AREA_NONE;
        assert_int_equal(s->eroded[i], kept || job->radius_cells == 0 ? s->cut[i] : 0);
        assert_int_equal(f->area[i] != NAV_AREA_NONE, kept); // volumes give areas, no more
        for (int d = 0; d < 4; ++d) {
            uint32_t n = nav_field_neighbour(f, i, d);
            assert_true(n == NAV_NONE || nav_field_neighbour(f, n, (d + 2) & 3) == i);
        }
    }
}

// ---- polygons ----

typedef struct shape {
    uint32_t count;
    const int32_t *at[NAV_POLYGON_VERTICES_MAX];
    int32_t low[2], high[2];
} shape;

static shape shape_of(const nav_polygons *mesh, uint32_t polygon)
{
    const uint32_t *row = mesh->polygon_vertices + (size_t)polygon * mesh->max_vertices;
    shape p = {.low = {INT32_MAX, INT32_MAX}, .high = {INT32_MIN, INT32_MIN}};
    while (p.count < mesh->max_vertices && row[p.count] != NAV_NONE) {
        const int32_t *v = mesh->vertices[row[p.count]];
        p.at[p.count++] = v;
        for (int axis = 0; axis < 2; ++axis) {
            p.low[axis] = v[2 * axis] < p.low[axis] ? v[2 * axis] : p.low[axis];
            p.high[axis] = v[2 * axis] > p.high[axis] ? v[2 * axis] : p.high[axis];
        }
    }
    return p;
}

// Twice the area of a, b, c; positive for the winding of polygons.
static int64_t turn(const int32_t *a, const int32_t *b, const int32_t *c)
{
    return (int64_t)(c[0] - a[0]) * (b[2] - a[2]) - (int64_t)(b[0] - a[0]) * (c[2] - a[2]);
}

static void expect_polygons(const world_stages *s)
{
    const nav_bake_job *job = &s->b.job;
    const nav_polygons *mesh = &s->polygons;
    const int32_t low = (int32_t)job->border_cells;
    const int32_t high_x = (int32_t)(job->width_cells - job->border_cells);
    const int32_t high_z = (int32_t)(job->depth_cells - job->border_cells);
    for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
        const int32_t *v = mesh->vertices[i];
        assert_true(v[0] >= low && v[0] <= high_x && v[2] >= low && v[2] <= high_z);
        assert_true(v[1] >= 0 && v[1] <= (int32_t)job->grid->height_cells + 1);
    }
    for (uint32_t p = 0; p < mesh->count; ++p) {
        shape a = shape_of(mesh, p);
        assert_in_range(a.count, 3, job->config->polygon_max_vertices);
        assert_int_not_equal(mesh->areas[p], NAV_AREA_NONE);
        int64_t area = 0;
        for (uint32_t i = 0; i < a.count; ++i) {
            const int32_t *next = a.at[(i + 1) % a.count];
            if (turn(a.at[i], next, a.at[(i + 2) % a.count]) < 0) {
                fail_msg("polygon %u is not convex", p);
            }
            area += turn(a.at[0], a.at[i], next);
        }
        // Of no area are those that only close a gap: between corners of two neighbours that lie on
        // one line.
        assert_true(area >= 0);
    }
}

// The polygon across an edge knows the same edge the other way round; an edge at the tile's border
// and only that is a portal.
static void expect_neighbours(const world_stages *s)
{
    const nav_polygons *mesh = &s->polygons;
    const size_t stride = mesh->max_vertices;
    for (uint32_t p = 0; p < mesh->count; ++p) {
        const uint32_t *row = mesh->polygon_vertices + p * stride;
        uint32_t count = shape_of(mesh, p).count;
        for (uint32_t i = 0; i < count; ++i) {
            uint32_t other = mesh->polygon_neighbours[p * stride + i];
            if (other == NAV_NONE || other >= NAV_EDGE_PORTAL) {
                assert_true(other == NAV_NONE || s->b.job.border_cells > 0);
                continue;
            }
            assert_true(other < mesh->count && other != p);
            const uint32_t *theirs = mesh->polygon_vertices + other * stride;
            uint32_t their_count = shape_of(mesh, other).count;
            bool found = false;
            for (uint32_t k = 0; k < their_count; ++k) {
                found |= theirs[k] == row[(i + 1) % count] &&
                         theirs[(k + 1) % their_count] == row[i] &&
                         mesh->polygon_neighbours[other * stride + k] == p;
            }
            assert_true(found);
        }
    }
}

// ---- no two on one floor ----

typedef struct cut_shape {
    uint32_t count;
    double at[2 * NAV_POLYGON_VERTICES_MAX][2];
} cut_shape;

// Keeps what is to the inner side of the edge (Sutherland and Hodgman 1974).
static cut_shape clip(const cut_shape *in, const int32_t *from, const int32_t *to)
{
    cut_shape out = {0};
    double dx = to[0] - from[0], dz = to[2] - from[2];
    for (uint32_t i = 0; i < in->count; ++i) {
        const double *a = in->at[i], *b = in->at[(i + 1) % in->count];
        double da = (a[0] - from[0]) * dz - (a[1] - from[2]) * dx;
        double db = (b[0] - from[0]) * dz - (b[1] - from[2]) * dx;
        if (da >= 0) {
            out.at[out.count][0] = a[0];
            out.at[out.count++][1] = a[1];
        }
        if ((da < 0 && db > 0) || (da > 0 && db < 0)) {
            out.at[out.count][0] = a[0] + (b[0] - a[0]) * da / (da - db);
            out.at[out.count++][1] = a[1] + (b[1] - a[1]) * da / (da - db);
        }
    }
    return out;
}

// Area of what two polygons have in common in plan view, and its middle.
static double overlap(const shape *a, const shape *b, double middle[2])
{
    if (a->low[0] >= b->high[0] || b->low[0] >= a->high[0] || a->low[1] >= b->high[1] ||
        b->low[1] >= a->high[1]) {
        return 0;
    }
    cut_shape common = {.count = a->count};
    for (uint32_t i = 0; i < a->count; ++i) {
        common.at[i][0] = a->at[i][0];
        common.at[i][1] = a->at[i][2];
    }
    for (uint32_t i = 0; i < b->count && common.count > 0; ++i) {
        common = clip(&common, b->at[i], b->at[(i + 1) % b->count]);
    }
    double sum = 0;
    middle[0] = middle[1] = 0;
    for (uint32_t i = 0; i < common.count; ++i) {
        const double *from = common.at[i], *to = common.at[(i + 1) % common.count];
        sum += (to[0] * from[1] - from[0] * to[1]) / 2;
        middle[0] += from[0] / common.count;
        middle[1] += from[1] / common.count;
    }
    return fabs(sum);
}

// Height at a place inside the flat polygon, as a fan.
static double height_at(const shape *p, const double place[2])
{
    for (uint32_t i = 1; i + 1 < p->count; ++i) {
        const int32_t *a = p->at[0], *b = p->at[i], *c = p->at[i + 1];
        double px = place[0] - a[0], pz = place[1] - a[2], area = (double)turn(a, b, c);
        double to_b = ((c[0] - a[0]) * pz - px * (c[2] - a[2])) / area;
        double to_c = (px * (b[2] - a[2]) - (b[0] - a[0]) * pz) / area;
        if (area > 0 && (i + 2 == p->count || to_b > -1e-9)) {
            return a[1] + to_b * (b[1] - a[1]) + to_c * (c[1] - a[1]);
        }
    }
    return p->at[0][1];
}

// A polygon may stand over a floor of its own region, however far above the flat polygon a hill
// rises, and over any that is near it.
static bool over_floor(const world_stages *s, uint32_t polygon, double height, uint32_t span)
{
    const nav_field *f = &s->field;
    return f->region[span] != 0 && (f->region[span] == s->polygons.regions[polygon] ||
                                    fabs(f->floor[span] - height) <= s->b.job.climb_cells + 2.0);
}

// Does the column at a place have two floors, one for each of two polygons of these heights?
static bool two_floors(const world_stages *s, const double place[2], const uint32_t polygons[2],
                       const double heights[2])
{
    const nav_field *f = &s->field;
    size_t column = (size_t)place[1] * f->width + (size_t)place[0];
    for (uint32_t i = f->first[column]; i < f->first[column + 1]; ++i) {
        for (uint32_t k = f->first[column]; k < f->first[column + 1]; ++k) {
            if (i != k && over_floor(s, polygons[0], heights[0], i) &&
                over_floor(s, polygons[1], heights[1], k)) {
                return true;
            }
        }
    }
    return false;
}

// Where two polygons of a tile lie over each other they are of different floors: farther apart than
// a step, or each over a floor of its own. One exception: each polygon may pass a wall by the
// contour's error, also where the wall is a mere line between two floors that cannot be stepped
// between.
static void expect_no_overlap(const world_stages *s, uint32_t p, uint32_t q)
{
    const nav_polygons *mesh = &s->polygons;
    const double error = (double)s->b.job.config->edge_max_error + 0.01;
    shape a = shape_of(mesh, p), b = shape_of(mesh, q);
    double middle[2];
    double area = overlap(&a, &b, middle);
    const double heights[2] = {height_at(&a, middle), height_at(&b, middle)};
    if (area < 0.01 || fabs(heights[0] - heights[1]) > s->b.job.climb_cells ||
        two_floors(s, middle, (const uint32_t[2]){p, q}, heights)) {
        return;
    }
    if (mesh->regions[p] != mesh->regions[q] &&
        cover_wall_distance(&s->field, mesh->regions[p], middle[0], middle[1]) <= error &&
        cover_wall_distance(&s->field, mesh->regions[q], middle[0], middle[1]) <= error) {
        return;
    }
    fail_msg("polygons %u and %u share an area of %.2f at %.2f, %.2f", p, q, area, middle[0],
             middle[1]);
}

static void expect_one_layer(const world_stages *s)
{
    for (uint32_t p = 0; p < s->polygons.count; ++p) {
        for (uint32_t q = p + 1; q < s->polygons.count; ++q) {
            expect_no_overlap(s, p, q);
        }
    }
}

static void stages_keep_their_promises(world_stages *s)
{
    expect_solid(s);
    expect_spans(s);
    expect_partition(&s->b, &s->field);
    expect_simple(&s->contours);
    expect_polygons(s);
    expect_neighbours(s);
    // An agent that climbs higher than it is tall can step between storeys: it does not matter
    // which of them cells link to, and neither property holds where they change from one to
    // another.
    if (s->b.job.height_min_cells > s->b.job.climb_cells) {
        expect_twins(&s->contours);
        expect_one_layer(s);
    }
    expect_contour_error(s);
    expect_cover(s);
    expect_detail(s);
    expect_the_real_bake(s);
}

static void world_keeps_its_promises(world *w)
{
    for_all_tiles(w, stages_keep_their_promises);
}

static void stages_keep_to_their_rules(void **state)
{
    (void)state;
    for_all_worlds(2000, world_keeps_its_promises);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(stages_keep_to_their_rules, name_world),
    };
    return cmocka_run_group_tests_name("bake_properties", tests, NULL, NULL);
}
