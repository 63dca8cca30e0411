// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// kill.c: `kill -9` at random moments under a mixed load, again and again, each time with a
// comparison. One client has a mesh to itself and does one thing after the other, so that it knows
// to the last byte how its mesh must be: as it was acknowledged, with or without the one change
// that was on the way when the daemon died.
//
//   client    uploads, with and without waiting, deletes, switches, new checks
//   path      asks the same question; each answer has the same bytes
//   command   of each cycle: a backup, or `navmeshd bake` into the same database, which waits for
//             the lock or gets it when the daemon dies; half of them are killed as well
//
//   kill DAEMON [--kills N] [--seed S] [--patience P]

#include "tests/faults/kill.h"

#include <cjson/cJSON.h>
#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define QUESTION "/v1/meshes/reference/path?start=1,0,1&end=38,0,38&version=1"
#define UPLOAD_SETTINGS "tile_cells=64&activate=0"

static double now_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

// ---- the clients ----

static void drop(model *m, uint32_t version)
{
    known *k = kill_find(m, version);
    if (k != NULL) {
        *k = m->versions[--m->count];
    }
}

// One that is ready, and with idle none that is live; NULL: none was hit upon.
static known *pick_ready(model *m, bool idle)
{
    known *k = m->count > 0 ? &m->versions[random_below(&m->seed, (uint32_t)m->count)] : NULL;
    return k != NULL && k->ready && !(idle && k->version == m->active) ? k : NULL;
}

static int upload(model *m)
{
    char path[160], level[WALL_LEVEL_BYTES_MAX];
    const bool wait = random_below(&m->seed, 2) == 0;
    m->pending = (change){.kind = CHANGE_UPLOAD, .level = random_below(&m->seed, LEVELS)};
    (void)snprintf(path, sizeof path, "/v1/meshes/%s/versions?" UPLOAD_SETTINGS "%s%s", m->name,
                   random_below(&m->seed, 3) > 0 ? "&reuse=0" : "", wait ? "&wait=1" : "");
    const int status = client_ask(&m->client, "POST", path, "model/obj", level,
                                  wall_level(m->pending.level, level));
    if (status / 100 != 2) {
        return status;
    }
    cJSON *json = cJSON_Parse(m->client.body);
    const uint32_t version = kill_number_at(json, "version");
    known *k = kill_find(m, version);
    if (k == NULL) {
        if (version != m->highest + 1) {
            kill_fault(m->name, "an upload has got the number", version);
        }
        kill_add(m, version, m->pending.level);
        k = kill_find(m, version);
    }
    k->ready = k->ready || strcmp(kill_text_at(json, NULL, "state"), "ready") == 0;
    if (k->level != m->pending.level) {
        kill_fault(m->name, "an upload is said to be another's equal:", version);
    }
    cJSON_Delete(json);
    return status;
}

static int remove_version(model *m, uint32_t version)
{
    char path[96];
    m->pending = (change){.kind = CHANGE_DELETE, .version = version};
    (void)snprintf(path, sizeof path, "/v1/meshes/%s/versions/%u", m->name, version);
    const int status = client_ask(&m->client, "DELETE", path, NULL, NULL, 0);
    if (status / 100 == 2) {
        drop(m, version);
    }
    return status;
}

static int put(model *m, const char *what, const char *json)
{
    char path[96];
    (void)snprintf(path, sizeof path, "/v1/meshes/%s/%s", m->name, what);
    return client_ask(&m->client, "PUT", path, "application/json", json, strlen(json));
}

static int switch_to(model *m, uint32_t version)
{
    char json[64];
    m->pending = (change){.kind = CHANGE_SWITCH, .version = version};
    (void)snprintf(json, sizeof json, "{\"version\":%u}", version);
    const int status = put(m, "active", json);
    if (status / 100 == 2) {
        m->active = version;
    }
    return status;
}

static int put_checks(model *m)
{
    char json[128];
    m->pending = (change){.kind = CHANGE_CHECKS, .tag = random_below(&m->seed, 1000000) + 1};
    (void)snprintf(json, sizeof json, "{\"checks\":[{\"name\":\"%u\",\"min_walkable_area\":1}]}",
                   m->pending.tag);
    const int status = put(m, "checks", json);
    if (status / 100 == 2) {
        m->tag = m->pending.tag;
    }
    return status;
}

static int change_once(model *m)
{
    const uint32_t dice = random_below(&m->seed, 10);
    known *idle = pick_ready(m, true), *ready = pick_ready(m, false);
    if (idle != NULL && (dice < 2 || m->count > MANY)) {
        return remove_version(m, idle->version);
    }
    if (ready != NULL && dice < 4) {
        return switch_to(m, ready->version);
    }
    return dice == 4 || m->count >= VERSIONS_MAX - 1 ? put_checks(m) : upload(m);
}

static void *change_on(void *user)
{
    model *m = user;
    int status;
    while ((status = change_once(m)) != 0) {
        if (status / 100 == 2) {
            (void)atomic_fetch_add(&RUN.acknowledged, 1);
        } else if (status != 429) { // the queue is full: nothing has changed
            kill_fault(m->name, "a change was answered", (uint32_t)status);
        }
        m->pending = (change){0};
    }
    return NULL;
}

static void *ask_on(void *user)
{
    client *c = user;
    int status;
    while ((status = client_ask(c, "GET", QUESTION, NULL, NULL, 0)) != 0) {
        if (status != 200 || strcmp(c->body, RUN.answer) != 0) {
            kill_fault("reference", "another answer, status", (uint32_t)status);
        }
        (void)atomic_fetch_add(&RUN.answers, 1);
        nap_us(1000);
    }
    return NULL;
}

// ---- commands beside the daemon ----

typedef struct command {
    pid_t pid;
    bool backup;
} command;

static command begin_command(uint64_t *seed)
{
    static char mesh[PATH_BYTES + 8];
    model *m = &RUN.meshes[BAKED];
    const char *const backup[] = {RUN.daemon, "backup", "--db", RUN.db, RUN.copy, NULL};
    const char *const bake[] = {RUN.daemon, "bake",          "--db",       RUN.db,    "--mesh",
                                mesh,       "tile_cells=64", "activate=0", "reuse=0", NULL};
    const bool copies = random_below(seed, 2) == 0;
    if (!copies) {
        m->pending = (change){.kind = CHANGE_UPLOAD, .level = random_below(seed, LEVELS)};
        (void)snprintf(mesh, sizeof mesh, "%s=%s", m->name, RUN.levels[m->pending.level].file);
    }
    return (command){.pid = daemon_start(copies ? backup : bake, RUN.log), .backup = copies};
}

static int run_verify(const char *db)
{
    const char *const verify[] = {RUN.daemon, "verify", "--db", db, NULL};
    int status = 0;
    (void)waitpid(daemon_start(verify, RUN.log), &status, 0);
    return status;
}

// verify opens the copy as a database and leaves its log beside it.
static void remove_copy(void)
{
    static const char *const suffixes[] = {"", "-wal", "-shm"};
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        char name[PATH_BYTES + 16];
        (void)snprintf(name, sizeof name, "%s%s", RUN.copy, suffixes[i]);
        (void)unlink(name);
    }
}

// How many copies, begun and not ended, killed backups have left beside their copy.
static uint32_t count_leftovers(void)
{
    static const char begun[] = ".navmeshd-backup-";
    uint32_t count = 0;
    DIR *folder = opendir(RUN.folder);
    const struct dirent *entry;
    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        count += strncmp(entry->d_name, begun, sizeof begun - 1) == 0;
    }
    if (folder != NULL) {
        (void)closedir(folder);
    }
    return count;
}

// A backup that is not killed clears away what those before it have left. It takes luck to kill one
// amid its copy, so that one leftover is made here.
static void back_up_once_more(void)
{
    const char *const backup[] = {RUN.daemon, "backup", "--db", RUN.db, RUN.copy, NULL};
    char begun[PATH_BYTES + 32];
    int status = 0;
    RUN.leftovers = count_leftovers();
    (void)snprintf(begun, sizeof begun, "%s/.navmeshd-backup-killed", RUN.folder);
    FILE *file = fopen(begun, "w");
    if (file == NULL || fclose(file) != 0) {
        perror(begun);
        exit(1);
    }
    (void)waitpid(daemon_start(backup, RUN.log), &status, 0);
    if (status != 0 || run_verify(RUN.copy) != 0) {
        kill_fault("of the copy", "the last backup, or its verify, ended with", (uint32_t)status);
    }
    remove_copy();
    if (count_leftovers() > 0) {
        kill_fault("of the copy", "copies of killed backups are left:", count_leftovers());
    }
}

static void end_command(const command *c, bool killed)
{
    int status = 0;
    if (killed) {
        (void)kill(c->pid, SIGKILL);
    }
    (void)waitpid(c->pid, &status, 0);
    if (c->backup && status == 0) {
        RUN.backups++;
        if (run_verify(RUN.copy) != 0) {
            kill_fault("of the copy", "verify finds faults in a finished backup", RUN.backups);
        }
    }
    remove_copy();
    if (!c->backup) {
        RUN.meshes[BAKED].pending.must = status == 0;
        RUN.bakes += status == 0;
        RUN.refused += WIFEXITED(status) && status != 0;
    }
}

// ---- a life of the daemon ----

static pid_t start(void)
{
    const char *const argv[] = {RUN.daemon, "--listen", RUN.listen, "--db", RUN.db, NULL};
    const double begin = now_ms();
    pid_t pid = daemon_start(argv, RUN.log);
    if (!daemon_wait_ready(&RUN.client, pid, 60 * RUN.patience)) {
        (void)printf("the daemon does not start; its log is %s\n", RUN.log);
        exit(1);
    }
    const uint32_t took = (uint32_t)(now_ms() - begin);
    RUN.start_ms_max = took > RUN.start_ms_max ? took : RUN.start_ms_max;
    return pid;
}

// Three times of four not before something more was acknowledged, however slow the machine is.
static void wait_for_moment(uint64_t *seed)
{
    const uint32_t before = atomic_load(&RUN.acknowledged);
    const bool at_once = random_below(seed, 4) == 0;
    for (uint32_t i = 0; !at_once && atomic_load(&RUN.acknowledged) < before + 2; i++) {
        if (i == 30000 * RUN.patience) {
            kill_fault("of all", "nothing is acknowledged any more", 0);
            return;
        }
        nap_us(1000);
    }
    nap_us(random_below(seed, 60000));
}

// Deletes versions that the command has baked; its mesh has no client of its own.
static void make_room(model *m)
{
    for (size_t i = m->count; i-- > 0 && m->count > MANY / 2;) {
        const uint32_t version = m->versions[i].version;
        char path[96];
        (void)snprintf(path, sizeof path, "/v1/meshes/%s/versions/%u", m->name, version);
        if (!m->versions[i].ready) {
            continue; // a delete would cancel its bake
        }
        if (client_ask(&RUN.client, "DELETE", path, NULL, NULL, 0) != 204) {
            kill_fault(m->name, "it cannot be deleted: version", version);
        }
        drop(m, version);
    }
}

static void live_once(uint64_t *seed)
{
    pid_t pid = start();
    for (size_t i = 0; i < MESHES; i++) {
        kill_compare(&RUN.meshes[i], false);
    }
    make_room(&RUN.meshes[BAKED]);
    client questions;
    pthread_t asking;
    client_init(&questions, RUN.socket);
    (void)pthread_create(&asking, NULL, ask_on, &questions);
    for (size_t i = 0; i < BAKED; i++) {
        (void)pthread_create(&RUN.meshes[i].thread, NULL, change_on, &RUN.meshes[i]);
    }
    const command beside = begin_command(seed);
    wait_for_moment(seed);
    (void)kill(pid, SIGKILL);
    (void)waitpid(pid, NULL, 0);
    for (size_t i = 0; i < BAKED; i++) {
        (void)pthread_join(RUN.meshes[i].thread, NULL);
    }
    (void)pthread_join(asking, NULL);
    client_free(&questions);
    if (random_below(seed, 2) == 0) {
        nap_us(random_below(seed, 20000));
        end_command(&beside, true);
    } else {
        end_command(&beside, false);
    }
}

// Notes the hashes and bytes of each level, and the answer to the question, from a first life.
static void learn(void)
{
    pid_t pid = start();
    for (uint32_t i = 0; i < LEVELS; i++) {
        char level[WALL_LEVEL_BYTES_MAX], path[96];
        const size_t bytes = wall_level(i, level);
        if (client_ask(&RUN.client, "POST", "/v1/meshes/reference/versions?wait=1&" UPLOAD_SETTINGS,
                       "model/obj", level, bytes) != 201) {
            (void)printf("a level is not baked: %.300s\n", RUN.client.body);
            exit(1);
        }
        cJSON *json = cJSON_Parse(RUN.client.body);
        (void)snprintf(RUN.levels[i].geometry_sha, 65, "%s",
                       kill_text_at(json, "geometry", "sha256"));
        (void)snprintf(RUN.levels[i].blob_sha, 65, "%s", kill_text_at(json, "blob", "sha256"));
        cJSON_Delete(json);
        (void)snprintf(path, sizeof path, "/v1/meshes/reference/versions/%u/geometry", i + 1);
        (void)client_ask(&RUN.client, "GET", path, NULL, NULL, 0);
        RUN.levels[i].size_bytes = RUN.client.body_bytes;
        RUN.levels[i].bytes = malloc(RUN.client.body_bytes);
        memcpy(RUN.levels[i].bytes, RUN.client.body, RUN.client.body_bytes);
        (void)snprintf(RUN.levels[i].file, PATH_BYTES, "%s/level%u.obj", RUN.folder, i);
        FILE *file = fopen(RUN.levels[i].file, "w");
        (void)fwrite(level, 1, bytes, file);
        (void)fclose(file);
    }
    if (client_ask(&RUN.client, "GET", QUESTION, NULL, NULL, 0) != 200) {
        (void)printf("no answer: %.300s\n", RUN.client.body);
        exit(1);
    }
    RUN.answer = strdup(RUN.client.body);
    (void)kill(pid, SIGTERM);
    (void)waitpid(pid, NULL, 0);
}

// A sanitizer writes its reports to the daemon's log.
static void look_at_log(void)
{
    char line[512];
    FILE *log = fopen(RUN.log, "r");
    for (uint32_t number = 1; log != NULL && fgets(line, sizeof line, log) != NULL; number++) {
        if (strstr(line, "Sanitizer") != NULL || strstr(line, "runtime error") != NULL) {
            (void)fputs(line, stdout);
            kill_fault("of all", "a sanitizer reports, line of the log:", number);
        }
    }
    if (log != NULL) {
        (void)fclose(log);
    }
}

// All that was queued is baked, and all bytes of all versions are compared.
static void look_at_all(void)
{
    pid_t pid = start();
    bool busy = true;
    for (uint32_t i = 0; busy && i < 6000 * RUN.patience; i++) {
        (void)client_ask(&RUN.client, "GET", "/v1/status", NULL, NULL, 0);
        busy = strstr(RUN.client.body, "\"queue\":{\"queued\":0,\"baking\":0,") == NULL;
        nap_us(10000);
    }
    for (size_t i = 0; i < MESHES; i++) {
        kill_compare(&RUN.meshes[i], true);
        for (size_t k = 0; k < RUN.meshes[i].count; k++) {
            if (!RUN.meshes[i].versions[k].ready) {
                kill_fault(RUN.meshes[i].name, "never baked: version",
                           RUN.meshes[i].versions[k].version);
            }
        }
    }
    (void)kill(pid, SIGTERM);
    int status = 0;
    (void)waitpid(pid, &status, 0);
    if (status != 0 || run_verify(RUN.db) != 0) {
        kill_fault("of all", "the last stop, or verify, ended with", (uint32_t)status);
    }
    back_up_once_more();
}

static void begin(const char *daemon, uint64_t seed, uint32_t patience)
{
    RUN.daemon = daemon;
    RUN.patience = patience;
    (void)snprintf(RUN.folder, sizeof RUN.folder, "/tmp/navmeshd-kill-XXXXXX");
    if (mkdtemp(RUN.folder) == NULL) {
        perror(RUN.folder);
        exit(1);
    }
    (void)snprintf(RUN.db, PATH_BYTES, "%s/kill.db", RUN.folder);
    (void)snprintf(RUN.socket, PATH_BYTES, "%s/socket", RUN.folder);
    (void)snprintf(RUN.listen, sizeof RUN.listen, "unix:%s", RUN.socket);
    (void)snprintf(RUN.log, PATH_BYTES, "%s/log", RUN.folder);
    (void)snprintf(RUN.copy, PATH_BYTES, "%s/copy.db", RUN.folder);
    client_init(&RUN.client, RUN.socket);
    for (size_t i = 0; i < MESHES; i++) {
        (void)snprintf(RUN.meshes[i].name, sizeof RUN.meshes[i].name, "%c", (char)('a' + i));
        RUN.meshes[i].seed = seed + i * 977;
        client_init(&RUN.meshes[i].client, RUN.socket);
    }
}

static void clean_up(void)
{
    static const char *const names[] = {
        "kill.db",    "kill.db-wal", "kill.db-shm", "log",        "socket",
        "level0.obj", "level1.obj",  "level2.obj",  "level3.obj", "."};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[PATH_BYTES];
        (void)snprintf(path, sizeof path, "%s/%s", RUN.folder, names[i]);
        (void)remove(i + 1 < sizeof names / sizeof *names ? path : RUN.folder);
    }
}

int main(int argc, char **argv)
{
    uint32_t kills = 50, patience = 1, failed = 0;
    uint64_t seed = 1;
    for (int i = 2; i + 1 < argc; i += 2) {
        const char *value = argv[i + 1];
        kills = strcmp(argv[i], "--kills") == 0 ? (uint32_t)strtoul(value, NULL, 10) : kills;
        seed = strcmp(argv[i], "--seed") == 0 ? strtoull(value, NULL, 10) : seed;
        patience =
            strcmp(argv[i], "--patience") == 0 ? (uint32_t)strtoul(value, NULL, 10) : patience;
    }
    if (argc < 2 || kills == 0) {
        (void)fputs("usage: kill DAEMON [--kills N] [--seed S] [--patience P]\n", stderr);
        return 2;
    }
    (void)signal(SIGPIPE, SIG_IGN);
    begin(argv[1], seed, patience);
    learn();
    const double begin_ms = now_ms();
    uint64_t dice = seed * 31 + 7;
    for (uint32_t i = 0; i < kills; i++) {
        const uint32_t before = atomic_load(&RUN.faults);
        live_once(&dice);
        failed += atomic_load(&RUN.faults) > before;
    }
    const uint32_t before = atomic_load(&RUN.faults);
    look_at_all();
    look_at_log();
    failed += atomic_load(&RUN.faults) > before;
    (void)printf(
        "seed %llu: %u kills, %.0f s; %u changes acknowledged, %u more found whole, %u "
        "answers, %u backups, %u killed amid their copy, %u bakes by command, %u refused; longest "
        "start %u ms\n",
        (unsigned long long)seed, kills, (now_ms() - begin_ms) / 1e3,
        atomic_load(&RUN.acknowledged), RUN.adopted, atomic_load(&RUN.answers), RUN.backups,
        RUN.leftovers, RUN.bakes, RUN.refused, RUN.start_ms_max);
    if (atomic_load(&RUN.acknowledged) < kills || failed > 0) {
        (void)printf("what is left is in %s\n", RUN.folder);
        failed += failed == 0;
    } else {
        clean_up();
    }
    (void)printf("%u passed, %u failed\n", kills + 1 - (failed > kills ? kills : failed), failed);
    return failed == 0 ? 0 : 1;
}
