// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// process.c: limits, modes and figures of the process itself, the file that a name leads to, and
// messages to the service manager.

#include "server/base/process.h"

#include "server/base/clock.h"
#include "server/base/log.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

// Open files: of the database, the log and the threads; of each HTTP thread of a listener; and of
// the connections of a listener that get 503 since they are too many.
#define FILES_BASE 64u
#define FILES_PER_THREAD 4u
#define FILES_REFUSED(connections) ((connections) / 8 + 16)

#define COMPUTING_NICE 10

// Files of /proc about this process. They stay open, since the sandbox lets none be opened.
static struct {
    pthread_once_t once;
    int memory;
    DIR *files;           // guarded by lock, since a DIR has a read position
    pthread_mutex_t lock; // of files
} figures = {.once = PTHREAD_ONCE_INIT, .memory = -1, .lock = PTHREAD_MUTEX_INITIALIZER};

static void open_figures(void)
{
    NAV_ASSERT(figures.memory < 0 && figures.files == NULL);
    figures.memory = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    figures.files = opendir("/proc/self/fd");
}

void process_prepare(void)
{
    const struct rlimit none = {0, 0};
    (void)signal(SIGPIPE, SIG_IGN);
    (void)signal(SIGXFSZ, SIG_IGN); // a file over its limit is a write error, reported
    (void)pthread_once(&figures.once, open_figures);
    (void)umask(S_IRWXG | S_IRWXO);
    (void)setrlimit(RLIMIT_CORE, &none);
#ifndef NAV_DEBUG
    (void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
#endif
}

void process_raise_files(uint32_t listeners, const service_limits *l)
{
    struct rlimit files;
    rlim_t each = l->listener_connections + FILES_REFUSED(l->listener_connections);
    rlim_t wanted = FILES_BASE + listeners * (each + LIMIT_HTTP_THREADS_MAX * FILES_PER_THREAD);
    if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur >= wanted) {
        return;
    }
    files.rlim_cur = files.rlim_max < wanted ? files.rlim_max : wanted;
    (void)setrlimit(RLIMIT_NOFILE, &files);
    if (files.rlim_cur < wanted) {
        log_warn("few_files", "limit=%llu wanted=%llu detail=\"%s\"",
                 (unsigned long long)files.rlim_cur, (unsigned long long)wanted,
                 "fewer connections than the daemon allows can be open; raise the limit of open "
                 "files (ulimit -n, LimitNOFILE=)");
    }
}

static uint64_t count_files(void)
{
    uint64_t count = 0;
    if (figures.files == NULL) {
        return 0;
    }
    (void)pthread_mutex_lock(&figures.lock);
    rewinddir(figures.files);
    while (readdir(figures.files) != NULL) {
        count++;
    }
    (void)pthread_mutex_unlock(&figures.lock);
    return count > 2 ? count - 2 : 0; // without "." and ".."
}

process_usage process_usage_get(void)
{
    process_usage usage = {0};
    struct rlimit files;
    struct timespec used;
    (void)pthread_once(&figures.once, open_figures);
    unsigned long long total = 0, resident = 0;
    char text[160];
    ssize_t got = figures.memory >= 0 ? pread(figures.memory, text, sizeof text - 1, 0) : -1;
    text[got > 0 ? got : 0] = '\0';
    if (sscanf(text, "%llu %llu", &total, &resident) == 2) {
        uint64_t page_bytes = (uint64_t)sysconf(_SC_PAGESIZE);
        usage.virtual_bytes = total * page_bytes;
        usage.resident_bytes = resident * page_bytes;
    }
    usage.open_files = count_files();
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        usage.open_files_limit = (uint64_t)files.rlim_cur;
    }
    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) == 0) {
        usage.cpu_ns = (uint64_t)used.tv_sec * 1000000000u + (uint64_t)used.tv_nsec;
    }
    return usage;
}

// On Linux both are of the calling thread alone.
void process_thread_gives_way(void)
{
    const struct sched_param none = {0};
    (void)setpriority(PRIO_PROCESS, (id_t)gettid(), COMPUTING_NICE);
    (void)sched_setscheduler(0, SCHED_BATCH, &none);
}

// ---- names of files ----

#define LINKS_MAX 40 // as the kernel follows

int process_folder_bytes(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? (int)(slash + 1 - path) : 0;
}

// Replaces the name of a link by that of its target, which is relative to the folder of the link.
static bool follow(char name[PATH_MAX])
{
    char target[PATH_MAX], joined[2 * PATH_MAX];
    const ssize_t length = readlink(name, target, sizeof target - 1);
    if (length <= 0) {
        return false;
    }
    NAV_ASSERT((size_t)length < sizeof target);
    target[length] = '\0';
    const int folder = target[0] != '/' ? process_folder_bytes(name) : 0;
    (void)snprintf(joined, sizeof joined, "%.*s%s", folder, name, target);
    if (strlen(joined) >= PATH_MAX) {
        return false;
    }
    (void)strcpy(name, joined);
    return true;
}

const char *process_follow_links(const char *name, char out[PATH_MAX])
{
    struct stat info;
    if (strlen(name) >= PATH_MAX) {
        return name;
    }
    (void)strcpy(out, name);
    for (int i = 0; i < LINKS_MAX && lstat(out, &info) == 0 && S_ISLNK(info.st_mode); i++) {
        if (!follow(out)) {
            return name;
        }
    }
    return lstat(out, &info) == 0 && S_ISLNK(info.st_mode) ? name : out;
}

// ---- the service manager: the protocol of sd_notify(3), one datagram a message ----

#define INTERVAL_MS_MAX 3600000u

// Main thread only. The socket has no peer, since a manager that starts again makes a new one.
static struct {
    int fd;
    socklen_t address_bytes;
    struct sockaddr_un address;
} manager = {.fd = -1};

void notify_open(void)
{
    NAV_ASSERT(manager.fd < 0); // opened once, before the sandbox
    const char *path = getenv("NOTIFY_SOCKET");
    size_t length = path != NULL ? strlen(path) : 0;
    if (length < 2 || length >= sizeof manager.address.sun_path ||
        (path[0] != '/' && path[0] != '@')) {
        return;
    }
    manager.address = (struct sockaddr_un){.sun_family = AF_UNIX};
    memcpy(manager.address.sun_path, path, length);
    if (path[0] == '@') {
        manager.address.sun_path[0] = '\0'; // an abstract name: not in the file system
    }
    manager.address_bytes = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
    manager.fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
}

static void notify(const char *message)
{
    if (manager.fd >= 0) {
        ssize_t sent = sendto(manager.fd, message, strlen(message), MSG_NOSIGNAL | MSG_DONTWAIT,
                              (const struct sockaddr *)&manager.address, manager.address_bytes);
        (void)sent;
    }
}

void notify_ready(const char *status)
{
    char message[256];
    (void)snprintf(message, sizeof message, "READY=1\nSTATUS=%.200s", status);
    notify(message);
}

void notify_reloading(void)
{
    char message[96];
    (void)snprintf(message, sizeof message, "RELOADING=1\nMONOTONIC_USEC=%llu",
                   (unsigned long long)(clock_now_ns() / 1000));
    notify(message);
}

void notify_stopping(uint32_t limit_ms)
{
    char message[96];
    (void)snprintf(message, sizeof message, "STOPPING=1\nSTATUS=stopping\nEXTEND_TIMEOUT_USEC=%llu",
                   (unsigned long long)(limit_ms + 5000ull) * 1000ull);
    notify(message);
}

void notify_alive(void)
{
    notify("WATCHDOG=1");
}

int notify_interval_ms(void)
{
    const char *micros = getenv("WATCHDOG_USEC"), *process = getenv("WATCHDOG_PID");
    if (micros == NULL || (process != NULL && strtol(process, NULL, 10) != (long)getpid())) {
        return -1;
    }
    unsigned long long half_ms = strtoull(micros, NULL, 10) / 2000;
    return half_ms == 0 ? -1 : (int)(half_ms < INTERVAL_MS_MAX ? half_ms : INTERVAL_MS_MAX);
}
