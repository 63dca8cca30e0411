// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// sanity.c: what a level looks like beside its settings, before it is baked.
//
//   units    sizes that come with people, whatever the level is: edges of triangles, heights of
//            steps and walls, room above ground; each beside what is usual for an agent so high
//   axis     flat ground: in which direction most of it faces
//   winding  where an agent has room to stand: do those places face up, or down? Columns go through
//            the level and meet its surfaces from the lowest to the highest
//
// A closed cave is the same turned inside out: its ceiling is ground from outside. It cannot be
// distinguished from a block of rock whose triangles face inwards, and nothing is said of either.

#include "core/base/plane.h"
#include "core/nav.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- what is usual ----

// For an agent two high. The middles of what the levels of tests/unit/core/base/test_sanity.c have.
#define USUAL_HEIGHT 2.0
#define USUAL_EDGE 3.0
#define USUAL_STEP 2.0
#define USUAL_GAP 4.0
#define USUAL_WIDTH 100.0

// How often a size counts: the width says less than what is in a level.
#define SIZE_WEIGHT 2
#define WIDTH_WEIGHT 1

// Fewer samples of a size say nothing.
#define SAMPLES_MIN 8u

// All sizes together, as a geometric mean, are so many times as large as usual: 10^1.4 and 10^2.5.
// Between the first and the second a hundredth is nearer, above it a thousandth.
#define TIMES_HUNDREDTH 25.118864315
#define TIMES_THOUSANDTH 316.22776602

// One thread bakes about so long.
#define CELL_MS 0.0002
#define TRIANGLE_MS 0.001
// Longer is a mistake: of a level that is wider than so many radii, or whose sizes are odd.
#define WIDE_RADII 100000.0
#define WIDE_MS 60000.0
#define ODD_MS 240000.0

// ---- samples ----

#define SAMPLES 1024u
#define WHOLE_TRIANGLES_MAX 1000000u // of more, only some are looked at, and there are no columns
#define STEEP 0.3                    // |normal y| of a step or wall is below this

// The median is that of an even spread of the triangles.
typedef struct sizes {
    float values[SAMPLES];
    uint32_t count;
} sizes;

static int compare_floats(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return x < y ? -1 : x > y;
}

static void add_size(sizes *s, double value)
{
    if (s->count < SAMPLES && value > 0) {
        s->values[s->count++] = (float)value;
    }
}

static float median_of(sizes *s)
{
    if (s->count < SAMPLES_MIN) {
        return 0;
    }
    qsort(s->values, s->count, sizeof s->values[0], compare_floats);
    return s->values[s->count / 2];
}

// ---- surfaces ----

#define COLUMNS 16u // a side
#define HITS 24u    // of a column; further ones are left out

typedef struct hit {
    float y;
    bool up;
} hit;

typedef struct column {
    hit hits[HITS];
    uint32_t count;
} column;

// All that is gathered in one walk over the triangles.
typedef struct survey {
    const nav_geometry *geometry;
    double min[3], max[3];
    double flat[6];   // area that faces along +x, -x, +y, -y, +z, -z
    double plan_area; // of all triangles
    uint32_t every;   // triangles are looked at: 1, or every so many-th
    sizes edges, steps, gaps;
    column columns[COLUMNS * COLUMNS];
    double x[COLUMNS], z[COLUMNS]; // where the columns stand
    double columns_per_width, columns_per_depth;
} survey;

static void corner(const nav_geometry *g, size_t triangle, int number, double out[3])
{
    const float *at = g->vertices + 3 * (size_t)g->triangles[3 * triangle + (size_t)number];
    for (int axis = 0; axis < 3; ++axis) {
        out[axis] = (double)at[axis];
    }
}

static void find_bounds(survey *s)
{
    float min[3] = {HUGE_VALF, HUGE_VALF, HUGE_VALF};
    float max[3] = {-HUGE_VALF, -HUGE_VALF, -HUGE_VALF};
    for (size_t i = 0; i < s->geometry->vertex_count; ++i) {
        const float *at = s->geometry->vertices + 3 * i;
        for (int axis = 0; axis < 3; ++axis) {
            min[axis] = nav_plane_lesser_f(min[axis], at[axis]);
            max[axis] = nav_plane_greater_f(max[axis], at[axis]);
        }
    }
    for (int axis = 0; axis < 3; ++axis) {
        s->min[axis] = (double)min[axis];
        s->max[axis] = (double)max[axis];
    }
    s->columns_per_width = s->max[0] > s->min[0] ? COLUMNS / (s->max[0] - s->min[0]) : 0;
    s->columns_per_depth = s->max[2] > s->min[2] ? COLUMNS / (s->max[2] - s->min[2]) : 0;
    for (uint32_t i = 0; i < COLUMNS; ++i) {
        // Off the middle, each by a little more: the corners of many levels are whole numbers.
        const double place = (double)i + 0.37 + 0.0131 * (double)i;
        s->x[i] = s->min[0] + (s->max[0] - s->min[0]) * (place / COLUMNS);
        s->z[i] = s->min[2] + (s->max[2] - s->min[2]) * (place / COLUMNS);
    }
}

// The columns along one axis from one place to another, [*first, result); about says where the
// first one is, at most one behind.
static uint32_t columns_within(const double *columns, double least, double most, double about,
                               uint32_t *first)
{
    uint32_t i = about < 1 ? 0 : about > COLUMNS ? COLUMNS - 1 : (uint32_t)about - 1;
    while (i < COLUMNS && columns[i] < least) {
        ++i;
    }
    *first = i;
    while (i < COLUMNS && columns[i] <= most) {
        ++i;
    }
    return i;
}

// A place of plan view beside a line: above 0 on its left.
static double side_of(const double a[3], const double b[3], double x, double z)
{
    return (b[2] - a[2]) * (x - a[0]) - (b[0] - a[0]) * (z - a[2]);
}

static double least_of(double a, double b, double c)
{
    const double least = a < b ? a : b;
    return least < c ? least : c;
}

static double most_of(double a, double b, double c)
{
    const double most = a > b ? a : b;
    return most > c ? most : c;
}

static void meet_column(column *at, const double a[3], const double b[3], const double c[3],
                        double x, double z)
{
    const double ab = side_of(a, b, x, z), bc = side_of(b, c, x, z), ca = side_of(c, a, x, z);
    if ((ab > 0 && bc > 0 && ca > 0) || (ab < 0 && bc < 0 && ca < 0)) {
        const double sum = ab + bc + ca;
        if (at->count < HITS) {
            at->hits[at->count++] =
                (hit){.y = (float)((bc * a[1] + ca * b[1] + ab * c[1]) / sum), .up = sum > 0};
        }
    }
}

// Puts a triangle into the columns that go through it, which are none of most triangles.
static void meet_columns(survey *s, const double a[3], const double b[3], const double c[3])
{
    const double left = least_of(a[0], b[0], c[0]), near = least_of(a[2], b[2], c[2]);
    uint32_t x0, z0;
    const uint32_t x1 = columns_within(s->x, left, most_of(a[0], b[0], c[0]),
                                       (left - s->min[0]) * s->columns_per_width, &x0);
    if (x0 == x1) {
        return;
    }
    const uint32_t z1 = columns_within(s->z, near, most_of(a[2], b[2], c[2]),
                                       (near - s->min[2]) * s->columns_per_depth, &z0);
    for (uint32_t iz = z0; iz < z1; ++iz) {
        for (uint32_t ix = x0; ix < x1; ++ix) {
            meet_column(&s->columns[iz * COLUMNS + ix], a, b, c, s->x[ix], s->z[iz]);
        }
    }
}

// ---- the walk ----

static double middle_edge(const double a[3], const double b[3], const double c[3])
{
    double squares[3] = {0};
    for (int axis = 0; axis < 3; ++axis) {
        const double ab = b[axis] - a[axis], bc = c[axis] - b[axis], ca = a[axis] - c[axis];
        squares[0] += ab * ab;
        squares[1] += bc * bc;
        squares[2] += ca * ca;
    }
    const double least = least_of(squares[0], squares[1], squares[2]);
    const double most = most_of(squares[0], squares[1], squares[2]);
    return sqrt(squares[0] + squares[1] + squares[2] - least - most);
}

static void add_triangle(survey *s, size_t triangle, bool sampled)
{
    double a[3], b[3], c[3], normal[3];
    corner(s->geometry, triangle, 0, a);
    corner(s->geometry, triangle, 1, b);
    corner(s->geometry, triangle, 2, c);
    for (int axis = 0; axis < 3; ++axis) {
        const int j = (axis + 1) % 3, k = (axis + 2) % 3;
        normal[axis] = (b[j] - a[j]) * (c[k] - a[k]) - (b[k] - a[k]) * (c[j] - a[j]);
    }
    const double length =
        sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    if (length == 0) {
        return;
    }
    s->plan_area += fabs(normal[1]) / 2;
    // Adds what faces along an axis, within 26 degrees.
    for (int axis = 0; axis < 3; ++axis) {
        if (fabs(normal[axis]) > 0.9 * length) {
            s->flat[2 * axis + (normal[axis] < 0)] += length / 2;
        }
    }
    if (normal[1] != 0 && s->every == 1) {
        meet_columns(s, a, b, c);
    }
    if (sampled) {
        add_size(&s->edges, middle_edge(a, b, c));
        if (fabs(normal[1]) < STEEP * length) {
            add_size(&s->steps, most_of(a[1], b[1], c[1]) - least_of(a[1], b[1], c[1]));
        }
    }
}

// The samples lie evenly among the triangles, but not at the same distance, since many levels
// repeat themselves.
static void walk_triangles(survey *s)
{
    const uint32_t count = s->geometry->triangle_count;
    uint64_t chance = 1;
    size_t next = 0;
    s->every = count / WHOLE_TRIANGLES_MAX + 1;
    const uint32_t step = count / s->every / SAMPLES + 1;
    for (size_t i = 0, number = 0; i < count; i += s->every, ++number) {
        const bool sampled = number == next;
        if (sampled) {
            // The increment of splitmix64 (Steele, Lea and Flood, OOPSLA 2014).
            chance = chance * UINT64_C(0x9e3779b97f4a7c15) + 1;
            next += step > 1 ? 1 + (size_t)(chance >> 33) % (2 * (size_t)step - 1) : 1;
        }
        add_triangle(s, i, sampled);
    }
    s->plan_area *= s->every;
}

// ---- units ----

// A size beside the usual one, as often as it counts, in a product whose root is the geometric
// mean.
typedef struct product {
    double value;
    int count;
} product;

static void multiply(product *p, double size, double usual, int weight)
{
    for (int i = 0; i < weight && size > 0; ++i) {
        p->value *= size / usual;
        p->count++;
    }
}

static bool is_above(const product *p, double times)
{
    double bound = 1;
    for (int i = 0; i < p->count; ++i) {
        bound *= times;
    }
    return p->value > bound;
}

static void judge_units(survey *s, const nav_config *config, nav_sanity *out)
{
    const double height = (double)config->agent_height / USUAL_HEIGHT;
    out->edge = median_of(&s->edges);
    if (out->up == 2) { // else y is not up, and what was measured along it is no height
        out->step = median_of(&s->steps);
        out->gap = median_of(&s->gaps);
    }
    product p = {.value = 1};
    multiply(&p, (double)out->edge, USUAL_EDGE * height, SIZE_WEIGHT);
    multiply(&p, (double)out->step, USUAL_STEP * height, SIZE_WEIGHT);
    multiply(&p, (double)out->gap, USUAL_GAP * height, SIZE_WEIGHT);
    const bool has_sizes = p.count > 0;
    multiply(&p, (double)out->width, USUAL_WIDTH * height, WIDTH_WEIGHT);
    if (has_sizes && is_above(&p, TIMES_HUNDREDTH)) {
        out->scale = is_above(&p, TIMES_THOUSANDTH) ? 0.001 : 0.01;
    }
}

// A level that is wide beyond all measure is made as wide as others are, unless sizes say better.
static void judge_size(const survey *s, const nav_config *config, nav_sanity *out)
{
    const double cell_area = (double)config->cell_size * (double)config->cell_size;
    const double radius = fmax((double)config->agent_radius, (double)config->cell_size);
    const bool is_wide = (double)out->width > WIDE_RADII * radius;
    out->bake_ms =
        s->plan_area / cell_area * CELL_MS + (double)s->geometry->triangle_count * TRIANGLE_MS;
    out->is_too_large =
        (is_wide && out->bake_ms > WIDE_MS) || (out->scale < 1 && out->bake_ms > ODD_MS);
    if (out->is_too_large && out->scale == 1) {
        out->scale = (double)out->width > 1000 * WIDE_RADII * radius ? 0.001 : 0.01;
    }
}

// ---- axis ----

// Ground lies along another axis where twice as much faces that way as any other way but the
// opposite one, and the level has no ceiling there or is flat.
static void judge_axis(const survey *s, nav_sanity *out)
{
    int best = 2;
    double total = 0, other = 0;
    for (int side = 0; side < 6; ++side) {
        total += s->flat[side];
        best = s->flat[side] > s->flat[best] ? side : best;
    }
    const int axis = best / 2;
    for (int side = 0; side < 6; ++side) {
        other = side / 2 != axis ? fmax(other, s->flat[side]) : other;
    }
    if (axis == 1 || s->flat[best] < 2 * other) {
        return;
    }
    const double extent = s->max[axis] - s->min[axis];
    bool is_flat = s->flat[best] >= 4 * other;
    for (int i = 0; i < 3; ++i) {
        is_flat = is_flat && (i == axis || extent < s->max[i] - s->min[i]);
    }
    const bool is_sided = s->flat[best] >= 1.3 * s->flat[best ^ 1];
    if (is_sided || is_flat) {
        out->up_is_sided = is_sided;
        out->up = (int8_t)(best % 2 == 0 ? axis + 1 : -(axis + 1));
        out->up_share = (float)(s->flat[best] / total);
    }
}

// ---- winding ----

static int compare_hits(const void *a, const void *b)
{
    const float x = ((const hit *)a)->y, y = ((const hit *)b)->y;
    return x < y ? -1 : x > y;
}

// Counts the places of a column where an agent has room, by where they face; and keeps the room
// above ground.
static void count_places(survey *s, column *c, double height, uint32_t places[2])
{
    qsort(c->hits, c->count, sizeof c->hits[0], compare_hits);
    for (uint32_t i = 0; i < c->count; ++i) {
        const bool last = i + 1 == c->count;
        const double gap = last ? HUGE_VAL : (double)c->hits[i + 1].y - (double)c->hits[i].y;
        places[c->hits[i].up ? 0 : 1] += gap >= height;
        if (!last && c->hits[i].up && gap > 0) {
            add_size(&s->gaps, gap);
        }
    }
}

static void judge_winding(survey *s, const nav_config *config, nav_sanity *out)
{
    uint32_t places[2] = {0, 0};
    for (uint32_t i = 0; i < COLUMNS * COLUMNS; ++i) {
        count_places(s, &s->columns[i], (double)config->agent_height, places);
    }
    const double up = s->flat[2], down = s->flat[3];
    const uint32_t sum = places[0] + places[1];
    // Few places say nothing, and where triangles are left out there are none.
    const bool by_places = sum >= SAMPLES_MIN;
    const bool faces_down = by_places ? places[1] > 2 * places[0] : down > 4 * up;
    out->ground_up = by_places       ? (float)places[0] / (float)sum
                     : up + down > 0 ? (float)(up / (up + down))
                                     : 1.0f;
    out->is_reversed = out->up == 2 && faces_down;
}

// ---- materials and agents ----

// A name begins a material.
static int compare_names(const void *name, const void *material)
{
    return strcmp(name, material);
}

// Materials are sorted by name (nav_config_check).
static bool is_listed(const nav_config *config, const char *name)
{
    if (config->material_count > 0 && bsearch(name, config->materials, config->material_count,
                                              sizeof *config->materials, compare_names) != NULL) {
        return true;
    }
    for (uint32_t i = 0; config->areas != NULL && i < config->area_count; ++i) {
        if (strcmp(config->areas[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static void judge_materials(const nav_geometry *g, const nav_config *config, nav_sanity *out)
{
    const bool has_lists = config->material_count > 0 ||
                           (config->areas != NULL && config->area_count > NAV_AREA_GROUND + 1);
    for (uint32_t i = 0; has_lists && g->triangle_materials != NULL && i < g->material_count; ++i) {
        if (g->material_names[i][0] != '\0' && !is_listed(config, g->material_names[i])) {
            out->material = out->materials == 0 ? i : out->material;
            out->materials++;
        }
    }
}

void nav_geometry_judge(const nav_geometry *geometry, const nav_config *config, nav_sanity *out)
{
    survey s;
    memset(&s, 0, sizeof s);
    s.geometry = geometry;
    *out = (nav_sanity){.scale = 1, .up = 2, .ground_up = 1};
    NAV_ASSERT(geometry->triangle_count > 0);
    find_bounds(&s);
    out->width = (float)fmax(s.max[0] - s.min[0], s.max[2] - s.min[2]);
    walk_triangles(&s);
    judge_axis(&s, out);
    judge_winding(&s, config, out);
    judge_units(&s, config, out);
    judge_size(&s, config, out);
    judge_materials(geometry, config, out);
    for (uint32_t i = 0; out->low_agent == 0 && i <= config->agent_count; ++i) {
        const nav_config agent = nav_config_of_agent(config, i);
        if (agent.agent_height < agent.agent_max_climb) {
            out->low_agent = i + 1;
        }
    }
}
