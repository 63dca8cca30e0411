// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// landmarks.c: see landmarks.h. What a bake makes is packed for the store; a later bake of
// the same mesh, and every start, unpacks it (meshes/load.c).

#include "server/jobs/bake/landmarks.h"

#include "server/jobs/bake/limits.h"
#include "server/meshes/load.h"
#include "server/base/log.h"
#include "server/base/pack.h"

#include <stdlib.h>

static nav_status make(const job *j, size_t memory_bytes, uint64_t deadline_ns, nav_mesh *mesh,
                       store_landmarks *out, nav_error *err)
{
    nav_arena scratch, result;
    nav_arena_init(&scratch, NULL, memory_bytes);
    nav_arena_init_child(&result, &scratch);
    const job_limits limits = {.job = j, .deadline_ns = deadline_ns};
    const nav_bake_hooks hooks = job_limits_hooks(&limits);
    nav_blob blob = {0};
    nav_status status = nav_landmarks_make(mesh, &hooks, &scratch, &result, &blob);
    if (status == NAV_OK) {
        status = pack_compress_until(blob.bytes, blob.size_bytes, &hooks, &out->packed,
                                     &out->packed_bytes, err);
    }
    if (status == NAV_OK) {
        out->bytes = blob.size_bytes;
        status = nav_mesh_add_landmarks(mesh, blob, err);
    }
    nav_arena_free(&result);
    nav_arena_free(&scratch);
    return status;
}

static void leave_out(const job *j, const char *why, store_landmarks *landmarks)
{
    log_info("no_landmarks", "mesh=%s version=%u code=%s", j->mesh, j->version, why);
    free(landmarks->packed);
    landmarks->packed = NULL;
}

nav_status job_landmarks(store *disk, const job *j, size_t memory_bytes, uint64_t deadline_ns,
                         nav_mesh *mesh, store_landmarks *out, nav_error *err)
{
    *out = (store_landmarks){.fingerprint = nav_landmarks_fingerprint(mesh)};
    nav_status status = store_landmarks_load(disk, NULL, 0, out, err);
    if (status != NAV_OK) {
        return status;
    }
    if (out->packed == NULL || load_landmarks(out, mesh, err) != NAV_OK) {
        free(out->packed);
        out->packed = NULL;
        status = make(j, memory_bytes, deadline_ns, mesh, out, err);
    }
    if (status == NAV_CANCELLED && atomic_load(&j->cancelled)) {
        return nav_fail(err, status, "cancelled");
    }
    if (status != NAV_OK) {
        leave_out(j, status == NAV_CANCELLED ? "deadline" : proto_status_word(status), out);
    } else if (!store_landmarks_fit(disk, j->mesh, j->version, out->fingerprint)) {
        leave_out(j, "damaged", out);
    }
    return NAV_OK;
}
