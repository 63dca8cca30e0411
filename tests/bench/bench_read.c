// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// bench_read.c: what reading a level costs beside its bake: a city in each format that is read, in
// pieces of 64 KiB as they come off a socket. Each reading and the bake run in a process of their
// own, whose CPU time and peak memory are told by the system.
//
//   bench_read [BLOCKS]        a side; 62, which is 4 million triangles
//
// Goals, for binary formats: a reading is at most 5 % of the bake; its memory at most the body and
// 1.2 times the triangles that come out (vertices, indices, materials).

#include "proto/proto.h"
#include "tests/levels/levels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define PIECE_BYTES ((size_t)64 << 10)
#define TILE_CELLS 256u
#define BAKE_PERCENT_MAX 5.0
#define TRIANGLES_FACTOR 1.2
// What a process has beside the geometry: its stack, its buffer, the allocator's own.
#define SLACK_BYTES 1.5e6

typedef bool write_level(const level_mesh *mesh, FILE *file);

static void put_u32(uint32_t value, FILE *file)
{
    for (uint32_t i = 0; i < 4; i++) {
        fputc((int)(value >> 8 * i & 0xff), file);
    }
}

static void put_vertex(const level_mesh *mesh, uint32_t vertex, FILE *file)
{
    for (uint32_t axis = 0; axis < 3; axis++) {
        uint32_t bits;
        memcpy(&bits, &mesh->vertices[(size_t)3 * vertex + axis], sizeof bits);
        put_u32(bits, file);
    }
}

static bool write_stl(const level_mesh *mesh, FILE *file)
{
    static const uint8_t head[80] = "a city";
    fwrite(head, 1, sizeof head, file);
    put_u32(mesh->triangle_count, file);
    for (uint32_t i = 0; i < mesh->triangle_count; i++) {
        fwrite("\0\0\0\0\0\0\0\0\0\0\0\0", 1, 12, file);
        for (uint32_t k = 0; k < 3; k++) {
            put_vertex(mesh, mesh->triangles[(size_t)3 * i + k], file);
        }
        fwrite("\0\0", 1, 2, file);
    }
    return fflush(file) == 0 && !ferror(file);
}

static bool write_ply(const level_mesh *mesh, FILE *file)
{
    fprintf(file,
            "ply\nformat binary_little_endian 1.0\nelement vertex %u\nproperty float x\nproperty "
            "float y\nproperty float z\nelement face %u\nproperty list uchar int vertex_indices\n"
            "end_header\n",
            mesh->vertex_count, mesh->triangle_count);
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        put_vertex(mesh, i, file);
    }
    for (uint32_t i = 0; i < mesh->triangle_count; i++) {
        fputc(3, file);
        for (uint32_t k = 0; k < 3; k++) {
            put_u32(mesh->triangles[(size_t)3 * i + k], file);
        }
    }
    return fflush(file) == 0 && !ferror(file);
}

static const struct row {
    const char *ending;
    write_level *write;
    bool has_goals;
} ROWS[] = {{".obj", levels_write_obj, false},
            {".glb", levels_write_glb, true},
            {".stl", write_stl, true},
            {".ply", write_ply, true}};
#define ROW_COUNT (sizeof ROWS / sizeof ROWS[0])

static void must(bool good, const char *what, const nav_error *err)
{
    if (!good) {
        fprintf(stderr, "bench_read: %s%s%s\n", what, err != NULL ? ": " : "",
                err != NULL ? err->detail : "");
        exit(1);
    }
}

typedef struct level_file {
    char name[128];
    uint64_t size_bytes;
} level_file;

static level_file file_of(const char *folder, const struct row *row)
{
    level_file f;
    struct stat info;
    (void)snprintf(f.name, sizeof f.name, "%s/city%s", folder, row->ending);
    f.size_bytes = stat(f.name, &info) == 0 ? (uint64_t)info.st_size : 0;
    return f;
}

// ---- the processes ----

static uint32_t write_files(const char *folder, uint32_t blocks)
{
    level_mesh mesh;
    must(levels_generate(LEVEL_CITY, blocks, 1, &mesh), "no such city", NULL);
    for (size_t i = 0; i < ROW_COUNT; i++) {
        FILE *file = fopen(file_of(folder, &ROWS[i]).name, "wb");
        must(file != NULL && ROWS[i].write(&mesh, file) && fclose(file) == 0, "no room", NULL);
    }
    levels_free(&mesh);
    return 0;
}

// How much memory the triangles take.
static uint64_t read_file(const char *name)
{
    static char piece[PIECE_BYTES];
    proto_geometry_reader *reader;
    nav_geometry g;
    nav_error err;
    size_t got;
    FILE *file = fopen(name, "rb");
    must(file != NULL, name, NULL);
    must(proto_geometry_begin(proto_format_of_file(name), NULL, &reader, &err) == NAV_OK, "begin",
         &err);
    while ((got = fread(piece, 1, sizeof piece, file)) > 0) {
        must(proto_geometry_feed(reader, piece, got, &err) == NAV_OK, name, &err);
    }
    must(proto_geometry_end(reader, &g, &err) == NAV_OK, name, &err);
    const uint64_t material_bytes = g.triangle_materials != NULL ? 2 : 0;
    const uint64_t made = (uint64_t)12 * g.vertex_count + (12 + material_bytes) * g.triangle_count;
    proto_geometry_destroy(reader);
    (void)fclose(file);
    return made;
}

static uint64_t bake(uint32_t blocks)
{
    level_mesh mesh;
    nav_config config = nav_config_default();
    nav_grid grid;
    nav_tile_index index;
    nav_arena memory, scratch, result;
    nav_error err;
    config.tile_cells = TILE_CELLS;
    must(levels_generate(LEVEL_CITY, blocks, 1, &mesh), "no such city", NULL);
    const nav_geometry geometry = levels_geometry(&mesh);
    nav_arena_init(&memory, NULL, 0);
    nav_arena_init(&scratch, NULL, 0);
    must(nav_bake_plan(&geometry, &config, 0, &grid, &err) == NAV_OK, "plan", &err);
    must(nav_bake_index(&geometry, &grid, NULL, &memory, &index, &err) == NAV_OK, "index", &err);
    for (uint32_t i = 0; i < grid.tiles_x * grid.tiles_z; i++) {
        nav_blob blob;
        nav_arena_init(&result, NULL, 0);
        must(nav_bake_tile(&geometry, &config, &grid, &index, i % grid.tiles_x, i / grid.tiles_x,
                           NULL, &scratch, &result, &blob, NULL, &err) == NAV_OK,
             "bake", &err);
        nav_arena_free(&result);
    }
    nav_arena_free(&scratch);
    nav_arena_free(&memory);
    const uint64_t triangles = mesh.triangle_count;
    levels_free(&mesh);
    return triangles;
}

typedef struct outcome {
    uint64_t value; // what the process told
    double seconds, peak_bytes;
} outcome;

typedef enum work {
    NOTHING, // for what a process takes in any case
    WRITE,
    READ,
    BAKE
} work;

static outcome run(work what, const char *name, uint32_t blocks)
{
    int ends[2];
    outcome o = {0};
    must(pipe(ends) == 0, "pipe", NULL);
    (void)fflush(stdout);
    const pid_t child = fork();
    must(child >= 0, "fork", NULL);
    if (child == 0) {
        const uint64_t value = what == WRITE  ? write_files(name, blocks)
                               : what == READ ? read_file(name)
                               : what == BAKE ? bake(blocks)
                                              : 0;
        _exit(write(ends[1], &value, sizeof value) == (ssize_t)sizeof value ? 0 : 1);
    }
    int status;
    struct rusage usage;
    must(wait4(child, &status, 0, &usage) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0,
         "a process failed", NULL);
    must(read(ends[0], &o.value, sizeof o.value) == (ssize_t)sizeof o.value, "pipe", NULL);
    (void)close(ends[0]);
    (void)close(ends[1]);
    o.seconds = (double)usage.ru_utime.tv_sec + (double)usage.ru_utime.tv_usec * 1e-6 +
                (double)usage.ru_stime.tv_sec + (double)usage.ru_stime.tv_usec * 1e-6;
    o.peak_bytes = (double)usage.ru_maxrss * 1024;
    return o;
}

int main(int argc, char **argv)
{
    const uint32_t blocks = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 62;
    char folder[] = "/tmp/bench_read.XXXXXX";
    must(mkdtemp(folder) != NULL, "no folder for the files", NULL);
    (void)run(WRITE, folder, blocks);
    const outcome baked = run(BAKE, NULL, blocks);
    const double mega = 1e-6;
    bool met = true;
    printf("a city of %.2f million triangles, baked in %.1f s of CPU time\n\n",
           (double)baked.value * mega, baked.seconds);
    printf("%-6s %9s %9s %9s %9s %9s %9s\n", "format", "body MB", "made MB", "peak MB", "limit MB",
           "s", "% of bake");
    for (size_t i = 0; i < ROW_COUNT; i++) {
        const level_file file = file_of(folder, &ROWS[i]);
        const outcome none = run(NOTHING, NULL, 0);
        const outcome o = run(READ, file.name, blocks);
        const double limit =
            (double)file.size_bytes + TRIANGLES_FACTOR * (double)o.value + SLACK_BYTES;
        const double used = o.peak_bytes - none.peak_bytes;
        const double percent = 100 * o.seconds / baked.seconds;
        printf("%-6s %9.1f %9.1f %9.1f %9.1f %9.2f %9.1f\n", ROWS[i].ending + 1,
               (double)file.size_bytes * mega, (double)o.value * mega, used * mega, limit * mega,
               o.seconds, percent);
        met = met && (!ROWS[i].has_goals || (used <= limit && percent <= BAKE_PERCENT_MAX));
        (void)unlink(file.name);
    }
    (void)rmdir(folder);
    printf("\ngoals, for binary formats: at most %.0f %% of the bake, memory at most the body and "
           "%.1f times the triangles: %s\n",
           BAKE_PERCENT_MAX, TRIANGLES_FACTOR, met ? "met" : "missed");
    return met ? 0 : 1;
}
