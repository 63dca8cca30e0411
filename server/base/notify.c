// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// notify.c: the protocol of sd_notify(3), which is one datagram a message.

#include "server/base/notify.h"

#include "server/base/clock.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define INTERVAL_MS_MAX 3600000u

// Main thread only. The socket has no peer, since a manager that starts again makes a new one.
static struct {
    int fd;
    socklen_t address_bytes;
    struct sockaddr_un address;
} manager = {.fd = -1};

void notify_open(void)
{
    const char *path = getenv("NOTIFY_SOCKET");
    size_t length = path != NULL ? strlen(path) : 0;
    if (length < 2 || length >= sizeof manager.address.sun_path ||
        (path[0] != '/' && path[0] != '@')) {
        return;
    }
    manager.address = (struct sockaddr_un){.sun_family = AF_UNIX};
    memcpy(manager.address.sun_path, path, length);
    if (path[0] == '@') {
        manager.address.sun_path[0] = '\0'; // an abstract name: not in the file system
    }
    manager.address_bytes = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
    manager.fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
}

static void notify(const char *message)
{
    if (manager.fd >= 0) {
        ssize_t sent = sendto(manager.fd, message, strlen(message), MSG_NOSIGNAL | MSG_DONTWAIT,
                              (const struct sockaddr *)&manager.address, manager.address_bytes);
        (void)sent;
    }
}

void notify_ready(const char *status)
{
    char message[256];
    (void)snprintf(message, sizeof message, "READY=1\nSTATUS=%.200s", status);
    notify(message);
}

void notify_reloading(void)
{
    char message[96];
    (void)snprintf(message, sizeof message, "RELOADING=1\nMONOTONIC_USEC=%llu",
                   (unsigned long long)(clock_now_ns() / 1000));
    notify(message);
}

void notify_stopping(uint32_t limit_ms)
{
    char message[96];
    (void)snprintf(message, sizeof message, "STOPPING=1\nSTATUS=stopping\nEXTEND_TIMEOUT_USEC=%llu",
                   (unsigned long long)(limit_ms + 5000ull) * 1000ull);
    notify(message);
}

void notify_alive(void)
{
    notify("WATCHDOG=1");
}

int notify_interval_ms(void)
{
    const char *micros = getenv("WATCHDOG_USEC"), *process = getenv("WATCHDOG_PID");
    if (micros == NULL || (process != NULL && strtol(process, NULL, 10) != (long)getpid())) {
        return -1;
    }
    unsigned long long half_ms = strtoull(micros, NULL, 10) / 2000;
    return half_ms == 0 ? -1 : (int)(half_ms < INTERVAL_MS_MAX ? half_ms : INTERVAL_MS_MAX);
}
