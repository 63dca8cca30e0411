// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// file.h: an input as a file in memory, for what reads a file by its name.

#pragma once

#include "core/nav.h"

#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct fuzz_file {
    int fd;
    char path[64];
} fuzz_file;

static inline fuzz_file fuzz_file_open(const void *bytes, size_t size_bytes)
{
    fuzz_file file = {.fd = memfd_create("fuzz", MFD_CLOEXEC)};
    NAV_ASSERT(file.fd >= 0 && fchmod(file.fd, 0600) == 0);
    NAV_ASSERT(write(file.fd, bytes, size_bytes) == (ssize_t)size_bytes);
    (void)snprintf(file.path, sizeof file.path, "/proc/self/fd/%d", file.fd);
    return file;
}

static inline void fuzz_file_close(const fuzz_file *file)
{
    (void)close(file->fd);
}
