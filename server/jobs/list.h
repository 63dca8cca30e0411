// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// list.h: the list of jobs, as those see it that queue and ask (jobs.c) and the workers
// (workers.c).

#pragma once

#include "server/jobs/jobs.h"

#include <pthread.h>

struct job_watcher {
    void (*done)(void *user);
    void *user;
    job_watcher *next;
};

typedef struct worker {
    jobs *jobs;
    uint32_t number; // from 0
    pthread_t thread;
} worker;

struct jobs {
    pthread_mutex_t lock;
    pthread_cond_t changed;        // there is work, or the workers are to stop
    pthread_cond_t helped;         // a helper has ended its item
    job *first;                    // guarded by lock; running and queued jobs in order
    uint32_t queued, mends;        // guarded by lock; those that wait: uploads, and all others
    uint32_t baking;               // guarded by lock
    uint32_t queued_max;           // immutable once something is queued
    uint32_t reserved;             // guarded by lock
    bool stopping;                 // guarded by lock
    uint32_t workers;              // immutable
    uint32_t started;              // main thread only
    uint32_t grace_ms;             // main thread only
    job_run *run;                  // immutable once started
    struct service *service;       // immutable once started
    worker threads[LIMIT_WORKERS]; // main thread only
};

// The count that a job is in while it waits.
static inline uint32_t *jobs_waiting_locked(jobs *j, const job *waiting)
{
    return waiting->mends ? &j->mends : &j->queued;
}

// jobs.c: outside the lock, of a job that is in no list any more.
void jobs_call_watchers(job_watcher *watcher);
