// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// file.h: what the files of this room share: a file of tiles between its reading and its use.

#pragma once

#include "proto/base/status.h"
#include "proto/detour/detour.h"
#include "proto/detour/layout.h"

#include <math.h>
#include <string.h>

// A tile of the file, by its header, which has been checked against its bytes.
typedef struct detour_frame {
    size_t offset, size_bytes;
    int32_t tile_x, tile_z, layer; // theirs
    uint32_t x, z;                 // ours
    uint32_t link_bytes;           // of one link: 12, or 16 where references have 64 bits
} detour_frame;

// The beginnings of a tile's sections, in bytes from its first one.
typedef struct detour_sections {
    size_t vertices, polygons, details, detail_vertices, detail_triangles, connections;
} detour_sections;

// Polygons of one area and with the same flags are one area of ours.
typedef struct detour_ground {
    uint8_t area;
    uint16_t flags; // not 0
    nav_name name;
} detour_ground;

#define DETOUR_GROUNDS_MAX (NAV_AREAS_MAX - 1) // one of ours is "none"

struct proto_detour {
    const uint8_t *bytes;
    size_t size_bytes;
    bool is_mset;
    proto_detour_params params;
    detour_frame *frames; // in order of our z, x
    uint32_t frame_count, frame_capacity;
    float agent_height, agent_radius, agent_max_climb; // of all tiles
    float cells_per_unit;                              // of all tiles; 0: they differ
    uint32_t tiles_x, tiles_z;
    int32_t tile_x_min, tile_z_min; // theirs
    float grid_min[3], cell_size, cell_height;
    detour_ground grounds[DETOUR_GROUNDS_MAX]; // in order of area, flags
    uint32_t ground_count;
    proto_detour_numbers numbers;
};

// ---- around the tiles ----

// Notes a tile that lies within the bytes. Errors: NAV_NO_MEMORY, NAV_GEOMETRY_TOO_LARGE.
nav_status detour_add_frame(proto_detour *d, size_t offset, size_t size_bytes, nav_error *err);
// Checks all headers and gives each frame its place. Errors: NAV_BAD_BLOB.
nav_status detour_place_frames(proto_detour *d, nav_error *err);
// mset.c, mmap.c: fill params and frames.
nav_status detour_read_mset(proto_detour *d, nav_error *err);
nav_status detour_read_mmap(proto_detour *d, nav_error *err);

// A member of a tar archive: tar.c.
typedef struct detour_member {
    char name[128]; // the end of it, behind the last slash, cut from the front where it is longer
    const uint8_t *bytes;
    size_t size_bytes;
} detour_member;

// The next regular file at *offset, which moves on; *found false: the archive has ended. Errors:
// PROTO_BAD_GEOMETRY.
nav_status detour_tar_next(const uint8_t *bytes, size_t size_bytes, size_t *offset,
                           detour_member *out, bool *found, nav_error *err);

// ---- in a tile ----

// Elements are copied out: nothing in a file is aligned.
static inline proto_detour_header detour_header(const proto_detour *d, const detour_frame *frame)
{
    proto_detour_header header;
    memcpy(&header, d->bytes + frame->offset, sizeof header);
    return header;
}

static inline void detour_get(const proto_detour *d, const detour_frame *frame, size_t section,
                              uint32_t index, void *out, size_t element_bytes)
{
    memcpy(out, d->bytes + frame->offset + section + (size_t)index * element_bytes, element_bytes);
}

static inline bool detour_is_size(float value)
{
    return value >= 0.0f && value <= NAV_COORDINATE_MAX;
}

static inline bool detour_is_coordinate(float value)
{
    return fabsf(value) <= NAV_COORDINATE_MAX;
}

// The frame has been checked.
detour_sections detour_sections_of(const proto_detour_header *header, uint32_t link_bytes);
// NAV_BAD_BLOB, or another status, at "tile X,Z".
nav_status detour_fail(const detour_frame *frame, nav_error *err, nav_status status,
                       const char *format, ...) __attribute__((format(printf, 4, 5)));
// The number of the ground in grounds; NAV_NONE: flags are 0.
uint32_t detour_ground_of(const proto_detour *d, uint8_t area, uint16_t flags);
// Lists it, unless its flags are 0. Errors: NAV_GEOMETRY_TOO_LARGE.
nav_status detour_add_ground(proto_detour *d, const detour_frame *frame, uint8_t area,
                             uint16_t flags, nav_error *err);
// settings.c: gives each ground its name.
void detour_name_grounds(proto_detour *d);
