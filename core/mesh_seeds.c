// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// mesh_seeds.c: what of a mesh is of use. With seeds, only the polygons that can be reached from
// one stay; without, all do, and the report names the components that lie apart from the largest.
//
//   seeds --flood over portals and ways--> kept polygons --> all arrays close up, in place

#include "query.h"

#include <stdio.h>
#include <string.h>

// ---- islands ----

static void polygon_centre(const nav_mesh *mesh, uint32_t polygon, float out[3])
{
    double sum[3] = {0.0, 0.0, 0.0};
    uint32_t first = mesh->corner_first[polygon];
    uint32_t count = mesh->corner_first[polygon + 1] - first;
    for (uint32_t k = 0; k < count; ++k) {
        for (int axis = 0; axis < 3; ++axis) {
            sum[axis] += (double)mesh->vertices[mesh->corners[first + k]][axis];
        }
    }
    for (int axis = 0; axis < 3; ++axis) {
        out[axis] = (float)(sum[axis] / count);
    }
}

// Tells of every component that is not kept, or with keep NULL of all but the largest: the centre
// of its first polygon, and its area.
static nav_status warn_islands(const nav_mesh *mesh, const uint8_t *keep, nav_warning *warning,
                               nav_arena *temporary)
{
    const uint32_t count = mesh->stats.components;
    double *areas = NAV_NEW_ZERO(temporary, double, count);
    uint32_t *firsts = NAV_NEW(temporary, uint32_t, count);
    if (areas == NULL || firsts == NULL) {
        return NAV_NO_MEMORY;
    }
    for (uint32_t i = mesh->stats.polygons; i-- > 0;) {
        areas[mesh->components[i] - 1] += nav_mesh_polygon_area(mesh, i);
        firsts[mesh->components[i] - 1] = i;
    }
    uint32_t largest = 0;
    for (uint32_t i = 1; i < count; ++i) {
        largest = areas[i] > areas[largest] ? i : largest;
    }
    for (uint32_t i = 0; i < count; ++i) {
        if (keep != NULL ? !keep[firsts[i]] : i != largest) {
            float centre[3];
            polygon_centre(mesh, firsts[i], centre);
            nav_warning_add(warning, centre, (float)areas[i], NULL);
        }
    }
    return NAV_OK;
}

// ---- what can be reached ----

static void reach(uint8_t *keep, uint32_t *stack, uint32_t *depth, uint32_t polygon)
{
    if (!keep[polygon]) {
        keep[polygon] = 1;
        stack[(*depth)++] = polygon;
    }
}

// Marks everything that can be reached from the polygons on the stack, which are marked already.
static void flood(const nav_mesh *mesh, uint8_t *keep, uint32_t *stack, uint32_t depth)
{
    while (depth > 0) {
        uint32_t polygon = stack[--depth];
        uint32_t end = mesh->portal_first[polygon + 1];
        for (uint32_t i = mesh->portal_first[polygon]; i < end; ++i) {
            reach(keep, stack, &depth, mesh->portals[i].to);
        }
        if (mesh->way_count > 0) {
            end = mesh->edge_portal_count + mesh->way_first[polygon + 1];
            for (uint32_t i = mesh->edge_portal_count + mesh->way_first[polygon]; i < end; ++i) {
                reach(keep, stack, &depth, mesh->portals[i].to);
            }
        }
    }
}

// Puts the polygons on which seeds land onto the stack. Returns how many.
static uint32_t snap_seeds(const nav_mesh *mesh, const nav_config *config, uint8_t *keep,
                           uint32_t *stack, nav_bake_report *report)
{
    uint32_t depth = 0;
    for (uint32_t i = 0; i < config->seed_count; ++i) {
        nav_location place;
        const float *seed = config->seeds[i];
        if (nav_query_nearest(mesh, seed, nav_snap_default(), NAV_NONE, &place, 1) > 0) {
            reach(keep, stack, &depth, place.polygon);
        } else if (report != NULL) {
            nav_name name;
            snprintf(name, sizeof name, "seeds[%u]", i);
            nav_warning_add(&report->warnings[NAV_WARN_SEED_OFF_MESH], seed,
                            nav_mesh_distance(mesh, seed), name);
        }
    }
    return depth;
}

static nav_status fail_no_seed(const nav_mesh *mesh, const nav_config *config, nav_error *err)
{
    const float *seed = config->seeds[0];
    nav_fail(err, NAV_MESH_EMPTY,
             "none of the %u seeds lies on the mesh, so nothing would stay; seeds[0] is %.3f away",
             config->seed_count, (double)nav_mesh_distance(mesh, seed));
    nav_error_at(err, "seeds");
    nav_error_got(err, "%g, %g, %g", (double)seed[0], (double)seed[1], (double)seed[2]);
    return NAV_MESH_EMPTY;
}

// ---- closing up: every new index is at most the old one, so arrays move in place, front to back

// New numbers of polygons and vertices; NAV_NONE for those that go.
typedef struct numbering {
    uint32_t *polygons, *vertices;
    uint32_t polygon_count, vertex_count;
} numbering;

static bool number_anew(const nav_mesh *mesh, const uint8_t *keep, numbering *out,
                        nav_arena *temporary)
{
    *out = (numbering){.polygons = NAV_NEW(temporary, uint32_t, mesh->stats.polygons),
                       .vertices = NAV_NEW_ZERO(temporary, uint32_t, mesh->stats.vertices)};
    if (out->polygons == NULL || out->vertices == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < mesh->stats.polygons; ++i) {
        out->polygons[i] = keep[i] ? out->polygon_count++ : NAV_NONE;
        for (uint32_t k = mesh->corner_first[i]; keep[i] && k < mesh->corner_first[i + 1]; ++k) {
            out->vertices[mesh->corners[k]] = 1;
        }
    }
    for (uint32_t i = 0; i < mesh->stats.vertices; ++i) {
        out->vertices[i] = out->vertices[i] != 0 ? out->vertex_count++ : NAV_NONE;
    }
    return true;
}

static void move_vertices(nav_mesh *mesh, const numbering *to)
{
    for (uint32_t i = 0; i < mesh->stats.vertices; ++i) {
        if (to->vertices[i] != NAV_NONE) {
            memmove(mesh->vertices[to->vertices[i]], mesh->vertices[i], sizeof *mesh->vertices);
        }
    }
    mesh->stats.vertices = to->vertex_count;
}

// Portals of a polygon that is kept lead to kept ones: that is what reaching means.
static uint32_t move_portals(nav_mesh *mesh, const numbering *to, uint32_t first, uint32_t end,
                             uint32_t at)
{
    for (uint32_t i = first; i < end; ++i) {
        nav_portal portal = mesh->portals[i];
        portal.from = to->polygons[portal.from];
        portal.to = to->polygons[portal.to];
        portal.left_vertex = to->vertices[portal.left_vertex];
        portal.right_vertex = to->vertices[portal.right_vertex];
        mesh->portals[at++] = portal;
    }
    return at;
}

// Where the next polygon's runs go.
typedef struct fronts {
    uint32_t corner, portal, detail_vertex, detail_triangle;
} fronts;

static void move_polygon(nav_mesh *mesh, const numbering *to, uint32_t polygon, fronts *at)
{
    const uint32_t target = to->polygons[polygon];
    const uint32_t corner = mesh->corner_first[polygon];
    const uint32_t corner_count = mesh->corner_first[polygon + 1] - corner;
    const uint32_t vertex = mesh->detail_vertex_first[polygon];
    const uint32_t vertex_count = mesh->detail_vertex_first[polygon + 1] - vertex;
    const uint32_t triangle = mesh->detail_triangle_first[polygon];
    const uint32_t triangle_count = mesh->detail_triangle_first[polygon + 1] - triangle;
    const uint32_t portal = mesh->portal_first[polygon];
    const uint32_t portal_end = mesh->portal_first[polygon + 1];
    mesh->areas[target] = mesh->areas[polygon];
    mesh->corner_first[target] = at->corner;
    mesh->detail_vertex_first[target] = at->detail_vertex;
    mesh->detail_triangle_first[target] = at->detail_triangle;
    mesh->portal_first[target] = at->portal;
    for (uint32_t k = 0; k < corner_count; ++k) {
        uint32_t neighbour = mesh->neighbours[corner + k];
        mesh->corners[at->corner] = to->vertices[mesh->corners[corner + k]];
        mesh->neighbours[at->corner++] = neighbour != NAV_NONE ? to->polygons[neighbour] : NAV_NONE;
    }
    memmove(mesh->detail_vertices + at->detail_vertex, mesh->detail_vertices + vertex,
            vertex_count * sizeof *mesh->detail_vertices);
    memmove(mesh->detail_triangles + at->detail_triangle, mesh->detail_triangles + triangle,
            triangle_count * sizeof *mesh->detail_triangles);
    at->detail_vertex += vertex_count;
    at->detail_triangle += triangle_count;
    at->portal = move_portals(mesh, to, portal, portal_end, at->portal);
}

static void move_polygons(nav_mesh *mesh, const numbering *to)
{
    fronts at = {0};
    for (uint32_t i = 0; i < mesh->stats.polygons; ++i) {
        if (to->polygons[i] != NAV_NONE) {
            move_polygon(mesh, to, i, &at);
        }
    }
    mesh->corner_first[to->polygon_count] = at.corner;
    mesh->detail_vertex_first[to->polygon_count] = at.detail_vertex;
    mesh->detail_triangle_first[to->polygon_count] = at.detail_triangle;
    mesh->portal_first[to->polygon_count] = at.portal;
    mesh->edge_portal_count = at.portal;
    mesh->stats.polygons = to->polygon_count;
}

// A link that begins on a kept polygon ends on one. Ways follow from the links.
static void move_links(nav_mesh *mesh, const numbering *to)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < mesh->stats.links; ++i) {
        nav_laid_link link = mesh->links[i];
        link.start_polygon = to->polygons[link.start_polygon];
        link.end_polygon = to->polygons[link.end_polygon];
        if (link.start_polygon != NAV_NONE) {
            mesh->links[count++] = link;
        }
    }
    mesh->stats.links = count;
    nav_mesh_derive_ways(mesh);
}

// An inner node that keeps one child only gives way to it:
//
//      [a      [b  [c]  [d]]  [e]]     without c:     [a  [d]  [e]]
//
// What stays keeps its order, so that it is a tree in pre-order again. The number of leaves that
// stay below each node lies in node_components meanwhile, which is derived anew after this.
static void move_nodes(nav_mesh *mesh, const numbering *to)
{
    uint32_t *leaves = mesh->node_components;
    for (uint32_t i = mesh->node_count; i-- > 0;) {
        const nav_tile_node *node = &mesh->nodes[i];
        leaves[i] = node->polygon != NAV_NONE ? to->polygons[node->polygon] != NAV_NONE
                                              : leaves[i + 1] + leaves[mesh->nodes[i + 1].end];
    }
    uint32_t count = 0;
    uint32_t root = 0;
    uint32_t root_count = 0;
    for (uint32_t i = 0; i < mesh->node_count; ++i) {
        nav_tile_node node = mesh->nodes[i];
        if (root < mesh->root_count && mesh->roots[root] == i) {
            ++root;
            if (leaves[i] > 0) {
                mesh->roots[root_count++] = count;
            }
        }
        bool inner = node.polygon == NAV_NONE;
        if (leaves[i] == 0 || (inner && (leaves[i + 1] == 0 || leaves[i + 1] == leaves[i]))) {
            continue;
        }
        node.end = count + 2 * leaves[i] - 1;
        node.polygon = inner ? NAV_NONE : to->polygons[node.polygon];
        mesh->nodes[count++] = node;
    }
    mesh->node_count = count;
    mesh->root_count = root_count;
}

// The boxes around what is left.
static void shrink_boxes(nav_mesh *mesh)
{
    for (uint32_t i = mesh->node_count; i-- > 0;) {
        nav_tile_node *node = &mesh->nodes[i];
        if (node->polygon != NAV_NONE) {
            continue;
        }
        const nav_tile_node *left = &mesh->nodes[i + 1];
        const nav_tile_node *right = &mesh->nodes[left->end];
        for (int axis = 0; axis < 3; ++axis) {
            node->min[axis] =
                left->min[axis] < right->min[axis] ? left->min[axis] : right->min[axis];
            node->max[axis] =
                left->max[axis] > right->max[axis] ? left->max[axis] : right->max[axis];
        }
    }
}

static nav_status keep_only(nav_mesh *mesh, const uint8_t *keep, nav_arena *temporary)
{
    numbering to;
    if (!number_anew(mesh, keep, &to, temporary)) {
        return NAV_NO_MEMORY;
    }
    if (to.polygon_count < mesh->stats.polygons) {
        move_nodes(mesh, &to);
        shrink_boxes(mesh);
        move_vertices(mesh, &to);
        move_polygons(mesh, &to);
        move_links(mesh, &to);
    }
    return NAV_OK;
}

// ---- exported ----

static nav_status prune_to_seeds(nav_mesh *mesh, const nav_config *config, nav_arena *temporary,
                                 nav_bake_report *report, nav_error *err)
{
    uint8_t *keep = NAV_NEW_ZERO(temporary, uint8_t, mesh->stats.polygons);
    uint32_t *stack = NAV_NEW(temporary, uint32_t, mesh->stats.polygons);
    if (keep == NULL || stack == NULL) {
        return NAV_NO_MEMORY;
    }
    uint32_t landed = snap_seeds(mesh, config, keep, stack, report);
    if (landed == 0) {
        return fail_no_seed(mesh, config, err);
    }
    flood(mesh, keep, stack, landed);
    nav_status status = NAV_OK;
    if (report != NULL) {
        status = warn_islands(mesh, keep, &report->warnings[NAV_WARN_ISLAND_REMOVED], temporary);
    }
    return status == NAV_OK ? keep_only(mesh, keep, temporary) : status;
}

nav_status nav_mesh_prune(nav_mesh *mesh, const nav_config *config, nav_arena *temporary,
                          nav_bake_report *report, nav_error *err)
{
    nav_arena_mark mark = nav_arena_save(temporary);
    nav_status status = NAV_OK;
    if (config != NULL && config->seed_count > 0) {
        status = prune_to_seeds(mesh, config, temporary, report, err);
    } else if (report != NULL && mesh->stats.components > 1) {
        status = warn_islands(mesh, NULL, &report->warnings[NAV_WARN_ISLAND], temporary);
    }
    nav_arena_restore(temporary, mark);
    return status;
}
