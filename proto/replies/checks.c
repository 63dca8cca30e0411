// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// checks.c: the checks of a mesh, as they can be sent again, and how they went.

#include "proto/replies/reply.h"

static void write_place(proto_writer *w, const proto_check *check)
{
    static const char *const words[] = {[PROTO_EXPECT_REACHABLE] = "reachable",
                                        [PROTO_EXPECT_UNREACHABLE] = "unreachable",
                                        [PROTO_EXPECT_ON_MESH] = "on_mesh"};
    NAV_ASSERT((size_t)check->expect < sizeof words / sizeof words[0]);
    proto_write_sent_point(w, "start", check->start);
    if (check->has_end) {
        proto_write_sent_point(w, "end", check->end);
    }
    proto_write_key(w, "expect");
    proto_write_string(w, words[check->expect]);
    if (check->has_max_length) {
        proto_write_sent_number(w, "max_length", check->max_length);
    }
    proto_write_key(w, "snap");
    proto_write_object_begin(w);
    proto_write_sent_number(w, "horizontal", check->snap.horizontal);
    proto_write_sent_number(w, "up", check->snap.up);
    proto_write_sent_number(w, "down", check->snap.down);
    proto_write_object_end(w);
}

void proto_write_checks(proto_writer *w, const proto_checks *checks)
{
    proto_write_array_begin(w);
    for (uint32_t i = 0; i < checks->count; i++) {
        const proto_check *check = &checks->items[i];
        proto_write_object_begin(w);
        proto_write_key(w, "name");
        proto_write_string(w, check->name);
        if (check->agent[0] != '\0') {
            proto_write_key(w, "agent");
            proto_write_string(w, check->agent);
        }
        if (check->expect == PROTO_EXPECT_AREA) {
            proto_write_sent_number(w, "min_walkable_area", check->min_walkable_area);
        } else {
            write_place(w, check);
        }
        proto_write_object_end(w);
    }
    proto_write_array_end(w);
}

void proto_write_check_results(proto_writer *w, const proto_check_result *results, uint32_t count)
{
    proto_write_array_begin(w);
    for (uint32_t i = 0; i < count; i++) {
        proto_write_object_begin(w);
        proto_write_key(w, "name");
        proto_write_string(w, results[i].name);
        proto_write_flag(w, "passed", results[i].passed);
        proto_write_key(w, "detail");
        proto_write_string(w, results[i].detail);
        proto_write_object_end(w);
    }
    proto_write_array_end(w);
}
