// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// oom.c: the daemon without memory: each allocation of a start, of each kind of request and of a
// stop fails, once, or from then on until the request has ended. Afterwards all of: a write that is
// read back, a question answered right, an upload, a clean stop; and what a kind of request leaves
// behind is what it leaves when nothing fails.
//
//   oom DAEMON SHIM [--samples N] [--seed S] [--only starts|stops|requests|KIND]
//
// With --samples so many calls of each kind of request fail, chosen by the seed; without, each
// does. A daemon that is built with the address sanitizer tells where a block was lost.

#include "tests/faults/client.h"
#include "tests/faults/oom_kinds.h"
#include "tests/faults/oom_shim.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define REPLY_BYTES_MAX (1u << 20)
#define REPLY_MS_MAX 20000 // what takes longer hangs
#define FAILING_MS_MAX 200 // for so long "all after it" fail
#define FAILURES_TOLD_MAX 40u
#define ALL UINT64_C(1000000000) // from a call on
// A kind has come to its end when so many requests after each other have met no failure.
#define UNTOUCHED_MAX 3u
// Blocks that may be left over more than without failures: what caches hold.
#define BLOCKS_MAX 40
#define SANITIZER_CODE 77 // the address sanitizer ends the daemon so, for a leak too
#define LIVES_MORE 10u    // times as many lives, as long as none has met a failure
#define STOP_US_MAX 4000u // for so long an upload is under way before a stop
#define STOP_CALLS 300u

static struct {
    const char *daemon, *shim;
    char folder[64], db[96], socket[96], page[96], log[96];
    oom_control *control;
    pid_t pid;
    uint64_t seed;
    uint32_t serial; // of uploads: each is another level
    uint32_t meant;  // the version that %u stands for
    uint32_t passed, failed;
    char reply[REPLY_BYTES_MAX];
    const char *body;
    int status; // of the last reply; 0: there was none
} oom;

static void fault(const char *what, uint64_t call, uint64_t length, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static void fault(const char *what, uint64_t call, uint64_t length, const char *format, ...)
{
    if (oom.failed++ < FAILURES_TOLD_MAX) {
        va_list args;
        va_start(args, format);
        (void)printf("%s, call %llu%s: ", what, (unsigned long long)call,
                     length == 1 ? "" : " and all after it");
        (void)vprintf(format, args);
        (void)printf("\n");
        (void)fflush(stdout);
        va_end(args);
    }
}

static void must(bool holds, const char *what)
{
    if (!holds) {
        perror(what);
        exit(1);
    }
}

static void give_up(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

// The daemon does not outlive the sweep.
static void give_up(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)vfprintf(stderr, format, args);
    (void)fputc('\n', stderr);
    va_end(args);
    if (oom.pid > 0) {
        (void)kill(oom.pid, SIGKILL);
        (void)waitpid(oom.pid, NULL, 0);
    }
    exit(1);
}

// ---- what fails ----

static void arm(uint64_t first, uint64_t length)
{
    atomic_store(&oom.control->first, 0);
    atomic_store(&oom.control->calls, 0);
    atomic_store(&oom.control->failed, 0);
    atomic_store(&oom.control->length, length);
    atomic_store(&oom.control->first, first);
}

static uint64_t disarm(void)
{
    atomic_store(&oom.control->first, 0);
    return atomic_load(&oom.control->failed);
}

// ---- requests ----

static int open_socket(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    (void)snprintf(address.sun_path, sizeof address.sun_path, "%s", oom.socket);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && connect(fd, (const struct sockaddr *)&address, sizeof address) != 0) {
        (void)close(fd);
        fd = -1;
    }
    return fd;
}

// Reads until the other side closes. A bake waits for memory, so that failures end where nothing
// comes any more. False: the other side does not close.
static bool read_reply(int fd)
{
    size_t used = 0;
    for (;;) {
        struct pollfd ready = {.fd = fd, .events = POLLIN};
        if (poll(&ready, 1, FAILING_MS_MAX) == 0) {
            atomic_store(&oom.control->first, 0);
            if (poll(&ready, 1, REPLY_MS_MAX) <= 0) {
                return false;
            }
        }
        ssize_t got = recv(fd, oom.reply + used, sizeof oom.reply - 1 - used, 0);
        if (got <= 0) {
            break;
        }
        used += (size_t)got;
    }
    oom.reply[used] = '\0';
    (void)sscanf(oom.reply, "HTTP/1.1 %d", &oom.status);
    const char *body = strstr(oom.reply, "\r\n\r\n");
    oom.body = body != NULL ? body + 4 : "";
    return true;
}

// A connection of its own with one request, or -1.
static int send_request(const char *method, const char *path, const char *type, const char *body)
{
    char head[512];
    const int length = snprintf(head, sizeof head,
                                "%s %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                                "Content-Type: %s\r\nContent-Length: %zu\r\n\r\n",
                                method, path, type, strlen(body));
    int fd = open_socket();
    if (fd >= 0 && send(fd, head, (size_t)length, MSG_NOSIGNAL) == length) {
        (void)send(fd, body, strlen(body), MSG_NOSIGNAL);
    }
    return fd;
}

// False: no answer, and the connection stays open.
static bool await_reply(int fd)
{
    oom.status = 0;
    oom.body = "";
    oom.reply[0] = '\0';
    const bool ended = fd < 0 || read_reply(fd);
    if (fd >= 0) {
        (void)close(fd);
    }
    return ended;
}

static bool ask(const char *method, const char *path, const char *type, const char *body)
{
    return await_reply(send_request(method, path, type, body));
}

static bool get(const char *path)
{
    return ask("GET", path, "application/json", "");
}

// ---- the daemon ----

static void start(void)
{
    (void)unlink(oom.socket);
    oom.pid = fork();
    must(oom.pid >= 0, "fork");
    if (oom.pid == 0) {
        char listen[128];
        (void)snprintf(listen, sizeof listen, "unix:%s", oom.socket);
        int log = open(oom.log, O_WRONLY | O_CREAT | O_APPEND, 0600);
        (void)dup2(log, 2);
        (void)setenv(OOM_CONTROL, oom.page, 1);
        (void)setenv("LD_PRELOAD", oom.shim, 1);
        (void)setenv("ASAN_OPTIONS", "verify_asan_link_order=0:exitcode=77", 1);
        execl(oom.daemon, oom.daemon, "--listen", listen, "--db", oom.db, "--workers", "1",
              "--keep-versions", "2", (char *)NULL);
        _exit(127);
    }
}

// Whether it has ended, and how.
static bool has_ended(int *how)
{
    if (oom.pid != 0 && waitpid(oom.pid, how, WNOHANG) == oom.pid) {
        oom.pid = 0;
        return true;
    }
    return oom.pid == 0;
}

// Until it is ready; a start waits for memory, so that failures end some time after the first.
// False: it has ended before.
static bool wait_ready(int *how)
{
    int failing = 0;
    for (int i = 0; i < REPLY_MS_MAX / 2; i++) {
        failing += atomic_load(&oom.control->failed) > 0;
        if (failing == FAILING_MS_MAX / 2) {
            atomic_store(&oom.control->first, 0);
        }
        if (has_ended(how)) {
            return false;
        }
        if (get("/readyz") && oom.status == 200) {
            return true;
        }
        nap_us(2000);
    }
    give_up("the daemon is not ready");
}

static void stop(int *how)
{
    (void)kill(oom.pid, SIGTERM);
    for (int i = 0; i < REPLY_MS_MAX; i++) {
        if (has_ended(how)) {
            return;
        }
        nap_us(1000);
    }
    give_up("the daemon does not stop");
}

// ---- levels ----

static const char *square(void)
{
    static char text[256];
    const double side = 20.0 + 0.001 * (double)++oom.serial;
    (void)snprintf(text, sizeof text, "v 0 0 0\nv 0 0 %.3f\nv %.3f 0 %.3f\nv %.3f 0 0\nf 1 2 3 4\n",
                   side, side, side, side);
    return text;
}

static bool upload(const char *mesh)
{
    char path[128];
    (void)snprintf(path, sizeof path, "/v1/meshes/%s/versions?wait=1&" OOM_TILES, mesh);
    return ask("POST", path, "model/obj", square()) && oom.status == 201;
}

static uint32_t version_of_reply(void)
{
    const char *version = strstr(oom.body, "\"version\":");
    return version != NULL ? (uint32_t)strtoul(version + strlen("\"version\":"), NULL, 10) : 0;
}

// Afterwards %u is the version before it.
static void must_upload(const char *mesh)
{
    if (!upload(mesh)) {
        give_up("%s is not uploaded: %d %s", mesh, oom.status, oom.body);
    }
    oom.meant = version_of_reply() - 1;
}

// ---- what has to hold afterwards ----

static bool answers_right(void)
{
    return get("/v1/meshes/town/path?start=2,0,10&end=18,0,10") && oom.status == 200 &&
           strstr(oom.body, "\"status\":\"complete\"") != NULL &&
           strstr(oom.body, "\"cost\":16") != NULL;
}

static bool writes_are_read_back(void)
{
    char checks[160];
    (void)snprintf(checks, sizeof checks,
                   "{\"checks\":[{\"name\":\"c%u\",\"min_walkable_area\":1}]}", ++oom.serial);
    if (!ask("PUT", "/v1/meshes/town/checks", "application/json", checks) || oom.status != 200) {
        return false;
    }
    char name[32];
    (void)snprintf(name, sizeof name, "\"c%u\"", oom.serial);
    return get("/v1/meshes/town/checks") && oom.status == 200 && strstr(oom.body, name) != NULL;
}

// Nothing is half stored: what is queued is baked in the end.
static bool nothing_waits(const char *mesh)
{
    char path[96];
    (void)snprintf(path, sizeof path, "/v1/meshes/%s/versions", mesh);
    for (int i = 0; i < REPLY_MS_MAX / 10; i++) {
        if (get(path) &&
            (oom.status == 404 || (oom.status == 200 && strstr(oom.body, "\"queued\"") == NULL &&
                                   strstr(oom.body, "\"baking\"") == NULL))) {
            return true;
        }
        nap_us(10000);
    }
    return false;
}

static bool is_well(const char *what, uint64_t call, uint64_t length)
{
    int how = 0;
    if (has_ended(&how)) {
        fault(what, call, length, "the daemon has ended, signal %d, code %d", WTERMSIG(how),
              WEXITSTATUS(how));
        start();
        (void)wait_ready(&how);
        return false;
    }
    const char *broken = !nothing_waits("up") || !nothing_waits("gone") ? "a version waits for ever"
                         : !answers_right()                             ? "a question afterwards"
                         : !writes_are_read_back()                      ? "a write afterwards"
                         : !upload("up")                                ? "an upload afterwards"
                                                                        : NULL;
    if (broken != NULL) {
        const char *queued = strstr(oom.body, "\"state\":\"queued\"");
        fault(what, call, length, "%s: %d %.200s", broken, oom.status,
              queued != NULL && queued - oom.body > 40 ? queued - 40 : oom.body);
    }
    return broken == NULL;
}

// ---- kinds of requests ----

static void make_gone(void)
{
    must_upload("gone");
}

// Two versions, the second live.
static void make_two(void)
{
    (void)ask("DELETE", "/v1/meshes/gone", "text/plain", "");
    must_upload("gone");
    must_upload("gone");
}

static void prepare(const oom_kind *k)
{
    if (k->before == OOM_A_MESH) {
        make_gone();
    } else if (k->before == OOM_TWO_VERSIONS) {
        make_two();
    }
}

// An answer under failures is the right one, none, or says that there is no memory.
static void judge(const oom_kind *k, uint64_t call, uint64_t length)
{
    const bool is_right = oom.status == k->status && strstr(oom.body, k->has) != NULL;
    const bool tells = oom.status == 503 && (strstr(oom.body, "\"out_of_memory\"") != NULL ||
                                             strstr(oom.body, "\"store_unavailable\"") != NULL ||
                                             strstr(oom.body, "\"overloaded\"") != NULL);
    // A daemon that has no memory to wait answers at once.
    const bool accepted = k->status == 201 && oom.status == 202;
    // A stream has begun before it fails.
    const bool begun = strcmp(k->name, "events") == 0 && oom.status == 200;
    // A bake that has failed is a version with the reason in it.
    const bool failed = strstr(oom.body, "\"state\":\"failed\"") != NULL &&
                        strstr(oom.body, "\"out_of_memory\"") != NULL;
    if (!is_right && oom.status != 0 && !tells && !failed && !accepted && !begun) {
        fault(k->name, call, length, "answered %d %.500s", oom.status, oom.reply);
    } else {
        oom.passed++;
    }
}

// Text with a version in the place of %u.
static const char *with_version(const char *text, char *out, size_t size)
{
    const char *place = strstr(text, "%u");
    if (place == NULL) {
        return text;
    }
    (void)snprintf(out, size, "%.*s%u%s", (int)(place - text), text, oom.meant, place + 2);
    return out;
}

static bool send_kind(const oom_kind *k)
{
    char path[128], body[128];
    return ask(k->method, with_version(k->path, path, sizeof path), k->type,
               strcmp(k->body, "square") == 0 ? square()
                                              : with_version(k->body, body, sizeof body));
}

// Looks for what was acknowledged under failures.
static void read_back(const oom_kind *k, uint64_t call, uint64_t length)
{
    char path[128];
    if (k->then_path == NULL || oom.status / 100 != 2) {
        return;
    }
    oom.meant = strcmp(k->then_has, OOM_UPLOADED) == 0 ? version_of_reply() : oom.meant;
    (void)nothing_waits("up");
    const bool is_answered = get(with_version(k->then_path, path, sizeof path));
    if (!is_answered || oom.status != k->then_status || strstr(oom.body, k->then_has) == NULL) {
        fault(k->name, call, length, "what it acknowledged is lost: %s %d %.300s", path, oom.status,
              oom.body);
    } else {
        oom.passed++;
    }
}

// Whether any call failed.
static bool inject(const oom_kind *k, uint64_t call, uint64_t length)
{
    prepare(k);
    arm(call, length);
    const bool ended = send_kind(k);
    if (!ended) {
        disarm();
        fault(k->name, call, length, "no answer, and the connection stays open");
    } else {
        judge(k, call, length);
    }
    const bool touched = disarm() > 0;
    if (ended && touched) {
        read_back(k, call, length);
    }
    if (touched) {
        oom.passed += is_well(k->name, call, length);
    }
    return touched;
}

// How many calls a request takes that meets no failure.
static uint64_t count_calls(const oom_kind *k)
{
    prepare(k);
    arm(0, 0);
    (void)send_kind(k);
    nap_us(2000);
    const uint64_t calls = atomic_load(&oom.control->calls);
    if (oom.status != k->status || strstr(oom.body, k->has) == NULL) {
        fault(k->name, 0, 1, "without a failure: %d %.300s", oom.status, oom.body);
    }
    return calls;
}

// Each call of a kind, or some of them.
static void sweep_kind(const oom_kind *k, uint64_t samples)
{
    const uint64_t calls = count_calls(k);
    for (uint64_t i = 0; i < samples && calls > 0; i++) {
        (void)inject(k, 1 + random_below(&oom.seed, (uint32_t)calls), i % 2 == 0 ? 1 : ALL);
    }
    uint32_t untouched = samples > 0 ? UNTOUCHED_MAX : 0;
    for (uint64_t call = 1; untouched < UNTOUCHED_MAX; call++) {
        const bool once = inject(k, call, 1), all = inject(k, call, ALL);
        untouched = once || all ? 0 : untouched + 1;
    }
    (void)printf("# %s: %llu calls\n", k->name, (unsigned long long)calls);
    (void)fflush(stdout);
}

// ---- starts and stops ----

static void expect_stop(const char *what, uint64_t call, uint64_t length)
{
    int how = 0;
    stop(&how);
    if (WIFSIGNALED(how) || WEXITSTATUS(how) != 0) {
        fault(what, call, length, "it ended by signal %d, code %d", WTERMSIG(how),
              WEXITSTATUS(how));
    } else {
        oom.passed++;
    }
}

static void start_whole(void)
{
    int how = 0;
    arm(0, 0);
    start();
    if (!wait_ready(&how)) {
        give_up("the daemon does not start: signal %d, code %d", WTERMSIG(how), WEXITSTATUS(how));
    }
}

// A start either serves, or ends with a code and can be repeated. Returns whether a call failed.
static bool inject_start(uint64_t call, uint64_t length)
{
    int how = 0;
    arm(call, length);
    start();
    const bool is_ready = wait_ready(&how);
    const bool touched = disarm() > 0;
    if (is_ready) {
        if (!answers_right()) {
            fault("start", call, length, "it serves, but answers %d %.200s", oom.status, oom.body);
        }
        expect_stop("stop after such a start", call, length);
    } else if (WIFSIGNALED(how) || WEXITSTATUS(how) == 0 || WEXITSTATUS(how) == SANITIZER_CODE) {
        fault("start", call, length, "it ended by signal %d, code %d", WTERMSIG(how),
              WEXITSTATUS(how));
    } else {
        oom.passed++;
    }
    return touched;
}

// A stop with an idle connection, half a request and a bake under way. An upload that was
// acknowledged is there after the next start.
static bool inject_stop(uint64_t call, uint64_t length)
{
    start_whole();
    const int idle = open_socket(), half = open_socket();
    const int upload =
        send_request("POST", "/v1/meshes/up/versions?wait=1&" OOM_TILES, "model/obj", square());
    (void)send(half, "POST /v1", strlen("POST /v1"), MSG_NOSIGNAL);
    nap_us(random_below(&oom.seed, STOP_US_MAX));
    arm(call, length);
    expect_stop("stop", call, length);
    const bool touched = disarm() > 0;
    (void)close(idle);
    (void)close(half);
    (void)await_reply(upload);
    const uint32_t version = oom.status / 100 == 2 ? version_of_reply() : 0;
    start_whole();
    (void)nothing_waits("up");
    char path[96];
    (void)snprintf(path, sizeof path, "/v1/meshes/up/versions/%u", version);
    if (version != 0 && !(get(path) && oom.status == 200)) {
        fault("stop", call, length, "an upload that was acknowledged is lost: %d %.300s",
              oom.status, oom.body);
    }
    oom.passed += is_well("the start after a stop", call, length);
    expect_stop("the stop after that", call, length);
    return touched;
}

// calls: of such a life, about; they differ from one to the next.
static void sweep_lives(const char *name, bool (*inject_life)(uint64_t, uint64_t), uint64_t calls,
                        uint64_t samples)
{
    uint64_t last = 0, lives = 0, hit = 0;
    // A stop on a busy machine may miss what it is to meet: then more lives are tried.
    for (; lives < samples || (hit == 0 && lives < LIVES_MORE * samples); lives++) {
        const uint64_t call = 1 + random_below(&oom.seed, (uint32_t)calls);
        const bool touched = inject_life(call, lives % 2 == 0 ? 1 : ALL);
        hit += touched;
        last = touched && call > last ? call : last;
    }
    uint32_t untouched = 0;
    for (uint64_t call = 1; samples == 0 && (call <= calls || untouched < UNTOUCHED_MAX); call++) {
        const bool once = inject_life(call, 1), all = inject_life(call, ALL);
        lives += 2;
        hit += (uint64_t)once + all;
        untouched = once || all ? 0 : untouched + 1;
        last = once || all ? call : last;
    }
    (void)printf("# %s: %llu of %llu lives met a failure, calls up to the %lluth\n", name,
                 (unsigned long long)hit, (unsigned long long)lives, (unsigned long long)last);
    if (hit == 0) {
        fault(name, 0, 1, "no life met a failure");
    }
    (void)fflush(stdout);
}

static void sweep_starts(uint64_t samples)
{
    start_whole();
    const uint64_t calls = atomic_load(&oom.control->calls);
    expect_stop("stop", 0, 1);
    sweep_lives("start", inject_start, calls, samples);
}

static void sweep_stops(uint64_t samples)
{
    (void)inject_stop(0, 0);
    sweep_lives("stop", inject_stop, STOP_CALLS, samples);
}

// ---- leaks ----

static bool is_wanted(const char *only, const char *name)
{
    return only == NULL || strcmp(only, name) == 0;
}

// How many blocks are left at the end of a life in which each kind was asked so often.
static int64_t blocks_left(const char *only, uint64_t samples, bool failing)
{
    atomic_store(&oom.control->blocks, 0);
    start_whole();
    for (size_t i = 0; i < OOM_KIND_COUNT; i++) {
        if (is_wanted(only, "requests") || is_wanted(only, OOM_KINDS[i].name)) {
            if (failing) {
                sweep_kind(&OOM_KINDS[i], samples);
            } else {
                (void)count_calls(&OOM_KINDS[i]);
                (void)is_well(OOM_KINDS[i].name, 0, 1);
            }
        }
    }
    expect_stop("the stop at the end", 0, 1);
    return atomic_load(&oom.control->blocks);
}

static bool is_part(const char *only)
{
    bool is_known =
        is_wanted(only, "starts") || is_wanted(only, "stops") || is_wanted(only, "requests");
    for (size_t i = 0; i < OOM_KIND_COUNT; i++) {
        is_known = is_known || is_wanted(only, OOM_KINDS[i].name);
    }
    return is_known;
}

static void sweep_requests(const char *only, uint64_t samples)
{
    const int64_t whole = blocks_left(only, samples, false);
    const int64_t left = blocks_left(only, samples, true);
    (void)printf("# %lld blocks left without failures, %lld with\n", (long long)whole,
                 (long long)left);
    if (left > whole + BLOCKS_MAX) {
        fault("all kinds", 0, 1, "%lld blocks leaked", (long long)(left - whole));
    }
}

// ---- beginning and end ----

static void set_up(void)
{
    (void)snprintf(oom.folder, sizeof oom.folder, "/tmp/navmeshd-oom-XXXXXX");
    must(mkdtemp(oom.folder) != NULL, oom.folder);
    (void)snprintf(oom.db, sizeof oom.db, "%s/oom.db", oom.folder);
    (void)snprintf(oom.socket, sizeof oom.socket, "%s/socket", oom.folder);
    (void)snprintf(oom.page, sizeof oom.page, "%s/page", oom.folder);
    (void)snprintf(oom.log, sizeof oom.log, "%s/log", oom.folder);
    int fd = open(oom.page, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    must(fd >= 0 && ftruncate(fd, sizeof *oom.control) == 0, oom.page);
    void *page = mmap(NULL, sizeof *oom.control, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    must(page != MAP_FAILED, oom.page);
    (void)close(fd);
    oom.control = page;
    start_whole();
    (void)ask("POST", "/v1/meshes/town/versions?wait=1&" OOM_TILES, "model/obj",
              "v 0 0 0\nv 0 0 20\nv 20 0 20\nv 20 0 0\nf 1 2 3 4\n");
    (void)ask("POST", "/v1/meshes/town/versions?wait=1&activate=0&" OOM_TILES, "model/obj",
              "v 0 0 0\nv 0 0 22\nv 22 0 22\nv 22 0 0\nf 1 2 3 4\n");
    must_upload("gone");
    must_upload("up");
    expect_stop("stop", 0, 1);
}

static void tear_down(void)
{
    char command[160];
    if (oom.failed > 0) {
        (void)printf("# the log and the database are in %s\n", oom.folder);
        return;
    }
    (void)snprintf(command, sizeof command, "rm -r %s", oom.folder);
    must(system(command) == 0, command);
}

// The database as the daemon's own check finds it.
static void verify(void)
{
    char command[256];
    (void)snprintf(command, sizeof command, "%s verify --db %s >%s.verify 2>&1", oom.daemon, oom.db,
                   oom.db);
    if (system(command) != 0) {
        fault("verify", 0, 1, "the database is not whole: %s.verify", oom.db);
    } else {
        oom.passed++;
    }
}

int main(int argc, char **argv)
{
    uint64_t samples = 0;
    const char *only = NULL;
    oom.seed = 1;
    for (int i = 3; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--samples") == 0) {
            samples = strtoull(argv[i + 1], NULL, 10);
        } else if (strcmp(argv[i], "--seed") == 0) {
            oom.seed = strtoull(argv[i + 1], NULL, 10);
        } else if (strcmp(argv[i], "--only") == 0) {
            only = argv[i + 1];
        }
    }
    if (argc < 3 || !is_part(only)) {
        (void)fputs("usage: oom DAEMON SHIM [--samples N] [--seed S] [--only PART]\n", stderr);
        return 2;
    }
    oom.daemon = argv[1];
    oom.shim = argv[2];
    (void)printf("# seed %llu\n", (unsigned long long)oom.seed);
    set_up();
    if (is_wanted(only, "starts")) {
        sweep_starts(samples);
    }
    if (is_wanted(only, "stops")) {
        sweep_stops(samples);
    }
    if (only == NULL || (strcmp(only, "starts") != 0 && strcmp(only, "stops") != 0)) {
        sweep_requests(only, samples);
    }
    verify();
    tear_down();
    (void)printf("%u passed, %u failed\n", oom.passed, oom.failed);
    return oom.failed == 0 ? 0 : 1;
}
