// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// landmarks.c: how far everything is from a few positions far apart, so that searches know what
// lies in the way. Goldberg and Harrelson, "Computing the shortest path: A* search meets graph
// theory", 2005.
//
//      landmark o- - - - - - a         No way from a to b is shorter than the difference of their
//                `- - - - - - - - - b  distances from a landmark, whatever stands between them.
//
// Distances are exact ones in plan view over all ground at cost 1 and over links both ways
// (query/search/polyanya/geodesic.c), so that no filter makes a way shorter than they say. Each
// turning vertex has one from each landmark, as a number of 16 bits, in units of the longest one.
//
// FORMAT of the blob, version 4, little-endian:
//
//   offset  size  what
//        0     4  magic "NAVL"
//        4     4  version, 4
//        8     8  checksum: XXH64 with seed 0 of everything from byte 16 on
//       16     8  of which mesh: nav_landmarks_fingerprint
//       24     4  turning vertices P
//       28     4  unit, world units                                              float
//       32 2 L P  distances of each turning vertex from all L landmarks, in units, rounded;
//                 L, 8 or 16, follows from the size

#include "core/query/search/search.h"

#include <math.h>
#include <string.h>

// A new number where landmarks of the same mesh come out differently.
#define LANDMARKS_VERSION 4u
#define UNITS_MAX 65535.0f
// Ground that is a smaller part of the mesh has no landmarks: its ways are short.
#define GROUND_DIVISOR 16u
// Smaller meshes have half as many landmarks, as ways are short there. So have those that would
// hold more than so many halves of their tiles' bytes with all of them.
#define SMALL_POLYGONS 512u
#define HALVES_MAX 5u

typedef struct blob_header {
    char magic[4];
    uint32_t version;
    uint64_t checksum;
    uint64_t fingerprint;
    uint32_t turning_vertex_count;
    float unit;
} blob_header;

_Static_assert(sizeof(blob_header) == 32, "the header is packed as in FORMAT");

static uint32_t count_for(const nav_mesh *mesh)
{
    const uint64_t all =
        (uint64_t)mesh->turning_vertex_count * NAV_LANDMARKS_MAX * sizeof(uint16_t);
    const uint64_t held = mesh->size_bytes + mesh->locate.block_bytes + all;
    const bool fits = held * 2 <= mesh->tile_bytes * HALVES_MAX;
    return mesh->stats.polygons >= SMALL_POLYGONS && fits ? NAV_LANDMARKS_MAX : NAV_LANDMARK_LANES;
}

static size_t rows_bytes(const nav_mesh *mesh, uint32_t count)
{
    return (size_t)mesh->turning_vertex_count * count * sizeof(uint16_t);
}

static uint32_t turning_vertex_of(const nav_mesh *mesh, uint32_t portal, int side)
{
    return mesh->portal_turning_vertices[portal][side] & NAV_TURNING_NUMBER;
}

// A hash of everything the distances depend on: portals, links, and the method.
uint64_t nav_landmarks_fingerprint(const nav_mesh *mesh)
{
    uint64_t hash =
        nav_tile_checksum(mesh->portals, (size_t)mesh->portal_count * sizeof *mesh->portals);
    hash = (hash ^ LANDMARKS_VERSION) * UINT64_C(0x9e3779b97f4a7c15);
    for (uint32_t i = 0; i < mesh->stats.links; ++i) {
        const float cost = mesh->links[i].has_cost ? mesh->links[i].cost : -1.0f;
        uint32_t bits;
        memcpy(&bits, &cost, sizeof bits);
        hash = (hash ^ bits) * UINT64_C(0x9e3779b97f4a7c15);
    }
    return hash;
}

// ---- making the tables ----

typedef struct maker {
    const nav_mesh *mesh;
    nav_cancel cancel;
    nav_arena *scratch;
    nav_geodesic *geodesic;
    float (*ends)[2]; // of the last flood, by portal
    float *distances; // of the last flood, by turning vertex
    float *nearest;   // by turning vertex: from the nearest landmark of its ground so far
    bool *done;       // by turning vertex
    bool has_gaps;    // the last flood may have passed ground by
    uint32_t count;   // of landmarks
    float *table;     // their distances, by turning vertex
} maker;

// A position on the mesh at a turning vertex.
static nav_location location_of(const nav_mesh *mesh, uint32_t turning_vertex)
{
    for (uint32_t i = 0; i < mesh->edge_portal_count; ++i) {
        for (int side = 0; side < 2; ++side) {
            if (turning_vertex_of(mesh, i, side) == turning_vertex) {
                const nav_portal *portal = &mesh->portals[i];
                const float *at =
                    mesh->vertices[side == 0 ? portal->left_vertex : portal->right_vertex];
                return (nav_location){.polygon = portal->from, .position = {at[0], at[1], at[2]}};
            }
        }
    }
    return (nav_location){.polygon = NAV_NONE};
}

// Distances of all turning vertices from one of them.
static nav_status flood(maker *m, uint32_t from)
{
    const nav_mesh *mesh = m->mesh;
    NAV_ASSERT(from < mesh->turning_vertex_count); // a flood reaches at least where it begins
    const nav_arena_mark mark = nav_arena_save(m->scratch);
    const nav_location source = location_of(mesh, from);
    const nav_status status =
        nav_geodesic_flood(m->geodesic, m->scratch, &source, NULL, m->ends, &m->has_gaps);
    nav_arena_restore(m->scratch, mark);
    for (uint32_t i = 0; i < mesh->turning_vertex_count; ++i) {
        m->distances[i] = INFINITY;
    }
    for (uint32_t i = 0; i < mesh->edge_portal_count && status == NAV_OK; ++i) {
        for (int side = 0; side < 2; ++side) {
            m->distances[turning_vertex_of(mesh, i, side)] = m->ends[i][side];
        }
    }
    nav_cancel_poll(&m->cancel, NAV_CANCEL_INTERVAL);
    return status != NAV_OK ? status : nav_cancel_status(&m->cancel);
}

// The turning vertex of this ground that is farthest from all landmarks so far.
static uint32_t farthest(const maker *m)
{
    uint32_t best = NAV_NONE;
    for (uint32_t i = 0; i < m->mesh->turning_vertex_count; ++i) {
        if (m->distances[i] < INFINITY && (best == NAV_NONE || m->nearest[i] > m->nearest[best])) {
            best = i;
        }
    }
    return best;
}

// The landmarks of all ground that hangs together with a turning vertex.
static nav_status make_ground(maker *m, uint32_t turning_vertex)
{
    nav_status status = flood(m, turning_vertex);
    bool has_gaps = m->has_gaps;
    for (uint32_t i = 0; i < m->mesh->turning_vertex_count; ++i) {
        m->nearest[i] = m->distances[i];
        m->done[i] = m->done[i] || m->distances[i] < INFINITY;
    }
    for (uint32_t k = 0; k < m->count && status == NAV_OK && !has_gaps; ++k) {
        status = flood(m, farthest(m));
        has_gaps = m->has_gaps;
        for (uint32_t i = 0; i < m->mesh->turning_vertex_count; ++i) {
            if (m->distances[i] < INFINITY) {
                m->table[(size_t)i * m->count + k] = m->distances[i];
                // The first flood was from a position like any other.
                m->nearest[i] =
                    k == 0 || m->distances[i] < m->nearest[i] ? m->distances[i] : m->nearest[i];
            }
        }
    }
    if (has_gaps) {
        // Distances that may be too large bound nothing: a ground of which one flood has passed a
        // part by keeps none.
        for (uint32_t i = 0; i < m->mesh->turning_vertex_count; ++i) {
            if (m->nearest[i] < INFINITY || m->distances[i] < INFINITY) {
                memset(m->table + (size_t)i * m->count, 0, m->count * sizeof *m->table);
            }
        }
    }
    return status;
}

// One turning vertex a component that is large enough.
static nav_status make_grounds(maker *m)
{
    const nav_mesh *mesh = m->mesh;
    uint32_t *sizes = NAV_NEW_ZERO(m->scratch, uint32_t, (size_t)mesh->stats.components + 1);
    if (sizes == NULL) {
        return NAV_NO_MEMORY;
    }
    for (uint32_t i = 0; i < mesh->stats.polygons; ++i) {
        ++sizes[mesh->records[i].component];
    }
    nav_status status = NAV_OK;
    for (uint32_t i = 0; i < mesh->edge_portal_count && status == NAV_OK; ++i) {
        const uint32_t turning_vertex = turning_vertex_of(mesh, i, 0);
        if (!m->done[turning_vertex] && sizes[mesh->records[mesh->portals[i].from].component] >=
                                            mesh->stats.polygons / GROUND_DIVISOR) {
            status = make_ground(m, turning_vertex);
        }
    }
    return status;
}

static void write_blob(const maker *m, blob_header *header)
{
    const nav_mesh *mesh = m->mesh;
    const size_t entries = (size_t)mesh->turning_vertex_count * m->count;
    float longest = 0.0f;
    for (size_t i = 0; i < entries; ++i) {
        longest = m->table[i] > longest ? m->table[i] : longest;
    }
    *header = (blob_header){.magic = {'N', 'A', 'V', 'L'},
                            .version = LANDMARKS_VERSION,
                            .fingerprint = nav_landmarks_fingerprint(mesh),
                            .turning_vertex_count = mesh->turning_vertex_count,
                            .unit = longest / UNITS_MAX};
    uint16_t *rows = (void *)(header + 1);
    for (size_t i = 0; i < entries; ++i) {
        NAV_DCHECK(m->table[i] >= 0.0f);
        const float share = longest > 0.0f ? m->table[i] / longest : 0.0f;
        const float units = share * UNITS_MAX + 0.5f;
        rows[i] = units < UNITS_MAX ? (uint16_t)units : (uint16_t)UNITS_MAX;
    }
    header->checksum =
        nav_tile_checksum(&header->fingerprint, sizeof *header - 16 + rows_bytes(mesh, m->count));
}

nav_status nav_landmarks_make(const nav_mesh *mesh, const nav_bake_hooks *hooks, nav_arena *scratch,
                              nav_arena *result, nav_blob *out)
{
    NAV_ASSERT(scratch != result);
    NAV_ASSERT(mesh->cancel == NULL); // the mesh is whole
    const nav_arena_mark mark = nav_arena_save(scratch);
    maker m = {.mesh = mesh,
               .cancel = nav_cancel_by(hooks),
               .scratch = scratch,
               .ends = nav_arena_alloc(scratch, mesh->edge_portal_count, sizeof *m.ends),
               .distances = NAV_NEW(scratch, float, mesh->turning_vertex_count),
               .nearest = NAV_NEW(scratch, float, mesh->turning_vertex_count),
               .done = NAV_NEW_ZERO(scratch, bool, mesh->turning_vertex_count),
               .count = count_for(mesh)};
    m.table = nav_arena_alloc_zero(scratch, mesh->turning_vertex_count, m.count * sizeof *m.table);
    nav_status status = m.ends != NULL && m.distances != NULL && m.nearest != NULL &&
                                m.done != NULL && m.table != NULL
                            ? nav_geodesic_begin(mesh, &m.cancel, scratch, &m.geodesic)
                            : NAV_NO_MEMORY;
    status = status == NAV_OK ? make_grounds(&m) : status;
    const size_t size_bytes = sizeof(blob_header) + rows_bytes(mesh, m.count);
    NAV_ASSERT(m.count % NAV_LANDMARK_LANES == 0);
    NAV_ASSERT(m.count <= NAV_LANDMARKS_MAX);
    blob_header *header = status == NAV_OK ? nav_arena_alloc(result, 1, size_bytes) : NULL;
    if (header != NULL) {
        write_blob(&m, header);
        *out = (nav_blob){.bytes = header, .size_bytes = size_bytes};
    } else if (status == NAV_OK) {
        status = NAV_NO_MEMORY;
    }
    nav_arena_restore(scratch, mark);
    return status;
}

// ---- putting them into a mesh ----

// How many landmarks a blob's size says it has; 0: it is of no mesh with so many turning vertices.
// Landmarks serve even if count_for gives another number now.
static uint32_t count_of(const nav_mesh *mesh, nav_blob blob)
{
    for (uint32_t count = NAV_LANDMARKS_MAX; count > 0; count -= NAV_LANDMARK_LANES) {
        if (blob.size_bytes == sizeof(blob_header) + rows_bytes(mesh, count)) {
            return count;
        }
    }
    return 0;
}

nav_status nav_mesh_add_landmarks(nav_mesh *mesh, nav_blob blob, nav_error *err)
{
    const blob_header *header = blob.bytes;
    NAV_ASSERT(mesh->landmarks == NULL);
    if (blob.size_bytes < sizeof *header || (uintptr_t)blob.bytes % 8 != 0 ||
        memcmp(header->magic, "NAVL", 4) != 0 || header->version != LANDMARKS_VERSION) {
        return nav_fail(err, NAV_BAD_BLOB, "the bytes are no landmarks of this version");
    }
    if (header->checksum != nav_tile_checksum(&header->fingerprint, blob.size_bytes - 16)) {
        return nav_fail(err, NAV_BAD_BLOB, "the landmarks' checksum does not fit");
    }
    const uint32_t count = count_of(mesh, blob);
    if (header->turning_vertex_count != mesh->turning_vertex_count || count == 0 ||
        header->fingerprint != nav_landmarks_fingerprint(mesh) ||
        !(header->unit >= 0.0f && header->unit <= NAV_TILE_COORDINATE_MAX)) {
        return nav_fail(err, NAV_BAD_BLOB, "the landmarks are of another mesh");
    }
    const size_t bytes = rows_bytes(mesh, count);
    uint16_t *rows = mesh->allocator.alloc(mesh->allocator.user, bytes);
    if (rows == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory for the landmarks");
    }
    memcpy(rows, header + 1, bytes);
    mesh->landmarks = rows;
    mesh->landmark_count = count;
    mesh->landmark_unit = header->unit;
    mesh->stats.memory_bytes += bytes;
    return NAV_OK;
}
