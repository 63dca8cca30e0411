// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// reload.c: options checked against the files that they name, and put into force: at the start, for
// --check, and on SIGHUP. A reload reads the command line and the file of --config once more, as a
// whole; only then anything is changed.

#include "server/app/reload.h"

#include "server/app/mesh_file.h"
#include "server/http/auth.h"
#include "server/jobs/jobs.h"
#include "server/store/store.h"

#include <string.h>

static void check_database(const options *o, option_faults *faults)
{
    nav_error why = {0}, err;
    nav_status status = store_check(o->db, &why);
    if (status != NAV_OK) {
        (void)nav_fail(&err, status, "--db %.100s: %.140s", o->db, why.detail);
        options_fault(faults, &err);
    }
}

void options_check(const options *o, const options *running, option_faults *faults)
{
    if (running == NULL) {
        check_database(o, faults);
        for (size_t i = 0; i < o->mesh_count; i++) {
            nav_error err = {0};
            if (mesh_file_check(&o->meshes[i], &o->limits, &err) != NAV_OK) {
                options_fault(faults, &err);
            }
        }
    }
    // A token file of another name is for the next start; in the sandbox it may be out of reach.
    if (running == NULL || (o->token_file != NULL && running->token_file != NULL &&
                            strcmp(o->token_file, running->token_file) == 0)) {
        auth *tokens = NULL;
        nav_error err = {0};
        if (o->token_file != NULL && auth_open(o->token_file, &tokens, &err) != NAV_OK) {
            options_fault(faults, &err);
        }
        auth_close(tokens);
    }
}

// To make an option take effect on a reload: `live` in its row of options.c, and its value here.
void reload_apply(service *s, const options *o)
{
    log_configure(o->log_level, o->log_format);
    atomic_store(&s->live.log_requests, o->log_requests);
    atomic_store(&s->live.slow_query_ns, (uint64_t)o->slow_query_ms * 1000000u);
    atomic_store(&s->live.keep_versions, o->keep_versions);
    // A bake is given up early enough for the requests that wait for it to be answered.
    uint32_t grace_ms = o->drain_ms / 5 * 4;
    atomic_store(&s->live.drain_ms, o->drain_ms);
    NAV_ASSERT(grace_ms <= o->drain_ms);
    jobs_set_grace(s->jobs, grace_ms < LIMIT_BAKE_GRACE_MS ? grace_ms : LIMIT_BAKE_GRACE_MS);
    // The file was sound a moment ago, when it was checked; if it is not any more, its old tokens
    // stay.
    nav_error err = {0};
    if (s->auth != NULL && auth_reload(s->auth, &err) != NAV_OK) {
        log_error("token_file", "code=%s detail=\"%s\"", proto_status_word(err.status), err.detail);
    }
}

static void log_live(void *user, const option_row *row)
{
    (void)user;
    if (row->live) {
        log_info("option_changed", "option=%s", row->name);
    }
}

static void log_fixed(void *user, const option_row *row)
{
    (void)user;
    if (!row->live) {
        log_warn("restart_needed", "option=%s detail=\"%s\"", row->name,
                 "the new value is in force after a restart");
    }
}

bool reload_run(reload *r, service *s)
{
    static option_faults faults;
    options next;
    NAV_ASSERT(r->now != r->started);
    nav_status status = options_parse(OPTION_FOR_SERVE, r->argc, r->argv, r->cores, &next, &faults);
    if (status == NAV_OK) {
        options_check(&next, r->started, &faults);
    }
    if (faults.count > 0) {
        for (size_t i = 0; i < faults.count && i < OPTION_FAULTS_MAX; i++) {
            log_error("reload_refused", "code=%s at=%s detail=\"%s\"",
                      proto_status_word(faults.items[i].status), faults.items[i].at,
                      faults.items[i].detail);
        }
        options_free(&next);
        return false;
    }
    reload_apply(s, &next);
    options_compare(r->now, &next, log_live, NULL);
    options_compare(r->started, &next, log_fixed, NULL);
    options_free(r->now);
    *r->now = next;
    log_info("reloaded", "config=%s", r->now->config != NULL ? r->now->config : "");
    return true;
}
