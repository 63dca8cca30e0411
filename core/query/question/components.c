// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// components.c: which ground of a state cannot hang together, where nothing but the state closes
// any: a goal in another component is out of reach, and no search need find that out. Rooms
// (mesh/rooms.c) that hang together under its switches and by its links have the same label. Most
// shapes part nothing: the ground around them hangs together all the same. Else walks set out from
// each side, turn by turn, until they meet, or all but one have been everywhere: what those have
// seen are components of their own.
//
//      +------+----+------+     The wall has two sides. The walk on the right ends first: all that
//      |  1   |wall|   2  |     it has seen is a component. The rest of its label needs no list.
//      |      |    +------+
//      |      |    |            So the work grows with the smaller side, and so does the memory.
//      +------+----+
//
// The work is beyond NAV_AVOID_WORK_MAX where sides have some ten million polygons. Then no
// components are reported: a search finds out.

#include "core/query/question/question.h"
#include "core/query/view/scratch.h"

#include <string.h>

// A walk over the ground from one side of a group. Walks that have met are a set, whose first one
// leads it.
typedef struct walk {
    uint32_t head, tail; // of its queue, in flood.parents; NAV_NONE: it is empty
    uint32_t alive;      // of a leader: walks with it that have somewhere to go
    uint32_t label;
    uint32_t walks; // of a leader: with it
    bool is_open;   // of a leader: one of them leads out of its group
    bool stands;    // it goes on only if another one meets it
} walk;

typedef struct parting {
    const nav_view *view;
    nav_overlay_budget *budget;
    nav_flood_scratch *flood; // marks; parents: the next in a queue; list: the walk
    uint32_t stamp;
    walk *walks;
    uint32_t *leaders; // by walk (core/base/sets.h)
    uint32_t walk_count, walk_capacity, leader_capacity;
    const uint32_t *labels; // nav_state_components.labels
    uint32_t *alive;        // by label - 1: leaders with walks that are alive
    uint32_t *queue;        // all polygons that have been seen
    uint32_t seen_count;
} parting;

// ---- labels ----

// Whether all that leads from one room, or component, to another leads back as well.
static bool are_rooms_two_way(const nav_view *view)
{
    const nav_rooms *rooms = &view->mesh->rooms;
    const nav_added_links *added = &view->state->links;
    bool two_way = rooms->count > 0 ? rooms->two_way : view->mesh->condensation_edge_count == 0;
    for (uint32_t i = 0; i < added->arc_count && two_way; ++i) {
        two_way = nav_view_link(view, &added->arcs[i])->bidirectional;
    }
    return two_way;
}

// The same of all polygons, where that is so of rooms.
static bool is_ground_two_way(const nav_mesh *mesh)
{
    bool two_way = !mesh->has_non_manifold_edges;
    for (uint32_t i = 0; i < mesh->stats.links && two_way; ++i) {
        two_way = mesh->links[i].bidirectional;
    }
    return two_way;
}

static bool is_open(const nav_view *view, uint32_t room)
{
    return view->mesh->rooms.count == 0 || nav_view_is_room_open(view, room);
}

// Joins rooms by open doors, and by links of the state.
static void join_all(const nav_view *view, uint32_t *leaders)
{
    const nav_rooms *rooms = &view->mesh->rooms;
    const nav_added_links *added = &view->state->links;
    for (uint32_t room = 0; room < rooms->count; ++room) {
        for (uint32_t i = rooms->out_first[room];
             i < rooms->out_first[room + 1] && is_open(view, room); ++i) {
            if (nav_view_is_door_open(view, &rooms->out[i])) {
                nav_sets_unite(leaders, room, rooms->out[i].room);
            }
        }
    }
    for (uint32_t i = 0; i < added->arc_count; ++i) {
        const uint32_t from = nav_state_room_of(view->mesh, added->portals[i].from);
        const uint32_t to = nav_state_room_of(view->mesh, added->portals[i].to);
        if (nav_arc_cost(view, &added->arcs[i]) < INFINITY && is_open(view, from) &&
            is_open(view, to)) {
            nav_sets_unite(leaders, from, to);
        }
    }
}

// The least room of those that hang together has the lowest number: it comes first. Returns how
// many labels there are.
static uint32_t number_labels(const nav_view *view, uint32_t *labels, uint32_t count)
{
    uint32_t numbers = 0;
    for (uint32_t room = 0; room < count; ++room) {
        labels[room] = nav_set_of(labels, room);
    }
    for (uint32_t room = 0; room < count; ++room) {
        const uint32_t root = labels[room];
        labels[room] = !is_open(view, room) ? 0 : root == room ? ++numbers : labels[root];
    }
    return numbers;
}

// ---- walks ----

static void revive(parting *p, walk *w)
{
    if (w->stands) {
        w->stands = false;
        w->alive = w->walks;
        ++p->alive[w->label - 1];
    }
}

static void unite(parting *p, uint32_t a, uint32_t b)
{
    const uint32_t one = nav_set_of(p->leaders, a), two = nav_set_of(p->leaders, b);
    walk *low = &p->walks[one < two ? one : two], *high = &p->walks[one < two ? two : one];
    if (low == high) {
        return;
    }
    nav_sets_unite(p->leaders, one, two);
    NAV_DCHECK(low->label == high->label);
    revive(p, low);
    revive(p, high);
    p->alive[low->label - 1] -= low->alive > 0 && high->alive > 0;
    low->alive += high->alive;
    low->walks += high->walks;
    low->is_open = low->is_open || high->is_open;
}

// An open polygon is seen by a walk: for the first time, or where another one has been.
static void enter(parting *p, uint32_t number, uint32_t polygon)
{
    nav_flood_scratch *flood = p->flood;
    if (nav_polygon_cost(p->view, polygon) == INFINITY) {
        return;
    }
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
        walk *leader = &p->walks[nav_set_of(p->leaders, number)];
        --leader->alive;
        p->alive[leader->label - 1] -= leader->alive == 0;
    }
}

// ---- the sides of a group ----

static bool begin_walk(parting *p, uint32_t polygon)
{
    const uint32_t number = p->walk_count;
    p->walks = nav_overlay_grow(p->budget, p->walks, number, &p->walk_capacity, sizeof *p->walks);
    p->leaders =
        nav_overlay_grow(p->budget, p->leaders, number, &p->leader_capacity, sizeof *p->leaders);
    if (p->budget->failed || p->leaders == NULL) {
        return false;
    }
    p->leaders[number] = number;
    p->walks[number] = (walk){
        .head = NAV_NONE,
        .walks = 1,
        .label = p->labels[nav_state_room_of(p->view->mesh, nav_view_base(p->view, polygon))]};
    ++p->walk_count;
    enter(p, number, polygon);
    return true;
}

// Walks over all that hangs together within a group, from one of its polygons. It is open where it
// leads out of the group; else it is a component of its own.
static void fill_side(parting *p, uint32_t group, uint32_t polygon)
{
    const uint32_t number = p->walk_count;
    bool leads_out = false;
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
                leads_out = leads_out || nav_polygon_cost(p->view, to) < INFINITY;
            }
        }
        leads_out = leads_out || nav_arc_runs_count(&face.arcs) > 0;
    }
    walk *leader = &p->walks[nav_set_of(p->leaders, number)];
    leader->is_open = leader->is_open || leads_out;
}

// Each side of a group is a walk. Nothing is parted where only one is open: it stands until another
// group's walk comes by.
static void find_sides(parting *p, uint32_t group)
{
    const nav_overlay *overlay = p->view->overlay;
    const nav_overlay_group *g = &overlay->groups[group];
    const uint32_t first = p->walk_count;
    uint32_t open_count = 0;
    for (uint32_t i = g->first.fragments; i < g->end.fragments && !p->budget->failed; ++i) {
        const uint32_t number = overlay->fragments[i].number;
        if (number != NAV_NONE && p->flood->marks[number] != p->stamp &&
            nav_polygon_cost(p->view, number) < INFINITY) {
            fill_side(p, group, number);
        }
    }
    for (uint32_t i = first; i < p->walk_count; ++i) {
        open_count += p->leaders[i] == i && p->walks[i].is_open;
    }
    for (uint32_t i = first; i < p->walk_count; ++i) {
        walk *w = &p->walks[i];
        if (p->leaders[i] == i && w->is_open) {
            w->stands = true;
            if (open_count > 1) {
                revive(p, w);
            }
        }
    }
}

// ---- the list ----

// Whether a walk is in a set that has been everywhere it can come to.
static bool is_done(const parting *p, uint32_t number)
{
    const walk *w = &p->walks[nav_set_of(p->leaders, number)];
    return w->alive == 0 && !w->stands;
}

// Whether no open link has lost an end to a shape: no walk knows what that parts.
static bool are_links_whole(const nav_view *view)
{
    bool whole = true;
    for (uint32_t i = 0; i < nav_view_arcs(view) && view->overlay != NULL && whole; ++i) {
        const uint32_t portal = view->mesh->edge_portal_count + i;
        whole = nav_arc_cost(view, nav_view_arc(view, i)) == INFINITY ||
                (nav_view_from(view, portal) != NAV_NONE && nav_view_to(view, portal) != NAV_NONE);
    }
    return whole;
}

// Labels of so many rooms, and the members of components where there are some. NULL: no memory.
static nav_state_components *list_components(const parting *p, uint32_t room_count,
                                             uint32_t label_count, const nav_allocator *allocator)
{
    uint32_t count = 0, size = 1;
    for (uint32_t i = 0; i < p->seen_count; ++i) {
        count += is_done(p, p->flood->list[p->queue[i]]);
    }
    while (count > 0 && size < 2 * count) {
        size *= 2;
    }
    const size_t size_bytes = sizeof(nav_state_components) + size * sizeof(nav_state_member) +
                              room_count * sizeof(uint32_t);
    nav_state_components *components = allocator->alloc(allocator->user, size_bytes);
    if (components == NULL) {
        return NULL;
    }
    *components = (nav_state_components){.size_bytes = size_bytes,
                                         .labels = (uint32_t *)(components->members + size),
                                         .is_complete = are_links_whole(p->view),
                                         .mask = size - 1};
    memcpy(components->labels, p->labels, room_count * sizeof *components->labels);
    memset(components->members, 0xff, size * sizeof(nav_state_member));
    for (uint32_t i = 0; i < p->seen_count; ++i) {
        const uint32_t polygon = p->queue[i], number = p->flood->list[polygon];
        if (is_done(p, number)) {
            components->members[nav_state_slot(components, polygon)] = (nav_state_member){
                .polygon = polygon, .component = label_count + 1 + nav_set_of(p->leaders, number)};
        }
    }
    return components;
}

// ---- exported ----

// Whether walks find out all there is to know. None sets out where a state's shapes change nothing.
static bool walk_from_all(parting *p, const nav_overlay *state)
{
    const nav_mesh *mesh = p->view->mesh;
    if (p->view->overlay == NULL) {
        return true;
    }
    if (!is_ground_two_way(mesh) || nav_view_has_non_manifold_edges(p->view)) {
        return false;
    }
    for (uint32_t i = 0; i < state->group_count && !p->budget->failed; ++i) {
        find_sides(p, i);
    }
    // Turn by turn, until at most one set of walks that have met is left of each label.
    bool any = true;
    while (any && !p->budget->failed) {
        any = false;
        for (uint32_t i = 0; i < p->walk_count && !p->budget->failed; ++i) {
            const walk *w = &p->walks[i];
            if (w->head != NAV_NONE && p->walks[nav_set_of(p->leaders, i)].alive > 0 &&
                p->alive[w->label - 1] > 1) {
                step(p, i);
                any = true;
            }
        }
    }
    return !p->budget->failed;
}

nav_status nav_state_find_components(nav_overlay *state, nav_scratch *scratch)
{
    const nav_mesh *mesh = state->mesh;
    const nav_options options = {.overlay = state};
    nav_view view;
    if (state->switches == NULL && state->links.arc_count == 0 && !nav_overlay_changes(state)) {
        return NAV_OK;
    }
    if (!nav_view_begin(mesh, scratch, &options, &view) ||
        !nav_scratch_begin_polygons(scratch, nav_view_polygons(&view))) {
        return NAV_NO_MEMORY;
    }
    if (!view.costs->open_but_for_switches || !are_rooms_two_way(&view)) {
        return NAV_OK;
    }
    nav_overlay_budget budget = {.arena = &scratch->overlay_work, .work = NAV_AVOID_WORK_MAX};
    const uint32_t rooms = mesh->rooms.count > 0 ? mesh->rooms.count : mesh->stats.components;
    nav_arena_reset(budget.arena);
    uint32_t *labels = nav_overlay_alloc(&budget, rooms, sizeof *labels);
    uint32_t *alive = nav_overlay_alloc(&budget, rooms, sizeof *alive);
    if (budget.failed) {
        return NAV_NO_MEMORY;
    }
    for (uint32_t room = 0; room < rooms; ++room) {
        labels[room] = room;
        alive[room] = 0;
    }
    join_all(&view, labels);
    const uint32_t label_count = number_labels(&view, labels, rooms);
    parting p = {.view = &view,
                 .budget = &budget,
                 .flood = &scratch->flood,
                 .stamp = scratch->stamp,
                 .labels = labels,
                 .alive = alive,
                 .queue = scratch->flood.queue};
    const bool has_components = walk_from_all(&p, state);
    if (budget.failed && !budget.refused) {
        return NAV_NO_MEMORY;
    }
    p.seen_count = has_components ? p.seen_count : 0;
    state->components = list_components(&p, rooms, label_count, &state->allocator);
    if (state->components == NULL) {
        return NAV_NO_MEMORY;
    }
    state->components->has_components = has_components;
    return NAV_OK;
}
