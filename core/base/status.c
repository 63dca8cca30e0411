// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// status.c: how an error is filled; the words of stages, warnings and verdicts.

#include "core/nav.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

const char *nav_stage_word(nav_stage stage)
{
    static const char *const words[NAV_STAGE_COUNT] = {
#define X(name, word) [name] = word,
        NAV_STAGE_TABLE(X)
#undef X
    };
    NAV_ASSERT((unsigned)stage < NAV_STAGE_COUNT);
    return words[stage];
}

const char *nav_warning_word(nav_warning_code code)
{
    static const char *const words[NAV_WARNING_COUNT] = {
#define X(name, word) [name] = word,
        NAV_WARNING_TABLE(X)
#undef X
    };
    NAV_ASSERT((unsigned)code < NAV_WARNING_COUNT);
    return words[code];
}

const char *nav_verdict_word(nav_verdict verdict)
{
    static const char *const words[NAV_VERDICT_COUNT] = {
#define X(name, word) [name] = word,
        NAV_VERDICT_TABLE(X)
#undef X
    };
    NAV_ASSERT((unsigned)verdict < NAV_VERDICT_COUNT);
    return words[verdict];
}

#define FILL_MEMBER(member)                                                                        \
    if (err != NULL) {                                                                             \
        va_list args;                                                                              \
        va_start(args, format);                                                                    \
        vsnprintf(err->member, sizeof err->member, format, args);                                  \
        va_end(args);                                                                              \
    }

nav_error_place nav_at(const char *format, ...)
{
    nav_error_place place;
    va_list args;
    va_start(args, format);
    vsnprintf(place.text, sizeof place.text, format, args);
    va_end(args);
    return place;
}

nav_status nav_fail(nav_error *err, nav_status status, const char *format, ...)
{
    if (err != NULL) {
        *err = (nav_error){.status = status};
    }
    FILL_MEMBER(detail)
    return status;
}

nav_status nav_fail_at(nav_error *err, nav_status status, const char *at, const char *format, ...)
{
    if (err != NULL) {
        *err = (nav_error){.status = status};
    }
    FILL_MEMBER(detail)
    nav_error_at(err, "%s", at);
    return status;
}

nav_status nav_fail_bound(nav_error *err, nav_status status, const char *at, uint64_t got,
                          uint64_t limit, const char *format, ...)
{
    nav_fail_at(err, status, at, "%s", format);
    FILL_MEMBER(detail)
    nav_error_got(err, "%llu", (unsigned long long)got);
    nav_error_limit(err, "%llu", (unsigned long long)limit);
    return status;
}

void nav_error_at(nav_error *err, const char *format, ...)
{
    FILL_MEMBER(at)
}

void nav_error_got(nav_error *err, const char *format, ...)
{
    FILL_MEMBER(got)
}

void nav_error_limit(nav_error *err, const char *format, ...)
{
    FILL_MEMBER(limit)
}

void nav_error_suggest(nav_error *err, const char *format, ...)
{
    FILL_MEMBER(suggest)
}

void nav_assert_failed(const char *condition, const char *file, int line)
{
    fprintf(stderr, "navmesh: assertion failed: %s (%s:%d)\n", condition, file, line);
    abort();
}

void nav_warning_add(nav_warning *warning, const float position[3], float value, const char *name)
{
    warning->count++;
    if (warning->item_count == NAV_WARNING_ITEMS_MAX) {
        return;
    }
    struct nav_warning_item *item = &warning->items[warning->item_count++];
    *item = (struct nav_warning_item){.position = {position[0], position[1], position[2]},
                                      .value = value};
    snprintf(item->name, sizeof item->name, "%s", name != NULL ? name : "");
}
