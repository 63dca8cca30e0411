// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// tile.c: one tile of theirs to one of ours. Everything that a polygon names is looked up with its
// bound; the shapes are then judged by nav_tile_from_polygons.

#include "proto/detour/file.h"

#include <math.h>

// As near to the tile's border as Detour's own portals may lie.
#define BORDER_ERROR_MAX 0.01

// Polygons that are left out have no number.
typedef struct importing {
    const proto_detour *file;
    const detour_frame *frame;
    proto_detour_header header;
    detour_sections sections;
    nav_error *err;
    const uint8_t *areas; // of ours by ground
    uint32_t *numbers;    // by polygon of theirs: ours, or NAV_NONE
    uint32_t *vertex_numbers;
    int32_t (*vertices)[3];
    uint8_t *corner_counts, *polygon_areas, *detail_vertex_counts, *detail_triangle_counts;
    uint32_t *corners, *neighbours;
    float (*detail_vertices)[3];
    uint16_t (*detail_triangles)[3];
    uint32_t vertex_count, polygon_count, corner_count, detail_vertex_count, detail_triangle_count;
} importing;

// ---- memory: as the header's counts, which are those of its bytes ----

static bool reserve(importing *t, nav_arena *scratch)
{
    const proto_detour_header *h = &t->header;
    const size_t polygons = h->connection_first;
    t->numbers = NAV_NEW(scratch, uint32_t, polygons);
    t->vertex_numbers = NAV_NEW(scratch, uint32_t, h->vertex_count);
    t->vertices = nav_arena_alloc(scratch, h->vertex_count, sizeof *t->vertices);
    t->corner_counts = NAV_NEW(scratch, uint8_t, polygons);
    t->polygon_areas = NAV_NEW(scratch, uint8_t, polygons);
    t->detail_vertex_counts = NAV_NEW_ZERO(scratch, uint8_t, polygons);
    t->detail_triangle_counts = NAV_NEW_ZERO(scratch, uint8_t, polygons);
    t->corners = NAV_NEW(scratch, uint32_t, polygons * PROTO_DETOUR_VERTICES_MAX);
    t->neighbours = NAV_NEW(scratch, uint32_t, polygons * PROTO_DETOUR_VERTICES_MAX);
    t->detail_vertices =
        nav_arena_alloc(scratch, h->detail_vertex_count, sizeof *t->detail_vertices);
    t->detail_triangles =
        nav_arena_alloc(scratch, h->detail_triangle_count, sizeof *t->detail_triangles);
    return t->numbers != NULL && t->vertex_numbers != NULL && t->vertices != NULL &&
           t->corner_counts != NULL && t->polygon_areas != NULL &&
           t->detail_vertex_counts != NULL && t->detail_triangle_counts != NULL &&
           t->corners != NULL && t->neighbours != NULL && t->detail_vertices != NULL &&
           t->detail_triangles != NULL;
}

static nav_status refuse(const importing *t, uint32_t polygon, const char *what)
{
    return detour_fail(t->frame, t->err, NAV_BAD_BLOB, "polygon %u %s", polygon, what);
}

// ---- polygons ----

static uint32_t ground_of(const importing *t, const proto_detour_polygon *polygon)
{
    return detour_ground_of(t->file, polygon->area_and_kind & (PROTO_DETOUR_AREAS_MAX - 1),
                            polygon->flags);
}

static nav_status number_polygons(importing *t)
{
    for (uint32_t i = 0; i < t->header.polygon_count; i++) {
        proto_detour_polygon polygon;
        detour_get(t->file, t->frame, t->sections.polygons, i, &polygon, sizeof polygon);
        const bool is_link = i >= t->header.connection_first;
        if (polygon.area_and_kind >> 6 !=
            (is_link ? PROTO_DETOUR_POLYGON_LINK : PROTO_DETOUR_POLYGON_GROUND)) {
            return refuse(t, i,
                          "is of a kind that does not fit its place among ground and off-mesh "
                          "connections");
        }
        if (is_link
                ? polygon.vertex_count != 2
                : polygon.vertex_count < 3 || polygon.vertex_count > PROTO_DETOUR_VERTICES_MAX) {
            return refuse(t, i, "has a count of vertices that cannot be");
        }
        for (uint32_t k = 0; k < polygon.vertex_count; k++) {
            if (polygon.vertices[k] >= t->header.vertex_count) {
                return refuse(t, i, "names a vertex that is not there");
            }
        }
        if (!is_link) {
            const bool taken = ground_of(t, &polygon) != NAV_NONE;
            t->numbers[i] = taken ? t->polygon_count++ : NAV_NONE;
        }
    }
    return NAV_OK;
}

// Ours: 0 -x, 1 +z, 2 +x, 3 -z.
static bool read_side(uint16_t neighbour, uint32_t *direction)
{
    switch (neighbour & ~PROTO_DETOUR_EDGE_OUTSIDE) {
    case 0:
        *direction = 2;
        return true;
    case 2:
        *direction = 1;
        return true;
    case 4:
        *direction = 0;
        return true;
    case 6:
        *direction = 3;
        return true;
    default:
        return false;
    }
}

static nav_status take_edge(importing *t, uint32_t index, uint16_t neighbour, uint32_t *out)
{
    uint32_t direction;
    *out = NAV_NONE;
    if (neighbour == 0) {
        return NAV_OK;
    }
    if ((neighbour & PROTO_DETOUR_EDGE_OUTSIDE) != 0) {
        if (!read_side(neighbour, &direction)) {
            return refuse(t, index, "has an edge to a side that a tile does not have");
        }
        *out = NAV_EDGE_PORTAL | direction;
        return NAV_OK;
    }
    if (neighbour > t->header.connection_first) {
        return refuse(t, index, "names a neighbour that is not there");
    }
    *out = t->numbers[neighbour - 1];
    return NAV_OK;
}

static uint32_t take_vertex(importing *t, uint32_t index)
{
    if (t->vertex_numbers[index] == NAV_NONE) {
        const proto_detour *d = t->file;
        const float sizes[3] = {d->cell_size, d->cell_height, d->cell_size};
        float at[3];
        detour_get(d, t->frame, t->sections.vertices, index, at, sizeof at);
        for (int axis = 0; axis < 3; axis++) {
            t->vertices[t->vertex_count][axis] = (int32_t)lround(
                ((double)at[axis] - (double)d->grid_min[axis]) / (double)sizes[axis]);
        }
        t->vertex_numbers[index] = t->vertex_count++;
    }
    return t->vertex_numbers[index];
}

static nav_status take_polygons(importing *t)
{
    nav_status status = NAV_OK;
    for (uint32_t i = 0; i < t->header.vertex_count; i++) {
        t->vertex_numbers[i] = NAV_NONE;
    }
    for (uint32_t i = 0; status == NAV_OK && i < t->header.connection_first; i++) {
        proto_detour_polygon polygon;
        detour_get(t->file, t->frame, t->sections.polygons, i, &polygon, sizeof polygon);
        for (uint32_t k = 0; status == NAV_OK && k < polygon.vertex_count; k++) {
            status = take_edge(t, i, polygon.neighbours[k], &t->neighbours[t->corner_count]);
            if (t->numbers[i] != NAV_NONE) {
                t->corners[t->corner_count++] = take_vertex(t, polygon.vertices[k]);
            }
        }
        if (t->numbers[i] != NAV_NONE) {
            t->corner_counts[t->numbers[i]] = polygon.vertex_count;
            t->polygon_areas[t->numbers[i]] = t->areas[ground_of(t, &polygon)];
        }
    }
    return status;
}

// ---- borders: edges to other tiles are put onto the line that those share ----

static void put_on_border(const importing *t, uint32_t vertex, uint32_t direction)
{
    const proto_detour *d = t->file;
    const bool along_x = direction % 2 == 0;
    const int across = along_x ? 0 : 2;
    const double width = along_x ? (double)d->params.tile_width : (double)d->params.tile_depth;
    const int64_t tile = (along_x ? t->frame->tile_x : t->frame->tile_z) +
                         (int64_t)(direction == 1 || direction == 2);
    const double line = (double)d->params.origin[across] + (double)tile * width;
    const double line_cells = (line - (double)d->grid_min[across]) / (double)d->cell_size;
    const double near_cells = BORDER_ERROR_MAX / (double)d->cell_size + 1;
    int32_t *at = &t->vertices[vertex][across];
    if (fabs(line_cells - *at) <= fmin(near_cells, 16)) {
        *at = (int32_t)lround(line_cells);
    }
}

static void straighten_borders(const importing *t)
{
    if ((double)t->file->cell_size > BORDER_ERROR_MAX) {
        return; // Recast's own cells: they lie on it
    }
    uint32_t first = 0;
    for (uint32_t i = 0; i < t->polygon_count; i++) {
        const uint32_t count = t->corner_counts[i];
        for (uint32_t k = 0; k < count; k++) {
            const uint32_t neighbour = t->neighbours[first + k];
            if ((neighbour & ~3u) == NAV_EDGE_PORTAL) {
                put_on_border(t, t->corners[first + k], neighbour & 3u);
                put_on_border(t, t->corners[first + (k + 1) % count], neighbour & 3u);
            }
        }
        first += count;
    }
}

// ---- detail ----

static nav_status take_triangles(importing *t, uint32_t index, const proto_detour_detail *detail,
                                 uint32_t corner_count)
{
    for (uint32_t i = 0; i < detail->triangle_count; i++) {
        uint8_t triangle[4];
        detour_get(t->file, t->frame, t->sections.detail_triangles, detail->triangle_first + i,
                   triangle, sizeof triangle);
        for (int k = 0; k < 3; k++) {
            if (triangle[k] >= corner_count + detail->vertex_count) {
                return refuse(t, index, "has a detail triangle with a vertex that is not there");
            }
            t->detail_triangles[t->detail_triangle_count][k] = triangle[k];
        }
        t->detail_triangle_count++;
    }
    return NAV_OK;
}

static bool is_within(uint32_t first, uint32_t count, uint32_t all)
{
    return count == 0 || (first < all && count <= all - first);
}

// Together they take no more than there is, so that none is copied twice.
static nav_status take_detail(importing *t, uint32_t index)
{
    const proto_detour_header *h = &t->header;
    proto_detour_detail detail;
    detour_get(t->file, t->frame, t->sections.details, index, &detail, sizeof detail);
    const bool taken = t->numbers[index] != NAV_NONE;
    if (!is_within(detail.vertex_first, detail.vertex_count, h->detail_vertex_count) ||
        !is_within(detail.triangle_first, detail.triangle_count, h->detail_triangle_count) ||
        (taken && (detail.vertex_count > h->detail_vertex_count - t->detail_vertex_count ||
                   detail.triangle_count > h->detail_triangle_count - t->detail_triangle_count))) {
        return refuse(t, index, "has a mesh of detail that reaches outside of the tile's");
    }
    if (!taken) {
        return NAV_OK;
    }
    const uint32_t number = t->numbers[index];
    t->detail_vertex_counts[number] = detail.vertex_count;
    t->detail_triangle_counts[number] = detail.triangle_count;
    for (uint32_t i = 0; i < detail.vertex_count; i++) {
        detour_get(t->file, t->frame, t->sections.detail_vertices, detail.vertex_first + i,
                   t->detail_vertices[t->detail_vertex_count++], sizeof *t->detail_vertices);
    }
    return take_triangles(t, index, &detail, t->corner_counts[number]);
}

// ---- off-mesh connections: they are links of the settings, and only checked here ----

static nav_status check_connections(const importing *t)
{
    for (uint32_t i = 0; i < t->header.connection_count; i++) {
        proto_detour_connection c;
        detour_get(t->file, t->frame, t->sections.connections, i, &c, sizeof c);
        bool valid = c.radius >= 0.0f && c.radius <= NAV_COORDINATE_MAX &&
                     c.polygon >= t->header.connection_first && c.polygon < t->header.polygon_count;
        for (int axis = 0; axis < 3; axis++) {
            valid = valid && fabsf(c.start[axis]) <= NAV_COORDINATE_MAX &&
                    fabsf(c.end[axis]) <= NAV_COORDINATE_MAX;
        }
        if (!valid) {
            return detour_fail(t->frame, t->err, NAV_BAD_BLOB,
                               "off-mesh connection %u has a number that cannot be, or is no "
                               "polygon's",
                               i);
        }
    }
    return NAV_OK;
}

// ---- the tile ----

static nav_status take_all(importing *t)
{
    nav_status status = number_polygons(t);
    NAV_IF_OK(status, take_polygons(t));
    for (uint32_t i = 0; status == NAV_OK && i < t->header.detail_count; i++) {
        status = take_detail(t, i);
    }
    NAV_IF_OK(status, check_connections(t));
    if (status == NAV_OK) {
        straighten_borders(t);
    }
    return status;
}

static nav_tile_polygons polygons_of(const importing *t)
{
    const proto_detour *d = t->file;
    return (nav_tile_polygons){
        .tile_x = t->frame->x,
        .tile_z = t->frame->z,
        .tiles_x = d->tiles_x,
        .tiles_z = d->tiles_z,
        .grid_min = {d->grid_min[0], d->grid_min[1], d->grid_min[2]},
        .cell_size = d->cell_size,
        .cell_height = d->cell_height,
        .agent_radius = d->agent_radius,
        .agent_height = d->agent_height,
        .agent_max_climb = d->agent_max_climb,
        .vertices = (const int32_t(*)[3])t->vertices,
        .corner_counts = t->corner_counts,
        .areas = t->polygon_areas,
        .corners = t->corners,
        .neighbours = t->neighbours,
        .detail_vertex_counts = t->detail_vertex_counts,
        .detail_triangle_counts = t->detail_triangle_counts,
        .detail_vertices = (const float(*)[3])t->detail_vertices,
        .detail_triangles = (const uint16_t(*)[3])t->detail_triangles,
        .vertex_count = t->vertex_count,
        .polygon_count = t->polygon_count,
    };
}

// The number of our areas by ground.
static nav_status find_areas(const proto_detour *d, const nav_config *config,
                             uint8_t out[DETOUR_GROUNDS_MAX], nav_error *err)
{
    for (uint32_t i = 0; i < d->ground_count; i++) {
        uint32_t area = config->areas != NULL ? 1 : NAV_NONE;
        while (area < config->area_count &&
               strcmp(config->areas[area].name, d->grounds[i].name) != 0) {
            area++;
        }
        if (area >= config->area_count) {
            return nav_fail(err, NAV_INVALID_FIELD, "the settings lack the area \"%s\"",
                            d->grounds[i].name);
        }
        out[i] = (uint8_t)area;
    }
    return NAV_OK;
}

static nav_status import_tile(const proto_detour *d, uint32_t index, const uint8_t *areas,
                              const nav_bake_hooks *hooks, nav_arena *scratch, nav_arena *result,
                              nav_blob *out, nav_bake_report *report, nav_error *err)
{
    const detour_frame *frame = &d->frames[index];
    importing t = {
        .file = d, .frame = frame, .header = detour_header(d, frame), .areas = areas, .err = err};
    t.sections = detour_sections_of(&t.header, frame->link_bytes);
    const nav_arena_mark mark = nav_arena_save(scratch);
    nav_status status = reserve(&t, scratch)
                            ? take_all(&t)
                            : nav_fail(err, NAV_NO_MEMORY, "no memory for a tile's polygons");
    if (status == NAV_OK) {
        nav_error why = {0};
        const nav_tile_polygons polygons = polygons_of(&t);
        status = nav_tile_from_polygons(&polygons, hooks, scratch, result, out, &why);
        if (status == NAV_BAD_BLOB) {
            (void)detour_fail(frame, err, status, "%s", why.detail);
        } else if (status != NAV_OK && err != NULL) {
            *err = why;
        }
    }
    nav_arena_restore(scratch, mark);
    if (status == NAV_OK && report != NULL) {
        report->polygons += t.polygon_count;
        report->vertices += t.vertex_count;
        report->detail_triangles += t.detail_triangle_count;
    }
    return status;
}

nav_status proto_detour_tile(const proto_detour *d, uint32_t index, const nav_config *config,
                             const nav_bake_hooks *hooks, nav_arena *scratch, nav_arena *result,
                             nav_blob *out, nav_bake_report *report, nav_error *err)
{
    uint8_t areas[DETOUR_GROUNDS_MAX];
    NAV_ASSERT(index < d->frame_count);
    nav_status status = find_areas(d, config, areas, err);
    return status == NAV_OK ? import_tile(d, index, areas, hooks, scratch, result, out, report, err)
                            : status;
}

nav_status proto_detour_check(const proto_detour *d, const nav_config *config,
                              size_t memory_limit_bytes, const nav_bake_hooks *hooks,
                              nav_error *err)
{
    nav_arena scratch, result;
    nav_arena_init(&scratch, NULL, memory_limit_bytes);
    nav_arena_init(&result, NULL, memory_limit_bytes);
    nav_status status = NAV_OK;
    bool empty = true;
    for (uint32_t i = 0; status == NAV_OK && i < d->frame_count; i++) {
        nav_blob blob = {0};
        status = proto_detour_tile(d, i, config, hooks, &scratch, &result, &blob, NULL, err);
        empty = empty && blob.size_bytes == 0;
        nav_arena_reset(&result);
    }
    nav_arena_free(&scratch);
    nav_arena_free(&result);
    return status == NAV_OK && empty
               ? nav_fail(err, NAV_MESH_EMPTY,
                          "no polygon of the file has a flag, without which no query takes it")
               : status;
}
