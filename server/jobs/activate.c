// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// activate.c: load, check, switch, publish. A version that cannot be loaded, or that fails its
// checks, never is the live one, not for a moment.

#include "server/jobs/jobs.h"

#include "server/meshes/checks.h"
#include "server/base/log.h"
#include "server/instances/instances.h"
#include "server/jobs/version_mesh.h"
#include "server/meshes/registry.h"

#include <stdlib.h>
#include <string.h>

// Keeps the outcome with the version, which shows the last run. Mostly it is the same as before,
// and nothing is written.
static nav_status keep_outcome(service *s, const activate_request *request,
                               const checks_outcome *outcome, nav_error *err)
{
    char *known = NULL;
    bool ready = false;
    nav_status status =
        store_version_checks_get(s->store, request->mesh, request->version, &ready, &known, err);
    bool same = known != NULL && strcmp(known, outcome->json) == 0;
    free(known);
    return status == NAV_OK && ready && !same
               ? store_version_checks_set(s->store, request->mesh, request->version, outcome->json,
                                          err)
               : status;
}

static nav_status pass_gate(service *s, const activate_request *request, const nav_mesh *mesh,
                            nav_error *err)
{
    checks_outcome outcome;
    nav_status status = checks_run(s->store, request->mesh, mesh, NULL, &outcome, err);
    NAV_IF_OK(status, keep_outcome(s, request, &outcome, err));
    if (status == NAV_OK && outcome.failed > 0 && request->force) {
        log_info("checks_overridden", "mesh=%s version=%u failed=%u checks=%u", request->mesh,
                 request->version, outcome.failed, outcome.count);
    } else if (status == NAV_OK && outcome.failed > 0) {
        status = nav_fail(err, PROTO_CHECKS_FAILED,
                          "version %u fails %u of %u checks: %.170s; force=1 overrides",
                          request->version, outcome.failed, outcome.count, outcome.first);
    }
    checks_outcome_free(&outcome);
    return status;
}

nav_status activate_check(service *s, const activate_request *request, nav_error *err)
{
    nav_mesh *mesh = NULL;
    uint32_t version;
    NAV_ASSERT(request->version != 0);
    nav_status status =
        version_mesh_acquire(s, request->mesh, request->version, &mesh, &version, err);
    if (status == NAV_OK) {
        status = pass_gate(s, request, mesh, err);
        nav_mesh_release(mesh);
    }
    return status;
}

nav_status activate_version(service *s, const activate_request *request, store_mesh *before,
                            uint64_t *activation, nav_error *err)
{
    nav_mesh *mesh = NULL;
    uint32_t version;
    NAV_ASSERT(request->version != 0);
    nav_status status =
        version_mesh_acquire(s, request->mesh, request->version, &mesh, &version, err);
    if (status != NAV_OK) {
        return status;
    }
    status = pass_gate(s, request, mesh, err);
    NAV_IF_OK(status, registry_reserve(s->registry, request->mesh, err));
    NAV_IF_OK(status, store_activate(s->store, request->mesh, request->version, request->expected,
                                     before, activation, err));
    if (status == NAV_OK) {
        NAV_ASSERT(version == request->version);
        registry_publish(s->registry, request->mesh, request->version, *activation, mesh);
        instances_live_changed(s->instances, request->mesh, request->version);
    }
    nav_mesh_release(mesh);
    return status;
}
