// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// tile.c: what each stage of the bake leaves of a tile, and the region of each of its polygons in
// the mesh. The mesh numbers a tile's polygons in the tile's order, but leaves out islands that do
// not stay.

#include "server/explain/explain.h"

#include <string.h>

// ---- the polygons ----

static bool is_same(const nav_mesh *a, uint32_t polygon_a, const nav_mesh *b, uint32_t polygon_b)
{
    const nav_polygon p = nav_mesh_polygon(a, polygon_a), q = nav_mesh_polygon(b, polygon_b);
    bool same = p.vertex_count == q.vertex_count;
    for (uint32_t i = 0; same && i < p.vertex_count; i++) {
        same = memcmp(nav_mesh_vertex(a, p.vertices[i]), nav_mesh_vertex(b, q.vertices[i]),
                      3 * sizeof(float)) == 0;
    }
    return same;
}

static void find_polygons(const nav_mesh *mesh, uint32_t x, uint32_t z, proto_tile_reply *out)
{
    const uint32_t tiles = nav_mesh_tile_count(mesh);
    for (uint32_t i = 0; i < tiles; i++) {
        const nav_mesh_tile tile = nav_mesh_tile_get(mesh, i);
        if (tile.x == x && tile.z == z) {
            out->polygon_first = tile.polygon_first;
            out->polygon_count = tile.polygon_count;
        }
    }
}

// Goes through the polygons of the mesh and through all of the tile, in one order.
static nav_status find_regions(explaining *e, const nav_tile_facts *facts, proto_tile_reply *out)
{
    nav_mesh *alone;
    uint32_t *regions = NAV_NEW(&e->result, uint32_t, (size_t)out->polygon_count + 1);
    if (regions == NULL) {
        return nav_fail(&e->err, NAV_NO_MEMORY, "no memory to explain a tile");
    }
    nav_status status = nav_mesh_create_until(&facts->blob, 1, NULL, e->service->budget.bake_bytes,
                                              &e->hooks, NULL, &alone, NULL, &e->err);
    if (status != NAV_OK) {
        return status;
    }
    uint32_t p = 0;
    for (uint32_t i = 0; i < out->polygon_count; i++) {
        while (p < facts->polygons && !is_same(alone, p, e->mesh, out->polygon_first + i)) {
            p++;
        }
        regions[i] = p < facts->polygons ? facts->polygon_regions[p++] : NAV_NONE;
    }
    out->regions = regions;
    nav_mesh_release(alone);
    return NAV_OK;
}

// ---- the tile ----

static void find_bounds(const nav_grid *g, proto_tile_reply *out)
{
    const bool one = g->tile_cells == 0;
    const uint32_t x = out->x * g->tile_cells, z = out->z * g->tile_cells;
    const uint32_t x_end =
        one || x + g->tile_cells > g->width_cells ? g->width_cells : x + g->tile_cells;
    const uint32_t z_end =
        one || z + g->tile_cells > g->depth_cells ? g->depth_cells : z + g->tile_cells;
    out->min[0] = g->min[0] + (float)x * g->cell_size;
    out->min[1] = g->min[1];
    out->min[2] = g->min[2] + (float)z * g->cell_size;
    out->max[0] = g->min[0] + (float)x_end * g->cell_size;
    out->max[1] = g->max[1];
    out->max[2] = g->min[2] + (float)z_end * g->cell_size;
}

nav_status explain_tile(explaining *e)
{
    const explain_level *l = &e->level;
    const uint32_t x = e->question.tile[0], z = e->question.tile[1];
    nav_tile_facts facts;
    proto_tile_reply tile = {.x = x, .z = z, .facts = &facts};
    if (x >= l->grid.tiles_x || z >= l->grid.tiles_z) {
        const nav_grid *g = &e->level.grid;
        nav_fail_at(&e->err, NAV_INVALID_FIELD, "tile",
                    "the level has %u x %u tiles, from 0,0 to %u,%u", g->tiles_x, g->tiles_z,
                    g->tiles_x - 1, g->tiles_z - 1);
        nav_error_got(&e->err, "%u,%u", e->question.tile[0], e->question.tile[1]);
        return NAV_INVALID_FIELD;
    }
    nav_status status =
        nav_tile_explain(&l->geometry, &l->config, &l->grid, l->index, x, z, NULL, 0, &e->hooks,
                         &e->scratch, &e->result, NULL, &facts, NULL, &e->err);
    if (status == NAV_OK) {
        find_bounds(&l->grid, &tile);
        find_polygons(e->mesh, x, z, &tile);
        status = find_regions(e, &facts, &tile);
    }
    if (status == NAV_OK) {
        proto_write_tile_stages(&e->w, &e->head, &tile);
    }
    return status;
}
