// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// bench_levels.c: see bench_levels.h.

#include "bench_levels.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

level levels[LEVELS_MAX];
uint32_t level_count;

static void add_generated(level_kind kind, uint32_t size, bool tiled)
{
    level *l = &levels[level_count++];
    if (!levels_generate(kind, size, 1, &l->mesh)) {
        fprintf(stderr, "%s of size %u cannot be generated\n", levels_kind_word(kind), size);
        exit(1);
    }
    snprintf(l->name, sizeof l->name, "%s-%u", levels_kind_word(kind), size);
    l->tiled = tiled;
    l->geometry = (nav_geometry){.vertices = l->mesh.vertices,
                                 .triangles = l->mesh.triangles,
                                 .vertex_count = l->mesh.vertex_count,
                                 .triangle_count = l->mesh.triangle_count};
}

static void add_file(const char *folder, const char *name)
{
    level *l = &levels[level_count];
    char path[4096], buffer[65536];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    snprintf(l->name, sizeof l->name, "%.*s", (int)(strlen(name) - 4), name);
    FILE *file = fopen(path, "rb");
    nav_error err = {0};
    proto_geometry_limits limits = proto_geometry_limits_default();
    nav_status status = proto_geometry_begin(PROTO_FORMAT_OBJ, &limits, &l->reader, &err);
    size_t size;
    while (file != NULL && status == NAV_OK && (size = fread(buffer, 1, sizeof buffer, file)) > 0) {
        status = proto_geometry_feed(l->reader, buffer, size, &err);
    }
    if (status == NAV_OK) {
        status = proto_geometry_end(l->reader, &l->geometry, &err);
    }
    if (file == NULL || status != NAV_OK) {
        fprintf(stderr, "%s cannot be read: %s\n", path, err.detail);
        exit(1);
    }
    fclose(file);
    level_count++;
}

static int is_obj(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return length > 4 && length < 60 && strcmp(entry->d_name + length - 4, ".obj") == 0;
}

void levels_add(bool quick)
{
    const char *folder = getenv("NAVMESHD_LEVELS");
    struct dirent **entries;
    int count = scandir(folder != NULL ? folder : "../shared/levels", &entries, is_obj, alphasort);
    for (int i = 0; i < count; ++i) {
        if (i < LEVELS_MAX / 2) {
            add_file(folder != NULL ? folder : "../shared/levels", entries[i]->d_name);
        }
        free(entries[i]);
    }
    if (count >= 0) {
        free(entries);
    }
    add_generated(LEVEL_TOWN, 4, false);
    add_generated(LEVEL_DUNGEON, 4, false);
    add_generated(LEVEL_TERRAIN, 96, false);
    // About 500,000 triangles, or 65,000.
    add_generated(LEVEL_CITY, quick ? 8 : 22, true);
}

void levels_remove(void)
{
    for (uint32_t i = 0; i < level_count; ++i) {
        levels_free(&levels[i].mesh);
        proto_geometry_destroy(levels[i].reader);
    }
}
