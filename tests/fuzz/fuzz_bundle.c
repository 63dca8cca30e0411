// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// fuzz_bundle.c: recordings as files. The input is a file as it is; and the contents of one, under
// a checksum that fits. What is read is whole: written again, it is the same contents.

#include "server/recordings/bundle.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes);

static void read_file(const void *file, size_t file_bytes, const void *contents,
                      size_t contents_bytes)
{
    bundle_file got;
    nav_error err = {0};
    const nav_status status = bundle_read(file, file_bytes, &got, &err);
    if (status != NAV_OK) {
        NAV_ASSERT(status == PROTO_BAD_BUNDLE && err.detail[0] != '\0');
        return;
    }
    proto_writer again;
    proto_writer_init(&again);
    bundle_write_contents(&got.bundle, &again);
    NAV_ASSERT(!again.failed);
    NAV_ASSERT(contents == NULL || (again.size_bytes == contents_bytes &&
                                    memcmp(again.bytes, contents, contents_bytes) == 0));
    proto_writer_free(&again);
    bundle_free(&got);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes)
{
    void *file = NULL;
    size_t file_bytes = 0;
    read_file(bytes, size_bytes, NULL, 0);
    NAV_ASSERT(bundle_pack(bytes, size_bytes, &file, &file_bytes, NULL) == NAV_OK);
    read_file(file, file_bytes, bytes, size_bytes);
    free(file);
    return 0;
}
