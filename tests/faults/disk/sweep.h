// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// sweep.h: what the parts of the disk sweep share: its options, its folders, and how a case is
// judged.
//
// Thread: one.

#pragma once

#include "server/store/db.h"
#include "tests/faults/disk/vfs.h"

#define SWEEP_PATH_BYTES 512

// A call of `every` fails, `images` of each cut are opened.
extern struct sweep_options {
    uint64_t every, images, seed;
} sweep;

// ---- the tally ----

void sweep_end_case(bool good, const char *what, const char *detail);
// How many cases have ended.
uint64_t sweep_ended(void);
// Prints the sum. Returns whether none failed.
bool sweep_sum(void);
// Ends the sweep and the program unless good: without it no case can be judged.
void sweep_must(bool good, const char *what, const nav_error *err);

// ---- folders ----

// Makes one for all files of the sweep, and removes it.
bool sweep_begin(void);
void sweep_end(void);
void sweep_path(char out[SWEEP_PATH_BYTES], const char *folder, const char *name);
void sweep_empty_folder(const char *folder); // makes it where there is none
unsigned sweep_count_files(const char *folder);
void sweep_copy_file(const char *from, const char *to);
// The store t.db of a folder, opened with sweep_schema; NULL: err says why.
extern const store_schema *sweep_schema;
store *sweep_open(const char *folder, nav_error *err);

// ---- what is there ----

// A failing call, or a cut, and why it was judged wrong.
typedef struct sweep_case {
    const char *name;
    uint64_t after;
    vfs_fault fault;
    bool once;
    char why[400];
} sweep_case;

// Returns false; `why` then has the sentence.
bool sweep_blame(sweep_case *c, const char *what, const nav_error *err);
// Whether a refusal for this reason is right on a disk that fails.
bool sweep_is_fault(nav_status status);
// Whether the store holds one text or the other (scenario.h); NULL: not that one.
bool sweep_holds(sweep_case *c, store *disk, const char *one, const char *other);
// The same of a folder's store, which also takes a write.
bool sweep_opens(sweep_case *c, const char *folder, const char *one, const char *other);

// ---- failing calls and cuts ----

// Runs a case in which a call fails. *came: it has so many calls.
typedef bool sweep_part(sweep_case *c, size_t i, bool *came);
void sweep_fail_each_call(const char *name, size_t i, sweep_part *part);

// The work during which the power may go.
typedef struct sweep_power {
    const char *name;
    const char *before, *then; // what may be there; then NULL: only the former
    uint64_t cuts;
} sweep_power;

// Power may go from now on at each sync within a folder, until vfs_power_end.
void sweep_power_begin(const char *folder, sweep_power *p);
// It goes now.
void sweep_cut(sweep_power *p, const char *where);

// ---- migrations (migrations.c) ----

// By an example of a step: calls fail, and power goes. The next start finds all that was there, and
// the copy of the old file is whole.
void sweep_migrations(void);
