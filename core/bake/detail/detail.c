// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// detail.c: step 9, heights inside the polygons. Before it polygons are flat between corners that
// may be far apart; after it each has a triangulation that follows the floor.
//
//   polygon --edge samples--> border --Delaunay--> triangles --interior samples, worst first--> out
//
// Two polygons share the samples of their common edge, so that the surface has no cracks inside a
// tile. Two tiles sample their common border each on its own: edges with the same ends get the same
// samples as far as the padding shows both tiles the same floors; others may differ in height by up
// to the allowed error on each side.
//
// A polygon without an area gets no triangles, and one that is not convex or longer than 262,143
// cells a plain fan without extra vertices; neither occurs where contours are simple. A corner has
// the height it has in the polygon mesh.
//
// Sources: see base/delaunay.c for the triangulation and surface.c for the refinement,
// edges.c for the edges.

#include "core/bake/detail/detail.h"
#include "core/bake/polygons/polygons.h"

#include <math.h>

#define ONE NAV_DELAUNAY_ONE
// Local indices are 16 bits wide.
#define POLYGON_POINTS_MAX 65535u
_Static_assert(POLYGON_POINTS_MAX <= UINT16_MAX, "nav_detail's triangles number their points");
// Simplified borders leave their region by at most the contour's error and a diagonal; a search
// that goes much farther finds floors that say nothing about the position.
#define SEARCH_CELLS_MAX 16.0f

typedef struct detail_bake {
    const nav_bake_job *job;
    const nav_polygons *polygons;
    nav_detail_floor floor;
    double sample_cells, error_max;
    nav_detail_edges edges;
    nav_detail_surface surface;
    nav_detail out;
    uint32_t vertex_capacity, triangle_capacity;
} detail_bake;

// The plan's u is z and its v is x: the swap turns polygons counter-clockwise.
static nav_delaunay_point plan_point(const nav_detail_shape *shape, int64_t x, int64_t z)
{
    return (nav_delaunay_point){.u = (int32_t)(z - (int64_t)shape->min_z * ONE),
                                .v = (int32_t)(x - (int64_t)shape->min_x * ONE)};
}

// ---- border ----

// Splits the border of the plan at the samples of one edge, in the direction of the polygon.
static bool insert_edge(detail_bake *bake, const nav_detail_shape *shape, uint32_t edge)
{
    nav_detail_surface *surface = &bake->surface;
    const nav_detail_edge *samples =
        &bake->edges.edges[(size_t)shape->polygon * bake->polygons->max_vertices + edge];
    const int32_t *from = shape->vertices[edge];
    const int32_t *to = shape->vertices[(edge + 1) % shape->count];
    bool swapped = nav_detail_edge_swapped(from, to);
    const int32_t *low = swapped ? to : from;
    const int32_t *high = swapped ? from : to;
    uint32_t last = edge;
    if (!nav_detail_surface_reserve(surface, bake->job->scratch,
                                    surface->plan.point_count + samples->count)) {
        return false;
    }
    for (uint32_t i = 0; i < samples->count; i++) {
        const nav_detail_edge_sample *sample =
            &bake->edges.samples[samples->first + (swapped ? samples->count - 1 - i : i)];
        int64_t x = (int64_t)low[0] * ONE + (int64_t)(high[0] - low[0]) * sample->t;
        int64_t z = (int64_t)low[2] * ONE + (int64_t)(high[2] - low[2]) * sample->t;
        NAV_ASSERT(sample->t > 0); // the ends are corners
        NAV_ASSERT(sample->t < ONE);
        last = nav_delaunay_insert(&surface->plan, surface->plan.border[last],
                                   plan_point(shape, x, z));
        surface->heights[last] = sample->height;
    }
    return true;
}

// ---- interior ----

// The stretch of row z inside the polygon and farther than inset from its edges.
static void row_inside(const nav_detail_shape *shape, double z, double inset, double *low,
                       double *high)
{
    *low = shape->min_x;
    *high = shape->max_x;
    for (uint32_t i = 0; i < shape->count; i++) {
        const int32_t *a = shape->vertices[i];
        const int32_t *b = shape->vertices[(i + 1) % shape->count];
        double dx = b[0] - a[0];
        double dz = b[2] - a[2];
        double need = inset * nav_plane_length(dx, dz) + dx * (z - a[2]);
        if (dz > 0) {
            double bound = a[0] + need / dz;
            *low = bound > *low ? bound : *low;
        } else if (dz < 0) {
            double bound = a[0] + need / dz;
            *high = bound < *high ? bound : *high;
        } else if (need >= 0) {
            *high = *low;
        }
    }
}

// Samples lie on corners of cells, whose heights are known without interpolation.
static int32_t grid_cells(const detail_bake *bake, int64_t i)
{
    return (int32_t)((double)i * bake->sample_cells + 0.5);
}

static bool add_row(detail_bake *bake, const nav_detail_shape *shape, int32_t z, uint32_t *hint)
{
    nav_detail_surface *surface = &bake->surface;
    double low, high;
    row_inside(shape, z, bake->sample_cells / 2, &low, &high);
    if (low >= high) {
        return true;
    }
    int32_t last = -1;
    for (int64_t i = (int64_t)(low / bake->sample_cells); grid_cells(bake, i) < high; i++) {
        int32_t x = grid_cells(bake, i);
        if (x <= low || x == last) {
            continue;
        }
        last = x;
        if (!nav_detail_surface_reserve_samples(surface, bake->job->scratch,
                                                surface->sample_count + 1)) {
            return false;
        }
        int64_t point_x = (int64_t)x * ONE;
        int64_t point_z = (int64_t)z * ONE;
        nav_delaunay_point point = plan_point(shape, point_x, point_z);
        *hint = nav_delaunay_find(&surface->plan, *hint, point);
        double expected = nav_detail_surface_height(surface, *hint, point);
        double height = nav_detail_height(&bake->floor, point_x, point_z, expected);
        nav_detail_surface_add(surface, *hint, point, (float)height);
    }
    return true;
}

static nav_status refine_interior(detail_bake *bake, const nav_detail_shape *shape)
{
    uint32_t hint = 0;
    int32_t last = -1;
    nav_detail_surface_prepare(&bake->surface);
    for (int64_t i = (int64_t)(shape->min_z / bake->sample_cells);
         grid_cells(bake, i) < shape->max_z; i++) {
        int32_t z = grid_cells(bake, i);
        if (nav_cancel_poll(bake->job->cancel, NAV_STEP_ROW)) {
            return nav_bake_end(bake->job);
        }
        if (z != last && !add_row(bake, shape, z, &hint)) {
            return NAV_NO_MEMORY;
        }
        last = z;
    }
    bool met = true;
    nav_status status = nav_detail_surface_refine(&bake->surface, bake->job, bake->error_max,
                                                  POLYGON_POINTS_MAX, &met);
    if (status == NAV_OK && !met) {
        // Not met at the worst sample of all, which is the first triangle's on the heap.
        const nav_detail_face *face = &bake->surface.faces[bake->surface.heap[0]];
        const nav_detail_sample *worst = &bake->surface.samples[face->worst_sample];
        nav_bake_warn_value(bake->job, NAV_WARN_DETAIL_ERROR,
                            (float)shape->min_x + (float)worst->point.v / ONE, worst->height,
                            (float)shape->min_z + (float)worst->point.u / ONE,
                            (float)face->worst_error * bake->job->grid->cell_height);
    }
    return status;
}

// ---- output ----

static bool reserve_out(detail_bake *bake, size_t vertex_count, size_t triangle_count)
{
    nav_arena *arena = bake->job->scratch;
    nav_detail *out = &bake->out;
    out->vertices = nav_detail_grow(arena, out->vertices, out->vertex_count, &bake->vertex_capacity,
                                    out->vertex_count + vertex_count, sizeof *out->vertices);
    out->triangles =
        nav_detail_grow(arena, out->triangles, out->triangle_count, &bake->triangle_capacity,
                        out->triangle_count + triangle_count, sizeof *out->triangles);
    return out->vertices != NULL && out->triangles != NULL;
}

static void add_triangle(nav_detail *out, uint32_t a, uint32_t b, uint32_t c)
{
    NAV_DCHECK(a != b);
    NAV_DCHECK(b != c);
    NAV_DCHECK(c != a);
    NAV_ASSERT(a <= UINT16_MAX);
    NAV_ASSERT(b <= UINT16_MAX);
    NAV_ASSERT(c <= UINT16_MAX);
    uint16_t *triangle = out->triangles[out->triangle_count++];
    triangle[0] = (uint16_t)a;
    triangle[1] = (uint16_t)b;
    triangle[2] = (uint16_t)c;
}

static nav_status write_surface(detail_bake *bake, const nav_detail_shape *shape)
{
    const nav_detail_surface *surface = &bake->surface;
    nav_detail *out = &bake->out;
    NAV_ASSERT(surface->plan.point_count >= shape->count);
    NAV_ASSERT(surface->plan.point_count <= POLYGON_POINTS_MAX);
    NAV_ASSERT(surface->plan.triangle_count < 2 * surface->plan.point_count);
    if (!reserve_out(bake, surface->plan.point_count - shape->count,
                     surface->plan.triangle_count)) {
        return NAV_NO_MEMORY;
    }
    for (uint32_t i = shape->count; i < surface->plan.point_count; i++) {
        float *vertex = out->vertices[out->vertex_count++];
        nav_delaunay_point point = surface->plan.points[i];
        vertex[0] = (float)(shape->min_x + (double)point.v / ONE);
        vertex[1] = surface->heights[i];
        vertex[2] = (float)(shape->min_z + (double)point.u / ONE);
    }
    for (uint32_t i = 0; i < surface->plan.triangle_count; i++) {
        const uint32_t *corners = surface->plan.triangles[i].corners;
        add_triangle(out, corners[0], corners[1], corners[2]);
    }
    return NAV_OK;
}

// The last resort for a polygon that cannot be triangulated properly: its corners, as far as they
// give triangles of the right winding.
static nav_status write_fan(detail_bake *bake, const nav_detail_shape *shape)
{
    nav_detail *out = &bake->out;
    if (!reserve_out(bake, 0, shape->count)) {
        return NAV_NO_MEMORY;
    }
    uint32_t first = out->triangle_count;
    for (uint32_t i = 1; i + 1 < shape->count; i++) {
        const int32_t *a = shape->vertices[0];
        const int32_t *b = shape->vertices[i];
        const int32_t *c = shape->vertices[i + 1];
        if (nav_plan_turn(nav_plan_of(a), nav_plan_of(b), nav_plan_of(c)) > 0) {
            add_triangle(out, 0, i, i + 1);
        }
    }
    if (out->triangle_count > first && bake->sample_cells > 0) {
        // The polygon has no samples, so there is no error to report.
        const int32_t *at = shape->vertices[0];
        nav_bake_warn(bake->job, NAV_WARN_DETAIL_ERROR, (float)at[0], (float)at[1], (float)at[2]);
    }
    return NAV_OK;
}

// ---- the stage ----

// Puts the polygon's corners into an empty plan; false if it is too long or not convex.
static bool begin_plan(detail_bake *bake, const nav_detail_shape *shape)
{
    nav_delaunay_point corners[NAV_POLYGON_VERTICES_MAX];
    const int32_t side_max = NAV_DELAUNAY_LIMIT / ONE - 1;
    if (shape->max_x - shape->min_x > side_max || shape->max_z - shape->min_z > side_max) {
        return false;
    }
    for (uint32_t i = 0; i < shape->count; i++) {
        const int32_t *vertex = shape->vertices[i];
        corners[i] = plan_point(shape, (int64_t)vertex[0] * ONE, (int64_t)vertex[2] * ONE);
    }
    if (!nav_delaunay_convex(corners, shape->count)) {
        return false;
    }
    nav_delaunay_begin(&bake->surface.plan, corners, shape->count);
    for (uint32_t i = 0; i < shape->count; i++) {
        bake->surface.heights[i] = (float)shape->vertices[i][1];
    }
    return true;
}

static nav_status bake_polygon(detail_bake *bake, uint32_t polygon)
{
    nav_detail_shape shape = nav_detail_shape_of(bake->polygons, polygon);
    NAV_ASSERT(shape.count >= 3);
    bool sampled = bake->sample_cells > 0;
    bake->floor.region = bake->polygons->regions[polygon];
    NAV_ASSERT(bake->floor.region <= bake->floor.field->region_count);
    if (sampled &&
        !nav_detail_edges_sample(&bake->edges, bake->job->scratch, &bake->floor, &shape)) {
        return NAV_NO_MEMORY;
    }
    if (!begin_plan(bake, &shape)) {
        return write_fan(bake, &shape);
    }
    for (uint32_t i = 0; sampled && i < shape.count; i++) {
        if (!insert_edge(bake, &shape, i)) {
            return NAV_NO_MEMORY;
        }
    }
    nav_status status = sampled ? refine_interior(bake, &shape) : NAV_OK;
    return status == NAV_OK ? write_surface(bake, &shape) : status;
}

// Everything whose size is known beforehand, and a guess of the output's.
static bool allocate(detail_bake *bake)
{
    nav_arena *arena = bake->job->scratch;
    size_t count = bake->polygons->count;
    bake->out.vertex_first = NAV_NEW(arena, uint32_t, count + 1);
    bake->out.triangle_first = NAV_NEW(arena, uint32_t, count + 1);
    return nav_detail_edges_init(&bake->edges, arena, bake->polygons, bake->sample_cells,
                                 bake->error_max) &&
           bake->out.vertex_first != NULL && bake->out.triangle_first != NULL &&
           nav_detail_surface_reserve(&bake->surface, arena, NAV_POLYGON_VERTICES_MAX) &&
           reserve_out(bake, count, count * 4);
}

static detail_bake bake_init(const nav_bake_job *job, const nav_field *field,
                             const nav_polygons *polygons)
{
    float search_cells = 2 + ceilf(job->config->edge_max_error);
    search_cells = search_cells < SEARCH_CELLS_MAX ? search_cells : SEARCH_CELLS_MAX;
    // A distance beyond any polygon's size means the same as that size.
    float sample_cells = job->config->detail_sample_distance;
    sample_cells = sample_cells < NAV_GRID_SIDE_CELLS_MAX ? sample_cells : NAV_GRID_SIDE_CELLS_MAX;
    return (detail_bake){
        .job = job,
        .polygons = polygons,
        .floor = {.field = field,
                  .search_cells = (uint32_t)search_cells,
                  .storey_cells = job->height_min_cells},
        .sample_cells = (double)sample_cells,
        .error_max = (double)job->config->detail_max_error,
    };
}

nav_status nav_bake_detail(const nav_bake_job *job, const nav_field *field,
                           const nav_polygons *polygons, nav_detail *out)
{
    NAV_ASSERT(polygons->max_vertices <= NAV_POLYGON_VERTICES_MAX);
    NAV_ASSERT(polygons->count == 0 || field->region_count > 0);
    if (!job->config->detail) {
        *out = (nav_detail){0};
        return NAV_OK;
    }
    detail_bake bake = bake_init(job, field, polygons);
    nav_status status = allocate(&bake) ? NAV_OK : NAV_NO_MEMORY;
    for (uint32_t i = 0; status == NAV_OK && i < polygons->count; i++) {
        if (nav_cancel_poll(job->cancel, NAV_STEP_ROW)) {
            return nav_bake_end(job);
        }
        bake.out.vertex_first[i] = bake.out.vertex_count;
        bake.out.triangle_first[i] = bake.out.triangle_count;
        status = bake_polygon(&bake, i);
    }
    if (status != NAV_OK) {
        return status;
    }
    bake.out.vertex_first[polygons->count] = bake.out.vertex_count;
    bake.out.triangle_first[polygons->count] = bake.out.triangle_count;
    job->report->detail_triangles += bake.out.triangle_count;
    *out = bake.out;
    return NAV_OK;
}
