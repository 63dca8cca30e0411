// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// config.h: settings as JSON to a nav_config, and back in one form.

#pragma once

#include "proto/json/json.h"

// A filter as it was asked for: a named one, or names that the mesh will know (or not).
typedef struct proto_area_cost {
    const char *area;
    float cost;
} proto_area_cost;

typedef struct proto_filter {
    const char *name; // NULL: none is named
    const proto_area_cost *costs;
    const char *const *include, *const *exclude; // flags
    uint32_t cost_count, include_count, exclude_count;
} proto_filter;

// Limits of a link, in metres.
#define PROTO_LINK_RADIUS_DEFAULT 0.6f
#define PROTO_LINK_RADIUS_MAX 1e4
#define PROTO_LINK_COST_MAX 1e6

// Values of settings as proto_write_config writes them: more than may be sent, since every member
// is written.
#define PROTO_CONFIG_VALUES_MAX 2500000

// Reads a `config` object over the settings already in *config. Lists are not merged: what is not
// given is empty. Arrays and names come from memory and live as long as it. Positions in *config
// are the mesh's, Y up, whatever the coordinates of the text. Errors: PROTO_BAD_JSON,
// PROTO_UNKNOWN_FIELD, NAV_INVALID_FIELD (at = "agent.radius", "volumes[3].points[1]"),
// NAV_NO_MEMORY.
nav_status proto_config_read(const char *json, size_t size_bytes, nav_arena *memory,
                             nav_config *config, nav_error *err);
// Every setting, defaults filled in, always in the same order and form.
void proto_write_config(proto_writer *w, const nav_config *config);
// The names of the settings that differ, as "cell_size, links"; nothing where none does. Errors:
// NAV_NO_MEMORY.
nav_status proto_config_compare(const nav_config *a, const nav_config *b, proto_writer *names,
                                nav_error *err);
