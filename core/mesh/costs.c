// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// costs.c: what ground and links cost, and which of them are closed: the names, costs, flags
// and filters of the settings, and what becomes of a mesh under a filter.

#include "core/mesh/steps.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- from the settings ----

static nav_status copy_costs(nav_mesh *mesh, const nav_config *config, nav_error *err)
{
    const uint32_t own = config->areas != NULL ? config->area_count : 0;
    for (uint32_t i = 1; i < own && i < mesh->area_count; ++i) {
        float cost = config->areas[i].cost;
        if (!(cost > 0.0f && cost <= FLT_MAX)) {
            nav_fail(err, NAV_INVALID_FIELD, "the cost of area %u must be above 0", i);
            nav_error_at(err, "areas.%s.cost", config->areas[i].name);
            nav_error_got(err, "%g", (double)cost);
            return NAV_INVALID_FIELD;
        }
        mesh->area_costs[i] = cost;
        mesh->area_flags[i] = config->areas[i].flags;
        memcpy(mesh->area_names[i], config->areas[i].name, sizeof mesh->area_names[i]);
    }
    return NAV_OK;
}

nav_status nav_mesh_copy_areas(nav_mesh *mesh, const nav_config *config, nav_error *err)
{
    NAV_ASSERT(mesh->area_count > NAV_AREA_GROUND);
    for (int i = 0; i < NAV_MESH_AREAS; ++i) {
        mesh->area_costs[i] = 1.0f;
    }
    strcpy(mesh->area_names[NAV_AREA_NONE], "none");
    strcpy(mesh->area_names[NAV_AREA_GROUND], "ground");
    mesh->stats.coordinates = config != NULL ? config->coordinates : NAV_COORDINATES_Y_UP;
    if (config == NULL) {
        return NAV_OK;
    }
    mesh->agent_radius = config->agent_radius;
    mesh->agent_height = config->agent_height;
    mesh->agent_max_climb = config->agent_max_climb;
    for (uint32_t i = 0; i < mesh->flag_count; ++i) {
        memcpy(mesh->flag_names[i], config->flag_names[i], sizeof mesh->flag_names[i]);
    }
    for (uint32_t i = 0; i < mesh->filter_count; ++i) {
        mesh->filters[i] = config->filters[i];
    }
    return copy_costs(mesh, config, err);
}

// ---- under a filter ----

static bool is_closed(uint32_t flags, const nav_filter *filter)
{
    return (filter->include != 0 && (flags & filter->include) == 0) ||
           (flags & filter->exclude) != 0;
}

// Finds for polygons the least cost, whether there are several, and whether any is closed. Areas
// that nothing is made of keep whatever cost they had.
static void resolve_areas(const nav_mesh *mesh, const nav_filter *filter, nav_costs *out)
{
    float least = FLT_MAX;
    float most = 0.0f;
    for (uint32_t k = 0; k < mesh->area_list_count; ++k) {
        const uint8_t i = mesh->area_list[k];
        const bool own = i >= NAV_AREAS_MAX || filter->area_costs[i] == 0.0f;
        float cost = own ? mesh->area_costs[i] : filter->area_costs[i];
        out->area[i] = is_closed(mesh->area_flags[i], filter) ? INFINITY : cost;
        if (!mesh->area_used[i]) {
            continue;
        }
        out->open = out->open && out->area[i] < INFINITY;
        if (out->area[i] < INFINITY) {
            least = cost < least ? cost : least;
            most = cost > most ? cost : most;
        }
    }
    out->least = least < FLT_MAX ? least : 1.0f;
    out->uniform = most <= least;
}

bool nav_link_is_closed(const nav_costs *costs, uint32_t flags, uint8_t area)
{
    const nav_filter filter = {.include = costs->include, .exclude = costs->exclude};
    return is_closed(flags, &filter) || costs->area[area] == INFINITY;
}

float nav_link_cost(const nav_costs *costs, const nav_laid_link *link, float length)
{
    NAV_DCHECK(length >= 0.0f);
    if (nav_link_is_closed(costs, link->flags, link->area)) {
        return INFINITY;
    }
    return link->has_cost ? link->cost : costs->area[link->area] * length;
}

static void resolve_links(const nav_mesh *mesh, nav_costs *out)
{
    out->bound = out->landmark_bound = out->least;
    for (uint32_t i = 0; i < mesh->link_class_count; ++i) {
        const nav_link_class *links = &mesh->link_classes[i];
        if (nav_link_is_closed(out, links->flags, links->area)) {
            out->open = false;
            continue;
        }
        const float own = links->own_least;
        const float area = links->any_by_area ? out->area[links->area] : INFINITY;
        const float least = own < area ? own : area;
        // Landmarks count a link at its own cost, or at its length where that is less.
        const float counted = own < INFINITY && area > 1.0f ? 1.0f : area;
        out->bound = least < out->bound ? least : out->bound;
        out->landmark_bound = counted < out->landmark_bound ? counted : out->landmark_bound;
    }
}

void nav_costs_resolve(const nav_mesh *mesh, const nav_filter *filter, nav_costs *out)
{
    if (filter == NULL) {
        *out = mesh->costs;
        return;
    }
    out->include = filter->include;
    out->exclude = filter->exclude;
    out->open = true;
    resolve_areas(mesh, filter, out);
    resolve_links(mesh, out);
    out->open_but_for_shapes = out->open;
}

// ---- what there is to resolve ----

static nav_link_class class_of(const nav_mesh *mesh, const nav_arc *arc)
{
    const nav_laid_link *link = &mesh->links[arc->link];
    // A link without length in plan view says nothing about the cost of distance.
    const bool priced = link->has_cost && arc->length > 0.0f;
    return (nav_link_class){.flags = link->flags,
                            .own_least = priced ? link->cost / arc->length : INFINITY,
                            .area = link->area,
                            .any_own = link->has_cost,
                            .any_by_area = !link->has_cost && arc->length > 0.0f};
}

static int compare_classes(const void *left, const void *right)
{
    const nav_link_class *a = left, *b = right;
    return a->area != b->area     ? (a->area > b->area) - (a->area < b->area)
           : a->flags != b->flags ? (a->flags > b->flags) - (a->flags < b->flags)
                                  : 0;
}

// One class of each kind of arc, sorted. Of those that are alike the cheapest is kept, whatever
// their order.
static void derive_classes(nav_mesh *mesh)
{
    nav_link_class *classes = mesh->link_classes;
    for (uint32_t i = 0; i < mesh->arc_count; ++i) {
        classes[i] = class_of(mesh, &mesh->arcs[i]);
    }
    if (mesh->arc_count > 0) {
        qsort(classes, mesh->arc_count, sizeof *classes, compare_classes);
    }
    mesh->link_class_count = 0;
    for (uint32_t i = 0; i < mesh->arc_count; ++i) {
        const uint32_t count = mesh->link_class_count;
        nav_link_class *last = count > 0 ? &classes[count - 1] : NULL;
        if (last == NULL || compare_classes(last, &classes[i]) != 0) {
            classes[mesh->link_class_count++] = classes[i];
            continue;
        }
        const float least = classes[i].own_least;
        last->own_least = least < last->own_least ? least : last->own_least;
        last->any_own = last->any_own || classes[i].any_own;
        last->any_by_area = last->any_by_area || classes[i].any_by_area;
    }
}

static void derive_areas(nav_mesh *mesh)
{
    bool listed[NAV_MESH_AREAS] = {false};
    memset(mesh->area_used, 0, sizeof mesh->area_used);
    for (uint32_t i = 0; i < mesh->stats.polygons; ++i) {
        mesh->area_used[mesh->areas[i]] = true;
    }
    memcpy(listed, mesh->area_used, sizeof listed);
    for (uint32_t i = 0; i < mesh->link_class_count; ++i) {
        listed[mesh->link_classes[i].area] = true;
    }
    mesh->area_list_count = 0;
    for (uint32_t i = 0; i < NAV_MESH_AREAS; ++i) {
        if (listed[i]) {
            mesh->area_list[mesh->area_list_count++] = (uint8_t)i;
        }
    }
}

void nav_mesh_derive_costs(nav_mesh *mesh)
{
    const nav_filter everything = {0};
    derive_classes(mesh);
    derive_areas(mesh);
    memset(&mesh->costs, 0, sizeof mesh->costs);
    nav_costs_resolve(mesh, &everything, &mesh->costs);
}

// ---- by name ----

float nav_mesh_agent_height(const nav_mesh *mesh)
{
    return mesh->agent_height;
}

const char *nav_mesh_area_name(const nav_mesh *mesh, uint8_t area)
{
    return area < mesh->area_count ? mesh->area_names[area] : "";
}

bool nav_mesh_find_area(const nav_mesh *mesh, const char *name, uint8_t *area)
{
    for (uint32_t i = 0; i < mesh->area_count && name[0] != '\0'; ++i) {
        if (strcmp(mesh->area_names[i], name) == 0) {
            *area = (uint8_t)i;
            return true;
        }
    }
    return false;
}

bool nav_mesh_find_flag(const nav_mesh *mesh, const char *name, uint32_t *flag)
{
    for (uint32_t i = 0; i < mesh->flag_count; ++i) {
        if (strcmp(mesh->flag_names[i], name) == 0) {
            *flag = 1u << i;
            return true;
        }
    }
    return false;
}

const nav_filter *nav_mesh_find_filter(const nav_mesh *mesh, const char *name)
{
    for (uint32_t i = 0; i < mesh->filter_count; ++i) {
        if (strcmp(mesh->filters[i].name, name) == 0) {
            return &mesh->filters[i].filter;
        }
    }
    return NULL;
}
