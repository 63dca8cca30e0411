// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// soak.c: hours of questions, bakes, switches and deletes, and of instances (soak_worlds.c). Each
// answer is held against the one that the version it names has to give; in the end memory has not
// grown and no descriptor is left open.
//
//   client   questions to the live version, one after the other
//   changer  uploads that go live, switches back, deletes
//   main     looks every few seconds at what the daemon says of itself
//
//   soak DAEMON [--seconds S] [--seed S] [--pause-ms P]

#include "tests/faults/soak.h"

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CLIENTS 2
#define KEPT 10 // versions; the changer deletes what is more
#define SAMPLES_MAX (1u << 16)
#define PATH_BYTES 128
#define GROWTH_MB_PER_HOUR 1.0
#define FILES_SPREAD 4 // a connection that comes while another has not quite gone
#define FAULTS_TOLD_MAX 20

typedef struct sample {
    double hours, resident_mb;
    uint32_t files;
} sample;

soak_run SOAK;

static struct {
    char folder[64], db[PATH_BYTES], log[PATH_BYTES], listen[PATH_BYTES + 8];
    char *expected[SOAK_LEVELS][SOAK_QUESTIONS]; // the answer behind its version
    _Atomic uint64_t answers, uploads, switches, deletes, wrong;
    sample samples[SAMPLES_MAX];
    uint32_t sample_count;
} RUN;

void soak_wrong(const char *what, const char *text)
{
    if (atomic_fetch_add(&RUN.wrong, 1) < FAULTS_TOLD_MAX) {
        (void)printf("wrong: %s: %.300s\n", what, text);
        (void)fflush(stdout);
    }
}

static double now_s(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

uint64_t soak_number_after(const char *text, const char *name)
{
    const char *found = strstr(text, name);
    return found != NULL ? strtoull(found + strlen(name), NULL, 10) : 0;
}

const char *soak_answer_of(const char *body)
{
    const char *found = strstr(body, "\"status\":");
    return found != NULL ? found : body;
}

// ---- the threads ----

static void *ask_on(void *user)
{
    uint64_t seed = SOAK.seed + (uint64_t)(uintptr_t)user;
    client c;
    client_init(&c, SOAK.socket);
    while (!atomic_load(&SOAK.over)) {
        char path[160];
        const uint32_t question = random_below(&seed, SOAK_QUESTIONS);
        (void)snprintf(path, sizeof path, "/v1/meshes/soak/path?%s", SOAK.questions[question]);
        const int status = client_ask(&c, "GET", path, NULL, NULL, 0);
        const uint64_t version = status == 200 ? soak_number_after(c.body, "\"version\":") : 0;
        if (status != 200 || version == 0 || version >= SOAK_VERSIONS_MAX) {
            soak_wrong(path, status != 0 ? c.body : "no answer");
        } else if (strcmp(soak_answer_of(c.body),
                          RUN.expected[atomic_load(&SOAK.level[version])][question]) != 0) {
            soak_wrong(path, c.body);
        }
        (void)atomic_fetch_add(&RUN.answers, 1);
        nap_us(SOAK.pause_ms * 100);
    }
    client_free(&c);
    return NULL;
}

typedef struct changer {
    client client;
    uint32_t versions[KEPT + 1], count, active, next;
    uint64_t seed;
} changer;

// A level with the settings, as a form.
static int upload_level(client *c, const char *path, uint32_t number)
{
    char level[WALL_LEVEL_BYTES_MAX], form[WALL_LEVEL_BYTES_MAX + 768];
    (void)wall_level(number, level);
    const int size = snprintf(
        form, sizeof form,
        "--soak\r\nContent-Disposition: form-data; name=\"geometry\"; filename=\"a.obj\"\r\n\r\n"
        "%s\r\n--soak\r\nContent-Disposition: form-data; name=\"config\"\r\n\r\n%s\r\n--soak--\r\n",
        level, SOAK_SETTINGS);
    return client_ask(c, "POST", path, "multipart/form-data; boundary=soak", form, (size_t)size);
}

static void upload(changer *c)
{
    char path[160];
    const uint32_t number = random_below(&c->seed, SOAK_LEVELS);
    atomic_store(&SOAK.level[c->next], (uint8_t)number);
    (void)snprintf(path, sizeof path, "/v1/meshes/soak/versions?wait=1%s",
                   random_below(&c->seed, 2) == 0 ? "&reuse=0" : "");
    const int status = upload_level(&c->client, path, number);
    const uint32_t version = (uint32_t)soak_number_after(c->client.body, "\"version\":");
    if (status != 200 && status != 201) {
        soak_wrong(path, status != 0 ? c->client.body : "no answer");
        return;
    }
    if (version == c->next) {
        c->versions[c->count++] = version;
        c->next++;
    } else if (atomic_load(&SOAK.level[version]) != number) {
        soak_wrong("an upload is said to be another's equal", c->client.body);
    }
    c->active = version;
    (void)atomic_fetch_add(&RUN.uploads, 1);
}

static void switch_to(changer *c, uint32_t version)
{
    char json[64];
    (void)snprintf(json, sizeof json, "{\"version\":%u}", version);
    if (client_ask(&c->client, "PUT", "/v1/meshes/soak/active", "application/json", json,
                   strlen(json)) != 200) {
        soak_wrong("a switch", c->client.body);
    }
    c->active = version;
    (void)atomic_fetch_add(&RUN.switches, 1);
}

static void delete_one(changer *c)
{
    char path[96];
    uint32_t i = random_below(&c->seed, c->count);
    i = c->versions[i] == c->active ? (i + 1) % c->count : i;
    (void)snprintf(path, sizeof path, "/v1/meshes/soak/versions/%u", c->versions[i]);
    if (client_ask(&c->client, "DELETE", path, NULL, NULL, 0) != 204) {
        soak_wrong(path, c->client.body);
    }
    c->versions[i] = c->versions[--c->count];
    (void)atomic_fetch_add(&RUN.deletes, 1);
}

static void *change_on(void *user)
{
    changer *c = user;
    while (!atomic_load(&SOAK.over) && c->next + 1 < SOAK_VERSIONS_MAX) {
        if (c->count > KEPT - 1) {
            delete_one(c);
        } else if (random_below(&c->seed, 3) == 0) {
            switch_to(c, c->versions[random_below(&c->seed, c->count)]);
        } else {
            upload(c);
        }
        nap_us(SOAK.pause_ms * 1000);
    }
    return NULL;
}

// ---- begin and end ----

static void learn(client *c)
{
    uint64_t seed = SOAK.seed;
    for (size_t i = 0; i < SOAK_QUESTIONS; i++) {
        (void)snprintf(SOAK.questions[i], sizeof SOAK.questions[i], "start=%u,0,%u&end=%u,0,%u",
                       random_below(&seed, 38) + 1, random_below(&seed, 38) + 1,
                       random_below(&seed, 38) + 1, random_below(&seed, 38) + 1);
    }
    for (uint32_t level = 0; level < SOAK_LEVELS; level++) {
        char path[192];
        if (upload_level(c, "/v1/meshes/reference/versions?wait=1", level) != 201) {
            (void)printf("a level is not baked: %.300s\n", c->body);
            exit(1);
        }
        for (size_t i = 0; i < SOAK_QUESTIONS; i++) {
            (void)snprintf(path, sizeof path, "/v1/meshes/reference/path?version=%u&%s", level + 1,
                           SOAK.questions[i]);
            if (client_ask(c, "GET", path, NULL, NULL, 0) != 200) {
                (void)printf("no answer: %.300s\n", c->body);
                exit(1);
            }
            RUN.expected[level][i] = strdup(soak_answer_of(c->body));
        }
    }
}

static void take_sample(client *c, double begin)
{
    if (client_ask(c, "GET", "/v1/status", NULL, NULL, 0) != 200 ||
        RUN.sample_count == SAMPLES_MAX) {
        soak_wrong("status", c->body);
        return;
    }
    RUN.samples[RUN.sample_count++] =
        (sample){.hours = (now_s() - begin) / 3600,
                 .resident_mb = (double)soak_number_after(c->body, "\"resident_bytes\":") / 1e6,
                 .files = (uint32_t)soak_number_after(c->body, "\"files\":{\"open\":")};
    if (RUN.sample_count % 60 == 1) {
        const sample *s = &RUN.samples[RUN.sample_count - 1];
        (void)printf("%6.0f s: %.2f MB resident, %u files, %llu answers\n", s->hours * 3600,
                     s->resident_mb, s->files, (unsigned long long)atomic_load(&RUN.answers));
        (void)fflush(stdout);
    }
}

// The slope of memory in MB an hour after warming up, by least squares, and its standard error.
static double slope(const sample *s, uint32_t count, double *error)
{
    double x = 0, y = 0, xx = 0, xy = 0, rest = 0;
    for (uint32_t i = 0; i < count; i++) {
        x += s[i].hours / count;
        y += s[i].resident_mb / count;
    }
    for (uint32_t i = 0; i < count; i++) {
        xx += (s[i].hours - x) * (s[i].hours - x);
        xy += (s[i].hours - x) * (s[i].resident_mb - y);
    }
    const double rise = xx > 0 ? xy / xx : 0;
    for (uint32_t i = 0; i < count; i++) {
        const double off = s[i].resident_mb - y - rise * (s[i].hours - x);
        rest += off * off;
    }
    *error = xx > 0 && count > 2 ? sqrt(rest / (count - 2) / xx) : 0;
    return rise;
}

static uint32_t judge(double warm_hours)
{
    uint32_t first = 0, failed = 0, least = UINT32_MAX, most = 0;
    while (first < RUN.sample_count && RUN.samples[first].hours < warm_hours) {
        first++;
    }
    for (uint32_t i = first; i < RUN.sample_count; i++) {
        least = RUN.samples[i].files < least ? RUN.samples[i].files : least;
        most = RUN.samples[i].files > most ? RUN.samples[i].files : most;
    }
    soak_worlds_report();
    double error;
    const double rise = slope(RUN.samples + first, RUN.sample_count - first, &error);
    (void)printf("%llu answers, %llu uploads, %llu switches, %llu deletes; %llu wrong\n",
                 (unsigned long long)atomic_load(&RUN.answers),
                 (unsigned long long)atomic_load(&RUN.uploads),
                 (unsigned long long)atomic_load(&RUN.switches),
                 (unsigned long long)atomic_load(&RUN.deletes),
                 (unsigned long long)atomic_load(&RUN.wrong));
    (void)printf("after %.0f s of warming up: memory %+.2f MB an hour (standard error %.2f), from "
                 "%.2f to %.2f MB; %u to %u files\n",
                 warm_hours * 3600, rise, error, RUN.samples[first].resident_mb,
                 RUN.samples[RUN.sample_count - 1].resident_mb, least, most);
    failed += atomic_load(&RUN.wrong) > 0;
    failed += rise - 2 * error > GROWTH_MB_PER_HOUR; // what chance may be is not held against it
    failed += most - least > FILES_SPREAD;
    return failed;
}

static void begin(uint64_t seed, uint32_t pause_ms)
{
    SOAK.seed = seed;
    SOAK.pause_ms = pause_ms;
    (void)snprintf(RUN.folder, sizeof RUN.folder, "/tmp/navmeshd-soak-XXXXXX");
    if (mkdtemp(RUN.folder) == NULL) {
        perror(RUN.folder);
        exit(1);
    }
    (void)snprintf(RUN.db, PATH_BYTES, "%s/soak.db", RUN.folder);
    (void)snprintf(SOAK.socket, sizeof SOAK.socket, "%s/socket", RUN.folder);
    (void)snprintf(RUN.listen, sizeof RUN.listen, "unix:%s", SOAK.socket);
    (void)snprintf(RUN.log, PATH_BYTES, "%s/log", RUN.folder);
}

static uint32_t soak(client *own, double seconds)
{
    static changer c;
    pthread_t clients[CLIENTS], changing;
    c.next = 1;
    c.seed = SOAK.seed;
    client_init(&c.client, SOAK.socket);
    learn(own);
    soak_worlds_learn(own);
    upload(&c);
    const double begin = now_s(), warm = seconds / 4 < 600 ? seconds / 4 : 600;
    const double every = seconds / 400 < 1 ? 1 : seconds / 400 < 5 ? seconds / 400 : 5;
    for (uintptr_t i = 0; i < CLIENTS; i++) {
        (void)pthread_create(&clients[i], NULL, ask_on, (void *)i);
    }
    (void)pthread_create(&changing, NULL, change_on, &c);
    soak_worlds_begin();
    while (now_s() - begin < seconds) {
        take_sample(own, begin);
        nap_us((uint32_t)(every * 1e6));
    }
    atomic_store(&SOAK.over, true);
    for (size_t i = 0; i < CLIENTS; i++) {
        (void)pthread_join(clients[i], NULL);
    }
    (void)pthread_join(changing, NULL);
    soak_worlds_end();
    client_free(&c.client);
    return judge(warm / 3600);
}

int main(int argc, char **argv)
{
    double seconds = 7200;
    uint64_t seed = 1;
    uint32_t pause_ms = 20;
    for (int i = 2; i + 1 < argc; i += 2) {
        const char *value = argv[i + 1];
        seconds = strcmp(argv[i], "--seconds") == 0 ? strtod(value, NULL) : seconds;
        seed = strcmp(argv[i], "--seed") == 0 ? strtoull(value, NULL, 10) : seed;
        pause_ms =
            strcmp(argv[i], "--pause-ms") == 0 ? (uint32_t)strtoul(value, NULL, 10) : pause_ms;
    }
    if (argc < 2 || seconds < 10) {
        (void)fputs("usage: soak DAEMON [--seconds S] [--seed S] [--pause-ms P]\n", stderr);
        return 2;
    }
    (void)signal(SIGPIPE, SIG_IGN);
    begin(seed, pause_ms);
    const char *const daemon[] = {argv[1], "--listen", RUN.listen, "--db", RUN.db, NULL};
    client c;
    client_init(&c, SOAK.socket);
    const pid_t pid = daemon_start(daemon, RUN.log);
    if (!daemon_wait_ready(&c, pid, 60)) {
        (void)printf("the daemon does not start; its log is %s\n", RUN.log);
        return 1;
    }
    const uint32_t failed = soak(&c, seconds);
    int status = 0;
    (void)kill(pid, SIGTERM);
    (void)waitpid(pid, &status, 0);
    client_free(&c);
    const uint32_t all = failed + (status != 0);
    if (all == 0) {
        (void)remove(RUN.db);
        (void)remove(RUN.log);
        (void)remove(RUN.folder);
    }
    (void)printf("seed %llu, %.0f s\n%u passed, %u failed\n", (unsigned long long)seed, seconds,
                 4 - all, all);
    return all == 0 ? 0 : 1;
}
