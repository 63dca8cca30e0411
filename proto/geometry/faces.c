// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// faces.c: faces of more than three corners. A format adds the triangles of their fans, as corners
// come; which fans leave their face is known only once all vertices are there.

#include "proto/geometry/geometry.h"

#include <stdlib.h>

// A cut may take so much for each corner, beside some of all faces together: memory, and polls of
// its hook. Faces that do not cross themselves stay far below.
#define CUT_BYTES 1024u
#define CUT_BYTES_MIN 262144u
#define CUT_POLLS (256.0 / 65536)
#define CUT_POLLS_MIN 1024.0

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

static bool is_cut_over(void *user)
{
    proto_geometry_reader *reader = user;
    reader->cut_polls -= 1;
    return reader->cut_polls < 0 || proto_geometry_poll(&reader->limits, NULL) != NAV_OK;
}

static nav_status cut(proto_geometry_reader *reader, const proto_geometry_face *face,
                      nav_error *err)
{
    const proto_geometry_limits *l = &reader->limits;
    const size_t memory = CUT_BYTES_MIN + (size_t)CUT_BYTES * face->count;
    nav_status status = l->hold != NULL ? l->hold(l->hooks->user, memory, err) : NAV_OK;
    if (status != NAV_OK) {
        return status;
    }
    const nav_bake_hooks hooks = {.user = reader, .cancelled = is_cut_over};
    bool whole;
    nav_arena scratch;
    nav_arena_init(&scratch, NULL, memory);
    reader->cut_polls += face->count * CUT_POLLS;
    status = nav_face_cut(reader->vertices, (uint32_t(*)[3])reader->triangles + face->first,
                          face->count, &hooks, &scratch, &whole);
    const bool out_of_memory = status == NAV_NO_MEMORY && !scratch.at_limit;
    nav_arena_free(&scratch);
    if (!whole) {
        const bool has_lines =
            reader->format != PROTO_FORMAT_PLY || reader->state.ply.layout == PROTO_PLY_ASCII;
        proto_geometry_warn(l, PROTO_READ_FACE_CROSSES,
                            nav_at(has_lines ? "line %u" : "face %u", face->line).text);
    }
    return out_of_memory ? nav_fail(err, status, "no memory to cut a face")
                         : proto_geometry_poll(l, err);
}

nav_status proto_faces_cut(proto_geometry_reader *reader, nav_error *err)
{
    nav_status status = NAV_OK;
    reader->cut_polls = CUT_POLLS_MIN;
    for (uint32_t i = 0; i < reader->face_count && status == NAV_OK; i++) {
        const proto_geometry_face *face = &reader->faces[i];
        const uint32_t(*fan)[3] = (const uint32_t(*)[3])reader->triangles + face->first;
        status = i % 4096 == 0 ? proto_geometry_poll(&reader->limits, err) : NAV_OK;
        if (status == NAV_OK && !nav_face_is_fan(reader->vertices, fan, face->count)) {
            status = cut(reader, face, err);
        }
    }
    free(reader->faces);
    reader->faces = NULL;
    reader->face_count = 0;
    return status;
}
