// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// explain.c: GET .../explain: a point, or the two ends of a path, or a tile.

#include "proto/requests/rows.h"

#include <stdlib.h>
#include <string.h>

enum {
    ROW_POINT,
    ROW_START,
    ROW_END,
    ROW_TILE
};

#define BIT(row) (UINT64_C(1) << (row))

// A whole number up to NAV_GRID_TILES_MAX; *end is behind it.
static bool read_place(const char *text, char **end, uint32_t *out)
{
    const size_t digits = strspn(text, "0123456789");
    if (digits == 0 || digits > 8) {
        return false;
    }
    const unsigned long value = strtoul(text, end, 10);
    *out = (uint32_t)value;
    return value < NAV_GRID_TILES_MAX;
}

// "3,4", as an argument.
static nav_status read_tile(const proto_value *v)
{
    char text[24];
    char *end = text;
    uint32_t *tile = ((proto_explain_request *)v->target)->tile;
    if (v->item->kind != PROTO_TOKEN_STRING || v->item->text_bytes >= sizeof text) {
        return proto_value_invalid(v, "the place of a tile, x,z");
    }
    memcpy(text, v->item->text, v->item->text_bytes);
    text[v->item->text_bytes] = '\0';
    const bool is_place = read_place(text, &end, &tile[0]) && *end == ',' &&
                          read_place(end + 1, &end, &tile[1]) && *end == '\0';
    return is_place ? NAV_OK : proto_value_invalid(v, "the place of a tile, two whole numbers x,z");
}

static const proto_field ROWS[] = {
    [ROW_POINT] = {PROTO_ROW(POINT, proto_explain_request, point)},
    [ROW_START] = {PROTO_ROW(POINT, proto_explain_request, start)},
    [ROW_END] = {PROTO_ROW(POINT, proto_explain_request, end)},
    [ROW_TILE] = {PROTO_ROW(READ, proto_explain_request, tile), .read = read_tile},
    PROTO_SNAP_ROWS(offsetof(proto_common, snap)),
    PROTO_AGENT_ROW,
    PROTO_DEADLINE_ROW,
    PROTO_INSTANCE_ROW,
    PROTO_VERSION_ROW,
};

static nav_status finish(void *request, uint64_t seen, nav_error *err)
{
    proto_explain_request *r = request;
    const uint64_t ends = BIT(ROW_START) | BIT(ROW_END), asked = seen & (BIT(ROW_TILE + 1) - 1);
    if (asked == 0) {
        return nav_fail_at(err, NAV_INVALID_FIELD, "point",
                           "send point, or start and end, or tile");
    }
    if (asked == BIT(ROW_START) || asked == BIT(ROW_END)) {
        return nav_fail_at(err, NAV_INVALID_FIELD, asked == BIT(ROW_START) ? "end" : "start",
                           "start and end go together");
    }
    if (asked != BIT(ROW_POINT) && asked != BIT(ROW_TILE) && asked != ends) {
        return nav_fail_at(err, NAV_INVALID_FIELD, (asked & BIT(ROW_TILE)) != 0 ? "tile" : "point",
                           "send only one of point, start and end, and tile");
    }
    r->explained = asked == ends            ? PROTO_EXPLAINED_PATH
                   : asked == BIT(ROW_TILE) ? PROTO_EXPLAINED_TILE
                                            : PROTO_EXPLAINED_POINT;
    return NAV_OK;
}

const proto_kind PROTO_EXPLAIN = {PROTO_KIND(proto_explain_request, ROWS), .finish = finish};
