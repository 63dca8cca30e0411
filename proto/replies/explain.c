// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// explain.c: what each stage of a bake did at a place, and left of a tile, as JSON. explain_words.c
// says the first in a sentence.

#include "proto/replies/reply.h"

#include <math.h>

static void write_height(proto_writer *w, const char *key, float metres)
{
    proto_write_key(w, key);
    proto_write_height(w, metres);
}

static void write_tile_place(proto_writer *w, uint32_t x, uint32_t z)
{
    proto_member_object(w, "tile");
    proto_member_int(w, "x", x);
    proto_member_int(w, "z", z);
    proto_write_object_end(w);
}

// ---- triangles ----

static void write_triangle(proto_writer *w, const proto_place_facts *facts,
                           const nav_triangle_facts *t)
{
    const nav_geometry *g = facts->geometry;
    proto_write_object_begin(w);
    proto_member_int(w, "triangle", t->triangle);
    write_height(w, "low", t->low);
    write_height(w, "high", t->high);
    proto_member_fixed(w, "slope", (double)t->slope, 2);
    proto_member_bool(w, "too_steep", t->is_steep);
    proto_member_bool(w, "faces_down", t->slope > 90);
    proto_write_area(w, facts->mesh, t->area);
    if (g->triangle_materials != NULL) {
        proto_member_string(w, "material", g->material_names[g->triangle_materials[t->triangle]]);
    }
    proto_write_object_end(w);
}

// Triangles that reach up to the floor that is meant or less are below; the nearest come first.
static void write_triangles(proto_writer *w, const proto_place_facts *facts)
{
    const nav_column_facts *c = facts->column;
    const float level = facts->floor != NAV_NONE ? c->floors[facts->floor].top : facts->point[1];
    uint32_t below = 0, listed = 0;
    while (below < c->triangle_count && c->triangles[below].high <= level) {
        below++;
    }
    proto_member_int(w, "triangle_count", c->triangle_count);
    proto_member_object(w, "triangles");
    proto_member_array(w, "below");
    for (uint32_t i = below; i > 0 && listed < PROTO_EXPLAIN_TRIANGLES_MAX; i--, listed++) {
        write_triangle(w, facts, &c->triangles[i - 1]);
    }
    proto_write_array_end(w);
    proto_member_array(w, "above");
    listed = 0;
    for (uint32_t i = below; i < c->triangle_count && listed < PROTO_EXPLAIN_TRIANGLES_MAX;
         i++, listed++) {
        write_triangle(w, facts, &c->triangles[i]);
    }
    proto_write_array_end(w);
    proto_write_object_end(w);
}

// ---- floors ----

static void write_filters(proto_writer *w, const nav_floor_facts *f)
{
    proto_member_bool(w, "stepped_on", f->is_stepped_on);
    proto_member_length(w, "headroom", (double)f->headroom);
    proto_member_bool(w, "low", f->is_low);
    proto_write_key(w, "ledge");
    if (f->verdict != NAV_VERDICT_LEDGE) {
        proto_write_null(w);
        return;
    }
    proto_write_object_begin(w);
    proto_member_length(w, "drop", (double)f->ledge_drop);
    proto_member_length(w, "spread", (double)f->ledge_spread);
    proto_member_bool(w, "no_ground_beside", isinf(f->ledge_drop));
    proto_write_object_end(w);
}

static void write_edge(proto_writer *w, const nav_floor_facts *f)
{
    proto_write_key(w, "edge");
    if (!isfinite(f->edge_distance)) {
        proto_write_null(w);
        return;
    }
    proto_write_object_begin(w);
    proto_member_length(w, "distance", (double)f->edge_distance);
    proto_member_point(w, "position", f->edge);
    proto_member_bool(w, "cut", f->edge_is_cut);
    proto_write_object_end(w);
}

static void write_region(proto_writer *w, const nav_floor_facts *f)
{
    proto_write_key(w, "region");
    if (f->region == 0 && f->region_cells == 0) {
        proto_write_null(w);
        return;
    }
    proto_write_object_begin(w);
    proto_member_index(w, "region", f->region != 0 ? f->region : NAV_NONE);
    proto_member_int(w, "cells", f->region_cells);
    proto_member_bool(w, "merged", f->region != 0 && f->first_region_cells < f->region_cells);
    proto_member_int(w, "cells_before", f->first_region_cells);
    proto_write_object_end(w);
}

static void write_floor(proto_writer *w, const proto_place_facts *facts, const nav_floor_facts *f)
{
    proto_write_object_begin(w);
    write_height(w, "height", f->top);
    proto_member_length(w, "thickness", (double)(f->top - f->bottom));
    proto_member_string(w, "verdict", nav_verdict_word(f->verdict));
    proto_member_fixed(w, "slope", (double)f->slope, 2);
    proto_write_area(w, facts->mesh, f->area_kept != NAV_AREA_NONE ? f->area_kept : f->area);
    proto_member_bool(w, "liquid", f->is_liquid);
    write_filters(w, f);
    proto_member_index(w, "volume", f->volume);
    write_edge(w, f);
    write_region(w, f);
    proto_member_array(w, "switches");
    for (uint32_t i = 0; i < f->switch_count; i++) {
        NAV_ASSERT(f->switches[i] < facts->config->switch_count);
        proto_write_string(w, facts->config->switches[f->switches[i]].id);
    }
    proto_write_array_end(w);
    write_height(w, "mesh_height",
                 f->polygon != NAV_NONE ? f->polygon_height : (float)PROTO_NO_NUMBER);
    proto_write_object_end(w);
}

// From the highest to the lowest, as floors answers; those around the one that is meant.
static void write_floors(proto_writer *w, const proto_place_facts *facts)
{
    const nav_column_facts *c = facts->column;
    uint32_t begin = 0, end = c->floor_count;
    if (c->floor_count > PROTO_EXPLAIN_FLOORS_MAX) {
        const uint32_t half = PROTO_EXPLAIN_FLOORS_MAX / 2;
        const uint32_t last = c->floor_count - PROTO_EXPLAIN_FLOORS_MAX;
        begin = facts->floor > half ? facts->floor - half : 0;
        begin = begin < last ? begin : last;
        end = begin + PROTO_EXPLAIN_FLOORS_MAX;
    }
    proto_member_int(w, "floor_count", c->floor_count);
    proto_member_index(w, "floor", facts->floor != NAV_NONE ? end - 1 - facts->floor : NAV_NONE);
    proto_member_array(w, "floors");
    for (uint32_t i = end; i > begin; i--) {
        write_floor(w, facts, &c->floors[i - 1]);
    }
    proto_write_array_end(w);
}

// ---- the mesh ----

static void write_polygon(proto_writer *w, const proto_place_facts *facts)
{
    proto_write_key(w, "mesh_place");
    if (facts->place.polygon == NAV_NONE) {
        proto_write_null(w);
        return;
    }
    proto_write_object_begin(w);
    proto_member_point(w, "position", facts->place.position);
    proto_write_polygon_members(w, facts->mesh, facts->place.polygon);
    proto_member_object(w, "island");
    proto_member_int(w, "polygons", facts->island_polygons);
    proto_write_key(w, "area");
    proto_write_square(w, facts->island_area);
    proto_write_object_end(w);
    // Nobody stands where a switch or an obstacle closes the place.
    const float open = facts->wall.hit ? facts->wall.distance : (float)INFINITY;
    proto_member_length(w, "clearance", facts->is_open ? (double)open : 0);
    proto_write_object_end(w);
}

// The settings that decide, as they were set.
static void write_settings(proto_writer *w, const char *agent, const nav_config *c)
{
    proto_member_object(w, "settings");
    proto_write_sent_number(w, proto_agent_setting(agent, "radius").text, c->agent_radius);
    proto_write_sent_number(w, proto_agent_setting(agent, "height").text, c->agent_height);
    proto_write_sent_number(w, proto_agent_setting(agent, "max_climb").text, c->agent_max_climb);
    proto_write_sent_number(w, proto_agent_setting(agent, "max_slope").text, c->agent_max_slope);
    proto_write_sent_number(w, "cell_size", c->cell_size);
    proto_write_sent_number(w, "cell_height", c->cell_height);
    proto_write_sent_number(w, "edge_max_error", c->edge_max_error);
    proto_write_sent_number(w, "region_min_size", (float)c->region_min_size);
    proto_write_object_end(w);
}

void proto_write_place(proto_writer *w, const proto_answer_head *head,
                       const proto_place_facts *facts)
{
    char sentence[PROTO_SENTENCE_BYTES];
    const char *reason = proto_place_reason(facts);
    proto_place_say(facts, w->coordinates, sentence);
    proto_write_answer_begin(w, head);
    proto_member_point(w, "point", facts->point);
    proto_member_string(w, "status",
                        reason == NULL                     ? "walkable"
                        : facts->place.polygon != NAV_NONE ? "closed"
                                                           : "none");
    proto_member_string(w, "reason", reason);
    proto_member_string(w, "sentence", sentence);
    write_tile_place(w, facts->tile_x, facts->tile_z);
    write_polygon(w, facts);
    write_floors(w, facts);
    write_triangles(w, facts);
    write_settings(w, facts->agent, facts->config);
    proto_write_object_end(w);
}

// ---- a tile ----

// One stage with up to two numbers.
static void write_stage(proto_writer *w, nav_stage stage, const char *first, uint64_t first_count,
                        const char *second, uint64_t second_count)
{
    proto_write_object_begin(w);
    proto_member_string(w, "stage", nav_stage_word(stage));
    proto_member_int(w, first, first_count);
    if (second != NULL) {
        proto_member_int(w, second, second_count);
    }
    proto_write_object_end(w);
}

static void write_stages(proto_writer *w, const nav_tile_facts *f)
{
    proto_member_array(w, "stages");
    write_stage(w, NAV_STAGE_VOXELIZE, "spans", f->spans, "ground", f->ground);
    write_stage(w, NAV_STAGE_FILTER, "ground", f->filtered, NULL, 0);
    write_stage(w, NAV_STAGE_ERODE, "ground_uncut", f->uncut, "ground", f->eroded);
    proto_write_object_begin(w);
    proto_member_string(w, "stage", nav_stage_word(NAV_STAGE_REGIONS));
    proto_member_int(w, "regions_before", f->first_regions);
    proto_member_int(w, "regions", f->regions);
    proto_member_int(w, "ground", f->in_regions);
    proto_write_object_end(w);
    write_stage(w, NAV_STAGE_CONTOURS, "contours", f->contours, "points", f->contour_points);
    write_stage(w, NAV_STAGE_POLYGONS, "polygons", f->polygons, "vertices", f->vertices);
    write_stage(w, NAV_STAGE_DETAIL, "triangles", f->detail_triangles, "vertices",
                f->detail_vertices);
    write_stage(w, NAV_STAGE_TILE, "bytes", f->blob.size_bytes, NULL, 0);
    proto_write_array_end(w);
}

void proto_write_tile_stages(proto_writer *w, const proto_answer_head *head,
                             const proto_tile_reply *tile)
{
    proto_write_answer_begin(w, head);
    write_tile_place(w, tile->x, tile->z);
    proto_write_key(w, "bounds");
    proto_write_bounds(w, tile->min, tile->max);
    write_stages(w, tile->facts);
    proto_member_array(w, "polygons");
    for (uint32_t i = 0; i < tile->polygon_count; i++) {
        proto_write_object_begin(w);
        proto_write_key(w, "polygon");
        proto_write_number_text(w, tile->polygon_first + i);
        proto_member_index(w, "region", tile->regions[i]);
        proto_write_object_end(w);
    }
    proto_write_array_end(w);
    proto_write_object_end(w);
}
