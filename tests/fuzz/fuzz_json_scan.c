// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// fuzz_json_scan.c: the scan, with the limits of a request; the document, which has to be there for
// exactly the texts that the scan passes; and tokens, which are as many however the text is cut.

#include "proto/json/document.h"
#include "proto/json/json.h"
#include "proto/json/tokens.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes);

// As many tokens as there are before the text ends or is wrong, from windows of so many new bytes.
static uint64_t count_tokens(const char *text, size_t size_bytes, size_t piece, proto_token *end)
{
    proto_tokens t;
    uint64_t count = 0;
    size_t begin = 0, given = 0;
    proto_tokens_init(&t, NULL, 0, PROTO_JSON_DEPTH_MAX, PROTO_JSON_VALUES_MAX);
    t.string_bytes_max = 256;
    do {
        given = size_bytes - given > piece ? given + piece : size_bytes;
        proto_tokens_window(&t, text + begin, given - begin, given == size_bytes);
        while ((*end = proto_tokens_next(&t)) > PROTO_TOKEN_END) {
            count++;
        }
        begin += t.at;
    } while (*end == PROTO_TOKEN_MORE);
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes)
{
    nav_error err;
    struct cJSON *tree = NULL;
    const char *text = (const char *)bytes;
    nav_status scanned =
        proto_json_scan(text, size_bytes, PROTO_JSON_DEPTH_MAX, PROTO_JSON_VALUES_MAX, &err);
    nav_status made = proto_document_parse(text, size_bytes, PROTO_JSON_VALUES_MAX, &tree, &err);
    // A document may not have numbers as long as a question's.
    NAV_ASSERT(scanned == made || made == PROTO_BAD_JSON);
    NAV_ASSERT((made == NAV_OK) == (tree != NULL));
    proto_document_delete(tree);
    if (size_bytes < 4096) {
        proto_token whole_end, end;
        const uint64_t whole = count_tokens(text, size_bytes, SIZE_MAX / 2, &whole_end);
        for (size_t piece = 1; piece <= 5; piece += 2) {
            NAV_ASSERT(count_tokens(text, size_bytes, piece, &end) == whole && end == whole_end);
        }
    }
    return 0;
}
