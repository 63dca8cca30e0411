// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// levels.c: the front of the generator: picks the level's builder, and writes the result
// as OBJ or as binary glTF.

#include "levels.h"
#include "shapes.h"

#include <stdlib.h>
#include <string.h>

typedef struct kind_row {
    const char *word, *unit;
    uint32_t size_default, size_max;
} kind_row;

static const kind_row KINDS[LEVEL_KIND_COUNT] = {
#define X(name, word, size, size_max, unit) [name] = {word, unit, size, size_max},
    LEVEL_KIND_TABLE(X)
#undef X
};

static void (*const BUILDERS[LEVEL_KIND_COUNT])(level_mesh *, uint32_t, uint64_t) = {
    [LEVEL_TOWN] = level_town,
    [LEVEL_DUNGEON] = level_dungeon,
    [LEVEL_TERRAIN] = level_terrain,
    [LEVEL_CITY] = level_city,
};

const char *levels_kind_word(level_kind kind)
{
    return KINDS[kind].word;
}

const char *levels_kind_unit(level_kind kind)
{
    return KINDS[kind].unit;
}

uint32_t levels_size_default(level_kind kind)
{
    return KINDS[kind].size_default;
}

uint32_t levels_size_max(level_kind kind)
{
    return KINDS[kind].size_max;
}

bool levels_generate(level_kind kind, uint32_t size, uint64_t seed, level_mesh *out)
{
    memset(out, 0, sizeof *out);
    if (size == 0 || size > KINDS[kind].size_max) {
        return false;
    }
    BUILDERS[kind](out, size, seed);
    if (out->failed) {
        levels_free(out);
        return false;
    }
    return true;
}

void levels_free(level_mesh *mesh)
{
    free(mesh->vertices);
    free(mesh->triangles);
    memset(mesh, 0, sizeof *mesh);
}

nav_geometry levels_geometry(const level_mesh *mesh)
{
    return (nav_geometry){.vertices = mesh->vertices,
                          .triangles = mesh->triangles,
                          .vertex_count = mesh->vertex_count,
                          .triangle_count = mesh->triangle_count};
}

bool levels_write_obj(const level_mesh *mesh, FILE *file)
{
    // Every coordinate is the float nearest to whole millimetres and within 8 km of the origin, so
    // that three decimals print exactly those millimetres.
    for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
        const float *v = mesh->vertices + 3 * (size_t)i;
        fprintf(file, "v %.3f %.3f %.3f\n", (double)v[0], (double)v[1], (double)v[2]);
    }
    for (uint32_t i = 0; i < mesh->triangle_count; ++i) {
        const uint32_t *t = mesh->triangles + 3 * (size_t)i;
        fprintf(file, "f %u %u %u\n", t[0] + 1, t[1] + 1, t[2] + 1);
    }
    return fflush(file) == 0 && !ferror(file);
}

// ---- binary glTF ----

static void write_u32(uint32_t value, FILE *file)
{
    for (uint32_t i = 0; i < 4; ++i) {
        fputc((int)(value >> 8 * i & 0xff), file);
    }
}

bool levels_write_glb(const level_mesh *mesh, FILE *file)
{
    const uint32_t vertex_bytes = 12 * mesh->vertex_count, index_bytes = 12 * mesh->triangle_count;
    char json[768];
    int length = snprintf(
        json, sizeof json,
        "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":%u}],\"bufferViews\":["
        "{\"buffer\":0,\"byteLength\":%u},{\"buffer\":0,\"byteOffset\":%u,\"byteLength\":%u}],"
        "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":%u,\"type\":\"VEC3\"},"
        "{\"bufferView\":1,\"componentType\":5125,\"count\":%u,\"type\":\"SCALAR\"}],"
        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}],"
        "\"nodes\":[{\"mesh\":0}],\"scenes\":[{\"nodes\":[0]}],\"scene\":0}",
        vertex_bytes + index_bytes, vertex_bytes, vertex_bytes, index_bytes, mesh->vertex_count,
        3 * mesh->triangle_count);
    while (length % 4 != 0) {
        json[length++] = ' ';
    }
    fwrite("glTF\2\0\0\0", 1, 8, file);
    write_u32(28 + (uint32_t)length + vertex_bytes + index_bytes, file);
    write_u32((uint32_t)length, file);
    fwrite("JSON", 1, 4, file);
    fwrite(json, 1, (size_t)length, file);
    write_u32(vertex_bytes + index_bytes, file);
    fwrite("BIN", 1, 4, file);
    for (size_t i = 0; i < (size_t)3 * mesh->vertex_count; ++i) {
        uint32_t bits;
        memcpy(&bits, &mesh->vertices[i], sizeof bits);
        write_u32(bits, file);
    }
    for (size_t i = 0; i < (size_t)3 * mesh->triangle_count; ++i) {
        write_u32(mesh->triangles[i], file);
    }
    return fflush(file) == 0 && !ferror(file);
}
