// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// reaper.c: the thread that ends slow connections. It walks over all of them a few times a second,
// sleeps without end while there are none, and does nothing to a connection but shut it down: the
// HTTP thread that has it then reads the end of the stream and closes it. No HTTP thread ever waits
// for a client, so none is lost to a slow one.

#include "server/http/connections.h"

#include "server/http/connections_table.h"
#include "server/http/refusal.h"

#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>

#define TICK_MS_MAX 250u
#define TICK_MS_MIN 5u
#define REFUSALS_MAX 64u // of a look; those beyond it have the next one, at once

// Refusals are sent under the lock, then counted and logged without it: a line of the log may have
// to wait for its reader.
typedef struct look {
    uint64_t now_ms;
    uint32_t count;
    refusal refusals[REFUSALS_MAX];
} look;

// How much the client has taken of all that was sent, up to a constant: the system counts its own
// needs for what is queued in a Unix socket as well. *pending: whether some of it is on its way.
static int64_t taken_bytes(connection *c, bool *pending)
{
    int queued = 0;
    int64_t sent = (int64_t)atomic_load_explicit(&c->sent_bytes, memory_order_relaxed);
    if (ioctl(c->fd, SIOCOUTQ, &queued) != 0 || queued < 0) {
        queued = 0;
    }
    *pending = queued > 0;
    return sent - queued;
}

// The deadline of a reply, with what the client has earned since the last look.
static uint64_t reply_deadline(connection *c, uint64_t deadline_ms, uint64_t now_ms)
{
    const service_limits *l = c->all->limits;
    bool pending;
    int64_t taken = taken_bytes(c, &pending);
    uint64_t progress = taken > c->seen_bytes ? (uint64_t)(taken - c->seen_bytes) : 0;
    uint64_t full_ms = now_ms + l->reply_ms;
    uint64_t earned_ms = deadline_ms + progress * 1000u / l->reply_rate;
    c->seen_bytes = taken;
    return !pending || earned_ms > full_ms ? full_ms : earned_ms;
}

// Looks, once per idle time, whether the client has closed its side. The library has heard of an
// end that came together with a request, and would not read it before the deadline; it hears of
// later ones by itself. It is recvfrom because tap.c stands in for recv, and notes what is read.
static bool look_once_for_end(connection *c, uint64_t deadline_ms)
{
    char next;
    const bool seen = c->seen_idle_ms == deadline_ms;
    c->seen_idle_ms = deadline_ms;
    return !seen && recvfrom(c->fd, &next, 1, MSG_PEEK | MSG_DONTWAIT, NULL, NULL) == 0;
}

static void end(look *l, connection *c, connection_phase phase)
{
    if (phase == CONNECTION_BODY) {
        nav_error err;
        (void)nav_fail(&err, PROTO_REQUEST_TIMEOUT, "the body came too slowly");
        l->refusals[l->count++] = refusal_send(c, &err);
    } else if (phase == CONNECTION_SENDING) {
        // What the client has not taken is thrown away, not kept in the kernel.
        const struct linger none = {.l_onoff = 1, .l_linger = 0};
        (void)setsockopt(c->fd, SOL_SOCKET, SO_LINGER, &none, sizeof none);
    }
    (void)shutdown(c->fd, SHUT_RDWR);
}

static void look_at_locked(look *l, connection *c)
{
    uint64_t state = atomic_load(&c->state);
    connection_phase phase = connection_phase_of(state);
    uint64_t deadline_ms = connection_deadline_of(state), next = state;
    if (phase == CONNECTION_HANDLING || phase == CONNECTION_ENDED) {
        return;
    }
    if (phase == CONNECTION_SENDING) {
        deadline_ms = reply_deadline(c, deadline_ms, l->now_ms);
        next = connection_state(phase, deadline_ms);
    }
    if (l->now_ms > deadline_ms ||
        (phase == CONNECTION_IDLE && look_once_for_end(c, deadline_ms))) {
        next = CONNECTION_ENDED;
    }
    // The HTTP thread may have moved on meanwhile: then it was not too slow.
    if (next != state && atomic_compare_exchange_strong(&c->state, &state, next) &&
        next == CONNECTION_ENDED) {
        end(l, c, phase);
    }
}

// An eighth of the shortest patience, so that nobody outlives a deadline by much.
static uint64_t tick_ms(const service_limits *l)
{
    uint64_t least = l->idle_ms < l->header_ms ? l->idle_ms : l->header_ms;
    least = l->body_ms < least ? l->body_ms : least;
    least = (l->reply_ms < least ? l->reply_ms : least) / 8;
    return least < TICK_MS_MIN ? TICK_MS_MIN : (least > TICK_MS_MAX ? TICK_MS_MAX : least);
}

static void wait_locked(connections *all)
{
    if (all->first == NULL) {
        (void)pthread_cond_wait(&all->changed, &all->lock);
        return;
    }
    struct timespec until;
    (void)clock_gettime(CLOCK_MONOTONIC, &until);
    uint64_t ns = (uint64_t)until.tv_nsec + tick_ms(all->limits) * 1000000u;
    until.tv_sec += (time_t)(ns / 1000000000u);
    until.tv_nsec = (long)(ns % 1000000000u);
    (void)pthread_cond_timedwait(&all->changed, &all->lock, &until);
}

static void *reap(void *user)
{
    connections *all = user;
    (void)pthread_mutex_lock(&all->lock);
    while (!all->stopping) {
        look l = {.now_ms = connection_now_ms(), .count = 0};
        for (connection *c = all->first; c != NULL && l.count < REFUSALS_MAX; c = c->next) {
            look_at_locked(&l, c);
        }
        if (l.count == 0) {
            wait_locked(all);
            continue;
        }
        (void)pthread_mutex_unlock(&all->lock);
        for (uint32_t i = 0; i < l.count; i++) {
            refusal_ended(&l.refusals[i]);
        }
        (void)pthread_mutex_lock(&all->lock);
    }
    (void)pthread_mutex_unlock(&all->lock);
    return NULL;
}

bool connections_start(connections *all)
{
    all->started = pthread_create(&all->reaper, NULL, reap, all) == 0;
    return all->started;
}

void connections_stop(connections *all)
{
    if (!all->started) {
        return;
    }
    (void)pthread_mutex_lock(&all->lock);
    all->stopping = true;
    (void)pthread_cond_signal(&all->changed);
    (void)pthread_mutex_unlock(&all->lock);
    (void)pthread_join(all->reaper, NULL);
    all->started = false;
}
