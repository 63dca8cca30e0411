// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// reply_path.c: the answer to a path query, the daemon's most frequent reply.

#include "proto/proto.h"

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

static void write_number(proto_writer *w, const char *key, double value)
{
    proto_write_key(w, key);
    proto_write_fixed(w, value, 3);
}

void proto_write_path(proto_writer *w, const char *mesh, uint32_t version, const nav_path *path)
{
    proto_write_object_begin(w);
    proto_write_key(w, "mesh");
    proto_write_string(w, mesh);
    proto_write_key(w, "version");
    proto_write_int(w, version);
    proto_write_key(w, "status");
    proto_write_string(w, nav_path_status_word(path->status));
    proto_write_key(w, "reason");
    proto_write_string(w, nav_path_reason_word(path->reason));
    write_number(w, "length", path->length);
    write_number(w, "cost", path->cost);
    proto_write_key(w, "optimal");
    proto_write_bool(w, path->optimal);
    // Of an optimal path both numbers are one, and must not differ by their rounding.
    write_number(w, "lower_bound", path->optimal ? path->cost : rounded_down(path->lower_bound));
    proto_write_key(w, "start");
    proto_write_point(w, path->start);
    proto_write_key(w, "end");
    proto_write_point(w, path->end);
    proto_write_key(w, "points");
    proto_write_array_begin(w);
    for (size_t i = 0; i < path->point_count; i++) {
        proto_write_point(w, path->points + 3 * i);
    }
    proto_write_array_end(w);
    proto_write_object_end(w);
}
