// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// sandbox.c: which files the daemon keeps, and the line that says how it went. How files are
// closed off stands in sandbox_files.c, how calls are in sandbox_calls.c.

#include "server/app/sandbox.h"

#include "server/base/process.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNIX_PREFIX "unix:"

// "file" is in "."; false: the path is too long to be one.
static bool folder_of(const char *path, char out[PATH_MAX])
{
    if (strlen(path) >= PATH_MAX) {
        return false;
    }
    (void)strcpy(out, path);
    char *slash = strrchr(out, '/');
    if (slash == NULL) {
        (void)strcpy(out, ".");
    } else {
        slash[slash == out ? 1 : 0] = '\0';
    }
    return true;
}

// Folders in which so much else lies that one file in them is no reason to open them.
static bool is_everybodys(const char *folder)
{
    char resolved[PATH_MAX];
    return realpath(folder, resolved) != NULL &&
           (strcmp(resolved, "/") == 0 || strcmp(resolved, "/etc") == 0);
}

void sandbox_allow_folder_of(sandbox *s, const char *path, uint32_t rights)
{
    char folder[PATH_MAX], resolved[PATH_MAX], followed[PATH_MAX];
    const char *const names[] = {path, realpath(path, resolved),
                                 process_follow_links(path, followed)};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (names[i] == NULL || !folder_of(names[i], folder)) {
            continue;
        }
        const bool alone = rights == SANDBOX_READ && is_everybodys(folder);
        sandbox_allow(s, alone ? names[i] : folder, rights);
    }
}

void sandbox_allow_options(sandbox *s, const options *o)
{
    sandbox_allow_folder_of(s, o->db, SANDBOX_READ | SANDBOX_WRITE);
    if (o->config != NULL) {
        sandbox_allow_folder_of(s, o->config, SANDBOX_READ);
    }
    if (o->token_file != NULL) {
        sandbox_allow_folder_of(s, o->token_file, SANDBOX_READ);
    }
    for (size_t i = 0; i < o->meshes.count; i++) {
        sandbox_allow(s, options_mesh(o->meshes.items[i]).file, SANDBOX_READ);
    }
    for (size_t i = 0; i < o->listeners.count; i++) {
        const char *listener = o->listeners.items[i];
        if (strncmp(listener, UNIX_PREFIX, strlen(UNIX_PREFIX)) == 0) {
            sandbox_allow_folder_of(s, listener + strlen(UNIX_PREFIX), SANDBOX_SOCKET);
        }
    }
}

// Where SQLite may put temporary files, unless they are beside the database (store_open).
static void allow_temporary(sandbox *s)
{
    // In the order in which SQLite looks for one that it may write to.
    const char *const folders[] = {getenv("SQLITE_TMPDIR"), getenv("TMPDIR"), "/var/tmp",
                                   "/usr/tmp", "/tmp"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        if (folders[i] != NULL) {
            sandbox_allow(s, folders[i], SANDBOX_READ | SANDBOX_WRITE);
        }
    }
}

#if SANDBOX_SANITIZER
// A sanitizer reads the program and its maps for a report, and writes that to its log_path.
static void allow_reports(sandbox *s)
{
    static const char *const folders[] = {"/proc", "/usr", "/lib", "/lib64"};
    static const char *const variables[] = {"ASAN_OPTIONS", "TSAN_OPTIONS", "LSAN_OPTIONS",
                                            "UBSAN_OPTIONS"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        sandbox_allow(s, folders[i], SANDBOX_READ);
    }
    sandbox_allow_folder_of(s, "/proc/self/exe", SANDBOX_READ);
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *value = getenv(variables[i]);
        const char *path = value != NULL ? strstr(value, "log_path=") : NULL;
        char name[PATH_MAX];
        if (path != NULL) {
            path += strlen("log_path=");
            (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(path, ":"), path);
            sandbox_allow_folder_of(s, name, SANDBOX_READ | SANDBOX_WRITE);
        }
    }
}
#else
static void allow_reports(sandbox *s)
{
    (void)s;
}
#endif

void sandbox_begin(sandbox *s, const options *o)
{
    *s = (sandbox){.wanted = o->sandbox == OPTION_SANDBOX_ON, .rules = -1};
    const char *why = "off: --sandbox=off";
#ifdef NAV_COVERAGE
    s->wanted = false; // what was covered is written beside the objects when the program ends
    why = "off: a coverage build";
#endif
    (void)snprintf(s->files, sizeof s->files, "%s", why);
    (void)snprintf(s->calls, sizeof s->calls, "%s", why);
    if (s->wanted) {
        sandbox_make_rules(s);
        allow_reports(s);
    }
}

void sandbox_enter_command(const options *o, const char *path, uint32_t rights)
{
    sandbox s;
    sandbox_begin(&s, o);
    sandbox_allow_options(&s, o);
    allow_temporary(&s);
    if (path != NULL) {
        sandbox_allow_folder_of(&s, path, rights);
    }
    sandbox_enter_files(&s);
    sandbox_enter_calls(&s);
}

void sandbox_log(const sandbox *s)
{
    if ((s->files_on && s->calls_on) || !s->wanted) {
        log_info("sandbox", "seccomp=\"%s\" landlock=\"%s\"", s->calls, s->files);
    } else {
        log_warn("sandbox", "seccomp=\"%s\" landlock=\"%s\"", s->calls, s->files);
    }
}
