// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// bench_bare.c: the least that libmicrohttpd can do: every request gets one reply that was made
// before. The daemon is compared with it.
//
//   bench_bare BODY_BYTES      prints its port; ends with its standard input

#include <arpa/inet.h>
#include <microhttpd.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static struct MHD_Response *response;

static enum MHD_Result on_request(void *user, struct MHD_Connection *connection, const char *path,
                                  const char *method, const char *version, const char *bytes,
                                  size_t *size_bytes, void **state)
{
    static int seen;
    (void)user, (void)path, (void)method, (void)version, (void)bytes;
    if (*state == NULL) {
        *state = &seen;
        return MHD_YES;
    }
    if (*size_bytes > 0) {
        *size_bytes = 0;
        return MHD_YES;
    }
    return MHD_queue_response(connection, MHD_HTTP_OK, response);
}

int main(int argc, char **argv)
{
    size_t body_bytes = argc > 1 ? strtoul(argv[1], NULL, 10) : 15;
    char *body = malloc(body_bytes + 1);
    if (body == NULL) {
        return 1;
    }
    memset(body, 'x', body_bytes);
    response = MHD_create_response_from_buffer(body_bytes, body, MHD_RESPMEM_MUST_FREE);
    (void)MHD_add_response_header(response, "Content-Type", "application/json");
    (void)MHD_add_response_header(response, "X-Request-Id", "01M7ZX3AH016Q4G4JXY8RJ3T11");
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (bind(fd, (struct sockaddr *)&address, length) != 0 || listen(fd, 1024) != 0 ||
        getsockname(fd, (struct sockaddr *)&address, &length) != 0) {
        perror("bench_bare");
        return 1;
    }
    unsigned threads = (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
    const struct MHD_OptionItem pool[] = {
        {threads > 1 ? MHD_OPTION_THREAD_POOL_SIZE : MHD_OPTION_END, (intptr_t)threads, NULL},
        {MHD_OPTION_END, 0, NULL}};
    struct MHD_Daemon *daemon = MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD, 0, NULL, NULL, on_request, NULL, MHD_OPTION_LISTEN_SOCKET,
        fd, MHD_OPTION_CONNECTION_LIMIT, 1024u, MHD_OPTION_ARRAY, pool, MHD_OPTION_END);
    if (daemon == NULL) {
        return 1;
    }
    printf("%u\n", ntohs(address.sin_port));
    (void)fflush(stdout);
    while (getchar() != EOF) {
    }
    MHD_stop_daemon(daemon);
    MHD_destroy_response(response);
    return 0;
}
