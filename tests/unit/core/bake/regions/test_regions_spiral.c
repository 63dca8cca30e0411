// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_regions_spiral.c: a way that climbs over itself, seen by each partition. Its regions
// must not lie above themselves, and their contours must not cross themselves.
//
// The spirals are rings of cells around the middle of the field. The floor of a cell rises with its
// angle; each further turn lies above the one before.

#include "tests/unit/contour_rules.h"
#include "tests/unit/region_rules.h"

#include <math.h>

#define SIDE 48
#define TURNS_MAX 5

typedef struct spiral {
    float radius_min, radius_max; // cells
    uint32_t turns;
    uint32_t rise_cells; // of a turn
    uint32_t step_cells; // the height of a stair's steps; 1: a ramp
    bool landing;        // a ground all around its foot
} spiral;

static nav_field build(bake_builder *b, const spiral *s)
{
    static span_spec spans[SIDE * SIDE * (TURNS_MAX + 1)];
    uint32_t count = 0;
    for (uint32_t z = 0; z < SIDE; ++z) {
        for (uint32_t x = 0; x < SIDE; ++x) {
            float dx = (float)x + 0.5f - SIDE / 2, dz = (float)z + 0.5f - SIDE / 2;
            float radius = sqrtf(dx * dx + dz * dz);
            float turn = atan2f(dz, dx) / 6.2831853f + 0.5f;
            bool inside = radius >= s->radius_min && radius <= s->radius_max;
            if (s->landing && radius >= s->radius_min) {
                spans[count++] = (span_spec){x, z, 0, 1, NAV_AREA_GROUND};
            }
            for (uint32_t i = 0; inside && i < s->turns; ++i) {
                uint32_t y = (uint32_t)(((float)i + turn) * (float)s->rise_cells);
                y = 1 + y / s->step_cells * s->step_cells;
                if (!s->landing || y > 1) {
                    spans[count++] =
                        (span_spec){x, z, (uint16_t)y, (uint16_t)(y + 1), NAV_AREA_GROUND};
                }
            }
        }
    }
    return compacted(b, spans, count);
}

static void expect_sound(nav_partition partition_by, const spiral *s, float edge_max_error,
                         uint32_t merge_spans)
{
    bake_builder b;
    builder_init(&b, SIDE, SIDE);
    b.config.partition = partition_by;
    b.config.edge_max_error = edge_max_error;
    b.job.climb_cells = s->step_cells;
    b.job.region_merge_spans = merge_spans;
    nav_field f = build(&b, s);
    partition(&b, &f);
    expect_partition(&b, &f);
    assert_true(f.region_count >= s->turns);
    nav_contour_set contours;
    nav_polygons polygons;
    assert_int_equal(nav_bake_contours(&b.job, &f, &contours), NAV_OK);
    assert_true(contours.count >= s->turns);
    expect_simple(&contours);
    assert_int_equal(nav_bake_polygons(&b.job, &contours, &polygons), NAV_OK);
    assert_int_equal(b.report.warnings[NAV_WARN_HOLE_NOT_MERGED].count, 0);
    assert_int_equal(b.report.warnings[NAV_WARN_TRIANGULATION_FAILED].count, 0);
    builder_free(&b);
}

static void expect_all_sound(const spiral *s)
{
    static const float errors[] = {0, 1.3f};
    static const uint32_t merges[] = {0, 400, 1000000};
    for (nav_partition p = NAV_PARTITION_WATERSHED; p <= NAV_PARTITION_LAYERS; ++p) {
        for (size_t i = 0; i < 2; ++i) {
            for (size_t k = 0; k < 3; ++k) {
                expect_sound(p, s, errors[i], merges[k]);
            }
        }
    }
}

static void ramps_are_cut_into_flat_regions(void **state)
{
    (void)state;
    for (uint32_t turns = 1; turns <= TURNS_MAX; ++turns) {
        for (int landing = 0; landing < 2; ++landing) {
            // Narrow, wide, and almost around a point.
            expect_all_sound(&(spiral){16, 19, turns, 12, 1, landing == 1});
            expect_all_sound(&(spiral){9, 22, turns, 14, 1, landing == 1});
            expect_all_sound(&(spiral){2, 9, turns, 8, 1, landing == 1});
        }
    }
}

static void stairs_are_cut_into_flat_regions(void **state)
{
    (void)state;
    for (uint32_t turns = 1; turns <= TURNS_MAX; ++turns) {
        for (int landing = 0; landing < 2; ++landing) {
            expect_all_sound(&(spiral){14, 18, turns, 24, 3, landing == 1});
            expect_all_sound(&(spiral){5, 12, turns, 16, 2, landing == 1});
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ramps_are_cut_into_flat_regions),
        cmocka_unit_test(stairs_are_cut_into_flat_regions),
    };
    return cmocka_run_group_tests_name("bake_regions_spiral", tests, NULL, NULL);
}
