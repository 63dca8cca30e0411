// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// rows.h: rows that several requests have in common. Private to proto/.

#pragma once

#include "proto/json/fields.h"
#include "proto/requests/requests.h"

// common.c: the name of an agent, into the proto_common that is read, or into the nav_name at the
// row's offset.
nav_status proto_read_agent(const proto_item *item, const char *at, const proto_field *field,
                            void *target, nav_error *err);
nav_status proto_read_agent_name(const proto_item *item, const char *at, const proto_field *field,
                                 void *target, nav_error *err);

#define PROTO_AGENT_NAME_ROW(of, member)                                                           \
    {                                                                                              \
        .name = "agent", .type = PROTO_FIELD_READ, .offset = offsetof(of, member),                 \
        .read = proto_read_agent_name                                                              \
    }

// Looking further than this for the mesh is no snapping any more.
#define PROTO_SNAP_MAX 10000.0

#define PROTO_SNAP_ROW(field_name, field_offset)                                                   \
    {                                                                                              \
        .name = field_name, .type = PROTO_FIELD_FLOAT, .offset = (field_offset), .min = 0.0,       \
        .max = PROTO_SNAP_MAX, .unit = PROTO_UNIT_LENGTH                                           \
    }

// The three rows of a nav_snap at snap_offset.
#define PROTO_SNAP_ROWS(snap_offset)                                                               \
    PROTO_SNAP_ROW("snap.horizontal", (snap_offset) + offsetof(nav_snap, horizontal)),             \
        PROTO_SNAP_ROW("snap.up", (snap_offset) + offsetof(nav_snap, up)),                         \
        PROTO_SNAP_ROW("snap.down", (snap_offset) + offsetof(nav_snap, down))

#define PROTO_AGENT_ROW                                                                            \
    {                                                                                              \
        .name = "agent", .type = PROTO_FIELD_READ, .read = proto_read_agent                        \
    }

// Rows that a single path and each query of a batch have in common.
#define PROTO_FILTER_ROWS                                                                          \
    PROTO_AGENT_ROW, {.name = "filter", .type = PROTO_FIELD_READ, .read = proto_read_filter},      \
    {                                                                                              \
        .name = "avoid", .type = PROTO_FIELD_READ, .read = proto_read_avoid                        \
    }

#define PROTO_VERSION_ROW                                                                          \
    {                                                                                              \
        .name = "version", .type = PROTO_FIELD_UINT, .offset = offsetof(proto_common, version),    \
        .min = 1, .max = UINT32_MAX                                                                \
    }

// Of a request, not of a query in it: see server/recordings/.
#define PROTO_RECORD_ROW                                                                           \
    {                                                                                              \
        .name = "record", .type = PROTO_FIELD_BOOL, .offset = offsetof(proto_common, record)       \
    }

// Half a minute is forever for a game server.
#define PROTO_DEADLINE_MS_MAX 30000

#define PROTO_DEADLINE_ROW                                                                         \
    {                                                                                              \
        .name = "deadline_ms", .type = PROTO_FIELD_UINT,                                           \
        .offset = offsetof(proto_common, deadline_ms), .min = 1, .max = PROTO_DEADLINE_MS_MAX      \
    }

#define PROTO_INSTANCE_ROW                                                                         \
    {                                                                                              \
        .name = "instance", .type = PROTO_FIELD_READ, .read = proto_read_instance                  \
    }

// Rows that all questions have in common, but for the version.
#define PROTO_COMMON_ROWS                                                                          \
    PROTO_SNAP_ROWS(offsetof(proto_common, snap)), PROTO_FILTER_ROWS, PROTO_DEADLINE_ROW,          \
        PROTO_INSTANCE_ROW

#define PROTO_ID_ROW                                                                               \
    {                                                                                              \
        .name = "id", .type = PROTO_FIELD_READ, .offset = offsetof(proto_common, id),              \
        .read = proto_read_id                                                                      \
    }

// The kind of a query of a batch, which is known before its rows are.
#define PROTO_ASKED_ROW                                                                            \
    {                                                                                              \
        .name = "kind", .type = PROTO_FIELD_CHOICE, .offset = PROTO_FIELD_NOWHERE,                 \
        .words = PROTO_ASKED_WORDS                                                                 \
    }

// The last rows of a question that a batch takes as well: two that a query of a batch has not, and
// those that only such a query has.
#define PROTO_LAST_ROWS PROTO_RECORD_ROW, PROTO_VERSION_ROW, PROTO_ASKED_ROW, PROTO_ID_ROW
#define PROTO_ALONE_ROWS 2
#define PROTO_BATCH_ROWS 2

#define PROTO_POINT_ROW(field_name, field_offset)                                                  \
    {                                                                                              \
        .name = field_name, .type = PROTO_FIELD_POINT, .offset = (field_offset), .required = true  \
    }
