// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// fields_own.c: what readers of their own share, which a field names where its value is more than
// one of the types that fields_values.c knows: errors, and lists of numbers.

#include "proto/json/fields_values.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>

nav_status proto_fields_invalid(const cJSON *item, const char *at, const char *expected,
                                nav_error *err)
{
    nav_fail(err, NAV_INVALID_FIELD, "%s must be %s", at, expected);
    nav_error_at(err, "%s", at);
    proto_value_got(err, item);
    return NAV_INVALID_FIELD;
}

nav_status proto_fields_not_within(const cJSON *item, const char *at, double least, double most,
                                   const char *more, nav_error *err)
{
    char expected[96];
    snprintf(expected, sizeof expected, "a number from %.10g to %.10g%s", least, most, more);
    nav_status status = proto_fields_invalid(item, at, expected, err);
    if (cJSON_IsNumber(item)) {
        nav_error_limit(err, "%.10g", item->valuedouble > most ? most : least);
    }
    return status;
}

nav_status proto_fields_too_many(const char *at, uint32_t count, uint32_t limit, nav_error *err)
{
    nav_fail(err, NAV_INVALID_FIELD, "%s has more than %u entries", at, limit);
    nav_error_at(err, "%s", at);
    nav_error_got(err, "%u", count);
    nav_error_limit(err, "%u", limit);
    return NAV_INVALID_FIELD;
}

nav_status proto_fields_numbers(const cJSON *item, const char *at, uint32_t count, double limit,
                                float *out, nav_error *err)
{
    const cJSON *element = cJSON_IsArray(item) ? item->child : NULL;
    char expected[64];
    snprintf(expected, sizeof expected, "%u finite numbers", count);
    for (uint32_t i = 0; i < count; i++) {
        char place[112];
        snprintf(place, sizeof place, "%.95s[%u]", at, i);
        if (element == NULL) {
            return proto_fields_invalid(item, at, expected, err);
        }
        double number = element->valuedouble;
        if (!cJSON_IsNumber(element) || !isfinite((float)number)) {
            return proto_fields_invalid(element, place, "a finite number", err);
        }
        if (limit > 0 && fabs(number) > limit) {
            snprintf(expected, sizeof expected, "within -%.10g and %.10g", limit, limit);
            nav_status status = proto_fields_invalid(element, place, expected, err);
            nav_error_limit(err, "%.10g", number < 0 ? -limit : limit);
            return status;
        }
        out[i] = (float)number + 0.0f; // -0 becomes 0
        element = element->next;
    }
    return element == NULL ? NAV_OK : proto_fields_invalid(item, at, expected, err);
}
