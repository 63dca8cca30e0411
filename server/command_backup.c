// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// command_backup.c: `navmeshd backup`.

#include "server/command.h"
#include "server/options.h"
#include "server/sandbox.h"
#include "server/store.h"

#include <stdio.h>
#include <sys/stat.h>

static int run(const command_line *line, const options *o)
{
    nav_error err = {0};
    if (line->word_count != 1) {
        return command_usage("backup", "write the name of one copy", "");
    }
    store *disk = NULL;
    sandbox_enter_command(o, line->words[0], SANDBOX_READ | SANDBOX_WRITE);
    nav_status status = store_open_to_look(o->db, &disk, &err);
    if (status == NAV_OK) {
        status = store_backup(disk, line->words[0], &err);
    }
    store_close(disk);
    if (status != NAV_OK) {
        return command_fail(&err);
    }
    struct stat info = {0};
    (void)stat(line->words[0], &info);
    (void)printf("%s: %lld bytes\n", line->words[0], (long long)info.st_size);
    return COMMAND_DONE;
}

int command_backup(const command_line *line)
{
    static option_faults faults;
    options o;
    int code = options_parse(line->argc, line->argv, 1, &o, &faults) == NAV_OK
                   ? run(line, &o)
                   : command_usage("backup", faults.items[0].detail, "");
    options_free(&o);
    return code;
}
