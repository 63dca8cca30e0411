// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// selection.c: see selection.h. One pass over polygons chooses, one over links; the rest is
// counting.

#include "proto/exports/selection.h"

#include "proto/base/coordinates.h"

#include <stdio.h>
#include <string.h>

typedef struct box {
    float min[3], max[3];
} box;

static void box_add(box *b, const float point[3])
{
    for (int axis = 0; axis < 3; axis++) {
        b->min[axis] = point[axis] < b->min[axis] ? point[axis] : b->min[axis];
        b->max[axis] = point[axis] > b->max[axis] ? point[axis] : b->max[axis];
    }
}

static box box_of(const nav_mesh *mesh, const nav_polygon *polygon,
                  const nav_polygon_detail *detail)
{
    const float *first = nav_mesh_vertex(mesh, polygon->vertices[0]);
    box b = {{first[0], first[1], first[2]}, {first[0], first[1], first[2]}};
    for (uint32_t k = 1; k < polygon->vertex_count; k++) {
        box_add(&b, nav_mesh_vertex(mesh, polygon->vertices[k]));
    }
    for (uint32_t k = 0; k < detail->vertex_count; k++) {
        box_add(&b, detail->vertices[k]);
    }
    return b;
}

static bool boxes_meet(const box *a, const box *b)
{
    bool meet = true;
    for (int axis = 0; axis < 3; axis++) {
        meet = meet && a->min[axis] <= b->max[axis] && a->max[axis] >= b->min[axis];
    }
    return meet;
}

static bool allocate(selection *s, nav_arena *memory)
{
    const size_t polygons = s->stats.polygons;
    s->polygons = NAV_NEW(memory, uint32_t, polygons);
    s->place = NAV_NEW(memory, uint32_t, polygons);
    s->by_area = NAV_NEW(memory, uint32_t, polygons);
    s->detail_first = NAV_NEW(memory, uint32_t, polygons + 1);
    s->vertices = NAV_NEW(memory, uint32_t, s->stats.vertices);
    s->vertex_place = NAV_NEW_ZERO(memory, uint32_t, s->stats.vertices);
    s->links = NAV_NEW(memory, uint32_t, s->stats.links);
    s->component_polygons = NAV_NEW_ZERO(memory, uint32_t, (size_t)s->stats.components + 1);
    return s->polygons != NULL && s->place != NULL && s->by_area != NULL &&
           s->detail_first != NULL && s->vertices != NULL && s->vertex_place != NULL &&
           s->links != NULL && s->component_polygons != NULL;
}

static void choose(selection *s, const box *within)
{
    box all = {{0}, {0}};
    uint32_t detail = 0;
    for (uint32_t i = 0; i < s->stats.polygons; i++) {
        const nav_polygon polygon = nav_mesh_polygon(s->mesh, i);
        const nav_polygon_detail own = nav_mesh_polygon_detail(s->mesh, i);
        const box b = box_of(s->mesh, &polygon, &own);
        const bool chosen = within == NULL || boxes_meet(&b, within);
        s->place[i] = chosen ? s->polygon_count : NAV_NONE;
        if (!chosen) {
            continue;
        }
        all = s->polygon_count > 0 ? all : b;
        box_add(&all, b.min);
        box_add(&all, b.max);
        s->detail_first[s->polygon_count] = detail;
        detail += own.vertex_count;
        s->polygons[s->polygon_count++] = i;
        s->area_first[polygon.area]++;
        s->component_count += s->component_polygons[polygon.component]++ == 0;
        const uint32_t portals = nav_mesh_edge_portals(s->mesh, i, NULL, 0);
        s->portal_capacity = portals > s->portal_capacity ? portals : s->portal_capacity;
        for (uint32_t k = 0; k < polygon.vertex_count; k++) {
            s->vertex_place[polygon.vertices[k]] = 1;
        }
    }
    s->detail_first[s->polygon_count] = detail;
    memcpy(s->min, all.min, sizeof s->min);
    memcpy(s->max, all.max, sizeof s->max);
}

// From the counts by area, a counting sort of the places.
static void sort_by_area(selection *s)
{
    uint32_t next[SELECTION_AREAS], sum = 0;
    for (uint32_t area = 0; area < SELECTION_AREAS; area++) {
        const uint32_t count = s->area_first[area];
        s->area_used[area] = count > 0;
        s->area_first[area] = next[area] = sum;
        sum += count;
    }
    s->area_first[SELECTION_AREAS] = sum;
    for (uint32_t i = 0; i < s->polygon_count; i++) {
        s->by_area[next[nav_mesh_polygon(s->mesh, s->polygons[i]).area]++] = i;
    }
}

static nav_status no_memory(const selection *s, nav_error *err)
{
    return nav_fail(err, NAV_NO_MEMORY, "no memory to export %u polygons", s->stats.polygons);
}

nav_status selection_make(const proto_export *what, nav_arena *memory, selection *out,
                          nav_error *err)
{
    memset(out, 0, sizeof *out);
    out->mesh = what->nav;
    nav_mesh_stats_get(what->nav, &out->stats);
    if (!allocate(out, memory)) {
        return no_memory(out, err);
    }
    box within;
    memcpy(within.min, what->min, sizeof within.min);
    memcpy(within.max, what->max, sizeof within.max);
    proto_box_to_mesh(out->stats.coordinates, within.min, within.max);
    choose(out, what->has_bounds ? &within : NULL);
    for (uint32_t i = 0; i < out->stats.vertices; i++) {
        const bool used = out->vertex_place[i] != 0;
        out->vertex_place[i] = used ? out->vertex_count : NAV_NONE;
        if (used) {
            out->vertices[out->vertex_count++] = i;
        }
    }
    sort_by_area(out);
    for (uint32_t i = 0; i < out->stats.links; i++) {
        const nav_placed_link *link = nav_mesh_link(out->mesh, i);
        if (out->place[link->start_polygon] != NAV_NONE &&
            out->place[link->end_polygon] != NAV_NONE) {
            out->links[out->link_count++] = i;
            out->area_used[link->area] = true;
        }
    }
    out->portals = NAV_NEW(memory, nav_edge_portal, out->portal_capacity);
    return out->portals != NULL ? NAV_OK : no_memory(out, err);
}

void selection_each_vertex(const selection *s, proto_writer *w, selection_put put)
{
    for (uint32_t i = 0; i < s->vertex_count; i++) {
        put(w, nav_mesh_vertex(s->mesh, s->vertices[i]));
    }
    for (uint32_t i = 0; i < s->polygon_count; i++) {
        const nav_polygon_detail detail = nav_mesh_polygon_detail(s->mesh, s->polygons[i]);
        for (uint32_t k = 0; k < detail.vertex_count; k++) {
            put(w, detail.vertices[k]);
        }
    }
}

void selection_area_name(const selection *s, uint8_t area, nav_name out)
{
    const char *name = nav_mesh_area_name(s->mesh, area);
    if (name[0] != '\0') {
        (void)snprintf(out, sizeof(nav_name), "%s", name);
    } else {
        (void)snprintf(out, sizeof(nav_name), "area%u", area);
    }
}
