// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// parts.h: a level that comes in several parts, each in a format of its own, with a name and a
// place of its own. They become one geometry, part behind part, in which the materials of one name
// are one. It is known which of its vertices and triangles are whose, so that a part that has not
// changed can be taken from an earlier geometry.
//
//   create --> begin, feed ..., end  for a part that is read     --> place --> nav_geometry
//              keep                  for one that was read before

#pragma once

#include "proto/geometry/upload.h"

#define PROTO_PARTS_MAX 1024u
#define PROTO_PART_STAMP_BYTES 33u

// The place of a part, in the level's coordinates: scaled, then turned, then moved.
typedef struct proto_placement {
    float scale;
    bool by_degrees;
    float degrees;   // about the level's upward axis, as proto_turn counts them
    float rotate[4]; // else a unit quaternion x, y, z, w
    float translate[3];
} proto_placement;

typedef struct proto_geometry_part {
    nav_name name; // letters, digits, ".", "_" and "-"
    proto_placement placement;
    // The caller's, given with the geometry; "": none. A part in which shapes stand loses it.
    char stamp[PROTO_PART_STAMP_BYTES];
    uint32_t vertex_count, triangle_count;
    uint32_t shape_count; // of proto_geometry_shapes
    bool placed;          // its vertices stand where it does
} proto_geometry_part;

// Result: a part that stands where its file has it, without a name.
proto_geometry_part proto_part_default(void);
// Names a part. NAV_INVALID_FIELD where that is no name.
nav_status proto_part_set_name(const char *name, size_t length, proto_geometry_part *part,
                               nav_error *err);
// Names a part as its file, without folders and ending. NAV_INVALID_FIELD where that is no name.
nav_status proto_part_name_by_file(const char *file, proto_geometry_part *part, nav_error *err);

typedef struct proto_parts proto_parts;

// For proto_parts_destroy. limits hold for all parts together; NULL: the defaults. Errors:
// NAV_NO_MEMORY.
nav_status proto_parts_create(const proto_geometry_limits *limits, proto_parts **out,
                              nav_error *err);
// One part after the other; of `part` the name, placement and stamp count. Errors:
// NAV_INVALID_FIELD (a name that is there already, or is none; settings within a part),
// NAV_GEOMETRY_TOO_LARGE (also: more than PROTO_PARTS_MAX), NAV_NO_MEMORY and those of
// proto_geometry_feed and proto_geometry_end, all of which begin with the name of the part. After
// one only destroy may be called.
nav_status proto_parts_begin(proto_parts *parts, const proto_geometry_part *part,
                             proto_format format, nav_error *err);
nav_status proto_parts_feed(proto_parts *parts, const void *bytes, size_t size_bytes,
                            nav_error *err);
nav_status proto_parts_end(proto_parts *parts, nav_error *err);
// A part whose triangles stand in another geometry, in their place already: part->vertex_count
// vertices and part->triangle_count triangles from these on. Errors: as begin and end.
nav_status proto_parts_keep(proto_parts *parts, const proto_geometry_part *part,
                            const nav_geometry *from, uint32_t first_vertex,
                            uint32_t first_triangle, nav_error *err);
// The placements that a form has beside its parts: names with placements, malloc'ed, which are the
// parts' from now on. A name that no part has is an error of proto_parts_place. Once.
void proto_parts_take_places(proto_parts *parts, proto_geometry_part *places, uint32_t count);
// Puts all parts in their places, once. The result is borrowed. Errors: NAV_INVALID_FIELD (no part
// at all), NAV_VERTEX_OUT_OF_RANGE, NAV_NO_MEMORY.
nav_status proto_parts_place(proto_parts *parts, nav_coordinates coordinates, nav_geometry *out,
                             nav_error *err);
// All parts so far, with their numbers of vertices and triangles. Borrowed.
const proto_geometry_part *proto_parts_list(const proto_parts *parts, uint32_t *count);
// The geometry of all; after proto_parts_place. Borrowed.
proto_geometry_reader *proto_parts_whole(const proto_parts *parts);
uint64_t proto_parts_memory(const proto_parts *parts); // as proto_geometry_memory
void proto_parts_destroy(proto_parts *parts);          // NULL is harmless

// ---- as JSON: see parts_json.c ----

// Reads {"name":"tree","file":"tree.obj","translate":[x,y,z],"rotate":90 or [x,y,z,w],"scale":s}
// over *part. *file is malloc'ed, NULL where none is given; file NULL: there is no such member.
// Errors: PROTO_BAD_JSON and kin, PROTO_UNKNOWN_FIELD, NAV_INVALID_FIELD, NAV_NO_MEMORY.
nav_status proto_part_read(const char *json, size_t size_bytes, proto_geometry_part *part,
                           char **file, nav_error *err);
// Reads a list of these, without files: what a form has beside its parts. *out is malloc'ed.
nav_status proto_part_places_read(const char *json, size_t size_bytes, proto_geometry_part **out,
                                  uint32_t *count, nav_error *err);
// The member "parts" of a geometry's description: name, numbers and stamp of each. Read back, *out
// is malloc'ed, and empty where the description has no such member.
void proto_write_parts(proto_writer *w, const proto_geometry_part *parts, uint32_t count);
nav_status proto_parts_read_list(const char *geometry_json, proto_geometry_part **out,
                                 uint32_t *count, nav_error *err);
