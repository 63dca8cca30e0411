// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// rooms.c: what hangs together if all switches are closed, and how: a small graph, by which one can
// say what can be reached in any state of the switches without a walk over polygons.
//
//      rooms: ground under no switch, joined by edges and by two-way links that no switch closes;
//             patches of ground of one class under switches
//        |  edges between them, and all other links: doors, open or closed with a class
//      a flood over rooms and doors
//
//        room 1 | gate, class 256 | room 2      Doors into a patch have its class: they are closed
//               '------- link -------'          while it is. A link's door has the link's class.

#include "core/base/sets.h"
#include "core/mesh/steps.h"

#include <stdlib.h>
#include <string.h>

// Whether two polygons are open and closed together as far as switches go.
static bool are_alike(const nav_mesh *mesh, uint32_t a, uint32_t b)
{
    const uint16_t ground_a = mesh->classes[a], ground_b = mesh->classes[b];
    return ground_a == ground_b || (ground_a < NAV_MESH_AREAS && ground_b < NAV_MESH_AREAS);
}

static void join_alike(const nav_mesh *mesh, uint32_t *parents, uint32_t a, uint32_t b)
{
    if (are_alike(mesh, a, b)) {
        nav_sets_unite(parents, a, b);
    }
}

// Numbers the rooms in order of their first polygons. Returns how many there are.
static uint32_t number_rooms(const nav_mesh *mesh, uint32_t *rooms)
{
    for (uint32_t i = 0; i < mesh->stats.polygons && !nav_cancel_poll(mesh->cancel, 1); ++i) {
        rooms[i] = i;
    }
    for (uint32_t i = 0; i < mesh->edge_portal_count && !nav_cancel_poll(mesh->cancel, 1); ++i) {
        join_alike(mesh, rooms, mesh->portals[i].from, mesh->portals[i].to);
    }
    for (uint32_t i = 0; i < mesh->stats.links && !nav_cancel_poll(mesh->cancel, 1); ++i) {
        const nav_laid_link *link = &mesh->links[i];
        if (link->bidirectional && link->ground < NAV_MESH_AREAS) {
            join_alike(mesh, rooms, link->start_polygon, link->end_polygon);
        }
    }
    for (uint32_t i = 0; i < mesh->stats.polygons && !nav_cancel_poll(mesh->cancel, 1); ++i) {
        rooms[i] = nav_set_of(rooms, i);
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < mesh->stats.polygons && !nav_cancel_poll(mesh->cancel, 1); ++i) {
        rooms[i] = rooms[i] == i ? count++ : rooms[rooms[i]];
    }
    return count;
}

// ---- doors ----

typedef struct door {
    uint32_t from, to;
    uint16_t ground; // of a link, or 0
} door;

static int compare_doors(const void *left, const void *right)
{
    const door *a = left, *b = right;
    return a->from != b->from ? (a->from > b->from) - (a->from < b->from)
           : a->to != b->to   ? (a->to > b->to) - (a->to < b->to)
                              : (a->ground > b->ground) - (a->ground < b->ground);
}

// Sorts them, each once.
static uint32_t sort_doors(door *doors, uint32_t count)
{
    uint32_t kept = 0;
    if (count > 0) {
        qsort(doors, count, sizeof *doors, compare_doors);
    }
    for (uint32_t i = 0; i < count; ++i) {
        if (kept == 0 || compare_doors(&doors[kept - 1], &doors[i]) != 0) {
            doors[kept++] = doors[i];
        }
    }
    return kept;
}

static uint32_t list_doors(const nav_mesh *mesh, const uint32_t *rooms, door *doors)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < mesh->portal_count && !nav_cancel_poll(mesh->cancel, 1); ++i) {
        const nav_portal *portal = &mesh->portals[i];
        const uint32_t from = rooms[portal->from], to = rooms[portal->to];
        const bool is_arc = i >= mesh->edge_portal_count;
        const uint16_t ground =
            is_arc ? mesh->links[mesh->arcs[i - mesh->edge_portal_count].link].ground : 0;
        if (from != to) {
            doors[count++] =
                (door){.from = from, .to = to, .ground = ground >= NAV_MESH_AREAS ? ground : 0};
        }
    }
    return count;
}

static uint32_t count_doors(const nav_mesh *mesh, const uint32_t *rooms)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < mesh->portal_count && !nav_cancel_poll(mesh->cancel, 1); ++i) {
        count += rooms[mesh->portals[i].from] != rooms[mesh->portals[i].to];
    }
    return count;
}

// The doors out of each room, or into each.
static void fill_doors(const nav_rooms *rooms, const door *doors, uint32_t count, uint32_t *first,
                       nav_door *out)
{
    uint32_t at = 0;
    for (uint32_t room = 0; room < rooms->count; ++room) {
        first[room] = at;
        for (; at < count && doors[at].from == room; ++at) {
            out[at] = (nav_door){.room = doors[at].to, .ground = doors[at].ground};
        }
    }
    first[rooms->count] = at;
    NAV_ASSERT(at == count);
}

// ---- the block ----

static void *carve(uint8_t **at, size_t count, size_t size_bytes)
{
    void *part = *at;
    *at += (count * size_bytes + 15) / 16 * 16;
    return part;
}

static size_t room_for(size_t count, size_t size_bytes)
{
    return (count * size_bytes + 15) / 16 * 16;
}

static bool alloc_rooms(nav_mesh *mesh, uint32_t door_count)
{
    nav_rooms *r = &mesh->rooms;
    r->block_bytes = room_for(mesh->stats.polygons, sizeof *r->of) +
                     room_for(r->count, sizeof *r->ground) +
                     2 * room_for((size_t)r->count + 1, sizeof *r->out_first) +
                     2 * room_for(door_count, sizeof *r->out);
    uint8_t *at = mesh->allocator.alloc(mesh->allocator.user, r->block_bytes);
    if (at == NULL) {
        *r = (nav_rooms){0};
        return false;
    }
    r->block = at;
    r->of = carve(&at, mesh->stats.polygons, sizeof *r->of);
    r->ground = carve(&at, r->count, sizeof *r->ground);
    r->out_first = carve(&at, (size_t)r->count + 1, sizeof *r->out_first);
    r->in_first = carve(&at, (size_t)r->count + 1, sizeof *r->in_first);
    r->out = carve(&at, door_count, sizeof *r->out);
    r->in = carve(&at, door_count, sizeof *r->in);
    mesh->stats.memory_bytes += r->block_bytes;
    return true;
}

static nav_status derive(nav_mesh *mesh, nav_arena *temporary)
{
    uint32_t *of = NAV_NEW(temporary, uint32_t, mesh->stats.polygons);
    if (of == NULL) {
        return NAV_NO_MEMORY;
    }
    mesh->rooms.count = number_rooms(mesh, of);
    door *doors = NAV_NEW(temporary, door, count_doors(mesh, of));
    if (doors == NULL || nav_cancel_is_set(mesh->cancel)) {
        mesh->rooms.count = 0;
        return doors == NULL ? NAV_NO_MEMORY : NAV_CANCELLED;
    }
    const uint32_t count = sort_doors(doors, list_doors(mesh, of, doors));
    nav_rooms *r = &mesh->rooms;
    if (!alloc_rooms(mesh, count)) {
        return NAV_NO_MEMORY;
    }
    memcpy(r->of, of, mesh->stats.polygons * sizeof *of);
    for (uint32_t i = 0; i < mesh->stats.polygons; ++i) {
        r->ground[of[i]] = mesh->classes[i] < NAV_MESH_AREAS ? 0 : mesh->classes[i];
    }
    fill_doors(r, doors, count, r->out_first, r->out);
    for (uint32_t i = 0; i < count; ++i) {
        doors[i] = (door){.from = doors[i].to, .to = doors[i].from, .ground = doors[i].ground};
    }
    const uint32_t in_count = sort_doors(doors, count);
    NAV_ASSERT(in_count == count);
    fill_doors(r, doors, count, r->in_first, r->in);
    return nav_cancel_status(mesh->cancel);
}

// ---- exported ----

nav_status nav_mesh_find_rooms(nav_mesh *mesh, nav_arena *temporary)
{
    if (mesh->ground_class_count == 0 || mesh->stats.polygons == 0) {
        return NAV_OK;
    }
    const nav_arena_mark mark = nav_arena_save(temporary);
    const nav_status status = derive(mesh, temporary);
    nav_arena_restore(temporary, mark);
    return status;
}

void nav_mesh_forget_rooms(nav_mesh *mesh)
{
    if (mesh->rooms.block != NULL) {
        mesh->stats.memory_bytes -= mesh->rooms.block_bytes;
        mesh->allocator.free(mesh->allocator.user, mesh->rooms.block, mesh->rooms.block_bytes);
    }
    mesh->rooms = (nav_rooms){0};
}
