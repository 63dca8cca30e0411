// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// bench_query.c: paths over the same polygons between the same places, ours and Detour's, round by
// round in one run on one thread. Prints a table and what became of the goals; the figures go to
// the CSV file named on the command line.
//
//   bench_query [--rounds N] [--pairs N] [--csv FILE] [--quick] [--only LEVEL] [--avoid]
//               [--doors]
//
// --avoid: only the rows of paths with shapes to avoid. --doors: only those of closed doors, which
// generated dungeons and cities have.
//
// A query is the whole of it: both ends located, the search, the string. Its time is the least of
// all rounds; p50 and p99 are of these least times over all pairs. Lengths are in plan view, what
// both sides minimise; with costs, length times cost. The table counts pairs that both answer.

#include "tests/bench/figures.h"
#include "tests/bench/query_avoid.h"
#include "tests/bench/query_doors.h"
#include "tests/oracle/corpus.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS 7
#define PAIRS 1000
#define DOOR_PAIRS 300
#define AVOID_PAIRS 200 // of those that are also asked with shapes to avoid
#define GROWTH_MAX 8
#define THREADS_NS_MIN 2e7 // one thread's: long beside what the start of two takes
#define PLACE_ROUNDS 5     // times as many, as each is short
#define THREADS_ROUNDS 40  // but short, and often, so that both cores are free in some of them

static struct {
    int rounds;
    uint32_t pairs;
    bool quick, avoid, doors;
    const char *only;
    FILE *csv;
    uint32_t broken;
    uint32_t growth_count;
    struct growth {
        uint32_t polygons;
        double p50_us, p99_us, their_p50_us;
    } growth[GROWTH_MAX];
} bench = {.rounds = ROUNDS, .pairs = PAIRS};

// ---- one kind of question over all pairs ----

typedef struct question {
    const char *word;
    const nav_filter *filter;
    nav_search search;
    bool no_partial;
    bool theirs; // asked of Detour as well
} question;

typedef struct answers {
    double *ours_ns, *theirs_ns;    // least, by pair
    double *ours_cost, *their_cost; // NAN where there is no way
    uint32_t count;
} answers;

static nav_path_request request_for(const query_pair *pair, const question *q)
{
    nav_path_request request = {
        .options = nav_options_default(), .search = q->search, .no_partial = q->no_partial};
    request.options.filter = q->filter;
    memcpy(request.start, pair->start, sizeof request.start);
    memcpy(request.end, pair->end, sizeof request.end);
    return request;
}

static void ask_ours(const query_world *w, nav_scratch *scratch, const query_pair *pairs,
                     const question *q, answers *a)
{
    for (uint32_t i = 0; i < a->count; ++i) {
        const nav_path_request request = request_for(&pairs[i], q);
        nav_path path;
        const double begin = figures_now_ns();
        const nav_status status = nav_query_path(w->ours, scratch, &request, &path);
        const double end = figures_now_ns();
        NAV_ASSERT(status == NAV_OK);
        a->ours_ns[i] = fmin(a->ours_ns[i], end - begin);
        a->ours_cost[i] = path.status == NAV_PATH_COMPLETE ? path.cost : (double)NAN;
    }
}

static void ask_theirs(const query_world *w, const query_pair *pairs, const question *q, answers *a)
{
    for (uint32_t i = 0; i < a->count; ++i) {
        const double begin = figures_now_ns();
        detour_path path =
            detour_find_path(w->theirs, pairs[i].start, pairs[i].end, q->filter != NULL);
        const double end = figures_now_ns();
        a->theirs_ns[i] = fmin(a->theirs_ns[i], end - begin);
        a->their_cost[i] = path.complete ? detour_path_cost(w->theirs) : (double)NAN;
    }
}

static answers ask(const query_world *w, const query_pair *pairs, uint32_t count, const question *q)
{
    double *values = malloc(4 * (size_t)count * sizeof *values + 1);
    nav_scratch *scratch = NULL;
    NAV_ASSERT(values != NULL && nav_scratch_create(NULL, &scratch) == NAV_OK);
    answers a = {values, values + count, values + 2 * count, values + 3 * count, count};
    for (uint32_t i = 0; i < 2 * count; ++i) {
        values[i] = HUGE_VAL;
    }
    query_filter_detour(w->theirs, q->filter != NULL);
    for (int round = 0; round < bench.rounds; ++round) {
        ask_ours(w, scratch, pairs, q, &a);
        if (q->theirs) {
            ask_theirs(w, pairs, q, &a);
        }
    }
    nav_scratch_destroy(scratch);
    return a;
}

// ---- figures ----

// Closes up to the pairs that both sides answered; sums their costs.
static uint32_t keep_answered(answers *a, double *ours, double *theirs)
{
    uint32_t kept = 0;
    *ours = *theirs = 0.0;
    for (uint32_t i = 0; i < a->count; ++i) {
        if (!isnan(a->ours_cost[i]) && !isnan(a->their_cost[i])) {
            *ours += a->ours_cost[i];
            *theirs += a->their_cost[i];
            a->ours_ns[kept] = a->ours_ns[i];
            a->theirs_ns[kept++] = a->theirs_ns[i];
        }
    }
    return kept;
}

static void expect(bool holds, const char *level, const char *what, double value, double goal)
{
    printf("%s %s: %s %.3f (goal %.3f)\n", holds ? "ok    " : "not ok", level, what, value, goal);
    bench.broken += !holds;
}

static void print_row(const query_world *w, const char *word, uint32_t count, figures ours,
                      figures theirs, double length)
{
    printf("%-14s %7u %-12s %6u %9.2f %9.2f %9.2f %9.2f %6.2f %6.2f %8.5f\n", w->name, w->polygons,
           word, count, ours.p50, theirs.p50, ours.p99, theirs.p99, theirs.p50 / ours.p50,
           theirs.p99 / ours.p99, length);
    fprintf(bench.csv, "%s,%u,%s,%u,%.3f,%.3f,%.3f,%.3f,%.6f\n", w->name, w->polygons, word, count,
            ours.p50, theirs.p50, ours.p99, theirs.p99, length);
    fflush(stdout);
}

// ---- rows ----

typedef struct verdict {
    double p50, p99, length; // times as fast, ours / theirs
} verdict;

static verdict beside_detour(const query_world *w, const question *q, figures *ours_out,
                             figures *theirs_out)
{
    answers a = ask(w, w->pairs, w->pair_count, q);
    double our_sum, their_sum;
    const uint32_t kept = keep_answered(&a, &our_sum, &their_sum);
    const figures ours = figures_of(a.ours_ns, kept);
    const figures theirs = figures_of(a.theirs_ns, kept);
    const verdict v = {theirs.p50 / ours.p50, theirs.p99 / ours.p99, our_sum / their_sum};
    print_row(w, q->word, kept, ours, theirs, v.length);
    free(a.ours_ns);
    *ours_out = ours;
    *theirs_out = theirs;
    return v;
}

static void bench_fast(const query_world *w, verdict *plain, verdict *weighted)
{
    const nav_filter filter = query_filter();
    const question questions[] = {
        {.word = "fast", .search = NAV_SEARCH_FAST, .theirs = true},
        {.word = "fast, costs", .search = NAV_SEARCH_FAST, .filter = &filter, .theirs = true},
        {.word = "auto, costs", .search = NAV_SEARCH_AUTO, .filter = &filter, .theirs = true},
    };
    figures ours, theirs;
    *plain = beside_detour(w, &questions[0], &ours, &theirs);
    if (strncmp(w->name, "city", 4) == 0 && bench.growth_count < GROWTH_MAX) {
        bench.growth[bench.growth_count++] =
            (struct growth){w->polygons, ours.p50, ours.p99, theirs.p50};
    }
    *weighted = beside_detour(w, &questions[1], &ours, &theirs);
    beside_detour(w, &questions[2], &ours, &theirs);
}

static void bench_exact(const query_world *w)
{
    const question q = {.word = "exact", .search = NAV_SEARCH_EXACT, .theirs = true};
    figures ours, theirs;
    const verdict v = beside_detour(w, &q, &ours, &theirs);
    expect(1.0 / v.p50 <= 0.7, w->name, "exact, median, share of Detour's time", 1.0 / v.p50, 0.7);
    expect(1.0 / v.p99 <= 1.5, w->name, "exact, 99th percentile, share of Detour's time",
           1.0 / v.p99, 1.5);
    expect(v.length <= 1.0, w->name, "exact, total plan length", v.length, 1.0);
}

static double bench_unreachable(const query_world *w)
{
    const question q = {.word = "unreachable", .no_partial = true, .theirs = true};
    answers a = ask(w, w->parted, w->parted_count, &q);
    for (uint32_t i = 0; i < a.count; ++i) {
        NAV_ASSERT(isnan(a.ours_cost[i]));
    }
    const figures ours = figures_of(a.ours_ns, a.count);
    const figures theirs = figures_of(a.theirs_ns, a.count);
    if (a.count > 0) {
        print_row(w, q.word, a.count, ours, theirs, 0.0);
    }
    free(a.ours_ns);
    return ours.p99;
}

// ---- many targets ----

#define TARGETS 32

// The costs from pair i's start to the ends of the pairs that follow, beside one path; of each the
// least time of all rounds, summed over all pairs. Returns how many paths the 32 targets take.
static double bench_matrix(const query_world *w)
{
    const question q = {.search = NAV_SEARCH_AUTO};
    nav_scratch *scratch = NULL;
    double paths_ns = 0.0, matrices_ns = 0.0;
    NAV_ASSERT(nav_scratch_create(NULL, &scratch) == NAV_OK);
    for (uint32_t i = 0; i < w->pair_count; ++i) {
        float targets[TARGETS][3];
        double costs[TARGETS], path_ns = HUGE_VAL, matrix_ns = HUGE_VAL;
        for (uint32_t k = 0; k < TARGETS; ++k) {
            memcpy(targets[k], w->pairs[(i + k) % w->pair_count].end, sizeof targets[k]);
        }
        const nav_path_request one = request_for(&w->pairs[i], &q);
        const nav_matrix_request many = {.sources = (const float(*)[3])w->pairs[i].start,
                                         .targets = (const float(*)[3])targets,
                                         .source_count = 1,
                                         .target_count = TARGETS,
                                         .options = one.options};
        nav_matrix matrix = {.costs = costs};
        nav_path path;
        for (int round = 0; round < bench.rounds; ++round) {
            const double begin = figures_now_ns();
            NAV_ASSERT(nav_query_path(w->ours, scratch, &one, &path) == NAV_OK);
            const double middle = figures_now_ns();
            NAV_ASSERT(nav_query_matrix(w->ours, scratch, &many, &matrix) == NAV_OK);
            path_ns = fmin(path_ns, middle - begin);
            matrix_ns = fmin(matrix_ns, figures_now_ns() - middle);
        }
        NAV_ASSERT(fabs(costs[0] - path.cost) <= 1e-3 * path.cost + 1e-3);
        paths_ns += path_ns;
        matrices_ns += matrix_ns;
    }
    nav_scratch_destroy(scratch);
    const double times = matrices_ns / paths_ns;
    printf("%-14s %7u 32 targets from one source: mean %.2f us, one path %.2f\n", w->name,
           w->polygons, matrices_ns / 1e3 / w->pair_count, paths_ns / 1e3 / w->pair_count);
    fprintf(bench.csv, "%s,%u,32 targets,%u,%.3f,%.3f,,,\n", w->name, w->polygons, w->pair_count,
            matrices_ns / 1e3 / w->pair_count, paths_ns / 1e3 / w->pair_count);
    return times;
}

// ---- places ----

// A question about a place and one near it: the mean of all pairs takes this long.
typedef void (*ask_place)(const query_world *w, nav_scratch *scratch, const float at[3],
                          const float near[3]);

static void ask_nearest_on(const query_world *w, nav_scratch *scratch, const float at[3],
                           const float near[3])
{
    (void)scratch;
    (void)near;
    nav_location location;
    (void)nav_query_nearest(w->ours, at, nav_snap_default(), NAV_NONE, &location, 1);
}

static void ask_nearest_beside(const query_world *w, nav_scratch *scratch, const float at[3],
                               const float near[3])
{
    (void)scratch;
    (void)at;
    nav_location location;
    (void)nav_query_nearest(w->ours, near, nav_snap_default(), NAV_NONE, &location, 1);
}

static void ask_move(const query_world *w, nav_scratch *scratch, const float at[3],
                     const float near[3])
{
    const nav_options options = nav_options_default();
    nav_move move;
    NAV_ASSERT(nav_query_move(w->ours, scratch, at, near, &options, &move) == NAV_OK);
}

// Points near those of the pairs: less than 1 m away in plan view, and as much above or below.
static void point_near(const float at[3], uint32_t i, float out[3])
{
    const float off[3] = {(float)(i * 7 % 19) / 10.0f - 0.9f, (float)(i * 5 % 11) / 10.0f - 0.5f,
                          (float)(i * 3 % 17) / 10.0f - 0.8f};
    for (int axis = 0; axis < 3; ++axis) {
        out[axis] = at[axis] + off[axis];
    }
}

static void bench_place(const query_world *w, const char *word, ask_place ask_one)
{
    nav_scratch *scratch = NULL;
    double least_ns = HUGE_VAL;
    NAV_ASSERT(nav_scratch_create(NULL, &scratch) == NAV_OK);
    for (int round = 0; round < PLACE_ROUNDS * bench.rounds; ++round) {
        const double begin = figures_now_ns();
        for (uint32_t i = 0; i < w->pair_count; ++i) {
            float near[3];
            point_near(w->pairs[i].start, i, near);
            ask_one(w, scratch, w->pairs[i].start, near);
        }
        least_ns = fmin(least_ns, figures_now_ns() - begin);
    }
    nav_scratch_destroy(scratch);
    printf("%-14s %7u %-15s mean %.3f us\n", w->name, w->polygons, word,
           least_ns / 1e3 / w->pair_count);
    fprintf(bench.csv, "%s,%u,%s,%u,%.4f,,,,\n", w->name, w->polygons, word, w->pair_count,
            least_ns / 1e3 / w->pair_count);
}

static void bench_places(const query_world *w)
{
    bench_place(w, "nearest", ask_nearest_on);
    bench_place(w, "nearest, beside", ask_nearest_beside);
    bench_place(w, "move", ask_move);
}

// ---- two threads ----

// Each thread makes its scratch and asks every question once, then all wait for each other: what is
// timed is questions alone. A thread of several asks every question in turn, as a thread alone
// does, but the passes are shared among them.
typedef struct crew {
    const query_world *world;
    pthread_barrier_t *gate;
    uint32_t passes;
    double begin_ns, end_ns;
} crew;

static void ask_all(const query_world *w, nav_scratch *scratch)
{
    const question q = {.search = NAV_SEARCH_FAST};
    for (uint32_t i = 0; i < w->pair_count; ++i) {
        const nav_path_request request = request_for(&w->pairs[i], &q);
        nav_path path;
        NAV_ASSERT(nav_query_path(w->ours, scratch, &request, &path) == NAV_OK);
    }
}

static void *work(void *user)
{
    crew *c = user;
    nav_scratch *scratch = NULL;
    NAV_ASSERT(nav_scratch_create(NULL, &scratch) == NAV_OK);
    ask_all(c->world, scratch);
    (void)pthread_barrier_wait(c->gate);
    c->begin_ns = figures_now_ns();
    for (uint32_t i = 0; i < c->passes; ++i) {
        ask_all(c->world, scratch);
    }
    c->end_ns = figures_now_ns();
    nav_scratch_destroy(scratch);
    return NULL;
}

// From the first that begins to the last that ends.
static double wall_ns(const query_world *w, uint32_t passes, uint32_t thread_count)
{
    pthread_t threads[2];
    crew crews[2];
    pthread_barrier_t gate;
    NAV_ASSERT(pthread_barrier_init(&gate, NULL, thread_count) == 0);
    for (uint32_t i = 0; i < thread_count; ++i) {
        crews[i] = (crew){.world = w, .gate = &gate, .passes = passes / thread_count};
        NAV_ASSERT(pthread_create(&threads[i], NULL, work, &crews[i]) == 0);
    }
    double begin = HUGE_VAL, end = 0.0;
    for (uint32_t i = 0; i < thread_count; ++i) {
        pthread_join(threads[i], NULL);
        begin = fmin(begin, crews[i].begin_ns);
        end = fmax(end, crews[i].end_ns);
    }
    pthread_barrier_destroy(&gate);
    return end - begin;
}

static double bench_threads(const query_world *w)
{
    const uint32_t passes = 2 * (uint32_t)ceil(THREADS_NS_MIN / 2 / wall_ns(w, 1, 1));
    double one = HUGE_VAL, two = HUGE_VAL;
    for (int round = 0; round < THREADS_ROUNDS; ++round) {
        one = fmin(one, wall_ns(w, passes, 1));
        two = fmin(two, wall_ns(w, passes, 2));
    }
    const double paths = (double)passes * w->pair_count;
    printf("%-14s %7u two threads: %.0f paths a ms, one %.0f\n", w->name, w->polygons,
           paths / (two / 1e6), paths / (one / 1e6));
    fprintf(bench.csv, "%s,%u,threads,%u,%.3f,%.3f,,,\n", w->name, w->polygons, w->pair_count, one,
            two);
    return one / two;
}

// ---- levels ----

static void bench_level(const char *name, const nav_geometry *geometry)
{
    if (bench.only != NULL && strstr(name, bench.only) == NULL) {
        return;
    }
    if (strncmp(name, "dungeon-", 8) == 0 || strcmp(name, "city-6-1") == 0) {
        bench.broken +=
            query_doors_bench(name, geometry, bench.pairs < DOOR_PAIRS ? bench.pairs : DOOR_PAIRS,
                              bench.rounds, bench.csv);
    }
    if (bench.doors) {
        return;
    }
    query_world w;
    verdict plain, weighted;
    query_world_make(&w, name, geometry, bench.pairs);
    query_avoid_bench(&w, bench.pairs < AVOID_PAIRS ? bench.pairs : AVOID_PAIRS, bench.rounds,
                      bench.csv);
    if (bench.avoid) {
        query_world_free(&w);
        return;
    }
    bench_places(&w);
    bench_fast(&w, &plain, &weighted);
    bench_exact(&w);
    const double unreachable = bench_unreachable(&w);
    const double threads = bench_threads(&w);
    const double many = bench_matrix(&w);
    expect(plain.p50 >= 3.0, name, "fast, median, times as fast", plain.p50, 3.0);
    expect(plain.p99 >= 2.5, name, "fast, 99th percentile, times as fast", plain.p99, 2.5);
    expect(plain.length <= 1.0, name, "fast, total plan length", plain.length, 1.0);
    expect(weighted.p50 >= 2.0, name, "fast with costs, median, times as fast", weighted.p50, 2.0);
    expect(weighted.length <= 1.0, name, "fast with costs, total cost", weighted.length, 1.0);
    expect(unreachable <= 2.0, name, "unreachable, 99th percentile, us", unreachable, 2.0);
    expect(many <= 4.0, name, "32 targets from one source, times one path", many, 4.0);
    expect(threads >= 1.9, name, "two threads, times one", threads, 1.9);
    query_world_free(&w);
}

static void print_growth(void)
{
    for (uint32_t i = 0; i < bench.growth_count; ++i) {
        const struct growth *g = &bench.growth[i], *first = &bench.growth[0];
        printf("city of %6u polygons: %.1f times the first; p50 %.1f times, p99 %.1f times; "
               "Detour's p50 %.1f times\n",
               g->polygons, (double)g->polygons / first->polygons, g->p50_us / first->p50_us,
               g->p99_us / first->p99_us, g->their_p50_us / first->their_p50_us);
    }
}

static bool read_options(int argc, char **argv, const char **csv_path)
{
    for (int i = 1; i < argc; ++i) {
        if (strcmp(argv[i], "--quick") == 0) {
            bench.quick = true;
        } else if (strcmp(argv[i], "--avoid") == 0) {
            bench.avoid = true;
        } else if (strcmp(argv[i], "--doors") == 0) {
            bench.doors = true;
        } else if (i + 1 == argc) {
            return false;
        } else if (strcmp(argv[i], "--rounds") == 0) {
            bench.rounds = atoi(argv[++i]);
        } else if (strcmp(argv[i], "--pairs") == 0) {
            bench.pairs = (uint32_t)atoi(argv[++i]);
        } else if (strcmp(argv[i], "--csv") == 0) {
            *csv_path = argv[++i];
        } else if (strcmp(argv[i], "--only") == 0) {
            bench.only = argv[++i];
        } else {
            return false;
        }
    }
    return bench.rounds > 0 && bench.pairs > 0 && bench.pairs <= 1000000;
}

static void bench_generated(level_kind kind, uint32_t size)
{
    char name[64];
    snprintf(name, sizeof name, "%s-%u", levels_kind_word(kind), size);
    if (bench.only == NULL || strstr(name, bench.only) != NULL) {
        corpus_generated(kind, size, 1, bench_level);
    }
}

int main(int argc, char **argv)
{
    const char *csv_path = "/dev/null";
    if (!read_options(argc, argv, &csv_path)) {
        fprintf(stderr, "bench_query [--rounds N] [--pairs N] [--csv FILE] [--quick] "
                        "[--only LEVEL] [--avoid] [--doors]\n");
        return 2;
    }
    bench.csv = fopen(csv_path, "w");
    if (bench.csv == NULL) {
        perror(csv_path);
        return 1;
    }
    fprintf(bench.csv, "level,polygons,row,pairs,ours_p50_us,theirs_p50_us,ours_p99_us,"
                       "theirs_p99_us,length_ratio\n");
    printf("%-14s %7s %-12s %6s %9s %9s %9s %9s %6s %6s %8s\n", "level", "polygons", "", "pairs",
           "p50 us", "theirs", "p99 us", "theirs", "p50 x", "p99 x", "length");
    corpus_files(bench_level);
    bench_generated(LEVEL_TOWN, 4);
    bench_generated(LEVEL_DUNGEON, 4);
    // About 3,000, 27,000 and 100,000 polygons.
    bench_generated(LEVEL_CITY, 6);
    if (!bench.quick) {
        bench_generated(LEVEL_CITY, 17);
        bench_generated(LEVEL_CITY, 33);
    }
    print_growth();
    printf("%u goals not reached\n", bench.broken);
    fclose(bench.csv);
    return corpus_failures == 0 ? 0 : 1;
}
