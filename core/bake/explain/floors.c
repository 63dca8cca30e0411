// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// floors.c: the floors of each column that is looked at, from the voxels to the areas: which stage
// takes one, and by which numbers.

#include "core/bake/explain/explain.h"
#include "core/bake/ground_classes.h"

#include <math.h>

// ---- made from the voxels ----

static bool floors_alloc(const nav_bake_job *job, uint32_t count, nav_seen_column *column,
                         nav_column_facts *facts)
{
    facts->floors = NAV_NEW(job->seen->result, nav_floor_facts, count + 1);
    column->floors = NAV_NEW(job->seen->result, nav_seen_floor, count + 1);
    facts->floor_count = count;
    return facts->floors != NULL && column->floors != NULL;
}

// The span itself, before any stage has looked at it.
static void begin_floor(const nav_bake_job *job, const nav_heightfield *solid, uint32_t span,
                        nav_seen_floor *seen, nav_floor_facts *out)
{
    *seen = (nav_seen_floor){
        .bottom = solid->span_min[span], .top = solid->span_max[span], .span = NAV_NONE};
    *out = (nav_floor_facts){.bottom = nav_seen_height(job, seen->bottom),
                             .top = nav_seen_height(job, seen->top),
                             .area = solid->span_area[span],
                             .volume = NAV_NONE,
                             .edge_distance = (float)INFINITY,
                             .polygon = NAV_NONE};
}

static bool is_liquid(const nav_bake_job *job, uint8_t area)
{
    return job->has_liquid && area < job->config->area_count && job->config->areas[area].liquid;
}

// Free room above a span of a column that ends before `end`.
static float headroom_of(const nav_bake_job *job, const nav_heightfield *solid, uint32_t span,
                         uint32_t end)
{
    return span + 1 < end
               ? (float)(solid->span_min[span + 1] - solid->span_max[span]) * job->grid->cell_height
               : (float)INFINITY;
}

static nav_verdict verdict_of_note(const nav_filter_note *note)
{
    if (note->is_low && note->low_area == NAV_AREA_NONE) {
        return NAV_VERDICT_LOW_HEADROOM;
    }
    return note->is_ledge ? NAV_VERDICT_LEDGE : NAV_VERDICT_KEPT;
}

static void say_filters(const nav_bake_job *job, const nav_filter_note *note, nav_floor_facts *out)
{
    const float cell_height = job->grid->cell_height;
    out->is_stepped_on = note->area == NAV_AREA_NONE && note->marked_area != NAV_AREA_NONE;
    out->is_low = note->is_low;
    if (out->is_stepped_on) {
        out->verdict = NAV_VERDICT_KEPT;
    }
    if (out->verdict != NAV_VERDICT_KEPT) {
        return;
    }
    out->verdict = verdict_of_note(note);
    if (note->is_ledge) {
        out->ledge_drop =
            note->no_ground_beside ? (float)INFINITY : (float)note->drop_cells * cell_height;
        out->ledge_spread = (float)note->spread_cells * cell_height;
    }
}

static nav_status inspect_voxels(const nav_bake_job *job, nav_heightfield *solid,
                                 nav_seen_column *column, nav_column_facts *facts)
{
    const size_t number = (size_t)column->z * solid->width + column->x;
    const uint32_t begin = solid->first[number], end = solid->first[number + 1];
    nav_filter_note *notes = NAV_NEW(job->scratch, nav_filter_note, end - begin + 1);
    if (notes == NULL || !floors_alloc(job, end - begin, column, facts)) {
        return NAV_NO_MEMORY;
    }
    nav_filter_notes(job, solid, column->x, column->z, notes);
    for (uint32_t i = 0; i < end - begin; ++i) {
        nav_floor_facts *out = &facts->floors[i];
        begin_floor(job, solid, begin + i, &column->floors[i], out);
        out->headroom = headroom_of(job, solid, begin + i, end);
        out->verdict = nav_seen_ground(job, column, facts, &column->floors[i], out);
        say_filters(job, &notes[i], out);
    }
    return NAV_OK;
}

// Spans of the tile without its padding whose top is ground.
static uint64_t count_ground(const nav_bake_job *job, const nav_heightfield *solid)
{
    const uint32_t border = job->border_cells;
    uint64_t ground = 0;
    for (uint32_t z = border; z < solid->depth - border; ++z) {
        const uint32_t *row = solid->first + (size_t)z * solid->width;
        for (uint32_t i = row[border]; i < row[solid->width - border]; ++i) {
            ground += solid->span_area[i] != NAV_AREA_NONE;
        }
    }
    return ground;
}

nav_status nav_inspect_solid(const nav_bake_job *job, nav_heightfield *solid)
{
    const nav_seen *seen = job->seen;
    nav_status status = NAV_OK;
    seen->tile->spans = nav_bake_inner_spans(job, solid->first);
    seen->tile->ground = count_ground(job, solid);
    for (uint32_t i = 0; status == NAV_OK && i < seen->column_count; ++i) {
        nav_arena_mark mark = nav_arena_save(job->scratch);
        status = nav_seen_triangles(job, &seen->columns[i], &seen->facts[i]);
        NAV_IF_OK(status, inspect_voxels(job, solid, &seen->columns[i], &seen->facts[i]));
        nav_arena_restore(job->scratch, mark);
    }
    return status;
}

// ---- liquids ----

// A span that is there once liquids are merged into the column: the floor that had its top before,
// or a surface.
static void take_merged(const nav_bake_job *job, const nav_heightfield *solid, uint32_t span,
                        uint32_t end, bool is_known, nav_seen_floor *seen, nav_floor_facts *out)
{
    const uint8_t area = solid->span_area[span];
    if (!is_known) {
        begin_floor(job, solid, span, seen, out);
    }
    seen->bottom = solid->span_min[span];
    out->bottom = nav_seen_height(job, seen->bottom);
    out->headroom = headroom_of(job, solid, span, end);
    if (is_liquid(job, area)) {
        out->is_liquid = true;
        out->area = area;
        out->verdict = NAV_VERDICT_KEPT;
    } else if (area == NAV_AREA_NONE && out->verdict == NAV_VERDICT_KEPT) {
        // A surface without room above it, or a bed without room below its surface.
        out->verdict = is_known ? NAV_VERDICT_UNDER_LIQUID : NAV_VERDICT_LOW_HEADROOM;
        out->is_low = true;
    }
}

// The floors there were, and the surfaces of liquids between them.
static nav_status merge_liquid(const nav_bake_job *job, const nav_heightfield *solid,
                               nav_seen_column *column, nav_column_facts *facts)
{
    const size_t number = (size_t)column->z * solid->width + column->x;
    const uint32_t end = solid->first[number + 1], old_count = facts->floor_count;
    const nav_floor_facts *old = facts->floors;
    const nav_seen_floor *old_seen = column->floors;
    uint32_t span = solid->first[number], count = 0, i = 0;
    if (!floors_alloc(job, old_count + (end - span), column, facts)) {
        return NAV_NO_MEMORY;
    }
    while (span < end || i < old_count) {
        nav_floor_facts *out = &facts->floors[count];
        nav_seen_floor *seen = &column->floors[count++];
        const bool from_old =
            i < old_count && (span == end || old_seen[i].top <= solid->span_max[span]);
        const bool is_there = span < end && (!from_old || old_seen[i].top == solid->span_max[span]);
        if (from_old) {
            *out = old[i];
            *seen = old_seen[i++];
        }
        if (is_there) {
            take_merged(job, solid, span++, end, from_old, seen, out);
        } else if (out->verdict == NAV_VERDICT_KEPT) {
            out->verdict = NAV_VERDICT_UNDER_LIQUID;
        }
    }
    facts->floor_count = count;
    return NAV_OK;
}

nav_status nav_inspect_filtered(const nav_bake_job *job, const nav_heightfield *solid)
{
    const nav_seen *seen = job->seen;
    nav_status status = NAV_OK;
    seen->tile->filtered = count_ground(job, solid);
    for (uint32_t i = 0; status == NAV_OK && job->has_liquid && i < seen->column_count; ++i) {
        status = merge_liquid(job, solid, &seen->columns[i], &seen->facts[i]);
    }
    return status;
}

// ---- the open field ----

// Spans of the tile that can be walked on.
static uint64_t count_open(const nav_bake_job *job, const nav_field *field)
{
    const uint32_t border = job->border_cells;
    uint64_t open = 0;
    for (uint32_t z = border; z < field->depth - border; ++z) {
        const uint32_t *row = field->first + (size_t)z * field->width;
        for (uint32_t i = row[border]; i < row[field->width - border]; ++i) {
            open += field->area[i] != NAV_AREA_NONE;
        }
    }
    return open;
}

// The field has a span for each floor that was kept so far, in the same order.
static void find_spans(const nav_field *field, nav_seen_column *column,
                       const nav_column_facts *facts)
{
    const size_t number = (size_t)column->z * field->width + column->x;
    uint32_t span = field->first[number];
    for (uint32_t i = 0; i < facts->floor_count; ++i) {
        if (facts->floors[i].verdict == NAV_VERDICT_KEPT) {
            NAV_ASSERT(span < field->first[number + 1]);
            NAV_ASSERT(field->floor[span] == column->floors[i].top);
            column->floors[i].span = span++;
        }
    }
    NAV_ASSERT(span == field->first[number + 1]);
}

// The last volume, of the cuts or of the others, that marks the floor: each is asked as the stage
// asks it, in a field of this floor alone.
static nav_status find_volume(const nav_bake_job *job, const nav_field *field,
                              const nav_seen_column *column, uint32_t span, bool cuts,
                              uint32_t *out)
{
    uint32_t first[2] = {0, 1};
    nav_config config = *job->config;
    nav_bake_job one = *job;
    one.config = &config;
    one.first_x_cells += (int32_t)column->x;
    one.first_z_cells += (int32_t)column->z;
    one.width_cells = one.depth_cells = 1;
    config.volume_count = 1;
    *out = NAV_NONE;
    for (uint32_t i = job->config->volume_count; i-- > 0 && *out == NAV_NONE;) {
        const uint16_t other =
            job->config->volumes[i].area == NAV_AREA_GROUND ? NAV_AREA_GROUND + 1 : NAV_AREA_GROUND;
        uint16_t area = other;
        nav_field alone = {.width = 1,
                           .depth = 1,
                           .span_count = 1,
                           .first = first,
                           .floor = &field->floor[span],
                           .headroom = &field->headroom[span],
                           .area = &area};
        nav_arena_mark mark = nav_arena_save(job->scratch);
        config.volumes = &job->config->volumes[i];
        nav_status status = nav_bake_volumes(&one, &alone, cuts);
        nav_arena_restore(job->scratch, mark);
        if (status != NAV_OK) {
            return status;
        }
        *out = area != other ? i : NAV_NONE;
    }
    return NAV_OK;
}

static nav_status inspect_cut(const nav_bake_job *job, const nav_field *field,
                              const nav_seen_column *column, uint32_t span, nav_floor_facts *out)
{
    if (field->area[span] != NAV_AREA_NONE) {
        return nav_seen_edge(job, field, span, out);
    }
    nav_status status = find_volume(job, field, column, span, true, &out->volume);
    out->verdict = out->volume != NAV_NONE ? NAV_VERDICT_CUT : NAV_VERDICT_OUT_OF_BOUNDS;
    return status;
}

nav_status nav_inspect_cut(const nav_bake_job *job, const nav_field *field)
{
    const nav_seen *seen = job->seen;
    nav_status status = NAV_OK;
    seen->tile->uncut = count_open(job, field);
    for (uint32_t i = 0; i < seen->column_count; ++i) {
        nav_seen_column *column = &seen->columns[i];
        find_spans(field, column, &seen->facts[i]);
        for (uint32_t k = 0; status == NAV_OK && k < seen->facts[i].floor_count; ++k) {
            const uint32_t span = column->floors[k].span;
            nav_arena_mark mark = nav_arena_save(job->scratch);
            if (span != NAV_NONE) {
                status = inspect_cut(job, field, column, span, &seen->facts[i].floors[k]);
            }
            nav_arena_restore(job->scratch, mark);
        }
    }
    return status;
}

nav_status nav_inspect_eroded(const nav_bake_job *job, const nav_field *field)
{
    const nav_seen *seen = job->seen;
    seen->tile->eroded = count_open(job, field);
    for (uint32_t i = 0; i < seen->column_count; ++i) {
        for (uint32_t k = 0; k < seen->facts[i].floor_count; ++k) {
            nav_floor_facts *out = &seen->facts[i].floors[k];
            const uint32_t span = seen->columns[i].floors[k].span;
            if (out->verdict == NAV_VERDICT_KEPT && field->area[span] == NAV_AREA_NONE) {
                out->verdict = NAV_VERDICT_ERODED;
            }
        }
    }
    return NAV_OK;
}

// A class of ground is an area under switches.
static void say_class(const nav_ground_classes *classes, uint16_t ground, nav_floor_facts *out)
{
    out->area_kept = nav_ground_class_area(classes, ground);
    for (; ground >= NAV_TILE_AREAS; ground = classes->items[ground - NAV_TILE_AREAS].parent) {
        if (out->switch_count < NAV_FLOOR_SWITCHES_MAX) {
            out->switches[out->switch_count++] =
                classes->items[ground - NAV_TILE_AREAS].switch_number;
        }
    }
}

nav_status nav_inspect_areas(const nav_bake_job *job, const nav_field *field,
                             const nav_ground_classes *classes)
{
    const nav_seen *seen = job->seen;
    nav_status status = NAV_OK;
    for (uint32_t i = 0; i < seen->column_count; ++i) {
        for (uint32_t k = 0; status == NAV_OK && k < seen->facts[i].floor_count; ++k) {
            nav_floor_facts *out = &seen->facts[i].floors[k];
            const uint32_t span = seen->columns[i].floors[k].span;
            if (out->verdict == NAV_VERDICT_KEPT) {
                say_class(classes, field->area[span], out);
                status = find_volume(job, field, &seen->columns[i], span, false, &out->volume);
            }
        }
    }
    return status;
}
