// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// meshes.c: meshes: their list, one with its versions and its ETag, removal, the switch of the live
// version, and the checks that a mesh expects its versions to pass. Checks are run when a bake ends
// (jobs/bake/bake.c) and before a switch (jobs/activate.c), not here.

#include "server/api/routes.h"

#include "proto/base/suggest.h"
#include "server/http/auth.h"
#include "server/instances/instances.h"
#include "server/jobs/jobs.h"
#include "server/jobs/job_events.h"
#include "server/jobs/version_view.h"
#include "server/meshes/cache.h"
#include "server/meshes/checks.h"
#include "server/meshes/damage_list.h"
#include "server/meshes/registry.h"
#include "server/store/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- the ETag ----

// The next tag of a list, past blanks and commas; NULL at the end.
static const char *next_tag(const char *at)
{
    at += strspn(at, " \t,");
    return *at != '\0' ? at : NULL;
}

static bool etag_is_known(const char *if_none_match, const char *etag)
{
    for (const char *at = next_tag(if_none_match); at != NULL;
         at = next_tag(at + strcspn(at, ","))) {
        const char *tag = strncmp(at, "W/", 2) == 0 ? at + 2 : at;
        if (strcmp(at, "*") == 0 || strncmp(tag, etag, strlen(etag)) == 0) {
            return true;
        }
    }
    return false;
}

void reply_take_etag(const request *r, reply *out, const char etag[MESH_ETAG_BYTES])
{
    _Static_assert(sizeof out->etag == MESH_ETAG_BYTES, "one size of ETags");
    memcpy(out->etag, etag, MESH_ETAG_BYTES);
    // It says the length that the 200 would have (RFC 9110, 8.6); the library sends no body.
    if (r->if_none_match != NULL && etag_is_known(r->if_none_match, etag)) {
        out->status = 304;
    }
}

bool mesh_etag_is_current(const char *if_match, uint64_t activation)
{
    char count[32];
    int length = snprintf(count, sizeof count, "\"a%llu-", (unsigned long long)activation);
    NAV_ASSERT(length > 0 && (size_t)length < sizeof count);
    for (const char *at = next_tag(if_match); at != NULL; at = next_tag(at + strcspn(at, ","))) {
        if (strncmp(at, count, (size_t)length) == 0) {
            return true;
        }
    }
    return false;
}

// ---- meshes ----

// A version, or null.
static void write_active(proto_writer *w, const char *key, uint32_t active)
{
    proto_member_index(w, key, active != 0 ? active : NAV_NONE);
}

void suggest_mesh(const request *r, nav_error *err)
{
    store_name *names = NULL;
    size_t count = 0;
    // A token that has only this scope may not list meshes.
    const bool may_list = r->service->auth == NULL || (r->route->scopes & AUTH_WORLD) == 0;
    if (!may_list || r->mesh[0] == '\0' || r->service->store == NULL ||
        store_first_names(r->service->store, &names, &count, NULL) != NAV_OK) {
        return;
    }
    proto_suggestion meant = proto_suggest(r->mesh, strlen(r->mesh));
    for (size_t i = 0; i < count; i++) {
        proto_suggest_offer(&meant, names[i].mesh, strlen(names[i].mesh));
    }
    free(names);
    proto_suggest_say(&meant, err);
}

nav_status handle_mesh_list(request *r, reply *out, nav_error *err)
{
    store_mesh *meshes = NULL;
    size_t count = 0;
    proto_writer *w = &out->w;
    const nav_status status = store_mesh_list(r->service->store, &meshes, &count, err);
    proto_write_object_begin(w);
    proto_member_array(w, "meshes");
    for (size_t i = 0; status == NAV_OK && i < count; i++) {
        proto_write_object_begin(w);
        proto_member_string(w, "mesh", meshes[i].name);
        write_active(w, "active", meshes[i].active);
        proto_member_int(w, "versions", meshes[i].versions);
        proto_write_object_end(w);
    }
    proto_write_array_end(w);
    proto_write_object_end(w);
    free(meshes);
    return status;
}

#define HASH_DIGITS 16

// Its ETag is made of what is written: members that do not show make no other one.
static nav_status write_mesh(const request *r, proto_writer *w, char etag[MESH_ETAG_BYTES],
                             nav_error *err)
{
    store_mesh mesh;
    nav_status status = store_mesh_get(r->service->store, r->mesh, &mesh, err);
    if (status != NAV_OK) {
        return status;
    }
    proto_write_object_begin(w);
    proto_member_string(w, "mesh", r->mesh);
    write_active(w, "active", mesh.active);
    proto_write_key(w, "versions");
    status = version_view_write_all(r->service, r->mesh, w, err);
    proto_write_object_end(w);
    uint8_t digest[32];
    char hex[65];
    nav_sha256_of(w->bytes, w->failed ? 0 : w->size_bytes, digest);
    nav_sha256_hex(digest, hex);
    _Static_assert(sizeof "\"a18446744073709551615-\"" + HASH_DIGITS <= MESH_ETAG_BYTES, "room");
    (void)snprintf(etag, MESH_ETAG_BYTES, "\"a%llu-%.*s\"", (unsigned long long)mesh.activation,
                   HASH_DIGITS, hex);
    return status;
}

nav_status handle_mesh_get(request *r, reply *out, nav_error *err)
{
    char etag[MESH_ETAG_BYTES];
    const nav_status status = write_mesh(r, &out->w, etag, err);
    if (status == NAV_OK) {
        reply_take_etag(r, out, etag);
    }
    return status;
}

// If-Match: absent or * is any; else the mesh must not have been switched since its ETag was read.
// *expected holds a switch itself to that.
static nav_status read_if_match(request *r, uint64_t *expected, nav_error *err)
{
    *expected = STORE_ANY_ACTIVATION;
    if (r->if_match == NULL || strcmp(r->if_match, "*") == 0) {
        return NAV_OK;
    }
    store_mesh mesh;
    nav_status status = store_mesh_get(r->service->store, r->mesh, &mesh, err);
    if (status != NAV_OK) {
        return status;
    }
    if (!mesh_etag_is_current(r->if_match, mesh.activation)) {
        return nav_fail(err, PROTO_STALE_ETAG,
                        "the live version of '%s' is not the one that If-Match was read with",
                        r->mesh);
    }
    *expected = mesh.activation;
    return NAV_OK;
}

// If-Match keeps a client that has not seen the last switch from removing the version that is live
// now. A switch at the very moment of the removal is not held to it: the mesh goes in either case.
nav_status handle_mesh_delete(request *r, reply *out, nav_error *err)
{
    uint64_t expected, activation;
    store_mesh mesh;
    bool force = false;
    nav_status status = proto_force_arg(r->args, r->arg_count, &force, err);
    NAV_IF_OK(status, read_if_match(r, &expected, err));
    if (status == NAV_OK) {
        status = store_mesh_get(r->service->store, r->mesh, &mesh, err);
        // With room for the name, news from before the delete comes too late. One that has checks
        // only has no such news.
        status = status == NAV_OK ? registry_reserve(r->service->registry, r->mesh, err)
                 : status == PROTO_MESH_NOT_FOUND ? NAV_OK
                                                  : status;
    }
    NAV_IF_OK(status, store_mesh_delete(r->service->store, r->mesh, force, &activation, err));
    if (status == NAV_OK) {
        // Bakes under way find their version gone; they are notified so as to end early.
        jobs_cancel(r->service->jobs, r->mesh, 0);
        job_events_removed(r->service, r->mesh);
        damage_list_clear(r->service->damage_list, r->mesh, DAMAGE_ALL);
        mesh_cache_remove(r->service->cache, r->mesh, 0);
        registry_publish(r->service->registry, r->mesh, 0, activation, NULL);
        instances_clear(r->service->instances, r->mesh);
        out->status = 204;
    }
    return status;
}

// ---- the switch ----

// The ETag is the mesh's, as a GET would send it now.
static void reply_switched(request *r, reply *out, uint32_t version, uint32_t previous)
{
    char etag[MESH_ETAG_BYTES];
    nav_error ignored;
    proto_writer mesh;
    proto_writer_init(&mesh);
    if (write_mesh(r, &mesh, etag, &ignored) == NAV_OK && !mesh.failed) {
        memcpy(out->etag, etag, sizeof etag);
    }
    proto_writer_free(&mesh);
    proto_write_object_begin(&out->w);
    proto_member_int(&out->w, "version", version);
    write_active(&out->w, "previous", previous);
    proto_write_object_end(&out->w);
}

nav_status handle_active_put(request *r, reply *out, nav_error *err)
{
    proto_active_request sent;
    uint64_t expected, activation;
    store_mesh before;
    nav_status status =
        proto_active_request_read(r->body, r->body_bytes, r->args, r->arg_count, &sent, err);
    NAV_IF_OK(status, read_if_match(r, &expected, err));
    if (status == NAV_OK) {
        NAV_ASSERT(sent.version != 0);
        const activate_request wanted = {
            .mesh = r->mesh, .version = sent.version, .expected = expected, .force = sent.force};
        status = activate_version(r->service, &wanted, &before, &activation, err);
    }
    if (status == NAV_OK) {
        reply_switched(r, out, sent.version, before.active);
    }
    return status;
}

// ---- checks ----

#define CHECKS_MEMORY_BYTES (4u << 20)

// Writes the text of the store, {"checks":[...]}, with what was left out, in the unit of the
// version that is live.
static nav_status write_checks(const request *r, proto_writer *w, const char *text, nav_error *err)
{
    nav_arena memory;
    proto_checks checks;
    uint32_t version;
    nav_arena_init(&memory, NULL, CHECKS_MEMORY_BYTES);
    nav_mesh *live = registry_acquire(r->service->registry, r->mesh, &version);
    if (live != NULL) {
        w->coordinates = nav_mesh_coordinates(live);
        nav_mesh_release(live);
    }
    nav_status status = proto_checks_read(text, strlen(text), &memory, &checks, err);
    if (status == NAV_OK) {
        proto_write_object_begin(w);
        proto_member_string(w, "mesh", r->mesh);
        proto_write_key(w, "checks");
        proto_write_checks(w, &checks, true);
        proto_write_object_end(w);
    } else if (status != NAV_NO_MEMORY) {
        status = store_checks_fail(r->mesh, err);
    }
    nav_arena_free(&memory);
    return status;
}

// An unknown name is not a mesh without checks.
static nav_status read_checks(const request *r, char **text, nav_error *err)
{
    nav_status status = store_checks_get(r->service->store, r->mesh, text, err);
    if (status == NAV_OK && *text == NULL) {
        store_mesh mesh;
        status = store_mesh_get(r->service->store, r->mesh, &mesh, err);
    }
    return status;
}

nav_status handle_checks_get(request *r, reply *out, nav_error *err)
{
    char *text = NULL;
    nav_status status = read_checks(r, &text, err);
    NAV_IF_OK(status, write_checks(r, &out->w, text != NULL ? text : "{\"checks\":[]}", err));
    free(text);
    return status;
}

nav_status handle_checks_put(request *r, reply *out, nav_error *err)
{
    char *text = NULL;
    nav_status status = checks_read_sent(r->body, r->body_bytes, &text, err);
    NAV_IF_OK(status, store_checks_set(r->service->store, r->mesh, text, err));
    if (status == NAV_OK) {
        damage_list_clear(r->service->damage_list, r->mesh, 0);
        status = write_checks(r, &out->w, text, err);
    }
    free(text);
    return status;
}
