// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// overlay.c: the convex parts that outlines leave of polygons become polygons of one question:
// corners that lie in one place become one, and convex parts are laid out as fragments, with the
// polygons next to them. join.c joins them; here they are found again.

#include "core/query/obstacles/overlay.h"

#include "core/base/plane.h"
#include "core/query/view.h"

#include <math.h>
#include <string.h>

// ---- the budget ----

void nav_overlay_spend(nav_overlay_budget *budget, uint64_t work)
{
    const bool enough = work <= budget->work;
    budget->work = enough ? budget->work - work : 0;
    budget->refused = budget->refused || !enough;
    const bool cancelled = nav_cancel_poll(budget->cancel, work * NAV_STEP_FAR);
    budget->failed = budget->failed || !enough || cancelled;
}

// Notes whether the arena had the memory, and whether its limit was met.
static void *take(nav_overlay_budget *budget, void *memory)
{
    budget->failed = memory == NULL;
    budget->refused = memory == NULL && budget->arena->at_limit;
    return memory;
}

void *nav_overlay_alloc(nav_overlay_budget *budget, size_t count, size_t size_bytes)
{
    return budget->failed ? NULL : take(budget, nav_arena_alloc(budget->arena, count, size_bytes));
}

void *nav_overlay_enlarge(nav_overlay_budget *budget, void *array, uint32_t count,
                          uint32_t *capacity, size_t size_bytes)
{
    const uint32_t more = *capacity > 0 ? *capacity * 2 : 64;
    NAV_ASSERT(count == *capacity);
    void *grown = take(budget, nav_arena_grow(budget->arena, array, count, more, size_bytes));
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

static int64_t place_cell(const nav_places *places, double along)
{
    return (int64_t)floor(along * places->per_cell);
}

// The nearest place within reach, or NAV_NONE.
static uint32_t find_place(const nav_places *places, double x, double z, double reach)
{
    uint32_t nearest = NAV_NONE;
    double least2 = reach * reach;
    const int64_t column_end = place_cell(places, x + reach),
                  row_end = place_cell(places, z + reach);
    for (int64_t column = place_cell(places, x - reach); column <= column_end; ++column) {
        for (int64_t row = place_cell(places, z - reach); row <= row_end; ++row) {
            for (uint32_t i = *place_head(places, column, row); i != NAV_NONE;
                 i = places->list[i].next) {
                const nav_place *place = &places->list[i];
                const double away2 =
                    nav_plane_length2((double)place->at[0] - x, (double)place->at[1] - z);
                if (away2 < least2 || (away2 == least2 && i < nearest)) {
                    nearest = i;
                    least2 = away2;
                }
            }
        }
    }
    return nearest;
}

static uint32_t add_place(nav_places *places, double x, double z, double reach)
{
    nav_overlay_budget *budget = places->budget;
    const uint32_t known = find_place(places, x, z, reach);
    if (known != NAV_NONE) {
        return known;
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
            far = fmax(far, fmax(fabs((double)record->min[axis]), fabs((double)record->max[axis])));
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

uint32_t nav_overlay_vertex_of(nav_overlay *o, nav_places *places, uint32_t place,
                               const uint32_t bases[2])
{
    nav_place *at = &places->list[place];
    if (at->vertex != NAV_NONE && (at->base == bases[0] || at->base == bases[1])) {
        return at->vertex;
    }
    o->vertices = nav_overlay_grow(places->budget, o->vertices, o->vertex_count,
                                   &places->vertex_capacity, sizeof *o->vertices);
    if (places->budget->failed) {
        return 0;
    }
    o->vertices[o->vertex_count] =
        (nav_overlay_vertex){.at = {at->at[0], NAN, at->at[1]}, .base = bases[0]};
    at->base = bases[0];
    at->vertex = o->mesh->stats.vertices + o->vertex_count++;
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

// A convex part as the next fragment; `first` is the first of the same polygon.
static void lay_fragment(nav_overlay *o, nav_places *places, const nav_convex *convex,
                         const uint32_t *at, uint32_t first)
{
    nav_fragment *fragment = &o->fragments[o->fragment_count];
    NAV_DCHECK(convex->count >= 3);
    NAV_DCHECK(convex->count <= NAV_POLYGON_VERTICES_MAX);
    *fragment = (nav_fragment){.base = convex->base,
                               .number = o->mesh->stats.polygons + o->polygon_count,
                               .corner_first = o->corner_count,
                               .corner_count = convex->count,
                               .cost = convex->cost,
                               .cut = true,
                               .far = convex->max[0]};
    memcpy(fragment->min, convex->min, sizeof fragment->min);
    memcpy(fragment->max, convex->max, sizeof fragment->max);
    if (o->fragment_count > first && fragment[-1].far > fragment->far) {
        fragment->far = fragment[-1].far;
    }
    for (uint32_t k = 0; k < convex->count; ++k) {
        o->corners[o->corner_count++] =
            nav_overlay_vertex_of(o, places, at[k], (uint32_t[2]){convex->base, convex->base});
    }
    o->cost_least = convex->cost < o->cost_least ? convex->cost : o->cost_least;
    o->cost_most = convex->cost > o->cost_most ? convex->cost : o->cost_most;
    o->has_prices = o->has_prices || convex->cost != 1.0f;
    o->cut_fragments[o->polygon_count++] = o->fragment_count++;
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
static uint32_t lay_cut(nav_overlay *o, nav_laid_ground *laid, const nav_cut_ground *ground,
                        uint32_t at, uint32_t base)
{
    const uint32_t first = o->fragment_count;
    take_vertices(o->mesh, laid->places, base);
    for (; at < ground->count && ground->convexes[at].base == base; ++at) {
        nav_convex convex = ground->convexes[at];
        uint32_t *places = laid->corner_places + o->corner_count;
        if (weld(laid->places, &convex, places) && !laid->places->budget->failed) {
            laid->convexes[o->fragment_count] = convex;
            lay_fragment(o, laid->places, &convex, places, first);
        }
    }
    // A polygon that is cut away whole leaves one fragment that nothing leads to.
    if (o->fragment_count == first) {
        o->fragments[o->fragment_count++] =
            (nav_fragment){.base = base, .number = NAV_NONE, .cost = INFINITY, .cut = true};
    }
    o->fragments[first].sibling_count = o->fragment_count - first;
    return at;
}

// Cut polygons with their convex parts, whole ones next to them without, in order of base.
static bool lay_fragments(nav_overlay *o, nav_laid_ground *laid, const nav_cut_ground *c)
{
    nav_overlay_budget *budget = laid->places->budget;
    const uint32_t most = c->count + c->all.count;
    size_t corner_count = 0;
    for (uint32_t i = 0; i < c->count; ++i) {
        corner_count += c->convexes[i].count;
    }
    o->fragments = nav_overlay_alloc(budget, most, sizeof *o->fragments);
    o->cut_fragments = nav_overlay_alloc(budget, c->count, sizeof *o->cut_fragments);
    o->corners = nav_overlay_alloc(budget, corner_count, sizeof *o->corners);
    laid->corner_places = nav_overlay_alloc(budget, corner_count, sizeof *laid->corner_places);
    laid->convexes = nav_overlay_alloc(budget, most, sizeof *laid->convexes);
    if (budget->failed || !lay_places(laid->places, o->mesh, c)) {
        return false;
    }
    memset(laid->convexes, 0, most * sizeof *laid->convexes);
    uint32_t at = 0;
    for (uint32_t i = 0; i < c->all.count && !budget->failed; ++i) {
        const uint32_t base = c->all.polygons[i];
        if (nav_polygon_list_has(&c->cut, base)) {
            at = lay_cut(o, laid, c, at, base);
        } else {
            o->fragments[o->fragment_count++] =
                (nav_fragment){.base = base, .sibling_count = 1, .number = base, .cost = 1.0f};
        }
    }
    NAV_ASSERT(at == c->count || budget->failed); // each is of a polygon in `all`
    return !budget->failed;
}

// The slot of a polygon of the mesh in the table: its own, or one that is free.
static uint32_t *table_slot(const nav_overlay *o, uint32_t polygon)
{
    uint32_t slot = (polygon * 2654435761u) & o->table_mask;
    while (o->table[slot] != NAV_NONE && o->fragments[o->table[slot]].base != polygon) {
        slot = (slot + 1) & o->table_mask;
    }
    return &o->table[slot];
}

static bool build_table(nav_overlay *o, nav_overlay_budget *budget)
{
    uint32_t size = 16;
    while (size < 2 * o->fragment_count) {
        size *= 2;
    }
    o->table = nav_overlay_alloc(budget, size, sizeof *o->table);
    o->table_mask = size - 1;
    if (o->table == NULL) {
        return false;
    }
    memset(o->table, 0xff, size * sizeof *o->table);
    for (uint32_t i = 0; i < o->fragment_count; ++i) {
        if (i == 0 || o->fragments[i - 1].base != o->fragments[i].base) {
            *table_slot(o, o->fragments[i].base) = i;
        }
    }
    return true;
}

// ---- exported ----

bool nav_overlay_create(const nav_mesh *mesh, const nav_outline *outlines, uint32_t count,
                        nav_overlay_budget *budget, nav_overlay *out)
{
    nav_cut_ground ground;
    nav_places places = {.budget = budget};
    nav_laid_ground laid = {.places = &places, .turning_vertices = &ground.turning_vertices};
    *out = (nav_overlay){.mesh = mesh, .cost_least = 1.0f, .cost_most = 1.0f};
    if (!nav_ground_cut(mesh, outlines, count, budget, &ground) ||
        !lay_fragments(out, &laid, &ground) || !build_table(out, budget)) {
        return false;
    }
    NAV_ASSERT(out->polygon_count <= out->fragment_count);
    return nav_fragments_join(out, &laid);
}

// ---- finding ----

const nav_fragment *nav_overlay_find(const nav_overlay *overlay, uint32_t polygon)
{
    NAV_DCHECK(polygon < overlay->mesh->stats.polygons);
    const uint32_t first = *table_slot(overlay, polygon);
    return first != NAV_NONE ? &overlay->fragments[first] : NULL;
}

// Fragments stand in order of min[0], and `far` never falls, so that both ends of the range can be
// found by halving.
nav_fragment_range nav_overlay_range(const nav_overlay *overlay, uint32_t first, double min_x,
                                     double max_x)
{
    const nav_fragment *fragments = overlay->fragments;
    NAV_DCHECK(first < overlay->fragment_count);
    nav_fragment_range range = {.first = first, .end = first + fragments[first].sibling_count};
    for (uint32_t end = range.end; range.first < end;) {
        const uint32_t middle = range.first + (end - range.first) / 2;
        if (fragments[middle].far < min_x) {
            range.first = middle + 1;
        } else {
            end = middle;
        }
    }
    for (uint32_t from = range.first; from < range.end;) {
        const uint32_t middle = from + (range.end - from) / 2;
        if (fragments[middle].min[0] > max_x) {
            range.end = middle;
        } else {
            from = middle + 1;
        }
    }
    NAV_DCHECK(range.first <= range.end);
    NAV_DCHECK(range.end <= overlay->fragment_count);
    return range;
}

static bool is_in_fragment(const nav_overlay *overlay, const nav_fragment *fragment,
                           const double at[2])
{
    const nav_view view = {.mesh = overlay->mesh, .overlay = overlay};
    const uint32_t *corners = overlay->corners + fragment->corner_first;
    const double near = nav_overlay_tolerance(at[0], at[1]);
    bool inside = fragment->corner_count > 0;
    // A fragment without area has no sides: its ends are those of its bounds.
    for (int axis = 0; axis < 2; ++axis) {
        inside = inside && at[axis] >= fragment->min[axis] - near &&
                 at[axis] <= fragment->max[axis] + near;
    }
    for (uint32_t i = 0; i < fragment->corner_count && inside; ++i) {
        const float *a = nav_view_vertex_xz(&view, corners[i]);
        const float *b = nav_view_vertex_xz(&view, corners[(i + 1) % fragment->corner_count]);
        const double ex = (double)b[0] - (double)a[0], ez = (double)b[2] - (double)a[2];
        inside = nav_plane_cross(ex, ez, at[0] - (double)a[0], at[1] - (double)a[2]) <=
                 nav_plane_length(ex, ez) * near;
    }
    return inside;
}

const nav_fragment *nav_overlay_fragment_at(const nav_overlay *overlay, uint32_t polygon, float x,
                                            float z)
{
    const nav_fragment *fragment = nav_overlay_find(overlay, polygon);
    if (fragment == NULL || !fragment->cut) {
        return fragment;
    }
    const double at[2] = {(double)x, (double)z};
    const double near = 2.0 * nav_overlay_tolerance(at[0], at[1]);
    const nav_fragment_range range = nav_overlay_range(
        overlay, (uint32_t)(fragment - overlay->fragments), at[0] - near, at[0] + near);
    for (uint32_t i = range.first; i < range.end; ++i) {
        if (is_in_fragment(overlay, &overlay->fragments[i], at)) {
            return &overlay->fragments[i];
        }
    }
    return NULL;
}
