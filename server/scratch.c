// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// scratch.c: search memory belongs to a thread, since a thread answers one query at a time. It
// grows to the largest mesh that the thread has met and then no query allocates.

#include "server/scratch.h"

#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static bool key_made;

static void destroy_scratch(void *scratch)
{
    nav_scratch_destroy(scratch);
}

static void make_key(void)
{
    key_made = pthread_key_create(&key, destroy_scratch) == 0;
}

nav_scratch *scratch_of_thread(void)
{
    (void)pthread_once(&once, make_key);
    if (!key_made) {
        return NULL;
    }
    nav_scratch *scratch = pthread_getspecific(key);
    if (scratch != NULL) {
        return scratch;
    }
    if (nav_scratch_create(NULL, &scratch) != NAV_OK) {
        return NULL;
    }
    if (pthread_setspecific(key, scratch) != 0) {
        nav_scratch_destroy(scratch);
        return NULL;
    }
    return scratch;
}
