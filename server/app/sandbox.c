// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// sandbox.c: the files that the daemon keeps, and Landlock, which closes off all others
// (kernel.org/doc/html/latest/userspace-api/landlock.html): a file that is not beneath an allowed
// path can be named, but not opened, made, changed or removed. sandbox_calls.c closes off system
// calls.
//
// Landlock's headers are newer than the systems that build this, so its few numbers are here.

#include "server/app/sandbox.h"

#include "server/base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define UNIX_PREFIX "unix:"

// ---- Landlock ----

// The same numbers on all kinds of processors.
#define CALL_CREATE_RULESET 444
#define CALL_ADD_RULE 445
#define CALL_RESTRICT_SELF 446

#define ASK_VERSION 1u
#define RULE_PATH_BENEATH 1

#define FILE_RUN (1u << 0)
#define FILE_WRITE (1u << 1)
#define FILE_READ (1u << 2)
#define FOLDER_READ (1u << 3)
#define FILE_REMOVE (1u << 5)
#define FILE_MAKE (1u << 8)
#define SOCKET_MAKE (1u << 9)
#define FILE_TRUNCATE (1u << 14) // ABI 3

#define NET_CONNECT_TCP (1u << 1) // ABI 4
#define SCOPE_SIGNAL (1u << 1)    // ABI 6

typedef struct rule_set {
    uint64_t files, net, scoped; // what is forbidden where no rule allows it
} rule_set;

typedef struct path_rule {
    uint64_t allowed;
    int32_t parent;
} __attribute__((packed)) path_rule;

_Static_assert(sizeof(rule_set) == 24 && sizeof(path_rule) == 12, "as the kernel has them");

// All rights over files that the kernel's Landlock knows.
static uint64_t all_rights(int abi)
{
    NAV_ASSERT(abi >= 1);
    const int count = abi >= 5 ? 16 : abi >= 3 ? 15 : abi == 2 ? 14 : 13;
    return ((uint64_t)1 << count) - 1;
}

static void say_why_not(sandbox *s)
{
    (void)snprintf(s->files, sizeof s->files, "%s",
                   errno == ENOSYS       ? "not in this kernel"
                   : errno == EOPNOTSUPP ? "not switched on in this kernel"
                                         : strerror(errno));
}

// Makes Landlock's list, or says in s->files why there is none.
static void make_rules(sandbox *s)
{
    NAV_ASSERT(s->wanted && s->rules < 0);
    s->abi = (int)syscall(CALL_CREATE_RULESET, NULL, 0, ASK_VERSION);
    if (s->abi < 1) {
        s->abi = 0;
        say_why_not(s);
        return;
    }
    const rule_set set = {.files = all_rights(s->abi),
                          .net = s->abi >= 4 ? NET_CONNECT_TCP : 0,
                          .scoped = s->abi >= 6 ? SCOPE_SIGNAL : 0};
    s->rules = (int)syscall(CALL_CREATE_RULESET, &set, sizeof set, 0); // closed on exec
    if (s->rules < 0) {
        say_why_not(s);
    }
}

static uint64_t rights_of(uint32_t rights, bool folder)
{
    uint64_t all = (rights & SANDBOX_READ) != 0 ? FILE_READ : 0;
    if ((rights & SANDBOX_WRITE) != 0) {
        all |= FILE_WRITE | FILE_TRUNCATE | (folder ? FILE_MAKE | FILE_REMOVE : 0u);
    }
    if ((rights & SANDBOX_READ) != 0 && folder) {
        all |= FOLDER_READ;
    }
    if ((rights & SANDBOX_SOCKET) != 0 && folder) {
        all |= SOCKET_MAKE | FILE_REMOVE;
    }
    if ((rights & SANDBOX_RUN) != 0) {
        all |= FILE_RUN;
    }
    return all;
}

// A folder with all in it, or a file. Paths that are not there are passed over.
static void allow(sandbox *s, const char *path, uint32_t rights)
{
    struct stat info;
    const uint32_t known = SANDBOX_READ | SANDBOX_WRITE | SANDBOX_SOCKET | SANDBOX_RUN;
    NAV_ASSERT(rights != 0);
    NAV_ASSERT((rights & ~known) == 0);
    NAV_ASSERT(!s->files_on); // the list is closed once it is in force
    int fd = s->rules >= 0 ? open(path, O_PATH | O_CLOEXEC) : -1;
    if (fd < 0) {
        return;
    }
    const bool folder = fstat(fd, &info) == 0 && S_ISDIR(info.st_mode);
    const path_rule rule = {.allowed = rights_of(rights, folder) & all_rights(s->abi),
                            .parent = fd};
    if (syscall(CALL_ADD_RULE, s->rules, RULE_PATH_BENEATH, &rule, 0) != 0) {
        // Without this path the daemon cannot do its work.
        (void)snprintf(s->files, sizeof s->files, "%.40s: %.30s", path, strerror(errno));
        (void)close(s->rules);
        s->rules = -1;
    }
    (void)close(fd);
}

void sandbox_enter_files(sandbox *s)
{
    if (s->rules < 0) {
        return;
    }
    NAV_ASSERT(s->wanted && s->abi >= 1 && !s->files_on);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
        syscall(CALL_RESTRICT_SELF, s->rules, 0) == 0) {
        s->files_on = true;
        (void)snprintf(s->files, sizeof s->files, "on%s",
                       s->abi >= 4 ? "" : " (files only: this kernel cannot close TCP off)");
    } else {
        say_why_not(s);
    }
    (void)close(s->rules);
    s->rules = -1;
}

// ---- the files that the daemon keeps ----

// Whether so much else lies in the folder that one file in it is no reason to open it.
static bool is_everybodys(const char *folder)
{
    char resolved[PATH_MAX];
    return realpath(folder, resolved) != NULL &&
           (strcmp(resolved, "/") == 0 || strcmp(resolved, "/etc") == 0);
}

// Allows the folder that a file lies in, and the folder of its target if its name is a link, since
// a file that replaces another of its name is a new one. A file of / or /etc that is only read is
// allowed by itself.
static void allow_folder_of(sandbox *s, const char *path, uint32_t rights)
{
    char folder[PATH_MAX + 2], resolved[PATH_MAX], followed[PATH_MAX];
    const char *const names[] = {path, realpath(path, resolved),
                                 process_follow_links(path, followed)};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (names[i] == NULL || strlen(names[i]) >= PATH_MAX) {
            continue;
        }
        (void)snprintf(folder, sizeof folder, "%.*s.", process_folder_bytes(names[i]), names[i]);
        const bool alone = rights == SANDBOX_READ && is_everybodys(folder);
        allow(s, alone ? names[i] : folder, rights);
    }
}

void sandbox_allow_options(sandbox *s, const options *o)
{
    allow_folder_of(s, o->db, SANDBOX_READ | SANDBOX_WRITE);
    if (o->config != NULL) {
        allow_folder_of(s, o->config, SANDBOX_READ);
    }
    if (o->token_file != NULL) {
        allow_folder_of(s, o->token_file, SANDBOX_READ);
    }
    for (size_t i = 0; i < o->mesh_count; i++) {
        const option_mesh *mesh = &o->meshes[i];
        const char *const files[] = {mesh->file, mesh->settings_file, mesh->checks_file};
        for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
            if (files[k] != NULL) {
                allow(s, files[k], SANDBOX_READ);
            }
        }
        for (size_t k = 0; k < mesh->part_count; k++) {
            allow(s, mesh->parts[k].file, SANDBOX_READ);
        }
    }
    for (size_t i = 0; i < o->listeners.count; i++) {
        const char *listener = o->listeners.items[i];
        if (strncmp(listener, UNIX_PREFIX, strlen(UNIX_PREFIX)) == 0) {
            allow_folder_of(s, listener + strlen(UNIX_PREFIX), SANDBOX_SOCKET);
        }
    }
}

#if SANDBOX_SANITIZER
// A sanitizer reads the program and its maps for a report, in which clang's has llvm-symbolizer put
// the lines of the source, and writes it to its log_path.
static void allow_reports(sandbox *s)
{
    static const char *const folders[] = {"/proc", "/usr", "/lib", "/lib64"};
    static const char *const variables[] = {"ASAN_OPTIONS", "TSAN_OPTIONS", "LSAN_OPTIONS",
                                            "UBSAN_OPTIONS"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        allow(s, folders[i], SANDBOX_READ | SANDBOX_RUN);
    }
    allow_folder_of(s, "/proc/self/exe", SANDBOX_READ);
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *value = getenv(variables[i]);
        const char *path = value != NULL ? strstr(value, "log_path=") : NULL;
        char name[PATH_MAX];
        if (path != NULL) {
            path += strlen("log_path=");
            (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(path, ":"), path);
            allow_folder_of(s, name, SANDBOX_READ | SANDBOX_WRITE);
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
        make_rules(s);
        allow_reports(s);
    }
}

void sandbox_enter_command(const options *o, const char *path, uint32_t rights)
{
    sandbox s;
    sandbox_begin(&s, o);
    sandbox_allow_options(&s, o);
    // Allows the folders of SQLite's temporary files, unless they are beside the database
    // (store_open). In the order in which SQLite searches for one that it may write to.
    const char *const folders[] = {getenv("SQLITE_TMPDIR"), getenv("TMPDIR"), "/var/tmp",
                                   "/usr/tmp", "/tmp"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        if (folders[i] != NULL) {
            allow(&s, folders[i], SANDBOX_READ | SANDBOX_WRITE);
        }
    }
    if (path != NULL) {
        allow_folder_of(&s, path, rights);
    }
    sandbox_enter_files(&s);
    sandbox_enter_calls(&s);
}

void sandbox_enter_reader(const options *o, char *const *files, size_t count)
{
    sandbox s;
    struct stat info;
    sandbox_begin(&s, o);
    for (size_t i = 0; i < count; i++) {
        if (stat(files[i], &info) == 0 && S_ISREG(info.st_mode)) { // a folder would open all in it
            allow(&s, files[i], SANDBOX_READ);
        }
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
