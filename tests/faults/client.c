// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// client.c: starts a daemon, asks it, and makes levels for it.

#include "tests/faults/client.h"

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

void client_init(client *c, const char *socket)
{
    *c = (client){.socket = socket, .fd = -1, .buffer = malloc(ROOM_BYTES), .room = ROOM_BYTES};
    if (c->buffer == NULL) {
        perror("malloc");
        exit(1);
    }
}

static void hang_up(client *c)
{
    if (c->fd >= 0) {
        (void)close(c->fd);
        c->fd = -1;
    }
}

void client_free(client *c)
{
    hang_up(c);
    free(c->buffer);
}

static bool call(client *c)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const struct timeval patience = {.tv_sec = ANSWER_S_MAX};
    (void)snprintf(address.sun_path, sizeof address.sun_path, "%s", c->socket);
    c->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    (void)setsockopt(c->fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (connect(c->fd, (const struct sockaddr *)&address, sizeof address) != 0) {
        hang_up(c);
    }
    return c->fd >= 0;
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
static size_t answer_bytes(client *c, size_t used)
{
    c->buffer[used] = '\0';
    char *end = strstr(c->buffer, "\r\n\r\n");
    if (end == NULL) {
        return 0;
    }
    const char *length = strstr(c->buffer, "Content-Length: ");
    c->body = end + 4;
    c->body_bytes = length != NULL && length < end ? strtoul(length + 16, NULL, 10) : 0;
    return (size_t)(c->body - c->buffer) + c->body_bytes;
}

static bool receive(client *c)
{
    size_t used = 0, wanted = 0;
    while (wanted == 0 || used < wanted) {
        if (used + 1 >= c->room || wanted >= c->room) {
            c->room = (wanted > c->room ? wanted : c->room) * 2;
            c->buffer = realloc(c->buffer, c->room);
            if (c->buffer == NULL) {
                perror("realloc");
                exit(1);
            }
        }
        ssize_t got = recv(c->fd, c->buffer + used, c->room - 1 - used, 0);
        if (got <= 0) {
            return false;
        }
        used += (size_t)got;
        wanted = answer_bytes(c, used);
    }
    c->body[c->body_bytes] = '\0';
    return true;
}

int client_ask(client *c, const char *method, const char *path, const char *type, const void *body,
               size_t body_bytes)
{
    char head[1024];
    int length = snprintf(head, sizeof head, "%s %s HTTP/1.1\r\nHost: d\r\n", method, path);
    if (body != NULL) {
        length += snprintf(head + length, sizeof head - (size_t)length,
                           "Content-Type: %s\r\nContent-Length: %zu\r\n", type, body_bytes);
    }
    length += snprintf(head + length, sizeof head - (size_t)length, "\r\n");
    if ((c->fd < 0 && !call(c)) || !send_all(c->fd, head, (size_t)length) ||
        !send_all(c->fd, body, body != NULL ? body_bytes : 0) || !receive(c)) {
        hang_up(c);
        return 0;
    }
    const int status = (int)strtol(c->buffer + strlen("HTTP/1.1 "), NULL, 10);
    const char *ends = strstr(c->buffer, "Connection: close");
    if (ends != NULL && ends < c->body) {
        hang_up(c);
    }
    return status;
}

pid_t daemon_start(const char *const *argv, const char *log)
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

bool daemon_wait_ready(client *c, pid_t pid, uint32_t seconds)
{
    for (uint32_t i = 0; i < seconds * 500; i++) {
        if (client_ask(c, "GET", "/readyz", NULL, NULL, 0) == 200) {
            return true;
        }
        if (waitpid(pid, NULL, WNOHANG) != 0) {
            return false;
        }
        nap_us(2000);
    }
    return false;
}

size_t wall_level(uint32_t number, char out[WALL_LEVEL_BYTES_MAX])
{
    const unsigned x = number % 30 + 3, z = number / 30 % 20 + 3;
    return (size_t)snprintf(out, WALL_LEVEL_BYTES_MAX,
                            "v 0 0 0\nv 0 0 40\nv 40 0 40\nv 40 0 0\nf 1 2 3 4\n"
                            "v %u 0 %u\nv %u 0 %u\nv %u 3 %u\nv %u 3 %u\nf 5 6 7 8\n",
                            x, z, x, z + 3, x + 3, z + 3, x + 3, z);
}

uint32_t random_below(uint64_t *seed, uint32_t below)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*seed >> 33) % below;
}

void nap_us(uint32_t us)
{
    const struct timespec pause = {.tv_sec = us / 1000000, .tv_nsec = us % 1000000 * 1000};
    (void)nanosleep(&pause, NULL);
}
