// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// faces.c: faces of more than three corners. A format adds the triangles of their fans, as corners
// come; which fans leave their face is known only once all vertices are there.

#include "proto/geometry/geometry.h"

#include <stdlib.h>

// A cut may take so much memory for each corner, beside some.
#define CUT_BYTES ((size_t)1024)
#define CUT_BYTES_MIN ((size_t)256 << 10)
#define CUT_BYTES_MAX ((size_t)256 << 20)
// And so much work, beside some of all faces together, of the level or of one part of it.
#define CUT_WORK 64u
#define CUT_WORK_MIN (UINT64_C(1) << 25)
#define CUT_WORK_MIN_OF_PART (UINT64_C(1) << 22)
// A face that comes more often to each vertex of its file crosses itself.
#define CORNERS_PER_VERTEX 4u

nav_status proto_faces_add(proto_geometry_reader *reader, bool begins, uint64_t line,
                           nav_error *err)
{
    nav_status status = NAV_OK;
    if (begins) {
        const proto_geometry_face face = {.first = reader->triangle_count - 2,
                                          .line = (uint32_t)line};
        status = proto_geometry_append(&reader->faces, &reader->faces_capacity, reader->face_count,
                                       &face, 1, sizeof face, err);
        reader->face_count += status == NAV_OK;
    }
    if (status == NAV_OK) {
        proto_geometry_face *last = &reader->faces[reader->face_count - 1];
        last->count = reader->triangle_count - last->first;
    }
    return status;
}

// *whole: all of the face was cut.
static nav_status cut(const proto_geometry_reader *reader, const proto_geometry_face *face,
                      uint64_t *work, bool *whole, nav_error *err)
{
    const proto_geometry_limits *l = &reader->limits;
    uint32_t(*triangles)[3] = (uint32_t(*)[3])reader->triangles + face->first;
    if (face->count > CORNERS_PER_VERTEX * (uint64_t)reader->vertex_count) {
        *whole = false;
        for (uint32_t i = 0; i < face->count; i++) { // without surface
            triangles[i][1] = triangles[i][2] = triangles[i][0];
        }
        return NAV_OK;
    }
    size_t memory = CUT_BYTES_MIN + CUT_BYTES * face->count;
    memory = memory < CUT_BYTES_MAX ? memory : CUT_BYTES_MAX;
    nav_status status = l->hold != NULL ? l->hold(l->hooks->user, memory, err) : NAV_OK;
    if (status != NAV_OK) {
        return status;
    }
    nav_arena scratch;
    nav_arena_init(&scratch, NULL, memory);
    *work += CUT_WORK * (uint64_t)face->count;
    status =
        nav_face_cut(reader->vertices, triangles, face->count, l->hooks, work, &scratch, whole);
    const bool out_of_memory = status == NAV_NO_MEMORY && !scratch.at_limit;
    nav_arena_free(&scratch);
    return out_of_memory ? nav_fail(err, status, "no memory to cut a face")
                         : proto_geometry_poll(l, err);
}

static void warn(const proto_geometry_reader *reader, const proto_geometry_face *face)
{
    const bool has_lines =
        reader->format != PROTO_FORMAT_PLY || reader->state.ply.layout == PROTO_PLY_ASCII;
    proto_geometry_warn(&reader->limits, PROTO_READ_FACE_CROSSES,
                        nav_at(has_lines ? "line %u" : "face %u", face->line).text);
}

nav_status proto_faces_cut(proto_geometry_reader *reader, nav_error *err)
{
    nav_status status = NAV_OK;
    uint64_t work = reader->limits.part == NULL ? CUT_WORK_MIN : CUT_WORK_MIN_OF_PART;
    for (uint32_t i = 0; i < reader->face_count && status == NAV_OK; i++) {
        const proto_geometry_face *face = &reader->faces[i];
        const uint32_t(*fan)[3] = (const uint32_t(*)[3])reader->triangles + face->first;
        bool whole = true;
        status = i % 4096 == 0 ? proto_geometry_poll(&reader->limits, err) : NAV_OK;
        if (status == NAV_OK && !nav_face_is_fan(reader->vertices, fan, face->count)) {
            status = cut(reader, face, &work, &whole, err);
        }
        if (!whole) {
            warn(reader, face);
        }
    }
    free(reader->faces);
    reader->faces = NULL;
    reader->face_count = 0;
    return status;
}
