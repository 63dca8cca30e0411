// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// overlay.c: the convex parts that outlines leave of polygons become polygons of an overlay: they
// are placed as fragments, with the polygons next to them. join.c joins them.

#include "core/query/obstacles/cut.h"

#include "core/base/plane.h"

#include <math.h>
#include <string.h>

// ---- fragments ----

// Moves the corners of a convex part to their places; of neighbours in one place one is left.
// Returns whether it still has an area; a stretch of a line never has one.
static bool weld(nav_places *places, nav_convex *convex, uint32_t *at)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < convex->count && !places->budget->failed; ++k) {
        const double *corner = convex->corners[k];
        const uint32_t place = nav_place_at(places, corner[0], corner[1]);
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
static void add_fragment(nav_overlay *o, nav_places *places, const nav_convex *convex,
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

// The corners of a polygon whose fragments are placed next: their places get the mesh's vertices.
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
static uint32_t add_cut(nav_overlay *o, nav_placed_ground *placed, uint32_t at, uint32_t base)
{
    const nav_cut_ground *ground = placed->cut;
    const uint32_t first = o->count.fragments;
    take_vertices(o->mesh, placed->places, base);
    for (; at < ground->count && ground->convexes[at].base == base; ++at) {
        nav_convex convex = ground->convexes[at];
        uint32_t *places = placed->corner_places + o->count.corners;
        uint32_t lines[NAV_POLYGON_VERTICES_MAX];
        memcpy(lines, convex.lines, convex.count * sizeof *lines);
        if (!weld(placed->places, &convex, places)) {
            nav_lines_unite(&placed->cut->lines, lines, ground->convexes[at].count);
        } else if (!placed->places->budget->failed) {
            placed->convexes[o->count.fragments] = convex;
            add_fragment(o, placed->places, &convex, places, first);
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

static bool reserve(nav_overlay *o, nav_placed_ground *placed, uint32_t ground_count)
{
    nav_overlay_budget *budget = placed->places->budget;
    const nav_cut_ground *c = placed->cut;
    const uint32_t most = c->count + ground_count;
    size_t corner_count = 0;
    for (uint32_t i = 0; i < c->count; ++i) {
        corner_count += c->convexes[i].count;
    }
    o->fragments = nav_overlay_alloc(budget, most, sizeof *o->fragments);
    o->cut_fragments = nav_overlay_alloc(budget, c->count, sizeof *o->cut_fragments);
    o->corners = nav_overlay_alloc(budget, corner_count, sizeof *o->corners);
    placed->corner_places = nav_overlay_alloc(budget, corner_count, sizeof *placed->corner_places);
    placed->convexes = nav_overlay_alloc(budget, most, sizeof *placed->convexes);
    placed->borders = nav_overlay_alloc(budget, most, sizeof *placed->borders);
    if (budget->failed || placed->convexes == NULL) {
        return false;
    }
    memset(placed->convexes, 0, most * sizeof *placed->convexes);
    return true;
}

// Cut polygons with their convex parts, whole ones next to them without, in order of base.
static bool add_fragments(nav_overlay *o, nav_placed_ground *placed, const uint32_t *ground,
                          uint32_t ground_count)
{
    nav_overlay_budget *budget = placed->places->budget;
    const nav_cut_ground *c = placed->cut;
    uint32_t at = 0, cut = 0;
    if (!reserve(o, placed, ground_count) || !nav_places_fill(placed->places, o->mesh, c)) {
        return false;
    }
    for (uint32_t i = 0; i < ground_count && !budget->failed; ++i) {
        const uint32_t base = ground[i];
        if (cut < c->cut.count && c->cut.polygons[cut] == base) {
            placed->borders[o->count.fragments] = c->borders[cut++];
            at = add_cut(o, placed, at, base);
        } else {
            o->fragments[o->count.fragments++] =
                (nav_fragment){.base = base, .sibling_count = 1, .number = base, .cost = 1.0f};
        }
    }
    NAV_ASSERT(at == c->count || budget->failed); // each is of a polygon of the ground
    NAV_ASSERT(cut == c->cut.count || budget->failed);
    return !budget->failed;
}

// ---- the table ----

#define TABLE_SIZE_MIN 16u

// Whether a fragment is the first one of its polygon.
static bool is_first(const nav_overlay *o, uint32_t fragment)
{
    return fragment == 0 || o->fragments[fragment - 1].base != o->fragments[fragment].base;
}

bool nav_overlay_list_fragments(nav_overlay *overlay, uint32_t first, nav_arena *arena,
                                nav_overlay_budget *budget)
{
    const uint32_t count = overlay->count.fragments;
    uint32_t size = overlay->table != NULL ? overlay->table_mask + 1 : TABLE_SIZE_MIN;
    for (uint32_t i = first; i < count; ++i) {
        overlay->table_count += is_first(overlay, i);
    }
    if (overlay->table == NULL || size < 2 * overlay->table_count) {
        while (size < 2 * overlay->table_count) {
            size *= 2;
        }
        overlay->table = nav_overlay_alloc_from(budget, arena, size, sizeof *overlay->table);
        overlay->table_mask = size - 1;
        first = 0;
        if (overlay->table == NULL) {
            return false;
        }
        memset(overlay->table, 0xff, size * sizeof *overlay->table);
    }
    for (uint32_t i = first; i < count; ++i) {
        if (is_first(overlay, i)) {
            *nav_overlay_table_slot(overlay, overlay->fragments[i].base) = i;
        }
    }
    return true;
}

// ---- exported ----

bool nav_overlay_cut(const nav_mesh *mesh, const nav_outline *outlines, uint32_t count,
                     const uint32_t *ground, uint32_t ground_count, nav_overlay_budget *budget,
                     nav_overlay *out)
{
    nav_cut_ground cut;
    nav_places places = {.budget = budget};
    nav_placed_ground placed = {.cut = &cut, .places = &places};
    *out = (nav_overlay){.mesh = mesh, .costs = NAV_OVERLAY_COSTS_NONE};
    if (!nav_ground_cut(mesh, outlines, count, budget, &cut) ||
        !add_fragments(out, &placed, ground, ground_count) ||
        !nav_overlay_list_fragments(out, 0, budget->arena, budget)) {
        return false;
    }
    NAV_ASSERT(out->count.polygons <= out->count.fragments);
    return nav_fragments_join(out, &placed) && nav_overlay_number_turns(out, budget);
}
