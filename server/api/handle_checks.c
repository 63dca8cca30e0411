// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// handle_checks.c: what a mesh expects of its versions. They are run when a bake ends
// (jobs/bake/bake.c) and before a switch (jobs/activate.c), not here.

#include "server/api/routes.h"
#include "server/meshes/damages.h"
#include "server/store/store.h"

#include <stdlib.h>
#include <string.h>

#define CHECKS_MEMORY_BYTES (4u << 20)

// `checks` is the text as the store keeps it: {"checks":[...]}, whose brace the name goes behind.
static void reply_checks(const request *r, reply *out, const char *checks)
{
    proto_writer w;
    proto_writer_init(&w);
    proto_write_text(&w, "{\"mesh\":\"%s\",%s", r->mesh, checks + 1);
    reply_take(r, out, 200, "application/json", &w);
}

// A name that was never heard of is not a mesh without checks.
static nav_status read_checks(const request *r, char **text, nav_error *err)
{
    nav_status status = store_checks_get(r->service->store, r->mesh, text, err);
    if (status == NAV_OK && *text == NULL) {
        store_mesh mesh;
        status = store_mesh_get(r->service->store, r->mesh, &mesh, err);
    }
    return status;
}

void handle_checks_get(request *r, reply *out)
{
    nav_error err = {0};
    char *text = NULL;
    if (read_checks(r, &text, &err) == NAV_OK) {
        reply_checks(r, out, text != NULL ? text : "{\"checks\":[]}");
    } else {
        reply_error(r, out, &err);
    }
    free(text);
}

// The text to keep: what was understood, in one form. malloc'ed.
static nav_status read_sent(const request *r, char **text, nav_error *err)
{
    nav_arena memory;
    proto_checks checks;
    nav_arena_init(&memory, NULL, CHECKS_MEMORY_BYTES);
    nav_status status = proto_checks_read(r->body, r->body_bytes, &memory, &checks, err);
    if (status == NAV_OK) {
        proto_writer w;
        size_t size_bytes;
        proto_writer_init(&w);
        proto_write_object_begin(&w);
        proto_write_key(&w, "checks");
        proto_write_checks(&w, &checks);
        proto_write_object_end(&w);
        *text = proto_writer_take(&w, &size_bytes);
        proto_writer_free(&w);
        if (*text == NULL) {
            status = nav_fail(err, NAV_NO_MEMORY, "no memory to keep the checks");
        }
    }
    nav_arena_free(&memory);
    return status;
}

void handle_checks_put(request *r, reply *out)
{
    nav_error err = {0};
    char *text = NULL;
    nav_status status = read_sent(r, &text, &err);
    if (status == NAV_OK) {
        status = store_checks_set(r->service->store, r->mesh, text, &err);
    }
    if (status == NAV_OK) {
        damages_clear(r->service->damages, r->mesh, 0);
        reply_checks(r, out, text);
    } else {
        reply_error(r, out, &err);
    }
    free(text);
}
