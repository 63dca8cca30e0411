// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_load_queue.c: what questions wait for goes first; nobody waits for anything else, or too
// long.

#include "server/meshes/load_queue.h"

#include "server/base/clock.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define NAMES 6u

static int set_up(void **state)
{
    *state = load_queue_create(2);
    return *state != NULL ? 0 : 1;
}

static int tear_down(void **state)
{
    load_queue_destroy(*state);
    return 0;
}

// "m0" to "m5".
static void list(load_queue *l)
{
    store_name *names = calloc(NAMES, sizeof *names);
    assert_non_null(names);
    for (uint32_t i = 0; i < NAMES; i++) {
        (void)snprintf(names[i].mesh, sizeof names[i].mesh, "m%u", i);
    }
    assert_int_equal(load_queue_set(l, names, NAMES), NAV_OK);
}

typedef struct question {
    pthread_t thread;
    load_queue *load_queue;
    const char *mesh;
    nav_status status;
} question;

static void *wait(void *argument)
{
    question *q = argument;
    q->status = load_queue_wait(q->load_queue, q->mesh, NULL);
    return NULL;
}

static void ask(question *q, load_queue *l, const char *mesh)
{
    *q = (question){.load_queue = l, .mesh = mesh, .status = PROTO_INTERNAL};
    assert_int_equal(pthread_create(&q->thread, NULL, wait, q), 0);
}

static nav_status answer(question *q)
{
    assert_int_equal(pthread_join(q->thread, NULL), 0);
    return q->status;
}

static void in_order_where_nobody_asks(void **state)
{
    load_queue *l = *state;
    list(l);
    for (uint32_t i = 0; i < NAMES; i++) {
        char mesh[8];
        (void)snprintf(mesh, sizeof mesh, "m%u", i);
        const store_name *name = load_queue_take(l);
        assert_non_null(name);
        assert_string_equal(name->mesh, mesh);
        load_queue_done(l, name);
        assert_int_equal(load_queue_wait(l, mesh, NULL), NAV_OK);
    }
    assert_null(load_queue_take(l));
}

// "m4" is the next one that is taken once its question is known.
static void what_is_asked_for_goes_first(void **state)
{
    load_queue *l = *state;
    question q;
    list(l);
    ask(&q, l, "m4");
    const store_name *taken = load_queue_take(l);
    uint32_t before = 0;
    while (strcmp(taken->mesh, "m4") != 0) {
        // The question may not have come yet. It then goes before the rest.
        assert_true(++before < 4);
        load_queue_done(l, taken);
        usleep(100000);
        taken = load_queue_take(l);
    }
    load_queue_done(l, taken);
    assert_int_equal(answer(&q), NAV_OK);
    // All others come, each once.
    uint32_t others = 0;
    while ((taken = load_queue_take(l)) != NULL) {
        assert_string_not_equal(taken->mesh, "m4");
        load_queue_done(l, taken);
        others++;
    }
    assert_int_equal(before + others, NAMES - 1);
}

static void nobody_waits_for_what_is_not_listed(void **state)
{
    load_queue *l = *state;
    assert_int_equal(load_queue_wait(l, "m1", NULL), NAV_OK); // there is no list
    list(l);
    assert_int_equal(load_queue_wait(l, "other", NULL), NAV_OK);
    assert_int_equal(load_queue_wait(NULL, "m1", NULL), NAV_OK);
}

static void a_wait_has_an_end(void **state)
{
    load_queue *l = *state;
    nav_error err = {0};
    list(l);
    assert_int_equal(load_queue_wait(l, "m1", &err), PROTO_NOT_READY);
    assert_non_null(strstr(err.detail, "m1"));
    // It is asked for all the same, once.
    const store_name *name = load_queue_take(l);
    assert_string_equal(name->mesh, "m1");
    name = load_queue_take(l);
    assert_string_equal(name->mesh, "m0");
    name = load_queue_take(l);
    assert_string_equal(name->mesh, "m2");
}

// Of two threads: all questions together, one after another or at once, wait two seconds.
static void all_waits_together_have_an_end(void **state)
{
    load_queue *l = *state;
    nav_error err = {0};
    question questions[40];
    list(l);
    const uint64_t begin_ns = clock_now_ns();
    for (size_t i = 0; i < 40; i++) {
        ask(&questions[i], l, i % 2 == 0 ? "m1" : "m2");
    }
    for (size_t i = 0; i < 40; i++) {
        assert_int_equal(answer(&questions[i]), PROTO_NOT_READY);
    }
    for (size_t i = 0; i < 1000; i++) {
        assert_int_equal(load_queue_wait(l, "m3", &err), PROTO_NOT_READY);
    }
    assert_non_null(strstr(err.detail, "m3"));
    // A thousand seconds, if each had waited; far from that on any machine.
    assert_true(clock_now_ns() - begin_ns < UINT64_C(100000000000));
    // They are asked for all the same, and a mesh that is there is not waited for.
    const store_name *name = load_queue_take(l);
    assert_string_not_equal(name->mesh, "m0");
    load_queue_done(l, name);
    assert_int_equal(load_queue_wait(l, name->mesh, NULL), NAV_OK);
}

static void a_stop_wakes_all(void **state)
{
    load_queue *l = *state;
    question a, b;
    list(l);
    const store_name *name = load_queue_take(l);
    ask(&a, l, "m0");
    ask(&b, l, "m5");
    load_queue_stop(l);
    assert_true(load_queue_is_stopped(l));
    assert_int_equal(answer(&a), PROTO_NOT_READY);
    assert_int_equal(answer(&b), PROTO_NOT_READY);
    assert_null(load_queue_take(l));
    load_queue_done(l, name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(in_order_where_nobody_asks, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_asked_for_goes_first, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nobody_waits_for_what_is_not_listed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_wait_has_an_end, set_up, tear_down),
        cmocka_unit_test_setup_teardown(all_waits_together_have_an_end, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_stop_wakes_all, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
