// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// service.h: the daemon's parts, as handlers and workers see them. main.c makes and unmakes it.

#pragma once

#include "proto/base/status.h"
#include "server/base/limits.h"

#include <stdatomic.h>

// The parts, each in the header of its room.
typedef struct auth auth;
typedef struct damage_list damage_list;
typedef struct events events;
typedef struct instances instances;
typedef struct jobs jobs;
typedef struct load_queue load_queue;
typedef struct mesh_cache mesh_cache;
typedef struct pins pins;
typedef struct recordings recordings;
typedef struct registry registry;
typedef struct store store;

// Only ever moves on.
typedef enum service_state {
    SERVICE_LOADING,  // live versions are being read; only operations and questions answer
    SERVICE_BAKING,   // all else answers, files of the command line are still being baked
    SERVICE_READY,    // the start is complete
    SERVICE_STOPPING, // no new bakes; requests in flight are finished
} service_state;

// The budget of one bake; 0: unlimited.
typedef struct service_budget {
    uint64_t bake_bytes; // of all its tiles in work together, and again of those that are done
    uint64_t bake_ns;
} service_budget;

// The options that a reload may change. main writes, any thread reads.
typedef struct service_live {
    atomic_bool log_requests;
    _Atomic uint64_t slow_query_ns; // 0: no query is slow
    _Atomic uint32_t drain_ms;
    _Atomic uint32_t keep_versions; // ready ones of a mesh; 0: all
} service_live;

struct service {
    store *store;                       // immutable
    registry *registry;                 // immutable
    jobs *jobs;                         // immutable
    mesh_cache *cache;                  // immutable
    load_queue *load_queue;             // immutable; NULL: nothing is loaded at the start
    events *events;                     // immutable
    pins *pins;                         // immutable; NULL: there are no instances
    instances *instances;               // immutable; likewise
    damage_list *damage_list;           // immutable; NULL: no list of damage is kept
    recordings *recordings;             // immutable; NULL: nothing is recorded
    const struct route_table *routes;   // immutable; the API's, for the listeners
    service_budget budget;              // immutable
    service_limits limits;              // immutable
    struct connections *connections;    // http/http.c makes and unmakes it
    auth *auth;                         // immutable; NULL: no tokens are asked for
    bool trusted_network;               // immutable; listeners that others reach need no tokens
    const char *const *allowed_hosts;   // immutable; names of listeners, beside their own
    size_t allowed_host_count;          // immutable
    const char *const *allowed_origins; // immutable; of pages that may ask
    size_t allowed_origin_count;        // immutable
    _Atomic uint64_t requests_bytes; // held by bodies of requests (limits.bodies_in_flight_bytes)
    _Atomic uint64_t answers_bytes;  // held by answers
    service_live live;
    uint64_t started_ns;         // immutable
    uint64_t started_unix_ms;    // immutable
    struct http *_Atomic http;   // main sets it once the listeners are open
    _Atomic service_state state; // main writes
};

typedef struct service service;

// ---- bodies in flight (limits.c) ----
//
// Bodies of requests and large answers share limits.bodies_in_flight_bytes. Answers may have half
// of it, so that clients who read slowly leave the other half to uploads. Thread: any.

// Counts memory for a request's body. Errors: PROTO_OVERLOADED, and nothing is counted.
nav_status service_hold(service *s, uint64_t bytes, nav_error *err);
void service_give_back(service *s, uint64_t bytes);
// Counts memory for an answer, or for what it is made of. *held, what it has already, becomes this
// size, or half of the budget if that is less: so the largest answer can be sent when there is no
// other. Errors: PROTO_OVERLOADED, and *held stays.
nav_status service_hold_answer(service *s, uint64_t bytes, uint64_t *held, nav_error *err);
// The same for an answer that must not be refused: *held becomes this size even where there is no
// room. With 0 bytes all of it is given back.
void service_count_answer(service *s, uint64_t bytes, uint64_t *held);
