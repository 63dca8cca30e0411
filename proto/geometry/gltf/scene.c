// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// scene.c: the nodes of a glTF. First the tree is proved to be one: every child has one parent, and
// nothing hangs below itself. Then it is walked, parents first, children in their order, and each
// mesh is handed to a visitor with the product of all transforms above it, in double precision.

#include "proto/geometry/gltf/gltf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- transforms ----

static const proto_gltf_transform IDENTITY = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};

bool proto_gltf_is_identity(const proto_gltf_transform *transform)
{
    bool same = true;
    for (uint32_t i = 0; i < 12; i++) {
        same = same && transform->m[i] == IDENTITY.m[i];
    }
    return same;
}

proto_gltf_transform proto_gltf_compose(const proto_gltf_transform *outer,
                                        const proto_gltf_transform *inner)
{
    proto_gltf_transform made;
    for (uint32_t row = 0; row < 3; row++) {
        const double *a = outer->m + (size_t)4 * row;
        for (uint32_t column = 0; column < 4; column++) {
            const double *b = inner->m + column;
            made.m[4 * row + column] =
                a[0] * b[0] + a[1] * b[4] + a[2] * b[8] + (column == 3 ? a[3] : 0.0);
        }
    }
    return made;
}

bool proto_gltf_unit(double rotation[4])
{
    double square = 0.0;
    for (uint32_t i = 0; i < 4; i++) {
        square += rotation[i] * rotation[i];
    }
    // Bytes that stand for a unit quaternion are off by a hundredth.
    if (!(square > 0.9 && square < 1.1)) {
        return false;
    }
    const double length = sqrt(square);
    for (uint32_t i = 0; i < 4; i++) {
        rotation[i] /= length;
    }
    return true;
}

proto_gltf_transform proto_gltf_transform_of(const double translation[3], const double rotation[4],
                                             const double scale[3])
{
    const double x = rotation[0], y = rotation[1], z = rotation[2], w = rotation[3];
    const double turned[9] = {
        1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - z * w),       2.0 * (x * z + y * w),
        2.0 * (x * y + z * w),       1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - x * w),
        2.0 * (x * z - y * w),       2.0 * (y * z + x * w),       1.0 - 2.0 * (x * x + y * y)};
    proto_gltf_transform made;
    for (uint32_t row = 0; row < 3; row++) {
        for (uint32_t column = 0; column < 3; column++) {
            made.m[4 * row + column] = turned[3 * row + column] * scale[column];
        }
        made.m[4 * row + 3] = translation[row];
    }
    return made;
}

// ---- nodes ----

typedef struct node_fields {
    uint32_t mesh;
    uint64_t skin; // UINT64_MAX: none
    proto_gltf_value children, extensions;
    proto_gltf_string name;
    double matrix[16], translation[3], rotation[4], scale[3];
} node_fields;

enum {
    ROW_CHILDREN,
    ROW_MESH,
    ROW_NAME,
    ROW_EXTENSIONS,
    ROW_SKIN,
    ROW_MATRIX,
    ROW_TRANSLATION,
    ROW_ROTATION,
    ROW_SCALE,
    ROW_COUNT
};

#define NUMBERS_ROW(member, amount)                                                                \
    {                                                                                              \
        .name = #member, .kind = PROTO_GLTF_NUMBERS, .offset = offsetof(node_fields, member),      \
        .count = amount                                                                            \
    }

static const proto_gltf_row NODE_ROWS[ROW_COUNT] = {
    [ROW_CHILDREN] = {PROTO_GLTF_ROW("children", ARRAY, node_fields, children)},
    [ROW_MESH] = {PROTO_GLTF_ROW("mesh", INDEX, node_fields, mesh), .list = PROTO_GLTF_MESHES},
    [ROW_NAME] = {PROTO_GLTF_ROW("name", STRING, node_fields, name)},
    [ROW_EXTENSIONS] = {PROTO_GLTF_ROW("extensions", OBJECT, node_fields, extensions)},
    [ROW_SKIN] = {PROTO_GLTF_ROW("skin", WHOLE, node_fields, skin)},
    [ROW_MATRIX] = NUMBERS_ROW(matrix, 16),
    [ROW_TRANSLATION] = NUMBERS_ROW(translation, 3),
    [ROW_ROTATION] = NUMBERS_ROW(rotation, 4),
    [ROW_SCALE] = NUMBERS_ROW(scale, 3),
};

static const node_fields NODE_DEFAULTS = {.mesh = NAV_NONE,
                                          .skin = UINT64_MAX,
                                          .matrix = {(double)NAN}, // not given
                                          .rotation = {0, 0, 0, 1},
                                          .scale = {1, 1, 1}};

static nav_status own_transform(node_fields *n, const nav_error_place *at,
                                proto_gltf_transform *out, nav_error *err)
{
    if (isnan(n->matrix[0])) {
        if (!proto_gltf_unit(n->rotation)) {
            const nav_error_place place = nav_at("%.60s.rotation", at->text);
            return proto_gltf_fail(err, &place, "it must be a quaternion of length 1");
        }
        *out = proto_gltf_transform_of(n->translation, n->rotation, n->scale);
        return NAV_OK;
    }
    const double *m = n->matrix; // column by column
    if (fabs(m[3]) + fabs(m[7]) + fabs(m[11]) + fabs(m[15] - 1.0) > 1e-6) {
        const nav_error_place place = nav_at("%.60s.matrix", at->text);
        return proto_gltf_fail(err, &place, "its last row must be 0, 0, 0, 1");
    }
    for (uint32_t row = 0; row < 3; row++) {
        for (uint32_t column = 0; column < 4; column++) {
            out->m[4 * row + column] = m[4 * column + row];
        }
    }
    return NAV_OK;
}

// ---- the tree ----

// Hangs the children below their parent, in their order.
static nav_status link_children(proto_gltf *g, uint32_t node, proto_gltf_value children,
                                const nav_error_place *at, nav_error *err)
{
    proto_gltf_items items;
    proto_gltf_value item;
    uint32_t *last = &g->first_children[node];
    proto_gltf_items_begin(&items, children);
    while (proto_gltf_items_next(&items, &item)) {
        const nav_error_place place = nav_at("%.40s.children[%u]", at->text, items.index);
        uint32_t child = 0;
        nav_status status = proto_gltf_index_value(g, item, PROTO_GLTF_NODES, &place, &child, err);
        if (status != NAV_OK) {
            return status;
        }
        if (g->parents[child] != NAV_NONE) {
            proto_gltf_fail(err, &place, "node %u has the parent %u already", child,
                            g->parents[child]);
            nav_error_got(err, "%u", child);
            return PROTO_BAD_GEOMETRY;
        }
        g->parents[child] = node;
        *last = child;
        last = &g->next_siblings[child];
    }
    return NAV_OK;
}

// With one parent each, a node that hangs below itself is found by going upwards. Its steps are
// counted over all nodes by marking what is known to end at a root.
static nav_status check_cycles(const proto_gltf *g, nav_error *err)
{
    const uint32_t count = g->counts[PROTO_GLTF_NODES];
    uint8_t *good = calloc((size_t)count + 1, 1);
    if (good == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory for the nodes of a glTF");
    }
    nav_status status = NAV_OK;
    for (uint32_t i = 0; i < count && status == NAV_OK; i++) {
        uint32_t up = i, steps = 0;
        while (up != NAV_NONE && !good[up] && steps++ <= count) {
            up = g->parents[up];
        }
        if (steps > count) {
            const nav_error_place at = nav_at("nodes[%u].children", up);
            status = proto_gltf_fail(err, &at, "node %u hangs below itself", up);
        }
        for (uint32_t k = i; status == NAV_OK && k != up; k = g->parents[k]) {
            good[k] = 1;
        }
    }
    free(good);
    return status;
}

nav_status proto_gltf_link_nodes(proto_gltf *g, nav_error *err)
{
    const size_t size_bytes = ((size_t)g->counts[PROTO_GLTF_NODES] + 1) * sizeof *g->parents;
    g->parents = malloc(size_bytes);
    g->first_children = malloc(size_bytes);
    g->next_siblings = malloc(size_bytes);
    if (g->parents == NULL || g->first_children == NULL || g->next_siblings == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory for the nodes of a glTF");
    }
    memset(g->parents, 0xff, size_bytes);
    memset(g->first_children, 0xff, size_bytes);
    memset(g->next_siblings, 0xff, size_bytes);
    static const proto_gltf_rows rows = {&NODE_ROWS[ROW_CHILDREN], 1};
    nav_status status = NAV_OK;
    for (uint32_t i = 0; i < g->counts[PROTO_GLTF_NODES] && status == NAV_OK; i++) {
        nav_error_place at;
        node_fields n = {.children = {0}};
        status = proto_gltf_read_element(g, PROTO_GLTF_NODES, i, rows, &at, &n, err);
        NAV_IF_OK(status, link_children(g, i, n.children, &at, err));
    }
    return status == NAV_OK ? check_cycles(g, err) : status;
}

// ---- the walk ----

// EXT_mesh_gpu_instancing.
static nav_status read_instances(proto_gltf *g, const node_fields *n, const nav_error_place *at,
                                 proto_gltf_placed *placed, nav_error *err)
{
    static const char name[] = "EXT_mesh_gpu_instancing";
    typedef struct instance_fields {
        uint32_t accessors[3];
    } instance_fields;
    static const proto_gltf_use uses[3] = {PROTO_GLTF_TRANSLATIONS, PROTO_GLTF_ROTATIONS,
                                           PROTO_GLTF_SCALES};
    static const proto_gltf_row rows[3] = {
        {PROTO_GLTF_ROW("TRANSLATION", INDEX, instance_fields, accessors[0]),
         .list = PROTO_GLTF_ACCESSORS},
        {PROTO_GLTF_ROW("ROTATION", INDEX, instance_fields, accessors[1]),
         .list = PROTO_GLTF_ACCESSORS},
        {PROTO_GLTF_ROW("SCALE", INDEX, instance_fields, accessors[2]),
         .list = PROTO_GLTF_ACCESSORS}};
    static const proto_gltf_row attributes_row = {.name = "attributes", .kind = PROTO_GLTF_OBJECT};
    proto_gltf_value extension = {0}, attributes = {0};
    const nav_error_place place = nav_at("%.25s.extensions.%s", at->text, name);
    const nav_error_place attributes_at = nav_at("%.50s.attributes", place.text);
    instance_fields f = {{NAV_NONE, NAV_NONE, NAV_NONE}};
    nav_status status = proto_gltf_extension(g, n->extensions, name, at, &extension, err);
    if (status == NAV_OK && extension.at != NULL) {
        status = proto_gltf_read(g, extension, (proto_gltf_rows){&attributes_row, 1}, &place,
                                 &attributes, err);
    }
    if (status == NAV_OK && attributes.at != NULL) {
        status =
            proto_gltf_read(g, attributes, (proto_gltf_rows){rows, 3}, &attributes_at, &f, err);
    }
    if (status != NAV_OK || extension.at == NULL) {
        return status;
    }
    proto_gltf_source *sources[3] = {&placed->translations, &placed->rotations, &placed->scales};
    bool *has[3] = {&placed->has_translations, &placed->has_rotations, &placed->has_scales};
    for (uint32_t i = 0; i < 3; i++) {
        if (f.accessors[i] == NAV_NONE) {
            continue;
        }
        status = proto_gltf_open(g, f.accessors[i], uses[i], sources[i], err);
        NAV_IF_OK(status, proto_gltf_check_zeros(g, sources[i], err));
        if (status != NAV_OK) {
            return status;
        }
        *has[i] = true;
        if (placed->has_instances && placed->instance_count != sources[i]->count) {
            return proto_gltf_fail(err, &place, "its attributes differ in their counts");
        }
        placed->has_instances = true;
        placed->instance_count = sources[i]->count;
    }
    return NAV_OK;
}

// The walk keeps this of each node between it and the root.
typedef struct level {
    uint32_t node, shape_node;
    uint64_t shapes_before; // where this very node is the one that names a shape
    proto_gltf_transform transform;
} level;

typedef struct walk {
    proto_geometry_reader *reader;
    proto_gltf_visit *visit;
    level levels[PROTO_GLTF_NODE_DEPTH_MAX];
    uint32_t depth;
} walk;

static nav_status visit_mesh(walk *w, const node_fields *n, const nav_error_place *at,
                             nav_error *err)
{
    const level *here = &w->levels[w->depth - 1];
    proto_gltf_placed placed = {.node = here->node,
                                .mesh = n->mesh,
                                .shape_node = here->shape_node,
                                .transform = here->transform,
                                .instance_count = 1};
    if (n->skin != UINT64_MAX) {           // it has no fixed place
        if (w->reader->vertices == NULL) { // the first walk, which counts
            proto_geometry_warn(&w->reader->limits, PROTO_READ_SKIN_SKIPPED, at->text);
        }
        return NAV_OK;
    }
    nav_status status = read_instances(w->reader->state.gltf, n, at, &placed, err);
    return status == NAV_OK ? w->visit(w->reader, &placed, err) : status;
}

static nav_status enter(walk *w, uint32_t node, nav_error *err)
{
    proto_gltf *g = w->reader->state.gltf;
    nav_error_place at;
    proto_geometry_shape shape;
    node_fields n = NODE_DEFAULTS;
    bool is_shape = false;
    nav_status status = proto_gltf_read_element(
        g, PROTO_GLTF_NODES, node, (proto_gltf_rows){NODE_ROWS, ROW_COUNT}, &at, &n, err);
    if (status == NAV_OK && w->depth == PROTO_GLTF_NODE_DEPTH_MAX) {
        proto_gltf_fail(err, &at, "it is more than %u nodes below its root",
                        PROTO_GLTF_NODE_DEPTH_MAX);
        nav_error_limit(err, "%u", PROTO_GLTF_NODE_DEPTH_MAX);
        return PROTO_BAD_GEOMETRY;
    }
    const level *outer = w->depth > 0 ? &w->levels[w->depth - 1] : NULL;
    level here = {.node = node,
                  .shape_node = outer != NULL ? outer->shape_node : NAV_NONE,
                  .shapes_before = g->shape_count};
    proto_gltf_transform own;
    status = status == NAV_OK ? own_transform(&n, &at, &own, err) : status;
    status =
        status == NAV_OK ? proto_gltf_shape_name(&n.name, &at, &is_shape, &shape, err) : status;
    if (status != NAV_OK) {
        return status;
    }
    here.transform = outer != NULL ? proto_gltf_compose(&outer->transform, &own) : own;
    here.shape_node = is_shape ? node : here.shape_node;
    w->levels[w->depth++] = here;
    return n.mesh != NAV_NONE ? visit_mesh(w, &n, &at, err) : NAV_OK;
}

// Leaves the innermost node.
static nav_status leave(walk *w, nav_error *err)
{
    const level *here = &w->levels[--w->depth];
    if (here->shape_node == here->node &&
        here->shapes_before == w->reader->state.gltf->shape_count) {
        const nav_error_place at = nav_at("nodes[%u].name", here->node);
        return proto_gltf_fail(err, &at,
                               "it names a volume or a switch, but no mesh of triangles is there "
                               "or below");
    }
    return NAV_OK;
}

static nav_status walk_root(walk *w, uint32_t root, nav_error *err)
{
    const proto_gltf *g = w->reader->state.gltf;
    nav_status status = enter(w, root, err);
    uint32_t next = g->first_children[root];
    while (status == NAV_OK && w->depth > 0) {
        if (next != NAV_NONE) {
            status = enter(w, next, err);
            next = g->first_children[next];
        } else {
            const uint32_t left = w->levels[w->depth - 1].node;
            status = leave(w, err);
            next = w->depth > 0 ? g->next_siblings[left] : NAV_NONE;
        }
    }
    return status;
}

// The nodes of the default scene.
static nav_status walk_scene(walk *w, nav_error *err)
{
    proto_gltf *g = w->reader->state.gltf;
    static const proto_gltf_row row = {.name = "nodes", .kind = PROTO_GLTF_ARRAY};
    proto_gltf_value nodes = {0}, item;
    nav_error_place at;
    proto_gltf_items items;
    nav_status status =
        proto_gltf_read_element(g, PROTO_GLTF_SCENES, g->scene != NAV_NONE ? g->scene : 0,
                                (proto_gltf_rows){&row, 1}, &at, &nodes, err);
    if (status != NAV_OK) {
        return status;
    }
    uint8_t *seen = calloc((size_t)g->counts[PROTO_GLTF_NODES] + 1, 1);
    if (seen == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory for the nodes of a glTF");
    }
    proto_gltf_items_begin(&items, nodes);
    while (status == NAV_OK && proto_gltf_items_next(&items, &item)) {
        const nav_error_place place = nav_at("%.40s.nodes[%u]", at.text, items.index);
        uint32_t root = 0;
        status = proto_gltf_index_value(g, item, PROTO_GLTF_NODES, &place, &root, err);
        if (status == NAV_OK && (g->parents[root] != NAV_NONE || seen[root])) {
            status = proto_gltf_fail(err, &place, "node %u is %s", root,
                                     seen[root] ? "there already" : "the child of another node");
        }
        if (status == NAV_OK) {
            seen[root] = 1;
            status = walk_root(w, root, err);
        }
    }
    free(seen);
    return status;
}

nav_status proto_gltf_walk(proto_geometry_reader *reader, proto_gltf_visit *visit, nav_error *err)
{
    const proto_gltf *g = reader->state.gltf;
    walk *w = malloc(sizeof *w);
    if (w == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory for the nodes of a glTF");
    }
    w->reader = reader;
    w->visit = visit;
    w->depth = 0;
    nav_status status = NAV_OK;
    if (g->counts[PROTO_GLTF_SCENES] > 0) {
        status = walk_scene(w, err);
    } else {
        for (uint32_t i = 0; i < g->counts[PROTO_GLTF_NODES] && status == NAV_OK; i++) {
            status = g->parents[i] == NAV_NONE ? walk_root(w, i, err) : NAV_OK;
        }
    }
    free(w);
    return status;
}
