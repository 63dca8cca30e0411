// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// state.c: the life of an overlay that many questions see. Its new groups are cut in the scratch's
// memory; then they are placed in one block of just its size, behind those that it has in common
// with the state before. It never changes: the next state is another overlay.

#include "core/query/question/question.h"
#include "core/query/view/scratch.h"

#include <string.h>

static bool cut_new_groups(nav_overlay *overlay, const nav_overlay *last,
                           nav_overlay_budget *budget)
{
    bool done = nav_overlay_find_groups(overlay, last, budget);
    for (uint32_t i = 0; done && i < overlay->group_count; ++i) {
        done = overlay->groups[i].before != NAV_NONE || nav_overlay_cut_group(overlay, i, budget);
    }
    return done;
}

static bool make(nav_overlay *overlay, const nav_mesh *mesh, const nav_overlay *last,
                 const nav_overlay_items *items, nav_overlay_budget *budget)
{
    const bool done = nav_overlay_take_shapes(overlay, mesh, last, true, items->shapes,
                                              items->shape_count, budget) &&
                      cut_new_groups(overlay, last, budget) &&
                      nav_added_links_place(mesh, items->links, items->link_count, budget->kept,
                                            budget->arena, &overlay->links);
    overlay->switches = items->switches;
    overlay->components = NULL;
    return done;
}

// Under the default filter; most questions ask for no other. False: no memory.
static bool find_costs(nav_overlay *overlay, nav_scratch *scratch)
{
    const nav_added_links *links = overlay->links.arc_count > 0 ? &overlay->links : NULL;
    overlay->state_costs = NULL;
    if (links == NULL && overlay->switches == NULL) {
        return true;
    }
    overlay->state_costs = &scratch->costs;
    return nav_view_resolve_costs(overlay->mesh, scratch, NULL, overlay->switches, links);
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

// ---- one block ----

#define BLOCK_ALIGNMENT 16u

// The block that an overlay is copied into; its size is counted first, with `bytes` NULL.
typedef struct block {
    uint8_t *bytes;
    size_t size_bytes;
} block;

static void *take(block *b, size_t count, size_t size_bytes)
{
    void *to = b->bytes != NULL ? b->bytes + b->size_bytes : NULL;
    b->size_bytes += (count * size_bytes + BLOCK_ALIGNMENT - 1) & ~(size_t)(BLOCK_ALIGNMENT - 1);
    return to;
}

static void *copy(block *b, const void *from, size_t count, size_t size_bytes)
{
    void *to = take(b, count, size_bytes);
    if (to != NULL && count > 0) {
        memcpy(to, from, count * size_bytes);
    }
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

static void copy_costs(block *b, nav_overlay *o)
{
    const nav_costs *from = o->state_costs;
    if (from != NULL) {
        nav_costs *to = copy(b, from, 1, sizeof *from);
        float *by_class =
            copy(b, from->by_class, from->by_class != NULL ? nav_mesh_class_count(o->mesh) : 0,
                 sizeof *from->by_class);
        if (to != NULL) {
            to->by_class = from->by_class != NULL ? by_class : NULL;
        }
        o->state_costs = to;
    }
}

// The overlay that has a group: `made` if it is new, else the state before.
static const nav_overlay *source_of(const nav_overlay *made, const nav_overlay *last,
                                    uint32_t group, const nav_overlay_group **out)
{
    const uint32_t before = made->groups[group].before;
    *out = before != NAV_NONE ? &last->groups[before] : &made->groups[group];
    return before != NAV_NONE ? last : made;
}

// Room for what groups have. Each of their polygons has a slot of the table, and another is free.
static void take_arrays(block *b, const nav_overlay *made, const nav_overlay *last, nav_overlay *o)
{
    uint32_t ground = 0, table_size = 1;
    o->capacity = (nav_overlay_extent){0};
    for (uint32_t i = 0; i < o->group_count; ++i) {
        const nav_overlay_group *group;
        (void)source_of(made, last, i, &group);
        o->capacity = nav_overlay_extent_behind(&o->capacity, &group->first, &group->end);
        ground += group->ground_count;
    }
    while (table_size < 2 * ground) {
        table_size *= 2;
    }
    o->ground = copy(b, o->ground, ground, sizeof *o->ground);
    o->fragments = take(b, o->capacity.fragments, sizeof *o->fragments);
    o->cut_fragments = take(b, o->capacity.polygons, sizeof *o->cut_fragments);
    o->corners = take(b, o->capacity.corners, sizeof *o->corners);
    o->vertices = take(b, o->capacity.vertices, sizeof *o->vertices);
    o->portals = take(b, o->capacity.portals, sizeof *o->portals);
    o->turning_vertices = take(b, o->capacity.portals, sizeof *o->turning_vertices);
    o->table = take(b, table_size, sizeof *o->table);
    o->table_mask = table_size - 1;
    o->table_count = 0;
    o->count = (nav_overlay_extent){0};
    if (o->table != NULL) {
        memset(o->table, 0xff, table_size * sizeof *o->table);
    }
}

// All that an overlay has in a block, but for its groups' fragments: there is room for them.
static void move_into(block *b, const nav_overlay *made, const nav_overlay *last, nav_overlay *o)
{
    *o = *made;
    copy_obstacles(b, o);
    o->groups = copy(b, o->groups, o->group_count, sizeof *o->groups);
    o->members = copy(b, o->members, o->obstacle_count, sizeof *o->members);
    take_arrays(b, made, last, o);
    o->links.placed = copy(b, o->links.placed, o->links.count, sizeof *o->links.placed);
    o->links.off_mesh =
        copy(b, o->links.off_mesh, o->links.off_mesh_count, sizeof *o->links.off_mesh);
    o->links.arcs = copy(b, o->links.arcs, o->links.arc_count, sizeof *o->links.arcs);
    o->links.portals = copy(b, o->links.portals, o->links.arc_count, sizeof *o->links.portals);
    o->links.classes = copy(b, o->links.classes, o->links.class_count, sizeof *o->links.classes);
    o->links.starts = copy(b, o->links.starts, o->links.arc_count, sizeof *o->links.starts);
    o->links.edges = copy(b, o->links.edges, o->links.edge_count, sizeof *o->links.edges);
    copy_costs(b, o);
    // NULL says that all switches are as the mesh has them.
    if (o->switches != NULL) {
        o->switches = copy(b, o->switches, o->mesh->switch_count, 1);
    }
}

// The overlay in a block of its own, which begins with it. NULL: no memory, or too much in it.
static nav_overlay *pack(const nav_overlay *made, const nav_overlay *last,
                         const nav_allocator *allocator, nav_overlay_budget *budget)
{
    nav_overlay counted;
    block b = {0};
    (void)take(&b, 1, sizeof counted);
    move_into(&b, made, last, &counted);
    const size_t size_bytes = b.size_bytes;
    budget->refused = size_bytes > NAV_OVERLAY_BYTES_MAX;
    b = (block){.bytes = budget->refused ? NULL : allocator->alloc(allocator->user, size_bytes)};
    if (b.bytes == NULL) {
        return NULL;
    }
    nav_overlay *out = take(&b, 1, sizeof *out);
    move_into(&b, made, last, out);
    NAV_ASSERT(b.size_bytes == size_bytes);
    out->size_bytes = size_bytes;
    out->allocator = *allocator;
    for (uint32_t i = 0; i < out->group_count; ++i) {
        const nav_overlay_group *group;
        const nav_overlay *from = source_of(made, last, i, &group);
        (void)nav_overlay_append(out, from, &group->first, &group->end, i, budget);
    }
    NAV_ASSERT(!budget->failed);
    NAV_ASSERT((uint8_t *)out->portals < b.bytes + size_bytes); // nothing had to grow
    NAV_ASSERT((uint8_t *)out->portals >= b.bytes);
    return out;
}

// ---- exported ----

nav_status nav_overlay_create(nav_mesh *mesh, nav_scratch *scratch, const nav_overlay *last,
                              const nav_overlay_items *items, nav_overlay **out, nav_error *err)
{
    nav_overlay made;
    nav_overlay_budget budget = take_memory(scratch);
    NAV_ASSERT(last == NULL || last->mesh == mesh);
    NAV_ASSERT(mesh->portal_count + 2 * (uint64_t)items->link_count <= NAV_PORTALS_MAX);
    nav_overlay *kept = make(&made, mesh, last, items, &budget) && find_costs(&made, scratch)
                            ? pack(&made, last, &scratch->allocator, &budget)
                            : NULL;
    if (kept == NULL) {
        nav_scratch_drop_overlay(scratch); // so much is not kept
        return why_failed(&budget, err);
    }
    kept->held = nav_mesh_acquire(mesh);
    atomic_init(&kept->references, 1);
    const nav_status status = nav_state_find_components(kept, scratch);
    scratch->overlay_ready = false; // it was this state's
    if (status != NAV_OK) {
        nav_overlay_release(kept);
        return why_failed(&budget, err);
    }
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
        if (overlay->components != NULL) {
            allocator.free(allocator.user, overlay->components, overlay->components->size_bytes);
        }
        nav_mesh_release(overlay->held);
        allocator.free(allocator.user, overlay, overlay->size_bytes);
    }
}

const nav_placed_link *nav_overlay_link(const nav_mesh *mesh, const nav_overlay *overlay,
                                        uint32_t link)
{
    if (link < mesh->stats.links) {
        return nav_mesh_link(mesh, link);
    }
    NAV_ASSERT(overlay != NULL);
    NAV_ASSERT(link - mesh->stats.links < overlay->links.count);
    return &overlay->links.placed[link - mesh->stats.links];
}

const uint32_t *nav_overlay_links_off_mesh(const nav_overlay *overlay, uint32_t *count)
{
    *count = overlay->links.off_mesh_count;
    return overlay->links.off_mesh;
}

size_t nav_overlay_bytes(const nav_overlay *overlay)
{
    return overlay->size_bytes +
           (overlay->components != NULL ? overlay->components->size_bytes : 0);
}
