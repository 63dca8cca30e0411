// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// reaper.c: the thread that ends slow connections. It walks over all of them a few times a second,
// sleeps without end while there are none, and does nothing to a connection but shut it down: the
// HTTP thread that has it then reads the end of the stream and closes it. No HTTP thread ever waits
// for a client, so none is lost to a slow one.

#include "server/http/connections.h"

#include "server/base/lock.h"

#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#define TICK_MS_MAX 250u
#define TICK_MS_MIN 5u
#define ERRORS_MAX 64u // of a sweep; those beyond it have the next one, at once

// One walk over all connections. Errors are sent under the lock, then counted and logged without
// it: a line of the log may have to wait for its reader.
typedef struct sweep {
    uint64_t now_ms;
    uint32_t count;
    raw_error errors[ERRORS_MAX];
} sweep;

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

// The deadline of a reply, with what the client has earned since the last sweep.
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

// Whether the client has closed its side; checks once per idle time. The library has heard of an
// end that came together with a request, and would not read it before the deadline; it hears of
// later ones by itself. It calls recvfrom, since recv is the one of socket_hooks.c.
static bool has_closed_side(connection *c, uint64_t deadline_ms)
{
    char next;
    const bool seen = c->seen_idle_ms == deadline_ms;
    c->seen_idle_ms = deadline_ms;
    return !seen && recvfrom(c->fd, &next, 1, MSG_PEEK | MSG_DONTWAIT, NULL, NULL) == 0;
}

// Whether it is not the client that is late: bytes wait for the thread that has the connection, or
// it may have taken them a moment ago, which the next sweep will see.
static bool is_our_delay(connection *c, bool late)
{
    int unread = 0;
    const bool first = late && !c->was_late;
    c->was_late = late;
    return first || (late && ioctl(c->fd, FIONREAD, &unread) == 0 && unread > 0);
}

static void end(sweep *s, connection *c, connection_phase phase)
{
    if (phase == CONNECTION_BODY) {
        nav_error err;
        (void)nav_fail(&err, PROTO_REQUEST_TIMEOUT, "the body came too slowly");
        NAV_ASSERT(s->count < ERRORS_MAX);
        s->errors[s->count++] = raw_error_send(c, &err);
    } else if (phase == CONNECTION_SENDING) {
        // Bytes that the client has not taken are thrown away, not kept in the kernel.
        const struct linger none = {.l_onoff = 1, .l_linger = 0};
        (void)setsockopt(c->fd, SOL_SOCKET, SO_LINGER, &none, sizeof none);
    }
    (void)shutdown(c->fd, SHUT_RDWR);
}

static void check_locked(sweep *s, connection *c)
{
    NAV_ASSERT(lock_is_held(&c->all->lock));
    uint64_t state = atomic_load(&c->state);
    connection_phase phase = connection_phase_of(state);
    uint64_t deadline_ms = connection_deadline_of(state), next = state;
    if (phase == CONNECTION_HANDLING || phase == CONNECTION_ENDED) {
        return;
    }
    if (phase == CONNECTION_SENDING) {
        deadline_ms = reply_deadline(c, deadline_ms, s->now_ms);
        next = connection_state(phase, deadline_ms);
    }
    const bool late = s->now_ms > deadline_ms;
    if (phase < CONNECTION_HANDLING && is_our_delay(c, late)) {
        return;
    }
    if (late || (phase == CONNECTION_IDLE && has_closed_side(c, deadline_ms))) {
        next = CONNECTION_ENDED;
    }
    // The HTTP thread may have moved on meanwhile: then it was not too slow.
    if (next != state && atomic_compare_exchange_strong(&c->state, &state, next) &&
        next == CONNECTION_ENDED) {
        end(s, c, phase);
    }
}

// Between two sweeps: an eighth of the shortest deadline, so that no connection outlives one by
// much.
static uint64_t tick_ms(const service_limits *l)
{
    uint64_t least = l->idle_ms < l->header_ms ? l->idle_ms : l->header_ms;
    least = l->body_ms < least ? l->body_ms : least;
    least = (l->reply_ms < least ? l->reply_ms : least) / 8;
    return least < TICK_MS_MIN ? TICK_MS_MIN : (least > TICK_MS_MAX ? TICK_MS_MAX : least);
}

static void wait_locked(connections *all)
{
    NAV_ASSERT(lock_is_held(&all->lock));
    if (all->first == NULL) {
        (void)pthread_cond_wait(&all->changed, &all->lock);
        return;
    }
    const struct timespec until = lock_deadline(tick_ms(all->limits));
    (void)pthread_cond_timedwait(&all->changed, &all->lock, &until);
}

static void *reap(void *user)
{
    connections *all = user;
    (void)pthread_mutex_lock(&all->lock);
    while (!all->stopping) {
        sweep s = {.now_ms = connection_now_ms(), .count = 0};
        for (connection *c = all->first; c != NULL && s.count < ERRORS_MAX; c = c->next) {
            check_locked(&s, c);
        }
        if (s.count == 0) {
            wait_locked(all);
            continue;
        }
        (void)pthread_mutex_unlock(&all->lock);
        for (uint32_t i = 0; i < s.count; i++) {
            raw_error_count(&s.errors[i]);
        }
        (void)pthread_mutex_lock(&all->lock);
    }
    (void)pthread_mutex_unlock(&all->lock);
    return NULL;
}

bool connections_start(connections *all)
{
    NAV_ASSERT(!all->started);
    all->started = pthread_create(&all->reaper, NULL, reap, all) == 0;
    return all->started;
}

void connections_stop(connections *all)
{
    if (all == NULL || !all->started) {
        return;
    }
    (void)pthread_mutex_lock(&all->lock);
    all->stopping = true;
    (void)pthread_cond_signal(&all->changed);
    (void)pthread_mutex_unlock(&all->lock);
    (void)pthread_join(all->reaper, NULL);
    all->started = false;
}
