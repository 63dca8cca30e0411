// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// options_read.c: defaults, the file of --config and the command line into struct options, value by
// value through the table of options.c. No socket or database is opened here.

#include "server/app/options.h"

#include "proto/base/suggest.h"
#include "server/http/listen.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- one value ----

static void store(options *o, const option_row *row, const void *bytes, size_t size_bytes)
{
    NAV_ASSERT(row->type != OPTION_TYPE_ACTION && row->offset + size_bytes <= sizeof *o);
    memcpy((char *)o + row->offset, bytes, size_bytes);
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
        store(o, row, &(uint32_t){(uint32_t)number}, sizeof(uint32_t));
    } else {
        store(o, row, &number, sizeof number);
    }
    return NAV_OK;
}

static nav_status take_choice(options *o, const option_row *row, const char *text, nav_error *err)
{
    char words[96] = "";
    NAV_ASSERT(row->type == OPTION_TYPE_CHOICE && row->words[0] != NULL);
    for (unsigned i = 0; row->words[i] != NULL; i++) {
        if (strcmp(row->words[i], text) == 0) {
            store(o, row, &i, sizeof i);
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
    proto_suggest_tell(&meant, err);
    return NAV_INVALID_FIELD;
}

static nav_status take_switch(options *o, const option_row *row, const char *text, nav_error *err)
{
    bool on = text == NULL || strcmp(text, "true") == 0;
    if (!on && strcmp(text, "false") != 0) {
        return nav_fail(err, NAV_INVALID_FIELD, "write true or false");
    }
    store(o, row, &on, sizeof on);
    return NAV_OK;
}

static const char *copy_text(options *o, const char *text, nav_error *err)
{
    size_t size_bytes = strlen(text) + 1;
    char *copy = nav_arena_alloc(&o->memory, size_bytes, 1);
    if (copy == NULL) {
        (void)nav_fail(err, NAV_NO_MEMORY, "no memory for the options");
        return NULL;
    }
    memcpy(copy, text, size_bytes);
    return copy;
}

static nav_status take_text(options *o, const option_row *row, const char *text, nav_error *err)
{
    if (text[0] == '\0') {
        return nav_fail(err, NAV_INVALID_FIELD, "a value is missing");
    }
    const char *copy = copy_text(o, text, err);
    if (copy == NULL) {
        return NAV_NO_MEMORY;
    }
    store(o, row, &copy, sizeof copy);
    return NAV_OK;
}

static option_list list_of(const options *o, const option_row *row)
{
    option_list list;
    NAV_ASSERT(options_row_is_list(row));
    memcpy(&list, (const char *)o + row->offset, sizeof list);
    return list;
}

static nav_status take_item(options *o, const option_row *row, const char *text, nav_error *err)
{
    option_list list = list_of(o, row);
    NAV_ASSERT(row->check != NULL && row->max >= 1);
    if ((double)list.count >= row->max) {
        return nav_fail(err, NAV_INVALID_FIELD, "there are already %g", row->max);
    }
    nav_status status = row->check(text, err);
    if (status != NAV_OK) {
        return status;
    }
    const char *copy = copy_text(o, text, err);
    list.items =
        nav_arena_grow(&o->memory, list.items, list.count, list.count + 1, sizeof *list.items);
    if (copy == NULL || list.items == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory for the options");
    }
    list.items[list.count++] = copy;
    store(o, row, &list, sizeof list);
    return NAV_OK;
}

static nav_status take_value(options *o, const option_row *row, const char *text, nav_error *err)
{
    switch (row->type) {
    case OPTION_TYPE_SWITCH:
        return take_switch(o, row, text, err);
    case OPTION_TYPE_UINT:
    case OPTION_TYPE_NUMBER:
        return take_number(o, row, text, err);
    case OPTION_TYPE_CHOICE:
        return take_choice(o, row, text, err);
    case OPTION_TYPE_TEXT:
        return take_text(o, row, text, err);
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
        nav_fail(err, status, "%s %.60s: %.150s", where, text != NULL ? text : "", why.detail);
        nav_error_at(err, "%s", row->name);
        nav_error_got(err, "%.60s", text != NULL ? text : "");
        nav_error_suggest(err, "%s", why.suggest);
    }
    return status;
}

void options_fault(option_faults *faults, const nav_error *err)
{
    if (faults->count < OPTION_FAULTS_MAX) {
        faults->items[faults->count] = *err;
    }
    faults->count++;
}

// ---- the command line ----

static void add_fault(option_faults *faults, const char *word, const char *why)
{
    nav_error err;
    (void)nav_fail(&err, NAV_INVALID_FIELD, "%.120s: %s", word, why);
    nav_error_at(&err, "%.90s", word);
    options_fault(faults, &err);
}

// A list on the command line replaces the file's.
static void take_flag(options *o, const option_row *row, bool first, option_faults *faults)
{
    char where[64];
    nav_error err = {0};
    if (row->type == OPTION_TYPE_LIST && first) {
        store(o, row, &(option_list){0}, sizeof(option_list));
    }
    (void)snprintf(where, sizeof where, "--%s", row->name);
    if (options_take(o, row, where, optarg, &err) != NAV_OK) {
        options_fault(faults, &err);
    }
}

// Above what getopt_long returns of its own: ':' and '?'.
#define ROW_VALUE_FIRST 256

static void describe_rows(option_command command, const option_row *rows, size_t count,
                          struct option *known)
{
    size_t described = 0;
    for (size_t i = 0; i < count; i++) {
        if (rows[i].file_only) {
            continue;
        }
        int kind = rows[i].type == OPTION_TYPE_ACTION   ? no_argument
                   : rows[i].type == OPTION_TYPE_SWITCH ? optional_argument
                                                        : required_argument;
        if (!options_row_gives_way(&rows[i], command)) {
            known[described++] =
                (struct option){rows[i].name, kind, NULL, (int)i + ROW_VALUE_FIRST};
        }
    }
    known[described] = (struct option){0};
}

// A command line that is walked.
typedef struct line {
    option_command command;
    int argc;
    char **argv;
} line;

// The word that getopt_long refuses: it moves on from a word of short options behind the last only.
// A byte that is no character of its own, in optopt a negative number, is shown as a number.
static const char *wrong_word(const line *l, char letter[8])
{
    (void)snprintf(letter, 8, optopt < 0 ? "-\\x%02x" : "-%c", optopt & 0xff);
    return optopt != 0 && optopt < ROW_VALUE_FIRST ? letter : l->argv[optind - 1];
}

// The options of this command that a word may have meant.
static proto_suggestion suggest_option(const line *l, const char *word)
{
    size_t count;
    const option_row *rows = options_rows(&count);
    proto_suggestion meant = proto_suggest(word, strcspn(word, "="));
    for (size_t i = 0; i < count; i++) {
        char flag[64];
        (void)snprintf(flag, sizeof flag, "--%s", rows[i].name);
        if (options_row_is_for(&rows[i], l->command)) {
            proto_suggest_offer(&meant, flag, strlen(flag));
        }
    }
    return meant;
}

// Of an option that there is not: the one that was meant, or how a command takes the word as one of
// its arguments. Else "".
#define REFUSED_BYTES (PROTO_HINT_BYTES + 48)
static const char *refused_hint(const line *l, const char *word, char out[REFUSED_BYTES])
{
    const proto_suggestion meant = suggest_option(l, word);
    char hint[PROTO_HINT_BYTES];
    const uint32_t takers = OPTION_FOR_BAKE | OPTION_FOR_ASKING;
    const bool is_argument =
        meant.best[0] == '\0' && (l->command & takers) != 0 && strncmp(word, "--", 2) == 0;
    if (is_argument) {
        (void)snprintf(out, REFUSED_BYTES, "; an argument has no dashes: %.*s=VALUE",
                       (int)strcspn(word + 2, "="), word + 2);
    } else {
        (void)snprintf(out, REFUSED_BYTES, "%s", proto_suggest_hint(&meant, hint));
    }
    return out;
}

static void refuse_word(const line *l, int got, option_faults *faults)
{
    char letter[8];
    if (got == ':') {
        add_fault(faults, l->argv[optind - 1], "a value is missing");
    } else if (optopt >= ROW_VALUE_FIRST) {
        add_fault(faults, wrong_word(l, letter), "this option takes no value");
    } else {
        char why[REFUSED_BYTES + 32], hint[REFUSED_BYTES];
        const char *const word = wrong_word(l, letter);
        (void)snprintf(why, sizeof why, "there is no such option%s", refused_hint(l, word, hint));
        add_fault(faults, word, why);
    }
}

static void refuse_unused(const line *l, const option_row *row, option_faults *faults)
{
    char flag[64], why[64];
    const bool daemon = l->command == OPTION_FOR_SERVE;
    (void)snprintf(flag, sizeof flag, "--%s", row->name);
    (void)snprintf(why, sizeof why, "navmeshd%s%.16s does not use this option", daemon ? "" : " ",
                   daemon ? "" : l->argv[0]);
    add_fault(faults, flag, why);
}

// Words that belong to no option.
static void take_words(const line *l, options *o, option_faults *faults)
{
    o->words = l->argv + optind;
    o->word_count = (size_t)(l->argc - optind);
    const uint32_t takers =
        OPTION_FOR_BACKUP | OPTION_FOR_BAKE | OPTION_FOR_ASKING | OPTION_FOR_REPLAY;
    for (int i = optind; (l->command & takers) == 0 && i < l->argc; i++) {
        add_fault(faults, l->argv[i], "only options are taken");
    }
}

// Walks the command line: for --config only, which is then read, or for all else. The first time
// tells which words are wrong: from then on options stand before the other words.
static void walk(const line *l, bool for_config, options *o, option_faults *faults)
{
    struct option known[OPTION_ROWS_MAX + 1];
    bool seen[OPTION_ROWS_MAX] = {false};
    size_t count;
    const option_row *rows = options_rows(&count);
    NAV_ASSERT(count <= OPTION_ROWS_MAX);
    describe_rows(l->command, rows, count, known);
    optind = 0; // start over, also after an earlier call
    opterr = 0; // the sentence for the user is ours
    int got;
    while ((got = getopt_long(l->argc, l->argv, ":", known, NULL)) != -1) {
        size_t row = got >= ROW_VALUE_FIRST ? (size_t)(got - ROW_VALUE_FIRST) : count;
        NAV_ASSERT(row <= count);
        if (row == count && for_config) {
            refuse_word(l, got, faults);
        } else if (row < count && (strcmp(rows[row].name, "config") == 0) == for_config) {
            if (options_row_is_for(&rows[row], l->command)) {
                take_flag(o, &rows[row], !seen[row], faults);
            } else {
                refuse_unused(l, &rows[row], faults);
            }
            seen[row] = true;
        }
    }
    if (!for_config) {
        take_words(l, o, faults);
    }
}

// ---- all of it ----

static void set_defaults(options *o)
{
    size_t row_count;
    const option_row *rows = options_rows(&row_count);
    for (size_t i = 0; i < row_count; i++) {
        const option_row *row = &rows[i];
        switch (row->type) {
        case OPTION_TYPE_UINT:
            store(o, row, &(uint32_t){(uint32_t)row->fallback}, sizeof(uint32_t));
            break;
        case OPTION_TYPE_CHOICE:
            store(o, row, &(unsigned){(unsigned)row->fallback}, sizeof(unsigned));
            break;
        case OPTION_TYPE_NUMBER:
            store(o, row, &row->fallback, sizeof row->fallback);
            break;
        case OPTION_TYPE_SWITCH:
            store(o, row, &(bool){row->fallback != 0}, sizeof(bool));
            break;
        case OPTION_TYPE_TEXT:
            store(o, row, &row->fallback_text, sizeof row->fallback_text);
            break;
        case OPTION_TYPE_LIST: // filled only where it has stayed empty
        case OPTION_TYPE_OBJECTS:
        case OPTION_TYPE_ACTION:
            break;
        }
    }
}

static void fill_empty_lists(options *o, option_faults *faults)
{
    size_t row_count;
    const option_row *rows = options_rows(&row_count);
    for (size_t i = 0; i < row_count; i++) {
        nav_error err = {0};
        if (rows[i].type != OPTION_TYPE_LIST || rows[i].fallback_text == NULL) {
            continue;
        }
        if (list_of(o, &rows[i]).count == 0 &&
            options_take(o, &rows[i], "default", rows[i].fallback_text, &err) != NAV_OK) {
            options_fault(faults, &err);
        }
    }
}

// Sockets that this process was started with are listeners beside those that are named.
static void add_passed(options *o, option_faults *faults)
{
    const char *passed[LIMIT_LISTENERS];
    size_t count = listen_passed(passed, LIMIT_LISTENERS);
    for (size_t i = 0; i < count; i++) {
        nav_error err = {0};
        if (options_take(o, options_find_key("listen"), "LISTEN_FDS", passed[i], &err) != NAV_OK) {
            options_fault(faults, &err);
        }
    }
}

static void apply_limits(options *o)
{
    o->limits = limits_default();
    for (size_t i = 0; i < o->limit_texts.count; i++) {
        nav_error never;
        const nav_status status = limits_set(&o->limits, o->limit_texts.items[i], &never);
        NAV_ASSERT(status == NAV_OK); // each has been checked
    }
}

// A listener without tokens can be used by all who reach it.
static void check_reachable(const options *o, option_faults *faults)
{
    const bool guarded = o->token_file != NULL || o->trusted_network;
    for (size_t i = 0; !guarded && i < o->listeners.count; i++) {
        const char *text = o->listeners.items[i];
        bool reachable = false;
        nav_error err = {0};
        if (listen_check(text, &reachable, &err) == NAV_OK && reachable) {
            nav_fail(&err, NAV_INVALID_FIELD,
                     "--listen %.100s: other machines can reach this address: it needs "
                     "--token-file, or --trusted-network where all of them may do everything",
                     text);
            nav_error_at(&err, "listen");
            nav_error_got(&err, "%.60s", text);
            options_fault(faults, &err);
        }
    }
}

nav_status options_parse(option_command command, int argc, char **argv, uint32_t cores,
                         options *out, option_faults *faults)
{
    const line l = {.command = command, .argc = argc, .argv = argv};
    NAV_ASSERT(argc > 0 && cores > 0);
    NAV_ASSERT((command & (command - 1)) == 0 && (command & OPTION_FOR_ALL) != 0); // one bit
    memset(out, 0, sizeof *out);
    faults->count = 0;
    nav_arena_init(&out->memory, NULL, 0);
    set_defaults(out);
    // All of them: workers give way to the threads that answer queries at once.
    out->workers = cores < LIMIT_WORKERS ? cores : LIMIT_WORKERS;
    walk(&l, true, out, faults);
    if (out->config != NULL) {
        config_read(out, faults);
    }
    walk(&l, false, out, faults);
    if (command == OPTION_FOR_SERVE) {
        add_passed(out, faults);
    }
    fill_empty_lists(out, faults);
    options_mesh_list(out, faults);
    apply_limits(out);
    if (command == OPTION_FOR_SERVE) { // no other command listens
        check_reachable(out, faults);
    }
    return faults->count > 0 ? faults->items[0].status : NAV_OK;
}

void options_free(options *o)
{
    nav_arena_free(&o->memory);
}
