// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// partitions.c: a picture of what each partition makes of the same level.
//
//   partitions FOLDER  writes FOLDER/watershed.svg, FOLDER/monotone.svg and FOLDER/layers.svg
//
// The level is the generated town: rooms, stairs and storeys. Polygons are seen from above, the
// upper ones over the lower ones; each region has a colour of its own.

#include "tests/levels/levels.h"
#include "tests/oracle/our_bake.h"

#include <stdio.h>
#include <stdlib.h>

#define PIXELS_PER_CELL 3
// Degrees between the hues of successive regions: the golden angle, so that neighbours differ.
#define HUE_STEP 137.508

typedef struct placed {
    int32_t height; // of the first corner
    uint32_t polygon;
} placed;

static int by_height(const void *a, const void *b)
{
    const placed *p = a, *q = b;
    int order = (p->height > q->height) - (p->height < q->height);
    return order != 0 ? order : (p->polygon > q->polygon) - (p->polygon < q->polygon);
}

static void draw_polygon(FILE *file, const nav_polygons *mesh, uint32_t polygon)
{
    const uint32_t *row = &mesh->polygon_vertices[(size_t)polygon * mesh->max_vertices];
    double hue = mesh->regions[polygon] * HUE_STEP;
    fprintf(file, "<polygon fill=\"hsl(%d,65%%,70%%)\" points=\"", (int)hue % 360);
    for (uint32_t i = 0; i < mesh->max_vertices && row[i] != NAV_NONE; ++i) {
        const int32_t *corner = mesh->vertices[row[i]];
        fprintf(file, "%d,%d ", corner[0] * PIXELS_PER_CELL, corner[2] * PIXELS_PER_CELL);
    }
    fprintf(file, "\"/>\n");
}

static bool draw(const char *path, const our_bake *b)
{
    const nav_polygons *mesh = &b->polygons;
    FILE *file = fopen(path, "w");
    placed *order = malloc(((size_t)mesh->count + 1) * sizeof *order);
    if (file == NULL || order == NULL) {
        free(order);
        if (file != NULL) {
            fclose(file);
        }
        return false;
    }
    for (uint32_t i = 0; i < mesh->count; ++i) {
        uint32_t corner = mesh->polygon_vertices[(size_t)i * mesh->max_vertices];
        order[i] = (placed){mesh->vertices[corner][1], i};
    }
    qsort(order, mesh->count, sizeof *order, by_height);
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"#333\"/>\n"
            "<g stroke=\"#555\" stroke-width=\"0.6\" stroke-linejoin=\"round\">\n",
            b->field.width * PIXELS_PER_CELL, b->field.depth * PIXELS_PER_CELL);
    for (uint32_t i = 0; i < mesh->count; ++i) {
        draw_polygon(file, mesh, order[i].polygon);
    }
    fprintf(file, "</g>\n</svg>\n");
    free(order);
    return fclose(file) == 0;
}

static bool bake_and_draw(const char *folder, const nav_geometry *geometry, nav_partition partition)
{
    static const char *const words[] = {[NAV_PARTITION_WATERSHED] = "watershed",
                                        [NAV_PARTITION_MONOTONE] = "monotone",
                                        [NAV_PARTITION_LAYERS] = "layers"};
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.svg", folder, words[partition]);
    nav_config config = nav_config_default();
    config.partition = partition;
    our_bake b;
    bool good = our_bake_run(&b, geometry, &config) == NAV_OK && draw(path, &b);
    if (good) {
        printf("%s: %u regions, %u polygons\n", path, b.field.region_count, b.polygons.count);
    } else {
        fprintf(stderr, "%s cannot be written. %s\n", path, b.err.detail);
    }
    our_bake_free(&b);
    return good;
}

int main(int argc, char **argv)
{
    level_mesh level;
    if (argc != 2 || !levels_generate(LEVEL_TOWN, 1, 1, &level)) {
        fprintf(stderr, "usage: partitions FOLDER\n");
        return 2;
    }
    nav_geometry geometry = levels_geometry(&level);
    bool good = true;
    for (nav_partition p = NAV_PARTITION_WATERSHED; p <= NAV_PARTITION_LAYERS; ++p) {
        good &= bake_and_draw(argv[1], &geometry, p);
    }
    levels_free(&level);
    return good ? 0 : 1;
}
