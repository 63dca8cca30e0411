// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// assemble.c: the first half of a mesh's making: each tile is verified, then all are placed end to
// end in flat arrays with global indices, in one block; edges that meet become portals.
//
//   blobs --nav_tile_open--> sizes --links.c--> links between tiles --one block--> copy, tile
//     by tile --> portals --> derive/create.c

#include "core/mesh/steps.h"

#include <math.h>
#include <string.h>

// The sums over all tiles; also the offsets of the tile that is copied next.
typedef struct totals {
    uint64_t tiles, bytes, vertices, polygons, corners, portals;
    uint64_t detail_vertices, detail_triangles;
    uint64_t links, arcs; // at most
    uint32_t area_names, flag_names, filters;
    uint32_t tile_sets; // of switches
    uint32_t switches, classes, class_entries;
} totals;

// ---- sizes ----

static uint64_t count_portals(const nav_tile *tile, nav_cancel *cancel)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < tile->header->corner_count && !nav_cancel_poll(cancel, 1); ++i) {
        count += tile->neighbours[i] < tile->header->polygon_count;
    }
    return count;
}

static void add_tile(totals *sum, const nav_tile *tile, uint64_t portal_count)
{
    const nav_tile_header *header = tile->header;
    sum->tiles += 1;
    sum->vertices += header->vertex_count;
    sum->polygons += header->polygon_count;
    sum->corners += header->corner_count;
    sum->portals += portal_count;
    sum->detail_vertices += header->detail_vertex_count;
    sum->detail_triangles += header->detail_triangle_count;
    sum->tile_sets += tile->switches != NULL ? tile->switches->set_count : 0;
}

static uint32_t at_most(uint32_t count, uint32_t limit)
{
    return count < limit ? count : limit;
}

static void add_settings(totals *sum, const nav_config *config)
{
    sum->area_names = NAV_AREA_GROUND + 1;
    if (config == NULL) {
        return;
    }
    if (config->areas != NULL && config->area_count > sum->area_names) {
        sum->area_names = at_most(config->area_count, NAV_AREAS_MAX);
    }
    sum->flag_names = at_most(config->flag_count, NAV_FLAGS_MAX);
    sum->filters = at_most(config->filter_count, NAV_FILTERS_MAX);
    sum->switches = at_most(config->switch_count, NAV_SWITCHES_MAX);
    for (uint32_t i = 0; i < config->link_count; ++i) {
        sum->links += 1;
        sum->arcs += config->links[i].bidirectional ? 2 : 1;
    }
}

static bool fits_32_bits(const totals *sum)
{
    return sum->vertices < NAV_NONE && 2 * sum->polygons < NAV_NONE && sum->corners < NAV_NONE &&
           sum->detail_vertices < NAV_NONE && sum->detail_triangles < NAV_NONE;
}

// All tiles must be of one grid, or their vertices would not meet.
static bool same_grid(const nav_tile_header *a, const nav_tile_header *b)
{
    return a->tiles_x == b->tiles_x && a->tiles_z == b->tiles_z && a->tile_cells == b->tile_cells &&
           a->cell_size == b->cell_size && a->cell_height == b->cell_height &&
           memcmp(a->grid_min, b->grid_min, sizeof a->grid_min) == 0;
}

// Verifying takes a few nanoseconds for so many bytes.
#define BYTES_PER_WORK 16u

static nav_status measure(const nav_blob *tiles, uint32_t tile_count, nav_cancel *cancel,
                          totals *out, nav_error *err)
{
    const nav_tile_header *first = NULL;
    *out = (totals){0};
    for (uint32_t i = 0; i < tile_count; ++i) {
        if (tiles[i].size_bytes == 0) {
            continue;
        }
        if (nav_cancel_poll(cancel, tiles[i].size_bytes / BYTES_PER_WORK)) {
            return NAV_CANCELLED;
        }
        nav_tile tile;
        nav_status status = nav_tile_open(tiles[i], &tile, err);
        if (status == NAV_OK) {
            first = first != NULL ? first : tile.header;
            out->bytes += tiles[i].size_bytes;
            add_tile(out, &tile, count_portals(&tile, cancel));
            if (!same_grid(first, tile.header)) {
                status = nav_fail(err, NAV_BAD_BLOB, "the tile is of another grid than the first");
            } else if (!fits_32_bits(out)) {
                status = nav_fail(err, NAV_BAD_BLOB, "the tiles hold more than 32 bits can count");
            }
        }
        if (status != NAV_OK) {
            nav_error_at(err, "tiles[%u]", i);
            return status;
        }
    }
    return nav_cancel_is_set(cancel) ? NAV_CANCELLED : NAV_OK;
}

// ---- the block ----

typedef struct cursor {
    uint8_t *base; // NULL while measuring
    size_t used_bytes;
} cursor;

// Counts are below 2^33 and elements below 128 bytes: nothing here can overflow.
static void *take(cursor *c, uint64_t count, size_t size_bytes)
{
    NAV_ASSERT(count <= UINT64_C(1) << 34);
    size_t at = c->used_bytes;
    c->used_bytes += (count * size_bytes + 15) / 16 * 16;
    return c->base != NULL ? c->base + at : NULL;
}

static void place_arrays(nav_mesh *mesh, cursor *c, const totals *sum)
{
    take(c, 1, sizeof *mesh);
    mesh->vertices = take(c, sum->vertices, sizeof *mesh->vertices);
    mesh->corners = take(c, sum->corners, sizeof *mesh->corners);
    mesh->neighbours = take(c, sum->corners, sizeof *mesh->neighbours);
    mesh->classes = take(c, sum->polygons, sizeof *mesh->classes);
    mesh->portal_first = take(c, sum->polygons + 1, sizeof *mesh->portal_first);
    mesh->portals = take(c, sum->portals + sum->arcs, sizeof *mesh->portals);
    mesh->portal_turning_vertices = take(c, sum->portals, sizeof *mesh->portal_turning_vertices);
    mesh->preorder = take(c, sum->polygons, sizeof *mesh->preorder);
    mesh->links = take(c, sum->links, sizeof *mesh->links);
    mesh->arc_first = take(c, sum->arcs > 0 ? sum->polygons + 1 : 0, sizeof *mesh->arc_first);
    mesh->arcs = take(c, sum->arcs, sizeof *mesh->arcs);
    mesh->link_classes = take(c, sum->arcs, sizeof *mesh->link_classes);
    mesh->condensation_edges = take(c, sum->links, sizeof *mesh->condensation_edges);
    mesh->records = take(c, sum->polygons + 1, sizeof *mesh->records);
    mesh->detail_vertices = take(c, sum->detail_vertices, sizeof *mesh->detail_vertices);
    mesh->detail_triangles = take(c, sum->detail_triangles, sizeof *mesh->detail_triangles);
    mesh->runs = take(c, sum->tiles + 1, sizeof *mesh->runs);
    const bool has_classes = sum->classes > 0;
    mesh->switches = take(c, sum->switches, sizeof *mesh->switches);
    mesh->ground_classes = take(c, sum->classes + 1, sizeof *mesh->ground_classes);
    mesh->class_switches = take(c, sum->class_entries, sizeof *mesh->class_switches);
    float *by_class = take(c, has_classes ? NAV_MESH_AREAS + sum->classes : 0, sizeof *by_class);
    mesh->costs.by_class = has_classes ? by_class : NULL;
    mesh->area_names = take(c, sum->area_names, sizeof *mesh->area_names);
    mesh->flag_names = take(c, sum->flag_names, sizeof *mesh->flag_names);
    mesh->filters = take(c, sum->filters, sizeof *mesh->filters);
}

static nav_mesh *alloc_mesh(const nav_allocator *allocator, const totals *sum)
{
    nav_mesh measured;
    cursor measuring = {0};
    place_arrays(&measured, &measuring, sum);
    uint8_t *block = allocator->alloc(allocator->user, measuring.used_bytes);
    if (block == NULL) {
        return NULL;
    }
    nav_mesh *mesh = (void *)block;
    *mesh = (nav_mesh){.allocator = *allocator,
                       .tile_bytes = sum->bytes,
                       .size_bytes = measuring.used_bytes,
                       .stats.memory_bytes = measuring.used_bytes};
    atomic_init(&mesh->references, 1);
    cursor placing = {.base = block};
    place_arrays(mesh, &placing, sum);
    NAV_ASSERT(placing.used_bytes == measuring.used_bytes);
    mesh->area_count = sum->area_names;
    mesh->flag_count = sum->flag_names;
    mesh->filter_count = sum->filters;
    mesh->switch_count = sum->switches;
    return mesh;
}

// ---- copying one tile; `at` holds what the tiles before it filled ----

static void copy_polygons(nav_mesh *mesh, const nav_tile *tile, const nav_class_plan *plan,
                          const totals *at)
{
    for (uint32_t i = 0; i < tile->header->polygon_count && !nav_cancel_poll(mesh->cancel, 1);
         ++i) {
        const nav_tile_polygon *polygon = &tile->polygons[i];
        size_t to = (size_t)at->polygons + i;
        mesh->classes[to] = nav_class_plan_of(plan, tile, at->tile_sets, i);
        mesh->records[to] = (nav_polygon_record){
            .min = {INFINITY}, // not known
            .corner_first = (uint32_t)at->corners + polygon->corner_first,
            .detail_vertex_first = (uint32_t)at->detail_vertices + polygon->detail_vertex_first,
            .detail_triangle_first =
                (uint32_t)at->detail_triangles + polygon->detail_triangle_first,
            .corner_count = (uint8_t)polygon->corner_count,
            .ground = mesh->classes[to],
        };
        for (uint32_t k = 0; k < polygon->corner_count; ++k) {
            mesh->records[to].at_border |=
                (tile->neighbours[polygon->corner_first + k] & ~3u) == NAV_EDGE_PORTAL;
        }
    }
    for (uint32_t i = 0; i < tile->header->corner_count && !nav_cancel_poll(mesh->cancel, 1); ++i) {
        uint32_t neighbour = tile->neighbours[i];
        bool inside = neighbour < tile->header->polygon_count;
        mesh->corners[at->corners + i] = (uint32_t)at->vertices + tile->corners[i];
        mesh->neighbours[at->corners + i] = inside ? (uint32_t)at->polygons + neighbour : NAV_NONE;
    }
}

// False where a polygon is missing from the tile's tree.
static bool copy_tile(nav_mesh *mesh, const nav_tile *tile, const nav_class_plan *plan,
                      const totals *at)
{
    const nav_tile_header *header = tile->header;
    mesh->agent_radius = header->agent_radius;
    mesh->agent_height = header->agent_height;
    mesh->agent_max_climb = header->agent_max_climb;
    memcpy(mesh->grid_min, header->grid_min, sizeof mesh->grid_min);
    mesh->cell_size = header->cell_size;
    mesh->cell_height = header->cell_height;
    mesh->tile_cells = header->tile_cells;
    mesh->tiles_x = header->tiles_x;
    mesh->tiles_z = header->tiles_z;
    for (uint32_t i = 0; i < header->vertex_count && !nav_cancel_poll(mesh->cancel, 1); ++i) {
        nav_tile_vertex(header, tile->vertices[i], mesh->vertices[at->vertices + i]);
    }
    copy_polygons(mesh, tile, plan, at);
    memcpy(mesh->detail_vertices + at->detail_vertices, tile->detail_vertices,
           header->detail_vertex_count * sizeof *mesh->detail_vertices);
    memcpy(mesh->detail_triangles + at->detail_triangles, tile->detail_triangles,
           header->detail_triangle_count * sizeof *mesh->detail_triangles);
    mesh->runs[mesh->run_count++] = (nav_mesh_run){.tile_x = header->tile_x,
                                                   .tile_z = header->tile_z,
                                                   .polygon_first = (uint32_t)at->polygons};
    // The bounds of polygons are in the leaves of their tile's tree. It is verified, but not that
    // it has every polygon: false where one is missing.
    uint32_t count = 0;
    for (uint32_t i = 0; i < tile->header->node_count && !nav_cancel_poll(mesh->cancel, 1); ++i) {
        const nav_tile_node *node = &tile->nodes[i];
        if (node->polygon != NAV_NONE) {
            nav_polygon_record *record = &mesh->records[at->polygons + node->polygon];
            count += record->min[0] == INFINITY;
            memcpy(record->min, node->min, sizeof record->min);
            memcpy(record->max, node->max, sizeof record->max);
        }
    }
    return count == tile->header->polygon_count || nav_cancel_is_set(mesh->cancel);
}

static nav_status copy_tiles(nav_mesh *mesh, const nav_blob *tiles, uint32_t tile_count,
                             const nav_class_plan *plan, nav_error *err)
{
    totals at = {0};
    for (uint32_t i = 0; i < tile_count && !nav_cancel_poll(mesh->cancel, 1); ++i) {
        if (tiles[i].size_bytes > 0) {
            nav_tile tile = nav_tile_view(tiles[i].bytes);
            if (!copy_tile(mesh, &tile, plan, &at)) {
                return nav_fail(err, NAV_BAD_BLOB,
                                "a polygon is missing from the tree of its tile");
            }
            add_tile(&at, &tile, 0);
        }
    }
    NAV_ASSERT(mesh->run_count <= tile_count);
    mesh->runs[mesh->run_count] = (nav_mesh_run){.polygon_first = (uint32_t)at.polygons};
    mesh->stats.tiles = tile_count;
    mesh->stats.polygons = (uint32_t)at.polygons;
    mesh->stats.vertices = (uint32_t)at.vertices;
    mesh->records[at.polygons] =
        (nav_polygon_record){.corner_first = (uint32_t)at.corners,
                             .detail_vertex_first = (uint32_t)at.detail_vertices,
                             .detail_triangle_first = (uint32_t)at.detail_triangles};
    return nav_cancel_status(mesh->cancel);
}

// ---- portals ----

static void add_portal(nav_mesh *mesh, uint32_t from, uint32_t to, uint32_t right, uint32_t left)
{
    NAV_DCHECK(from < mesh->stats.polygons);
    NAV_DCHECK(to < mesh->stats.polygons);
    NAV_DCHECK(right < mesh->stats.vertices);
    NAV_DCHECK(left < mesh->stats.vertices);
    mesh->portals[mesh->portal_count++] = (nav_portal){
        .left = {mesh->vertices[left][0], mesh->vertices[left][2]},
        .right = {mesh->vertices[right][0], mesh->vertices[right][2]},
        .from = from,
        .to = to,
        .left_vertex = left,
        .right_vertex = right,
    };
}

// `links`, which are in order of corner, are the portals over the tiles' borders.
static nav_status derive_portals(nav_mesh *mesh, const nav_tile_link *links, uint32_t link_count)
{
    uint32_t next_link = 0;
    for (uint32_t i = 0; i < mesh->stats.polygons; ++i) {
        mesh->portal_first[i] = mesh->portal_count;
        uint32_t first = mesh->records[i].corner_first;
        uint32_t end = mesh->records[i + 1].corner_first;
        if (nav_cancel_poll(mesh->cancel, end - first)) {
            return NAV_CANCELLED;
        }
        for (uint32_t k = first; k < end; ++k) {
            uint32_t next = k + 1 < end ? k + 1 : first;
            if (mesh->neighbours[k] != NAV_NONE) {
                add_portal(mesh, i, mesh->neighbours[k], mesh->corners[k], mesh->corners[next]);
            }
            for (; next_link < link_count && links[next_link].corner == k; ++next_link) {
                const nav_tile_link *link = &links[next_link];
                if (mesh->neighbours[k] == NAV_NONE) {
                    mesh->neighbours[k] = link->to;
                }
                add_portal(mesh, i, link->to, link->right, link->left);
            }
        }
    }
    mesh->portal_first[mesh->stats.polygons] = mesh->portal_count;
    NAV_ASSERT(next_link == link_count); // they are in order of corner, so that each was met
    return NAV_OK;
}

// The tiles, which have been measured, in one block, linked where their borders meet.
static nav_status place_tiles(const nav_blob *tiles, uint32_t tile_count, totals *sum,
                              const nav_class_plan *plan, nav_cancel *cancel,
                              const nav_allocator *source, nav_arena *temporary, nav_mesh **out,
                              nav_error *err)
{
    nav_tile_link *links = NULL;
    uint32_t link_count = 0;
    nav_status status =
        nav_mesh_find_links(tiles, tile_count, cancel, temporary, &links, &link_count, err);
    if (status != NAV_OK && status != NAV_NO_MEMORY) {
        return status;
    }
    sum->portals += link_count;
    nav_mesh *mesh = NULL;
    if (status == NAV_OK && sum->portals + sum->arcs <= NAV_PORTALS_MAX) {
        mesh = alloc_mesh(source, sum);
    }
    if (mesh == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "a mesh of %llu polygons does not fit into memory",
                        (unsigned long long)sum->polygons);
    }
    mesh->cancel = cancel;
    *out = mesh;
    status = copy_tiles(mesh, tiles, tile_count, plan, err);
    return status == NAV_OK ? derive_portals(mesh, links, link_count) : status;
}

// ---- exported ----

nav_status nav_mesh_assemble(const nav_blob *tiles, uint32_t tile_count, const nav_config *config,
                             nav_cancel *cancel, const nav_allocator *source, nav_arena *temporary,
                             nav_mesh **out, nav_error *err)
{
    totals sum;
    nav_status status = measure(tiles, tile_count, cancel, &sum, err);
    if (status != NAV_OK) {
        return status;
    }
    add_settings(&sum, config);
    nav_mesh *mesh = NULL;
    nav_class_plan *plan;
    status = nav_class_plan_make(tiles, tile_count, config, cancel, temporary, &plan, err);
    if (status != NAV_OK) {
        return status;
    }
    nav_class_plan_sizes(plan, &sum.classes, &sum.class_entries);
    status = place_tiles(tiles, tile_count, &sum, plan, cancel, source, temporary, &mesh, err);
    if (status != NAV_OK) {
        nav_mesh_release(mesh);
        return status;
    }
    NAV_ASSERT(mesh->portal_count == sum.portals);
    nav_class_plan_copy(plan, config, mesh);
    *out = mesh;
    return NAV_OK;
}
