// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// open.c: opens a tile blob: verifies everything once, so that mesh and queries need not. Counts
// are held against the bytes that are there before anything is read through them.

#include "core/tile/tile.h"

#include <math.h>
#include <string.h>

#define ALIGNMENT 16u

// ---- checksum: XXH64, written from its published description (Y. Collet, xxHash, 2012) ----

#define PRIME_1 0x9E3779B185EBCA87u
#define PRIME_2 0xC2B2AE3D27D4EB4Fu
#define PRIME_3 0x165667B19E3779F9u
#define PRIME_4 0x85EBCA77C2B2AE63u
#define PRIME_5 0x27D4EB2F165667C5u

static uint64_t rotate_left(uint64_t value, unsigned bits)
{
    return (value << bits) | (value >> (64 - bits));
}

static uint64_t read_u64(const uint8_t *bytes)
{
    uint64_t value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

static uint64_t mix(uint64_t lane, uint64_t input)
{
    return rotate_left(lane + input * PRIME_2, 31) * PRIME_1;
}

// Four lanes of 8 bytes, folded into one.
static uint64_t mix_stripes(const uint8_t *bytes, size_t stripe_count)
{
    // Four variables, so that they stay in registers.
    uint64_t a = PRIME_1 + PRIME_2, b = PRIME_2, c = 0, d = 0 - PRIME_1;
    for (size_t i = 0; i < stripe_count; ++i, bytes += 32) {
        a = mix(a, read_u64(bytes));
        b = mix(b, read_u64(bytes + 8));
        c = mix(c, read_u64(bytes + 16));
        d = mix(d, read_u64(bytes + 24));
    }
    const uint64_t lanes[4] = {a, b, c, d};
    uint64_t hash = rotate_left(lanes[0], 1) + rotate_left(lanes[1], 7) +
                    rotate_left(lanes[2], 12) + rotate_left(lanes[3], 18);
    for (int k = 0; k < 4; ++k) {
        hash = (hash ^ mix(0, lanes[k])) * PRIME_1 + PRIME_4;
    }
    return hash;
}

uint64_t nav_tile_checksum(const void *data, size_t size_bytes)
{
    const uint8_t *bytes = data;
    const uint8_t *end = bytes + size_bytes;
    uint64_t hash = size_bytes >= 32 ? mix_stripes(bytes, size_bytes / 32) : PRIME_5;
    bytes += size_bytes / 32 * 32;
    hash += size_bytes;
    for (; end - bytes >= 8; bytes += 8) {
        hash = rotate_left(hash ^ mix(0, read_u64(bytes)), 27) * PRIME_1 + PRIME_4;
    }
    if (end - bytes >= 4) {
        uint32_t word;
        memcpy(&word, bytes, sizeof word);
        hash = rotate_left(hash ^ (word * PRIME_1), 23) * PRIME_2 + PRIME_3;
        bytes += 4;
    }
    for (; bytes < end; ++bytes) {
        hash = rotate_left(hash ^ (*bytes * PRIME_5), 11) * PRIME_1;
    }
    hash = (hash ^ (hash >> 33)) * PRIME_2;
    hash = (hash ^ (hash >> 29)) * PRIME_3;
    return hash ^ (hash >> 32);
}

// ---- layout ----

// Size of a section's content, without the gap after it.
static uint64_t section_bytes(const nav_tile_header *header, int section)
{
    switch (section) {
    case NAV_TILE_VERTICES:
        return header->vertex_count * (uint64_t)sizeof(int32_t[3]);
    case NAV_TILE_POLYGONS:
        return header->polygon_count * (uint64_t)sizeof(nav_tile_polygon);
    case NAV_TILE_CORNERS:
    case NAV_TILE_NEIGHBOURS:
        return header->corner_count * (uint64_t)sizeof(uint32_t);
    case NAV_TILE_DETAIL_VERTICES:
        return header->detail_vertex_count * (uint64_t)sizeof(float[3]);
    case NAV_TILE_DETAIL_TRIANGLES:
        return header->detail_triangle_count * (uint64_t)sizeof(uint16_t[3]);
    default:
        return header->node_count * (uint64_t)sizeof(nav_tile_node);
    }
}

void nav_tile_layout(nav_tile_header *header)
{
    uint64_t at = sizeof *header;
    for (int i = 0; i < NAV_TILE_SECTIONS; ++i) {
        header->offsets[i] = at;
        at += (section_bytes(header, i) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }
    header->size_bytes = at + header->switch_bytes;
}

uint64_t nav_tile_switches_bytes(const nav_tile_switches *switches, uint32_t polygon_count)
{
    const uint64_t bytes = sizeof *switches + switches->id_count * (uint64_t)sizeof(nav_name) +
                           (switches->set_count + UINT64_C(1)) * sizeof(uint32_t) +
                           switches->entry_count * (uint64_t)sizeof(uint16_t) +
                           polygon_count * (uint64_t)sizeof(uint16_t);
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static const nav_tile_switches *switches_of(const nav_tile_header *header)
{
    const char *end = (const char *)header + header->size_bytes;
    return (const void *)(end - header->switch_bytes);
}

nav_tile nav_tile_view(const void *bytes)
{
    const nav_tile_header *header = bytes;
    const char *base = bytes;
    nav_tile tile = {
        .header = header,
        .vertices = (const int32_t(*)[3])(const void *)(base + header->offsets[NAV_TILE_VERTICES]),
        .polygons = (const void *)(base + header->offsets[NAV_TILE_POLYGONS]),
        .corners = (const void *)(base + header->offsets[NAV_TILE_CORNERS]),
        .neighbours = (const void *)(base + header->offsets[NAV_TILE_NEIGHBOURS]),
        .detail_vertices =
            (const float(*)[3])(const void *)(base + header->offsets[NAV_TILE_DETAIL_VERTICES]),
        .detail_triangles =
            (const uint16_t(*)[3])(const void *)(base + header->offsets[NAV_TILE_DETAIL_TRIANGLES]),
        .nodes = (const void *)(base + header->offsets[NAV_TILE_NODES]),
    };
    if (header->switch_bytes > 0) {
        tile.switches = switches_of(header);
        tile.switch_ids = (const char(*)[NAV_NAME_MAX + 1])(const void *)(tile.switches + 1);
        tile.set_first = (const void *)(tile.switch_ids + tile.switches->id_count);
        tile.set_entries = (const void *)(tile.set_first + tile.switches->set_count + 1);
        tile.polygon_sets = tile.set_entries + tile.switches->entry_count;
    }
    return tile;
}

// ---- verification: each function trusts what the ones before it have shown ----

// False for NaN as well.
static bool in_world(float coordinate)
{
    return fabsf(coordinate) <= NAV_TILE_COORDINATE_MAX;
}

// Whether the counts of the section of switches are those of its size.
static bool switches_fit(const nav_tile_header *header)
{
    const nav_tile_switches *switches = switches_of(header);
    return header->switch_bytes == 0 ||
           (header->switch_bytes >= sizeof *switches && header->switch_bytes % ALIGNMENT == 0 &&
            nav_tile_switches_bytes(switches, header->polygon_count) == header->switch_bytes);
}

static nav_status check_frame(nav_blob blob, nav_error *err)
{
    if ((uintptr_t)blob.bytes % 8 != 0) {
        return nav_fail(err, NAV_BAD_BLOB, "the tile does not begin at a multiple of 8 bytes");
    }
    if (blob.bytes == NULL || blob.size_bytes < sizeof(nav_tile_header)) {
        return nav_fail(err, NAV_BAD_BLOB, "%zu bytes are too few for a tile's header",
                        blob.size_bytes);
    }
    const nav_tile_header *header = blob.bytes;
    if (memcmp(header->magic, "NAVT", 4) != 0) {
        return nav_fail(err, NAV_BAD_BLOB, "the bytes do not begin as a tile does");
    }
    if (header->version != NAV_TILE_VERSION) {
        return nav_fail(err, NAV_BAD_BLOB, "the tile has format version %u, this library reads %u",
                        header->version, NAV_TILE_VERSION);
    }
    nav_tile_header expected = *header;
    nav_tile_layout(&expected);
    if (header->size_bytes != blob.size_bytes || expected.size_bytes != blob.size_bytes) {
        return nav_fail(err, NAV_BAD_BLOB, "the tile's counts do not fit its %zu bytes",
                        blob.size_bytes);
    }
    if (memcmp(header->offsets, expected.offsets, sizeof expected.offsets) != 0) {
        return nav_fail(err, NAV_BAD_BLOB, "the tile's sections are not where its counts put them");
    }
    if (!switches_fit(header)) {
        return nav_fail(err, NAV_BAD_BLOB, "the tile's switches do not fit its %zu bytes",
                        blob.size_bytes);
    }
    const size_t covered = offsetof(nav_tile_header, tile_x);
    if (header->checksum !=
        nav_tile_checksum((const char *)blob.bytes + covered, blob.size_bytes - covered)) {
        return nav_fail(err, NAV_BAD_BLOB, "the tile's checksum is wrong: its bytes were changed");
    }
    return NAV_OK;
}

static nav_status check_header(const nav_tile_header *header, nav_error *err)
{
    const float sizes[2] = {header->cell_size, header->cell_height};
    const float agent[3] = {header->agent_radius, header->agent_height, header->agent_max_climb};
    bool valid = header->tile_x < header->tiles_x && header->tile_z < header->tiles_z &&
                 header->tiles_x <= NAV_GRID_SIDE_CELLS_MAX &&
                 header->tiles_z <= NAV_GRID_SIDE_CELLS_MAX &&
                 header->tile_cells <= NAV_GRID_SIDE_CELLS_MAX;
    for (int i = 0; i < 2; ++i) {
        valid = valid && sizes[i] > 0.0f && in_world(sizes[i]);
    }
    for (int i = 0; i < 3; ++i) {
        valid = valid && in_world(header->grid_min[i]) && agent[i] >= 0.0f && in_world(agent[i]);
    }
    if (!valid) {
        return nav_fail(err, NAV_BAD_BLOB, "the tile's header has a value that cannot be");
    }
    if (header->polygon_count == 0 || header->polygon_count > NAV_EDGE_PORTAL / 2 ||
        header->node_count != 2 * header->polygon_count - 1) {
        return nav_fail(err, NAV_BAD_BLOB, "%u polygons and %u tree nodes do not fit each other",
                        header->polygon_count, header->node_count);
    }
    return NAV_OK;
}

static nav_status check_gaps(const nav_tile_header *header, nav_error *err)
{
    const uint8_t *bytes = (const uint8_t *)header;
    for (int i = 0; i < NAV_TILE_SECTIONS; ++i) {
        uint64_t end = i + 1 < NAV_TILE_SECTIONS ? header->offsets[i + 1]
                                                 : header->size_bytes - header->switch_bytes;
        for (uint64_t at = header->offsets[i] + section_bytes(header, i); at < end; ++at) {
            if (bytes[at] != 0) {
                return nav_fail(err, NAV_BAD_BLOB, "byte %llu between sections is not zero",
                                (unsigned long long)at);
            }
        }
    }
    return NAV_OK;
}

static nav_status check_vertices(const nav_tile *tile, nav_error *err)
{
    for (uint32_t i = 0; i < tile->header->vertex_count; ++i) {
        float world[3];
        nav_tile_vertex(tile->header, tile->vertices[i], world);
        for (int axis = 0; axis < 3; ++axis) {
            int32_t cell = tile->vertices[i][axis];
            if (cell < -NAV_TILE_CELLS_MAX || cell > NAV_TILE_CELLS_MAX || !in_world(world[axis])) {
                return nav_fail(err, NAV_BAD_BLOB, "vertex %u is too far out", i);
            }
        }
    }
    for (uint32_t i = 0; i < tile->header->detail_vertex_count; ++i) {
        const float *world = tile->detail_vertices[i];
        if (!in_world(world[0]) || !in_world(world[1]) || !in_world(world[2])) {
            return nav_fail(err, NAV_BAD_BLOB, "detail vertex %u is not finite or too far out", i);
        }
    }
    return NAV_OK;
}

static nav_status check_corners(const nav_tile *tile, nav_error *err)
{
    const nav_tile_header *header = tile->header;
    for (uint32_t i = 0; i < header->corner_count; ++i) {
        uint32_t neighbour = tile->neighbours[i];
        if (tile->corners[i] >= header->vertex_count) {
            return nav_fail(err, NAV_BAD_BLOB, "corner %u names vertex %u of %u", i,
                            tile->corners[i], header->vertex_count);
        }
        if (neighbour >= header->polygon_count && neighbour != NAV_NONE &&
            (neighbour & ~3u) != NAV_EDGE_PORTAL) {
            return nav_fail(err, NAV_BAD_BLOB, "edge %u names polygon %u of %u", i, neighbour,
                            header->polygon_count);
        }
    }
    return NAV_OK;
}

static bool detail_in_range(const nav_tile *tile, const nav_tile_polygon *polygon)
{
    uint64_t vertices = (uint64_t)polygon->corner_count + polygon->detail_vertex_count;
    for (uint32_t i = 0; i < polygon->detail_triangle_count; ++i) {
        const uint16_t *triangle = tile->detail_triangles[polygon->detail_triangle_first + i];
        if (triangle[0] >= vertices || triangle[1] >= vertices || triangle[2] >= vertices) {
            return false;
        }
    }
    return true;
}

// Polygons take corners and detail one after the other, and take all of them.
static nav_status check_polygons(const nav_tile *tile, nav_error *err)
{
    const nav_tile_header *header = tile->header;
    uint64_t corners = 0;
    uint64_t detail_vertices = 0;
    uint64_t detail_triangles = 0;
    for (uint32_t i = 0; i < header->polygon_count; ++i) {
        const nav_tile_polygon *polygon = &tile->polygons[i];
        if (polygon->corner_first != corners || polygon->detail_vertex_first != detail_vertices ||
            polygon->detail_triangle_first != detail_triangles || polygon->corner_count < 3 ||
            polygon->corner_count > NAV_POLYGON_VERTICES_MAX || polygon->area == NAV_AREA_NONE ||
            polygon->zero != 0) {
            return nav_fail(err, NAV_BAD_BLOB, "polygon %u has a value that cannot be", i);
        }
        corners += polygon->corner_count;
        detail_vertices += polygon->detail_vertex_count;
        detail_triangles += polygon->detail_triangle_count;
        if (corners > header->corner_count || detail_vertices > header->detail_vertex_count ||
            detail_triangles > header->detail_triangle_count || !detail_in_range(tile, polygon)) {
            return nav_fail(err, NAV_BAD_BLOB, "polygon %u reaches outside its tile", i);
        }
    }
    if (corners != header->corner_count || detail_vertices != header->detail_vertex_count ||
        detail_triangles != header->detail_triangle_count) {
        return nav_fail(err, NAV_BAD_BLOB, "the polygons leave corners or detail unused");
    }
    return NAV_OK;
}

// A node's own members: what does not depend on other nodes.
static bool node_in_range(const nav_tile *tile, uint32_t index)
{
    const nav_tile_node *node = &tile->nodes[index];
    for (int axis = 0; axis < 3; ++axis) {
        if (!in_world(node->min[axis]) || !in_world(node->max[axis]) ||
            node->min[axis] > node->max[axis]) {
            return false;
        }
    }
    if (node->polygon == NAV_NONE) {
        return node->end > index + 2 && node->end <= tile->header->node_count;
    }
    return node->polygon < tile->header->polygon_count && node->end == index + 1;
}

// Walks the tree as a query does, but with each step checked: two children that fill their parent
// exactly, and no deeper than a query's stack.
static nav_status check_tree(const nav_tile *tile, nav_error *err)
{
    uint32_t ends[NAV_TILE_DEPTH_MAX]; // of the inner nodes around this one, outermost first
    int depth = 0;
    for (uint32_t i = 0; i < tile->header->node_count; ++i) {
        while (depth > 0 && ends[depth - 1] == i) {
            --depth;
        }
        const nav_tile_node *node = &tile->nodes[i];
        uint32_t limit = depth > 0 ? ends[depth - 1] : tile->header->node_count;
        bool valid = node_in_range(tile, i) && (i == 0 ? node->end == limit : node->end <= limit);
        if (valid && node->polygon == NAV_NONE) {
            uint32_t right = tile->nodes[i + 1].end;
            valid = depth < NAV_TILE_DEPTH_MAX && right > i + 1 && right < node->end &&
                    tile->nodes[right].end == node->end;
            ends[depth < NAV_TILE_DEPTH_MAX ? depth : 0] = node->end;
            depth += depth < NAV_TILE_DEPTH_MAX;
        }
        if (!valid) {
            return nav_fail(err, NAV_BAD_BLOB, "node %u of the bounding-volume tree is wrong", i);
        }
    }
    return NAV_OK;
}

// Ids are checked to the last byte, so that equal tiles have equal bytes.
static bool id_in_range(const nav_tile *tile, uint32_t index)
{
    const char *id = tile->switch_ids[index];
    bool ended = false, valid = id[0] != '\0' && id[NAV_NAME_MAX] == '\0';
    for (int i = 0; i < NAV_NAME_MAX; ++i) {
        ended = ended || id[i] == '\0';
        valid = valid && (!ended || id[i] == '\0');
    }
    return valid && (index == 0 || strcmp(tile->switch_ids[index - 1], id) < 0);
}

static bool sets_in_range(const nav_tile *tile)
{
    const nav_tile_switches *s = tile->switches;
    bool valid =
        s->zero == 0 && tile->set_first[0] == 0 && tile->set_first[s->set_count] == s->entry_count;
    for (uint32_t i = 0; valid && i < s->set_count; ++i) {
        valid =
            tile->set_first[i] < tile->set_first[i + 1] && tile->set_first[i + 1] <= s->entry_count;
        for (uint32_t k = tile->set_first[i]; valid && k < tile->set_first[i + 1]; ++k) {
            valid = tile->set_entries[k] < s->id_count &&
                    (k == tile->set_first[i] || tile->set_entries[k - 1] < tile->set_entries[k]);
        }
    }
    return valid;
}

// Their counts fit the section's size (check_frame).
static nav_status check_switches(const nav_tile *tile, nav_error *err)
{
    const nav_tile_header *header = tile->header;
    const nav_tile_switches *s = tile->switches;
    if (header->switch_bytes == 0) {
        return NAV_OK;
    }
    bool valid = s->id_count > 0 && s->id_count <= NAV_SWITCHES_MAX && s->set_count > 0 &&
                 s->set_count <= UINT16_MAX && sets_in_range(tile);
    for (uint32_t i = 0; valid && i < s->id_count; ++i) {
        valid = id_in_range(tile, i);
    }
    for (uint32_t i = 0; valid && i < header->polygon_count; ++i) {
        valid = tile->polygon_sets[i] <= s->set_count;
    }
    const uint8_t *end = (const uint8_t *)header + header->size_bytes;
    for (const uint8_t *at = (const uint8_t *)(tile->polygon_sets + header->polygon_count);
         valid && at < end; ++at) {
        valid = *at == 0;
    }
    return valid ? NAV_OK : nav_fail(err, NAV_BAD_BLOB, "the tile's switches are wrong");
}

nav_status nav_tile_check_polygons(const nav_tile *tile, nav_error *err)
{
    nav_status status = check_header(tile->header, err);
    NAV_IF_OK(status, check_vertices(tile, err));
    NAV_IF_OK(status, check_corners(tile, err));
    return status == NAV_OK ? check_polygons(tile, err) : status;
}

nav_status nav_tile_open(nav_blob blob, nav_tile *out, nav_error *err)
{
    nav_status status = check_frame(blob, err);
    if (status != NAV_OK) {
        return status;
    }
    nav_tile tile = nav_tile_view(blob.bytes);
    if ((status = nav_tile_check_polygons(&tile, err)) != NAV_OK ||
        (status = check_gaps(tile.header, err)) != NAV_OK ||
        (status = check_tree(&tile, err)) != NAV_OK ||
        (status = check_switches(&tile, err)) != NAV_OK) {
        return status;
    }
    *out = tile;
    return NAV_OK;
}
