// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// client.c: a client of HTTP/1.1 that asks once: the question with Connection: close, then all that
// comes until the stream ends, which is the answer.
//
// It reads and writes its socket as a file: recv and send of this program are those of the
// listeners (http/socket_hooks.c).

#include "server/app/client.h"

#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#define CONNECT_S 10
#define PATIENCE_S 300 // without a byte; no question takes longer
#define ANSWER_BYTES_FIRST ((size_t)64 << 10)
#define ANSWER_BYTES_MAX ((size_t)4 << 30)
#define HTTP_PREFIX "http://"
#define UNIX_PREFIX "unix:"
#define HOST_BYTES 256

struct client {
    int fd;
    char host[HOST_BYTES]; // for the header
};

// ---- the connection ----

static nav_status fail_address(const char *url, const char *why, nav_error *err)
{
    nav_fail(err, NAV_INVALID_FIELD, "--url %.100s: %s", url, why);
    nav_error_at(err, "url");
    nav_error_got(err, "%.60s", url);
    return NAV_INVALID_FIELD;
}

static nav_status fail_connection(const char *url, const char *why, nav_error *err)
{
    return nav_fail(err, PROTO_OVERLOADED,
                    "no daemon answers at %.100s: %s. Start it, or name its address with --url",
                    url, why);
}

static void set_patience(int fd, long seconds)
{
    const struct timeval time = {.tv_sec = seconds};
    (void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time);
    (void)setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &time, sizeof time);
}

// -1 with errno: nobody is there.
static int connect_to(int family, const struct sockaddr *address, socklen_t address_bytes)
{
    const int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        return -1;
    }
    set_patience(fd, CONNECT_S);
    if (connect(fd, address, address_bytes) != 0) {
        const int code = errno == EINPROGRESS ? ETIMEDOUT : errno;
        (void)close(fd);
        errno = code;
        return -1;
    }
    set_patience(fd, PATIENCE_S);
    return fd;
}

static nav_status open_unix(const char *url, client *c, nav_error *err)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const char *path = url + strlen(UNIX_PREFIX);
    if (path[0] == '\0' || strlen(path) >= sizeof address.sun_path) {
        return fail_address(url, "write unix:PATH, a path of at most 107 bytes", err);
    }
    (void)strcpy(address.sun_path, path);
    (void)strcpy(c->host, "localhost");
    c->fd = connect_to(AF_UNIX, (const struct sockaddr *)&address, sizeof address);
    return c->fd >= 0 ? NAV_OK : fail_connection(url, strerror(errno), err);
}

// "[::1]:7650", "localhost" --> the name without brackets, and the port. A path other than / is
// none of an address.
static bool split_host(const char *text, char name[HOST_BYTES], char port[6])
{
    const size_t length = strcspn(text, "/");
    if (length == 0 || length >= HOST_BYTES || (text[length] == '/' && text[length + 1] != '\0')) {
        return false;
    }
    const bool bracketed = text[0] == '[';
    const size_t name_bytes = bracketed ? strcspn(text + 1, "]/") : strcspn(text, ":/");
    const char *after = bracketed ? text + 1 + name_bytes : text + name_bytes;
    if (name_bytes == 0 || (bracketed && *after != ']')) {
        return false;
    }
    (void)snprintf(name, HOST_BYTES, "%.*s", (int)name_bytes, text + (bracketed ? 1 : 0));
    after += bracketed ? 1 : 0;
    if (after == text + length) {
        (void)strcpy(port, "80");
        return true;
    }
    const size_t digits = *after == ':' ? strspn(after + 1, "0123456789") : 0;
    (void)snprintf(port, 6, "%.*s", (int)digits, after + 1);
    return digits > 0 && digits <= 5 && after + 1 + digits == text + length &&
           strtoul(port, NULL, 10) <= 65535 && strtoul(port, NULL, 10) > 0;
}

static nav_status open_tcp(const char *url, client *c, nav_error *err)
{
    char name[HOST_BYTES], port[6];
    const char *text = url + strlen(HTTP_PREFIX);
    if (!split_host(text, name, port)) {
        return fail_address(url, "write http://HOST:PORT", err);
    }
    (void)snprintf(c->host, sizeof c->host, "%.*s", (int)strcspn(text, "/"), text);
    const struct addrinfo wanted = {.ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    const int code = getaddrinfo(name, port, &wanted, &found);
    if (code != 0) {
        return fail_connection(url, gai_strerror(code), err);
    }
    for (const struct addrinfo *at = found; c->fd < 0 && at != NULL; at = at->ai_next) {
        c->fd = connect_to(at->ai_family, at->ai_addr, at->ai_addrlen);
    }
    const int why = errno;
    freeaddrinfo(found);
    return c->fd >= 0 ? NAV_OK : fail_connection(url, strerror(why), err);
}

nav_status client_open(const char *url, client **out, nav_error *err)
{
    client *c = calloc(1, sizeof *c);
    if (c == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory to ask a daemon");
    }
    c->fd = -1;
    nav_status status;
    if (strncmp(url, UNIX_PREFIX, strlen(UNIX_PREFIX)) == 0) {
        status = open_unix(url, c, err);
    } else if (strncmp(url, HTTP_PREFIX, strlen(HTTP_PREFIX)) == 0) {
        status = open_tcp(url, c, err);
    } else {
        status = fail_address(url, "write http://HOST:PORT or unix:PATH; TLS is not spoken", err);
    }
    if (status != NAV_OK) {
        client_close(c);
        return status;
    }
    *out = c;
    return NAV_OK;
}

void client_close(client *c)
{
    if (c != NULL) {
        if (c->fd >= 0) {
            (void)close(c->fd);
        }
        free(c);
    }
}

// ---- the question ----

static void write_escaped(proto_writer *w, const char *text)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                                "-._~,:";
    while (*text != '\0') {
        const size_t length = strspn(text, plain);
        proto_write_text(w, "%.*s", (int)length, text);
        text += length;
        if (*text != '\0') {
            proto_write_text(w, "%%%02X", (unsigned char)*text++);
        }
    }
}

static void write_question(proto_writer *w, const client *c, const http_question *asked,
                           const char *token)
{
    proto_write_text(w, "%s %s", asked->method, asked->path);
    for (size_t i = 0; i < asked->arg_count; i++) {
        proto_write_text(w, i == 0 ? "?" : "&");
        write_escaped(w, asked->args[i].key);
        proto_write_text(w, "=");
        write_escaped(w, asked->args[i].value);
    }
    proto_write_text(w, " HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n", c->host);
    if (token != NULL) {
        proto_write_text(w, "Authorization: Bearer %s\r\n", token);
    }
    if (asked->body != NULL) {
        proto_write_text(w, "Content-Type: application/json\r\nContent-Length: %zu\r\n",
                         asked->body_bytes);
    }
    proto_write_text(w, "\r\n");
}

// False: the other side has gone.
static bool write_all(int fd, const char *bytes, size_t size_bytes)
{
    while (size_bytes > 0) {
        const ssize_t put = write(fd, bytes, size_bytes);
        if (put <= 0 && !(put < 0 && errno == EINTR)) {
            return false;
        }
        bytes += put > 0 ? put : 0;
        size_bytes -= put > 0 ? (size_t)put : 0;
    }
    return true;
}

// ---- the answer ----

static nav_status fail_answer(nav_error *err)
{
    return nav_fail(err, PROTO_BAD_FRAMING,
                    "what came back is no whole answer of HTTP/1.1: is it a navmeshd that listens "
                    "there?");
}

// All bytes until the stream ends, with a zero behind them.
static nav_status read_all(int fd, char **out, size_t *size_bytes, nav_error *err)
{
    char *bytes = NULL;
    size_t used = 0, capacity = 0;
    for (;;) {
        if (used + 1 >= capacity) {
            capacity = capacity > 0 ? capacity * 2 : ANSWER_BYTES_FIRST;
            char *grown = capacity <= ANSWER_BYTES_MAX ? realloc(bytes, capacity) : NULL;
            if (grown == NULL) {
                free(bytes);
                return nav_fail(err, NAV_NO_MEMORY, "no memory for the answer");
            }
            bytes = grown;
        }
        const ssize_t got = read(fd, bytes + used, capacity - used - 1);
        if (got > 0) {
            used += (size_t)got;
        } else if (got == 0) {
            break;
        } else if (errno != EINTR) {
            // A daemon that refuses a large body answers first, and then cuts the line.
            if (used > 0 && errno == ECONNRESET) {
                break;
            }
            const int code = errno;
            free(bytes);
            return nav_fail(err, PROTO_OVERLOADED, "the daemon's answer broke off: %s",
                            code == EAGAIN ? "it took too long" : strerror(code));
        }
    }
    NAV_ASSERT(bytes != NULL && used < capacity);
    bytes[used] = '\0';
    *out = bytes;
    *size_bytes = used;
    return NAV_OK;
}

// The value of a header in the head's lines, NULL where it is not there.
static const char *header_of(const char *head, size_t head_bytes, const char *name)
{
    const size_t length = strlen(name);
    const char *end = head + head_bytes;
    for (const char *at = memchr(head, '\n', head_bytes); at != NULL && at + 1 < end;
         at = memchr(at + 1, '\n', (size_t)(end - at - 1))) {
        const char *line = at + 1;
        if ((size_t)(end - line) > length && strncasecmp(line, name, length) == 0 &&
            line[length] == ':') {
            return line + length + 1 + strspn(line + length + 1, " \t");
        }
    }
    return NULL;
}

// Puts chunks together, in place. False: they do not come to an end.
static bool join_chunks(char *body, size_t size_bytes, size_t *out_bytes)
{
    size_t at = 0, used = 0;
    for (;;) {
        const char *line = body + at;
        const char *end = memchr(line, '\n', size_bytes - at);
        const size_t digits = end != NULL ? strspn(line, "0123456789abcdefABCDEF") : 0;
        if (digits == 0 || digits > 15) {
            return false;
        }
        const size_t chunk = (size_t)strtoull(line, NULL, 16);
        at = (size_t)(end + 1 - body);
        if (chunk == 0) {
            *out_bytes = used;
            return true;
        }
        if (chunk > size_bytes - at || size_bytes - at - chunk < 2) {
            return false;
        }
        memmove(body + used, body + at, chunk);
        used += chunk;
        at += chunk + 2;
    }
}

nav_status client_read_answer(const char *bytes, size_t size_bytes, reply *out, nav_error *err)
{
    const char *end = memmem(bytes, size_bytes, "\r\n\r\n", 4);
    *out = (reply){0};
    if (end == NULL || strncmp(bytes, "HTTP/1.1 ", 9) != 0 ||
        strspn(bytes + 9, "0123456789") != 3 || bytes[9] == '0') {
        return fail_answer(err);
    }
    const size_t head_bytes = (size_t)(end + 2 - bytes);
    const size_t body_bytes = size_bytes - head_bytes - 2;
    const char *length = header_of(bytes, head_bytes, "Content-Length");
    const char *coding = header_of(bytes, head_bytes, "Transfer-Encoding");
    // A zero behind it, for those who read numbers.
    char *body = malloc(body_bytes + 1);
    if (body == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory for the answer");
    }
    memcpy(body, end + 4, body_bytes);
    body[body_bytes] = '\0';
    out->body_bytes = body_bytes;
    const bool whole = coding != NULL ? strncasecmp(coding, "chunked", 7) == 0 &&
                                            join_chunks(body, body_bytes, &out->body_bytes)
                       : length != NULL ? strtoull(length, NULL, 10) == body_bytes
                                        : true;
    if (!whole) {
        free(body);
        *out = (reply){0};
        return fail_answer(err);
    }
    body[out->body_bytes] = '\0';
    out->status = (int)strtol(bytes + 9, NULL, 10);
    out->body = body;
    return NAV_OK;
}

nav_status client_ask(client *c, const http_question *asked, const char *token, reply *out,
                      nav_error *err)
{
    proto_writer w;
    size_t head_bytes = 0, size_bytes = 0;
    char *bytes = NULL;
    NAV_ASSERT(c->fd >= 0);
    proto_writer_init(&w);
    write_question(&w, c, asked, token);
    char *head = proto_writer_take(&w, &head_bytes);
    proto_writer_free(&w);
    if (head == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory to ask a daemon");
    }
    // One that refuses the question may answer before it has read all of it.
    if (write_all(c->fd, head, head_bytes) && asked->body != NULL) {
        (void)write_all(c->fd, asked->body, asked->body_bytes);
    }
    free(head);
    nav_status status = read_all(c->fd, &bytes, &size_bytes, err);
    if (status == NAV_OK) {
        NAV_ASSERT(bytes != NULL);
        status = client_read_answer(bytes, size_bytes, out, err);
    }
    free(bytes);
    return status;
}
