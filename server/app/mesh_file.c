// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// mesh_file.c: files of geometry, read piece by piece into an upload, or into a reader that only
// checks them.

#include "server/app/mesh_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define READ_BYTES ((size_t)64 << 10)
#define TEXT_BYTES_MAX ((size_t)16 << 20)

typedef nav_status file_sink(void *user, const void *bytes, size_t size_bytes, nav_error *err);

static nav_status feed_upload(void *user, const void *bytes, size_t size_bytes, nav_error *err)
{
    return upload_feed(user, bytes, size_bytes, err);
}

static nav_status feed_reader(void *user, const void *bytes, size_t size_bytes, nav_error *err)
{
    return proto_geometry_feed(user, bytes, size_bytes, err);
}

static nav_status pour(FILE *in, const char *file, file_sink *sink, void *user, nav_error *err)
{
    char *buffer = malloc(READ_BYTES);
    if (buffer == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory to read %.100s", file);
    }
    nav_status status = NAV_OK;
    size_t got;
    while (status == NAV_OK && (got = fread(buffer, 1, READ_BYTES, in)) > 0) {
        status = sink(user, buffer, got, err);
    }
    if (status == NAV_OK && ferror(in)) {
        status =
            nav_fail(err, PROTO_BAD_GEOMETRY, "%.100s cannot be read: %s", file, strerror(errno));
    }
    free(buffer);
    return status;
}

static nav_status open_file(const char *file, FILE **in, proto_format *format, nav_error *err)
{
    // A pipe that nobody writes to would hold up the start, and a signal could not end it.
    struct stat info;
    int fd = open(file, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd >= 0 && (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode))) {
        (void)close(fd);
        return nav_fail(err, PROTO_BAD_GEOMETRY, "%.100s is not a regular file", file);
    }
    *format = proto_format_of_file(file);
    *in = fd >= 0 ? fdopen(fd, "r") : NULL;
    if (*in == NULL) {
        nav_fail(err, PROTO_BAD_GEOMETRY, "%.100s cannot be read: %s", file, strerror(errno));
        if (fd >= 0) {
            (void)close(fd);
        }
        return PROTO_BAD_GEOMETRY;
    }
    return NAV_OK;
}

nav_status mesh_file_check(const char *file, nav_error *err)
{
    FILE *in;
    proto_format format;
    nav_status status = open_file(file, &in, &format, err);
    if (status != NAV_OK) {
        return status;
    }
    proto_geometry_reader *reader = NULL;
    nav_geometry geometry;
    proto_geometry_limits limits = proto_geometry_limits_default();
    status = proto_geometry_begin(format, &limits, &reader, err);
    if (status == NAV_OK) {
        status = pour(in, file, feed_reader, reader, err);
    }
    if (status == NAV_OK) {
        status = proto_geometry_end(reader, &geometry, err);
    }
    proto_geometry_destroy(reader);
    (void)fclose(in);
    return status;
}

nav_status mesh_file_read_text(const char *file, char **out, nav_error *err)
{
    FILE *in = fopen(file, "re");
    char *text = malloc(TEXT_BYTES_MAX + 1);
    size_t got = in != NULL && text != NULL ? fread(text, 1, TEXT_BYTES_MAX, in) : 0;
    nav_status status = NAV_OK;
    if (text == NULL) {
        status = nav_fail(err, NAV_NO_MEMORY, "no memory to read %.100s", file);
    } else if (in == NULL || ferror(in)) {
        status =
            nav_fail(err, NAV_INVALID_FIELD, "%.100s cannot be read: %s", file, strerror(errno));
    } else if (got == TEXT_BYTES_MAX) {
        status = nav_fail(err, NAV_INVALID_FIELD, "%.100s has more than %zu bytes", file,
                          TEXT_BYTES_MAX);
    }
    if (in != NULL) {
        (void)fclose(in);
    }
    if (text == NULL || status != NAV_OK) {
        free(text);
        return status;
    }
    NAV_ASSERT(got < TEXT_BYTES_MAX);
    text[got] = '\0';
    *out = text;
    return NAV_OK;
}

nav_status mesh_file_blame(const option_mesh *mesh, const nav_error *why, nav_error *err)
{
    nav_error made = *why;
    NAV_ASSERT(why->status != NAV_OK);
    const size_t taken = sizeof "--mesh =: " + strlen(mesh->name) + strlen(why->detail);
    const size_t room = taken < sizeof made.detail ? sizeof made.detail - taken : 0;
    const size_t length = strlen(mesh->file);
    const size_t cut = length > room ? length - room : 0;
    if (room > 0) {
        (void)snprintf(made.detail, sizeof made.detail, "--mesh %s=%s: %.*s", mesh->name,
                       mesh->file + cut, (int)strlen(why->detail), why->detail);
    }
    if (err != NULL) {
        *err = made;
    }
    return why->status;
}

static nav_status upload_file(service *s, const option_mesh *mesh, const proto_arg *args,
                              size_t arg_count, const char *config, bool restart,
                              upload_outcome *out, nav_error *err)
{
    FILE *in;
    proto_format format;
    nav_status status = open_file(mesh->file, &in, &format, err);
    if (status != NAV_OK) {
        return status;
    }
    upload *u = NULL;
    status = upload_open(s, mesh->name, format, false, &u, err);
    if (status == NAV_OK) {
        status = pour(in, mesh->file, feed_upload, u, err);
    }
    if (status == NAV_OK) {
        upload_use_config(u, config);
        status = upload_finish(u, args, arg_count, restart, out, err);
    }
    upload_close(u);
    (void)fclose(in);
    return status;
}

nav_status mesh_file_upload(service *s, const option_mesh *mesh, const proto_arg *args,
                            size_t arg_count, const char *config, bool restart, upload_outcome *out,
                            nav_error *err)
{
    nav_error why = {0};
    nav_status status = upload_file(s, mesh, args, arg_count, config, restart, out, &why);
    return status == NAV_OK ? NAV_OK : mesh_file_blame(mesh, &why, err);
}
