// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// repair.c: damage on disk from its detection to its end:
//
//   check    checksums and hashes, of rows at the start, of all bytes where a version is asked for
//   mark     log, damage_list: /v1/status, /readyz, /metrics, `error` of the version
//   bake     the version once more, as it is (jobs/bake/bake.c): a bake is a function of settings
//            and geometry

#include "server/jobs/repair.h"

#include "server/base/log.h"
#include "server/jobs/jobs.h"
#include "server/meshes/load.h"
#include "server/meshes/registry.h"

#include <stdlib.h>
#include <string.h>

// ---- check ----

static nav_status check_list(store *disk, const store_version *row, nav_error *err)
{
    store_tile *tiles = NULL;
    size_t count = 0;
    nav_status status = store_tiles_list(disk, row->mesh, row->version, &tiles, &count, err);
    if (status == NAV_OK && !store_version_names(row, tiles, count)) {
        status = damage_fail(err, row->mesh, row->version, "tiles that are not the ones it names");
    }
    store_tiles_free(tiles, count);
    return status;
}

static nav_status check_mesh(store *disk, const store_version *row, nav_error *err)
{
    bool landmarks_damaged = false;
    nav_mesh *mesh = NULL;
    nav_status status =
        load_mesh(disk, row->mesh, row->version, NULL, &landmarks_damaged, &mesh, err);
    nav_mesh_release(mesh);
    return status == NAV_OK && landmarks_damaged
               ? damage_fail(err, row->mesh, row->version, "its landmarks")
               : status;
}

static nav_status check_input(store *disk, const store_version *row, nav_error *err)
{
    nav_arena memory;
    nav_config config;
    void *geometry = NULL;
    size_t geometry_bytes = 0;
    nav_arena_init(&memory, NULL, LIMIT_CONFIG_MEMORY_BYTES);
    nav_status status = load_config(disk, row->mesh, row->version, &memory, &config, err);
    nav_arena_free(&memory);
    NAV_IF_OK(status,
              load_geometry_bytes(disk, row->mesh, row->version, &geometry, &geometry_bytes, err));
    free(geometry);
    return status;
}

nav_status repair_check(store *disk, const store_version *row, bool bytes, nav_error *err)
{
    const bool ready = row->state == STORE_READY;
    if (row->damaged) {
        return damage_fail(err, row->mesh, row->version, "its row");
    }
    nav_status status = ready ? check_list(disk, row, err) : NAV_OK;
    if (!bytes) {
        return status;
    }
    NAV_IF_OK(status, ready ? check_mesh(disk, row, err) : NAV_OK);
    NAV_IF_OK(status, check_input(disk, row, err));
    return status;
}

// ---- mark, and have it baked again ----

void repair_version(service *s, const char *mesh, uint32_t version, nav_error *why)
{
    damage_list_entry known;
    if (s->damage_list == NULL) {
        return;
    }
    if (damage_list_get(s->damage_list, mesh, version, &known)) {
        if (known.repairing) {
            damage_is_repaired(why);
        }
        return;
    }
    nav_error said = *why;
    damage_is_repaired(&said);
    if (!damage_list_set(s->damage_list, mesh, version, true, said.detail)) {
        return; // another thread was here first, or there is too much damage to keep in mind
    }
    if (jobs_submit(s->jobs, mesh, version, true) != NAV_OK) {
        damage_list_clear(s->damage_list, mesh, version);
        return;
    }
    log_error("version_damaged", "mesh=%s version=%u detail=\"%s\"", mesh, version, said.detail);
    *why = said;
}

nav_status repair_after(service *s, const char *mesh, uint32_t version, nav_status status,
                        nav_error *err)
{
    if (status != PROTO_INTERNAL) {
        return status;
    }
    repair_version(s, mesh, version, err);
    return err->status;
}

static void leave(service *s, const char *mesh, uint32_t version, const char *detail)
{
    (void)damage_list_set(s->damage_list, mesh, version, false, detail);
    log_error("version_not_repaired", "mesh=%s version=%u detail=\"%s\"", mesh, version, detail);
}

// ---- all versions, at the start ----

static void inspect_version(service *s, const store_version *row)
{
    nav_error why = {0};
    if (row->version == 0) { // nobody can ask for it
        log_error("version_not_repaired", "mesh=%s detail=\"the number of a version is damaged\"",
                  row->mesh);
        return;
    }
    if (repair_check(s->store, row, false, &why) != PROTO_INTERNAL) {
        return;
    }
    if (row->state == STORE_READY) {
        repair_version(s, row->mesh, row->version, &why);
    } else {
        leave(s, row->mesh, row->version, why.detail);
    }
}

static void inspect_mesh(service *s, const char *mesh)
{
    nav_error why = {0};
    store_version *rows = NULL;
    size_t count = 0;
    char *checks = NULL;
    if (store_checks_get(s->store, mesh, &checks, &why) == PROTO_INTERNAL) {
        (void)damage_list_set(s->damage_list, mesh, 0, false, why.detail);
        log_error("checks_damaged", "mesh=%s detail=\"%s\"", mesh, why.detail);
    }
    free(checks);
    if (store_version_list(s->store, mesh, &rows, &count, &why) == NAV_OK) {
        for (size_t i = 0; i < count; i++) {
            inspect_version(s, &rows[i]);
        }
        store_versions_free(rows, count);
    }
}

// A question to a mesh waits for its live version, and so does /readyz.
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
        if (all[i].repairing && mesh == NULL &&
            store_mesh_get(s->store, all[i].mesh, &row, &ignored) == NAV_OK &&
            row.active == all[i].version) {
            pending += jobs_watch(s->jobs, all[i].mesh, all[i].version, done, user);
        }
    }
    free(all);
    return pending;
}

void repair_begin(service *s, void (*done)(void *user), void *user, uint32_t *pending)
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
        inspect_mesh(s, meshes[i].name);
    }
    free(meshes);
    *pending = watch_live(s, done, user);
}

// ---- the end ----

void repair_end(service *s, const char *mesh, uint32_t version, nav_status status,
                const nav_error *why)
{
    nav_error said = {0};
    switch (status) {
    case NAV_OK:
        log_info("version_repaired", "mesh=%s version=%u", mesh, version);
        damage_list_clear(s->damage_list, mesh, version);
        break;
    case NAV_CANCELLED: // it has gone, or the daemon stops: the next start finds it again
    case PROTO_MESH_NOT_FOUND:
    case PROTO_VERSION_NOT_FOUND:
        damage_list_clear(s->damage_list, mesh, version);
        break;
    case PROTO_INTERNAL: // a sentence of damage_fail
    case PROTO_STORE_UNAVAILABLE:
        leave(s, mesh, version, why->detail);
        break;
    default:
        (void)damage_fail(&said, mesh, version, "baked again: %s; the next start tries anew",
                          proto_status_word(status));
        leave(s, mesh, version, said.detail);
    }
}

void repair_again(service *s, const char *mesh)
{
    size_t count = 0;
    damage_list_entry *all = damage_list_all(s->damage_list, &count);
    for (size_t i = 0; all != NULL && i < count; i++) {
        store_version row;
        nav_error why = {0};
        if (strcmp(all[i].mesh, mesh) != 0 || all[i].version == 0 || all[i].repairing) {
            continue;
        }
        const nav_status status = store_version_get(s->store, mesh, all[i].version, &row, &why);
        const bool ready = status == NAV_OK && row.state == STORE_READY;
        if (status == NAV_OK) {
            store_version_free(&row);
        }
        if (ready || status == PROTO_VERSION_NOT_FOUND || status == PROTO_MESH_NOT_FOUND) {
            damage_list_clear(s->damage_list, mesh, all[i].version);
        }
        if (ready) {
            (void)nav_fail(&why, PROTO_INTERNAL, "%s", all[i].detail);
            repair_version(s, mesh, all[i].version, &why);
        }
    }
    free(all);
}
