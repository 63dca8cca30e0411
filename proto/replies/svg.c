// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// svg.c: a picture of a mesh from above, with a path where one was asked for.
//
//   +-------------------------> x, to the right
//   |   +-----------------+
//   |   | polygons: fill  |     The viewer looks down the y axis. z runs down the page, as SVG's y
//   |   | walls: strong   |     does, so nothing is mirrored: north (-z) is up. One scale for both
//   |   | links: dashed   |     axes; all coordinates are pixels.
//   |   | path: on top    |
//   |   +-----------------+
//   v z    |---| 10 m
//
// The hue tells components and areas apart, lightness the height (lighter is higher). The picture
// is plain shapes: no scripts, no styles, no links.

#include "proto/json/write.h"

#include <math.h>
#include <stdio.h>

#define MARGIN_PX 24.0
#define FOOTER_PX 32.0 // for the scale bar
#define HEIGHT_PX_MIN 128.0
#define HEIGHT_PX_MAX 8192.0
#define EXTENT_MIN 1e-3

// How world positions become pixels.
typedef struct view {
    const proto_picture *picture;
    nav_coordinates coordinates;
    double x_min, z_min, scale, left_px, top_px;
    double y_min, y_extent;
    double width_px, height_px;
} view;

_Static_assert(PROTO_RENDER_WIDTH_MIN > 2 * (int)MARGIN_PX, "there is room between the margins");
_Static_assert((int)HEIGHT_PX_MIN > 2 * (int)MARGIN_PX + (int)FOOTER_PX,
               "there is room above the scale bar");

static view view_of(const proto_picture *picture)
{
    NAV_ASSERT(picture->width_px >= PROTO_RENDER_WIDTH_MIN && picture->polygon_count > 0);
    const float *min = picture->min, *max = picture->max;
    double x_extent = fmax((double)max[0] - (double)min[0], EXTENT_MIN);
    double z_extent = fmax((double)max[2] - (double)min[2], EXTENT_MIN);
    double width = (double)picture->width_px;
    double inner = width - 2.0 * MARGIN_PX;
    double height = z_extent / x_extent * inner + 2.0 * MARGIN_PX + FOOTER_PX;
    height = ceil(fmin(fmax(height, HEIGHT_PX_MIN), HEIGHT_PX_MAX));
    double inner_height = height - 2.0 * MARGIN_PX - FOOTER_PX;
    NAV_ASSERT(inner > 0.0 && inner_height > 0.0);
    double scale = fmin(inner / x_extent, inner_height / z_extent);
    NAV_ASSERT(scale > 0.0 && isfinite(scale));
    nav_mesh_stats stats;
    nav_mesh_stats_get(picture->mesh, &stats);
    return (view){.picture = picture,
                  .coordinates = stats.coordinates,
                  .x_min = (double)min[0],
                  .z_min = (double)min[2],
                  .scale = scale,
                  .left_px = (width - scale * x_extent) / 2.0,
                  .top_px = MARGIN_PX + (inner_height - scale * z_extent) / 2.0,
                  .y_min = (double)min[1],
                  .y_extent = fmax((double)max[1] - (double)min[1], EXTENT_MIN),
                  .width_px = width,
                  .height_px = height};
}

// A literal, whose length the compiler knows.
#define PUT(w, literal) proto_writer_put((w), literal "", sizeof(literal) - 1)

// "M12.5 7" for a position; command is M or L.
static void put_point(proto_writer *w, const view *v, char command, const float point[3])
{
    proto_writer_put(w, &command, 1);
    proto_writer_put_fixed(w, v->left_px + ((double)point[0] - v->x_min) * v->scale, 2);
    PUT(w, " ");
    proto_writer_put_fixed(w, v->top_px + ((double)point[2] - v->z_min) * v->scale, 2);
}

// ---- polygons ----

// Eight hues that stay apart for colour-blind eyes too (after Okabe and Ito), dark to light by
// height: from the colour itself half way to white.
static void put_fill(proto_writer *w, const view *v, const nav_polygon *polygon, double height)
{
    static const uint8_t hues[8][3] = {{86, 150, 190},  {214, 158, 60},  {64, 158, 130},
                                       {190, 120, 160}, {120, 130, 190}, {200, 120, 80},
                                       {150, 165, 80},  {130, 130, 130}};
    static const char digits[] = "0123456789abcdef";
    NAV_DCHECK(polygon->area < NAV_AREAS_MAX);
    const uint8_t *hue = hues[(polygon->component + polygon->area + 7u) % 8u];
    double lightness = fmin(fmax((height - v->y_min) / v->y_extent, 0.0), 1.0) * 0.55 + 0.1;
    char colour[7] = "#";
    for (size_t i = 0; i < 3; i++) {
        unsigned level = (unsigned)((double)hue[i] + (255.0 - (double)hue[i]) * lightness);
        colour[1 + 2 * i] = digits[level >> 4 & 15];
        colour[2 + 2 * i] = digits[level & 15];
    }
    proto_writer_put(w, colour, sizeof colour);
}

static nav_polygon polygon_of(const proto_picture *p, uint32_t i)
{
    return nav_mesh_polygon(p->mesh, p->polygons != NULL ? p->polygons[i] : i);
}

static void put_polygon(proto_writer *w, const view *v, const nav_polygon *polygon)
{
    const nav_mesh *mesh = v->picture->mesh;
    NAV_DCHECK(polygon->vertex_count >= 3);
    double height = 0.0;
    for (uint32_t i = 0; i < polygon->vertex_count; i++) {
        height += (double)nav_mesh_vertex(mesh, polygon->vertices[i])[1];
    }
    PUT(w, "<path fill=\"");
    put_fill(w, v, polygon, height / (double)polygon->vertex_count);
    PUT(w, "\" d=\"");
    for (uint32_t i = 0; i < polygon->vertex_count; i++) {
        put_point(w, v, i == 0 ? 'M' : 'L', nav_mesh_vertex(mesh, polygon->vertices[i]));
    }
    PUT(w, "Z\"/>\n");
}

static void put_polygons(proto_writer *w, const view *v)
{
    proto_write_text(w, "<g id=\"polygons\" stroke=\"#ffffff\" stroke-width=\"0.5\" "
                        "stroke-linejoin=\"round\">\n");
    for (uint32_t i = 0; i < v->picture->polygon_count; i++) {
        nav_polygon polygon = polygon_of(v->picture, i);
        if (polygon.vertex_count > 0) {
            put_polygon(w, v, &polygon);
        }
    }
    proto_write_text(w, "</g>\n");
}

// Edges without a neighbour, all in one shape.
static void put_walls(proto_writer *w, const view *v)
{
    const nav_mesh *mesh = v->picture->mesh;
    proto_write_text(w, "<path id=\"walls\" fill=\"none\" stroke=\"#263238\" stroke-width=\"1.5\" "
                        "stroke-linecap=\"round\" d=\"");
    for (uint32_t i = 0; i < v->picture->polygon_count; i++) {
        nav_polygon polygon = polygon_of(v->picture, i);
        for (uint32_t k = 0; k < polygon.vertex_count; k++) {
            if (polygon.neighbours[k] == NAV_NONE) {
                uint32_t next = k + 1 < polygon.vertex_count ? k + 1 : 0;
                put_point(w, v, 'M', nav_mesh_vertex(mesh, polygon.vertices[k]));
                put_point(w, v, 'L', nav_mesh_vertex(mesh, polygon.vertices[next]));
            }
        }
    }
    PUT(w, "\"/>\n");
}

// ---- links ----

static double x_px(const view *v, const float point[3])
{
    return v->left_px + ((double)point[0] - v->x_min) * v->scale;
}

static double z_px(const view *v, const float point[3])
{
    return v->top_px + ((double)point[2] - v->z_min) * v->scale;
}

// A dashed arc, so that it can be told from what it crosses, with a dot where it may be entered and
// a ring where it is only left.
static void put_link(proto_writer *w, const view *v, const nav_laid_link *link)
{
    double ax = x_px(v, link->start), az = z_px(v, link->start);
    double bx = x_px(v, link->end), bz = z_px(v, link->end);
    proto_write_text(w, "<path fill=\"none\" d=\"M%.2f %.2fQ%.2f %.2f %.2f %.2f\"/>\n", ax, az,
                     (ax + bx) / 2.0 + (bz - az) / 5.0, (az + bz) / 2.0 - (bx - ax) / 5.0, bx, bz);
    proto_write_text(w, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"3\" fill=\"#4a148c\"/>\n", ax, az);
    proto_write_text(w, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"3\" fill=\"%s\"/>\n", bx, bz,
                     link->bidirectional ? "#4a148c" : "#ffffff");
}

static void put_links(proto_writer *w, const view *v)
{
    const proto_picture *p = v->picture;
    proto_write_text(w, "<g id=\"links\" stroke=\"#4a148c\" stroke-width=\"1.5\" "
                        "stroke-dasharray=\"5 3\">\n");
    for (uint32_t i = 0; i < p->link_count; i++) {
        put_link(w, v, nav_mesh_link(p->mesh, p->links != NULL ? p->links[i] : i));
    }
    proto_write_text(w, "</g>\n");
}

// ---- path and scale ----

static void put_line(proto_writer *w, const view *v, const nav_path *path, const char *look)
{
    proto_write_text(w,
                     "<path fill=\"none\" stroke-linejoin=\"round\" stroke-linecap=\"round\" "
                     "%s d=\"",
                     look);
    for (size_t i = 0; i < path->point_count; i++) {
        put_point(w, v, i == 0 ? 'M' : 'L', path->points + 3 * i);
    }
    PUT(w, "\"/>\n");
}

static void put_dot(proto_writer *w, const view *v, const float point[3], const char *name,
                    const char *look)
{
    PUT(w, "<circle cx=\"");
    proto_writer_put_fixed(w, v->left_px + ((double)point[0] - v->x_min) * v->scale, 2);
    PUT(w, "\" cy=\"");
    proto_writer_put_fixed(w, v->top_px + ((double)point[2] - v->z_min) * v->scale, 2);
    proto_write_text(w, "\" r=\"6\" stroke-width=\"2.5\" %s><title>%s</title></circle>\n", look,
                     name);
}

static void put_path(proto_writer *w, const view *v, const nav_path *path)
{
    proto_write_text(w, "<g id=\"path\">\n");
    if (path->point_count > 0) {
        put_line(w, v, path, "stroke=\"#ffffff\" stroke-width=\"7\"");
        put_line(w, v, path, "stroke=\"#b71c1c\" stroke-width=\"3.5\"");
    }
    // A full dot and a ring: told apart without colour.
    put_dot(w, v, path->start, "start", "fill=\"#b71c1c\" stroke=\"#ffffff\"");
    put_dot(w, v, path->end, "end", "fill=\"#ffffff\" stroke=\"#b71c1c\"");
    proto_write_text(w, "</g>\n");
}

// The largest of 1, 2, 5 times a power of ten units that takes at most a quarter of the width.
static double scale_bar_length(const view *v)
{
    double limit = proto_length_to_level(v->coordinates, v->width_px / (4.0 * v->scale));
    double power = pow(10.0, floor(log10(limit)));
    return power * (limit >= 5.0 * power ? 5.0 : limit >= 2.0 * power ? 2.0 : 1.0);
}

static void put_scale_bar(proto_writer *w, const view *v)
{
    const double units = scale_bar_length(v);
    const double length = proto_length_to_mesh(v->coordinates, units);
    NAV_ASSERT(length > 0.0 && length * v->scale <= v->width_px * (1.0 + 1e-12));
    double y = v->height_px - 12.0;
    char text[48];
    if (v->coordinates.scale == 1.0) {
        (void)snprintf(text, sizeof text, "%.6g m", length);
    } else {
        (void)snprintf(text, sizeof text, "%.6g (%.6g m)", units, length);
    }
    proto_write_text(w,
                     "<g id=\"scale\"><path fill=\"none\" stroke=\"#263238\" stroke-width=\"2\" "
                     "d=\"M%.2f %.2fv6h%.2fv-6\"/>\n<text x=\"%.2f\" y=\"%.2f\" "
                     "font-family=\"sans-serif\" font-size=\"13\" fill=\"#263238\">%s</text>"
                     "</g>\n",
                     MARGIN_PX, y - 6.0, length * v->scale, MARGIN_PX + length * v->scale + 8.0, y,
                     text);
}

// ---- the page ----

static void put_head(proto_writer *w, double width_px, double height_px)
{
    proto_write_text(w,
                     "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
                     "viewBox=\"0 0 %.0f %.0f\" role=\"img\">\n<title>Navigation mesh, from "
                     "above</title>\n",
                     width_px, height_px, width_px, height_px);
}

static void put_background(proto_writer *w)
{
    proto_write_text(w, "<rect width=\"100%%\" height=\"100%%\" fill=\"#fafafa\"/>\n");
}

static void put_empty(proto_writer *w, uint32_t width_px)
{
    put_head(w, (double)width_px, HEIGHT_PX_MIN);
    put_background(w);
    proto_write_text(w, "<text x=\"50%%\" y=\"50%%\" text-anchor=\"middle\" "
                        "font-family=\"sans-serif\" font-size=\"14\" fill=\"#263238\">This mesh "
                        "has no polygons.</text>\n</svg>\n");
}

proto_picture proto_picture_of(const nav_mesh *mesh, uint32_t width_px, const nav_path *path)
{
    nav_mesh_stats stats;
    nav_mesh_stats_get(mesh, &stats);
    proto_picture picture = {.mesh = mesh,
                             .width_px = width_px,
                             .path = path,
                             .polygon_count = stats.polygons,
                             .component_count = stats.components,
                             .link_count = stats.links};
    for (int axis = 0; axis < 3; axis++) {
        picture.min[axis] = stats.min[axis];
        picture.max[axis] = stats.max[axis];
    }
    return picture;
}

// Which of the level's axes run along the page's.
static void put_description(proto_writer *w, const view *v)
{
    const char *right = "", *down = "";
    char names[2] = {'x', 'z'};
    for (int axis = 0; axis < 3; axis++) {
        const int along = (int)v->coordinates.axes[axis];
        if (along == 1 || along == -1) {
            names[0] = "xyz"[axis];
            right = along > 0 ? "to the right" : "to the left";
        } else if (along == 3 || along == -3) {
            names[1] = "xyz"[axis];
            down = along > 0 ? "down" : "up";
        }
    }
    proto_write_text(
        w, "<desc>%u polygons in %u components; %c %s, %c %s; lighter is higher.</desc>\n",
        v->picture->polygon_count, v->picture->component_count, names[0], right, names[1], down);
}

void proto_write_svg(proto_writer *w, const proto_picture *picture)
{
    if (picture->polygon_count == 0) {
        put_empty(w, picture->width_px);
        return;
    }
    view v = view_of(picture);
    put_head(w, v.width_px, v.height_px);
    put_description(w, &v);
    put_background(w);
    put_polygons(w, &v);
    put_walls(w, &v);
    if (picture->link_count > 0) {
        put_links(w, &v);
    }
    if (picture->path != NULL) {
        put_path(w, &v, picture->path);
    }
    put_scale_bar(w, &v);
    proto_write_text(w, "</svg>\n");
}
