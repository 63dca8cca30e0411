// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_mset.c: each field of an MSET is what Detour reads there, and what its numbers do not hold
// is refused by the setting that would fit. Whether Detour finds its way in one:
// tests/oracle/exports.

#include "tests/unit/export_fixture.h"

#include "proto/detour/layout.h"
#include "tests/unit/mesh_builder.h"

#include <math.h>

// ---- reading a file ----

typedef struct tile_view {
    proto_mset_tile head;
    proto_detour_header header;
    float (*vertices)[3];
    const proto_detour_polygon *polygons;
    const proto_detour_detail *details;
    float (*detail_vertices)[3];
    uint8_t (*detail_triangles)[4];
    const proto_detour_node *nodes;
    const proto_detour_connection *connections;
} tile_view;

typedef struct file_view {
    char *bytes;
    proto_mset_header header;
    tile_view tiles[16];
} file_view;

static void *take(char **at, size_t count, size_t size_bytes)
{
    void *here = *at;
    *at += count * size_bytes;
    return here;
}

static void view_tile(char *at, tile_view *out)
{
    memcpy(&out->head, at, sizeof out->head);
    at += sizeof out->head;
    const char *begin = at;
    memcpy(&out->header, take(&at, 1, sizeof out->header), sizeof out->header);
    const proto_detour_header *h = &out->header;
    out->vertices = take(&at, h->vertex_count, 12);
    out->polygons = take(&at, h->polygon_count, sizeof *out->polygons);
    (void)take(&at, h->link_count, sizeof(proto_detour_link));
    out->details = take(&at, h->detail_count, sizeof *out->details);
    out->detail_vertices = take(&at, h->detail_vertex_count, 12);
    out->detail_triangles = take(&at, h->detail_triangle_count, 4);
    out->nodes = take(&at, h->node_count, sizeof *out->nodes);
    out->connections = take(&at, h->connection_count, sizeof *out->connections);
    assert_int_equal(at - begin, out->head.size_bytes);
}

static void view_file(const nav_mesh *mesh, file_view *out)
{
    const proto_export what = export_of(mesh);
    nav_error err;
    size_t size_bytes;
    out->bytes = export_file(&what, PROTO_EXPORT_MSET, &size_bytes, &err);
    if (out->bytes == NULL) {
        fail_msg("%s", err.detail);
    }
    memcpy(&out->header, out->bytes, sizeof out->header);
    assert_int_equal(out->header.magic, PROTO_MSET_MAGIC);
    assert_int_equal(out->header.version, 1);
    assert_true(out->header.tile_count <= sizeof out->tiles / sizeof out->tiles[0]);
    char *at = out->bytes + sizeof out->header;
    for (uint32_t i = 0; i < out->header.tile_count; i++) {
        view_tile(at, &out->tiles[i]);
        at += sizeof(proto_mset_tile) + out->tiles[i].head.size_bytes;
    }
    assert_int_equal(at - out->bytes, size_bytes);
}

static void expect_refused(const nav_mesh *mesh, const char *at, const char *words)
{
    const proto_export what = export_of(mesh);
    nav_error err;
    size_t size_bytes;
    assert_null(export_file(&what, PROTO_EXPORT_MSET, &size_bytes, &err));
    assert_int_equal(err.status, PROTO_NOT_EXPORTABLE);
    assert_string_equal(err.at, at);
    if (strstr(err.detail, words) == NULL) {
        fail_msg("\"%s\" has no \"%s\"", err.detail, words);
    }
}

// ---- making meshes ----

// Rectangles in tiles of 8 x 8 cells: x0, z0, x1, z1 each, none over a border.
typedef struct rectangle {
    int32_t x0, z0, x1, z1;
} rectangle;

#define TILE 8

static nav_blob tile_of(const rectangle *all, uint32_t count, uint32_t tile_x, uint32_t tiles_x,
                        float cell_size, nav_arena *result)
{
    static const nav_config config = {
        .agent_radius = 0.5f, .agent_height = 2.0f, .agent_max_climb = 0.5f};
    const nav_grid grid = {.min = {10, 0, 20},
                           .cell_size = cell_size,
                           .cell_height = 1,
                           .tile_cells = TILE,
                           .tiles_x = tiles_x,
                           .tiles_z = 1};
    nav_bake_report report = {0};
    nav_blob blob = {0};
    builder b;
    builder_init(&b);
    for (uint32_t i = 0; i < count; i++) {
        const rectangle *r = &all[i];
        if ((uint32_t)(r->x0 / TILE) != tile_x) {
            continue;
        }
        const uint32_t p = builder_rectangle(&b, r->x0, r->z0, r->x1, r->z1, 0);
        uint32_t *row = b.polygons.polygon_neighbours + (size_t)p * BUILDER_ROW;
        row[0] = r->x0 % TILE == 0 ? NAV_EDGE_PORTAL : row[0];
        row[2] = r->x1 % TILE == 0 ? NAV_EDGE_PORTAL | 2u : row[2];
    }
    const nav_bake_job job = {
        .config = &config, .grid = &grid, .tile_x = tile_x, .scratch = &b.arena, .report = &report};
    assert_int_equal(nav_bake_tile_write(&job, &b.polygons, &b.detail, result, &blob), NAV_OK);
    builder_free(&b);
    return blob;
}

static nav_mesh *row_of_tiles(const rectangle *all, uint32_t count, uint32_t tiles_x,
                              float cell_size, const nav_config *config)
{
    nav_blob tiles[8];
    nav_arena result;
    nav_mesh *mesh = NULL;
    nav_arena_init(&result, NULL, 0);
    for (uint32_t i = 0; i < tiles_x; i++) {
        tiles[i] = tile_of(all, count, i, tiles_x, cell_size, &result);
    }
    assert_int_equal(nav_mesh_create(tiles, tiles_x, config, NULL, &mesh, NULL, NULL), NAV_OK);
    nav_arena_free(&result);
    return mesh;
}

// ---- what a file has ----

static void tiles_meet_at_their_sides(void **state)
{
    (void)state;
    static const rectangle ground[] = {{2, 1, 8, 5}, {8, 0, 10, 2}, {8, 2, 12, 6}};
    nav_config config = nav_config_default();
    config.region_min_size = 0;
    nav_mesh *mesh = row_of_tiles(ground, 3, 2, 1, &config);
    file_view f;
    view_file(mesh, &f);
    assert_int_equal(f.header.tile_count, 2);
    assert_int_equal(f.header.params.tiles_max, 2);
    assert_int_equal(f.header.params.polygons_max, 2);
    assert_true(f.header.params.origin[0] == 10 && f.header.params.origin[2] == 20);
    assert_true(f.header.params.tile_width == TILE && f.header.params.tile_depth == TILE);
    // One bit a tile and one a polygon, then the salt.
    assert_int_equal(f.tiles[0].head.reference, 4);
    assert_int_equal(f.tiles[1].head.reference, 6);
    const tile_view *west = &f.tiles[0], *east = &f.tiles[1];
    assert_int_equal(west->header.magic, PROTO_DETOUR_MAGIC);
    assert_int_equal(west->header.version, 7);
    assert_int_equal(east->header.tile_x, 1);
    assert_int_equal(east->header.tile_z, 0);
    assert_true(east->header.min[0] == 18 && east->header.max[0] == 26);
    assert_true(east->header.min[2] == 20 && east->header.max[2] == 28);
    assert_true(east->header.agent_radius == 0.6f && east->header.agent_height == 2.0f);
    assert_int_equal(west->polygons[0].vertex_count, 4);
    static const uint16_t out[6] = {0, 0, PROTO_DETOUR_EDGE_OUTSIDE | 0u, 0, 0, 0};
    assert_memory_equal(west->polygons[0].neighbours, out, sizeof out);
    static const uint16_t first[6] = {PROTO_DETOUR_EDGE_OUTSIDE | 4u, 0, 0, 0, 0, 0};
    assert_memory_equal(east->polygons[0].neighbours, first, sizeof first);
    assert_int_equal(east->polygons[0].first_link, PROTO_DETOUR_NO_LINK);
    assert_int_equal(east->polygons[0].area_and_kind, NAV_AREA_GROUND);
    assert_true(east->header.link_count >= 3);
    // In the east there is one vertex that both polygons have, (18,0,22).
    assert_int_equal(east->header.vertex_count, 7);
    free(f.bytes);
    nav_mesh_release(mesh);
}

static void an_edge_without_ground_behind_it_is_a_wall(void **state)
{
    (void)state;
    static const rectangle ground[] = {{2, 1, 8, 5}, {8, 6, 10, 8}};
    nav_config config = nav_config_default();
    config.region_min_size = 0;
    nav_mesh *mesh = row_of_tiles(ground, 2, 2, 1, &config);
    file_view f;
    view_file(mesh, &f);
    assert_int_equal(f.tiles[0].polygons[0].neighbours[2], 0);
    assert_int_equal(f.tiles[1].polygons[0].neighbours[0], 0);
    free(f.bytes);
    nav_mesh_release(mesh);
}

// Ground without flags has the bit behind the last flag; what a switch closes has none.
static void flags_are_bits_of_the_settings(void **state)
{
    (void)state;
    static const nav_name flags[] = {"walk", "swim", "fly"};
    static const nav_area areas[] = {{.name = "none", .cost = 1},
                                     {.name = "ground", .cost = 1},
                                     {.name = "water", .cost = 2, .flags = 2 | 4}};
    static const nav_link links[] = {
        {.start = {0.5f, 0, 0.5f},
         .end = {4.5f, 0, 0.5f},
         .radius = 0.2f,
         .area = 2,
         .bidirectional = true,
         .id = "a"},
        {.start = {0.5f, 0, 0.5f}, .end = {3.5f, 0, 0.5f}, .radius = 0.2f, .area = 1, .flags = 1},
        {.start = {0.5f, 0, 0.5f},
         .end = {3.5f, 0, 0.5f},
         .radius = 0.2f,
         .area = 1,
         .switch_number = 2}};
    nav_config config = nav_config_default();
    config.areas = areas;
    config.area_count = 3;
    config.flag_names = flags;
    config.flag_count = 3;
    config.links = links;
    config.link_count = 3;
    config.switches = BUILDER_SWITCH_LIST;
    config.switch_count = 2;
    builder b;
    builder_init(&b);
    builder_map(&b, "..2..");
    builder_switch(&b, 1, 1 << 0); // a is open, b closed
    builder_switch(&b, 3, 1 << 0 | 1 << 1);
    nav_mesh *mesh = builder_mesh_with(&b, &config, NULL);
    builder_free(&b);
    file_view f;
    view_file(mesh, &f);
    const tile_view *t = &f.tiles[0];
    static const uint16_t wanted[8] = {8, 8, 6, 0, 8, 6, 1, 0};
    static const uint8_t kinds[8] = {1, 1, 2, 1, 1, 64 | 2, 64 | 1, 64 | 1};
    assert_int_equal(t->header.polygon_count, 8);
    for (uint32_t i = 0; i < 8; i++) {
        assert_int_equal(t->polygons[i].flags, wanted[i]);
        assert_int_equal(t->polygons[i].area_and_kind, kinds[i]);
    }
    assert_int_equal(t->header.connection_first, 5);
    assert_int_equal(t->header.connection_count, 3);
    assert_int_equal(t->polygons[5].vertex_count, 2);
    assert_true(t->vertices[t->polygons[5].vertices[1]][0] == 4.5f);
    const proto_detour_connection *jump = &t->connections[0];
    assert_true(jump->start[0] == 0.5f && jump->end[0] == 4.5f && jump->radius > 0);
    assert_int_equal(jump->polygon, 5);
    assert_int_equal(jump->flags, 1);
    assert_int_equal(jump->side, PROTO_DETOUR_SIDE_INSIDE);
    assert_int_equal(t->connections[1].flags, 0);
    assert_int_equal(t->connections[2].user_id, 2);
    free(f.bytes);
    nav_mesh_release(mesh);
}

static void connections_tell_the_side_on_which_they_leave(void **state)
{
    (void)state;
    static const rectangle ground[] = {{2, 1, 7, 5}, {9, 1, 14, 5}};
    static const nav_link links[] = {
        {.start = {13, 0, 22}, .end = {20, 0, 22}, .radius = 0.2f, .area = 1},
        {.start = {20, 0, 23}, .end = {13, 0, 23}, .radius = 0.2f, .area = 1}};
    nav_config config = nav_config_default();
    config.region_min_size = 0;
    config.links = links;
    config.link_count = 2;
    nav_mesh *mesh = row_of_tiles(ground, 2, 2, 1, &config);
    file_view f;
    view_file(mesh, &f);
    assert_int_equal(f.tiles[0].connections[0].side, 0);
    assert_int_equal(f.tiles[1].connections[0].side, 4);
    assert_int_equal(f.tiles[1].connections[0].user_id, 1);
    free(f.bytes);
    nav_mesh_release(mesh);
}

// ---- a baked level ----

// Every polygon is a leaf once, inside the boxes of all nodes above it.
static uint32_t check_subtree(const tile_view *t, uint32_t at, uint8_t *seen)
{
    const proto_detour_node *node = &t->nodes[at];
    if (node->next >= 0) {
        assert_true((uint32_t)node->next < t->header.detail_count);
        seen[node->next]++;
        return 1;
    }
    const uint32_t end = at + (uint32_t)-node->next;
    uint32_t next = at + 1;
    for (int child = 0; child < 2; child++) {
        for (int axis = 0; axis < 3; axis++) {
            assert_true(t->nodes[next].min[axis] >= node->min[axis]);
            assert_true(t->nodes[next].max[axis] <= node->max[axis]);
        }
        next += check_subtree(t, next, seen);
    }
    assert_int_equal(next, end);
    return end - at;
}

static void check_tree(const tile_view *t)
{
    uint8_t *seen = calloc(t->header.detail_count, 1);
    assert_non_null(seen);
    assert_int_equal(check_subtree(t, 0, seen), t->header.node_count);
    for (uint32_t i = 0; i < t->header.detail_count; i++) {
        assert_int_equal(seen[i], 1);
    }
    for (uint32_t i = 0; i < t->header.node_count; i++) {
        const proto_detour_node *node = &t->nodes[i];
        const proto_detour_polygon *p = node->next >= 0 ? &t->polygons[node->next] : NULL;
        for (uint32_t k = 0; p != NULL && k < p->vertex_count; k++) {
            for (int axis = 0; axis < 3; axis++) {
                const float steps = (t->vertices[p->vertices[k]][axis] - t->header.min[axis]) *
                                    t->header.cells_per_unit;
                assert_true(steps >= (float)node->min[axis] && steps <= (float)node->max[axis]);
            }
        }
    }
    free(seen);
}

// An edge is marked if it lies on one side of the polygon, from corner to corner.
static void check_detail(const tile_view *t, uint32_t polygon, uint32_t *border_edges)
{
    const proto_detour_polygon *p = &t->polygons[polygon];
    const proto_detour_detail *d = &t->details[polygon];
    for (uint32_t i = 0; i < d->triangle_count; i++) {
        const uint8_t *triangle = t->detail_triangles[d->triangle_first + i];
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t a = triangle[k], b = triangle[(k + 1) % 3];
            const bool side = a < p->vertex_count && b == (a + 1) % p->vertex_count;
            assert_true(a < (uint32_t)p->vertex_count + d->vertex_count);
            assert_true(!side || (triangle[3] >> (2 * k) & 3) == PROTO_DETOUR_DETAIL_BORDER);
            *border_edges += triangle[3] >> (2 * k) & 1;
        }
    }
}

static void a_level_has_its_ground_detail_and_tree(void **state)
{
    (void)state;
    nav_config config = nav_config_default();
    config.tile_cells = 128;
    nav_mesh *mesh = export_bake(LEVEL_TOWN, 3, &config);
    nav_mesh_stats stats;
    file_view f;
    nav_mesh_stats_get(mesh, &stats);
    view_file(mesh, &f);
    uint32_t polygons = 0, outside = 0;
    for (uint32_t i = 0; i < f.header.tile_count; i++) {
        const tile_view *t = &f.tiles[i];
        uint32_t border_edges = 0, sides = 0;
        check_tree(t);
        assert_int_equal(t->header.node_count, 2 * t->header.polygon_count - 1);
        for (uint32_t k = 0; k < t->header.polygon_count; k++) {
            check_detail(t, k, &border_edges);
            sides += t->polygons[k].vertex_count;
            for (uint32_t e = 0; e < t->polygons[k].vertex_count; e++) {
                const uint16_t n = t->polygons[k].neighbours[e];
                outside += n >= PROTO_DETOUR_EDGE_OUTSIDE;
                assert_true(n >= PROTO_DETOUR_EDGE_OUTSIDE || n <= t->header.polygon_count);
            }
        }
        assert_true(border_edges >= sides);
        polygons += t->header.polygon_count;
    }
    assert_int_equal(polygons, stats.polygons);
    assert_true(outside > 20);
    free(f.bytes);
    nav_mesh_release(mesh);
}

static void bounds_leave_walls_where_they_cut(void **state)
{
    (void)state;
    static const rectangle ground[] = {{2, 1, 8, 5}, {8, 1, 12, 5}, {12, 1, 14, 5}};
    nav_config config = nav_config_default();
    config.region_min_size = 0;
    nav_mesh *mesh = row_of_tiles(ground, 3, 2, 1, &config);
    proto_export what = export_of(mesh);
    nav_error err;
    size_t size_bytes;
    tile_view t;
    what.has_bounds = true;
    memcpy(what.min, (const float[3]){19, -1, 22}, sizeof what.min);
    memcpy(what.max, (const float[3]){21, 1, 23}, sizeof what.max);
    char *bytes = export_file(&what, PROTO_EXPORT_MSET, &size_bytes, &err);
    proto_mset_header header;
    memcpy(&header, bytes, sizeof header);
    assert_int_equal(header.tile_count, 1);
    view_tile(bytes + sizeof header, &t);
    assert_int_equal(t.header.tile_x, 1);
    assert_int_equal(t.header.polygon_count, 1);
    for (uint32_t k = 0; k < 6; k++) {
        assert_int_equal(t.polygons[0].neighbours[k], 0);
    }
    free(bytes);
    nav_mesh_release(mesh);
}

// ---- what does not fit ----

static void polygons_of_many_corners_are_refused(void **state)
{
    (void)state;
    nav_config config = nav_config_default();
    config.polygon_max_vertices = 12;
    nav_mesh *mesh = export_bake(LEVEL_TOWN, 3, &config);
    expect_refused(mesh, "polygon_max_vertices", "polygon_max_vertices=6");
    nav_mesh_release(mesh);
}

static void much_detail_in_one_polygon_is_refused(void **state)
{
    (void)state;
    nav_config config = nav_config_default();
    config.tile_cells = 0;
    config.detail_sample_distance = 1;
    config.detail_max_error = 0.1f;
    nav_mesh *mesh = export_bake(LEVEL_TERRAIN, 32, &config);
    expect_refused(mesh, "detail_sample_distance", "coarser detail");
    nav_mesh_release(mesh);
}

// A square of 4 x 4 cells in a tile that another program made and calls tile_x, of 3.
static nav_blob square_of(uint32_t tile_x, int32_t x, nav_arena *scratch, nav_arena *result)
{
    const int32_t vertices[4][3] = {{x, 0, 0}, {x, 0, 4}, {x + 4, 0, 4}, {x + 4, 0, 0}};
    static const uint32_t corners[4] = {0, 1, 2, 3};
    static const uint32_t neighbours[4] = {NAV_EDGE_PORTAL, NAV_NONE, NAV_EDGE_PORTAL | 2u,
                                           NAV_NONE};
    static const uint8_t corner_count = 4, area = NAV_AREA_GROUND;
    const nav_tile_polygons in = {.tile_x = tile_x,
                                  .tiles_x = 3,
                                  .tiles_z = 1,
                                  .cell_size = 0.5f,
                                  .cell_height = 0.5f,
                                  .agent_height = 2,
                                  .vertices = vertices,
                                  .corner_counts = &corner_count,
                                  .areas = &area,
                                  .corners = corners,
                                  .neighbours = neighbours,
                                  .vertex_count = 4,
                                  .polygon_count = 1};
    nav_blob blob = {0};
    assert_int_equal(nav_tile_from_polygons(&in, NULL, scratch, result, &blob, NULL), NAV_OK);
    return blob;
}

// Their numbers are names: where they lie nobody says, and two that are joined need not be beside
// each other.
static void tiles_of_another_program_are_refused(void **state)
{
    (void)state;
    nav_arena scratch, result;
    nav_arena_init(&scratch, NULL, 0);
    nav_arena_init(&result, NULL, 0);
    const nav_blob tiles[2] = {square_of(0, 0, &scratch, &result),
                               square_of(2, 4, &scratch, &result)};
    nav_config config = nav_config_default();
    config.region_min_size = 0;
    nav_mesh *mesh = NULL;
    assert_int_equal(nav_mesh_create(tiles, 2, &config, NULL, &mesh, NULL, NULL), NAV_OK);
    nav_edge_portal portal;
    assert_int_equal(nav_mesh_edge_portals(mesh, 0, &portal, 1), 1); // they are joined
    expect_refused(mesh, "format", "geometry");
    nav_mesh_release(mesh);
    assert_int_equal(nav_mesh_create(tiles + 1, 1, &config, NULL, &mesh, NULL, NULL), NAV_OK);
    expect_refused(mesh, "format", "geometry"); // one of three
    nav_mesh_release(mesh);
    nav_arena_free(&scratch);
    nav_arena_free(&result);
}

static void flags_beyond_sixteen_are_refused(void **state)
{
    (void)state;
    nav_name flags[17];
    const nav_area areas[] = {{.name = "none", .cost = 1},
                              {.name = "ground", .cost = 1, .flags = 1u << 15}};
    nav_config config = nav_config_default();
    for (uint32_t i = 0; i < 17; i++) {
        (void)snprintf(flags[i], sizeof flags[i], "flag%u", i);
    }
    config.flag_names = (const nav_name *)flags;
    config.flag_count = 16;
    nav_mesh *mesh = map_mesh_with("..", &config, NULL);
    expect_refused(mesh, "flags", "16"); // the ground has none, which takes a bit
    nav_mesh_release(mesh);
    config.areas = areas;
    config.area_count = 2;
    mesh = map_mesh_with("..", &config, NULL);
    file_view f;
    view_file(mesh, &f);
    assert_int_equal(f.tiles[0].polygons[0].flags, 0x8000);
    free(f.bytes);
    nav_mesh_release(mesh);
    config.flag_count = 17;
    mesh = map_mesh_with("..", &config, NULL);
    expect_refused(mesh, "flags", "17");
    nav_mesh_release(mesh);
}

static void areas_beyond_sixty_four_are_refused(void **state)
{
    (void)state;
    builder b;
    builder_init(&b);
    builder_map(&b, "..");
    b.polygons.areas[1] = 64;
    nav_mesh *mesh = builder_mesh(&b);
    builder_free(&b);
    expect_refused(mesh, "areas", "area 64");
    nav_mesh_release(mesh);
}

static void links_that_connections_are_not_are_refused(void **state)
{
    (void)state;
    static const rectangle ground[] = {{2, 1, 7, 5}, {9, 1, 14, 5}, {17, 1, 20, 5}};
    nav_link links[] = {
        {.start = {13, 0, 22}, .end = {28, 0, 22}, .radius = 0.2f, .area = 1},
        {.start = {13, 0, 22}, .end = {20, 0, 22}, .radius = 0.2f, .area = 1, .has_cost = true}};
    nav_config config = nav_config_default();
    config.region_min_size = 0;
    config.links = links;
    config.link_count = 1;
    nav_mesh *mesh = row_of_tiles(ground, 3, 3, 1, &config);
    expect_refused(mesh, "tile_cells", "tile_cells=16");
    nav_mesh_release(mesh);
    config.links = &links[1];
    mesh = row_of_tiles(ground, 3, 3, 1, &config);
    expect_refused(mesh, "links[0].cost", "an area that costs as much");
    nav_mesh_release(mesh);
}

static void borders_that_detour_does_not_link_are_refused(void **state)
{
    (void)state;
    static const rectangle ground[] = {{2, 0, 8, 8},  {8, 0, 10, 1}, {8, 1, 10, 2},
                                       {8, 2, 10, 3}, {8, 3, 10, 4}, {8, 4, 10, 5}};
    nav_config config = nav_config_default();
    config.region_min_size = 0;
    nav_mesh *mesh = row_of_tiles(ground, 6, 2, 1, &config);
    expect_refused(mesh, "tile_cells", "links no more");
    nav_mesh_release(mesh);
    mesh = row_of_tiles(ground, 5, 2, 1, &config);
    file_view f;
    view_file(mesh, &f);
    free(f.bytes);
    nav_mesh_release(mesh);
    mesh = row_of_tiles(ground, 5, 2, 0.02f, &config);
    expect_refused(mesh, "cell_size", "cell_size");
    nav_mesh_release(mesh);
}

// A field of unit squares that do not hang together, columns of them.
static nav_blob field(uint32_t columns, uint32_t count, uint32_t tile_x, uint32_t tiles_x,
                      nav_arena *result)
{
    static const nav_config config = {
        .agent_radius = 0.5f, .agent_height = 2.0f, .agent_max_climb = 0.5f};
    const nav_grid grid = {.cell_size = 1,
                           .cell_height = 1,
                           .tile_cells = tiles_x > 1 ? 256 : 0,
                           .tiles_x = tiles_x,
                           .tiles_z = 1};
    nav_bake_report report = {0};
    nav_ground_classes classes = {0};
    nav_detail detail = {0};
    nav_arena arena;
    nav_blob blob = {0};
    nav_arena_init(&arena, NULL, 0);
    nav_polygons p = {.max_vertices = 3, .classes = &classes, .count = count};
    p.vertices = nav_arena_alloc(&arena, 3 * (size_t)count, sizeof(int32_t[3]));
    p.polygon_vertices = NAV_NEW(&arena, uint32_t, 3 * (size_t)count);
    p.polygon_neighbours = NAV_NEW(&arena, uint32_t, 3 * (size_t)count);
    p.areas = NAV_NEW(&arena, uint16_t, count);
    memset(p.polygon_neighbours, 0xff, 12 * (size_t)count);
    for (uint32_t i = 0; i < count; i++) {
        const int32_t x = (int32_t)(tile_x * 256 + i % columns), z = (int32_t)(i / columns);
        const int32_t corners[3][3] = {{x, 0, z}, {x, 0, z + 1}, {x + 1, 0, z}};
        memcpy(p.vertices[p.vertex_count], corners, sizeof corners);
        for (uint32_t k = 0; k < 3; k++) {
            p.polygon_vertices[3 * i + k] = p.vertex_count++;
        }
        p.areas[i] = NAV_AREA_GROUND;
    }
    const nav_bake_job job = {
        .config = &config, .grid = &grid, .tile_x = tile_x, .scratch = &arena, .report = &report};
    assert_int_equal(nav_bake_tile_write(&job, &p, &detail, result, &blob), NAV_OK);
    nav_arena_free(&arena);
    return blob;
}

static void counts_beyond_sixteen_bits_are_refused(void **state)
{
    (void)state;
    static const struct {
        uint32_t count;
        const char *words;
    } fields[] = {{32768, "32768 polygons"}, {21845, "65535 vertices"}};
    for (size_t i = 0; i < 2; i++) {
        nav_arena result;
        nav_mesh *mesh = NULL;
        nav_arena_init(&result, NULL, 0);
        const nav_blob blob = field(256, fields[i].count, 0, 1, &result);
        assert_int_equal(nav_mesh_create(&blob, 1, NULL, NULL, &mesh, NULL, NULL), NAV_OK);
        expect_refused(mesh, "tile_cells", fields[i].words);
        expect_refused(mesh, "tile_cells", "bake with tile_cells=");
        nav_mesh_release(mesh);
        nav_arena_free(&result);
    }
}

// 257 tiles take nine bits of a reference, 8,193 polygons fourteen.
static void references_beyond_their_bits_are_refused(void **state)
{
    (void)state;
    enum {
        TILES = 257
    };
    nav_blob tiles[TILES];
    nav_arena result;
    nav_mesh *mesh = NULL;
    nav_arena_init(&result, NULL, 0);
    for (uint32_t i = 0; i < TILES; i++) {
        tiles[i] = field(200, i == 7 ? 8193 : 1, i, TILES, &result);
    }
    assert_int_equal(nav_mesh_create(tiles, TILES, NULL, NULL, &mesh, NULL, NULL), NAV_OK);
    expect_refused(mesh, "tile_cells", "23 bits");
    nav_mesh_release(mesh);
    nav_arena_free(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiles_meet_at_their_sides),
        cmocka_unit_test(an_edge_without_ground_behind_it_is_a_wall),
        cmocka_unit_test(flags_are_bits_of_the_settings),
        cmocka_unit_test(connections_tell_the_side_on_which_they_leave),
        cmocka_unit_test(a_level_has_its_ground_detail_and_tree),
        cmocka_unit_test(bounds_leave_walls_where_they_cut),
        cmocka_unit_test(polygons_of_many_corners_are_refused),
        cmocka_unit_test(much_detail_in_one_polygon_is_refused),
        cmocka_unit_test(tiles_of_another_program_are_refused),
        cmocka_unit_test(flags_beyond_sixteen_are_refused),
        cmocka_unit_test(areas_beyond_sixty_four_are_refused),
        cmocka_unit_test(links_that_connections_are_not_are_refused),
        cmocka_unit_test(borders_that_detour_does_not_link_are_refused),
        cmocka_unit_test(counts_beyond_sixteen_bits_are_refused),
        cmocka_unit_test(references_beyond_their_bits_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
