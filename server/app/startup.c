// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// startup.c: the bakes that were cut short, then the command line's files; startup_load.c has
// loaded the live versions before. On the main thread.

#include "server/app/startup.h"

#include "proto/replies/version_lines.h"
#include "server/base/log.h"
#include "server/jobs/jobs.h"
#include "server/meshes/registry.h"
#include "server/store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define READ_BYTES ((size_t)64 << 10)
#define TEXT_BYTES_MAX ((size_t)16 << 20)

nav_status startup_requeue(service *s, nav_error *err)
{
    store_name *names = NULL;
    size_t count = 0;
    nav_status status = store_queued_list(s->store, &names, &count, err);
    for (size_t i = 0; status == NAV_OK && i < count; i++) {
        if (names[i].mesh[0] == '\0') {
            log_error("bake_not_resumed", "version=%u detail=\"%s\"", names[i].version,
                      STARTUP_NAME_DAMAGED);
            continue;
        }
        log_info("bake_resumed", "mesh=%s version=%u", names[i].mesh, names[i].version);
        if (jobs_submit(s->jobs, names[i].mesh, names[i].version) != NAV_OK) {
            status = nav_fail(err, NAV_NO_MEMORY, "no memory to queue the bakes");
        }
    }
    free(names);
    return status;
}

// ---- files ----

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
    if (fd >= 0 && !proto_format_of_file(file, format)) {
        (void)close(fd);
        return nav_fail(err, PROTO_MEDIA_TYPE,
                        "%.80s must end in .obj, .json or .navg, the formats that are read", file);
    }
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

nav_status startup_check_file(const char *file, nav_error *err)
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

nav_status startup_read_text(const char *file, char **out, nav_error *err)
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
    text[got] = '\0';
    *out = text;
    return NAV_OK;
}

nav_status startup_blame_file(const option_mesh *mesh, const nav_error *why, nav_error *err)
{
    nav_error made = *why;
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

nav_status startup_upload_file(service *s, const option_mesh *mesh, const proto_arg *args,
                               size_t arg_count, const char *config, bool restart,
                               upload_outcome *out, nav_error *err)
{
    nav_error why = {0};
    nav_status status = upload_file(s, mesh, args, arg_count, config, restart, out, &why);
    return status == NAV_OK ? NAV_OK : startup_blame_file(mesh, &why, err);
}

nav_status startup_upload(service *s, const options *o, void (*done)(void *user), void *user,
                          uint32_t *pending, nav_error *err)
{
    *pending = 0;
    for (size_t i = 0; i < o->meshes.count; i++) {
        option_mesh mesh = options_mesh(o->meshes.items[i]);
        upload_outcome outcome;
        nav_status status = startup_upload_file(s, &mesh, NULL, 0, NULL, true, &outcome, err);
        if (status != NAV_OK) {
            return status;
        }
        if (!outcome.left) {
            log_info("mesh_file", "mesh=%s version=%u stored=%s", mesh.name, outcome.version,
                     outcome.existing ? "before" : "now");
        }
        if (jobs_watch(s->jobs, mesh.name, outcome.version, done, user)) {
            (*pending)++;
        }
    }
    return NAV_OK;
}

// The first check that failed, with its sentence; the log says what to do. Without one status and
// err stay as they are.
static nav_status explain_checks(const char *name, const store_version *row, nav_status status,
                                 nav_error *err)
{
    nav_error ignored;
    proto_lines lines = {.prefix = ""};
    if (proto_lines_write(&lines, row->checks_json, NULL, &ignored) == NAV_OK &&
        lines.failed_checks > 0) {
        const char *end = memchr(lines.text.bytes, '\n', lines.text.size_bytes);
        const int length = (int)(end - lines.text.bytes);
        status = nav_fail(err, PROTO_CHECKS_FAILED, "mesh '%s' version %u: %.*s", name,
                          row->version, length, lines.text.bytes);
        log_error("mesh_fails_checks", "mesh=%s version=%u failed=%u detail=\"%.*s\" now=\"%s\"",
                  name, row->version, lines.failed_checks, length, lines.text.bytes,
                  "navmeshd bake --mesh NAME=FILE force=1 makes it live all the same; or start "
                  "without this mesh and change its checks");
    }
    proto_writer_free(&lines.text);
    return status;
}

// Why a mesh has nothing live: the newest version that failed, or that fails checks, says it best.
static nav_status explain(service *s, const char *name, nav_error *err)
{
    store_version *rows = NULL;
    size_t count = 0;
    nav_status status = store_version_list(s->store, name, &rows, &count, err);
    if (status != NAV_OK) {
        return status;
    }
    status = nav_fail(err, PROTO_VERSION_NOT_READY, "mesh '%s' has no live version", name);
    for (size_t i = count; i > 0 && status == PROTO_VERSION_NOT_READY; i--) {
        const store_version *row = &rows[i - 1];
        if (row->state == STORE_FAILED) {
            status = nav_fail(err, row->error.status, "mesh '%s': %s", name, row->error.detail);
        } else if (row->state == STORE_READY) {
            status = explain_checks(name, row, status, err);
        }
    }
    store_versions_free(rows, count);
    return status;
}

nav_status startup_check_meshes(service *s, const options *o, nav_error *err)
{
    for (size_t i = 0; i < o->meshes.count; i++) {
        uint32_t version;
        option_mesh wanted = options_mesh(o->meshes.items[i]);
        nav_mesh *mesh = registry_acquire(s->registry, wanted.name, &version);
        if (mesh == NULL) {
            return explain(s, wanted.name, err);
        }
        nav_mesh_release(mesh);
    }
    return NAV_OK;
}
