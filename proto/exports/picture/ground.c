// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// ground.c: the layers that a mesh has by itself: polygons, walls, tiles, links. The hue
// distinguishes components and areas, lightness the height (lighter is higher).

#include "proto/exports/picture/picture.h"

#include <math.h>

// ---- polygons ----

static double lightness_of(const picture *p, const nav_polygon *polygon)
{
    double height = 0.0;
    for (uint32_t i = 0; i < polygon->vertex_count; i++) {
        height += (double)nav_mesh_vertex(p->s->mesh, polygon->vertices[i])[1];
    }
    const double extent = fmax((double)p->max[1] - (double)p->min[1], 1e-3);
    const double mean = height / (double)polygon->vertex_count;
    return fmin(fmax((mean - (double)p->min[1]) / extent, 0.0), 1.0);
}

// Its edges without a neighbour, in one shape if there are any.
static void put_walls(proto_writer *w, const picture *p, const nav_polygon *polygon)
{
    const nav_mesh *mesh = p->s->mesh;
    bool any = false;
    for (uint32_t k = 0; k < polygon->vertex_count; k++) {
        if (polygon->neighbours[k] == NAV_NONE) {
            const uint32_t next = k + 1 < polygon->vertex_count ? k + 1 : 0;
            if (!any) {
                PUT(w, "<path fill=\"none\" stroke=\"#263238\" stroke-width=\"1.5\" d=\"");
            }
            picture_put_point(w, p, 'M', nav_mesh_vertex(mesh, polygon->vertices[k]));
            picture_put_point(w, p, 'L', nav_mesh_vertex(mesh, polygon->vertices[next]));
            any = true;
        }
    }
    if (any) {
        PUT(w, "\"/>\n");
    }
}

static float top_of(const nav_mesh *mesh, const nav_polygon *polygon)
{
    float top = -INFINITY;
    for (uint32_t i = 0; i < polygon->vertex_count; i++) {
        top = fmaxf(top, nav_mesh_vertex(mesh, polygon->vertices[i])[1]);
    }
    return top;
}

// Each with its walls, so that those of a lower one do not show through a higher one.
nav_status picture_put_polygons(proto_writer *w, picture *p, nav_arena *scratch, nav_error *err)
{
    const selection *s = p->s;
    picture_shape *shapes = NAV_NEW(scratch, picture_shape, s->polygon_count);
    if (shapes == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory to draw polygons");
    }
    for (uint32_t i = 0; i < s->polygon_count; i++) {
        const nav_polygon polygon = nav_mesh_polygon(s->mesh, s->polygons[i]);
        shapes[i] = (picture_shape){.top = top_of(s->mesh, &polygon), .index = s->polygons[i]};
    }
    picture_sort(shapes, s->polygon_count);
    PUT(w, "<g id=\"polygons\" stroke=\"#ffffff\" stroke-width=\"0.5\" stroke-linejoin=\"round\" "
           "stroke-linecap=\"round\"");
    if (picture_has(p, PROTO_LAYER_LEVEL)) {
        PUT(w, " fill-opacity=\"0.7\""); // so that the level is seen through it
    }
    PUT(w, ">\n");
    for (uint32_t i = 0; i < s->polygon_count && picture_goes_on(p); i++) {
        const nav_polygon polygon = nav_mesh_polygon(s->mesh, shapes[i].index);
        if (polygon.vertex_count > 0) {
            const bool areas = picture_has(p, PROTO_LAYER_AREAS);
            const bool islands = picture_has(p, PROTO_LAYER_ISLANDS);
            PUT(w, "<path fill=\"");
            picture_put_colour(w, areas ? polygon.area : 0, islands ? polygon.component : 0,
                               lightness_of(p, &polygon));
            PUT(w, "\" d=\"");
            picture_put_outline(w, p, &polygon);
            PUT(w, "\"/>\n");
            put_walls(w, p, &polygon);
        }
    }
    PUT(w, "</g>\n");
    return NAV_OK;
}

// ---- tiles ----

#define LABEL_PX_MIN 40.0 // smaller tiles have no room for their numbers

// The square of a tile, cut at the ground; a world of one tile is as large as that.
static void put_tile(proto_writer *w, const picture *p, const nav_mesh_grid *grid,
                     const nav_mesh_tile *tile)
{
    const double side = (double)grid->tile_cells * (double)grid->cell_size;
    const uint32_t place[2] = {tile->x, tile->z};
    double min[2], max[2];
    for (int axis = 0; axis < 2; axis++) {
        const double first = (double)grid->min[2 * axis] + side * place[axis];
        const double low = (double)p->min[2 * axis], high = (double)p->max[2 * axis];
        min[axis] = side > 0.0 ? fmax(first, low) : low;
        max[axis] = side > 0.0 ? fmin(first + side, high) : high;
    }
    if (min[0] > max[0] || min[1] > max[1]) {
        return;
    }
    const double x = picture_x(p, min[0]), y = picture_y(p, min[1]);
    const double width = (max[0] - min[0]) * p->scale, height = (max[1] - min[1]) * p->scale;
    proto_write_text(w, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"/>\n", x, y,
                     width, height);
    if (width >= LABEL_PX_MIN && height >= LABEL_PX_MIN) {
        proto_write_text(w,
                         "<text fill=\"#00695c\" stroke=\"none\" x=\"%.2f\" y=\"%.2f\">%u,%u"
                         "</text>\n",
                         x + 3.0, y + 11.0, tile->x, tile->z);
    }
}

void picture_put_tiles(proto_writer *w, picture *p)
{
    nav_mesh_grid grid;
    nav_mesh_grid_get(p->s->mesh, &grid);
    PUT(w, "<g id=\"tiles\" fill=\"none\" stroke=\"#00695c\" stroke-width=\"0.8\" "
           "font-family=\"sans-serif\" font-size=\"10\">\n");
    const uint32_t count = nav_mesh_tile_count(p->s->mesh);
    for (uint32_t i = 0; i < count && picture_goes_on(p); i++) {
        const nav_mesh_tile tile = nav_mesh_tile_get(p->s->mesh, i);
        put_tile(w, p, &grid, &tile);
    }
    PUT(w, "</g>\n");
}

// ---- links ----

// A dashed arc, distinct from what it crosses, with a dot where it may be entered and a ring where
// it is only left. One that a switch closes is red.
static void put_link(proto_writer *w, const picture *p, const nav_placed_link *link, bool is_closed)
{
    const double ax = picture_x(p, (double)link->start[0]),
                 az = picture_y(p, (double)link->start[2]);
    const double bx = picture_x(p, (double)link->end[0]), bz = picture_y(p, (double)link->end[2]);
    const char *ink = is_closed ? "#b71c1c" : "#4a148c";
    proto_write_text(w, "<path fill=\"none\"%s d=\"M%.2f %.2fQ%.2f %.2f %.2f %.2f\"",
                     is_closed ? " stroke=\"#b71c1c\"" : "", ax, az,
                     (ax + bx) / 2.0 + (bz - az) / 5.0, (az + bz) / 2.0 - (bx - ax) / 5.0, bx, bz);
    if (link->id[0] != '\0') {
        PUT(w, ">");
        picture_put_title(w, link->id);
        PUT(w, "</path>\n");
    } else {
        PUT(w, "/>\n");
    }
    proto_write_text(w, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"3\" fill=\"%s\"/>\n", ax, az, ink);
    proto_write_text(w, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"3\" fill=\"%s\"/>\n", bx, bz,
                     link->bidirectional ? ink : "#ffffff");
}

static void begin_links(proto_writer *w, const char *id)
{
    proto_write_text(w,
                     "<g id=\"%s\" stroke=\"#4a148c\" stroke-width=\"1.5\" "
                     "stroke-dasharray=\"5 3\">\n",
                     id);
}

void picture_put_links(proto_writer *w, picture *p)
{
    const bool shown = picture_has(p, PROTO_LAYER_OBSTACLES);
    begin_links(w, "links");
    for (uint32_t i = 0; i < p->s->link_count && picture_goes_on(p); i++) {
        const nav_placed_link *link = nav_mesh_link(p->s->mesh, p->s->links[i]);
        put_link(w, p, link, shown && picture_is_closed(p, link->switch_number));
    }
    PUT(w, "</g>\n");
}

void picture_put_world_links(proto_writer *w, picture *p)
{
    const proto_world *world = p->view->world;
    uint32_t off_mesh = 0;
    if (world == NULL || world->overlay == NULL || world->link_count == 0) {
        return;
    }
    (void)nav_overlay_links_off_mesh(world->overlay, &off_mesh);
    begin_links(w, "links-of-instance");
    for (uint32_t i = 0; i < world->link_count - off_mesh && picture_goes_on(p); i++) {
        put_link(w, p, nav_overlay_link(p->s->mesh, world->overlay, p->s->stats.links + i), false);
    }
    PUT(w, "</g>\n");
}
