// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// log.c: lines for the person or program that watches stderr.

#include "server/log.h"

#include "server/clock.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LINE_BYTES_MAX 1024

static void log_line(const char *level, const char *event, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));

static void log_line(const char *level, const char *event, const char *format, va_list arguments)
{
    char time_text[CLOCK_TEXT_BYTES];
    clock_text(time_text);
    char line[LINE_BYTES_MAX];
    int used = snprintf(line, sizeof line, "%s %s %s ", time_text, level, event);
    if (used < 0) {
        return;
    }
    (void)vsnprintf(line + used, sizeof line - (size_t)used - 1, format, arguments);
    size_t length = strlen(line);
    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)line[i] < ' ' || line[i] == 0x7f) {
            line[i] = ' ';
        }
    }
    line[length++] = '\n';
    // Nobody is left to tell where stderr itself cannot be written.
    ssize_t written = write(STDERR_FILENO, line, length);
    (void)written;
}

void log_info(const char *event, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    log_line("info", event, format, arguments);
    va_end(arguments);
}

void log_error(const char *event, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    log_line("error", event, format, arguments);
    va_end(arguments);
}
