// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// checks.c: the checks of a mesh, as they can be sent again, and how they went.

#include "proto/replies/reply.h"

// The members that were sent; or all, the others in the writer's unit.
static void write_snap(proto_writer *w, const proto_check *check, bool all)
{
    static const char *const words[] = {"horizontal", "up", "down"};
    const float snap[3] = {check->snap.horizontal, check->snap.up, check->snap.down};
    proto_member_object(w, "snap");
    for (int i = 0; i < 3; i++) {
        if ((check->snap_sent >> i & 1) != 0) {
            proto_write_sent_number(w, words[i], snap[i]);
        } else if (all) {
            proto_member_length(w, words[i], (double)snap[i]);
        }
    }
    proto_write_object_end(w);
}

static void write_place(proto_writer *w, const proto_check *check, bool all)
{
    static const char *const words[] = {[PROTO_EXPECT_REACHABLE] = "reachable",
                                        [PROTO_EXPECT_UNREACHABLE] = "unreachable",
                                        [PROTO_EXPECT_ON_MESH] = "on_mesh"};
    NAV_ASSERT((size_t)check->expect < sizeof words / sizeof words[0]);
    proto_write_sent_point(w, "start", check->start);
    if (check->has_end) {
        proto_write_sent_point(w, "end", check->end);
    }
    proto_member_string(w, "expect", words[check->expect]);
    if (check->has_max_length) {
        proto_write_sent_number(w, "max_length", check->max_length);
    }
    write_snap(w, check, all);
}

void proto_write_checks(proto_writer *w, const proto_checks *checks, bool all)
{
    proto_write_array_begin(w);
    for (uint32_t i = 0; i < checks->count; i++) {
        const proto_check *check = &checks->items[i];
        proto_write_object_begin(w);
        proto_member_string(w, "name", check->name);
        if (check->agent[0] != '\0') {
            proto_member_string(w, "agent", check->agent);
        }
        if (check->expect == PROTO_EXPECT_AREA) {
            proto_write_sent_number(w, "min_walkable_area", check->min_walkable_area);
        } else {
            write_place(w, check, all);
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
        proto_member_string(w, "name", results[i].name);
        proto_member_bool(w, "passed", results[i].passed);
        proto_member_string(w, "detail", results[i].detail);
        proto_write_object_end(w);
    }
    proto_write_array_end(w);
}
