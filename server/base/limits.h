// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// limits.h: every bound that the daemon sets. The first table can be changed when the daemon starts
// (--limit name=value) and stands in /v1/status; the constants below it are sizes of arrays, or
// have an option of their own.

#pragma once

#include "core/nav.h"

// X(name, default, least, most). A name ends in its unit.
#define LIMITS_TABLE(X)                                                                            \
    /* what a request may be */                                                                    \
    X(uri_bytes, 8192, 64, 16384)                                                                  \
    X(headers_bytes, 16384, 256, 16384)                                                            \
    X(headers_count, 100, 4, 200)                                                                  \
    X(query_body_bytes, 64 << 10, 64, 64 << 20)                                                    \
    X(batch_body_bytes, 4 << 20, 64, 256 << 20)                                                    \
    X(json_depth, PROTO_JSON_DEPTH_MAX, 1, PROTO_JSON_DEPTH_MAX)                                   \
    X(checks_body_bytes, 256 << 10, 64, 64 << 20)                                                  \
    X(batch_queries, PROTO_BATCH_MAX, 1, PROTO_BATCH_MAX)                                          \
    X(batch_threads, LIMIT_WORKERS, 1, LIMIT_WORKERS)                                              \
    X(batch_json_values, PROTO_BATCH_VALUES_MAX, 1, PROTO_BATCH_VALUES_MAX)                        \
    X(json_values, PROTO_JSON_VALUES_MAX, 1, PROTO_JSON_VALUES_MAX)                                \
    /* what an upload may be, and unpack to */                                                     \
    X(geometry_body_bytes, 256 << 20, 1024, UINT64_C(64) << 30)                                    \
    X(unpacked_bytes, 256 << 20, 1024, UINT64_C(64) << 30)                                         \
    X(zstd_window_bytes, 8 << 20, 1024, 1 << 30)                                                   \
    X(zstd_ratio, 1000, 2, 1000000)                                                                \
    X(vertices, NAV_VERTICES_MAX, 3, NAV_VERTICES_MAX)                                             \
    X(triangles, NAV_TRIANGLES_MAX, 1, NAV_TRIANGLES_MAX)                                          \
    X(grid_cells, 2000000000, 256, 2000000000)                                                     \
    X(bodies_in_flight_bytes, UINT64_C(1) << 30, 4096, UINT64_C(1) << 40)                          \
    /* time of a processor that reading one may take, up to its bake */                            \
    X(upload_ms, 30000, 10, 86400000)                                                              \
    X(config_json_values, PROTO_CONFIG_SENT_VALUES_MAX, 1, PROTO_CONFIG_SENT_VALUES_MAX)           \
    /* uploads that wait for a worker */                                                           \
    X(bake_queue, LIMIT_BAKE_QUEUE, 1, 100000)                                                     \
    /* questions that need a bake, while they wait */                                              \
    X(explain_queue, 16, 1, 10000)                                                                 \
    /* for a bake that has ended, while the database takes no writes */                            \
    X(store_retry_ms, 32000, 0, 86400000)                                                          \
    /* for all questions of a request together: as long as the longest deadline_ms */              \
    X(query_ms, 30000, 10, 3600000)                                                                \
    /* a version as a file */                                                                      \
    X(export_bytes, UINT64_C(1) << 30, 1024, UINT64_C(1) << 40)                                    \
    /* connections: of all TCP listeners together, and of each listener */                         \
    X(connections, 6144, 1, 60000)                                                                 \
    X(listener_connections, 4096, 1, 60000)                                                        \
    /* listeners to bakes, all together; versions that are not live, kept loaded */                \
    X(event_listeners, 128, 0, 60000)                                                              \
    X(kept_meshes, 16, 0, 1000)                                                                    \
    X(kept_bytes, 256 << 20, 0, UINT64_C(1) << 40)                                                 \
    /* instances: bodies about them; the state of each; all together; versions they are pinned to  \
     */                                                                                            \
    X(instance_body_bytes, 256 << 10, 64, 64 << 20)                                                \
    X(instance_bytes, 256 << 10, 256, 16 << 20)                                                    \
    X(instances_bytes, UINT64_C(1) << 30, 0, UINT64_C(1) << 40)                                    \
    X(pinned_versions, 64, 0, 10000)                                                               \
    /* time: for a head from its first byte; in a body or a reply without progress, which bytes */ \
    /* at this rate (bytes a second) earn back; between requests */                                \
    X(header_ms, 10000, 10, 3600000)                                                               \
    X(body_ms, 10000, 10, 3600000)                                                                 \
    X(body_rate, 4096, 1, 1 << 30)                                                                 \
    X(reply_ms, 10000, 10, 3600000)                                                                \
    X(reply_rate, 4096, 1, 1 << 30)                                                                \
    X(idle_ms, 30000, 10, 86400000)

typedef struct service_limits {
#define X(name, value, least, most) uint64_t name;
    LIMITS_TABLE(X)
#undef X
} service_limits;

service_limits limits_default(void);
// Takes "name=value". Errors: NAV_INVALID_FIELD, with the bound where one is broken.
nav_status limits_set(service_limits *l, const char *text, nav_error *err);
// The limit at an offset in service_limits.
uint64_t limits_at(const service_limits *l, size_t offset);
// And its name.
const char *limits_name(size_t offset);
// Row i of the table, or NULL behind the last.
const char *limits_row(const service_limits *l, size_t i, uint64_t *value);

#define NAVMESHD_VERSION "0.1.0"

#define LIMIT_MESH_NAME 64                              // characters of a mesh's name
#define LIMIT_ARGS 64                                   // arguments of one query string
#define LIMIT_QUERY_MEMORY_BYTES (256u << 20)           // lists of one question and its answer
#define LIMIT_BATCH_AVOID_WORK (8 * NAV_AVOID_WORK_MAX) // of all shapes to avoid in one batch
#define LIMIT_DRAIN_BYTES (64u << 20)                   // read beyond a limit so as to answer 413
#define LIMIT_REFUSED_BODY_BYTES (1u << 20)             // read and dropped before a refusal is sent
#define LIMIT_CONNECTION_MEMORY_BYTES (32u << 10)       // request line, headers and read buffer
#define LIMIT_REPLY_HEAD_BYTES 1536u                    // of that, for the reply and trailers
#define LIMIT_SEND_BUFFER_BYTES (256 << 10)             // of the system, for one connection
#define LIMIT_BACKLOG 1024                              // not yet accepted, of one listener
#define LIMIT_HTTP_THREADS_MAX 64                       // of one listener
#define LIMIT_HTTP_THREADS_MIN 8                        // likewise, on few cores
#define LIMIT_DRAIN_MS 10000u                           // requests at shutdown (--drain-ms)
#define LIMIT_BAKE_GRACE_MS 8000u                       // bakes at shutdown, if that allows
#define LIMIT_SLOW_QUERY_MS 500u                        // what is slow (--slow-query-ms)
#define LIMIT_BAKE_QUEUE 64u                            // where no limit is set: bake_queue
#define LIMIT_RECORDINGS_BYTES 67108864.0               // of all recordings (--recordings-bytes)
#define LIMIT_INSTANCES 10000u                          // --max-instances
#define LIMIT_BAKE_MEMORY_MIB 2048u                     // of one bake (--bake-memory)
#define LIMIT_BAKE_TIME_S 1800.0                        // of one bake (--bake-time)
#define LIMIT_CONFIG_MEMORY_BYTES (64u << 20)           // lists of one version's settings
#define LIMIT_WORKERS 64u                               // bake workers
#define LIMIT_LOAD_WAIT_MS 1000u                        // of a question, while its mesh is loaded
#define LIMIT_LISTENERS 8u                              // --listen, and sockets that are passed in
#define LIMIT_ALLOWED_HOSTS 32u                         // --allow-host
#define LIMIT_ALLOWED_ORIGINS 32u                       // --allow-origin
#define LIMIT_ORIGIN_BYTES 128u
#define LIMIT_LIMIT_TEXTS 256u                          // --limit
#define LIMIT_TOKENS 1024u                              // lines of the token file
#define LIMIT_TOKEN_FILE_BYTES (1u << 20)               //
#define LIMIT_MESH_FILES 256u                           // --mesh
#define LIMIT_EVENT_QUEUE_BYTES (256u << 10)            // what may wait for a listener
#define LIMIT_EVENT_HEARTBEAT_S 5                       // between comments to those without events
#define LIMIT_DAMAGES 1024u                             // that are listed at once
#define LIMIT_ZSTD_RATIO_FREE_BYTES (UINT64_C(1) << 20) // ... once this much has come out
#define LIMIT_STORE_BUSY_MS 5000                        // patience with a database that is locked

// Whether a text is a mesh's name: [A-Za-z0-9][A-Za-z0-9._-]{0,63}.
bool limits_is_mesh_name(const char *text, size_t length);
