// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// config_text.h: settings as text, and settings that are refused.

#pragma once

#include "proto/settings/config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "proto/settings/settings.h"

// The settings in one form; the caller frees it.
static inline char *config_text(const nav_config *config)
{
    proto_writer w;
    proto_writer_init(&w);
    proto_write_config(&w, config);
    size_t size_bytes;
    char *text = proto_writer_take(&w, &size_bytes);
    assert_non_null(text);
    return text;
}

static inline void assert_config(const nav_config *config, const char *wanted)
{
    char *text = config_text(config);
    assert_string_equal(text, wanted);
    free(text);
}

typedef struct refused_config {
    const char *json;
    nav_status status;
    const char *at;
} refused_config;

// The settings stay untouched, also by members that come before the error.
static inline void assert_config_refused(const refused_config *c, nav_arena *memory)
{
    nav_config config = nav_config_default();
    char *untouched = config_text(&config);
    nav_error err = {0};
    const nav_status status = proto_config_read(c->json, strlen(c->json), memory, &config, &err);
    if (status != c->status || strcmp(err.at, c->at) != 0) {
        fail_msg("%s gave %s at %s", c->json, proto_status_word(status), err.at);
    }
    assert_config(&config, untouched);
    free(untouched);
}

// One argument over settings without lists. *known tells whether it is a setting at all; if not,
// NAV_OK and untouched.
static inline nav_status config_argument(const proto_arg *arg, nav_config *config, bool *known,
                                         nav_error *err)
{
    nav_error why = {0};
    nav_arena memory;
    const proto_arg_table nothing = {0};
    nav_arena_init(&memory, NULL, 1u << 16);
    const nav_status status = proto_settings_read("{}", 2, arg, 1, &nothing, &memory, config, &why);
    nav_arena_free(&memory);
    *known = status != PROTO_UNKNOWN_FIELD;
    if (err != NULL) {
        *err = why;
    }
    return *known ? status : NAV_OK;
}
