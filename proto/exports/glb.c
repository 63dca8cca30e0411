// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// glb.c: a mesh as binary glTF 2.0 (Khronos Group, ISO/IEC 12113:2022): Y up, metres, right-handed,
// which are the mesh's own coordinates, whatever those of the level. A node, a mesh and a material
// an area, of triangles of the height detail; links are lines of a node of their own.
//
//   header | JSON chunk | BIN chunk: x, y, z of all vertices | triangles by area | ends of links

#include "proto/exports/writers.h"
#include "proto/json/write.h"
#include "proto/replies/reply.h"

#include <string.h>

enum {
    GLB_MAGIC = 0x46546c67,
    GLB_JSON = 0x4e4f534a,
    GLB_BIN = 0x004e4942,
    GLB_HEADER_BYTES = 12,
    GLB_CHUNK_BYTES = 8,
    GLB_MODE_LINES = 1,
    GLB_MODE_TRIANGLES = 4,
    GLB_FLOAT = 5126,
    GLB_UNSIGNED_INT = 5125,
    GLB_ARRAY_BUFFER = 34962,
    GLB_ELEMENT_ARRAY_BUFFER = 34963
};

typedef struct plan {
    uint32_t vertex_count;               // with those of the detail
    uint32_t area_count;                 // with polygons
    uint8_t areas[SELECTION_AREAS];      // those
    uint64_t triangles[SELECTION_AREAS]; // of each of them
    uint64_t triangle_count, bin_bytes;
    float link_min[3], link_max[3];
} plan;

static void make_plan(const selection *s, plan *p)
{
    memset(p, 0, sizeof *p);
    p->vertex_count = s->vertex_count + s->detail_first[s->polygon_count];
    for (uint32_t area = 0; area < SELECTION_AREAS; area++) {
        uint64_t count = 0;
        for (uint32_t i = s->area_first[area]; i < s->area_first[area + 1]; i++) {
            const uint32_t number = s->polygons[s->by_area[i]];
            const nav_polygon polygon = nav_mesh_polygon(s->mesh, number);
            count += selection_triangles_of(s->mesh, &polygon, number).count;
        }
        if (count > 0) {
            p->areas[p->area_count] = (uint8_t)area;
            p->triangles[p->area_count++] = count;
            p->triangle_count += count;
        }
    }
    for (uint32_t i = 0; i < 2 * s->link_count; i++) {
        const nav_placed_link *link = nav_mesh_link(s->mesh, s->links[i / 2]);
        const float *at = i % 2 == 0 ? link->start : link->end;
        for (int axis = 0; axis < 3; axis++) {
            p->link_min[axis] =
                i == 0 || at[axis] < p->link_min[axis] ? at[axis] : p->link_min[axis];
            p->link_max[axis] =
                i == 0 || at[axis] > p->link_max[axis] ? at[axis] : p->link_max[axis];
        }
    }
    p->bin_bytes =
        12 * ((uint64_t)p->vertex_count + p->triangle_count + 2 * (uint64_t)s->link_count);
}

// ---- JSON chunk ----

static void write_asset(proto_writer *w, const proto_export *what)
{
    proto_member_object(w, "asset");
    proto_member_string(w, "version", "2.0");
    proto_member_string(w, "generator", "navmeshd");
    proto_member_object(w, "extras");
    proto_member_string(w, "mesh", what->mesh);
    proto_member_int(w, "version", what->version);
    proto_write_object_end(w);
    proto_write_object_end(w);
}

// Nodes, and of each the mesh of its number: areas, then links.
static void write_scene(proto_writer *w, const selection *s, const plan *p)
{
    const uint32_t count = p->area_count + (s->link_count > 0);
    proto_member_int(w, "scene", 0);
    proto_member_array(w, "scenes");
    proto_write_object_begin(w);
    if (count > 0) {
        proto_member_array(w, "nodes");
        for (uint32_t i = 0; i < count; i++) {
            proto_write_int(w, i);
        }
        proto_write_array_end(w);
    }
    proto_write_object_end(w);
    proto_write_array_end(w);
    if (count == 0) {
        return;
    }
    proto_member_array(w, "nodes");
    for (uint32_t i = 0; i < count; i++) {
        nav_name name = "links";
        if (i < p->area_count) {
            selection_area_name(s, p->areas[i], name);
        }
        proto_write_object_begin(w);
        proto_member_string(w, "name", name);
        proto_member_int(w, "mesh", i);
        proto_write_object_end(w);
    }
    proto_write_array_end(w);
}

// Accessor 0 has the vertices, 1 + i the triangles of area i, the last one the links' ends.
static void write_mesh(proto_writer *w, const char *name, uint32_t vertices, uint32_t indices,
                       uint32_t material)
{
    proto_write_object_begin(w);
    proto_member_string(w, "name", name);
    proto_member_array(w, "primitives");
    proto_write_object_begin(w);
    proto_member_object(w, "attributes");
    proto_member_int(w, "POSITION", vertices);
    proto_write_object_end(w);
    if (indices != NAV_NONE) {
        proto_member_int(w, "indices", indices);
    }
    proto_member_int(w, "material", material);
    proto_member_int(w, "mode", indices != NAV_NONE ? GLB_MODE_TRIANGLES : GLB_MODE_LINES);
    proto_write_object_end(w);
    proto_write_array_end(w);
    proto_write_object_end(w);
}

static void write_meshes(proto_writer *w, const selection *s, const plan *p)
{
    proto_member_array(w, "meshes");
    for (uint32_t i = 0; i < p->area_count; i++) {
        nav_name name;
        selection_area_name(s, p->areas[i], name);
        write_mesh(w, name, 0, 1 + i, i);
    }
    if (s->link_count > 0) {
        write_mesh(w, "links", 1 + p->area_count, NAV_NONE, p->area_count);
    }
    proto_write_array_end(w);
}

// Colours that stay apart for colour-blind eyes (after Okabe and Ito), as in pictures.
static void write_material(proto_writer *w, const char *name, uint32_t hue)
{
    static const float hues[9][3] = {
        {0.09f, 0.3f, 0.51f},  {0.67f, 0.34f, 0.05f}, {0.05f, 0.34f, 0.22f},
        {0.51f, 0.19f, 0.35f}, {0.19f, 0.22f, 0.51f}, {0.58f, 0.19f, 0.08f},
        {0.3f, 0.38f, 0.08f},  {0.22f, 0.22f, 0.22f}, {0.07f, 0.01f, 0.25f}};
    proto_write_object_begin(w);
    proto_member_string(w, "name", name);
    proto_member_object(w, "pbrMetallicRoughness");
    proto_member_array(w, "baseColorFactor");
    for (int i = 0; i < 3; i++) {
        proto_write_float(w, hues[hue][i]);
    }
    proto_write_int(w, 1);
    proto_write_array_end(w);
    proto_member_int(w, "metallicFactor", 0);
    proto_write_object_end(w);
    proto_member_bool(w, "doubleSided", true);
    proto_write_object_end(w);
}

static void write_materials(proto_writer *w, const selection *s, const plan *p)
{
    proto_member_array(w, "materials");
    for (uint32_t i = 0; i < p->area_count; i++) {
        nav_name name;
        selection_area_name(s, p->areas[i], name);
        write_material(w, name, p->areas[i] % 8u);
    }
    if (s->link_count > 0) {
        write_material(w, "links", 8);
    }
    proto_write_array_end(w);
}

static void write_accessor(proto_writer *w, uint32_t view, uint64_t offset, bool is_point,
                           uint64_t count, const float min[3], const float max[3])
{
    proto_write_object_begin(w);
    proto_member_int(w, "bufferView", view);
    proto_member_int(w, "byteOffset", offset);
    proto_member_int(w, "componentType", is_point ? GLB_FLOAT : GLB_UNSIGNED_INT);
    proto_member_int(w, "count", count);
    proto_member_string(w, "type", is_point ? "VEC3" : "SCALAR");
    if (is_point) {
        proto_write_sent_point(w, "min", min);
        proto_write_sent_point(w, "max", max);
    }
    proto_write_object_end(w);
}

static void write_view(proto_writer *w, uint64_t offset, uint64_t size_bytes, int target)
{
    proto_write_object_begin(w);
    proto_member_int(w, "buffer", 0);
    proto_member_int(w, "byteOffset", offset);
    proto_member_int(w, "byteLength", size_bytes);
    proto_member_int(w, "target", (uint64_t)target);
    proto_write_object_end(w);
}

// Views 0: vertices, 1: triangles, 2: ends of links.
static void write_buffers(proto_writer *w, const selection *s, const plan *p)
{
    const uint64_t vertex_bytes = 12 * (uint64_t)p->vertex_count;
    const uint64_t triangle_bytes = 12 * p->triangle_count;
    const uint64_t link_bytes = 24 * (uint64_t)s->link_count;
    uint64_t offset = 0;
    proto_member_array(w, "accessors");
    write_accessor(w, 0, 0, true, p->vertex_count, s->min, s->max);
    for (uint32_t i = 0; i < p->area_count; i++) {
        write_accessor(w, 1, offset, false, 3 * p->triangles[i], NULL, NULL);
        offset += 12 * p->triangles[i];
    }
    if (s->link_count > 0) {
        write_accessor(w, 2, 0, true, 2 * (uint64_t)s->link_count, p->link_min, p->link_max);
    }
    proto_write_array_end(w);
    proto_member_array(w, "bufferViews");
    write_view(w, 0, vertex_bytes, GLB_ARRAY_BUFFER);
    write_view(w, vertex_bytes, triangle_bytes, GLB_ELEMENT_ARRAY_BUFFER);
    if (s->link_count > 0) {
        write_view(w, vertex_bytes + triangle_bytes, link_bytes, GLB_ARRAY_BUFFER);
    }
    proto_write_array_end(w);
    proto_member_array(w, "buffers");
    proto_write_object_begin(w);
    proto_member_int(w, "byteLength", p->bin_bytes);
    proto_write_object_end(w);
    proto_write_array_end(w);
}

static void write_json(proto_writer *w, const proto_export *what, const selection *s, const plan *p)
{
    proto_write_object_begin(w);
    write_asset(w, what);
    write_scene(w, s, p);
    if (p->bin_bytes > 0) {
        write_meshes(w, s, p);
        write_materials(w, s, p);
        write_buffers(w, s, p);
    }
    proto_write_object_end(w);
}

// ---- BIN chunk ----

static void put_vertex(proto_writer *w, const float point[3])
{
    proto_writer_put(w, point, 3 * sizeof(float));
}

static void put_triangles(proto_writer *w, const selection *s, uint32_t place)
{
    const uint32_t number = s->polygons[place];
    const nav_polygon polygon = nav_mesh_polygon(s->mesh, number);
    const selection_triangles all = selection_triangles_of(s->mesh, &polygon, number);
    for (uint32_t i = 0; i < all.count; i++) {
        uint32_t corners[3];
        selection_triangle(&all, i, corners);
        for (uint32_t k = 0; k < 3; k++) {
            corners[k] = selection_corner(s, &polygon, place, corners[k]);
        }
        proto_writer_put(w, corners, sizeof corners);
    }
}

static void put_bin(proto_writer *w, const selection *s)
{
    selection_each_vertex(s, w, put_vertex);
    for (uint32_t i = 0; i < s->polygon_count; i++) {
        put_triangles(w, s, s->by_area[i]);
    }
    for (uint32_t i = 0; i < s->link_count; i++) {
        const nav_placed_link *link = nav_mesh_link(s->mesh, s->links[i]);
        put_vertex(w, link->start);
        put_vertex(w, link->end);
    }
}

static void put_numbers(proto_writer *w, const uint32_t *numbers, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        proto_writer_put_u32(w, numbers[i]);
    }
}

nav_status export_glb(proto_writer *w, const proto_export *what, const selection *s,
                      nav_arena *scratch, nav_error *err)
{
    plan *p = NAV_NEW(scratch, plan, 1);
    proto_writer json;
    if (p == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory to lay out the file");
    }
    make_plan(s, p);
    proto_writer_init(&json);
    write_json(&json, what, s, p);
    proto_writer_put(&json, "   ", (0 - json.size_bytes) % 4); // chunks end at a multiple of 4
    const uint64_t total = GLB_HEADER_BYTES + GLB_CHUNK_BYTES + (uint64_t)json.size_bytes +
                           (p->bin_bytes > 0 ? GLB_CHUNK_BYTES + p->bin_bytes : 0);
    nav_status status = NAV_OK;
    if (json.failed) {
        status = nav_fail(err, NAV_NO_MEMORY, "no memory to write the file");
    } else if (total > UINT32_MAX) {
        status =
            nav_fail_at(err, PROTO_NOT_EXPORTABLE, "bounds",
                        "the file would have %llu bytes, and binary glTF counts 32 bits of them: "
                        "export parts of the level with bounds",
                        (unsigned long long)total);
    } else {
        (void)proto_writer_reserve(w, (size_t)total);
        put_numbers(
            w, (uint32_t[5]){GLB_MAGIC, 2, (uint32_t)total, (uint32_t)json.size_bytes, GLB_JSON},
            5);
        proto_writer_put(w, json.bytes, json.size_bytes);
        if (p->bin_bytes > 0) {
            put_numbers(w, (uint32_t[2]){(uint32_t)p->bin_bytes, GLB_BIN}, 2);
            put_bin(w, s);
        }
    }
    proto_writer_free(&json);
    return status;
}
