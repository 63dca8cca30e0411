// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// recordings.c: POST /v1/recordings, and the list of recordings:
//
//   {"name":"stuck at 3:12", "question":{"mesh":"town","kind":"path","start":[x,y,z],...}}
//
// The question is asked of its own address, where all but mesh and kind is its body. That of an
// instance (valid) has the instance in its address, too.

#include "proto/base/text.h"
#include "proto/requests/rows.h"

#include <stdio.h>
#include <string.h>

_Static_assert(PROTO_RECORDING_NAME_MAX == 200, "the error says so");
#define MEMBER_BYTES_MAX 100 // of a member's name; a longer one is none of a question's, cut or not

static nav_status read_name(const proto_value *v)
{
    static const char expected[] = "a text of 1 to 200 bytes that shows on one line";
    const char **name = &((proto_recording_request *)v->target)->name;
    const nav_status status = proto_value_keep(v, 1, PROTO_RECORDING_NAME_MAX, expected, name);
    return status == NAV_OK && !proto_text_is_line(*name, strlen(*name))
               ? proto_value_invalid(v, expected)
               : status;
}

// ---- the question ----

// The members of the question that are no part of its body.
static nav_status read_word(const proto_member *member, const char *at, nav_arena *memory,
                            const char **out, nav_error *err)
{
    if (member->value.kind != PROTO_TOKEN_STRING) {
        return proto_item_invalid(&member->value, at, "a name", err);
    }
    if (*out != NULL) {
        return proto_fields_twice(at, PROTO_BAD_JSON, err);
    }
    *out = proto_item_keep_text(&member->value, memory);
    return *out != NULL ? NAV_OK : proto_fields_no_memory(err);
}

static nav_status read_member(const proto_member *member, proto_recording_request *request,
                              proto_writer *body, nav_error *err)
{
    nav_arena *memory = request->common.memory;
    if (proto_member_is(member, "mesh")) {
        return read_word(member, "question.mesh", memory, &request->mesh, err);
    }
    if (proto_member_is(member, "kind")) {
        return read_word(member, "question.kind", memory, &request->asked, err);
    }
    if (proto_member_is(member, "instance") && member->value.kind == PROTO_TOKEN_STRING) {
        return read_word(member, "question.instance", memory, &request->asked_instance, err);
    }
    char name[MEMBER_BYTES_MAX + 1];
    (void)snprintf(name, sizeof name, "%.*s", (int)member->name_bytes, member->name);
    size_t size_bytes;
    const char *value = proto_item_text(&member->value, &size_bytes);
    proto_tokens *t = &member->value.source->tokens;
    (void)proto_tokens_skip(t, member->value.kind);
    proto_write_key(body, name);
    proto_writer_put(body, value, (size_t)(t->window + t->at - value));
    body->need_comma = true;
    return NAV_OK;
}

// Whether the address of the question names an instance.
static bool is_of_instance(const proto_recording_request *request)
{
    return request->asked != NULL && strcmp(request->asked, "valid") == 0;
}

static nav_status read_question(const proto_value *v)
{
    proto_recording_request *request = v->target;
    if (v->item->kind != PROTO_TOKEN_OBJECT) {
        return proto_value_invalid(v, "an object with mesh, kind and what the kind asks");
    }
    proto_writer body;
    proto_member member;
    nav_status status = NAV_OK;
    proto_writer_init(&body);
    proto_write_object_begin(&body);
    for (bool more = proto_member_first(v->item, &member); more;
         more = status == NAV_OK && proto_member_next(&member)) {
        status = read_member(&member, request, &body, v->err);
    }
    if (request->asked_instance != NULL && !is_of_instance(request)) {
        proto_member_string(&body, "instance", request->asked_instance);
        request->asked_instance = NULL;
    }
    proto_write_object_end(&body);
    char *kept = status == NAV_OK && !body.failed
                     ? nav_arena_alloc(request->common.memory, body.size_bytes + 1, 1)
                     : NULL;
    if (kept != NULL) {
        memcpy(kept, body.bytes, body.size_bytes);
        kept[body.size_bytes] = '\0';
        request->body = kept;
        request->body_bytes = body.size_bytes;
    } else if (status == NAV_OK) {
        status = proto_fields_no_memory(v->err);
    }
    proto_writer_free(&body);
    return status;
}

static nav_status finish(void *target, uint64_t seen, nav_error *err)
{
    (void)seen;
    const proto_recording_request *request = target;
    const char *missing = request->mesh == NULL                                        ? "mesh"
                          : request->asked == NULL                                     ? "kind"
                          : is_of_instance(request) && request->asked_instance == NULL ? "instance"
                                                                                       : NULL;
    if (missing == NULL) {
        return NAV_OK;
    }
    return nav_fail_at(
        err, NAV_INVALID_FIELD, nav_at("question.%s", missing).text,
        "question.%s: it is missing, or no text; a question has mesh and kind, and one of the "
        "kind valid has instance",
        missing);
}

static const proto_field ROWS[] = {
    PROTO_READ_ROW("name", read_name),
    {.name = "question", .type = PROTO_FIELD_READ, .read = read_question, .required = true},
};

const proto_kind PROTO_RECORDING = {PROTO_KIND(proto_recording_request, ROWS),
                                    .values_max = PROTO_BATCH_VALUES_MAX, .finish = finish};

// ---- GET /v1/recordings?after=ID&limit=N ----

static nav_status read_after(const proto_value *v)
{
    static const char expected[] = "the id of a recording, such as next has";
    const char **id = &((proto_recordings_request *)v->target)->after;
    const nav_status status =
        proto_value_keep(v, PROTO_RECORDING_ID_LENGTH, PROTO_RECORDING_ID_LENGTH, expected, id);
    return status == NAV_OK && strspn(*id, "0123456789ABCDEFGHJKMNPQRSTVWXYZ") != strlen(*id)
               ? proto_value_invalid(v, expected)
               : status;
}

static const proto_field LIST_ROWS[] = {
    PROTO_PAGE_ROWS(proto_recordings_request, read_after, PROTO_RECORDINGS_LISTED_MAX)};

const proto_kind PROTO_RECORDINGS = {
    PROTO_KIND(proto_recordings_request, LIST_ROWS),
    .defaults = &(const proto_recordings_request){.limit = PROTO_RECORDINGS_LISTED}};
