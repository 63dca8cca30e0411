// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// upload_store.c: an upload that has been read and named becomes a version that is stored and
// queued, or stands aside for the equal one that is there.
//
//   contents --> an equal version? --> plan --> a place in the queue --> store --> queue
//                 '--> whole: it answers

#include "server/api/upload.h"

#include "proto/detour/detour.h"
#include "proto/replies/replies.h"
#include "server/jobs/jobs.h"
#include "server/meshes/load.h"
#include "server/base/log.h"
#include "server/jobs/repair.h"
#include "server/meshes/registry.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double cells_of(const nav_grid *grid)
{
    return (double)grid->width_cells * grid->depth_cells;
}

// The cells of the same level at another cell size.
static double cells_at(const nav_grid *grid, double cell_size)
{
    const double width = ceil(((double)grid->max[0] - (double)grid->min[0]) / cell_size);
    const double depth = ceil(((double)grid->max[2] - (double)grid->min[2]) / cell_size);
    return fmax(width, 1) * fmax(depth, 1);
}

// Fails with the daemon's own bound, below the library's. cells: of the grid that was asked for.
// suggested: 0 if no size of cells fits.
static nav_status refuse_cells(double cells, double limit, double suggested, nav_error *err)
{
    char advice[64] = "";
    if (suggested > 0) {
        (void)snprintf(advice, sizeof advice, ": try a cell_size of %.6g", suggested);
    }
    nav_fail_at(err, NAV_GRID_TOO_LARGE, "cell_size",
                "the grid would have %.4g cells; at most %.0f are allowed (limit grid_cells)%s",
                cells, limit, advice);
    nav_error_got(err, "%.0f", cells);
    nav_error_limit(err, "%.0f", limit);
    err->suggest_cell_size = suggested;
    return NAV_GRID_TOO_LARGE;
}

// A level's odd sizes are reported before the advice to take larger cells.
static nav_status judge(const upload *u, upload_contents *c, bool too_large, nav_error *err)
{
    proto_writer w;
    c->level = (proto_level){
        .geometry = &c->geometry, .config = &c->request.config, .read_warnings = u->warnings};
    nav_geometry_judge(&c->geometry, &c->request.config, &c->level.found);
    nav_status status = proto_level_check(&c->level, too_large, c->request.accepted, err);
    if (status != NAV_OK || too_large) {
        return status;
    }
    proto_writer_init(&w);
    proto_write_warnings(&w, &c->level, NULL);
    c->warnings_json = proto_writer_take(&w, NULL);
    return c->warnings_json != NULL ? NAV_OK
                                    : nav_fail(err, NAV_NO_MEMORY, "no memory for the warnings");
}

// The grid of a level that has one, within the daemon's own bound on its cells. A cell size that
// the library suggests has to fit that, too.
static nav_status check_cells(const upload *u, upload_contents *c, nav_status status,
                              nav_error *err)
{
    const uint64_t memory_bytes = u->service->budget.bake_bytes;
    const double limit = (double)u->service->limits.grid_cells;
    nav_config config = c->request.config;
    nav_grid fits = c->grid;
    if (status == NAV_GRID_TOO_LARGE && err->suggest_cell_size > 0) {
        config.cell_size = (float)err->suggest_cell_size;
        if (nav_bake_plan(&c->geometry, &config, memory_bytes, &fits, NULL) != NAV_OK) {
            return status;
        }
    } else if (status != NAV_OK) {
        return status;
    }
    if (cells_of(&fits) <= limit) {
        return status;
    }
    const double asked = cells_at(&fits, (double)c->request.config.cell_size);
    // The root never goes too far, and not far enough where the grid is a few cells deep.
    while (cells_of(&fits) > limit) {
        config.cell_size *= (float)(sqrt(cells_of(&fits) / limit) * 1.01);
        if (nav_bake_plan(&c->geometry, &config, memory_bytes, &fits, NULL) != NAV_OK) {
            return refuse_cells(asked, limit, 0, err);
        }
    }
    return refuse_cells(asked, limit, (double)config.cell_size * 1.00001, err);
}

// Plans the bake, which refuses a grid that is too large. The geometry has been packed as it came;
// now it is turned as the bake will turn it.
static nav_status plan(upload *u, upload_contents *c, nav_error *err)
{
    if (c->tiles != NULL) { // they are there
        c->grid.tiles_x = proto_detour_count(c->tiles).tiles;
        c->grid.tiles_z = 1;
        return NAV_OK;
    }
    NAV_ASSERT(c->layout != NULL); // packed as it came, before it is turned here
    nav_error unasked = {0}, odd = {0};
    err = err != NULL ? err : &unasked;
    nav_status status = proto_body_to_mesh(u->body, c->request.config.coordinates, err);
    NAV_IF_OK(status, nav_bake_plan_until(&c->geometry, &c->request.config,
                                          u->service->budget.bake_bytes, &u->hooks, &c->grid, err));
    status = check_cells(u, c, status, err);
    if (status != NAV_OK && status != NAV_GRID_TOO_LARGE) {
        return status;
    }
    const nav_status judged = judge(u, c, status == NAV_GRID_TOO_LARGE, &odd);
    if (judged != NAV_OK) {
        *err = odd;
        return judged;
    }
    return status;
}

// ---- into the store ----

// A bake whose end could not be written down (the disk was full or the database locked) leaves a
// version that is queued and that no worker knows; so does one that is to be baked again.
static bool is_forgotten(const upload *u, uint32_t version)
{
    job_progress known;
    store_version row;
    nav_error ignored;
    if (jobs_progress(u->service->jobs, u->mesh, version, &known) ||
        store_version_get(u->service->store, u->mesh, version, &row, &ignored) != NAV_OK) {
        return false;
    }
    bool queued = row.state == STORE_QUEUED;
    store_version_free(&row);
    return queued;
}

// restart: a version that failed, at an earlier start perhaps, is baked again as the same version,
// so that starts that fail do not fill the store.
static nav_status insert(const upload *u, const upload_contents *c, bool restart, uint32_t damaged,
                         upload_outcome *out, nav_error *err)
{
    void *zstd = NULL;
    size_t zstd_bytes = 0;
    NAV_ASSERT(c->layout != NULL && c->config_json != NULL && c->geometry_json != NULL);
    NAV_ASSERT(c->grid.tiles_x > 0 && c->grid.tiles_z > 0); // plan
    job *prepared = jobs_prepare();
    if (prepared == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "out of memory");
    }
    nav_status status =
        pack_compress_until(c->layout, c->layout_bytes, &u->hooks, &zstd, &zstd_bytes, err);
    if (status != NAV_OK) {
        jobs_discard(prepared);
        return status;
    }
    const store_upload row = {.mesh = u->mesh,
                              .content_key = c->content_key,
                              .geometry_hash = c->geometry_hash,
                              .geometry = zstd,
                              .geometry_bytes = zstd_bytes,
                              .geometry_unpacked_bytes = c->layout_bytes,
                              .geometry_json = c->geometry_json,
                              .config_json = c->config_json,
                              .warnings_json = c->warnings_json,
                              .tiles_total = c->grid.tiles_x * c->grid.tiles_z *
                                             (c->request.config.agent_count + 1),
                              .activate = c->request.activate,
                              .gate = c->request.force    ? STORE_GATE_FORCE
                                      : c->request.strict ? STORE_GATE_STRICT
                                                          : STORE_GATE_CHECKS,
                              .reuse = restart || c->request.reuse,
                              .damaged = damaged,
                              .again = restart};
    status = store_version_insert(u->service->store, &row, &out->version, &out->existing, err);
    free(zstd);
    NAV_ASSERT(status != NAV_OK || out->version != 0);
    if (status == NAV_OK && (!out->existing || is_forgotten(u, out->version))) {
        jobs_queue(u->service->jobs, prepared, u->mesh, out->version);
        prepared = NULL;
    }
    jobs_discard(prepared);
    return status;
}

// A place in the queue first, so that nothing is stored that could not be baked soon. The files of
// the command line need none: a start waits for them, however many they are.
static nav_status insert_with_place(const upload *u, const upload_contents *c, bool restart,
                                    uint32_t damaged, upload_outcome *out, nav_error *err)
{
    if (restart) {
        return insert(u, c, restart, damaged, out, err);
    }
    if (atomic_load(&u->service->state) == SERVICE_STOPPING) {
        return nav_fail(err, PROTO_NOT_READY, "the daemon is stopping");
    }
    if (!jobs_reserve(u->service->jobs)) {
        const uint32_t limit = jobs_count(u->service->jobs).limit;
        nav_fail(err, PROTO_BAKE_QUEUE_FULL, "%u versions are waiting for their bake", limit);
        nav_error_limit(err, "%u", limit);
        return PROTO_BAKE_QUEUE_FULL;
    }
    nav_status status = insert(u, c, restart, damaged, out, err);
    jobs_unreserve(u->service->jobs);
    return status;
}

static bool is_removed(nav_status status)
{
    return status == PROTO_MESH_NOT_FOUND || status == PROTO_VERSION_NOT_FOUND;
}

static nav_status has_warnings(const store_version *row, bool *found, nav_error *err)
{
    proto_lines lines = {.prefix = ""};
    nav_status status = proto_lines_write(&lines, NULL, row->warnings_json, row->agents_json, err);
    *found = lines.warnings > 0;
    proto_writer_free(&lines.text);
    return status;
}

// An equal version that is ready but not live is made live where the upload asks for that. One that
// its gate keeps back stays as it is, like one that has just been baked: its object says so. So
// does one that somebody has just removed: the answer says so. Checks that are required are run
// anew, also on the live version: they may have been changed.
static nav_status settle_existing(const upload *u, const upload_contents *c, bool restart,
                                  uint32_t version, nav_error *err)
{
    const proto_upload_request *asked = &c->request;
    store_version row;
    store_mesh mesh;
    uint64_t activation;
    bool warned = false;
    NAV_ASSERT(version != 0);
    nav_status status = store_version_get(u->service->store, u->mesh, version, &row, err);
    if (status != NAV_OK) {
        return is_removed(status) ? NAV_OK : status;
    }
    const bool ready = row.state == STORE_READY;
    bool wanted = ready && !row.active && asked->activate;
    if (wanted && asked->strict) {
        status = has_warnings(&row, &warned, err);
    }
    store_version_free(&row);
    const activate_request now = {.mesh = u->mesh,
                                  .version = version,
                                  .expected = STORE_ANY_ACTIVATION,
                                  .force = asked->force};
    if (status == NAV_OK && ready && asked->require_checks) {
        status = activate_check(u->service, &now, err);
    }
    if (status == NAV_OK && wanted && restart && !c->replaces) {
        status = store_mesh_get(u->service->store, u->mesh, &mesh, err);
        wanted = status == NAV_OK && mesh.active == 0;
    }
    if (status == NAV_OK && wanted && !warned) {
        status = activate_version(u->service, &now, &mesh, &activation, err);
    }
    return status == PROTO_CHECKS_FAILED || is_removed(status) ? NAV_OK : status;
}

static bool is_loaded(const upload *u, uint32_t version)
{
    uint32_t live = 0;
    nav_mesh *mesh = registry_acquire(u->service->registry, u->mesh, &live);
    nav_mesh_release(mesh);
    return mesh != NULL && live == version;
}

// Whether an equal version that is ready is damaged, or known to be: the upload then becomes a
// version of its own, which can be used at once. Repair goes its own way (jobs/repair.h). A start
// has just read the live version.
static nav_status is_damaged(const upload *u, const store_version *equal, bool restart,
                             bool *damaged, nav_error *err)
{
    nav_error why = {0};
    damage_list_entry known;
    *damaged = false;
    if (restart && is_loaded(u, equal->version)) {
        return NAV_OK;
    }
    *damaged = damage_list_get(u->service->damage_list, u->mesh, equal->version, &known);
    nav_status status = *damaged ? NAV_OK : repair_check(u->service->store, equal, true, &why);
    if (status == PROTO_INTERNAL) {
        *damaged = true;
        repair_version(u->service, u->mesh, equal->version, &why);
        return NAV_OK;
    }
    return status == NAV_OK ? NAV_OK : nav_fail(err, status, "%s", why.detail);
}

// A mesh that was switched off stays off.
static nav_status check_live(const upload *u, upload_contents *c, uint32_t damaged, nav_error *err)
{
    store_mesh mesh;
    nav_status status = store_mesh_get(u->service->store, u->mesh, &mesh, err);
    if (status == NAV_OK) {
        c->request.activate &= mesh.active == 0 || mesh.active == damaged;
    }
    return status;
}

// The newest equal version, if it is ready and whole; 0: there is none.
static nav_status find_ready(const upload *u, upload_contents *c, bool restart, uint32_t *ready,
                             uint32_t *damaged, nav_error *err)
{
    store_version row = {0};
    uint32_t equal = 0;
    *ready = *damaged = 0;
    nav_status status = store_version_find(u->service->store, u->mesh, c->content_key, &equal, err);
    if (status == NAV_OK && equal != 0) {
        status = store_version_get(u->service->store, u->mesh, equal, &row, err);
    }
    if (status == NAV_OK && equal != 0 && row.state == STORE_READY) {
        bool is = false;
        status = is_damaged(u, &row, restart, &is, err);
        *ready = is ? 0 : equal;
        *damaged = is ? equal : 0;
    }
    if (status == NAV_OK && *damaged != 0 && restart) {
        status = check_live(u, c, *damaged, err);
    }
    store_version_free(&row);
    if (status == NAV_OK && *ready != 0) {
        status = store_place_check(u->service->store, err); // as if it were written now
    }
    if (is_removed(status)) {
        *ready = *damaged = 0; // somebody has just removed it
        return NAV_OK;
    }
    return status;
}

// ---- a file of the command line, which comes with every start ----

// The live version with its settings; 0: there is none.
static nav_status read_live(const upload *u, nav_arena *memory, nav_config *config,
                            store_version *row, nav_error *err)
{
    store_mesh mesh;
    *row = (store_version){0};
    nav_status status = store_mesh_get(u->service->store, u->mesh, &mesh, err);
    if (status == NAV_OK && mesh.active != 0) {
        status = store_version_get(u->service->store, u->mesh, mesh.active, row, err);
    }
    if (status == NAV_OK && row->version != 0) {
        status = load_config_of(row, memory, config, err);
    }
    // A live version whose settings are damaged cannot be served: only the file is left.
    if (is_removed(status) || status == PROTO_INTERNAL) {
        store_version_free(row);
        *row = (store_version){0};
        status = NAV_OK;
    }
    return status;
}

static void log_other_settings(const upload *u, const upload_contents *c, const store_version *live,
                               const char *settings)
{
    const bool same = memcmp(live->geometry_hash, c->geometry_hash, sizeof c->geometry_hash) == 0;
    if (u->replace) {
        log_info("mesh_file_replaces", "mesh=%s version=%u settings=\"%s\" geometry=%s", u->mesh,
                 live->version, settings, same ? "same" : "differs");
        return;
    }
    log_warn(
        "mesh_file_left", "mesh=%s version=%u settings=\"%s\" geometry=%s detail=\"%s\"", u->mesh,
        live->version, settings, same ? "same" : "differs",
        "the live version was baked with other settings than the start names and stays live; to "
        "replace it, say so (--mesh NAME=FILE,SETTINGS,replace, or replace: true in the "
        "configuration), or upload the file");
}

// A live version with other settings stays live, unless the start says otherwise: it must not undo
// a later upload. *kept is that version; 0: the file is to be baked.
static nav_status find_kept(const upload *u, upload_contents *c, uint32_t *kept, nav_error *err)
{
    nav_arena memory;
    nav_config config;
    store_version live;
    proto_writer names;
    *kept = 0;
    nav_arena_init(&memory, NULL, LIMIT_CONFIG_MEMORY_BYTES);
    proto_writer_init(&names);
    nav_status status = read_live(u, &memory, &config, &live, err);
    if (status == NAV_OK && live.version != 0) {
        status = proto_config_compare(&config, &c->request.config, &names, err);
    }
    size_t size_bytes = 0;
    char *settings = status == NAV_OK ? proto_writer_take(&names, &size_bytes) : NULL;
    if (status == NAV_OK && settings == NULL) {
        status = nav_fail(err, NAV_NO_MEMORY, "no memory for an upload");
    }
    if (size_bytes > 0) {
        *kept = u->replace ? 0 : live.version;
        c->replaces = u->replace;
        log_other_settings(u, c, &live, settings);
    }
    free(settings);
    proto_writer_free(&names);
    store_version_free(&live);
    nav_arena_free(&memory);
    return status;
}

nav_status upload_store(upload *u, upload_contents *c, bool restart, upload_outcome *out,
                        nav_error *err)
{
    uint32_t ready = 0, damaged = 0, kept = 0;
    nav_status status = NAV_OK;
    // The second check inside the insert's transaction settles a race between equal uploads; this
    // first one spares the work of packing, and needs no place in the queue.
    if (restart || c->request.reuse) {
        status = find_ready(u, c, restart, &ready, &damaged, err);
    }
    if (status == NAV_OK && restart && (damaged == 0 || u->replace)) {
        status = find_kept(u, c, &kept, err);
        c->request.activate |= c->replaces;
        out->kept = kept != 0;
        ready = kept != 0 ? kept : ready;
    }
    if (status == NAV_OK && ready != 0) {
        out->version = ready;
        out->existing = true;
    } else if (status == NAV_OK) {
        status = plan(u, c, err);
        NAV_IF_OK(status, insert_with_place(u, c, restart, damaged, out, err));
    }
    if (status == NAV_OK && out->existing) {
        status = settle_existing(u, c, restart, out->version, err);
    }
    return status;
}
