// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// http_client.h: requests over kept connections, for benchmarks. Anything unexpected ends the
// program.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct client {
    int fd;
    char *buffer; // of the last reply
    size_t buffer_bytes, used_bytes;
    size_t head_bytes, body_bytes; // of the last reply
    int status;
} client;

// To 127.0.0.1.
client http_client_open(uint16_t port);
void http_client_close(client *c);
void http_client_send(client *c, const char *bytes, size_t size_bytes);
// Waits for a whole reply.
void http_client_receive(client *c);
// The bytes of a request; body may be NULL. malloc'ed.
char *http_client_request(const char *method, const char *path, const char *type, const void *body,
                          size_t body_bytes, size_t *size_bytes);
// One request and its reply.
void http_client_ask(client *c, const char *method, const char *path, const char *type,
                     const void *body, size_t body_bytes);
// Of the last reply; zero-terminated.
const char *http_client_body(const client *c);
