// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// sanity.h: what is odd about a level beside its settings (nav_geometry_judge), as warnings with
// the setting to change, and as the refusal of a bake that would take minutes for nothing.

#pragma once

#include "proto/json/json.h"

// Constant and word, which is the code of the warning and of the refusal, and what `accept` takes.
#define PROTO_ODDITY_TABLE(X)                                                                      \
    X(PROTO_ODD_UNITS, "units_suspect")                                                            \
    X(PROTO_ODD_AXIS, "axis_suspect")                                                              \
    X(PROTO_ODD_WINDING, "winding_suspect")                                                        \
    X(PROTO_ODD_MATERIALS, "material_unlisted")                                                    \
    X(PROTO_ODD_AGENT, "agent_too_low")

typedef enum proto_oddity {
#define X(name, word) name,
    PROTO_ODDITY_TABLE(X)
#undef X
    PROTO_ODD_COUNT
} proto_oddity;

// By oddity; NULL behind the last.
extern const char *const PROTO_ODDITY_WORDS[];

// A level, which is in the mesh's coordinates, and what was found.
typedef struct proto_level {
    const nav_geometry *geometry; // NULL: there is none, and nothing is odd
    const nav_config *config;
    nav_sanity found;
    const nav_warning *read_warnings; // by proto_read_warning: those of its file's reader; or NULL
} proto_level;

typedef struct proto_advice {
    char detail[256]; // what was seen, and what would be usual
    // The setting to change, as an argument: "scale=0.01"; "" where that is a list.
    char suggest[64];
} proto_advice;

// False: nothing is odd there. Numbers are in the level's units.
bool proto_level_say(const proto_level *level, proto_oddity odd, proto_advice *out);
// Elements of a list of warnings: those of a bake with detail and suggest, and those of the reader.
void proto_write_oddities(proto_writer *w, const proto_level *level);
// NAV_OK, or PROTO_UNITS_SUSPECT for a level that is too large for its settings. Bit i of accepted
// is oddity i. Where too_large is set, its grid is, and sizes that are odd are the reason.
nav_status proto_level_check(const proto_level *level, bool too_large, uint32_t accepted,
                             nav_error *err);
