// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// probe.c: what looks after the file while nobody writes: whether it is in its place, whether
// writes that failed work again, and failures of bakes that could not be written.

#include "server/store/db.h"

#include "server/base/lock.h"
#include "server/base/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

// ---- failures of bakes ----

static void add_owed(store *disk, store_owed *owed)
{
    (void)pthread_mutex_lock(&disk->trouble_lock);
    owed->next = disk->owed;
    disk->owed = owed;
    (void)pthread_mutex_unlock(&disk->trouble_lock);
}

store_owed *store_owed_create(void)
{
    return calloc(1, sizeof(store_owed));
}

void store_version_failed_later(store *disk, store_owed *owed, const char *mesh, uint32_t version,
                                const nav_error *why)
{
    (void)snprintf(owed->mesh, sizeof owed->mesh, "%s", mesh);
    NAV_ASSERT(why->status != NAV_OK);
    owed->version = version;
    owed->why = *why;
    add_owed(disk, owed);
}

// A page is written: a transaction that changes nothing would prove nothing.
static nav_status try_to_write(store *disk)
{
    nav_error err = {0};
    nav_status status = store_write_begin(disk, &err);
    if (status == NAV_OK) {
        status =
            store_change_locked(disk, "writing", STORE_SET_APPLICATION_ID, STORE_NO_VALUES, &err);
        status = store_write_end(disk, status, &err);
    }
    return status;
}

// Failures of bakes that could not be written.
static void write_owed(store *disk)
{
    (void)pthread_mutex_lock(&disk->trouble_lock);
    store_owed *owed = disk->owed;
    disk->owed = NULL;
    (void)pthread_mutex_unlock(&disk->trouble_lock);
    while (owed != NULL) {
        store_owed *next = owed->next;
        nav_error err = {0}; // transaction.c keeps its text
        const nav_status status =
            store_version_failed(disk, owed->mesh, owed->version, &owed->why, &err);
        if (status == NAV_OK) {
            log_info("bake_recorded", "mesh=%s version=%u", owed->mesh, owed->version);
        }
        if (retry_may_help(status)) {
            add_owed(disk, owed);
        } else { // or it was cancelled or removed meanwhile
            free(owed);
        }
        owed = next;
    }
}

void store_probe(store *disk)
{
    nav_error why = {0};
    if (store_place_check(disk, &why) != NAV_OK) {
        store_note_failure(disk, &why);
        return;
    }
    const bool degraded = store_is_degraded(disk, &why);
    if (degraded && why.status == PROTO_STORAGE_FULL) {
        // On a disk that is full the log goes into the file as far as that has room, and is then
        // written from its beginning again, which takes no more.
        (void)pthread_mutex_lock(&disk->writer.lock);
        if (disk->writer.db != NULL) {
            (void)sqlite3_wal_checkpoint_v2(disk->writer.db, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL,
                                            NULL);
        }
        (void)pthread_mutex_unlock(&disk->writer.lock);
    }
    if (!degraded || try_to_write(disk) == NAV_OK) {
        write_owed(disk);
    }
}

// ---- a thread that looks after the file ----

#define PROBE_MS 250

static void wait_locked(store_watch *w)
{
    const struct timespec until = lock_deadline(PROBE_MS);
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
