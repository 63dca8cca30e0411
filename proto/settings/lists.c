// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// lists.c: what the settings need that are lists, or objects of named things: their elements one
// after the other, names, and the numbers of areas and flags.
//
// Areas and flags are numbered in the order of their names, so that equal settings give equal
// numbers, however the JSON was ordered:
//
//   flags of areas and links --> sorted --> bit 0, 1, 2 ...
//   areas --> 0 "none", 1 "ground", the others sorted --> 2, 3 ...
//   materials, volumes, links, low passages --> name an area
//   switches --> sorted --> 0, 1, 2 ...; links name one

#include "proto/settings/settings.h"

#include "proto/base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

nav_status proto_settings_no_memory(proto_settings_reader *r)
{
    return nav_fail(r->err, NAV_NO_MEMORY, "no memory for the settings");
}

nav_status proto_settings_name(proto_settings_reader *r, const char *text, const char *at,
                               bool may_be_empty, nav_name out)
{
    const size_t length = strlen(text);
    if (length > NAV_NAME_MAX || (length == 0 && !may_be_empty) ||
        !proto_text_is_printable(text, length)) {
        nav_fail(r->err, NAV_INVALID_FIELD,
                 "%.95s must be a name of 1 to %d bytes without control characters", at,
                 NAV_NAME_MAX);
        nav_error_at(r->err, "%.95s", at);
        nav_error_got(r->err, "%.63s", text);
        nav_error_limit(r->err, "%d", NAV_NAME_MAX);
        return NAV_INVALID_FIELD;
    }
    NAV_ASSERT(length < sizeof(nav_name));
    memset(out, 0, sizeof(nav_name));
    memcpy(out, text, length);
    return NAV_OK;
}

// ---- elements ----

static int compare_members(const void *a, const void *b)
{
    return strcmp(((const proto_member *)a)->name, ((const proto_member *)b)->name);
}

// The members of an object in the order of their names; a name that appears twice is an error.
static nav_status sort_members(proto_settings_reader *r, const proto_item *object, const char *at,
                               uint32_t count, proto_member **out)
{
    proto_member *members = NAV_NEW(r->memory, proto_member, count);
    proto_member member;
    uint32_t to = 0;
    if (members == NULL) {
        return proto_settings_no_memory(r);
    }
    for (bool more = proto_member_first(object, &member); more; more = proto_member_next(&member)) {
        members[to++] = member;
    }
    NAV_ASSERT(to == count);
    if (count > 1) {
        qsort(members, count, sizeof *members, compare_members);
    }
    for (uint32_t i = 1; i < count; i++) {
        if (strcmp(members[i - 1].name, members[i].name) == 0) {
            char place[160];
            snprintf(place, sizeof place, "%.80s.%.63s", at, members[i].name);
            return proto_fields_twice(place, PROTO_BAD_JSON, r->err);
        }
    }
    *out = members;
    return NAV_OK;
}

nav_status proto_settings_elements(proto_settings_reader *r, const proto_item *item, const char *at,
                                   uint32_t limit, const proto_settings_list *list, void **out,
                                   uint32_t *count)
{
    proto_member *members = NULL;
    proto_element e = {0};
    nav_status status = proto_item_count_within(item, at, list->kind, limit, count, r->err);
    if (status == NAV_OK && list->kind == PROTO_TOKEN_OBJECT) {
        status = sort_members(r, item, at, *count, &members);
    }
    if (status != NAV_OK) {
        return status;
    }
    char *room = nav_arena_alloc_zero(r->memory, *count, list->element_bytes);
    if (room == NULL) {
        return proto_settings_no_memory(r);
    }
    *out = room;
    for (uint32_t i = 0; i < *count && status == NAV_OK; i++, room += list->element_bytes) {
        if (members != NULL) {
            e.item = members[i].value;
            snprintf(e.at, sizeof e.at, "%.40s.%.47s", at, members[i].name);
            status = proto_settings_name(r, members[i].name, at, false, e.name);
        } else {
            (void)(i == 0 ? proto_item_first(item, &e.item) : proto_item_next(&e.item));
            snprintf(e.at, sizeof e.at, "%.80s[%u]", at, i);
        }
        snprintf(e.prefix, sizeof e.prefix, "%s.", e.at);
        NAV_IF_OK(status, list->read(r, &e, room));
    }
    return status;
}

// ---- areas ----

_Static_assert(NAV_AREAS_MAX <= UINT8_MAX, "an area's number is a byte");

bool proto_settings_find_area(const nav_config *config, const char *name, uint8_t *out,
                              proto_suggestion *meant)
{
    static const char *const always[] = {"none", "ground"};
    const uint32_t count = config->areas != NULL ? config->area_count : 2;
    *meant = proto_suggest(name, strlen(name));
    for (uint32_t i = 0; i < count; i++) {
        const char *known = config->areas != NULL ? config->areas[i].name : always[i];
        if (strcmp(name, known) == 0) {
            NAV_ASSERT(i <= UINT8_MAX);
            *out = (uint8_t)i;
            return true;
        }
        proto_suggest_offer(meant, known, strlen(known));
    }
    return false;
}

nav_status proto_settings_area(proto_settings_reader *r, const char *name, const char *at,
                               uint8_t *out)
{
    proto_suggestion meant;
    if (proto_settings_find_area(r->config, name, out, &meant)) {
        return NAV_OK;
    }
    nav_fail(r->err, NAV_INVALID_FIELD, "%s: there is no area \"%.47s\" in areas", at, name);
    nav_error_at(r->err, "%s", at);
    nav_error_got(r->err, "%.63s", name);
    proto_suggest_tell(&meant, r->err);
    return NAV_INVALID_FIELD;
}

nav_status proto_settings_walkable_area(proto_settings_reader *r, const char *name, const char *at,
                                        uint8_t *out)
{
    nav_status status = proto_settings_area(r, name, at, out);
    if (status == NAV_OK && *out == NAV_AREA_NONE) {
        nav_fail(r->err, NAV_INVALID_FIELD, "%s must be an area that can be walked on", at);
        nav_error_at(r->err, "%s", at);
        nav_error_got(r->err, "%.63s", name);
        return NAV_INVALID_FIELD;
    }
    return status;
}

// ---- flags ----

_Static_assert(NAV_FLAGS_MAX <= 32, "a flag is a bit of 32");

bool proto_settings_find_flag(proto_settings_reader *r, const char *name, uint32_t *out)
{
    const uint32_t count = r->config->flag_count;
    uint32_t i = 0;
    while (i < count && strcmp(r->flags[i], name) < 0) {
        i++;
    }
    *out = i;
    return i < count && strcmp(r->flags[i], name) == 0;
}

static nav_status collect_flag(proto_settings_reader *r, const char *name, const char *at)
{
    const uint32_t count = r->config->flag_count;
    uint32_t i;
    if (proto_settings_find_flag(r, name, &i)) {
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
        memmove(r->flags + i + 1, r->flags + i, (count - i) * sizeof r->flags[0]);
        memcpy(r->flags[i], checked, sizeof checked);
        r->config->flag_count++;
    }
    return status;
}

// The first element, or the value of the first member.
static bool first_value(const proto_item *of, proto_item *value)
{
    proto_member member;
    if (of->kind == PROTO_TOKEN_LIST) {
        return proto_item_first(of, value);
    }
    const bool any = of->kind == PROTO_TOKEN_OBJECT && proto_member_first(of, &member);
    if (any) {
        *value = member.value;
    }
    return any;
}

static nav_status collect_flags(proto_settings_reader *r, const proto_item *setting, const char *at)
{
    nav_status status = NAV_OK;
    proto_item element, flag;
    for (bool more = first_value(setting, &element); more; more = proto_item_next(&element)) {
        const proto_item flags = proto_member_of(&element, "flags");
        bool any = flags.kind == PROTO_TOKEN_LIST && proto_item_first(&flags, &flag);
        for (; any && status == NAV_OK; any = proto_item_next(&flag)) {
            status = flag.kind == PROTO_TOKEN_STRING ? collect_flag(r, flag.text, at) : NAV_OK;
        }
        if (status != NAV_OK) {
            break;
        }
    }
    return status;
}

nav_status proto_settings_collect_flags(proto_settings_reader *r, const proto_item *areas,
                                        const proto_item *links)
{
    nav_status status = collect_flags(r, areas, "areas");
    NAV_IF_OK(status, collect_flags(r, links, "links"));
    const uint32_t count = r->config->flag_count;
    nav_name *names = status == NAV_OK && count > 0 ? NAV_NEW(r->memory, nav_name, count) : NULL;
    if (names != NULL) {
        memcpy(names, r->flags, count * sizeof *names);
        r->config->flag_names = (const nav_name *)names;
    }
    return status == NAV_OK && count > 0 && names == NULL ? proto_settings_no_memory(r) : status;
}

nav_status proto_settings_flags(proto_settings_reader *r, const proto_item *list,
                                const char *prefix, uint32_t *out)
{
    char at[PROTO_PLACE_BYTES];
    proto_item flag;
    snprintf(at, sizeof at, "%.80sflags", prefix);
    *out = 0;
    if (list->kind == PROTO_TOKEN_WRONG) {
        return NAV_OK;
    }
    if (list->kind != PROTO_TOKEN_LIST) {
        return proto_item_invalid(list, at, "a list of names", r->err);
    }
    for (bool more = proto_item_first(list, &flag); more; more = proto_item_next(&flag)) {
        uint32_t place;
        if (flag.kind != PROTO_TOKEN_STRING) {
            return proto_item_invalid(&flag, at, "a list of names", r->err);
        }
        const bool found = proto_settings_find_flag(r, flag.text, &place);
        NAV_ASSERT(found); // all names were collected before
        *out |= UINT32_C(1) << place;
    }
    return NAV_OK;
}
