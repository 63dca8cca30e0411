// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// sandbox_probe.c: a library for LD_PRELOAD that does inside of the daemon what somebody would do
// who has taken it over, in each kind of its threads, and says on stderr how each try went:
//
//   probe thread=http open=13 create=13 connect=1 ...     errno, 0: it went through
//
//   http    when a connection is accepted
//   worker  when a worker lowers its own priority
//   main    when the program ends: of the daemon, and of its commands
//
// PROBE_FILE names a file that the probe tries to make. PROBE_DEADLY=execve or fork: the worker
// does this instead, which is to kill the process.

#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static int tcp = -1; // from before there was a sandbox
static pthread_once_t http_once = PTHREAD_ONCE_INIT, worker_once = PTHREAD_ONCE_INIT;

static int outcome(long result)
{
    return result < 0 ? errno : 0;
}

static int try_open(const char *path, int flags)
{
    return outcome(open(path, flags | O_CLOEXEC, 0600));
}

static int try_connect(void)
{
    const struct sockaddr_in to = {
        .sin_family = AF_INET, .sin_port = htons(9), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    return outcome(connect(tcp, (const struct sockaddr *)&to, sizeof to));
}

static int try_map(void)
{
    void *page =
        mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return page == MAP_FAILED ? errno : 0;
}

static void probe(const char *thread)
{
    char line[256];
    const int code = errno;
    struct rlimit limit;
    const char *file = getenv("PROBE_FILE");
    const int length = snprintf(
        line, sizeof line,
        "probe thread=%s open=%d create=%d socket=%d connect=%d kill=%d tgkill=%d prlimit=%d "
        "program_memory=%d\n",
        thread, try_open("/etc/passwd", O_RDONLY),
        try_open(file != NULL ? file : "", O_CREAT | O_WRONLY),
        outcome(socket(AF_INET, SOCK_STREAM, 0)), try_connect(), outcome(kill(getppid(), 0)),
        outcome(syscall(SYS_tgkill, getppid(), getppid(), 0)),
        outcome(syscall(SYS_prlimit64, getppid(), RLIMIT_CPU, NULL, &limit)), try_map());
    const ssize_t written = write(STDERR_FILENO, line, (size_t)length);
    (void)written;
    errno = code;
}

static void probe_http(void)
{
    probe("http");
}

static void probe_worker(void)
{
    const char *deadly = getenv("PROBE_DEADLY");
    if (deadly == NULL) {
        probe("worker");
    } else if (strcmp(deadly, "execve") == 0) {
        char *const none[] = {NULL};
        (void)execve("/bin/true", none, none);
    } else {
        (void)fork();
    }
}

int accept4(int fd, struct sockaddr *address, socklen_t *length, int flags)
{
    int (*next)(int, struct sockaddr *, socklen_t *, int);
    *(void **)&next = dlsym(RTLD_NEXT, "accept4");
    (void)pthread_once(&http_once, probe_http);
    return next(fd, address, length, flags);
}

int sched_setscheduler(pid_t pid, int policy, const struct sched_param *parameters)
{
    int (*next)(pid_t, int, const struct sched_param *);
    *(void **)&next = dlsym(RTLD_NEXT, "sched_setscheduler");
    (void)pthread_once(&worker_once, probe_worker);
    return next(pid, policy, parameters);
}

__attribute__((constructor)) static void open_sockets(void)
{
    tcp = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
}

__attribute__((destructor)) static void probe_main(void)
{
    probe("main");
}
