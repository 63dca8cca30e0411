// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// marks.c: what all layers draw with: positions and outlines, names as text, the colour of ground.

#include "proto/exports/picture/picture.h"

#include "proto/base/text.h"

#include <stdlib.h>
#include <string.h>

#define SHAPES_A_POLL 512u

bool picture_goes_on(picture *p)
{
    if (!p->ended && ++p->polls % SHAPES_A_POLL == 0 && p->view->cancelled != NULL) {
        p->ended = p->view->cancelled(p->view->user);
    }
    return !p->ended;
}

static int by_height(const void *a, const void *b)
{
    const picture_shape *one = a, *other = b;
    if (one->top != other->top) {
        return one->top < other->top ? -1 : 1;
    }
    return one->index < other->index ? -1 : 1;
}

void picture_sort(picture_shape *shapes, uint32_t count)
{
    qsort(shapes, count, sizeof *shapes, by_height);
}

void picture_put_point(proto_writer *w, const picture *p, char command, const float point[3])
{
    proto_writer_put(w, &command, 1);
    proto_writer_put_fixed(w, picture_x(p, (double)point[0]), 2);
    PUT(w, " ");
    proto_writer_put_fixed(w, picture_y(p, (double)point[2]), 2);
}

void picture_put_outline(proto_writer *w, const picture *p, const nav_polygon *polygon)
{
    NAV_DCHECK(polygon->vertex_count >= 3);
    for (uint32_t i = 0; i < polygon->vertex_count; i++) {
        picture_put_point(w, p, i == 0 ? 'M' : 'L',
                          nav_mesh_vertex(p->s->mesh, polygon->vertices[i]));
    }
    PUT(w, "Z");
}

// XML 1.0 has no place for control characters but blanks, nor for U+FFFE and U+FFFF, not even
// escaped: these, and bytes that are no UTF-8, become U+FFFD.
static bool is_xml(const char *bytes, size_t length)
{
    return length == 1 ? (unsigned char)bytes[0] >= 0x20 && bytes[0] != 0x7f
           : length == 3
               ? memcmp(bytes, "\xef\xbf\xbe", 3) != 0 && memcmp(bytes, "\xef\xbf\xbf", 3) != 0
               : length != 0;
}

static const char *escape_of(char character)
{
    switch (character) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

void picture_put_name(proto_writer *w, const char *name)
{
    size_t left = strlen(name);
    while (left > 0) {
        const size_t length = proto_text_utf8_length(name, left);
        const char *escape = escape_of(name[0]);
        if (escape != NULL) {
            proto_writer_put(w, escape, strlen(escape));
        } else if (is_xml(name, length)) {
            proto_writer_put(w, name, length);
        } else {
            PUT(w, "\xef\xbf\xbd");
        }
        const size_t taken = length > 0 ? length : 1;
        name += taken;
        left -= taken;
    }
}

void picture_put_title(proto_writer *w, const char *name)
{
    if (name[0] != '\0') {
        PUT(w, "<title>");
        picture_put_name(w, name);
        PUT(w, "</title>");
    }
}

bool picture_is_closed(const picture *p, uint32_t switch_number)
{
    const uint8_t *switches = p->view->world != NULL ? p->view->world->switches : NULL;
    return switch_number > 0 && nav_mesh_switch_is_closed(p->s->mesh, switches, switch_number - 1);
}

// Eight hues that stay apart for colour-blind eyes too (after Okabe and Ito), dark to light by
// height: from the colour itself half way to white.
void picture_put_colour(proto_writer *w, uint8_t area, uint32_t component, double lightness)
{
    static const uint8_t hues[8][3] = {{86, 150, 190},  {214, 158, 60},  {64, 158, 130},
                                       {190, 120, 160}, {120, 130, 190}, {200, 120, 80},
                                       {150, 165, 80},  {130, 130, 130}};
    static const char digits[] = "0123456789abcdef";
    NAV_DCHECK(area < NAV_AREAS_MAX);
    const uint8_t *hue = hues[(component + area + 7u) % 8u];
    const double white = lightness * 0.55 + 0.1;
    char colour[7] = "#";
    for (size_t i = 0; i < 3; i++) {
        unsigned level = (unsigned)((double)hue[i] + (255.0 - (double)hue[i]) * white);
        colour[1 + 2 * i] = digits[level >> 4 & 15];
        colour[2 + 2 * i] = digits[level & 15];
    }
    proto_writer_put(w, colour, sizeof colour);
}
