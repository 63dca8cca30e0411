// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// volumes.c: volumes give their area to the spans inside, the last one winning; or cut them.
//
// A span belongs to a volume if the centre of its cell does in plan view, and its floor's cell lies
// between the cells of the volume's bottom and top, both included. Cell centres depend on the
// world's grid alone, so that neighbouring tiles agree on what they share.
//
// Rows are gone through one by one, and in each the volumes from the last to the first: spans that
// one of them has marked are not looked at again, and a row without open spans is done.
// So work grows with what is marked, not with how many volumes lie above each other:
//
//     row    . . . . . . . . . . . .      a dot is an open column; `next` leads over those that are
//     last   . . 3 3 3 3 3 . . . . .      not, as a forest of sets does (Tarjan 1975)
//     2nd    2 2 3 3 3 3 3 2 . . . .
//     1st    2 2 3 3 3 3 3 2 1 1 1 .

#include "core/bake/volumes.h"

#include <math.h>

// ---- cells ----

nav_volume_extent nav_volume_extent_of(const nav_bake_job *job, const nav_volume *volume)
{
    float min[2] = {volume->min[0], volume->min[2]}, max[2] = {volume->max[0], volume->max[2]};
    if (volume->shape == NAV_VOLUME_CYLINDER) {
        for (int axis = 0; axis < 2; ++axis) {
            max[axis] = min[axis] + volume->radius;
            min[axis] -= volume->radius;
        }
    } else if (volume->shape == NAV_VOLUME_CONVEX) {
        min[0] = min[1] = INFINITY;
        max[0] = max[1] = -INFINITY;
        for (uint32_t i = 0; i < volume->point_count; ++i) {
            for (int axis = 0; axis < 2; ++axis) {
                float at = volume->points[i][axis];
                min[axis] = at < min[axis] ? at : min[axis];
                max[axis] = at > max[axis] ? at : max[axis];
            }
        }
    }
    return (nav_volume_extent){.min_x = nav_volume_x_cells(job, min[0]),
                               .max_x = nav_volume_x_cells(job, max[0]),
                               .min_z = nav_volume_z_cells(job, min[1]),
                               .max_z = nav_volume_z_cells(job, max[1]),
                               .bottom = nav_bake_height_cell(job, volume->min[1]),
                               .top = nav_bake_height_cell(job, volume->max[1]) +
                                      (job->config->volumes_reach_up ? 1 : 0)};
}

uint32_t nav_volume_crossings(const nav_bake_job *job, const nav_volume *volume, double z,
                              double crossings[NAV_VOLUME_POINTS_MAX])
{
    uint32_t count = 0;
    for (uint32_t i = 0, j = volume->point_count - 1; i < volume->point_count; j = i++) {
        const double zi = nav_volume_z_cells(job, volume->points[i][1]);
        const double zj = nav_volume_z_cells(job, volume->points[j][1]);
        if ((zi > z) == (zj > z)) {
            continue;
        }
        const double xi = nav_volume_x_cells(job, volume->points[i][0]);
        const double xj = nav_volume_x_cells(job, volume->points[j][0]);
        const double crossing = xi + (xj - xi) * (z - zi) / (zj - zi);
        uint32_t at = count++;
        for (; at > 0 && crossings[at - 1] > crossing; --at) {
            crossings[at] = crossings[at - 1];
        }
        crossings[at] = crossing;
    }
    return count;
}

// The cells of the padded field that a volume may reach in plan view; none where an end is not
// beyond its beginning.
static nav_tile_cells cells_of(const nav_bake_job *job, const nav_volume_extent *e)
{
    return (nav_tile_cells){.x = nav_volume_limit_cell(e->min_x, job->width_cells),
                            .z = nav_volume_limit_cell(e->min_z, job->depth_cells),
                            .x_end = nav_volume_limit_cell(e->max_x + 1, job->width_cells),
                            .z_end = nav_volume_limit_cell(e->max_z + 1, job->depth_cells)};
}

// ---- the volumes that reach the tile ----

typedef struct reaching {
    const nav_volume *volume;
    nav_volume_extent extent;
    nav_tile_cells cells;
} reaching;

typedef struct reach_list {
    reaching *volumes; // in their order
    uint32_t count;
    nav_tile_cells cells; // around all of them
} reach_list;

static bool add_reaching(const nav_bake_job *job, const reaching *volume, uint32_t *capacity,
                         reach_list *list)
{
    if (list->count == *capacity) {
        const uint32_t more = *capacity * 2 + 16;
        reaching *volumes =
            nav_arena_grow(job->scratch, list->volumes, list->count, more, sizeof *volumes);
        if (volumes == NULL) {
            return false;
        }
        list->volumes = volumes;
        *capacity = more;
    }
    const nav_tile_cells *c = &volume->cells;
    nav_tile_cells *all = &list->cells;
    if (list->count == 0) {
        *all = *c;
    }
    all->x = c->x < all->x ? c->x : all->x;
    all->z = c->z < all->z ? c->z : all->z;
    all->x_end = c->x_end > all->x_end ? c->x_end : all->x_end;
    all->z_end = c->z_end > all->z_end ? c->z_end : all->z_end;
    list->volumes[list->count++] = *volume;
    return true;
}

// The cuts, or all others.
static nav_status find_reaching(const nav_bake_job *job, bool cuts, reach_list *list)
{
    uint32_t capacity = 0;
    for (uint32_t i = 0; i < job->config->volume_count; ++i) {
        reaching found = {.volume = &job->config->volumes[i]};
        if ((found.volume->area == NAV_AREA_NONE) != cuts) {
            continue;
        }
        if (nav_cancel_poll(job->cancel, 16u + found.volume->point_count)) {
            return nav_bake_end(job);
        }
        found.extent = nav_volume_extent_of(job, found.volume);
        found.cells = cells_of(job, &found.extent);
        if (found.cells.x < found.cells.x_end && found.cells.z < found.cells.z_end &&
            !add_reaching(job, &found, &capacity, list)) {
            return NAV_NO_MEMORY;
        }
    }
    return NAV_OK;
}

// ---- one row ----

typedef struct row {
    const nav_bake_job *job;
    nav_field *field;
    uint32_t z, x, x_end;     // the cells that are looked at
    size_t column;            // of cell 0 of the row
    uint32_t span;            // the row's first one
    uint16_t lowest, highest; // floors of open spans
    uint32_t *next; // by cell: itself, if it has an open span, or one that is no farther than the
                    // next that has; x_end for none
    bool *open;     // by span of the row: it can be marked, and has not been
} row;

// Cut ground stays cut, and low passages keep their area, unless they are cut.
static void open_row(row *r, uint32_t z, bool cuts)
{
    const nav_field *f = r->field;
    r->z = z;
    r->column = (size_t)z * f->width;
    r->span = f->first[r->column + r->x];
    r->lowest = UINT16_MAX;
    r->highest = 0;
    for (uint32_t x = r->x; x < r->x_end; ++x) {
        bool any = false;
        for (uint32_t i = f->first[r->column + x]; i < f->first[r->column + x + 1]; ++i) {
            const bool open =
                f->area[i] != NAV_AREA_NONE && (cuts || !nav_bake_is_low(r->job, f, i));
            r->open[i - r->span] = open;
            if (open) {
                any = true;
                r->lowest = f->floor[i] < r->lowest ? f->floor[i] : r->lowest;
                r->highest = f->floor[i] > r->highest ? f->floor[i] : r->highest;
            }
        }
        r->next[x] = any ? x : x + 1;
    }
    r->next[r->x_end] = r->x_end;
}

// The first cell from x on that has an open span, or x_end.
static uint32_t next_open(row *r, uint32_t x)
{
    uint32_t at = x;
    while (r->next[at] != at) {
        at = r->next[at];
    }
    while (r->next[x] != at) {
        const uint32_t after = r->next[x];
        r->next[x] = at;
        x = after;
    }
    return at;
}

static void mark_column(row *r, const reaching *v, uint32_t x)
{
    const nav_field *f = r->field;
    const size_t column = r->column + x;
    bool any_left = false;
    for (uint32_t i = f->first[column]; i < f->first[column + 1]; ++i) {
        bool *open = &r->open[i - r->span];
        if (*open && f->floor[i] >= v->extent.bottom && f->floor[i] <= v->extent.top) {
            f->area[i] = v->volume->area;
            *open = false;
        }
        any_left = any_left || *open;
    }
    if (!any_left) {
        r->next[x] = x + 1;
    }
}

// Marks the cells whose centres lie in [from, to) and between the volume's ends, both included.
static void mark_run(row *r, const reaching *v, double from, double to)
{
    const nav_volume_extent *e = &v->extent;
    from = from > e->min_x ? from : e->min_x;
    uint32_t x = nav_volume_limit_cell(from - 0.5, v->cells.x_end);
    x = x > v->cells.x ? x : v->cells.x;
    x += x + 0.5 < from;
    for (x = x < r->x_end ? next_open(r, x) : r->x_end;
         x < v->cells.x_end && x + 0.5 < to && x + 0.5 <= e->max_x; x = next_open(r, x + 1)) {
        mark_column(r, v, x);
        nav_cancel_poll(r->job->cancel, 1);
    }
}

static void mark_cylinder(row *r, const reaching *v)
{
    const nav_volume *volume = v->volume;
    const double centre_x = nav_volume_x_cells(r->job, volume->min[0]);
    const double dz = r->z + 0.5 - nav_volume_z_cells(r->job, volume->min[2]);
    const double radius = (double)volume->radius / (double)r->job->grid->cell_size;
    for (uint32_t x = next_open(r, v->cells.x); x < v->cells.x_end; x = next_open(r, x + 1)) {
        const double at = x + 0.5, dx = at - centre_x;
        if (at >= v->extent.min_x && at <= v->extent.max_x &&
            dx * dx + dz * dz <= radius * radius) {
            mark_column(r, v, x);
        }
        nav_cancel_poll(r->job->cancel, 1);
    }
}

static void mark_outline(row *r, const reaching *v)
{
    double crossings[NAV_VOLUME_POINTS_MAX];
    const uint32_t count = nav_volume_crossings(r->job, v->volume, r->z + 0.5, crossings);
    nav_cancel_poll(r->job->cancel, v->volume->point_count);
    for (uint32_t i = 0; i + 1 < count; i += 2) {
        mark_run(r, v, crossings[i], crossings[i + 1]);
    }
}

// Marks what is open of the row within the volume.
static void mark_volume(row *r, const reaching *v)
{
    const nav_volume_extent *e = &v->extent;
    if (r->z < v->cells.z || r->z >= v->cells.z_end || r->z + 0.5 < e->min_z ||
        r->z + 0.5 > e->max_z || e->bottom > r->highest || e->top < r->lowest ||
        next_open(r, v->cells.x) >= v->cells.x_end) {
        return;
    }
    switch (v->volume->shape) {
    case NAV_VOLUME_CONVEX:
        mark_outline(r, v);
        return;
    case NAV_VOLUME_CYLINDER:
        mark_cylinder(r, v);
        return;
    case NAV_VOLUME_BOX:
        mark_run(r, v, e->min_x, (double)INFINITY);
    }
}

// ---- all rows ----

static bool row_init(row *r, const nav_tile_cells *cells)
{
    const nav_field *f = r->field;
    uint32_t spans = 0;
    for (uint32_t z = cells->z; z < cells->z_end; ++z) {
        const uint32_t *first = f->first + (size_t)z * f->width;
        const uint32_t count = first[cells->x_end] - first[cells->x];
        spans = count > spans ? count : spans;
    }
    r->x = cells->x;
    r->x_end = cells->x_end;
    r->next = NAV_NEW(r->job->scratch, uint32_t, (size_t)cells->x_end + 1);
    r->open = NAV_NEW(r->job->scratch, bool, spans);
    return r->next != NULL && r->open != NULL;
}

// ---- exported ----

bool nav_bake_volume_reaches(const nav_bake_job *job, const nav_volume *volume)
{
    nav_volume_extent e = nav_volume_extent_of(job, volume);
    nav_tile_cells cells = cells_of(job, &e);
    return cells.x < cells.x_end && cells.z < cells.z_end;
}

nav_status nav_bake_volumes(const nav_bake_job *job, nav_field *field, bool cuts)
{
    row r = {.job = job, .field = field};
    reach_list list = {0};
    nav_status status = find_reaching(job, cuts, &list);
    if (status != NAV_OK || list.count == 0) {
        return status;
    }
    if (!row_init(&r, &list.cells)) {
        return NAV_NO_MEMORY;
    }
    for (uint32_t z = list.cells.z; z < list.cells.z_end; ++z) {
        if (nav_cancel_poll(job->cancel, NAV_CANCEL_INTERVAL)) {
            return nav_bake_end(job);
        }
        open_row(&r, z, cuts);
        for (uint32_t i = list.count; i-- > 0 && next_open(&r, r.x) < r.x_end;) {
            if (nav_cancel_poll(job->cancel, 1)) {
                return nav_bake_end(job);
            }
            mark_volume(&r, &list.volumes[i]);
        }
    }
    return nav_cancel_is_set(job->cancel) ? nav_bake_end(job) : NAV_OK;
}
