// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// settings.c: what a file of tiles says of settings: names of its ground, sizes, areas, flags and
// links, joined with the settings that were sent. Areas and flags are numbered by their names, as
// settings that are read are: whoever reads the result again gets the same numbers.

#include "proto/detour/file.h"

#include <stdio.h>
#include <stdlib.h>

#define FLAG_BITS 32u

// ---- names ----

// TrinityCore's; its flags are one of each area.
static const struct {
    uint8_t area;
    uint8_t flag;
    const char *word;
} MMAP_WORDS[] = {{11, 0, "ground"},
                  {10, 1, "ground_steep"},
                  {9, 2, "water"},
                  {8, 3, "magma_slime"},
                  {7, 4, "road"}};
#define MMAP_WORD_COUNT (sizeof MMAP_WORDS / sizeof MMAP_WORDS[0])

static bool has_area(const proto_detour *d, uint8_t area)
{
    for (uint32_t i = 0; i < d->ground_count; i++) {
        if (d->grounds[i].area == area) {
            return true;
        }
    }
    return false;
}

static void name_area(const proto_detour *d, uint8_t area, nav_name out)
{
    // Recast marks ground by 63; RecastDemo makes that 0.
    const bool is_ground = area == PROTO_DETOUR_AREAS_MAX - 1 ||
                           (area == 0 && !has_area(d, PROTO_DETOUR_AREAS_MAX - 1));
    memset(out, 0, sizeof(nav_name));
    for (size_t i = 0; !d->is_mset && i < MMAP_WORD_COUNT; i++) {
        if (MMAP_WORDS[i].area == area) {
            (void)snprintf(out, sizeof(nav_name), "%s", MMAP_WORDS[i].word);
            return;
        }
    }
    if (d->is_mset && is_ground) {
        (void)snprintf(out, sizeof(nav_name), "ground");
    } else {
        (void)snprintf(out, sizeof(nav_name), "area_%u", area);
    }
}

void detour_name_grounds(proto_detour *d)
{
    for (uint32_t i = 0; i < d->ground_count; i++) {
        detour_ground *ground = &d->grounds[i];
        name_area(d, ground->area, ground->name);
        if (i > 0 && d->grounds[i - 1].area == ground->area) {
            const size_t length = strlen(ground->name);
            (void)snprintf(ground->name + length, sizeof ground->name - length, "_%04x",
                           ground->flags);
        }
    }
}

static void name_flag(const proto_detour *d, uint32_t bit, nav_name out)
{
    memset(out, 0, sizeof(nav_name));
    for (size_t i = 0; !d->is_mset && i < MMAP_WORD_COUNT; i++) {
        if (MMAP_WORDS[i].flag == bit) {
            (void)snprintf(out, sizeof(nav_name), "%s", MMAP_WORDS[i].word);
            return;
        }
    }
    (void)snprintf(out, sizeof(nav_name), "flag_%u", bit);
}

// ---- two lists of names become one ----

typedef struct joining {
    const proto_detour *file;
    nav_arena *memory;
    nav_config *config;
    nav_error *err;
    uint32_t bits[FLAG_BITS];                   // where each flag of the settings has gone
    uint32_t file_bits[PROTO_DETOUR_FLAGS_MAX]; // and each of the file
    uint8_t areas[NAV_AREAS_MAX];               // where each area of the settings has gone
} joining;

static nav_status no_memory(const joining *j)
{
    return nav_fail(j->err, NAV_NO_MEMORY, "no memory for the settings");
}

static nav_status too_many(const joining *j, const char *what, uint32_t limit)
{
    nav_fail_at(j->err, NAV_GEOMETRY_TOO_LARGE, what,
                "the file and the settings have more %s than the %u that there is room for", what,
                limit);
    nav_error_limit(j->err, "%u", limit);
    return NAV_GEOMETRY_TOO_LARGE;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(a, b);
}

static uint32_t find_name(nav_name *names, uint32_t count, const char *name)
{
    uint32_t at = 0;
    while (at < count && strcmp(names[at], name) != 0) {
        at++;
    }
    return at;
}

static uint32_t move_bits(const uint32_t *to, uint32_t count, uint32_t flags)
{
    uint32_t moved = 0;
    for (uint32_t bit = 0; bit < count; bit++) {
        moved |= (flags >> bit & 1) != 0 ? UINT32_C(1) << to[bit] : 0;
    }
    return moved;
}

static uint32_t file_flags(const proto_detour *d)
{
    uint32_t flags = 0;
    for (uint32_t i = 0; i < d->ground_count; i++) {
        flags |= d->grounds[i].flags;
    }
    return flags;
}

static nav_status join_flags(joining *j)
{
    nav_config *config = j->config;
    nav_name *names = NAV_NEW_ZERO(j->memory, nav_name, FLAG_BITS + PROTO_DETOUR_FLAGS_MAX);
    if (names == NULL) {
        return no_memory(j);
    }
    const uint32_t used = file_flags(j->file);
    uint32_t count = 0;
    for (; count < config->flag_count; count++) {
        memcpy(names[count], config->flag_names[count], sizeof(nav_name));
    }
    for (uint32_t bit = 0; bit < PROTO_DETOUR_FLAGS_MAX; bit++) {
        nav_name name;
        name_flag(j->file, bit, name);
        if ((used >> bit & 1) != 0 && find_name(names, count, name) == count) {
            memcpy(names[count++], name, sizeof(nav_name));
        }
    }
    if (count > NAV_FLAGS_MAX) {
        return too_many(j, "flags", NAV_FLAGS_MAX);
    }
    if (count > 1) {
        qsort(names, count, sizeof *names, compare_names);
    }
    for (uint32_t bit = 0; bit < config->flag_count; bit++) {
        j->bits[bit] = find_name(names, count, config->flag_names[bit]);
    }
    for (uint32_t bit = 0; bit < PROTO_DETOUR_FLAGS_MAX; bit++) {
        nav_name name;
        name_flag(j->file, bit, name);
        j->file_bits[bit] = find_name(names, count, name);
        j->file_bits[bit] = j->file_bits[bit] < count ? j->file_bits[bit] : 0;
    }
    config->flag_names = (const nav_name *)names;
    config->flag_count = count;
    return NAV_OK;
}

static int compare_areas(const void *a, const void *b)
{
    return strcmp(((const nav_area *)a)->name, ((const nav_area *)b)->name);
}

static uint32_t find_area(const nav_area *areas, uint32_t count, const char *name)
{
    uint32_t at = 0;
    while (at < count && strcmp(areas[at].name, name) != 0) {
        at++;
    }
    return at;
}

static nav_status join_areas(joining *j)
{
    nav_config *config = j->config;
    nav_area *areas = NAV_NEW_ZERO(j->memory, nav_area, 2 * NAV_AREAS_MAX + 2);
    if (areas == NULL) {
        return no_memory(j);
    }
    areas[NAV_AREA_NONE] = (nav_area){.name = "none", .cost = 1};
    areas[NAV_AREA_GROUND] = (nav_area){.name = "ground", .cost = 1};
    uint32_t count = 2;
    for (; config->areas != NULL && count < config->area_count; count++) {
        areas[count] = config->areas[count];
    }
    for (uint32_t i = 0; config->areas != NULL && i < count; i++) {
        areas[i] = config->areas[i];
        areas[i].flags = move_bits(j->bits, FLAG_BITS, areas[i].flags);
    }
    for (uint32_t i = 0; i < j->file->ground_count; i++) {
        const detour_ground *ground = &j->file->grounds[i];
        const uint32_t at = find_area(areas, count, ground->name);
        if (at == count) {
            areas[count].cost = 1;
            memcpy(areas[count++].name, ground->name, sizeof(nav_name));
        }
        areas[at].flags |= move_bits(j->file_bits, PROTO_DETOUR_FLAGS_MAX, ground->flags);
    }
    if (count > NAV_AREAS_MAX) {
        return too_many(j, "areas", NAV_AREAS_MAX);
    }
    qsort(areas + 2, count - 2, sizeof *areas, compare_areas);
    for (uint32_t i = 0; config->areas != NULL && i < config->area_count; i++) {
        j->areas[i] = (uint8_t)find_area(areas, count, config->areas[i].name);
    }
    j->areas[NAV_AREA_GROUND] = NAV_AREA_GROUND;
    config->areas = areas;
    config->area_count = count;
    return NAV_OK;
}

// Filters name areas and flags by their numbers, too.
static nav_status move_filters(joining *j, uint32_t area_count)
{
    nav_config *config = j->config;
    nav_named_filter *filters = NAV_NEW(j->memory, nav_named_filter, config->filter_count);
    if (filters == NULL) {
        return no_memory(j);
    }
    for (uint32_t i = 0; i < config->filter_count; i++) {
        const nav_filter *from = &config->filters[i].filter;
        filters[i] = config->filters[i];
        filters[i].filter = (nav_filter){.include = move_bits(j->bits, FLAG_BITS, from->include),
                                         .exclude = move_bits(j->bits, FLAG_BITS, from->exclude)};
        for (uint32_t area = 0; area < area_count; area++) {
            filters[i].filter.area_costs[j->areas[area]] = from->area_costs[area];
        }
    }
    config->filters = filters;
    return NAV_OK;
}

// ---- links ----

static void take_link(const joining *j, const detour_frame *frame, const proto_detour_header *h,
                      uint32_t index, nav_link *out, uint32_t *count)
{
    const proto_detour *d = j->file;
    const detour_sections s = detour_sections_of(h, frame->link_bytes);
    proto_detour_connection c;
    proto_detour_polygon polygon;
    detour_get(d, frame, s.connections, index, &c, sizeof c);
    if (c.polygon >= h->polygon_count) {
        return; // tile.c refuses it
    }
    detour_get(d, frame, s.polygons, c.polygon, &polygon, sizeof polygon);
    const uint32_t ground =
        detour_ground_of(d, polygon.area_and_kind & (PROTO_DETOUR_AREAS_MAX - 1), polygon.flags);
    if (ground == NAV_NONE) {
        return;
    }
    nav_link link = {.radius = c.radius,
                     .bidirectional = (c.flags & PROTO_DETOUR_LINK_BOTH_WAYS) != 0,
                     .area = (uint8_t)find_area(j->config->areas, j->config->area_count,
                                                d->grounds[ground].name)};
    memcpy(link.start, c.start, sizeof link.start);
    memcpy(link.end, c.end, sizeof link.end);
    if (c.user_id != 0) {
        (void)snprintf(link.id, sizeof link.id, "%u", c.user_id);
    }
    out[(*count)++] = link;
}

static nav_status join_links(joining *j)
{
    nav_config *config = j->config;
    const proto_detour *d = j->file;
    const size_t capacity = (size_t)config->link_count + d->numbers.links;
    if (capacity > NAV_LINKS_MAX) {
        return too_many(j, "links", NAV_LINKS_MAX);
    }
    nav_link *links = NAV_NEW(j->memory, nav_link, capacity);
    if (links == NULL) {
        return no_memory(j);
    }
    uint32_t count = 0;
    for (; count < config->link_count; count++) {
        links[count] = config->links[count];
        links[count].area = j->areas[links[count].area];
        links[count].flags = move_bits(j->bits, FLAG_BITS, links[count].flags);
    }
    for (uint32_t i = 0; i < d->frame_count; i++) {
        const proto_detour_header h = detour_header(d, &d->frames[i]);
        for (uint32_t k = 0; k < h.connection_count; k++) {
            take_link(j, &d->frames[i], &h, k, links, &count);
        }
    }
    config->links = links;
    config->link_count = count;
    return NAV_OK;
}

// ---- exported ----

static nav_status refuse_setting(const char *at, nav_error *err)
{
    return nav_fail_at(err, NAV_INVALID_FIELD, at,
                       "%s is a setting of a bake: tiles of Detour's are taken as they are", at);
}

static nav_status check_sent(const nav_config *config, nav_error *err)
{
    if (config->volume_count > 0) {
        return refuse_setting("volumes", err);
    }
    if (config->agent_count > 0) {
        return refuse_setting("agents", err);
    }
    if (config->material_count > 0) {
        return refuse_setting("materials", err);
    }
    if (config->has_bounds) {
        return refuse_setting("bounds", err);
    }
    for (uint32_t i = 0; i < config->switch_count; i++) {
        if (config->switches[i].shape_count > 0) {
            return refuse_setting("switches", err);
        }
    }
    return NAV_OK;
}

nav_status proto_detour_settings(const proto_detour *d, nav_arena *memory, nav_config *config,
                                 nav_error *err)
{
    nav_config made = *config;
    joining j = {.file = d, .memory = memory, .config = &made, .err = err};
    const uint32_t area_count = config->areas != NULL ? config->area_count : 0;
    nav_status status = check_sent(config, err);
    // Small islands stay: the file's program has decided on them.
    const double cell = d->cells_per_unit > 0.0f ? 1.0 / (double)d->cells_per_unit : 0;
    made.agent_height = d->agent_height;
    made.agent_radius = d->agent_radius;
    made.agent_max_climb = d->agent_max_climb;
    if (cell >= NAV_CELL_SIZE_MIN && cell <= NAV_CELL_SIZE_MAX) {
        made.cell_size = (float)cell;
    }
    made.region_min_size = 0;
    NAV_IF_OK(status, join_flags(&j));
    NAV_IF_OK(status, join_areas(&j));
    NAV_IF_OK(status, move_filters(&j, area_count));
    NAV_IF_OK(status, join_links(&j));
    NAV_IF_OK(status, nav_config_check(&made, err));
    if (status == NAV_OK) {
        *config = made;
    }
    return status;
}
