// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// key.c: the name of a tile before it is baked: SHA-256 of everything that decides its bytes.
//
//   formats | grid | settings | bounds | volumes that reach the tile | areas, with liquids only |
//   triangles that reach the padded tile, with their area, sorted | switches that reach the tile
//
// Input that decides nothing is left out, so that a change of it leaves all tiles as they are:
// costs, flags, links and seeds (they belong to the mesh), materials that come to the same area,
// volumes and triangles elsewhere. A bake does not depend on the order of its triangles, so they
// are put into one of their own: that of a hash of each. Two triangles of one hash are as good as
// always equal; where they are not, a tile is baked again that need not be, never a wrong one
// taken.

#include "core/base/cancel.h"
#include "core/bake/stages.h"
#include "core/tile/tile.h"

#include <string.h>

// Goes into every key: a bake that gives other bytes for the same input must change it.
#define BAKE_VERSION 4u

// A triangle as it is hashed. The order of its corners decides to which side its surface rounds.
typedef struct record {
    float corners[9];
    uint8_t area, liquid, zero[2];
} record;

_Static_assert(sizeof(record) == 40, "a record has no padding");

typedef struct entry {
    uint64_t hash; // of the record
    uint32_t triangle;
} entry;

// ---- what is not a list ----

static void add_word(nav_sha256 *key, uint32_t word)
{
    nav_sha256_add(key, &word, sizeof word);
}

static void add_floats(nav_sha256 *key, const float *values, size_t count)
{
    nav_sha256_add(key, values, count * sizeof *values);
}

// The origin, the division, and where the grid ends within the padded tile.
static void add_grid(nav_sha256 *key, const nav_bake_job *job)
{
    const nav_grid *g = job->grid;
    const uint32_t x_end = (uint32_t)job->first_x_cells + job->width_cells;
    const uint32_t z_end = (uint32_t)job->first_z_cells + job->depth_cells;
    add_word(key, BAKE_VERSION);
    add_word(key, NAV_TILE_VERSION);
    add_floats(key, g->min, 3);
    add_floats(key, &g->cell_size, 1);
    add_floats(key, &g->cell_height, 1);
    add_word(key, g->tile_cells);
    add_word(key, g->tiles_x);
    add_word(key, g->tiles_z);
    add_word(key, g->border_cells);
    add_word(key, job->tile_x);
    add_word(key, job->tile_z);
    add_word(key, x_end < g->width_cells ? x_end : g->width_cells);
    add_word(key, z_end < g->depth_cells ? z_end : g->depth_cells);
    add_word(key, job->width_cells);
    add_word(key, job->depth_cells);
}

static void add_settings(nav_sha256 *key, const nav_config *c)
{
    const float sizes[] = {c->agent_radius,    c->agent_height,           c->agent_max_climb,
                           c->agent_max_slope, c->edge_max_length,        c->edge_max_error,
                           c->low_height_min,  c->detail_sample_distance, c->detail_max_error};
    // Both in one word: keys of tiles from before there was edge_split stay as they are.
    const uint32_t words[] = {(uint32_t)c->partition | (uint32_t)c->edge_split << 8,
                              c->region_min_size,
                              c->region_merge_size,
                              c->polygon_max_vertices,
                              c->detail,
                              c->filter_low_hanging,
                              c->filter_ledges,
                              c->filter_low_height,
                              c->low_height_area,
                              c->low_height_single,
                              c->area_median,
                              c->volumes_reach_up,
                              c->has_bounds};
    add_floats(key, sizes, sizeof sizes / sizeof *sizes);
    nav_sha256_add(key, words, sizeof words);
    // In plan view bounds are the grid's; only their heights cut.
    if (c->has_bounds) {
        add_floats(key, &c->bounds_min[1], 1);
        add_floats(key, &c->bounds_max[1], 1);
    }
}

static void add_volume(nav_sha256 *key, const nav_volume *v)
{
    const uint32_t points = v->shape == NAV_VOLUME_CONVEX ? v->point_count : 0;
    add_word(key, (uint32_t)v->shape);
    add_word(key, v->area);
    add_word(key, points);
    add_floats(key, v->min, 3);
    add_floats(key, v->max, 3);
    add_floats(key, &v->radius, 1);
    nav_sha256_add(key, v->points, points * sizeof *v->points);
}

// In their order, as the later ones win.
static void add_volumes(nav_sha256 *key, const nav_bake_job *job)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < job->config->volume_count; ++i) {
        const nav_volume *v = &job->config->volumes[i];
        if (!nav_bake_volume_reaches(job, v)) {
            continue;
        }
        ++count;
        add_volume(key, v);
    }
    add_word(key, count);
}

// Ends a key that has switches in a way in which no other ends.
#define SWITCHES_END 0x53574954u

// A tile names switches by their ids. A default is the mesh's.
static void add_switches(nav_sha256 *key, const nav_bake_job *job)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < job->config->switch_count; ++i) {
        const nav_switch *s = &job->config->switches[i];
        if (!nav_bake_switch_reaches(job, s)) {
            continue;
        }
        ++count;
        nav_sha256_add(key, s->id, sizeof s->id);
        add_word(key, s->shape_count);
        for (uint32_t k = 0; k < s->shape_count; ++k) {
            add_volume(key, &s->shapes[k]);
        }
    }
    if (count > 0) {
        add_word(key, count);
        add_word(key, SWITCHES_END);
    }
}

// ---- triangles ----

static record record_of(const nav_bake_job *job, uint32_t triangle)
{
    const nav_geometry *g = job->geometry;
    record r = {.area = nav_bake_triangle_area(job, triangle)};
    for (size_t i = 0; i < 3; ++i) {
        const size_t vertex = g->triangles[3 * (size_t)triangle + i];
        memcpy(r.corners + 3 * i, g->vertices + 3 * vertex, 3 * sizeof(float));
    }
    r.liquid = r.area < job->config->area_count && job->config->areas[r.area].liquid;
    return r;
}

// Sorts by hash, a byte a pass; the last pass leaves the result in entries. Linear. False where it
// is not wanted any more.
static bool sort_entries(entry *entries, entry *other, uint32_t count, nav_cancel *cancel)
{
    for (uint32_t shift = 0; shift < 64; shift += 8) {
        uint32_t starts[256] = {0}, sum = 0;
        for (uint32_t i = 0; i < count; ++i) {
            if (nav_cancel_poll(cancel, 1)) {
                return false;
            }
            ++starts[entries[i].hash >> shift & 255];
        }
        for (uint32_t digit = 0; digit < 256; ++digit) {
            const uint32_t size = starts[digit];
            starts[digit] = sum;
            sum += size;
        }
        for (uint32_t i = 0; i < count; ++i) {
            if (nav_cancel_poll(cancel, 1)) {
                return false;
            }
            other[starts[entries[i].hash >> shift & 255]++] = entries[i];
        }
        entry *swap = entries;
        entries = other;
        other = swap;
    }
    return true;
}

// The cost of hashing a triangle, in items of work.
#define HASHED_WORK 16u

// Lists the triangles of the tile. An index of a grid with wider padding has more: those that only
// reach into that are left out, so that the key is the same with either.
static nav_status list_triangles(const nav_bake_job *job, nav_cancel *cancel, entry *entries,
                                 uint32_t *listed, bool *any_liquid)
{
    const nav_tile_index *list = job->index;
    const uint32_t tile = job->tile_z * job->grid->tiles_x + job->tile_x;
    const uint32_t begin = list != NULL ? list->first[tile] : 0;
    const bool wider = list != NULL && list->border_cells > job->grid->border_cells;
    const uint32_t count = *listed;
    *listed = 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (nav_cancel_poll(cancel, HASHED_WORK)) {
            return NAV_CANCELLED;
        }
        const uint32_t triangle = list != NULL ? list->triangles[begin + i] : i;
        if (wider &&
            !nav_bake_index_reaches(job->geometry, job->grid, triangle, job->tile_x, job->tile_z)) {
            continue;
        }
        const record r = record_of(job, triangle);
        *any_liquid = *any_liquid || r.liquid != 0;
        entries[(*listed)++] =
            (entry){.hash = nav_tile_checksum(&r, sizeof r), .triangle = triangle};
    }
    return NAV_OK;
}

static nav_status add_triangles(nav_sha256 *key, const nav_bake_job *job, nav_cancel *cancel)
{
    const nav_tile_index *list = job->index;
    const uint32_t tile = job->tile_z * job->grid->tiles_x + job->tile_x;
    uint32_t count =
        list != NULL ? list->first[tile + 1] - list->first[tile] : job->geometry->triangle_count;
    NAV_ASSERT(list == NULL || list->first[tile] <= list->first[tile + 1]);
    entry *entries = NAV_NEW(job->scratch, entry, count);
    entry *other = NAV_NEW(job->scratch, entry, count);
    if (entries == NULL || other == NULL) {
        return NAV_NO_MEMORY;
    }
    bool any_liquid = false;
    nav_status status = list_triangles(job, cancel, entries, &count, &any_liquid);
    if (status != NAV_OK) {
        return status;
    }
    if (!sort_entries(entries, other, count, cancel)) {
        return NAV_CANCELLED;
    }
    add_word(key, count);
    for (uint32_t i = 0; i < count; ++i) {
        NAV_DCHECK(i == 0 || entries[i - 1].hash <= entries[i].hash);
        if (nav_cancel_poll(cancel, HASHED_WORK)) {
            return NAV_CANCELLED;
        }
        const record r = record_of(job, entries[i].triangle);
        nav_sha256_add(key, &r, sizeof r);
    }
    if (any_liquid) {
        // Whether an area is a liquid decides how its spans merge, in a tile that has any.
        for (uint32_t i = 0; i < job->config->area_count; ++i) {
            add_word(key, job->config->areas[i].liquid);
        }
    }
    return NAV_OK;
}

nav_status nav_tile_key(const nav_geometry *geometry, const nav_config *config,
                        const nav_grid *grid, const nav_tile_index *index, uint32_t tile_x,
                        uint32_t tile_z, const nav_bake_hooks *hooks, nav_arena *scratch,
                        uint8_t key[32])
{
    NAV_ASSERT(tile_x < grid->tiles_x);
    NAV_ASSERT(tile_z < grid->tiles_z);
    nav_bake_job job = {.geometry = geometry,
                        .config = config,
                        .grid = grid,
                        .index = index,
                        .scratch = scratch,
                        .tile_x = tile_x,
                        .tile_z = tile_z};
    nav_bake_job_init(&job);
    nav_cancel cancel = nav_cancel_by(hooks);
    nav_arena_mark mark = nav_arena_save(scratch);
    nav_sha256 hash;
    nav_sha256_init(&hash);
    nav_status status = nav_bake_materials(&job);
    if (status == NAV_OK) {
        add_grid(&hash, &job);
        add_settings(&hash, config);
        add_volumes(&hash, &job);
        status = add_triangles(&hash, &job, &cancel);
    }
    nav_arena_restore(scratch, mark);
    if (status == NAV_OK) {
        add_switches(&hash, &job);
        nav_sha256_end(&hash, key);
    }
    return status;
}
