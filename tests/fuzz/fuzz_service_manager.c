// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// fuzz_service_manager.c: what systemd, or who speaks like it, says in the environment, a line
// each: LISTEN_FDS, WATCHDOG_USEC, NOTIFY_SOCKET, LISTEN_PID, WATCHDOG_PID. "me" is this process.

#include "server/base/limits.h"
#include "server/http/listen.h"
#include "server/base/process.h"
#include "tests/fuzz/lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes)
{
    static const char *const names[] = {"LISTEN_FDS", "WATCHDOG_USEC", "NOTIFY_SOCKET",
                                        "LISTEN_PID", "WATCHDOG_PID"};
    fuzz_lines l = fuzz_lines_of(bytes, size_bytes, 5);
    const char *listeners[LIMIT_LISTENERS];
    char me[32];
    (void)snprintf(me, sizeof me, "%ld", (long)getpid());
    for (size_t i = 0; i < 5; i++) {
        const char *value = fuzz_line(&l, i);
        if (value == NULL || strcmp(value, "me") == 0) {
            value != NULL ? setenv(names[i], me, 1) : unsetenv(names[i]);
        } else {
            (void)setenv(names[i], value, 1);
        }
    }
    for (size_t most = 0; most <= LIMIT_LISTENERS; most += LIMIT_LISTENERS / 2) {
        const size_t count = listen_passed(listeners, most);
        NAV_ASSERT(count <= most);
        for (size_t i = 0; i < count; i++) {
            NAV_ASSERT(listen_is_passed(listeners[i]));
        }
    }
    const int interval_ms = notify_interval_ms();
    NAV_ASSERT(interval_ms == -1 || (interval_ms > 0 && interval_ms <= 3600000));
    notify_alive();
    free(l.text);
    return 0;
}
