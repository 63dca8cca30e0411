// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// world.c: the layers around a mesh: the level's triangles beneath it, and above it what stands in
// the way at run time.

#include "proto/base/coordinates.h"
#include "proto/exports/picture/picture.h"

#include <math.h>

// ---- the level ----

static const float *corner_of(const nav_geometry *level, uint32_t triangle, uint32_t k)
{
    return level->vertices + 3 * (size_t)level->triangles[3 * (size_t)triangle + k];
}

// Whether the triangle's box meets the bounds; *top is its highest corner.
static bool is_within(const nav_geometry *level, uint32_t triangle, const float min[3],
                      const float max[3], float *top)
{
    bool within = true;
    for (int axis = 0; axis < 3; axis++) {
        const float a = corner_of(level, triangle, 0)[axis],
                    b = corner_of(level, triangle, 1)[axis],
                    c = corner_of(level, triangle, 2)[axis];
        const float highest = fmaxf(fmaxf(a, b), c);
        within = within && fminf(fminf(a, b), c) <= max[axis] && highest >= min[axis];
        *top = axis == 1 ? highest : *top;
    }
    return within;
}

// Flat ground is light, walls are dark.
static void put_shade(proto_writer *w, const nav_geometry *level, uint32_t triangle)
{
    const float *a = corner_of(level, triangle, 0), *b = corner_of(level, triangle, 1),
                *c = corner_of(level, triangle, 2);
    double u[3], v[3];
    for (int axis = 0; axis < 3; axis++) {
        u[axis] = (double)b[axis] - (double)a[axis];
        v[axis] = (double)c[axis] - (double)a[axis];
    }
    const double x = u[1] * v[2] - u[2] * v[1], y = u[2] * v[0] - u[0] * v[2],
                 z = u[0] * v[1] - u[1] * v[0];
    const double size = sqrt(x * x + y * y + z * z);
    const double upright = size > 0.0 ? fabs(y) / size : 0.0;
    const unsigned grey = (unsigned)(110.0 + 115.0 * upright);
    proto_write_text(w, "#%02x%02x%02x", grey, grey, grey);
}

// The triangles to be drawn, in that order.
static nav_status choose_triangles(picture *p, nav_arena *scratch, picture_shape **out,
                                   uint32_t *count, nav_error *err)
{
    const nav_geometry *level = p->view->level;
    float min[3] = {-INFINITY, -INFINITY, -INFINITY}, max[3] = {INFINITY, INFINITY, INFINITY};
    if (p->what->has_bounds) {
        memcpy(min, p->what->min, sizeof min);
        memcpy(max, p->what->max, sizeof max);
        proto_box_to_mesh(p->coordinates, min, max);
    }
    picture_shape *places = NAV_NEW(scratch, picture_shape, level->triangle_count);
    if (places == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory to draw the level's triangles");
    }
    *count = 0;
    for (uint32_t i = 0; i < level->triangle_count && picture_goes_on(p); i++) {
        picture_shape place = {.index = i};
        if (is_within(level, i, min, max, &place.top)) {
            places[(*count)++] = place;
        }
    }
    picture_sort(places, *count);
    *out = places;
    return NAV_OK;
}

nav_status picture_put_level(proto_writer *w, picture *p, nav_arena *scratch, nav_error *err)
{
    const nav_geometry *level = p->view->level;
    picture_shape *places = NULL;
    uint32_t count = 0;
    const nav_status status = choose_triangles(p, scratch, &places, &count, err);
    if (status != NAV_OK) {
        return status;
    }
    PUT(w, "<g id=\"level\" stroke=\"#757575\" stroke-width=\"0.3\" stroke-linejoin=\"round\">\n");
    for (uint32_t i = 0; i < count && !w->failed && picture_goes_on(p); i++) {
        PUT(w, "<path fill=\"");
        put_shade(w, level, places[i].index);
        PUT(w, "\" d=\"");
        for (uint32_t k = 0; k < 3; k++) {
            picture_put_point(w, p, k == 0 ? 'M' : 'L', corner_of(level, places[i].index, k));
        }
        PUT(w, "Z\"/>\n");
    }
    PUT(w, "</g>\n");
    return NAV_OK;
}

// ---- switches ----

// The ground of switches that are closed.
static void put_switches(proto_writer *w, picture *p)
{
    const nav_mesh *mesh = p->s->mesh;
    PUT(w, "<g id=\"switches\" fill=\"#b71c1c\" fill-opacity=\"0.6\">\n");
    for (uint32_t i = 0; i < p->s->polygon_count && picture_goes_on(p); i++) {
        const uint16_t *under = NULL;
        const uint32_t count = nav_mesh_polygon_switches(mesh, p->s->polygons[i], &under);
        for (uint32_t k = 0; k < count; k++) {
            if (picture_is_closed(p, under[k] + 1u)) {
                const nav_polygon polygon = nav_mesh_polygon(mesh, p->s->polygons[i]);
                nav_switch_info info;
                nav_mesh_switch(mesh, under[k], &info);
                PUT(w, "<path d=\"");
                picture_put_outline(w, p, &polygon);
                PUT(w, "\">");
                picture_put_title(w, info.id);
                PUT(w, "</path>\n");
            }
        }
    }
    PUT(w, "</g>\n");
}

// ---- obstacles ----

static void put_convex(proto_writer *w, const picture *p, const nav_avoid *shape)
{
    PUT(w, "<path d=\"");
    for (uint32_t i = 0; i < shape->point_count; i++) {
        const float point[3] = {shape->points[i][0], 0.0f, shape->points[i][1]};
        picture_put_point(w, p, i == 0 ? 'M' : 'L', point);
    }
    PUT(w, "Z\"");
}

// All that is so near to a line: two halves of circles, and the lines between them.
static void put_capsule(proto_writer *w, const picture *p, const nav_avoid *shape)
{
    const double dx = (double)shape->end[0] - (double)shape->center[0];
    const double dz = (double)shape->end[1] - (double)shape->center[1];
    const double length = sqrt(dx * dx + dz * dz);
    const double r = (double)shape->radius * p->scale;
    // Across the line, a radius long.
    const double ax = length > 0.0 ? -dz / length * r : r,
                 az = length > 0.0 ? dx / length * r : 0.0;
    const double x0 = picture_x(p, (double)shape->center[0]);
    const double y0 = picture_y(p, (double)shape->center[1]);
    const double x1 = picture_x(p, (double)shape->end[0]), y1 = picture_y(p, (double)shape->end[1]);
    proto_write_text(w,
                     "<path d=\"M%.2f %.2fA%.2f %.2f 0 0 1 %.2f %.2fL%.2f %.2f"
                     "A%.2f %.2f 0 0 1 %.2f %.2fZ\"",
                     x0 + ax, y0 + az, r, r, x0 - ax, y0 - az, x1 - ax, y1 - az, r, r, x1 + ax,
                     y1 + az);
}

static void put_shape(proto_writer *w, const picture *p, const nav_avoid *shape, const char *id)
{
    const char *element = "path";
    switch (shape->shape) {
    case NAV_AVOID_CIRCLE:
        element = "circle";
        proto_write_text(w, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%.2f\"",
                         picture_x(p, (double)shape->center[0]),
                         picture_y(p, (double)shape->center[1]), (double)shape->radius * p->scale);
        break;
    case NAV_AVOID_BOX:
        element = "rect";
        proto_write_text(w, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"",
                         picture_x(p, (double)shape->min[0]), picture_y(p, (double)shape->min[1]),
                         ((double)shape->max[0] - (double)shape->min[0]) * p->scale,
                         ((double)shape->max[1] - (double)shape->min[1]) * p->scale);
        break;
    case NAV_AVOID_CONVEX:
        put_convex(w, p, shape);
        break;
    case NAV_AVOID_CAPSULE:
        put_capsule(w, p, shape);
        break;
    }
    proto_write_text(w, "%s>", shape->blocked ? "" : " fill=\"#ef6c00\" stroke=\"#ef6c00\"");
    picture_put_title(w, id);
    proto_write_text(w, "</%s>\n", element);
}

void picture_put_obstacles(proto_writer *w, picture *p)
{
    const proto_world *world = p->view->world;
    put_switches(w, p);
    PUT(w, "<g id=\"obstacles\" fill=\"#d50000\" fill-opacity=\"0.5\" stroke=\"#d50000\" "
           "stroke-width=\"1.2\">\n");
    for (uint32_t i = 0; world != NULL && i < world->shape_count && picture_goes_on(p); i++) {
        put_shape(w, p, &world->shapes[i], world->shape_ids[i]);
    }
    PUT(w, "</g>\n");
    picture_put_world_links(w, p);
}
