// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// fuzz_request.c: every request, as JSON and as one argument after another ("key=value&...").

#include "proto/replies/replies.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes);

#define ARGS_MAX 32

static size_t split_args(char *text, proto_arg *args)
{
    size_t count = 0;
    char *rest = NULL;
    for (char *part = strtok_r(text, "&", &rest); part != NULL && count < ARGS_MAX;
         part = strtok_r(NULL, "&", &rest)) {
        char *equals = strchr(part, '=');
        args[count++] = (proto_arg){part, equals != NULL ? equals + 1 : ""};
        if (equals != NULL) {
            *equals = '\0';
        }
    }
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes)
{
    static const proto_kind *const kinds[] = {
        &PROTO_PATH,    &PROTO_PATHS,     &PROTO_NEAREST,   &PROTO_REACHABLE, &PROTO_FLOOD,
        &PROTO_STEP,    &PROTO_WALL,      &PROTO_FLOORS,    &PROTO_RANDOM,    &PROTO_TRACE,
        &PROTO_MATRIX,  &PROTO_BATCH,     &PROTO_INSTANCE,  &PROTO_INSTANCES, &PROTO_VALID,
        &PROTO_EXPLAIN, &PROTO_RECORDING, &PROTO_RECORDINGS};
    _Alignas(max_align_t) uint8_t request[PROTO_REQUEST_BYTES_MAX];
    proto_batch_request packed;
    proto_render_request render;
    proto_export_request file;
    proto_upload_request upload;
    proto_active_request active;
    proto_diff_request diff;
    proto_checks checks;
    nav_error err;
    const char *json = (const char *)bytes;
    nav_arena memory;
    nav_arena_init(&memory, NULL, 64u << 20);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        proto_request_json(kinds[i], json, size_bytes, &memory, request, &err);
    }
    proto_batch_read_packed(&PROTO_PATHS, bytes, size_bytes, &memory, &packed, &err);
    proto_batch_read_packed(&PROTO_BATCH, bytes, size_bytes, &memory, &packed, &err);
    proto_active_request_read(json, size_bytes, NULL, 0, &active, &err);
    char *text = malloc(size_bytes + 1);
    if (text == NULL) {
        nav_arena_free(&memory);
        return 0;
    }
    memcpy(text, bytes, size_bytes);
    text[size_bytes] = '\0';
    proto_arg args[ARGS_MAX];
    proto_upload_request_read(NULL, 0, text, &memory, &upload, &err);
    proto_checks_read(json, size_bytes, &memory, &checks, &err);
    proto_lines lines = {.prefix = ""};
    proto_lines_write(&lines, text, NULL, NULL, &err);
    proto_lines_write(&lines, NULL, text, NULL, &err);
    proto_lines_write(&lines, NULL, NULL, text, &err);
    proto_writer_free(&lines.text);
    size_t count = split_args(text, args);
    proto_request_args(&PROTO_DIFF, args, count, NULL, &diff, &err);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        proto_request_args(kinds[i], args, count, &memory, request, &err);
    }
    proto_request_args(&PROTO_RENDER, args, count, NULL, &render, &err);
    proto_request_args(&PROTO_EXPORT, args, count, NULL, &file, &err);
    proto_upload_request_read(args, count, NULL, &memory, &upload, &err);
    nav_arena_free(&memory);
    free(text);
    return 0;
}
