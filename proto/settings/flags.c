// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// flags.c: names of flags to bits. All that areas and links name are collected first, in
// order, so that equal settings give equal bits; a list of names is then looked up in them.

#include "proto/settings/settings.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

// The index of a flag, or that at which it would be inserted.
static uint32_t flag_place(const proto_settings_reader *r, const char *name)
{
    uint32_t i = 0;
    while (i < r->config->flag_count && strcmp(r->flags[i], name) < 0) {
        i++;
    }
    return i;
}

static nav_status collect_flag(proto_settings_reader *r, const char *name, const char *at)
{
    uint32_t count = r->config->flag_count;
    uint32_t i = flag_place(r, name);
    if (i < count && strcmp(r->flags[i], name) == 0) {
        return NAV_OK;
    }
    if (count == NAV_FLAGS_MAX) {
        nav_fail(r->err, NAV_INVALID_FIELD, "%s: areas and links have more than %d flags", at,
                 NAV_FLAGS_MAX);
        nav_error_at(r->err, "%s", at);
        nav_error_got(r->err, "%.63s", name);
        nav_error_limit(r->err, "%d", NAV_FLAGS_MAX);
        return NAV_INVALID_FIELD;
    }
    nav_name checked;
    nav_status status = proto_settings_name(r, name, at, false, checked);
    if (status == NAV_OK) {
        NAV_ASSERT(i <= count && count < NAV_FLAGS_MAX);
        NAV_DCHECK(i == 0 || strcmp(r->flags[i - 1], checked) < 0); // sorted, each once
        memmove(r->flags + i + 1, r->flags + i, (count - i) * sizeof r->flags[0]);
        memcpy(r->flags[i], checked, sizeof checked);
        r->config->flag_count++;
    }
    return status;
}

nav_status proto_settings_collect_flags(proto_settings_reader *r, const cJSON *list, const char *at)
{
    nav_status status = NAV_OK;
    for (const cJSON *element = list != NULL ? list->child : NULL; element != NULL;
         element = element->next) {
        const cJSON *flags = cJSON_GetObjectItemCaseSensitive(element, "flags");
        const cJSON *flag = cJSON_IsArray(flags) ? flags->child : NULL;
        for (; flag != NULL && status == NAV_OK; flag = flag->next) {
            status = cJSON_IsString(flag) ? collect_flag(r, flag->valuestring, at) : NAV_OK;
        }
        if (status != NAV_OK) {
            break;
        }
    }
    return status;
}

nav_status proto_settings_keep_flags(proto_settings_reader *r)
{
    uint32_t count = r->config->flag_count;
    NAV_ASSERT(count <= NAV_FLAGS_MAX);
    nav_name *names = NAV_NEW(r->memory, nav_name, count);
    if (names == NULL) {
        return proto_settings_no_memory(r);
    }
    memcpy(names, r->flags, count * sizeof *names);
    r->config->flag_names = count > 0 ? (const nav_name *)names : NULL;
    return NAV_OK;
}

nav_status proto_settings_flags(const proto_settings_reader *r, const cJSON *list,
                                const char *prefix, uint32_t *out)
{
    char at[96];
    snprintf(at, sizeof at, "%sflags", prefix);
    *out = 0;
    if (list == NULL) {
        return NAV_OK;
    }
    if (!cJSON_IsArray(list)) {
        return proto_node_invalid(list, at, "a list of names", r->err);
    }
    for (const cJSON *flag = list->child; flag != NULL; flag = flag->next) {
        if (!cJSON_IsString(flag)) {
            return proto_node_invalid(flag, at, "a list of names", r->err);
        }
        const uint32_t place = flag_place(r, flag->valuestring);
        // All names were collected before.
        NAV_ASSERT(place < r->config->flag_count &&
                   strcmp(r->flags[place], flag->valuestring) == 0);
        *out |= UINT32_C(1) << place;
    }
    return NAV_OK;
}
