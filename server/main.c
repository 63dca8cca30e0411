// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// main.c: the daemon's life: options, store, listeners, meshes, ready; a signal; the same
// backwards.
//
// Signals are blocked in every thread and read by this one from a descriptor, next to another that
// tells of bakes that the start waits for.

#include "server/http.h"
#include "server/listen.h"
#include "server/log.h"
#include "server/options.h"
#include "server/startup.h"

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

static uint32_t core_count(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores > 1 ? (uint32_t)cores : 1;
}

// SIGTERM and SIGINT arrive at the descriptor; SIGPIPE is an error of write instead.
static int open_signals(void)
{
    sigset_t set;
    (void)sigemptyset(&set);
    (void)sigaddset(&set, SIGTERM);
    (void)sigaddset(&set, SIGINT);
    (void)pthread_sigmask(SIG_BLOCK, &set, NULL);
    (void)signal(SIGPIPE, SIG_IGN);
    return signalfd(-1, &set, SFD_CLOEXEC);
}

static void count_bake(void *user)
{
    const uint64_t one = 1;
    ssize_t written = write(*(const int *)user, &one, sizeof one);
    (void)written; // an eventfd refuses only past 2^64 - 2
}

// Waits for a signal, or until *pending bakes have been counted; true: a signal has come.
static bool wait_for(int signals, int bakes, uint32_t *pending)
{
    struct pollfd fds[2] = {{.fd = signals, .events = POLLIN}, {.fd = bakes, .events = POLLIN}};
    do {
        int ready = poll(fds, 2, -1);
        if (ready < 0 && errno != EINTR) {
            return true;
        }
        if (ready > 0 && (fds[0].revents & POLLIN) != 0) {
            return true;
        }
        uint64_t ended = 0;
        if (ready > 0 && (fds[1].revents & POLLIN) != 0 &&
            read(bakes, &ended, sizeof ended) == (ssize_t)sizeof ended) {
            *pending -= ended < *pending ? (uint32_t)ended : *pending;
        }
    } while (*pending > 0);
    return false;
}

// From open listeners to ready, then until a signal. NAV_OK: it was told to stop.
static nav_status serve(service *s, const options *o, int signals, int *bakes, nav_error *err)
{
    uint32_t pending = 0;
    nav_status status = startup_load(s, err);
    if (status == NAV_OK) {
        status = startup_requeue(s, err);
    }
    if (status == NAV_OK && jobs_start(s->jobs, job_bake, s) != NAV_OK) {
        status = nav_fail(err, NAV_NO_MEMORY, "the workers cannot be started");
    }
    if (status == NAV_OK) {
        atomic_store(&s->state, SERVICE_BAKING);
        status = startup_upload(s, o, count_bake, bakes, &pending, err);
    }
    if (status == NAV_OK && pending > 0 && wait_for(signals, *bakes, &pending)) {
        return NAV_OK;
    }
    if (status == NAV_OK) {
        status = startup_check_meshes(s, o, err);
    }
    if (status == NAV_OK) {
        atomic_store(&s->state, SERVICE_READY);
        log_info("ready", "version=%s workers=%u", NAVMESHD_VERSION, o->workers);
        pending = UINT32_MAX; // nothing but a signal ends this wait
        (void)wait_for(signals, *bakes, &pending);
    }
    return status;
}

// Between the store's opening and its closing.
static nav_status run_service(service *s, const options *o, int signals, int *bakes, nav_error *err)
{
    http *listeners = NULL;
    nav_status status = http_start(s, o->listeners, o->listener_count, &listeners, err);
    if (status != NAV_OK) {
        return status;
    }
    status = serve(s, o, signals, bakes, err);
    // Backwards: no new connections, no new bakes; what runs ends; what waits for it is answered.
    atomic_store(&s->state, SERVICE_STOPPING);
    log_info("stopping", "code=%s", nav_status_word(status));
    http_quiesce(listeners);
    jobs_stop(s->jobs);
    events_stop(s->events);
    http_stop(listeners);
    return status;
}

static nav_status run(const options *o, nav_error *err)
{
    int signals = open_signals();
    int bakes = eventfd(0, EFD_CLOEXEC);
    service s = {.budget = {.bake_bytes = (uint64_t)o->bake_memory_mib << 20,
                            .bake_ns = (uint64_t)(o->bake_time_s * 1e9)},
                 .started_ns = clock_now_ns(),
                 .registry = registry_create(),
                 .jobs = jobs_create(o->workers),
                 .cache = mesh_cache_create(LIMIT_KEPT_MESHES, LIMIT_KEPT_BYTES),
                 .events = events_create()};
    nav_status status = NAV_OK;
    if (signals < 0 || bakes < 0 || s.registry == NULL || s.jobs == NULL || s.cache == NULL ||
        s.events == NULL) {
        status = nav_fail(err, NAV_NO_MEMORY, "no memory or descriptors to start");
    }
    if (status == NAV_OK) {
        status = store_open(o->db, &s.store, err);
    }
    if (status == NAV_OK) {
        status = run_service(&s, o, signals, &bakes, err);
    }
    jobs_destroy(s.jobs);
    events_destroy(s.events);
    mesh_cache_destroy(s.cache);
    registry_destroy(s.registry);
    store_close(s.store);
    if (bakes >= 0) {
        (void)close(bakes);
    }
    if (signals >= 0) {
        (void)close(signals);
    }
    return status;
}

// --check: the options have been read; the rest that a start would trip over.
static nav_status check(const options *o, nav_error *err)
{
    nav_status status = store_check(o->db, err);
    for (size_t i = 0; status == NAV_OK && i < o->mesh_count; i++) {
        nav_error why = {0};
        status = startup_check_file(o->meshes[i].file, &why);
        if (status != NAV_OK) {
            (void)nav_fail(err, status, "--mesh %s=%.80s: %.120s", o->meshes[i].name,
                           o->meshes[i].file, why.detail);
        }
    }
    return status;
}

int main(int argc, char **argv)
{
    static options o;
    nav_error err = {0};
    if (options_parse(argc, argv, core_count(), &o, &err) != NAV_OK) {
        (void)fprintf(stderr, "navmeshd: %s\n(navmeshd --help lists the options)\n", err.detail);
        return EXIT_USAGE;
    }
    nav_status status = NAV_OK;
    switch (o.action) {
    case OPTION_HELP:
        (void)fputs(options_help(), stdout);
        break;
    case OPTION_VERSION:
        (void)puts("navmeshd " NAVMESHD_VERSION);
        break;
    case OPTION_CHECK:
        status = check(&o, &err);
        if (status == NAV_OK) {
            (void)puts("ok");
        }
        break;
    case OPTION_SERVE:
        status = run(&o, &err);
        break;
    }
    if (status != NAV_OK) {
        (void)fprintf(stderr, "navmeshd: %s\n", err.detail);
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
