// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// commit.h: a bake's tiles and the store, while the bake runs: tiles that need not be baked
// come from it, finished ones go into it in batches, so that a bake that is broken off goes on from
// there.

#pragma once

#include "server/jobs/jobs.h"
#include "server/store/store.h"

// Takes the tile with tile->key from the store: fills tile, blob (from result) and report. *taken
// false: there is none, or it is damaged, which is logged. own: only one that this version has
// finished itself. Errors: NAV_NO_MEMORY, where result has no room. Thread: any.
nav_status job_commit_take(store *disk, const job *owner, bool own, nav_arena *result,
                           store_tile *tile, nav_blob *blob, nav_bake_report *report, bool *taken);

typedef struct job_commit job_commit;

// For at most `tiles` tiles. NULL without memory. disk NULL: nothing is committed on the way.
job_commit *job_commit_create(store *disk, const job *owner, uint32_t tiles);
void job_commit_destroy(job_commit *c); // NULL is harmless
// Notes a finished tile, which stays where it is and is nobody else's from here on. Now and then
// the caller has to commit what has gathered; then those tiles' blocks are freed. A store that
// refuses is not asked again: what waits is left to the bake's end. Thread: any.
void job_commit_add(job_commit *c, store_tile *finished);
// Commits what waits, at the end of a bake that is broken off. As job_commit_add.
void job_commit_flush(job_commit *c);
// Gives the tiles that are not committed yet, as copies whose blocks belong to the tiles; *out is
// malloc'ed. Call it once all workers have ended. Errors: NAV_NO_MEMORY.
nav_status job_commit_rest(job_commit *c, store_tile **out, size_t *count, nav_error *err);
