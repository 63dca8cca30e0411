// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// error.c: a nav_error as the problem object of RFC 9457, always of one shape.

#include "proto/base/text.h"
#include "proto/replies/replies.h"

#include <math.h>
#include <string.h>

static void write_text_or_null(proto_writer *w, const char *key, const char *text)
{
    proto_member_string(w, key, text[0] != '\0' ? text : NULL);
}

// A number stays one where a reader's double can hold it.
static void write_value_or_null(proto_writer *w, const char *key, const char *text)
{
    size_t size_bytes = strlen(text);
    double value;
    if (size_bytes > 0 && proto_text_json_number(text, size_bytes) == size_bytes &&
        proto_text_decimal(text, size_bytes, &value) && isfinite(value)) {
        proto_write_key(w, key);
        proto_write_raw(w, text);
    } else {
        write_text_or_null(w, key, text);
    }
}

void proto_write_error_open(proto_writer *w, const nav_error *err, const char *request_id)
{
    NAV_ASSERT(err->status > NAV_OK && err->status < PROTO_STATUS_COUNT);
    proto_write_object_begin(w);
    proto_member_string(w, "type", "about:blank");
    proto_member_string(w, "title", proto_status_title(err->status));
    proto_member_int(w, "status", proto_status_http(err->status));
    proto_member_string(w, "code", proto_status_word(err->status));
    proto_member_string(w, "detail",
                        err->detail[0] != '\0' ? err->detail : proto_status_text(err->status));
    write_text_or_null(w, "at", err->at);
    if (err->got_is_text) {
        write_text_or_null(w, "got", err->got);
    } else {
        write_value_or_null(w, "got", err->got);
    }
    write_value_or_null(w, "limit", err->limit);
    if (err->suggest[0] != '\0') {
        write_text_or_null(w, "suggest", err->suggest);
    }
    if (err->suggest_cell_size > 0.0) {
        proto_write_key(w, "suggest_cell_size");
        proto_write_float(w, (float)err->suggest_cell_size);
    }
    if (request_id != NULL) {
        proto_member_string(w, "request_id", request_id);
    }
}

void proto_write_error(proto_writer *w, const nav_error *err, const char *request_id)
{
    proto_write_error_open(w, err, request_id);
    proto_write_object_end(w);
}
