// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// mset_tile.c: one tile of Detour, format 7: header, vertices, polygons, room for links, height
// detail, a tree of bounds, off-mesh connections (proto/detour/layout.h has the bytes).

#include "proto/exports/mset.h"

#include "proto/json/write.h"

#include <string.h>

size_t mset_tile_bytes(const mset_tile *tile)
{
    const size_t polygons = tile->polygon_count, connections = tile->connection_count;
    return sizeof(proto_detour_header) + 12 * (tile->vertex_count + 2 * connections) +
           sizeof(proto_detour_polygon) * (polygons + connections) +
           sizeof(proto_detour_link) * tile->link_count + sizeof(proto_detour_detail) * polygons +
           12 * (size_t)tile->detail_vertex_count + 4 * (size_t)tile->detail_triangle_count +
           sizeof(proto_detour_node) * (2 * polygons - 1) +
           sizeof(proto_detour_connection) * connections;
}

// Bounds in the tree have 16 bits: cells, or coarser steps where a tile is longer than that.
static float cells_per_unit(const mset *m, const mset_tile *tile)
{
    float fits = 1.0f / m->grid.cell_size;
    for (int axis = 0; axis < 3; axis++) {
        const float extent = tile->max[axis] - tile->min[axis];
        fits = extent * fits > 65000.0f ? 65000.0f / extent : fits;
    }
    return fits;
}

static void put_header(proto_writer *w, const mset *m, const mset_tile *tile)
{
    proto_detour_header header = {
        .magic = PROTO_DETOUR_MAGIC,
        .version = PROTO_DETOUR_VERSION,
        .tile_x = (int32_t)tile->x,
        .tile_z = (int32_t)tile->z,
        .polygon_count = tile->polygon_count + tile->connection_count,
        .vertex_count = tile->vertex_count + 2 * tile->connection_count,
        .link_count = tile->link_count,
        .detail_count = tile->polygon_count,
        .detail_vertex_count = tile->detail_vertex_count,
        .detail_triangle_count = tile->detail_triangle_count,
        .node_count = 2 * tile->polygon_count - 1,
        .connection_count = tile->connection_count,
        .connection_first = tile->polygon_count,
        .agent_height = m->grid.agent_height,
        .agent_radius = m->grid.agent_radius,
        .agent_max_climb = m->grid.agent_max_climb,
        .cells_per_unit = cells_per_unit(m, tile),
    };
    memcpy(header.min, tile->min, sizeof header.min);
    memcpy(header.max, tile->max, sizeof header.max);
    proto_writer_put(w, &header, sizeof header);
}

static const nav_placed_link *connection_of(const mset *m, const mset_tile *tile, uint32_t i)
{
    return nav_mesh_link(m->s->mesh, m->connections[tile->connection_first + i]);
}

// Vertices of polygons, then the ends of connections.
static void put_vertices(proto_writer *w, const mset *m, const mset_tile *tile)
{
    for (uint32_t i = 0; i < tile->vertex_count; i++) {
        proto_writer_put(w, nav_mesh_vertex(m->s->mesh, m->s->vertices[tile->vertex_first + i]),
                         3 * sizeof(float));
    }
    for (uint32_t i = 0; i < tile->connection_count; i++) {
        const nav_placed_link *link = connection_of(m, tile, i);
        proto_writer_put(w, link->start, sizeof link->start);
        proto_writer_put(w, link->end, sizeof link->end);
    }
}

// ---- polygons ----

static bool is_closed(const nav_mesh *mesh, uint32_t number)
{
    const uint16_t *switches;
    const uint32_t count = nav_mesh_polygon_switches(mesh, number, &switches);
    bool closed = false;
    for (uint32_t i = 0; i < count && !closed; i++) {
        nav_switch_info info;
        nav_mesh_switch(mesh, switches[i], &info);
        closed = info.closed;
    }
    return closed;
}

// The neighbour of an edge as Detour writes it: 0, a polygon of the tile, or the border's side.
static uint16_t neighbour_of(const mset *m, const mset_tile *tile, uint32_t to)
{
    const uint32_t place = m->s->place[to];
    if (place == NAV_NONE) {
        return 0;
    }
    const mset_tile *other = &m->tiles[m->tile_of[place]];
    if (other == tile) {
        return (uint16_t)(place - tile->polygon_first + 1);
    }
    const int32_t dx = mset_apart(tile->x, other->x), dz = mset_apart(tile->z, other->z);
    NAV_ASSERT(dx * dx + dz * dz == 1); // tiles with a border in common
    return (uint16_t)(PROTO_DETOUR_EDGE_OUTSIDE | (dx > 0 ? 0u : dz > 0 ? 2u : dx < 0 ? 4u : 6u));
}

// Flags as Detour's 16 bits; 0 is ground that nobody walks on.
static uint16_t flags_of(const mset *m, uint32_t flags)
{
    return (uint16_t)(flags != 0 ? flags : 1u << m->flag_count);
}

static void put_ground(proto_writer *w, const mset *m, const mset_tile *tile, uint32_t place)
{
    const selection *s = m->s;
    const uint32_t number = s->polygons[place];
    const nav_polygon polygon = nav_mesh_polygon(s->mesh, number);
    const uint32_t flags = nav_mesh_area(s->mesh, polygon.area).flags;
    proto_detour_polygon out = {.first_link = PROTO_DETOUR_NO_LINK,
                                .flags = is_closed(s->mesh, number) ? 0 : flags_of(m, flags),
                                .vertex_count = (uint8_t)polygon.vertex_count,
                                .area_and_kind = polygon.area};
    for (uint32_t k = 0; k < polygon.vertex_count; k++) {
        out.vertices[k] = (uint16_t)(s->vertex_place[polygon.vertices[k]] - tile->vertex_first);
    }
    const uint32_t count = nav_mesh_edge_portals(s->mesh, number, s->portals, s->portal_capacity);
    for (uint32_t i = 0; i < count; i++) {
        uint16_t *neighbour = &out.neighbours[s->portals[i].edge];
        *neighbour = *neighbour != 0 ? *neighbour : neighbour_of(m, tile, s->portals[i].to);
    }
    proto_writer_put(w, &out, sizeof out);
}

static uint16_t link_flags(const mset *m, const nav_placed_link *link)
{
    nav_switch_info info = {.closed = false};
    if (link->switch_number > 0) {
        nav_mesh_switch(m->s->mesh, link->switch_number - 1, &info);
    }
    return info.closed ? 0 : flags_of(m, link->flags);
}

static void put_polygons(proto_writer *w, const mset *m, const mset_tile *tile)
{
    for (uint32_t i = 0; i < tile->polygon_count; i++) {
        put_ground(w, m, tile, tile->polygon_first + i);
    }
    for (uint32_t i = 0; i < tile->connection_count; i++) {
        const nav_placed_link *link = connection_of(m, tile, i);
        const uint32_t vertex = tile->vertex_count + 2 * i;
        const proto_detour_polygon out = {
            .first_link = PROTO_DETOUR_NO_LINK,
            .vertices = {(uint16_t)vertex, (uint16_t)(vertex + 1)},
            .flags = link_flags(m, link),
            .vertex_count = 2,
            .area_and_kind = (uint8_t)(link->area | PROTO_DETOUR_POLYGON_LINK << 6)};
        proto_writer_put(w, &out, sizeof out);
    }
}

// ---- height detail ----

static void put_details(proto_writer *w, const mset *m, const mset_tile *tile)
{
    proto_detour_detail out = {0};
    for (uint32_t i = 0; i < tile->polygon_count; i++) {
        const uint32_t number = m->s->polygons[tile->polygon_first + i];
        const nav_polygon polygon = nav_mesh_polygon(m->s->mesh, number);
        const selection_triangles all = selection_triangles_of(m->s->mesh, &polygon, number);
        out.vertex_count = (uint8_t)all.detail.vertex_count;
        out.triangle_count = (uint8_t)all.count;
        proto_writer_put(w, &out, sizeof out);
        out.vertex_first += all.detail.vertex_count;
        out.triangle_first += all.count;
    }
    for (uint32_t i = 0; i < tile->polygon_count; i++) {
        const nav_polygon_detail detail =
            nav_mesh_polygon_detail(m->s->mesh, m->s->polygons[tile->polygon_first + i]);
        proto_writer_put(w, detail.vertices, detail.vertex_count * sizeof *detail.vertices);
    }
}

// The bit of the edge a -> b in m->edges.
static uint8_t *edge_of(const mset *m, uint32_t a, uint32_t b, uint8_t *bit)
{
    const uint32_t index = a << 8 | b;
    *bit = (uint8_t)(1u << (index & 7));
    return &m->edges[index >> 3];
}

typedef enum edge_work {
    EDGES_NOTE,
    EDGES_FORGET
} edge_work;

static void walk_edges(const mset *m, const selection_triangles *all, edge_work work)
{
    for (uint32_t i = 0; i < all->count; i++) {
        uint32_t t[3];
        selection_triangle(all, i, t);
        for (uint32_t k = 0; k < 3; k++) {
            uint8_t bit;
            uint8_t *byte = edge_of(m, t[k], t[(k + 1) % 3], &bit);
            *byte = work == EDGES_NOTE ? (uint8_t)(*byte | bit) : (uint8_t)(*byte & ~bit);
        }
    }
}

// An edge lies on the polygon's border if no triangle has it the other way round.
static void put_triangles(proto_writer *w, const mset *m, uint32_t number)
{
    const nav_polygon polygon = nav_mesh_polygon(m->s->mesh, number);
    const selection_triangles all = selection_triangles_of(m->s->mesh, &polygon, number);
    walk_edges(m, &all, EDGES_NOTE);
    for (uint32_t i = 0; i < all.count; i++) {
        uint32_t t[3];
        selection_triangle(&all, i, t);
        uint8_t out[4] = {(uint8_t)t[0], (uint8_t)t[1], (uint8_t)t[2], 0};
        for (uint32_t k = 0; k < 3; k++) {
            uint8_t bit;
            const uint8_t *back = edge_of(m, t[(k + 1) % 3], t[k], &bit);
            out[3] |= (*back & bit) == 0 ? (uint8_t)(PROTO_DETOUR_DETAIL_BORDER << 2 * k) : 0;
        }
        proto_writer_put(w, out, sizeof out);
    }
    walk_edges(m, &all, EDGES_FORGET);
}

// ---- the tree of bounds ----

static uint16_t step_of(float at, float min, float per_unit, bool up)
{
    const float steps = (at - min) * per_unit;
    const float whole = steps > 0.0f ? steps : 0.0f;
    const uint32_t step = (uint32_t)whole + (up && whole > (float)(uint32_t)whole);
    return (uint16_t)(step < UINT16_MAX ? step : UINT16_MAX);
}

static void widen(mset_box *box, const mset_tile *tile, float per_unit, const float at[3])
{
    for (int axis = 0; axis < 3; axis++) {
        const uint16_t low = step_of(at[axis], tile->min[axis], per_unit, false);
        const uint16_t high = step_of(at[axis], tile->min[axis], per_unit, true);
        box->node.min[axis] = low < box->node.min[axis] ? low : box->node.min[axis];
        box->node.max[axis] = high > box->node.max[axis] ? high : box->node.max[axis];
    }
}

static void make_boxes(const mset *m, const mset_tile *tile)
{
    const float per_unit = cells_per_unit(m, tile);
    for (uint32_t i = 0; i < tile->polygon_count; i++) {
        const uint32_t number = m->s->polygons[tile->polygon_first + i];
        const nav_polygon polygon = nav_mesh_polygon(m->s->mesh, number);
        const nav_polygon_detail detail = nav_mesh_polygon_detail(m->s->mesh, number);
        mset_box *box = &m->boxes[i];
        *box =
            (mset_box){.node = {.min = {UINT16_MAX, UINT16_MAX, UINT16_MAX}, .next = (int32_t)i}};
        for (uint32_t k = 0; k < polygon.vertex_count; k++) {
            widen(box, tile, per_unit, nav_mesh_vertex(m->s->mesh, polygon.vertices[k]));
        }
        for (uint32_t k = 0; k < detail.vertex_count; k++) {
            widen(box, tile, per_unit, detail.vertices[k]);
        }
        for (int axis = 0; axis < 3; axis++) {
            box->middle[axis] = (uint32_t)box->node.min[axis] + box->node.max[axis];
        }
    }
}

// Hoare 1961: the lower half of the boxes along an axis comes first.
static void halve(mset_box *boxes, uint32_t count, int axis)
{
    int64_t low = 0, high = (int64_t)count - 1;
    const int64_t half = count / 2;
    while (low < high) {
        const uint32_t pivot = boxes[low + (high - low) / 2].middle[axis];
        int64_t i = low, k = high;
        while (i <= k) {
            while (boxes[i].middle[axis] < pivot) {
                i++;
            }
            while (boxes[k].middle[axis] > pivot) {
                k--;
            }
            if (i <= k) {
                const mset_box keep = boxes[i];
                boxes[i++] = boxes[k];
                boxes[k--] = keep;
            }
        }
        low = half >= i ? i : low;
        high = half <= k ? k : high;
        if (half > k && half < i) {
            return;
        }
    }
}

// A node, then its lower half, then its upper one. The depth is that of a halved list.
static void put_subtree(proto_writer *w, mset_box *boxes, uint32_t count)
{
    if (count == 1) {
        proto_writer_put(w, &boxes[0].node, sizeof boxes[0].node);
        return;
    }
    proto_detour_node node = boxes[0].node;
    uint32_t least[3], most[3];
    for (int axis = 0; axis < 3; axis++) {
        least[axis] = most[axis] = boxes[0].middle[axis];
        for (uint32_t i = 1; i < count; i++) {
            const mset_box *box = &boxes[i];
            const uint16_t low = box->node.min[axis], high = box->node.max[axis];
            node.min[axis] = low < node.min[axis] ? low : node.min[axis];
            node.max[axis] = high > node.max[axis] ? high : node.max[axis];
            least[axis] = box->middle[axis] < least[axis] ? box->middle[axis] : least[axis];
            most[axis] = box->middle[axis] > most[axis] ? box->middle[axis] : most[axis];
        }
    }
    int longest = 0;
    for (int axis = 1; axis < 3; axis++) {
        longest = most[axis] - least[axis] > most[longest] - least[longest] ? axis : longest;
    }
    node.next = 1 - 2 * (int32_t)count;
    proto_writer_put(w, &node, sizeof node);
    halve(boxes, count, longest);
    put_subtree(w, boxes, count / 2);
    put_subtree(w, boxes + count / 2, count - count / 2);
}

// ---- connections ----

// The side of a tile, by an eighth of a turn from +x to +z, on which another one lies.
static uint8_t side_of(const mset_tile *tile, const mset_tile *other)
{
    static const uint8_t sides[3][3] = {{5, 6, 7}, {4, PROTO_DETOUR_SIDE_INSIDE, 0}, {3, 2, 1}};
    const int32_t dx = mset_apart(tile->x, other->x), dz = mset_apart(tile->z, other->z);
    NAV_ASSERT(dx >= -1 && dx <= 1 && dz >= -1 && dz <= 1);
    return sides[dz + 1][dx + 1];
}

// Ends lie on the ground: a small radius finds it.
static void put_connections(proto_writer *w, const mset *m, const mset_tile *tile)
{
    const nav_mesh_grid *grid = &m->grid;
    for (uint32_t i = 0; i < tile->connection_count; i++) {
        const nav_placed_link *link = connection_of(m, tile, i);
        const mset_tile *other = &m->tiles[m->tile_of[m->s->place[link->end_polygon]]];
        proto_detour_connection out = {
            .radius = grid->agent_radius > grid->cell_size ? grid->agent_radius : grid->cell_size,
            .polygon = (uint16_t)(tile->polygon_count + i),
            .flags = link->bidirectional ? PROTO_DETOUR_LINK_BOTH_WAYS : 0,
            .side = side_of(tile, other),
            .user_id = link->config_index};
        memcpy(out.start, link->start, sizeof out.start);
        memcpy(out.end, link->end, sizeof out.end);
        proto_writer_put(w, &out, sizeof out);
    }
}

void mset_tile_write(proto_writer *w, const mset *m, const mset_tile *tile)
{
    NAV_ASSERT(tile->polygon_count > 0);
    put_header(w, m, tile);
    put_vertices(w, m, tile);
    put_polygons(w, m, tile);
    // Detour fills them as it loads the tile.
    const size_t size_bytes = sizeof(proto_detour_link) * tile->link_count;
    char *space = proto_writer_reserve(w, size_bytes);
    if (space != NULL) {
        memset(space, 0, size_bytes);
        w->size_bytes += size_bytes;
    }
    put_details(w, m, tile);
    for (uint32_t i = 0; i < tile->polygon_count; i++) {
        put_triangles(w, m, m->s->polygons[tile->polygon_first + i]);
    }
    make_boxes(m, tile);
    put_subtree(w, m->boxes, tile->polygon_count);
    put_connections(w, m, tile);
}
