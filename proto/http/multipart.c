// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// multipart.c: the frame of a multipart/form-data body (RFC 2046, section 5.1; RFC 7578). A state
// machine that is fed pieces of any size and keeps nothing but the headers of one part.
//
// libmicrohttpd has a reader of such bodies. It is not used, because it says only that something is
// wrong and neither what nor where; takes line ends of LF or CR alone; refuses an epilogue; takes a
// body without any boundary for a whole one; makes all that follows `boundary=` the boundary; finds
// `Content-Type:` within other headers, passes over parts without a name, and keeps the first of
// two headers. It also hangs on a connection, so that it could not be fuzzed here.
//
// A body can be read in one way only, or is refused: lines end with CR LF; the boundary at the
// beginning of a line is a boundary, and what follows it must be --, or blanks and a line end.

#include "proto/http/multipart.h"

#include <string.h>

static nav_status bad_multipart(uint64_t byte, nav_error *err, const char *what)
{
    return nav_fail_at(err, PROTO_BAD_MULTIPART, nav_at("byte %llu", (unsigned long long)byte).text,
                       "%s at byte %llu", what, (unsigned long long)byte);
}

// ---- the headers of a part (RFC 7578, section 4) ----
//
// Headers that no form needs are passed over, as that asks for; those that would change what the
// content is are refused.

typedef enum known_header {
    DISPOSITION,
    TYPE,
    TRANSFER_ENCODING,
    ENCODING,
    HEADER_COUNT,
} known_header;

static const char *const NAMES[HEADER_COUNT] = {"Content-Disposition", "Content-Type",
                                                "Content-Transfer-Encoding", "Content-Encoding"};

// One line without its line end. Fills values[] of a header that is known.
static nav_status read_line(proto_span line, uint64_t byte, proto_span values[HEADER_COUNT],
                            nav_error *err)
{
    size_t name_bytes = 0;
    while (name_bytes < line.size_bytes && proto_is_token_byte(line.at[name_bytes])) {
        name_bytes++;
    }
    if (name_bytes == 0 || name_bytes == line.size_bytes || line.at[name_bytes] != ':') {
        return bad_multipart(byte, err, "a line of a part's headers is no header");
    }
    const proto_span name = {line.at, name_bytes};
    for (int i = 0; i < HEADER_COUNT; i++) {
        if (!proto_span_is_word(name, NAMES[i])) {
            continue;
        }
        if (values[i].at != NULL) {
            nav_status status = bad_multipart(byte, err, "a part has one of its headers twice");
            nav_error_got(err, "%s", NAMES[i]);
            return status;
        }
        values[i] = (proto_span){line.at + name_bytes + 1, line.size_bytes - name_bytes - 1};
    }
    return NAV_OK;
}

static nav_status read_disposition(proto_span value, uint64_t byte, proto_part *part,
                                   nav_error *err)
{
    if (value.at == NULL) {
        return bad_multipart(byte, err, "a part without Content-Disposition");
    }
    proto_span rest;
    proto_parameter parameter;
    if (!proto_span_is_word(proto_parameters_of(value, &rest), "form-data")) {
        return bad_multipart(byte, err, "a part whose Content-Disposition is not form-data");
    }
    while (proto_parameter_next(&rest, &parameter)) {
        proto_span *place = proto_span_is_word(parameter.name, "name")       ? &part->name
                            : proto_span_is_word(parameter.name, "filename") ? &part->file_name
                                                                             : NULL;
        if (place != NULL && place->at != NULL) {
            return bad_multipart(byte, err, "a part has two names");
        }
        if (place != NULL) {
            *place = parameter.value;
        }
    }
    if (rest.size_bytes > 0) {
        return bad_multipart(byte, err, "a Content-Disposition that cannot be read");
    }
    return part->name.at != NULL ? NAV_OK : bad_multipart(byte, err, "a part without a name");
}

// A content is the bytes that stand there: `words` are the ways of saying so.
static nav_status check_encoding(known_header header, proto_span value, const char *const *words,
                                 nav_error *err)
{
    if (value.at == NULL) {
        return NAV_OK;
    }
    proto_span rest;
    const proto_span word = proto_parameters_of(value, &rest);
    for (; *words != NULL; words++) {
        if (proto_span_is_word(word, *words)) {
            return NAV_OK;
        }
    }
    nav_fail_at(err, PROTO_MEDIA_TYPE, NAMES[header],
                "a part cannot have a %s; compress the whole body, with Content-Encoding: zstd",
                NAMES[header]);
    nav_error_got(err, "%.*s", proto_span_width(word, 60), word.at);
    return PROTO_MEDIA_TYPE;
}

// Reads the headers of a part, each line with its line end, and nothing else. first_byte is where
// they begin in the body.
static nav_status read_part(const char *head, size_t size_bytes, uint64_t first_byte,
                            proto_part *out, nav_error *err)
{
    static const char *const plain_transfers[] = {"binary", "8bit", "7bit", NULL};
    static const char *const plain[] = {"identity", NULL};
    proto_span values[HEADER_COUNT] = {0}, rest;
    proto_part part = {0};
    nav_status status = NAV_OK;
    for (size_t i = 0; status == NAV_OK && i < size_bytes;) {
        const char *end = memchr(head + i, '\r', size_bytes - i);
        NAV_ASSERT(end != NULL);
        const proto_span line = {head + i, (size_t)(end - head) - i};
        status = read_line(line, first_byte + i, values, err);
        i += line.size_bytes + 2;
    }
    NAV_IF_OK(status, read_disposition(values[DISPOSITION], first_byte, &part, err));
    NAV_IF_OK(status,
              check_encoding(TRANSFER_ENCODING, values[TRANSFER_ENCODING], plain_transfers, err));
    NAV_IF_OK(status, check_encoding(ENCODING, values[ENCODING], plain, err));
    if (status == NAV_OK) {
        if (values[TYPE].at != NULL) {
            part.type = proto_parameters_of(values[TYPE], &rest);
        }
        *out = part;
    }
    return status;
}

// ---- the frame ----

enum {
    PREAMBLE, // before the first boundary: means nothing
    AFTER_BOUNDARY,
    AFTER_DASH,
    PADDING, // blanks behind a boundary
    LINE_END,
    HEAD,
    CONTENT,
    CLOSED, // behind the closing boundary, on its line
    CLOSED_LINE_END,
    EPILOGUE, // means nothing
};

// ---- the boundary ----

static nav_status bad_boundary(const char *content_type, nav_error *err, const char *what)
{
    nav_fail_at(err, PROTO_BAD_MULTIPART, "Content-Type",
                "Content-Type: multipart/form-data needs %s", what);
    nav_error_got(err, "%.60s", content_type);
    return PROTO_BAD_MULTIPART;
}

static bool is_boundary(proto_span text)
{
    for (size_t i = 0; i < text.size_bytes; i++) {
        const char c = text.at[i];
        const bool letter =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (!letter && (c == '\0' || strchr("'()+_,-./:=? ", c) == NULL)) {
            return false;
        }
    }
    return text.size_bytes > 0 && text.size_bytes <= PROTO_BOUNDARY_BYTES_MAX &&
           text.at[text.size_bytes - 1] != ' ';
}

nav_status proto_multipart_boundary(const char *content_type,
                                    char out[PROTO_BOUNDARY_BYTES_MAX + 1], nav_error *err)
{
    proto_span rest, boundary = {0};
    proto_parameter parameter;
    (void)proto_parameters_of((proto_span){content_type, strlen(content_type)}, &rest);
    while (proto_parameter_next(&rest, &parameter)) {
        if (!proto_span_is_word(parameter.name, "boundary")) {
            continue;
        }
        if (boundary.at != NULL) {
            return bad_boundary(content_type, err, "one boundary, not two");
        }
        boundary = parameter.value;
    }
    if (rest.size_bytes > 0) {
        return bad_boundary(content_type, err, "parameters as in ; boundary=\"...\"");
    }
    if (boundary.at == NULL) {
        return bad_boundary(content_type, err, "a boundary");
    }
    if (!is_boundary(boundary)) {
        return bad_boundary(content_type, err,
                            "a boundary of 1 to 70 letters, digits and '()+_,-./:=? not ending "
                            "with a blank");
    }
    NAV_ASSERT(boundary.size_bytes <= PROTO_BOUNDARY_BYTES_MAX);
    memcpy(out, boundary.at, boundary.size_bytes);
    out[boundary.size_bytes] = '\0';
    return NAV_OK;
}

// ---- the search for the delimiter ----

void proto_multipart_init(proto_multipart *m, const char *boundary)
{
    const size_t length = strlen(boundary);
    NAV_ASSERT(length > 0 && length <= PROTO_BOUNDARY_BYTES_MAX);
    // The body's beginning is the beginning of a line.
    *m = (proto_multipart){.step = PREAMBLE,
                           .matched = 2,
                           .matched_own = 2,
                           .delimiter_bytes = 4 + (uint32_t)length,
                           .delimiter = {'\r', '\n', '-', '-'}};
    memcpy(m->delimiter + 4, boundary, length);
    NAV_ASSERT(m->delimiter_bytes <= sizeof m->delimiter);
}

static nav_status give(const proto_multipart *m, const char *bytes, size_t size_bytes,
                       const proto_multipart_sink *sink, nav_error *err)
{
    return m->step != CONTENT || size_bytes == 0 ? NAV_OK
                                                 : sink->take(sink->user, bytes, size_bytes, err);
}

// Takes bytes up to the end of the next delimiter, or all; *taken says how many. CR is nowhere in
// the delimiter but at its beginning, so that after a mismatch nothing of what had matched can be
// the beginning of another. Bytes that had matched in an earlier piece are the delimiter's own
// text.
static nav_status take_content(proto_multipart *m, const char *bytes, size_t size_bytes,
                               const proto_multipart_sink *sink, size_t *taken, nav_error *err)
{
    NAV_ASSERT(m->matched_own <= m->matched && m->matched < m->delimiter_bytes);
    const char *const kept = m->delimiter + m->matched_own;
    const size_t kept_bytes = m->matched - m->matched_own;
    bool is_kept = m->matched > 0; // of an earlier piece
    nav_status status = NAV_OK;
    size_t i = 0;
    while (status == NAV_OK && i < size_bytes && m->matched < m->delimiter_bytes) {
        if (m->matched == 0) {
            const char *found = memchr(bytes + i, '\r', size_bytes - i);
            i = found != NULL ? (size_t)(found - bytes) + 1 : size_bytes;
            m->matched = found != NULL ? 1 : 0;
        } else if (bytes[i] == m->delimiter[m->matched]) {
            m->matched++;
            i++;
        } else {
            status = is_kept ? give(m, kept, kept_bytes, sink, err) : NAV_OK;
            is_kept = false;
            m->matched = m->matched_own = 0;
        }
    }
    NAV_ASSERT(m->matched_own <= m->matched && m->matched <= m->delimiter_bytes);
    NAV_ASSERT(is_kept || i >= m->matched);
    *taken = i;
    return status == NAV_OK && !is_kept ? give(m, bytes, i - m->matched, sink, err) : status;
}

static nav_status scan(proto_multipart *m, const char *bytes, size_t size_bytes,
                       const proto_multipart_sink *sink, size_t *taken, nav_error *err)
{
    nav_status status = take_content(m, bytes, size_bytes, sink, taken, err);
    if (status == NAV_OK && m->matched == m->delimiter_bytes) {
        status = m->step == CONTENT ? sink->end(sink->user, err) : NAV_OK;
        m->step = AFTER_BOUNDARY;
        m->matched = m->matched_own = 0;
    }
    return status;
}

// ---- the headers of a part ----

static nav_status end_head(proto_multipart *m, const proto_multipart_sink *sink, nav_error *err)
{
    proto_part part;
    NAV_ASSERT(m->step == HEAD && m->head_bytes <= sizeof m->head);
    nav_status status = read_part(m->head, m->head_bytes, m->head_byte, &part, err);
    NAV_IF_OK(status, sink->begin(sink->user, &part, err));
    // A part without content may end in the very line that ended its headers.
    m->step = CONTENT;
    m->matched = m->matched_own = 2;
    return status;
}

static nav_status take_head(proto_multipart *m, char c, const proto_multipart_sink *sink,
                            nav_error *err)
{
    const bool after_return = m->line_bytes > 0 && m->head[m->head_bytes - 1] == '\r';
    if ((c == '\n') != after_return) {
        return bad_multipart(m->byte, err, "a line of headers does not end with CR LF");
    }
    if (((uint8_t)c < ' ' && c != '\t' && c != '\r' && c != '\n') || c == 0x7f) {
        return bad_multipart(m->byte, err, "a control character in the headers of a part");
    }
    if (c == '\n' && m->line_bytes == 1) {
        m->head_bytes--; // of the empty line
        return end_head(m, sink, err);
    }
    if (m->head_bytes == sizeof m->head) {
        nav_fail_at(err, PROTO_HEADERS_TOO_LARGE,
                    nav_at("byte %llu", (unsigned long long)m->byte).text,
                    "the headers of a part have more than %u bytes", PROTO_PART_HEAD_BYTES_MAX);
        nav_error_limit(err, "%u", PROTO_PART_HEAD_BYTES_MAX);
        return PROTO_HEADERS_TOO_LARGE;
    }
    m->head[m->head_bytes++] = c;
    m->line_bytes = c == '\n' ? 0 : m->line_bytes + 1;
    return NAV_OK;
}

// ---- what is behind a boundary ----

// The step after this byte, or AFTER_BOUNDARY where it may not stand there.
static uint8_t next_step(uint8_t step, char c)
{
    const bool blank = c == ' ' || c == '\t';
    switch (step) {
    case AFTER_BOUNDARY:
        return c == '-' ? AFTER_DASH : blank ? PADDING : c == '\r' ? LINE_END : AFTER_BOUNDARY;
    case AFTER_DASH:
        return c == '-' ? CLOSED : AFTER_BOUNDARY;
    case PADDING:
        return blank ? PADDING : c == '\r' ? LINE_END : AFTER_BOUNDARY;
    case LINE_END:
        return c == '\n' ? HEAD : AFTER_BOUNDARY;
    case CLOSED:
        return blank ? CLOSED : c == '\r' ? CLOSED_LINE_END : AFTER_BOUNDARY;
    default: // CLOSED_LINE_END
        return c == '\n' ? EPILOGUE : AFTER_BOUNDARY;
    }
}

static nav_status take_byte(proto_multipart *m, char c, const proto_multipart_sink *sink,
                            nav_error *err)
{
    if (m->step == HEAD) {
        return take_head(m, c, sink, err);
    }
    m->step = next_step(m->step, c);
    if (m->step == AFTER_BOUNDARY) {
        return bad_multipart(m->byte, err, "neither -- nor a line end of CR LF behind a boundary");
    }
    if (m->step == HEAD) {
        m->head_byte = m->byte + 1;
        m->head_bytes = m->line_bytes = 0;
    }
    return NAV_OK;
}

nav_status proto_multipart_feed(proto_multipart *m, const void *bytes, size_t size_bytes,
                                const proto_multipart_sink *sink, nav_error *err)
{
    const char *at = bytes;
    nav_status status = NAV_OK;
    while (status == NAV_OK && size_bytes > 0) {
        size_t taken = 1;
        if (m->step == PREAMBLE || m->step == CONTENT) {
            status = scan(m, at, size_bytes, sink, &taken, err);
        } else if (m->step == EPILOGUE) {
            taken = size_bytes;
        } else {
            status = take_byte(m, *at, sink, err);
        }
        m->byte += taken;
        at += taken;
        size_bytes -= taken;
    }
    return status;
}

nav_status proto_multipart_end(const proto_multipart *m, nav_error *err)
{
    return m->step == CLOSED || m->step == EPILOGUE
               ? NAV_OK
               : bad_multipart(m->byte, err, "the body ends before its closing boundary");
}
