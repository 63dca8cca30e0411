// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// Runs the three-line cases of tests/cases/*.txt: world, question, answer. tests/cases/paths.txt
// tells how they are written.

#include "tests/unit/mesh_builder.h"

#include <glob.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#define LINE_BYTES_MAX 4096

typedef struct test_case {
    const char *file;
    int line;
    char world[LINE_BYTES_MAX], question[LINE_BYTES_MAX], answer[LINE_BYTES_MAX];
} test_case;

static void reject(const test_case *c, const char *why)
{
    fail_msg("%s:%d: %s\n  question: %s\n  answer: %s", c->file, c->line, why, c->question,
             c->answer);
}

// The answer has this number, to a ten-thousandth.
static void expect_number(const test_case *c, const char *word, double expected, double got)
{
    char why[64];
    if (fabs(got - expected) > 1e-4) {
        snprintf(why, sizeof why, "%s %.4f instead", word, got);
        reject(c, why);
    }
}

static bool has_point(const nav_path *path, double x, double z)
{
    for (uint32_t i = 0; i < path->point_count; ++i) {
        const float *point = path->points + 3 * (size_t)i;
        if (fabs((double)point[0] - x) < 1e-4 && fabs((double)point[2] - z) < 1e-4) {
            return true;
        }
    }
    return false;
}

// One "WORD" or "WORD VALUE" of an answer. Returns whether the value was used.
static bool check_word(const test_case *c, const nav_path *path, const char *word,
                       const char *value)
{
    double x = 0.0;
    double z = 0.0;
    int numbers = value != NULL ? sscanf(value, "%lf,%lf", &x, &z) : 0;
    if (strcmp(word, "optimal") == 0 || strcmp(word, "not-optimal") == 0) {
        if (path->optimal != (word[0] == 'o')) {
            reject(c, "optimal or not: it is the other");
        }
        return false;
    }
    if (strcmp(word, "reason") == 0 && value != NULL) {
        const char *reason = nav_path_reason_word(path->reason);
        if (reason == NULL || strcmp(reason, value) != 0) {
            reject(c, reason == NULL ? "there is no reason" : reason);
        }
    } else if (strcmp(word, "points") == 0 && numbers == 1) {
        expect_number(c, "points", x, path->point_count);
    } else if (strcmp(word, "length") == 0 && numbers == 1) {
        expect_number(c, "length", x, path->length);
    } else if (strcmp(word, "bound") == 0 && numbers == 1) {
        expect_number(c, "bound", x, path->lower_bound);
    } else if (strcmp(word, "keeps") == 0 && numbers == 1) {
        expect_number(c, "keeps", x, path->clearance_min);
    } else if (strcmp(word, "cost") == 0 && numbers == 1) {
        expect_number(c, "cost", x, path->cost);
    } else if (strcmp(word, "via") == 0 && numbers == 2) {
        if (!has_point(path, x, z)) {
            reject(c, "not by this point");
        }
    } else {
        reject(c, "the answer has a word that is not known");
    }
    return true;
}

static void check_answer(const test_case *c, const nav_path *path)
{
    char words[LINE_BYTES_MAX];
    memcpy(words, c->answer, sizeof words);
    const char *status = strtok(words, " ");
    if (status == NULL || strcmp(status, nav_path_status_word(path->status)) != 0) {
        reject(c, nav_path_status_word(path->status));
    }
    const char *word = strtok(NULL, " ");
    while (word != NULL) {
        const char *value = strtok(NULL, " ");
        word = check_word(c, path, word, value) ? strtok(NULL, " ") : value;
    }
}

// A world; its grid may be followed by "; area 2 costs 9", "; link X,Z -> X,Z", "; oneway X,Z ->
// X,Z".
typedef struct world {
    nav_area areas[10];
    nav_link links[8];
    nav_config config;
} world;

static void read_part(const test_case *c, const char *part, world *w)
{
    unsigned area;
    float cost;
    char kind[8];
    nav_link link = {.radius = 0.5f, .area = NAV_AREA_GROUND};
    if (sscanf(part, " area %u costs %f", &area, &cost) == 2 && area < 10) {
        w->areas[area].cost = cost;
    } else if (sscanf(part, " %7s %f,%f -> %f,%f", kind, &link.start[0], &link.start[2],
                      &link.end[0], &link.end[2]) == 5 &&
               (strcmp(kind, "link") == 0 || strcmp(kind, "oneway") == 0) &&
               w->config.link_count < 8) {
        link.bidirectional = kind[0] == 'l';
        w->links[w->config.link_count++] = link;
    } else {
        reject(c, "the world has a part that is not known");
    }
}

static nav_mesh *read_world(const test_case *c)
{
    static world w;
    w = (world){.config = nav_config_default()};
    w.config.areas = w.areas;
    w.config.area_count = 10;
    w.config.links = w.links;
    for (int i = 0; i < 10; ++i) {
        w.areas[i].cost = 1.0f;
    }
    char text[LINE_BYTES_MAX];
    memcpy(text, c->world, sizeof text);
    if (strncmp(text, "grid ", 5) != 0) {
        reject(c, "the world is of a kind that is not known");
    }
    char *parts = strchr(text, ';');
    char *map = text + 5;
    map[strcspn(map, " ;")] = '\0';
    for (char *part = parts != NULL ? strtok(parts + 1, ";") : NULL; part != NULL;
         part = strtok(NULL, ";")) {
        read_part(c, part, &w);
    }
    return map_mesh_with(map, &w.config, NULL);
}

static void run_case(const test_case *c)
{
    float start[2];
    float end[2];
    float clearance = 0.0f;
    if (sscanf(c->question, "path %f,%f -> %f,%f clearance %f", &start[0], &start[1], &end[0],
               &end[1], &clearance) < 4) {
        reject(c, "the question is of a kind that is not known");
    }
    nav_mesh *mesh = read_world(c);
    nav_scratch *scratch = NULL;
    assert_int_equal(nav_scratch_create(NULL, &scratch), NAV_OK);
    const nav_path_request request = {.start = {start[0], 0.0f, start[1]},
                                      .end = {end[0], 0.0f, end[1]},
                                      .options.snap = nav_snap_default(),
                                      .clearance = clearance};
    nav_path path;
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
    check_answer(c, &path);
    nav_scratch_destroy(scratch);
    nav_mesh_release(mesh);
}

// Runs a file's cases and returns how many there were.
static int run_file(const char *name)
{
    FILE *file = fopen(name, "r");
    assert_non_null(file);
    static test_case c;
    c = (test_case){.file = name};
    char line[LINE_BYTES_MAX];
    int count = 0;
    for (int number = 1; fgets(line, sizeof line, file) != NULL; ++number) {
        line[strcspn(line, "\n")] = '\0';
        if (sscanf(line, "world: %[^\n]", c.world) == 1) {
            c.line = number;
            c.question[0] = '\0';
        } else if (sscanf(line, "question: %[^\n]", c.question) == 1) {
            continue;
        } else if (sscanf(line, "answer: %[^\n]", c.answer) == 1) {
            run_case(&c);
            ++count;
        } else if (line[0] != '\0' && line[0] != '#') {
            fail_msg("%s:%d: neither world, question, answer nor comment", name, number);
        }
    }
    fclose(file);
    return count;
}

static void every_case_is_answered_as_written(void **state)
{
    (void)state;
    glob_t files;
    assert_int_equal(glob("tests/cases/*.txt", 0, NULL, &files),
                     0); // run at the top of the sources
    int count = 0;
    for (size_t i = 0; i < files.gl_pathc; ++i) {
        count += run_file(files.gl_pathv[i]);
    }
    globfree(&files);
    assert_true(count >= 26);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_case_is_answered_as_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
