// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// watch.c: a thread that finds out within a second that the file was taken away, or that
// writes work again, also while nobody writes.

#include "server/store/db.h"

#include "server/base/lock.h"

#include <time.h>

#define PROBE_NS UINT64_C(250000000)

static void wait_locked(store_watch *w)
{
    const uint64_t until_ns = clock_now_ns() + PROBE_NS;
    const struct timespec until = {.tv_sec = (time_t)(until_ns / 1000000000u),
                                   .tv_nsec = (long)(until_ns % 1000000000u)};
    while (!w->ended && pthread_cond_timedwait(&w->changed, &w->lock, &until) == 0) {
    }
}

static void *watch(void *argument)
{
    store *disk = argument;
    store_watch *w = &disk->watch;
    (void)pthread_mutex_lock(&w->lock);
    while (!w->ended) {
        (void)pthread_mutex_unlock(&w->lock);
        store_probe(disk);
        (void)pthread_mutex_lock(&w->lock);
        wait_locked(w);
    }
    (void)pthread_mutex_unlock(&w->lock);
    return NULL;
}

nav_status store_watch_begin(store *disk, nav_error *err)
{
    disk->watch.running = pthread_create(&disk->watch.thread, NULL, watch, disk) == 0;
    return disk->watch.running
               ? NAV_OK
               : nav_fail(err, NAV_NO_MEMORY, "no thread to look after the database");
}

void store_watch_end(store *disk)
{
    if (!disk->watch.running) {
        return;
    }
    (void)pthread_mutex_lock(&disk->watch.lock);
    disk->watch.ended = true;
    (void)pthread_cond_signal(&disk->watch.changed);
    (void)pthread_mutex_unlock(&disk->watch.lock);
    (void)pthread_join(disk->watch.thread, NULL);
    disk->watch.running = false;
}
