// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_batch_packed.c: a packed batch has the results that the same queries have as JSON, and one
// damaged word refuses all of it by its name. Handlers are called without listeners.

#include "tests/unit/batch_service.h"

#include <math.h>

#include "proto/base/bytes.h"
#include "proto/requests/requests.h"

// ---- the same queries in both forms ----

#define PACKED_COUNT 400u
#define RECORD 72u

typedef struct packed_batch {
    uint8_t bytes[32 + RECORD * PACKED_COUNT + 12 * 2 * PACKED_COUNT + 4096];
    size_t size_bytes;
    text json; // the same queries
} packed_batch;

static float place_by_chance(uint64_t *random)
{
    return (float)(next_random(random) % (SIDE * 4)) / 4.0f; // with few digits, as in JSON
}

static void put_json_point(text *t, const char *member, const float point[3])
{
    put(t, ",\"%s\":[%g,%g,%g]", member, (double)point[0], (double)point[1], (double)point[2]);
}

// One query in both forms; points of a `reachable` go behind those of others.
static void put_both(packed_batch *b, uint32_t index, uint64_t *random, float (*points)[3],
                     uint32_t *point_count)
{
    uint8_t *record = b->bytes + 32 + (size_t)RECORD * index;
    const proto_asked asked = (proto_asked)(index % PROTO_ASKED_COUNT);
    float first[3] = {place_by_chance(random), 0, place_by_chance(random)};
    const float second[3] = {place_by_chance(random), 0, place_by_chance(random)};
    const bool walks =
        asked == PROTO_ASKED_PATH || asked == PROTO_ASKED_RAYCAST || asked == PROTO_ASKED_MOVE;
    put(&b->json, "%s{\"kind\":\"%s\"", index > 0 ? "," : "", PROTO_ASKED_WORDS[asked]);
    record[0] = (uint8_t)asked;
    const bool given = index % 7 != 0; // else NaN stands for the default, which JSON has
    for (uint32_t i = 0; i < 3; i++) {
        proto_put_float(record + 48 + 4 * i, !given ? NAN : i == 0 ? 2.0f : 4.0f); // snap
    }
    if (index % 3 == 1) {
        proto_put_u32(record + 4, 2);
        put(&b->json, ",\"filter\":1");
    }
    if (index % 5 == 1) {
        proto_put_u32(record + 4, proto_get_u32(record + 4) | 1u << 16);
        put(&b->json, ",\"avoid\":0");
    }
    for (uint32_t i = 0; i < 3 && asked != PROTO_ASKED_RANDOM; i++) {
        proto_put_float(record + 24 + 4 * i, first[i]);
        if (walks) {
            proto_put_float(record + 36 + 4 * i, second[i]);
        }
    }
    if (walks) {
        put_json_point(&b->json, "start", first);
        put_json_point(&b->json, "end", second);
    } else if (asked == PROTO_ASKED_NEAREST || asked == PROTO_ASKED_WALL) {
        put_json_point(&b->json, "point", first);
    } else if (asked == PROTO_ASKED_FLOORS) {
        put(&b->json, ",\"x\":%g,\"z\":%g", (double)first[0], (double)first[2]);
    } else if (asked == PROTO_ASKED_REACHABLE) {
        put_json_point(&b->json, "start", first);
        put(&b->json, ",\"points\":[[%g,0,%g],[1,0,1]]", (double)second[0], (double)second[2]);
        memcpy(points[(*point_count)++], second, sizeof second);
        memcpy(points[(*point_count)++], (const float[3]){1, 0, 1}, sizeof second);
        proto_put_u32(record + 16, 2);
    } else {
        record[1] = 16;
        proto_put_u32(record + 16, 3);
        proto_put_u32(record + 20, index);
        put(&b->json, ",\"count\":3,\"seed\":%u", index);
    }
    if (asked == PROTO_ASKED_WALL) {
        proto_put_float(record + 60, given ? 7.0f : NAN);
        put(&b->json, "%s", given ? ",\"max_radius\":7" : "");
    }
    if (asked == PROTO_ASKED_PATH && index % 2 == 0) {
        record[1] = 1;
        record[2] = NAV_SEARCH_FAST;
        proto_put_float(record + 64, 20.0f);
        put(&b->json, ",\"search\":\"fast\",\"partial\":false,\"max_cost\":20");
    }
    put(&b->json, "}");
}

static void make_packed(packed_batch *b)
{
    static float points[2 * PACKED_COUNT][3];
    uint64_t random = 77;
    uint32_t point_count = 0;
    char lists[2048];
    memset(b, 0, sizeof *b);
    b->json = text_new();
    const int list_bytes =
        snprintf(lists, sizeof lists, "{\"filters\":[%s,%s],\"avoid_sets\":[%s]}", FILTERS[0],
                 FILTERS[2], AVOID_SETS[0]);
    put(&b->json, "{\"filters\":[%s,%s],\"avoid_sets\":[%s],\"queries\":[", FILTERS[0], FILTERS[2],
        AVOID_SETS[0]);
    for (uint32_t i = 0; i < PACKED_COUNT; i++) {
        put_both(b, i, &random, points, &point_count);
    }
    put(&b->json, "]}");
    memcpy(b->bytes, "NAVB", 4);
    proto_put_u32(b->bytes + 4, 1);
    proto_put_u32(b->bytes + 8, PACKED_COUNT);
    proto_put_u32(b->bytes + 16, (uint32_t)list_bytes);
    proto_put_u32(b->bytes + 20, point_count);
    uint8_t *at = b->bytes + 32 + (size_t)RECORD * PACKED_COUNT;
    for (uint32_t i = 0; i < 3 * point_count; i++) {
        at = proto_put_float(at, points[i / 3][i % 3]);
    }
    memcpy(at, lists, (size_t)list_bytes);
    b->size_bytes = (size_t)(at - b->bytes) + (size_t)list_bytes;
}

// ---- results ----

// The next number of a text, also one within quotes, or 1 and 0 for true and false in a
// list. False: there is none.
static bool next_number(const char **at, double *out)
{
    for (; **at != '\0'; (*at)++) {
        if ((**at >= '0' && **at <= '9') || **at == '-') {
            char *end;
            *out = strtod(*at, &end);
            *at = end;
            return true;
        }
        if (strncmp(*at, ":true", 5) == 0 || strncmp(*at, ":false", 6) == 0) {
            (*at)++; // a member that packed answers have as a flag
        } else if (strncmp(*at, "true", 4) == 0 || strncmp(*at, "false", 5) == 0) {
            *out = **at == 't';
            (*at) += 4;
            return true;
        }
    }
    return false;
}

// Holds a number of a packed result against the next one of JSON.
static void same_number(const char **json, double packed, uint32_t index)
{
    double told;
    if (!next_number(json, &told) || fabs(told - packed) > 2e-3) {
        fail_msg("result %u: %g at %.80s", index, packed, *json);
    }
}

static void same_floats(const char **json, const uint8_t *at, uint32_t count, uint32_t index)
{
    for (uint32_t i = 0; i < count; i++) {
        same_number(json, (double)proto_get_float(at + 4 * (size_t)i), index);
    }
}

static void same_places(const char **json, const uint8_t *at, bool floors, uint32_t index)
{
    const uint32_t count = proto_get_u32(at);
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *place = at + 4 + 24 * (size_t)i;
        double height;
        assert_true(!floors || next_number(json, &height));
        same_floats(json, place, floors ? 3 : 4, index);
        same_number(json, proto_get_u32(place + 16), index);
        same_number(json, proto_get_u32(place + 20), index);
    }
}

// The members of a packed result, in the order of its JSON.
static void same_result(const char *json, const uint8_t *at, uint32_t index)
{
    const proto_asked asked = (proto_asked)at[0];
    assert_int_equal(asked, index % PROTO_ASKED_COUNT);
    const bool found = at[1] != 0;
    double skipped;
    at += 8;
    switch (asked) {
    case PROTO_ASKED_PATH:
        json = strstr(json, "\"length\"");
        same_floats(&json, at, 3, index);
        for (int i = 0; i < 6; i++) {
            assert_true(next_number(&json, &skipped)); // start and end
        }
        for (uint32_t i = 0; i < proto_get_u32(at + 16); i++) {
            same_floats(&json, at + 20 + 12 * (size_t)i, 3, index);
        }
        break;
    case PROTO_ASKED_RANDOM:
        same_number(&json, proto_get_u32(at), index);
        same_places(&json, at + 4, false, index);
        break;
    case PROTO_ASKED_NEAREST:
    case PROTO_ASKED_FLOORS:
        same_places(&json, at, asked == PROTO_ASKED_FLOORS, index);
        break;
    case PROTO_ASKED_RAYCAST:
        same_floats(&json, at, found ? 7 : 0, index);
        if (found && at[-5] == 1) {
            same_floats(&json, at + 28, 3, index);
        }
        same_floats(&json, at + 40, found ? 1 : 0, index);
        break;
    case PROTO_ASKED_MOVE:
        same_floats(&json, at, found ? 3 : 0, index);
        for (uint32_t i = 0; found && i < 1 + proto_get_u32(at + 16); i++) {
            same_number(&json, proto_get_u32(at + (i == 0 ? 12 : 16 + 4 * (size_t)i)), index);
        }
        break;
    case PROTO_ASKED_WALL:
        same_floats(&json, at, found ? at[-5] == 1 ? 7 : 1 : 0, index);
        break;
    case PROTO_ASKED_REACHABLE:
    case PROTO_ASKED_COUNT:
        for (uint32_t i = 0; i < proto_get_u32(at); i++) {
            same_number(&json, at[4 + i], index);
        }
        break;
    }
}

// ---- tests ----

static void packed_results_are_those_of_json(void **state)
{
    service *s = *state;
    static packed_batch b;
    make_packed(&b);
    s->limits.batch_threads = WORKERS + 1;
    reply json = ask(s, "batch", "application/json", b.json.bytes, b.json.used);
    reply got =
        ask(s, "batch", "application/vnd.navmeshd.batch", (const char *)b.bytes, b.size_bytes);
    if (json.status != 200 || got.status != 200) {
        fail_msg("%d %.200s %d %.200s", json.status, json.body, got.status, got.body);
    }
    const uint8_t *bytes = (const uint8_t *)got.body;
    assert_memory_equal(bytes, "NAVR", 4);
    assert_int_equal(proto_get_u32(bytes + 8), 3);
    assert_int_equal(proto_get_u32(bytes + 12), PACKED_COUNT);
    char *results = strndup(json.body, json.body_bytes);
    char *at = strstr(results, "[{") + 1;
    for (uint32_t i = 0; i < PACKED_COUNT; i++) {
        const uint32_t begin = proto_get_u32(bytes + 24 + 4 * (size_t)i);
        assert_true(begin % 4 == 0 && begin < got.body_bytes);
        char *end = at;
        int depth = 0;
        do {
            depth += *end == '{' ? 1 : *end == '}' ? -1 : 0;
        } while (depth > 0 && *end++ != '\0');
        assert_int_equal(*end, '}');
        *end = '\0';
        same_result(at, bytes + begin, i);
        at = end + 2;
    }
    free(results);
    free(json.body);
    free(got.body);
    free(b.json.bytes);
}

// Each damaged word is named, or is a question of its own.
static void damaged_packed_questions_are_refused(void **state)
{
    service *s = *state;
    static packed_batch b;
    const struct {
        uint32_t offset, value;
        const char *at;
    } rows[] = {
        {0, 7, "magic"},
        {4, 2, "format_version"},
        {8, 0, "count"},
        {8, PACKED_COUNT + 1, "count"},
        {16, 1, "count"},
        {24, 1, "reserved"},
        {32, 8, "queries[0].kind"},
        {32, 0x0200, "queries[0].flags"},
        {32, 0x030000, "queries[0].search"},
        {32 + 4, 9, "queries[0].filter"},
        {32 + 4, 9 << 16, "queries[0].avoid"},
        {32 + 8, 1, "queries[0].instance"},
        {32 + 8, 1 << 16, "queries[0].agent"},
        {32 + 12, 30001, "queries[0].deadline_ms"},
        {32 + 16, 1, "queries[0].reserved"},
        {32 + 24, 0x7fc00000, "queries[0].start[0]"},
        {32 + 48, 0xbf800000, "queries[0].snap.horizontal"},
        {32 + RECORD + 16, 65, "queries[1].count"},
        {32 + RECORD + 36, 1, "queries[1].reserved"},
        {32 + 4 * RECORD + 16, 0, "queries[4].count"},
        {32 + 4 * RECORD + 16, 1, "points"},
        {32 + PACKED_COUNT * RECORD, 0x7f800000, "points[0][0]"},
    };
    make_packed(&b);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const uint32_t before = proto_get_u32(b.bytes + rows[i].offset);
        char expected[128];
        proto_put_u32(b.bytes + rows[i].offset, rows[i].value);
        reply got =
            ask(s, "batch", "application/vnd.navmeshd.batch", (const char *)b.bytes, b.size_bytes);
        proto_put_u32(b.bytes + rows[i].offset, before);
        char *body = strndup(got.body, got.body_bytes);
        (void)snprintf(expected, sizeof expected, "\"at\":\"%s\"", rows[i].at);
        if (got.status != 422 || strstr(body, expected) == NULL) {
            fail_msg("%s: %d %.300s", rows[i].at, got.status, body);
        }
        free(body);
        free(got.body);
    }
    free(b.json.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packed_results_are_those_of_json),
        cmocka_unit_test(damaged_packed_questions_are_refused),
    };
    return cmocka_run_group_tests_name("batch_packed", tests, set_up, tear_down);
}
