// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// reply_path.c: the answer to a path query, the daemon's most frequent reply.

#include "proto/json_write.h"
#include "proto/reply.h"

#include <math.h>

// The largest number of three decimals that is not above value, so that the bound stays true.
static double rounded_down(double value)
{
    double thousandths = floor(value * 1000.0);
    if (thousandths / 1000.0 > value) {
        thousandths -= 1.0;
    }
    return thousandths / 1000.0;
}

void proto_write_answer_begin(proto_writer *w, const char *mesh, uint32_t version)
{
    proto_write_object_begin(w);
    PROTO_PUT_KEY(w, "mesh");
    proto_write_string(w, mesh);
    PROTO_PUT_KEY(w, "version");
    proto_write_int(w, version);
}

// ---- details: what lies along the way ----

static void write_polygons(proto_writer *w, const proto_path_reply *reply)
{
    proto_write_key(w, "polygons");
    proto_write_array_begin(w);
    for (uint32_t i = 0; i < reply->step_count; i++) {
        proto_write_object_begin(w);
        proto_write_key(w, "polygon");
        proto_write_number_text(w, reply->steps[i].polygon);
        proto_write_key(w, "point");
        proto_write_int(w, reply->steps[i].point);
        proto_write_object_end(w);
    }
    proto_write_array_end(w);
}

// Only where it becomes another one.
static void write_areas(proto_writer *w, const proto_path_reply *reply)
{
    int last = -1;
    proto_write_key(w, "areas");
    proto_write_array_begin(w);
    for (uint32_t i = 0; i < reply->step_count; i++) {
        const uint8_t area = nav_mesh_polygon(reply->mesh, reply->steps[i].polygon).area;
        if (area != last) {
            last = area;
            proto_write_object_begin(w);
            proto_write_area(w, reply->mesh, area);
            proto_write_key(w, "point");
            proto_write_int(w, reply->steps[i].point);
            proto_write_object_end(w);
        }
    }
    proto_write_array_end(w);
}

// A link without a name is told by its place in the settings.
static void write_links(proto_writer *w, const proto_path_reply *reply)
{
    proto_write_key(w, "links");
    proto_write_array_begin(w);
    for (uint32_t i = 0; i < reply->step_count; i++) {
        if (reply->steps[i].link == NAV_NONE) {
            continue;
        }
        const nav_laid_link *link = nav_mesh_link(reply->mesh, reply->steps[i].link);
        proto_write_object_begin(w);
        proto_write_key(w, "id");
        proto_write_string(w, link->id);
        proto_write_key(w, "index");
        proto_write_int(w, link->config_index);
        proto_write_key(w, "point");
        // The link is the piece that ends where its step begins.
        proto_write_int(w, reply->steps[i].point > 0 ? reply->steps[i].point - 1 : 0);
        proto_write_object_end(w);
    }
    proto_write_array_end(w);
}

static void write_details(proto_writer *w, const proto_path_reply *reply)
{
    proto_write_key(w, "details");
    proto_write_object_begin(w);
    if ((reply->details & PROTO_DETAIL_POLYGONS) != 0) {
        write_polygons(w, reply);
    }
    if ((reply->details & PROTO_DETAIL_AREAS) != 0) {
        write_areas(w, reply);
    }
    if ((reply->details & PROTO_DETAIL_LINKS) != 0) {
        write_links(w, reply);
    }
    proto_write_object_end(w);
}

// ---- the path ----

// Nearly all are complete.
static void write_outcome(proto_writer *w, const nav_path *path)
{
    static const char usual[] = "\"status\":\"complete\",\"reason\":null";
    if (path->status == NAV_PATH_COMPLETE && path->reason == NAV_REASON_NULL) {
        proto_writer_put_value(w, usual, sizeof usual - 1);
        return;
    }
    PROTO_PUT_KEY(w, "status");
    proto_write_string(w, nav_path_status_word(path->status));
    PROTO_PUT_KEY(w, "reason");
    proto_write_string(w, nav_path_reason_word(path->reason));
}

static void write_members(proto_writer *w, const proto_path_reply *reply)
{
    const nav_path *path = reply->path;
    write_outcome(w, path);
    PROTO_PUT_KEY(w, "length");
    proto_write_fixed(w, path->length, 3);
    PROTO_PUT_KEY(w, "cost");
    proto_write_fixed(w, path->cost, 3);
    PROTO_PUT_KEY(w, "optimal");
    proto_write_bool(w, path->optimal);
    // Of an optimal path both numbers are one, and must not differ by their rounding.
    PROTO_PUT_KEY(w, "lower_bound");
    proto_write_fixed(w, path->optimal ? path->cost : rounded_down(path->lower_bound), 3);
    PROTO_PUT_KEY(w, "start");
    proto_write_point(w, path->start);
    PROTO_PUT_KEY(w, "end");
    proto_write_point(w, path->end);
    PROTO_PUT_KEY(w, "points");
    proto_write_array_begin(w);
    for (size_t i = 0; i < path->point_count; i++) {
        proto_write_point(w, path->points + 3 * i);
    }
    proto_write_array_end(w);
    if (reply->details != 0) {
        write_details(w, reply);
    }
}

void proto_write_path(proto_writer *w, const char *mesh, uint32_t version,
                      const proto_path_reply *reply)
{
    proto_write_answer_begin(w, mesh, version);
    write_members(w, reply);
    proto_write_object_end(w);
}

void proto_write_path_result(proto_writer *w, const proto_path_reply *reply)
{
    proto_write_object_begin(w);
    if (reply->id != NULL) {
        proto_write_key(w, "id");
        proto_write_raw(w, reply->id);
    }
    write_members(w, reply);
    proto_write_object_end(w);
}
