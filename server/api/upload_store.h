// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// upload_store.h: between upload.c, which reads what was sent and names it, and upload_store.c,
// which stores it. Private to them.

#pragma once

#include "server/base/pack.h"
#include "server/api/upload.h"

struct upload {
    service *service;
    char mesh[LIMIT_MESH_NAME + 1];
    proto_body *body;
    pack_reader *unpacker; // NULL: the bytes are as they are
    uint64_t held_bytes;   // of the budget for bodies in flight
    const char *config;    // in place of what was sent, or NULL
};

// What upload_finish works out before it stores anything.
typedef struct upload_contents {
    nav_geometry geometry; // borrowed from the body
    proto_upload_request request;
    nav_arena memory; // of the request's lists
    nav_grid grid;
    void *packed_layout; // malloc'ed
    size_t packed_layout_bytes;
    uint8_t geometry_hash[32], content_key[32];
    char *geometry_json, *config_json; // malloc'ed
} upload_contents;

// Stores the version and queues its bake, or finds the equal one, as upload_finish says.
nav_status upload_store(upload *u, upload_contents *c, bool restart, upload_outcome *out,
                        nav_error *err);
