// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_sanity.c: the sentence about each oddity of a level, and the setting that it proposes, which
// keeps what the settings say beside it. What is odd: tests/unit/core/base/test_sanity.c.

#include "proto/base/coordinates.h"
#include "proto/settings/config.h"
#include "proto/settings/sanity.h"
#include "tests/unit/config_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/preset.h"

// Two triangles, for what must have a geometry.
static const char *const NAMES[] = {"", "Watr"};
static const nav_geometry GEOMETRY = {
    .triangle_count = 2, .material_names = NAMES, .material_count = 2};

static nav_sanity nothing_odd(void)
{
    return (nav_sanity){.scale = 1, .up = 2, .ground_up = 1, .width = 100};
}

static proto_advice tell(const nav_config *config, nav_sanity found, proto_oddity odd)
{
    proto_advice advice;
    const proto_level level = {.geometry = &GEOMETRY, .config = config, .found = found};
    assert_true(proto_level_say(&level, odd, &advice));
    return advice;
}

static void a_level_in_order_is_not_told_of(void **state)
{
    (void)state;
    const nav_config config = nav_config_default();
    proto_advice advice;
    const proto_level level = {.geometry = &GEOMETRY, .config = &config, .found = nothing_odd()};
    nav_sanity odd = nothing_odd();
    odd.scale = 0.01;
    const proto_level none = {.config = &config, .found = odd};
    for (int i = 0; i < PROTO_ODD_COUNT; i++) {
        assert_false(proto_level_say(&level, (proto_oddity)i, &advice));
        assert_false(proto_level_say(&none, (proto_oddity)i, &advice)); // there is no geometry
    }
    assert_int_equal(proto_level_check(&level, true, 0, NULL), NAV_OK);
}

// The proposal changes the axes and leaves the unit, which may come with the axes' name.
static void axes_keep_the_unit(void **state)
{
    (void)state;
    nav_config config = nav_config_default();
    nav_sanity found = nothing_odd();
    found.up = 3;
    found.up_share = 0.91f;
    found.up_is_sided = true;
    proto_advice advice = tell(&config, found, PROTO_ODD_AXIS);
    assert_string_equal(advice.detail, "91 % of what is flat faces +Z: coordinates=z_up?");
    assert_string_equal(advice.suggest, "coordinates=z_up");
    found.up = -1;
    advice = tell(&config, found, PROTO_ODD_AXIS);
    assert_string_equal(advice.detail, "91 % of what is flat faces -X: "
                                       "coordinates={\"axes\":[\"y\",\"z\",\"x\"]}, and "
                                       "winding=reverse?");
    config.coordinates = coordinates_of("unreal");
    found.up = 3; // the level's y
    advice = tell(&config, found, PROTO_ODD_AXIS);
    assert_string_equal(advice.suggest,
                        "coordinates={\"axes\":[\"x\",\"y\",\"z\"],\"scale\":0.01}");
    assert_string_equal(advice.detail,
                        "91 % of what is flat faces +Y: "
                        "coordinates={\"axes\":[\"x\",\"y\",\"z\"],\"scale\":0.01}?");
}

// What is proposed can be sent.
static void proposals_are_arguments(void **state)
{
    (void)state;
    static const int8_t ups[] = {1, -1, 2, -2, 3, -3};
    static const char *const words[] = {"y_up", "z_up", "unreal", "unity", "wow"};
    for (size_t i = 0; i < sizeof ups * (sizeof words / sizeof words[0]); i++) {
        nav_config config = nav_config_default();
        nav_sanity found = nothing_odd();
        config.coordinates = coordinates_of(words[i / sizeof ups]);
        found.up = ups[i % sizeof ups];
        if (found.up == 2) {
            continue;
        }
        const double scale = config.coordinates.scale;
        proto_advice advice = tell(&config, found, PROTO_ODD_AXIS);
        bool known;
        assert_true(strncmp(advice.suggest, "coordinates=", 12) == 0);
        const proto_arg arg = {.key = "coordinates", .value = advice.suggest + 12};
        assert_int_equal(config_argument(&arg, &config, &known, NULL), NAV_OK);
        assert_true(config.coordinates.scale == scale);
        assert_int_equal(nav_config_check(&config, NULL), NAV_OK);
    }
}

static void floors_that_face_down(void **state)
{
    (void)state;
    nav_config config = nav_config_default();
    nav_sanity found = nothing_odd();
    found.is_reversed = true;
    found.ground_up = 0.12f;
    proto_advice advice = tell(&config, found, PROTO_ODD_WINDING);
    assert_string_equal(advice.detail, "floors face down: of the ground 12 % faces up: "
                                       "winding=reverse, or is this the outside of a ceiling?");
    config.coordinates.reversed = true;
    advice = tell(&config, found, PROTO_ODD_WINDING);
    assert_string_equal(advice.suggest, "winding=as_given");
}

static void a_refusal_names_the_scale(void **state)
{
    (void)state;
    nav_config config = nav_config_default();
    nav_error err = {0};
    nav_sanity found = nothing_odd();
    found.scale = 0.01;
    found.width = 6000;
    found.step = 18;
    found.is_too_large = true;
    config.coordinates.scale = 0.1;
    const proto_level level = {.geometry = &GEOMETRY, .config = &config, .found = found};
    assert_int_equal(proto_level_check(&level, false, 1u << PROTO_ODD_AXIS, &err),
                     PROTO_UNITS_SUSPECT);
    assert_string_equal(err.detail,
                        "the level is 60000 wide, and most steps and walls are 180 or higher for "
                        "an agent that climbs 9: millimetres? scale=0.001; its bake would take "
                        "minutes (accept=units_suspect bakes it)");
    assert_string_equal(err.at, "scale");
    assert_string_equal(err.got, "0.1");
    assert_string_equal(err.suggest, "scale=0.001");
    assert_int_equal(proto_level_check(&level, false, 1u << PROTO_ODD_UNITS, NULL), NAV_OK);
    // Large numbers have no exponent.
    found.step = 345.6f;
    const proto_advice advice = tell(&config, found, PROTO_ODD_UNITS);
    assert_non_null(strstr(advice.detail, "most steps and walls are 3456 or higher"));
}

static void materials_and_agents(void **state)
{
    (void)state;
    const nav_area areas[] = {{.name = "none"}, {.name = "ground"}, {.name = "water", .cost = 2}};
    nav_config config = nav_config_default();
    nav_sanity found = nothing_odd();
    config.areas = areas;
    config.area_count = 3;
    found.materials = 1;
    found.material = 1;
    proto_advice advice = tell(&config, found, PROTO_ODD_MATERIALS);
    assert_string_equal(advice.detail, "1 of 2 materials are in no list and become ground, "
                                       "\"Watr\" first: name them in materials; did you mean "
                                       "\"water\"?");
    assert_string_equal(advice.suggest, "");
    config.agent_height = 0.5f;
    found.low_agent = 1;
    advice = tell(&config, found, PROTO_ODD_AGENT);
    assert_string_equal(advice.suggest, "agent.max_climb=0.5");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_level_in_order_is_not_told_of), cmocka_unit_test(axes_keep_the_unit),
        cmocka_unit_test(proposals_are_arguments),         cmocka_unit_test(floors_that_face_down),
        cmocka_unit_test(a_refusal_names_the_scale),       cmocka_unit_test(materials_and_agents),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
