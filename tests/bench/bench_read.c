// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// bench_read.c: what it costs to read a level in each format, as a part of its bake: a city of four
// million triangles, written to a file in one format after the other, read in pieces as the daemon
// does. Prints a table, and what became of each goal; the figures go to the CSV file named on the
// command line.
//
//   bench_read [--blocks N] [--rounds N] [--csv FILE]      64 blocks a side, which is 4,072,718
//
// Times are CPU times, the least of N rounds (3). The bake, by one thread in tiles, and each read
// are processes of their own. A read's memory is the most that it held beyond what it began with.

#include "proto/base/bytes.h"
#include "tests/bench/bench_levels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define READ_BYTES ((size_t)64 << 10)
#define TILE_CELLS 64
#define TIME_MAX 0.05  // of the bake
#define MEMORY_MAX 1.2 // of the triangles', beside the body's bytes

static void must(bool fine, const char *what, const nav_error *err)
{
    if (!fine) {
        fprintf(stderr, "%s: %s\n", what, err != NULL ? err->detail : "failed");
        exit(1);
    }
}

static double cpu_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

// ---- writing ----

static bool write_obj(const level_mesh *m, FILE *file)
{
    return levels_write_obj(m, file);
}

static bool write_glb(const level_mesh *m, FILE *file)
{
    return levels_write_glb(m, file);
}

static bool write_json(const level_mesh *m, FILE *file)
{
    fputs("{\"vertices\":[", file);
    for (size_t i = 0; i < (size_t)3 * m->vertex_count; i++) {
        fprintf(file, "%s%.3f", i > 0 ? "," : "", (double)m->vertices[i]);
    }
    fputs("],\"triangles\":[", file);
    for (size_t i = 0; i < (size_t)3 * m->triangle_count; i++) {
        fprintf(file, "%s%u", i > 0 ? "," : "", m->triangles[i]);
    }
    fputs("]}", file);
    return true;
}

static bool write_packed(const level_mesh *m, FILE *file)
{
    const nav_geometry geometry = levels_geometry(m);
    const size_t size_bytes = proto_geometry_packed_size(&geometry);
    void *bytes = malloc(size_bytes);
    must(bytes != NULL, "packed geometry", NULL);
    proto_geometry_pack(&geometry, bytes);
    const bool written = fwrite(bytes, 1, size_bytes, file) == size_bytes;
    free(bytes);
    return written;
}

static const float *corner(const level_mesh *m, size_t triangle, size_t i)
{
    return m->vertices + (size_t)3 * m->triangles[3 * triangle + i];
}

static bool write_stl_text(const level_mesh *m, FILE *file)
{
    fputs("solid city\n", file);
    for (size_t t = 0; t < m->triangle_count; t++) {
        fputs("facet normal 0 0 0\nouter loop\n", file);
        for (size_t i = 0; i < 3; i++) {
            const float *v = corner(m, t, i);
            fprintf(file, "vertex %.3f %.3f %.3f\n", (double)v[0], (double)v[1], (double)v[2]);
        }
        fputs("endloop\nendfacet\n", file);
    }
    fputs("endsolid city\n", file);
    return true;
}

static bool write_stl(const level_mesh *m, FILE *file)
{
    uint8_t record[84] = {0};
    proto_put_u32(record + 80, m->triangle_count);
    bool written = fwrite(record, 84, 1, file) == 1;
    for (size_t t = 0; t < m->triangle_count; t++) {
        memset(record, 0, 50);
        for (size_t i = 0; i < 9; i++) {
            proto_put_float(record + 12 + 4 * i, corner(m, t, i / 3)[i % 3]);
        }
        written = written && fwrite(record, 50, 1, file) == 1;
    }
    return written;
}

static void write_ply_header(const level_mesh *m, const char *format, FILE *file)
{
    fprintf(
        file,
        "ply\nformat %s 1.0\nelement vertex %u\nproperty float x\nproperty float y\n"
        "property float z\nelement face %u\nproperty list uchar int vertex_indices\nend_header\n",
        format, m->vertex_count, m->triangle_count);
}

static bool write_ply_text(const level_mesh *m, FILE *file)
{
    write_ply_header(m, "ascii", file);
    for (size_t i = 0; i < m->vertex_count; i++) {
        const float *v = m->vertices + 3 * i;
        fprintf(file, "%.3f %.3f %.3f\n", (double)v[0], (double)v[1], (double)v[2]);
    }
    for (size_t t = 0; t < m->triangle_count; t++) {
        const uint32_t *c = m->triangles + 3 * t;
        fprintf(file, "3 %u %u %u\n", c[0], c[1], c[2]);
    }
    return true;
}

static bool write_ply(const level_mesh *m, FILE *file)
{
    uint8_t record[13] = {3};
    bool written = true;
    write_ply_header(m, "binary_little_endian", file);
    for (size_t i = 0; i < (size_t)3 * m->vertex_count; i++) {
        proto_put_float(record + 1, m->vertices[i]);
        written = written && fwrite(record + 1, 4, 1, file) == 1;
    }
    for (size_t t = 0; t < m->triangle_count; t++) {
        for (size_t i = 0; i < 3; i++) {
            proto_put_u32(record + 1 + 4 * i, m->triangles[3 * t + i]);
        }
        written = written && fwrite(record, 13, 1, file) == 1;
    }
    return written;
}

static const struct form {
    const char *name;
    proto_format format;
    bool (*write)(const level_mesh *m, FILE *file);
    bool has_goal;
} FORMS[] = {
    {"obj", PROTO_FORMAT_OBJ, write_obj, false},
    {"json", PROTO_FORMAT_JSON, write_json, false},
    {"packed", PROTO_FORMAT_PACKED, write_packed, false},
    {"stl, text", PROTO_FORMAT_STL, write_stl_text, false},
    {"stl, binary", PROTO_FORMAT_STL, write_stl, true},
    {"ply, text", PROTO_FORMAT_PLY, write_ply_text, false},
    {"ply, binary", PROTO_FORMAT_PLY, write_ply, true},
    {"glb", PROTO_FORMAT_GLB, write_glb, true},
};
#define FORM_COUNT (sizeof FORMS / sizeof FORMS[0])

// ---- reading ----

typedef struct outcome {
    double ms;
    uint64_t memory_bytes;
    uint64_t geometry_bytes; // of what has come out
} outcome;

static uint64_t memory_of_this(const char *key)
{
    char line[256];
    unsigned long long kib = 0;
    FILE *file = fopen("/proc/self/status", "re");
    must(file != NULL, "/proc/self/status", NULL);
    while (fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, key, strlen(key)) == 0) {
            kib = strtoull(line + strlen(key), NULL, 10);
        }
    }
    fclose(file);
    return kib * 1024;
}

// The peak of the process begins anew.
static void forget_peak(void)
{
    FILE *file = fopen("/proc/self/clear_refs", "we");
    must(file != NULL && fputs("5", file) >= 0 && fclose(file) == 0, "/proc/self/clear_refs", NULL);
}

static outcome read_once(const struct form *form, FILE *file)
{
    static char buffer[READ_BYTES];
    nav_error err = {0};
    proto_geometry_reader *reader;
    nav_geometry geometry;
    size_t got;
    forget_peak();
    const uint64_t before = memory_of_this("VmRSS:");
    const double begun_ms = cpu_ms();
    nav_status status = proto_geometry_begin(form->format, NULL, &reader, &err);
    while (status == NAV_OK && (got = fread(buffer, 1, sizeof buffer, file)) > 0) {
        status = proto_geometry_feed(reader, buffer, got, &err);
    }
    must(status == NAV_OK && proto_geometry_end(reader, &geometry, &err) == NAV_OK, form->name,
         &err);
    return (outcome){.ms = cpu_ms() - begun_ms,
                     .memory_bytes = memory_of_this("VmHWM:") - before,
                     .geometry_bytes =
                         (uint64_t)12 * geometry.vertex_count +
                         (uint64_t)geometry.triangle_count *
                             (geometry.triangle_materials != NULL ? 12 + sizeof(uint16_t) : 12)};
}

// ---- the bake ----

static double bake_ms(const level_mesh *m)
{
    const nav_geometry geometry = levels_geometry(m);
    nav_config config = nav_config_default();
    nav_grid grid;
    nav_tile_index index;
    nav_arena arena;
    nav_error err = {0};
    config.tile_cells = TILE_CELLS;
    nav_arena_init(&arena, NULL, 0);
    const double begun_ms = cpu_ms();
    must(nav_bake_plan(&geometry, &config, 0, &grid, &err) == NAV_OK, "plan", &err);
    must(nav_bake_index(&geometry, &grid, NULL, &arena, &index, &err) == NAV_OK, "index", &err);
    for (uint32_t i = 0; i < grid.tiles_x * grid.tiles_z; i++) {
        nav_arena scratch, result;
        nav_blob blob;
        nav_arena_init(&scratch, NULL, 0);
        nav_arena_init_child(&result, &scratch);
        must(nav_bake_tile(&geometry, &config, &grid, &index, i % grid.tiles_x, i / grid.tiles_x,
                           NULL, &scratch, &result, &blob, NULL, &err) == NAV_OK,
             "tile", &err);
        nav_arena_free(&result);
        nav_arena_free(&scratch);
    }
    nav_arena_free(&arena);
    return cpu_ms() - begun_ms;
}

// In a process of its own, whose allocator knows nothing of what was done before: a reading, or,
// form being NULL, the bake.
static outcome apart(const struct form *form, FILE *file, const level_mesh *m)
{
    const char *name = form != NULL ? form->name : "bake";
    int ends[2], how = 0;
    outcome o = {0};
    fflush(stdout);
    must(pipe(ends) == 0, "pipe", NULL);
    const pid_t child = fork();
    must(child >= 0, "fork", NULL);
    if (child == 0) {
        o = form != NULL ? read_once(form, file) : (outcome){.ms = bake_ms(m)};
        _exit(write(ends[1], &o, sizeof o) == (ssize_t)sizeof o ? 0 : 1);
    }
    close(ends[1]);
    must(read(ends[0], &o, sizeof o) == (ssize_t)sizeof o, name, NULL);
    close(ends[0]);
    must(waitpid(child, &how, 0) == child && how == 0, name, NULL);
    return o;
}

// ---- all ----

typedef struct options {
    uint32_t blocks, rounds;
    const char *csv;
} options;

static options read_options(int count, char **words)
{
    options o = {.blocks = 64, .rounds = 3};
    for (int i = 1; i < count; i += 2) {
        must(i + 1 < count, words[i], NULL);
        if (strcmp(words[i], "--csv") == 0) {
            o.csv = words[i + 1];
        } else if (strcmp(words[i], "--blocks") == 0) {
            o.blocks = (uint32_t)strtoul(words[i + 1], NULL, 10);
        } else if (strcmp(words[i], "--rounds") == 0) {
            o.rounds = (uint32_t)strtoul(words[i + 1], NULL, 10);
        } else {
            must(false, words[i], NULL);
        }
    }
    return o;
}

// Whether the goals, if there are any, are met.
static bool measure(const struct form *form, const level_mesh *m, double baked_ms, const options *o,
                    FILE *csv)
{
    FILE *file = tmpfile();
    must(file != NULL && form->write(m, file) && fflush(file) == 0, form->name, NULL);
    const double body = (double)ftell(file);
    outcome best = {.ms = HUGE_VAL};
    for (uint32_t i = 0; i < o->rounds; i++) {
        rewind(file);
        const outcome again = apart(form, file, m);
        best = again.ms < best.ms ? again : best;
    }
    fclose(file);
    const double triangles = (double)best.geometry_bytes;
    const double part = best.ms / baked_ms, memory = (double)best.memory_bytes;
    const double times = (memory - body) / triangles;
    const bool met = !form->has_goal || (part <= TIME_MAX && times <= MEMORY_MAX);
    printf("%-12s %9.1f %9.0f %8.2f %% %9.1f %9.1f %9.2f %s\n", form->name, body / 1e6, best.ms,
           100 * part, memory / 1e6, triangles / 1e6, memory / triangles,
           !form->has_goal ? ""
           : met           ? "met"
                           : "missed");
    if (csv != NULL) {
        fprintf(csv, "\"%s\",%.0f,%.1f,%.4f,%.0f,%.0f\n", form->name, body, best.ms, part, memory,
                triangles);
    }
    return met;
}

int main(int argc, char **argv)
{
    const options o = read_options(argc, argv);
    level_mesh m;
    FILE *csv = o.csv != NULL ? fopen(o.csv, "we") : NULL;
    must(o.csv == NULL || csv != NULL, "CSV", NULL);
    must(levels_generate(LEVEL_CITY, o.blocks, 1, &m), "city", NULL);
    const double baked_ms = apart(NULL, NULL, &m).ms;
    printf("city of %u triangles and %u vertices: its bake takes %.0f ms\n\n", m.triangle_count,
           m.vertex_count, baked_ms);
    printf("%-12s %9s %9s %10s %9s %9s %9s  at most %.0f %%, and body + %.1f triangles\n", "format",
           "body MB", "ms", "of bake", "memory MB", "triangles", "times", 100 * TIME_MAX,
           MEMORY_MAX);
    if (csv != NULL) {
        fputs("format,body_bytes,ms,of_bake,memory_bytes,triangles_bytes\n", csv);
    }
    bool met = true;
    for (size_t i = 0; i < FORM_COUNT; i++) {
        met = measure(&FORMS[i], &m, baked_ms, &o, csv) && met;
    }
    levels_free(&m);
    must(csv == NULL || fclose(csv) == 0, "CSV", NULL);
    return met ? 0 : 1;
}
