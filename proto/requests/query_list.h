// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// query_list.h: the list "queries" of a batch, while it is read: of paths (paths.c) or mixed
// (batch.c, batch_packed.c). Private to this room.

#pragma once

#include "proto/requests/requests.h"
#include "proto/requests/rows.h"

// The first member of what a batch is read into.
typedef struct query_list query_list;
struct query_list {
    proto_batch_request request; // first
    // Reads one element into *out, with memory from proto_query_room. prefix is "queries[7].".
    nav_status (*read)(query_list *list, const proto_item *item, const char *prefix,
                       proto_query *out, nav_error *err);
    proto_query *queries;
    uint32_t capacity, made; // room in the list; queries that have memory, also of a reading before
    const char *text;        // the list's; NULL: not met yet
    size_t text_bytes;
};

// Filters, shapes, instances or agents that queries share: each as it is read for a question, the
// rest of which is not looked at.
typedef struct shared_lists {
    const proto_common *at;
    uint32_t count;
} shared_lists;

// A mixed batch while its members are read, in whatever order they come.
typedef struct batch_fields {
    query_list list;
    shared_lists filters, avoid_sets, instances, agents;
    uint32_t places; // that the queries so far ask for
} batch_fields;

// The lists alone, of JSON that has nothing else but `record`. Errors as of a request.
nav_status proto_batch_read_lists(batch_fields *f, const char *json, size_t size_bytes,
                                  nav_error *err);
// Adds the places that a query asks for, whose names in errors begin with prefix. Errors:
// PROTO_BATCH_TOO_LARGE.
nav_status proto_batch_count_places(batch_fields *f, const proto_query *query, const char *prefix,
                                    nav_error *err);
// Gives each query the lists that it names by number. Errors: NAV_INVALID_FIELD, where there is no
// such list.
nav_status proto_batch_name_lists(const batch_fields *f, nav_error *err);
// The first row of snap among those of a path, as a bit of proto_common.seen; the others follow it.
#define PROTO_PATH_SNAP_ROW (UINT64_C(1) << 2)
// Defaults of packed paths, an object that has nothing else but `record`, over those that are in
// *out.
nav_status proto_path_defaults_read(const char *json, size_t size_bytes, proto_path_request *out,
                                    nav_error *err);
// The table and struct of what a query asks.
extern const proto_kind *const PROTO_ASKED_KINDS[PROTO_ASKED_COUNT];

// The error of a batch of so many, at a member.
nav_status proto_too_many_queries(uint32_t count, const char *at, nav_error *err);
// "queries[7]." by hand: printf takes longer than all the rest of a query.
#define PROTO_PREFIX_BYTES 24u
void proto_put_prefix(uint32_t index, char out[PROTO_PREFIX_BYTES]);

// Reads the list. Errors also: PROTO_BATCH_TOO_LARGE.
nav_status proto_queries_read(query_list *list, const proto_item *item, nav_error *err);
// Reads it once more, from where it stood.
nav_status proto_queries_read_again(query_list *list, nav_error *err);
// Memory for the newest query, of at most PROTO_REQUEST_BYTES_MAX; that of a reading before is
// taken again. NULL: there is none.
proto_common *proto_query_room(query_list *list, size_t size_bytes);
