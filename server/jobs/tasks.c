// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// tasks.c: questions that need a bake, one after the other, on a thread beside the workers: those
// may be at one tile for minutes, and somebody waits for the answer.

#include "server/jobs/jobs.h"

#include "server/base/lock.h"

nav_status jobs_ask(jobs *j, job_task *task, uint32_t waiting_max, nav_error *err)
{
    nav_status status = NAV_OK;
    (void)pthread_mutex_lock(&j->lock);
    if (j->stopping) {
        status = nav_fail(err, PROTO_NOT_READY, "the daemon stops; ask again once it is back");
    } else if (j->tasks_waiting >= waiting_max) {
        status = nav_fail(err, PROTO_BAKE_QUEUE_FULL,
                          "too many questions that need a bake are waiting; ask again later");
        nav_error_limit(err, "%u", waiting_max);
    } else {
        job_task **link = &j->tasks;
        while (*link != NULL) {
            link = &(*link)->next;
        }
        task->was_begun = false;
        task->next = NULL;
        *link = task;
        j->tasks_waiting++;
        (void)pthread_cond_signal(&j->asked);
    }
    (void)pthread_mutex_unlock(&j->lock);
    return status;
}

// Gives the lock back while the task is run, and while its owner hears of it.
static void run_first_locked(jobs *j)
{
    job_task *task = j->tasks;
    NAV_ASSERT(lock_is_held(&j->lock));
    NAV_ASSERT(task != NULL && j->task_running == NULL && j->tasks_waiting > 0);
    j->tasks = task->next;
    j->tasks_waiting--;
    j->task_running = task;
    task->was_begun = true;
    (void)pthread_mutex_unlock(&j->lock);
    task->run(task->user);
    (void)pthread_mutex_lock(&j->lock);
    j->task_running = NULL;
    (void)pthread_mutex_unlock(&j->lock);
    task->done(task->user);
    (void)pthread_mutex_lock(&j->lock);
}

static void *run_tasks(void *argument)
{
    jobs *j = argument;
    jobs_yield_to_queries();
    (void)pthread_mutex_lock(&j->lock);
    while (!j->stopping) {
        if (j->tasks != NULL) {
            run_first_locked(j);
        } else {
            (void)pthread_cond_wait(&j->asked, &j->lock);
        }
    }
    (void)pthread_mutex_unlock(&j->lock);
    return NULL;
}

nav_status jobs_tasks_start(jobs *j)
{
    NAV_ASSERT(!j->tasks_started);
    j->tasks_started = pthread_create(&j->tasks_thread, NULL, run_tasks, j) == 0;
    return j->tasks_started ? NAV_OK : NAV_NO_MEMORY;
}

// Whoever waits can ask again: none is begun any more, and the one that runs ends soon.
void jobs_tasks_cancel(jobs *j)
{
    (void)pthread_mutex_lock(&j->lock);
    NAV_ASSERT(j->stopping);
    job_task *dropped = j->tasks;
    j->tasks = NULL;
    j->tasks_waiting = 0;
    if (j->task_running != NULL) {
        atomic_store(&j->task_running->cancelled, true);
    }
    (void)pthread_cond_broadcast(&j->asked);
    (void)pthread_mutex_unlock(&j->lock);
    while (dropped != NULL) {
        job_task *next = dropped->next;
        dropped->done(dropped->user);
        dropped = next;
    }
}

void jobs_tasks_join(jobs *j)
{
    if (j->tasks_started) {
        (void)pthread_join(j->tasks_thread, NULL);
        j->tasks_started = false;
    }
}
