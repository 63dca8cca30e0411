// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// point.c: why there is, or is no, mesh at a point: its tile is baked again and its column
// inspected; then the mesh itself is asked at the floor that is meant.

#include "server/explain/explain.h"

#include "proto/base/coordinates.h"
#include "server/meshes/scratch.h"

#include <math.h>
#include <string.h>

// The search for a wall goes no farther than this.
#define CLEARANCE_MAX 100.0f
// The upward one of two floors within so many cells of each other's distance is meant.
#define EQUALLY_NEAR_CELLS 0.01f

static nav_status refuse_place(const explaining *e, const char *name, nav_error *err)
{
    const nav_grid *g = &e->level.grid;
    float min[3] = {g->min[0], g->min[1], g->min[2]}, max[3] = {g->max[0], g->max[1], g->max[2]};
    proto_box_to_level(e->w.coordinates, min, max);
    const int a = proto_plan_axis(e->w.coordinates, 0), b = proto_plan_axis(e->w.coordinates, 1);
    return nav_fail_at(
        err, NAV_INVALID_FIELD, name,
        "the place lies beside the level, which reaches from %c %.6g to %.6g and from %c %.6g "
        "to %.6g",
        "xyz"[a], (double)min[a], (double)max[a], "xyz"[b], (double)min[b], (double)max[b]);
}

uint32_t explain_floor_meant(const nav_column_facts *column, float height, float cell_height,
                             float underside)
{
    float least = (float)INFINITY;
    uint32_t best = NAV_NONE;
    for (uint32_t i = 0; i < column->floor_count; i++) {
        const nav_floor_facts *floor = &column->floors[i];
        // A surface lies anywhere within the cell that its floor's top ends, so up to a cell below
        // that.
        const float distance =
            fmaxf(0, fmaxf(height - floor->top, floor->top - cell_height - height)) +
            (floor->verdict == NAV_VERDICT_FACES_DOWN ? underside : 0);
        if (best == NAV_NONE || distance < least) {
            best = i;
            least = distance;
        }
    }
    return best;
}

// The first switch there that is closed in the state that was asked.
static void find_switch(const explaining *e, proto_place_facts *facts)
{
    const proto_world *world = e->question.common.world;
    const uint8_t *states = world != NULL ? world->switches : NULL;
    const uint16_t *switches;
    const uint32_t count = nav_mesh_polygon_switches(e->mesh, facts->place.polygon, &switches);
    for (uint32_t i = 0; i < count && facts->closed_switch == NAV_NONE; i++) {
        if (nav_mesh_switch_is_closed(e->mesh, states, switches[i])) {
            facts->closed_switch = switches[i];
        }
    }
}

// Asks what the mesh has there. The polygon is that of the tile, which the mesh has left out where
// it is on no island that stays.
static nav_status ask_mesh(const explaining *e, const nav_floor_facts *floor,
                           proto_place_facts *facts)
{
    const nav_grid *g = &e->level.grid;
    const float at[3] = {facts->column->x, floor->polygon_height, facts->column->z};
    const float aside = 0.01f * g->cell_size;
    const nav_snap snap = {.horizontal = aside, .up = g->cell_height, .down = g->cell_height};
    nav_scratch *scratch = scratch_of_thread();
    nav_location open;
    uint32_t count = 0;
    nav_options options = e->options;
    options.snap = snap;
    if (nav_query_nearest(e->mesh, at, snap, NAV_NONE, &facts->place, 1) == 0) {
        facts->place.polygon = NAV_NONE;
        return NAV_OK;
    }
    nav_status status = scratch != NULL
                            ? nav_query_nearest_reachable(e->mesh, scratch, facts->place.position,
                                                          NULL, &options, &open, 1, &count)
                            : NAV_NO_MEMORY;
    facts->is_open = count > 0;
    find_switch(e, facts);
    if (status == NAV_OK && facts->is_open) {
        status = nav_query_wall(e->mesh, scratch, facts->place.position, CLEARANCE_MAX, &options,
                                &facts->wall);
    }
    nav_mesh_island(e->mesh, nav_mesh_polygon(e->mesh, facts->place.polygon).component,
                    &facts->island_polygons, &facts->island_area);
    return status;
}

nav_plan_place explain_within_cells(const nav_grid *g, nav_plan_place place)
{
    return (nav_plan_place){
        fminf(place.x, g->min[0] + g->cell_size * ((float)g->width_cells - 0.5f)),
        fminf(place.z, g->min[2] + g->cell_size * ((float)g->depth_cells - 0.5f))};
}

nav_plan_place explain_place_on_grid(const nav_grid *g, const float point[3])
{
    const nav_plan_place place = {point[0], point[2]};
    const nav_plan_place within = explain_within_cells(g, place);
    return (nav_plan_place){place.x <= g->max[0] ? within.x : place.x,
                            place.z <= g->max[2] ? within.z : place.z};
}

nav_status explain_place(explaining *e, const char *name, const float point[3],
                         proto_place_facts *facts)
{
    const explain_level *l = &e->level;
    const nav_plan_place place = explain_place_on_grid(&l->grid, point);
    nav_column_facts *column = NAV_NEW(&e->result, nav_column_facts, 1);
    nav_tile_facts tile;
    if (!nav_grid_find_tile(&l->grid, place, &facts->tile_x, &facts->tile_z)) {
        return refuse_place(e, name, &e->err);
    }
    if (column == NULL) {
        return nav_fail(&e->err, NAV_NO_MEMORY, "no memory to explain a place");
    }
    nav_status status = nav_tile_explain(&l->geometry, &l->config, &l->grid, l->index,
                                         facts->tile_x, facts->tile_z, &place, 1, &e->hooks,
                                         &e->scratch, &e->result, column, &tile, NULL, &e->err);
    if (status != NAV_OK) {
        return status;
    }
    memcpy(facts->point, point, sizeof facts->point);
    facts->column = column;
    const float cell_height = l->grid.cell_height;
    facts->floor =
        explain_floor_meant(column, point[1], cell_height, EQUALLY_NEAR_CELLS * cell_height);
    if (facts->floor == NAV_NONE || column->floors[facts->floor].polygon == NAV_NONE) {
        return NAV_OK;
    }
    status = ask_mesh(e, &column->floors[facts->floor], facts);
    return status == NAV_OK || status == NAV_CANCELLED
               ? status
               : nav_fail(&e->err, NAV_NO_MEMORY, "no memory to search a mesh of this size");
}

proto_place_facts explain_place_begin(const explaining *e)
{
    return (proto_place_facts){.config = &e->level.config,
                               .geometry = &e->level.geometry,
                               .grid = &e->level.grid,
                               .mesh = e->mesh,
                               .agent = e->agent,
                               .floor = NAV_NONE,
                               .place = {.polygon = NAV_NONE},
                               .closed_switch = NAV_NONE};
}

nav_status explain_point(explaining *e)
{
    proto_place_facts facts = explain_place_begin(e);
    nav_status status = explain_place(e, "point", e->question.point, &facts);
    if (status == NAV_OK) {
        proto_write_place(&e->w, &e->head, &facts);
    }
    return status;
}
