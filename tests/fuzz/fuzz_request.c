// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// fuzz_request.c: every request, as JSON and as one argument after another ("key=value&...").

#include "proto/proto.h"

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
    proto_path_request path;
    proto_nearest_request nearest;
    proto_render_request render;
    proto_upload_request upload;
    proto_active_request active;
    proto_diff_request diff;
    proto_checks checks;
    nav_error err;
    const char *json = (const char *)bytes;
    proto_path_request_json(json, size_bytes, &path, &err);
    proto_nearest_request_json(json, size_bytes, &nearest, &err);
    proto_active_request_read(json, size_bytes, NULL, 0, &active, &err);
    char *text = malloc(size_bytes + 1);
    if (text == NULL) {
        return 0;
    }
    memcpy(text, bytes, size_bytes);
    text[size_bytes] = '\0';
    proto_arg args[ARGS_MAX];
    nav_arena memory;
    nav_arena_init(&memory, NULL, 64u << 20);
    proto_upload_request_read(NULL, 0, text, &memory, &upload, &err);
    proto_checks_read(json, size_bytes, &memory, &checks, &err);
    size_t count = split_args(text, args);
    proto_diff_request_args(args, count, &diff, &err);
    proto_path_request_args(args, count, &path, &err);
    proto_nearest_request_args(args, count, &nearest, &err);
    proto_render_request_args(args, count, &render, &err);
    proto_upload_request_read(args, count, NULL, &memory, &upload, &err);
    nav_arena_free(&memory);
    free(text);
    return 0;
}
