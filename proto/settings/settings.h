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

// What a text, or arguments, say of the level's coordinates.
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

// proto_config_read, with arguments that go before the text, each of which is a setting: the error
// of one that is none lists `beside`, too, what else there is.
nav_status proto_settings_read(const char *json, size_t size_bytes, const proto_arg *args,
                               size_t arg_count, const proto_fields *beside, nav_arena *memory,
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

// {"costs":{},"include":[],"exclude":[]} as names, from memory. `at` names it in errors.
nav_status proto_filter_read(const proto_item *object, const char *at, nav_arena *memory,
                             proto_filter *out, nav_error *err);
// A list of up to NAV_FLAGS_MAX names of flags, from memory.
nav_status proto_flag_names_read(const proto_value *v, const char *const **out, uint32_t *count);

// ---- lists.c: what all settings need that are lists, or objects of named things ----

typedef struct proto_settings_reader {
    nav_config *config;
    nav_arena *memory;
    nav_error *err;
    nav_name flags[NAV_FLAGS_MAX]; // sorted
    uint32_t shapes_left;          // that switches may still have
} proto_settings_reader;

// An element of a list, or a member of an object of named things.
typedef struct proto_element {
    proto_item item;
    nav_name name;                                             // of a member
    char at[PROTO_PLACE_BYTES], prefix[PROTO_PLACE_BYTES + 2]; // "volumes[3]", "volumes[3]."
} proto_element;

// How they are read. Names of an object are those of nav_name, and in order.
typedef struct proto_settings_list {
    const char *name; // of the setting
    proto_token kind; // PROTO_TOKEN_LIST or PROTO_TOKEN_OBJECT
    uint32_t limit;
    size_t element_bytes;
    nav_status (*read)(proto_settings_reader *r, const proto_element *e, void *out);
    size_t at, count_at; // where nav_config has the array, and its count
} proto_settings_list;

#define PROTO_SETTINGS_LIST(setting, of, limit, type, read, array, count)                          \
    {                                                                                              \
        setting, PROTO_TOKEN_##of, limit, sizeof(type), read, offsetof(nav_config, array),         \
            offsetof(nav_config, count)                                                            \
    }

// Reads all elements of an item into *out, from memory; of another name or limit than the list's.
nav_status proto_settings_elements(proto_settings_reader *r, const proto_item *item, const char *at,
                                   uint32_t limit, const proto_settings_list *list, void **out,
                                   uint32_t *count);
nav_status proto_settings_no_memory(proto_settings_reader *r);
// A name of 1 to NAV_NAME_MAX bytes.
nav_status proto_settings_name(proto_settings_reader *r, const char *text, const char *at,
                               bool may_be_empty, nav_name out);
// Collects the flags of all elements of areas and links, in order, so that equal settings give
// equal bits. An element of another form is left to its own reader.
nav_status proto_settings_collect_flags(proto_settings_reader *r, const proto_item *areas,
                                        const proto_item *links);
// The index of a flag, or that at which it would be inserted.
bool proto_settings_find_flag(proto_settings_reader *r, const char *name, uint32_t *out);
// A list of names of flags, collected before, to bits; kind 0: none.
nav_status proto_settings_flags(proto_settings_reader *r, const proto_item *list,
                                const char *prefix, uint32_t *out);
// The number of an area by its name. False: there is none, and *meant knows which name is near.
bool proto_settings_find_area(const nav_config *config, const char *name, uint8_t *out,
                              proto_suggestion *meant);
// The same, for a member at a place of the settings; of ground that can be walked on. Errors:
// NAV_INVALID_FIELD.
nav_status proto_settings_area(proto_settings_reader *r, const char *name, const char *at,
                               uint8_t *out);
nav_status proto_settings_walkable_area(proto_settings_reader *r, const char *name, const char *at,
                                        uint8_t *out);

// ---- areas.c, places.c ----

nav_status proto_settings_read_areas(proto_settings_reader *r, const proto_item *item);
nav_status proto_settings_read_low_height(proto_settings_reader *r, const proto_item *item);
nav_status proto_settings_read_bounds(proto_settings_reader *r, const proto_item *item);
extern const proto_settings_list PROTO_SETTINGS_MATERIALS, PROTO_SETTINGS_VOLUMES,
    PROTO_SETTINGS_SWITCHES, PROTO_SETTINGS_LINKS, PROTO_SETTINGS_SEEDS, PROTO_SETTINGS_FILTERS,
    PROTO_SETTINGS_AGENTS;

// ---- write.c: each writes one value, in the level's coordinates ----

void proto_settings_write_low_height(proto_writer *w, const nav_config *config);
void proto_settings_write_coordinates(proto_writer *w, const nav_config *config);
void proto_settings_write_scale(proto_writer *w, const nav_config *config);
void proto_settings_write_winding(proto_writer *w, const nav_config *config);
void proto_settings_write_bounds(proto_writer *w, const nav_config *config);
void proto_settings_write_areas(proto_writer *w, const nav_config *config);
void proto_settings_write_materials(proto_writer *w, const nav_config *config);
void proto_settings_write_volumes(proto_writer *w, const nav_config *config);
void proto_settings_write_switches(proto_writer *w, const nav_config *config);
void proto_settings_write_links(proto_writer *w, const nav_config *config);
void proto_settings_write_filters(proto_writer *w, const nav_config *config);
void proto_settings_write_seeds(proto_writer *w, const nav_config *config);
void proto_settings_write_agents(proto_writer *w, const nav_config *config);
