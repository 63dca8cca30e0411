// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// diff.c: what changed between two versions of a mesh.

#include "proto/replies/replies.h"

static const char *const KIND_WORDS[] = {[PROTO_DIFF_CHANGED] = "changed",
                                         [PROTO_DIFF_ADDED] = "added",
                                         [PROTO_DIFF_REMOVED] = "removed"};

// {"before":10,"after":12.5,"delta":2.5}, of areas
static void write_change(proto_writer *w, const char *key, double before, double after)
{
    proto_member_object(w, key);
    proto_write_key(w, "before");
    proto_write_square(w, before);
    proto_write_key(w, "after");
    proto_write_square(w, after);
    proto_write_key(w, "delta");
    proto_write_square(w, after - before);
    proto_write_object_end(w);
}

// Likewise, of counts.
static void write_count_change(proto_writer *w, const char *key, uint32_t before, uint32_t after)
{
    proto_member_object(w, key);
    proto_member_int(w, "before", before);
    proto_member_int(w, "after", after);
    proto_member_int(w, "delta", (int64_t)after - (int64_t)before);
    proto_write_object_end(w);
}

static void write_bounds(proto_writer *w, const char *key, const float min[3], const float max[3])
{
    proto_write_key(w, key);
    proto_write_bounds(w, min, max);
}

_Static_assert(sizeof KIND_WORDS / sizeof KIND_WORDS[0] == PROTO_DIFF_KINDS,
               "a word for each kind");

static void write_tiles(proto_writer *w, const proto_diff *diff)
{
    NAV_ASSERT(diff->tiles_unchanged <= diff->tiles_before &&
               diff->tiles_unchanged <= diff->tiles_after);
    bool truncated = false;
    proto_member_object(w, "tiles");
    proto_member_int(w, "before", diff->tiles_before);
    proto_member_int(w, "after", diff->tiles_after);
    proto_member_int(w, "unchanged", diff->tiles_unchanged);
    for (int kind = 0; kind < PROTO_DIFF_KINDS; kind++) {
        uint32_t count = diff->tile_counts[kind];
        NAV_ASSERT(count == 0 || diff->tiles[kind] != NULL);
        truncated = truncated || count > PROTO_DIFF_LISTED_MAX;
        proto_member_array(w, KIND_WORDS[kind]);
        for (uint32_t i = 0; i < count && i < PROTO_DIFF_LISTED_MAX; i++) {
            const proto_diff_tile *tile = &diff->tiles[kind][i];
            proto_write_object_begin(w);
            proto_member_int(w, "x", tile->x);
            proto_member_int(w, "z", tile->z);
            write_bounds(w, "bounds", tile->min, tile->max);
            proto_write_object_end(w);
        }
        proto_write_array_end(w);
    }
    proto_member_bool(w, "truncated", truncated);
    proto_write_object_end(w);
}

static proto_diff_kind kind_of(const nav_island_change *change)
{
    NAV_DCHECK(change->before.component != 0 || change->after.component != 0);
    return change->before.component == 0  ? PROTO_DIFF_ADDED
           : change->after.component == 0 ? PROTO_DIFF_REMOVED
                                          : PROTO_DIFF_CHANGED;
}

// An island that is there on both sides, with what became of it.
static void write_changed(proto_writer *w, const nav_island_change *change)
{
    const nav_island *before = &change->before, *after = &change->after;
    float min[3], max[3];
    for (int axis = 0; axis < 3; axis++) {
        min[axis] = before->min[axis] < after->min[axis] ? before->min[axis] : after->min[axis];
        max[axis] = before->max[axis] > after->max[axis] ? before->max[axis] : after->max[axis];
    }
    proto_write_object_begin(w);
    write_change(w, "area", before->area, after->area);
    write_count_change(w, "polygons", before->polygons, after->polygons);
    write_bounds(w, "bounds", min, max);
    write_bounds(w, "bounds_before", before->min, before->max);
    write_bounds(w, "bounds_after", after->min, after->max);
    proto_write_object_end(w);
}

// One that is there on one side only. shared distinguishes a part that was cut off, or that has
// joined another island, from ground that is new or gone.
static void write_single(proto_writer *w, const nav_island_change *change, const nav_island *island)
{
    NAV_DCHECK((change->before.component == 0) != (change->after.component == 0));
    proto_write_object_begin(w);
    proto_write_key(w, "area");
    proto_write_square(w, island->area);
    proto_member_int(w, "polygons", island->polygons);
    write_bounds(w, "bounds", island->min, island->max);
    proto_member_bool(w, change->after.component == 0 ? "joined_another" : "cut_off",
                      change->shared);
    proto_write_object_end(w);
}

static void write_islands(proto_writer *w, const proto_diff *diff)
{
    bool truncated = false;
    proto_member_object(w, "islands");
    proto_member_int(w, "before", diff->before.components);
    proto_member_int(w, "after", diff->after.components);
    for (int kind = 0; kind < PROTO_DIFF_KINDS; kind++) {
        uint32_t listed = 0;
        proto_member_array(w, KIND_WORDS[kind]);
        for (uint32_t i = 0; i < diff->island_count; i++) {
            const nav_island_change *change = &diff->islands[i];
            if ((int)kind_of(change) != kind) {
                continue;
            }
            if (listed++ >= PROTO_DIFF_LISTED_MAX) {
                truncated = true;
            } else if (kind == PROTO_DIFF_CHANGED) {
                write_changed(w, change);
            } else {
                write_single(w, change,
                             kind == PROTO_DIFF_ADDED ? &change->after : &change->before);
            }
        }
        proto_write_array_end(w);
    }
    proto_member_bool(w, "truncated", truncated);
    proto_write_object_end(w);
}

void proto_write_diff(proto_writer *w, const proto_diff *diff)
{
    proto_write_object_begin(w);
    proto_member_string(w, "mesh", diff->mesh);
    proto_member_int(w, "from", diff->from);
    proto_member_int(w, "to", diff->to);
    proto_member_bool(w, "geometry_changed", diff->geometry_changed);
    proto_member_bool(w, "config_changed", diff->config_changed);
    write_change(w, "walkable_area", diff->before.walkable_area, diff->after.walkable_area);
    write_count_change(w, "polygons", diff->before.polygons, diff->after.polygons);
    write_tiles(w, diff);
    write_islands(w, diff);
    proto_write_object_end(w);
}
