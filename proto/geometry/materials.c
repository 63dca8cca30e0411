// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// materials.c: the material of each triangle, for all geometry formats. Names are kept
// once and numbered by first use, so that the same triangles give the same numbers whatever format
// they came in; a hash table finds them, and its order is seen nowhere.

#include "proto/geometry/geometry.h"

#include <stdlib.h>
#include <string.h>

#define TABLE_SIZE_MIN 64u

// FNV-1a (Fowler, Noll, Vo 1991).
static uint32_t hash_of(const char *name)
{
    uint32_t hash = 2166136261u;
    for (; *name != '\0'; name++) {
        hash = (hash ^ (uint8_t)*name) * 16777619u;
    }
    return hash;
}

// The slot of a name in the table, or the free one that it would get.
static uint32_t table_place(const proto_materials *m, const char *name)
{
    NAV_ASSERT(m->table_size > m->name_count); // so that a free place is found
    uint32_t place = hash_of(name) & (m->table_size - 1);
    while (m->table[place] != NAV_NONE && strcmp(m->names[m->table[place]], name) != 0) {
        place = (place + 1) & (m->table_size - 1);
    }
    return place;
}

// Keeps the table at most half full.
static nav_status grow_table(proto_materials *m, nav_error *err)
{
    if (m->table_size > 2 * (m->name_count + 1)) {
        return NAV_OK;
    }
    NAV_DCHECK((m->table_size & (m->table_size - 1)) == 0);
    uint32_t size = m->table_size == 0 ? TABLE_SIZE_MIN : 2 * m->table_size;
    uint32_t *table = malloc(size * sizeof *table);
    if (table == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory for the names of materials");
    }
    free(m->table);
    memset(table, 0xff, size * sizeof *table);
    m->table = table;
    m->table_size = size;
    for (uint32_t i = 0; i < m->name_count; i++) {
        table[table_place(m, m->names[i])] = i;
    }
    return NAV_OK;
}

// The number of a name, given now if it has none.
static nav_status number_of(proto_materials *m, const char *name, uint16_t *out, nav_error *err)
{
    nav_status status = grow_table(m, err);
    if (status != NAV_OK) {
        return status;
    }
    uint32_t place = table_place(m, name);
    if (m->table[place] == NAV_NONE) {
        if (m->name_count == NAV_GEOMETRY_MATERIALS_MAX) {
            nav_fail_at(err, NAV_GEOMETRY_TOO_LARGE, "materials",
                        "the geometry has more than %u materials", NAV_GEOMETRY_MATERIALS_MAX);
            nav_error_limit(err, "%u", NAV_GEOMETRY_MATERIALS_MAX);
            return NAV_GEOMETRY_TOO_LARGE;
        }
        nav_name whole = {0};
        memcpy(whole, name, strlen(name));
        status = proto_geometry_append(&m->names, &m->names_capacity, m->name_count, whole, 1,
                                       sizeof whole, err);
        if (status != NAV_OK) {
            return status;
        }
        m->table[place] = m->name_count++;
    }
    NAV_ASSERT(m->table[place] < m->name_count);
    *out = (uint16_t)m->table[place];
    return NAV_OK;
}

nav_status proto_materials_add(proto_materials *m, const char *name, nav_error *err)
{
    NAV_DCHECK(strlen(name) <= NAV_NAME_MAX);
    uint16_t number;
    bool same = m->count > 0 && strcmp(m->names[m->triangles[m->count - 1]], name) == 0;
    nav_status status = NAV_OK;
    if (same) {
        number = m->triangles[m->count - 1];
    } else {
        status = number_of(m, name, &number, err);
    }
    NAV_IF_OK(status, proto_geometry_append(&m->triangles, &m->triangles_capacity, m->count,
                                            &number, 1, sizeof number, err));
    m->count += status == NAV_OK;
    return status;
}

nav_status proto_materials_end(proto_materials *m, nav_geometry *geometry, nav_error *err)
{
    // Nothing but triangles without a name is the same as no materials at all.
    if (m->name_count == 0 || (m->name_count == 1 && m->names[0][0] == '\0')) {
        return NAV_OK;
    }
    NAV_ASSERT(m->count == geometry->triangle_count);
    m->list = malloc(m->name_count * sizeof *m->list);
    if (m->list == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory for the names of materials");
    }
    for (uint32_t i = 0; i < m->name_count; i++) {
        m->list[i] = m->names[i];
    }
    geometry->triangle_materials = m->triangles;
    geometry->material_names = m->list;
    geometry->material_count = m->name_count;
    return NAV_OK;
}

void proto_materials_free(proto_materials *m)
{
    free(m->names);
    free(m->table);
    free(m->triangles);
    free(m->list);
}
