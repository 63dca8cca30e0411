// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// settings.c: nav_config from JSON and from query arguments, and back to JSON. One table holds
// every setting; reading, overriding and writing all walk it, so a new setting is one new row here.
//
// A nested object's settings stand together, because the writer opens the object at the first.
// Types are checked here, and the bounds of whole numbers, values by nav_config_check. Lists are
// read by lists.c, once all scalars are known, and written by write.c.

#include "proto/settings/settings.h"
#include "proto/json/document.h"

#include <cjson/cJSON.h>
#include <float.h>
#include <string.h>

#define FLOAT_ROW(field_name, member)                                                              \
    {                                                                                              \
        .name = field_name, .type = PROTO_FIELD_FLOAT, .offset = offsetof(nav_config, member),     \
        .min = -(double)FLT_MAX, .max = (double)FLT_MAX                                            \
    }
#define UINT_ROW(field_name, member, least, most)                                                  \
    {                                                                                              \
        .name = field_name, .type = PROTO_FIELD_UINT, .offset = offsetof(nav_config, member),      \
        .min = least, .max = most                                                                  \
    }
#define BOOL_ROW(field_name, member)                                                               \
    {                                                                                              \
        .name = field_name, .type = PROTO_FIELD_BOOL, .offset = offsetof(nav_config, member)       \
    }

#define TREE_ROW(member)                                                                           \
    {                                                                                              \
        .name = #member, .type = PROTO_FIELD_TREE, .offset = offsetof(proto_settings, member)      \
    }

static const char *const PARTITION_WORDS[] = {[NAV_PARTITION_WATERSHED] = "watershed",
                                              [NAV_PARTITION_MONOTONE] = "monotone",
                                              [NAV_PARTITION_LAYERS] = "layers",
                                              NULL};
static const char *const EDGE_SPLIT_WORDS[] = {[NAV_EDGE_SPLIT_WALLS] = "walls",
                                               [NAV_EDGE_SPLIT_AREAS] = "areas",
                                               [NAV_EDGE_SPLIT_BOTH] = "both",
                                               [NAV_EDGE_SPLIT_NONE] = "none",
                                               NULL};
static const char *const WINDING_WORDS[] = {
    [PROTO_WINDING_AS_GIVEN] = "as_given", [PROTO_WINDING_REVERSE] = "reverse", NULL};

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
     .words = PARTITION_WORDS},
    {.name = "tile_cells",
     .type = PROTO_FIELD_TILE_CELLS,
     .offset = offsetof(nav_config, tile_cells),
     .min = 0,
     .max = NAV_TILE_SIDE_CELLS_MAX},
    UINT_ROW("region_min_size", region_min_size, 0, NAV_REGION_SIZE_MAX),
    UINT_ROW("region_merge_size", region_merge_size, 0, NAV_REGION_SIZE_MAX),
    FLOAT_ROW("edge_max_length", edge_max_length),
    {.name = "edge_split",
     .type = PROTO_FIELD_CHOICE,
     .offset = offsetof(nav_config, edge_split),
     .words = EDGE_SPLIT_WORDS},
    FLOAT_ROW("edge_max_error", edge_max_error),
    UINT_ROW("polygon_max_vertices", polygon_max_vertices, 3, NAV_POLYGON_VERTICES_MAX),
    BOOL_ROW("detail", detail),
    FLOAT_ROW("detail_sample_distance", detail_sample_distance),
    FLOAT_ROW("detail_max_error", detail_max_error),
    BOOL_ROW("filters.low_hanging", filter_low_hanging),
    BOOL_ROW("filters.ledges", filter_ledges),
    {.name = "filters.low_height",
     .type = PROTO_FIELD_SWITCH,
     .offset = offsetof(nav_config, filter_low_height),
     .tree_offset = offsetof(proto_settings, low_height)},
    BOOL_ROW("area_median", area_median),
    BOOL_ROW("volumes_reach_up", volumes_reach_up),
    TREE_ROW(bounds),
    {.name = "coordinates",
     .type = PROTO_FIELD_READ,
     .offset = offsetof(proto_settings, sent),
     .read = proto_read_coordinates},
    {.name = "scale",
     .type = PROTO_FIELD_DOUBLE,
     .offset = offsetof(proto_settings, sent.scale),
     .min = NAV_SCALE_MIN,
     .max = NAV_SCALE_MAX},
    {.name = "winding",
     .type = PROTO_FIELD_CHOICE,
     .offset = offsetof(proto_settings, sent.winding),
     .words = WINDING_WORDS},
    TREE_ROW(areas),
    TREE_ROW(materials),
    TREE_ROW(volumes),
    TREE_ROW(switches),
    TREE_ROW(links),
    TREE_ROW(seeds),
    TREE_ROW(query_filters),
    TREE_ROW(agents),
};

static const proto_fields FIELDS = {.rows = SETTINGS,
                                    .count = sizeof SETTINGS / sizeof SETTINGS[0]};

// How what is no scalar of nav_config is written.
static const struct {
    size_t offset;
    void (*write)(proto_writer *w, const nav_config *config);
} TREES[] = {
    {offsetof(proto_settings, bounds), proto_settings_write_bounds},
    {offsetof(proto_settings, sent), proto_settings_write_coordinates},
    {offsetof(proto_settings, sent.scale), proto_settings_write_scale},
    {offsetof(proto_settings, sent.winding), proto_settings_write_winding},
    {offsetof(proto_settings, areas), proto_settings_write_areas},
    {offsetof(proto_settings, materials), proto_settings_write_materials},
    {offsetof(proto_settings, volumes), proto_settings_write_volumes},
    {offsetof(proto_settings, switches), proto_settings_write_switches},
    {offsetof(proto_settings, links), proto_settings_write_links},
    {offsetof(proto_settings, seeds), proto_settings_write_seeds},
    {offsetof(proto_settings, query_filters), proto_settings_write_filters},
    {offsetof(proto_settings, agents), proto_settings_write_agents},
};

_Static_assert(sizeof(nav_partition) == sizeof(unsigned), "a choice is stored as unsigned");
_Static_assert(sizeof(nav_edge_split) == sizeof(unsigned), "a choice is stored as unsigned");
_Static_assert(sizeof SETTINGS / sizeof SETTINGS[0] <= 64, "a row is a bit of what was seen");
_Static_assert(offsetof(proto_settings, config) == 0, "rows have their offsets in nav_config");

proto_fields proto_settings_fields(void)
{
    return FIELDS;
}

nav_status proto_settings_read(const char *json, size_t size_bytes,
                               const proto_sent_coordinates *arguments, nav_arena *memory,
                               nav_config *config, nav_error *err)
{
    cJSON *root;
    nav_status status = proto_document_parse(json, size_bytes, PROTO_CONFIG_VALUES_MAX, &root, err);
    if (status != NAV_OK) {
        return status;
    }
    uint64_t seen;
    proto_settings settings = {.config = *config, .sent = PROTO_NOTHING_SENT};
    proto_settings_clear_lists(&settings.config);
    status = proto_fields_read_tree(FIELDS, root, "", &settings, &seen, err);
    settings.config.coordinates =
        proto_settings_coordinates(config->coordinates, &settings.sent, arguments);
    NAV_IF_OK(status, proto_settings_read_lists(&settings, memory, err));
    proto_document_delete(root);
    if (status == NAV_OK) {
        *config = settings.config;
    }
    return status;
}

nav_status proto_config_read(const char *json, size_t size_bytes, nav_arena *memory,
                             nav_config *config, nav_error *err)
{
    return proto_settings_read(json, size_bytes, NULL, memory, config, err);
}

nav_status proto_config_argument(const proto_arg *arg, nav_config *config, bool *known,
                                 nav_error *err)
{
    uint32_t row;
    proto_settings settings = {.config = *config, .sent = PROTO_NOTHING_SENT};
    nav_status status = proto_fields_read_arg(FIELDS, arg, &settings, &row, err);
    *known = row != NAV_NONE;
    if (status == NAV_OK && *known) {
        settings.config.coordinates =
            proto_settings_coordinates(config->coordinates, &settings.sent, NULL);
        // As an argument the filter is on or off, whatever was kept of low passages before.
        if (SETTINGS[row].type == PROTO_FIELD_SWITCH) {
            settings.config.low_height_area = NAV_AREA_NONE;
        }
        *config = settings.config;
    }
    return status;
}

nav_status proto_settings_read_sent(const proto_arg *args, size_t arg_count,
                                    proto_sent_coordinates *out, nav_error *err)
{
    nav_status status = NAV_OK;
    proto_settings settings = {.sent = PROTO_NOTHING_SENT};
    for (size_t i = 0; status == NAV_OK && i < arg_count; i++) {
        const char *key = args[i].key;
        if (strcmp(key, "coordinates") == 0 || strcmp(key, "scale") == 0 ||
            strcmp(key, "winding") == 0) {
            uint32_t row;
            status = proto_fields_read_arg(FIELDS, &args[i], &settings, &row, err);
        }
    }
    *out = settings.sent;
    return status;
}

static void write_tree(proto_writer *w, const nav_config *config, const proto_field *field)
{
    for (size_t i = 0; i < sizeof TREES / sizeof TREES[0]; i++) {
        if (TREES[i].offset == field->offset) {
            TREES[i].write(w, config);
        }
    }
}

static uint32_t whole_at(const char *at)
{
    uint32_t whole;
    memcpy(&whole, at, sizeof whole);
    return whole;
}

static void write_value(proto_writer *w, const nav_config *config, const proto_field *field)
{
    // Some rows are not members of nav_config.
    if (field->offset >= sizeof *config) {
        write_tree(w, config, field);
        return;
    }
    const char *at = (const char *)config + field->offset;
    float number;
    bool flag;
    switch (field->type) {
    case PROTO_FIELD_FLOAT:
        memcpy(&number, at, sizeof number);
        proto_write_float(w, number);
        break;
    case PROTO_FIELD_UINT:
        proto_write_int(w, whole_at(at));
        break;
    case PROTO_FIELD_TILE_CELLS:
        if (whole_at(at) == NAV_TILE_CELLS_AUTO) {
            proto_write_string(w, "auto");
        } else {
            proto_write_int(w, whole_at(at));
        }
        break;
    case PROTO_FIELD_BOOL:
        memcpy(&flag, at, sizeof flag);
        proto_write_bool(w, flag);
        break;
    case PROTO_FIELD_CHOICE:
        proto_write_string(w, field->words[whole_at(at)]);
        break;
    case PROTO_FIELD_SWITCH:
        proto_settings_write_low_height(w, config);
        break;
    case PROTO_FIELD_TREE:
    case PROTO_FIELD_DOUBLE:
    case PROTO_FIELD_POINT:
    case PROTO_FIELD_SEGMENT:
    case PROTO_FIELD_STRING:
    case PROTO_FIELD_WORDS:
    case PROTO_FIELD_READ:
        proto_write_null(w); // no setting is of such a type
        break;
    }
}

// Settings without these are written as they were before there were any: the text names a bake.
static bool is_left_out(const nav_config *config, const proto_field *field)
{
    const struct {
        size_t offset;
        bool left_out;
    } rows[] = {
        {offsetof(nav_config, edge_split), config->edge_split == NAV_EDGE_SPLIT_WALLS},
        {offsetof(proto_settings, switches), config->switch_count == 0},
        {offsetof(proto_settings, agents), config->agent_count == 0},
        {offsetof(proto_settings, sent.scale), proto_settings_scale_is_known(config->coordinates)},
        {offsetof(proto_settings, sent.winding), !config->coordinates.reversed},
    };
    bool left_out = false;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        left_out = left_out || (field->offset == rows[i].offset && rows[i].left_out);
    }
    return left_out;
}

void proto_write_config(proto_writer *w, const nav_config *config)
{
    char open[32] = ""; // the nested object that is being written
    proto_write_object_begin(w);
    for (uint32_t i = 0; i < FIELDS.count; i++) {
        const char *name = SETTINGS[i].name;
        if (is_left_out(config, &SETTINGS[i])) {
            continue;
        }
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

static bool write_alone(proto_writer *w, const nav_config *config, const proto_field *field)
{
    w->size_bytes = 0;
    w->need_comma = false;
    write_value(w, config, field);
    return !w->failed;
}

nav_status proto_config_compare(const nav_config *a, const nav_config *b, proto_writer *names,
                                nav_error *err)
{
    proto_writer left, right;
    proto_writer_init(&left);
    proto_writer_init(&right);
    bool written = true;
    for (uint32_t i = 0; written && i < FIELDS.count; i++) {
        written = write_alone(&left, a, &SETTINGS[i]) && write_alone(&right, b, &SETTINGS[i]);
        if (written && (left.size_bytes != right.size_bytes ||
                        memcmp(left.bytes, right.bytes, left.size_bytes) != 0)) {
            proto_write_text(names, "%s%s", names->size_bytes > 0 ? ", " : "", SETTINGS[i].name);
        }
    }
    proto_writer_free(&left);
    proto_writer_free(&right);
    return written && !names->failed ? NAV_OK : proto_fields_no_memory(err);
}
