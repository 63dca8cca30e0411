// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// fetch.c: asks memory for what a question will read first. In a large mesh finding a place
// is a chain of reads that all miss the cache, each waiting for the one before:
//
//   cell -> the rest of its list -> plots and patches of the polygons that can hold the point
//
// Two points have two chains. Here they are walked side by side, a link of both at a time, so that
// they are waited for once; what is read is only asked for, and no answer depends on it.

#include "core/query/query.h"

// Only what is large enough to have patches is asked for: a smaller mesh stays in a core's own
// cache, and asking would cost more than it saves.

// Polygons over or under a point that are asked for.
#define LOOKED_AT_MAX 12u
#define POINTS 2

typedef struct column {
    const nav_locate_cell *cell;
    uint32_t probe;
    uint32_t count;
} column;

static inline void ask_for(const void *at)
{
    __builtin_prefetch(at, 0, 3);
}

static void ask_for_cell(const nav_locate *l, const float point[3], column *c)
{
    c->cell = nav_locate_find(l, point, &c->probe);
    c->count = 0;
    ask_for(c->cell);
}

static inline bool has_more(const column *c)
{
    return c->cell->boxes[NAV_CELL_SLOTS - 1] == NAV_BOX_MORE;
}

static inline const nav_locate_entry *rest_of(const nav_locate *l, const column *c)
{
    return &l->more[c->cell->polygons[NAV_CELL_SLOTS - 1]];
}

static void ask_for_rest(const nav_locate *l, const column *c)
{
    if (has_more(c)) {
        ask_for(rest_of(l, c));
        ask_for(rest_of(l, c) + NAV_CELL_SLOTS);
    }
}

static void ask_for_record(const nav_mesh *mesh, column *c, uint32_t box, uint32_t polygon)
{
    if (nav_box_meets(box, c->probe) && c->count < LOOKED_AT_MAX) {
        const nav_polygon_record *record = &mesh->records[polygon];
        const nav_compact_record *compact = &mesh->locate.compact_records[polygon];
        ++c->count;
        ask_for(record);
        ask_for(&record->corner_count);
        ask_for(compact);
    }
}

static void ask_for_records(const nav_mesh *mesh, column *c)
{
    for (uint32_t i = 0; i < NAV_CELL_SLOTS; ++i) {
        ask_for_record(mesh, c, c->cell->boxes[i], c->cell->polygons[i]);
    }
    const nav_locate_entry *rest = has_more(c) ? rest_of(&mesh->locate, c) : NULL;
    for (uint32_t i = 1; rest != NULL && i <= rest[0].polygon; ++i) {
        ask_for_record(mesh, c, rest[i].box, rest[i].polygon);
    }
}

void nav_query_fetch(const nav_mesh *mesh, const float a[3], const float b[3])
{
    if (mesh->locate.compact_records == NULL) {
        return;
    }
    const float *points[POINTS] = {a, b};
    column columns[POINTS];
    for (int i = 0; i < POINTS; ++i) {
        ask_for_cell(&mesh->locate, points[i], &columns[i]);
    }
    for (int i = 0; i < POINTS; ++i) {
        ask_for_rest(&mesh->locate, &columns[i]);
    }
    for (int i = 0; i < POINTS; ++i) {
        ask_for_records(mesh, &columns[i]);
    }
}
