// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// explain.h: GET /v1/meshes/{mesh}/explain. The HTTP thread reads the question, holds the mesh, and
// suspends the request; the thread for tasks loads the level, bakes the tiles in question and
// writes the answer; the HTTP thread sends it.
//
//   handle_explain --jobs_ask--> task: level.c, then point.c, path.c or tile.c --resume-->
//     handle_explain: reply

#pragma once

#include "proto/replies/replies.h"
#include "server/http/http.h"
#include "server/jobs/jobs.h"

typedef struct instance_world instance_world; // server/instances/state.h

// A handler of the API, and the end of its request.
route_handler handle_explain;
void handle_explain_close(request *r);

// ---- between the files of this room ----

// A version's level as it was baked, for one agent. Its parts are borrowed.
typedef struct explain_level {
    nav_geometry geometry;
    nav_config config;           // of the agent
    nav_grid grid;               // likewise
    const nav_tile_index *index; // NULL: there are no lists of the tiles' triangles
} explain_level;

// A question from the moment it was read to its answer. The task's thread has it from
// jobs_ask to request_resume, else the request's HTTP thread.
typedef struct explaining {
    request *r;
    service *service;
    char name[LIMIT_MESH_NAME + 1]; // of the mesh
    nav_arena memory;               // lists and texts of the question
    proto_explain_request question; // positions are the mesh's
    instance_world *world;          // counted; NULL: no instance was named
    nav_mesh *root;                 // counted: of the version
    nav_mesh *mesh;                 // of the agent, which root holds
    uint32_t agent_number;
    const char *agent; // the agent's name, of root; NULL: the default one
    proto_answer_head head;
    nav_options options; // of the agent's mesh, in the state that was asked
    nav_filter space;
    uint64_t deadline_ns; // of clock_now_ns
    job_task task;
    nav_bake_hooks hooks;    // the deadline, and the task's cancel
    struct kept_level *kept; // level.c's, which has what the level borrows
    explain_level level;
    nav_arena scratch, result; // of the task; no longer than it
    proto_writer w;            // the answer
    nav_error err;             // or why there is none
} explaining;

// level.c, on the thread for tasks: fills in the level, which lives until the next question, or
// until it is unloaded since it is too large to be kept. Errors: PROTO_NO_GEOMETRY, NAV_CANCELLED,
// those of load_config and load_geometry.
nav_status explain_load(explaining *e);
void explain_unload(explaining *e);

// point.c, path.c, tile.c: each writes the answer. Errors: NAV_INVALID_FIELD (at = "point", "tile":
// beside the level), NAV_CANCELLED, those of nav_tile_explain.
nav_status explain_point(explaining *e);
nav_status explain_path(explaining *e);
nav_status explain_tile(explaining *e);

// point.c: a place that lies in a cell. The grid ends with its last whole cell, which stands for
// the strip of the level that is left over behind it.
nav_plan_place explain_within_cells(const nav_grid *g, nav_plan_place place);
// point.c: the same of a point; beside the level it stays there.
nav_plan_place explain_place_on_grid(const nav_grid *g, const float point[3]);
// Facts about no place yet; those about one, where `name` is the point's in the question; and which
// floor of a column is meant at a height: the nearest, of two the lower one, or NAV_NONE. A floor
// whose top faces down is meant only if each other is farther off by more than `underside`.
// Heights, also that of a cell, are in metres.
proto_place_facts explain_place_begin(const explaining *e);
nav_status explain_place(explaining *e, const char *name, const float point[3],
                         proto_place_facts *facts);
uint32_t explain_floor_meant(const nav_column_facts *column, float height, float cell_height,
                             float underside);
