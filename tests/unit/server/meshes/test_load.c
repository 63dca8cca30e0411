// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_load.c: a mesh comes out of the store as it went in, or its damaged tile is named, whichever
// byte it is; who loads it, or geometry, can be told to stop.

#include "server/meshes/load.h"

#include "server/base/pack.h"
#include "server/store/db.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/asked.h"
#include "tests/unit/store_fixture.h"

typedef struct fixture {
    store_fixture store;
    nav_arena scratch, result;
    nav_blob blob;
    store_tile tile; // its packed bytes are those stored last
} fixture;

// A floor of 10 by 10 units.
static void bake(fixture *f)
{
    static const float vertices[] = {0, 0, 0, 10, 0, 0, 10, 0, 10, 0, 0, 10};
    static const uint32_t triangles[] = {0, 2, 1, 0, 3, 2};
    const nav_geometry floor = {
        .vertices = vertices, .triangles = triangles, .vertex_count = 4, .triangle_count = 2};
    const nav_config config = nav_config_default();
    nav_grid grid;
    assert_int_equal(nav_bake_plan(&floor, &config, 0, &grid, NULL), NAV_OK);
    assert_int_equal(nav_bake_tile(&floor, &config, &grid, NULL, 0, 0, NULL, &f->scratch,
                                   &f->result, &f->blob, NULL, NULL),
                     NAV_OK);
}

static void pack(fixture *f, const void *bytes)
{
    free(f->tile.packed);
    assert_int_equal(
        pack_compress(bytes, f->blob.size_bytes, &f->tile.packed, &f->tile.packed_bytes, NULL),
        NAV_OK);
    store_tile_hash_packed(&f->tile);
}

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    store_fixture_init(&f->store);
    store_fixture_open(&f->store);
    nav_arena_init(&f->scratch, NULL, 0);
    nav_arena_init(&f->result, NULL, 0);
    bake(f);
    f->tile.bytes = f->blob.size_bytes;
    nav_sha256 hash;
    nav_sha256_init(&hash);
    nav_sha256_add(&hash, f->blob.bytes, f->blob.size_bytes);
    nav_sha256_end(&hash, f->tile.hash);
    pack(f, f->blob.bytes);
    const uint32_t version = store_fixture_add_baked(f->store.disk, "m", 1, &f->tile);
    store_tile *tiles;
    size_t count;
    assert_int_equal(store_tiles_load(f->store.disk, "m", version, &tiles, &count, NULL), NAV_OK);
    assert_int_equal(count, 1);
    f->tile.id = tiles[0].id;
    store_tiles_free(tiles, count);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    store_fixture_free(&f->store);
    nav_arena_free(&f->scratch);
    nav_arena_free(&f->result);
    free(f->tile.packed);
    free(f);
    return 0;
}

static void a_mesh_comes_out_as_it_went_in(void **state)
{
    fixture *f = *state;
    nav_mesh *mesh = NULL;
    nav_mesh_stats stats;
    assert_int_equal(load_mesh(f->store.disk, "m", 1, NULL, NULL, &mesh, NULL), NAV_OK);
    nav_mesh_stats_get(mesh, &stats);
    assert_int_equal(stats.tiles, 1);
    assert_true(stats.polygons > 0);
    nav_mesh_release(mesh);
}

// Its row anew, whatever is in it.
static void put_tile(const fixture *f)
{
    int64_t blob = 0;
    store_tile tile = f->tile;
    assert_int_equal(store_write_begin(f->store.disk, NULL), NAV_OK);
    nav_status status = store_blob_insert_locked(f->store.disk, &tile, &blob, NULL);
    NAV_IF_OK(status, store_tile_write_locked(f->store.disk, &tile, blob, NULL));
    assert_int_equal(store_write_end(f->store.disk, status, NULL), NAV_OK);
}

static void assert_damage_is_named(fixture *f)
{
    nav_mesh *mesh = NULL;
    nav_error err = {0};
    put_tile(f);
    assert_int_equal(load_mesh(f->store.disk, "m", 1, NULL, NULL, &mesh, &err), PROTO_INTERNAL);
    assert_null(mesh);
    assert_non_null(strstr(err.detail, "version 1 of mesh 'm' is damaged"));
    assert_string_equal(err.at, "tile 0,0");
}

// Bytes that unpack well and are others: what zstd does not see.
static void any_byte_of_a_tile_that_is_another_is_seen(void **state)
{
    fixture *f = *state;
    uint8_t *bytes = malloc(f->blob.size_bytes);
    assert_non_null(bytes);
    for (size_t at = 0; at < f->blob.size_bytes; at += at < 128 ? 1 : 29) {
        memcpy(bytes, f->blob.bytes, f->blob.size_bytes);
        bytes[at] ^= 0x10;
        pack(f, bytes);
        assert_damage_is_named(f);
    }
    free(bytes);
    pack(f, f->blob.bytes);
    put_tile(f);
    a_mesh_comes_out_as_it_went_in(state);
}

static void packed_bytes_that_are_cut_or_others_are_seen(void **state)
{
    fixture *f = *state;
    f->tile.packed_bytes--;
    assert_damage_is_named(f);
    f->tile.packed_bytes = 1;
    assert_damage_is_named(f);
    pack(f, f->blob.bytes);
    f->tile.bytes++;
    assert_damage_is_named(f);
    f->tile.bytes -= 2;
    assert_damage_is_named(f);
}

// By its checksum the directory is whole: nothing is taken from its word for so many bytes.
static void a_size_that_cannot_be_is_damage(void **state)
{
    static const uint64_t sizes[] = {INT64_MAX, (uint64_t)1 << 50};
    fixture *f = *state;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        f->tile.bytes = sizes[i];
        assert_damage_is_named(f);
    }
}

// Its row has a checksum that is right.
static void an_agent_that_cannot_be_is_damage(void **state)
{
    fixture *f = *state;
    nav_mesh *mesh = NULL;
    nav_error err = {0};
    store_tile tile = f->tile;
    tile.agent = NAV_ALL_AGENTS;
    (void)store_fixture_add_baked(f->store.disk, "n", 2, &tile);
    assert_int_equal(load_mesh(f->store.disk, "n", 1, NULL, NULL, &mesh, &err), PROTO_INTERNAL);
    assert_non_null(strstr(err.detail, "the list of its tiles"));
    assert_null(mesh);
}

static void put_landmarks(const fixture *f, uint64_t fingerprint, const void *packed,
                          size_t packed_bytes, uint64_t bytes)
{
    char sql[512], hex[257] = "";
    assert_true(packed_bytes * 2 < sizeof hex);
    for (size_t i = 0; i < packed_bytes; i++) {
        (void)snprintf(hex + 2 * i, 3, "%02x", ((const uint8_t *)packed)[i]);
    }
    (void)snprintf(sql, sizeof sql,
                   "INSERT OR REPLACE INTO version_landmarks VALUES (1, 1, 0, %lld, %llu, x'%s')",
                   (long long)fingerprint, (unsigned long long)bytes, hex);
    store_fixture_execute(&f->store, sql);
}

// They make searches faster, no more: a mesh is worth serving without them.
static void damaged_landmarks_are_left_out(void **state)
{
    static const char junk[64] = "no landmarks";
    fixture *f = *state;
    nav_mesh *mesh = NULL;
    void *packed;
    size_t packed_bytes;
    assert_int_equal(load_mesh(f->store.disk, "m", 1, NULL, NULL, &mesh, NULL), NAV_OK);
    const uint64_t fingerprint = nav_landmarks_fingerprint(mesh);
    nav_mesh_release(mesh);
    put_landmarks(f, fingerprint, junk, sizeof junk, 5000); // no frame
    a_mesh_comes_out_as_it_went_in(state);
    assert_int_equal(pack_compress(junk, sizeof junk, &packed, &packed_bytes, NULL), NAV_OK);
    put_landmarks(f, fingerprint, packed, packed_bytes, sizeof junk); // a frame of something else
    a_mesh_comes_out_as_it_went_in(state);
    put_landmarks(f, fingerprint, packed, packed_bytes, UINT64_C(1) << 62);
    a_mesh_comes_out_as_it_went_in(state);
    free(packed);
}

// Without harm, whenever that is.
static void the_loading_of_a_mesh_can_end_at_every_question(void **state)
{
    fixture *f = *state;
    asked all = {0};
    for (uint32_t i = 0; i <= all.count; i++) {
        asked a = {.cancel_at = i};
        const nav_bake_hooks hooks = asked_hooks(&a);
        nav_mesh *mesh = NULL;
        nav_error err = {0};
        assert_int_equal(load_mesh(f->store.disk, "m", 1, &hooks, NULL, &mesh, &err),
                         i == 0 ? NAV_OK : NAV_CANCELLED);
        nav_mesh_release(mesh);
        if (i == 0) {
            assert_true(a.count >= 2); // for the tile, and when the mesh is made
            all = a;
        } else {
            assert_null(mesh);
            assert_int_equal(err.status, NAV_CANCELLED);
            assert_int_equal(a.count, i);
        }
    }
}

enum {
    SIDE = 200 // squares
};

// A floor in many squares, as version 1 of mesh g.
static void store_floor(const fixture *f, bool whole)
{
    float *vertices = malloc(sizeof(float[3]) * (SIDE + 1) * (SIDE + 1));
    uint32_t *triangles = malloc(sizeof(uint32_t[6]) * SIDE * SIDE);
    assert_true(vertices != NULL && triangles != NULL);
    for (uint32_t i = 0; i < (SIDE + 1) * (SIDE + 1); i++) {
        vertices[3 * i] = (float)(i % (SIDE + 1));
        vertices[3 * i + 1] = (float)(i * 7919 % 100) / 1000;
        vertices[3 * i + 2] = (float)(i / (SIDE + 1));
    }
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        const uint32_t at = i / SIDE * (SIDE + 1) + i % SIDE;
        const uint32_t square[6] = {at,     at + SIDE + 1, at + 1,
                                    at + 1, at + SIDE + 1, at + SIDE + 2};
        memcpy(triangles + 6 * (size_t)i, square, sizeof square);
    }
    const nav_geometry floor = {.vertices = vertices,
                                .triangles = triangles,
                                .vertex_count = (SIDE + 1) * (SIDE + 1),
                                .triangle_count = 2 * SIDE * SIDE};
    const size_t size_bytes = proto_geometry_packed_size(&floor);
    uint8_t *bytes = malloc(size_bytes);
    void *packed = NULL;
    size_t packed_bytes = 0;
    uint32_t version;
    bool existing;
    assert_non_null(bytes);
    proto_geometry_pack(&floor, bytes);
    uint8_t digest[32];
    nav_sha256 hash;
    nav_sha256_init(&hash);
    nav_sha256_add(&hash, bytes, size_bytes);
    nav_sha256_end(&hash, digest);
    bytes[100] ^= whole ? 0 : 1; // a coordinate's last bits
    assert_int_equal(pack_compress(bytes, size_bytes, &packed, &packed_bytes, NULL), NAV_OK);
    const uint8_t key[32] = {2};
    const store_upload sent = {.mesh = "g",
                               .content_key = key,
                               .geometry_hash = digest,
                               .geometry = packed,
                               .geometry_bytes = packed_bytes,
                               .geometry_unpacked_bytes = size_bytes,
                               .geometry_json = "{}",
                               .config_json = "{}",
                               .tiles_total = 1};
    assert_int_equal(store_version_insert(f->store.disk, &sent, &version, &existing, NULL), NAV_OK);
    free(packed);
    free(bytes);
    free(triangles);
    free(vertices);
}

static void the_loading_of_geometry_can_end_at_every_question(void **state)
{
    fixture *f = *state;
    asked all = {0};
    store_floor(f, true);
    for (uint32_t i = 0; i <= all.count; i++) {
        asked a = {.cancel_at = i};
        const nav_bake_hooks hooks = asked_hooks(&a);
        proto_geometry_reader *reader = NULL;
        nav_geometry geometry = {.vertex_count = 7};
        nav_error err = {0};
        assert_int_equal(load_geometry(f->store.disk, "g", 1, &hooks, &reader, &geometry, &err),
                         i == 0 ? NAV_OK : NAV_CANCELLED);
        if (i == 0) {
            assert_int_equal(geometry.triangle_count, 2 * SIDE * SIDE);
            assert_true(a.count >= 10); // once for each 128 KiB
            all = a;
        } else {
            assert_null(reader);
            assert_int_equal(geometry.vertex_count, 7);
            assert_int_equal(err.status, NAV_CANCELLED);
            assert_int_equal(a.count, i);
        }
        proto_geometry_destroy(reader);
    }
}

static void geometry_that_is_another_is_seen(void **state)
{
    fixture *f = *state;
    proto_geometry_reader *reader = NULL;
    nav_geometry geometry;
    nav_error err = {0};
    store_floor(f, false);
    assert_int_equal(load_geometry(f->store.disk, "g", 1, NULL, &reader, &geometry, &err),
                     PROTO_INTERNAL);
    assert_null(reader);
    assert_non_null(
        strstr(err.detail, "version 1 of mesh 'g' is damaged in the database: its geometry"));
}

// That is damage, and no version that is missing: who removes one takes its geometry as well.
static void geometry_that_is_not_there_is_damage(void **state)
{
    fixture *f = *state;
    proto_geometry_reader *reader = NULL;
    nav_geometry geometry;
    nav_error err = {0};
    void *bytes = NULL;
    size_t size_bytes;
    store_fixture_execute(&f->store, "UPDATE versions SET geometry_hash = x'07'");
    assert_int_equal(load_geometry(f->store.disk, "m", 1, NULL, &reader, &geometry, &err),
                     PROTO_INTERNAL);
    assert_null(reader);
    assert_non_null(strstr(err.detail, "version 1 of mesh 'm' is damaged"));
    assert_int_equal(load_geometry_bytes(f->store.disk, "m", 1, &bytes, &size_bytes, NULL),
                     PROTO_INTERNAL);
    assert_int_equal(load_geometry_bytes(f->store.disk, "m", 2, &bytes, &size_bytes, NULL),
                     PROTO_VERSION_NOT_FOUND);
    assert_null(bytes);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_mesh_comes_out_as_it_went_in),
        TEST(any_byte_of_a_tile_that_is_another_is_seen),
        TEST(packed_bytes_that_are_cut_or_others_are_seen),
        TEST(a_size_that_cannot_be_is_damage),
        TEST(an_agent_that_cannot_be_is_damage),
        TEST(damaged_landmarks_are_left_out),
        TEST(the_loading_of_a_mesh_can_end_at_every_question),
        TEST(the_loading_of_geometry_can_end_at_every_question),
        TEST(geometry_that_is_another_is_seen),
        TEST(geometry_that_is_not_there_is_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
