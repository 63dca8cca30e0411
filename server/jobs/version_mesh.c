// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// version_mesh.c: registry, once the start has put the mesh there; else cache, else store.

#include "server/jobs/version_mesh.h"

#include "server/meshes/cache.h"
#include "server/meshes/load_queue.h"
#include "server/meshes/registry.h"
#include "server/meshes/load.h"
#include "server/jobs/repair.h"

// A version that is kept may have been removed meanwhile: only the store knows.
static nav_status take_kept(service *s, const char *name, uint32_t version, nav_mesh **mesh,
                            nav_error *err)
{
    *mesh = mesh_cache_acquire(s->cache, name, version);
    if (*mesh == NULL) {
        return NAV_OK;
    }
    bool ready = false;
    nav_status status = store_version_checks_get(s->store, name, version, &ready, NULL, err);
    if (status != NAV_OK || !ready) {
        mesh_cache_remove(s->cache, name, version);
        nav_mesh_release(*mesh);
        *mesh = NULL;
    }
    return status;
}

// To its end, however little patience the question has: the next one finds it kept.
static nav_status load(service *s, const char *name, uint32_t version, nav_mesh **mesh,
                       nav_error *err)
{
    bool landmarks_damaged = false;
    nav_error why = {0};
    nav_status status = load_mesh(s->store, name, version, NULL, &landmarks_damaged, mesh, &why);
    if (status == NAV_OK) {
        mesh_cache_add(s->cache, name, version, *mesh);
    }
    if (status == NAV_OK && landmarks_damaged) {
        (void)damage_fail(&why, name, version, "its landmarks");
        repair_version(s, name, version, &why); // which then takes it out of the cache
        return NAV_OK;
    }
    status = repair_after(s, name, version, status, &why);
    if (status != NAV_OK && err != NULL) {
        *err = why;
    }
    return status;
}

nav_status version_mesh_acquire(service *s, const char *name, uint32_t wanted, nav_mesh **mesh,
                                uint32_t *version, nav_error *err)
{
    nav_status status = NAV_OK;
    uint64_t activation = 0;
    *mesh = registry_acquire(s->registry, name, version);
    if (*mesh == NULL) {
        status = load_queue_wait(s->load_queue, name, err);
        *mesh = status == NAV_OK ? registry_acquire(s->registry, name, version) : NULL;
    }
    if (status != NAV_OK || (*mesh != NULL && (wanted == 0 || wanted == *version))) {
        return status;
    }
    nav_mesh_release(*mesh);
    *mesh = NULL;
    if (s->store == NULL) { // a recording has one version
        return nav_fail(err, PROTO_VERSION_NOT_FOUND, "mesh '%s' has no such version here", name);
    }
    if (wanted == 0) {
        store_mesh row;
        status = store_mesh_get(s->store, name, &row, err);
        if (status != NAV_OK) {
            return status;
        }
        if (row.active == 0) {
            return nav_fail(err, PROTO_VERSION_NOT_READY, "mesh '%s' has no live version", name);
        }
        // The start could not load it. Trying again says why.
        wanted = row.active;
        activation = row.activation;
    }
    *version = wanted;
    status = take_kept(s, name, wanted, mesh, err);
    if (status != NAV_OK || *mesh != NULL) {
        return status;
    }
    status = load(s, name, wanted, mesh, err);
    // Now it is live; without memory the next one tries.
    if (status == NAV_OK && activation != 0 &&
        registry_reserve(s->registry, name, NULL) == NAV_OK) {
        registry_publish(s->registry, name, wanted, activation, *mesh);
    }
    return status;
}
