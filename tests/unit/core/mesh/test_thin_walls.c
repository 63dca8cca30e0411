// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_thin_walls.c: what hangs together in a mesh is what hangs together in its cells, also beside
// walls, strips of another area and doors that are one cell thin and do not run along the grid.
// Asked of thousands of small levels of these, in one tile and in many.

#include "tests/unit/world_stages.h"

#include "core/base/sets.h"
#include "core/mesh/steps.h"

#define LAVA 2
#define SIDE_CELLS_MAX 100
#define FLOORS_MAX 4
#define NODES_MAX 16384

// The regions of all tiles are nodes, and so are the polygons; each kind hangs together as the
// cells or the portals say.
typedef struct level {
    nav_arena arena;
    nav_blob tiles[64];
    uint32_t tile_count;
    struct {
        uint32_t floor, node;
    } cells[SIDE_CELLS_MAX][SIDE_CELLS_MAX][FLOORS_MAX]; // node 0: no more
    struct {
        uint32_t node, x, z, floor;
    } crossings[8 * SIDE_CELLS_MAX * SIDE_CELLS_MAX]; // from a node over its tile's border
    uint32_t crossing_count;
    uint32_t links[NODES_MAX * 8][2]; // between regions of a tile
    uint32_t link_count;
    bool plain[NODES_MAX]; // by region: neither lava nor under a switch
    uint32_t node_count;
    uint32_t polygon_nodes[NODES_MAX]; // 0: of several regions
    bool polygon_plain[NODES_MAX];
    uint32_t polygon_count;
} level;

static level at;

// ---- levels ----

// An upright sheet, in cells.
static void add_sheet(world *w, const float from[2], const float to[2], float tall)
{
    world_quad(w, (const float[4][3]){{from[0], 0, from[1]},
                                      {to[0], 0, to[1]},
                                      {to[0], tall, to[1]},
                                      {from[0], tall, from[1]}});
}

// A row of cells of an area, or of boxes if they are tall.
static void add_row(world *w, const float from[2], const float step[2], float tall, uint8_t area)
{
    const uint32_t first = w->geometry.triangle_count;
    const float sides[2] = {step[0] < 0 ? -1 : 0, step[1] < 0 ? -1 : 0};
    for (float i = 0; i < w->side_cells; ++i) {
        const float x = from[0] + i * step[0] + sides[0], z = from[1] + i * step[1] + sides[1];
        if (x < 0 || z < 0 || x + 1 > w->side_cells || z + 1 > w->side_cells) {
            continue;
        }
        if (tall > 0) {
            world_box(w, (const float[3]){x + 0.1f, -1, z + 0.1f},
                      (const float[3]){x + 0.9f, tall, z + 0.9f});
        } else {
            world_ramp(w, x + 0.1f, z + 0.1f, x + 0.9f, z + 0.9f, 0.5f, 0.5f);
        }
    }
    for (uint32_t i = first; i < w->geometry.triangle_count; ++i) {
        w->triangle_areas[i] = area;
    }
}

// A door as thin as the strips.
static void add_door(world *w, const float from[2], const float to[2])
{
    if (w->config.switch_count == WORLD_SWITCHES_MAX) {
        return;
    }
    nav_switch *s = &w->switches[w->config.switch_count];
    nav_volume *v = &w->switch_shapes[w->config.switch_count][0];
    float(*outline)[2] = (float(*)[2])nav_arena_alloc(&at.arena, 4, sizeof *outline);
    const float unit = w->config.cell_size;
    const float d[2] = {0.3f * (to[0] - from[0]) / w->side_cells,
                        0.3f * (to[1] - from[1]) / w->side_cells};
    const float side = to[1] < from[1] ? -0.5f : 0.5f; // through the middles of cells
    const float corners[4][2] = {{from[0] + 0.5f + d[1], from[1] + side - d[0]},
                                 {from[0] + 0.5f - d[1], from[1] + side + d[0]},
                                 {to[0] + 0.5f - d[1], to[1] + side + d[0]},
                                 {to[0] + 0.5f + d[1], to[1] + side - d[0]}};
    for (int i = 0; i < 4; ++i) {
        outline[i][0] = w->origin[0] + corners[i][0] * unit;
        outline[i][1] = w->origin[2] + corners[i][1] * unit;
    }
    *v = (nav_volume){.shape = NAV_VOLUME_CONVEX,
                      .points = (const float(*)[2])outline,
                      .point_count = 4,
                      .min = {0, w->origin[1] - 1, 0},
                      .max = {0, w->origin[1] + 1, 0}};
    *s = (nav_switch){.id = {(char)('a' + w->config.switch_count)}, .shapes = v, .shape_count = 1};
    w->config.switches = w->switches;
    w->config.switch_count++;
}

static void add_divide(world *w)
{
    // Most along the grid's diagonals; the others at every angle.
    static const float ways[][2] = {{1, 1}, {1, 1}, {1, -1}, {1, -1}, {1, 2}, {-3, 2}, {1, 0}};
    const float *way = ways[random_below(&w->seed, 7)];
    const uint32_t side = (uint32_t)w->side_cells;
    const uint32_t inwards = world_one_in(w, 4) ? random_below(&w->seed, 4) : 0;
    const float from[2] = {world_one_in(w, 2) ? 0 : (float)random_below(&w->seed, side),
                           (float)(way[1] < 0 ? side - inwards : inwards)};
    float length = world_one_in(w, 3) ? world_chance(w, 3, w->side_cells) : w->side_cells;
    for (int axis = 0; axis < 2; ++axis) {
        const float room = way[axis] > 0 ? w->side_cells - from[axis] : from[axis];
        length = way[axis] != 0 ? fminf(length, room / fabsf(way[axis])) : length;
    }
    float to[2] = {from[0] + way[0] * length, from[1] + way[1] * length};
    if (world_one_in(w, 4)) {
        to[0] = fminf(fmaxf(to[0] + world_chance(w, -3, 3), 0), w->side_cells);
    }
    const float tall = 3 / w->config.cell_height;
    switch (random_below(&w->seed, 7)) {
    case 0:
        add_row(w, from, way, tall, NAV_AREA_GROUND);
        break;
    case 1:
    case 2:
        add_row(w, from, way, 0, LAVA);
        break;
    case 3:
        add_door(w, from, to);
        break;
    case 4:
        add_row(w, from, way, 0, NAV_AREA_NONE);
        break;
    default:
        add_sheet(w, from, to, tall);
        break;
    }
}

// A floor without anything on it.
static void begin_level(world *w, float cell_size, float side_cells)
{
    memset(&at, 0, sizeof at);
    nav_arena_init(&at.arena, NULL, 0);
    nav_config *c = &w->config;
    *c = nav_config_default();
    c->cell_size = cell_size;
    c->region_min_size = 0;
    c->detail = false;
    w->areas[0] = (nav_area){.name = "none", .cost = 1};
    w->areas[1] = (nav_area){.name = "ground", .cost = 1};
    w->areas[LAVA] = (nav_area){.name = "lava", .cost = 4};
    c->areas = w->areas;
    c->area_count = 3;
    w->geometry = (nav_geometry){
        .vertices = w->vertices, .triangles = w->indices, .triangle_areas = w->triangle_areas};
    w->side_cells = side_cells;
    memset(w->triangle_areas, NAV_AREA_GROUND, sizeof w->triangle_areas);
    world_ramp(w, 0, 0, side_cells, side_cells, 0, 0);
}

static const float SIZES[] = {0.1f, 0.2f, 0.25f, 0.3f, 0.4f, 0.6f};

static void build_level(world *w)
{
    static const uint32_t tiles[] = {0, 0, 16, 32};
    begin_level(w, SIZES[random_below(&w->seed, 6)],
                (float)(16 + random_below(&w->seed, world_one_in(w, 4) ? 81 : 33)));
    nav_config *c = &w->config;
    c->agent_radius = world_one_in(w, 3) ? 0.5f : 0;
    c->partition = (nav_partition)random_below(&w->seed, 3);
    c->tile_cells = tiles[random_below(&w->seed, 4)];
    c->edge_max_length = world_one_in(w, 4) ? 0 : world_cells(w, 2, 20) * c->cell_size;
    c->region_merge_size = 10 * random_below(&w->seed, 3);
    for (uint32_t i = 1 + random_below(&w->seed, 6); i > 0; --i) {
        add_divide(w);
    }
}

// ---- what the cells and the polygons of a tile say ----

static bool is_plain(const world_stages *s, uint16_t ground)
{
    return ground == NAV_AREA_GROUND && nav_ground_class_area(&s->classes, ground) != LAVA;
}

static void note_cell(uint32_t x, uint32_t z, uint32_t floor, uint32_t node)
{
    assert_true(x < SIDE_CELLS_MAX && z < SIDE_CELLS_MAX);
    for (int i = 0; i < FLOORS_MAX; ++i) {
        if (at.cells[z][x][i].node == 0) {
            at.cells[z][x][i].floor = floor;
            at.cells[z][x][i].node = node;
            return;
        }
    }
    fail_msg("too many floors at %u, %u", x, z);
}

static void note_neighbours(const world_stages *s, uint32_t x, uint32_t z, uint32_t span,
                            uint32_t base)
{
    const nav_field *f = &s->field;
    for (int d = 0; d < 4; ++d) {
        const uint32_t n = nav_field_neighbour(f, span, d);
        const uint32_t other = n != NAV_NONE ? f->region[n] : 0;
        if ((other & NAV_REGION_BORDER) != 0) {
            at.crossings[at.crossing_count].node = base + f->region[span];
            at.crossings[at.crossing_count].x = x + (uint32_t)NAV_DIRECTION_X[d];
            at.crossings[at.crossing_count].z = z + (uint32_t)NAV_DIRECTION_Z[d];
            at.crossings[at.crossing_count++].floor = f->floor[n];
        } else if (other != 0 && other != f->region[span]) {
            assert_true(at.link_count < NODES_MAX * 8);
            at.links[at.link_count][0] = base + f->region[span];
            at.links[at.link_count++][1] = base + other;
        }
    }
}

static void gather_tile(world_stages *s)
{
    const nav_field *f = &s->field;
    const uint32_t border = s->b.job.border_cells, base = at.node_count;
    for (uint32_t z = border; z + border < f->depth; ++z) {
        for (uint32_t x = border; x + border < f->width; ++x) {
            const uint32_t gx = (uint32_t)((int32_t)x + s->b.job.first_x_cells);
            const uint32_t gz = (uint32_t)((int32_t)z + s->b.job.first_z_cells);
            const uint32_t column = z * f->width + x;
            for (uint32_t i = f->first[column]; i < f->first[column + 1]; ++i) {
                if (f->region[i] != 0) {
                    note_cell(gx, gz, f->floor[i], base + f->region[i]);
                    note_neighbours(s, gx, gz, i, base);
                    at.plain[base + f->region[i]] = is_plain(s, f->area[i]);
                }
            }
        }
    }
    at.node_count += f->region_count;
    assert_true(at.node_count < NODES_MAX && at.polygon_count + s->polygons.count < NODES_MAX);
    for (uint32_t p = 0; p < s->polygons.count; ++p) {
        const uint32_t region = s->polygons.regions[p];
        at.polygon_nodes[at.polygon_count] = region == 0 ? 0 : base + region;
        at.polygon_plain[at.polygon_count++] = is_plain(s, s->polygons.areas[p]);
    }
    nav_blob *blob = &at.tiles[at.tile_count++];
    *blob = s->blob;
    if (blob->size_bytes > 0) {
        void *bytes = nav_arena_alloc(&at.arena, blob->size_bytes, 1);
        memcpy(bytes, blob->bytes, blob->size_bytes);
        blob->bytes = bytes;
    }
}

// ---- the property ----

static void flood_cells(uint32_t *sets, bool plain_only)
{
    for (uint32_t i = 0; i < NODES_MAX; ++i) {
        sets[i] = i;
    }
    for (uint32_t i = 0; i < at.link_count; ++i) {
        const uint32_t *link = at.links[i];
        if (!plain_only || (at.plain[link[0]] && at.plain[link[1]])) {
            nav_sets_unite(sets, link[0], link[1]);
        }
    }
    for (uint32_t i = 0; i < at.crossing_count; ++i) {
        const uint32_t x = at.crossings[i].x, z = at.crossings[i].z;
        for (int k = 0; k < FLOORS_MAX; ++k) {
            const uint32_t from = at.crossings[i].node, to = at.cells[z][x][k].node;
            if (to != 0 && at.cells[z][x][k].floor == at.crossings[i].floor &&
                (!plain_only || (at.plain[from] && at.plain[to]))) {
                nav_sets_unite(sets, from, to);
            }
        }
    }
}

static void flood_polygons(const nav_mesh *mesh, uint32_t *sets, bool plain_only)
{
    for (uint32_t i = 0; i < NODES_MAX; ++i) {
        sets[i] = i;
    }
    for (uint32_t i = 0; i < mesh->edge_portal_count; ++i) {
        const nav_portal *p = &mesh->portals[i];
        if (!plain_only || (at.polygon_plain[p->from] && at.polygon_plain[p->to])) {
            nav_sets_unite(sets, p->from, p->to);
        }
    }
}

// Two polygons are of one set exactly if their regions are.
// Returns how many sets there are.
static uint32_t expect_same_sets(const nav_mesh *mesh, bool plain_only)
{
    uint32_t count = 0;
    static uint32_t cells[NODES_MAX], polygons[NODES_MAX], known[NODES_MAX], named[NODES_MAX];
    flood_cells(cells, plain_only);
    flood_polygons(mesh, polygons, plain_only);
    memset(known, 0xff, sizeof known);
    memset(named, 0xff, sizeof named);
    for (uint32_t p = 0; p < at.polygon_count; ++p) {
        if (at.polygon_nodes[p] == 0 || (plain_only && !at.polygon_plain[p])) {
            continue;
        }
        const uint32_t cell = nav_set_of(cells, at.polygon_nodes[p]);
        const uint32_t polygon = nav_set_of(polygons, p);
        const float *corner = mesh->vertices[mesh->corners[mesh->records[p].corner_first]];
        if (known[cell] == NAV_NONE) {
            known[cell] = polygon;
            ++count;
        } else if (known[cell] != polygon) {
            fail_msg("polygon %u at %.2f, %.2f is apart, though its cells are not%s", p,
                     (double)corner[0], (double)corner[2], plain_only ? " (ground only)" : "");
        }
        if (named[polygon] == NAV_NONE) {
            named[polygon] = cell;
        } else if (named[polygon] != cell) {
            fail_msg("polygon %u at %.2f, %.2f is reached, though its cells are not%s", p,
                     (double)corner[0], (double)corner[2], plain_only ? " (ground only)" : "");
        }
    }
    return count;
}

// Of the level that was begun; returns how many sets there are without lava and doors.
static uint32_t expect_as_in_cells(world *w)
{
    for_all_tiles(w, gather_tile);
    nav_mesh *mesh = NULL;
    nav_status status =
        nav_mesh_create(at.tiles, at.tile_count, &w->config, NULL, &mesh, NULL, NULL);
    uint32_t sets = 0;
    if (status == NAV_OK) {
        assert_int_equal(mesh->stats.polygons, at.polygon_count);
        expect_same_sets(mesh, false);
        sets = expect_same_sets(mesh, true);
    } else {
        assert_int_equal(status, NAV_MESH_EMPTY);
    }
    nav_mesh_release(mesh);
    nav_arena_free(&at.arena);
    return sets;
}

static void random_level_is_as_in_cells(world *w)
{
    build_level(w);
    (void)expect_as_in_cells(w);
}

static void thin_walls_part_what_they_part_in_cells(void **state)
{
    (void)state;
    for_all_worlds(2000, random_level_is_as_in_cells);
}

// From corner to corner: a wall, boxes that touch at their corners, lava where an agent of any
// radius may stand, a door.
static void a_diagonal_divides_a_floor(void **state)
{
    (void)state;
    static const float from[2] = {0, 0}, way[2] = {1, 1}, to[2] = {96, 96};
    world *w = calloc(1, sizeof *w);
    assert_non_null(w);
    for (uint32_t i = 0; i < 6 * 3 * 2 * 4; ++i) {
        const uint32_t kind = i % 4;
        begin_level(w, SIZES[i / 24], 96);
        w->config.agent_radius = i / 4 % 2 == 0 ? 0 : 0.5f;
        w->config.partition = (nav_partition)(i / 8 % 3);
        const float tall = 3 / w->config.cell_height;
        if (kind == 0) {
            add_sheet(w, from, to, tall);
        } else if (kind == 3) {
            add_door(w, from, to);
        } else {
            add_row(w, from, way, kind == 1 ? tall : 0, kind == 1 ? NAV_AREA_GROUND : LAVA);
        }
        assert_int_equal(expect_as_in_cells(w), 2);
    }
    free(w);
}

// One region may lie on both sides of it.
static void a_wall_that_ends_is_walked_around(void **state)
{
    (void)state;
    world *w = calloc(1, sizeof *w);
    nav_scratch *scratch = NULL;
    assert_non_null(w);
    assert_int_equal(nav_scratch_create(NULL, &scratch), NAV_OK);
    for (uint32_t i = 0; i < 6 * 3; ++i) {
        const float cell = SIZES[i / 3];
        begin_level(w, cell, 96);
        w->config.agent_radius = 0;
        w->config.partition = (nav_partition)(i % 3);
        add_sheet(w, (const float[2]){0, 0}, (const float[2]){80, 80}, 3 / w->config.cell_height);
        for_all_tiles(w, gather_tile);
        nav_mesh *mesh = NULL;
        assert_int_equal(
            nav_mesh_create(at.tiles, at.tile_count, &w->config, NULL, &mesh, NULL, NULL), NAV_OK);
        for (float along = 10; along < 70; along += 3) {
            const nav_path_request request = {.start = {cell * (along + 3), 0, cell * along},
                                              .end = {cell * along, 0, cell * (along + 3)},
                                              .options = nav_options_default()};
            nav_path path;
            assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
            const float around = 2 * 1.414f * cell * (80 - along - 3);
            assert_in_range(path.length * 1000, around * 980, around * 1300);
        }
        nav_mesh_release(mesh);
        nav_arena_free(&at.arena);
    }
    nav_scratch_destroy(scratch);
    free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_diagonal_divides_a_floor),
        cmocka_unit_test(a_wall_that_ends_is_walked_around),
        cmocka_unit_test_teardown(thin_walls_part_what_they_part_in_cells, name_world),
    };
    return cmocka_run_group_tests_name("mesh_thin_walls", tests, NULL, NULL);
}
