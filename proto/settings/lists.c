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

#include <stdlib.h>
#include <string.h>

nav_status proto_settings_name(const proto_settings_reader *r, const char *text, const char *at,
                               bool may_be_empty, nav_name out)
{
    const size_t length = strlen(text);
    if (length > NAV_NAME_MAX || (length == 0 && !may_be_empty) ||
        !proto_text_is_printable(text, length)) {
        nav_fail_at(r->err, NAV_INVALID_FIELD, at,
                    "%.95s must be a name of 1 to %d bytes without control characters", at,
                    NAV_NAME_MAX);
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

static int compare_names(const void *a, const void *b)
{
    return strcmp(a, b);
}

nav_status proto_settings_each(const proto_value *v, const proto_each *each, void *array,
                               uint32_t *count)
{
    const char *space;
    const nav_status status = proto_value_each(v, each, NULL, array, count);
    if (status != NAV_OK || each->kind == PROTO_TOKEN_LIST) {
        return status;
    }
    memcpy(&space, array, sizeof space);
    qsort((void *)(uintptr_t)space, *count, each->size_bytes, compare_names);
    for (uint32_t i = 1; i < *count; i++, space += each->size_bytes) {
        if (strcmp(space, space + each->size_bytes) == 0) {
            return proto_fields_twice(nav_at("%s.%.47s", proto_value_place(v).text, space).text,
                                      PROTO_BAD_JSON, v->err);
        }
    }
    return NAV_OK;
}

nav_status proto_settings_read_list(const proto_value *v, const proto_settings_list *list)
{
    const proto_settings_reader *r = v->owner;
    return proto_settings_each(v, &list->each, (char *)r->config + list->at,
                               (uint32_t *)(void *)((char *)r->config + list->count_at));
}

nav_status proto_settings_element(const proto_value *v, proto_fields fields, void *target,
                                  uint64_t *seen)
{
    const proto_settings_reader *r = v->owner;
    fields.scale = r->config->coordinates.scale;
    // A named item begins with its name.
    const nav_status status =
        v->member != NULL
            ? proto_settings_name(r, v->member->name, v->field->name, false, v->target)
            : NAV_OK;
    return status == NAV_OK ? proto_fields_read_value(fields, v, target, seen) : status;
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

static nav_status find_area(const proto_settings_reader *r, const char *name, const char *at,
                            uint8_t *out)
{
    proto_suggestion meant;
    if (proto_settings_find_area(r->config, name, out, &meant)) {
        return NAV_OK;
    }
    nav_fail_at(r->err, NAV_INVALID_FIELD, at, "%s: there is no area \"%.47s\" in areas", at, name);
    nav_error_got(r->err, "%.63s", name);
    proto_suggest_say(&meant, r->err);
    return NAV_INVALID_FIELD;
}

nav_status proto_settings_walkable_area(const proto_settings_reader *r, const char *name,
                                        const char *at, uint8_t *out)
{
    nav_status status = find_area(r, name, at, out);
    if (status == NAV_OK && *out == NAV_AREA_NONE) {
        nav_fail_at(r->err, NAV_INVALID_FIELD, at, "%s must be an area that can be walked on", at);
        nav_error_got(r->err, "%.63s", name);
        return NAV_INVALID_FIELD;
    }
    return status;
}

nav_status proto_settings_read_area(const proto_value *v)
{
    return v->item->kind == PROTO_TOKEN_STRING
               ? find_area(v->owner, v->item->text, proto_value_place(v).text, proto_value_at(v))
               : proto_value_invalid(v, "a string");
}

nav_status proto_settings_read_walkable(const proto_value *v)
{
    return v->item->kind == PROTO_TOKEN_STRING
               ? proto_settings_walkable_area(v->owner, v->item->text, proto_value_place(v).text,
                                              proto_value_at(v))
               : proto_value_invalid(v, "a string");
}

nav_status proto_settings_read_name(const proto_value *v)
{
    return v->item->kind == PROTO_TOKEN_STRING
               ? proto_settings_name(v->owner, v->item->text, proto_value_place(v).text, true,
                                     proto_value_at(v))
               : proto_value_invalid(v, "a string");
}

// ---- flags ----

_Static_assert(NAV_FLAGS_MAX <= 32, "a flag is a bit of 32");

bool proto_settings_find_flag(const proto_settings_reader *r, const char *name, uint32_t *out)
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
        nav_fail_at(r->err, NAV_INVALID_FIELD, at, "%s: areas and links have more than %d flags",
                    at, NAV_FLAGS_MAX);
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
    return status == NAV_OK && count > 0 && names == NULL ? proto_fields_no_memory(r->err) : status;
}

nav_status proto_settings_read_flags(const proto_value *v)
{
    static const char expected[] = "a list of names";
    uint32_t *bits = proto_value_at(v), place;
    proto_item flag;
    proto_value one = *v;
    one.item = &flag;
    if (v->item->kind != PROTO_TOKEN_LIST) {
        return proto_value_invalid(v, expected);
    }
    for (bool more = proto_item_first(v->item, &flag); more; more = proto_item_next(&flag)) {
        if (flag.kind != PROTO_TOKEN_STRING) {
            return proto_value_invalid(&one, expected);
        }
        const bool found = proto_settings_find_flag(v->owner, flag.text, &place);
        NAV_ASSERT(found); // all names were collected before
        *bits |= UINT32_C(1) << place;
    }
    return NAV_OK;
}
