// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_events.c: everybody who listens hears everything in order up to the last event; who does not
// read is dropped and costs no memory; nobody is woken twice, late or after leaving.

#include "proto/base/status.h"
#include "server/base/events.h"

#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define LISTENERS_MAX 128u

static void count_wake(void *user)
{
    (void)sem_post(user);
}

static events_listener *listen_to(events *e, const char *mesh, uint32_t version, sem_t *woken)
{
    events_listener *l = NULL;
    assert_int_equal(sem_init(woken, 0, 0), 0);
    assert_int_equal(events_listen(e, mesh, version, count_wake, woken, &l, NULL), NAV_OK);
    return l;
}

static int wakes(sem_t *woken)
{
    int value = -1;
    assert_int_equal(sem_getvalue(woken, &value), 0);
    return value;
}

// All that waits, as text.
static events_state read_all(events_listener *l, char *out, size_t capacity)
{
    events_state state;
    size_t used = 0, taken;
    do {
        // In small pieces, so that events are cut anywhere.
        taken =
            events_read(l, out + used, capacity - used - 1 < 7 ? capacity - used - 1 : 7, &state);
        used += taken;
    } while (taken > 0);
    out[used] = '\0';
    return state;
}

static void all_listeners_hear_all(void **state)
{
    (void)state;
    char text[1024];
    sem_t woken[3];
    events *e = events_create(LISTENERS_MAX);
    assert_false(events_has_listeners(e));
    events_publish(e, "m", 1, "early", "{}");
    events_listener *a = listen_to(e, "m", 1, &woken[0]);
    events_listener *b = listen_to(e, "m", 1, &woken[1]);
    events_listener *other = listen_to(e, "m", 2, &woken[2]);
    assert_true(events_has_listeners(e));
    // Not before the first event of their own.
    events_publish(e, "m", 1, "unheard", "{}");
    events_open(a, "progress", "{\"p\":0}", false);
    events_open(b, "progress", "{\"p\":0}", false);
    events_open(other, "progress", "{\"p\":0}", false);
    assert_false(events_await(a)); // there is something to read
    events_publish(e, "m", 1, "stage", "{\"s\":1}");
    assert_int_equal(read_all(a, text, sizeof text), EVENTS_GO_ON);
    assert_string_equal(text, "event: progress\ndata: {\"p\":0}\n\n"
                              "event: stage\ndata: {\"s\":1}\n\n");
    assert_true(events_await(a));
    events_finish(e, "m", 1, "ready", "{\"v\":1}");
    assert_int_equal(wakes(&woken[0]), 1);
    assert_int_equal(wakes(&woken[1]), 0); // it has not asked for it
    events_publish(e, "m", 1, "late", "{}");
    assert_int_equal(read_all(a, text, sizeof text), EVENTS_ENDED);
    assert_string_equal(text, "event: ready\ndata: {\"v\":1}\n\n");
    assert_int_equal(read_all(b, text, sizeof text), EVENTS_ENDED);
    assert_non_null(strstr(text, "event: ready"));
    assert_int_equal(read_all(other, text, sizeof text), EVENTS_GO_ON);
    assert_string_equal(text, "event: progress\ndata: {\"p\":0}\n\n");
    // Gone with the whole mesh.
    assert_true(events_await(other));
    events_finish(e, "m", 0, "cancelled", "{}");
    assert_int_equal(wakes(&woken[2]), 1);
    assert_int_equal(read_all(other, text, sizeof text), EVENTS_ENDED);
    events_leave(a);
    events_leave(b);
    events_leave(other);
    assert_false(events_has_listeners(e));
    events_destroy(e);
}

static void an_end_before_the_beginning_is_kept(void **state)
{
    (void)state;
    char text[256];
    sem_t woken;
    events *e = events_create(LISTENERS_MAX);
    events_listener *l = listen_to(e, "m", 1, &woken);
    events_finish(e, "m", 1, "failed", "{\"e\":1}");
    events_open(l, "progress", "{}", false);
    assert_int_equal(read_all(l, text, sizeof text), EVENTS_ENDED);
    assert_string_equal(text, "event: failed\ndata: {\"e\":1}\n\n");
    events_leave(l);
    l = listen_to(e, "m", 1, &woken);
    events_open(l, "ready", "{}", true);
    assert_false(events_await(l));
    assert_int_equal(read_all(l, text, sizeof text), EVENTS_ENDED);
    assert_string_equal(text, "event: ready\ndata: {}\n\n");
    events_leave(l);
    events_destroy(e);
}

static void who_does_not_read_is_dropped(void **state)
{
    (void)state;
    static char text[LIMIT_EVENT_QUEUE_BYTES + 1];
    sem_t woken[2];
    events *e = events_create(LISTENERS_MAX);
    events_listener *slow = listen_to(e, "m", 1, &woken[0]);
    events_listener *quick = listen_to(e, "m", 1, &woken[1]);
    events_open(slow, "progress", "{}", false);
    events_open(quick, "progress", "{}", false);
    char data[1000];
    memset(data, 'x', sizeof data - 1);
    data[sizeof data - 1] = '\0';
    uint32_t sent = 2 * LIMIT_EVENT_QUEUE_BYTES / sizeof data;
    size_t heard = 0;
    for (uint32_t i = 0; i < sent; i++) {
        events_publish(e, "m", 1, "stage", data);
        assert_int_equal(read_all(quick, text, sizeof text), EVENTS_GO_ON);
        heard += strlen(text);
    }
    assert_true(heard > (size_t)sent * sizeof data);
    assert_int_equal(read_all(slow, text, sizeof text), EVENTS_DROPPED);
    assert_int_equal(strlen(text), 0);
    assert_false(events_await(slow));
    events_finish(e, "m", 1, "ready", "{}");
    assert_int_equal(read_all(slow, text, sizeof text), EVENTS_DROPPED);
    assert_int_equal(read_all(quick, text, sizeof text), EVENTS_ENDED);
    events_leave(slow);
    events_leave(quick);
    events_destroy(e);
}

// The last event may be larger than what may wait otherwise.
static void a_large_last_event_arrives_whole(void **state)
{
    (void)state;
    size_t size = 2 * LIMIT_EVENT_QUEUE_BYTES;
    char *data = malloc(size + 1), *text = malloc(size + 100);
    sem_t woken;
    assert_non_null(data);
    assert_non_null(text);
    memset(data, 'y', size);
    data[size] = '\0';
    events *e = events_create(LISTENERS_MAX);
    events_listener *l = listen_to(e, "m", 1, &woken);
    events_open(l, "progress", "{}", false);
    events_finish(e, "m", 1, "ready", data);
    assert_int_equal(read_all(l, text, size + 100), EVENTS_ENDED);
    assert_int_equal(strlen(text), size + strlen("event: progress\ndata: {}\n\n"
                                                 "event: ready\ndata: \n\n"));
    events_leave(l);
    events_destroy(e);
    free(data);
    free(text);
}

// An event may be as large as it is behind the one that is being read; with a third it is too much.
static void a_large_event_arrives_whole(void **state)
{
    (void)state;
    const size_t size = 2 * LIMIT_EVENT_QUEUE_BYTES;
    events_state at;
    char *data = malloc(size + 1), *text = malloc(size + 100);
    sem_t woken;
    assert_true(data != NULL && text != NULL);
    memset(data, 'z', size);
    data[size] = '\0';
    events *e = events_create(LISTENERS_MAX);
    events_listener *l = listen_to(e, "m", 1, &woken);
    events_open(l, "state", data, false);
    assert_int_equal(read_all(l, text, size + 100), EVENTS_GO_ON);
    assert_int_equal(strlen(text), size + strlen("event: state\ndata: \n\n"));
    events_publish(e, "m", 1, "state", data);
    assert_int_equal(read_all(l, text, size + 100), EVENTS_GO_ON);
    assert_int_equal(strlen(text), size + strlen("event: state\ndata: \n\n"));
    events_publish(e, "m", 1, "state", "{}");
    events_publish(e, "m", 1, "state", data);
    assert_int_equal(events_read(l, text, 20, &at), 20);
    assert_int_equal(at, EVENTS_GO_ON);
    events_publish(e, "m", 1, "state", "{}");
    assert_int_equal(events_read(l, text, 20, &at), 0);
    assert_int_equal(at, EVENTS_DROPPED);
    events_leave(l);
    events_destroy(e);
    free(data);
    free(text);
}

static void there_is_a_limit_and_an_end(void **state)
{
    (void)state;
    static events_listener *all[LISTENERS_MAX];
    static sem_t woken[LISTENERS_MAX + 1];
    events_listener *more;
    nav_error err = {0};
    events *e = events_create(LISTENERS_MAX);
    for (uint32_t i = 0; i < LISTENERS_MAX; i++) {
        all[i] = listen_to(e, "m", 1, &woken[i]);
    }
    assert_int_equal(events_listen(e, "m", 1, count_wake, woken, &more, &err), PROTO_OVERLOADED);
    assert_string_equal(err.limit, "128");
    events_leave(all[0]);
    all[0] = listen_to(e, "n", 1, &woken[0]);
    assert_true(events_await(all[0]));
    events_stop(e);
    assert_int_equal(wakes(&woken[0]), 1);
    assert_int_equal(events_listen(e, "m", 1, count_wake, woken, &more, &err), PROTO_NOT_READY);
    for (uint32_t i = 0; i < LISTENERS_MAX; i++) {
        events_state at;
        char byte;
        assert_int_equal(events_read(all[i], &byte, 1, &at), 0);
        assert_int_equal(at, EVENTS_ENDED);
        events_leave(all[i]);
    }
    events_leave(NULL);
    events_destroy(e);
}

static void idle_listeners_get_comments(void **state)
{
    (void)state;
    char text[256];
    sem_t woken;
    events *e = events_create(LISTENERS_MAX);
    events_listener *l = listen_to(e, "m", 1, &woken);
    events_open(l, "progress", "{}", false);
    assert_int_equal(read_all(l, text, sizeof text), EVENTS_GO_ON);
    assert_true(events_await(l));
    assert_int_equal(sem_wait(&woken), 0); // within LIMIT_EVENT_HEARTBEAT_S
    assert_int_equal(read_all(l, text, sizeof text), EVENTS_GO_ON);
    assert_string_equal(text, ": still here\n\n");
    events_leave(l);
    events_destroy(e);
}

#define EVENTS_EACH 3000
#define TALKERS 2
#define LISTENERS 4

typedef struct crowd {
    events *events;
    atomic_int talking, listening;
} crowd;

static void *talk(void *argument)
{
    crowd *c = argument;
    for (int i = 0; i < EVENTS_EACH; i++) {
        events_publish(c->events, "m", 1, "n", "1");
    }
    if (atomic_fetch_sub(&c->talking, 1) == 1) {
        events_finish(c->events, "m", 1, "end", "2");
    }
    return NULL;
}

// Reads to the end as the HTTP thread does: wait, be woken, read. Returns how many events came.
static void *hear(void *argument)
{
    crowd *c = argument;
    sem_t woken;
    static const size_t event_bytes = sizeof "event: n\ndata: 1\n\n" - 1;
    events_listener *l = listen_to(c->events, "m", 1, &woken);
    events_state at = EVENTS_GO_ON;
    size_t bytes = 0;
    events_open(l, "n", "1", false);
    (void)atomic_fetch_add(&c->listening, 1);
    while (at == EVENTS_GO_ON) {
        char text[4096];
        size_t taken = events_read(l, text, sizeof text, &at);
        bytes += taken;
        if (taken == 0 && at == EVENTS_GO_ON && events_await(l)) {
            assert_int_equal(sem_wait(&woken), 0);
        }
    }
    assert_int_equal(at, EVENTS_ENDED);
    events_leave(l);
    return (void *)(bytes / event_bytes);
}

static void many_threads(void **state)
{
    (void)state;
    crowd c = {.events = events_create(LISTENERS_MAX), .talking = TALKERS};
    pthread_t threads[TALKERS + LISTENERS];
    for (int i = 0; i < LISTENERS; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, hear, &c), 0);
    }
    // A listener that came after the end would wait for another.
    while (atomic_load(&c.listening) < LISTENERS) {
    }
    for (int i = LISTENERS; i < LISTENERS + TALKERS; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, talk, &c), 0);
    }
    for (int i = 0; i < LISTENERS + TALKERS; i++) {
        void *heard = NULL;
        (void)pthread_join(threads[i], &heard);
        assert_true((uintptr_t)heard <= TALKERS * EVENTS_EACH + 2);
    }
    assert_false(events_has_listeners(c.events));
    events_destroy(c.events);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_listeners_hear_all),
        cmocka_unit_test(an_end_before_the_beginning_is_kept),
        cmocka_unit_test(who_does_not_read_is_dropped),
        cmocka_unit_test(a_large_last_event_arrives_whole),
        cmocka_unit_test(a_large_event_arrives_whole),
        cmocka_unit_test(there_is_a_limit_and_an_end),
        cmocka_unit_test(idle_listeners_get_comments),
        cmocka_unit_test(many_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
