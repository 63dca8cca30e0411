// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// report.c: reports of tiles, added up and as bytes: a tile that is not baked again still has its
// report. Times are left out of the bytes: they belong to a bake, not to a tile.
//
//   size  what, little-endian
//      1  format, 1
//      1  kinds of warnings there are: NAV_WARNING_COUNT
//     88  triangles, triangles_steep, spans, walkable_spans, regions, contours, polygons, vertices,
//         detail_triangles, walkable_area (double), peak_bytes: 8 bytes each
//   then of each warning that occurred, in order:
//      6  code (1), items (1), count (4)
//   17+n  of each item: position, value (float), length of its name n (1), the name

#include "core/nav.h"

#include <string.h>

#define FORMAT 1
#define NUMBERS 11u
#define HEAD_BYTES (2u + NUMBERS * 8u)
#define WARNING_BYTES 6u
#define ITEM_BYTES 17u

_Static_assert(NAV_BAKE_REPORT_BYTES_MAX ==
                   HEAD_BYTES +
                       NAV_WARNING_COUNT *
                           (WARNING_BYTES + NAV_WARNING_ITEMS_MAX * (ITEM_BYTES + NAV_NAME_MAX)),
               "room for every warning there can be");
_Static_assert(NAV_WARNING_COUNT <= UINT8_MAX && NAV_NAME_MAX <= UINT8_MAX, "each fits a byte");

static uint8_t *put(uint8_t *at, const void *bytes, size_t size_bytes)
{
    memcpy(at, bytes, size_bytes);
    return at + size_bytes;
}

size_t nav_bake_report_pack(const nav_bake_report *r, uint8_t out[NAV_BAKE_REPORT_BYTES_MAX])
{
    uint64_t numbers[NUMBERS] = {
        r->triangles, r->triangles_steep, r->spans,    r->walkable_spans,   r->regions,
        r->contours,  r->polygons,        r->vertices, r->detail_triangles, 0,
        r->peak_bytes};
    memcpy(&numbers[9], &r->walkable_area, sizeof r->walkable_area);
    out[0] = FORMAT;
    out[1] = NAV_WARNING_COUNT;
    uint8_t *at = put(out + 2, numbers, sizeof numbers);
    for (uint8_t code = 0; code < NAV_WARNING_COUNT; ++code) {
        const nav_warning *w = &r->warnings[code];
        if (w->count == 0) {
            continue;
        }
        NAV_ASSERT(w->item_count <= NAV_WARNING_ITEMS_MAX);
        NAV_ASSERT(w->item_count <= w->count);
        *at++ = code;
        *at++ = (uint8_t)w->item_count;
        at = put(at, &w->count, sizeof w->count);
        for (uint32_t i = 0; i < w->item_count; ++i) {
            const struct nav_warning_item *item = &w->items[i];
            const uint8_t length = (uint8_t)strlen(item->name);
            NAV_ASSERT(length <= NAV_NAME_MAX);
            at = put(at, item->position, sizeof item->position);
            at = put(at, &item->value, sizeof item->value);
            *at++ = length;
            at = put(at, item->name, length);
        }
    }
    NAV_ASSERT(at - out <= (ptrdiff_t)NAV_BAKE_REPORT_BYTES_MAX);
    return (size_t)(at - out);
}

// A position in the bytes that are read; after too little was left it stays.
typedef struct cursor {
    const uint8_t *at;
    size_t left;   // behind it
    uint32_t code; // the least that the next warning may have
    bool bad;
} cursor;

static void take(cursor *c, void *out, size_t size_bytes)
{
    if (c->bad || c->left < size_bytes) {
        c->bad = true;
        memset(out, 0, size_bytes);
        return;
    }
    memcpy(out, c->at, size_bytes);
    c->at += size_bytes;
    c->left -= size_bytes;
}

static void take_item(cursor *c, struct nav_warning_item *out)
{
    uint8_t length = 0;
    take(c, out->position, sizeof out->position);
    take(c, &out->value, sizeof out->value);
    take(c, &length, 1);
    if (length > NAV_NAME_MAX) {
        c->bad = true;
        return;
    }
    take(c, out->name, length);
    c->bad = c->bad || strlen(out->name) != length;
}

static void take_warning(cursor *c, nav_bake_report *r)
{
    uint8_t code = 0, items = 0;
    take(c, &code, 1);
    take(c, &items, 1);
    // In rising order, so that none comes twice.
    if (code < c->code || code >= NAV_WARNING_COUNT || items > NAV_WARNING_ITEMS_MAX) {
        c->bad = true;
        return;
    }
    c->code = code + 1u;
    nav_warning *w = &r->warnings[code];
    take(c, &w->count, sizeof w->count);
    w->item_count = items;
    c->bad = c->bad || w->count == 0 || w->count < items;
    for (uint32_t i = 0; i < items && !c->bad; ++i) {
        take_item(c, &w->items[i]);
    }
}

bool nav_bake_report_unpack(const void *bytes, size_t size_bytes, nav_bake_report *out)
{
    cursor c = {.at = bytes, .left = size_bytes};
    nav_bake_report r = {0};
    uint8_t head[2];
    uint64_t n[NUMBERS];
    take(&c, head, sizeof head);
    take(&c, n, sizeof n);
    if (c.bad || head[0] != FORMAT || head[1] != NAV_WARNING_COUNT) {
        return false;
    }
    r.triangles = n[0];
    r.triangles_steep = n[1];
    r.spans = n[2];
    r.walkable_spans = n[3];
    r.regions = n[4];
    r.contours = n[5];
    r.polygons = n[6];
    r.vertices = n[7];
    r.detail_triangles = n[8];
    memcpy(&r.walkable_area, &n[9], sizeof r.walkable_area);
    r.peak_bytes = n[10];
    while (!c.bad && c.left > 0) {
        take_warning(&c, &r);
    }
    if (c.bad || !(r.walkable_area >= 0 && r.walkable_area < 1e15)) {
        return false;
    }
    *out = r;
    return true;
}

void nav_bake_report_add(nav_bake_report *sum, const nav_bake_report *one)
{
    for (int i = 0; i < NAV_STAGE_COUNT; ++i) {
        sum->stage_ns[i] += one->stage_ns[i];
    }
    sum->triangles += one->triangles;
    sum->triangles_steep += one->triangles_steep;
    sum->spans += one->spans;
    sum->walkable_spans += one->walkable_spans;
    sum->regions += one->regions;
    sum->contours += one->contours;
    sum->polygons += one->polygons;
    sum->vertices += one->vertices;
    sum->detail_triangles += one->detail_triangles;
    sum->walkable_area += one->walkable_area;
    sum->peak_bytes = one->peak_bytes > sum->peak_bytes ? one->peak_bytes : sum->peak_bytes;
    for (int i = 0; i < NAV_WARNING_COUNT; ++i) {
        nav_warning *to = &sum->warnings[i];
        const nav_warning *from = &one->warnings[i];
        for (uint32_t j = 0; j < from->item_count; ++j) {
            const struct nav_warning_item *item = &from->items[j];
            nav_warning_add(to, item->position, item->value, item->name);
        }
        to->count += from->count - from->item_count;
    }
}
