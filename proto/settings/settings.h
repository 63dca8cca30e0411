// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// settings.h: what the files of the settings share. Private to proto/.
//
//   lists.c: elements, names, areas, flags <- filters.c, areas.c, places.c <- settings.c: the table
//   of all settings

#pragma once

#include "proto/base/suggest.h"
#include "proto/json/fields.h"
#include "proto/settings/config.h"

// The level's coordinates as a text, or arguments, give them.
typedef struct proto_sent_coordinates {
    bool has_axes; // `coordinates` was sent
    int8_t axes[3];
    double own_scale; // that comes with it
    double scale;     // `scale`; 0: not sent
    unsigned winding; // PROTO_WINDING_*
} proto_sent_coordinates;

enum {
    PROTO_WINDING_AS_GIVEN,
    PROTO_WINDING_REVERSE,
    PROTO_WINDING_UNSAID
};
#define PROTO_NOTHING_SENT ((proto_sent_coordinates){.winding = PROTO_WINDING_UNSAID})

// proto_config_read, with arguments that go before the text. One that is no setting is one of
// `beside`.
nav_status proto_settings_read(const char *json, size_t size_bytes, const proto_arg *args,
                               size_t arg_count, const proto_arg_table *beside, nav_arena *memory,
                               nav_config *config, nav_error *err);

// ---- coordinates.c ----

// A name or axes with a scale, into the proto_sent_coordinates at the field's offset.
nav_status proto_read_coordinates(const proto_value *v);
// Result: base, changed by what a text says, and by what arguments say over that.
nav_coordinates proto_settings_coordinates(nav_coordinates base, const proto_sent_coordinates *text,
                                           const proto_sent_coordinates *arguments);
// Whether the value of `coordinates` says the scale as well.
bool proto_settings_scale_is_known(nav_coordinates coordinates);

// ---- filters.c: of a question, too ----

// {"costs":{},"include":[],"exclude":[]} as names, from memory.
nav_status proto_filter_read(const proto_value *v, proto_filter *out);
// A list of up to NAV_FLAGS_MAX names of flags, from memory.
nav_status proto_flag_names_read(const proto_value *v, const char *const **out, uint32_t *count);

// ---- lists.c: what settings need that are lists, or objects of named things ----

// The owner of their values.
typedef struct proto_settings_reader {
    nav_config *config;
    nav_arena *memory;
    nav_error *err;
    nav_name flags[NAV_FLAGS_MAX]; // sorted
    uint32_t shapes_left;          // that switches may still have
} proto_settings_reader;

// Reads all of them. An element that an object names begins with its nav_name, and is in order of
// names.
nav_status proto_settings_each(const proto_value *v, const proto_each *each, void *array,
                               uint32_t *count);
// The same into arrays and counts of the settings.
typedef struct proto_settings_list {
    proto_each each;
    size_t at, count_at; // in nav_config
} proto_settings_list;
nav_status proto_settings_read_list(const proto_value *v, const proto_settings_list *list);
// The object that an element is, with lengths of the level.
nav_status proto_settings_element(const proto_value *v, proto_fields fields, void *target,
                                  uint64_t *seen);
// A name of up to NAV_NAME_MAX bytes; "" only where it may be empty.
nav_status proto_settings_name(const proto_settings_reader *r, const char *text, const char *at,
                               bool may_be_empty, nav_name out);
// Collects the flags of all elements of areas and links, in order, so that equal settings give
// equal bits. An element of another form is left to its own reader.
nav_status proto_settings_collect_flags(proto_settings_reader *r, const proto_item *areas,
                                        const proto_item *links);
// The index of a flag, or that at which it would be inserted.
bool proto_settings_find_flag(const proto_settings_reader *r, const char *name, uint32_t *out);
// The number of an area by its name. False: there is none, and *meant knows which name is near.
bool proto_settings_find_area(const nav_config *config, const char *name, uint8_t *out,
                              proto_suggestion *meant);
// The same, at a place of the settings, of ground that can be walked on. Errors: NAV_INVALID_FIELD.
nav_status proto_settings_walkable_area(const proto_settings_reader *r, const char *name,
                                        const char *at, uint8_t *out);
// Readers of rows: names of areas into a uint8_t, a name that may be empty into a nav_name, names
// of flags, which were collected before, into bits.
proto_reader proto_settings_read_area, proto_settings_read_walkable, proto_settings_read_name,
    proto_settings_read_flags;

// ---- areas.c, places.c ----

proto_reader proto_settings_read_areas, proto_settings_read_low_height, proto_settings_read_bounds;
extern const proto_settings_list PROTO_SETTINGS_MATERIALS, PROTO_SETTINGS_VOLUMES,
    PROTO_SETTINGS_SWITCHES, PROTO_SETTINGS_LINKS, PROTO_SETTINGS_SEEDS, PROTO_SETTINGS_FILTERS,
    PROTO_SETTINGS_AGENTS;
#define PROTO_SETTINGS_LIST(kind, limit, type, read, array, count)                                 \
    {                                                                                              \
        {PROTO_TOKEN_##kind, limit, sizeof(type), read}, offsetof(nav_config, array),              \
            offsetof(nav_config, count)                                                            \
    }

// ---- write.c: each writes one value, in the level's coordinates ----

typedef void proto_settings_writer(proto_writer *w, const nav_config *config);
proto_settings_writer proto_settings_write_low_height, proto_settings_write_coordinates,
    proto_settings_write_scale, proto_settings_write_winding, proto_settings_write_bounds,
    proto_settings_write_areas, proto_settings_write_materials, proto_settings_write_volumes,
    proto_settings_write_switches, proto_settings_write_links, proto_settings_write_filters,
    proto_settings_write_seeds, proto_settings_write_agents;
