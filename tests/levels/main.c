// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// main.c: the command `makelevel KIND [--size N] [--seed N] [--glb] > level.obj`.

#include "levels.h"

#include <stdlib.h>
#include <string.h>

static void print_help(FILE *file)
{
    fputs("usage: makelevel KIND [--size N] [--seed N] [--glb] > level.obj\n\n"
          "Writes a level as Wavefront OBJ, or as binary glTF with --glb. The same arguments "
          "always give the same bytes.\n\n",
          file);
    for (level_kind kind = 0; kind < LEVEL_KIND_COUNT; ++kind) {
        fprintf(file, "  %-8s  size: %s, 1 to %u (default %u)\n", levels_kind_word(kind),
                levels_kind_unit(kind), levels_size_max(kind), levels_size_default(kind));
    }
    fputs("\n  --seed N  which one of many (default 1)\n", file);
}

// A whole number in decimal; false for anything else.
static bool read_number(const char *text, uint64_t max, uint64_t *out)
{
    char *end;
    if (text == NULL || *text < '0' || *text > '9') {
        return false;
    }
    unsigned long long value = strtoull(text, &end, 10);
    *out = value;
    return *end == '\0' && value <= max;
}

static int fail(const char *message, const char *what)
{
    fprintf(stderr, "makelevel: %s: %s (see makelevel --help)\n", message, what);
    return 2;
}

int main(int argc, char **argv)
{
    level_kind kind = LEVEL_KIND_COUNT;
    uint64_t size = 0, seed = 1;
    bool is_glb = false;
    for (int i = 1; i < argc; ++i) {
        if (strcmp(argv[i], "--help") == 0) {
            print_help(stdout);
            return 0;
        }
        if (strcmp(argv[i], "--size") == 0) {
            if (!read_number(argv[++i], UINT32_MAX, &size) || size == 0) {
                return fail("--size needs a positive number", argv[i] ? argv[i] : "nothing");
            }
        } else if (strcmp(argv[i], "--seed") == 0) {
            if (!read_number(argv[++i], UINT64_MAX, &seed)) {
                return fail("--seed needs a number", argv[i] ? argv[i] : "nothing");
            }
        } else if (strcmp(argv[i], "--glb") == 0) {
            is_glb = true;
        } else {
            for (kind = 0; kind < LEVEL_KIND_COUNT; ++kind) {
                if (strcmp(argv[i], levels_kind_word(kind)) == 0) {
                    break;
                }
            }
            if (kind == LEVEL_KIND_COUNT) {
                return fail(argv[i][0] == '-' ? "no such option" : "no such kind of level",
                            argv[i]);
            }
        }
    }
    if (kind == LEVEL_KIND_COUNT) {
        print_help(stderr);
        return 2;
    }
    level_mesh mesh;
    uint32_t side = size == 0 ? levels_size_default(kind) : (uint32_t)size;
    if (!levels_generate(kind, side, seed, &mesh)) {
        fprintf(stderr, "makelevel: --size of a %s is 1 to %u %s\n", levels_kind_word(kind),
                levels_size_max(kind), levels_kind_unit(kind));
        return 2;
    }
    bool written = (is_glb ? levels_write_glb : levels_write_obj)(&mesh, stdout);
    levels_free(&mesh);
    if (!written) {
        perror("makelevel: writing failed");
        return 1;
    }
    return 0;
}
