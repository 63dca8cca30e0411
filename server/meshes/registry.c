// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// registry.c: names in order, each with its live mesh. The lock is held to find a name and to count
// or swap a pointer, never while a mesh is asked, built or freed.

#include "server/meshes/registry.h"

#include "server/base/lock.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct slot {
    char name[LIMIT_MESH_NAME + 1];
    uint32_t version;
    uint64_t activation;
    nav_mesh *mesh; // NULL: nothing live; the slot stays, so as to know old news
} slot;

struct registry {
    pthread_mutex_t lock;
    slot *slots;            // guarded by lock; in order of name
    size_t count, capacity; // guarded by lock
};

registry *registry_create(void)
{
    registry *r = calloc(1, sizeof *r);
    if (r != NULL) {
        (void)pthread_mutex_init(&r->lock, NULL);
    }
    return r;
}

void registry_destroy(registry *r)
{
    if (r == NULL) {
        return;
    }
    for (size_t i = 0; i < r->count; i++) {
        nav_mesh_release(r->slots[i].mesh);
    }
    (void)pthread_mutex_destroy(&r->lock);
    free(r->slots);
    free(r);
}

// The first slot whose name is not before the given one.
static size_t find_locked(registry *r, const char *name)
{
    NAV_ASSERT(lock_is_held(&r->lock));
    size_t low = 0, high = r->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(r->slots[middle].name, name) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool is_at_locked(registry *r, size_t index, const char *name)
{
    NAV_ASSERT(lock_is_held(&r->lock));
    return index < r->count && strcmp(r->slots[index].name, name) == 0;
}

nav_mesh *registry_acquire(registry *r, const char *name, uint32_t *version)
{
    nav_mesh *mesh = NULL;
    (void)pthread_mutex_lock(&r->lock);
    size_t index = find_locked(r, name);
    if (is_at_locked(r, index, name) && r->slots[index].mesh != NULL) {
        mesh = nav_mesh_acquire(r->slots[index].mesh);
        *version = r->slots[index].version;
    }
    (void)pthread_mutex_unlock(&r->lock);
    return mesh;
}

// The slot of a name, made where there is none; NULL without memory.
static slot *slot_of_locked(registry *r, const char *name)
{
    NAV_ASSERT(lock_is_held(&r->lock));
    size_t index = find_locked(r, name);
    if (is_at_locked(r, index, name)) {
        return &r->slots[index];
    }
    if (r->count == r->capacity) {
        size_t capacity = r->capacity > 0 ? r->capacity * 2 : 16;
        slot *slots = realloc(r->slots, capacity * sizeof *slots);
        if (slots == NULL) {
            return NULL;
        }
        r->slots = slots;
        r->capacity = capacity;
    }
    NAV_ASSERT(index <= r->count); // where it keeps the order of names
    memmove(&r->slots[index + 1], &r->slots[index], (r->count - index) * sizeof *r->slots);
    r->count++;
    NAV_ASSERT(r->count <= r->capacity);
    memset(&r->slots[index], 0, sizeof r->slots[index]);
    NAV_ASSERT(strlen(name) <= LIMIT_MESH_NAME);
    memcpy(r->slots[index].name, name, strlen(name));
    return &r->slots[index];
}

nav_status registry_reserve(registry *r, const char *name, nav_error *err)
{
    (void)pthread_mutex_lock(&r->lock);
    const bool there = slot_of_locked(r, name) != NULL;
    (void)pthread_mutex_unlock(&r->lock);
    return there ? NAV_OK : nav_fail(err, NAV_NO_MEMORY, "no memory to make a version live");
}

void registry_publish(registry *r, const char *name, uint32_t version, uint64_t activation,
                      nav_mesh *mesh)
{
    nav_mesh *old = NULL;
    (void)pthread_mutex_lock(&r->lock);
    size_t index = find_locked(r, name);
    slot *s = is_at_locked(r, index, name) ? &r->slots[index] : NULL;
    const bool again = s != NULL && mesh != NULL && s->mesh != NULL && s->version == version &&
                       activation == s->activation;
    if (s != NULL && (activation > s->activation || again)) {
        old = s->mesh;
        s->mesh = mesh != NULL ? nav_mesh_acquire(mesh) : NULL;
        s->version = version;
        s->activation = activation;
    }
    (void)pthread_mutex_unlock(&r->lock);
    // Outside the lock: the last release of a large mesh takes its time.
    nav_mesh_release(old);
}

nav_status registry_list(registry *r, registry_entry **out, size_t *count)
{
    size_t used = 0;
    (void)pthread_mutex_lock(&r->lock);
    registry_entry *entries = malloc((r->count + 1) * sizeof *entries);
    for (size_t i = 0; entries != NULL && i < r->count; i++) {
        const slot *s = &r->slots[i];
        if (s->mesh != NULL) {
            registry_entry *entry = &entries[used++];
            memcpy(entry->name, s->name, sizeof entry->name);
            entry->version = s->version;
            entry->mesh = nav_mesh_acquire(s->mesh);
        }
    }
    (void)pthread_mutex_unlock(&r->lock);
    if (entries == NULL) {
        return NAV_NO_MEMORY;
    }
    *out = entries;
    *count = used;
    return NAV_OK;
}

void registry_list_free(registry_entry *entries, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        nav_mesh_release(entries[i].mesh);
    }
    free(entries);
}
