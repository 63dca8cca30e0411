// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// table.c: a sorted array of pointers to rows, each of them one block of memory.

#include "server/instances/table.h"

#include <stdlib.h>
#include <string.h>

// ---- rows ----

instance_row *instance_row_create(const char *mesh, const char *name)
{
    const size_t mesh_bytes = strlen(mesh) + 1, name_bytes = strlen(name) + 1;
    instance_row *made = calloc(1, sizeof *made + mesh_bytes + name_bytes);
    if (made != NULL) {
        atomic_init(&made->references, 1);
        memcpy(made->mesh, mesh, mesh_bytes);
        memcpy(made->mesh + mesh_bytes, name, name_bytes);
        made->name = made->mesh + mesh_bytes;
    }
    return made;
}

instance_row *instance_row_acquire(instance_row *row)
{
    atomic_fetch_add(&row->references, 1);
    return row;
}

void instance_row_release(instance_row *row)
{
    if (row != NULL && atomic_fetch_sub(&row->references, 1) == 1) {
        instance_world_release(row->world);
        instance_state_release(row->state);
        free(row->event.data_json);
        free(row);
    }
}

size_t instance_row_bytes(const instance_row *row)
{
    return sizeof *row + strlen(row->mesh) + strlen(row->name) + 2 +
           (row->state != NULL ? row->state->size_bytes : 0) +
           (row->world != NULL ? instance_world_bytes(row->world) : 0);
}

static int compare(const instance_row *row, const char *mesh, const char *name)
{
    const int order = strcmp(row->mesh, mesh);
    return order != 0 ? order : strcmp(row->name, name);
}

// ---- the table ----

void instance_table_init(instance_table *t)
{
    *t = (instance_table){.next_expiry_ns = UINT64_MAX};
}

void instance_table_free(instance_table *t)
{
    free(t->rows);
    instance_table_init(t);
}

size_t instance_table_find(const instance_table *t, const char *mesh, const char *name)
{
    size_t low = 0, high = t->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (compare(t->rows[middle], mesh, name) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

instance_row *instance_table_row(const instance_table *t, const char *mesh, const char *name)
{
    const size_t index = instance_table_find(t, mesh, name);
    return index < t->count && compare(t->rows[index], mesh, name) == 0 ? t->rows[index] : NULL;
}

nav_status instance_table_add(instance_table *t, instance_row *row, nav_error *err)
{
    NAV_ASSERT(row->state == NULL);
    if (t->count == t->capacity) {
        const size_t capacity = t->capacity > 0 ? t->capacity * 2 : 16;
        instance_row **rows = realloc(t->rows, capacity * sizeof(instance_row *));
        if (rows == NULL) {
            return nav_fail(err, NAV_NO_MEMORY, "no memory for another instance");
        }
        t->rows = rows;
        t->capacity = capacity;
    }
    const size_t index = instance_table_find(t, row->mesh, row->name);
    memmove(&t->rows[index + 1], &t->rows[index], (t->count - index) * sizeof(instance_row *));
    t->rows[index] = row;
    t->count++;
    t->bytes += instance_row_bytes(row);
    return NAV_OK;
}

void instance_table_change(instance_table *t, instance_row *row, instance_state *state,
                           instance_world *world)
{
    t->bytes -= instance_row_bytes(row);
    row->state = state;
    row->world = world;
    t->bytes += instance_row_bytes(row);
    t->next_expiry_ns =
        state->expires_ns < t->next_expiry_ns ? state->expires_ns : t->next_expiry_ns;
}

static void note_gone(instance_table *t, const instance_row *row)
{
    const uint32_t revision = row->state->revision;
    t->gone_revision = revision > t->gone_revision ? revision : t->gone_revision;
}

void instance_table_remove(instance_table *t, const instance_row *row)
{
    const size_t index = instance_table_find(t, row->mesh, row->name);
    NAV_ASSERT(index < t->count && t->rows[index] == row);
    t->count--;
    memmove(&t->rows[index], &t->rows[index + 1], (t->count - index) * sizeof(instance_row *));
    t->bytes -= instance_row_bytes(row);
    note_gone(t, row);
}

instance_row *instance_table_take(instance_table *t, const char *mesh, uint64_t now_ns)
{
    instance_row *first = NULL, **end = &first;
    size_t kept = 0;
    t->next_expiry_ns = UINT64_MAX;
    for (size_t i = 0; i < t->count; i++) {
        instance_row *row = t->rows[i];
        const uint64_t expires_ns = row->state->expires_ns;
        if (mesh != NULL ? strcmp(row->mesh, mesh) == 0 : expires_ns <= now_ns) {
            t->bytes -= instance_row_bytes(row);
            note_gone(t, row);
            *end = row;
            end = &row->next;
        } else {
            t->next_expiry_ns = expires_ns < t->next_expiry_ns ? expires_ns : t->next_expiry_ns;
            t->rows[kept++] = row;
        }
    }
    t->count = kept;
    return first;
}
