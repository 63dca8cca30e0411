// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// mesh_etag.c: store and jobs to a hash; headers to a yes or no.

#include "server/api/mesh_etag.h"
#include "server/jobs/jobs.h"
#include "server/store/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HASH_DIGITS 16

static void add_text(nav_sha256 *hash, const char *text)
{
    nav_sha256_add(hash, text, strlen(text) + 1);
}

// As it is written: what does not show makes no other ETag.
static void add_mark(nav_sha256 *hash, service *s, const char *name, const store_mark *mark)
{
    char text[128];
    job_progress at;
    (void)snprintf(text, sizeof text, "%u %s", mark->version, store_state_word(mark->state));
    add_text(hash, text);
    nav_sha256_add(hash, mark->checks_hash, sizeof mark->checks_hash);
    if (mark->state == STORE_QUEUED && jobs_progress(s->jobs, name, mark->version, &at)) {
        (void)snprintf(text, sizeof text, "%d %.3f %u %s", at.running, at.progress, at.tiles_done,
                       at.stage);
        add_text(hash, text);
    }
}

nav_status mesh_etag_get(service *s, const char *name, char out[MESH_ETAG_BYTES], nav_error *err)
{
    store_mesh mesh;
    store_mark *marks = NULL;
    size_t count = 0;
    nav_status status = store_mesh_get(s->store, name, &mesh, err);
    if (status == NAV_OK) {
        status = store_marks_get(s->store, name, &marks, &count, err);
    }
    if (status != NAV_OK) {
        return status;
    }
    uint8_t digest[32];
    char hex[65];
    nav_sha256 hash;
    nav_sha256_init(&hash);
    for (size_t i = 0; i < count; i++) {
        add_mark(&hash, s, name, &marks[i]);
    }
    nav_sha256_end(&hash, digest);
    nav_sha256_hex(digest, hex);
    free(marks);
    (void)snprintf(out, MESH_ETAG_BYTES, "\"a%llu-%.*s\"", (unsigned long long)mesh.activation,
                   HASH_DIGITS, hex);
    return NAV_OK;
}

// The next of a list, without what stands before it; NULL at the end.
static const char *next_tag(const char *at)
{
    at += strspn(at, " \t,");
    return *at != '\0' ? at : NULL;
}

bool mesh_etag_is_known(const char *if_none_match, const char *etag)
{
    for (const char *at = next_tag(if_none_match); at != NULL;
         at = next_tag(at + strcspn(at, ","))) {
        const char *tag = strncmp(at, "W/", 2) == 0 ? at + 2 : at;
        if (strcmp(at, "*") == 0 || strncmp(tag, etag, strlen(etag)) == 0) {
            return true;
        }
    }
    return false;
}

bool mesh_etag_is_current(const char *if_match, uint64_t activation)
{
    char count[32];
    int length = snprintf(count, sizeof count, "\"a%llu-", (unsigned long long)activation);
    for (const char *at = next_tag(if_match); at != NULL; at = next_tag(at + strcspn(at, ","))) {
        if (strncmp(at, count, (size_t)length) == 0) {
            return true;
        }
    }
    return false;
}
