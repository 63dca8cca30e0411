// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// triangles.c: the triangles that touch one column. Each is voxelized as step 1 does it, in a field
// of that column alone.

#include "core/bake/explain/explain.h"
#include "core/bake/voxelize/voxelize.h"

#include <math.h>
#include <stdlib.h>

typedef struct lister {
    nav_bake_job one; // of the column alone, with a report that nobody reads
    nav_voxelizer v;
    float row[2];
    uint32_t newest;
    nav_triangle_facts *facts;
    uint32_t count, capacity;
} lister;

static nav_status lister_init(lister *l, const nav_bake_job *job, const nav_seen_column *column)
{
    const int32_t x = job->first_x_cells + (int32_t)column->x;
    const int32_t z = job->first_z_cells + (int32_t)column->z;
    l->one = *job;
    l->one.report = NAV_NEW_ZERO(job->scratch, nav_bake_report, 1);
    l->one.first_x_cells = x;
    l->one.first_z_cells = z;
    l->one.width_cells = l->one.depth_cells = 1;
    l->v = (nav_voxelizer){.job = &l->one,
                           .agents = &l->one,
                           .agent_count = 1,
                           .range = {x, x + 1, z, z + 1},
                           .band_begin = z,
                           .band_end = z + 1,
                           .scale = nav_bake_cell_scale(job->grid),
                           .row_low = &l->row[0],
                           .row_high = &l->row[1],
                           .touches = {.columns = &l->newest}};
    l->row[0] = (float)INFINITY;
    l->row[1] = (float)-INFINITY;
    nav_arena_init_child(&l->v.touches.chunk_arena, job->scratch);
    nav_arena_init_child(&l->v.touches.list_arena, job->scratch);
    nav_faces_init(&l->v.slopes, &l->one, 1);
    return l->one.report != NULL ? NAV_OK : NAV_NO_MEMORY;
}

// Does the triangle lie beside the column in plan view?
static bool is_beside(const nav_voxelizer *v, const nav_corner c[3])
{
    const nav_field_range *r = &v->range;
    return (c[0].x < r->x_begin && c[1].x < r->x_begin && c[2].x < r->x_begin) ||
           (c[0].x >= r->x_end && c[1].x >= r->x_end && c[2].x >= r->x_end) ||
           (c[0].z < r->z_begin && c[1].z < r->z_begin && c[2].z < r->z_begin) ||
           (c[0].z >= r->z_end && c[1].z >= r->z_end && c[2].z >= r->z_end);
}

static bool reserve(lister *l, const nav_bake_job *job)
{
    if (l->count < l->capacity) {
        return true;
    }
    const uint32_t capacity = 2 * l->capacity + 16;
    nav_triangle_facts *facts =
        nav_arena_grow(job->seen->result, l->facts, l->count, capacity, sizeof *facts);
    if (facts == NULL) {
        return false;
    }
    l->facts = facts;
    l->capacity = capacity;
    return true;
}

// The touches of one triangle become one entry; heights are in cells as yet.
static nav_status list_triangle(lister *l, const nav_bake_job *job, uint32_t number,
                                const nav_corner c[3])
{
    nav_voxelizer *v = &l->v;
    double upward;
    float sliver;
    if (nav_face_of(v, number, c) == NAV_FACE_NONE) {
        return NAV_OK;
    }
    l->newest = v->touches.count = 0;
    nav_status status = nav_voxelize_triangle(v, c, NAV_AREA_NONE);
    if (status != NAV_OK || v->touches.count == 0) {
        return status;
    }
    if (!reserve(l, job)) {
        return NAV_NO_MEMORY;
    }
    NAV_ASSERT(v->touches.count == 1); // of one face, each meets the one before
    NAV_ASSERT(nav_face_slope(job->geometry, number, &upward, &sliver)); // it has a face
    const nav_touch *touch = nav_touch_at(&v->touches, 0);
    l->facts[l->count++] = (nav_triangle_facts){
        .triangle = number,
        .low = touch->low,
        .high = touch->high,
        .slope = (float)nav_face_degrees(upward),
        .is_steep = upward >= 0 && !(upward >= (double)v->slopes.cosine_min[0]),
        .area = nav_bake_triangle_area(job, number)};
    return NAV_OK;
}

static int by_height(const void *a, const void *b)
{
    const nav_triangle_facts *x = a, *y = b;
    if (x->high != y->high) {
        return x->high < y->high ? -1 : 1;
    }
    return x->triangle < y->triangle ? -1 : x->triangle > y->triangle;
}

// From cells to the world.
static nav_status finish(const lister *l, const nav_bake_job *job, nav_seen_column *column,
                         nav_column_facts *facts)
{
    column->triangle_tops = NAV_NEW(job->seen->result, uint16_t, l->count + 1);
    if (column->triangle_tops == NULL) {
        return NAV_NO_MEMORY;
    }
    if (l->count > 0) {
        qsort(l->facts, l->count, sizeof *l->facts, by_height);
    }
    for (uint32_t i = 0; i < l->count; ++i) {
        nav_triangle_facts *t = &l->facts[i];
        column->triangle_tops[i] = (uint16_t)t->high;
        t->low = nav_seen_height(job, (int32_t)t->low);
        t->high = nav_seen_height(job, (int32_t)t->high);
    }
    facts->triangles = l->facts;
    facts->triangle_count = l->count;
    return NAV_OK;
}

nav_status nav_seen_triangles(const nav_bake_job *job, nav_seen_column *column,
                              nav_column_facts *facts)
{
    lister *l = NAV_NEW_ZERO(job->scratch, lister, 1);
    nav_status status = l != NULL ? lister_init(l, job, column) : NAV_NO_MEMORY;
    if (status != NAV_OK) {
        return status;
    }
    const nav_triangle_range range = nav_triangles_of(job);
    for (uint32_t k = 0; status == NAV_OK && k < range.count; ++k) {
        const uint32_t number = range.list != NULL ? range.list[k] : k;
        const uint32_t *index = job->geometry->triangles + 3 * (size_t)number;
        const nav_corner c[3] = {nav_voxelize_corner(&l->v, index[0]),
                                 nav_voxelize_corner(&l->v, index[1]),
                                 nav_voxelize_corner(&l->v, index[2])};
        if (nav_cancel_poll(job->cancel, NAV_STEP_EAR)) {
            status = nav_bake_end(job);
        } else if (!is_beside(&l->v, c)) {
            status = list_triangle(l, job, number, c);
        }
    }
    nav_arena_free(&l->v.touches.chunk_arena);
    nav_arena_free(&l->v.touches.list_arena);
    return status == NAV_OK ? finish(l, job, column, facts) : status;
}

// The surfaces that decide are those within a climb of the top, as in voxelize/merge.c: one of them
// that is ground makes the top ground. So the flattest says what is amiss.
nav_verdict nav_seen_ground(const nav_bake_job *job, const nav_seen_column *column,
                            const nav_column_facts *facts, const nav_seen_floor *floor,
                            nav_floor_facts *out)
{
    const nav_triangle_facts *flattest = NULL;
    bool faces_up = false;
    for (uint32_t i = 0; i < facts->triangle_count; ++i) {
        const nav_triangle_facts *t = &facts->triangles[i];
        const int32_t top = column->triangle_tops[i];
        if (top > floor->top || top <= floor->bottom ||
            floor->top - top > (int32_t)job->climb_cells || t->slope > 90 ||
            nav_bake_other_pass(job, t->triangle)) {
            continue;
        }
        faces_up = true;
        if (t->area != NAV_AREA_NONE && (flattest == NULL || t->slope < flattest->slope)) {
            flattest = t;
        }
    }
    out->slope = flattest != NULL ? flattest->slope : 0;
    return out->area != NAV_AREA_NONE ? NAV_VERDICT_KEPT
           : flattest != NULL         ? NAV_VERDICT_TOO_STEEP
           : faces_up                 ? NAV_VERDICT_AREA_NONE
                                      : NAV_VERDICT_FACES_DOWN;
}
