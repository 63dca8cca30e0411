// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// handle_meshes.c: the list of meshes, one with its versions, removal, and the switch of the live
// version.

#include "server/routes.h"
#include "server/upload.h"
#include "server/version_view.h"

#include <ctype.h>
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

// The ETag is the count of switches so far: it changes whenever the live version does.
static void set_etag(reply *out, uint64_t activation)
{
    (void)snprintf(out->etag, sizeof out->etag, "\"a%llu\"", (unsigned long long)activation);
}

void handle_mesh_get(request *r, reply *out)
{
    store_mesh mesh;
    nav_error err = {0};
    proto_writer w;
    proto_writer_init(&w);
    nav_status status = store_mesh_get(r->service->store, r->mesh, &mesh, &err);
    if (status == NAV_OK) {
        proto_write_object_begin(&w);
        proto_write_key(&w, "mesh");
        proto_write_string(&w, r->mesh);
        proto_write_key(&w, "active");
        write_active(&w, mesh.active);
        proto_write_key(&w, "versions");
        status = version_view_write_all(r->service, r->mesh, &w, &err);
    }
    if (status != NAV_OK) {
        proto_writer_free(&w);
        reply_error(r, out, &err);
        return;
    }
    proto_write_object_end(&w);
    reply_take(r, out, 200, "application/json", &w);
    set_etag(out, mesh.activation);
}

void handle_mesh_delete(request *r, reply *out)
{
    uint64_t activation;
    nav_error err = {0};
    nav_status status = store_mesh_delete(r->service->store, r->mesh, &activation, &err);
    if (status == NAV_OK) {
        // Bakes under way find their version gone; they are told so as to end early.
        jobs_cancel(r->service->jobs, r->mesh, 0);
        (void)registry_publish(r->service->registry, r->mesh, 0, activation, NULL);
        out->status = 204;
    } else {
        reply_error(r, out, &err);
    }
}

// If-Match: absent or * is 0, any; one of our ETags is its number.
static nav_status read_if_match(const request *r, uint64_t *expected, nav_error *err)
{
    *expected = 0;
    if (r->if_match == NULL || strcmp(r->if_match, "*") == 0) {
        return NAV_OK;
    }
    unsigned long long number = 0;
    int length = 0;
    bool ours = strncmp(r->if_match, "\"a", 2) == 0 && isdigit((unsigned char)r->if_match[2]) &&
                sscanf(r->if_match, "\"a%19llu\"%n", &number, &length) == 1 && length > 0 &&
                r->if_match[length] == '\0';
    if (!ours || number == 0) {
        return nav_fail(err, NAV_STALE_ETAG, "If-Match is no ETag of mesh '%s' with a live version",
                        r->mesh);
    }
    *expected = number;
    return NAV_OK;
}

void handle_active_put(request *r, reply *out)
{
    uint32_t version;
    uint64_t expected, activation;
    store_mesh before;
    nav_error err = {0};
    nav_status status = proto_active_request_json(r->body, r->body_bytes, &version, &err);
    if (status == NAV_OK) {
        status = read_if_match(r, &expected, &err);
    }
    if (status == NAV_OK) {
        status =
            upload_activate(r->service, r->mesh, version, expected, &before, &activation, &err);
    }
    if (status != NAV_OK) {
        reply_error(r, out, &err);
        return;
    }
    proto_writer w;
    proto_writer_init(&w);
    proto_write_object_begin(&w);
    proto_write_key(&w, "version");
    proto_write_int(&w, version);
    proto_write_key(&w, "previous");
    write_active(&w, before.active);
    proto_write_object_end(&w);
    reply_take(r, out, 200, "application/json", &w);
    set_etag(out, activation);
}
