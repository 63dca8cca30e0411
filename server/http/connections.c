// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// connections.c: the table of open connections and their phases. A phase is changed by the thread
// that has the connection, with one atomic exchange; the reaper takes a connection away with a
// compare and swap, so that of the two exactly one wins.

#include "server/http/connections.h"

#include "server/base/lock.h"

#include <stdlib.h>
#include <time.h>

#define CONNECTION_DESCRIPTORS 65536
#define OVER_LIMIT_MS 1000u
#define CLOSING_MS 1000u

static _Atomic(connection *) BY_DESCRIPTOR[CONNECTION_DESCRIPTORS];

uint64_t connection_now_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return (uint64_t)now.tv_sec * 1000u + (uint64_t)now.tv_nsec / 1000000u;
}

connection *connection_of(int fd)
{
    return fd >= 0 && fd < CONNECTION_DESCRIPTORS
               ? atomic_load_explicit(&BY_DESCRIPTOR[fd], memory_order_acquire)
               : NULL;
}

// ---- the table ----

connections *connections_create(service *s)
{
    connections *all = calloc(1, sizeof *all);
    if (all == NULL) {
        return NULL;
    }
    const service_limits *l = &s->limits;
    all->service = s;
    all->limits = l;
    all->wire = (proto_wire_limits){.target_bytes_max = (uint32_t)l->uri_bytes,
                                    .headers_bytes_max = (uint32_t)l->headers_bytes,
                                    .headers_max = (uint32_t)l->headers_count,
                                    .args_max = 2 * LIMIT_ARGS,
                                    .kept_bytes_max =
                                        LIMIT_CONNECTION_MEMORY_BYTES - LIMIT_REPLY_HEAD_BYTES,
                                    .ahead_bytes = LIMIT_CONNECTION_MEMORY_BYTES / 2};
    (void)pthread_mutex_init(&all->lock, NULL);
    lock_init_monotonic(&all->changed);
    return all;
}

void connections_destroy(connections *all)
{
    if (all != NULL) {
        NAV_ASSERT(!all->started); // connections_stop
        NAV_ASSERT(all->first == NULL && all->count == 0 && all->tcp_count == 0);
        (void)pthread_cond_destroy(&all->changed);
        (void)pthread_mutex_destroy(&all->lock);
        free(all);
    }
}

uint32_t connections_count(connections *all)
{
    (void)pthread_mutex_lock(&all->lock);
    uint32_t count = all->count;
    (void)pthread_mutex_unlock(&all->lock);
    return count;
}

static void link_locked(connections *all, connection *c)
{
    NAV_ASSERT(lock_is_held(&all->lock));
    c->next = all->first;
    if (all->first != NULL) {
        all->first->previous = c;
    }
    all->first = c;
    all->count++;
    all->tcp_count += c->tcp;
    c->over_limit = c->over_limit || (c->tcp && all->tcp_count > all->limits->connections);
    // The first head is due at once; a connection over the limit gets less time.
    uint64_t patience_ms = all->limits->header_ms;
    if (c->over_limit && patience_ms > OVER_LIMIT_MS) {
        patience_ms = OVER_LIMIT_MS;
    }
    atomic_init(&c->state, connection_state(CONNECTION_HEAD, connection_now_ms() + patience_ms));
    // The reaper sleeps without end where there is nobody to watch.
    if (all->count == 1) {
        (void)pthread_cond_signal(&all->changed);
    }
}

static void unlink_locked(connections *all, const connection *c)
{
    NAV_ASSERT(lock_is_held(&all->lock));
    NAV_ASSERT(all->count > 0 && all->tcp_count >= (c->tcp ? 1u : 0u));
    if (c->previous != NULL) {
        c->previous->next = c->next;
    } else {
        NAV_ASSERT(all->first == c);
        all->first = c->next;
    }
    if (c->next != NULL) {
        c->next->previous = c->previous;
    }
    all->count--;
    all->tcp_count -= c->tcp;
}

connection *connection_open(connections *all, int fd, bool tcp,
                            _Atomic uint32_t *listener_open_count)
{
    NAV_ASSERT(listener_open_count != NULL);
    connection *c = fd >= 0 && fd < CONNECTION_DESCRIPTORS ? calloc(1, sizeof *c) : NULL;
    if (c == NULL) {
        return NULL;
    }
    c->all = all;
    c->fd = fd;
    c->tcp = tcp;
    c->listener_open_count = listener_open_count;
    c->over_limit = atomic_fetch_add(listener_open_count, 1) >= all->limits->listener_connections;
    proto_wire_init(&c->wire, &all->wire);
    (void)pthread_mutex_lock(&all->lock);
    link_locked(all, c);
    (void)pthread_mutex_unlock(&all->lock);
    NAV_ASSERT(connection_of(fd) == NULL); // connection_close comes before the descriptor is closed
    atomic_store_explicit(&BY_DESCRIPTOR[fd], c, memory_order_release);
    return c;
}

void connection_close(connection *c)
{
    if (c == NULL) {
        return;
    }
    connections *all = c->all;
    NAV_ASSERT(connection_of(c->fd) == c);
    atomic_store(&BY_DESCRIPTOR[c->fd], NULL);
    (void)pthread_mutex_lock(&all->lock);
    unlink_locked(all, c);
    (void)pthread_mutex_unlock(&all->lock);
    (void)atomic_fetch_sub(c->listener_open_count, 1);
    free(c);
}

// ---- phases ----

// Changes the phase. False: the connection is over, and stays so.
static bool move(connection *c, connection_phase phase, uint64_t deadline_ms)
{
    uint64_t old = atomic_exchange(&c->state, connection_state(phase, deadline_ms));
    if (connection_state_is_over(old)) {
        atomic_store(&c->state, old);
        return false;
    }
    return true;
}

bool connection_begin(connection *c)
{
    return c->heads_answered++ < c->wire.heads && !connection_state_is_over(atomic_load(&c->state));
}

bool connection_handle(connection *c)
{
    return connection_phase_of(atomic_load(&c->state)) == CONNECTION_HANDLING ||
           move(c, CONNECTION_HANDLING, 0);
}

bool connection_fail(connection *c)
{
    return move(c, CONNECTION_CLOSING, connection_now_ms() + CLOSING_MS);
}

bool connection_owes_reply(const connection *c)
{
    return connection_phase_of(atomic_load(&c->state)) == CONNECTION_HANDLING;
}

bool connection_is_over(const connection *c)
{
    return connection_state_is_over(atomic_load(&c->state));
}

bool connection_send(connection *c)
{
    return move(c, CONNECTION_SENDING, connection_now_ms() + c->all->limits->reply_ms);
}

void connection_rest(connection *c)
{
    const service_limits *l = c->all->limits;
    bool between = proto_wire_phase_of(&c->wire) == PROTO_WIRE_BETWEEN;
    NAV_ASSERT(c->heads_answered <= c->wire.heads);
    if (between && c->heads_answered < c->wire.heads) {
        (void)move(c, CONNECTION_HANDLING, 0); // the library has read more than one request
        return;
    }
    (void)move(c, between ? CONNECTION_IDLE : CONNECTION_HEAD,
               connection_now_ms() + (between ? l->idle_ms : l->header_ms));
}

// The deadline of a body, with the credit of the bytes that have come.
static uint64_t body_deadline(const service_limits *l, uint64_t state, size_t size_bytes,
                              uint64_t now_ms)
{
    uint64_t full_ms = now_ms + l->body_ms;
    if (connection_phase_of(state) != CONNECTION_BODY) {
        return full_ms;
    }
    // Bytes that are read late have not come late: the reaper would have ended the connection.
    const uint64_t due_ms = connection_deadline_of(state);
    const uint64_t earned_ms =
        (due_ms > now_ms ? due_ms : now_ms) + size_bytes * 1000u / l->body_rate;
    return earned_ms < full_ms ? earned_ms : full_ms;
}

size_t connection_take(connection *c, char *bytes, size_t size_bytes)
{
    size_t whole_bytes = 0;
    const service_limits *l = c->all->limits;
    uint64_t state = atomic_load(&c->state), now_ms = connection_now_ms();
    NAV_ASSERT(c->fault.status == NAV_OK);
    if (proto_wire_feed(&c->wire, bytes, size_bytes, &whole_bytes, &c->fault) != NAV_OK) {
        NAV_ASSERT(whole_bytes <= size_bytes && c->fault.status != NAV_OK);
        if (whole_bytes > 0) {
            (void)move(c, CONNECTION_HANDLING, 0);
        }
        return whole_bytes;
    }
    switch (proto_wire_phase_of(&c->wire)) {
    case PROTO_WIRE_BETWEEN:
        (void)move(c, CONNECTION_HANDLING, 0);
        break;
    case PROTO_WIRE_HEAD:
        if (connection_phase_of(state) != CONNECTION_HEAD) {
            (void)move(c, CONNECTION_HEAD, now_ms + l->header_ms);
        }
        break;
    case PROTO_WIRE_BODY:
        (void)move(c, CONNECTION_BODY, body_deadline(l, state, size_bytes, now_ms));
        break;
    }
    return size_bytes;
}
