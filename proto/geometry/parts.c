// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// parts.c: parts of a level become one geometry. A part that is read has a reader of its own, whose
// triangles are moved behind those of the parts before it when it ends; so there is never more than
// the whole and one part of it.

#include "proto/geometry/parts.h"

#include "proto/base/coordinates.h"
#include "proto/geometry/geometry.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct proto_parts {
    proto_geometry_reader *all;
    proto_geometry_reader *open; // of the part that is read, or NULL
    proto_geometry_part begun;   // that one
    proto_geometry_part *items;
    uint32_t count;
    size_t capacity;
    proto_geometry_part *places; // of proto_parts_take_places, malloc'ed
    uint32_t place_count;
};

nav_status proto_parts_create(const proto_geometry_limits *limits, proto_parts **out,
                              nav_error *err)
{
    proto_parts *parts = calloc(1, sizeof *parts);
    if (parts == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory for the parts of a level");
    }
    nav_status status = proto_geometry_begin(PROTO_FORMAT_UNKNOWN, limits, &parts->all, err);
    if (status != NAV_OK) {
        proto_parts_destroy(parts);
        return status;
    }
    parts->all->format = PROTO_FORMAT_PARTS;
    *out = parts;
    return NAV_OK;
}

void proto_parts_destroy(proto_parts *parts)
{
    if (parts != NULL) {
        proto_geometry_destroy(parts->open);
        proto_geometry_destroy(parts->all);
        free(parts->items);
        free(parts->places);
        free(parts);
    }
}

uint64_t proto_parts_memory(const proto_parts *parts)
{
    return proto_geometry_memory(parts->all) + proto_geometry_memory(parts->open);
}

// ---- one part ----

// Puts the part's name before a fault of it. One that is too large is so for what the parts before
// it have left.
static nav_status blame(const proto_parts *parts, const proto_geometry_part *part, nav_error *why,
                        nav_error *err)
{
    const bool vertices = strcmp(why->at, "vertices") == 0;
    if (why->status == NAV_GEOMETRY_TOO_LARGE && (vertices || strcmp(why->at, "triangles") == 0)) {
        const proto_geometry_limits *limits = &parts->all->limits;
        const uint32_t limit = vertices ? limits->vertices_max : limits->triangles_max;
        const nav_error before = *why;
        nav_fail_at(why, NAV_GEOMETRY_TOO_LARGE, before.at,
                    "all parts together have more than %u %s", limit, before.at);
        nav_error_limit(why, "%u", limit);
    }
    if (err != NULL) {
        *err = *why;
        (void)snprintf(err->detail, sizeof err->detail, "part %s: %.190s", part->name, why->detail);
        proto_error_within(err, "part %s%s", part->name, why->at[0] != '\0' ? ", " : "");
    }
    return why->status;
}

static nav_status refuse_name(const proto_geometry_part *part, const char *why, nav_error *err)
{
    nav_fail_at(err, NAV_INVALID_FIELD, "parts", "part %s: %s", part->name, why);
    nav_error_got(err, "%s", part->name);
    return NAV_INVALID_FIELD;
}

// Whether a part may be added.
static nav_status check_new(const proto_parts *parts, const proto_geometry_part *part,
                            nav_error *err)
{
    if (part->name[0] == '\0') {
        return nav_fail(err, NAV_INVALID_FIELD, "a part has no name");
    }
    for (uint32_t i = 0; i < parts->count; i++) {
        if (strcmp(parts->items[i].name, part->name) == 0) {
            return refuse_name(part, "this name is given twice", err);
        }
    }
    if (parts->count == PROTO_PARTS_MAX) {
        nav_fail_at(err, NAV_GEOMETRY_TOO_LARGE, "parts", "the level has more than %u parts",
                    PROTO_PARTS_MAX);
        nav_error_limit(err, "%u", PROTO_PARTS_MAX);
        return NAV_GEOMETRY_TOO_LARGE;
    }
    return NAV_OK;
}

nav_status proto_parts_begin(proto_parts *parts, const proto_geometry_part *part,
                             proto_format format, nav_error *err)
{
    NAV_ASSERT(parts->open == NULL);
    nav_status status = check_new(parts, part, err);
    if (status != NAV_OK) {
        return status;
    }
    proto_geometry_limits limits = parts->all->limits;
    limits.vertices_max -= parts->all->vertex_count;
    limits.triangles_max -= parts->all->triangle_count;
    parts->begun = *part;
    limits.part = parts->begun.name;
    return proto_geometry_begin(format, &limits, &parts->open, err);
}

nav_status proto_parts_feed(proto_parts *parts, const void *bytes, size_t size_bytes,
                            nav_error *err)
{
    nav_error why = {0};
    NAV_ASSERT(parts->open != NULL);
    return proto_geometry_feed(parts->open, bytes, size_bytes, &why) == NAV_OK
               ? NAV_OK
               : blame(parts, &parts->begun, &why, err);
}

// ---- into the whole ----

// Whether the whole has room for so many more. what: "vertices" or "triangles", for blame.
static nav_status check_count(uint32_t count, uint32_t more, uint32_t limit, const char *what,
                              nav_error *err)
{
    return more > limit - count
               ? nav_fail_at(err, NAV_GEOMETRY_TOO_LARGE, what, "too many %s", what)
               : NAV_OK;
}

static nav_status add_vertices(proto_geometry_reader *all, const float *vertices, uint32_t count,
                               nav_error *err)
{
    nav_status status =
        check_count(all->vertex_count, count, all->limits.vertices_max, "vertices", err);
    NAV_IF_OK(status,
              proto_geometry_append(&all->vertices, &all->vertices_capacity, all->vertex_count,
                                    vertices, count, 3 * sizeof(float), err));
    all->vertex_count += status == NAV_OK ? count : 0;
    return status;
}

// A run of triangles of another geometry.
typedef struct run {
    const nav_geometry *from;
    uint32_t first, count;               // triangles
    uint32_t first_vertex, vertex_count; // that they may name
} run;

static nav_status add_areas(proto_geometry_reader *all, const run *r, nav_error *err)
{
    const nav_status status =
        proto_geometry_append(&all->areas, &all->areas_capacity, all->area_count,
                              r->from->triangle_areas + r->first, r->count, 1, err);
    all->area_count += status == NAV_OK ? r->count : 0;
    return status;
}

// base: what the first of their vertices is in the whole.
static nav_status add_triangles(proto_geometry_reader *all, const run *r, uint32_t base,
                                nav_error *err)
{
    nav_status status =
        check_count(all->triangle_count, r->count, all->limits.triangles_max, "triangles", err);
    NAV_IF_OK(status,
              proto_geometry_append(&all->triangles, &all->triangles_capacity, all->triangle_count,
                                    NULL, r->count, 3 * sizeof(uint32_t), err));
    if (status != NAV_OK || r->count == 0) {
        return status;
    }
    uint32_t *out = all->triangles + (size_t)3 * all->triangle_count;
    const uint32_t *in = r->from->triangles + (size_t)3 * r->first;
    for (size_t i = 0; i < (size_t)3 * r->count; i++) {
        if (in[i] < r->first_vertex || in[i] - r->first_vertex >= r->vertex_count) {
            return nav_fail(err, NAV_INDEX_OUT_OF_RANGE, "a triangle has a corner in another part");
        }
        out[i] = in[i] - r->first_vertex + base;
    }
    all->triangle_count += r->count;
    return r->from->triangle_areas != NULL ? add_areas(all, r, err) : NAV_OK;
}

// The materials of the newest triangles. They are kept once there is one, as in obj.c.
static nav_status add_materials(proto_geometry_reader *all, const run *r, nav_error *err)
{
    proto_materials *m = &all->materials;
    const nav_geometry *from = r->from;
    nav_status status = NAV_OK;
    if (m->count == 0 && from->triangle_materials == NULL) {
        return NAV_OK;
    }
    while (status == NAV_OK && m->count < all->triangle_count - r->count) {
        status = proto_materials_add(m, "", err);
    }
    for (uint32_t i = r->first; status == NAV_OK && i < r->first + r->count; i++) {
        const char *name = from->triangle_materials != NULL
                               ? from->material_names[from->triangle_materials[i]]
                               : "";
        status = proto_materials_add(m, name, err);
    }
    return status;
}

static nav_status add_item(proto_parts *parts, const proto_geometry_part *part, bool placed,
                           nav_error *err)
{
    const nav_status status = proto_geometry_append(&parts->items, &parts->capacity, parts->count,
                                                    part, 1, sizeof *part, err);
    if (status == NAV_OK) {
        parts->items[parts->count++].placed = placed;
    }
    return status;
}

static nav_status append(proto_parts *parts, const proto_geometry_part *part, bool placed,
                         const nav_geometry *from, uint32_t first_vertex, uint32_t first_triangle,
                         nav_error *err)
{
    const uint32_t base = parts->all->vertex_count;
    const bool has_areas = from->triangle_areas != NULL;
    if (parts->count > 0 && has_areas != (parts->all->areas != NULL)) {
        return nav_fail(err, NAV_INVALID_FIELD,
                        "either all parts have areas by number, or none; use materials");
    }
    const run r = {.from = from,
                   .first = first_triangle,
                   .count = part->triangle_count,
                   .first_vertex = first_vertex,
                   .vertex_count = part->vertex_count};
    proto_geometry_reader *all = parts->all;
    nav_status status =
        add_vertices(all, from->vertices + (size_t)3 * first_vertex, part->vertex_count, err);
    NAV_IF_OK(status, add_triangles(all, &r, base, err));
    NAV_IF_OK(status, add_materials(all, &r, err));
    return status == NAV_OK ? add_item(parts, part, placed, err) : status;
}

// Shapes that stand in the part that ends. Their points are known once all have come.
static nav_status add_shapes(proto_parts *parts, proto_geometry_part *part, nav_error *err)
{
    uint32_t count;
    const proto_geometry_shape *shapes = proto_geometry_shapes(parts->open, &count);
    proto_geometry_reader *all = parts->all;
    nav_status status = NAV_OK;
    for (uint32_t i = 0; status == NAV_OK && i < count; i++) {
        status = proto_geometry_append(&all->shapes, &all->shapes_capacity, all->shape_count,
                                       &shapes[i], 1, sizeof *shapes, err);
        NAV_IF_OK(status, proto_geometry_append(&all->shape_points, &all->shape_points_capacity,
                                                all->shape_point_count, shapes[i].points,
                                                shapes[i].point_count, 3 * sizeof(float), err));
        if (status == NAV_OK) {
            all->shape_point_count += shapes[i].point_count;
            all->shape_count++;
        }
    }
    part->shape_count = count;
    return status;
}

nav_status proto_parts_end(proto_parts *parts, nav_error *err)
{
    nav_error why = {0};
    nav_geometry geometry;
    proto_geometry_part *part = &parts->begun;
    NAV_ASSERT(parts->open != NULL);
    nav_status status = proto_geometry_end(parts->open, &geometry, &why);
    size_t source_bytes;
    if (status == NAV_OK && proto_geometry_source(parts->open, &source_bytes) != NULL) {
        status = nav_fail(&why, PROTO_MEDIA_TYPE, "tiles are no part of a level: send triangles");
    }
    if (status == NAV_OK && proto_geometry_config(parts->open) != NULL) {
        status =
            nav_fail_at(&why, NAV_INVALID_FIELD, "config",
                        "it has a config within: settings are the level's, and stand beside its "
                        "parts");
    }
    if (status == NAV_OK) {
        part->vertex_count = geometry.vertex_count;
        part->triangle_count = geometry.triangle_count;
        status = add_shapes(parts, part, &why);
        // Shapes become settings: they could not be taken from the geometry again.
        if (part->shape_count > 0) {
            part->stamp[0] = '\0';
        }
    }
    NAV_IF_OK(status, append(parts, part, false, &geometry, 0, 0, &why));
    proto_geometry_destroy(parts->open);
    parts->open = NULL;
    return status == NAV_OK ? NAV_OK : blame(parts, part, &why, err);
}

nav_status proto_parts_keep(proto_parts *parts, const proto_geometry_part *part,
                            const nav_geometry *from, uint32_t first_vertex,
                            uint32_t first_triangle, nav_error *err)
{
    nav_error why = {0};
    NAV_ASSERT(parts->open == NULL);
    nav_status status = check_new(parts, part, err);
    if (status != NAV_OK) {
        return status;
    }
    if (first_vertex > from->vertex_count ||
        part->vertex_count > from->vertex_count - first_vertex ||
        first_triangle > from->triangle_count ||
        part->triangle_count > from->triangle_count - first_triangle) {
        status = nav_fail(&why, NAV_INVALID_FIELD, "it is not in the geometry that has it");
    }
    NAV_IF_OK(status, append(parts, part, true, from, first_vertex, first_triangle, &why));
    return status == NAV_OK ? NAV_OK : blame(parts, part, &why, err);
}

// ---- places ----

static void rotate_by(const float q[4], float point[3])
{
    double u[3], v[3], p[3] = {(double)point[0], (double)point[1], (double)point[2]};
    const double x = (double)q[0], y = (double)q[1], z = (double)q[2], w = (double)q[3];
    // p + 2 w (q x p) + 2 q x (q x p)
    u[0] = y * p[2] - z * p[1];
    u[1] = z * p[0] - x * p[2];
    u[2] = x * p[1] - y * p[0];
    v[0] = y * u[2] - z * u[1];
    v[1] = z * u[0] - x * u[2];
    v[2] = x * u[1] - y * u[0];
    for (int axis = 0; axis < 3; axis++) {
        point[axis] = (float)(p[axis] + 2 * (w * u[axis] + v[axis]));
    }
}

static bool is_moved(const proto_placement *at)
{
    const float *q = at->rotate, *to = at->translate;
    const bool turned = at->by_degrees || q[0] != 0 || q[1] != 0 || q[2] != 0 || q[3] != 1;
    return turned || at->scale != 1 || to[0] != 0 || to[1] != 0 || to[2] != 0;
}

static void place_point(const proto_placement *at, nav_coordinates coordinates, float point[3])
{
    static const float origin[3] = {0, 0, 0};
    for (int axis = 0; axis < 3; axis++) {
        point[axis] *= at->scale;
    }
    if (at->by_degrees) {
        proto_turn(coordinates, origin, (double)at->degrees, point);
    } else {
        rotate_by(at->rotate, point);
    }
    for (int axis = 0; axis < 3; axis++) {
        point[axis] += at->translate[axis];
    }
}

// Gives the shapes from `first` on, which are the part's, their points, in their place.
static void place_shapes(proto_parts *parts, const proto_geometry_part *part, uint32_t first,
                         float **points, nav_coordinates coordinates)
{
    for (uint32_t i = first; i < first + part->shape_count; i++) {
        proto_geometry_shape *shape = &parts->all->shapes[i];
        shape->points = *points;
        for (uint32_t k = 0; k < shape->point_count; k++, *points += 3) {
            if (is_moved(&part->placement)) {
                place_point(&part->placement, coordinates, *points);
            }
        }
    }
}

// The part's first vertex is `first`.
static nav_status place_part(proto_parts *parts, const proto_geometry_part *part, uint32_t first,
                             nav_coordinates coordinates, nav_error *err)
{
    const double limit =
        fmin(parts->all->limits.coordinate_max, proto_level_coordinate_max(coordinates));
    for (uint32_t i = 0; i < part->vertex_count; i++) {
        float *point = parts->all->vertices + (size_t)3 * (first + i);
        place_point(&part->placement, coordinates, point);
        for (int axis = 0; axis < 3; axis++) {
            if (!(fabs((double)point[axis]) <= limit)) {
                nav_error why = {0};
                nav_fail_at(&why, NAV_VERTEX_OUT_OF_RANGE,
                            nav_at("vertices[%u].%c", i, "xyz"[axis]).text,
                            "in its place vertex %u is further out than %.6g", i, limit);
                nav_error_got(&why, "%.9g", (double)point[axis]);
                nav_error_limit(&why, "%.6g", limit);
                return blame(parts, part, &why, err);
            }
        }
    }
    return NAV_OK;
}

void proto_parts_take_places(proto_parts *parts, proto_geometry_part *places, uint32_t count)
{
    NAV_ASSERT(parts->places == NULL);
    parts->places = places;
    parts->place_count = count;
}

// Gives parts the placements that were read beside them.
static nav_status take_places(proto_parts *parts, nav_error *err)
{
    for (uint32_t i = 0; i < parts->place_count; i++) {
        uint32_t k = 0;
        while (k < parts->count && strcmp(parts->items[k].name, parts->places[i].name) != 0) {
            k++;
        }
        if (k == parts->count) {
            return refuse_name(&parts->places[i], "there is no such part", err);
        }
        parts->items[k].placement = parts->places[i].placement;
    }
    return NAV_OK;
}

nav_status proto_parts_place(proto_parts *parts, nav_coordinates coordinates, nav_geometry *out,
                             nav_error *err)
{
    uint32_t first = 0, first_shape = 0;
    float *points = parts->all->shape_points;
    NAV_ASSERT(parts->open == NULL);
    if (parts->count == 0) {
        return nav_fail(err, NAV_INVALID_FIELD, "the level has no part");
    }
    nav_status status = take_places(parts, err);
    for (uint32_t i = 0; status == NAV_OK && i < parts->count; i++) {
        proto_geometry_part *part = &parts->items[i];
        if (!part->placed && is_moved(&part->placement)) {
            status = place_part(parts, part, first, coordinates, err);
        }
        place_shapes(parts, part, first_shape, &points, coordinates);
        part->placed = true;
        first += part->vertex_count;
        first_shape += part->shape_count;
    }
    return status == NAV_OK ? proto_geometry_end(parts->all, out, err) : status;
}

proto_geometry_reader *proto_parts_whole(const proto_parts *parts)
{
    return parts->all;
}

const proto_geometry_part *proto_parts_list(const proto_parts *parts, uint32_t *count)
{
    *count = parts->count;
    return parts->items;
}
