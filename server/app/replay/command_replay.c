// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// command_replay.c: `navmeshd replay FILE...`: each file's question is asked again, and the answer
// compared with the one that was recorded. One file is in memory at a time; the sandbox closes all
// others off.

#include "proto/requests/requests.h"
#include "server/app/command.h"
#include "server/app/replay/replay.h"
#include "server/app/sandbox.h"
#include "server/base/file.h"

#include <stdlib.h>
#include <string.h>

static int say_fault(const char *file, const nav_error *err)
{
    (void)fprintf(stderr, "navmeshd: %s: ", file);
    replay_print_text(err->detail, strlen(err->detail), '?', stderr);
    (void)fputc('\n', stderr);
    return COMMAND_FAILED;
}

// ---- asked again ----

static int compare(const char *file, const bundle *b, const reply *got)
{
    if (replay_is_same(b, got)) {
        (void)printf("%s: the same %zu bytes: %s, mesh %s version %u\n", file, b->answer_bytes,
                     b->kind, b->mesh, b->version);
        return COMMAND_DONE;
    }
    (void)printf("%s: %s: %s, mesh %s version %u\n", file,
                 b->timed ? "differs, as it may: a deadline counted" : "differs", b->kind, b->mesh,
                 b->version);
    replay_print_difference(b, got, stdout);
    return b->timed ? COMMAND_DONE : COMMAND_DIFFERS;
}

// ---- printed ----

// JSON as it is, anything else as its number of bytes.
static void write_bytes(proto_writer *w, const char *key, const char *bytes, size_t size_bytes)
{
    proto_write_key(w, key);
    if (size_bytes > 0 && proto_json_scan(bytes, size_bytes, PROTO_JSON_DEPTH_MAX,
                                          PROTO_BATCH_VALUES_MAX, NULL) == NAV_OK) {
        proto_writer_put(w, bytes, size_bytes);
        w->need_comma = true;
    } else if (size_bytes > 0) {
        proto_write_int(w, (int64_t)size_bytes);
    } else {
        proto_write_null(w);
    }
}

static void write_question(proto_writer *w, const bundle *b)
{
    proto_member_object(w, "question");
    bundle_write_member(w, "method", b->method);
    bundle_write_member(w, "path", b->path);
    proto_member_object(w, "arguments");
    for (uint32_t i = 0; i < b->arg_count; i++) {
        bundle_write_member(w, b->args[i].key, b->args[i].value);
    }
    proto_write_object_end(w);
    bundle_write_member(w, "type", b->content_type);
    write_bytes(w, "body", b->body, b->body_bytes);
    proto_write_object_end(w);
    proto_member_object(w, "instances");
    for (uint32_t i = 0; i < b->instance_count; i++) {
        write_bytes(w, b->instances[i].name, b->instances[i].state, strlen(b->instances[i].state));
    }
    proto_write_object_end(w);
}

static int print(const char *file, const bundle *b)
{
    proto_writer w;
    proto_writer_init(&w);
    proto_write_object_begin(&w);
    bundle_write_member(&w, "id", b->id);
    bundle_write_member(&w, "name", b->name);
    bundle_write_member(&w, "cause", b->cause);
    bundle_write_member(&w, "created_at", b->created_at);
    bundle_write_member(&w, "build", b->build);
    bundle_write_member(&w, "mesh", b->mesh);
    proto_member_int(&w, "version", b->version);
    bundle_write_member(&w, "kind", b->kind);
    proto_member_fixed(&w, "ms", b->ms, 3);
    bundle_write_member(&w, "limits", b->limits);
    write_question(&w, b);
    proto_member_int(&w, "status", b->status);
    write_bytes(&w, "answer", b->answer, b->answer_bytes);
    write_bytes(&w, "config", b->config, strlen(b->config));
    proto_member_int(&w, "tiles", b->tile_count);
    proto_write_object_end(&w);
    if (!w.failed) {
        replay_print_text(w.bytes, w.size_bytes, ' ', stdout); // between values
    }
    const bool printed = !w.failed && fputc('\n', stdout) != EOF && ferror(stdout) == 0;
    proto_writer_free(&w);
    nav_error err;
    if (printed) {
        return COMMAND_DONE;
    }
    (void)nav_fail(&err, PROTO_STORAGE_FULL, "it cannot be printed");
    return say_fault(file, &err);
}

// ---- the command ----

static int replay(const char *file, bool prints)
{
    char *bytes = NULL;
    size_t size_bytes = 0;
    bundle_file read;
    reply got = {0};
    nav_error err = {0};
    nav_status status = file_read(file, (size_t)BUNDLE_BYTES_MAX, &bytes, &size_bytes, NULL, &err);
    NAV_IF_OK(status, bundle_read(bytes, size_bytes, &read, &err));
    free(bytes);
    if (status != NAV_OK) {
        return say_fault(file, &err);
    }
    int exit_code;
    if (prints) {
        exit_code = print(file, &read.bundle);
    } else if (replay_ask(&read.bundle, &got, &err) == NAV_OK) {
        exit_code = compare(file, &read.bundle, &got);
    } else {
        exit_code = say_fault(file, &err);
    }
    free(got.body);
    bundle_free(&read);
    return exit_code;
}

int command_replay(const options *o)
{
    if (o->word_count == 0) {
        return command_usage("replay", "write the name of a recording", "");
    }
    sandbox_enter_reader(o, o->words, o->word_count);
    int exit_code = COMMAND_DONE;
    for (size_t i = 0; i < o->word_count; i++) {
        const int code = replay(o->words[i], o->print);
        exit_code = code == COMMAND_FAILED || exit_code == COMMAND_DONE ? code : exit_code;
    }
    return exit_code;
}
