// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// reply.h: pieces that several answers have in common. Private to proto/.

#pragma once

#include "proto/replies/replies.h"

// ---- results of a packed batch (packed.c), each instead of what its namesake writes ----

void proto_pack_late(proto_writer *w, const proto_answer_head *head);
void proto_pack_path(proto_writer *w, const proto_answer_head *head, const nav_path *path);
// Places of nearest, floors and, with a seed, random; else seed is NULL.
void proto_pack_places(proto_writer *w, const proto_answer_head *head, const nav_mesh *nav,
                       const uint32_t *seed, const nav_location *places, uint32_t count);
void proto_pack_reachable(proto_writer *w, const proto_answer_head *head, const bool *reachable,
                          uint32_t count);
void proto_pack_raycast(proto_writer *w, const proto_answer_head *head, const nav_ray *ray);
void proto_pack_move(proto_writer *w, const proto_answer_head *head, const nav_move *move);
void proto_pack_wall(proto_writer *w, const proto_answer_head *head, const nav_wall *wall);

// ---- sentences (explain_words.c) ----

// A text that grows within the caller's bytes, and is cut where there is no room.
typedef struct proto_sentence {
    char *out;
    size_t size_bytes, used;
} proto_sentence;

// A length as sentences have it, to hundredths without trailing zeros: one of the level ("1.17";
// "117 of the level's units (1.17 m)" where that unit is no metre), and one that is a setting's
// value, to six digits ("1.1"; "1.1 m").
typedef struct proto_length_text {
    char text[96];
} proto_length_text;
proto_length_text proto_say_length(nav_coordinates coordinates, double metres);
proto_length_text proto_say_setting(nav_coordinates coordinates, double metres);

__attribute__((format(printf, 2, 3))) void proto_say(proto_sentence *s, const char *format, ...);

// ---- pieces of JSON ----

// A whole number as a string: numbers of polygons are names to clients, not quantities.
void proto_write_number_text(proto_writer *w, uint32_t number);
// "area":"water", the member of an object; an area without a name is given by its number.
void proto_write_area(proto_writer *w, const nav_mesh *mesh, uint8_t area);
// "polygon":"17","area":"water","component":1, members of a place on the mesh.
void proto_write_polygon_members(proto_writer *w, const nav_mesh *mesh, uint32_t polygon);
// "islands": both, and the narrow place between them.
void proto_write_islands(proto_writer *w, const proto_islands *islands);
// "blocked_by": closed switches and shapes in the way by their ids; shapes of the question, which
// are behind those of the state, as where they stand in it.
void proto_write_blocked_by(proto_writer *w, const nav_mesh *mesh,
                            const nav_path_blockers *blockers, const char *const *ids,
                            uint32_t id_count);
// "nearest", how far the mesh is from the point that is off it and in which direction; nothing
// where the head has no such place.
void proto_write_nearby(proto_writer *w, const proto_answer_head *head);
// The member `key`: a point, or null where there is none.
void proto_write_point_if(proto_writer *w, const char *key, bool there, const float point[3]);
// The member `key` as it was sent: not rounded as answers are.
void proto_write_sent_point(proto_writer *w, const char *key, const float point[3]);
void proto_write_sent_number(proto_writer *w, const char *key, float number);
