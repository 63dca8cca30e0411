// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// tasks.c: questions that need a bake, one after the other, on a thread beside the workers: a
// worker may be at one tile for minutes, and somebody waits for the answer. A second thread ends
// questions whose time is up while they wait for their turn: the first one sees them only when the
// question that it is at has ended, which may take as long as a whole level takes to be read.

#include "server/jobs/jobs.h"

#include "server/base/clock.h"
#include "server/base/lock.h"
#include "server/base/process.h"

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
        (void)pthread_cond_broadcast(&j->asked);
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

// ---- those that wait ----

// Takes those out whose time is up. *next_ns: when the next one's is; UINT64_MAX: never.
static job_task *take_overdue_locked(jobs *j, uint64_t now_ns, uint64_t *next_ns)
{
    NAV_ASSERT(lock_is_held(&j->lock));
    job_task *overdue = NULL;
    *next_ns = UINT64_MAX;
    for (job_task **link = &j->tasks; *link != NULL;) {
        job_task *task = *link;
        if (task->ends_ns > 0 && task->ends_ns <= now_ns) {
            *link = task->next;
            j->tasks_waiting--;
            task->next = overdue;
            overdue = task;
            continue;
        }
        *next_ns = task->ends_ns > 0 && task->ends_ns < *next_ns ? task->ends_ns : *next_ns;
        link = &task->next;
    }
    return overdue;
}

// Their owners hear of it without the lock.
static void end_tasks(job_task *task)
{
    while (task != NULL) {
        job_task *next = task->next;
        task->done(task->user);
        task = next;
    }
}

// Gives the lock back while their owners hear of it. False: there are none.
static bool end_overdue_locked(jobs *j, uint64_t now_ns, uint64_t *next_ns)
{
    job_task *overdue = take_overdue_locked(j, now_ns, next_ns);
    if (overdue == NULL) {
        return false;
    }
    (void)pthread_mutex_unlock(&j->lock);
    end_tasks(overdue);
    (void)pthread_mutex_lock(&j->lock);
    return true;
}

// ---- the two threads ----

static void *run_tasks(void *argument)
{
    jobs *j = argument;
    process_thread_gives_way();
    (void)pthread_mutex_lock(&j->lock);
    while (!j->stopping) {
        uint64_t next_ns;
        if (end_overdue_locked(j, clock_now_ns(), &next_ns)) {
            continue;
        }
        if (j->tasks != NULL) {
            run_first_locked(j);
        } else {
            (void)pthread_cond_wait(&j->asked, &j->lock);
        }
    }
    (void)pthread_mutex_unlock(&j->lock);
    return NULL;
}

static void *end_overdue(void *argument)
{
    jobs *j = argument;
    (void)pthread_mutex_lock(&j->lock);
    while (!j->stopping) {
        const uint64_t now_ns = clock_now_ns();
        uint64_t next_ns;
        if (end_overdue_locked(j, now_ns, &next_ns)) {
            continue;
        }
        if (next_ns == UINT64_MAX) {
            (void)pthread_cond_wait(&j->asked, &j->lock);
        } else {
            const struct timespec until = lock_deadline((next_ns - now_ns) / 1000000u + 1);
            (void)pthread_cond_timedwait(&j->asked, &j->lock, &until);
        }
    }
    (void)pthread_mutex_unlock(&j->lock);
    return NULL;
}

// ---- begin and end ----

nav_status jobs_tasks_start(jobs *j)
{
    void *(*const threads[])(void *) = {run_tasks, end_overdue};
    NAV_ASSERT(j->tasks_started == 0);
    while (j->tasks_started < 2) {
        const uint32_t i = j->tasks_started;
        if (pthread_create(&j->tasks_threads[i], NULL, threads[i], j) != 0) {
            return NAV_NO_MEMORY; // jobs_stop joins the first
        }
        j->tasks_started++;
    }
    return NAV_OK;
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
    for (job_task *task = dropped; task != NULL; task = task->next) {
        atomic_store(&task->cancelled, true);
    }
    (void)pthread_cond_broadcast(&j->asked);
    (void)pthread_mutex_unlock(&j->lock);
    end_tasks(dropped);
}

void jobs_tasks_join(jobs *j)
{
    while (j->tasks_started > 0) {
        (void)pthread_join(j->tasks_threads[--j->tasks_started], NULL);
    }
}
