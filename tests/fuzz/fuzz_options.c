// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// fuzz_options.c: after a byte that says which and of which command, a configuration file, or words
// of a command line, a line each. Each word is a listener and a limit, too.

#include "server/http/listen.h"
#include "server/app/options.h"
#include "tests/fuzz/file.h"
#include "tests/fuzz/lines.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes);

#define WORDS_MAX 12u

static void parse(option_command command, int argc, char **argv)
{
    static options o;
    static option_faults faults;
    memset(&faults, 0, sizeof faults);
    const nav_status status = options_parse(command, argc, argv, 2, &o, &faults);
    NAV_ASSERT((status == NAV_OK) == (faults.count == 0));
    for (size_t i = 0; i < faults.count && i < OPTION_FAULTS_MAX; i++) {
        NAV_ASSERT(faults.items[i].status != NAV_OK && faults.items[i].detail[0] != '\0');
    }
    if (status == NAV_OK && command == OPTION_FOR_SERVE && o.action == OPTION_SERVE) {
        NAV_ASSERT(o.workers >= 1 && o.workers <= LIMIT_WORKERS);
        NAV_ASSERT(o.listeners.count <= LIMIT_LISTENERS && o.db != NULL);
        for (size_t i = 0; i < o.mesh_count; i++) {
            NAV_ASSERT(o.meshes[i].name[0] != '\0');
            NAV_ASSERT((o.meshes[i].file != NULL) == (o.meshes[i].part_count == 0));
        }
    }
    options_free(&o);
}

static void read_file(option_command command, const uint8_t *bytes, size_t size_bytes)
{
    const fuzz_file file = fuzz_file_open(bytes, size_bytes);
    char program[] = "navmeshd", flag[] = "--config", path[sizeof file.path];
    memcpy(path, file.path, sizeof path);
    char *argv[] = {program, flag, path, NULL};
    parse(command, 3, argv);
    fuzz_file_close(&file);
}

static void read_words(option_command command, const uint8_t *bytes, size_t size_bytes)
{
    fuzz_lines l = fuzz_lines_of(bytes, size_bytes, WORDS_MAX);
    char program[] = "navmeshd";
    char *argv[WORDS_MAX + 2] = {program};
    for (size_t i = 0; i < l.count; i++) {
        nav_error err;
        bool reachable;
        service_limits limits = limits_default();
        (void)listen_check(l.lines[i], &reachable, &err);
        (void)listen_is_passed(l.lines[i]);
        (void)limits_set(&limits, l.lines[i], &err);
        argv[i + 1] = l.text + (l.lines[i] - l.text);
    }
    parse(command, (int)l.count + 1, argv);
    free(l.text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes)
{
    static const option_command commands[] = {OPTION_FOR_SERVE, OPTION_FOR_VERIFY,
                                              OPTION_FOR_BACKUP, OPTION_FOR_BAKE};
    if (size_bytes == 0) {
        return 0;
    }
    const option_command command = commands[bytes[0] / 2 % 4];
    if (bytes[0] % 2 == 0) {
        read_file(command, bytes + 1, size_bytes - 1);
    } else {
        read_words(command, bytes + 1, size_bytes - 1);
    }
    return 0;
}
