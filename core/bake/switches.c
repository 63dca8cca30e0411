// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// switches.c: end of step 4, the ground that switches open and close. It becomes ground of classes
// of its own, which all later stages keep apart as they do areas: opening and closing then cuts
// nothing.
//
// A switch holds the ground in all cells that its shapes touch, and all ground within the agent's
// radius of that, over linked spans: as much as would go if the shapes were cut out. A door leaf
// may therefore be thinner than a cell.
//
//     . . . . . . .      # touched, + by the radius
//     . + + + + + .
//     . + # # # + .
//     . + + + + + .
//
// A class is an area or, from NAV_TILE_AREAS on, one more switch on the ground of another class:
// switches come in their order, so that ground under the same ones is of the same class.

#include "core/bake/front.h"
#include "core/bake/ground_classes.h"
#include "core/bake/volumes.h"

#include <math.h>

// A shape touches a cell if it reaches farther than this into it: what lies on whole cells in the
// level does so here, too.
#define TOUCH_MIN 0.01

typedef struct class_child {
    uint32_t stamp; // the switch, from 1 on, under which the child is known
    uint16_t child;
} class_child;

typedef struct marker {
    const nav_bake_job *job;
    nav_field *field;
    nav_front front;
    nav_front_list core; // spans in the cells that a switch's shapes touch
    nav_arena children_arena;
    class_child *children; // by class
    uint32_t child_count;
    nav_arena *result;
    nav_ground_classes *classes;
    bool no_memory;
} marker;

// ---- the cells that a shape touches ----

// Notes the spans of one row from cell `from` to cell `to`, in [low, high] of whole cells.
static void touch_cells(marker *m, uint32_t z, double from, double to,
                        const nav_volume_extent *extent)
{
    const nav_field *f = m->field;
    if (to - from > 2 * TOUCH_MIN) {
        from += TOUCH_MIN;
        to -= TOUCH_MIN;
    } else {
        from = to = from + (to - from) / 2;
    }
    if (!(from < f->width && to >= 0)) {
        return;
    }
    const uint32_t begin = nav_volume_limit_cell(from, f->width);
    const uint32_t last = nav_volume_limit_cell(to, f->width - 1);
    const uint32_t *first = f->first + (size_t)z * f->width;
    for (uint32_t i = first[begin]; i < first[last + 1] && !m->no_memory; ++i) {
        if (f->floor[i] >= extent->bottom && f->floor[i] <= extent->top) {
            m->no_memory = !nav_front_list_add(&m->core, i);
        }
    }
    nav_cancel_poll(m->job->cancel, first[last + 1] - first[begin]);
}

static void touch_cylinder(marker *m, const nav_volume *volume, const nav_volume_extent *extent,
                           uint32_t z)
{
    const double x = nav_volume_x_cells(m->job, volume->min[0]);
    const double at = nav_volume_z_cells(m->job, volume->min[2]);
    const double radius = (double)volume->radius / (double)m->job->grid->cell_size;
    const double away = at < z ? z - at : at > z + 1.0 ? at - (z + 1.0) : 0.0;
    const double square = radius * radius - away * away;
    if (square >= 0) {
        const double half = sqrt(square);
        touch_cells(m, z, x - half, x + half, extent);
    }
}

// The part of an edge between two lines along x, low and high.
static void touch_edge(marker *m, const double a[2], const double b[2], double low, double high,
                       const nav_volume_extent *extent, uint32_t z)
{
    const double *lower = a[1] <= b[1] ? a : b, *upper = a[1] <= b[1] ? b : a;
    if (lower[1] > high || upper[1] < low) {
        return;
    }
    const double depth = upper[1] - lower[1];
    double begin = lower[0], end = upper[0];
    if (lower[1] < low) {
        begin += (upper[0] - lower[0]) * ((low - lower[1]) / depth);
    }
    if (upper[1] > high) {
        end -= (upper[0] - lower[0]) * ((upper[1] - high) / depth);
    }
    touch_cells(m, z, fmin(begin, end), fmax(begin, end), extent);
}

static void touch_outline(marker *m, const nav_volume *volume, const nav_volume_extent *extent,
                          uint32_t z)
{
    const bool thin = extent->max_z - extent->min_z <= 2 * TOUCH_MIN;
    const double low = thin ? extent->min_z : z + TOUCH_MIN;
    const double high = thin ? extent->max_z : z + 1.0 - TOUCH_MIN;
    double crossings[NAV_VOLUME_POINTS_MAX];
    const uint32_t count = nav_volume_crossings(m->job, volume, z + 0.5, crossings);
    for (uint32_t i = 0; i + 1 < count; i += 2) {
        touch_cells(m, z, crossings[i], crossings[i + 1], extent);
    }
    for (uint32_t i = 0, j = volume->point_count - 1; i < volume->point_count; j = i++) {
        const double a[2] = {nav_volume_x_cells(m->job, volume->points[j][0]),
                             nav_volume_z_cells(m->job, volume->points[j][1])};
        const double b[2] = {nav_volume_x_cells(m->job, volume->points[i][0]),
                             nav_volume_z_cells(m->job, volume->points[i][1])};
        touch_edge(m, a, b, low, high, extent, z);
    }
    nav_cancel_poll(m->job->cancel, 2 * volume->point_count);
}

static nav_status touch_shape(marker *m, const nav_volume *volume)
{
    const nav_field *f = m->field;
    const nav_volume_extent extent = nav_volume_extent_of(m->job, volume);
    const bool thin = extent.max_z - extent.min_z <= 2 * TOUCH_MIN;
    const double middle = extent.min_z + (extent.max_z - extent.min_z) / 2;
    const double low = thin ? middle : extent.min_z + TOUCH_MIN;
    const double high = thin ? middle : extent.max_z - TOUCH_MIN;
    if (!(low < f->depth && high >= 0)) {
        return NAV_OK;
    }
    const uint32_t last = nav_volume_limit_cell(high, f->depth - 1);
    for (uint32_t z = nav_volume_limit_cell(low, f->depth); z <= last; ++z) {
        if (nav_cancel_poll(m->job->cancel, 16)) {
            return nav_bake_end(m->job);
        }
        switch (volume->shape) {
        case NAV_VOLUME_CONVEX:
            touch_outline(m, volume, &extent, z);
            break;
        case NAV_VOLUME_CYLINDER:
            touch_cylinder(m, volume, &extent, z);
            break;
        case NAV_VOLUME_BOX:
            touch_cells(m, z, extent.min_x, extent.max_x, &extent);
        }
    }
    return m->no_memory ? NAV_NO_MEMORY : NAV_OK;
}

// ---- the ground around them ----

// A cut takes the spans beside it before its front runs: so does a switch, unless the radius is 0.
static nav_status run_front(marker *m)
{
    const uint32_t radius = m->job->radius_cells;
    for (uint32_t i = 0; i < m->core.count; ++i) {
        const uint32_t span = m->core.spans[i];
        if (nav_cancel_poll(m->job->cancel, 4)) {
            return nav_bake_end(m->job);
        }
        bool started = nav_front_start(&m->front, span);
        for (int direction = 0; direction < 4 && radius > 0; ++direction) {
            const uint32_t n = nav_field_neighbour(m->field, span, direction);
            started = started && (n == NAV_NONE || nav_front_start(&m->front, n));
        }
        if (!started) {
            return NAV_NO_MEMORY;
        }
    }
    m->core.count = 0;
    return nav_front_run(&m->front, radius > 0 ? 2 * radius : 1);
}

// ---- classes ----

static nav_status child_of(marker *m, uint16_t parent, uint32_t switch_number, uint16_t *out)
{
    nav_ground_classes *c = m->classes;
    if (parent >= m->child_count) {
        const uint32_t count = NAV_TILE_AREAS + c->capacity;
        class_child *children = nav_arena_regrow(&m->children_arena, m->children, m->child_count,
                                                 count, sizeof *children);
        if (children == NULL) {
            return NAV_NO_MEMORY;
        }
        memset(children + m->child_count, 0, (count - m->child_count) * sizeof *children);
        m->children = children;
        m->child_count = count;
    }
    class_child *child = &m->children[parent];
    if (child->stamp != switch_number + 1) {
        nav_status status =
            nav_ground_classes_add(m->job, m->result, c, parent, switch_number, &child->child);
        if (status != NAV_OK) {
            return status;
        }
        child->stamp = switch_number + 1;
    }
    *out = child->child;
    return NAV_OK;
}

static nav_status mark_passed(marker *m, uint32_t switch_number)
{
    nav_field *f = m->field;
    for (uint32_t i = 0; i < m->front.passed.count; ++i) {
        const uint32_t span = m->front.passed.spans[i];
        if (nav_cancel_poll(m->job->cancel, 1)) {
            return nav_bake_end(m->job);
        }
        if (f->area[span] != NAV_AREA_NONE) {
            nav_status status = child_of(m, f->area[span], switch_number, &f->area[span]);
            if (status != NAV_OK) {
                return status;
            }
        }
    }
    nav_front_restart(&m->front);
    return NAV_OK;
}

static nav_status mark_switch(marker *m, uint32_t number)
{
    const nav_switch *s = &m->job->config->switches[number];
    for (uint32_t i = 0; i < s->shape_count; ++i) {
        if (nav_cancel_poll(m->job->cancel, 16u + s->shapes[i].point_count)) {
            return nav_bake_end(m->job);
        }
        nav_status status = touch_shape(m, &s->shapes[i]);
        if (status != NAV_OK) {
            return status;
        }
    }
    if (m->core.count == 0) {
        return NAV_OK;
    }
    nav_status status = run_front(m);
    return status == NAV_OK ? mark_passed(m, number) : status;
}

// ---- exported ----

bool nav_bake_switch_reaches(const nav_bake_job *job, const nav_switch *s)
{
    const double around = job->radius_cells + 1.0;
    for (uint32_t i = 0; i < s->shape_count; ++i) {
        const nav_volume_extent e = nav_volume_extent_of(job, &s->shapes[i]);
        if (e.min_x - around < job->width_cells && e.max_x + around >= 0 &&
            e.min_z - around < job->depth_cells && e.max_z + around >= 0) {
            return true;
        }
    }
    return false;
}

nav_status nav_bake_switches(const nav_bake_job *job, nav_arena *result, nav_field *field,
                             nav_ground_classes *classes)
{
    NAV_ASSERT(field->links != NULL);
    const nav_config *config = job->config;
    if (config->switch_count == 0) {
        return NAV_OK;
    }
    marker m = {.job = job, .field = field, .result = result, .classes = classes};
    nav_status status = nav_front_begin(&m.front, job, field, true);
    nav_arena_init_child(&m.core.arena, job->scratch);
    nav_arena_init_child(&m.children_arena, job->scratch);
    for (uint32_t i = 0; status == NAV_OK && i < config->switch_count; ++i) {
        status = mark_switch(&m, i);
    }
    nav_arena_free(&m.children_arena);
    nav_arena_free(&m.core.arena);
    nav_front_end(&m.front);
    return status;
}
