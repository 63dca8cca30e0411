// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_faces.c: polygons of OBJ and PLY cover what their outline does, whatever comes first in the
// file; one that crosses itself is a warning that says where it stands.

#include "tests/unit/geometry_text.h"

#define L_ROWS "0 0 20\n10 0 20\n10 0 10\n20 0 10\n20 0 0\n0 0 0\n"
#define V_ROWS "v 0 0 20\nv 10 0 20\nv 10 0 10\nv 20 0 10\nv 20 0 0\nv 0 0 0\n"
#define PLY(rows) "ply\nformat ascii 1.0\n" rows
#define XYZ "element vertex 6\nproperty float x\nproperty float y\nproperty float z\n"
#define FACES "element face 1\nproperty list uchar uint vertex_indices\n"

typedef struct row {
    proto_format format;
    const char *text;
    size_t size_bytes; // 0: it ends with a zero
    double area;       // of all triangles, as seen from above
    const char *where; // of the first face that crosses itself; NULL: none does
} row;

static double area_of(const nav_geometry *g)
{
    double sum = 0;
    for (uint32_t i = 0; i < g->triangle_count; i++) {
        const float *a = g->vertices + 3 * (size_t)g->triangles[3 * i];
        const float *b = g->vertices + 3 * (size_t)g->triangles[3 * i + 1];
        const float *c = g->vertices + 3 * (size_t)g->triangles[3 * i + 2];
        const double doubled = (double)(b[0] - a[0]) * (double)(c[2] - a[2]) -
                               (double)(b[2] - a[2]) * (double)(c[0] - a[0]);
        sum += doubled < 0 ? -doubled / 2 : doubled / 2;
    }
    return sum;
}

static void polygons_cover_their_outline(void **state)
{
    (void)state;
    static const char binary[] =
        "ply\nformat binary_little_endian 1.0\nelement vertex 4\nproperty char x\nproperty char y\n"
        "property char z\nelement face 2\nproperty list uchar uchar vertex_indices\nend_header\n"
        "\0\0\0\4\0\4\4\0\0\0\0\4\3\0\3\1\4\0\1\2\3";
    static const row rows[] = {
        {PROTO_FORMAT_OBJ, V_ROWS "f 1 2 3 4 5 6\n", 0, 300, NULL},
        {PROTO_FORMAT_OBJ, V_ROWS "f 4 3 2 1 6 5\n", 0, 300, NULL},
        {PROTO_FORMAT_OBJ, "usemtl a\nf 1 2 3 4 5 6\nusemtl b\nf 6 5 4\n" V_ROWS, 0, 400, NULL},
        {PROTO_FORMAT_OBJ, V_ROWS "f 2 3 4 5 6 1 1 2\nf 1 2 3\n", 0, 350, NULL},
        {PROTO_FORMAT_OBJ, V_ROWS "f 6 5 4\n\nf 1 3 2 6\n", 0, 200, "line 9"},
        {PROTO_FORMAT_PLY, PLY(XYZ FACES "end_header\n" L_ROWS "6 2 3 4 5 0 1\n"), 0, 300, NULL},
        {PROTO_FORMAT_PLY, PLY(FACES XYZ "end_header\n6 2 3 4 5 0 1\n" L_ROWS), 0, 300, NULL},
        {PROTO_FORMAT_PLY, PLY(XYZ FACES "end_header\n" L_ROWS "4 0 2 1 5\n"), 0, 100, "line 16"},
        {PROTO_FORMAT_PLY, binary, sizeof binary - 1, 16, "face 2"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        nav_warning warnings[PROTO_READ_WARNING_COUNT] = {0};
        proto_geometry_limits limits = proto_geometry_limits_default();
        limits.warnings = warnings;
        proto_geometry_reader *reader;
        nav_geometry g;
        const size_t size = rows[i].size_bytes != 0 ? rows[i].size_bytes : strlen(rows[i].text);
        assert_int_equal(proto_geometry_begin(rows[i].format, &limits, &reader, NULL), NAV_OK);
        assert_int_equal(proto_geometry_feed(reader, rows[i].text, size, NULL), NAV_OK);
        assert_int_equal(proto_geometry_end(reader, &g, NULL), NAV_OK);
        assert_float_equal(area_of(&g), rows[i].area, 1e-9);
        const nav_warning *crosses = &warnings[PROTO_READ_FACE_CROSSES];
        assert_int_equal(crosses->count, rows[i].where != NULL);
        assert_string_equal(crosses->items[0].name, rows[i].where != NULL ? rows[i].where : "");
        proto_geometry_destroy(reader);
        assert_same_in_pieces(rows[i].format, rows[i].text, size, 3, (uint32_t)i + 1);
    }
}

// Long teeth, whose edges lead through much of the plan.
static void combs_are_covered(void **state)
{
    (void)state;
    static char text[400000];
    for (int teeth = 10; teeth <= 640; teeth *= 4) {
        size_t size = 0;
        for (int i = 0; i < 4 * teeth; i++) {
            size += (size_t)snprintf(text + size, sizeof text - size, "v %.3f 0 %d\n",
                                     (i / 4 + (i % 4 < 3 ? 0.5 * (i % 4 > 0) : 1.0)) * 100 / teeth,
                                     i % 4 < 2 ? 1000 : 1);
        }
        size += (size_t)snprintf(text + size, sizeof text - size, "v 100 0 0\nv 0 0 0\nf");
        for (int i = 1; i <= 4 * teeth + 2; i++) {
            size += (size_t)snprintf(text + size, sizeof text - size, " %d", i);
        }
        nav_warning warnings[PROTO_READ_WARNING_COUNT] = {0};
        proto_geometry_limits limits = proto_geometry_limits_default();
        proto_geometry_reader *reader;
        nav_geometry g;
        limits.warnings = warnings;
        assert_int_equal(proto_geometry_begin(PROTO_FORMAT_OBJ, &limits, &reader, NULL), NAV_OK);
        assert_int_equal(proto_geometry_feed(reader, text, size, NULL), NAV_OK);
        assert_int_equal(proto_geometry_end(reader, &g, NULL), NAV_OK);
        assert_int_equal(warnings[PROTO_READ_FACE_CROSSES].count, 0);
        assert_float_equal(area_of(&g), 100 + 999 * 50, 30);
        proto_geometry_destroy(reader);
    }
}

// An uploader who pays for bytes alone would get the memory of the cut for nothing.
static nav_status hold(void *user, uint64_t size_bytes, nav_error *err)
{
    (void)user;
    return size_bytes > 1000000 ? nav_fail(err, NAV_NO_MEMORY, "no more") : NAV_OK;
}

static void the_memory_of_a_cut_is_asked_for(void **state)
{
    (void)state;
    const nav_bake_hooks hooks = {0};
    proto_geometry_limits limits = proto_geometry_limits_default();
    limits.hooks = &hooks;
    limits.hold = hold;
    for (int corners = 10; corners <= 1000; corners *= 100) {
        char line[64];
        proto_geometry_reader *reader;
        nav_geometry g;
        assert_int_equal(proto_geometry_begin(PROTO_FORMAT_OBJ, &limits, &reader, NULL), NAV_OK);
        for (int i = 0; i < corners; i++) { // a saw
            const int size = snprintf(line, sizeof line, "v %d 0 %d\n", i, i % 2);
            assert_int_equal(proto_geometry_feed(reader, line, (size_t)size, NULL), NAV_OK);
        }
        assert_int_equal(proto_geometry_feed(reader, "v 0 0 9\nf -1", 12, NULL), NAV_OK);
        for (int i = 0; i < corners; i++) {
            const int size = snprintf(line, sizeof line, " %d", i + 1);
            assert_int_equal(proto_geometry_feed(reader, line, (size_t)size, NULL), NAV_OK);
        }
        assert_int_equal(proto_geometry_end(reader, &g, NULL),
                         corners > 100 ? NAV_NO_MEMORY : NAV_OK);
        proto_geometry_destroy(reader);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(polygons_cover_their_outline),
        cmocka_unit_test(combs_are_covered),
        cmocka_unit_test(the_memory_of_a_cut_is_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
