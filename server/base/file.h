// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// file.h: a file that the operator has written, read whole or piece by piece.

#pragma once

#include "core/nav.h"

#include <sys/stat.h>

// Reads a regular file of at most so many bytes. *out is malloc'ed, with a zero behind its
// *size_bytes bytes, and takes no more memory than these; *mode, unless NULL, has the file's type
// and rights. Nobody waits for the other end of a pipe. Errors: NAV_INVALID_FIELD, NAV_NO_MEMORY;
// the caller puts the file's name in front of the words of err, as it calls the file. Thread: any.
nav_status file_read(const char *path, size_t size_bytes_max, char **out, size_t *size_bytes,
                     mode_t *mode, nav_error *err);
// The same of whatever is open, from where it stands to its end; it may be a pipe.
nav_status file_read_open(int fd, size_t size_bytes_max, char **out, size_t *size_bytes,
                          nav_error *err);

// Opens a regular file to be read, likewise; *fd is the caller's, *info what it is by then.
nav_status file_open(const char *path, int *fd, struct stat *info, nav_error *err);
// Gives sink the bytes of an open file, in pieces. Errors: its own, NAV_INVALID_FIELD,
// NAV_NO_MEMORY.
typedef nav_status file_sink(void *user, const void *bytes, size_t size_bytes, nav_error *err);
nav_status file_feed(int fd, file_sink *sink, void *user, nav_error *err);
