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

#include "proto/requests/requests.h"
#include "proto/settings/settings.h"

#include <stdio.h>
#include <string.h>

nav_status proto_flag_names_read(const proto_value *v, const char *const **out, uint32_t *count)
{
    static const char expected[] = "a list of up to 32 names of flags";
    uint32_t most, to = 0;
    nav_status status = proto_value_count(v, PROTO_TOKEN_LIST, NAV_FLAGS_MAX, expected, &most);
    if (status != NAV_OK) {
        return status;
    }
    const char **names = NAV_NEW(v->memory, const char *, most);
    proto_item item;
    proto_value name = *v;
    name.item = &item;
    status = names != NULL ? NAV_OK : proto_fields_no_memory(v->err);
    for (bool more = status == NAV_OK && proto_item_first(v->item, &item); more;
         more = status == NAV_OK && proto_item_next(&item)) {
        NAV_ASSERT(to < most);
        status = proto_value_keep(&name, 0, SIZE_MAX, expected, &names[to++]);
    }
    *out = names;
    *count = to;
    return status;
}

static nav_status read_flags(const proto_value *v)
{
    proto_filter *filter = v->target;
    return v->field->offset == offsetof(proto_filter, include)
               ? proto_flag_names_read(v, &filter->include, &filter->include_count)
               : proto_flag_names_read(v, &filter->exclude, &filter->exclude_count);
}

// One area and its cost; costs has room for it.
static nav_status read_cost(const proto_value *v, const proto_member *member,
                            proto_area_cost *costs, uint32_t count)
{
    char at[PROTO_PLACE_BYTES], place[160];
    const double cost = member->value.number;
    snprintf(place, sizeof place, "%.80s.%.*s", proto_value_place(v, at),
             (int)(member->name_bytes < 47 ? member->name_bytes : 47), member->name);
    if (member->value.kind != PROTO_TOKEN_NUMBER || !(cost >= 1e-6 && cost <= 1e6)) {
        return proto_item_not_within(&member->value, place, 1e-6, 1e6, "", v->err);
    }
    const char *area = proto_member_keep_name(member, v->memory);
    if (area == NULL) {
        return proto_fields_no_memory(v->err);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(costs[i].area, area) == 0) {
            return proto_fields_twice(place, PROTO_BAD_JSON, v->err);
        }
    }
    costs[count] = (proto_area_cost){.area = area, .cost = (float)cost};
    return NAV_OK;
}

static nav_status read_costs(const proto_value *v)
{
    proto_filter *filter = v->target;
    uint32_t most, count = 0;
    nav_status status = proto_value_count(v, PROTO_TOKEN_OBJECT, NAV_AREAS_MAX,
                                          "an object of up to 64 areas and their costs", &most);
    if (status != NAV_OK) {
        return status;
    }
    proto_area_cost *costs = NAV_NEW(v->memory, proto_area_cost, most);
    proto_member member;
    status = costs != NULL ? NAV_OK : proto_fields_no_memory(v->err);
    for (bool more = status == NAV_OK && proto_member_first(v->item, &member); more;
         more = status == NAV_OK && proto_member_next(&member)) {
        NAV_ASSERT(count < most);
        status = read_cost(v, &member, costs, count++);
    }
    filter->costs = costs;
    filter->cost_count = count;
    return status;
}

nav_status proto_filter_read(const proto_item *object, const char *at, nav_arena *memory,
                             proto_filter *out, nav_error *err)
{
    static const proto_field rows[] = {
        {PROTO_ROW(READ, proto_filter, costs), .read = read_costs},
        {PROTO_ROW(READ, proto_filter, include), .read = read_flags},
        {PROTO_ROW(READ, proto_filter, exclude), .read = read_flags},
    };
    char prefix[PROTO_PLACE_BYTES];
    proto_fields fields = PROTO_ROWS(rows);
    fields.memory = memory;
    *out = (proto_filter){0};
    snprintf(prefix, sizeof prefix, "%.90s.", at);
    return proto_fields_read_item(fields, object, prefix, out, NULL, err);
}
