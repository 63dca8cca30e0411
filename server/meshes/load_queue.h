// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// load_queue.h: the live versions that the start has still to load: in which order, and who waits.

#pragma once

#include "server/store/store.h"

typedef struct load_queue load_queue;

// Without a list: nobody waits for anything. threads: how many answer questions at a time, on each
// core's connections. NULL without memory. main makes and unmakes it.
load_queue *load_queue_create(uint32_t threads);
void load_queue_destroy(load_queue *l);
// Sets the versions to load, in order of name; takes over the malloc'ed list. Once, before any is
// taken. Errors: NAV_NO_MEMORY; the list is still the caller's.
nav_status load_queue_set(load_queue *l, store_name *names, size_t count);
size_t load_queue_count(load_queue *l); // of that list
// The next version to load, first those that somebody waits for, then in the list's order. It is
// l's, until the end. NULL: none is left, or load_queue_stop was called. Thread: any.
const store_name *load_queue_take(load_queue *l);
// A version that load_queue_take gave is published, or cannot be loaded: nobody waits for it any
// longer.
void load_queue_done(load_queue *l, const store_name *name);
// From now on nothing is taken, and all that wait hear of it.
void load_queue_stop(load_queue *l);
bool load_queue_is_stopped(load_queue *l);
// Returns once the live version of a mesh is not to be waited for: at once where it never was (l
// may be NULL). While it is, it goes before all others that nobody asks for. Errors:
// PROTO_NOT_READY, after LIMIT_LOAD_WAIT_MS, or where the daemon stops; and as soon as all
// questions of the start together have waited that long for each thread. Thread: any but a loader.
nav_status load_queue_wait(load_queue *l, const char *mesh, nav_error *err);
