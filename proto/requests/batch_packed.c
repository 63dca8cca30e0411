// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// batch_packed.c: mixed questions in one request without JSON (layout in README.md): a header, a
// record of one size for each query, points, and the lists that queries share, as JSON. A record's
// numbers are members of its question by the names that JSON has for them, so that bounds and
// errors are those of the question's own table. Its answer is written by replies/packed.c.

#include "proto/base/bytes.h"
#include "proto/requests/query_list.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MAGIC 0x4256414eu // "NAVB"
#define FORMAT_VERSION 1u
#define HEADER_BYTES 32u
#define QUERY_BYTES 72u
#define POINT_WORDS 3u
#define POINT_BYTES (4u * POINT_WORDS)
#define WORDS (QUERY_BYTES / 4u)
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

// Of `x`, `y` and `z` flags say which ones are given.
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

static nav_status refuse(nav_error *err, const char *at, double got, const char *expected)
{
    nav_fail(err, NAV_INVALID_FIELD, "packed batch: %s must be %s", at, expected);
    nav_error_at(err, "%s", at);
    nav_error_got(err, "%.10g", got);
    return NAV_INVALID_FIELD;
}

static nav_status refuse_in(const query_reader *r, const char *member, double got,
                            const char *expected)
{
    nav_status status = refuse(r->err, member, got, expected);
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

static void find_rows(member_rows *out)
{
    for (uint32_t asked = 0; asked < PROTO_ASKED_COUNT; asked++) {
        for (size_t i = 0; i < MEMBER_COUNT; i++) {
            out->of[asked][i] = (MEMBERS[i].asked >> asked & 1) != 0
                                    ? find_row(PROTO_ASKED_KINDS[asked], MEMBERS[i].name)
                                    : 0;
        }
    }
}

static nav_status read_point(const query_reader *r, const packed_member *m,
                             const proto_field *field)
{
    float point[3];
    for (uint32_t i = 0; i < 3; i++) {
        point[i] = proto_get_float(r->bytes + m->offset + 4 * (size_t)i) + 0.0f; // -0 becomes 0
        if (!isfinite(point[i])) {
            char at[32];
            (void)snprintf(at, sizeof at, "%s[%u]", m->name, i);
            return refuse_in(r, at, (double)point[i], "a finite number");
        }
    }
    memcpy((char *)r->question + field->offset, point, sizeof point);
    return NAV_OK;
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
        return read_point(r, m, field);
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
    const uint8_t *queries, *lists;
    float (*points)[3];
    uint32_t count, point_count, lists_bytes;
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
        (proto_points){.at = (const float(*)[3])b->points + b->points_taken, .count = count};
    b->points_taken += count;
    return NAV_OK;
}

static nav_status read_query(batch_fields *f, batch_bytes *b, uint32_t index, nav_error *err)
{
    char prefix[PROTO_PREFIX_BYTES];
    proto_query *out = &f->list.queries[index];
    query_reader r = {.rows = &b->rows,
                      .bytes = b->queries + (size_t)index * QUERY_BYTES,
                      .prefix = prefix,
                      .err = err,
                      .index = index};
    if (r.bytes[0] >= PROTO_ASKED_COUNT) {
        return refuse_in(&r, "kind", r.bytes[0], "from 0 to 7");
    }
    proto_put_prefix(index, prefix);
    out->asked = (proto_asked)r.bytes[0];
    r.kind = PROTO_ASKED_KINDS[out->asked];
    out->question = nav_arena_alloc(f->list.request.common.memory, 1, r.kind->size_bytes);
    if (out->question == NULL) {
        return proto_fields_no_memory(err);
    }
    r.question = out->question;
    proto_request_begin(r.kind, f->list.request.common.memory, out->question);
    nav_status status = read_members(&r);
    NAV_IF_OK(status, take_points(&r, b));
    NAV_IF_OK(status, check_rest(&r));
    if (status == NAV_OK && r.kind->finish != NULL) {
        status = r.kind->finish(r.question, r.seen, err);
        if (status != NAV_OK) {
            proto_name_query(err, index);
        }
    }
    out->question->seen = r.seen;
    return status == NAV_OK ? proto_batch_count_places(f, out, prefix, err) : status;
}

static nav_status check_header(const uint8_t *bytes, size_t size_bytes, nav_error *err)
{
    if (size_bytes < HEADER_BYTES || proto_get_u32(bytes) != MAGIC) {
        return refuse(err, "magic", size_bytes >= 4 ? proto_get_u32(bytes) : 0,
                      "NAVB, in a header of 32 bytes");
    }
    if (proto_get_u32(bytes + 4) != FORMAT_VERSION) {
        return refuse(err, "format_version", proto_get_u32(bytes + 4), "1");
    }
    if ((proto_get_u32(bytes + 24) | proto_get_u32(bytes + 28)) != 0) {
        return refuse(err, "reserved", 1, "0");
    }
    const uint32_t count = proto_get_u32(bytes + 8);
    if (count > PROTO_BATCH_MAX) {
        return proto_too_many_queries(count, "count", err);
    }
    const uint64_t wanted = HEADER_BYTES + (uint64_t)count * QUERY_BYTES +
                            (uint64_t)proto_get_u32(bytes + 20) * POINT_BYTES +
                            proto_get_u32(bytes + 16);
    return count > 0 && wanted == size_bytes
               ? NAV_OK
               : refuse(err, "count", count, "at least 1, and the sizes of the parts those given");
}

static nav_status read_points(batch_bytes *b, const uint8_t *bytes, nav_arena *memory,
                              nav_error *err)
{
    b->points = nav_arena_alloc(memory, b->point_count, sizeof *b->points);
    if (b->points == NULL) {
        return proto_fields_no_memory(err);
    }
    for (uint32_t i = 0; i < 3 * b->point_count; i++) {
        const float value = proto_get_float(bytes + 4 * (size_t)i) + 0.0f;
        if (!isfinite(value)) {
            char at[32];
            (void)snprintf(at, sizeof at, "points[%u][%u]", i / 3, i % 3);
            return refuse(err, at, (double)value, "a finite number");
        }
        b->points[i / 3][i % 3] = value;
    }
    return NAV_OK;
}

static nav_status read_parts(batch_fields *f, batch_bytes *b, nav_error *err)
{
    nav_arena *memory = f->list.request.common.memory;
    nav_status status = NAV_OK;
    f->list.queries = NAV_NEW(memory, proto_query, b->count);
    if (f->list.queries == NULL) {
        return proto_fields_no_memory(err);
    }
    if (b->lists_bytes > 0) {
        status = proto_batch_read_lists(f, (const char *)b->lists, b->lists_bytes, err);
    }
    for (uint32_t i = 0; i < b->count && status == NAV_OK; i++) {
        status = read_query(f, b, i, err);
    }
    if (status == NAV_OK && b->points_taken != b->point_count) {
        status = refuse(err, "points", b->point_count, "as many as `reachable` queries ask for");
    }
    f->list.request.queries = f->list.queries;
    f->list.request.count = b->count;
    return status == NAV_OK ? proto_batch_name_lists(f, err) : status;
}

nav_status proto_batch_read_packed(const void *data, size_t size_bytes, nav_arena *memory,
                                   proto_batch_request *out, nav_error *err)
{
    const uint8_t *bytes = data;
    nav_status status = check_header(bytes, size_bytes, err);
    if (status != NAV_OK) {
        return status;
    }
    batch_fields f = {
        .list.request.common = {.memory = memory, .version = proto_get_u32(bytes + 12)}};
    batch_bytes b = {.count = proto_get_u32(bytes + 8),
                     .lists_bytes = proto_get_u32(bytes + 16),
                     .point_count = proto_get_u32(bytes + 20),
                     .queries = bytes + HEADER_BYTES};
    const uint8_t *points = b.queries + (size_t)b.count * QUERY_BYTES;
    b.lists = points + (size_t)b.point_count * POINT_BYTES;
    find_rows(&b.rows);
    status = read_points(&b, points, memory, err);
    NAV_IF_OK(status, read_parts(&f, &b, err));
    if (status == NAV_OK) {
        *out = f.list.request;
    }
    return status;
}
