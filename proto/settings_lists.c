// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// settings_lists.c: the settings that are lists and objects of objects: areas, materials, volumes,
// links, seeds, bounds, low passages. Each element is read by a table of its own.
//
// Areas and flags are numbered in the order of their names, so that equal settings give equal
// numbers, however the JSON was ordered:
//
//   flags of areas and links --> sorted --> bit 0, 1, 2 ...
//   areas --> 0 "none", 1 "ground", the others sorted --> 2, 3 ...
//   materials, volumes, links, low passages --> name an area

#include "proto/settings.h"
#include "proto/text.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COORDINATE_LIMIT ((double)NAV_COORDINATE_MAX)
#define LINK_RADIUS_DEFAULT 0.6f

typedef struct reader {
    nav_config *config;
    nav_arena *memory;
    nav_error *err;
    nav_name flags[NAV_FLAGS_MAX]; // sorted
} reader;

void proto_settings_clear_lists(nav_config *config)
{
    config->areas = NULL;
    config->flag_names = NULL;
    config->materials = NULL;
    config->volumes = NULL;
    config->links = NULL;
    config->seeds = NULL;
    config->area_count = config->flag_count = config->material_count = 0;
    config->volume_count = config->link_count = config->seed_count = 0;
    config->low_height_area = NAV_AREA_NONE;
    config->low_height_min = 0;
    config->low_height_single = false;
}

// ---- what all lists need ----

static nav_status no_memory(const reader *r)
{
    return nav_fail(r->err, NAV_NO_MEMORY, "no memory for the settings");
}

static nav_status read_name(const reader *r, const char *text, const char *at, bool may_be_empty,
                            nav_name out)
{
    size_t length = strlen(text);
    bool printable = true;
    for (size_t i = 0; i < length; i++) {
        printable = printable && (uint8_t)text[i] >= 0x20 && text[i] != 0x7f;
    }
    if (length > NAV_NAME_MAX || (length == 0 && !may_be_empty) || !printable) {
        nav_fail(r->err, NAV_INVALID_FIELD,
                 "%.95s must be a name of 1 to %d bytes without control characters", at,
                 NAV_NAME_MAX);
        nav_error_at(r->err, "%.95s", at);
        nav_error_got(r->err, "%.63s", text);
        nav_error_limit(r->err, "%d", NAV_NAME_MAX);
        return NAV_INVALID_FIELD;
    }
    memset(out, 0, sizeof(nav_name));
    memcpy(out, text, length);
    return NAV_OK;
}

static nav_status too_many(const reader *r, const char *at, uint32_t count, uint32_t limit)
{
    nav_fail(r->err, NAV_INVALID_FIELD, "%s has more than %u entries", at, limit);
    nav_error_at(r->err, "%s", at);
    nav_error_got(r->err, "%u", count);
    nav_error_limit(r->err, "%u", limit);
    return NAV_INVALID_FIELD;
}

// How many elements a list has; *count is 0 where it was not given.
static nav_status count_list(const reader *r, const cJSON *list, const char *at, uint32_t limit,
                             uint32_t *count)
{
    *count = 0;
    if (list == NULL) {
        return NAV_OK;
    }
    if (!cJSON_IsArray(list)) {
        return proto_fields_invalid(list, at, "a list", r->err);
    }
    *count = (uint32_t)cJSON_GetArraySize(list);
    return *count <= limit ? NAV_OK : too_many(r, at, *count, limit);
}

static int compare_members(const void *a, const void *b)
{
    return strcmp((*(const cJSON *const *)a)->string, (*(const cJSON *const *)b)->string);
}

// The members of an object in the order of their names; a name that appears twice is an error.
static nav_status sort_members(const reader *r, const cJSON *object, const char *at, uint32_t limit,
                               const cJSON ***out, uint32_t *count)
{
    if (!cJSON_IsObject(object)) {
        return proto_fields_invalid(object, at, "an object", r->err);
    }
    *count = (uint32_t)cJSON_GetArraySize(object);
    if (*count > limit) {
        return too_many(r, at, *count, limit);
    }
    const cJSON **members = NAV_NEW(r->memory, const cJSON *, *count);
    if (members == NULL) {
        return no_memory(r);
    }
    uint32_t to = 0;
    const cJSON *member;
    cJSON_ArrayForEach(member, object)
    {
        members[to++] = member;
    }
    if (to > 1) {
        qsort(members, to, sizeof *members, compare_members);
    }
    for (uint32_t i = 1; i < to; i++) {
        if (strcmp(members[i - 1]->string, members[i]->string) == 0) {
            return proto_fields_twice(members[i]->string, NAV_BAD_JSON, r->err);
        }
    }
    *out = members;
    return NAV_OK;
}

// ---- flags ----

// Where a flag is, or would have to be inserted.
static uint32_t flag_place(const reader *r, const char *name)
{
    uint32_t i = 0;
    while (i < r->config->flag_count && strcmp(r->flags[i], name) < 0) {
        i++;
    }
    return i;
}

static nav_status collect_flag(reader *r, const char *name, const char *at)
{
    uint32_t count = r->config->flag_count;
    uint32_t i = flag_place(r, name);
    if (i < count && strcmp(r->flags[i], name) == 0) {
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
    nav_status status = read_name(r, name, at, false, checked);
    if (status == NAV_OK) {
        memmove(r->flags + i + 1, r->flags + i, (count - i) * sizeof r->flags[0]);
        memcpy(r->flags[i], checked, sizeof checked);
        r->config->flag_count++;
    }
    return status;
}

// Collects the flags of all elements of a list or object. What has another form is left to the
// element's own reading.
static nav_status collect_flags(reader *r, const cJSON *list, const char *at)
{
    nav_status status = NAV_OK;
    for (const cJSON *element = list != NULL ? list->child : NULL; element != NULL;
         element = element->next) {
        const cJSON *flags = cJSON_GetObjectItemCaseSensitive(element, "flags");
        const cJSON *flag = cJSON_IsArray(flags) ? flags->child : NULL;
        for (; flag != NULL && status == NAV_OK; flag = flag->next) {
            status = cJSON_IsString(flag) ? collect_flag(r, flag->valuestring, at) : NAV_OK;
        }
        if (status != NAV_OK) {
            break;
        }
    }
    return status;
}

static nav_status keep_flags(reader *r)
{
    uint32_t count = r->config->flag_count;
    nav_name *names = NAV_NEW(r->memory, nav_name, count);
    if (names == NULL) {
        return no_memory(r);
    }
    memcpy(names, r->flags, count * sizeof *names);
    r->config->flag_names = count > 0 ? (const nav_name *)names : NULL;
    return NAV_OK;
}

// A list of names, collected before, to bits. list NULL: none.
static nav_status read_flags(const reader *r, const cJSON *list, const char *prefix, uint32_t *out)
{
    char at[96];
    snprintf(at, sizeof at, "%sflags", prefix);
    *out = 0;
    if (list == NULL) {
        return NAV_OK;
    }
    if (!cJSON_IsArray(list)) {
        return proto_fields_invalid(list, at, "a list of names", r->err);
    }
    for (const cJSON *flag = list->child; flag != NULL; flag = flag->next) {
        if (!cJSON_IsString(flag)) {
            return proto_fields_invalid(flag, at, "a list of names", r->err);
        }
        *out |= UINT32_C(1) << flag_place(r, flag->valuestring);
    }
    return NAV_OK;
}

// ---- areas and what names them ----

typedef struct area_fields {
    float cost;
    bool liquid;
    const cJSON *flags;
} area_fields;

static const proto_field AREA_ROWS[] = {
    {.name = "cost",
     .type = PROTO_FIELD_FLOAT,
     .offset = offsetof(area_fields, cost),
     .min = 1e-6,
     .max = 1e6},
    {.name = "flags", .type = PROTO_FIELD_TREE, .offset = offsetof(area_fields, flags)},
    {.name = "liquid", .type = PROTO_FIELD_BOOL, .offset = offsetof(area_fields, liquid)},
};

static nav_status read_area(const reader *r, const cJSON *member, nav_area *out)
{
    char prefix[96];
    nav_status status = read_name(r, member->string, "areas", false, out->name);
    if (status != NAV_OK) {
        return status;
    }
    if (strcmp(out->name, "none") == 0) {
        return proto_fields_invalid(member, "areas.none",
                                    "left out: it is what cannot be walked on", r->err);
    }
    snprintf(prefix, sizeof prefix, "areas.%s.", out->name);
    area_fields fields = {.cost = 1};
    uint64_t seen;
    status = proto_fields_read_tree((proto_fields){AREA_ROWS, 3}, member, prefix, &fields, &seen,
                                    r->err);
    out->cost = fields.cost;
    out->liquid = fields.liquid;
    return status == NAV_OK ? read_flags(r, fields.flags, prefix, &out->flags) : status;
}

static nav_status read_areas(reader *r, const cJSON *object)
{
    const cJSON **members;
    uint32_t count;
    nav_status status = sort_members(r, object, "areas", NAV_AREAS_MAX - 1, &members, &count);
    if (status != NAV_OK) {
        return status;
    }
    nav_area *areas = NAV_NEW_ZERO(r->memory, nav_area, (size_t)count + 2);
    if (areas == NULL) {
        return no_memory(r);
    }
    areas[NAV_AREA_NONE] = (nav_area){.name = "none", .cost = 1};
    areas[NAV_AREA_GROUND] = (nav_area){.name = "ground", .cost = 1};
    uint32_t to = NAV_AREA_GROUND + 1;
    for (uint32_t i = 0; status == NAV_OK && i < count; i++) {
        bool ground = strcmp(members[i]->string, "ground") == 0;
        status = read_area(r, members[i], &areas[ground ? NAV_AREA_GROUND : to]);
        to += ground ? 0 : 1;
    }
    if (status == NAV_OK && to > NAV_AREAS_MAX) {
        return too_many(r, "areas", to - 1, NAV_AREAS_MAX - 1);
    }
    r->config->areas = areas;
    r->config->area_count = to;
    return status;
}

static nav_status find_area(const reader *r, const char *name, const char *at, uint8_t *out)
{
    static const char *const always[] = {"none", "ground"};
    const nav_config *config = r->config;
    uint32_t count = config->areas != NULL ? config->area_count : 2;
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(name, config->areas != NULL ? config->areas[i].name : always[i]) == 0) {
            *out = (uint8_t)i;
            return NAV_OK;
        }
    }
    nav_fail(r->err, NAV_INVALID_FIELD, "%s: there is no area \"%.47s\" in areas", at, name);
    nav_error_at(r->err, "%s", at);
    nav_error_got(r->err, "%.63s", name);
    return NAV_INVALID_FIELD;
}

// Area of a member called "area"; NAV_AREA_NONE is refused where it makes no sense.
static nav_status find_walkable(const reader *r, const char *name, const char *at, uint8_t *out)
{
    nav_status status = find_area(r, name, at, out);
    if (status == NAV_OK && *out == NAV_AREA_NONE) {
        nav_fail(r->err, NAV_INVALID_FIELD, "%s must be an area that can be walked on", at);
        nav_error_at(r->err, "%s", at);
        nav_error_got(r->err, "%.63s", name);
        return NAV_INVALID_FIELD;
    }
    return status;
}

static nav_status read_materials(reader *r, const cJSON *object)
{
    const cJSON **members;
    uint32_t count;
    nav_status status = sort_members(r, object, "materials", NAV_MATERIALS_MAX, &members, &count);
    if (status != NAV_OK) {
        return status;
    }
    nav_material *materials = NAV_NEW(r->memory, nav_material, count);
    if (materials == NULL) {
        return no_memory(r);
    }
    for (uint32_t i = 0; status == NAV_OK && i < count; i++) {
        char at[96];
        snprintf(at, sizeof at, "materials.%.47s", members[i]->string);
        status = read_name(r, members[i]->string, "materials", false, materials[i].name);
        if (status == NAV_OK && !cJSON_IsString(members[i])) {
            status = proto_fields_invalid(members[i], at, "the name of an area", r->err);
        }
        if (status == NAV_OK) {
            status = find_area(r, members[i]->valuestring, at, &materials[i].area);
        }
    }
    r->config->materials = materials;
    r->config->material_count = count;
    return status;
}

typedef struct low_height_fields {
    const char *area;
    float min_height;
    bool single;
} low_height_fields;

static const proto_field LOW_HEIGHT_ROWS[] = {
    {.name = "area",
     .type = PROTO_FIELD_STRING,
     .offset = offsetof(low_height_fields, area),
     .required = true},
    {.name = "min_height",
     .type = PROTO_FIELD_FLOAT,
     .offset = offsetof(low_height_fields, min_height),
     .min = 1e-6,
     .max = 1e4,
     .required = true},
    {.name = "single", .type = PROTO_FIELD_BOOL, .offset = offsetof(low_height_fields, single)},
};

static nav_status read_low_height(reader *r, const cJSON *object)
{
    low_height_fields fields = {0};
    uint64_t seen;
    nav_status status = proto_fields_read_tree((proto_fields){LOW_HEIGHT_ROWS, 3}, object,
                                               "filters.low_height.", &fields, &seen, r->err);
    if (status != NAV_OK) {
        return status;
    }
    r->config->low_height_min = fields.min_height;
    r->config->low_height_single = fields.single;
    return find_walkable(r, fields.area, "filters.low_height.area", &r->config->low_height_area);
}

// ---- volumes ----

typedef struct volume_fields {
    unsigned shape;
    const char *area;
    const cJSON *points;
    float min_y, max_y;
    float min[3], max[3], center[3];
    float radius, height;
} volume_fields;

static const char *const SHAPE_WORDS[] = {[NAV_VOLUME_CONVEX] = "convex",
                                          [NAV_VOLUME_BOX] = "box",
                                          [NAV_VOLUME_CYLINDER] = "cylinder",
                                          NULL};

#define VOLUME_ROW(member, kind, least, most)                                                      \
    {                                                                                              \
        .name = #member, .type = kind, .offset = offsetof(volume_fields, member), .min = least,    \
        .max = most                                                                                \
    }

enum {
    SHAPE,
    AREA,
    POINTS,
    MIN_Y,
    MAX_Y,
    MIN,
    MAX,
    CENTER,
    RADIUS,
    HEIGHT,
    VOLUME_ROWS_COUNT
};

static const proto_field VOLUME_ROWS[VOLUME_ROWS_COUNT] = {
    [SHAPE] = {.name = "shape",
               .type = PROTO_FIELD_CHOICE,
               .offset = offsetof(volume_fields, shape),
               .words = SHAPE_WORDS,
               .required = true},
    [AREA] = {.name = "area",
              .type = PROTO_FIELD_STRING,
              .offset = offsetof(volume_fields, area),
              .required = true},
    [POINTS] = VOLUME_ROW(points, PROTO_FIELD_TREE, 0, 0),
    [MIN_Y] = VOLUME_ROW(min_y, PROTO_FIELD_FLOAT, -COORDINATE_LIMIT, COORDINATE_LIMIT),
    [MAX_Y] = VOLUME_ROW(max_y, PROTO_FIELD_FLOAT, -COORDINATE_LIMIT, COORDINATE_LIMIT),
    [MIN] = VOLUME_ROW(min, PROTO_FIELD_POINT, -COORDINATE_LIMIT, COORDINATE_LIMIT),
    [MAX] = VOLUME_ROW(max, PROTO_FIELD_POINT, -COORDINATE_LIMIT, COORDINATE_LIMIT),
    [CENTER] = VOLUME_ROW(center, PROTO_FIELD_POINT, -COORDINATE_LIMIT, COORDINATE_LIMIT),
    [RADIUS] = VOLUME_ROW(radius, PROTO_FIELD_FLOAT, 0, COORDINATE_LIMIT),
    [HEIGHT] = VOLUME_ROW(height, PROTO_FIELD_FLOAT, 0, COORDINATE_LIMIT),
};

// The members that each shape must have and that no other may have.
static const uint64_t SHAPE_MEMBERS[] = {
    [NAV_VOLUME_CONVEX] = 1u << POINTS | 1u << MIN_Y | 1u << MAX_Y,
    [NAV_VOLUME_BOX] = 1u << MIN | 1u << MAX,
    [NAV_VOLUME_CYLINDER] = 1u << CENTER | 1u << RADIUS | 1u << HEIGHT,
};

static nav_status check_members(const reader *r, unsigned shape, uint64_t seen, const char *prefix)
{
    uint64_t wanted = SHAPE_MEMBERS[shape] | 1u << SHAPE | 1u << AREA;
    for (uint32_t row = 0; row < VOLUME_ROWS_COUNT; row++) {
        char at[96];
        snprintf(at, sizeof at, "%s%s", prefix, VOLUME_ROWS[row].name);
        bool is_wanted = (wanted >> row & 1) != 0, is_seen = (seen >> row & 1) != 0;
        if (is_seen && !is_wanted) {
            return proto_fields_unknown(at, r->err);
        }
        if (is_wanted && !is_seen) {
            nav_fail(r->err, NAV_INVALID_FIELD, "%s is missing", at);
            nav_error_at(r->err, "%s", at);
            return NAV_INVALID_FIELD;
        }
    }
    return NAV_OK;
}

// Points in plan view: x and z, or x and y of a level with Z up.
static nav_status read_outline(const reader *r, const cJSON *list, const char *prefix,
                               nav_volume *out)
{
    char at[96];
    snprintf(at, sizeof at, "%spoints", prefix);
    uint32_t count;
    nav_status status = count_list(r, list, at, NAV_VOLUME_POINTS_MAX, &count);
    if (status == NAV_OK && count < 3) {
        status = proto_fields_invalid(list, at, "a list of 3 to 256 points", r->err);
    }
    if (status != NAV_OK) {
        return status;
    }
    float(*points)[2] = nav_arena_alloc(r->memory, count, sizeof *points);
    if (points == NULL) {
        return no_memory(r);
    }
    uint32_t i = 0;
    for (const cJSON *point = list->child; status == NAV_OK && point != NULL; point = point->next) {
        char place[112];
        snprintf(place, sizeof place, "%s[%u]", at, i);
        status = proto_fields_numbers(point, place, 2, COORDINATE_LIMIT, points[i], r->err);
        if (r->config->coordinates == NAV_COORDINATES_Z_UP && status == NAV_OK) {
            points[i][1] = 0.0f - points[i][1];
        }
        i++;
    }
    out->points = (const float(*)[2])points;
    out->point_count = count;
    return status;
}

static nav_status read_volume(const reader *r, const cJSON *item, const char *prefix,
                              nav_volume *out)
{
    volume_fields f = {0};
    uint64_t seen;
    char at[96];
    nav_coordinates coordinates = r->config->coordinates;
    nav_status status = proto_fields_read_tree((proto_fields){VOLUME_ROWS, VOLUME_ROWS_COUNT}, item,
                                               prefix, &f, &seen, r->err);
    if (status == NAV_OK) {
        status = check_members(r, f.shape, seen, prefix);
    }
    snprintf(at, sizeof at, "%sarea", prefix);
    if (status == NAV_OK) {
        status = find_area(r, f.area, at, &out->area);
    }
    if (status != NAV_OK) {
        return status;
    }
    out->shape = (nav_volume_shape)f.shape;
    switch (out->shape) {
    case NAV_VOLUME_CONVEX:
        out->min[1] = f.min_y;
        out->max[1] = f.max_y;
        return read_outline(r, f.points, prefix, out);
    case NAV_VOLUME_BOX:
        memcpy(out->min, f.min, sizeof f.min);
        memcpy(out->max, f.max, sizeof f.max);
        proto_box_to_mesh(coordinates, out->min, out->max);
        break;
    case NAV_VOLUME_CYLINDER:
        proto_to_mesh(coordinates, f.center);
        memcpy(out->min, f.center, sizeof f.center);
        memcpy(out->max, f.center, sizeof f.center);
        out->max[1] = f.center[1] + f.height;
        out->radius = f.radius;
        break;
    }
    return NAV_OK;
}

static nav_status read_volumes(reader *r, const cJSON *list)
{
    uint32_t count;
    nav_status status = count_list(r, list, "volumes", NAV_VOLUMES_MAX, &count);
    nav_volume *volumes = NAV_NEW_ZERO(r->memory, nav_volume, count);
    if (status == NAV_OK && volumes == NULL) {
        return no_memory(r);
    }
    const cJSON *item = list != NULL ? list->child : NULL;
    for (uint32_t i = 0; status == NAV_OK && i < count; i++, item = item->next) {
        char prefix[32];
        snprintf(prefix, sizeof prefix, "volumes[%u].", i);
        status = read_volume(r, item, prefix, &volumes[i]);
    }
    r->config->volumes = volumes;
    r->config->volume_count = count;
    return status;
}

// ---- links, seeds, bounds ----

typedef struct link_fields {
    float start[3], end[3];
    float radius;
    bool bidirectional;
    const char *area, *id;
    const cJSON *flags;
} link_fields;

#define LINK_ROW(member, kind, least, most, needed)                                                \
    {                                                                                              \
        .name = #member, .type = kind, .offset = offsetof(link_fields, member), .min = least,      \
        .max = most, .required = needed                                                            \
    }

static const proto_field LINK_ROWS[] = {
    LINK_ROW(start, PROTO_FIELD_POINT, -COORDINATE_LIMIT, COORDINATE_LIMIT, true),
    LINK_ROW(end, PROTO_FIELD_POINT, -COORDINATE_LIMIT, COORDINATE_LIMIT, true),
    LINK_ROW(radius, PROTO_FIELD_FLOAT, 0, 1e4, false),
    LINK_ROW(bidirectional, PROTO_FIELD_BOOL, 0, 0, false),
    LINK_ROW(area, PROTO_FIELD_STRING, 0, 0, false),
    LINK_ROW(flags, PROTO_FIELD_TREE, 0, 0, false),
    LINK_ROW(id, PROTO_FIELD_STRING, 0, 0, false),
};

static nav_status read_link(const reader *r, const cJSON *item, uint32_t index, nav_link *out)
{
    link_fields f = {
        .radius = LINK_RADIUS_DEFAULT, .bidirectional = true, .area = "ground", .id = ""};
    uint64_t seen;
    char prefix[32], area_at[48], id_at[48];
    snprintf(prefix, sizeof prefix, "links[%u].", index);
    snprintf(area_at, sizeof area_at, "%sarea", prefix);
    snprintf(id_at, sizeof id_at, "%sid", prefix);
    const proto_fields rows = {LINK_ROWS, sizeof LINK_ROWS / sizeof LINK_ROWS[0]};
    nav_status status = proto_fields_read_tree(rows, item, prefix, &f, &seen, r->err);
    if (status == NAV_OK) {
        status = find_walkable(r, f.area, area_at, &out->area);
    }
    if (status == NAV_OK) {
        status = read_name(r, f.id, id_at, true, out->id);
    }
    if (status == NAV_OK) {
        status = read_flags(r, f.flags, prefix, &out->flags);
    }
    proto_to_mesh(r->config->coordinates, f.start);
    proto_to_mesh(r->config->coordinates, f.end);
    memcpy(out->start, f.start, sizeof f.start);
    memcpy(out->end, f.end, sizeof f.end);
    out->radius = f.radius;
    out->bidirectional = f.bidirectional;
    return status;
}

static nav_status read_links(reader *r, const cJSON *list)
{
    uint32_t count;
    nav_status status = count_list(r, list, "links", NAV_LINKS_MAX, &count);
    nav_link *links = NAV_NEW_ZERO(r->memory, nav_link, count);
    if (status == NAV_OK && links == NULL) {
        return no_memory(r);
    }
    const cJSON *item = list != NULL ? list->child : NULL;
    for (uint32_t i = 0; status == NAV_OK && i < count; i++, item = item->next) {
        status = read_link(r, item, i, &links[i]);
    }
    r->config->links = links;
    r->config->link_count = count;
    return status;
}

static nav_status read_seeds(reader *r, const cJSON *list)
{
    uint32_t count;
    nav_status status = count_list(r, list, "seeds", NAV_SEEDS_MAX, &count);
    float(*seeds)[3] = nav_arena_alloc(r->memory, count, sizeof *seeds);
    if (status == NAV_OK && seeds == NULL) {
        return no_memory(r);
    }
    const cJSON *item = list != NULL ? list->child : NULL;
    for (uint32_t i = 0; status == NAV_OK && i < count; i++, item = item->next) {
        char at[32];
        snprintf(at, sizeof at, "seeds[%u]", i);
        status = proto_fields_numbers(item, at, 3, COORDINATE_LIMIT, seeds[i], r->err);
        if (status == NAV_OK) {
            proto_to_mesh(r->config->coordinates, seeds[i]);
        }
    }
    r->config->seeds = (const float(*)[3])seeds;
    r->config->seed_count = count;
    return status;
}

typedef struct bounds_fields {
    float min[3], max[3];
} bounds_fields;

static const proto_field BOUNDS_ROWS[] = {
    {.name = "min",
     .type = PROTO_FIELD_POINT,
     .offset = offsetof(bounds_fields, min),
     .min = -COORDINATE_LIMIT,
     .max = COORDINATE_LIMIT,
     .required = true},
    {.name = "max",
     .type = PROTO_FIELD_POINT,
     .offset = offsetof(bounds_fields, max),
     .min = -COORDINATE_LIMIT,
     .max = COORDINATE_LIMIT,
     .required = true},
};

static nav_status read_bounds(reader *r, const cJSON *object)
{
    r->config->has_bounds = !cJSON_IsNull(object);
    if (!r->config->has_bounds) {
        return NAV_OK;
    }
    bounds_fields f;
    uint64_t seen;
    nav_status status = proto_fields_read_tree((proto_fields){BOUNDS_ROWS, 2}, object, "bounds.",
                                               &f, &seen, r->err);
    if (status == NAV_OK) {
        proto_box_to_mesh(r->config->coordinates, f.min, f.max);
        memcpy(r->config->bounds_min, f.min, sizeof f.min);
        memcpy(r->config->bounds_max, f.max, sizeof f.max);
    }
    return status;
}

nav_status proto_settings_read_lists(proto_settings *settings, nav_arena *memory, nav_error *err)
{
    reader r = {.config = &settings->config, .memory = memory, .err = err};
    nav_status status = collect_flags(&r, settings->areas, "areas");
    if (status == NAV_OK) {
        status = collect_flags(&r, settings->links, "links");
    }
    if (status == NAV_OK) {
        status = keep_flags(&r);
    }
    // Areas first: the others name them.
    const struct {
        const cJSON *tree;
        nav_status (*read)(reader *r, const cJSON *tree);
    } lists[] = {
        {settings->areas, read_areas},     {settings->low_height, read_low_height},
        {settings->bounds, read_bounds},   {settings->materials, read_materials},
        {settings->volumes, read_volumes}, {settings->links, read_links},
        {settings->seeds, read_seeds},
    };
    for (size_t i = 0; status == NAV_OK && i < sizeof lists / sizeof lists[0]; i++) {
        status = lists[i].tree != NULL ? lists[i].read(&r, lists[i].tree) : NAV_OK;
    }
    return status;
}
