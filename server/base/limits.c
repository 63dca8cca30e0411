// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// limits.c: the table of limits, by name; and the limit that requests share, the memory of bodies
// in flight.

#include "server/base/limits.h"

#include "proto/base/suggest.h"
#include "proto/base/text.h"
#include "proto/requests/requests.h"
#include "server/base/service.h"

#include <stdlib.h>
#include <string.h>

typedef struct row {
    const char *name;
    size_t offset;
    uint64_t value, least, most;
} row;

static const row ROWS[] = {
#define X(name, value, least, most) {#name, offsetof(service_limits, name), value, least, most},
    LIMITS_TABLE(X)
#undef X
};
#define ROW_COUNT (sizeof ROWS / sizeof ROWS[0])

_Static_assert(ROW_COUNT * sizeof(uint64_t) == sizeof(service_limits), "a row for each member");
#define X(name, value, least, most) _Static_assert((value) >= (least) && (value) <= (most), #name);
LIMITS_TABLE(X)
#undef X

// Limits that /v1/status lists as well; NULL: the build has them.
static const struct {
    const char *name, *option;
} ELSEWHERE[] = {{"query_arguments", NULL},
                 {"bake_memory_bytes", "--bake-memory"},
                 {"bake_time_ms", "--bake-time"},
                 {"drain_ms", "--drain-ms"},
                 {"slow_query_ms", "--slow-query-ms"}};

static uint64_t *field(service_limits *l, const row *r)
{
    return (uint64_t *)(void *)((char *)l + r->offset);
}

service_limits limits_default(void)
{
    service_limits l;
    for (size_t i = 0; i < ROW_COUNT; i++) {
        *field(&l, &ROWS[i]) = ROWS[i].value;
    }
    return l;
}

uint64_t limits_at(const service_limits *l, size_t offset)
{
    uint64_t value;
    NAV_ASSERT(offset % sizeof value == 0 && offset < sizeof *l);
    memcpy(&value, (const char *)l + offset, sizeof value);
    return value;
}

const char *limits_name(size_t offset)
{
    const size_t index = offset / sizeof(uint64_t);
    NAV_ASSERT(index < ROW_COUNT && ROWS[index].offset == offset);
    return ROWS[index].name;
}

const char *limits_row(const service_limits *l, size_t i, uint64_t *value)
{
    if (i >= ROW_COUNT) {
        return NULL;
    }
    *value = limits_at(l, ROWS[i].offset);
    return ROWS[i].name;
}

static bool is_called(const char *name, const char *text, size_t length)
{
    return strlen(name) == length && strncmp(name, text, length) == 0;
}

static nav_status refuse_name(const char *text, size_t length, nav_error *err)
{
    for (size_t i = 0; i < sizeof ELSEWHERE / sizeof ELSEWHERE[0]; i++) {
        const char *name = ELSEWHERE[i].name, *option = ELSEWHERE[i].option;
        if (is_called(name, text, length)) {
            return option == NULL
                       ? nav_fail(err, NAV_INVALID_FIELD, "%s is fixed", name)
                       : nav_fail(err, NAV_INVALID_FIELD, "%s is set with %s", name, option);
        }
    }
    proto_suggestion meant = proto_suggest(text, length);
    for (size_t i = 0; i < ROW_COUNT; i++) {
        proto_suggest_offer(&meant, ROWS[i].name, strlen(ROWS[i].name));
    }
    nav_fail(err, NAV_INVALID_FIELD, "there is no limit of this name (see /v1/status)");
    proto_suggest_say(&meant, err);
    return NAV_INVALID_FIELD;
}

nav_status limits_set(service_limits *l, const char *text, nav_error *err)
{
    size_t length = strcspn(text, "=");
    if (text[length] != '=') {
        return nav_fail(err, NAV_INVALID_FIELD, "write NAME=VALUE");
    }
    const char *digits = text + length + 1;
    size_t count = strspn(digits, "0123456789");
    if (count == 0 || count > 18 || digits[count] != '\0') {
        return nav_fail(err, NAV_INVALID_FIELD, "the value is a whole number");
    }
    uint64_t value = strtoull(digits, NULL, 10);
    for (size_t i = 0; i < ROW_COUNT; i++) {
        const row *r = &ROWS[i];
        if (!is_called(r->name, text, length)) {
            continue;
        }
        if (value < r->least || value > r->most) {
            nav_fail(err, NAV_INVALID_FIELD, "from %llu to %llu", (unsigned long long)r->least,
                     (unsigned long long)r->most);
            nav_error_limit(err, "%llu to %llu", (unsigned long long)r->least,
                            (unsigned long long)r->most);
            return NAV_INVALID_FIELD;
        }
        *field(l, r) = value;
        return NAV_OK;
    }
    return refuse_name(text, length, err);
}

bool limits_is_mesh_name(const char *text, size_t length)
{
    return proto_text_is_name(text, length);
}

// ---- bodies in flight ----

static nav_status fail_overloaded(uint64_t limit, nav_error *err)
{
    nav_fail(err, PROTO_OVERLOADED,
             "too many bytes of requests and answers are in flight; try again");
    nav_error_limit(err, "%llu", (unsigned long long)limit);
    return PROTO_OVERLOADED;
}

// The bytes that all answers may have together.
static uint64_t answers_max(const service *s)
{
    return s->limits.bodies_in_flight_bytes / 2;
}

// Each side adds its own bytes before it reads those of the other. At least one of two that come at
// once therefore sees both, and the sum stays within the limit.
nav_status service_hold(service *s, uint64_t bytes, nav_error *err)
{
    const uint64_t limit = s->limits.bodies_in_flight_bytes;
    const uint64_t held = atomic_fetch_add(&s->requests_bytes, bytes);
    const uint64_t answers = atomic_load(&s->answers_bytes);
    const uint64_t left = limit - (answers < answers_max(s) ? answers : answers_max(s));
    if (bytes <= left && held <= left - bytes) {
        return NAV_OK;
    }
    (void)atomic_fetch_sub(&s->requests_bytes, bytes);
    return fail_overloaded(limit, err);
}

void service_give_back(service *s, uint64_t bytes)
{
    const uint64_t held = atomic_fetch_sub(&s->requests_bytes, bytes);
    NAV_ASSERT(held >= bytes); // service_hold has counted them
}

nav_status service_hold_answer(service *s, uint64_t bytes, uint64_t *held, nav_error *err)
{
    const uint64_t before = *held, limit = s->limits.bodies_in_flight_bytes;
    service_count_answer(s, bytes, held);
    const uint64_t answers = atomic_load(&s->answers_bytes);
    if (*held <= before ||
        (answers <= answers_max(s) && atomic_load(&s->requests_bytes) <= limit - answers)) {
        return NAV_OK;
    }
    service_count_answer(s, before, held);
    return fail_overloaded(limit, err);
}

void service_count_answer(service *s, uint64_t bytes, uint64_t *held)
{
    const uint64_t wanted = bytes < answers_max(s) ? bytes : answers_max(s);
    const uint64_t all = atomic_fetch_add(&s->answers_bytes, wanted - *held);
    NAV_ASSERT(all >= *held); // they have been counted
    *held = wanted;
}
