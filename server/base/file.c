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

static nav_status check(int fd, size_t size_bytes_max, struct stat *info, nav_error *err)
{
    if (fstat(fd, info) != 0) {
        return nav_fail(err, NAV_INVALID_FIELD, "%s", strerror(errno));
    }
    if (!S_ISREG(info->st_mode)) {
        return nav_fail(err, NAV_INVALID_FIELD, "it is not a regular file");
    }
    if ((uint64_t)info->st_size > size_bytes_max) {
        return nav_fail(err, NAV_INVALID_FIELD, "it is too large: %lld bytes, at most %zu are read",
                        (long long)info->st_size, size_bytes_max);
    }
    return NAV_OK;
}

// To the end, which may be elsewhere than it was said to be; of a file that grows on, to capacity.
static nav_status read_bytes(int fd, size_t capacity_bytes, char **out, size_t *size_bytes,
                             nav_error *err)
{
    char *bytes = malloc(capacity_bytes + 1);
    size_t used = 0;
    ssize_t got = 1;
    if (bytes == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory to read it");
    }
    while (used < capacity_bytes && got > 0) {
        got = read(fd, bytes + used, capacity_bytes - used);
        used += got > 0 ? (size_t)got : 0;
    }
    if (got < 0) {
        free(bytes);
        return nav_fail(err, NAV_INVALID_FIELD, "%s", strerror(errno));
    }
    NAV_ASSERT(used <= capacity_bytes);
    bytes[used] = '\0';
    *out = bytes;
    *size_bytes = used;
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
        status = read_bytes(fd, size_bytes_max, out, size_bytes, err);
    }
    (void)close(fd);
    if (status == NAV_OK && mode != NULL) {
        *mode = info.st_mode;
    }
    return status;
}
