// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_trials.c: lengths that just fit, in the four decimals in which settings are told, also where
// a hundredth of a cell is no four decimals.

#include "server/explain/way.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#define SECONDS_MAX 20 // all of it takes milliseconds: more is a loop without an end
#define CELLS_MAX 300u

static const float CELLS[] = {1e-6f,     1e-4f,   1.5e-4f, 3e-4f, 1e-3f, 0.0025f, 0.003f, 0.003125f,
                              0.004999f, 0.005f,  0.0051f, 0.01f, 0.03f, 0.1f,    0.125f, 0.15f,
                              0.25f,     0.3333f, 0.5f,    0.7f,  1,     3.7f,    100};

static void check_decimals(double value)
{
    assert_true(fabs(value * 1e4 - round(value * 1e4)) < 1e-6);
}

static void lengths_count_as_the_cells_that_they_are_for(void **state)
{
    (void)state;
    (void)alarm(SECONDS_MAX);
    for (size_t i = 0; i < sizeof CELLS / sizeof CELLS[0]; i++) {
        const float cell = CELLS[i];
        // Four decimals may be several cells, and what is counted moves on by as many.
        const float step = fmaxf(1, 1e-4f / cell) + 1;
        for (uint32_t cells = 0; cells <= CELLS_MAX; cells++) {
            const double most = way_length_at_most(cells, cell);
            const double least = way_length_at_least(cells, cell);
            const float up = ceilf((float)most / cell), down = floorf((float)least / cell);
            assert_true(most >= 0 && up <= (float)cells && up + step > (float)cells);
            assert_true(down >= (float)cells && down - step < (float)cells);
            check_decimals(most);
            check_decimals(least);
        }
    }
    (void)alarm(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lengths_count_as_the_cells_that_they_are_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
