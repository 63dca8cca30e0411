// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// request_rows.h: rows that several queries have in common. Private to proto/.

#pragma once

#include "proto/fields.h"

// Looking further than this for the mesh is no snapping any more.
#define PROTO_SNAP_MAX 10000.0

#define PROTO_SNAP_ROW(field_name, field_offset)                                                   \
    {                                                                                              \
        .name = field_name, .type = PROTO_FIELD_FLOAT, .offset = (field_offset), .min = 0.0,       \
        .max = PROTO_SNAP_MAX                                                                      \
    }

// The three rows of a nav_snap at snap_offset.
#define PROTO_SNAP_ROWS(snap_offset)                                                               \
    PROTO_SNAP_ROW("snap.horizontal", (snap_offset) + offsetof(nav_snap, horizontal)),             \
        PROTO_SNAP_ROW("snap.up", (snap_offset) + offsetof(nav_snap, up)),                         \
        PROTO_SNAP_ROW("snap.down", (snap_offset) + offsetof(nav_snap, down))

#define PROTO_VERSION_ROW(field_offset)                                                            \
    {                                                                                              \
        .name = "version", .type = PROTO_FIELD_UINT, .offset = (field_offset), .min = 1,           \
        .max = UINT32_MAX                                                                          \
    }
