// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// startup_load.c: every live version of the store into the registry, on as many threads as there
// are workers. One mesh after the other is taken from the list; each answers as soon as it is
// there.

#include "server/startup.h"

#include "server/load.h"
#include "server/log.h"
#include "server/repair.h"

#include <pthread.h>
#include <stdlib.h>

typedef struct loader {
    service *service;
    const store_name *names; // count
    uint32_t count;
    _Atomic uint32_t next;
    atomic_bool no_memory;
} loader;

// A version with damaged tiles is repaired, where its geometry is whole, and loaded again.
static nav_status load_whole(service *s, const store_name *name, nav_mesh **out, nav_error *why)
{
    nav_error first = {0};
    uint32_t repaired = 0;
    nav_status status = load_mesh(s->store, name->mesh, name->version, out, &first);
    *why = first;
    if (status != NAV_INTERNAL) {
        return status;
    }
    status =
        repair_version(s->store, name->mesh, name->version, s->budget.bake_bytes, &repaired, why);
    if (status == NAV_OK && repaired > 0) {
        return load_mesh(s->store, name->mesh, name->version, out, why);
    }
    if (status == NAV_OK) {
        *why = first; // it was not the tiles
    }
    return NAV_INTERNAL;
}

static void load_one(loader *l, const store_name *name)
{
    nav_mesh *mesh = NULL;
    nav_error why = {0};
    if (load_whole(l->service, name, &mesh, &why) != NAV_OK) {
        log_error("mesh_not_loaded", "mesh=%s version=%u detail=\"%s\"", name->mesh, name->version,
                  why.detail);
        return;
    }
    if (registry_publish(l->service->registry, name->mesh, name->version, name->activation, mesh) !=
        NAV_OK) {
        atomic_store(&l->no_memory, true);
    }
    nav_mesh_release(mesh);
}

static void *load_next(void *argument)
{
    loader *l = argument;
    uint32_t i;
    while ((i = atomic_fetch_add(&l->next, 1)) < l->count) {
        load_one(l, &l->names[i]);
    }
    return NULL;
}

nav_status startup_load(service *s, nav_error *err)
{
    store_name *names = NULL;
    size_t count = 0;
    nav_status status = store_active_list(s->store, &names, &count, err);
    if (status != NAV_OK) {
        return status;
    }
    loader l = {.service = s, .names = names, .count = (uint32_t)count};
    pthread_t threads[LIMIT_WORKERS];
    uint32_t started = 0, wanted = jobs_count(s->jobs).workers;
    // This thread is one of them, and does it alone where no other can be had.
    while (started + 1 < wanted && started + 1 < count &&
           pthread_create(&threads[started], NULL, load_next, &l) == 0) {
        started++;
    }
    (void)load_next(&l);
    while (started > 0) {
        (void)pthread_join(threads[--started], NULL);
    }
    free(names);
    return atomic_load(&l.no_memory) ? nav_fail(err, NAV_NO_MEMORY, "no memory to load the meshes")
                                     : NAV_OK;
}
