// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// version.c: the version object of the API, and the parts of it that are made once, when a
// bake ends, and then kept by the store as text.

#include "proto/detour/detour.h"
#include "proto/geometry/parts.h"
#include "proto/json/document.h"
#include "proto/json/items.h"
#include "proto/replies/reply.h"
#include "proto/settings/sanity.h"

#include <string.h>

static void write_count(proto_writer *w, const char *key, uint64_t count)
{
    proto_member_int(w, key, count > INT64_MAX ? INT64_MAX : (int64_t)count);
}

static void write_json(proto_writer *w, const char *key, const char *json)
{
    proto_write_key(w, key);
    proto_write_raw(w, json);
}

static void write_sha256(proto_writer *w, const uint8_t sha256[32])
{
    char hex[65];
    nav_sha256_hex(sha256, hex);
    proto_member_string(w, "sha256", hex);
}

static void write_ms(proto_writer *w, const char *key, uint64_t ns)
{
    proto_member_fixed(w, key, (double)ns / 1e6, 3);
}

void proto_write_version(proto_writer *w, const proto_version *version)
{
    proto_write_object_begin(w);
    proto_member_string(w, "mesh", version->mesh);
    write_count(w, "version", version->version);
    proto_member_string(w, "state", version->state);
    proto_member_bool(w, "active", version->active);
    proto_member_string(w, "created_at", version->created_at);
    proto_member_fixed(w, "progress", version->progress, 3);
    proto_member_string(w, "stage", version->stage);
    write_count(w, "tiles_done", version->tiles_done);
    write_count(w, "tiles_total", version->tiles_total);
    write_count(w, "tiles_reused", version->tiles_reused);
    if (version->deduplicated) {
        proto_member_bool(w, "deduplicated", true);
    }
    write_json(w, "geometry", version->geometry_json);
    write_json(w, "config", version->config_json);
    write_json(w, "blob", version->blob_json);
    write_json(w, "stats", version->stats_json);
    write_json(w, "timings_ms", version->timings_json);
    write_json(w, "warnings", version->warnings_json);
    write_json(w, "checks", version->checks_json);
    if (version->agents_json != NULL) {
        write_json(w, "agents", version->agents_json);
    }
    write_json(w, "error", version->error_json);
    proto_write_object_end(w);
}

void proto_write_geometry_info(proto_writer *w, const uint8_t sha256[32], const char *format,
                               const nav_geometry *geometry, const proto_parts *parts)
{
    float min[3] = {0}, max[3] = {0};
    for (size_t i = 0; i < geometry->vertex_count; i++) {
        for (size_t axis = 0; axis < 3; axis++) {
            float value = geometry->vertices[3 * i + axis];
            min[axis] = i == 0 || value < min[axis] ? value : min[axis];
            max[axis] = i == 0 || value > max[axis] ? value : max[axis];
        }
    }
    proto_write_object_begin(w);
    write_sha256(w, sha256);
    proto_member_string(w, "format", format);
    write_count(w, "vertices", geometry->vertex_count);
    write_count(w, "triangles", geometry->triangle_count);
    proto_write_key(w, "bounds");
    proto_write_bounds(w, min, max);
    if (parts != NULL) {
        uint32_t count;
        const proto_geometry_part *list = proto_parts_list(parts, &count);
        proto_write_key(w, "parts");
        proto_write_parts(w, list, count);
    }
    proto_write_object_end(w);
}

void proto_write_source_info(proto_writer *w, const uint8_t sha256[32], const char *format,
                             const proto_detour_numbers *numbers)
{
    proto_write_object_begin(w);
    write_sha256(w, sha256);
    proto_member_string(w, "format", format);
    proto_member_string(w, "source", "detour");
    write_count(w, "tiles", numbers->tiles);
    write_count(w, "polygons", numbers->polygons);
    write_count(w, "vertices", numbers->vertices);
    write_count(w, "triangles", 0);
    proto_write_key(w, "bounds");
    proto_write_bounds(w, numbers->min, numbers->max);
    proto_write_object_end(w);
}

void proto_write_blob_info(proto_writer *w, const uint8_t sha256[32], uint64_t bytes,
                           uint64_t stored_bytes)
{
    proto_write_object_begin(w);
    write_sha256(w, sha256);
    write_count(w, "bytes", bytes);
    write_count(w, "stored_bytes", stored_bytes);
    proto_write_object_end(w);
}

// report may be NULL, e.g. where a mesh is shown that was loaded and not baked.
void proto_write_stats(proto_writer *w, const nav_mesh_stats *stats, const nav_bake_report *report)
{
    NAV_ASSERT(stats->components <= stats->polygons);
    proto_write_object_begin(w);
    write_count(w, "tiles", stats->tiles);
    write_count(w, "polygons", stats->polygons);
    write_count(w, "vertices", stats->vertices);
    proto_write_key(w, "walkable_area");
    proto_write_square(w, stats->walkable_area);
    write_count(w, "components", stats->components);
    write_count(w, "links", stats->links);
    write_count(w, "memory_bytes", stats->memory_bytes);
    if (stats->polygons > 0) {
        proto_write_key(w, "bounds");
        proto_write_bounds(w, stats->min, stats->max);
    }
    if (report != NULL) {
        write_count(w, "triangles", report->triangles);
        write_count(w, "triangles_steep", report->triangles_steep);
        write_count(w, "spans", report->spans);
        write_count(w, "walkable_spans", report->walkable_spans);
        write_count(w, "regions", report->regions);
        write_count(w, "contours", report->contours);
        write_count(w, "detail_triangles", report->detail_triangles);
        write_count(w, "bake_peak_bytes", report->peak_bytes);
    }
    proto_write_object_end(w);
}

void proto_write_timings(proto_writer *w, const nav_bake_report *report, uint64_t store_ns,
                         uint64_t total_ns)
{
    proto_write_object_begin(w);
    write_ms(w, "total", total_ns);
    for (uint32_t stage = 0; stage < NAV_STAGE_COUNT; stage++) {
        write_ms(w, nav_stage_word((nav_stage)stage), report->stage_ns[stage]);
    }
    write_ms(w, "store", store_ns);
    proto_write_object_end(w);
}

// The value of an item, in the level's unit where it belongs to a place in it.
static void write_warning_value(proto_writer *w, nav_warning_code code, double value)
{
    switch (code) {
    case NAV_WARN_SLIVER_TRIANGLES:
    case NAV_WARN_DETAIL_ERROR:
    case NAV_WARN_LINK_OFF_MESH:
    case NAV_WARN_SEED_OFF_MESH:
        proto_write_length(w, value);
        break;
    case NAV_WARN_REGIONS_REMOVED:
    case NAV_WARN_HOLE_NOT_MERGED:
    case NAV_WARN_ISLAND:
    case NAV_WARN_ISLAND_REMOVED:
        proto_write_square(w, value);
        break;
    default: // a count, or a setting in its own unit
        proto_write_fixed(w, value, 3);
        break;
    }
}

// {"position":[x,y,z],"value":0.4,"name":"ladder-1"}: value and name only where there is one. A
// setting has no position, and may have become 0.
static void write_warning_item(proto_writer *w, nav_warning_code code,
                               const struct nav_warning_item *item)
{
    const bool is_setting = code == NAV_WARN_VALUE_CLAMPED;
    proto_write_object_begin(w);
    if (!is_setting && code != NAV_WARNING_COUNT) {
        proto_member_point(w, "position", item->position);
    }
    if (item->value != 0 || is_setting) {
        proto_write_key(w, "value");
        write_warning_value(w, code, (double)item->value);
    }
    if (item->name[0] != '\0') {
        proto_member_string(w, "name", item->name);
    }
    proto_write_object_end(w);
}

// code: NAV_WARNING_COUNT where it is a reader's, whose items have a name alone.
static void write_warning(proto_writer *w, const char *word, nav_warning_code code,
                          const nav_warning *warning)
{
    NAV_ASSERT(warning->item_count <= warning->count);
    NAV_ASSERT(warning->item_count <= NAV_WARNING_ITEMS_MAX);
    if (warning->count == 0) {
        return;
    }
    proto_write_object_begin(w);
    proto_member_string(w, "code", word);
    write_count(w, "count", warning->count);
    proto_member_array(w, "items");
    for (uint32_t i = 0; i < warning->item_count; i++) {
        write_warning_item(w, code, &warning->items[i]);
    }
    proto_write_array_end(w);
    proto_write_object_end(w);
}

static const char *const READ_WARNING_WORDS[] = {
#define X(name, word) [name] = word,
    PROTO_READ_WARNING_TABLE(X)
#undef X
};

static void read_warning(const proto_item *element, nav_warning *out)
{
    const proto_item count = proto_member_of(element, "count");
    const proto_item items = proto_member_of(element, "items");
    proto_item item;
    bool more = items.kind == PROTO_TOKEN_LIST && proto_item_first(&items, &item);
    for (; more; more = proto_item_next(&item)) {
        const proto_item name = proto_member_of(&item, "name");
        if (name.kind == PROTO_TOKEN_STRING) {
            nav_warning_add(out, (const float[3]){0}, 0, name.text);
        }
    }
    if (count.number > out->count && count.number <= UINT32_MAX) {
        out->count = (uint32_t)count.number;
    }
}

void proto_read_warnings(const char *json, nav_warning *out)
{
    struct cJSON *tree = NULL;
    proto_item element;
    if (json == NULL ||
        proto_document_parse(json, strlen(json), PROTO_JSON_VALUES_MAX, &tree, NULL) != NAV_OK) {
        return;
    }
    const proto_item list = proto_item_of_node(tree);
    bool more = list.kind == PROTO_TOKEN_LIST && proto_item_first(&list, &element);
    for (; more; more = proto_item_next(&element)) {
        const proto_item word = proto_member_of(&element, "code");
        for (uint32_t code = 0; code < PROTO_READ_WARNING_COUNT; code++) {
            if (word.kind == PROTO_TOKEN_STRING &&
                strcmp(word.text, READ_WARNING_WORDS[code]) == 0) {
                read_warning(&element, &out[code]);
            }
        }
    }
    proto_document_delete(tree);
}

void proto_write_warnings(proto_writer *w, const proto_level *level, const nav_bake_report *report)
{
    proto_write_array_begin(w);
    if (level != NULL) {
        for (uint32_t code = 0; level->read_warnings != NULL && code < PROTO_READ_WARNING_COUNT;
             code++) {
            write_warning(w, READ_WARNING_WORDS[code], NAV_WARNING_COUNT,
                          &level->read_warnings[code]);
        }
        proto_write_oddities(w, level);
    }
    for (uint32_t code = 0; report != NULL && code < NAV_WARNING_COUNT; code++) {
        write_warning(w, nav_warning_word((nav_warning_code)code), (nav_warning_code)code,
                      &report->warnings[code]);
    }
    proto_write_array_end(w);
}
