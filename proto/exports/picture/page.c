// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// page.c: a picture of a mesh from above: the page, and the layers that lie on it one over the
// other.
//
//   +-------------------------> x, to the right
//   |   +-----------------+
//   |   | level: greys    |     The viewer looks down the y axis. z runs down the page, as SVG's y
//   |   | polygons: fill, |     does, so nothing is mirrored: north (-z) is up. One scale for both
//   |   |   strong walls  |     axes; all coordinates are pixels.
//   |   | tiles: thin     |
//   |   | links: dashed   |
//   |   | obstacles: red  |
//   |   | path: on top    |
//   |   +-----------------+
//   |    legend
//   v z    |---| 10 m
//
// The picture is plain shapes: no scripts, no styles, no links. Names are the only text that others
// have chosen, and go through picture_put_name (marks.c).

#include "proto/base/coordinates.h"
#include "proto/exports/picture/picture.h"

#include <math.h>
#include <stdio.h>

#define HEIGHT_PX_MIN 128.0
#define HEIGHT_PX_MAX 8192.0
#define EXTENT_MIN 1e-3

_Static_assert(PROTO_RENDER_WIDTH_MIN > 2 * (int)PICTURE_MARGIN_PX,
               "there is room between the margins");
_Static_assert((int)HEIGHT_PX_MIN > 2 * (int)PICTURE_MARGIN_PX + (int)PICTURE_FOOTER_PX,
               "there is room above the scale bar");

// ---- the path ----

static void put_line(proto_writer *w, const picture *p, const nav_path *path, const char *style)
{
    proto_write_text(w,
                     "<path fill=\"none\" stroke-linejoin=\"round\" stroke-linecap=\"round\" "
                     "%s d=\"",
                     style);
    for (size_t i = 0; i < path->point_count; i++) {
        picture_put_point(w, p, i == 0 ? 'M' : 'L', path->points + 3 * i);
    }
    PUT(w, "\"/>\n");
}

static void put_dot(proto_writer *w, const picture *p, const float point[3], const char *name,
                    const char *style)
{
    PUT(w, "<circle cx=\"");
    proto_writer_put_fixed(w, picture_x(p, (double)point[0]), 2);
    PUT(w, "\" cy=\"");
    proto_writer_put_fixed(w, picture_y(p, (double)point[2]), 2);
    proto_write_text(w, "\" r=\"6\" stroke-width=\"2.5\" %s><title>%s</title></circle>\n", style,
                     name);
}

static void put_path(proto_writer *w, const picture *p, const nav_path *path)
{
    proto_write_text(w, "<g id=\"path\">\n");
    if (path->point_count > 0) {
        put_line(w, p, path, "stroke=\"#ffffff\" stroke-width=\"7\"");
        put_line(w, p, path,
                 path->status == NAV_PATH_COMPLETE
                     ? "stroke=\"#b71c1c\" stroke-width=\"3.5\""
                     : "stroke=\"#b71c1c\" stroke-width=\"3.5\" stroke-dasharray=\"2 7\"");
    }
    // A full dot and a ring: distinct without colour.
    put_dot(w, p, path->start, "start", "fill=\"#b71c1c\" stroke=\"#ffffff\"");
    put_dot(w, p, path->end, "end", "fill=\"#ffffff\" stroke=\"#b71c1c\"");
    proto_write_text(w, "</g>\n");
}

// ---- the scale ----

// The largest of 1, 2, 5 times a power of ten units that takes at most a quarter of the width.
static double scale_bar_length(const picture *p)
{
    double limit = proto_length_to_level(p->coordinates, p->width_px / (4.0 * p->scale));
    double power = pow(10.0, floor(log10(limit)));
    return power * (limit >= 5.0 * power ? 5.0 : limit >= 2.0 * power ? 2.0 : 1.0);
}

static void put_scale_bar(proto_writer *w, const picture *p)
{
    const double units = scale_bar_length(p);
    const double length = proto_length_to_mesh(p->coordinates, units);
    NAV_ASSERT(length > 0.0 && length * p->scale <= p->width_px * (1.0 + 1e-12));
    double y = p->height_px - 12.0;
    char text[48];
    if (p->coordinates.scale == 1.0) {
        (void)snprintf(text, sizeof text, "%.6g m", length);
    } else {
        (void)snprintf(text, sizeof text, "%.6g (%.6g m)", units, length);
    }
    proto_write_text(w,
                     "<g id=\"scale\"><path fill=\"none\" stroke=\"#263238\" stroke-width=\"2\" "
                     "d=\"M%.2f %.2fv6h%.2fv-6\"/>\n<text x=\"%.2f\" y=\"%.2f\" "
                     "font-family=\"sans-serif\" font-size=\"13\" fill=\"#263238\">%s</text>"
                     "</g>\n",
                     PICTURE_MARGIN_PX, y - 6.0, length * p->scale,
                     PICTURE_MARGIN_PX + length * p->scale + 8.0, y, text);
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

// Which of the level's axes run along the page's.
static void put_description(proto_writer *w, const picture *p)
{
    const char *right = "", *down = "";
    char names[2] = {'x', 'z'};
    for (int axis = 0; axis < 3; axis++) {
        const int along = (int)p->coordinates.axes[axis];
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
        p->s->polygon_count, p->s->component_count, names[0], right, names[1], down);
}

// The ground that the picture is of: the bounds that it is cut at, or those of its polygons.
// Heights are always the polygons', so that their shades differ as far as they can.
static void find_ground(picture *p)
{
    const selection *s = p->s;
    const bool whole = !p->what->has_bounds;
    memcpy(p->min, whole ? s->stats.min : s->min, sizeof p->min);
    memcpy(p->max, whole ? s->stats.max : s->max, sizeof p->max);
    p->clips = p->what->has_bounds && p->view->is_cut;
    if (p->clips) {
        float min[3], max[3];
        memcpy(min, p->what->min, sizeof min);
        memcpy(max, p->what->max, sizeof max);
        proto_box_to_mesh(p->coordinates, min, max);
        p->min[0] = min[0];
        p->min[2] = min[2];
        p->max[0] = max[0];
        p->max[2] = max[2];
    }
}

static void arrange(picture *p)
{
    const double x_extent = fmax((double)p->max[0] - (double)p->min[0], EXTENT_MIN);
    const double z_extent = fmax((double)p->max[2] - (double)p->min[2], EXTENT_MIN);
    const double width = (double)p->view->width_px;
    const double inner = width - 2.0 * PICTURE_MARGIN_PX;
    double height = z_extent / x_extent * inner + 2.0 * PICTURE_MARGIN_PX + PICTURE_FOOTER_PX;
    height = ceil(fmin(fmax(height, HEIGHT_PX_MIN), HEIGHT_PX_MAX));
    const double inner_height = height - 2.0 * PICTURE_MARGIN_PX - PICTURE_FOOTER_PX;
    NAV_ASSERT(inner > 0.0 && inner_height > 0.0);
    p->scale = fmin(inner / x_extent, inner_height / z_extent);
    NAV_ASSERT(p->scale > 0.0 && isfinite(p->scale));
    p->left_px = (width - p->scale * x_extent) / 2.0;
    p->top_px = PICTURE_MARGIN_PX + (inner_height - p->scale * z_extent) / 2.0;
    p->width_px = width;
    p->height_px = height + picture_legend_px(p);
}

static nav_status put_layers(proto_writer *w, picture *p, nav_arena *scratch, nav_error *err)
{
    const bool ground = picture_has(p, PROTO_LAYER_AREAS | PROTO_LAYER_ISLANDS);
    nav_status status = NAV_OK;
    if (picture_has(p, PROTO_LAYER_LEVEL)) {
        status = picture_put_level(w, p, scratch, err);
    }
    NAV_IF_OK(status, ground ? picture_put_polygons(w, p, scratch, err) : NAV_OK);
    if (status != NAV_OK) {
        return status;
    }
    if (picture_has(p, PROTO_LAYER_TILES)) {
        picture_put_tiles(w, p);
    }
    if (ground && p->s->link_count > 0) {
        picture_put_links(w, p);
    }
    if (picture_has(p, PROTO_LAYER_OBSTACLES)) {
        picture_put_obstacles(w, p);
    }
    if (picture_has(p, PROTO_LAYER_PATH) && p->view->path != NULL) {
        put_path(w, p, p->view->path);
    }
    return NAV_OK;
}

nav_status picture_write(proto_writer *w, const proto_export *what, const proto_picture *view,
                         const selection *s, nav_arena *scratch, nav_error *err)
{
    NAV_ASSERT(view->width_px >= PROTO_RENDER_WIDTH_MIN);
    NAV_ASSERT(view->level != NULL || (view->layers & PROTO_LAYER_LEVEL) == 0);
    picture p = {.what = what, .view = view, .s = s, .coordinates = s->stats.coordinates};
    if (s->polygon_count == 0 && (view->layers & PROTO_LAYER_LEVEL) == 0) {
        put_empty(w, view->width_px);
        return NAV_OK;
    }
    find_ground(&p);
    nav_status status = picture_find_rows(&p, scratch, err);
    if (status != NAV_OK) {
        return status;
    }
    arrange(&p);
    put_head(w, p.width_px, p.height_px);
    put_description(w, &p);
    put_background(w);
    if (p.clips) {
        proto_write_text(w,
                         "<clipPath id=\"frame\"><rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" "
                         "height=\"%.2f\"/></clipPath>\n<g id=\"map\" clip-path=\"url(#frame)\">\n",
                         p.left_px, p.top_px, ((double)p.max[0] - (double)p.min[0]) * p.scale,
                         ((double)p.max[2] - (double)p.min[2]) * p.scale);
    }
    status = put_layers(w, &p, scratch, err);
    if (p.clips) {
        PUT(w, "</g>\n");
    }
    if (view->legend) {
        picture_put_legend(w, &p);
    }
    put_scale_bar(w, &p);
    PUT(w, "</svg>\n");
    return status == NAV_OK && p.ended ? nav_fail(err, NAV_CANCELLED, "the picture took too long")
                                       : status;
}
