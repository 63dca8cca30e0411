// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// command_verify.c: `navmeshd verify`: everything in the database checked once:
//
//   the file, its references, rows that belong to nothing   store_faults_each
//   versions, to the last byte                              repair_check, as the daemon does it
//   checks of meshes; recordings: unpacked, hashed, read

#include "server/app/command.h"

#include "server/app/sandbox.h"
#include "server/jobs/repair.h"
#include "server/recordings/bundle.h"
#include "server/store/recordings.h"
#include "server/store/store.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct check {
    uint64_t faults, versions;
} check;

static void say(void *user, const char *text)
{
    ((check *)user)->faults++;
    (void)printf("%s\n", text);
}

// Damage is reported; any other error ends the check.
static nav_status judge(check *c, nav_status status, const nav_error *err)
{
    if (status == PROTO_INTERNAL) {
        say(c, err->detail);
        return NAV_OK;
    }
    return status;
}

static nav_status inspect_mesh(store *disk, const char *mesh, check *c, nav_error *err)
{
    store_version *rows = NULL;
    size_t count = 0;
    char *checks = NULL;
    nav_status status = judge(c, store_checks_get(disk, mesh, &checks, err), err);
    free(checks);
    NAV_IF_OK(status, store_version_list(disk, mesh, &rows, &count, err));
    for (size_t i = 0; status == NAV_OK && i < count; i++) {
        status = judge(c, repair_check(disk, &rows[i], true, err), err);
        c->versions += rows[i].state == STORE_READY;
    }
    store_versions_free(rows, count);
    return status;
}

static nav_status inspect_meshes(store *disk, check *c, nav_error *err)
{
    store_mesh *meshes = NULL;
    size_t count = 0;
    nav_status status = store_mesh_list(disk, &meshes, &count, err);
    for (size_t i = 0; status == NAV_OK && i < count; i++) {
        status = inspect_mesh(disk, meshes[i].name, c, err);
    }
    free(meshes);
    return status;
}

static nav_status inspect_recording(store *disk, const char *id, check *c, nav_error *err)
{
    store_recording row;
    bundle_file file;
    nav_error why = {0};
    nav_status status = store_recording_get(disk, id, &row, &why);
    if (status == NAV_OK) {
        status = bundle_read(row.bundle, row.bundle_bytes, &file, &why);
        free(row.bundle);
    }
    if (status == NAV_OK) {
        bundle_free(&file);
        return NAV_OK;
    }
    if (status != PROTO_BAD_BUNDLE && status != PROTO_RECORDING_NOT_FOUND) {
        return nav_fail(err, status, "%s", why.detail);
    }
    char text[384];
    (void)snprintf(text, sizeof text, "recording %.64s is damaged: %s", id, why.detail);
    say(c, text);
    return NAV_OK;
}

static nav_status inspect_recordings(store *disk, check *c, nav_error *err)
{
    store_recordings list;
    nav_status status = store_recordings_list(disk, NULL, UINT32_MAX, &list, err);
    for (size_t i = 0; status == NAV_OK && i < list.count; i++) {
        status = inspect_recording(disk, list.items[i].id, c, err);
    }
    free(list.items);
    return status;
}

// Each part is verified even if another cannot be read. The first error counts.
static nav_status verify(store *disk, check *c, nav_error *err)
{
    nav_error why[3] = {0};
    nav_status statuses[3];
    statuses[0] = store_faults_each(disk, say, c, &why[0]);
    statuses[1] = inspect_meshes(disk, c, &why[1]);
    statuses[2] = inspect_recordings(disk, c, &why[2]);
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++) {
        if (statuses[i] != NAV_OK) {
            *err = why[i];
            return statuses[i];
        }
    }
    return NAV_OK;
}

int command_verify(const options *o)
{
    nav_error err = {0};
    store *disk = NULL;
    check c = {0};
    sandbox_enter_command(o, NULL, 0);
    nav_status status = store_open_to_read(o->db, &disk, &err);
    NAV_IF_OK(status, verify(disk, &c, &err));
    store_close(disk);
    if (c.faults > 0) {
        (void)fprintf(
            stderr, "navmeshd: the database is damaged. A daemon that starts, or is asked for a "
                    "version, bakes that again from its settings and geometry; of the rest, upload "
                    "the level again, or restore a backup\n");
    }
    if (status != NAV_OK) {
        return command_fail(&err);
    }
    if (c.faults == 0) {
        (void)printf("ok: %llu version%s\n", (unsigned long long)c.versions,
                     c.versions == 1 ? "" : "s");
    }
    return c.faults == 0 ? COMMAND_DONE : COMMAND_FAILED;
}
