// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// bench_state.c: states of a world. How long obstacles take to come and go, beside the update of
// recastnavigation's DetourTileCache on the same level; whether that grows with the mesh; and what
// questions cost in a state (state_paths.c). Ours and the peer turn by turn in one run on one
// thread. Prints a table and what became of the goals; the figures go to the CSV file named on the
// command line.
//
//   bench_state [--rounds N] [--sets N] [--pairs N] [--csv FILE] [--quick] [--only LEVEL]
//
// Each set of shapes counts with its least time of all rounds; p50 and p99 are over all sets.

#include "tests/bench/peer_obstacles.h"
#include "tests/bench/state_bench.h"

#include <math.h>
#include <string.h>

#define ROUNDS 7
#define SETS 200
#define PAIRS 100
// The tiles of the peer, in cells.
#define PEER_TILE_CELLS 48
// Shapes of one set lie within this of a place, along x and z. World units.
#define NEAR 10.0f
// Obstacles that are there before, and stay.
#define BESIDE 24
#define CITIES_MAX 3

state_bench bench = {.rounds = ROUNDS, .sets = SETS, .pairs = PAIRS};
static const char *only;
static bool quick;

// ---- worlds ----

static void fail(const char *level, const char *why)
{
    fprintf(stderr, "%s: %s\n", level, why);
    exit(1);
}

void state_world_make(state_world *w, const char *name, const nav_geometry *geometry)
{
    nav_error err = {0};
    nav_mesh_stats stats;
    *w = (state_world){.geometry = geometry, .config = nav_config_default()};
    snprintf(w->name, sizeof w->name, "%s", name);
    w->config.tile_cells = NAV_TILE_CELLS_AUTO;
    w->mesh = corpus_bake(geometry, &w->config, &err);
    if (w->mesh == NULL || !corpus_add_landmarks(w->mesh, &err) ||
        nav_scratch_create(NULL, &w->scratch) != NAV_OK) {
        fail(name, err.detail);
    }
    nav_mesh_stats_get(w->mesh, &stats);
    w->polygons = stats.polygons;
    w->edge_error = (double)(w->config.edge_max_error * w->config.cell_size);
}

void state_world_free(state_world *w)
{
    nav_scratch_destroy(w->scratch);
    nav_mesh_release(w->mesh);
}

float state_fraction(uint64_t *state, float low, float high)
{
    return low + (high - low) * corpus_random_fraction(state);
}

void state_place(const nav_mesh *mesh, uint64_t *state, float out[3])
{
    nav_mesh_stats stats;
    nav_mesh_stats_get(mesh, &stats);
    corpus_random_point(mesh, stats.polygons, state, out);
    corpus_put_on_ground(mesh, NAV_NONE, out);
}

nav_avoid state_circle(const nav_mesh *mesh, const float place[3], float radius)
{
    float at[3] = {place[0], place[1], place[2]};
    const float high = nav_mesh_agent_height(mesh);
    corpus_put_on_ground(mesh, NAV_NONE, at);
    return (nav_avoid){.shape = NAV_AVOID_CIRCLE,
                       .center = {place[0], place[2]},
                       .radius = radius,
                       .bottom = at[1] - high,
                       .top = at[1] + high,
                       .blocked = true};
}

void state_circles(const nav_mesh *mesh, bool is_near, uint64_t *state, nav_avoid out[STATE_SHAPES])
{
    float center[3], at[3];
    state_place(mesh, state, center);
    for (uint32_t i = 0; i < STATE_SHAPES; ++i) {
        if (is_near) {
            memcpy(at, center, sizeof at);
            at[0] += state_fraction(state, -NEAR, NEAR);
            at[2] += state_fraction(state, -NEAR, NEAR);
        } else {
            state_place(mesh, state, at);
        }
        out[i] = state_circle(mesh, at, state_fraction(state, 0.5f, 1.5f));
    }
}

nav_overlay *state_create(nav_mesh *mesh, nav_scratch *scratch, const nav_overlay *last,
                          const nav_avoid *shapes, uint32_t count, const uint8_t *switches)
{
    nav_overlay *made = NULL;
    const nav_overlay_items parts = {.shapes = shapes, .shape_count = count, .switches = switches};
    NAV_ASSERT(nav_overlay_create(mesh, scratch, last, &parts, &made, NULL) == NAV_OK);
    return made;
}

// ---- rows ----

void state_row(const state_world *w, const char *row, uint32_t count, figures ours, figures theirs)
{
    printf("%-14s %7u %-22s %6u %9.2f %9.2f %9.2f %9.2f", w->name, w->polygons, row, count,
           ours.p50, theirs.p50, ours.p99, theirs.p99);
    if (theirs.p50 > 0.0) {
        printf(" %6.2f %6.2f", theirs.p50 / ours.p50, theirs.p99 / ours.p99);
    }
    printf("\n");
    fprintf(bench.csv, "%s,%u,%s,%u,%.3f,%.3f,%.3f,%.3f\n", w->name, w->polygons, row, count,
            ours.p50, theirs.p50, ours.p99, theirs.p99);
    fflush(stdout);
}

void state_expect(bool holds, const state_world *w, const char *what, double value, double goal)
{
    printf("%s %s: %s %.3f (goal %.3f)\n", holds ? "ok    " : "not ok", w->name, what, value, goal);
    bench.broken += !holds;
}

// ---- obstacles that come and go ----

// Where the eight shapes of a set lie, and how many others are there already.
typedef struct change_case {
    const char *add, *remove;
    bool is_near;
    uint32_t beside;
} change_case;

static const change_case CHANGES[] = {
    {.add = "8 added, near", .remove = "8 removed, near", .is_near = true},
    {.add = "8 added, anywhere", .remove = "8 removed, anywhere"},
    {.add = "8 added beside 24",
     .remove = "8 removed beside 24",
     .is_near = true,
     .beside = BESIDE},
};

// One set: what is there before, then what comes.
typedef struct shape_set {
    nav_avoid shapes[BESIDE + STATE_SHAPES];
} shape_set;

static void make_set(const nav_mesh *mesh, const change_case *c, uint64_t *state, shape_set *out)
{
    for (uint32_t i = 0; i < c->beside; ++i) {
        float at[3];
        state_place(mesh, state, at);
        out->shapes[i] = state_circle(mesh, at, state_fraction(state, 0.5f, 1.5f));
    }
    state_circles(mesh, c->is_near, state, out->shapes + c->beside);
}

static shape_set *make_sets(const nav_mesh *mesh, const change_case *c)
{
    shape_set *sets = malloc(bench.sets * sizeof *sets);
    uint64_t state = 77;
    NAV_ASSERT(sets != NULL);
    for (uint32_t i = 0; i < bench.sets; ++i) {
        make_set(mesh, c, &state, &sets[i]);
    }
    return sets;
}

// Least times by set, of coming and going.
typedef struct change_times {
    double *add_ns, *remove_ns;
} change_times;

static change_times times_of(void)
{
    double *values = malloc(2 * (size_t)bench.sets * sizeof *values);
    NAV_ASSERT(values != NULL);
    for (uint32_t i = 0; i < 2 * bench.sets; ++i) {
        values[i] = HUGE_VAL;
    }
    return (change_times){values, values + bench.sets};
}

// The state before goes when the next one is there, as where a world moves on.
static void change_ours(const state_world *w, const change_case *c, const shape_set *set,
                        uint32_t index, change_times *t)
{
    nav_overlay *before = state_create(w->mesh, w->scratch, NULL, set->shapes, c->beside, NULL);
    const double begin = figures_now_ns();
    nav_overlay *with =
        state_create(w->mesh, w->scratch, before, set->shapes, c->beside + STATE_SHAPES, NULL);
    nav_overlay_release(before);
    const double middle = figures_now_ns();
    nav_overlay *after = state_create(w->mesh, w->scratch, with, set->shapes, c->beside, NULL);
    nav_overlay_release(with);
    const double end = figures_now_ns();
    nav_overlay_release(after);
    t->add_ns[index] = fmin(t->add_ns[index], middle - begin);
    t->remove_ns[index] = fmin(t->remove_ns[index], end - middle);
}

// How many middles of all shapes were ground of the peer, and were none with the shapes.
typedef struct seen_holes {
    uint32_t ground, cut, updates;
} seen_holes;

static void count_holes(peer_obstacles *peer, const shape_set *set, const change_case *c,
                        bool was_ground[STATE_SHAPES], bool is_with, seen_holes *seen)
{
    for (uint32_t i = 0; i < STATE_SHAPES; ++i) {
        const nav_avoid *shape = &set->shapes[c->beside + i];
        const float at[3] = {shape->center[0], (shape->bottom + shape->top) / 2, shape->center[1]};
        const bool is_ground = peer_obstacles_is_ground(peer, at, 0.1f);
        if (is_with) {
            seen->cut += was_ground[i] && !is_ground;
        } else {
            was_ground[i] = is_ground;
            seen->ground += is_ground;
        }
    }
}

// What is there before costs the peer nothing: its work depends on the tiles that change.
static void change_theirs(peer_obstacles *peer, const change_case *c, const shape_set *set,
                          uint32_t index, change_times *t, seen_holes *seen)
{
    bool was_ground[STATE_SHAPES];
    if (seen != NULL) {
        count_holes(peer, set, c, was_ground, false, seen);
    }
    const double begin = figures_now_ns();
    const uint32_t added = peer_obstacles_add(peer, set->shapes + c->beside, STATE_SHAPES);
    const double middle = figures_now_ns();
    if (seen != NULL) {
        seen->updates += added;
        count_holes(peer, set, c, was_ground, true, seen);
    }
    const double again = figures_now_ns();
    const uint32_t removed = peer_obstacles_remove(peer);
    const double end = figures_now_ns();
    NAV_ASSERT(added > 0 && removed > 0);
    t->add_ns[index] = fmin(t->add_ns[index], middle - begin);
    t->remove_ns[index] = fmin(t->remove_ns[index], end - again);
}

static void expect_faster(const state_world *w, const char *row, figures ours, figures theirs)
{
    char what[96];
    state_row(w, row, bench.sets, ours, theirs);
    snprintf(what, sizeof what, "%s, median, times as fast", row);
    state_expect(theirs.p50 / ours.p50 >= 2.0, w, what, theirs.p50 / ours.p50, 2.0);
}

// Result: the peer's median, in us, of eight that come.
static double bench_change(const state_world *w, peer_obstacles *peer, const change_case *c)
{
    shape_set *sets = make_sets(w->mesh, c);
    change_times ours = times_of(), theirs = times_of();
    seen_holes seen = {0};
    for (int round = 0; round < bench.rounds; ++round) {
        for (uint32_t i = 0; i < bench.sets; ++i) {
            change_ours(w, c, &sets[i], i, &ours);
            change_theirs(peer, c, &sets[i], i, &theirs, round == 0 ? &seen : NULL);
        }
    }
    const figures theirs_added = figures_of(theirs.add_ns, bench.sets);
    expect_faster(w, c->add, figures_of(ours.add_ns, bench.sets), theirs_added);
    expect_faster(w, c->remove, figures_of(ours.remove_ns, bench.sets),
                  figures_of(theirs.remove_ns, bench.sets));
    printf("# %s: the peer took %.1f updates a set; of %u middles on its ground %u were cut\n",
           w->name, (double)seen.updates / bench.sets, seen.ground, seen.cut);
    free(ours.add_ns);
    free(theirs.add_ns);
    free(sets);
    return theirs_added.p50;
}

// In a state with eight obstacles half of 20 switches close.
static void bench_flip(const state_world *w, double theirs_us)
{
    uint64_t state = 78;
    shape_set *sets = make_sets(w->mesh, &CHANGES[0]);
    state_switched *s = state_switched_make(w, 20, &state);
    double *values = times_of().add_ns;
    for (int round = 0; round < bench.rounds; ++round) {
        for (uint32_t i = 0; i < bench.sets; ++i) {
            nav_overlay *before =
                state_create(s->mesh, w->scratch, NULL, sets[i].shapes, STATE_SHAPES, s->open);
            const double begin = figures_now_ns();
            nav_overlay *after =
                state_create(s->mesh, w->scratch, before, sets[i].shapes, STATE_SHAPES, s->half);
            nav_overlay_release(before);
            values[i] = fmin(values[i], figures_now_ns() - begin);
            nav_overlay_release(after);
        }
    }
    const figures ours = figures_of(values, bench.sets);
    state_row(w, "switches flipped", bench.sets, ours, (figures){0});
    state_expect(ours.p50 <= theirs_us / 5.0, w, "switches flipped, part of the peer's 8 added",
                 ours.p50 / theirs_us, 0.2);
    state_switched_free(s);
    free(values);
    free(sets);
}

static void bench_changes(const state_world *w)
{
    const char *why = NULL;
    peer_obstacles *peer = peer_obstacles_create(w->geometry, &w->config, PEER_TILE_CELLS, &why);
    if (peer == NULL) {
        fail(w->name, why);
    }
    double near_us = 0.0;
    for (uint32_t i = 0; i < sizeof CHANGES / sizeof *CHANGES; ++i) {
        const double added_us = bench_change(w, peer, &CHANGES[i]);
        near_us = i == 0 ? added_us : near_us;
    }
    bench_flip(w, near_us);
    peer_obstacles_free(peer);
}

// ---- growth ----

static state_world cities[CITIES_MAX];
static uint32_t city_count;

// The cities begin with the same blocks, where the shapes of the smallest lie.
static void add_city(const char *name, const nav_geometry *geometry)
{
    NAV_ASSERT(city_count < CITIES_MAX);
    state_world_make(&cities[city_count++], name, geometry);
}

static void bench_growth(void)
{
    shape_set *sets = make_sets(cities[0].mesh, &CHANGES[0]);
    change_times times[CITIES_MAX];
    double first = 0.0;
    for (uint32_t i = 0; i < city_count; ++i) {
        times[i] = times_of();
    }
    for (int round = 0; round < bench.rounds; ++round) {
        for (uint32_t k = 0; k < bench.sets * city_count; ++k) {
            const uint32_t city = k % city_count, set = k / city_count;
            change_ours(&cities[city], &CHANGES[0], &sets[set], set, &times[city]);
        }
    }
    for (uint32_t i = 0; i < city_count; ++i) {
        const figures added = figures_of(times[i].add_ns, bench.sets);
        const figures removed = figures_of(times[i].remove_ns, bench.sets);
        state_row(&cities[i], "same 8 added", bench.sets, added, (figures){0});
        state_row(&cities[i], "same 8 removed", bench.sets, removed, (figures){0});
        first = i == 0 ? added.p50 : first;
        if (i > 0) {
            state_expect(added.p50 <= 1.5 * first, &cities[i], "8 added, times the smallest city",
                         added.p50 / first, 1.5);
        }
        free(times[i].add_ns);
    }
    free(sets);
}

static bool is_wanted(const char *name)
{
    return only == NULL || strstr(name, only) != NULL;
}

static void bench_cities(void)
{
    if (!is_wanted("growth")) {
        return;
    }
    // About 3,400, 26,000 and 99,000 polygons.
    corpus_generated(LEVEL_CITY, 6, 1, add_city);
    corpus_generated(LEVEL_CITY, 17, 1, add_city);
    if (!quick) {
        corpus_generated(LEVEL_CITY, 33, 1, add_city);
    }
    bench_growth();
    for (uint32_t i = 0; i < city_count; ++i) {
        state_world_free(&cities[i]);
    }
}

// ---- the run ----

typedef struct part {
    const char *word;
    void (*run)(const state_world *world);
} part;

static const part PARTS[] = {
    {"changes", bench_changes},          {"paths", state_bench_paths},
    {"unreachable", state_bench_fenced}, {"memory", state_bench_memory},
    {"switches", state_bench_switches},
};

static void bench_level(const char *name, const nav_geometry *geometry)
{
    state_world w;
    if (is_wanted(name)) {
        state_world_make(&w, name, geometry);
        for (uint32_t i = 0; i < sizeof PARTS / sizeof *PARTS; ++i) {
            PARTS[i].run(&w);
        }
        state_world_free(&w);
    }
}

static bool read_options(int argc, char **argv, const char **csv_path)
{
    for (int i = 1; i < argc; ++i) {
        if (strcmp(argv[i], "--quick") == 0) {
            quick = true;
        } else if (i + 1 == argc) {
            return false;
        } else if (strcmp(argv[i], "--rounds") == 0) {
            bench.rounds = atoi(argv[++i]);
        } else if (strcmp(argv[i], "--sets") == 0) {
            bench.sets = (uint32_t)atoi(argv[++i]);
        } else if (strcmp(argv[i], "--pairs") == 0) {
            bench.pairs = (uint32_t)atoi(argv[++i]);
        } else if (strcmp(argv[i], "--csv") == 0) {
            *csv_path = argv[++i];
        } else if (strcmp(argv[i], "--only") == 0) {
            only = argv[++i];
        } else {
            return false;
        }
    }
    return bench.rounds > 0 && bench.sets > 0 && bench.sets <= 10000 && bench.pairs > 0 &&
           bench.pairs <= 10000;
}

int main(int argc, char **argv)
{
    const char *csv_path = "/dev/null";
    if (!read_options(argc, argv, &csv_path)) {
        fprintf(stderr, "bench_state [--rounds N] [--sets N] [--pairs N] [--csv FILE] [--quick] "
                        "[--only LEVEL]\n");
        return 2;
    }
    bench.csv = fopen(csv_path, "w");
    if (bench.csv == NULL) {
        perror(csv_path);
        return 1;
    }
    fprintf(bench.csv, "level,polygons,row,count,ours_p50_us,theirs_p50_us,ours_p99_us,"
                       "theirs_p99_us\n");
    printf("%-14s %7s %-22s %6s %9s %9s %9s %9s %6s %6s\n", "level", "polygons", "", "count",
           "p50 us", "theirs", "p99 us", "theirs", "p50 x", "p99 x");
    corpus_generated(LEVEL_DUNGEON, 4, 1, bench_level);
    corpus_generated(LEVEL_TOWN, 4, 1, bench_level);
    corpus_generated(LEVEL_CITY, 6, 1, bench_level);
    bench_cities();
    printf("%u goals not reached\n", bench.broken);
    fclose(bench.csv);
    return corpus_failures == 0 ? 0 : 1;
}
