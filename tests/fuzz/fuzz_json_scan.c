// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// fuzz_json_scan.c: the scan, with the limits of a request, and the tree, which has to be there for
// exactly the texts that the scan passes.

#include "proto/json/fields.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes)
{
    nav_error err;
    struct cJSON *tree = NULL;
    const char *text = (const char *)bytes;
    nav_status scanned =
        proto_json_scan(text, size_bytes, PROTO_JSON_DEPTH_MAX, PROTO_JSON_VALUES_MAX, &err);
    nav_status made = proto_fields_parse(text, size_bytes, PROTO_JSON_VALUES_MAX, &tree, &err);
    NAV_ASSERT(scanned == made);
    proto_fields_delete(tree);
    return 0;
}
