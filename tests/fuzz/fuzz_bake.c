// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// fuzz_bake.c: triangles and settings through a whole bake, and every question about what it made.
// Both are drawn from the bytes, mostly near what makes sense, since nothing else would be baked. A
// refusal has a code; what is baked opens, is the same again with the triangles in another order,
// and its answers agree with each other.

#include "core/tile/tile.h"
#include "tests/fuzz/ask.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes);

#define TRIANGLES_MAX 48u
#define CELLS_MAX 2500u // of the grid; more is refused here
#define HEIGHT_CELLS_MAX 400u
#define TILES_MAX 16u
#define MEMORY_BYTES (16u << 20)

// Bytes one behind the other; zeros at the end.
typedef struct source {
    const uint8_t *bytes;
    size_t left_bytes;
} source;

static uint8_t take(source *s)
{
    if (s->left_bytes == 0) {
        return 0;
    }
    s->left_bytes--;
    return *s->bytes++;
}

static uint32_t take_below(source *s, uint32_t count)
{
    return take(s) % count;
}

// A float: one of the usual ones, or, where the byte says so, any at all.
static float take_float(source *s, float least, float most)
{
    const uint8_t byte = take(s);
    if (byte == 0xff) {
        uint8_t raw[4];
        float value;
        for (int i = 0; i < 4; i++) {
            raw[i] = take(s);
        }
        memcpy(&value, raw, sizeof value);
        return value;
    }
    return least + (most - least) * (float)byte / 254.0f;
}

static void take_point(source *s, float out[3])
{
    out[0] = take_float(s, -8.0f, 8.0f);
    out[1] = take_float(s, -2.0f, 4.0f);
    out[2] = take_float(s, -8.0f, 8.0f);
}

// ---- settings ----

typedef struct lists {
    nav_area areas[3];
    nav_volume volumes[3];
    float outline[5][2];
    nav_link links[2];
    float seeds[1][3];
} lists;

static void take_volumes(source *s, nav_config *config, lists *l)
{
    config->volumes = l->volumes;
    config->volume_count = take_below(s, 4);
    for (uint32_t i = 0; i < config->volume_count; i++) {
        nav_volume *volume = &l->volumes[i];
        float size[3];
        volume->shape = (nav_volume_shape)take_below(s, 3);
        volume->area = (uint8_t)take_below(s, 3);
        take_point(s, volume->min);
        take_point(s, size);
        for (int axis = 0; axis < 3; axis++) {
            volume->max[axis] = volume->min[axis] + fabsf(size[axis]);
        }
        volume->radius = take_float(s, 0.1f, 3.0f);
        volume->points = (const float(*)[2])l->outline;
        volume->point_count = 5;
    }
    for (size_t i = 0; i < 5; i++) {
        l->outline[i][0] = take_float(s, -6.0f, 6.0f);
        l->outline[i][1] = take_float(s, -6.0f, 6.0f);
    }
}

static void take_ways(source *s, nav_config *config, lists *l)
{
    config->links = l->links;
    config->link_count = take_below(s, 3);
    for (uint32_t i = 0; i < config->link_count; i++) {
        nav_link *link = &l->links[i];
        take_point(s, link->start);
        take_point(s, link->end);
        link->radius = take_float(s, 0.1f, 3.0f);
        link->area = (uint8_t)(1 + take_below(s, 2));
        link->bidirectional = take_below(s, 2) == 1;
        link->has_cost = take_below(s, 2) == 1;
        link->cost = take_float(s, 0.0f, 20.0f);
        link->id[0] = (char)('a' + i);
    }
    config->seeds = (const float(*)[3])l->seeds;
    config->seed_count = take_below(s, 8) == 0 ? 1 : 0;
    take_point(s, l->seeds[0]);
}

static void take_switches(source *s, nav_config *config)
{
    const uint8_t bits = take(s), more = take(s);
    static const uint32_t tiles[] = {0, 16, 24, NAV_TILE_CELLS_AUTO};
    config->partition = (nav_partition)(bits % 3);
    config->filter_low_hanging = (bits & 4) == 0;
    config->filter_ledges = (bits & 8) == 0;
    config->filter_low_height = (bits & 16) == 0;
    config->detail = (bits & 32) == 0;
    config->area_median = (bits & 64) != 0;
    config->volumes_reach_up = (bits & 128) != 0;
    config->tile_cells = tiles[more & 3];
    config->low_height_area = (uint8_t)((more & 12) == 4 ? 2 : 0);
    config->low_height_single = (more & 16) != 0;
    config->has_bounds = (more & 224) == 32;
}

static nav_config take_config(source *s, lists *l)
{
    nav_config config = nav_config_default();
    memset(l, 0, sizeof *l);
    l->areas[0] = (nav_area){.name = "none", .cost = 1.0f};
    l->areas[1] = (nav_area){.name = "ground", .cost = 1.0f};
    l->areas[2] = (nav_area){.name = "mud", .cost = take_float(s, 0.5f, 5.0f)};
    config.areas = l->areas;
    config.area_count = 3;
    config.cell_size = take_float(s, 0.4f, 1.4f);
    config.cell_height = take_float(s, 0.1f, 0.5f);
    config.agent_radius = take_float(s, 0.0f, 1.0f);
    config.agent_height = take_float(s, 0.5f, 2.5f);
    config.agent_max_climb = take_float(s, 0.0f, 1.0f);
    config.agent_max_slope = take_float(s, 0.0f, 89.0f);
    config.region_min_size = take_below(s, 8);
    config.region_merge_size = take_below(s, 24);
    config.edge_max_length = take_float(s, 0.0f, 12.0f);
    config.edge_split = (nav_edge_split)(config.region_merge_size % 4);
    config.edge_max_error = take_float(s, 0.1f, 3.0f);
    config.polygon_max_vertices = 3 + take_below(s, NAV_POLYGON_VERTICES_MAX - 2);
    config.detail_sample_distance = take_float(s, 0.9f, 6.0f);
    config.detail_max_error = take_float(s, 0.1f, 3.0f);
    config.low_height_min = take_float(s, 0.1f, 1.0f);
    take_switches(s, &config);
    for (int axis = 0; axis < 3; axis++) {
        config.bounds_min[axis] = take_float(s, -8.0f, 0.0f);
        config.bounds_max[axis] = take_float(s, 1.0f, 8.0f);
    }
    take_volumes(s, &config, l);
    take_ways(s, &config, l);
    return config;
}

// ---- geometry ----

typedef struct soup {
    float vertices[3 * TRIANGLES_MAX][3];
    uint32_t triangles[TRIANGLES_MAX][3];
    uint8_t areas[TRIANGLES_MAX];
    nav_geometry geometry;
} soup;

static void add_triangle(soup *m, const float corners[3][3], uint8_t area)
{
    const uint32_t triangle = m->geometry.triangle_count++;
    for (uint32_t i = 0; i < 3; i++) {
        memcpy(m->vertices[3 * triangle + i], corners[i], sizeof corners[i]);
        m->triangles[triangle][i] = 3 * triangle + i;
    }
    m->areas[triangle] = area;
    m->geometry.vertex_count += 3;
}

// A rectangle in plan view, at a height of its own at either end: floors, ramps and roofs.
static void add_slope(soup *m, source *s, uint8_t area)
{
    float low[3], size[3];
    take_point(s, low);
    take_point(s, size);
    const float x = low[0] + fabsf(size[0]), z = low[2] + fabsf(size[2]);
    const float rise = take_below(s, 2) == 0 ? 0.0f : size[1];
    const float corners[4][3] = {{low[0], low[1], low[2]},
                                 {low[0], low[1], z},
                                 {x, low[1] + rise, z},
                                 {x, low[1] + rise, low[2]}};
    const float first[3][3] = {{corners[0][0], corners[0][1], corners[0][2]},
                               {corners[1][0], corners[1][1], corners[1][2]},
                               {corners[2][0], corners[2][1], corners[2][2]}};
    const float second[3][3] = {{corners[0][0], corners[0][1], corners[0][2]},
                                {corners[2][0], corners[2][1], corners[2][2]},
                                {corners[3][0], corners[3][1], corners[3][2]}};
    add_triangle(m, first, area);
    add_triangle(m, second, area);
}

static void take_geometry(source *s, soup *m)
{
    memset(&m->geometry, 0, sizeof m->geometry);
    const bool has_areas = take_below(s, 2) == 1;
    while (s->left_bytes > 0 && m->geometry.triangle_count + 2 <= TRIANGLES_MAX) {
        const uint8_t kind = take(s);
        const uint8_t area = (uint8_t)(kind % 8 == 7 ? 2 : 1);
        if ((kind & 16) != 0) {
            float corners[3][3];
            for (int i = 0; i < 3; i++) {
                take_point(s, corners[i]);
            }
            add_triangle(m, (const float(*)[3])corners, area);
        } else {
            add_slope(m, s, area);
        }
        if (kind == 0xfe && m->geometry.triangle_count > 0) {
            m->triangles[m->geometry.triangle_count - 1][0] = take(s); // which may be none
        }
    }
    m->geometry.vertices = &m->vertices[0][0];
    m->geometry.triangles = &m->triangles[0][0];
    m->geometry.triangle_areas = has_areas ? m->areas : NULL;
}

// ---- the bake ----

typedef struct baking {
    const nav_geometry *geometry;
    const nav_config *config;
    nav_grid grid;
    nav_arena scratch, result;
    nav_blob tiles[TILES_MAX];
} baking;

static bool fits(const nav_grid *grid)
{
    return (uint64_t)grid->width_cells * grid->depth_cells <= CELLS_MAX &&
           grid->height_cells <= HEIGHT_CELLS_MAX &&
           (uint64_t)grid->tiles_x * grid->tiles_z <= TILES_MAX;
}

static void check_refusal(nav_status status, const nav_error *err)
{
    NAV_ASSERT(err->status == status && err->detail[0] != '\0');
    NAV_ASSERT(status >= NAV_OK && status < NAV_STATUS_COUNT);
}

// The same triangles from the last to the first, each with its corners as they were.
static const nav_geometry *turned(const nav_geometry *geometry)
{
    static nav_geometry other;
    static uint32_t triangles[TRIANGLES_MAX][3];
    static uint8_t areas[TRIANGLES_MAX];
    other = *geometry;
    for (uint32_t i = 0; i < geometry->triangle_count; i++) {
        const uint32_t from = geometry->triangle_count - 1 - i;
        memcpy(triangles[i], geometry->triangles + 3 * (size_t)from, sizeof triangles[i]);
        areas[i] = geometry->triangle_areas != NULL ? geometry->triangle_areas[from] : 0;
    }
    other.triangles = &triangles[0][0];
    other.triangle_areas = geometry->triangle_areas != NULL ? areas : NULL;
    return &other;
}

static void check_again(baking *b, uint32_t x, uint32_t z, nav_blob tile)
{
    uint8_t key[32], again[32];
    nav_blob other;
    const nav_geometry *geometry = turned(b->geometry);
    if (nav_tile_key(b->geometry, b->config, &b->grid, NULL, x, z, NULL, &b->scratch, key) ==
            NAV_OK &&
        nav_tile_key(geometry, b->config, &b->grid, NULL, x, z, NULL, &b->scratch, again) ==
            NAV_OK) {
        NAV_ASSERT(memcmp(key, again, sizeof key) == 0);
    }
    if (nav_bake_tile(geometry, b->config, &b->grid, NULL, x, z, NULL, &b->scratch, &b->result,
                      &other, NULL, NULL) == NAV_OK) {
        NAV_ASSERT(other.size_bytes == tile.size_bytes);
        NAV_ASSERT(tile.size_bytes == 0 || memcmp(other.bytes, tile.bytes, tile.size_bytes) == 0);
    }
}

static bool bake_tiles(baking *b)
{
    for (uint32_t i = 0; i < b->grid.tiles_x * b->grid.tiles_z; i++) {
        nav_error err;
        nav_tile opened;
        static nav_bake_report report;
        const uint32_t x = i % b->grid.tiles_x, z = i / b->grid.tiles_x;
        memset(&report, 0, sizeof report);
        const nav_status status =
            nav_bake_tile(b->geometry, b->config, &b->grid, NULL, x, z, NULL, &b->scratch,
                          &b->result, &b->tiles[i], &report, &err);
        if (status != NAV_OK) {
            check_refusal(status, &err);
            NAV_ASSERT(status == NAV_TILE_TOO_COMPLEX || status == NAV_NO_MEMORY);
            return false;
        }
        NAV_ASSERT(isfinite(report.walkable_area) && report.walkable_area >= 0.0);
        NAV_ASSERT((b->tiles[i].size_bytes > 0) == (report.polygons > 0));
        if (b->tiles[i].size_bytes > 0) {
            NAV_ASSERT(nav_tile_open(b->tiles[i], &opened, NULL) == NAV_OK);
        }
        check_again(b, x, z, b->tiles[i]);
    }
    return true;
}

static void ask_mesh(baking *b, const float from[3], const float to[3])
{
    nav_mesh *mesh = NULL;
    nav_scratch *scratch = NULL;
    nav_error err;
    const nav_status status = nav_mesh_create(b->tiles, b->grid.tiles_x * b->grid.tiles_z,
                                              b->config, NULL, &mesh, NULL, &err);
    if (status != NAV_OK) {
        check_refusal(status, &err);
        NAV_ASSERT(status == NAV_MESH_EMPTY || status == NAV_INVALID_FIELD);
        return;
    }
    NAV_ASSERT(nav_scratch_create(NULL, &scratch) == NAV_OK);
    fuzz_ask(mesh, scratch, from, to, true);
    nav_scratch_destroy(scratch);
    nav_mesh_release(mesh);
}

static void bake(baking *b, const float from[3], const float to[3])
{
    nav_error err = {0};
    nav_status status = nav_config_check(b->config, &err);
    if (status == NAV_OK) {
        status = nav_bake_plan(b->geometry, b->config, MEMORY_BYTES, &b->grid, &err);
    }
    if (status != NAV_OK) {
        check_refusal(status, &err);
        return;
    }
    if (fits(&b->grid) && bake_tiles(b)) {
        ask_mesh(b, from, to);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes)
{
    static soup triangles;
    lists l;
    float from[3], to[3];
    source s = {bytes, size_bytes};
    const nav_config config = take_config(&s, &l);
    take_point(&s, from);
    take_point(&s, to);
    take_geometry(&s, &triangles);
    baking b = {.geometry = &triangles.geometry, .config = &config};
    nav_arena_init(&b.scratch, NULL, MEMORY_BYTES);
    nav_arena_init(&b.result, NULL, 0);
    bake(&b, from, to);
    nav_arena_free(&b.result);
    nav_arena_free(&b.scratch);
    return 0;
}
