// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// options_check.c: the files that options name. The options themselves have been checked as they
// were read.

#include "server/app/options_check.h"

#include "server/http/auth.h"
#include "server/app/startup.h"
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

static void check_meshes(const options *o, option_faults *faults)
{
    for (size_t i = 0; i < o->meshes.count; i++) {
        nav_error why = {0}, err;
        const option_mesh mesh = options_mesh(o->meshes.items[i]);
        nav_status status = startup_check_file(mesh.file, &why);
        if (status != NAV_OK) {
            (void)startup_blame_file(&mesh, &why, &err);
            options_fault(faults, &err);
        }
    }
}

static void check_tokens(const options *o, option_faults *faults)
{
    auth *tokens = NULL;
    nav_error err = {0};
    if (o->token_file != NULL && auth_open(o->token_file, &tokens, &err) != NAV_OK) {
        options_fault(faults, &err);
    }
    auth_close(tokens);
}

// A token file of another name is for the next start; in the sandbox it may be out of reach.
static bool uses_tokens(const options *o, const options *running)
{
    return o->token_file != NULL && running->token_file != NULL &&
           strcmp(o->token_file, running->token_file) == 0;
}

// To look at something else that options name, add a row.
static const struct {
    void (*check)(const options *o, option_faults *faults);
    bool (*reload)(const options *o, const options *running); // a reload uses it; NULL: none does
} CHECKS[] = {
    {check_database, NULL},
    {check_meshes, NULL},
    {check_tokens, uses_tokens},
};

void options_check(const options *o, const options *running, option_faults *faults)
{
    for (size_t i = 0; i < sizeof CHECKS / sizeof CHECKS[0]; i++) {
        if (running == NULL || (CHECKS[i].reload != NULL && CHECKS[i].reload(o, running))) {
            CHECKS[i].check(o, faults);
        }
    }
}
