// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// request.c: requests of all kinds: defaults, then JSON or arguments over them, then the kind's own
// check. The rows of each kind stand in paths.c or questions.c.

#include "proto/requests/rows.h"

#include <string.h>

// Readers of common rows take each struct for a proto_common.
_Static_assert(offsetof(proto_path_request, common) == 0 &&
                   sizeof(proto_path_request) <= PROTO_REQUEST_BYTES_MAX,
               "path");
_Static_assert(offsetof(proto_batch_request, common) == 0 &&
                   sizeof(proto_batch_request) <= PROTO_REQUEST_BYTES_MAX,
               "paths, batch");
_Static_assert(offsetof(proto_nearest_request, common) == 0 &&
                   sizeof(proto_nearest_request) <= PROTO_REQUEST_BYTES_MAX,
               "nearest");
_Static_assert(offsetof(proto_reachable_request, common) == 0 &&
                   sizeof(proto_reachable_request) <= PROTO_REQUEST_BYTES_MAX,
               "reachable");
_Static_assert(offsetof(proto_step_request, common) == 0 &&
                   sizeof(proto_step_request) <= PROTO_REQUEST_BYTES_MAX,
               "step");
_Static_assert(offsetof(proto_wall_request, common) == 0 &&
                   sizeof(proto_wall_request) <= PROTO_REQUEST_BYTES_MAX,
               "wall");
_Static_assert(offsetof(proto_floors_request, common) == 0 &&
                   sizeof(proto_floors_request) <= PROTO_REQUEST_BYTES_MAX,
               "floors");
_Static_assert(offsetof(proto_random_request, common) == 0 &&
                   sizeof(proto_random_request) <= PROTO_REQUEST_BYTES_MAX,
               "random");
_Static_assert(offsetof(proto_trace_request, common) == 0 &&
                   sizeof(proto_trace_request) <= PROTO_REQUEST_BYTES_MAX,
               "trace");
_Static_assert(offsetof(proto_matrix_request, common) == 0 &&
                   sizeof(proto_matrix_request) <= PROTO_REQUEST_BYTES_MAX,
               "matrix");
_Static_assert(offsetof(proto_flood_request, common) == 0 &&
                   sizeof(proto_flood_request) <= PROTO_REQUEST_BYTES_MAX,
               "flood");
_Static_assert(offsetof(proto_explain_request, common) == 0 &&
                   sizeof(proto_explain_request) <= PROTO_REQUEST_BYTES_MAX,
               "explain");

// Requests are read beside the caller's struct, which stays as it was where something is wrong.
typedef union request_room {
    max_align_t align;
    unsigned char bytes[PROTO_REQUEST_BYTES_MAX];
} request_room;

static void begin(const proto_kind *kind, nav_arena *memory, void *room, size_t room_bytes)
{
    NAV_ASSERT(kind->size_bytes <= room_bytes && kind->size_bytes >= sizeof(proto_common));
    NAV_ASSERT(memory != NULL);
    memset(room, 0, room_bytes);
    const proto_common common = {.memory = memory, .snap = nav_snap_default()};
    memcpy(room, &common, sizeof common);
    if (kind->set_defaults != NULL) {
        kind->set_defaults(room);
    }
}

// The rows of a question that is asked alone.
static proto_fields fields_alone(const proto_kind *kind)
{
    NAV_DCHECK(kind->batch_rows < kind->fields.count);
    return (proto_fields){.rows = kind->fields.rows,
                          .count = kind->fields.count - kind->batch_rows};
}

static nav_status finish(const proto_kind *kind, nav_status status, request_room *room,
                         uint64_t seen, void *out, nav_error *err)
{
    NAV_IF_OK(status, proto_fields_check_required(fields_alone(kind), seen, err));
    if (status == NAV_OK && kind->finish != NULL) {
        status = kind->finish(room, seen, err);
    }
    memcpy(room->bytes + offsetof(proto_common, seen), &seen, sizeof seen);
    if (status == NAV_OK) {
        memcpy(out, room, kind->size_bytes);
    }
    return status;
}

nav_status proto_request_json(const proto_kind *kind, const char *json, size_t size_bytes,
                              nav_arena *memory, void *out, nav_error *err)
{
    request_room room;
    uint64_t seen;
    const uint32_t values_max = kind->values_max > 0 ? kind->values_max : PROTO_JSON_VALUES_MAX;
    begin(kind, memory, &room, sizeof room);
    nav_status status =
        proto_fields_read_json(fields_alone(kind), json, size_bytes, values_max, &room, &seen, err);
    return finish(kind, status, &room, seen, out, err);
}

nav_status proto_request_args(const proto_kind *kind, const proto_arg *args, size_t arg_count,
                              nav_arena *memory, void *out, nav_error *err)
{
    request_room room;
    uint64_t seen;
    begin(kind, memory, &room, sizeof room);
    nav_status status =
        proto_fields_read_args(fields_alone(kind), args, arg_count, &room, &seen, err);
    return finish(kind, status, &room, seen, out, err);
}

// Puts the prefix before the place of a fault that a question's own check has found.
static void name_fault(nav_error *err, const char *prefix)
{
    char at[sizeof err->at];
    memcpy(at, err->at, sizeof at);
    nav_error_at(err, "%.24s%.70s", prefix, at);
}

void proto_request_begin(const proto_kind *kind, nav_arena *memory, proto_common *out)
{
    begin(kind, memory, out, kind->size_bytes);
    out->names_lists = true;
}

nav_status proto_request_query(const proto_kind *kind, const proto_item *item, const char *prefix,
                               nav_arena *memory, proto_common *out, nav_error *err)
{
    uint64_t seen;
    NAV_ASSERT(kind->batch_rows == PROTO_BATCH_ROWS &&
               kind->fields.count > PROTO_BATCH_ROWS + PROTO_ALONE_ROWS);
    const uint64_t alone = ((UINT64_C(1) << PROTO_ALONE_ROWS) - 1)
                           << (kind->fields.count - PROTO_BATCH_ROWS - PROTO_ALONE_ROWS);
    proto_request_begin(kind, memory, out);
    nav_status status = proto_fields_read_item(kind->fields, item, prefix, out, &seen, err);
    NAV_IF_OK(status, proto_fields_check_members(kind->fields, prefix, seen, 0, ~alone, err));
    if (status == NAV_OK && kind->finish != NULL) {
        status = kind->finish(out, seen, err);
        if (status != NAV_OK) {
            name_fault(err, prefix);
        }
    }
    out->seen = seen;
    return status;
}

nav_status proto_request_to_mesh(const proto_kind *kind, nav_coordinates coordinates,
                                 proto_common *request, nav_error *err)
{
    const nav_status status =
        proto_lengths_check(kind->fields, "", request->seen, request, coordinates, err);
    if (status == NAV_OK) {
        proto_lengths_to_mesh(kind->fields, request->seen, request, coordinates);
    }
    return status;
}
