// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// layers.c: step 6, the partition into layers: as few regions as can be, of which none lies above
// itself. They may have any shape, also holes.
//
// The regions of the row sweep are the nodes of a graph. From each that has no layer yet a layer
// spreads over the edges (breadth first), except to nodes that lie above or below what it has
// already. Small islands are dropped, whole: a small layer that others can be reached from stays,
// or a stair would lose its landing.
//
//         ____B____       A, stair and ramp are one layer as far as B is not above them;
//        /  stair         B begins the next.
//     __/____A____

#include "core/bake/regions/regions.h"

#include "core/bake/explain/explain.h"
#include "core/base/sets.h"

// The relatives of each region, in order of first sight: those of region r are
// items[first[r]] .. items[first[r + 1] - 1].
typedef struct relation {
    uint32_t *first; // raw_count + 2
    uint32_t *items;
} relation;

// Pairs as they are found. `last` spares most repetitions.
typedef struct pairs {
    nav_arena arena; // of the items
    uint32_t (*items)[2];
    uint32_t count, capacity;
    uint32_t *last; // by region: its partner in the last pair
} pairs;

typedef struct layering {
    const nav_bake_job *job;
    nav_field *field;
    uint32_t raw_count;
    pairs link_pairs;
    relation links; // regions that can be stepped to, of any area
    nav_region_floors floors;
    uint32_t *span_count, *first_span;
    uint32_t *island; // trees of regions that hang together; each root is the first of its island
    uint16_t *area;
    bool *open; // it goes on in the padding
} layering;

static bool pairs_add(pairs *p, uint32_t of, uint32_t other)
{
    if (p->last[of] == other) {
        return true;
    }
    if (p->count == p->capacity) {
        if (p->capacity > UINT32_MAX / 2) {
            return false;
        }
        uint32_t capacity = p->capacity + p->capacity / 2 + 256;
        uint32_t(*items)[2] =
            nav_arena_regrow(&p->arena, p->items, p->count, capacity, sizeof *p->items);
        if (items == NULL) {
            return false;
        }
        p->items = items;
        p->capacity = capacity;
    }
    p->last[of] = other;
    p->items[p->count][0] = of;
    p->items[p->count++][1] = other;
    return true;
}

// Counting sort of the pairs by their first.
static bool relate(const layering *l, const pairs *p, relation *out)
{
    size_t regions = (size_t)l->raw_count + 1;
    out->first = NAV_NEW_ZERO(l->job->scratch, uint32_t, regions + 2);
    out->items = NAV_NEW(l->job->scratch, uint32_t, p->count);
    if (out->first == NULL || out->items == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < p->count; ++i) {
        out->first[p->items[i][0] + 2]++;
    }
    for (size_t r = 2; r < regions + 2; ++r) {
        out->first[r] += out->first[r - 1];
    }
    for (uint32_t i = 0; i < p->count; ++i) {
        out->items[out->first[p->items[i][0] + 1]++] = p->items[i][1];
    }
    NAV_ASSERT(out->first[regions] == p->count);
    return true;
}

// ---- what the regions look like ----

static bool survey_links(layering *l, uint32_t span, uint32_t number)
{
    const nav_field *f = l->field;
    for (int direction = 0; direction < 4; ++direction) {
        uint32_t n = nav_field_neighbour(f, span, direction);
        uint32_t other = n != NAV_NONE ? f->region[n] : 0;
        if ((other & NAV_REGION_BORDER) != 0) {
            l->open[number] = true;
        } else if (other != 0 && other != number) {
            nav_sets_unite(l->island, number, other);
            if (!pairs_add(&l->link_pairs, number, other)) {
                return false;
            }
        }
    }
    return true;
}

static bool survey_column(layering *l, uint32_t begin, uint32_t end)
{
    const nav_field *f = l->field;
    for (uint32_t span = begin; span < end; ++span) {
        uint32_t number = f->region[span];
        if (!nav_region_is_inside(number)) {
            continue;
        }
        if (l->span_count[number]++ == 0) {
            l->first_span[number] = span;
            l->area[number] = f->area[span];
        }
        if (!survey_links(l, span, number)) {
            return false;
        }
    }
    return true;
}

static nav_status survey_columns(layering *l)
{
    const nav_field *f = l->field;
    for (uint32_t z = 0; z < f->depth; ++z) {
        if (nav_cancel_poll(l->job->cancel, NAV_STEP_ROW)) {
            return nav_bake_end(l->job);
        }
        for (uint32_t x = 0; x < f->width; ++x) {
            size_t column = (size_t)z * f->width + x;
            if (!survey_column(l, f->first[column], f->first[column + 1])) {
                return NAV_NO_MEMORY;
            }
        }
    }
    return relate(l, &l->link_pairs, &l->links) ? NAV_OK : NAV_NO_MEMORY;
}

static nav_status survey(layering *l)
{
    nav_arena *scratch = l->job->scratch;
    size_t regions = (size_t)l->raw_count + 1;
    l->span_count = NAV_NEW_ZERO(scratch, uint32_t, regions);
    l->first_span = NAV_NEW(scratch, uint32_t, regions);
    l->island = NAV_NEW(scratch, uint32_t, regions);
    l->area = NAV_NEW(scratch, uint16_t, regions);
    l->open = NAV_NEW_ZERO(scratch, bool, regions);
    l->link_pairs.last = NAV_NEW_ZERO(scratch, uint32_t, regions);
    if (l->span_count == NULL || l->first_span == NULL || l->island == NULL || l->area == NULL ||
        l->open == NULL || l->link_pairs.last == NULL) {
        return NAV_NO_MEMORY;
    }
    for (uint32_t i = 0; i < regions; ++i) {
        l->island[i] = i;
    }
    nav_arena_init_child(&l->link_pairs.arena, scratch);
    nav_status status = survey_columns(l);
    nav_arena_free(&l->link_pairs.arena);
    return status == NAV_OK ? nav_regions_floors(l->job, l->field, l->raw_count, &l->floors)
                            : status;
}

// ---- removing small islands ----

// Warns of an island of `spans` cells; its position is that of a span.
static void warn_removed(const layering *l, uint32_t span, uint32_t spans)
{
    const nav_field *f = l->field;
    size_t low = 0, high = (size_t)f->width * f->depth;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        *(f->first[middle] <= span ? &low : &high) = middle;
    }
    const size_t x = low % f->width, z = low / f->width;
    const float cell_size = l->job->grid->cell_size;
    nav_bake_warn_value(l->job, NAV_WARN_REGIONS_REMOVED, (float)x + 0.5f, (float)f->floor[span],
                        (float)z + 0.5f, (float)spans * cell_size * cell_size);
}

// Marks the regions of islands that go by a span count of 0.
static nav_status remove_islands(layering *l)
{
    uint32_t *spans = NAV_NEW_ZERO(l->job->scratch, uint32_t, (size_t)l->raw_count + 1);
    if (spans == NULL) {
        return NAV_NO_MEMORY;
    }
    for (uint32_t i = 1; i <= l->raw_count; ++i) {
        uint32_t island = nav_set_of(l->island, i);
        spans[island] += l->span_count[i];
        l->open[island] |= l->open[i];
    }
    for (uint32_t i = 1; i <= l->raw_count; ++i) {
        uint32_t island = nav_set_of(l->island, i);
        if (!l->open[island] && spans[island] < l->job->region_min_spans) {
            l->span_count[i] = 0;
            if (island == i) {
                warn_removed(l, l->first_span[i], spans[i]);
            }
        }
    }
    return NAV_OK;
}

// ---- layers ----

// Regions above or below one that the layer takes are closed to the layer.
static void close_floors(const layering *l, uint32_t number, uint32_t layer, uint32_t *closed)
{
    for (uint32_t i = l->floors.first[number]; i < l->floors.first[number + 1]; ++i) {
        closed[l->floors.items[i]] = layer;
    }
}

// Spreads a layer from a region. layers holds 0 for regions without one.
static void spread(const layering *l, uint32_t root, uint32_t layer, uint32_t *layers,
                   uint32_t *closed, uint32_t *queue)
{
    uint32_t head = 0, tail = 0;
    queue[tail++] = root;
    layers[root] = layer;
    close_floors(l, root, layer, closed);
    while (head < tail) {
        NAV_DCHECK(tail <= l->raw_count);
        uint32_t number = queue[head++];
        for (uint32_t i = l->links.first[number]; i < l->links.first[number + 1]; ++i) {
            uint32_t next = l->links.items[i];
            if (layers[next] == 0 && closed[next] != layer && l->area[next] == l->area[root]) {
                queue[tail++] = next;
                layers[next] = layer;
                close_floors(l, next, layer, closed);
            }
        }
    }
}

static nav_status make_layers(layering *l)
{
    nav_field *f = l->field;
    nav_arena *scratch = l->job->scratch;
    size_t regions = (size_t)l->raw_count + 1;
    uint32_t *layers = NAV_NEW_ZERO(scratch, uint32_t, regions);
    uint32_t *closed = NAV_NEW_ZERO(scratch, uint32_t, regions);
    uint32_t *queue = NAV_NEW(scratch, uint32_t, regions);
    if (layers == NULL || closed == NULL || queue == NULL) {
        return NAV_NO_MEMORY;
    }
    f->region_count = 0;
    for (uint32_t i = 1; i <= l->raw_count; ++i) {
        if (layers[i] == 0 && l->span_count[i] > 0) {
            spread(l, i, ++f->region_count, layers, closed, queue);
        }
    }
    for (uint32_t i = 0; i < f->span_count; ++i) {
        if (nav_cancel_poll(l->job->cancel, 1)) {
            return nav_bake_end(l->job);
        }
        if (nav_region_is_inside(f->region[i])) {
            NAV_DCHECK(f->region[i] <= l->raw_count);
            f->region[i] = layers[f->region[i]];
        }
    }
    NAV_ASSERT(f->region_count <= l->raw_count);
    l->job->report->regions += f->region_count;
    return NAV_OK;
}

nav_status nav_bake_regions_layers(const nav_bake_job *job, nav_arena *result, nav_field *field)
{
    layering l = {.job = job, .field = field};
    nav_status status = nav_regions_sweep(job, result, field, &l.raw_count);
    NAV_IF_OK(status, nav_inspect_first_regions(job, field, l.raw_count));
    NAV_IF_OK(status, survey(&l));
    NAV_IF_OK(status, remove_islands(&l));
    return status == NAV_OK ? make_layers(&l) : status;
}
