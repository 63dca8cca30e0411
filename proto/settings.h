// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// settings.h: what the files of the settings share: the table of settings.c knows every setting,
// settings_lists.c reads those that are lists, settings_write.c writes them. Private to proto/.

#pragma once

#include "proto/fields.h"

// The settings while they are read. config comes first, so that a row's offset is that in
// nav_config; the trees are read once all scalars are known.
typedef struct proto_settings {
    nav_config config;
    const struct cJSON *bounds, *areas, *materials, *volumes, *links, *seeds, *low_height;
} proto_settings;

// Lists are not merged: they and the area of low passages begin empty with each reading.
void proto_settings_clear_lists(nav_config *config);
// Reads the trees into config; arrays come from memory. Coordinates become the mesh's.
nav_status proto_settings_read_lists(proto_settings *settings, nav_arena *memory, nav_error *err);
// proto_config_read, with coordinates that overrule those of the text (NULL: none do).
nav_status proto_settings_read(const char *json, size_t size_bytes,
                               const nav_coordinates *coordinates, nav_arena *memory,
                               nav_config *config, nav_error *err);

// Each writes one value, in the level's coordinates.
void proto_settings_write_low_height(proto_writer *w, const nav_config *config);
void proto_settings_write_bounds(proto_writer *w, const nav_config *config);
void proto_settings_write_areas(proto_writer *w, const nav_config *config);
void proto_settings_write_materials(proto_writer *w, const nav_config *config);
void proto_settings_write_volumes(proto_writer *w, const nav_config *config);
void proto_settings_write_links(proto_writer *w, const nav_config *config);
void proto_settings_write_seeds(proto_writer *w, const nav_config *config);

// A box has its corners elsewhere in other coordinates: these keep min below max.
void proto_box_to_mesh(nav_coordinates coordinates, float min[3], float max[3]);
void proto_box_to_level(nav_coordinates coordinates, float min[3], float max[3]);
