// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// command_backup.c: `navmeshd backup`.

#include "server/command.h"
#include "server/options.h"
#include "server/store.h"

#include <stdio.h>
#include <sys/stat.h>

int command_backup(const command_line *line)
{
    options checked;
    nav_error err = {0};
    if (options_parse(line->argc, line->argv, 1, &checked, &err) != NAV_OK) {
        return command_usage("backup", err.detail, "");
    }
    if (line->word_count != 1) {
        return command_usage("backup", "write the name of one copy", "");
    }
    store *disk = NULL;
    nav_status status = store_open_to_look(line->db, &disk, &err);
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
