// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// command_bake.c: `navmeshd bake`: the bake of an upload without a server. Each mesh in turn goes
// through the same upload, queue and workers; this thread shows how far they are: a bar on a
// terminal, elsewhere a line for every tenth. The results follow on stdout, as lines or as the
// versions' objects.

#include "proto/replies/replies.h"
#include "server/app/command.h"
#include "server/app/sandbox.h"
#include "server/app/mesh_file.h"
#include "server/app/startup.h"
#include "server/base/clock.h"
#include "server/base/events.h"
#include "server/jobs/jobs.h"
#include "server/jobs/version_view.h"
#include "server/meshes/cache.h"
#include "server/meshes/registry.h"
#include "server/store/store.h"

#include <errno.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define POLL_NS 100000000L
#define BAR_WIDTH 30
#define SETTINGS_MAX LIMIT_ARGS // of the command line, as of a query string
#define GATES_MAX 2             // --strict and --checks are settings, too

typedef struct baker {
    service service;
    char *config; // of --settings, malloc'ed, or NULL
    char *checks; // of --checks, likewise
    FILE *people; // for people: stdout, or stderr beside --json
    bool json;
    proto_arg args[SETTINGS_MAX + GATES_MAX];
    size_t arg_count;
    sem_t ended;
    bool terminal, said;        // it was said why it failed, in a sentence longer than an error's
    int tenths;                 // reported so far
    bool checks_failed, warned; // of any of the meshes
} baker;

// ---- how far it is ----

static void show_bar(FILE *out, const char *mesh, const job_progress *now, uint32_t tiles)
{
    char bar[BAR_WIDTH + 1];
    NAV_ASSERT(now->progress >= 0 && now->progress <= 1);
    int full = (int)(now->progress * BAR_WIDTH);
    for (int i = 0; i < BAR_WIDTH; i++) {
        bar[i] = i < full ? '#' : '.';
    }
    bar[BAR_WIDTH] = '\0';
    (void)fprintf(out, "\r%s [%s] %3d %%  %u of %u tiles, %u reused  %-10s", mesh, bar,
                  (int)(now->progress * 100), now->tiles_done, tiles, now->tiles_reused,
                  now->stage);
}

static bool wait_a_moment(sem_t *ended)
{
    struct timespec until;
    (void)clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += POLL_NS;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    int result;
    do {
        result = sem_timedwait(ended, &until);
    } while (result != 0 && errno == EINTR);
    return result == 0;
}

static void post(void *user)
{
    (void)sem_post(user);
}

static void wait_for_bake(baker *b, const char *mesh, uint32_t version, uint32_t tiles)
{
    if (!jobs_watch(b->service.jobs, mesh, version, post, &b->ended)) {
        return; // it has ended already
    }
    b->tenths = 0;
    while (!wait_a_moment(&b->ended)) {
        job_progress now;
        if (jobs_progress(b->service.jobs, mesh, version, &now) && now.running) {
            int tenths = (int)(now.progress * 10);
            if (b->terminal) {
                show_bar(b->people, mesh, &now, tiles);
            } else if (tenths > b->tenths) {
                b->tenths = tenths;
                (void)fprintf(b->people, "%s: %d %%, %u of %u tiles, %u reused\n", mesh,
                              tenths * 10, now.tiles_done, tiles, now.tiles_reused);
            }
            (void)fflush(b->people);
        }
    }
    if (b->terminal) {
        (void)fputs("\r\033[K", b->people);
        (void)fflush(b->people);
    }
}

// ---- one mesh ----

// Checks that failed and warnings, one a line. out: how many.
static nav_status print_lines(const baker *b, const store_version *row, proto_lines *out,
                              nav_error *err)
{
    char prefix[LIMIT_MESH_NAME + 32];
    (void)snprintf(prefix, sizeof prefix, "%s version %u: ", row->mesh, row->version);
    *out = (proto_lines){.prefix = prefix};
    nav_status status =
        proto_lines_write(out, row->checks_json, row->warnings_json, row->agents_json, err);
    if (status == NAV_OK && out->text.size_bytes > 0) {
        (void)fwrite(out->text.bytes, 1, out->text.size_bytes, b->people);
        (void)fflush(b->people);
    }
    proto_writer_free(&out->text);
    return status;
}

// A version that is live passed its checks or was forced, so it does not count as failed, unless
// its checks have just been run anew.
static nav_status say_faults(baker *b, const upload_outcome *outcome, const store_version *row,
                             nav_error *err)
{
    proto_lines lines;
    nav_status status = print_lines(b, row, &lines, err);
    b->checks_failed |= lines.failed_checks > 0 && (!row->active || outcome->require_checks);
    b->warned |= lines.warnings > 0 && outcome->strict;
    return status;
}

// The object that the API has, on a line of stdout.
static nav_status print_object(const version_view *view, bool existing, nav_error *err)
{
    proto_writer w;
    size_t size_bytes = 0;
    proto_writer_init(&w);
    version_view_write(&w, view, existing);
    char *text = proto_writer_take(&w, &size_bytes);
    if (text == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory to describe the version");
    }
    (void)printf("%.*s%s", (int)size_bytes, text, text[size_bytes - 1] == '\n' ? "" : "\n");
    (void)fflush(stdout);
    free(text);
    return NAV_OK;
}

static nav_status report(baker *b, const char *mesh, const upload_outcome *outcome, nav_error *err)
{
    version_view view;
    nav_status status = version_view_get(&b->service, mesh, outcome->version, &view, err);
    if (status != NAV_OK) {
        return status;
    }
    const store_version *row = &view.row;
    if (b->json) {
        status = print_object(&view, outcome->existing, err);
    }
    if (status == NAV_OK && row->state == STORE_READY) {
        (void)fprintf(b->people, "%s version %u: %s, %u tiles, %u reused%s\n", mesh, row->version,
                      outcome->existing ? "stored before" : "ready", row->tiles_total,
                      row->tiles_reused, row->active ? ", live" : "");
        status = say_faults(b, outcome, row, err);
    } else if (status == NAV_OK) {
        (void)fprintf(stderr, "navmeshd: %s version %u is %s: %s\n", mesh, row->version,
                      store_state_word(row->state), row->error.detail);
        b->said = true;
        status = row->error.status != NAV_OK ? row->error.status : NAV_CANCELLED;
    }
    version_view_free(&view);
    return status;
}

static nav_status bake_mesh(baker *b, const option_mesh *mesh, nav_error *err)
{
    upload_outcome outcome;
    store_version row;
    nav_status status = NAV_OK;
    if (b->checks != NULL && mesh->checks_file == NULL) {
        status = store_checks_set(b->service.store, mesh->name, b->checks, err);
    }
    if (status != NAV_OK) {
        return status;
    }
    status =
        mesh_file_upload(&b->service, mesh, b->args, b->arg_count, b->config, false, &outcome, err);
    if (status != NAV_OK) {
        return status;
    }
    status = store_version_get(b->service.store, mesh->name, outcome.version, &row, err);
    if (status == NAV_OK) {
        proto_lines lines;
        if (!outcome.existing) {
            // Oddities of the level, before its bake, and once more behind it.
            status = print_lines(b, &row, &lines, err);
        }
        uint32_t tiles = row.tiles_total;
        store_version_free(&row);
        wait_for_bake(b, mesh->name, outcome.version, tiles);
    }
    NAV_IF_OK(status, report(b, mesh->name, &outcome, err));
    return status;
}

// ---- from the command line to the database ----

static nav_status read_files(baker *b, const options *o, nav_error *err)
{
    nav_status status = NAV_OK;
    if (o->settings != NULL) {
        status = mesh_file_read_settings(o->settings, &b->config, err);
    }
    if (status == NAV_OK && o->checks != NULL) {
        nav_error why = {0};
        status = mesh_file_read_checks(o->checks, &b->checks, &why) == NAV_OK
                     ? NAV_OK
                     : nav_fail(err, why.status, "--checks %.80s: %.150s", o->checks, why.detail);
    }
    return status;
}

static nav_status bake_all(baker *b, const options *o, nav_error *err)
{
    nav_status status = store_open(o->db, &b->service.store, err);
    NAV_IF_OK(status, startup_set_checks(&b->service, o, err));
    if (status == NAV_OK && jobs_start(b->service.jobs, job_bake, &b->service) != NAV_OK) {
        status = nav_fail(err, NAV_NO_MEMORY, "the workers cannot be started");
    }
    for (size_t i = 0; status == NAV_OK && i < o->mesh_count; i++) {
        status = bake_mesh(b, &o->meshes[i], err);
    }
    jobs_stop(b->service.jobs);
    return status;
}

static nav_status run(baker *b, const options *o, nav_error *err)
{
    nav_status status = read_files(b, o, err);
    if (status != NAV_OK) {
        return status;
    }
    sandbox_enter_command(o, NULL, 0);
    b->service.budget.bake_bytes = (uint64_t)o->bake_memory_mib << 20;
    b->service.budget.bake_ns = (uint64_t)(o->bake_time_s * 1e9);
    b->service.limits = o->limits;
    atomic_init(&b->service.live.keep_versions, o->keep_versions);
    b->service.started_ns = clock_now_ns();
    b->service.registry = registry_create();
    b->service.cache = mesh_cache_create(0, 0);
    b->service.events = events_create(0); // to which nobody listens
    b->service.jobs = jobs_create(o->workers);
    atomic_init(&b->service.state, SERVICE_BAKING);
    if (b->service.registry == NULL || b->service.jobs == NULL || b->service.cache == NULL ||
        b->service.events == NULL) {
        status = nav_fail(err, NAV_NO_MEMORY, "no memory to start");
    }
    NAV_IF_OK(status, bake_all(b, o, err));
    startup_close(&b->service);
    return status;
}

int command_bake(const options *o)
{
    static baker b;
    nav_error err = {0};
    if (o->mesh_count == 0) {
        return command_usage("bake", "write --mesh NAME=FILE", "");
    }
    b = (baker){.json = o->json, .people = o->json ? stderr : stdout};
    b.terminal = isatty(fileno(b.people)) == 1;
    const char *wrong = command_arguments(o, 0, SETTINGS_MAX, b.args, &b.arg_count);
    int exit_code = COMMAND_DONE;
    if (wrong != NULL) {
        exit_code = command_usage("bake",
                                  strchr(wrong, '=') != NULL ? "too many settings, from"
                                                             : "write SETTING=VALUE, not",
                                  wrong);
    } else {
        // The gates of the command line, which an upload has by these names.
        if (o->strict) {
            b.args[b.arg_count++] = (proto_arg){.key = "strict", .value = "1"};
        }
        if (o->checks != NULL) {
            b.args[b.arg_count++] = (proto_arg){.key = "require_checks", .value = "1"};
        }
        (void)sem_init(&b.ended, 0, 0);
        exit_code = run(&b, o, &err) != NAV_OK ? (b.said ? COMMAND_FAILED : command_fail(&err))
                    : b.checks_failed          ? COMMAND_CHECKS
                    : b.warned                 ? COMMAND_WARNINGS
                                               : COMMAND_DONE;
        (void)sem_destroy(&b.ended);
    }
    free(b.checks);
    free(b.config);
    return exit_code;
}
