// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// writers.h: the writer of each format, for export.c. Private to the room. The writer reports at
// its end whether there was memory for the bytes; scratch is for what dies with the call. Errors:
// PROTO_NOT_EXPORTABLE, NAV_NO_MEMORY.

#pragma once

#include "proto/exports/selection.h"

void export_json(proto_writer *w, const proto_export *what, const selection *s);
void export_packed(proto_writer *w, const proto_export *what, const selection *s);
// Members of the JSON: what comes before the vertices; the polygons that lie under switches, which
// only the packed form has as a list; links.
void export_json_head(proto_writer *w, const proto_export *what, const selection *s);
void export_json_switched(proto_writer *w, const selection *s);
void export_json_links(proto_writer *w, const selection *s);
void export_obj(proto_writer *w, const proto_export *what, const selection *s);
nav_status export_glb(proto_writer *w, const proto_export *what, const selection *s,
                      nav_arena *scratch, nav_error *err);
nav_status export_mset(proto_writer *w, const selection *s, nav_arena *scratch, nav_error *err);
