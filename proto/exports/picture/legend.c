// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// legend.c: what the colours and lines of a picture stand for, below it: the mesh, the kinds of
// ground that most polygons are of, and whatever else is drawn.

#include "proto/exports/picture/picture.h"

#include <math.h>
#include <stdlib.h>

#define ROW_PX 18.0
#define CELL_PX 240.0
#define HEADING_PX 24.0
#define NAME_CHARACTERS_MAX 30

// ---- the rows ----

static int by_number(const void *a, const void *b)
{
    const uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;
    return one < other ? -1 : one > other;
}

// Keeps the rows with most polygons, in that order; of equal ones the first.
static void add_ground(picture *p, const picture_row *row)
{
    uint32_t at = p->row_count;
    while (at > 0 && p->rows[at - 1].polygons < row->polygons) {
        at--;
    }
    if (p->row_count == PICTURE_GROUND_ROWS_MAX) {
        p->rows_left_out++;
    } else {
        p->row_count++;
    }
    if (at < PICTURE_GROUND_ROWS_MAX) {
        memmove(&p->rows[at + 1], &p->rows[at], (p->row_count - 1 - at) * sizeof p->rows[0]);
        p->rows[at] = *row;
    }
}

// Each kind of ground that has a colour of its own: an area, an island, or an area of an island.
static nav_status find_ground(picture *p, nav_arena *scratch, nav_error *err)
{
    const selection *s = p->s;
    uint64_t *kinds = NAV_NEW(scratch, uint64_t, s->polygon_count);
    if (kinds == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory for the legend");
    }
    for (uint32_t i = 0; i < s->polygon_count; i++) {
        const nav_polygon polygon = nav_mesh_polygon(s->mesh, s->polygons[i]);
        kinds[i] = (picture_has(p, PROTO_LAYER_ISLANDS) ? polygon.component : 0) |
                   (picture_has(p, PROTO_LAYER_AREAS) ? (uint64_t)polygon.area << 32 : 0);
    }
    qsort(kinds, s->polygon_count, sizeof *kinds, by_number);
    for (uint32_t i = 0, first = 0; i < s->polygon_count; i++) {
        if (i + 1 == s->polygon_count || kinds[i + 1] != kinds[i]) {
            const picture_row row = {.sign = SIGN_GROUND,
                                     .area = (uint8_t)(kinds[i] >> 32),
                                     .component = (uint32_t)kinds[i],
                                     .polygons = i + 1 - first};
            add_ground(p, &row);
            first = i + 1;
        }
    }
    return NAV_OK;
}

static void add(picture *p, bool is_drawn, picture_sign sign)
{
    if (is_drawn) {
        NAV_ASSERT(p->row_count < PICTURE_ROWS_MAX);
        p->rows[p->row_count++] = (picture_row){.sign = sign};
    }
}

static bool has_shape(const picture *p, bool blocked)
{
    const proto_world *world = p->view->world;
    for (uint32_t i = 0; world != NULL && i < world->shape_count; i++) {
        if (world->shapes[i].blocked == blocked) {
            return true;
        }
    }
    return false;
}

static bool has_closed(const picture *p)
{
    const uint32_t count = nav_mesh_switch_count(p->s->mesh);
    for (uint32_t number = 1; number <= count; number++) {
        if (picture_is_closed(p, number)) {
            return true;
        }
    }
    return false;
}

nav_status picture_find_rows(picture *p, nav_arena *scratch, nav_error *err)
{
    const bool ground = picture_has(p, PROTO_LAYER_AREAS | PROTO_LAYER_ISLANDS);
    if (!p->view->legend) {
        return NAV_OK;
    }
    if (ground) {
        const nav_status status = find_ground(p, scratch, err);
        if (status != NAV_OK) {
            return status;
        }
    }
    const bool obstacles = picture_has(p, PROTO_LAYER_OBSTACLES);
    add(p, picture_has(p, PROTO_LAYER_LEVEL), SIGN_LEVEL);
    add(p, picture_has(p, PROTO_LAYER_TILES), SIGN_TILE);
    add(p, ground && p->s->link_count > 0, SIGN_LINK);
    add(p, obstacles && has_shape(p, true), SIGN_BLOCKED);
    add(p, obstacles && has_shape(p, false), SIGN_DEAR);
    add(p, obstacles && has_closed(p), SIGN_CLOSED);
    if (picture_has(p, PROTO_LAYER_PATH) && p->view->path != NULL) {
        add(p, true, p->view->path->status == NAV_PATH_COMPLETE ? SIGN_PATH : SIGN_PARTIAL);
    }
    return NAV_OK;
}

// ---- the page ----

static uint32_t columns_of(const picture *p)
{
    const double columns = floor(((double)p->view->width_px - 2.0 * PICTURE_MARGIN_PX) / CELL_PX);
    return columns > 1.0 ? (uint32_t)columns : 1;
}

double picture_legend_px(const picture *p)
{
    const uint32_t columns = columns_of(p);
    const uint32_t cells = p->row_count + (p->rows_left_out > 0);
    const uint32_t lines = (cells + columns - 1) / columns;
    return p->view->legend ? HEADING_PX + ROW_PX * lines : 0.0;
}

// The text of a row, but for the ground's names.
static const char *const SIGN_TEXTS[] = {
    [SIGN_LEVEL] = "level: the darker, the steeper",
    [SIGN_TILE] = "tiles: x,z",
    [SIGN_LINK] = "links",
    [SIGN_PATH] = "path",
    [SIGN_PARTIAL] = "a part of the way",
    [SIGN_BLOCKED] = "obstacles that block",
    [SIGN_DEAR] = "obstacles with a cost",
    [SIGN_CLOSED] = "switches that are closed",
};

static const char *const SIGN_STYLES[] = {
    [SIGN_LEVEL] = "fill=\"#bdbdbd\" stroke=\"#757575\"",
    [SIGN_TILE] = "fill=\"none\" stroke=\"#00695c\"",
    [SIGN_LINK] = "fill=\"none\" stroke=\"#4a148c\" stroke-width=\"1.5\" stroke-dasharray=\"5 3\"",
    [SIGN_PATH] = "fill=\"#b71c1c\" stroke=\"#ffffff\"",
    [SIGN_PARTIAL] = "fill=\"#ffffff\" stroke=\"#b71c1c\" stroke-dasharray=\"2 3\"",
    [SIGN_BLOCKED] = "fill=\"#d50000\" fill-opacity=\"0.5\" stroke=\"#d50000\"",
    [SIGN_DEAR] = "fill=\"#ef6c00\" fill-opacity=\"0.5\" stroke=\"#ef6c00\"",
    [SIGN_CLOSED] = "fill=\"#b71c1c\" fill-opacity=\"0.6\" stroke=\"none\"",
};

// A name, cut to what a cell has room for; all of it is the element's title.
static void put_area(proto_writer *w, const picture *p, uint8_t area)
{
    nav_name name;
    selection_area_name(p->s, area, name);
    size_t bytes = 0;
    for (int characters = 0; name[bytes] != '\0' && characters < NAME_CHARACTERS_MAX;) {
        bytes++;
        characters += (name[bytes] & 0xc0) != 0x80; // not within a character
    }
    const bool is_cut = name[bytes] != '\0';
    name[bytes] = '\0';
    picture_put_name(w, name);
    if (is_cut) {
        PUT(w, "\xe2\x80\xa6");
    }
}

static void put_row(proto_writer *w, const picture *p, const picture_row *row, double x, double y)
{
    nav_name area;
    proto_write_text(w, "<rect x=\"%.2f\" y=\"%.2f\" width=\"16\" height=\"11\" ", x, y);
    if (row->sign != SIGN_GROUND) {
        proto_write_text(w, "%s/><text x=\"%.2f\" y=\"%.2f\">%s</text>\n", SIGN_STYLES[row->sign],
                         x + 24.0, y + 10.0, SIGN_TEXTS[row->sign]);
        return;
    }
    PUT(w, "fill=\"");
    picture_put_colour(w, row->area, row->component, 0.5);
    proto_write_text(w, "\"/><text x=\"%.2f\" y=\"%.2f\">", x + 24.0, y + 10.0);
    if (row->area != 0) {
        selection_area_name(p->s, row->area, area);
        picture_put_title(w, area);
        put_area(w, p, row->area);
    }
    if (row->component != 0) {
        proto_write_text(w, "%sisland %u", row->area != 0 ? ", " : "", row->component);
    }
    PUT(w, "</text>\n");
}

void picture_put_legend(proto_writer *w, const picture *p)
{
    const uint32_t columns = columns_of(p);
    double y = p->height_px - PICTURE_FOOTER_PX - picture_legend_px(p);
    PUT(w, "<g id=\"legend\" font-family=\"sans-serif\" font-size=\"12\" fill=\"#263238\">\n");
    proto_write_text(w, "<text x=\"%.2f\" y=\"%.2f\" font-weight=\"bold\">", PICTURE_MARGIN_PX,
                     y + 12.0);
    picture_put_name(w, p->what->mesh);
    proto_write_text(w, ", version %u", p->what->version);
    if (p->what->agent != NULL && p->what->agent[0] != '\0') {
        PUT(w, ", ");
        picture_put_name(w, p->what->agent);
    }
    PUT(w, "</text>\n");
    y += HEADING_PX;
    for (uint32_t i = 0; i < p->row_count; i++) {
        const uint32_t line = i / columns;
        put_row(w, p, &p->rows[i], PICTURE_MARGIN_PX + CELL_PX * (i % columns), y + ROW_PX * line);
    }
    if (p->rows_left_out > 0) {
        const uint32_t line = p->row_count / columns;
        proto_write_text(w, "<text x=\"%.2f\" y=\"%.2f\">and %u more kinds of ground</text>\n",
                         PICTURE_MARGIN_PX + CELL_PX * (p->row_count % columns),
                         y + ROW_PX * line + 10.0, p->rows_left_out);
    }
    PUT(w, "</g>\n");
}
