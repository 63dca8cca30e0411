// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// version_view.c: queued in the store is "baking" while a worker has it.

#include "server/jobs/version_view.h"

#include "proto/replies/replies.h"

#include <stdlib.h>

nav_status version_view_get(service *s, const char *mesh, uint32_t version, version_view *out,
                            nav_error *err)
{
    version_view view = {0};
    view.has_job = jobs_progress(s->jobs, mesh, version, &view.job);
    nav_status status = store_version_get(s->store, mesh, version, &view.row, err);
    if (status == NAV_OK) {
        view.is_damaged = damage_list_get(s->damage_list, mesh, version, &view.damage);
        *out = view;
    }
    return status;
}

void version_view_free(version_view *view)
{
    store_version_free(&view->row);
}

// The `error` member; NULL where there is none, or no memory. Damage is one whatever the state.
static char *error_text(const version_view *view)
{
    const store_version *row = &view->row;
    nav_error error = row->error;
    if (view->is_damaged) {
        (void)nav_fail(&error, PROTO_INTERNAL, "%s", view->damage.detail);
    } else if (row->damaged) {
        (void)damage_fail(&error, row->mesh, row->version, "its row");
    }
    if (error.status == NAV_OK) {
        return NULL;
    }
    proto_writer w;
    proto_writer_init(&w);
    proto_write_error(&w, &error, NULL);
    return proto_writer_take(&w, NULL);
}

void version_view_write(proto_writer *w, const version_view *view, bool deduplicated)
{
    const store_version *row = &view->row;
    bool ready = row->state == STORE_READY;
    bool baking = row->state == STORE_QUEUED && view->has_job && view->job.running;
    char *error_json = error_text(view);
    const proto_version shown = {.mesh = row->mesh,
                                 .version = row->version,
                                 .state = baking ? "baking" : store_state_word(row->state),
                                 .active = row->active,
                                 .created_at = row->created_at[0] != '\0' ? row->created_at : NULL,
                                 .progress = ready ? 1.0 : (baking ? view->job.progress : 0.0),
                                 .stage = baking ? view->job.stage : NULL,
                                 .tiles_done = ready    ? row->tiles_total
                                               : baking ? view->job.tiles_done
                                                        : 0,
                                 .tiles_total = row->tiles_total,
                                 .tiles_reused =
                                     baking ? view->job.tiles_reused : row->tiles_reused,
                                 .deduplicated = deduplicated,
                                 .geometry_json = row->geometry_json,
                                 .config_json = row->config_json,
                                 .blob_json = row->blob_json,
                                 .stats_json = row->stats_json,
                                 .timings_json = row->timings_json,
                                 .warnings_json = row->warnings_json,
                                 .checks_json = row->checks_json,
                                 .agents_json = row->agents_json,
                                 .error_json = error_json};
    proto_write_version(w, &shown);
    free(error_json);
}

nav_status version_view_write_all(service *s, const char *mesh, proto_writer *w, nav_error *err)
{
    store_version *rows = NULL;
    size_t count = 0;
    nav_status status = store_version_list(s->store, mesh, &rows, &count, err);
    if (status != NAV_OK) {
        return status;
    }
    proto_write_array_begin(w);
    for (size_t i = 0; i < count; i++) {
        version_view view = {.row = rows[i]};
        if (rows[i].state == STORE_QUEUED) {
            view.has_job = jobs_progress(s->jobs, mesh, rows[i].version, &view.job);
        }
        view.is_damaged = damage_list_get(s->damage_list, mesh, rows[i].version, &view.damage);
        version_view_write(w, &view, false);
    }
    proto_write_array_end(w);
    store_versions_free(rows, count);
    return NAV_OK;
}
