// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// path.h: the rows of a path's request, alone or in a batch. Private to proto/.

#pragma once

#include "proto/requests/rows.h"

#define PROTO_PATH_AT(member) offsetof(proto_path_request, member)

static const char *const PROTO_SEARCH_WORDS[] = {
    [NAV_SEARCH_AUTO] = "auto", [NAV_SEARCH_FAST] = "fast", [NAV_SEARCH_EXACT] = "exact", NULL};
// In the order of the PROTO_DETAIL_ bits.
static const char *const PROTO_DETAIL_WORDS[] = {"polygons", "areas", "links", NULL};

#define PROTO_PATH_ROWS(needs_ends)                                                                \
    {.name = "start",                                                                              \
     .type = PROTO_FIELD_POINT,                                                                    \
     .offset = PROTO_PATH_AT(start),                                                               \
     .required = (needs_ends)},                                                                    \
        {.name = "end",                                                                            \
         .type = PROTO_FIELD_POINT,                                                                \
         .offset = PROTO_PATH_AT(end),                                                             \
         .required = (needs_ends)},                                                                \
        PROTO_SNAP_ROWS(offsetof(proto_common, snap)), PROTO_FILTER_ROWS,                          \
        {.name = "search",                                                                         \
         .type = PROTO_FIELD_CHOICE,                                                               \
         .offset = PROTO_PATH_AT(search),                                                          \
         .words = PROTO_SEARCH_WORDS},                                                             \
        {.name = "max_nodes",                                                                      \
         .type = PROTO_FIELD_UINT,                                                                 \
         .offset = PROTO_PATH_AT(max_nodes),                                                       \
         .min = 1,                                                                                 \
         .max = UINT32_MAX},                                                                       \
        {.name = "deadline_ms",                                                                    \
         .type = PROTO_FIELD_UINT,                                                                 \
         .offset = PROTO_PATH_AT(deadline_ms),                                                     \
         .min = 1,                                                                                 \
         .max = PROTO_DEADLINE_MS_MAX},                                                            \
        {.name = "partial", .type = PROTO_FIELD_BOOL, .offset = PROTO_PATH_AT(partial)},           \
    {                                                                                              \
        .name = "details", .type = PROTO_FIELD_WORDS, .offset = PROTO_PATH_AT(details),            \
        .words = PROTO_DETAIL_WORDS                                                                \
    }

void proto_path_defaults(void *request);
