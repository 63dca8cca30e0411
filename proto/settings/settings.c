// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// settings.c: nav_config from JSON and from query arguments, and back to JSON. One table holds
// every setting; reading, overriding and writing all walk it, so a new setting is one new row here.
//
// A nested object's settings stand together, because the writer opens the object at the first.
// Types are checked here, and the bounds of whole numbers, values by nav_config_check. Lists are
// read by areas.c and places.c, once all scalars are known, and written by write.c.

#include "proto/settings/settings.h"
#include "proto/json/document.h"

#include <float.h>
#include <string.h>

// The settings while they are read. config comes first, so that a row's offset is that in
// nav_config; lists are read once all scalars are known.
typedef struct proto_settings {
    nav_config config;
    proto_sent_coordinates sent;
    proto_item bounds, areas, materials, volumes, switches, links, seeds, low_height, query_filters,
        agents;
} proto_settings;

#define AT(member) offsetof(proto_settings, member)
#define FLOAT_ROW(field_name, member)                                                              \
    {                                                                                              \
        PROTO_ROW_AT(FLOAT, field_name, offsetof(nav_config, member)), .min = -(double)FLT_MAX,    \
                                                                       .max = (double)FLT_MAX      \
    }
#define BOOL_ROW(field_name, member)                                                               \
    {                                                                                              \
        PROTO_ROW_AT(BOOL, field_name, offsetof(nav_config, member))                               \
    }
#define ITEM_ROW(member)                                                                           \
    {                                                                                              \
        PROTO_ROW(ITEM, proto_settings, member)                                                    \
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
    {PROTO_ROW(CHOICE, nav_config, partition), .words = PARTITION_WORDS},
    {PROTO_ROW(TILE_CELLS, nav_config, tile_cells), .max = NAV_TILE_SIDE_CELLS_MAX},
    {PROTO_ROW(UINT, nav_config, region_min_size), .max = NAV_REGION_SIZE_MAX},
    {PROTO_ROW(UINT, nav_config, region_merge_size), .max = NAV_REGION_SIZE_MAX},
    FLOAT_ROW("edge_max_length", edge_max_length),
    {PROTO_ROW(CHOICE, nav_config, edge_split), .words = EDGE_SPLIT_WORDS},
    FLOAT_ROW("edge_max_error", edge_max_error),
    {PROTO_ROW(UINT, nav_config, polygon_max_vertices), .min = 3, .max = NAV_POLYGON_VERTICES_MAX},
    BOOL_ROW("detail", detail),
    FLOAT_ROW("detail_sample_distance", detail_sample_distance),
    FLOAT_ROW("detail_max_error", detail_max_error),
    BOOL_ROW("filters.low_hanging", filter_low_hanging),
    BOOL_ROW("filters.ledges", filter_ledges),
    {PROTO_ROW_AT(SWITCH, "filters.low_height", offsetof(nav_config, filter_low_height)),
     .item_offset = AT(low_height)},
    BOOL_ROW("area_median", area_median),
    BOOL_ROW("volumes_reach_up", volumes_reach_up),
    ITEM_ROW(bounds),
    {PROTO_ROW_AT(READ, "coordinates", AT(sent)), .read = proto_read_coordinates},
    {PROTO_ROW_AT(DOUBLE, "scale", AT(sent.scale)), .min = NAV_SCALE_MIN, .max = NAV_SCALE_MAX},
    {PROTO_ROW_AT(CHOICE, "winding", AT(sent.winding)), .words = WINDING_WORDS},
    ITEM_ROW(areas),
    ITEM_ROW(materials),
    ITEM_ROW(volumes),
    ITEM_ROW(switches),
    ITEM_ROW(links),
    ITEM_ROW(seeds),
    ITEM_ROW(query_filters),
    ITEM_ROW(agents),
};

static const proto_fields FIELDS = PROTO_TABLE(SETTINGS);

// Members that are no scalar of nav_config, in the order in which they are read: areas first, and
// switches before links, since the others name them. Without a list a function reads it.
static const struct {
    const char *name;
    size_t offset;
    const proto_settings_list *list;
    proto_reader *read;
    proto_settings_writer *write;
} MORE[] = {
    {"areas", AT(areas), NULL, proto_settings_read_areas, proto_settings_write_areas},
    {"filters.low_height", AT(low_height), NULL, proto_settings_read_low_height, NULL},
    {"bounds", AT(bounds), NULL, proto_settings_read_bounds, proto_settings_write_bounds},
    {"materials", AT(materials), &PROTO_SETTINGS_MATERIALS, NULL, proto_settings_write_materials},
    {"volumes", AT(volumes), &PROTO_SETTINGS_VOLUMES, NULL, proto_settings_write_volumes},
    {"switches", AT(switches), &PROTO_SETTINGS_SWITCHES, NULL, proto_settings_write_switches},
    {"links", AT(links), &PROTO_SETTINGS_LINKS, NULL, proto_settings_write_links},
    {"seeds", AT(seeds), &PROTO_SETTINGS_SEEDS, NULL, proto_settings_write_seeds},
    {"query_filters", AT(query_filters), &PROTO_SETTINGS_FILTERS, NULL,
     proto_settings_write_filters},
    {"agents", AT(agents), &PROTO_SETTINGS_AGENTS, NULL, proto_settings_write_agents},
    {NULL, AT(sent), NULL, NULL, proto_settings_write_coordinates},
    {NULL, AT(sent.scale), NULL, NULL, proto_settings_write_scale},
    {NULL, AT(sent.winding), NULL, NULL, proto_settings_write_winding},
};
#define MORE_COUNT (sizeof MORE / sizeof MORE[0])

_Static_assert(sizeof(nav_partition) == sizeof(unsigned), "a choice is stored as unsigned");
_Static_assert(sizeof(nav_edge_split) == sizeof(unsigned), "a choice is stored as unsigned");
_Static_assert(sizeof SETTINGS / sizeof SETTINGS[0] <= 64, "a row is a bit of what was seen");
_Static_assert(AT(config) == 0, "rows have their offsets in nav_config");

// ---- reading ----

// Lists are not merged: they and the area of low passages begin empty with each reading.
static void clear_lists(nav_config *config)
{
    config->areas = NULL;
    config->flag_names = NULL;
    config->area_count = config->flag_count = 0;
    config->low_height_area = NAV_AREA_NONE;
    config->low_height_min = 0;
    config->low_height_single = false;
    for (size_t i = 0; i < MORE_COUNT; i++) {
        if (MORE[i].list != NULL) {
            memset((char *)config + MORE[i].list->at, 0, sizeof(void *));
            memset((char *)config + MORE[i].list->count_at, 0, sizeof(uint32_t));
        }
    }
}

// Reads the lists into config, once all scalars are known.
static nav_status read_lists(proto_settings *settings, nav_arena *memory, nav_error *err)
{
    proto_settings_reader r = {
        .config = &settings->config, .memory = memory, .err = err, .shapes_left = NAV_VOLUMES_MAX};
    nav_status status = proto_settings_collect_flags(&r, &settings->areas, &settings->links);
    for (size_t i = 0; status == NAV_OK && i < MORE_COUNT && MORE[i].name != NULL; i++) {
        const proto_field field = {.name = MORE[i].name};
        const proto_value v = {.field = &field,
                               .item = (const void *)((const char *)settings + MORE[i].offset),
                               .target = &settings->config,
                               .err = err,
                               .prefix = "",
                               .memory = memory,
                               .owner = &r};
        if (v.item->kind != PROTO_TOKEN_WRONG) {
            status = MORE[i].list != NULL ? proto_settings_read_list(&v, MORE[i].list)
                                          : MORE[i].read(&v);
        }
    }
    return status;
}

nav_status proto_settings_read(const char *json, size_t size_bytes, const proto_arg *args,
                               size_t arg_count, const proto_arg_table *beside, nav_arena *memory,
                               nav_config *config, nav_error *err)
{
    struct cJSON *root;
    nav_status status = proto_document_parse(json, size_bytes, PROTO_CONFIG_VALUES_MAX, &root, err);
    if (status != NAV_OK) {
        return status;
    }
    proto_settings settings = {.config = *config, .sent = PROTO_NOTHING_SENT};
    const proto_item item = proto_item_of_node(root);
    clear_lists(&settings.config);
    status = proto_fields_read_item(FIELDS, &item, "", &settings, NULL, err);
    const proto_sent_coordinates text = settings.sent;
    settings.sent = PROTO_NOTHING_SENT;
    proto_arg_table tables[] = {*beside, {.fields = FIELDS, .target = &settings}};
    NAV_IF_OK(status, proto_fields_read_args(tables, 2, args, arg_count, err));
    settings.config.coordinates =
        proto_settings_coordinates(config->coordinates, &text, &settings.sent);
    NAV_IF_OK(status, read_lists(&settings, memory, err));
    proto_document_delete(root);
    if (status == NAV_OK) {
        *config = settings.config;
    }
    return status;
}

nav_status proto_config_read(const char *json, size_t size_bytes, nav_arena *memory,
                             nav_config *config, nav_error *err)
{
    return proto_settings_read(json, size_bytes, NULL, 0, &(proto_arg_table){0}, memory, config,
                               err);
}

// ---- writing ----

static void write_more(proto_writer *w, const nav_config *config, const proto_field *field)
{
    for (size_t i = 0; i < MORE_COUNT; i++) {
        if (MORE[i].offset == field->offset) {
            MORE[i].write(w, config);
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
        write_more(w, config, field);
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
    default:
        NAV_ASSERT(false); // no scalar is of another type
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
        {AT(switches), config->switch_count == 0},
        {AT(agents), config->agent_count == 0},
        {AT(sent.scale), proto_settings_scale_is_known(config->coordinates)},
        {AT(sent.winding), !config->coordinates.reversed},
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
                proto_member_object(w, open);
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
