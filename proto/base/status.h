// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// status.h: every way in which a request can end. Core raises the few statuses of nav_status_value;
// those of proto and server stand here, and the words of all. A nav_status and a nav_error carry
// either kind.

#pragma once

#include "core/nav.h"

// One row a status, ordered by its HTTP status: constant, stable word for clients, HTTP status,
// sentence. CORE rows are those that core raises.
#define PROTO_STATUS_TABLE(CORE, OWN)                                                              \
    CORE(NAV_OK, "ok", 200, "Success")                                                             \
    OWN(PROTO_BAD_FRAMING, "bad_framing", 400, "The HTTP message is ambiguous")                    \
    OWN(PROTO_BAD_REQUEST, "bad_request", 400, "The request cannot be understood")                 \
    OWN(PROTO_BAD_JSON, "bad_json", 400, "The body is not valid JSON")                             \
    OWN(PROTO_JSON_TOO_DEEP, "json_too_deep", 400, "The JSON is nested too deeply")                \
    OWN(PROTO_BAD_ZSTD, "bad_zstd", 400, "The body is not valid zstd data")                        \
    OWN(PROTO_BAD_MULTIPART, "bad_multipart", 400, "The body is not a valid form of parts")        \
    OWN(PROTO_TOKEN_MISSING, "token_missing", 401, "A token is needed")                            \
    OWN(PROTO_TOKEN_SCOPE, "token_scope", 403, "The token does not allow this")                    \
    OWN(PROTO_HOST_NOT_ALLOWED, "host_not_allowed", 403, "The daemon is not called by this name")  \
    OWN(PROTO_ORIGIN_NOT_ALLOWED, "origin_not_allowed", 403, "Pages of other sites may not ask")   \
    OWN(PROTO_MESH_NOT_FOUND, "mesh_not_found", 404, "There is no mesh of this name")              \
    OWN(PROTO_VERSION_NOT_FOUND, "version_not_found", 404,                                         \
        "There is no such version of this mesh")                                                   \
    OWN(PROTO_INSTANCE_NOT_FOUND, "instance_not_found", 404, "There is no instance of this name")  \
    OWN(PROTO_RECORDING_NOT_FOUND, "recording_not_found", 404, "There is no such recording")       \
    OWN(PROTO_ROUTE_NOT_FOUND, "route_not_found", 404, "There is nothing at this address")         \
    OWN(PROTO_METHOD_NOT_ALLOWED, "method_not_allowed", 405,                                       \
        "This address does not take this method")                                                  \
    OWN(PROTO_NOT_ACCEPTABLE, "not_acceptable", 406, "The answer has no form the client accepts")  \
    OWN(PROTO_REQUEST_TIMEOUT, "request_timeout", 408, "The request took too long to arrive")      \
    OWN(PROTO_VERSION_ACTIVE, "version_active", 409, "The version is live")                        \
    OWN(PROTO_VERSION_PINNED, "version_pinned", 409, "Instances are pinned to the version")        \
    OWN(PROTO_VERSION_RECORDED, "version_recorded", 409,                                           \
        "Somebody asked for recordings of the version")                                            \
    OWN(PROTO_VERSION_NOT_READY, "version_not_ready", 409, "The version has no finished bake")     \
    OWN(PROTO_NO_GEOMETRY, "no_geometry", 409, "The version has no triangles of a level")          \
    OWN(PROTO_CHECKS_FAILED, "checks_failed", 409, "The version fails checks of its mesh")         \
    OWN(PROTO_HAS_WARNINGS, "has_warnings", 409, "The bake of the version has warnings")           \
    CORE(NAV_CANCELLED, "cancelled", 409, "The bake was cancelled")                                \
    OWN(PROTO_STALE_ETAG, "stale_etag", 412,                                                       \
        "What is to be changed has changed since it was read")                                     \
    OWN(PROTO_BODY_TOO_LARGE, "body_too_large", 413, "The body is larger than allowed")            \
    OWN(PROTO_DECOMPRESSED_TOO_LARGE, "decompressed_too_large", 413,                               \
        "The body unpacks to too much")                                                            \
    OWN(PROTO_BATCH_TOO_LARGE, "batch_too_large", 413,                                             \
        "There are too many questions in one request")                                             \
    OWN(PROTO_JSON_TOO_MANY_VALUES, "json_too_many_values", 413, "The JSON has too many values")   \
    CORE(NAV_GEOMETRY_TOO_LARGE, "geometry_too_large", 413, "The geometry has too many elements")  \
    OWN(PROTO_URI_TOO_LONG, "uri_too_long", 414, "The address is too long")                        \
    OWN(PROTO_MEDIA_TYPE, "unsupported_media_type", 415, "The body is of a type not taken here")   \
    CORE(NAV_INVALID_FIELD, "invalid_field", 422, "A field has a value that is not allowed")       \
    OWN(PROTO_UNKNOWN_FIELD, "unknown_field", 422, "There is no field of this name")               \
    OWN(PROTO_UNITS_SUSPECT, "units_suspect", 422, "The level seems to be in another unit")        \
    OWN(PROTO_BAD_GEOMETRY, "bad_geometry", 422, "The geometry cannot be read")                    \
    CORE(NAV_MESH_EMPTY, "mesh_empty", 422, "Nothing in the geometry can be walked on")            \
    CORE(NAV_VERTEX_NOT_FINITE, "vertex_not_finite", 422, "A coordinate is not a finite number")   \
    CORE(NAV_VERTEX_OUT_OF_RANGE, "vertex_out_of_range", 422, "A coordinate is too far out")       \
    CORE(NAV_INDEX_OUT_OF_RANGE, "index_out_of_range", 422, "A triangle names a missing vertex")   \
    CORE(NAV_GRID_TOO_LARGE, "grid_too_large", 422, "The voxel grid would be too large")           \
    CORE(NAV_TILE_TOO_COMPLEX, "tile_too_complex", 422, "A tile is more than the bake can hold")   \
    OWN(PROTO_NOT_EXPORTABLE, "not_exportable", 422, "The version does not fit into this format")  \
    CORE(NAV_BAD_BLOB, "bad_blob", 422, "The bytes are not a valid tile")                          \
    OWN(PROTO_BAD_BUNDLE, "bad_bundle", 422, "The bytes are not a whole recording")                \
    OWN(PROTO_BAKE_QUEUE_FULL, "bake_queue_full", 429, "Too many bakes are waiting")               \
    OWN(PROTO_TOO_MANY_INSTANCES, "too_many_instances", 429,                                       \
        "There is no room for more instances")                                                     \
    OWN(PROTO_HEADERS_TOO_LARGE, "headers_too_large", 431, "The headers are too large")            \
    OWN(PROTO_INTERNAL, "internal_error", 500, "The daemon made a mistake")                        \
    OWN(PROTO_OVERLOADED, "overloaded", 503, "The daemon is at its limit")                         \
    CORE(NAV_NO_MEMORY, "out_of_memory", 503, "Not enough memory for this request")                \
    OWN(PROTO_NOT_READY, "not_ready", 503, "What was asked for is not ready now")                  \
    OWN(PROTO_STORE_UNAVAILABLE, "store_unavailable", 503, "The database cannot be used now")      \
    OWN(PROTO_HTTP_VERSION, "http_version", 505, "This version of HTTP is not spoken")             \
    OWN(PROTO_STORAGE_FULL, "storage_full", 507, "The database has no room left")                  \
    OWN(PROTO_RECORDINGS_FULL, "recordings_full", 507, "There is no room for more recordings")

enum {
    PROTO_STATUS_BEFORE_OWN = NAV_STATUS_COUNT - 1,
#define CORE(name, word, http, text)
#define OWN(name, word, http, text) name,
    PROTO_STATUS_TABLE(CORE, OWN)
#undef CORE
#undef OWN
    PROTO_STATUS_COUNT
};

// The columns of the table, as strings that live for ever. A value that is in no row reads as
// PROTO_INTERNAL. Any thread.
const char *proto_status_word(nav_status status);
int proto_status_http(nav_status status);
const char *proto_status_text(nav_status status);
// HTTP's own name of that HTTP status, for "title" of a problem object: "Unprocessable Content"
// (RFC 9110; 6585 and 4918 for those that it lacks).
const char *proto_status_title(nav_status status);
// The status of a word, as a stored error has it; PROTO_INTERNAL if no row has this word.
nav_status proto_status_of_word(const char *word);

// Puts the place of what holds it before the place of a fault: "queries[3]." before "start". err
// may be NULL.
void proto_error_within(nav_error *err, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
