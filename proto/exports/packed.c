// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// packed.c: a mesh as JSON with its long lists in bytes (layout in README.md), which a program
// reads without parsing a digit: less than half of the size.

#include "proto/base/bytes.h"
#include "proto/exports/writers.h"
#include "proto/json/write.h"

#define MAGIC 0x4d56414eu // "NAVM"
#define FORMAT_VERSION 1u
#define HEAD_BYTES 36u

static void pad(proto_writer *w, char with)
{
    while (w->size_bytes % 4 != 0 && !w->failed) {
        proto_writer_put(w, &with, 1);
    }
}

// ---- the lists, of which each goes over the polygons ----

// The lists that each polygon has a part of.
enum {
    CORNERS,
    DETAIL_VERTICES,
    DETAIL_TRIANGLES,
    LISTS
};

// Leaves the ends of the last polygon's parts, which are the counts.
static void put_ends(proto_writer *w, const selection *s, uint32_t counts[LISTS])
{
    for (int list = 0; list < LISTS; list++) {
        memset(counts, 0, LISTS * sizeof *counts);
        for (uint32_t i = 0; i < s->polygon_count; i++) {
            const nav_polygon_detail detail = nav_mesh_polygon_detail(s->mesh, s->polygons[i]);
            counts[CORNERS] += nav_mesh_polygon(s->mesh, s->polygons[i]).vertex_count;
            counts[DETAIL_VERTICES] += detail.vertex_count;
            counts[DETAIL_TRIANGLES] += detail.triangle_count;
            proto_writer_put_u32(w, counts[list]);
        }
    }
}

static void put_corners(proto_writer *w, const selection *s)
{
    for (uint32_t i = 0; i < s->polygon_count; i++) {
        const nav_polygon polygon = nav_mesh_polygon(s->mesh, s->polygons[i]);
        for (uint32_t k = 0; k < polygon.vertex_count; k++) {
            proto_writer_put_u32(w, s->vertex_place[polygon.vertices[k]]);
        }
    }
}

// First where each edge's neighbours end, then the neighbours. Returns how many there are.
static uint32_t put_neighbours(proto_writer *w, const selection *s)
{
    uint32_t end = 0;
    for (uint32_t i = 0; i < s->polygon_count; i++) {
        const nav_polygon polygon = nav_mesh_polygon(s->mesh, s->polygons[i]);
        const uint32_t count =
            nav_mesh_edge_portals(s->mesh, s->polygons[i], s->portals, s->portal_capacity);
        uint32_t next = 0;
        for (uint32_t edge = 0; edge < polygon.vertex_count; edge++) {
            while (next < count && s->portals[next].edge == edge) {
                next++;
            }
            proto_writer_put_u32(w, end + next);
        }
        end += count;
    }
    for (uint32_t i = 0; i < s->polygon_count; i++) {
        const uint32_t count =
            nav_mesh_edge_portals(s->mesh, s->polygons[i], s->portals, s->portal_capacity);
        for (uint32_t k = 0; k < count; k++) {
            proto_writer_put_u32(w, s->portals[k].to);
        }
    }
    return end;
}

static void put_detail(proto_writer *w, const selection *s)
{
    for (uint32_t i = 0; i < s->polygon_count; i++) {
        const nav_polygon_detail detail = nav_mesh_polygon_detail(s->mesh, s->polygons[i]);
        for (uint32_t k = 0; k < detail.vertex_count; k++) {
            proto_writer_put_point(w, detail.vertices[k]);
        }
    }
    for (uint32_t i = 0; i < s->polygon_count; i++) {
        const nav_polygon_detail detail = nav_mesh_polygon_detail(s->mesh, s->polygons[i]);
        for (uint32_t k = 0; k < 3 * detail.triangle_count; k++) {
            const uint16_t corner = detail.triangles[k / 3][k % 3];
            proto_writer_put(w, (uint8_t[2]){(uint8_t)corner, (uint8_t)(corner >> 8)}, 2);
        }
    }
    pad(w, '\0');
}

static void put_areas(proto_writer *w, const selection *s)
{
    uint8_t places[SELECTION_AREAS] = {0};
    uint8_t next = 0;
    for (uint32_t i = 0; i < SELECTION_AREAS; i++) {
        if (s->area_used[i]) {
            places[i] = next++;
        }
    }
    for (uint32_t i = 0; i < s->polygon_count; i++) {
        proto_writer_put(w, &places[nav_mesh_polygon(s->mesh, s->polygons[i]).area], 1);
    }
    pad(w, '\0');
}

// ---- the file ----

// The sizes in the head are known at the end.
void export_packed(proto_writer *w, const proto_export *what, const selection *s)
{
    proto_writer_put(w, (uint8_t[HEAD_BYTES]){0}, HEAD_BYTES);
    proto_write_object_begin(w);
    export_json_head(w, what, s);
    export_json_switched(w, s);
    export_json_links(w, s);
    proto_write_object_end(w);
    pad(w, ' ');
    const size_t json_bytes = w->size_bytes - HEAD_BYTES;
    for (uint32_t i = 0; i < s->vertex_count; i++) {
        proto_writer_put_point(w, nav_mesh_vertex(s->mesh, s->vertices[i]));
    }
    for (uint32_t i = 0; i < s->polygon_count; i++) {
        proto_writer_put_u32(w, s->polygons[i]);
    }
    for (uint32_t i = 0; i < s->polygon_count; i++) {
        proto_writer_put_u32(w, nav_mesh_polygon(s->mesh, s->polygons[i]).component);
    }
    uint32_t counts[LISTS];
    put_ends(w, s, counts);
    put_corners(w, s);
    const uint32_t neighbours = put_neighbours(w, s);
    put_detail(w, s);
    put_areas(w, s);
    if (!w->failed) {
        const uint32_t head[HEAD_BYTES / 4] = {MAGIC,
                                               FORMAT_VERSION,
                                               (uint32_t)json_bytes,
                                               s->polygon_count,
                                               s->vertex_count,
                                               counts[CORNERS],
                                               neighbours,
                                               counts[DETAIL_VERTICES],
                                               counts[DETAIL_TRIANGLES]};
        for (size_t i = 0; i < HEAD_BYTES / 4; i++) {
            proto_put_u32((uint8_t *)w->bytes + 4 * i, head[i]);
        }
    }
}
