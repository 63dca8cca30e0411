// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// socket_hooks.c: the calls recv, send, sendmsg and epoll_ctl of this program. libmicrohttpd uses
// them like any program, and the dynamic linker binds its calls to these. So the bytes of a request
// are seen before the library reads them (it is too forgiving: see README.md), the bytes of a reply
// are counted, and our own headers join the head of a reply (response_headers.h).
//
// Sockets that are no connection of ours get what the system's calls do. socket_hooks_in_place says
// whether the binding works here; http_start insists on it, and transaction.c answers no request
// whose head has not come through.
//
// The library calls recv only when all replies before are sent, or one is awaited, so that a fault
// can be answered from within recv.

#undef _FORTIFY_SOURCE // its wrappers of the same names are not wanted in this file

#include "server/http/connections.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#define DRAIN_CALLS_MAX 64
#define JOINED_BYTES_MAX 2048u // copying this much costs less than it saves

static ssize_t read_socket(int fd, void *bytes, size_t size_bytes, int flags)
{
    return recvfrom(fd, bytes, size_bytes, flags, NULL, NULL);
}

static ssize_t answer_fault(connection *c)
{
    if (connection_fail(c)) {
        const raw_error sent = raw_error_send(c, &c->fault);
        raw_error_count(&sent);
        (void)shutdown(c->fd, SHUT_WR);
    }
    // Drops what a client goes on sending after its reply: a socket that is closed with bytes
    // unread resets the connection, and then the reply is lost. The reaper ends it if the client
    // does not.
    char rest[4096];
    for (int i = 0; i < DRAIN_CALLS_MAX; i++) {
        ssize_t got = read_socket(c->fd, rest, sizeof rest, MSG_DONTWAIT);
        if (got <= 0) {
            return got;
        }
    }
    return 0;
}

// A request that was suspended has its reply first: the library asks for more before it is sent.
static ssize_t answer_fault_in_turn(connection *c)
{
    if (connection_owes_reply(c)) {
        (void)shutdown(c->fd, SHUT_RD);
        errno = EAGAIN;
        return -1;
    }
    return answer_fault(c);
}

// Whether the client has closed its side in the middle of a request. The library takes a short read
// for the last one until epoll reports more. It has already heard of an end that came together with
// the bytes, and would wait for it until the deadline.
static bool has_given_up(const connection *c)
{
    char next;
    return proto_wire_phase_of(&c->wire) != PROTO_WIRE_BETWEEN &&
           read_socket(c->fd, &next, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

ssize_t recv(int fd, void *bytes, size_t size_bytes, int flags)
{
    connection *c = connection_of(fd);
    if (c == NULL) {
        return read_socket(fd, bytes, size_bytes, flags);
    }
    if (c->fault.status != NAV_OK) {
        return answer_fault_in_turn(c);
    }
    ssize_t got = read_socket(fd, bytes, size_bytes, flags);
    NAV_ASSERT(got < 0 || (size_t)got <= size_bytes);
    if (got == 0 && connection_owes_reply(c)) {
        // The library would drop the connection. The reaper finds the end once the reply is out.
        errno = EAGAIN;
        return -1;
    }
    if (got <= 0) {
        return got;
    }
    c->pieces++;
    size_t taken = connection_take(c, bytes, (size_t)got);
    NAV_ASSERT(taken <= (size_t)got);
    if (taken == 0) {
        return answer_fault_in_turn(c);
    }
    // Whole requests come first. The end of the stream makes the library ask once more.
    if (c->fault.status != NAV_OK || ((size_t)got < size_bytes && has_given_up(c))) {
        (void)shutdown(fd, SHUT_RD);
    }
    return (ssize_t)taken;
}

static void count_sent(connection *c, ssize_t sent)
{
    if (sent > 0) {
        // Only this thread writes it.
        const uint64_t before = atomic_load_explicit(&c->sent_bytes, memory_order_relaxed);
        atomic_store_explicit(&c->sent_bytes, before + (uint64_t)sent, memory_order_relaxed);
    }
}

// Joins pieces that are small together, such as a head and its body; 0: they are not.
static size_t join(const struct iovec *pieces, size_t count, char out[JOINED_BYTES_MAX])
{
    size_t size_bytes = 0;
    for (size_t i = 0; i < count; i++) {
        if (pieces[i].iov_len > JOINED_BYTES_MAX - size_bytes) {
            return 0;
        }
        if (pieces[i].iov_len > 0) {
            memcpy(out + size_bytes, pieces[i].iov_base, pieces[i].iov_len);
        }
        size_bytes += pieces[i].iov_len;
    }
    return size_bytes;
}

// The kernel takes 0.2 us longer for a message in pieces than for one that was joined before.
static ssize_t send_pieces(connection *c, struct iovec *pieces, size_t count, int flags)
{
    char joined[JOINED_BYTES_MAX];
    const size_t size_bytes = join(pieces, count, joined);
    const struct msghdr message = {.msg_iov = pieces, .msg_iovlen = count};
    const ssize_t sent = size_bytes > 0 ? sendto(c->fd, joined, size_bytes, flags, NULL, 0)
                                        : syscall(SYS_sendmsg, c->fd, &message, flags);
    count_sent(c, sent);
    return sent;
}

// With our own headers, as long as some of them wait to go out.
static ssize_t send_with_headers(connection *c, const struct iovec *pieces, size_t count, int flags)
{
    struct iovec all[RESPONSE_PIECES_MAX];
    const size_t all_count = response_headers_insert(&c->headers, pieces, count, all);
    return response_headers_take(&c->headers, send_pieces(c, all, all_count, flags));
}

ssize_t send(int fd, const void *bytes, size_t size_bytes, int flags)
{
    connection *c = connection_of(fd);
    if (c != NULL && response_headers_wait(&c->headers) && size_bytes > 0) {
        const struct iovec piece = {(void *)(uintptr_t)bytes, size_bytes};
        return send_with_headers(c, &piece, 1, flags);
    }
    const ssize_t sent = sendto(fd, bytes, size_bytes, flags, NULL, 0);
    if (c != NULL) {
        count_sent(c, sent);
    }
    return sent;
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags)
{
    connection *c = connection_of(fd);
    if (c == NULL || message->msg_name != NULL || message->msg_control != NULL) {
        return syscall(SYS_sendmsg, fd, message, flags);
    }
    return response_headers_wait(&c->headers)
               ? send_with_headers(c, message->msg_iov, message->msg_iovlen, flags)
               : send_pieces(c, message->msg_iov, message->msg_iovlen, flags);
}

// When it stops listening, the library takes the listener out of each thread's epoll set from two
// sides: MHD_quiesce_daemon does, and so does the thread itself if something wakes it meanwhile.
// The second of them gets ENOENT and aborts the process (0.9.75 expects that of one of the sets
// only). The listener is gone, which is all that both of them want.
int epoll_ctl(int set, int operation, int fd, struct epoll_event *event)
{
    const long result = syscall(SYS_epoll_ctl, set, operation, fd, event);
    return result != 0 && operation == EPOLL_CTL_DEL && errno == ENOENT ? 0 : (int)result;
}

bool socket_hooks_in_place(void)
{
    ssize_t (*our_recv)(int, void *, size_t, int) = recv;
    int (*our_epoll_ctl)(int, int, int, struct epoll_event *) = epoll_ctl;
    void *found_recv = dlsym(RTLD_DEFAULT, "recv"), *found = dlsym(RTLD_DEFAULT, "epoll_ctl");
    return found != NULL && memcmp(&found, &our_epoll_ctl, sizeof found) == 0 &&
           found_recv != NULL && memcmp(&found_recv, &our_recv, sizeof found_recv) == 0;
}
