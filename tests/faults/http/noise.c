// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// noise.c: good requests alone, and two of them among three bad ones: at which rate they are
// answered. Some bad ones end their connection; the last mix has good requests in their place whose
// client does so, which tells what new connections alone cost. The long form tells; how fast a
// machine is fails no test, a wrong answer does.

#include "tests/faults/http/sweep.h"
#include "tests/faults/http/talk.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define CALLERS 4
#define PATIENCE_MS 20000
#define ROUND_MS 500
#define ROUNDS_LONG 20

static const char GOOD[] =
    "GET /v1/meshes/yard/path?start=2,0,2&end=18,0,18 HTTP/1.1\r\nHost: localhost\r\n\r\n";

static const struct {
    const char *bytes;
    int status;
} BAD[] = {
    {"GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n", 404},
    {"PUT /v1/meshes/yard/path HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}", 405},
    {"GET /v1/meshes/yard/path?start=2,0,x&end=18,0,18 HTTP/1.1\r\nHost: localhost\r\n\r\n", 422},
    {"POST /v1/meshes/yard/path HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
     "Content-Length: 9\r\n\r\n{\"start\":",
     400},
    {"GET /healthz HTTP/1.1\r\nHost: localhost\r\nA: b\nC: d\r\n\r\n", 400},
    {"GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: other\r\n\r\n", 400},
    {"\x16\x03\x01\x02", 400},
};
#define BAD_COUNT (sizeof BAD / sizeof BAD[0])
#define BAD_KEPT 4 // the first ones leave the connection open

typedef struct request_mix {
    const char *name;
    size_t bad_kinds; // 0: good requests alone
    bool harmless;    // a good request in the place of each bad one
} request_mix;

static const request_mix MIXES[] = {
    {"good alone", 0, false},
    {"good among bad", BAD_KEPT, false},
    {"good among bad that end connections", BAD_COUNT, false},
    {"good among good that end connections", BAD_COUNT, true},
};
#define MIX_COUNT (sizeof MIXES / sizeof MIXES[0])

typedef struct caller {
    uint16_t port;
    const request_mix *mix;
    double until_us;
    unsigned good, wrong;
    size_t next;
    talk talk;
    pthread_t thread;
} caller;

static void ask(caller *c, const char *bytes, int status, bool ends)
{
    talk_reply got;
    if (c->talk.fd < 0) {
        talk_open(&c->talk, c->port);
    }
    (void)talk_send(&c->talk, bytes, strlen(bytes));
    const talk_end end = talk_receive(&c->talk, PATIENCE_MS, &got);
    c->wrong += end != TALK_REPLY || got.status != status;
    if (end != TALK_REPLY || got.closes || ends) {
        talk_close(&c->talk);
    }
}

static void *call(void *user)
{
    static const bool is_good[] = {true, false, true, false, false};
    caller *c = user;
    for (size_t i = 0; program_now_us(CLOCK_MONOTONIC) < c->until_us; i++) {
        if (c->mix->bad_kinds == 0 || is_good[i % 5]) {
            ask(c, GOOD, 200, false);
            c->good++;
            continue;
        }
        const size_t which = c->next++ % c->mix->bad_kinds;
        if (c->mix->harmless) {
            ask(c, GOOD, 200, which >= BAD_KEPT);
        } else {
            ask(c, BAD[which].bytes, BAD[which].status, false);
        }
    }
    talk_close(&c->talk);
    return NULL;
}

// Good requests a second.
static double run_round(sweep *s, uint16_t port, const request_mix *mix)
{
    static caller callers[CALLERS];
    const double ms = ROUND_MS;
    unsigned good = 0, wrong = 0;
    for (size_t i = 0; i < CALLERS; i++) {
        caller *c = &callers[i];
        c->port = port;
        c->mix = mix;
        c->until_us = program_now_us(CLOCK_MONOTONIC) + ms * 1000;
        c->good = c->wrong = 0;
        c->next = i;
        c->talk.fd = -1;
        if (pthread_create(&c->thread, NULL, call, c) != 0) {
            exit(1);
        }
    }
    for (size_t i = 0; i < CALLERS; i++) {
        (void)pthread_join(callers[i].thread, NULL);
        good += callers[i].good;
        wrong += callers[i].wrong;
    }
    sweep_count(s, mix->name, wrong == 0 ? NULL : "a wrong answer");
    return good * 1000.0 / ms;
}

void sweep_noise(sweep *s)
{
    static const char *const options[] = {NULL};
    static sweep_daemon d;
    sweep_start(s, options, &d);
    const uint16_t port = d.program.port;
    double rates[MIX_COUNT] = {0};
    const int rounds = s->longer ? ROUNDS_LONG : 1;
    // In turn, since a machine is not as fast all the time.
    for (size_t i = 0; i < (size_t)rounds * MIX_COUNT; i++) {
        rates[i % MIX_COUNT] += run_round(s, port, &MIXES[i % MIX_COUNT]) / rounds;
    }
    for (size_t i = 0; i < MIX_COUNT; i++) {
        (void)printf("noise: %s: %.0f good requests a second (%.0f %%)\n", MIXES[i].name, rates[i],
                     100 * rates[i] / rates[0]);
    }
    sweep_stop(s, "the daemon of the noise stops", &d);
}
