// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// bundle.h: a recording as bytes, that need nothing else: the question, the answer, the state of
// each instance that was asked, and the version. In the database it is without the version, which
// is there once for all.
//
//   offset  size  what, little-endian
//        0     4  "NAVC"
//        4     4  format version, 1
//        8     8  bytes of the contents, unpacked
//       16     8  bytes behind this header
//       24     8  0
//       32    32  SHA-256 of the contents, unpacked
//       64     .  the contents, one zstd frame
//
//   contents, one behind the other; a text is its size (uint32), its bytes and a zero, a block its
//   size (uint32), zeros up to a multiple of 16 from where the contents begin, and its bytes:
//     texts    build, id, name, cause, created_at, mesh, kind, method, path, content_type,
//              request_id, limits, answer_type, config; "" where there is none
//     numbers  version, status (uint32), draw, milliseconds (a float64's bits) (uint64),
//              1 if a deadline counted, else 0 (uint32)
//     then     how many arguments, instances, tiles, landmarks (uint32)
//     blocks   body, answer
//     each argument   texts key, value
//     each instance   texts name, state; revision (uint32)
//     each tile       agent, x, z (uint32), block
//     each landmarks  agent (uint32), fingerprint (uint64), block

#pragma once

#include "proto/settings/config.h"
#include "server/meshes/load.h"

#define BUNDLE_HEADER_BYTES 64u
#define BUNDLE_BYTES_MAX (UINT64_C(1) << 31) // of the contents
// Contents beyond the first 64 MiB may be at most 1000 times their packed size, as those of
// uploads, so that a small file cannot take much memory; others are neither written nor read.
#define BUNDLE_FREE_BYTES (UINT64_C(64) << 20)
#define BUNDLE_RATIO_MAX 1000u

typedef struct bundle_instance {
    const char *name, *state; // JSON as GET of an instance has it
    uint32_t revision;
} bundle_instance;

// All of it is borrowed.
typedef struct bundle {
    const char *build, *id, *name, *cause, *created_at;
    // the question
    const char *mesh, *kind, *method, *path;
    const char *content_type, *request_id;
    const char *limits; // those that were set: "query_ms=100 batch_queries=5"
    const proto_arg *args;
    uint32_t arg_count;
    const char *body;
    size_t body_bytes;
    uint64_t draw; // what the request's random numbers are made of
    bool timed;    // a deadline counted, so that the answer may be another next time
    const bundle_instance *instances;
    uint32_t instance_count;
    // the answer
    uint32_t status;
    const char *answer_type;
    const char *answer;
    size_t answer_bytes;
    double ms;
    // the version
    uint32_t version;
    const char *config; // JSON; "": the version is not there
    const load_tile *tiles;
    uint32_t tile_count;
    const load_landmark *landmarks;
    uint32_t landmark_count;
} bundle;

// The program that runs: "navmeshd VERSION, release, gcc 12.2.0".
const char *bundle_build(void);
// A text of a recording, as a member of JSON: null where it is "".
void bundle_write_member(proto_writer *w, const char *key, const char *text);
// The contents, into a writer that has nothing yet. *w is the caller's, to check `failed` and free.
void bundle_write_contents(const bundle *b, proto_writer *w);
// The file of contents. *out is malloc'ed. Errors: PROTO_NOT_EXPORTABLE, where they are too large;
// NAV_NO_MEMORY.
nav_status bundle_pack(const void *contents, size_t size_bytes, void **out, size_t *out_bytes,
                       nav_error *err);

// A file that was read.
typedef struct bundle_file {
    bundle bundle; // borrowed from contents and memory
    void *contents;
    nav_arena memory;
} bundle_file;

// Safe on any bytes: sizes and counts are held against what there is before anything is allocated.
// *out is the caller's to free, and unmodified on failure. Errors: PROTO_BAD_BUNDLE, which says
// what is wrong, NAV_NO_MEMORY.
nav_status bundle_read(const void *bytes, size_t size_bytes, bundle_file *out, nav_error *err);
void bundle_free(bundle_file *file);
