// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// options_check.c: the files that options name. The options themselves have been checked as they
// were read.

#include "server/options_check.h"

#include "server/auth.h"
#include "server/startup.h"
#include "server/store.h"

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
        nav_status status = startup_check_file(options_mesh(o->meshes.items[i]).file, &why);
        if (status != NAV_OK) {
            (void)nav_fail(&err, status, "--mesh %.120s: %.120s", o->meshes.items[i], why.detail);
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

// To look at something else that options name, add a row.
static const struct {
    void (*check)(const options *o, option_faults *faults);
    bool reload; // a reload uses it, too
} CHECKS[] = {
    {check_database, false},
    {check_meshes, false},
    {check_tokens, true},
};

void options_check(const options *o, bool reload, option_faults *faults)
{
    for (size_t i = 0; i < sizeof CHECKS / sizeof CHECKS[0]; i++) {
        if (!reload || CHECKS[i].reload) {
            CHECKS[i].check(o, faults);
        }
    }
}
