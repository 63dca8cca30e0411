// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// diff.c: two versions side by side: tiles by their hashes, islands by the ground they share.

#include "proto/replies/replies.h"
#include "server/store/store.h"
#include "server/meshes/load.h"
#include "server/base/pack.h"
#include "server/api/routes.h"
#include "server/jobs/version_mesh.h"

#include <stdlib.h>
#include <string.h>

// One of the two versions.
typedef struct side {
    uint32_t version;
    store_version row;
    nav_mesh *all; // with those of all agents
    const nav_mesh *mesh;
    nav_config config;
    store_tile *all_tiles;
    size_t all_count;
    const store_tile *tiles; // of the agent, in order of z, x
    size_t tile_count;
} side;

typedef struct diff {
    side sides[2];
    nav_arena memory;
    proto_diff out;
    proto_diff_tile *tiles[PROTO_DIFF_KINDS];
} diff;

static nav_status load_side(const request *r, diff *d, const char *agent, side *s, nav_error *err)
{
    store *disk = r->service->store;
    uint32_t version, number = 0;
    nav_status status = store_version_get(disk, r->mesh, s->version, &s->row, err);
    NAV_IF_OK(status,
              version_mesh_acquire(r->service, r->mesh, s->version, &s->all, &version, err));
    NAV_IF_OK(status, proto_agent_find(s->all, agent, &number, err));
    NAV_IF_OK(status, load_config(disk, r->mesh, s->version, &d->memory, &s->config, err));
    NAV_IF_OK(status,
              store_tiles_load(disk, r->mesh, s->version, &s->all_tiles, &s->all_count, err));
    if (status == NAV_OK) {
        s->mesh = number == 0 ? s->all : nav_mesh_agent(s->all, number - 1);
        s->config = nav_config_of_agent(&s->config, number);
        s->tiles = store_tiles_of_agent(s->all_tiles, s->all_count, number, &s->tile_count);
    }
    return status;
}

// ---- tiles ----

static nav_status bounds_of(const diff *d, bool of_second, const store_tile *tile, float min[3],
                            float max[3], nav_error *err)
{
    void *bytes = NULL;
    nav_status status =
        pack_decompress(tile->packed, tile->packed_bytes, (size_t)tile->bytes, &bytes, err);
    if (status == NAV_OK) {
        const nav_blob blob = {.bytes = bytes, .size_bytes = (size_t)tile->bytes};
        status = nav_tile_bounds(blob, min, max, err);
    }
    free(bytes);
    return status == NAV_OK || status == NAV_NO_MEMORY
               ? status
               : damage_fail(err, d->out.mesh, d->sides[of_second].version, "tile %u,%u", tile->x,
                             tile->z);
}

// Notes a tile that differs; before or after is NULL on the side that does not have it.
static nav_status note_tile(diff *d, const store_tile *before, const store_tile *after,
                            nav_error *err)
{
    NAV_ASSERT(before != NULL || after != NULL);
    proto_diff_kind kind = before == NULL  ? PROTO_DIFF_ADDED
                           : after == NULL ? PROTO_DIFF_REMOVED
                                           : PROTO_DIFF_CHANGED;
    uint32_t at = d->out.tile_counts[kind]++;
    if (at >= PROTO_DIFF_LISTED_MAX) {
        return NAV_OK;
    }
    proto_diff_tile *tile = &d->tiles[kind][at];
    const store_tile *first = before != NULL ? before : after;
    tile->x = first->x;
    tile->z = first->z;
    nav_status status = bounds_of(d, before == NULL, first, tile->min, tile->max, err);
    if (status != NAV_OK || kind != PROTO_DIFF_CHANGED) {
        return status;
    }
    float min[3], max[3];
    status = bounds_of(d, true, after, min, max, err);
    for (int axis = 0; status == NAV_OK && axis < 3; axis++) {
        tile->min[axis] = min[axis] < tile->min[axis] ? min[axis] : tile->min[axis];
        tile->max[axis] = max[axis] > tile->max[axis] ? max[axis] : tile->max[axis];
    }
    return status;
}

static int compare_places(const store_tile *a, const store_tile *b)
{
    if (a->z != b->z) {
        return a->z < b->z ? -1 : 1;
    }
    return a->x < b->x ? -1 : a->x > b->x;
}

// Both lists are in one order: a merge.
static nav_status compare_tiles(diff *d, nav_error *err)
{
    const side *from = &d->sides[0], *to = &d->sides[1];
    size_t i = 0, k = 0;
    nav_status status = NAV_OK;
    while (status == NAV_OK && (i < from->tile_count || k < to->tile_count)) {
        const store_tile *before = i < from->tile_count ? &from->tiles[i] : NULL;
        const store_tile *after = k < to->tile_count ? &to->tiles[k] : NULL;
        int order = before == NULL ? 1 : after == NULL ? -1 : compare_places(before, after);
        before = order <= 0 ? before : NULL;
        after = order >= 0 ? after : NULL;
        i += before != NULL;
        k += after != NULL;
        if (order == 0 && memcmp(before->hash, after->hash, sizeof before->hash) == 0) {
            d->out.tiles_unchanged++;
        } else {
            status = note_tile(d, before, after, err);
        }
    }
    NAV_ASSERT(status != NAV_OK || (i == from->tile_count && k == to->tile_count));
    d->out.tiles_before = (uint32_t)from->tile_count;
    d->out.tiles_after = (uint32_t)to->tile_count;
    return status;
}

// ---- islands ----

// The distance within which ground counts as the same: the larger voxel, and a step of the agent.
static nav_snap snap_of(const nav_config *a, const nav_config *b)
{
    float cell = a->cell_size > b->cell_size ? a->cell_size : b->cell_size;
    float climb = a->agent_max_climb > b->agent_max_climb ? a->agent_max_climb : b->agent_max_climb;
    return (nav_snap){.horizontal = cell, .up = climb, .down = climb};
}

static nav_status compare_islands(diff *d, nav_error *err)
{
    const side *from = &d->sides[0], *to = &d->sides[1];
    nav_mesh_diff found;
    nav_status status = nav_mesh_compare(from->mesh, to->mesh, snap_of(&from->config, &to->config),
                                         &d->memory, &found, err);
    if (status == NAV_OK) {
        d->out.islands = found.islands;
        d->out.island_count = found.island_count;
    }
    return status;
}

static nav_status compare(const request *r, diff *d, const char *agent, nav_error *err)
{
    nav_status status = NAV_OK;
    for (int i = 0; status == NAV_OK && i < 2; i++) {
        status = load_side(r, d, agent, &d->sides[i], err);
    }
    for (int kind = 0; status == NAV_OK && kind < PROTO_DIFF_KINDS; kind++) {
        size_t most = d->sides[0].tile_count + d->sides[1].tile_count;
        most = most < PROTO_DIFF_LISTED_MAX ? most : PROTO_DIFF_LISTED_MAX;
        d->out.tiles[kind] = d->tiles[kind] = NAV_NEW(&d->memory, proto_diff_tile, most);
        if (d->tiles[kind] == NULL) {
            status = nav_fail(err, NAV_NO_MEMORY, "no memory to compare two versions");
        }
    }
    NAV_IF_OK(status, compare_tiles(d, err));
    return status == NAV_OK ? compare_islands(d, err) : status;
}

static void write_diff(proto_writer *w, diff *d)
{
    const side *from = &d->sides[0], *to = &d->sides[1];
    NAV_ASSERT(from->row.version == from->version && to->row.version == to->version);
    nav_mesh_stats_get(from->mesh, &d->out.before);
    nav_mesh_stats_get(to->mesh, &d->out.after);
    d->out.from = from->version;
    d->out.to = to->version;
    d->out.geometry_changed =
        memcmp(from->row.geometry_hash, to->row.geometry_hash, sizeof from->row.geometry_hash) != 0;
    d->out.config_changed = strcmp(from->row.config_json, to->row.config_json) != 0;
    w->coordinates = d->out.after.coordinates;
    proto_write_diff(w, &d->out);
}

nav_status handle_diff(request *r, reply *out, nav_error *err)
{
    proto_diff_request question;
    diff d = {0};
    nav_arena_init(&d.memory, NULL, 0);
    nav_status status =
        proto_request_args(&PROTO_DIFF, r->args, r->arg_count, NULL, &question, err);
    if (status == NAV_OK) {
        d.out.mesh = r->mesh;
        d.sides[0].version = question.from;
        d.sides[1].version = question.to;
        status = compare(r, &d, question.agent, err);
    }
    if (status == NAV_OK) {
        write_diff(&out->w, &d);
    }
    for (int i = 0; i < 2; i++) {
        nav_mesh_release(d.sides[i].all);
        store_tiles_free(d.sides[i].all_tiles, d.sides[i].all_count);
        store_version_free(&d.sides[i].row);
    }
    nav_arena_free(&d.memory);
    return status;
}
