// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// command_ask.c: `navmeshd query`, `diff`, `export`: a call of the API in its own words. Its
// handler answers in this process, of a database that is only read.
//
//   words --> method, path, arguments, body --> http_ask_in_process --> answer, exit code

#include "proto/json/document.h"
#include "server/api/query.h"
#include "server/api/routes.h"
#include "server/app/command.h"
#include "server/app/sandbox.h"
#include "server/app/startup.h"
#include "server/base/clock.h"
#include "server/base/file.h"
#include "server/jobs/jobs.h"
#include "server/meshes/cache.h"
#include "server/meshes/registry.h"
#include "server/store/store.h"

#include <errno.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PATH_BYTES 320
#define BODY_BYTES_MAX ((size_t)256 << 20)

typedef struct asking {
    const char *command;
    const options *options;
    service service;
    char path[PATH_BYTES];
    char *body; // malloc'ed; NULL: none
    size_t body_bytes;
    proto_arg args[LIMIT_ARGS];
    size_t arg_count;
} asking;

// ---- files ----

static nav_status read_body(const char *file, asking *a, nav_error *err)
{
    nav_error why = {0};
    if (strcmp(file, "-") == 0) {
        return file_read_open(STDIN_FILENO, BODY_BYTES_MAX, &a->body, &a->body_bytes, &why) ==
                       NAV_OK
                   ? NAV_OK
                   : nav_fail(err, why.status, "standard input cannot be read: %.150s", why.detail);
    }
    return file_read(file, BODY_BYTES_MAX, &a->body, &a->body_bytes, NULL, &why) == NAV_OK
               ? NAV_OK
               : nav_fail(err, why.status, "--body %.80s: %.150s", file, why.detail);
}

// Under its own name the file appears only when it is whole.
static nav_status write_file(const char *file, const reply *answer, nav_error *err)
{
    char *fresh = NULL;
    if (asprintf(&fresh, "%s.part", file) < 0) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory to write a file");
    }
    FILE *out = fopen(fresh, "we");
    bool written =
        out != NULL && fwrite(answer->body, 1, answer->body_bytes, out) == answer->body_bytes;
    int why = errno;
    if (out != NULL && fclose(out) != 0 && written) {
        written = false;
        why = errno;
    }
    if (written && rename(fresh, file) != 0) {
        written = false;
        why = errno;
    }
    if (!written && out != NULL) {
        (void)unlink(fresh);
    }
    free(fresh);
    return written ? NAV_OK
                   : nav_fail(err, PROTO_STORAGE_FULL, "%.120s cannot be written: %s", file,
                              strerror(why));
}

// ---- the service that answers ----

static nav_status open_service(asking *a, nav_error *err)
{
    service *s = &a->service;
    s->limits = limits_default();
    s->routes = routes_all();
    s->started_ns = clock_now_ns();
    s->registry = registry_create();
    s->cache = mesh_cache_create((uint32_t)s->limits.kept_meshes, s->limits.kept_bytes);
    s->jobs = jobs_create(1); // who never starts: this thread answers
    atomic_init(&s->state, SERVICE_READY);
    if (s->registry == NULL || s->cache == NULL || s->jobs == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory to start");
    }
    return store_open_to_read(a->options->db, &s->store, err);
}

static nav_status begin(asking *a, nav_error *err)
{
    const options *o = a->options;
    nav_status status = o->body != NULL ? read_body(o->body, a, err) : NAV_OK;
    if (status != NAV_OK) {
        return status;
    }
    sandbox_enter_command(o, o->output, SANDBOX_READ | SANDBOX_WRITE);
    return open_service(a, err);
}

static void end(asking *a)
{
    startup_close(&a->service);
    free(a->body);
}

// ---- what came back ----

typedef struct problem {
    char code[64], at[128], detail[512];
} problem;

static void take_member(void *user, const proto_flat *value)
{
    problem *p = user;
    if (value->kind != PROTO_FLAT_TEXT || value->index != NAV_NONE) {
        return;
    }
    if (strcmp(value->key, "code") == 0) {
        (void)snprintf(p->code, sizeof p->code, "%s", value->text);
    } else if (strcmp(value->key, "at") == 0) {
        (void)snprintf(p->at, sizeof p->at, "%s", value->text);
    } else if (strcmp(value->key, "detail") == 0) {
        (void)snprintf(p->detail, sizeof p->detail, "%s", value->text);
    }
}

// The sentence of a problem object, with its code and the place that it names.
static int say_problem(const reply *answer)
{
    problem p = {0};
    nav_error ignored;
    (void)proto_flat_read(answer->body != NULL ? answer->body : "", answer->body_bytes, take_member,
                          &p, &ignored);
    if (p.detail[0] == '\0') {
        (void)fprintf(stderr, "navmeshd: the answer has the status %d\n", answer->status);
    } else {
        (void)fprintf(stderr, "navmeshd: %s (%s%s%s)\n", p.detail, p.code,
                      p.at[0] != '\0' ? " at " : "", p.at);
    }
    return COMMAND_FAILED;
}

static nav_status put_answer(const options *o, const reply *answer, nav_error *err)
{
    if (o->output != NULL) {
        return write_file(o->output, answer, err);
    }
    const size_t size_bytes = answer->body != NULL ? answer->body_bytes : 0;
    bool written = size_bytes == 0 || fwrite(answer->body, 1, size_bytes, stdout) == size_bytes;
    // The bytes are the API's; a terminal's next prompt begins on a line of its own.
    if (isatty(STDOUT_FILENO) == 1 && size_bytes > 0 && answer->body[size_bytes - 1] != '\n') {
        written = fputc('\n', stdout) != EOF && written;
    }
    return fflush(stdout) == 0 && written
               ? NAV_OK
               : nav_fail(err, PROTO_STORAGE_FULL, "the answer cannot be written: %s",
                          strerror(errno));
}

// Asks what has been put together. An answer that says no has an exit code of its own.
static int ask_and_say(asking *a)
{
    reply answer = {0};
    nav_error err = {0};
    const http_question question = {.method = a->body != NULL ? "POST" : "GET",
                                    .path = a->path,
                                    .args = a->args,
                                    .arg_count = a->arg_count,
                                    .body = a->body,
                                    .body_bytes = a->body_bytes};
    int exit_code;
    http_ask_in_process(&a->service, &question, &answer);
    if (answer.status != 200) {
        exit_code = say_problem(&answer);
    } else {
        exit_code = put_answer(a->options, &answer, &err) != NAV_OK ? command_fail(&err)
                    : answer.negative                               ? COMMAND_NEGATIVE
                                                                    : COMMAND_DONE;
    }
    free(answer.body);
    return exit_code;
}

// ---- the commands ----

// False: the command line is wrong, which has been reported.
static bool take_words(asking *a, size_t first, int *exit_code)
{
    const char *name = a->options->mesh;
    if (name == NULL || !limits_is_mesh_name(name, strlen(name))) {
        *exit_code =
            command_usage(a->command, "write --mesh NAME, not", name != NULL ? name : "nothing");
        return false;
    }
    const char *wrong = command_arguments(a->options, first, LIMIT_ARGS, a->args, &a->arg_count);
    if (wrong != NULL) {
        *exit_code = command_usage(a->command,
                                   strchr(wrong, '=') != NULL ? "too many arguments, from"
                                                              : "write NAME=VALUE, not",
                                   wrong);
    }
    return wrong == NULL;
}

// The kinds of questions, as they stand behind the mesh in an address.
static int refuse_kind(const char *kind)
{
    const route_table *all = routes_all();
    const char *last = "";
    (void)fprintf(stderr, "navmeshd query: write one of these, not %s:", kind);
    for (size_t i = 0; i < all->count; i++) {
        const char *place = strstr(all->rows[i].pattern, "{mesh}/");
        if (all->rows[i].query != NULL && strcmp(place, last) != 0) {
            last = place;
            (void)fprintf(stderr, " %s", place + strlen("{mesh}/"));
        }
    }
    (void)fputc('\n', stderr);
    return COMMAND_USAGE;
}

// Whether the question asks for a recording. One that cannot be read is answered with its fault.
static bool is_to_be_recorded(const asking *a, const proto_kind *kind)
{
    alignas(max_align_t) unsigned char question[PROTO_REQUEST_BYTES_MAX];
    nav_arena memory;
    nav_error ignored;
    nav_arena_init(&memory, NULL, LIMIT_QUERY_MEMORY_BYTES);
    const nav_status status =
        a->body != NULL
            ? proto_request_json(kind, a->body, a->body_bytes, &memory, question, &ignored)
            : proto_request_args(kind, a->args, a->arg_count, &memory, question, &ignored);
    const bool asked = status == NAV_OK && ((const proto_common *)(const void *)question)->record;
    nav_arena_free(&memory);
    return asked;
}

int command_query(const options *o)
{
    asking a = {.command = "query", .options = o};
    const char *kind = o->word_count > 0 ? o->words[0] : "nothing";
    char allow[64];
    int exit_code;
    nav_error err = {0};
    request found;
    memset(&found, 0, sizeof found);
    if (!take_words(&a, 1, &exit_code)) {
        return exit_code;
    }
    const int length = snprintf(a.path, sizeof a.path, "/v1/meshes/%s/%s", o->mesh, kind);
    const nav_status status = routing_find(routes_all(), &found, o->body != NULL ? "POST" : "GET",
                                           a.path, allow, sizeof allow, &err);
    if (status == PROTO_METHOD_NOT_ALLOWED && strcmp(allow, "POST") == 0) {
        return command_usage("query",
                             "write --body FILE, its JSON, or - for standard input:", kind);
    }
    if (length < 0 || (size_t)length >= sizeof a.path || status != NAV_OK ||
        found.route->query == NULL) {
        return refuse_kind(kind);
    }
    if (begin(&a, &err) != NAV_OK) {
        exit_code = command_fail(&err);
    } else if (is_to_be_recorded(&a, found.route->query->kind)) {
        exit_code = command_usage("query",
                                  "a database is only read: leave 'record' out, or ask a daemon, "
                                  "which records",
                                  "");
    } else {
        exit_code = ask_and_say(&a);
    }
    end(&a);
    return exit_code;
}

int command_diff(const options *o)
{
    asking a = {.command = "diff", .options = o};
    int exit_code;
    nav_error err = {0};
    if (!take_words(&a, 0, &exit_code)) {
        return exit_code;
    }
    (void)snprintf(a.path, sizeof a.path, "/v1/meshes/%s/versions/diff", o->mesh);
    exit_code = begin(&a, &err) == NAV_OK ? ask_and_say(&a) : command_fail(&err);
    end(&a);
    return exit_code;
}

// The live version's number as a text.
static int find_live(asking *a, char out[16])
{
    reply answer = {0};
    nav_error err = {0};
    store_mesh mesh = {0};
    char path[PATH_BYTES];
    int exit_code = COMMAND_DONE;
    (void)snprintf(path, sizeof path, "/v1/meshes/%s", a->options->mesh);
    const http_question question = {.method = "GET", .path = path};
    http_ask_in_process(&a->service, &question, &answer);
    if (answer.status != 200) {
        exit_code = say_problem(&answer);
    } else if (store_mesh_get(a->service.store, a->options->mesh, &mesh, &err) != NAV_OK) {
        exit_code = command_fail(&err);
    } else if (mesh.active == 0) {
        (void)nav_fail(&err, PROTO_VERSION_NOT_READY,
                       "mesh '%s' has no live version: write version=N", a->options->mesh);
        exit_code = command_fail(&err);
    }
    (void)snprintf(out, 16, "%u", mesh.active);
    free(answer.body);
    return exit_code;
}

// Takes version=N out of the arguments, since it stands in the address; NULL: there is none.
static const char *take_version(asking *a)
{
    const char *version = NULL;
    size_t kept = 0;
    for (size_t i = 0; i < a->arg_count; i++) {
        if (version == NULL && strcmp(a->args[i].key, "version") == 0) {
            version = a->args[i].value;
        } else {
            a->args[kept++] = a->args[i];
        }
    }
    a->arg_count = kept;
    return version;
}

int command_export(const options *o)
{
    asking a = {.command = "export", .options = o};
    char live[16] = "";
    int exit_code;
    nav_error err = {0};
    if (!take_words(&a, 0, &exit_code)) {
        return exit_code;
    }
    const char *version = take_version(&a);
    if (version != NULL && (version[0] == '\0' || version[strspn(version, "0123456789")] != '\0')) {
        return command_usage("export", "write version=N, a number, not", version);
    }
    exit_code = begin(&a, &err) == NAV_OK ? COMMAND_DONE : command_fail(&err);
    if (exit_code == COMMAND_DONE && version == NULL) {
        exit_code = find_live(&a, live);
        version = live;
    }
    if (exit_code == COMMAND_DONE) {
        (void)snprintf(a.path, sizeof a.path, "/v1/meshes/%s/versions/%.20s/export", o->mesh,
                       version);
        exit_code = ask_and_say(&a);
    }
    end(&a);
    return exit_code;
}
