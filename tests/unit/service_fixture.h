// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// service_fixture.h: a daemon in the test's own process: store, registry and jobs, but no
// listeners.

#pragma once

#include "server/http/connections.h"
#include "server/base/service.h"
#include "server/base/events.h"
#include "server/instances/instances.h"
#include "server/jobs/jobs.h"
#include "server/meshes/cache.h"
#include "server/meshes/damage_list.h"
#include "server/meshes/load_queue.h"
#include "server/meshes/registry.h"
#include "server/store/store.h"

#include <time.h>

// A database that cannot be opened leaves the store NULL; close the service all the same.
static inline nav_status service_fixture_open(service *s, const char *path, nav_error *err)
{
    *s = (service){.limits = limits_default()};
    nav_status status = store_open(path, &s->store, err);
    s->registry = registry_create();
    s->jobs = jobs_create(2);
    s->cache = mesh_cache_create(4, 64u << 20);
    s->events = events_create(128);
    s->pins = pins_create(64);
    s->instances = instances_create(
        &(instances_limits){.count_max = LIMIT_INSTANCES, .bytes_max = s->limits.instances_bytes},
        s->pins, s->events);
    s->load_queue = load_queue_create(2);
    s->damage_list = damage_list_create();
    s->connections = connections_create(s);
    return status;
}

static inline void service_fixture_close(service *s)
{
    connections_destroy(s->connections);
    jobs_destroy(s->jobs);
    instances_destroy(s->instances);
    pins_destroy(s->pins);
    events_destroy(s->events);
    mesh_cache_destroy(s->cache);
    load_queue_destroy(s->load_queue);
    damage_list_destroy(s->damage_list);
    registry_destroy(s->registry);
    store_close(s->store);
}

static inline void service_fixture_wait_for_jobs(service *s)
{
    const struct timespec moment = {.tv_nsec = 200000};
    for (job_counts now = jobs_count(s->jobs); now.queued + now.baking > 0;
         now = jobs_count(s->jobs)) {
        (void)nanosleep(&moment, NULL);
    }
}
