// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// startup_load.c: every live version of the store into the registry, on as many threads as there
// are workers, while main listens for signals. One mesh after the other is taken from the list
// (meshes/loads.c), first those that questions wait for; each answers as soon as it is there.

#include "server/app/startup.h"

#include "server/jobs/jobs.h"
#include "server/meshes/loads.h"
#include "server/meshes/registry.h"
#include "server/store/damage.h"
#include "server/meshes/load.h"
#include "server/base/log.h"
#include "server/jobs/mend.h"
#include "server/jobs/repair.h"
#include "server/base/clock.h"

#include <pthread.h>
#include <stdlib.h>

struct loaders {
    service *service;
    void (*done)(void *user);
    void *user;
    uint32_t started;
    pthread_t threads[LIMIT_WORKERS]; // started
};

static bool is_stopped(void *user)
{
    return loads_is_stopped(user);
}

// A version with damaged tiles is repaired, where its geometry is whole, and loaded again.
static nav_status load_whole(service *s, const store_name *name, nav_mesh **out, nav_error *why)
{
    const nav_bake_hooks hooks = {.user = s->loads, .cancelled = is_stopped};
    nav_error first = {0};
    uint32_t repaired = 0;
    bool lame = false;
    nav_status status = load_mesh(s->store, name->mesh, name->version, &hooks, &lame, out, &first);
    *why = first;
    if (status == NAV_OK && lame) {
        (void)damage_fail(&first, name->mesh, name->version, "its landmarks");
        mend_version(s, name->mesh, name->version, &first);
    }
    if (status != PROTO_INTERNAL) {
        return status;
    }
    status = repair_version(s->store, name->mesh, name->version, s->budget.bake_bytes, &hooks,
                            &repaired, why);
    if (status == NAV_OK && repaired > 0) {
        return load_mesh(s->store, name->mesh, name->version, &hooks, NULL, out, why);
    }
    if (status == NAV_CANCELLED || status == NAV_NO_MEMORY) {
        return status;
    }
    if (status == NAV_OK) {
        *why = first; // it was not the tiles
    }
    return PROTO_INTERNAL;
}

static nav_status load_and_publish(service *s, const store_name *name, nav_error *why)
{
    nav_mesh *mesh = NULL;
    nav_status status = load_whole(s, name, &mesh, why);
    if (status == NAV_OK) {
        status = registry_reserve(s->registry, name->mesh, why);
    }
    if (status == NAV_OK) {
        registry_publish(s->registry, name->mesh, name->version, name->activation, mesh);
    }
    nav_mesh_release(mesh);
    return status;
}

// Memory and disk errors may pass, so the load is retried. After the last try the next question
// loads it (jobs/version_mesh.c).
static nav_status load_patiently(service *s, const store_name *name, nav_error *why)
{
    retry again = {.pause_ms = 50, .pause_ms_max = 800, .stopped = is_stopped, .user = s->loads};
    nav_status status;
    do {
        status = load_and_publish(s, name, why);
    } while (retry_again(&again, status));
    return status;
}

static void load_one(loaders *l, const store_name *name)
{
    nav_error why = {0};
    nav_status status = name->mesh[0] != '\0'
                            ? load_patiently(l->service, name, &why)
                            : nav_fail(&why, PROTO_INTERNAL, "%s", STARTUP_NAME_DAMAGED);
    if (status == PROTO_INTERNAL && name->mesh[0] != '\0') {
        mend_version(l->service, name->mesh, name->version, &why);
    }
    if (status != NAV_OK && status != NAV_CANCELLED) {
        log_error("mesh_not_loaded", "mesh=%s version=%u detail=\"%s\"", name->mesh, name->version,
                  why.detail);
    }
}

static void *load_each(void *argument)
{
    loaders *l = argument;
    const store_name *name;
    while ((name = loads_take(l->service->loads)) != NULL) {
        load_one(l, name);
        loads_done(l->service->loads, name);
        l->done(l->user);
    }
    return NULL;
}

static nav_status start_threads(loaders *l, size_t count, nav_error *err)
{
    const uint32_t wanted = jobs_count(l->service->jobs).workers;
    while (l->started < wanted && l->started < count &&
           pthread_create(&l->threads[l->started], NULL, load_each, l) == 0) {
        l->started++;
    }
    return l->started > 0 || count == 0
               ? NAV_OK
               : nav_fail(err, NAV_NO_MEMORY, "no thread to load the meshes");
}

nav_status startup_load_list(service *s, nav_error *err)
{
    store_name *names = NULL;
    size_t count = 0;
    nav_status status = store_active_list(s->store, &names, &count, err);
    if (status == NAV_OK && loads_set(s->loads, names, count) != NAV_OK) {
        free(names);
        status = nav_fail(err, NAV_NO_MEMORY, "no memory to load the meshes");
    }
    return status;
}

nav_status startup_load_begin(service *s, void (*done)(void *user), void *user, loaders **out,
                              uint32_t *pending, nav_error *err)
{
    const size_t count = loads_count(s->loads);
    loaders *l = calloc(1, sizeof *l);
    *out = l;
    *pending = 0;
    if (l == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory to load the meshes");
    }
    l->service = s;
    l->done = done;
    l->user = user;
    *pending = (uint32_t)count;
    return start_threads(l, count, err);
}

void startup_load_end(loaders *l)
{
    while (l != NULL && l->started > 0) {
        (void)pthread_join(l->threads[--l->started], NULL);
    }
    free(l);
}
