// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// command_backup.c: `navmeshd backup`.

#include "server/app/command.h"
#include "server/app/sandbox.h"
#include "server/store/store.h"

#include <stdio.h>
#include <sys/stat.h>

int command_backup(const options *o)
{
    nav_error err = {0};
    if (o->word_count != 1) {
        return command_usage("backup", "write the name of one copy", "");
    }
    store *disk = NULL;
    sandbox_enter_command(o, o->words[0], SANDBOX_READ | SANDBOX_WRITE);
    nav_status status = store_open_to_look(o->db, &disk, &err);
    if (status == NAV_OK) {
        status = store_backup(disk, o->words[0], &err);
    }
    store_close(disk);
    if (status != NAV_OK) {
        return command_fail(&err);
    }
    struct stat info = {0};
    (void)stat(o->words[0], &info);
    (void)printf("%s: %lld bytes\n", o->words[0], (long long)info.st_size);
    return COMMAND_DONE;
}
