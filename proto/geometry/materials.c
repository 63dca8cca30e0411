// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// materials.c: the material of each triangle, for all geometry formats. Names are kept
// once and numbered by first use, so that the same triangles give the same numbers whatever format
// they came in. They are found by their order: names are a stranger's choice, and no choice makes
// that slow, as it would a hash table. A new name moves numbers of two bytes, at most 128 KiB.

#include "proto/geometry/geometry.h"

#include <stdlib.h>
#include <string.h>

// The place of a name in the order of names, or the one that it would get.
static uint32_t place_of(const proto_materials *m, const char *name, bool *found)
{
    uint32_t begin = 0, end = m->name_count;
    *found = false;
    while (begin < end && !*found) {
        const uint32_t middle = begin + (end - begin) / 2;
        const int order = strcmp(name, m->names[m->sorted[middle]]);
        *found = order == 0;
        begin = order > 0 ? middle + 1 : order == 0 ? middle : begin;
        end = order < 0 ? middle : end;
    }
    return begin;
}

static nav_status add_name(proto_materials *m, const char *name, uint32_t place, nav_error *err)
{
    if (m->name_count == NAV_GEOMETRY_MATERIALS_MAX) {
        nav_fail_at(err, NAV_GEOMETRY_TOO_LARGE, "materials",
                    "the geometry has more than %u materials", NAV_GEOMETRY_MATERIALS_MAX);
        nav_error_limit(err, "%u", NAV_GEOMETRY_MATERIALS_MAX);
        return NAV_GEOMETRY_TOO_LARGE;
    }
    nav_name whole = {0};
    memcpy(whole, name, strlen(name));
    nav_status status = proto_geometry_append(&m->names, &m->names_capacity, m->name_count, whole,
                                              1, sizeof whole, err);
    NAV_IF_OK(status, proto_geometry_append(&m->sorted, &m->sorted_capacity, m->name_count, NULL, 1,
                                            sizeof *m->sorted, err));
    if (status == NAV_OK) {
        uint16_t *at = m->sorted + place;
        memmove(at + 1, at, (m->name_count - place) * sizeof *at);
        *at = (uint16_t)m->name_count++;
    }
    return status;
}

// The number of a name, given now if it has none.
static nav_status number_of(proto_materials *m, const char *name, uint16_t *out, nav_error *err)
{
    bool found;
    const uint32_t place = place_of(m, name, &found);
    const nav_status status = found ? NAV_OK : add_name(m, name, place, err);
    if (status == NAV_OK) {
        *out = m->sorted[place];
    }
    return status;
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
    free(m->sorted);
    free(m->triangles);
    free(m->list);
}
