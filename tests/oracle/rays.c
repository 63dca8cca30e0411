// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// rays.c: straight walks held against paths and against the ground itself.
//
//   paths --print, parse--> segments --raycast--> none is stopped
//                               |-----move------> each ends where the path to its end does
//                               '-----trace-----> no path is illegal
//   random rays --raycast--> free: samples of the line have ground beside them
//                            hit: the normal is that of the edge on which the ray ends
//
// Points are those of answers over HTTP: written as JSON, with three decimals, and read again.
// Levels are those of corpus.h, with shops, arenas and rubble: narrow aisles, round walls, pillars
// and blocks that stand at all angles. Results are lines "ok" and "not ok" and a sentence.

#include "core/nav.h"
#include "corpus.h"
#include "proto/json/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEGMENTS 3000 // of paths, a mesh
#define PATHS_MAX 6000
#define RAYS 1000
#define RAY_LENGTH 30.0
#define POINTS_MAX 4096
#define ARENA_LIMIT_BYTES ((size_t)2 << 30)

// From sample to sample of a free ray, and how much the ground may rise or fall in between.
#define SAMPLE_STEP 0.1
#define SAMPLE_RISE 1.2f
// How exactly a normal is that of its edge.
#define SAME_NORMAL 1e-4

typedef struct setting {
    const char *name;
    float cell_size, radius;
    uint32_t tile_cells;
    nav_partition partition;
} setting;

static const setting SETTINGS[] = {
    {"r 0.6, one tile", 0.3f, 0.6f, 0, NAV_PARTITION_WATERSHED},
    {"r 0.3, tiles of 64", 0.3f, 0.3f, 64, NAV_PARTITION_MONOTONE},
    {"r 0.3, fine", 0.15f, 0.3f, 0, NAV_PARTITION_WATERSHED},
    {"r 0, tiles of 48", 0.3f, 0.0f, 48, NAV_PARTITION_LAYERS},
};

typedef struct figures {
    uint32_t segments, stopped, moves, strayed, traces, illegal;
    uint32_t rays, free, left, hits, wrong_normals;
} figures;

typedef struct ray_run {
    const nav_mesh *mesh;
    nav_scratch *scratch;
    nav_options options;
    uint32_t polygons;
    uint64_t random;
    figures f;
} ray_run;

static figures total;

static void expect_none(const char *level, const char *baked, const char *what, uint32_t count,
                        uint32_t of)
{
    if (count > 0) {
        printf("not ok %s, %s: %u of %u %s\n", level, baked, count, of, what);
        ++corpus_failures;
    }
}

// ---- points as they are sent ----

static void print_and_parse(const float point[3], float out[3])
{
    proto_writer w;
    proto_writer_init(&w);
    proto_write_point(&w, point);
    size_t size;
    char *text = proto_writer_take(&w, &size);
    NAV_ASSERT(text != NULL);
    char *at = text + 1;
    for (int axis = 0; axis < 3; ++axis, ++at) {
        out[axis] = (float)strtod(at, &at);
    }
    free(text);
}

static double plan_distance(const float a[3], const float b[3])
{
    return hypot((double)a[0] - (double)b[0], (double)a[2] - (double)b[2]);
}

static void random_point(ray_run *run, float out[3])
{
    (void)corpus_random_point(run->mesh, run->polygons, &run->random, out);
    corpus_put_on_ground(run->mesh, NAV_NONE, out);
}

// ---- segments ----

// The end of the shortest path between two points; false where that is no straight line: it leads
// to another floor than the line does, or to another ground in the same place.
static bool path_end(ray_run *run, const float from[3], const float to[3], nav_location *out)
{
    nav_path_request request = {.options = run->options, .search = NAV_SEARCH_EXACT};
    memcpy(request.start, from, sizeof request.start);
    memcpy(request.end, to, sizeof request.end);
    nav_path path;
    static nav_path_step steps[POINTS_MAX];
    if (nav_query_path(run->mesh, run->scratch, &request, &path) != NAV_OK ||
        path.status != NAV_PATH_COMPLETE ||
        path.cost > plan_distance(path.start, path.end) + (double)NAV_PLAN_TOLERANCE) {
        return false;
    }
    const uint32_t count = nav_query_path_steps(&path, steps, POINTS_MAX);
    memcpy(out->position, path.end, sizeof out->position);
    out->polygon = steps[count - 1].polygon;
    return true;
}

static void show(const char *what, const float from[3], const float to[3], const nav_ray *ray)
{
    if (getenv("RAYS_SHOW") != NULL) {
        printf("# %s: %.9g %.9g %.9g -> %.9g %.9g %.9g: t %.9g (%.6f of %.6f) polygon %u\n", what,
               (double)from[0], (double)from[1], (double)from[2], (double)to[0], (double)to[1],
               (double)to[2], (double)ray->t, (double)ray->t * plan_distance(from, to),
               plan_distance(from, to), ray->polygon);
    }
}

// A step over a free segment ends where the path does.
static void judge_move(ray_run *run, const float from[3], const float to[3], const nav_ray *ray)
{
    nav_location end;
    if (!path_end(run, from, to, &end)) {
        return;
    }
    nav_move move;
    const nav_status status =
        nav_query_move(run->mesh, run->scratch, from, to, &run->options, &move);
    NAV_ASSERT(status == NAV_OK);
    ++run->f.moves;
    if (!move.found || move.polygon != end.polygon ||
        memcmp(move.position, end.position, sizeof end.position) != 0) {
        ++run->f.strayed;
        show("strayed", from, to, ray);
    }
}

static void judge_segment(ray_run *run, const float from[3], const float to[3])
{
    nav_ray ray;
    const nav_status status =
        nav_query_raycast(run->mesh, run->scratch, from, to, &run->options, &ray);
    NAV_ASSERT(status == NAV_OK);
    ++run->f.segments;
    if (!ray.found || ray.hit) {
        ++run->f.stopped;
        show("stopped", from, to, &ray);
        return;
    }
    judge_move(run, from, to, &ray);
}

static void judge_trace(ray_run *run, const float (*points)[3], uint32_t count)
{
    const nav_trace_request request = {
        .positions = points, .count = count, .options = run->options};
    nav_trace trace;
    const nav_status status = nav_query_trace(run->mesh, run->scratch, &request, &trace);
    NAV_ASSERT(status == NAV_OK);
    ++run->f.traces;
    run->f.illegal += trace.reason != NAV_TRACE_LEGAL;
}

static void ask_path(ray_run *run, nav_search search)
{
    nav_path_request request = {.options = run->options, .search = search};
    nav_path path;
    static float points[POINTS_MAX][3];
    random_point(run, request.start);
    random_point(run, request.end);
    if (nav_query_path(run->mesh, run->scratch, &request, &path) != NAV_OK ||
        path.point_count > POINTS_MAX) {
        return;
    }
    const uint32_t count = path.point_count;
    for (uint32_t i = 0; i < count; ++i) {
        print_and_parse(path.points + 3 * (size_t)i, points[i]);
    }
    for (uint32_t i = 0; i + 1 < count; ++i) {
        judge_segment(run, points[i], points[i + 1]);
        judge_segment(run, points[i + 1], points[i]);
    }
    if (count > 1) {
        judge_trace(run, (const float(*)[3])points, count);
    }
}

// ---- rays ----

// Every sample of a free ray has ground beside it, at a height to which the sample before leads.
static bool is_over_ground(ray_run *run, const float to[3], const nav_ray *ray)
{
    const double dx = (double)to[0] - (double)ray->start[0];
    const double dz = (double)to[2] - (double)ray->start[2], length = hypot(dx, dz);
    float y = ray->start[1];
    for (double at = 0.0; at < length;
         at += SAMPLE_STEP * (0.5 + (double)corpus_random_fraction(&run->random) / 2.0)) {
        const float sample[3] = {(float)((double)ray->start[0] + dx * at / length), y,
                                 (float)((double)ray->start[2] + dz * at / length)};
        const nav_snap snap = {NAV_PLAN_TOLERANCE * 1.1f, SAMPLE_RISE, SAMPLE_RISE};
        nav_location ground;
        if (nav_query_nearest(run->mesh, sample, snap, NAV_NONE, &ground, 1) == 0) {
            return false;
        }
        y = ground.position[1];
    }
    return true;
}

// How exactly a hit lies on its edge; far from the origin floats are coarser.
static double edge_tolerance(const float place[3])
{
    return 1.1 *
           ((double)NAV_PLAN_TOLERANCE + 2e-7 * (fabs((double)place[0]) + fabs((double)place[2])));
}

// The ray ends on an edge of its polygon, whose normal is the one that is told.
static bool has_edge(const ray_run *run, const float to[3], const nav_ray *ray)
{
    const nav_polygon p = nav_mesh_polygon(run->mesh, ray->polygon);
    const double near = edge_tolerance(ray->position);
    const double against = ((double)to[0] - (double)ray->start[0]) * (double)ray->normal[0] +
                           ((double)to[2] - (double)ray->start[2]) * (double)ray->normal[2];
    for (uint32_t i = 0; i < p.vertex_count && against < 0.0; ++i) {
        const float *b = nav_mesh_vertex(run->mesh, p.vertices[i]);
        const float *c = nav_mesh_vertex(run->mesh, p.vertices[(i + 1) % p.vertex_count]);
        const double ex = (double)c[0] - (double)b[0], ez = (double)c[2] - (double)b[2];
        const double px = (double)ray->position[0] - (double)b[0];
        const double pz = (double)ray->position[2] - (double)b[2];
        const double length = hypot(ex, ez);
        const double along = (px * ex + pz * ez) / length, off = (px * ez - pz * ex) / length;
        if (fabs(off) <= near && along >= -near && along <= length + near &&
            fabs(ez / length - (double)ray->normal[0]) <= SAME_NORMAL &&
            fabs(-ex / length - (double)ray->normal[2]) <= SAME_NORMAL) {
            return true;
        }
    }
    return false;
}

static void ask_ray(ray_run *run)
{
    float from[3], to[3];
    nav_ray ray;
    random_point(run, from);
    random_point(run, to);
    // Short ones are mostly free.
    const double length = plan_distance(from, to);
    const double most = run->f.rays % 2 == 0 ? RAY_LENGTH : RAY_LENGTH / 10.0;
    for (int axis = 0; axis < 3 && length > most; ++axis) {
        to[axis] = from[axis] + (to[axis] - from[axis]) * (float)(most / length);
    }
    corpus_put_on_ground(run->mesh, NAV_NONE, to);
    const nav_status status =
        nav_query_raycast(run->mesh, run->scratch, from, to, &run->options, &ray);
    NAV_ASSERT(status == NAV_OK && ray.found);
    ++run->f.rays;
    if (ray.hit) {
        ++run->f.hits;
        run->f.wrong_normals += !has_edge(run, to, &ray);
    } else {
        ++run->f.free;
        judge_move(run, from, to, &ray);
        memcpy(to, ray.position, sizeof to);
        run->f.left += !is_over_ground(run, to, &ray);
    }
}

// ---- one mesh ----

static nav_mesh *bake(const nav_geometry *geometry, const setting *s, nav_error *err)
{
    nav_config config = nav_config_default();
    config.cell_size = s->cell_size;
    config.agent_radius = s->radius;
    config.tile_cells = s->tile_cells;
    config.partition = s->partition;
    return corpus_bake(geometry, &config, err);
}

static void add(const figures *f)
{
    const uint32_t *from = (const uint32_t *)f;
    uint32_t *to = (uint32_t *)&total;
    for (size_t i = 0; i < sizeof *f / sizeof *from; ++i) {
        to[i] += from[i];
    }
}

static void print_row(const char *level, const char *baked, const figures *f)
{
    printf("%-20s %-18s %7u %7u %7u %7u %6u %7u %6u %6u %6u %6u %7u\n", level, baked, f->segments,
           f->stopped, f->moves, f->strayed, f->traces, f->illegal, f->rays, f->free, f->left,
           f->hits, f->wrong_normals);
}

static void judge_mesh(const char *level, const setting *s, const nav_mesh *mesh)
{
    nav_mesh_stats stats;
    nav_mesh_stats_get(mesh, &stats);
    ray_run run = {
        .mesh = mesh, .options = nav_options_default(), .polygons = stats.polygons, .random = 42};
    const nav_status status = nav_scratch_create(NULL, &run.scratch);
    NAV_ASSERT(status == NAV_OK);
    for (int i = 0; i < PATHS_MAX && run.f.segments < SEGMENTS; ++i) {
        ask_path(&run, i % 2 == 0 ? NAV_SEARCH_FAST : NAV_SEARCH_EXACT);
    }
    for (int i = 0; i < RAYS; ++i) {
        ask_ray(&run);
    }
    print_row(level, s->name, &run.f);
    expect_none(level, s->name, "segments of paths are stopped", run.f.stopped, run.f.segments);
    expect_none(level, s->name, "steps end elsewhere than paths", run.f.strayed, run.f.moves);
    expect_none(level, s->name, "paths are no legal traces", run.f.illegal, run.f.traces);
    expect_none(level, s->name, "free rays leave the ground", run.f.left, run.f.free);
    expect_none(level, s->name, "normals are not those of the edge", run.f.wrong_normals,
                run.f.hits);
    add(&run.f);
    nav_scratch_destroy(run.scratch);
}

static void judge_level(const char *level, const nav_geometry *geometry)
{
    for (size_t i = 0; i < sizeof SETTINGS / sizeof *SETTINGS; ++i) {
        nav_error err = {0};
        nav_mesh *mesh = bake(geometry, &SETTINGS[i], &err);
        if (mesh == NULL) {
            printf("not ok %s, %s: no mesh: %s\n", level, SETTINGS[i].name, err.detail);
            ++corpus_failures;
        } else {
            judge_mesh(level, &SETTINGS[i], mesh);
        }
        nav_mesh_release(mesh);
    }
}

int main(void)
{
    printf("%-20s %-18s %7s %7s %7s %7s %6s %7s %6s %6s %6s %6s %7s\n", "level", "baked with",
           "segment", "stopped", "moves", "strayed", "traces", "illegal", "rays", "free", "left",
           "hits", "normals");
    corpus_made(judge_level);
    corpus_each(judge_level);
    print_row("all", "", &total);
    if (corpus_failures == 0) {
        printf("ok %u segments of paths: none is stopped\n", total.segments);
        printf("ok %u steps over free ground: all end where paths do\n", total.moves);
        printf("ok %u paths: all are legal traces\n", total.traces);
        printf("ok %u free rays: none leaves the ground\n", total.free);
        printf("ok %u rays that hit: each has the normal of its edge\n", total.hits);
    }
    return corpus_failures == 0 ? 0 : 1;
}
