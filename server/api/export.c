// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// export.c: a version as a file for other programs: JSON or packed JSON, OBJ, glTF, Detour's MSET,
// a picture.

#include "server/api/routes.h"

#include "proto/exports/exports.h"
#include "server/jobs/version_mesh.h"
#include "server/store/store.h"

#include <stdio.h>

const char *export_media_type(const request *r)
{
    proto_export_request question;
    return proto_request_args(&PROTO_EXPORT, r->args, r->arg_count, NULL, &question, NULL) == NAV_OK
               ? proto_export_media_type(question.format)
               : NULL;
}

// A version never changes, but its number may be taken anew with its mesh: the ETag is a hash of
// what the version was made of, and of the daemon that writes it.
static nav_status etag_of(const request *r, char out[MESH_ETAG_BYTES], nav_error *err)
{
    store_version row;
    nav_sha256 hash;
    uint8_t digest[32];
    char hex[65];
    const nav_status status = store_version_get(r->service->store, r->mesh, r->version, &row, err);
    if (status != NAV_OK) {
        return status;
    }
    nav_sha256_init(&hash);
    nav_sha256_add(&hash, row.content_key, sizeof row.content_key);
    nav_sha256_add(&hash, NAVMESHD_VERSION, sizeof NAVMESHD_VERSION);
    nav_sha256_end(&hash, digest);
    nav_sha256_hex(digest, hex);
    (void)snprintf(out, MESH_ETAG_BYTES, "\"%.32s\"", hex);
    store_version_free(&row);
    return NAV_OK;
}

static nav_status write_file(const request *r, const proto_export_request *question,
                             proto_writer *w, nav_error *err)
{
    nav_mesh *mesh;
    uint32_t version;
    proto_export what;
    nav_arena scratch;
    nav_status status = version_mesh_acquire(r->service, r->mesh, r->version, &mesh, &version, err);
    if (status != NAV_OK) {
        return status;
    }
    nav_arena_init(&scratch, NULL, LIMIT_QUERY_MEMORY_BYTES);
    status = proto_export_of(r->mesh, version, mesh, question, &what, err);
    NAV_IF_OK(status, proto_export_write(w, &what, question->format, &scratch, err));
    nav_arena_free(&scratch);
    nav_mesh_release(mesh);
    return status;
}

nav_status handle_export(request *r, reply *out, nav_error *err)
{
    proto_export_request question;
    char etag[MESH_ETAG_BYTES];
    out->w.limit_bytes = (size_t)r->service->limits.export_bytes;
    nav_status status =
        proto_request_args(&PROTO_EXPORT, r->args, r->arg_count, NULL, &question, err);
    NAV_IF_OK(status, write_file(r, &question, &out->w, err));
    NAV_IF_OK(status, etag_of(r, etag, err));
    if (status != NAV_OK) {
        return status;
    }
    reply_take_etag(r, out, etag);
    out->content_type = proto_export_media_type(question.format);
    out->policy = HTTP_POLICY_PICTURE; // a file to save, and a picture where it is viewed
    (void)snprintf(out->file_name, sizeof out->file_name, "%s-%u%s%s.%s", r->mesh, r->version,
                   question.agent[0] != '\0' ? "-" : "", question.agent,
                   proto_export_ending(question.format));
    return NAV_OK;
}
