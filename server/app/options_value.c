// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// options_value.c: one value into struct options, as the row of its option says; and the list of
// faults.

#include "server/app/options.h"

#include "proto/base/suggest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void store(options *o, const option_row *row, const void *value)
{
    memcpy((char *)o + row->offset, value, row->size_bytes);
}

// Digits, point and exponent only; strtod alone would take "0x10" and " 1".
static bool number_of(const char *text, double *out)
{
    char *end = NULL;
    if (text[0] < '0' || text[0] > '9' || text[strspn(text, "0123456789.eE+-")] != '\0') {
        return false;
    }
    *out = strtod(text, &end);
    return *end == '\0' && isfinite(*out);
}

static nav_status take_number(options *o, const option_row *row, const char *text, nav_error *err)
{
    bool whole = row->type == OPTION_TYPE_UINT;
    NAV_ASSERT(row->min < row->max && (!whole || row->max <= UINT32_MAX));
    double number = 0;
    if (!number_of(text, &number) || number < row->min || number > row->max ||
        (whole && floor(number) != number)) {
        nav_fail(err, NAV_INVALID_FIELD, "write a %snumber from %.10g to %.10g",
                 whole ? "whole " : "", row->min, row->max);
        return NAV_INVALID_FIELD;
    }
    if (whole) {
        store(o, row, &(uint32_t){(uint32_t)number});
    } else {
        store(o, row, &number);
    }
    return NAV_OK;
}

static nav_status take_choice(options *o, const option_row *row, const char *text, nav_error *err)
{
    char words[96] = "";
    NAV_ASSERT(row->type == OPTION_TYPE_CHOICE && row->words[0] != NULL);
    for (unsigned i = 0; row->words[i] != NULL; i++) {
        if (strcmp(row->words[i], text) == 0) {
            store(o, row, &i);
            return NAV_OK;
        }
        size_t used = strlen(words);
        (void)snprintf(words + used, sizeof words - used, "%s%s", i > 0 ? ", " : "", row->words[i]);
    }
    nav_fail(err, NAV_INVALID_FIELD, "write one of: %s", words);
    proto_suggestion meant = proto_suggest(text, strlen(text));
    for (unsigned i = 0; row->words[i] != NULL; i++) {
        proto_suggest_offer(&meant, row->words[i], strlen(row->words[i]));
    }
    proto_suggest_say(&meant, err);
    return NAV_INVALID_FIELD;
}

char *options_keep_text(nav_arena *memory, const char *text)
{
    const size_t size_bytes = strlen(text) + 1;
    char *copy = nav_arena_alloc(memory, size_bytes, 1);
    return copy != NULL ? memcpy(copy, text, size_bytes) : NULL;
}

option_list options_list_of(const options *o, const option_row *row)
{
    option_list list;
    NAV_ASSERT(options_row_is_list(row));
    memcpy(&list, (const char *)o + row->offset, sizeof list);
    return list;
}

static nav_status take_item(options *o, const option_row *row, const char *text, nav_error *err)
{
    option_list list = options_list_of(o, row);
    NAV_ASSERT(row->check != NULL && row->max >= 1);
    if ((double)list.count >= row->max) {
        return nav_fail(err, NAV_INVALID_FIELD, "there are already %g", row->max);
    }
    nav_status status = row->check(text, err);
    if (status != NAV_OK) {
        return status;
    }
    const char *copy = options_keep_text(&o->memory, text);
    list.items =
        nav_arena_grow(&o->memory, list.items, list.count, list.count + 1, sizeof *list.items);
    if (copy == NULL || list.items == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory for the options");
    }
    list.items[list.count++] = copy;
    store(o, row, &list);
    return NAV_OK;
}

static nav_status take_value(options *o, const option_row *row, const char *text, nav_error *err)
{
    switch (row->type) {
    case OPTION_TYPE_SWITCH: {
        bool on = text == NULL || strcmp(text, "true") == 0;
        if (!on && strcmp(text, "false") != 0) {
            return nav_fail(err, NAV_INVALID_FIELD, "write true or false");
        }
        store(o, row, &on);
        return NAV_OK;
    }
    case OPTION_TYPE_UINT:
    case OPTION_TYPE_NUMBER:
        return take_number(o, row, text, err);
    case OPTION_TYPE_CHOICE:
        return take_choice(o, row, text, err);
    case OPTION_TYPE_TEXT:
        if (text[0] == '\0') {
            return nav_fail(err, NAV_INVALID_FIELD, "a value is missing");
        }
        const char *copy = options_keep_text(&o->memory, text);
        if (copy == NULL) {
            return nav_fail(err, NAV_NO_MEMORY, "no memory for the options");
        }
        store(o, row, &copy);
        return NAV_OK;
    case OPTION_TYPE_LIST:
    case OPTION_TYPE_OBJECTS:
        return take_item(o, row, text, err);
    case OPTION_TYPE_ACTION:
        o->action = (option_action)row->fallback;
        break;
    }
    return NAV_OK;
}

nav_status options_take(options *o, const option_row *row, const char *where, const char *text,
                        nav_error *err)
{
    nav_error why = {0};
    nav_status status = take_value(o, row, text, &why);
    if (status != NAV_OK && row->type == OPTION_TYPE_OBJECTS) {
        nav_fail(err, status, "%s: %.150s", where, why.detail);
        nav_error_at(err, "%s.%.60s", row->name, why.at);
        nav_error_got(err, "%.60s", why.got);
        memcpy(err->suggest, why.suggest, sizeof err->suggest);
    } else if (status != NAV_OK) {
        nav_fail_at(err, status, row->name, "%s %.60s: %.150s", where, text != NULL ? text : "",
                    why.detail);
        nav_error_got(err, "%.60s", text != NULL ? text : "");
        nav_error_suggest(err, "%s", why.suggest);
    }
    return status;
}

void options_take_default(options *o, const option_row *row)
{
    switch (row->type) {
    case OPTION_TYPE_UINT:
    case OPTION_TYPE_CHOICE:
        store(o, row, &(uint32_t){(uint32_t)row->fallback});
        break;
    case OPTION_TYPE_NUMBER:
        store(o, row, &row->fallback);
        break;
    case OPTION_TYPE_SWITCH:
        store(o, row, &(bool){row->fallback != 0});
        break;
    case OPTION_TYPE_TEXT:
        store(o, row, &row->fallback_text);
        break;
    case OPTION_TYPE_LIST:
    case OPTION_TYPE_OBJECTS:
        store(o, row, &(option_list){0});
        break;
    case OPTION_TYPE_ACTION:
        break;
    }
}

void options_fault(option_faults *faults, const nav_error *err)
{
    if (faults->count < OPTION_FAULTS_MAX) {
        faults->items[faults->count] = *err;
    }
    faults->count++;
}
