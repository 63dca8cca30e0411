// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// shapes.c: nodes whose name makes the meshes at and below them no ground but a shape:
//
//   volume:AREA[:anything]   a convex volume of that area
//   switch:ID[:anything]     a shape of that switch
//
// The points of such a mesh's triangles are kept. They become a volume once the settings are known,
// which say which way is up: see requests/node_shapes.c.

#include "proto/base/text.h"
#include "proto/geometry/gltf/gltf.h"

#include <stdlib.h>
#include <string.h>

nav_status proto_gltf_shape_name(const proto_gltf_string *name, const nav_error_place *at,
                                 bool *is_shape, proto_geometry_shape *out, nav_error *err)
{
    static const char volume[] = "volume:", gate[] = "switch:";
    const bool is_volume = strncmp(name->text, volume, sizeof volume - 1) == 0;
    if (!is_volume && strncmp(name->text, gate, sizeof gate - 1) != 0) {
        *is_shape = false;
        return NAV_OK;
    }
    const char *begin = name->text + (is_volume ? sizeof volume : sizeof gate) - 1;
    const size_t length = strcspn(begin, ":");
    if (length == 0 || length > NAV_NAME_MAX || !proto_text_is_printable(begin, length)) {
        const nav_error_place place = nav_at("%.60s.name", at->text);
        proto_gltf_fail(
            err, &place, "behind %.7s comes %s, of 1 to %d bytes without control characters",
            name->text, is_volume ? "the name of an area" : "the id of a switch", NAV_NAME_MAX);
        nav_error_got(err, "%.63s", name->text);
        return PROTO_BAD_GEOMETRY;
    }
    *out = (proto_geometry_shape){.is_switch = !is_volume};
    memcpy(out->name, begin, length);
    *is_shape = true;
    return NAV_OK;
}

// The name of the node that makes the mesh a shape; the first walk has found it good.
static nav_status name_shape(const proto_geometry_reader *reader, uint32_t node,
                             proto_geometry_shape *out, nav_error *err)
{
    static const proto_gltf_row row = {.name = "name", .kind = PROTO_GLTF_STRING};
    proto_gltf_string name = {"", 0};
    nav_error_place at;
    bool is_shape = false;
    nav_status status = proto_gltf_read_element(reader->state.gltf, PROTO_GLTF_NODES, node,
                                                (proto_gltf_rows){&row, 1}, &at, &name, err);
    status = status == NAV_OK ? proto_gltf_shape_name(&name, &at, &is_shape, out, err) : status;
    NAV_ASSERT(status != NAV_OK || is_shape);
    return status;
}

static nav_status add_point(proto_geometry_reader *reader, const float point[3], nav_error *err)
{
    const nav_status status =
        proto_geometry_append(&reader->shape_points, &reader->shape_points_capacity,
                              reader->shape_point_count, point, 1, 3 * sizeof(float), err);
    reader->shape_point_count += status == NAV_OK;
    return status;
}

// The vertices that a triangle has, each once.
static nav_status add_points(proto_geometry_reader *reader, uint32_t first_vertex,
                             uint32_t first_triangle, nav_error *err)
{
    const uint32_t count = reader->vertex_count - first_vertex;
    uint8_t *used = calloc((size_t)count + 1, 1);
    if (used == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory for a shape of a glTF");
    }
    for (size_t i = (size_t)3 * first_triangle; i < (size_t)3 * reader->triangle_count; i++) {
        used[reader->triangles[i] - first_vertex] = 1;
    }
    nav_status status = NAV_OK;
    for (uint32_t i = 0; i < count && status == NAV_OK; i++) {
        if (used[i]) {
            status = add_point(reader, reader->vertices + (size_t)3 * (first_vertex + i), err);
        }
    }
    free(used);
    return status;
}

nav_status proto_gltf_take_shape(proto_geometry_reader *reader, const proto_gltf_placed *placed,
                                 uint32_t first_vertex, uint32_t first_triangle, nav_error *err)
{
    proto_geometry_shape shape = {0};
    const uint32_t points_before = reader->shape_point_count;
    nav_status status = name_shape(reader, placed->shape_node, &shape, err);
    status = status == NAV_OK ? add_points(reader, first_vertex, first_triangle, err) : status;
    shape.node = placed->node;
    shape.point_count = reader->shape_point_count - points_before;
    NAV_IF_OK(status, proto_geometry_append(&reader->shapes, &reader->shapes_capacity,
                                            reader->shape_count, &shape, 1, sizeof shape, err));
    if (status != NAV_OK) {
        return status;
    }
    reader->shape_count++;
    reader->state.gltf->shape_count++;
    reader->vertex_count = first_vertex;
    reader->triangle_count = first_triangle;
    return NAV_OK;
}
