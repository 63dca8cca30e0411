// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// batch.h: many questions while they are read, as JSON (batch.c) or packed (batch_packed.c). The
// queries of /paths are those of a batch whose kind is given. Private to this room.

#pragma once

#include "proto/requests/rows.h"

// The lists that queries share, by the member of a query that names one by number.
typedef enum batch_list {
    BATCH_FILTERS,
    BATCH_AVOID_SETS,
    BATCH_INSTANCES,
    BATCH_AGENTS,
    BATCH_LISTS
} batch_list;

// Each as it is read for a question, the rest of which is skipped.
typedef struct shared_lists {
    const proto_common *at;
    uint32_t count;
} shared_lists;

// A batch while its members are read, in whatever order they come.
typedef struct batch_fields {
    proto_batch_request request; // first
    proto_path_request defaults; // of /paths: how each query begins
    bool is_early;               // the queries were met before the defaults
    bool has_incomplete;         // and one of them had no start or no end of its own
    shared_lists lists[BATCH_LISTS];
    proto_query *queries;
    uint32_t capacity, made; // room in the list; queries that have memory, also of a reading before
    uint32_t places;         // that the queries so far ask for
    const char *text;        // of the list of queries as JSON
    size_t text_bytes;
} batch_fields;

// The rest of a packed batch, which is JSON: the defaults of /paths, or the lists; and `record`.
// Errors as of a request.
nav_status proto_batch_read_rest(batch_fields *f, const char *json, size_t size_bytes,
                                 nav_error *err);
// The next query, at its defaults. Errors: NAV_NO_MEMORY.
nav_status proto_batch_add(batch_fields *f, proto_asked asked, proto_query **out, nav_error *err);
// Adds the places that a query asks for, whose names in errors begin with prefix. Errors:
// PROTO_BATCH_TOO_LARGE.
nav_status proto_batch_count_places(batch_fields *f, const proto_query *query, const char *prefix,
                                    nav_error *err);
// Once all queries are read, gives each the lists that it names by number. Errors:
// NAV_INVALID_FIELD, where there is no such list.
nav_status proto_batch_name_lists(const batch_fields *f, nav_error *err);
// The error of a batch of so many, at a member.
nav_status proto_too_many_queries(uint32_t count, const char *at, nav_error *err);
// "queries[7]." by hand: printf takes longer than all the rest of a query.
#define PROTO_PREFIX_BYTES 24u
void proto_put_prefix(uint32_t index, char out[PROTO_PREFIX_BYTES]);
