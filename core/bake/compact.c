// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// compact.c: step 3, solid spans -> the open field above them, in two halves: the open spans, then,
// when the solid spans are gone, the links between them. Two open spans in neighbouring columns are
// linked where the agent fits through between them and the step is no higher than it can climb.
//
// Rows of cells are linked one by one, each to itself and to the next one, after which it is done
// and packed. Only what is not yet packed is there in full:
//
//     | packed ........ | rows: left of a block, this row, the next one | not yet looked at ...

#include "core/bake/stages.h"

// ---- the open spans ----

static uint32_t count_walkable(const nav_heightfield *solid)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < solid->span_count; ++i) {
        count += solid->span_area[i] != NAV_AREA_NONE;
    }
    return count;
}

static bool field_alloc(nav_arena *result, const nav_heightfield *solid, uint32_t spans,
                        nav_field *out)
{
    size_t columns = (size_t)solid->width * solid->depth;
    *out = (nav_field){.width = solid->width,
                       .depth = solid->depth,
                       .span_count = spans,
                       .first = NAV_NEW(result, uint32_t, columns + 1),
                       .floor = NAV_NEW(result, uint16_t, spans),
                       .headroom = NAV_NEW(result, uint16_t, spans),
                       .area = NAV_NEW(result, uint16_t, spans)};
    return out->first != NULL && out->floor != NULL && out->headroom != NULL && out->area != NULL;
}

static nav_status copy_walkable(const nav_bake_job *job, const nav_heightfield *solid,
                                nav_field *out)
{
    size_t columns = (size_t)solid->width * solid->depth;
    uint32_t to = 0;
    for (size_t column = 0; column < columns; ++column) {
        if (nav_cancel_poll(job->cancel, 1)) {
            return nav_bake_end(job);
        }
        out->first[column] = to;
        uint32_t end = solid->first[column + 1];
        for (uint32_t i = solid->first[column]; i < end; ++i) {
            if (solid->span_area[i] == NAV_AREA_NONE) {
                continue;
            }
            uint32_t floor = solid->span_max[i];
            NAV_DCHECK(i + 1 == end || solid->span_min[i + 1] > floor);
            uint32_t headroom = i + 1 < end ? solid->span_min[i + 1] - floor : UINT16_MAX;
            out->floor[to] = (uint16_t)floor;
            out->headroom[to] = (uint16_t)headroom;
            out->area[to] = solid->span_area[i];
            to++;
        }
    }
    NAV_ASSERT(to == out->span_count);
    out->first[columns] = to;
    return NAV_OK;
}

nav_status nav_bake_compact(const nav_bake_job *job, const nav_heightfield *solid,
                            nav_arena *result, nav_field *out)
{
    NAV_ASSERT(solid->span_count == solid->first[(size_t)solid->width * solid->depth]);
    nav_field field;
    if (!field_alloc(result, solid, count_walkable(solid), &field)) {
        return NAV_NO_MEMORY;
    }
    nav_status status = copy_walkable(job, solid, &field);
    if (status == NAV_OK) {
        *out = field;
    }
    return status;
}

// ---- links in little memory ----

bool nav_field_links_init(nav_arena *result, nav_field *field)
{
    size_t blocks = field->span_count / NAV_LINK_BLOCK + 1;
    field->links = nav_arena_alloc(result, field->span_count, sizeof *field->links);
    field->link_blocks = NAV_NEW(result, nav_link_block, blocks);
    return field->links != NULL && field->link_blocks != NULL;
}

// The offsets that are added to each span and its link. The first neighbour comes to lie in the
// middle of a link's range.
static uint32_t base_of(uint32_t begin, uint32_t count, int direction,
                        const uint32_t (*neighbours)[4])
{
    for (uint32_t i = 0; i < count; ++i) {
        if (neighbours[i][direction] != NAV_NONE) {
            return neighbours[i][direction] - (begin + i) - NAV_LINK_FAR / 2;
        }
    }
    return 0;
}

// Packs the spans of one block, `count` from `begin` on.
static bool pack_block(nav_arena *result, nav_field *field, uint32_t begin, uint32_t count,
                       const uint32_t (*neighbours)[4])
{
    nav_link_block *block = &field->link_blocks[begin / NAV_LINK_BLOCK];
    uint32_t base[4];
    for (int direction = 0; direction < 4; ++direction) {
        base[direction] = base_of(begin, count, direction, neighbours);
    }
    *block = (nav_link_block){.base = {base[0], base[1], base[2], base[3]}};
    bool any_far = false;
    for (uint32_t i = 0; i < count; ++i) {
        uint8_t *links = field->links[begin + i];
        for (int direction = 0; direction < 4; ++direction) {
            uint32_t n = neighbours[i][direction];
            uint32_t link = n - (begin + i) - base[direction];
            bool far = link - 1 >= NAV_LINK_FAR - 1;
            link = far ? NAV_LINK_FAR : link;
            links[direction] = (uint8_t)(n == NAV_NONE ? NAV_LINK_NONE : link);
            any_far |= far && n != NAV_NONE;
        }
    }
    if (any_far) {
        block->far = nav_arena_alloc(result, count, sizeof *block->far);
        if (block->far == NULL) {
            return false;
        }
        memcpy(block->far, neighbours, count * sizeof *block->far);
    }
    return true;
}

bool nav_field_links_pack(nav_arena *result, nav_field *field, uint32_t begin, uint32_t end,
                          const uint32_t (*neighbours)[4])
{
    NAV_ASSERT(begin <= end);
    NAV_ASSERT(end <= field->span_count);
    NAV_ASSERT(begin % NAV_LINK_BLOCK == 0);
    NAV_ASSERT(end % NAV_LINK_BLOCK == 0 || end == field->span_count);
    for (uint32_t i = begin; i < end; i += NAV_LINK_BLOCK) {
        uint32_t count = end - i < NAV_LINK_BLOCK ? end - i : NAV_LINK_BLOCK;
        if (!pack_block(result, field, i, count, neighbours + (i - begin))) {
            return false;
        }
    }
    return true;
}

// ---- the links ----

typedef struct linker {
    nav_field *field;
    uint32_t (*rows)[4]; // neighbours by direction of spans [begin, end)
    uint32_t begin, end;
} linker;

// low: the headroom that is enough where one of two is a low passage.
typedef struct limits {
    int32_t height, low, climb;
} limits;

// Whether the agent fits through between two open spans.
static inline bool fits_between(const uint16_t *floors, const uint16_t *headroom, uint32_t i,
                                uint32_t n, limits limit)
{
    int32_t floor = floors[i], other_floor = floors[n];
    int32_t own = headroom[i], other = headroom[n];
    int32_t bottom = floor > other_floor ? floor : other_floor;
    int32_t top = floor + own < other_floor + other ? floor + own : other_floor + other;
    int32_t needed = own <= limit.height || other <= limit.height ? limit.low : limit.height;
    return top - bottom >= needed;
}

// Links the spans of a column to those of the next one in a direction, and back. Later stages walk
// along borders and rely on links that go both ways, so each span takes the lowest one that it can
// step to and that is not taken: where an agent can climb half its height, two floors could reach
// it. Floors rise on both sides: what is too low for one span is so for those above it.
static inline void link_columns(const nav_field *f, uint32_t (*rows)[4], uint32_t rows_begin,
                                uint32_t i, uint32_t end, uint32_t lowest, uint32_t other_end,
                                int direction, limits limit)
{
    const uint16_t *floors = f->floor, *headroom = f->headroom;
    int back = (direction + 2) & 3;
    for (; i < end; ++i) {
        int32_t floor = floors[i];
        while (lowest < other_end && floors[lowest] < floor - limit.climb) {
            ++lowest;
        }
        for (uint32_t n = lowest; n < other_end && floors[n] <= floor + limit.climb; ++n) {
            if (rows[n - rows_begin][back] == NAV_NONE &&
                fits_between(floors, headroom, i, n, limit)) {
                rows[i - rows_begin][direction] = n;
                rows[n - rows_begin][back] = i;
                break;
            }
        }
    }
}

static void link_row(const linker *l, uint32_t z, limits limit)
{
    const nav_field *f = l->field;
    uint32_t(*rows)[4] = l->rows;
    uint32_t begin = l->begin, width = f->width;
    const uint32_t *first = f->first + (size_t)z * width;
    const uint32_t *ahead = z + 1 < f->depth ? first + width : NULL;
    for (uint32_t x = 0; x < width; ++x) {
        uint32_t i = first[x], end = first[x + 1];
        if (i == end) {
            continue;
        }
        if (x + 1 < width) {
            link_columns(f, rows, begin, i, end, end, first[x + 2], 2, limit);
        }
        if (ahead != NULL) {
            link_columns(f, rows, begin, i, end, ahead[x], ahead[x + 1], 1, limit);
        }
    }
}

// The first span of a row; of what lies behind the last row, one past the last span.
static uint32_t row_begin(const nav_field *f, uint32_t z)
{
    return f->first[(size_t)(z < f->depth ? z : f->depth) * f->width];
}

// Opens the spans up to `end`, which have no neighbours as yet.
static void open_rows(linker *l, uint32_t end)
{
    NAV_ASSERT(end >= l->end);
    memset(l->rows + (l->end - l->begin), 0xff, (size_t)(end - l->end) * sizeof *l->rows);
    l->end = end;
}

// Packs whole blocks of spans before `done`, at the end all, and keeps what is left.
static bool pack_rows(linker *l, nav_arena *result, uint32_t done)
{
    nav_field *f = l->field;
    uint32_t end = done == f->span_count ? done : done / NAV_LINK_BLOCK * NAV_LINK_BLOCK;
    if (end <= l->begin) {
        return true;
    }
    if (!nav_field_links_pack(result, f, l->begin, end, (const uint32_t(*)[4])l->rows)) {
        return false;
    }
    memmove(l->rows, l->rows + (end - l->begin), (size_t)(l->end - end) * sizeof *l->rows);
    l->begin = end;
    return true;
}

// The most that rows have to hold: two rows of cells, and a block that is not complete.
static size_t rows_capacity(const nav_field *f)
{
    uint32_t most = 0;
    for (uint32_t z = 0; z < f->depth; ++z) {
        uint32_t two = row_begin(f, z + 2) - row_begin(f, z);
        most = two > most ? two : most;
    }
    return (size_t)most + NAV_LINK_BLOCK;
}

nav_status nav_bake_link(const nav_bake_job *job, nav_arena *result, nav_field *field)
{
    NAV_ASSERT(field->span_count == field->first[(size_t)field->width * field->depth]);
    NAV_ASSERT(field->headroom != NULL);
    NAV_ASSERT(field->links == NULL);
    int32_t height = (int32_t)job->height_min_cells;
    limits limit = {.height = height,
                    .low = job->low_cells != 0 ? (int32_t)job->low_cells : height,
                    .climb = (int32_t)job->climb_cells};
    linker l = {.field = field,
                .rows = nav_arena_alloc(job->scratch, rows_capacity(field), sizeof *l.rows)};
    if (l.rows == NULL || !nav_field_links_init(result, field)) {
        return NAV_NO_MEMORY;
    }
    for (uint32_t z = 0; z < field->depth; ++z) {
        if (nav_cancel_poll(job->cancel, NAV_STEP_ROW)) {
            return nav_bake_end(job);
        }
        open_rows(&l, row_begin(field, z + 2));
        link_row(&l, z, limit);
        if (!pack_rows(&l, result, row_begin(field, z + 1))) {
            return NAV_NO_MEMORY;
        }
    }
    return NAV_OK;
}
