// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_properties.c: what the meshes of thousands of random worlds (world_random.h) must keep
// to, baked as any caller does, and that a world gives the same bytes again, with its triangles in
// any order and with or without an index.

#include "tests/unit/world_random.h"

#include "core/mesh/steps.h"

typedef struct baked {
    nav_arena arena, scratch;
    nav_blob *tiles;
    uint32_t tile_count;
} baked;

// No tiles at all where nothing lies within the bounds.
static void bake(const world *w, bool indexed, baked *out)
{
    nav_grid grid;
    *out = (baked){0};
    nav_arena_init(&out->arena, NULL, 0);
    nav_arena_init(&out->scratch, NULL, 0);
    nav_status status = nav_bake_plan(&w->geometry, &w->config, 0, &grid, NULL);
    if (status == NAV_MESH_EMPTY && w->config.has_bounds) {
        return;
    }
    assert_int_equal(status, NAV_OK);
    nav_tile_index index;
    assert_int_equal(nav_bake_index(&w->geometry, &grid, NULL, &out->arena, &index, NULL), NAV_OK);
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
    uint32_t first = mesh->records[polygon].corner_first,
             end = mesh->records[polygon + 1].corner_first;
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
        assert_int_equal(mesh->records[seed].component, found[seed]);
    }
    free(found);
    free(stack);
}

// The ends of a link are within its radius in plan view, and both of one component if it leads both
// ways; so are the polygons on both sides of an edge.
static void expect_links(const nav_mesh *mesh, const nav_config *config)
{
    for (uint32_t i = 0; i < mesh->stats.links; ++i) {
        const nav_placed_link *placed = &mesh->links[i];
        assert_true(placed->config_index < config->link_count);
        const nav_link *asked = &config->links[placed->config_index];
        assert_true(hypotf(placed->start[0] - asked->start[0],
                           placed->start[2] - asked->start[2]) <= asked->radius * 1.001f);
        assert_true(hypotf(placed->end[0] - asked->end[0], placed->end[2] - asked->end[2]) <=
                    asked->radius * 1.001f);
        assert_true(!placed->bidirectional || mesh->records[placed->start_polygon].component ==
                                                  mesh->records[placed->end_polygon].component);
    }
    for (uint32_t i = 0; i < mesh->edge_portal_count; ++i) {
        assert_int_equal(mesh->records[mesh->portals[i].from].component,
                         mesh->records[mesh->portals[i].to].component);
    }
}

// With seeds and without links there are at most as many components as seeds.
static void expect_seeded(const nav_mesh *mesh, const nav_config *config)
{
    assert_true(config->seed_count == 0 || mesh->stats.links > 0 ||
                mesh->stats.components <= config->seed_count);
}

static void mesh_keeps_its_promises(world *w)
{
    baked b;
    bake(w, true, &b);
    nav_mesh *mesh = NULL;
    nav_error err = {0};
    nav_status status = nav_mesh_create(b.tiles, b.tile_count, &w->config, NULL, &mesh, NULL, &err);
    if (status == NAV_MESH_EMPTY) { // all of it in islands that are too small, or far from seeds
        assert_true(w->config.seed_count > 0 ||
                    (b.tile_count > 1 && w->config.region_min_size > 0));
        baked_free(&b);
        return;
    }
    if (status != NAV_OK) {
        fail_msg("%s", err.detail);
    }
    const double cell = (double)w->config.cell_size;
    for (uint32_t p = 0; p < mesh->stats.polygons; ++p) {
        assert_true(nav_mesh_polygon_area(mesh, p) > -1e-3 * cell * cell); // 0, but for rounding
    }
    expect_portals(mesh, cell);
    if (mesh->stats.links == 0) {
        expect_components(mesh);
    }
    expect_links(mesh, &w->config);
    expect_seeded(mesh, &w->config);
    nav_mesh_release(mesh);
    baked_free(&b);
}

static void meshes_keep_to_their_rules(void **state)
{
    (void)state;
    for_all_worlds(2000, mesh_keeps_its_promises);
}

// ---- islands: those of one tile are those of many ----

typedef struct island {
    int64_t area; // 1/16 cells squared
    int32_t low[2], high[2];
} island;

static int compare_islands(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(island));
}

static void take_in(island *at, const world *w, const float vertex[3])
{
    for (int axis = 0; axis < 2; ++axis) {
        float from_grid = (vertex[2 * axis] - w->origin[2 * axis]) / w->config.cell_size;
        int32_t cells = (int32_t)lrintf(from_grid * 16);
        at->low[axis] = cells < at->low[axis] ? cells : at->low[axis];
        at->high[axis] = cells > at->high[axis] ? cells : at->high[axis];
    }
}

// Sorted. Pieces of no area count for nothing.
static uint32_t list_islands(const world *w, const nav_mesh *mesh, island *out)
{
    const double cell = (double)w->config.cell_size;
    double *areas = calloc(mesh->stats.components + 1u, sizeof *areas);
    for (uint32_t i = 0; i < mesh->stats.components; ++i) {
        out[i] = (island){0, {INT32_MAX, INT32_MAX}, {INT32_MIN, INT32_MIN}};
    }
    for (uint32_t p = 0; p < mesh->stats.polygons; ++p) {
        uint32_t component = mesh->records[p].component - 1;
        areas[component] += nav_mesh_polygon_area(mesh, p);
        for (uint32_t i = mesh->records[p].corner_first; i < mesh->records[p + 1].corner_first;
             ++i) {
            take_in(&out[component], w, mesh->vertices[mesh->corners[i]]);
        }
    }
    for (uint32_t i = 0; i < mesh->stats.components; ++i) {
        out[i].area = llrint(areas[i] / cell / cell * 16);
    }
    free(areas);
    qsort(out, mesh->stats.components, sizeof *out, compare_islands);
    return mesh->stats.components;
}

static uint32_t islands_of(world *w, uint32_t tile_cells, island **out)
{
    w->config.tile_cells = tile_cells;
    baked b;
    bake(w, true, &b);
    nav_mesh *mesh = NULL;
    nav_status status = nav_mesh_create(b.tiles, b.tile_count, &w->config, NULL, &mesh, NULL, NULL);
    uint32_t count = 0;
    *out = NULL;
    if (status != NAV_MESH_EMPTY) { // every island is too small: no mesh at all
        assert_int_equal(status, NAV_OK);
        *out = calloc(mesh->stats.components + 1u, sizeof **out);
        count = list_islands(w, mesh, *out);
    }
    nav_mesh_release(mesh);
    baked_free(&b);
    return count;
}

// Storeys so far apart that a polygon's vertices and the links between tiles tell them apart: more
// than two cells, and twice an agent's step. With radius 0 two floors may both end on a border line
// and be linked there (core/DESIGN.md).
static bool tells_storeys_apart(const nav_config *c)
{
    float height = ceilf(c->agent_height / c->cell_height);
    return c->agent_radius > 0 && height > 2 && height > 2 * c->agent_max_climb / c->cell_height;
}

// Without an error of contours, an island's area is its cells, and tiles cannot but agree.
static void tiles_have_the_islands_of_one_tile(world *w)
{
    static const uint32_t sides[] = {16, 32};
    if (!tells_storeys_apart(&w->config)) {
        return;
    }
    w->config.seed_count = 0; // they may land on another polygon
    w->config.link_count = 0; // and these join islands
    w->config.edge_max_error = 0;
    w->config.region_min_size = 2 + random_below(&w->seed, 8);
    island *expected, *found;
    uint32_t count = islands_of(w, 0, &expected);
    for (int i = 0; i < 2; ++i) {
        uint32_t found_count = islands_of(w, sides[i], &found);
        if (found_count != count) {
            fail_msg("%u islands in one tile, %u in tiles of %u", count, found_count, sides[i]);
        }
        for (uint32_t k = 0; k < count; ++k) {
            if (memcmp(&expected[k], &found[k], sizeof *found) != 0) {
                fail_msg("tiles of %u: an island of %.2f cells is one of %.2f", sides[i],
                         (double)expected[k].area / 16, (double)found[k].area / 16);
            }
        }
        free(found);
    }
    free(expected);
}

static void all_tiles_have_the_same_islands(void **state)
{
    (void)state;
    for_all_worlds(1500, tiles_have_the_islands_of_one_tile);
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
        cmocka_unit_test_teardown(all_tiles_have_the_same_islands, name_world),
        cmocka_unit_test_teardown(worlds_bake_the_same_again, name_world),
    };
    return cmocka_run_group_tests_name("mesh_properties", tests, NULL, NULL);
}
