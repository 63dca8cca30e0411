// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// client.h: a client of a daemon that the sweeps start on a Unix socket of its own. It asks over
// kept connections; a daemon that is gone at any moment is no fault.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct client {
    const char *socket; // path; borrowed
    int fd;             // -1: not connected
    char *buffer;
    size_t room;
    char *body; // of the last answer, within buffer; zero-terminated
    size_t body_bytes;
} client;

void client_init(client *c, const char *socket);
void client_free(client *c);
// One request; returns the status of its answer, 0 where none came whole. type, body: may be NULL.
int client_ask(client *c, const char *method, const char *path, const char *type, const void *body,
               size_t body_bytes);

// Starts argv[0], which listens on this socket, with its output appended to the file log.
pid_t daemon_start(const char *const *argv, const char *log);
// Waits until it is ready; false: it has ended, or is not within so many seconds.
bool daemon_wait_ready(client *c, pid_t pid, uint32_t seconds);

// A flat level of 40 by 40 m with a wall that stands elsewhere for each number; its length.
#define WALL_LEVEL_BYTES_MAX 256
size_t wall_level(uint32_t number, char out[WALL_LEVEL_BYTES_MAX]);

uint32_t random_below(uint64_t *seed, uint32_t below);
void nap_us(uint32_t us);
