// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// link_ends.c: see link_ends.h.

#include "core/query/search/polyanya/link_ends.h"

#include "core/query/search/polyanya/expansion.h"
#include "core/query/view/scratch.h"

// The size of a group of ends side by side, of which one waits in the open list for all.
#define GROUP_ENDS 8u

// ---- sorting ----

static nav_link_end end_of(const nav_laid_link *link, bool last, uint32_t other)
{
    const float *at = last ? link->end : link->start;
    const double length = nav_plane_distance_xz(link->start, link->end), cost = (double)link->cost;
    return (nav_link_end){.at = {at[0], at[2]},
                          .polygon = last ? link->end_polygon : link->start_polygon,
                          .other = other,
                          .cost = link->has_cost && cost < length ? cost : length};
}

// A counting sort by polygon.
static void sort_by_polygon(nav_link_ends *e, const nav_mesh *mesh, nav_link_end *ends)
{
    for (uint32_t i = 0; i < mesh->stats.links; ++i) {
        ++e->first[mesh->links[i].start_polygon + 2];
        ++e->first[mesh->links[i].end_polygon + 2];
    }
    for (uint32_t p = 2; p < mesh->stats.polygons + 2; ++p) {
        e->first[p] += e->first[p - 1];
    }
    for (uint32_t i = 0; i < mesh->stats.links; ++i) {
        const nav_laid_link *link = &mesh->links[i];
        const uint32_t start = e->first[link->start_polygon + 1]++;
        const uint32_t end = e->first[link->end_polygon + 1]++;
        ends[start] = end_of(link, false, end);
        ends[end] = end_of(link, true, start);
    }
    NAV_ASSERT(e->first[mesh->stats.polygons] == e->count);
}

// The trees, whose leaves are ends.
static bool build_trees(nav_link_ends *e, const nav_mesh *mesh, const nav_link_end *ends,
                        nav_tile_node *leaves, nav_cancel *cancel)
{
    for (uint32_t i = 0; i < e->count; ++i) {
        const float *at = ends[i].at;
        leaves[i] =
            (nav_tile_node){.min = {at[0], 0, at[1]}, .max = {at[0], 0, at[1]}, .polygon = i};
    }
    for (uint32_t p = 0; p < mesh->stats.polygons; ++p) {
        const uint32_t first = e->first[p], count = e->first[p + 1] - first;
        if (count > 0 &&
            !nav_tile_tree_build(leaves + first, count, e->nodes + 2 * (size_t)first, cancel)) {
            return false;
        }
    }
    return true;
}

// Numbers the ends in the order of the trees' leaves, so that those below a node stand side by
// side; `polygon` of each node is then the first of them.
static void number_by_tree(nav_link_ends *e, const nav_mesh *mesh, const nav_link_end *unsorted,
                           uint32_t *number)
{
    uint32_t count = 0;
    for (uint32_t p = 0; p < mesh->stats.polygons; ++p) {
        nav_tile_node *nodes = e->nodes + 2 * (size_t)e->first[p];
        const uint32_t end = e->first[p + 1] > e->first[p] ? nodes[0].end : 0;
        for (uint32_t i = 0; i < end; ++i) {
            const uint32_t leaf = nodes[i].polygon;
            nodes[i].polygon = count;
            if (leaf != NAV_NONE) {
                e->ends[count] = unsorted[leaf];
                number[leaf] = count++;
            }
        }
    }
    NAV_ASSERT(count == e->count);
    for (uint32_t i = 0; i < count; ++i) {
        e->ends[i].other = number[e->ends[i].other];
    }
}

nav_status nav_link_ends_sort(nav_link_ends *e, const nav_mesh *mesh, nav_cancel *cancel,
                              nav_arena *arena)
{
    const size_t count = 2 * (size_t)mesh->stats.links;
    *e = (nav_link_ends){.count = (uint32_t)count};
    if (count == 0) {
        return NAV_OK;
    }
    e->ends = NAV_NEW(arena, nav_link_end, count);
    e->first = NAV_NEW_ZERO(arena, uint32_t, (size_t)mesh->stats.polygons + 2);
    e->nodes = NAV_NEW(arena, nav_tile_node, 2 * count);
    e->farthest = NAV_NEW(arena, double, 2 * count);
    e->reached = NAV_NEW(arena, uint32_t, count);
    e->landing = NAV_NEW(arena, bool, count);
    e->due = NAV_NEW(arena, double, count / GROUP_ENDS + 1);
    const nav_arena_mark mark = nav_arena_save(arena);
    nav_link_end *unsorted = NAV_NEW(arena, nav_link_end, count);
    nav_tile_node *leaves = NAV_NEW(arena, nav_tile_node, count);
    uint32_t *number = NAV_NEW(arena, uint32_t, count);
    if (e->ends == NULL || e->first == NULL || e->nodes == NULL || e->farthest == NULL ||
        e->reached == NULL || e->landing == NULL || e->due == NULL || unsorted == NULL ||
        leaves == NULL || number == NULL) {
        return NAV_NO_MEMORY;
    }
    sort_by_polygon(e, mesh, unsorted);
    const bool built = build_trees(e, mesh, unsorted, leaves, cancel);
    if (built) {
        number_by_tree(e, mesh, unsorted, number);
    }
    nav_arena_restore(arena, mark);
    return built ? NAV_OK : NAV_CANCELLED;
}

// ---- floods ----

// Subtrees of no more leaves are looked through end by end.
#define FEW_ENDS 8u

void nav_link_ends_clear(nav_link_ends *e)
{
    for (size_t i = 0; i < 2 * (size_t)e->count; ++i) {
        e->farthest[i] = (double)INFINITY;
    }
    for (uint32_t i = 0; i < e->count; ++i) {
        e->landing[i] = false;
        e->due[i / GROUP_ENDS] = (double)INFINITY;
    }
}

// A node and the tree of the polygon that it has come into.
typedef struct visit {
    nav_link_ends *e;
    nav_polyanya *c;
    const nav_polyanya_node *node;
    const nav_tile_node *nodes;
    double *farthest;
    uint64_t work;
} visit;

static double plus(double a)
{
    return a > 0.0 ? a : 0.0;
}

// No end in the box is nearer to the root than this; squared.
static double distance2_to_box(const float root[2], const nav_tile_node *box)
{
    const double x = (double)root[0], z = (double)root[1];
    const double dx = plus((double)box->min[0] - x) + plus(x - (double)box->max[0]);
    const double dz = plus((double)box->min[2] - z) + plus(z - (double)box->max[2]);
    return dx * dx + dz * dz;
}

static double known_g(const nav_polyanya *c, uint32_t end)
{
    const nav_turning_mark *mark = &c->scratch->marks[c->arc_base + end];
    return mark->stamp == c->scratch->stamp ? mark->g : (double)INFINITY;
}

// Returns how far the farthest of some ends is.
static double reach_ends(const visit *v, uint32_t first, uint32_t count)
{
    NAV_DCHECK(first + count <= v->e->count);
    nav_link_ends *e = v->e;
    double farthest = 0.0;
    for (uint32_t i = first; i < first + count; ++i) {
        const float *at = e->ends[i].at;
        const double left = known_g(v->c, i) - v->node->g;
        double offset[2];
        nav_plane_offset(v->node->root, at, offset);
        if (left > 0.0 && nav_plane_length2(offset[0], offset[1]) < left * left &&
            nav_polyanya_note(v->c, v->c->arc_base + i,
                              v->node->g + nav_polyanya_distance(v->c, v->node, at))) {
            e->landing[i] = false;
            e->reached[e->reached_count++] = i;
        }
        farthest = fmax(farthest, known_g(v->c, i));
    }
    return farthest;
}

// Returns how far the farthest end below a node is. Trees are halved, so not deep.
static double reach(visit *v, uint32_t at)
{
    const nav_tile_node *node = &v->nodes[at];
    const double left = v->farthest[at] - v->node->g;
    ++v->work;
    if (left > 0.0 && distance2_to_box(v->node->root, node) < left * left) {
        const uint32_t leaves = (node->end - at + 1) / 2;
        if (leaves <= FEW_ENDS) {
            v->work += leaves;
            v->farthest[at] = reach_ends(v, node->polygon, leaves);
        } else {
            const double one = reach(v, at + 1), other = reach(v, v->nodes[at + 1].end);
            v->farthest[at] = one > other ? one : other;
        }
    }
    return v->farthest[at];
}

// An end lands when all that is nearer has been seen.
static bool await(nav_link_ends *e, nav_polyanya *c, uint32_t end)
{
    const uint32_t group = end / GROUP_ENDS;
    NAV_DCHECK(end < e->count);
    const double g = known_g(c, end);
    if (g >= e->due[group]) {
        return true;
    }
    e->due[group] = g;
    const nav_polyanya_node waiting = {.root = {e->ends[end].at[0], e->ends[end].at[1]},
                                       .g = g,
                                       .portal = c->view->mesh->edge_portal_count + group,
                                       .turning_vertex = NAV_NONE};
    return nav_polyanya_add_root(c, &waiting);
}

bool nav_link_ends_take(nav_link_ends *e, nav_polyanya *c, const nav_polyanya_node *node,
                        uint32_t polygon, uint64_t *work)
{
    if (e->count == 0 || e->first[polygon] == e->first[polygon + 1]) {
        return true;
    }
    const size_t root = 2 * (size_t)e->first[polygon];
    visit v = {e, c, node, e->nodes + root, e->farthest + root, 0};
    e->reached_count = 0;
    (void)reach(&v, 0);
    *work += v.work + e->reached_count;
    for (uint32_t i = 0; i < e->reached_count; ++i) {
        const uint32_t end = e->reached[i], other = e->ends[end].other;
        NAV_ASSERT(end < e->count);
        NAV_ASSERT(e->ends[other].other == end);
        if (nav_polyanya_note(c, c->arc_base + other, known_g(c, end) + e->ends[end].cost)) {
            e->landing[other] = true;
            if (!await(e, c, other)) {
                return false;
            }
        }
    }
    return true;
}

// The end of a group that lands first, or NAV_NONE.
static uint32_t next_of_group(const nav_link_ends *e, const nav_polyanya *c, uint32_t group)
{
    uint32_t least = NAV_NONE;
    const uint32_t first = group * GROUP_ENDS;
    for (uint32_t i = first; i < first + GROUP_ENDS && i < e->count; ++i) {
        if (e->landing[i] && (least == NAV_NONE || known_g(c, i) < known_g(c, least))) {
            least = i;
        }
    }
    return least;
}

bool nav_link_ends_land(nav_link_ends *e, nav_polyanya *c, const nav_polyanya_node *waited,
                        uint32_t *end)
{
    const uint32_t group = waited->portal - c->view->mesh->edge_portal_count;
    NAV_ASSERT(group <= e->count / GROUP_ENDS);
    *end = NAV_NONE;
    if (waited->g != e->due[group]) {
        return true; // another waits in its place
    }
    e->due[group] = (double)INFINITY;
    uint32_t next = next_of_group(e, c, group);
    if (next != NAV_NONE && known_g(c, next) <= waited->g) {
        e->landing[next] = false;
        ++c->open_points;
        *end = next;
        next = next_of_group(e, c, group);
    }
    return next == NAV_NONE || await(e, c, next);
}
