// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_diff.c: two versions side by side, byte for byte; lists end at their limit and say so.

#include "proto/replies/replies.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#define BOX(low, high)                                                                             \
    "{\"min\":[" #low "," #low "," #low "],\"max\":[" #high "," #high "," #high "]}"

static const proto_diff_tile TILES[] = {{1, 2, {0, 0, 0}, {8, 8, 8}}, {3, 4, {1, 1, 1}, {2, 2, 2}}};

static nav_island island(uint32_t component, float low, float high)
{
    return (nav_island){.component = component,
                        .polygons = component,
                        .area = 2.5,
                        .min = {low, low, low},
                        .max = {high, high, high}};
}

// clang-format off
static const char EXPECTED[] =
    "{\"mesh\":\"a\",\"from\":2,\"to\":3,\"geometry_changed\":true,\"config_changed\":false,"
    "\"walkable_area\":{\"before\":10.5,\"after\":8,\"delta\":-2.5},"
    "\"polygons\":{\"before\":5,\"after\":3,\"delta\":-2},"
    "\"tiles\":{\"before\":4,\"after\":5,\"unchanged\":2,\"changed\":["
    "{\"x\":1,\"z\":2,\"bounds\":" BOX(0, 8) "},"
    "{\"x\":3,\"z\":4,\"bounds\":" BOX(1, 2) "}],"
    "\"added\":["
    "{\"x\":3,\"z\":4,\"bounds\":" BOX(1, 2) "}],"
    "\"removed\":[],"
    "\"truncated\":false},"
    "\"islands\":{\"before\":3,\"after\":4,\"changed\":["
    "{\"area\":{\"before\":2.5,\"after\":2.5,\"delta\":0},"
    "\"polygons\":{\"before\":1,\"after\":2,\"delta\":1},"
    "\"bounds\":" BOX(1, 5) ",\"bounds_before\":" BOX(1, 5) ",\"bounds_after\":" BOX(2, 4) "},"
    "{\"area\":{\"before\":2.5,\"after\":2.5,\"delta\":0},"
    "\"polygons\":{\"before\":1,\"after\":1,\"delta\":0},"
    "\"bounds\":" BOX(1, 4) ",\"bounds_before\":" BOX(2, 3) ",\"bounds_after\":" BOX(1, 4) "}],"
    "\"added\":["
    "{\"area\":2.5,\"polygons\":4,\"bounds\":" BOX(0, 1) ",\"cut_off\":true}],"
    "\"removed\":["
    "{\"area\":2.5,\"polygons\":3,\"bounds\":" BOX(0, 1) ",\"joined_another\":false},"
    "{\"area\":2.5,\"polygons\":3,\"bounds\":" BOX(0, 1) ",\"joined_another\":true}],"
    "\"truncated\":false}}";
// clang-format on

static void test_diff(void **state)
{
    (void)state;
    const nav_island_change islands[] = {
        {.before = island(1, 1, 5), .after = island(2, 2, 4)}, // smaller on both sides
        {.before = island(1, 2, 3), .after = island(1, 1, 4)},
        {.before = island(3, 0, 1)},
        {.before = island(3, 0, 1), .shared = true},
        {.after = island(4, 0, 1), .shared = true},
    };
    const proto_diff diff = {.mesh = "a",
                             .from = 2,
                             .to = 3,
                             .geometry_changed = true,
                             .before = {.components = 3, .polygons = 5, .walkable_area = 10.5},
                             .after = {.components = 4, .polygons = 3, .walkable_area = 8},
                             .tiles_before = 4,
                             .tiles_after = 5,
                             .tiles_unchanged = 2,
                             .tiles = {TILES, TILES + 1, NULL},
                             .tile_counts = {2, 1, 0},
                             .islands = islands,
                             .island_count = 5};
    proto_writer w;
    size_t size_bytes;
    proto_writer_init(&w);
    proto_write_diff(&w, &diff);
    char *text = proto_writer_take(&w, &size_bytes);
    assert_string_equal(text, EXPECTED);
    free(text);
}

// The address sanitizer's strstr looks at the whole text each time, its strchr no further than it
// finds.
static size_t count_of(const char *text, const char *word)
{
    size_t count = 0;
    for (; (text = strchr(text, word[0])) != NULL; text++) {
        count += strncmp(text, word, strlen(word)) == 0;
    }
    return count;
}

static void test_long_lists(void **state)
{
    (void)state;
    proto_diff_tile *tiles = calloc(PROTO_DIFF_LISTED_MAX + 1, sizeof *tiles);
    nav_island_change *islands = calloc(PROTO_DIFF_LISTED_MAX + 1, sizeof *islands);
    for (uint32_t i = 0; i <= PROTO_DIFF_LISTED_MAX; i++) {
        islands[i].after = island(1, 0, 1);
    }
    for (uint32_t more = 0; more < 2; more++) {
        const uint32_t count = PROTO_DIFF_LISTED_MAX + more;
        const proto_diff diff = {.mesh = "a",
                                 .tiles = {NULL, NULL, tiles},
                                 .tile_counts = {0, 0, count},
                                 .islands = islands,
                                 .island_count = count};
        proto_writer w;
        size_t size_bytes;
        proto_writer_init(&w);
        proto_write_diff(&w, &diff);
        char *text = proto_writer_take(&w, &size_bytes);
        assert_int_equal(count_of(text, "\"x\":"), PROTO_DIFF_LISTED_MAX);
        assert_int_equal(count_of(text, "\"cut_off\":"), PROTO_DIFF_LISTED_MAX);
        assert_int_equal(count_of(text, "\"truncated\":true"), more == 0 ? 0 : 2);
        free(text);
    }
    free(tiles);
    free(islands);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_diff),
        cmocka_unit_test(test_long_lists),
    };
    return cmocka_run_group_tests_name("reply_diff", tests, NULL, NULL);
}
