// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// sandbox_files.c: Landlock (kernel.org/doc/html/latest/userspace-api/landlock.html): whatever is
// not beneath a path that was allowed can be named, but not opened, made, changed or removed.
//
// Its headers are newer than the systems that build this, so that what is used of them is here.

#include "server/app/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// The same numbers on all kinds of processors.
#define CALL_CREATE_RULESET 444
#define CALL_ADD_RULE 445
#define CALL_RESTRICT_SELF 446

#define ASK_VERSION 1u
#define RULE_PATH_BENEATH 1

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

// All rights over files that the kernel's Landlock knows.
static uint64_t all_rights(int abi)
{
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

void sandbox_make_rules(sandbox *s)
{
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
    return all;
}

void sandbox_allow(sandbox *s, const char *path, uint32_t rights)
{
    struct stat info;
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
