// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_worlds.c: questions beside updates of the instance that they name, and beside switches of
// the live version that it follows: each answer is that of the revision and the version that it
// names, found again later with the shapes of that revision alone.

#include "server/jobs/worlds.h"

#include "server/base/clock.h"
#include "server/meshes/scratch.h"
#include "tests/unit/mesh_builder.h"
#include "tests/unit/service_fixture.h"
#include "tests/unit/store_fixture.h"

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define WRITERS 2
#define READERS 2
#define UPDATES 150u   // of each writer
#define QUESTIONS 400u // of each reader, the newest
#define SIDE 12

typedef struct answer {
    uint32_t revision, version, question;
    double cost;
    nav_path_status status;
} answer;

typedef struct scene {
    service service;     // first
    nav_mesh *meshes[2]; // of version 1 and 2: open ground, and ground with a wall
    answer answers[READERS][QUESTIONS];
    uint32_t asked[READERS], revisions[READERS]; // so many
    _Atomic uint32_t writers, writers_ended;
} scene;

// What the instance holds at a revision: a barrier that moves, and from time to time another one.
static void text_of(uint32_t revision, char out[400])
{
    const double x = 3.0 + revision % 7 * 0.75;
    char *at = out + sprintf(out,
                             "{\"obstacles\":{\"bar\":{\"shape\":\"box\",\"min\":[%.2f,-1,0],"
                             "\"max\":[%.2f,1,%.2f],\"yaw\":%u}",
                             x, x + 1.0, 6.0 + revision % 5, revision % 3 * 10);
    at += sprintf(at, revision % 2 == 0 ? ",\"rock\":{\"shape\":\"circle\",\"center\":[6,0,11],"
                                          "\"radius\":0.5}"
                                        : ",\"rock\":null");
    (void)sprintf(at, "},\"area_costs\":{\"ground\":%u}}", 1 + revision % 3);
}

static void read_change(const char *json, nav_arena *memory, proto_instance_request *out)
{
    nav_error err = {0};
    assert_int_equal(proto_request_json(&PROTO_INSTANCE, json, strlen(json), memory, out, &err),
                     NAV_OK);
}

// One update from the state that is current; false: another one came first.
static bool update(scene *s)
{
    instance before;
    nav_error err = {0};
    nav_arena memory;
    char text[400];
    instance_state *next = NULL;
    instance_world *world = NULL;
    proto_instance_request change;
    proto_state missing = {0};
    uint32_t version;
    bool swapped = false;
    (void)instances_acquire(s->service.instances, "yard", "run", &before, &err);
    text_of(before.state != NULL ? before.state->revision + 1 : 1, text);
    nav_arena_init(&memory, NULL, 0);
    read_change(text, &memory, &change);
    const instance_update made = {
        .change = &change, .now_ns = clock_now_ns(), .bytes_max = 1 << 20};
    assert_int_equal(instance_state_make(before.state, &made, &memory, &missing, &next, &err),
                     NAV_OK);
    nav_mesh *mesh = registry_acquire(s->service.registry, "yard", &version);
    const instance_ground ground = {
        .mesh = mesh, .version = version, .last = before.world, .scratch = scratch_of_thread()};
    assert_int_equal(instance_world_make(next, &ground, &world, &err), NAV_OK);
    const instance_swap swap = {.mesh = "yard",
                                .name = "run",
                                .before = before.state,
                                .state = next,
                                .world = world,
                                .event = "changed",
                                .data_json = "{}"};
    assert_int_equal(instances_swap(s->service.instances, &swap, &swapped, &err), NAV_OK);
    nav_mesh_release(mesh);
    instance_world_release(world);
    instance_state_release(next);
    instance_release(&before);
    nav_arena_free(&memory);
    return swapped;
}

static void switch_live(scene *s, uint32_t version, uint64_t activation)
{
    registry_publish(s->service.registry, "yard", version, activation, s->meshes[version - 1]);
    instances_live_changed(s->service.instances, "yard", version);
}

static void *write_changes(void *user)
{
    scene *s = user;
    const uint32_t writer = atomic_fetch_add(&s->writers, 1);
    for (uint32_t made = 0; made < UPDATES;) {
        made += update(s);
        (void)sched_yield();
        if (writer == 0 && made % 10 == 0) {
            switch_live(s, 1 + made / 10 % 2, 2 + made);
        }
    }
    atomic_fetch_add(&s->writers_ended, 1);
    return NULL;
}

// A path across, as the daemon asks for it.
static answer ask(const nav_mesh *mesh, const proto_world *world, uint32_t question)
{
    nav_filter space;
    nav_error err = {0};
    nav_arena memory;
    nav_path path;
    nav_arena_init(&memory, NULL, 0);
    const proto_common common = {.memory = &memory, .snap = nav_snap_default(), .world = world};
    nav_path_request search = {.start = {0.5f, 0, 0.5f + (float)(question % 11)},
                               .end = {11.5f, 0, 11.5f - (float)(question % 7)}};
    assert_int_equal(proto_common_resolve(&common, mesh, &space, &search.options, &err), NAV_OK);
    assert_int_equal(nav_query_path(mesh, scratch_of_thread(), &search, &path), NAV_OK);
    nav_arena_free(&memory);
    return (answer){.cost = path.cost, .status = path.status};
}

typedef struct reader {
    scene *scene;
    uint32_t number;
} reader;

// As long as there are updates, and once more; and until there are answers to look at.
static void *read_answers(void *user)
{
    const reader *r = user;
    scene *s = r->scene;
    uint32_t last = 0, i = 0;
    for (bool ends = false; i < QUESTIONS || !ends; i++) {
        ends = atomic_load(&s->writers_ended) == WRITERS;
        instance_world *world;
        nav_error err = {0};
        assert_int_equal(world_acquire(&s->service, "yard", "run", 0, &world, &err), NAV_OK);
        const uint32_t revision = world->state->revision;
        answer *to = &s->answers[r->number][i % QUESTIONS];
        *to = ask(world->mesh, &world->placed, i);
        to->question = i;
        to->revision = revision;
        to->version = world->version;
        instance_world_release(world);
        assert_true(revision >= last); // it never goes back
        s->revisions[r->number] += revision > last;
        last = revision;
    }
    s->asked[r->number] = i;
    return NULL;
}

// All that is there at a revision, as the changes up to it have left it, laid out anew.
static answer ask_again(const scene *s, uint32_t revision, uint32_t version, uint32_t question)
{
    nav_arena memory;
    char text[400];
    nav_error err = {0};
    proto_instance_request change;
    proto_world world = {0};
    nav_mesh *mesh = s->meshes[version - 1];
    nav_arena_init(&memory, NULL, 0);
    text_of(revision, text);
    read_change(text, &memory, &change);
    if (revision % 2 != 0) { // without the rock, which the change takes away
        change.state.items[PROTO_STATE_OBSTACLE].count = 1;
    }
    assert_int_equal(proto_world_make(&change.state, mesh, &memory, &world, &err), NAV_OK);
    const nav_overlay_items items = {.shapes = world.shapes, .shape_count = world.shape_count};
    assert_int_equal(
        nav_overlay_create(mesh, scratch_of_thread(), NULL, &items, &world.overlay, &err), NAV_OK);
    const answer again = ask(mesh, &world, question);
    nav_overlay_release(world.overlay);
    nav_arena_free(&memory);
    return again;
}

static void check_answers(const scene *s)
{
    uint32_t of_second = 0;
    for (uint32_t r = 0; r < READERS; r++) {
        for (uint32_t i = 0; i < QUESTIONS; i++) {
            const answer *told = &s->answers[r][i];
            const answer again = ask_again(s, told->revision, told->version, told->question);
            assert_true(told->cost == again.cost);
            assert_int_equal(told->status, again.status);
            of_second += told->version == 2;
        }
        print_message("%u answers, %u revisions\n", s->asked[r], s->revisions[r]);
        assert_true(s->revisions[r] > 1);
    }
    print_message("%u of the last ones of the second version\n", of_second);
}

static void no_answer_mixes_two_revisions(void **state)
{
    (void)state;
    static scene s;
    store_fixture place;
    pthread_t threads[WRITERS + READERS];
    reader readers[READERS];
    store_fixture_init(&place);
    assert_int_equal(service_fixture_open(&s.service, place.path, NULL), NAV_OK);
    s.meshes[0] = rectangles_mesh(1, (const int32_t[][5]){{0, 0, SIDE, SIDE, 0}});
    s.meshes[1] = rectangles_mesh(
        2, (const int32_t[][5]){{0, 0, SIDE, SIDE / 2, 0}, {0, SIDE / 2, SIDE - 1, SIDE, 0}});
    assert_int_equal(registry_reserve(s.service.registry, "yard", NULL), NAV_OK);
    switch_live(&s, 1, 1);
    assert_true(update(&s));
    for (int i = 0; i < READERS; i++) {
        readers[i] = (reader){&s, (uint32_t)i};
        assert_int_equal(pthread_create(&threads[i], NULL, read_answers, &readers[i]), 0);
    }
    for (int i = 0; i < WRITERS; i++) {
        assert_int_equal(pthread_create(&threads[READERS + i], NULL, write_changes, &s), 0);
    }
    for (int i = 0; i < WRITERS + READERS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    }
    // No update is lost.
    instance last;
    assert_int_equal(instances_acquire(s.service.instances, "yard", "run", &last, NULL), NAV_OK);
    assert_int_equal(last.state->revision, 1 + WRITERS * UPDATES);
    instance_release(&last);
    check_answers(&s);
    nav_mesh_release(s.meshes[0]);
    nav_mesh_release(s.meshes[1]);
    service_fixture_close(&s.service);
    store_fixture_free(&place);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_answer_mixes_two_revisions),
    };
    return cmocka_run_group_tests_name("worlds", tests, NULL, NULL);
}
