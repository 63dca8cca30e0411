// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// asker.h: a daemon as the sweeps have it: started on a Unix socket of its own, asked
// over kept connections, and gone at any moment without that being a fault.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct asker {
    const char *socket; // path; borrowed
    int fd;             // -1: not connected
    char *buffer;
    size_t room;
    char *body; // of the last answer, within buffer; zero-terminated
    size_t body_bytes;
} asker;

void asker_init(asker *a, const char *socket);
void asker_free(asker *a);
// One request; returns the status of its answer, 0 where none came whole. type, body: may be NULL.
int asker_ask(asker *a, const char *method, const char *path, const char *type, const void *body,
              size_t body_bytes);

// Starts argv[0], which listens on this socket, with its output appended to the file log.
pid_t asker_start(const char *const *argv, const char *log);
// Waits until it is ready; false: it has ended, or is not within so many seconds.
bool asker_wait_ready(asker *a, pid_t pid, uint32_t seconds);

// A flat level of 40 by 40 m with a wall that stands elsewhere for each number; its length.
#define ASKER_LEVEL_BYTES_MAX 256
size_t asker_level(uint32_t number, char out[ASKER_LEVEL_BYTES_MAX]);

uint32_t asker_random(uint64_t *seed, uint32_t below);
void asker_nap_us(uint32_t us);
