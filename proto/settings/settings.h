// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// settings.h: what the files of the settings share: the table of settings.c knows every setting,
// lists.c reads those that are lists, write.c writes them. Private to proto/.

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

// The settings while they are read. config comes first, so that a row's offset is that in
// nav_config; the trees are read once all scalars are known.
typedef struct proto_settings {
    nav_config config;
    proto_sent_coordinates sent;
    const struct cJSON *bounds, *areas, *materials, *volumes, *switches, *links, *seeds,
        *low_height, *query_filters, *agents;
} proto_settings;

// The table of all settings.
proto_fields proto_settings_fields(void);
// Lists are not merged: they and the area of low passages begin empty with each reading.
void proto_settings_clear_lists(nav_config *config);
// Reads the trees into config; arrays come from memory. Coordinates become the mesh's.
nav_status proto_settings_read_lists(proto_settings *settings, nav_arena *memory, nav_error *err);
// proto_config_read, with arguments that overrule the coordinates of the text (NULL: none do).
nav_status proto_settings_read(const char *json, size_t size_bytes,
                               const proto_sent_coordinates *arguments, nav_arena *memory,
                               nav_config *config, nav_error *err);
// What arguments say of the coordinates; all others are left alone.
nav_status proto_settings_read_sent(const proto_arg *args, size_t arg_count,
                                    proto_sent_coordinates *out, nav_error *err);

// ---- coordinates.c ----

// A name or axes with a scale, into the proto_sent_coordinates at the field's offset.
nav_status proto_read_coordinates(const proto_item *item, const char *at, const proto_field *field,
                                  void *target, nav_error *err);
// Result: base, changed by what a text says, and by what arguments (NULL: none) say over that.
nav_coordinates proto_settings_coordinates(nav_coordinates base, const proto_sent_coordinates *text,
                                           const proto_sent_coordinates *arguments);
// Whether the value of `coordinates` says the scale as well.
bool proto_settings_scale_is_known(nav_coordinates coordinates);

// ---- shared by lists.c, flags.c and places.c ----

typedef struct proto_settings_reader {
    nav_config *config;
    nav_arena *memory;
    nav_error *err;
    nav_name flags[NAV_FLAGS_MAX]; // sorted
} proto_settings_reader;

nav_status proto_settings_no_memory(const proto_settings_reader *r);
// A name of 1 to NAV_NAME_MAX bytes.
nav_status proto_settings_name(const proto_settings_reader *r, const char *text, const char *at,
                               bool may_be_empty, nav_name out);
// How many elements a list has; *count is 0 where it was not given.
nav_status proto_settings_count(const proto_settings_reader *r, const struct cJSON *list,
                                const char *at, uint32_t limit, uint32_t *count);
// Collects the flags of all elements of a list or object. An element of another form is left
// to its own reader.
nav_status proto_settings_collect_flags(proto_settings_reader *r, const struct cJSON *list,
                                        const char *at);
// Once all are collected: their names into the settings.
nav_status proto_settings_keep_flags(proto_settings_reader *r);
// A list of names of flags, collected before, to bits; list NULL: none.
nav_status proto_settings_flags(const proto_settings_reader *r, const struct cJSON *list,
                                const char *prefix, uint32_t *out);
// The number of an area by its name. False: there is none, and *meant knows which name is near.
bool proto_settings_find_area(const nav_config *config, const char *name, uint8_t *out,
                              proto_suggestion *meant);
// The same, for a member at a place of the settings. Errors: NAV_INVALID_FIELD.
nav_status proto_settings_area(const proto_settings_reader *r, const char *name, const char *at,
                               uint8_t *out);
nav_status proto_settings_walkable_area(const proto_settings_reader *r, const char *name,
                                        const char *at, uint8_t *out);

nav_status proto_settings_read_volumes(proto_settings_reader *r, const struct cJSON *list);
nav_status proto_settings_read_switches(proto_settings_reader *r, const struct cJSON *object);
nav_status proto_settings_read_links(proto_settings_reader *r, const struct cJSON *list);
nav_status proto_settings_read_seeds(proto_settings_reader *r, const struct cJSON *list);
nav_status proto_settings_read_bounds(proto_settings_reader *r, const struct cJSON *object);
// filters.c
nav_status proto_settings_read_filters(proto_settings_reader *r, const struct cJSON *object);
// The members of an object in the order of their names; a name that appears twice is an error.
nav_status proto_settings_members(const proto_settings_reader *r, const struct cJSON *object,
                                  const char *at, uint32_t limit, const struct cJSON ***out,
                                  uint32_t *count);

// Each writes one value, in the level's coordinates.
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
// Members that several of them have: the name of an area, and a list of flags' names.
const char *proto_settings_area_name(const nav_config *config, uint8_t area);
void proto_settings_write_flags(proto_writer *w, const char *key, const nav_config *config,
                                uint32_t flags);
