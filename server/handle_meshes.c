// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// handle_meshes.c: the list of meshes, one with its versions, removal, and the switch of the live
// version.

#include "server/activate.h"
#include "server/job_events.h"
#include "server/routes.h"
#include "server/version_view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_active(proto_writer *w, uint32_t active)
{
    if (active != 0) {
        proto_write_int(w, active);
    } else {
        proto_write_null(w);
    }
}

void handle_mesh_list(request *r, reply *out)
{
    store_mesh *meshes = NULL;
    size_t count = 0;
    nav_error err = {0};
    if (store_mesh_list(r->service->store, &meshes, &count, &err) != NAV_OK) {
        reply_error(r, out, &err);
        return;
    }
    proto_writer w;
    proto_writer_init(&w);
    proto_write_object_begin(&w);
    proto_write_key(&w, "meshes");
    proto_write_array_begin(&w);
    for (size_t i = 0; i < count; i++) {
        proto_write_object_begin(&w);
        proto_write_key(&w, "mesh");
        proto_write_string(&w, meshes[i].name);
        proto_write_key(&w, "active");
        write_active(&w, meshes[i].active);
        proto_write_key(&w, "versions");
        proto_write_int(&w, meshes[i].versions);
        proto_write_object_end(&w);
    }
    proto_write_array_end(&w);
    proto_write_object_end(&w);
    free(meshes);
    reply_take(r, out, 200, "application/json", &w);
}

// ---- one mesh, and its ETag ----
//
// "a3-5f0c...": the count of switches so far, and a hash of the whole text. A switch is guarded by
// the count alone (If-Match), since progress of a bake is no reason to refuse it; what a client has
// kept is good as long as the text is the same (If-None-Match).

#define ETAG_HASH_BYTES 8u

static nav_status write_mesh(request *r, store_mesh *mesh, proto_writer *w, nav_error *err)
{
    nav_status status = store_mesh_get(r->service->store, r->mesh, mesh, err);
    if (status != NAV_OK) {
        return status;
    }
    proto_write_object_begin(w);
    proto_write_key(w, "mesh");
    proto_write_string(w, r->mesh);
    proto_write_key(w, "active");
    write_active(w, mesh->active);
    proto_write_key(w, "versions");
    status = version_view_write_all(r->service, r->mesh, w, err);
    proto_write_object_end(w);
    return status;
}

static void set_etag(reply *out, uint64_t activation, const proto_writer *text)
{
    uint8_t digest[32];
    char hex[65];
    nav_sha256 hash;
    nav_sha256_init(&hash);
    nav_sha256_add(&hash, text->bytes, text->size_bytes);
    nav_sha256_end(&hash, digest);
    nav_sha256_hex(digest, hex);
    (void)snprintf(out->etag, sizeof out->etag, "\"a%llu-%.*s\"", (unsigned long long)activation,
                   (int)(2 * ETAG_HASH_BYTES), hex);
}

// Whether a list of ETags has this one, or is *. length: how much of it counts.
static bool list_has(const char *list, const char *etag, size_t length)
{
    for (const char *at = list; *at != '\0';) {
        at += strspn(at, " \t,");
        if (strcmp(at, "*") == 0 || strncmp(at, etag, length) == 0) {
            return true;
        }
        if (strncmp(at, "W/", 2) == 0 && strncmp(at + 2, etag, length) == 0) {
            return true;
        }
        at += strcspn(at, ",");
    }
    return false;
}

void handle_mesh_get(request *r, reply *out)
{
    store_mesh mesh;
    nav_error err = {0};
    proto_writer w;
    proto_writer_init(&w);
    if (write_mesh(r, &mesh, &w, &err) != NAV_OK) {
        proto_writer_free(&w);
        reply_error(r, out, &err);
        return;
    }
    if (!w.failed) {
        set_etag(out, mesh.activation, &w);
    }
    if (r->if_none_match != NULL && !w.failed &&
        list_has(r->if_none_match, out->etag, strlen(out->etag))) {
        proto_writer_free(&w);
        out->status = 304;
        return;
    }
    reply_take(r, out, 200, "application/json", &w);
}

void handle_mesh_delete(request *r, reply *out)
{
    uint64_t activation;
    nav_error err = {0};
    nav_status status = store_mesh_delete(r->service->store, r->mesh, &activation, &err);
    if (status == NAV_OK) {
        // Bakes under way find their version gone; they are told so as to end early.
        jobs_cancel(r->service->jobs, r->mesh, 0);
        job_events_removed(r->service, r->mesh);
        mesh_cache_remove(r->service->cache, r->mesh, 0);
        (void)registry_publish(r->service->registry, r->mesh, 0, activation, NULL);
        out->status = 204;
    } else {
        reply_error(r, out, &err);
    }
}

// ---- the switch ----

// If-Match: absent or * is any; else the mesh must not have been switched since its ETag was read.
// *expected holds the switch itself to that.
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
    char count[32];
    int length = snprintf(count, sizeof count, "\"a%llu-", (unsigned long long)mesh.activation);
    if (strncmp(r->if_match, "W/", 2) == 0 || !list_has(r->if_match, count, (size_t)length)) {
        return nav_fail(err, NAV_STALE_ETAG,
                        "the live version of '%s' is not the one that If-Match was read with",
                        r->mesh);
    }
    *expected = mesh.activation;
    return NAV_OK;
}

static void reply_switched(request *r, reply *out, uint32_t version, uint32_t previous)
{
    proto_writer w, text;
    store_mesh mesh;
    nav_error ignored;
    proto_writer_init(&w);
    proto_write_object_begin(&w);
    proto_write_key(&w, "version");
    proto_write_int(&w, version);
    proto_write_key(&w, "previous");
    write_active(&w, previous);
    proto_write_object_end(&w);
    reply_take(r, out, 200, "application/json", &w);
    // The mesh as it is now: what the client would get with a GET.
    proto_writer_init(&text);
    if (write_mesh(r, &mesh, &text, &ignored) == NAV_OK && !text.failed) {
        set_etag(out, mesh.activation, &text);
    }
    proto_writer_free(&text);
}

void handle_active_put(request *r, reply *out)
{
    proto_active_request sent;
    uint64_t expected, activation;
    store_mesh before;
    nav_error err = {0};
    nav_status status =
        proto_active_request_read(r->body, r->body_bytes, r->args, r->arg_count, &sent, &err);
    if (status == NAV_OK) {
        status = read_if_match(r, &expected, &err);
    }
    if (status == NAV_OK) {
        const activate_request wanted = {
            .mesh = r->mesh, .version = sent.version, .expected = expected, .force = sent.force};
        status = activate_version(r->service, &wanted, &before, &activation, &err);
    }
    if (status == NAV_OK) {
        reply_switched(r, out, sent.version, before.active);
    } else {
        reply_error(r, out, &err);
    }
}
