// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// rows.h: kinds of requests, and rows that several have in common. Private to proto/.

#pragma once

#include "proto/json/fields.h"
#include "proto/requests/requests.h"

struct proto_kind {
    proto_fields fields;  // of a request that is sent alone
    size_t size_bytes;    // of the struct, which begins with a proto_common
    bool is_plain;        // or which does not
    bool is_document;     // its JSON is read as a whole
    bool in_batches;      // a batch takes it as well
    uint32_t values_max;  // of its JSON; 0: PROTO_JSON_VALUES_MAX
    const void *defaults; // the struct as it begins, but for what is common; NULL: zeroes
    // Once all rows are read, while the text is still there; may be NULL.
    nav_status (*finish)(void *request, uint64_t seen, nav_error *err);
};

#define PROTO_COUNT(table) (sizeof(table) / sizeof((table)[0]))
// A kind's table and struct, with its static checks.
#define PROTO_SIZE_OF_KIND(type)                                                                   \
    (sizeof(type) + 0 * sizeof(struct {                                                            \
                        _Static_assert(offsetof(type, common) == 0 &&                              \
                                           sizeof(type) <= PROTO_REQUEST_BYTES_MAX,                \
                                       "readers of common rows take each for a proto_common");     \
                        int unused;                                                                \
                    }))
#define PROTO_KIND(type, table) .fields = PROTO_TABLE(table), .size_bytes = PROTO_SIZE_OF_KIND(type)
#define PROTO_PLAIN_KIND(type, table)                                                              \
    .fields = PROTO_TABLE(table), .size_bytes = sizeof(type), .is_plain = true
// The same of a question that a batch takes as well, whose last rows are PROTO_LAST_ROWS: two that
// a query of a batch has not, and two that only such a query has.
#define PROTO_BATCH_KIND(type, table)                                                              \
    .fields = {.rows = (table),                                                                    \
               .count = PROTO_COUNT(table),                                                        \
               .absent = UINT64_C(3) << (PROTO_COUNT(table) - 2)},                                 \
    .size_bytes = PROTO_SIZE_OF_KIND(type), .in_batches = true
#define PROTO_ABSENT_IN_BATCH(kind) ((kind)->fields.absent >> 2)

// A request of a kind before its members are read.
void proto_request_begin(const proto_kind *kind, nav_arena *memory, proto_common *out);
// A query of a batch, which begins as *out is: `absent` are the rows that it does not have,
// `optional` those that it need not have. Names in errors begin with prefix. *out is undefined on
// failure.
nav_status proto_request_query(const proto_kind *kind, const proto_item *item, const char *prefix,
                               uint64_t absent, uint64_t optional, proto_common *out,
                               nav_error *err);
// The table and struct of what a query asks.
extern const proto_kind *const PROTO_ASKED_KINDS[PROTO_ASKED_COUNT];

// ---- readers of rows (readers.c); targets of the first five begin with a proto_common ----

// A query in a batch, which names_lists, may give the number of a list for these.
proto_reader proto_read_agent, proto_read_filter, proto_read_instance;
proto_reader proto_read_avoid; // avoid.c
// A string or number of a question into a const char * to its JSON text, as it was sent.
proto_reader proto_read_id;
// The number of one of a batch's lists, counted from 0, into one that is counted from 1. Whether
// there is such a list is known once all of the batch has been read. False: it is no number, or
// none counts here.
bool proto_read_list_number(const proto_value *v, uint32_t *out, nav_status *status);
// The name of an agent, into the nav_name at the row's offset.
proto_reader proto_read_agent_name;
// A list of up to field->max points, or finite numbers, into a proto_points or proto_numbers.
proto_reader proto_read_points, proto_read_numbers;

// One shape into a proto_avoid (avoid.c), one link into a proto_link (links.c), both v->target;
// outlines and names come from memory.
proto_reader proto_read_shape, proto_read_link;
// A shape's lengths, once the level's unit is known.
nav_status proto_shape_check(const proto_avoid *shape, nav_coordinates coordinates, nav_error *err);

// ---- rows ----

#define PROTO_AGENT_ROW PROTO_READ_ROW("agent", proto_read_agent)
#define PROTO_AGENT_NAME_ROW(of)                                                                   \
    {                                                                                              \
        PROTO_ROW(READ, of, agent), .read = proto_read_agent_name                                  \
    }

// A search further than this for the mesh is no snapping any more.
#define PROTO_SNAP_MAX 10000.0

#define PROTO_SNAP_ROW(field_name, field_offset)                                                   \
    {                                                                                              \
        PROTO_ROW_AT(FLOAT, field_name, (field_offset)), .min = 0.0, .max = PROTO_SNAP_MAX,        \
                                                         .unit = PROTO_UNIT_LENGTH                 \
    }

// The three rows of a nav_snap at snap_offset.
#define PROTO_SNAP_ROWS(snap_offset)                                                               \
    PROTO_SNAP_ROW("snap.horizontal", (snap_offset) + offsetof(nav_snap, horizontal)),             \
        PROTO_SNAP_ROW("snap.up", (snap_offset) + offsetof(nav_snap, up)),                         \
        PROTO_SNAP_ROW("snap.down", (snap_offset) + offsetof(nav_snap, down))

#define PROTO_FILTER_ROWS                                                                          \
    PROTO_AGENT_ROW, PROTO_READ_ROW("filter", proto_read_filter),                                  \
        PROTO_READ_ROW("avoid", proto_read_avoid)

#define PROTO_VERSION_ROW                                                                          \
    {                                                                                              \
        PROTO_ROW(UINT, proto_common, version), .min = 1, .max = UINT32_MAX                        \
    }

// A request has it, a query in it has not: see server/recordings/.
#define PROTO_RECORD_ROW                                                                           \
    {                                                                                              \
        PROTO_ROW(BOOL, proto_common, record)                                                      \
    }

// Half a minute is forever for a game server.
#define PROTO_DEADLINE_MS_MAX 30000

#define PROTO_DEADLINE_ROW                                                                         \
    {                                                                                              \
        PROTO_ROW(UINT, proto_common, deadline_ms), .min = 1, .max = PROTO_DEADLINE_MS_MAX         \
    }

#define PROTO_INSTANCE_ROW PROTO_READ_ROW("instance", proto_read_instance)

// Rows that all questions have in common, but for the version.
#define PROTO_COMMON_ROWS                                                                          \
    PROTO_SNAP_ROWS(offsetof(proto_common, snap)), PROTO_FILTER_ROWS, PROTO_DEADLINE_ROW,          \
        PROTO_INSTANCE_ROW

// The last rows of a question that a batch takes as well. The kind of a query is known before its
// rows are.
#define PROTO_LAST_ROWS                                                                            \
    PROTO_RECORD_ROW, PROTO_VERSION_ROW,                                                           \
        {PROTO_ROW_AT(CHOICE, "kind", PROTO_FIELD_NOWHERE), .words = PROTO_ASKED_WORDS},           \
    {                                                                                              \
        PROTO_ROW(READ, proto_common, id), .read = proto_read_id                                   \
    }

// The rows of a page of a list: after which one, and how many.
#define PROTO_PAGE_ROWS(of, reader, most)                                                          \
    {PROTO_ROW(READ, of, after), .read = reader},                                                  \
    {                                                                                              \
        PROTO_ROW(UINT, of, limit), .min = 1, .max = (most)                                        \
    }
