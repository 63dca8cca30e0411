// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// exports.h: a mesh as a file for other programs. Any thread.

#pragma once

#include "proto/requests/requests.h"

// The contents of a file.
typedef struct proto_export {
    const char *mesh; // its name
    uint32_t version;
    const char *agent;   // the agent's name; "" or NULL: the default one's
    const nav_mesh *nav; // the agent's mesh
    bool has_bounds;     // only polygons whose box meets this one, in the level's coordinates
    float min[3], max[3];
} proto_export;

// The export that a request asks for, of a version whose mesh is `all`, with those of its agents.
// Everything is borrowed. Errors: NAV_INVALID_FIELD (there is no such agent).
nav_status proto_export_of(const char *mesh, uint32_t version, const nav_mesh *all,
                           const proto_export_request *request, proto_export *out, nav_error *err);

// The media type of a format, and the ending of its file, without the dot: constants that live for
// ever.
const char *proto_export_media_type(proto_export_format format);
const char *proto_export_ending(proto_export_format format);

// Writes the whole file into w, which is empty. scratch holds what dies with the call. A selection
// without polygons makes a file that is empty and valid.
// Errors: PROTO_NOT_EXPORTABLE (err->at is the setting to change, or "bounds"), NAV_NO_MEMORY; w is
// then of no use.
nav_status proto_export_write(proto_writer *w, const proto_export *what, proto_export_format format,
                              nav_arena *scratch, nav_error *err);

// A picture's contents and look.
typedef struct proto_picture {
    uint32_t width_px; // PROTO_RENDER_WIDTH_MIN to _MAX
    uint32_t layers;   // PROTO_LAYER_*
    bool legend;
    bool is_cut;               // at the export's bounds; else its polygons are drawn whole
    const nav_path *path;      // NULL: none
    const nav_geometry *level; // its triangles, in the mesh's coordinates; NULL without that layer
    const proto_world *world;  // of an instance; NULL: switches are at their defaults
    // NULL, or polled while it is drawn: true ends it.
    bool (*cancelled)(void *user);
    void *user;
} proto_picture;

// As it is where nobody asks for anything else.
proto_picture proto_picture_default(void);

// Draws the mesh from above into w, which is empty. Bounds choose its polygons as for a file; the
// agent's name and the mesh's are in the legend. scratch as for proto_export_write. Errors: those
// of that, NAV_CANCELLED; w is then of no use.
nav_status proto_picture_write(proto_writer *w, const proto_export *what, const proto_picture *view,
                               nav_arena *scratch, nav_error *err);
