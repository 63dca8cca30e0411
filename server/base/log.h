// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// log.h: one line per event on stderr, as key=value pairs or as a JSON object.
//
//   time=2026-11-20T21:00:00.123Z level=info event=listening address=127.0.0.1:7650
//   {"time":"2026-11-20T21:00:00.123Z","level":"info","event":"listening","address":"127.0.0.1:7650"}
//
// The format says which fields there are: "mesh=%s version=%u detail=\"%s\"". Fields are parted by
// spaces; a value that is one number becomes a number in JSON. Values are escaped and quoted
// as needed, so nothing that a client sends can begin a line or a field. Tokens and bodies
// are never passed to it.

#pragma once

typedef enum log_level {
    LOG_LEVEL_DEBUG,
    LOG_LEVEL_INFO,
    LOG_LEVEL_WARN,
    LOG_LEVEL_ERROR,
} log_level;

typedef enum log_format {
    LOG_FORMAT_TEXT,
    LOG_FORMAT_JSON,
} log_format;

// Lines below the level are dropped. At first: info, text. Thread: any.
void log_configure(log_level least, log_format format);

// Each line is one write, so that lines of several threads do not mix and none is held back.
// Conversions: s, d, i, u, x, f, g, %, with precision and l, ll, z; a width is ignored. A value is
// cut after some 500 bytes. Thread: any.
void log_debug(const char *event, const char *format, ...) __attribute__((format(printf, 2, 3)));
void log_info(const char *event, const char *format, ...) __attribute__((format(printf, 2, 3)));
void log_warn(const char *event, const char *format, ...) __attribute__((format(printf, 2, 3)));
void log_error(const char *event, const char *format, ...) __attribute__((format(printf, 2, 3)));
