// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// file.c: see file.h.

#include "server/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static nav_status too_large(int64_t size_bytes, size_t size_bytes_max, nav_error *err)
{
    return nav_fail(err, NAV_INVALID_FIELD, "it is too large: %lld bytes, at most %zu are read",
                    (long long)size_bytes, size_bytes_max);
}

static nav_status check(int fd, size_t size_bytes_max, struct stat *info, nav_error *err)
{
    if (fstat(fd, info) != 0) {
        return nav_fail(err, NAV_INVALID_FIELD, "%s", strerror(errno));
    }
    if (!S_ISREG(info->st_mode)) {
        return nav_fail(err, NAV_INVALID_FIELD, "it is not a regular file");
    }
    if ((uint64_t)info->st_size > size_bytes_max) {
        return too_large(info->st_size, size_bytes_max, err);
    }
    return NAV_OK;
}

// Reads until there is no more, or until there is a byte too many: a file may grow meanwhile.
static nav_status read_bytes(int fd, char *bytes, size_t size_bytes_max, size_t *size_bytes,
                             nav_error *err)
{
    size_t used = 0;
    ssize_t got = 1;
    while (used <= size_bytes_max && got > 0) {
        got = read(fd, bytes + used, size_bytes_max + 1 - used);
        used += got > 0 ? (size_t)got : 0;
    }
    if (got < 0) {
        return nav_fail(err, NAV_INVALID_FIELD, "%s", strerror(errno));
    }
    if (used > size_bytes_max) {
        return too_large((int64_t)used, size_bytes_max, err);
    }
    bytes[used] = '\0';
    *size_bytes = used;
    return NAV_OK;
}

// Bytes of a file that is refused are wiped: they may be half of a token.
static nav_status read_whole(int fd, size_t size_bytes_max, char **out, size_t *size_bytes,
                             nav_error *err)
{
    char *bytes = malloc(size_bytes_max + 1);
    if (bytes == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory to read it");
    }
    const nav_status status = read_bytes(fd, bytes, size_bytes_max, size_bytes, err);
    if (status != NAV_OK) {
        explicit_bzero(bytes, size_bytes_max + 1);
        free(bytes);
        return status;
    }
    *out = bytes;
    return NAV_OK;
}

nav_status file_read(const char *path, size_t size_bytes_max, char **out, size_t *size_bytes,
                     mode_t *mode, nav_error *err)
{
    struct stat info;
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) {
        return nav_fail(err, NAV_INVALID_FIELD, "%s", strerror(errno));
    }
    nav_status status = check(fd, size_bytes_max, &info, err);
    if (status == NAV_OK) {
        status = read_whole(fd, size_bytes_max, out, size_bytes, err);
    }
    (void)close(fd);
    if (status == NAV_OK && mode != NULL) {
        *mode = info.st_mode;
    }
    return status;
}
