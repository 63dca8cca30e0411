// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// replay.c: bundle --> mesh, instances, in a service without a store --> the handler of all
// questions --> answer. The file is not trusted: its question is one, and of its own mesh.

#include "server/app/replay/replay.h"

#include "proto/base/text.h"
#include "server/api/routes.h"
#include "server/app/startup.h"
#include "server/base/clock.h"
#include "server/base/events.h"
#include "server/instances/instances.h"
#include "server/jobs/jobs.h"
#include "server/meshes/cache.h"
#include "server/meshes/load.h"
#include "server/meshes/registry.h"

#include <stdlib.h>
#include <string.h>

#define STATE_BYTES_MAX ((size_t)64 << 20) // of all lists of an instance

static nav_status unusable(nav_error *err, const char *what, const nav_error *why)
{
    return why->status == NAV_NO_MEMORY
               ? nav_fail(err, NAV_NO_MEMORY, "%s", why->detail)
               : nav_fail(err, PROTO_BAD_BUNDLE, "%s of this recording cannot be used: %.160s",
                          what, why->detail);
}

// ---- the service ----

// The limits that were in force. Limits that this build does not know are left out.
static void set_limits(const char *texts, service_limits *limits)
{
    char word[128];
    for (const char *at = texts; *at != '\0'; at += strcspn(at, " "), at += *at == ' ') {
        (void)snprintf(word, sizeof word, "%.*s", (int)strcspn(at, " "), at);
        (void)limits_set(limits, word, NULL);
    }
    // The body has been taken once.
    limits->query_body_bytes = limits->batch_body_bytes = UINT64_MAX;
}

static nav_status open_service(const bundle *b, service *s, nav_error *err)
{
    s->limits = limits_default();
    set_limits(b->limits, &s->limits);
    s->routes = routes_all();
    s->started_ns = clock_now_ns();
    s->registry = registry_create();
    s->cache = mesh_cache_create(0, 0);
    s->jobs = jobs_create(1); // who never starts: this thread answers
    s->events = events_create(0);
    s->pins = pins_create(0);
    atomic_init(&s->state, SERVICE_READY);
    const instances_limits limits = {.count_max = UINT32_MAX, .bytes_max = UINT64_MAX};
    s->instances =
        s->events != NULL && s->pins != NULL ? instances_create(&limits, s->pins, s->events) : NULL;
    return s->registry != NULL && s->cache != NULL && s->jobs != NULL && s->instances != NULL
               ? NAV_OK
               : nav_fail(err, NAV_NO_MEMORY, "no memory to replay a recording");
}

// ---- the version ----

static nav_status make_mesh(const bundle *b, nav_mesh **out, nav_error *err)
{
    nav_error why = {0};
    load_stored stored = {.tiles = b->tiles,
                          .tile_count = b->tile_count,
                          .landmarks = b->landmarks,
                          .landmark_count = b->landmark_count};
    const nav_status status = load_mesh_of_stored(&stored, b->config, out, &why);
    return status == NAV_OK ? NAV_OK : unusable(err, "the version", &why);
}

// ---- the states ----

static nav_status read_state(const bundle_instance *from, nav_arena *memory, instance_state **out,
                             nav_error *err)
{
    proto_instance_request change;
    proto_state missing;
    nav_status status =
        proto_request_json(&PROTO_INSTANCE, from->state, strlen(from->state), memory, &change, err);
    if (status != NAV_OK) {
        return status;
    }
    // There is one version here, and it is the one that the instance was placed over.
    if (change.has_version || change.has_expires) {
        return nav_fail(err, NAV_INVALID_FIELD, "%s is no part of a state",
                        change.has_version ? "version" : "expires_in_s");
    }
    // It has the revision that it had.
    const instance_update update = {.change = &change,
                                    .replaces = true,
                                    .gone_revision = from->revision - 1,
                                    .now_ns = clock_now_ns(),
                                    .bytes_max = SIZE_MAX};
    return instance_state_make(NULL, &update, memory, &missing, out, err);
}

// It is placed over the mesh if the question names it, as in the daemon.
static nav_status make_instance(service *s, const bundle *b, const bundle_instance *from,
                                nav_error *err)
{
    nav_arena memory;
    nav_error why = {0};
    instance_state *state = NULL;
    bool swapped = false;
    nav_arena_init(&memory, NULL, STATE_BYTES_MAX);
    nav_status status = read_state(from, &memory, &state, &why);
    if (status == NAV_OK) {
        const instance_swap swap = {
            .mesh = b->mesh, .name = from->name, .state = state, .event = "replaced"};
        status = instances_swap(s->instances, &swap, &swapped, &why);
        NAV_ASSERT(status != NAV_OK || swapped); // nobody else is here
    }
    instance_state_release(state);
    nav_arena_free(&memory);
    return status == NAV_OK ? NAV_OK : unusable(err, "the state of an instance", &why);
}

// ---- the question ----

// A file that somebody sends might want something else than a question.
static nav_status check_question(const service *s, const bundle *b, nav_error *err)
{
    request found;
    char allow[40];
    nav_error why = {0};
    memset(&found, 0, sizeof found);
    nav_status status =
        routing_find(s->routes, &found, b->method, b->path, allow, sizeof allow, &why);
    const bool is_question = status == NAV_OK && found.route->query != NULL &&
                             strcmp(found.mesh, b->mesh) == 0 &&
                             (found.route->body == BODY_NONE) == (strcmp(b->method, "GET") == 0);
    const bool is_typed = b->content_type[0] == '\0' ||
                          strcmp(b->content_type, "application/json") == 0 ||
                          (is_question && found.route->media_type != NULL &&
                           strcmp(b->content_type, found.route->media_type) == 0);
    return is_question && is_typed
               ? NAV_OK
               : nav_fail(err, PROTO_BAD_BUNDLE,
                          "the question of this recording cannot be used: %.40s %.80s is none "
                          "about its mesh",
                          b->method, b->path);
}

static nav_status ask(service *s, const bundle *b, reply *out, nav_error *err)
{
    const bool has_body = strcmp(b->method, "POST") == 0;
    char *body = malloc(b->body_bytes + 1);
    if (body == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory to replay a recording");
    }
    if (b->body_bytes > 0) {
        memcpy(body, b->body, b->body_bytes);
    }
    body[b->body_bytes] = '\0';
    const http_question question = {
        .method = b->method,
        .path = b->path,
        .args = b->args,
        .arg_count = b->arg_count,
        .body = has_body ? body : NULL,
        .body_bytes = has_body ? b->body_bytes : 0,
        .content_type = has_body && b->content_type[0] != '\0' ? b->content_type : NULL,
        .id = b->request_id,
        .draw = b->draw};
    http_ask_in_process(s, &question, out);
    free(body);
    return NAV_OK;
}

nav_status replay_ask(const bundle *b, reply *out, nav_error *err)
{
    service s = {0};
    nav_mesh *mesh = NULL;
    *out = (reply){0};
    nav_status status = open_service(b, &s, err);
    NAV_IF_OK(status, check_question(&s, b, err));
    NAV_IF_OK(status, make_mesh(b, &mesh, err));
    NAV_IF_OK(status, registry_reserve(s.registry, b->mesh, err));
    if (status == NAV_OK) {
        registry_publish(s.registry, b->mesh, b->version, 1, mesh);
    }
    for (uint32_t i = 0; status == NAV_OK && i < b->instance_count; i++) {
        status = make_instance(&s, b, &b->instances[i], err);
    }
    NAV_IF_OK(status, ask(&s, b, out, err));
    nav_mesh_release(mesh);
    startup_close(&s);
    return status;
}

// ---- what differs ----

bool replay_is_same(const bundle *b, const reply *got)
{
    return (uint32_t)got->status == b->status && got->content_type != NULL &&
           strcmp(got->content_type, b->answer_type) == 0 && got->body_bytes == b->answer_bytes &&
           (got->body_bytes == 0 || memcmp(got->body, b->answer, got->body_bytes) == 0);
}

#define CONTEXT_LINES 3u
#define PRINTED_MAX 40u      // lines of each side
#define LINES_MAX (1u << 20) // of an answer; one of more is reported by its bytes
#define LINES_FIRST 256u     // for a beginning

typedef struct line {
    const char *at;
    size_t length;
} line;

// JSON as lines: one for each value that is not within a list of lists.
typedef struct lines {
    line *at;
    size_t count, capacity;
} lines;

// A line ends behind a comma or an opening bracket, down to this depth.
#define DEPTH_MAX 3

static bool add_line(lines *to, const char *at, size_t length)
{
    if (to->count == to->capacity) {
        const size_t capacity = to->capacity > 0 ? 2 * to->capacity : LINES_FIRST;
        line *grown = capacity <= LINES_MAX ? realloc(to->at, capacity * sizeof *grown) : NULL;
        if (grown == NULL) {
            return false;
        }
        to->at = grown;
        to->capacity = capacity;
    }
    to->at[to->count++] = (line){at, length};
    return true;
}

// False: there is no room for as many lines.
static bool split(const char *text, size_t size_bytes, lines *out)
{
    size_t begin = 0, depth = 0;
    bool in_string = false, fits = true;
    for (size_t i = 0; fits && i < size_bytes; i++) {
        const char c = text[i];
        const bool inside = in_string;
        if (inside) {
            i += c == '\\' && i + 1 < size_bytes;
            in_string = c != '"';
        } else {
            in_string = c == '"';
            depth += c == '{' || c == '[';
            depth -= (c == '}' || c == ']') && depth > 0;
        }
        const bool ends = !inside && (c == ',' || c == '{' || c == '[') && depth <= DEPTH_MAX;
        if (ends || i + 1 == size_bytes) {
            fits = add_line(out, text + begin, i + 1 - begin);
            begin = i + 1;
        }
    }
    return fits;
}

static bool is_same_line(const lines *a, size_t i, const lines *b, size_t k)
{
    NAV_ASSERT(a->at != NULL && b->at != NULL);
    const line *one = &a->at[i], *other = &b->at[k];
    return one->length == other->length && memcmp(one->at, other->at, one->length) == 0;
}

void replay_print_text(const char *text, size_t length, char control, FILE *to)
{
    for (size_t i = 0; i < length;) {
        const size_t bytes =
            (unsigned char)text[i] < 0x80 ? 1 : proto_text_utf8_length(text + i, length - i);
        const uint32_t hidden = proto_text_hidden(text + i, bytes);
        if (bytes == 0) {
            (void)fputc('?', to);
        } else if (bytes == 1 && (unsigned char)text[i] < ' ') {
            (void)fputc(control, to);
        } else if (hidden != 0) {
            (void)fprintf(to, "\\u%04x", hidden);
        } else {
            (void)fwrite(text + i, 1, bytes, to);
        }
        i += bytes > 0 ? bytes : 1;
    }
}

static void print_lines(FILE *to, char mark, const lines *from, size_t begin, size_t end)
{
    const size_t most = mark == ' ' ? SIZE_MAX : PRINTED_MAX;
    for (size_t i = begin; i < end && i - begin < most; i++) {
        (void)fputc(mark, to);
        replay_print_text(from->at[i].at, from->at[i].length, '?', to);
        (void)fputc('\n', to);
    }
    if (end > begin && end - begin > most) {
        (void)fprintf(to, "%c... and %zu lines more\n", mark, end - begin - most);
    }
}

// The lines between what both begin and end with.
static void print_json(const lines *was, const lines *now, FILE *to)
{
    size_t first = 0, last = 0;
    const size_t least = was->count < now->count ? was->count : now->count;
    while (first < least && is_same_line(was, first, now, first)) {
        first++;
    }
    while (last < least - first &&
           is_same_line(was, was->count - 1 - last, now, now->count - 1 - last)) {
        last++;
    }
    const size_t begin = first > CONTEXT_LINES ? first - CONTEXT_LINES : 0;
    const size_t after = last < CONTEXT_LINES ? last : CONTEXT_LINES;
    (void)fprintf(to, "@@ -%zu,%zu +%zu,%zu @@\n", begin + 1, was->count - last + after - begin,
                  begin + 1, now->count - last + after - begin);
    print_lines(to, ' ', was, begin, first);
    print_lines(to, '-', was, first, was->count - last);
    print_lines(to, '+', now, first, now->count - last);
    print_lines(to, ' ', was, was->count - last, was->count - last + after);
}

static void print_bytes(const bundle *b, const reply *got, FILE *to)
{
    const size_t least = got->body_bytes < b->answer_bytes ? got->body_bytes : b->answer_bytes;
    size_t first = least, others = 0;
    for (size_t i = least; i > 0; i--) {
        const bool differs = got->body[i - 1] != b->answer[i - 1];
        others += differs;
        first = differs ? i - 1 : first;
    }
    (void)fprintf(to, "-%zu bytes\n+%zu bytes\n", b->answer_bytes, got->body_bytes);
    if (first < least) {
        (void)fprintf(to, "%zu of %zu differ, the first at %zu: %02x, recorded %02x\n", others,
                      least, first, (unsigned char)got->body[first],
                      (unsigned char)b->answer[first]);
    }
}

static bool is_json(const char *type)
{
    const size_t length = strlen(type);
    return length >= 4 && strcmp(type + length - 4, "json") == 0;
}

void replay_print_difference(const bundle *b, const reply *got, FILE *to)
{
    const char *type = got->content_type != NULL ? got->content_type : "";
    lines was = {0}, now = {0};
    (void)fprintf(to, "--- recorded by %s\n+++ %s\n", b->build, bundle_build());
    if ((uint32_t)got->status != b->status) {
        (void)fprintf(to, "-status %u\n+status %d\n", b->status, got->status);
    }
    if (strcmp(type, b->answer_type) != 0) {
        (void)fprintf(to, "-type %s\n+type %s\n", b->answer_type, type);
    }
    const bool both = is_json(type) && is_json(b->answer_type) && got->body != NULL;
    if (both && split(b->answer, b->answer_bytes, &was) &&
        split(got->body, got->body_bytes, &now)) {
        print_json(&was, &now, to);
    } else if (got->body != NULL) {
        print_bytes(b, got, to);
    }
    free(was.at);
    free(now.at);
}
