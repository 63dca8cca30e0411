// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_suggest.c: the name that was probably meant is found by its spelling, by what other programs
// call it and by letters that are wrong; what is like none brings no suggestion.

#include "proto/base/suggest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char *const SETTINGS[] = {
    "cell_size",       "cell_height",     "agent",     "agent.radius", "agent.height",
    "agent.max_climb", "agent.max_slope", "partition", "tile_cells",   "region_min_size",
    "edge_max_length", "links",           "areas",     "coordinates",  NULL};
static const char *const PATH[] = {"start",  "end",   "snap",       "filter", "avoid",
                                   "search", "agent", "max_length", NULL};
static const char *const NEAREST[] = {"point", "count", "snap", NULL};
static const char *const PARTITIONS[] = {"watershed", "monotone", "layers", NULL};

static proto_suggestion suggest(const char *wrong, const char *const *names)
{
    proto_suggestion s = proto_suggest(wrong, strlen(wrong));
    for (size_t i = 0; names[i] != NULL; i++) {
        proto_suggest_offer(&s, names[i], strlen(names[i]));
    }
    return s;
}

static void assert_meant(const char *wrong, const char *const *names, const char *meant)
{
    const proto_suggestion s = suggest(wrong, names);
    if (strcmp(s.best, meant) != 0) {
        fail_msg("\"%s\" was taken for \"%s\", not \"%s\"", wrong, s.best, meant);
    }
}

static void spelling(void **state)
{
    (void)state;
    assert_meant("cellSize", SETTINGS, "cell_size");
    assert_meant("CELL-SIZE", SETTINGS, "cell_size");
    assert_meant("agentRadius", SETTINGS, "agent.radius");
    assert_meant("agent_radius", SETTINGS, "agent.radius");
    assert_meant("radius", SETTINGS, "agent.radius");
    assert_meant("agent.maxClimb", SETTINGS, "agent.max_climb");
}

static void words_of_other_programs(void **state)
{
    (void)state;
    assert_meant("cs", SETTINGS, "cell_size");
    assert_meant("ch", SETTINGS, "cell_height");
    assert_meant("walkableClimb", SETTINGS, "agent.max_climb");
    assert_meant("agentMaxClimb", SETTINGS, "agent.max_climb");
    assert_meant("tileSize", SETTINGS, "tile_cells");
    assert_meant("offMeshConnections", SETTINGS, "links");
    assert_meant("from", PATH, "start");
    assert_meant("to", PATH, "end");
    assert_meant("goal", PATH, "end");
    assert_meant("halfExtents", PATH, "snap");
    assert_meant("position", NEAREST, "point");
    // A word counts only where there is what it stands for.
    assert_meant("from", NEAREST, "");
    assert_meant("position", PATH, "start");
}

static void wrong_letters(void **state)
{
    (void)state;
    assert_meant("watersched", PARTITIONS, "watershed");
    assert_meant("wahtershed", PARTITIONS, "watershed");
    assert_meant("layer", PARTITIONS, "layers");
    assert_meant("strat", PATH, "start");
    assert_meant("cell_sise", SETTINGS, "cell_size");
    assert_meant("agent.raduis", SETTINGS, "agent.radius");
    assert_meant("tile", SETTINGS, "tile_cells"); // a beginning
    // The nearer one, wherever it stands.
    assert_meant("cell_hight", SETTINGS, "cell_height");
    assert_int_equal(proto_suggest_distance("path", 4, "path", 4), 0);
    assert_int_equal(proto_suggest_distance("path", 4, "ptah", 4), 1);
    assert_int_equal(proto_suggest_distance("path", 4, "patha", 5), 1);
    assert_int_equal(proto_suggest_distance("path", 4, "pat", 3), 1);
    assert_int_equal(proto_suggest_distance("path", 4, "trip", 4), NAV_NONE);
    assert_int_equal(proto_suggest_distance("mesh", 4, "meshes", 6), 2);
    assert_int_equal(proto_suggest_distance("mesh", 4, "masses", 6), NAV_NONE);
}

static void nothing_alike(void **state)
{
    (void)state;
    static const char *const words[] = {"", "_", "-", ".", "colour", "bogus", "x", "z", "gravity"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        assert_meant(words[i], SETTINGS, "");
        assert_meant(words[i], PATH, "");
    }
    // As many letters wrong as there are right.
    assert_meant("end", PARTITIONS, "");
}

static void any_bytes(void **state)
{
    (void)state;
    char long_name[300];
    memset(long_name, 'a', sizeof long_name);
    proto_suggestion s = proto_suggest(long_name, sizeof long_name);
    proto_suggest_offer(&s, long_name, sizeof long_name); // too long to be told
    proto_suggest_offer(&s, "", 0);
    proto_suggest_offer(&s, "cell_size", 9);
    assert_string_equal(s.best, "");
    s = proto_suggest("\xff\x00\x80", 3);
    proto_suggest_offer(&s, "cell_size", 9);
    assert_string_equal(s.best, "");
}

static void told_at_the_end_of_a_sentence(void **state)
{
    (void)state;
    nav_error err = {0};
    char hint[PROTO_HINT_BYTES];
    nav_fail(&err, NAV_INVALID_FIELD, "no such thing");
    proto_suggestion s = suggest("bogus", SETTINGS);
    proto_suggest_say(&s, &err);
    assert_string_equal(err.detail, "no such thing");
    assert_string_equal(err.suggest, "");
    assert_string_equal(proto_suggest_hint(&s, hint), "");
    s = suggest("cs", SETTINGS);
    proto_suggest_say(&s, &err);
    proto_suggest_say(&s, NULL);
    assert_string_equal(err.detail, "no such thing; did you mean \"cell_size\"?");
    assert_string_equal(err.suggest, "cell_size");
    // A sentence without room loses its end.
    memset(err.detail, 'x', sizeof err.detail - 1);
    proto_suggest_say(&s, &err);
    assert_int_equal(strlen(err.detail), sizeof err.detail - 1);
    assert_non_null(strstr(err.detail, "xx; did you mean \"cell_size\"?"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spelling),      cmocka_unit_test(words_of_other_programs),
        cmocka_unit_test(wrong_letters), cmocka_unit_test(nothing_alike),
        cmocka_unit_test(any_bytes),     cmocka_unit_test(told_at_the_end_of_a_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
