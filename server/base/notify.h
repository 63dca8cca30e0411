// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// notify.h: telling the service manager how the daemon is (sd_notify(3), Type=notify): a datagram
// to the socket that $NOTIFY_SOCKET names. Without it all of these do nothing.

#pragma once

#include <stdint.h>

// All of them: main thread only. A manager that does not listen is not an error.

// Opens the socket, once, before the sandbox; until then nothing is sent.
void notify_open(void);
void notify_ready(const char *status);   // READY=1, after a start or a reload
void notify_reloading(void);             // RELOADING=1
void notify_stopping(uint32_t limit_ms); // STOPPING=1, which may take as long
void notify_alive(void);                 // WATCHDOG=1
// How often notify_alive is wanted, half of what $WATCHDOG_USEC allows; -1: never. Fits poll().
int notify_interval_ms(void);
