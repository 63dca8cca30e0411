// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_instances.c: a state is merged item by item; a swap takes place or does not; what has
// expired is gone; limits hold; and many instances, made and removed, leave nothing behind.

#include "server/instances/instances.h"

#include "proto/replies/replies.h"
#include "server/base/clock.h"
#include "tests/unit/mesh_builder.h"

#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct fixture {
    pins *pins;
    events *events;
    instances *all;
    nav_mesh *mesh;
    nav_scratch *scratch;
} fixture;

static void open_fixture(fixture *f, uint32_t count_max, uint64_t bytes_max)
{
    const instances_limits limits = {.count_max = count_max, .bytes_max = bytes_max};
    f->pins = pins_create(2);
    f->events = events_create(4);
    f->all = instances_create(&limits, f->pins, f->events);
    f->mesh = map_mesh("............");
    assert_int_equal(nav_scratch_create(NULL, &f->scratch), NAV_OK);
    assert_true(f->pins != NULL && f->events != NULL && f->all != NULL && f->mesh != NULL);
}

static void close_fixture(fixture *f)
{
    instances_destroy(f->all);
    events_destroy(f->events);
    pins_destroy(f->pins);
    nav_scratch_destroy(f->scratch);
    nav_mesh_release(f->mesh);
}

// ---- states ----

static nav_status change(const instance_state *before, const char *json, bool replaces,
                         uint64_t bytes_max, instance_state **out, char missing[200],
                         nav_error *err)
{
    nav_arena memory;
    proto_instance_request request;
    proto_state absent = {0};
    nav_arena_init(&memory, NULL, 0);
    assert_int_equal(
        proto_request_json(&PROTO_INSTANCE, json, strlen(json), &memory, &request, err), NAV_OK);
    const instance_update update = {
        .change = &request, .replaces = replaces, .now_ns = clock_now_ns(), .bytes_max = bytes_max};
    nav_status status = instance_state_make(before, &update, &memory, &absent, out, err);
    missing[0] = '\0';
    for (int kind = 0; kind < PROTO_STATE_KINDS; kind++) {
        for (uint32_t i = 0; i < absent.items[kind].count; i++) {
            strcat(strcat(missing, absent.items[kind].at[i].id), " ");
        }
    }
    nav_arena_free(&memory);
    return status;
}

static instance_state *make_state(const instance_state *before, const char *json)
{
    instance_state *state = NULL;
    char missing[200];
    nav_error err = {0};
    assert_int_equal(change(before, json, false, 1 << 20, &state, missing, &err), NAV_OK);
    return state;
}

static char *text_of(const instance_state *state)
{
    proto_writer w;
    size_t size_bytes;
    proto_writer_init(&w);
    proto_write_object_begin(&w);
    proto_write_state(&w, &state->content, false);
    proto_write_object_end(&w);
    return proto_writer_take(&w, &size_bytes);
}

static void assert_text(const instance_state *state, const char *expected)
{
    char *text = text_of(state);
    assert_string_equal(text, expected);
    free(text);
}

#define BALL "{\"shape\":\"circle\",\"center\":[1,2,3],\"radius\":4,\"height\":5,\"blocked\":true}"
#define HULL                                                                                       \
    "{\"shape\":\"convex\",\"points\":[[0,0],[1,0],[0.25,1]],\"min_y\":-1,\"max_y\":2.5,\"cost\":" \
    "3}"

#define LIFT                                                                                       \
    "{\"start\":[8,0,5],\"end\":[13,4,5],\"radius\":0.5,\"bidirectional\":false,\"area\":\"mud\"," \
    "\"flags\":[\"ride\",\"jump\"],\"cost\":2}"
#define STAIR                                                                                      \
    "{\"start\":[1,0,5],\"end\":[1,4,5],\"radius\":1,\"bidirectional\":true,\"area\":\"ground\","  \
    "\"flags\":[]}"

static void parts_are_merged_by_id(void **state)
{
    (void)state;
    char missing[200];
    nav_error err = {0};
    instance_state *a = NULL, *b = NULL, *c = NULL;
    assert_int_equal(change(NULL,
                            "{\"obstacles\":{\"m\":" BALL ",\"b\":" HULL
                            "},\"switches\":{\"z\":\"closed\",\"y\":\"open\"},"
                            "\"links\":{\"stair\":" STAIR ",\"lift\":" LIFT "},"
                            "\"area_costs\":{\"mud\":6},\"expires_in_s\":60,\"version\":3}",
                            true, 1 << 20, &a, missing, &err),
                     NAV_OK);
    assert_string_equal(missing, "");
    assert_int_equal(a->revision, 1);
    assert_int_equal(a->version, 3);
    assert_text(a, "{\"switches\":{\"y\":\"open\",\"z\":\"closed\"},\"obstacles\":{\"b\":" HULL
                   ",\"m\":" BALL "},\"links\":{\"lift\":" LIFT ",\"stair\":" STAIR
                   "},\"area_costs\":{\"mud\":6}}");
    // A change keeps what it does not name.
    assert_int_equal(change(a,
                            "{\"obstacles\":{\"a\":" BALL ",\"b\":null,\"c\":null,\"m\":" HULL
                            "},\"switches\":{\"x\":null,\"z\":null},\"links\":{\"stair\":null},"
                            "\"area_costs\":{\"ice\":2}}",
                            false, 1 << 20, &b, missing, &err),
                     NAV_OK);
    assert_string_equal(missing, "x c ");
    assert_text(b, "{\"switches\":{\"y\":\"open\"},\"obstacles\":{\"a\":" BALL ",\"m\":" HULL
                   "},\"links\":{\"lift\":" LIFT "},\"area_costs\":{\"ice\":2,\"mud\":6}}");
    assert_int_equal(b->revision, 2);
    assert_int_equal(b->version, 3);
    assert_true(b->expires_in_s == 60.0 && b->expires_ns > a->expires_ns); // begins anew
    // A PUT keeps nothing but the count.
    assert_int_equal(change(b, "{}", true, 1 << 20, &c, missing, &err), NAV_OK);
    assert_text(c, "{\"switches\":{},\"obstacles\":{},\"links\":{},\"area_costs\":{}}");
    assert_int_equal(c->revision, 3);
    assert_int_equal(c->version, 0);
    assert_true(c->expires_ns == UINT64_MAX);
    instance_state_release(a);
    instance_state_release(b);
    instance_state_release(c);
}

static void a_state_has_bounds(void **state)
{
    (void)state;
    char missing[200], json[NAV_AVOID_MAX * 80];
    nav_error err = {0};
    instance_state *full = NULL, *more = NULL;
    assert_int_equal(
        change(NULL, "{\"obstacles\":{\"m\":" BALL "}}", true, 200, &more, missing, &err),
        NAV_INVALID_FIELD);
    assert_string_equal(err.limit, "200");
    char *at = stpcpy(json, "{\"obstacles\":{");
    for (uint32_t i = 0; i < NAV_AVOID_MAX; i++) {
        at += sprintf(at, "%s\"o%u\":{\"shape\":\"circle\",\"center\":[0,0,0],\"radius\":1}",
                      i > 0 ? "," : "", i);
    }
    (void)stpcpy(at, "}}");
    assert_int_equal(change(NULL, json, true, 1 << 20, &full, missing, &err), NAV_OK);
    assert_int_equal(
        change(full, "{\"obstacles\":{\"more\":" BALL "}}", false, 1 << 20, &more, missing, &err),
        NAV_INVALID_FIELD);
    assert_string_equal(err.at, "obstacles");
    assert_string_equal(err.limit, "1024");
    assert_null(more);
    instance_state_release(full);
}

// ---- all of them ----

// Puts a state in the place of the one that is current, as an update does.
static nav_status put(fixture *f, const char *name, const char *json, bool *swapped, nav_error *err)
{
    instance before;
    (void)instances_acquire(f->all, "town", name, &before, err);
    instance_state *next = make_state(before.state, json);
    next->revision += before.state == NULL ? instances_gone_revision(f->all) : 0;
    instance_world *world = NULL;
    const instance_ground ground = {
        .mesh = f->mesh, .version = 1, .last = before.world, .scratch = f->scratch};
    assert_int_equal(instance_world_make(next, &ground, &world, err), NAV_OK);
    const instance_swap swap = {.mesh = "town",
                                .name = name,
                                .before = before.state,
                                .state = next,
                                .world = world,
                                .event = "changed",
                                .data_json = "{}"};
    if (next->version != 0) {
        assert_int_equal(pins_take(f->pins, "town", next->version, err), NAV_OK);
    }
    nav_status status = instances_swap(f->all, &swap, swapped, err);
    if (next->version != 0 && !*swapped) {
        pins_release(f->pins, "town", next->version);
    }
    instance_world_release(world);
    instance_state_release(next);
    instance_release(&before);
    return status;
}

static void assert_put(fixture *f, const char *name, const char *json)
{
    bool swapped = false;
    nav_error err = {0};
    // Anew where one with a higher revision has expired and was taken away meanwhile.
    for (int i = 0; i < 2 && !swapped; i++) {
        assert_int_equal(put(f, name, json, &swapped, &err), NAV_OK);
    }
    assert_true(swapped);
}

static void an_update_that_comes_second_is_not_made(void **state)
{
    (void)state;
    fixture f;
    instance before, now;
    nav_error err = {0};
    bool swapped = true;
    open_fixture(&f, 10, 1 << 20);
    assert_put(&f, "a", "{}");
    assert_int_equal(instances_acquire(f.all, "town", "a", &before, &err), NAV_OK);
    assert_put(&f, "a", "{\"area_costs\":{\"ground\":2}}");
    instance_state *late = make_state(before.state, "{}");
    const instance_swap swap = {
        .mesh = "town", .name = "a", .before = before.state, .state = late, .data_json = "{}"};
    assert_int_equal(instances_swap(f.all, &swap, &swapped, &err), NAV_OK);
    assert_false(swapped);
    // Nor one that was made for an instance that is gone, or was not there.
    assert_int_equal(instances_acquire(f.all, "town", "a", &now, &err), NAV_OK);
    assert_int_equal(now.state->revision, 2);
    instance_release(&now);
    assert_int_equal(instances_remove(f.all, "town", "a", 1, &err), PROTO_STALE_ETAG);
    assert_int_equal(instances_remove(f.all, "town", "a", 2, &err), NAV_OK);
    assert_int_equal(instances_swap(f.all, &swap, &swapped, &err), NAV_OK);
    assert_false(swapped);
    assert_int_equal(instances_remove(f.all, "town", "a", 0, &err), PROTO_INSTANCE_NOT_FOUND);
    // Nor one for a name that has come and gone since: its revision has been told already.
    instance_state *again = make_state(NULL, "{}");
    const instance_swap first = {.mesh = "town", .name = "b", .state = again, .data_json = "{}"};
    assert_int_equal(again->revision, 1);
    assert_int_equal(instances_swap(f.all, &first, &swapped, &err), NAV_OK);
    assert_false(swapped);
    assert_int_equal(instances_gone_revision(f.all), 2);
    assert_put(&f, "b", "{}");
    assert_int_equal(instances_acquire(f.all, "town", "b", &now, &err), NAV_OK);
    assert_int_equal(now.state->revision, 3);
    instance_release(&now);
    instance_state_release(again);
    // What a reader has is whole until it lets go.
    assert_int_equal(before.state->revision, 1);
    assert_non_null(before.world->mesh);
    instance_release(&before);
    instance_state_release(late);
    close_fixture(&f);
}

static void the_limit_of_bytes_counts_all_that_an_instance_takes(void **state)
{
    (void)state;
    fixture f;
    bool swapped;
    nav_error err = {0};
    open_fixture(&f, 2, UINT64_MAX);
    assert_put(&f, "a", "{}");
    const uint64_t each = instances_used(f.all).bytes;
    close_fixture(&f);
    for (int enough = 0; enough < 2; enough++) {
        open_fixture(&f, 2, enough ? 2 * each : 2 * each - 1);
        assert_put(&f, "a", "{}");
        assert_int_equal(put(&f, "b", "{}", &swapped, &err),
                         enough ? NAV_OK : PROTO_TOO_MANY_INSTANCES);
        assert_put(&f, "a", "{}");
        assert_int_equal(instances_used(f.all).bytes, enough ? 2 * each : each);
        close_fixture(&f);
    }
}

static void limits_are_told_by_name(void **state)
{
    (void)state;
    fixture f;
    bool swapped;
    nav_error err = {0};
    open_fixture(&f, 2, 3000);
    assert_put(&f, "a", "{}");
    assert_put(&f, "b", "{}");
    assert_int_equal(put(&f, "c", "{}", &swapped, &err), PROTO_TOO_MANY_INSTANCES);
    assert_non_null(strstr(err.detail, "--max-instances"));
    assert_string_equal(err.limit, "2");
    assert_put(&f, "a", "{}"); // one that is there may change
    assert_int_equal(
        put(&f, "a", "{\"obstacles\":{\"m\":" BALL ",\"n\":" BALL "}}", &swapped, &err),
        PROTO_TOO_MANY_INSTANCES);
    assert_non_null(strstr(err.detail, "instances_bytes"));
    assert_int_equal(instances_used(f.all).count, 2);
    // Of pinned versions, too.
    assert_put(&f, "a", "{\"version\":1}");
    assert_put(&f, "b", "{\"version\":2}");
    assert_int_equal(pins_take(f.pins, "town", 3, &err), PROTO_TOO_MANY_INSTANCES);
    assert_non_null(strstr(err.detail, "pinned_versions"));
    assert_int_equal(pins_take(f.pins, "town", 2, &err), NAV_OK);
    pins_release(f.pins, "town", 2);
    assert_put(&f, "b", "{\"version\":null}");
    assert_int_equal(pins_count(f.pins), 1);
    assert_int_equal(pins_remove_begin(f.pins, "town", 1, &err), PROTO_VERSION_PINNED);
    assert_int_equal(pins_remove_begin(f.pins, "town", 2, &err), NAV_OK);
    pins_remove_end(f.pins, "town", 2);
    instances_clear(f.all, "town");
    assert_int_equal(pins_count(f.pins), 0);
    assert_int_equal(instances_used(f.all).bytes, 0);
    close_fixture(&f);
}

static void what_has_expired_is_gone(void **state)
{
    (void)state;
    fixture f;
    instance at;
    nav_error err = {0};
    open_fixture(&f, 1, 1 << 20);
    assert_put(&f, "a", "{\"expires_in_s\":0.001}");
    while (instances_acquire(f.all, "town", "a", &at, &err) == NAV_OK) {
        instance_release(&at);
    }
    assert_put(&f, "b", "{\"expires_in_s\":1000,\"version\":1}");
    instances_clear(f.all, "other");
    assert_int_equal(instances_used(f.all).count, 1);
    close_fixture(&f);
}

static void lists_go_by_name_page_by_page(void **state)
{
    (void)state;
    fixture f;
    instance_entry page[3];
    bool more;
    open_fixture(&f, 10, 1 << 20);
    static const char *const names[] = {"d", "a", "c", "e", "b"};
    for (size_t i = 0; i < 5; i++) {
        assert_put(&f, names[i], "{}");
    }
    assert_int_equal(instances_list(f.all, "town", NULL, 3, page, &more), 3);
    assert_true(more);
    assert_string_equal(page[0].name, "a");
    assert_string_equal(page[2].name, "c");
    for (int i = 0; i < 3; i++) {
        instance_state_release(page[i].state);
    }
    assert_int_equal(instances_list(f.all, "town", "c", 3, page, &more), 2);
    assert_false(more);
    assert_string_equal(page[0].name, "d");
    instance_state_release(page[0].state);
    instance_state_release(page[1].state);
    assert_int_equal(instances_list(f.all, "tow", NULL, 3, page, &more), 0);
    assert_int_equal(instances_list(f.all, "town", "x", 3, page, &more), 0);
    close_fixture(&f);
}

static void the_live_version_changes(void **state)
{
    (void)state;
    fixture f;
    instance follows, pinned;
    nav_error err = {0};
    open_fixture(&f, 10, 1 << 20);
    assert_put(&f, "follows", "{\"obstacles\":{\"m\":" BALL "}}");
    assert_put(&f, "pinned", "{\"version\":1}");
    const uint64_t bytes = instances_used(f.all).bytes;
    instances_live_changed(f.all, "town", 2);
    assert_int_equal(instances_acquire(f.all, "town", "follows", &follows, &err), NAV_OK);
    assert_int_equal(instances_acquire(f.all, "town", "pinned", &pinned, &err), NAV_OK);
    assert_null(follows.world);
    assert_non_null(pinned.world);
    assert_true(instances_used(f.all).bytes < bytes);
    instance_release(&follows);
    instance_release(&pinned);
    close_fixture(&f);
}

// ---- memory ----

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(__clang__)
#define COUNTS_HEAP 0 // sanitizers have a heap of their own
#else
#define COUNTS_HEAP 1
static size_t heap_bytes(void)
{
    return mallinfo2().uordblks;
}
#endif

#define MANY 500u

static void fill_and_empty(fixture *f)
{
    char name[16];
    nav_error err = {0};
    for (uint32_t i = 0; i < MANY; i++) {
        (void)snprintf(name, sizeof name, "run-%u", i);
        assert_put(f, name, "{}");
        assert_put(f, name, i % 2 == 0 ? "{\"obstacles\":{\"m\":" BALL "}}" : "{\"version\":1}");
    }
    for (uint32_t i = 0; i < MANY; i++) {
        (void)snprintf(name, sizeof name, "run-%u", i);
        assert_int_equal(instances_remove(f->all, "town", name, 0, &err), NAV_OK);
    }
}

static void many_instances_leave_nothing(void **state)
{
    (void)state;
    fixture f;
    open_fixture(&f, MANY, 64u << 20);
    fill_and_empty(&f);
    assert_int_equal(instances_used(f.all).bytes, 0);
#if COUNTS_HEAP
    const size_t before = heap_bytes();
    for (int i = 0; i < 3; i++) {
        fill_and_empty(&f);
    }
    // What the allocator keeps at hand counts as used.
    assert_true(heap_bytes() < before + 4096);
    // An empty one takes less than 1 KB.
    char name[16];
    for (uint32_t i = 0; i < MANY; i++) {
        (void)snprintf(name, sizeof name, "run-%u", i);
        assert_put(&f, name, "{}");
    }
    assert_true(heap_bytes() - before < MANY * 1024u);
#endif
    close_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_are_merged_by_id),
        cmocka_unit_test(a_state_has_bounds),
        cmocka_unit_test(an_update_that_comes_second_is_not_made),
        cmocka_unit_test(the_limit_of_bytes_counts_all_that_an_instance_takes),
        cmocka_unit_test(limits_are_told_by_name),
        cmocka_unit_test(what_has_expired_is_gone),
        cmocka_unit_test(lists_go_by_name_page_by_page),
        cmocka_unit_test(the_live_version_changes),
        cmocka_unit_test(many_instances_leave_nothing),
    };
    return cmocka_run_group_tests_name("instances", tests, NULL, NULL);
}
