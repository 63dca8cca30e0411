// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// mesh_file.c: files of geometry, read piece by piece into an upload, or into a reader that only
// checks them; and the settings and checks that belong to them.

#include "server/app/mesh_file.h"

#include "proto/detour/detour.h"
#include "proto/json/document.h"
#include "server/base/file.h"
#include "server/base/log.h"
#include "server/meshes/checks.h"
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

static nav_status feed_upload(void *user, const void *bytes, size_t size_bytes, nav_error *err)
{
    return upload_feed(user, bytes, size_bytes, err);
}

static nav_status feed_reader(void *user, const void *bytes, size_t size_bytes, nav_error *err)
{
    return proto_geometry_feed(user, bytes, size_bytes, err);
}

nav_status mesh_file_pour(FILE *in, const char *file, mesh_file_sink *sink, void *user,
                          nav_error *err)
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

nav_status mesh_file_open(const char *file, FILE **in, proto_format *format, nav_error *err)
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

nav_status mesh_file_read_text(const char *file, char **out, nav_error *err)
{
    nav_error why = {0};
    size_t size_bytes;
    nav_status status = file_read(file, TEXT_BYTES_MAX, out, &size_bytes, NULL, &why);
    return status == NAV_OK
               ? NAV_OK
               : nav_fail(err, status, "%.100s cannot be read: %.120s", file, why.detail);
}

// ---- faults ----

// Fails with *why, the mesh and the file before its sentence. A long path loses its front, so that
// the reason stays whole. file NULL: the sentence tells.
static nav_status blame(const option_mesh *mesh, const char *file, const nav_error *why,
                        nav_error *err)
{
    nav_error made = *why;
    NAV_ASSERT(why->status != NAV_OK);
    const char *between = file != NULL ? ": " : "";
    file = file != NULL ? file : "";
    const size_t taken = sizeof ": : " + strlen(mesh->origin) + strlen(why->detail);
    const size_t room = taken < sizeof made.detail ? sizeof made.detail - taken : 0;
    const size_t length = strlen(file);
    const size_t cut = length > room ? length - room : 0;
    if (room > 0) {
        (void)snprintf(made.detail, sizeof made.detail, "%s: %s%s%.*s", mesh->origin, file + cut,
                       between, (int)strlen(why->detail), why->detail);
    }
    if (err != NULL) {
        *err = made;
    }
    return why->status;
}

// ---- settings ----

// Whether settings (NULL: the defaults), which args override, are right. *coordinates (may be NULL)
// are the level's.
static nav_status check_settings(const char *json, const proto_arg *args, size_t arg_count,
                                 nav_coordinates *coordinates, nav_error *err)
{
    nav_arena memory;
    proto_upload_request request;
    nav_arena_init(&memory, NULL, LIMIT_CONFIG_MEMORY_BYTES);
    nav_status status = proto_upload_request_read(args, arg_count, json, &memory, &request, err);
    if (status == NAV_OK && coordinates != NULL) {
        *coordinates = request.config.coordinates;
    }
    nav_arena_free(&memory);
    return status;
}

nav_status mesh_file_read_settings(const char *file, char **out, nav_error *err)
{
    nav_error why = {0};
    nav_status status = mesh_file_read_text(file, out, err);
    if (status == NAV_OK && check_settings(*out, NULL, 0, NULL, &why) != NAV_OK) {
        proto_document_tell_line(*out, strlen(*out), &why);
        free(*out);
        *out = NULL;
        status = nav_fail(err, why.status, "--settings %.80s: %.160s", file, why.detail);
        nav_error_at(err, "%s", why.at);
        nav_error_suggest(err, "%s", why.suggest);
    }
    return status;
}

// The settings of a mesh, for free; *out is NULL where it has none.
static nav_status read_settings(const option_mesh *mesh, char **out, nav_error *err)
{
    nav_error why = {0};
    nav_status status = NAV_OK;
    *out = NULL;
    if (mesh->settings_file != NULL) {
        status = mesh_file_read_text(mesh->settings_file, out, &why);
    } else if (mesh->settings != NULL && (*out = strdup(mesh->settings)) == NULL) {
        status = nav_fail(&why, NAV_NO_MEMORY, "no memory to read the settings");
    }
    if (status == NAV_OK && *out != NULL) {
        status = check_settings(*out, NULL, 0, NULL, &why);
    }
    if (status == NAV_OK) {
        return NAV_OK;
    }
    if (*out != NULL && mesh->settings_file != NULL) {
        proto_document_tell_line(*out, strlen(*out), &why);
    }
    free(*out);
    *out = NULL;
    return blame(mesh, mesh->settings_file != NULL ? mesh->settings_file : "settings", &why, err);
}

// ---- checks ----

// The checks of a mesh in the form in which the store has them, for free; *out is NULL where it has
// no file of them.
static nav_status read_checks(const option_mesh *mesh, char **out, nav_error *err)
{
    nav_error why = {0};
    char *sent = NULL;
    *out = NULL;
    if (mesh->checks_file == NULL) {
        return NAV_OK;
    }
    nav_status status = mesh_file_read_text(mesh->checks_file, &sent, &why);
    if (status == NAV_OK) {
        status = checks_read_sent(sent, strlen(sent), out, &why);
        if (status != NAV_OK) {
            proto_document_tell_line(sent, strlen(sent), &why);
        }
    }
    free(sent);
    return status == NAV_OK ? NAV_OK : blame(mesh, mesh->checks_file, &why, err);
}

nav_status mesh_file_set_checks(service *s, const option_mesh *mesh, nav_error *err)
{
    char *wanted, *now = NULL;
    nav_status status = read_checks(mesh, &wanted, err);
    if (status != NAV_OK || wanted == NULL) {
        return status;
    }
    status = store_checks_get(s->store, mesh->name, &now, err);
    // Those that are damaged are set anew.
    if (status == PROTO_INTERNAL ||
        (status == NAV_OK && (now == NULL || strcmp(now, wanted) != 0))) {
        status = store_checks_set(s->store, mesh->name, wanted, err);
        if (status == NAV_OK) {
            log_info("checks_set", "mesh=%s file=\"%s\"", mesh->name, mesh->checks_file);
        }
    }
    free(now);
    free(wanted);
    return status;
}

// ---- geometry ----

// By settings of the mesh's own, or by those within the geometry.
static nav_status check_geometry(const char *file, const char *settings, nav_error *err)
{
    FILE *in;
    proto_format format;
    nav_status status = mesh_file_open(file, &in, &format, err);
    if (status != NAV_OK) {
        return status;
    }
    proto_geometry_reader *reader = NULL;
    nav_geometry geometry;
    nav_coordinates coordinates;
    proto_geometry_limits limits = proto_geometry_limits_default();
    limits.coordinate_max = PROTO_LEVEL_COORDINATE_MAX;
    status = proto_geometry_begin(format, &limits, &reader, err);
    NAV_IF_OK(status, mesh_file_pour(in, file, feed_reader, reader, err));
    NAV_IF_OK(status, proto_geometry_end(reader, &geometry, err));
    if (status == NAV_OK) {
        const char *own = proto_geometry_config(reader);
        status = check_settings(settings != NULL ? settings : own, NULL, 0, &coordinates, err);
    }
    NAV_IF_OK(status, proto_geometry_to_mesh(reader, coordinates, err));
    size_t source_bytes;
    const void *source = status == NAV_OK ? proto_geometry_source(reader, &source_bytes) : NULL;
    proto_detour *tiles = NULL;
    if (source != NULL) {
        status = proto_detour_open(source, source_bytes, NULL, &tiles, err);
        proto_detour_close(tiles);
    }
    proto_geometry_destroy(reader);
    (void)fclose(in);
    return status;
}

static nav_status check_parts(const option_mesh *mesh, const char *settings, nav_error *err)
{
    nav_coordinates coordinates;
    nav_geometry geometry;
    proto_parts *parts = NULL;
    proto_geometry_limits limits = proto_geometry_limits_default();
    limits.coordinate_max = PROTO_LEVEL_COORDINATE_MAX;
    nav_status status = check_settings(settings, NULL, 0, &coordinates, err);
    NAV_IF_OK(status, proto_parts_create(&limits, &parts, err));
    NAV_IF_OK(status, mesh_parts_read(NULL, mesh, coordinates, parts, err));
    NAV_IF_OK(status, proto_parts_place(parts, coordinates, &geometry, err));
    NAV_IF_OK(status, proto_parts_to_mesh(parts, coordinates, err));
    proto_parts_destroy(parts);
    return status;
}

nav_status mesh_file_check(const option_mesh *mesh, nav_error *err)
{
    char *settings = NULL, *checks = NULL;
    nav_error why = {0};
    nav_status status = read_settings(mesh, &settings, err);
    NAV_IF_OK(status, read_checks(mesh, &checks, err));
    if (status == NAV_OK) {
        status = mesh->file != NULL ? check_geometry(mesh->file, settings, &why)
                                    : check_parts(mesh, settings, &why);
        status = status == NAV_OK ? NAV_OK : blame(mesh, mesh->file, &why, err);
    }
    free(checks);
    free(settings);
    return status;
}

static nav_status feed_file(const char *file, upload *u, nav_error *err)
{
    FILE *in;
    proto_format format;
    nav_status status = mesh_file_open(file, &in, &format, err);
    if (status == NAV_OK) {
        status = mesh_file_pour(in, file, feed_upload, u, err);
        (void)fclose(in);
    }
    return status;
}

static nav_status feed_parts(service *s, const option_mesh *mesh, const proto_arg *args,
                             size_t arg_count, const char *config, upload *u, nav_error *err)
{
    nav_coordinates coordinates;
    nav_status status = check_settings(config, args, arg_count, &coordinates, err);
    return status == NAV_OK ? mesh_parts_read(s, mesh, coordinates, upload_parts(u), err) : status;
}

static nav_status upload_files(service *s, const option_mesh *mesh, const proto_arg *args,
                               size_t arg_count, const char *config, bool restart,
                               upload_outcome *out, nav_error *err)
{
    const proto_format format =
        mesh->file != NULL ? proto_format_of_file(mesh->file) : PROTO_FORMAT_PARTS;
    upload *u = NULL;
    nav_status status = upload_open(s, mesh->name, format, false, &u, err);
    NAV_IF_OK(status, mesh->file != NULL ? feed_file(mesh->file, u, err)
                                         : feed_parts(s, mesh, args, arg_count, config, u, err));
    if (status == NAV_OK) {
        upload_use_config(u, config);
        if (mesh->replace) {
            upload_replace_settings(u);
        }
        status = upload_finish(u, args, arg_count, restart, out, err);
    }
    upload_close(u);
    return status;
}

nav_status mesh_file_upload(service *s, const option_mesh *mesh, const proto_arg *args,
                            size_t arg_count, const char *config, bool restart, upload_outcome *out,
                            nav_error *err)
{
    nav_error why = {0};
    char *settings;
    nav_status status = read_settings(mesh, &settings, err);
    if (status != NAV_OK) {
        return status;
    }
    status = upload_files(s, mesh, args, arg_count, settings != NULL ? settings : config, restart,
                          out, &why);
    free(settings);
    return status == NAV_OK ? NAV_OK : blame(mesh, mesh->file, &why, err);
}
