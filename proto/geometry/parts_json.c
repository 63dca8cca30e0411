// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// parts_json.c: parts of a level as JSON: where each stands, as somebody writes it, and which
// vertices and triangles are whose, as a version's description has it.

#include "proto/geometry/parts.h"

#include "proto/json/document.h"
#include "proto/json/fields.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VALUES_MAX (PROTO_PARTS_MAX * 20u) // of all parts together
#define SCALE_MIN 1e-6
#define SCALE_MAX 1e6
#define DEGREES_MAX 3600.0
#define UNIT_ERROR 1e-3 // of the length of a quaternion

proto_geometry_part proto_part_default(void)
{
    return (proto_geometry_part){.placement = {.scale = 1, .rotate = {0, 0, 0, 1}}};
}

// ---- names ----

static bool is_name(const char *name, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        const char c = name[i];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
              c == '.' || c == '_' || c == '-')) {
            return false;
        }
    }
    return length > 0 && length <= NAV_NAME_MAX;
}

nav_status proto_part_set_name(const char *name, size_t length, proto_geometry_part *part,
                               nav_error *err)
{
    if (!is_name(name, length)) {
        nav_fail_at(err, NAV_INVALID_FIELD, "name",
                    "the name of a part is 1 to %d letters, digits, '.', '_' and '-'",
                    NAV_NAME_MAX);
        nav_error_got(err, "%.*s", length < 60 ? (int)length : 60, name);
        return NAV_INVALID_FIELD;
    }
    memset(part->name, 0, sizeof part->name);
    memcpy(part->name, name, length);
    return NAV_OK;
}

nav_status proto_part_name_by_file(const char *file, proto_geometry_part *part, nav_error *err)
{
    const char *slash = strrchr(file, '/');
    const char *name = slash != NULL ? slash + 1 : file;
    const char *dot = strrchr(name, '.');
    const size_t length = dot != NULL && dot != name ? (size_t)(dot - name) : strlen(name);
    if (proto_part_set_name(name, length, part, NULL) == NAV_OK) {
        return NAV_OK;
    }
    nav_fail_at(
        err, NAV_INVALID_FIELD, "name",
        "%.80s is no name for a part, 1 to %d letters, digits, '.', '_' and '-': give it one "
        "(name)",
        file, NAV_NAME_MAX);
    nav_error_got(err, "%.60s", file);
    return NAV_INVALID_FIELD;
}

// ---- places ----

typedef struct part_fields {
    const char *name, *file;
    float translate[3];
    float scale;
    bool by_degrees;
    float degrees;
    float rotate[4];
} part_fields;

static nav_status read_rotate(const proto_value *v)
{
    part_fields *part = v->target;
    if (v->item->kind == PROTO_TOKEN_NUMBER) {
        if (!(fabs(v->item->number) <= DEGREES_MAX)) {
            return proto_value_not_within(v, -DEGREES_MAX, DEGREES_MAX,
                                          ", or a quaternion [x,y,z,w]");
        }
        part->by_degrees = true;
        part->degrees = (float)v->item->number;
        return NAV_OK;
    }
    if (v->item->kind != PROTO_TOKEN_LIST) {
        return proto_value_invalid(v, "degrees about the upward axis, or a quaternion [x,y,z,w]");
    }
    float *q = part->rotate;
    nav_status status = proto_value_numbers(v, 4, 1.0, DBL_MAX, q);
    if (status != NAV_OK) {
        return status;
    }
    double square = 0;
    for (int i = 0; i < 4; i++) {
        square += (double)q[i] * (double)q[i];
    }
    const double length = sqrt(square);
    if (!(fabs(length - 1) <= UNIT_ERROR)) {
        const nav_error_place at = proto_value_place(v);
        return nav_fail_at(v->err, NAV_INVALID_FIELD, at.text,
                           "%s: a quaternion [x,y,z,w] of length 1, not %.6g", at.text, length);
    }
    for (int i = 0; i < 4; i++) {
        q[i] = (float)((double)q[i] / length);
    }
    return NAV_OK;
}

#define FILE_ROW UINT64_C(1) // the first
static const proto_field ROWS[] = {
    {PROTO_ROW(STRING, part_fields, file)},
    {PROTO_ROW(STRING, part_fields, name)},
    {PROTO_ROW(POINT, part_fields, translate), .min = -PROTO_LEVEL_COORDINATE_MAX,
     .max = PROTO_LEVEL_COORDINATE_MAX},
    {PROTO_ROW(READ, part_fields, rotate), .read = read_rotate},
    {PROTO_ROW(FLOAT, part_fields, scale), .min = SCALE_MIN, .max = SCALE_MAX},
};

// file NULL: a part in this list has none.
static nav_status read_part(const proto_item *item, const char *prefix, proto_geometry_part *part,
                            char **file, nav_error *err)
{
    part_fields fields = {.scale = 1, .rotate = {0, 0, 0, 1}};
    proto_fields rows = PROTO_ROWS(ROWS);
    rows.absent = file != NULL ? 0 : FILE_ROW;
    nav_status status = proto_fields_read_item(rows, item, prefix, &fields, NULL, err);
    if (status == NAV_OK && fields.name != NULL) {
        status = proto_part_set_name(fields.name, strlen(fields.name), part, err);
        if (status != NAV_OK) {
            proto_error_within(err, "%s", prefix);
        }
    }
    if (status == NAV_OK && file != NULL && fields.file != NULL &&
        (*file = strdup(fields.file)) == NULL) {
        status = proto_fields_no_memory(err);
    }
    if (status == NAV_OK) {
        proto_placement *at = &part->placement;
        at->scale = fields.scale;
        at->by_degrees = fields.by_degrees;
        at->degrees = fields.degrees;
        memcpy(at->rotate, fields.rotate, sizeof at->rotate);
        memcpy(at->translate, fields.translate, sizeof at->translate);
    }
    return status;
}

nav_status proto_part_read(const char *json, size_t size_bytes, proto_geometry_part *part,
                           char **file, nav_error *err)
{
    struct cJSON *root;
    nav_status status = proto_document_parse(json, size_bytes, VALUES_MAX, &root, err);
    if (status == NAV_OK) {
        const proto_item item = proto_item_of_node(root);
        status = item.kind == PROTO_TOKEN_OBJECT
                     ? read_part(&item, "", part, file, err)
                     : proto_item_invalid(&item, "part", "an object", err);
        proto_document_delete(root);
    }
    return status;
}

// Reads the parts of a list, which is the whole text or a member of it that may be absent.
static nav_status read_list(const char *json, size_t size_bytes, bool is_member,
                            nav_status (*read)(const proto_value *v), proto_geometry_part **out,
                            uint32_t *count, nav_error *err)
{
    static const proto_field field = {.name = "parts"};
    const proto_each each = {PROTO_TOKEN_LIST, PROTO_PARTS_MAX, sizeof **out, read};
    const proto_geometry_part *parts = NULL;
    struct cJSON *root;
    nav_arena memory;
    uint32_t found = 0;
    nav_status status = proto_document_parse(json, size_bytes, VALUES_MAX, &root, err);
    if (status != NAV_OK) {
        return status;
    }
    nav_arena_init(&memory, NULL, 0);
    const proto_item whole = proto_item_of_node(root);
    const proto_item list = is_member ? proto_member_of(&whole, field.name) : whole;
    const proto_value v = {
        .field = &field, .item = &list, .err = err, .prefix = "", .memory = &memory};
    if (list.kind != PROTO_TOKEN_WRONG) {
        status = proto_value_each(&v, &each, NULL, &parts, &found);
    }
    if (status == NAV_OK && (*out = calloc((size_t)found + 1, sizeof **out)) == NULL) {
        status = proto_fields_no_memory(err);
    }
    if (status == NAV_OK && found > 0) {
        memcpy(*out, parts, found * sizeof **out);
    }
    *count = status == NAV_OK ? found : 0;
    nav_arena_free(&memory);
    proto_document_delete(root);
    return status;
}

static nav_status read_place(const proto_value *v)
{
    proto_geometry_part *part = v->target;
    const nav_error_place prefix = proto_value_prefix(v);
    const nav_error_place name = nav_at("%sname", prefix.text);
    *part = proto_part_default();
    nav_status status = read_part(v->item, prefix.text, part, NULL, v->err);
    if (status == NAV_OK && part->name[0] == '\0') {
        status = nav_fail_at(v->err, NAV_INVALID_FIELD, name.text, "%s is missing", name.text);
    }
    // Earlier parts stand before it in the array.
    for (uint32_t k = 1; status == NAV_OK && k < v->element; k++) {
        if (strcmp((part - k)->name, part->name) == 0) {
            status =
                nav_fail_at(v->err, NAV_INVALID_FIELD, name.text,
                            "parts[%u]: the part %s is there twice", v->element - 1, part->name);
            nav_error_got(v->err, "%s", part->name);
        }
    }
    return status;
}

nav_status proto_part_places_read(const char *json, size_t size_bytes, proto_geometry_part **out,
                                  uint32_t *count, nav_error *err)
{
    return read_list(json, size_bytes, false, read_place, out, count, err);
}

// ---- the description of a geometry ----

void proto_write_parts(proto_writer *w, const proto_geometry_part *parts, uint32_t count)
{
    proto_write_array_begin(w);
    for (uint32_t i = 0; i < count; i++) {
        proto_write_object_begin(w);
        proto_member_string(w, "name", parts[i].name);
        proto_member_int(w, "vertices", parts[i].vertex_count);
        proto_member_int(w, "triangles", parts[i].triangle_count);
        if (parts[i].stamp[0] != '\0') {
            proto_member_string(w, "stamp", parts[i].stamp);
        }
        proto_write_object_end(w);
    }
    proto_write_array_end(w);
}

typedef struct stored_fields {
    const char *name, *stamp;
    uint32_t vertices, triangles;
} stored_fields;

static const proto_field STORED_ROWS[] = {
    {PROTO_ROW(STRING, stored_fields, name), .required = true},
    {PROTO_ROW(STRING, stored_fields, stamp)},
    {PROTO_ROW(UINT, stored_fields, vertices), .max = NAV_VERTICES_MAX, .required = true},
    {PROTO_ROW(UINT, stored_fields, triangles), .max = NAV_TRIANGLES_MAX, .required = true},
};

static nav_status read_stored(const proto_value *v)
{
    proto_geometry_part *out = v->target;
    stored_fields fields = {.stamp = ""};
    nav_status status = proto_fields_read_value(PROTO_ROWS(STORED_ROWS), v, &fields, NULL);
    if (status == NAV_OK) {
        *out = proto_part_default();
        out->vertex_count = fields.vertices;
        out->triangle_count = fields.triangles;
        out->placed = true;
        (void)snprintf(out->stamp, sizeof out->stamp, "%s", fields.stamp);
        status = proto_part_set_name(fields.name, strlen(fields.name), out, v->err);
    }
    return status;
}

nav_status proto_parts_read_list(const char *geometry_json, proto_geometry_part **out,
                                 uint32_t *count, nav_error *err)
{
    return read_list(geometry_json, strlen(geometry_json), true, read_stored, out, count, err);
}
