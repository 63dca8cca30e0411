// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// pipeline.c: the pipeline as numbered steps. Start here to read the bake.
//
//   triangles -1-> solid spans -2-> filtered -3-> open field -4-> eroded -5-> distances
//     -6-> regions -7-> contours -8-> convex polygons -9-> height detail -10-> tile blob
//
// Areas come in where they must: materials with 1, liquids after 2, cuts before 4, volumes and the
// median filter after it, then switches.
//
// The triangles of several agents are voxelized once; each goes on from there by itself:
//
//   triangles -1-> solid spans of all agents --its own padding and areas--> 2 .. 10 --> blob
//                                            '------------ ... ------------------'
//
// The order of the stages is that of Mononen's Recast (2009), after Haumont, Debunne and Sillion,
// "Volumetric cell-and-portal generation" (2003), whose watershed it borrows.

#include "core/bake/contours/contours.h"
#include "core/bake/detail/detail.h"
#include "core/bake/explain/explain.h"
#include "core/bake/ground_classes.h"
#include "core/bake/polygons/polygons.h"
#include "core/bake/stages.h"

// Reports to the hooks that a stage begins and books the time since the last one to that.
typedef struct stopwatch {
    const nav_bake_job *job;
    nav_stage stage;
    uint64_t start_ns;
} stopwatch;

static uint64_t now_ns(const nav_bake_job *job)
{
    return job->hooks != NULL && job->hooks->now_ns != NULL ? job->hooks->now_ns(job->hooks->user)
                                                            : 0;
}

static void stopwatch_end(stopwatch *watch)
{
    watch->job->report->stage_ns[watch->stage] += now_ns(watch->job) - watch->start_ns;
}

static void stopwatch_begin(stopwatch *watch, nav_stage stage)
{
    const nav_bake_job *job = watch->job;
    watch->stage = stage;
    if (job->hooks != NULL && job->hooks->stage != NULL) {
        job->hooks->stage(job->hooks->user, stage);
    }
    watch->start_ns = now_ns(job);
}

static nav_status bake_regions(const nav_bake_job *job, nav_arena *result, nav_field *field)
{
    switch (job->config->partition) {
    case NAV_PARTITION_MONOTONE:
        return nav_bake_regions_monotone(job, result, field);
    case NAV_PARTITION_LAYERS:
        return nav_bake_regions_layers(job, result, field);
    case NAV_PARTITION_WATERSHED:
        break;
    }
    return nav_bake_regions_watershed(job, result, field);
}

// Runs a stage if all went well, reports it to the hooks and books its time. STEP leaves what the
// stage made in scratch; TIDY_STEP gives scratch back, for what lasts is elsewhere.
#define STEP(stage, call)                                                                          \
    if (status == NAV_OK) {                                                                        \
        stopwatch_begin(&watch, stage);                                                            \
        status = call;                                                                             \
        stopwatch_end(&watch);                                                                     \
    }
#define TIDY_STEP(stage, call)                                                                     \
    {                                                                                              \
        nav_arena_mark mark = nav_arena_save(job->scratch);                                        \
        STEP(stage, call)                                                                          \
        nav_arena_restore(job->scratch, mark);                                                     \
    }

// Inspects what the stages have left so far, where somebody asks what they do (explain/).
#define INSPECT(call)                                                                              \
    if (status == NAV_OK && job->seen != NULL) {                                                   \
        nav_arena_mark mark = nav_arena_save(job->scratch);                                        \
        status = call;                                                                             \
        nav_arena_restore(job->scratch, mark);                                                     \
    }

// The memory that lives shorter than the bake: each arena until the last stage that reads it is
// done. Solid spans have one of their own: they are gone before the largest arrays of the field
// are made.
typedef struct memory {
    nav_arena solid, field, contours, ground;
    nav_arena *shared; // goes with the solid spans, as nobody has a share in it any more; or NULL
} memory;

// All stages, in order. On success *out is the tile.
static nav_status run_stages(nav_bake_job *job, memory *m, nav_arena *result, nav_blob *out)
{
    stopwatch watch = {.job = job};
    nav_heightfield solid = {0};
    nav_field field = {0};
    nav_ground_classes classes = {0};
    nav_contour_set contours = {0};
    nav_polygons polygons = {0};
    nav_detail detail = {0};
    nav_status status = NAV_OK;

    // 1. The voxels that triangles touch, and those of them that can be walked on.
    TIDY_STEP(NAV_STAGE_VOXELIZE, nav_bake_voxelize(job, &m->solid, &solid))
    // 2. Ground on which nobody can stand is taken out. Liquids come in behind that, to keep their
    // shallow edge.
    INSPECT(nav_inspect_solid(job, &solid))
    TIDY_STEP(NAV_STAGE_FILTER, nav_bake_filter(job, &solid))
    TIDY_STEP(NAV_STAGE_FILTER, nav_bake_liquid(job, &m->solid, &solid))
    INSPECT(nav_inspect_filtered(job, &solid))
    // 3. The open space above; then, without the solid, which open spans an agent can step between.
    TIDY_STEP(NAV_STAGE_COMPACT, nav_bake_compact(job, &solid, &m->field, &field))
    nav_arena_free(&m->solid);
    if (m->shared != NULL) {
        nav_arena_free(m->shared);
    }
    TIDY_STEP(NAV_STAGE_COMPACT, nav_bake_link(job, &m->field, &field))
    // 4. The agent becomes a point: cuts first, so that it keeps its radius from them as well.
    TIDY_STEP(NAV_STAGE_ERODE, nav_bake_cut(job, &field))
    INSPECT(nav_inspect_cut(job, &field))
    TIDY_STEP(NAV_STAGE_ERODE, nav_bake_erode(job, &field))
    INSPECT(nav_inspect_eroded(job, &field))
    TIDY_STEP(NAV_STAGE_AREAS, nav_bake_areas(job, &field))
    TIDY_STEP(NAV_STAGE_AREAS, nav_bake_switches(job, &m->ground, &field, &classes))
    INSPECT(nav_inspect_areas(job, &field, &classes))
    // 5. The distance to the border, which only the watershed reads.
    if (job->config->partition == NAV_PARTITION_WATERSHED) {
        TIDY_STEP(NAV_STAGE_DISTANCE, nav_bake_distance(job, &field))
    }
    // 6. Regions that have one floor each.
    TIDY_STEP(NAV_STAGE_REGIONS, bake_regions(job, &m->field, &field))
    INSPECT(nav_inspect_regions(job, &field))
    // 7. The regions' borders, as few points as the error allows.
    nav_bake_job contour_job = *job;
    contour_job.scratch = &m->contours;
    STEP(NAV_STAGE_CONTOURS, nav_bake_contours(&contour_job, &field, &contours))
    INSPECT(nav_inspect_contours(job, &contours))
    // 8. Cut into convex polygons that know their neighbours.
    STEP(NAV_STAGE_POLYGONS, nav_bake_polygons(job, &contours, &polygons))
    polygons.classes = &classes;
    nav_arena_free(&m->contours);
    // 9. The heights inside them.
    STEP(NAV_STAGE_DETAIL, nav_bake_detail(job, &field, &polygons, &detail))
    INSPECT(nav_inspect_polygons(job, &polygons, &detail))
    nav_arena_free(&m->field);
    // 10. All of it in one block.
    STEP(NAV_STAGE_TILE, nav_bake_tile_write(job, &polygons, &detail, result, out))
    return status;
}

// A failure for the tile's sake names the tile and where in the world it lies. An arena at its
// limit is the tile's doing, an allocator without memory is not.
static nav_status explain(const nav_bake_job *job, nav_status status)
{
    if (status == NAV_NO_MEMORY && !job->scratch->at_limit) {
        return nav_fail(job->err, NAV_NO_MEMORY, "the bake of tile %u, %u finds no memory",
                        job->tile_x, job->tile_z);
    }
    if (status == NAV_NO_MEMORY) {
        const uint32_t border = job->border_cells;
        float low[3], high[3];
        nav_bake_world(job, (float)border, 0, (float)border, low);
        nav_bake_world(job, (float)(job->width_cells - border), 0,
                       (float)(job->depth_cells - border), high);
        status = nav_fail(job->err, NAV_TILE_TOO_COMPLEX,
                          "tile %u, %u, from x %.6g, z %.6g to x %.6g, z %.6g, needs more memory "
                          "than a bake may use; try smaller tiles or a larger cell_size",
                          job->tile_x, job->tile_z, (double)low[0], (double)low[2], (double)high[0],
                          (double)high[2]);
        nav_error_limit(job->err, "%zu bytes", job->scratch->limit_bytes);
    }
    if (status == NAV_TILE_TOO_COMPLEX) {
        nav_error_at(job->err, "tile %u,%u", job->tile_x, job->tile_z);
    }
    return status;
}

// ---- the agents of a tile ----

// One agent, from its solid spans to its blob.
static nav_status bake_agent(nav_bake_job *job, nav_arena *shared, nav_arena *result, nav_blob *out)
{
    nav_arena_mark mark = nav_arena_save(job->scratch);
    memory m = {.shared = shared};
    nav_arena_init_child(&m.solid, job->scratch);
    nav_arena_init_child(&m.field, job->scratch);
    nav_arena_init_child(&m.contours, job->scratch);
    nav_arena_init_child(&m.ground, job->scratch);
    nav_status status = run_stages(job, &m, result, out);
    nav_arena_free(&m.ground);
    nav_arena_free(&m.contours);
    nav_arena_free(&m.field);
    nav_arena_free(&m.solid);
    nav_arena_restore(job->scratch, mark);
    job->report->peak_bytes = job->scratch->peak_bytes;
    return status;
}

// Voxelizes for jobs that may share, as the first one's work.
static nav_status share_voxels(nav_bake_job *jobs, uint32_t count, nav_arena *shared)
{
    nav_bake_job *job = &jobs[0];
    stopwatch watch = {.job = job};
    nav_status status = NAV_OK;
    TIDY_STEP(NAV_STAGE_VOXELIZE, nav_bake_share_voxels(jobs, count, shared))
    return status;
}

static void say_agent(const nav_bake_job *job, uint32_t number)
{
    if (job->hooks != NULL && job->hooks->agent != NULL) {
        job->hooks->agent(job->hooks->user, number);
    }
}

// The jobs from `begin` on that can share; *end is one past the last of them.
static nav_status bake_sharing(nav_bake_job *jobs, uint32_t begin, uint32_t count,
                               nav_arena *result, nav_blob *out, uint32_t *end)
{
    nav_arena shared;
    nav_status status = NAV_OK;
    *end = begin + nav_bake_share_max(jobs + begin, count - begin);
    nav_arena_init_child(&shared, jobs[begin].scratch);
    say_agent(&jobs[begin], begin);
    if (*end - begin > 1) {
        status = share_voxels(jobs + begin, *end - begin, &shared);
    }
    for (uint32_t i = begin; status == NAV_OK && i < *end; ++i) {
        if (i > begin) {
            say_agent(&jobs[i], i);
        }
        status = bake_agent(&jobs[i], i + 1 == *end ? &shared : NULL, result, &out[i]);
    }
    nav_arena_free(&shared);
    return status;
}

static nav_status bake_jobs(nav_bake_job *jobs, uint32_t count, nav_arena *result, nav_blob *out)
{
    nav_arena *scratch = jobs[0].scratch;
    const nav_arena_mark mark = nav_arena_save(scratch);
    scratch->at_limit = false;
    for (uint32_t i = 0; i < count; ++i) {
        nav_bake_job_init(&jobs[i]);
        if (jobs[i].tile_x == 0 && jobs[i].tile_z == 0) {
            nav_bake_warn_clamped(&jobs[i]); // once a level
        }
    }
    nav_status status = nav_bake_materials(&jobs[0]);
    for (uint32_t i = 1; i < count; ++i) {
        jobs[i].material_areas = jobs[0].material_areas;
        jobs[i].has_liquid = jobs[0].has_liquid;
    }
    for (uint32_t i = 0; status == NAV_OK && i < count;) {
        status = bake_sharing(jobs, i, count, result, out, &i);
    }
    nav_arena_restore(scratch, mark);
    return explain(&jobs[0], status);
}

nav_status nav_bake_one(nav_bake_job *job, nav_arena *result, nav_blob *out)
{
    return bake_jobs(job, 1, result, out);
}

nav_status nav_bake_tile(const nav_geometry *geometry, const nav_config *config,
                         const nav_grid *grid, const nav_tile_index *index, uint32_t tile_x,
                         uint32_t tile_z, const nav_bake_hooks *hooks, nav_arena *scratch,
                         nav_arena *result, nav_blob *out, nav_bake_report *report, nav_error *err)
{
    nav_bake_report unread = {0};
    nav_cancel cancel = nav_cancel_by(hooks);
    NAV_ASSERT(tile_x < grid->tiles_x);
    NAV_ASSERT(tile_z < grid->tiles_z);
    nav_bake_job job = {.geometry = geometry,
                        .config = config,
                        .grid = grid,
                        .index = index,
                        .hooks = hooks,
                        .cancel = &cancel,
                        .scratch = scratch,
                        .report = report != NULL ? report : &unread,
                        .err = err,
                        .tile_x = tile_x,
                        .tile_z = tile_z};
    return bake_jobs(&job, 1, result, out);
}

nav_status nav_bake_tile_agents(const nav_geometry *geometry, nav_bake_agent *agents,
                                uint32_t count, const nav_tile_index *index, uint32_t tile_x,
                                uint32_t tile_z, const nav_bake_hooks *hooks, nav_arena *scratch,
                                nav_arena *result, nav_error *err)
{
    nav_bake_report unread = {0};
    nav_cancel cancel = nav_cancel_by(hooks);
    nav_bake_job jobs[NAV_ALL_AGENTS];
    nav_blob blobs[NAV_ALL_AGENTS];
    const nav_arena_mark mark = nav_arena_save(result);
    NAV_ASSERT(count > 0 && count <= NAV_ALL_AGENTS);
    for (uint32_t i = 0; i < count; ++i) {
        NAV_ASSERT(tile_x < agents[i].grid.tiles_x && tile_z < agents[i].grid.tiles_z);
        NAV_ASSERT(agents[i].grid.tile_cells == agents[0].grid.tile_cells);
        jobs[i] = (nav_bake_job){.geometry = geometry,
                                 .config = &agents[i].config,
                                 .grid = &agents[i].grid,
                                 .index = index,
                                 .hooks = hooks,
                                 .cancel = &cancel,
                                 .scratch = scratch,
                                 .report = agents[i].report != NULL ? agents[i].report : &unread,
                                 .err = err,
                                 .tile_x = tile_x,
                                 .tile_z = tile_z};
    }
    nav_status status = bake_jobs(jobs, count, result, blobs);
    if (status != NAV_OK) {
        nav_arena_restore(result, mark);
    }
    for (uint32_t i = 0; status == NAV_OK && i < count; ++i) {
        agents[i].blob = blobs[i];
    }
    return status;
}
