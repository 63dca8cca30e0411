// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// create.c: tiles -> nav_mesh. It derives what no tile holds: component numbers, area and bounds,
// the index of positions, the ends of links, and which polygons stay.
//
//   blobs --mesh/assemble.c--> arrays --mesh/locate.c--> positions --offmesh.c--> links
//     --mesh/components.c--> numbers --seeds.c--> what is kept
//
// All loops over what a mesh has count their work (base/cancel.h), so that a mesh that is not
// wanted any more is given up at once.

#include "core/mesh/steps.h"

// ---- what is derived ----

static uint32_t label_below(const nav_mesh *mesh, uint32_t index)
{
    const nav_tile_node *node = &mesh->locate.nodes[index];
    return nav_node_is_leaf(node) ? mesh->records[node->polygon].component
                                  : node->polygon & ~NAV_NODE_INNER;
}

// Children come after their parent: from the last node to the first, both are known.
static void label_nodes(nav_mesh *mesh)
{
    for (uint32_t i = nav_mesh_node_count(mesh); i-- > 0 && !nav_cancel_poll(mesh->cancel, 1);) {
        nav_tile_node *node = &mesh->locate.nodes[i];
        if (!nav_node_is_leaf(node)) {
            const uint32_t left = label_below(mesh, i + 1);
            const uint32_t right = label_below(mesh, mesh->locate.nodes[i + 1].end);
            node->polygon = NAV_NODE_INNER | (left == right ? left : NAV_MESH_MIXED);
        }
    }
}

// Makes what finds the present polygons by position.
static nav_status prepare_locate(nav_mesh *mesh, nav_arena *temporary)
{
    nav_mesh_stats *stats = &mesh->stats;
    uint32_t corner_count = mesh->records[stats->polygons].corner_first;
    for (uint32_t i = 0; i < corner_count && !nav_cancel_poll(mesh->cancel, 1); ++i) {
        const float *vertex = mesh->vertices[mesh->corners[i]];
        for (int axis = 0; axis < 3; ++axis) {
            float at = vertex[axis];
            stats->min[axis] = i == 0 || at < stats->min[axis] ? at : stats->min[axis];
            stats->max[axis] = i == 0 || at > stats->max[axis] ? at : stats->max[axis];
        }
    }
    return nav_mesh_prepare_locate(mesh, temporary);
}

// Completes the arrays to a mesh that answers questions.
static nav_status derive(nav_mesh *mesh, const nav_config *config, nav_arena *temporary,
                         nav_bake_report *report, nav_error *err)
{
    const bool has_points = config != NULL && (config->link_count > 0 || config->seed_count > 0);
    NAV_ASSERT(mesh->portal_count == mesh->portal_first[mesh->stats.polygons]);
    mesh->edge_portal_count = mesh->portal_count;
    nav_status status = nav_mesh_copy_areas(mesh, config, err);
    NAV_IF_OK(status, nav_mesh_drop_small_islands(mesh, config, temporary, report, err));
    NAV_IF_OK(status, has_points ? prepare_locate(mesh, temporary) : NAV_OK);
    NAV_IF_OK(status, nav_mesh_place_links(mesh, config, report, err));
    NAV_IF_OK(status, nav_mesh_find_components(mesh, temporary));
    const uint32_t polygons_before = mesh->stats.polygons;
    NAV_IF_OK(status, nav_mesh_prune(mesh, config, temporary, report, err));
    if (status == NAV_OK && mesh->stats.polygons < polygons_before) {
        status = nav_mesh_find_components(mesh, temporary);
    }
    NAV_IF_OK(status, nav_mesh_find_turning_vertices(mesh, temporary));
    NAV_IF_OK(status, nav_mesh_find_turning_grounds(mesh));
    NAV_IF_OK(status, nav_mesh_find_rooms(mesh, temporary));
    NAV_IF_OK(status, nav_mesh_find_bridges(mesh, temporary));
    NAV_IF_OK(status, mesh->locate.block == NULL ? prepare_locate(mesh, temporary) : NAV_OK);
    if (status == NAV_OK) {
        NAV_ASSERT(mesh->locate.block != NULL || mesh->stats.polygons == 0);
        label_nodes(mesh);
        nav_mesh_derive_costs(mesh);
        for (uint32_t i = 0; i < mesh->stats.polygons && !nav_cancel_poll(mesh->cancel, 1); ++i) {
            mesh->stats.walkable_area += nav_mesh_polygon_area(mesh, i);
        }
        if (config != NULL && report != NULL) {
            nav_mesh_warn_switches(mesh, config, report);
        }
        status = nav_cancel_status(mesh->cancel);
    }
    return status == NAV_NO_MEMORY ? nav_fail(err, status, "no memory to link the mesh") : status;
}

// ---- memory: the mesh, what is derived, and what is only needed meanwhile ----

typedef struct budget {
    nav_allocator source;
    uint64_t left_bytes;
    bool refused;
} budget;

static void *budget_alloc(void *user, size_t size_bytes)
{
    budget *b = user;
    void *block = size_bytes <= b->left_bytes ? b->source.alloc(b->source.user, size_bytes) : NULL;
    b->refused = b->refused || size_bytes > b->left_bytes;
    b->left_bytes -= block != NULL ? size_bytes : 0;
    return block;
}

static void budget_free(void *user, void *block, size_t size_bytes)
{
    budget *b = user;
    b->source.free(b->source.user, block, size_bytes);
    b->left_bytes += size_bytes;
}

// ---- exported ----

nav_status nav_mesh_create(const nav_blob *tiles, uint32_t tile_count, const nav_config *config,
                           const nav_allocator *allocator, nav_mesh **out, nav_bake_report *report,
                           nav_error *err)
{
    return nav_mesh_create_until(tiles, tile_count, config, 0, NULL, allocator, out, report, err);
}

static nav_status fail_cancelled(nav_error *err)
{
    return nav_fail(err, NAV_CANCELLED, "the making of the mesh was cancelled");
}

nav_status nav_mesh_create_until(const nav_blob *tiles, uint32_t tile_count,
                                 const nav_config *config, uint64_t memory_limit_bytes,
                                 const nav_bake_hooks *hooks, const nav_allocator *allocator,
                                 nav_mesh **out, nav_bake_report *report, nav_error *err)
{
    nav_cancel cancel = nav_cancel_by(hooks);
    if (nav_cancel_poll(&cancel, NAV_CANCEL_INTERVAL)) {
        return fail_cancelled(err);
    }
    budget all = {allocator != NULL ? *allocator : nav_allocator_default(),
                  memory_limit_bytes > 0 ? memory_limit_bytes : UINT64_MAX, false};
    const nav_allocator source = {.alloc = budget_alloc, .free = budget_free, .user = &all};
    nav_arena temporary;
    nav_arena_init(&temporary, &source, 0);
    nav_bake_report found = {0};
    nav_mesh *mesh = NULL;
    nav_status status =
        nav_mesh_assemble(tiles, tile_count, config, &cancel, &source, &temporary, &mesh, err);
    NAV_IF_OK(status, derive(mesh, config, &temporary, report != NULL ? &found : NULL, err));
    nav_arena_free(&temporary);
    if (status != NAV_OK) {
        nav_mesh_release(mesh);
        if (status == NAV_NO_MEMORY && all.refused) {
            return nav_fail_at(err, NAV_TILE_TOO_COMPLEX, "mesh",
                               "the mesh takes more memory than it may");
        }
        return status == NAV_CANCELLED ? fail_cancelled(err) : status;
    }
    mesh->cancel = NULL;
    mesh->allocator = all.source;
    if (report != NULL) {
        nav_bake_report_add(report, &found);
    }
    *out = mesh;
    return NAV_OK;
}
