// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// mset.c: the frames of an MSET, the file that RecastDemo saves and loads.

#include "proto/detour/file.h"

static nav_status fail_frame(uint32_t number, uint32_t count, nav_error *err, const char *what)
{
    return nav_fail_at(err, PROTO_BAD_GEOMETRY, nav_at("tiles[%u]", number).text,
                       "tile %u of %u of the MSET %s", number, count, what);
}

// References of 64 bits make the frame twice as large; the tile behind it shows which it is.
static bool is_tile_at(const proto_detour *d, size_t offset)
{
    uint32_t magic = 0;
    if (d->size_bytes - offset >= sizeof magic) {
        memcpy(&magic, d->bytes + offset, sizeof magic);
    }
    return magic == PROTO_DETOUR_MAGIC;
}

static nav_status read_frame(proto_detour *d, uint32_t number, uint32_t count, size_t *offset,
                             nav_error *err)
{
    proto_mset_tile frame;
    proto_mset_tile_64 wide;
    const size_t left = d->size_bytes - *offset;
    if (left < sizeof frame) {
        return fail_frame(number, count, err, "is missing: the file ends before it");
    }
    memcpy(&frame, d->bytes + *offset, sizeof frame);
    bool has_reference = frame.reference != 0;
    size_t head_bytes = sizeof frame;
    if (left > sizeof wide && !is_tile_at(d, *offset + sizeof frame) &&
        is_tile_at(d, *offset + sizeof wide)) {
        memcpy(&wide, d->bytes + *offset, sizeof wide);
        has_reference = (wide.reference_low | wide.reference_high) != 0;
        frame.size_bytes = wide.size_bytes;
        head_bytes = sizeof wide;
    }
    if (!has_reference) {
        return fail_frame(number, count, err, "has the reference 0, where Detour stops reading");
    }
    if (frame.size_bytes > left - head_bytes) {
        return fail_frame(number, count, err, "reaches beyond the end of the file");
    }
    *offset += head_bytes;
    nav_status status = detour_add_frame(d, *offset, frame.size_bytes, err);
    *offset += frame.size_bytes;
    return status;
}

nav_status detour_read_mset(proto_detour *d, nav_error *err)
{
    proto_mset_header header;
    if (d->size_bytes < sizeof header) {
        return nav_fail(err, PROTO_BAD_GEOMETRY, "%zu bytes are too few for the header of an MSET",
                        d->size_bytes);
    }
    memcpy(&header, d->bytes, sizeof header);
    if (header.version != PROTO_MSET_VERSION) {
        return nav_fail(err, PROTO_BAD_GEOMETRY, "the MSET has version %u, version %u is read",
                        header.version, PROTO_MSET_VERSION);
    }
    d->params = header.params;
    size_t offset = sizeof header;
    nav_status status = NAV_OK;
    for (uint32_t i = 0; status == NAV_OK && i < header.tile_count; i++) {
        status = read_frame(d, i, header.tile_count, &offset, err);
    }
    if (status == NAV_OK && offset != d->size_bytes) {
        status =
            nav_fail(err, PROTO_BAD_GEOMETRY, "%zu bytes follow the last of the MSET's %u tiles",
                     d->size_bytes - offset, header.tile_count);
    }
    return status;
}
