// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// overlay.c: the convex parts that outlines leave of polygons become polygons of an overlay:
// corners that lie in one place become one, and convex parts are laid out as fragments, with the
// polygons next to them. join.c joins them.

#include "core/query/obstacles/overlay.h"

#include "core/base/plane.h"
#include "core/query/view.h"

#include <math.h>
#include <string.h>

// ---- the budget ----

// Notes whether an arena had the memory, and whether its limit was met.
static void *take(nav_overlay_budget *budget, const nav_arena *arena, void *memory)
{
    budget->failed = memory == NULL;
    budget->refused = memory == NULL && arena->at_limit;
    return memory;
}

void *nav_overlay_alloc_from(nav_overlay_budget *budget, nav_arena *arena, size_t count,
                             size_t size_bytes)
{
    return budget->failed ? NULL : take(budget, arena, nav_arena_alloc(arena, count, size_bytes));
}

void *nav_overlay_enlarge(nav_overlay_budget *budget, void *array, uint32_t count,
                          uint32_t *capacity, size_t size_bytes)
{
    const uint32_t more = *capacity > 0 ? *capacity * 2 : 64;
    NAV_ASSERT(count == *capacity);
    void *grown =
        take(budget, budget->arena, nav_arena_grow(budget->arena, array, count, more, size_bytes));
    *capacity = grown != NULL ? more : *capacity;
    return grown != NULL ? grown : array;
}

// ---- places ----

// Positions that are nearer to each other than this are one place: with the rounding to floats a
// corner moves by no more than its tolerance.
static double place_reach(double x, double z)
{
    return 0.5 * nav_overlay_tolerance(x, z);
}

static uint32_t *place_head(const nav_places *places, int64_t column, int64_t row)
{
    const uint64_t hash = ((uint64_t)column * UINT64_C(0x9e3779b97f4a7c15)) ^
                          ((uint64_t)row * UINT64_C(0xc2b2ae3d27d4eb4f));
    return &places->heads[(hash >> 32) & places->mask];
}

// A number that never falls as `along` rises. Cells are positive, so that they are cut off
// downwards, without a call to floor.
static inline int64_t place_cell(const nav_places *places, double along)
{
    return (int64_t)(along * places->per_cell + 0x1p40);
}

// The nearest place so far, and the square of its distance.
typedef struct found_place {
    uint32_t place;
    double away2;
} found_place;

static inline void find_in_cell(const nav_places *places, uint32_t head, double x, double z,
                                found_place *found)
{
    for (uint32_t i = head; i != NAV_NONE; i = places->list[i].next) {
        const nav_place *place = &places->list[i];
        const double away2 = nav_plane_length2((double)place->at[0] - x, (double)place->at[1] - z);
        if (away2 < found->away2 || (away2 == found->away2 && i < found->place)) {
            *found = (found_place){i, away2};
        }
    }
}

// The nearest place within reach, or else a new one.
static uint32_t add_place(nav_places *places, double x, double z, double reach)
{
    nav_overlay_budget *budget = places->budget;
    found_place found = {NAV_NONE, reach * reach};
    const int64_t column_end = place_cell(places, x + reach),
                  row_end = place_cell(places, z + reach);
    for (int64_t column = place_cell(places, x - reach); column <= column_end; ++column) {
        for (int64_t row = place_cell(places, z - reach); row <= row_end; ++row) {
            find_in_cell(places, *place_head(places, column, row), x, z, &found);
        }
    }
    if (found.place != NAV_NONE) {
        return found.place;
    }
    places->list = nav_overlay_grow(budget, places->list, places->count, &places->capacity,
                                    sizeof *places->list);
    if (budget->failed) {
        return 0;
    }
    nav_place *place = &places->list[places->count];
    *place = (nav_place){.at = {(float)x, (float)z}, .vertex = NAV_NONE, .base = NAV_NONE};
    uint32_t *head = place_head(places, place_cell(places, (double)place->at[0]),
                                place_cell(places, (double)place->at[1]));
    place->next = *head;
    *head = places->count;
    return places->count++;
}

uint32_t nav_place_of_vertex(nav_places *places, const float at[2])
{
    return add_place(places, (double)at[0], (double)at[1], 0.0);
}

// The place of any other position. 0 where the budget has failed.
static uint32_t place_at(nav_places *places, double x, double z)
{
    return add_place(places, x, z, place_reach(x, z));
}

// The vertices of polygons that are cut come first: corners of fragments move to them. Where a
// fragment has a corner of its polygon, the vertex is the mesh's.
static bool lay_places(nav_places *places, const nav_mesh *mesh, const nav_cut_ground *ground)
{
    size_t count = 0;
    double far = 0.0;
    for (uint32_t i = 0; i < ground->count; ++i) {
        count += ground->convexes[i].count;
    }
    for (uint32_t i = 0; i < ground->cut.count; ++i) {
        const nav_polygon_record *record = &mesh->records[ground->cut.polygons[i]];
        const uint32_t polygon = ground->cut.polygons[i];
        for (int axis = 0; axis < 3; axis += 2) {
            const double low = fabs((double)record->min[axis]);
            const double high = fabs((double)record->max[axis]);
            far = low > far ? low : far;
            far = high > far ? high : far;
        }
        count += record->corner_count +
                 2 * (size_t)(mesh->portal_first[polygon + 1] - mesh->portal_first[polygon]);
    }
    size_t size = 16;
    while (size < 2 * count) {
        size *= 2;
    }
    places->per_cell = 1.0 / (32.0 * nav_overlay_tolerance(far, far));
    places->mask = (uint32_t)(size - 1);
    places->heads = nav_overlay_alloc(places->budget, size, sizeof *places->heads);
    if (places->heads == NULL) {
        return false;
    }
    memset(places->heads, 0xff, size * sizeof *places->heads);
    for (uint32_t i = 0; i < ground->cut.count && !places->budget->failed; ++i) {
        const uint32_t polygon = ground->cut.polygons[i];
        for (uint32_t k = mesh->portal_first[polygon]; k < mesh->portal_first[polygon + 1]; ++k) {
            (void)nav_place_of_vertex(places, mesh->portals[k].left);
            (void)nav_place_of_vertex(places, mesh->portals[k].right);
        }
    }
    return !places->budget->failed;
}

uint32_t nav_overlay_add_vertex(nav_overlay *o, nav_places *places, uint32_t place, uint32_t base)
{
    nav_place *at = &places->list[place];
    o->vertices = nav_overlay_grow(places->budget, o->vertices, o->count.vertices,
                                   &places->vertex_capacity, sizeof *o->vertices);
    if (places->budget->failed) {
        return 0;
    }
    o->vertices[o->count.vertices] =
        (nav_overlay_vertex){.at = {at->at[0], NAV_HEIGHT_UNKNOWN, at->at[1]}, .base = base};
    at->base = base;
    at->vertex = o->mesh->stats.vertices + o->count.vertices++;
    return at->vertex;
}

// ---- fragments ----

// Moves the corners of a convex part to their places; of neighbours in one place one is left.
// Returns whether it still has an area; a stretch of a line never has one.
static bool weld(nav_places *places, nav_convex *convex, uint32_t *at)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < convex->count && !places->budget->failed; ++k) {
        const double *corner = convex->corners[k];
        const uint32_t place = place_at(places, corner[0], corner[1]);
        if (count == 0 || at[count - 1] != place) {
            memmove(convex->corners[count], corner, sizeof *convex->corners);
            at[count++] = place;
        }
        convex->lines[count - 1] = convex->lines[k];
    }
    count -= count > 1 && at[count - 1] == at[0];
    convex->count = count;
    if (count < 3 || places->budget->failed) {
        return false;
    }
    double corners[NAV_POLYGON_VERTICES_MAX][2];
    for (uint32_t k = 0; k < count; ++k) {
        corners[k][0] = (double)places->list[at[k]].at[0];
        corners[k][1] = (double)places->list[at[k]].at[1];
    }
    return convex->thin || nav_plane_area((const double(*)[2])corners, count) > 0.0;
}

// The nearest float that is not above a number.
static float float_below(double at)
{
    const float near = (float)at;
    return (double)near <= at ? near : nextafterf(near, -INFINITY);
}

// A convex part as the next fragment; `first` is the first of the same polygon.
static void lay_fragment(nav_overlay *o, nav_places *places, const nav_convex *convex,
                         const uint32_t *at, uint32_t first)
{
    nav_fragment *fragment = &o->fragments[o->count.fragments];
    NAV_DCHECK(convex->count >= 3);
    NAV_DCHECK(convex->count <= NAV_POLYGON_VERTICES_MAX);
    *fragment = (nav_fragment){.base = convex->base,
                               .number = o->mesh->stats.polygons + o->count.polygons,
                               .corner_first = o->count.corners,
                               .corner_count = (uint8_t)convex->count,
                               .cost = convex->cost.factor,
                               .cut = true};
    for (int axis = 0; axis < 2; ++axis) {
        fragment->min[axis] = float_below(convex->min[axis]);
        fragment->max[axis] = -float_below(-convex->max[axis]);
    }
    fragment->far = fragment->max[0];
    if (o->count.fragments > first && fragment[-1].far > fragment->far) {
        fragment->far = fragment[-1].far;
    }
    for (uint32_t k = 0; k < convex->count; ++k) {
        o->corners[o->count.corners++] =
            nav_overlay_vertex_of(o, places, at[k], convex->base, convex->base);
    }
    o->costs.least = convex->cost.factor < o->costs.least ? convex->cost.factor : o->costs.least;
    o->costs.most = convex->cost.factor > o->costs.most ? convex->cost.factor : o->costs.most;
    o->costs.has_prices = o->costs.has_prices || convex->cost.factor != 1.0f;
    o->cut_fragments[o->count.polygons++] = o->count.fragments++;
}

// The corners of a polygon whose fragments are laid next: their places get the mesh's vertices.
static void take_vertices(const nav_mesh *mesh, nav_places *places, uint32_t polygon)
{
    for (uint32_t k = mesh->records[polygon].corner_first;
         k < mesh->records[polygon + 1].corner_first && !places->budget->failed; ++k) {
        const float *vertex = mesh->vertices[mesh->corners[k]];
        const uint32_t place = nav_place_of_vertex(places, (float[2]){vertex[0], vertex[2]});
        if (!places->budget->failed) {
            places->list[place].vertex = mesh->corners[k];
            places->list[place].base = polygon;
        }
    }
}

// The fragments of a polygon that is cut, from convex part `at` on. Returns the first one of the
// next polygon.
static uint32_t lay_cut(nav_overlay *o, nav_laid_ground *laid, uint32_t at, uint32_t base)
{
    const nav_cut_ground *ground = laid->cut;
    const uint32_t first = o->count.fragments;
    take_vertices(o->mesh, laid->places, base);
    for (; at < ground->count && ground->convexes[at].base == base; ++at) {
        nav_convex convex = ground->convexes[at];
        uint32_t *places = laid->corner_places + o->count.corners;
        uint32_t lines[NAV_POLYGON_VERTICES_MAX];
        memcpy(lines, convex.lines, convex.count * sizeof *lines);
        if (!weld(laid->places, &convex, places)) {
            nav_lines_unite(&laid->cut->lines, lines, ground->convexes[at].count);
        } else if (!laid->places->budget->failed) {
            laid->convexes[o->count.fragments] = convex;
            lay_fragment(o, laid->places, &convex, places, first);
        }
    }
    // A polygon that is cut away whole leaves one fragment that nothing leads to.
    if (o->count.fragments == first) {
        o->fragments[o->count.fragments++] =
            (nav_fragment){.base = base, .number = NAV_NONE, .cost = INFINITY, .cut = true};
    }
    o->fragments[first].sibling_count = o->count.fragments - first;
    return at;
}

static bool make_room(nav_overlay *o, nav_laid_ground *laid, uint32_t ground_count)
{
    nav_overlay_budget *budget = laid->places->budget;
    const nav_cut_ground *c = laid->cut;
    const uint32_t most = c->count + ground_count;
    size_t corner_count = 0;
    for (uint32_t i = 0; i < c->count; ++i) {
        corner_count += c->convexes[i].count;
    }
    o->fragments = nav_overlay_alloc(budget, most, sizeof *o->fragments);
    o->cut_fragments = nav_overlay_alloc(budget, c->count, sizeof *o->cut_fragments);
    o->corners = nav_overlay_alloc(budget, corner_count, sizeof *o->corners);
    laid->corner_places = nav_overlay_alloc(budget, corner_count, sizeof *laid->corner_places);
    laid->convexes = nav_overlay_alloc(budget, most, sizeof *laid->convexes);
    laid->borders = nav_overlay_alloc(budget, most, sizeof *laid->borders);
    if (budget->failed || laid->convexes == NULL) {
        return false;
    }
    memset(laid->convexes, 0, most * sizeof *laid->convexes);
    return true;
}

// Cut polygons with their convex parts, whole ones next to them without, in order of base.
static bool lay_fragments(nav_overlay *o, nav_laid_ground *laid, const uint32_t *ground,
                          uint32_t ground_count)
{
    nav_overlay_budget *budget = laid->places->budget;
    const nav_cut_ground *c = laid->cut;
    uint32_t at = 0, cut = 0;
    if (!make_room(o, laid, ground_count) || !lay_places(laid->places, o->mesh, c)) {
        return false;
    }
    for (uint32_t i = 0; i < ground_count && !budget->failed; ++i) {
        const uint32_t base = ground[i];
        if (cut < c->cut.count && c->cut.polygons[cut] == base) {
            laid->borders[o->count.fragments] = c->borders[cut++];
            at = lay_cut(o, laid, at, base);
        } else {
            o->fragments[o->count.fragments++] =
                (nav_fragment){.base = base, .sibling_count = 1, .number = base, .cost = 1.0f};
        }
    }
    NAV_ASSERT(at == c->count || budget->failed); // each is of a polygon of the ground
    NAV_ASSERT(cut == c->cut.count || budget->failed);
    return !budget->failed;
}

// ---- exported ----

bool nav_overlay_cut(const nav_mesh *mesh, const nav_outline *outlines, uint32_t count,
                     const uint32_t *ground, uint32_t ground_count, nav_overlay_budget *budget,
                     nav_overlay *out)
{
    nav_cut_ground cut;
    nav_places places = {.budget = budget};
    nav_laid_ground laid = {.cut = &cut, .places = &places};
    *out = (nav_overlay){.mesh = mesh, .costs = NAV_OVERLAY_COSTS_NONE};
    if (!nav_ground_cut(mesh, outlines, count, budget, &cut) ||
        !lay_fragments(out, &laid, ground, ground_count) ||
        !nav_overlay_list_fragments(out, 0, budget->arena, budget)) {
        return false;
    }
    NAV_ASSERT(out->count.polygons <= out->count.fragments);
    return nav_fragments_join(out, &laid) && nav_overlay_number_turns(out, budget);
}
