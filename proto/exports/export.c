// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// export.c: from a format's word to its writer.
//
//   mesh, bounds --selection.c--> polygons, numbered anew
//     --json.c, obj.c, glb.c, mset.c, replies/svg.c--> bytes

#include "proto/exports/writers.h"
#include "proto/json/write.h"

#include <string.h>

static const struct {
    const char *ending, *media_type;
    // A guess, of texts: their buffer is not moved again and again as it grows. What is not written
    // of it takes no memory.
    uint32_t polygon_bytes;
} FORMATS[PROTO_EXPORT_COUNT] = {
    [PROTO_EXPORT_JSON] = {"json", "application/json", 280},
    [PROTO_EXPORT_OBJ] = {"obj", "model/obj", 130},
    [PROTO_EXPORT_GLB] = {"glb", "model/gltf-binary", 0},
    [PROTO_EXPORT_MSET] = {"mset", "application/vnd.detour.mset", 0},
    [PROTO_EXPORT_SVG] = {"svg", "image/svg+xml", 160},
};

static void make_room(proto_writer *w, proto_export_format format, const selection *s)
{
    const size_t guess = (size_t)FORMATS[format].polygon_bytes * s->polygon_count;
    if (w->limit_bytes == 0 || guess < w->limit_bytes) {
        (void)proto_writer_reserve(w, guess);
    }
}

nav_status proto_export_of(const char *mesh, uint32_t version, const nav_mesh *all,
                           const proto_export_request *request, proto_export *out, nav_error *err)
{
    uint32_t body;
    const nav_status status = proto_agent_find(all, request->agent, &body, err);
    if (status != NAV_OK) {
        return status;
    }
    *out = (proto_export){.mesh = mesh,
                          .version = version,
                          .agent = request->agent,
                          .nav = body == 0 ? all : nav_mesh_agent(all, body - 1),
                          .has_bounds = request->has_bounds};
    memcpy(out->min, request->min, sizeof out->min);
    memcpy(out->max, request->max, sizeof out->max);
    return NAV_OK;
}

const char *proto_export_media_type(proto_export_format format)
{
    NAV_ASSERT(format < PROTO_EXPORT_COUNT);
    return FORMATS[format].media_type;
}

const char *proto_export_ending(proto_export_format format)
{
    NAV_ASSERT(format < PROTO_EXPORT_COUNT);
    return FORMATS[format].ending;
}

#define PICTURE_WIDTH_PX 1024

static void export_svg(proto_writer *w, const selection *s)
{
    proto_picture picture = proto_picture_of(s->mesh, PICTURE_WIDTH_PX, NULL);
    picture.polygons = s->polygons;
    picture.polygon_count = s->polygon_count;
    picture.component_count = s->component_count;
    picture.links = s->links;
    picture.link_count = s->link_count;
    memcpy(picture.min, s->min, sizeof picture.min);
    memcpy(picture.max, s->max, sizeof picture.max);
    proto_write_svg(w, &picture);
}

static nav_status write(proto_writer *w, const proto_export *what, proto_export_format format,
                        const selection *s, nav_arena *scratch, nav_error *err)
{
    switch (format) {
    case PROTO_EXPORT_JSON:
        export_json(w, what, s);
        return NAV_OK;
    case PROTO_EXPORT_OBJ:
        export_obj(w, what, s);
        return NAV_OK;
    case PROTO_EXPORT_GLB:
        return export_glb(w, what, s, scratch, err);
    case PROTO_EXPORT_MSET:
        return export_mset(w, s, scratch, err);
    case PROTO_EXPORT_SVG:
        export_svg(w, s);
        return NAV_OK;
    case PROTO_EXPORT_COUNT:
        break;
    }
    NAV_ASSERT(false); // the request's reader knows the words above
    return NAV_OK;
}

nav_status proto_export_write(proto_writer *w, const proto_export *what, proto_export_format format,
                              nav_arena *scratch, nav_error *err)
{
    selection s;
    NAV_ASSERT(w->size_bytes == 0);
    nav_status status = selection_make(what, scratch, &s, err);
    if (status == NAV_OK) {
        w->coordinates = s.stats.coordinates;
        make_room(w, format, &s);
        status = write(w, what, format, &s, scratch, err);
    }
    if (status == NAV_OK && w->at_limit) {
        status = nav_fail(err, PROTO_NOT_EXPORTABLE,
                          "the file is larger than this daemon writes (--limit export_bytes=): "
                          "export parts of the level with bounds");
        nav_error_at(err, "bounds");
    } else if (status == NAV_OK && w->failed) {
        status = nav_fail(err, NAV_NO_MEMORY, "no memory to write the file");
    }
    return status;
}
