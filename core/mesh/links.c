// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// links.c: finds where the polygons of neighbouring tiles meet.
//
// Both tiles cut the same ground at the same line, but each cuts it up in its own way, so that one
// edge can meet several on the other side. The common part of two edges is a link, one each way:
//
//      |  c  |  d  |       Edges lie on a border line x or z = const; along it each is an interval.
//   ---x-----x-----x---    All are sorted by line and lower end. A sweep along a line keeps, for
//      |    a   |  b       either side, the edges that have begun and not yet ended; an edge that
//                          begins is compared with those of the other side:  a-c, a-d, b-d
//
// Two edges that overlap in plan view may still be of different storeys: their heights must come
// as near to each other as an agent's step, with some room because each edge is straight where the
// ground is not. n log n in the edges, plus the pairs that overlap in plan view. Both are bounded,
// since an import may lay anything over each other: the storeys at a place, and the links in all.

#include "core/base/cancel.h"
#include "core/mesh/steps.h"

#define STOREYS_MAX 1024u
#define MEETINGS_MAX_EACH 16u // of an edge, in the mean
#define MEETINGS_FREE 4096u

// An edge on a tile's border. Vertices, polygons and corners are counted over all tiles.
typedef struct border_edge {
    uint64_t line;     // which axis, which cell
    int32_t low, high; // cells along the line
    int32_t low_y, high_y;
    uint32_t low_vertex, high_vertex;
    uint32_t corner, polygon, tile;
    bool tile_before; // the tile lies at the line's negative side
    bool rising;      // walked counter-clockwise around the polygon the edge runs from low to high
} border_edge;

// Two edges, one a side, with a part in common.
typedef struct meeting {
    uint32_t edges[2];
} meeting;

typedef struct linker {
    nav_arena *arena;
    nav_cancel *cancel;
    border_edge *edges; // in order of corner
    uint32_t edge_count;
    double tolerance_cells;
    meeting *meetings; // in the sweep's order
    uint32_t meeting_count, meeting_capacity;
    const border_edge *crowded; // where the bounds are broken, or NULL
} linker;

// ---- collecting edges ----

// The edge from corner k of a tile to the next, or false where it cannot be linked: it is no
// portal, or does not lie along a line as a portal must.
static bool read_edge(const nav_tile *tile, const nav_tile_polygon *polygon, uint32_t k,
                      border_edge *out)
{
    uint32_t neighbour = tile->neighbours[polygon->corner_first + k];
    if ((neighbour & ~3u) != NAV_EDGE_PORTAL) {
        return false;
    }
    uint32_t direction = neighbour & 3u;
    uint32_t next = k + 1 < polygon->corner_count ? k + 1 : 0;
    uint32_t begin = tile->corners[polygon->corner_first + k];
    uint32_t end = tile->corners[polygon->corner_first + next];
    int across = direction % 2 == 0 ? 0 : 2; // directions 0 and 2 lead along x
    int along = 2 - across;
    const int32_t *a = tile->vertices[begin], *b = tile->vertices[end];
    if (a[across] != b[across] || a[along] == b[along]) {
        return false;
    }
    bool rising = a[along] < b[along];
    const int32_t *low = rising ? a : b, *high = rising ? b : a;
    *out = (border_edge){.line =
                             (uint64_t)(uint32_t)across << 32 | ((uint32_t)a[across] ^ 0x80000000u),
                         .low = low[along],
                         .high = high[along],
                         .low_y = low[1],
                         .high_y = high[1],
                         .low_vertex = rising ? begin : end,
                         .high_vertex = rising ? end : begin,
                         .tile_before = direction == 1 || direction == 2,
                         .rising = rising};
    return true;
}

static uint64_t count_portal_edges(const nav_blob *tiles, uint32_t tile_count, nav_cancel *cancel)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < tile_count && !nav_cancel_is_set(cancel); ++i) {
        if (tiles[i].size_bytes == 0) {
            continue;
        }
        nav_tile tile = nav_tile_view(tiles[i].bytes);
        for (uint32_t k = 0; k < tile.header->corner_count && !nav_cancel_poll(cancel, 1); ++k) {
            count += (tile.neighbours[k] & ~3u) == NAV_EDGE_PORTAL;
        }
    }
    return count;
}

static bool collect_edges(linker *l, const nav_blob *tiles, uint32_t tile_count)
{
    uint32_t vertices = 0, polygons = 0, corners = 0;
    for (uint32_t i = 0; i < tile_count; ++i) {
        if (tiles[i].size_bytes == 0) {
            continue;
        }
        nav_tile tile = nav_tile_view(tiles[i].bytes);
        for (uint32_t p = 0; p < tile.header->polygon_count; ++p) {
            if (nav_cancel_poll(l->cancel, tile.polygons[p].corner_count)) {
                return false;
            }
            for (uint32_t k = 0; k < tile.polygons[p].corner_count; ++k) {
                border_edge *edge = &l->edges[l->edge_count];
                if (read_edge(&tile, &tile.polygons[p], k, edge)) {
                    edge->low_vertex += vertices;
                    edge->high_vertex += vertices;
                    edge->corner = corners + tile.polygons[p].corner_first + k;
                    edge->polygon = polygons + p;
                    edge->tile = i;
                    ++l->edge_count;
                }
            }
        }
        vertices += tile.header->vertex_count;
        polygons += tile.header->polygon_count;
        corners += tile.header->corner_count;
    }
    return true;
}

// ---- sorting ----

static bool comes_before(const border_edge *a, const border_edge *b)
{
    return a->line != b->line ? a->line < b->line : a->low < b->low;
}

// Sorts the edges' numbers by line and lower end; equal ones stay in order of corner. Merges runs
// of 1, 2, 4.. numbers from one array into the other; returns the one that holds the result, or
// NULL where it is not wanted any more.
static uint32_t *sort_edges(const linker *l, uint32_t *order, uint32_t *other)
{
    size_t count = l->edge_count;
    for (size_t run = 1; run < count; run *= 2) {
        for (size_t begin = 0; begin < count; begin += 2 * run) {
            size_t middle = begin + run < count ? begin + run : count;
            size_t end = begin + 2 * run < count ? begin + 2 * run : count;
            size_t a = begin, b = middle;
            for (size_t to = begin; to < end; ++to) {
                if (nav_cancel_poll(l->cancel, 1)) {
                    return NULL;
                }
                bool take_b = a == middle ||
                              (b < end && comes_before(&l->edges[order[b]], &l->edges[order[a]]));
                other[to] = order[take_b ? b++ : a++];
            }
        }
        uint32_t *swap = order;
        order = other;
        other = swap;
    }
    return order;
}

// ---- matching ----

static double height_at(const border_edge *e, int32_t at)
{
    NAV_DCHECK(e->low < e->high);
    NAV_DCHECK(at >= e->low);
    NAV_DCHECK(at <= e->high);
    double share = ((double)at - e->low) / ((double)e->high - e->low);
    return e->low_y + share * ((double)e->high_y - e->low_y);
}

// The edges overlap in more than a point, and somewhere there are near each other in height: at an
// end of the overlap, or where they cross.
static bool meet(const linker *l, const border_edge *a, const border_edge *b)
{
    int32_t low = a->low > b->low ? a->low : b->low;
    int32_t high = a->high < b->high ? a->high : b->high;
    if (low >= high || a->tile == b->tile) {
        return false;
    }
    double at_low = height_at(a, low) - height_at(b, low);
    double at_high = height_at(a, high) - height_at(b, high);
    double tolerance = l->tolerance_cells;
    return (at_low <= tolerance && at_high >= -tolerance) ||
           (at_low >= -tolerance && at_high <= tolerance);
}

static bool add_meeting(linker *l, uint32_t a, uint32_t b)
{
    if (l->meeting_count >= MEETINGS_FREE + (uint64_t)MEETINGS_MAX_EACH * l->edge_count) {
        l->crowded = &l->edges[a];
        return false;
    }
    if (l->meeting_count == l->meeting_capacity) {
        if (l->meeting_capacity > NAV_NONE / 4) {
            return false;
        }
        uint32_t capacity = l->meeting_capacity * 2 + 256;
        meeting *meetings =
            nav_arena_grow(l->arena, l->meetings, l->meeting_count, capacity, sizeof *meetings);
        if (meetings == NULL) {
            return false;
        }
        l->meetings = meetings;
        l->meeting_capacity = capacity;
    }
    l->meetings[l->meeting_count++] = (meeting){{a, b}};
    return true;
}

// The edges of one side that have begun.
typedef struct active_list {
    uint32_t *edges;
    uint32_t count;
} active_list;

// Compares an edge that begins with those of the other side, and forgets those that have ended.
// False without memory, where it is not wanted any more, or is too much.
static bool match_edge(linker *l, uint32_t number, active_list *others)
{
    const border_edge *edge = &l->edges[number];
    uint32_t kept = 0;
    for (uint32_t i = 0; i < others->count; ++i) {
        if (nav_cancel_poll(l->cancel, 1)) {
            return false;
        }
        uint32_t other_number = others->edges[i];
        const border_edge *other = &l->edges[other_number];
        if (other->line != edge->line || other->high <= edge->low) {
            continue;
        }
        others->edges[kept++] = other_number;
        if (meet(l, edge, other) && !add_meeting(l, number, other_number)) {
            return false;
        }
    }
    others->count = kept;
    l->crowded = kept > STOREYS_MAX ? edge : NULL;
    return l->crowded == NULL;
}

static bool sweep(linker *l, const uint32_t *order, uint32_t *active_edges)
{
    active_list sides[2] = {{.edges = active_edges}, {.edges = active_edges + l->edge_count}};
    for (uint32_t i = 0; i < l->edge_count; ++i) {
        if (nav_cancel_poll(l->cancel, 1)) {
            return false;
        }
        uint32_t number = order[i];
        int side = l->edges[number].tile_before;
        if (!match_edge(l, number, &sides[1 - side])) {
            return false;
        }
        NAV_DCHECK(sides[side].count < l->edge_count);
        sides[side].edges[sides[side].count++] = number;
        if (i + 1 < l->edge_count && l->edges[order[i + 1]].line != l->edges[number].line) {
            sides[0].count = 0;
            sides[1].count = 0;
        }
    }
    return true;
}

// ---- from meetings to links ----

// Each end of the overlap is a vertex of either edge; the own one where both end there.
static nav_tile_link link_between(const border_edge *from, const border_edge *to)
{
    NAV_DCHECK(from->line == to->line);
    NAV_DCHECK(from->tile != to->tile);
    uint32_t low = from->low >= to->low ? from->low_vertex : to->low_vertex;
    uint32_t high = from->high <= to->high ? from->high_vertex : to->high_vertex;
    return (nav_tile_link){.corner = from->corner,
                           .to = to->polygon,
                           .right = from->rising ? low : high,
                           .left = from->rising ? high : low};
}

// Counting sort by edge, and so by corner. The sweep found the meetings of an edge in rising order
// along the line; an edge that falls gets its links from the back.
static nav_status write_links(const linker *l, nav_tile_link **out, uint32_t *count)
{
    uint32_t *first = NAV_NEW_ZERO(l->arena, uint32_t, (size_t)l->edge_count + 2);
    nav_tile_link *links = NAV_NEW(l->arena, nav_tile_link, 2 * (size_t)l->meeting_count);
    if (first == NULL || links == NULL) {
        return NAV_NO_MEMORY;
    }
    for (uint32_t i = 0; i < l->meeting_count && !nav_cancel_poll(l->cancel, 1); ++i) {
        ++first[l->meetings[i].edges[0] + 2];
        ++first[l->meetings[i].edges[1] + 2];
    }
    for (uint32_t i = 2; i < l->edge_count + 2; ++i) {
        first[i] += first[i - 1];
    }
    for (uint32_t i = 0; i < l->meeting_count; ++i) {
        if (nav_cancel_poll(l->cancel, 2)) {
            return NAV_CANCELLED;
        }
        const uint32_t *pair = l->meetings[i].edges;
        for (int k = 0; k < 2; ++k) {
            links[first[pair[k] + 1]++] = link_between(&l->edges[pair[k]], &l->edges[pair[1 - k]]);
        }
    }
    for (uint32_t edge = 0; edge < l->edge_count && !nav_cancel_poll(l->cancel, 1); ++edge) {
        if (l->edges[edge].rising) {
            continue;
        }
        for (uint32_t a = first[edge], b = first[edge + 1]; a + 1 < b; ++a) {
            nav_tile_link swap = links[a];
            links[a] = links[--b];
            links[b] = swap;
        }
    }
    if (nav_cancel_is_set(l->cancel)) {
        return NAV_CANCELLED;
    }
    *out = links;
    *count = 2 * l->meeting_count;
    return NAV_OK;
}

// An edge is straight where the ground bends, on both sides, so heights may differ by twice a step;
// but never so much that it could be the storey above, which is an agent's height away.
static double tolerance_of(const nav_tile_header *header)
{
    double climb = (double)header->agent_max_climb;
    double half_height = (double)header->agent_height / 2;
    double reach = 2 * climb < half_height ? 2 * climb : half_height;
    return (reach > climb ? reach : climb) / (double)header->cell_height;
}

static nav_status fail_crowded(const linker *l, const nav_blob *tiles, nav_error *err)
{
    const nav_tile_header *header = nav_tile_view(tiles[l->crowded->tile].bytes).header;
    return nav_fail_at(err, NAV_TILE_TOO_COMPLEX,
                       nav_at("tile %u,%u", header->tile_x, header->tile_z).text,
                       "tile %u,%u: too many polygons lie over each other at its border",
                       header->tile_x, header->tile_z);
}

nav_status nav_mesh_find_links(const nav_blob *tiles, uint32_t tile_count, nav_cancel *cancel,
                               nav_arena *arena, nav_tile_link **out, uint32_t *count,
                               nav_error *err)
{
    *out = NULL;
    *count = 0;
    uint64_t edge_count = count_portal_edges(tiles, tile_count, cancel);
    if (edge_count == 0 || nav_cancel_is_set(cancel)) {
        return nav_cancel_is_set(cancel) ? NAV_CANCELLED : NAV_OK;
    }
    linker l = {.arena = arena, .cancel = cancel, .edges = NAV_NEW(arena, border_edge, edge_count)};
    uint32_t *order = NAV_NEW(arena, uint32_t, edge_count);
    uint32_t *other = NAV_NEW(arena, uint32_t, edge_count);
    uint32_t *active = NAV_NEW(arena, uint32_t, 2 * edge_count);
    if (l.edges == NULL || order == NULL || other == NULL || active == NULL) {
        return NAV_NO_MEMORY;
    }
    if (!collect_edges(&l, tiles, tile_count)) {
        return NAV_CANCELLED;
    }
    NAV_ASSERT(l.edge_count <= edge_count);
    for (uint32_t i = 0; i < l.edge_count; ++i) {
        order[i] = i;
    }
    for (uint32_t i = 0; i < tile_count; ++i) {
        if (tiles[i].size_bytes > 0) {
            l.tolerance_cells = tolerance_of(nav_tile_view(tiles[i].bytes).header);
            break;
        }
    }
    const uint32_t *sorted = sort_edges(&l, order, other);
    if (sorted == NULL || !sweep(&l, sorted, active)) {
        return l.crowded != NULL           ? fail_crowded(&l, tiles, err)
               : nav_cancel_is_set(cancel) ? NAV_CANCELLED
                                           : NAV_NO_MEMORY;
    }
    return write_links(&l, out, count);
}
