// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// tasks.c: questions that would hold the thread that read them, each in its queue. Those that need
// a bake are run one after the other, on a thread beside the workers: a worker may be at one tile
// for minutes, and somebody waits for the answer. Those that are long by what they ask are run by
// as many threads as there are cores. A thread of its own ends questions whose time is up while
// they wait for their turn.

#include "server/jobs/jobs.h"

#include "server/base/clock.h"
#include "server/base/lock.h"
#include "server/base/process.h"

nav_status jobs_ask(jobs *j, job_task *task, uint32_t waiting_max, nav_error *err)
{
    nav_status status = NAV_OK;
    uint32_t *waiting = &j->tasks_waiting[task->queue];
    (void)pthread_mutex_lock(&j->lock);
    if (j->stopping) {
        status = nav_fail(err, PROTO_NOT_READY, "the daemon stops; ask again once it is back");
    } else if (*waiting >= waiting_max) {
        status = nav_fail(err, PROTO_BAKE_QUEUE_FULL,
                          "too many questions that need a bake are waiting; ask again later");
        nav_error_limit(err, "%u", waiting_max);
    } else {
        job_task **link = &j->tasks[task->queue];
        while (*link != NULL) {
            link = &(*link)->next;
        }
        task->was_begun = false;
        task->next = NULL;
        *link = task;
        ++*waiting;
        (void)pthread_cond_broadcast(&j->asked);
    }
    (void)pthread_mutex_unlock(&j->lock);
    return status;
}

// Gives the lock back while the task is run, and while its owner hears of it.
static void run_first_locked(task_runner *runner)
{
    jobs *j = runner->jobs;
    job_task *task = j->tasks[runner->queue];
    NAV_ASSERT(lock_is_held(&j->lock));
    NAV_ASSERT(task != NULL && runner->running == NULL && j->tasks_waiting[runner->queue] > 0);
    j->tasks[runner->queue] = task->next;
    j->tasks_waiting[runner->queue]--;
    runner->running = task;
    task->was_begun = true;
    (void)pthread_mutex_unlock(&j->lock);
    task->run(task->user);
    (void)pthread_mutex_lock(&j->lock);
    runner->running = NULL;
    (void)pthread_mutex_unlock(&j->lock);
    task->done(task->user);
    (void)pthread_mutex_lock(&j->lock);
}

// ---- those that wait ----

// Takes those of a queue out whose time is up. *next_ns: when the next one's is, if that is sooner.
static job_task *take_overdue_locked(jobs *j, job_queue queue, uint64_t now_ns, uint64_t *next_ns)
{
    NAV_ASSERT(lock_is_held(&j->lock));
    job_task *overdue = NULL;
    for (job_task **link = &j->tasks[queue]; *link != NULL;) {
        job_task *task = *link;
        if (task->ends_ns > 0 && task->ends_ns <= now_ns) {
            *link = task->next;
            j->tasks_waiting[queue]--;
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

// Gives the lock back while their owners hear of it. False: there are none. *next_ns: when the next
// one's time is up; UINT64_MAX: never.
static bool end_overdue_locked(jobs *j, uint64_t now_ns, uint64_t *next_ns)
{
    *next_ns = UINT64_MAX;
    for (job_queue queue = 0; queue < JOB_QUEUES; queue++) {
        job_task *overdue = take_overdue_locked(j, queue, now_ns, next_ns);
        if (overdue != NULL) {
            (void)pthread_mutex_unlock(&j->lock);
            end_tasks(overdue);
            (void)pthread_mutex_lock(&j->lock);
            return true;
        }
    }
    return false;
}

// ---- the threads ----

static void *run_tasks(void *argument)
{
    task_runner *runner = argument;
    jobs *j = runner->jobs;
    if (runner->queue == JOB_QUEUE_BAKES) {
        process_thread_gives_way();
    }
    (void)pthread_mutex_lock(&j->lock);
    while (!j->stopping) {
        uint64_t next_ns;
        if (end_overdue_locked(j, clock_now_ns(), &next_ns)) {
            continue;
        }
        if (j->tasks[runner->queue] != NULL) {
            run_first_locked(runner);
        } else {
            (void)pthread_cond_wait(&j->asked, &j->lock);
        }
    }
    (void)pthread_mutex_unlock(&j->lock);
    return NULL;
}

static void *end_overdue(void *argument)
{
    jobs *j = ((task_runner *)argument)->jobs;
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
    const uint32_t wanted = j->cores + 2, most = JOB_RUNNERS_MAX;
    NAV_ASSERT(j->runners_started == 0);
    while (j->runners_started < (wanted < most ? wanted : most)) {
        const uint32_t i = j->runners_started;
        task_runner *runner = &j->runners[i];
        *runner = (task_runner){.jobs = j, .queue = i < 2 ? JOB_QUEUE_BAKES : JOB_QUEUE_QUESTIONS};
        if (pthread_create(&runner->thread, NULL, i == 0 ? end_overdue : run_tasks, runner) != 0) {
            return NAV_NO_MEMORY; // jobs_stop joins those before
        }
        j->runners_started++;
    }
    return NAV_OK;
}

// Whoever waits can ask again: none is begun any more, and those that run end soon.
void jobs_tasks_cancel(jobs *j)
{
    job_task *dropped[JOB_QUEUES];
    (void)pthread_mutex_lock(&j->lock);
    NAV_ASSERT(j->stopping);
    for (uint32_t i = 0; i < j->runners_started; i++) {
        if (j->runners[i].running != NULL) {
            atomic_store(&j->runners[i].running->cancelled, true);
        }
    }
    for (job_queue queue = 0; queue < JOB_QUEUES; queue++) {
        dropped[queue] = j->tasks[queue];
        j->tasks[queue] = NULL;
        j->tasks_waiting[queue] = 0;
        for (job_task *task = dropped[queue]; task != NULL; task = task->next) {
            atomic_store(&task->cancelled, true);
        }
    }
    (void)pthread_cond_broadcast(&j->asked);
    (void)pthread_mutex_unlock(&j->lock);
    for (job_queue queue = 0; queue < JOB_QUEUES; queue++) {
        end_tasks(dropped[queue]);
    }
}

void jobs_tasks_join(jobs *j)
{
    while (j->runners_started > 0) {
        (void)pthread_join(j->runners[--j->runners_started].thread, NULL);
    }
}
