// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// read.c: a file of tiles is opened: its frames are found and get their places (frames.c), and one
// pass over vertices and polygons finds the grid on which all vertices lie and the kinds of ground
// there are.
//
// THE GRID. Our vertices are whole cells, theirs floats. Where they are what Recast made, x and z
// lie on a grid of its cells that begins at the origin of the tiles, and it is taken: then nothing
// is rounded. Else the cells are so small that rounding is no more than that of floats so far out.
// Their heights lie on a grid of each tile's own, so that ours has finer cells in height.

#include "proto/base/text.h"
#include "proto/detour/file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// Cells of Recast's: a vertex may lie so far from one, in cells.
#define CELL_ERROR_MAX 0.02
// Cells of any other grid: whole powers of two from about a millimetre on.
#define STEP_MIN (1.0 / 1024)
#define STEPS_MAX 8388608.0 // half of what a tile's coordinates can count
// In height: records of polygons are smallest while there are no more cells than this, but not for
// the price of more than a few centimetres.
#define HEIGHT_STEPS 65000.0
#define HEIGHT_STEP_MAX (1.0 / 16)

static bool is_cancelled(const nav_bake_hooks *hooks)
{
    return hooks != NULL && hooks->cancelled != NULL && hooks->cancelled(hooks->user);
}

// ---- vertices and polygons, once ----

static nav_status scan_vertices(proto_detour *d, const detour_frame *frame, size_t section,
                                uint32_t count, const char *what, nav_error *err)
{
    for (uint32_t i = 0; i < count; i++) {
        float at[3];
        detour_get(d, frame, section, i, at, sizeof at);
        for (int axis = 0; axis < 3; axis++) {
            if (!detour_is_coordinate(at[axis])) {
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

static nav_status scan_polygons(proto_detour *d, const detour_frame *frame,
                                const proto_detour_header *h, const detour_sections *s,
                                nav_error *err)
{
    nav_status status = NAV_OK;
    for (uint32_t i = 0; status == NAV_OK && i < h->polygon_count; i++) {
        proto_detour_polygon polygon;
        detour_get(d, frame, s->polygons, i, &polygon, sizeof polygon);
        status = detour_add_ground(d, frame, polygon.area_and_kind & (PROTO_DETOUR_AREAS_MAX - 1),
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
    bool valid = detour_is_size(p->tile_width) && detour_is_size(p->tile_depth);
    for (int axis = 0; axis < 3; axis++) {
        valid = valid && detour_is_coordinate(p->origin[axis]);
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

static void make_grid(proto_detour *d)
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
        if (detour_is_coordinate(d->grid_min[0]) && detour_is_coordinate(d->grid_min[2]) &&
            all_lie_on(d)) {
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
    NAV_IF_OK(status, detour_place_frames(d, err));
    NAV_IF_OK(status, scan(d, hooks, err));
    if (status == NAV_OK) {
        make_grid(d);
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
