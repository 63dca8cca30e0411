// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// switches.c: which switches lie over which ground. Tiles name switches by their ids and number
// their sets each for itself; here they become the settings' switches and the mesh's classes. A
// class is an area under a set of switches; classes below NAV_MESH_AREAS are areas under none. All
// that is of one class is open or closed together, and costs the same.

#include "core/mesh/steps.h"

#include <string.h>

// A set is one more switch in another set, whose switches have lower numbers; set 0 is empty.
typedef struct set_node {
    uint32_t parent, first_child, next; // next: child of the same parent
    uint32_t size;
    uint32_t first_class; // of the classes of this set
    uint16_t switch_number;
} set_node;

typedef struct plan_class {
    uint32_t set, next; // next: class of the same set
    uint8_t area;
} plan_class;

struct nav_class_plan {
    nav_arena *arena;
    set_node *sets;
    uint32_t set_count, set_capacity;
    plan_class *classes; // class NAV_MESH_AREAS + i
    uint32_t class_count, class_capacity;
    uint32_t entry_count; // switches in the sets of all classes
    uint32_t *tile_sets;  // by set of all tiles, one tile after the other: its set here
    uint32_t tile_set_count, tile_set_capacity;
    bool too_many;
};

// Makes room for one more element. False without memory.
static bool grow(nav_arena *arena, void **items, uint32_t count, uint32_t *capacity,
                 size_t size_bytes)
{
    if (count < *capacity) {
        return true;
    }
    const uint32_t more = *capacity * 2 + 64;
    void *grown = nav_arena_grow(arena, *items, count, more, size_bytes);
    if (grown != NULL) {
        *items = grown;
        *capacity = more;
    }
    return grown != NULL;
}

static bool add_to_set(nav_class_plan *p, uint32_t parent, uint32_t switch_number, uint32_t *out)
{
    uint32_t child = p->sets[parent].first_child;
    while (child != 0 && p->sets[child].switch_number != switch_number) {
        child = p->sets[child].next;
    }
    if (child == 0) {
        void *sets = p->sets;
        if (!grow(p->arena, &sets, p->set_count, &p->set_capacity, sizeof *p->sets)) {
            return false;
        }
        p->sets = sets;
        child = p->set_count++;
        p->sets[child] = (set_node){.parent = parent,
                                    .next = p->sets[parent].first_child,
                                    .size = p->sets[parent].size + 1,
                                    .first_class = NAV_NONE,
                                    .switch_number = (uint16_t)switch_number};
        p->sets[parent].first_child = child;
    }
    *out = child;
    return true;
}

// The number of a class, or NAV_NONE.
static uint32_t find_class(const nav_class_plan *p, uint32_t set, uint8_t area)
{
    uint32_t i = set == 0 ? NAV_NONE : p->sets[set].first_class;
    while (i != NAV_NONE && p->classes[i].area != area) {
        i = p->classes[i].next;
    }
    return set == 0 ? area : i == NAV_NONE ? NAV_NONE : NAV_MESH_AREAS + i;
}

static bool add_class(nav_class_plan *p, uint32_t set, uint8_t area)
{
    if (find_class(p, set, area) != NAV_NONE) {
        return true;
    }
    void *classes = p->classes;
    p->too_many = p->class_count == UINT16_MAX - NAV_MESH_AREAS;
    if (p->too_many ||
        !grow(p->arena, &classes, p->class_count, &p->class_capacity, sizeof *p->classes)) {
        return false;
    }
    p->classes = classes;
    p->classes[p->class_count] =
        (plan_class){.set = set, .next = p->sets[set].first_class, .area = area};
    p->sets[set].first_class = p->class_count++;
    p->entry_count += p->sets[set].size;
    return true;
}

// ---- from tiles ----

// The settings' number of a switch; NAV_NONE where they have none of this id: it is always open.
static uint32_t find_switch(const nav_config *config, const char *id)
{
    uint32_t begin = 0, end = config != NULL ? config->switch_count : 0;
    while (begin < end) {
        const uint32_t middle = begin + (end - begin) / 2;
        const int order = strcmp(id, config->switches[middle].id);
        if (order == 0) {
            return middle;
        }
        begin = order > 0 ? middle + 1 : begin;
        end = order < 0 ? middle : end;
    }
    return NAV_NONE;
}

// Both lists of switches rise by id, so that numbers in a set rise here as they do there.
static bool add_tile_set(nav_class_plan *p, const nav_tile *tile, uint32_t index,
                         const nav_config *config)
{
    uint32_t set = 0;
    for (uint32_t k = tile->set_first[index]; k < tile->set_first[index + 1]; ++k) {
        const uint32_t number = find_switch(config, tile->switch_ids[tile->set_entries[k]]);
        if (number != NAV_NONE && !add_to_set(p, set, number, &set)) {
            return false;
        }
    }
    void *sets = p->tile_sets;
    if (!grow(p->arena, &sets, p->tile_set_count, &p->tile_set_capacity, sizeof *p->tile_sets)) {
        return false;
    }
    p->tile_sets = sets;
    p->tile_sets[p->tile_set_count++] = set;
    return true;
}

static bool add_tile(nav_class_plan *p, const nav_tile *tile, const nav_config *config,
                     nav_cancel *cancel)
{
    const uint32_t first = p->tile_set_count;
    for (uint32_t i = 0; i < tile->switches->set_count; ++i) {
        nav_cancel_poll(cancel, 64);
        if (!add_tile_set(p, tile, i, config)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < tile->header->polygon_count && !nav_cancel_poll(cancel, 1); ++i) {
        const uint32_t set = tile->polygon_sets[i];
        if (set > 0 && !add_class(p, p->tile_sets[first + set - 1], tile->polygons[i].area)) {
            return false;
        }
    }
    return true;
}

static bool add_links(nav_class_plan *p, const nav_config *config)
{
    for (uint32_t i = 0; config != NULL && i < config->link_count; ++i) {
        const nav_link *link = &config->links[i];
        uint32_t set;
        if (link->switch_number > 0 &&
            (!add_to_set(p, 0, link->switch_number - 1, &set) || !add_class(p, set, link->area))) {
            return false;
        }
    }
    return true;
}

nav_status nav_class_plan_make(const nav_blob *tiles, uint32_t tile_count, const nav_config *config,
                               nav_cancel *cancel, nav_arena *temporary, nav_class_plan **out,
                               nav_error *err)
{
    nav_class_plan *p = NAV_NEW_ZERO(temporary, nav_class_plan, 1);
    bool done = p != NULL;
    if (done) {
        p->arena = temporary;
        p->set_count = p->set_capacity = 1;
        p->sets = NAV_NEW_ZERO(temporary, set_node, 1);
        done = p->sets != NULL;
    }
    for (uint32_t i = 0; done && i < tile_count; ++i) {
        if (tiles[i].size_bytes > 0) {
            const nav_tile tile = nav_tile_view(tiles[i].bytes);
            done = tile.switches == NULL || add_tile(p, &tile, config, cancel);
        }
    }
    done = done && add_links(p, config);
    if (!done) {
        return p != NULL && p->too_many
                   ? nav_fail(err, NAV_TILE_TOO_COMPLEX,
                              "switches and areas overlap in more than %u ways",
                              (unsigned)(UINT16_MAX - NAV_MESH_AREAS))
                   : nav_fail(err, NAV_NO_MEMORY, "no memory for the switches");
    }
    *out = p;
    return nav_cancel_status(cancel);
}

uint16_t nav_class_plan_of(const nav_class_plan *plan, const nav_tile *tile, uint32_t first_set,
                           uint32_t polygon)
{
    const uint8_t area = tile->polygons[polygon].area;
    const uint32_t set = tile->switches != NULL ? tile->polygon_sets[polygon] : 0;
    return set == 0 ? area : (uint16_t)find_class(plan, plan->tile_sets[first_set + set - 1], area);
}

void nav_class_plan_sizes(const nav_class_plan *plan, uint32_t *class_count, uint32_t *entry_count)
{
    *class_count = plan->class_count;
    *entry_count = plan->entry_count;
}

// ---- into the mesh ----

void nav_class_plan_copy(const nav_class_plan *plan, const nav_config *config, nav_mesh *mesh)
{
    uint32_t entries = 0;
    for (uint32_t i = 0; i < plan->class_count; ++i) {
        const plan_class *from = &plan->classes[i];
        nav_mesh_class *to = &mesh->ground_classes[i];
        *to = (nav_mesh_class){.first = entries, .area = from->area};
        entries += plan->sets[from->set].size;
        uint32_t at = entries;
        for (uint32_t set = from->set; set != 0; set = plan->sets[set].parent) {
            mesh->class_switches[--at] = plan->sets[set].switch_number;
        }
        NAV_ASSERT(at == to->first);
    }
    mesh->ground_classes[plan->class_count] = (nav_mesh_class){.first = entries};
    mesh->ground_class_count = plan->class_count;
    NAV_ASSERT(entries == plan->entry_count);
    for (uint32_t i = 0; i < mesh->switch_count; ++i) {
        mesh->switches[i] = (nav_switch_info){.closed = config->switches[i].closed};
        memcpy(mesh->switches[i].id, config->switches[i].id, sizeof mesh->switches[i].id);
    }
}

static void add_bounds(nav_switch_info *s, const nav_polygon_record *record)
{
    for (int axis = 0; axis < 3; ++axis) {
        const bool first = s->polygons == 0;
        s->min[axis] = first || record->min[axis] < s->min[axis] ? record->min[axis] : s->min[axis];
        s->max[axis] = first || record->max[axis] > s->max[axis] ? record->max[axis] : s->max[axis];
    }
    s->polygons++;
}

void nav_mesh_derive_switches(nav_mesh *mesh)
{
    for (uint32_t i = 0; i < mesh->ground_class_count; ++i) {
        mesh->ground_classes[i].polygons = 0;
    }
    for (uint32_t i = 0; i < mesh->stats.polygons && mesh->ground_class_count > 0; ++i) {
        if (mesh->classes[i] < NAV_MESH_AREAS) {
            continue;
        }
        nav_mesh_class *c = &mesh->ground_classes[mesh->classes[i] - NAV_MESH_AREAS];
        c->polygons++;
        for (uint32_t k = c->first; k < c[1].first; ++k) {
            add_bounds(&mesh->switches[mesh->class_switches[k]], &mesh->records[i]);
        }
    }
}

void nav_mesh_warn_switches(const nav_mesh *mesh, const nav_config *config, nav_bake_report *report)
{
    NAV_ASSERT(mesh->switch_count == config->switch_count);
    for (uint32_t i = 0; i < config->switch_count; ++i) {
        const nav_switch *of = &config->switches[i];
        if (of->shape_count > 0 && mesh->switches[i].polygons == 0) {
            float at[3];
            // A position in a shape.
            const nav_volume *shape = &of->shapes[0];
            const bool box = shape->shape == NAV_VOLUME_BOX;
            const bool convex = shape->shape == NAV_VOLUME_CONVEX;
            at[0] = convex ? shape->points[0][0]
                    : box  ? 0.5f * (shape->min[0] + shape->max[0])
                           : shape->min[0];
            at[1] = 0.5f * (shape->min[1] + shape->max[1]);
            at[2] = convex ? shape->points[0][1]
                    : box  ? 0.5f * (shape->min[2] + shape->max[2])
                           : shape->min[2];
            nav_warning_add(&report->warnings[NAV_WARN_SWITCH_OFF_MESH], at, 0.0f, of->id);
        }
    }
}

uint16_t nav_mesh_link_class(const nav_mesh *mesh, uint8_t area, uint32_t switch_number)
{
    for (uint32_t i = 0; switch_number > 0 && i < mesh->ground_class_count; ++i) {
        const nav_mesh_class *c = &mesh->ground_classes[i];
        if (c->area == area && c[1].first - c->first == 1 &&
            mesh->class_switches[c->first] == switch_number - 1) {
            return (uint16_t)(NAV_MESH_AREAS + i);
        }
    }
    return area;
}

// ---- exported ----

uint32_t nav_mesh_switch_count(const nav_mesh *mesh)
{
    return mesh->switch_count;
}

void nav_mesh_switch(const nav_mesh *mesh, uint32_t index, nav_switch_info *out)
{
    NAV_ASSERT(index < mesh->switch_count);
    *out = mesh->switches[index];
}

uint32_t nav_mesh_find_switch(const nav_mesh *mesh, const char *id)
{
    uint32_t begin = 0, end = mesh->switch_count;
    while (begin < end) {
        const uint32_t middle = begin + (end - begin) / 2;
        const int order = strcmp(id, mesh->switches[middle].id);
        if (order == 0) {
            return middle;
        }
        begin = order > 0 ? middle + 1 : begin;
        end = order < 0 ? middle : end;
    }
    return NAV_NONE;
}
