// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_outbox.c: listeners to an instance hear its events in the order in which they were put, from
// however many threads; the end of the instance is the end of their streams, with memory for its
// text or without, and of no others.

#include "server/instances/outbox.h"

#include "tests/unit/failing_malloc.h"

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
    events_listener *listener; // to town/a, which began with revision 1
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
    assert_int_equal(events_listen(f->events, "town/a", 1, ignore_wake, NULL, &f->listener, NULL),
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

static void put_changed(fixture *f, const char *name, const char *event, const char *data)
{
    instance_row *row = outbox_changed("town", name, data);
    assert_non_null(row);
    (void)pthread_mutex_lock(&f->lock);
    outbox_put_changed_locked(&f->box, row, event, 1);
    (void)pthread_mutex_unlock(&f->lock);
}

// A row with a state of this revision.
static instance_row *make_row(const char *name, uint32_t born, uint32_t revision)
{
    nav_arena memory;
    proto_state missing = {0};
    const proto_instance_request request = {0};
    const instance_update update = {.change = &request, .bytes_max = 1 << 20};
    instance_row *row = instance_row_create("town", name);
    assert_non_null(row);
    nav_arena_init(&memory, NULL, 0);
    assert_int_equal(instance_state_make(NULL, &update, &memory, &missing, &row->state, NULL),
                     NAV_OK);
    nav_arena_free(&memory);
    row->state->born = born;
    row->state->revision = revision;
    return row;
}

static void put_removed(fixture *f, instance_row *row, const char *reason)
{
    (void)pthread_mutex_lock(&f->lock);
    outbox_put_removed_locked(&f->box, row, reason);
    (void)pthread_mutex_unlock(&f->lock);
}

static void put_version(fixture *f, instance_row *row, uint32_t version)
{
    (void)pthread_mutex_lock(&f->lock);
    outbox_put_version_locked(&f->box, row, version);
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
    put_changed(&f, "a", "replaced", "{\"revision\":1}");
    put_changed(&f, "b", "changed", "{\"revision\":5}");
    put_version(&f, make_row("a", 1, 1), 7);
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
    put_removed(&f, make_row("b", 1, 2), "expired");
    put_removed(&f, make_row("a", 1, 3), "deleted");
    put_changed(&f, "a", "replaced", "{}");
    outbox_publish(&f.box);
    assert_heard(&f,
                 FIRST "event: removed\ndata: {\"mesh\":\"town\",\"instance\":\"a\","
                       "\"revision\":3,\"reason\":\"deleted\"}\n\n",
                 EVENTS_ENDED);
    close_fixture(&f);
}

// Its end may be told when another instance of its name has been made, and has listeners.
static void an_earlier_instance_of_the_name_ends_no_stream(void **state)
{
    (void)state;
    fixture f;
    events_listener *later;
    events_state ended;
    char heard[64];
    open_fixture(&f);
    put_removed(&f, make_row("a", 1, 3), "deleted");
    assert_int_equal(events_listen(f.events, "town/a", 4, ignore_wake, NULL, &later, NULL), NAV_OK);
    outbox_publish(&f.box);
    assert_int_equal(events_read(later, heard, sizeof heard, &ended), 0);
    assert_int_equal(ended, EVENTS_GO_ON);
    events_leave(later);
    close_fixture(&f);
}

static void a_row_that_is_in_use_elsewhere_stays(void **state)
{
    (void)state;
    fixture f;
    open_fixture(&f);
    instance_row *row = make_row("b", 1, 2);
    put_removed(&f, instance_row_acquire(row), "expired");
    outbox_publish(&f.box);
    assert_int_equal(row->state->revision, 2);
    instance_row_release(row);
    close_fixture(&f);
}

static void without_memory_a_stream_ends_or_breaks(void **state)
{
    (void)state;
    if (!FAILING_MALLOC) {
        skip();
    }
    for (int removed = 0; removed < 2; removed++) {
        fixture f;
        open_fixture(&f);
        assert_heard(&f, FIRST, EVENTS_GO_ON);
        instance_row *row = make_row("a", 1, 1);
        if (removed) {
            put_removed(&f, row, "deleted");
        } else {
            put_version(&f, row, 2);
        }
        failing_malloc_begin(0, false);
        outbox_publish(&f.box);
        assert_true(failing_malloc_end());
        assert_heard(&f, "", removed ? EVENTS_ENDED : EVENTS_DROPPED);
        close_fixture(&f);
    }
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
        outbox_put_changed_locked(&f->box, outbox_changed("town", "a", data), "n", 1);
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
        cmocka_unit_test(an_earlier_instance_of_the_name_ends_no_stream),
        cmocka_unit_test(a_row_that_is_in_use_elsewhere_stays),
        cmocka_unit_test(without_memory_a_stream_ends_or_breaks),
        cmocka_unit_test(threads_do_not_pass_each_other),
    };
    return cmocka_run_group_tests_name("outbox", tests, NULL, NULL);
}
