// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// jobs.h: versions that wait for their bake, the workers that bake them, and the switch of a mesh's
// live version.
//
//   jobs_submit --> queue --> worker: job_bake (jobs/bake/bake.c) --> watchers are called
//                               |  jobs_share: its tiles (jobs/bake/tiles.c)
//                               '--> workers that have no job of their own
//   a batch of questions --jobs_spread--> workers that have no bake to help with, on idle cores
//   a question that needs a bake, or is long --jobs_ask--> the threads of its queue (tasks.c), in
//   order
//
// A job is only the name of a version: the store holds what it needs, so that a queue costs no
// memory and a restart continues where the process died.

#pragma once

#include "core/nav.h"
#include "server/base/limits.h"
#include "server/base/lock.h"
#include "server/base/service.h"
#include "server/store/store.h"

#include <pthread.h>
#include <stdatomic.h>

struct service;

typedef struct jobs jobs;
typedef struct job_watcher job_watcher;

// The stages of a bake: a nav_stage while tiles are baked, and before and after them one of these.
enum {
    JOB_STAGE_LOAD = NAV_STAGE_COUNT, // from the store into memory
    JOB_STAGE_MESH,                   // tiles to the searchable mesh
    JOB_STAGE_CHECKS,                 // the mesh's checks, run on this version
    JOB_STAGE_STORE,
};

// "load", "voxelize", ...
const char *job_stage_word(uint32_t stage);

// One piece of work that is shared. Called on several threads at once, on each with its number.
typedef void job_item(void *user, uint32_t item, uint32_t worker);

// Pieces that are handed out one by one, in order.
typedef struct job_share job_share;
struct job_share {
    job_item *run; // NULL: nothing is shared now
    void *user;
    uint32_t next, count; // items not yet handed out: next .. count - 1
    uint32_t helpers;     // workers, other than the owner, that are at an item
    uint32_t helpers_max; // of a request: so many at once; of a bake 0, as it is not asked
    job_share *behind;    // of a request: the next one
};

typedef struct job {
    char mesh[LIMIT_MESH_NAME + 1];           // immutable
    uint32_t version;                         // immutable
    bool repairs;                             // immutable: the version is ready, but damaged
    uint32_t worker;                          // immutable once running: the number of its worker
    atomic_bool cancelled;                    // any thread sets
    _Atomic uint32_t tiles_done, tiles_total; // its workers write
    _Atomic uint32_t tiles_reused;            // its workers write: of those done
    _Atomic uint32_t stage;                   // its workers write: the one that began last
    _Atomic uint64_t steps;                   // its workers add: stages of tiles that are behind
    bool running;                             // guarded by the lock of jobs.c
    struct store_owed *owed;                  // its worker's: for an end that cannot be written
    job_share share;                          // guarded by the lock of jobs.c
    job_watcher *watchers;                    // guarded by the lock of jobs.c
    struct job *next;                         // guarded by the lock of jobs.c
} job;

typedef enum job_queue {
    JOB_QUEUE_BAKES,     // one thread, which gives way to all else
    JOB_QUEUE_QUESTIONS, // as many as there are cores, at most eight
    JOB_QUEUES
} job_queue;

// A question that is too long for the thread that read it. It lives until `done` is called, which
// may free it.
typedef struct job_task job_task;
struct job_task {
    job_queue queue;
    void (*run)(void *user);  // on a thread of its queue, at most once
    void (*done)(void *user); // once, on any thread: it has been run, or will not be
    void *user;
    uint64_t ends_ns; // of clock_now_ns: it is not begun after that; 0: whenever its turn comes
    atomic_bool cancelled; // the workers stop: `run` is to end soon, or is not called
    bool was_begun;        // guarded by the lock of jobs.c: `run` was called
    job_task *next;        // guarded by the lock of jobs.c
};

typedef struct job_progress {
    bool running;
    double progress; // 0 to 1; never falls, and is 1 only once the version is ready
    uint32_t tiles_done, tiles_reused;
    const char *stage;
} job_progress;

typedef struct job_counts {
    uint32_t workers, baking;
    uint32_t queued, limit; // uploads that wait for a worker, and how many may
    uint32_t repairs;       // versions that wait for a repair, which take no place
} job_counts;

// Holds a queue; workers begin with jobs_start. NULL without memory.
jobs *jobs_create(uint32_t workers);
// How many uploads may wait; LIMIT_BAKE_QUEUE at first. Before anything is queued.
void jobs_set_limit(jobs *j, uint32_t queued_max);
// Bakes a job, on a worker, and writes to the store how it ended.
typedef void job_run(struct service *s, job *taken);
// Errors: NAV_NO_MEMORY where no thread can be had.
nav_status jobs_start(jobs *j, job_run *run, struct service *s);
// Begins to run tasks, and to end those that have waited too long. Before or after jobs_start: they
// need no worker. Errors: likewise.
nav_status jobs_tasks_start(jobs *j);
// How long jobs_stop lets running bakes go on; LIMIT_BAKE_GRACE_MS at first. Main thread only.
void jobs_set_grace(jobs *j, uint32_t grace_ms);
// Gives running bakes up once their grace has passed, leaves them and queued ones to the next
// start, calls every watcher, joins.
void jobs_stop(jobs *j);
void jobs_destroy(jobs *j); // after jobs_stop; NULL is harmless

// Takes one of the queue's places before the version is stored; false: the queue is full.
bool jobs_reserve(jobs *j);
void jobs_unreserve(jobs *j);
// A job for jobs_queue, so that no memory is needed once the version is in the store; or for
// jobs_discard. NULL without memory.
job *jobs_prepare(void);
void jobs_discard(job *prepared); // NULL is harmless
void jobs_queue(jobs *j, job *prepared, const char *mesh, uint32_t version);
// Queues a version that is in the store, beyond the limit if need be. One that `repairs` is ready
// and damaged, and is baked again as it is (jobs/bake/bake.c); it takes no place, and uploads go
// first unless somebody watches it. If there is a job for it already, nothing happens. Errors:
// NAV_NO_MEMORY.
nav_status jobs_submit(jobs *j, const char *mesh, uint32_t version, bool repairs);
// Drops a queued job, asks a running one to end early; version 0: all of the mesh. The store knew
// before. Without such a job nothing happens.
void jobs_cancel(jobs *j, const char *mesh, uint32_t version);
// False: there is no such job; the store knows how it ended.
bool jobs_progress(jobs *j, const char *mesh, uint32_t version, job_progress *out);
// Calls done(user) once, on any thread, when the job has ended, is dropped, or the workers stop.
// False: not watched, there is no such job or no memory.
bool jobs_watch(jobs *j, const char *mesh, uint32_t version, void (*done)(void *user), void *user);
job_counts jobs_count(jobs *j);

// Queues a task, unless waiting_max of its queue wait. Errors: PROTO_BAKE_QUEUE_FULL;
// PROTO_NOT_READY: the workers stop. Then neither of its functions is called.
nav_status jobs_ask(jobs *j, job_task *task, uint32_t waiting_max, nav_error *err);

// From a running job's own worker: runs items 0 to count - 1 there and on every idle worker, which
// helps the oldest job first and after each item looks for a job of its own. Items begin in order.
// Returns when all have ended; their writes are then visible here.
void jobs_share(jobs *j, job *owner, uint32_t count, job_item *run, void *user);

// From a request's thread: runs items 0 to count - 1 there and on workers that are free, as long as
// the cores have no other work: requests that are being answered and bakes keep theirs. At most
// threads_max threads take part. Items begin in order. Returns when all have ended; their writes
// are then visible here. A thread's number is below jobs_spread_threads.
void jobs_spread(jobs *j, uint32_t count, uint32_t threads_max, job_item *run, void *user);
uint32_t jobs_spread_threads(const jobs *j);
// How many cores there are; as many as workers, and one more, at first. Before jobs_start.
void jobs_set_cores(jobs *j, uint32_t cores);

// jobs/bake/bake.c: the life of a bake.
void job_bake(struct service *s, job *taken);

// ---- the switch of a live version by hand: forward, or back; activate.c ----

typedef struct activate_request {
    const char *mesh;
    uint32_t version;
    uint64_t expected; // the mesh's activation, or STORE_ANY_ACTIVATION
    bool force;        // even if checks fail
} activate_request;

// Makes a ready version live, in the store and then in the registry, if it passes the checks that
// are set now; their outcome is kept with the version. Queries that are under way end with the mesh
// they began with. Errors: those of store_activate, which it calls, and of version_mesh_acquire;
// PROTO_CHECKS_FAILED. *before and *activation as of store_activate. Thread: any.
nav_status activate_version(service *s, const activate_request *request, store_mesh *before,
                            uint64_t *activation, nav_error *err);

// Runs the checks that are set now on a ready version, live or not, and keeps their outcome with
// it. Errors: as above; PROTO_CHECKS_FAILED.
nav_status activate_check(service *s, const activate_request *request, nav_error *err);

// ---- private to jobs.c and workers.c: the list of jobs ----

struct job_watcher {
    void (*done)(void *user);
    void *user;
    job_watcher *next;
};

typedef struct bake_worker {
    jobs *jobs;
    uint32_t number; // from 0
    pthread_t thread;
} bake_worker;

#define JOB_RUNNERS_MAX 10u

typedef struct task_runner {
    jobs *jobs;
    job_queue queue;
    job_task *running; // guarded by lock; NULL: none
    pthread_t thread;  // main thread only
} task_runner;

struct jobs {
    pthread_mutex_t lock;
    pthread_cond_t changed;             // there is work, or the workers are to stop
    pthread_cond_t helped;              // a helper has ended its item
    job *first;                         // guarded by lock; running and queued jobs in order
    uint32_t queued, repairs;           // guarded by lock; those that wait: uploads, and all others
    uint32_t baking;                    // guarded by lock
    pthread_cond_t asked;               // there is a task, or the workers are to stop; monotonic
    job_task *tasks[JOB_QUEUES];        // guarded by lock; those that wait, in order
    uint32_t tasks_waiting[JOB_QUEUES]; // guarded by lock
    task_runner runners[JOB_RUNNERS_MAX]; // the first: for ends of those that wait, then for
                                          // bakes, then for questions
    uint32_t runners_started;             // main thread only
    job_share *spreads;                   // guarded by lock; of requests, in order
    uint32_t busy, idle;                // guarded by lock; workers that have work, or look for it,
                                        // and those that wait for some
    uint32_t called;                    // guarded by lock; of the idle, to help a request
    uint32_t cores;                     // immutable once started
    uint32_t queued_max;                // immutable once something is queued
    uint32_t reserved;                  // guarded by lock
    bool stopping;                      // guarded by lock
    uint32_t workers;                   // immutable
    uint32_t started;                   // main thread only
    uint32_t grace_ms;                  // main thread only
    job_run *run;                       // immutable once started
    struct service *service;            // immutable once started
    bake_worker threads[LIMIT_WORKERS]; // main thread only
};

// The count that a job is in while it waits.
static inline uint32_t *jobs_waiting_locked(jobs *j, const job *waiting)
{
    NAV_ASSERT(lock_is_held(&j->lock));
    return waiting->repairs ? &j->repairs : &j->queued;
}

// jobs.c: outside the lock, of a job that is in no list any more.
void jobs_call_watchers(job_watcher *watcher);
// tasks.c: once the workers are to stop. Cancels the tasks that run and calls the owners of those
// that were not begun; waits for the threads' end.
void jobs_tasks_cancel(jobs *j);
void jobs_tasks_join(jobs *j);
