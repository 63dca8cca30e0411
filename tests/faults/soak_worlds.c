// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// soak_worlds.c: instances for hours. They follow the live version, which is switched below them.
// Each answer is held against the one that the level of the version it names has to give in the
// state of the revision it names.
//
//   keeper    makes instances, changes them, removes them or lets them expire, and asks each change
//   asker     asks in whatever instance is there
//   listener  hears the events of one instance after the other: no revision is missed
//
// An instance has a number of its own in its name, so that no answer of one is taken for another's.

#include "tests/faults/soak.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#define STATES 8 // a bit for each part
#define SLOTS 16
#define REVISIONS 64 // of one instance, which then goes; its revisions follow each other
#define INSTANCES "/v1/meshes/soak/instances"

const char *const SOAK_SETTINGS =
    "{\"tile_cells\":64,\"switches\":{\"gate\":{\"shapes\":[{\"shape\":\"box\",\"min\":[19,-1,-1],"
    "\"max\":[21,4,28]}],\"default\":\"open\"}}}";

typedef struct part {
    const char *member, *id, *set, *unset;
} part;

static const part PARTS[] = {
    {"switches", "gate", "\"closed\"", "\"open\""},
    {"obstacles", "cart", "{\"shape\":\"box\",\"min\":[8,-1,5],\"max\":[10,2,30],\"yaw\":20}",
     "null"},
    {"obstacles", "fire", "{\"shape\":\"circle\",\"center\":[30,0,20],\"radius\":6,\"cost\":4}",
     "null"},
};
#define PART_COUNT (sizeof PARTS / sizeof PARTS[0])
_Static_assert(1 << PART_COUNT == STATES, "a bit for each part");

typedef struct slot {
    _Atomic uint32_t alive;            // the number of the instance that is there; 0: none
    _Atomic uint8_t states[REVISIONS]; // by revision, modulo REVISIONS
} slot;

static char *expected[SOAK_LEVELS][STATES][SOAK_QUESTIONS];
static slot slots[SLOTS];
static pthread_t keeping, asking, listening;
static _Atomic uint64_t changes, removals, expiries, answers, events_heard;

static void name_of(uint32_t slot_index, uint32_t number, char out[40])
{
    (void)snprintf(out, 40, "run-%u-%u", slot_index, number);
}

// The change that leads from nothing, or from the state before, to this one.
static size_t state_json(uint32_t state, uint32_t changed, double expires_in_s, char out[512])
{
    size_t used = (size_t)snprintf(out, 512, "{");
    for (size_t i = 0; i < PART_COUNT; i++) {
        const part *p = &PARTS[i];
        const bool opens = i == 0 || strcmp(PARTS[i - 1].member, p->member) != 0;
        const bool closes = i + 1 == PART_COUNT || strcmp(PARTS[i + 1].member, p->member) != 0;
        const bool told = (changed >> i & 1) != 0;
        if (opens) {
            used += (size_t)snprintf(out + used, 512 - used, "\"%s\":{", p->member);
        }
        if (told) {
            used += (size_t)snprintf(out + used, 512 - used, "%s\"%s\":%s",
                                     out[used - 1] == '{' ? "" : ",", p->id,
                                     (state >> i & 1) != 0 ? p->set : p->unset);
        }
        used += (size_t)snprintf(out + used, 512 - used, "%s", closes ? "}," : "");
    }
    used += (size_t)snprintf(out + used, 512 - used, "\"expires_in_s\":%g}", expires_in_s);
    return used;
}

// ---- what is to be answered ----

void soak_worlds_learn(client *c)
{
    for (uint32_t level = 0; level < SOAK_LEVELS; level++) {
        for (uint32_t state = 0; state < STATES; state++) {
            char json[512], pinned[560], path[256];
            // Those that are not there are not told, since a PUT cannot take away.
            (void)state_json(state, state, 3600, json);
            const int size =
                snprintf(pinned, sizeof pinned, "{\"version\":%u,%s", level + 1, json + 1);
            const int status = client_ask(c, "PUT", "/v1/meshes/reference/instances/one",
                                          "application/json", pinned, (size_t)size);
            if (status != 200 && status != 201) {
                soak_wrong("a reference", c->body);
                return;
            }
            for (size_t i = 0; i < SOAK_QUESTIONS; i++) {
                (void)snprintf(path, sizeof path, "/v1/meshes/reference/path?instance=one&%s",
                               SOAK.questions[i]);
                if (client_ask(c, "GET", path, NULL, NULL, 0) != 200) {
                    soak_wrong(path, c->body);
                    return;
                }
                expected[level][state][i] = strdup(soak_answer_of(c->body));
            }
        }
    }
}

// ---- questions ----

// Asks one question in an instance. The keeper, who alone changes it, knows that it is there; for
// others it may have gone meanwhile.
static void ask_in(client *c, uint32_t index, uint32_t number, uint64_t *seed)
{
    char path[256], name[40];
    const uint32_t question = random_below(seed, SOAK_QUESTIONS);
    name_of(index, number, name);
    (void)snprintf(path, sizeof path, "/v1/meshes/soak/path?instance=%s&%s", name,
                   SOAK.questions[question]);
    const int status = client_ask(c, "GET", path, NULL, NULL, 0);
    const uint64_t version = status == 200 ? soak_number_after(c->body, "\"version\":") : 0;
    const uint64_t revision = status == 200 ? soak_number_after(c->body, "\"revision\":") : 0;
    const uint32_t state = atomic_load(&slots[index].states[revision % REVISIONS]);
    if (atomic_load(&slots[index].alive) != number) {
        return;
    }
    if (status != 200 || version == 0 || version >= SOAK_VERSIONS_MAX || revision == 0) {
        soak_wrong(path, status != 0 ? c->body : "no answer");
    } else if (strcmp(soak_answer_of(c->body),
                      expected[atomic_load(&SOAK.level[version])][state][question]) != 0) {
        soak_wrong(path, c->body);
    }
    (void)atomic_fetch_add(&answers, 1);
}

static void *ask_on(void *user)
{
    uint64_t seed = SOAK.seed + 77;
    client c;
    (void)user;
    client_init(&c, SOAK.socket);
    while (!atomic_load(&SOAK.over)) {
        const uint32_t index = random_below(&seed, SLOTS);
        const uint32_t number = atomic_load(&slots[index].alive);
        if (number != 0) {
            ask_in(&c, index, number, &seed);
        }
        nap_us(SOAK.pause_ms * 100);
    }
    client_free(&c);
    return NULL;
}

// ---- changes ----

typedef struct keeper {
    client client;
    const char *answer; // to the last change
    uint64_t seed;
    uint32_t number;                          // of the newest instance
    uint64_t gone;                            // the highest revision of instances that have gone
    uint64_t firsts[SLOTS], revisions[SLOTS]; // by slot: its first revision, its last one
    uint32_t now[SLOTS];                      // by slot: its state
} keeper;

// Sends a change. Result: the revision that the answer tells; 0: it is refused.
static uint64_t send_change(keeper *k, uint32_t index, const char *method, uint32_t number,
                            const char *json, size_t size_bytes)
{
    char path[96], name[40];
    name_of(index, number, name);
    (void)snprintf(path, sizeof path, INSTANCES "/%s", name);
    const int status = client_ask(&k->client, method, path, "application/json", json, size_bytes);
    k->answer = status != 0 ? k->client.body : "no answer";
    (void)atomic_fetch_add(&changes, 1);
    return status == 200 || status == 201 ? soak_number_after(k->client.body, "\"revision\":") : 0;
}

static void note_state(keeper *k, uint32_t index, uint64_t revision, uint32_t state)
{
    atomic_store(&slots[index].states[revision % REVISIONS], (uint8_t)state);
    k->revisions[index] = revision;
    k->now[index] = state;
}

static void change(keeper *k, uint32_t index, uint32_t number, uint32_t state, uint32_t changed,
                   double expires_in_s)
{
    char json[512];
    const size_t size_bytes = state_json(state, changed, expires_in_s, json);
    note_state(k, index, k->revisions[index] + 1, state); // before anybody is answered so
    if (send_change(k, index, "PATCH", number, json, size_bytes) != k->revisions[index]) {
        soak_wrong(json, k->answer);
    }
}

// The first revision is above those of instances that have gone; one that has expired goes with the
// next sweep.
static void make(keeper *k, uint32_t index)
{
    char json[512];
    const uint32_t state = random_below(&k->seed, STATES);
    const size_t size_bytes = state_json(state, state, 3600, json);
    k->number++;
    const uint64_t revision = send_change(k, index, "PUT", k->number, json, size_bytes);
    if (revision == 0 || revision > k->gone + 1) {
        soak_wrong(json, k->answer);
        return;
    }
    k->firsts[index] = revision;
    note_state(k, index, revision, state);
    atomic_store(&slots[index].alive, k->number);
}

// Removes it, or lets it expire, and looks whether it is gone.
static void end_one(keeper *k, uint32_t index, uint32_t number)
{
    char path[96], name[40];
    name_of(index, number, name);
    (void)snprintf(path, sizeof path, INSTANCES "/%s", name);
    atomic_store(&slots[index].alive, 0);
    if (random_below(&k->seed, 2) == 0) {
        if (client_ask(&k->client, "DELETE", path, NULL, NULL, 0) != 204) {
            soak_wrong(path, k->client.body);
        }
        (void)atomic_fetch_add(&removals, 1);
    } else {
        change(k, index, number, k->now[index], 0, 0.05);
        nap_us(80000);
        (void)atomic_fetch_add(&expiries, 1);
    }
    k->gone = k->revisions[index] > k->gone ? k->revisions[index] : k->gone;
    if (client_ask(&k->client, "GET", path, NULL, NULL, 0) != 404) {
        soak_wrong("an instance is not gone", k->client.body);
    }
}

static void *keep_on(void *user)
{
    keeper k = {.seed = SOAK.seed + 5};
    (void)user;
    client_init(&k.client, SOAK.socket);
    while (!atomic_load(&SOAK.over)) {
        const uint32_t index = random_below(&k.seed, SLOTS);
        const uint32_t number = atomic_load(&slots[index].alive);
        if (number == 0) {
            make(&k, index);
        } else if (k.revisions[index] - k.firsts[index] + 2 >= REVISIONS ||
                   random_below(&k.seed, 50) == 0) {
            end_one(&k, index, number);
        } else {
            const uint32_t changed = random_below(&k.seed, STATES);
            change(&k, index, number, k.now[index] ^ changed, changed, 3600);
            ask_in(&k.client, index, number, &k.seed);
        }
        nap_us(SOAK.pause_ms * 100);
    }
    client_free(&k.client);
    return NULL;
}

// ---- events ----

static int open_stream(const char *name)
{
    char head[192];
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const struct timeval patience = {.tv_usec = 200000};
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    // HTTP/1.0 has no frames around what is sent.
    const int size =
        snprintf(head, sizeof head, "GET " INSTANCES "/%s/events HTTP/1.0\r\n\r\n", name);
    (void)snprintf(address.sun_path, sizeof address.sun_path, "%s", SOAK.socket);
    (void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (connect(fd, (const struct sockaddr *)&address, sizeof address) != 0 ||
        write(fd, head, (size_t)size) != size) {
        (void)close(fd);
        return -1;
    }
    return fd;
}

// One event: its name and data. The first tells the revision to go on from; what has no higher one
// is news only of a version, or of the end.
static void hear(const char *event, uint64_t *revision)
{
    const uint64_t told = soak_number_after(event, "\"revision\":");
    const bool changed = strncmp(event, "changed", 7) == 0 || strncmp(event, "replaced", 8) == 0;
    if (changed && told > *revision && *revision != 0 && told != *revision + 1) {
        soak_wrong("events leave a revision out", event);
    }
    *revision = told > *revision ? told : *revision;
    (void)atomic_fetch_add(&events_heard, 1);
}

// Listens to one instance until it is removed.
static void listen_to(const char *name)
{
    static char text[1 << 16];
    size_t used = 0;
    uint64_t revision = 0;
    bool over = false;
    const int fd = open_stream(name);
    while (fd >= 0 && !over && !atomic_load(&SOAK.over)) {
        const ssize_t got = read(fd, text + used, sizeof text - 1 - used);
        over = got == 0 || used + 1 >= sizeof text;
        used += got > 0 ? (size_t)got : 0;
        text[used] = '\0';
        char *event, *end;
        while ((event = strstr(text, "event: ")) != NULL && (end = strstr(event, "\n\n")) != NULL) {
            *end = '\0';
            hear(event + 7, &revision);
            over = over || strncmp(event + 7, "removed", 7) == 0;
            used -= (size_t)(end + 2 - text);
            memmove(text, end + 2, used + 1);
        }
    }
    (void)close(fd);
}

static void *listen_on(void *user)
{
    uint64_t seed = SOAK.seed + 9;
    (void)user;
    while (!atomic_load(&SOAK.over)) {
        char name[40];
        const uint32_t index = random_below(&seed, SLOTS);
        const uint32_t number = atomic_load(&slots[index].alive);
        if (number != 0) {
            name_of(index, number, name);
            listen_to(name);
        }
        nap_us(SOAK.pause_ms * 1000);
    }
    return NULL;
}

// ---- begin and end ----

void soak_worlds_begin(void)
{
    (void)pthread_create(&keeping, NULL, keep_on, NULL);
    (void)pthread_create(&asking, NULL, ask_on, NULL);
    (void)pthread_create(&listening, NULL, listen_on, NULL);
}

void soak_worlds_end(void)
{
    (void)pthread_join(keeping, NULL);
    (void)pthread_join(asking, NULL);
    (void)pthread_join(listening, NULL);
}

void soak_worlds_report(void)
{
    (void)printf(
        "in instances %llu answers, %llu changes, %llu removed, %llu expired, %llu events\n",
        (unsigned long long)atomic_load(&answers), (unsigned long long)atomic_load(&changes),
        (unsigned long long)atomic_load(&removals), (unsigned long long)atomic_load(&expiries),
        (unsigned long long)atomic_load(&events_heard));
}
