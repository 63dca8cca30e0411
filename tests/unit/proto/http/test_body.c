// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_body.c: what an upload's body is, by its Content-Type; a form's parts are the geometry and
// the settings that they would be by other ways, or are refused by name.

#include "proto/http/multipart.h"

#include <stdio.h>

#include "proto/base/coordinates.h"
#include "tests/unit/geometry_text.h"
#include "tests/unit/preset.h"

#define LINE "\r\n"
#define HEAD(more) "--b" LINE "Content-Disposition: form-data; " more LINE LINE
#define GEOMETRY(more, content) HEAD("name=\"geometry\"" more) content LINE
#define CONFIG(more, content) HEAD("name=\"config\"" more) content LINE
#define END "--b--" LINE

#define OBJ "v 0 0 0\nv 0 0 4\nv 4 0 4\nusemtl Mud\nf 1 2 3\n"
#define JSON "{\"vertices\":[[0,0,0],[0,0,4],[4,0,4]],\"triangles\":[[0,1,2]],\"areas\":[\"Mud\"]}"
#define JSON_WITH_CONFIG                                                                           \
    "{\"vertices\":[0,0,0,0,0,4,4,0,4],\"triangles\":[0,1,2],\"config\":{\"cell_size\":0.5}}"
#define AS_OBJ LINE "Content-Type: model/obj"

static const proto_body_type FORM = {.is_form = true, .boundary = "b"};

// Reads a body in pieces of at most piece_max bytes (0: whole), each in a block of its own.
static nav_status read_body(const proto_body_type *type, const proto_geometry_limits *limits,
                            const char *bytes, size_t size_bytes, size_t piece_max,
                            proto_body **body, nav_geometry *out, nav_error *err)
{
    *err = (nav_error){0};
    assert_int_equal(proto_body_begin(type, limits, body, err), NAV_OK);
    for (size_t i = 0; i < size_bytes;) {
        size_t piece = piece_max == 0 || piece_max > size_bytes - i ? size_bytes - i : piece_max;
        char *copy = malloc(piece);
        assert_non_null(copy);
        memcpy(copy, bytes + i, piece);
        nav_status status = proto_body_feed(*body, copy, piece, err);
        free(copy);
        if (status != NAV_OK) {
            return status;
        }
        i += piece;
    }
    return proto_body_end(*body, out, err);
}

// ---- types ----

static void content_types(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        nav_status status;
        bool is_form;
        proto_format format;
    } rows[] = {
        {"model/obj", NAV_OK, false, PROTO_FORMAT_OBJ},
        {"Text/Plain; charset=utf-8", NAV_OK, false, PROTO_FORMAT_OBJ},
        {"application/json ;charset=utf-8", NAV_OK, false, PROTO_FORMAT_JSON},
        {"application/vnd.navmeshd.geometry", NAV_OK, false, PROTO_FORMAT_PACKED},
        {"multipart/form-data; boundary=b", NAV_OK, true, 0},
        {"multipart/form-data", PROTO_BAD_MULTIPART, true, 0},
        {"multipart/form-data; boundary=\"\"", PROTO_BAD_MULTIPART, true, 0},
        {"multipart/mixed; boundary=b", PROTO_MEDIA_TYPE, false, 0},
        {"multipart/form-datax; boundary=b", PROTO_MEDIA_TYPE, false, 0},
        {"model/stl", NAV_OK, false, PROTO_FORMAT_STL},
        {"Model/PLY", NAV_OK, false, PROTO_FORMAT_PLY},
        {"application/x-ply", NAV_OK, false, PROTO_FORMAT_PLY},
        {"application/vnd.detour.mset", NAV_OK, false, PROTO_FORMAT_MSET},
        {"application/x-tar", NAV_OK, false, PROTO_FORMAT_MMTILE},
        {"model/objx", PROTO_MEDIA_TYPE, false, 0},
        {"image/png", PROTO_MEDIA_TYPE, false, 0},
        // These say nothing: the bytes will.
        {"application/octet-stream", NAV_OK, false, PROTO_FORMAT_UNKNOWN},
        {"application/x-www-form-urlencoded", NAV_OK, false, PROTO_FORMAT_UNKNOWN},
        {"", NAV_OK, false, PROTO_FORMAT_UNKNOWN},
        {NULL, NAV_OK, false, PROTO_FORMAT_UNKNOWN},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        proto_body_type type = {.format = 77};
        nav_error err = {0};
        assert_int_equal(proto_body_type_read(rows[i].text, &type, &err), rows[i].status);
        assert_int_equal(err.status, rows[i].status);
        if (rows[i].status != NAV_OK) {
            assert_int_equal(type.format, 77);
            continue;
        }
        assert_int_equal(type.is_form, rows[i].is_form);
        assert_int_equal(type.format, rows[i].format);
        assert_string_equal(type.boundary, rows[i].is_form ? "b" : "");
    }
}

static void endings_of_files(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        proto_format format;
    } rows[] = {
        {"a.obj", PROTO_FORMAT_OBJ},        {"/x/A.OBJ", PROTO_FORMAT_OBJ},
        {"b.json", PROTO_FORMAT_JSON},      {"c.navg", PROTO_FORMAT_PACKED},
        {"e.ply", PROTO_FORMAT_PLY},        {"d.glb", PROTO_FORMAT_GLB},
        {"d.Stl", PROTO_FORMAT_STL},        {"", PROTO_FORMAT_UNKNOWN},
        {".obj", PROTO_FORMAT_UNKNOWN},     {"obj", PROTO_FORMAT_UNKNOWN},
        {"a.obj.gz", PROTO_FORMAT_UNKNOWN}, {"a.fbx", PROTO_FORMAT_UNKNOWN},
        {"a.obj/b", PROTO_FORMAT_UNKNOWN},  {"all_tiles_navmesh.bin", PROTO_FORMAT_MSET},
        {"a.mset", PROTO_FORMAT_MSET},      {"530.tar", PROTO_FORMAT_MMTILE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(proto_format_of_file(rows[i].file), rows[i].format);
    }
}

static void a_body_that_is_geometry(void **state)
{
    (void)state;
    const proto_body_type type = {.format = PROTO_FORMAT_JSON};
    proto_body *body;
    nav_geometry geometry;
    nav_error err;
    assert_int_equal(read_body(&type, NULL, JSON_WITH_CONFIG, sizeof JSON_WITH_CONFIG - 1, 7, &body,
                               &geometry, &err),
                     NAV_OK);
    assert_int_equal(geometry.triangle_count, 1);
    assert_string_equal(proto_body_config(body), "{\"cell_size\":0.5}");
    assert_int_equal(proto_body_format(body), PROTO_FORMAT_JSON);
    assert_int_equal(proto_body_to_mesh(body, coordinates_of("z_up"), NULL), NAV_OK);
    assert_true(geometry.vertices[4] == 4.0f); // z is up now
    proto_body_destroy(body);
    proto_body_destroy(NULL);
}

// ---- forms ----

static void assert_form(const char *text, size_t size_bytes, proto_format format,
                        const char *config)
{
    for (size_t piece = 0; piece < 4; piece++) {
        proto_body *body;
        nav_geometry geometry;
        nav_error err;
        nav_status status = read_body(&FORM, NULL, text, size_bytes, piece, &body, &geometry, &err);
        if (status != NAV_OK) {
            fail_msg("%s: %s\n%s", proto_status_word(status), err.detail, text);
        }
        assert_int_equal(geometry.vertex_count, 3);
        assert_int_equal(geometry.triangle_count, 1);
        assert_int_equal(proto_body_format(body), format);
        if (config == NULL) {
            assert_null(proto_body_config(body));
        } else {
            assert_string_equal(proto_body_config(body), config);
        }
        proto_body_destroy(body);
    }
}

static void parts_in_any_order_and_of_any_type(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        proto_format format;
        const char *config;
    } rows[] = {
        {GEOMETRY(AS_OBJ, OBJ) END, PROTO_FORMAT_OBJ, NULL},
        {GEOMETRY(LINE "content-type: Text/Plain; charset=utf-8", OBJ) END, PROTO_FORMAT_OBJ, NULL},
        {GEOMETRY(LINE "Content-Type: application/json", JSON) END, PROTO_FORMAT_JSON, NULL},
        {GEOMETRY(LINE "Content-Type: application/json", JSON_WITH_CONFIG) END, PROTO_FORMAT_JSON,
         "{\"cell_size\":0.5}"},
        // Nothing names the format, or nothing known does: the bytes tell it.
        {GEOMETRY("", OBJ) END, PROTO_FORMAT_OBJ, NULL},
        {GEOMETRY("; filename=\"\"", JSON) END, PROTO_FORMAT_JSON, NULL},
        {GEOMETRY("; filename=\"level.fbx\"", OBJ) END, PROTO_FORMAT_OBJ, NULL},
        {GEOMETRY(LINE "Content-Type: application/octet-stream", JSON_WITH_CONFIG) END,
         PROTO_FORMAT_JSON, "{\"cell_size\":0.5}"},
        // The type counts, whatever the file is called; without one its ending does.
        {GEOMETRY("; filename=\"a.json\"" AS_OBJ, OBJ) END, PROTO_FORMAT_OBJ, NULL},
        {GEOMETRY("; filename=\"a.Obj\"", OBJ) END, PROTO_FORMAT_OBJ, NULL},
        {GEOMETRY("; filename=a.json", JSON) END, PROTO_FORMAT_JSON, NULL},
        {GEOMETRY("; filename=\"C:\\a.obj\"" LINE "Content-Type: application/octet-stream", OBJ)
             END,
         PROTO_FORMAT_OBJ, NULL},
        {CONFIG("", "{}") GEOMETRY(AS_OBJ, OBJ) END, PROTO_FORMAT_OBJ, "{}"},
        {GEOMETRY(AS_OBJ, OBJ) CONFIG("", "{}") END, PROTO_FORMAT_OBJ, "{}"},
        {GEOMETRY(LINE "Content-Type: application/json", JSON)
             CONFIG("; filename=\"s.json\"" LINE "Content-Type: application/octet-stream",
                    " \t\n{\"detail\":false}\r\n") END,
         PROTO_FORMAT_JSON, " \t\n{\"detail\":false}\r\n"},
        {CONFIG(LINE "Content-Type: application/json; charset=utf-8", "{\"a\":\"\\u00e4\"}")
             GEOMETRY(AS_OBJ, OBJ) END,
         PROTO_FORMAT_OBJ, "{\"a\":\"\\u00e4\"}"},
        {CONFIG(LINE "Content-Type: text/plain", "{}") GEOMETRY(AS_OBJ, OBJ) END, PROTO_FORMAT_OBJ,
         "{}"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_form(rows[i].text, strlen(rows[i].text), rows[i].format, rows[i].config);
    }
}

// Bytes of any value, a line end with dashes among them.
static void packed_geometry_as_a_part(void **state)
{
    (void)state;
    const float vertices[] = {0, 0, 0, 0, 0, 4, 4, 0, 4};
    const uint32_t triangles[] = {0, 1, 2};
    const nav_geometry geometry = {
        .vertices = vertices, .triangles = triangles, .vertex_count = 3, .triangle_count = 1};
    static char text[1024];
    static const char head[] = GEOMETRY("; filename=\"a.navg\"", ""), end[] = LINE END;
    const size_t head_bytes = sizeof head - 1 - 2,
                 packed_bytes = proto_geometry_packed_size(&geometry);
    memcpy(text, head, head_bytes);
    proto_geometry_pack(&geometry, text + head_bytes);
    memcpy(text + head_bytes + packed_bytes, end, sizeof end - 1);
    assert_form(text, head_bytes + packed_bytes + sizeof end - 1, PROTO_FORMAT_PACKED, NULL);
}

// The same triangles and settings as a part, in one text, and alone.
static void a_form_is_what_its_parts_are(void **state)
{
    (void)state;
    static const char form[] = GEOMETRY(AS_OBJ, OBJ) CONFIG("", "{\"cell_size\":0.5}") END;
    static const proto_body_type alone = {.format = PROTO_FORMAT_JSON};
    proto_body *bodies[2];
    nav_geometry geometry[2];
    nav_error err;
    uint8_t packed[2][512];
    assert_int_equal(
        read_body(&FORM, NULL, form, sizeof form - 1, 3, &bodies[0], &geometry[0], &err), NAV_OK);
    assert_int_equal(
        read_body(&alone, NULL, JSON, sizeof JSON - 1, 0, &bodies[1], &geometry[1], &err), NAV_OK);
    size_t size_bytes = proto_geometry_packed_size(&geometry[0]);
    assert_int_equal(proto_geometry_packed_size(&geometry[1]), size_bytes);
    assert_true(size_bytes <= sizeof packed[0]);
    for (int i = 0; i < 2; i++) {
        proto_geometry_pack(&geometry[i], packed[i]);
        proto_body_destroy(bodies[i]);
    }
    assert_memory_equal(packed[0], packed[1], size_bytes);
}

// ---- refusals ----

static const struct refusal {
    const char *text;
    nav_status status;
    const char *at, *got; // NULL: not looked at
} REFUSED[] = {
    {END, NAV_INVALID_FIELD, "geometry", ""},
    {CONFIG("", "{}") END, NAV_INVALID_FIELD, "geometry", ""},
    {GEOMETRY(AS_OBJ, OBJ) GEOMETRY(AS_OBJ, OBJ) END, NAV_INVALID_FIELD, "geometry", ""},
    {CONFIG("", "{}") CONFIG("", "{}") GEOMETRY(AS_OBJ, OBJ) END, NAV_INVALID_FIELD, "config", ""},
    {GEOMETRY(AS_OBJ, OBJ) HEAD("name=\"settings\"") "{}" LINE END, PROTO_UNKNOWN_FIELD, "settings",
     ""},
    {HEAD("name=\"Geometry\"") OBJ LINE END, PROTO_UNKNOWN_FIELD, "Geometry", ""},
    {HEAD("name=\"geometr\"") OBJ LINE END, PROTO_UNKNOWN_FIELD, "geometr", ""},
    {HEAD("name=\"\"") OBJ LINE END, PROTO_UNKNOWN_FIELD, "", ""},
    {GEOMETRY(AS_OBJ, OBJ), PROTO_BAD_MULTIPART, NULL, ""},
    {GEOMETRY(AS_OBJ, "v 0"), PROTO_BAD_MULTIPART, NULL, ""},
    // A type that is not known, and bytes that are something else than the type or the name says.
    {GEOMETRY("; filename=\"a.json\"", OBJ) END, PROTO_MEDIA_TYPE, "byte 0", "OBJ"},
    {GEOMETRY("", "GIF89a") END, PROTO_MEDIA_TYPE, "byte 0", "a GIF image"},
    {GEOMETRY("; filename=\"a.obj\"" LINE "Content-Type: image/png", OBJ) END, PROTO_MEDIA_TYPE,
     "geometry", "image/png"},
    {GEOMETRY("; filename=\"a.obj\"" LINE "Content-Type: multipart/mixed; boundary=c", OBJ) END,
     PROTO_MEDIA_TYPE, "geometry", "multipart/mixed"},
    {CONFIG(LINE "Content-Type: application/xml", "{}") GEOMETRY(AS_OBJ, OBJ) END, PROTO_MEDIA_TYPE,
     "config", "application/xml"},
    // The content of a part; places are the part's own.
    {GEOMETRY(AS_OBJ, "") END, NAV_MESH_EMPTY, NULL, ""},
    {GEOMETRY(AS_OBJ, "v 0 nan 0") END, NAV_VERTEX_NOT_FINITE, NULL, "NaN"},
    {GEOMETRY(LINE "Content-Type: application/json", "") END, PROTO_BAD_JSON, "byte 0", ""},
    {GEOMETRY(LINE "Content-Type: application/json", "{\"vertices\"") END, PROTO_BAD_JSON,
     "byte 11", ""},
    {GEOMETRY("; filename=a.navg", OBJ) END, PROTO_MEDIA_TYPE, "byte 0", "OBJ"},
    {GEOMETRY("; filename=a.navg", "f 1 2 3 and no more than that") END, PROTO_BAD_GEOMETRY, NULL,
     NULL},
    {CONFIG("", "") GEOMETRY(AS_OBJ, OBJ) END, PROTO_BAD_JSON, "byte 0", ""},
    {CONFIG("", "{\"a\" 1}") GEOMETRY(AS_OBJ, OBJ) END, PROTO_BAD_JSON, "byte 5", ""},
    {CONFIG("", "{} {}") GEOMETRY(AS_OBJ, OBJ) END, PROTO_BAD_JSON, "byte 3", ""},
    {CONFIG("", "\xef\xbb\xbf{}") GEOMETRY(AS_OBJ, OBJ) END, PROTO_BAD_JSON, "byte 0", ""},
    {CONFIG("", "[1]") GEOMETRY(AS_OBJ, OBJ) END, NAV_INVALID_FIELD, "config", ""},
    {CONFIG("", " null") GEOMETRY(AS_OBJ, OBJ) END, NAV_INVALID_FIELD, "config", ""},
    {CONFIG("", "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[") GEOMETRY(AS_OBJ, OBJ) END, PROTO_JSON_TOO_DEEP,
     "byte 32", ""},
    // Settings twice.
    {GEOMETRY(LINE "Content-Type: application/json", JSON_WITH_CONFIG) CONFIG("", "{}") END,
     NAV_INVALID_FIELD, "config", ""},
    {CONFIG("", "{}") GEOMETRY("; filename=a.json", JSON_WITH_CONFIG) END, NAV_INVALID_FIELD,
     "config", ""},
};

static void refusals(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof REFUSED / sizeof REFUSED[0]; i++) {
        const struct refusal *row = &REFUSED[i];
        for (size_t piece = 0; piece < 3; piece++) {
            proto_body *body;
            nav_geometry geometry = {.vertex_count = 77};
            nav_error err;
            nav_status status =
                read_body(&FORM, NULL, row->text, strlen(row->text), piece, &body, &geometry, &err);
            proto_body_destroy(body);
            if (status != row->status || err.status != status) {
                fail_msg("%s\nwanted %s, not %s (%s)", row->text, proto_status_word(row->status),
                         proto_status_word(status), err.detail);
            }
            assert_true(err.detail[0] != '\0');
            if (row->at != NULL) {
                assert_string_equal(err.at, row->at);
            }
            if (row->got != NULL) {
                assert_string_equal(err.got, row->got);
            }
        }
    }
}

// A zero would end the text for whoever reads it as a string.
static void a_zero_in_the_settings(void **state)
{
    (void)state;
    static const char text[] = CONFIG("", "{}\0,") GEOMETRY(AS_OBJ, OBJ) END;
    proto_body *body;
    nav_geometry geometry;
    nav_error err;
    assert_int_equal(read_body(&FORM, NULL, text, sizeof text - 1, 0, &body, &geometry, &err),
                     PROTO_BAD_JSON);
    assert_string_equal(err.at, "byte 2");
    assert_int_equal(strncmp(err.detail, "config: ", 8), 0);
    proto_body_destroy(body);
}

static void limits_of_a_form(void **state)
{
    (void)state;
    const proto_geometry_limits limits = {.vertices_max = 3,
                                          .triangles_max = 1,
                                          .config_bytes_max = 12,
                                          .config_depth_max = 2,
                                          .config_values_max = 3};
    static const struct {
        const char *text;
        nav_status status;
        const char *at, *limit;
    } rows[] = {
        {CONFIG("", "{          }") GEOMETRY(AS_OBJ, OBJ) END, NAV_OK, "", ""},
        {CONFIG("", "{           }") GEOMETRY(AS_OBJ, OBJ) END, PROTO_BODY_TOO_LARGE, "config",
         "12"},
        {CONFIG("", "{\"a\":[1]}") GEOMETRY(AS_OBJ, OBJ) END, NAV_OK, "", ""},
        {CONFIG("", "{\"a\":[[]]}") GEOMETRY(AS_OBJ, OBJ) END, PROTO_JSON_TOO_DEEP, "byte 6", "2"},
        {CONFIG("", "{\"a\":[1,2]}") GEOMETRY(AS_OBJ, OBJ) END, PROTO_JSON_TOO_MANY_VALUES, "",
         "3"},
        {GEOMETRY(AS_OBJ, "v 9 9 9\n" OBJ) END, NAV_GEOMETRY_TOO_LARGE, "vertices", "3"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (size_t piece = 0; piece < 3; piece++) {
            proto_body *body;
            nav_geometry geometry;
            nav_error err;
            assert_int_equal(read_body(&FORM, &limits, rows[i].text, strlen(rows[i].text), piece,
                                       &body, &geometry, &err),
                             rows[i].status);
            assert_string_equal(err.at, rows[i].at);
            assert_string_equal(err.limit, rows[i].limit);
            proto_body_destroy(body);
        }
    }
}

// A name of any length and bytes is told in what an error has room for.
static void long_names(void **state)
{
    (void)state;
    char text[4096], name[2000];
    memset(name, '\xc3', sizeof name);
    (void)snprintf(text, sizeof text,
                   "--b" LINE "Content-Disposition: form-data; name=\"%.*s\"" LINE LINE
                   "1" LINE END,
                   (int)sizeof name, name);
    proto_body *body;
    nav_geometry geometry;
    nav_error err;
    assert_int_equal(read_body(&FORM, NULL, text, strlen(text), 0, &body, &geometry, &err),
                     PROTO_UNKNOWN_FIELD);
    assert_int_equal(strlen(err.at), 95);
    proto_body_destroy(body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(content_types),
        cmocka_unit_test(endings_of_files),
        cmocka_unit_test(a_body_that_is_geometry),
        cmocka_unit_test(parts_in_any_order_and_of_any_type),
        cmocka_unit_test(packed_geometry_as_a_part),
        cmocka_unit_test(a_form_is_what_its_parts_are),
        cmocka_unit_test(refusals),
        cmocka_unit_test(a_zero_in_the_settings),
        cmocka_unit_test(limits_of_a_form),
        cmocka_unit_test(long_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
