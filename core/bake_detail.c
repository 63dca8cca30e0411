// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// bake_detail.c: heights inside the polygons. Before it polygons are flat between corners that may
// be far apart; after it each has a triangulation that follows the floor.
//
//   polygon --edge samples--> border --Delaunay--> triangles --interior samples, worst first--> out
//
// An edge between two polygons is sampled once, by the polygon of lower index, and both take these
// samples: the surface has no cracks inside a tile. Two tiles sample their common border each on
// its own, from the same heights as far as the padding shows them; where their edges have the same
// ends, so have their samples.
//
// A polygon without an area gets no triangles, and one that is not convex or longer than 262,143
// cells a plain fan without extra vertices; neither occurs where contours are simple. A corner has
// the height it has in the polygon mesh.
//
// Sources: see delaunay.c for the triangulation and bake_detail_surface.c for the refinement. Edges
// are simplified as lines are by D. Douglas, T. Peucker, "Algorithms for the Reduction of the
// Number of Points Required to Represent a Digitized Line", The Canadian Cartographer 10 (1973).

#include "bake_detail.h"

#include <math.h>
#include <string.h>

#define ONE NAV_DELAUNAY_ONE
// Local indices are 16 bits wide.
#define POLYGON_POINTS_MAX 65535u
// Simplified borders leave their region by at most the contour's error and a diagonal; a search
// that goes much farther finds floors that say nothing about the place.
#define SEARCH_CELLS_MAX 16.0f

// A place on an edge: t / ONE of the way from its lower end to its higher one, so that its
// coordinates in 1 / ONE cells are whole numbers and it lies exactly on the edge.
typedef struct edge_sample {
    uint32_t t;
    float height;
} edge_sample;

typedef struct edge_samples {
    uint32_t first, count;
} edge_samples;

typedef struct detail_bake {
    const nav_bake_job *job;
    const nav_polygons *polygons;
    nav_detail_floor floor;
    double sample_cells, error_max;
    nav_detail_surface surface;
    edge_samples *edges; // max_vertices a polygon
    edge_sample *samples;
    uint32_t sample_count, sample_capacity;
    double *profile;        // heights along one edge, ONE + 1
    uint32_t *profile_ends; // stack of the simplification, ONE + 1
    nav_detail out;
    uint32_t vertex_capacity, triangle_capacity;
} detail_bake;

// One polygon, its corners as (z, x): the swap turns its winding counter-clockwise.
typedef struct polygon_shape {
    uint32_t polygon, count;
    const int32_t *vertices[NAV_POLYGON_VERTICES_MAX];
    int32_t min_x, max_x, min_z, max_z;
} polygon_shape;

static polygon_shape shape_of(const nav_polygons *polygons, uint32_t polygon)
{
    const uint32_t *row = polygons->polygon_vertices + (size_t)polygon * polygons->max_vertices;
    polygon_shape shape = {polygon, 0, {NULL}, INT32_MAX, INT32_MIN, INT32_MAX, INT32_MIN};
    while (shape.count < polygons->max_vertices && row[shape.count] != NAV_NONE) {
        const int32_t *vertex = polygons->vertices[row[shape.count]];
        shape.vertices[shape.count++] = vertex;
        shape.min_x = vertex[0] < shape.min_x ? vertex[0] : shape.min_x;
        shape.max_x = vertex[0] > shape.max_x ? vertex[0] : shape.max_x;
        shape.min_z = vertex[2] < shape.min_z ? vertex[2] : shape.min_z;
        shape.max_z = vertex[2] > shape.max_z ? vertex[2] : shape.max_z;
    }
    return shape;
}

static nav_delaunay_point plan_place(const polygon_shape *shape, int64_t x, int64_t z)
{
    return (nav_delaunay_point){.u = (int32_t)(z - (int64_t)shape->min_z * ONE),
                                .v = (int32_t)(x - (int64_t)shape->min_x * ONE)};
}

// Room for need elements of an array that grows by doubling; false: no memory.
static bool make_room(nav_arena *arena, void **array, uint32_t count, uint32_t *capacity,
                      size_t need, size_t size_bytes)
{
    if (need <= *capacity) {
        return true;
    }
    size_t grown = (size_t)*capacity * 2 < need ? need : (size_t)*capacity * 2;
    grown = grown > UINT32_MAX ? UINT32_MAX : grown;
    void *memory = need > grown ? NULL : nav_arena_grow(arena, *array, count, grown, size_bytes);
    if (memory == NULL) {
        return false;
    }
    *array = memory;
    *capacity = (uint32_t)grown;
    return true;
}

// ---- edges ----

static bool is_swapped(const int32_t *from, const int32_t *to)
{
    return to[0] < from[0] || (to[0] == from[0] && to[2] < from[2]);
}

static uint32_t step_of(uint32_t i, uint32_t steps)
{
    return (uint32_t)(((uint64_t)i * ONE + steps / 2) / steps);
}

// Heights of the floor along an edge from its lower end, steps + 1 of them; the ends keep the
// height of their vertices.
static void read_profile(detail_bake *bake, const int32_t *low, const int32_t *high, uint32_t steps)
{
    bake->profile[0] = low[1];
    bake->profile[steps] = high[1];
    for (uint32_t i = 1; i < steps; i++) {
        int64_t t = step_of(i, steps);
        int64_t x = (int64_t)low[0] * ONE + (high[0] - low[0]) * t;
        int64_t z = (int64_t)low[2] * ONE + (high[2] - low[2]) * t;
        double expected = low[1] + (double)(high[1] - low[1]) * (double)t / ONE;
        bake->profile[i] = nav_detail_height(&bake->floor, x, z, expected);
    }
}

// The place between two kept ones that is farthest from their straight line, or from if none is
// off by more than allowed.
static uint32_t worst_between(const detail_bake *bake, uint32_t from, uint32_t to, uint32_t steps)
{
    uint32_t worst = from;
    double worst_error = bake->error_max;
    double from_t = step_of(from, steps);
    double slope = (bake->profile[to] - bake->profile[from]) / (step_of(to, steps) - from_t);
    for (uint32_t i = from + 1; i < to; i++) {
        double line = bake->profile[from] + slope * (step_of(i, steps) - from_t);
        double error = fabs(bake->profile[i] - line);
        if (error > worst_error) {
            worst = i;
            worst_error = error;
        }
    }
    return worst;
}

// Samples the edge and appends those samples that its height needs, in order.
static bool sample_edge(detail_bake *bake, const int32_t *low, const int32_t *high,
                        edge_samples *out)
{
    double dx = high[0] - low[0];
    double dz = high[2] - low[2];
    double wanted = 1 + floor(sqrt(dx * dx + dz * dz) / bake->sample_cells);
    uint32_t steps = wanted < ONE ? (uint32_t)wanted : ONE;
    *out = (edge_samples){.first = bake->sample_count};
    read_profile(bake, low, high, steps);
    uint32_t from = 0;
    uint32_t depth = 1;
    bake->profile_ends[0] = steps;
    while (depth > 0) {
        uint32_t to = bake->profile_ends[depth - 1];
        uint32_t worst = worst_between(bake, from, to, steps);
        if (worst != from) {
            bake->profile_ends[depth++] = worst;
            continue;
        }
        from = to;
        depth--;
        if (depth > 0) {
            if (!make_room(bake->job->scratch, (void **)&bake->samples, bake->sample_count,
                           &bake->sample_capacity, (size_t)bake->sample_count + 1,
                           sizeof *bake->samples)) {
                return false;
            }
            bake->samples[bake->sample_count++] =
                (edge_sample){step_of(to, steps), (float)bake->profile[to]};
            out->count++;
        }
    }
    return true;
}

// The samples of the edge if the neighbour across it has taken them already.
static const edge_samples *shared_samples(const detail_bake *bake, uint32_t polygon, uint32_t edge,
                                          uint32_t next)
{
    const nav_polygons *polygons = bake->polygons;
    size_t row = (size_t)polygon * polygons->max_vertices;
    uint32_t neighbour = polygons->polygon_neighbours[row + edge];
    if (neighbour >= polygon) {
        return NULL;
    }
    polygon_shape other = shape_of(polygons, neighbour);
    const uint32_t *theirs =
        polygons->polygon_vertices + (size_t)neighbour * polygons->max_vertices;
    for (uint32_t i = 0; i < other.count; i++) {
        if (theirs[i] == polygons->polygon_vertices[row + next] &&
            theirs[(i + 1) % other.count] == polygons->polygon_vertices[row + edge]) {
            return &bake->edges[(size_t)neighbour * polygons->max_vertices + i];
        }
    }
    return NULL;
}

static bool sample_edges(detail_bake *bake, const polygon_shape *shape)
{
    edge_samples *edges = bake->edges + (size_t)shape->polygon * bake->polygons->max_vertices;
    for (uint32_t i = 0; i < shape->count; i++) {
        uint32_t next = (i + 1) % shape->count;
        const edge_samples *shared = shared_samples(bake, shape->polygon, i, next);
        const int32_t *from = shape->vertices[i];
        const int32_t *to = shape->vertices[next];
        bool swapped = is_swapped(from, to);
        if (shared != NULL) {
            edges[i] = *shared;
        } else if (!sample_edge(bake, swapped ? to : from, swapped ? from : to, &edges[i])) {
            return false;
        }
    }
    return true;
}

// Splits the border of the plan at the samples of one edge, in the direction of the polygon.
static bool insert_edge(detail_bake *bake, const polygon_shape *shape, uint32_t edge)
{
    nav_detail_surface *surface = &bake->surface;
    const edge_samples *samples =
        &bake->edges[(size_t)shape->polygon * bake->polygons->max_vertices + edge];
    const int32_t *from = shape->vertices[edge];
    const int32_t *to = shape->vertices[(edge + 1) % shape->count];
    bool swapped = is_swapped(from, to);
    const int32_t *low = swapped ? to : from;
    const int32_t *high = swapped ? from : to;
    uint32_t last = edge;
    if (!nav_detail_surface_reserve(surface, bake->job->scratch,
                                    surface->plan.point_count + samples->count)) {
        return false;
    }
    for (uint32_t i = 0; i < samples->count; i++) {
        const edge_sample *sample =
            &bake->samples[samples->first + (swapped ? samples->count - 1 - i : i)];
        int64_t x = (int64_t)low[0] * ONE + (int64_t)(high[0] - low[0]) * sample->t;
        int64_t z = (int64_t)low[2] * ONE + (int64_t)(high[2] - low[2]) * sample->t;
        last = nav_delaunay_insert(&surface->plan, surface->plan.border[last],
                                   plan_place(shape, x, z));
        surface->heights[last] = sample->height;
    }
    return true;
}

// ---- interior ----

// The stretch of row z inside the polygon and farther than inset from its edges.
static void row_inside(const polygon_shape *shape, double z, double inset, double *low,
                       double *high)
{
    *low = shape->min_x;
    *high = shape->max_x;
    for (uint32_t i = 0; i < shape->count; i++) {
        const int32_t *a = shape->vertices[i];
        const int32_t *b = shape->vertices[(i + 1) % shape->count];
        double dx = b[0] - a[0];
        double dz = b[2] - a[2];
        double need = inset * sqrt(dx * dx + dz * dz) + dx * (z - a[2]);
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

static bool add_row(detail_bake *bake, const polygon_shape *shape, int32_t z, uint32_t *hint)
{
    nav_detail_surface *surface = &bake->surface;
    double low, high;
    row_inside(shape, z, bake->sample_cells / 2, &low, &high);
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
        int64_t place_x = (int64_t)x * ONE;
        int64_t place_z = (int64_t)z * ONE;
        nav_delaunay_point place = plan_place(shape, place_x, place_z);
        *hint = nav_delaunay_find(&surface->plan, *hint, place);
        double expected = nav_detail_surface_height(surface, *hint, place);
        double height = nav_detail_height(&bake->floor, place_x, place_z, expected);
        nav_detail_surface_add(surface, *hint, place, (float)height);
    }
    return true;
}

static nav_status refine_interior(detail_bake *bake, const polygon_shape *shape)
{
    uint32_t hint = 0;
    int32_t last = -1;
    nav_detail_surface_prepare(&bake->surface);
    for (int64_t i = (int64_t)(shape->min_z / bake->sample_cells);
         grid_cells(bake, i) < shape->max_z; i++) {
        int32_t z = grid_cells(bake, i);
        if (z != last && !add_row(bake, shape, z, &hint)) {
            return NAV_NO_MEMORY;
        }
        last = z;
    }
    bool met = true;
    nav_status status = nav_detail_surface_refine(&bake->surface, bake->job->scratch,
                                                  bake->error_max, POLYGON_POINTS_MAX, &met);
    if (!met) {
        const int32_t *at = shape->vertices[0];
        nav_bake_warn(bake->job, NAV_WARN_DETAIL_ERROR, (float)at[0], (float)at[1], (float)at[2]);
    }
    return status;
}

// ---- output ----

static bool reserve_out(detail_bake *bake, size_t vertex_count, size_t triangle_count)
{
    nav_arena *arena = bake->job->scratch;
    nav_detail *out = &bake->out;
    return make_room(arena, (void **)&out->vertices, out->vertex_count, &bake->vertex_capacity,
                     out->vertex_count + vertex_count, sizeof *out->vertices) &&
           make_room(arena, (void **)&out->triangles, out->triangle_count, &bake->triangle_capacity,
                     out->triangle_count + triangle_count, sizeof *out->triangles);
}

static void add_triangle(nav_detail *out, uint32_t a, uint32_t b, uint32_t c)
{
    uint16_t *triangle = out->triangles[out->triangle_count++];
    triangle[0] = (uint16_t)a;
    triangle[1] = (uint16_t)b;
    triangle[2] = (uint16_t)c;
}

static nav_status write_surface(detail_bake *bake, const polygon_shape *shape)
{
    const nav_detail_surface *surface = &bake->surface;
    nav_detail *out = &bake->out;
    if (!reserve_out(bake, surface->plan.point_count - shape->count,
                     surface->plan.triangle_count)) {
        return NAV_NO_MEMORY;
    }
    for (uint32_t i = shape->count; i < surface->plan.point_count; i++) {
        float *vertex = out->vertices[out->vertex_count++];
        nav_delaunay_point place = surface->plan.points[i];
        vertex[0] = (float)(shape->min_x + (double)place.v / ONE);
        vertex[1] = surface->heights[i];
        vertex[2] = (float)(shape->min_z + (double)place.u / ONE);
    }
    for (uint32_t i = 0; i < surface->plan.triangle_count; i++) {
        const uint32_t *corners = surface->plan.triangles[i].corners;
        add_triangle(out, corners[0], corners[1], corners[2]);
    }
    return NAV_OK;
}

// What is left for a polygon that cannot be triangulated properly: its corners, as far as they give
// triangles of the right winding.
static nav_status write_fan(detail_bake *bake, const polygon_shape *shape)
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
        int64_t area =
            (int64_t)(b[2] - a[2]) * (c[0] - a[0]) - (int64_t)(b[0] - a[0]) * (c[2] - a[2]);
        if (area > 0) {
            add_triangle(out, 0, i, i + 1);
        }
    }
    if (out->triangle_count > first && bake->sample_cells > 0) {
        const int32_t *at = shape->vertices[0];
        nav_bake_warn(bake->job, NAV_WARN_DETAIL_ERROR, (float)at[0], (float)at[1], (float)at[2]);
    }
    return NAV_OK;
}

// ---- the stage ----

// Puts the polygon's corners into an empty plan; false if it is too long or not convex.
static bool begin_plan(detail_bake *bake, const polygon_shape *shape)
{
    nav_delaunay_point corners[NAV_POLYGON_VERTICES_MAX];
    const int32_t side_max = NAV_DELAUNAY_LIMIT / ONE - 1;
    if (shape->max_x - shape->min_x > side_max || shape->max_z - shape->min_z > side_max) {
        return false;
    }
    for (uint32_t i = 0; i < shape->count; i++) {
        const int32_t *vertex = shape->vertices[i];
        corners[i] = plan_place(shape, (int64_t)vertex[0] * ONE, (int64_t)vertex[2] * ONE);
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
    polygon_shape shape = shape_of(bake->polygons, polygon);
    bool sampled = bake->sample_cells > 0;
    bake->floor.region = bake->polygons->regions[polygon];
    if (sampled && !sample_edges(bake, &shape)) {
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
    bake->edges = NAV_NEW(arena, edge_samples, count * bake->polygons->max_vertices);
    bake->profile = NAV_NEW(arena, double, ONE + 1);
    bake->profile_ends = NAV_NEW(arena, uint32_t, ONE + 1);
    bake->out.vertex_first = NAV_NEW(arena, uint32_t, count + 1);
    bake->out.triangle_first = NAV_NEW(arena, uint32_t, count + 1);
    return bake->edges != NULL && bake->profile != NULL && bake->profile_ends != NULL &&
           bake->out.vertex_first != NULL && bake->out.triangle_first != NULL &&
           nav_detail_surface_reserve(&bake->surface, arena, NAV_POLYGON_VERTICES_MAX) &&
           reserve_out(bake, count, count * 4);
}

static detail_bake bake_init(const nav_bake_job *job, const nav_field *field,
                             const nav_polygons *polygons)
{
    float search_cells = 2 + ceilf(job->config->edge_max_error);
    search_cells = search_cells < SEARCH_CELLS_MAX ? search_cells : SEARCH_CELLS_MAX;
    return (detail_bake){
        .job = job,
        .polygons = polygons,
        .floor = {.field = field, .search_cells = (uint32_t)search_cells},
        .sample_cells = (double)job->config->detail_sample_distance,
        .error_max = (double)job->config->detail_max_error,
    };
}

nav_status nav_bake_detail(const nav_bake_job *job, const nav_field *field,
                           const nav_polygons *polygons, nav_detail *out)
{
    NAV_ASSERT(polygons->max_vertices <= NAV_POLYGON_VERTICES_MAX);
    if (!job->config->detail) {
        *out = (nav_detail){0};
        job->report->detail_triangles = 0;
        return NAV_OK;
    }
    detail_bake bake = bake_init(job, field, polygons);
    nav_status status = allocate(&bake) ? NAV_OK : NAV_NO_MEMORY;
    for (uint32_t i = 0; status == NAV_OK && i < polygons->count; i++) {
        if (nav_bake_cancelled(job)) {
            return nav_fail(job->err, NAV_CANCELLED, "The bake was cancelled");
        }
        bake.out.vertex_first[i] = bake.out.vertex_count;
        bake.out.triangle_first[i] = bake.out.triangle_count;
        status = bake_polygon(&bake, i);
    }
    if (status != NAV_OK) {
        return nav_fail(job->err, status, "The height detail does not fit into memory");
    }
    bake.out.vertex_first[polygons->count] = bake.out.vertex_count;
    bake.out.triangle_first[polygons->count] = bake.out.triangle_count;
    job->report->detail_triangles = bake.out.triangle_count;
    *out = bake.out;
    return NAV_OK;
}
