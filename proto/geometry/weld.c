// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// weld.c: positions without numbers to vertices, each position one vertex. Positions are one where
// their bits are, and -0 is 0.
//
// A hash table of vertices, at most half full, probed at triangular distances (Knuth, The Art of
// Computer Programming, volume 3, section 6.4). Positions are a stranger's choice, and may have
// been chosen so that they all fall on one place. So a search ends after PROBES_MAX places, which
// others never reach (half full, one in 2^64 does): such vertices are kept, each time anew.

#include "proto/geometry/geometry.h"

#include <stdlib.h>
#include <string.h>

#define TABLE_MIN 1024u
#define PROBES_MAX 64u

static uint32_t hash_of(const float position[3])
{
    uint32_t bits[3];
    memcpy(bits, position, sizeof bits);
    // Each step spreads what it is given over the upper half, which the next one brings down
    // (multiplier: Steele and Vigna, "Computationally easy, spectrally good multipliers", 2021).
    uint64_t h = (uint64_t)bits[0] << 32 | bits[1];
    h = (h ^ h >> 29) * 0xd1342543de82ef95u;
    h = (h ^ h >> 32 ^ bits[2]) * 0xd1342543de82ef95u;
    return (uint32_t)(h >> 32);
}

// The place of a position, or a free one; NAV_NONE: neither is near enough.
static uint32_t find(const proto_weld *weld, const float *vertices, const float position[3])
{
    const uint32_t mask = weld->table_size - 1;
    uint32_t place = hash_of(position) & mask;
    for (uint32_t step = 1; step <= PROBES_MAX; step++) {
        const uint32_t vertex = weld->table[place];
        if (vertex == NAV_NONE ||
            memcmp(vertices + (size_t)3 * vertex, position, 3 * sizeof(float)) == 0) {
            return place;
        }
        place = (place + step) & mask;
    }
    return NAV_NONE;
}

static nav_status grow(proto_weld *weld, const float *vertices, nav_error *err)
{
    NAV_ASSERT(weld->table_size <= UINT32_MAX / 2);
    proto_weld larger = {.table_size = weld->table_size == 0 ? TABLE_MIN : weld->table_size * 2};
    larger.table = malloc((size_t)larger.table_size * sizeof *larger.table);
    if (larger.table == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory to find equal vertices among %u",
                        weld->used);
    }
    memset(larger.table, 0xff, (size_t)larger.table_size * sizeof *larger.table);
    for (uint32_t i = 0; i < weld->table_size; i++) {
        const uint32_t vertex = weld->table[i];
        const uint32_t place =
            vertex != NAV_NONE ? find(&larger, vertices, vertices + (size_t)3 * vertex) : NAV_NONE;
        if (place != NAV_NONE) {
            larger.table[place] = vertex;
            larger.used++;
        }
    }
    free(weld->table);
    *weld = larger;
    return NAV_OK;
}

nav_status proto_weld_vertex(proto_geometry_reader *reader, proto_weld *weld, float position[3],
                             uint32_t *out, nav_error *err)
{
    nav_status status = NAV_OK;
    if (weld->used >= weld->table_size / 2) {
        status = grow(weld, reader->vertices, err);
        if (status != NAV_OK) {
            return status;
        }
    }
    for (uint32_t axis = 0; axis < 3; axis++) {
        position[axis] += 0.0f; // -0 becomes 0
    }
    const uint32_t place = find(weld, reader->vertices, position);
    if (place != NAV_NONE && weld->table[place] != NAV_NONE) {
        *out = weld->table[place];
        return NAV_OK;
    }
    *out = reader->vertex_count;
    status = proto_geometry_add_vertex(reader, position, err);
    if (status == NAV_OK && place != NAV_NONE) {
        weld->table[place] = *out;
        weld->used++;
    }
    return status;
}

void proto_weld_free(proto_weld *weld)
{
    free(weld->table);
}

_Static_assert(NAV_NONE == UINT32_MAX, "a table of 0xff bytes is free");
