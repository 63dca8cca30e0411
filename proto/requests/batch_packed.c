// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// batch_packed.c: many questions in one request without JSON (layouts in README.md): a header, a
// record of one size for each query, points, and as JSON what queries share. A record's numbers are
// members of its question by the names that JSON has for them, so that bounds and errors are those
// of the question's own table. To /paths a record has only the ends of a path, and the header all
// else that is the same for all of them. Answers are written by replies/packed.c.

#include "proto/base/bytes.h"
#include "proto/requests/batch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define FORMAT_VERSION 1u
#define POINT_WORDS 3u
#define POINT_BYTES (4u * POINT_WORDS)
#define PATH_BYTES (2u * POINT_BYTES)
#define RECORD_BYTES 72u
#define WORDS (RECORD_BYTES / 4u)
#define POINT_COUNT_WORD 4u // of a `reachable`
#define HEAD_WORDS 3u       // of each query: kind, search and flags, then two words of list numbers

// ---- the record of a query ----

// Bits of its second byte.
enum {
    NO_PARTIAL = 1,
    ABOVE = 2,
    BELOW = 4,
    SECOND_PLACE = 8, // reachable_from, or center and radius, are given
    SEED = 16,
    COLUMN_XY = 32, // the column is named by x and y
    COLUMN_YZ = 64, // it is named by y and z; else by x and z
    // Not sent: what those say.
    HAS_X = 256,
    HAS_Y = 512,
    HAS_Z = 1024,
};

#define ASKS(kind) (1u << PROTO_ASKED_##kind)
#define ASKS_ALL ((1u << PROTO_ASKED_COUNT) - 1u)
#define ASKS_WALK (ASKS(PATH) | ASKS(RAYCAST) | ASKS(MOVE))

// A member of a question and where its record has it.
typedef struct packed_member {
    const char *name;
    uint32_t asked;  // the kinds that have it
    uint32_t offset; // in the record
    uint32_t flag;   // 0, or it is given only with this flag
    bool is_float;   // else a whole number
    bool optional;   // 0 is as if it were not given
    bool or_nan;     // NaN is: the default is as many metres whatever the level's unit is
    bool is_point;
} packed_member;

// Flags say which of `x`, `y` and `z` are given.
static const packed_member MEMBERS[] = {
    {.name = "start", .asked = ASKS_WALK | ASKS(REACHABLE), .offset = 24, .is_point = true},
    {.name = "point", .asked = ASKS(NEAREST) | ASKS(WALL), .offset = 24, .is_point = true},
    {.name = "center", .asked = ASKS(RANDOM), .offset = 24, .flag = SECOND_PLACE, .is_point = true},
    {.name = "end", .asked = ASKS_WALK, .offset = 36, .is_point = true},
    {.name = "reachable_from",
     .asked = ASKS(NEAREST),
     .offset = 36,
     .flag = SECOND_PLACE,
     .is_point = true},
    {.name = "deadline_ms", .asked = ASKS_ALL, .offset = 12, .optional = true},
    {.name = "count", .asked = ASKS(NEAREST) | ASKS(RANDOM), .offset = 16, .optional = true},
    {.name = "max_nodes", .asked = ASKS(PATH), .offset = 20, .optional = true},
    {.name = "seed", .asked = ASKS(RANDOM), .offset = 20, .flag = SEED},
    {.name = "snap.horizontal", .asked = ASKS_ALL, .offset = 48, .is_float = true, .or_nan = true},
    {.name = "snap.up", .asked = ASKS_ALL, .offset = 52, .is_float = true, .or_nan = true},
    {.name = "snap.down", .asked = ASKS_ALL, .offset = 56, .is_float = true, .or_nan = true},
    {.name = "goal_radius", .asked = ASKS(PATH), .offset = 60, .is_float = true},
    {.name = "max_radius", .asked = ASKS(WALL), .offset = 60, .is_float = true, .or_nan = true},
    {.name = "radius", .asked = ASKS(RANDOM), .offset = 60, .flag = SECOND_PLACE, .is_float = true},
    {.name = "max_cost", .asked = ASKS(PATH), .offset = 64, .is_float = true, .optional = true},
    {.name = "max_length", .asked = ASKS(PATH), .offset = 68, .is_float = true, .optional = true},
    {.name = "x", .asked = ASKS(FLOORS), .offset = 24, .flag = HAS_X, .is_float = true},
    {.name = "y", .asked = ASKS(FLOORS), .offset = 28, .flag = HAS_Y, .is_float = true},
    {.name = "z", .asked = ASKS(FLOORS), .offset = 32, .flag = HAS_Z, .is_float = true},
};
#define MEMBER_COUNT (sizeof MEMBERS / sizeof MEMBERS[0])

// By kind and member, its row in the kind's table.
typedef struct member_rows {
    uint8_t of[PROTO_ASKED_COUNT][MEMBER_COUNT];
} member_rows;

// One query while it is read.
typedef struct query_reader {
    const member_rows *rows;
    const uint8_t *bytes;
    const proto_kind *kind;
    proto_common *question;
    const char *prefix;
    nav_error *err;
    uint64_t seen;
    uint32_t words_read; // bits by word of the record
    uint32_t index;
} query_reader;

static nav_status refuse(nav_error *err, bool is_paths, const char *at, double got,
                         const char *expected)
{
    nav_fail_at(err, NAV_INVALID_FIELD, at, "packed %s: %s must be %s",
                is_paths ? "paths" : "batch", at, expected);
    nav_error_got(err, "%.10g", got);
    return NAV_INVALID_FIELD;
}

static nav_status refuse_in(const query_reader *r, const char *member, double got,
                            const char *expected)
{
    nav_status status = refuse(r->err, false, member, got, expected);
    proto_name_query(r->err, r->index);
    return status;
}

// So many words of the record are read, from a byte on.
static void note_words(query_reader *r, uint32_t offset, uint32_t count)
{
    r->words_read |= ((1u << count) - 1u) << offset / 4;
}

static uint8_t find_row(const proto_kind *kind, const char *name)
{
    uint32_t row = 0;
    while (row < kind->fields.count && strcmp(kind->fields.rows[row].name, name) != 0) {
        row++;
    }
    NAV_ASSERT(row < kind->fields.count); // each kind has the members that MEMBERS says
    return (uint8_t)row;
}

// So many finite numbers, from which -0 is 0. False: number *wrong is none.
static bool read_floats(const uint8_t *bytes, uint32_t count, float *out, uint32_t *wrong)
{
    for (*wrong = 0; *wrong < count; ++*wrong) {
        out[*wrong] = proto_get_float(bytes + 4 * (size_t)*wrong) + 0.0f;
        if (!isfinite(out[*wrong])) {
            return false;
        }
    }
    return true;
}

// Reads one member where the record has it, as its row says.
static nav_status read_member(query_reader *r, size_t member, uint32_t flags)
{
    const packed_member *m = &MEMBERS[member];
    const uint8_t *at = r->bytes + m->offset;
    if ((m->asked >> r->bytes[0] & 1) == 0 || (m->flag != 0 && (flags & m->flag) == 0)) {
        return NAV_OK;
    }
    note_words(r, m->offset, m->is_point ? POINT_WORDS : 1);
    if ((m->optional && proto_get_u32(at) == 0) || (m->or_nan && isnan(proto_get_float(at)))) {
        return NAV_OK;
    }
    const uint32_t row = r->rows->of[r->bytes[0]][member];
    const proto_field *field = &r->kind->fields.rows[row];
    r->seen |= UINT64_C(1) << row;
    if (m->is_point) {
        float point[3];
        uint32_t wrong;
        if (!read_floats(r->bytes + m->offset, 3, point, &wrong)) {
            return refuse_in(r, nav_at("%s[%u]", m->name, wrong).text, (double)point[wrong],
                             "a finite number");
        }
        memcpy((char *)r->question + field->offset, point, sizeof point);
        return NAV_OK;
    }
    const proto_item item = {.kind = PROTO_TOKEN_NUMBER,
                             .number =
                                 m->is_float ? (double)proto_get_float(at) : proto_get_u32(at)};
    const proto_value value = {
        .field = field, .item = &item, .target = r->question, .err = r->err, .prefix = r->prefix};
    return proto_value_read(&value);
}

// The members that are bits or halves of a word.
static nav_status read_head(query_reader *r)
{
    const uint32_t asked = r->bytes[0], flags = r->bytes[1];
    const uint32_t search = (uint32_t)r->bytes[2] | (uint32_t)r->bytes[3] << 8;
    static const uint32_t allowed[PROTO_ASKED_COUNT] = {
        [PROTO_ASKED_PATH] = NO_PARTIAL,
        [PROTO_ASKED_NEAREST] = ABOVE | BELOW | SECOND_PLACE,
        [PROTO_ASKED_RANDOM] = SECOND_PLACE | SEED,
        [PROTO_ASKED_FLOORS] = COLUMN_XY | COLUMN_YZ};
    if ((flags & ~allowed[asked]) != 0 ||
        (flags & (COLUMN_XY | COLUMN_YZ)) == (COLUMN_XY | COLUMN_YZ)) {
        return refuse_in(r, "flags", flags, "bits that this kind has");
    }
    if (search > (asked == PROTO_ASKED_PATH ? NAV_SEARCH_EXACT : 0u)) {
        return refuse_in(r, "search", search, "0, or of a path 0, 1 or 2");
    }
    if (asked == PROTO_ASKED_PATH) {
        proto_path_request *path = (proto_path_request *)r->question;
        path->search = (nav_search)search;
        path->partial = (flags & NO_PARTIAL) == 0;
    } else if (asked == PROTO_ASKED_NEAREST) {
        proto_nearest_request *nearest = (proto_nearest_request *)r->question;
        nearest->above = (flags & ABOVE) != 0;
        nearest->below = (flags & BELOW) != 0;
    }
    const uint32_t lists = proto_get_u32(r->bytes + 4);
    r->question->filter_list = lists & 0xffff;
    r->question->avoid_list = lists >> 16;
    const uint32_t more_lists = proto_get_u32(r->bytes + 8);
    r->question->instance_list = more_lists & 0xffff;
    r->question->agent_list = more_lists >> 16;
    note_words(r, 0, HEAD_WORDS);
    return NAV_OK;
}

// Words that the question's kind does not read are 0.
static nav_status check_rest(const query_reader *r)
{
    for (uint32_t word = 0; word < WORDS; word++) {
        const uint32_t value = proto_get_u32(r->bytes + 4 * (size_t)word);
        if ((r->words_read >> word & 1) == 0 && value != 0) {
            return refuse_in(r, "reserved", value, "0: this kind has no such member");
        }
    }
    return NAV_OK;
}

static nav_status read_members(query_reader *r)
{
    const uint32_t flags = r->bytes[1];
    const uint32_t column = (flags & COLUMN_YZ) != 0   ? HAS_Y | HAS_Z
                            : (flags & COLUMN_XY) != 0 ? HAS_X | HAS_Y
                                                       : HAS_X | HAS_Z;
    nav_status status = read_head(r);
    for (size_t i = 0; i < MEMBER_COUNT && status == NAV_OK; i++) {
        status = read_member(r, i, flags | column);
    }
    return status;
}

// ---- the batch ----

// Its parts behind the header.
typedef struct batch_bytes {
    const uint8_t *header, *queries, *rest;
    float (*points)[3];
    uint32_t count, query_bytes, point_count, rest_bytes;
    uint32_t points_taken;
    member_rows rows;
} batch_bytes;

// The points of a `reachable` are the next ones.
static nav_status take_points(query_reader *r, batch_bytes *b)
{
    if (r->bytes[0] != PROTO_ASKED_REACHABLE) {
        return NAV_OK;
    }
    const uint32_t count = proto_get_u32(r->bytes + 4 * POINT_COUNT_WORD),
                   left = b->point_count - b->points_taken;
    note_words(r, 4 * POINT_COUNT_WORD, 1);
    if (count == 0 || count > left || count > PROTO_BATCH_MAX) {
        return refuse_in(r, "count", count, "at least 1, and no more than there are points left");
    }
    ((proto_reachable_request *)r->question)->points =
        (proto_points){.at = b->points + b->points_taken, .count = count};
    r->seen |= UINT64_C(1) << find_row(r->kind, "points");
    b->points_taken += count;
    return NAV_OK;
}

static nav_status read_record(batch_fields *f, batch_bytes *b, uint32_t index, nav_error *err)
{
    char prefix[PROTO_PREFIX_BYTES];
    proto_query *query = NULL;
    query_reader r = {.rows = &b->rows,
                      .bytes = b->queries + (size_t)index * RECORD_BYTES,
                      .prefix = prefix,
                      .err = err,
                      .index = index};
    if (r.bytes[0] >= PROTO_ASKED_COUNT) {
        return refuse_in(&r, "kind", r.bytes[0], "from 0 to 7");
    }
    proto_put_prefix(index, prefix);
    r.kind = PROTO_ASKED_KINDS[r.bytes[0]];
    nav_status status = proto_batch_add(f, (proto_asked)r.bytes[0], &query, err);
    if (status != NAV_OK) {
        return status;
    }
    r.question = query->question;
    status = read_members(&r);
    NAV_IF_OK(status, take_points(&r, b));
    NAV_IF_OK(status, check_rest(&r));
    if (status == NAV_OK && r.kind->finish != NULL) {
        status = r.kind->finish(r.question, r.seen, err);
        if (status != NAV_OK) {
            proto_name_query(err, index);
        }
    }
    r.question->seen = r.seen;
    return status == NAV_OK ? proto_batch_count_places(f, query, prefix, err) : status;
}

// The ends of a path, which begins as the defaults.
static nav_status read_path(batch_fields *f, const batch_bytes *b, uint32_t index, nav_error *err)
{
    _Static_assert(offsetof(proto_path_request, end) ==
                       offsetof(proto_path_request, start) + POINT_BYTES,
                   "the ends are read in one go");
    proto_query *query = NULL;
    float ends[6];
    uint32_t wrong;
    nav_status status = proto_batch_add(f, PROTO_ASKED_PATH, &query, err);
    if (status != NAV_OK) {
        return status;
    }
    if (!read_floats(b->queries + (size_t)index * PATH_BYTES, 6, ends, &wrong)) {
        return nav_fail_at(
            err, NAV_INVALID_FIELD,
            nav_at("queries[%u].%s[%u]", index, wrong < 3 ? "start" : "end", wrong % 3).text,
            "packed paths: query %u has a number that is not finite", index);
    }
    memcpy((char *)query->question + offsetof(proto_path_request, start), ends, sizeof ends);
    query->question->seen |= 3; // the first rows
    return NAV_OK;
}

static nav_status read_points(batch_bytes *b, const uint8_t *bytes, nav_arena *memory,
                              nav_error *err)
{
    uint32_t wrong;
    b->points = nav_arena_alloc(memory, b->point_count, sizeof *b->points);
    if (b->points == NULL) {
        return proto_fields_no_memory(err);
    }
    if (!read_floats(bytes, 3 * b->point_count, (float *)b->points, &wrong)) {
        return refuse(err, false, nav_at("points[%u][%u]", wrong / 3, wrong % 3).text,
                      (double)b->points[wrong / 3][wrong % 3], "a finite number");
    }
    return NAV_OK;
}

// ---- the header of /paths ----

// At least one zero, and nothing else behind the first.
static bool is_name_and_zeros(const uint8_t *bytes, size_t size_bytes)
{
    size_t length = strnlen((const char *)bytes, size_bytes);
    for (size_t i = length; i < size_bytes; i++) {
        if (bytes[i] != 0) {
            return false;
        }
    }
    return length < size_bytes;
}

// Reads the part that all queries share: each begins so, but for what the JSON says.
static nav_status read_paths_header(batch_fields *f, const uint8_t *bytes, nav_error *err)
{
    enum {
        SNAP_ROW = 2 // of a path, the first of three
    };
    proto_path_request *path = &f->defaults;
    float *const distances[] = {&path->common.snap.horizontal, &path->common.snap.up,
                                &path->common.snap.down};
    const uint32_t search = proto_get_u32(bytes + 16), flags = proto_get_u32(bytes + 28);
    path->max_nodes = proto_get_u32(bytes + 20);
    path->common.deadline_ms = proto_get_u32(bytes + 24);
    if (search > NAV_SEARCH_EXACT) {
        return refuse(err, true, "search", search, "0, 1 or 2");
    }
    if (path->common.deadline_ms > PROTO_DEADLINE_MS_MAX) {
        return refuse(err, true, "deadline_ms", path->common.deadline_ms, "at most 30000");
    }
    if (flags > NO_PARTIAL) {
        return refuse(err, true, "flags", flags, "0 or 1");
    }
    path->search = (nav_search)search;
    path->partial = flags == 0;
    for (uint32_t i = 0; i < 3; i++) {
        const float distance = proto_get_float(bytes + 32 + 4 * (size_t)i);
        if (distance < 0.0f || isinf(distance)) {
            return refuse(err, true, "snap", (double)distance,
                          "finite distances from 0 on, or NaN for the default");
        }
        if (!isnan(distance)) {
            *distances[i] = distance;
            path->common.seen |= UINT64_C(1) << (SNAP_ROW + i);
        }
    }
    if (!is_name_and_zeros(bytes + 44, NAV_NAME_MAX + 1)) {
        return nav_fail_at(err, NAV_INVALID_FIELD, "filter",
                           "packed paths: filter must be a name of up to 47 bytes, then zeros");
    }
    char *filter = nav_arena_alloc(path->common.memory, NAV_NAME_MAX + 1, 1);
    if (filter == NULL) {
        return proto_fields_no_memory(err);
    }
    memcpy(filter, bytes + 44, NAV_NAME_MAX + 1);
    path->common.filter.name = filter[0] != '\0' ? filter : NULL;
    return NAV_OK;
}

// ---- all of it ----

// Finds the parts of a text of this size.
static nav_status find_sections(bool is_paths, const uint8_t *bytes, size_t size_bytes,
                                batch_bytes *b, nav_error *err)
{
    const char *const magic = is_paths ? "NAVQ" : "NAVB";
    const uint32_t header_bytes = is_paths ? 96 : 32;
    if (size_bytes < header_bytes || memcmp(bytes, magic, 4) != 0) {
        char expected[40];
        (void)snprintf(expected, sizeof expected, "%s, in a header of %u bytes", magic,
                       header_bytes);
        return refuse(err, is_paths, "magic", size_bytes >= 4 ? proto_get_u32(bytes) : 0, expected);
    }
    if (proto_get_u32(bytes + 4) != FORMAT_VERSION) {
        return refuse(err, is_paths, "format_version", proto_get_u32(bytes + 4), "1");
    }
    if (!is_paths && (proto_get_u32(bytes + 24) | proto_get_u32(bytes + 28)) != 0) {
        return refuse(err, is_paths, "reserved", 1, "0");
    }
    b->header = bytes;
    b->count = proto_get_u32(bytes + 8);
    b->query_bytes = is_paths ? PATH_BYTES : RECORD_BYTES;
    b->rest_bytes = proto_get_u32(bytes + (is_paths ? 92 : 16));
    b->point_count = is_paths ? 0 : proto_get_u32(bytes + 20);
    if (b->count > PROTO_BATCH_MAX) {
        return proto_too_many_queries(b->count, "count", err);
    }
    const uint64_t points_at = header_bytes + (uint64_t)b->count * b->query_bytes;
    const uint64_t rest_at = points_at + (uint64_t)b->point_count * POINT_BYTES;
    if (b->count == 0 || rest_at + b->rest_bytes != size_bytes) {
        return refuse(err, is_paths, "count", b->count,
                      is_paths
                          ? "at least 1, with 24 bytes a query and the defaults behind the header"
                          : "at least 1, and the sizes of the parts those given");
    }
    b->queries = bytes + header_bytes;
    b->rest = bytes + rest_at;
    return NAV_OK;
}

static nav_status read_sections(batch_fields *f, batch_bytes *b, nav_error *err)
{
    nav_arena *memory = f->request.common.memory;
    nav_status status =
        f->request.is_paths
            ? read_paths_header(f, b->header, err)
            : read_points(b, b->rest - (size_t)b->point_count * POINT_BYTES, memory, err);
    f->queries = NAV_NEW(memory, proto_query, b->count);
    f->capacity = b->count;
    NAV_IF_OK(status, f->queries != NULL ? NAV_OK : proto_fields_no_memory(err));
    if (status == NAV_OK && b->rest_bytes > 0) {
        status = proto_batch_read_rest(f, (const char *)b->rest, b->rest_bytes, err);
    }
    for (uint32_t i = 0; i < b->count && status == NAV_OK; i++) {
        status = f->request.is_paths ? read_path(f, b, i, err) : read_record(f, b, i, err);
    }
    if (status == NAV_OK && b->points_taken != b->point_count) {
        status =
            refuse(err, false, "points", b->point_count, "as many as `reachable` queries ask for");
    }
    NAV_IF_OK(status, proto_batch_name_lists(f, err));
    return status;
}

nav_status proto_batch_read_packed(const proto_kind *kind, const void *bytes, size_t size_bytes,
                                   nav_arena *memory, proto_batch_request *out, nav_error *err)
{
    batch_bytes b = {0};
    batch_fields f = {.request.is_paths = kind == &PROTO_PATHS};
    nav_status status = find_sections(f.request.is_paths, bytes, size_bytes, &b, err);
    if (status != NAV_OK) {
        return status;
    }
    proto_request_begin(&PROTO_PATH, memory, &f.defaults.common);
    f.request.common = (proto_common){.memory = memory, .version = proto_get_u32(b.header + 12)};
    if (!f.request.is_paths) {
        for (uint32_t asked = 0; asked < PROTO_ASKED_COUNT; asked++) {
            for (size_t i = 0; i < MEMBER_COUNT; i++) {
                b.rows.of[asked][i] = (MEMBERS[i].asked >> asked & 1) != 0
                                          ? find_row(PROTO_ASKED_KINDS[asked], MEMBERS[i].name)
                                          : 0;
            }
        }
    }
    status = read_sections(&f, &b, err);
    if (status == NAV_OK) {
        *out = f.request;
    }
    return status;
}
