// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// picture.h: what the layers of a picture share: where a position is on the page, colours, texts.
// Private to the folder.

#pragma once

#include "proto/exports/selection.h"

#include "proto/json/write.h"
#include "proto/requests/instances.h"

// One row of the legend.
typedef enum picture_sign {
    SIGN_GROUND,
    SIGN_LEVEL,
    SIGN_TILE,
    SIGN_LINK,
    SIGN_PATH,
    SIGN_PARTIAL, // a path that does not get to its end
    SIGN_BLOCKED,
    SIGN_DEAR,
    SIGN_CLOSED
} picture_sign;

typedef struct picture_row {
    picture_sign sign;
    uint8_t area;       // of ground, 0: it shows islands only
    uint32_t component; // likewise, 0: areas only
    uint32_t polygons;
} picture_row;

#define PICTURE_MARGIN_PX 24.0
#define PICTURE_FOOTER_PX 32.0      // below all else, for the scale bar
#define PICTURE_GROUND_ROWS_MAX 24u // of the legend; the others are counted
#define PICTURE_ROWS_MAX (PICTURE_GROUND_ROWS_MAX + 8u)

typedef struct picture {
    const proto_export *what;
    const proto_picture *view;
    const selection *s;
    nav_coordinates coordinates;
    float min[3], max[3]; // of the ground that is drawn, in the mesh's coordinates
    bool clips;           // nothing is drawn outside of them
    double scale, left_px, top_px;
    double width_px, height_px; // of the page
    picture_row rows[PICTURE_ROWS_MAX];
    uint32_t row_count, rows_left_out;
    uint32_t polls;
    bool ended; // view->cancelled has said so
} picture;

// A literal, whose length the compiler knows.
#define PUT(w, literal) proto_writer_put((w), literal "", sizeof(literal) - 1)

static inline bool picture_has(const picture *p, uint32_t layers)
{
    return (p->view->layers & layers) != 0;
}

static inline double picture_x(const picture *p, double x)
{
    return p->left_px + (x - (double)p->min[0]) * p->scale;
}

static inline double picture_y(const picture *p, double z)
{
    return p->top_px + (z - (double)p->min[2]) * p->scale;
}

// ---- page.c ----

// For export.c. Errors: NAV_NO_MEMORY, NAV_CANCELLED.
nav_status picture_write(proto_writer *w, const proto_export *what, const proto_picture *view,
                         const selection *s, nav_arena *scratch, nav_error *err);

// ---- marks.c ----

// A shape of a layer in which what is higher covers what is lower.
typedef struct picture_shape {
    float top; // its highest corner
    uint32_t index;
} picture_shape;

// Lower ones first; of equal ones the one of the lower index.
void picture_sort(picture_shape *shapes, uint32_t count);
// Asked once a shape: false where the time for the picture is over.
bool picture_goes_on(picture *p);
// "M12.5 7" for a position; command is M or L.
void picture_put_point(proto_writer *w, const picture *p, char command, const float point[3]);
// "M…L…Z" around a polygon.
void picture_put_outline(proto_writer *w, const picture *p, const nav_polygon *polygon);
// A name of the level's, in an element: what would be markup, and what XML does not allow, is not.
void picture_put_name(proto_writer *w, const char *name);
// <title> of an element, which a browser shows beside the pointer; nothing for "".
void picture_put_title(proto_writer *w, const char *name);

// "#rrggbb" of ground of an area (0: as of all) and a component (likewise); lightness 0 to 1.
void picture_put_colour(proto_writer *w, uint8_t area, uint32_t component, double lightness);
// Whether a switch (from 1 on; 0: none) is closed in the picture's world.
bool picture_is_closed(const picture *p, uint32_t switch_number);

// ---- ground.c: polygons, walls, tiles, links ----

// With their walls. Errors: NAV_NO_MEMORY.
nav_status picture_put_polygons(proto_writer *w, picture *p, nav_arena *scratch, nav_error *err);
void picture_put_tiles(proto_writer *w, picture *p);
void picture_put_links(proto_writer *w, picture *p);
void picture_put_world_links(proto_writer *w, picture *p); // those of the instance

// ---- world.c: the level's triangles; obstacles, switches that are closed ----

// Errors: NAV_NO_MEMORY.
nav_status picture_put_level(proto_writer *w, picture *p, nav_arena *scratch, nav_error *err);
void picture_put_obstacles(proto_writer *w, picture *p);

// ---- legend.c ----

// Finds the rows, before the page has a height.
nav_status picture_find_rows(picture *p, nav_arena *scratch, nav_error *err);
// Result: the height of the legend; 0: there is none.
double picture_legend_px(const picture *p);
void picture_put_legend(proto_writer *w, const picture *p);
