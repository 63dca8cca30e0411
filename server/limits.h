// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// limits.h: every bound that the daemon sets, in one table.

#pragma once

#define NAVMESHD_VERSION "0.1.0"

#define LIMIT_MESH_NAME 64                              // characters of a mesh's name
#define LIMIT_ARGS 64                                   // arguments of one query string
#define LIMIT_QUERY_BODY_BYTES (64u << 10)              // JSON of one query
#define LIMIT_BATCH_BODY_BYTES (4u << 20)               // of many questions in one
#define LIMIT_QUERY_MEMORY_BYTES (256u << 20)           // lists of one question and its answer
#define LIMIT_GEOMETRY_BODY_BYTES (256u << 20)          // geometry as sent, and as unpacked
#define LIMIT_DRAIN_BYTES (64u << 20)                   // read beyond a limit so as to answer 413
#define LIMIT_REFUSED_BODY_BYTES (1u << 20)             // read and dropped before a refusal is sent
#define LIMIT_CONNECTION_MEMORY_BYTES (32u << 10)       // request line, headers and read buffer
#define LIMIT_CONNECTIONS 4096u                         // open at once, of one listener
#define LIMIT_BACKLOG 1024                              // not yet accepted, of one listener
#define LIMIT_HTTP_THREADS 64                           // of one listener
#define LIMIT_CONNECTION_IDLE_S 30u                     // without a byte in either direction
#define LIMIT_DRAIN_MS 10000u                           // requests at shutdown (--drain-ms)
#define LIMIT_BAKE_GRACE_MS 8000u                       // bakes at shutdown, if that allows
#define LIMIT_SLOW_QUERY_MS 500u                        // what is slow (--slow-query-ms)
#define LIMIT_BAKE_QUEUE 64u                            // versions waiting for a worker
#define LIMIT_BAKE_MEMORY_MIB 2048u                     // of one bake (--bake-memory)
#define LIMIT_BAKE_TIME_S 1800.0                        // of one bake (--bake-time)
#define LIMIT_CONFIG_MEMORY_BYTES (64u << 20)           // lists of one version's settings
#define LIMIT_WORKERS 64u                               // bake workers
#define LIMIT_LISTENERS 8u                              // --listen
#define LIMIT_MESH_FILES 256u                           // --mesh
#define LIMIT_ZSTD_WINDOW_LOG 23                        // 8 MiB, RFC 9659
#define LIMIT_ZSTD_RATIO 1000u                          // output by input ...
#define LIMIT_ZSTD_RATIO_FREE_BYTES (UINT64_C(1) << 20) // ... once this much has come out
#define LIMIT_STORE_BUSY_MS 5000                        // patience with a database that is locked
