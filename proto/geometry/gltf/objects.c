// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// objects.c: the JSON chunk of a glTF. One scan proves that it is JSON and bounds it; then where
// the elements of the lists begin is noted, four bytes an element. An object is read by a table of
// rows when it is needed; members that no row names are skipped, as the specification wants.

#include "proto/geometry/gltf/gltf.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const LIST_NAMES[PROTO_GLTF_LIST_COUNT] = {
    "scenes", "nodes", "meshes", "accessors", "bufferViews", "buffers", "materials"};

// ---- errors ----

nav_status proto_gltf_fail(nav_error *err, const nav_error_place *at, const char *format, ...)
{
    char why[200];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(why, sizeof why, format, args);
    va_end(args);
    return nav_fail_at(err, PROTO_BAD_GEOMETRY, at->text, "glTF: %s: %s", at->text, why);
}

static nav_error_place member_of(const nav_error_place *at, const char *name)
{
    return at->text[0] != '\0' ? nav_at("%.60s.%.28s", at->text, name) : nav_at("%.60s", name);
}

// ---- values ----

static void begin(proto_tokens *t, proto_gltf_value value)
{
    proto_tokens_init(t, value.at, value.size_bytes, PROTO_GLTF_JSON_DEPTH_MAX, UINT32_MAX);
}

// Skips a value of a text that the scan has passed.
static void skip(proto_tokens *t, proto_token token)
{
    const uint32_t outside = t->depth - (token == PROTO_TOKEN_OBJECT || token == PROTO_TOKEN_LIST);
    while (t->depth > outside) {
        token = proto_tokens_next(t);
        NAV_ASSERT(token > PROTO_TOKEN_END);
    }
}

static proto_gltf_value value_here(const proto_tokens *t)
{
    const size_t begins = (size_t)proto_tokens_byte(t);
    return (proto_gltf_value){t->window + begins, t->window_bytes - begins};
}

// UINT64_MAX: it is no whole number from 0 to max.
static uint64_t whole_of(const proto_tokens *t, proto_token token, double max)
{
    const double value = token == PROTO_TOKEN_NUMBER ? proto_tokens_number(t) : -1.0;
    return value >= 0.0 && value <= max && floor(value) == value ? (uint64_t)value : UINT64_MAX;
}

static void show_value(const proto_tokens *t, proto_token token, nav_error *err)
{
    nav_error_got(err, "%.*s", (int)(t->text_bytes < 60 ? t->text_bytes : 60), t->text);
    if (err != NULL) {
        err->got_is_text = token == PROTO_TOKEN_STRING;
    }
}

static nav_status wrong_kind(const proto_tokens *t, proto_token token, const nav_error_place *at,
                             const char *wanted, nav_error *err)
{
    proto_gltf_fail(err, at, "it must be %s", wanted);
    show_value(t, token, err);
    return PROTO_BAD_GEOMETRY;
}

static nav_status take_index(const proto_gltf *g, const proto_tokens *t, proto_token token,
                             proto_gltf_list list, const nav_error_place *at, uint32_t *out,
                             nav_error *err)
{
    const uint64_t value = whole_of(t, token, (double)g->counts[list] - 1.0);
    if (value != UINT64_MAX) {
        *out = (uint32_t)value;
        return NAV_OK;
    }
    proto_gltf_fail(err, at, "it must be a number of one of the %u %s, from 0", g->counts[list],
                    LIST_NAMES[list]);
    show_value(t, token, err);
    nav_error_limit(err, "%u", g->counts[list]);
    return PROTO_BAD_GEOMETRY;
}

static nav_status take_numbers(proto_tokens *t, proto_token token, uint32_t count,
                               const nav_error_place *at, double *out, nav_error *err)
{
    double numbers[16]; // a matrix has the most
    bool good = token == PROTO_TOKEN_LIST;
    NAV_ASSERT(count <= sizeof numbers / sizeof numbers[0]);
    for (uint32_t i = 0; good && i < count; i++) {
        token = proto_tokens_next(t);
        numbers[i] = token == PROTO_TOKEN_NUMBER ? proto_tokens_number(t) : (double)NAN;
        good = isfinite(numbers[i]);
    }
    if (good && proto_tokens_next(t) == PROTO_TOKEN_CLOSE) {
        memcpy(out, numbers, count * sizeof *out);
        return NAV_OK;
    }
    return proto_gltf_fail(err, at, "it must be a list of %u finite numbers", count);
}

static nav_status take_value(const proto_gltf *g, proto_tokens *t, const proto_gltf_row *row,
                             const nav_error_place *at, void *out, nav_error *err)
{
    const proto_token token = proto_tokens_next(t);
    switch (row->kind) {
    case PROTO_GLTF_INDEX:
        return take_index(g, t, token, row->list, at, out, err);
    case PROTO_GLTF_NUMBERS:
        return take_numbers(t, token, row->count, at, out, err);
    case PROTO_GLTF_WHOLE: {
        const uint64_t whole = whole_of(t, token, PROTO_GLTF_EXACT_MAX);
        if (whole == UINT64_MAX) {
            return wrong_kind(t, token, at, "a whole number from 0 to 9007199254740992", err);
        }
        *(uint64_t *)out = whole;
        break;
    }
    case PROTO_GLTF_BOOL:
        if (token != PROTO_TOKEN_TRUE && token != PROTO_TOKEN_FALSE) {
            return wrong_kind(t, token, at, "true or false", err);
        }
        *(bool *)out = token == PROTO_TOKEN_TRUE;
        break;
    case PROTO_GLTF_STRING: {
        proto_gltf_string *string = out;
        if (token != PROTO_TOKEN_STRING) {
            return wrong_kind(t, token, at, "a string", err);
        }
        string->size_bytes = proto_tokens_decode(t, string->text, sizeof string->text);
        break;
    }
    case PROTO_GLTF_TEXT:
        if (token != PROTO_TOKEN_STRING) {
            return wrong_kind(t, token, at, "a string", err);
        }
        *(proto_gltf_value *)out = (proto_gltf_value){t->text, t->text_bytes};
        break;
    case PROTO_GLTF_OBJECT:
    case PROTO_GLTF_ARRAY: {
        const bool is_object = row->kind == PROTO_GLTF_OBJECT;
        if (token != (is_object ? PROTO_TOKEN_OBJECT : PROTO_TOKEN_LIST)) {
            return wrong_kind(t, token, at, is_object ? "an object" : "a list", err);
        }
        *(proto_gltf_value *)out = value_here(t);
        break;
    }
    }
    skip(t, token);
    return NAV_OK;
}

static uint32_t find_row(const proto_tokens *t, proto_gltf_rows rows)
{
    char name[PROTO_GLTF_STRING_BYTES_MAX];
    proto_tokens_decode(t, name, sizeof name);
    uint32_t i = 0;
    while (i < rows.count && strcmp(rows.rows[i].name, name) != 0) {
        i++;
    }
    return i;
}

#define POLL_WORK (1u << 18)

nav_status proto_gltf_poll(proto_gltf *g, uint64_t work, nav_error *err)
{
    g->work += work;
    if (g->work < POLL_WORK) {
        return NAV_OK;
    }
    g->work = 0;
    return proto_geometry_poll(g->limits, err);
}

// An object is read anew wherever it is named: what many name must be short.
static nav_status check_work(proto_gltf *g, uint64_t read_bytes, const nav_error_place *at,
                             nav_error *err)
{
    const uint64_t limit = PROTO_GLTF_READ_BYTES_FREE + g->json_bytes * PROTO_GLTF_READS_MAX;
    g->read_bytes += read_bytes;
    if (g->read_bytes <= limit) {
        return proto_gltf_poll(g, read_bytes, err);
    }
    nav_fail_at(
        err, NAV_GEOMETRY_TOO_LARGE, at->text,
        "glTF: %s: objects of many bytes are named too often; export without extras, or send "
        "parts of the level",
        at->text);
    nav_error_limit(err, "%llu", (unsigned long long)limit);
    return NAV_GEOMETRY_TOO_LARGE;
}

nav_status proto_gltf_read(proto_gltf *g, proto_gltf_value object, proto_gltf_rows rows,
                           const nav_error_place *at, void *out, nav_error *err)
{
    proto_tokens t;
    begin(&t, object);
    uint32_t seen = 0;
    NAV_ASSERT(rows.count <= 32);
    if (proto_tokens_next(&t) != PROTO_TOKEN_OBJECT) {
        return at->text[0] != '\0'
                   ? proto_gltf_fail(err, at, "it must be an object")
                   : nav_fail(err, PROTO_BAD_GEOMETRY, "glTF: the JSON chunk must be an object");
    }
    while (proto_tokens_next(&t) == PROTO_TOKEN_NAME) {
        const uint32_t i = find_row(&t, rows);
        if (i == rows.count) {
            skip(&t, proto_tokens_next(&t));
            continue;
        }
        const proto_gltf_row *row = &rows.rows[i];
        const nav_error_place place = member_of(at, row->name);
        if ((seen & 1u << i) != 0) {
            return proto_gltf_fail(err, &place, "it is there twice");
        }
        seen |= 1u << i;
        nav_status status = take_value(g, &t, row, &place, (char *)out + row->offset, err);
        if (status != NAV_OK) {
            return status;
        }
    }
    return check_work(g, proto_tokens_byte(&t), at, err);
}

nav_status proto_gltf_read_element(proto_gltf *g, proto_gltf_list list, uint32_t index,
                                   proto_gltf_rows rows, nav_error_place *at, void *out,
                                   nav_error *err)
{
    NAV_ASSERT(index < g->counts[list]);
    const nav_error_place place = nav_at("%s[%u]", LIST_NAMES[list], index);
    const uint32_t begins = g->begins[list][index];
    nav_status status = proto_gltf_read(
        g, (proto_gltf_value){g->json + begins, g->json_bytes - begins}, rows, &place, out, err);
    if (status == NAV_OK) {
        *at = place;
    }
    return status;
}

nav_status proto_gltf_extension(proto_gltf *g, proto_gltf_value extensions, const char *name,
                                const nav_error_place *at, proto_gltf_value *out, nav_error *err)
{
    const nav_error_place place = member_of(at, "extensions");
    const proto_gltf_row row = {.name = name, .kind = PROTO_GLTF_OBJECT};
    return extensions.at == NULL
               ? NAV_OK
               : proto_gltf_read(g, extensions, (proto_gltf_rows){&row, 1}, &place, out, err);
}

void proto_gltf_items_begin(proto_gltf_items *items, proto_gltf_value array)
{
    items->index = NAV_NONE;
    if (array.at != NULL) {
        begin(&items->tokens, array);
        const proto_token token = proto_tokens_next(&items->tokens);
        NAV_ASSERT(token == PROTO_TOKEN_LIST);
    } else {
        items->tokens.depth = 0;
    }
}

bool proto_gltf_items_next(proto_gltf_items *items, proto_gltf_value *out)
{
    proto_tokens *t = &items->tokens;
    const proto_token token = t->depth > 0 ? proto_tokens_next(t) : PROTO_TOKEN_CLOSE;
    if (token == PROTO_TOKEN_CLOSE) {
        return false;
    }
    NAV_ASSERT(token > PROTO_TOKEN_CLOSE);
    *out = value_here(t);
    items->index++; // NAV_NONE + 1 is 0
    skip(t, token);
    return true;
}

nav_status proto_gltf_index_value(const proto_gltf *g, proto_gltf_value value, proto_gltf_list list,
                                  const nav_error_place *at, uint32_t *out, nav_error *err)
{
    proto_tokens t;
    begin(&t, value);
    const proto_token token = proto_tokens_next(&t);
    return take_index(g, &t, token, list, at, out, err);
}

nav_status proto_gltf_number_value(proto_gltf_value value, const nav_error_place *at, double *out,
                                   nav_error *err)
{
    proto_tokens t;
    begin(&t, value);
    const proto_token token = proto_tokens_next(&t);
    const double number = token == PROTO_TOKEN_NUMBER ? proto_tokens_number(&t) : (double)NAN;
    if (!isfinite(number)) {
        return wrong_kind(&t, token, at, "a finite number", err);
    }
    *out = number;
    return NAV_OK;
}

// ---- the whole ----

typedef struct root {
    proto_gltf_value asset, lists[PROTO_GLTF_LIST_COUNT], required;
    uint64_t scene;
} root;

static nav_status read_root(proto_gltf *g, root *out, nav_error *err)
{
    proto_gltf_row rows[PROTO_GLTF_LIST_COUNT + 3] = {
        {PROTO_GLTF_ROW("asset", OBJECT, root, asset)},
        {PROTO_GLTF_ROW("extensionsRequired", ARRAY, root, required)},
        {PROTO_GLTF_ROW("scene", WHOLE, root, scene)}};
    for (uint32_t i = 0; i < PROTO_GLTF_LIST_COUNT; i++) {
        rows[3 + i] =
            (proto_gltf_row){.name = LIST_NAMES[i],
                             .kind = PROTO_GLTF_ARRAY,
                             .offset = offsetof(root, lists) + i * sizeof(proto_gltf_value)};
    }
    const nav_error_place at = {""};
    return proto_gltf_read(g, (proto_gltf_value){g->json, g->json_bytes},
                           (proto_gltf_rows){rows, PROTO_GLTF_LIST_COUNT + 3}, &at, out, err);
}

static nav_status check_asset(proto_gltf *g, proto_gltf_value asset, nav_error *err)
{
    const nav_error_place at = {"asset"}, version_at = {"asset.version"},
                          least_at = {"asset.minVersion"};
    struct {
        proto_gltf_string version, least;
    } read = {{"", 0}, {"", 0}};
    static const proto_gltf_row rows[] = {
        {.name = "version", .kind = PROTO_GLTF_STRING, .offset = 0},
        {.name = "minVersion", .kind = PROTO_GLTF_STRING, .offset = sizeof(proto_gltf_string)}};
    if (asset.at == NULL) {
        return proto_gltf_fail(err, &at, "every glTF has it, with its version");
    }
    nav_status status = proto_gltf_read(g, asset, (proto_gltf_rows){rows, 2}, &at, &read, err);
    if (status != NAV_OK) {
        return status;
    }
    const bool is_read = strncmp(read.version.text, "2.", 2) == 0;
    if (is_read && (read.least.size_bytes == 0 || strcmp(read.least.text, "2.0") == 0)) {
        return NAV_OK;
    }
    proto_gltf_fail(err, is_read ? &least_at : &version_at,
                    "export as glTF 2.0, the version that is read");
    nav_error_got(err, "%.60s", is_read ? read.least.text : read.version.text);
    return PROTO_BAD_GEOMETRY;
}

// Extensions that change nothing about where triangles are, or that are read; a name that ends with
// _ stands for all that begin with it.
static const char *const KNOWN[] = {
    "KHR_mesh_quantization", "EXT_mesh_gpu_instancing", "KHR_materials_",      "KHR_texture_",
    "EXT_texture_",          "MSFT_texture_dds",        "KHR_lights_punctual", "EXT_lights_",
    "KHR_animation_pointer", "KHR_xmp_json_ld"};

static bool is_known(const char *name)
{
    for (size_t i = 0; i < sizeof KNOWN / sizeof KNOWN[0]; i++) {
        const size_t length = strlen(KNOWN[i]);
        const bool is_family = KNOWN[i][length - 1] == '_';
        if (is_family ? strncmp(name, KNOWN[i], length) == 0 : strcmp(name, KNOWN[i]) == 0) {
            return true;
        }
    }
    return false;
}

static nav_status check_required(proto_gltf_value list, nav_error *err)
{
    proto_gltf_items items;
    proto_gltf_value item;
    proto_gltf_items_begin(&items, list);
    while (proto_gltf_items_next(&items, &item)) {
        const nav_error_place at = nav_at("extensionsRequired[%u]", items.index);
        char name[PROTO_GLTF_STRING_BYTES_MAX];
        proto_tokens t;
        begin(&t, item);
        if (proto_tokens_next(&t) != PROTO_TOKEN_STRING) {
            return proto_gltf_fail(err, &at, "it must be the name of an extension");
        }
        proto_tokens_decode(&t, name, sizeof name);
        if (!is_known(name)) {
            proto_gltf_fail(err, &at, "%.60s is not read here; export without %s", name,
                            strstr(name, "draco") != NULL || strstr(name, "meshopt") != NULL
                                ? "compression"
                                : "it");
            nav_error_got(err, "%.60s", name);
            return PROTO_BAD_GEOMETRY;
        }
    }
    return NAV_OK;
}

static nav_status index_list(proto_gltf *g, proto_gltf_list list, proto_gltf_value value,
                             nav_error *err)
{
    const nav_error_place at = nav_at("%s", LIST_NAMES[list]);
    proto_tokens t;
    if (value.at == NULL) {
        return NAV_OK;
    }
    begin(&t, value);
    proto_tokens_next(&t);
    uint32_t count = 0;
    for (proto_token token; (token = proto_tokens_next(&t)) >= PROTO_TOKEN_OBJECT; count++) {
        (void)proto_tokens_skip(&t, token);
    }
    if (count > PROTO_GLTF_ELEMENTS_MAX) {
        return nav_fail_bound(err, NAV_GEOMETRY_TOO_LARGE, at.text, count, PROTO_GLTF_ELEMENTS_MAX,
                              "glTF: %s has more than %u elements; send parts", at.text,
                              PROTO_GLTF_ELEMENTS_MAX);
    }
    g->begins[list] = malloc(((size_t)count + 1) * sizeof *g->begins[list]);
    if (g->begins[list] == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory for the %s of a glTF", at.text);
    }
    proto_gltf_items items;
    proto_gltf_value item;
    proto_gltf_items_begin(&items, value);
    while (proto_gltf_items_next(&items, &item)) {
        const nav_error_place place = nav_at("%s[%u]", at.text, items.index);
        NAV_ASSERT(g->counts[list] < count);
        if (*item.at != '{') {
            return proto_gltf_fail(err, &place, "it must be an object");
        }
        g->begins[list][g->counts[list]++] = (uint32_t)(item.at - g->json);
    }
    return NAV_OK;
}

nav_status proto_gltf_index(proto_gltf *g, nav_error *err)
{
    root read = {.scene = UINT64_MAX};
    nav_error why = {0};
    nav_status status =
        proto_json_scan(g->json != NULL ? g->json : "", g->json_bytes, PROTO_GLTF_JSON_DEPTH_MAX,
                        PROTO_GLTF_JSON_VALUES_MAX, &why);
    if (status != NAV_OK) {
        if (err != NULL) {
            *err = why;
            (void)snprintf(err->detail, sizeof err->detail, "glTF: the JSON chunk: %.220s",
                           why.detail);
        }
        return status;
    }
    status = read_root(g, &read, err);
    status = status == NAV_OK ? check_asset(g, read.asset, err) : status;
    status = status == NAV_OK ? check_required(read.required, err) : status;
    for (uint32_t i = 0; status == NAV_OK && i < PROTO_GLTF_LIST_COUNT; i++) {
        status = index_list(g, (proto_gltf_list)i, read.lists[i], err);
    }
    if (status != NAV_OK) {
        return status;
    }
    if (read.scene != UINT64_MAX && read.scene >= g->counts[PROTO_GLTF_SCENES]) {
        const uint32_t count = g->counts[PROTO_GLTF_SCENES];
        return nav_fail_bound(err, PROTO_BAD_GEOMETRY, "scene", read.scene, count,
                              "glTF: scene: there are %u scenes, counted from 0", count);
    }
    g->scene = read.scene != UINT64_MAX ? (uint32_t)read.scene : NAV_NONE;
    return NAV_OK;
}
