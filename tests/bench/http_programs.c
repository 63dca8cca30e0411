// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// http_programs.c: starting and ending programs, their CPU time and memory.

#include "tests/bench/http_programs.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

double program_now_us(clockid_t clock)
{
    struct timespec now;
    if (clock_gettime(clock, &now) != 0) {
        perror("clock_gettime");
        exit(1);
    }
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

program program_start(const char *const *argv, const char *mark)
{
    int in[2], out[2];
    if (pipe(in) != 0 || pipe(out) != 0) {
        perror("pipe");
        exit(1);
    }
    pid_t pid = fork();
    if (pid < 0) { // kill(-1) would end all that the user runs
        perror("fork");
        exit(1);
    }
    if (pid == 0) {
        (void)dup2(in[0], 0);
        (void)dup2(out[1], 1);
        (void)dup2(out[1], 2);
        (void)close(in[1]);
        (void)close(out[0]);
        (void)execv(argv[0], (char *const *)(uintptr_t)argv);
        _exit(127);
    }
    (void)close(in[0]);
    (void)close(out[1]);
    program p = {.pid = pid, .input = in[1], .output = fdopen(out[0], "r")};
    char line[256];
    while (p.port == 0 && p.output != NULL && fgets(line, sizeof line, p.output) != NULL) {
        const char *found = strstr(line, mark);
        p.port = found != NULL ? (uint16_t)strtoul(found + strlen(mark), NULL, 10) : 0;
    }
    if (p.port == 0) {
        (void)fprintf(stderr, "%s does not start\n", argv[0]);
        exit(1);
    }
    return p;
}

int program_stop(program *p)
{
    int status = 0;
    (void)close(p->input);
    (void)kill(p->pid, SIGTERM);
    (void)waitpid(p->pid, &status, 0);
    if (p->output != NULL) {
        (void)fclose(p->output);
    }
    return status;
}

double program_cpu_us(const program *p)
{
    clockid_t clock;
    if (clock_getcpuclockid(p->pid, &clock) != 0) {
        perror("clock_getcpuclockid");
        exit(1);
    }
    return program_now_us(clock);
}

double program_resident_kib(const program *p)
{
    char name[64];
    unsigned long total = 0, resident = 0;
    (void)snprintf(name, sizeof name, "/proc/%d/statm", (int)p->pid);
    FILE *file = fopen(name, "r");
    if (file == NULL || fscanf(file, "%lu %lu", &total, &resident) != 2) {
        perror(name);
        exit(1);
    }
    (void)fclose(file);
    return (double)resident * (double)sysconf(_SC_PAGESIZE) / 1024.0;
}
