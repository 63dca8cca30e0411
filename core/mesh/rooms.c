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
        const nav_placed_link *link = &mesh->links[i];
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

// Whether each door has one that leads back.
static bool are_two_way(const door *doors, uint32_t count)
{
    bool two_way = true;
    for (uint32_t i = 0; i < count && two_way; ++i) {
        const door back = {.from = doors[i].to, .to = doors[i].from, .ground = doors[i].ground};
        two_way = bsearch(&back, doors, count, sizeof *doors, compare_doors) != NULL;
    }
    return two_way;
}

static void fill_doors(nav_rooms *rooms, const door *doors, uint32_t count)
{
    uint32_t at = 0;
    for (uint32_t room = 0; room < rooms->count; ++room) {
        rooms->out_first[room] = at;
        for (; at < count && doors[at].from == room; ++at) {
            rooms->out[at] = (nav_door){.room = doors[at].to, .ground = doors[at].ground};
        }
    }
    rooms->out_first[rooms->count] = at;
    NAV_ASSERT(at == count);
}

static nav_status derive(nav_mesh *mesh, nav_arena *temporary)
{
    const uint32_t polygons = mesh->stats.polygons;
    uint32_t *of = NAV_NEW(temporary, uint32_t, polygons);
    if (of == NULL) {
        return NAV_NO_MEMORY;
    }
    nav_rooms r = {.count = number_rooms(mesh, of)};
    door *doors = NAV_NEW(temporary, door, count_doors(mesh, of));
    if (doors == NULL || nav_cancel_is_set(mesh->cancel)) {
        return doors == NULL ? NAV_NO_MEMORY : NAV_CANCELLED;
    }
    const uint32_t count = sort_doors(doors, list_doors(mesh, of, doors));
    const nav_block_array arrays[] = {
        NAV_BLOCK_ARRAY(r.of, polygons, 0), NAV_BLOCK_ARRAY(r.ground, r.count, 0),
        NAV_BLOCK_ARRAY(r.out_first, (size_t)r.count + 1, 0), NAV_BLOCK_ARRAY(r.out, count, 0)};
    if (!nav_block_make(&r.block, &mesh->allocator, arrays, 4)) {
        return NAV_NO_MEMORY;
    }
    memcpy(r.of, of, polygons * sizeof *of);
    for (uint32_t i = 0; i < polygons; ++i) {
        r.ground[of[i]] = mesh->classes[i] < NAV_MESH_AREAS ? 0 : mesh->classes[i];
    }
    fill_doors(&r, doors, count);
    r.two_way = are_two_way(doors, count);
    mesh->rooms = r;
    mesh->stats.memory_bytes += r.block.size_bytes;
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
    mesh->stats.memory_bytes -= mesh->rooms.block.size_bytes;
    nav_block_free(&mesh->rooms.block, &mesh->allocator);
    mesh->rooms = (nav_rooms){0};
}
