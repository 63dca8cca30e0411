// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// asker.c: starting a daemon, asking it, levels for it.

#include "tests/faults/asker.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ROOM_BYTES ((size_t)1 << 16)
#define ANSWER_S_MAX 120 // no answer for so long is none

void asker_init(asker *a, const char *socket)
{
    *a = (asker){.socket = socket, .fd = -1, .buffer = malloc(ROOM_BYTES), .room = ROOM_BYTES};
    if (a->buffer == NULL) {
        perror("malloc");
        exit(1);
    }
}

static void hang_up(asker *a)
{
    if (a->fd >= 0) {
        (void)close(a->fd);
        a->fd = -1;
    }
}

void asker_free(asker *a)
{
    hang_up(a);
    free(a->buffer);
}

static bool call(asker *a)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const struct timeval patience = {.tv_sec = ANSWER_S_MAX};
    (void)snprintf(address.sun_path, sizeof address.sun_path, "%s", a->socket);
    a->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    (void)setsockopt(a->fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (connect(a->fd, (const struct sockaddr *)&address, sizeof address) != 0) {
        hang_up(a);
    }
    return a->fd >= 0;
}

static bool send_all(int fd, const void *bytes, size_t size_bytes)
{
    const char *next = bytes;
    while (size_bytes > 0) {
        ssize_t sent = send(fd, next, size_bytes, MSG_NOSIGNAL);
        if (sent <= 0) {
            return false;
        }
        next += sent;
        size_bytes -= (size_t)sent;
    }
    return true;
}

// The whole answer's size once its head is there, else 0.
static size_t answer_bytes(asker *a, size_t used)
{
    a->buffer[used] = '\0';
    char *end = strstr(a->buffer, "\r\n\r\n");
    if (end == NULL) {
        return 0;
    }
    const char *length = strstr(a->buffer, "Content-Length: ");
    a->body = end + 4;
    a->body_bytes = length != NULL && length < end ? strtoul(length + 16, NULL, 10) : 0;
    return (size_t)(a->body - a->buffer) + a->body_bytes;
}

static bool receive(asker *a)
{
    size_t used = 0, wanted = 0;
    while (wanted == 0 || used < wanted) {
        if (used + 1 >= a->room || wanted >= a->room) {
            a->room = (wanted > a->room ? wanted : a->room) * 2;
            a->buffer = realloc(a->buffer, a->room);
            if (a->buffer == NULL) {
                perror("realloc");
                exit(1);
            }
        }
        ssize_t got = recv(a->fd, a->buffer + used, a->room - 1 - used, 0);
        if (got <= 0) {
            return false;
        }
        used += (size_t)got;
        wanted = answer_bytes(a, used);
    }
    a->body[a->body_bytes] = '\0';
    return true;
}

int asker_ask(asker *a, const char *method, const char *path, const char *type, const void *body,
              size_t body_bytes)
{
    char head[1024];
    int length = snprintf(head, sizeof head, "%s %s HTTP/1.1\r\nHost: d\r\n", method, path);
    if (body != NULL) {
        length += snprintf(head + length, sizeof head - (size_t)length,
                           "Content-Type: %s\r\nContent-Length: %zu\r\n", type, body_bytes);
    }
    length += snprintf(head + length, sizeof head - (size_t)length, "\r\n");
    if ((a->fd < 0 && !call(a)) || !send_all(a->fd, head, (size_t)length) ||
        !send_all(a->fd, body, body != NULL ? body_bytes : 0) || !receive(a)) {
        hang_up(a);
        return 0;
    }
    const int status = (int)strtol(a->buffer + strlen("HTTP/1.1 "), NULL, 10);
    const char *ends = strstr(a->buffer, "Connection: close");
    if (ends != NULL && ends < a->body) {
        hang_up(a);
    }
    return status;
}

pid_t asker_start(const char *const *argv, const char *log)
{
    pid_t pid = fork();
    if (pid < 0) { // kill(-1) would end all that the user runs
        perror("fork");
        exit(1);
    }
    if (pid == 0) {
        int fd = open(log, O_WRONLY | O_CREAT | O_APPEND, 0600);
        (void)dup2(fd, STDOUT_FILENO);
        (void)dup2(fd, STDERR_FILENO);
        (void)execv(argv[0], (char *const *)(uintptr_t)argv);
        _exit(127);
    }
    return pid;
}

bool asker_wait_ready(asker *a, pid_t pid, uint32_t seconds)
{
    for (uint32_t i = 0; i < seconds * 500; i++) {
        if (asker_ask(a, "GET", "/readyz", NULL, NULL, 0) == 200) {
            return true;
        }
        if (waitpid(pid, NULL, WNOHANG) != 0) {
            return false;
        }
        asker_nap_us(2000);
    }
    return false;
}

size_t asker_level(uint32_t number, char out[ASKER_LEVEL_BYTES_MAX])
{
    const unsigned x = number % 30 + 3, z = number / 30 % 20 + 3;
    return (size_t)snprintf(out, ASKER_LEVEL_BYTES_MAX,
                            "v 0 0 0\nv 0 0 40\nv 40 0 40\nv 40 0 0\nf 1 2 3 4\n"
                            "v %u 0 %u\nv %u 0 %u\nv %u 3 %u\nv %u 3 %u\nf 5 6 7 8\n",
                            x, z, x, z + 3, x + 3, z + 3, x + 3, z);
}

uint32_t asker_random(uint64_t *seed, uint32_t below)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*seed >> 33) % below;
}

void asker_nap_us(uint32_t us)
{
    const struct timespec pause = {.tv_sec = us / 1000000, .tv_nsec = us % 1000000 * 1000};
    (void)nanosleep(&pause, NULL);
}
