// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// checks.c: PUT /v1/meshes/{mesh}/checks, {"checks":[{"name":...,"expect":...}]}. Read once
// more from the store whenever the checks are run.

#include "proto/json/document.h"
#include "proto/requests/rows.h"

#include <stdio.h>
#include <string.h>

#define LENGTH_MAX 1e9
#define AREA_MAX 1e18

typedef struct check_fields {
    const char *name, *agent;
    unsigned expect;
    float start[3], end[3], point[3];
    nav_snap snap;
    float max_length, min_walkable_area;
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

static const proto_field ROWS[ROW_COUNT] = {
    [NAME] = {PROTO_ROW(STRING, check_fields, name), .required = true},
    [AGENT] = {PROTO_ROW(STRING, check_fields, agent)},
    [EXPECT] = {PROTO_ROW(CHOICE, check_fields, expect), .words = EXPECT_WORDS},
    [START] = {PROTO_ROW(POINT, check_fields, start)},
    [END] = {PROTO_ROW(POINT, check_fields, end)},
    [POINT] = {PROTO_ROW(POINT, check_fields, point)},
    [MAX_LENGTH] = {PROTO_ROW(FLOAT, check_fields, max_length), .max = LENGTH_MAX,
                    .unit = PROTO_UNIT_LENGTH},
    [MIN_AREA] = {PROTO_ROW(FLOAT, check_fields, min_walkable_area), .max = AREA_MAX},
    [SNAP_HORIZONTAL] = PROTO_SNAP_ROW("snap.horizontal", offsetof(check_fields, snap.horizontal)),
    [SNAP_UP] = PROTO_SNAP_ROW("snap.up", offsetof(check_fields, snap.up)),
    [SNAP_DOWN] = PROTO_SNAP_ROW("snap.down", offsetof(check_fields, snap.down)),
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
    nav_fail(err, NAV_INVALID_FIELD, "%s%s %s %s", prefix, ROWS[row].name, what, whose);
    nav_error_at(err, "%s%s", prefix, ROWS[row].name);
    return NAV_INVALID_FIELD;
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
    nav_fail(err, NAV_INVALID_FIELD, "%sname must have 1 to %d bytes", prefix,
             PROTO_CHECK_NAME_MAX);
    nav_error_at(err, "%sname", prefix);
    nav_error_got(err, "%.63s", name);
    nav_error_limit(err, "%d", PROTO_CHECK_NAME_MAX);
    return NAV_INVALID_FIELD;
}

static nav_status read_check(const proto_item *item, const char *prefix, proto_check *out,
                             nav_error *err)
{
    check_fields f = {.snap = nav_snap_default()};
    uint64_t seen;
    nav_status status = proto_fields_read_item(PROTO_ROWS(ROWS), item, prefix, &f, &seen, err);
    NAV_IF_OK(status, check_name(f.name, prefix, err));
    if (status != NAV_OK) {
        return status;
    }
    if ((seen & (BIT(EXPECT) | BIT(MIN_AREA))) == 0) {
        return fail_member(prefix, EXPECT, "or min_walkable_area must say",
                           "what the check expects", err);
    }
    out->expect = (seen & BIT(EXPECT)) != 0 ? (proto_expect)f.expect : PROTO_EXPECT_AREA;
    if (out->expect == PROTO_EXPECT_ON_MESH && (seen & BIT(POINT)) != 0 &&
        (seen & BIT(START)) == 0) {
        memcpy(f.start, f.point, sizeof f.start);
        seen = (seen & ~BIT(POINT)) | BIT(START);
    } else if ((seen & BIT(POINT)) != 0) {
        return fail_member(prefix, POINT, "stands for start in", KINDS[PROTO_EXPECT_ON_MESH].words,
                           err);
    }
    if (f.agent != NULL && (f.agent[0] == '\0' || strlen(f.agent) > NAV_NAME_MAX)) {
        return fail_member(prefix, AGENT, "is no name", "of an agent", err);
    }
    (void)snprintf(out->name, sizeof out->name, "%s", f.name);
    (void)snprintf(out->agent, sizeof out->agent, "%s", f.agent != NULL ? f.agent : "");
    memcpy(out->start, f.start, sizeof f.start);
    memcpy(out->end, f.end, sizeof f.end);
    out->has_end = (seen & BIT(END)) != 0;
    out->snap = f.snap;
    out->snap_sent = (uint8_t)(seen >> SNAP_HORIZONTAL & 7);
    out->has_max_length = (seen & BIT(MAX_LENGTH)) != 0;
    out->max_length = f.max_length;
    out->min_walkable_area = f.min_walkable_area;
    return check_members(out->expect, seen, prefix, err);
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

static nav_status check_unique(const proto_check *checks, uint32_t at, nav_error *err)
{
    for (uint32_t i = 0; i < at; i++) {
        if (strcmp(checks[i].name, checks[at].name) == 0) {
            nav_fail(err, NAV_INVALID_FIELD, "checks[%u] and checks[%u] have one name", i, at);
            nav_error_at(err, "checks[%u].name", at);
            nav_error_got(err, "%.63s", checks[at].name);
            return NAV_INVALID_FIELD;
        }
    }
    return NAV_OK;
}

static nav_status read_list(const proto_item *list, nav_arena *memory, proto_checks *out,
                            nav_error *err)
{
    uint32_t count, i = 0;
    nav_status status =
        proto_item_count_within(list, "checks", PROTO_TOKEN_LIST, PROTO_CHECKS_MAX, &count, err);
    if (status != NAV_OK) {
        return status;
    }
    proto_check *checks = NAV_NEW_ZERO(memory, proto_check, count);
    if (checks == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory to read the checks");
    }
    proto_item item;
    for (bool more = proto_item_first(list, &item); more;
         more = status == NAV_OK && proto_item_next(&item), i++) {
        char prefix[24];
        (void)snprintf(prefix, sizeof prefix, "checks[%u].", i);
        status = read_check(&item, prefix, &checks[i], err);
        NAV_IF_OK(status, check_unique(checks, i, err));
    }
    if (status == NAV_OK) {
        *out = (proto_checks){.items = checks, .count = count};
    }
    return status;
}

nav_status proto_checks_read(const char *json, size_t size_bytes, nav_arena *memory,
                             proto_checks *out, nav_error *err)
{
    // An answer can be sent back, also to another mesh: its `mesh` is passed over.
    static const proto_field rows[] = {
        {.name = "checks", .type = PROTO_FIELD_ITEM, .required = true},
        {.name = "mesh", .type = PROTO_FIELD_STRING, .offset = PROTO_FIELD_NOWHERE}};
    proto_item list;
    struct cJSON *root;
    nav_status status = proto_document_parse(json, size_bytes, PROTO_JSON_VALUES_MAX, &root, err);
    if (status != NAV_OK) {
        return status;
    }
    const proto_item item = proto_item_of_node(root);
    status = proto_fields_read_item(PROTO_ROWS(rows), &item, "", &list, NULL, err);
    NAV_IF_OK(status, read_list(&list, memory, out, err));
    proto_document_delete(root);
    return status;
}
