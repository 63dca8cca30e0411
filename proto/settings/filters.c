// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// filters.c: one filter as text, of a question or of the settings:
//
//   "filter":{"costs":{"water":9},"include":["walk"],"exclude":["door"]}
//   "query_filters":{"boat":{"costs":{"water":1,"ground":9},"include":["swim"],"exclude":[]}}
//
// Names stay as text: of a question's only the mesh knows what they stand for (requests/common.c),
// of the settings' their areas and flags (areas.c).

#include "proto/settings/settings.h"

#include <string.h>

static const char FLAGS_EXPECTED[] = "a list of up to 32 names of flags";

static nav_status read_flag(const proto_value *v)
{
    proto_value named = *v;
    named.element = 0; // errors are about the list
    return proto_value_keep(&named, 0, SIZE_MAX, FLAGS_EXPECTED, v->target);
}

nav_status proto_flag_names_read(const proto_value *v, const char *const **out, uint32_t *count)
{
    static const proto_each flags = {PROTO_TOKEN_LIST, NAV_FLAGS_MAX, sizeof(char *), read_flag};
    return proto_value_each(v, &flags, FLAGS_EXPECTED, out, count);
}

static nav_status read_flags(const proto_value *v)
{
    proto_filter *filter = v->target;
    return v->field->offset == offsetof(proto_filter, include)
               ? proto_flag_names_read(v, &filter->include, &filter->include_count)
               : proto_flag_names_read(v, &filter->exclude, &filter->exclude_count);
}

// One area and its cost.
static nav_status read_cost(const proto_value *v)
{
    proto_area_cost *out = v->target;
    const double cost = v->item->number;
    if (v->item->kind != PROTO_TOKEN_NUMBER || !(cost >= 1e-6 && cost <= 1e6)) {
        return proto_value_not_within(v, 1e-6, 1e6, "");
    }
    *out = (proto_area_cost){.area = proto_member_keep_name(v->member, v->memory),
                             .cost = (float)cost};
    return out->area != NULL ? NAV_OK : proto_fields_no_memory(v->err);
}

static nav_status read_costs(const proto_value *v)
{
    static const proto_each costs = {PROTO_TOKEN_OBJECT, NAV_AREAS_MAX, sizeof(proto_area_cost),
                                     read_cost};
    proto_filter *filter = v->target;
    const nav_status status =
        proto_value_each(v, &costs, "an object of up to 64 areas and their costs", &filter->costs,
                         &filter->cost_count);
    for (uint32_t i = 1; status == NAV_OK && i < filter->cost_count; i++) {
        for (uint32_t k = 0; k < i; k++) {
            if (strcmp(filter->costs[k].area, filter->costs[i].area) == 0) {
                return proto_fields_twice(
                    nav_at("%s.%.47s", proto_value_place(v).text, filter->costs[i].area).text,
                    PROTO_BAD_JSON, v->err);
            }
        }
    }
    return status;
}

nav_status proto_filter_read(const proto_value *v, proto_filter *out)
{
    static const proto_field rows[] = {
        {PROTO_ROW(READ, proto_filter, costs), .read = read_costs},
        {PROTO_ROW(READ, proto_filter, include), .read = read_flags},
        {PROTO_ROW(READ, proto_filter, exclude), .read = read_flags},
    };
    return proto_fields_read_value(PROTO_ROWS(rows), v, out, NULL);
}
