// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// mesh_file.c: files of geometry, read piece by piece into an upload, which is stored or only
// checked; and the settings and checks that belong to them.

#include "server/app/mesh_file.h"

#include "proto/json/document.h"
#include "server/base/file.h"
#include "server/base/log.h"
#include "server/meshes/checks.h"
#include "server/store/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TEXT_BYTES_MAX ((size_t)16 << 20)

static nav_status feed_upload(void *user, const void *bytes, size_t size_bytes, nav_error *err)
{
    return upload_feed(user, bytes, size_bytes, err);
}

static nav_status read_text(const char *file, char **out, nav_error *err)
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
// the reason stays whole. file NULL: the sentence names it.
static nav_status blame(const option_mesh *mesh, const char *file, const nav_error *why,
                        nav_error *err)
{
    nav_error made = *why;
    NAV_ASSERT(why->status != NAV_OK);
    const char *between = file != NULL ? ": " : "";
    file = file != NULL ? file : "";
    const size_t taken = sizeof ": : " + strlen(mesh->origin) + strlen(why->detail);
    const size_t space = taken < sizeof made.detail ? sizeof made.detail - taken : 0;
    const size_t length = strlen(file);
    const size_t cut = length > space ? length - space : 0;
    if (space > 0) {
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
    nav_status status = read_text(file, out, err);
    if (status == NAV_OK && check_settings(*out, NULL, 0, NULL, &why) != NAV_OK) {
        proto_document_say_line(*out, strlen(*out), &why);
        free(*out);
        *out = NULL;
        status = nav_fail_at(err, why.status, why.at, "--settings %.80s: %.160s", file, why.detail);
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
        status = read_text(mesh->settings_file, out, &why);
    } else if (mesh->settings != NULL && (*out = strdup(mesh->settings)) == NULL) {
        status = nav_fail(&why, NAV_NO_MEMORY, "no memory to read the settings");
    }
    NAV_IF_OK(status, *out != NULL ? check_settings(*out, NULL, 0, NULL, &why) : NAV_OK);
    if (status == NAV_OK) {
        return NAV_OK;
    }
    if (*out != NULL && mesh->settings_file != NULL) {
        proto_document_say_line(*out, strlen(*out), &why);
    }
    free(*out);
    *out = NULL;
    return blame(mesh, mesh->settings_file != NULL ? mesh->settings_file : "settings", &why, err);
}

// ---- checks ----

nav_status mesh_file_read_checks(const char *file, char **out, nav_error *err)
{
    char *sent = NULL;
    nav_status status = read_text(file, &sent, err);
    if (status == NAV_OK) {
        status = checks_read_sent(sent, strlen(sent), out, err);
        if (status != NAV_OK) {
            proto_document_say_line(sent, strlen(sent), err);
        }
    }
    free(sent);
    return status;
}

// *out is NULL where the mesh has no file of them.
static nav_status read_checks(const option_mesh *mesh, char **out, nav_error *err)
{
    nav_error why = {0};
    *out = NULL;
    return mesh->checks_file == NULL ||
                   mesh_file_read_checks(mesh->checks_file, out, &why) == NAV_OK
               ? NAV_OK
               : blame(mesh, mesh->checks_file, &why, err);
}

nav_status mesh_file_set_checks(service *s, const option_mesh *mesh, nav_error *err)
{
    char *wanted, *now = NULL;
    nav_status status = read_checks(mesh, &wanted, err);
    if (status != NAV_OK || wanted == NULL) {
        return status;
    }
    status = store_checks_get(s->store, mesh->name, &now, err);
    // Damaged checks are set anew.
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

static nav_status feed_file(const char *file, upload *u, nav_error *err)
{
    int fd;
    struct stat info;
    nav_error why = {0};
    if (file_open(file, &fd, &info, &why) != NAV_OK) {
        return nav_fail(err, why.status, "%.100s cannot be read: %.120s", file, why.detail);
    }
    nav_status status = file_feed(fd, feed_upload, u, err);
    (void)close(fd);
    return status;
}

static nav_status feed_parts(service *s, const option_mesh *mesh, const proto_arg *args,
                             size_t arg_count, const char *config, upload *u, nav_error *err)
{
    nav_coordinates coordinates;
    nav_status status = check_settings(config, args, arg_count, &coordinates, err);
    return status == NAV_OK ? mesh_parts_read(s, mesh, coordinates, upload_parts(u), err) : status;
}

// An upload of the mesh's files that is still to be finished, or checked.
static nav_status feed_mesh(service *s, const option_mesh *mesh, const proto_arg *args,
                            size_t arg_count, const char *config, upload **out, nav_error *err)
{
    const proto_format format =
        mesh->file != NULL ? proto_format_of_file(mesh->file) : PROTO_FORMAT_PARTS;
    nav_status status = upload_open(s, mesh->name, format, false, out, err);
    NAV_IF_OK(status, mesh->file != NULL ? feed_file(mesh->file, *out, err)
                                         : feed_parts(s, mesh, args, arg_count, config, *out, err));
    if (status == NAV_OK) {
        upload_use_config(*out, config);
    }
    return status;
}

nav_status mesh_file_check(const option_mesh *mesh, const service_limits *limits, nav_error *err)
{
    service s = {.limits = *limits}; // without a store
    char *settings = NULL, *checks = NULL;
    upload *u = NULL;
    nav_error why = {0};
    nav_status status = read_settings(mesh, &settings, err);
    NAV_IF_OK(status, read_checks(mesh, &checks, err));
    if (status == NAV_OK) {
        status = feed_mesh(&s, mesh, NULL, 0, settings, &u, &why);
        NAV_IF_OK(status, upload_check(u, &why));
        status = status == NAV_OK ? NAV_OK : blame(mesh, mesh->file, &why, err);
    }
    upload_close(u);
    free(checks);
    free(settings);
    return status;
}

nav_status mesh_file_upload(service *s, const option_mesh *mesh, const proto_arg *args,
                            size_t arg_count, const char *config, bool restart, upload_outcome *out,
                            nav_error *err)
{
    nav_error why = {0};
    char *settings;
    upload *u = NULL;
    nav_status status = read_settings(mesh, &settings, err);
    if (status != NAV_OK) {
        return status;
    }
    config = settings != NULL ? settings : config;
    status = feed_mesh(s, mesh, args, arg_count, config, &u, &why);
    if (status == NAV_OK) {
        if (mesh->replace) {
            upload_replace_settings(u);
        }
        status = upload_finish(u, args, arg_count, restart, out, &why);
    }
    upload_close(u);
    free(settings);
    return status == NAV_OK ? NAV_OK : blame(mesh, mesh->file, &why, err);
}
