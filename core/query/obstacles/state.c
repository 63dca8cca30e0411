// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// state.c: the life of an overlay that many questions see. It is made whole, all its groups cut, in
// the scratch's memory, and then copied into one block of just its size. It never changes: the next
// state is another overlay, which takes from this one whatever stays.

#include "core/query/query.h"

#include <string.h>

static bool cut_all(nav_overlay *overlay, const nav_overlay *last, nav_overlay_budget *budget)
{
    bool done = nav_overlay_find_groups(overlay, last, budget);
    for (uint32_t i = 0; done && i < overlay->group_count; ++i) {
        done = nav_overlay_cut_group(overlay, i, budget);
    }
    return done;
}

static bool make(nav_overlay *overlay, const nav_mesh *mesh, const nav_overlay *last,
                 const nav_overlay_parts *parts, nav_overlay_budget *budget)
{
    return nav_overlay_take_shapes(overlay, mesh, last, true, parts->shapes, parts->shape_count,
                                   budget) &&
           cut_all(overlay, last, budget) &&
           nav_added_links_lay(mesh, parts->links, parts->link_count, budget->kept, budget->arena,
                               &overlay->links);
}

static nav_status why_failed(const nav_overlay_budget *budget, nav_error *err)
{
    return budget->refused
               ? nav_fail(err, NAV_INVALID_FIELD, "the shapes cut the ground into too many pieces")
               : nav_fail(err, NAV_NO_MEMORY, "no memory for the state");
}

// The scratch's memory for shapes, which the overlay of its last question gives up.
static nav_overlay_budget take_memory(nav_scratch *scratch)
{
    scratch->overlay_ready = false;
    nav_arena_reset(&scratch->overlay_memory);
    nav_arena_reset(&scratch->overlay_work);
    return (nav_overlay_budget){.kept = &scratch->overlay_memory,
                                .arena = &scratch->overlay_work,
                                .work = NAV_AVOID_WORK_MAX};
}

// So much is not kept.
static void give_memory_back(nav_scratch *scratch)
{
    nav_arena *arenas[2] = {&scratch->overlay_memory, &scratch->overlay_work};
    for (int i = 0; i < 2; ++i) {
        nav_arena_free(arenas[i]);
        nav_arena_init(arenas[i], &scratch->allocator, NAV_OVERLAY_BYTES_MAX);
    }
}

// ---- one block ----

#define BLOCK_ALIGNMENT 16u

// The block that an overlay is copied into; its size is counted first, with `bytes` NULL.
typedef struct block {
    uint8_t *bytes;
    size_t size_bytes;
} block;

static void *copy(block *b, const void *from, size_t count, size_t size_bytes)
{
    void *to = b->bytes != NULL ? b->bytes + b->size_bytes : NULL;
    if (to != NULL && count > 0) {
        memcpy(to, from, count * size_bytes);
    }
    b->size_bytes += (count * size_bytes + BLOCK_ALIGNMENT - 1) & ~(size_t)(BLOCK_ALIGNMENT - 1);
    return to;
}

static void copy_obstacles(block *b, nav_overlay *o)
{
    nav_obstacle *to = copy(b, o->obstacles, o->obstacle_count, sizeof *o->obstacles);
    for (uint32_t i = 0; i < o->obstacle_count; ++i) {
        const nav_outline *outline = &o->obstacles[i].outline;
        const nav_avoid *shape = &o->obstacles[i].shape;
        const uint32_t count = shape->shape == NAV_AVOID_CONVEX ? shape->point_count : 0;
        void *corners = copy(b, outline->points, outline->count, sizeof *outline->points);
        void *points = copy(b, shape->points, count, sizeof *shape->points);
        if (to != NULL) {
            to[i].outline.points = corners;
            to[i].shape.points = points;
        }
    }
    o->obstacles = to;
}

static void copy_links(block *b, nav_added_links *links)
{
    links->laid = copy(b, links->laid, links->count, sizeof *links->laid);
    links->off_mesh = copy(b, links->off_mesh, links->off_mesh_count, sizeof *links->off_mesh);
    links->arcs = copy(b, links->arcs, links->arc_count, sizeof *links->arcs);
    links->portals = copy(b, links->portals, links->arc_count, sizeof *links->portals);
    links->classes = copy(b, links->classes, links->class_count, sizeof *links->classes);
    links->starts = copy(b, links->starts, links->arc_count, sizeof *links->starts);
    links->edges = copy(b, links->edges, links->edge_count, sizeof *links->edges);
}

// Moves all that an overlay has into a block.
static void move_into(block *b, nav_overlay *o)
{
    const nav_overlay_extent *count = &o->count;
    uint32_t ground = 0;
    for (uint32_t i = 0; i < o->group_count; ++i) {
        ground += o->groups[i].ground_count;
    }
    copy_obstacles(b, o);
    o->groups = copy(b, o->groups, o->group_count, sizeof *o->groups);
    o->members = copy(b, o->members, o->obstacle_count, sizeof *o->members);
    o->ground = copy(b, o->ground, ground, sizeof *o->ground);
    o->fragments = copy(b, o->fragments, count->fragments, sizeof *o->fragments);
    o->cut_fragments = copy(b, o->cut_fragments, count->polygons, sizeof *o->cut_fragments);
    o->corners = copy(b, o->corners, count->corners, sizeof *o->corners);
    o->vertices = copy(b, o->vertices, count->vertices, sizeof *o->vertices);
    o->portals = copy(b, o->portals, count->portals, sizeof *o->portals);
    o->turning_vertices = copy(b, o->turning_vertices, count->portals, sizeof *o->turning_vertices);
    o->table = copy(b, o->table, o->table != NULL ? o->table_mask + 1u : 0u, sizeof *o->table);
    copy_links(b, &o->links);
    o->room = o->count;
}

// The overlay in a block of its own, which begins with it. NULL: no memory.
static nav_overlay *pack(const nav_overlay *made, const nav_allocator *allocator)
{
    nav_overlay counted = *made, kept = *made;
    block b = {0};
    copy(&b, made, 1, sizeof *made);
    move_into(&b, &counted);
    const size_t size_bytes = b.size_bytes;
    b = (block){.bytes = allocator->alloc(allocator->user, size_bytes)};
    if (b.bytes == NULL) {
        return NULL;
    }
    nav_overlay *out = copy(&b, made, 1, sizeof *made);
    move_into(&b, &kept);
    NAV_ASSERT(b.size_bytes == size_bytes);
    kept.size_bytes = size_bytes;
    kept.allocator = *allocator;
    *out = kept;
    return out;
}

// ---- exported ----

nav_status nav_overlay_create(nav_mesh *mesh, nav_scratch *scratch, const nav_overlay *last,
                              const nav_overlay_parts *parts, nav_overlay **out, nav_error *err)
{
    nav_overlay made;
    nav_overlay_budget budget = take_memory(scratch);
    NAV_ASSERT(last == NULL || last->mesh == mesh);
    NAV_ASSERT(mesh->portal_count + 2 * (uint64_t)parts->link_count <= NAV_PORTALS_MAX);
    if (!make(&made, mesh, last, parts, &budget)) {
        give_memory_back(scratch);
        return why_failed(&budget, err);
    }
    nav_overlay *kept = pack(&made, &scratch->allocator);
    if (kept == NULL) {
        return why_failed(&budget, err);
    }
    kept->own_cell.allocator = kept->allocator;
    atomic_init(&kept->own_cell.parts, NULL);
    kept->cell = &kept->own_cell;
    kept->held = nav_mesh_acquire(mesh);
    atomic_init(&kept->references, 1);
    *out = kept;
    return NAV_OK;
}

nav_status nav_links_check(const nav_mesh *mesh, const nav_link *links, uint32_t count,
                           nav_error *err)
{
    const nav_area counted = {.cost = 1.0f};
    const nav_config config = {.areas = &counted,
                               .area_count = mesh->area_count,
                               .flag_count = mesh->flag_count,
                               .switch_count = NAV_NONE,
                               .links = links,
                               .link_count = count};
    return nav_config_check_links(&config, err);
}

nav_overlay *nav_overlay_acquire(nav_overlay *overlay)
{
    const uint32_t before =
        atomic_fetch_add_explicit(&overlay->references, 1, memory_order_relaxed);
    NAV_ASSERT(before > 0);
    return overlay;
}

void nav_overlay_release(nav_overlay *overlay)
{
    if (overlay == NULL) {
        return;
    }
    // As of a mesh: the last one to release sees what all others have read and written.
    const uint32_t before =
        atomic_fetch_sub_explicit(&overlay->references, 1, memory_order_acq_rel);
    NAV_ASSERT(before > 0);
    if (before == 1) {
        const nav_allocator allocator = overlay->allocator;
        nav_state_parts_free(atomic_load(&overlay->cell->parts), &allocator);
        nav_mesh_release(overlay->held);
        allocator.free(allocator.user, overlay, overlay->size_bytes);
    }
}

const nav_laid_link *nav_overlay_link(const nav_mesh *mesh, const nav_overlay *overlay,
                                      uint32_t link)
{
    if (link < mesh->stats.links) {
        return nav_mesh_link(mesh, link);
    }
    NAV_ASSERT(overlay != NULL);
    NAV_ASSERT(link - mesh->stats.links < overlay->links.count);
    return &overlay->links.laid[link - mesh->stats.links];
}

const uint32_t *nav_overlay_links_off_mesh(const nav_overlay *overlay, uint32_t *count)
{
    *count = overlay->links.off_mesh_count;
    return overlay->links.off_mesh;
}

size_t nav_overlay_bytes(const nav_overlay *overlay)
{
    return overlay->size_bytes;
}
