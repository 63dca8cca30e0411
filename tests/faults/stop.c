// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// stop.c: SIGTERM while clients connect as fast as they can, again and again. Each stop has to end
// with exit code 0, and within the time that requests are given.
//
//   stop DAEMON [--stops N] [--seed S]

#include "tests/bench/http_programs.h"
#include "tests/faults/client.h"

#include <arpa/inet.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define CALLERS 3
#define LIFE_US_MAX 6000 // between the listeners' opening and the signal
#define STOP_S_MAX 30    // a stop that takes longer hangs
#define FAILURES_TOLD_MAX 10

static _Atomic uint16_t PORT; // 0: nobody to call
static atomic_bool OVER;
static _Atomic uint64_t CALLS;

static const char REQUEST[] = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";

// A connection with a question on it; every other caller waits for the answer, whatever it is.
static void call_once(uint16_t port, bool wait)
{
    char answer[1024];
    const struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const struct timeval patience = {.tv_usec = 100000};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        return;
    }
    (void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (connect(fd, (const struct sockaddr *)&address, sizeof address) == 0 &&
        send(fd, REQUEST, sizeof REQUEST - 1, MSG_NOSIGNAL) > 0 && wait) {
        (void)recv(fd, answer, sizeof answer, 0);
    }
    (void)close(fd);
    (void)atomic_fetch_add(&CALLS, 1);
}

static void *call(void *user)
{
    const bool wait = *(const int *)user % 2 == 0;
    while (!atomic_load(&OVER)) {
        const uint16_t port = atomic_load(&PORT);
        if (port != 0) {
            call_once(port, wait);
        } else {
            nap_us(200);
        }
    }
    return NULL;
}

// The fault of one life of the daemon; NULL: none.
static const char *live_once(const char *const *argv, uint64_t *seed)
{
    static char text[64];
    program daemon = program_start(argv, "address=127.0.0.1:");
    atomic_store(&PORT, daemon.port);
    nap_us(random_below(seed, LIFE_US_MAX));
    (void)alarm(STOP_S_MAX);
    const int status = program_stop(&daemon);
    (void)alarm(0);
    atomic_store(&PORT, 0);
    if (WIFSIGNALED(status)) {
        (void)snprintf(text, sizeof text, "signal %d ended it", WTERMSIG(status));
        return text;
    }
    if (WEXITSTATUS(status) != 0) {
        (void)snprintf(text, sizeof text, "it ended with %d", WEXITSTATUS(status));
        return text;
    }
    return NULL;
}

static uint32_t storm(const char *daemon, uint32_t stops, uint64_t seed)
{
    char folder[] = "/tmp/navmeshd-stop-XXXXXX", db[64];
    if (mkdtemp(folder) == NULL) {
        perror(folder);
        exit(1);
    }
    (void)snprintf(db, sizeof db, "%s/stop.db", folder);
    const char *const argv[] = {daemon, "--listen", "127.0.0.1:0", "--db", db, NULL};
    uint32_t failed = 0;
    for (uint32_t i = 0; i < stops; i++) {
        const char *fault = live_once(argv, &seed);
        if (fault != NULL && failed++ < FAILURES_TOLD_MAX) {
            (void)printf("stop %u: %s\n", i, fault);
        }
    }
    (void)unlink(db);
    (void)rmdir(folder);
    return failed;
}

int main(int argc, char **argv)
{
    uint32_t stops = 100;
    uint64_t seed = 1;
    for (int i = 2; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--stops") == 0) {
            stops = (uint32_t)strtoul(argv[i + 1], NULL, 10);
        } else if (strcmp(argv[i], "--seed") == 0) {
            seed = strtoull(argv[i + 1], NULL, 10);
        }
    }
    if (argc < 2 || stops == 0) {
        (void)fputs("usage: stop DAEMON [--stops N] [--seed S]\n", stderr);
        return 2;
    }
    pthread_t callers[CALLERS];
    int numbers[CALLERS];
    for (int i = 0; i < CALLERS; i++) {
        numbers[i] = i;
        if (pthread_create(&callers[i], NULL, call, &numbers[i]) != 0) {
            perror("pthread_create");
            return 1;
        }
    }
    const double begin_us = program_now_us(CLOCK_MONOTONIC);
    const uint32_t failed = storm(argv[1], stops, seed);
    atomic_store(&OVER, true);
    for (int i = 0; i < CALLERS; i++) {
        (void)pthread_join(callers[i], NULL);
    }
    (void)printf("seed %llu: %u stops under %llu calls, %.0f s\n", (unsigned long long)seed, stops,
                 (unsigned long long)atomic_load(&CALLS),
                 (program_now_us(CLOCK_MONOTONIC) - begin_us) / 1e6);
    (void)printf("%u passed, %u failed\n", stops - failed, failed);
    return failed == 0 ? 0 : 1;
}
