// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// explain.h: looks at what the stages of a bake leave of its tile and of some columns in it, for
// nav_tile_explain. The stages are those of every bake: pipeline.c calls an inspection between two
// of them, where job->seen is not NULL. Private to core/.
//
//   voxels --solid--> filters --filtered--> cuts --cut--> erosion --eroded--> areas --areas-->
//     first regions --first_regions--> regions --regions--> contours, polygons, detail --polygons
//
// An inspection takes what it needs from job->scratch, which pipeline.c gives back. Errors:
// NAV_NO_MEMORY, NAV_CANCELLED.

#pragma once

#include "core/bake/stages.h"

// ---- filter.c ----

// The filters' verdicts on one span, and their numbers.
typedef struct nav_filter_note {
    uint8_t area;                     // before them
    uint8_t marked_area;              // after that of low-hanging obstacles
    uint8_t low_area;                 // after that of low headroom
    bool is_low, is_ledge;            // it is too low to stand in; a ledge takes it
    bool no_ground_beside;            // ... as there is none on some side
    int32_t drop_cells, spread_cells; // ... or as it falls, or rises and falls, by so many cells
} nav_filter_note;

// Reports for each span of the column what the filters will do. notes: as many. The column is as it
// was.
void nav_filter_notes(const nav_bake_job *job, nav_heightfield *solid, uint32_t x, uint32_t z,
                      nav_filter_note *notes);

// ---- what is looked at ----

// A floor as the stages see it; its facts are those of the same number.
typedef struct nav_seen_floor {
    uint16_t bottom, top;  // of its solid span
    uint32_t span;         // in the open field; NAV_NONE: it is not there
    uint32_t first_region; // before small regions were merged
} nav_seen_floor;

typedef struct nav_seen_column {
    uint32_t x, z; // in the padded field
    float at[2];   // the place itself, in cells of that field
    nav_seen_floor *floors;
    uint16_t *triangle_tops; // by triangle of the facts: the cell that it reaches up to
} nav_seen_column;

struct nav_seen {
    nav_arena *result;
    nav_column_facts *facts;
    nav_seen_column *columns;
    uint32_t column_count;
    nav_tile_facts *tile;
};

// ---- inspections ----

// floors.c. The first one makes the floors of each column.
nav_status nav_inspect_solid(const nav_bake_job *job, nav_heightfield *solid);
nav_status nav_inspect_filtered(const nav_bake_job *job, const nav_heightfield *solid);
nav_status nav_inspect_cut(const nav_bake_job *job, const nav_field *field);
nav_status nav_inspect_eroded(const nav_bake_job *job, const nav_field *field);
nav_status nav_inspect_areas(const nav_bake_job *job, const nav_field *field,
                             const nav_ground_classes *classes);
// regions.c. The first one does nothing where job->seen is NULL.
nav_status nav_inspect_first_regions(const nav_bake_job *job, const nav_field *field,
                                     uint32_t region_count);
nav_status nav_inspect_regions(const nav_bake_job *job, const nav_field *field);
// polygons.c.
nav_status nav_inspect_contours(const nav_bake_job *job, const nav_contour_set *contours);
nav_status nav_inspect_polygons(const nav_bake_job *job, const nav_polygons *polygons,
                                const nav_detail *detail);

// ---- their parts ----

// triangles.c: lists the triangles that touch a column.
nav_status nav_seen_triangles(const nav_bake_job *job, nav_seen_column *column,
                              nav_column_facts *facts);
// triangles.c: why the top of a span is no ground, or NAV_VERDICT_KEPT. Fills in its slope.
nav_verdict nav_seen_ground(const nav_bake_job *job, const nav_seen_column *column,
                            const nav_column_facts *facts, const nav_seen_floor *floor,
                            nav_floor_facts *out);
// edges.c: how near a span lies to where the walkable ground ends, within the agent's radius.
nav_status nav_seen_edge(const nav_bake_job *job, const nav_field *field, uint32_t span,
                         nav_floor_facts *out);

// The height of a cell's lower side in the world.
static inline float nav_seen_height(const nav_bake_job *job, int32_t cells)
{
    return job->grid->min[1] + (float)cells * job->grid->cell_height;
}
