// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// fuzz_bake_report.c: reports as the store has them: what is read can be written, within its bound,
// and read again.

#include "core/nav.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes)
{
    static nav_bake_report report, again;
    static uint8_t packed[NAV_BAKE_REPORT_BYTES_MAX];
    if (nav_bake_report_unpack(bytes, size_bytes, &report)) {
        size_t packed_bytes = nav_bake_report_pack(&report, packed);
        NAV_ASSERT(packed_bytes <= sizeof packed);
        NAV_ASSERT(nav_bake_report_unpack(packed, packed_bytes, &again));
        NAV_ASSERT(memcmp(&report, &again, sizeof report) == 0);
    }
    return 0;
}
