// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// file.c: see file.h.

#include "server/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PIECE_BYTES ((size_t)64 << 10) // also where nothing says how much there is

static nav_status too_large(int64_t size_bytes, size_t size_bytes_max, nav_error *err)
{
    return nav_fail(err, NAV_INVALID_FIELD, "it is too large: %lld bytes, at most %zu are read",
                    (long long)size_bytes, size_bytes_max);
}

static nav_status not_a_file(nav_error *err)
{
    return nav_fail(err, NAV_INVALID_FIELD, "it is not a regular file");
}

// Why there is none to read. A sandbox lets files be opened, not the folders that they are in.
static nav_status not_opened(const char *path, int code, nav_error *err)
{
    struct stat info;
    return stat(path, &info) == 0 && !S_ISREG(info.st_mode)
               ? not_a_file(err)
               : nav_fail(err, NAV_INVALID_FIELD, "%s", strerror(code));
}

nav_status file_open(const char *path, int *out, struct stat *info, nav_error *err)
{
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) {
        return not_opened(path, errno, err);
    }
    nav_status status = NAV_OK;
    if (fstat(fd, info) != 0) {
        status = nav_fail(err, NAV_INVALID_FIELD, "%s", strerror(errno));
    } else if (!S_ISREG(info->st_mode)) {
        status = not_a_file(err);
    }
    if (status != NAV_OK) {
        (void)close(fd);
        return status;
    }
    *out = fd;
    return NAV_OK;
}

typedef struct contents {
    char *bytes;
    size_t used, capacity;
} contents;

// Bytes that are given up are wiped: they may be half of a token.
static void give_up(contents *c)
{
    if (c->bytes != NULL) {
        explicit_bzero(c->bytes, c->capacity);
        free(c->bytes);
    }
}

// Room for at least one byte more, and a zero.
static bool grow(contents *c, size_t capacity)
{
    contents grown = {.bytes = malloc(capacity), .used = c->used, .capacity = capacity};
    if (grown.bytes == NULL) {
        return false;
    }
    if (c->used > 0) {
        memcpy(grown.bytes, c->bytes, c->used);
    }
    give_up(c);
    *c = grown;
    return true;
}

// Reads until there is no more, or until there is a byte too many: a file may grow meanwhile, and
// those of the kernel do not say how large they are.
static nav_status read_bytes(int fd, size_t size_bytes_max, contents *c, nav_error *err)
{
    ssize_t got = 1;
    while (c->used <= size_bytes_max && got > 0) {
        if (c->used + 1 >= c->capacity && !grow(c, 2 * c->capacity)) {
            return nav_fail(err, NAV_NO_MEMORY, "no memory to read it");
        }
        const size_t space = c->capacity - 1 - c->used, most = size_bytes_max + 1 - c->used;
        got = read(fd, c->bytes + c->used, space < most ? space : most);
        c->used += got > 0 ? (size_t)got : 0;
    }
    if (got < 0) {
        return nav_fail(err, NAV_INVALID_FIELD, "%s", strerror(errno));
    }
    if (c->used > size_bytes_max) {
        return too_large((int64_t)c->used, size_bytes_max, err);
    }
    c->bytes[c->used] = '\0';
    return NAV_OK;
}

// expected_bytes: as many as there seem to be. One more shows that there are no others.
static nav_status read_whole(int fd, size_t expected_bytes, size_t size_bytes_max, char **out,
                             size_t *size_bytes, nav_error *err)
{
    contents c = {0};
    if (!grow(&c, expected_bytes + 2)) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory to read it");
    }
    const nav_status status = read_bytes(fd, size_bytes_max, &c, err);
    if (status != NAV_OK) {
        give_up(&c);
        return status;
    }
    *out = c.bytes;
    *size_bytes = c.used;
    return NAV_OK;
}

nav_status file_read_open(int fd, size_t size_bytes_max, char **out, size_t *size_bytes,
                          nav_error *err)
{
    return read_whole(fd, PIECE_BYTES, size_bytes_max, out, size_bytes, err);
}

nav_status file_read(const char *path, size_t size_bytes_max, char **out, size_t *size_bytes,
                     mode_t *mode, nav_error *err)
{
    struct stat info;
    int fd;
    nav_status status = file_open(path, &fd, &info, err);
    if (status != NAV_OK) {
        return status;
    }
    status = (uint64_t)info.st_size > size_bytes_max
                 ? too_large(info.st_size, size_bytes_max, err)
                 : read_whole(fd, (size_t)info.st_size, size_bytes_max, out, size_bytes, err);
    (void)close(fd);
    if (status == NAV_OK && mode != NULL) {
        *mode = info.st_mode;
    }
    return status;
}

nav_status file_feed(int fd, file_sink *sink, void *user, nav_error *err)
{
    char *piece = malloc(PIECE_BYTES);
    nav_status status =
        piece != NULL ? NAV_OK : nav_fail(err, NAV_NO_MEMORY, "no memory to read a file");
    ssize_t got = 1;
    while (status == NAV_OK && got > 0) {
        got = read(fd, piece, PIECE_BYTES);
        if (got < 0) {
            status = nav_fail(err, NAV_INVALID_FIELD, "a file cannot be read: %s", strerror(errno));
        } else if (got > 0) {
            status = sink(user, piece, (size_t)got, err);
        }
    }
    free(piece);
    return status;
}
