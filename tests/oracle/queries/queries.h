// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// queries.h: what the parts of oracle_queries share: the world that is asked, the verdicts on each
// query and their count, and proofs from the polygons themselves.

#pragma once

#include "tests/bench/query_world.h"
#include "tests/oracle/detour_queries.h"

// Kinds of questions, as the table names them.
#define QUERY_KIND_TABLE(X)                                                                        \
    X(QUERY_NEAREST, "nearest")                                                                    \
    X(QUERY_FAST, "path, fast")                                                                    \
    X(QUERY_EXACT, "path, exact")                                                                  \
    X(QUERY_REACHABLE, "reachable")                                                                \
    X(QUERY_RAY, "raycast")                                                                        \
    X(QUERY_WALL, "wall")                                                                          \
    X(QUERY_MOVE, "move")

typedef enum query_kind {
#define X(name, word) name,
    QUERY_KIND_TABLE(X)
#undef X
    QUERY_KIND_COUNT
} query_kind;

// The outcome of a query. An answer that is neither the same nor has one of the proven reasons
// is VERDICT_UNEXPLAINED, which fails the program.
#define VERDICT_TABLE(X)                                                                           \
    X(VERDICT_SAME, "same", "the same, to a millimetre")                                           \
    X(VERDICT_BETTER, "better",                                                                    \
      "ours is closer, shorter or farther, and proven to be on the mesh")                          \
    X(VERDICT_TIE, "tie", "two places equally good")                                               \
    X(VERDICT_OUTSIDE, "outside", "their place lies outside the box that was asked for")           \
    X(VERDICT_FLOOR, "floor", "the point has a floor below, theirs lies above a step over it")     \
    X(VERDICT_FLAT, "flat", "a polygon has more height detail than their bytes hold")              \
    X(VERDICT_TOLERANCE, "tolerance",                                                              \
      "on a slope, past a corner or at a wall, within float steps of theirs")                      \
    X(VERDICT_RIM, "rim", "their step leads over the rim of its circle, within float steps")       \
    X(VERDICT_FAST, "fast", "longer, but fast says so, and its lower bound holds for theirs")      \
    X(VERDICT_WALL, "wall", "theirs leads through a wall: its way exists on widened ground only")  \
    X(VERDICT_PLACE, "place", "their way begins or ends elsewhere, for a reason of nearest")       \
    X(VERDICT_UNEXPLAINED, "WHY?", "without a reason: fails the program")

typedef enum verdict {
#define X(name, word, sentence) name,
    VERDICT_TABLE(X)
#undef X
    VERDICT_COUNT
} verdict;

// Places closer together than this are the same one, or than so many of the steps that floats make
// where the mesh lies farthest from the origin.
#define QUERY_SAME 1e-3
#define QUERY_SAME_STEPS 8.0

typedef struct query_run {
    const char *level;
    query_world world;
    nav_scratch *scratch;
    nav_filter filter;
    nav_options options;
    bool weighted; // asked with costs and a closed area, else all at cost 1
    uint64_t random;
    double step; // of a float at the mesh's farthest coordinate
    double same; // the larger one of QUERY_SAME and QUERY_SAME_STEPS
    uint32_t counts[QUERY_KIND_COUNT][VERDICT_COUNT];
    double our_cost, their_cost; // of fast paths that both complete
} query_run;

// Counts a verdict; an unexplained one is printed, with a formatted sentence, while few were.
void query_note(query_run *run, query_kind kind, verdict v, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

// Why the nearest place of theirs is not ours; VERDICT_UNEXPLAINED where nothing proves it.
verdict query_judge_nearest(const query_run *run, const float point[3], const detour_place *ours,
                            const detour_place *theirs);

// One question of each kind, at random places.
void query_compare_nearest(query_run *run);
void query_compare_paths(query_run *run);
void query_compare_ray(query_run *run);
void query_compare_wall(query_run *run);
void query_compare_move(query_run *run);

// ---- places.c: the dice ----

// A place on the ground: inside a polygon mostly, else on an edge or on a corner of it.
void query_random_place(query_run *run, float out[3]);
// The same as a place that both sides begin from: on the polygon that ours snaps it to. False where
// there is none in some tries.
bool query_random_start(query_run *run, detour_place *out);
// From -size to size.
float query_random_offset(query_run *run, float size);
// Ours, under the run's filter; polygon NAV_NONE where there is none.
detour_place query_snap(query_run *run, const float point[3], nav_snap snap);

// ---- proofs.c: from the polygons, in double precision, over the links that Detour made ----

// Whether a place lies over the polygon widened by slack.
bool query_is_over(const query_run *run, uint32_t polygon, const float place[3], double slack);
// How far, from 0 to 1, one can walk from start towards end over open polygons widened by slack.
double query_walk(const query_run *run, const detour_place *start, const float end[3],
                  double slack);
// The slack by which start lies on its polygon, and so many float steps more.
double query_slack(const query_run *run, const detour_place *start, double steps);
// Bounds of the cost of a walk over ground of one cost, by the polygons that hold its middle.
void query_walk_cost(const query_run *run, const detour_place *start, const float end[3],
                     double slack, double *least, double *most);
// Whether the polygons are open, the first one is `from`, and each is linked to the one before.
bool query_is_chain(const query_run *run, const uint32_t *polygons, uint32_t count, uint32_t from);
// How far in plan view the border that two linked polygons share is from a place.
double query_border_distance(const query_run *run, uint32_t from, uint32_t to,
                             const float place[3]);
// Whether a place lies on an edge of open ground with none behind it.
bool query_is_wall(query_run *run, const float place[3]);

static inline double query_distance(const float a[3], const float b[3])
{
    const double x = (double)a[0] - (double)b[0], y = (double)a[1] - (double)b[1],
                 z = (double)a[2] - (double)b[2];
    return __builtin_sqrt(x * x + y * y + z * z);
}

static inline double query_distance_plan(const float a[3], const float b[3])
{
    const double x = (double)a[0] - (double)b[0], z = (double)a[2] - (double)b[2];
    return __builtin_sqrt(x * x + z * z);
}
