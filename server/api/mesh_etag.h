// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// mesh_etag.h: the ETag of GET /v1/meshes/{mesh}, "a3-5f0c...": the count of switches so far, and a
// hash of all that can change about its versions. A switch is guarded by the count alone
// (If-Match), since a bake's progress is no reason to refuse it; what a client has kept is good as
// long as all of it is the same (If-None-Match).

#pragma once

#include "server/base/service.h"

#define MESH_ETAG_BYTES 48

// To be asked before the mesh is read for the reply: news in between then makes a reply that is
// newer than its ETag, which does no harm. Errors: PROTO_MESH_NOT_FOUND, the store's.
nav_status mesh_etag_get(service *s, const char *name, char out[MESH_ETAG_BYTES], nav_error *err);
// Whether If-None-Match, a list of ETags or *, has this one.
bool mesh_etag_is_known(const char *if_none_match, const char *etag);
// Whether If-Match, a list of ETags, has one of this count of switches. Weak ones do not count.
bool mesh_etag_is_current(const char *if_match, uint64_t activation);
