// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// tables.c: every row of cases.txt: what comes back is what the row says, and nothing else. Then
// all of them together: each reply was counted and is in the log under its name, nothing was
// stored, and nothing is in flight any more.

#include "tests/faults/http/judge.h"
#include "tests/faults/http/sweep.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#define WHY_BYTES 400
#define HALF_UPLOADS 20
#define GONE_MS_MAX 5000 // the deadline of a body is 10 s; a machine may be busy for a while

// The names of the replies to a table.
typedef struct names {
    char (*items)[80];
    size_t count;
} names;

static void add_name(void *user, const char *name)
{
    names *all = user;
    char(*more)[80] = realloc(all->items, (all->count + 1) * sizeof *more);
    if (more != NULL) {
        all->items = more;
        (void)snprintf(all->items[all->count++], sizeof *more, "%s", name);
    }
}

// ---- one row ----

static void send_steps(talk *t, const case_row *row)
{
    bool there = true;
    for (size_t i = 0; there && i < row->step_count; i++) {
        const case_step *step = &row->steps[i];
        switch (step->kind) {
        case CASE_SEND:
            there = talk_send(t, step->bytes, step->size_bytes);
            break;
        case CASE_PAUSE:
            sweep_pause_ms(step->pause_ms);
            break;
        case CASE_END:
            (void)shutdown(t->fd, SHUT_WR);
            break;
        case CASE_DRIP: // of slow.c
            break;
        }
    }
}

static const char *run_row(uint16_t port, const case_row *row, names *all)
{
    static talk t;
    talk_open(&t, port);
    if (t.fd < 0) {
        return "nobody takes the connection";
    }
    send_steps(&t, row);
    const char *why = case_judge(row, &t, add_name, all);
    talk_close(&t);
    return why;
}

// ---- all rows together ----

static double replies_counted(uint16_t port)
{
    static talk t;
    double sum = 0;
    const char *page = talk_get(port, "/metrics", &t);
    while (page != NULL && (page = strstr(page, "\nnavmeshd_http_requests_total{")) != NULL) {
        sum += strtod(strstr(page, "} ") + 2, NULL); // a route has brackets, too
        page++;
    }
    return sum;
}

static const char *check_log(sweep_daemon *d, const names *all)
{
    static char why[WHY_BYTES];
    for (int attempt = 0; attempt < 100; attempt++) { // the last lines are on their way
        size_t missing = 0;
        (void)pthread_mutex_lock(&d->lock);
        for (size_t i = 0; i < all->count; i++) {
            char text[120];
            (void)snprintf(text, sizeof text, "event=request id=%s ", all->items[i]);
            if (strstr(d->log, text) == NULL) {
                missing++;
                (void)snprintf(why, sizeof why, "no line for %s", all->items[i]);
            }
        }
        (void)pthread_mutex_unlock(&d->lock);
        if (missing == 0) {
            return NULL;
        }
        sweep_pause_ms(20);
    }
    return why;
}

static void run_all(sweep *s, sweep_daemon *d, const char *file)
{
    char path[512], *before, why[WHY_BYTES];
    static talk t;
    names all = {0};
    const uint16_t port = d->program.port;
    (void)snprintf(path, sizeof path, "%s/%s", s->folder, file);
    case_table table = cases_read(path);
    before = strdup(talk_get(port, "/v1/meshes", &t));
    const double counted = replies_counted(port);
    for (size_t i = 0; i < table.count; i++) {
        (void)snprintf(why, sizeof why, "%s:%d: %s", file, table.rows[i].line, table.rows[i].name);
        sweep_count(s, why, run_row(port, &table.rows[i], &all));
    }
    // The page itself is counted when it has been written.
    const double more = replies_counted(port) - counted - 1;
    (void)snprintf(why, sizeof why, "%zu replies, %.0f counted", all.count, more);
    sweep_count(s, "each reply is counted once", more == (double)all.count ? NULL : why);
    sweep_count(s, "each reply is in the log", check_log(d, &all));
    const char *after = talk_get(port, "/v1/meshes", &t);
    sweep_count(s, "nothing is stored",
                before != NULL && after != NULL && strcmp(before, after) == 0 ? NULL : "meshes");
    (void)printf("%s: %zu rows, %zu replies\n", file, table.count, all.count);
    free(before);
    free(all.items);
    cases_free(&table);
}

// ---- clients that give up ----

// Bodies whose beginning and end come in one breath: what has been kept of them is given back.
static void give_up_uploads(sweep *s, sweep_daemon *d)
{
    static char text[8192];
    static talk t;
    const uint16_t port = d->program.port;
    const int head = snprintf(text, sizeof text,
                              "POST /v1/meshes/half/versions HTTP/1.1\r\nHost: localhost\r\n"
                              "Content-Type: model/obj\r\nContent-Length: 1000000\r\n\r\n");
    memset(text + head, '\n', sizeof text - (size_t)head);
    const double before = talk_number(port, "/metrics", "\nnavmeshd_http_requests_aborted_total ");
    for (int i = 0; i < HALF_UPLOADS; i++) {
        talk_open(&t, port);
        (void)talk_send(&t, text, i % 2 == 0 ? sizeof text : (size_t)head + 1);
        talk_close(&t);
    }
    const double begin_us = program_now_us(CLOCK_MONOTONIC);
    double uploads = 1, bytes = 1, requests = 2, aborted = 0, ms = 0;
    while (uploads + bytes > 0 || requests > 1 || aborted < HALF_UPLOADS) {
        ms = (program_now_us(CLOCK_MONOTONIC) - begin_us) / 1000;
        if (ms > GONE_MS_MAX) {
            break;
        }
        uploads = talk_number(port, "/metrics", "\nnavmeshd_http_uploads_in_flight ");
        requests = talk_number(port, "/metrics", "\nnavmeshd_http_requests_in_flight ");
        aborted = talk_number(port, "/metrics", "\nnavmeshd_http_requests_aborted_total ") - before;
        bytes = talk_number(port, "/v1/status", "\"bodies_bytes\":");
    }
    (void)printf("half uploads: gone after %.0f ms\n", ms);
    sweep_count(s, "half uploads are gone at once", ms <= GONE_MS_MAX ? NULL : "still in flight");
}

void sweep_tables(sweep *s)
{
    static const char *const options[] = {"--log-requests", NULL};
    static sweep_daemon d;
    sweep_start(s, options, &d);
    run_all(s, &d, "cases.txt");
    give_up_uploads(s, &d);
    sweep_stop(s, "the daemon of the tables stops", &d);
}
