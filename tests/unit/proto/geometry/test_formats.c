// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_formats.c: where nobody says the format, the first bytes tell it; where somebody says
// another one than they do, what it is has a name in the refusal. However the bytes are cut.

#include "proto/geometry/geometry.h"
#include "tests/unit/geometry_text.h"

#include <stdio.h>

#define OBJ "v 0 0 0\nv 0 0 4\nv 4 0 4\nf 1 2 3\n"
#define JSON "{\"vertices\":[0,0,0,0,0,4,4,0,4],\"triangles\":[0,1,2]}"
#define STL                                                                                        \
    "solid a\nfacet normal 0 1 0\nouter loop\nvertex 0 0 0\nvertex 0 0 4\nvertex 4 0 4\nendloop\n" \
    "endfacet\nendsolid a\n"
#define PLY_AS(format)                                                                             \
    "ply\nformat " format " 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"           \
    "property float z\nelement face 1\nproperty list uchar uchar vertex_indices\nend_header\n"
#define PLY PLY_AS("ascii") "0 0 0\n0 0 4\n4 0 4\n3 0 1 2\n"
#define BINARY_PLY                                                                                 \
    PLY_AS("binary_little_endian")                                                                 \
    "\0\0\0\0\0\0\0\0\0\0\0\0"                                                                     \
    "\0\0\0\0\0\0\0\0\0\0\x80\x40"                                                                 \
    "\0\0\x80\x40\0\0\0\0\0\0\x80\x40"                                                             \
    "\3\0\1\2"
#define NAME "0123456789abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstuvwxyz01234567"
#define BINARY(name)                                                                               \
    name "\1\0\0\0"                                                                                \
         "\0\0\0\0\0\0\0\0\0\0\0\0"                                                                \
         "\0\0\0\0\0\0\0\0\0\0\0\0"                                                                \
         "\0\0\0\0\0\0\0\0\0\0\x80\x40"                                                            \
         "\0\0\x80\x40\0\0\0\0\0\0\x80\x40"                                                        \
         "\0"
#define PACKED                                                                                     \
    "NAVG\1\0\0\0\3\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0"                                                 \
    "\0\0\0\0\0\0\0\0\0\0\0\0"                                                                     \
    "\0\0\0\0\0\0\0\0\0\0\x80\x40"                                                                 \
    "\0\0\x80\x40\0\0\0\0\0\0\x80\x40"                                                             \
    "\0\0\0\0\1\0\0\0\2\0\0"
// Its accessor has no bytes, and so is zeros.
#define GLB "glTF\2\0\0\0\xbc\0\0\0\xa8\0\0\0JSON" GLTF
#define GLTF                                                                                       \
    "{\"asset\":{\"version\":\"2.0\"},\"accessors\":[{\"componentType\":5126,\""                   \
    "count\":3,\"type\":\"VEC3\"}],\"meshes\":[{\"primitives\":[{\"attributes\""                   \
    ":{\"POSITION\":0}}]}],\"nodes\":[{\"mesh\":0}]} "

// Bytes that may have zeros within. The zero behind a literal is part of binary STL and of packed
// geometry, which end in one.
typedef struct sample {
    const char *bytes;
    size_t size_bytes;
} sample;
#define TEXT(literal)                                                                              \
    {                                                                                              \
        literal, sizeof(literal) - 1                                                               \
    }
#define BYTES(literal)                                                                             \
    {                                                                                              \
        literal, sizeof(literal)                                                                   \
    }

static proto_format read_as(proto_format declared, sample s, uint32_t piece, nav_status *status,
                            nav_error *err)
{
    proto_geometry_reader *reader;
    nav_geometry geometry;
    *status =
        read_geometry(declared, s.bytes, s.size_bytes, piece, piece | 1, &reader, &geometry, err);
    const proto_format format = proto_geometry_format(reader);
    if (*status == NAV_OK) {
        assert_int_equal(geometry.triangle_count, 1);
    }
    proto_geometry_destroy(reader);
    return format;
}

static const struct known {
    sample s;
    proto_format format;
} KNOWN[] = {
    {TEXT(OBJ), PROTO_FORMAT_OBJ},
    {TEXT("# a town\n" OBJ), PROTO_FORMAT_OBJ},
    {TEXT("\n\t o house\n" OBJ), PROTO_FORMAT_OBJ},
    {TEXT("\xef\xbb\xbf" OBJ), PROTO_FORMAT_OBJ},
    {TEXT("# caf\xc3\xa9 and caf\xe9\n" OBJ), PROTO_FORMAT_OBJ},
    {TEXT(JSON), PROTO_FORMAT_JSON},
    {TEXT(" \n" JSON), PROTO_FORMAT_JSON},
    {TEXT("{ \"config\":{\"cell_size\":0.5}, "
          "\"vertices\":[0,0,0,0,0,4,4,0,4],\"triangles\":[0,1,2]}"),
     PROTO_FORMAT_JSON},
    {BYTES(PACKED), PROTO_FORMAT_PACKED},
    {TEXT(GLB), PROTO_FORMAT_GLB},
    {TEXT(GLTF), PROTO_FORMAT_GLB},
    {TEXT(" \n" GLTF), PROTO_FORMAT_GLB},
    {TEXT(STL), PROTO_FORMAT_STL},
    {TEXT(" \r\n" STL), PROTO_FORMAT_STL},
    {BYTES(BINARY(NAME)), PROTO_FORMAT_STL},
    {TEXT(PLY), PROTO_FORMAT_PLY},
    {TEXT(BINARY_PLY), PROTO_FORMAT_PLY},
};
#define KNOWN_COUNT (sizeof KNOWN / sizeof KNOWN[0])

static void formats_are_told_by_their_bytes(void **state)
{
    (void)state;
    for (size_t i = 0; i < KNOWN_COUNT; i++) {
        for (uint32_t piece = 0; piece < 90; piece += piece < 4 ? 1 : 17) {
            nav_status status;
            nav_error err;
            const proto_format format =
                read_as(PROTO_FORMAT_UNKNOWN, KNOWN[i].s, piece, &status, &err);
            if (status != NAV_OK || format != KNOWN[i].format) {
                fail_msg("%zu in pieces of %u: %s", i, piece, err.detail);
            }
            assert_int_equal(read_as(format, KNOWN[i].s, piece, &status, &err), format);
            assert_int_equal(status, NAV_OK);
        }
    }
}

// The name of binary STL is anybody's, and may begin like any text.
static void binary_stl_of_any_name(void **state)
{
    (void)state;
    static const char *const names[] = {"solid ", "v 0 0 0", "{\"asset\"", "# ", "<", "; FBX", " "};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char bytes[] = BINARY(NAME);
        memcpy(bytes, names[i], strlen(names[i]));
        for (uint32_t piece = 0; piece < 90; piece += 89) {
            for (proto_format declared = PROTO_FORMAT_STL; declared <= PROTO_FORMAT_UNKNOWN;
                 declared += PROTO_FORMAT_UNKNOWN - PROTO_FORMAT_STL) {
                nav_status status;
                nav_error err;
                assert_int_equal(
                    read_as(declared, (sample){bytes, sizeof bytes}, piece, &status, &err),
                    PROTO_FORMAT_STL);
                assert_int_equal(status, NAV_OK);
            }
        }
    }
}

static const struct foreign {
    sample s;
    const char *name, *advice;
} FOREIGN[] = {
    {TEXT("\x89PNG\r\n\x1a\n\0\0\0\rIHDR"), "a PNG image", "OBJ"},
    {TEXT("\xff\xd8\xff\xe0\0\x10JFIF"), "a JPEG image", "OBJ"},
    {TEXT("GIF89a"), "a GIF image", "OBJ"},
    {TEXT("%PDF-1.7\n"), "a PDF document", "OBJ"},
    {TEXT("PK\x03\x04\x14\0"), "a zip archive", "unpack it"},
    {TEXT("\x1f\x8b\x08\0\0\0\0\0"), "gzip data", "unpack it"},
    {TEXT("\x28\xb5\x2f\xfd\x04\0"), "zstd data", "Content-Encoding: zstd"},
    {TEXT("BZh91AY"), "bzip2 data", "unpack it"},
    {TEXT("\xfd\x37zXZ\0"), "xz data", "unpack it"},
    {TEXT("Kaydara FBX Binary  \0\x1a"), "FBX", "export it"},
    {TEXT("; FBX 7.4.0 project file\n"), "FBX as text", "export it"},
    {TEXT("BLENDER-v300"), "a Blender file", "export it"},
    {TEXT("BLENDER17-01v0500"), "a Blender file", "export it"},
    {TEXT("<?xml version=\"1.0\"?><COLLADA/>"), "XML or HTML (COLLADA?)", "export it"},
    {TEXT("<!DOCTYPE html>"), "XML or HTML (COLLADA?)", "export it"},
    {TEXT("#usda 1.0\n"), "USD as text", "export it"},
    {TEXT("PXR-USDC\0"), "binary USD", "export it"},
    {TEXT("#VRML V2.0 utf8\n"), "VRML", "export it"},
    {TEXT("OFF\n3 1 0\n"), "an OFF mesh", "export it"},
    {TEXT("\xff\xfev\0 \0"), "text in UTF-16", "UTF-8"},
    {TEXT("SQLite format 3\0"), "a SQLite database", "OBJ"},
    {TEXT("\x7f"
          "ELF\2\1\1"),
     "a program", "OBJ"},
};

// Whether somebody said what it is or not.
static void other_things_are_named(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof FOREIGN / sizeof FOREIGN[0]; i++) {
        for (proto_format declared = 0; declared <= PROTO_FORMAT_UNKNOWN; declared++) {
            for (uint32_t piece = 0; piece < 4; piece++) {
                nav_status status;
                nav_error err;
                read_as(declared, FOREIGN[i].s, piece, &status, &err);
                if (status != PROTO_MEDIA_TYPE || strcmp(err.got, FOREIGN[i].name) != 0 ||
                    strstr(err.detail, FOREIGN[i].name) == NULL ||
                    strstr(err.detail, FOREIGN[i].advice) == NULL) {
                    fail_msg("%s, said to be %d: %s", FOREIGN[i].name, (int)declared, err.detail);
                }
                assert_string_equal(err.at, "byte 0");
            }
        }
    }
}

// Files of tiles have no triangles: their bytes are kept.
static void tiles_of_detour_are_kept_as_they_are(void **state)
{
    (void)state;
    char tar[1024] = "530.mmap", set[40] = "TESM";
    memcpy(tar + 257, "ustar\0", 6);
    const struct {
        sample s;
        proto_format format;
    } rows[] = {{{tar, sizeof tar}, PROTO_FORMAT_MMTILE}, {{set, sizeof set}, PROTO_FORMAT_MSET}};
    for (size_t i = 0; i < 2; i++) {
        for (uint32_t piece = 0; piece < 300; piece += 99) {
            proto_geometry_reader *reader;
            nav_geometry geometry;
            nav_error err;
            size_t size_bytes;
            assert_int_equal(read_geometry(PROTO_FORMAT_UNKNOWN, rows[i].s.bytes,
                                           rows[i].s.size_bytes, piece, piece | 1, &reader,
                                           &geometry, &err),
                             NAV_OK);
            assert_int_equal(proto_geometry_format(reader), rows[i].format);
            assert_int_equal(geometry.triangle_count, 0);
            const void *source = proto_geometry_source(reader, &size_bytes);
            assert_int_equal(size_bytes, rows[i].s.size_bytes);
            assert_memory_equal(source, rows[i].s.bytes, size_bytes);
            proto_geometry_destroy(reader);
        }
    }
}

// A format of ours that is said to be another one: the way out is to say it right.
static void another_format_is_named(void **state)
{
    (void)state;
    static const struct {
        proto_format declared;
        sample s;
        const char *detail;
    } rows[] = {
        {PROTO_FORMAT_OBJ, TEXT(STL),
         "this is STL as text, not OBJ: send it as model/stl, or with a name in .stl"},
        {PROTO_FORMAT_OBJ, TEXT(JSON),
         "this is JSON, not OBJ: send it as application/json, or with a name in .json"},
        {PROTO_FORMAT_JSON, TEXT(OBJ),
         "this is OBJ, not JSON: send it as model/obj, or with a name in .obj"},
        {PROTO_FORMAT_PACKED, TEXT("mtllib a.mtl\n" OBJ),
         "this is OBJ, not packed geometry: send it as model/obj, or with a name in .obj"},
        {PROTO_FORMAT_OBJ, TEXT(PLY),
         "this is ASCII PLY, not OBJ: send it as model/ply, or with a name in .ply"},
        {PROTO_FORMAT_STL, TEXT(BINARY_PLY),
         "this is binary PLY, not STL: send it as model/ply, or with a name in .ply"},
        {PROTO_FORMAT_MMTILE, TEXT(OBJ),
         "this is OBJ, not a tar archive of .mmap and .mmtile files: send it as model/obj, or with "
         "a name in .obj"},
        {PROTO_FORMAT_PACKED, TEXT("ply\r\n"),
         "this is PLY, not packed geometry: send it as model/ply, or with a name in .ply"},
        {PROTO_FORMAT_MMTILE, TEXT(OBJ),
         "this is OBJ, not a tar archive of .mmap and .mmtile files: send it as model/obj, or with "
         "a name in .obj"},
        {PROTO_FORMAT_STL, BYTES(PACKED),
         "this is packed geometry, not STL: send it as application/vnd.navmeshd.geometry, or with "
         "a "
         "name in .navg"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (uint32_t piece = 0; piece < 4; piece++) {
            nav_status status;
            nav_error err;
            read_as(rows[i].declared, rows[i].s, piece, &status, &err);
            assert_int_equal(status, PROTO_MEDIA_TYPE);
            assert_string_equal(err.detail, rows[i].detail);
        }
    }
}

static void bytes_of_no_known_kind(void **state)
{
    (void)state;
    char bytes[600];
    memset(bytes, 0xfe, sizeof bytes);
    bytes[0] = 1;
    for (size_t size = 1; size <= sizeof bytes; size += 133) {
        nav_status status;
        nav_error err;
        assert_int_equal(read_as(PROTO_FORMAT_UNKNOWN, (sample){bytes, size}, 7, &status, &err),
                         PROTO_FORMAT_UNKNOWN);
        assert_int_equal(status, PROTO_MEDIA_TYPE);
        assert_non_null(strstr(err.detail, "of no format that is read"));
    }
    // A count that no file may have; positions that are none.
    memset(bytes, 0, sizeof bytes);
    bytes[PROTO_STL_NAME_BYTES + 3] = '\x7f';
    nav_status status;
    nav_error err;
    read_as(PROTO_FORMAT_UNKNOWN, (sample){bytes, 584}, 0, &status, &err);
    assert_int_equal(status, PROTO_MEDIA_TYPE);
    bytes[PROTO_STL_NAME_BYTES + 3] = 0;
    bytes[PROTO_STL_NAME_BYTES] = 10;
    memset(bytes + PROTO_STL_HEADER_BYTES + 12, 0xff, 4);
    read_as(PROTO_FORMAT_UNKNOWN, (sample){bytes, 584}, 0, &status, &err);
    assert_int_equal(status, PROTO_MEDIA_TYPE);
}

// Nothing is an empty level, whatever it was to be; only JSON must at least have an object.
static void nothing_at_all(void **state)
{
    (void)state;
    static const nav_status wanted[] = {
        [PROTO_FORMAT_OBJ] = NAV_MESH_EMPTY,        [PROTO_FORMAT_JSON] = PROTO_BAD_JSON,
        [PROTO_FORMAT_PACKED] = PROTO_BAD_GEOMETRY, [PROTO_FORMAT_STL] = NAV_MESH_EMPTY,
        [PROTO_FORMAT_PLY] = PROTO_BAD_GEOMETRY,    [PROTO_FORMAT_GLB] = PROTO_BAD_GEOMETRY,
        [PROTO_FORMAT_MSET] = NAV_MESH_EMPTY,       [PROTO_FORMAT_MMTILE] = NAV_MESH_EMPTY,
        [PROTO_FORMAT_UNKNOWN] = NAV_MESH_EMPTY,
    };
    for (proto_format declared = 0; declared <= PROTO_FORMAT_UNKNOWN; declared++) {
        nav_status status;
        nav_error err;
        read_as(declared, (sample){"", 0}, 0, &status, &err);
        assert_int_equal(status, wanted[declared]);
    }
}

// A blank file of any size is not kept waiting for, and is an empty OBJ.
static void blanks_without_end(void **state)
{
    (void)state;
    char blanks[2000];
    memset(blanks, '\n', sizeof blanks);
    for (size_t size = 1; size <= sizeof blanks; size += 511) {
        nav_status status;
        nav_error err;
        assert_int_equal(read_as(PROTO_FORMAT_UNKNOWN, (sample){blanks, size}, 100, &status, &err),
                         PROTO_FORMAT_OBJ);
        assert_int_equal(status, NAV_MESH_EMPTY);
    }
}

static void each_format_has_its_words(void **state)
{
    (void)state;
    char types[200];
    proto_format_types(types, sizeof types);
    for (proto_format f = 0; f < PROTO_FORMAT_UNKNOWN; f++) {
        assert_true(strlen(proto_format_word(f)) > 2);
        assert_non_null(proto_format_media_type(f, 0));
        assert_non_null(strstr(types, proto_format_media_type(f, 0)));
        assert_int_equal(proto_format_ending(f, 0)[0], '.');
        assert_null(proto_format_ending(f, 9));
        assert_null(proto_format_media_type(f, 9));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats_are_told_by_their_bytes),
        cmocka_unit_test(binary_stl_of_any_name),
        cmocka_unit_test(other_things_are_named),
        cmocka_unit_test(tiles_of_detour_are_kept_as_they_are),
        cmocka_unit_test(another_format_is_named),
        cmocka_unit_test(bytes_of_no_known_kind),
        cmocka_unit_test(nothing_at_all),
        cmocka_unit_test(blanks_without_end),
        cmocka_unit_test(each_format_has_its_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
