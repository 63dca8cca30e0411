// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// talk.h: one connection on which bytes are sent as they are, and what comes back on it.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TALK_BYTES_MAX 65536

typedef struct talk {
    int fd; // -1: nobody there
    char bytes[TALK_BYTES_MAX];
    size_t used_bytes;
} talk;

// A reply, in the text that talk keeps until the next one.
typedef struct talk_reply {
    int status;
    bool problem; // application/problem+json
    bool closes;  // says Connection: close
    char id[80];  // X-Request-Id; "" where there is none
    char code[48], at[64], body_id[80];
    int body_status;
    const char *body; // zero-terminated
} talk_reply;

typedef enum talk_end {
    TALK_REPLY,
    TALK_CLOSED,  // by the other side, between two replies
    TALK_SILENT,  // nothing came in time
    TALK_GARBLED, // what came is no reply, or only a part of one
} talk_end;

// To 127.0.0.1.
void talk_open(talk *t, uint16_t port);
void talk_close(talk *t);
// False: the other side is gone.
bool talk_send(const talk *t, const char *bytes, size_t size_bytes);
talk_end talk_receive(talk *t, int patience_ms, talk_reply *out);
// One request on a connection of its own; the status, 0 where none came.
int talk_once(uint16_t port, const char *bytes, size_t size_bytes, int patience_ms, talk *t,
              talk_reply *out);
// The body of GET path; NULL where it is not answered with 200.
const char *talk_get(uint16_t port, const char *path, talk *t);
// A number behind a text in the body of GET path; -1 where there is none.
double talk_number(uint16_t port, const char *path, const char *before);
