// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// versions.c: requests about a mesh's versions: POST .../versions, with how the upload is to be
// treated and its settings; PUT .../active; GET .../versions/diff; GET
// .../versions/{version}/render.svg and .../export.

#include "proto/base/text.h"
#include "proto/requests/rows.h"
#include "proto/settings/sanity.h"
#include "proto/settings/settings.h"

#include <string.h>

// ---- upload: defaults, then the `config` of the body over them, then the query string over both
// ----

static const proto_field UPLOAD_ROWS[] = {
    {PROTO_ROW(BOOL, proto_upload_request, wait)},
    {PROTO_ROW(BOOL, proto_upload_request, activate)},
    {PROTO_ROW(BOOL, proto_upload_request, reuse)},
    {PROTO_ROW(BOOL, proto_upload_request, force)},
    {PROTO_ROW(BOOL, proto_upload_request, require_checks)},
    {PROTO_ROW(BOOL, proto_upload_request, strict)},
    {PROTO_ROW_AT(WORDS, "accept", offsetof(proto_upload_request, accepted)),
     .words = PROTO_ODDITY_WORDS},
};

// Both gates are about the end of the bake, so that the answer waits for it.
static nav_status settle_gates(proto_upload_request *request, nav_error *err)
{
    if (request->force && (request->require_checks || request->strict)) {
        nav_fail_at(
            err, NAV_INVALID_FIELD, "force",
            "force=1 makes a version live whatever is found, and %s=1 refuses it: leave one of "
            "them out",
            request->require_checks ? "require_checks" : "strict");
        nav_error_got(err, "1");
        return NAV_INVALID_FIELD;
    }
    request->wait = request->wait || request->require_checks || request->strict;
    return NAV_OK;
}

nav_status proto_upload_request_read(const proto_arg *args, size_t arg_count,
                                     const char *config_json, nav_arena *memory,
                                     proto_upload_request *out, nav_error *err)
{
    proto_upload_request request = {
        .wait = false, .activate = true, .reuse = true, .config = nav_config_default()};
    const char *text = config_json != NULL ? config_json : "{}";
    const proto_arg_table upload = {.fields = PROTO_ROWS(UPLOAD_ROWS), .target = &request};
    nav_status status = proto_settings_read(text, strlen(text), args, arg_count, &upload, memory,
                                            &request.config, err);
    NAV_IF_OK(status, settle_gates(&request, err));
    NAV_IF_OK(status, nav_config_check(&request.config, err));
    if (status == NAV_OK) {
        *out = request;
    }
    return status;
}

// ---- ?force=1 ----

nav_status proto_force_arg(const proto_arg *args, size_t arg_count, bool *out, nav_error *err)
{
    static const proto_field rows[] = {{.name = "force", .type = PROTO_FIELD_BOOL}};
    bool force = false;
    proto_arg_table table = {.fields = PROTO_ROWS(rows), .target = &force};
    const nav_status status = proto_fields_read_args(&table, 1, args, arg_count, err);
    if (status == NAV_OK) {
        *out = force;
    }
    return status;
}

// ---- active: ?force=1, {"version":2} ----

static const proto_field ACTIVE_BODY_ROWS[] = {
    {PROTO_ROW(UINT, proto_active_request, version), .min = 1, .max = UINT32_MAX, .required = true},
};

nav_status proto_active_request_read(const char *json, size_t size_bytes, const proto_arg *args,
                                     size_t arg_count, proto_active_request *out, nav_error *err)
{
    proto_active_request request = {0};
    nav_status status = proto_force_arg(args, arg_count, &request.force, err);
    NAV_IF_OK(status, proto_fields_read_json(PROTO_ROWS(ACTIVE_BODY_ROWS), json, size_bytes,
                                             PROTO_JSON_VALUES_MAX, &request, NULL, err));
    if (status == NAV_OK) {
        *out = request;
    }
    return status;
}

// ---- diff: ?from=2&to=3 ----

#define VERSION_ROW(member)                                                                        \
    {                                                                                              \
        PROTO_ROW(UINT, proto_diff_request, member), .min = 1, .max = UINT32_MAX, .required = true \
    }

static const proto_field DIFF_ROWS[] = {VERSION_ROW(from), VERSION_ROW(to),
                                        PROTO_AGENT_NAME_ROW(proto_diff_request)};
const proto_kind PROTO_DIFF = {PROTO_PLAIN_KIND(proto_diff_request, DIFF_ROWS)};

// ---- bounds of a picture and of a file ----

#define BOUNDS_ROW(of)                                                                             \
    {                                                                                              \
        PROTO_ROW_AT(SEGMENT, "bounds", offsetof(of, min)),                                        \
            .note = "bounds are two corners: the lowest x,y,z, then the highest"                   \
    }

static nav_status check_bounds(const float min[3], const float max[3], nav_error *err)
{
    for (int axis = 0; axis < 3; axis++) {
        if (min[axis] > max[axis]) {
            nav_fail_at(err, NAV_INVALID_FIELD, "bounds",
                        "bounds has its lower corner above its upper one in %c", "xyz"[axis]);
            nav_error_got(err, "%g", (double)min[axis]);
            nav_error_limit(err, "%g", (double)max[axis]);
            return NAV_INVALID_FIELD;
        }
    }
    return NAV_OK;
}

// ---- render ----

_Static_assert(PROTO_RENDER_WIDTH_DEFAULT >= PROTO_RENDER_WIDTH_MIN &&
                   PROTO_RENDER_WIDTH_DEFAULT <= PROTO_RENDER_WIDTH_MAX,
               "the default is allowed");

enum {
    ROW_PATH = 1,
    ROW_BOUNDS = 3,
    ROW_LAYERS = 4,
    ROW_EXPORT_BOUNDS = 1
};

// In the order of the bits PROTO_LAYER_*.
const char *const PROTO_LAYER_WORDS[] = {"level", "areas",     "islands", "tiles",
                                         "path",  "obstacles", NULL};

// An instance whose name is longer than one can be is not there.
static nav_status read_instance_name(const proto_value *v)
{
    const proto_item *item = v->item;
    if (item->kind != PROTO_TOKEN_STRING || !proto_text_is_name(item->text, item->text_bytes)) {
        return proto_value_invalid(v, "the name of an instance");
    }
    NAV_ASSERT(item->text_bytes < PROTO_INSTANCE_NAME_BYTES);
    memset(proto_value_at(v), 0, PROTO_INSTANCE_NAME_BYTES);
    memcpy(proto_value_at(v), item->text, item->text_bytes);
    return NAV_OK;
}

static const proto_field RENDER_ROWS[] = {
    {PROTO_ROW_AT(UINT, "width", offsetof(proto_render_request, width_px)),
     .min = PROTO_RENDER_WIDTH_MIN, .max = PROTO_RENDER_WIDTH_MAX},
    [ROW_PATH] = {PROTO_ROW_AT(SEGMENT, "path", offsetof(proto_render_request, start))},
    PROTO_AGENT_NAME_ROW(proto_render_request),
    [ROW_BOUNDS] = BOUNDS_ROW(proto_render_request),
    [ROW_LAYERS] = {PROTO_ROW(WORDS, proto_render_request, layers), .words = PROTO_LAYER_WORDS},
    {PROTO_ROW(BOOL, proto_render_request, legend)},
    {PROTO_ROW(READ, proto_render_request, instance), .read = read_instance_name},
};

_Static_assert(offsetof(proto_render_request, end) ==
                       offsetof(proto_render_request, start) + 3 * sizeof(float) &&
                   offsetof(proto_render_request, max) ==
                       offsetof(proto_render_request, min) + 3 * sizeof(float),
               "two points are read in one go");

// The layers that are named are drawn, or else the usual ones. A path that is to be drawn has two
// ends.
static nav_status finish_render(void *target, uint64_t seen, nav_error *err)
{
    proto_render_request *request = target;
    const bool chosen = (seen >> ROW_LAYERS & 1) != 0;
    const bool has_ends = (seen >> ROW_PATH & 1) != 0;
    if (!chosen) {
        request->layers = PROTO_LAYERS_DEFAULT;
        request->layers |= request->instance[0] != '\0' ? PROTO_LAYER_OBSTACLES : 0;
    }
    request->has_bounds = (seen >> ROW_BOUNDS & 1) != 0;
    request->has_path = has_ends && (request->layers & PROTO_LAYER_PATH) != 0;
    if (chosen && !has_ends && (request->layers & PROTO_LAYER_PATH) != 0) {
        return nav_fail_at(err, NAV_INVALID_FIELD, "path",
                           "layers has path: say between which points, path=x,y,z,x,y,z");
    }
    return check_bounds(request->min, request->max, err);
}

const proto_kind PROTO_RENDER = {
    PROTO_PLAIN_KIND(proto_render_request, RENDER_ROWS),
    .defaults = &(const proto_render_request){.width_px = PROTO_RENDER_WIDTH_DEFAULT},
    .finish = finish_render};

// ---- export: ?format=glb&bounds=x,y,z,x,y,z ----

// In the order of proto_export_format.
static const char *const FORMAT_WORDS[] = {"json", "packed", "obj", "glb", "mset", "svg", NULL};
_Static_assert(sizeof FORMAT_WORDS / sizeof FORMAT_WORDS[0] == PROTO_EXPORT_COUNT + 1, "each");

static const proto_field EXPORT_ROWS[] = {
    {PROTO_ROW(CHOICE, proto_export_request, format), .words = FORMAT_WORDS, .required = true},
    [ROW_EXPORT_BOUNDS] = BOUNDS_ROW(proto_export_request),
    PROTO_AGENT_NAME_ROW(proto_export_request),
};

_Static_assert(offsetof(proto_export_request, max) ==
                   offsetof(proto_export_request, min) + 3 * sizeof(float),
               "the two corners of bounds are read in one go");

static nav_status finish_export(void *target, uint64_t seen, nav_error *err)
{
    proto_export_request *request = target;
    request->has_bounds = (seen >> ROW_EXPORT_BOUNDS & 1) != 0;
    return check_bounds(request->min, request->max, err);
}

const proto_kind PROTO_EXPORT = {PROTO_PLAIN_KIND(proto_export_request, EXPORT_ROWS),
                                 .finish = finish_export};
