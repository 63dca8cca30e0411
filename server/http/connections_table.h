// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// connections_table.h: what connections.c and reaper.c share of the table of connections.

#pragma once

#include "server/http/connections.h"

#define CONNECTION_DESCRIPTORS 65536

struct connections {
    service *service;             // immutable
    const service_limits *limits; // immutable; the service's
    proto_wire_limits wire;       // immutable
    pthread_t reaper;             // main thread only
    bool started;                 // main thread only
    pthread_mutex_t lock;
    pthread_cond_t changed;    // the first connection, or the end
    connection *first;         // guarded by lock
    uint32_t count, tcp_count; // guarded by lock
    bool stopping;             // guarded by lock
};

static inline uint64_t connection_state(connection_phase phase, uint64_t deadline_ms)
{
    return deadline_ms << 3 | (uint64_t)phase;
}

static inline connection_phase connection_phase_of(uint64_t state)
{
    return (connection_phase)(state & 7u);
}

static inline uint64_t connection_deadline_of(uint64_t state)
{
    return state >> 3;
}

static inline bool connection_state_is_over(uint64_t state)
{
    return connection_phase_of(state) >= CONNECTION_CLOSING;
}
