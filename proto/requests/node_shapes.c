// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// node_shapes.c: the volumes and switches that stand in the geometry itself, put to those of the
// settings. Each is the convex hull of a mesh in plan view, from its lowest point to its highest.
//
//   geometry/gltf/shapes.c: points of the level --> hull in the mesh's coordinates --> nav_volume
//
// Volumes of nodes come before those of the settings, which therefore win. A switch of the settings
// without shapes takes those of the nodes of its id, so that its default and its links can be said
// there; with shapes it would have two sources, and that is refused.

#include "proto/base/coordinates.h"
#include "proto/geometry/upload.h"
#include "proto/requests/requests.h"
#include "proto/settings/settings.h"

#include <stdlib.h>
#include <string.h>

static nav_status no_memory(nav_error *err)
{
    return nav_fail(err, NAV_NO_MEMORY, "no memory for the shapes of the geometry");
}

static nav_status refuse(const proto_geometry_shape *shape, nav_error *err, const char *why)
{
    return nav_fail_at(err, NAV_INVALID_FIELD, nav_at("nodes[%u]", shape->node).text,
                       "nodes[%u], the mesh of %s:%s, %s", shape->node,
                       shape->is_switch ? "switch" : "volume", shape->name, why);
}

// ---- the hull in plan view (Andrew 1979) ----

static int compare_points(const void *a, const void *b)
{
    const float *p = a, *q = b;
    const uint32_t axis = p[0] != q[0] ? 0 : 1;
    return (p[axis] > q[axis]) - (p[axis] < q[axis]);
}

// Above 0: from a to b one turns left at c.
static double turn(const float a[2], const float b[2], const float c[2])
{
    return ((double)b[0] - (double)a[0]) * ((double)c[1] - (double)a[1]) -
           ((double)b[1] - (double)a[1]) * ((double)c[0] - (double)a[0]);
}

// One chain of the hull, over points that rise; hull has `count` points from `begin` on.
static uint32_t extend(float (*hull)[2], uint32_t begin, uint32_t count, const float point[2])
{
    while (count >= begin + 2 && turn(hull[count - 2], hull[count - 1], point) <= 0.0) {
        count--;
    }
    memcpy(hull[count], point, sizeof hull[count]);
    return count + 1;
}

// The corners of the hull into hull, which has room for 2 * count + 1; points are sorted.
static uint32_t find_hull(float (*points)[2], uint32_t count, float (*hull)[2])
{
    uint32_t made = 0;
    qsort(points, count, sizeof *points, compare_points);
    for (uint32_t i = 0; i < count; i++) {
        made = extend(hull, 0, made, points[i]);
    }
    const uint32_t lower = made - 1;
    for (uint32_t i = count - 1; i-- > 0;) {
        made = extend(hull, lower, made, points[i]);
    }
    return made - 1; // the last is the first
}

static nav_status make_outline(const proto_geometry_shape *shape, float (*points)[2],
                               nav_arena *memory, nav_volume *out, nav_error *err)
{
    float(*hull)[2] = malloc(((size_t)2 * shape->point_count + 1) * sizeof *hull);
    if (hull == NULL) {
        return no_memory(err);
    }
    nav_status status = NAV_OK;
    const uint32_t count = find_hull(points, shape->point_count, hull);
    float(*kept)[2] = NULL;
    if (count < 3) {
        status = refuse(shape, err, "has no extent in plan view");
    } else if (count > NAV_VOLUME_POINTS_MAX) {
        status =
            refuse(shape, err, "has an outline of more corners than a volume may; simplify it");
        nav_error_got(err, "%u", count);
        nav_error_limit(err, "%d", NAV_VOLUME_POINTS_MAX);
    } else {
        kept = nav_arena_alloc(memory, count, sizeof *kept);
        status = kept != NULL ? NAV_OK : no_memory(err);
    }
    if (kept != NULL) {
        memcpy(kept, hull, count * sizeof *kept);
        out->points = (const float(*)[2])kept;
        out->point_count = count;
    }
    free(hull);
    return status;
}

static nav_status make_volume(const proto_geometry_shape *shape, nav_coordinates coordinates,
                              nav_arena *memory, nav_volume *out, nav_error *err)
{
    float(*plan)[2] = malloc(((size_t)shape->point_count + 1) * sizeof *plan);
    if (plan == NULL) {
        return no_memory(err);
    }
    nav_volume made = {.shape = NAV_VOLUME_CONVEX};
    for (uint32_t i = 0; i < shape->point_count; i++) {
        float point[3];
        memcpy(point, shape->points + (size_t)3 * i, sizeof point);
        proto_to_mesh(coordinates, point);
        plan[i][0] = point[0];
        plan[i][1] = point[2];
        made.min[1] = i == 0 || point[1] < made.min[1] ? point[1] : made.min[1];
        made.max[1] = i == 0 || point[1] > made.max[1] ? point[1] : made.max[1];
    }
    nav_status status = made.min[1] < made.max[1]
                            ? make_outline(shape, plan, memory, &made, err)
                            : refuse(shape, err, "has no height: make it a solid");
    if (status == NAV_OK) {
        *out = made;
    }
    free(plan);
    return status;
}

// ---- volumes ----

static nav_status find_area(const nav_config *config, const proto_geometry_shape *shape,
                            uint8_t *out, nav_error *err)
{
    proto_suggestion meant;
    if (proto_settings_find_area(config, shape->name, out, &meant)) {
        return NAV_OK;
    }
    nav_fail_at(
        err, NAV_INVALID_FIELD, nav_at("nodes[%u].name", shape->node).text,
        "nodes[%u] gives a volume of the area \"%s\", which the settings' areas do not have; "
        "add it there or rename the node",
        shape->node, shape->name);
    nav_error_got(err, "%s", shape->name);
    proto_suggest_say(&meant, err);
    return NAV_INVALID_FIELD;
}

static nav_status too_many(uint32_t node, const char *what, uint32_t limit, nav_error *err)
{
    nav_fail_at(err, NAV_INVALID_FIELD, nav_at("nodes[%u]", node).text,
                "with nodes[%u] there are more than %u %s", node, limit, what);
    nav_error_limit(err, "%u", limit);
    return NAV_INVALID_FIELD;
}

static nav_status add_volumes(const proto_geometry_shape *shapes, uint32_t count, nav_arena *memory,
                              nav_config *config, nav_error *err)
{
    uint32_t made = 0;
    nav_volume *volumes =
        nav_arena_alloc_zero(memory, (size_t)count + config->volume_count, sizeof *volumes);
    if (volumes == NULL) {
        return no_memory(err);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (shapes[i].is_switch) {
            continue;
        }
        if (made + config->volume_count >= NAV_VOLUMES_MAX) {
            return too_many(shapes[i].node, "volumes", NAV_VOLUMES_MAX, err);
        }
        uint8_t area = NAV_AREA_NONE;
        nav_status status = find_area(config, &shapes[i], &area, err);
        NAV_IF_OK(status,
                  make_volume(&shapes[i], config->coordinates, memory, &volumes[made], err));
        if (status != NAV_OK) {
            return status;
        }
        volumes[made++].area = area;
    }
    if (config->volume_count > 0) {
        memcpy(volumes + made, config->volumes, config->volume_count * sizeof *volumes);
    }
    config->volumes = volumes;
    config->volume_count += made;
    return NAV_OK;
}

// ---- switches ----

// A shape of a switch, in the order of ids and, for each, of nodes.
typedef struct gate_shape {
    const proto_geometry_shape *shape;
    uint32_t order;
} gate_shape;

static int compare_gates(const void *a, const void *b)
{
    const gate_shape *p = a, *q = b;
    const int order = strcmp(p->shape->name, q->shape->name);
    return order != 0 ? order : (p->order > q->order) - (p->order < q->order);
}

// The shapes of one switch, of which the settings have said all but them.
static nav_status fill_switch(const gate_shape *gates, uint32_t count, nav_arena *memory,
                              const nav_config *config, nav_switch *out, nav_error *err)
{
    if (out->shape_count > 0) {
        return nav_fail_at(
            err, NAV_INVALID_FIELD, nav_at("switches.%s", out->id).text,
            "switches.%s has shapes in the settings and at nodes[%u]: leave out one of them",
            out->id, gates->shape->node);
    }
    nav_volume *volumes = nav_arena_alloc_zero(memory, count, sizeof *volumes);
    nav_status status = volumes != NULL ? NAV_OK : no_memory(err);
    for (uint32_t i = 0; i < count && status == NAV_OK; i++) {
        status = make_volume(gates[i].shape, config->coordinates, memory, &volumes[i], err);
    }
    out->shapes = volumes;
    out->shape_count = count;
    return status;
}

// Links name switches by their places, which have moved: places[i] is that of the old switch i.
static nav_status renumber_links(const uint32_t *places, nav_arena *memory, nav_config *config,
                                 nav_error *err)
{
    nav_link *links = nav_arena_alloc(memory, config->link_count, sizeof *links);
    if (links == NULL) {
        return no_memory(err);
    }
    for (uint32_t i = 0; i < config->link_count; i++) {
        links[i] = config->links[i];
        if (links[i].switch_number > 0) {
            links[i].switch_number = places[links[i].switch_number - 1] + 1;
        }
    }
    config->links = links;
    return NAV_OK;
}

static nav_status check_shape_count(const gate_shape *gates, uint32_t count,
                                    const nav_config *config, nav_error *err)
{
    uint64_t all = count;
    for (uint32_t i = 0; i < config->switch_count; i++) {
        all += config->switches[i].shape_count;
    }
    return all <= NAV_VOLUMES_MAX
               ? NAV_OK
               : too_many(gates[count - 1].shape->node, "shapes of switches", NAV_VOLUMES_MAX, err);
}

// The switches of the settings and those of the nodes, both in the order of ids, to one list.
static nav_status merge_switches(const gate_shape *gates, uint32_t count, nav_arena *memory,
                                 nav_config *config, nav_error *err)
{
    const uint32_t before = config->switch_count;
    nav_switch *made = nav_arena_alloc_zero(memory, (size_t)before + count, sizeof *made);
    uint32_t *places = nav_arena_alloc(memory, (size_t)before + 1, sizeof *places);
    if (made == NULL || places == NULL) {
        return no_memory(err);
    }
    uint32_t all = 0, old = 0;
    for (uint32_t i = 0; i < count || old < before; all++) {
        const int order = i == count      ? -1
                          : old == before ? 1
                                          : strcmp(config->switches[old].id, gates[i].shape->name);
        if (order <= 0) {
            places[old] = all;
            made[all] = config->switches[old++];
        } else {
            memcpy(made[all].id, gates[i].shape->name, sizeof made[all].id);
        }
        uint32_t same = 0;
        while (order >= 0 && i + same < count &&
               strcmp(gates[i + same].shape->name, gates[i].shape->name) == 0) {
            same++;
        }
        if (all == NAV_SWITCHES_MAX) {
            return too_many(gates[i < count ? i : count - 1].shape->node, "switches",
                            NAV_SWITCHES_MAX, err);
        }
        if (same > 0) {
            nav_status status = fill_switch(gates + i, same, memory, config, &made[all], err);
            if (status != NAV_OK) {
                return status;
            }
        }
        i += same;
    }
    config->switches = made;
    config->switch_count = all;
    return renumber_links(places, memory, config, err);
}

static nav_status add_switches(const proto_geometry_shape *shapes, uint32_t count,
                               nav_arena *memory, nav_config *config, nav_error *err)
{
    gate_shape *gates = malloc(((size_t)count + 1) * sizeof *gates);
    if (gates == NULL) {
        return no_memory(err);
    }
    uint32_t gate_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (shapes[i].is_switch) {
            gates[gate_count++] = (gate_shape){&shapes[i], i};
        }
    }
    nav_status status = NAV_OK;
    if (gate_count > 0) {
        qsort(gates, gate_count, sizeof *gates, compare_gates);
        status = check_shape_count(gates, gate_count, config, err);
        NAV_IF_OK(status, merge_switches(gates, gate_count, memory, config, err));
    }
    free(gates);
    return status;
}

nav_status proto_upload_add_shapes(const proto_geometry_shape *shapes, uint32_t count,
                                   nav_arena *memory, nav_config *config, nav_error *err)
{
    if (count == 0) {
        return NAV_OK;
    }
    nav_config made = *config;
    nav_status status = add_volumes(shapes, count, memory, &made, err);
    NAV_IF_OK(status, add_switches(shapes, count, memory, &made, err));
    NAV_IF_OK(status, nav_config_check(&made, err));
    if (status == NAV_OK) {
        *config = made;
    }
    return status;
}
