// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// write.c: step 10, the last one of a bake: polygons and detail become the tile's blob, as
// tile/tile.h's FORMAT says. Cells of the padded field become cells of the grid.

#include "core/bake/stages.h"
#include "core/bake/detail/detail.h"
#include "core/bake/ground_classes.h"
#include "core/bake/polygons/polygons.h"
#include "core/tile/tile.h"

#include <string.h>

static bool has_detail(const nav_detail *detail)
{
    return detail != NULL && detail->triangle_first != NULL;
}

// Polygon rows are filled up with NAV_NONE.
static uint32_t corner_count(const nav_polygons *polygons, uint32_t polygon)
{
    const uint32_t *row = polygons->polygon_vertices + (size_t)polygon * polygons->max_vertices;
    uint32_t count = 0;
    while (count < polygons->max_vertices && row[count] != NAV_NONE) {
        ++count;
    }
    return count;
}

static nav_tile_switches switches_of(const nav_ground_sets *sets)
{
    return (nav_tile_switches){.id_count = sets->switch_count,
                               .set_count = sets->set_count,
                               .entry_count = sets->entry_count};
}

static nav_tile_header make_header(const nav_bake_job *job, const nav_polygons *polygons,
                                   const nav_detail *detail, const nav_ground_sets *sets)
{
    const nav_grid *grid = job->grid;
    nav_tile_header header = {
        .magic = {'N', 'A', 'V', 'T'},
        .version = NAV_TILE_VERSION,
        .tile_x = job->tile_x,
        .tile_z = job->tile_z,
        .tiles_x = grid->tiles_x,
        .tiles_z = grid->tiles_z,
        .tile_cells = grid->tile_cells,
        .cell_size = grid->cell_size,
        .cell_height = grid->cell_height,
        .grid_min = {grid->min[0], grid->min[1], grid->min[2]},
        .agent_radius = job->config->agent_radius,
        .agent_height = job->config->agent_height,
        .agent_max_climb = job->config->agent_max_climb,
        .vertex_count = polygons->vertex_count,
        .polygon_count = polygons->count,
        .node_count = 2 * polygons->count - 1,
    };
    for (uint32_t i = 0; i < polygons->count; ++i) {
        header.corner_count += corner_count(polygons, i);
    }
    if (has_detail(detail)) {
        header.detail_vertex_count = detail->vertex_count;
        header.detail_triangle_count = detail->triangle_count;
    }
    if (sets->set_count > 0) {
        const nav_tile_switches switches = switches_of(sets);
        header.switch_bytes = (uint32_t)nav_tile_switches_bytes(&switches, polygons->count);
    }
    nav_tile_layout(&header);
    NAV_ASSERT(header.size_bytes > sizeof header);
    NAV_ASSERT(header.corner_count >= 3 * header.polygon_count);
    return header;
}

static void write_vertices(nav_tile_sections *w, const nav_bake_job *job,
                           const nav_polygons *polygons)
{
    for (uint32_t i = 0; i < polygons->vertex_count; ++i) {
        w->vertices[i][0] = polygons->vertices[i][0] + job->first_x_cells;
        w->vertices[i][1] = polygons->vertices[i][1];
        w->vertices[i][2] = polygons->vertices[i][2] + job->first_z_cells;
    }
}

static void write_polygons(nav_tile_sections *w, const nav_polygons *polygons)
{
    uint32_t corner = 0;
    for (uint32_t i = 0; i < polygons->count; ++i) {
        uint32_t count = corner_count(polygons, i);
        size_t row = (size_t)i * polygons->max_vertices;
        NAV_ASSERT(count >= 3);
        NAV_ASSERT(count <= NAV_POLYGON_VERTICES_MAX);
        NAV_ASSERT(polygons->areas[i] != NAV_AREA_NONE);
        w->polygons[i] = (nav_tile_polygon){
            .corner_first = corner,
            .corner_count = (uint16_t)count,
            .area = nav_ground_class_area(polygons->classes, polygons->areas[i])};
        for (uint32_t k = 0; k < count; ++k, ++corner) {
            w->corners[corner] = polygons->polygon_vertices[row + k];
            w->neighbours[corner] = polygons->polygon_neighbours[row + k];
            NAV_ASSERT(w->corners[corner] < polygons->vertex_count);
            NAV_DCHECK(w->neighbours[corner] == NAV_NONE ||
                       (w->neighbours[corner] & NAV_EDGE_PORTAL) != 0 ||
                       w->neighbours[corner] < polygons->count);
        }
    }
    NAV_ASSERT(corner == w->header->corner_count);
}

static void write_detail(nav_tile_sections *w, const nav_bake_job *job, const nav_detail *detail)
{
    const nav_grid *grid = job->grid;
    for (uint32_t i = 0; i < w->header->polygon_count; ++i) {
        nav_tile_polygon *polygon = &w->polygons[i];
        NAV_ASSERT(detail->vertex_first[i] <= detail->vertex_first[i + 1]);
        NAV_ASSERT(detail->triangle_first[i] <= detail->triangle_first[i + 1]);
        polygon->detail_vertex_first = detail->vertex_first[i];
        polygon->detail_vertex_count = detail->vertex_first[i + 1] - detail->vertex_first[i];
        polygon->detail_triangle_first = detail->triangle_first[i];
        polygon->detail_triangle_count = detail->triangle_first[i + 1] - detail->triangle_first[i];
    }
    for (uint32_t i = 0; i < detail->vertex_count; ++i) {
        const float *cells = detail->vertices[i];
        float x_cells = cells[0] + (float)job->first_x_cells;
        float z_cells = cells[2] + (float)job->first_z_cells;
        w->detail_vertices[i][0] = grid->min[0] + x_cells * grid->cell_size;
        w->detail_vertices[i][1] = grid->min[1] + cells[1] * grid->cell_height;
        w->detail_vertices[i][2] = grid->min[2] + z_cells * grid->cell_size;
    }
    if (detail->triangle_count > 0) {
        memcpy(w->detail_triangles, detail->triangles,
               detail->triangle_count * sizeof detail->triangles[0]);
    }
}

static void write_switches(const nav_tile_sections *w, const nav_config *config,
                           const nav_ground_sets *sets)
{
    if (sets->set_count == 0) {
        return;
    }
    const nav_tile_header *header = w->header;
    char *at = (char *)w->header + (header->size_bytes - header->switch_bytes);
    const nav_tile_switches switches = switches_of(sets);
    memcpy(at, &switches, sizeof switches);
    at += sizeof switches;
    for (uint32_t i = 0; i < sets->switch_count; ++i, at += sizeof(nav_name)) {
        memcpy(at, config->switches[sets->switches[i]].id, sizeof(nav_name));
    }
    const size_t first_bytes = (sets->set_count + (size_t)1) * sizeof *sets->first;
    const size_t entry_bytes = sets->entry_count * sizeof *sets->entries;
    memcpy(at, sets->first, first_bytes);
    memcpy(at + first_bytes, sets->entries, entry_bytes);
    memcpy(at + first_bytes + entry_bytes, sets->polygon_sets,
           header->polygon_count * sizeof *sets->polygon_sets);
}

nav_status nav_bake_tile_write(const nav_bake_job *job, const nav_polygons *polygons,
                               const nav_detail *detail, nav_arena *result, nav_blob *out)
{
    if (polygons->count == 0) {
        *out = (nav_blob){0};
        return NAV_OK;
    }
    // Never near it: 2^31 polygons would be a blob of 200 GB.
    NAV_ASSERT(polygons->count <= NAV_EDGE_PORTAL / 2);
    NAV_ASSERT(result != job->scratch); // the blob would die with the rest
    nav_arena_mark mark = nav_arena_save(job->scratch);
    nav_arena_mark result_mark = nav_arena_save(result);
    nav_ground_sets sets;
    nav_status status = nav_ground_sets_make(job, polygons, &sets);
    if (status != NAV_OK) {
        nav_arena_restore(job->scratch, mark);
        return status;
    }
    nav_tile_header header = make_header(job, polygons, detail, &sets);
    nav_tile_node *leaves = NAV_NEW(job->scratch, nav_tile_node, polygons->count);
    void *bytes = leaves != NULL ? nav_arena_alloc_zero(result, 1, header.size_bytes) : NULL;
    if (bytes == NULL) {
        nav_arena_restore(job->scratch, mark);
        return nav_fail(job->err, NAV_NO_MEMORY, "a tile of %llu bytes does not fit into memory",
                        (unsigned long long)header.size_bytes);
    }
    nav_tile_sections w = nav_tile_sections_begin(bytes, &header);
    write_vertices(&w, job, polygons);
    write_polygons(&w, polygons);
    if (has_detail(detail)) {
        write_detail(&w, job, detail);
    }
    write_switches(&w, job->config, &sets);
    if (!nav_tile_seal(&w, leaves, job->cancel)) {
        nav_arena_restore(result, result_mark);
        nav_arena_restore(job->scratch, mark);
        return nav_bake_end(job);
    }
    nav_arena_restore(job->scratch, mark);
    *out = (nav_blob){.bytes = bytes, .size_bytes = header.size_bytes};
    return NAV_OK;
}
