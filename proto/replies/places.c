// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// places.c: answers of places on the mesh, and about the surface around one. An answer from off the
// mesh is null.

#include "proto/json/write.h"
#include "proto/replies/reply.h"

void proto_write_answer_begin(proto_writer *w, const proto_answer_head *head)
{
    proto_write_object_begin(w);
    if (head->mesh != NULL) {
        PROTO_PUT_KEY(w, "mesh");
        proto_write_string(w, head->mesh);
        PROTO_PUT_KEY(w, "version");
        proto_write_int(w, head->version);
    }
    if (head->id != NULL) {
        PROTO_PUT_KEY(w, "id");
        proto_write_raw(w, head->id);
    }
    if (head->instance != NULL) {
        PROTO_PUT_KEY(w, "instance");
        proto_write_string(w, head->instance);
        PROTO_PUT_KEY(w, "revision");
        proto_write_int(w, head->revision);
    }
}

// ---- places on the mesh: nearest, random, reachable ----

void proto_write_number_text(proto_writer *w, uint32_t number)
{
    char text[12];
    char *end = text + sizeof text, *first = end;
    *--first = '"';
    do {
        *--first = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    *--first = '"';
    proto_writer_put_value(w, first, (size_t)(end - first));
}

void proto_write_area(proto_writer *w, const nav_mesh *mesh, uint8_t area)
{
    const char *name = nav_mesh_area_name(mesh, area);
    proto_write_key(w, "area");
    if (name[0] != '\0') {
        proto_write_string(w, name);
    } else {
        proto_write_number_text(w, area);
    }
}

void proto_write_polygon_members(proto_writer *w, const nav_mesh *mesh, uint32_t polygon)
{
    NAV_ASSERT(polygon != NAV_NONE); // an answer that has none does not ask for its names
    const nav_polygon whole = nav_mesh_polygon(mesh, polygon);
    proto_write_key(w, "polygon");
    proto_write_number_text(w, polygon);
    proto_write_area(w, mesh, whole.area);
    proto_member_int(w, "component", whole.component);
}

static void write_points(proto_writer *w, const nav_mesh *nav, const nav_location *locations,
                         uint32_t count)
{
    proto_member_array(w, "points");
    for (uint32_t i = 0; i < count; i++) {
        proto_write_object_begin(w);
        proto_member_point(w, "position", locations[i].position);
        proto_member_length(w, "distance", (double)locations[i].distance);
        proto_write_polygon_members(w, nav, locations[i].polygon);
        proto_write_object_end(w);
    }
    proto_write_array_end(w);
}

void proto_write_nearest(proto_writer *w, const proto_answer_head *head, const nav_mesh *nav,
                         const nav_location *locations, uint32_t count)
{
    if (head->packed != PROTO_PACKED_NOT) {
        proto_pack_places(w, head, nav, NULL, locations, count);
        return;
    }
    proto_write_answer_begin(w, head);
    write_points(w, nav, locations, count);
    proto_write_nearby(w, head);
    proto_write_object_end(w);
}

void proto_write_random(proto_writer *w, const proto_answer_head *head, const nav_mesh *nav,
                        uint32_t seed, const nav_location *locations, uint32_t count)
{
    if (head->packed != PROTO_PACKED_NOT) {
        proto_pack_places(w, head, nav, &seed, locations, count);
        return;
    }
    proto_write_answer_begin(w, head);
    proto_member_int(w, "seed", seed);
    write_points(w, nav, locations, count);
    proto_write_nearby(w, head);
    proto_write_object_end(w);
}

void proto_write_reachable(proto_writer *w, const proto_answer_head *head, const bool *reachable,
                           uint32_t count)
{
    if (head->packed != PROTO_PACKED_NOT) {
        proto_pack_reachable(w, head, reachable, count);
        return;
    }
    proto_write_answer_begin(w, head);
    proto_member_array(w, "reachable");
    for (uint32_t i = 0; i < count; i++) {
        proto_write_bool(w, reachable[i]);
    }
    proto_write_array_end(w);
    proto_write_object_end(w);
}

void proto_write_deadline_exceeded(proto_writer *w, const proto_answer_head *head)
{
    if (head->packed != PROTO_PACKED_NOT) {
        proto_pack_late(w, head);
        return;
    }
    proto_write_answer_begin(w, head);
    proto_member_string(w, "reason", nav_path_reason_word(NAV_REASON_DEADLINE));
    proto_write_object_end(w);
}

// ---- the surface around a place: raycast, move, wall, floors, trace ----

void proto_write_sent_point(proto_writer *w, const char *key, const float point[3])
{
    proto_member_array(w, key);
    for (int axis = 0; axis < 3; axis++) {
        proto_write_float(w, point[axis]);
    }
    proto_write_array_end(w);
}

void proto_write_sent_number(proto_writer *w, const char *key, float number)
{
    proto_write_key(w, key);
    proto_write_float(w, number);
}

void proto_write_point_if(proto_writer *w, const char *key, bool there, const float point[3])
{
    proto_write_key(w, key);
    if (there) {
        proto_write_point(w, point);
    } else {
        proto_write_null(w);
    }
}

static void write_direction(proto_writer *w, const char *key, bool there, const float direction[3])
{
    proto_write_key(w, key);
    if (there) {
        proto_write_direction(w, direction);
    } else {
        proto_write_null(w);
    }
}

void proto_write_nearby(proto_writer *w, const proto_answer_head *head)
{
    const proto_nearby *nearby = head->nearby;
    if (nearby == NULL) {
        return;
    }
    const float *to = nearby->place.position;
    const float distance = nearby->place.distance;
    float direction[3] = {0.0f, 0.0f, 0.0f};
    for (int axis = 0; distance > 0.0f && axis < 3; axis++) {
        direction[axis] = (to[axis] - nearby->point[axis]) / distance;
    }
    proto_member_object(w, "nearest");
    proto_member_point(w, "position", to);
    proto_member_length(w, "distance", (double)distance);
    proto_write_key(w, "direction");
    proto_write_direction(w, direction);
    proto_write_object_end(w);
}

// Why there is no answer, in every answer of these.
static void write_reason(proto_writer *w, const proto_answer_head *head, bool found,
                         const char *why)
{
    proto_member_string(w, "reason", found ? NULL : why);
    proto_write_nearby(w, head);
}

static void write_polygon(proto_writer *w, bool there, uint32_t polygon)
{
    proto_write_key(w, "polygon");
    if (there) {
        proto_write_number_text(w, polygon);
    } else {
        proto_write_null(w);
    }
}

void proto_write_raycast(proto_writer *w, const proto_answer_head *head, const nav_ray *ray)
{
    NAV_ASSERT(ray->found || !ray->hit);
    if (head->packed != PROTO_PACKED_NOT) {
        proto_pack_raycast(w, head, ray);
        return;
    }
    proto_write_answer_begin(w, head);
    write_reason(w, head, ray->found, "start_off_mesh");
    proto_member_bool(w, "hit", ray->hit);
    proto_member_fixed(w, "t", ray->found ? (double)ray->t : PROTO_NO_NUMBER, 6);
    proto_write_point_if(w, "start", ray->found, ray->start);
    proto_write_point_if(w, "position", ray->found, ray->position);
    write_direction(w, "normal", ray->hit, ray->normal);
    proto_write_key(w, "cost");
    proto_write_cost(w, ray->found ? ray->cost : PROTO_NO_NUMBER);
    write_polygon(w, ray->found, ray->polygon);
    proto_write_object_end(w);
}

void proto_write_move(proto_writer *w, const proto_answer_head *head, const nav_move *move)
{
    NAV_ASSERT(move->visited_count == 0 || move->visited != NULL);
    if (head->packed != PROTO_PACKED_NOT) {
        proto_pack_move(w, head, move);
        return;
    }
    proto_write_answer_begin(w, head);
    write_reason(w, head, move->found, "start_off_mesh");
    proto_write_point_if(w, "position", move->found, move->position);
    write_polygon(w, move->found, move->polygon);
    proto_member_array(w, "visited");
    for (uint32_t i = 0; i < move->visited_count; i++) {
        proto_write_number_text(w, move->visited[i]);
    }
    proto_write_array_end(w);
    proto_write_object_end(w);
}

void proto_write_wall(proto_writer *w, const proto_answer_head *head, const nav_wall *wall)
{
    NAV_ASSERT(wall->found || !wall->hit);
    if (head->packed != PROTO_PACKED_NOT) {
        proto_pack_wall(w, head, wall);
        return;
    }
    proto_write_answer_begin(w, head);
    write_reason(w, head, wall->found, "point_off_mesh");
    proto_member_bool(w, "hit", wall->hit);
    proto_member_length(w, "distance", wall->found ? (double)wall->distance : PROTO_NO_NUMBER);
    proto_write_point_if(w, "position", wall->hit, wall->position);
    write_direction(w, "normal", wall->hit, wall->normal);
    proto_write_object_end(w);
}

void proto_write_floors(proto_writer *w, const proto_answer_head *head, const nav_mesh *nav,
                        const nav_location *floors, uint32_t count)
{
    if (head->packed != PROTO_PACKED_NOT) {
        proto_pack_places(w, head, nav, NULL, floors, count);
        return;
    }
    proto_write_answer_begin(w, head);
    proto_member_array(w, "floors");
    for (uint32_t i = 0; i < count; i++) {
        proto_write_object_begin(w);
        proto_write_key(w, "height");
        proto_write_height(w, floors[i].position[1]);
        proto_member_point(w, "position", floors[i].position);
        proto_write_polygon_members(w, nav, floors[i].polygon);
        proto_write_object_end(w);
    }
    proto_write_array_end(w);
    proto_write_object_end(w);
}

void proto_write_trace(proto_writer *w, const proto_answer_head *head,
                       const proto_trace_request *asked, const nav_trace *trace)
{
    const bool legal = trace->reason == NAV_TRACE_LEGAL;
    const bool timed = !legal && asked->times_ms.count > 0;
    NAV_ASSERT(!timed || trace->step < asked->times_ms.count);
    proto_write_answer_begin(w, head);
    proto_member_bool(w, "legal", legal);
    proto_member_index(w, "step", legal ? NAV_NONE : trace->step);
    proto_member_string(w, "reason", nav_trace_reason_word(trace->reason));
    proto_write_nearby(w, head);
    proto_write_point_if(w, "position", !legal, trace->position);
    proto_member_fixed(w, "time_ms", timed ? asked->times_ms.at[trace->step] : PROTO_NO_NUMBER, 3);
    const bool moves = timed && trace->step > 0 && trace->reason != NAV_TRACE_TIME;
    proto_member_length(w, "speed", moves ? trace->speed : PROTO_NO_NUMBER);
    proto_write_object_end(w);
}
