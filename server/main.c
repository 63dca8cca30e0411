// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// main.c: the daemon's life: options, store, listeners, meshes, ready; a signal; the same
// backwards.
//
// Signals are blocked in every thread and read by this one from a descriptor, next to another that
// counts the meshes and bakes that the start waits for.

#include "server/api/routes.h"
#include "server/app/command.h"
#include "server/base/clock.h"
#include "server/http/auth.h"
#include "server/http/http.h"
#include "server/base/events.h"
#include "server/instances/instances.h"
#include "server/jobs/jobs.h"
#include "server/jobs/repair.h"
#include "server/base/process.h"
#include "server/app/options.h"
#include "server/app/reload.h"
#include "server/app/sandbox.h"
#include "server/app/startup.h"
#include "server/meshes/cache.h"
#include "server/meshes/damage_list.h"
#include "server/meshes/load_queue.h"
#include "server/meshes/registry.h"
#include "server/recordings/recordings.h"
#include "server/store/store.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#define EXIT_USAGE 2

// Requests that a bake has kept waiting get this long to be answered, whatever --drain-ms says.
#define ANSWER_MS 500u

// All that this thread watches while the others work.
typedef struct watch {
    int signals; // SIGTERM, SIGINT, SIGHUP
    int bakes;   // counts what the start waits for: meshes that are loaded, then bakes
    loaders *loaders;
    reload reload;
    sandbox box;
} watch;

static uint32_t core_count(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores > 1 ? (uint32_t)cores : 1;
}

// ---- signals ----

static void stop_signals(sigset_t *set)
{
    (void)sigemptyset(set);
    (void)sigaddset(set, SIGTERM);
    (void)sigaddset(set, SIGINT);
}

static int open_signals(void)
{
    sigset_t set;
    stop_signals(&set);
    (void)sigaddset(&set, SIGHUP);
    (void)pthread_sigmask(SIG_BLOCK, &set, NULL);
    return signalfd(-1, &set, SFD_CLOEXEC);
}

// From here on a second SIGTERM or SIGINT ends the process at once. All that was acknowledged is on
// disk; the rest is as after a crash.
static void let_signals_kill(void)
{
    sigset_t set;
    stop_signals(&set);
    (void)pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

static void count_done(void *user)
{
    const uint64_t one = 1;
    ssize_t written = write(*(const int *)user, &one, sizeof one);
    (void)written; // an eventfd refuses only past 2^64 - 2
}

// One signal that has come; true: it says to stop.
static bool take_signal(watch *w, service *s)
{
    struct signalfd_siginfo info;
    if (read(w->signals, &info, sizeof info) != (ssize_t)sizeof info) {
        return false;
    }
    if (info.ssi_signo == (uint32_t)SIGHUP) {
        notify_reloading();
        bool good = reload_run(&w->reload, s);
        if (atomic_load(&s->state) == SERVICE_READY) {
            notify_ready(good ? "ready" : "ready; the last reload was refused, see the log");
        }
        return false;
    }
    return true;
}

// Waits until *pending meshes or bakes have been counted. True: a signal to stop came first.
static bool wait_for(watch *w, service *s, uint32_t *pending)
{
    struct pollfd fds[2] = {{.fd = w->signals, .events = POLLIN},
                            {.fd = w->bakes, .events = POLLIN}};
    int interval_ms = notify_interval_ms();
    do {
        int ready = poll(fds, 2, interval_ms);
        if (ready < 0 && errno != EINTR) {
            return true;
        }
        if (interval_ms >= 0) {
            notify_alive();
        }
        if (ready > 0 && (fds[0].revents & POLLIN) != 0 && take_signal(w, s)) {
            return true;
        }
        uint64_t ended = 0;
        if (ready > 0 && (fds[1].revents & POLLIN) != 0 &&
            read(w->bakes, &ended, sizeof ended) == (ssize_t)sizeof ended) {
            *pending -= ended < *pending ? (uint32_t)ended : *pending;
        }
    } while (*pending > 0);
    return false;
}

// ---- from open listeners to a signal ----

// Loads the live versions. *stopped: a signal to stop came before they were loaded.
static nav_status load(service *s, watch *w, bool *stopped, nav_error *err)
{
    uint32_t pending = 0;
    nav_status status = startup_load_begin(s, count_done, &w->bakes, &w->loaders, &pending, err);
    *stopped = status == NAV_OK && pending > 0 && wait_for(w, s, &pending);
    if (status == NAV_OK && !*stopped) {
        startup_load_end(w->loaders);
        w->loaders = NULL;
    }
    return status;
}

// NAV_OK: a signal to stop came.
static nav_status serve(service *s, const options *o, watch *w, nav_error *err)
{
    uint32_t pending = 0, repairs = 0;
    startup_versions versions;
    bool stopped = false;
    NAV_ASSERT(atomic_load(&s->state) == SERVICE_LOADING);
    nav_status status = load(s, w, &stopped, err);
    if (stopped) {
        return NAV_OK;
    }
    if (status == NAV_OK) {
        repair_begin(s, count_done, &w->bakes, &repairs);
        status = startup_set_checks(s, o, err);
    }
    NAV_IF_OK(status, startup_requeue(s, err));
    if (status == NAV_OK && jobs_start(s->jobs, job_bake, s) != NAV_OK) {
        status = nav_fail(err, NAV_NO_MEMORY, "the workers cannot be started");
    }
    if (status == NAV_OK) {
        atomic_store(&s->state, SERVICE_BAKING);
        status = startup_upload(s, o, &versions, count_done, &w->bakes, &pending, err);
    }
    pending += repairs;
    if (status == NAV_OK && pending > 0 && wait_for(w, s, &pending)) {
        return NAV_OK;
    }
    NAV_IF_OK(status, startup_check_meshes(s, o, &versions, err));
    if (status == NAV_OK) {
        atomic_store(&s->state, SERVICE_READY);
        log_info("ready", "version=%s workers=%u", NAVMESHD_VERSION, o->workers);
        notify_ready("ready");
        pending = UINT32_MAX; // nothing but a signal ends this wait
        (void)wait_for(w, s, &pending);
    }
    return status;
}

// The stop, backwards: no new connections, no new bakes; running bakes end; requests that wait for
// them are answered.
static void stop(service *s, http *listeners, watch *w, nav_status status)
{
    uint32_t drain_ms = atomic_load(&s->live.drain_ms);
    NAV_ASSERT(atomic_load(&s->state) < SERVICE_STOPPING); // the state only ever moves on
    uint64_t begin_ns = clock_now_ns();
    atomic_store(&s->state, SERVICE_STOPPING);
    let_signals_kill();
    log_info("stopping", "code=%s drain_ms=%u", proto_status_word(status), drain_ms);
    notify_stopping(drain_ms);
    http_quiesce(listeners);
    load_queue_stop(s->load_queue);
    startup_load_end(w->loaders);
    jobs_stop(s->jobs);
    instances_stop(s->instances);
    events_stop(s->events);
    uint64_t limit_ns = begin_ns + (uint64_t)drain_ms * 1000000u;
    uint64_t least_ns =
        clock_now_ns() + (uint64_t)(ANSWER_MS < drain_ms ? ANSWER_MS : drain_ms) * 1000000u;
    http_stop(listeners, limit_ns > least_ns ? limit_ns : least_ns);
    recordings_stop(s->recordings);
}

// Between the store's opening and its closing.
static nav_status run_service(service *s, const options *o, watch *w, nav_error *err)
{
    http *listeners = NULL;
    NAV_ASSERT(s->store != NULL && o->listeners.count <= LIMIT_LISTENERS);
    process_raise_files((uint32_t)o->listeners.count, &s->limits);
    nav_status status = startup_load_list(s, err);
    NAV_IF_OK(status, http_start(s, o->listeners.items, o->listeners.count, &listeners, err));
    if (status != NAV_OK) {
        return status;
    }
    atomic_store(&s->http, listeners);
    sandbox_enter_calls(&w->box);
    sandbox_log(&w->box);
    // Before the meshes are loaded: questions about those that are there need it already.
    status = jobs_tasks_start(s->jobs) == NAV_OK
                 ? serve(s, o, w, err)
                 : nav_fail(err, NAV_NO_MEMORY, "the thread for tasks cannot be started");
    stop(s, listeners, w, status);
    return status;
}

// All that lives as long as the daemon; what could not be made is NULL.
static void service_init(service *s, const options *o)
{
    *s =
        (service){.budget = {.bake_bytes = (uint64_t)o->bake_memory_mib << 20,
                             .bake_ns = (uint64_t)(o->bake_time_s * 1e9)},
                  .limits = o->limits,
                  .allowed_hosts = o->allowed_hosts.items,
                  .allowed_host_count = o->allowed_hosts.count,
                  .allowed_origins = o->allowed_origins.items,
                  .allowed_origin_count = o->allowed_origins.count,
                  .trusted_network = o->trusted_network,
                  .started_ns = clock_now_ns(),
                  .started_unix_ms = clock_unix_ms(),
                  .registry = registry_create(),
                  .routes = routes_all(),
                  .jobs = jobs_create(o->workers),
                  .cache = mesh_cache_create((uint32_t)o->limits.kept_meshes, o->limits.kept_bytes),
                  .load_queue = load_queue_create(core_count()),
                  .events = events_create((uint32_t)o->limits.event_listeners),
                  .pins = pins_create((uint32_t)o->limits.pinned_versions),
                  .damage_list = damage_list_create()};
    const instances_limits limits = {.count_max = o->max_instances,
                                     .bytes_max = o->limits.instances_bytes};
    s->instances =
        s->events != NULL && s->pins != NULL ? instances_create(&limits, s->pins, s->events) : NULL;
}

// Tokens, the store and what needs it.
static nav_status service_open(service *s, const options *o, nav_error *err)
{
    if (s->registry == NULL || s->jobs == NULL || s->cache == NULL || s->load_queue == NULL ||
        s->instances == NULL || s->damage_list == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory to start");
    }
    jobs_set_limit(s->jobs, (uint32_t)o->limits.bake_queue);
    jobs_set_cores(s->jobs, core_count());
    reload_apply(s, o);
    nav_status status = o->token_file != NULL ? auth_open(o->token_file, &s->auth, err) : NAV_OK;
    NAV_IF_OK(status, store_open(o->db, &s->store, err));
    NAV_IF_OK(status, store_watch_begin(s->store, err));
    if (status == NAV_OK) {
        s->recordings = recordings_create(s->store, (uint64_t)o->recordings_bytes);
        status =
            s->recordings != NULL ? NAV_OK : nav_fail(err, NAV_NO_MEMORY, "no memory to start");
    }
    return status;
}

static nav_status run(const options *o, watch *w, nav_error *err)
{
    NAV_ASSERT(o->action == OPTION_SERVE && w->signals < 0 && w->bakes < 0);
    notify_open();
    sandbox_begin(&w->box, o);
    sandbox_allow_options(&w->box, o);
    sandbox_enter_files(&w->box); // holds for the threads that are made from here on
    w->signals = open_signals();  // before any thread is made, which would not have them blocked
    w->bakes = eventfd(0, EFD_CLOEXEC);
    service s;
    service_init(&s, o);
    nav_status status = w->signals >= 0 && w->bakes >= 0
                            ? service_open(&s, o, err)
                            : nav_fail(err, NAV_NO_MEMORY, "no descriptors to start");
    NAV_IF_OK(status, run_service(&s, o, w, err));
    startup_close(&s);
    if (status == NAV_OK) {
        log_info("stopped", "uptime_s=%.3f", (double)(clock_now_ns() - s.started_ns) / 1e9);
    }
    if (w->bakes >= 0) {
        (void)close(w->bakes);
    }
    if (w->signals >= 0) {
        (void)close(w->signals);
    }
    return status;
}

// ---- the command line ----

static void print_faults(const option_faults *faults)
{
    for (size_t i = 0; i < faults->count && i < OPTION_FAULTS_MAX; i++) {
        (void)fprintf(stderr, "navmeshd: %s\n", faults->items[i].detail);
    }
}

static int act(const options *o, option_faults *faults, watch *w)
{
    if (o->action == OPTION_CHECK) {
        // --check: the options have been read; now all other faults that a start would trip over.
        options_check(o, NULL, faults);
        print_faults(faults);
        if (faults->count == 0) {
            (void)puts("ok");
        }
        return faults->count == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
    }
    if (faults->count > 0) {
        print_faults(faults);
        (void)fputs("(navmeshd --help lists the options)\n", stderr);
        return EXIT_USAGE;
    }
    switch (o->action) {
    case OPTION_HELP:
        return command_help(OPTION_FOR_SERVE,
                            "usage: navmeshd [serve] [option]...\n"
                            "       navmeshd bake|query|diff|export|replay|verify|backup --help\n"
                            "Bakes navigation meshes and answers path queries over HTTP.\n",
                            "");
    case OPTION_VERSION:
        (void)puts("navmeshd " NAVMESHD_VERSION);
        break;
    case OPTION_SERVE: {
        nav_error err = {0};
        if (run(o, w, &err) == NAV_OK) {
            return EXIT_SUCCESS;
        }
        (void)fprintf(stderr, "navmeshd: %s\n", err.detail);
        return EXIT_FAILURE;
    }
    case OPTION_CHECK:
        break;
    }
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    static option_faults faults;
    options started, now;
    uint32_t cores = core_count();
    int exit_code;
    process_prepare();
    if (command_run(argc, argv, cores, &exit_code)) {
        return exit_code;
    }
    if (argc > 1 && strcmp(argv[1], "serve") == 0) {
        argc--;
        argv++;
    }
    (void)options_parse(OPTION_FOR_SERVE, argc, argv, cores, &started, &faults);
    // A second reading, which a reload replaces while the first one's texts stay in use.
    static option_faults same;
    (void)options_parse(OPTION_FOR_SERVE, argc, argv, cores, &now, &same);
    watch w = {
        .signals = -1,
        .bakes = -1,
        .reload = {.argc = argc, .argv = argv, .cores = cores, .started = &started, .now = &now}};
    int code = act(&started, &faults, &w);
    options_free(&now);
    options_free(&started);
    return code;
}
