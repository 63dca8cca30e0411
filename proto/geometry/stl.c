// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// stl.c: STL, text or binary, to triangles, in pieces of any size. Vertices have no numbers: equal
// ones are found by weld.c, in order of first use. Normals are skipped: corners give the side.
//
// Text, in any case, with any blanks and line ends between the words:
//
//   solid NAME...                       any number of solids, one behind the other
//     facet normal 0 1 0                three words, which may be no numbers ("nan")
//       outer loop
//         vertex 0 0 0                  exactly three
//       endloop
//     endfacet
//   endsolid NAME...
//
// Binary, little-endian:
//
//   offset  size  what
//        0    80  anything, `solid` as well
//       80     4  count of triangles
//       84   50N  normal, three corners (4 x 3 float32), two bytes that mean nothing to us
//
// The count must be that of the records: a file that is cut, or that goes on, is refused.
//
// Source: 3D Systems, "StereoLithography Interface Specification", 1989.

#include "proto/base/bytes.h"
#include "proto/geometry/geometry.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define RECORD_CORNERS 12u // bytes before the first corner, and of each

// ---- text ----

static nav_status take_corner(proto_geometry_reader *reader, nav_error *err)
{
    proto_stl_state *stl = &reader->state.stl;
    NAV_DCHECK(stl->corner_count < 3);
    return proto_weld_vertex(reader, &stl->weld, stl->position, &stl->corners[stl->corner_count++],
                             err);
}

static nav_status take_number(proto_geometry_reader *reader, nav_error *err)
{
    proto_stl_state *stl = &reader->state.stl;
    double value;
    nav_status status =
        proto_geometry_read_coordinate(reader, stl->number_count, &stl->words, &value, err);
    if (status != NAV_OK) {
        return status;
    }
    stl->position[stl->number_count++] = (float)value;
    if (stl->number_count == 3) {
        stl->place = PROTO_STL_CORNER;
        status = take_corner(reader, err);
    }
    return status;
}

static nav_status end_loop(proto_geometry_reader *reader, nav_error *err)
{
    proto_stl_state *stl = &reader->state.stl;
    if (stl->corner_count < 3) {
        return proto_words_refuse(&stl->words, err, "a facet has fewer than three corners");
    }
    stl->place = PROTO_STL_FACET_END;
    return proto_geometry_add_triangle(reader, stl->corners, err);
}

// Words that may follow at a place, and where they lead.
static const struct step {
    proto_stl_place at;
    const char *word;
    proto_stl_place to;
} STEPS[] = {
    {PROTO_STL_OUTSIDE, "solid", PROTO_STL_NAME},
    {PROTO_STL_SOLID, "facet", PROTO_STL_FACET},
    {PROTO_STL_SOLID, "endsolid", PROTO_STL_LAST_NAME},
    {PROTO_STL_FACET, "normal", PROTO_STL_NORMAL},
    {PROTO_STL_OUTER, "outer", PROTO_STL_LOOP},
    {PROTO_STL_LOOP, "loop", PROTO_STL_CORNER},
    {PROTO_STL_CORNER, "vertex", PROTO_STL_POSITION},
    {PROTO_STL_CORNER, "endloop", PROTO_STL_LOOP_END},
    {PROTO_STL_FACET_END, "endfacet", PROTO_STL_SOLID},
};
#define STEP_COUNT (sizeof STEPS / sizeof STEPS[0])

static nav_status refuse_word(const proto_stl_state *stl, nav_error *err)
{
    char text[80] = "";
    const char *words[2] = {"", NULL};
    uint32_t count = 0;
    for (size_t i = 0; i < STEP_COUNT; i++) {
        if (STEPS[i].at == stl->place) {
            words[count++] = STEPS[i].word;
        }
    }
    NAV_ASSERT(count == 1 || count == 2);
    (void)snprintf(text, sizeof text, "`%s`%s%s%s must follow here", words[0],
                   count == 2 ? " or `" : "", count == 2 ? words[1] : "", count == 2 ? "`" : "");
    return proto_words_refuse(&stl->words, err, text);
}

static nav_status take_keyword(proto_geometry_reader *reader, nav_error *err)
{
    proto_stl_state *stl = &reader->state.stl;
    const char *word = stl->words.word.text;
    if (stl->place == PROTO_STL_OUTSIDE && strncmp(word, "\xef\xbb\xbf", 3) == 0) {
        word += 3; // the byte order mark that some editors write
    }
    for (const struct step *s = STEPS; s < STEPS + STEP_COUNT; s++) {
        if (s->at != stl->place || strcasecmp(s->word, word) != 0) {
            continue;
        }
        if (s->to == PROTO_STL_POSITION && stl->corner_count == 3) {
            return proto_words_refuse(&stl->words, err, "a facet has more than three corners");
        }
        stl->place = s->to;
        stl->number_count = 0;
        stl->corner_count = s->to == PROTO_STL_FACET ? 0 : stl->corner_count;
        return s->to == PROTO_STL_LOOP_END ? end_loop(reader, err) : NAV_OK;
    }
    return refuse_word(stl, err);
}

static nav_status take_word(proto_geometry_reader *reader, nav_error *err)
{
    proto_stl_state *stl = &reader->state.stl;
    switch (stl->place) {
    case PROTO_STL_NAME:
    case PROTO_STL_LAST_NAME:
        return NAV_OK;
    case PROTO_STL_NORMAL:
        stl->place = ++stl->number_count == 3 ? PROTO_STL_OUTER : PROTO_STL_NORMAL;
        return NAV_OK;
    case PROTO_STL_POSITION:
        return take_number(reader, err);
    default:
        return take_keyword(reader, err);
    }
}

static void take_line(proto_stl_state *stl)
{
    if (stl->place == PROTO_STL_NAME) {
        stl->place = PROTO_STL_SOLID;
    } else if (stl->place == PROTO_STL_LAST_NAME) {
        stl->place = PROTO_STL_OUTSIDE;
    }
}

static nav_status feed_text(proto_geometry_reader *reader, const char *bytes, size_t size_bytes,
                            nav_error *err)
{
    proto_stl_state *stl = &reader->state.stl;
    const char *end = bytes + size_bytes;
    proto_words_end what;
    nav_status status;
    do {
        status = proto_words_next(&stl->words, &bytes, end, &what, err);
        if (status == NAV_OK && what == PROTO_WORDS_WORD) {
            status = take_word(reader, err);
        } else if (status == NAV_OK && what == PROTO_WORDS_LINE) {
            take_line(stl);
        }
    } while (status == NAV_OK && what != PROTO_WORDS_PIECE);
    return status;
}

static nav_status end_text(proto_geometry_reader *reader, nav_error *err)
{
    proto_stl_state *stl = &reader->state.stl;
    if (proto_words_last(&stl->words)) {
        nav_status status = take_word(reader, err);
        if (status != NAV_OK) {
            return status;
        }
    }
    take_line(stl);
    stl->words.word.size_bytes = 0;
    return stl->place == PROTO_STL_OUTSIDE
               ? NAV_OK
               : proto_words_refuse(&stl->words, err, "the text ends within a solid");
}

// ---- binary ----

static nav_status refuse_length(const proto_geometry_reader *reader, nav_error *err,
                                const char *what)
{
    const uint32_t promised = reader->state.stl.promised;
    nav_fail_at(
        err, PROTO_BAD_GEOMETRY,
        nav_at("byte %llu", PROTO_STL_HEADER_BYTES +
                                (unsigned long long)PROTO_STL_RECORD_BYTES * reader->triangle_count)
            .text,
        "STL: its header says %u triangles, but %s %u", promised, what, reader->triangle_count);
    nav_error_got(err, "%u", promised);
    return PROTO_BAD_GEOMETRY;
}

static nav_status take_header(proto_geometry_reader *reader, const uint8_t *bytes, nav_error *err)
{
    proto_stl_state *stl = &reader->state.stl;
    stl->promised = proto_get_u32(bytes + PROTO_STL_NAME_BYTES);
    stl->has_header = true;
    return proto_geometry_check_promise("triangles", stl->promised, reader->limits.triangles_max,
                                        err);
}

static nav_status take_record(proto_geometry_reader *reader, const uint8_t *bytes, nav_error *err)
{
    proto_stl_state *stl = &reader->state.stl;
    uint32_t corners[3];
    nav_status status = NAV_OK;
    if (reader->triangle_count == stl->promised) {
        return refuse_length(reader, err, "bytes follow behind");
    }
    for (uint32_t i = 0; i < 3 && status == NAV_OK; i++) {
        float position[3];
        status = proto_geometry_get_position(reader, bytes + (size_t)RECORD_CORNERS * (i + 1),
                                             position, err);
        NAV_IF_OK(status, proto_weld_vertex(reader, &stl->weld, position, &corners[i], err));
    }
    return status == NAV_OK ? proto_geometry_add_triangle(reader, corners, err) : status;
}

static nav_status feed_binary(proto_geometry_reader *reader, const uint8_t *bytes,
                              size_t size_bytes, nav_error *err)
{
    proto_stl_state *stl = &reader->state.stl;
    const uint8_t *record;
    nav_status status = NAV_OK;
    for (;;) {
        // Behind the last triangle a single byte is one too many.
        const uint32_t need = !stl->has_header                          ? PROTO_STL_HEADER_BYTES
                              : reader->triangle_count == stl->promised ? 1
                                                                        : PROTO_STL_RECORD_BYTES;
        record = proto_record_take(&stl->record, need, &bytes, &size_bytes);
        if (record == NULL) {
            return NAV_OK;
        }
        status = (stl->has_header ? take_record : take_header)(reader, record, err);
        if (status != NAV_OK) {
            return status;
        }
    }
}

// ---- both ----

nav_status proto_stl_feed(proto_geometry_reader *reader, const uint8_t *bytes, size_t size_bytes,
                          nav_error *err)
{
    proto_stl_state *stl = &reader->state.stl;
    if (!stl->has_begun) {
        stl->has_begun = true;
        stl->is_binary = proto_stl_is_binary(bytes, size_bytes);
        proto_words_begin(&stl->words);
    }
    return stl->is_binary ? feed_binary(reader, bytes, size_bytes, err)
                          : feed_text(reader, (const char *)bytes, size_bytes, err);
}

nav_status proto_stl_end(proto_geometry_reader *reader, nav_error *err)
{
    const proto_stl_state *stl = &reader->state.stl;
    if (!stl->is_binary) {
        return stl->has_begun ? end_text(reader, err) : NAV_OK;
    }
    return reader->triangle_count == stl->promised ? NAV_OK
                                                   : refuse_length(reader, err, "it ends behind");
}

void proto_stl_free(proto_geometry_reader *reader)
{
    proto_weld_free(&reader->state.stl.weld);
}
