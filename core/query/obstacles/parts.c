// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// parts.c: which ground of a state cannot hang together, where nothing but its shapes closes any: a
// goal in another part is out of reach, and no search need find that out. Most shapes part nothing:
// the ground around them hangs together all the same. Where it does not, walks set out from each
// side, turn by turn, until they meet, or all but one have been everywhere: what those have seen
// are parts of their own.
//
//      +------+----+------+     The wall has two sides. The walk on the right ends first: all that
//      |  1   |wall|   2  |     it has seen is a part. The rest of the component needs no list.
//      |      |    +------+
//      |      |    |            So the work grows with the smaller side, and so does the memory.
//      +------+----+

#include "core/query/query.h"

#include <string.h>

// The part that a polygon is in; NAV_NONE in a slot of the table that is free.
typedef struct member {
    uint32_t polygon, part;
} member;

struct nav_state_parts {
    size_t size_bytes;
    uint32_t mask;
    member members[]; // a hash table; what is not in it is in part 0 of its component
};

// A walk over the ground from one side of a group; walks that have met are one.
typedef struct walk {
    uint32_t leader;     // another walk that it has met, or itself
    uint32_t head, tail; // of its queue, in flood.parents; NAV_NONE: it is empty
    uint32_t alive;      // of a leader: walks with it that have somewhere to go
    uint32_t component;  // of the mesh
    uint32_t walks;      // of a leader: with it
    bool is_open;        // of a leader: one of them leads out of its group
    bool stands;         // it goes on only if another one meets it
} walk;

typedef struct parting {
    const nav_view *view;
    nav_overlay_budget *budget;
    nav_flood_scratch *flood; // marks; parents: the next in a queue; list: the walk
    uint32_t stamp;
    walk *walks;
    uint32_t walk_count, walk_room;
    uint32_t *alive; // by component - 1: leaders with walks that are alive
    uint32_t *queue; // all polygons that have been seen
    uint32_t seen_count;
} parting;

// ---- where parts can be told ----

// Walks go both ways: there may be nothing that leads one way only.
static bool is_two_way(const nav_view *view)
{
    bool two_way = !nav_view_has_non_manifold_edges(view);
    for (uint32_t i = 0; i < view->mesh->stats.links && two_way; ++i) {
        two_way = view->mesh->links[i].bidirectional;
    }
    return two_way;
}

// ---- walks ----

static uint32_t leader_of(const parting *p, uint32_t number)
{
    while (p->walks[number].leader != number) {
        p->walks[number].leader = p->walks[p->walks[number].leader].leader;
        number = p->walks[number].leader;
    }
    return number;
}

static void revive(parting *p, walk *w)
{
    if (w->stands) {
        w->stands = false;
        w->alive = w->walks;
        ++p->alive[w->component - 1];
    }
}

static void unite(parting *p, uint32_t a, uint32_t b)
{
    const uint32_t one = leader_of(p, a), two = leader_of(p, b);
    walk *low = &p->walks[one < two ? one : two], *high = &p->walks[one < two ? two : one];
    if (low == high) {
        return;
    }
    NAV_DCHECK(low->component == high->component);
    revive(p, low);
    revive(p, high);
    p->alive[low->component - 1] -= low->alive > 0 && high->alive > 0;
    high->leader = one < two ? one : two;
    low->alive += high->alive;
    low->walks += high->walks;
    low->is_open = low->is_open || high->is_open;
}

// A polygon is seen by a walk: for the first time, or where another one has been. If a portal leads
// one way only, both sides of it count as one.
static void enter(parting *p, uint32_t number, uint32_t polygon)
{
    nav_flood_scratch *flood = p->flood;
    if (flood->marks[polygon] == p->stamp) {
        unite(p, number, flood->list[polygon]);
        return;
    }
    walk *w = &p->walks[number];
    flood->marks[polygon] = p->stamp;
    flood->list[polygon] = number;
    flood->parents[polygon] = NAV_NONE;
    p->queue[p->seen_count++] = polygon;
    if (w->head == NAV_NONE) {
        w->head = polygon;
    } else {
        flood->parents[w->tail] = polygon;
    }
    w->tail = polygon;
}

// Takes the next polygon of a walk, and puts what is behind it into its queue.
static void step(parting *p, uint32_t number)
{
    const nav_view *view = p->view;
    const uint32_t polygon = p->walks[number].head;
    const nav_face face = nav_view_face(view, polygon);
    p->walks[number].head = p->flood->parents[polygon];
    nav_overlay_spend(p->budget, 1 + face.portal_count);
    for (uint32_t i = 0; i < face.portal_count; ++i) {
        enter(p, number, face.portals[i].to);
    }
    for (uint32_t i = 0; i < nav_arc_runs_count(&face.arcs); ++i) {
        const uint32_t to = nav_view_arc_target(view, polygon, nav_arc_runs_at(&face.arcs, i));
        if (to != NAV_NONE) {
            enter(p, number, to);
        }
    }
    if (p->walks[number].head == NAV_NONE) {
        walk *leader = &p->walks[leader_of(p, number)];
        --leader->alive;
        p->alive[leader->component - 1] -= leader->alive == 0;
    }
}

// ---- the sides of a group ----

static bool begin_walk(parting *p, uint32_t polygon)
{
    p->walks =
        nav_overlay_grow(p->budget, p->walks, p->walk_count, &p->walk_room, sizeof *p->walks);
    if (p->budget->failed) {
        return false;
    }
    p->walks[p->walk_count] = (walk){.leader = p->walk_count,
                                     .head = NAV_NONE,
                                     .walks = 1,
                                     .component = nav_view_component(p->view, polygon)};
    enter(p, p->walk_count++, polygon);
    return true;
}

// Walks over all that hangs together within a group, from one of its polygons. It is open where it
// leads out of the group; else it is a part of its own.
static void fill_side(parting *p, uint32_t group, uint32_t polygon)
{
    const uint32_t number = p->walk_count;
    bool is_open = false;
    if (!begin_walk(p, polygon)) {
        return;
    }
    for (uint32_t at = polygon; at != NAV_NONE; at = p->flood->parents[at]) {
        const nav_face face = nav_view_face(p->view, at);
        nav_overlay_spend(p->budget, 1 + face.portal_count);
        for (uint32_t i = 0; i < face.portal_count; ++i) {
            const uint32_t to = face.portals[i].to;
            const nav_fragment *fragment =
                nav_overlay_find(p->view->overlay, nav_view_base(p->view, to));
            if (fragment != NULL && fragment->group == group) {
                enter(p, number, to);
            } else {
                is_open = true;
            }
        }
        is_open = is_open || nav_arc_runs_count(&face.arcs) > 0;
    }
    walk *leader = &p->walks[leader_of(p, number)];
    leader->is_open = leader->is_open || is_open;
}

// Each side of a group is a walk. Where only one is open nothing is parted: it stands until another
// group's walk comes by.
static void find_sides(parting *p, uint32_t group)
{
    const nav_overlay *overlay = p->view->overlay;
    const nav_overlay_group *g = &overlay->groups[group];
    const uint32_t first = p->walk_count;
    uint32_t open_count = 0;
    for (uint32_t i = g->first.fragments; i < g->end.fragments && !p->budget->failed; ++i) {
        const uint32_t number = overlay->fragments[i].number;
        if (number != NAV_NONE && p->flood->marks[number] != p->stamp) {
            fill_side(p, group, number);
        }
    }
    for (uint32_t i = first; i < p->walk_count; ++i) {
        open_count += p->walks[i].leader == i && p->walks[i].is_open;
    }
    for (uint32_t i = first; i < p->walk_count; ++i) {
        walk *w = &p->walks[i];
        if (w->leader == i && w->is_open) {
            w->stands = true;
            if (open_count > 1) {
                revive(p, w);
            }
        }
    }
}

// Turn by turn, until at most one set of walks that have met is left in each component.
static void walk_on(parting *p)
{
    bool any = true;
    while (any && !p->budget->failed) {
        any = false;
        for (uint32_t i = 0; i < p->walk_count && !p->budget->failed; ++i) {
            const walk *w = &p->walks[i];
            if (w->head != NAV_NONE && p->walks[leader_of(p, i)].alive > 0 &&
                p->alive[w->component - 1] > 1) {
                step(p, i);
                any = true;
            }
        }
    }
}

// ---- the list ----

static member *slot_of(nav_state_parts *parts, uint32_t polygon)
{
    uint32_t slot = (polygon * 2654435761u) & parts->mask;
    while (parts->members[slot].polygon != NAV_NONE && parts->members[slot].polygon != polygon) {
        slot = (slot + 1) & parts->mask;
    }
    return &parts->members[slot];
}

// Whether a walk is in a set that has been everywhere it can come to.
static bool is_done(const parting *p, uint32_t number)
{
    const walk *w = &p->walks[leader_of(p, number)];
    return w->alive == 0 && !w->stands;
}

static nav_state_parts *list_parts(const parting *p, const nav_allocator *allocator)
{
    uint32_t count = 0, size = 1;
    for (uint32_t i = 0; i < p->seen_count; ++i) {
        count += is_done(p, p->flood->list[p->queue[i]]);
    }
    while (count > 0 && size < 2 * count) {
        size *= 2;
    }
    const size_t size_bytes = sizeof(nav_state_parts) + size * sizeof(member);
    nav_state_parts *parts = allocator->alloc(allocator->user, size_bytes);
    if (parts == NULL) {
        return NULL;
    }
    parts->size_bytes = size_bytes;
    parts->mask = size - 1;
    memset(parts->members, 0xff, size * sizeof(member));
    for (uint32_t i = 0; i < p->seen_count; ++i) {
        const uint32_t polygon = p->queue[i], number = p->flood->list[polygon];
        if (is_done(p, number)) {
            *slot_of(parts, polygon) =
                (member){.polygon = polygon, .part = 1 + leader_of(p, number)};
        }
    }
    return parts;
}

// ---- exported ----

uint32_t nav_state_part_at(const nav_state_parts *parts, uint32_t polygon)
{
    uint32_t slot = (polygon * 2654435761u) & parts->mask;
    while (parts->members[slot].polygon != NAV_NONE && parts->members[slot].polygon != polygon) {
        slot = (slot + 1) & parts->mask;
    }
    return parts->members[slot].polygon == polygon ? parts->members[slot].part : 0;
}

static nav_state_parts *make(const nav_view *view, nav_scratch *scratch)
{
    const nav_overlay *overlay = view->overlay;
    nav_overlay_budget budget = {.arena = &scratch->overlay_work, .work = NAV_AVOID_WORK_MAX};
    if (!nav_scratch_begin_polygons(scratch, nav_view_polygons(view))) {
        return NULL;
    }
    nav_arena_reset(budget.arena);
    parting p = {.view = view,
                 .budget = &budget,
                 .flood = &scratch->flood,
                 .stamp = scratch->stamp,
                 .queue = scratch->flood.queue};
    p.alive = nav_overlay_alloc(&budget, view->mesh->stats.components, sizeof *p.alive);
    if (p.alive == NULL) {
        return NULL;
    }
    memset(p.alive, 0, view->mesh->stats.components * sizeof *p.alive);
    for (uint32_t i = 0; i < overlay->group_count && !budget.failed; ++i) {
        find_sides(&p, i);
    }
    walk_on(&p);
    return budget.failed ? NULL : list_parts(&p, &overlay->cell->allocator);
}

const nav_state_parts *nav_view_known_parts(const nav_overlay *state)
{
    return state != NULL && state->cell != NULL && state->links.count == 0
               ? atomic_load_explicit(&state->cell->parts, memory_order_acquire)
               : NULL;
}

const nav_state_parts *nav_view_parts(const nav_view *view, nav_scratch *scratch)
{
    const nav_overlay *overlay = view->overlay;
    if (overlay == NULL || overlay->cell == NULL || overlay->links.count > 0 ||
        overlay->seen_count < overlay->group_count || !view->costs->open_but_for_shapes) {
        return NULL;
    }
    nav_state_parts *known = atomic_load_explicit(&overlay->cell->parts, memory_order_acquire);
    if (known != NULL || !is_two_way(view) || !nav_scratch_begin(scratch, view)) {
        return known;
    }
    nav_state_parts *made = make(view, scratch);
    // Another thread may have been faster; its parts are the same.
    if (made != NULL &&
        !atomic_compare_exchange_strong_explicit(&overlay->cell->parts, &known, made,
                                                 memory_order_acq_rel, memory_order_acquire)) {
        nav_state_parts_free(made, &overlay->cell->allocator);
        return known;
    }
    return made;
}

void nav_state_parts_free(nav_state_parts *parts, const nav_allocator *allocator)
{
    if (parts != NULL) {
        allocator->free(allocator->user, parts, parts->size_bytes);
    }
}
