// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// fuzz_wire.c: a connection's bytes. Whether they are refused must not depend on how they are cut
// into pieces; where two things are wrong at once, which of them is told may.

#include "proto/http/wire.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes)
{
    static const proto_wire_limits limits = {.target_bytes_max = 256,
                                             .headers_bytes_max = 512,
                                             .headers_max = 16,
                                             .args_max = 8,
                                             .kept_bytes_max = 4000,
                                             .ahead_bytes = 1000};
    static char once[1 << 16], again[1 << 16];
    proto_wire whole, pieces;
    nav_error err;
    size_t taken;
    size_bytes = size_bytes < sizeof once ? size_bytes : sizeof once;
    memcpy(once, bytes, size_bytes);
    memcpy(again, bytes, size_bytes);
    proto_wire_init(&whole, &limits);
    proto_wire_init(&pieces, &limits);
    nav_status at_once = proto_wire_feed(&whole, once, size_bytes, &taken, &err);
    nav_status one_by_one = NAV_OK;
    for (size_t i = 0; one_by_one == NAV_OK && i < size_bytes; i++) {
        one_by_one = proto_wire_feed(&pieces, again + i, 1, &taken, &err);
    }
    NAV_ASSERT(at_once != NAV_OK || memcmp(once, again, size_bytes) == 0);
    NAV_ASSERT((at_once == NAV_OK) == (one_by_one == NAV_OK) && whole.heads == pieces.heads);
    return 0;
}
