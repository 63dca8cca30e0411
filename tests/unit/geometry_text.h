// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// geometry_text.h: what the tests of the geometry readers share: reading a text whole, in pieces,
// and after random damage.

#pragma once

#include "proto/geometry/upload.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A small generator of its own, so that every run sees the same bytes (Marsaglia 2003).
static inline uint32_t next_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

// Reads a text in pieces of at most piece_max bytes (0: whole), each in a block of its own size, so
// that a sanitizer sees a read past its end. The reader is the caller's in either case.
static inline nav_status read_geometry(proto_format format, const void *text, size_t size_bytes,
                                       uint32_t piece_max, uint32_t seed,
                                       proto_geometry_reader **reader, nav_geometry *out,
                                       nav_error *err)
{
    *err = (nav_error){0};
    assert_int_equal(proto_geometry_begin(format, NULL, reader, err), NAV_OK);
    for (size_t i = 0; i < size_bytes;) {
        size_t piece = piece_max == 0 ? size_bytes : 1 + next_random(&seed) % piece_max;
        piece = piece < size_bytes - i ? piece : size_bytes - i;
        char *copy = malloc(piece);
        assert_non_null(copy);
        memcpy(copy, (const char *)text + i, piece);
        nav_status status = proto_geometry_feed(*reader, copy, piece, err);
        free(copy);
        if (status != NAV_OK) {
            return status;
        }
        i += piece;
    }
    return proto_geometry_end(*reader, out, err);
}

static inline void assert_same_error(const nav_error *a, const nav_error *b)
{
    assert_int_equal(a->status, b->status);
    assert_string_equal(a->detail, b->detail);
    assert_string_equal(a->at, b->at);
    assert_string_equal(a->got, b->got);
    assert_string_equal(a->limit, b->limit);
}

static inline void assert_same_geometry(const nav_geometry *a, const nav_geometry *b)
{
    assert_int_equal(a->vertex_count, b->vertex_count);
    assert_int_equal(a->triangle_count, b->triangle_count);
    assert_memory_equal(a->vertices, b->vertices, (size_t)12 * a->vertex_count);
    assert_memory_equal(a->triangles, b->triangles, (size_t)12 * a->triangle_count);
    assert_int_equal(a->triangle_areas != NULL, b->triangle_areas != NULL);
}

// However a text is cut, its geometry or its error is the same.
static inline void assert_same_in_pieces(proto_format format, const void *text, size_t size_bytes,
                                         uint32_t piece_max, uint32_t seed)
{
    proto_geometry_reader *whole, *cut;
    nav_geometry whole_geometry, cut_geometry;
    nav_error whole_err, cut_err;
    nav_status status =
        read_geometry(format, text, size_bytes, 0, 1, &whole, &whole_geometry, &whole_err);
    assert_int_equal(
        read_geometry(format, text, size_bytes, piece_max, seed, &cut, &cut_geometry, &cut_err),
        status);
    if (status == NAV_OK) {
        assert_same_geometry(&whole_geometry, &cut_geometry);
        assert_non_null(whole_geometry.vertices);
    } else {
        assert_same_error(&whole_err, &cut_err);
        assert_true(whole_err.detail[0] != '\0');
    }
    proto_geometry_destroy(whole);
    proto_geometry_destroy(cut);
}

// Damages a valid text in `rounds` ways: any outcome but a crash or a bare error is fine, and it
// does not depend on the cutting.
static inline void survive_damage(proto_format format, const void *text, size_t size_bytes,
                                  uint32_t rounds)
{
    uint32_t seed = 2463534242u;
    char *damaged = malloc(size_bytes + 8);
    assert_non_null(damaged);
    for (uint32_t round = 0; round < rounds; round++) {
        size_t size = size_bytes;
        memcpy(damaged, text, size);
        for (uint32_t hits = 1 + next_random(&seed) % 4; hits > 0; hits--) {
            static const char likely[] = "0123456789-+.eE[]{},:\"\\/ \n\r\tvf#nan";
            size_t at = next_random(&seed) % size;
            uint32_t kind = next_random(&seed) % 4;
            if (kind == 0) {
                damaged[at] = (char)next_random(&seed);
            } else if (kind == 1) {
                damaged[at] = likely[next_random(&seed) % (sizeof likely - 1)];
            } else if (kind == 2 && size > 1) {
                memmove(damaged + at, damaged + at + 1, size - at - 1);
                size--;
            } else {
                size = at + 1;
            }
        }
        assert_same_in_pieces(format, damaged, size, 1 + round % 9, seed | 1);
    }
    free(damaged);
}

// One text that must be refused, and the particulars of the refusal.
typedef struct refused_text {
    const char *text;
    nav_status status;
    const char *at, *got, *limit; // NULL: not looked at
} refused_text;

static inline void assert_refused(proto_format format, const refused_text *c)
{
    proto_geometry_reader *reader;
    nav_geometry geometry = {.vertex_count = 77};
    nav_error err;
    nav_status status =
        read_geometry(format, c->text, strlen(c->text), 0, 1, &reader, &geometry, &err);
    proto_geometry_destroy(reader);
    if (status != c->status) {
        print_error("for: %.80s\nwanted %s, not %s (%s)\n", c->text, proto_status_word(c->status),
                    proto_status_word(status), err.detail);
    }
    assert_int_equal(status, c->status);
    assert_int_equal(err.status, c->status);
    assert_int_equal(geometry.vertex_count, 77);
    if (c->at != NULL) {
        assert_string_equal(err.at, c->at);
    }
    if (c->got != NULL) {
        assert_string_equal(err.got, c->got);
    }
    if (c->limit != NULL) {
        assert_string_equal(err.limit, c->limit);
    }
    assert_same_in_pieces(format, c->text, strlen(c->text), 1, 1);
}
