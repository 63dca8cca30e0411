// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// sandbox_calls.c: the list of system calls that a started daemon needs, and the program for the
// kernel that is made of it (seccomp(2), Documentation/userspace-api/seccomp_filter.rst).
//
//   another processor's calls ---> the process is killed
//   a row of ROWS --------------> allowed; with a condition on an argument: else EPERM or killed
//   a row of KILLED ------------> the process is killed: nothing of ours or of the libraries calls
//                                 them, so that a caller has taken the process over
//   newer than this list -------> ENOSYS, which libraries that try new calls know how to take
//   all others -----------------> EPERM: a library that tries one goes on without it
//
// Sockets cannot be made, bound or connected any more: those that the daemon has were open before.
// Rows without a condition cost next to nothing, wherever they stand: the kernel finds out once
// that they are always allowed (5.11). Before that the order counts, so frequent ones come first.

#include "server/app/sandbox.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <linux/sockios.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef ARCHITECTURE

// Two requests of ioctl whose numbers differ in one bit are one condition.
#define QUESTIONS_DIFFER (TCGETS ^ SIOCOUTQ)
#define QUESTIONS_SHARE (TCGETS & SIOCOUTQ)
_Static_assert((QUESTIONS_DIFFER & (QUESTIONS_DIFFER - 1)) == 0, "one bit");

#define OTHER_ABI 0x40000000u // x32 numbers its calls from here on
#define NEWEST 450u           // set_mempolicy_home_node, Linux 5.17: what this list was made with
#define CLONE_NEW                                                                                  \
    (CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID |  \
     CLONE_NEWNET)

#define ALLOWED SECCOMP_RET_ALLOW
#define REFUSED (SECCOMP_RET_ERRNO | EPERM)
#define UNKNOWN (SECCOMP_RET_ERRNO | ENOSYS)
#define DEADLY SECCOMP_RET_KILL_PROCESS

#define CALL(name)                                                                                 \
    {                                                                                              \
        .number = __NR_##name, .action = ALLOWED                                                   \
    }
// Allowed where the bits of mask in the argument are value.
#define CALL_IF(name, index, bits, wanted, otherwise)                                              \
    {                                                                                              \
        .number = __NR_##name, .argument = (index), .mask = (uint32_t)(bits),                      \
        .value = (uint32_t)(wanted), .action = (otherwise)                                         \
    }

typedef struct row {
    uint32_t number;
    uint32_t argument, mask, value; // mask 0: no condition
    uint32_t action;                // with a condition: where it does not hold
} row;

static const row ROWS[] = {
    // A request: wait, read, write.
    CALL(epoll_pwait),
    CALL(recvfrom),
    // MSG_FASTOPEN connects, and what listens can be made to take it.
    CALL_IF(sendto, 3, MSG_FASTOPEN, 0, REFUSED),
    CALL_IF(sendmsg, 2, MSG_FASTOPEN, 0, REFUSED),
    CALL(epoll_ctl),
    CALL(futex),
    CALL(read),
    CALL(write),
    CALL(accept4),
    CALL(close),
    CALL(shutdown),
    CALL(clock_gettime),
    CALL(clock_nanosleep),
    CALL(setsockopt),
    CALL(getsockopt),
    CALL(getsockname),
    CALL(getpeername),
    CALL(recvmsg),
    CALL(accept),
    CALL(ppoll),
    CALL(pselect6),
    CALL(epoll_create1),
    CALL(eventfd2),
    CALL(sendfile),
    // Memory. None that can be written becomes a program.
    CALL_IF(mmap, 2, PROT_EXEC, 0, REFUSED),
    CALL_IF(mprotect, 2, PROT_EXEC, 0, REFUSED),
    CALL(munmap),
    CALL(mremap),
    CALL(madvise),
    CALL(brk),
    // Files: which, says Landlock.
    CALL(pread64),
    CALL(pwrite64),
    CALL(lseek),
    CALL(fdatasync),
    CALL(fsync),
    CALL(fcntl),
    CALL(flock),
    CALL(openat),
    CALL(newfstatat),
    CALL(fstat),
    CALL(statx),
    CALL(faccessat),
    CALL(faccessat2),
    CALL(readlinkat),
    CALL(unlinkat),
    CALL(renameat),
    CALL(renameat2),
    CALL(linkat),
    CALL(ftruncate),
    CALL(fallocate),
    CALL(fchmod),
    CALL(fchown),
    CALL(getdents64),
    CALL(getcwd),
    CALL(readv),
    CALL(writev),
    CALL(preadv),
    CALL(pwritev),
    CALL(dup),
    CALL(fstatfs),
    CALL(statfs),
    CALL(fadvise64),
    CALL(sync_file_range),
    CALL(umask),
    // Is it a terminal? How much of a reply has not been read? Nothing else, TIOCSTI least of all.
    CALL_IF(ioctl, 1, ~QUESTIONS_DIFFER, QUESTIONS_SHARE, REFUSED),
    // Threads. A process of its own, or one elsewhere, is none; clone3 hides which it is.
    CALL_IF(clone, 0, CLONE_THREAD | CLONE_NEW, CLONE_THREAD, DEADLY),
    {.number = __NR_clone3, .action = UNKNOWN},
    CALL(set_robust_list),
    CALL(rseq),
    CALL(exit),
    CALL(exit_group),
    CALL(gettid),
    CALL(getpid),
    CALL(getppid),
    CALL(sched_yield),
    CALL(sched_getaffinity),
    CALL(sched_getscheduler),
    CALL(sched_getparam),
    CALL(sched_setscheduler),
    CALL(getpriority),
    CALL(setpriority),
    CALL(membarrier),
    CALL(getcpu),
    CALL_IF(prctl, 0, ~0u, PR_SET_NAME, REFUSED),
    // Signals.
    CALL(rt_sigaction),
    CALL(rt_sigprocmask),
    CALL(rt_sigreturn),
    CALL(rt_sigtimedwait),
    CALL(sigaltstack),
    CALL(restart_syscall),
    // Time, chance, what the process is and may use.
    CALL(gettimeofday),
    CALL(clock_getres),
    CALL(nanosleep),
    CALL(getrandom),
    CALL(geteuid),
    CALL(getuid),
    CALL(getegid),
    CALL(getgid),
    CALL_IF(prlimit64, 0, ~0u, 0, REFUSED), // of this process alone
    CALL(getrusage),
    CALL(times),
    CALL(sysinfo),
    CALL(uname),
#ifdef __x86_64__ // what other processors never had
    CALL(epoll_wait),
    CALL(poll),
    CALL(select),
    CALL(open),
    CALL(stat),
    CALL(lstat),
    CALL(access),
    CALL(readlink),
    CALL(unlink),
    CALL(rename),
    CALL(link),
    CALL(getdents),
    CALL(time),
    CALL(getrlimit),
    CALL(arch_prctl),
#endif
};

static const uint32_t KILLED[] = {
    __NR_execve,
    __NR_execveat,
    __NR_ptrace,
    __NR_process_vm_readv,
    __NR_process_vm_writev,
    __NR_setuid,
    __NR_setgid,
    __NR_setreuid,
    __NR_setregid,
    __NR_setresuid,
    __NR_setresgid,
    __NR_setgroups,
    __NR_mount,
    __NR_umount2,
    __NR_pivot_root,
    __NR_chroot,
    __NR_unshare,
    __NR_setns,
    __NR_bpf,
    __NR_userfaultfd,
    __NR_io_uring_setup,
    __NR_open_by_handle_at,
    __NR_init_module,
    __NR_finit_module,
    __NR_kexec_load,
    __NR_keyctl,
    __NR_add_key,
    __NR_request_key,
#ifdef __x86_64__
    __NR_fork,
    __NR_vfork,
#endif
};

// The leak detector stops all threads from a process that shares their memory; races and bad
// accesses are reported with the names of what lies in memory, which clang's has a program of its
// own look up. They come first.
static const row SANITIZER_ROWS[] = {
    CALL(clone),  CALL(ptrace),
    CALL(wait4),  CALL(prctl),
    CALL(pipe2),  CALL(process_vm_readv),
    CALL(mmap),   CALL(mprotect),
    CALL(kill),   CALL(process_vm_writev),
    CALL(waitid), CALL(sched_setaffinity),
    CALL(execve), CALL(dup3),
#ifdef __x86_64__
    CALL(pipe),   CALL(dup2),
    CALL(fork),
#endif
};

// ---- the program ----

#define HEAD_SIZE 6
#define TAIL_SIZE 3
#define ROW_SIZE 6
#define COUNT(rows) (sizeof(rows) / sizeof *(rows))
#define PROGRAM_SIZE                                                                               \
    (HEAD_SIZE + TAIL_SIZE + ROW_SIZE * (COUNT(ROWS) + 1 + COUNT(SANITIZER_ROWS) + COUNT(KILLED)))

typedef struct program {
    struct sock_filter steps[PROGRAM_SIZE];
    uint16_t size;
} program;

_Static_assert(PROGRAM_SIZE <= BPF_MAXINSNS, "the kernel takes no longer program");

static void put(program *p, uint32_t code, uint32_t value)
{
    NAV_ASSERT(p->size < PROGRAM_SIZE);
    p->steps[p->size++] = (struct sock_filter)BPF_STMT((uint16_t)code, value);
}

// Compares what was loaded last; where it does not hold, as many steps are left out.
static void put_unless_skip(program *p, uint32_t code, uint32_t value, uint8_t steps)
{
    NAV_ASSERT(p->size < PROGRAM_SIZE);
    p->steps[p->size++] =
        (struct sock_filter)BPF_JUMP((uint16_t)(BPF_JMP | code | BPF_K), value, 0, steps);
}

static void put_load(program *p, size_t offset)
{
    put(p, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset);
}

static void put_row(program *p, const row *r)
{
    NAV_ASSERT((r->value & ~r->mask) == 0); // else it never holds
    NAV_ASSERT(r->number <= NEWEST);
    if (r->mask == 0) {
        put_unless_skip(p, BPF_JEQ, r->number, 1);
        put(p, BPF_RET | BPF_K, r->action);
        return;
    }
    // The lower half of the argument; both kinds of processors keep it first.
    put_unless_skip(p, BPF_JEQ, r->number, 5);
    put_load(p, offsetof(struct seccomp_data, args) + r->argument * sizeof(uint64_t));
    put(p, BPF_ALU | BPF_AND | BPF_K, r->mask);
    put_unless_skip(p, BPF_JEQ, r->value, 1);
    put(p, BPF_RET | BPF_K, ALLOWED);
    put(p, BPF_RET | BPF_K, r->action);
}

static void make_program(program *p)
{
    // A signal to a thread of another process is none of ours.
    const row signal_own = CALL_IF(tgkill, 0, ~0u, getpid(), REFUSED);
    p->size = 0;
    put_load(p, offsetof(struct seccomp_data, arch));
    p->steps[p->size++] =
        (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
    put(p, BPF_RET | BPF_K, DEADLY);
    put_load(p, offsetof(struct seccomp_data, nr));
    put_unless_skip(p, BPF_JGE, OTHER_ABI, 1);
    put(p, BPF_RET | BPF_K, DEADLY);
    for (size_t i = 0; SANDBOX_SANITIZER && i < COUNT(SANITIZER_ROWS); i++) {
        put_row(p, &SANITIZER_ROWS[i]);
    }
    for (size_t i = 0; i < COUNT(ROWS); i++) {
        put_row(p, &ROWS[i]);
    }
    put_row(p, &signal_own);
    for (size_t i = 0; i < COUNT(KILLED); i++) {
        put_row(p, &(row){.number = KILLED[i], .action = DEADLY});
    }
    put_unless_skip(p, BPF_JGT, NEWEST, 1);
    put(p, BPF_RET | BPF_K, UNKNOWN);
    put(p, BPF_RET | BPF_K, REFUSED);
}

void sandbox_enter_calls(sandbox *s)
{
    if (!s->wanted) {
        return;
    }
    program p;
    NAV_ASSERT(!s->calls_on);
    make_program(&p);
    NAV_ASSERT(p.size > 0 && p.size <= PROGRAM_SIZE);
    const struct sock_fprog filter = {.len = p.size, .filter = p.steps};
    // The daemon runs no guest's code: without SPEC_ALLOW older kernels would slow all of it down.
    const unsigned flags = SECCOMP_FILTER_FLAG_TSYNC | SECCOMP_FILTER_FLAG_SPEC_ALLOW;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
        (void)snprintf(s->calls, sizeof s->calls, "%s", strerror(errno));
        return;
    }
    const long code = syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, flags, &filter);
    if (code == 0) {
        s->calls_on = true;
        (void)snprintf(s->calls, sizeof s->calls, "on%s",
                       SANDBOX_SANITIZER ? " (wider, for a sanitizer)" : "");
    } else if (code > 0) {
        (void)snprintf(s->calls, sizeof s->calls, "thread %ld has another filter", code);
    } else {
        (void)snprintf(s->calls, sizeof s->calls, "%s",
                       errno == ENOSYS || errno == EINVAL ? "not in this kernel" : strerror(errno));
    }
}

#else // the numbers and names of another processor's calls are not known here

void sandbox_enter_calls(sandbox *s)
{
    if (s->wanted) {
        (void)snprintf(s->calls, sizeof s->calls, "not for this kind of processor");
    }
}

#endif
