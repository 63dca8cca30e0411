// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// options_mesh.c: the meshes that a start bakes. Two forms give the same struct: a text of --mesh,
// and an object of "meshes" in the file of --config, which can say more:
//
//   NAME=FILE[,SETTINGS[,replace]]
//   {"name": "town", "file": "town.obj", "settings": {...} or "FILE", "checks": "FILE",
//    "replace": true}
//
// and in place of "file" several "files": texts, or objects with a place for each
// (geometry/parts.h).

#include "server/app/options.h"

#include "proto/base/suggest.h"
#include "proto/json/document.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static nav_status no_memory(nav_error *err)
{
    return nav_fail(err, NAV_NO_MEMORY, "no memory for the options");
}

static nav_status check_name(const char *name, nav_error *err)
{
    return limits_is_mesh_name(name, strlen(name))
               ? NAV_OK
               : nav_fail(err, NAV_INVALID_FIELD,
                          "a name is a letter or digit, then up to 63 letters, digits, '.', '_' "
                          "and '-'");
}

// ---- a text ----

// Decodes the field that text begins with in place, in which two commas stand for one. Returns the
// text behind the comma that ends it, or NULL if it is the last.
static char *end_field(char *text)
{
    char *out = text;
    while (*text != '\0' && (text[0] != ',' || text[1] == ',')) {
        text += *text == ',' ? 1 : 0;
        *out++ = *text++;
    }
    char *next = *text == ',' ? text + 1 : NULL;
    *out = '\0';
    return next;
}

nav_status options_mesh_of_text(const char *text, nav_arena *memory, option_mesh *out,
                                nav_error *err)
{
    option_mesh mesh = {0};
    char *copy = options_keep_text(memory, text);
    if (copy == NULL) {
        return no_memory(err);
    }
    mesh.name = copy;
    char *file = copy + strcspn(copy, "=");
    char *settings = NULL, *word = NULL, *rest = NULL;
    if (*file == '=') {
        *file++ = '\0';
        settings = end_field(file);
        word = settings != NULL ? end_field(settings) : NULL;
        rest = word != NULL ? end_field(word) : NULL;
    }
    if (*file == '\0' || (settings != NULL && *settings == '\0') || rest != NULL ||
        (word != NULL && strcmp(word, "replace") != 0)) {
        return nav_fail(err, NAV_INVALID_FIELD,
                        "write NAME=FILE, NAME=FILE,SETTINGS or NAME=FILE,SETTINGS,replace; a "
                        "comma within a name is written twice");
    }
    nav_status status = check_name(mesh.name, err);
    if (status == NAV_OK) {
        mesh.file = file;
        mesh.settings_file = settings;
        mesh.replace = word != NULL;
        *out = mesh;
    }
    return status;
}

// ---- an object ----

typedef struct object_reading {
    option_mesh mesh;
    nav_arena *memory;
    nav_error why; // the first fault
} object_reading;

static void refuse(object_reading *r, const proto_flat *value, nav_status status, const char *what)
{
    const char *got = value->kind == PROTO_FLAT_OBJECT ? "an object" : value->text;
    nav_fail_at(&r->why, status, value->key, "%.60s%s", value->key, what);
    nav_error_got(&r->why, "%.60s", got);
}

static void take_string(object_reading *r, const proto_flat *value, const char **out)
{
    if (value->kind != PROTO_FLAT_TEXT || value->index != NAV_NONE || value->text[0] == '\0') {
        refuse(r, value, NAV_INVALID_FIELD, " must be a string that is not empty");
    } else if ((*out = options_keep_text(r->memory, value->text)) == NULL) {
        (void)no_memory(&r->why);
    }
}

static void take_settings(object_reading *r, const proto_flat *value)
{
    if (value->kind != PROTO_FLAT_OBJECT || value->index != NAV_NONE) {
        if (value->kind == PROTO_FLAT_TEXT) {
            take_string(r, value, &r->mesh.settings_file);
        } else {
            refuse(r, value, NAV_INVALID_FIELD,
                   " must be an object of settings, or the name of a file that holds one");
        }
    } else if ((r->mesh.settings = options_keep_text(r->memory, value->text)) == NULL) {
        (void)no_memory(&r->why);
    }
}

static nav_status read_part(object_reading *r, const proto_flat *value, option_part *out,
                            nav_error *err)
{
    char *file = NULL;
    nav_status status = NAV_OK;
    out->is = proto_part_default();
    out->file = value->text;
    if (value->kind == PROTO_FLAT_OBJECT) {
        status = proto_part_read(value->text, strlen(value->text), &out->is, &file, err);
        out->file = file;
    }
    if (status == NAV_OK && (out->file == NULL || out->file[0] == '\0')) {
        status = nav_fail_at(err, NAV_INVALID_FIELD, "file", "the name of a file is missing");
    }
    if (status == NAV_OK && out->is.name[0] == '\0') {
        status = proto_part_name_by_file(out->file, &out->is, err);
    }
    if (status == NAV_OK && (out->file = options_keep_text(r->memory, out->file)) == NULL) {
        status = no_memory(err);
    }
    free(file);
    return status;
}

static nav_status check_part(const option_mesh *mesh, const option_part *part, nav_error *err)
{
    for (size_t i = 0; i < mesh->part_count; i++) {
        if (strcmp(mesh->parts[i].is.name, part->is.name) == 0) {
            nav_fail_at(err, NAV_INVALID_FIELD, "name",
                        "the part %s is there twice: give each a name", part->is.name);
            nav_error_got(err, "%s", part->is.name);
            return NAV_INVALID_FIELD;
        }
    }
    return mesh->part_count < PROTO_PARTS_MAX
               ? NAV_OK
               : nav_fail(err, NAV_INVALID_FIELD, "a mesh has at most %u files", PROTO_PARTS_MAX);
}

static void take_part(object_reading *r, const proto_flat *value)
{
    option_mesh *mesh = &r->mesh;
    option_part part;
    nav_error why = {0};
    if (value->kind == PROTO_FLAT_EMPTY) {
        refuse(r, value, NAV_INVALID_FIELD, " must have at least one file");
        return;
    }
    if (value->index == NAV_NONE ||
        (value->kind != PROTO_FLAT_TEXT && value->kind != PROTO_FLAT_OBJECT)) {
        refuse(r, value, NAV_INVALID_FIELD, " must be a list of names of files, or of objects");
        return;
    }
    nav_status status = read_part(r, value, &part, &why);
    NAV_IF_OK(status, check_part(mesh, &part, &why));
    option_part *parts = NULL;
    if (status == NAV_OK) {
        parts = nav_arena_grow(r->memory, (option_part *)(uintptr_t)mesh->parts, mesh->part_count,
                               mesh->part_count + 1, sizeof *parts);
        status = parts != NULL ? NAV_OK : no_memory(&why);
    }
    if (status != NAV_OK) {
        nav_fail(&r->why, status, "files[%u]: %.150s", value->index, why.detail);
        nav_error_at(&r->why, "files[%u]%s%.50s", value->index, why.at[0] != '\0' ? "." : "",
                     why.at);
        nav_error_got(&r->why, "%.60s", why.got);
        memcpy(r->why.suggest, why.suggest, sizeof why.suggest);
        return;
    }
    parts[mesh->part_count++] = part;
    mesh->parts = parts;
}

static void take_member(void *user, const proto_flat *value)
{
    object_reading *r = user;
    option_mesh *mesh = &r->mesh;
    if (r->why.status != NAV_OK) {
        return;
    }
    if (strcmp(value->key, "name") == 0) {
        take_string(r, value, &mesh->name);
    } else if (strcmp(value->key, "file") == 0) {
        take_string(r, value, &mesh->file);
    } else if (strcmp(value->key, "files") == 0) {
        take_part(r, value);
    } else if (strcmp(value->key, "settings") == 0) {
        take_settings(r, value);
    } else if (strcmp(value->key, "checks") == 0) {
        take_string(r, value, &mesh->checks_file);
    } else if (strcmp(value->key, "replace") != 0) {
        static const char *const names[] = {"name",     "file",   "files",
                                            "settings", "checks", "replace"};
        proto_suggestion meant = proto_suggest(value->key, strlen(value->key));
        refuse(r, value, PROTO_UNKNOWN_FIELD,
               ": a mesh has name, file or files, settings, checks and replace");
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            proto_suggest_offer(&meant, names[i], strlen(names[i]));
        }
        proto_suggest_say(&meant, &r->why);
    } else if (value->kind != PROTO_FLAT_BOOL || value->index != NAV_NONE) {
        refuse(r, value, NAV_INVALID_FIELD, " must be true or false");
    } else {
        mesh->replace = value->text[0] == 't';
    }
}

static nav_status check_object(const option_mesh *mesh, nav_error *err)
{
    const bool has_parts = mesh->part_count > 0;
    if (mesh->name == NULL || (mesh->file == NULL && !has_parts)) {
        const char *missing = mesh->name == NULL ? "name" : "file";
        return nav_fail_at(err, NAV_INVALID_FIELD, missing, "%s is missing", missing);
    }
    if (mesh->file != NULL && has_parts) {
        return nav_fail_at(err, NAV_INVALID_FIELD, "files", "a mesh has a file or files, not both");
    }
    nav_status status = check_name(mesh->name, err);
    if (status != NAV_OK) {
        nav_error_at(err, "name");
        nav_error_got(err, "%.60s", mesh->name);
    }
    return status;
}

nav_status options_mesh_of_object(const char *json, nav_arena *memory, option_mesh *out,
                                  nav_error *err)
{
    object_reading r = {.memory = memory};
    nav_status status = proto_flat_read(json, strlen(json), take_member, &r, err);
    if (status == NAV_OK && r.why.status != NAV_OK) {
        status = r.why.status;
        *err = r.why;
    }
    NAV_IF_OK(status, check_object(&r.mesh, err));
    if (status == NAV_OK) {
        *out = r.mesh;
    }
    return status;
}

// ---- all of them ----

static nav_status add_origin(options *o, bool of_file, option_mesh *mesh, nav_error *err)
{
    char origin[200];
    (void)snprintf(origin, sizeof origin, "%.80s%s%s", of_file ? o->config : "--mesh",
                   of_file ? ": mesh " : " ", mesh->name);
    mesh->origin = options_keep_text(&o->memory, origin);
    return mesh->origin != NULL ? NAV_OK : no_memory(err);
}

// Whether a mesh may follow those that are there.
static nav_status check_twice(const options *o, const option_mesh *mesh, nav_error *err)
{
    for (size_t i = 0; i < o->mesh_count; i++) {
        if (strcmp(o->meshes[i].name, mesh->name) == 0) {
            nav_fail_at(err, NAV_INVALID_FIELD, "mesh", "%s: this name is given twice, also by %s",
                        mesh->origin, o->meshes[i].origin);
            nav_error_got(err, "%s", mesh->name);
            return NAV_INVALID_FIELD;
        }
    }
    return NAV_OK;
}

static nav_status add_mesh(options *o, option_mesh *out, size_t i, nav_error *err)
{
    const size_t texts = o->mesh_texts.count;
    const bool of_file = i >= texts;
    nav_status status =
        of_file ? options_mesh_of_object(o->mesh_objects.items[i - texts], &o->memory, out, err)
                : options_mesh_of_text(o->mesh_texts.items[i], &o->memory, out, err);
    NAV_IF_OK(status, add_origin(o, of_file, out, err));
    return status == NAV_OK ? check_twice(o, out, err) : status;
}

void options_mesh_list(options *o, option_faults *faults)
{
    nav_error err = {0};
    const size_t count = o->mesh_texts.count + o->mesh_objects.count;
    option_mesh *meshes = count > 0 ? NAV_NEW(&o->memory, option_mesh, count) : NULL;
    if (count > 0 && meshes == NULL) {
        (void)no_memory(&err);
        options_fault(faults, &err);
        return;
    }
    o->meshes = meshes;
    for (size_t i = 0; i < count; i++) {
        if (add_mesh(o, &meshes[o->mesh_count], i, &err) == NAV_OK) {
            o->mesh_count++;
        } else {
            options_fault(faults, &err);
        }
    }
}
