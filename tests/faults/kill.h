// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// kill.h: the meshes as kill.c knows them, and their comparison with those of a daemon.

#pragma once

#include "tests/faults/client.h"

#include <cjson/cJSON.h>
#include <pthread.h>
#include <stdatomic.h>

#define LEVELS 4
#define MESHES 3 // two of clients; the last is that of `navmeshd bake`
#define BAKED (MESHES - 1)
#define VERSIONS_MAX 64 // of one mesh; where there are more than MANY, deletes come first
#define MANY 14
#define PATH_BYTES 128

typedef enum change_kind {
    CHANGE_NONE,
    CHANGE_UPLOAD, // level
    CHANGE_DELETE, // version
    CHANGE_SWITCH, // version
    CHANGE_CHECKS, // tag
} change_kind;

typedef struct change {
    change_kind kind;
    uint32_t level, version, tag;
    bool must; // it has been acknowledged, but not by which number
} change;

typedef struct known {
    uint32_t version, level;
    bool ready;
} known;

typedef struct model {
    char name[8];
    known versions[VERSIONS_MAX];
    size_t count;
    uint32_t highest, active, tag; // of versions; live, 0: none; of the checks, 0: none
    change pending;
    client client;
    uint64_t seed;
    pthread_t thread;
} model;

typedef struct kill_run {
    const char *daemon;
    char folder[64], db[PATH_BYTES], socket[PATH_BYTES], log[PATH_BYTES], copy[PATH_BYTES],
        listen[PATH_BYTES + 8];
    uint32_t patience;
    struct {
        char geometry_sha[65], blob_sha[65], file[PATH_BYTES];
        char *bytes; // of its geometry as it is downloaded
        size_t size_bytes;
    } levels[LEVELS];
    char *answer; // to QUESTION
    model meshes[MESHES];
    client client; // main's
    _Atomic uint32_t acknowledged, answers, faults;
    uint32_t backups, bakes, refused, adopted, leftovers, start_ms_max;
} kill_run;

extern kill_run RUN;

// Counts a fault, and tells the first ones.
void kill_fault(const char *mesh, const char *what, uint32_t number);

// outer: the object that holds the name, or NULL. "" and 0: it is not there.
const char *kill_text_at(const cJSON *json, const char *outer, const char *name);
uint32_t kill_number_at(const cJSON *json, const char *name);

known *kill_find(model *m, uint32_t version);
void kill_add(model *m, uint32_t version, uint32_t level);

// Compares a mesh with what was acknowledged; the change under way may be there or not. all: the
// geometry of each version, else of one.
void kill_compare(model *m, bool all);
