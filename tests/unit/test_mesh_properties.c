// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_mesh_properties.c: what the meshes of thousands of random worlds (world_random.h) must keep
// to, baked as any caller does, and that a world gives the same bytes again, with its triangles in
// any order and with or without an index.

#include "world_random.h"

#include "core/mesh.h"

typedef struct baked {
    nav_arena arena, scratch;
    nav_blob *tiles;
    uint32_t tile_count;
} baked;

static void bake(const world *w, bool indexed, baked *out)
{
    nav_grid grid;
    nav_arena_init(&out->arena, NULL, 0);
    nav_arena_init(&out->scratch, NULL, 0);
    assert_int_equal(nav_bake_plan(&w->geometry, &w->config, 0, &grid, NULL), NAV_OK);
    nav_tile_index index;
    assert_int_equal(nav_bake_index(&w->geometry, &grid, &out->arena, &index, NULL), NAV_OK);
    out->tile_count = grid.tiles_x * grid.tiles_z;
    out->tiles = NAV_NEW_ZERO(&out->arena, nav_blob, out->tile_count);
    for (uint32_t i = 0; i < out->tile_count; ++i) {
        assert_int_equal(nav_bake_tile(&w->geometry, &w->config, &grid, indexed ? &index : NULL,
                                       i % grid.tiles_x, i / grid.tiles_x, NULL, &out->scratch,
                                       &out->arena, &out->tiles[i], NULL, NULL),
                         NAV_OK);
    }
}

static void baked_free(baked *b)
{
    nav_arena_free(&b->arena);
    nav_arena_free(&b->scratch);
}

static void expect_same(const baked *a, const baked *b)
{
    assert_int_equal(a->tile_count, b->tile_count);
    for (uint32_t i = 0; i < a->tile_count; ++i) {
        assert_int_equal(a->tiles[i].size_bytes, b->tiles[i].size_bytes);
        if (a->tiles[i].size_bytes > 0) {
            assert_memory_equal(a->tiles[i].bytes, b->tiles[i].bytes, a->tiles[i].size_bytes);
        }
    }
}

// ---- the mesh ----

// From a place to the polygon's nearest edge, in plan view.
static double edge_distance(const nav_mesh *mesh, uint32_t polygon, const float place[2])
{
    double best = HUGE_VAL;
    uint32_t first = mesh->corner_first[polygon], end = mesh->corner_first[polygon + 1];
    for (uint32_t i = first; i < end; ++i) {
        const float *a = mesh->vertices[mesh->corners[i]];
        const float *b = mesh->vertices[mesh->corners[i + 1 < end ? i + 1 : first]];
        double dx = (double)b[0] - (double)a[0], dz = (double)b[2] - (double)a[2];
        double px = (double)place[0] - (double)a[0], pz = (double)place[1] - (double)a[2];
        double length = dx * dx + dz * dz;
        double t = length > 0 ? fmin(1, fmax(0, (px * dx + pz * dz) / length)) : 0;
        best = fmin(best, hypot(px - t * dx, pz - t * dz));
    }
    return best;
}

// Every way over an edge is there in both directions, over the same place, and both polygons have
// it on their border.
static void expect_portals(const nav_mesh *mesh, double cell_size)
{
    for (uint32_t i = 0; i < mesh->edge_portal_count; ++i) {
        const nav_portal *p = &mesh->portals[i];
        assert_true(p->from < mesh->stats.polygons && p->to < mesh->stats.polygons);
        bool back = false;
        for (uint32_t k = mesh->portal_first[p->to]; k < mesh->portal_first[p->to + 1]; ++k) {
            const nav_portal *q = &mesh->portals[k];
            assert_int_equal(q->from, p->to);
            back |= q->to == p->from && memcmp(p->left, q->right, sizeof p->left) == 0 &&
                    memcmp(p->right, q->left, sizeof p->left) == 0;
        }
        assert_true(back);
        assert_true(edge_distance(mesh, p->from, p->left) < 1e-3 * cell_size);
        assert_true(edge_distance(mesh, p->from, p->right) < 1e-3 * cell_size);
        assert_true(edge_distance(mesh, p->to, p->left) < 1e-3 * cell_size);
        assert_true(edge_distance(mesh, p->to, p->right) < 1e-3 * cell_size);
    }
}

// Components are what a flood over the portals finds, numbered as it finds them.
static void expect_components(const nav_mesh *mesh)
{
    uint32_t count = mesh->stats.polygons, label = 0;
    uint32_t *found = calloc(count + 1u, sizeof *found);
    uint32_t *stack = calloc(count + 1u, sizeof *stack);
    for (uint32_t seed = 0; seed < count; ++seed) {
        uint32_t top = 0;
        if (found[seed] == 0) {
            found[seed] = ++label;
            stack[top++] = seed;
        }
        while (top > 0) {
            uint32_t at = stack[--top];
            for (uint32_t k = mesh->portal_first[at]; k < mesh->portal_first[at + 1]; ++k) {
                uint32_t to = mesh->portals[k].to;
                if (found[to] == 0) {
                    found[to] = label;
                    stack[top++] = to;
                }
            }
        }
        assert_int_equal(mesh->components[seed], found[seed]);
    }
    free(found);
    free(stack);
}

static void mesh_keeps_its_promises(world *w)
{
    baked b;
    bake(w, true, &b);
    nav_mesh *mesh = NULL;
    nav_error err = {0};
    nav_status status = nav_mesh_create(b.tiles, b.tile_count, &w->config, NULL, &mesh, NULL, &err);
    if (status != NAV_OK) {
        fail_msg("%s", err.detail);
    }
    const double cell = (double)w->config.cell_size;
    for (uint32_t p = 0; p < mesh->stats.polygons; ++p) {
        assert_true(nav_mesh_polygon_area(mesh, p) > -1e-3 * cell * cell); // 0, but for rounding
    }
    expect_portals(mesh, cell);
    expect_components(mesh);
    nav_mesh_release(mesh);
    baked_free(&b);
}

static void meshes_keep_to_their_rules(void **state)
{
    (void)state;
    for_all_worlds(2000, mesh_keeps_its_promises);
}

// ---- the same bytes ----

static void shuffle(world *w)
{
    for (uint32_t i = w->geometry.triangle_count - 1; i > 0; --i) {
        uint32_t k = random_below(&w->seed, i + 1);
        for (uint32_t corner = 0; corner < 3; ++corner) {
            uint32_t index = w->indices[3 * i + corner];
            w->indices[3 * i + corner] = w->indices[3 * k + corner];
            w->indices[3 * k + corner] = index;
        }
        uint8_t area = w->triangle_areas[i];
        w->triangle_areas[i] = w->triangle_areas[k];
        w->triangle_areas[k] = area;
    }
}

static void world_bakes_the_same_again(world *w)
{
    baked once, again, shuffled;
    bake(w, true, &once);
    bake(w, false, &again);
    shuffle(w);
    bake(w, true, &shuffled);
    expect_same(&once, &again);
    expect_same(&once, &shuffled);
    baked_free(&once);
    baked_free(&again);
    baked_free(&shuffled);
}

static void worlds_bake_the_same_again(void **state)
{
    (void)state;
    for_all_worlds(1000, world_bakes_the_same_again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(meshes_keep_to_their_rules, name_world),
        cmocka_unit_test_teardown(worlds_bake_the_same_again, name_world),
    };
    return cmocka_run_group_tests_name("mesh_properties", tests, NULL, NULL);
}
