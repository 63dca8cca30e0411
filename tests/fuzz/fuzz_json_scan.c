// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// fuzz_json_scan.c: the scan, with the limits of a request.

#include "proto/proto.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes)
{
    nav_error err;
    proto_json_scan((const char *)bytes, size_bytes, PROTO_JSON_DEPTH_MAX, PROTO_JSON_VALUES_MAX,
                    &err);
    return 0;
}
