// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// Files of Detour's tiles become tiles of ours: polygons, areas, flags, links and borders as they
// are there; whatever else a file says is refused with a code, or harmless.

#include "tests/unit/proto/detour/made_tiles.h"
#include "proto/base/status.h"
#include "proto/detour/detour.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

// A file as it is imported.
typedef struct imported {
    proto_detour *file;
    nav_arena memory, scratch, result;
    nav_config config;
    nav_blob blobs[4];
    nav_mesh *mesh;
    nav_error err;
} imported;

static nav_status import(imported *in, const void *bytes, size_t size_bytes)
{
    *in = (imported){.config = nav_config_default()};
    nav_arena_init(&in->memory, NULL, 0);
    nav_arena_init(&in->scratch, NULL, 0);
    nav_arena_init(&in->result, NULL, 0);
    nav_status status = proto_detour_open(bytes, size_bytes, NULL, &in->file, &in->err);
    if (status == NAV_OK) {
        status = proto_detour_settings(in->file, &in->memory, &in->config, &in->err);
    }
    if (status == NAV_OK) {
        status = proto_detour_check(in->file, &in->config, 0, NULL, &in->err);
    }
    const uint32_t count = status == NAV_OK ? proto_detour_count(in->file).tiles : 0;
    for (uint32_t i = 0; status == NAV_OK && i < count && i < 4; i++) {
        status = proto_detour_tile(in->file, i, &in->config, NULL, &in->scratch, &in->result,
                                   &in->blobs[i], NULL, &in->err);
    }
    if (status == NAV_OK) {
        status = nav_mesh_create(in->blobs, count < 4 ? count : 4, &in->config, NULL, &in->mesh,
                                 NULL, &in->err);
    }
    return status;
}

static void drop(imported *in)
{
    nav_mesh_release(in->mesh);
    proto_detour_close(in->file);
    nav_arena_free(&in->memory);
    nav_arena_free(&in->scratch);
    nav_arena_free(&in->result);
}

static nav_path_status path_between(const nav_mesh *mesh, float x, float end_x, float *length)
{
    nav_scratch *scratch = NULL;
    assert_int_equal(nav_scratch_create(NULL, &scratch), NAV_OK);
    const nav_path_request request = {
        .options.snap = nav_snap_default(), .start = {x, 0, 3}, .end = {end_x, 0, 3}};
    nav_path path = {0};
    const nav_status status = nav_query_path(mesh, scratch, &request, &path);
    const nav_path_status found = status == NAV_OK ? path.status : NAV_PATH_NONE;
    *length = (float)path.length;
    nav_scratch_destroy(scratch);
    return found;
}

static void mset_becomes_a_mesh(void **state)
{
    (void)state;
    made_bytes file;
    imported in;
    float length;
    made_mset(&file);
    assert_int_equal(import(&in, file.at, file.count), NAV_OK);
    nav_mesh_stats stats;
    nav_mesh_stats_get(in.mesh, &stats);
    assert_int_equal(stats.polygons, 3);
    assert_int_equal(stats.links, 1);
    assert_float_equal(stats.walkable_area, 32, 1e-6);
    assert_int_equal(stats.components, 1);
    assert_int_equal(path_between(in.mesh, 0.5f, 7.5f, &length), NAV_PATH_COMPLETE);
    assert_true(length >= 7.0f && length < 7.2f);
    assert_float_equal(in.config.agent_radius, 0.5, 0);
    assert_float_equal(in.config.cell_size, 0.25, 0);
    drop(&in);
}

static void areas_flags_and_links_have_names(void **state)
{
    (void)state;
    made_bytes file;
    imported in;
    made_mset(&file);
    assert_int_equal(import(&in, file.at, file.count), NAV_OK);
    assert_int_equal(in.config.area_count, 4);
    assert_string_equal(in.config.areas[1].name, "ground");
    assert_string_equal(in.config.areas[2].name, "area_5");
    assert_string_equal(in.config.areas[3].name, "area_9");
    assert_int_equal(in.config.flag_count, 3);
    assert_string_equal(in.config.flag_names[1], "flag_2");
    assert_int_equal(in.config.areas[1].flags, 1);
    assert_int_equal(in.config.areas[3].flags, 2);
    assert_int_equal(in.config.link_count, 1);
    assert_string_equal(in.config.links[0].id, "77");
    assert_int_equal(in.config.links[0].area, 2);
    assert_true(in.config.links[0].bidirectional);
    drop(&in);
}

static void settings_keep_their_costs_and_names(void **state)
{
    (void)state;
    made_bytes file;
    made_mset(&file);
    proto_detour *d = NULL;
    nav_arena memory;
    nav_error err = {0};
    nav_arena_init(&memory, NULL, 0);
    assert_int_equal(proto_detour_open(file.at, file.count, NULL, &d, &err), NAV_OK);
    const nav_name flags[] = {"aerial", "walk"};
    const nav_area areas[] = {{.name = "none", .cost = 1},
                              {.name = "ground", .cost = 2, .flags = 2},
                              {.name = "area_9", .cost = 7, .flags = 1},
                              {.name = "zone", .cost = 3}};
    const nav_named_filter filters[] = {
        {.name = "cart", .filter = {.exclude = 1, .area_costs = {[2] = 5, [3] = 6}}}};
    nav_config config = nav_config_default();
    config.flag_names = flags;
    config.flag_count = 2;
    config.areas = areas;
    config.area_count = 4;
    config.filters = filters;
    config.filter_count = 1;
    assert_int_equal(proto_detour_settings(d, &memory, &config, &err), NAV_OK);
    assert_int_equal(config.area_count, 5);
    assert_string_equal(config.areas[2].name, "area_5");
    assert_string_equal(config.areas[3].name, "area_9");
    assert_float_equal(config.areas[3].cost, 7, 0);
    assert_float_equal(config.areas[1].cost, 2, 0);
    // aerial, flag_0, flag_2, flag_3, walk
    assert_int_equal(config.flag_count, 5);
    assert_int_equal(config.areas[1].flags, 1 << 4 | 1 << 1);
    assert_int_equal(config.areas[3].flags, 1 << 0 | 1 << 2);
    assert_float_equal(config.filters[0].filter.area_costs[3], 5, 0);
    assert_float_equal(config.filters[0].filter.area_costs[4], 6, 0);
    assert_int_equal(config.filters[0].filter.exclude, 1);
    const nav_volume volume = {.shape = NAV_VOLUME_BOX};
    nav_config baked = nav_config_default();
    baked.volumes = &volume;
    baked.volume_count = 1;
    assert_int_equal(proto_detour_settings(d, &memory, &baked, &err), NAV_INVALID_FIELD);
    assert_string_equal(err.at, "volumes");
    proto_detour_close(d);
    nav_arena_free(&memory);
}

static void archives_of_a_map_are_read(void **state)
{
    (void)state;
    made_bytes file;
    imported in;
    float length;
    made_tar(&file);
    assert_int_equal(import(&in, file.at, file.count), NAV_OK);
    assert_int_equal(in.config.area_count, 5);
    assert_string_equal(in.config.areas[3].name, "area_63");
    assert_string_equal(in.config.areas[4].name, "water");
    assert_int_equal(path_between(in.mesh, 0.5f, 7.5f, &length), NAV_PATH_COMPLETE);
    drop(&in);
}

static void archives_of_several_maps_are_refused_by_name(void **state)
{
    (void)state;
    made_bytes file = {.count = 0};
    imported in;
    const proto_detour_params params = made_params();
    made_member(&file, "000.mmap", '0', &params, sizeof params);
    made_mmtile(&file, "5300000.mmtile", 0, false);
    assert_int_equal(import(&in, file.at, file.count), PROTO_BAD_GEOMETRY);
    assert_non_null(strstr(in.err.detail, "map 0 and of map 530"));
    drop(&in);
}

static void pax_and_gnu_names_are_followed(void **state)
{
    (void)state;
    made_bytes file = {.count = 0};
    imported in;
    const proto_detour_params params = made_params();
    const char pax[] = "27 path=a/b/530_00_00.mmtile\n";
    char record[40];
    const int length = snprintf(record, sizeof record, "%s", pax);
    record[0] = '2';
    record[1] = '9';
    made_member(&file, "././@LongLink", 'L', "far/away/530.mmap", 18);
    made_member(&file, "cut", '0', &params, sizeof params);
    made_member(&file, "x", 'x', record, (size_t)length);
    made_mmtile(&file, "cut", 0, false);
    assert_int_equal(import(&in, file.at, file.count), NAV_OK);
    drop(&in);
}

static void expect_refused(const made_bytes *file, nav_status status, const char *at,
                           const char *words)
{
    imported in;
    assert_int_equal(import(&in, file->at, file->count), status);
    assert_string_equal(in.err.at, at);
    assert_non_null(strstr(in.err.detail, words));
    drop(&in);
}

#define FIRST_TILE (sizeof(proto_mset_header) + sizeof(proto_mset_tile))

static void put(made_bytes *file, size_t at, const void *bytes, size_t count)
{
    memcpy(file->at + at, bytes, count);
}

static void faults_are_named(void **state)
{
    (void)state;
    made_bytes file;
    const size_t vertices = FIRST_TILE + sizeof(proto_detour_header);
    const size_t polygons = vertices + 8 * 12;
    const float nan = __builtin_nanf(""), far = 2e6f, dent[3] = {1, 0, 1};
    const uint16_t beyond = 8, other = 2, side = 0x8003;
    made_mset(&file);
    put(&file, vertices + 4, &nan, 4);
    expect_refused(&file, NAV_VERTEX_NOT_FINITE, "tile 0,0", "y of vertex 0 is NaN,");
    made_mset(&file);
    put(&file, vertices, &far, 4);
    expect_refused(&file, NAV_VERTEX_OUT_OF_RANGE, "tile 0,0", "x of vertex 0");
    made_mset(&file);
    put(&file, vertices + 2 * 12, dent, 12);
    expect_refused(&file, NAV_BAD_BLOB, "tile 0,0", "polygon 0 is not convex");
    made_mset(&file);
    put(&file, polygons + 4, &beyond, 2);
    expect_refused(&file, NAV_BAD_BLOB, "tile 0,0", "polygon 0 names a vertex");
    made_mset(&file);
    put(&file, polygons + 4 + 12, &other, 2); // its first edge
    expect_refused(&file, NAV_BAD_BLOB, "tile 0,0", "does not lead back");
    made_mset(&file);
    put(&file, polygons + 4 + 12, &side, 2);
    expect_refused(&file, NAV_BAD_BLOB, "tile 0,0", "a side that a tile does not have");
    made_mset(&file);
    file.count -= 1;
    expect_refused(&file, PROTO_BAD_GEOMETRY, "tiles[1]", "beyond the end");
    made_mset(&file);
    file.count += 1;
    expect_refused(&file, PROTO_BAD_GEOMETRY, "", "1 bytes follow");
    made_mset_begin(&file, 2);
    made_mset_tile(&file, 0, 0);
    made_mset_tile(&file, 0, 0);
    expect_refused(&file, NAV_BAD_BLOB, "tile 0,0", "is there twice");
    made_mset_begin(&file, 0);
    expect_refused(&file, NAV_MESH_EMPTY, "", "no tile");
}

static void layers_are_tiles_of_their_own(void **state)
{
    (void)state;
    made_bytes file;
    imported in;
    made_mset_begin(&file, 3);
    made_mset_tile(&file, 1, 2);
    made_mset_tile(&file, 0, 0);
    made_mset_tile(&file, 1, 0);
    assert_int_equal(import(&in, file.at, file.count), NAV_OK);
    uint32_t x, z;
    proto_detour_place(in.file, 2, &x, &z);
    assert_int_equal(x, 1);
    assert_int_equal(z, 2);
    nav_mesh_stats stats;
    nav_mesh_stats_get(in.mesh, &stats);
    assert_int_equal(stats.polygons, 4);
    drop(&in);
}

static void ground_without_flags_is_left_out(void **state)
{
    (void)state;
    made_bytes file;
    imported in;
    float length;
    const uint16_t none = 0;
    const size_t second =
        FIRST_TILE + sizeof(proto_detour_header) + 8 * 12 + sizeof(proto_detour_polygon);
    made_mset(&file);
    put(&file, second + offsetof(proto_detour_polygon, flags), &none, sizeof none);
    assert_int_equal(import(&in, file.at, file.count), NAV_OK);
    nav_mesh_stats stats;
    nav_mesh_stats_get(in.mesh, &stats);
    assert_int_equal(stats.polygons, 2);
    assert_int_equal(path_between(in.mesh, 0.5f, 7.5f, &length), NAV_PATH_COMPLETE); // by the link
    drop(&in);
}

// Every byte in turn, with values that are ends of ranges, and every 32-bit word with some that no
// count, index or float may be.
static void sweep(const made_bytes *made, uint32_t *refused)
{
    static const uint32_t words[] = {0,          1,          0x7fffffff, 0x80000000,
                                     0xffffffff, 0x7fc00000, 0x4b189680};
    static const uint8_t flips[] = {0x01, 0x80, 0xff};
    for (size_t i = 0; i < made->count; i++) {
        for (size_t k = 0; k < 10; k++) {
            made_bytes file = *made;
            imported in;
            float length;
            if (k < 3) {
                file.at[i] ^= flips[k];
            } else if (i % 4 == 0 && i + 4 <= made->count) {
                memcpy(file.at + i, &words[k - 3], 4);
            } else {
                continue;
            }
            const nav_status status = import(&in, file.at, file.count);
            if (status == NAV_OK) {
                (void)path_between(in.mesh, 0.5f, 7.5f, &length);
            } else {
                assert_true(status == NAV_BAD_BLOB || status == NAV_VERTEX_NOT_FINITE ||
                            status == NAV_VERTEX_OUT_OF_RANGE || status == PROTO_BAD_GEOMETRY ||
                            status == NAV_MESH_EMPTY || status == NAV_GEOMETRY_TOO_LARGE ||
                            status == NAV_INVALID_FIELD);
                assert_true(in.err.detail[0] != '\0');
                ++*refused;
            }
            drop(&in);
        }
    }
}

static void any_change_is_refused_or_harmless(void **state)
{
    (void)state;
    made_bytes file;
    uint32_t refused = 0;
    made_mset(&file);
    sweep(&file, &refused);
    assert_true(refused > 500);
    made_bytes archive;
    refused = 0;
    made_tar(&archive);
    archive.count -= 1024;
    sweep(&archive, &refused);
    assert_true(refused > 500);
}

static void any_cut_is_refused(void **state)
{
    (void)state;
    made_bytes made;
    made_mset(&made);
    for (size_t count = 0; count < made.count; count++) {
        imported in;
        uint8_t *exact = malloc(count + 1); // so that a sanitizer sees what is read behind it
        assert_non_null(exact);
        memcpy(exact + 1, made.at, count);
        assert_int_not_equal(import(&in, exact + 1, count), NAV_OK);
        drop(&in);
        free(exact);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mset_becomes_a_mesh),
        cmocka_unit_test(areas_flags_and_links_have_names),
        cmocka_unit_test(settings_keep_their_costs_and_names),
        cmocka_unit_test(archives_of_a_map_are_read),
        cmocka_unit_test(archives_of_several_maps_are_refused_by_name),
        cmocka_unit_test(pax_and_gnu_names_are_followed),
        cmocka_unit_test(faults_are_named),
        cmocka_unit_test(layers_are_tiles_of_their_own),
        cmocka_unit_test(ground_without_flags_is_left_out),
        cmocka_unit_test(any_change_is_refused_or_harmless),
        cmocka_unit_test(any_cut_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
