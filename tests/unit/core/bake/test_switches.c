// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_switches.c: a switch holds the ground that would go if its shapes were cut out; ground under
// the same switches, and of the same area, is of one class; a tile tells which switches its
// polygons lie under, and polygons under a switch fit those beside it to the last cell.

#define WORLDS_HAVE_SWITCHES
#include "tests/unit/world_stages.h"

#include "core/bake/volumes.h"
#include "core/tile/tile.h"

#define WIDTH 26u
#define DEPTH 21u
#define SWITCHES 5u

// ---- small fields ----

static const char *const *map_by_chance(uint64_t *chance)
{
    static char cells[DEPTH][WIDTH + 1];
    static const char *rows[DEPTH];
    for (uint32_t z = 0; z < DEPTH; ++z) {
        for (uint32_t x = 0; x < WIDTH; ++x) {
            const uint32_t kind = random_below(chance, 40);
            cells[z][x] = kind < 3 ? '#' : kind < 4 ? '0' : kind < 8 ? '3' : '.';
        }
        rows[z] = cells[z];
    }
    return rows;
}

static nav_volume random_shape(uint64_t *chance, float (*points)[2])
{
    nav_volume v = {
        .shape = (nav_volume_shape)random_below(chance, 3),
        .min = {random_between(chance, -3, WIDTH + 1), 0, random_between(chance, -3, DEPTH + 1)},
        .radius = random_between(chance, 0, 4),
        .points = (const float(*)[2])points,
        .point_count = 4};
    v.max[0] = v.min[0] + random_between(chance, 0, 7);
    v.max[1] = MAP_FLOOR + 1;
    v.max[2] = v.min[2] + random_between(chance, 0, 7);
    const float ex = random_between(chance, -5, 5), ez = random_between(chance, -5, 5);
    const float corners[4][2] = {{v.min[0], v.min[2]},
                                 {v.min[0] + ex, v.min[2] + ez},
                                 {v.min[0] + ex - ez / 2, v.min[2] + ez + ex / 2},
                                 {v.min[0] - ez / 2, v.min[2] + ex / 2}};
    memcpy(points, corners, sizeof corners);
    return v;
}

// How far a position is from a shape in plan view; negative by how far it is inside of a convex
// one.
static double distance_to(const nav_volume *v, double x, double z)
{
    if (v->shape == NAV_VOLUME_CYLINDER) {
        return hypot(x - (double)v->min[0], z - (double)v->min[2]) - (double)v->radius;
    }
    if (v->shape == NAV_VOLUME_BOX) {
        const double dx = fmax((double)v->min[0] - x, x - (double)v->max[0]);
        const double dz = fmax((double)v->min[2] - z, z - (double)v->max[2]);
        return dx > 0 && dz > 0 ? hypot(dx, dz) : fmax(dx, dz);
    }
    double nearest = (double)INFINITY;
    bool inside = false;
    for (uint32_t i = 0, j = v->point_count - 1; i < v->point_count; j = i++) {
        const double ax = (double)v->points[j][0], az = (double)v->points[j][1];
        const double ex = (double)v->points[i][0] - ax, ez = (double)v->points[i][1] - az;
        const double square = ex * ex + ez * ez;
        const double along = square > 0 ? ((x - ax) * ex + (z - az) * ez) / square : 0;
        const double t = fmin(1, fmax(0, along));
        nearest = fmin(nearest, hypot(x - ax - t * ex, z - az - t * ez));
        if ((az > z) != (az + ez > z) && x < ax + ex * (z - az) / ez) {
            inside = !inside;
        }
    }
    return inside ? -nearest : nearest;
}

static bool is_under(const nav_ground_classes *classes, uint16_t ground, uint32_t number)
{
    for (; ground >= NAV_TILE_AREAS; ground = classes->items[ground - NAV_TILE_AREAS].parent) {
        if (classes->items[ground - NAV_TILE_AREAS].switch_number == number) {
            return true;
        }
    }
    return false;
}

static void mark(bake_builder *b, const nav_switch *switches, uint32_t count, nav_field *f,
                 nav_ground_classes *classes)
{
    *classes = (nav_ground_classes){0};
    b->config.switches = switches;
    b->config.switch_count = count;
    assert_int_equal(nav_bake_switches(&b->job, &b->given, f, classes), NAV_OK);
}

static nav_field copy_of(bake_builder *b, const nav_field *f)
{
    nav_field copy = *f;
    copy.area = NAV_NEW(&b->given, uint16_t, f->span_count);
    memcpy(copy.area, f->area, f->span_count * sizeof *f->area);
    return copy;
}

// Each span that the switch alone holds; with no radius, the cells that its shape touches.
static void members_of(bake_builder *b, const nav_switch *s, const nav_field *f, bool *members)
{
    nav_ground_classes classes;
    nav_field marked = copy_of(b, f);
    mark(b, s, 1, &marked, &classes);
    for (uint32_t i = 0; i < f->span_count; ++i) {
        members[i] = marked.area[i] >= NAV_TILE_AREAS;
        assert_true(members[i] || marked.area[i] == f->area[i]);
    }
}

static void a_switch_holds_what_a_cut_would_take(void **state)
{
    (void)state;
    uint64_t chance = 3;
    uint32_t held = 0, core_count = 0;
    for (uint32_t round = 0; round < 2000; ++round) {
        bake_builder b;
        float points[4][2];
        builder_init(&b, WIDTH, DEPTH);
        const nav_volume shape = random_shape(&chance, points);
        const nav_switch s = {.id = "gate", .shapes = &shape, .shape_count = 1};
        const nav_field f = builder_field(&b, map_by_chance(&chance));
        bool core[WIDTH * DEPTH], members[WIDTH * DEPTH];
        // The cells that are touched: whose middle is inside, none that lies clear of the shape.
        b.job.radius_cells = 0;
        members_of(&b, &s, &f, core);
        for (uint32_t i = 0; i < WIDTH * DEPTH; ++i) {
            for (uint32_t k = f.first[i]; k < f.first[i + 1] && f.area[k] != NAV_AREA_NONE; ++k) {
                const double away = distance_to(&shape, i % WIDTH + 0.5, i / WIDTH + 0.5);
                assert_true(core[k] ? away <= 0.71 : away > -0.02);
                assert_true(core[k] || away > 0.49 || shape.shape != NAV_VOLUME_CYLINDER);
                core_count += core[k];
            }
        }
        // The rest: what erosion takes with those cells cut, beyond what it takes anyway.
        nav_field whole = copy_of(&b, &f), cut = copy_of(&b, &f);
        for (uint32_t i = 0; i < f.span_count; ++i) {
            cut.area[i] = core[i] ? NAV_AREA_NONE : cut.area[i];
        }
        b.job.radius_cells = random_below(&chance, 4);
        assert_int_equal(nav_bake_erode(&b.job, &whole), NAV_OK);
        assert_int_equal(nav_bake_erode(&b.job, &cut), NAV_OK);
        members_of(&b, &s, &whole, members);
        for (uint32_t i = 0; i < f.span_count; ++i) {
            assert_int_equal(members[i],
                             whole.area[i] != NAV_AREA_NONE && cut.area[i] == NAV_AREA_NONE);
            held += members[i];
        }
        builder_free(&b);
    }
    assert_true(core_count > 10000 && held > 10000);
}

static void classes_tell_area_and_all_switches(void **state)
{
    (void)state;
    uint64_t chance = 4;
    uint32_t several = 0;
    for (uint32_t round = 0; round < 1000; ++round) {
        bake_builder b;
        float points[SWITCHES][4][2];
        nav_volume shapes[SWITCHES];
        nav_switch switches[SWITCHES];
        bool members[SWITCHES][WIDTH * DEPTH];
        builder_init(&b, WIDTH, DEPTH);
        b.job.radius_cells = random_below(&chance, 3);
        const nav_field f = builder_field(&b, map_by_chance(&chance));
        for (uint32_t s = 0; s < SWITCHES; ++s) {
            shapes[s] = random_shape(&chance, points[s]);
            switches[s] =
                (nav_switch){.id = {(char)('a' + s)}, .shapes = &shapes[s], .shape_count = 1};
            members_of(&b, &switches[s], &f, members[s]);
        }
        nav_ground_classes classes;
        nav_field marked = copy_of(&b, &f);
        mark(&b, switches, SWITCHES, &marked, &classes);
        for (uint32_t i = 0; i < f.span_count; ++i) {
            uint32_t count = 0;
            assert_int_equal(nav_ground_class_area(&classes, marked.area[i]), f.area[i]);
            for (uint32_t s = 0; s < SWITCHES; ++s) {
                assert_int_equal(is_under(&classes, marked.area[i], s), members[s][i]);
                count += members[s][i];
            }
            several += count > 1;
            for (uint32_t k = 0; k < i; ++k) {
                bool same = f.area[i] == f.area[k];
                for (uint32_t s = 0; same && s < SWITCHES; ++s) {
                    same = members[s][i] == members[s][k];
                }
                if (same != (marked.area[i] == marked.area[k])) {
                    fail_msg("spans %u and %u of round %u", i, k, round);
                }
            }
        }
        builder_free(&b);
    }
    assert_true(several > 1000);
}

// ---- failures ----

static nav_status mark_stage(bake_builder *b, void *data)
{
    nav_field f = copy_of(b, data);
    nav_ground_classes classes = {0};
    return nav_bake_switches(&b->job, &b->result, &f, &classes);
}

static void cancel_and_lack_of_memory_are_statuses(void **state)
{
    (void)state;
    bake_builder b;
    uint64_t chance = 9;
    builder_init(&b, WIDTH, DEPTH);
    nav_field f = builder_field(&b, map_by_chance(&chance));
    nav_volume shapes[70];
    nav_switch switches[70];
    for (uint32_t i = 0; i < 70; ++i) {
        shapes[i] = (nav_volume){.shape = NAV_VOLUME_BOX, .max = {WIDTH, MAP_FLOOR, DEPTH}};
        switches[i] = (nav_switch){.shapes = &shapes[i], .shape_count = 1};
    }
    b.config.switches = switches;
    b.config.switch_count = 70;
    assert_true(builder_fail_each_call(&b, mark_stage, &f) > 3);
    assert_true(builder_fail_each_limit(&b, mark_stage, &f, 256, 512) > 3);
    assert_true(builder_cancel_each_call(&b, mark_stage, &f) > 3);
    builder_free(&b);
}

// ---- tiles of random worlds ----

static int64_t doubled_area(const nav_tile *tile, uint32_t polygon)
{
    const nav_tile_polygon *p = &tile->polygons[polygon];
    int64_t sum = 0;
    for (uint32_t k = 0; k < p->corner_count; ++k) {
        const int32_t *a = tile->vertices[tile->corners[p->corner_first + k]];
        const int32_t *b =
            tile->vertices[tile->corners[p->corner_first + (k + 1) % p->corner_count]];
        sum += (int64_t)a[2] * b[0] - (int64_t)a[0] * b[2];
    }
    return sum;
}

// Which of a world's switches a polygon of a tile lies under, as bits.
static uint32_t set_of(const nav_tile *tile, uint32_t polygon)
{
    uint32_t bits = 0;
    const uint32_t set = tile->switches != NULL ? tile->polygon_sets[polygon] : 0;
    for (uint32_t k = set > 0 ? tile->set_first[set - 1] : 0; set > 0 && k < tile->set_first[set];
         ++k) {
        bits |= 1u << (tile->switch_ids[tile->set_entries[k]][0] - 'a');
    }
    return bits;
}

static uint32_t bits_of(const nav_ground_classes *classes, uint16_t ground)
{
    uint32_t bits = 0;
    for (uint32_t s = 0; s < WORLD_SWITCHES_MAX; ++s) {
        bits |= is_under(classes, ground, s) ? 1u << s : 0;
    }
    return bits;
}

static uint32_t switched_tiles;

// Contours follow the cells, so that ground of each kind has the area of its cells.
static void expect_areas_of_cells(world_stages *s)
{
    int64_t of_cells[1 << WORLD_SWITCHES_MAX] = {0}, of_polygons[1 << WORLD_SWITCHES_MAX] = {0};
    nav_tile tile;
    expect_the_real_bake(s);
    if (s->blob.size_bytes == 0) {
        return;
    }
    assert_int_equal(nav_tile_open(s->blob, &tile, NULL), NAV_OK);
    switched_tiles += tile.switches != NULL;
    for (uint32_t i = 0; i < s->field.span_count; ++i) {
        if (s->field.region[i] != 0 && (s->field.region[i] & NAV_REGION_BORDER) == 0) {
            of_cells[bits_of(&s->classes, s->field.area[i])] += 2;
        }
        assert_int_equal(nav_ground_class_area(&s->classes, s->field.area[i]), s->areas[i]);
    }
    for (uint32_t p = 0; p < tile.header->polygon_count; ++p) {
        of_polygons[set_of(&tile, p)] += doubled_area(&tile, p);
    }
    if (s->b.report.warnings[NAV_WARN_HOLE_NOT_MERGED].count == 0 &&
        s->b.report.warnings[NAV_WARN_TRIANGULATION_FAILED].count == 0) {
        assert_memory_equal(of_cells, of_polygons, sizeof of_cells);
    }
}

static void follow_the_cells(world *w)
{
    w->config.edge_max_error = 0;
    if (w->config.switch_count > 0) {
        for_all_tiles(w, expect_areas_of_cells);
    }
}

static void polygons_fit_to_the_last_cell(void **state)
{
    (void)state;
    for_all_worlds(1000, follow_the_cells);
    assert_true(switched_tiles > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_switch_holds_what_a_cut_would_take),
        cmocka_unit_test(classes_tell_area_and_all_switches),
        cmocka_unit_test(cancel_and_lack_of_memory_are_statuses),
        cmocka_unit_test_teardown(polygons_fit_to_the_last_cell, name_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
