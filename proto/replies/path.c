// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// path.c: the answer to a path query, the daemon's most frequent reply.

#include "proto/json/write.h"
#include "proto/replies/reply.h"

#include <string.h>

// ---- points ----

// Two points that are the same once they are printed are one. Whether point i is the one before.
static bool is_repeated(const proto_writer *w, const nav_path *path, uint32_t i)
{
    NAV_DCHECK(i < path->point_count);
    const float *point = path->points + 3 * (size_t)i;
    return i > 0 && proto_is_printed_as(w, point - 3, point);
}

static void write_points(proto_writer *w, const nav_path *path)
{
    PROTO_PUT_KEY(w, "points");
    proto_write_array_begin(w);
    for (uint32_t i = 0; i < path->point_count; i++) {
        if (!is_repeated(w, path, i)) {
            proto_write_point(w, path->points + 3 * (size_t)i);
        }
    }
    proto_write_array_end(w);
}

// From numbers of a path's points to those of what is printed; asked in rising order.
typedef struct printed_points {
    const proto_writer *w;
    const nav_path *path;
    uint32_t at, repeated; // so many up to there
} printed_points;

static uint32_t printed_number(printed_points *points, uint32_t point)
{
    NAV_DCHECK(point >= points->at); // asked in their order
    while (points->at < point) {
        points->at++;
        points->repeated += is_repeated(points->w, points->path, points->at);
    }
    NAV_ASSERT(points->repeated <= point);
    return point - points->repeated;
}

// ---- details: what lies along the path ----

static void write_polygons(proto_writer *w, const proto_path_reply *reply)
{
    printed_points points = {.w = w, .path = reply->path};
    proto_member_array(w, "polygons");
    for (uint32_t i = 0; i < reply->step_count; i++) {
        proto_write_object_begin(w);
        proto_write_key(w, "polygon");
        proto_write_number_text(w, reply->steps[i].polygon);
        proto_member_int(w, "point", printed_number(&points, reply->steps[i].point));
        proto_write_object_end(w);
    }
    proto_write_array_end(w);
}

// Whether a step's polygon is touched in a point only, as those around a corner are, and as the
// last one may be.
static bool is_touched(const proto_path_reply *reply, uint32_t i)
{
    NAV_DCHECK(i < reply->step_count);
    const nav_path_step *step = &reply->steps[i], *next = step + 1;
    const bool last = i + 1 == reply->step_count;
    return step->on_point && (last ? i > 0 && step->point + 1 == reply->path->point_count
                                   : next->on_point && step->point == next->point);
}

// Only where it becomes another one.
static void write_areas(proto_writer *w, const proto_path_reply *reply)
{
    printed_points points = {.w = w, .path = reply->path};
    int last = -1;
    proto_member_array(w, "areas");
    for (uint32_t i = 0; i < reply->step_count; i++) {
        const uint8_t area = nav_mesh_polygon(reply->mesh, reply->steps[i].polygon).area;
        // A path has one area at least.
        const bool only = last < 0 && i + 1 == reply->step_count;
        if (area != last && (only || !is_touched(reply, i))) {
            last = area;
            proto_write_object_begin(w);
            proto_write_area(w, reply->mesh, area);
            proto_member_int(w, "point", printed_number(&points, reply->steps[i].point));
            proto_write_object_end(w);
        }
    }
    proto_write_array_end(w);
}

// A link without a name is given by its place in the settings; those of a state have names.
static void write_links(proto_writer *w, const proto_path_reply *reply)
{
    printed_points points = {.w = w, .path = reply->path};
    proto_member_array(w, "links");
    for (uint32_t i = 0; i < reply->step_count; i++) {
        if (reply->steps[i].link == NAV_NONE) {
            continue;
        }
        const nav_placed_link *link =
            nav_overlay_link(reply->mesh, reply->overlay, reply->steps[i].link);
        proto_write_object_begin(w);
        proto_member_string(w, "id", link->id);
        proto_member_int(w, "index", link->config_index);
        // The link is the piece that ends where its step begins; of one that leads nowhere else
        // both ends are one point.
        const bool leads = memcmp(link->start, link->end, sizeof link->start) != 0;
        const uint32_t point = reply->steps[i].point;
        proto_member_int(w, "point",
                         printed_number(&points, leads && point > 0 ? point - 1 : point));
        proto_write_object_end(w);
    }
    proto_write_array_end(w);
}

static void write_details(proto_writer *w, const proto_path_reply *reply)
{
    proto_member_object(w, "details");
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

void proto_write_blocked_by(proto_writer *w, const nav_mesh *mesh,
                            const nav_path_blockers *blockers, const char *const *ids,
                            uint32_t id_count)
{
    proto_member_array(w, "blocked_by");
    for (uint32_t i = 0; i < blockers->switch_count; i++) {
        nav_switch_info info;
        nav_mesh_switch(mesh, blockers->switches[i], &info);
        proto_write_string(w, info.id);
    }
    for (uint32_t i = 0; i < blockers->shape_count; i++) {
        const uint32_t number = blockers->shapes[i];
        const nav_error_place asked = nav_at("avoid[%u]", number - id_count);
        proto_write_string(w, number < id_count ? ids[number] : asked.text);
    }
    proto_write_array_end(w);
}

static void write_island(proto_writer *w, const char *key, const proto_islands *islands, int side)
{
    proto_member_object(w, key);
    proto_member_int(w, "component", islands->gap.components[side]);
    if (islands->has_sizes) {
        proto_member_int(w, "polygons", islands->polygons[side]);
        proto_write_key(w, "walkable_area");
        proto_write_square(w, islands->areas[side]);
    }
    proto_write_object_end(w);
}

void proto_write_islands(proto_writer *w, const proto_islands *islands)
{
    proto_member_object(w, "islands");
    write_island(w, "start", islands, 0);
    write_island(w, "end", islands, 1);
    proto_member_object(w, "gap");
    proto_member_point(w, "from", islands->gap.points[0]);
    proto_member_point(w, "to", islands->gap.points[1]);
    proto_member_length(w, "distance", (double)islands->gap.distance);
    proto_write_object_end(w);
    proto_write_object_end(w);
}

static void write_expansion(proto_writer *w, const nav_expansion *step)
{
    proto_write_object_begin(w);
    PROTO_PUT_KEY(w, "engine");
    proto_write_string(w, nav_engine_word(step->engine));
    PROTO_PUT_KEY(w, "polygon");
    proto_write_number_text(w, step->polygon);
    PROTO_PUT_KEY(w, "root");
    proto_write_point(w, step->root);
    PROTO_PUT_KEY(w, "left");
    proto_write_point(w, step->left);
    PROTO_PUT_KEY(w, "right");
    proto_write_point(w, step->right);
    PROTO_PUT_KEY(w, "g");
    proto_write_cost(w, step->g);
    PROTO_PUT_KEY(w, "f");
    proto_write_cost(w, step->f);
    proto_write_object_end(w);
}

static void write_expansions(proto_writer *w, const nav_expansions *list)
{
    PROTO_PUT_KEY(w, "expansions");
    proto_write_array_begin(w);
    for (uint32_t i = 0; i < list->count; i++) {
        write_expansion(w, &list->at[i]);
    }
    proto_write_array_end(w);
    PROTO_PUT_KEY(w, "expansions_truncated");
    proto_write_bool(w, list->truncated);
}

static void write_members(proto_writer *w, const proto_answer_head *head,
                          const proto_path_reply *reply)
{
    const nav_path *path = reply->path;
    write_outcome(w, path);
    proto_write_nearby(w, head);
    if (reply->islands != NULL) {
        proto_write_islands(w, reply->islands);
    }
    if (reply->blockers != NULL &&
        reply->blockers->switch_count + reply->blockers->shape_count > 0) {
        proto_write_blocked_by(w, reply->mesh, reply->blockers, reply->state_shape_ids,
                               reply->state_shape_count);
    }
    PROTO_PUT_KEY(w, "length");
    proto_write_length(w, path->length);
    // Both are what is proven of an optimal path, so that no rounding can part them.
    PROTO_PUT_KEY(w, "cost");
    proto_write_cost(w, path->optimal ? path->lower_bound : path->cost);
    PROTO_PUT_KEY(w, "optimal");
    proto_write_bool(w, path->optimal);
    PROTO_PUT_KEY(w, "lower_bound");
    proto_write_cost(w, path->lower_bound);
    if (reply->has_clearance && path->point_count > 0) {
        PROTO_PUT_KEY(w, "clearance_min");
        proto_write_cost(w, path->clearance_min);
    }
    if (path->folded) {
        PROTO_PUT_KEY(w, "unproven");
        proto_write_string(w, "folds");
    }
    PROTO_PUT_KEY(w, "start");
    proto_write_point(w, path->start);
    PROTO_PUT_KEY(w, "end");
    proto_write_point(w, path->end);
    write_points(w, path);
    NAV_ASSERT(reply->step_count == 0 || reply->steps != NULL);
    if ((reply->details & PROTO_DETAILS_ALONG) != 0) {
        write_details(w, reply);
    }
    if (reply->expansions != NULL) {
        write_expansions(w, reply->expansions);
    }
}

void proto_write_path(proto_writer *w, const proto_answer_head *head, const proto_path_reply *reply)
{
    if (head->packed != PROTO_PACKED_NOT) {
        proto_pack_path(w, head, reply->path);
        return;
    }
    proto_write_answer_begin(w, head);
    write_members(w, head, reply);
    proto_write_object_end(w);
}
