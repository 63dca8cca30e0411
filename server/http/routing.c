// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// routing.c: from a method and a path to a row of the table of routes.

#include "server/http/http.h"

#include "proto/base/suggest.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const char *const METHOD_WORDS[HTTP_METHOD_COUNT] = {
    [HTTP_GET] = "GET",     [HTTP_POST] = "POST",     [HTTP_PUT] = "PUT",
    [HTTP_PATCH] = "PATCH", [HTTP_DELETE] = "DELETE",
};

const char *routing_method_word(http_method method)
{
    return METHOD_WORDS[method];
}

// HTTP_METHOD_COUNT for a method that no route has.
static http_method method_of(const char *method)
{
    static const struct {
        const char *word;
        http_method method;
    } words[] = {{"GET", HTTP_GET}, {"HEAD", HTTP_GET},    {"POST", HTTP_POST},
                 {"PUT", HTTP_PUT}, {"PATCH", HTTP_PATCH}, {"DELETE", HTTP_DELETE}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(method, words[i].word) == 0) {
            return words[i].method;
        }
    }
    return HTTP_METHOD_COUNT;
}

// The segments of the path in the place of {mesh}, {version}, {instance} and {recording}.
typedef struct capture {
    const char *begin; // NULL where the pattern has none
    size_t length;
} capture;

typedef struct captures {
    capture mesh, version, instance, recording;
} captures;

// At a placeholder: takes a segment of the path. Both texts are moved behind it.
static void take_segment(const char **pattern, const char **path, captures *out)
{
    const char *begin = *path;
    const char kind = (*pattern)[1];
    while (**path != '/' && **path != '\0') {
        (*path)++;
    }
    NAV_DCHECK(kind == 'm' || kind == 'v' || kind == 'i' || kind == 'r');
    *pattern += strcspn(*pattern, "}") + 1;
    *(kind == 'm'   ? &out->mesh
      : kind == 'v' ? &out->version
      : kind == 'i' ? &out->instance
                    : &out->recording) = (capture){begin, (size_t)(*path - begin)};
}

// Letter by letter: most patterns differ from a path in one of the first, or behind the mesh.
static bool matches(const char *pattern, const char *path, captures *out)
{
    *out = (captures){0};
    while (*pattern != '\0') {
        if (*pattern == '{') {
            take_segment(&pattern, &path, out);
        } else if (*pattern++ != *path++) {
            return false;
        }
    }
    return *path == '\0';
}

// A positive number without sign or leading zeros that fits; 0 if the text is none.
static uint32_t version_of(const char *text, size_t length)
{
    uint64_t value = 0;
    if (length == 0 || length > 10 || text[0] == '0') {
        return 0;
    }
    for (size_t i = 0; i < length; i++) {
        if (!isdigit((unsigned char)text[i])) {
            return 0;
        }
        value = value * 10 + (uint64_t)(text[i] - '0');
    }
    return value < UINT32_MAX ? (uint32_t)value : 0;
}

// A name of a mesh or an instance.
typedef struct name_kind {
    const char *what, *a; // "mesh", "a mesh's name"
    nav_status not_found; // where no such thing can be made
    bool made;
} name_kind;

static nav_status take_name(const capture *found, const name_kind *kind,
                            char out[LIMIT_MESH_NAME + 1], nav_error *err)
{
    const int length =
        (int)(found->length < LIMIT_MESH_NAME + 1 ? found->length : LIMIT_MESH_NAME + 1);
    if (limits_is_mesh_name(found->begin, found->length)) {
        NAV_ASSERT(found->length <= LIMIT_MESH_NAME);
        memcpy(out, found->begin, found->length);
        out[found->length] = '\0';
        return NAV_OK;
    }
    if (!kind->made) {
        return nav_fail(err, kind->not_found, "there is no %s '%.*s'", kind->what, length,
                        found->begin);
    }
    nav_fail_at(err, NAV_INVALID_FIELD, kind->what,
                "%s is a letter or digit, then up to %d letters, digits, '.', '_' and '-'", kind->a,
                LIMIT_MESH_NAME - 1);
    nav_error_got(err, "%.*s", length, found->begin);
    return NAV_INVALID_FIELD;
}

static nav_status take_captures(request *r, const captures *found, nav_error *err)
{
    const name_kind mesh = {"mesh", "a mesh's name", PROTO_MESH_NOT_FOUND, r->route->makes_mesh};
    const name_kind instance = {"instance", "an instance's name", PROTO_INSTANCE_NOT_FOUND,
                                r->route->makes_instance};
    const name_kind recording = {"recording", "", PROTO_RECORDING_NOT_FOUND, false};
    nav_status status = NAV_OK;
    if (found->mesh.begin != NULL) {
        status = take_name(&found->mesh, &mesh, r->mesh, err);
    }
    if (status == NAV_OK && found->instance.begin != NULL) {
        status = take_name(&found->instance, &instance, r->instance, err);
    }
    if (status == NAV_OK && found->recording.begin != NULL) {
        status = take_name(&found->recording, &recording, r->recording, err);
    }
    if (status == NAV_OK && found->version.begin != NULL) {
        r->version = version_of(found->version.begin, found->version.length);
        if (r->version == 0) {
            return nav_fail(err, PROTO_VERSION_NOT_FOUND, "a version is a positive number");
        }
    }
    return status;
}

// ---- addresses that are not there ----

// Takes a pattern's or path's segment before *end, which moves to its slash. False: there is none.
static bool take_last(const char *text, size_t *end, const char **segment, size_t *length)
{
    if (*end == 0) {
        return false;
    }
    size_t begin = *end;
    while (begin > 0 && text[begin - 1] != '/') {
        begin--;
    }
    *segment = text + begin;
    *length = *end - begin;
    *end = begin > 0 ? begin - 1 : 0;
    return true;
}

// A segment too few, in front, costs as much as so many wrong letters.
#define SEGMENT_COST 4u

// How far a path is from a pattern, compared from their ends on: /path is not far from
// /v1/meshes/{mesh}/path. NAV_NONE: another call was meant.
static uint32_t distance_to(const char *pattern, const char *path, size_t path_bytes)
{
    size_t pattern_end = strlen(pattern), path_end = path_bytes, length, path_length;
    const char *segment, *path_segment;
    uint32_t distance = 0, words = 0;
    while (take_last(pattern, &pattern_end, &segment, &length)) {
        if (!take_last(path, &path_end, &path_segment, &path_length)) {
            distance += SEGMENT_COST;
        } else if (segment[0] != '{') {
            const uint32_t wrong =
                proto_suggest_distance(segment, length, path_segment, path_length);
            if (wrong == NAV_NONE) {
                return NAV_NONE;
            }
            distance += wrong;
            words++;
        }
    }
    return path_end > 0 || words == 0 ? NAV_NONE : distance;
}

// The call that a path was probably meant for, or NULL.
static const char *suggest_pattern(const route_table *table, const char *path)
{
    size_t length = strlen(path);
    const char *best = NULL;
    uint32_t best_distance = NAV_NONE;
    while (length > 1 && path[length - 1] == '/') {
        length--;
    }
    for (size_t i = 0; i < table->count; i++) {
        const uint32_t distance = distance_to(table->rows[i].pattern, path, length);
        if (distance < best_distance) {
            best_distance = distance;
            best = table->rows[i].pattern;
        }
    }
    return best;
}

static nav_status refuse_path(const route_table *table, const char *path, nav_error *err)
{
    const char *const meant = suggest_pattern(table, path);
    nav_fail(err, PROTO_ROUTE_NOT_FOUND,
             "there is nothing at this address%s%s%s GET /openapi.json has all calls",
             meant != NULL ? "; did you mean " : ";", meant != NULL ? meant : "",
             meant != NULL ? "?" : "");
    nav_error_suggest(err, "%s", meant != NULL ? meant : "");
    return PROTO_ROUTE_NOT_FOUND;
}

static void write_route(const route_table *table, size_t first, proto_writer *w)
{
    proto_write_object_begin(w);
    proto_member_string(w, "path", table->rows[first].pattern);
    proto_member_array(w, "methods");
    for (size_t i = first; i < table->count; i++) {
        if (strcmp(table->rows[i].pattern, table->rows[first].pattern) == 0) {
            proto_write_string(w, METHOD_WORDS[table->rows[i].method]);
        }
    }
    proto_write_array_end(w);
    proto_write_object_end(w);
}

void routing_write(const route_table *table, proto_writer *w)
{
    proto_member_array(w, "routes");
    for (size_t i = 0; i < table->count; i++) {
        size_t first = 0;
        while (strcmp(table->rows[first].pattern, table->rows[i].pattern) != 0) {
            first++;
        }
        if (first == i) {
            write_route(table, i, w);
        }
    }
    proto_write_array_end(w);
}

// ---- from a path to a row ----

nav_status routing_find(const route_table *table, request *r, const char *method, const char *path,
                        char *allow, size_t allow_bytes, nav_error *err)
{
    http_method wanted = method_of(method);
    allow[0] = '\0';
    for (size_t i = 0; i < table->count; i++) {
        captures found;
        if (table->rows[i].method == wanted && matches(table->rows[i].pattern, path, &found)) {
            r->route = &table->rows[i];
            return take_captures(r, &found, err);
        }
    }
    // Fails with the methods that the path takes, as in Allow, in the order of the table.
    size_t used = 0;
    for (size_t i = 0; i < table->count; i++) {
        captures found;
        const http_method taken = table->rows[i].method;
        if (matches(table->rows[i].pattern, path, &found)) {
            int more = snprintf(allow + used, allow_bytes - used, "%s%s%s", used > 0 ? ", " : "",
                                METHOD_WORDS[taken], taken == HTTP_GET ? ", HEAD" : "");
            NAV_ASSERT(more > 0 && used + (size_t)more < allow_bytes);
            used += (size_t)more;
        }
    }
    return used > 0 ? nav_fail(err, PROTO_METHOD_NOT_ALLOWED, "this address takes %s", allow)
                    : refuse_path(table, path, err);
}
