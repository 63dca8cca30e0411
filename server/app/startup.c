// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// startup.c: what comes before the daemon is ready, in this order: the live versions into the
// registry, on as many threads as there are workers, while main listens for signals; the bakes that
// were cut short; the files of meshes that options name.

#include "server/app/startup.h"

#include "proto/replies/replies.h"
#include "server/app/mesh_file.h"
#include "server/base/clock.h"
#include "server/base/events.h"
#include "server/base/log.h"
#include "server/http/auth.h"
#include "server/instances/instances.h"
#include "server/jobs/jobs.h"
#include "server/jobs/repair.h"
#include "server/meshes/cache.h"
#include "server/meshes/damage_list.h"
#include "server/meshes/load.h"
#include "server/meshes/load_queue.h"
#include "server/meshes/registry.h"
#include "server/recordings/recordings.h"
#include "server/store/store.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// The detail for a mesh whose name, or whose live version's number, cannot be read.
static const char *damage_of(const store_name *name)
{
    return name->mesh[0] != '\0' && name->version != 0
               ? NULL
               : "the name of a mesh, or the number of a version, is damaged in the database: "
                 "navmeshd verify tells which, restore a backup";
}

// ---- live versions ----
//
// The loaders take one mesh after the other from the list (meshes/load_queue.c), first those that
// questions wait for; each answers as soon as it is loaded.

struct loaders {
    service *service;
    void (*done)(void *user);
    void *user;
    uint32_t started;
    pthread_t threads[LIMIT_WORKERS]; // started
};

static bool is_stopped(void *user)
{
    return load_queue_is_stopped(user);
}

static nav_status load_and_publish(service *s, const store_name *name, nav_error *why)
{
    const nav_bake_hooks hooks = {.user = s->load_queue, .cancelled = is_stopped};
    nav_mesh *mesh = NULL;
    bool landmarks_damaged = false;
    nav_status status =
        load_mesh(s->store, name->mesh, name->version, &hooks, &landmarks_damaged, &mesh, why);
    if (status == NAV_OK && landmarks_damaged) {
        nav_error said;
        (void)damage_fail(&said, name->mesh, name->version, "its landmarks");
        repair_version(s, name->mesh, name->version, &said);
    }
    NAV_IF_OK(status, registry_reserve(s->registry, name->mesh, why));
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
    retry again = {
        .pause_ms = 50, .pause_ms_max = 800, .stopped = is_stopped, .user = s->load_queue};
    nav_status status;
    do {
        status = load_and_publish(s, name, why);
    } while (retry_again(&again, status));
    return status;
}

static void load_one(loaders *l, const store_name *name)
{
    nav_error why = {0};
    const char *damage = damage_of(name);
    nav_status status = damage == NULL ? load_patiently(l->service, name, &why)
                                       : nav_fail(&why, PROTO_INTERNAL, "%s", damage);
    if (status == PROTO_INTERNAL && damage == NULL) {
        repair_version(l->service, name->mesh, name->version, &why);
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
    while ((name = load_queue_take(l->service->load_queue)) != NULL) {
        load_one(l, name);
        load_queue_done(l->service->load_queue, name);
        l->done(l->user);
    }
    return NULL;
}

nav_status startup_load_list(service *s, nav_error *err)
{
    store_name *names = NULL;
    size_t count = 0;
    nav_status status = store_active_list(s->store, &names, &count, err);
    if (status == NAV_OK && load_queue_set(s->load_queue, names, count) != NAV_OK) {
        free(names);
        status = nav_fail(err, NAV_NO_MEMORY, "no memory to load the meshes");
    }
    return status;
}

nav_status startup_load_begin(service *s, void (*done)(void *user), void *user, loaders **out,
                              uint32_t *pending, nav_error *err)
{
    const size_t count = load_queue_count(s->load_queue);
    loaders *l = calloc(1, sizeof *l);
    *out = l;
    *pending = 0;
    if (l == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory to load the meshes");
    }
    NAV_ASSERT(count <= UINT32_MAX && atomic_load(&s->state) == SERVICE_LOADING);
    l->service = s;
    l->done = done;
    l->user = user;
    *pending = (uint32_t)count;
    const uint32_t wanted = jobs_count(l->service->jobs).workers;
    NAV_ASSERT(wanted > 0 && wanted <= LIMIT_WORKERS && l->started == 0);
    while (l->started < wanted && l->started < count &&
           pthread_create(&l->threads[l->started], NULL, load_each, l) == 0) {
        l->started++;
    }
    return l->started > 0 || count == 0
               ? NAV_OK
               : nav_fail(err, NAV_NO_MEMORY, "no thread to load the meshes");
}

void startup_load_end(loaders *l)
{
    while (l != NULL && l->started > 0) {
        (void)pthread_join(l->threads[--l->started], NULL);
    }
    free(l);
}

// ---- bakes and files ----

nav_status startup_requeue(service *s, nav_error *err)
{
    store_name *names = NULL;
    size_t count = 0;
    nav_status status = store_queued_list(s->store, &names, &count, err);
    for (size_t i = 0; status == NAV_OK && i < count; i++) {
        const char *damage = damage_of(&names[i]);
        if (damage != NULL) {
            log_error("bake_not_resumed", "mesh=%s version=%u detail=\"%s\"", names[i].mesh,
                      names[i].version, damage);
            continue;
        }
        log_info("bake_resumed", "mesh=%s version=%u", names[i].mesh, names[i].version);
        if (jobs_submit(s->jobs, names[i].mesh, names[i].version, false) != NAV_OK) {
            status = nav_fail(err, NAV_NO_MEMORY, "no memory to queue the bakes");
        }
    }
    free(names);
    return status;
}

nav_status startup_set_checks(service *s, const options *o, nav_error *err)
{
    nav_status status = NAV_OK;
    for (size_t i = 0; status == NAV_OK && i < o->mesh_count; i++) {
        status = mesh_file_set_checks(s, &o->meshes[i], err);
    }
    return status;
}

nav_status startup_upload(service *s, const options *o, startup_versions *versions,
                          void (*done)(void *user), void *user, uint32_t *pending, nav_error *err)
{
    _Static_assert(sizeof versions->items / sizeof *versions->items == 2 * LIMIT_MESH_FILES,
                   "two lists of options name meshes");
    *pending = 0;
    for (size_t i = 0; i < o->mesh_count; i++) {
        const option_mesh *mesh = &o->meshes[i];
        upload_outcome outcome;
        nav_status status = mesh_file_upload(s, mesh, NULL, 0, NULL, true, &outcome, err);
        if (status != NAV_OK) {
            return status;
        }
        versions->items[i] = outcome.version;
        if (!outcome.kept) {
            log_info("mesh_file", "mesh=%s version=%u stored=%s", mesh->name, outcome.version,
                     outcome.existing ? "before" : "now");
        }
        if (jobs_watch(s->jobs, mesh->name, outcome.version, done, user)) {
            (*pending)++;
        }
    }
    return NAV_OK;
}

// Fails with the sentence of the first check that failed; the log says what to do. Without such a
// check status and err stay as they are.
static nav_status explain_checks(const char *name, const store_version *row, nav_status status,
                                 nav_error *err)
{
    nav_error ignored;
    proto_lines lines = {.prefix = ""};
    if (proto_lines_write(&lines, row->checks_json, NULL, NULL, &ignored) == NAV_OK &&
        lines.failed_checks > 0) {
        const char *end = memchr(lines.text.bytes, '\n', lines.text.size_bytes);
        NAV_ASSERT(end != NULL); // a line for each check that failed
        const int length = (int)(end - lines.text.bytes);
        status = nav_fail(err, PROTO_CHECKS_FAILED, "mesh '%s' version %u: %.*s", name,
                          row->version, length, lines.text.bytes);
        log_error("mesh_fails_checks", "mesh=%s version=%u failed=%u detail=\"%.*s\" now=\"%s\"",
                  name, row->version, lines.failed_checks, length, lines.text.bytes,
                  "navmeshd bake --mesh NAME=FILE force=1 makes it live all the same; or start "
                  "without this mesh and change its checks");
    }
    proto_writer_free(&lines.text);
    return status;
}

// Fails with the reason why a mesh has nothing live: that of the newest version that failed, or
// that fails checks.
static nav_status explain(service *s, const char *name, nav_error *err)
{
    store_version *rows = NULL;
    size_t count = 0;
    nav_status status = store_version_list(s->store, name, &rows, &count, err);
    if (status != NAV_OK) {
        return status;
    }
    status = nav_fail(err, PROTO_VERSION_NOT_READY, "mesh '%s' has no live version", name);
    for (size_t i = count; i > 0 && status == PROTO_VERSION_NOT_READY; i--) {
        const store_version *row = &rows[i - 1];
        if (row->state == STORE_FAILED) {
            status = nav_fail(err, row->error.status, "mesh '%s': %s", name, row->error.detail);
        } else if (row->state == STORE_READY) {
            status = explain_checks(name, row, status, err);
        }
    }
    store_versions_free(rows, count);
    return status;
}

nav_status startup_check_meshes(service *s, const options *o, const startup_versions *versions,
                                nav_error *err)
{
    for (size_t i = 0; i < o->mesh_count; i++) {
        uint32_t version;
        nav_mesh *mesh = registry_acquire(s->registry, o->meshes[i].name, &version);
        if (mesh == NULL) {
            return explain(s, o->meshes[i].name, err);
        }
        nav_mesh_release(mesh);
        if (version != versions->items[i]) {
            // Says so if a ready version is not live because it fails checks.
            store_version row;
            nav_error ignored = {0};
            if (store_version_get(s->store, o->meshes[i].name, versions->items[i], &row,
                                  &ignored) == NAV_OK) {
                if (row.state == STORE_READY && !row.active) {
                    (void)explain_checks(o->meshes[i].name, &row, NAV_OK, &ignored);
                }
                store_version_free(&row);
            }
        }
    }
    return NAV_OK;
}

void startup_close(service *s)
{
    jobs_destroy(s->jobs);
    recordings_destroy(s->recordings);
    instances_destroy(s->instances);
    pins_destroy(s->pins);
    events_destroy(s->events);
    damage_list_destroy(s->damage_list);
    mesh_cache_destroy(s->cache);
    load_queue_destroy(s->load_queue);
    registry_destroy(s->registry);
    auth_close(s->auth);
    store_close(s->store); // the write-ahead log goes into the database
}
