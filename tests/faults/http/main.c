// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// main.c: the HTTP sweep: whatever clients send that they should not, and what becomes of it.
//
//   fault_http DAEMON FOLDER [--long] [PART...]    parts: tables slow bombs noise; none: all

#include "tests/faults/http/sweep.h"
#include "tests/faults/http/talk.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define OPTIONS_MAX 16
#define PATIENCE_MS 20000

void sweep_count(sweep *s, const char *name, const char *why)
{
    s->passed += why == NULL;
    s->failed += why != NULL;
    if (why != NULL) {
        (void)printf("FAILED %s: %s\n", name, why);
    }
}

void sweep_pause_ms(long ms)
{
    const struct timespec pause = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    (void)nanosleep(&pause, NULL);
}

// ---- a daemon ----

// Keeps what it says, so that it need not wait for a reader.
static void *read_log(void *user)
{
    sweep_daemon *d = user;
    FILE *output = d->program.output;
    char line[4096];
    while (fgets(line, sizeof line, output) != NULL) {
        const size_t length = strlen(line);
        (void)pthread_mutex_lock(&d->lock);
        char *more = realloc(d->log, d->log_bytes + length + 1);
        if (more != NULL) {
            memcpy(more + d->log_bytes, line, length + 1);
            d->log = more;
            d->log_bytes += length;
        }
        (void)pthread_mutex_unlock(&d->lock);
    }
    return NULL;
}

static _Noreturn void give_up(const char *what)
{
    (void)fprintf(stderr, "%s\n", what);
    exit(1);
}

static void make_yard(uint16_t port)
{
    static const char square[] = "POST /v1/meshes/yard/versions?wait=1 HTTP/1.1\r\n"
                                 "Host: localhost\r\nContent-Type: model/obj\r\n"
                                 "Content-Length: 52\r\n\r\n"
                                 "v 0 0 0\nv 0 0 20\nv 20 0 20\nv 20 0 0\nf 1 2 3\nf 1 3 4\n";
    static talk t;
    talk_reply got;
    int status = 0;
    for (int i = 0; i < 200 && status != 201; i++) {
        status = talk_once(port, square, sizeof square - 1, PATIENCE_MS, &t, &got);
        if (status != 201) {
            sweep_pause_ms(50); // it has just begun
        }
    }
    if (status != 201) {
        give_up("the yard cannot be baked");
    }
}

void sweep_start(sweep *s, const char *const *options, sweep_daemon *d)
{
    const char *argv[OPTIONS_MAX] = {s->binary, "--listen", "127.0.0.1:0", "--db", d->db};
    memset(d, 0, sizeof *d);
    (void)snprintf(d->db, sizeof d->db, "/tmp/navmeshd-http-XXXXXX");
    if (mkdtemp(d->db) == NULL) {
        give_up(d->db);
    }
    (void)strcat(d->db, "/http.db");
    for (size_t i = 0; options[i] != NULL && i + 6 < OPTIONS_MAX; i++) {
        argv[i + 5] = options[i];
    }
    d->program = program_start(argv, "address=127.0.0.1:");
    (void)pthread_mutex_init(&d->lock, NULL);
    if (pthread_create(&d->reader, NULL, read_log, d) != 0) {
        give_up("no thread");
    }
    make_yard(d->program.port);
}

void sweep_stop(sweep *s, const char *name, sweep_daemon *d)
{
    char why[64];
    FILE *output = d->program.output;
    d->program.output = NULL;
    const int status = program_stop(&d->program);
    (void)pthread_join(d->reader, NULL);
    (void)fclose(output);
    (void)snprintf(why, sizeof why, "it ended with status %d", status);
    sweep_count(s, name, status == 0 ? NULL : why);
    (void)pthread_mutex_destroy(&d->lock);
    free(d->log);
    (void)unlink(d->db);
    *strrchr(d->db, '/') = '\0';
    (void)rmdir(d->db);
}

// ---- parts ----

static const struct {
    const char *name;
    void (*run)(sweep *s);
} PARTS[] = {
    {"tables", sweep_tables}, {"slow", sweep_slow}, {"bombs", sweep_bombs}, {"noise", sweep_noise}};

static bool is_wanted(const char *name, int argc, char **argv)
{
    int named = 0;
    for (int i = 3; i < argc; i++) {
        if (strcmp(argv[i], name) == 0) {
            return true;
        }
        named += strcmp(argv[i], "--long") != 0;
    }
    return named == 0;
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        give_up("usage: fault_http DAEMON FOLDER [--long] [tables] [slow] [bombs] [noise]");
    }
    sweep s = {.binary = argv[1], .folder = argv[2]};
    for (int i = 3; i < argc; i++) {
        s.longer = s.longer || strcmp(argv[i], "--long") == 0;
    }
    for (size_t i = 0; i < sizeof PARTS / sizeof PARTS[0]; i++) {
        if (is_wanted(PARTS[i].name, argc, argv)) {
            PARTS[i].run(&s);
        }
    }
    (void)printf("%u passed, %u failed\n", s.passed, s.failed);
    return s.failed == 0 && s.passed > 0 ? 0 : 1;
}
