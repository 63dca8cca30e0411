// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// http_programs.h: the programs that are measured, and what the kernel says they cost. Anything
// unexpected ends the benchmark.

#pragma once

#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>
#include <time.h>

typedef struct program {
    pid_t pid;
    int input;    // its end is the program's
    FILE *output; // what it goes on to say; it waits where nobody reads more than a pipe holds
    uint16_t port;
} program;

// Starts a program; the last line that begins with mark, up to a number behind it, is its port.
program program_start(const char *const *argv, const char *mark);
// Ends it (SIGTERM) and waits for that. How it ended is as waitpid says.
int program_stop(program *p);
// CPU time of all its threads so far, in microseconds.
double program_cpu_us(const program *p);
double program_resident_kib(const program *p);
// A clock of this program, in microseconds.
double program_now_us(clockid_t clock);
