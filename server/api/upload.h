// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// upload.h: geometry on its way in, from HTTP or from a file of the command line.
//
//   bytes --(zstd)--> proto_body --> check, plan --> hash --> store + queue

#pragma once

#include "proto/geometry/parts.h"
#include "proto/requests/requests.h"
#include "proto/settings/sanity.h"
#include "server/base/pack.h"
#include "server/base/service.h"

typedef struct proto_detour proto_detour; // detour/detour.h
typedef struct upload upload;

// For a body of this type, or one that is geometry in this format. mesh is copied. Errors:
// NAV_NO_MEMORY.
nav_status upload_open_body(service *s, const char *mesh, const proto_body_type *type, bool zstd,
                            upload **out, nav_error *err);
nav_status upload_open(service *s, const char *mesh, proto_format format, bool zstd, upload **out,
                       nav_error *err);
// Errors: of pack_reader_feed and proto_body_feed; PROTO_OVERLOADED (there is no room for it now),
// NAV_GEOMETRY_TOO_LARGE (limit upload_ms), PROTO_NOT_READY. After one only close may be called.
nav_status upload_feed(upload *u, const void *bytes, size_t size_bytes, nav_error *err);
// The parts of one that was opened for PROTO_FORMAT_PARTS, to be filled instead of feeding it.
proto_parts *upload_parts(const upload *u);
// Settings as JSON in place of those that were sent; borrowed until upload_finish. NULL: none.
void upload_use_config(upload *u, const char *json);
// A restart replaces a live version that was baked with other settings.
void upload_replace_settings(upload *u);
void upload_close(upload *u); // NULL is harmless

typedef struct upload_outcome {
    uint32_t version;
    bool existing;               // an equal version was there already
    bool wait;                   // the client wants to hear how the bake ends
    bool require_checks, strict; // a version that fails checks, or has warnings, is an error
    bool kept; // of a restart: nothing was stored; the live version has other settings and stays
} upload_outcome;

// All bytes are in. Geometry that cannot be baked is refused before anything is stored. Else the
// version is stored and its bake queued, or the equal one found, and made live if that is asked and
// needed. restart: this upload comes with every start. So a version that is stored already and was
// switched off stays off; a live one that was baked with other settings stays live (outcome->kept,
// and the log names the settings that differ), unless upload_replace_settings; one whose bake
// failed is queued once more as the same version. Errors: of upload_feed, geometry and settings;
// NAV_GRID_TOO_LARGE; PROTO_BAKE_QUEUE_FULL; PROTO_NOT_READY; the store's.
nav_status upload_finish(upload *u, const proto_arg *args, size_t arg_count, bool restart,
                         upload_outcome *out, nav_error *err);

// Whether they are geometry and settings that are understood and lie within the mesh's bounds.
// Stores nothing; what is there needs no store. Errors: of the geometry and settings.
nav_status upload_check(upload *u, nav_error *err);

// ---- private to upload.c and upload_store.c ----

struct upload {
    service *service;
    char mesh[LIMIT_MESH_NAME + 1];
    proto_body *body;
    pack_reader *unpacker;                          // NULL: the bytes are as they are
    uint64_t came_bytes;                            // unpacked
    uint64_t held_bytes;                            // of the budget for bodies in flight
    uint64_t spent_ns;                              // of the processor, by calls that have returned
    uint64_t begun_ns;                              // the call that has not, of clock_thread_ns
    nav_bake_hooks hooks;                           // whether to go on
    nav_warning warnings[PROTO_READ_WARNING_COUNT]; // of its reader
    const char *config;                             // in place of what was sent, or NULL
    bool replace;                                   // upload_replace_settings
};

// All that upload_finish works out before it stores anything.
typedef struct upload_contents {
    nav_geometry geometry; // borrowed from the body; empty where that has tiles
    proto_detour *tiles;   // of those, or NULL
    proto_upload_request request;
    nav_arena memory; // of the request's lists
    nav_grid grid;
    proto_level level;  // of those two, in the mesh's coordinates; not of tiles
    const void *layout; // what is stored: of tiles the body's bytes, else packed
    size_t layout_bytes;
    void *packed; // malloc'ed, or NULL
    uint8_t geometry_hash[32], content_key[32];
    char *geometry_json, *config_json, *warnings_json; // malloc'ed
    bool replaces; // of a restart: the live version, although its settings are others
} upload_contents;

// Stores the version and queues its bake, or finds the equal one, as upload_finish says.
nav_status upload_store(upload *u, upload_contents *c, bool restart, upload_outcome *out,
                        nav_error *err);
