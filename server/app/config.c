// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// config.c: the configuration file, value by value through the table of options.c. The JSON itself
// is read by proto.

#include "server/app/options.h"

#include "proto/json/document.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_BYTES_MAX ((size_t)1 << 20)

typedef struct reading {
    options *options;
    option_faults *faults;
} reading;

static bool fits(const option_row *row, const proto_flat *value)
{
    switch (row->type) {
    case OPTION_TYPE_SWITCH:
        return value->kind == PROTO_FLAT_BOOL && value->index == NAV_NONE;
    case OPTION_TYPE_UINT:
    case OPTION_TYPE_NUMBER:
        return value->kind == PROTO_FLAT_NUMBER && value->index == NAV_NONE;
    case OPTION_TYPE_CHOICE:
    case OPTION_TYPE_TEXT:
        return value->kind == PROTO_FLAT_TEXT && value->index == NAV_NONE;
    case OPTION_TYPE_LIST:
        return value->kind == PROTO_FLAT_TEXT || value->kind == PROTO_FLAT_EMPTY;
    case OPTION_TYPE_ACTION:
        break;
    }
    return false;
}

static const char *wanted(const option_row *row)
{
    static const char *const words[] = {[OPTION_TYPE_SWITCH] = "true or false",
                                        [OPTION_TYPE_UINT] = "a number",
                                        [OPTION_TYPE_NUMBER] = "a number",
                                        [OPTION_TYPE_CHOICE] = "a string",
                                        [OPTION_TYPE_TEXT] = "a string",
                                        [OPTION_TYPE_LIST] = "a string or a list of strings",
                                        [OPTION_TYPE_ACTION] = "left to the command line"};
    NAV_ASSERT((size_t)row->type < sizeof words / sizeof words[0]);
    return words[row->type];
}

static void take_value(void *user, const proto_flat *value)
{
    const reading *r = user;
    char where[160];
    nav_error err = {0};
    nav_status status = NAV_OK;
    (void)snprintf(where, sizeof where, "%.90s: %.60s", r->options->config, value->key);
    const option_row *row = options_find_key(value->key);
    if (row == NULL) {
        status = nav_fail(&err, PROTO_UNKNOWN_FIELD, "%s: there is no such option", where);
        nav_error_at(&err, "%.90s", value->key);
    } else if (!fits(row, value)) {
        status = nav_fail(&err, NAV_INVALID_FIELD, "%s: must be %s, not %.40s", where, wanted(row),
                          value->text);
        nav_error_at(&err, "%.90s", value->key);
        nav_error_got(&err, "%.60s", value->text);
    } else if (value->kind != PROTO_FLAT_EMPTY) {
        status = options_take(r->options, row, where, value->text, &err);
    }
    if (status != NAV_OK) {
        options_fault(r->faults, &err);
    }
}

// A file of at most FILE_BYTES_MAX; malloc'ed.
static nav_status read_file(const char *path, char **out, size_t *size_bytes, nav_error *err)
{
    struct stat info;
    // A pipe that nobody writes to would hold up the start.
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &info) != 0) {
        nav_fail(err, NAV_INVALID_FIELD, "--config %.120s: %s", path, strerror(errno));
        if (fd >= 0) {
            (void)close(fd);
        }
        return NAV_INVALID_FIELD;
    }
    if (!S_ISREG(info.st_mode) || (uint64_t)info.st_size > FILE_BYTES_MAX) {
        (void)close(fd);
        return nav_fail(err, NAV_INVALID_FIELD,
                        "--config %.120s: not a regular file of at most %zu bytes", path,
                        FILE_BYTES_MAX);
    }
    size_t size = (size_t)info.st_size, used = 0;
    char *bytes = malloc(size + 1);
    ssize_t got = 1;
    while (bytes != NULL && used < size && got > 0) {
        got = read(fd, bytes + used, size - used);
        used += got > 0 ? (size_t)got : 0;
    }
    (void)close(fd);
    if (bytes == NULL || got < 0) {
        free(bytes);
        return nav_fail(err, NAV_NO_MEMORY, "--config %.120s: cannot be read", path);
    }
    NAV_ASSERT(used <= size);
    *out = bytes;
    *size_bytes = used;
    return NAV_OK;
}

void config_read(options *o, option_faults *faults)
{
    char *json = NULL;
    size_t size_bytes = 0;
    NAV_ASSERT(o->config != NULL);
    nav_error err = {0};
    nav_status status = read_file(o->config, &json, &size_bytes, &err);
    if (status != NAV_OK) {
        options_fault(faults, &err);
        return;
    }
    reading r = {.options = o, .faults = faults};
    nav_error why = {0};
    status = proto_flat_read(json, size_bytes, take_value, &r, &why);
    if (status != NAV_OK) {
        nav_fail(&err, status, "%.90s: %.150s", o->config, why.detail);
        nav_error_at(&err, "%.90s", why.at);
        options_fault(faults, &err);
    }
    free(json);
}
