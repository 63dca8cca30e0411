// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// config.c: the configuration file, value by value through the table of options.c. The JSON itself
// is read by proto.

#include "server/app/options.h"

#include "proto/base/suggest.h"
#include "proto/json/document.h"
#include "server/base/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    case OPTION_TYPE_OBJECTS:
        return value->kind == PROTO_FLAT_OBJECT || value->kind == PROTO_FLAT_EMPTY;
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
                                        [OPTION_TYPE_OBJECTS] = "a list of objects",
                                        [OPTION_TYPE_ACTION] = "left to the command line"};
    NAV_ASSERT((size_t)row->type < sizeof words / sizeof words[0]);
    return words[row->type];
}

// The options are named as in the file: with '_'.
static void suggest_key(const char *key, nav_error *err)
{
    size_t count;
    const option_row *rows = options_rows(&count);
    proto_suggestion meant = proto_suggest(key, strlen(key));
    for (size_t i = 0; i < count; i++) {
        char name[PROTO_SUGGEST_BYTES];
        (void)snprintf(name, sizeof name, "%s", rows[i].name);
        for (char *at = name; (at = strchr(at, '-')) != NULL;) {
            *at = '_';
        }
        if (options_find_key(name) != NULL) {
            proto_suggest_offer(&meant, name, strlen(name));
        }
    }
    proto_suggest_say(&meant, err);
}

// "navmeshd.json, line 2: workers", "navmeshd.json, line 7: meshes[1]".
static void write_place(const reading *r, const proto_flat *value, char where[160])
{
    char index[16] = "";
    if (value->kind == PROTO_FLAT_OBJECT) {
        (void)snprintf(index, sizeof index, "[%u]", value->index != NAV_NONE ? value->index : 0);
    }
    (void)snprintf(where, 160, "%.70s, line %u: %.40s%s", r->options->config, value->line,
                   value->key, index);
}

static void take_value(void *user, const proto_flat *value)
{
    const reading *r = user;
    char where[160];
    nav_error err = {0};
    nav_status status = NAV_OK;
    const bool is_object = value->kind == PROTO_FLAT_OBJECT;
    const char *got = is_object ? "an object" : value->text;
    write_place(r, value, where);
    const option_row *row = options_find_key(value->key);
    if (row == NULL) {
        status = nav_fail_at(&err, PROTO_UNKNOWN_FIELD, value->key, "%s: there is no such option",
                             where);
        suggest_key(value->key, &err);
    } else if (!fits(row, value)) {
        status = nav_fail_at(&err, NAV_INVALID_FIELD, value->key, "%s: must be %s, not %.40s",
                             where, wanted(row), got);
        nav_error_got(&err, "%.60s", got);
    } else if (value->kind != PROTO_FLAT_EMPTY) {
        status = options_take(r->options, row, where, value->text, &err);
    }
    if (status != NAV_OK) {
        options_fault(r->faults, &err);
    }
}

void config_read(options *o, option_faults *faults)
{
    char *json = NULL;
    size_t size_bytes = 0;
    NAV_ASSERT(o->config != NULL);
    nav_error err = {0}, why = {0};
    nav_status status = file_read(o->config, FILE_BYTES_MAX, &json, &size_bytes, NULL, &why);
    if (status != NAV_OK) {
        nav_fail(&err, status, "--config %.120s: %.150s", o->config, why.detail);
        options_fault(faults, &err);
        return;
    }
    reading r = {.options = o, .faults = faults};
    status = proto_flat_read(json, size_bytes, take_value, &r, &why);
    if (status != NAV_OK) {
        proto_document_say_line(json, size_bytes, &why);
        nav_fail_at(&err, status, why.at, "%.90s: %.150s", o->config, why.detail);
        options_fault(faults, &err);
    }
    free(json);
}
