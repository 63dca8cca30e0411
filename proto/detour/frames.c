// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// frames.c: the tiles of a file as they lie in its bytes: their list, each header held against its
// bytes, and the place of each; and the list of grounds.

#include "proto/detour/file.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

nav_status detour_fail(const detour_frame *frame, nav_error *err, nav_status status,
                       const char *format, ...)
{
    char what[200];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return nav_fail_at(err, status, nav_at("tile %d,%d", frame->tile_x, frame->tile_z).text,
                       "tile %d,%d: %s", frame->tile_x, frame->tile_z, what);
}

// ---- frames ----

nav_status detour_add_frame(proto_detour *d, size_t offset, size_t size_bytes, nav_error *err)
{
    if (d->frame_count == NAV_GRID_TILES_MAX) {
        nav_fail(err, NAV_GEOMETRY_TOO_LARGE, "more than %u tiles", NAV_GRID_TILES_MAX);
        nav_error_limit(err, "%u", NAV_GRID_TILES_MAX);
        return NAV_GEOMETRY_TOO_LARGE;
    }
    if (d->frame_count == d->frame_capacity) {
        const uint32_t capacity = d->frame_capacity * 2 + 16;
        detour_frame *frames = realloc(d->frames, capacity * sizeof *frames);
        if (frames == NULL) {
            return nav_fail(err, NAV_NO_MEMORY, "no memory to list the tiles");
        }
        d->frames = frames;
        d->frame_capacity = capacity;
    }
    d->frames[d->frame_count++] = (detour_frame){.offset = offset, .size_bytes = size_bytes};
    return NAV_OK;
}

static uint64_t tile_bytes(const proto_detour_header *h, uint32_t link_bytes)
{
    return sizeof *h + h->vertex_count * UINT64_C(12) +
           h->polygon_count * (uint64_t)sizeof(proto_detour_polygon) +
           h->link_count * (uint64_t)link_bytes +
           h->detail_count * (uint64_t)sizeof(proto_detour_detail) +
           h->detail_vertex_count * UINT64_C(12) + h->detail_triangle_count * UINT64_C(4) +
           h->node_count * (uint64_t)sizeof(proto_detour_node) +
           h->connection_count * (uint64_t)sizeof(proto_detour_connection);
}

detour_sections detour_sections_of(const proto_detour_header *h, uint32_t link_bytes)
{
    detour_sections s = {.vertices = sizeof *h};
    s.polygons = s.vertices + (size_t)h->vertex_count * 12;
    s.details = s.polygons + (size_t)h->polygon_count * sizeof(proto_detour_polygon) +
                (size_t)h->link_count * link_bytes;
    s.detail_vertices = s.details + (size_t)h->detail_count * sizeof(proto_detour_detail);
    s.detail_triangles = s.detail_vertices + (size_t)h->detail_vertex_count * 12;
    s.connections = s.detail_triangles + (size_t)h->detail_triangle_count * 4 +
                    (size_t)h->node_count * sizeof(proto_detour_node);
    return s;
}

static nav_status check_header(detour_frame *frame, const proto_detour_header *h, nav_error *err)
{
    if (h->magic != PROTO_DETOUR_MAGIC) {
        return detour_fail(frame, err, NAV_BAD_BLOB,
                           "it does not begin as a tile of Detour's does (or its bytes are in the "
                           "order of another processor)");
    }
    if (h->version != PROTO_DETOUR_VERSION) {
        return detour_fail(frame, err, NAV_BAD_BLOB, "it has version %u, version %u is read",
                           h->version, PROTO_DETOUR_VERSION);
    }
    frame->link_bytes = sizeof(proto_detour_link);
    if (tile_bytes(h, frame->link_bytes) != frame->size_bytes) {
        frame->link_bytes = PROTO_DETOUR_LINK_64_BYTES;
    }
    if (tile_bytes(h, frame->link_bytes) != frame->size_bytes) {
        return detour_fail(frame, err, NAV_BAD_BLOB, "its counts do not fit its %zu bytes",
                           frame->size_bytes);
    }
    if (h->connection_first > h->polygon_count ||
        h->polygon_count - h->connection_first != h->connection_count) {
        return detour_fail(frame, err, NAV_BAD_BLOB,
                           "of %u polygons those from %u on cannot be its %u off-mesh connections",
                           h->polygon_count, h->connection_first, h->connection_count);
    }
    if (h->detail_count != 0 && h->detail_count != h->connection_first) {
        return detour_fail(frame, err, NAV_BAD_BLOB, "%u polygons have %u meshes of detail",
                           h->connection_first, h->detail_count);
    }
    bool valid = detour_is_size(h->agent_height) && detour_is_size(h->agent_radius) &&
                 detour_is_size(h->agent_max_climb) && detour_is_size(h->cells_per_unit);
    for (int axis = 0; axis < 3; axis++) {
        valid = valid && detour_is_coordinate(h->min[axis]) && detour_is_coordinate(h->max[axis]);
    }
    return valid ? NAV_OK
                 : detour_fail(frame, err, NAV_BAD_BLOB,
                               "a size or a bound in its header is no number that can be");
}

// The first tile decides what all have in common.
static nav_status check_same(proto_detour *d, const detour_frame *frame,
                             const proto_detour_header *h, nav_error *err)
{
    if (frame == d->frames) {
        d->agent_height = h->agent_height;
        d->agent_radius = h->agent_radius;
        d->agent_max_climb = h->agent_max_climb;
        d->cells_per_unit = h->cells_per_unit;
    }
    d->cells_per_unit = d->cells_per_unit == h->cells_per_unit ? d->cells_per_unit : 0.0f;
    if (d->agent_height != h->agent_height || d->agent_radius != h->agent_radius ||
        d->agent_max_climb != h->agent_max_climb) {
        return detour_fail(frame, err, NAV_BAD_BLOB,
                           "it is for an agent of height %g, radius %g, climb %g, the first tile "
                           "for one of %g, %g, %g",
                           (double)h->agent_height, (double)h->agent_radius,
                           (double)h->agent_max_climb, (double)d->agent_height,
                           (double)d->agent_radius, (double)d->agent_max_climb);
    }
    return NAV_OK;
}

static nav_status read_headers(proto_detour *d, nav_error *err)
{
    nav_status status = NAV_OK;
    for (uint32_t i = 0; status == NAV_OK && i < d->frame_count; i++) {
        detour_frame *frame = &d->frames[i];
        if (frame->size_bytes < sizeof(proto_detour_header)) {
            return nav_fail_at(err, NAV_BAD_BLOB, nav_at("tiles[%u]", i).text,
                               "tile %u of the file has %zu bytes, too few for a header", i,
                               frame->size_bytes);
        }
        const proto_detour_header h = detour_header(d, frame);
        frame->tile_x = h.tile_x;
        frame->tile_z = h.tile_z;
        frame->layer = h.layer;
        status = check_header(frame, &h, err);
        NAV_IF_OK(status, check_same(d, frame, &h, err));
    }
    return status;
}

// ---- places ----

static int compare_frames(const void *left, const void *right)
{
    const detour_frame *a = left, *b = right;
    if (a->layer != b->layer) {
        return a->layer < b->layer ? -1 : 1;
    }
    if (a->tile_z != b->tile_z) {
        return a->tile_z < b->tile_z ? -1 : 1;
    }
    return (a->tile_x > b->tile_x) - (a->tile_x < b->tile_x);
}

// A tile of layer n has the row that it would have after n times all rows.
static nav_status place_tiles(proto_detour *d, nav_error *err)
{
    int64_t min[2] = {INT32_MAX, INT32_MAX}, max[2] = {INT32_MIN, INT32_MIN};
    for (uint32_t i = 0; i < d->frame_count; i++) {
        const int64_t at[2] = {d->frames[i].tile_x, d->frames[i].tile_z};
        for (int k = 0; k < 2; k++) {
            min[k] = at[k] < min[k] ? at[k] : min[k];
            max[k] = at[k] > max[k] ? at[k] : max[k];
        }
    }
    qsort(d->frames, d->frame_count, sizeof *d->frames, compare_frames);
    const detour_frame *last = &d->frames[d->frame_count - 1];
    const int64_t columns = max[0] - min[0] + 1, rows = max[1] - min[1] + 1;
    const int64_t limit = NAV_GRID_SIDE_CELLS_MAX;
    if (d->frames[0].layer < 0 || columns > limit || rows > limit || last->layer >= limit / rows) {
        return detour_fail(last->layer >= limit / rows ? last : &d->frames[0], err, NAV_BAD_BLOB,
                           "tiles from %d,%d to %d,%d, layer %d, are more than %u in a row",
                           (int)min[0], (int)min[1], (int)max[0], (int)max[1], last->layer,
                           NAV_GRID_SIDE_CELLS_MAX);
    }
    for (uint32_t i = 0; i < d->frame_count; i++) {
        detour_frame *frame = &d->frames[i];
        if (i > 0 && compare_frames(frame - 1, frame) == 0) {
            return detour_fail(frame, err, NAV_BAD_BLOB, "layer %d of it is there twice",
                               frame->layer);
        }
        frame->x = (uint32_t)(frame->tile_x - min[0]);
        frame->z = (uint32_t)(frame->tile_z - min[1] + frame->layer * rows);
    }
    d->tile_x_min = (int32_t)min[0];
    d->tile_z_min = (int32_t)min[1];
    d->tiles_x = (uint32_t)columns;
    d->tiles_z = (uint32_t)(rows * (last->layer + 1));
    return NAV_OK;
}

nav_status detour_place_frames(proto_detour *d, nav_error *err)
{
    nav_status status = read_headers(d, err);
    return status == NAV_OK ? place_tiles(d, err) : status;
}

// ---- grounds ----

// The place of a ground in the list, or where it belongs.
static uint32_t find_ground(const proto_detour *d, uint8_t area, uint16_t flags)
{
    uint32_t low = 0, high = d->ground_count;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (d->grounds[middle].area != area ? d->grounds[middle].area < area
                                            : d->grounds[middle].flags < flags) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

uint32_t detour_ground_of(const proto_detour *d, uint8_t area, uint16_t flags)
{
    const uint32_t at = find_ground(d, area, flags);
    return flags != 0 && at < d->ground_count && d->grounds[at].area == area &&
                   d->grounds[at].flags == flags
               ? at
               : NAV_NONE;
}

nav_status detour_add_ground(proto_detour *d, const detour_frame *frame, uint8_t area,
                             uint16_t flags, nav_error *err)
{
    if (flags == 0 || detour_ground_of(d, area, flags) != NAV_NONE) {
        return NAV_OK;
    }
    if (d->ground_count == DETOUR_GROUNDS_MAX) {
        nav_status status = detour_fail(
            frame, err, NAV_GEOMETRY_TOO_LARGE,
            "its polygons have the %uth pair of an area and flags; there is room for %d areas",
            d->ground_count + 1, DETOUR_GROUNDS_MAX);
        nav_error_limit(err, "%d", DETOUR_GROUNDS_MAX);
        return status;
    }
    const uint32_t at = find_ground(d, area, flags);
    memmove(&d->grounds[at + 1], &d->grounds[at], (d->ground_count - at) * sizeof *d->grounds);
    d->grounds[at] = (detour_ground){.area = area, .flags = flags};
    d->ground_count++;
    return NAV_OK;
}
