// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// fields.c: JSON objects and query arguments, member by member, into a struct. Below settings*.c
// and request_*.c, above fields_values.c. cJSON is known to fields*.c and settings*.c only.
//
// Trees are those of fields_tree.c, so depth and number of values are bounded.
// Names are compared with their case, and no function with a process-wide state is used.

#include "proto/json/fields_values.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

#define MEMBER_NAME_BYTES 192 // of a prefix, a group and a name, in errors

// ---- errors ----

nav_status proto_fields_unknown(const char *name, nav_error *err)
{
    nav_fail(err, PROTO_UNKNOWN_FIELD, "there is no field \"%.80s\" here", name);
    nav_error_at(err, "%.95s", name);
    return PROTO_UNKNOWN_FIELD;
}

nav_status proto_fields_no_memory(nav_error *err)
{
    return nav_fail(err, NAV_NO_MEMORY, "no memory to read the request");
}

nav_status proto_fields_twice(const char *name, nav_status status, nav_error *err)
{
    nav_fail(err, status, "\"%.80s\" is given twice", name);
    nav_error_at(err, "%.95s", name);
    return status;
}

// ---- JSON objects ----

// The row of a member of the outer object (group NULL) or of a nested one; NAV_NONE: there is none.
static uint32_t find_row(proto_fields fields, const char *group, const char *name)
{
    const size_t group_length = group != NULL ? strlen(group) : 0;
    for (uint32_t i = 0; i < fields.count; i++) {
        const char *row = fields.rows[i].name;
        if (group != NULL) {
            if (strncmp(row, group, group_length) != 0 || row[group_length] != '.') {
                continue;
            }
            row += group_length + 1;
        }
        // Most rows differ in their first letter.
        if (row[0] == name[0] && strcmp(row, name) == 0) {
            return i;
        }
    }
    return NAV_NONE;
}

// Is name the part before the dot of a field, that is, the name of a nested object?
static bool is_group(proto_fields fields, const char *name)
{
    for (uint32_t i = 0; i < fields.count; i++) {
        const char *row = fields.rows[i].name;
        if (row[0] != name[0]) {
            continue;
        }
        size_t length = 0;
        while (row[length] != '\0' && row[length] == name[length]) {
            length++;
        }
        if (row[length] == '.' && name[length] == '\0') {
            return true;
        }
    }
    return false;
}

// Did an earlier sibling have the same name? Every earlier one was a known field and given once, so
// that this looks at no more siblings than the table has rows.
static bool appeared(const cJSON *object, const cJSON *member)
{
    for (const cJSON *earlier = object->child; earlier != member; earlier = earlier->next) {
        if (strcmp(earlier->string, member->string) == 0) {
            return true;
        }
    }
    return false;
}

typedef struct object_reader {
    proto_fields fields;
    void *target;
    uint64_t *seen;
    nav_error *err;
    const char *prefix;
} object_reader;

// What an error calls a member: "queries[3].snap.up".
static void name_member(const object_reader *r, const char *group, const cJSON *member,
                        char out[MEMBER_NAME_BYTES])
{
    snprintf(out, MEMBER_NAME_BYTES, "%s%s%s%s", r->prefix, group != NULL ? group : "",
             group != NULL ? "." : "", member->string);
}

static nav_status unknown_member(const object_reader *r, const char *group, const cJSON *member)
{
    char whole[MEMBER_NAME_BYTES];
    name_member(r, group, member, whole);
    return proto_fields_unknown(whole, r->err);
}

static nav_status member_twice(const object_reader *r, const char *group, const cJSON *member)
{
    char whole[MEMBER_NAME_BYTES];
    name_member(r, group, member, whole);
    return proto_fields_twice(whole, PROTO_BAD_JSON, r->err);
}

// One member of the outer object (group NULL) or of a nested one; row is what find_row says of it.
static nav_status read_member(const object_reader *r, const char *group, const cJSON *member,
                              uint32_t row)
{
    // A name with a dot is not the nested member that it looks like.
    if (row == NAV_NONE || strchr(member->string, '.') != NULL) {
        return unknown_member(r, group, member);
    }
    *r->seen |= UINT64_C(1) << row;
    const proto_value v = {.field = &r->fields.rows[row],
                           .item = member,
                           .target = r->target,
                           .err = r->err,
                           .prefix = r->prefix};
    return proto_value_read(&v);
}

static nav_status read_group(const object_reader *r, const cJSON *object)
{
    if (!cJSON_IsObject(object)) {
        char whole[MEMBER_NAME_BYTES];
        name_member(r, NULL, object, whole);
        return proto_fields_invalid(object, whole, "an object", r->err);
    }
    nav_status status = NAV_OK;
    const cJSON *member;
    cJSON_ArrayForEach(member, object)
    {
        status = appeared(object, member)
                     ? member_twice(r, object->string, member)
                     : read_member(r, object->string, member,
                                   find_row(r->fields, object->string, member->string));
        if (status != NAV_OK) {
            break;
        }
    }
    return status;
}

static nav_status read_object(const object_reader *r, const cJSON *object)
{
    nav_status status = NAV_OK;
    const cJSON *member;
    cJSON_ArrayForEach(member, object)
    {
        if (appeared(object, member)) {
            status = member_twice(r, NULL, member);
        } else {
            // No table has a row with the name of a group.
            const uint32_t row = find_row(r->fields, NULL, member->string);
            status = row == NAV_NONE && is_group(r->fields, member->string)
                         ? read_group(r, member)
                         : read_member(r, NULL, member, row);
        }
        if (status != NAV_OK) {
            break;
        }
    }
    return status;
}

nav_status proto_fields_count(const cJSON *list, const char *at, uint32_t limit, uint32_t *count,
                              nav_error *err)
{
    if (!cJSON_IsArray(list)) {
        return proto_fields_invalid(list, at, "a list", err);
    }
    *count = (uint32_t)cJSON_GetArraySize(list);
    return *count <= limit ? NAV_OK : proto_fields_too_many(at, *count, limit, err);
}

const cJSON *proto_fields_first(const cJSON *list)
{
    return list->child;
}

const cJSON *proto_fields_next(const cJSON *item)
{
    return item->next;
}

static nav_status not_an_object(const cJSON *item, const char *prefix, nav_error *err)
{
    size_t length = strlen(prefix);
    nav_fail(err, NAV_INVALID_FIELD, "%.*s must be an object",
             length > 0 ? (int)length - 1 : (int)sizeof "the JSON",
             length > 0 ? prefix : "the JSON");
    if (length > 0) {
        nav_error_at(err, "%.*s", (int)length - 1, prefix); // without its dot
    }
    proto_value_got(err, item);
    return NAV_INVALID_FIELD;
}

static nav_status read_root(proto_fields fields, const cJSON *object, const char *prefix,
                            void *target, uint64_t *seen, nav_error *err)
{
    NAV_ASSERT(fields.count <= 64);
    *seen = 0;
    if (!cJSON_IsObject(object)) {
        return not_an_object(object, prefix, err);
    }
    const object_reader r = {
        .fields = fields, .target = target, .seen = seen, .err = err, .prefix = prefix};
    return read_object(&r, object);
}

nav_status proto_fields_read_json(proto_fields fields, const char *json, size_t size_bytes,
                                  void *target, uint64_t *seen, nav_error *err)
{
    cJSON *root;
    *seen = 0;
    nav_status status = proto_fields_parse(json, size_bytes, PROTO_JSON_VALUES_MAX, &root, err);
    if (status == NAV_OK) {
        status = read_root(fields, root, "", target, seen, err);
        proto_fields_delete(root);
    }
    return status;
}

static nav_status missing(proto_fields fields, const char *prefix, uint32_t row, nav_error *err)
{
    nav_fail(err, NAV_INVALID_FIELD, "%s%s is missing", prefix, fields.rows[row].name);
    nav_error_at(err, "%s%s", prefix, fields.rows[row].name);
    return NAV_INVALID_FIELD;
}

static nav_status check_required(proto_fields fields, const char *prefix, uint64_t seen,
                                 nav_error *err)
{
    for (uint32_t i = 0; i < fields.count; i++) {
        if (fields.rows[i].required && (seen >> i & 1) == 0) {
            return missing(fields, prefix, i, err);
        }
    }
    return NAV_OK;
}

nav_status proto_fields_check_members(proto_fields fields, const char *prefix, uint64_t seen,
                                      uint64_t must, uint64_t may, nav_error *err)
{
    for (uint32_t i = 0; i < fields.count; i++) {
        const uint64_t bit = UINT64_C(1) << i;
        if ((seen & bit) != 0 && ((must | may) & bit) == 0) {
            char at[96];
            snprintf(at, sizeof at, "%s%s", prefix, fields.rows[i].name);
            return proto_fields_unknown(at, err);
        }
        if ((seen & bit) == 0 && (must & bit) != 0) {
            return missing(fields, prefix, i, err);
        }
    }
    return NAV_OK;
}

nav_status proto_fields_read_tree(proto_fields fields, const cJSON *object, const char *prefix,
                                  void *target, uint64_t *seen, nav_error *err)
{
    nav_status status = read_root(fields, object, prefix, target, seen, err);
    return status == NAV_OK ? check_required(fields, prefix, *seen, err) : status;
}

// ---- query arguments ----

nav_status proto_fields_read_arg(proto_fields fields, const proto_arg *arg, void *target,
                                 uint32_t *row, nav_error *err)
{
    *row = find_row(fields, NULL, arg->key);
    if (*row == NAV_NONE) {
        return NAV_OK;
    }
    const proto_value v = {.field = &fields.rows[*row],
                           .text = arg->value,
                           .text_bytes = strlen(arg->value),
                           .target = target,
                           .err = err};
    return proto_value_read(&v);
}

nav_status proto_fields_read_args(proto_fields fields, const proto_arg *args, size_t arg_count,
                                  void *target, uint64_t *seen, nav_error *err)
{
    NAV_ASSERT(fields.count <= 64);
    *seen = 0;
    for (size_t i = 0; i < arg_count; i++) {
        uint32_t row;
        nav_status status = proto_fields_read_arg(fields, &args[i], target, &row, err);
        if (status != NAV_OK) {
            return status;
        }
        if (row == NAV_NONE) {
            return proto_fields_unknown(args[i].key, err);
        }
        if ((*seen >> row & 1) != 0) {
            return proto_fields_twice(args[i].key, NAV_INVALID_FIELD, err);
        }
        *seen |= UINT64_C(1) << row;
    }
    return NAV_OK;
}

nav_status proto_fields_check_required(proto_fields fields, uint64_t seen, nav_error *err)
{
    return check_required(fields, "", seen, err);
}
