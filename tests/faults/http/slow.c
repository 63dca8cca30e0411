// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// slow.c: clients that are slow on purpose: each row of slow.txt, all at once; then a crowd of
// them, while others go on asking.

#include "tests/faults/http/judge.h"
#include "tests/faults/http/sweep.h"

#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#define DEADLINE_MS 1000
#define PATIENT_MS 20000 // how long a slow client would go on
#define DRIP_MS 100
#define SLOW_ROWS_MAX 64
#define CROWD 500
#define CROWD_DEADLINE_MS 4000
#define QUESTIONS_MAX 100000

static double now_ms(void)
{
    return program_now_us(CLOCK_MONOTONIC) / 1000;
}

// ---- the rows ----

typedef struct slow_client {
    const case_row *row;
    uint16_t port;
    talk talk;
    double took_ms;
    const char *why; // of this thread
    char text[400];
    pthread_t thread;
} slow_client;

static void note_nothing(void *user, const char *id)
{
    (void)user;
    (void)id;
}

static void drip(slow_client *c, const case_step *step)
{
    const double begin_ms = now_ms();
    for (size_t i = 0; now_ms() - begin_ms < PATIENT_MS; i++) {
        struct pollfd end = {.fd = c->talk.fd, .events = POLLRDHUP};
        if (poll(&end, 1, DRIP_MS) > 0 ||
            !talk_send(&c->talk, &step->bytes[i % step->size_bytes], 1)) {
            return;
        }
    }
}

static void *be_slow(void *user)
{
    slow_client *c = user;
    const double begin_ms = now_ms();
    talk_open(&c->talk, c->port);
    for (size_t i = 0; i < c->row->step_count; i++) {
        const case_step *step = &c->row->steps[i];
        if (step->kind == CASE_SEND) {
            (void)talk_send(&c->talk, step->bytes, step->size_bytes);
        } else if (step->kind == CASE_DRIP) {
            drip(c, step);
        }
    }
    const char *why = case_judge(c->row, &c->talk, note_nothing, NULL);
    if (why != NULL) {
        (void)snprintf(c->text, sizeof c->text, "%s", why);
    }
    c->took_ms = now_ms() - begin_ms;
    talk_close(&c->talk);
    return NULL;
}

static void count_slow(sweep *s, slow_client *c)
{
    char name[200], why[80];
    (void)snprintf(name, sizeof name, "slow.txt:%d: %s", c->row->line, c->row->name);
    // A deadline is looked at four times a second, and not before it has begun.
    const bool in_time = c->took_ms > DEADLINE_MS * 7 / 8 && c->took_ms < PATIENT_MS * 3 / 4;
    (void)snprintf(why, sizeof why, "let go after %.0f ms", c->took_ms);
    sweep_count(s, name, c->text[0] != '\0' ? c->text : (in_time ? NULL : why));
}

static void run_rows(sweep *s)
{
    static const char *const options[] = {"--limit",      "header_ms=1000", "--limit",
                                          "body_ms=1000", "--limit",        "reply_ms=1000",
                                          "--limit",      "idle_ms=1000",   NULL};
    static sweep_daemon d;
    static slow_client clients[SLOW_ROWS_MAX];
    char path[512];
    (void)snprintf(path, sizeof path, "%s/slow.txt", s->folder);
    case_table table = cases_read(path);
    const size_t count = table.count < SLOW_ROWS_MAX ? table.count : SLOW_ROWS_MAX;
    sweep_start(s, options, &d);
    for (size_t i = 0; i < count; i++) {
        clients[i] = (slow_client){.row = &table.rows[i], .port = d.program.port};
        if (pthread_create(&clients[i].thread, NULL, be_slow, &clients[i]) != 0) {
            sweep_count(s, "a slow client", "no thread");
            exit(1);
        }
    }
    for (size_t i = 0; i < count; i++) {
        (void)pthread_join(clients[i].thread, NULL);
        count_slow(s, &clients[i]);
    }
    double held_bytes = 1;
    for (int i = 0; i < 100 && held_bytes != 0;
         i++) { // the last reply is sent before it is given back
        sweep_pause_ms(20);
        held_bytes = talk_number(d.program.port, "/v1/status", "\"bodies_bytes\":");
    }
    sweep_count(s, "slow uploads leave nothing", held_bytes == 0 ? NULL : "bytes are held");
    (void)printf("slow.txt: %zu rows\n", count);
    sweep_stop(s, "the daemon of slow clients stops", &d);
    cases_free(&table);
}

// ---- the crowd ----

static const char *const BEGINNINGS[] = {
    "",
    "GET /he",
    "GET /healthz HTTP/1.1\r\nHost: localhost\r\nA: ",
    "POST /v1/meshes/yard/path HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    "Content-Length: 60000\r\n\r\n",
    "POST /v1/meshes/crowd/versions HTTP/1.1\r\nHost: localhost\r\nContent-Type: model/obj\r\n"
    "Transfer-Encoding: chunked\r\n\r\n10000\r\n",
};
#define BEGINNING_COUNT (sizeof BEGINNINGS / sizeof BEGINNINGS[0])

typedef struct crowd {
    int fds[CROWD];
    atomic_bool over;
} crowd;

static void *drip_all(void *user)
{
    crowd *c = user;
    while (!atomic_load(&c->over)) {
        for (size_t i = 0; i < CROWD; i++) {
            // The first kind says nothing at all.
            if (c->fds[i] >= 0 && i % BEGINNING_COUNT != 0) {
                (void)send(c->fds[i], "x", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
            }
        }
        sweep_pause_ms(DRIP_MS);
    }
    return NULL;
}

static void gather(crowd *c, uint16_t port)
{
    static talk t;
    for (size_t i = 0; i < CROWD; i++) {
        const char *begin = BEGINNINGS[i % BEGINNING_COUNT];
        talk_open(&t, port);
        c->fds[i] = t.fd;
        if (t.fd >= 0) {
            (void)talk_send(&t, begin, strlen(begin));
        }
    }
}

static double others(uint16_t port)
{
    return talk_number(port, "/v1/status", "\"connections\":") - 1;
}

static int by_number(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Good questions for a while, on connections of their own; how many were not answered with 200.
static size_t ask(uint16_t port, double ms, const char *when)
{
    static const char question[] =
        "GET /v1/meshes/yard/path?start=2,0,2&end=18,0,18 HTTP/1.1\r\nHost: localhost\r\n\r\n";
    static double took_us[QUESTIONS_MAX];
    static talk t;
    size_t count = 0, bad = 0;
    const double begin_ms = now_ms();
    while (now_ms() - begin_ms < ms && count < QUESTIONS_MAX) {
        talk_reply got;
        const double begin_us = program_now_us(CLOCK_MONOTONIC);
        bad += talk_once(port, question, sizeof question - 1, PATIENT_MS, &t, &got) != 200;
        took_us[count++] = program_now_us(CLOCK_MONOTONIC) - begin_us;
    }
    qsort(took_us, count, sizeof took_us[0], by_number);
    (void)printf("%s: %zu questions, half within %.0f us, 99 %% within %.0f us\n", when, count,
                 took_us[count / 2], took_us[count - 1 - count / 100]);
    return bad;
}

static void run_crowd(sweep *s)
{
    static const char *const brief[] = {"--limit", "header_ms=4000", "--limit", "body_ms=4000",
                                        NULL};
    static const char *const usual[] = {NULL};
    static sweep_daemon d;
    static crowd c;
    pthread_t dripper;
    const double deadline_ms = s->longer ? 10000 : CROWD_DEADLINE_MS;
    sweep_start(s, s->longer ? usual : brief, &d);
    const uint16_t port = d.program.port;
    (void)ask(port, deadline_ms / 8, "with nobody else");
    const double begin_ms = now_ms();
    gather(&c, port);
    if (pthread_create(&dripper, NULL, drip_all, &c) != 0) {
        exit(1);
    }
    while (others(port) < CROWD && now_ms() - begin_ms < deadline_ms / 4) {
        sweep_pause_ms(10); // some are still on their way
    }
    sweep_count(s, "a crowd of 500 is let in", others(port) >= CROWD ? NULL : "fewer");
    sweep_count(s, "a crowd of 500 keeps nobody waiting",
                ask(port, deadline_ms / 2, "beside 500 slow clients") == 0 ? NULL : "no 200");
    // One reading decides: the next could count the question before it, whose connection is closed
    // but not gone.
    double left = others(port);
    while (left > 0 && now_ms() - begin_ms < deadline_ms + PATIENT_MS) {
        sweep_pause_ms(50);
        left = others(port);
    }
    (void)printf("500 slow clients: the last was let go after %.1f s\n",
                 (now_ms() - begin_ms) / 1000);
    sweep_count(s, "a crowd of 500 is let go", left == 0 ? NULL : "some are left");
    atomic_store(&c.over, true);
    (void)pthread_join(dripper, NULL);
    for (size_t i = 0; i < CROWD; i++) {
        talk t = {.fd = c.fds[i]};
        talk_close(&t);
    }
    sweep_stop(s, "the daemon of the crowd stops", &d);
}

void sweep_slow(sweep *s)
{
    run_rows(s);
    run_crowd(s);
}
