// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// upload.c: POST /v1/meshes/{mesh}/versions: how the upload is to be treated, and its
// settings. Defaults, then the `config` of the body over them, then the query string over both.

#include "proto/settings/settings.h"

#include <string.h>

#define AT(member) offsetof(proto_upload_request, member)

static const proto_field ROWS[] = {
    {.name = "wait", .type = PROTO_FIELD_BOOL, .offset = AT(wait)},
    {.name = "activate", .type = PROTO_FIELD_BOOL, .offset = AT(activate)},
    {.name = "reuse", .type = PROTO_FIELD_BOOL, .offset = AT(reuse)},
    {.name = "force", .type = PROTO_FIELD_BOOL, .offset = AT(force)},
};

static const proto_fields FIELDS = {ROWS, sizeof ROWS / sizeof ROWS[0]};

static nav_status read_arg(const proto_arg *arg, proto_upload_request *request, nav_error *err)
{
    uint32_t row;
    nav_status status = proto_fields_read_arg(FIELDS, arg, request, &row, err);
    if (status != NAV_OK || row != NAV_NONE) {
        return status;
    }
    bool known;
    status = proto_config_argument(arg, &request->config, &known, err);
    return status == NAV_OK && !known ? proto_fields_unknown(arg->key, err) : status;
}

// An argument overrules the coordinates of the config even where its lists are read with them.
// Whether it is given twice is looked at with all others.
static nav_status read_coordinates(const proto_arg *args, size_t arg_count, nav_config *config,
                                   bool *given, nav_error *err)
{
    nav_status status = NAV_OK;
    *given = false;
    for (size_t i = 0; status == NAV_OK && !*given && i < arg_count; i++) {
        if (strcmp(args[i].key, "coordinates") == 0) {
            status = proto_config_argument(&args[i], config, given, err);
        }
    }
    return status;
}

static nav_status read_config(const proto_arg *args, size_t arg_count, const char *config_json,
                              nav_arena *memory, nav_config *config, nav_error *err)
{
    bool given;
    nav_status status = read_coordinates(args, arg_count, config, &given, err);
    if (status != NAV_OK || config_json == NULL) {
        return status;
    }
    nav_coordinates coordinates = config->coordinates;
    return proto_settings_read(config_json, strlen(config_json), given ? &coordinates : NULL,
                               memory, config, err);
}

nav_status proto_upload_request_read(const proto_arg *args, size_t arg_count,
                                     const char *config_json, nav_arena *memory,
                                     proto_upload_request *out, nav_error *err)
{
    proto_upload_request request = {
        .wait = false, .activate = true, .reuse = true, .config = nav_config_default()};
    nav_status status = read_config(args, arg_count, config_json, memory, &request.config, err);
    if (status != NAV_OK) {
        return status;
    }
    for (size_t i = 0; i < arg_count; i++) {
        status = read_arg(&args[i], &request, err);
        // Every argument before i was known and given once, so there are few to look back at.
        for (size_t k = 0; k < i && status == NAV_OK; k++) {
            status = strcmp(args[k].key, args[i].key) == 0
                         ? proto_fields_twice(args[i].key, NAV_INVALID_FIELD, err)
                         : NAV_OK;
        }
        if (status != NAV_OK) {
            return status;
        }
    }
    status = nav_config_check(&request.config, err);
    if (status == NAV_OK) {
        *out = request;
    }
    return status;
}
