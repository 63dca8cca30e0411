// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// worlds.c: an instance's state is placed over a mesh once and kept, until the state or the live
// version changes.

#include "server/jobs/worlds.h"

#include "server/jobs/version_mesh.h"
#include "server/meshes/registry.h"
#include "server/meshes/scratch.h"

// Whether the world is over the mesh that its instance is to be placed over now. A pinned version
// cannot be removed, so that its mesh stays the one to ask.
static bool is_current(service *s, const char *mesh, const instance_world *world)
{
    uint32_t version = 0;
    NAV_ASSERT(world != NULL);
    if (world->state->version != 0) {
        return true;
    }
    nav_mesh *live = registry_acquire(s->registry, mesh, &version);
    const bool same = live == world->mesh;
    nav_mesh_release(live);
    return same;
}

static nav_status make(instance_state *state, nav_mesh *mesh, uint32_t version,
                       instance_world **out, nav_error *err)
{
    const instance_ground ground = {
        .mesh = mesh, .version = version, .scratch = scratch_of_thread(), .keeps_misfits = true};
    return ground.scratch != NULL ? instance_world_make(state, &ground, out, err)
                                  : nav_fail(err, NAV_NO_MEMORY, "no memory to search a mesh");
}

// For whoever asks next. Had the live version been switched before, nobody would take it away
// again.
static void keep(service *s, const char *mesh, const char *name, instance_world *world)
{
    instances_keep_world(s->instances, mesh, name, world);
    if (!is_current(s, mesh, world)) {
        instances_drop_world(s->instances, mesh, name, world);
    }
}

static nav_status place_state(service *s, const char *mesh, const char *name, instance_state *state,
                              instance_world **out, nav_error *err)
{
    nav_mesh *nav = NULL;
    uint32_t version;
    nav_status status = version_mesh_acquire(s, mesh, state->version, &nav, &version, err);
    if (status != NAV_OK) {
        return status;
    }
    status = make(state, nav, version, out, err);
    nav_mesh_release(nav);
    if (status == NAV_OK) {
        keep(s, mesh, name, *out);
    }
    return status;
}

nav_status world_acquire(service *s, const char *mesh, const char *name, uint32_t wanted,
                         instance_world **out, nav_error *err)
{
    instance at;
    instance_world *world = NULL;
    nav_status status = instances_acquire(s->instances, mesh, name, &at, err);
    if (status != NAV_OK) {
        return status;
    }
    if (at.world != NULL && is_current(s, mesh, at.world)) {
        world = instance_world_acquire(at.world);
    } else {
        status = place_state(s, mesh, name, at.state, &world, err);
    }
    instance_release(&at);
    NAV_ASSERT(status != NAV_OK || world != NULL);
    if (status == NAV_OK && wanted != 0 && wanted != world->version) {
        nav_fail(err, NAV_INVALID_FIELD,
                 "instance '%s' is laid over version %u: name that, or leave it out", name,
                 world->version);
        nav_error_at(err, "version");
        nav_error_got(err, "%u", wanted);
        status = NAV_INVALID_FIELD;
        instance_world_release(world);
    }
    if (status == NAV_OK) {
        *out = world;
    }
    return status;
}

nav_status world_acquire_over(service *s, const char *mesh, const char *name, nav_mesh *nav,
                              uint32_t version, instance_world **out, nav_error *err)
{
    instance at;
    nav_status status = instances_acquire(s->instances, mesh, name, &at, err);
    if (status != NAV_OK) {
        return status;
    }
    if (at.state->version != 0 && at.state->version != version) {
        nav_fail(err, NAV_INVALID_FIELD,
                 "instance '%s' is pinned to version %u, and this request is about version %u",
                 name, at.state->version, version);
        nav_error_at(err, "instance");
        nav_error_got(err, "%s", name);
        status = NAV_INVALID_FIELD;
    } else if (at.world != NULL && at.world->mesh == nav) {
        *out = instance_world_acquire(at.world);
    } else {
        status = make(at.state, nav, version, out, err);
    }
    if (status == NAV_OK && at.world == NULL) {
        keep(s, mesh, name, *out);
    }
    instance_release(&at);
    return status;
}
