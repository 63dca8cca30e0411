// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// http_loads.c: pairs of places, requests about them, and what a program spends on those.

#include "tests/bench/http_loads.h"

#include "core/nav.h"
#include "tests/bench/http_client.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CONNECTIONS 16
#define BODY_BYTES 16384

static const char *query_string(const float *p)
{
    static char text[160];
    (void)snprintf(text, sizeof text, "start=%.2f,%.2f,%.2f&end=%.2f,%.2f,%.2f", (double)p[0],
                   (double)p[1], (double)p[2], (double)p[3], (double)p[4], (double)p[5]);
    return text;
}

// A number from 0 to 1 that is the same in every run.
static float next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (float)(*seed >> 8) / 16777216.0f;
}

void loads_choose_pair(uint32_t *seed, float side_m, float reach_m, pair *chosen)
{
    float *out = chosen->ends;
    float apart_m;
    do {
        for (uint32_t i = 0; i < 6; i++) {
            float part = i % 3 == 1 ? 0.0f : next_random(seed);
            out[i] = i < 3 || reach_m <= 0 ? part * side_m
                                           : out[i - 3] + (i == 4 ? 0 : 2 * part - 1) * reach_m;
        }
        apart_m = hypotf(out[3] - out[0], out[5] - out[2]);
    } while (reach_m > 0 && (apart_m < reach_m / 3 || apart_m > reach_m));
}

void loads_choose_pairs(uint16_t port, float side_m, float reach_m, pair out[PAIRS])
{
    client c = http_client_open(port);
    uint32_t seed = 1;
    for (uint32_t found = 0; found < PAIRS;) {
        loads_choose_pair(&seed, side_m, reach_m, &out[found]);
        char path[256];
        (void)snprintf(path, sizeof path, MESH "/path?%s", query_string(out[found].ends));
        http_client_ask(&c, "GET", path, NULL, NULL, 0);
        found += strstr(http_client_body(&c), "\"complete\"") != NULL;
    }
    http_client_close(&c);
}

// ---- requests ----

static int put_points(char *out, size_t room, const float *p)
{
    return snprintf(out, room, "{\"start\":[%.2f,%.2f,%.2f],\"end\":[%.2f,%.2f,%.2f]}",
                    (double)p[0], (double)p[1], (double)p[2], (double)p[3], (double)p[4],
                    (double)p[5]);
}

// The body of a row's request that begins with one of the pairs; returns its length.
static size_t put_body(body_form form, const pair *pairs, uint32_t first, char body[BODY_BYTES])
{
    size_t used = 0;
    switch (form) {
    case NO_BODY:
        return 0;
    case ONE_QUERY:
        return (size_t)put_points(body, BODY_BYTES, pairs[first].ends);
    case BATCH:
        used = (size_t)snprintf(body, BODY_BYTES, "{\"queries\":[");
        for (uint32_t i = 0; i < PAIRS; i++) {
            used +=
                (size_t)put_points(body + used, BODY_BYTES - used, pairs[(first + i) % PAIRS].ends);
            body[used++] = i + 1 < PAIRS ? ',' : ']';
        }
        body[used++] = '}';
        return used;
    case PACKED: {
        // The layout is told in proto/requests/README.md; numbers are this machine's,
        // little-endian.
        const uint32_t words[4] = {0x5156414e, 1, PAIRS, 0};
        const nav_snap snap = nav_snap_default();
        const float reach[3] = {snap.horizontal, snap.up, snap.down};
        memset(body, 0, 96);
        memcpy(body, words, sizeof words);
        memcpy(body + 32, reach, sizeof reach);
        for (uint32_t i = 0; i < PAIRS; i++) {
            memcpy(body + 96 + 24 * i, pairs[(first + i) % PAIRS].ends, 24);
        }
        return 96 + 24 * PAIRS;
    }
    }
    return 0;
}

load loads_make(uint16_t port, const char *method, const char *path_format, body_form form,
                const pair *pairs)
{
    static char body[BODY_BYTES];
    const char *type = form == PACKED ? "application/vnd.navmeshd.paths" : "application/json";
    load l = {0};
    client c = http_client_open(port);
    for (uint32_t i = 0; i < PAIRS; i++) {
        char path[256];
        (void)snprintf(path, sizeof path, "%s", path_format);
        char *query = strstr(path, "%s");
        if (query != NULL) {
            (void)snprintf(query, sizeof path - (size_t)(query - path), "%s",
                           query_string(pairs[i].ends));
        }
        size_t body_bytes = put_body(form, pairs, i, body);
        l.texts[i] = http_client_request(method, path, type, form != NO_BODY ? body : NULL,
                                         body_bytes, &l.size_bytes[i]);
        http_client_send(&c, l.texts[i], l.size_bytes[i]);
        http_client_receive(&c);
        if (c.status != 200) {
            (void)fprintf(stderr, "%s: %s\n", path, http_client_body(&c));
            exit(1);
        }
        l.reply_bytes += c.body_bytes;
    }
    l.reply_bytes /= PAIRS;
    http_client_close(&c);
    return l;
}

double loads_measure(const program *p, const load *l, uint32_t requests)
{
    client clients[CONNECTIONS];
    for (uint32_t i = 0; i < CONNECTIONS; i++) {
        clients[i] = http_client_open(p->port);
    }
    double begin_us = 0;
    uint32_t warm = requests / 10, asked = 0;
    while (asked < requests + warm) {
        if (begin_us == 0 && asked >= warm) {
            begin_us = program_cpu_us(p);
            warm = asked;
        }
        for (uint32_t i = 0; i < CONNECTIONS; i++) {
            uint32_t which = (asked + i) % PAIRS;
            http_client_send(&clients[i], l->texts[which], l->size_bytes[which]);
        }
        for (uint32_t i = 0; i < CONNECTIONS; i++) {
            http_client_receive(&clients[i]);
        }
        asked += CONNECTIONS;
    }
    double cost_us = (program_cpu_us(p) - begin_us) / (asked - warm);
    for (uint32_t i = 0; i < CONNECTIONS; i++) {
        http_client_close(&clients[i]);
    }
    return cost_us;
}
