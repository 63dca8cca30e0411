// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// surface.c: refines the surface over one polygon until it meets all samples.
//
// Greedy insertion: each triangle keeps a list of the samples inside it and knows the worst one; a
// heap holds the triangles that are off by too much. The worst sample of all becomes a point, and
// only samples of triangles that this changes are looked at again:
//
//   heap -> worst triangle -> insert its worst sample -> star of new triangles
//     ^                                                        |
//     '------- new errors <- samples of the hole, dealt out <--'
//
// Source: M. Garland, P. S. Heckbert, "Fast Polygonal Approximation of Terrains and Height Fields",
// CMU-CS-95-181 (1995), algorithm III.

#include "core/bake/detail/detail.h"

#define CAPACITY_MIN 64u

void *nav_detail_grow(nav_arena *arena, void *array, uint32_t count, uint32_t *capacity,
                      size_t need, size_t size_bytes)
{
    if (array != NULL && need <= *capacity) {
        return array;
    }
    size_t grown = (size_t)*capacity * 2;
    grown = grown < CAPACITY_MIN ? CAPACITY_MIN : grown;
    grown = grown < need ? need : grown;
    if (grown > UINT32_MAX) {
        return NULL;
    }
    void *memory = nav_arena_grow(arena, array, count, grown, size_bytes);
    *capacity = memory != NULL ? (uint32_t)grown : *capacity;
    return memory;
}

bool nav_detail_surface_reserve(nav_detail_surface *surface, nav_arena *arena, uint32_t point_count)
{
    if (point_count <= surface->point_capacity) {
        return true;
    }
    surface->heights =
        nav_detail_grow(arena, surface->heights, surface->plan.point_count,
                        &surface->point_capacity, point_count, sizeof *surface->heights);
    surface->faces = nav_detail_grow(arena, surface->faces, surface->plan.triangle_count,
                                     &surface->face_capacity, (size_t)surface->point_capacity * 2,
                                     sizeof *surface->faces);
    surface->heap =
        nav_detail_grow(arena, surface->heap, surface->heap_count, &surface->heap_capacity,
                        (size_t)surface->point_capacity * 2, sizeof *surface->heap);
    return surface->heights != NULL && surface->faces != NULL && surface->heap != NULL &&
           nav_delaunay_reserve(&surface->plan, arena, surface->point_capacity);
}

bool nav_detail_surface_reserve_samples(nav_detail_surface *surface, nav_arena *arena,
                                        uint32_t sample_count)
{
    surface->samples =
        nav_detail_grow(arena, surface->samples, surface->sample_count, &surface->sample_capacity,
                        sample_count, sizeof *surface->samples);
    return surface->samples != NULL;
}

// ---- the heap: largest error first, of equal ones the sample that was added first ----

static bool is_worse(const nav_detail_face *a, const nav_detail_face *b)
{
    return a->worst_error > b->worst_error ||
           (a->worst_error == b->worst_error && a->worst_sample < b->worst_sample);
}

static void heap_set(nav_detail_surface *surface, uint32_t index, uint32_t triangle)
{
    surface->heap[index] = triangle;
    surface->faces[triangle].heap_index = index;
}

// Moves a triangle that was put at index to where it belongs, up or down.
static void heap_settle(nav_detail_surface *surface, uint32_t index, uint32_t triangle)
{
    const nav_detail_face *faces = surface->faces;
    const uint32_t *heap = surface->heap;
    while (index > 0 && is_worse(&faces[triangle], &faces[heap[(index - 1) / 2]])) {
        heap_set(surface, index, heap[(index - 1) / 2]);
        index = (index - 1) / 2;
    }
    for (uint32_t child = 2 * index + 1; child < surface->heap_count; child = 2 * index + 1) {
        if (child + 1 < surface->heap_count &&
            is_worse(&faces[heap[child + 1]], &faces[heap[child]])) {
            child++;
        }
        if (!is_worse(&faces[heap[child]], &faces[triangle])) {
            break;
        }
        heap_set(surface, index, heap[child]);
        index = child;
    }
    heap_set(surface, index, triangle);
}

static void heap_add(nav_detail_surface *surface, uint32_t triangle)
{
    NAV_ASSERT(surface->heap_count < surface->heap_capacity);
    NAV_ASSERT(surface->faces[triangle].heap_index == NAV_NONE);
    surface->heap_count++;
    heap_settle(surface, surface->heap_count - 1, triangle);
}

static void heap_remove(nav_detail_surface *surface, uint32_t triangle)
{
    uint32_t index = surface->faces[triangle].heap_index;
    if (index == NAV_NONE) {
        return;
    }
    NAV_ASSERT(surface->heap[index] == triangle);
    surface->faces[triangle].heap_index = NAV_NONE;
    uint32_t last = surface->heap[--surface->heap_count];
    if (last != triangle) {
        heap_settle(surface, index, last);
    }
}

// ---- triangles and their samples ----

// Solves for the plane through the corners; the triangle has an area.
static void face_init(nav_detail_surface *surface, uint32_t triangle)
{
    const uint32_t *corners = surface->plan.triangles[triangle].corners;
    nav_delaunay_point a = surface->plan.points[corners[0]];
    nav_delaunay_point b = surface->plan.points[corners[1]];
    nav_delaunay_point c = surface->plan.points[corners[2]];
    double rise_b = (double)surface->heights[corners[1]] - (double)surface->heights[corners[0]];
    double rise_c = (double)surface->heights[corners[2]] - (double)surface->heights[corners[0]];
    double area = (double)nav_delaunay_orient(a, b, c);
    NAV_ASSERT(area > 0);
    surface->faces[triangle] = (nav_detail_face){
        .slope_u = (rise_b * (c.v - a.v) - rise_c * (b.v - a.v)) / area,
        .slope_v = (rise_c * (b.u - a.u) - rise_b * (c.u - a.u)) / area,
        .worst_sample = NAV_NONE,
        .first_sample = NAV_NONE,
        .heap_index = NAV_NONE,
    };
}

void nav_detail_surface_prepare(nav_detail_surface *surface)
{
    surface->sample_count = 0;
    surface->heap_count = 0;
    for (uint32_t i = 0; i < surface->plan.triangle_count; i++) {
        face_init(surface, i);
    }
}

double nav_detail_surface_height(const nav_detail_surface *surface, uint32_t triangle,
                                 nav_delaunay_point point)
{
    const nav_detail_face *face = &surface->faces[triangle];
    uint32_t corner = surface->plan.triangles[triangle].corners[0];
    nav_delaunay_point origin = surface->plan.points[corner];
    return (double)surface->heights[corner] + face->slope_u * (point.u - origin.u) +
           face->slope_v * (point.v - origin.v);
}

// Puts a sample into the list of the triangle that contains it.
static void face_take(nav_detail_surface *surface, uint32_t triangle, uint32_t index)
{
    nav_detail_face *face = &surface->faces[triangle];
    nav_detail_sample *sample = &surface->samples[index];
    double error =
        (double)sample->height - nav_detail_surface_height(surface, triangle, sample->point);
    error = error < 0 ? -error : error;
    sample->next = face->first_sample;
    face->first_sample = index;
    if (face->worst_sample == NAV_NONE || error > face->worst_error ||
        (error == face->worst_error && index < face->worst_sample)) {
        face->worst_error = error;
        face->worst_sample = index;
    }
}

void nav_detail_surface_add(nav_detail_surface *surface, uint32_t triangle,
                            nav_delaunay_point point, float height)
{
    NAV_ASSERT(surface->sample_count < surface->sample_capacity);
    uint32_t index = surface->sample_count++;
    surface->samples[index] = (nav_detail_sample){.point = point, .height = height};
    face_take(surface, triangle, index);
}

// The triangle of the newest point's star that contains the point. Each has the newest as corner 0
// and spans less than 180 degrees there, so that two signs decide.
static uint32_t star_triangle_at(const nav_delaunay *plan, nav_delaunay_point point)
{
    nav_delaunay_point centre = plan->points[plan->point_count - 1];
    for (uint32_t i = 0; i + 1 < plan->changed_count; i++) {
        const uint32_t *corners = plan->triangles[plan->changed[i]].corners;
        if (nav_delaunay_orient(centre, plan->points[corners[1]], point) >= 0 &&
            nav_delaunay_orient(centre, plan->points[corners[2]], point) < 0) {
            return plan->changed[i];
        }
    }
    return plan->changed[plan->changed_count - 1];
}

// Takes the samples of all changed triangles, but for the one that became a point, and returns
// them as one list.
static uint32_t collect_samples(nav_detail_surface *surface, uint32_t taken, uint32_t old_count)
{
    uint32_t list = NAV_NONE;
    for (uint32_t i = 0; i < surface->plan.changed_count; i++) {
        uint32_t triangle = surface->plan.changed[i];
        if (triangle >= old_count) {
            continue;
        }
        uint32_t sample = surface->faces[triangle].first_sample;
        while (sample != NAV_NONE) {
            uint32_t next = surface->samples[sample].next;
            if (sample != taken) {
                surface->samples[sample].next = list;
                list = sample;
            }
            sample = next;
        }
        heap_remove(surface, triangle);
    }
    return list;
}

// Makes the sample a point and deals out the samples of the triangles that are gone. Returns false
// where the bake was cancelled meanwhile: the first triangles may have millions of samples.
static bool insert_sample(nav_detail_surface *surface, const nav_bake_job *job, uint32_t triangle,
                          double error_max)
{
    nav_delaunay *plan = &surface->plan;
    uint32_t taken = surface->faces[triangle].worst_sample;
    uint32_t old_count = plan->triangle_count;
    NAV_ASSERT(taken != NAV_NONE); // only triangles with samples are on the heap
    uint32_t point = nav_delaunay_insert(plan, triangle, surface->samples[taken].point);
    surface->heights[point] = surface->samples[taken].height;
    uint32_t list = collect_samples(surface, taken, old_count);
    for (uint32_t i = 0; i < plan->changed_count; i++) {
        face_init(surface, plan->changed[i]);
    }
    while (list != NAV_NONE) {
        if (nav_cancel_poll(job->cancel, 1)) {
            return false;
        }
        uint32_t next = surface->samples[list].next;
        face_take(surface, star_triangle_at(plan, surface->samples[list].point), list);
        list = next;
    }
    for (uint32_t i = 0; i < plan->changed_count; i++) {
        if (surface->faces[plan->changed[i]].worst_error > error_max) {
            heap_add(surface, plan->changed[i]);
        }
    }
    return true;
}

nav_status nav_detail_surface_refine(nav_detail_surface *surface, const nav_bake_job *job,
                                     double error_max, uint32_t point_max, bool *met)
{
    for (uint32_t i = 0; i < surface->plan.triangle_count; i++) {
        if (surface->faces[i].worst_error > error_max) {
            heap_add(surface, i);
        }
    }
    while (surface->heap_count > 0 && surface->plan.point_count < point_max) {
        if (!nav_detail_surface_reserve(surface, job->scratch, surface->plan.point_count + 1)) {
            return NAV_NO_MEMORY;
        }
        if (!insert_sample(surface, job, surface->heap[0], error_max)) {
            return nav_bake_end(job);
        }
    }
    *met = surface->heap_count == 0;
    return NAV_OK;
}
