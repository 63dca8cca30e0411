// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// cases.c: reads the table.

#include "tests/faults/http/cases.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROW_BYTES_MAX (1 << 20)

typedef struct reader {
    const char *path;
    int line;
    case_row *row;
    char *out; // the bytes of the step that is being written
    size_t out_bytes;
    size_t length_at; // where Content-Length has to be put in; SIZE_MAX: nowhere
} reader;

static _Noreturn void give_up(const reader *r, const char *why, const char *what)
{
    (void)fprintf(stderr, "%s:%d: %s: %.60s\n", r->path, r->line, why, what);
    exit(1);
}

static void put(reader *r, const char *bytes, size_t size_bytes)
{
    if (size_bytes > ROW_BYTES_MAX - r->out_bytes) {
        give_up(r, "too long", r->row->name);
    }
    memcpy(r->out + r->out_bytes, bytes, size_bytes);
    r->out_bytes += size_bytes;
}

static case_step *add_step(reader *r, case_step_kind kind)
{
    if (r->row->step_count == CASE_STEPS_MAX) {
        give_up(r, "too many steps", r->row->name);
    }
    case_step *step = &r->row->steps[r->row->step_count++];
    *step = (case_step){.kind = kind};
    return step;
}

// Makes a step of the bytes that have been written so far.
static void end_bytes(reader *r, case_step_kind kind)
{
    if (r->out_bytes == 0) {
        return;
    }
    case_step *step = add_step(r, kind);
    step->bytes = malloc(r->out_bytes);
    if (step->bytes == NULL) {
        give_up(r, "no memory", "");
    }
    memcpy(step->bytes, r->out, r->out_bytes);
    step->size_bytes = r->out_bytes;
    r->out_bytes = 0;
}

// ---- bytes ----

static size_t put_escape(reader *r, const char *text)
{
    static const char letters[] = "rnt0\\<>|", bytes[] = "\r\n\t\0\\<>|";
    const char *letter = text[1] != '\0' ? strchr(letters, text[1]) : NULL;
    if (letter != NULL) {
        put(r, &bytes[letter - letters], 1);
        return 2;
    }
    char hex[3] = {0}, *end;
    if (text[1] == 'x') {
        memcpy(hex, text + 2, strnlen(text + 2, 2));
    }
    const char byte = (char)strtoul(hex, &end, 16);
    if (end != hex + 2) {
        give_up(r, "no such escape", text);
    }
    put(r, &byte, 1);
    return 4;
}

static void put_bytes(reader *r, const char *text, size_t length);

static void put_text(reader *r, const char *text)
{
    put_bytes(r, text, strlen(text));
}

// <count*text>
static bool put_repeated(reader *r, const char *word)
{
    char *end;
    const unsigned long count = strtoul(word, &end, 10);
    if (end == word || *end != '*') {
        return false;
    }
    for (unsigned long i = 0; i < count; i++) {
        put_text(r, end + 1);
    }
    return true;
}

// Puts the bytes that a word in angle brackets stands for.
static void put_word(reader *r, char *word)
{
    char *first = strchr(word, ' ');
    first = first != NULL ? first + 1 : word + strlen(word);
    char *second = strchr(first, ' ');
    if (strncmp(word, "get ", 4) == 0) {
        put_text(r, "GET ");
        put_text(r, first);
        put_text(r, " HTTP/1.1\r\nHost: localhost\r\n");
    } else if (strncmp(word, "post ", 5) == 0 && second != NULL) {
        *second = '\0';
        put_text(r, "POST ");
        put_text(r, first);
        put_text(r, " HTTP/1.1\r\nHost: localhost\r\nContent-Type: ");
        put_text(r, second + 1);
        put_text(r, "\r\n");
    } else if (strcmp(word, "body") == 0) {
        r->length_at = r->out_bytes;
    } else if (strncmp(word, "pause ", 6) == 0) {
        end_bytes(r, CASE_SEND);
        add_step(r, CASE_PAUSE)->pause_ms = (int)strtol(first, NULL, 10);
    } else if (strncmp(word, "drip ", 5) == 0) {
        end_bytes(r, CASE_SEND);
        put_text(r, first);
        end_bytes(r, CASE_DRIP);
    } else if (strcmp(word, "end") == 0) {
        end_bytes(r, CASE_SEND);
        (void)add_step(r, CASE_END);
    } else if (!put_repeated(r, word)) {
        give_up(r, "no such word", word);
    }
}

// The bracket that ends the one at the front.
static const char *end_of(const char *text, size_t length)
{
    int depth = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\\') {
            i++;
        } else {
            depth += (text[i] == '<') - (text[i] == '>');
        }
        if (depth == 0) {
            return text + i;
        }
    }
    return NULL;
}

static size_t put_angle(reader *r, const char *text, size_t length)
{
    const char *end = end_of(text, length);
    if (end == NULL) {
        give_up(r, "no end of", text);
    }
    char *word = strndup(text + 1, (size_t)(end - text) - 1);
    if (word == NULL) {
        give_up(r, "no memory", "");
    }
    put_word(r, word);
    free(word);
    return (size_t)(end - text) + 1;
}

static void put_bytes(reader *r, const char *text, size_t length)
{
    for (size_t at = 0; at < length;) {
        if (text[at] == '\\') {
            at += put_escape(r, text + at);
        } else if (text[at] == '<') {
            at += put_angle(r, text + at, length - at);
        } else {
            put(r, &text[at++], 1);
        }
    }
}

// The length of a body is that of all that stands behind <body>.
static void put_length(reader *r)
{
    char text[64];
    const size_t body_bytes = r->out_bytes - r->length_at;
    const int length = snprintf(text, sizeof text, "Content-Length: %zu\r\n\r\n", body_bytes);
    put(r, text, (size_t)length); // room
    memmove(r->out + r->length_at + length, r->out + r->length_at, body_bytes);
    memcpy(r->out + r->length_at, text, (size_t)length);
}

static void read_bytes(reader *r, const char *text, size_t length)
{
    r->out_bytes = 0;
    r->length_at = SIZE_MAX;
    put_bytes(r, text, length);
    if (r->length_at != SIZE_MAX) {
        put_length(r);
    }
    end_bytes(r, CASE_SEND);
}

// ---- replies ----

// "200", "422 invalid_field", "422 invalid_field agent.radius"
static void read_reply(reader *r, const char *text)
{
    if (r->row->reply_count == CASE_REPLIES_MAX) {
        give_up(r, "too many replies", text);
    }
    case_reply *reply = &r->row->replies[r->row->reply_count++];
    const int words = sscanf(text, "%d %47s %63[^\n]", &reply->status, reply->code, reply->at);
    if (words < 1 || (words == 1 && reply->status >= 400)) {
        give_up(r, "no reply", text);
    }
}

static void read_replies(reader *r, char *text)
{
    char *rest = NULL;
    for (char *one = strtok_r(text, ",", &rest); one != NULL; one = strtok_r(NULL, ",", &rest)) {
        one += strspn(one, " ");
        if (strcmp(one, "close") == 0) {
            r->row->closes = true;
        } else {
            read_reply(r, one);
        }
    }
}

static void read_row(reader *r, char *line)
{
    char *bytes = strstr(line, " | "), *replies = bytes != NULL ? strstr(bytes + 3, " | ") : NULL;
    if (replies == NULL) {
        give_up(r, "not three columns", line);
    }
    *bytes = '\0';
    r->row->line = r->line;
    (void)snprintf(r->row->name, sizeof r->row->name, "%s", line);
    read_bytes(r, bytes + 3, (size_t)(replies - bytes - 3));
    read_replies(r, replies + 3);
}

case_table cases_read(const char *path)
{
    case_table table = {0};
    reader r = {.path = path, .out = malloc(ROW_BYTES_MAX)};
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t room = 0;
    if (file == NULL || r.out == NULL) {
        give_up(&r, "cannot be read", path);
    }
    for (ssize_t got; (got = getline(&line, &room, file)) > 0;) {
        r.line++;
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '\0' || line[0] == '#') {
            continue;
        }
        case_row *more = realloc(table.rows, (table.count + 1) * sizeof *more);
        if (more == NULL) {
            give_up(&r, "no memory", "");
        }
        table.rows = more;
        r.row = &table.rows[table.count++];
        memset(r.row, 0, sizeof *r.row);
        read_row(&r, line);
    }
    free(line);
    free(r.out);
    (void)fclose(file);
    return table;
}

void cases_free(case_table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        for (size_t k = 0; k < table->rows[i].step_count; k++) {
            free(table->rows[i].steps[k].bytes);
        }
    }
    free(table->rows);
}
