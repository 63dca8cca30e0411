// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// options_read.c: defaults, the file of --config and the command line into struct options, value by
// value (options_value.c) through the table of options.c. No socket or database is opened here.

#include "server/app/options.h"

#include "proto/base/suggest.h"
#include "server/http/listen.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

// ---- the command line ----

static void add_fault(option_faults *faults, const char *word, const char *why)
{
    nav_error err;
    (void)nav_fail_at(&err, NAV_INVALID_FIELD, word, "%.120s: %s", word, why);
    options_fault(faults, &err);
}

// A list on the command line replaces the file's.
static void take_flag(options *o, const option_row *row, bool first, option_faults *faults)
{
    char where[64];
    nav_error err = {0};
    if (row->type == OPTION_TYPE_LIST && first) {
        options_take_default(o, row);
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

// For an unknown option, the one that was meant, or how a command takes the word as one of its
// arguments. Else "".
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
// shows which words are wrong: from then on options stand before the other words.
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
                char flag[64], why[64];
                const bool daemon = l->command == OPTION_FOR_SERVE;
                (void)snprintf(flag, sizeof flag, "--%s", rows[row].name);
                (void)snprintf(why, sizeof why, "navmeshd%s%.16s does not use this option",
                               daemon ? "" : " ", daemon ? "" : l->argv[0]);
                add_fault(faults, flag, why);
            }
            seen[row] = true;
        }
    }
    if (!for_config) {
        take_words(l, o, faults);
    }
}

// ---- all of it ----

static void fill_empty_lists(options *o, option_faults *faults)
{
    size_t row_count;
    const option_row *rows = options_rows(&row_count);
    for (size_t i = 0; i < row_count; i++) {
        nav_error err = {0};
        if (rows[i].type != OPTION_TYPE_LIST || rows[i].fallback_text == NULL) {
            continue;
        }
        if (options_list_of(o, &rows[i]).count == 0 &&
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

// A listener without tokens can be used by all who reach it.
static void check_reachable(const options *o, option_faults *faults)
{
    const bool guarded = o->token_file != NULL || o->trusted_network;
    for (size_t i = 0; !guarded && i < o->listeners.count; i++) {
        const char *text = o->listeners.items[i];
        bool reachable = false;
        nav_error err = {0};
        if (listen_check(text, &reachable, &err) == NAV_OK && reachable) {
            nav_fail_at(&err, NAV_INVALID_FIELD, "listen",
                        "--listen %.100s: other machines can reach this address: it needs "
                        "--token-file, or --trusted-network where all of them may do everything",
                        text);
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
    size_t row_count;
    const option_row *rows = options_rows(&row_count);
    for (size_t i = 0; i < row_count; i++) {
        options_take_default(out, &rows[i]);
    }
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
    out->limits = limits_default();
    for (size_t i = 0; i < out->limit_texts.count; i++) {
        nav_error never;
        const nav_status status = limits_set(&out->limits, out->limit_texts.items[i], &never);
        NAV_ASSERT(status == NAV_OK); // each has been checked
    }
    if (command == OPTION_FOR_SERVE) { // no other command listens
        check_reachable(out, faults);
    }
    return faults->count > 0 ? faults->items[0].status : NAV_OK;
}

void options_free(options *o)
{
    nav_arena_free(&o->memory);
}
