// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// bake.h: what the stages of a bake hand to each other. Private to core/.
//
// A stage reads what the one before built, allocates what it builds from job->scratch, asserts at
// its entry what it was promised and reports numbers into job->report. All positions are in cells
// of the tile's padded field: x and z count from its first cell, y from the grid's lowest.

#pragma once

#include "core/base/cancel.h"
#include "core/nav.h"
#include "core/tile/tile.h"

#include <string.h>

// One tile's bake: constant from the first stage to the last, except what the pointers point to.
typedef struct nav_bake_job {
    const nav_geometry *geometry;
    const nav_config *config;
    const nav_grid *grid;
    const nav_tile_index *index; // may be NULL: all triangles
    const nav_bake_hooks *hooks; // may be NULL
    nav_cancel *cancel;          // by the hooks
    nav_arena *scratch;
    nav_bake_report *report; // never NULL
    nav_error *err;          // may be NULL

    uint32_t tile_x, tile_z;
    uint32_t border_cells;                // padding on each side; 0 for one tile
    uint32_t width_cells, depth_cells;    // of the padded field
    int32_t first_x_cells, first_z_cells; // grid cell of field cell (0, 0); negative in the padding

    uint32_t height_min_cells; // headroom needed, agent_height rounded up
    uint32_t climb_cells;      // agent_max_climb rounded down
    uint32_t radius_cells;     // agent_radius rounded up
    uint32_t low_cells;        // headroom of passages kept for crouching, rounded up; 0: none kept
    uint32_t region_min_spans; // region_min_size squared
    uint32_t region_merge_spans;
    uint32_t edge_max_length_cells; // 0: any

    const uint8_t *material_areas; // of the geometry's materials, or NULL: it has none
    bool has_liquid;               // some area is a liquid
    bool liquid_pass;              // voxelize the liquids only, else everything but them
} nav_bake_job;

// The area that a triangle has by the caller's word or by its material.
static inline uint8_t nav_bake_triangle_area(const nav_bake_job *job, uint32_t triangle)
{
    const nav_geometry *g = job->geometry;
    return g->triangle_areas != NULL     ? g->triangle_areas[triangle]
           : job->material_areas != NULL ? job->material_areas[g->triangle_materials[triangle]]
                                         : NAV_AREA_GROUND;
}

// Does the triangle belong to the other pass, the one of the liquids or that of the solid rest?
static inline bool nav_bake_other_pass(const nav_bake_job *job, uint32_t triangle)
{
    if (!job->has_liquid) {
        return false;
    }
    uint8_t area = nav_bake_triangle_area(job, triangle);
    bool liquid = area < job->config->area_count && job->config->areas[area].liquid;
    return liquid != job->liquid_pass;
}

// The area of a place with too little headroom to stand in: one for crouching, or none.
static inline uint8_t nav_bake_low_area(const nav_bake_job *job, uint32_t room_cells)
{
    return job->low_cells != 0 && room_cells > job->low_cells ? job->config->low_height_area
                                                              : NAV_AREA_NONE;
}

// job.c: fills in all that is counted in cells; geometry to err and the tile's place are set.
void nav_bake_job_init(nav_bake_job *job);
// Fills so many bytes with zeros. False where the bake was cancelled: arrays by column or span may
// be so large that this is a tenth of a second's work.
bool nav_bake_clear(const nav_bake_job *job, void *array, size_t size_bytes);
// What a stage returns when job->cancel says that the bake is to end. Stages poll it each row,
// contour and polygon; passes over all spans or columns count these.
nav_status nav_bake_end(const nav_bake_job *job);
// Counts a warning; the position, in cells of the field, is kept for the first few.
void nav_bake_warn(const nav_bake_job *job, nav_warning_code code, float x_cells, float y_cells,
                   float z_cells);
// The same, with what the code says.
void nav_bake_warn_value(const nav_bake_job *job, nav_warning_code code, float x_cells,
                         float y_cells, float z_cells, float value);
// clamp.c: warns of settings that became rather different ones in cells.
void nav_bake_warn_clamped(const nav_bake_job *job);
// The first cells of the tile, counted in the grid, and one past its last. The padding is outside.
typedef struct nav_tile_cells {
    uint32_t x, z, x_end, z_end;
} nav_tile_cells;

nav_tile_cells nav_bake_tile_cells(const nav_grid *grid, uint32_t tile_x, uint32_t tile_z);
// The tile that owns a place given in grid cells; places beside the grid belong to the outermost.
uint32_t nav_bake_owner(const nav_grid *grid, float x_cells, float z_cells);
// The part of a field's sums that lies in the tile: first is a field's or heightfield's column
// index, and the result counts its spans outside of the padding.
uint32_t nav_bake_inner_spans(const nav_bake_job *job, const uint32_t *first);

// From places of the world to cells of the grid.
typedef struct nav_cell_scale {
    float min[3], cells_per_unit[3];
} nav_cell_scale;

static inline nav_cell_scale nav_bake_cell_scale(const nav_grid *grid)
{
    float across = 1.0f / grid->cell_size, up = 1.0f / grid->cell_height;
    return (nav_cell_scale){.min = {grid->min[0], grid->min[1], grid->min[2]},
                            .cells_per_unit = {across, up, across}};
}

// A coordinate of a place of the world in cells of the grid. A float product: what is flat or lies
// on whole cells in the level, as the decimals of its settings say, does so here, where a product
// of more digits would fall just short of it.
static inline float nav_bake_cell(const nav_cell_scale *scale, const float position[3], int axis)
{
    return (position[axis] - scale->min[axis]) * scale->cells_per_unit[axis];
}

// The cell in which a floor at a height lies.
int64_t nav_bake_height_cell(const nav_bake_job *job, float y);
// World position of a place given in cells of the padded field.
void nav_bake_world(const nav_bake_job *job, float x_cells, float y_cells, float z_cells,
                    float out[3]);

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

// What the links of NAV_LINK_BLOCK spans in sequence have in common. A neighbour lies about as many
// spans away as that of the span before, so that one byte tells the difference; where one is too
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
    uint32_t *first;     // width * depth + 1
    uint16_t *floor;     // height of the floor
    uint16_t *headroom;  // free cells above it, at most UINT16_MAX; NULL once there are distances
    uint8_t *area;       // NAV_AREA_NONE: cannot be walked (any more)
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

// A passage that stays in the mesh for those who crouch.
static inline bool nav_bake_is_low(const nav_bake_job *job, const nav_field *field, uint32_t span)
{
    return job->low_cells != 0 && field->headroom[span] <= job->height_min_cells;
}

// Makes room for the links of all spans. Returns false without memory.
bool nav_field_links_init(nav_arena *result, nav_field *field);
// Packs the neighbours (spans by direction, or NAV_NONE) of spans [begin, end), the first of which
// are neighbours[0]. Both ends are those of blocks. Returns false without memory.
bool nav_field_links_pack(nav_arena *result, nav_field *field, uint32_t begin, uint32_t end,
                          const uint32_t (*neighbours)[4]);

// Height of the ground at a corner of a span's cell, where two of its sides meet: the lowest of the
// floors that are linked around the corner. A floor is as high as the highest ground in its cell,
// rounded up, and the corner belongs to all of the cells: no floor is below the ground there, and
// the lowest is nearest to it. On a slope the others are above it by up to a cell's rise each way.
static inline uint16_t nav_field_corner_floor(const nav_field *field, uint32_t span, int side,
                                              int other_side)
{
    const int ways[2][2] = {{side, other_side}, {other_side, side}};
    uint16_t lowest = field->floor[span];
    for (int i = 0; i < 2; i++) {
        uint32_t beside = nav_field_neighbour(field, span, ways[i][0]);
        if (beside == NAV_NONE) {
            continue;
        }
        lowest = field->floor[beside] < lowest ? field->floor[beside] : lowest;
        uint32_t across = nav_field_neighbour(field, beside, ways[i][1]);
        if (across != NAV_NONE && field->floor[across] < lowest) {
            lowest = field->floor[across];
        }
    }
    return lowest;
}

// Two passes of the chamfer 2-3 distance over all spans: distance holds 0 where it starts and
// UINT16_MAX elsewhere (Borgefors 1986). Returns false where the bake was cancelled.
bool nav_field_chamfer(const nav_bake_job *job, const nav_field *field, uint16_t *distance);

// Set in a span's region: the span lies in the padding, outside the tile.
#define NAV_REGION_BORDER 0x80000000u

// A point of a contour. neighbour describes the edge from this point to the next one.
typedef struct nav_contour_point {
    int32_t x, y, z;    // cells: corner of a cell, height of the lowest floor that meets there
    uint32_t neighbour; // region on the other side (0: none, i.e. a wall) and the flags below
} nav_contour_point;

#define NAV_CONTOUR_REGION_MASK 0x0fffffffu
// The area on the other side is a different one.
#define NAV_CONTOUR_AREA_BORDER 0x20000000u
// The point lies on the tile's border and must be removed from the polygon mesh afterwards.
#define NAV_CONTOUR_BORDER_VERTEX 0x10000000u

// A simple polygon around one region, its holes already merged into it. Wound clockwise in (x, z),
// as seen with x to the right and z up, which is counter-clockwise seen from above the world.
typedef struct nav_contour {
    nav_contour_point *points;
    uint32_t point_count;
    uint32_t region;
    uint8_t area;
} nav_contour;

typedef struct nav_contour_set {
    nav_contour *contours;
    uint32_t count;
} nav_contour_set;

// Convex polygons. Vertex and neighbour rows have stride max_vertices and are filled with NAV_NONE.
typedef struct nav_polygons {
    int32_t (*vertices)[3]; // cells of the padded field
    uint32_t vertex_count;
    uint32_t max_vertices;
    uint32_t *polygon_vertices; // count * max_vertices
    // Across edge i -> i+1: a polygon, NAV_NONE, or NAV_EDGE_PORTAL | direction.
    uint32_t *polygon_neighbours; // count * max_vertices
    uint8_t *areas;
    uint32_t *regions;
    uint32_t count;
} nav_polygons;

// Height detail. Of polygon i: extra vertices vertices[vertex_first[i]..vertex_first[i+1]],
// triangles triangles[triangle_first[i]..triangle_first[i+1]]. A triangle's indices count the
// polygon's own vertices first (0..n-1), then its extra ones.
typedef struct nav_detail {
    float (*vertices)[3]; // x and z in cells of the padded field, y in height cells; all fractional
    uint16_t (*triangles)[3];
    uint32_t *vertex_first, *triangle_first; // count + 1 each, or NULL where detail is off
    uint32_t vertex_count, triangle_count;
} nav_detail;

// ---- the stages, in order; each file has the one entry function named here ----
//
// Errors of each: NAV_NO_MEMORY, whose sentence nav_bake_tile writes; NAV_CANCELLED;
// NAV_TILE_TOO_COMPLEX where a count has no room.

// areas.c: the areas of the geometry's materials; sets material_areas and has_liquid.
nav_status nav_bake_materials(nav_bake_job *job);
// bake/voxelize/voxelize.c: triangles -> solid spans.
nav_status nav_bake_voxelize(const nav_bake_job *job, nav_arena *result, nav_heightfield *out);
// filter.c: takes the walkable mark from spans where nobody can stand.
nav_status nav_bake_filter(const nav_bake_job *job, nav_heightfield *solid);
// liquid.c: merges the surfaces of liquids into the filtered spans.
nav_status nav_bake_liquid(const nav_bake_job *job, nav_arena *result, nav_heightfield *solid);
// compact.c: solid spans -> open field, without neighbours as yet.
nav_status nav_bake_compact(const nav_bake_job *job, const nav_heightfield *solid,
                            nav_arena *result, nav_field *out);
// link.c: links neighbours in the field; the solid spans may be gone by then.
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
// distance.c: distance to the border of each span's area, blurred. It takes the place of the
// headroom, which nobody asks for any more.
nav_status nav_bake_distance(const nav_bake_job *job, nav_field *field);
// bake/regions/watershed.c: partition into regions without holes in one floor.
nav_status nav_bake_regions_watershed(const nav_bake_job *job, nav_arena *result, nav_field *field);
// bake/regions/monotone.c: the same without distances, by rows.
nav_status nav_bake_regions_monotone(const nav_bake_job *job, nav_arena *result, nav_field *field);
// bake/regions/layers.c: partition into regions with holes, without distances.
nav_status nav_bake_regions_layers(const nav_bake_job *job, nav_arena *result, nav_field *field);
// bake/contours/contours.c: region borders -> simplified closed contours.
nav_status nav_bake_contours(const nav_bake_job *job, const nav_field *field, nav_contour_set *out);
// bake/polygons/polygons.c: contours -> convex polygons with adjacency.
nav_status nav_bake_polygons(const nav_bake_job *job, const nav_contour_set *contours,
                             nav_polygons *out);
// bake/detail/detail.c: heights inside the polygons.
nav_status nav_bake_detail(const nav_bake_job *job, const nav_field *field,
                           const nav_polygons *polygons, nav_detail *out);
// write.c: everything -> the blob. Field cells become grid cells; the bounding-volume tree is
// built.
nav_status nav_bake_tile_write(const nav_bake_job *job, const nav_polygons *polygons,
                               const nav_detail *detail, nav_arena *result, nav_blob *out);
