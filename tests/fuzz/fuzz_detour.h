// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// fuzz_detour.h: a file of Detour's tiles, read and imported to the end. What is not refused makes
// a mesh that answers and is exported, and all refusals have a code and a sentence. fuzz_mset.c and
// fuzz_mmap.c do so.

#pragma once

#include "proto/base/status.h"
#include "proto/detour/detour.h"
#include "proto/exports/exports.h"
#include "tests/fuzz/ask.h"
#include "tests/unit/proto/detour/made_tiles.h"

#include <math.h>
#include <stdlib.h>

#define FUZZ_DETOUR_TILES 8u

static inline bool is_refusal(nav_status status)
{
    return status == NAV_BAD_BLOB || status == NAV_VERTEX_NOT_FINITE ||
           status == NAV_VERTEX_OUT_OF_RANGE || status == PROTO_BAD_GEOMETRY ||
           status == NAV_MESH_EMPTY || status == NAV_GEOMETRY_TOO_LARGE ||
           status == NAV_INVALID_FIELD;
}

// As a file of every format, whole and within bounds.
static inline void export_import(const nav_mesh *mesh, const proto_detour_numbers *numbers)
{
    proto_export what = {.mesh = "fuzz", .version = 1, .nav = mesh};
    for (int i = 0; i < 2 * PROTO_EXPORT_COUNT; i++) {
        nav_arena scratch;
        nav_error err = {0};
        proto_writer w;
        nav_arena_init(&scratch, NULL, 0);
        proto_writer_init(&w);
        what.has_bounds = i >= PROTO_EXPORT_COUNT;
        for (int axis = 0; axis < 3; axis++) {
            what.min[axis] = numbers->min[axis];
            what.max[axis] = (numbers->min[axis] + numbers->max[axis]) / 2;
        }
        const nav_status status = proto_export_write(
            &w, &what, (proto_export_format)(i % PROTO_EXPORT_COUNT), &scratch, &err);
        NAV_ASSERT(status == NAV_OK || (status == PROTO_NOT_EXPORTABLE && err.at[0] != '\0'));
        proto_writer_free(&w);
        nav_arena_free(&scratch);
    }
}

static inline void ask_import(const proto_detour *d, const nav_config *config)
{
    nav_arena scratch, result;
    nav_blob blobs[FUZZ_DETOUR_TILES] = {{0}};
    const proto_detour_numbers numbers = proto_detour_count(d);
    const uint32_t count = numbers.tiles < FUZZ_DETOUR_TILES ? numbers.tiles : FUZZ_DETOUR_TILES;
    nav_arena_init(&scratch, NULL, 0);
    nav_arena_init(&result, NULL, 0);
    for (uint32_t i = 0; i < count; i++) {
        NAV_ASSERT(proto_detour_tile(d, i, config, NULL, &scratch, &result, &blobs[i], NULL,
                                     NULL) == NAV_OK);
    }
    nav_mesh *mesh = NULL;
    nav_scratch *asking = NULL;
    const nav_status status = nav_mesh_create(blobs, count, config, NULL, &mesh, NULL, NULL);
    NAV_ASSERT(status == NAV_OK && nav_scratch_create(NULL, &asking) == NAV_OK);
    fuzz_ask(mesh, asking, numbers.min, numbers.max, false);
    export_import(mesh, &numbers);
    nav_scratch_destroy(asking);
    nav_mesh_release(mesh);
    nav_arena_free(&scratch);
    nav_arena_free(&result);
}

static inline int fuzz_detour(const uint8_t *bytes, size_t size_bytes)
{
    proto_detour *d = NULL;
    nav_arena memory;
    nav_error err = {0};
    nav_config config = nav_config_default();
    nav_arena_init(&memory, NULL, 0);
    nav_status status = proto_detour_open(bytes, size_bytes, NULL, &d, &err);
    if (status == NAV_OK) {
        status = proto_detour_settings(d, &memory, &config, &err);
    }
    if (status == NAV_OK) {
        status = proto_detour_check(d, &config, 0, NULL, &err);
    }
    NAV_ASSERT(status == NAV_OK || (is_refusal(status) && err.detail[0] != '\0'));
    if (status == NAV_OK) {
        ask_import(d, &config);
    }
    proto_detour_close(d);
    nav_arena_free(&memory);
    return 0;
}
