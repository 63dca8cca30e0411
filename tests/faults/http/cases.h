// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// cases.h: rows of a table of what clients send and what they are answered. cases.txt tells how a
// row is written.

#pragma once

#include <stdbool.h>
#include <stddef.h>

#define CASE_STEPS_MAX 16
#define CASE_REPLIES_MAX 8

typedef enum case_step_kind {
    CASE_SEND,
    CASE_PAUSE, // some milliseconds
    CASE_DRIP,  // byte by byte, again and again, until the other side is gone
    CASE_END,   // no more will be sent (FIN)
} case_step_kind;

typedef struct case_step {
    case_step_kind kind;
    char *bytes;
    size_t size_bytes;
    int pause_ms;
} case_step;

typedef struct case_reply {
    int status;
    char code[48], at[64]; // "": none, or not looked at
} case_reply;

typedef struct case_row {
    char name[120];
    int line;
    case_step steps[CASE_STEPS_MAX];
    size_t step_count;
    case_reply replies[CASE_REPLIES_MAX];
    size_t reply_count;
    bool closes; // then the daemon closes; else the connection stays open
} case_row;

typedef struct case_table {
    case_row *rows;
    size_t count;
} case_table;

// A table that cannot be read ends the program.
case_table cases_read(const char *path);
void cases_free(case_table *table);
