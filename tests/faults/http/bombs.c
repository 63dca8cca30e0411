// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// bombs.c: bodies that are cheap to send and dear to read. Each is refused within 200 ms of the
// daemon's own CPU time, and within twice its route's bound on bodies of memory.

#include "tests/faults/http/sweep.h"
#include "tests/faults/http/talk.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MIB (1024u * 1024u)
#define BOMB_BYTES_MAX (20u * MIB)
#define CPU_MS_MAX 200.0
#define PATIENCE_MS 60000
#define ZSTD_BLOCK_BYTES (128u << 10)
// Half of what a batch may take while it is read: 64 bytes for each of a million values.
#define VALUES_MIB 32
// A process of several threads takes a little for itself now and then.
#define NOISE_KIB 1024.0

#define UPLOAD "/v1/meshes/bomb/versions?wait=1"
#define QUESTION "/v1/meshes/yard/path"
#define BATCH "/v1/meshes/yard/paths"
#define CHECKS "/v1/meshes/yard/checks"

// Writes a body; its length. text says of what.
typedef size_t (*bomb_writer)(char *out, const char *text);

static size_t zeros(char *out, const char *text)
{
    (void)text;
    memset(out, 0, 16 * MIB);
    return 16 * MIB;
}

// The text, then "0,0,0,…" up to 16 MiB.
static size_t numbers(char *out, const char *text)
{
    size_t used = strlen(text);
    memcpy(out, text, used);
    while (used < 16 * MIB) {
        out[used++] = '0';
        out[used++] = ',';
    }
    return used;
}

// The text, then so many times the piece.
static size_t repeat(char *out, const char *text, const char *piece, size_t count)
{
    const size_t size_bytes = strlen(piece);
    size_t used = strlen(text);
    memcpy(out, text, used);
    for (size_t i = 0; i < count; i++, used += size_bytes) {
        memcpy(out + used, piece, size_bytes);
    }
    return used;
}

static size_t deep(char *out, const char *text)
{
    return repeat(out, text, "[", 1000000);
}

static size_t deep_objects(char *out, const char *text)
{
    return repeat(out, text, "{\"a\":", 1000000);
}

static size_t keys(char *out, const char *text, int count)
{
    size_t used = strlen(text);
    memcpy(out, text, used);
    out[used++] = '{';
    for (int i = 0; i < count; i++) {
        used += (size_t)sprintf(out + used, "\"k%d\":%d,", i, i);
    }
    return used;
}

static size_t million_keys(char *out, const char *text)
{
    return keys(out, text, 1000000);
}

// As many as fit into the bound on a batch.
static size_t many_keys(char *out, const char *text)
{
    return keys(out, text, 250000);
}

static size_t same_keys(char *out, const char *text)
{
    return repeat(out, text, "\"a\":0,", 1000000);
}

// A frame of 2,048 blocks of 128 KiB of one byte each, in 8 KiB: 256 MiB. RFC 8878, 3.1.1.
static size_t zstd(char *out, const char *text)
{
    static const char head[] = {0x28, (char)0xb5, 0x2f, (char)0xfd, 0x00, 0x38};
    size_t used = sizeof head;
    memcpy(out, head, used);
    for (uint32_t i = 0; i < 2048; i++) {
        const uint32_t block = ZSTD_BLOCK_BYTES << 3 | 1u << 1 | (i == 2047);
        out[used++] = (char)block;
        out[used++] = (char)(block >> 8);
        out[used++] = (char)(block >> 16);
        out[used++] = text[0];
    }
    return used;
}

// A form of a hundred thousand parts of nothing.
static size_t parts(char *out, const char *text)
{
    size_t used = 0;
    for (int i = 0; i < 100000; i++) {
        used += (size_t)sprintf(
            out + used, "--x\r\nContent-Disposition: form-data; name=\"%s\"\r\n\r\n\r\n", text);
    }
    return used;
}

static const struct {
    const char *name, *method, *path, *type, *encoding;
    bomb_writer write;
    const char *text;
    int status;
    double limit_mib; // of the route's bodies, or VALUES_MIB
} BOMBS[] = {
    {"8 KiB of zstd for 256 MiB of blanks, as OBJ", "POST", UPLOAD, "model/obj", "zstd", zstd, " ",
     413, 256},
    {"8 KiB of zstd for 256 MiB of blanks, as JSON", "POST", UPLOAD, "application/json", "zstd",
     zstd, " ", 413, 256},
    {"8 KiB of zstd for 256 MiB of brackets", "POST", UPLOAD, "application/json", "zstd", zstd, "[",
     400, 256},
    {"8 KiB of zstd for 256 MiB, packed", "POST", UPLOAD, "application/vnd.navmeshd.geometry",
     "zstd", zstd, "", 422, 256},
    {"8 KiB of zstd for 256 MiB, as a question", "POST", QUESTION, "application/json", "zstd", zstd,
     " ", 415, 0.0625},
    {"JSON a million deep, uploaded", "POST", UPLOAD, "application/json", NULL, deep, "", 400, 256},
    {"settings a million deep", "POST", UPLOAD, "application/json", NULL, deep, "{\"config\":", 400,
     256},
    {"vertices a million deep", "POST", UPLOAD, "application/json", NULL, deep,
     "{\"vertices\":", 400, 256},
    {"objects a million deep", "POST", UPLOAD, "application/json", NULL, deep_objects,
     "{\"config\":", 400, 256},
    {"JSON a million deep, as a question", "POST", QUESTION, "application/json", NULL, deep, "",
     413, 0.0625},
    {"JSON a million deep, as a batch", "POST", BATCH, "application/json", NULL, deep, "", 400, 4},
    {"a batch a million deep", "POST", BATCH, "application/json", NULL, deep, "{\"queries\":", 400,
     4},
    {"JSON a million deep, as checks", "PUT", CHECKS, "application/json", NULL, deep, "", 413,
     0.25},
    {"a million keys, uploaded", "POST", UPLOAD, "application/json", NULL, million_keys, "", 422,
     256},
    {"settings of a million keys", "POST", UPLOAD, "application/json", NULL, million_keys,
     "{\"config\":", 413, 256},
    {"areas of a million keys", "POST", UPLOAD, "application/json", NULL, million_keys,
     "{\"config\":{\"areas\":", 413, 256},
    {"a million equal keys", "POST", UPLOAD, "application/json", NULL, same_keys, "{\"config\":{",
     413, 256},
    {"a million keys, as a batch", "POST", BATCH, "application/json", NULL, million_keys, "", 413,
     4},
    {"as many keys as a batch may have", "POST", BATCH, "application/json", NULL, many_keys, "",
     400, VALUES_MIB},
    {"a batch of questions with many keys", "POST", BATCH, "application/json", NULL, many_keys,
     "{\"queries\":[", 400, VALUES_MIB},
    {"a million keys, as a question", "POST", QUESTION, "application/json", NULL, million_keys, "",
     413, 0.0625},
    {"16 MiB of zeros, as OBJ", "POST", UPLOAD, "model/obj", NULL, zeros, "", 422, 256},
    {"16 MiB of zeros, as JSON", "POST", UPLOAD, "application/json", NULL, zeros, "", 400, 256},
    {"16 MiB of zeros, packed", "POST", UPLOAD, "application/vnd.navmeshd.geometry", NULL, zeros,
     "", 422, 256},
    {"16 MiB of zeros, as a form", "POST", UPLOAD, "multipart/form-data; boundary=x", NULL, zeros,
     "", 400, 256},
    {"16 MiB of zeros, as a question", "POST", QUESTION, "application/json", NULL, zeros, "", 413,
     0.0625},
    {"16 MiB of zeros, as a batch", "POST", BATCH, "application/json", NULL, zeros, "", 413, 4},
    {"16 MiB of 0,0,0 in a list", "POST", UPLOAD, "application/json", NULL, numbers, "[", 400, 256},
    {"16 MiB of 0,0,0 for settings", "POST", UPLOAD, "application/json", NULL, numbers,
     "{\"config\":{\"seeds\":[", 413, 256},
    {"16 MiB of 0,0,0 as a batch", "POST", BATCH, "application/json", NULL, numbers,
     "{\"queries\":[", 413, 4},
    {"a form of a hundred thousand parts", "POST", UPLOAD, "multipart/form-data; boundary=x", NULL,
     parts, "geometry", 422, 256},
};

// The most that the daemon has held since the last call; sets it back to what it holds now.
static double peak_kib(pid_t pid)
{
    char path[64], line[256];
    double kib = -1;
    (void)snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    FILE *file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, "VmHWM:", 6) == 0) {
            kib = strtod(line + 6, NULL);
        }
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    (void)snprintf(path, sizeof path, "/proc/%d/clear_refs", (int)pid);
    file = fopen(path, "w");
    if (file == NULL || fputs("5", file) < 0 || fclose(file) != 0) {
        perror(path);
        exit(1);
    }
    return kib;
}

static int throw_one(uint16_t port, size_t i, const char *body, size_t body_bytes, talk_reply *got)
{
    static talk t;
    char head[512];
    const int head_bytes = snprintf(head, sizeof head,
                                    "%s %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
                                    "%s\r\n%s%s%sContent-Length: %zu\r\n\r\n",
                                    BOMBS[i].method, BOMBS[i].path, BOMBS[i].type,
                                    BOMBS[i].encoding != NULL ? "Content-Encoding: " : "",
                                    BOMBS[i].encoding != NULL ? BOMBS[i].encoding : "",
                                    BOMBS[i].encoding != NULL ? "\r\n" : "", body_bytes);
    talk_open(&t, port);
    // Where the body is refused by its length the connection ends before it has been sent.
    const bool sent = talk_send(&t, head, (size_t)head_bytes) && talk_send(&t, body, body_bytes);
    const talk_end end = talk_receive(&t, PATIENCE_MS, got);
    talk_close(&t);
    return end == TALK_REPLY ? got->status : (sent ? 0 : 413);
}

static void run_bomb(sweep *s, sweep_daemon *d, size_t i, char *body, bool told)
{
    char name[120], why[200];
    talk_reply got = {0};
    const size_t body_bytes = BOMBS[i].write(body, BOMBS[i].text);
    (void)peak_kib(d->program.pid);
    const double before_kib = program_resident_kib(&d->program);
    const double before_us = program_cpu_us(&d->program);
    const int status = throw_one(d->program.port, i, body, body_bytes, &got);
    sweep_pause_ms(20); // what it clears away belongs to it
    const double cpu_ms = (program_cpu_us(&d->program) - before_us) / 1000;
    const double held_kib = peak_kib(d->program.pid) - before_kib;
    (void)snprintf(name, sizeof name, "bomb: %s", BOMBS[i].name);
    (void)snprintf(why, sizeof why, "%d %s, %.1f ms of CPU, %.0f KiB", status, got.code, cpu_ms,
                   held_kib);
    if (told) {
        (void)printf("%-48s %s\n", BOMBS[i].name, why);
    }
    const bool good = status == BOMBS[i].status && cpu_ms <= CPU_MS_MAX &&
                      held_kib <= 2 * BOMBS[i].limit_mib * 1024 + NOISE_KIB;
    sweep_count(s, name, good ? NULL : why);
}

void sweep_bombs(sweep *s)
{
    static const char *const options[] = {NULL};
    static sweep_daemon d;
    char *body = malloc(BOMB_BYTES_MAX);
    if (body == NULL) {
        exit(1);
    }
    sweep_start(s, options, &d);
    for (size_t i = 0; i < sizeof BOMBS / sizeof BOMBS[0]; i++) {
        run_bomb(s, &d, i, body, s->longer);
    }
    free(body);
    sweep_stop(s, "the daemon of the bombs stops", &d);
}
