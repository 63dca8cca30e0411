// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// meshes.c: the meshes of a glTF to triangles. The scene is walked twice: the first walk reads each
// mesh once, however often it is placed, and counts what all its places add up to; then there is
// room for exactly that, and the second walk fills it. Primitives of points and lines are passed
// over. A transform that mirrors turns the corners round, so that fronts stay fronts.

#include "proto/base/bytes.h"
#include "proto/geometry/gltf/gltf.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- reading a mesh ----

typedef struct mesh_fields {
    proto_gltf_value primitives, weights;
} mesh_fields;

static const proto_gltf_row MESH_ROWS[] = {
    {PROTO_GLTF_ROW("primitives", ARRAY, mesh_fields, primitives)},
    {PROTO_GLTF_ROW("weights", ARRAY, mesh_fields, weights)},
};

typedef struct primitive_fields {
    proto_gltf_value attributes, extensions, targets;
    uint32_t indices, material, positions;
    uint64_t mode;
} primitive_fields;

static const proto_gltf_row PRIMITIVE_ROWS[] = {
    {PROTO_GLTF_ROW("attributes", OBJECT, primitive_fields, attributes)},
    {PROTO_GLTF_ROW("extensions", OBJECT, primitive_fields, extensions)},
    {PROTO_GLTF_ROW("targets", ARRAY, primitive_fields, targets)},
    {PROTO_GLTF_ROW("indices", INDEX, primitive_fields, indices), .list = PROTO_GLTF_ACCESSORS},
    {PROTO_GLTF_ROW("material", INDEX, primitive_fields, material), .list = PROTO_GLTF_MATERIALS},
    {PROTO_GLTF_ROW("mode", WHOLE, primitive_fields, mode)},
};

static const proto_gltf_row POSITION_ROW = {
    .name = "POSITION", .kind = PROTO_GLTF_INDEX, .list = PROTO_GLTF_ACCESSORS};

static nav_status read_fields(proto_gltf *g, proto_gltf_value value, const nav_error_place *at,
                              primitive_fields *f, nav_error *err)
{
    const proto_gltf_rows rows = {PRIMITIVE_ROWS, sizeof PRIMITIVE_ROWS / sizeof *PRIMITIVE_ROWS};
    nav_status status = proto_gltf_read(g, value, rows, at, f, err);
    if (status == NAV_OK && f->attributes.at != NULL) {
        const nav_error_place place = nav_at("%.60s.attributes", at->text);
        status = proto_gltf_read(g, f->attributes, (proto_gltf_rows){&POSITION_ROW, 1}, &place,
                                 &f->positions, err);
    }
    return status;
}

static nav_status read_material(proto_gltf *g, uint32_t material, nav_name out, nav_error *err)
{
    static const proto_gltf_row row = {.name = "name", .kind = PROTO_GLTF_STRING};
    proto_gltf_string name = {"", 0};
    nav_error_place at;
    if (material == NAV_NONE) {
        return NAV_OK;
    }
    nav_status status = proto_gltf_read_element(g, PROTO_GLTF_MATERIALS, material,
                                                (proto_gltf_rows){&row, 1}, &at, &name, err);
    if (status == NAV_OK) {
        proto_geometry_keep_name(g->limits, name.text, name.size_bytes, out);
        g->has_materials = g->has_materials || name.size_bytes > 0;
    }
    return status;
}

static nav_status count_triangles(proto_gltf_primitive *p, const nav_error_place *at,
                                  nav_error *err)
{
    const uint32_t corners = p->has_indices ? p->indices.count : p->positions.count;
    const bool is_list = p->mode == PROTO_GLTF_TRIANGLES;
    if (corners < 3 || (is_list && corners % 3 != 0)) {
        proto_gltf_fail(err, at, "%u corners are %s", corners,
                        corners < 3 ? "less than a triangle" : "no whole triangles");
        nav_error_got(err, "%u", corners);
        return PROTO_BAD_GEOMETRY;
    }
    p->triangle_count = is_list ? corners / 3 : corners - 2;
    return NAV_OK;
}

static nav_status add_morph(proto_gltf *g, proto_gltf_value target, double weight,
                            const nav_error_place *at, proto_gltf_primitive *p, nav_error *err)
{
    proto_gltf_morph morph = {.weight = weight};
    uint32_t accessor = NAV_NONE;
    nav_status status =
        proto_gltf_read(g, target, (proto_gltf_rows){&POSITION_ROW, 1}, at, &accessor, err);
    if (status != NAV_OK || accessor == NAV_NONE) {
        return status;
    }
    status = proto_gltf_open(g, accessor, PROTO_GLTF_POSITIONS, &morph.moves, err);
    if (status == NAV_OK &&
        (morph.moves.count != p->positions.count || p->morph_count == PROTO_GLTF_MORPHS_MAX)) {
        return proto_gltf_fail(err, at, "it must move %u vertices, as one of at most %u targets",
                               p->positions.count, PROTO_GLTF_MORPHS_MAX);
    }
    NAV_IF_OK(status, proto_geometry_append(&g->morphs, &g->morphs_capacity, g->morph_count, &morph,
                                            1, sizeof morph, err));
    g->morph_count += status == NAV_OK;
    p->morph_count += status == NAV_OK;
    return status;
}

// The targets that the mesh gives a weight by itself.
static nav_status read_morphs(proto_gltf *g, proto_gltf_value targets, proto_gltf_value weights,
                              const nav_error_place *at, proto_gltf_primitive *p, nav_error *err)
{
    proto_gltf_items of_targets, of_weights;
    proto_gltf_value target, weight;
    nav_status status = NAV_OK;
    p->morph_first = g->morph_count;
    if (targets.at == NULL || weights.at == NULL) {
        return NAV_OK;
    }
    proto_gltf_items_begin(&of_targets, targets);
    proto_gltf_items_begin(&of_weights, weights);
    while (status == NAV_OK && proto_gltf_items_next(&of_targets, &target) &&
           proto_gltf_items_next(&of_weights, &weight)) {
        const nav_error_place place = nav_at("%.50s.targets[%u]", at->text, of_targets.index);
        double number = 0;
        status = proto_gltf_number_value(weight, &place, &number, err);
        if (number != 0) {
            status = add_morph(g, target, number, &place, p, err);
        }
    }
    return status;
}

// *p stays as it is where the primitive has no triangles.
static nav_status read_primitive(proto_gltf *g, proto_gltf_value value, proto_gltf_value weights,
                                 const nav_error_place *at, proto_gltf_primitive *p, nav_error *err)
{
    static const char draco[] = "KHR_draco_mesh_compression";
    primitive_fields f = {.indices = NAV_NONE,
                          .material = NAV_NONE,
                          .positions = NAV_NONE,
                          .mode = PROTO_GLTF_TRIANGLES};
    proto_gltf_value packed = {0};
    nav_status status = read_fields(g, value, at, &f, err);
    if (status != NAV_OK) {
        return status;
    }
    if (f.mode > PROTO_GLTF_FAN) {
        const nav_error_place place = nav_at("%.60s.mode", at->text);
        proto_gltf_fail(err, &place, "it must be from 0 to 6");
        nav_error_got(err, "%llu", (unsigned long long)f.mode);
        return PROTO_BAD_GEOMETRY;
    }
    if (f.mode < PROTO_GLTF_TRIANGLES || f.positions == NAV_NONE) {
        return NAV_OK;
    }
    proto_gltf_primitive made = {.mode = (proto_gltf_mode)f.mode,
                                 .has_indices = f.indices != NAV_NONE};
    status = proto_gltf_extension(g, f.extensions, draco, at, &packed, err);
    NAV_IF_OK(status, proto_gltf_open(g, f.positions, PROTO_GLTF_POSITIONS, &made.positions, err));
    if (status == NAV_OK && packed.at != NULL && made.positions.bytes == NULL) {
        return proto_gltf_fail(err, at, "%s is not read here; export without compression", draco);
    }
    NAV_IF_OK(status, proto_gltf_check_zeros(g, &made.positions, err));
    if (status == NAV_OK && made.has_indices) {
        status = proto_gltf_open(g, f.indices, PROTO_GLTF_INDICES, &made.indices, err);
        NAV_IF_OK(status, proto_gltf_check_zeros(g, &made.indices, err));
    }
    NAV_IF_OK(status, read_morphs(g, f.targets, weights, at, &made, err));
    status = status == NAV_OK ? read_material(g, f.material, made.material, err) : status;
    status = status == NAV_OK ? count_triangles(&made, at, err) : status;
    if (status == NAV_OK) {
        *p = made;
    }
    return status;
}

static nav_status add_primitive(proto_gltf *g, proto_gltf_mesh *mesh, proto_gltf_primitive *p,
                                nav_error *err)
{
    p->shares_vertices =
        mesh->count > 0 && p->morph_count == 0 &&
        g->primitives[g->primitive_count - 1].morph_count == 0 &&
        g->primitives[g->primitive_count - 1].positions.accessor == p->positions.accessor;
    const nav_status status = proto_geometry_append(&g->primitives, &g->primitives_capacity,
                                                    g->primitive_count, p, 1, sizeof *p, err);
    if (status != NAV_OK) {
        return status;
    }
    g->primitive_count++;
    mesh->count++;
    mesh->vertex_count += p->shares_vertices ? 0 : p->positions.count;
    mesh->move_count += (uint64_t)p->positions.count * p->morph_count;
    mesh->triangle_count += p->triangle_count;
    return NAV_OK;
}

// ---- counting ----

static nav_status too_many(const char *what, uint64_t count, uint64_t limit, uint32_t node,
                           nav_error *err)
{
    return nav_fail_bound(
        err, NAV_GEOMETRY_TOO_LARGE, what, count, limit,
        "glTF: with nodes[%u] and its instances there are %llu %s, more than %llu; send parts "
        "of the level",
        node, (unsigned long long)count, what, (unsigned long long)limit);
}

// A mesh alone is held against the limits first, so that no product overflows.
static nav_status check_counts(const proto_geometry_reader *reader, const proto_gltf_mesh *mesh,
                               uint32_t node, nav_error *err)
{
    const proto_gltf *g = reader->state.gltf;
    const proto_geometry_limits *l = &reader->limits;
    const struct {
        uint64_t count, limit;
        const char *what;
    } rows[] = {{mesh->vertex_count, l->vertices_max, "vertices"},
                {g->vertex_count + g->shape_vertices, l->vertices_max, "vertices"},
                {mesh->move_count, l->vertices_max, "vertices that morph targets move"},
                {g->move_count, l->vertices_max, "vertices that morph targets move"},
                {mesh->triangle_count, l->triangles_max, "triangles"},
                {g->triangle_count + g->shape_triangles, l->triangles_max, "triangles"},
                {g->placed_count, PROTO_GLTF_PLACED_MAX, "placed primitives"},
                {g->shape_count, NAV_VOLUMES_MAX, "shapes"},
                {g->shape_points, PROTO_GLTF_SHAPE_POINTS_MAX, "points of shapes"},
                {g->shape_faces, PROTO_GLTF_SHAPE_TRIANGLES_MAX, "triangles of shapes"}};
    for (uint32_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].count > rows[i].limit) {
            return too_many(rows[i].what, rows[i].count, rows[i].limit, node, err);
        }
    }
    return NAV_OK;
}

// Counts are held against the limits as they come, so that no sum overflows and nothing is read for
// more.
static nav_status read_mesh(proto_geometry_reader *reader, const proto_gltf_placed *placed,
                            nav_error *err)
{
    proto_gltf *g = reader->state.gltf;
    proto_gltf_mesh *mesh = &g->meshes[placed->mesh];
    mesh_fields fields = {0};
    proto_gltf_value item;
    proto_gltf_items items;
    nav_error_place at;
    mesh->is_read = true;
    mesh->first = g->primitive_count;
    nav_status status = proto_gltf_read_element(g, PROTO_GLTF_MESHES, placed->mesh,
                                                (proto_gltf_rows){MESH_ROWS, 2}, &at, &fields, err);
    if (status != NAV_OK) {
        return status;
    }
    proto_gltf_items_begin(&items, fields.primitives);
    while (status == NAV_OK && proto_gltf_items_next(&items, &item)) {
        const nav_error_place place = nav_at("%.40s.primitives[%u]", at.text, items.index);
        proto_gltf_primitive p = {.triangle_count = 0};
        status = read_primitive(g, item, fields.weights, &place, &p, err);
        if (status == NAV_OK && p.triangle_count > 0) {
            status = add_primitive(g, mesh, &p, err);
            NAV_IF_OK(status, check_counts(reader, mesh, placed->node, err));
        }
    }
    return status;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

nav_status proto_gltf_count(proto_geometry_reader *reader, const proto_gltf_placed *placed,
                            nav_error *err)
{
    proto_gltf *g = reader->state.gltf;
    const proto_gltf_mesh *mesh = &g->meshes[placed->mesh];
    nav_status status = mesh->is_read ? NAV_OK : read_mesh(reader, placed, err);
    NAV_IF_OK(status, check_counts(reader, mesh, placed->node, err));
    if (status != NAV_OK) {
        return status;
    }
    const uint64_t times = placed->instance_count;
    g->move_count += times * mesh->move_count;
    g->placed_count += times * larger(mesh->count, 1);
    if (placed->shape_node == NAV_NONE) {
        g->vertex_count += times * mesh->vertex_count;
        g->triangle_count += times * mesh->triangle_count;
    } else if (mesh->count > 0) {
        g->shape_vertices = larger(g->shape_vertices, mesh->vertex_count);
        g->shape_triangles = larger(g->shape_triangles, mesh->triangle_count);
        g->shape_count += times;
        g->shape_points += times * mesh->vertex_count;
        g->shape_faces += times * mesh->triangle_count;
    }
    return check_counts(reader, mesh, placed->node, err);
}

nav_status proto_gltf_reserve(proto_geometry_reader *reader, nav_error *err)
{
    const proto_gltf *g = reader->state.gltf;
    const uint64_t vertices = g->vertex_count + g->shape_vertices;
    const uint64_t triangles = g->triangle_count + g->shape_triangles;
    const uint64_t materials = g->has_materials ? g->triangle_count : 0;
    const uint64_t size_bytes = 12 * (vertices + triangles) + 2 * materials;
    if (size_bytes > reader->limits.placed_bytes_max) {
        return nav_fail_bound(
            err, NAV_GEOMETRY_TOO_LARGE, "nodes", size_bytes, reader->limits.placed_bytes_max,
            "glTF: with all instances its %llu triangles take %llu bytes; send parts of the "
            "level",
            (unsigned long long)g->triangle_count, (unsigned long long)size_bytes);
    }
    const proto_geometry_limits *l = &reader->limits;
    nav_status status = l->hold != NULL ? l->hold(l->hooks->user, size_bytes, err) : NAV_OK;
    NAV_IF_OK(status, proto_geometry_append(&reader->vertices, &reader->vertices_capacity, 0, NULL,
                                            (size_t)vertices, 12, err));
    NAV_IF_OK(status, proto_geometry_append(&reader->triangles, &reader->triangles_capacity, 0,
                                            NULL, (size_t)triangles, 12, err));
    NAV_IF_OK(status, proto_geometry_append(&reader->materials.triangles,
                                            &reader->materials.triangles_capacity, 0, NULL,
                                            (size_t)materials, 2, err));
    return status;
}

// ---- filling ----

// The place where a primitive is put, and how.
typedef struct target {
    proto_geometry_reader *reader;
    const proto_gltf_placed *placed;
    proto_gltf_transform transform;
    bool is_identity, is_mirrored, has_material;
} target;

static nav_status bad_coordinate(const target *t, const proto_gltf_source *s, uint32_t vertex,
                                 uint32_t axis, double value, nav_error *err)
{
    const bool is_finite = isfinite(value);
    const nav_status status = is_finite ? NAV_VERTEX_OUT_OF_RANGE : NAV_VERTEX_NOT_FINITE;
    char text[32];
    (void)snprintf(text, sizeof text, "%.9g", value);
    const char *got = is_finite ? text : proto_text_not_finite(text);
    nav_fail_at(err, status, nav_at("accessors[%u][%u]", s->accessor, vertex).text,
                "glTF: accessors[%u][%u], placed by nodes[%u]: %c is %s, %s", s->accessor, vertex,
                t->placed->node, "xyz"[axis], got,
                is_finite ? "too far out" : "not a finite number");
    nav_error_got(err, "%s", got);
    if (is_finite) {
        nav_error_limit(err, "%.0f", t->reader->limits.coordinate_max);
    }
    return status;
}

static nav_status add_vertices(const target *t, const proto_gltf_primitive *of, nav_error *err)
{
    proto_geometry_reader *reader = t->reader;
    const proto_gltf_source *s = &of->positions;
    const proto_gltf_morph *morphs =
        of->morph_count > 0 ? reader->state.gltf->morphs + of->morph_first : NULL;
    proto_gltf_cursor cursor = {.source = s}, moves[PROTO_GLTF_MORPHS_MAX];
    for (uint32_t i = 0; i < of->morph_count; i++) {
        moves[i] = (proto_gltf_cursor){.source = &morphs[i].moves};
    }
    const double *m = t->transform.m;
    const double limit = reader->limits.coordinate_max;
    float *out = reader->vertices + (size_t)3 * reader->vertex_count;
    NAV_ASSERT(reader->vertices_capacity - reader->vertex_count >= s->count);
    for (uint32_t i = 0; i < s->count; i++) {
        double p[3], q[3];
        proto_gltf_next_numbers(&cursor, p);
        for (uint32_t k = 0; k < of->morph_count; k++) {
            proto_gltf_next_numbers(&moves[k], q);
            for (uint32_t axis = 0; axis < 3; axis++) {
                p[axis] += morphs[k].weight * q[axis];
            }
        }
        for (uint32_t axis = 0; axis < 3; axis++) {
            const double *row = m + (size_t)4 * axis;
            q[axis] =
                t->is_identity ? p[axis] : row[0] * p[0] + row[1] * p[1] + row[2] * p[2] + row[3];
            if (!(fabs(q[axis]) <= limit)) {
                return bad_coordinate(t, s, i, axis, q[axis], err);
            }
            *out++ = (float)q[axis];
        }
    }
    reader->vertex_count += s->count;
    return NAV_OK;
}

static nav_status bad_index(const proto_gltf_primitive *p, uint32_t corner, uint32_t index,
                            nav_error *err)
{
    return nav_fail_bound(
        err, NAV_INDEX_OUT_OF_RANGE, nav_at("accessors[%u][%u]", p->indices.accessor, corner).text,
        index, p->positions.count,
        "glTF: accessors[%u][%u] names vertex %u, but accessors[%u] has %u", p->indices.accessor,
        corner, index, p->positions.accessor, p->positions.count);
}

static nav_status next_corner(const proto_gltf_primitive *p, proto_gltf_cursor *cursor,
                              uint32_t *out, nav_error *err)
{
    const uint32_t corner = cursor->next;
    if (!p->has_indices) {
        *out = cursor->next++;
        return NAV_OK;
    }
    const uint32_t index = proto_gltf_next_index(cursor);
    if (index >= p->positions.count) {
        return bad_index(p, corner, index, err);
    }
    *out = index;
    return NAV_OK;
}

// The corners of triangle i; of a strip or a fan the last triangle's are in corners.
static nav_status next_triangle(const proto_gltf_primitive *p, proto_gltf_cursor *cursor,
                                uint32_t i, uint32_t corners[3], nav_error *err)
{
    uint32_t known = 0;
    if (p->mode != PROTO_GLTF_TRIANGLES && i > 0) {
        corners[0] = p->mode == PROTO_GLTF_STRIP ? corners[1] : corners[0];
        corners[1] = corners[2];
        known = 2;
    }
    nav_status status = NAV_OK;
    for (uint32_t k = known; k < 3 && status == NAV_OK; k++) {
        status = next_corner(p, cursor, &corners[k], err);
    }
    return status;
}

// Every second triangle of a strip is the other way round, and all are where space is mirrored. The
// first corner stays the first, as in the specification's formulas but for fans, which begin with
// their second corner there.
static nav_status add_triangles(const target *t, const proto_gltf_primitive *p, uint32_t base,
                                nav_error *err)
{
    proto_geometry_reader *reader = t->reader;
    proto_gltf_cursor cursor = {.source = &p->indices};
    uint32_t corners[3];
    nav_status status = NAV_OK;
    NAV_ASSERT(reader->triangles_capacity - reader->triangle_count >= p->triangle_count);
    for (uint32_t i = 0; i < p->triangle_count && status == NAV_OK; i++) {
        const bool is_turned = (p->mode == PROTO_GLTF_STRIP && i % 2 == 1) != t->is_mirrored;
        status = next_triangle(p, &cursor, i, corners, err);
        if (status == NAV_OK) {
            uint32_t *out = reader->triangles + (size_t)3 * reader->triangle_count++;
            out[0] = base + corners[0];
            out[1] = base + corners[is_turned ? 2 : 1];
            out[2] = base + corners[is_turned ? 1 : 2];
        }
        if (status == NAV_OK && t->has_material) {
            status = proto_materials_add(&reader->materials, p->material, err);
        }
    }
    return status;
}

static bool mirrors(const proto_gltf_transform *transform)
{
    const double *m = transform->m;
    return m[0] * (m[5] * m[10] - m[6] * m[9]) - m[1] * (m[4] * m[10] - m[6] * m[8]) +
               m[2] * (m[4] * m[9] - m[5] * m[8]) <
           0.0;
}

static nav_status add_mesh(target *t, nav_error *err)
{
    proto_gltf *g = t->reader->state.gltf;
    const proto_gltf_mesh *mesh = &g->meshes[t->placed->mesh];
    t->is_identity = proto_gltf_is_identity(&t->transform);
    t->is_mirrored = mirrors(&t->transform);
    t->has_material = g->has_materials && t->placed->shape_node == NAV_NONE;
    nav_status status = NAV_OK;
    uint32_t base = t->reader->vertex_count;
    for (uint32_t i = 0; i < mesh->count && status == NAV_OK; i++) {
        const proto_gltf_primitive *p = &g->primitives[mesh->first + i];
        status = proto_gltf_poll(g, (uint64_t)p->positions.count + p->triangle_count, err);
        if (status == NAV_OK && !p->shares_vertices) {
            base = t->reader->vertex_count;
            status = add_vertices(t, p, err);
        }
        status = status == NAV_OK ? add_triangles(t, p, base, err) : status;
    }
    return status;
}

typedef struct instance_cursors {
    proto_gltf_cursor translations, rotations, scales;
    uint32_t next;
} instance_cursors;

static nav_status next_instance(const proto_gltf_placed *placed, instance_cursors *c,
                                proto_gltf_transform *out, nav_error *err)
{
    double translation[3] = {0, 0, 0}, rotation[4] = {0, 0, 0, 1}, scale[3] = {1, 1, 1};
    if (placed->has_translations) {
        proto_gltf_next_numbers(&c->translations, translation);
    }
    if (placed->has_rotations) {
        proto_gltf_next_numbers(&c->rotations, rotation);
    }
    if (placed->has_scales) {
        proto_gltf_next_numbers(&c->scales, scale);
    }
    if (!proto_gltf_unit(rotation)) {
        const nav_error_place at = nav_at("accessors[%u][%u]", placed->rotations.accessor, c->next);
        return proto_gltf_fail(err, &at, "it must be a quaternion of length 1");
    }
    c->next++;
    const proto_gltf_transform own = proto_gltf_transform_of(translation, rotation, scale);
    *out = proto_gltf_compose(&placed->transform, &own);
    return NAV_OK;
}

nav_status proto_gltf_add(proto_geometry_reader *reader, const proto_gltf_placed *placed,
                          nav_error *err)
{
    target t = {.reader = reader, .placed = placed, .transform = placed->transform};
    instance_cursors cursors = {.translations = {.source = &placed->translations},
                                .rotations = {.source = &placed->rotations},
                                .scales = {.source = &placed->scales}};
    const bool is_shape = placed->shape_node != NAV_NONE;
    const bool is_empty = reader->state.gltf->meshes[placed->mesh].count == 0;
    nav_status status = NAV_OK;
    for (uint32_t i = 0; !is_empty && i < placed->instance_count && status == NAV_OK; i++) {
        const uint32_t first_vertex = reader->vertex_count, first = reader->triangle_count;
        if (placed->has_instances) {
            status = next_instance(placed, &cursors, &t.transform, err);
        }
        status = status == NAV_OK ? add_mesh(&t, err) : status;
        if (status == NAV_OK && is_shape) {
            status = proto_gltf_take_shape(reader, placed, first_vertex, first, err);
        }
    }
    return status;
}
