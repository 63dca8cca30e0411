// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_outbox.c: listeners to an instance hear its events in the order in which they were put, from
// however many threads; the end of the instance is the end of their streams.

#include "server/instances/outbox.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct fixture {
    pthread_mutex_t lock;
    events *events;
    outbox box;
    events_listener *listener; // to town/a
    int put;                   // guarded by lock
} fixture;

static void ignore_wake(void *user)
{
    (void)user;
}

static void open_fixture(fixture *f)
{
    *f = (fixture){.events = events_create(4)};
    assert_non_null(f->events);
    assert_int_equal(pthread_mutex_init(&f->lock, NULL), 0);
    outbox_init(&f->box, &f->lock, f->events);
    assert_int_equal(events_listen(f->events, "town/a", 0, ignore_wake, NULL, &f->listener, NULL),
                     NAV_OK);
    events_open(f->listener, "state", "{}", false);
}

static void close_fixture(fixture *f)
{
    assert_null(f->box.first);
    events_leave(f->listener);
    events_destroy(f->events);
    (void)pthread_mutex_destroy(&f->lock);
}

static void put(fixture *f, outbox_event *e)
{
    assert_non_null(e);
    (void)pthread_mutex_lock(&f->lock);
    outbox_put_locked(&f->box, e);
    (void)pthread_mutex_unlock(&f->lock);
}

// All that the listener has heard by now.
static void assert_heard(fixture *f, const char *text, events_state wanted)
{
    char heard[1024];
    events_state state;
    const size_t size_bytes = events_read(f->listener, heard, sizeof heard - 1, &state);
    heard[size_bytes] = '\0';
    assert_string_equal(heard, text);
    assert_int_equal(state, wanted);
}

#define FIRST "event: state\ndata: {}\n\n"

static void what_waits_is_published_in_order(void **state)
{
    (void)state;
    fixture f;
    open_fixture(&f);
    put(&f, outbox_changed("town", "a", "replaced", "{\"revision\":1}"));
    put(&f, outbox_changed("town", "b", "changed", "{\"revision\":5}"));
    put(&f, outbox_version("town", "a", 1, 7));
    assert_heard(&f, FIRST, EVENTS_GO_ON); // not before it is published
    outbox_publish(&f.box);
    assert_heard(&f,
                 "event: replaced\ndata: {\"revision\":1}\n\n"
                 "event: version\ndata: "
                 "{\"mesh\":\"town\",\"version\":7,\"instance\":\"a\",\"revision\":1}\n\n",
                 EVENTS_GO_ON);
    outbox_publish(&f.box);
    assert_heard(&f, "", EVENTS_GO_ON);
    close_fixture(&f);
}

static void a_stream_ends_with_its_instance(void **state)
{
    (void)state;
    fixture f;
    open_fixture(&f);
    put(&f, outbox_removed("town", "b", 2, "expired"));
    put(&f, outbox_removed("town", "a", 3, "deleted"));
    put(&f, outbox_changed("town", "a", "replaced", "{}")); // a new one of this name
    outbox_publish(&f.box);
    assert_heard(&f,
                 FIRST "event: removed\ndata: {\"mesh\":\"town\",\"instance\":\"a\","
                       "\"revision\":3,\"reason\":\"deleted\"}\n\n",
                 EVENTS_ENDED);
    close_fixture(&f);
}

static void one_that_is_missing_or_not_put_is_harmless(void **state)
{
    (void)state;
    fixture f;
    open_fixture(&f);
    outbox_event_destroy(outbox_changed("town", "a", "changed", "{}"));
    outbox_event_destroy(NULL);
    (void)pthread_mutex_lock(&f.lock);
    outbox_put_locked(&f.box, NULL);
    (void)pthread_mutex_unlock(&f.lock);
    outbox_publish(&f.box);
    assert_heard(&f, FIRST, EVENTS_GO_ON);
    close_fixture(&f);
}

// ---- many threads ----

#define THREADS 4
#define EACH 200

static void *put_some(void *argument)
{
    fixture *f = argument;
    for (int i = 0; i < EACH; i++) {
        char data[16];
        (void)pthread_mutex_lock(&f->lock);
        (void)snprintf(data, sizeof data, "%d", f->put++);
        outbox_put_locked(&f->box, outbox_changed("town", "a", "n", data));
        (void)pthread_mutex_unlock(&f->lock);
        outbox_publish(&f->box);
    }
    return NULL;
}

static void threads_do_not_pass_each_other(void **state)
{
    (void)state;
    fixture f;
    pthread_t threads[THREADS];
    static char heard[THREADS * EACH * 32];
    events_state ended;
    open_fixture(&f);
    assert_heard(&f, FIRST, EVENTS_GO_ON);
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, put_some, &f), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    }
    const size_t size_bytes = events_read(f.listener, heard, sizeof heard - 1, &ended);
    assert_int_equal(ended, EVENTS_GO_ON);
    heard[size_bytes] = '\0';
    const char *at = heard;
    for (int i = 0; i < THREADS * EACH; i++) {
        char wanted[32];
        const int length = snprintf(wanted, sizeof wanted, "event: n\ndata: %d\n\n", i);
        assert_memory_equal(at, wanted, (size_t)length);
        at += length;
    }
    assert_int_equal(*at, '\0');
    close_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_waits_is_published_in_order),
        cmocka_unit_test(a_stream_ends_with_its_instance),
        cmocka_unit_test(one_that_is_missing_or_not_put_is_harmless),
        cmocka_unit_test(threads_do_not_pass_each_other),
    };
    return cmocka_run_group_tests_name("outbox", tests, NULL, NULL);
}
