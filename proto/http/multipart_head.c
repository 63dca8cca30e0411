// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// multipart_head.c: the headers of a part (RFC 7578, section 4). Those that no form needs are
// passed over, as that asks for; those that would change what the content is are refused.

#include "proto/http/multipart.h"

#include <string.h>

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
        return proto_multipart_bad(byte, err, "a line of a part's headers is no header");
    }
    const proto_span name = {line.at, name_bytes};
    for (int i = 0; i < HEADER_COUNT; i++) {
        if (!proto_span_is_word(name, NAMES[i])) {
            continue;
        }
        if (values[i].at != NULL) {
            nav_status status =
                proto_multipart_bad(byte, err, "a part has one of its headers twice");
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
        return proto_multipart_bad(byte, err, "a part without Content-Disposition");
    }
    proto_span rest;
    proto_parameter parameter;
    if (!proto_span_is_word(proto_parameters_of(value, &rest), "form-data")) {
        return proto_multipart_bad(byte, err, "a part whose Content-Disposition is not form-data");
    }
    while (proto_parameter_next(&rest, &parameter)) {
        proto_span *place = proto_span_is_word(parameter.name, "name")       ? &part->name
                            : proto_span_is_word(parameter.name, "filename") ? &part->file_name
                                                                             : NULL;
        if (place != NULL && place->at != NULL) {
            return proto_multipart_bad(byte, err, "a part has two names");
        }
        if (place != NULL) {
            *place = parameter.value;
        }
    }
    if (rest.size_bytes > 0) {
        return proto_multipart_bad(byte, err, "a Content-Disposition that cannot be read");
    }
    return part->name.at != NULL ? NAV_OK : proto_multipart_bad(byte, err, "a part without a name");
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
    nav_fail(err, PROTO_MEDIA_TYPE,
             "a part cannot have a %s; compress the whole body, with Content-Encoding: zstd",
             NAMES[header]);
    nav_error_at(err, "%s", NAMES[header]);
    nav_error_got(err, "%.*s", proto_span_width(word, 60), word.at);
    return PROTO_MEDIA_TYPE;
}

nav_status proto_part_read(const char *head, size_t size_bytes, uint64_t first_byte,
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
    if (status == NAV_OK) {
        status = read_disposition(values[DISPOSITION], first_byte, &part, err);
    }
    if (status == NAV_OK) {
        status = check_encoding(TRANSFER_ENCODING, values[TRANSFER_ENCODING], plain_transfers, err);
    }
    if (status == NAV_OK) {
        status = check_encoding(ENCODING, values[ENCODING], plain, err);
    }
    if (status == NAV_OK) {
        if (values[TYPE].at != NULL) {
            part.type = proto_parameters_of(values[TYPE], &rest);
        }
        *out = part;
    }
    return status;
}
