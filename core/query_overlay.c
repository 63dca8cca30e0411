// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// query_overlay.c: the cells that outlines leave of polygons become polygons of one question: cells
// are laid out as pieces, with the polygons next to them, and joined by portals where their edges
// lie along each other. Portals over the borders of polygons lead to whatever piece is behind.

#include "query_overlay.h"

#include "query.h"

#include <math.h>
#include <string.h>

// ---- pieces ----

typedef struct assembly {
    nav_overlay_budget *budget;
    nav_overlay *o;
    const nav_cell *cells; // by piece; those that are not cut have none
    uint32_t portal_capacity, vertex_capacity;
} assembly;

static uint32_t add_vertex(assembly *a, uint32_t base, double x, double z)
{
    nav_overlay *o = a->o;
    o->vertices = nav_overlay_grow(a->budget, o->vertices, o->vertex_count, &a->vertex_capacity,
                                   sizeof *o->vertices);
    // The height is that of one of the polygon's detail triangles, which have to be looked through.
    nav_overlay_spend(a->budget, 8 + o->mesh->plots[base + 1].detail_triangle_first -
                                     o->mesh->plots[base].detail_triangle_first);
    if (a->budget->failed) {
        return 0;
    }
    const nav_view view = {.mesh = o->mesh};
    float *vertex = o->vertices[o->vertex_count];
    vertex[0] = (float)x;
    vertex[2] = (float)z;
    vertex[1] = nav_view_height(&view, base, vertex[0], vertex[2]);
    return o->mesh->stats.vertices + o->vertex_count++;
}

// A cell as the next piece; `first` is the first of the same polygon.
static void lay_piece(assembly *a, const nav_cell *cell, uint32_t first)
{
    nav_overlay *o = a->o;
    nav_piece *piece = &o->pieces[o->piece_count];
    *piece = (nav_piece){.base = cell->base,
                         .number = o->mesh->stats.polygons + o->polygon_count,
                         .corner_first = o->corner_count,
                         .corner_count = cell->count,
                         .cost = cell->cost,
                         .cut = true,
                         .far = cell->max[0]};
    memcpy(piece->min, cell->min, sizeof piece->min);
    memcpy(piece->max, cell->max, sizeof piece->max);
    if (o->piece_count > first && piece[-1].far > piece->far) {
        piece->far = piece[-1].far;
    }
    for (uint32_t k = 0; k < cell->count; ++k) {
        o->corners[o->corner_count++] =
            add_vertex(a, cell->base, cell->corners[k][0], cell->corners[k][1]);
    }
    o->cost_least = cell->cost < o->cost_least ? cell->cost : o->cost_least;
    o->has_prices = o->has_prices || cell->cost != 1.0f;
    o->cut_pieces[o->polygon_count++] = o->piece_count++;
}

// Cut polygons with their cells, whole ones next to them without, in order of base.
static bool lay_pieces(assembly *a, const nav_cells *c)
{
    nav_overlay *o = a->o;
    const uint32_t most = c->count + c->all.count;
    size_t corner_count = 0;
    for (uint32_t i = 0; i < c->count; ++i) {
        corner_count += c->cells[i].count;
    }
    o->pieces = nav_overlay_alloc(a->budget, most, sizeof *o->pieces);
    o->cut_pieces = nav_overlay_alloc(a->budget, c->count, sizeof *o->cut_pieces);
    o->corners = nav_overlay_alloc(a->budget, corner_count, sizeof *o->corners);
    nav_cell *cells = nav_overlay_alloc(a->budget, most, sizeof *cells);
    if (a->budget->failed) {
        return false;
    }
    memset(cells, 0, most * sizeof *cells);
    uint32_t at = 0;
    for (uint32_t i = 0; i < c->all.count && !a->budget->failed; ++i) {
        const uint32_t base = c->all.polygons[i];
        if (!nav_polygon_list_has(&c->cut, base)) {
            o->pieces[o->piece_count++] =
                (nav_piece){.base = base, .sibling_count = 1, .number = base, .cost = 1.0f};
            continue;
        }
        // A polygon that is cut away whole leaves one piece that nothing leads to.
        const uint32_t first = o->piece_count;
        for (; at < c->count && c->cells[at].base == base; ++at) {
            cells[o->piece_count] = c->cells[at];
            lay_piece(a, &c->cells[at], first);
        }
        if (o->piece_count == first) {
            o->pieces[o->piece_count++] =
                (nav_piece){.base = base, .number = NAV_NONE, .cost = INFINITY, .cut = true};
        }
        o->pieces[first].sibling_count = o->piece_count - first;
    }
    a->cells = cells;
    return !a->budget->failed;
}

static bool build_table(nav_overlay *o, nav_overlay_budget *budget)
{
    uint32_t size = 16;
    while (size < 2 * o->piece_count) {
        size *= 2;
    }
    o->table = nav_overlay_alloc(budget, size, sizeof *o->table);
    o->table_mask = size - 1;
    if (o->table == NULL) {
        return false;
    }
    memset(o->table, 0xff, size * sizeof *o->table);
    for (uint32_t i = 0; i < o->piece_count; ++i) {
        if (i > 0 && o->pieces[i - 1].base == o->pieces[i].base) {
            continue;
        }
        uint32_t slot = (o->pieces[i].base * 2654435761u) & o->table_mask;
        while (o->table[slot] != NAV_NONE) {
            slot = (slot + 1) & o->table_mask;
        }
        o->table[slot] = i;
    }
    return true;
}

// ---- portals ----

typedef struct segment {
    double a[2], b[2]; // right to left, as seen by who walks out over it
} segment;

static double tolerance_at(const double at[2])
{
    return nav_overlay_grain(at[0], at[1]);
}

// The part of s that lies along other, whichever way that runs; false where there is none.
static bool overlap(const segment *s, const segment *other, segment *out)
{
    const double ex = s->b[0] - s->a[0], ez = s->b[1] - s->a[1];
    const double length = sqrt(ex * ex + ez * ez);
    if (length < NAV_OVERLAY_PORTAL_MIN) {
        return false;
    }
    double along[2];
    const double *ends[2] = {other->a, other->b};
    for (int i = 0; i < 2; ++i) {
        const double px = ends[i][0] - s->a[0], pz = ends[i][1] - s->a[1];
        if (fabs(px * ez - pz * ex) > length * tolerance_at(s->a)) {
            return false;
        }
        along[i] = (px * ex + pz * ez) / length;
    }
    const double low = along[0] < along[1] ? along[0] : along[1];
    const double high = along[0] < along[1] ? along[1] : along[0];
    const double from = low > 0.0 ? low : 0.0;
    const double to = high < length ? high : length;
    if (to - from < NAV_OVERLAY_PORTAL_MIN) {
        return false;
    }
    for (int axis = 0; axis < 2; ++axis) {
        const double step = axis == 0 ? ex / length : ez / length;
        out->a[axis] = s->a[axis] + step * from;
        out->b[axis] = to == length ? s->b[axis] : s->a[axis] + step * to;
    }
    return true;
}

// Those of a cell that others can lie along.
static uint32_t edge_count(const nav_cell *piece)
{
    return piece->thin ? 1 : piece->count;
}

static segment edge_of(const nav_cell *piece, uint32_t i)
{
    segment s;
    memcpy(s.a, piece->corners[i], sizeof s.a);
    memcpy(s.b, piece->corners[(i + 1) % piece->count], sizeof s.b);
    return s;
}

static segment segment_of(const nav_portal *portal)
{
    return (segment){.a = {(double)portal->right[0], (double)portal->right[1]},
                     .b = {(double)portal->left[0], (double)portal->left[1]}};
}

static void add_portal(assembly *a, uint32_t from, uint32_t to, const segment *s)
{
    nav_overlay *o = a->o;
    const uint32_t base = o->pieces[from].base;
    const uint32_t right = add_vertex(a, base, s->a[0], s->a[1]);
    const uint32_t left = add_vertex(a, base, s->b[0], s->b[1]);
    o->portals = nav_overlay_grow(a->budget, o->portals, o->portal_count, &a->portal_capacity,
                                  sizeof *o->portals);
    if (a->budget->failed) {
        return;
    }
    o->portals[o->portal_count++] = (nav_portal){.left = {(float)s->b[0], (float)s->b[1]},
                                                 .right = {(float)s->a[0], (float)s->a[1]},
                                                 .from = o->pieces[from].number,
                                                 .to = to,
                                                 .left_vertex = left,
                                                 .right_vertex = right};
}

static uint32_t place_of(const assembly *a, const nav_piece *piece)
{
    return (uint32_t)(piece - a->o->pieces);
}

// Between two stretches of a polygon without area, where they overlap: a portal along them, which
// has no true sides but leads both ways over the same two ends.
static void join_stretches(assembly *a, uint32_t from, uint32_t to)
{
    const segment mine = edge_of(&a->cells[from], 0), theirs = edge_of(&a->cells[to], 0);
    segment shared;
    if (overlap(&mine, &theirs, &shared)) {
        const segment back = {.a = {shared.b[0], shared.b[1]}, .b = {shared.a[0], shared.a[1]}};
        add_portal(a, from, a->o->pieces[to].number, from < to ? &shared : &back);
    }
}

// Between two pieces of one polygon: where an edge of one lies along an edge of the other.
static void join_pair(assembly *a, uint32_t from, uint32_t to, double near)
{
    const nav_cell *p = &a->cells[from], *q = &a->cells[to];
    if (p->min[1] > q->max[1] + near || q->min[1] > p->max[1] + near) {
        return;
    }
    nav_overlay_spend(a->budget, p->count * q->count);
    if (p->thin) {
        join_stretches(a, from, to);
        return;
    }
    for (uint32_t i = 0; i < p->count; ++i) {
        const segment mine = edge_of(p, i);
        for (uint32_t k = 0; k < q->count; ++k) {
            const segment theirs = edge_of(q, k);
            const double dot = (mine.b[0] - mine.a[0]) * (theirs.b[0] - theirs.a[0]) +
                               (mine.b[1] - mine.a[1]) * (theirs.b[1] - theirs.a[1]);
            segment shared;
            if (dot < 0.0 && overlap(&mine, &theirs, &shared)) {
                add_portal(a, from, a->o->pieces[to].number, &shared);
            }
        }
    }
}

static void join_siblings(assembly *a, uint32_t from)
{
    const nav_cell *p = &a->cells[from];
    const double near = tolerance_at(p->max) + tolerance_at(p->min);
    const uint32_t first = place_of(a, nav_overlay_find(a->o, p->base));
    const nav_piece_range range =
        nav_overlay_range(a->o, first, p->min[0] - near, p->max[0] + near);
    nav_overlay_spend(a->budget, range.end - range.first);
    for (uint32_t to = range.first; to < range.end && !a->budget->failed; ++to) {
        if (to != from) {
            join_pair(a, from, to, near);
        }
    }
}

// From one piece over a stretch of the border of its polygon into another polygon.
static void join_over(assembly *a, uint32_t from, uint32_t polygon, const segment *stretch)
{
    const nav_piece *found = nav_overlay_find(a->o, polygon);
    if (found == NULL || !found->cut) {
        add_portal(a, from, polygon, stretch);
        return;
    }
    const double near = tolerance_at(stretch->a) + tolerance_at(stretch->b);
    const double *ends[2] = {stretch->a, stretch->b};
    const int low = stretch->b[0] < stretch->a[0];
    const nav_piece_range range =
        nav_overlay_range(a->o, place_of(a, found), ends[low][0] - near, ends[1 - low][0] + near);
    nav_overlay_spend(a->budget, range.end - range.first);
    for (uint32_t i = range.first; i < range.end && !a->budget->failed; ++i) {
        nav_overlay_spend(a->budget, a->cells[i].count);
        for (uint32_t k = 0; k < edge_count(&a->cells[i]); ++k) {
            const segment theirs = edge_of(&a->cells[i], k);
            segment shared;
            if (overlap(stretch, &theirs, &shared)) {
                add_portal(a, from, a->o->pieces[i].number, &shared);
            }
        }
    }
}

// Over the borders of the polygon that a piece is a part of.
static void join_neighbours(assembly *a, uint32_t from)
{
    const nav_mesh *mesh = a->o->mesh;
    const nav_piece piece = a->o->pieces[from];
    const uint32_t end = mesh->portal_first[piece.base + 1];
    for (uint32_t i = mesh->portal_first[piece.base]; i < end && !a->budget->failed; ++i) {
        const segment border = segment_of(&mesh->portals[i]);
        if (!piece.cut) {
            join_over(a, from, mesh->portals[i].to, &border);
            continue;
        }
        nav_overlay_spend(a->budget, a->cells[from].count);
        const bool thin = a->cells[from].thin;
        for (uint32_t k = 0; k < edge_count(&a->cells[from]); ++k) {
            const segment mine = edge_of(&a->cells[from], k);
            segment shared;
            // Borders on both sides of a stretch lie along its one edge, each in its direction.
            if (overlap(thin ? &border : &mine, thin ? &mine : &border, &shared)) {
                join_over(a, from, mesh->portals[i].to, &shared);
            }
        }
    }
}

// ---- exported ----

bool nav_overlay_create(const nav_mesh *mesh, const nav_outline *outlines, uint32_t count,
                        nav_overlay_budget *budget, nav_overlay *out)
{
    nav_cells cells;
    *out = (nav_overlay){.mesh = mesh, .cost_least = 1.0f};
    assembly a = {.budget = budget, .o = out};
    if (!nav_cells_cut(mesh, outlines, count, budget, &cells) || !lay_pieces(&a, &cells) ||
        !build_table(out, budget)) {
        return false;
    }
    // Piece after piece, so that each one's portals stand in a row.
    for (uint32_t i = 0; i < out->piece_count && !budget->failed; ++i) {
        out->pieces[i].portal_first = out->portal_count;
        join_neighbours(&a, i);
        if (out->pieces[i].cut && out->pieces[i].corner_count > 0) {
            join_siblings(&a, i);
        }
        out->pieces[i].portal_count = out->portal_count - out->pieces[i].portal_first;
    }
    return !budget->failed;
}
