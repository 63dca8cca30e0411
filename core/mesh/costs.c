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
            nav_fail_at(err, NAV_INVALID_FIELD, nav_at("areas.%s.cost", config->areas[i].name).text,
                        "the cost of area %u must be above 0", i);
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
    const bool says_coordinates = config != NULL && config->coordinates.scale > 0.0;
    mesh->stats.coordinates = says_coordinates ? config->coordinates : nav_coordinates_default();
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

static float resolve_area(const nav_mesh *mesh, const nav_filter *filter, uint8_t area)
{
    const bool own = area >= NAV_AREAS_MAX || filter->area_costs[area] == 0.0f;
    return is_closed(mesh->area_flags[area], filter) ? INFINITY
           : own                                     ? mesh->area_costs[area]
                                                     : filter->area_costs[area];
}

typedef struct extremes {
    float least, most;
    bool all_open;
} extremes;

// Takes in ground that polygons are of.
static void take_in(extremes *e, float cost)
{
    e->all_open = e->all_open && cost < INFINITY;
    e->least = cost < e->least ? cost : e->least;
    e->most = cost < INFINITY && cost > e->most ? cost : e->most;
}

static void resolve_areas(const nav_mesh *mesh, const nav_filter *filter, nav_costs *out,
                          extremes *found)
{
    for (uint32_t k = 0; k < mesh->area_list_count; ++k) {
        const uint8_t i = mesh->area_list[k];
        out->area[i] = resolve_area(mesh, filter, i);
        if (mesh->area_plain[i]) {
            take_in(found, out->area[i]);
        }
        if (out->by_class != NULL) {
            out->by_class[i] = out->area[i];
        }
        // As far as filters go: under switches it may be closed, too.
        out->open_but_for_switches =
            out->open_but_for_switches && (!mesh->area_used[i] || out->area[i] < INFINITY);
    }
}

bool nav_mesh_switch_is_closed(const nav_mesh *mesh, const uint8_t *switches, uint32_t number)
{
    const uint8_t asked = switches != NULL ? switches[number] : NAV_SWITCH_DEFAULT;
    return asked == NAV_SWITCH_DEFAULT ? mesh->switches[number].closed : asked == NAV_SWITCH_CLOSED;
}

static void resolve_switches(const nav_mesh *mesh, const uint8_t *switches, nav_costs *out,
                             extremes *found)
{
    for (uint32_t i = 0; i < mesh->ground_class_count; ++i) {
        const nav_mesh_class *c = &mesh->ground_classes[i];
        float cost = out->area[c->area];
        for (uint32_t k = c->first; k < c[1].first && cost < INFINITY; ++k) {
            cost = nav_mesh_switch_is_closed(mesh, switches, mesh->class_switches[k]) ? INFINITY
                                                                                      : cost;
        }
        out->by_class[NAV_MESH_AREAS + i] = cost;
        if (c->polygons > 0) {
            take_in(found, cost);
        }
    }
}

bool nav_link_is_closed(const nav_costs *costs, uint32_t flags, uint16_t ground)
{
    const nav_filter filter = {.include = costs->include, .exclude = costs->exclude};
    return is_closed(flags, &filter) || nav_costs_table(costs)[ground] == INFINITY;
}

float nav_link_cost(const nav_costs *costs, const nav_placed_link *link, float length)
{
    NAV_DCHECK(length >= 0.0f);
    if (nav_link_is_closed(costs, link->flags, link->ground)) {
        return INFINITY;
    }
    return link->has_cost ? link->cost : costs->area[link->area] * length;
}

static void resolve_links(const nav_mesh *mesh, const nav_link_class *classes, uint32_t count,
                          nav_costs *out)
{
    for (uint32_t i = 0; i < count; ++i) {
        const nav_link_class *links = &classes[i];
        const uint8_t of_area = nav_mesh_class_area(mesh, links->ground);
        if (nav_link_is_closed(out, links->flags, of_area)) {
            out->open_but_for_switches = false;
        }
        if (nav_link_is_closed(out, links->flags, links->ground)) {
            out->open = false;
            continue;
        }
        const float own = links->own_least;
        const float area = links->any_by_area ? out->area[of_area] : INFINITY;
        const float least = own < area ? own : area;
        // Landmarks count a link at its own cost, or at its length where that is less.
        const float counted = own < INFINITY && area > 1.0f ? 1.0f : area;
        out->bound = least < out->bound ? least : out->bound;
        out->landmark_bound = counted < out->landmark_bound ? counted : out->landmark_bound;
    }
    out->open_but_for_shapes = out->open;
}

// The default filter's costs are kept for switches at their defaults.
static void copy_default(const nav_mesh *mesh, nav_costs *out)
{
    float *by_class = out->by_class;
    *out = mesh->costs;
    out->by_class = by_class;
    if (by_class != NULL) {
        memcpy(by_class, mesh->costs.by_class, nav_mesh_class_count(mesh) * sizeof *by_class);
    }
}

void nav_costs_resolve(const nav_mesh *mesh, const nav_filter *filter, const uint8_t *switches,
                       nav_costs *out)
{
    const nav_filter everything = {0};
    NAV_ASSERT((out->by_class != NULL) == (mesh->ground_class_count > 0));
    if (filter == NULL && switches == NULL) {
        copy_default(mesh, out);
        return;
    }
    filter = filter != NULL ? filter : &everything;
    out->include = filter->include;
    out->exclude = filter->exclude;
    out->open_but_for_switches = true;
    // Finds for polygons the least cost, whether there are several, and whether any is closed.
    // Areas that nothing is made of keep whatever cost they had.
    extremes found = {.least = FLT_MAX, .all_open = true};
    resolve_areas(mesh, filter, out, &found);
    resolve_switches(mesh, switches, out, &found);
    out->open = found.all_open;
    out->least = found.least < FLT_MAX ? found.least : 1.0f;
    out->uniform = found.most <= found.least;
    out->bound = out->landmark_bound = out->least;
    resolve_links(mesh, mesh->link_classes, mesh->link_class_count, out);
}

void nav_costs_resolve_more_links(const nav_mesh *mesh, const nav_filter *filter,
                                  const nav_link_class *classes, uint32_t count, nav_costs *costs)
{
    static const nav_filter everything = {.include = 0};
    // Their areas need not be of anything in the mesh.
    for (uint32_t i = 0; i < count; ++i) {
        const uint8_t area = nav_mesh_class_area(mesh, classes[i].ground);
        costs->area[area] = resolve_area(mesh, filter != NULL ? filter : &everything, area);
        if (costs->by_class != NULL) {
            costs->by_class[area] = costs->area[area];
        }
    }
    // Landmarks do not count them.
    const float landmark_bound = costs->landmark_bound;
    resolve_links(mesh, classes, count, costs);
    costs->landmark_bound = landmark_bound;
}

// ---- what there is to resolve ----

static nav_link_class class_of(const nav_placed_link *link, const nav_arc *arc)
{
    // A link without length in plan view says nothing about the cost of distance.
    const bool priced = link->has_cost && arc->length > 0.0f;
    return (nav_link_class){.flags = link->flags,
                            .own_least = priced ? link->cost / arc->length : INFINITY,
                            .ground = link->ground,
                            .any_own = link->has_cost,
                            .any_by_area = !link->has_cost && arc->length > 0.0f};
}

static int compare_classes(const void *left, const void *right)
{
    const nav_link_class *a = left, *b = right;
    return a->ground != b->ground ? (a->ground > b->ground) - (a->ground < b->ground)
           : a->flags != b->flags ? (a->flags > b->flags) - (a->flags < b->flags)
                                  : 0;
}

// The cheapest of those that are alike is kept, whatever their order.
uint32_t nav_link_classes_derive(const nav_placed_link *links, uint32_t first, const nav_arc *arcs,
                                 uint32_t count, nav_link_class *classes)
{
    for (uint32_t i = 0; i < count; ++i) {
        classes[i] = class_of(&links[arcs[i].link - first], &arcs[i]);
    }
    if (count > 0) {
        qsort(classes, count, sizeof *classes, compare_classes);
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; ++i) {
        nav_link_class *last = kept > 0 ? &classes[kept - 1] : NULL;
        if (last == NULL || compare_classes(last, &classes[i]) != 0) {
            classes[kept++] = classes[i];
            continue;
        }
        const float least = classes[i].own_least;
        last->own_least = least < last->own_least ? least : last->own_least;
        last->any_own = last->any_own || classes[i].any_own;
        last->any_by_area = last->any_by_area || classes[i].any_by_area;
    }
    return kept;
}

static void derive_areas(nav_mesh *mesh)
{
    bool listed[NAV_MESH_AREAS] = {false};
    memset(mesh->area_used, 0, sizeof mesh->area_used);
    memset(mesh->area_plain, 0, sizeof mesh->area_plain);
    for (uint32_t i = 0; i < mesh->stats.polygons; ++i) {
        const uint16_t ground = mesh->classes[i];
        mesh->area_used[nav_mesh_class_area(mesh, ground)] = true;
        if (ground < NAV_MESH_AREAS) {
            mesh->area_plain[ground] = true;
        }
    }
    memcpy(listed, mesh->area_used, sizeof listed);
    for (uint32_t i = 0; i < mesh->link_class_count; ++i) {
        listed[nav_mesh_class_area(mesh, mesh->link_classes[i].ground)] = true;
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
    mesh->link_class_count =
        nav_link_classes_derive(mesh->links, 0, mesh->arcs, mesh->arc_count, mesh->link_classes);
    derive_areas(mesh);
    float *by_class = mesh->costs.by_class;
    nav_mesh_derive_switches(mesh);
    if (by_class != NULL) {
        memset(by_class, 0, nav_mesh_class_count(mesh) * sizeof *by_class);
    }
    mesh->costs = (nav_costs){.by_class = by_class};
    nav_costs_resolve(mesh, &everything, NULL, &mesh->costs);
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

nav_area nav_mesh_area(const nav_mesh *mesh, uint8_t area)
{
    nav_area out = {.cost = mesh->area_costs[area], .flags = mesh->area_flags[area]};
    if (area < mesh->area_count) {
        memcpy(out.name, mesh->area_names[area], sizeof out.name);
    }
    return out;
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

const char *nav_mesh_flag_name(const nav_mesh *mesh, uint32_t index)
{
    return index < mesh->flag_count ? mesh->flag_names[index] : NULL;
}

const char *nav_mesh_filter_name(const nav_mesh *mesh, uint32_t index)
{
    return index < mesh->filter_count ? mesh->filters[index].name : NULL;
}
