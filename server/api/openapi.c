// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// openapi.c: the description of the interface, openapi.json beside this file, as bytes of the
// program. tests/unit/server/api/test_openapi.c holds it against the table of routes.

#include "server/api/openapi.h"

#include "server/api/routes.h"

#include <stdlib.h>
#include <string.h>

// The assembler puts the file in as it is; paths are from the repository's folder, where make runs.
__asm__(".pushsection .rodata\n"
        ".hidden openapi_begin\n.hidden openapi_end\n"
        ".globl openapi_begin\n.globl openapi_end\n"
        "openapi_begin:\n"
        ".incbin \"server/api/openapi.json\"\n"
        "openapi_end:\n"
        ".popsection\n");
extern const char openapi_begin[], openapi_end[];

const char *openapi_text(size_t *size_bytes)
{
    *size_bytes = (size_t)(openapi_end - openapi_begin);
    return openapi_begin;
}

void handle_openapi(request *r, reply *out)
{
    size_t size_bytes;
    const char *text = openapi_text(&size_bytes);
    char *copy = malloc(size_bytes);
    if (copy == NULL) {
        nav_error err;
        (void)nav_fail(&err, NAV_NO_MEMORY, "no memory for the description");
        reply_error(r, out, &err);
        return;
    }
    memcpy(copy, text, size_bytes);
    *out = (reply){
        .status = 200, .content_type = "application/json", .body = copy, .body_bytes = size_bytes};
}
