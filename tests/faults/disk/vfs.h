// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// vfs.h: a file system under SQLite that fails when it is told to, and one that knows which writes
// a loss of power could still undo. Both lie over SQLite's own, with real files.
//
// Thread: one.

#pragma once

#include <stdbool.h>
#include <stdint.h>

// Makes it SQLite's default. Before SQLite is used for the first time.
void vfs_register(void);

// ---- failing calls ----

typedef enum vfs_fault {
    VFS_EIO,   // any call
    VFS_FULL,  // ENOSPC: what needs room
    VFS_SHORT, // likewise, but a write does half of its work first
    VFS_FAULTS,
} vfs_fault;

// Lets `after` calls that can meet this fault pass; the next one fails, and so do all behind it
// unless `once`.
void vfs_fail(uint64_t after, vfs_fault fault, bool once);
// Whether it has come; none comes any more.
bool vfs_fail_end(void);
const char *vfs_fault_word(vfs_fault fault);
// The call that failed first: "write".
const char *vfs_failed_call(void);

// ---- power ----

// Called where the power may go: before a sync, and after it.
typedef void vfs_cut(void *user);

// From now on files within the folder are followed. Their present bytes count as on disk.
void vfs_power_begin(const char *folder, vfs_cut *cut, void *user);
void vfs_power_end(void);
// Writes into another folder what may be on disk if the power goes now: all that was synced, and of
// the rest, by seed: nothing, all, the beginning, or any part of it in any order, in pieces of
// sectors. Returns a checksum of its files.
uint64_t vfs_power_image(const char *folder, uint64_t seed);
