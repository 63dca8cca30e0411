// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// mend.c: see mend.h. How it is done stands in jobs/bake/bake.c, how it is written in store/heal.c.

#include "server/jobs/mend.h"

#include "server/jobs/jobs.h"
#include "server/meshes/registry.h"
#include "server/store/damage.h"
#include "server/base/log.h"
#include "server/jobs/repair.h"

#include <stdlib.h>
#include <string.h>

void mend_version(service *s, const char *mesh, uint32_t version, nav_error *why)
{
    damage_list_entry known;
    if (s->damage_list == NULL) {
        return;
    }
    if (damage_list_get(s->damage_list, mesh, version, &known)) {
        if (known.mending) {
            damage_is_mended(why);
        }
        return;
    }
    nav_error told = *why;
    damage_is_mended(&told);
    if (!damage_list_add(s->damage_list, mesh, version, told.detail)) {
        return; // another thread was here first, or there is too much damage to keep in mind
    }
    if (jobs_repair(s->jobs, mesh, version) != NAV_OK) {
        damage_list_clear(s->damage_list, mesh, version);
        return;
    }
    log_error("version_damaged", "mesh=%s version=%u detail=\"%s\"", mesh, version, told.detail);
    *why = told;
}

// ---- at the start ----

static void leave(service *s, const char *mesh, uint32_t version, const char *detail)
{
    damage_list_leave(s->damage_list, mesh, version, detail);
    log_error("version_not_repaired", "mesh=%s version=%u detail=\"%s\"", mesh, version, detail);
}

static void look_at_version(service *s, const store_version *row)
{
    nav_error why = {0};
    if (row->state == STORE_READY && repair_look(s->store, row, &why) == PROTO_INTERNAL) {
        mend_version(s, row->mesh, row->version, &why);
    } else if (row->state != STORE_READY && row->damaged != NULL) {
        (void)damage_fail(&why, row->mesh, row->version, "%s", row->damaged);
        leave(s, row->mesh, row->version, why.detail);
    }
}

static void look_at_mesh(service *s, const char *mesh)
{
    nav_error why = {0};
    store_version *rows = NULL;
    size_t count = 0;
    char *checks = NULL;
    if (store_checks_get(s->store, mesh, &checks, &why) == PROTO_INTERNAL) {
        damage_list_leave(s->damage_list, mesh, 0, why.detail);
        log_error("checks_damaged", "mesh=%s detail=\"%s\"", mesh, why.detail);
    }
    free(checks);
    if (store_version_list(s->store, mesh, &rows, &count, &why) == NAV_OK) {
        for (size_t i = 0; i < count; i++) {
            look_at_version(s, &rows[i]);
        }
        store_versions_free(rows, count);
    }
}

// Whoever asks for a mesh waits for the live version, and so does /readyz.
static uint32_t watch_live(service *s, void (*done)(void *user), void *user)
{
    uint32_t pending = 0;
    size_t count;
    damage_list_entry *all = damage_list_all(s->damage_list, &count);
    for (size_t i = 0; all != NULL && i < count; i++) {
        store_mesh row;
        uint32_t loaded = 0;
        nav_error ignored;
        nav_mesh *mesh = registry_acquire(s->registry, all[i].mesh, &loaded);
        nav_mesh_release(mesh);
        if (all[i].mending && mesh == NULL &&
            store_mesh_get(s->store, all[i].mesh, &row, &ignored) == NAV_OK &&
            row.active == all[i].version) {
            pending += jobs_watch(s->jobs, all[i].mesh, all[i].version, done, user);
        }
    }
    free(all);
    return pending;
}

void mend_begin(service *s, void (*done)(void *user), void *user, uint32_t *pending)
{
    store_mesh *meshes = NULL;
    size_t count = 0;
    nav_error why = {0};
    *pending = 0;
    if (s->damage_list == NULL) {
        return;
    }
    if (store_mesh_list(s->store, &meshes, &count, &why) != NAV_OK) {
        log_error("versions_not_looked_at", "detail=\"%s\"", why.detail);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        look_at_mesh(s, meshes[i].name);
    }
    free(meshes);
    *pending = watch_live(s, done, user);
}

// ---- the end ----

void mend_end(service *s, const char *mesh, uint32_t version, nav_status status,
              const nav_error *why)
{
    nav_error told = {0};
    switch (status) {
    case NAV_OK:
        log_info("version_repaired", "mesh=%s version=%u by=%u", mesh, version, version);
        damage_list_clear(s->damage_list, mesh, version);
        break;
    case NAV_CANCELLED: // the daemon stops: the next start finds it again
    case PROTO_MESH_NOT_FOUND:
    case PROTO_VERSION_NOT_FOUND:
    case PROTO_VERSION_NOT_READY:
        damage_list_clear(s->damage_list, mesh, version);
        break;
    case PROTO_INTERNAL: // a sentence of store/damage.c
    case PROTO_STORE_UNAVAILABLE:
        leave(s, mesh, version, why->detail);
        break;
    default:
        (void)damage_fail(&told, mesh, version, "baked again: %s; the next start tries anew",
                          proto_status_word(status));
        leave(s, mesh, version, told.detail);
    }
}

void mend_forget_removed(service *s, const char *mesh)
{
    size_t count;
    if (damage_list_count(s->damage_list) == 0) {
        return;
    }
    damage_list_entry *all = damage_list_all(s->damage_list, &count);
    for (size_t i = 0; all != NULL && i < count; i++) {
        store_version row;
        nav_error why;
        if (strcmp(all[i].mesh, mesh) != 0 || all[i].version == 0) {
            continue;
        }
        const nav_status status = store_version_get(s->store, mesh, all[i].version, &row, &why);
        if (status == NAV_OK) {
            store_version_free(&row);
        } else if (status == PROTO_VERSION_NOT_FOUND || status == PROTO_MESH_NOT_FOUND) {
            damage_list_clear(s->damage_list, mesh, all[i].version);
        }
    }
    free(all);
}
