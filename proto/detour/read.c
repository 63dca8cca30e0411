// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// read.c: a file of tiles is opened: its frames are found, each tile's header is held against its
// bytes, tiles get their places, and one pass over vertices and polygons finds the grid on which
// all vertices lie and the kinds of ground there are.
//
// THE GRID. Our vertices are whole cells, theirs floats. Where they are what Recast made, x and z
// lie on a grid of its cells that begins at the origin of the tiles, and it is taken: then nothing
// is rounded. Else the cells are so small that rounding is no more than that of floats so far out.
// Their heights lie on a grid of each tile's own, so that ours has finer cells in height.

#include "proto/base/text.h"
#include "proto/detour/file.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

// Of tiles with a cell of Recast's: how far a vertex may lie from it, in cells.
#define CELL_ERROR_MAX 0.02
// Cells of any other grid: whole powers of two from about a millimetre on.
#define STEP_MIN (1.0 / 1024)
#define STEPS_MAX 8388608.0 // half of what a tile's coordinates can count
// In height: records of polygons are smallest while there are no more cells than this, but not for
// the price of more than a few centimetres.
#define HEIGHT_STEPS 65000.0
#define HEIGHT_STEP_MAX (1.0 / 16)

nav_status detour_fail(const detour_frame *frame, nav_error *err, nav_status status,
                       const char *format, ...)
{
    char what[200];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(what, sizeof what, format, args);
    va_end(args);
    nav_fail(err, status, "tile %d,%d: %s", frame->tile_x, frame->tile_z, what);
    nav_error_at(err, "tile %d,%d", frame->tile_x, frame->tile_z);
    return status;
}

static bool is_cancelled(const nav_bake_hooks *hooks)
{
    return hooks != NULL && hooks->cancelled != NULL && hooks->cancelled(hooks->user);
}

// ---- frames ----

nav_status detour_add_frame(proto_detour *d, size_t offset, size_t size_bytes, nav_error *err)
{
    if (d->frame_count == NAV_GRID_TILES_MAX) {
        nav_fail(err, NAV_GEOMETRY_TOO_LARGE, "more than %u tiles", NAV_GRID_TILES_MAX);
        nav_error_limit(err, "%u", NAV_GRID_TILES_MAX);
        return NAV_GEOMETRY_TOO_LARGE;
    }
    if (d->frame_count == d->frame_capacity) {
        const uint32_t capacity = d->frame_capacity * 2 + 16;
        detour_frame *frames = realloc(d->frames, capacity * sizeof *frames);
        if (frames == NULL) {
            return nav_fail(err, NAV_NO_MEMORY, "no memory to list the tiles");
        }
        d->frames = frames;
        d->frame_capacity = capacity;
    }
    d->frames[d->frame_count++] = (detour_frame){.offset = offset, .size_bytes = size_bytes};
    return NAV_OK;
}

static uint64_t tile_bytes(const proto_detour_header *h, uint32_t link_bytes)
{
    return sizeof *h + h->vertex_count * UINT64_C(12) +
           h->polygon_count * (uint64_t)sizeof(proto_detour_polygon) +
           h->link_count * (uint64_t)link_bytes +
           h->detail_count * (uint64_t)sizeof(proto_detour_detail) +
           h->detail_vertex_count * UINT64_C(12) + h->detail_triangle_count * UINT64_C(4) +
           h->node_count * (uint64_t)sizeof(proto_detour_node) +
           h->connection_count * (uint64_t)sizeof(proto_detour_connection);
}

detour_sections detour_sections_of(const proto_detour_header *h, uint32_t link_bytes)
{
    detour_sections s = {.vertices = sizeof *h};
    s.polygons = s.vertices + (size_t)h->vertex_count * 12;
    s.details = s.polygons + (size_t)h->polygon_count * sizeof(proto_detour_polygon) +
                (size_t)h->link_count * link_bytes;
    s.detail_vertices = s.details + (size_t)h->detail_count * sizeof(proto_detour_detail);
    s.detail_triangles = s.detail_vertices + (size_t)h->detail_vertex_count * 12;
    s.connections = s.detail_triangles + (size_t)h->detail_triangle_count * 4 +
                    (size_t)h->node_count * sizeof(proto_detour_node);
    return s;
}

static bool is_size(float value)
{
    return value >= 0.0f && value <= NAV_COORDINATE_MAX;
}

static bool is_coordinate(float value)
{
    return fabsf(value) <= NAV_COORDINATE_MAX;
}

static nav_status check_header(detour_frame *frame, const proto_detour_header *h, nav_error *err)
{
    if (h->magic != PROTO_DETOUR_MAGIC) {
        return detour_fail(frame, err, NAV_BAD_BLOB,
                           "it does not begin as a tile of Detour's does (or its bytes are in the "
                           "order of another processor)");
    }
    if (h->version != PROTO_DETOUR_VERSION) {
        return detour_fail(frame, err, NAV_BAD_BLOB, "it has version %u, version %u is read",
                           h->version, PROTO_DETOUR_VERSION);
    }
    frame->link_bytes = sizeof(proto_detour_link);
    if (tile_bytes(h, frame->link_bytes) != frame->size_bytes) {
        frame->link_bytes = PROTO_DETOUR_LINK_64_BYTES;
    }
    if (tile_bytes(h, frame->link_bytes) != frame->size_bytes) {
        return detour_fail(frame, err, NAV_BAD_BLOB, "its counts do not fit its %zu bytes",
                           frame->size_bytes);
    }
    if (h->connection_first > h->polygon_count ||
        h->polygon_count - h->connection_first != h->connection_count) {
        return detour_fail(frame, err, NAV_BAD_BLOB,
                           "of %u polygons those from %u on cannot be its %u off-mesh connections",
                           h->polygon_count, h->connection_first, h->connection_count);
    }
    if (h->detail_count != 0 && h->detail_count != h->connection_first) {
        return detour_fail(frame, err, NAV_BAD_BLOB, "%u polygons have %u meshes of detail",
                           h->connection_first, h->detail_count);
    }
    bool valid = is_size(h->agent_height) && is_size(h->agent_radius) &&
                 is_size(h->agent_max_climb) && is_size(h->cells_per_unit);
    for (int axis = 0; axis < 3; axis++) {
        valid = valid && is_coordinate(h->min[axis]) && is_coordinate(h->max[axis]);
    }
    return valid ? NAV_OK
                 : detour_fail(frame, err, NAV_BAD_BLOB,
                               "a size or a bound in its header is no number that can be");
}

// What all tiles have in common is the first one's.
static nav_status check_same(proto_detour *d, const detour_frame *frame,
                             const proto_detour_header *h, nav_error *err)
{
    if (frame == d->frames) {
        d->agent_height = h->agent_height;
        d->agent_radius = h->agent_radius;
        d->agent_max_climb = h->agent_max_climb;
        d->cells_per_unit = h->cells_per_unit;
    }
    d->cells_per_unit = d->cells_per_unit == h->cells_per_unit ? d->cells_per_unit : 0.0f;
    if (d->agent_height != h->agent_height || d->agent_radius != h->agent_radius ||
        d->agent_max_climb != h->agent_max_climb) {
        return detour_fail(frame, err, NAV_BAD_BLOB,
                           "it is for an agent of height %g, radius %g, climb %g, the first tile "
                           "for one of %g, %g, %g",
                           (double)h->agent_height, (double)h->agent_radius,
                           (double)h->agent_max_climb, (double)d->agent_height,
                           (double)d->agent_radius, (double)d->agent_max_climb);
    }
    return NAV_OK;
}

static nav_status read_headers(proto_detour *d, nav_error *err)
{
    nav_status status = NAV_OK;
    for (uint32_t i = 0; status == NAV_OK && i < d->frame_count; i++) {
        detour_frame *frame = &d->frames[i];
        if (frame->size_bytes < sizeof(proto_detour_header)) {
            nav_fail(err, NAV_BAD_BLOB, "tile %u of the file has %zu bytes, too few for a header",
                     i, frame->size_bytes);
            nav_error_at(err, "tiles[%u]", i);
            return NAV_BAD_BLOB;
        }
        const proto_detour_header h = detour_header(d, frame);
        frame->tile_x = h.tile_x;
        frame->tile_z = h.tile_z;
        frame->layer = h.layer;
        status = check_header(frame, &h, err);
        NAV_IF_OK(status, check_same(d, frame, &h, err));
    }
    return status;
}

// ---- places ----

static int compare_frames(const void *left, const void *right)
{
    const detour_frame *a = left, *b = right;
    if (a->layer != b->layer) {
        return a->layer < b->layer ? -1 : 1;
    }
    if (a->tile_z != b->tile_z) {
        return a->tile_z < b->tile_z ? -1 : 1;
    }
    return (a->tile_x > b->tile_x) - (a->tile_x < b->tile_x);
}

// A tile of layer n has the row that it would have after n times all rows.
static nav_status place_tiles(proto_detour *d, nav_error *err)
{
    int64_t min[2] = {INT32_MAX, INT32_MAX}, max[2] = {INT32_MIN, INT32_MIN};
    for (uint32_t i = 0; i < d->frame_count; i++) {
        const int64_t at[2] = {d->frames[i].tile_x, d->frames[i].tile_z};
        for (int k = 0; k < 2; k++) {
            min[k] = at[k] < min[k] ? at[k] : min[k];
            max[k] = at[k] > max[k] ? at[k] : max[k];
        }
    }
    qsort(d->frames, d->frame_count, sizeof *d->frames, compare_frames);
    const detour_frame *last = &d->frames[d->frame_count - 1];
    const int64_t columns = max[0] - min[0] + 1, rows = max[1] - min[1] + 1;
    const int64_t limit = NAV_GRID_SIDE_CELLS_MAX;
    if (d->frames[0].layer < 0 || columns > limit || rows > limit || last->layer >= limit / rows) {
        return detour_fail(last->layer >= limit / rows ? last : &d->frames[0], err, NAV_BAD_BLOB,
                           "tiles from %d,%d to %d,%d, layer %d, are more than %u in a row",
                           (int)min[0], (int)min[1], (int)max[0], (int)max[1], last->layer,
                           NAV_GRID_SIDE_CELLS_MAX);
    }
    for (uint32_t i = 0; i < d->frame_count; i++) {
        detour_frame *frame = &d->frames[i];
        if (i > 0 && compare_frames(frame - 1, frame) == 0) {
            return detour_fail(frame, err, NAV_BAD_BLOB, "layer %d of it is there twice",
                               frame->layer);
        }
        frame->x = (uint32_t)(frame->tile_x - min[0]);
        frame->z = (uint32_t)(frame->tile_z - min[1] + frame->layer * rows);
    }
    d->tile_x_min = (int32_t)min[0];
    d->tile_z_min = (int32_t)min[1];
    d->tiles_x = (uint32_t)columns;
    d->tiles_z = (uint32_t)(rows * (last->layer + 1));
    return NAV_OK;
}

// ---- vertices and polygons, once ----

static nav_status scan_vertices(proto_detour *d, const detour_frame *frame, size_t section,
                                uint32_t count, const char *what, nav_error *err)
{
    for (uint32_t i = 0; i < count; i++) {
        float at[3];
        detour_get(d, frame, section, i, at, sizeof at);
        for (int axis = 0; axis < 3; axis++) {
            if (!is_coordinate(at[axis])) {
                const bool finite = isfinite(at[axis]);
                char text[32];
                (void)snprintf(text, sizeof text, "%g", (double)at[axis]);
                return detour_fail(frame, err,
                                   finite ? NAV_VERTEX_OUT_OF_RANGE : NAV_VERTEX_NOT_FINITE,
                                   "%c of %s %u is %s, %s", "xyz"[axis], what, i,
                                   finite ? text : proto_text_not_finite(text),
                                   finite ? "too far out" : "not a finite number");
            }
        }
    }
    return NAV_OK;
}

static void grow_bounds(proto_detour *d, const detour_frame *frame, const proto_detour_header *h)
{
    proto_detour_numbers *n = &d->numbers;
    for (uint32_t i = 0; i < h->vertex_count; i++) {
        float at[3];
        detour_get(d, frame, sizeof *h, i, at, sizeof at);
        const bool first = n->vertices++ == 0;
        for (int axis = 0; axis < 3; axis++) {
            n->min[axis] = first || at[axis] < n->min[axis] ? at[axis] : n->min[axis];
            n->max[axis] = first || at[axis] > n->max[axis] ? at[axis] : n->max[axis];
        }
    }
}

static bool comes_before(const detour_ground *a, uint8_t area, uint16_t flags)
{
    return a->area != area ? a->area < area : a->flags < flags;
}

// The place of a ground in the list, or where it belongs.
static uint32_t find_ground(const proto_detour *d, uint8_t area, uint16_t flags)
{
    uint32_t low = 0, high = d->ground_count;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (comes_before(&d->grounds[middle], area, flags)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

uint32_t detour_ground_of(const proto_detour *d, uint8_t area, uint16_t flags)
{
    const uint32_t at = find_ground(d, area, flags);
    return flags != 0 && at < d->ground_count && d->grounds[at].area == area &&
                   d->grounds[at].flags == flags
               ? at
               : NAV_NONE;
}

static nav_status add_ground(proto_detour *d, const detour_frame *frame, uint8_t area,
                             uint16_t flags, nav_error *err)
{
    if (flags == 0 || detour_ground_of(d, area, flags) != NAV_NONE) {
        return NAV_OK;
    }
    if (d->ground_count == DETOUR_GROUNDS_MAX) {
        nav_status status = detour_fail(
            frame, err, NAV_GEOMETRY_TOO_LARGE,
            "its polygons have the %uth pair of an area and flags; there is room for %d areas",
            d->ground_count + 1, DETOUR_GROUNDS_MAX);
        nav_error_limit(err, "%d", DETOUR_GROUNDS_MAX);
        return status;
    }
    const uint32_t at = find_ground(d, area, flags);
    memmove(&d->grounds[at + 1], &d->grounds[at], (d->ground_count - at) * sizeof *d->grounds);
    d->grounds[at] = (detour_ground){.area = area, .flags = flags};
    d->ground_count++;
    return NAV_OK;
}

static nav_status scan_polygons(proto_detour *d, const detour_frame *frame,
                                const proto_detour_header *h, const detour_sections *s,
                                nav_error *err)
{
    nav_status status = NAV_OK;
    for (uint32_t i = 0; status == NAV_OK && i < h->polygon_count; i++) {
        proto_detour_polygon polygon;
        detour_get(d, frame, s->polygons, i, &polygon, sizeof polygon);
        status = add_ground(d, frame, polygon.area_and_kind & (PROTO_DETOUR_AREAS_MAX - 1),
                            polygon.flags, err);
    }
    d->numbers.polygons += h->connection_first;
    d->numbers.links += h->connection_count;
    if (status == NAV_OK && d->numbers.links > NAV_LINKS_MAX) {
        status = detour_fail(frame, err, NAV_GEOMETRY_TOO_LARGE,
                             "with it there are more than %u off-mesh connections", NAV_LINKS_MAX);
        nav_error_limit(err, "%u", NAV_LINKS_MAX);
    }
    return status;
}

static nav_status scan(proto_detour *d, const nav_bake_hooks *hooks, nav_error *err)
{
    nav_status status = NAV_OK;
    for (uint32_t i = 0; status == NAV_OK && i < d->frame_count; i++) {
        const detour_frame *frame = &d->frames[i];
        const proto_detour_header h = detour_header(d, frame);
        const detour_sections s = detour_sections_of(&h, frame->link_bytes);
        if (is_cancelled(hooks)) {
            return nav_fail(err, NAV_CANCELLED, "the reading of a file of tiles was cancelled");
        }
        status = scan_vertices(d, frame, s.vertices, h.vertex_count, "vertex", err);
        NAV_IF_OK(status, scan_vertices(d, frame, s.detail_vertices, h.detail_vertex_count,
                                        "detail vertex", err));
        if (status == NAV_OK) {
            grow_bounds(d, frame, &h);
            status = scan_polygons(d, frame, &h, &s, err);
        }
    }
    d->numbers.tiles = d->frame_count;
    return status;
}

// ---- the grid ----

static nav_status check_params(const proto_detour *d, nav_error *err)
{
    const proto_detour_params *p = &d->params;
    bool valid = is_size(p->tile_width) && is_size(p->tile_depth);
    for (int axis = 0; axis < 3; axis++) {
        valid = valid && is_coordinate(p->origin[axis]);
    }
    return valid ? NAV_OK
                 : nav_fail(err, PROTO_BAD_GEOMETRY,
                            "the origin or the width of tiles in the file's header is no number "
                            "that can be");
}

// The side of a cell of Recast's, by the quantum of the trees. A tile has a whole number of them,
// unless it is alone.
static double cell_of(const proto_detour *d)
{
    const double width_cells = (double)d->params.tile_width * (double)d->cells_per_unit;
    const double whole = round(width_cells);
    return whole >= 1 && fabs(width_cells - whole) < CELL_ERROR_MAX
               ? (double)d->params.tile_width / whole
               : 1.0 / (double)d->cells_per_unit;
}

static double power_of_two_from(double at_least, double least)
{
    double step = least;
    while (step < at_least) {
        step *= 2;
    }
    return step;
}

static bool lies_on(const proto_detour *d, const detour_frame *frame, const proto_detour_header *h)
{
    for (uint32_t i = 0; i < h->vertex_count; i++) {
        float at[3];
        detour_get(d, frame, sizeof *h, i, at, sizeof at);
        for (int axis = 0; axis < 3; axis += 2) {
            const double cells =
                ((double)at[axis] - (double)d->grid_min[axis]) / (double)d->cell_size;
            if (!(fabs(cells) < STEPS_MAX && fabs(cells - round(cells)) < CELL_ERROR_MAX)) {
                return false;
            }
        }
    }
    return true;
}

static bool all_lie_on(const proto_detour *d)
{
    bool on = true;
    for (uint32_t i = 0; on && i < d->frame_count; i++) {
        const proto_detour_header h = detour_header(d, &d->frames[i]);
        on = lies_on(d, &d->frames[i], &h);
    }
    return on;
}

static void lay_grid(proto_detour *d)
{
    const proto_detour_numbers *n = &d->numbers;
    const double height = (double)n->max[1] - (double)n->min[1];
    double step = power_of_two_from(fmin(height / HEIGHT_STEPS, HEIGHT_STEP_MAX), STEP_MIN);
    step = power_of_two_from(height / STEPS_MAX, step);
    d->cell_height = (float)step;
    d->grid_min[1] = (float)(floor((double)n->min[1] / step) * step);
    if (d->cells_per_unit > 0.0f && 1.0 / (double)d->cells_per_unit <= NAV_CELL_SIZE_MAX) {
        d->cell_size = (float)cell_of(d);
        d->grid_min[0] =
            (float)((double)d->params.origin[0] + d->tile_x_min * (double)d->params.tile_width);
        d->grid_min[2] =
            (float)((double)d->params.origin[2] + d->tile_z_min * (double)d->params.tile_depth);
        if (is_coordinate(d->grid_min[0]) && is_coordinate(d->grid_min[2]) && all_lie_on(d)) {
            return;
        }
    }
    const double width =
        fmax((double)n->max[0] - (double)n->min[0], (double)n->max[2] - (double)n->min[2]);
    step = power_of_two_from(width / STEPS_MAX, STEP_MIN);
    d->cell_size = (float)step;
    d->grid_min[0] = (float)(floor((double)n->min[0] / step) * step);
    d->grid_min[2] = (float)(floor((double)n->min[2] / step) * step);
}

// ---- exported ----

static nav_status read(proto_detour *d, const nav_bake_hooks *hooks, nav_error *err)
{
    uint32_t magic = 0;
    memcpy(&magic, d->bytes, d->size_bytes < sizeof magic ? d->size_bytes : sizeof magic);
    d->is_mset = magic == PROTO_MSET_MAGIC;
    if (!d->is_mset && (d->size_bytes < 512 || memcmp(d->bytes + 257, "ustar", 5) != 0)) {
        return nav_fail(err, PROTO_BAD_GEOMETRY,
                        "the file is neither an MSET nor a tar archive of .mmap and .mmtile files");
    }
    nav_status status = d->is_mset ? detour_read_mset(d, err) : detour_read_mmap(d, err);
    NAV_IF_OK(status, check_params(d, err));
    if (status == NAV_OK && d->frame_count == 0) {
        status = nav_fail(err, NAV_MESH_EMPTY, "the file has no tile");
    }
    NAV_IF_OK(status, read_headers(d, err));
    NAV_IF_OK(status, place_tiles(d, err));
    NAV_IF_OK(status, scan(d, hooks, err));
    if (status == NAV_OK) {
        lay_grid(d);
        detour_name_grounds(d);
    }
    return status;
}

nav_status proto_detour_open(const void *bytes, size_t size_bytes, const nav_bake_hooks *hooks,
                             proto_detour **out, nav_error *err)
{
    proto_detour *d = calloc(1, sizeof *d);
    if (d == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory to read a file of tiles");
    }
    d->bytes = bytes;
    d->size_bytes = size_bytes;
    nav_status status = read(d, hooks, err);
    if (status != NAV_OK) {
        proto_detour_close(d);
        return status;
    }
    *out = d;
    return NAV_OK;
}

void proto_detour_close(proto_detour *d)
{
    if (d != NULL) {
        free(d->frames);
        free(d);
    }
}

proto_detour_numbers proto_detour_count(const proto_detour *d)
{
    return d->numbers;
}

void proto_detour_place(const proto_detour *d, uint32_t index, uint32_t *x, uint32_t *z)
{
    NAV_ASSERT(index < d->frame_count);
    *x = d->frames[index].x;
    *z = d->frames[index].z;
}
