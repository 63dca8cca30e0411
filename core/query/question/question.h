// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// question.h: what questions begin with: their options worked out, their shapes cut out of the
// mesh, their ends snapped, what they can reach. Private to core/.

#pragma once

#include "core/query/obstacles/cut.h"
#include "core/query/points/points.h"

// begin.c: begins a question: its options are worked out and scratch, which is given a new
// stamp, is made ready. *view borrows from mesh and scratch. False when there is no memory, or the
// question is cancelled (nav_scratch_failure).
bool nav_view_begin(const nav_mesh *mesh, nav_scratch *scratch, const nav_options *options,
                    nav_view *view);
// Begins a view anew, which has begun already, for a way from a position that lies in shapes: those
// are dear instead of closed.
bool nav_view_begin_leaving(const nav_mesh *mesh, nav_scratch *scratch, const nav_options *options,
                            const nav_location *start, nav_view *view);
// nav_view_begin without shapes; but the links of the question's state are there.
bool nav_view_begin_without_shapes(const nav_mesh *mesh, nav_scratch *scratch,
                                   const nav_options *options, nav_view *view);
// The parts of that for a question that may not need all its shapes. First: its shapes become the
// scratch's overlay; nothing is cut yet. to_change: they are the question's own, whatever was
// before. All of them are false when the budget has failed.
bool nav_view_take_shapes(const nav_mesh *mesh, nav_scratch *scratch, const nav_options *options,
                          bool to_change, nav_overlay_budget *budget);
// Second: their groups are known; none is seen.
bool nav_view_find_groups(nav_scratch *scratch, const nav_options *options,
                          nav_overlay_budget *budget);
// Third: a group is cut and seen.
bool nav_view_see_group(nav_scratch *scratch, uint32_t group, nav_overlay_budget *budget);
// Last: a view sees them. False when there is no memory.
bool nav_view_take_overlay(nav_view *view, nav_scratch *scratch, const nav_options *options);
// The work that a question's shapes may cost, and its memory; what has been spent is taken off what
// several questions share, and memory is given back where the budget has failed.
nav_overlay_budget nav_view_budget(nav_scratch *scratch, const nav_options *options);
void nav_view_spent(nav_scratch *scratch, const nav_overlay_budget *budget,
                    const nav_options *options);

// Makes the scratch's costs those of a filter (NULL: the default one), switches, and links of a
// state (NULL: none). False when there is no memory.
bool nav_view_resolve_costs(const nav_mesh *mesh, nav_scratch *scratch, const nav_filter *filter,
                            const uint8_t *switches, const nav_added_links *links);
// components.c: finds out which ground of a state hangs together: state->components, which stays
// NULL where that is not known. Errors: NAV_NO_MEMORY.
nav_status nav_state_find_components(nav_overlay *state, nav_scratch *scratch);

// ends.c: the position of an end of a path; *in_shape: on a polygon of the mesh, where a
// shape has cut it out. False where there is none.
bool nav_view_snap_end(const nav_view *view, const nav_options *options, const float point[3],
                       nav_location *out, bool *in_shape);
// ends.c: the position that a way begins at. One in shapes leaves them: the view then
// has them dear. *found: there is such a position. False where there is no memory, or the question
// is cancelled.
bool nav_view_snap_start(nav_view *view, nav_scratch *scratch, const nav_options *options,
                         const float point[3], nav_location *out, bool *found);
// The second half of it: for a position that nav_view_snap_end has found in shapes.
bool nav_view_leave(nav_view *view, nav_scratch *scratch, const nav_options *options,
                    const float point[3], nav_location *at, bool *found);
// Everything that can be reached from a component, whatever the costs close; closed ground does
// not count either. Marks `reached` in scratch, after nav_scratch_begin.
nav_reach nav_reach_from(const nav_view *view, nav_scratch *scratch, uint32_t component);

// The same, without what only leads over closed ground or links: where there is any, a flood marks
// what is open, by rooms if only switches close any. False when there is no memory, or the question
// is cancelled.
bool nav_reach_flood(const nav_view *view, nav_scratch *scratch, uint32_t polygon, nav_reach *out);

// Whether ground of a room is open.
static inline bool nav_view_is_room_open(const nav_view *view, uint32_t room)
{
    const uint16_t ground = view->mesh->rooms.ground[room];
    return ground == 0 || view->ground[ground] < INFINITY;
}

// Whether a door is open, and the room behind it.
static inline bool nav_view_is_door_open(const nav_view *view, const nav_door *door)
{
    return nav_view_is_room_open(view, door->room) &&
           (door->ground == 0 || view->ground[door->ground] < INFINITY);
}

// Whether a path leads from a polygon of the mesh to another as far as switches go, where these
// alone close ground: by a state's labels, or a search over rooms from both ends. Shapes are left
// out. *leads is true, and the last flag false, where rooms say nothing. False: no memory.
bool nav_rooms_lead(const nav_view *view, nav_scratch *scratch, uint32_t from, uint32_t to,
                    bool *leads, bool *known);
