// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// settings.c: nav_config from JSON and from query arguments, and back to JSON. One table holds
// every setting; reading, overriding and writing all walk it, so a new setting is one new row here.
//
// A nested object's settings stand together, because the writer opens the object at the first.
// Types are checked here, values by nav_config_check.

#include "proto/fields.h"

#include <float.h>
#include <string.h>

#define FLOAT_ROW(field_name, member)                                                              \
    {                                                                                              \
        .name = field_name, .type = PROTO_FIELD_FLOAT, .offset = offsetof(nav_config, member),     \
        .min = -(double)FLT_MAX, .max = (double)FLT_MAX                                            \
    }
#define UINT_ROW(field_name, member)                                                               \
    {                                                                                              \
        .name = field_name, .type = PROTO_FIELD_UINT, .offset = offsetof(nav_config, member),      \
        .min = 0, .max = UINT32_MAX                                                                \
    }
#define BOOL_ROW(field_name, member)                                                               \
    {                                                                                              \
        .name = field_name, .type = PROTO_FIELD_BOOL, .offset = offsetof(nav_config, member)       \
    }

static const char *const PARTITION_WORDS[] = {[NAV_PARTITION_WATERSHED] = "watershed", NULL};

static const proto_field SETTINGS[] = {
    FLOAT_ROW("cell_size", cell_size),
    FLOAT_ROW("cell_height", cell_height),
    FLOAT_ROW("agent.radius", agent_radius),
    FLOAT_ROW("agent.height", agent_height),
    FLOAT_ROW("agent.max_climb", agent_max_climb),
    FLOAT_ROW("agent.max_slope", agent_max_slope),
    {.name = "partition",
     .type = PROTO_FIELD_CHOICE,
     .offset = offsetof(nav_config, partition),
     .words = PARTITION_WORDS,
     .note = "this version has no other partition"},
    {.name = "tile_cells",
     .type = PROTO_FIELD_TILE_CELLS,
     .offset = offsetof(nav_config, tile_cells),
     .min = 0,
     .max = UINT32_MAX},
    UINT_ROW("region_min_size", region_min_size),
    UINT_ROW("region_merge_size", region_merge_size),
    FLOAT_ROW("edge_max_length", edge_max_length),
    FLOAT_ROW("edge_max_error", edge_max_error),
    UINT_ROW("polygon_max_vertices", polygon_max_vertices),
    BOOL_ROW("detail", detail),
    FLOAT_ROW("detail_sample_distance", detail_sample_distance),
    FLOAT_ROW("detail_max_error", detail_max_error),
    BOOL_ROW("filters.low_hanging", filter_low_hanging),
    BOOL_ROW("filters.ledges", filter_ledges),
    BOOL_ROW("filters.low_height", filter_low_height),
};

static const proto_fields FIELDS = {SETTINGS, sizeof SETTINGS / sizeof SETTINGS[0]};

_Static_assert(sizeof(nav_partition) == sizeof(unsigned), "a choice is stored as unsigned");

nav_status proto_config_read(const char *json, size_t size_bytes, nav_config *config,
                             nav_error *err)
{
    uint64_t seen;
    nav_config changed = *config;
    nav_status status = proto_fields_read_json(FIELDS, json, size_bytes, &changed, &seen, err);
    if (status == NAV_OK) {
        *config = changed;
    }
    return status;
}

nav_status proto_config_argument(const proto_arg *arg, nav_config *config, bool *known,
                                 nav_error *err)
{
    uint32_t row;
    nav_status status = proto_fields_read_arg(FIELDS, arg, config, &row, err);
    *known = row != NAV_NONE;
    return status;
}

static void write_value(proto_writer *w, const nav_config *config, const proto_field *field)
{
    const char *at = (const char *)config + field->offset;
    float number;
    uint32_t whole;
    bool flag;
    switch (field->type) {
    case PROTO_FIELD_FLOAT:
        memcpy(&number, at, sizeof number);
        proto_write_float(w, number);
        break;
    case PROTO_FIELD_UINT:
        memcpy(&whole, at, sizeof whole);
        proto_write_int(w, whole);
        break;
    case PROTO_FIELD_TILE_CELLS:
        memcpy(&whole, at, sizeof whole);
        if (whole == NAV_TILE_CELLS_AUTO) {
            proto_write_string(w, "auto");
        } else {
            proto_write_int(w, whole);
        }
        break;
    case PROTO_FIELD_BOOL:
        memcpy(&flag, at, sizeof flag);
        proto_write_bool(w, flag);
        break;
    case PROTO_FIELD_CHOICE:
        memcpy(&whole, at, sizeof whole);
        proto_write_string(w, field->words[whole]);
        break;
    case PROTO_FIELD_POINT:
    case PROTO_FIELD_SEGMENT:
        proto_write_null(w);
        break;
    }
}

void proto_write_config(proto_writer *w, const nav_config *config)
{
    char open[32] = ""; // the nested object that is being written
    proto_write_object_begin(w);
    for (uint32_t i = 0; i < FIELDS.count; i++) {
        const char *name = SETTINGS[i].name;
        const char *dot = strchr(name, '.');
        size_t group_bytes = dot != NULL ? (size_t)(dot - name) : 0;
        NAV_ASSERT(group_bytes < sizeof open);
        if (strlen(open) != group_bytes || strncmp(open, name, group_bytes) != 0) {
            if (open[0] != '\0') {
                proto_write_object_end(w);
            }
            memcpy(open, name, group_bytes);
            open[group_bytes] = '\0';
            if (group_bytes > 0) {
                proto_write_key(w, open);
                proto_write_object_begin(w);
            }
        }
        proto_write_key(w, dot != NULL ? dot + 1 : name);
        write_value(w, config, &SETTINGS[i]);
    }
    if (open[0] != '\0') {
        proto_write_object_end(w);
    }
    proto_write_object_end(w);
}
