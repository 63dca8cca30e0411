// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// state.c: a change and the state before it become the next state, kind by kind, as two sorted
// lists are merged. The result is copied into one block:
//
//   [instance_state | parts of all kinds | shapes | links | names of flags | points | texts]

#include "server/instances/state.h"

#include <stdlib.h>
#include <string.h>

// ---- merging ----

static nav_status no_memory(nav_error *err)
{
    return nav_fail(err, NAV_NO_MEMORY, "no memory for the state of an instance");
}

// The parts of both, those of the change before those of old; none that is removed.
static nav_status merge(const proto_state_items *old, const proto_state_items *change,
                        nav_arena *memory, proto_state_items *out, proto_state_items *missing,
                        nav_error *err)
{
    proto_state_item *items = NAV_NEW(memory, proto_state_item, (size_t)old->count + change->count);
    proto_state_item *absent = NAV_NEW(memory, proto_state_item, change->count);
    uint32_t count = 0, absent_count = 0, i = 0, k = 0;
    if (items == NULL || absent == NULL) {
        return no_memory(err);
    }
    while (i < old->count || k < change->count) {
        const int order = i == old->count      ? 1
                          : k == change->count ? -1
                                               : strcmp(old->at[i].id, change->at[k].id);
        if (order < 0) {
            items[count++] = old->at[i++];
            continue;
        }
        const proto_state_item *item = &change->at[k++];
        i += order == 0;
        if (!item->removed) {
            items[count++] = *item;
        } else if (order > 0) {
            absent[absent_count++] = *item;
        }
    }
    *out = (proto_state_items){.at = items, .count = count};
    *missing = (proto_state_items){.at = absent, .count = absent_count};
    return NAV_OK;
}

static nav_status check_count(proto_state_kind kind, uint32_t count, nav_error *err)
{
    const uint32_t most = proto_state_count_max(kind);
    if (count <= most) {
        return NAV_OK;
    }
    nav_fail_at(err, NAV_INVALID_FIELD, proto_state_member(kind), "the instance would have %u %s",
                count, proto_state_member(kind));
    nav_error_limit(err, "%u", most);
    return NAV_INVALID_FIELD;
}

// ---- copying ----

// How much the block has behind its head, kind after kind.
typedef struct block_sizes {
    size_t items, shapes, links, names, points, text_bytes;
} block_sizes;

static void measure_link(const proto_link *link, block_sizes *sizes)
{
    sizes->links++;
    sizes->names += link->flag_count;
    sizes->text_bytes += strlen(link->area) + 1;
    for (uint32_t i = 0; i < link->flag_count; i++) {
        sizes->text_bytes += strlen(link->flags[i]) + 1;
    }
}

static block_sizes measure(const proto_state *state)
{
    block_sizes sizes = {0};
    for (int kind = 0; kind < PROTO_STATE_KINDS; kind++) {
        const proto_state_items *items = &state->items[kind];
        sizes.items += items->count;
        for (uint32_t i = 0; i < items->count; i++) {
            const proto_state_item *item = &items->at[i];
            sizes.text_bytes += strlen(item->id) + 1;
            sizes.shapes += item->shape != NULL;
            sizes.points += item->shape != NULL ? item->shape->point_count : 0;
            if (item->link != NULL) {
                measure_link(item->link, &sizes);
            }
        }
    }
    return sizes;
}

// The place where the next of each goes.
typedef struct block_ends {
    proto_state_item *item;
    proto_avoid *shape;
    proto_link *link;
    const char **name;
    float (*point)[2];
    char *text;
} block_ends;

static const char *copy_text(const char *text, block_ends *to)
{
    const size_t size_bytes = strlen(text) + 1;
    char *copy = to->text;
    memcpy(copy, text, size_bytes);
    to->text += size_bytes;
    return copy;
}

static void copy_items(const proto_state_items *from, proto_state_items *out, block_ends *to)
{
    *out = (proto_state_items){.at = to->item, .count = from->count};
    for (uint32_t i = 0; i < from->count; i++) {
        proto_state_item *item = to->item++;
        *item = from->at[i];
        item->id = copy_text(item->id, to);
        if (item->shape != NULL) {
            proto_avoid *shape = to->shape++;
            *shape = *item->shape;
            item->shape = shape;
            if (shape->point_count > 0) {
                memcpy(to->point, shape->points, shape->point_count * sizeof *to->point);
                shape->points = (const float(*)[2])to->point;
                to->point += shape->point_count;
            }
        }
        if (item->link != NULL) {
            proto_link *link = to->link++;
            *link = *item->link;
            item->link = link;
            link->area = copy_text(link->area, to);
            const char **names = to->name;
            for (uint32_t k = 0; k < link->flag_count; k++) {
                *to->name++ = copy_text(link->flags[k], to);
            }
            link->flags = names;
        }
    }
}

// Counts are bounded by those of a kind, so that no size overflows.
static nav_status copy_state(const proto_state *from, uint64_t bytes_max, instance_state **out,
                             nav_error *err)
{
    const block_sizes sizes = measure(from);
    const size_t size_bytes =
        sizeof(instance_state) + sizes.items * sizeof(proto_state_item) +
        sizes.shapes * sizeof(proto_avoid) + sizes.links * sizeof(proto_link) +
        sizes.names * sizeof(const char *) + sizes.points * sizeof(float[2]) + sizes.text_bytes;
    if (size_bytes > bytes_max) {
        nav_fail(err, NAV_INVALID_FIELD,
                 "the state of the instance would have %zu bytes, more than the limit "
                 "instance_bytes allows",
                 size_bytes);
        nav_error_got(err, "%zu", size_bytes);
        nav_error_limit(err, "%llu", (unsigned long long)bytes_max);
        return NAV_INVALID_FIELD;
    }
    instance_state *state = malloc(size_bytes);
    if (state == NULL) {
        return no_memory(err);
    }
    block_ends to = {.item = (proto_state_item *)(state + 1)};
    to.shape = (proto_avoid *)(to.item + sizes.items);
    to.link = (proto_link *)(to.shape + sizes.shapes);
    to.name = (const char **)(to.link + sizes.links);
    to.point = (float(*)[2])(to.name + sizes.names);
    to.text = (char *)(to.point + sizes.points);
    *state = (instance_state){.size_bytes = size_bytes};
    atomic_init(&state->references, 1);
    for (int kind = 0; kind < PROTO_STATE_KINDS; kind++) {
        copy_items(&from->items[kind], &state->content.items[kind], &to);
    }
    NAV_ASSERT(to.text == (char *)state + size_bytes);
    *out = state;
    return NAV_OK;
}

_Static_assert(_Alignof(proto_state_item) <= _Alignof(instance_state) &&
                   _Alignof(proto_avoid) <= _Alignof(proto_state_item) &&
                   sizeof(proto_state_item) % _Alignof(proto_avoid) == 0 &&
                   sizeof(proto_avoid) % _Alignof(proto_link) == 0 &&
                   sizeof(proto_link) % _Alignof(const char *) == 0 &&
                   sizeof(const char *) % _Alignof(float) == 0,
               "what follows in the block is aligned");

// ---- states ----

nav_status instance_state_make(const instance_state *before, const instance_update *update,
                               nav_arena *memory, proto_state *missing, instance_state **out,
                               nav_error *err)
{
    const proto_instance_request *change = update->change;
    const bool keeps = before != NULL && !update->replaces;
    const proto_state_items none = {0};
    proto_state merged;
    instance_state *state = NULL;
    nav_status status = NAV_OK;
    for (int kind = 0; kind < PROTO_STATE_KINDS && status == NAV_OK; kind++) {
        status = merge(keeps ? &before->content.items[kind] : &none, &change->state.items[kind],
                       memory, &merged.items[kind], &missing->items[kind], err);
        NAV_IF_OK(status, check_count((proto_state_kind)kind, merged.items[kind].count, err));
    }
    NAV_IF_OK(status, copy_state(&merged, update->bytes_max, &state, err));
    if (status != NAV_OK) {
        return status;
    }
    state->revision = (before != NULL ? before->revision : update->gone_revision) + 1;
    state->born = before != NULL ? before->born : state->revision;
    state->version = change->has_version || !keeps ? change->version : before->version;
    state->expires_in_s =
        change->has_expires || !keeps ? change->expires_in_s : before->expires_in_s;
    state->expires_ns = state->expires_in_s > 0.0
                            ? update->now_ns + (uint64_t)(state->expires_in_s * 1e9)
                            : UINT64_MAX;
    *out = state;
    return NAV_OK;
}

instance_state *instance_state_acquire(instance_state *state)
{
    (void)atomic_fetch_add_explicit(&state->references, 1, memory_order_relaxed);
    return state;
}

// Whoever gives back the last reference sees all that others did with theirs.
static bool is_last(_Atomic uint32_t *references)
{
    const uint32_t before = atomic_fetch_sub_explicit(references, 1, memory_order_acq_rel);
    NAV_ASSERT(before > 0);
    return before == 1;
}

void instance_state_release(instance_state *state)
{
    if (state != NULL && is_last(&state->references)) {
        free(state);
    }
}

// ---- worlds ----

// Obstacles are cut out of the mesh of an agent here, links placed over it and switches set, once
// for all questions.
static nav_status place_overlay(const instance_ground *ground, nav_mesh *mesh, uint32_t agent,
                                proto_world *placed, nav_error *err)
{
    if (placed->shape_count == 0 && placed->link_count == 0 && placed->switches == NULL) {
        return NAV_OK;
    }
    const bool same_mesh = ground->last != NULL && ground->last->mesh == ground->mesh;
    const nav_overlay_items items = {.shapes = placed->shapes,
                                     .shape_count = placed->shape_count,
                                     .links = placed->links,
                                     .link_count = placed->link_count,
                                     .switches = placed->switches};
    nav_status status = nav_overlay_create(
        mesh, ground->scratch, same_mesh ? instance_world_of(ground->last, agent)->overlay : NULL,
        &items, &placed->overlay, err);
    if (status == NAV_INVALID_FIELD) {
        nav_error_at(err, "obstacles");
    }
    return status;
}

// Agents have the same areas and coordinates, so that only shapes without a height of their own,
// and the ground that is cut, are others.
static nav_status place_for_agents(const instance_state *state, const instance_ground *ground,
                                   instance_world *world, nav_error *err)
{
    const uint32_t count = nav_mesh_agent_count(ground->mesh);
    nav_status status = place_overlay(ground, ground->mesh, 0, &world->placed, err);
    if (status != NAV_OK || count == 0) {
        return status;
    }
    world->agents = NAV_NEW_ZERO(&world->memory, proto_world, count);
    if (world->agents == NULL) {
        return no_memory(err);
    }
    for (uint32_t i = 0; status == NAV_OK && i < count; i++) {
        world->agents[i] = world->placed;
        world->agents[i].overlay = NULL;
        nav_mesh *mesh = nav_mesh_agent(ground->mesh, i);
        if (!world->shapes_refused) {
            status = proto_world_place_obstacles(&state->content, mesh, &world->memory,
                                                 &world->agents[i], err);
        }
        NAV_IF_OK(status, place_overlay(ground, mesh, i + 1, &world->agents[i], err));
    }
    return status;
}

static void release_overlays(instance_world *world, uint32_t agents)
{
    nav_overlay_release(world->placed.overlay);
    for (uint32_t i = 0; world->agents != NULL && i < agents; i++) {
        nav_overlay_release(world->agents[i].overlay);
    }
    world->placed.overlay = NULL;
    world->agents = NULL;
}

static nav_status place_without_shapes(const instance_state *state, const instance_ground *ground,
                                       instance_world *world, nav_error *err)
{
    release_overlays(world, nav_mesh_agent_count(ground->mesh));
    world->placed.shape_count = 0;
    world->shapes_refused = true;
    return place_for_agents(state, ground, world, err);
}

nav_status instance_world_make(instance_state *state, const instance_ground *ground,
                               instance_world **out, nav_error *err)
{
    instance_world *world = calloc(1, sizeof *world);
    if (world == NULL) {
        return no_memory(err);
    }
    nav_arena_init(&world->memory, NULL, 0);
    nav_status status =
        proto_world_make(&state->content, ground->mesh, &world->memory, &world->placed, err);
    NAV_IF_OK(status, place_for_agents(state, ground, world, err));
    if (status == NAV_INVALID_FIELD && ground->keeps_misfits) {
        status = place_without_shapes(state, ground, world, err);
    }
    if (status != NAV_OK) {
        release_overlays(world, nav_mesh_agent_count(ground->mesh));
        nav_arena_free(&world->memory);
        free(world);
        return status;
    }
    atomic_init(&world->references, 1);
    world->state = instance_state_acquire(state);
    world->mesh = nav_mesh_acquire(ground->mesh);
    world->version = ground->version;
    *out = world;
    return NAV_OK;
}

instance_world *instance_world_acquire(instance_world *world)
{
    (void)atomic_fetch_add_explicit(&world->references, 1, memory_order_relaxed);
    return world;
}

void instance_world_release(instance_world *world)
{
    if (world != NULL && is_last(&world->references)) {
        release_overlays(world, nav_mesh_agent_count(world->mesh));
        instance_state_release(world->state);
        nav_mesh_release(world->mesh);
        nav_arena_free(&world->memory);
        free(world);
    }
}

size_t instance_world_bytes(const instance_world *world)
{
    size_t overlay_bytes = 0;
    for (uint32_t agent = 0; agent <= nav_mesh_agent_count(world->mesh); agent++) {
        const nav_overlay *overlay = instance_world_of(world, agent)->overlay;
        overlay_bytes += overlay != NULL ? nav_overlay_bytes(overlay) : 0;
    }
    return sizeof *world + world->memory.held_bytes + overlay_bytes;
}
