// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// instances.h: the state of a world at run time, as it is sent and as it is kept; and that state
// placed over a mesh.
//
//   PUT or PATCH --proto_instance_read--> change --server--> state --proto_world_make--> world
//                                                     with a question --proto_common_resolve-->
//                                                     options

#pragma once

#include "proto/requests/requests.h"

// The kinds of parts that a state has.
typedef enum proto_state_kind {
    PROTO_STATE_SWITCH,
    PROTO_STATE_OBSTACLE,
    PROTO_STATE_LINK,
    PROTO_STATE_AREA_COST,
    PROTO_STATE_KINDS,
} proto_state_kind;

#define PROTO_STATE_ID_MAX 64      // bytes
#define PROTO_SWITCHES_MAX 4096u   // of one instance
#define PROTO_LINKS_MAX 1024u      // of one instance
#define PROTO_EXPIRES_S_MIN 0.001  //
#define PROTO_EXPIRES_S_MAX 3.2e7  // a year
#define PROTO_INSTANCES_LISTED 100 // where no limit is given
#define PROTO_INSTANCES_LISTED_MAX 1000

// One switch, obstacle, link or area by its name.
typedef struct proto_state_item {
    const char *id;
    const proto_avoid *shape; // of an obstacle
    proto_link *link;         // of a link
    float cost;               // of an area
    bool closed;              // of a switch
    bool removed;             // of a change: take it away; then the members above say nothing
} proto_state_item;

typedef struct proto_state_items {
    const proto_state_item *at; // in order of id, each once
    uint32_t count;
} proto_state_items;

typedef struct proto_state {
    proto_state_items items[PROTO_STATE_KINDS];
} proto_state;

// "circle", "box", "convex", "capsule"
const char *proto_shape_word(unsigned shape);
// "switches", "obstacles", "links", "area_costs"
const char *proto_state_member(proto_state_kind kind);
// How many of a kind a state may have.
uint32_t proto_state_count_max(proto_state_kind kind);

// A whole state, or a change of one.
extern const proto_kind PROTO_INSTANCE;
typedef struct proto_instance_request {
    proto_common common; // only its memory
    bool has_version, has_expires;
    uint32_t version;    // 0: follow the live one
    double expires_in_s; // 0: never
    proto_state state;
} proto_instance_request;

// GET .../instances?after=NAME&limit=N
typedef struct proto_instances_request {
    proto_common common; // only its memory
    const char *after;   // NULL: from the first
    uint32_t limit;
} proto_instances_request;
extern const proto_kind PROTO_INSTANCES;

// POST .../{instance}/valid
typedef struct proto_valid_request {
    proto_common common; // without avoid and instance
    proto_points points; // 1 or more
    uint32_t revision;   // that the path was found in; 0: not given
} proto_valid_request;
extern const proto_kind PROTO_VALID;

// Whether a part fits a version of the mesh: it has the switch, or the area; the shape or the link
// can be. Errors: NAV_INVALID_FIELD (at = "switches.north_gate", "obstacles.cart-1.points"),
// NAV_NO_MEMORY.
nav_status proto_state_check(proto_state_kind kind, const proto_state_item *item,
                             const nav_mesh *mesh, nav_arena *memory, nav_error *err);

// A state over a mesh, in its numbers and coordinates. Zeroed: an empty one.
struct proto_world {
    const nav_avoid *shapes;      // of obstacles, to make the overlay of
    const char *const *shape_ids; // borrowed from the state
    uint32_t shape_count;
    const nav_link *links;
    uint32_t link_count;
    nav_overlay *overlay;    // the caller's to make and release; NULL: none of shapes, links and
                             // switches
    const float *area_costs; // NAV_AREAS_MAX, 0: as the mesh says; NULL: all are
    const uint8_t *switches; // nav_overlay_items.switches; NULL: all at their defaults
};

// All parts that fit; lists come from memory. Errors: NAV_NO_MEMORY.
nav_status proto_world_make(const proto_state *state, const nav_mesh *mesh, nav_arena *memory,
                            proto_world *out, nav_error *err);
// Only the shapes of these: over the mesh of another agent, whose height is that of circles and
// capsules without one, they are others.
nav_status proto_world_place_obstacles(const proto_state *state, const nav_mesh *mesh,
                                       nav_arena *memory, proto_world *out, nav_error *err);
