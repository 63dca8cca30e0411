// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// json.c: a mesh as JSON, with the numbers and words that answers use. README.md has the shape.

#include "proto/exports/writers.h"
#include "proto/json/write.h"
#include "proto/replies/reply.h"

// ---- what is said once ----

static void write_version(proto_writer *w, const proto_export *what, const selection *s)
{
    nav_mesh_grid grid;
    nav_mesh_grid_get(s->mesh, &grid);
    const bool is_default = what->agent == NULL || what->agent[0] == '\0';
    proto_member_string(w, "mesh", what->mesh);
    proto_member_int(w, "version", what->version);
    proto_member_object(w, "agent");
    proto_member_string(w, "name", is_default ? "default" : what->agent);
    proto_write_sent_number(w, "radius", grid.agent_radius);
    proto_write_sent_number(w, "height", grid.agent_height);
    proto_write_sent_number(w, "max_climb", grid.agent_max_climb);
    proto_write_object_end(w);
    proto_write_sent_number(w, "cell_size", grid.cell_size);
    proto_write_sent_number(w, "cell_height", grid.cell_height);
    proto_write_key(w, "bounds");
    if (s->polygon_count > 0) {
        proto_write_bounds(w, s->min, s->max);
    } else {
        proto_write_null(w);
    }
}

static void write_flags(proto_writer *w, const nav_mesh *mesh, uint32_t flags)
{
    proto_member_array(w, "flags");
    for (uint32_t i = 0; i < NAV_FLAGS_MAX; i++) {
        if ((flags >> i & 1) != 0 && nav_mesh_flag_name(mesh, i) != NULL) {
            proto_write_string(w, nav_mesh_flag_name(mesh, i));
        }
    }
    proto_write_array_end(w);
}

static void write_areas(proto_writer *w, const selection *s)
{
    proto_member_array(w, "areas");
    for (uint32_t i = 0; i < SELECTION_AREAS; i++) {
        if (s->area_used[i]) {
            const nav_area area = nav_mesh_area(s->mesh, (uint8_t)i);
            proto_write_object_begin(w);
            proto_write_area(w, s->mesh, (uint8_t)i);
            proto_write_sent_number(w, "cost", area.cost);
            write_flags(w, s->mesh, area.flags);
            proto_write_object_end(w);
        }
    }
    proto_write_array_end(w);
}

static void write_switches(proto_writer *w, const nav_mesh *mesh)
{
    proto_member_array(w, "switches");
    for (uint32_t i = 0; i < nav_mesh_switch_count(mesh); i++) {
        nav_switch_info info;
        nav_mesh_switch(mesh, i, &info);
        proto_write_object_begin(w);
        proto_member_string(w, "id", info.id);
        proto_member_string(w, "default", info.closed ? "closed" : "open");
        proto_write_object_end(w);
    }
    proto_write_array_end(w);
}

// Tiles, each with how many of the polygons below are its own: they follow each other.
static void write_tiles(proto_writer *w, const selection *s)
{
    proto_member_array(w, "tiles");
    for (uint32_t i = 0; i < nav_mesh_tile_count(s->mesh); i++) {
        const nav_mesh_tile tile = nav_mesh_tile_get(s->mesh, i);
        uint32_t count = 0;
        for (uint32_t k = 0; k < tile.polygon_count; k++) {
            count += s->place[tile.polygon_first + k] != NAV_NONE;
        }
        if (count > 0) {
            proto_write_object_begin(w);
            proto_member_int(w, "x", tile.x);
            proto_member_int(w, "z", tile.z);
            proto_member_int(w, "polygons", count);
            proto_write_object_end(w);
        }
    }
    proto_write_array_end(w);
}

static void write_components(proto_writer *w, const selection *s)
{
    proto_member_array(w, "components");
    for (uint32_t i = 1; i <= s->stats.components; i++) {
        if (s->component_polygons[i] > 0) {
            proto_write_object_begin(w);
            proto_member_int(w, "component", i);
            proto_member_int(w, "polygons", s->component_polygons[i]);
            proto_write_object_end(w);
        }
    }
    proto_write_array_end(w);
}

void export_json_head(proto_writer *w, const proto_export *what, const selection *s)
{
    write_version(w, what, s);
    write_areas(w, s);
    write_switches(w, s->mesh);
    write_tiles(w, s);
    write_components(w, s);
}

// ---- polygons ----

static void write_vertices(proto_writer *w, const selection *s)
{
    proto_member_array(w, "vertices");
    for (uint32_t i = 0; i < s->vertex_count; i++) {
        proto_write_point(w, nav_mesh_vertex(s->mesh, s->vertices[i]));
    }
    proto_write_array_end(w);
}

// The polygons behind each edge, also such as the file does not have.
static void write_neighbours(proto_writer *w, const selection *s, uint32_t polygon,
                             const nav_polygon *whole)
{
    const uint32_t count = nav_mesh_edge_portals(s->mesh, polygon, s->portals, s->portal_capacity);
    uint32_t next = 0;
    PROTO_PUT_KEY(w, "neighbours");
    proto_write_array_begin(w);
    for (uint32_t edge = 0; edge < whole->vertex_count; edge++) {
        proto_write_array_begin(w);
        for (; next < count && s->portals[next].edge == edge; next++) {
            proto_write_number_text(w, s->portals[next].to);
        }
        proto_write_array_end(w);
    }
    proto_write_array_end(w);
}

static void write_detail(proto_writer *w, const nav_polygon_detail *detail)
{
    if (detail->triangle_count == 0) {
        return;
    }
    PROTO_PUT_KEY(w, "detail");
    proto_write_object_begin(w);
    PROTO_PUT_KEY(w, "vertices");
    proto_write_array_begin(w);
    for (uint32_t i = 0; i < detail->vertex_count; i++) {
        proto_write_point(w, detail->vertices[i]);
    }
    proto_write_array_end(w);
    PROTO_PUT_KEY(w, "triangles");
    proto_write_array_begin(w);
    for (uint32_t i = 0; i < detail->triangle_count; i++) {
        proto_write_array_begin(w);
        for (uint32_t k = 0; k < 3; k++) {
            proto_write_int(w, detail->triangles[i][k]);
        }
        proto_write_array_end(w);
    }
    proto_write_array_end(w);
    proto_write_object_end(w);
}

// The switches that it lies under, if there are any.
static void write_polygon_switches(proto_writer *w, const nav_mesh *mesh, uint32_t polygon)
{
    const uint16_t *switches;
    const uint32_t count = nav_mesh_polygon_switches(mesh, polygon, &switches);
    if (count == 0) {
        return;
    }
    PROTO_PUT_KEY(w, "switches");
    proto_write_array_begin(w);
    for (uint32_t k = 0; k < count; k++) {
        nav_switch_info info;
        nav_mesh_switch(mesh, switches[k], &info);
        proto_write_string(w, info.id);
    }
    proto_write_array_end(w);
}

static void write_polygon(proto_writer *w, const selection *s, uint32_t polygon)
{
    const nav_polygon whole = nav_mesh_polygon(s->mesh, polygon);
    const nav_polygon_detail detail = nav_mesh_polygon_detail(s->mesh, polygon);
    proto_write_object_begin(w);
    PROTO_PUT_KEY(w, "id");
    proto_write_number_text(w, polygon);
    proto_write_area(w, s->mesh, whole.area);
    PROTO_PUT_KEY(w, "component");
    proto_write_int(w, whole.component);
    PROTO_PUT_KEY(w, "vertices");
    proto_write_array_begin(w);
    for (uint32_t k = 0; k < whole.vertex_count; k++) {
        proto_write_int(w, s->vertex_place[whole.vertices[k]]);
    }
    proto_write_array_end(w);
    write_neighbours(w, s, polygon, &whole);
    write_detail(w, &detail);
    write_polygon_switches(w, s->mesh, polygon);
    proto_write_object_end(w);
}

void export_json_switched(proto_writer *w, const selection *s)
{
    proto_member_array(w, "switched");
    for (uint32_t i = 0; i < s->polygon_count; i++) {
        const uint16_t *switches;
        if (nav_mesh_polygon_switches(s->mesh, s->polygons[i], &switches) > 0) {
            proto_write_object_begin(w);
            proto_write_key(w, "polygon");
            proto_write_number_text(w, s->polygons[i]);
            write_polygon_switches(w, s->mesh, s->polygons[i]);
            proto_write_object_end(w);
        }
    }
    proto_write_array_end(w);
}

// ---- links ----

static void write_link(proto_writer *w, const selection *s, const nav_placed_link *link)
{
    proto_write_object_begin(w);
    proto_member_int(w, "index", link->config_index);
    proto_member_string(w, "id", link->id[0] != '\0' ? link->id : NULL);
    proto_member_point(w, "start", link->start);
    proto_member_point(w, "end", link->end);
    proto_write_key(w, "start_polygon");
    proto_write_number_text(w, link->start_polygon);
    proto_write_key(w, "end_polygon");
    proto_write_number_text(w, link->end_polygon);
    proto_member_bool(w, "bidirectional", link->bidirectional);
    proto_write_area(w, s->mesh, link->area);
    write_flags(w, s->mesh, link->flags);
    if (link->has_cost) {
        proto_write_key(w, "cost");
        proto_write_float_scaled(w, link->cost, w->coordinates.scale);
    }
    if (link->switch_number > 0) {
        nav_switch_info info;
        nav_mesh_switch(s->mesh, link->switch_number - 1, &info);
        proto_member_string(w, "switch", info.id);
    }
    proto_write_object_end(w);
}

void export_json_links(proto_writer *w, const selection *s)
{
    proto_member_array(w, "links");
    for (uint32_t i = 0; i < s->link_count; i++) {
        write_link(w, s, nav_mesh_link(s->mesh, s->links[i]));
    }
    proto_write_array_end(w);
}

void export_json(proto_writer *w, const proto_export *what, const selection *s)
{
    proto_write_object_begin(w);
    export_json_head(w, what, s);
    write_vertices(w, s);
    proto_member_array(w, "polygons");
    for (uint32_t i = 0; i < s->polygon_count; i++) {
        write_polygon(w, s, s->polygons[i]);
    }
    proto_write_array_end(w);
    export_json_links(w, s);
    proto_write_object_end(w);
}
