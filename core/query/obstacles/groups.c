// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// groups.c: shapes that share ground are cut together, and no others. The ground of a shape is what
// it may touch, and what is around the corners of that; shapes whose ground meets are a group.
//
//      +-----+-----+-----+-----+     The ground of a: all but the last column, for b's first
//      |  a  |     |     |  b  |     corners are in the third. a and b share it: one group. With
//      +-----+-----+-----+-----+     two columns more between them they would be two.
//
// Groups do not depend on what else there is, so that a group may be cut once for many questions,
// and stays as it is when shapes elsewhere come and go.

#include "core/base/sets.h"
#include "core/query/obstacles/cut.h"

#include <string.h>

// A polygon or a turning vertex that the walk has come to.
typedef struct mark {
    uint32_t key;   // twice the number, one more of a turning vertex; NAV_NONE: free
    uint32_t first; // obstacle that has come to it
    uint32_t last;
} mark;

typedef struct grouping {
    nav_overlay *o;
    const nav_overlay *last;
    nav_overlay_budget *budget;
    mark *marks; // a hash table
    uint32_t mark_count, mark_mask;
    uint32_t *leaders;       // by obstacle: sets of those that share ground
    nav_polygon_list fresh;  // obstacles whose ground has to be found
    bool *is_fresh;          // by obstacle
    bool *is_left;           // by group of `last`: it is not taken over
    uint32_t *new_obstacles; // by obstacle of `last`: its number now
    nav_polygon_list ground; // what the walk has come to
    uint32_t *group_of;      // by obstacle that leads a group: the group
} grouping;

// ---- marks ----

static uint32_t slot_of(const grouping *g, uint32_t key)
{
    uint32_t slot = nav_overlay_slot(key, g->mark_mask);
    while (g->marks[slot].key != NAV_NONE && g->marks[slot].key != key) {
        slot = (slot + 1) & g->mark_mask;
    }
    return slot;
}

static bool make_marks(grouping *g, uint32_t size)
{
    const mark *old = g->marks;
    const uint32_t old_count = g->marks != NULL ? g->mark_mask + 1 : 0;
    g->marks = nav_overlay_alloc(g->budget, size, sizeof *g->marks);
    if (g->marks == NULL) {
        return false;
    }
    memset(g->marks, 0xff, size * sizeof *g->marks);
    g->mark_mask = size - 1;
    for (uint32_t i = 0; i < old_count; ++i) {
        if (old[i].key != NAV_NONE) {
            g->marks[slot_of(g, old[i].key)] = old[i];
        }
    }
    return true;
}

// The mark of a key, which may be new: then `first` is NAV_NONE. NULL where the budget has failed.
static mark *mark_of(grouping *g, uint32_t key)
{
    if (2 * g->mark_count > g->mark_mask && !make_marks(g, 2 * (g->mark_mask + 1))) {
        return NULL;
    }
    mark *m = &g->marks[slot_of(g, key)];
    if (m->key == NAV_NONE) {
        *m = (mark){.key = key, .first = NAV_NONE, .last = NAV_NONE};
        ++g->mark_count;
    }
    return m;
}

// ---- which belong together ----

static void make_fresh(grouping *g, uint32_t obstacle)
{
    if (!g->is_fresh[obstacle]) {
        g->is_fresh[obstacle] = true;
        nav_polygon_list_add(&g->fresh, obstacle, g->budget);
    }
}

// A group of `last` that something new has come near to: its shapes are looked at anew.
static void leave_group(grouping *g, uint32_t group)
{
    const nav_overlay_group *old = &g->last->groups[group];
    if (g->is_left[group]) {
        return;
    }
    g->is_left[group] = true;
    for (uint32_t i = 0; i < old->member_count; ++i) {
        const uint32_t now = g->new_obstacles[g->last->members[old->member_first + i]];
        if (now != NAV_NONE) {
            make_fresh(g, now);
        }
    }
}

// An obstacle's ground has a polygon in it.
static void enter(grouping *g, uint32_t polygon, uint32_t obstacle, nav_polygon_list *queue)
{
    mark *m = mark_of(g, 2 * polygon);
    if (m == NULL || m->last == obstacle) {
        return;
    }
    m->last = obstacle;
    nav_polygon_list_add(queue, polygon, g->budget);
    if (m->first != NAV_NONE) {
        nav_sets_unite(g->leaders, m->first, obstacle);
        return;
    }
    m->first = obstacle;
    nav_polygon_list_add(&g->ground, polygon, g->budget);
    const nav_fragment *old = g->last != NULL ? nav_overlay_find(g->last, polygon) : NULL;
    if (old != NULL) {
        leave_group(g, old->group);
    }
}

// ---- the ground of a shape ----

static void enter_touched(grouping *g, uint32_t obstacle, nav_polygon_list *queue)
{
    const nav_mesh *mesh = g->o->mesh;
    const nav_outline *outline = nav_overlay_outline(g->o, obstacle, g->budget);
    if (outline == NULL) {
        return;
    }
    nav_touch_walk walk = nav_touch_walk_begin(mesh, outline, g->budget);
    for (uint32_t polygon = nav_touch_walk_next(&walk); polygon != NAV_NONE;
         polygon = nav_touch_walk_next(&walk)) {
        const uint32_t end = mesh->portal_first[polygon + 1];
        enter(g, polygon, obstacle, queue);
        nav_overlay_spend(g->budget, 1 + end - mesh->portal_first[polygon]);
        for (uint32_t k = mesh->portal_first[polygon]; k < end && !g->budget->failed; ++k) {
            for (int right = 0; right < 2; ++right) {
                const uint32_t ends = mesh->portal_turning_vertices[k][right];
                mark *m = mark_of(g, 2 * (ends & NAV_TURNING_NUMBER) + 1);
                if (m != NULL) {
                    m->last = obstacle;
                }
            }
        }
    }
}

static bool is_at_corner(const grouping *g, uint32_t ends, uint32_t obstacle)
{
    const mark *m = &g->marks[slot_of(g, 2 * (ends & NAV_TURNING_NUMBER) + 1)];
    return m->key != NAV_NONE && m->last == obstacle;
}

// Over all portals that end at a corner of what the shape touches: all ground around such a corner
// belongs to the overlay then, and its turning vertices are the overlay's own.
static void find_ground(grouping *g, uint32_t obstacle)
{
    const nav_mesh *mesh = g->o->mesh;
    nav_polygon_list queue = {0};
    enter_touched(g, obstacle, &queue);
    for (uint32_t i = 0; i < queue.count && !g->budget->failed; ++i) {
        const uint32_t end = mesh->portal_first[queue.polygons[i] + 1];
        nav_overlay_spend(g->budget, end - mesh->portal_first[queue.polygons[i]]);
        for (uint32_t k = mesh->portal_first[queue.polygons[i]]; k < end; ++k) {
            const uint32_t *ends = mesh->portal_turning_vertices[k];
            if (is_at_corner(g, ends[0], obstacle) || is_at_corner(g, ends[1], obstacle)) {
                enter(g, mesh->portals[k].to, obstacle, &queue);
            }
        }
    }
}

// ---- groups ----

static bool begin(grouping *g)
{
    const uint32_t count = g->o->obstacle_count;
    const uint32_t old_count = g->last != NULL ? g->last->group_count : 0;
    g->leaders = nav_overlay_alloc(g->budget, count, sizeof *g->leaders);
    g->group_of = nav_overlay_alloc(g->budget, count, sizeof *g->group_of);
    g->is_fresh = nav_overlay_alloc(g->budget, count, sizeof *g->is_fresh);
    g->is_left = nav_overlay_alloc(g->budget, old_count, sizeof *g->is_left);
    g->new_obstacles = nav_overlay_alloc(g->budget, g->last != NULL ? g->last->obstacle_count : 0,
                                         sizeof *g->new_obstacles);
    if (g->budget->failed || !make_marks(g, 256)) {
        return false;
    }
    for (uint32_t i = 0; i < count; ++i) {
        g->leaders[i] = i;
        g->is_fresh[i] = false;
        g->group_of[i] = NAV_NONE;
    }
    for (uint32_t i = 0; i < old_count; ++i) {
        g->is_left[i] = false;
    }
    return true;
}

// Which shapes have come, and which groups have lost one.
static void compare(grouping *g)
{
    const nav_overlay *o = g->o;
    for (uint32_t i = 0; g->last != NULL && i < g->last->obstacle_count; ++i) {
        g->new_obstacles[i] = NAV_NONE;
    }
    for (uint32_t i = 0; i < o->obstacle_count; ++i) {
        if (o->obstacles[i].before == NAV_NONE) {
            make_fresh(g, i);
        } else {
            g->new_obstacles[o->obstacles[i].before] = i;
        }
    }
    for (uint32_t i = 0; g->last != NULL && i < g->last->obstacle_count; ++i) {
        if (g->new_obstacles[i] == NAV_NONE) {
            leave_group(g, g->last->obstacles[i].group);
        }
    }
}

static uint32_t count_left(const grouping *g)
{
    uint32_t count = 0;
    for (uint32_t i = 0; g->last != NULL && i < g->last->group_count; ++i) {
        count += g->is_left[i];
    }
    return count;
}

// Puts the members and the ground of all groups in a row, by group, each rising.
static void list_groups(grouping *g)
{
    nav_overlay *o = g->o;
    uint32_t members = 0, ground = 0;
    for (uint32_t i = 0; i < o->group_count; ++i) {
        o->groups[i].member_first = members;
        o->groups[i].ground_first = ground;
        members += o->groups[i].member_count;
        ground += o->groups[i].ground_count;
        o->groups[i].member_count = o->groups[i].ground_count = 0;
    }
    NAV_ASSERT(members == o->obstacle_count);
    for (uint32_t i = 0; i < o->obstacle_count; ++i) {
        nav_overlay_group *group = &o->groups[o->obstacles[i].group];
        o->members[group->member_first + group->member_count++] = i;
    }
    for (uint32_t i = 0; i < g->ground.count; ++i) {
        const uint32_t polygon = g->ground.polygons[i];
        const uint32_t owner = g->marks[slot_of(g, 2 * polygon)].first;
        nav_overlay_group *group = &o->groups[o->obstacles[owner].group];
        o->ground[group->ground_first + group->ground_count++] = polygon;
    }
}

// The groups of `last` that stay.
static void keep_groups(grouping *g)
{
    nav_overlay *o = g->o;
    for (uint32_t i = 0; g->last != NULL && i < g->last->group_count; ++i) {
        const nav_overlay_group *old = &g->last->groups[i];
        if (g->is_left[i]) {
            continue;
        }
        const uint32_t number = o->group_count++;
        o->groups[number] = (nav_overlay_group){.member_count = old->member_count,
                                                .ground_count = old->ground_count,
                                                .before = i,
                                                .changes = old->changes,
                                                .costs = old->costs};
        for (uint32_t k = 0; k < old->member_count; ++k) {
            o->obstacles[g->new_obstacles[g->last->members[old->member_first + k]]].group = number;
        }
        nav_overlay_spend(g->budget, old->end.portals - old->first.portals);
    }
}

// Ground of groups that stay is copied: nothing has come to it.
static void copy_ground(grouping *g)
{
    for (uint32_t i = 0; i < g->o->group_count; ++i) {
        nav_overlay_group *group = &g->o->groups[i];
        if (group->before != NAV_NONE) {
            const nav_overlay_group *old = &g->last->groups[group->before];
            group->ground_count = old->ground_count;
            memcpy(g->o->ground + group->ground_first, g->last->ground + old->ground_first,
                   old->ground_count * sizeof *g->o->ground);
        }
    }
}

// Groups of what has been looked at, in the order of their first members.
static void number_fresh(grouping *g)
{
    nav_overlay *o = g->o;
    for (uint32_t i = 0; i < o->obstacle_count; ++i) {
        if (g->is_fresh[i]) {
            const uint32_t leader = nav_set_of(g->leaders, i);
            if (g->group_of[leader] == NAV_NONE) {
                g->group_of[leader] = o->group_count;
                o->groups[o->group_count++] =
                    (nav_overlay_group){.before = NAV_NONE, .costs = NAV_OVERLAY_COSTS_NONE};
            }
            o->obstacles[i].group = g->group_of[leader];
            ++o->groups[o->obstacles[i].group].member_count;
        }
    }
    for (uint32_t i = 0; i < g->ground.count; ++i) {
        const uint32_t owner = g->marks[slot_of(g, 2 * g->ground.polygons[i])].first;
        ++o->groups[o->obstacles[owner].group].ground_count;
    }
}

// ---- exported ----

bool nav_overlay_find_groups(nav_overlay *overlay, const nav_overlay *last,
                             nav_overlay_budget *budget)
{
    grouping g = {.o = overlay, .last = last, .budget = budget};
    NAV_ASSERT(overlay->groups == NULL);
    if (!begin(&g)) {
        return false;
    }
    compare(&g);
    for (uint32_t i = 0; i < g.fresh.count && !budget->failed; ++i) {
        find_ground(&g, g.fresh.polygons[i]);
    }
    nav_polygon_list_sort(&g.ground);
    const uint32_t old_groups = last != NULL ? last->group_count - count_left(&g) : 0;
    uint32_t old_ground = 0;
    for (uint32_t i = 0; last != NULL && i < last->group_count; ++i) {
        old_ground += g.is_left[i] ? 0 : last->groups[i].ground_count;
    }
    overlay->groups =
        nav_overlay_keep(budget, (size_t)old_groups + g.fresh.count, sizeof *overlay->groups);
    overlay->members = nav_overlay_keep(budget, overlay->obstacle_count, sizeof(uint32_t));
    overlay->ground =
        nav_overlay_keep(budget, (size_t)old_ground + g.ground.count, sizeof(uint32_t));
    if (budget->failed) {
        return false;
    }
    keep_groups(&g);
    number_fresh(&g);
    list_groups(&g);
    copy_ground(&g);
    return !budget->failed;
}
