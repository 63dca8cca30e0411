// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// export_fixture.h: a level baked for tests of exports, and its files.

#pragma once

#include "proto/exports/exports.h"
#include "tests/levels/levels.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// The mesh of a generated level under settings.
static inline nav_mesh *export_bake(level_kind kind, uint32_t size, const nav_config *config)
{
    level_mesh level = {0};
    nav_arena scratch, result;
    nav_grid grid;
    nav_mesh *mesh = NULL;
    assert_true(levels_generate(kind, size, 1, &level));
    const nav_geometry geometry = levels_geometry(&level);
    nav_arena_init(&scratch, NULL, 0);
    nav_arena_init(&result, NULL, 0);
    assert_int_equal(nav_bake_plan(&geometry, config, 0, &grid, NULL), NAV_OK);
    const uint32_t count = grid.tiles_x * grid.tiles_z;
    nav_blob *tiles = NAV_NEW_ZERO(&result, nav_blob, count);
    assert_non_null(tiles);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(nav_bake_tile(&geometry, config, &grid, NULL, i % grid.tiles_x,
                                       i / grid.tiles_x, NULL, &scratch, &result, &tiles[i], NULL,
                                       NULL),
                         NAV_OK);
    }
    assert_int_equal(nav_mesh_create(tiles, count, config, NULL, &mesh, NULL, NULL), NAV_OK);
    nav_arena_free(&scratch);
    nav_arena_free(&result);
    levels_free(&level);
    return mesh;
}

// A file, to be freed; NULL with the status where it is refused.
static inline char *export_file(const proto_export *what, proto_export_format format,
                                size_t *size_bytes, nav_error *err)
{
    proto_writer w;
    nav_arena scratch;
    nav_arena_init(&scratch, NULL, 0);
    proto_writer_init(&w);
    *err = (nav_error){0};
    const nav_status status = proto_export_write(&w, what, format, &scratch, err);
    assert_int_equal(status, err->status);
    char *bytes = status == NAV_OK ? proto_writer_take(&w, size_bytes) : NULL;
    proto_writer_free(&w);
    nav_arena_free(&scratch);
    return bytes;
}

static inline proto_export export_of(const nav_mesh *mesh)
{
    return (proto_export){.mesh = "town", .version = 3, .nav = mesh};
}
