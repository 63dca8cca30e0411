// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// kill_compare.c: whether a daemon holds what it has acknowledged.

#include "tests/faults/kill.h"

#include <stdio.h>
#include <string.h>

#define FAULTS_TOLD_MAX 20
kill_run RUN;

void kill_fault(const char *mesh, const char *what, uint32_t number)
{
    if (atomic_fetch_add(&RUN.faults, 1) < FAULTS_TOLD_MAX) {
        (void)printf("fault: mesh %s: %s %u\n", mesh, what, number);
        (void)fflush(stdout);
    }
}

const char *kill_text_at(const cJSON *json, const char *outer, const char *name)
{
    const cJSON *object = outer != NULL ? cJSON_GetObjectItemCaseSensitive(json, outer) : json;
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
    return text != NULL ? text : "";
}

uint32_t kill_number_at(const cJSON *json, const char *name)
{
    const cJSON *number = cJSON_GetObjectItemCaseSensitive(json, name);
    return cJSON_IsNumber(number) ? (uint32_t)number->valuedouble : 0;
}

known *kill_find(model *m, uint32_t version)
{
    for (size_t i = 0; i < m->count; i++) {
        if (m->versions[i].version == version) {
            return &m->versions[i];
        }
    }
    return NULL;
}

void kill_add(model *m, uint32_t version, uint32_t level)
{
    if (m->count < VERSIONS_MAX) {
        m->versions[m->count++] = (known){.version = version, .level = level};
    }
    m->highest = version > m->highest ? version : m->highest;
}

static void inspect_version(model *m, const cJSON *row, bool seen[VERSIONS_MAX])
{
    const uint32_t version = kill_number_at(row, "version");
    const char *state = kill_text_at(row, NULL, "state");
    known *k = kill_find(m, version);
    if (k == NULL) {
        if (m->pending.kind != CHANGE_UPLOAD || version != m->highest + 1) {
            kill_fault(m->name, "there is a version that nobody was told of:", version);
            return;
        }
        kill_add(m, version, m->pending.level);
        k = kill_find(m, version);
        m->pending.kind = CHANGE_NONE;
        RUN.adopted++;
    }
    seen[k - m->versions] = true;
    if (strcmp(kill_text_at(row, "geometry", "sha256"), RUN.levels[k->level].geometry_sha) != 0) {
        kill_fault(m->name, "other geometry than was sent: version", version);
    }
    if (strcmp(state, "ready") == 0) {
        k->ready = true;
        if (strcmp(kill_text_at(row, "blob", "sha256"), RUN.levels[k->level].blob_sha) != 0) {
            kill_fault(m->name, "other tiles than this level gives: version", version);
        }
    } else if (k->ready || (strcmp(state, "queued") != 0 && strcmp(state, "baking") != 0)) {
        (void)printf("state %s\n", state);
        kill_fault(m->name, "not as it was: version", version);
    }
}

static void look_at_checks(model *m)
{
    char path[64], tag[16];
    (void)snprintf(path, sizeof path, "/v1/meshes/%s/checks", m->name);
    const int status = client_ask(&RUN.client, "GET", path, NULL, NULL, 0);
    cJSON *json = status == 200 ? cJSON_Parse(RUN.client.body) : NULL;
    const cJSON *first = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(json, "checks"), 0);
    const char *name = kill_text_at(first, NULL, "name");
    (void)snprintf(tag, sizeof tag, "%u", m->pending.tag);
    if (m->pending.kind == CHANGE_CHECKS && strcmp(name, tag) == 0) {
        m->tag = m->pending.tag;
    }
    (void)snprintf(tag, sizeof tag, "%u", m->tag);
    if (strcmp(name, m->tag > 0 ? tag : "") != 0) {
        kill_fault(m->name, "other checks than were put, status", (uint32_t)status);
    }
    cJSON_Delete(json);
}

static void look_at_geometry(model *m, const known *k)
{
    char path[96];
    (void)snprintf(path, sizeof path, "/v1/meshes/%s/versions/%u/geometry", m->name, k->version);
    if (client_ask(&RUN.client, "GET", path, NULL, NULL, 0) != 200 ||
        RUN.client.body_bytes != RUN.levels[k->level].size_bytes ||
        memcmp(RUN.client.body, RUN.levels[k->level].bytes, RUN.client.body_bytes) != 0) {
        kill_fault(m->name, "other bytes of geometry than were sent: version", k->version);
    }
}

static void look_at_list(model *m, const cJSON *json)
{
    bool seen[VERSIONS_MAX] = {false};
    const cJSON *row;
    cJSON_ArrayForEach(row, cJSON_GetObjectItemCaseSensitive(json, "versions"))
    {
        inspect_version(m, row, seen);
    }
    for (size_t i = m->count; i-- > 0;) {
        const uint32_t version = m->versions[i].version;
        if (seen[i]) {
            continue;
        }
        if (m->pending.kind != CHANGE_DELETE || m->pending.version != version) {
            kill_fault(m->name, "lost: version", version);
        }
        m->versions[i] = m->versions[--m->count]; // whatever was moved here has been looked at
    }
    const uint32_t active = kill_number_at(json, "active");
    if (m->pending.kind == CHANGE_SWITCH && active == m->pending.version) {
        m->active = active;
    }
    if (active != m->active) {
        kill_fault(m->name, "another version is live:", active);
    }
}

void kill_compare(model *m, bool all)
{
    char path[64];
    (void)snprintf(path, sizeof path, "/v1/meshes/%s", m->name);
    const int status = client_ask(&RUN.client, "GET", path, NULL, NULL, 0);
    cJSON *json = status == 200 ? cJSON_Parse(RUN.client.body) : NULL;
    if (status != 200 && status != 404) { // 404: no version is left; those known count as lost
        kill_fault(m->name, "its versions cannot be listed, status", (uint32_t)status);
    }
    look_at_list(m, json);
    cJSON_Delete(json);
    look_at_checks(m);
    for (size_t i = 0; i < m->count && (all || i < 1); i++) {
        look_at_geometry(m, all ? &m->versions[i]
                                : &m->versions[random_below(&m->seed, (uint32_t)m->count)]);
    }
    if (m->pending.kind == CHANGE_UPLOAD && m->pending.must) {
        kill_fault(m->name, "a bake that said it was ready is lost, level", m->pending.level);
    }
    m->pending = (change){0};
}
