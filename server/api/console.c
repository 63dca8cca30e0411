// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// console.c: the console (server/console) as bytes of the program, and / as what the client asks
// for: the console's page, or the list of routes. Its files are open where there are tokens, since
// they hold nothing of the daemon's data; the page asks for a token and sends it with each call.

#include "server/api/routes.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

// Everything comes from the daemon itself, and no text becomes a script or a style, whatever
// meshes, areas and obstacles are named. Source: Content Security Policy, level 3.
#define POLICY                                                                                     \
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "        \
    "connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; "                 \
    "frame-ancestors 'none'"

// The assembler puts each file in as make built it; paths are from the repository's folder, where
// make runs.
#define CONSOLE_FILE(name, file)                                                                   \
    __asm__(".pushsection .rodata\n"                                                               \
            ".hidden console_" #name "_begin\n.hidden console_" #name "_end\n"                     \
            ".globl console_" #name "_begin\n.globl console_" #name "_end\n"                       \
            "console_" #name "_begin:\n"                                                           \
            ".incbin \"build/console/" file "\"\n"                                                 \
            "console_" #name "_end:\n"                                                             \
            ".popsection\n");                                                                      \
    extern const char console_##name##_begin[], console_##name##_end[]

CONSOLE_FILE(page, "index.html");
CONSOLE_FILE(script, "console.js");
CONSOLE_FILE(draw, "draw.js");
CONSOLE_FILE(read, "read.js");
CONSOLE_FILE(style, "console.css");

#define JAVASCRIPT "text/javascript; charset=utf-8"

static const struct console_file {
    const char *path, *media_type, *begin, *end;
} FILES[] = {
    {"/", "text/html; charset=utf-8", console_page_begin, console_page_end},
    {"/console/console.js", JAVASCRIPT, console_script_begin, console_script_end},
    {"/console/draw.js", JAVASCRIPT, console_draw_begin, console_draw_end},
    {"/console/read.js", JAVASCRIPT, console_read_begin, console_read_end},
    {"/console/console.css", "text/css; charset=utf-8", console_style_begin, console_style_end},
};

#define FILE_COUNT (sizeof FILES / sizeof *FILES)

// They show a browser whether the copy that it has is this program's.
static char etags[FILE_COUNT][MESH_ETAG_BYTES]; // immutable after etags_once
static pthread_once_t etags_once = PTHREAD_ONCE_INIT;

static void hash_files(void)
{
    for (size_t i = 0; i < FILE_COUNT; i++) {
        uint8_t digest[32];
        char hex[65];
        nav_sha256_of(FILES[i].begin, (size_t)(FILES[i].end - FILES[i].begin), digest);
        nav_sha256_hex(digest, hex);
        (void)snprintf(etags[i], MESH_ETAG_BYTES, "\"%.32s\"", hex);
    }
}

nav_status handle_console(request *r, reply *out, nav_error *err)
{
    (void)err;
    size_t at = 0;
    while (at < FILE_COUNT && strcmp(FILES[at].path, r->route->pattern) != 0) {
        at++;
    }
    NAV_ASSERT(at < FILE_COUNT);
    const struct console_file *file = &FILES[at];
    (void)pthread_once(&etags_once, hash_files);
    reply_take_etag(r, out, etags[at]);
    out->policy = POLICY;
    reply_static(out, file->media_type, file->begin, (size_t)(file->end - file->begin));
    return NAV_OK;
}

// ---- / ----

const char *root_media_type(const request *r)
{
    const int page = accept_rank(r->accept, "text/html");
    return accept_rank(r->accept, "application/json") > page ? "application/json" : "text/html";
}

nav_status handle_root(request *r, reply *out, nav_error *err)
{
    out->by_accept = true;
    if (strcmp(root_media_type(r), "text/html") == 0) {
        return handle_console(r, out, err);
    }
    proto_write_object_begin(&out->w);
    proto_member_string(&out->w, "name", "navmeshd");
    proto_member_string(&out->w, "version", NAVMESHD_VERSION);
    proto_member_string(&out->w, "description", "/openapi.json");
    routing_write(r->service->routes, &out->w);
    proto_write_object_end(&out->w);
    return NAV_OK;
}
