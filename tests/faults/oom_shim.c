// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// oom_shim.c: stands between the daemon and its memory (LD_PRELOAD): counts what is allocated, by
// whichever library, and fails the calls that the driver has chosen. Beneath it is glibc's own
// malloc, or that of the address sanitizer where the daemon has one: its leak detector then sees
// every block.

#include "tests/faults/oom_shim.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *block);
__attribute__((weak)) void *__interceptor_malloc(size_t size);
__attribute__((weak)) void *__interceptor_calloc(size_t count, size_t size);
__attribute__((weak)) void *__interceptor_realloc(void *block, size_t size);
__attribute__((weak)) void *__interceptor_memalign(size_t alignment, size_t size);
__attribute__((weak)) void __interceptor_free(void *block);
#define BENEATH(name) (__interceptor_##name != NULL ? __interceptor_##name : __libc_##name)

static oom_control *control; // NULL before main, and where nobody controls it
static _Thread_local bool is_sanitizer;

__attribute__((constructor)) static void open_control(void)
{
    const char *path = getenv(OOM_CONTROL);
    int fd = path != NULL ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (fd >= 0) {
        void *page = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        control = page != MAP_FAILED ? page : NULL;
        (void)close(fd);
    }
}

// Counts a call. True: it is one of those that fail.
static bool fails(void)
{
    if (control == NULL || is_sanitizer) {
        return false;
    }
    const uint64_t call = atomic_fetch_add(&control->calls, 1) + 1;
    const uint64_t first = atomic_load(&control->first);
    if (first == 0 || call < first || call - first >= atomic_load(&control->length)) {
        return false;
    }
    (void)atomic_fetch_add(&control->failed, 1);
    errno = ENOMEM;
    return true;
}

static void *counted(void *block)
{
    if (block != NULL && control != NULL) {
        (void)atomic_fetch_add(&control->blocks, 1);
    }
    return block;
}

void *malloc(size_t size)
{
    return fails() ? NULL : counted(BENEATH(malloc)(size));
}

void *calloc(size_t count, size_t size)
{
    return fails() ? NULL : counted(BENEATH(calloc)(count, size));
}

void *realloc(void *block, size_t size)
{
    if (size == 0 && block != NULL) {
        free(block);
        return NULL;
    }
    if (fails()) {
        return NULL;
    }
    void *moved = BENEATH(realloc)(block, size);
    return block == NULL ? counted(moved) : moved;
}

void *reallocarray(void *block, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    return realloc(block, bytes);
}

void *memalign(size_t alignment, size_t size)
{
    return fails() ? NULL : counted(BENEATH(memalign)(alignment, size));
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return memalign(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size)
{
    void *block = memalign(alignment, size);
    if (block == NULL) {
        return ENOMEM;
    }
    *out = block;
    return 0;
}

void free(void *block)
{
    if (block != NULL && control != NULL) {
        (void)atomic_fetch_sub(&control->blocks, 1);
    }
    BENEATH(free)(block);
}

// A thread's stack comes from the kernel, past malloc.
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                   void *user)
{
    static int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    if (real == NULL) {
        *(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
    }
    return fails() ? EAGAIN : real(thread, attributes, run, user);
}

// SQLite's log has an index that is mapped.
void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
    static void *(*real)(void *, size_t, int, int, int, off_t);
    if (real == NULL) {
        *(void **)&real = dlsym(RTLD_NEXT, "mmap");
    }
    return fails() ? MAP_FAILED : real(at, size, protection, flags, fd, offset);
}

// The sanitizer asks so where a thread begins, and ends the daemon if there is no memory for it.
int pthread_getattr_np(pthread_t thread, pthread_attr_t *attributes)
{
    static int (*real)(pthread_t, pthread_attr_t *);
    if (real == NULL) {
        *(void **)&real = dlsym(RTLD_NEXT, "pthread_getattr_np");
    }
    is_sanitizer = true;
    const int result = real(thread, attributes);
    is_sanitizer = false;
    return result;
}
