// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// fields.c: JSON objects and query arguments, member by member, into a struct. Below settings/ and
// requests/, above values.c. Names are compared with their case.
//
// A question is read as it is pulled from its text, in one pass. Where anything is wrong with it,
// the scan checks the whole text first: what is no JSON is called just that.

#include "proto/json/fields.h"

#include "proto/base/suggest.h"

#include <stdio.h>
#include <string.h>

#define MEMBER_NAME_BYTES 192 // of a prefix, a group and a name, in errors

// ---- the names that there are ----

#define KNOWN_BYTES 144 // of their list in an error
#define MORE_BYTES 16   // " and 12 more"

// The source of a list of names: the rows of the outer object (group NULL), or of a nested one; or
// all rows by their whole names, as arguments have them.
typedef struct known_names {
    proto_fields fields;
    const char *group;
    size_t group_bytes;
    bool whole;
} known_names;

static bool is_there(const proto_fields *fields, uint32_t row)
{
    return (fields->absent >> row & 1) == 0;
}

// The name of a row within its object, *length bytes of it; NULL where it is not in that, or the
// row before has it, too, which is one of the same group.
static const char *known_name(const known_names *of, uint32_t row, size_t *length)
{
    const char *name = of->fields.rows[row].name;
    if (!is_there(&of->fields, row)) {
        return NULL;
    }
    if (of->whole) {
        *length = strlen(name);
        return name;
    }
    if (of->group != NULL) {
        const bool within =
            strncmp(name, of->group, of->group_bytes) == 0 && name[of->group_bytes] == '.';
        name += within ? of->group_bytes + 1 : 0;
        *length = strlen(name);
        return within ? name : NULL;
    }
    *length = strcspn(name, ".");
    const char *before = row > 0 ? of->fields.rows[row - 1].name : "";
    return name[*length] == '.' && strncmp(before, name, *length + 1) == 0 ? NULL : name;
}

// "a, b and 7 more": as many as there is room for.
typedef struct known_list {
    char text[KNOWN_BYTES];
    size_t used;
    uint32_t more;
} known_list;

// Adds the names that begin with this letter, or all others.
static void list_known(known_list *list, const known_names *of, char first, bool with_first)
{
    size_t length;
    for (uint32_t i = 0; i < of->fields.count; i++) {
        const char *name = known_name(of, i, &length);
        if (name == NULL || (name[0] == first) != with_first) {
            continue;
        }
        if (list->more > 0 || list->used + length + 2 > KNOWN_BYTES - MORE_BYTES) {
            list->more++;
            continue;
        }
        list->used += (size_t)snprintf(list->text + list->used, KNOWN_BYTES - list->used, "%s%.*s",
                                       list->used > 0 ? ", " : "", (int)length, name);
    }
}

// An outer object offers also what stands in its nested ones: "agent.radius" is meant by "radius".
static void offer_known(proto_suggestion *meant, const known_names *of)
{
    size_t length;
    for (uint32_t i = 0; i < of->fields.count; i++) {
        const char *name = known_name(of, i, &length);
        if (name != NULL) {
            proto_suggest_offer(meant, name, length);
        }
        if (of->group == NULL && !of->whole && is_there(&of->fields, i)) {
            proto_suggest_offer(meant, of->fields.rows[i].name, strlen(of->fields.rows[i].name));
        }
    }
}

// The name stands at `at`, its last part is wrong. Names that begin like it are listed first.
static nav_status unknown(const char *at, const char *wrong, size_t wrong_bytes,
                          const known_names *of, size_t count, nav_error *err)
{
    known_list list = {0};
    char hint[PROTO_HINT_BYTES];
    proto_suggestion meant = proto_suggest(wrong, wrong_bytes);
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < count; i++) {
            list_known(&list, &of[i], wrong_bytes > 0 ? wrong[0] : '\0', pass == 0);
            if (pass == 0) {
                offer_known(&meant, &of[i]);
            }
        }
    }
    if (list.more > 0) {
        (void)snprintf(list.text + list.used, KNOWN_BYTES - list.used, " and %u more", list.more);
    }
    proto_suggest_hint(&meant, hint);
    nav_fail_at(err, PROTO_UNKNOWN_FIELD, at, "there is no field \"%.80s\" here%s%s %s", at, hint,
                hint[0] != '\0' ? " There are" : "; there are", list.used > 0 ? list.text : "none");
    nav_error_suggest(err, "%s", meant.best);
    return PROTO_UNKNOWN_FIELD;
}

static nav_status unknown_arg(const char *key, const proto_arg_table *tables, size_t count,
                              nav_error *err)
{
    known_names of[2];
    NAV_ASSERT(count <= sizeof of / sizeof of[0]);
    for (size_t i = 0; i < count; i++) {
        of[i] = (known_names){.fields = tables[i].fields, .whole = true};
    }
    return unknown(key, key, strlen(key), of, count, err);
}

// ---- JSON objects ----

// The row of a member of the outer object (group NULL) or of a nested one; NAV_NONE: there is none.
static uint32_t find_row(const proto_fields *fields, const char *group, size_t group_bytes,
                         const char *name, size_t name_bytes)
{
    for (uint32_t i = 0; i < fields->count; i++) {
        const char *row = fields->rows[i].name;
        if (group != NULL) {
            if (strncmp(row, group, group_bytes) != 0 || row[group_bytes] != '.') {
                continue;
            }
            row += group_bytes + 1;
        }
        // Most rows differ in their first letter.
        if (row[0] == name[0] && strncmp(row, name, name_bytes) == 0 && row[name_bytes] == '\0' &&
            is_there(fields, i)) {
            return i;
        }
    }
    return NAV_NONE;
}

// The first row of the group of this name, which is the part before its dot; NAV_NONE: there is
// none.
static uint32_t find_group(const proto_fields *fields, const char *name, size_t name_bytes)
{
    for (uint32_t i = 0; i < fields->count; i++) {
        const char *row = fields->rows[i].name;
        if (row[0] == name[0] && strncmp(row, name, name_bytes) == 0 && row[name_bytes] == '.') {
            return i;
        }
    }
    return NAV_NONE;
}

typedef struct object_reader {
    proto_fields fields;
    void *target;
    uint64_t seen, groups_seen; // bits by row; by the first row of each group
    nav_error *err;
    const char *prefix;
} object_reader;

// The value is read as a row says; item is the caller's to add.
static proto_value value_of(const object_reader *r, uint32_t row)
{
    NAV_ASSERT(row < r->fields.count);
    return (proto_value){.field = &r->fields.rows[row],
                         .target = r->target,
                         .err = r->err,
                         .prefix = r->prefix,
                         .scale = r->fields.scale,
                         .memory = r->fields.memory,
                         .owner = r->fields.owner};
}

// The name of a member in an error: "queries[3].snap.up".
static void name_member(const object_reader *r, const char *group, size_t group_bytes,
                        const proto_member *member, char out[MEMBER_NAME_BYTES])
{
    snprintf(out, MEMBER_NAME_BYTES, "%s%.*s%s%.*s", r->prefix, (int)group_bytes,
             group != NULL ? group : "", group != NULL ? "." : "",
             (int)(member->name_bytes < MEMBER_NAME_BYTES ? member->name_bytes : MEMBER_NAME_BYTES),
             member->name);
}

// A name as arguments have it: {"agent.radius":0.4}.
static nav_status flat_name(const char *at, const proto_member *member, const char *dot,
                            nav_error *err)
{
    const int group_bytes = (int)(dot - member->name);
    return nav_fail_at(err, PROTO_UNKNOWN_FIELD, at,
                       "\"%.80s\" is an argument; JSON has {\"%.*s\":{\"%.*s\":...}}", at,
                       group_bytes, member->name, (int)member->name_bytes - group_bytes - 1,
                       dot + 1);
}

// One member of the outer object (group NULL) or of a nested one; row is what find_row says of it.
static nav_status read_member(object_reader *r, const char *group, size_t group_bytes,
                              const proto_member *member, uint32_t row)
{
    char whole[MEMBER_NAME_BYTES];
    // A name with a dot is not the nested member that it looks like.
    const char *const dot = memchr(member->name, '.', member->name_bytes);
    if (row == NAV_NONE || dot != NULL) {
        const known_names of = {r->fields, group, group_bytes, false};
        name_member(r, group, group_bytes, member, whole);
        return row != NAV_NONE ? flat_name(whole, member, dot, r->err)
                               : unknown(whole, member->name, member->name_bytes, &of, 1, r->err);
    }
    if ((r->seen >> row & 1) != 0) {
        name_member(r, group, group_bytes, member, whole);
        return proto_fields_twice(whole, PROTO_BAD_JSON, r->err);
    }
    r->seen |= UINT64_C(1) << row;
    proto_value v = value_of(r, row);
    v.item = &member->value;
    return proto_value_read(&v);
}

// The nested object that a group's name stands for; first is the first row of the group.
static nav_status read_group(object_reader *r, const proto_member *outer, uint32_t first)
{
    const char *const group = r->fields.rows[first].name;
    const size_t group_bytes = outer->name_bytes;
    NAV_ASSERT(group[group_bytes] == '.');
    char whole[MEMBER_NAME_BYTES];
    if ((r->groups_seen >> first & 1) != 0) {
        name_member(r, NULL, 0, outer, whole);
        return proto_fields_twice(whole, PROTO_BAD_JSON, r->err);
    }
    r->groups_seen |= UINT64_C(1) << first;
    if (outer->value.kind != PROTO_TOKEN_OBJECT) {
        name_member(r, NULL, 0, outer, whole);
        return proto_item_invalid(&outer->value, whole, "an object", r->err);
    }
    nav_status status = NAV_OK;
    proto_member member;
    for (bool more = proto_member_first(&outer->value, &member); more;
         more = status == NAV_OK && proto_member_next(&member)) {
        const uint32_t row =
            find_row(&r->fields, group, group_bytes, member.name, member.name_bytes);
        status = read_member(r, group, group_bytes, &member, row);
    }
    return status;
}

static nav_status read_object(object_reader *r, const proto_item *object)
{
    nav_status status = NAV_OK;
    proto_member member;
    for (bool more = proto_member_first(object, &member); more;
         more = status == NAV_OK && proto_member_next(&member)) {
        // No table has a row with the name of a group.
        const uint32_t row = find_row(&r->fields, NULL, 0, member.name, member.name_bytes);
        const uint32_t group =
            row == NAV_NONE ? find_group(&r->fields, member.name, member.name_bytes) : NAV_NONE;
        status = group != NAV_NONE ? read_group(r, &member, group)
                                   : read_member(r, NULL, 0, &member, row);
    }
    return status;
}

static nav_status not_an_object(const proto_item *item, const char *prefix, nav_error *err)
{
    size_t length = strlen(prefix);
    nav_fail(err, NAV_INVALID_FIELD, "%.*s must be an object",
             length > 0 ? (int)length - 1 : (int)sizeof "the JSON",
             length > 0 ? prefix : "the JSON");
    if (length > 0) {
        nav_error_at(err, "%.*s", (int)length - 1, prefix); // without its dot
    }
    proto_item_got(err, item);
    return NAV_INVALID_FIELD;
}

static nav_status missing(const proto_fields *fields, const char *prefix, uint32_t row,
                          nav_error *err)
{
    const proto_field *field = &fields->rows[row];
    char words[120] = "";
    for (size_t i = 0, used = 0;
         field->type == PROTO_FIELD_CHOICE && used < sizeof words && field->words[i] != NULL; i++) {
        used += (size_t)snprintf(words + used, sizeof words - used, "%s%s",
                                 i > 0 ? ", " : ": one of ", field->words[i]);
    }
    return nav_fail_at(err, NAV_INVALID_FIELD, nav_at("%s%s", prefix, fields->rows[row].name).text,
                       "%s%s is missing%s", prefix, field->name, words);
}

static nav_status check_required(const proto_fields *fields, const char *prefix, uint64_t seen,
                                 nav_error *err)
{
    for (uint32_t i = 0; i < fields->count; i++) {
        if (fields->rows[i].required && ((seen | fields->optional) >> i & 1) == 0) {
            return missing(fields, prefix, i, err);
        }
    }
    return NAV_OK;
}

nav_status proto_fields_check_members(proto_fields fields, const char *prefix, uint64_t seen,
                                      uint64_t must, uint64_t may, nav_error *err)
{
    if ((seen & ~(must | may)) == 0 && (must & ~seen) == 0) {
        return NAV_OK;
    }
    fields.absent = ~(must | may);
    for (uint32_t i = 0; i < fields.count; i++) {
        const bool is_seen = (seen >> i & 1) != 0;
        if (is_seen && !is_there(&fields, i)) {
            const char *const name = fields.rows[i].name;
            const known_names of = {.fields = fields};
            return unknown(nav_at("%s%s", prefix, name).text, name, strlen(name), &of, 1, err);
        }
        if (!is_seen && (must >> i & 1) != 0) {
            return missing(&fields, prefix, i, err);
        }
    }
    return NAV_OK;
}

nav_status proto_fields_read_item(proto_fields fields, const proto_item *object, const char *prefix,
                                  void *target, uint64_t *seen, nav_error *err)
{
    NAV_ASSERT(fields.count <= 64);
    object_reader r = {.fields = fields, .target = target, .err = err, .prefix = prefix};
    nav_status status = object->kind == PROTO_TOKEN_OBJECT ? read_object(&r, object)
                                                           : not_an_object(object, prefix, err);
    NAV_IF_OK(status, check_required(&fields, prefix, r.seen, err));
    if (seen != NULL) {
        *seen = r.seen;
    }
    return status;
}

nav_status proto_fields_read_value(proto_fields fields, const proto_value *v, void *target,
                                   uint64_t *seen)
{
    fields.memory = v->memory;
    fields.owner = v->owner;
    return proto_fields_read_item(fields, v->item, proto_value_prefix(v).text, target, seen,
                                  v->err);
}

nav_status proto_fields_read_json(proto_fields fields, const char *json, size_t size_bytes,
                                  uint32_t values_max, void *target, uint64_t *seen, nav_error *err)
{
    proto_source source;
    const proto_item root = proto_item_begin(&source, json, size_bytes, values_max);
    const nav_status status = proto_fields_read_item(fields, &root, "", target, seen, err);
    return proto_source_end(&source, json, size_bytes, status, err);
}

// ---- query arguments ----

static nav_status read_arg(const proto_arg *arg, proto_arg_table *table, uint32_t row,
                           nav_error *err)
{
    const object_reader r = {
        .fields = table->fields, .target = table->target, .err = err, .prefix = ""};
    if ((table->seen >> row & 1) != 0) {
        return proto_fields_twice(arg->key, NAV_INVALID_FIELD, err);
    }
    table->seen |= UINT64_C(1) << row;
    proto_source source;
    proto_value v = value_of(&r, row);
    const proto_item item = proto_value_of_text(v.field, arg->value, &source);
    v.item = &item;
    const nav_status status = proto_value_read(&v);
    return item.source != NULL
               ? proto_source_end(&source, arg->value, strlen(arg->value), status, err)
               : status;
}

nav_status proto_fields_read_args(proto_arg_table *tables, size_t count, const proto_arg *args,
                                  size_t arg_count, nav_error *err)
{
    nav_status status = NAV_OK;
    for (size_t i = 0; i < arg_count && status == NAV_OK; i++) {
        const char *key = args[i].key;
        uint32_t row = NAV_NONE;
        size_t of = 0;
        while (of < count &&
               (row = find_row(&tables[of].fields, NULL, 0, key, strlen(key))) == NAV_NONE) {
            of++;
        }
        status = row != NAV_NONE ? read_arg(&args[i], &tables[of], row, err)
                                 : unknown_arg(key, tables, count, err);
    }
    for (size_t of = 0; of < count; of++) {
        NAV_ASSERT(tables[of].fields.count <= 64);
        NAV_IF_OK(status, check_required(&tables[of].fields, "", tables[of].seen, err));
    }
    return status;
}
