// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// glb_text.h: binary glTFs for the tests of their reader, put together from JSON and a buffer. In
// the JSON ' stands for ", so that it can be read.

#pragma once

#include "tests/unit/geometry_text.h"

typedef struct glb {
    uint8_t *bytes; // malloc'ed
    size_t size_bytes;
} glb;

static inline void glb_put(uint8_t *at, uint32_t value)
{
    for (uint32_t i = 0; i < 4; i++) {
        at[i] = (uint8_t)(value >> 8 * i);
    }
}

static inline glb glb_make(const char *json, const void *bin, size_t bin_bytes)
{
    const size_t length = strlen(json), json_bytes = (length + 3) / 4 * 4;
    const size_t bin_padded = (bin_bytes + 3) / 4 * 4;
    glb made = {.size_bytes = 12 + 8 + json_bytes + (bin_bytes > 0 ? 8 + bin_padded : 0)};
    made.bytes = calloc(made.size_bytes, 1);
    assert_non_null(made.bytes);
    memcpy(made.bytes, "glTF\2\0\0\0", 8);
    glb_put(made.bytes + 8, (uint32_t)made.size_bytes);
    glb_put(made.bytes + 12, (uint32_t)json_bytes);
    memcpy(made.bytes + 16, "JSON", 4);
    memset(made.bytes + 20, ' ', json_bytes);
    for (size_t i = 0; i < length; i++) {
        made.bytes[20 + i] = json[i] == '\'' ? '"' : (uint8_t)json[i];
    }
    if (bin_bytes > 0) {
        uint8_t *chunk = made.bytes + 20 + json_bytes;
        glb_put(chunk, (uint32_t)bin_padded);
        memcpy(chunk + 4, "BIN", 4);
        memcpy(chunk + 8, bin, bin_bytes);
    }
    return made;
}

// A square of 2 by 2, whose corners are 0 0 0, 2 0 0, 2 0 2, 0 0 2.
//   bytes 0 to 47: the corners; 48 to 59: six indices of 16 bits, the same of 8 bits from 60 on;
//   68 to 91: the same of 32 bits; 92 to 99: four indices of 16 bits, a strip 0 3 1 2
typedef struct glb_square {
    float corners[4][3];
    uint16_t shorts[6];
    uint8_t bytes[8];
    uint32_t ints[6];
    uint16_t strip[4];
} glb_square;

static const glb_square GLB_SQUARE = {{{0, 0, 0}, {2, 0, 0}, {2, 0, 2}, {0, 0, 2}},
                                      {0, 2, 1, 0, 3, 2},
                                      {0, 2, 1, 0, 3, 2, 0, 0},
                                      {0, 2, 1, 0, 3, 2},
                                      {0, 3, 1, 2}};
#define GLB_SQUARE_BYTES 100

_Static_assert(sizeof(glb_square) == GLB_SQUARE_BYTES, "it has no padding");

// The parts of a glTF of the square. Accessors: 0 its corners, 1 to 3 its indices of 16, 8 and 32
// bits, 4 its strip.
#define GLB_HEAD "{'asset':{'version':'2.0'},'buffers':[{'byteLength':100}],"
#define GLB_VIEWS_OPEN                                                                             \
    "'bufferViews':[{'buffer':0,'byteLength':48},{'buffer':0,'byteOffset':48,'byteLength':12},"    \
    "{'buffer':0,'byteOffset':60,'byteLength':6},{'buffer':0,'byteOffset':68,'byteLength':24},"    \
    "{'buffer':0,'byteOffset':92,'byteLength':8}"
#define GLB_VIEWS GLB_VIEWS_OPEN "],"
#define GLB_CORNERS "{'bufferView':0,'componentType':5126,'count':4,'type':'VEC3'}"
#define GLB_INDICES                                                                                \
    "{'bufferView':1,'componentType':5123,'count':6,'type':'SCALAR'},"                             \
    "{'bufferView':2,'componentType':5121,'count':6,'type':'SCALAR'},"                             \
    "{'bufferView':3,'componentType':5125,'count':6,'type':'SCALAR'},"                             \
    "{'bufferView':4,'componentType':5123,'count':4,'type':'SCALAR'}"
#define GLB_ACCESSORS "'accessors':[" GLB_CORNERS "," GLB_INDICES "],"
#define GLB_MESH "'meshes':[{'primitives':[{'attributes':{'POSITION':0},'indices':1}]}],"
#define GLB_FRONT GLB_HEAD GLB_VIEWS GLB_ACCESSORS GLB_MESH
#define GLB_NODE "'nodes':[{'mesh':0}]}"

// What came out of a glTF, for glb_done.
typedef struct glb_read {
    proto_geometry_reader *reader;
    nav_geometry geometry;
    nav_error err;
    nav_status status;
} glb_read;

static inline glb_read glb_read_limited(const char *json, const void *bin, size_t bin_bytes,
                                        const proto_geometry_limits *limits)
{
    glb_read r = {.geometry = {.vertex_count = 77}};
    glb file = glb_make(json, bin, bin_bytes);
    assert_int_equal(proto_geometry_begin(PROTO_FORMAT_GLB, limits, &r.reader, &r.err), NAV_OK);
    r.status = proto_geometry_feed(r.reader, file.bytes, file.size_bytes, &r.err);
    free(file.bytes);
    if (r.status == NAV_OK) {
        r.status = proto_geometry_end(r.reader, &r.geometry, &r.err);
    }
    return r;
}

static inline void glb_done(glb_read *r)
{
    proto_geometry_destroy(r->reader);
}

// One that must be read.
static inline glb_read glb_take(const char *json, const void *bin, size_t bin_bytes)
{
    glb_read r = glb_read_limited(json, bin, bin_bytes, NULL);
    if (r.status != NAV_OK) {
        print_error("refused: %s at %s\n%s\n", r.err.detail, r.err.at, json);
    }
    assert_int_equal(r.status, NAV_OK);
    return r;
}

static inline glb_read glb_take_square(const char *json)
{
    return glb_take(json, &GLB_SQUARE, sizeof GLB_SQUARE);
}

static inline void glb_expect(const glb_read *r, const float *vertices, uint32_t vertex_count,
                              const uint32_t *triangles, uint32_t triangle_count)
{
    const nav_geometry wanted = {.vertices = vertices,
                                 .triangles = triangles,
                                 .vertex_count = vertex_count,
                                 .triangle_count = triangle_count};
    assert_same_geometry(&r->geometry, &wanted);
}

// One of the square that must be refused, however it is cut, and the place and words of the error.
typedef struct glb_refused {
    const char *json;
    nav_status status;
    const char *at, *says; // says: a part of the sentence; NULL: not looked at
} glb_refused;

static inline void glb_assert_refused(const glb_refused *c)
{
    glb_read r = glb_read_limited(c->json, &GLB_SQUARE, sizeof GLB_SQUARE, NULL);
    if (r.status != c->status || strcmp(r.err.at, c->at) != 0 ||
        (c->says != NULL && strstr(r.err.detail, c->says) == NULL)) {
        print_error("%s\nwanted %s at %s (%s), not %s at %s (%s)\n", c->json,
                    proto_status_word(c->status), c->at, c->says != NULL ? c->says : "",
                    proto_status_word(r.status), r.err.at, r.err.detail);
    }
    assert_int_equal(r.status, c->status);
    assert_int_equal(r.err.status, c->status);
    assert_string_equal(r.err.at, c->at);
    assert_true(c->says == NULL || strstr(r.err.detail, c->says) != NULL);
    assert_int_equal(r.geometry.vertex_count, 77);
    glb_done(&r);
    glb file = glb_make(c->json, &GLB_SQUARE, sizeof GLB_SQUARE);
    assert_same_in_pieces(PROTO_FORMAT_GLB, file.bytes, file.size_bytes, 7, 1);
    free(file.bytes);
}
