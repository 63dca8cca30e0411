// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// polygon_rules.h: what must hold for the polygons of every field. Include after cmocka.h.

#pragma once

#include "tests/unit/field_builder.h"

static inline const uint32_t *row_of(const nav_polygons *mesh, uint32_t polygon)
{
    return mesh->polygon_vertices + (size_t)polygon * mesh->max_vertices;
}

static inline uint32_t size_of(const nav_polygons *mesh, uint32_t polygon)
{
    uint32_t size = 0;
    while (size < mesh->max_vertices && row_of(mesh, polygon)[size] != NAV_NONE) {
        size++;
    }
    return size;
}

static inline const int32_t *corner(const nav_polygons *mesh, uint32_t polygon, uint32_t index)
{
    return mesh->vertices[row_of(mesh, polygon)[index % size_of(mesh, polygon)]];
}

// Twice the area of the triangle; coordinates of p are doubled, so that cell centres are whole.
static inline int64_t turn_doubled(const int32_t *a, const int32_t *b, int64_t px, int64_t pz)
{
    return (int64_t)(b[2] - a[2]) * (px - 2 * (int64_t)a[0]) -
           (int64_t)(b[0] - a[0]) * (pz - 2 * (int64_t)a[2]);
}

static inline int64_t polygon_area(const nav_polygons *mesh, uint32_t polygon)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < size_of(mesh, polygon); i++) {
        const int32_t *a = corner(mesh, polygon, i), *b = corner(mesh, polygon, i + 1);
        sum += (int64_t)a[2] * b[0] - (int64_t)a[0] * b[2];
    }
    return sum;
}

static inline int64_t mesh_area(const nav_polygons *mesh)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < mesh->count; i++) {
        sum += polygon_area(mesh, i);
    }
    return sum;
}

// Every mesh must be sound: convex, wound counter-clockwise seen from above, linked both ways, rows
// filled up with NAV_NONE, no vertex without a polygon.
static inline void assert_sound(const nav_polygons *mesh)
{
    bool *used = calloc(mesh->vertex_count + 1, sizeof *used);
    for (uint32_t p = 0; p < mesh->count; p++) {
        uint32_t size = size_of(mesh, p);
        assert_true(size >= 3);
        assert_true(polygon_area(mesh, p) >= 0);
        for (uint32_t i = 0; i < mesh->max_vertices; i++) {
            size_t slot = (size_t)p * mesh->max_vertices + i;
            uint32_t across = mesh->polygon_neighbours[slot];
            if (i >= size) {
                assert_int_equal(mesh->polygon_vertices[slot], NAV_NONE);
                assert_int_equal(across, NAV_NONE);
                continue;
            }
            assert_true(mesh->polygon_vertices[slot] < mesh->vertex_count);
            used[mesh->polygon_vertices[slot]] = true;
            const int32_t *next = corner(mesh, p, i + 2);
            assert_true(turn_doubled(corner(mesh, p, i), corner(mesh, p, i + 1),
                                     2 * (int64_t)next[0], 2 * (int64_t)next[2]) >= 0);
            if (across == NAV_NONE || across >= NAV_EDGE_PORTAL) {
                continue;
            }
            assert_true(across < mesh->count && across != p);
            uint32_t twins = 0;
            for (uint32_t j = 0; j < size_of(mesh, across); j++) {
                twins += corner(mesh, across, j) == corner(mesh, p, i + 1) &&
                         corner(mesh, across, j + 1) == corner(mesh, p, i) &&
                         mesh->polygon_neighbours[(size_t)across * mesh->max_vertices + j] == p;
            }
            assert_int_equal(twins, 1);
        }
    }
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        assert_true(used[i]);
    }
    free(used);
}

static inline bool covers(const nav_polygons *mesh, uint32_t polygon, uint32_t x, uint32_t z)
{
    for (uint32_t i = 0; i < size_of(mesh, polygon); i++) {
        if (turn_doubled(corner(mesh, polygon, i), corner(mesh, polygon, i + 1), 2 * (int64_t)x + 1,
                         2 * (int64_t)z + 1) <= 0) {
            // A centre on a shared edge belongs to the side that has it going towards +x, or +z.
            const int32_t *a = corner(mesh, polygon, i), *b = corner(mesh, polygon, i + 1);
            if (turn_doubled(a, b, 2 * (int64_t)x + 1, 2 * (int64_t)z + 1) < 0 || b[0] < a[0] ||
                (b[0] == a[0] && b[2] < a[2])) {
                return false;
            }
        }
    }
    return polygon_area(mesh, polygon) > 0;
}

// With no error allowed each cell lies in exactly one polygon, and that is of the cell's region.
static inline void assert_partition(const field_fixture *f, const nav_polygons *mesh)
{
    for (uint32_t z = 0; z < f->field.depth; z++) {
        for (uint32_t x = 0; x < f->field.width; x++) {
            uint32_t column = z * f->field.width + x;
            bool has_span = f->field.first[column] < f->field.first[column + 1];
            uint32_t expected = has_span ? f->field.region[f->field.first[column]] : 0;
            uint32_t count = 0;
            for (uint32_t p = 0; p < mesh->count; p++) {
                if (covers(mesh, p, x, z)) {
                    count++;
                    assert_int_equal(mesh->regions[p], expected);
                }
            }
            assert_int_equal(count, expected != 0);
        }
    }
}
