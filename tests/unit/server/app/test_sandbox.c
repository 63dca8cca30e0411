// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_sandbox.c: what somebody could want who has taken a process over is refused from inside of
// the sandbox, in threads from before and after; what the daemon needs goes on. Each case is a
// child that enters it as the daemon does. tests/http/sandbox.bats tries the same inside of the
// daemon.

#include "server/app/sandbox.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/store_fixture.h"

static char folder[64]; // of the test, with inside/ and outside/
static bool has_landlock, has_seccomp;

static const char *in_folder(const char *name)
{
    static char paths[4][128];
    static int next;
    char *path = paths[next++ % 4];
    (void)snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static void put_file(const char *path)
{
    int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "{}\n", 3), 3);
    (void)close(fd);
}

// ---- what is tried, each with the error that it is to end with ----

static int outcome(long result)
{
    return result < 0 ? errno : 0;
}

static int try_open(const char *path, int flags)
{
    int fd = open(path, flags | O_CLOEXEC, 0600);
    int code = fd < 0 ? errno : 0;
    if (fd >= 0) {
        (void)close(fd);
    }
    return code;
}

static int open_passwd(void)
{
    return try_open("/etc/passwd", O_RDONLY);
}

static int open_outside(void)
{
    return try_open(in_folder("outside/file"), O_RDONLY);
}

static int write_outside(void)
{
    return try_open(in_folder("outside/file"), O_WRONLY);
}

static int make_outside(void)
{
    return try_open(in_folder("outside/new"), O_CREAT | O_WRONLY);
}

static int list_outside(void)
{
    return try_open(in_folder("outside"), O_RDONLY | O_DIRECTORY);
}

static int remove_outside(void)
{
    return outcome(unlink(in_folder("outside/file")));
}

static int truncate_outside(void)
{
    return outcome(truncate(in_folder("outside/file"), 0));
}

static int move_out(void)
{
    return outcome(rename(in_folder("inside/file"), in_folder("outside/moved")));
}

static int open_by_link(void)
{
    return try_open(in_folder("inside/link"), O_RDONLY);
}

static int write_configuration(void)
{
    return try_open(in_folder("config/file"), O_WRONLY);
}

static int make_folder(void)
{
    return outcome(mkdir(in_folder("inside/folder"), 0700));
}

static int make_socket(void)
{
    return outcome(socket(AF_INET, SOCK_STREAM, 0));
}

static int tcp = -1; // from before the sandbox

static const struct sockaddr_in NOWHERE = {
    .sin_family = AF_INET, .sin_port = 0x0900, .sin_addr = {0x0100007f}};

static int connect_out(void)
{
    return outcome(connect(tcp, (const struct sockaddr *)&NOWHERE, sizeof NOWHERE));
}

// As it sends its first bytes.
static int connect_sending(void)
{
    return outcome(
        (int)sendto(tcp, "x", 1, MSG_FASTOPEN, (const struct sockaddr *)&NOWHERE, sizeof NOWHERE));
}

static int bind_socket(void)
{
    return outcome(bind(tcp, (const struct sockaddr *)&NOWHERE, sizeof NOWHERE));
}

static int map_program(void)
{
    void *page = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return page == MAP_FAILED ? errno : 0;
}

static int protect_program(void)
{
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return page == MAP_FAILED ? ENOMEM : outcome(mprotect(page, 4096, PROT_READ | PROT_EXEC));
}

static int signal_parent(void)
{
    return outcome(kill(getppid(), 0));
}

static int signal_parent_thread(void)
{
    return outcome(syscall(SYS_tgkill, getppid(), getppid(), 0));
}

// Less time of the processor than it has used would kill it.
static int limit_parent(void)
{
    struct rlimit limit;
    return outcome(syscall(SYS_prlimit64, getppid(), RLIMIT_CPU, NULL, &limit));
}

static int become_dumpable(void)
{
    return outcome(prctl(PR_SET_DUMPABLE, 1, 0, 0, 0));
}

static int change_root(void)
{
    return outcome(chroot("/"));
}

static int change_user(void)
{
    return outcome(syscall(SYS_setuid, 1));
}

static int trace_parent(void)
{
    return outcome(ptrace(PTRACE_ATTACH, getppid(), NULL, NULL));
}

static int run_program(void)
{
    char *const none[] = {NULL};
    return outcome(execve("/bin/true", none, none));
}

static int make_process(void)
{
    pid_t child = (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
    if (child == 0) {
        _exit(0);
    }
    return outcome(child);
}

static int leave_namespace(void)
{
    return outcome(syscall(SYS_unshare, 0x40000000)); // CLONE_NEWNET
}

static int call_of_the_future(void)
{
    return outcome(syscall(1000));
}

static int schedule_io(void)
{
    return outcome(syscall(SYS_io_uring_setup, 0, NULL));
}

#define FILES 1u // is Landlock's
#define CALLS 2u // is seccomp's
#define KILLS -1

static const struct attempt {
    const char *name;
    int (*run)(void);
    int wanted; // an error, or KILLS
    unsigned by;
    bool sanitizer; // a sanitizer needs it as well
} REFUSED[] = {
    {"reading /etc/passwd", open_passwd, EACCES, FILES, false},
    {"reading a file outside", open_outside, EACCES, FILES, false},
    {"writing a file outside", write_outside, EACCES, FILES, false},
    {"making a file outside", make_outside, EACCES, FILES, false},
    {"listing a folder outside", list_outside, EACCES, FILES, false},
    {"removing a file outside", remove_outside, EACCES, FILES, false},
    {"truncating a file outside", truncate_outside, EPERM, CALLS, false},
    {"moving a file out", move_out, EACCES, FILES, false},
    {"following a link out", open_by_link, EACCES, FILES, false},
    {"writing a configuration", write_configuration, EACCES, FILES, false},
    {"making a folder", make_folder, EPERM, CALLS, false},
    {"making a socket", make_socket, EPERM, CALLS, false},
    {"connecting one", connect_out, EPERM, CALLS, false},
    {"connecting one with its first bytes", connect_sending, EPERM, CALLS, false},
    {"binding one", bind_socket, EPERM, CALLS, false},
    {"mapping memory as a program", map_program, EPERM, CALLS, true},
    {"making it one later", protect_program, EPERM, CALLS, true},
    {"a signal to another process", signal_parent, EPERM, CALLS, true},
    {"a signal to a thread of another process", signal_parent_thread, EPERM, CALLS, false},
    {"limits of another process", limit_parent, EPERM, CALLS, false},
    {"being open to debuggers again", become_dumpable, EPERM, CALLS, true},
    {"a call that is not there yet", call_of_the_future, ENOSYS, CALLS, false},
    {"another root", change_root, KILLS, CALLS, false},
    {"another user", change_user, KILLS, CALLS, false},
    {"tracing another process", trace_parent, KILLS, CALLS, true},
    {"execve", run_program, KILLS, CALLS, true},
    {"a process of its own", make_process, KILLS, CALLS, true},
    {"another namespace", leave_namespace, KILLS, CALLS, false},
    {"a ring of calls", schedule_io, KILLS, CALLS, false},
};

// ---- a child in the sandbox ----

static void enter(option_sandbox mode)
{
    options o = {
        .db = in_folder("inside/t.db"), .config = in_folder("config/file"), .sandbox = mode};
    sandbox s;
    tcp = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sandbox_begin(&s, &o);
    sandbox_allow_options(&s, &o);
    sandbox_enter_files(&s);
    sandbox_enter_calls(&s);
    has_landlock = s.files_on;
    has_seccomp = s.calls_on;
}

// Runs body in a child that has entered; its exit code, or -1 where SIGSYS killed it.
static int in_child(int (*body)(void), option_sandbox mode)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        enter(mode);
        _exit(body());
    }
    int code = 0;
    assert_int_equal(waitpid(child, &code, 0), child);
    if (WIFSIGNALED(code)) {
        assert_int_equal(WTERMSIG(code), SIGSYS);
        return KILLS;
    }
    return WEXITSTATUS(code);
}

static int ask_landlock(void)
{
    return has_landlock ? 1 : 0;
}

static int ask_seccomp(void)
{
    return has_seccomp ? 1 : 0;
}

static int setup(void **state)
{
    (void)state;
    (void)snprintf(folder, sizeof folder, "/tmp/test_sandbox_XXXXXX");
    assert_non_null(mkdtemp(folder));
    const char *const folders[] = {"inside", "outside", "config"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        assert_int_equal(mkdir(in_folder(folders[i]), 0700), 0);
        char file[32];
        (void)snprintf(file, sizeof file, "%s/file", folders[i]);
        put_file(in_folder(file));
    }
    assert_int_equal(symlink("/etc/passwd", in_folder("inside/link")), 0);
    has_landlock = in_child(ask_landlock, OPTION_SANDBOX_ON) == 1;
    has_seccomp = in_child(ask_seccomp, OPTION_SANDBOX_ON) == 1;
    (void)printf("Landlock %s, seccomp %s\n",
                 has_landlock ? "on" : "NOT HERE: its tests are skipped",
                 has_seccomp ? "on" : "NOT HERE: its tests are skipped");
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    static const char *const files[] = {
        "inside/file",  "inside/link", "inside/t.db", "inside/new", "config/file",
        "outside/file", "inside",      "outside",     "config",     ""};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        (void)remove(in_folder(files[i]));
    }
    return 0;
}

// ---- tests ----

static void attempts_are_refused(void **state)
{
    (void)state;
    size_t skipped = 0;
    const size_t count = sizeof REFUSED / sizeof *REFUSED;
    for (size_t i = 0; i < count; i++) {
        const struct attempt *a = &REFUSED[i];
        const bool here = a->by == FILES ? has_landlock : has_seccomp;
        if (!here || (SANDBOX_SANITIZER && a->sanitizer)) {
            skipped++;
            continue;
        }
        const int got = in_child(a->run, OPTION_SANDBOX_ON);
        if (got != a->wanted) {
            fail_msg("%s: %d, not %d", a->name, got, a->wanted);
        }
    }
    (void)printf("%zu attempts, %zu skipped\n", count, skipped);
    if (skipped == count) {
        skip();
    }
    // Nothing of it has happened.
    assert_int_equal(access(in_folder("outside/file"), F_OK), 0);
    assert_int_equal(access(in_folder("inside/file"), F_OK), 0);
    assert_int_not_equal(access(in_folder("outside/new"), F_OK), 0);
}

// So that the tests above cannot pass by accident: without the sandbox the same is allowed.
static void off_allows_it(void **state)
{
    (void)state;
    assert_int_equal(in_child(open_passwd, OPTION_SANDBOX_OFF), 0);
    assert_int_equal(in_child(open_outside, OPTION_SANDBOX_OFF), 0);
    assert_int_equal(in_child(make_socket, OPTION_SANDBOX_OFF), 0);
    assert_int_equal(in_child(signal_parent_thread, OPTION_SANDBOX_OFF), 0);
    assert_int_equal(in_child(limit_parent, OPTION_SANDBOX_OFF), 0);
    assert_int_equal(in_child(connect_out, OPTION_SANDBOX_OFF), ECONNREFUSED);
    assert_int_not_equal(in_child(connect_sending, OPTION_SANDBOX_OFF), EPERM);
    assert_int_equal(in_child(make_process, OPTION_SANDBOX_OFF), 0);
    assert_int_equal(in_child(map_program, OPTION_SANDBOX_OFF), 0);
    assert_int_equal(in_child(run_program, OPTION_SANDBOX_OFF), 0);
}

static void *nothing(void *argument)
{
    return argument;
}

// The calls that a daemon makes all day.
static int work(void)
{
    pthread_t thread;
    struct rlimit limit;
    char seen[8];
    void *block = malloc((size_t)64 << 20);
    int fd = open(in_folder("inside/new"), O_CREAT | O_RDWR | O_CLOEXEC, 0600);
    int config = open(in_folder("config/file"), O_RDONLY | O_CLOEXEC);
    int code = 0;
    code |= block == NULL || (block = realloc(block, (size_t)96 << 20)) == NULL ? 1 : 0;
    code |= fd < 0 || write(fd, "abc", 3) != 3 || pread(fd, seen, 3, 0) != 3 || fsync(fd) != 0 ||
                    ftruncate(fd, 1) != 0
                ? 2
                : 0;
    code |= rename(in_folder("inside/new"), in_folder("inside/newer")) != 0 ||
                    unlink(in_folder("inside/newer")) != 0
                ? 4
                : 0;
    code |= config < 0 || read(config, seen, 3) != 3 ? 8 : 0;
    code |= pthread_create(&thread, NULL, nothing, NULL) != 0 || pthread_join(thread, NULL) != 0
                ? 16
                : 0;
    code |= try_open("/etc/shadow-of-nothing", O_RDONLY) != ENOENT ? 32 : 0;
    code |= pthread_kill(pthread_self(), 0) != 0 || getrlimit(RLIMIT_NOFILE, &limit) != 0 ? 64 : 0;
    free(block);
    return code;
}

// A file of this name that has taken the place of the one that was there.
static int read_replaced(void)
{
    return try_open(in_folder("config/file"), O_RDONLY);
}

static void the_daemon_works(void **state)
{
    (void)state;
    assert_int_equal(in_child(work, OPTION_SANDBOX_ON), 0);
    put_file(in_folder("config/next"));
    assert_int_equal(rename(in_folder("config/next"), in_folder("config/file")), 0);
    assert_int_equal(in_child(read_replaced, OPTION_SANDBOX_ON), 0);
}

static sem_t go, gone;

static void *wait_and_try(void *result)
{
    (void)sem_wait(&go);
    *(int *)result = make_socket();
    (void)sem_post(&gone);
    return NULL;
}

// A thread that was there before is in the sandbox of calls as well.
static int older_thread_child(void)
{
    int result = -1;
    pthread_t thread;
    (void)sem_init(&go, 0, 0);
    (void)sem_init(&gone, 0, 0);
    if (pthread_create(&thread, NULL, wait_and_try, &result) != 0) {
        return 100;
    }
    enter(OPTION_SANDBOX_ON);
    (void)sem_post(&go);
    (void)sem_wait(&gone);
    return result;
}

static void older_threads_are_in_it(void **state)
{
    (void)state;
    if (!has_seccomp) {
        print_message("skipped: seccomp is not in this kernel\n");
        skip();
    }
    assert_int_equal(in_child(older_thread_child, OPTION_SANDBOX_OFF), EPERM);
}

// SQLite puts what does not fit into memory into files of its own: beside the database.
static int spill_child(void)
{
    store *disk = NULL;
    sqlite3 *db = NULL;
    nav_error err = {0};
    if (store_open(in_folder("inside/t.db"), &disk, &err) != NAV_OK) {
        return 1;
    }
    int code = sqlite3_open(in_folder("inside/t.db"), &db);
    code =
        code == SQLITE_OK
            ? sqlite3_exec(db,
                           "PRAGMA temp_store=FILE; PRAGMA temp.cache_size=4;"
                           "CREATE TEMP TABLE t AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL "
                           "SELECT i + 1 FROM n WHERE i < 4000) SELECT i, randomblob(500) b FROM n;"
                           "CREATE TEMP TABLE u AS SELECT b FROM t ORDER BY b",
                           NULL, NULL, NULL)
            : code;
    (void)sqlite3_close(db);
    store_close(disk);
    return code;
}

static void temporary_files_are_beside_the_database(void **state)
{
    (void)state;
    assert_int_equal(in_child(spill_child, OPTION_SANDBOX_ON), SQLITE_OK);
}

// A link to a database elsewhere: its log lies beside the file, not beside the link.
static int open_linked_child(void)
{
    store *disk = NULL;
    nav_error err = {0};
    nav_status status = store_open(in_folder("inside/t.db"), &disk, &err);
    store_close(disk);
    return status == NAV_OK ? 0 : 1;
}

static void a_linked_database_opens(void **state)
{
    (void)state;
    (void)remove(in_folder("inside/t.db"));
    assert_int_equal(symlink("../outside/real.db", in_folder("inside/t.db")), 0);
    put_file(in_folder("outside/real.db"));
    assert_int_equal(truncate(in_folder("outside/real.db"), 0), 0);
    assert_int_equal(in_child(open_linked_child, OPTION_SANDBOX_ON), 0);
    (void)remove(in_folder("outside/real.db"));
    (void)remove(in_folder("inside/t.db"));
}

// A file right in /etc is no reason to open all of /etc.
static int shared_folder_child(void)
{
    const options o = {.db = in_folder("inside/t.db"), .config = "/etc/hostname"};
    sandbox s;
    sandbox_begin(&s, &o);
    sandbox_allow_options(&s, &o);
    sandbox_enter_files(&s);
    return (try_open("/etc/hostname", O_RDONLY) == 0 ? 0 : 1) + (open_passwd() == EACCES ? 0 : 2);
}

static void a_file_in_a_shared_folder_is_alone(void **state)
{
    (void)state;
    if (!has_landlock || access("/etc/hostname", R_OK) != 0) {
        print_message("skipped: Landlock is not in this kernel, or there is no /etc/hostname\n");
        skip();
    }
    assert_int_equal(in_child(shared_folder_child, OPTION_SANDBOX_OFF), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(attempts_are_refused),
        cmocka_unit_test(off_allows_it),
        cmocka_unit_test(the_daemon_works),
        cmocka_unit_test(older_threads_are_in_it),
        cmocka_unit_test(temporary_files_are_beside_the_database),
        cmocka_unit_test(a_linked_database_opens),
        cmocka_unit_test(a_file_in_a_shared_folder_is_alone),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
