// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// mset.c: a mesh as RecastDemo's MSET, which Detour loads and searches as it is. Positions are the
// mesh's own: Y up, metres. A mesh that Detour's numbers cannot hold is refused by the setting that
// would fit, before anything is written; nothing is left out or changed without a word.
//
//   our tile --> a tile of the same place     our polygon n of a tile --> its polygon n
//   portal over a tile's border --> the border's side: Detour links such edges as it loads them
//   link --> off-mesh connection in the tile of its start
//   area i --> area i     flag i --> bit i; ground without flags: the bit behind the last flag
//   ground and links under a switch that is closed by default --> no flags, so that nobody walks it

#include "proto/exports/mset.h"

#include "proto/json/write.h"

#include <math.h>
#include <string.h>

// Detour counts a tile's vertices by 16 bits, and has one value for "none"; of polygons the highest
// bit means borders, and numbers begin at 1.
#define TILE_VERTICES_MAX 65534u
#define TILE_POLYGONS_MAX 32767u
// A reference has 32 bits, of which at least 10 are left to distinguish its tile's lives.
#define REFERENCE_BITS 22u
// Corners and triangles of one polygon's detail.
#define DETAIL_VERTICES_MAX 256u
#define DETAIL_TRIANGLES_MAX 255u
// Detour shortens each edge on a border by a hundredth at both ends before it compares two.
#define CELL_SIZE_MIN 0.025f

// ---- refusals ----

// Longer side of the tile that is there, in cells.
static double side_cells(const mset *m)
{
    const selection *s = m->s;
    const float x = s->max[0] - s->min[0], z = s->max[2] - s->min[2];
    return m->grid.tile_cells > 0 ? (double)m->grid.tile_cells
                                  : ceil((double)(x > z ? x : z) / (double)m->grid.cell_size);
}

// Too many of something in a tile: smaller tiles have fewer.
static nav_status refuse_tile(const mset *m, const mset_tile *tile, const char *what,
                              uint32_t count, uint32_t limit, nav_error *err)
{
    const double side = side_cells(m) * sqrt((double)limit / count) * 0.75;
    const uint32_t fits = side >= NAV_TILE_SIDE_CELLS_MAX  ? NAV_TILE_SIDE_CELLS_MAX
                          : side < NAV_TILE_SIDE_CELLS_MIN ? NAV_TILE_SIDE_CELLS_MIN
                                                           : (uint32_t)side / 16 * 16;
    return nav_fail_bound(
        err, PROTO_NOT_EXPORTABLE, "tile_cells", count, limit,
        "tile %u,%u has %u %s, and a tile of Detour at most %u: bake with tile_cells=%u", tile->x,
        tile->z, count, what, limit, fits);
}

static nav_status refuse_polygon(uint32_t polygon, const char *what, const char *do_this,
                                 uint32_t count, uint32_t limit, const char *at, nav_error *err)
{
    return nav_fail_bound(err, PROTO_NOT_EXPORTABLE, at, count, limit,
                          "polygon %u has %u %s, and one of Detour at most %u: bake with %s",
                          polygon, count, what, limit, do_this);
}

static nav_status check_polygon(const mset *m, uint32_t number, nav_error *err)
{
    const nav_polygon polygon = nav_mesh_polygon(m->s->mesh, number);
    const nav_polygon_detail detail = nav_mesh_polygon_detail(m->s->mesh, number);
    const uint32_t corners = polygon.vertex_count + detail.vertex_count;
    static const char *const coarser = "smaller tiles (tile_cells), or a coarser detail "
                                       "(detail_sample_distance)";
    if (polygon.vertex_count > PROTO_DETOUR_VERTICES_MAX) {
        return refuse_polygon(number, "corners", "polygon_max_vertices=6", polygon.vertex_count,
                              PROTO_DETOUR_VERTICES_MAX, "polygon_max_vertices", err);
    }
    if (corners > DETAIL_VERTICES_MAX) {
        return refuse_polygon(number, "corners of height detail", coarser, corners,
                              DETAIL_VERTICES_MAX, "detail_sample_distance", err);
    }
    if (detail.triangle_count > DETAIL_TRIANGLES_MAX) {
        return refuse_polygon(number, "triangles of height detail", coarser, detail.triangle_count,
                              DETAIL_TRIANGLES_MAX, "detail_sample_distance", err);
    }
    return NAV_OK;
}

// How many of the polygons behind one edge on a tile's border Detour links at most.
#define LINKS_AN_EDGE 4u

static nav_status check_borders(const mset *m, uint32_t number, nav_error *err)
{
    const selection *s = m->s;
    const uint32_t count = nav_mesh_edge_portals(s->mesh, number, s->portals, s->portal_capacity);
    uint32_t behind = 0;
    for (uint32_t i = 0; i < count; i++) {
        behind = i > 0 && s->portals[i].edge == s->portals[i - 1].edge ? behind + 1 : 1;
        if (behind > LINKS_AN_EDGE) {
            return nav_fail_at(
                err, PROTO_NOT_EXPORTABLE, "tile_cells",
                "polygon %u has more than %u polygons behind one edge on its tile's "
                "border, and Detour links no more: bake with other tile_cells, best as "
                "one tile (0)",
                number, LINKS_AN_EDGE);
        }
    }
    return NAV_OK;
}

// Areas and flags that are used here.
static nav_status check_areas(const mset *m, nav_error *err)
{
    const selection *s = m->s;
    bool any_without = false;
    for (uint32_t i = 0; i < SELECTION_AREAS; i++) {
        if (s->area_used[i] && i >= PROTO_DETOUR_AREAS_MAX) {
            return nav_fail_at(
                err, PROTO_NOT_EXPORTABLE, "areas",
                "area %u is used, and Detour's areas end at 63: give the settings fewer", i);
        }
        any_without =
            any_without || (s->area_used[i] && nav_mesh_area(s->mesh, (uint8_t)i).flags == 0);
    }
    if (m->flag_count + any_without > PROTO_DETOUR_FLAGS_MAX) {
        return nav_fail_bound(
            err, PROTO_NOT_EXPORTABLE, "flags", m->flag_count, PROTO_DETOUR_FLAGS_MAX - any_without,
            "there are %u flags, and Detour has 16, one of which is taken where ground "
            "has none: name fewer",
            m->flag_count);
    }
    return NAV_OK;
}

// Detour lets a connection end in its own tile or in one of the eight around.
static nav_status check_link(const mset *m, const nav_placed_link *link, nav_error *err)
{
    const mset_tile *from = &m->tiles[m->tile_of[m->s->place[link->start_polygon]]];
    const mset_tile *to = &m->tiles[m->tile_of[m->s->place[link->end_polygon]]];
    const int32_t dx = mset_apart(from->x, to->x), dz = mset_apart(from->z, to->z);
    if (link->has_cost) {
        return nav_fail_at(
            err, PROTO_NOT_EXPORTABLE, nav_at("links[%u].cost", link->config_index).text,
            "links[%u] has a cost of its own, and Detour counts its length at its area's "
            "cost: leave the cost out, and give the link an area that costs as much",
            link->config_index);
    }
    if (dx < -1 || dx > 1 || dz < -1 || dz > 1) {
        const float x = fabsf(link->end[0] - link->start[0]);
        const float z = fabsf(link->end[2] - link->start[2]);
        const double least = ceil((double)(x > z ? x : z) / (double)m->grid.cell_size);
        return nav_fail_at(
            err, PROTO_NOT_EXPORTABLE, "tile_cells",
            "links[%u] leads over more than one tile's border, and Detour's connections "
            "end beside their tile at the farthest: bake with tile_cells=%.0f",
            link->config_index,
            least <= NAV_TILE_SIDE_CELLS_MAX ? fmax(least, NAV_TILE_SIDE_CELLS_MIN) : 0);
    }
    return NAV_OK;
}

static uint32_t bits_for(uint32_t count)
{
    uint32_t bits = 0;
    while ((UINT64_C(1) << bits) < count) {
        bits++;
    }
    return bits;
}

static uint32_t polygon_bits(const mset *m)
{
    uint32_t most = 1;
    for (uint32_t i = 0; i < m->tile_count; i++) {
        const uint32_t count = m->tiles[i].polygon_count + m->tiles[i].connection_count;
        most = count > most ? count : most;
    }
    return bits_for(most);
}

static nav_status check_references(const mset *m, nav_error *err)
{
    const uint32_t bits = bits_for(m->tile_count), all = bits + polygon_bits(m);
    if (all <= REFERENCE_BITS) {
        return NAV_OK;
    }
    return nav_fail_bound(
        err, PROTO_NOT_EXPORTABLE, "tile_cells", all, REFERENCE_BITS,
        "%u tiles of up to %u polygons need %u bits of a reference, and Detour has %u for "
        "both: export parts of the level with bounds, or bake with larger tiles "
        "(tile_cells)",
        m->tile_count, 1u << polygon_bits(m), all, REFERENCE_BITS);
}

// Several tiles without a size were made by another program: their numbers are names and no places,
// and two that are joined need not have a border in common.
static nav_status check_places(const mset *m, nav_error *err)
{
    if (m->grid.tile_cells > 0 || (m->grid.tiles_x <= 1 && m->grid.tiles_z <= 1)) {
        return NAV_OK;
    }
    return nav_fail_at(
        err, PROTO_NOT_EXPORTABLE, "format",
        "the tiles are those of a file of Detour's: ask for the version's geometry, which "
        "is that file");
}

static nav_status check(const mset *m, nav_error *err)
{
    const selection *s = m->s;
    nav_status status = check_places(m, err);
    NAV_IF_OK(status, check_areas(m, err));
    if (status == NAV_OK && m->tile_count > 1 && m->grid.cell_size < CELL_SIZE_MIN) {
        status =
            nav_fail_at(err, PROTO_NOT_EXPORTABLE, "cell_size",
                        "Detour does not link tiles whose cells are below %g: bake with a larger "
                        "cell_size, or as one tile (tile_cells=0)",
                        (double)CELL_SIZE_MIN);
    }
    for (uint32_t i = 0; status == NAV_OK && i < s->polygon_count; i++) {
        status = check_polygon(m, s->polygons[i], err);
        NAV_IF_OK(status, m->tile_count > 1 ? check_borders(m, s->polygons[i], err) : NAV_OK);
    }
    for (uint32_t i = 0; status == NAV_OK && i < s->link_count; i++) {
        status = check_link(m, nav_mesh_link(s->mesh, s->links[i]), err);
    }
    for (uint32_t i = 0; status == NAV_OK && i < m->tile_count; i++) {
        const mset_tile *tile = &m->tiles[i];
        const uint32_t polygons = tile->polygon_count + tile->connection_count;
        const uint32_t vertices = tile->vertex_count + 2 * tile->connection_count;
        if (polygons > TILE_POLYGONS_MAX) {
            status = refuse_tile(m, tile, "polygons", polygons, TILE_POLYGONS_MAX, err);
        } else if (vertices > TILE_VERTICES_MAX) {
            status = refuse_tile(m, tile, "vertices", vertices, TILE_VERTICES_MAX, err);
        }
    }
    return status == NAV_OK ? check_references(m, err) : status;
}

// ---- tiles ----

static void widen(mset_tile *tile, const float point[3])
{
    for (int axis = 0; axis < 3; axis++) {
        tile->min[axis] = point[axis] < tile->min[axis] ? point[axis] : tile->min[axis];
        tile->max[axis] = point[axis] > tile->max[axis] ? point[axis] : tile->max[axis];
    }
}

static void add_polygon(mset *m, mset_tile *tile, uint32_t place)
{
    const selection *s = m->s;
    const uint32_t number = s->polygons[place];
    const nav_polygon polygon = nav_mesh_polygon(s->mesh, number);
    const selection_triangles all = selection_triangles_of(s->mesh, &polygon, number);
    for (uint32_t k = 0; k < polygon.vertex_count; k++) {
        const uint32_t vertex = s->vertex_place[polygon.vertices[k]];
        const uint32_t end = tile->vertex_first + tile->vertex_count;
        const bool first = place == tile->polygon_first && k == 0;
        const uint32_t low = first || vertex < tile->vertex_first ? vertex : tile->vertex_first;
        tile->vertex_count = (first || vertex >= end ? vertex + 1 : end) - low;
        tile->vertex_first = low;
        const float *at = nav_mesh_vertex(s->mesh, polygon.vertices[k]);
        if (first) {
            memcpy(tile->min, at, sizeof tile->min);
            memcpy(tile->max, at, sizeof tile->max);
        }
        widen(tile, at);
        tile->link_count += polygon.neighbours[k] != NAV_NONE ? LINKS_AN_EDGE : 0;
    }
    for (uint32_t k = 0; k < all.detail.vertex_count; k++) {
        widen(tile, all.detail.vertices[k]);
    }
    tile->detail_vertex_count += all.detail.vertex_count;
    tile->detail_triangle_count += all.count;
    m->tile_of[place] = (uint32_t)(tile - m->tiles);
}

static void make_tiles(mset *m)
{
    const selection *s = m->s;
    uint32_t place = 0;
    for (uint32_t i = 0; i < nav_mesh_tile_count(s->mesh); i++) {
        const nav_mesh_tile all = nav_mesh_tile_get(s->mesh, i);
        const uint32_t end = all.polygon_first + all.polygon_count;
        mset_tile *tile = &m->tiles[m->tile_count];
        *tile = (mset_tile){.x = all.x, .z = all.z, .polygon_first = place};
        while (place < s->polygon_count && s->polygons[place] < end) {
            add_polygon(m, tile, place++);
        }
        tile->polygon_count = place - tile->polygon_first;
        if (tile->polygon_count > 0) {
            // In plan view a tile of several is its square of the grid.
            const uint32_t at[3] = {tile->x, 0, tile->z};
            for (int axis = 0; axis < 3 && m->grid.tile_cells > 0; axis += 2) {
                const float low = (float)(at[axis] * m->grid.tile_cells);
                const float high = (float)((at[axis] + 1) * m->grid.tile_cells);
                tile->min[axis] = m->grid.min[axis] + low * m->grid.cell_size;
                tile->max[axis] = m->grid.min[axis] + high * m->grid.cell_size;
            }
            m->tile_count++;
        }
    }
    NAV_ASSERT(place == s->polygon_count);
}

static uint32_t tile_of_start(const mset *m, uint32_t link)
{
    return m->tile_of[m->s->place[nav_mesh_link(m->s->mesh, link)->start_polygon]];
}

// A counting sort of the links by the tile of their start.
static void make_connections(mset *m)
{
    const selection *s = m->s;
    uint32_t first = 0;
    for (uint32_t i = 0; i < s->link_count; i++) {
        const nav_placed_link *link = nav_mesh_link(s->mesh, s->links[i]);
        mset_tile *tile = &m->tiles[tile_of_start(m, s->links[i])];
        tile->connection_count++;
        tile->link_count += 3; // into it, out of it at its start and at its end
        m->tiles[m->tile_of[s->place[link->end_polygon]]].link_count++;
    }
    for (uint32_t i = 0; i < m->tile_count; i++) {
        m->tiles[i].connection_first = first;
        first += m->tiles[i].connection_count;
        m->tiles[i].connection_count = 0;
    }
    for (uint32_t i = 0; i < s->link_count; i++) {
        mset_tile *tile = &m->tiles[tile_of_start(m, s->links[i])];
        m->connections[tile->connection_first + tile->connection_count++] = s->links[i];
    }
}

static bool allocate(mset *m, nav_arena *scratch)
{
    const selection *s = m->s;
    m->tiles = NAV_NEW(scratch, mset_tile, (size_t)nav_mesh_tile_count(s->mesh) + 1);
    m->tile_of = NAV_NEW(scratch, uint32_t, s->polygon_count);
    m->connections = NAV_NEW(scratch, uint32_t, s->link_count);
    m->edges = NAV_NEW_ZERO(scratch, uint8_t, MSET_EDGE_BYTES);
    return m->tiles != NULL && m->tile_of != NULL && m->connections != NULL && m->edges != NULL;
}

// ---- the file ----

static proto_mset_header header_of(const mset *m)
{
    const selection *s = m->s;
    proto_mset_header header = {
        .magic = PROTO_MSET_MAGIC, .version = PROTO_MSET_VERSION, .tile_count = m->tile_count};
    proto_detour_params *params = &header.params;
    memcpy(params->origin, m->grid.min, sizeof params->origin);
    params->tile_width = (float)m->grid.tile_cells * m->grid.cell_size;
    params->tile_depth = params->tile_width;
    if (m->grid.tile_cells == 0) {
        // One tile takes in all that there is.
        const float margin = m->grid.cell_size + 1.0f;
        params->tile_width = s->max[0] - m->grid.min[0] + margin;
        params->tile_depth = s->max[2] - m->grid.min[2] + margin;
    }
    params->tiles_max = m->tile_count > 0 ? m->tile_count : 1;
    params->polygons_max = 1u << polygon_bits(m);
    return header;
}

static void write_file(proto_writer *w, const mset *m)
{
    const proto_mset_header header = header_of(m);
    const uint32_t bits = polygon_bits(m), salt_at = bits + bits_for(header.params.tiles_max);
    size_t all_bytes = sizeof header;
    for (uint32_t i = 0; i < m->tile_count; i++) {
        all_bytes += sizeof(proto_mset_tile) + mset_tile_bytes(&m->tiles[i]);
    }
    (void)proto_writer_reserve(w, all_bytes);
    proto_writer_put(w, &header, sizeof header);
    for (uint32_t i = 0; i < m->tile_count; i++) {
        const size_t size_bytes = mset_tile_bytes(&m->tiles[i]);
        const proto_mset_tile head = {.reference = 1u << salt_at | i << bits,
                                      .size_bytes = (uint32_t)size_bytes};
        proto_writer_put(w, &head, sizeof head);
        const size_t begin = w->size_bytes;
        mset_tile_write(w, m, &m->tiles[i]);
        NAV_ASSERT(w->failed || w->size_bytes - begin == size_bytes);
    }
}

nav_status export_mset(proto_writer *w, const selection *s, nav_arena *scratch, nav_error *err)
{
    mset m = {.s = s};
    nav_mesh_grid_get(s->mesh, &m.grid);
    while (nav_mesh_flag_name(s->mesh, m.flag_count) != NULL) {
        m.flag_count++;
    }
    if (!allocate(&m, scratch)) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory to lay out the tiles");
    }
    make_tiles(&m);
    make_connections(&m);
    nav_status status = check(&m, err);
    uint32_t most = 0;
    for (uint32_t i = 0; i < m.tile_count; i++) {
        most = m.tiles[i].polygon_count > most ? m.tiles[i].polygon_count : most;
    }
    m.boxes = NAV_NEW(scratch, mset_box, most);
    if (status == NAV_OK && m.boxes == NULL) {
        status = nav_fail(err, NAV_NO_MEMORY, "no memory to lay out the tiles");
    }
    if (status == NAV_OK) {
        write_file(w, &m);
    }
    return status;
}
