// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// checks.c: PUT /v1/meshes/{mesh}/checks, {"checks":[{"name":...,"expect":...}]}. Read once
// more from the store whenever the checks are run.

#include "proto/requests/rows.h"

#include <stdio.h>
#include <string.h>

#define LENGTH_MAX 1e9
#define AREA_MAX 1e18

typedef struct check_fields {
    proto_check check; // but for its texts
    const char *name, *agent;
    float point[3];
} check_fields;

static const char *const EXPECT_WORDS[] = {[PROTO_EXPECT_REACHABLE] = "reachable",
                                           [PROTO_EXPECT_UNREACHABLE] = "unreachable",
                                           [PROTO_EXPECT_ON_MESH] = "on_mesh",
                                           NULL};

enum {
    NAME,
    AGENT,
    EXPECT,
    START,
    END,
    POINT, // start by another name, as in the question `nearest`
    MAX_LENGTH,
    MIN_AREA,
    SNAP_HORIZONTAL, // the last three in the order of nav_snap
    SNAP_UP,
    SNAP_DOWN,
    ROW_COUNT
};

#define CHECK_ROW(kind, member) PROTO_ROW_AT(kind, #member, offsetof(check_fields, check.member))

static const proto_field ROWS[ROW_COUNT] = {
    [NAME] = {PROTO_ROW(STRING, check_fields, name), .required = true},
    [AGENT] = {PROTO_ROW(STRING, check_fields, agent)},
    [EXPECT] = {CHECK_ROW(CHOICE, expect), .words = EXPECT_WORDS},
    [START] = {CHECK_ROW(POINT, start)},
    [END] = {CHECK_ROW(POINT, end)},
    [POINT] = {PROTO_ROW(POINT, check_fields, point)},
    [MAX_LENGTH] = {CHECK_ROW(FLOAT, max_length), .max = LENGTH_MAX, .unit = PROTO_UNIT_LENGTH},
    [MIN_AREA] = {CHECK_ROW(FLOAT, min_walkable_area), .max = AREA_MAX},
    [SNAP_HORIZONTAL] =
        PROTO_SNAP_ROW("snap.horizontal", offsetof(check_fields, check.snap.horizontal)),
    [SNAP_UP] = PROTO_SNAP_ROW("snap.up", offsetof(check_fields, check.snap.up)),
    [SNAP_DOWN] = PROTO_SNAP_ROW("snap.down", offsetof(check_fields, check.snap.down)),
};

_Static_assert(ROW_COUNT <= 64, "a row is a bit of what was seen");

#define BIT(row) (UINT64_C(1) << (row))
#define SNAP (BIT(SNAP_HORIZONTAL) | BIT(SNAP_UP) | BIT(SNAP_DOWN))

// The members that each kind of check must have, and those that it may have beside them.
static const struct {
    uint64_t must, may;
    const char *words;
} KINDS[] = {
    [PROTO_EXPECT_REACHABLE] = {BIT(START) | BIT(END), BIT(EXPECT) | BIT(MAX_LENGTH) | SNAP,
                                "a check that expects \"reachable\""},
    [PROTO_EXPECT_UNREACHABLE] = {BIT(START) | BIT(END), BIT(EXPECT) | SNAP,
                                  "a check that expects \"unreachable\""},
    [PROTO_EXPECT_ON_MESH] = {BIT(START), BIT(EXPECT) | BIT(END) | BIT(POINT) | SNAP,
                              "a check that expects \"on_mesh\""},
    [PROTO_EXPECT_AREA] = {BIT(MIN_AREA), 0, "a check without \"expect\""},
};

static nav_status fail_member(const char *prefix, uint32_t row, const char *what, const char *whose,
                              nav_error *err)
{
    const nav_error_place at = nav_at("%s%s", prefix, ROWS[row].name);
    return nav_fail_at(err, NAV_INVALID_FIELD, at.text, "%s %s %s", at.text, what, whose);
}

static nav_status check_members(proto_expect expect, uint64_t seen, const char *prefix,
                                nav_error *err)
{
    NAV_ASSERT((size_t)expect < sizeof KINDS / sizeof KINDS[0]);
    uint64_t must = KINDS[expect].must, allowed = must | KINDS[expect].may | BIT(NAME) | BIT(AGENT);
    for (uint32_t row = 0; row < ROW_COUNT; row++) {
        if ((seen & BIT(row) & ~allowed) != 0) {
            return fail_member(prefix, row, "has no place in", KINDS[expect].words, err);
        }
        if ((must & BIT(row) & ~seen) != 0) {
            return fail_member(prefix, row, "is missing in", KINDS[expect].words, err);
        }
    }
    return NAV_OK;
}

static nav_status check_name(const char *name, const char *prefix, nav_error *err)
{
    size_t length = strlen(name);
    if (length > 0 && length <= PROTO_CHECK_NAME_MAX) {
        return NAV_OK;
    }
    nav_fail_at(err, NAV_INVALID_FIELD, nav_at("%sname", prefix).text,
                "%sname must have 1 to %d bytes", prefix, PROTO_CHECK_NAME_MAX);
    nav_error_got(err, "%.63s", name);
    nav_error_limit(err, "%d", PROTO_CHECK_NAME_MAX);
    return NAV_INVALID_FIELD;
}

static nav_status read_check(const proto_value *v)
{
    check_fields f = {.check.snap = nav_snap_default(), .agent = ""};
    proto_check *check = &f.check;
    uint64_t seen;
    const nav_error_place place = proto_value_prefix(v);
    const char *prefix = place.text;
    nav_status status = proto_fields_read_value(PROTO_ROWS(ROWS), v, &f, &seen);
    NAV_IF_OK(status, check_name(f.name, prefix, v->err));
    if (status != NAV_OK) {
        return status;
    }
    if ((seen & (BIT(EXPECT) | BIT(MIN_AREA))) == 0) {
        return fail_member(prefix, EXPECT, "or min_walkable_area must say",
                           "what the check expects", v->err);
    }
    check->expect = (seen & BIT(EXPECT)) != 0 ? check->expect : PROTO_EXPECT_AREA;
    if (check->expect == PROTO_EXPECT_ON_MESH && (seen & BIT(POINT)) != 0 &&
        (seen & BIT(START)) == 0) {
        memcpy(check->start, f.point, sizeof check->start);
        seen = (seen & ~BIT(POINT)) | BIT(START);
    } else if ((seen & BIT(POINT)) != 0) {
        return fail_member(prefix, POINT, "stands for start in", KINDS[PROTO_EXPECT_ON_MESH].words,
                           v->err);
    }
    if ((seen & BIT(AGENT)) != 0 && (f.agent[0] == '\0' || strlen(f.agent) > NAV_NAME_MAX)) {
        return fail_member(prefix, AGENT, "is no name", "of an agent", v->err);
    }
    (void)snprintf(check->name, sizeof check->name, "%s", f.name);
    (void)snprintf(check->agent, sizeof check->agent, "%s", f.agent);
    check->has_end = (seen & BIT(END)) != 0;
    check->snap_sent = (uint8_t)(seen >> SNAP_HORIZONTAL & 7);
    check->has_max_length = (seen & BIT(MAX_LENGTH)) != 0;
    *(proto_check *)v->target = *check;
    return check_members(check->expect, seen, prefix, v->err);
}

nav_snap proto_check_snap(const proto_check *check, nav_coordinates coordinates)
{
    nav_snap snap = check->snap;
    float *const metres[3] = {&snap.horizontal, &snap.up, &snap.down};
    for (int i = 0; i < 3; i++) {
        if ((check->snap_sent >> i & 1) != 0) {
            *metres[i] = (float)proto_length_to_mesh(coordinates, (double)*metres[i]);
        }
    }
    return snap;
}

static nav_status check_unique(const proto_checks *checks, nav_error *err)
{
    for (uint32_t i = 0; i < checks->count; i++) {
        for (uint32_t k = 0; k < i; k++) {
            if (strcmp(checks->items[k].name, checks->items[i].name) == 0) {
                nav_fail_at(err, NAV_INVALID_FIELD, nav_at("checks[%u].name", i).text,
                            "checks[%u] and checks[%u] have one name", k, i);
                nav_error_got(err, "%.63s", checks->items[i].name);
                return NAV_INVALID_FIELD;
            }
        }
    }
    return NAV_OK;
}

static nav_status read_list(const proto_value *v)
{
    static const proto_each each = {PROTO_TOKEN_LIST, PROTO_CHECKS_MAX, sizeof(proto_check),
                                    read_check};
    proto_checks *out = v->target;
    nav_status status = proto_value_each(v, &each, NULL, &out->items, &out->count);
    NAV_IF_OK(status, check_unique(out, v->err));
    return status;
}

nav_status proto_checks_read(const char *json, size_t size_bytes, nav_arena *memory,
                             proto_checks *out, nav_error *err)
{
    // An answer can be sent back, also to another mesh: its `mesh` is passed over.
    static const proto_field rows[] = {
        {.name = "checks", .type = PROTO_FIELD_READ, .read = read_list, .required = true},
        {PROTO_ROW_AT(STRING, "mesh", PROTO_FIELD_NOWHERE)}};
    static const proto_kind kind = {PROTO_PLAIN_KIND(proto_checks, rows), .is_document = true};
    return proto_request_json(&kind, json, size_bytes, memory, out, err);
}
