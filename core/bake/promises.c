// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// promises.c: what each stage of a bake promises the next. The stages themselves assert the sizes
// they were given; these checks go over everything, and so are for debug builds only.

#include "core/bake/promises.h"
#include "core/bake/contours/contours.h"
#include "core/bake/detail/detail.h"
#include "core/bake/polygons/polygons.h"

#ifdef NAV_DEBUG

// ---- voxels ----

void nav_promise_solid(const nav_bake_job *job, const nav_heightfield *solid)
{
    const size_t columns = (size_t)solid->width * solid->depth;
    NAV_DCHECK(solid->width == job->width_cells);
    NAV_DCHECK(solid->depth == job->depth_cells);
    NAV_DCHECK(solid->first[0] == 0);
    NAV_DCHECK(solid->first[columns] == solid->span_count);
    for (size_t c = 0; c < columns; ++c) {
        NAV_DCHECK(solid->first[c] <= solid->first[c + 1]);
        for (uint32_t i = solid->first[c]; i < solid->first[c + 1]; ++i) {
            NAV_DCHECK(solid->span_min[i] < solid->span_max[i]);
            NAV_DCHECK(i == solid->first[c] || solid->span_min[i] > solid->span_max[i - 1]);
            NAV_DCHECK(solid->span_area[i] < NAV_AREAS_MAX);
        }
    }
}

// The column of a span's neighbour in a direction is the one beside the span's, and the neighbour
// leads back.
static void check_links(const nav_field *f, uint32_t x, uint32_t z, uint32_t span)
{
    for (int direction = 0; direction < 4; ++direction) {
        const uint32_t n = nav_field_neighbour(f, span, direction);
        if (n == NAV_NONE) {
            continue;
        }
        const int64_t beside_x = (int64_t)x + NAV_DIRECTION_X[direction];
        const int64_t beside_z = (int64_t)z + NAV_DIRECTION_Z[direction];
        NAV_DCHECK(beside_x >= 0);
        NAV_DCHECK(beside_x < f->width);
        NAV_DCHECK(beside_z >= 0);
        NAV_DCHECK(beside_z < f->depth);
        const size_t beside = (size_t)(beside_z * f->width + beside_x);
        NAV_DCHECK(n >= f->first[beside]);
        NAV_DCHECK(n < f->first[beside + 1]);
        NAV_DCHECK(nav_field_neighbour(f, n, (direction + 2) & 3) == span);
    }
}

void nav_promise_field(const nav_bake_job *job, const nav_field *field)
{
    const size_t columns = (size_t)field->width * field->depth;
    NAV_DCHECK(field->width == job->width_cells);
    NAV_DCHECK(field->depth == job->depth_cells);
    NAV_DCHECK(field->first[0] == 0);
    NAV_DCHECK(field->first[columns] == field->span_count);
    for (size_t c = 0; c < columns; ++c) {
        NAV_DCHECK(field->first[c] <= field->first[c + 1]);
        for (uint32_t i = field->first[c]; i < field->first[c + 1]; ++i) {
            NAV_DCHECK(i == field->first[c] || field->floor[i] > field->floor[i - 1]);
            NAV_DCHECK(field->headroom == NULL || field->headroom[i] > 0);
            NAV_DCHECK(field->area[i] < NAV_AREAS_MAX);
            check_links(field, (uint32_t)(c % field->width), (uint32_t)(c / field->width), i);
        }
    }
}

void nav_promise_regions(const nav_field *field)
{
    uint32_t highest = 0;
    for (uint32_t i = 0; i < field->span_count; ++i) {
        const uint32_t region = field->region[i];
        if ((region & NAV_REGION_BORDER) == 0) {
            NAV_DCHECK(region <= field->region_count);
            NAV_DCHECK(region == 0 || field->area[i] != NAV_AREA_NONE);
            highest = region > highest ? region : highest;
        }
    }
    NAV_DCHECK(highest == field->region_count); // numbers without gaps at the end
    NAV_DCHECK(field->region_count < NAV_CONTOUR_PADDING);
}

// ---- lines and polygons ----

void nav_promise_contours(const nav_bake_job *job, const nav_field *field,
                          const nav_contour_set *set)
{
    NAV_DCHECK(set->count == 0 || set->contours != NULL);
    for (uint32_t i = 0; i < set->count; ++i) {
        const nav_contour *c = &set->contours[i];
        NAV_DCHECK(c->point_count >= 3);
        NAV_DCHECK(c->region >= 1);
        NAV_DCHECK(c->region <= field->region_count);
        NAV_DCHECK(c->area != NAV_AREA_NONE);
        for (uint32_t k = 0; k < c->point_count; ++k) {
            const nav_contour_point *p = &c->points[k];
            NAV_DCHECK(p->x >= 0);
            NAV_DCHECK(p->x <= (int32_t)job->width_cells);
            NAV_DCHECK(p->z >= 0);
            NAV_DCHECK(p->z <= (int32_t)job->depth_cells);
            NAV_DCHECK(p->y >= 0);
            NAV_DCHECK(p->y <= (int32_t)UINT16_MAX);
        }
    }
}

// A neighbour over an edge has an edge that leads back.
static bool knows(const nav_polygons *polygons, uint32_t polygon, uint32_t other)
{
    const size_t row = (size_t)polygon * polygons->max_vertices;
    for (uint32_t k = 0; k < polygons->max_vertices; ++k) {
        if (polygons->polygon_neighbours[row + k] == other) {
            return true;
        }
    }
    return false;
}

static void check_polygon(const nav_polygons *polygons, uint32_t polygon)
{
    const size_t row = (size_t)polygon * polygons->max_vertices;
    const uint32_t *vertices = polygons->polygon_vertices + row;
    const uint32_t size = nav_polygon_size(polygons, polygon);
    NAV_DCHECK(size >= 3);
    for (uint32_t k = 0; k < size; ++k) {
        const uint32_t next = vertices[(k + 1) % size], after = vertices[(k + 2) % size];
        NAV_DCHECK(vertices[k] < polygons->vertex_count);
        NAV_DCHECK(vertices[k] != next);
        NAV_DCHECK(nav_plan_turn(nav_polygons_plan(polygons, vertices[k]),
                                 nav_polygons_plan(polygons, next),
                                 nav_polygons_plan(polygons, after)) >= 0);
        const uint32_t neighbour = polygons->polygon_neighbours[row + k];
        if (neighbour != NAV_NONE && (neighbour & NAV_EDGE_PORTAL) == 0) {
            NAV_DCHECK(neighbour < polygons->count);
            NAV_DCHECK(neighbour != polygon);
            NAV_DCHECK(knows(polygons, neighbour, polygon));
        }
    }
}

void nav_promise_polygons(const nav_bake_job *job, const nav_polygons *polygons)
{
    NAV_DCHECK(polygons->max_vertices >= 3);
    NAV_DCHECK(polygons->max_vertices <= NAV_POLYGON_VERTICES_MAX);
    for (uint32_t i = 0; i < polygons->vertex_count; ++i) {
        NAV_DCHECK(polygons->vertices[i][0] >= (int32_t)job->border_cells);
        NAV_DCHECK(polygons->vertices[i][0] <= (int32_t)(job->width_cells - job->border_cells));
        NAV_DCHECK(polygons->vertices[i][2] >= (int32_t)job->border_cells);
        NAV_DCHECK(polygons->vertices[i][2] <= (int32_t)(job->depth_cells - job->border_cells));
    }
    for (uint32_t i = 0; i < polygons->count; ++i) {
        NAV_DCHECK(polygons->areas[i] != NAV_AREA_NONE);
        check_polygon(polygons, i);
    }
}

void nav_promise_detail(const nav_polygons *polygons, const nav_detail *detail)
{
    if (detail->triangle_first == NULL) {
        return; // the settings build none
    }
    NAV_DCHECK(detail->vertex_first[0] == 0);
    NAV_DCHECK(detail->triangle_first[0] == 0);
    NAV_DCHECK(detail->vertex_first[polygons->count] == detail->vertex_count);
    NAV_DCHECK(detail->triangle_first[polygons->count] == detail->triangle_count);
    for (uint32_t i = 0; i < polygons->count; ++i) {
        NAV_DCHECK(detail->vertex_first[i] <= detail->vertex_first[i + 1]);
        NAV_DCHECK(detail->triangle_first[i] <= detail->triangle_first[i + 1]);
        const uint32_t points =
            nav_polygon_size(polygons, i) + detail->vertex_first[i + 1] - detail->vertex_first[i];
        for (uint32_t k = detail->triangle_first[i]; k < detail->triangle_first[i + 1]; ++k) {
            const uint16_t *corners = detail->triangles[k];
            NAV_DCHECK(corners[0] < points);
            NAV_DCHECK(corners[1] < points);
            NAV_DCHECK(corners[2] < points);
        }
    }
}

#endif
