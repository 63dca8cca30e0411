// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// request.c: requests of all kinds: defaults, then JSON or arguments over them, then the kind's own
// check. The rows of each kind stand in questions.c, batch.c and their like.

#include "proto/requests/rows.h"

#include "proto/base/coordinates.h"
#include "proto/json/document.h"

#include <string.h>

// Requests are read beside the caller's struct, which stays as it was where something is wrong.
typedef union request_space {
    max_align_t align;
    unsigned char bytes[PROTO_REQUEST_BYTES_MAX];
} request_space;

static void begin(const proto_kind *kind, nav_arena *memory, void *space, size_t space_bytes)
{
    NAV_ASSERT(kind->size_bytes <= space_bytes && (memory != NULL || kind->is_plain));
    memset(space, 0, space_bytes);
    if (kind->defaults != NULL) {
        memcpy(space, kind->defaults, kind->size_bytes);
    }
    const proto_common common = {.memory = memory, .snap = nav_snap_default()};
    memcpy(space, &common, kind->is_plain ? 0 : sizeof common);
}

static nav_status finish(const proto_kind *kind, nav_status status, request_space *space,
                         uint64_t seen, void *out, nav_error *err)
{
    NAV_IF_OK(status, kind->finish != NULL ? kind->finish(space, seen, err) : NAV_OK);
    if (!kind->is_plain) {
        memcpy(space->bytes + offsetof(proto_common, seen), &seen, sizeof seen);
    }
    if (status == NAV_OK) {
        memcpy(out, space, kind->size_bytes);
    }
    return status;
}

static nav_status read_document(proto_fields fields, const char *json, size_t size_bytes,
                                uint32_t values_max, void *target, uint64_t *seen, nav_error *err)
{
    struct cJSON *root;
    nav_status status = proto_document_parse(json, size_bytes, values_max, &root, err);
    if (status == NAV_OK) {
        const proto_item item = proto_item_of_node(root);
        status = proto_fields_read_item(fields, &item, "", target, seen, err);
        proto_document_delete(root);
    }
    return status;
}

nav_status proto_request_json(const proto_kind *kind, const char *json, size_t size_bytes,
                              nav_arena *memory, void *out, nav_error *err)
{
    request_space space;
    uint64_t seen = 0;
    const uint32_t values_max = kind->values_max > 0 ? kind->values_max : PROTO_JSON_VALUES_MAX;
    proto_fields fields = kind->fields;
    fields.memory = memory;
    begin(kind, memory, &space, sizeof space);
    nav_status status =
        kind->is_document
            ? read_document(fields, json, size_bytes, values_max, &space, &seen, err)
            : proto_fields_read_json(fields, json, size_bytes, values_max, &space, &seen, err);
    return finish(kind, status, &space, seen, out, err);
}

nav_status proto_request_args(const proto_kind *kind, const proto_arg *args, size_t arg_count,
                              nav_arena *memory, void *out, nav_error *err)
{
    request_space space;
    proto_arg_table table = {.fields = kind->fields, .target = &space};
    table.fields.memory = memory;
    begin(kind, memory, &space, sizeof space);
    const nav_status status = proto_fields_read_args(&table, 1, args, arg_count, err);
    return finish(kind, status, &space, table.seen, out, err);
}

void proto_request_begin(const proto_kind *kind, nav_arena *memory, proto_common *out)
{
    begin(kind, memory, out, kind->size_bytes);
}

nav_status proto_request_query(const proto_kind *kind, const proto_item *item, const char *prefix,
                               uint64_t absent, uint64_t optional, proto_common *out,
                               nav_error *err)
{
    uint64_t seen;
    proto_fields fields = kind->fields;
    fields.memory = out->memory;
    fields.absent = absent;
    fields.optional = optional;
    NAV_ASSERT(kind->in_batches);
    nav_status status = proto_fields_read_item(fields, item, prefix, out, &seen, err);
    if (status == NAV_OK && kind->finish != NULL) {
        status = kind->finish(out, seen, err);
        if (status != NAV_OK) {
            proto_error_within(err, "%s", prefix);
        }
    }
    out->seen |= seen;
    return status;
}

static nav_status lists_to_mesh(const proto_kind *kind, nav_coordinates coordinates,
                                uint64_t list_max, proto_common *request, nav_error *err)
{
    nav_status status = NAV_OK;
    for (uint64_t left = request->seen; left != 0 && status == NAV_OK; left &= left - 1) {
        const proto_field *field = &kind->fields.rows[__builtin_ctzll(left)];
        if (field->read != proto_read_points) {
            continue;
        }
        const proto_points *points = (const void *)((const char *)request + field->offset);
        status = proto_count_check(field->name, points->count, list_max, err);
        for (uint32_t i = 0; i < points->count && status == NAV_OK; i++) {
            proto_to_mesh(coordinates, points->at[i]);
        }
    }
    return status;
}

nav_status proto_request_to_mesh(const proto_kind *kind, nav_coordinates coordinates,
                                 uint64_t list_max, proto_common *request, nav_error *err)
{
    nav_status status =
        proto_lengths_check(kind->fields, "", request->seen, request, coordinates, err);
    NAV_IF_OK(status, lists_to_mesh(kind, coordinates, list_max, request, err));
    if (status == NAV_OK) {
        proto_lengths_to_mesh(kind->fields, request->seen, request, coordinates);
    }
    return status;
}
