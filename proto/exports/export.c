// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// export.c: from a format's word to its writer.
//
//   mesh, bounds --selection.c--> polygons, numbered anew
//     --json.c, packed.c, obj.c, glb.c, mset.c, picture/page.c--> bytes

#include "proto/exports/picture/picture.h"
#include "proto/exports/writers.h"
#include "proto/json/write.h"

#include <string.h>

static const struct {
    const char *ending, *media_type;
    // About so many of what is long: its buffer is not moved again and again as it grows. Bytes
    // that are not written take no memory.
    uint32_t polygon_bytes;
} FORMATS[PROTO_EXPORT_COUNT] = {
    [PROTO_EXPORT_JSON] = {"json", "application/json", 280},
    [PROTO_EXPORT_OBJ] = {"obj", "model/obj", 130},
    [PROTO_EXPORT_GLB] = {"glb", "model/gltf-binary", 0},
    [PROTO_EXPORT_MSET] = {"mset", "application/vnd.detour.mset", 0},
    [PROTO_EXPORT_PACKED] = {"navm", "application/vnd.navmeshd.mesh", 130},
    [PROTO_EXPORT_SVG] = {"svg", "image/svg+xml", 160},
};

nav_status proto_export_of(const char *mesh, uint32_t version, const nav_mesh *all,
                           const proto_export_request *request, proto_export *out, nav_error *err)
{
    uint32_t number;
    const nav_status status = proto_agent_find(all, request->agent, &number, err);
    if (status != NAV_OK) {
        return status;
    }
    *out = (proto_export){.mesh = mesh,
                          .version = version,
                          .agent = request->agent,
                          .nav = number == 0 ? all : nav_mesh_agent(all, number - 1),
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

static nav_status write(proto_writer *w, const proto_export *what, proto_export_format format,
                        const proto_picture *view, const selection *s, nav_arena *scratch,
                        nav_error *err)
{
    switch (format) {
    case PROTO_EXPORT_JSON:
        export_json(w, what, s);
        return NAV_OK;
    case PROTO_EXPORT_PACKED:
        export_packed(w, what, s);
        return NAV_OK;
    case PROTO_EXPORT_OBJ:
        export_obj(w, what, s);
        return NAV_OK;
    case PROTO_EXPORT_GLB:
        return export_glb(w, what, s, scratch, err);
    case PROTO_EXPORT_MSET:
        return export_mset(w, s, scratch, err);
    case PROTO_EXPORT_SVG:
        return picture_write(w, what, view, s, scratch, err);
    case PROTO_EXPORT_COUNT:
        break;
    }
    NAV_ASSERT(false); // the request's reader knows the words above
    return NAV_OK;
}

static nav_status select_and_write(proto_writer *w, const proto_export *what,
                                   proto_export_format format, const proto_picture *view,
                                   nav_arena *scratch, nav_error *err)
{
    selection s;
    NAV_ASSERT(w->size_bytes == 0);
    nav_status status = selection_make(what, scratch, &s, err);
    if (status == NAV_OK) {
        w->coordinates = s.stats.coordinates;
        const size_t guess = (size_t)FORMATS[format].polygon_bytes * s.polygon_count;
        if (w->limit_bytes == 0 || guess < w->limit_bytes) {
            (void)proto_writer_reserve(w, guess);
        }
        status = write(w, what, format, view, &s, scratch, err);
    }
    // Whether there was room for what was written.
    if (status == NAV_OK && w->at_limit) {
        status = nav_fail_at(err, PROTO_NOT_EXPORTABLE, "bounds",
                             "the file is larger than this daemon writes (--limit export_bytes=): "
                             "export parts of the level with bounds");
    } else if (status == NAV_OK && w->failed) {
        status = nav_fail(err, NAV_NO_MEMORY, "no memory to write the file");
    }
    return status;
}

proto_picture proto_picture_default(void)
{
    return (proto_picture){.width_px = PROTO_RENDER_WIDTH_DEFAULT, .layers = PROTO_LAYERS_DEFAULT};
}

nav_status proto_export_write(proto_writer *w, const proto_export *what, proto_export_format format,
                              nav_arena *scratch, nav_error *err)
{
    const proto_picture view = proto_picture_default();
    return select_and_write(w, what, format, &view, scratch, err);
}

nav_status proto_picture_write(proto_writer *w, const proto_export *what, const proto_picture *view,
                               nav_arena *scratch, nav_error *err)
{
    return select_and_write(w, what, PROTO_EXPORT_SVG, view, scratch, err);
}
