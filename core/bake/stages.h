// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// stages.h: the two voxel fields that stages hand on (solid spans, and the open space above them),
// then the stages of a bake, in order; each file or folder has the entry named here. Private to
// core/.
//
// All positions are in cells of the tile's padded field: x and z count from its first cell, y from
// the grid's lowest.
//
// A stage reads the result of the one before, allocates what it builds from job->scratch or from
// `result`, asserts at its entry what it was promised and reports numbers into job->report.
//
// Errors of each: NAV_NO_MEMORY, whose sentence nav_bake_tile writes; NAV_CANCELLED;
// NAV_TILE_TOO_COMPLEX where a count has no room.

#pragma once

#include "core/bake/job.h"

#include <string.h>

// ---- fields ----

// Directions to the four neighbours, in this order everywhere: -x, +z, +x, -z.
static const int NAV_DIRECTION_X[4] = {-1, 0, 1, 0};
static const int NAV_DIRECTION_Z[4] = {0, 1, 0, -1};

// Solid voxels. Column (x, z) is z * width + x; its spans are first[column] .. first[column + 1],
// rising and neither touching nor overlapping.
typedef struct nav_heightfield {
    uint32_t width, depth;
    uint32_t span_count;
    uint32_t *first;    // width * depth + 1
    uint16_t *span_min; // lowest solid cell
    uint16_t *span_max; // one above the highest solid cell: the floor's height
    uint8_t *span_area; // of its top
} nav_heightfield;

// The common part of the links of NAV_LINK_BLOCK spans in sequence. A neighbour lies about as many
// spans away as that of the span before, so that one byte holds the difference; where one is too
// far off for that, the block has all its neighbours in full.
typedef struct nav_link_block {
    uint32_t base[4];   // by direction: neighbour = span + base + link, modulo 2^32
    uint32_t (*far)[4]; // by span of the block, or NULL
} nav_link_block;

#define NAV_LINK_BLOCK 64u
#define NAV_LINK_NONE 0u
#define NAV_LINK_FAR 255u

// Open space above solid spans, with links to the neighbour cells that can be stepped to.
typedef struct nav_field {
    uint32_t width, depth;
    uint32_t span_count;
    uint32_t *first;    // width * depth + 1
    uint16_t *floor;    // height of the floor
    uint16_t *headroom; // free cells above it, at most UINT16_MAX; NULL once there are distances
    uint16_t *area;     // NAV_AREA_NONE: cannot be walked (any more); once switches are marked, the
                        // ground's class (nav_ground_classes)
    uint8_t (*links)[4]; // to the neighbours, by direction: see nav_field_neighbour
    nav_link_block *link_blocks;
    uint16_t *distance; // to the nearest border of the area, 2 a cell (chamfer 2-3), until the
                        // watershed, which keeps what it needs there
    uint16_t distance_max;
    uint32_t *region; // 0: none; 1..region_count
    uint32_t region_count;
} nav_field;

// The span beside a span in a direction, or NAV_NONE.
static inline uint32_t nav_field_neighbour(const nav_field *field, uint32_t span, int direction)
{
    uint32_t link = field->links[span][direction];
    const nav_link_block *block = &field->link_blocks[span / NAV_LINK_BLOCK];
    if (link - 1 < NAV_LINK_FAR - 1) {
        return span + block->base[direction] + link;
    }
    return link == NAV_LINK_NONE ? NAV_NONE : block->far[span % NAV_LINK_BLOCK][direction];
}

// Whether a span lacks a neighbour on some side.
static inline bool nav_field_lacks_neighbour(const nav_field *field, uint32_t span)
{
    uint32_t links;
    memcpy(&links, field->links[span], sizeof links);
    _Static_assert(NAV_LINK_NONE == 0, "a byte of 0 is looked for");
    return ((links - 0x01010101u) & ~links & 0x80808080u) != 0;
}

// Set in a span's region: the span lies in the padding, outside the tile.
#define NAV_REGION_BORDER 0x80000000u

// Whether a span is too low to stand in and stays in the mesh for crouching.
static inline bool nav_bake_is_low(const nav_bake_job *job, const nav_field *field, uint32_t span)
{
    return job->low_cells != 0 && field->headroom[span] <= job->height_min_cells;
}

// Height of the ground at a corner of a span's cell, where two of its sides meet: the lowest of the
// floors that are linked around the corner. A floor is as high as the highest ground in its cell,
// rounded up, and the corner belongs to all of the cells: no floor is below the ground there, and
// the lowest is nearest to it. On a slope the others are above it by up to a cell's rise each way.
static inline uint16_t nav_field_corner_floor(const nav_field *field, uint32_t span, int side,
                                              int other_side)
{
    const int orders[2][2] = {{side, other_side}, {other_side, side}};
    uint16_t lowest = field->floor[span];
    for (int i = 0; i < 2; i++) {
        uint32_t beside = nav_field_neighbour(field, span, orders[i][0]);
        if (beside == NAV_NONE) {
            continue;
        }
        lowest = field->floor[beside] < lowest ? field->floor[beside] : lowest;
        uint32_t across = nav_field_neighbour(field, beside, orders[i][1]);
        if (across != NAV_NONE && field->floor[across] < lowest) {
            lowest = field->floor[across];
        }
    }
    return lowest;
}

// compact.c: makes room for the links of all spans. Returns false without memory.
bool nav_field_links_init(nav_arena *result, nav_field *field);
// compact.c: packs the neighbours (spans by direction, or NAV_NONE) of spans [begin, end), the
// first of which are neighbours[0]. Both ends are those of blocks. Returns false without memory.
bool nav_field_links_pack(nav_arena *result, nav_field *field, uint32_t begin, uint32_t end,
                          const uint32_t (*neighbours)[4]);
// distance.c: two passes of the chamfer 2-3 distance over all spans: distance holds 0 where it
// starts and UINT16_MAX elsewhere (Borgefors 1986). Returns false where the bake was cancelled.
bool nav_field_chamfer(const nav_bake_job *job, const nav_field *field, uint16_t *distance);

// ---- stages ----

// pipeline.c: all of them for one agent, whose job has its inputs and, if it is looked at, its
// look.
nav_status nav_bake_one(nav_bake_job *job, nav_arena *result, nav_blob *out);

// Results of later stages: contours/contours.h, polygons/polygons.h, detail/detail.h.
typedef struct nav_contour_set nav_contour_set;
typedef struct nav_polygons nav_polygons;
typedef struct nav_detail nav_detail;
// ground_classes.h: what switches make of areas.
typedef struct nav_ground_classes nav_ground_classes;

// areas.c: the areas of the geometry's materials; sets material_areas and has_liquid.
nav_status nav_bake_materials(nav_bake_job *job);
// voxelize/voxelize.c: triangles -> solid spans; or those that the job has a share in.
nav_status nav_bake_voxelize(const nav_bake_job *job, nav_arena *result, nav_heightfield *out);
// voxelize/share.c: how many of these jobs, which are of one tile, may share their voxels; from the
// first on, at least 1.
uint32_t nav_bake_share_max(const nav_bake_job *jobs, uint32_t count);
// voxelize/share.c: voxelizes once for all of them. Each job knows its share from here on, which
// lives in result.
nav_status nav_bake_share_voxels(nav_bake_job *jobs, uint32_t count, nav_arena *result);
// filter.c: takes the walkable mark from spans where nobody can stand.
nav_status nav_bake_filter(const nav_bake_job *job, nav_heightfield *solid);
// liquid.c: merges the surfaces of liquids into the filtered spans.
nav_status nav_bake_liquid(const nav_bake_job *job, nav_arena *result, nav_heightfield *solid);
// compact.c: solid spans -> open field, without neighbours as yet.
nav_status nav_bake_compact(const nav_bake_job *job, const nav_heightfield *solid,
                            nav_arena *result, nav_field *out);
// compact.c: links neighbours in the field; the solid spans may be gone by then.
nav_status nav_bake_link(const nav_bake_job *job, nav_arena *result, nav_field *field);
// areas.c: takes out what volumes of area "none" and the height bounds cut.
nav_status nav_bake_cut(const nav_bake_job *job, nav_field *field);
// erode.c: shrinks the walkable area by the agent's radius.
nav_status nav_bake_erode(const nav_bake_job *job, nav_field *field);
// areas.c: volumes give their area to the ground inside; the median filter.
nav_status nav_bake_areas(const nav_bake_job *job, nav_field *field);
// volumes.c: the part of both that volumes have: the cuts, or all others. scratch is the
// caller's to give back.
nav_status nav_bake_volumes(const nav_bake_job *job, nav_field *field, bool cuts);
// volumes.c: could the volume change anything in the tile or its padding?
bool nav_bake_volume_reaches(const nav_bake_job *job, const nav_volume *volume);
// switches.c: the ground of switches becomes ground of classes of its own, which come from result.
nav_status nav_bake_switches(const nav_bake_job *job, nav_arena *result, nav_field *field,
                             nav_ground_classes *classes);
// switches.c: could the switch change anything in the tile or its padding?
bool nav_bake_switch_reaches(const nav_bake_job *job, const nav_switch *s);
// distance.c: distance to the border of each span's area, blurred. It takes the place of the
// headroom, which no later stage reads.
nav_status nav_bake_distance(const nav_bake_job *job, nav_field *field);
// regions/watershed.c: partition into regions without holes in one floor.
nav_status nav_bake_regions_watershed(const nav_bake_job *job, nav_arena *result, nav_field *field);
// regions/monotone.c: the same without distances, by rows.
nav_status nav_bake_regions_monotone(const nav_bake_job *job, nav_arena *result, nav_field *field);
// regions/layers.c: partition into regions with holes, without distances.
nav_status nav_bake_regions_layers(const nav_bake_job *job, nav_arena *result, nav_field *field);
// contours/contours.c: region borders -> simplified closed contours.
nav_status nav_bake_contours(const nav_bake_job *job, const nav_field *field, nav_contour_set *out);
// polygons/polygons.c: contours -> convex polygons with adjacency.
nav_status nav_bake_polygons(const nav_bake_job *job, const nav_contour_set *contours,
                             nav_polygons *out);
// detail/detail.c: heights inside the polygons.
nav_status nav_bake_detail(const nav_bake_job *job, const nav_field *field,
                           const nav_polygons *polygons, nav_detail *out);
// write.c: everything -> the blob. Field cells become grid cells; the bounding-volume tree is
// built. Classes of ground become areas and sets of switches.
nav_status nav_bake_tile_write(const nav_bake_job *job, const nav_polygons *polygons,
                               const nav_detail *detail, nav_arena *result, nav_blob *out);
