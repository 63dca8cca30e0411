// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// log.h: one line per event on stderr: time, level, event, key=value pairs.
//
//   2026-11-20T21:00:00.123Z info listening address=127.0.0.1:7650

#pragma once

// Each line is one write, so that lines of several threads do not mix and none is held back.
// Control characters within the text become spaces. Thread: any.
void log_info(const char *event, const char *format, ...) __attribute__((format(printf, 2, 3)));
void log_error(const char *event, const char *format, ...) __attribute__((format(printf, 2, 3)));
